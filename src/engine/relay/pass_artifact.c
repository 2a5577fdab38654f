/* The handoff that a pass writes, and whether there is anything to hand off. */
#include <dirent.h>

#include "base/digest.h"
#include "engine/relay/pass.h"

enum { MOST_DEAD_ENDS = 4 };

static void put(ho_arena *arena, ho_node *map, const char *key, ho_str text)
{
  if (text.n)
    ho_map_addz(map, key, ho_node_text(arena, text));
}

/* "first: second" as a record; without a colon, only the first. */
static ho_node *pair(ho_arena *arena, ho_str text, const char *first, const char *second)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  size_t colon = ho_str_find(text, ": ");
  put(arena, map, first, ho_str_trim(colon == HO_NONE ? text : ho_str_sub(text, 0, colon)));
  put(arena, map, second, colon == HO_NONE ? HO_EMPTY : ho_str_trim(ho_str_sub(text, colon + 2, text.n)));
  return map;
}

static ho_node *pairs(ho_arena *arena, const ho_node *texts, const char *first, const char *second)
{
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  HO_EACH_CONST (text, texts)
    if (!ho_str_blank(ho_node_str(text)))
      ho_list_add(list, pair(arena, ho_node_str(text), first, second));
  return list;
}

/* The file with its absolute path, as the format wants it. */
static ho_node *state(const ho_pass *pass, const ho_node *progress)
{
  ho_arena *arena = pass->phase.arena;
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  const ho_node *current = ho_progress_current(progress), *files = ho_map_getz(current, "files_touched");
  ho_str file = pass->file.n ? pass->file : files && files->last ? ho_node_str(files->last) : HO_EMPTY;
  put(arena, map, "file", file.n ? ho_fs_join(arena, pass->phase.root, file) : HO_EMPTY);
  put(arena, map, "location", pass->location);
  ho_str goal = pass->goal;
  if (!goal.n && current) {
    ho_str note = ho_map_str(current, "note");
    goal = ho_arena_printf(arena, "Objective %.*s is done: %.*s%s%.*s%s",
                           HO_ARG(ho_progress_id(progress, current, arena)), HO_ARG(ho_map_str(current, "description")),
                           note.n ? " (" : "", HO_ARG(note), note.n ? ")" : "");
  }
  put(arena, map, "goal_state", goal.n ? goal : HO_STR("Not stated; see the next action"));
  return map;
}

static bool has_approach(const ho_node *list, ho_str approach)
{
  HO_EACH_CONST (item, list)
    if (ho_str_eq(ho_map_str(item, "approach"), approach))
      return true;
  return false;
}

/* What was given, then the newest entries of the progress file, as far as there is room: that file has all of them. */
static ho_node *dead_ends(const ho_pass *pass, const ho_node *progress)
{
  ho_arena *arena = pass->phase.arena;
  const ho_node *tried = ho_map_getz(progress, "approaches_tried");
  ho_node *list = pairs(arena, pass->dead_ends, "approach", "reason");
  size_t room = !list || list->count >= MOST_DEAD_ENDS ? 0 : MOST_DEAD_ENDS - list->count;
  size_t skip = tried && tried->count > room ? tried->count - room : 0;
  HO_EACH_CONST (item, tried) {
    ho_str approach = ho_map_str(item, "approach"), reason = ho_map_str(item, "reason");
    if (skip > 0) {
      skip--;
      continue;
    }
    if (!approach.n || has_approach(list, approach))
      continue;
    ho_node *map = ho_list_add(list, ho_node_new(arena, HO_KIND_MAP));
    put(arena, map, "approach", approach);
    put(arena, map, "reason", reason.n ? reason : ho_map_str(item, "result"));
  }
  if (list && !list->count)
    ho_list_add(list, pair(arena, HO_STR("None recorded: no approach is known to have failed"), "approach", "reason"));
  return list;
}

static ho_node *facts(const ho_pass *pass, const ho_node *progress)
{
  ho_arena *arena = pass->phase.arena;
  ho_progress_count count = ho_progress_counted(progress);
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  if (pass->marked)
    ho_list_add(list, ho_node_textz(arena, "Nothing was done, tried or learned since the previous handoff"));
  HO_EACH_CONST (text, pass->facts)
    ho_list_add(list, ho_node_text(arena, ho_node_str(text)));
  if (list && !list->count && progress)
    ho_list_add(list, ho_node_text(arena, ho_arena_printf(arena, "%zu of %zu objective%s %s done", count.done,
                                                          count.total, ho_plural((long long)count.total),
                                                          ho_plural_of((long long)count.done, "is", "are"))));
  else if (list && !list->count)
    ho_list_add(list, ho_node_textz(arena, "None recorded"));
  return list;
}

ho_str ho_pass_plan(const ho_pass *pass)
{
  ho_arena *arena = pass->phase.arena;
  ho_str folder = ho_arena_printf(arena, "%.*s/plans", HO_ARG(pass->phase.folder)), newest = HO_EMPTY;
  DIR *dir = ho_fs_opendir(ho_fs_join(arena, pass->phase.root, folder).p);
  for (struct dirent *entry; dir && (entry = readdir(dir));) {
    ho_str name = ho_str_of(entry->d_name);
    if (ho_str_ends(name, ".md") && ho_str_cmp(name, newest) > 0)
      newest = ho_arena_copy(arena, name);
  }
  if (dir)
    closedir(dir);
  return newest.n ? ho_arena_printf(arena, "%.*s/%.*s", HO_ARG(folder), HO_ARG(newest)) : HO_EMPTY;
}

