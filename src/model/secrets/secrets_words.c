/* Words: what is written instead of a secret, and what looks random. */
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

enum { LOOKED_AT = 48, RANDOM_AT = 96, MOST_WORDS = 5 };

/* ---- What stands for a secret */

/* $NAME, ${NAME}, $(command), %NAME%: not "$" before what no one would name like this. */
static bool is_variable(ho_str value)
{
  size_t n = 1;
  if (value.n > 1 && strchr("{([", value.p[1]))
    return true;
  while (n < value.n && (isalnum((unsigned char)value.p[n]) || value.p[n] == '_'))
    n++;
  return (n == value.n || strchr("/.:[(-{}%", value.p[n])) && !ho_secret_scrambled(ho_str_sub(value, 1, n));
}

bool ho_secret_reference(ho_str value, char next)
{
  static const char *const starts[] = {
      "REDACTED", "env:", "process.env", "os.environ", "vault:", "secret:", "...", "\xe2\x80\xa6", "\xe2\x80\xa2", "*"};
  char first = value.n ? value.p[0] : 0, last = value.n ? value.p[value.n - 1] : 0;
  for (size_t i = 0; i < HO_COUNT(starts); i++)
    if (ho_str_starts(value, starts[i]))
      return true;
  if (first == '$' || first == '%')
    return is_variable(value);
  const char *open = first ? strchr("{[(<", first) : NULL;
  if (!open)
    return false;
  char close = "}])>"[open - "{[(<"];
  if (first == '{' && value.n > 1 && value.p[1] != first)
    return !ho_secret_scrambled(value) && /* ODBC quotes with them: PWD={…} */
           (!ho_secret_random(value, HO_SECRET_OF_VALUE) || ho_secret_has_plain_word(value));
  return next == close || last == close || (value.n > 1 && value.p[1] == first) || !ho_secret_scrambled(value);
}

bool ho_secret_stand_in(ho_str value)
{
  static const char *const parts[] = {"redacted", "example", "placeholder", "xxxx", "changeme", "your-",
                                      "your_",    "****",    "...",         "${",   "insert"};
  if (ho_secret_reference(value, 0))
    return true;
  ho_str head = ho_str_sub(value, 0, LOOKED_AT * 2);
  for (size_t i = 0; i < HO_COUNT(parts); i++)
    if (ho_str_has_nocase(head, parts[i]))
      return true;
  return !ho_secret_scrambled(value) && ho_secret_has_plain_word(value);
}

bool ho_secret_algorithm(ho_str value)
{
  static const char *const names[] = {
      "sha1",      "sha224", "sha256",  "sha384", "sha512",  "md5",     "argon2",   "argon2i",  "argon2d",
      "argon2id",  "pbkdf2", "bcrypt",  "scrypt", "hs256",   "hs384",   "hs512",    "rs256",    "rs384",
      "rs512",     "es256",  "es384",   "es512",  "ps256",   "eddsa",   "ed25519",  "x25519",   "curve25519",
      "secp256k1", "aes128", "aes192",  "aes256", "rsa2048", "rsa4096", "chacha20", "poly1305", "base64",
      "base32",    "oauth2", "utf8",    "ascii",  "hmac",    "aes",     "rsa",      "gcm",      "cbc",
      "with",      "sha3",   "blake2b", "blake3", "x509",    "pkcs8",   "pkcs1",    "pkcs12",   "p256"};
  bool any = false;
  ho_str part;
  value = ho_str_sub(value, 0, LOOKED_AT);
  for (size_t begin = 0, end; begin < value.n; begin = end + 1) {
    for (end = begin; end < value.n && isalnum((unsigned char)value.p[end]);)
      end++;
    part = ho_str_sub(value, begin, end);
    bool number = part.n < 6, known = false;
    for (size_t i = 0; i < part.n; i++)
      number = number && isdigit((unsigned char)part.p[i]);
    for (size_t i = 0; i < HO_COUNT(names); i++)
      known |= ho_str_is_nocase(part, names[i]);
    if (!known && !number)
      return false;
    any |= known;
  }
  return any;
}

