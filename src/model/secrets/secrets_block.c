/* Private keys in armour: the head, and the lines below it that are the key's own, with what stands before each of
 * them where a key is quoted: in a mail, a list, a diff, a program, a listing with line numbers.
 *
 * A key ends with its last line. If that is missing, its lines do not: they follow each other, are as long as the
 * first, and only the last is shorter. What comes after them is somebody else's, however much it looks like a key. */
#include "model/secrets/secrets_inside.h"

enum {
  LONGEST_HEAD = 80,
  SHORTEST_LINE = 16,
  SLACK = 3,
  MOST_MARKS = 64,
  MOST_DASHES = 8,
  MOST_HEADS = 16,
  MOST_OWED = 400
};

static bool starts(const ho_secret_scan *scan, size_t at, const char *with)
{
  return ho_str_starts(ho_str_sub(scan->text, at, scan->text.n), with);
}

/* ---- Between two lines */

/* An escape at `at`, with as many backslashes as it takes in a text in a text: how long it is, 0 if there is none; *c
 * is its letter. */
static size_t escape_at(ho_str text, size_t at, char *c)
{
  size_t n = 0;
  while (n < MOST_DASHES && at + n < text.n && text.p[at + n] == '\\')
    n++;
  *c = n && at + n < text.n ? text.p[at + n] : 0;
  return *c ? n + 1 : 0;
}

/* A line end at `at`, also written as an escape or a tag: how long it is, 0 if there is none. */
static size_t break_at(ho_str text, size_t at)
{
  char c = 0;
  if (text.p[at] == '\n')
    return 1;
  if (text.p[at] == '<')
    return ho_str_starts(ho_str_sub(text, at, text.n), "<br>") ? 4 : 0;
  size_t n = escape_at(text, at, &c);
  return c == 'n' || c == '\n' ? n : 0;
}

/* The number of a line and what follows it ("12: ", "12\t", "12→"): how long they are, 0 if there is none. */
static size_t number_at(ho_str text, size_t at)
{
  size_t n = 0;
  while (n < 7 && at + n < text.n && isdigit((unsigned char)text.p[at + n]))
    n++;
  if (!n || at + n >= text.n)
    return 0;
  return strchr(":\t |).-\xe2\\", text.p[at + n]) && text.p[at + n] ? n : 0;
}

/* What may stand before a key's line: how long it is, 0 if there is nothing. */
static size_t mark_at(ho_str text, size_t at)
{
  char c = text.p[at], escaped = 0;
  if (c == '-')
    return at + 1 >= text.n || text.p[at + 1] != '-';
  if (c == '\\') {
    size_t n = escape_at(text, at, &escaped);
    return escaped == 't' || escaped == 'r' ? n : 1;
  }
  return c && strchr(" \t\r\"'`>#*|,+:;.)\xe2\x86\x92\x94\x82", c);
}

/* Behind line ends and what stands at the beginning of lines; *breaks is the number of line ends. */
static size_t next_line(ho_str text, size_t at, unsigned *breaks)
{
  size_t marks = 0, n;
  *breaks = 0;
  while (at < text.n && marks < MOST_MARKS) {
    if ((n = break_at(text, at))) {
      marks = 0;
      ++*breaks;
    } else if (*breaks && (n = number_at(text, at))) {
      marks += n;
    } else if ((n = mark_at(text, at))) {
      marks += n;
    } else {
      break;
    }
    at += n;
  }
  return at;
}

/* ---- Its first line and its last */

/* Behind "-----WORD" at `at`, with as many dashes as people write; 0 if that is not there. */
static size_t after_dashes(ho_str text, size_t at, const char *word)
{
  size_t n = 0;
  while (n <= MOST_DASHES && at + n < text.n && text.p[at + n] == '-')
    n++;
  if (n < 4 || n > MOST_DASHES)
    return 0;
  n += at + n < text.n && text.p[at + n] == ' ';
  return ho_str_starts_nocase(ho_str_sub(text, at + n, text.n), word) ? at + n + strlen(word) : 0;
}

/* The end of a line that goes on with "… -----" at `at`. */
static size_t dashes_end(ho_str text, size_t at)
{
  ho_str head = ho_str_sub(text, at, at + LONGEST_HEAD);
  size_t end = ho_str_find(ho_str_sub(head, 0, ho_str_line_end(head)), "----");
  if (end == HO_NONE)
    return at + ho_str_line_end(head);
  for (end += at; end < text.n && text.p[end] == '-';)
    end++;
  return end;
}

/* The rest of the line from `at` on, as far as heads are long. An escape may end it, and so may a quote, unless a
 * comment has it inside. */
static ho_str line_at(ho_str text, size_t at)
{
  ho_str line = ho_str_sub(text, at, at + LONGEST_HEAD);
  bool comment = ho_str_starts(line, "Comment:");
  size_t n = 0;
  line.n = ho_str_line_end(line);
  while (n < line.n && line.p[n] != '\\' &&
         !(line.p[n] == '"' && (!comment || n + 1 == line.n || strchr(",}]", line.p[n + 1]))))
    n++;
  return ho_str_sub(line, 0, n);
}

