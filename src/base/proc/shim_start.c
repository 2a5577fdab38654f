/* The lead's side of the shim. */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/pidfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/proc/shim.h"

/* the shim's descriptor for the go, and the number of its own arguments before the command */
enum { GO = 3, OPTIONS = 7, ENVIRONMENT = 4 << 20 /* bytes of one that are looked at */ };

/* Field `index` of /proc/PID/stat (from 1; the name in parentheses is 2); -1 if there is none. */
static int64_t stat_field(pid_t pid, int index, char *state)
{
  char path[64], text[1024];
  snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return -1;
  ssize_t n = read(fd, text, sizeof text - 1);
  close(fd);
  if (n <= 0)
    return -1;
  text[n] = '\0';
  const char *at = strrchr(text, ')'); /* the name may contain anything */
  if (!at || at[1] != ' ')
    return -1;
  at += 2;
  if (state)
    *state = *at;
  for (int field = 3; field < index; field++) {
    at = strchr(at, ' ');
    if (!at)
      return -1;
    at++;
  }
  return strtoll(at, NULL, 10);
}

int64_t ho_process_start(pid_t pid)
{
  enum { START_TIME = 22 };
  char state = 'Z';
  int64_t start = pid > 0 ? stat_field(pid, START_TIME, &state) : -1;
  return start < 0 || state == 'Z' || state == 'X' ? 0 : start;
}

pid_t ho_process_parent(pid_t pid)
{
  enum { PARENT = 4 };
  return (pid_t)stat_field(pid, PARENT, NULL);
}

int ho_process_watch(pid_t pid, int64_t start)
{
  int fd = pid > 0 ? pidfd_open(pid, 0) : -1;
  if (fd >= 0 && ho_process_start(pid) != start) {
    close(fd);
    fd = -1;
  }
  return fd;
}

static ho_code no_start(const ho_shim_order *order, int why, ho_error *err)
{
  return ho_fail_file(err, HO_IO, ho_str_of(order->argv[0]), "cannot be started: %s", strerror(why));
}

/* The shim's arguments: its own, then the command. */
static const char **arguments(ho_arena *arena, const ho_shim_order *order)
{
  size_t count = 0;
  while (order->argv[count])
    count++;
  const char **argv = ho_arena_array(arena, OPTIONS + count + 1, sizeof *argv);
  if (!argv)
    return NULL;
  argv[0] = HO_SHIM_NAME;
  argv[1] = order->folder;
  argv[2] = order->work;
  argv[3] = order->input ? order->input : "/dev/null";
  argv[4] = ho_arena_printf(arena, "%lld", (long long)order->seconds).p;
  argv[5] = ho_arena_printf(arena, "%zu", order->log_limit).p;
  argv[6] = order->raw ? "raw" : "clean";
  memcpy(argv + OPTIONS, order->argv, count * sizeof *argv);
  return argv;
}

static int spawn(const ho_shim_order *order, const char **argv, int go, pid_t *pid)
{
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  sigset_t none, all;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDWR, 0);
  posix_spawn_file_actions_adddup2(&actions, 0, 1);
  posix_spawn_file_actions_adddup2(&actions, 0, 2);
  posix_spawn_file_actions_adddup2(&actions, go, GO);
  posix_spawn_file_actions_addclosefrom_np(&actions, GO + 1);
  sigemptyset(&none);
  sigfillset(&all);
  posix_spawnattr_setsigmask(&attributes, &none);
  posix_spawnattr_setsigdefault(&attributes, &all);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  int why = posix_spawn(pid, order->program, &actions, &attributes, (char *const *)(uintptr_t)argv,
                        (char *const *)(uintptr_t)order->env);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  return why;
}

