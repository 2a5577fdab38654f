/* Counting tokens: the split, merging against a plain reference, the image, and damaged ones. Counts with the real
 * ranks are compared with another tokenizer's in tests/js/tokens.mjs. */
#include "files.h"

#include <unistd.h>

#include "base/memory.h"
#include "doc/tokens/tokens.h"
#include "doc/tokens/tokens_image.h"
#include "doc/tokens/tokens_merge.h"
#include "doc/tokens/tokens_split.h"

/* ---- splitting ---- */

/* `marked` is a text with '|' between its pieces. */
static void assert_split(const char *marked)
{
  char text[256], found[256];
  size_t n = 0, out = 0;
  for (const char *p = marked; *p; p++)
    if (*p != '|')
      text[n++] = *p;
  for (size_t at = 0, end; at < n; at = end) {
    end = ho_tokens_split((ho_str){text, n}, at);
    assert_true(end > at && end <= n);
    if (at > 0)
      found[out++] = '|';
    memcpy(found + out, text + at, end - at);
    out += end - at;
  }
  found[out] = 0;
  assert_string_equal(found, marked);
}

static void splits_words(void **state)
{
  (void)state;
  assert_split("Hello| World|!");
  assert_split("HTTPServer|Get|User|ID");
  assert_split("don't| I'LL| we'Re|'x| it'\u017f");
  assert_split("x|(foo|.bar|_baz");
  assert_split("\u4e2dAb\u4e2d|A"); /* a letter without case goes with those of both */
}

static void splits_around_marks(void **state)
{
  (void)state;
  assert_split("a\u0301b| \u0301|!\u0301");
  assert_split("\u0301ABC\u0301|D"); /* a mark opens a word, */
  assert_split("\u0301|AB");         /* or is one where only upper letters follow */
  assert_split("A\u02b0|BC");        /* what stands behind the last letter of both kinds is left over */
}

static void splits_numbers_and_signs(void **state)
{
  (void)state;
  assert_split("123|456|7|.|89");
  assert_split("a| ===\n//\n|b");
  assert_split("#!/|usr|/bin");
}

static void splits_white_space(void **state)
{
  (void)state;
  assert_split("a|  | b|   ");
  assert_split("a| \n \r\n|  | x");
  assert_split("a|\u3000|\xc2\x85|1");
  assert_split("\u00a0a|\u2028\u2028");
}

static void splits_bytes_that_are_no_text(void **state)
{
  (void)state;
  char bytes[256 * 3];
  for (size_t i = 0; i < sizeof bytes; i++)
    bytes[i] = (char)(i * 167 + i / 256);
  for (size_t n = 1; n <= sizeof bytes; n++) {
    char *exact = malloc(n); /* a sanitizer sees a read past the end */
    memcpy(exact, bytes, n);
    for (size_t at = 0, end; at < n; at = end) {
      end = ho_tokens_split((ho_str){exact, n}, at);
      assert_true(end > at && end <= n);
    }
    free(exact);
  }
}

/* ---- vocabularies of a few letters ---- */

static unit_random source;

static size_t below(size_t n)
{
  return unit_below(&source, n);
}

enum { TOKENS = 200, LETTERS = 4 };

typedef struct vocabulary {
  char text[TOKENS][32];
  ho_str tokens[TOKENS];
  size_t n;
  ho_buf bytes;
  ho_image image;
} vocabulary;

static bool has(const vocabulary *v, ho_str token)
{
  for (size_t i = 0; i < v->n; i++)
    if (ho_str_eq(v->tokens[i], token))
      return true;
  return false;
}

static void add(vocabulary *v, ho_str token)
{
  if (token.n >= sizeof v->text[0] || has(v, token))
    return;
  memcpy(v->text[v->n], token.p, token.n);
  v->tokens[v->n] = (ho_str){v->text[v->n], token.n};
  v->n++;
}

/* Letters, and then what two tokens make together, as training would; and some that cannot be reached. */
static void make_vocabulary(vocabulary *v, size_t letters)
{
  ho_error err = {0};
  *v = (vocabulary){0};
  for (size_t i = 0; i < letters; i++)
    add(v, (ho_str){&"abcd"[i], 1});
  for (int tries = 0; tries < 2000 && v->n < TOKENS; tries++) {
    ho_str a = v->tokens[below(v->n)], b = v->tokens[below(v->n)];
    char joined[64];
    memcpy(joined, a.p, a.n);
    memcpy(joined + a.n, b.p, b.n);
    add(v, (ho_str){joined, a.n + b.n});
  }
  ho_buf_init(&v->bytes, 0);
  assert_int_equal(ho_image_write(&v->bytes, v->tokens, v->n, &err), HO_OK);
  assert_true(ho_image_read(&v->image, v->bytes.p, v->bytes.n));
}

static size_t rank_of(const vocabulary *v, ho_str token)
{
  for (size_t i = 0; i < v->n; i++)
    if (ho_str_eq(v->tokens[i], token))
      return i;
  return HO_NONE;
}

