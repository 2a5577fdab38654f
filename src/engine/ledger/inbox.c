#include "engine/ledger/inbox.h"

#include "base/grow.h"
#include "base/time.h"
#include "engine/ledger/claim.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/draft.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/gate_step.h"
#include "engine/ledger/gate_wants.h"
#include "engine/ledger/halt.h"
#include "engine/ledger/inbox_parts.h"
#include "engine/ledger/marks.h"
#include "engine/ledger/turn.h"
#include "engine/project/identity.h"
#include "engine/project/quote.h"
#include "model/formats/formats.h"
#include "model/lifecycle.h"

/* Of each kind; what is more is counted. */
enum { MOST = 50 };

HO_WORDS(ho_waitings, "a kind of what waits", NULL, HO_WAITINGS);

bool ho_inbox_is_me(const ho_inbox_reading *r, ho_str who)
{
  if (r->person && ho_str_is(who, "human")) /* any of them */
    return true;
  return who.n && ho_str_eq(r->person ? who : ho_identity_name(who), r->me);
}

ho_code ho_inbox_is_sender(const ho_inbox_reading *r, const ho_handoff *row, bool *out, ho_error *err)
{
  ho_str sender = HO_EMPTY;
  ho_code code = ho_describe_sender(r->project, row, r->arena, &sender, err);
  *out = ho_inbox_is_me(r, sender);
  return code;
}

bool ho_inbox_is_self(const ho_inbox_reading *r, ho_str who)
{
  return ho_str_eq(r->self, r->me) ? ho_inbox_is_me(r, who) : ho_str_eq(who, r->self);
}

static ho_node *commands_of(const ho_project *project, ho_arena *arena, const char *const *formats, ho_str id)
{
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  for (; formats && *formats; formats++)
    ho_list_add(list, ho_node_text(arena, ho_project_command(project, arena, *formats, id)));
  return list;
}

/* Who holds a phase handoff ends it by what it does with the phase: `done` would end the handoff alone, and while objectives are
 * open nobody would be offered the rest. */
static ho_node *phase_commands(const ho_project *project, ho_arena *arena, const ho_handoff *row)
{
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  ho_str where = ho_arena_printf(arena, "--task %.*s --phase %.*s", HO_ARG(row->task), HO_ARG(row->phase));
  ho_str as = ho_str_sub(ho_project_command(project, arena, "@", HO_EMPTY), strlen("handoff "), HO_NONE);
  ho_list_add(list, ho_node_text(arena, ho_arena_printf(arena, "handoff finish %.*s%.*s", HO_ARG(where), HO_ARG(as))));
  ho_list_add(list, ho_node_text(
                        arena, ho_arena_printf(arena, "handoff pass %.*s --next TEXT%.*s", HO_ARG(where), HO_ARG(as))));
  ho_list_add(list, ho_node_text(arena, ho_project_command(project, arena, "ack ID --question TEXT@", row->id)));
  ho_list_add(list, ho_node_text(arena, ho_project_command(project, arena, "reject ID --note TEXT@", row->id)));
  return list;
}

ho_node *ho_inbox_follow(const ho_project *project, ho_arena *arena, const ho_handoff *row)
{
  static const char *const claimed[] = {"ack ID --task TEXT@", "ack ID --blocker TEXT@", "release ID@", NULL};
  static const char *const acked[] = {"done ID --note TEXT@", "ack ID --question TEXT@", "reject ID --note TEXT@",
                                      NULL};
  static const char *const delegated[] = {"return ID PATH@", "ack ID --question TEXT@", "reject ID --note TEXT@", NULL};
  static const char *const halting[] = {"answer ID --note TEXT@", "ack ID --task TEXT@", "release ID@", NULL};
  static const char *const halting_acked[] = {"answer ID --note TEXT@", "done ID --note TEXT@", NULL};
  static const char *const draft[] = {"answer ID --note TEXT@", "reject ID --note TEXT@", NULL};
  if (ho_str_is(row->state, ho_state_name(HO_STATE_DRAFT)))
    return commands_of(project, arena, draft, row->id);
  bool begun = ho_str_is(row->state, ho_state_name(HO_STATE_ACKED));
  if (ho_halt_marked(row, arena)) /* its task waits for whoever receives it */
    return commands_of(project, arena, begun ? halting_acked : halting, row->id);
  if (begun && ho_str_is(row->kind, ho_format_artifact.name) && ho_id_fits(row->task) && ho_id_fits(row->phase))
    return phase_commands(project, arena, row);
  bool back = ho_str_is(row->type, "delegation");
  return commands_of(project, arena, !begun ? claimed : back ? delegated : acked, row->id);
}