/* Sorted. */
static const char *const plain_words[] = {
    "absent",        "access",
    "account",       "admin",
    "after",         "all",
    "always",        "and",
    "any",           "api",
    "are",           "argument",
    "async",         "authentication",
    "authorization", "auto",
    "automatic",     "available",
    "await",         "basic",
    "bearer",        "before",
    "between",       "blacklist",
    "bool",          "boolean",
    "box",           "budget",
    "but",           "button",
    "bytes",         "call",
    "called",        "cannot",
    "case",          "change",
    "changeme",      "character",
    "characters",    "check",
    "checks",        "cleartext",
    "client",        "code",
    "column",        "command",
    "comparison",    "complete",
    "completed",     "config",
    "configured",    "const",
    "context",       "cookie",
    "count",         "counting",
    "create",        "credential",
    "credentials",   "database",
    "days",          "default",
    "delete",        "dialog",
    "digit",         "digits",
    "disabled",      "documentation",
    "done",          "dummy",
    "dynamic",       "each",
    "email",         "empty",
    "enabled",       "encrypted",
    "encryption",    "enter",
    "entered",       "enters",
    "entry",         "env",
    "environment",   "estimate",
    "every",         "example",
    "expiration",    "expired",
    "expires",       "expiry",
    "fail",          "failed",
    "fails",         "fake",
    "false",         "fetch",
    "field",         "fields",
    "file",          "flag",
    "flow",          "for",
    "forgot",        "forgotten",
    "form",          "forms",
    "from",          "function",
    "generated",     "get",
    "given",         "handling",
    "has",           "hash",
    "hashed",        "hashing",
    "have",          "header",
    "here",          "hidden",
    "hours",         "how",
    "httponly",      "implemented",
    "import",        "input",
    "instead",       "integer",
    "interactive",   "into",
    "invalid",       "its",
    "jwt",           "key",
    "keychain",      "keyring",
    "keys",          "leaked",
    "least",         "length",
    "letter",        "letters",
    "limit",         "line",
    "link",          "load",
    "localstorage",  "lock",
    "login",         "logs",
    "long",          "longer",
    "lowercase",     "mail",
    "management",    "manager",
    "mandatory",     "masked",
    "match",         "maximum",
    "may",           "message",
    "migration",     "minimum",
    "minutes",       "missing",
    "mock",          "model",
    "module",        "more",
    "most",          "must",
    "name",          "need",
    "needed",        "needs",
    "never",         "new",
    "nil",           "no",
    "none",          "not",
    "null",          "number",
    "oauth",         "object",
    "old",           "one",
    "only",          "option",
    "optional",      "our",
    "own",           "page",
    "param",         "parameter",
    "params",        "passed",
    "passphrase",    "passwd",
    "password",      "passwords",
    "path",          "pending",
    "per",           "permission",
    "placeholder",   "plain",
    "plaintext",     "policy",
    "present",       "print",
    "prints",        "private",
    "prompt",        "prompts",
    "protected",     "provided",
    "provider",      "public",
    "question",      "random",
    "rate",          "read",
    "recovery",      "redacted",
    "refresh",       "rejected",
    "removed",       "request",
    "required",      "requirements",
    "reset",         "response",
    "return",        "revoked",
    "rotate",        "rotated",
    "rotation",      "rule",
    "rules",         "same",
    "sample",        "screen",
    "secret",        "secrets",
    "security",      "see",
    "self",          "send",
    "sends",         "sent",
    "server",        "service",
    "session",       "set",
    "setting",       "settings",
    "shared",        "short",
    "should",        "shown",
    "shows",         "sign",
    "similar",       "some",
    "static",        "step",
    "storage",       "stored",
    "str",           "strength",
    "string",        "strong",
    "stub",          "support",
    "supported",     "symbol",
    "symbols",       "system",
    "table",         "tbd",
    "temporary",     "test",
    "testing",       "tests",
    "text",          "than",
    "that",          "the",
    "their",         "them",
    "then",          "they",
    "this",          "three",
    "todo",          "token",
    "tokens",        "true",
    "twelve",        "two",
    "type",          "typed",
    "typing",        "unavailable",
    "unchanged",     "undefined",
    "under",         "unknown",
    "unset",         "unsupported",
    "update",        "uppercase",
    "usage",         "user",
    "username",      "using",
    "valid",         "validation",
    "value",         "values",
    "variable",      "vault",
    "verification",  "via",
    "visible",       "was",
    "weak",          "web",
    "were",          "when",
    "where",         "which",
    "who",           "why",
    "will",          "window",
    "with",          "without",
    "word",          "words",
    "working",       "works",
    "wrong",         "yes",
    "you",           "your",
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
  for (size_t i = 0; i < value.n && i < RANDOM_AT; i++) {
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
