#include "command/inbox_shown.h"

#include "base/term.h"
#include "base/time.h"
#include "command/ledger_call.h"
#include "command/wrap.h"
#include "engine/ledger/gate_step.h"
#include "engine/ledger/halt.h"
#include "engine/ledger/marks.h"
#include "engine/project/identity.h"
#include "engine/project/quote.h"
#include "model/lifecycle.h"

ho_code ho_inbox_shown_open(ho_call *call, ho_str begin, bool *found, ho_error *err)
{
  ho_handoff row;
  ho_gate gate;
  bool asked = false;
  *found = false;
  ho_code code = ho_handoffs_next(call->project.store, ho_str_of(ho_state_name(HO_STATE_READY)), HO_EMPTY, HO_EMPTY,
                                  HO_EMPTY, call->arena, &row, found, err);
  ho_halt halt;
  bool held = false;
  if (!code && *found)
    code = ho_halt_holds(&call->project, &row, call->arena, &halt, &held, err);
  if (!code && *found && !held)
    code = ho_gate_step_holds(&call->project, &row, call->arena, &gate, &asked, err);
  if (!code && held)
    ho_call_note(call, "%.*s; %.*s waits: %.*s", HO_ARG(begin), HO_ARG(row.id),
                 HO_ARG(ho_halt_sentence(&call->project, call->arena, &halt)));
  else if (!code && asked)
    ho_call_note(call, "%.*s; %.*s waits until a person has decided %.*s; run: %.*s", HO_ARG(begin), HO_ARG(row.id),
                 HO_ARG(gate.id), HO_ARG(ho_project_command(&call->project, call->arena, "gate show ID", gate.id)));
  else if (!code && *found)
    ho_call_note(call, "%.*s, but %.*s is for whoever takes %s%.*s; run: %.*s", HO_ARG(begin), HO_ARG(row.id),
                 row.task.n ? "task " : "it", HO_ARG(row.task),
                 HO_ARG(ho_project_command(&call->project, call->arena, "claim ID@", row.id)));
  return code;
}

/* Why the agent cannot go on with the handoff now, in a sentence; "" if that is not its own. */
static ho_str why_waiting(const ho_call *call, const ho_handoff *row, ho_str me)
{
  if (ho_str_is(row->state, ho_state_name(HO_STATE_GATED)))
    return ho_str_eq(row->claimed_by, me)
               ? ho_arena_printf(call->arena, "%.*s waits until a person has decided %.*s; run: %.*s", HO_ARG(row->id),
                                 HO_ARG(row->gate),
                                 HO_ARG(ho_project_command(&call->project, call->arena, "gate show ID", row->gate)))
               : HO_EMPTY;
  if (!ho_str_eq(ho_marks_get(row, call->arena, HO_MARK_KEPT_FOR), me))
    return HO_EMPTY;
  bool persons = !row->sender.n || ho_str_starts(row->sender, HO_PROJECT_PERSON) ||
                 ho_str_eq(ho_identity_name(row->sender), ho_identity_name(me));
  return ho_arena_printf(call->arena, "%.*s waits until %.*s answers what you asked", HO_ARG(row->id),
                         HO_ARG(persons ? HO_STR("a person") : ho_quote_name(call->arena, row->sender)));
}

ho_code ho_inbox_shown_waiting(ho_call *call, ho_error *err)
{
  enum { MOST = 50 };
  static const ho_state states[] = {HO_STATE_CLARIFY, HO_STATE_GATED};
  ho_str me = call->project.agent.n ? call->project.agent : ho_project_addressee(&call->project);
  ho_code code = HO_OK;
  for (size_t s = 0; !code && me.n && s < HO_COUNT(states); s++) {
    ho_handoff_list list = {0};
    ho_filter filter = {.state = ho_str_of(ho_state_name(states[s])), .oldest_first = true, .limit = MOST};
    code = ho_handoffs_select(call->project.store, &filter, call->arena, &list, err);
    for (size_t i = 0; !code && i < list.count; i++) {
      ho_str why = why_waiting(call, &list.rows[i], me);
      if (why.n)
        ho_call_note(call, "%.*s", HO_ARG(why));
    }
  }
  return code;
}

ho_node *ho_inbox_shown(ho_arena *arena, const ho_inbox_item *item)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  ho_map_put(arena, map, "kind", ho_words_str(&ho_waitings, (int)item->kind));
  ho_map_put(arena, map, "id", item->id);
  ho_map_put(arena, map, "from", item->from);
  ho_map_put(arena, map, "subject", item->subject);
  ho_map_put(arena, map, "text", item->text);
  ho_map_put(arena, map, "since", ho_time_str(arena, item->since));
  ho_map_put(arena, map, "until", item->until ? ho_time_str(arena, item->until) : HO_EMPTY);
  ho_map_addz(map, "elsewhere", ho_node_bool(arena, item->elsewhere));
  ho_map_addz(map, "new", ho_node_bool(arena, item->seq > 0));
  ho_map_addz(map, "commands", item->commands);
  return map;
}

/* Every line of what others wrote begins with the label. */
static void put_text(ho_buf *out, const char *label, ho_str text)
{
  ho_str line;
  while (ho_str_next_line(&text, &line)) {
    ho_buf_printf(out, "    %s", label);
    ho_term_put(out, line, HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
}

void ho_inbox_shown_said(ho_buf *out, ho_str text)
{
  put_text(out, "| ", text);
}

void ho_inbox_shown_below(ho_buf *out, const ho_node *item, size_t width)
{
  (void)width;
  put_text(out, "| ", ho_map_str(item, "text"));
  HO_EACH_CONST (command, ho_map_getz(item, "commands"))
    put_text(out, "", command->text);
}

void ho_inbox_shown_put(ho_buf *out, const ho_node *item, bool colour)
{
  ho_str from = ho_map_str(item, "from"), until = ho_map_str(item, "until");
  ho_put_bold(out, ho_map_str(item, "kind"), colour);
  ho_buf_putc(out, ' ');
  ho_term_put(out, ho_map_str(item, "id"), HO_TERM_LINE);
  if (from.n) {
    ho_buf_puts(out, " from ");
    ho_quote_put_name(out, from);
  }
  if (until.n)
    ho_buf_printf(out, " until %.*s", HO_ARG(until));
  if (ho_node_true(ho_map_getz(item, "new")))
    ho_buf_puts(out, " (new)");
  ho_buf_putc(out, '\n');
  put_text(out, "| ", ho_map_str(item, "subject"));
  ho_inbox_shown_below(out, item, 0);
}

static const ho_field fields[] = {
    HO_TEXT_FIELD("kind", "stop, question, gate, rejected, decision, answer, returned, held, handoff or draft."),
    HO_TEXT_FIELD("id", "Id of the handoff, gate, question or blocker."),
    HO_TEXT_FIELD("from", "Who waits, or who said it."),
    HO_TEXT_FIELD("subject", "What it is about."),
    HO_TEXT_FIELD("text", "The question, answer, reason or note."),
    HO_TEXT_FIELD("since", "Since when."),
    HO_TEXT_FIELD("until", "When the lease of what is held runs out."),
    {.name = "elsewhere", .doc = "Held, but by another session of the agent.", .type = HO_T_BOOL},
    {.name = "new", .doc = "Not shown before.", .type = HO_T_BOOL},
    HO_TEXTS_FIELD("commands", "The commands that may follow."),
    HO_FIELDS_END};
const ho_record ho_inbox_item_record = {.name = "inbox item", .fields = fields};
