/* The rules of a plan. */
#include "model/formats/names.h"
#include "model/formats/place.h"
#include "model/formats/plan.h"
#include "model/lex.h"

static void check_status(ho_check *check, const ho_rule *rule)
{
  const ho_node *phases = ho_check_get(check, "phases");
  if (ho_node_is(phases, HO_KIND_LIST))
    HO_EACH_CONST (phase, phases)
      if (phase->kind == HO_KIND_MAP && ho_node_empty(ho_map_getz(phase, "status")))
        ho_check_fail(check, rule, phase, "phase %.*s has no status", HO_ARG(ho_map_str(phase, "id")));
}

static void check_unique(ho_check *check, const ho_rule *rule)
{
  ho_names names = ho_names_of(check->report->arena, ho_check_get(check, "phases"), "id");
  ho_names_check_unique(check, rule, &names, "phase");
}

static void check_known(ho_check *check, const ho_rule *rule)
{
  const ho_node *phases = ho_check_get(check, "phases");
  ho_names names = ho_names_of(check->report->arena, phases, "id");
  if (!ho_node_is(phases, HO_KIND_LIST))
    return;
  HO_EACH_CONST (phase, phases) {
    const ho_node *list = ho_map_getz(phase, "dependencies");
    if (!ho_node_is(list, HO_KIND_LIST))
      continue;
    HO_EACH_CONST (id, list)
      if (!ho_names_find(&names, ho_node_str(id)))
        ho_check_fail(check, rule, id, "there is no phase %.*s", HO_ARG(ho_node_str(id)));
  }
}

/* A line that is meant as dependencies but is not written as a label: "Depends on: Phase 2". */
static bool is_plain_need(ho_str line)
{
  line = ho_str_trim(line);
  if (ho_str_starts(line, "- ") || ho_str_starts(line, "* "))
    line = ho_str_trim(ho_str_sub(line, 2, line.n));
  if (!ho_str_starts_nocase(line, "depends on:") && !ho_str_starts_nocase(line, "dependencies:"))
    return false;
  line = ho_str_trim(ho_str_sub(line, ho_str_find_char(line, ':') + 1, line.n));
  return ho_str_starts_nocase(line, "phase") || (line.n && isdigit((unsigned char)line.p[0]));
}

static size_t heading_level(ho_str line)
{
  size_t level = 0;
  while (level < line.n && line.p[level] == '#')
    level++;
  return level;
}

/* The first such line of a phase, up to the next heading of its level; where there is none, the empty slice. */
static ho_str find_plain_need(ho_str text)
{
  ho_str line, rest = text;
  size_t level = heading_level(text);
  bool fenced = false;
  ho_str_next_line(&rest, &line);
  while (ho_str_next_line(&rest, &line)) {
    if (ho_str_starts(ho_str_trim(line), "```"))
      fenced = !fenced;
    size_t next = fenced ? 0 : heading_level(line);
    if (next && next <= level)
      break;
    if (!fenced && is_plain_need(line))
      return ho_str_trim(line);
  }
  return HO_EMPTY;
}

/* To the reader such a line is just text, so the phase would start too early. */
static void check_plain(ho_check *check, const ho_rule *rule)
{
  const ho_node *phases = ho_check_get(check, "phases");
  size_t index = 0;
  if (!ho_node_is(phases, HO_KIND_LIST) || !check->source || check->encoding != HO_MARKDOWN)
    return;
  HO_EACH_CONST (phase, phases) {
    ho_path list = {NULL, HO_STR("phases"), 0}, path = {&list, {NULL, 0}, index++};
    ho_str text = check->source->text;
    if (phase->begin == HO_NOWHERE || !ho_node_empty(ho_map_getz(phase, "dependencies")))
      continue;
    ho_str line = find_plain_need(ho_str_sub(text, phase->begin, phase->next ? phase->next->begin : text.n));
    if (line.n)
      ho_report_add(check->report, &rule->info, (uint32_t)(line.p - text.p), &path,
                    "write dependencies in bold, '**Dependencies**: Phase 1'; this line is read as plain text");
  }
}

/* A walk along the dependencies, without recursion: which phases are on the current path, and where to continue in
 * each. */
