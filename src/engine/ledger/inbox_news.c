/* What has happened since a reader last looked, and whom it concerns. */
#include "engine/ledger/describe.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/halt.h"
#include "engine/ledger/inbox_parts.h"
#include "engine/ledger/marks.h"
#include "engine/ledger/turn.h"
#include "engine/project/identity.h"
#include "engine/project/project.h"
#include "engine/project/quote.h"

/* Whom an event concerns. */
typedef enum audience {
  TO_SENDER,
  TO_DELEGATOR,
  TO_ASKER,
  TO_HOLDER,
  TO_WORKER,
  TO_WAITERS,
  TO_TASK,
  TO_TASKS
} audience;

static const struct {
  ho_inbox_kinds events;
  ho_waiting kind;
  audience to;
  const char *text;  /* the member of its data that says why */
  const char *begin; /* what stands before that, or NULL */
} news[] = {
    {{HO_INBOX_EVENT(REJECTED), NULL}, HO_WAITING_REJECTED, TO_SENDER, "why", NULL},
    {{HO_INBOX_EVENT(EXPIRED), NULL}, HO_WAITING_REJECTED, TO_SENDER, NULL, NULL},
    {{HO_INBOX_EVENT(WITHDRAWN), NULL}, HO_WAITING_REJECTED, TO_SENDER, "note", "withdrawn: "},
    {{HO_INBOX_EVENT(WITHDRAWN), NULL}, HO_WAITING_REJECTED, TO_ASKER, "note", "withdrawn: "},
    {{HO_INBOX_EVENT(DONE), NULL}, HO_WAITING_RETURNED, TO_DELEGATOR, "note", NULL},
    {{HO_INBOX_EVENT(EXPIRED), NULL}, HO_WAITING_STOP, TO_HOLDER, NULL, NULL},
    {{HO_INBOX_EVENT(WITHDRAWN), NULL}, HO_WAITING_STOP, TO_HOLDER, "note", NULL},
    {{HO_INBOX_EVENT(RELEASED), NULL}, HO_WAITING_STOP, TO_HOLDER, "note", "released: "},
    {{HO_INBOX_EVENT(SUPERSEDED), NULL}, HO_WAITING_STOP, TO_HOLDER, "by", "superseded by "},
    {{HO_INBOX_EVENT(ANSWERED), HO_NOTE_ANSWER}, HO_WAITING_ANSWER, TO_WORKER, "note", NULL},
    {{0, HO_NOTE_SETTLED}, HO_WAITING_ANSWER, TO_TASKS, "note", NULL},
    {{0, HO_NOTE_RESUMED}, HO_WAITING_ANSWER, TO_TASK, "note", "the task goes on: "},
    {{HO_INBOX_EVENT(APPROVED) | HO_INBOX_EVENT(GATE_REJECTED), HO_NOTE_GATE_DECIDED},
     HO_WAITING_DECISION,
     TO_WAITERS,
     "note",
     NULL},
};

bool ho_inbox_tells(ho_str kind)
{
  for (size_t i = 0; i < HO_COUNT(news); i++)
    if (ho_inbox_kinds_have(&news[i].events, kind))
      return true;
  return false;
}

static const ho_node *data_of(const ho_inbox_reading *r, const ho_event *event, const char *key)
{
  return ho_map_getz(ho_map_getz(ho_describe_event(event, r->arena), "data"), key);
}

/* A member of an event's data, or "". */
static ho_str said(const ho_inbox_reading *r, const ho_event *event, const char *key)
{
  return ho_node_str(data_of(r, event, key));
}

/* Who asked what this event answers: whoever did so last before it. */
static ho_code asker_of(ho_inbox_reading *r, const ho_event *answer, ho_str *out, ho_error *err)
{
  static const ho_inbox_kinds asking = {HO_INBOX_EVENT(BLOCKED), HO_NOTE_ASKED}, begun = {HO_INBOX_EVENT(ACKED), NULL};
  ho_event_list events;
  *out = HO_EMPTY;
  ho_code code = ho_events_select(r->project->store, answer->handoff, 0, 0, r->arena, &events, err);
  for (size_t i = 0; !code && i < events.count && events.rows[i].n < answer->n; i++) {
    const ho_event *event = &events.rows[i];
    if (ho_inbox_kinds_have(&asking, event->kind) ||
        (ho_inbox_kinds_have(&begun, event->kind) && data_of(r, event, "questions")))
      *out = event->actor;
  }
  return code;
}

/* Has the reader asked that, or does it hold now what it was asked about? It may have gone from hand to hand since. */
static ho_code works_on_it(ho_inbox_reading *r, const ho_event *event, const ho_handoff *row, bool *out, ho_error *err)
{
  ho_str asker = HO_EMPTY;
  *out = ho_inbox_is_self(r, row->claimed_by);
  ho_code code = *out ? HO_OK : asker_of(r, event, &asker, err);
  *out = *out || ho_inbox_is_self(r, asker);
  return code;
}

