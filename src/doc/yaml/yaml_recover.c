/* Line-level recovery: the line that libyaml rejects is rewritten in a copy so that its value (or key) is quoted,
 * and the copy is read instead. */
#include "doc/yaml/yaml_parts.h"

#include "base/grow.h"
#include "base/limits.h"
#include "doc/rules.h"
#include "doc/yaml/yaml_line.h"

enum {
  MOST_TRIES = 200,
  MOST_BYTES = HO_LIMIT_DOCUMENT, /* read again in total, so that a large text gets few attempts */
  COPY_GAIN = 16,                 /* copying a byte is this much cheaper than reading it */
};

/* Bytes from..to of the source are read as `with`. */
typedef struct edit {
  uint32_t from, to;
  ho_str with;
  const char *message; /* of its finding; NULL for none */
} edit;

typedef struct recovery {
  const ho_source *source;
  uint32_t from, to;
  ho_arena *arena;
  edit *edits; /* sorted, not overlapping */
  size_t count;
  bool untabbed;
  ho_code failed; /* a buffer's failure while repairing */
  ho_buf copy;
} recovery;

static const char text_message[] = "not valid YAML; the rest of the line is read as text";
static const char key_message[] = "not a valid key without quotes; read as text";
static const char tab_message[] = "tabs in the indentation; each is read as two spaces";

/* False if these bytes already have an edit, or memory ran out. */
static bool add_edit(recovery *r, edit new)
{
  if (!ho_grow(r->arena, &r->edits, r->count, sizeof *r->edits))
    return false;
  size_t at = r->count;
  while (at > 0 && r->edits[at - 1].from >= new.from)
    at--;
  if ((at < r->count && r->edits[at].from < new.to) || (at > 0 && r->edits[at - 1].to > new.from))
    return false;
  memmove(r->edits + at + 1, r->edits + at, (r->count - at) * sizeof *r->edits);
  r->edits[at] = new;
  r->count++;
  return true;
}

/* Line `number`, as far as it is in the part being read; *begin is its first byte in the source. */
static ho_str line_at(const recovery *r, unsigned number, uint32_t *begin)
{
  ho_str line = ho_source_line(r->source, number);
  *begin = number <= r->source->line_count ? r->source->lines[number - 1] : r->to;
  uint32_t end = *begin + (uint32_t)line.n;
  if (*begin < r->from)
    *begin = r->from;
  if (end > r->to)
    end = r->to;
  return *begin < end ? ho_str_sub(r->source->text, *begin, end) : HO_EMPTY;
}

/* The white space at the front of a line, with two spaces for each tab. */
static bool untab_line(recovery *r, ho_str line, uint32_t begin, const char *message)
{
  size_t indent = 0, n = 0;
  while (indent < line.n && (line.p[indent] == ' ' || line.p[indent] == '\t'))
    indent++;
  char *spaces = ho_arena_alloc(r->arena, 2 * indent + 1);
  if (!spaces)
    return false;
  for (size_t i = 0; i < indent; i++) {
    spaces[n++] = ' ';
    if (line.p[i] == '\t')
      spaces[n++] = ' ';
  }
  return add_edit(r, (edit){begin, begin + (uint32_t)indent, {spaces, n}, message});
}

/* True if a line was changed. A line that starts with a tab either is indented by it, or its white space does not
 * matter: all such lines are changed at once. Others are changed only if the fault is on them. */
static bool untab(recovery *r, unsigned number, ho_str line, uint32_t begin)
{
  if (line.p[0] != '\t')
    return untab_line(r, line, begin, tab_message);
  if (r->untabbed)
    return false;
  r->untabbed = true;
  const char *message = tab_message;
  for (; number <= r->source->line_count; number++) {
    line = line_at(r, number, &begin);
    if (line.n && line.p[0] == '\t' && !ho_str_blank(line) && untab_line(r, line, begin, message))
      message = NULL;
  }
  return !message;
}

/* Moves the buffer's text into the arena, along with any failure, and frees the buffer. */
static ho_str keep(recovery *r, ho_buf *buf)
{
  if (buf->failed && !r->arena->failed)
    r->arena->failed = buf->failed;
  ho_str copy = ho_arena_copy(r->arena, ho_buf_str(buf));
  ho_buf_free(buf);
  return copy;
}

static ho_str quoted(recovery *r, ho_str text)
{
  ho_buf buf;
  ho_buf_init(&buf, 0);
  ho_yaml_quote(&buf, text);
  return keep(r, &buf);
}

static bool quote_key(recovery *r, ho_str line, uint32_t begin, const ho_yaml_line *parts)
{
  if (!parts->has_key || !strchr("@`%*&!", line.p[parts->key_begin]))
    return false;
  ho_str with = quoted(r, ho_str_sub(line, parts->key_begin, parts->key_end));
  return with.n &&
         add_edit(r, (edit){begin + (uint32_t)parts->key_begin, begin + (uint32_t)parts->key_end, with, key_message});
}

/* The value with its continuation lines; *end moves to where they end. */
static ho_str with_continuation(recovery *r, ho_str value, size_t parent, unsigned number, uint32_t *end)
{
  ho_buf buf;
  ho_buf_init(&buf, 0);
  ho_buf_put(&buf, value);
  for (;;) {
    uint32_t begin;
    ho_str line = line_at(r, ++number, &begin);
    if (!ho_yaml_line_continues(line, parent))
      break;
    ho_buf_putc(&buf, ' ');
    ho_buf_put(&buf, ho_str_trim(line));
    *end = begin + (uint32_t)ho_str_trim_end(line).n;
  }
  return keep(r, &buf);
}

