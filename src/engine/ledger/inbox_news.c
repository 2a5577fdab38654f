/* What has happened since a reader last looked, and how far that was. */
#include "base/grow.h"
#include "doc/json/json.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/halt.h"
#include "engine/ledger/inbox_parts.h"
#include "engine/ledger/marks.h"
#include "engine/ledger/turn.h"
#include "engine/ledger/write.h"
#include "engine/project/event_data.h"
#include "engine/project/identity.h"
#include "engine/project/project.h"

/* How many events are looked at, at most; what is older is in the log. */
enum { PAGE = 1000, FAR = 20000, SEEN = 500 };

/* Whom an event concerns. */
typedef enum audience { TO_SENDER, TO_DELEGATOR, TO_HOLDER, TO_ASKER, TO_WAITERS, TO_TASK, TO_TASKS } audience;

static const struct {
  ho_inbox_kinds events;
  ho_waiting kind;
  audience to;
  const char *text;  /* the member of its data that says why */
  const char *begin; /* what stands before that, or NULL */
} news[] = {
    {{HO_INBOX_EVENT(REJECTED), NULL}, HO_WAITING_REJECTED, TO_SENDER, "why", NULL},
    {{HO_INBOX_EVENT(EXPIRED), NULL}, HO_WAITING_REJECTED, TO_SENDER, NULL, NULL},
    {{HO_INBOX_EVENT(DONE), NULL}, HO_WAITING_RETURNED, TO_DELEGATOR, "note", NULL},
    {{HO_INBOX_EVENT(EXPIRED), NULL}, HO_WAITING_STOP, TO_HOLDER, NULL, NULL},
    {{HO_INBOX_EVENT(WITHDRAWN), NULL}, HO_WAITING_STOP, TO_HOLDER, "note", NULL},
    {{HO_INBOX_EVENT(RELEASED), NULL}, HO_WAITING_STOP, TO_HOLDER, "note", "released: "},
    {{HO_INBOX_EVENT(SUPERSEDED), NULL}, HO_WAITING_STOP, TO_HOLDER, "by", "superseded by "},
    {{HO_INBOX_EVENT(ANSWERED), HO_NOTE_ANSWER}, HO_WAITING_ANSWER, TO_ASKER, "note", NULL},
    {{0, HO_NOTE_SETTLED}, HO_WAITING_ANSWER, TO_TASKS, "note", NULL},
    {{0, HO_NOTE_RESUMED}, HO_WAITING_ANSWER, TO_TASK, "note", "the task goes on: "},
    {{HO_INBOX_EVENT(APPROVED) | HO_INBOX_EVENT(GATE_REJECTED), HO_NOTE_GATE_DECIDED},
     HO_WAITING_DECISION,
     TO_WAITERS,
     "note",
     NULL},
};

static bool kinds_have(const ho_inbox_kinds *kinds, ho_str kind)
{
  for (int event = 0; event < HO_EVENT_COUNT; event++)
    if (kinds->events & 1u << event && ho_str_is(kind, ho_event_kind_name((ho_event_kind)event)))
      return true;
  return kinds->notes && ho_str_list_has(kinds->notes, kind);
}

/* ---- The marker: {"upto": N, "seen": [N, …]} under the reader's name. What is for an agent by its name, and no matter
 * of the instance that asks, is handed to one of its instances: their common marker is called NAME/. Otherwise whoever
 * gives every call an instance of its own would be given the same news for ever, and no work. */

static bool is_instance(ho_str self)
{
  return !ho_str_eq(self, ho_identity_name(self)) && !ho_str_starts(self, HO_PROJECT_PERSON);
}

static ho_str common_marker(ho_arena *arena, ho_str self)
{
  return ho_arena_printf(arena, "%.*s/", HO_ARG(ho_identity_name(self)));
}

/* Has this very instance done anything with the handoff? What comes of it is news to it, whoever else has heard of it. */
static bool took_part(ho_project *project, ho_arena *arena, ho_str self, ho_str handoff)
{
  ho_event_list events;
  ho_error none = {0};
  if (ho_events_select(project->store, handoff, 0, 0, arena, &events, &none))
    return true;
  for (size_t i = 0; i < events.count; i++)
    if (ho_str_eq(events.rows[i].actor, self))
      return true;
  return false;
}