/* Has it blocked a task of the reader's? */
static ho_code blocked_me(ho_inbox_reading *r, const ho_event *event, bool *out, ho_error *err)
{
  ho_str spelled[HO_ID_SPELLINGS];
  ho_code code = HO_OK;
  HO_EACH_CONST (task, data_of(r, event, HO_DATA_TASKS)) {
    size_t count = ho_id_spellings(r->arena, task->text, spelled);
    for (size_t i = 0; !code && !*out && i < count; i++)
      code = ho_inbox_takes_part(r, spelled[i], HO_EMPTY, out, err);
  }
  return code;
}

/* Has the reader sent it, or to do with its task? */
static ho_code shares_it(ho_inbox_reading *r, const ho_handoff *row, bool *out, ho_error *err)
{
  ho_code code = ho_inbox_is_sender(r, row, out, err);
  return code || *out ? code : ho_inbox_takes_part(r, row->task, HO_EMPTY, out, err);
}

/* Is it the answer to what the reader asked for, and does not come? One that is approved is delivered, which says so. */
static bool stays_away(const ho_inbox_reading *r, const ho_handoff *row, const ho_gate *gate)
{
  return gate->decision == HO_DECISION_REJECT && ho_str_is(row->type, "return") && ho_inbox_is_me(r, row->receiver);
}

/* Was it the result of what the reader delegated, and the reader has not taken it? What it delegated is done, so nobody else
 * would tell it that nothing comes. */
static bool had_asked(const ho_inbox_reading *r, const ho_event *event, const ho_handoff *row)
{
  return ho_str_is(row->type, "return") && row->parent.n && ho_inbox_is_me(r, row->receiver) &&
         !ho_inbox_is_self(r, said(r, event, HO_NOTE_HOLDER)) && !ho_inbox_is_self(r, event->actor);
}

/* Does it concern the reader? */
static ho_code concerns(ho_inbox_reading *r, audience to, const ho_event *event, const ho_handoff *row, bool *out,
                        ho_error *err)
{
  bool yet;
  ho_gate gate = {0};
  ho_error none = {0};
  ho_code code = HO_OK;
  *out = false;
  switch (to) {
  case TO_SENDER: /* one that holds it itself is told as its holder */
    if (!ho_inbox_is_self(r, said(r, event, HO_NOTE_HOLDER)))
      code = ho_inbox_is_sender(r, row, out, err);
    break;
  case TO_DELEGATOR: /* one that had asked in vain is told of with its question */
    if (ho_str_is(row->type, "delegation") && !ho_marks_get(row, r->arena, HO_MARK_QUESTIONS).n)
      code = ho_inbox_is_sender(r, row, out, err);
    break;
  case TO_ASKER:
    *out = had_asked(r, event, row);
    break;
  case TO_HOLDER:
    *out = ho_inbox_is_self(r, said(r, event, HO_NOTE_HOLDER));
    break;
  case TO_WORKER:
    code = works_on_it(r, event, row, out, err);
    if (!code && !*out)
      code = blocked_me(r, event, out, err);
    break;
  case TO_TASKS: /* whoever is yet to take it finds the answer with it */
  case TO_TASK:
    yet = to == TO_TASKS && ho_str_is(row->state, ho_state_name(HO_STATE_READY)) && ho_inbox_is_me(r, row->receiver);
    code = yet ? HO_OK : works_on_it(r, event, row, out, err);
    *out = *out || (to == TO_TASK && ho_inbox_is_me(r, row->receiver));
    if (!code && !yet && !*out)
      code = shares_it(r, row, out, err);
    if (!code && !yet && !*out)
      code = blocked_me(r, event, out, err);
    break;
  case TO_WAITERS:
    /* Only a decision that counts is news: what the store says alone may have been put there. */
    if (!ho_gate_read(r->project, said(r, event, "gate"), r->arena, &gate, &none) && gate.state == HO_GATE_DECIDED &&
        !gate.doubt.n)
      *out = ho_inbox_is_me(r, gate.raised_by) || ho_inbox_is_me(r, row->sender) ||
             ho_inbox_is_self(r, row->claimed_by) || ho_inbox_is_self(r, said(r, event, HO_NOTE_HOLDER)) ||
             stays_away(r, row, &gate);
    break;
  }
  return code;
}

/* Does the reader know it already? A claim delivers what was said about the handoff. Of an end, whoever has done something
 * with the handoff since knows; but not of what it was told: one may ask, or finish, without having read that. What is for
 * one session is not known to it because another one of its name has taken the handoff. */
