#include "command/halted.h"

#include "base/term.h"
#include "base/time.h"
#include "command/ledger_call.h"
#include "command/wrap.h"

static const ho_field fields[] = {HO_TEXT_FIELD("task", "The task."),
                                  HO_TEXT_FIELD("id", "The response that halts it."),
                                  HO_TEXT_FIELD("by", "Who said STOP."),
                                  HO_TEXT_FIELD("to", "Who asked, and may resume it as a person may."),
                                  HO_TEXT_FIELD("why", "The issues."),
                                  HO_TEXT_FIELD("since", "When it was halted."),
                                  HO_FIELDS_END};
const ho_record ho_halted_record = {.name = "halted task", .fields = fields};

ho_node *ho_halted_node(const ho_halt *halt, ho_arena *arena)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  ho_map_put(arena, map, "task", halt->task);
  ho_map_put(arena, map, "id", halt->id);
  ho_map_put(arena, map, "by", halt->by);
  ho_map_put(arena, map, "to", halt->to);
  ho_map_put(arena, map, "why", halt->why);
  ho_map_put(arena, map, "since", ho_time_str(arena, halt->since));
  return map;
}

void ho_halted_put(ho_buf *out, const ho_node *list, bool colour)
{
  if (ho_node_empty(list))
    return;
  ho_put_bold(out, HO_STR("Halted by STOP (resume: handoff answer ID --note TEXT)"), colour);
  ho_buf_putc(out, '\n');
  HO_EACH_CONST (halt, list) {
    ho_buf_puts(out, "  ");
    ho_put_padded(out, ho_map_str(halt, "id"), 12);
    ho_buf_puts(out, " task ");
    ho_term_put(out, ho_map_str(halt, "task"), HO_TERM_LINE);
    ho_buf_puts(out, ": ");
    ho_term_put(out, ho_map_str(halt, "why"), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
}
