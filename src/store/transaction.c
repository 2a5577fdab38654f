/* Transactions: the writers' queue around them, the files written after them, and waiting for those of others. */
#include <signal.h>
#include <time.h>

#include "base/time.h"
#include "store/inside.h"

void ho_store_step(const char *step)
{
#ifndef NDEBUG
  const char *wanted = getenv("HANDOFF_KILL_AT");
  if (wanted && strcmp(wanted, step) == 0)
    raise(SIGKILL);
#else
  (void)step;
#endif
}

ho_code ho_store_must_write(const ho_store *store, ho_error *err)
{
  return store->writing ? HO_OK : ho_fail(err, HO_BUG, "a change to the store outside a transaction");
}

/* begin, work, commit; everything is undone if one of them fails. */
static ho_code transact(ho_store *store, ho_store_work work, void *data, ho_error *err)
{
  ho_code code = store->driver->begin(store->db, HO_BEGIN_WRITE, err);
  if (code)
    return code;
  store->writing = true;
  store->intended = store->urgent = store->reserved = false;
  ho_levels_remember(store);
  ho_store_step("begun");
  code = ho_intents_begin(store, err);
  if (!code)
    code = ho_reached_begin(store, err);
  if (!code)
    code = work(store, data, err);
  if (!code)
    code = ho_reached_worked(store, err);
  ho_store_step("worked");
  store->writing = false;
  ho_levels_forget(store);
  if (!code)
    code = store->driver->commit(store->db, err);
  if (code) {
    store->driver->rollback(store->db);
    if (store->reserved)
      store->block.next = store->block.end = 0; /* the reservation was undone: these ids are not ours */
  }
  return code;
}

/* Commits in the queue, syncs outside: others commit meanwhile, and their sync is the same one. */
static ho_code commit_durably(ho_store *store, ho_store_work work, void *data, ho_error *err)
{
  int64_t commit = 0;
  ho_code code = ho_queue_enter(store, err);
  if (code)
    return code;
  code = ho_store_reopen(store, err);
  if (!code)
    code = transact(store, work, data, err);
  if (!code) {
    commit = ho_levels_get(store, HO_LEVEL_COMMITTED) + 1;
    ho_levels_set(store, HO_LEVEL_COMMITTED, commit);
    ho_reached_adopt(store);
  }
  ho_queue_leave(store);
  if (code)
    return code;
  ho_store_step("committed");
  code = ho_levels_make_durable(store, commit, err);
  if (!code)
    ho_reached_keep(store);
  ho_store_step("durable");
  return code;
}

/* Failures are in store->unwritten, also those of an earlier try if nothing is left to do. What a store had left is
 * written before another one takes its place. */
static void write_files(ho_store *store)
{
  if (store->intended)
    store->unwritten = (ho_error){0};
  if (store->intended && ho_store_reopen(store, &store->unwritten) == HO_OK)
    (void)!ho_intents_carry_out(store, &store->unwritten);
  store->intended = false;
  ho_store_step("written");
}

ho_code ho_store_commit(ho_store *store, ho_store_work work, void *data, ho_error *err)
{
  if (store->writing || store->reading)
    return ho_fail(err, HO_BUG, "a write inside another transaction");
  store->unwritten = (ho_error){0};
  ho_code code = commit_durably(store, work, data, err);
  if (!code && !store->waiting)
    store->waiting = ho_time_monotonic_ms();
  if (!code && store->urgent)
    write_files(store);
  return code;
}

int ho_store_patience(ho_store *store, int ms)
{
  int before = store->wait_ms;
  store->wait_ms = ms;
  return before;
}

ho_code ho_store_write(ho_store *store, ho_store_work work, void *data, ho_error *err)
{
  int64_t waiting = store->waiting;
  ho_code code = ho_store_commit(store, work, data, err);
  store->waiting = waiting;
  if (!code && !store->urgent)
    write_files(store);
  return code;
}

int64_t ho_store_waiting(const ho_store *store)
{
  return store->waiting;
}

void ho_store_follow(ho_store *store)
{
  store->waiting = 0;
  write_files(store);
}

bool ho_store_follow_soon(ho_store *store)
{
  if (store->intended)
    store->unwritten = (ho_error){0};
  bool done = !store->intended || ho_store_reopen(store, &store->unwritten) || ho_intents_try(store, &store->unwritten);
  store->intended = store->intended && !done;
  if (store->waiting)
    store->waiting = done ? 0 : ho_time_monotonic_ms();
  return done;
}

void ho_store_wait_on(ho_store *store)
{
  store->waiting = ho_time_monotonic_ms();
}

ho_code ho_store_read(ho_store *store, ho_store_work work, void *data, ho_error *err)
{
  if (store->writing || store->reading)
    return work(store, data, err);
  ho_code code = store->driver->begin(store->db, HO_BEGIN_READ, err);
  if (code)
    return code;
  store->reading = true;
  code = work(store, data, err);
  store->reading = false;
  store->driver->rollback(store->db);
  return code;
}

ho_code ho_store_wait(ho_store *store, int64_t ms, bool *changed, ho_error *err)
{
  enum { SHORT_MS = 20, LONG_MS = 200 };
  int64_t now = ho_time_monotonic_ms(), end = now + ms, pause = SHORT_MS;
  for (;;) {
    bool moved = ho_store_replaced(store);
    ho_code code = moved ? ho_store_reopen(store, err) : store->driver->changed(store->db, changed, err);
    *changed = *changed || moved;
    if (code || *changed)
      return code;
    now = ho_time_monotonic_ms();
    if (now >= end)
      return HO_OK;
    if (pause > end - now)
      pause = end - now;
    struct timespec nap = {.tv_sec = pause / 1000, .tv_nsec = pause % 1000 * 1000000};
    nanosleep(&nap, NULL);
    pause = pause * 2 < LONG_MS ? pause * 2 : LONG_MS;
  }
}
