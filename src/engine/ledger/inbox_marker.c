/* How far a reader has looked, and the events since. */
#include "base/grow.h"
#include "doc/json/json.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/halt.h"
#include "engine/ledger/inbox_parts.h"
#include "engine/ledger/turn.h"
#include "engine/ledger/write.h"
#include "engine/project/event_data.h"
#include "engine/project/identity.h"
#include "engine/project/project.h"

/* How many events are looked at, at most; what is older is in the log. LATE: for the session, if others have read on. */
enum { PAGE = 1000, FAR = 20000, SEEN = 500, LATE = 200 };

bool ho_inbox_kinds_have(const ho_inbox_kinds *kinds, ho_str kind)
{
  for (int event = 0; event < HO_EVENT_COUNT; event++)
    if (kinds->events & 1u << event && ho_str_is(kind, ho_event_kind_name((ho_event_kind)event)))
      return true;
  return kinds->notes && ho_str_list_has(kinds->notes, kind);
}

/* ---- The marker: {"upto": N, "seen": [N, …]} under the reader's name. What is for an agent by its name, and no matter
 * of the instance that asks, is handed to one of its instances: their common marker is called NAME/. Otherwise whoever
 * gives every call an instance of its own would be given the same news for ever, and no work. What is said about the work
 * that a session holds or held, and about what it sent or asked, is for that session, whichever other one of the agent has
 * read it: NAME//SESSION. Two sessions of one harness in one project have one name. */

static bool is_instance(ho_str self)
{
  return !ho_str_eq(self, ho_identity_name(self)) && !ho_str_starts(self, HO_PROJECT_PERSON);
}

static ho_str common_marker(ho_arena *arena, ho_str self)
{
  return ho_arena_printf(arena, "%.*s/", HO_ARG(ho_identity_name(self)));
}

static ho_str session_marker(const ho_project *project, ho_arena *arena, ho_str self)
{
  return ho_arena_printf(arena, "%.*s//%.*s", HO_ARG(self), HO_ARG(project->session));
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
  bool own = m->one && m->one->own;
  for (size_t i = 0; !m->one && i < m->inbox->count; i++)
    own |= m->inbox->items[i].own && m->inbox->items[i].seq;
  ho_code code = own ? mark_for(store, m, session_marker(m->project, m->arena, m->me), err) : HO_OK;
  if (code)
    return code;
  if (m->one && is_common(m->project, m->arena, m->me, m->one->kind, m->one->chain))
    return mark_for(store, m, common, err);
  code = mark_for(store, m, m->me, err);
  return code || m->one || !is_instance(m->me) ? code : mark_for(store, m, common, err);
}

ho_code ho_inbox_seen(ho_project *project, ho_arena *arena, const ho_inbox *inbox, const ho_inbox_item *one,
                      ho_error *err)
{
  marking m = {project, arena, inbox, one, ho_inbox_reader(project)};
  return ho_ledger_write(project, mark, &m, err);
}

/* ---- What is for this session */

static ho_str session_in(const ho_inbox_reading *r, const ho_event *event)
{
  return ho_map_str(ho_event_data_read(r->arena, event->data), HO_DATA_SESSION);
}

/* Did this session send the handoff, or claim it, before that happened? */
static bool did_before(const ho_inbox_reading *r, const ho_handoff *row, const ho_event *event)
{
  static const ho_inbox_kinds sent = {HO_INBOX_EVENT(SENT), NULL}, claimed = {HO_INBOX_EVENT(CLAIMED), NULL};
  ho_event_list events;
  ho_error none = {0};
  if (row->receiver.n && !ho_inbox_is_me(r, row->receiver) && !ho_inbox_is_me(r, row->sender))
    return false;
  if (ho_events_select(r->project->store, row->id, 0, 0, r->arena, &events, &none))
    return false;
  for (size_t i = 0; i < events.count && events.rows[i].n < event->n; i++) {
    const ho_event *before = &events.rows[i];
    bool began = ho_inbox_kinds_have(&sent, before->kind);
    if (!(began || ho_inbox_kinds_have(&claimed, before->kind)) || !ho_inbox_is_self(r, before->actor))
      continue;
    if (ho_str_eq(began ? row->session : session_in(r, before), r->project->session))
      return true;
  }
  return false;
}

