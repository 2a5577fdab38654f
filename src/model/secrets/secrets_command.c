/* Commands and statements that are given a password: by an option, behind certain words, or by a pipe. */
#include "model/secrets/secrets_inside.h"

enum { LONGEST_USER = 64, SHORTEST_PASSWORD = 3, LONGEST_NAME = 64, LONGEST_LINE = 256 };

/* ---- Options */

/* A program, the option behind which it takes a password, and how that stands there. */
typedef enum form {
  NEXT,  /* -p PASSWORD */
  GLUED, /* -pPASSWORD */
  BOTH   /* both are usual */
} form;
static const struct option {
  const char *program, *option;
  form form;
  char before; /* NAME:PASSWORD is given, with this between; 0: the password
                  alone */
} options[] = {
    {"curl", "-u", BOTH, ':'},
    {"curl", "--user", NEXT, ':'},
    {"curl", "-U", BOTH, ':'},
    {"curl", "--proxy-user", NEXT, ':'},
    {"ncftpput", "-p", NEXT, 0},
    {"ncftpget", "-p", NEXT, 0},
    {"psexec", "-p", NEXT, 0},
    {"http", "-a", NEXT, ':'},
    {"https", "-a", NEXT, ':'},
    {"mysql", "-p", GLUED, 0},
    {"mysqldump", "-p", GLUED, 0},
    {"mysqladmin", "-p", GLUED, 0},
    {"mariadb", "-p", GLUED, 0},
    {"sshpass", "-p", BOTH, 0},
    {"redis-cli", "-a", NEXT, 0},
    {"ldapsearch", "-w", NEXT, 0},
    {"ldapmodify", "-w", NEXT, 0},
    {"docker", "-p", NEXT, 0},
    {"podman", "-p", NEXT, 0},
    {"mongo", "-p", NEXT, 0},
    {"mongosh", "-p", NEXT, 0},
    {"cqlsh", "-p", NEXT, 0},
    {"cypher-shell", "-p", NEXT, 0},
    {"oc login", "-p", NEXT, 0},
    {"twine", "-p", NEXT, 0},
    {"gem push", "--key", NEXT, 0},
    {"nuget push", "-k", NEXT, 0},
    {"doctl auth init", "-t", NEXT, 0},
    {"sqlcmd", "-P", NEXT, 0},
    {"unzip", "-P", NEXT, 0},
    {"zip", "-P", NEXT, 0},
    {"7z", "-p", GLUED, 0},
    {"smbclient", "-U", NEXT, '%'},
    {"snmpwalk", "-c", NEXT, 0},
    {"az", "-p", NEXT, 0},
    {"keytool", "-storepass", NEXT, 0},
    {"keytool", "-keypass", NEXT, 0},
    {"ssh-keygen", "-N", NEXT, 0},
    {"ssh-keygen", "-P", NEXT, 0},
    {"gh secret", "--body", NEXT, 0},
    {"gh secret", "-b", BOTH, 0},
    {"openssl", "-pass", NEXT, ':'},
    {"openssl", "-passin", NEXT, ':'},
    {"openssl", "-passout", NEXT, ':'},
    {"openssl", "-k", NEXT, 0},
    {"openssl", "-K", NEXT, 0},
    {"ipmitool", "-P", NEXT, 0},
    {"useradd", "-p", NEXT, 0},
    {"usermod", "-p", NEXT, 0},
};

void ho_secret_note_program(ho_secret_scan *scan, size_t at)
{
  ho_str rest = ho_str_sub(scan->text, at, scan->text.n);
  for (size_t i = 0; i < HO_COUNT(options); i++) {
    if (rest.p[0] != options[i].program[0])
      continue;
    size_t n = strlen(options[i].program);
    if (rest.n > n && ho_str_is_space(rest.p[n]) && ho_str_starts(rest, options[i].program))
      scan->program = options[i].program;
  }
}

static size_t add(ho_secret_scan *scan, ho_str value)
{
  size_t begin = (size_t)(value.p - scan->text.p);
  ho_secret_add(scan, "password", begin, begin + value.n);
  return begin + value.n;
}

static bool is_password(ho_str value)
{
  return value.n >= SHORTEST_PASSWORD && !ho_secret_stand_in(value) &&
         !ho_secret_all_of(value, HO_SECRET_DIGIT | HO_SECRET_PATH);
}

