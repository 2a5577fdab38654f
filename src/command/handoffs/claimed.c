#include "command/handoffs/claimed.h"

#include "base/time.h"
#include "command/inbox_shown.h"
#include "engine/ledger/draft.h"
#include "engine/ledger/inbox.h"
#include "engine/which/which.h"

/* The session now works on that: on a phase, if it is about one. */
static void remember(ho_call *call, const ho_handoff *row)
{
  if (row->task.n && row->phase.n && ho_draft_tells(row, call->arena))
    ho_which_remember(&call->project, call->arena, row->task, row->phase, HO_WHICH_NAMED);
  else
    ho_which_took(&call->project, call->arena, row->id);
}

ho_code ho_claimed_put(ho_call *call, const ho_delivery *d, ho_error *err)
{
  ho_node *handoff = NULL;
  remember(call, &d->row);
  ho_code code = ho_delivered_node(call, &call->project, &d->row, d->body, &handoff, err);
  ho_map_addz(call->result, "id", ho_node_text(call->arena, d->row.id));
  ho_map_put(call->arena, call->result, "token", ho_arena_copy(call->arena, ho_str_of(d->token)));
  ho_map_put(call->arena, call->result, "lease_until", ho_time_str(call->arena, d->row.lease_until));
  ho_map_addz(call->result, "handoff", handoff);
  ho_map_addz(call->result, "commands", ho_inbox_follow(&call->project, call->arena, &d->row));
  if (d->held)
    ho_call_note(call, "you hold %.*s already, and need no token for it in this session", HO_ARG(d->row.id));
  return code;
}

void ho_claimed_render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *handoff = ho_map_getz(call->result, "handoff");
  ho_str token = ho_map_str(call->result, "token");
  (void)colour;
  if (!handoff)
    return;
  if (token.n)
    ho_buf_printf(out, "# token: %.*s\n", HO_ARG(token));
  ho_delivered_head(out, handoff);
  HO_EACH_CONST (command, ho_map_getz(call->result, "commands"))
    ho_buf_printf(out, "# next: %.*s\n", HO_ARG(command->text));
  ho_delivered_body(out, call->arena, ho_map_str(handoff, "kind"), ho_map_str(handoff, "text"));
}
