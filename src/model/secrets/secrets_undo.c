/* What hides a secret from readers of bytes, but not from people and programs: it is undone in a second text, whose
 * bytes know where they come from. Only lines in which there is something to undo are read again. */
#include "base/grow.h"
#include "model/secrets/secrets_inside.h"

/* ---- The second text */

/* A text that was changed, and where its bytes come from. */
typedef struct view_of_text {
  ho_buf text;
  struct piece {
    size_t at, begin, end; /* bytes from `at` on are begin..end of the original;
                              fewer bytes if something was decoded */
    bool changed;          /* something was left out before it, or decoded */
  } * pieces;
  size_t count, room; /* room: how many there were at most */
} view_of_text;

static void put_piece(view_of_text *view, ho_arena *arena, size_t begin, size_t end, bool changed)
{
  /* Those of an earlier text are used again. */
  struct piece *piece =
      view->count < view->room ? &view->pieces[view->count++] : HO_PUSH(arena, view->pieces, view->count);
  view->room = view->count > view->room ? view->count : view->room;
  if (piece)
    *piece = (struct piece){view->text.n, begin, end, changed};
}

static void put_range(view_of_text *view, ho_arena *arena, ho_str original, size_t begin, size_t end)
{
  struct piece *last = view->count ? &view->pieces[view->count - 1] : NULL;
  if (begin == end)
    return;
  if (last && last->end == begin && view->text.n - last->at == last->end - last->begin)
    last->end = end;
  else
    put_piece(view, arena, begin, end, last != NULL);
  ho_buf_put(&view->text, ho_str_sub(original, begin, end));
}

static void put_decoded(view_of_text *view, ho_arena *arena, char c, size_t begin, size_t end)
{
  put_piece(view, arena, begin, end, true);
  ho_buf_putc(&view->text, c);
}

