/* The shim's own side: a separate process that allocates nothing while it waits. */
#include "base/proc/shim.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/time.h"

enum {
  GO = 3,
  TAIL = 32 << 10,   /* the last bytes of a long output */
  GRACE_MS = 3000,   /* between asking and killing */
  LINGER_MS = 200,   /* after the command has ended, what it started may end by itself: pipelines do */
  AGAIN_MS = 50,     /* between two checks for what is still running */
  HELD = 64 << 10,   /* bytes of a line or a block that are waited for */
  DRAIN_READS = 4096 /* reads of what is left in the pipe once all writers are gone */
};

typedef struct shim {
  const char *folder;
  pid_t agent;
  int signals, output, log;
  size_t limit;                      /* bytes of the log before the tail */
  int64_t deadline, end_at, kill_at; /* monotonic ms; 0: none */
  bool over;                         /* the agent itself has ended */
  bool asked;                        /* what is left has been asked to end */
  ho_shim_end end;
  ho_shim_clean *clean; /* NULL: the output is kept as it is */
  size_t held;          /* bytes that wait for the rest of their line, or of their block */
  char wait[HELD];
  char tail[TAIL];
} shim;

static shim s; /* too large for a stack, and there is one per process */

static void put(int fd, const char *p, size_t n)
{
  while (n) {
    ssize_t some = write(fd, p, n);
    if (some < 0 && errno == EINTR)
      continue;
    if (some <= 0)
      return; /* a full disk: the log matters less than the agent's end */
    p += some;
    n -= (size_t)some;
  }
}

/* The first bytes go to the file, later ones into the ring buffer for the tail. */
static void keep(const char *p, size_t n)
{
  size_t before = (size_t)s.end.log < s.limit ? s.limit - (size_t)s.end.log : 0, now = n < before ? n : before;
  put(s.log, p, now);
  s.end.log += (int64_t)now;
  for (size_t i = now; i < n; i++)
    s.tail[((size_t)s.end.log++ - s.limit) % TAIL] = p[i];
}

/* How much of what waits may be cleaned and kept: whole lines, and no part of an armoured block that goes on. */
static size_t whole(void)
{
  ho_str held = {s.wait, s.held};
  const char *newline = memrchr(s.wait, '\n', s.held);
  size_t n = newline ? (size_t)(newline - s.wait) + 1 : 0, begin, end;
  for (size_t from = 0; (begin = ho_str_find(ho_str_sub(held, from, n), "-----BEGIN ")) != HO_NONE; from = end) {
    end = ho_str_find(ho_str_sub(held, from + begin, n), "-----END ");
    if (end == HO_NONE)
      return from + begin;
    end += from + begin + 1;
  }
  return n;
}

static void pass_on(size_t n)
{
  ho_arena arena;
  ho_arena_init(&arena, 0);
  ho_str text = s.clean((ho_str){s.wait, n}, &arena);
  keep(text.p, text.n);
  ho_arena_free(&arena);
  memmove(s.wait, s.wait + n, s.held - n);
  s.held -= n;
}

/* Between the first and the last bytes, says how much was left out. */
static void close_log(void)
{
  if (s.held)
    pass_on(s.held);
  char note[128];
  size_t over = (size_t)s.end.log > s.limit ? (size_t)s.end.log - s.limit : 0, kept = over < TAIL ? over : TAIL;
  s.end.cut = (int64_t)(over - kept);
  if (s.end.cut) {
    snprintf(note, sizeof note, "\n[handoff: %lld byte%s of output left out]\n", (long long)s.end.cut,
             ho_plural(s.end.cut));
    put(s.log, note, strlen(note));
  }
  size_t first = over > TAIL ? over % TAIL : 0;
  put(s.log, s.tail + first, kept - first);
  put(s.log, s.tail, over > TAIL ? first : 0);
  close(s.log);
}

