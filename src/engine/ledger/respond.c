#include "engine/ledger/respond.h"

#include "base/digest.h"
#include "engine/ledger/asked.h"
#include "engine/ledger/claim.h"
#include "engine/ledger/derive.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/draft.h"
#include "engine/ledger/gate.h"
#include "engine/ledger/halt.h"
#include "engine/ledger/leases.h"
#include "engine/ledger/marks.h"
#include "engine/ledger/rights.h"
#include "engine/ledger/send.h"
#include "engine/ledger/write.h"
#include "engine/project/event_data.h"
#include "engine/project/identity.h"
#include "engine/project/project.h"
#include "engine/project/quote.h"
#include "store/handoffs/bodies.h"

typedef struct receiving {
  ho_project *project;
  ho_arena *arena;
  ho_ack *ack;
  ho_say *say;
} receiving;

static void put_list(const ho_project *project, ho_arena *arena, ho_node *map, const char *key, const ho_node *texts)
{
  if (!texts || !texts->count)
    return;
  ho_node *list = ho_map_addz(map, key, ho_node_new(arena, HO_KIND_LIST));
  HO_EACH_CONST (text, texts)
    ho_list_add(list, ho_node_text(arena, ho_project_clean(project, arena, text->text)));
}

static bool is_empty(const ho_node *list)
{
  return !list || !list->count;
}

static void count_questions(ho_turn *turn, const ho_ack *ack)
{
  uint64_t open = 0;
  if (is_empty(ack->questions))
    return;
  if (!ho_str_to_u64(ho_marks_get(&turn->row, turn->arena, HO_MARK_QUESTIONS), &open))
    open = 0;
  ho_marks_set(&turn->row, turn->arena, HO_MARK_QUESTIONS,
               ho_arena_printf(turn->arena, "%llu", (unsigned long long)(open + ack->questions->count)));
}

static ho_code ack_data(receiving *r, ho_turn *turn, ho_node **out, ho_error *err)
{
  ho_str body = HO_EMPTY;
  ho_error failure = {0};
  ho_ack *ack = r->ack;
  ho_node *data = ho_node_new(r->arena, HO_KIND_MAP);
  ho_event_data_put(r->project, r->arena, data, "task", ack->task);
  put_list(r->project, r->arena, data, "constraints", ack->constraints);
  put_list(r->project, r->arena, data, "questions", ack->questions);
  put_list(r->project, r->arena, data, "blockers", ack->blockers);
  ho_event_data_put(r->project, r->arena, data, "document", ack->document);
  ho_code code = ho_bodies_get(r->project->store, turn->row.digest, r->arena, &body, &failure);
  if (code && code != HO_NOT_FOUND) {
    *err = failure;
    return code;
  }
  if (!code)
    ack->checks = ho_receive_checks(r->project, r->arena, &turn->row, body, ack);
  if (ack->checks)
    ho_map_addz(data, "checks", ho_node_copy(r->arena, ack->checks));
  *out = data;
  return HO_OK;
}

/* An acknowledgement says what was understood; nobody learns anything from one that only says yes. */
static ho_code refuse_silence(receiving *r, ho_turn *turn, ho_error *err)
{
  ho_str subject = ho_quote_said(r->arena, ho_describe_subject(r->project, &turn->row, r->arena), HO_SUBJECT);
  return ho_fail(err, HO_USAGE, "say in your own words what you will do: %.*s (it asks: %.*s)",
                 HO_ARG(ho_project_command(r->project, r->arena, "ack ID --task TEXT@", turn->row.id)),
                 HO_ARG(subject));
}