/* The definition, word by word. */
static size_t merge_plainly(const vocabulary *v, ho_str piece)
{
  static size_t from[8192];
  size_t parts = piece.n;
  if (rank_of(v, piece) != HO_NONE)
    return 1;
  for (size_t i = 0; i <= parts; i++)
    from[i] = i;
  for (;;) {
    size_t low = HO_NONE, at = 0;
    for (size_t i = 0; i + 1 < parts; i++) {
      size_t length = from[i + 2] - from[i];
      size_t rank = length < 32 ? rank_of(v, (ho_str){piece.p + from[i], length}) : HO_NONE;
      if (rank < low) {
        low = rank;
        at = i;
      }
    }
    if (low == HO_NONE)
      return parts;
    memmove(from + at + 1, from + at + 2, (parts - at - 1) * sizeof *from);
    parts--;
  }
}

static void merges_as_defined(void **state)
{
  (void)state;
  static vocabulary v;
  char text[160];
  source.state = 1;
  for (int round = 0; round < 20; round++) {
    size_t letters = 1 + below(LETTERS);
    make_vocabulary(&v, letters);
    for (int piece = 0; piece < 12; piece++) {
      size_t n = 1 + below(sizeof text - 1);
      for (size_t i = 0; i < n; i++)
        text[i] = "abcd"[below(letters)];
      assert_int_equal(ho_tokens_merge(&v.image, (ho_str){text, n}), merge_plainly(&v, (ho_str){text, n}));
    }
    ho_buf_free(&v.bytes);
  }
}

static void merges_long_pieces_in_windows(void **state)
{
  (void)state;
  static vocabulary v;
  static char text[6000];
  source.state = 2;
  for (int round = 0; round < 4; round++) {
    size_t letters = 1 + (size_t)round;
    make_vocabulary(&v, letters);
    v.n = v.n > 24 ? 24 : v.n; /* the reference is slow */
    ho_buf_reset(&v.bytes);
    assert_int_equal(ho_image_write(&v.bytes, v.tokens, v.n, &(ho_error){0}), HO_OK);
    assert_true(ho_image_read(&v.image, v.bytes.p, v.bytes.n));
    size_t n = 2040 + below(700);
    for (size_t i = 0; i < n; i++)
      text[i] = "abcd"[below(letters)];
    assert_int_equal(ho_tokens_merge(&v.image, (ho_str){text, n}), merge_plainly(&v, (ho_str){text, n}));
    ho_buf_free(&v.bytes);
  }
}

/* ---- images ---- */

static void finds_tokens_of_all_lengths(void **state)
{
  (void)state;
  char text[HO_IMAGE_TOKEN_MAX + 1];
  ho_str tokens[HO_IMAGE_TOKEN_MAX];
  ho_buf bytes;
  ho_image image;
  memset(text, 0, sizeof text); /* zero bytes are bytes like others */
  for (size_t i = 0; i < HO_COUNT(tokens); i++)
    tokens[i] = (ho_str){text, i + 1};
  ho_buf_init(&bytes, 0);
  assert_int_equal(ho_image_write(&bytes, tokens, HO_COUNT(tokens), &(ho_error){0}), HO_OK);
  assert_true(ho_image_read(&image, bytes.p, bytes.n));
  for (size_t i = 0; i < HO_COUNT(tokens); i++)
    assert_int_equal(ho_image_rank(&image, text, i + 1, text + sizeof text), i);
  assert_int_equal(ho_image_rank(&image, text, sizeof text, text + sizeof text), HO_IMAGE_NO_RANK);
  assert_int_equal(ho_image_rank(&image, text, 0, text + sizeof text), HO_IMAGE_NO_RANK);
  text[0] = 1;
  for (size_t i = 1; i < HO_COUNT(tokens); i++)
    assert_int_equal(ho_image_rank(&image, text, i + 1, text + sizeof text), HO_IMAGE_NO_RANK);
  ho_buf_free(&bytes);
}

static void refuses_bad_vocabularies(void **state)
{
  (void)state;
  char text[HO_IMAGE_TOKEN_MAX + 1] = {0};
  ho_buf bytes;
  ho_buf_init(&bytes, 0);
  ho_str twice[] = {HO_STR("a"), HO_STR("b"), HO_STR("a")};
  ho_str empty[] = {HO_STR("a"), HO_EMPTY};
  ho_str longer[] = {{text, sizeof text}};
  assert_int_equal(ho_image_write(&bytes, twice, 3, &(ho_error){0}), HO_INVALID);
  assert_int_equal(ho_image_write(&bytes, empty, 2, &(ho_error){0}), HO_INVALID);
  assert_int_equal(ho_image_write(&bytes, longer, 1, &(ho_error){0}), HO_INVALID);
  assert_int_equal(ho_image_write(&bytes, twice, HO_IMAGE_NO_RANK, &(ho_error){0}), HO_INVALID);
  assert_int_equal(bytes.n, 0);
  ho_buf_free(&bytes);
}

