#include "model/secrets.h"

#include "base/buf.h"

enum { LONGEST_VALUE = 512 };

/* The bytes that the variable part of a shape consists of. */
typedef enum alphabet { UPPER_DIGIT, HEX, ALNUM, WORD, BASE64, TOKEN, URL_PATH } alphabet;

/* Shapes with a telltale beginning: the beginning, then `least` to `most` bytes of the alphabet, then any other byte
 * or the end of the text. A beginning that follows a letter does not count. */
typedef struct shape {
  const char *name;
  const char *begin;
  alphabet of;
  unsigned least, most; /* most 0: no limit */
} shape;

static const shape shapes[] = {
    {"aws-access-key", "AKIA", UPPER_DIGIT, 16, 16},
    {"aws-access-key", "ASIA", UPPER_DIGIT, 16, 16},
    {"aws-access-key", "AGPA", UPPER_DIGIT, 16, 16},
    {"aws-access-key", "AIDA", UPPER_DIGIT, 16, 16},
    {"aws-access-key", "AROA", UPPER_DIGIT, 16, 16},
    {"aws-access-key", "AIPA", UPPER_DIGIT, 16, 16},
    {"aws-access-key", "ANPA", UPPER_DIGIT, 16, 16},
    {"aws-access-key", "ANVA", UPPER_DIGIT, 16, 16},
    {"aws-access-key", "A3T", UPPER_DIGIT, 17, 17},
    {"github-token", "ghp_", WORD, 36, 255},
    {"github-token", "gho_", WORD, 36, 255},
    {"github-token", "ghu_", WORD, 36, 255},
    {"github-token", "ghs_", TOKEN, 36, 0},
    {"github-token", "ghr_", WORD, 36, 255},
    {"github-token", "github_pat_", WORD, 22, 255},
    {"gitlab-token", "glpat-", TOKEN, 20, 0},
    {"slack-token", "xoxb-", TOKEN, 10, 0},
    {"slack-token", "xoxp-", TOKEN, 10, 0},
    {"slack-token", "xoxa-", TOKEN, 10, 0},
    {"slack-token", "xoxr-", TOKEN, 10, 0},
    {"slack-token", "xoxo-", TOKEN, 10, 0},
    {"slack-token", "xoxs-", TOKEN, 10, 0},
    {"slack-token", "xoxe.", TOKEN, 10, 0},
    {"slack-token", "xoxe-", TOKEN, 10, 0},
    {"slack-token", "xapp-", TOKEN, 10, 0},
    {"slack-webhook", "https://hooks.slack.com/", URL_PATH, 20, 0},
    {"anthropic-key", "sk-ant-", TOKEN, 20, 0},
    {"openai-key", "sk-proj-", TOKEN, 20, 0},
    {"openai-key", "sk-svcacct-", TOKEN, 20, 0},
    {"openai-key", "sk-admin-", TOKEN, 20, 0},
    {"openai-key", "sk-", ALNUM, 20, 0},
    {"google-api-key", "AIza", TOKEN, 35, 0},
    {"google-oauth", "ya29.", TOKEN, 20, 0},
    {"google-oauth", "GOCSPX-", TOKEN, 20, 0},
    {"npm-token", "npm_", WORD, 36, 36},
    {"npm-token", "npm_", WORD, 40, 40},
    {"stripe-key", "sk_live_", ALNUM, 16, 0},
    {"stripe-key", "sk_test_", ALNUM, 16, 0},
    {"stripe-key", "rk_live_", ALNUM, 16, 0},
    {"stripe-key", "rk_test_", ALNUM, 16, 0},
    {"stripe-key", "whsec_", BASE64, 24, 0},
    {"sendgrid-key", "SG.", TOKEN, 40, 0},
    {"shopify-token", "shpat_", ALNUM, 32, 0},
    {"shopify-token", "shpss_", ALNUM, 32, 0},
    {"shopify-token", "shpca_", ALNUM, 32, 0},
    {"shopify-token", "shppa_", ALNUM, 32, 0},
    {"linear-key", "lin_api_", WORD, 32, 0},
    {"huggingface-token", "hf_", ALNUM, 30, 0},
    {"digitalocean-token", "dop_v1_", HEX, 64, 64},
    {"notion-token", "ntn_", ALNUM, 40, 0},
    {"notion-token", "secret_", ALNUM, 43, 43},
    {"figma-token", "figd_", TOKEN, 40, 0},
    {"groq-key", "gsk_", ALNUM, 40, 0},
    {"vercel-token", "vck_", ALNUM, 20, 0},
    {"vercel-token", "vcp_", ALNUM, 20, 0},
    {"vercel-token", "vci_", ALNUM, 20, 0},
    {"vercel-token", "vca_", ALNUM, 20, 0},
    {"vercel-token", "vcr_", ALNUM, 20, 0},
    {"cloudflare-token", "cfk_", ALNUM, 48, 48},
    {"cloudflare-token", "cfut_", ALNUM, 48, 48},
    {"cloudflare-token", "cfat_", ALNUM, 48, 48},
    {"tailscale-key", "tskey-", TOKEN, 24, 0},
    {"databricks-token", "dapi", HEX, 32, 32},
    {"docker-token", "dckr_pat_", TOKEN, 20, 0},
    {"pypi-token", "pypi-", TOKEN, 40, 0},
    {"1password-token", "ops_ey", BASE64, 40, 0},
    {"grafana-token", "glsa_", WORD, 32, 0},
    {"grafana-token", "glc_", BASE64, 32, 0},
    {"vault-token", "hvs.", TOKEN, 24, 0},
    {"vault-token", "hvb.", TOKEN, 24, 0},
    {"vault-token", "hvr.", TOKEN, 24, 0},
    {"age-key", "AGE-SECRET-KEY-1", UPPER_DIGIT, 58, 58},
    {"telegram-token", "bot_token=", TOKEN, 30, 0},
};

