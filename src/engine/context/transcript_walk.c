/* Reads a transcript from its beginning: tool calls in order, and what the context held at the first edit. */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/limits.h"
#include "base/memory.h"
#include "engine/context/transcript_parts.h"
#include "model/syntax.h"

enum { CHUNK = 1 << 20 };

typedef struct walking {
  ho_walk *walk;
  ho_scan *scan;
  ho_arena arena; /* of one line */
  ho_arena kept;  /* of the scan */
  int64_t now;    /* of the current entry; 0: no entry has given a time yet */
  int64_t before; /* tokens in the context when the period began; -1: unknown */
  int64_t folded; /* tokens that compactions removed since */
  int64_t compactions;
  bool waiting; /* the first edit was seen, its usage was not */
} walking;

static bool inside(const walking *w)
{
  return (!w->walk->from || !w->now || w->now >= w->walk->from) && (!w->walk->to || !w->now || w->now <= w->walk->to);
}

static void told(void *world, ho_tool_kind kind, ho_str what)
{
  walking *w = world;
  if (!inside(w))
    return;
  w->walk->calls++;
  bool edit = kind == HO_TOOL_EDIT || (kind == HO_TOOL_SHELL && ho_str_starts(what, "apply_patch"));
  if (edit && !w->walk->edited)
    w->walk->edited = w->waiting = true;
  if (w->walk->each)
    w->walk->each(w->walk->world, kind, what);
}

/* After an entry: records the usage of the first edit, or what the context held before the period began. */
static void note_usage(walking *w)
{
  const ho_scan *scan = w->scan;
  if (scan->compactions > w->compactions && scan->pre_tokens > scan->post_tokens)
    w->folded += scan->pre_tokens - scan->post_tokens;
  w->compactions = scan->compactions;
  if (w->waiting && scan->usage.total > 0) {
    w->walk->first_edit = scan->usage.total + w->folded - w->before;
    w->waiting = false;
  }
  if (!inside(w) && !w->walk->edited) {
    w->before = scan->usage.total;
    w->folded = 0;
  }
}

/* A time with fractions of a second: much happens within one. */
static bool read_time(ho_str text, int64_t *out)
{
  size_t dot = ho_str_find_char(text, '.');
  if (!ho_stamp_time(text, out))
    return false;
  int64_t unit = 100;
  *out -= *out % 1000;
  for (size_t i = dot == HO_NONE ? text.n : dot + 1; i < text.n && unit && isdigit((unsigned char)text.p[i]); i++) {
    *out += (text.p[i] - '0') * unit;
    unit /= 10;
  }
  return true;
}

static void take_entry(walking *w, const ho_node *entry, int64_t end)
{
  int64_t at;
  if (read_time(ho_map_str(entry, "timestamp"), &at))
    w->now = at;
  ho_transcript_take(w->scan, entry, end, &w->arena);
  note_usage(w);
}

static void take_line(walking *w, ho_str line, int64_t end)
{
  line = ho_str_trim(line);
  if (!line.n || line.n > HO_LIMIT_DOCUMENT || !ho_transcript_marked(w->scan->harness, line))
    return;
  ho_arena_reset(&w->arena);
  const ho_node *entry = ho_transcript_parse(&w->arena, line);
  if (ho_node_is(entry, HO_KIND_MAP))
    take_entry(w, entry, end);
}

/* Takes the complete lines off the front of the buffer. */
static void take_lines(walking *w, ho_buf *text, int64_t *offset, bool last)
{
  size_t from = 0;
  for (;;) {
    const char *p = text->p + from, *end = memchr(p, '\n', text->n - from);
    if (!end && !(last && from < text->n))
      break;
    size_t n = end ? (size_t)(end - p) : text->n - from;
    *offset += (int64_t)n + 1;
    take_line(w, (ho_str){p, n}, *offset);
    from += n + (end ? 1 : 0);
  }
  memmove(text->p, text->p + from, text->n - from);
  text->n -= from;
}

static void take_document(walking *w, const ho_transcript_form *form, ho_str text)
{
  const ho_node *root = ho_transcript_parse(&w->arena, text);
  int64_t number = 0;
  w->scan->harness = form->harness;
  HO_EACH_CONST (entry, form->entries(root))
    take_entry(w, entry, ++number);
}

static ho_code read_all(walking *w, int fd)
{
  ho_buf text;
  char *chunk = ho_malloc(CHUNK);
  int64_t offset = 0, total = 0;
  ho_code code = chunk ? HO_OK : HO_MEMORY;
  const ho_transcript_form *document = ho_transcript_document(&(ho_reader){.fd = fd}, NULL);
  ho_buf_init(&text, HO_WALK_BYTES);
  for (ssize_t n = 1; n > 0 && !code;) {
    do
      n = read(fd, chunk, CHUNK);
    while (n < 0 && errno == EINTR);
    if (n < 0)
      code = HO_IO;
    ho_buf_put(&text, (ho_str){chunk, n > 0 ? (size_t)n : 0});
    total += n > 0 ? n : 0;
    if (!code)
      code = total > HO_WALK_BYTES ? HO_LIMIT : text.failed;
    if (!code && !document)
      take_lines(w, &text, &offset, n == 0);
    if (!code && w->arena.failed == HO_MEMORY)
      code = HO_MEMORY;
  }
  if (!code && document && text.n <= HO_LIMIT_DOCUMENT)
    take_document(w, document, ho_buf_str(&text));
  if (!code && w->arena.failed == HO_MEMORY)
    code = HO_MEMORY;
  ho_buf_free(&text);
  ho_free(chunk);
  return code;
}

ho_code ho_transcript_walk(ho_walk *walk, const char *path)
{
  struct stat info;
  walking w = {.walk = walk};
  walk->harness = NULL;
  walk->calls = 0;
  walk->edited = false;
  walk->first_edit = -1;
  int fd = ho_fs_open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (fd < 0)
    return errno == ENOENT || errno == ENOTDIR ? HO_NOT_FOUND : HO_IO;
  ho_arena_init(&w.arena, (size_t)256 << 20);
  ho_arena_init(&w.kept, 0);
  w.scan = HO_NEW(&w.kept, ho_scan);
  ho_code code = fstat(fd, &info) != 0 || !S_ISREG(info.st_mode) ? HO_IO : w.scan ? HO_OK : HO_MEMORY;
  if (!code) {
    w.scan->sidechain = ho_str_starts(ho_fs_name(ho_str_of(path)), "agent-");
    w.scan->watch = told;
    w.scan->watcher = &w;
    code = read_all(&w, fd);
    walk->harness = w.scan->harness;
  }
  ho_arena_free(&w.arena);
  ho_arena_free(&w.kept);
  close(fd);
  return code;
}
