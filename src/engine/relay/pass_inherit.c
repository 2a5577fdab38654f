/* What the predecessor's handoff holds that still holds: its goal, decisions, failed approaches, facts and references, those in
 * its details file included. A chain of handoffs forgets nothing this way: each carries what the one before carried, its
 * own items first, and `fix` puts into its details file what does not fit one screen. An item says at which handoff of
 * the phase it was written, so that a successor can ask for the circumstances: "(hop 2)". */
#include "engine/knowledge/knowledge.h"
#include "engine/relay/pass.h"
#include "model/fix/fix.h"
#include "model/formats/formats.h"

#define HOP HO_KNOWLEDGE_HOP
#define DEAD_ENDS "what_not_to_try"
#define DEAD_END "failed approach"

/* An item in words, without its hop: "decision: rationale", or the text. */
static ho_str words_of(ho_arena *arena, const ho_node *item)
{
  ho_str first = item->kind == HO_KIND_MAP ? ho_node_str(item->first) : ho_node_str(item), second = HO_EMPTY;
  if (item->kind == HO_KIND_MAP && item->first && item->first->next)
    second = ho_node_str(item->first->next);
  ho_str text = ho_arena_printf(arena, "%.*s%s%.*s", HO_ARG(first), second.n ? ": " : "", HO_ARG(second));
  size_t hop = ho_str_find(text, HOP);
  return ho_str_trim(hop == HO_NONE ? text : ho_str_sub(text, 0, hop));
}

/* What an item says, without its reason. */
static ho_str main_text(const ho_node *item)
{
  ho_str text = ho_node_str(item->kind == HO_KIND_MAP ? item->first : item);
  size_t hop = ho_str_find(text, HOP);
  return ho_str_trim(hop == HO_NONE ? text : ho_str_sub(text, 0, hop));
}

bool ho_pass_says_none(ho_str words)
{
  static const char none[] =
      "none|none yet|none so far|none known|none recorded|nothing|nothing yet|nothing so far|n/a";
  words = ho_str_trim(words);
  return ho_str_list_has_nocase(none, ho_str_ends(words, ".") ? ho_str_sub(words, 0, words.n - 1) : words);
}

bool ho_pass_made_goal(ho_str goal)
{
  return ho_str_starts(goal, HO_PASS_NO_GOAL) ||
         (ho_str_starts(goal, HO_PASS_OBJECTIVE) && ho_str_has(goal, HO_PASS_OBJECTIVE_OPEN));
}

/* What a pass writes itself where there is nothing to say, or about how far it is: true only when it was written. */
static bool is_of_its_time(ho_str words)
{
  return ho_pass_made_goal(words) || ho_str_starts_nocase(words, "none recorded") || ho_pass_says_none(words) ||
         ho_str_starts(words, HO_PASS_NOTHING) ||
         (ho_str_has(words, " objective") && ho_str_ends(words, " done") && isdigit((unsigned char)words.p[0]));
}

static bool has_item(ho_arena *arena, const ho_node *list, ho_str words)
{
  HO_EACH_CONST (item, list)
    if (ho_str_eq(words_of(arena, item), words))
      return true;
  return false;
}

/* The item with its hop after its last text, unless it has one. */
static ho_node *with_hop(const ho_pass *pass, const ho_node *item)
{
  ho_arena *arena = pass->phase.arena;
  ho_node *copy = ho_node_copy(arena, item), *last = copy;
  for (ho_node *part = copy && copy->kind == HO_KIND_MAP ? copy->first : NULL; part; part = part->next)
    last = part->kind == HO_KIND_TEXT ? part : last;
  if (last && last->kind == HO_KIND_TEXT && !ho_str_has(last->text, HOP))
    last->text = ho_arena_printf(arena, "%.*s%s" HOP "%zu)", HO_ARG(ho_str_trim_end(last->text)),
                                 ho_str_find_char(last->text, '\n') == HO_NONE ? "" : "\n", pass->handoffs);
  return copy;
}

/* Is it about an approach of the progress file? That has the newer word on it, or it was taken back since. */
static bool is_logged(const ho_node *progress, const ho_node *item)
{
  HO_EACH_CONST (tried, ho_map_getz(progress, "approaches_tried"))
    if (ho_str_eq(ho_map_str(tried, "approach"), main_text(item)))
      return true;
  return false;
}

