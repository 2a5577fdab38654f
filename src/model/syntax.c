#include "model/syntax.h"
#include "base/utf8.h"
#include "model/lex.h"

enum { LONGEST_NAME = 64 };

/* Only the form is checked: 31 February passes, here and in the patterns alike. */
#define MONTH "(0[1-9]|1[0-2])"
#define DAY "(0[1-9]|[12][0-9]|3[01])"
#define HOUR "([01][0-9]|2[0-3])"
#define SIXTY "[0-5][0-9]"
#define PATH_CHARACTER "[^\\x00-\\x1f\\x7f-\\x9f\\\\]"

static bool is_time(ho_str text)
{
  if (!ho_lex_number(&text, 4, 0, 9999, NULL) || !ho_lex_any(&text, "-") || !ho_lex_number(&text, 2, 1, 12, NULL) ||
      !ho_lex_any(&text, "-") || !ho_lex_number(&text, 2, 1, 31, NULL) || !ho_lex_any(&text, "T") ||
      !ho_lex_number(&text, 2, 0, 23, NULL) || !ho_lex_any(&text, ":") || !ho_lex_number(&text, 2, 0, 59, NULL) ||
      !ho_lex_any(&text, ":") || !ho_lex_number(&text, 2, 0, 59, NULL)) {
    return false;
  }
  if (ho_lex_any(&text, ".")) {
    size_t digits = ho_lex_digits(&text);
    if (digits < 1 || digits > 9) {
      return false;
    }
  }
  if (ho_lex_any(&text, "Z")) {
    return text.n == 0;
  }
  return ho_lex_any(&text, "+-") && ho_lex_number(&text, 2, 0, 23, NULL) && ho_lex_any(&text, ":") &&
         ho_lex_number(&text, 2, 0, 59, NULL) && text.n == 0;
}

static bool is_stamp(ho_str text)
{
  return ho_lex_number(&text, 4, 0, 9999, NULL) && ho_lex_number(&text, 2, 1, 12, NULL) &&
         ho_lex_number(&text, 2, 1, 31, NULL) && ho_lex_any(&text, "T") && ho_lex_number(&text, 2, 0, 23, NULL) &&
         ho_lex_number(&text, 2, 0, 59, NULL) && ho_lex_number(&text, 2, 0, 59, NULL) && ho_lex_any(&text, "Z") &&
         text.n == 0;
}

static bool is_some_time(ho_str text)
{
  char stamp[17];
  return ho_stamp_read(ho_str_trim(text), stamp, NULL);
}

/* A line number: no leading zero, at most nine digits. */
static bool scan_line(ho_str *text)
{
  if (ho_str_starts(*text, "0")) {
    return false;
  }
  size_t digits = ho_lex_digits(text);
  return digits >= 1 && digits <= 9;
}

static bool is_lines(ho_str text)
{
  return ho_str_is(text, "all") || (scan_line(&text) && ho_lex_any(&text, "-") && scan_line(&text) && text.n == 0);
}

/* One of "45", "L45", "45-67", "L45-L67", "45..67", "45:67", "45–67". */
static bool is_loose_range(ho_str text)
{
  static const char *const dashes[] = {"-", "\xe2\x80\x93", "..", ":"};
  ho_lex_any(&text, "Ll");
  if (!scan_line(&text)) {
    return false;
  }
  if (text.n == 0) {
    return true;
  }
  for (size_t i = 0; i < HO_COUNT(dashes); i++) {
    if (ho_lex_word(&text, dashes[i])) {
      ho_lex_any(&text, "Ll");
      return scan_line(&text) && text.n == 0;
    }
  }
  return false;
}

/* Ranges after an optional "line" or "lines", several of them separated by commas; "All". */
static bool is_loose_lines(ho_str text)
{
  text = ho_str_trim(text);
  if (ho_str_is_nocase(text, "all")) {
    return true;
  }
  if (ho_lex_word(&text, "line")) {
    ho_lex_any(&text, "sS");
    text = ho_str_trim(text);
  }
  ho_str range;
  bool any = false;
  while (ho_str_next(&text, ',', &range)) {
    if (!is_loose_range(ho_str_trim(range))) {
      return false;
    }
    any = true;
  }
  return any;
}

/* Words of lower-case letters and digits with one `joint` between them. */
static bool is_words(ho_str text, char joint)
{
  char before = joint;
  for (size_t i = 0; i < text.n; i++) {
    char c = text.p[i];
    bool letter = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (!letter && !(c == joint && before != joint)) {
      return false;
    }
    before = c;
  }
  return before != joint;
}

