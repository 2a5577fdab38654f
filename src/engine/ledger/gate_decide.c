#include "engine/ledger/gate_decide.h"

#include <ctype.h>

#include "base/buf.h"
#include "base/escape.h"
#include "base/time.h"
#include "base/utf8.h"
#include "engine/ledger/derive.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/gate_step.h"
#include "engine/ledger/gate_wants.h"
#include "engine/ledger/key_file.h"
#include "engine/ledger/rights.h"
#include "engine/ledger/seal_sign.h"
#include "engine/ledger/write.h"
#include "engine/project/access_check.h"
#include "engine/project/event_data.h"
#include "engine/project/project.h"
#include "engine/project/quote.h"
#include "model/document/read.h"
#include "model/formats/formats.h"
#include "store/handoffs/bodies.h"

enum { ASKED = 160 }; /* of a question that is shown again */

typedef struct deciding {
  ho_project *project;
  ho_arena *arena;
  ho_decision *decision;
  ho_deciders deciders;
  ho_str name;   /* of the person */
  ho_str note;   /* as it is stored */
  ho_gate shown; /* what the person saw; only if it is signed */
  bool is_signed;
  ho_str signer; /* fingerprint */
  ho_keypair pair;
} deciding;

static ho_code ask_back(ho_turn *turn, ho_gate *gate, ho_error *err)
{
  ho_code code = ho_gates_change(turn->project->store, gate, HO_GATE_OPEN, err);
  return code ? code : ho_turn_note(turn, HO_NOTE_GATE_QUESTION, ho_gate_data(turn, gate), err);
}

/* How a decision is taken back: as long as the question itself, or the answer that raised it, is on its way, by withdrawing
 * that. Otherwise work goes on by it, which is not to be ended for that: a new decision about the same task tells others. */
static ho_str instead(const deciding *d, const ho_gate *gate)
{
  ho_handoff row;
  ho_state state;
  ho_error gone = {0};
  if (ho_handoffs_get(d->project->store, gate->handoff, d->arena, &row, &gone))
    return HO_STR("to ask again, run: handoff ask TEXT");
  bool itself = ho_str_list_has("escalation|return", row.type) && gate->decision == HO_DECISION_APPROVE;
  if (itself && ho_state_named(row.state, &state) && ho_state_open(state))
    return ho_arena_printf(d->arena, "to take that back, run: handoff withdraw %.*s --note TEXT", HO_ARG(row.id));
  return ho_arena_printf(d->arena, "to ask again, run: %s%.*s%shandoff ask %.*s", row.task.n ? "HANDOFF_TASK=" : "",
                         HO_ARG(row.task.n ? ho_quote_shell(d->arena, row.task) : HO_EMPTY), row.task.n ? " " : "",
                         HO_ARG(ho_quote_shell(d->arena, ho_quote_clean(d->arena, gate->name, ASKED, true))));
}

static ho_code still_open(const deciding *d, const ho_gate *gate, ho_error *err)
{
  if (gate->state == HO_GATE_OPEN)
    return HO_OK;
  return ho_fail(err, HO_CONFLICT, "%.*s is already decided: %.*s by %.*s; %.*s", HO_ARG(gate->id),
                 HO_ARG(ho_words_str(&ho_gate_decisions, gate->decision)), HO_ARG(gate->decided_by),
                 HO_ARG(instead(d, gate)));
}

static ho_code read_open(const deciding *d, ho_gate *gate, ho_error *err)
{
  ho_code code = ho_gate_read(d->project, d->decision->gate, d->arena, gate, err);
  if (!code && gate->unknown)
    code = ho_fail(err, HO_STORE, "gate %.*s was changed outside of this program: %.*s; run: handoff verify",
                   HO_ARG(gate->id), HO_ARG(gate->doubt));
  return code ? code : still_open(d, gate, err);
}

/* What waits at the gate: the document of its handoff (*text, unless NULL), which must be the one that the gate was
 * raised for. In gates of an earlier version, it is what the handoff is now. */