static ho_code knows(ho_inbox_reading *r, ho_waiting as, const ho_event *event, bool *out, ho_error *err)
{
  static const ho_inbox_kinds delivering = {HO_INBOX_EVENT(CLAIMED), NULL};
  bool told = as == HO_WAITING_ANSWER || as == HO_WAITING_DECISION, anothers = false;
  bool own = ho_inbox_for_session(r, event);
  ho_event_list events;
  *out = false;
  ho_code code = ho_events_select(r->project->store, event->handoff, 0, 0, r->arena, &events, err);
  for (size_t i = 0; !code && i < events.count; i++) {
    const ho_event *after = &events.rows[i];
    bool claims = ho_inbox_kinds_have(&delivering, after->kind);
    if (after->n <= event->n)
      continue;
    if (claims)
      anothers = own && !ho_str_eq(said(r, after, HO_DATA_SESSION), r->project->session);
    *out |= !anothers && ho_inbox_is_self(r, after->actor) && (!told || claims);
  }
  return code;
}

/* "approved: Ship it". */
static ho_str decision_text(ho_inbox_reading *r, const ho_event *event, ho_str note)
{
  ho_str decision = said(r, event, "decision");
  return ho_arena_printf(r->arena, "%.*s%s%.*s", HO_ARG(decision), note.n ? ": " : "", HO_ARG(note));
}

/* What was decided: what the gate asks, since several may ask about one handoff. */
static ho_str asked_at(const ho_inbox_reading *r, ho_str gate_id, const ho_handoff *row)
{
  ho_gate gate = {0};
  ho_error none = {0};
  ho_str subject = ho_describe_subject(r->project, row, r->arena);
  if (ho_gate_read(r->project, gate_id, r->arena, &gate, &none) || !gate.name.n)
    return subject;
  return ho_quote_clean(r->arena, gate.name, HO_SUBJECT, true);
}

/* What stands before the text. One STOP of several that is answered does not let the task go on. */
static const char *begin_of(const ho_inbox_reading *r, size_t which, const ho_handoff *row)
{
  ho_halt halt;
  bool halted = false;
  ho_error none = {0};
  if (news[which].to == TO_TASK && !ho_halt_of(r->project, row->task, r->arena, &halt, &halted, &none) && halted)
    return "the STOP is answered: ";
  return news[which].begin;
}

static ho_code add_event(ho_inbox_reading *r, size_t which, const ho_event *event, const ho_handoff *row, ho_error *err)
{
  static const char *const show[] = {"show ID", NULL}, *const gate_show[] = {"gate show ID", NULL};
  bool mine, known = false, decided = news[which].kind == HO_WAITING_DECISION;
  ho_code code = concerns(r, news[which].to, event, row, &mine, err);
  if (!code && mine)
    code = knows(r, news[which].kind, event, &known, err);
  int64_t fresh = code || !mine || known ? 0 : ho_inbox_unseen(r, news[which].kind, event);
  if (code || !mine || !(fresh || r->inbox->everything))
    return code;
  ho_str id = decided ? said(r, event, "gate") : row->id;
  ho_str note = news[which].text ? said(r, event, news[which].text) : HO_EMPTY;
  if (note.n && said(r, event, HO_DATA_ASKED).n)
    note = ho_arena_printf(r->arena, "%.*s: %.*s", HO_ARG(said(r, event, HO_DATA_ASKED)), HO_ARG(note));
  const char *begin = note.n ? begin_of(r, which, row) : NULL;
  if (begin)
    note = ho_arena_printf(r->arena, "%s%.*s", begin, HO_ARG(note));
  ho_inbox_item *item = ho_inbox_add(r, news[which].kind, id, decided ? gate_show : show);
  if (!item)
    return ho_arena_code(r->arena, err);
  item->subject = decided ? asked_at(r, id, row) : ho_describe_subject(r->project, row, r->arena);
  item->text = decided ? decision_text(r, event, note) : note.n ? note : event->kind;
  item->from = decided && said(r, event, "by").n ? said(r, event, "by") : event->actor;
  item->handoff = row->id;
  item->since = event->at;
  item->seq = fresh;
  item->chain = row->id;
  item->own = ho_inbox_for_session(r, event);
  return HO_OK;
}

ho_code ho_inbox_add_news(ho_inbox_reading *r, ho_error *err)
{
  ho_code code = HO_OK;
  for (size_t i = 0; !code && i < r->count; i++)
    for (size_t n = 0; !code && n < HO_COUNT(news); n++) {
      ho_handoff row;
      ho_error gone = {0};
      if (!ho_inbox_kinds_have(&news[n].events, r->events[i].kind) ||
          ho_handoffs_get(r->project->store, r->events[i].handoff, r->arena, &row, &gone))
        continue; /* pruned since */
      code = add_event(r, n, &r->events[i], &row, err);
    }
  return code;
}