static bool is_tag(ho_str text)
{
  return is_words(text, '-');
}

static bool is_slug(ho_str text)
{
  return is_words(text, '_');
}

/* Can be turned into words: letters of any kind, with the separators that people use. */
static bool is_loose_words(ho_str text)
{
  bool any = false;
  for (size_t i = 0; i < text.n; i++) {
    unsigned char c = (unsigned char)text.p[i];
    if (isalnum(c) || c >= 0x80) {
      any = true;
    } else if (c == '\0' || !strchr("-_ ./:#+&", c)) {
      return false;
    }
  }
  return any;
}

/* Control characters: below U+0020, and U+007F to U+009F. */
static bool has_control(ho_str text)
{
  for (size_t i = 0; i < text.n; i++) {
    unsigned char c = (unsigned char)text.p[i];
    bool c1 = c == 0xc2 && i + 1 < text.n && (unsigned char)text.p[i + 1] < 0xa0;
    if (c < 0x20 || c == 0x7f || c1) {
      return true;
    }
  }
  return false;
}

/* "scheme://"; a drive letter counts as a scheme of one letter. */
static bool has_scheme(ho_str text)
{
  size_t n = 0;
  if (text.n == 0 || !isalpha((unsigned char)text.p[0])) {
    return false;
  }
  while (n < text.n && (isalnum((unsigned char)text.p[n]) || (text.p[n] != '\0' && strchr("+.-", text.p[n])))) {
    n++;
  }
  ho_str rest = ho_str_sub(text, n, text.n);
  return ho_str_starts(rest, "://") || (n == 1 && ho_str_starts(rest, ":"));
}

/* Walks a path name by name; "/" and "\" are both separators. *deepest is the lowest level reached relative to the
 * start, *ups the number of "..". */
static void walk_names(ho_str text, long *deepest, size_t *ups)
{
  long level = 0;
  size_t from = 0;
  *deepest = 0;
  *ups = 0;
  for (size_t i = 0; i <= text.n; i++) {
    if (i < text.n && text.p[i] != '/' && text.p[i] != '\\') {
      continue;
    }
    ho_str name = ho_str_sub(text, from, i);
    from = i + 1;
    if (ho_str_is(name, "..")) {
      level--;
      ++*ups;
    } else if (name.n > 0 && !ho_str_is(name, ".")) {
      level++;
    }
    *deepest = level < *deepest ? level : *deepest;
  }
}

/* Relative to the project's root, without control characters. */
static bool starts_inside(ho_str text)
{
  return text.n > 0 && !strchr("/\\~", text.p[0]) && !has_scheme(text) && !has_control(text);
}

static bool is_relative(ho_str text)
{
  long deepest;
  size_t ups;
  walk_names(text, &deepest, &ups);
  return starts_inside(text) && ups == 0 && ho_str_find_char(text, '\\') == HO_NONE;
}

/* Backslashes, and ".." that stays inside. */
static bool is_loose_relative(ho_str text)
{
  long deepest;
  size_t ups;
  walk_names(text, &deepest, &ups);
  return starts_inside(text) && deepest >= 0;
}

static bool is_absolute(ho_str text)
{
  bool drive = text.n >= 3 && isalpha((unsigned char)text.p[0]) && text.p[1] == ':' && strchr("/\\", text.p[2]);
  return (ho_str_starts(text, "/") || drive) && !has_control(text);
}

static bool is_any_path(ho_str text)
{
  return !ho_str_blank(text) && !has_control(text);
}

static bool is_one_line(ho_str text)
{
  return ho_str_find_char(text, '\n') == HO_NONE && ho_str_find_char(text, '\r') == HO_NONE;
}

/* Names stand in commands, environments and folders: nothing in them may need quoting. */
static bool is_name(ho_str text)
{
  for (size_t i = 0; i < text.n; i++)
    if (!isalnum((unsigned char)text.p[i]) && (text.p[i] == '\0' || !strchr("_./@-", text.p[i])))
      return false;
  return text.n > 0 && text.n <= LONGEST_NAME && !strchr("./-", text.p[0]) && !ho_str_has(text, "..");
}

/* Letters of any script, and spaces; nothing that cannot be seen, or passes for an arrow or a break between names. */
static bool is_loose_name(ho_str text)
{
  bool letters = false;
  for (size_t at = 0; at < text.n;) {
    uint32_t cp = ho_utf8_next(text, &at);
    bool letter = ho_utf8_letter(cp);
    if (!letter && (cp == 0 || cp >= 0x80 || !strchr("_./@- :+", (int)cp)))
      return false;
    letters |= letter;
  }
  return letters && ho_utf8_count(text) <= LONGEST_NAME && !strchr("./-", text.p[0]) && !ho_str_has(text, "..");
}

