#include "command/phase_args.h"

ho_code ho_phase_args_find(ho_call *call, ho_phase *out, ho_error *err)
{
  *out = (ho_phase){.arena = call->arena,
                    .root = call->host->root,
                    .task = ho_arg_str(call, "task"),
                    .phase = ho_arg_str(call, "phase"),
                    .slug = ho_arg_str(call, "slug"),
                    .now_ms = call->host->clock_ms(call->host->world),
                    .project = &call->project};
  return ho_phase_find(out, err);
}

ho_str ho_shown_below(const ho_call *call, ho_str path)
{
  return ho_shown_path(call, ho_fs_join(call->arena, call->host->root, path));
}
