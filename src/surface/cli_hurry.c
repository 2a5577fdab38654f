#include "surface/cli_hurry.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/time.h"
#include "doc/json/json.h"

enum { INPUT_MS = 5000, QUIET_MS = 50, USUAL_MS = 8000, PATH_SIZE = 4096, LINE_SIZE = 512 };

/* ---- Input */

static bool is_whole(ho_str text)
{
  ho_arena arena;
  ho_source source;
  ho_node *value;
  ho_error none = {0};
  text = ho_str_trim_end(text);
  if (!text.n || (text.p[text.n - 1] != '}' && text.p[text.n - 1] != ']'))
    return false;
  ho_arena_init(&arena, 0);
  bool whole = ho_source_init(&source, &arena, HO_STR("-"), text, &none) == HO_OK &&
               ho_json_read(&source, 0, &arena, NULL, &value, &none) == HO_OK;
  ho_arena_free(&arena);
  return whole;
}

typedef struct waiting {
  int fd;
  int64_t end;
  bool late;
} waiting;

/* Is there something to read, or the end of input? False if enough has been read, or it takes too long. */
static bool wait_for(void *data, ho_str so_far)
{
  waiting *w = data;
  for (bool looked = !so_far.n;;) {
    struct pollfd p = {.fd = w->fd, .events = POLLIN};
    int64_t left = w->end - ho_time_monotonic_ms();
    w->late = left <= 0;
    if (w->late)
      return false;
    int ready = poll(&p, 1, !looked && left > QUIET_MS ? QUIET_MS : (int)left);
    if (ready > 0 || (ready < 0 && errno != EINTR)) /* reading says what is wrong */
      return true;
    if (ready == 0 && !looked && is_whole(so_far))
      return false;
    looked = looked || ready == 0;
  }
}

ho_code ho_cli_read_value(ho_arena *arena, int fd, ho_str *out, ho_error *err)
{
  waiting w = {.fd = fd, .end = ho_time_monotonic_ms() + INPUT_MS};
  ho_code code = ho_fs_read_while(arena, fd, HO_STR("-"), 0, wait_for, &w, out, err);
  if (!code && w.late)
    code = ho_fail(err, HO_LIMIT, "no complete event on standard input within %d ms", INPUT_MS);
  return code;
}

/* ---- The answer in time */

static struct {
  int64_t begun;
  const char *answer; /* lives as long as the program */
  char log[PATH_SIZE], line[LINE_SIZE];
  volatile sig_atomic_t may_log; /* both are whole */
} giving_up;

/* Only what may be done in a signal handler. */
static void give_up(int number)
{
  (void)number;
  if (write(STDOUT_FILENO, giving_up.answer, strlen(giving_up.answer)) < 0) {
    /* nobody listens */
  }
  int fd = giving_up.may_log ? ho_fs_open(giving_up.log, O_WRONLY | O_APPEND | O_CREAT) : -1;
  if (fd >= 0 && write(fd, giving_up.line, strlen(giving_up.line)) < 0) {
    /* nor here */
  }
  _exit(0);
}

static void set_timer(int64_t ms)
{
  struct itimerval timer = {.it_value = {.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000}};
  setitimer(ITIMER_REAL, &timer, NULL);
}

void ho_cli_give_up_with(const char *answer)
{
  giving_up.begun = ho_time_monotonic_ms();
  giving_up.answer = answer;
  struct sigaction action = {.sa_handler = give_up};
  sigset_t alarm_only;
  sigaction(SIGALRM, &action, NULL);
  sigemptyset(&alarm_only);
  sigaddset(&alarm_only, SIGALRM);
  sigprocmask(SIG_UNBLOCK, &alarm_only, NULL); /* whoever started us may have it blocked */
  set_timer(USUAL_MS);
}

void ho_cli_give_up(void *world, int64_t ms, const char *log, const char *line)
{
  int64_t left = giving_up.begun + ms - ho_time_monotonic_ms();
  (void)world;
  if (!giving_up.answer)
    return;
  snprintf(giving_up.log, sizeof giving_up.log, "%s", log);
  snprintf(giving_up.line, sizeof giving_up.line, "%s", line);
  giving_up.may_log = 1;
  set_timer(left > 0 ? left : 1);
}

void ho_cli_give_up_never(void)
{
  if (giving_up.answer)
    set_timer(0);
}