/* The password that the option at `at` gives; empty if it gives none. */
static ho_str given(ho_secret_scan *scan, size_t at, const struct option *o)
{
  ho_secret_assignment a = {0};
  ho_str text = scan->text, rest = ho_str_sub(text, at, text.n);
  size_t n = strlen(o->option);
  if (rest.n <= n || !ho_str_starts(rest, o->option))
    return HO_EMPTY;
  bool glued = !ho_str_is_space(rest.p[n]) && rest.p[n] != '=';
  if (glued ? o->form == NEXT : o->form == GLUED)
    return HO_EMPTY;
  ho_str value = ho_secret_read_value(scan, at + n, &a);
  size_t user = o->before ? ho_str_find_char(ho_str_sub(value, 0, LONGEST_USER), o->before) : HO_NONE;
  if (o->before && (user == HO_NONE || ho_secret_all_of(value, HO_SECRET_DIGIT | HO_SECRET_PATH)))
    return HO_EMPTY;
  return ho_str_sub(value, o->before ? user + 1 : 0, value.n);
}

/* echo PASSWORD | program: what is piped into the command at `at`, behind `before` if that is not 0. */
static void take_piped(ho_secret_scan *scan, size_t at, char before)
{
  ho_str text = scan->text;
  size_t from = at > LONGEST_LINE ? at - LONGEST_LINE : 0;
  const char *newline = memrchr(text.p + from, '\n', at - from);
  ho_str line = ho_str_sub(text, newline ? (size_t)(newline - text.p) + 1 : from, at);
  size_t pipe = ho_str_find_char(line, '|'), echo = ho_str_find(line, "echo "), print = ho_str_find(line, "printf ");
  size_t begin = echo != HO_NONE ? echo + strlen("echo ") : print != HO_NONE ? print + strlen("printf ") : HO_NONE;
  if (pipe == HO_NONE || begin > pipe)
    return;
  ho_str value = ho_str_trim(ho_str_sub(line, begin, pipe));
  if (ho_str_starts(value, "-n "))
    value = ho_str_trim(ho_str_sub(value, 3, value.n));
  if (value.n > 2 && ho_secret_is_quote(value.p[0]) && value.p[value.n - 1] == value.p[0])
    value = ho_str_sub(value, 1, value.n - 1);
  size_t user = before ? ho_str_find_char(value, before) : HO_NONE;
  if (before)
    value = user == HO_NONE ? HO_EMPTY : ho_str_sub(value, user + 1, value.n);
  if (is_password(value) && ho_str_find_char(value, ' ') == HO_NONE)
    add(scan, value);
}

/* "--password VALUE", and the options of programs that take one. */
size_t ho_secret_at_option(ho_secret_scan *scan, size_t at)
{
  ho_str text = scan->text;
  if (at && !ho_str_is_space(text.p[at - 1]) && !ho_secret_is_quote(text.p[at - 1]) && text.p[at - 1] != '[')
    return at;
  size_t end = ho_secret_run(scan, at, HO_SECRET_OF_DASH);
  ho_str option = ho_str_sub(text, at, end);
  ho_secret_assignment a = {.key = option, .phrase = option};
  if (ho_str_is(option, "--password-stdin"))
    take_piped(scan, at, 0);
  if (ho_str_starts(option, "--") && end < text.n && (text.p[end] == ' ' || ho_secret_is_quote(text.p[end]))) {
    ho_str value = ho_secret_read_value(scan, end, &a), bare = ho_str_sub(option, 2, option.n);
    if (ho_secret_names_another(bare) && ho_secret_named(value) >= HO_SECRET_FAIR)
      ho_secret_note_name(scan, value, at);
    if (ho_secret_is_carrier(bare) && at < scan->name_until)
      a.key = a.phrase = option = scan->name;
    size_t taken = value.n && value.p[0] != '-' ? ho_secret_take(scan, &a, ho_secret_named(option), value) : 0;
    if (taken)
      return taken;
  }
  for (size_t i = 0; scan->program && i < HO_COUNT(options); i++) {
    ho_str value = strcmp(options[i].program, scan->program) ? HO_EMPTY : given(scan, at, &options[i]);
    if (is_password(value))
      return add(scan, value);
  }
  return at;
}

/* ---- Behind certain words */

