#include "engine/draft.h"

#include "base/buf.h"
#include "doc/yaml.h"
#include "engine/intake.h"
#include "model/write.h"

static ho_node *add_map(ho_arena *arena, ho_node *map, const char *key)
{
  return ho_map_addz(map, key, ho_node_new(arena, HO_KIND_MAP));
}

/* One line for each event since the claim: what the agent said itself. */
static ho_code add_history(ho_turn *turn, ho_node *list, ho_error *err)
{
  ho_event_list events;
  ho_code code = ho_event_select(turn->ledger->store, turn->row.id, 0, 1000, turn->arena, &events, err);
  for (size_t i = 0; !code && i < events.count; i++) {
    const ho_event *e = &events.rows[i];
    ho_list_add(list, ho_node_text(turn->arena, ho_arena_printf(turn->arena, "%.*s %.*s by %.*s %.*s",
                                                                HO_ARG(ho_time_str(turn->arena, e->at)),
                                                                HO_ARG(e->kind), HO_ARG(e->actor), HO_ARG(e->data))));
  }
  return code;
}

static ho_code build(ho_turn *turn, ho_str id, ho_node **out, ho_error *err)
{
  ho_arena *a = turn->arena;
  const ho_handoff *row = &turn->row;
  ho_node *root = ho_node_new(a, HO_KIND_MAP);
  ho_map_addz(root, "id", ho_node_text(a, id));
  ho_map_addz(root, "timestamp", ho_node_text(a, ho_time_str(a, ho_ledger_now(turn->ledger))));
  ho_map_addz(root, "type", ho_node_textz(a, "sequential"));
  ho_map_addz(add_map(a, root, "from"), "agent", ho_node_text(a, row->claimed_by));
  ho_node *to = add_map(a, root, "to");
  ho_map_addz(to, "agent", ho_node_text(a, row->receiver.n ? row->receiver : ho_agent_name(row->claimed_by)));
  ho_map_addz(to, "reason", ho_node_textz(a, "The agent that worked on it went silent"));
  ho_node *context = add_map(a, root, "context");
  ho_map_addz(context, "summary",
              ho_node_text(a, ho_arena_printf(a,
                                              "%.*s took %.*s, acknowledged it and was last heard of before %.*s; what "
                                              "it did is not known beyond the log below",
                                              HO_ARG(row->claimed_by), HO_ARG(row->id),
                                              HO_ARG(ho_time_str(a, row->lease_until)))));
  ho_node *facts = ho_map_addz(context, "key_info", ho_node_new(a, HO_KIND_LIST));
  ho_map_addz(add_map(a, root, "expectations"), "deliverable",
              ho_node_text(a, ho_arena_printf(a, "What %.*s asks for", HO_ARG(row->id))));
  *out = root;
  return add_history(turn, facts, err);
}

ho_code ho_draft_add(ho_turn *turn, ho_error *err)
{
  ho_node *root;
  ho_buf text;
  ho_ledger *l = turn->ledger;
  const ho_format *format = ho_format_named(HO_STR("package"));
  ho_handoff draft = {.kind = HO_STR("package"),
                      .type = HO_STR("sequential"),
                      .state = ho_str_of(ho_state_name(HO_STATE_DRAFT)),
                      .sender = turn->row.claimed_by,
                      .receiver = turn->row.receiver,
                      .task = turn->row.task,
                      .phase = turn->row.phase,
                      .session = turn->row.claim_session,
                      .parent = turn->row.id,
                      .created = ho_ledger_now(l)};
  draft.updated = draft.created;
  ho_event event = {.at = draft.created, .actor = l->actor, .kind = ho_str_of(ho_step_name(HO_STEP_DRAFTED))};
  ho_code code = ho_intake_id(l, turn->arena, &draft.id, err);
  if (!code)
    code = build(turn, draft.id, &root, err);
  ho_buf_init(&text, 0);
  if (!code)
    code = ho_doc_write(format, root, HO_YAML, &text, err);
  if (!code)
    code = ho_buf_code(&text, err);
  if (!code)
    code =
        ho_handoff_add(l->store, &draft, ho_ledger_clean(l, turn->arena, ho_buf_str(&text)), &event, turn->arena, err);
  ho_buf_free(&text);
  return code ? code : ho_arena_code(turn->arena, err);
}