/* Is it enough that one of the instances has seen it? A STOP is for each. */
static bool is_common(ho_project *project, ho_arena *arena, ho_str self, ho_waiting kind, ho_str handoff)
{
  return is_instance(self) && kind != HO_WAITING_STOP && !took_part(project, arena, self, handoff);
}

static ho_str marker_name(ho_arena *arena, ho_str me)
{
  return ho_arena_printf(arena, "inbox.%.*s", HO_ARG(me));
}

static int64_t number(const ho_node *node)
{
  uint64_t value = 0;
  return ho_str_to_u64(ho_node_str(node), &value) ? (int64_t)value : 0;
}

static ho_code load_marker(ho_store *store, ho_arena *arena, ho_str me, ho_inbox_marker *out, ho_error *err)
{
  ho_str text = HO_EMPTY;
  ho_source source;
  ho_node *map = NULL;
  ho_error ignored;
  *out = (ho_inbox_marker){0};
  ho_code code = ho_store_meta_get(store, marker_name(arena, me), arena, &text, err);
  if (code || !text.n || ho_source_init(&source, arena, HO_STR("marker"), text, &ignored) ||
      ho_json_read(&source, 0, arena, NULL, &map, &ignored))
    return code;
  out->upto = number(ho_map_getz(map, "upto"));
  HO_EACH_CONST (seen, ho_map_getz(map, "seen")) {
    int64_t *slot = HO_PUSH(arena, out->seen, out->count);
    if (slot)
      *slot = number(seen);
  }
  return ho_arena_code(arena, err);
}

static bool was_seen(const ho_inbox_marker *marker, int64_t seq)
{
  for (size_t i = 0; i < marker->count; i++)
    if (marker->seen[i] == seq)
      return true;
  return seq <= marker->upto;
}

typedef struct marking {
  ho_project *project;
  ho_arena *arena;
  const ho_inbox *inbox;
  const ho_inbox_item *one;
  ho_str me;
} marking;

static ho_code mark_for(ho_store *store, const marking *m, ho_str reader, ho_error *err)
{
  ho_inbox_marker marker;
  ho_code code = load_marker(store, m->arena, reader, &marker, err);
  if (code)
    return code;
  ho_node *map = ho_node_new(m->arena, HO_KIND_MAP), *list = ho_node_new(m->arena, HO_KIND_LIST);
  int64_t upto = m->one || marker.upto > m->inbox->newest ? marker.upto : m->inbox->newest;
  if (m->one)
    ho_list_add(list, ho_node_number(m->arena, m->one->seq));
  for (size_t i = 0; i < marker.count && list->count < SEEN; i++)
    if (marker.seen[i] > upto)
      ho_list_add(list, ho_node_number(m->arena, marker.seen[i]));
  ho_map_addz(map, "upto", ho_node_number(m->arena, upto));
  ho_map_addz(map, "seen", list);
  return ho_store_meta_set(store, marker_name(m->arena, reader), ho_event_data_json(m->arena, map), err);
}

static ho_code mark(ho_store *store, void *data, ho_error *err)
{
  marking *m = data;
  ho_str common = common_marker(m->arena, m->me);
  if (m->one && is_common(m->project, m->arena, m->me, m->one->kind, m->one->chain))
    return mark_for(store, m, common, err);
  ho_code code = mark_for(store, m, m->me, err);
  return code || m->one || !is_instance(m->me) ? code : mark_for(store, m, common, err);
}

ho_code ho_inbox_seen(ho_project *project, ho_arena *arena, const ho_inbox *inbox, const ho_inbox_item *one,
                      ho_error *err)
{
  marking m = {project, arena, inbox, one, ho_inbox_reader(project)};
  return ho_ledger_write(project, mark, &m, err);
}

/* ---- Events */

