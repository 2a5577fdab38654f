/* The handoff that a pass writes, and whether there is anything to hand off. */
#include "base/digest.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/draft.h"
#include "engine/project/quote.h"
#include "engine/relay/pass.h"

static void put(ho_arena *arena, ho_node *map, const char *key, ho_str text)
{
  if (text.n)
    ho_map_addz(map, key, ho_node_text(arena, text));
}

static const ho_node *own(const ho_pass *pass, const char *key)
{
  return ho_map_getz(pass->own, key);
}

/* The item of a list that has no other: "None recorded", and what that means, under the keys that its format expects. */
static ho_node *none(ho_arena *arena, const char *key, const char *why, const char *meaning)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  ho_map_addz(map, key, ho_node_textz(arena, "None recorded"));
  ho_map_addz(map, why, ho_node_textz(arena, meaning));
  return map;
}

/* The text by which an item is known: its own, or the first of its record. */
static ho_str named(const ho_node *item)
{
  return item->kind == HO_KIND_MAP ? ho_node_str(item->first) : ho_node_str(item);
}

static bool has(const ho_node *list, ho_str name)
{
  HO_EACH_CONST (item, list)
    if (ho_str_eq(named(item), name))
      return true;
  return false;
}

static bool has_same(const ho_node *list, const ho_node *wanted)
{
  HO_EACH_CONST (item, list)
    if (ho_node_equal(item, wanted))
      return true;
  return false;
}

/* Adds the agent's own items, each once. One approach may have failed for several reasons. One that says that there are
 * none is not an item. */
static void add_own(const ho_pass *pass, ho_node *list, const ho_node *items)
{
  HO_EACH_CONST (item, items)
    if (!ho_str_blank(named(item)) && !ho_pass_says_none(named(item)) && !has_same(list, item))
      ho_list_add(list, ho_node_copy(pass->phase.arena, item));
}

/* Adds inherited items, except those that the list had before by the same name: the newer word on it counts. */
static void add_inherited(const ho_pass *pass, ho_node *list, const ho_node *items)
{
  const ho_node *newer = ho_node_copy(pass->phase.arena, list);
  HO_EACH_CONST (item, items)
    if (!ho_str_blank(named(item)) && !has(newer, named(item)))
      ho_list_add(list, ho_node_copy(pass->phase.arena, item));
}

/* Own items, then inherited ones: what does not fit one screen is cut from the end. */
static ho_node *carried(const ho_pass *pass, const char *key)
{
  ho_node *list = ho_node_new(pass->phase.arena, HO_KIND_LIST);
  add_own(pass, list, own(pass, key));
  add_inherited(pass, list, ho_map_getz(pass->inherited, key));
  return list;
}

/* Adds what the given record says beyond what the map has, but for the named members: nothing that is passed on gets
 * lost. */
static void add_rest(ho_arena *arena, ho_node *map, const ho_node *given, const char *but)
{
  if (!ho_node_is(given, HO_KIND_MAP))
    return;
  HO_EACH_CONST (member, given)
    if (!ho_str_list_has(but, member->key) && !ho_map_get(map, member->key))
      ho_map_add(map, member->key, ho_node_copy(arena, member));
}

static ho_str given_goal(const ho_pass *pass)
{
  const ho_node *given = own(pass, "current_state");
  ho_str goal = ho_map_str(given, "goal_state");
  return goal.n ? goal : ho_map_str(given, "x_text");
}

static ho_str earlier_goal(const ho_pass *pass)
{
  const ho_node *list = ho_map_getz(pass->inherited, HO_PASS_GOAL_LIST);
  return list && list->first ? list->first->text : HO_EMPTY;
}

/* What must become true: as given, else as the current objective says, else as the previous handoff does, else what was
 * asked for. */
