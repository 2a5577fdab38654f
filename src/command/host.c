#include <limits.h>

#include "base/fs.h"
#include "command/commands.h"
#include "engine/project/access_token.h"
#include "engine/project/worktree.h"

static bool try_image(ho_host *host, ho_str path)
{
  ho_error err = {0};
  ho_code code = ho_tokens_open(&host->tokens, path.p, &err);
  if (code == HO_OK) {
    host->tokens_path = path;
    return true;
  }
  if (code != HO_NOT_FOUND || !host->tokens_error.code)
    host->tokens_error = err;
  return false;
}

/* The path of a file that is installed with the program (in share/handoff beside its folder, or beside the library's),
 * or "". */
static ho_str shared_file(ho_host *host, const char *name)
{
  static const char *const places[] = {"../share/handoff", "share/handoff", "../../share/handoff"};
  ho_str files[] = {ho_fs_program(host->arena), host->library};
  for (size_t i = 0; i < HO_COUNT(files); i++)
    for (size_t j = 0; files[i].n && j < HO_COUNT(places); j++) {
      ho_str folder = ho_fs_join(host->arena, ho_fs_parent(files[i]), ho_str_of(places[j]));
      ho_str path = ho_fs_join(host->arena, folder, ho_str_of(name));
      if (ho_fs_exists(path.p))
        return path;
    }
  return HO_EMPTY;
}

const ho_tokens *ho_host_tokens(ho_host *host)
{
  if (host->tokens_looked)
    return host->tokens;
  host->tokens_looked = true;
  const char *named = getenv("HANDOFF_TOKENS");
  if (named && *named) { /* whoever names an image wants that one and no other */
    try_image(host, ho_arena_copy(host->arena, ho_str_of(named)));
    return host->tokens;
  }
  ho_str found = shared_file(host, "o200k_base.image");
  if (found.n)
    try_image(host, found);
  else
    ho_fail_file(&host->tokens_error, HO_NOT_FOUND, HO_STR("share/handoff/o200k_base.image"), "no such file");
  return host->tokens;
}

ho_code ho_host_root(ho_host *host, const char *root, ho_error *err)
{
  ho_code code = ho_fs_here(host->arena, &host->folder, err);
  if (code)
    return code;
  /* A teammate in a worktree below the project is told its root; elsewhere that says nothing. */
  const char *told = getenv("HANDOFF_ROOT");
  if (!root && told && *told && ho_fs_is_folder(told) && ho_fs_inside(told, host->folder.p))
    root = told;
  host->told_root = root != NULL;
  if (!root) {
    host->root = ho_fs_root(host->arena, host->folder);
    host->above = ho_worktree_nested(host->arena, host->root, host->folder).n ? host->root : HO_EMPTY;
    return ho_arena_code(host->arena, err);
  }
  char real[PATH_MAX]; /* links resolved, as in the current folder, so that paths can be compared */
  if (!realpath(root, real) || !ho_fs_is_folder(real))
    return ho_fail_file(err, HO_NOT_FOUND, ho_str_of(root), "no such folder (--root)");
  host->root = ho_arena_copy(host->arena, ho_str_of(real));
  return ho_arena_code(host->arena, err);
}

void ho_host_close(ho_host *host)
{
  if (host->tokens)
    ho_tokens_close(host->tokens);
  host->tokens = NULL;
}

ho_code ho_host_token(const ho_host *host, ho_arena *arena, ho_str token, ho_access *out, ho_error *err)
{
  ho_personal place = ho_access_token_place(arena, ho_worktree_home(arena, host->root), host->root);
  ho_code code = ho_arena_code(arena, err);
  return code ? code : ho_access_token_find(&place, token, host->clock_ms(host->world), out, err);
}