static ho_code read_waiting(const deciding *d, const ho_handoff *row, ho_gate *gate, ho_str *text, ho_error *err)
{
  ho_str body;
  if (!gate->body.n) {
    gate->body = row->digest;
    gate->receiver = row->receiver;
  }
  if (!ho_str_eq(gate->body, row->digest) || !ho_str_eq(gate->receiver, row->receiver))
    return ho_fail(err, HO_STORE, "%.*s is not what gate %.*s was raised for; run: handoff verify", HO_ARG(row->id),
                   HO_ARG(gate->id));
  return ho_bodies_get(d->project->store, gate->body, d->arena, text ? text : &body, err);
}

/* The gate, which must be open, and the turn of the handoff that waits for it. */
static ho_code begin(const deciding *d, ho_gate *gate, ho_turn *turn, ho_error *err)
{
  *turn = (ho_turn){0};
  ho_code code = read_open(d, gate, err);
  if (!code)
    code = ho_turn_begin(d->project, gate->handoff, d->arena, turn, err);
  if (!code)
    code = ho_gate_restore(turn, gate, err);
  if (!code)
    code = ho_turn_check(d->project, &turn->row, err);
  return code ? code : read_waiting(d, &turn->row, gate, NULL, err);
}

/* An agent that asked for the decision cannot make it. A person can: that a person looks is what a gate is for, and who
 * works alone would else never pass one raised by hand. It is said wherever the gate is shown. The name of a decider's
 * key is not compared: that a document names an agent so must not keep the decider from deciding. */
static ho_code not_the_asker(const deciding *d, const ho_gate *gate, ho_error *err)
{
  if (ho_str_starts(gate->raised_by, HO_PROJECT_PERSON))
    return HO_OK;
  if (!ho_str_eq(ho_project_actor(d->project), gate->raised_by))
    return HO_OK;
  return ho_fail(err, HO_GATED, "%.*s raised gate %.*s, so it cannot decide it", HO_ARG(gate->raised_by),
                 HO_ARG(gate->id));
}

/* What is in the row must be what the person saw. */
static ho_code still_same(const ho_gate *gate, const ho_gate *shown, ho_error *err)
{
  if (ho_str_eq(gate->digest, shown->digest) && ho_str_eq(gate->name, shown->name) &&
      ho_str_eq(gate->handoff, shown->handoff) && gate->raised == shown->raised && ho_str_eq(gate->body, shown->body) &&
      ho_str_eq(gate->receiver, shown->receiver))
    return HO_OK;
  return ho_fail(err, HO_CONFLICT, "gate %.*s was changed by someone else; look at it again", HO_ARG(gate->id));
}

/* Signs what is in the row, if it is still what the person saw. */
static ho_code sign(deciding *d, ho_gate *gate, ho_error *err)
{
  char signature[HO_SIGNATURE_SIZE];
  ho_code code = d->is_signed ? still_same(gate, &d->shown, err) : HO_OK;
  if (code || !d->is_signed)
    return code;
  gate->signer = d->signer;
  ho_str statement = ho_gate_read_statement(d->arena, d->deciders.project, gate);
  code = ho_arena_code(d->arena, err);
  if (code)
    return code;
  ho_keypair_sign(&d->pair, statement, signature);
  gate->signature = ho_arena_copy(d->arena, ho_str_of(signature));
  return HO_OK;
}

/* While a person looked at it, who decides may have changed. */
static ho_code still_decides(const deciding *d, ho_error *err)
{
  ho_deciders now;
  ho_code code = ho_deciders_load(d->project, d->arena, &now, err);
  const ho_decider *me = !code && d->is_signed ? ho_deciders_find(&now, d->signer) : NULL;
  if (code || (d->is_signed ? me && ho_deciders_active(me) : !now.required))
    return code;
  return ho_fail(err, HO_CONFLICT, "nothing was decided: %s while you looked at the gate",
                 d->is_signed ? "your key was revoked" : "somebody enrolled a decider");
}

/* Does the document ask the person, as an escalation and a response that says CLARIFY do? At a gate that was raised for it,
 * nobody answers what it asks its receiver. */
