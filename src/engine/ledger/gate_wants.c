#include "engine/ledger/gate_wants.h"

#include "base/grow.h"
#include "engine/ledger/gate_step.h"
#include "model/document/read.h"
#include "model/formats/formats.h"
#include "store/handoffs/bodies.h"

void ho_gate_wants_of(ho_arena *arena, const ho_node *document, ho_gate_wants *out)
{
  const ho_node *request = ho_map_getz(document, "validation_request");
  *out = (ho_gate_wants){0};
  if (!ho_str_is(ho_map_str(ho_map_getz(request, "options"), "approve"), HO_GATE_CHOICE))
    return;
  HO_EACH_CONST (item, ho_map_getz(request, "items")) {
    ho_str *option = HO_PUSH(arena, out->options, out->count);
    if (option)
      *option = ho_str_trim(ho_node_str(item));
  }
  if (out->count)
    out->what = HO_GATE_WANTS_OPTION;
}

/* Does somebody go on with what the person says? In a run the note is for the next teammate, unless approval ends the step. */
static ho_gate_want of_handoff(const ho_handoff *row, ho_arena *arena)
{
  ho_gate_step step;
  if (ho_gate_step_asks(row, arena))
    return HO_GATE_WANTS_ANSWER;
  bool of_run = ho_gate_step_parse(row->key, &step);
  return of_run && step.why != HO_REASON_RESULT && step.why != HO_REASON_ADVICE ? HO_GATE_WANTS_ADVICE
                                                                                : HO_GATE_WANTS_NOTHING;
}

ho_code ho_gate_wants_read(ho_project *project, ho_arena *arena, const ho_gate *gate, ho_gate_wants *out, ho_error *err)
{
  ho_handoff row;
  ho_str text;
  ho_doc doc;
  ho_error none = {0};
  *out = (ho_gate_wants){0};
  ho_code code = ho_handoffs_get(project->store, gate->handoff, arena, &row, err);
  if (code)
    return code;
  if (ho_bodies_get(project->store, gate->digest, arena, &text, &none) == HO_OK && ho_str_has(text, HO_GATE_CHOICE) &&
      ho_doc_read(&doc, arena, HO_STR("gate.yaml"), text, &ho_format_gate, &none) == HO_OK)
    ho_gate_wants_of(arena, doc.root, out);
  if (!out->count)
    out->what = of_handoff(&row, arena);
  return ho_arena_code(arena, err);
}

/* ---- Which option is meant. */

/* Does the note name it, as words of its own? */
static bool names(ho_arena *arena, ho_str note, ho_str option)
{
  for (size_t at = 0; option.n && at + option.n <= note.n; at++)
    if (ho_str_starts_nocase(ho_str_sub(note, at, note.n), ho_arena_z(arena, option)) &&
        !(at && ho_str_is_word(note, at - 1)) && !ho_str_is_word(note, at + option.n))
      return true;
  return false;
}

/* Is the note short for it? Numbers are from 1, as people are shown them. */
static bool is_short_for(ho_arena *arena, ho_str note, const ho_gate_wants *wants, size_t i)
{
  return ho_str_eq(note, ho_arena_printf(arena, "%zu", i + 1)) ||
         ho_str_starts_nocase(wants->options[i], ho_arena_z(arena, note));
}

bool ho_gate_wants_take(const ho_gate_wants *wants, ho_arena *arena, ho_str *note)
{
  ho_str said = ho_str_trim(*note);
  size_t found = wants->count, candidates = 0;
  if (wants->what != HO_GATE_WANTS_OPTION)
    return wants->what != HO_GATE_WANTS_ANSWER || said.n;
  for (size_t i = 0; i < wants->count; i++)
    if (names(arena, said, wants->options[i]))
      return true;
  for (size_t i = 0; said.n && i < wants->count; i++)
    if (is_short_for(arena, said, wants, i)) {
      found = i;
      candidates++;
    }
  if (candidates == 1)
    *note = wants->options[found];
  return candidates == 1;
}
