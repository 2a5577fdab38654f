/* Private keys in armour: a line that begins the key, one that ends it, and its material between them.
 *
 * Material is known by what it is, not by where it stands: a run of base64 among runs of the same width. Whatever stands
 * around it (the time of a log, the name of a file, markup, a statement of a program) is its carrier, and is about as
 * long in each line: a run that is much further away is somebody else's. All from the first line to the last is one
 * secret. If the line that begins the key is missing, the one that ends it gives it away, or several lines as wide as
 * armour has them, unless they are known to be something else. */
#include "model/secrets/secrets_inside.h"

enum {
  LONGEST_LABEL = 40,
  LONGEST_MAC = 96,
  MOST_DASHES = 8,
  SHORTEST_LINE = HO_SECRET_SHORTEST_LINE,
  SHORTEST_END = HO_SECRET_SHORTEST_RUN, /* if it is padded */
  LONGEST_LINE = 80,
  SLACK = 6,          /* what stands right before a run may look like it, such as the rest of an escape */
  FIRST_REACH = 1024, /* how far behind the first line the material may begin */
  CARRIER = 256,      /* how long one may be if no other is known */
  USUAL_LINE = 64,    /* armour has 64, 70 or 76; a carrier may add to it */
  LEAST_LINES = 3,    /* without a first line and a last */
  MOST_LINES = 200,   /* more of them are no key, but a file */
  LOOKED_BACK = 256
};

/* ---- Its first line and its last */

typedef struct mark {
  size_t end;   /* behind the line; 0: this is no mark */
  bool begins;  /* or it ends a block */
  bool private; /* of a key, not of a certificate or the like */
  bool hex;
} mark;

static bool is_label(char c)
{
  return isalnum((unsigned char)c) || (c && strchr(" +_%", c));
}

/* The lines of PuTTY that announce the material, and that follow it. */
static mark putty_mark(ho_str rest, size_t at)
{
  static const char begin[] = "Private-Lines: ", end[] = "Private-MAC: ";
  mark m = {.begins = ho_str_starts(rest, begin), .private = true};
  if (!m.begins && !ho_str_starts(rest, end))
    return (mark){0};
  size_t n = (m.begins ? sizeof begin : sizeof end) - 1;
  while (n < rest.n && n < LONGEST_MAC && isalnum((unsigned char)rest.p[n]))
    n++;
  m.end = at + n;
  return m;
}

/* "BEGIN … PRIVATE KEY" at `at`, whatever stands around it; other blocks only behind dashes. */
static mark mark_at(ho_str text, size_t at)
{
  ho_str rest = ho_str_sub(text, at, text.n);
  mark m = {.begins = ho_str_starts_nocase(rest, "BEGIN")};
  size_t n = m.begins ? 5 : 3, from = n;
  bool dashes = at && (text.p[at - 1] == '-' || (at > 1 && text.p[at - 1] == ' ' && text.p[at - 2] == '-'));
  if ((!m.begins && !ho_str_starts_nocase(rest, "END")) || n >= rest.n || !rest.p[n] || !strchr(" +_%", rest.p[n]) ||
      (!dashes && rest.p[1] != (m.begins ? 'E' : 'N')))
    return putty_mark(rest, at);
  while (n < rest.n && n - from < LONGEST_LABEL && is_label(rest.p[n]))
    n++;
  ho_str label = ho_str_sub(rest, from, n);
  m.hex = ho_str_has_nocase(label, "OpenVPN");
  m.private = m.hex || (ho_str_has_nocase(label, "KEY") &&
                        (ho_str_has_nocase(label, "PRIVATE") || ho_str_has_nocase(label, "SECRET")));
  for (size_t most = n + MOST_DASHES; n < rest.n && n < most && rest.p[n] == '-';)
    n++;
  m.end = m.private || dashes ? at + n : 0;
  return m;
}

/* The dashes before the word of a mark; the sign of a diff is not one of them. */
static size_t dashes_before(ho_str text, size_t at)
{
  size_t begin = at;
  begin -= begin > 1 && text.p[begin - 1] == ' ' && text.p[begin - 2] == '-';
  while (begin && at - begin < 5 && text.p[begin - 1] == '-')
    begin--;
  return text.p[begin] == '-' ? begin : at;
}

/* ---- The material */

typedef struct run {
  size_t begin, end;
  size_t width; /* how many signs of base64 it has */
  bool padded;
} run;

static bool is_material(char c)
{
  return ho_secret_class[(unsigned char)c] & (HO_SECRET_ALNUM | HO_SECRET_PLUS);
}