/* Did this session ask for what the handoff answers? */
static bool asked_for(const ho_inbox_reading *r, const ho_handoff *row)
{
  ho_handoff request;
  ho_error gone = {0};
  return row->parent.n && ho_str_is(row->type, "return") && ho_inbox_is_me(r, row->receiver) &&
         !ho_handoffs_get(r->project->store, row->parent, r->arena, &request, &gone) &&
         ho_str_eq(request.session, r->project->session);
}

/* Does it say that the task of something that this session holds, and that was sent before, is halted, or how it goes on? */
static bool is_about_task(const ho_inbox_reading *r, const ho_handoff *row, const ho_event *event)
{
  static const ho_inbox_kinds of_tasks = {0, HO_NOTE_RESUMED "|" HO_NOTE_SETTLED};
  static const ho_inbox_kinds sent = {HO_INBOX_EVENT(SENT), NULL};
  bool found = false, of_task = ho_inbox_kinds_have(&of_tasks, event->kind) ||
                                (ho_inbox_kinds_have(&sent, event->kind) && ho_halt_marked(row, r->arena));
  for (size_t i = 0; row->task.n && of_task && i < r->held_count; i++)
    found |= ho_str_eq(r->held[i].task, row->task) && r->held[i].sent <= event->at;
  return found;
}

bool ho_inbox_for_session(const ho_inbox_reading *r, const ho_event *event)
{
  ho_handoff row;
  ho_error gone = {0};
  return !r->person && !ho_handoffs_get(r->project->store, event->handoff, r->arena, &row, &gone) &&
         (asked_for(r, &row) || did_before(r, &row, event) || is_about_task(r, &row, event));
}

/* Did this session do it itself? Of its own name, only what says that it was another one is another's. */
static bool is_own(const ho_inbox_reading *r, const ho_event *event)
{
  ho_str session = session_in(r, event);
  return ho_inbox_is_self(r, event->actor) && (!session.n || ho_str_eq(session, r->project->session));
}

/* Has somebody else done it? Another instance or session of the reader's name is one; but what it took back of its own is
 * no news to the others. */
static bool is_anothers(const ho_inbox_reading *r, const ho_event *event)
{
  static const ho_inbox_kinds taken_back = {HO_INBOX_EVENT(WITHDRAWN), NULL};
  if (!ho_inbox_is_me(r, event->actor))
    return true;
  return !is_own(r, event) && (!ho_inbox_kinds_have(&taken_back, event->kind) || ho_inbox_for_session(r, event));
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
      ho_event *slot = is_anothers(r, &page.rows[i]) ? HO_PUSH(r->arena, r->events, r->count) : NULL;
      if (slot)
        *slot = page.rows[i];
    }
  }
  return code;
}

static bool is_read(const ho_inbox_reading *r, const ho_event *event)
{
  for (size_t i = 0; i < r->count; i++)
    if (r->events[i].seq == event->seq)
      return true;
  return false;
}

