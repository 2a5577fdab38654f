/* Secrets of several parts: web tokens, URLs, Basic. */
#include "model/secrets/secrets_inside.h"

static bool starts(const ho_secret_scan *scan, size_t at, const char *with)
{
  return ho_str_starts(ho_str_sub(scan->text, at, scan->text.n), with);
}

/* ---- Parts with dots between */

static bool is_dash(const ho_secret_scan *scan, size_t at)
{
  return at < scan->text.n && (ho_secret_class[(unsigned char)scan->text.p[at]] &
                               (HO_SECRET_ALNUM | HO_SECRET_UNDERSCORE | HO_SECRET_HYPHEN));
}

/* "eyJ" header "." payload "." signature; encrypted ones have five parts, of which the second may be empty. */
static size_t at_json_token(ho_secret_scan *scan, size_t at)
{
  size_t begin = at, end = at, parts = 0, empty = 0;
  while (parts < 5) {
    end = ho_secret_run(scan, begin, HO_SECRET_OF_DASH);
    if (end - begin < 8 && !(parts == 1 && end == begin))
      return at;
    empty += end == begin;
    parts++;
    if (end >= scan->text.n || scan->text.p[end] != '.' || (parts == 3 && !empty && !is_dash(scan, end + 1)))
      break;
    begin = end + 1;
  }
  return parts == 5 || (parts == 3 && !empty) ? end : at;
}

/* Tokens of Discord's bots: 24 to 28 "." 6 "." 27 and more. */
static size_t at_bot_token(ho_secret_scan *scan, size_t at)
{
  static const struct {
    size_t least, most;
  } sizes[] = {{24, 28}, {6, 6}, {27, 45}};
  size_t begin = at, end = at;
  if (at && strchr("._-", scan->text.p[at - 1]))
    return at;
  for (size_t i = 0; i < HO_COUNT(sizes); i++) {
    end = ho_secret_run(scan, begin, HO_SECRET_OF_DASH);
    if (end - begin < sizes[i].least || end - begin > sizes[i].most ||
        (i < 2 && (end >= scan->text.n || scan->text.p[end] != '.')))
      return at;
    begin = end + 1;
  }
  return ho_secret_random(ho_str_sub(scan->text, at, end), HO_SECRET_OF_TOKEN) ? end : at;
}

size_t ho_secret_at_web_token(ho_secret_scan *scan, size_t at)
{
  bool web = scan->text.p[at] == 'e';
  if (web && !starts(scan, at, "eyJ"))
    return at;
  size_t end = web ? at_json_token(scan, at) : at_bot_token(scan, at);
  ho_secret_add(scan, web ? "json-web-token" : "discord-token", at, end);
  return end;
}

/* Zhipu: 32 digits of hexadecimal "." 16. `at` points at the dot. */
size_t ho_secret_at_dot(ho_secret_scan *scan, size_t at)
{
  enum { ID = 32, SECRET = 16 };
  ho_str text = scan->text;
  if (at < ID || (at > ID && isalnum((unsigned char)text.p[at - ID - 1])))
    return at;
  size_t end = ho_secret_run(scan, at + 1, HO_SECRET_OF_ALNUM);
  ho_str id = ho_str_sub(text, at - ID, at), secret = ho_str_sub(text, at + 1, end);
  if (secret.n != SECRET || !ho_secret_scrambled(secret) || !ho_secret_random(id, HO_SECRET_OF_HEX) ||
      !ho_secret_all_of(id, HO_SECRET_DIGIT | HO_SECRET_HEX_LOWER))
    return at;
  ho_secret_add(scan, "zhipu-key", at - ID, end);
  return end;
}

/* Asana: 1/NUMBER:HEX, 2/NUMBER/NUMBER:HEX. `at` points at the slash. */
size_t ho_secret_at_numbered(ho_secret_scan *scan, size_t at)
{
  ho_str text = scan->text;
  size_t begin = at - (at > 0), end = at;
  if (!at || (text.p[begin] != '1' && text.p[begin] != '2') ||
      (begin && isalnum((unsigned char)text.p[begin - 1]) && !(begin > 1 && text.p[begin - 2] == '\\')))
    return at;
  for (int i = 0; i < text.p[begin] - '0'; i++) {
    size_t from = end + 1;
    if (text.p[end] != '/' || (end = ho_secret_run(scan, from, HO_SECRET_OF_DIGITS)) >= text.n || end - from < 10)
      return at;
  }
  size_t last = text.p[end] == ':' ? ho_secret_run(scan, end + 1, HO_SECRET_OF_HEX) : end;
  if (last - end != 33)
    return at;
  ho_secret_add(scan, "asana-token", begin, last);
  return last;
}

