#include "command/agents/run_keys.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/proc/front.h"
#include "base/proc/leave.h"
#include "base/term.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"
#include "engine/run/adapter.h"

enum { TAIL = 256 << 10 };

bool ho_run_keys_begin(const ho_call *call)
{
  return call->host->live && call->host->show && ho_term_is(STDIN_FILENO) && !ho_identity_agent_sign() &&
         ho_leave_begin();
}

pid_t ho_run_keys_decide(const ho_call *call)
{
  ho_arena *a = call->arena;
  const char *argv[8] = {ho_arena_z(a, call->host->program), "gate", "--root", ho_arena_z(a, call->host->root)};
  if (call->host->store.n) {
    argv[4] = "--store";
    argv[5] = ho_arena_z(a, call->host->store);
  }
  return a->failed ? -1 : ho_front_lend(argv);
}

bool ho_run_keys_leave(const ho_call *call, const ho_project *project, const ho_run *run)
{
  ho_arena *a = call->arena;
  ho_str path = ho_fs_join(a, ho_paths_run(a, project->home, ho_run_about(run)->id), HO_STR("lead.log"));
  bool ending = ho_run_interrupts(run) > 0;
  ho_str said = ho_arena_printf(a,
                                "%.*s %s in the background.\n"
                                "to look:  handoff ps --watch\n"
                                "its log:  %.*s\n"
                                "to stop:  kill -INT %ld  (%s)\n",
                                HO_ARG(ho_run_about(run)->id), ending ? "waits for its teammates" : "goes on",
                                HO_ARG(ho_shown_path(call, path)), (long)getpid(),
                                ending ? "now its teammates" : "once more: its teammates, too");
  int log = a->failed ? -1 : ho_fs_open(path.p, O_WRONLY | O_CREAT | O_APPEND);
  if (log < 0)
    return false;
  ho_term_keys_end();
  call->host->show(call->host->world, said); /* before the shell's prompt comes */
  bool left = ho_leave_go(log);
  close(log);
  return left;
}

ho_str ho_run_keys_log(ho_arena *arena, const ho_project *project, const ho_teammate *mate)
{
  ho_str path = ho_fs_join(arena, project->home, mate->log);
  char *text = ho_arena_alloc(arena, TAIL);
  int fd = text ? ho_fs_open(path.p, O_RDONLY) : -1;
  off_t end = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
  ssize_t n = end < 0 ? -1 : pread(fd, text, TAIL, end > TAIL ? end - TAIL : 0);
  if (fd >= 0)
    close(fd);
  ho_buf told;
  ho_str all = {text, n > 0 ? (size_t)n : 0};
  size_t first = end > TAIL ? ho_str_find_char(all, '\n') : HO_NONE; /* of a line that began earlier */
  ho_buf_init(&told, 0);
  ho_adapter_tell(ho_adapter_named(mate->adapter), first == HO_NONE ? all : ho_str_sub(all, first + 1, all.n), &told);
  return ho_buf_move(&told, arena);
}
