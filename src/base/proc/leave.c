#include "base/proc/leave.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

static int told = -1; /* in the child: the pipe on which it says that it was left */

/* As the child ended. */
static void end_as(pid_t child)
{
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  if (WIFSIGNALED(status)) {
    sigset_t all;
    sigfillset(&all);
    signal(WTERMSIG(status), SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &all, NULL);
    raise(WTERMSIG(status));
  }
  _exit(WIFEXITED(status) ? WEXITSTATUS(status) : 128);
}

/* A signal of the terminal has reached the child already. */
static void hand_on(int signals, pid_t child)
{
  struct signalfd_siginfo info;
  while (read(signals, &info, sizeof info) == (ssize_t)sizeof info)
    if (info.ssi_code != SI_KERNEL && info.ssi_signo != SIGCHLD)
      kill(child, (int)info.ssi_signo);
}

/* Until the child is left, or has ended: its end of the pipe closes then, too. */
static void watch(int signals, int left, pid_t child, const struct termios *usual)
{
  char byte = 0;
  for (;;) {
    struct pollfd ready[] = {{.fd = signals, .events = POLLIN}, {.fd = left, .events = POLLIN}};
    if (poll(ready, 2, -1) < 0 && errno != EINTR)
      break;
    if (ready[0].revents)
      hand_on(signals, child);
    if (ready[1].revents)
      break;
  }
  bool was_left = read(left, &byte, 1) == 1;
  if (was_left)
    _exit(0);
  signal(SIGTTOU, SIG_IGN); /* it may have died with the terminal in the hands of another group */
  tcsetpgrp(STDIN_FILENO, getpgrp());
  tcsetattr(STDIN_FILENO, TCSADRAIN, usual);
  end_as(child);
}

bool ho_leave_begin(void)
{
  int ends[2];
  sigset_t caught, before;
  struct termios usual;
  pid_t parent = getpid();
  if (tcgetattr(STDIN_FILENO, &usual) || pipe2(ends, O_CLOEXEC))
    return false;
  sigemptyset(&caught);
  sigaddset(&caught, SIGINT);
  sigaddset(&caught, SIGTERM);
  sigprocmask(SIG_BLOCK, &caught, &before);
  int signals = signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
  pid_t child = signals < 0 ? -1 : fork();
  if (child > 0) {
    close(ends[1]);
    watch(signals, ends[0], child, &usual);
  }
  close(ends[0]);
  close(signals);
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (child < 0) {
    close(ends[1]);
    return false;
  }
  prctl(PR_SET_PDEATHSIG, SIGTERM); /* whoever ends what the shell started means this */
  if (getppid() != parent)
    raise(SIGTERM);
  told = ends[1];
  return true;
}

bool ho_leave_go(int log)
{
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (told < 0 || nothing < 0 || setsid() < 0)
    return false;
  prctl(PR_SET_PDEATHSIG, 0);
  dup2(nothing, STDIN_FILENO);
  dup2(log, STDOUT_FILENO);
  dup2(log, STDERR_FILENO);
  close(nothing);
  bool left = write(told, "", 1) == 1;
  close(told);
  told = -1;
  return left;
}
