/* Commands that are given a password: by an option of theirs, or by what is piped into them. */
#include "model/secrets/secrets_inside.h"

enum { LONGEST_USER = 64, SHORTEST_PASSWORD = 3 };

/* A program, the option behind which it takes a password, and how that stands there. */
typedef enum form {
  NEXT,  /* -p PASSWORD */
  GLUED, /* -pPASSWORD */
  PAIR   /* -u NAME:PASSWORD */
} form;
static const struct option {
  const char *program, *option;
  form form;
} options[] = {
    {"curl", "-u", PAIR},        {"curl", "--user", PAIR},   {"curl", "-U", PAIR},       {"curl", "--proxy-user", PAIR},
    {"http", "-a", PAIR},        {"https", "-a", PAIR},      {"mysql", "-p", GLUED},     {"mysqldump", "-p", GLUED},
    {"mysqladmin", "-p", GLUED}, {"mariadb", "-p", GLUED},   {"sshpass", "-p", GLUED},   {"sshpass", "-p", NEXT},
    {"redis-cli", "-a", NEXT},   {"ldapsearch", "-w", NEXT}, {"ldapmodify", "-w", NEXT}, {"docker", "-p", NEXT},
    {"podman", "-p", NEXT},      {"mongo", "-p", NEXT},      {"mongosh", "-p", NEXT},    {"sqlcmd", "-P", NEXT},
    {"unzip", "-P", NEXT},       {"smbclient", "-U", PAIR},  {"snmpwalk", "-c", NEXT},
};

void ho_secret_note_program(ho_secret_scan *scan, size_t at)
{
  if (!strchr("chmsrldpu", scan->text.p[at]))
    return;
  ho_str rest = ho_str_sub(scan->text, at, scan->text.n);
  for (size_t i = 0; i < HO_COUNT(options); i++) {
    size_t n = strlen(options[i].program);
    if (rest.n > n && ho_str_is_space(rest.p[n]) && ho_str_starts(rest, options[i].program))
      scan->program = options[i].program;
  }
}
/* The password that an option of this form gives, from `at` on; empty if it is none. */
static ho_str given(ho_secret_scan *scan, size_t at, size_t end, form how, ho_secret_assignment *a)
{
  ho_str text = scan->text;
  ho_str value = how == GLUED ? ho_str_sub(text, at + 2, ho_secret_run(scan, at, HO_SECRET_OF_VALUE))
                              : ho_secret_read_value(scan, end, a);
  if (how == PAIR) {
    size_t colon = ho_str_find_char(ho_str_sub(value, 0, LONGEST_USER), ':');
    if (colon == HO_NONE || ho_secret_all_of(value, HO_SECRET_DIGIT | HO_SECRET_PATH))
      return HO_EMPTY;
    value = ho_str_sub(value, colon + 1, value.n);
  }
  return value.n < SHORTEST_PASSWORD || ho_secret_stand_in(value) ||
                 ho_secret_all_of(value, HO_SECRET_DIGIT | HO_SECRET_PATH)
             ? HO_EMPTY
             : value;
}

size_t ho_secret_at_option(ho_secret_scan *scan, size_t at)
{
  ho_str text = scan->text;
  if (at && !ho_str_is_space(text.p[at - 1]) && !ho_secret_is_quote(text.p[at - 1]) && text.p[at - 1] != '[')
    return at;
  size_t end = ho_secret_run(scan, at, HO_SECRET_OF_DASH);
  ho_str option = ho_str_sub(text, at, end);
  ho_secret_assignment a = {.key = option, .phrase = option};
  if (ho_str_starts(option, "--") && end < text.n && (text.p[end] == ' ' || ho_secret_is_quote(text.p[end]))) {
    ho_str value = ho_secret_read_value(scan, end, &a);
    size_t taken = value.n && value.p[0] != '-' ? ho_secret_take(scan, &a, ho_secret_named(option), value) : 0;
    if (taken)
      return taken;
  }
  for (size_t i = 0; scan->program && i < HO_COUNT(options); i++) {
    const struct option *o = &options[i];
    if (strcmp(o->program, scan->program) ||
        !(o->form == GLUED ? ho_str_starts(option, o->option) && option.n > 2 : ho_str_is(option, o->option)))
      continue;
    ho_str value = given(scan, at, end, o->form, &a);
    if (!value.n)
      continue;
    size_t begin = (size_t)(value.p - text.p);
    ho_secret_add(scan, "password", begin, begin + value.n);
    return begin + value.n;
  }
  return at;
}

/* machine HOST login NAME password VALUE, on one line or several. */
size_t ho_secret_at_netrc(ho_secret_scan *scan, size_t at)
{
  static const char *const expected[] = {"machine", NULL, "login", NULL, "password"};
  ho_str rest = ho_str_sub(scan->text, at, at + 1024);
  size_t count = 0, i = 0;
  for (; i < rest.n && count < HO_COUNT(expected); i++) {
    size_t begin = i;
    while (i < rest.n && !ho_str_is_space(rest.p[i]) && i - begin < 256)
      i++;
    ho_str word = ho_str_sub(rest, begin, i);
    if (!word.n)
      continue;
    if (expected[count] && !ho_str_is(word, expected[count]))
      return at;
    count++;
  }
  if (count < HO_COUNT(expected))
    return at;
  ho_secret_assignment a = {0};
  ho_str value = ho_secret_read_value(scan, at + i, &a);
  if (value.n < SHORTEST_PASSWORD || ho_secret_stand_in(value))
    return at;
  size_t begin = (size_t)(value.p - scan->text.p);
  ho_secret_add(scan, "password", begin, begin + value.n);
  return begin + value.n;
}