static bool in_alphabet(unsigned char c, alphabet of)
{
  switch (of) {
  case UPPER_DIGIT:
    return isupper(c) || isdigit(c);
  case HEX:
    return isxdigit(c);
  case ALNUM:
    return isalnum(c);
  case WORD:
    return isalnum(c) || c == '_';
  case BASE64:
    return isalnum(c) || c == '+' || c == '/' || c == '=';
  case TOKEN:
    return isalnum(c) || c == '_' || c == '-' || c == '.' || c == '=';
  case URL_PATH:
    return c > ' ' && c < 127 && !strchr("\"'`<>()[]{}|\\^", c);
  }
  return false;
}

static size_t run_of(ho_str text, size_t at, alphabet of)
{
  size_t n = 0;
  while (at + n < text.n && in_alphabet((unsigned char)text.p[at + n], of))
    n++;
  return n;
}

static bool match_shape(ho_str text, size_t at, const shape *s, ho_secret *out)
{
  ho_str rest = ho_str_sub(text, at, text.n);
  if (!ho_str_starts(rest, s->begin))
    return false;
  size_t start = at + strlen(s->begin), n = run_of(text, start, s->of);
  while (n && strchr(".=-", text.p[start + n - 1]) && s->of == TOKEN)
    n--; /* a full stop after a token is not part of it */
  if (n < s->least || (s->most && n > s->most))
    return false;
  *out = (ho_secret){s->name, at, start + n};
  return true;
}

/* "eyJ" header "." payload "." signature. */
static bool match_web_token(ho_str text, size_t at, ho_secret *out)
{
  size_t end = at;
  if (!ho_str_starts(ho_str_sub(text, at, text.n), "eyJ"))
    return false;
  for (int part = 0; part < 3; part++) {
    size_t n = 0;
    while (end + n < text.n && (isalnum((unsigned char)text.p[end + n]) || strchr("_-", text.p[end + n])))
      n++;
    if (n < 8 || (part < 2 && (end + n >= text.n || text.p[end + n] != '.')))
      return false;
    end += n + (part < 2);
  }
  *out = (ho_secret){"json-web-token", at, end};
  return true;
}

