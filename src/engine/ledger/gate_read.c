#include "engine/ledger/gate_read.h"

#include "base/buf.h"
#include "base/digest.h"
#include "base/grow.h"
#include "doc/json/json.h"
#include "doc/source.h"
#include "model/lifecycle.h"
#include "model/syntax.h"
#include "store/handoffs/events.h"

enum { DECIDED_AT_ONCE = 1000 };
#define UNCONFIRMED "unconfirmed"

static void put_text(ho_buf *out, const char *key, ho_str text)
{
  ho_buf_printf(out, ",\"%s\":", key);
  ho_json_write_text(out, text);
}

static void put_number(ho_buf *out, const char *key, int64_t number)
{
  ho_buf_printf(out, ",\"%s\":%lld", key, (long long)number);
}

ho_str ho_gate_read_statement(ho_arena *arena, ho_str project, const ho_gate *gate)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  /* 1: of gates that were raised and decided before the events said what waits at them */
  ho_buf_printf(&text, "handoff gate decision %d\n{", gate->body.n ? 2 : 1);
  put_number(&text, "at", gate->decided);
  if (gate->body.n)
    put_text(&text, "body", gate->body);
  put_text(&text, "by", gate->decided_by);
  put_number(&text, "deadline", gate->deadline);
  put_text(&text, "decision", ho_words_str(&ho_gate_decisions, gate->decision));
  put_text(&text, "document", gate->digest);
  put_text(&text, "gate", gate->id);
  put_text(&text, "handoff", gate->handoff);
  put_text(&text, "key", gate->signer);
  put_text(&text, "name", gate->name);
  put_text(&text, "note", gate->note);
  put_text(&text, "project", project);
  put_number(&text, "raised", gate->raised);
  put_text(&text, "raised_by", gate->raised_by);
  if (gate->body.n)
    put_text(&text, "receiver", gate->receiver);
  ho_buf_puts(&text, "}");
  return ho_buf_move(&text, arena);
}

ho_str ho_gate_read_digest(ho_arena *arena, ho_str project, const ho_gate *gate)
{
  char digest[HO_DIGEST_SIZE];
  ho_digest_text(ho_gate_read_statement(arena, project, gate), digest);
  return ho_arena_copy(arena, ho_str_of(digest));
}

bool ho_gate_read_raises(const ho_event *event)
{
  return ho_event_sense_of(event->kind) == HO_SENSE_ASKS || ho_str_is(event->kind, HO_NOTE_GATE_RAISED);
}

const ho_node *ho_gate_read_about(const ho_event *event, ho_arena *arena)
{
  ho_source source;
  ho_node *map = NULL;
  ho_error err;
  if (!ho_str_has(event->data, "\"gate\":"))
    return NULL;
  ho_code code = ho_source_init(&source, arena, HO_STR("event"), event->data, &err);
  if (!code)
    code = ho_json_read(&source, 0, arena, NULL, &map, &err);
  if (code == HO_MEMORY)
    arena->failed = HO_MEMORY;
  return !code && ho_map_str(map, "gate").n ? map : NULL;
}

/* What the events of its handoff say about a gate. */
typedef struct told {
  const ho_node *raised; /* by the event that raised it, or NULL */
  const ho_node *ended;  /* by the one that decided it, or NULL */
} told;

static told ask_events(ho_str gate, const ho_event_list *events, ho_arena *arena)
{
  told t = {0};
  for (size_t i = 0; i < events->count; i++) {
    const ho_node *said = ho_gate_read_about(&events->rows[i], arena);
    ho_str decision = ho_map_str(said, "decision");
    if (!said || !ho_str_eq(ho_map_str(said, "gate"), gate))
      continue;
    bool raises = ho_gate_read_raises(&events->rows[i]);
    if (raises && !t.raised)
      t.raised = said;
    if (raises) /* again: it was put back */
      t.ended = NULL;
    else if (decision.n && !ho_str_is(decision, ho_words_name(&ho_gate_decisions, HO_DECISION_QUESTION)))
      t.ended = said;
  }
  return t;
}