static bool asks_itself(const deciding *d, const ho_handoff *row, const ho_gate *gate)
{
  return ho_str_is(gate->receiver, "human") ||
         (ho_str_eq(gate->digest, gate->body) && ho_gate_step_asks(row, d->arena));
}

static ho_code decide(ho_store *store, void *data, ho_error *err)
{
  deciding *d = data;
  ho_turn turn;
  ho_gate gate;
  (void)store;
  ho_code code = begin(d, &gate, &turn, err);
  if (!code)
    code = not_the_asker(d, &gate, err);
  if (!code)
    code = still_decides(d, err);
  if (!code && d->decision->seen)
    code = still_same(&gate, d->decision->seen, err);
  if (code)
    return code;
  gate.decision = d->decision->decision;
  gate.note = d->note;
  gate.decided_by = d->name;
  gate.known = d->is_signed ? HO_GATE_KNOWN_SIGNED : HO_GATE_KNOWN_STATED;
  gate.proof = ho_gate_read_proof_by(&d->deciders, d->is_signed);
  if (gate.decision != HO_DECISION_QUESTION)
    gate.decided = ho_project_now(d->project);
  code = sign(d, &gate, err);
  if (!code)
    code = gate.decision == HO_DECISION_QUESTION ? ask_back(&turn, &gate, err) : ho_gate_settle(&turn, &gate, err);
  if (!code && d->is_signed) /* the key is at hand, so everything up to here is sealed with it */
    code = ho_seal_sign(d->project, d->arena, d->deciders.project, &d->pair, d->signer, err);
  if (!code)
    code = ho_derive_inside(d->project, HO_DERIVED_KNOWLEDGE, err);
  if (!code)
    code = ho_knowledge_gate(d->project, d->arena, &turn.row, &gate, asks_itself(d, &turn.row, &gate), err);
  d->decision->after = gate;
  d->decision->state = turn.row.state;
  return code;
}

static void put_document(ho_buf *out, const char *what, ho_str digest, ho_str text)
{
  ho_buf_printf(out, "%s, SHA-256 %.*s:\n", what, HO_ARG(digest));
  ho_person_put_marked(out, text);
}

/* A name in one of our sentences. Letters that look like others are also shown by their numbers. */
static void put_name(ho_buf *out, ho_str name)
{
  bool plain = true;
  ho_quote_put_name(out, name);
  for (size_t i = 0; i < name.n; i++)
    plain &= !((unsigned char)name.p[i] & 0x80);
  if (plain || ho_utf8_bad(name) != HO_NONE)
    return;
  ho_buf_puts(out, " (");
  for (size_t at = 0; at < name.n;) {
    uint32_t cp = ho_utf8_next(name, &at);
    if (cp < 0x80)
      ho_buf_putc(out, isgraph((int)cp) ? (char)cp : '_');
    else
      ho_escape_character(out, cp, 'x');
  }
  ho_buf_putc(out, ')');
}

/* "Gate G, for HO, which goes to AGENT": once above the documents, and again below them, where it cannot be out of
 * sight. */
static void put_gate(ho_buf *out, const ho_gate *gate)
{
  ho_buf_puts(out, "Gate ");
  put_name(out, gate->id);
  ho_buf_puts(out, ", for ");
  put_name(out, gate->handoff);
  ho_buf_puts(out, ", which goes to ");
  if (!gate->receiver.n)
    ho_buf_puts(out, "whoever asks for its task");
  else if (ho_str_is(gate->receiver, "human"))
    ho_buf_puts(out, "its sender");
  else
    put_name(out, gate->receiver);
  ho_buf_putc(out, '\n');
}

