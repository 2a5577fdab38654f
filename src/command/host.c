#include <dlfcn.h>
#include <limits.h>
#include <unistd.h>

#include "base/fs.h"
#include "command/command.h"

static bool try_image(ho_engine *engine, ho_str path)
{
  ho_error err = {0};
  ho_code code = ho_tokens_open(&engine->tokens, path.p, &err);
  if (code == HO_OK) {
    engine->tokens_path = path;
    return true;
  }
  if (code != HO_NOT_FOUND || !engine->tokens_error.code)
    engine->tokens_error = err;
  return false;
}

/* The folder that the program's file is in, or "". */
static ho_str program_folder(ho_arena *arena)
{
  char path[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path);
  if (n <= 0 || (size_t)n >= sizeof path)
    return HO_EMPTY;
  return ho_arena_copy(arena, ho_fs_parent((ho_str){path, (size_t)n}));
}

/* The folder of the file that this code was loaded from: another one where it is a shared library. */
static ho_str code_folder(ho_arena *arena)
{
  Dl_info info;
  if (!dladdr(&ho_global_options, &info) || !info.dli_fname || info.dli_fname[0] != '/')
    return HO_EMPTY;
  return ho_arena_copy(arena, ho_fs_parent(ho_str_of(info.dli_fname)));
}

ho_str ho_engine_share(ho_engine *engine, const char *name)
{
  static const char *const places[] = {"../share/handoff", "share/handoff", "../../share/handoff"};
  ho_str folders[] = {program_folder(engine->arena), code_folder(engine->arena)};
  for (size_t i = 0; i < HO_COUNT(folders); i++)
    for (size_t j = 0; folders[i].n && j < HO_COUNT(places); j++) {
      ho_str path =
          ho_fs_join(engine->arena, ho_fs_join(engine->arena, folders[i], ho_str_of(places[j])), ho_str_of(name));
      if (ho_fs_exists(path.p))
        return path;
    }
  return HO_EMPTY;
}

const ho_tokens *ho_engine_tokens(ho_engine *engine)
{
  if (engine->tokens_looked)
    return engine->tokens;
  engine->tokens_looked = true;
  const char *named = getenv("HANDOFF_TOKENS");
  if (named && *named) { /* whoever names an image wants that one and no other */
    try_image(engine, ho_arena_copy(engine->arena, ho_str_of(named)));
    return engine->tokens;
  }
  ho_str found = ho_engine_share(engine, "o200k_base.image");
  if (found.n)
    try_image(engine, found);
  else
    ho_fail_file(&engine->tokens_error, HO_NOT_FOUND, HO_STR("share/handoff/o200k_base.image"), "no such file");
  return engine->tokens;
}

ho_code ho_engine_root(ho_engine *engine, const char *root, ho_error *err)
{
  ho_code code = ho_fs_here(engine->arena, &engine->folder, err);
  if (code)
    return code;
  /* A teammate in a worktree below the project is told its root; elsewhere that says nothing. */
  const char *told = getenv("HANDOFF_ROOT");
  if (!root && told && *told && ho_fs_is_folder(told) && ho_fs_inside(told, engine->folder.p))
    root = told;
  if (!root) {
    engine->root = ho_fs_root(engine->arena, engine->folder);
    return ho_arena_code(engine->arena, err);
  }
  char real[PATH_MAX]; /* links resolved, as in the current folder, so that paths can be compared */
  if (!realpath(root, real) || !ho_fs_is_folder(real))
    return ho_fail_file(err, HO_NOT_FOUND, ho_str_of(root), "no such folder (--root)");
  engine->root = ho_arena_copy(engine->arena, ho_str_of(real));
  return ho_arena_code(engine->arena, err);
}

void ho_engine_close(ho_engine *engine)
{
  if (engine->tokens)
    ho_tokens_close(engine->tokens);
  engine->tokens = NULL;
}