static ho_code ack(ho_store *store, void *data, ho_error *err)
{
  receiving *r = data;
  ho_ack *a = r->ack;
  ho_turn turn = {0};
  (void)store;
  ho_code code = ho_turn_begin(r->project, a->id, r->arena, &turn, err);
  if (!code && (turn.state == HO_STATE_CLAIMED || turn.state == HO_STATE_ACKED))
    code = ho_turn_claimer(&turn, a->token, true, err);
  if (code)
    return code;
  bool blocked = a->not_starting || !is_empty(a->blockers);
  bool only_asks = !blocked && !a->task.n && is_empty(a->constraints) && !is_empty(a->questions) && !a->document.n;
  ho_node *said = NULL;
  if (turn.state == HO_STATE_CLAIMED && !blocked && !only_asks && !a->task.n && !a->document.n)
    return refuse_silence(r, &turn, err);
  code = ack_data(r, &turn, &said, err);
  if (code)
    return code;
  count_questions(&turn, a);
  if (only_asks && (turn.state == HO_STATE_CLAIMED || turn.state == HO_STATE_ACKED)) {
    code = ho_turn_mark(&turn, HO_NOTE_ASKED, said, err);
  } else if (blocked) {
    ho_marks_set(&turn.row, r->arena, HO_MARK_KEPT_FOR, turn.row.claimed_by);
    code = ho_turn_apply(&turn, HO_EVENT_BLOCKED, said, err);
  } else {
    ho_claim_lease_again(&turn);
    code = ho_turn_apply(&turn, HO_EVENT_ACKED, said, err);
  }
  a->row = turn.row;
  if (!code && !(is_empty(a->questions) && is_empty(a->blockers)))
    code = ho_derive_inside(r->project, HO_DERIVED_KNOWLEDGE, err);
  return code ? code : ho_knowledge_asked(r->project, r->arena, &turn.row, a->questions, a->blockers, err);
}

ho_code ho_receive_ack(ho_project *project, ho_arena *arena, ho_ack *a, ho_error *err)
{
  receiving r = {.project = project, .arena = arena, .ack = a};
  if (!(is_empty(a->questions) && is_empty(a->blockers)))
    ho_derive_ahead(project, HO_DERIVED_KNOWLEDGE);
  return ho_ledger_write(project, ack, &r, err);
}

/* A list of texts from a field that may be a single text. */
static ho_node *texts(ho_arena *arena, const ho_node *node)
{
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  if (ho_node_is(node, HO_KIND_TEXT))
    ho_list_add(list, ho_node_text(arena, node->text));
  else if (ho_node_is(node, HO_KIND_LIST))
    HO_EACH_CONST (item, node)
      ho_list_add(list, ho_node_text(arena, ho_node_str(item)));
  return list;
}

typedef struct ack_document {
  ho_send *in;
  receiving *r;
  char digest[HO_DIGEST_SIZE];
} ack_document;

static ho_code ack_with_document(ho_store *store, void *data, ho_error *err)
{
  ack_document *d = data;
  ho_code code = ho_bodies_put(store, d->in->seen.body, d->digest, err);
  d->r->ack->document = ho_str_of(d->digest);
  return code ? code : ack(store, d->r, err);
}

/* The handoff that an acknowledgement is about, if it does not say: the one that its author has claimed from the agent
 * that it names. */
static ho_code find_claimed(ho_send *in, ho_str from, ho_str *id, ho_error *err)
{
  ho_handoff_list list;
  ho_filter filter = {.state = ho_str_of(ho_state_name(HO_STATE_CLAIMED)), .limit = 1000};
  char hash[HO_DIGEST_SIZE];
  size_t found = 0;
  ho_code code = ho_handoffs_select(in->project->store, &filter, in->arena, &list, err);
  ho_digest_text(in->token, hash);
  for (size_t i = 0; !code && i < list.count; i++) {
    const ho_handoff *row = &list.rows[i];
    bool mine = in->token.n ? ho_digest_eq(ho_str_of(hash), row->token)
                            : ho_str_eq(ho_project_addressee(in->project), ho_identity_name(row->claimed_by));
    if (!mine || (from.n && row->sender.n && !ho_str_eq(from, row->sender)))
      continue;
    *id = row->id;
    found++;
  }
  if (code || found == 1)
    return code;
  if (found)
    return ho_fail_file(err, HO_INVALID, in->path,
                        "does not say which handoff it acknowledges, and several are claimed; add handoff: ID");
  return ho_fail_file(err, HO_INVALID, in->path,
                      "does not say which handoff it acknowledges (handoff: ID), and none is claimed%s%.*s",
                      from.n ? " from " : "", HO_ARG(from));
}