ho_code ho_shim_start(const ho_shim_order *order, ho_shim *out, ho_error *err)
{
  ho_arena arena;
  int go[2];
  *out = (ho_shim){.go = -1};
  if (access("/proc/self/stat", R_OK) != 0)
    return ho_fail(err, HO_IO, "no agent can be started: /proc, through which it is watched, is not mounted here");
  if (pipe2(go, O_CLOEXEC) != 0)
    return no_start(order, errno, err);
  /* The pipe's reading end must not already have the number it gets in the shim: dup2 onto itself leaves it
   * close-on-exec. */
  int reading = go[0] == GO ? fcntl(go[0], F_DUPFD_CLOEXEC, GO + 1) : go[0];
  ho_arena_init(&arena, 0);
  const char **argv = arguments(&arena, order);
  ho_code code = ho_arena_code(&arena, err);
  int why = code ? 0 : reading < 0 ? EMFILE : spawn(order, argv, reading, &out->pid);
  ho_arena_free(&arena);
  close(go[0]);
  if (reading >= 0 && reading != go[0])
    close(reading);
  if (!code && why)
    code = no_start(order, why, err);
  if (code) {
    close(go[1]);
    return code;
  }
  out->go = go[1];
  out->start = ho_process_start(out->pid);
  return HO_OK;
}

bool ho_shim_go(ho_shim *shim)
{
  struct sigaction ignore = {.sa_handler = SIG_IGN}, before;
  if (shim->go < 0)
    return false;
  sigaction(SIGPIPE, &ignore, &before);
  bool went = write(shim->go, "g", 1) == 1;
  sigaction(SIGPIPE, &before, NULL);
  close(shim->go);
  shim->go = -1;
  return went;
}

void ho_shim_drop(ho_shim *shim)
{
  if (shim->go >= 0)
    close(shim->go);
  shim->go = -1;
  if (shim->pid > 0)
    waitpid(shim->pid, NULL, 0);
}

/* Does it go by the shim's name? What a store says about processes need not be true. */
static bool is_shim(pid_t pid)
{
  char path[64], name[sizeof HO_SHIM_NAME] = "";
  snprintf(path, sizeof path, "/proc/%ld/cmdline", (long)pid);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd < 0 ? -1 : read(fd, name, sizeof name);
  if (fd >= 0)
    close(fd);
  return n == (ssize_t)sizeof name && memcmp(name, HO_SHIM_NAME, sizeof name) == 0;
}

static void send(pid_t pid, int64_t start, int signal)
{
  int fd = ho_process_watch(pid, start);
  if (fd < 0)
    return;
  if (is_shim(pid))
    (void)!pidfd_send_signal(fd, signal, NULL, 0);
  close(fd);
}

void ho_shim_stop(pid_t pid, int64_t start)
{
  send(pid, start, SIGTERM);
  send(pid, start, SIGCONT); /* one that is halted would not hear it */
}

bool ho_shim_halted(pid_t pid, int64_t start)
{
  enum { START_TIME = 22 };
  char state = ' ';
  return pid > 0 && stat_field(pid, START_TIME, &state) == start && state == 'T' && is_shim(pid);
}

void ho_shim_continue(pid_t pid, int64_t start)
{
  send(pid, start, SIGCONT);
}

void ho_shim_kill(pid_t pid, int64_t start)
{
  send(pid, start, SIGKILL);
}

void ho_shim_read(ho_arena *arena, const char *folder, pid_t pid, ho_shim_end *out)
{
  ho_str text, line, key;
  ho_error err;
  ho_str path = ho_arena_printf(arena, "%s/status-%ld", folder, (long)pid);
  *out = (ho_shim_end){0};
  if (ho_fs_read(arena, path.p, 4096, &text, &err) != HO_OK)
    return;
  out->known = true;
  while (ho_str_next_line(&text, &line)) {
    ho_str_next(&line, ' ', &key);
    int64_t value = strtoll(ho_arena_z(arena, line), NULL, 10);
    if (ho_str_is(key, "went"))
      out->went = value != 0;
    else if (ho_str_is(key, "exit"))
      out->exit_status = (int)value;
    else if (ho_str_is(key, "failed"))
      out->failed = (int)value;
    else if (ho_str_is(key, "timed_out"))
      out->timed_out = value != 0;
    else if (ho_str_is(key, "stopped"))
      out->stopped = value != 0;
    else if (ho_str_is(key, "ended"))
      out->ended = value;
    else if (ho_str_is(key, "log"))
      out->log = value;
    else if (ho_str_is(key, "cut"))
      out->cut = value;
    else if (ho_str_is(key, "left_behind"))
      out->left_behind = value;
  }
}

