/* person [-a ANSWER]... -- COMMAND...: runs a command at a terminal of its own, as a person would, and answers its
 * questions in order: whenever what it printed ends in ": ", and it waits. Its output goes to standard output, its exit status is
 * this one's, and so is the signal that ended it. Without an answer left, the person gives up (Ctrl-C). */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 64, PATIENCE_MS = 120000, PAUSE_MS = 300 };

static void put(int fd, const char *text, size_t n)
{
  while (n) {
    ssize_t wrote = write(fd, text, n);
    if (wrote <= 0)
      return;
    text += wrote;
    n -= (size_t)wrote;
  }
}

/* Copies output until the command ends; 0 if it fell silent for too long. */
static int talk(int terminal, char *const *answers, int count)
{
  char block[4096], end[2] = "";
  int next = 0;
  for (;;) {
    struct pollfd wait = {.fd = terminal, .events = POLLIN};
    if (poll(&wait, 1, PATIENCE_MS) <= 0)
      return 0;
    ssize_t n = read(terminal, block, sizeof block);
    if (n <= 0)
      return 1;
    put(STDOUT_FILENO, block, (size_t)n);
    end[0] = n > 1 ? block[n - 2] : end[1];
    end[1] = block[n - 1];
    if (end[0] != ':' || end[1] != ' ' || poll(&wait, 1, PAUSE_MS) > 0) /* a long text comes in pieces */
      continue;
    if (next < count)
      put(terminal, answers[next], strlen(answers[next]));
    put(terminal, next < count ? "\n" : "\003", 1);
    next++;
  }
}

int main(int argc, char **argv)
{
  char *answers[MOST];
  int count = 0, option, status = 0, terminal;
  while ((option = getopt(argc, argv, "+a:")) == 'a')
    if (count < MOST)
      answers[count++] = optarg;
  if (optind == argc)
    return 2;
  pid_t child = forkpty(&terminal, NULL, NULL, NULL);
  if (child == 0) {
    execvp(argv[optind], argv + optind);
    _exit(127);
  }
  if (child < 0 || !talk(terminal, answers, count))
    return 126;
  close(terminal);
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    continue;
  if (WIFSIGNALED(status)) /* the same end */
    raise(WTERMSIG(status));
  return WIFEXITED(status) ? WEXITSTATUS(status) : 126;
}
