#include "base/proc/front.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"

/* Signals as in a fresh process: we may have blocked or ignored them. */
static int set_signals(posix_spawnattr_t *attributes, short more)
{
  sigset_t none, usual;
  sigemptyset(&none);
  sigemptyset(&usual);
  sigaddset(&usual, SIGINT);
  sigaddset(&usual, SIGQUIT);
  sigaddset(&usual, SIGPIPE);
  int failed = posix_spawnattr_setsigmask(attributes, &none);
  if (!failed)
    failed = posix_spawnattr_setsigdefault(attributes, &usual);
  return failed ? failed
                : posix_spawnattr_setflags(attributes, (short)(POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | more));
}

pid_t ho_front_start(const char *command, const char *argument, int in)
{
  pid_t pid = -1;
  char line[4096];
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  int n = snprintf(line, sizeof line, "%s%s", command, argument ? " \"$@\"" : "");
  char *argv[] = {"sh", "-c", line, "sh", (char *)(uintptr_t)argument, NULL};
  if (n < 0 || (size_t)n >= sizeof line || posix_spawn_file_actions_init(&actions) != 0)
    return -1;
  if (posix_spawnattr_init(&attributes) == 0) {
    bool ready = set_signals(&attributes, 0) == 0 &&
                 (in < 0 || posix_spawn_file_actions_adddup2(&actions, in, STDIN_FILENO) == 0);
    if (!ready || posix_spawn(&pid, "/bin/sh", &actions, &attributes, argv, environ) != 0)
      pid = -1;
    posix_spawnattr_destroy(&attributes);
  }
  posix_spawn_file_actions_destroy(&actions);
  return pid;
}

int ho_front_wait(pid_t pid)
{
  int status = 0;
  struct sigaction ignored = {.sa_handler = SIG_IGN}, before;
  sigaction(SIGINT, &ignored, &before);
  pid_t ended;
  while ((ended = waitpid(pid, &status, 0)) < 0 && errno == EINTR)
    ;
  sigaction(SIGINT, &before, NULL);
  return ended == pid && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

pid_t ho_front_lend(const char *const *argv)
{
  pid_t pid = -1;
  posix_spawnattr_t attributes;
  if (posix_spawnattr_init(&attributes) != 0)
    return -1;
  struct sigaction ignored = {.sa_handler = SIG_IGN}, before;
  sigaction(SIGTSTP, &ignored, &before); /* which it inherits: nobody would let it continue */
  bool ready = set_signals(&attributes, POSIX_SPAWN_SETPGROUP) == 0 && posix_spawnattr_setpgroup(&attributes, 0) == 0;
  if (!ready || posix_spawn(&pid, argv[0], NULL, &attributes, (char *const *)(uintptr_t)argv, environ) != 0)
    pid = -1;
  sigaction(SIGTSTP, &before, NULL);
  posix_spawnattr_destroy(&attributes);
  if (pid > 0) {
    tcsetpgrp(STDIN_FILENO, pid);
    kill(-pid, SIGCONT); /* it may have been quicker, and halted for it */
  }
  return pid;
}

int ho_front_take(pid_t pid)
{
  int status = ho_front_wait(pid);
  sigset_t writes, before;
  sigemptyset(&writes);
  sigaddset(&writes, SIGTTOU); /* for who is in the background, as we are */
  sigprocmask(SIG_BLOCK, &writes, &before);
  tcsetpgrp(STDIN_FILENO, getpgrp());
  sigprocmask(SIG_SETMASK, &before, NULL);
  return status;
}

const char *ho_front_editor(void)
{
  const char *names[] = {"VISUAL", "EDITOR"};
  for (size_t i = 0; i < HO_COUNT(names); i++) {
    const char *given = getenv(names[i]);
    if (given && *given)
      return given;
  }
  return NULL;
}

/* A file that nobody else can have made. */
static ho_code make_file(char *path, ho_str text, ho_error *err)
{
  int fd = mkostemp(path, O_CLOEXEC);
  ssize_t n = 0;
  for (; fd >= 0 && text.n && (n = write(fd, text.p, text.n)) > 0; text = ho_str_sub(text, (size_t)n, text.n))
    ;
  ho_code code = fd >= 0 && !text.n
                     ? HO_OK
                     : ho_fail(err, HO_IO, "the editor's file %s cannot be written: %s", path, strerror(errno));
  if (fd >= 0)
    close(fd);
  return code;
}

ho_code ho_front_edit(ho_arena *arena, const char *editor, ho_str text, ho_str *out, ho_error *err)
{
  char path[] = "/tmp/handoff-note-XXXXXX";
  ho_code code = make_file(path, text, err);
  pid_t pid = code ? -1 : ho_front_start(editor, path, -1);
  if (!code && (pid < 0 || ho_front_wait(pid) != 0))
    code = ho_fail(err, HO_GATED, "the editor failed: %s", editor);
  if (!code) /* by its name: editors put another file in its place */
    code = ho_fs_read(arena, path, 0, out, err);
  unlink(path);
  return code;
}
