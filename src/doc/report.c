#include "doc/report.h"

#include "base/grow.h"
#include "base/limits.h"

void ho_report_init(ho_report *report, ho_arena *arena, const ho_source *source)
{
  *report = (ho_report){.arena = arena, .source = source};
}

enum { LONGEST_POINTER = 4096 };

/* An upper bound for the pointer's length in bytes, or some number above LONGEST_POINTER. */
static size_t path_length(const ho_path *path)
{
  size_t n = 0;
  for (; path && n <= LONGEST_POINTER; path = path->up) {
    if (path->key.p && path->key.n > LONGEST_POINTER)
      return path->key.n;
    n += 1 + (path->key.p ? path->key.n : 20);
    for (size_t i = 0; path->key.p && i < path->key.n; i++)
      n += path->key.p[i] == '~' || path->key.p[i] == '/';
  }
  return n;
}

/* Writes the chain from the top down and returns where it ended. */
static char *put_path(char *to, char *end, const ho_path *path)
{
  if (!path)
    return to;
  to = put_path(to, end, path->up);
  if (!path->key.p)
    return to + snprintf(to, (size_t)(end - to), "/%zu", path->index);
  *to++ = '/';
  for (size_t i = 0; i < path->key.n; i++) {
    char c = path->key.p[i];
    if (c == '~' || c == '/') {
      *to++ = '~';
      c = c == '~' ? '0' : '1';
    }
    *to++ = c;
  }
  return to;
}

ho_str ho_path_pointer(ho_arena *arena, const ho_path *path)
{
  while (path_length(path) > LONGEST_POINTER)
    path = path->up;
  size_t room = path_length(path) + 1;
  char *text = ho_arena_alloc(arena, room);
  if (!text)
    return HO_EMPTY;
  return (ho_str){text, (size_t)(put_path(text, text + room, path) - text)};
}

/* The slot of the last finding that is not an error, to be reused for an error; each slot is examined once. */
static ho_finding *push_out(ho_report *report)
{
  if (!report->full) {
    report->full = true;
    report->weaker = report->count;
  }
  while (report->weaker > 0)
    if (report->items[--report->weaker].severity < HO_ERROR)
      return &report->items[report->weaker];
  return NULL;
}

static ho_finding *new_finding(ho_report *report, ho_severity severity)
{
  if (report->count >= HO_LIMIT_NOW(FINDINGS)) {
    report->left_out++;
    return severity == HO_ERROR ? push_out(report) : NULL;
  }
  return HO_PUSH(report->arena, report->items, report->count);
}

static ho_str one_line(ho_str message)
{
  char *p = (char *)message.p;
  for (size_t i = 0; i < message.n; i++)
    if ((unsigned char)p[i] < 0x20 || p[i] == 0x7F)
      p[i] = ' ';
  return message;
}

static void add(ho_report *report, const ho_rule_info *rule, ho_severity severity, uint32_t offset, const ho_path *path,
                const char *format, va_list args)
{
  report->errors += severity == HO_ERROR;
  report->warnings += severity == HO_WARNING;
  ho_finding *finding = new_finding(report, severity);
  if (!finding)
    return;
  *finding = (ho_finding){.rule = rule, .severity = severity, .offset = offset};
  if (report->source && offset != HO_NOWHERE) {
    ho_place place = ho_source_place(report->source, offset);
    finding->line = place.line;
    finding->column = place.column;
  }
  finding->pointer = ho_path_pointer(report->arena, path);
  finding->message = one_line(ho_arena_vprintf(report->arena, format, args));
}

void ho_report_add(ho_report *report, const ho_rule_info *rule, uint32_t offset, const ho_path *path,
                   const char *format, ...)
{
  va_list args;
  va_start(args, format);
  add(report, rule, rule->severity, offset, path, format, args);
  va_end(args);
}

void ho_report_add_as(ho_report *report, const ho_rule_info *rule, ho_severity severity, uint32_t offset,
                      const ho_path *path, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  add(report, rule, severity, offset, path, format, args);
  va_end(args);
}

static bool before(const ho_finding *a, const ho_finding *b)
{
  uint64_t x = a->offset == HO_NOWHERE ? 0 : (uint64_t)a->offset + 1;
  uint64_t y = b->offset == HO_NOWHERE ? 0 : (uint64_t)b->offset + 1;
  return x < y;
}

void ho_report_sort(ho_report *report)
{
  for (size_t i = 1; i < report->count; i++) {
    ho_finding moving = report->items[i];
    size_t at = i;
    for (; at > 0 && before(&moving, &report->items[at - 1]); at--)
      report->items[at] = report->items[at - 1];
    report->items[at] = moving;
  }
}
