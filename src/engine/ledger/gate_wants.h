/* What an approval at a gate has to say, for whoever asks the person and for whoever takes the decision. */
#ifndef HO_ENGINE_LEDGER_GATE_WANTS_H
#define HO_ENGINE_LEDGER_GATE_WANTS_H

#include "doc/tree.h"
#include "engine/project/project.h"
#include "store/handoffs/gates.h"

typedef enum ho_gate_want {
  HO_GATE_WANTS_NOTHING,
  HO_GATE_WANTS_ADVICE, /* it may say something: whoever goes on is told */
  HO_GATE_WANTS_ANSWER, /* it was raised for a question: approval without words would leave that without an answer */
  HO_GATE_WANTS_OPTION, /* one of several: whoever asked would otherwise go on with any of them */
} ho_gate_want;

typedef struct ho_gate_wants {
  ho_gate_want what;
  ho_str *options; /* only of HO_GATE_WANTS_OPTION */
  size_t count;
} ho_gate_wants;

/* Of a gate that is open. */
ho_code ho_gate_wants_read(ho_project *project, ho_arena *arena, const ho_gate *gate, ho_gate_wants *out,
                           ho_error *err) HO_NODISCARD;
/* The options that a gate's document offers; wants nothing if there are none. */
void ho_gate_wants_of(ho_arena *arena, const ho_node *document, ho_gate_wants *out);
/* Does the note say it? An option's number, or the beginning of one alone, becomes the option's own words. */
bool ho_gate_wants_take(const ho_gate_wants *wants, ho_arena *arena, ho_str *note);
#endif
