#include "engine/ledger/draft.h"

#include "base/buf.h"
#include "base/proc/shim.h"
#include "base/time.h"
#include "engine/ledger/gate.h"
#include "engine/ledger/marks.h"
#include "engine/project/identity.h"
#include "engine/project/project.h"
#include "engine/project/quote.h"
#include "engine/project/redact.h"
#include "model/document/read.h"
#include "model/document/write.h"
#include "model/formats/formats.h"
#include "store/handoffs/bodies.h"
#include "store/runs/runs.h"

#define MARK "drafted"
#define SAVED "saved"
enum { DRAFTS = 200, EVENTS = 1000 };

static ho_node *add_map(ho_arena *arena, ho_node *map, const char *key)
{
  return ho_map_addz(map, key, ho_node_new(arena, HO_KIND_MAP));
}

/* One line per event of the handoff that the agent worked on: what it said itself. */
static ho_code add_history(ho_project *project, const ho_draft *draft, ho_arena *arena, ho_error *err)
{
  ho_event_list events = {0};
  ho_code code =
      draft->parent.n ? ho_events_select(project->store, draft->parent, 0, EVENTS, arena, &events, err) : HO_OK;
  for (size_t i = 0; !code && i < events.count; i++) {
    const ho_event *e = &events.rows[i];
    ho_list_add(draft->facts, ho_node_text(arena, ho_arena_printf(arena, HO_DRAFT_EVENT "%.*s %.*s by %.*s %.*s",
                                                                  HO_ARG(ho_time_str(arena, e->at)), HO_ARG(e->kind),
                                                                  HO_ARG(e->actor), HO_ARG(e->data))));
  }
  return code;
}

/* "phase 2 of task 7", or whatever else is known about its assignment. */
static ho_str wanted(const ho_draft *draft, ho_arena *arena)
{
  if (draft->parent.n)
    return ho_arena_printf(arena, "What %.*s asks for", HO_ARG(draft->parent));
  if (draft->task.n && draft->phase.n)
    return ho_arena_printf(arena, "What phase %.*s of task %.*s asks for", HO_ARG(draft->phase), HO_ARG(draft->task));
  if (draft->task.n)
    return ho_arena_printf(arena, "What task %.*s asks for", HO_ARG(draft->task));
  return HO_STR("What the session was asked for");
}

static ho_node *package(const ho_draft *draft, const ho_handoff *row, ho_arena *a)
{
  ho_node *root = ho_node_new(a, HO_KIND_MAP);
  ho_map_addz(root, "id", ho_node_text(a, row->id));
  ho_map_addz(root, "timestamp", ho_node_text(a, ho_time_str(a, row->created)));
  ho_map_addz(root, "type", ho_node_textz(a, "sequential"));
  ho_map_addz(add_map(a, root, "from"), "agent", ho_node_text(a, row->sender));
  ho_node *to = add_map(a, root, "to");
  ho_map_addz(to, "agent", ho_node_text(a, row->receiver.n ? row->receiver : ho_identity_name(row->sender)));
  ho_map_addz(to, "reason",
              draft->saved ? ho_node_textz(a, "Saved automatically before compaction")
                           : ho_node_text(a, ho_arena_printf(a, "Drafted automatically: %.*s", HO_ARG(draft->why))));
  ho_node *context = add_map(a, root, "context");
  ho_map_addz(
      context, "summary",
      ho_node_text(
          a,
          ho_arena_printf(
              a, "Drafted from what could be seen of the work of %.*s%s%.*s (%.*s); nobody has checked or confirmed it",
              HO_ARG(row->sender), draft->session.n ? " in session " : "", HO_ARG(draft->session),
              HO_ARG(draft->why))));
  ho_map_addz(context, "key_info", draft->facts);
  ho_map_addz(add_map(a, root, "expectations"), "deliverable", ho_node_text(a, wanted(draft, a)));
  return root;
}

bool ho_draft_is(const ho_handoff *row, ho_arena *arena)
{
  return ho_str_is(row->state, ho_state_name(HO_STATE_DRAFT)) || ho_marks_get(row, arena, MARK).n > 0;
}

bool ho_draft_was_saved(const ho_handoff *row, ho_arena *arena)
{
  return ho_str_is(ho_marks_get(row, arena, MARK), SAVED);
}

bool ho_draft_tells(const ho_handoff *row, ho_arena *arena)
{
  return ho_str_is(row->kind, ho_format_artifact.name) || ho_draft_is(row, arena);
}

/* Has the agent itself handed off? */
static ho_code handed_off(ho_project *project, const ho_draft *draft, ho_arena *arena, bool *yes, ho_error *err)
{
  ho_handoff_list list;
  ho_filter filter = {.session = draft->session, .since = draft->since, .limit = DRAFTS};
  *yes = false;
  if (!draft->since)
    return HO_OK;
  if (!draft->session.n) {
    filter.task = ho_id_plain(draft->task);
    filter.phase = ho_id_plain(draft->phase);
  }
  ho_code code = ho_handoffs_select(project->store, &filter, arena, &list, err);
  for (size_t i = 0; !code && !*yes && i < list.count; i++)
    *yes = draft->once || !ho_draft_is(&list.rows[i], arena);
  return code;
}

ho_code ho_draft_loose(ho_project *project, ho_str session, ho_arena *arena, ho_handoff_list *out, ho_error *err)
{
  ho_filter filter = {.state = ho_str_of(ho_state_name(HO_STATE_DRAFT)), .session = session, .limit = DRAFTS};
  size_t kept = 0;
  *out = (ho_handoff_list){0};
  ho_code code = session.n ? ho_handoffs_select(project->store, &filter, arena, out, err) : HO_OK;
  for (size_t i = 0; !code && i < out->count; i++)
    if (!out->rows[i].task.n)
      out->rows[kept++] = out->rows[i];
  out->count = kept;
  return code;
}