void ho_shim_reap(pid_t pid)
{
  if (pid > 0)
    waitpid(pid, NULL, WNOHANG);
}

/* ---- What a killed shim left behind. */

/* Calls `visit` for the processes of the session (0: for all) until it returns true; false if it never did. */
static bool each_of(pid_t session, bool (*visit)(pid_t one, void *data), void *data)
{
  enum { SESSION = 6 };
  DIR *all = opendir("/proc");
  const struct dirent *entry;
  bool found = false;
  while (all && !found && (entry = readdir(all))) {
    pid_t one = (pid_t)strtol(entry->d_name, NULL, 10);
    if (one > 1 && one != getpid() && (!session || stat_field(one, SESSION, NULL) == session))
      found = visit(one, data);
  }
  if (all)
    closedir(all);
  return found;
}

/* Has the process this entry in its environment? */
static bool is_marked(pid_t one, void *data)
{
  const ho_str *mark = data;
  ho_arena arena;
  ho_error none;
  ho_str text = HO_EMPTY, entry;
  char path[64];
  bool found = false;
  snprintf(path, sizeof path, "/proc/%ld/environ", (long)one);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return false;
  ho_arena_init(&arena, 0);
  if (ho_fs_read_fd(&arena, fd, HO_STR("environment"), ENVIRONMENT, &text, &none) == HO_OK)
    while (!found && ho_str_next(&text, '\0', &entry))
      found = ho_str_eq(entry, *mark);
  ho_arena_free(&arena);
  close(fd);
  return found;
}

typedef struct session {
  pid_t id;
  int64_t start;
} session;

/* Through a descriptor, so that what is killed is what was looked at. */
static bool end_one(pid_t one, void *data)
{
  enum { SESSION = 6 };
  const session *of = data;
  int fd = pidfd_open(one, 0), why = errno;
  bool same = stat_field(one, SESSION, NULL) == of->id && ho_process_start(one) >= of->start;
  if (same && fd >= 0)
    (void)!pidfd_send_signal(fd, SIGKILL, NULL, 0);
  else if (same && why == ENOSYS)
    kill(one, SIGKILL);
  if (fd >= 0)
    close(fd);
  return false;
}

/* Processes that have left the session, found by their mark or that of one above them. */
typedef struct strays {
  ho_str mark;
  int64_t start;
  size_t count;
  struct {
    pid_t pid;
    int64_t start;
  } items[256];
} strays;

static bool is_stray(pid_t one, void *data)
{
  strays *s = data;
  int64_t start = ho_process_start(one);
  bool marked = false;
  for (pid_t above = one; start >= s->start && above > 1 && !marked; above = ho_process_parent(above))
    marked = is_marked(above, &s->mark);
  if (marked) {
    s->items[s->count].pid = one;
    s->items[s->count++].start = start;
  }
  return s->count == HO_COUNT(s->items);
}

/* All are found before one of them is ended: those below it would lose what is above them. */
static void end_strays(int64_t start, ho_str mark)
{
  enum { ROUNDS = 16 }; /* some may be started meanwhile */
  strays s = {.mark = mark, .start = start, .count = 1};
  for (int round = 0; round < ROUNDS && s.count; round++) {
    s.count = 0;
    each_of(0, is_stray, &s);
    for (size_t i = 0; i < s.count; i++) {
      int fd = ho_process_watch(s.items[i].pid, s.items[i].start);
      if (fd < 0)
        continue;
      (void)!pidfd_send_signal(fd, SIGKILL, NULL, 0);
      close(fd);
    }
  }
}

void ho_shim_sweep(pid_t pid, int64_t start, ho_str mark)
{
  int64_t leader = ho_process_start(pid);
  if (pid <= 1 || start <= 0)
    return;
  /* Its number is not used again as long as its session has members; so one that is marked speaks for all. */
  bool ours = leader ? leader == start : each_of(pid, is_marked, &mark);
  end_strays(start, mark);
  if (ours)
    each_of(pid, end_one, &(session){pid, start});
}