ho_inbox_item *ho_inbox_add(ho_inbox_reading *r, ho_waiting kind, ho_str id, const char *const *commands)
{
  ho_inbox_item *item = HO_PUSH(r->arena, r->inbox->items, r->inbox->count);
  if (item)
    *item = (ho_inbox_item){.kind = kind, .id = id, .commands = commands_of(r->project, r->arena, commands, id)};
  return item;
}

ho_inbox_item *ho_inbox_add_row(ho_inbox_reading *r, ho_waiting kind, const ho_handoff *row,
                                const char *const *commands, const ho_inbox_kinds *news)
{
  ho_inbox_item *item = ho_inbox_add(r, kind, row->id, commands);
  if (!item)
    return NULL;
  item->subject = ho_describe_subject(r->project, row, r->arena);
  item->since = row->updated;
  item->from = row->sender;
  item->seq = ho_inbox_fresh(r, kind, row->id, news);
  item->chain = row->id;
  return item;
}

/* What another session of the same agent holds cannot be continued in this one: nobody else is to believe that it could. */
static ho_code add_held(ho_inbox_reading *r, const ho_handoff *row)
{
  static const char *const look[] = {"show ID", NULL};
  bool mine = ho_turn_remembers(r->project, row);
  ho_inbox_item *item = ho_inbox_add_row(r, HO_WAITING_HELD, row, look, NULL);
  if (!item)
    return HO_OK;
  item->until = row->lease_until;
  item->elsewhere = !mine;
  if (mine)
    item->commands = ho_inbox_follow(r->project, r->arena, row);
  else
    item->text = ho_arena_printf(
        r->arena,
        "another session of yours holds it; when it is free, run: %.*s; a person can free it: handoff release %.*s",
        HO_ARG(ho_project_command(r->project, r->arena, "next@", HO_EMPTY)), HO_ARG(row->id));
  return HO_OK;
}

/* Ready for the reader: work, or the result of what it delegated. If it is ready because of news (an answer, a decision),
 * that says so. */
static ho_code add_ready(ho_inbox_reading *r, const ho_handoff *row, ho_error *err)
{
  static const char *const claim[] = {"claim ID@", "show ID", NULL}, *const look[] = {"show ID", NULL};
  static const char *const resume[] = {"answer ID --note TEXT@", "claim ID@", "show ID", NULL};
  static const ho_inbox_kinds news = {HO_INBOX_EVENT(SENT) | HO_INBOX_EVENT(CONFIRMED) | HO_INBOX_EVENT(LAPSED) |
                                          HO_INBOX_EVENT(WORK_LAPSED) | HO_INBOX_EVENT(RELEASED) |
                                          HO_INBOX_EVENT(APPROVED) | HO_INBOX_EVENT(RETURNED),
                                      NULL};
  ho_halt halt;
  bool held;
  int64_t until;
  ho_str kept = ho_claim_kept(r->project, row, r->arena, &until);
  ho_code code = ho_halt_holds(r->project, row, r->arena, &halt, &held, err);
  for (size_t i = 0; !code && !held && i < r->inbox->count; i++)
    if (ho_str_eq(r->inbox->items[i].handoff, row->id)) {
      ho_inbox_item *item = &r->inbox->items[i];
      const char *const *commands = kept.n ? look : ho_halt_marked(row, r->arena) ? resume : claim;
      item->commands = commands_of(r->project, r->arena, commands, row->id);
      item->ready = !kept.n;
      item->kept = kept.n > 0;
      return HO_OK;
    }
  ho_waiting kind = ho_str_is(row->type, "return") ? HO_WAITING_RETURNED : HO_WAITING_HANDOFF;
  ho_inbox_item *item = code ? NULL : ho_inbox_add_row(r, kind, row, held || kept.n ? look : claim, &news);
  if (item)
    item->ready = !held && !kept.n;
  if (item && kept.n) {
    item->text =
        ho_arena_printf(r->arena, "kept for %.*s until %.*s", HO_ARG(kept), HO_ARG(ho_time_str(r->arena, until)));
    item->until = until;
    item->kept = true;
  }
  if (item && held)
    item->text = ho_arena_printf(r->arena, "waits: %.*s", HO_ARG(ho_halt_sentence(r->project, r->arena, &halt)));
  return code;
}

