/* Secrets of several parts: web tokens, URLs, Basic. */
#include "model/secrets/secrets_inside.h"

static bool starts(const ho_secret_scan *scan, size_t at, const char *with)
{
  return ho_str_starts(ho_str_sub(scan->text, at, scan->text.n), with);
}

/* ---- Parts with dots between */

/* "eyJ" header "." payload "." signature, and the tokens of Discord's bots: 24 to 28 "." 6 "." 27 and more. */
size_t ho_secret_at_web_token(ho_secret_scan *scan, size_t at)
{
  size_t ends[3], begin = at;
  bool web = starts(scan, at, "eyJ");
  if (!web && (scan->text.p[at] == 'e' || (at && strchr("._-", scan->text.p[at - 1]))))
    return at;
  for (int part = 0; part < 3; part++) {
    ends[part] = ho_secret_run(scan, begin, HO_SECRET_OF_DASH);
    if (part < 2 && (ends[part] >= scan->text.n || scan->text.p[ends[part]] != '.'))
      return at;
    if (web && ends[part] - begin < 8)
      return at;
    begin = ends[part] + 1;
  }
  size_t first = ends[0] - at, second = ends[1] - ends[0] - 1, third = ends[2] - ends[1] - 1;
  ho_str token = ho_str_sub(scan->text, at, ends[2]);
  if (!web && (first < 24 || first > 28 || second != 6 || third < 27 || third > 45 ||
               !ho_secret_random(token, HO_SECRET_OF_TOKEN)))
    return at;
  ho_secret_add(scan, web ? "json-web-token" : "discord-token", at, ends[2]);
  return ends[2];
}

/* ---- scheme://USER:PASSWORD@host */

enum { LONGEST_USER = 512 };

/* Both parts are taken, since a token may be in either. `at` points at "://". */
size_t ho_secret_at_url(ho_secret_scan *scan, size_t at)
{
  ho_str text = scan->text;
  size_t i = at + 3, colon = HO_NONE;
  if (!starts(scan, at, "://"))
    return at;
  for (; i < text.n && i - at < LONGEST_USER && !strchr(" \t\r\n/\"'`<>?#", text.p[i]) && text.p[i] != '@'; i++)
    if (text.p[i] == ':' && colon == HO_NONE)
      colon = i;
  if (i >= text.n || text.p[i] != '@')
    return at;
  ho_str user = ho_str_sub(text, at + 3, colon == HO_NONE ? i : colon);
  ho_str password = colon == HO_NONE ? user : ho_str_sub(text, colon + 1, i);
  bool token = user.n >= 20 && ho_secret_random(user, HO_SECRET_OF_DASH);
  if (colon == HO_NONE ? !token : !token && (password.n < 3 || ho_secret_stand_in(password)))
    return at;
  ho_secret_add(scan, "url-password", at + 3, i);
  return i;
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