/* `progress`: what was logged there is left out. NULL: nothing is. */
static void take(const ho_pass *pass, const ho_node *from, const char *key, const ho_node *progress, ho_node *to)
{
  ho_arena *arena = pass->phase.arena;
  bool whole = strcmp(key, HO_PASS_SECTIONS) == 0; /* nothing can be said behind a section: it may end in a table */
  HO_EACH_CONST (item, ho_map_getz(from, key)) {
    ho_str words = words_of(arena, item);
    if (words.n && !is_of_its_time(words) && !has_item(arena, to, words) && !is_logged(progress, item))
      ho_list_add(to, whole ? ho_node_copy(arena, item) : with_hop(pass, item));
  }
}

/* The goal is a text of the current state; on the screen it may be cut, so the details file comes first. */
static void take_goal(const ho_pass *pass, const ho_node *handoff, const ho_node *details, ho_node *to)
{
  ho_arena *arena = pass->phase.arena;
  const ho_node *whole = ho_map_getz(ho_map_getz(details, "current_state"), "goal_state");
  const ho_node *goal = whole ? whole : ho_map_getz(ho_map_getz(handoff, "current_state"), "goal_state");
  if (ho_node_is(goal, HO_KIND_TEXT) && !ho_str_blank(goal->text) && !is_of_its_time(words_of(arena, goal)))
    ho_list_add(to, with_hop(pass, goal));
}

/* What the progress file says did not work, the newest first. */
static void take_tried(const ho_pass *pass, const ho_node *progress, ho_node *to)
{
  ho_arena *arena = pass->phase.arena;
  const ho_node *tried = ho_map_getz(progress, "approaches_tried");
  const ho_node **items = ho_arena_array(arena, (tried ? tried->count : 0) + 1, sizeof *items);
  size_t count = 0;
  HO_EACH_CONST (item, tried)
    if (items && ho_progress_counts(item))
      items[count++] = item;
  while (count) {
    const ho_node *item = items[--count];
    ho_str reason = ho_map_str(item, "reason");
    ho_node *map = ho_node_new(arena, HO_KIND_MAP);
    ho_map_addz(map, "approach", ho_node_text(arena, ho_map_str(item, "approach")));
    ho_map_addz(map, "reason", ho_node_text(arena, reason.n ? reason : ho_map_str(item, "result")));
    if (map && !has_item(arena, to, words_of(arena, map)))
      ho_list_add(to, map);
  }
}

/* Those to the folder, to earlier handoffs and to the task's own plan, which may have been revised since, are made anew by
 * every pass. A plan elsewhere is known by nothing else. */
static bool is_made_anew(const ho_pass *pass, ho_str kind, ho_str path)
{
  if (ho_str_list_has_nocase("Plan", kind))
    return ho_fs_below(pass->phase.folder, ho_fs_relative(pass->phase.root, path));
  return ho_str_list_has_nocase("Details|Previous handoff|Task folder|" HO_PASS_CONTINUES, kind);
}

static void take_references(const ho_pass *pass, const ho_node *from, ho_node *to)
{
  HO_EACH_CONST (item, ho_map_getz(from, "references")) {
    ho_str kind = ho_map_str(item, "kind"), path = ho_map_str(item, "path");
    if (path.n && !is_made_anew(pass, kind, path) &&
        !has_item(pass->phase.arena, to, words_of(pass->phase.arena, item)))
      ho_list_add(to, ho_node_copy(pass->phase.arena, item));
  }
}

static const ho_node *read_as_artifact(const ho_pass *pass, ho_str path, ho_str text)
{
  ho_doc *doc = HO_NEW(pass->phase.arena, ho_doc);
  ho_error none = {0};
  if (!doc || !text.n || ho_doc_read(doc, pass->phase.arena, path, text, &ho_format_artifact, &none))
    return NULL;
  return ho_node_is(doc->root, HO_KIND_MAP) ? doc->root : NULL;
}

/* The lists that are carried on, and what an item of each is called. */
static const struct {
  const char *key, *kind;
} lists[] = {{"key_decisions", "decision"},
             {"critical_context", "fact"},
             {DEAD_ENDS, DEAD_END},
             {HO_PASS_GOAL_LIST, "goal"},
             {HO_PASS_SECTIONS, "section"}};

/* Did this session write the previous handoff? */
static bool is_own(const ho_pass *pass)
{
  ho_handoff row;
  return pass->previous.path.n &&
         ho_handed_row(pass->project, pass->phase.arena, pass->phase.root, &pass->previous, &row) &&
         ho_str_eq(row.session, pass->project->session);
}