/* "-----BEGIN … PRIVATE KEY-----" to the matching END, or to the end of the text if it was cut off. */
static bool match_private_key(ho_str text, size_t at, ho_secret *out)
{
  ho_str rest = ho_str_sub(text, at, text.n), head = ho_str_sub(rest, 0, 80);
  size_t label = ho_str_find(head, "PRIVATE KEY");
  if (!ho_str_starts(rest, "-----BEGIN ") || label == HO_NONE ||
      ho_str_find_char(ho_str_sub(head, 0, label), '\n') != HO_NONE)
    return false;
  size_t end = ho_str_find(rest, "-----END "), after;
  if (end == HO_NONE) {
    *out = (ho_secret){"private-key", at, text.n};
    return true;
  }
  after = ho_str_find(ho_str_sub(rest, end + 9, rest.n), "-----");
  *out = (ho_secret){"private-key", at, after == HO_NONE ? text.n : at + end + 9 + after + 5};
  return true;
}

/* scheme://USER:PASSWORD@host. Both parts are taken, since a token may be in either. `at` points at "://". */
static bool match_url_password(ho_str text, size_t at, ho_secret *out)
{
  size_t i = at + 3, colon = HO_NONE;
  if (!ho_str_starts(ho_str_sub(text, at, text.n), "://"))
    return false;
  for (; i < text.n && i - at < 512 && !strchr(" \t\r\n/\"'`<>?#", text.p[i]) && text.p[i] != '@'; i++)
    if (text.p[i] == ':' && colon == HO_NONE)
      colon = i;
  if (colon == HO_NONE || i >= text.n || text.p[i] != '@' || i - colon < 4)
    return false;
  ho_str password = ho_str_sub(text, colon + 1, i);
  if (strchr("$<{[*%", password.p[0]) || ho_str_starts(password, "REDACTED"))
    return false;
  *out = (ho_secret){"url-password", at + 3, i};
  return true;
}

static bool match_bearer(ho_str text, size_t at, ho_secret *out)
{
  if (!ho_str_starts_nocase(ho_str_sub(text, at, text.n), "bearer "))
    return false;
  size_t n = run_of(text, at + 7, TOKEN), digits = 0;
  for (size_t i = 0; i < n; i++)
    digits += isdigit((unsigned char)text.p[at + 7 + i]) != 0;
  if (n < 20 || digits < 3)
    return false;
  *out = (ho_secret){"bearer-token", at + 7, at + 7 + n};
  return true;
}

/* Is the value a stand-in that people write instead of the secret itself? */
static bool tells_nothing(ho_str value)
{
  static const char *const starts[] = {"$",    "{",           "<",          "[",      "*",       "%", "REDACTED",
                                       "env:", "process.env", "os.environ", "vault:", "secret:", "(", "..."};
  for (size_t i = 0; i < HO_COUNT(starts); i++)
    if (ho_str_starts(value, starts[i]))
      return true;
  return ho_str_list_has_nocase(
      "null|none|true|false|required|optional|string|missing|redacted|changeme|example|expired|"
      "password|rotation|httponly|localstorage|undefined|invalid|unknown",
      value);
}

/* "MYSQL_ROOT_PASSWORD", "db.password": a word in front does not change what it is. */
static bool names_secret(ho_str key)
{
  static const char *const ends[] = {"password",   "passwd",       "secret",           "api_key",
                                     "apikey",     "access_token", "auth_token",       "authtoken",
                                     "secret_key", "private_key",  "secret_access_key"};
  for (size_t i = 0; i < HO_COUNT(ends); i++) {
    size_t n = strlen(ends[i]);
    if (key.n > n && strchr("_-.", key.p[key.n - n - 1]) &&
        ho_str_is_nocase(ho_str_sub(key, key.n - n, key.n), ends[i]))
      return true;
  }
  return false;
}