typedef struct walk {
  const ho_node **phases;
  const ho_node **next; /* the dependency to look at next */
  size_t *way;
  uint8_t *seen; /* 1: on the current path; 2: done */
  size_t count, depth;
} walk;

static walk start_walk(ho_arena *arena, const ho_node *phases)
{
  size_t n = phases->count;
  walk w = {.phases = ho_arena_array(arena, n, sizeof *w.phases),
            .next = ho_arena_array(arena, n, sizeof *w.next),
            .way = ho_arena_array(arena, n, sizeof *w.way),
            .seen = ho_arena_array(arena, n, 1)};
  if (w.phases && w.next && w.way && w.seen)
    HO_EACH_CONST (phase, phases)
      w.phases[w.count++] = phase;
  return w;
}

static void enter(walk *w, size_t at)
{
  const ho_node *list = ho_map_getz(w->phases[at], "dependencies");
  w->seen[at] = 1;
  w->next[at] = ho_node_is(list, HO_KIND_LIST) ? list->first : NULL;
  w->way[w->depth++] = at;
}

static void check_cycle(ho_check *check, const ho_rule *rule)
{
  const ho_node *phases = ho_check_get(check, "phases");
  if (!ho_node_is(phases, HO_KIND_LIST))
    return;
  ho_names names = ho_names_of(check->report->arena, phases, "id");
  walk w = start_walk(check->report->arena, phases);
  for (size_t first = 0; first < w.count; first++) {
    if (!w.seen[first])
      enter(&w, first);
    while (w.depth) {
      size_t at = w.way[w.depth - 1];
      const ho_node *id = w.next[at];
      if (!id) {
        w.seen[at] = 2;
        w.depth--;
        continue;
      }
      w.next[at] = id->next;
      const ho_name *needed = ho_names_find(&names, ho_node_str(id));
      if (needed && w.seen[needed->index] == 1)
        ho_check_fail(check, rule, id, "phases %.*s and %.*s wait for each other",
                      HO_ARG(ho_map_str(w.phases[at], "id")), HO_ARG(ho_node_str(id)));
      else if (needed && !w.seen[needed->index])
        enter(&w, needed->index);
    }
  }
}

/* implementation-NNN.md, or NN_short-slug.md as in newer projects. */
static void check_name(ho_check *check, const ho_rule *rule)
{
  ho_str name = ho_place_name(check->env->path), rest, middle;
  if (!ho_place_known(check->env->path))
    return;
  rest = name;
  bool newer = ho_lex_digits(&rest) > 0 && ho_str_starts(rest, "_") && ho_str_ends(rest, ".md");
  bool older = ho_place_between(name, "implementation-", ".md", &middle) && ho_lex_digits(&middle) > 0 && !middle.n;
  if (!newer && !older)
    ho_check_fail(check, rule, NULL, "expected a file name 'implementation-NNN.md', found '%.*s'", HO_ARG(name));
}

const ho_rule ho_plan_rules[] = {
    {.info = {"plan-phase-status", HO_WARNING, "A phase heading must end in its status in brackets.",
              "Add [NOT STARTED], [IN PROGRESS], [COMPLETED], [PARTIAL] or [BLOCKED]."},
     .check = check_status},
    {.info = {"plan-phase-duplicate", HO_ERROR, "Phase numbers must be unique.", "Renumber one of the phases."},
     .check = check_unique,
     .fact = true},
    {.info = {"plan-dependency-unknown", HO_ERROR, "A phase may only depend on phases of the plan.",
              "Name a phase that exists, or remove the dependency."},
     .check = check_known,
     .fact = true},
    {.info = {"plan-dependency-plain", HO_ERROR, "Dependencies must be a label in bold; other lines are plain text.",
              "Write **Dependencies**: Phase 1 on a line of its own."},
     .check = check_plain,
     .fact = true},
    {.info = {"plan-cycle", HO_ERROR, "A phase must not wait for itself, directly or through others.",
              "Remove one of the dependencies in the cycle."},
     .check = check_cycle,
     .fact = true},
    {.info = {"plan-file-name", HO_WARNING, "A plan must be named implementation-NNN.md or NN_slug.md.",
              "Rename the file."},
     .check = check_name},
    HO_RULES_END};