/* One that a teammate already continues waits for nobody. */
static ho_code add_draft(ho_inbox_reading *r, const ho_handoff *row, ho_error *err)
{
  static const char *const commands[] = {"show ID", "answer ID --note TEXT@", "reject ID --note TEXT@", NULL};
  static const ho_inbox_kinds news = {HO_INBOX_EVENT(DRAFTED), NULL};
  ho_str by;
  ho_code code = ho_draft_taken(r->project, row, r->arena, &by, err);
  if (!code && !by.n)
    ho_inbox_add_row(r, HO_WAITING_DRAFT, row, commands, &news);
  return code;
}

static ho_code add_pending(ho_inbox_reading *r, ho_state state, const ho_handoff *row, ho_error *err)
{
  switch (state) {
  case HO_STATE_READY:
    return ho_inbox_is_me(r, row->receiver) ? add_ready(r, row, err) : HO_OK;
  case HO_STATE_CLARIFY:
    return ho_inbox_add_question(r, row, err);
  case HO_STATE_CLAIMED:
  case HO_STATE_ACKED:
    return ho_inbox_is_self(r, row->claimed_by) ? add_held(r, row) : HO_OK;
  case HO_STATE_DRAFT:
    return r->person || ho_inbox_is_me(r, row->sender) ? add_draft(r, row, err) : HO_OK;
  default:
    return HO_OK;
  }
}

static ho_code add_state(ho_inbox_reading *r, ho_state state, ho_error *err)
{
  ho_handoff_list list;
  ho_filter filter = {.state = ho_str_of(ho_state_name(state)), .oldest_first = true};
  if (state == HO_STATE_READY)
    filter.receiver = r->me;
  size_t before = r->inbox->count;
  ho_code code = ho_handoffs_select(r->project->store, &filter, r->arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++) {
    if (r->inbox->count - before >= MOST) {
      r->inbox->missed += list.count - i;
      break;
    }
    code = add_pending(r, state, &list.rows[i], err);
  }
  return code;
}

/* Who answers what a person asks back: whoever raised the gate. One that the program raised, since its handoff was never
 * finished, is about what its sender wants; "" if that is no agent. */
static ho_str raiser_of(const ho_gate *gate, const ho_handoff *row)
{
  if (!ho_str_eq(gate->raised_by, HO_STR(HO_GATE_PROGRAM)))
    return gate->raised_by;
  bool persons = ho_str_starts(row->sender, HO_PROJECT_PERSON) || ho_str_is(row->sender, "human");
  return persons ? HO_EMPTY : row->sender;
}

/* What a person can do at an open gate. If somebody asked back where 'run', which reads no inbox, or nobody would answer,
 * it still waits for people; NULL: it waits for an agent. */
static const char *const *deciding(const ho_inbox_reading *r, const ho_gate *gate, const ho_handoff *row)
{
  static const char *const decide[] = {"gate show ID", "gate decide ID approve", "gate decide ID reject --note TEXT",
                                       "gate decide ID question --note TEXT", NULL};
  static const char *const in_words[] = {"gate show ID", "gate decide ID approve --note TEXT",
                                         "gate decide ID reject --note TEXT", "gate decide ID question --note TEXT",
                                         NULL};
  static const char *const unanswered[] = {"gate show ID", "answer ID --note TEXT",
                                           "gate decide ID approve --note TEXT", "gate decide ID reject --note TEXT",
                                           NULL};
  ho_gate_step step;
  ho_error none = {0};
  if (gate->decision == HO_DECISION_QUESTION)
    return ho_gate_step_parse(row->key, &step) || !raiser_of(gate, row).n ? unanswered : NULL;
  ho_gate_wants wants;
  bool wanted = !ho_gate_wants_read(r->project, r->arena, gate, &wants, &none) && wants.what >= HO_GATE_WANTS_ANSWER;
  return wanted ? in_words : decide;
}