static ho_node *reference(ho_arena *arena, const char *kind, ho_str path, ho_str detail)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  put(arena, map, "kind", ho_str_of(kind));
  put(arena, map, "path", path);
  put(arena, map, "detail", detail);
  return map;
}

/* "Kind: path, detail", "path, detail" or "path". */
static ho_node *read_reference(ho_arena *arena, ho_str text)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  size_t colon = ho_str_find(text, ": "), comma;
  put(arena, map, "kind", colon == HO_NONE ? HO_STR("Related file") : ho_str_trim(ho_str_sub(text, 0, colon)));
  text = colon == HO_NONE ? text : ho_str_sub(text, colon + 2, text.n);
  comma = ho_str_find(text, ", ");
  put(arena, map, "path", ho_str_trim(ho_str_sub(text, 0, comma == HO_NONE ? text.n : comma)));
  put(arena, map, "detail", comma == HO_NONE ? HO_EMPTY : ho_str_trim(ho_str_sub(text, comma + 2, text.n)));
  return map;
}

static ho_node *references(const ho_pass *pass)
{
  ho_arena *arena = pass->phase.arena;
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  ho_str plan = ho_pass_plan(pass);
  HO_EACH_CONST (text, pass->references)
    if (!ho_str_blank(ho_node_str(text)))
      ho_list_add(list, read_reference(arena, ho_str_trim(ho_node_str(text))));
  if (list && !list->count && plan.n)
    ho_list_add(list, reference(arena, "Plan", plan, ho_arena_printf(arena, "Phase %.*s", HO_ARG(pass->phase.phase))));
  if (list && !list->count && pass->previous.n)
    ho_list_add(list, reference(arena, "Previous handoff", pass->previous, HO_EMPTY));
  if (list && !list->count)
    ho_list_add(list, reference(arena, "Task folder", pass->phase.folder, HO_EMPTY));
  return list;
}

ho_node *ho_pass_artifact(const ho_pass *pass, const ho_node *progress, ho_str stamp)
{
  ho_arena *arena = pass->phase.arena;
  ho_node *root = ho_node_new(arena, HO_KIND_MAP);
  put(arena, root, "task", pass->phase.task);
  put(arena, root, "phase", pass->phase.phase);
  put(arena, root, "timestamp", stamp);
  put(arena, root, "immediate_next_action", pass->next);
  ho_map_addz(root, "current_state", state(pass, progress));
  ho_node *decisions = pairs(arena, pass->decisions, "decision", "rationale");
  if (decisions && !decisions->count)
    ho_list_add(decisions,
                pair(arena, HO_STR("None recorded: no decision binds the successor"), "decision", "rationale"));
  ho_map_addz(root, "key_decisions", decisions);
  ho_map_addz(root, "what_not_to_try", dead_ends(pass, progress));
  ho_map_addz(root, "critical_context", facts(pass, progress));
  ho_map_addz(root, "references", references(pass));
  return root;
}

/* Is every line of the text part of what was handed off before? */
static bool is_old(const ho_pass *pass, ho_str text, ho_str before)
{
  ho_str line;
  while (ho_str_next_line(&text, &line)) {
    line = ho_str_trim(line);
    if (line.n && ho_str_find(before, ho_arena_z(pass->phase.arena, line)) == HO_NONE)
      return false;
  }
  return true;
}

static bool is_learned(const ho_pass *pass, ho_str before)
{
  const ho_node *lists[] = {pass->decisions, pass->dead_ends, pass->facts};
  const ho_str texts[] = {pass->file, pass->location, pass->goal};
  for (size_t i = 0; i < HO_COUNT(lists); i++)
    HO_EACH_CONST (text, lists[i])
      if (!is_old(pass, ho_node_str(text), before))
        return true;
  for (size_t i = 0; i < HO_COUNT(texts); i++)
    if (!is_old(pass, texts[i], before))
      return true;
  return false;
}

/* A pass stores a digest of the work; a handoff written by hand only has its time. */
static bool is_worked(const ho_pass *pass, const ho_node *progress, ho_str stamp)
{
  char digest[HO_DIGEST_SIZE], updated[17];
  const ho_node *passed = ho_map_getz(ho_map_getz(progress, "x_passed"), "digest");
  if (!progress)
    return false;
  ho_progress_digest(progress, pass->phase.arena, digest);
  if (!ho_node_empty(passed))
    return !ho_str_is(ho_node_str(passed), digest);
  return ho_stamp_read(ho_map_str(progress, "last_updated"), updated, NULL) &&
         ho_str_cmp(ho_str_of(updated), stamp) > 0;
}

bool ho_pass_moved(const ho_pass *pass, const ho_node *progress, ho_str before, ho_str stamp)
{
  return is_worked(pass, progress, stamp) || is_learned(pass, before);
}
