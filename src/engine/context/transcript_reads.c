/* Tool calls: how many, and what was read again without an edit in between. */
#include "base/error.h"
#include "base/fs.h"
#include "engine/context/transcript_parts.h"

/* The entry with that key, or an unused one, or the one that was read longest ago. */
static ho_read *find_read(ho_scan *scan, uint64_t key)
{
  ho_read *oldest = &scan->reads[0];
  for (size_t i = 0; i < HO_READS; i++) {
    ho_read *read = &scan->reads[i];
    if (read->key == key)
      return read;
    if (oldest->key && (!read->key || read->clock < oldest->clock))
      oldest = read;
  }
  *oldest = (ho_read){.key = key};
  return oldest;
}

static void note_read(ho_scan *scan, uint64_t key, ho_str path)
{
  ho_read *read = find_read(scan, key >> 1 | 1);
  read->count++;
  read->clock = ++scan->clock;
  ho_error_copy(read->path, sizeof read->path, path);
}

/* Whatever `text` names has changed: its reads start again. */
static void note_edit(ho_scan *scan, ho_str text)
{
  for (size_t i = 0; i < HO_READS; i++) {
    ho_read *read = &scan->reads[i];
    char name[HO_READ_SIZE];
    if (!read->key)
      continue;
    ho_error_copy(name, sizeof name, ho_fs_name(ho_str_of(read->path)));
    if (!name[0] || ho_str_has(text, name))
      *read = (ho_read){0};
  }
}

/* The last word of a command, without quotes: what such commands read. */
static ho_str last_word(ho_str command)
{
  command = ho_str_trim(command);
  while (command.n && (command.p[command.n - 1] == '"' || command.p[command.n - 1] == '\''))
    command.n--;
  size_t begin = command.n;
  while (begin > 0 && !isspace((unsigned char)command.p[begin - 1]) && command.p[begin - 1] != '\'' &&
         command.p[begin - 1] != '"')
    begin--;
  return ho_str_sub(command, begin, command.n);
}

/* True for a command that only shows something: one of these programs, and nothing that could write. */
static bool only_reads(ho_str command)
{
  static const char *const readers[] = {"cat ", "head ", "tail ", "less ", "nl ", "bat ", "sed -n ", "grep ", "rg "};
  static const char *const writers[] = {">", "|", ";", "&", "`", "$(", "\n"};
  for (size_t i = 0; i < HO_COUNT(writers); i++)
    if (ho_str_has(command, writers[i]))
      return false;
  for (size_t i = 0; i < HO_COUNT(readers); i++)
    if (ho_str_starts(command, readers[i]))
      return true;
  return false;
}

static void tell(const ho_scan *scan, ho_tool_kind kind, ho_str what)
{
  if (scan->watch)
    scan->watch(scan->watcher, kind, what);
}

bool ho_shell_reads(ho_str command, ho_str *file)
{
  bool reads = only_reads(command);
  *file = reads ? last_word(command) : HO_EMPTY;
  return reads;
}

static void note_shell(ho_scan *scan, ho_str command)
{
  ho_str file;
  command = ho_str_trim(command);
  bool reads = ho_shell_reads(command, &file);
  tell(scan, reads ? HO_TOOL_READ : HO_TOOL_SHELL, reads ? file : command);
  if (reads)
    note_read(scan, ho_str_hash(command), file);
  else
    note_edit(scan, command);
}

static uint64_t key_of(const ho_tool *tool, ho_str path, const ho_node *input)
{
  uint64_t key = ho_str_hash(path);
  ho_str rest = ho_str_of(tool->parts), part;
  while (rest.n && ho_str_next(&rest, '|', &part))
    key = key * 0x9E3779B97F4A7C15u + ho_str_hash(ho_node_str(ho_map_get(input, part)));
  return key;
}

void ho_scan_tool(ho_scan *scan, ho_str name, ho_str id, const ho_node *input)
{
  if (!ho_recent_add(scan->calls, id))
    return;
  scan->tool_calls++;
  const ho_tool *tool = ho_harness_tool(scan->harness, name);
  ho_str target = tool ? ho_tool_target(tool, input) : HO_EMPTY;
  if (!target.n)
    return;
  if (tool->kind == HO_TOOL_SHELL) {
    note_shell(scan, target);
    return;
  }
  tell(scan, tool->kind, target);
  if (tool->kind == HO_TOOL_EDIT)
    note_edit(scan, target);
  else
    note_read(scan, key_of(tool, target, input), target);
}

const ho_read *ho_scan_reread(const ho_scan *scan)
{
  const ho_read *most = NULL;
  for (size_t i = 0; i < HO_READS; i++)
    if (scan->reads[i].key && (!most || scan->reads[i].count > most->count ||
                               (scan->reads[i].count == most->count && scan->reads[i].clock > most->clock)))
      most = &scan->reads[i];
  return most;
}
