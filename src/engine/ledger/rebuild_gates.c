/* Gates survive a rebuild: none is opened by it. */
#include "base/digest.h"
#include "base/grow.h"
#include "engine/ledger/gate.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/rebuild_parts.h"
#include "engine/project/event_data.h"
#include "engine/project/paths.h"
#include "store/handoffs/bodies.h"
#include "store/handoffs/events.h"
#include "store/handoffs/gates.h"

enum { MOST = 100000 };

static ho_project old_project(const ho_rebuilding *r)
{
  ho_project old = *r->project;
  old.store = r->swap.store;
  return old;
}

static ho_code add_lines(ho_rebuilding *r, const ho_decider_lines *lines, ho_error *err)
{
  ho_code code = HO_OK;
  for (size_t i = 0; !code && i < lines->count; i++) {
    ho_event event = {.at = ho_project_now(r->project),
                      .actor = ho_project_actor(r->project),
                      .kind = lines->rows[i].revoked ? HO_EVENT_DECIDER_REVOKED : HO_EVENT_DECIDER_ENROLLED,
                      .data = ho_event_data_json(r->arena, ho_deciders_line_data(r->arena, &lines->rows[i]))};
    code = ho_arena_code(r->arena, err);
    if (!code)
      code = ho_events_add_project(r->project->store, &event, err);
  }
  return code;
}

ho_code ho_rebuild_deciders(ho_rebuilding *r, ho_error *err)
{
  ho_deciders deciders;
  ho_event_list events = {0};
  ho_code code = ho_events_select(r->project->store, HO_EVENTS_PROJECT, 0, 1, r->arena, &events, err);
  size_t count = events.count;
  if (!code)
    code = ho_deciders_load(r->project, r->arena, &deciders, err);
  if (!code)
    ho_deciders_ask_git(r->project, r->arena, &deciders);
  if (!code && !count && deciders.pin.count) {
    code = add_lines(r, &deciders.pin, err);
    ho_rebuild_lost(r, HO_STR("deciders"),
                    "restored from the copy outside the project; which unsigned decisions counted "
                    "is lost");
  } else if (!code && !count && deciders.required) {
    ho_rebuild_lost(r, HO_STR("deciders"),
                    deciders.file.count
                        ? "who decides; check " HO_PATH_DECIDERS " and run: handoff key enrol " HO_PATH_DECIDERS
                        : "who decides; git's newest commit has them; run: git checkout -- " HO_PATH_DECIDERS);
  }
  r->guarded = !code && deciders.required;
  if (r->guarded && !r->out->events)
    ho_rebuild_lost(r, HO_STR("gates"), "what waited for a person; every open handoff waits now");
  else if (r->guarded && r->count)
    ho_rebuild_lost(r, HO_STR("gates"), "what the restored handoffs waited for; each that is open waits now");
  return code;
}

/* A row that was put to another handoff stays there: verify names it, and the events say whose it is. */
static ho_code add_row(ho_turn *turn, const ho_gate *gate, ho_error *err)
{
  ho_gate other;
  ho_error none = {0};
  ho_code code = ho_gates_get(turn->project->store, gate->id, turn->arena, &other, &none);
  if (code == HO_NOT_FOUND)
    return ho_gates_add(turn->project->store, gate, err);
  if (code)
    *err = none;
  return code;
}

/* As the event says it that raises the gate; nothing misses a document that is lost (verify). */
static ho_code raised_data(ho_turn *turn, const ho_gate *gate, ho_node **out, ho_error *err)
{
  bool there = true;
  *out = ho_gate_raised_data(turn, gate);
  ho_code code = gate->digest.n ? ho_bodies_has(turn->project->store, gate->digest, &there, err) : HO_OK;
  if (!there)
    ho_map_addz(*out, HO_GATE_DOCUMENT_LOST, ho_node_bool(turn->arena, true));
  return code;
}

ho_code ho_rebuild_gate(ho_turn *turn, const ho_gate *gate, bool blocking, ho_error *err)
{
  ho_node *data = NULL;
  ho_code code = add_row(turn, gate, err);
  if (!code)
    code = raised_data(turn, gate, &data, err);
  if (!code && blocking)
    ho_map_addz(data, "blocking", ho_node_bool(turn->arena, true));
  if (!code)
    code = ho_turn_note(turn, HO_NOTE_GATE_RAISED, data, err);
  if (!code && gate->decision)
    code = ho_turn_note(turn, gate->state == HO_GATE_OPEN ? HO_NOTE_GATE_QUESTION : HO_NOTE_GATE_DECIDED,
                        ho_gate_data(turn, gate), err);
  return code;
}

