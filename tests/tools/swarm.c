/* swarm: many processes use the program at once, and some of them are killed.
 *
 *   swarm send PROGRAM FOLDER PROCESSES EACH PERCENT DOCUMENT   each process sends DOCUMENT so many times
 *   swarm next PROGRAM FOLDER PROCESSES 0    PERCENT AGENT      each process claims until nothing is ready
 *
 * About PERCENT of the runs are killed (SIGKILL) at a random moment. Prints a line "ID MICROSECONDS killed|ended" for
 * every run that answered, that is, printed an id; then "# runs N, killed N, failed N". A run that fails otherwise is
 * shown on stderr. In `send`, "@N@" in the document stands for the run's own number; every second process hands it over
 * as a file of its own, the others on standard input. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

typedef struct totals {
  long runs, killed, failed;
} totals;

typedef struct swarm {
  const char *program, *folder, *subject;
  bool sends;
  int each, percent;
  totals *totals; /* shared by all */
  int number;     /* of this process */
  uint64_t seed;
  int64_t usual; /* microseconds that a run takes, about */
} swarm;

typedef struct outcome {
  char text[256], problem[512];
  int64_t took;
  int status;
  bool killed;
} outcome;

static int64_t now_us(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * (int64_t)1000000 + t.tv_nsec / 1000;
}

static int64_t below(swarm *s, int64_t most)
{
  s->seed ^= s->seed << 13;
  s->seed ^= s->seed >> 7;
  s->seed ^= s->seed << 17;
  return most > 0 ? (int64_t)((s->seed >> 11) % (uint64_t)most) : 0;
}

static void stop(const char *what)
{
  perror(what);
  exit(2);
}