/* Everything that the signature is about, as the person reads it. */
static ho_str shown_text(const deciding *d, ho_str document, ho_str waiting)
{
  const ho_gate *gate = &d->shown;
  ho_buf text;
  ho_buf_init(&text, 0);
  put_gate(&text, gate);
  ho_buf_puts(&text, "Raised by ");
  put_name(&text, gate->raised_by);
  ho_buf_printf(&text, " on %.*s, as:\n", HO_ARG(ho_time_str(d->arena, gate->raised)));
  ho_person_put_marked(&text, gate->name);
  if (gate->doubt.n) {
    ho_buf_puts(&text, "Mind:\n");
    ho_person_put_marked(&text, gate->doubt);
  }
  put_document(&text, "Document", gate->digest, document);
  if (!ho_str_eq(gate->digest, gate->body))
    put_document(&text, "What waits, and is delivered if you approve", gate->body, waiting);
  ho_buf_puts(&text, "Above, rows that begin with '|' are what others wrote.\n");
  put_gate(&text, gate);
  ho_buf_printf(&text, "Your decision: %.*s%s\n", HO_ARG(ho_words_str(&ho_gate_decisions, d->decision->decision)),
                d->note.n ? ", with the note:" : "");
  ho_person_put_marked(&text, d->note);
  return ho_buf_move(&text, d->arena);
}

/* What is shown must be what is signed, whatever the store says: both documents are compared with their digests. */
static ho_code read_shown(deciding *d, ho_str *shown, ho_error *err)
{
  ho_handoff row;
  ho_str document = HO_EMPTY, waiting = HO_EMPTY;
  ho_code code = read_open(d, &d->shown, err);
  if (!code)
    code = not_the_asker(d, &d->shown, err);
  if (!code)
    code = ho_handoffs_get(d->project->store, d->shown.handoff, d->arena, &row, err);
  if (!code)
    code = read_waiting(d, &row, &d->shown, &waiting, err);
  if (!code)
    code = ho_bodies_get(d->project->store, d->shown.digest, d->arena, &document, err);
  if (!code)
    *shown = shown_text(d, document, waiting);
  return code;
}

/* The person's own key, which must be that of a decider, unlocked. */
static ho_code unlock(deciding *d, ho_error *err)
{
  ho_key_file own;
  char print[HO_FINGERPRINT_SIZE];
  ho_str shown = HO_EMPTY, names = ho_deciders_names(&d->deciders, d->arena);
  if (d->deciders.doubt.n)
    return ho_fail(err, HO_GATED, "only deciders can decide in this project, but %.*s", HO_ARG(d->deciders.doubt));
  ho_code code = ho_key_file_read(d->arena, &own, err);
  if (code)
    return code;
  if (!own.there)
    return ho_fail(err, HO_GATED,
                   "only a decider of this project can decide (%.*s), and you have no key; run: handoff "
                   "key new",
                   HO_ARG(names));
  const ho_decider *me = ho_deciders_find(&d->deciders, own.key);
  if (!me || !ho_deciders_active(me))
    return ho_fail(err, HO_GATED, "only a decider of this project can decide (%.*s), and your key is not enrolled",
                   HO_ARG(names));
  ho_keypair_fingerprint(own.key, print);
  d->signer = ho_arena_copy(d->arena, ho_str_of(print));
  d->name = me->added.name;
  code = read_shown(d, &shown, err);
  if (!code)
    code = ho_key_file_unlock(d->arena, &own, d->decision->person, shown, &d->pair, err);
  d->is_signed = !code;
  return code;
}

/* "1. CSV, 2. JSON". */
static ho_str options_text(ho_arena *arena, const ho_gate_wants *wants)
{
  ho_buf list;
  ho_buf_init(&list, 0);
  for (size_t i = 0; i < wants->count; i++)
    ho_buf_printf(&list, "%s%zu. %.*s", i ? ", " : "", i + 1,
                  HO_ARG(ho_quote_clean(arena, wants->options[i], 100, true)));
  return ho_buf_move(&list, arena);
}

/* An approval says what the gate wants to know. *note becomes what is stored of it. */
static ho_code want_words(ho_project *project, ho_arena *arena, const ho_gate *gate, ho_str *note, ho_error *err)
{
  ho_gate_wants wants;
  ho_code code = ho_gate_wants_read(project, arena, gate, &wants, err);
  if (code || ho_gate_wants_take(&wants, arena, note))
    return code;
  if (wants.what == HO_GATE_WANTS_ANSWER)
    return ho_fail(err, HO_USAGE, "%.*s asks a question: use --note TEXT to answer it", HO_ARG(gate->id));
  return ho_fail(err, HO_USAGE, "%.*s asks for one of: %.*s; use --note with its number or its words", HO_ARG(gate->id),
                 HO_ARG(options_text(arena, &wants)));
}

