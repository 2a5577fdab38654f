/* The shim: waits for its go, keeps the output within bounds, leaves nothing behind, and always says how it ended. */
#include "files.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/proc/shim.h"
#include "base/time.h"

typedef struct place {
  char folder[FOLDER_SIZE];
  ho_arena arena;
  ho_error err;
} place;

static int begin(void **state)
{
  static place p;
  p = (place){0};
  folder_make(p.folder, "/tmp");
  ho_arena_init(&p.arena, 0);
  *state = &p;
  return 0;
}

static int end(void **state)
{
  place *p = *state;
  ho_arena_free(&p->arena);
  return folder_remove(p->folder);
}

/* What the shim applies to the output here: pieces with a certain word are not kept. */
static ho_str without_fish(ho_str text, ho_arena *arena)
{
  (void)arena;
  return ho_str_has(text, "swordfish") || ho_str_has(text, "MIIE") ? HO_STR("[removed]\n") : text;
}

static ho_shim started(place *p, const char *script, int64_t seconds, size_t limit)
{
  const char *const argv[] = {"sh", "-c", script, NULL};
  ho_shim shim;
  ho_shim_order order = {.program = "/proc/self/exe",
                         .folder = p->folder,
                         .work = p->folder,
                         .seconds = seconds,
                         .log_limit = limit,
                         .argv = argv,
                         .env = (const char *const *)(uintptr_t)environ};
  assert_int_equal(ho_shim_start(&order, &shim, &p->err), HO_OK);
  assert_true(shim.start > 0);
  return shim;
}

/* Waits for its end, at most ten seconds. */
static ho_shim_end ended(place *p, ho_shim *shim)
{
  ho_shim_end out;
  struct pollfd over = {.fd = ho_process_watch(shim->pid, shim->start), .events = POLLIN};
  if (over.fd >= 0)
    assert_int_equal(poll(&over, 1, 10000), 1);
  close(over.fd);
  waitpid(shim->pid, NULL, 0);
  ho_shim_read(&p->arena, p->folder, shim->pid, &out);
  return out;
}

static ho_str read_file(place *p, const char *name)
{
  ho_str text = HO_EMPTY;
  ho_str path = ho_fs_join(&p->arena, ho_str_of(p->folder), ho_str_of(name));
  (void)!ho_fs_read(&p->arena, path.p, 0, &text, &p->err);
  return text;
}

static void test_exit_and_log(void **state)
{
  place *p = *state;
  ho_shim shim = started(p, "echo out; echo err >&2; pwd; exit 3", 0, 1 << 20);
  assert_true(ho_shim_go(&shim));
  ho_shim_end how = ended(p, &shim);
  assert_true(how.known && how.went);
  assert_int_equal(how.exit_status, 3);
  assert_true(how.ended > 0);
  ho_str log = read_file(p, "log");
  assert_true(ho_str_starts(log, "out\nerr\n"));
  assert_true(ho_str_has(log, p->folder));
}

static void test_no_go(void **state)
{
  place *p = *state;
  ho_shim shim = started(p, "touch here", 0, 1 << 20);
  usleep(50000);
  assert_false(ho_fs_exists(ho_fs_join(&p->arena, ho_str_of(p->folder), HO_STR("here")).p));
  pid_t pid = shim.pid;
  ho_shim_end how;
  ho_shim_drop(&shim);
  ho_shim_read(&p->arena, p->folder, pid, &how);
  assert_true(how.known);
  assert_false(how.went);
  assert_int_equal(read_file(p, "here").n, 0);
}

static void test_cannot_start(void **state)
{
  place *p = *state;
  const char *const argv[] = {"/nonexistent/agent", NULL};
  ho_shim shim;
  ho_shim_order order = {.program = "/proc/self/exe",
                         .folder = p->folder,
                         .work = p->folder,
                         .argv = argv,
                         .env = (const char *const *)(uintptr_t)environ};
  assert_int_equal(ho_shim_start(&order, &shim, &p->err), HO_OK);
  ho_shim_go(&shim);
  ho_shim_end how = ended(p, &shim);
  assert_int_equal(how.failed, ENOENT);
}

