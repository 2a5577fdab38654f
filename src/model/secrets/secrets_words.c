/* Words: names that secrets are given, what is written instead of one, and what looks random. */
#include "model/secrets/secrets_inside.h"

#define D HO_SECRET_DIGIT
#define F HO_SECRET_HEX_UPPER
#define f HO_SECRET_HEX_LOWER
#define U HO_SECRET_REST_UPPER
#define l HO_SECRET_REST_LOWER
#define P HO_SECRET_PATH
#define V HO_SECRET_VALUE
#define Q HO_SECRET_QUOTED
#define ROW V, V, V, V, V, V, V, V, V, V, V, V, V, V, V, V
/* By ASCII; what is beyond belongs to values. Brackets end a path, and quotes, commas and the like end a value. */
/* clang-format off */
const uint16_t ho_secret_class[256] = {
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    Q, P, 0, P, P, P, HO_SECRET_AND, 0, V, Q, P, HO_SECRET_PLUS, Q, HO_SECRET_HYPHEN, HO_SECRET_DOT, HO_SECRET_PLUS,
    D, D, D, D, D, D, D, D, D, D, P, Q, V, HO_SECRET_EQUALS, V, P,
    P, F, F, F, F, F, F, U, U, U, U, U, U, U, U, U,
    U, U, U, U, U, U, U, U, U, U, U, V, V, Q, V, HO_SECRET_UNDERSCORE,
    0, f, f, f, f, f, f, l, l, l, l, l, l, l, l, l,
    l, l, l, l, l, l, l, l, l, l, l, V, V, Q, HO_SECRET_TILDE, 0,
    ROW, ROW, ROW, ROW, ROW, ROW, ROW, ROW,
};
/* clang-format on */
#undef D
#undef F
#undef f
#undef U
#undef l
#undef P
#undef V
#undef Q
#undef ROW

enum { LOOKED_AT = 48, LONGEST_NAME = 64, MOST_WORDS = 5 };

/* ---- Names */

/* Ends of names, written together; `alone` ones only count as a word of their own ("x_pwd", but not "cwpwd"). */
static const struct name {
  const char *end;
  ho_secret_strength strength;
  bool alone;
} names[] = {
    {"password", HO_SECRET_STRONG, false},
    {"passwd", HO_SECRET_STRONG, false},
    {"passwort", HO_SECRET_STRONG, false},
    {"passphrase", HO_SECRET_STRONG, false},
    {"pwd", HO_SECRET_STRONG, true},
    {"pswd", HO_SECRET_STRONG, true},
    {"secret", HO_SECRET_STRONG, true},
    {"secretkey", HO_SECRET_STRONG, false},
    {"secretid", HO_SECRET_WEAK, false},
    {"clientsecret", HO_SECRET_STRONG, false},
    {"secretkeybase", HO_SECRET_STRONG, false},
    {"apikey", HO_SECRET_STRONG, false},
    {"apisecret", HO_SECRET_STRONG, false},
    {"apitoken", HO_SECRET_STRONG, false},
    {"accesstoken", HO_SECRET_STRONG, false},
    {"authtoken", HO_SECRET_STRONG, false},
    {"refreshtoken", HO_SECRET_STRONG, false},
    {"bearertoken", HO_SECRET_STRONG, false},
    {"privatetoken", HO_SECRET_STRONG, false},
    {"jobtoken", HO_SECRET_STRONG, false},
    {"deploytoken", HO_SECRET_STRONG, false},
    {"vaulttoken", HO_SECRET_STRONG, false},
    {"sessiontoken", HO_SECRET_STRONG, false},
    {"privatekey", HO_SECRET_STRONG, false},
    {"accesskey", HO_SECRET_STRONG, false},
    {"secretaccesskey", HO_SECRET_STRONG, false},
    {"accountkey", HO_SECRET_STRONG, false},
    {"encryptionkey", HO_SECRET_STRONG, false},
    {"signingkey", HO_SECRET_STRONG, false},
    {"masterkey", HO_SECRET_STRONG, false},
    {"authkey", HO_SECRET_STRONG, true},
    {"licensekey", HO_SECRET_WEAK, false},
    {"subscriptionkey", HO_SECRET_STRONG, false},
    {"cookiesecret", HO_SECRET_STRONG, false},
    {"sastoken", HO_SECRET_STRONG, false},
    {"credential", HO_SECRET_WEAK, false},
    {"credentials", HO_SECRET_WEAK, false},
    {"passcode", HO_SECRET_STRONG, false},
    {"pass", HO_SECRET_WEAK, true},
    {"pw", HO_SECRET_WEAK, true},
    {"token", HO_SECRET_WEAK, true},
    {"auth", HO_SECRET_WEAK, true},
    {"authorization", HO_SECRET_WEAK, true},
    {"signature", HO_SECRET_WEAK, true},
    {"sig", HO_SECRET_WEAK, true},
};