static ho_code replace(ho_project *project, const ho_handoff *row, const ho_handoff *by, ho_arena *arena, ho_error *err)
{
  ho_turn turn = {0};
  if (ho_str_eq(row->id, by->id))
    return HO_OK;
  ho_code code = ho_turn_of(project, row, arena, &turn, err);
  return code ? code : ho_gate_supersede(&turn, by->id, err);
}

ho_code ho_draft_select(ho_project *project, ho_str task, ho_str phase, ho_str session, ho_arena *arena,
                        ho_handoff_list *out, ho_error *err)
{
  ho_handoff_list loose, own = {0};
  ho_filter filter = {.state = ho_str_of(ho_state_name(HO_STATE_DRAFT)), .task = task, .phase = phase, .limit = DRAFTS};
  *out = (ho_handoff_list){0};
  ho_code code = ho_draft_loose(project, session, arena, &loose, err);
  if (!code && task.n)
    code = ho_handoffs_select(project->store, &filter, arena, &own, err);
  if (!code)
    out->rows = ho_arena_array(arena, loose.count + own.count + 1, sizeof *out->rows);
  if (code || !out->rows)
    return code ? code : ho_arena_code(arena, err);
  for (size_t i = 0; i < loose.count; i++)
    out->rows[out->count++] = loose.rows[i];
  for (size_t i = 0; i < own.count; i++)
    if (ho_str_eq(own.rows[i].phase, phase))
      out->rows[out->count++] = own.rows[i];
  return HO_OK;
}

ho_code ho_draft_replace(ho_project *project, const ho_handoff *by, ho_arena *arena, ho_error *err)
{
  ho_handoff_list list;
  ho_code code = ho_draft_select(project, by->task, by->phase, by->session, arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++)
    code = replace(project, &list.rows[i], by, arena, err);
  return code;
}

ho_str ho_draft_asked(ho_project *project, const ho_handoff *row, ho_arena *arena)
{
  enum { LONG = 300 };
  ho_doc doc;
  ho_str body;
  ho_error none = {0};
  if (ho_bodies_get(project->store, row->digest, arena, &body, &none) ||
      ho_doc_read(&doc, arena, row->id, body, &ho_format_package, &none))
    return HO_EMPTY;
  HO_EACH_CONST (fact, ho_map_getz(ho_map_getz(doc.root, "context"), "key_info")) {
    ho_str text = ho_node_str(fact);
    if (ho_str_starts(text, HO_DRAFT_REQUEST))
      return ho_quote_clean(arena, ho_str_sub(text, strlen(HO_DRAFT_REQUEST), text.n), LONG, true);
  }
  return HO_EMPTY;
}

static ho_code write_body(ho_project *project, const ho_draft *draft, const ho_handoff *row, ho_arena *arena,
                          ho_str *out, ho_error *err)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_code code = ho_doc_write(&ho_format_package, package(draft, row, arena), HO_YAML, &text, err);
  *out = ho_buf_move(&text, arena);
  if (!code)
    *out = ho_redact_file(project, arena, HO_STR("draft.yaml"), *out);
  return code ? code : ho_arena_code(arena, err);
}

ho_code ho_draft_add(ho_project *project, ho_draft *draft, ho_arena *arena, ho_error *err)
{
  ho_str body, agent = draft->agent.n ? draft->agent : project->agent.n ? project->agent : HO_STR("agent");
  bool handed;
  draft->id = HO_EMPTY;
  ho_handoff row = {.kind = ho_str_of(ho_format_package.name),
                    .type = HO_STR("sequential"),
                    .state = ho_str_of(ho_state_name(HO_STATE_DRAFT)),
                    .sender = agent,
                    .receiver = draft->receiver.n ? draft->receiver : ho_identity_name(agent),
                    .task = ho_id_plain(draft->task),
                    .phase = ho_id_plain(draft->phase),
                    .session = draft->session,
                    .parent = draft->parent,
                    .created = ho_project_now(project)};
  row.updated = row.created;
  ho_marks_set(&row, arena, MARK, draft->saved ? HO_STR(SAVED) : HO_STR("asserted")); /* nobody has checked it */
  ho_str actor = ho_project_actor(project);
  ho_event event = {/* a person who leads a run drafts nothing */
                    .at = row.created,
                    .actor = ho_str_starts(actor, HO_PROJECT_PERSON) ? HO_STR("handoff") : actor,
                    .kind = ho_str_of(ho_event_kind_name(HO_EVENT_DRAFTED))};
  ho_code code = handed_off(project, draft, arena, &handed, err);
  if (code || handed)
    return code;
  code = ho_turn_new_id(project, arena, &row.id, err);
  if (!code)
    code = add_history(project, draft, arena, err);
  if (!code)
    code = write_body(project, draft, &row, arena, &body, err);
  if (!code)
    code = ho_handoffs_add(project->store, &row, body, &event, arena, err);
  if (!code)
    code = ho_draft_replace(project, &row, arena, err);
  if (!code)
    draft->id = row.id;
  return code;
}

ho_code ho_draft_taken(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_str *by, ho_error *err)
{
  ho_teammate_list mates = {0};
  *by = HO_EMPTY;
  ho_code code = ho_runs_teammates(project->store, HO_EMPTY, HO_EMPTY, HO_TEAMMATE_RUNNING, 0, arena, &mates, err);
  for (size_t i = 0; !code && i < mates.count; i++) {
    const ho_teammate *mate = &mates.rows[i];
    if (ho_str_eq(mate->from_id, row->id) && (!mate->pid || ho_process_start((pid_t)mate->pid) == mate->pid_start))
      *by = mate->id;
  }
  return code;
}