ho_code ho_gate_decide(ho_project *project, ho_arena *arena, ho_decision *decision, ho_error *err)
{
  const ho_access *access = ho_access_now();
  deciding d = {.project = project,
                .arena = arena,
                .decision = decision,
                .name = access ? ho_access_recorded(access, arena) : ho_project_actor(project)};
  d.name = ho_project_clean_who(project, arena, d.name); /* as its event has it */
  if (decision->decision == HO_DECISION_QUESTION && ho_str_blank(decision->note))
    return ho_fail(err, HO_USAGE, "use --note TEXT to ask a question");
  ho_str note = decision->note;
  ho_gate gate; /* a wrong id is the first thing to say, whoever asks */
  ho_code code = ho_gate_read(project, decision->gate, arena, &gate, err);
  if (!code)
    code = ho_access_check_decide(arena, gate.raised_by, err);
  if (!code)
    code = ho_person_not_agent(err);
  if (!code && gate.state == HO_GATE_OPEN && decision->decision == HO_DECISION_APPROVE)
    code = want_words(project, arena, &gate, &note, err);
  if (!code)
    code = ho_deciders_load(project, arena, &d.deciders, err);
  if (code)
    return code;
  d.note = ho_project_clean(project, arena, note);
  ho_deciders_ask_git(project, arena, &d.deciders);
  code = d.deciders.required ? unlock(&d, err) : decision->person->present(decision->person->world, err);
  if (!code) {
    ho_derive_ahead(project, HO_DERIVED_KNOWLEDGE);
    code = ho_ledger_decide(project, gate.raised_by, decide, &d, err);
  }
  ho_keypair_wipe(&d.pair);
  return code;
}

static ho_code answer(ho_store *store, void *data, ho_error *err)
{
  deciding *d = data;
  ho_turn turn;
  ho_gate gate;
  ho_code code = begin(d, &gate, &turn, err);
  if (!code && gate.decision != HO_DECISION_QUESTION)
    code = ho_fail(err, HO_CONFLICT, "nobody asked a question at %.*s", HO_ARG(gate.id));
  if (!code)
    code = ho_rights_answer_gate(&turn, gate.raised_by, err);
  if (code)
    return code;
  ho_node *map = ho_node_new(d->arena, HO_KIND_MAP);
  ho_event_data_put(d->project, d->arena, map, "gate", gate.id);
  ho_event_data_put(d->project, d->arena, map, "question", gate.note);
  ho_event_data_put(d->project, d->arena, map, "note", d->decision->note);
  ho_str question = gate.note;
  gate.note = gate.decided_by = gate.signature = gate.signer = gate.proof = HO_EMPTY;
  gate.decision = HO_DECISION_NONE;
  gate.known = HO_GATE_KNOWN_NONE;
  code = ho_gates_change(store, &gate, HO_GATE_OPEN, err);
  if (!code)
    code = ho_turn_note(&turn, HO_NOTE_GATE_ANSWER, map, err);
  d->decision->after = gate;
  if (!code)
    code = ho_derive_inside(d->project, HO_DERIVED_KNOWLEDGE, err);
  return code ? code
              : ho_knowledge_gate_answered(d->project, d->arena, &turn.row, gate.id, question, d->decision->note, err);
}

ho_code ho_gate_answer(ho_project *project, ho_arena *arena, ho_str gate, ho_str note, ho_gate *after, ho_error *err)
{
  ho_decision decision = {.gate = gate, .note = note};
  deciding d = {.project = project, .arena = arena, .decision = &decision};
  ho_derive_ahead(project, HO_DERIVED_KNOWLEDGE);
  ho_code code = ho_ledger_write(project, answer, &d, err);
  *after = decision.after;
  return code;
}
