/* A document or file that was sent before, and is sent again. */
#include "engine/ledger/gate.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/marks.h"
#include "engine/ledger/rights.h"
#include "engine/ledger/send.h"
#include "engine/project/event_data.h"
#include "engine/project/identity.h"
#include "engine/project/project.h"
#include "store/handoffs/bodies.h"

enum {
  LINES = 500, /* of a document, that are compared */
  TWINS = 200, /* handoffs with the same body that are looked at, newest first */
  RENAMED = 20 /* per state: those that may have been given another id than the document states */
};

/* ---- The same document */

/* Is it what this document would become, and still open? A response that has ended its request no longer says who sends
 * it to whom. */
static bool is_open_twin(const ho_send *in, const ho_route *r, bool routed, const ho_handoff *row)
{
  ho_state state;
  bool ended = !routed && in->seen.doc.format->sending->kind == HO_SEND_RESPONSE;
  if (!ho_state_named(row->state, &state) || !ho_state_open(state) || state == HO_STATE_DRAFT)
    return false;
  return ho_str_is(row->kind, in->seen.doc.format->name) && ho_str_eq(row->task, r->task) &&
         ho_str_eq(row->phase, r->phase) && (ho_str_eq(row->sender, r->sender) || (ended && !r->sender.n)) &&
         (ho_str_eq(row->receiver, r->receiver) || (ended && !r->receiver.n)) &&
         (!r->parent.n || ho_str_eq(row->parent, r->parent)); /* else it answers another one */
}

static void take_twin(ho_send *in, const ho_route *r, bool routed, const ho_handoff_list *list)
{
  for (size_t i = 0; !in->made.same && i < list->count; i++) {
    if (!is_open_twin(in, r, routed, &list->rows[i]) || !ho_send_is_same(in, &list->rows[i]))
      continue;
    in->made.row = list->rows[i];
    in->made.gate = list->rows[i].gate;
    in->made.same = true;
  }
}

/* An id that another handoff had was replaced when the document was stored, so that it has another digest. */
static ho_code find_renamed(ho_send *in, const ho_route *r, bool routed, ho_error *err)
{
  ho_handoff_list list;
  ho_code code = HO_OK;
  for (int state = HO_STATE_NONE + 1; !code && !in->made.same && state < HO_STATE_COUNT; state++) {
    if (!ho_state_open((ho_state)state))
      continue;
    ho_str name = ho_str_of(ho_state_name((ho_state)state));
    code = ho_handoffs_newest(in->project->store, r->receiver, name, RENAMED, in->arena, &list, err);
    if (!code)
      take_twin(in, r, routed, &list);
  }
  return code;
}

ho_code ho_send_find_open(ho_send *in, const ho_route *r, bool routed, ho_error *err)
{
  ho_handoff_list list;
  ho_handoff other;
  ho_error none = {0};
  ho_store *store = in->project->store;
  ho_code code = ho_handoffs_all_by_digest(store, ho_str_of(in->seen.digest), TWINS, in->arena, &list, err);
  if (!code)
    take_twin(in, r, routed, &list);
  if (!code && !in->made.same && r->id.n && !ho_handoffs_get(store, r->id, in->arena, &other, &none))
    code = find_renamed(in, r, routed, err);
  return code ? code : ho_arena_code(in->arena, err);
}

/* ---- The same file */

/* Whoever claimed it, also if it now waits for a person or for an answer; "" if nobody did. */
static ho_str worker(const ho_turn *turn, ho_arena *arena)
{
  return turn->state == HO_STATE_CLARIFY ? ho_marks_get(&turn->row, arena, HO_MARK_KEPT_FOR) : turn->row.claimed_by;
}

/* Reads lines that say something: neither blank nor a key alone. */
static bool next_saying(ho_str *rest, ho_str *line)
{
  while (ho_str_next_line(rest, line)) {
    *line = ho_str_trim(*line);
    if (line->n && !ho_str_ends(*line, ":"))
      return true;
  }
  return false;
}

/* Do most lines of the old text also stand in the new one? */
static bool mostly_same(ho_str old, ho_str new)
{
  ho_str line, other;
  size_t all = 0, kept = 0;
  for (ho_str rest = old; all < LINES && next_saying(&rest, &line); all++) {
    ho_str in = new;
    for (size_t i = 0; i < LINES && next_saying(&in, &other); i++)
      if (ho_str_eq(line, other)) {
        kept++;
        break;
      }
  }
  return all && kept * 2 > all;
}

/* What the document asks for, in its own words. */
static ho_str asked_for(const ho_doc *doc)
{
  const ho_sending *how = doc->format->sending;
  const char *name = how->deliverable ? how->deliverable : how->gate;
  return name ? ho_str_trim(ho_node_str(ho_node_by_names(doc->root, name))) : HO_EMPTY;
}

/* From the same sender, asking for the same in the same words, and mostly the same text. */
static ho_code asks_the_same(const ho_send *in, const ho_handoff *old, bool *yes, ho_error *err)
{
  ho_str body, asked = asked_for(&in->seen.doc);
  ho_doc doc = {0};
  ho_error none = {0};
  *yes = false;
  if (!asked.n || !ho_str_eq(ho_identity_name(old->sender), ho_identity_name(in->made.row.sender)))
    return HO_OK;
  ho_code code = ho_bodies_get(in->project->store, old->digest, in->arena, &body, err);
  if (code)
    return code;
  if (ho_doc_read(&doc, in->arena, in->path, body, in->seen.doc.format, &none) == HO_OK && doc.root)
    *yes = ho_str_eq(asked_for(&doc), asked) && mostly_same(body, in->seen.body);
  return ho_arena_code(in->arena, err);
}