ho_code ho_send_ack(ho_send *in, ho_error *err)
{
  const ho_node *root = in->seen.doc.root, *understood = ho_map_getz(root, "understood"),
                *starting = ho_map_getz(root, "starting");
  bool partial = ho_node_is(understood, HO_KIND_TEXT);
  ho_ack a = {.id = ho_map_str(root, "handoff"),
              .token = in->token,
              .task = ho_map_str(understood, "task"),
              .constraints = texts(in->arena, ho_map_getz(understood, "constraints")),
              .questions = texts(in->arena, ho_map_getz(root, "questions")),
              .blockers = texts(in->arena, ho_map_getz(root, "blockers")),
              .tokens = in->tokens};
  a.not_starting = partial || (ho_node_is(starting, HO_KIND_BOOL) && !ho_node_true(starting)) ||
                   ho_str_is(ho_map_str(root, "action"), "request_clarification");
  receiving r = {.project = in->project, .arena = in->arena, .ack = &a};
  ack_document d = {.in = in, .r = &r};
  ho_code code = a.id.n ? HO_OK : find_claimed(in, ho_map_str(root, "from"), &a.id, err);
  if (!code)
    code = ho_ledger_write(in->project, ack_with_document, &d, err);
  in->made.row = a.row;
  return code;
}

/* One event by whoever holds the claim. A person can free what a session holds that nobody can ask any more: what is known of
 * its work is drafted, as if its lease had run out, and it is told, in case that it goes on. */
static ho_code claimed_event(receiving *r, ho_event_kind event, const char *key, ho_error *err)
{
  bool ends = event != HO_EVENT_RELEASED;
  ho_turn turn = {0};
  ho_node *data = ho_node_new(r->arena, HO_KIND_MAP);
  ho_code code = ho_turn_begin(r->project, r->say->id, r->arena, &turn, err);
  bool frees = !code && !ends && !r->say->token.n && turn.row.token.n && ho_rights_person(&turn);
  if (!code && turn.row.token.n && !frees)
    code = ho_turn_claimer(&turn, r->say->token, true, err);
  ho_event_data_put(r->project, r->arena, data, key, r->say->note);
  if (frees)
    ho_event_data_put(r->project, r->arena, data, HO_NOTE_HOLDER, turn.row.claimed_by);
  if (!code)
    ho_turn_tell_session(&turn, data);
  if (!code && frees)
    code = ho_leases_draft(&turn, "a person freed what it held", false, err);
  if (!code && ends)
    code = ho_turn_begun(&turn, NULL, err);
  if (event == HO_EVENT_REJECTED)
    ho_marks_set(&turn.row, r->arena, HO_MARK_REJECTED_BY, turn.actor);
  if (!code)
    code = ho_turn_apply(&turn, event, data, err);
  r->say->row = turn.row;
  return code;
}

static ho_code done(ho_store *store, void *data, ho_error *err)
{
  (void)store;
  return claimed_event(data, HO_EVENT_DONE, "note", err);
}

/* Why it was refused is known from then on; a draft says what was seen, and nobody asked for it. */
static ho_code reject(ho_store *store, void *data, ho_error *err)
{
  receiving *r = data;
  ho_say *s = r->say;
  (void)store;
  ho_code code = claimed_event(r, HO_EVENT_REJECTED, "why", err);
  if (code || ho_str_blank(s->note) || ho_draft_is(&s->row, r->arena))
    return code;
  code = ho_derive_inside(r->project, HO_DERIVED_KNOWLEDGE, err);
  if (code)
    return code;
  return ho_knowledge_refused(r->project, r->arena, &s->row, ho_describe_subject(r->project, &s->row, r->arena),
                              ho_project_clean(r->project, r->arena, s->note), err);
}

static ho_code release(ho_store *store, void *data, ho_error *err)
{
  (void)store;
  return claimed_event(data, HO_EVENT_RELEASED, "note", err);
}

/* The gate at which a person has approved it, or "". */
static ho_code approved_at(const ho_turn *turn, ho_str *out, ho_error *err)
{
  enum { MOST = 100 };
  ho_gate_list gates;
  *out = HO_EMPTY;
  ho_code code = ho_gates_select(turn->project->store, HO_GATE_DECIDED, turn->row.id, MOST, turn->arena, &gates, err);
  for (size_t i = 0; !code && i < gates.count; i++)
    if (gates.rows[i].decision == HO_DECISION_APPROVE)
      *out = gates.rows[i].id;
  return code;
}