/* Its events since this session claimed it, of those that are told to whoever holds it. */
static ho_code look_at_held(ho_inbox_reading *r, const ho_handoff *row, ho_error *err)
{
  static const ho_inbox_kinds claimed = {HO_INBOX_EVENT(CLAIMED), NULL};
  static const ho_inbox_kinds told = {HO_INBOX_EVENT(ANSWERED) | HO_INBOX_EVENT(APPROVED),
                                      HO_NOTE_ANSWER "|" HO_NOTE_SETTLED "|" HO_NOTE_GATE_DECIDED "|" HO_NOTE_RESUMED};
  ho_event_list events;
  int64_t since = 0;
  ho_code code = ho_events_select(r->project->store, row->id, 0, 0, r->arena, &events, err);
  ho_inbox_holding *held = code ? NULL : HO_PUSH(r->arena, r->held, r->held_count);
  if (!held)
    return code ? code : ho_arena_code(r->arena, err);
  *held = (ho_inbox_holding){row->id, row->task, row->created};
  for (size_t i = 0; i < events.count; i++)
    if (ho_inbox_kinds_have(&claimed, events.rows[i].kind))
      since = events.rows[i].n;
  for (size_t i = events.count; i-- > 0 && events.rows[i].n > since;) {
    bool new =
        ho_inbox_kinds_have(&told, events.rows[i].kind) && !is_own(r, &events.rows[i]) && !is_read(r, &events.rows[i]);
    ho_event *slot = new ? HO_PUSH(r->arena, r->events, r->count) : NULL;
    if (slot)
      *slot = events.rows[i];
  }
  return ho_arena_code(r->arena, err);
}

/* What others of the reader's name have read, but this session has not, although it is for it. */
static ho_code look_late(ho_inbox_reading *r, ho_error *err)
{
  ho_event_list late = {0};
  ho_code code = ho_events_select(r->project->store, HO_EMPTY, 0, r->inbox->quick ? LATE : PAGE, r->arena, &late, err);
  for (size_t i = 0; !code && !r->inbox->everything && i < late.count; i++) {
    const ho_event *event = &late.rows[i];
    if (event->seq <= r->session.upto)
      break;
    bool new = event->seq <= r->marker.upto &&ho_inbox_tells(event->kind) && is_anothers(r, event) &&
               !is_read(r, event) && ho_inbox_for_session(r, event);
    ho_event *slot = new ? HO_PUSH(r->arena, r->events, r->count) : NULL;
    if (slot)
      *slot = *event;
  }
  return code ? code : ho_arena_code(r->arena, err);
}

ho_code ho_inbox_look_session(ho_inbox_reading *r, ho_error *err)
{
  static const ho_state states[] = {HO_STATE_CLAIMED, HO_STATE_ACKED, HO_STATE_CLARIFY, HO_STATE_GATED};
  if (r->person)
    return HO_OK;
  ho_str marker = session_marker(r->project, r->arena, r->self);
  ho_code code = load_marker(r->project->store, r->arena, marker, &r->session, err);
  for (size_t s = 0; !code && s < HO_COUNT(states); s++) {
    ho_handoff_list list;
    ho_filter filter = {.state = ho_str_of(ho_state_name(states[s])), .holder = r->project->session};
    code = ho_handoffs_select(r->project->store, &filter, r->arena, &list, err);
    for (size_t i = 0; !code && i < list.count; i++)
      if (ho_str_eq(list.rows[i].claimed_by, r->self))
        code = look_at_held(r, &list.rows[i], err);
  }
  return code ? code : look_late(r, err);
}

/* Has the reader seen it, whichever session read it; or, if it is no matter of the instance, any instance? */
static bool is_seen(const ho_inbox_reading *r, ho_waiting as, const ho_event *event)
{
  return was_seen(&r->marker, event->seq) ||
         (was_seen(&r->common, event->seq) && is_common(r->project, r->arena, r->self, as, event->handoff));
}

int64_t ho_inbox_unseen(const ho_inbox_reading *r, ho_waiting as, const ho_event *event)
{
  bool seen = ho_inbox_for_session(r, event) ? was_seen(&r->session, event->seq) : is_seen(r, as, event);
  return seen ? 0 : event->seq;
}

int64_t ho_inbox_fresh(const ho_inbox_reading *r, ho_waiting as, ho_str handoff, const ho_inbox_kinds *kinds)
{
  for (size_t i = 0; kinds && i < r->count; i++)
    if (ho_str_eq(r->events[i].handoff, handoff) && ho_inbox_kinds_have(kinds, r->events[i].kind))
      return is_seen(r, as, &r->events[i]) ? 0 : r->events[i].seq;
  return 0;
}