ho_secret_strength ho_secret_named(ho_str key)
{
  char name[LONGEST_NAME + 1];
  bool begins[LONGEST_NAME + 1];
  size_t n = 0, from = key.n > LONGEST_NAME ? key.n - LONGEST_NAME : 0;
  bool word = true;
  if (!key.n || !strchr("dehlnstwyg", tolower((unsigned char)key.p[key.n - 1])))
    return HO_SECRET_NO_NAME; /* no name ends like this */
  for (size_t i = from; i < key.n; i++) {
    char c = key.p[i];
    if (!isalnum((unsigned char)c)) {
      word = true;
      continue;
    }
    begins[n] = word || (isupper((unsigned char)c) && i && islower((unsigned char)key.p[i - 1]));
    name[n++] = (char)tolower((unsigned char)c);
    word = false;
  }
  for (size_t i = 0; i < HO_COUNT(names); i++) {
    size_t end = strlen(names[i].end);
    if (n >= end && !memcmp(name + n - end, names[i].end, end) && (!names[i].alone || begins[n - end]))
      return names[i].strength;
  }
  return HO_SECRET_NO_NAME;
}

/* ---- What stands for a secret */

bool ho_secret_stand_in(ho_str value)
{
  static const char *const starts[] = {"$",    "{",           "<",          "[",      "*",       "%", "REDACTED",
                                       "env:", "process.env", "os.environ", "vault:", "secret:", "(", "..."};
  static const char *const parts[] = {"redacted", "example", "placeholder", "xxxx", "changeme", "your-",
                                      "your_",    "****",    "...",         "${",   "insert"};
  for (size_t i = 0; i < HO_COUNT(starts); i++)
    if (ho_str_starts(value, starts[i]))
      return true;
  if (ho_str_starts(value, "\xe2\x80\xa6") || ho_str_starts(value, "\xe2\x80\xa2"))
    return true;
  ho_str head = ho_str_sub(value, 0, LOOKED_AT * 2);
  for (size_t i = 0; i < HO_COUNT(parts); i++)
    if (ho_str_has_nocase(head, parts[i]))
      return true;
  return !ho_secret_scrambled(value) && ho_secret_has_plain_word(value);
}

/* Sorted. */
static const char *const plain_words[] = {
    "absent",
    "all",
    "always",
    "and",
    "any",
    "api",
    "argument",
    "async",
    "authentication",
    "authorization",
    "auto",
    "automatic",
    "available",
    "await",
    "basic",
    "bearer",
    "blacklist",
    "bool",
    "boolean",
    "budget",
    "bytes",
    "change",
    "changeme",
    "check",
    "checks",
    "cleartext",
    "client",
    "comparison",
    "complete",
    "completed",
    "config",
    "configured",
    "const",
    "context",
    "cookie",
    "count",
    "counting",
    "create",
    "credential",
    "credentials",
    "default",
    "delete",
    "disabled",
    "done",
    "dummy",
    "dynamic",
    "email",
    "empty",
    "enabled",
    "encrypted",
    "encryption",
    "env",
    "environment",
    "estimate",
    "example",
    "expiration",
    "expired",
    "expires",
    "expiry",
    "failed",
    "fake",
    "false",
    "fetch",
    "field",
    "file",
    "for",
    "forgot",
    "forgotten",
    "from",
    "function",
    "generated",
    "get",
    "given",
    "handling",
    "hash",
    "hashed",
    "hashing",
    "header",
    "here",
    "hidden",
    "httponly",
    "implemented",
    "import",
    "input",
    "integer",
    "interactive",
    "invalid",
    "jwt",
    "key",
    "keychain",
    "keyring",
    "keys",
    "leaked",
    "limit",
    "load",
    "localstorage",
    "login",
    "manager",
    "masked",
    "missing",
    "mock",
    "model",
    "must",
    "name",
    "needed",
    "never",
    "new",
    "nil",
    "no",
    "none",
    "not",
    "null",
    "number",
    "oauth",
    "object",
    "old",
    "only",
    "optional",
    "own",
    "param",
    "parameter",
    "params",
    "passed",
    "passwd",
    "password",
    "passwords",
    "path",
    "pending",
    "per",
    "placeholder",
    "plain",
    "plaintext",
    "policy",
    "present",
    "private",
    "prompt",
    "provided",
    "provider",
    "public",
    "random",
    "rate",
    "read",
    "redacted",
    "refresh",
    "removed",
    "request",
    "required",
    "reset",
    "response",
    "return",
    "revoked",
    "rotate",
    "rotated",
    "rotation",
    "same",
    "sample",
    "secret",
    "secrets",
    "see",
    "self",
    "server",
    "service",
    "session",
    "set",
    "shared",
    "should",
    "static",
    "storage",
    "stored",
    "str",
    "strength",
    "string",
    "stub",
    "supported",
    "system",
    "tbd",
    "temporary",
    "test",
    "testing",
    "text",
    "the",
    "this",
    "todo",
    "token",
    "tokens",
    "true",
    "type",
    "unavailable",
    "undefined",
    "unknown",
    "unset",
    "unsupported",
    "update",
    "usage",
    "user",
    "username",
    "using",
    "valid",
    "validation",
    "value",
    "values",
    "variable",
    "vault",
    "verification",
    "via",
    "window",
    "with",
    "working",
    "works",
    "yes",
};

