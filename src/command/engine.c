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

const ho_tokens *ho_engine_tokens(ho_engine *engine)
{
  static const char *const places[] = {"../share/handoff/o200k_base.image", "share/handoff/o200k_base.image"};
  if (engine->tokens_looked)
    return engine->tokens;
  engine->tokens_looked = true;
  const char *named = getenv("HANDOFF_TOKENS");
  if (named && *named) { /* whoever names an image wants that one and no other */
    try_image(engine, ho_arena_copy(engine->arena, ho_str_of(named)));
    return engine->tokens;
  }
  ho_str folder = program_folder(engine->arena);
  for (size_t i = 0; folder.n && i < HO_COUNT(places); i++)
    if (try_image(engine, ho_fs_join(engine->arena, folder, ho_str_of(places[i]))))
      break;
  return engine->tokens;
}

ho_code ho_engine_root(ho_engine *engine, const char *root, ho_error *err)
{
  ho_code code = ho_fs_here(engine->arena, &engine->folder, err);
  if (code)
    return code;
  if (!root) {
    engine->root = ho_fs_root(engine->arena, engine->folder);
    return ho_arena_code(engine->arena, err);
  }
  char real[PATH_MAX]; /* links resolved, as in the current folder, so that paths can be compared */
  if (!realpath(root, real) || !ho_fs_is_folder(real))
    return ho_fail_file(err, HO_NOT_FOUND, ho_str_of(root), "there is no such folder (--root)");
  engine->root = ho_arena_copy(engine->arena, ho_str_of(real));
  return ho_arena_code(engine->arena, err);
}

void ho_engine_close(ho_engine *engine)
{
  if (engine->tokens)
    ho_tokens_close(engine->tokens);
  engine->tokens = NULL;
}