const ho_syntax ho_syntax_TIME = {
    .rule = {"time-form", HO_ERROR, "A time must be ISO 8601 with seconds and a time zone.",
             "Write it like 2026-02-12T14:30:22Z."},
    .expected = "expected a time like 2026-02-12T14:30:22Z",
    .pattern = "^[0-9]{4}-" MONTH "-" DAY "T" HOUR ":" SIXTY ":" SIXTY "(\\.[0-9]{1,9})?(Z|[+-]" HOUR ":" SIXTY ")$",
    .matches = is_time,
    .understood = is_some_time,
};

const ho_syntax ho_syntax_STAMP = {
    .rule = {"stamp-form", HO_ERROR, "A time stamp in a file name must have the form YYYYMMDDTHHMMSSZ.",
             "Write it like 20260212T143022Z."},
    .expected = "expected a time stamp YYYYMMDDTHHMMSSZ",
    .pattern = "^[0-9]{4}" MONTH DAY "T" HOUR SIXTY SIXTY "Z$",
    .matches = is_stamp,
    .understood = is_some_time,
};

const ho_syntax ho_syntax_LINES = {
    .rule = {"lines-range", HO_ERROR, "Lines must be a range N-M or the word all.", "Write it like 45-67, or all."},
    .expected = "expected N-M or all",
    .pattern = "^([1-9][0-9]{0,8}-[1-9][0-9]{0,8}|all)$",
    .matches = is_lines,
    .understood = is_loose_lines,
};

const ho_syntax ho_syntax_TAG = {
    .rule = {"tag-form", HO_ERROR, "A tag must be lower-case words joined by hyphens.",
             "Write it like error-handling."},
    .expected = "expected lower-case words joined by hyphens",
    .pattern = "^[a-z0-9]+(-[a-z0-9]+)*$",
    .matches = is_tag,
    .understood = is_loose_words,
};

const ho_syntax ho_syntax_RELATIVE = {
    .rule = {"path-relative", HO_ERROR, "A path must be relative to the project root and stay inside it.",
             "Use the path relative to the project root, without a leading '/' or '~' and without '..'."},
    .expected = "expected a path relative to the project root and inside it",
    .pattern = "^(?![/~]|[A-Za-z]:|[A-Za-z][A-Za-z0-9+.-]*://)(?!([^\\x00-\\x1f]*/)?\\.\\.(/|$))" PATH_CHARACTER "+$",
    .matches = is_relative,
    .understood = is_loose_relative,
};

const ho_syntax ho_syntax_ABSOLUTE = {
    .rule = {"path-absolute", HO_ERROR, "The path must be absolute.", "Use the full path from '/'."},
    .expected = "expected an absolute path",
    .pattern = "^(/|[A-Za-z]:[/\\\\])[^\\x00-\\x1f\\x7f-\\x9f]*$",
    .matches = is_absolute,
    .understood = is_any_path,
};

const ho_syntax ho_syntax_SLUG = {
    .rule = {"slug-form", HO_ERROR, "A slug must be lower-case words joined by underscores.",
             "Write it like prove_completeness."},
    .expected = "expected lower-case words joined by underscores",
    .pattern = "^[a-z0-9]+(_[a-z0-9]+)*$",
    .matches = is_slug,
    .understood = is_loose_words,
};

const ho_syntax ho_syntax_ONE_LINE = {
    .rule = {"one-line", HO_WARNING, "The text must be a single line.", "Remove the line breaks."},
    .expected = "expected a single line",
    .pattern = "^[^\\n\\r]*$",
    .matches = is_one_line,
};

const ho_syntax ho_syntax_NAME = {
    .rule = {"name-form", HO_ERROR, "A name must consist of letters, digits and . _ / @ -.",
             "Write it like reviewer or reviewer/2."},
    .expected = "expected a name of at most 64 letters, digits and the characters . _ / @ -",
    .pattern = "^(?![./-]|.*[.][.])[A-Za-z0-9_./@-]{1,64}$",
    .matches = is_name,
    .understood = is_loose_name,
};

const ho_syntax *const ho_syntaxes[] = {
    &ho_syntax_TIME,     &ho_syntax_STAMP, &ho_syntax_LINES,    &ho_syntax_TAG,  &ho_syntax_RELATIVE,
    &ho_syntax_ABSOLUTE, &ho_syntax_SLUG,  &ho_syntax_ONE_LINE, &ho_syntax_NAME, NULL,
};
