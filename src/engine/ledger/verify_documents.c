/* Documents that are no handoffs: those that gates were raised with, and acknowledgements. What an event names must be
 * there, and a document that a rebuild could not find is named by none. */
#include "engine/ledger/gate_read.h"
#include "engine/ledger/verify_parts.h"
#include "engine/project/event_data.h"
#include "store/handoffs/bodies.h"
#include "store/handoffs/events.h"

enum { PAGE = 1000 };

/* The digest of the document that the event names, or "". */
static ho_str named_by(const ho_event *event, ho_arena *arena)
{
  if (!ho_gate_read_raises(event))
    return ho_str_has(event->data, "\"document\":") ? ho_map_str(ho_event_data_read(arena, event->data), "document")
                                                    : HO_EMPTY;
  const ho_node *said = ho_gate_read_about(event, arena);
  return ho_map_getz(said, HO_GATE_DOCUMENT_LOST) ? HO_EMPTY : ho_map_str(said, "digest");
}

static ho_code check_event(ho_verifying *v, const ho_event *event, ho_arena *arena, ho_error *err)
{
  bool there = true;
  ho_str digest = named_by(event, arena);
  ho_code code = ho_arena_code(arena, err);
  if (!code && digest.n)
    code = ho_bodies_has(v->project->store, digest, &there, err);
  if (code || there)
    return code;
  ho_verify_add(v, v->out->differences, HO_STR("body"), digest,
                ho_arena_printf(arena, "it is missing, but %.*s needs it", HO_ARG(event->handoff)));
  return ho_arena_code(v->arena, err);
}

ho_code ho_verify_documents(ho_verifying *v, int64_t recent, ho_error *err)
{
  int64_t before = 0, limit = recent ? recent : PAGE;
  bool more = true;
  ho_code code = HO_OK;
  while (!code && more) {
    ho_arena arena;
    ho_event_list events;
    ho_arena_init(&arena, 0);
    code = ho_events_select(v->project->store, HO_EMPTY, before, limit, &arena, &events, err);
    more = !code && !recent && (int64_t)events.count == limit;
    for (size_t i = 0; !code && i < events.count; i++) {
      before = events.rows[i].seq;
      code = check_event(v, &events.rows[i], &arena, err);
    }
    ho_arena_free(&arena);
  }
  return code;
}
