/* Many processes write at once and are killed at random: what was answered is there, ids are unique, the chains verify,
 * and nobody waits much longer than the others. */
#include "store/handoffs/handoffs.h"
#include "store/support.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/wait.h>

enum { WRITERS = 24, SENDS = 25, KILLS = 20, ANSWERS_MAX = (WRITERS + KILLS) * SENDS };

/* What a writer says when its transaction is committed; shorter than PIPE_BUF, so it is never torn. */
typedef struct answer {
  char id[24];
  int64_t waited_us;
} answer;

typedef struct sending {
  place *p;
  ho_str id;
  int64_t begun_us;
} sending;

static int64_t now_us(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * (int64_t)1000000 + t.tv_nsec / 1000;
}

static ho_code send_work(ho_store *store, void *data, ho_error *err)
{
  sending *s = data;
  ho_event event = event_of("sent");
  s->begun_us = now_us();
  ho_code code = ho_store_id(store, HO_STR("HO-2026"), &s->p->arena, &s->id, err);
  if (code)
    return code;
  ho_handoff row = row_of(s->id);
  code = ho_handoffs_add(store, &row, ho_arena_printf(&s->p->arena, "body of %.*s", HO_ARG(s->id)), &event,
                         &s->p->arena, err);
  row.state = HO_STR("claimed");
  event = event_of("claimed");
  return code ? code : ho_handoffs_change(store, &row, HO_STR("ready"), &event, &s->p->arena, err);
}

/* Every writer opens the store anew now and then, as processes that come and go do. */
static void be_writer(place *p, int out)
{
  for (int i = 0; i < SENDS; i++) {
    if (i % 8 == 0) {
      close_store(p);
      if (open_store(p, false))
        _exit(3);
    }
    sending s = {.p = p};
    int64_t asked = now_us();
    if (ho_store_write(p->store, send_work, &s, &p->err))
      _exit(4);
    answer a = {.waited_us = s.begun_us - asked};
    ho_error_copy(a.id, sizeof a.id, s.id);
    if (write(out, &a, sizeof a) != sizeof a)
      _exit(5);
  }
  _exit(0);
}

static pid_t start_writer(place *p, int out)
{
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    p->store = NULL;
    be_writer(p, out);
  }
  return child;
}

static int by_wait(const void *a, const void *b)
{
  int64_t x = ((const answer *)a)->waited_us, y = ((const answer *)b)->waited_us;
  return (x > y) - (x < y);
}

static int by_id(const void *a, const void *b)
{
  return strcmp(((const answer *)a)->id, ((const answer *)b)->id);
}

/* Reads answers until all writers are gone, and kills one now and then; the number of answers. */
static size_t collect(place *p, int in_fd, int out_fd, answer *answers)
{
  pid_t writers[WRITERS];
  unit_random random = {42};
  size_t count = 0;
  int living = WRITERS, kills = 0;
  for (int i = 0; i < WRITERS; i++)
    writers[i] = start_writer(p, out_fd);
  while (living > 0) {
    struct pollfd ready = {.fd = in_fd, .events = POLLIN};
    if (poll(&ready, 1, 5) > 0) {
      assert_true(count < ANSWERS_MAX);
      assert_int_equal(read(in_fd, &answers[count++], sizeof *answers), sizeof *answers);
    }
    size_t victim = unit_below(&random, WRITERS);
    if (kills < KILLS && count && unit_below(&random, 25) == 0 && writers[victim]) {
      kill(writers[victim], SIGKILL);
      assert_int_equal(waitpid(writers[victim], NULL, 0), writers[victim]);
      writers[victim] = start_writer(p, out_fd);
      kills++;
    }
    for (int i = 0, status; i < WRITERS; i++)
      if (writers[i] && waitpid(writers[i], &status, WNOHANG) == writers[i]) {
        assert_int_equal(status, 0);
        writers[i] = 0;
        living--;
      }
  }
  while (read(in_fd, &answers[count], sizeof *answers) == (ssize_t)sizeof *answers)
    count++;
  print_message("%zu answers, %d writers killed\n", count, kills);
  return count;
}