static size_t last_line(ho_str text, size_t at)
{
  size_t label = after_dashes(text, at, "END ");
  return label ? dashes_end(text, label) : 0;
}

/* ---- The lines between */

typedef struct block {
  size_t end;            /* of the last line that is the key's */
  size_t width;          /* of its first line; 0: none yet */
  unsigned lines, heads; /* heads: in a row */
  unsigned gap;          /* line ends between two lines */
  uint64_t owed;         /* that many lines are announced, whatever they look like */
  bool shorter;          /* the last line was: no other follows */
} block;

/* "Proc-Type: 4,ENCRYPTED" and the like: the end of that line, 0 if it is none. */
static size_t head_line(const ho_secret_scan *scan, size_t at, block *b)
{
  static const char *const heads[] = {
      "Proc-Type:",    "DEK-Info:",       "Version:",       "Comment:",       "Hash:",
      "Charset:",      "Encryption:",     "Private-Lines:", "Public-Lines:",  "Private-MAC:",
      "Private-Hash:", "Key-Derivation:", "Argon2-Memory:", "Argon2-Passes:", "Argon2-Parallelism:",
      "Argon2-Salt:"};
  size_t i = 0;
  while (i < HO_COUNT(heads) && !starts(scan, at, heads[i]))
    i++;
  if (i == HO_COUNT(heads) || ++b->heads > MOST_HEADS)
    return 0;
  ho_str line = line_at(scan->text, at);
  b->owed = 0;
  if (ho_str_ends(ho_str_of(heads[i]), "-Lines:") &&
      (!ho_str_to_u64(ho_str_trim(ho_str_sub(line, strlen(heads[i]), line.n)), &b->owed) || b->owed > MOST_OWED))
    b->owed = 0;
  b->width = 0;
  b->shorter = false;
  return at + line.n;
}

static bool is_key_line(ho_secret_scan *scan, const block *b, size_t at, size_t end)
{
  ho_str line = ho_str_sub(scan->text, at, end);
  unsigned breaks;
  size_t next = next_line(scan->text, end, &breaks);
  if (!line.n || (end < scan->text.n && scan->text.p[end] == '-' && !last_line(scan->text, end)))
    return false;
  if (b->owed || (next > end && last_line(scan->text, next)))
    return true;
  if (b->width && (line.n > b->width + SLACK || (b->shorter && line.p[0] != '=')))
    return false;
  return line.p[line.n - 1] == '=' || line.p[0] == '=' ||
         (line.n >= SHORTEST_LINE && ho_secret_random(line, HO_SECRET_OF_BASE64));
}

size_t ho_secret_key_lines(ho_secret_scan *scan, size_t from)
{
  block b = {.end = from};
  ho_str text = scan->text;
  for (;;) {
    unsigned breaks;
    size_t at = next_line(text, b.end, &breaks), end;
    if ((end = last_line(text, at)))
      return b.lines ? end : from;
    if (breaks > (b.lines > 1 && !b.heads ? b.gap : 3u))
      break;
    if ((end = head_line(scan, at, &b))) {
      b.end = end;
      continue;
    }
    end = ho_secret_run(scan, at, HO_SECRET_OF_BASE64);
    if (!is_key_line(scan, &b, at, end))
      break;
    b.gap = b.lines == 1 || b.heads ? (breaks ? breaks : 1) : b.gap;
    b.shorter = b.width && end - at + SLACK < b.width; /* a plus sign of its own may be taken for a mark */
    b.width = b.width ? b.width : end - at;
    b.owed -= b.owed > 0;
    b.heads = 0;
    b.lines++;
    b.end = end;
  }
  return b.lines ? b.end : from;
}

/* The head alone says nothing, unless the text ends with it. */
static size_t take_lines(ho_secret_scan *scan, size_t begin, size_t head_end)
{
  unsigned breaks;
  size_t end = ho_secret_key_lines(scan, head_end);
  return end > head_end || next_line(scan->text, head_end, &breaks) >= scan->text.n ? end : begin;
}

size_t ho_secret_at_block(ho_secret_scan *scan, size_t at)
{
  static const char *const labels[] = {"PRIVATE KEY", "OpenVPN ", "SECRET KEY"};
  ho_str text = scan->text;
  size_t end = at, begin = at,
         label = text.p[at] == '-' && !(at && text.p[at - 1] == '-') ? after_dashes(text, at, "BEGIN") : 0;
  if (label) {
    ho_str head = line_at(text, label);
    for (size_t i = 0; i < HO_COUNT(labels) && end == at; i++)
      if (ho_str_has_nocase(head, labels[i]))
        end = take_lines(scan, at, dashes_end(text, label));
    while (text.p[begin + 5] == '-')
      begin++; /* the mark of a diff is not the key's */
  } else if (starts(scan, at, "PuTTY-User-Key-File-")) {
    end = take_lines(scan, at, at + line_at(text, at).n);
  } else if (starts(scan, at, "Private-Lines: ")) {
    end = ho_secret_key_lines(scan, at);
  }
  if (end > at)
    ho_secret_add(scan, "private-key", begin, end);
  return end;
}
