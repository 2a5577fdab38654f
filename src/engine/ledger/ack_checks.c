/* The four checks of a handoff's receiver: is the summary understandable, do the artifacts exist, is the deliverable
 * clear, do the constraints fit what the receiver can do? Each says whether the program checked it itself or the
 * receiver states it (in JSON: verified, asserted). */
#include "engine/ledger/describe.h"
#include "engine/ledger/respond.h"
#include "store/handoffs/handoffs.h"

static void put(ho_arena *arena, ho_node *list, const char *check, bool ok, bool checked, ho_str why)
{
  ho_node *item = ho_list_add(list, ho_node_new(arena, HO_KIND_MAP));
  ho_map_addz(item, "check", ho_node_textz(arena, check));
  ho_map_addz(item, "ok", ho_node_bool(arena, ok));
  ho_map_addz(item, "known", ho_node_textz(arena, checked ? "verified" : "asserted"));
  if (why.n)
    ho_map_addz(item, "why", ho_node_text(arena, why));
}

/* The message of the first finding under a rule that belongs to this check. */
static ho_str finding(const ho_doc *doc, const char *check)
{
  for (size_t i = 0; i < doc->report.count; i++)
    for (const ho_rule *rule = doc->format->rules; rule && rule->info.id; rule++)
      if (doc->report.items[i].rule == &rule->info && rule->ack && strcmp(rule->ack, check) == 0)
        return doc->report.items[i].message;
  return HO_EMPTY;
}

/* A capability that a constraint mentions, that some agent of the project has, and that this one lacks. */
static ho_str missing_capability(ho_project *project, const ho_node *constraints)
{
  const ho_node *own = NULL, *agents = ho_project_trusted(project, HO_TRUST_AGENTS);
  HO_EACH_CONST (agent, agents)
    if (ho_str_eq(ho_map_str(agent, "name"), project->name))
      own = ho_map_getz(agent, "capabilities");
  HO_EACH_CONST (agent, agents)
    HO_EACH_CONST (capability, ho_map_getz(agent, "capabilities")) {
      bool has = false, wanted = false;
      HO_EACH_CONST (mine, own)
        has |= ho_str_eq(mine->text, capability->text);
      HO_EACH_CONST (constraint, constraints)
        wanted |=
            constraint->text.n && ho_str_has_nocase(constraint->text, capability->text.p ? capability->text.p : "");
      if (wanted && !has)
        return capability->text;
    }
  return HO_EMPTY;
}

/* The document's field for it, according to its format, or NULL. */
static const ho_node *field(const ho_doc *doc, const char *path)
{
  return path ? ho_node_by_names(doc->root, path) : NULL;
}

static void check_constraints(ho_project *project, ho_arena *arena, ho_node *list, const ho_node *constraints,
                              const ho_ack *ack)
{
  ho_str missing = project->name.n ? missing_capability(project, constraints) : HO_EMPTY;
  if (missing.n) {
    put(arena, list, "constraints", false, true,
        ho_arena_printf(arena, "%.*s is not a capability of %.*s", HO_ARG(missing), HO_ARG(project->name)));
    return;
  }
  bool ok = !ack->blockers || !ack->blockers->count;
  put(arena, list, "constraints", ok, false,
      ho_arena_printf(arena, "%u given, %u restated", constraints ? constraints->count : 0,
                      ack->constraints ? ack->constraints->count : 0));
}

ho_node *ho_receive_checks(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_str body, const ho_ack *ack)
{
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  ho_doc doc = {0};
  ho_error err = {0};
  ho_str path = row->path.n ? row->path : row->id;
  if (ho_doc_read(&doc, arena, path, body, ho_format_named(row->kind), &err) || !doc.root || !doc.format->sending)
    return list;
  const ho_sending *how = doc.format->sending;
  ho_check_env env = {.path = path, .tokens = ack->tokens};
  if (ho_doc_check(&doc, &env, &err))
    return list;
  ho_str thin = finding(&doc, "summary");
  put(arena, list, "summary", !thin.n, true, thin);
  ho_str moved = ho_describe_moved(project, row, arena);
  put(arena, list, "artifacts", !moved.n, true, moved);
  ho_str vague = finding(&doc, "deliverable");
  bool clear = !how->deliverable || (!vague.n && !ho_node_empty(field(&doc, how->deliverable)));
  put(arena, list, "deliverable", clear, true, clear || vague.n ? vague : HO_STR("names no deliverable"));
  check_constraints(project, arena, list, field(&doc, how->constraints), ack);
  return list;
}
