#include "engine/ledger/asked.h"

#include "engine/ledger/describe.h"
#include "engine/ledger/marks.h"
#include "engine/ledger/rights.h"
#include "engine/project/event_data.h"

/* What is left of it. */
typedef struct left {
  size_t answered, questions, blockers;
  bool unblocked; /* a blocker is among what is answered */
} left;

static left look(ho_arena *arena, const ho_node *asked, ho_str one)
{
  left found = {0};
  HO_EACH_CONST (each, asked) {
    bool blocks = ho_str_is(ho_map_str(each, "kind"), "blocker");
    bool answered = !one.n || ho_describe_is_asked(arena, each, one);
    found.answered += answered;
    found.unblocked |= answered && blocks;
    found.questions += !answered && !blocks;
    found.blockers += !answered && blocks;
  }
  return found;
}

ho_code ho_asked_answer(ho_turn *turn, ho_str one, ho_node *data, bool *was, ho_error *err)
{
  ho_node *asked;
  bool waits = turn->state == HO_STATE_CLARIFY;
  ho_code code = ho_describe_asked(turn->project, &turn->row, turn->arena, &asked, err);
  if (code)
    return code;
  left found = look(turn->arena, asked, one);
  *was = found.answered || (waits && !one.n); /* it may wait without a word of why */
  if (*was)
    code = ho_rights_answer(turn, err);
  if (code || !*was)
    return code;
  ho_turn_tell_session(turn, data);
  ho_marks_set(&turn->row, turn->arena, HO_MARK_QUESTIONS,
               found.questions ? ho_arena_printf(turn->arena, "%zu", found.questions) : HO_EMPTY);
  if (waits && !found.blockers && (found.unblocked || !found.questions))
    return ho_turn_apply(turn, HO_EVENT_ANSWERED, data, err);
  return ho_turn_mark(turn, HO_NOTE_ANSWER, data, err);
}