/* What a person had approved does not hold any more, and what an agent waits for does not come: both are known from then on,
 * with the reason. What a sender takes back before anybody has decided about it leaves nothing to know. */
static ho_code learn_withdrawn(const receiving *r, const ho_turn *turn, ho_error *err)
{
  ho_str gate;
  ho_code code = ho_knowledge_withdrawn(r->project, r->arena, &turn->row, err);
  if (!code)
    code = approved_at(turn, &gate, err);
  bool by_person = ho_str_starts(turn->actor, HO_PROJECT_PERSON), persons = !turn->row.sender.n;
  persons = persons || ho_str_starts(turn->row.sender, HO_PROJECT_PERSON) || ho_str_is(turn->row.sender, "human");
  if (code || !(gate.n || (by_person && !persons)) || ho_draft_is(&turn->row, r->arena))
    return code;
  return ho_knowledge_taken_back(r->project, r->arena, &turn->row, gate,
                                 ho_describe_subject(r->project, &turn->row, r->arena),
                                 ho_project_clean(r->project, r->arena, r->say->note), err);
}

static ho_code withdraw(ho_store *store, void *data, ho_error *err)
{
  receiving *r = data;
  ho_turn turn = {0};
  ho_node *map = ho_node_new(r->arena, HO_KIND_MAP);
  (void)store;
  ho_code code = ho_turn_begin(r->project, r->say->id, r->arena, &turn, err);
  if (!code)
    code = ho_rights_withdraw(&turn, err);
  if (code)
    return code;
  ho_event_data_put(r->project, r->arena, map, "note", r->say->note);
  ho_event_data_put(r->project, r->arena, map, HO_NOTE_HOLDER, turn.row.claimed_by);
  ho_turn_tell_session(&turn, map);
  code = ho_gate_drop(&turn, "it was withdrawn", err);
  if (!code)
    code = ho_turn_apply(&turn, HO_EVENT_WITHDRAWN, map, err);
  if (!code)
    code = ho_derive_inside(r->project, HO_DERIVED_KNOWLEDGE, err);
  r->say->row = turn.row;
  return code ? code : learn_withdrawn(r, &turn, err);
}

static ho_code supersede(ho_store *store, void *data, ho_error *err)
{
  receiving *r = data;
  ho_turn turn = {0}, other = {0};
  ho_node *map = ho_node_new(r->arena, HO_KIND_MAP);
  (void)store;
  ho_code code = ho_turn_begin(r->project, r->say->id, r->arena, &turn, err);
  if (!code)
    code = ho_turn_begin(r->project, r->say->by, r->arena, &other, err);
  if (!code && ho_str_eq(turn.row.id, other.row.id))
    code = ho_fail(err, HO_USAGE, "a handoff cannot supersede itself");
  if (!code && ho_state_open(turn.state))
    code = ho_rights_supersede(&turn, HO_EMPTY, r->say->token, err);
  if (code)
    return code;
  ho_event_data_put(r->project, r->arena, map, "by", other.row.id);
  ho_event_data_put(r->project, r->arena, map, HO_NOTE_HOLDER, turn.row.claimed_by);
  ho_turn_tell_session(&turn, map);
  turn.row.superseded_by = other.row.id;
  code = ho_gate_pass_on(&turn, &other, err);
  if (!code && !ho_state_open(other.state))
    code = ho_fail(err, HO_CONFLICT, "%.*s is already %.*s, so it cannot take the place of %.*s", HO_ARG(other.row.id),
                   HO_ARG(other.row.state), HO_ARG(turn.row.id));
  if (!code)
    code = ho_turn_apply(&turn, HO_EVENT_SUPERSEDED, map, err);
  r->say->row = turn.row;
  return code;
}

/* A draft is made of what was seen and said: what waits for a person, or was rejected, does not get on its way because
 * somebody said it. What a teammate already continues would be done twice. */
