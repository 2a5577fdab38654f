/* What was asked, and has no answer: about handoffs, and by the documents of tasks. */
#include "engine/knowledge/know.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/inbox_parts.h"
#include "engine/ledger/marks.h"
#include "engine/ledger/turn.h"
#include "engine/project/event_data.h"
#include "engine/project/identity.h"
#include "engine/project/project.h"
#include "engine/project/quote.h"
#include "model/formats/formats.h"
#include "store/knowledge/known.h"

enum { MOST = 20, SOURCES = 5, ASKING = 1000 };

/* A question goes to whoever sent the handoff; that of a person, or to itself, to people. */
static bool asks_me(const ho_inbox_reading *r, const ho_handoff *row, ho_str by)
{
  ho_str sender = row->sender;
  bool persons = ho_str_starts(sender, HO_PROJECT_PERSON) || !sender.n || ho_str_is(sender, "human") ||
                 ho_str_eq(ho_identity_name(by), ho_identity_name(sender));
  return r->person ? persons : !persons && ho_inbox_is_me(r, sender);
}

/* Is its work over, and done? In the archive it is known how it ended. */
static bool is_done(const ho_handoff *row, ho_arena *arena)
{
  ho_str outcome = ho_marks_get(row, arena, HO_MARK_OUTCOME), done = ho_str_of(ho_state_name(HO_STATE_DONE));
  bool archived = ho_str_is(row->state, ho_state_name(HO_STATE_ARCHIVED));
  return ho_str_eq(row->state, done) ||
         (archived && (ho_str_eq(outcome, done) || ho_str_is(outcome, ho_event_kind_name(HO_EVENT_FINISHED))));
}

/* "it was done without an answer: Took the order of the list", or "" of one that is not done. */
static ho_code done_without(ho_inbox_reading *r, const ho_handoff *row, ho_str *out, ho_error *err)
{
  ho_event_list events;
  *out = HO_EMPTY;
  if (!is_done(row, r->arena))
    return HO_OK;
  ho_code code = ho_events_select(r->project->store, row->id, 0, 0, r->arena, &events, err);
  for (size_t i = 0; !code && i < events.count; i++)
    if (ho_event_sense_of(events.rows[i].kind) == HO_SENSE_ENDS) {
      ho_str note = ho_map_str(ho_event_data_read(r->arena, events.rows[i].data), "note");
      *out = ho_arena_printf(r->arena, "\nit was done without an answer%s%.*s", note.n ? ": " : "", HO_ARG(note));
    }
  return code;
}

ho_code ho_inbox_add_question(ho_inbox_reading *r, const ho_handoff *row, ho_error *err)
{
  static const char *const commands[] = {"answer ID --note TEXT@", "show ID", NULL};
  static const ho_inbox_kinds news = {
      HO_INBOX_EVENT(BLOCKED) | HO_INBOX_EVENT(ACKED) | HO_INBOX_EVENT(DONE) | HO_INBOX_EVENT(RETURNED), HO_NOTE_ASKED};
  ho_str text, by, end = HO_EMPTY;
  if (!r->person && !ho_inbox_is_me(r, row->sender)) /* what most of them are, is known without their events */
    return HO_OK;
  ho_code code = ho_describe_question(r->project, row, r->arena, &text, &by, err);
  if (!code && asks_me(r, row, by))
    code = done_without(r, row, &end, err);
  else
    return code;
  ho_inbox_item *item = code ? NULL : ho_inbox_add_row(r, HO_WAITING_QUESTION, row, commands, &news);
  if (!item)
    return code;
  item->text = ho_arena_printf(r->arena, "%.*s%.*s", HO_ARG(text), HO_ARG(end));
  item->from = by;
  return code;
}

bool ho_inbox_asks(const ho_handoff *row, ho_arena *arena)
{
  ho_state state;
  if (!ho_state_named(row->state, &state) || state == HO_STATE_CLARIFY || state == HO_STATE_GATED)
    return false;
  return ho_state_open(state) || is_done(row, arena);
}

ho_code ho_inbox_add_questions(ho_inbox_reading *r, ho_error *err)
{
  ho_handoff_list list;
  ho_code code = ho_handoffs_asking(r->project->store, ASKING, r->arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++)
    if (ho_inbox_asks(&list.rows[i], r->arena))
      code = ho_inbox_add_question(r, &list.rows[i], err);
  return code;
}

