/* Secrets of several parts: armoured private keys, web tokens, URLs, Basic, and base64 that hides something. */
#include "model/secrets/secrets_inside.h"

/* ---- Private keys: the head, and as many of the next lines as look like a key's own */

enum { LONGEST_HEAD = 80, SHORTEST_LINE = 16 };

static bool starts(const ho_secret_scan *scan, size_t at, const char *with)
{
  return ho_str_starts(ho_str_sub(scan->text, at, scan->text.n), with);
}

/* Behind line ends, also written as \n, and what stands at the beginning of lines: indentation, quotes, comments. */
static size_t skip_breaks(const ho_secret_scan *scan, size_t at)
{
  ho_str text = scan->text;
  for (; at < text.n; at++) {
    if (text.p[at] == '\\' && at + 1 < text.n && strchr("nr\\\n", text.p[at + 1]))
      at++;
    else if (!ho_str_is_space(text.p[at]) && !strchr("\"'`>#*|,+", text.p[at]))
      break;
  }
  return at;
}

/* The end of a line "-----END … -----" or "-----BEGIN … -----" that begins at `at`. */
static size_t dashes_end(const ho_secret_scan *scan, size_t at)
{
  ho_str head = ho_str_sub(scan->text, at + 9, at + LONGEST_HEAD);
  size_t end = ho_str_find(ho_str_sub(head, 0, ho_str_line_end(head)), "----");
  if (end == HO_NONE)
    return at + 9 + ho_str_line_end(head);
  for (end += at + 9; end < scan->text.n && scan->text.p[end] == '-';)
    end++;
  return end;
}

static size_t line_end(const ho_secret_scan *scan, size_t at)
{
  return at + ho_str_line_end(ho_str_sub(scan->text, at, at + LONGEST_HEAD));
}

/* The end of the key's lines from `at` on; `last` is where the last of them ended. */
static size_t body_end(ho_secret_scan *scan, size_t last)
{
  static const char *const heads[] = {"Proc-Type:", "DEK-Info:",   "Version:",       "Comment:",     "Hash:",
                                      "Charset:",   "Encryption:", "Private-Lines:", "Public-Lines:"};
  for (;;) {
    size_t at = skip_breaks(scan, last), end = ho_secret_run(scan, at, HO_SECRET_OF_BASE64), head = 0;
    if (starts(scan, at, "-----END ") || starts(scan, at, "---- END "))
      return dashes_end(scan, at);
    while (head < HO_COUNT(heads) && !starts(scan, at, heads[head]))
      head++;
    if (head < HO_COUNT(heads)) {
      last = line_end(scan, at);
      continue;
    }
    ho_str line = ho_str_sub(scan->text, at, end);
    size_t next = skip_breaks(scan, end);
    bool closes = next > end && (starts(scan, next, "-----END ") || starts(scan, next, "---- END "));
    if (end == at || (end < scan->text.n && (ho_secret_class[(unsigned char)scan->text.p[end]] & HO_SECRET_HYPHEN) &&
                      !starts(scan, end, "-----END ")))
      return last;
    if (!closes && (line.n < SHORTEST_LINE || !ho_secret_random(line, HO_SECRET_OF_BASE64)) &&
        line.p[line.n - 1] != '=')
      return last;
    last = end;
  }
}

size_t ho_secret_at_block(ho_secret_scan *scan, size_t at)
{
  ho_str head = ho_str_sub(scan->text, at, at + LONGEST_HEAD);
  size_t label, end;
  if (ho_str_starts(head, "PuTTY-User-Key-File-") && head.n > 20 && isdigit((unsigned char)head.p[20])) {
    end = body_end(scan, line_end(scan, at));
  } else {
    head = ho_str_sub(head, 0, ho_str_line_end(head));
    label = ho_str_find(head, "PRIVATE KEY");
    if ((!ho_str_starts(head, "-----BEGIN") && !ho_str_starts(head, "---- BEGIN")) || label == HO_NONE)
      return at;
    end = body_end(scan, dashes_end(scan, at));
  }
  ho_secret_add(scan, "private-key", at, end);
  return end;
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
