#include "surface/cli_screen.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/proc/front.h"
#include "base/proc/spawn.h"
#include "base/term.h"
#include "engine/project/identity.h"

static const char *pager(void)
{
  const char *names[] = {"HANDOFF_PAGER", "PAGER"};
  for (size_t i = 0; i < HO_COUNT(names); i++) {
    const char *given = getenv(names[i]);
    if (given)
      return given;
  }
  return "less";
}

static bool is_there(const char *command)
{
  char path[PATH_MAX], name[PATH_MAX];
  ho_str word = ho_str_sub(ho_str_of(command), 0, strcspn(command, " \t"));
  snprintf(name, sizeof name, "%.*s", HO_ARG(word));
  return ho_spawn_find(name, path) != NULL;
}

bool ho_cli_screen_pages(ho_str text)
{
  size_t lines = 0;
  const char *command = pager();
  for (size_t i = 0; i < text.n; i++)
    lines += text.p[i] == '\n';
  return ho_term_sized(STDOUT_FILENO) && lines >= ho_term_height(STDOUT_FILENO) && ho_term_is(STDIN_FILENO) &&
         ho_term_draws(STDOUT_FILENO) && !ho_identity_agent_sign() && *command && strcmp(command, "cat") != 0 &&
         is_there(command);
}

static void write_until_closed(int fd, ho_str text)
{
  while (text.n) {
    ssize_t n = write(fd, text.p, text.n);
    if (n < 0 && errno != EINTR)
      return; /* the reader has seen enough */
    if (n > 0)
      text = ho_str_sub(text, (size_t)n, text.n);
  }
}

bool ho_cli_screen_page(ho_str text)
{
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return false;
  if (!getenv("LESS"))
    setenv("LESS", "FRX", 1); /* as git does: short texts stay, colours work, the screen is not cleared */
  pid_t pid = ho_front_start(pager(), NULL, ends[0]);
  close(ends[0]);
  if (pid > 0) {
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_IGN); /* it is for the pager, which does not end by it */
    write_until_closed(ends[1], text);
  }
  close(ends[1]); /* the pager's end of the pipe */
  if (pid > 0)
    ho_front_wait(pid);
  signal(SIGINT, SIG_DFL);
  signal(SIGPIPE, SIG_DFL);
  return pid > 0;
}

void ho_cli_screen_redraw(ho_str text)
{
  ho_buf out;
  ho_str line;
  unsigned rows = ho_term_height(STDOUT_FILENO);
  ho_buf_init(&out, 0);
  ho_buf_puts(&out, "\x1b[H");
  for (unsigned row = 1; row < rows && ho_str_next_line(&text, &line); row++) {
    ho_buf_put(&out, line);
    ho_buf_puts(&out, "\x1b[K\n");
  }
  ho_buf_puts(&out, "\x1b[J");
  write_until_closed(STDOUT_FILENO, ho_buf_str(&out));
  ho_buf_free(&out);
}