const char *ho_gate_read_correct(ho_gate *gate, const ho_node *raised)
{
  const char *what = NULL;
  const struct {
    const char *key;
    ho_str *field;
    bool always; /* all events have it, unless it is empty */
  } texts[] = {{"name", &gate->name, true},
               {"digest", &gate->digest, true},
               {"raised_by", &gate->raised_by, false},
               {"resume", &gate->resume, false}};
  for (size_t i = 0; i < HO_COUNT(texts); i++) {
    ho_str said = ho_map_str(raised, texts[i].key);
    if ((!texts[i].always && !said.n) || ho_str_eq(said, *texts[i].field))
      continue;
    *texts[i].field = said;
    what = texts[i].key;
  }
  long long at = ho_map_int(raised, "raised");
  if (at && gate->raised != at) {
    gate->raised = at;
    what = "raised";
  }
  int64_t deadline = 0; /* events have whole seconds */
  if (!ho_stamp_time(ho_map_str(raised, "deadline"), &deadline))
    deadline = 0;
  if (!gate->deadline != !deadline || gate->deadline / 1000 != deadline / 1000) {
    gate->deadline = deadline;
    what = "deadline";
  }
  return what;
}

/* Takes what is fixed when a gate is raised from its event: the row could have been changed. */
static void fill(ho_gate *gate, const told *t, ho_arena *arena)
{
  gate->unknown = !t->raised;
  gate->root = ho_map_str(t->raised, "inherited").n ? ho_map_str(t->raised, "inherited") : gate->id;
  const char *what = t->raised ? ho_gate_read_correct(gate, t->raised) : NULL;
  const ho_node *from = ho_map_getz(t->raised, "body") ? t->raised : t->ended;
  gate->body = ho_map_str(from, "body");
  gate->receiver = ho_map_str(from, "receiver");
  if (!t->raised)
    gate->doubt = ho_arena_printf(arena, "no event of %.*s raised it", HO_ARG(gate->handoff));
  else if (what)
    gate->doubt = ho_arena_printf(arena, "its %s was changed in the store; what was raised counts", what);
}

ho_code ho_gate_read_raised(ho_project *project, ho_arena *arena, ho_gate *gate, ho_error *err)
{
  ho_event_list events;
  ho_code code = ho_events_whole(project->store, gate->handoff, arena, &events, err);
  if (code)
    return code;
  told t = ask_events(gate->id, &events, arena);
  fill(gate, &t, arena);
  return ho_arena_code(arena, err);
}

static bool by_program(const ho_gate *gate)
{
  return gate->decision == HO_DECISION_REJECT && !gate->signature.n &&
         (ho_str_is(gate->decided_by, HO_GATE_BY_DEADLINE) || ho_str_is(gate->decided_by, HO_GATE_BY_HANDOFF));
}

/* Shows the gate as if nobody had decided. */
static void reopen(ho_gate *gate, ho_arena *arena, const char *why)
{
  gate->doubt =
      ho_arena_printf(arena, "the store says '%.*s' by %.*s, which does not count: %s",
                      HO_ARG(ho_words_str(&ho_gate_decisions, gate->decision)), HO_ARG(gate->decided_by), why);
  gate->state = HO_GATE_OPEN;
  gate->decision = HO_DECISION_NONE;
  gate->known = HO_GATE_KNOWN_NONE;
  gate->decided = 0;
  gate->decided_by = gate->note = gate->signature = gate->signer = gate->proof = HO_EMPTY;
}

/* Who signed what the gate says was decided, for exactly this gate; NULL: no decider did. A key may have been enrolled
 * again under another name: a signature is that of the name under which it decided. */
static const ho_decider *signer_of(const ho_deciders *d, ho_arena *arena, const ho_gate *gate)
{
  const ho_decider *signer = NULL;
  for (size_t i = 0; gate->signature.n && i < d->count; i++) {
    const ho_decider *one = &d->rows[i];
    char print[HO_FINGERPRINT_SIZE];
    ho_keypair_fingerprint(one->added.key, print);
    if (ho_str_is(gate->signer, print) && ho_str_eq(gate->decided_by, one->added.name) &&
        (!signer || ho_deciders_active(one)))
      signer = one;
  }
  bool sound =
      signer && ho_keypair_verify(signer->added.key, ho_gate_read_statement(arena, d->project, gate), gate->signature);
  return sound ? signer : NULL;
}

ho_str ho_gate_read_proof_by(const ho_deciders *deciders, bool is_signed)
{
  return !is_signed ? HO_STR("unsigned") : deciders->confirmed ? HO_STR("signed") : HO_STR(UNCONFIRMED);
}

ho_str ho_gate_read_proof_words(ho_str proof)
{
  return ho_str_is(proof, UNCONFIRMED) ? HO_STR("signed by a key nobody has confirmed") : proof;
}