typedef enum behind {
  NAME_AND_VALUE, /* ENV DB_PASSWORD value */
  VALUE,          /* IDENTIFIED BY 'value' */
  WORD,           /* vault login value */
  PROSE,          /* the password is value */
  USER_SLASH,     /* sqlplus user/value@host */
  NAME,           /* variable "db_password" {, whose default follows */
  STATEMENT,      /* ALTER USER user PASSWORD 'value' */
  METHOD,         /* IDENTIFIED WITH method BY 'value' */
  ROWS,           /* INSERT INTO t (name, password) VALUES ('name', 'value') */
  LAST_WORD,      /* htpasswd -b file user value */
  USER_AND_VALUE, /* net user user value */
  PIPED_PAIR,     /* echo user:value | chpasswd */
  PIPED           /* echo value | sudo -S */
} behind;
static const struct phrase {
  const char *words;
  behind behind;
} phrases[] = {
    {"ENV ", NAME_AND_VALUE},
    {"setx ", NAME_AND_VALUE},
    {"set -x ", NAME_AND_VALUE},
    {"set -gx ", NAME_AND_VALUE},
    {"setenv ", NAME_AND_VALUE},
    {"#define ", NAME_AND_VALUE},
    {"configure set ", NAME_AND_VALUE},
    {"IDENTIFIED BY ", VALUE},
    {"WITH PASSWORD ", VALUE},
    {"ENCRYPTED PASSWORD ", VALUE},
    {"ConvertTo-SecureString ", VALUE},
    {"vault login ", WORD},
    {"cargo login ", WORD},
    {"set-agent-token default ", WORD},
    {"poetry config pypi-token.pypi ", WORD},
    {"add-authtoken ", WORD},
    {"sqlplus ", USER_SLASH},
    {"jdbc:oracle:thin:", USER_SLASH},
    {"variable ", NAME},
    {"output ", NAME},
    {"ALTER USER ", STATEMENT},
    {"ALTER ROLE ", STATEMENT},
    {"ALTER LOGIN ", STATEMENT},
    {"CREATE USER ", STATEMENT},
    {"CREATE ROLE ", STATEMENT},
    {"CREATE LOGIN ", STATEMENT},
    {"IDENTIFIED WITH ", METHOD},
    {"INSERT INTO ", ROWS},
    {"htpasswd -", LAST_WORD},
    {"net user ", USER_AND_VALUE},
    {"rabbitmqctl add_user ", USER_AND_VALUE},
    {"rabbitmqctl change_password ", USER_AND_VALUE},
    {"chpasswd", PIPED_PAIR},
    {"passwd --stdin", PIPED},
    {"sudo -S", PIPED},
    {"sudo -kS", PIPED},
    {"password is ", PROSE},
    {"passphrase is ", PROSE},
    {"token is ", PROSE},
    {"secret is ", PROSE},
};

void ho_secret_command_begins(ho_secret_begins *begins)
{
  for (size_t i = 0; i < HO_COUNT(options); i++)
    ho_secret_note_begin(begins, options[i].program, false);
  for (size_t i = 0; i < HO_COUNT(phrases); i++)
    ho_secret_note_begin(begins, phrases[i].words, true);
}

/* The word from `at` on, without its quotes. */
static ho_str word_at(ho_str text, size_t at)
{
  at += at < text.n && ho_secret_is_quote(text.p[at]);
  size_t end = at;
  while (end < text.n && end - at < LONGEST_NAME && (isalnum((unsigned char)text.p[end]) || strchr("_-.", text.p[end])))
    end++;
  return ho_str_sub(text, at, end);
}

static size_t take_named(ho_secret_scan *scan, size_t at)
{
  ho_str name = word_at(scan->text, at);
  ho_secret_assignment a = {.key = name, .phrase = name};
  size_t end = at + name.n;
  if (end >= scan->text.n || scan->text.p[end] != ' ' || !ho_secret_named(name))
    return 0;
  return ho_secret_take(scan, &a, ho_secret_named(name), ho_secret_read_value(scan, end, &a));
}

static size_t take_value(ho_secret_scan *scan, size_t at, bool quoted)
{
  ho_secret_assignment a = {0};
  ho_str value = ho_secret_read_value(scan, at, &a);
  if (quoted)
    return a.quoted && value.p[-1] != '`' && is_password(value) ? add(scan, value) : 0;
  return is_password(value) && value.n > 15 && ho_secret_random(value, HO_SECRET_OF_DASH) ? add(scan, value) : 0;
}

static size_t take_in_prose(ho_secret_scan *scan, size_t at)
{
  ho_secret_assignment a = {.key = HO_STR("password"), .plain_colon = true};
  return ho_secret_take(scan, &a, HO_SECRET_FAIR, ho_secret_read_value(scan, at, &a));
}