/* Is this a new version of the old one, and not another thing that was written into the same file? The author's id
 * decides if the document states one. Formats without ids are about a task, or a phase of it. For the others, see
 * above. */
static ho_code is_version(const ho_send *in, const ho_handoff *old, bool *yes, ho_error *err)
{
  const ho_sending *how = in->seen.doc.format->sending;
  const ho_handoff *row = &in->made.row;
  ho_str own = how->id ? ho_node_str(ho_node_by_names(in->seen.doc.root, how->id)) : HO_EMPTY;
  *yes = false;
  if (!ho_str_eq(old->kind, row->kind))
    return HO_OK;
  if (how->id && !own.n)
    return asks_the_same(in, old, yes, err);
  *yes = how->id ? ho_str_eq(own, old->id)
                 : row->task.n && (row->phase.n || !how->in_task_folder) && ho_str_eq(row->task, old->task) &&
                       ho_str_eq(row->phase, old->phase);
  return HO_OK;
}

/* Does the old one wait for a gate that the new one does not inherit? Its question is not given up for another. A document
 * for a person is its own question, of which this is the new version. */
static ho_code waits_apart(const ho_send *in, const ho_turn *old, ho_str root, bool *apart, ho_error *err)
{
  ho_gate gate;
  bool waits = false;
  *apart = false;
  if (old->state != HO_STATE_GATED)
    return HO_OK;
  ho_code code = ho_gate_read_standing(in->project, old->row.id, in->arena, &gate, &waits, err);
  bool asks_itself = ho_str_is(in->made.row.receiver, "human") && ho_str_eq(gate.digest, old->row.digest);
  *apart = waits && !ho_str_eq(gate.root, root) && !asks_itself;
  return code;
}

/* Is it for whoever sends this document to replace the old one? If not, both are there, and there is nothing to say. */
static ho_code may_replace(const ho_send *in, ho_turn *old, bool *may, ho_error *err)
{
  ho_error why = {0};
  ho_code code = ho_rights_supersede(old, in->made.row.sender, in->token, &why);
  *may = !code;
  if (code && code != HO_CONFLICT)
    return *err = why, code;
  return HO_OK;
}

static ho_code replace(const ho_send *in, ho_turn *turn, ho_error *err)
{
  ho_node *data = ho_node_new(in->arena, HO_KIND_MAP);
  turn->row.superseded_by = in->made.row.id;
  ho_event_data_put(in->project, in->arena, data, "by", in->made.row.id);
  ho_event_data_put(in->project, in->arena, data, HO_NOTE_HOLDER, turn->row.claimed_by);
  ho_code code = ho_gate_drop(turn, HO_GATE_SUPERSEDED, err);
  return code ? code : ho_turn_apply(turn, HO_EVENT_SUPERSEDED, data, err);
}

/* Is it one more of what `old` was: the same document from and to the same, which nobody works on, and which waits for no
 * person? */
static bool is_copy(const ho_send *in, const ho_handoff *old, const ho_turn *other)
{
  const ho_handoff *row = &other->row;
  return ho_state_open(other->state) && other->state != HO_STATE_GATED && other->state != HO_STATE_DRAFT &&
         !worker(other, in->arena).n && !ho_str_eq(row->id, old->id) && !ho_str_eq(row->id, in->made.row.id) &&
         ho_str_eq(row->kind, old->kind) && ho_str_eq(row->sender, old->sender) &&
         ho_str_eq(row->receiver, old->receiver) && ho_str_eq(row->parent, old->parent);
}

/* The new version is instead of every copy that --again, or another key, has sent. */
static ho_code replace_copies(ho_send *in, const ho_handoff *old, ho_error *err)
{
  ho_handoff_list list;
  ho_code code = ho_handoffs_all_by_digest(in->project->store, old->digest, TWINS, in->arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++) {
    ho_turn other = {0};
    code = ho_turn_of(in->project, &list.rows[i], in->arena, &other, err);
    if (code || !is_copy(in, old, &other))
      continue;
    code = replace(in, &other, err);
    in->made.copies = ho_arena_printf(in->arena, "%.*s, %.*s", HO_ARG(in->made.copies), HO_ARG(other.row.id));
  }
  return code ? code : ho_arena_code(in->arena, err);
}

ho_code ho_send_again(ho_send *in, const ho_handoff *old, ho_str root, ho_error *err)
{
  ho_turn turn = {0};
  bool version = false, apart = false, may = false;
  ho_code code = ho_turn_of(in->project, old, in->arena, &turn, err);
  if (code || !ho_state_open(turn.state))
    return code;
  bool same = ho_send_is_same(in, old);
  if (same && (in->key.n || !in->once)) /* whoever asks for it, or gives the same content another key, wants both */
    return HO_OK;
  code = may_replace(in, &turn, &may, err);
  if (code || !may)
    return code;
  ho_str held_by = worker(&turn, in->arena);
  if (!held_by.n && !same)
    code = is_version(in, old, &version, err);
  if (!code && version)
    code = waits_apart(in, &turn, root, &apart, err);
  if (code)
    return code;
  if (!version || apart) {
    in->made.beside = old->id;
    in->made.beside_worker = held_by;
    in->made.beside_same = same;
    return HO_OK;
  }
  code = replace(in, &turn, err);
  in->made.superseded = old->id;
  return code ? code : replace_copies(in, old, err);
}