/* False once nobody can write any more. */
static bool read_output(void)
{
  char part[16 << 10];
  ssize_t n = read(s.output, part, sizeof part);
  if (n > 0 && !s.clean) {
    keep(part, (size_t)n);
  } else if (n > 0) {
    if (s.held + (size_t)n > HELD)
      pass_on(s.held); /* a line that is too long to wait for */
    memcpy(s.wait + s.held, part, (size_t)n);
    s.held += (size_t)n;
    pass_on(whole());
  }
  return n > 0 || (n < 0 && (errno == EINTR || errno == EAGAIN));
}

enum { PATH_SIZE = 4096 };

static int status_path(char path[PATH_SIZE])
{
  return snprintf(path, PATH_SIZE, "%s/status-%ld", s.folder, (long)getpid());
}

static void write_status(void)
{
  char path[PATH_SIZE], text[512];
  ho_error ignored;
  int n = status_path(path);
  s.end.ended = ho_time_now_ms();
  int length =
      snprintf(text, sizeof text,
               "went %d\nexit %d\nfailed %d\ntimed_out %d\nstopped %d\nended %lld\nlog %lld\ncut %lld\n"
               "left_behind %lld\n",
               s.end.went, s.end.exit_status, s.end.failed, s.end.timed_out, s.end.stopped, (long long)s.end.ended,
               (long long)s.end.log, (long long)s.end.cut, (long long)s.end.left_behind);
  if (n > 0 && (size_t)n < sizeof path && length > 0)
    (void)!ho_fs_write(path, (ho_str){text, (size_t)length}, HO_FS_REPLACE, &ignored);
}

/* If the lead dies or changes its mind, it closes its end without writing. */
static bool wait_for_go(void)
{
  char byte;
  ssize_t n;
  do
    n = read(GO, &byte, 1);
  while (n < 0 && errno == EINTR);
  close(GO);
  return n == 1;
}

/* Signals the agent's group, and every child of ours together with its group. Orphaned descendants become our
 * children (we are their subreaper), so repeating this reaches all of them. */
static void signal_all(int signal)
{
  DIR *all;
  const struct dirent *entry;
  if (s.agent > 0 && !s.over)
    kill(-s.agent, signal);
  all = opendir("/proc");
  while (all && (entry = readdir(all))) {
    pid_t one = (pid_t)strtol(entry->d_name, NULL, 10);
    if (one > 1 && ho_process_parent(one) == getpid()) {
      kill(-one, signal);
      kill(one, signal);
    }
  }
  if (all)
    closedir(all);
}

static void end_all(void)
{
  if (s.asked)
    return;
  s.asked = true;
  s.kill_at = ho_time_monotonic_ms() + GRACE_MS;
  signal_all(SIGTERM);
  signal_all(SIGCONT);
}

/* Collects those that have ended; false if none are left. */
static bool reap(void)
{
  for (;;) {
    int status;
    pid_t one = waitpid(-1, &status, WNOHANG);
    if (one < 0 && errno == EINTR)
      continue;
    if (one <= 0)
      return one == 0;
    if (one == s.agent && !s.over) {
      s.over = true;
      s.end_at = ho_time_monotonic_ms() + LINGER_MS;
      s.end.exit_status = WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
    } else if (s.over && s.asked) {
      s.end.left_behind++;
    }
  }
}

static void read_signals(void)
{
  struct signalfd_siginfo info;
  while (read(s.signals, &info, sizeof info) == (ssize_t)sizeof info)
    if (info.ssi_signo != SIGCHLD) {
      s.end.stopped = true;
      end_all();
    }
}

static int pause_ms(void)
{
  int64_t now = ho_time_monotonic_ms(), until = s.over ? s.end_at : s.deadline;
  if (s.asked)
    return AGAIN_MS;
  if (!until)
    return -1;
  return until <= now ? 0 : until - now > 1 << 30 ? 1 << 30 : (int)(until - now);
}

static void look_at_clock(void)
{
  int64_t now = ho_time_monotonic_ms();
  if (s.deadline && now >= s.deadline && !s.over && !s.asked) {
    s.end.timed_out = true;
    end_all();
  }
  if (s.over && now >= s.end_at)
    end_all(); /* what the agent started and left running */
  if (s.asked && now >= s.kill_at)
    signal_all(SIGKILL);
}