/* "+" or "/" at `at`, as JSON, HTML and URLs may write it: how long that is, 0 if there is none. */
static size_t sign_at(ho_str text, size_t at)
{
  static const char *const signs[] = {"\\/",   "\\u002f", "\\u002b", "%2f",    "%2b",  "&#43;",
                                      "&#47;", "&#x2b;",  "&#x2f;",  "&plus;", "&sol;"};
  ho_str rest = ho_str_sub(text, at, text.n);
  for (size_t i = 0; rest.n && strchr("\\%&", rest.p[0]) && i < HO_COUNT(signs); i++)
    if (ho_str_starts_nocase(rest, signs[i]))
      return strlen(signs[i]);
  return 0;
}

static run read_run(ho_str text, size_t at)
{
  run r = {.begin = at, .end = at};
  for (size_t n; r.end < text.n && (n = is_material(text.p[r.end]) ? 1 : sign_at(text, r.end)); r.width++)
    r.end += n;
  size_t behind = r.end;
  while (behind < text.n && behind - r.end < 2 && text.p[behind] == '=')
    behind++;
  r.padded = behind > r.end && (behind == text.n || !is_material(text.p[behind]));
  r.end = r.padded ? behind : r.end;
  return r;
}

/* Do letters of both cases and digits alternate as in no path, name or number? */
static bool is_dense(ho_str text, run r, bool hex)
{
  unsigned changes = 0, upper = 0, lower = 0, digits = 0, before = 0, n = 0;
  if (r.width < (r.padded ? SHORTEST_END : SHORTEST_LINE))
    return false;
  for (size_t i = r.begin; i < r.end && n < LONGEST_LINE; i++, n++) {
    unsigned classes = ho_secret_class[(unsigned char)text.p[i]];
    unsigned kind = classes & (HO_SECRET_UPPER | HO_SECRET_LOWER | HO_SECRET_DIGIT);
    kind = kind & HO_SECRET_UPPER ? HO_SECRET_UPPER : kind & HO_SECRET_LOWER ? HO_SECRET_LOWER : kind;
    changes += kind && before && kind != before;
    upper += kind == HO_SECRET_UPPER;
    lower += kind == HO_SECRET_LOWER;
    digits += kind == HO_SECRET_DIGIT;
    before = kind;
  }
  bool mixed = upper && lower && upper * 16 >= n && lower * 16 >= n && (digits || n < USUAL_LINE);
  return (mixed || hex) && changes * 4 > n;
}

typedef struct block {
  size_t begin;   /* of its first line of that width */
  size_t end;     /* of what is the key's */
  size_t width;   /* of its longest line, up to now */
  size_t carrier; /* the most that stood between two of them */
  size_t lines;   /* of that width */
  size_t runs;    /* of any kind, behind the first line */
  bool hex;
  bool shorter; /* the last line was */
  bool ended;   /* by its own last line */
  bool other;   /* it stopped at a line that begins or ends something else */
} block;

static size_t reach_of(const block *b)
{
  return b->width ? 2 * b->carrier + LONGEST_LINE : FIRST_REACH;
}

/* Takes the run if it is a line of the key; false if it shows that the key is over. The shorter a first line is, the
 * closer it must be to the line that begins the key. */
static bool take_run(block *b, ho_str text, run r)
{
  size_t gap = r.begin - b->end;
  bool shorter = r.width + SLACK<b->width, longer = r.width> b->width + SLACK;
  b->runs++;
  if (!is_dense(text, r, b->hex))
    return true;
  if (b->width && longer && r.width > LONGEST_LINE)
    return false;
  if ((shorter && b->shorter) || (!b->width && gap > r.width * r.width / 4))
    return true;
  if (!shorter) {
    b->begin = longer ? r.begin : b->begin;
    b->lines = longer ? 1 : b->lines + 1;
    b->width = longer ? r.width : b->width;
  }
  b->carrier = gap > b->carrier ? gap : b->carrier;
  b->shorter = shorter;
  b->end = r.end;
  return true;
}

/* Behind the backslashes at `at`, and the letter of an escape. */
static size_t skip_escape(ho_str text, size_t at)
{
  while (at < text.n && text.p[at] == '\\')
    at++;
  return at + (at < text.n && text.p[at] && strchr("nrt", text.p[at]));
}

/* Goes on from b->end for as long as there is material. */
static void follow(block *b, ho_str text)
{
  for (size_t at = b->end; at < text.n && at - b->end <= reach_of(b);) {
    if (!is_material(text.p[at]) && !sign_at(text, at)) {
      at = text.p[at] == '\\' ? skip_escape(text, at) : at + 1;
      continue;
    }
    mark m = mark_at(text, at);
    if (m.end) {
      b->ended = m.private && !m.begins;
      b->other = !m.private;
      b->end = b->ended && (b->width || b->runs == 1) ? m.end : b->end;
      return;
    }
    run r = read_run(text, at);
    if (!take_run(b, text, r))
      return;
    at = r.end;
  }
}