/* The piece that byte `at` of the view is in. */
static size_t piece_at(const view_of_text *view, size_t at)
{
  size_t low = 0, high = view->count;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (view->pieces[middle].at <= at)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Where the secret that was found in the view stands in the original; false if nothing in it was undone. */
static bool original_of(const view_of_text *view, const ho_secret *found, ho_secret *out)
{
  size_t first = piece_at(view, found->begin), last = piece_at(view, found->end - 1);
  const struct piece *a = &view->pieces[first], *b = &view->pieces[last];
  bool decoded = a->end - a->begin > 1 && first == last && view->count > first + 1 &&
                 view->pieces[first + 1].at - a->at < a->end - a->begin;
  bool one = last + 1 < view->count ? view->pieces[last + 1].at == b->at + 1 : view->text.n == b->at + 1;
  *out = *found;
  out->begin = a->begin + (found->begin - a->at);
  out->end = one ? b->end : b->begin + (found->end - b->at);
  return first != last || decoded;
}

/* Two words that were joined are no password: only what is longer than words. */
static bool is_short(const ho_secret *found)
{
  return found->end - found->begin < 24 && !strcmp(found->shape, "password");
}

/* Adds the secrets of the view, as ranges of the original, and empties it; if `changed`, only those in which something
 * was undone. */
static void scan_view(view_of_text *view, ho_arena *arena, bool changed, ho_secret_list *out)
{
  ho_secret_list found = {0};
  ho_secret original;
  if (view->text.failed && !arena->failed)
    arena->failed = view->text.failed;
  if (view->count && !arena->failed)
    ho_secret_scan_text(ho_buf_str(&view->text), 0, arena, &found);
  for (size_t i = 0; i < found.count; i++) {
    bool undone = original_of(view, &found.items[i], &original);
    if (changed && (!undone || is_short(&found.items[i])))
      continue;
    ho_secret *added = HO_PUSH(arena, out->items, out->count);
    if (added)
      *added = original;
  }
  ho_buf_reset(&view->text);
  view->count = 0;
}

/* ---- Inside a line */

enum { LONGEST_COLOUR = 32 };

static bool is_token(ho_str text, size_t at)
{
  return at < text.n &&
         (ho_secret_class[(unsigned char)text.p[at]] & (HO_SECRET_ALNUM | HO_SECRET_UNDERSCORE | HO_SECRET_HYPHEN |
                                                        HO_SECRET_DOT | HO_SECRET_EQUALS | HO_SECRET_PLUS));
}

/* Is it a character that takes no room: joiners, marks of direction, soft hyphens, variation selectors, tags? */
static bool is_invisible(uint32_t c)
{
  return c == 0xad || c == 0x34f || c == 0x61c || c == 0x180e || (c >= 0x200b && c <= 0x200f) ||
         (c >= 0x202a && c <= 0x202e) || (c >= 0x2060 && c <= 0x206f) || (c >= 0xfe00 && c <= 0xfe0f) || c == 0xfeff ||
         (c >= 0xe0000 && c <= 0xe0fff);
}

/* A character beyond ASCII, of a text that need not be UTF-8; how long it is, 0 if it is none. */
static size_t read_point(ho_str rest, uint32_t *point)
{
  unsigned char first = (unsigned char)rest.p[0];
  size_t n = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : first >= 0xc2 ? 2 : 0;
  if (!n || n > rest.n)
    return 0;
  *point = first & (0xffu >> (n + 1));
  for (size_t i = 1; i < n; i++) {
    if (((unsigned char)rest.p[i] & 0xc0) != 0x80)
      return 0;
    *point = *point << 6 | ((unsigned char)rest.p[i] & 0x3f);
  }
  return n;
}

static uint32_t hex_of(ho_str digits)
{
  uint32_t value = 0;
  for (size_t i = 0; i < digits.n; i++) {
    if (!isxdigit((unsigned char)digits.p[i]))
      return 0;
    value = value * 16 +
            (uint32_t)(isdigit((unsigned char)digits.p[i]) ? digits.p[i] - '0' : (digits.p[i] | 32) - 'a' + 10);
  }
  return value;
}

/* &#95; or &#x5f; or &amp;; how long it is, 0 if it is none. */
static size_t entity(ho_str rest, uint32_t *c)
{
  size_t end = ho_str_find_char(ho_str_sub(rest, 0, 10), ';');
  uint64_t number = 0;
  if (end == HO_NONE)
    return 0;
  if (ho_str_starts(rest, "&amp;"))
    *c = '&';
  else if (ho_str_starts(rest, "&#x") || ho_str_starts(rest, "&#X"))
    *c = hex_of(ho_str_sub(rest, 3, end));
  else if (ho_str_starts(rest, "&#") && ho_str_to_u64(ho_str_sub(rest, 2, end), &number))
    *c = number < 127 ? (uint32_t)number : 0;
  return *c ? end + 1 : 0;
}

/* Emphasis, code marks and small tags between two bytes of a token; how long they are. */
static size_t markup(ho_str text, size_t at)
{
  size_t end = at;
  if (!at || !is_token(text, at - 1))
    return 0;
  if (text.p[at] == '<') {
    end = at + 1 + (at + 1 < text.n && text.p[at + 1] == '/');
    while (end < text.n && end - at < 9 && isalpha((unsigned char)text.p[end]))
      end++;
    end += end < text.n && text.p[end] == '/';
    if (end >= text.n || text.p[end] != '>')
      return 0;
    end++;
  } else {
    while (end < text.n && end - at < 3 && text.p[end] == text.p[at])
      end++;
    if (text.p[at] == '~' && end - at != 2)
      return 0;
  }
  return is_token(text, end) ? end - at : 0;
}

/* A colour of a terminal ("ESC [ 3 1 m"), also with its first byte written as an escape; how long it is. */
static size_t colour(ho_str rest)
{
  static const char *const begins[] = {"\x1b[", "\\u001b[", "\\u001B[", "\\x1b[", "\\x1B[", "\\033[", "\\e["};
  for (size_t i = 0; i < HO_COUNT(begins); i++) {
    size_t n = strlen(begins[i]);
    if (!ho_str_starts(rest, begins[i]))
      continue;
    while (n < rest.n && n < LONGEST_COLOUR &&
           (isdigit((unsigned char)rest.p[n]) || rest.p[n] == ';' || rest.p[n] == ':'))
      n++;
    return n < rest.n && (rest.p[n] == 'm' || rest.p[n] == 'K') ? n + 1 : 0;
  }
  return 0;
}

/* What is undone at `at`: how many bytes, and the byte that they stand for (*c, 0 for none). 0: nothing. */
static size_t undo_at(ho_str text, size_t at, uint32_t *c)
{
  ho_str rest = ho_str_sub(text, at, text.n);
  *c = 0;
  switch ((unsigned char)rest.p[0]) {
  case '%':
    *c = rest.n > 2 ? hex_of(ho_str_sub(rest, 1, 3)) : 0;
    return *c > ' ' && *c < 127 ? 3 : 0;
  case 0x1b:
    return colour(rest);
  case '\\':
    if (colour(rest))
      return colour(rest);
    if (rest.n > 5 && rest.p[1] == 'u')
      *c = hex_of(ho_str_sub(rest, 2, 6));
    else if (rest.n > 3 && rest.p[1] == 'x')
      *c = hex_of(ho_str_sub(rest, 2, 4));
    else
      return rest.n > 1 && strchr("_-.*~+/=:#&", rest.p[1]) && rest.p[1] ? 1 : 0;
    if (is_invisible(*c)) {
      *c = 0;
      return 6;
    }
    return *c > ' ' && *c < 127 ? (rest.p[1] == 'u' ? 6 : 4) : 0;
  case '&': {
    size_t n = entity(rest, c);
    return *c > ' ' && *c < 127 ? n : 0;
  }
  case '*':
  case '`':
  case '~':
  case '<':
    return markup(text, at);
  default:
    break;
  }
  uint32_t point = 0;
  size_t n = read_point(rest, &point);
  if (n && is_invisible(point))
    return n;
  *c = n && point >= 0xff01 && point <= 0xff5e ? point - 0xff01 + '!' : 0; /* letters of full width */
  return *c ? n : 0;
}

static bool may_hide(char c)
{
  return !(ho_secret_class[(unsigned char)c] & HO_SECRET_ALNUM) &&
         ((unsigned char)c >= 0x80 || c == 0x1b || c == '%' || c == '\\' || c == '&' || c == '*' || c == '`' ||
          c == '~' || c == '<');
}

/* The beginning of the next line from `begin` on in which something may be undone. */
static size_t next_to_undo(ho_str text, size_t begin)
{
  size_t at = begin;
  uint32_t c;
  while (at < text.n && !(may_hide(text.p[at]) && undo_at(text, at, &c))) {
    begin = text.p[at] == '\n' ? at + 1 : begin;
    at++;
  }
  return at < text.n ? begin : text.n;
}

/* Puts the line begin..end into the view, with what hides something undone; returns how often something was. */
static size_t undo_line(view_of_text *view, ho_arena *arena, ho_str text, size_t begin, size_t end)
{
  size_t from = begin, undone = 0;
  uint32_t c;
  for (size_t at = begin; at < end;) {
    size_t n = may_hide(text.p[at]) ? undo_at(text, at, &c) : 0;
    if (!n) {
      at++;
      continue;
    }
    put_range(view, arena, text, from, at);
    if (c)
      put_decoded(view, arena, (char)c, at, at + n);
    from = at += n;
    undone++;
  }
  put_range(view, arena, text, from, end);
  put_piece(view, arena, end, end, true);
  ho_buf_putc(&view->text, '\n');
  return undone;
}

/* Lines in which something is undone are read together, with the line below the last of them: a name may stand in one,
 * and its value in the other. */
void ho_secret_undo(ho_str text, ho_arena *arena, ho_secret_list *out)
{
  view_of_text view = {0};
  size_t begin = next_to_undo(text, 0);
  if (begin == text.n)
    return;
  ho_buf_init(&view.text, 0);
  while (begin < text.n) {
    const char *newline = memchr(text.p + begin, '\n', text.n - begin);
    size_t end = newline ? (size_t)(newline - text.p) : text.n;
    bool undone = undo_line(&view, arena, text, begin, end) > 0;
    begin = end + 1;
    if (!undone) {
      scan_view(&view, arena, false, out);
      begin = next_to_undo(text, begin);
    }
  }
  scan_view(&view, arena, false, out);
  ho_buf_free(&view.text);
}

/* ---- Over the end of a line */

enum { LOOK = 256, CONTEXT = 128, LONG_LINE = 40 };

/* Where the text before the line end at `newline` ends, if what follows could go on there: before "\" or "=" at the end
 * of the line, and before a quote that is opened again on the next one. */
static size_t left_end(ho_str text, size_t newline, bool *quoted)
{
  size_t end = newline;
  if (text.p[newline] == 'n')
    for (int i = 0; i < 3 && end && text.p[end - 1] == '\\'; i++)
      end--;
  if (end && text.p[end - 1] == '\r')
    end--;
  if (end && strchr("\\=", text.p[end - 1]) && !(text.p[end - 1] == '=' && end > 1 && text.p[end - 2] == '='))
    end--;
  size_t bare = end;
  while (bare && end - bare < 4 && strchr(" +.\\", text.p[bare - 1]))
    bare--;
  *quoted = bare && (text.p[bare - 1] == '"' || text.p[bare - 1] == '\'');
  return *quoted ? bare - 1 : end;
}

/* Where the text of the next line begins: behind indentation and marks of quotes and comments. */
static size_t right_begin(ho_str text, size_t newline, bool quoted)
{
  size_t at = newline + 1;
  while (at < text.n && at - newline < 64) {
    ho_str rest = ho_str_sub(text, at, text.n);
    bool continued = ho_str_starts(rest, "\\\n");
    /* Folded text in YAML ends a line by an empty one. */
    if (!continued && !ho_str_starts(rest, "\n  ") && !(strchr(" \t>#*|/+", rest.p[0]) && rest.p[0]))
      break;
    at += continued ? 2 : 1;
  }
  if (!quoted)
    return at;
  return at < text.n && (text.p[at] == '"' || text.p[at] == '\'') ? at + 1 : text.n;
}

static size_t token_begin(ho_str text, size_t end, size_t least)
{
  size_t at = end;
  while (at > least && end - at < LOOK && is_token(text, at - 1))
    at--;
  return at;
}

static size_t token_end(ho_str text, size_t begin)
{
  size_t at = begin;
  while (at < text.n && is_token(text, at))
    at++;
  return at;
}

/* Letters and digits in one word: no prose. */
static bool is_piece(ho_str word)
{
  bool digit = false, letter = false;
  for (size_t i = 0; i < word.n && i < LOOK; i++) {
    digit |= isdigit((unsigned char)word.p[i]) != 0;
    letter |= isalpha((unsigned char)word.p[i]) != 0;
  }
  return (digit && letter) || word.n >= LONG_LINE || ho_secret_scrambled(word);
}

/* A word in small letters that ends a line does not begin a token, unless it is part of something longer. */
static bool is_prose(ho_str text, size_t begin, size_t end)
{
  if (begin && !ho_str_is_space(text.p[begin - 1]))
    return false;
  end -= end > begin && text.p[end - 1] == '.';
  for (size_t i = begin; i < end; i++)
    if (!(i == begin ? isalpha((unsigned char)text.p[i]) : islower((unsigned char)text.p[i])))
      return false;
  return true;
}

/* Does the token that ends at `left` go on at `right`? */
static bool goes_on(ho_str text, size_t left, size_t left_begin, size_t right, size_t right_end)
{
  if (left == left_begin || right == right_end || is_prose(text, left_begin, left) ||
      (left - left_begin == 1 && !isalnum((unsigned char)text.p[left_begin])))
    return false;
  size_t word = right_end; /* some tokens have parts with these between */
  if (word < text.n && (text.p[word] == ':' || text.p[word] == '$'))
    word = token_end(text, word + 1);
  if (is_piece(ho_str_sub(text, right, word)))
    return true;
  bool ends_line = right_end >= text.n || strchr("\r\n\"'", text.p[right_end]);
  return left - left_begin >= LONG_LINE && ends_line && right_end - right < 100;
}

/* The next line end from `at` on, or the "n" of one that is written as an escape; the text's end if there is none. */
static size_t next_break(ho_str text, size_t at)
{
  while (at < text.n && text.p[at] != '\n' && !(text.p[at] == 'n' && at && text.p[at - 1] == '\\'))
    at++;
  return at;
}

void ho_secret_unfold(ho_str text, ho_arena *arena, ho_secret_list *out)
{
  view_of_text view = {0};
  size_t put = 0;  /* up to here it is in the view, if a token is going on */
  size_t line = 0; /* where the line begins that ends at `newline` */
  bool open = false;
  if (ho_str_find_char(text, '\n') == HO_NONE && ho_str_find_char(text, '\\') == HO_NONE)
    return;
  ho_buf_init(&view.text, 0);
  for (size_t newline = next_break(text, 0); newline < text.n; newline = next_break(text, newline + 1)) {
    bool quoted;
    size_t left = left_end(text, newline, &quoted), right = right_begin(text, newline, quoted);
    size_t left_begin = token_begin(text, left, 0), right_end = token_end(text, right);
    bool joins = goes_on(text, left, left_begin, right, right_end);
    /* Long lines are those of a block that was wrapped; a shorter piece may begin a token of its own. */
    if (open && (!joins || left != put || left - left_begin < LONG_LINE)) {
      scan_view(&view, arena, true, out);
      open = false;
    }
    size_t from = left > line + CONTEXT ? left - CONTEXT : line;
    line = newline + 1;
    if (!joins)
      continue;
    if (!open)
      put_range(&view, arena, text, from < left_begin ? from : left_begin, left);
    put = right_end;
    while (put < text.n && put - right_end < LOOK && (unsigned char)text.p[put] > ' ' && text.p[put] != '\\')
      put++; /* what the token stands in: the rest of a URL, but no other line */
    put_range(&view, arena, text, right, put);
    open = true;
  }
  scan_view(&view, arena, true, out);
  ho_buf_free(&view.text);
}