static void watch(void)
{
  struct pollfd ready[2] = {{.fd = s.signals, .events = POLLIN}, {.fd = s.output, .events = POLLIN}};
  for (;;) {
    int n = poll(ready, 2, pause_ms());
    if (n > 0 && ready[1].revents && !read_output())
      ready[1].fd = -1;
    if (n > 0 && ready[0].revents)
      read_signals();
    if (!reap())
      break;
    look_at_clock();
  }
  fcntl(s.output, F_SETFL, O_NONBLOCK);
  for (int i = 0; i < DRAIN_READS && ready[1].fd >= 0; i++) {
    struct pollfd more = {.fd = s.output, .events = POLLIN};
    if (poll(&more, 1, 0) <= 0 || !read_output())
      break;
  }
}

/* In the child: becomes the command, or reports why it cannot. */
static void become(char **argv, int output, int failure)
{
  sigset_t none;
  pid_t shim_pid = getppid();
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  int input = ho_fs_open(argv[3], O_RDONLY);
  if (getppid() == shim_pid && input >= 0 && dup2(input, 0) >= 0 && dup2(output, 1) >= 0 && dup2(output, 2) >= 0 &&
      chdir(argv[2]) == 0) {
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    execvp(argv[7], argv + 7);
  }
  int why = errno;
  (void)!write(failure, &why, sizeof why);
  _exit(127);
}

/* Starts the command; the pipe `failure` is closed on exec, or carries errno. */
static bool start_agent(char **argv)
{
  int output[2], failure[2], why = 0;
  if (pipe2(output, O_CLOEXEC) != 0 || pipe2(failure, O_CLOEXEC) != 0) {
    s.end.failed = errno;
    return false;
  }
  s.agent = fork();
  if (s.agent == 0)
    become(argv, output[1], failure[1]);
  s.end.failed = s.agent < 0 ? errno : 0;
  close(output[1]);
  close(failure[1]);
  s.output = output[0];
  if (s.agent > 0)
    setpgid(s.agent, s.agent);
  if (s.agent > 0 && read(failure[0], &why, sizeof why) == (ssize_t)sizeof why)
    s.end.failed = why;
  close(failure[0]);
  return s.agent > 0;
}

/* From here on, signals that ask it to end are noted rather than obeyed at once. */
static void hear_signals(void)
{
  sigset_t heard;
  sigemptyset(&heard);
  sigaddset(&heard, SIGCHLD);
  sigaddset(&heard, SIGTERM);
  sigaddset(&heard, SIGINT);
  sigaddset(&heard, SIGHUP);
  sigprocmask(SIG_BLOCK, &heard, NULL);
  s.signals = signalfd(-1, &heard, SFD_CLOEXEC | SFD_NONBLOCK);
}

static bool prepare(char **argv)
{
  char path[PATH_SIZE];
  int64_t seconds = strtoll(argv[4], NULL, 10);
  size_t limit = (size_t)strtoull(argv[5], NULL, 10);
  s.deadline = seconds > 0 ? ho_time_monotonic_ms() + seconds * 1000 : 0;
  s.limit = limit > 2 * TAIL ? limit - TAIL : TAIL;
  status_path(path);
  ho_fs_unlink(path); /* it is not this process's, whoever put it there */
  snprintf(path, sizeof path, "%s/log", s.folder);
  s.log = ho_fs_open(path, O_WRONLY | O_CREAT | O_TRUNC);
  if (s.signals < 0 || s.log < 0)
    s.end.failed = errno ? errno : EIO;
  prctl(PR_SET_CHILD_SUBREAPER, 1);
  prctl(PR_SET_NAME, HO_SHIM_NAME);
  return !s.end.failed;
}

int ho_shim_main(int argc, char **argv, ho_shim_clean *clean)
{
  if (argc < 8)
    return 2;
  s.folder = argv[1];
  s.clean = strcmp(argv[6], "clean") == 0 ? clean : NULL;
  fcntl(GO, F_SETFD, FD_CLOEXEC);
  hear_signals();
  s.end.went = wait_for_go();
  if (s.end.went) {
    if (prepare(argv) && start_agent(argv))
      watch();
    if (s.log > 0)
      close_log();
  }
  write_status();
  return 0;
}