/* The gate that it waits for. */
static ho_code hold(ho_turn *turn, ho_gate *gate, ho_error *err)
{
  gate->resume = turn->row.state; /* its claim is lost */
  gate->doubt = HO_EMPTY;
  ho_node *data = NULL;
  ho_code code = add_row(turn, gate, err);
  turn->row.gate = gate->id;
  if (!code)
    code = raised_data(turn, gate, &data, err);
  if (!code)
    code = ho_turn_apply(turn, HO_EVENT_GATED, data, err);
  if (!code && gate->decision)
    code = ho_turn_note(turn, HO_NOTE_GATE_QUESTION, ho_gate_data(turn, gate), err);
  return code;
}

/* The document that a gate is about may be no handoff of its own. */
static ho_code keep_body(ho_rebuilding *r, const ho_gate *gate, ho_error *err)
{
  ho_str body;
  ho_error why = {0};
  char digest[HO_DIGEST_SIZE];
  ho_code code = ho_bodies_get(r->swap.store, gate->digest, r->arena, &body, &why);
  if (code == HO_NOT_FOUND)
    return HO_OK;
  if (code)
    return *err = why, code;
  return ho_bodies_put(r->project->store, body, digest, err);
}

static bool has(const ho_gate_list *list, ho_str id)
{
  bool found = false;
  for (size_t i = 0; !found && i < list->count; i++)
    found = ho_str_eq(list->rows[i].id, id);
  return found;
}

/* One that only the events have is kept too. */
static ho_code keep_gates(ho_rebuilding *r, ho_turn *turn, bool *held, ho_error *err)
{
  ho_project old = old_project(r);
  ho_gate standing;
  ho_gate_list list;
  bool waits = false;
  ho_code code = ho_gates_select(old.store, HO_GATE_ANY, turn->row.id, MOST, r->arena, &list, err);
  if (!code)
    code = ho_gate_read_standing(&old, turn->row.id, r->arena, &standing, &waits, err);
  *held = waits && standing.state == HO_GATE_OPEN && ho_state_open(turn->state);
  ho_gate *lost = code || !waits || has(&list, standing.id) ? NULL : HO_PUSH(r->arena, list.rows, list.count);
  if (lost)
    *lost = standing;
  if (!code)
    code = ho_arena_code(r->arena, err);
  for (size_t i = 0; !code && i < list.count; i++) {
    code = ho_gate_read_raised(&old, r->arena, &list.rows[i], err);
    if (!code)
      code = keep_body(r, &list.rows[i], err);
  }
  for (size_t i = 0; !code && i < list.count; i++)
    if (!*held || !ho_str_eq(list.rows[i].id, standing.id))
      code = ho_rebuild_gate(turn, &list.rows[i], waits && ho_str_eq(list.rows[i].id, standing.id), err);
  if (!code && list.count) /* what follows comes after the notes */
    code = ho_turn_begin(r->project, turn->row.id, r->arena, turn, err);
  return code || !*held ? code : hold(turn, &standing, err);
}

ho_code ho_rebuild_gates(ho_rebuilding *r, ho_turn *turn, ho_waited waited, ho_error *err)
{
  ho_str gate;
  bool held = false;
  const ho_handoff *row = &turn->row;
  ho_error why = {0};
  ho_code code = r->swap.readable ? keep_gates(r, turn, &held, &why) : HO_OK;
  if (code && why.rule && strcmp(why.rule, "store-damaged") == 0)
    code = HO_OK, waited = HO_WAITED; /* nobody knows */
  if (code)
    *err = why;
  if (code || held || !ho_state_open(turn->state) || !(waited || r->guarded))
    return code;
  ho_gate_wish wish = {.name =
                           ho_arena_printf(r->arena,
                                           waited == HO_WAITED ? "%.*s waited for a person before the rebuild"
                                                               : "%.*s may have waited for a person before the rebuild",
                                           HO_ARG(row->id)),
                       .digest = row->digest,
                       .raised_by = row->sender.n ? row->sender : HO_STR(HO_GATE_PROGRAM),
                       .blocking = true,
                       .event = HO_EVENT_GATED};
  return ho_gate_raise(turn, &wish, &gate, err);
}