/* ---- What the documents of tasks ask people for. A task that is not completed says what is missing, and nobody in
 * particular is its receiver: without this, it would wait until somebody reads the journal. */

/* Where a task handoff says it whose task is not completed; NULL if none does. *outcome: how the task stands. */
static ho_code find_asking(ho_inbox_reading *r, const ho_known *known, const ho_known_source **out, ho_handoff *row,
                           ho_str *outcome, ho_error *err)
{
  ho_store *store = r->project->store;
  ho_known_source_list said;
  ho_known_origin newest;
  ho_error none = {0};
  *out = NULL;
  ho_code code = ho_known_sources(store, known->n, SOURCES, r->arena, &said, err);
  for (size_t i = 0; !code && !*out && i < said.count; i++) {
    const ho_known_source *s = &said.rows[i];
    bool found = false;
    if (!s->asks.n || s->closed_by.n || ho_handoffs_get(store, s->origin, r->arena, row, &none) ||
        !ho_str_is(row->kind, ho_format_task.name))
      continue;
    code = ho_known_outcome(store, s->task, r->arena, &newest, &found, err);
    if (!code && found && !ho_str_is(newest.outcome, "completed")) {
      *out = s;
      *outcome = newest.outcome;
    }
  }
  return code;
}

/* How the task stands, about what it asks. */
static const char *because(ho_str outcome)
{
  return ho_str_is(outcome, "failed")    ? "failed because of it"
         : ho_str_is(outcome, "partial") ? "is partial because of it"
                                         : "is blocked by it";
}

/* What was answered where the same was asked, or "": here it may mean something else, so it is still asked. */
static ho_str answered_before(const ho_inbox_reading *r, const ho_known *known)
{
  ho_node *full = NULL;
  ho_error none = {0};
  return ho_know_full(r->project, known, 1, r->arena, &full, &none) ? HO_EMPTY : ho_map_str(full, "answer");
}

static ho_code add_one(ho_inbox_reading *r, const ho_known *known, ho_error *err)
{
  static const char *const commands[] = {"answer ID --note TEXT", NULL};
  static const ho_inbox_kinds news = {HO_INBOX_EVENT(SENT), NULL};
  const ho_known_source *source;
  ho_str outcome = HO_EMPTY;
  ho_handoff row;
  ho_code code = find_asking(r, known, &source, &row, &outcome, err);
  ho_inbox_item *item = !code && source ? ho_inbox_add(r, HO_WAITING_QUESTION, known->id, commands) : NULL;
  if (!item)
    return code;
  ho_str remedy = ho_know_detail(known, r->arena, "suggested_resolution");
  if (!remedy.n)
    remedy = ho_know_detail(known, r->arena, "recommendation");
  item->subject = ho_quote_clean(r->arena, known->text, HO_SUBJECT, true);
  ho_str before = answered_before(r, known);
  item->text = ho_arena_printf(r->arena, "%.*s (%.*s) %s%s%.*s%s%.*s", HO_ARG(ho_quote_name(r->arena, row.task)),
                               HO_ARG(row.id), because(outcome), remedy.n ? "; suggested: " : "", HO_ARG(remedy),
                               before.n ? "; answered before: " : "", HO_ARG(before));
  item->from = row.sender;
  item->since = source->at;
  item->seq = ho_inbox_fresh(r, item->kind, row.id, &news);
  item->chain = row.id;
  return HO_OK;
}

ho_code ho_inbox_add_asked(ho_inbox_reading *r, ho_error *err)
{
  static const ho_known_kind kinds[] = {HO_KNOWN_BLOCKER, HO_KNOWN_QUESTION};
  ho_code code = HO_OK;
  for (size_t k = 0; !code && r->person && k < HO_COUNT(kinds); k++) {
    ho_known_list list;
    code = ho_known_of_kind(r->project->store, kinds[k], HO_KNOWN_OPEN, HO_KNOWN_HIGH, MOST, r->arena, &list, err);
    for (size_t i = 0; !code && i < list.count; i++)
      code = add_one(r, &list.rows[i], err);
  }
  return code;
}