/* Does the gate hold back the answer to what the reader asked for? Then it is not for the reader to decide, but it knows why
 * nothing comes. */
static bool holds_back(const ho_inbox_reading *r, const ho_handoff *row)
{
  return ho_str_is(row->type, "return") && row->parent.n && ho_inbox_is_me(r, row->receiver);
}

/* An open gate waits for a person, unless the person asked back: then for whoever raised it. */
static ho_inbox_item *add_gate(ho_inbox_reading *r, const ho_gate *gate)
{
  static const char *const answer[] = {"answer ID --note TEXT@", "gate show ID", NULL};
  static const char *const wait[] = {"gate show ID", "gate wait ID --timeout 300@", NULL};
  bool question = gate->decision == HO_DECISION_QUESTION;
  ho_handoff row = {0};
  ho_error gone = {0};
  ho_inbox_item *item = NULL;
  if (ho_handoffs_get(r->project->store, gate->handoff, r->arena, &row, &gone))
    row = (ho_handoff){0};
  const char *const *commands = r->person ? deciding(r, gate, &row) : NULL;
  if (commands) {
    item = ho_inbox_add(r, HO_WAITING_GATE, gate->id, commands);
  } else if (question && ho_inbox_is_me(r, raiser_of(gate, &row))) {
    item = ho_inbox_add(r, HO_WAITING_QUESTION, gate->id, answer);
  } else if (holds_back(r, &row)) {
    item = ho_inbox_add(r, HO_WAITING_GATE, gate->id, wait);
    if (item)
      item->text =
          ho_arena_printf(r->arena, "the answer to %.*s waits until a person has decided this", HO_ARG(row.parent));
    return item;
  }
  if (item && question)
    item->text = gate->note;
  return item;
}

static ho_code add_gates(ho_inbox_reading *r, ho_error *err)
{
  static const ho_inbox_kinds raised = {HO_INBOX_EVENT(GATED) | HO_INBOX_EVENT(EXHAUSTED),
                                        HO_NOTE_GATE_RAISED "|" HO_NOTE_GATE_ANSWER};
  static const ho_inbox_kinds asked = {0, HO_NOTE_GATE_QUESTION};
  ho_gate_list list;
  ho_code code = ho_gate_read_list(r->project, HO_GATE_OPEN, HO_EMPTY, 1000, r->arena, &list, err);
  size_t before = r->inbox->count;
  for (size_t i = 0; !code && i < list.count; i++) {
    const ho_gate *gate = &list.rows[i];
    ho_inbox_item *item = add_gate(r, gate);
    if (!item)
      continue;
    bool decide = item->kind == HO_WAITING_GATE;
    item->subject = ho_quote_clean(r->arena, gate->name, HO_SUBJECT, true);
    item->from = decide ? gate->raised_by : gate->decided_by;
    item->since = gate->raised;
    item->seq = ho_inbox_fresh(r, item->kind, gate->handoff, decide ? &raised : &asked);
    item->chain = gate->handoff;
    if (r->inbox->count - before > MOST) {
      r->inbox->count--;
      r->inbox->missed++;
    }
  }
  return code ? code : ho_arena_code(r->arena, err);
}

ho_code ho_inbox_takes_part(ho_inbox_reading *r, ho_str task, ho_str but, bool *out, ho_error *err)
{
  ho_handoff_list list = {0};
  ho_filter filter = {.task = task};
  *out = false;
  if (!task.n) /* what has no task has none in common */
    return HO_OK;
  ho_code code = ho_handoffs_select(r->project->store, &filter, r->arena, &list, err);
  for (size_t i = 0; !code && !*out && i < list.count; i++) {
    const ho_handoff *row = &list.rows[i];
    ho_state state;
    *out = ho_state_named(row->state, &state) && ho_state_open(state) && !ho_str_eq(row->id, but) &&
           (ho_inbox_is_me(r, row->sender) || ho_inbox_is_me(r, row->receiver) || ho_inbox_is_self(r, row->claimed_by));
  }
  return code;
}

