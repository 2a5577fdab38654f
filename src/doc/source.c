#include "doc/source.h"

#include "base/limits.h"
#include "base/utf8.h"

#include "doc/rules.h"

static bool ends_line(ho_str text, size_t i)
{
  return text.p[i] == '\n' || (text.p[i] == '\r' && (i + 1 == text.n || text.p[i + 1] != '\n'));
}

/* The start of the line after the one with byte `at`, or HO_NONE. returns: whether the text contains any '\r'. */
static size_t next_line(ho_str text, size_t at, bool returns)
{
  if (!returns) {
    size_t end = ho_str_find_char(ho_str_sub(text, at, text.n), '\n');
    return end == HO_NONE ? HO_NONE : at + end + 1;
  }
  while (at < text.n && !ends_line(text, at))
    at++;
  return at < text.n ? at + 1 : HO_NONE;
}

static ho_code note_lines(ho_source *source, ho_arena *arena, ho_error *err)
{
  ho_str text = source->text;
  bool returns = ho_str_find_char(text, '\r') != HO_NONE;
  size_t count = 1;
  for (size_t at = 0; (at = next_line(text, at, returns)) != HO_NONE;)
    count++;
  source->lines = ho_arena_array(arena, count, sizeof *source->lines);
  if (!source->lines)
    return ho_arena_code(arena, err);
  source->line_count = 1;
  for (size_t at = 0; (at = next_line(text, at, returns)) != HO_NONE;)
    source->lines[source->line_count++] = (uint32_t)at;
  return HO_OK;
}

enum { BLOCK = 1024 };

static ho_code note_points(ho_source *source, ho_arena *arena, ho_error *err)
{
  size_t count = source->text.n / BLOCK + 1;
  source->points = ho_arena_array(arena, count, sizeof *source->points);
  if (!source->points)
    return ho_arena_code(arena, err);
  for (size_t i = 1; i < count; i++) {
    ho_str block = ho_str_sub(source->text, (i - 1) * BLOCK, i * BLOCK);
    source->points[i] = source->points[i - 1] + (uint32_t)ho_utf8_count(block);
  }
  return HO_OK;
}

/* Code points before the offset. */
static uint32_t points_before(const ho_source *source, size_t offset)
{
  size_t block = offset / BLOCK;
  return source->points[block] + (uint32_t)ho_utf8_count(ho_str_sub(source->text, block * BLOCK, offset));
}

ho_code ho_source_init(ho_source *source, ho_arena *arena, ho_str path, ho_str text, ho_error *err)
{
  *source = (ho_source){.path = path, .text = text};
  if (text.n > HO_LIMIT_NOW(DOCUMENT))
    return ho_fail_file(err, HO_LIMIT, path, "is larger than %zu bytes (limit document)", HO_LIMIT_NOW(DOCUMENT));
  ho_code code = note_lines(source, arena, err);
  if (!code)
    code = note_points(source, arena, err);
  if (code)
    return code;
  size_t nul = ho_str_find_char(text, '\0'), bad = ho_utf8_bad(text);
  if (bad < nul || (bad != HO_NONE && nul == HO_NONE)) {
    source->text = ho_str_sub(text, 0, bad);
    code = ho_source_fail(source, (uint32_t)bad, err, "byte 0x%02X is not valid UTF-8", (unsigned char)text.p[bad]);
  } else if (nul != HO_NONE) {
    source->text = ho_str_sub(text, 0, nul);
    code = ho_source_fail(source, (uint32_t)nul, err, "contains a NUL byte, so it is not text");
  }
  return code;
}

/* Index of the line that contains the offset. */
static uint32_t line_of(const ho_source *source, uint32_t offset)
{
  uint32_t low = 0, high = source->line_count;
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (source->lines[middle] <= offset)
      low = middle;
    else
      high = middle;
  }
  return low;
}

ho_place ho_source_place(const ho_source *source, uint32_t offset)
{
  if (offset > source->text.n)
    offset = (uint32_t)source->text.n;
  uint32_t line = line_of(source, offset), begin = source->lines[line];
  if (line == 0 && offset >= ho_source_start(source))
    begin = ho_source_start(source);
  return (ho_place){line + 1, points_before(source, offset) - points_before(source, begin) + 1};
}

unsigned ho_source_line_at(const ho_source *source, uint32_t offset)
{
  return line_of(source, offset) + 1;
}

ho_str ho_source_line(const ho_source *source, unsigned line)
{
  if (line < 1 || line > source->line_count)
    return HO_EMPTY;
  uint32_t begin = source->lines[line - 1];
  size_t end = line < source->line_count ? source->lines[line] : source->text.n;
  ho_str text = ho_str_sub(source->text, begin, end);
  while (text.n && (text.p[text.n - 1] == '\n' || text.p[text.n - 1] == '\r'))
    text.n--;
  return text;
}

uint32_t ho_source_offset(const ho_source *source, unsigned line, unsigned column)
{
  if (line < 1)
    return 0;
  if (line > source->line_count)
    return (uint32_t)source->text.n;
  ho_str text = ho_source_line(source, line);
  size_t at = line == 1 ? ho_source_start(source) : 0;
  while (column > 1 && at < text.n) {
    ho_utf8_next(text, &at);
    column--;
  }
  return source->lines[line - 1] + (uint32_t)at;
}

uint32_t ho_source_start(const ho_source *source)
{
  return ho_str_starts(source->text, "\xEF\xBB\xBF") ? 3 : 0;
}

ho_code ho_source_fail(const ho_source *source, uint32_t offset, ho_error *err, const char *format, ...)
{
  char text[sizeof err->message];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  ho_fail_file(err, HO_SYNTAX, source->path, "%s", text);
  ho_place place = ho_source_place(source, offset);
  err->rule = ho_rule_SYNTAX.id;
  err->line = place.line;
  err->column = place.column;
  return HO_SYNTAX;
}