static void survives_damaged_images(void **state)
{
  (void)state;
  static vocabulary v;
  char text[600];
  source.state = 3;
  make_vocabulary(&v, LETTERS);
  for (size_t i = 0; i < sizeof text; i++)
    text[i] = "abcd"[below(LETTERS)];
  for (size_t n = 0; n < 200; n++)
    assert_false(ho_image_read(&v.image, v.bytes.p, n));
  assert_false(ho_image_read(&v.image, v.bytes.p, v.bytes.n - 1));
  size_t body = sizeof(ho_image_header);
  for (size_t i = 0; i < body; i++) {
    v.bytes.p[i] ^= 1;
    assert_false(ho_image_read(&v.image, v.bytes.p, v.bytes.n));
    v.bytes.p[i] ^= 1;
  }
  size_t hash = body + 4 * 65536; /* behind the pairs */
  memset(v.bytes.p + body, 0xff, 4 * 65536 / 2);
  for (int round = 0; round < 2000; round++) {
    v.bytes.p[hash + below(v.bytes.n - hash)] = (char)below(256);
    assert_true(ho_image_read(&v.image, v.bytes.p, v.bytes.n));
    size_t count = ho_tokens_merge(&v.image, (ho_str){text, sizeof text});
    assert_true(count > 0 && count <= sizeof text);
  }
  ho_buf_free(&v.bytes);
}

/* ---- the interface ---- */

static void opens_and_counts(void **state)
{
  (void)state;
  char path[] = "/tmp/test_tokens.XXXXXX";
  close(mkstemp(path));
  ho_str tokens[] = {HO_STR("a"), HO_STR("b"), HO_STR("c"), HO_STR(" "), HO_STR("ab"), HO_STR("abc"), HO_STR(" abc")};
  ho_buf bytes;
  ho_error err = {0};
  ho_tokens *opened;
  ho_buf_init(&bytes, 0);
  assert_int_equal(ho_image_write(&bytes, tokens, HO_COUNT(tokens), &(ho_error){0}), HO_OK);
  file_write(path, "wb", ho_buf_str(&bytes));
  assert_int_equal(ho_tokens_open(&opened, path, &err), HO_OK);
  assert_string_equal(ho_tokens_name(opened), "o200k_base");
  assert_int_equal(ho_tokens_count(opened, HO_EMPTY), 0);
  assert_int_equal(ho_tokens_count(opened, HO_STR("abc abc")), 2);
  assert_int_equal(ho_tokens_count(opened, HO_STR("ababab cc")), 6);
  ho_tokens_close(opened);

  file_write(path, "wb", (ho_str){bytes.p, bytes.n - 1});
  assert_int_equal(ho_tokens_open(&opened, path, &err), HO_IO);
  assert_string_equal(err.file, path);
  file_write(path, "wb", HO_EMPTY);
  assert_int_equal(ho_tokens_open(&opened, path, &err), HO_IO);
  assert_int_equal(ho_tokens_open(&opened, "/tmp", &err), HO_IO);
  unlink(path);
  assert_int_equal(ho_tokens_open(&opened, path, &err), HO_NOT_FOUND);
  ho_buf_free(&bytes);
}

static void estimates_without_an_image(void **state)
{
  (void)state;
  assert_string_equal(ho_tokens_name(NULL), "bytes/4");
  assert_int_equal(ho_tokens_count(NULL, HO_EMPTY), 0);
  assert_int_equal(ho_tokens_count(NULL, HO_STR("a")), 1);
  assert_int_equal(ho_tokens_count(NULL, HO_STR("abcd")), 1);
  assert_int_equal(ho_tokens_count(NULL, HO_STR("abcde")), 2);
  ho_tokens_close(NULL);
}

#ifdef HO_FAULT
static void fails_cleanly_without_memory(void **state)
{
  (void)state;
  ho_str tokens[] = {HO_STR("a"), HO_STR("b")};
  ho_tokens *opened;
  bool fired = true;
  for (unsigned long n = 1; fired; n++) {
    ho_buf bytes;
    ho_buf_init(&bytes, 0);
    ho_fault_arm(n);
    ho_code code = ho_image_write(&bytes, tokens, 2, &(ho_error){0});
    fired = ho_fault_fired();
    assert_int_equal(code, fired ? HO_MEMORY : HO_OK);
    ho_buf_free(&bytes);
  }
  ho_fault_arm(1);
  assert_int_equal(ho_tokens_open(&opened, "/tmp", &(ho_error){0}), HO_MEMORY);
  ho_fault_arm(0);
}
#endif

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(splits_words),
      cmocka_unit_test(splits_around_marks),
      cmocka_unit_test(splits_numbers_and_signs),
      cmocka_unit_test(splits_white_space),
      cmocka_unit_test(splits_bytes_that_are_no_text),
      cmocka_unit_test(merges_as_defined),
      cmocka_unit_test(merges_long_pieces_in_windows),
      cmocka_unit_test(finds_tokens_of_all_lengths),
      cmocka_unit_test(refuses_bad_vocabularies),
      cmocka_unit_test(survives_damaged_images),
      cmocka_unit_test(opens_and_counts),
      cmocka_unit_test(estimates_without_an_image),
#ifdef HO_FAULT
      cmocka_unit_test(fails_cleanly_without_memory),
#endif
  };
  return unit_run(tests);
}