/* The password of a wireless network, as its QR code says it: WIFI:S:name;T:WPA;P:password;; */
size_t ho_secret_at_network(ho_secret_scan *scan, size_t at)
{
  ho_str rest = ho_str_sub(scan->text, at, at + 256);
  size_t field = ho_str_find(ho_str_sub(rest, 0, ho_str_line_end(rest)), ";P:");
  if (!ho_str_starts(rest, "WIFI:") || (field == HO_NONE && !ho_str_starts(rest, "WIFI:P:")))
    return at;
  size_t begin = field == HO_NONE ? 7 : field + 3, end = begin;
  while (end < rest.n && rest.p[end] != ';' && (unsigned char)rest.p[end] >= ' ')
    end += rest.p[end] == '\\' && end + 1 < rest.n ? 2 : 1;
  if (end <= begin || ho_secret_reference(ho_str_sub(rest, begin, end), 0))
    return at;
  ho_secret_add(scan, "password", at + begin, at + end);
  return at + end;
}

/* ---- scheme://USER:PASSWORD@host */

enum { LONGEST_USER = 512, LONGEST_TAIL = 64 };

/* The "@" that ends USER:PASSWORD, which begins at `at`; HO_NONE if there is none. Slashes and the like may be in a
 * password that nobody has escaped, if what stands before them is not a host and its port. */
static size_t user_end(ho_str text, size_t at, size_t *colon)
{
  size_t i = at, host = HO_NONE;
  for (; i < text.n && i - at < LONGEST_USER && text.p[i] != '@'; i++) {
    char c = text.p[i];
    if ((unsigned char)c <= ' ' || strchr("\"'`<>\\", c))
      return HO_NONE;
    if (c == ':' && *colon == HO_NONE)
      *colon = i;
    if (strchr("/?#", c) && host == HO_NONE)
      host = i;
    if ((host != HO_NONE && i - host > LONGEST_TAIL) || (c == ':' && ho_str_starts(ho_str_sub(text, i, text.n), "://")))
      return HO_NONE; /* another begins */
  }
  if (i >= text.n || text.p[i] != '@' || host == HO_NONE)
    return i < text.n && text.p[i] == '@' ? i : HO_NONE;
  if (*colon == HO_NONE || *colon > host || *colon == at)
    return HO_NONE;
  ho_str user = ho_str_sub(text, at, *colon), port = ho_str_sub(text, *colon + 1, host);
  bool named = ho_str_has(user, ".") || ho_str_is(user, "localhost");
  return named || ho_secret_all_of(port, HO_SECRET_DIGIT) ? HO_NONE : i;
}

/* What documents write: https://user:pass@example.com. */
static bool is_sample(ho_str password)
{
  static const char *const samples[] = {"pass", "password", "passwd", "pwd", "pw", "secret", "xyz", "abc", "123"};
  for (size_t i = 0; i < HO_COUNT(samples); i++)
    if (ho_str_is_nocase(password, samples[i]))
      return true;
  return false;
}

/* Both parts are taken, since a token may be in either. `at` points at "://". */
size_t ho_secret_at_url(ho_secret_scan *scan, size_t at)
{
  ho_str text = scan->text;
  size_t colon = HO_NONE, begin = at + 3;
  size_t end = starts(scan, at, "://") ? user_end(text, begin, &colon) : HO_NONE;
  if (end == HO_NONE)
    return at;
  ho_str user = ho_str_sub(text, begin, colon == HO_NONE ? end : colon);
  ho_str password = colon == HO_NONE ? user : ho_str_sub(text, colon + 1, end);
  bool token = user.n >= 20 && ho_secret_random(user, HO_SECRET_OF_DASH);
  if (colon == HO_NONE ? !token : !token && (password.n < 3 || is_sample(password) || ho_secret_stand_in(password)))
    return at;
  ho_secret_add(scan, "url-password", begin, end);
  return end;
}

/* ---- Basic NAME:PASSWORD in base64 */

size_t ho_secret_at_basic(ho_secret_scan *scan, size_t at)
{
  if (!ho_str_starts_nocase(ho_str_sub(scan->text, at, scan->text.n), "basic "))
    return at;
  size_t end = ho_secret_run(scan, at + 6, HO_SECRET_OF_BASE64);
  if (end - at < 6 + 8 || !ho_secret_base64_pair(ho_str_sub(scan->text, at + 6, end)))
    return at;
  ho_secret_add(scan, "basic-authorization", at + 6, end);
  return end;
}
