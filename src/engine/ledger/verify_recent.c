/* The newest events: the handoffs that they are about, whole. */
#include "engine/ledger/verify_parts.h"
#include "store/handoffs/bodies.h"
#include "store/handoffs/events.h"

static ho_code check_body(ho_verifying *v, const ho_handoff *row, ho_arena *arena, ho_error *err)
{
  ho_str body;
  ho_error why = {0};
  ho_code code = ho_bodies_get(v->project->store, row->digest, arena, &body, &why);
  if (code == HO_NOT_FOUND || (code && why.rule && strcmp(why.rule, "store-changed") == 0)) {
    ho_verify_add(v, v->out->differences, HO_STR("body"), row->digest,
                  code == HO_NOT_FOUND ? HO_STR("it is missing") : HO_STR("its content does not match its digest"));
    return HO_OK;
  }
  if (code)
    *err = why;
  return code;
}

static ho_code check_handoff(ho_verifying *v, ho_str id, ho_arena *arena, ho_error *err)
{
  ho_handoff row;
  ho_error why = {0};
  ho_code code = ho_chain_verify_one(v->project->store, id, ho_verify_take, v, err);
  if (code)
    return code;
  code = ho_handoffs_get(v->project->store, id, arena, &row, &why);
  if (code == HO_NOT_FOUND)
    return HO_OK; /* pruned, or else the chain has said it */
  if (code)
    return *err = why, code;
  code = check_body(v, &row, arena, err);
  return code ? code : ho_verify_files_of(v, arena, &row, err);
}

ho_code ho_verify_recent(ho_verifying *v, int64_t count, ho_error *err)
{
  ho_arena arena, one;
  ho_event_list events;
  ho_arena_init(&arena, 0);
  ho_arena_init(&one, 0);
  ho_code code = ho_events_select(v->project->store, HO_EMPTY, 0, count, &arena, &events, err);
  for (size_t i = 0; !code && i < events.count; i++) {
    bool seen = ho_str_eq(events.rows[i].handoff, HO_EVENTS_PROJECT);
    for (size_t k = 0; !seen && k < i; k++)
      seen = ho_str_eq(events.rows[k].handoff, events.rows[i].handoff);
    if (!seen)
      code = check_handoff(v, events.rows[i].handoff, &one, err);
    if (!code)
      code = ho_arena_code(&one, err);
    ho_arena_reset(&one);
  }
  ho_arena_free(&one);
  ho_arena_free(&arena);
  return code;
}