ho_code ho_inbox_look(ho_inbox_reading *r, ho_error *err)
{
  int64_t before = 0;
  size_t looked = 0;
  ho_code code = load_marker(r->project->store, r->arena, r->self, &r->marker, err);
  if (!code && is_instance(r->self))
    code = load_marker(r->project->store, r->arena, common_marker(r->arena, r->self), &r->common, err);
  for (bool more = true; !code && more && looked < (r->inbox->quick ? PAGE : FAR);) {
    ho_event_list page;
    code = ho_events_select(r->project->store, HO_EMPTY, before, PAGE, r->arena, &page, err);
    more = !code && page.count == PAGE;
    for (size_t i = 0; !code && i < page.count; i++, looked++) {
      before = page.rows[i].seq;
      if (before > r->inbox->newest)
        r->inbox->newest = before;
      if (before <= r->marker.upto && !r->inbox->everything)
        return HO_OK;
      ho_event *slot = !ho_inbox_is_me(r, page.rows[i].actor) ? HO_PUSH(r->arena, r->events, r->count) : NULL;
      if (slot)
        *slot = page.rows[i];
    }
  }
  return code;
}

/* Its number, or 0 if the reader has seen it. */
static int64_t unseen(const ho_inbox_reading *r, ho_waiting as, const ho_event *event)
{
  bool seen = was_seen(&r->marker, event->seq) ||
              (was_seen(&r->common, event->seq) && is_common(r->project, r->arena, r->self, as, event->handoff));
  return seen ? 0 : event->seq;
}

int64_t ho_inbox_fresh(const ho_inbox_reading *r, ho_waiting as, ho_str handoff, const ho_inbox_kinds *kinds)
{
  for (size_t i = 0; kinds && i < r->count; i++)
    if (ho_str_eq(r->events[i].handoff, handoff) && kinds_have(kinds, r->events[i].kind))
      return unseen(r, as, &r->events[i]);
  return 0;
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
    if (kinds_have(&asking, event->kind) || (kinds_have(&begun, event->kind) && data_of(r, event, "questions")))
      *out = event->actor;
  }
  return code;
}

/* Has the reader to do with the handoff, with its task, or with another that the event names? */
static ho_code works_on_it(ho_inbox_reading *r, const ho_event *event, const ho_handoff *row, bool *out, ho_error *err)
{
  ho_str asker = HO_EMPTY, spelled[HO_ID_SPELLINGS];
  ho_code code = ho_inbox_is_sender(r, row, out, err);
  if (!code)
    code = asker_of(r, event, &asker, err);
  *out = *out || ho_inbox_is_me(r, row->receiver) || ho_inbox_is_self(r, asker);
  if (!code && !*out)
    code = ho_inbox_takes_part(r, row->task, out, err);
  HO_EACH_CONST (task, data_of(r, event, HO_DATA_TASKS)) {
    size_t count = ho_id_spellings(r->arena, task->text, spelled);
    for (size_t i = 0; !code && !*out && i < count; i++)
      code = ho_inbox_takes_part(r, spelled[i], out, err);
  }
  return code;
}

/* Is it the answer to what the reader asked for, and does not come? One that is approved is delivered, which says so. */
static bool stays_away(const ho_inbox_reading *r, const ho_handoff *row, const ho_gate *gate)
{
  return gate->decision == HO_DECISION_REJECT && ho_str_is(row->type, "return") && ho_inbox_is_me(r, row->receiver);
}