static ho_str goal_of(const ho_pass *pass, const ho_node *progress)
{
  ho_arena *arena = pass->phase.arena;
  ho_str given = given_goal(pass), earlier = earlier_goal(pass);
  const ho_node *current = ho_progress_current(progress);
  ho_str note = ho_map_str(current, "note");
  if (given.n)
    return given;
  if (current)
    return ho_arena_printf(arena, HO_PASS_OBJECTIVE "%.*s" HO_PASS_OBJECTIVE_OPEN "%.*s%s%.*s%s",
                           HO_ARG(ho_progress_id(progress, current, arena)), HO_ARG(ho_map_str(current, "description")),
                           note.n ? " (" : "", HO_ARG(note), note.n ? ")" : "");
  if (earlier.n)
    return earlier;
  if (pass->origin.id.n)
    return ho_arena_printf(arena, "What %.*s asks for: %.*s", HO_ARG(pass->origin.id),
                           HO_ARG(ho_describe_subject(pass->project, &pass->origin, arena)));
  if (pass->request.n)
    return ho_arena_printf(arena, HO_DRAFT_REQUEST "%.*s", HO_ARG(pass->request));
  return HO_STR(HO_PASS_NO_GOAL);
}

/* The file with its absolute path, as the format wants it. */
static ho_node *state(const ho_pass *pass, const ho_node *progress)
{
  ho_arena *arena = pass->phase.arena;
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  const ho_node *given = own(pass, "current_state"), *current = ho_progress_current(progress);
  const ho_node *files = ho_map_getz(current, "files_touched");
  ho_str file = ho_map_str(given, "file");
  const ho_node *before = ho_map_getz(pass->inherited, "current_state");
  bool stays = !file.n && (!files || !files->last);
  ho_str location = ho_map_str(given, "location");
  if (stays)
    file = ho_map_str(before, "file");
  else if (!file.n)
    file = ho_node_str(files->last);
  put(arena, map, "file", file.n ? ho_fs_join(arena, pass->phase.root, file) : HO_EMPTY);
  put(arena, map, "location", location.n || !stays ? location : ho_map_str(before, "location"));
  put(arena, map, "goal_state", goal_of(pass, progress));
  add_rest(arena, map, given, ho_map_str(given, "goal_state").n ? "" : "x_text");
  return map;
}

static ho_node *dead_ends(const ho_pass *pass)
{
  ho_node *list = carried(pass, "what_not_to_try");
  if (list && !list->count)
    ho_list_add(list, none(pass->phase.arena, "approach", "reason", "no approach is known to have failed"));
  return list;
}

/* What the work is for stays known while an objective is the goal. */
static void add_purpose(const ho_pass *pass, ho_node *list, ho_str goal)
{
  ho_arena *arena = pass->phase.arena;
  ho_str earlier = earlier_goal(pass);
  if (earlier.n && !given_goal(pass).n && !ho_str_eq(earlier, goal))
    ho_list_add(list, ho_node_text(arena, ho_arena_printf(arena, "Goal so far: %.*s",
                                                          HO_ARG(ho_quote_clean(arena, earlier, earlier.n, true)))));
  if (pass->request.n && !ho_str_starts(goal, HO_DRAFT_REQUEST))
    ho_list_add(list, ho_node_text(arena, ho_arena_printf(arena, HO_DRAFT_REQUEST "%.*s", HO_ARG(pass->request))));
}

static ho_node *facts(const ho_pass *pass, const ho_node *progress)
{
  ho_arena *arena = pass->phase.arena;
  ho_progress_count count = ho_progress_counted(progress);
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  if (pass->marked)
    ho_list_add(list, ho_node_textz(arena, HO_PASS_NOTHING " since the previous handoff"));
  add_own(pass, list, own(pass, "critical_context"));
  add_purpose(pass, list, goal_of(pass, progress));
  add_inherited(pass, list, ho_map_getz(pass->inherited, "critical_context"));
  if (list && !list->count && progress)
    ho_list_add(list, ho_node_text(arena, ho_arena_printf(arena, "%zu of %zu objective%s %s done", count.done,
                                                          count.total, ho_plural((long long)count.total),
                                                          ho_plural_of((long long)count.done, "is", "are"))));
  else if (list && !list->count)
    ho_list_add(list, ho_node_textz(arena, "None recorded"));
  return list;
}