/* A command that ignores the polite signal, with children of which one has a session of its own. */
static void test_time_limit(void **state)
{
  place *p = *state;
  ho_shim shim = started(p,
                         "trap '' TERM; (trap '' TERM; sleep 60 & echo $! >>pids; sleep 60) & echo $! >>pids;"
                         "setsid sleep 60 & echo $! >>pids; sleep 60; sleep 60",
                         1, 1 << 20);
  ho_shim_go(&shim);
  ho_shim_end how = ended(p, &shim);
  assert_true(how.known && how.timed_out);
  assert_true(how.exit_status < 0);
  ho_str pids = read_file(p, "pids"), line;
  size_t seen = 0;
  while (ho_str_next_line(&pids, &line)) {
    seen++;
    assert_int_equal(ho_process_start((pid_t)strtol(ho_arena_z(&p->arena, line), NULL, 10)), 0);
  }
  assert_int_equal(seen, 3);
}

/* The command ends well but leaves children, one of them orphaned twice over. */
static void test_left_behind(void **state)
{
  place *p = *state;
  ho_shim shim = started(p, "sleep 60 & echo $! >pids; (setsid sh -c 'sleep 60 & echo $! >>pids; exit' &) ; sleep 0.2",
                         0, 1 << 20);
  ho_shim_go(&shim);
  ho_shim_end how = ended(p, &shim);
  assert_int_equal(how.exit_status, 0);
  assert_int_equal(how.left_behind, 2);
  ho_str pids = read_file(p, "pids"), line;
  while (ho_str_next_line(&pids, &line))
    assert_int_equal(ho_process_start((pid_t)strtol(ho_arena_z(&p->arena, line), NULL, 10)), 0);
}

/* What ends by itself right after the command, as the parts of a pipeline do, was not left running. */
static void test_lingers(void **state)
{
  place *p = *state;
  ho_shim shim = started(p, "(sleep 0.05; echo last >file) & exit 0", 0, 1 << 20);
  ho_shim_go(&shim);
  ho_shim_end how = ended(p, &shim);
  assert_int_equal(how.left_behind, 0);
  assert_true(ho_str_is(read_file(p, "file"), "last\n"));
}

static void test_flood(void **state)
{
  place *p = *state;
  ho_shim shim = started(p, "echo first; yes | head -c 3000000; echo last", 0, 200000);
  ho_shim_go(&shim);
  ho_shim_end how = ended(p, &shim);
  assert_int_equal(how.log, 3000000 + 6 + 5);
  ho_str log = read_file(p, "log");
  assert_true(log.n < 200100 && log.n > 190000);
  assert_true(ho_str_starts(log, "first\n"));
  assert_true(ho_str_ends(log, "\nlast\n"));
  assert_true(ho_str_has(log, "bytes of output left out"));
  assert_int_equal(how.cut, how.log - 200000);
}

static void test_stop(void **state)
{
  place *p = *state;
  ho_shim shim = started(p, "sleep 60", 0, 1 << 20);
  ho_shim_go(&shim);
  usleep(100000);
  ho_shim_stop(shim.pid, shim.start + 1); /* not this process */
  ho_shim_stop(shim.pid, shim.start);
  ho_shim_end how = ended(p, &shim);
  assert_true(how.stopped);
  assert_int_equal(how.exit_status, -SIGTERM);
}

/* A shim that is killed takes its command along; what that had started is swept up, also if it has left the session, and
 * what that has started with another environment. */
static void test_killed(void **state)
{
  place *p = *state;
  setenv("MARK", "mine", 1);
  ho_shim shim = started(p,
                         "sleep 60 & setsid sh -c 'env -i sleep 60 & echo $$ >>pids; echo $! >>pids; wait' & "
                         "echo $! >>pids; echo $$ >>pids; wait",
                         0, 1 << 20);
  ho_shim_go(&shim);
  for (int i = 0; i < 100 && read_file(p, "pids").n == 0; i++)
    usleep(20000);
  usleep(100000);
  kill(shim.pid, SIGKILL);
  ho_shim_end how = ended(p, &shim);
  assert_false(how.known);
  ho_shim_sweep(shim.pid, shim.start, HO_STR("MARK=mine"));
  usleep(200000);
  ho_str pids = read_file(p, "pids"), line;
  while (ho_str_next_line(&pids, &line))
    assert_int_equal(ho_process_start((pid_t)strtol(ho_arena_z(&p->arena, line), NULL, 10)), 0);
}

