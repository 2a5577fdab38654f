#include "surface/cli_server.h"

#include <errno.h>
#include <unistd.h>

#include "base/fs.h"

/* Seen from the folder of this program. */
static const char *const places[] = {"handoff-server", "../libexec/handoff/handoff-server"};

ho_code ho_cli_server(const ho_call *call, ho_error *err)
{
  ho_arena *arena = call->host->arena;
  ho_str folder = ho_fs_parent(ho_fs_program(arena));
  for (size_t i = 0; i < HO_COUNT(places); i++) {
    ho_str path = ho_fs_join(arena, folder, ho_str_of(places[i]));
    if (!ho_fs_is_file(ho_arena_z(arena, path)))
      continue;
    execv(path.p, call->host->argv);
    return ho_fail_file(err, HO_IO, path, "cannot be started: %s", strerror(errno));
  }
  return ho_fail(err, HO_NOT_FOUND,
                 "handoff-server is not installed; it belongs beside this program or in libexec/handoff");
}
