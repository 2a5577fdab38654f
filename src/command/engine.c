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

void ho_engine_close(ho_engine *engine)
{
  if (engine->tokens)
    ho_tokens_close(engine->tokens);
  engine->tokens = NULL;
}