/* A process that leads a session of its own, like a person's terminal; with_child: it has ended, and left one behind,
 * which is returned. */
static pid_t bystander(bool with_child, pid_t *leader)
{
  int ends[2];
  pid_t child = 0;
  assert_int_equal(pipe(ends), 0);
  *leader = fork();
  if (*leader == 0) {
    setsid();
    pid_t one = with_child ? fork() : 0;
    if (with_child && one > 0) {
      (void)!write(ends[1], &one, sizeof one);
      _exit(0);
    }
    if (!with_child)
      (void)!write(ends[1], &one, sizeof one);
    sleep(60);
    _exit(0);
  }
  assert_int_equal(read(ends[0], &child, sizeof child), sizeof child);
  close(ends[0]);
  close(ends[1]);
  if (with_child)
    waitpid(*leader, NULL, 0);
  return child;
}

/* The number of a shim that is gone may belong to anybody by now. */
static void test_reused(void **state)
{
  pid_t leader, child;
  (void)state;
  bystander(false, &leader);
  int64_t start = ho_process_start(leader);
  ho_shim_sweep(leader, start - 1, HO_STR("MARK=nobody's"));
  ho_shim_sweep(leader, 0, HO_STR("MARK=nobody's"));
  ho_shim_stop(leader, start); /* the time is right, the program is not */
  usleep(100000);
  assert_int_equal(waitpid(leader, NULL, WNOHANG), 0);
  kill(leader, SIGKILL);
  waitpid(leader, NULL, 0);

  child = bystander(true, &leader);
  ho_shim_sweep(leader, start - 1, HO_STR("MARK=nobody's"));
  usleep(100000);
  assert_true(ho_process_start(child) > 0);
  kill(child, SIGKILL);
}

/* Lines and armoured blocks are seen whole, however they are written. */
static void output_is_cleaned(void **state)
{
  place *p = *state;
  ho_str log;
  ho_shim shim =
      started(p,
              "echo one; printf sword; sleep 0.1; echo fish; echo two; echo '-----BEGIN K'; sleep 0.1; echo MIIE; "
              "sleep 0.1; echo '-----END K'; printf three",
              0, 1 << 20);
  assert_true(ho_shim_go(&shim));
  assert_true(ended(p, &shim).known);
  assert_int_equal(ho_fs_read(&p->arena, ho_arena_printf(&p->arena, "%s/log", p->folder).p, 0, &log, &p->err), HO_OK);
  assert_false(ho_str_has(log, "sword"));
  assert_false(ho_str_has(log, "MIIE"));
  assert_false(ho_str_has(log, "BEGIN"));
  assert_true(ho_str_starts(log, "one\n"));
  assert_true(ho_str_ends(log, "three"));
}

int main(int argc, char **argv)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_exit_and_log, begin, end),
      cmocka_unit_test_setup_teardown(output_is_cleaned, begin, end),
      cmocka_unit_test_setup_teardown(test_no_go, begin, end),
      cmocka_unit_test_setup_teardown(test_cannot_start, begin, end),
      cmocka_unit_test_setup_teardown(test_time_limit, begin, end),
      cmocka_unit_test_setup_teardown(test_left_behind, begin, end),
      cmocka_unit_test_setup_teardown(test_lingers, begin, end),
      cmocka_unit_test_setup_teardown(test_flood, begin, end),
      cmocka_unit_test_setup_teardown(test_stop, begin, end),
      cmocka_unit_test_setup_teardown(test_killed, begin, end),
      cmocka_unit_test_setup_teardown(test_reused, begin, end),
  };
  if (argc > 0 && strcmp(argv[0], HO_SHIM_NAME) == 0)
    return ho_shim_main(argc, argv, without_fish);
  return unit_run(tests);
}