static ho_node *reference(ho_arena *arena, const char *kind, ho_str path, ho_str detail)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  put(arena, map, "kind", ho_str_of(kind));
  put(arena, map, "path", path);
  put(arena, map, "detail", detail);
  return map;
}

/* The handoff that this one continues: its file, or the command that shows it. */
static ho_node *origin(const ho_pass *pass)
{
  ho_arena *arena = pass->phase.arena;
  const ho_handoff *row = &pass->origin;
  if (row->path.n)
    return reference(arena, HO_PASS_CONTINUES, row->path, row->id);
  return reference(arena, HO_PASS_CONTINUES, ho_arena_printf(arena, "handoff show %.*s", HO_ARG(row->id)), HO_EMPTY);
}

/* Own ones, what the phase goes by (the plan, the handoff that asked for it), and the previous handoff, which leads to all
 * before it. The first own one comes before them; with a details file, two are left. */
static ho_node *references(const ho_pass *pass)
{
  ho_arena *arena = pass->phase.arena;
  const ho_node *given = own(pass, "references");
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  ho_str plan = ho_phase_plan(&pass->phase);
  if (given && given->first)
    ho_list_add(list, ho_node_copy(arena, given->first));
  else if (plan.n)
    ho_list_add(list, reference(arena, "Plan", plan, ho_arena_printf(arena, "Phase %.*s", HO_ARG(pass->phase.phase))));
  if (pass->origin.id.n)
    ho_list_add(list, origin(pass));
  if (pass->previous.path.n)
    ho_list_add(list, reference(arena, "Previous handoff", ho_handed_shown(arena, &pass->previous), HO_EMPTY));
  for (const ho_node *item = given && given->first ? given->first->next : NULL; item; item = item->next)
    ho_list_add(list, ho_node_copy(arena, item));
  HO_EACH_CONST (item, ho_map_getz(pass->inherited, "references"))
    ho_list_add(list, ho_node_copy(arena, item));
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
  put(arena, root, "immediate_next_action", ho_map_str(pass->own, "immediate_next_action"));
  ho_map_addz(root, "current_state", state(pass, progress));
  ho_node *decisions = carried(pass, "key_decisions");
  if (decisions && !decisions->count)
    ho_list_add(decisions, none(arena, "decision", "rationale", "no decision binds the successor"));
  ho_map_addz(root, "key_decisions", decisions);
  ho_map_addz(root, "what_not_to_try", dead_ends(pass));
  ho_map_addz(root, "critical_context", facts(pass, progress));
  ho_map_addz(root, "references", references(pass));
  ho_node *sections = carried(pass, HO_PASS_SECTIONS);
  if (sections && sections->count)
    ho_map_addz(root, HO_PASS_SECTIONS, sections);
  add_rest(arena, root, pass->own, "genre");
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

/* Is there anything in it that was not handed off before? */
static bool is_new(const ho_pass *pass, const ho_node *node, ho_str before)
{
  if (node && node->kind == HO_KIND_TEXT)
    return !is_old(pass, node->text, before);
  HO_EACH_CONST (child, node)
    if (is_new(pass, child, before))
      return true;
  return false;
}

static bool is_learned(const ho_pass *pass, ho_str before)
{
  static const char *const keys[] = {"current_state", "key_decisions", "what_not_to_try", "critical_context"};
  for (size_t i = 0; i < HO_COUNT(keys); i++)
    if (is_new(pass, own(pass, keys[i]), before))
      return true;
  return pass->revoked && pass->revoked->count;
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
         ho_str_cmp(ho_str_of(updated), stamp) >= 0;
}

bool ho_pass_moved(const ho_pass *pass, const ho_node *progress, ho_str before, ho_str stamp)
{
  return is_worked(pass, progress, stamp) || is_learned(pass, before);
}
