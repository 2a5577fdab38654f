/* The list `gates_pending` of the state file: one entry per gate that waits for a person. */
#include "base/buf.h"
#include "base/time.h"
#include "doc/json/json.h"
#include "engine/ledger/statefile.h"
#include "store/handoffs/gates.h"
#include "store/handoffs/handoffs.h"

enum { MOST = 100000 };

/* Entries with both keys are ours: no other tool's layout has them. */
static bool is_ours(const ho_node *item)
{
  return ho_map_str(item, "gate").n && ho_map_str(item, "handoff").n;
}

ho_code ho_statefile_gates(ho_project *project, ho_arena *arena, ho_node **out, ho_error *err)
{
  ho_gate_list gates;
  ho_node *list = *out = ho_node_new(arena, HO_KIND_LIST);
  ho_code code = ho_gates_select(project->store, HO_GATE_OPEN, HO_EMPTY, MOST, arena, &gates, err);
  for (size_t i = 0; !code && i < gates.count; i++) {
    const ho_gate *gate = &gates.rows[i];
    ho_handoff row;
    code = ho_handoffs_get(project->store, gate->handoff, arena, &row, err);
    if (code)
      break;
    bool blocking = ho_str_eq(row.gate, gate->id), asked = gate->decision == HO_DECISION_QUESTION;
    ho_node *item = ho_list_add(list, ho_node_new(arena, HO_KIND_MAP));
    ho_map_addz(item, "gate", ho_node_text(arena, gate->id));
    ho_map_addz(item, "handoff", ho_node_text(arena, gate->handoff));
    ho_map_addz(item, "name", ho_node_text(arena, gate->name));
    ho_map_addz(item, "step", ho_node_text(arena, row.phase.n ? row.phase : row.task.n ? row.task : gate->name));
    ho_map_addz(item, "type", ho_node_textz(arena, blocking ? "blocking" : "advisory"));
    ho_map_addz(item, "waiting_for", ho_node_textz(arena, asked ? "input" : "validation"));
    if (row.path.n && row.path.p[0] != '/')
      ho_map_addz(item, "deliverable", ho_node_text(arena, row.path));
    ho_map_addz(item, "since", ho_node_text(arena, ho_time_str(arena, gate->raised)));
  }
  return code ? code : ho_arena_code(arena, err);
}

ho_str ho_statefile_gate_list(ho_arena *arena, ho_str text, const ho_node *old, const ho_node *gates)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  ho_buf_putc(&out, '[');
  HO_EACH_CONST (item, old) {
    if (is_ours(item))
      continue;
    ho_buf_puts(&out, out.n == 1 ? "\n    " : ",\n    ");
    ho_buf_put(&out, ho_str_sub(text, item->begin, item->end));
  }
  HO_EACH_CONST (gate, gates) {
    ho_buf_puts(&out, out.n == 1 ? "\n    " : ",\n    ");
    ho_json_write(&out, gate, 0);
  }
  ho_buf_puts(&out, out.n > 1 ? "\n  ]" : "]");
  return ho_buf_move(&out, arena);
}