static void judge(ho_project *project, ho_deciders *d, const ho_event_list *events, ho_arena *arena, ho_gate *gate)
{
  told t = ask_events(gate->id, events, arena);
  gate->doubt = gate->proof = HO_EMPTY;
  ho_gate stored = *gate; /* a signature is one of the row as it is */
  fill(gate, &t, arena);
  stored.body = gate->body;
  stored.receiver = gate->receiver;
  if (gate->decision == HO_DECISION_NONE)
    return;
  if (by_program(gate)) {
    if (!ho_str_eq(ho_map_str(t.ended, "by"), gate->decided_by))
      reopen(gate, arena, "no event does");
    else if (ho_map_int(t.ended, "decided"))
      gate->decided = ho_map_int(t.ended, "decided");
    return;
  }
  if (gate->state == HO_GATE_DECIDED)
    ho_deciders_ask_git(project, arena, d); /* it may know that the key is revoked */
  const ho_decider *signer = signer_of(d, arena, &stored);
  bool sound = signer != NULL;
  gate->proof = ho_gate_read_proof_by(d, sound);
  gate->known = sound ? HO_GATE_KNOWN_SIGNED : HO_GATE_KNOWN_STATED;
  if (gate->state != HO_GATE_DECIDED)
    return;
  if (gate->decision == HO_DECISION_QUESTION) {
    reopen(gate, arena, "a question decides nothing");
    return;
  }
  if (sound && ho_deciders_active(signer))
    return;
  if (!d->required || ho_deciders_keep(d, ho_gate_read_digest(arena, d->project, &stored)))
    return;
  reopen(gate, arena,
         sound               ? "the key was revoked, and this decision was not known then"
         : gate->signature.n ? "the signature is not that of a decider for exactly this gate"
                             : "it is not signed, and only deciders decide here");
}

static ho_code judge_alone(ho_project *project, ho_deciders *d, ho_arena *arena, ho_gate *gate, ho_error *err)
{
  ho_event_list events;
  ho_code code = ho_events_whole(project->store, gate->handoff, arena, &events, err);
  if (!code)
    judge(project, d, &events, arena, gate);
  return code ? code : ho_arena_code(arena, err);
}

ho_code ho_gate_read(ho_project *project, ho_str id, ho_arena *arena, ho_gate *out, ho_error *err)
{
  ho_deciders deciders;
  ho_code code = ho_gates_get(project->store, id, arena, out, err);
  if (!code)
    code = ho_deciders_load(project, arena, &deciders, err);
  return code ? code : judge_alone(project, &deciders, arena, out, err);
}

/* Adds those whose decision does not count. */
static ho_code add_doubted(ho_project *project, ho_deciders *deciders, ho_str handoff, ho_arena *arena,
                           ho_gate_list *out, ho_error *err)
{
  ho_gate_list decided;
  ho_code code = ho_gates_select(project->store, HO_GATE_DECIDED, handoff, DECIDED_AT_ONCE, arena, &decided, err);
  for (size_t i = 0; !code && i < decided.count; i++) {
    code = judge_alone(project, deciders, arena, &decided.rows[i], err);
    ho_gate *slot = decided.rows[i].state == HO_GATE_OPEN ? HO_PUSH(arena, out->rows, out->count) : NULL;
    if (slot)
      *slot = decided.rows[i];
  }
  return code;
}

ho_code ho_gate_read_list(ho_project *project, ho_gate_state state, ho_str handoff, int64_t limit, ho_arena *arena,
                          ho_gate_list *out, ho_error *err)
{
  ho_deciders deciders;
  ho_code code = ho_gates_select(project->store, state, handoff, limit, arena, out, err);
  if (!code)
    code = ho_deciders_load(project, arena, &deciders, err);
  for (size_t i = 0; !code && i < out->count; i++)
    code = judge_alone(project, &deciders, arena, &out->rows[i], err);
  if (!code && state == HO_GATE_OPEN && deciders.required)
    code = add_doubted(project, &deciders, handoff, arena, out, err);
  return code ? code : ho_arena_code(arena, err);
}

/* A question may be answered by now, so the gate no longer says who asked; what the event has of it is proof enough. */
static ho_str proof_of_question(ho_project *project, ho_arena *arena, const ho_gate *gate, const ho_node *data)
{
  ho_deciders deciders;
  ho_error err;
  ho_gate asked = *gate;
  asked.decision = HO_DECISION_QUESTION;
  asked.decided_by = ho_map_str(data, "by");
  asked.note = ho_map_str(data, "note");
  asked.decided = ho_map_int(data, "decided");
  asked.signature = ho_map_str(data, "signature");
  asked.signer = ho_map_str(data, "signer");
  if (ho_deciders_load(project, arena, &deciders, &err))
    return HO_STR("unsigned");
  return ho_gate_read_proof_by(&deciders, signer_of(&deciders, arena, &asked) != NULL);
}