bool ho_secret_key(ho_str key, ho_str value)
{
  static const char *const keys =
      "password|passwd|pwd|secret|client_secret|clientsecret|api_key|apikey|api-key|"
      "access_token|auth_token|secret_key|private_key|aws_secret_access_key|secretaccesskey|"
      "access_key|accountkey|authtoken|_authtoken|token";
  bool mixed = false;
  value = ho_str_trim(value);
  if ((!ho_str_list_has_nocase(keys, key) && !names_secret(key)) || value.n < 8 || value.n > LONGEST_VALUE ||
      tells_nothing(value))
    return false;
  for (size_t i = 0; i < value.n; i++) {
    if ((unsigned char)value.p[i] <= ' ')
      return false;
    mixed |= !isalpha((unsigned char)value.p[i]);
  }
  return mixed;
}

/* key = value, key: value, "key": "value"; `at` points at the first byte of a key. */
static bool match_assignment(ho_str text, size_t at, ho_secret *out)
{
  size_t n = 0;
  while (at + n < text.n && n < 40 && (isalnum((unsigned char)text.p[at + n]) || strchr("_-", text.p[at + n])))
    n++;
  size_t i = at + n;
  while (i < text.n && strchr(" \t\"'", text.p[i]) && text.p[i])
    i++;
  if (n < 3 || i >= text.n || (text.p[i] != '=' && text.p[i] != ':'))
    return false;
  for (i++; i < text.n && strchr(" \t\"'=>", text.p[i]) && text.p[i];)
    i++;
  size_t end = i;
  while (end < text.n && end - i <= LONGEST_VALUE && (unsigned char)text.p[end] > ' ' &&
         !strchr("\"'`,;)}]", text.p[end]))
    end++;
  if (!ho_secret_key(ho_str_sub(text, at, at + n), ho_str_sub(text, i, end)))
    return false;
  *out = (ho_secret){"password", i, end};
  return true;
}

static bool word_starts(ho_str text, size_t at)
{
  return at == 0 || !(isalnum((unsigned char)text.p[at - 1]) || text.p[at - 1] == '_');
}

static bool match_at(ho_str text, size_t at, ho_secret *out)
{
  char c = text.p[at];
  if (c == '-' && match_private_key(text, at, out))
    return true;
  if (c == ':' && match_url_password(text, at, out))
    return true;
  if (!isalnum((unsigned char)c) || (at && isalpha((unsigned char)text.p[at - 1])))
    return false;
  for (size_t i = 0; i < HO_COUNT(shapes); i++)
    if (shapes[i].begin[0] == c && match_shape(text, at, &shapes[i], out))
      return true;
  if (match_web_token(text, at, out) || match_bearer(text, at, out))
    return true;
  return (word_starts(text, at) || text.p[at - 1] == '_') && match_assignment(text, at, out);
}

bool ho_secret_find(ho_str text, size_t from, ho_secret *out)
{
  for (size_t at = from; at < text.n; at++)
    if (match_at(text, at, out))
      return true;
  return false;
}

ho_str ho_secret_redact(ho_str text, ho_arena *arena, size_t *count)
{
  ho_secret secret;
  ho_buf out;
  size_t done = 0, found = 0;
  ho_buf_init(&out, 0);
  while (ho_secret_find(text, done, &secret)) {
    ho_buf_put(&out, ho_str_sub(text, done, secret.begin));
    ho_buf_printf(&out, "REDACTED-%s", secret.shape);
    done = secret.end;
    found++;
  }
  if (found) {
    ho_buf_put(&out, ho_str_sub(text, done, text.n));
    text = ho_arena_copy(arena, ho_buf_str(&out));
    if (out.failed && !arena->failed)
      arena->failed = out.failed;
  }
  ho_buf_free(&out);
  *count += found;
  return text;
}

const ho_node *ho_secret_in_tree(const ho_node *node, ho_secret *out)
{
  if (!node)
    return NULL;
  if (ho_secret_find(node->text, 0, out) || ho_secret_find(node->key, 0, out))
    return node;
  if (node->kind == HO_KIND_TEXT && ho_secret_key(node->key, node->text)) {
    *out = (ho_secret){"password", 0, node->text.n};
    return node;
  }
  HO_EACH_CONST (child, node) {
    const ho_node *hit = ho_secret_in_tree(child, out);
    if (hit)
      return hit;
  }
  return NULL;
}