static int by_word(const void *key, const void *item)
{
  const ho_str *word = key;
  const char *other = *(const char *const *)item;
  for (size_t i = 0; i < word->n; i++) {
    int difference = tolower((unsigned char)word->p[i]) - other[i];
    if (difference)
      return difference;
  }
  return other[word->n] ? -1 : 0;
}

bool ho_secret_has_plain_word(ho_str value)
{
  size_t from = 0, words = 0;
  for (size_t i = 0; i <= value.n && i < LOOKED_AT && words < MOST_WORDS; i++) {
    bool letter = i < value.n && isalpha((unsigned char)value.p[i]);
    bool hump = letter && i > from && isupper((unsigned char)value.p[i]) && islower((unsigned char)value.p[i - 1]);
    if (letter && !hump)
      continue;
    ho_str word = ho_str_sub(value, from, i);
    if (word.n > 2 && ++words && bsearch(&word, plain_words, HO_COUNT(plain_words), sizeof plain_words[0], by_word))
      return true;
    from = hump ? i : i + 1;
  }
  return false;
}

/* ---- What a generator could have made */

bool ho_secret_scrambled(ho_str value)
{
  unsigned changes = 0, letters = 0, before = 0;
  for (size_t i = 0; i < value.n && i < LOOKED_AT; i++) {
    unsigned classes = ho_secret_class[(unsigned char)value.p[i]];
    unsigned kind = classes & HO_SECRET_DIGIT ? 1 : classes & HO_SECRET_UPPER ? 2 : classes & HO_SECRET_LOWER ? 3 : 0;
    changes += kind && before && kind != before;
    letters += kind != 0;
    before = kind;
  }
  return letters >= 8 && changes * 3 > letters;
}

bool ho_secret_random(ho_str value, ho_secret_alphabet of)
{
  unsigned digits = 0, upper = 0, lower = 0, distinct = 0, runs = 0;
  uint64_t seen[4] = {0};
  for (size_t i = 0; i < value.n && i < LOOKED_AT; i++) {
    unsigned char c = (unsigned char)value.p[i];
    uint64_t bit = (uint64_t)1 << (c % 64);
    distinct += !(seen[c / 64] & bit);
    seen[c / 64] |= bit;
    digits += isdigit(c) != 0;
    upper += isupper(c) != 0;
    lower += islower(c) != 0;
    runs += i && (isupper(c) != 0) != (isupper((unsigned char)value.p[i - 1]) != 0);
  }
  if (distinct < 5 || ho_str_ends(value, "EXAMPLE") || ho_str_ends(value, "EXAMPLEKEY"))
    return false;
  if (of == HO_SECRET_OF_CAPS || of == HO_SECRET_OF_CAPS_DASH)
    return distinct > 5;
  if (of == HO_SECRET_OF_DIGITS)
    return true;
  return (digits && upper + lower) || (upper > 2 && lower > 2 && runs > 3);
}