/* Quotes the rest of the line as text; if it is one quoted scalar that only has a bad escape, what is between its
 * quotes. */
static bool quote_value(recovery *r, unsigned number, ho_str line, uint32_t begin, const ho_yaml_line *parts)
{
  ho_str value = ho_str_sub(line, parts->value_begin, parts->value_end);
  uint32_t from = begin + (uint32_t)parts->value_begin, to = begin + (uint32_t)parts->value_end;
  if (value.n == 0)
    return false;
  size_t close = ho_yaml_line_close(line, parts->value_begin);
  if (close == HO_NONE)
    return false;
  if (close == parts->value_end && (value.p[0] == '"' || value.p[0] == '\''))
    value = ho_str_sub(value, 1, value.n - 1);
  else if (close == parts->value_begin && value.p[0] != '|' && value.p[0] != '>')
    value = with_continuation(r, value, parts->parent, number, &to);
  ho_str with = quoted(r, value);
  return with.n && add_edit(r, (edit){from, to, with, text_message});
}

/* Repairs the line of the fault; false if what was meant is not clear, or a repair did not help before. */
static bool mend(recovery *r, const ho_yaml_fault *fault)
{
  uint32_t begin;
  ho_yaml_line parts;
  unsigned number = ho_source_line_at(r->source, fault->at);
  ho_str line = line_at(r, number, &begin);
  if (fault->final || fault->at < begin || line.n == 0)
    return false;
  size_t at = fault->at - begin;
  bool known = ho_yaml_line_split(line, &parts);
  if (at <= parts.indent && ho_str_find_char(ho_str_sub(line, 0, parts.indent), '\t') != HO_NONE)
    return untab(r, number, line, begin);
  if (!known || at < parts.key_begin)
    return false;
  if (at < line.n && line.p[at] == '*' && at != parts.key_begin && at != parts.value_begin)
    return false; /* an alias inside a list or map */
  if (parts.has_key && at < parts.value_begin)
    return quote_key(r, line, begin, &parts);
  return quote_value(r, number, line, begin, &parts);
}

/* The source with all edits applied, and how offsets map back. */
static ho_code apply(recovery *r, ho_arena *scratch, ho_yaml_text *out, ho_error *err)
{
  ho_yaml_shift *shifts = ho_arena_array(scratch, 1 + 2 * r->count, sizeof *shifts);
  if (!shifts)
    return ho_arena_code(scratch, err);
  size_t count = 0;
  uint32_t done = r->from;
  ho_buf_reset(&r->copy);
  shifts[count++] = (ho_yaml_shift){0, r->from};
  for (const edit *each = r->edits; each < r->edits + r->count; each++) {
    ho_buf_put(&r->copy, ho_str_sub(r->source->text, done, each->from));
    shifts[count++] = (ho_yaml_shift){(uint32_t)r->copy.n, each->from};
    ho_buf_put(&r->copy, each->with);
    shifts[count++] = (ho_yaml_shift){(uint32_t)r->copy.n, each->to};
    done = each->to;
  }
  ho_buf_put(&r->copy, ho_str_sub(r->source->text, done, r->to));
  *out = (ho_yaml_text){r->source, ho_buf_str(&r->copy), shifts, count};
  return ho_buf_code(&r->copy, err);
}

/* Repairs and reads into `scratch` until the text can be read or there is nothing left to repair; then reads it for
 * good. */
static ho_code try_again(recovery *r, ho_arena *scratch, ho_yaml_result *result, ho_yaml_fault *fault, ho_error *err)
{
  ho_yaml_text text;
  ho_code code = HO_SYNTAX;
  size_t bytes = 0;
  for (unsigned tries = 0; code == HO_SYNTAX; tries++) {
    if (tries == MOST_TRIES || bytes > MOST_BYTES || !mend(r, fault))
      return HO_SYNTAX;
    ho_arena_reset(scratch);
    code = apply(r, scratch, &text, err);
    if (!code)
      code = ho_yaml_compose(&text, scratch, result, fault, err);
    bytes += fault->at - r->from + r->copy.n / COPY_GAIN;
  }
  return code ? code : ho_yaml_compose(&text, r->arena, result, fault, err);
}

ho_code ho_yaml_recover(const ho_source *source, uint32_t from, uint32_t to, ho_arena *arena, ho_report *report,
                        ho_yaml_result *result, ho_yaml_fault *fault, ho_error *err)
{
  recovery r = {.source = source, .from = from, .to = to, .arena = arena};
  ho_arena scratch;
  ho_arena_init(&scratch, 0);
  ho_buf_init(&r.copy, 0);
  ho_code code = try_again(&r, &scratch, result, fault, err);
  for (size_t i = 0; !code && report && i < r.count; i++)
    if (r.edits[i].message)
      ho_report_add(report, &ho_rule_YAML_RECOVERED, r.edits[i].from, NULL, "%s", r.edits[i].message);
  ho_buf_free(&r.copy);
  ho_arena_free(&scratch);
  if (r.failed == HO_MEMORY)
    return ho_fail_memory(err);
  return arena->failed ? ho_arena_code(arena, err) : code;
}