/* How the response that halts a task came, and whether this session of the reader has sent it: another session or instance
 * of the same name has not. */
static ho_code said_it(ho_inbox_reading *r, const ho_halt *halt, ho_event *sent, bool *out, ho_error *err)
{
  ho_handoff row;
  ho_event_list first = {0};
  ho_code code = ho_handoffs_get(r->project->store, halt->id, r->arena, &row, err);
  if (!code)
    code = ho_events_select(r->project->store, halt->id, 0, 1, r->arena, &first, err);
  *sent = !code && first.count ? first.rows[0] : (ho_event){0};
  *out = !code && ho_inbox_is_self(r, sent->actor) && ho_str_eq(row.session, r->project->session);
  return code;
}

/* A halted task concerns people, whoever asked for the response that halts it, and everybody else who works on it. */
static ho_code add_stops(ho_inbox_reading *r, ho_error *err)
{
  static const char *const resume[] = {"answer ID --note TEXT@", "show ID", NULL}, *const look[] = {"show ID", NULL};
  ho_halt_list list;
  ho_event sent;
  ho_code code = ho_halt_select(r->project, HO_EMPTY, MOST, r->arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++) {
    const ho_halt *halt = &list.rows[i];
    bool decides = r->person || ho_inbox_is_me(r, halt->to), mine = decides, said = false;
    code = said_it(r, halt, &sent, &said, err);
    if (!code && !mine && !said)
      code = ho_inbox_takes_part(r, halt->task, halt->id, &mine, err);
    ho_inbox_item *item = !code && mine ? ho_inbox_add(r, HO_WAITING_STOP, halt->id, decides ? resume : look) : NULL;
    if (!item)
      continue;
    item->handoff = halt->id;
    item->from = halt->by;
    item->subject = ho_arena_printf(r->arena, "task %.*s is halted", HO_ARG(ho_quote_name(r->arena, halt->task)));
    item->text = halt->why;
    item->since = halt->since;
    item->seq = ho_inbox_unseen(r, item->kind, &sent);
    item->chain = halt->id;
    item->own = ho_inbox_for_session(r, &sent);
  }
  return code;
}

static int by_urgency(const void *a, const void *b)
{
  const ho_inbox_item *one = a, *other = b;
  if (one->kind != other->kind)
    return one->kind < other->kind ? -1 : 1;
  if (one->since != other->since)
    return one->since < other->since ? -1 : 1;
  return ho_str_cmp(one->id, other->id);
}

static void begin(ho_inbox_reading *r)
{
  r->me = ho_project_addressee(r->project);
  r->person = !r->me.n;
  if (r->person)
    r->me = ho_project_actor(r->project);
  r->self = ho_inbox_reader(r->project);
}

ho_str ho_inbox_reader(ho_project *project)
{
  return project->agent.n ? project->agent : ho_project_actor(project);
}

ho_code ho_inbox_read(ho_project *project, ho_arena *arena, ho_inbox *inbox, ho_error *err)
{
  static const ho_state states[] = {HO_STATE_CLARIFY, HO_STATE_ACKED, HO_STATE_CLAIMED, HO_STATE_READY, HO_STATE_DRAFT};
  ho_inbox_reading r = {.project = project, .arena = arena, .inbox = inbox};
  begin(&r);
  ho_code code = ho_inbox_look(&r, err);
  if (!code)
    code = ho_inbox_look_session(&r, err);
  if (!code)
    code = ho_inbox_add_news(&r, err);
  if (!code)
    code = add_stops(&r, err);
  if (!code)
    code = add_gates(&r, err);
  if (!code)
    code = ho_inbox_add_asked(&r, err);
  if (!code)
    code = ho_inbox_add_questions(&r, err);
  for (size_t i = 0; !code && i < HO_COUNT(states); i++)
    code = add_state(&r, states[i], err);
  if (!code)
    code = ho_arena_code(arena, err);
  if (!code && inbox->count)
    qsort(inbox->items, inbox->count, sizeof *inbox->items, by_urgency);
  for (size_t i = 0; !code && i < inbox->count; i++)
    inbox->fresh += inbox->items[i].seq > 0;
  return code;
}
