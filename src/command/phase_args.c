#include "command/phase_args.h"

#include "engine/ledger/person.h"
#include "engine/project/identity.h"
#include "engine/project/quote.h"

static ho_code find(ho_call *call, ho_phase *out, ho_which *which, ho_error *err)
{
  *out = (ho_phase){.arena = call->arena,
                    .root = call->host->root,
                    .task = ho_arg_str(call, "task"),
                    .phase = ho_arg_str(call, "phase"),
                    .slug = ho_arg_str(call, "slug"),
                    .now_ms = call->host->clock_ms(call->host->world),
                    .project = &call->project};
  ho_code code = ho_project_begin(&call->project, err);
  if (!code)
    code = ho_which_phase(out, which, err);
  call->choices = code == HO_USAGE ? which->choices : NULL;
  return code;
}

ho_code ho_phase_args_find(ho_call *call, ho_phase *out, ho_error *err)
{
  ho_which which = {0};
  return find(call, out, &which, err);
}

ho_code ho_phase_args_follow(ho_call *call, ho_phase *out, ho_error *err)
{
  ho_which which = {.follows = true};
  return find(call, out, &which, err);
}

ho_code ho_phase_args_end(ho_call *call, ho_phase *out, ho_error *err)
{
  ho_which which = {.ends = true};
  return find(call, out, &which, err);
}

ho_code ho_phase_args_begin(ho_call *call, ho_which *which, ho_phase *out, ho_error *err)
{
  which->make = true;
  ho_code code = find(call, out, which, err);
  if (!code && !which->made && which->searched)
    ho_call_note(call, "assuming phase %.*s of task %.*s (%s)", HO_ARG(out->phase), HO_ARG(out->task), which->source);
  return code;
}

void ho_phase_args_note_made(ho_call *call, const ho_which *which, const ho_phase *phase)
{
  if (which->made)
    ho_call_note(call, "started task %.*s in %.*s, phase %.*s%s%.*s%s", HO_ARG(phase->task),
                 HO_ARG(ho_shown_below(call, phase->folder)), HO_ARG(phase->phase),
                 which->beside.n ? "; for one of those in progress (" : "", HO_ARG(which->beside),
                 which->beside.n ? "), use --task N --phase P" : "");
}

void ho_phase_args_note_aside(ho_call *call, const ho_which *which, ho_str undo, const char *again)
{
  const ho_handoff *row = &which->aside;
  ho_str named = row->id.n ? ho_which_named(call->arena, row) : HO_EMPTY;
  if (!which->made || which->named || !row->id.n)
    return;
  if (ho_which_claimable(row))
    ho_call_note(call,
                 "%.*s is still open and not part of this; to continue it instead, run this and %s again: %.*s && %.*s",
                 HO_ARG(named), again, HO_ARG(undo), HO_ARG(ho_which_claim(&call->project, call->arena, row)));
  else
    ho_call_note(call, "%.*s is still open and not part of this; for its work, use --task %.*s --phase %.*s",
                 HO_ARG(named), HO_ARG(ho_quote_shell(call->arena, row->task)),
                 HO_ARG(ho_quote_shell(call->arena, row->phase)));
}

bool ho_phase_args_is_person(const ho_call *call)
{
  ho_error none = {0};
  ho_identity_signs signs;
  ho_identity_read_signs(call->arena, &signs);
  return !signs.count && !ho_access_now() && !getenv("HANDOFF_META") && !ho_person_terminal.present(NULL, &none);
}

ho_str ho_shown_below(const ho_call *call, ho_str path)
{
  return ho_shown_path(call, ho_fs_join(call->arena, call->host->root, path));
}
