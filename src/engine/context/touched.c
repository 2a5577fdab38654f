#include "engine/context/touched.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"
#include "doc/json/json.h"
#include "engine/context/context_cache.h"

#define SUFFIX ".touched.json"
enum { NOTES_SIZE = 64 << 10, PATH_SIZE = 300 };

/* ---- What a tool call names */

/* The files of a patch in the form of apply_patch. */
static void patched(ho_str patch, ho_tool_watch each, void *world)
{
  static const char *const heads[] = {"*** Add File: ", "*** Update File: ", "*** Move to: "};
  ho_str line;
  while (ho_str_next_line(&patch, &line))
    for (size_t i = 0; i < HO_COUNT(heads); i++)
      if (ho_str_starts(line, heads[i]))
        each(world, HO_TOOL_EDIT, ho_str_trim(ho_str_sub(line, strlen(heads[i]), line.n)));
}

void ho_touched_by(const ho_tool *tool, const ho_node *input, ho_tool_watch each, void *world)
{
  ho_str target = ho_tool_target(tool, input), file;
  if (tool->kind == HO_TOOL_SEARCH || !target.n)
    return;
  if (ho_str_has(target, "*** Begin Patch"))
    patched(target, each, world);
  else if (tool->kind != HO_TOOL_SHELL)
    each(world, tool->kind, target);
  else if (ho_shell_reads(ho_str_trim(target), &file))
    each(world, HO_TOOL_READ, file);
}

/* ---- The notes: a JSON value per line */

ho_str ho_touched_path(ho_arena *arena, ho_str home, ho_str task, ho_str phase)
{
  ho_str name = ho_arena_printf(arena, "task-%.*s-phase-%.*s", HO_ARG(task), HO_ARG(phase));
  return ho_context_path(arena, home, name, SUFFIX);
}

void ho_touched_note(ho_arena *arena, ho_str notes, ho_tool_kind kind, ho_str file)
{
  struct stat info;
  ho_buf line;
  ho_error none = {0};
  ho_node *map = ho_context_map(arena);
  if (!file.n || file.n > PATH_SIZE || !notes.n || ho_context_sign(map, arena, notes.p, &none))
    return;
  ho_context_put(map, kind == HO_TOOL_EDIT ? "edit" : "read", ho_fs_text(arena, file), arena);
  int fd = ho_fs_open(notes.p, O_WRONLY | O_APPEND | O_CREAT | O_NONBLOCK);
  if (fd < 0)
    return;
  ho_buf_init(&line, 0);
  ho_json_write(&line, map, 0);
  ho_buf_putc(&line, '\n');
  bool room = fstat(fd, &info) == 0 && info.st_size < NOTES_SIZE;
  if (room && !line.failed && !arena->failed && write(fd, line.p, line.n) < 0) {
    /* then it is not noted */
  }
  ho_buf_free(&line);
  close(fd);
}

static bool is_named(const ho_node *list, ho_str file)
{
  HO_EACH_CONST (item, list)
    if (ho_str_eq(ho_node_str(item), file))
      return true;
  return false;
}

typedef struct notes_read {
  ho_arena *arena;
  ho_str text, mark; /* mark: of the lines that count */
  ho_node *newest;
} notes_read;

static ho_str file_in(const notes_read *in, ho_str line, const char *key)
{
  ho_source source;
  ho_node *note = NULL;
  ho_error none = {0};
  if (ho_source_init(&source, in->arena, HO_STR("notes"), line, &none) ||
      ho_json_read(&source, 0, in->arena, NULL, &note, &none))
    return HO_EMPTY;
  return ho_context_signed(note, in->mark) ? ho_map_str(note, key) : HO_EMPTY;
}

/* From the newest line to the oldest, so that each file has the place of its last mention. */
static void collect(const notes_read *in, const char *key)
{
  for (size_t end = in->text.n; end > 0;) {
    size_t begin = end - 1;
    while (begin > 0 && in->text.p[begin - 1] != '\n')
      begin--;
    ho_str file = file_in(in, ho_str_sub(in->text, begin, end), key);
    if (file.n && !is_named(in->newest, file))
      ho_list_add(in->newest, ho_node_text(in->arena, file));
    end = begin;
  }
}

ho_touched ho_touched_load(ho_arena *arena, ho_str notes)
{
  ho_touched touched = {.files = ho_node_new(arena, HO_KIND_LIST), .notes = notes};
  notes_read in = {.arena = arena, .newest = ho_node_new(arena, HO_KIND_LIST)};
  ho_error none = {0};
  if (!notes.n || ho_fs_read(arena, notes.p, 2 * NOTES_SIZE, &in.text, &none))
    return touched;
  touched.size = (int64_t)in.text.n;
  in.mark = ho_context_mark(arena, notes.p);
  collect(&in, "edit");
  collect(&in, "read");
  for (size_t i = in.newest ? in.newest->count : 0; i > 0; i--)
    ho_list_add(touched.files, ho_node_text(arena, ho_node_str(ho_list_at(in.newest, i - 1))));
  return touched;
}

void ho_touched_forget(const ho_touched *touched)
{
  if (touched->size)
    ho_context_remove(touched->notes.p, touched->size);
}
