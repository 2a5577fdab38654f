/* Every write, sync, truncation and rename fails in turn: the store has the old state or the new one, and says which by
 * a clear error. The calls are taken over here, for the database's code and for ours. */
#include "store/handoffs/handoffs.h"
#include "store/support.h"

#include <errno.h>
#include <sys/syscall.h>

static long countdown; /* the n-th call fails; 0: none does */
static int failure;    /* with this errno */
static bool fired;

static bool fails(void)
{
  if (countdown == 0 || --countdown > 0)
    return false;
  fired = true;
  errno = failure;
  return true;
}

ssize_t write(int fd, const void *from, size_t n)
{
  return fails() ? -1 : syscall(SYS_write, fd, from, n);
}

ssize_t pwrite64(int fd, const void *from, size_t n, off64_t at)
{
  return fails() ? -1 : syscall(SYS_pwrite64, fd, from, n, at);
}

ssize_t pwrite(int fd, const void *from, size_t n, off_t at)
{
  return pwrite64(fd, from, n, at);
}

int fsync(int fd)
{
  return fails() ? -1 : (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
  return fails() ? -1 : (int)syscall(SYS_fdatasync, fd);
}

int ftruncate64(int fd, off64_t size)
{
  return fails() ? -1 : (int)syscall(SYS_ftruncate, fd, size);
}

int ftruncate(int fd, off_t size)
{
  return ftruncate64(fd, size);
}

int rename(const char *from, const char *to)
{
  return fails() ? -1 : (int)syscall(SYS_rename, from, to);
}

int link(const char *from, const char *to)
{
  return fails() ? -1 : (int)syscall(SYS_link, from, to);
}

static ho_code work(ho_store *store, void *data, ho_error *err)
{
  place *p = data;
  ho_event event = event_of("sent");
  ho_str id;
  ho_code code = ho_store_id(store, HO_STR("HO-2026"), &p->arena, &id, err);
  if (code)
    return code;
  ho_handoff row = row_of(id);
  code =
      ho_handoffs_add(store, &row, ho_arena_printf(&p->arena, "%.*s %03000d", HO_ARG(id), 1), &event, &p->arena, err);
  if (!code)
    code = ho_store_intend(store, HO_STR("state/current.json"), id, HO_INTENT_DERIVED, err);
  return code ? code : ho_store_meta_set(store, HO_STR("last"), id, err);
}

static ho_str last_id(place *p)
{
  ho_str id;
  must(p, ho_store_meta_get(p->store, HO_STR("last"), &p->arena, &id, &p->err));
  return id;
}

/* One command: open, write, close. */
static ho_code run(place *p)
{
  ho_code code = open_store(p, true);
  if (!code)
    code = ho_store_write(p->store, work, p, &p->err);
  close_store(p);
  return code;
}

/* What the file says is what the store says, after the next write at the latest. */
static void assert_agree(place *p)
{
  ho_str text, id = last_id(p);
  must(p, ho_store_settle(p->store, &p->err));
  must(p, ho_fs_read(&p->arena, in(p, "state/current.json"), 0, &text, &p->err));
  assert_true(ho_str_eq(text, id));
}

static void sweep(place *p, int number)
{
  size_t failures = 0;
  must(p, run(p));
  for (long n = 1;; n++) {
    must(p, open_store(p, false));
    ho_str before = ho_arena_copy(&p->arena, last_id(p));
    close_store(p);
    p->err = (ho_error){0};
    fired = false;
    failure = number;
    countdown = n;
    ho_code code = run(p);
    countdown = 0;
    failures += code != HO_OK;
    must(p, open_store(p, false));
    ho_str after = last_id(p);
    if (code && code != HO_STORE && code != HO_IO)
      fail_msg("call %ld: %s: %s", n, ho_code_name(code), p->err.message);
    bool committed = !code || (p->err.rule && strcmp(p->err.rule, "store-unsynced") == 0);
    if (committed == ho_str_eq(before, after))
      fail_msg("call %ld: %s (%s), but the state is %s", n, ho_code_name(code), p->err.message,
               committed ? "the old one" : "the new one");
    assert_agree(p);
    assert_sound(p);
    close_store(p);
    if (!fired)
      break;
  }
  print_message("%zu failures\n", failures);
  assert_true(failures > 5);
}

static void test_io_error(void **state)
{
  place *p = *state;
  close_store(p);
  sweep(p, EIO);
}

static void test_disk_full(void **state)
{
  place *p = *state;
  close_store(p);
  sweep(p, ENOSPC);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_io_error, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_disk_full, begin_place, end_place),
  };
  return unit_run(tests);
}