size_t ho_secret_key_lines(ho_str text, size_t begin, size_t end)
{
  block b = {.end = end, .width = end - begin, .lines = 1, .carrier = CARRIER};
  follow(&b, text);
  return b.end;
}

/* ---- Where it begins */

/* Nothing but what closes quotes and tags: the text was cut here. */
static bool is_cut(ho_str text, size_t at)
{
  while (at < text.n && !isalnum((unsigned char)text.p[at]))
    at = text.p[at] == '\\' ? skip_escape(text, at) : at + 1;
  return at >= text.n;
}

size_t ho_secret_at_block(ho_secret_scan *scan, size_t at)
{
  ho_str text = scan->text;
  mark m = mark_at(text, at);
  block b = {.end = m.end, .hex = m.hex};
  if (!m.end || !m.begins)
    return at;
  follow(&b, text);
  scan->lines_until = b.end;
  if (!m.private || (b.end == m.end && !is_cut(text, m.end)))
    return at;
  ho_secret_add(scan, "private-key", dashes_before(text, at), b.end);
  return b.end;
}

/* ---- Where its first line is missing */

/* What has lines of the same widths: public keys, certificates, digests, and files by their first bytes. */
static bool is_known(ho_str text, size_t begin)
{
  static const char *const others[] = {
      "base64",       "sha384", "X509Certificate", "SignatureValue", "ssh-",     "AAAAB3NzaC1", "AAAAC3NzaC1",
      "AAAAE2VjZHNh", "MIIBIj", "MIICIj",          "MIIBoj",         "MIGfMA0G", "MFkwEwYH",    "iVBORw0KGg",
      "/9j/4",        "R0lGOD", "UklGR",           "PHN2Z",          "PD94bW",   "JVBERi0",     "UEsDB",
      "H4sIA",        "AAABAA", "d09GM",           "d09GR",          "AGFzbQ",   "T2dnU",       "SUQz"};
  ho_str near = ho_str_sub(text, begin > LOOKED_BACK ? begin - LOOKED_BACK : 0, begin + SHORTEST_LINE);
  for (size_t i = 0; i < HO_COUNT(others); i++)
    if (ho_str_has(near, others[i]))
      return true;
  ho_str first = ho_str_sub(text, begin, begin + SHORTEST_LINE);
  size_t at = ho_str_find(first, "MII"); /* a certificate is a sequence of sequences */
  return at != HO_NONE && ho_str_is(ho_str_sub(first, at + 6, at + 8), "CC");
}

/* The longest run of material among what else the word at..end has before and behind it. The last of them may go on
 * behind the word: *until. */
static run longest_run(ho_str text, size_t at, size_t end, size_t *until)
{
  run longest = {.begin = at, .end = at};
  at += at && text.p[at - 1] == '\\';
  while (at < end) {
    run r = read_run(text, at);
    longest = r.width > longest.width ? r : longest;
    *until = r.end;
    at = r.end + 1;
  }
  return longest;
}

/* Is the word at..end too short for a line, whatever it consists of? Most are. */
static bool is_short(ho_str text, size_t at, size_t end)
{
  bool goes_on = end < text.n && sign_at(text, end);
  return !goes_on && end - at < (memchr(text.p + at, '=', end - at) ? SHORTEST_END : SHORTEST_LINE);
}

void ho_secret_at_lines(ho_secret_scan *scan, size_t at)
{
  ho_str text = scan->text;
  size_t end = at < scan->lines_until ? at : ho_secret_run(scan, at, HO_SECRET_OF_ANY64);
  if (is_short(text, at, end))
    return;
  run first = longest_run(text, at, end, &scan->lines_until);
  if (!is_dense(text, first, false))
    return;
  block b = {.begin = first.begin, .end = first.end, .width = first.width, .lines = 1, .carrier = CARRIER};
  follow(&b, text);
  scan->lines_until = b.end;
  bool usual = b.width >= USUAL_LINE && b.width <= LONGEST_LINE && b.lines >= LEAST_LINES && b.lines <= MOST_LINES;
  if (b.ended ? b.lines > 1 || b.width >= USUAL_LINE : usual && !b.other && !is_known(text, b.begin))
    ho_secret_add(scan, "private-key", b.ended ? first.begin : b.begin, b.end);
}