static void test_writers(void **state)
{
  place *p = *state;
  int ends[2];
  ho_handoff row;
  answer *answers = ho_arena_array(&p->arena, ANSWERS_MAX + 1, sizeof *answers);
  close_store(p);
  assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  size_t count = collect(p, ends[0], ends[1], answers);
  assert_true(count >= (size_t)WRITERS * SENDS);

  must(p, open_store(p, false));
  qsort(answers, count, sizeof *answers, by_id);
  for (size_t i = 0; i < count; i++) {
    if (i)
      assert_string_not_equal(answers[i].id, answers[i - 1].id);
    must(p, ho_handoffs_get(p->store, ho_str_of(answers[i].id), &p->arena, &row, &p->err));
    assert_str(row.state, "claimed");
  }
  assert_sound(p);

  qsort(answers, count, sizeof *answers, by_wait);
  int64_t median = answers[count / 2].waited_us, late = answers[count * 99 / 100].waited_us;
  print_message("wait: median %lld us, 99th percentile %lld us\n", (long long)median, (long long)late);
  assert_true(late <= 20 * median);
  close(ends[0]);
  close(ends[1]);
}

/* A process that holds the store and does not go on is named, in time; what waited for it in vain is not in the way. */
static void test_patience(void **state)
{
  place *p = *state;
  char byte, wanted[32];
  int ready[2], lock = open(in(p, ".handoff/handoff.lock"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  ho_store_options options = {.url = p->path, .root = p->folder, .wait_ms = 200};
  close_store(p);
  must(p, ho_store_open(&options, &p->store, &p->err));
  assert_int_equal(pipe(ready), 0);
  pid_t holder = fork();
  if (holder == 0) {
    struct flock both = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 2};
    _exit(fcntl(lock, F_OFD_SETLK, &both) || write(ready[1], "x", 1) != 1 || sleep(60));
  }
  close(lock);
  assert_int_equal(read(ready[0], &byte, 1), 1);
  sending s = {.p = p};
  int64_t begun = now_us();
  for (int i = 0; i < 3; i++) {
    assert_int_equal(ho_store_write(p->store, send_work, &s, &p->err), HO_STORE);
    assert_string_equal(p->err.rule, "store-busy");
  }
  assert_true(now_us() - begun < 30000000);
  snprintf(wanted, sizeof wanted, "process %ld (", (long)holder);
  assert_non_null(strstr(p->err.message, wanted));
  kill(holder, SIGKILL);
  waitpid(holder, NULL, 0);
  close_store(p);
  must(p, open_store(p, false));
  must(p, ho_store_write(p->store, send_work, &s, &p->err));
  close(ready[0]);
  close(ready[1]);
}

static ho_code stop_work(ho_store *store, void *data, ho_error *err)
{
  (void)store, (void)data, (void)err;
  return raise(SIGSTOP) ? HO_IO : HO_OK;
}

/* Waits until the child is stopped, then sees what a writer says about it. */
static void assert_named(place *p, pid_t child, const char *command, const char *how_long)
{
  int status;
  char wanted[160];
  sending s = {.p = p};
  ho_store_options options = {.url = p->path, .root = p->folder, .wait_ms = 200};
  assert_int_equal(waitpid(child, &status, WUNTRACED), child);
  assert_true(WIFSTOPPED(status));
  must(p, ho_store_open(&options, &p->store, &p->err));
  assert_int_equal(ho_store_write(p->store, send_work, &s, &p->err), HO_STORE);
  assert_string_equal(p->err.rule, "store-busy");
  snprintf(wanted, sizeof wanted, "process %ld (%s) holds it%s; it is stopped: continue it (kill -CONT %ld) or end it",
           (long)child, command, how_long, (long)child);
  assert_non_null(strstr(p->err.message, wanted));
  close_store(p);
  kill(child, SIGKILL);
  waitpid(child, NULL, 0);
}

/* The error names a writer that was stopped, and since when it has held the store; also one that only waits in line, and
 * its command, without what else it was told. */
static void test_stopped(void **state)
{
  place *p = *state;
  struct flock turn = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
  close_store(p);
  pid_t child = fork();
  if (child == 0)
    _exit(open_store(p, false) || ho_store_write(p->store, stop_work, NULL, &p->err));
  assert_named(p, child, "test_queue", " and has held it for 0 seconds");
  child = fork();
  if (child == 0) {
    int lock = open(in(p, ".handoff/handoff.lock"), O_RDWR);
    if (lock >= 0 && fcntl(lock, F_OFD_SETLKW, &turn) == 0)
      execl("/bin/sh", "sh", "-c", "kill -STOP $$", "gate", "--note", "Some Words", "wait", "more", (char *)NULL);
    _exit(1);
  }
  assert_named(p, child, "sh gate wait", "");
  must(p, open_store(p, false));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_writers, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_patience, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_stopped, begin_place, end_place),
  };
  return unit_run(tests);
}