/* Does it concern the reader? */
static ho_code concerns(ho_inbox_reading *r, audience to, const ho_event *event, const ho_handoff *row, bool *out,
                        ho_error *err)
{
  ho_str asker = HO_EMPTY;
  ho_gate gate = {0};
  ho_error none = {0};
  ho_code code = HO_OK;
  *out = false;
  switch (to) {
  case TO_SENDER:
    code = ho_inbox_is_sender(r, row, out, err);
    break;
  case TO_DELEGATOR: /* one that had asked in vain is told of with its question */
    if (ho_str_is(row->type, "delegation") && !ho_marks_get(row, r->arena, HO_MARK_QUESTIONS).n)
      code = ho_inbox_is_sender(r, row, out, err);
    break;
  case TO_HOLDER:
    *out = ho_inbox_is_self(r, said(r, event, HO_NOTE_HOLDER));
    break;
  case TO_ASKER:
    code = asker_of(r, event, &asker, err);
    *out = ho_inbox_is_self(r, asker);
    break;
  case TO_TASKS: /* whoever is yet to take it finds the answer with it */
    if (ho_str_is(row->state, ho_state_name(HO_STATE_READY)) && ho_inbox_is_me(r, row->receiver))
      break;
    code = works_on_it(r, event, row, out, err);
    break;
  case TO_TASK:
    code = works_on_it(r, event, row, out, err);
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
 * with the handoff since knows; but not of what it was told: one may ask, or finish, without having read that. */
static ho_code knows(ho_inbox_reading *r, ho_waiting as, const ho_event *event, bool *out, ho_error *err)
{
  static const ho_inbox_kinds delivering = {HO_INBOX_EVENT(CLAIMED), NULL};
  bool told = as == HO_WAITING_ANSWER || as == HO_WAITING_DECISION;
  ho_event_list events;
  *out = false;
  ho_code code = ho_events_select(r->project->store, event->handoff, 0, 0, r->arena, &events, err);
  for (size_t i = 0; !code && i < events.count; i++)
    *out |= events.rows[i].n > event->n && ho_inbox_is_self(r, events.rows[i].actor) &&
            (!told || kinds_have(&delivering, events.rows[i].kind));
  return code;
}

/* "approved: Ship it". */
static ho_str decision_text(ho_inbox_reading *r, const ho_event *event, ho_str note)
{
  ho_str decision = said(r, event, "decision");
  return ho_arena_printf(r->arena, "%.*s%s%.*s", HO_ARG(decision), note.n ? ": " : "", HO_ARG(note));
}

static ho_code add_event(ho_inbox_reading *r, size_t which, const ho_event *event, const ho_handoff *row, ho_error *err)
{
  static const char *const show[] = {"show ID", NULL}, *const gate_show[] = {"gate show ID", NULL};
  bool mine, known = false, decided = news[which].kind == HO_WAITING_DECISION;
  ho_code code = concerns(r, news[which].to, event, row, &mine, err);
  if (!code && mine)
    code = knows(r, news[which].kind, event, &known, err);
  int64_t fresh = code || !mine || known ? 0 : unseen(r, news[which].kind, event);
  if (code || !mine || !(fresh || r->inbox->everything))
    return code;
  ho_str id = decided ? said(r, event, "gate") : row->id;
  ho_str note = news[which].text ? said(r, event, news[which].text) : HO_EMPTY;
  if (note.n && said(r, event, HO_DATA_ASKED).n)
    note = ho_arena_printf(r->arena, "%.*s: %.*s", HO_ARG(said(r, event, HO_DATA_ASKED)), HO_ARG(note));
  if (note.n && news[which].begin)
    note = ho_arena_printf(r->arena, "%s%.*s", news[which].begin, HO_ARG(note));
  ho_inbox_item *item = ho_inbox_add(r, news[which].kind, id, decided ? gate_show : show);
  if (!item)
    return ho_arena_code(r->arena, err);
  item->subject = ho_describe_subject(r->project, row, r->arena);
  item->text = decided ? decision_text(r, event, note) : note.n ? note : event->kind;
  item->from = decided && said(r, event, "by").n ? said(r, event, "by") : event->actor;
  item->handoff = row->id;
  item->since = event->at;
  item->seq = fresh;
  item->chain = row->id;
  return HO_OK;
}

ho_code ho_inbox_add_news(ho_inbox_reading *r, ho_error *err)
{
  ho_code code = HO_OK;
  for (size_t i = 0; !code && i < r->count; i++)
    for (size_t n = 0; !code && n < HO_COUNT(news); n++) {
      ho_handoff row;
      ho_error gone = {0};
      if (!kinds_have(&news[n].events, r->events[i].kind) ||
          ho_handoffs_get(r->project->store, r->events[i].handoff, r->arena, &row, &gone))
        continue; /* pruned since */
      code = add_event(r, n, &r->events[i], &row, err);
    }
  return code;
}