static size_t take_behind_slash(ho_secret_scan *scan, size_t at)
{
  ho_secret_assignment a = {0};
  ho_str value = ho_secret_read_value(scan, at, &a);
  size_t slash = ho_str_find_char(ho_str_sub(value, 0, LONGEST_USER), '/');
  size_t host = ho_str_find_char(ho_str_sub(value, 0, LONGEST_LINE), '@');
  if (slash == HO_NONE || !slash || host == HO_NONE || host < slash)
    return 0;
  value = ho_str_sub(value, slash + 1, host);
  return is_password(value) ? add(scan, value) : 0;
}

/* The quoted value behind the word, before the statement's end. */
static size_t take_in_statement(ho_secret_scan *scan, size_t at, const char *word)
{
  size_t n = strlen(word);
  ho_str rest = ho_str_sub(scan->text, at, at + LONGEST_LINE);
  for (size_t i = 0; i + n < rest.n && rest.p[i] != ';'; i++)
    if ((rest.p[i] | 32) == (word[0] | 32) && ho_str_starts_nocase(ho_str_sub(rest, i, rest.n), word))
      return take_value(scan, at + i + n, true);
  return 0;
}

/* htpasswd -b… FILE USER PASSWORD: the last word, if the option says that it is the password. */
static size_t take_last_word(ho_secret_scan *scan, size_t at)
{
  ho_str line = ho_str_sub(scan->text, at, at + LONGEST_LINE), word, last = HO_EMPTY;
  size_t words = 0;
  line = ho_str_sub(line, 0, ho_str_line_end(line));
  bool given = ho_str_find_char(ho_str_sub(line, 0, ho_str_find_char(line, ' ')), 'b') != HO_NONE;
  while (given && ho_str_next(&line, ' ', &word) && !ho_str_is(word, "|") && !ho_str_is(word, "&&"))
    if (word.n) {
      last = word;
      words++;
    }
  ho_secret_assignment a = {0};
  ho_str value = words > 2 ? ho_secret_read_value(scan, (size_t)(last.p - scan->text.p), &a) : HO_EMPTY;
  return is_password(value) ? add(scan, value) : 0;
}

/* Prose may stand there too, so the value must not be a word. */
static size_t take_behind_user(ho_secret_scan *scan, size_t at)
{
  ho_str user = word_at(scan->text, at);
  size_t end = (size_t)(user.p - scan->text.p) + user.n;
  return user.n && end < scan->text.n && scan->text.p[end] == ' ' ? take_in_prose(scan, end + 1) : 0;
}

/* Are the words those that `text` begins with? Statements are written in any case. */
static bool begins(ho_str text, const struct phrase *p)
{
  if ((text.p[0] | 32) != (p->words[0] | 32))
    return false;
  bool statement = p->behind == VALUE || p->behind == STATEMENT || p->behind == METHOD || p->behind == ROWS;
  return statement ? ho_str_starts_nocase(text, p->words) : ho_str_starts(text, p->words);
}

size_t ho_secret_at_command(ho_secret_scan *scan, size_t at)
{
  ho_str rest = ho_str_sub(scan->text, at, scan->text.n);
  size_t i = 0, end = 0;
  while (i < HO_COUNT(phrases) && !begins(rest, &phrases[i]))
    i++;
  if (i == HO_COUNT(phrases))
    return at;
  size_t next = at + strlen(phrases[i].words);
  switch (phrases[i].behind) {
  case NAME_AND_VALUE:
    end = take_named(scan, next);
    break;
  case VALUE:
  case WORD:
    end = take_value(scan, next, phrases[i].behind == VALUE);
    break;
  case PROSE:
    end = take_in_prose(scan, next);
    break;
  case USER_SLASH:
    end = take_behind_slash(scan, next);
    break;
  case NAME:
    scan->name_until = 0;
    if (ho_secret_named(word_at(scan->text, next)) >= HO_SECRET_FAIR)
      ho_secret_note_name(scan, word_at(scan->text, next), at);
    break;
  case STATEMENT:
    end = take_in_statement(scan, next, "password ");
    break;
  case METHOD:
    end = take_in_statement(scan, next, " by ");
    break;
  case ROWS:
    ho_secret_rows(scan, next);
    break;
  case LAST_WORD:
    end = take_last_word(scan, next);
    break;
  case USER_AND_VALUE:
    end = take_behind_user(scan, next);
    break;
  case PIPED_PAIR:
  case PIPED:
    take_piped(scan, at, phrases[i].behind == PIPED_PAIR ? ':' : 0);
    break;
  }
  return end ? end : at;
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
