/* secrets_bench FILE...: see bench/secrets.sh. */
#include "bench.h"

#include "base/fs.h"
#include "model/secrets/secrets.h"

enum { SIZE = 1 << 18, ROUNDS = 5, LIMIT = 20, MOST_FILES = 4096 };

/* Each is repeated: beginnings that never end, what has to be undone, and values that are looked at again and again. */
static const char *const hostile[] = {
    "token=",
    "-----BEGIN ",
    "-----BEGIN RSA PRIVATE KEY-----",
    "sk-",
    "sk-ant-",
    "SK",
    "ghp_",
    "glpat-",
    "hvs.",
    "pa-",
    "pat.",
    "re_",
    "eyJabcdefgh.",
    "eyJeyJ",
    "://a:",
    "bearer ",
    "password: ",
    "password: auto-",
    "pwd:a-",
    "pwd=$",
    "pwd=\\",
    "aa:",
    "key: abc123abc123abc123abc123abc12345 ",
    "heroku key: 1-",
    "curl -u a ",
    "--password ",
    "--a ",
    "machine a login b ",
    "basic dXNlcjpwYXNz ",
    "Q~",
    "%41",
    "ghp_**a**",
    "&#95;",
    "\\u0041",
    "\xe2\x80\x8b",
    "a*b",
    "ICAg",
    "VVVV",
    "cGFzc3dvcmQ6IGF1dG8t",
    "ZXlKaFlt",
    "abc1\n",
    "abcd1234abcd1234abcd1234abcd1234abcd1234abcd\n",
    "a1\\\n",
    "-",
    "=",
    "\"a\",\"",
    "<a>",
    "0123456789abcdef",
    "a1=\n",
    "a1=\\n",
    "xoxb-1\n",
    "xoxb-1\\n",
    "Zm9vZm9v\n",
    "\x1b[31ma",
    "pwd=\"",
    "pwd=\\\"",
    "pwd='a",
    "pwd=a,",
    "password:\n  a\n",
    "password: |\n a\n",
    "<password>",
    "<password>\n",
    "name: password value: ",
    "kind: Secret\ndata:\n a: ",
    "\"kty\":\"d\":\"",
    "Cookie: a=",
    "auth=(\"a\",",
    "Private-Lines: 1\n",
    "-----BEGIN PRIVATE KEY-----\nabcd1234abcd1234\n",
    "-----BEGIN PRIVATE KEY-----\\n1: ",
    "-----BEGIN PRIVATE KEY-----\nab1Cd2Ef3Gh4Ij5Kl6\nx ",
    "BEGIN PRIVATE KEY a ",
    "END PRIVATE KEY ",
    "ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8 ",
    "ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9ab1Cd2Ef3Gh4\n",
    "ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9ab1Cd2Ef3Gh4Ij5Kl6Mn7Op8Qr9ab1Cd2Ef3Gh4\n-----BEGIN X-----\n",
    "aB1&#43;",
    "aB1\\/",
    "echo a|chpasswd ",
    "ENV password ",
    "| password | a |\n",
    "a,password\n",
    "a:1:b:c:d\n",
    "sqlplus a/",
    "http://a:b/",
    "1/1234567890/",
    "WIFI:",
    "AzFu",
    "aaaaaaaaaaaaaaaa1NRAL",
    "password for a: ",
    "password ",
    "password \"",
    "password a1B2c3D4e5 ",
    "secret 5 ",
    "a:b@",
    "@",
    "password[a] ",
    "password ||\"",
    "INSERT INTO a(password)VALUES('a',",
    "INSERT INTO a(password)VALUES",
    "AKIAABCDEFGHIJKLMN12 ",
    "<a name=\"password\">",
    "a>",
    "value: a1B2c3D4 name: password ",
    "value: a name: ",
    "password: [\"a\",",
    "a: b = \"",
    "IDENTIFIED WITH a ",
    "htpasswd -b ",
    "password  a\n",
    "+-+\n",
    "password a ",
    "password a a a a a a ",
    "login(\"a\",",
    "or \"",
    "\"password\",\""};

/* Nanoseconds of CPU time per byte, the best of some rounds. */
static double cost(ho_str text)
{
  double best = 0;
  ho_arena arena;
  ho_arena_init(&arena, 0);
  for (int i = 0; i < ROUNDS; i++) {
    clock_t start = clock();
    ho_secret_find(text, &arena);
    double ns = (double)(clock() - start) * 1e9 / CLOCKS_PER_SEC / (double)text.n;
    best = i && best < ns ? best : ns;
    ho_arena_reset(&arena);
  }
  ho_arena_free(&arena);
  return best;
}

static int by_value(const void *a, const void *b)
{
  return (*(const double *)a > *(const double *)b) - (*(const double *)a < *(const double *)b);
}

/* The median over the files, each repeated to a size that can be measured. */
static double usual(int count, char **paths, ho_arena *arena)
{
  static double costs[MOST_FILES];
  size_t n = 0;
  for (int i = 0; i < count && n < MOST_FILES; i++) {
    ho_str text;
    ho_buf repeated;
    if (!ho_fs_is_file(paths[i]) || ho_fs_read(arena, paths[i], 0, &text, &err) || text.n < 200)
      continue;
    ho_buf_init(&repeated, 0);
    while (repeated.n < SIZE / 4)
      ho_buf_put(&repeated, text);
    costs[n++] = cost(ho_buf_str(&repeated));
    ho_buf_free(&repeated);
  }
  qsort(costs, n, sizeof *costs, by_value);
  printf("secrets: %zu ordinary texts, median %.1f ns/byte, worst %.1f\n", n, n ? costs[n / 2] : 0,
         n ? costs[n - 1] : 0);
  return n ? costs[n / 2] : 1;
}

int main(int argc, char **argv)
{
  ho_arena arena;
  double worst = 0;
  const char *which = "";
  ho_arena_init(&arena, 0);
  double median = usual(argc - 1, argv + 1, &arena);
  for (size_t i = 0; i < HO_COUNT(hostile); i++) {
    ho_buf text;
    ho_buf_init(&text, 0);
    while (text.n < SIZE)
      ho_buf_puts(&text, hostile[i]);
    double ns = cost(ho_buf_str(&text));
    if (ns > worst) {
      worst = ns;
      which = hostile[i];
    }
    ho_buf_free(&text);
  }
  missed = worst > LIMIT * median;
  printf("secrets: %zu hostile texts, at most %.1f ns/byte (%s), %.1f times the median (limit %d) %s\n",
         HO_COUNT(hostile), worst, which, worst / median, LIMIT, missed ? "MISSED" : "ok");
  ho_arena_free(&arena);
  return missed;
}