/* The document for one run, in a file of its own; its descriptor, open for reading. */
static int write_document(swarm *s, int run, char *path, size_t size)
{
  char name[64];
  const char *rest = s->subject, *mark;
  snprintf(path, size, "%s/in-%d-%d.yaml", s->folder, s->number, run);
  FILE *file = fopen(path, "we");
  if (!file)
    stop(path);
  snprintf(name, sizeof name, "%d-%d", s->number, run);
  while ((mark = strstr(rest, "@N@"))) {
    fprintf(file, "%.*s%s", (int)(mark - rest), rest, name);
    rest = mark + 3;
  }
  fputs(rest, file);
  if (fclose(file))
    stop(path);
  int fd = open(path, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    stop(path);
  return fd;
}

static void be_program(swarm *s, int run, int out, int err)
{
  char path[4096], agent[256];
  if (chdir(s->folder) || dup2(out, 1) < 0 || dup2(err, 2) < 0)
    _exit(99);
  if (!s->sends) {
    snprintf(agent, sizeof agent, "%s/%d", s->subject, s->number);
    execl(s->program, "handoff", "next", "--as", agent, "--json", (char *)NULL);
    _exit(98);
  }
  int in = write_document(s, run, path, sizeof path);
  if (s->number % 2)
    execl(s->program, "handoff", "send", path, (char *)NULL);
  unlink(path);
  dup2(in, 0);
  execl(s->program, "handoff", "send", "-", (char *)NULL);
  _exit(98);
}

/* Reads what comes until the end, or until it is time to kill. */
static void follow(pid_t child, int fd, int64_t deadline, outcome *o)
{
  size_t n = 0;
  for (;;) {
    int64_t left = deadline ? deadline - now_us() : 0;
    struct pollfd ready = {.fd = fd, .events = POLLIN};
    if (deadline && left <= 0) {
      kill(child, SIGKILL);
      o->killed = true;
      deadline = 0;
    } else if (ppoll(&ready, 1, deadline ? &(struct timespec){left / 1000000, left % 1000000 * 1000} : NULL, NULL) >
               0) {
      char more[4096];
      ssize_t got = read(fd, more, sizeof more);
      if (got <= 0)
        break;
      size_t fits = (size_t)got < sizeof o->text - 1 - n ? (size_t)got : sizeof o->text - 1 - n;
      memcpy(o->text + n, more, fits);
      n += fits;
    }
  }
  o->text[n] = '\0';
}

static void run_once(swarm *s, int run, outcome *o)
{
  int ends[2], err = memfd_create("stderr", MFD_CLOEXEC), status;
  *o = (outcome){0};
  if (err < 0 || pipe2(ends, O_CLOEXEC))
    stop("pipe");
  bool doomed = below(s, 100) < s->percent;
  int64_t begin = now_us(), deadline = doomed ? begin + below(s, s->usual * 3 / 2) : 0;
  pid_t child = fork();
  if (child < 0)
    stop("fork");
  if (child == 0)
    be_program(s, run, ends[1], err);
  close(ends[1]);
  follow(child, ends[0], deadline, o);
  waitpid(child, &status, 0);
  o->took = now_us() - begin;
  o->killed = WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL;
  o->status = o->killed ? 0 : WIFEXITED(status) ? WEXITSTATUS(status) : 128;
  ssize_t n = pread(err, o->problem, sizeof o->problem - 1, 0);
  o->problem[n > 0 ? n : 0] = '\0';
  if (!o->killed)
    s->usual = (s->usual * 7 + o->took) / 8;
  close(ends[0]);
  close(err);
}

/* The id in what was printed; false where it is not there as a whole. */
static bool find_id(const swarm *s, const char *text, char *id, size_t size)
{
  const char *at = s->sends ? text : strstr(text, "\"id\":");
  if (!at)
    return false;
  if (!s->sends)
    at = strchr(at + 5, '"') ? strchr(at + 5, '"') + 1 : "";
  size_t n = strcspn(at, s->sends ? "\n" : "\"");
  if (n == 0 || n >= size || !at[n])
    return false;
  snprintf(id, size, "%.*s", (int)n, at);
  return true;
}

static void be_one(swarm *s)
{
  outcome o;
  char id[64], line[128];
  for (int run = 0; s->each == 0 || run < s->each; run++) {
    run_once(s, run, &o);
    __atomic_add_fetch(&s->totals->runs, 1, __ATOMIC_SEQ_CST);
    __atomic_add_fetch(&s->totals->killed, o.killed, __ATOMIC_SEQ_CST);
    if (!s->sends && o.status == 1)
      return;
    if (o.status) {
      __atomic_add_fetch(&s->totals->failed, 1, __ATOMIC_SEQ_CST);
      fprintf(stderr, "exit status %d: %s", o.status, o.problem);
      return;
    }
    if (!find_id(s, o.text, id, sizeof id))
      continue;
    int n = snprintf(line, sizeof line, "%s %lld %s\n", id, (long long)o.took, o.killed ? "killed" : "ended");
    if (write(1, line, (size_t)n) != n) /* short, so it is not torn */
      stop("write");
  }
}

static char *read_subject(const char *path)
{
  FILE *file = fopen(path, "re");
  char *text = calloc(1, 1 << 20);
  if (!file || !text || fread(text, 1, (1 << 20) - 1, file) == 0)
    stop(path);
  fclose(file);
  return text;
}

int main(int argc, char **argv)
{
  if (argc != 8 || (strcmp(argv[1], "send") != 0 && strcmp(argv[1], "next") != 0)) {
    fprintf(stderr, "usage: swarm send|next PROGRAM FOLDER PROCESSES EACH PERCENT DOCUMENT|AGENT\n");
    return 2;
  }
  swarm s = {.program = argv[2],
             .folder = argv[3],
             .sends = strcmp(argv[1], "send") == 0,
             .each = atoi(argv[5]),
             .percent = atoi(argv[6]),
             .usual = 50000};
  char *subject = s.sends ? read_subject(argv[7]) : argv[7];
  s.subject = subject;
  s.totals = mmap(NULL, sizeof *s.totals, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (s.totals == MAP_FAILED)
    stop("mmap");
  int processes = atoi(argv[4]);
  for (s.number = 0; s.number < processes; s.number++) {
    pid_t child = fork();
    if (child < 0)
      stop("fork");
    if (child == 0) {
      s.seed = 88172645463325252ull + (uint64_t)s.number * 7919u;
      be_one(&s);
      _exit(0);
    }
  }
  while (wait(NULL) > 0 || errno == EINTR)
    ;
  if (s.sends)
    free(subject);
  printf("# runs %ld, killed %ld, failed %ld\n", s.totals->runs, s.totals->killed, s.totals->failed);
  return s.totals->failed != 0;
}