ho_node *ho_pass_inherited(const ho_pass *pass, const ho_node *progress, ho_str handoff, ho_str details)
{
  ho_arena *arena = pass->phase.arena;
  ho_node *root = ho_node_new(arena, HO_KIND_MAP);
  const ho_node *sources[] = {read_as_artifact(pass, pass->previous.path, handoff),
                              read_as_artifact(pass, ho_fix_details_name(arena, pass->previous.path), details)};
  for (size_t k = 0; k < HO_COUNT(lists); k++) {
    bool dead_ends = strcmp(lists[k].key, DEAD_ENDS) == 0;
    ho_node *list = ho_map_addz(root, lists[k].key, ho_node_new(arena, HO_KIND_LIST));
    if (dead_ends)
      take_tried(pass, progress, list);
    for (size_t i = 0; i < HO_COUNT(sources); i++)
      take(pass, sources[i], lists[k].key, dead_ends ? progress : NULL, list);
  }
  take_goal(pass, sources[0], sources[1], ho_map_getz(root, HO_PASS_GOAL_LIST));
  if (is_own(pass)) /* its next step may well be in the same place; that of another agent's is not known to be */
    ho_map_addz(root, "current_state", ho_node_copy(arena, ho_map_getz(sources[0], "current_state")));
  ho_node *references = ho_map_addz(root, "references", ho_node_new(arena, HO_KIND_LIST));
  for (size_t i = 0; i < HO_COUNT(sources); i++)
    take_references(pass, sources[i], references);
  return root;
}

/* ---- Taking back */

typedef struct match {
  ho_node *list, *item;
  const char *kind;
  size_t count;
} match;

/* By number: a decision, as the predecessor's handoff counts them. By words: whatever contains them; if one item consists
 * of them, that. */
static void find(const ho_pass *pass, ho_node *inherited, ho_str wanted, match *m)
{
  uint64_t number = 0, at = 0;
  bool by_number = ho_str_to_u64(wanted, &number), whole = false;
  const char *words = ho_arena_z(pass->phase.arena, wanted);
  for (size_t k = 0; k < (by_number ? 1 : HO_COUNT(lists)); k++) {
    ho_node *list = ho_map_getz(inherited, lists[k].key);
    HO_EACH (item, list) {
      ho_str text = words_of(pass->phase.arena, item);
      bool same = !by_number && (ho_str_eq(text, wanted) || ho_str_eq(main_text(item), wanted));
      if (by_number ? ++at != number : !ho_str_has_nocase(text, words) || (whole && !same))
        continue;
      *m = (match){list, item, lists[k].kind, same && !whole ? 1 : m->count + 1};
      whole = whole || same;
    }
  }
}

ho_code ho_pass_revoke(const ho_pass *pass, ho_node *inherited, ho_error *err)
{
  ho_arena *arena = pass->phase.arena;
  HO_EACH_CONST (text, pass->revoked) {
    match m = {0};
    ho_str wanted = ho_str_trim(ho_node_str(text));
    if (wanted.n)
      find(pass, inherited, wanted, &m);
    if (!m.count)
      return ho_fail(err, HO_NOT_FOUND,
                     "--revoke '%.*s': no decision, fact, goal, failed approach or section of the phase says so%s%.*s",
                     HO_ARG(wanted),
                     !pass->previous.path.n ? ""
                     : pass->previous.id.n  ? "; run: "
                                            : "; read ",
                     HO_ARG(ho_handed_shown(arena, &pass->previous)));
    if (m.count > 1)
      return ho_fail(err, HO_USAGE, "--revoke '%.*s' fits %zu items of the phase; use more of its words",
                     HO_ARG(wanted), m.count);
    ho_node *entry = ho_list_add(pass->taken_back, ho_node_new(arena, HO_KIND_MAP));
    ho_map_addz(entry, "kind", ho_node_textz(arena, m.kind));
    ho_map_addz(entry, "text", ho_node_text(arena, main_text(m.item)));
    ho_node_remove(m.list, m.item);
  }
  return HO_OK;
}

ho_node *ho_pass_retried(const ho_pass *pass)
{
  ho_node *list = ho_node_new(pass->phase.arena, HO_KIND_LIST);
  HO_EACH_CONST (entry, pass->taken_back) {
    ho_str text = ho_map_str(entry, "text");
    bool stays = !ho_str_is(ho_map_str(entry, "kind"), DEAD_END); /* else: it failed for another reason too */
    HO_EACH_CONST (item, ho_map_getz(pass->inherited, DEAD_ENDS))
      stays = stays || ho_str_eq(main_text(item), text);
    if (!stays)
      ho_list_add(list, ho_node_text(pass->phase.arena, text));
  }
  return list;
}
