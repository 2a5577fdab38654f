#include "command/phase_args.h"

#include "command/ledger_call.h"

/* Files that a handoff's transaction has promised come before every other change of them. */
static ho_code settle(void *data, ho_error *err)
{
  ho_project_options options;
  ho_project project;
  int64_t unfinished = 0;
  ho_code code = ho_ledger_how(data, false, &options, err);
  if (code)
    return code;
  ho_str database = ho_project_database(&options, ho_project_home(&options));
  if (database.n && !ho_fs_exists(ho_arena_z(options.arena, database)))
    return HO_OK;
  code = ho_project_open(&options, &project, err);
  if (code)
    return code;
  code = ho_store_unfinished(project.store, HO_EMPTY, &unfinished, err);
  if (!code && unfinished)
    code = ho_store_settle(project.store, err);
  ho_project_close(&project);
  return code;
}

ho_code ho_phase_arg(ho_call *call, ho_phase *out, ho_error *err)
{
  *out = (ho_phase){.arena = call->arena,
                    .root = call->engine->root,
                    .task = ho_arg_str(call, "task"),
                    .phase = ho_arg_str(call, "phase"),
                    .slug = ho_arg_str(call, "slug"),
                    .now_ms = call->engine->clock_ms(call->engine->world),
                    .settle = settle,
                    .settle_data = call};
  return ho_phase_find(out, err);
}

ho_str ho_shown_below(const ho_call *call, ho_str path)
{
  return ho_shown_path(call, ho_fs_join(call->arena, call->engine->root, path));
}