static ho_code confirm(receiving *r, ho_turn *turn, ho_node *data, ho_error *err)
{
  ho_send_like like = {0};
  ho_str by = HO_EMPTY;
  ho_code code = ho_draft_taken(r->project, &turn->row, r->arena, &by, err);
  if (!code && by.n)
    code = ho_fail(err, HO_CONFLICT, "%.*s already continues %.*s; see: handoff ps", HO_ARG(by), HO_ARG(turn->row.id));
  if (!code)
    code = ho_send_draft_like(r->project, &turn->row, r->arena, &like, err);
  if (!code)
    code = ho_turn_apply(turn, HO_EVENT_CONFIRMED, data, err);
  if (code || !like.waits)
    return code;
  code = ho_gate_inherit(turn, &like.gate, like.document, &r->say->gate, err);
  r->say->like = ho_send_like_sentence(r->arena, turn->row.id, &like);
  return code;
}

static ho_code answer(ho_store *store, void *data, ho_error *err)
{
  receiving *r = data;
  ho_str why = HO_EMPTY;
  ho_turn turn = {0};
  ho_node *map = ho_node_new(r->arena, HO_KIND_MAP);
  (void)store;
  ho_code code = ho_turn_begin(r->project, r->say->id, r->arena, &turn, err);
  if (code)
    return code;
  ho_str before = turn.row.state;
  ho_event_data_put(r->project, r->arena, map, "note", r->say->note);
  ho_str me = ho_project_addressee(r->project);
  bool own = me.n && ho_str_eq(me, turn.row.sender), was = true;
  bool waits = turn.state == HO_STATE_CLARIFY || ho_marks_get(&turn.row, r->arena, HO_MARK_QUESTIONS).n;
  /* Who said STOP can be asked about it, and answers that; the task is for others to resume. */
  bool resumes = ho_halt_marked(&turn.row, r->arena) && !(own && waits);
  if (resumes)
    code = ho_halt_resume(&turn, r->say->note, err);
  else if (turn.state == HO_STATE_DRAFT)
    code = confirm(r, &turn, map, err);
  else /* also if the work was given back, has ended, or was done without an answer */
    code = ho_asked_answer(&turn, HO_EMPTY, map, &was, err);
  if (!was)
    code = ho_fail(err, HO_CONFLICT, "%.*s is %.*s, and nobody asked anything", HO_ARG(turn.row.id),
                   HO_ARG(turn.row.state));
  r->say->stays = ho_str_eq(before, turn.row.state);
  r->say->row = turn.row;
  if (!code)
    code = ho_derive_inside(r->project, HO_DERIVED_KNOWLEDGE, err);
  r->say->resumed = resumes;
  if (!code && resumes)
    code = ho_halt_why(r->project, &turn.row, r->arena, &why, err);
  if (code)
    return code;
  return resumes ? ho_knowledge_resumed(r->project, r->arena, &turn.row, why, r->say->note, err)
                 : ho_knowledge_answered(r->project, r->arena, &turn.row, r->say->note, err);
}

static ho_code say(ho_project *project, ho_arena *arena, ho_say *said, ho_store_work work, ho_error *err)
{
  receiving r = {.project = project, .arena = arena, .say = said};
  return ho_ledger_write(project, work, &r, err);
}

ho_code ho_receive_done(ho_project *project, ho_arena *arena, ho_say *said, ho_error *err)
{
  return say(project, arena, said, done, err);
}

ho_code ho_receive_reject(ho_project *project, ho_arena *arena, ho_say *said, ho_error *err)
{
  ho_derive_ahead(project, HO_DERIVED_KNOWLEDGE);
  return say(project, arena, said, reject, err);
}

ho_code ho_receive_release(ho_project *project, ho_arena *arena, ho_say *said, ho_error *err)
{
  return say(project, arena, said, release, err);
}

ho_code ho_receive_withdraw(ho_project *project, ho_arena *arena, ho_say *said, ho_error *err)
{
  return say(project, arena, said, withdraw, err);
}

ho_code ho_receive_supersede(ho_project *project, ho_arena *arena, ho_say *said, ho_error *err)
{
  return say(project, arena, said, supersede, err);
}

ho_code ho_receive_answer(ho_project *project, ho_arena *arena, ho_say *said, ho_error *err)
{
  ho_derive_ahead(project, HO_DERIVED_KNOWLEDGE);
  return say(project, arena, said, answer, err);
}