ho_str ho_gate_read_proof(ho_project *project, ho_arena *arena, const ho_node *data)
{
  ho_gate gate;
  ho_error err;
  ho_str by = ho_map_str(data, "by"), decision = ho_map_str(data, "decision");
  if (!ho_map_str(data, "gate").n || !decision.n || ho_str_is(by, HO_GATE_BY_DEADLINE) ||
      ho_str_is(by, HO_GATE_BY_HANDOFF))
    return HO_EMPTY;
  if (ho_gate_read(project, ho_map_str(data, "gate"), arena, &gate, &err))
    return HO_STR("unsigned");
  if (ho_str_is(decision, ho_words_name(&ho_gate_decisions, HO_DECISION_QUESTION)))
    return proof_of_question(project, arena, &gate, data);
  bool same = ho_str_eq(ho_words_str(&ho_gate_decisions, gate.decision), decision) && ho_str_eq(gate.decided_by, by) &&
              ho_str_eq(gate.note, ho_map_str(data, "note"));
  return same ? gate.proof : HO_STR("unsigned");
}

bool ho_gate_read_blocks(const ho_event *event, const ho_node *said)
{
  /* A rebuild notes so that it once held its handoff up. */
  return !ho_str_is(event->kind, HO_NOTE_GATE_RAISED) || ho_node_true(ho_map_getz(said, "blocking"));
}

/* What the event says if it holds its handoff up until a gate is decided, else NULL. */
static const ho_node *holds_up(const ho_event *event, ho_arena *arena)
{
  const ho_node *said = ho_gate_read_raises(event) ? ho_gate_read_about(event, arena) : NULL;
  return ho_gate_read_blocks(event, said) ? said : NULL;
}

ho_code ho_gate_read_waited(ho_project *project, ho_str handoff, ho_arena *arena, ho_str *body, ho_str *receiver,
                            ho_error *err)
{
  ho_event_list events;
  const ho_node *said = NULL;
  ho_code code = ho_events_whole(project->store, handoff, arena, &events, err);
  for (size_t i = 0; !code && !ho_map_getz(said, "body") && i < events.count; i++)
    said = holds_up(&events.rows[i], arena);
  if (ho_map_getz(said, "body")) {
    *body = ho_map_str(said, "body");
    *receiver = ho_map_str(said, "receiver");
  }
  return code ? code : ho_arena_code(arena, err);
}

/* The gate of this name as it counts; one that is missing in the store is open. */
static ho_code read_held(ho_project *project, ho_deciders *deciders, const ho_event_list *events, ho_str id,
                         ho_arena *arena, ho_gate *out, ho_error *err)
{
  ho_error none = {0};
  ho_code code = ho_gates_get(project->store, id, arena, out, &none);
  bool lost = code == HO_NOT_FOUND;
  if (code && !lost)
    return *err = none, code;
  if (lost)
    *out = (ho_gate){.id = id, .state = HO_GATE_OPEN};
  out->handoff = events->rows[0].handoff;
  judge(project, deciders, events, arena, out);
  if (lost)
    out->doubt = HO_STR("the store has lost it");
  return HO_OK;
}

ho_code ho_gate_read_standing_by(ho_project *project, ho_deciders *deciders, ho_str handoff, ho_arena *arena,
                                 ho_gate *out, bool *waits, ho_error *err)
{
  ho_event_list events;
  *waits = false;
  *out = (ho_gate){0};
  ho_code code = ho_events_whole(project->store, handoff, arena, &events, err);
  for (size_t i = code ? 0 : events.count; !code && !*waits && i-- > 0;) {
    ho_gate gate;
    const ho_node *said = holds_up(&events.rows[i], arena);
    if (!said)
      continue;
    code = read_held(project, deciders, &events, ho_map_str(said, "gate"), arena, &gate, err);
    *waits = !code && (gate.state != HO_GATE_DECIDED || gate.decision != HO_DECISION_APPROVE);
    if (!code && (*waits || !out->id.n))
      *out = gate;
  }
  return code ? code : ho_arena_code(arena, err);
}

ho_code ho_gate_read_standing(ho_project *project, ho_str handoff, ho_arena *arena, ho_gate *out, bool *waits,
                              ho_error *err)
{
  ho_deciders deciders;
  ho_code code = ho_deciders_load(project, arena, &deciders, err);
  return code ? code : ho_gate_read_standing_by(project, &deciders, handoff, arena, out, waits, err);
}
