/* The one question that `fix` asks git. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
#include "command/documents/fix_files.h"

/* Runs git with its output going to `to`; -1 where it cannot be started. */
static pid_t start_git(const char *folder, const char *name, int to)
{
  char *const argv[] = {"git",          "-C",         (char *)folder, "log",        "--follow", "--diff-filter=A",
                        "--format=%ct", "--no-color", "--",           (char *)name, NULL};
  posix_spawn_file_actions_t actions;
  pid_t pid = -1;
  if (posix_spawn_file_actions_init(&actions) != 0)
    return -1;
  bool ready = posix_spawn_file_actions_adddup2(&actions, to, 1) == 0 &&
               posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0) == 0 &&
               posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0) == 0;
  if (!ready || posix_spawnp(&pid, "git", &actions, NULL, argv, environ) != 0)
    pid = -1;
  posix_spawn_file_actions_destroy(&actions);
  return pid;
}

/* The last line of the text as a number: git tells the newest first. */
static int64_t last_number(ho_str text)
{
  uint64_t number = 0;
  ho_str line, last = HO_EMPTY;
  while (ho_str_next_line(&text, &line))
    last = line.n ? line : last;
  return ho_str_to_u64(last, &number) && number < INT64_MAX / 1000 ? (int64_t)number : 0;
}

int64_t ho_fix_files_first_commit(const char *path)
{
  ho_arena arena;
  ho_error ignored;
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return 0;
  ho_arena_init(&arena, 0);
  const char *folder = ho_arena_z(&arena, ho_fs_parent(ho_str_of(path)));
  pid_t pid = start_git(folder, ho_arena_z(&arena, ho_fs_name(ho_str_of(path))), ends[1]);
  close(ends[1]);
  ho_str text = HO_EMPTY;
  if (pid > 0 && ho_fs_read_fd(&arena, ends[0], HO_STR("git"), 0, &text, &ignored))
    text = HO_EMPTY;
  close(ends[0]);
  if (pid > 0)
    while (waitpid(pid, NULL, 0) < 0 && errno == EINTR)
      continue;
  int64_t seconds = last_number(text);
  ho_arena_free(&arena);
  return seconds;
}
