#include "command/phase_args.h"

#include "engine/phase/phase_meant.h"

void ho_phase_args_given(ho_call *call, ho_phase *out)
{
  *out = (ho_phase){.arena = call->arena,
                    .root = call->host->root,
                    .task = ho_arg_str(call, "task"),
                    .phase = ho_arg_str(call, "phase"),
                    .slug = ho_arg_str(call, "slug"),
                    .now_ms = call->host->clock_ms(call->host->world),
                    .project = &call->project};
  ho_phase_environment(out);
}

ho_code ho_phase_args_find(ho_call *call, ho_phase *out, ho_error *err)
{
  ho_phase_args_given(call, out);
  ho_code code = ho_phase_known(out, err);
  return code ? code : ho_phase_find(out, err);
}

ho_str ho_shown_below(const ho_call *call, ho_str path)
{
  return ho_shown_path(call, ho_fs_join(call->arena, call->host->root, path));
}
