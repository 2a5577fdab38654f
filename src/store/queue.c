/* The queue of writers: two locks on a file beside the database.
 *
 * A writer waits for the turn; holding the turn, it waits for the store; once it has the store, it releases the
 * turn. So a process that has just written must wait for the turn behind those who were already waiting. Neither a
 * single lock nor the database's own retries would guarantee that. Both locks are released when their holder dies. */
#include "store/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <time.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/time.h"

enum { TURN = 0, STORE = 1, OPENING = 2 }; /* bytes of the file; those of ho_lock follow */
enum { WAIT_MS = 30000, STEP_MS = 5, STACK = 256 << 10 };

static ho_code fail(const ho_store *store, ho_error *err)
{
  return ho_fail_file(err, HO_STORE, ho_str_of(store->lock_path), "cannot lock the store for writing: %s",
                      ho_fs_reason(errno));
}

static int limit(const ho_store *store)
{
  return store->wait_ms ? store->wait_ms : WAIT_MS;
}

/* Whoever takes a lock for more than a moment says so in the file, for those who wait in vain. */
typedef struct mark {
  int64_t pid, since; /* monotonic ms */
} mark;

static off_t mark_place(long byte)
{
  return (off_t)((size_t)(byte + 1) * sizeof(mark));
}

static void sign(int file, long byte)
{
  mark m = {.pid = getpid(), .since = ho_time_monotonic_ms()};
  (void)!pwrite(file, &m, sizeof m, mark_place(byte));
}

/* " and has held it for 41 seconds", if the holder is the one that signed. */
static void say_how_long(int file, long byte, const ho_fs_holder *holder, char *out, size_t size)
{
  mark m;
  bool signed_it =
      holder->pid && pread(file, &m, sizeof m, mark_place(byte)) == (ssize_t)sizeof m && m.pid == holder->pid;
  int64_t ms = signed_it ? ho_time_monotonic_ms() - m.since : -1;
  out[0] = '\0';
  if (ms >= 0)
    snprintf(out, size, " and has held it for %lld second%s", (long long)(ms / 1000), ms / 1000 == 1 ? "" : "s");
}

static ho_code fail_late(const ho_store *store, int file, long byte, ho_error *err)
{
  ho_fs_holder holder;
  char how_long[64];
  int seconds = limit(store) / 1000;
  ho_fs_lock_holder(file, byte, &holder);
  if (!holder.pid && byte == STORE)
    ho_fs_lock_holder(file, byte = TURN, &holder); /* whoever is stopped while it waits has everybody wait */
  say_how_long(file, byte, &holder, how_long, sizeof how_long);
  ho_code code = ho_fail_file(err, HO_STORE, ho_str_of(store->lock_path),
                              "the store is still locked after %d second%s: %s holds it%s; %s", seconds,
                              seconds == 1 ? "" : "s", holder.who, how_long, holder.advice);
  err->rule = "store-busy";
  return code;
}

static bool ask(int file, short type, off_t byte, bool wait)
{
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
  while (fcntl(file, wait ? F_OFD_SETLKW : F_OFD_SETLK, &lock) != 0)
    if (errno != EINTR)
      return false;
  return true;
}

static void give(int file, off_t byte)
{
  struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
  fcntl(file, F_OFD_SETLK, &lock);
}

static int open_lock(const ho_store *store)
{
  return ho_fs_open_beside(store->lock_path, O_RDWR | O_CREAT);
}

/* Takes the turn, then the store. */
static bool enter(int file, bool wait)
{
  bool entered = ask(file, F_WRLCK, TURN, wait);
  if (entered && wait)
    sign(file, TURN);
  if (entered) {
    entered = ask(file, F_WRLCK, STORE, wait);
    give(file, TURN);
  }
  if (entered)
    sign(file, STORE);
  return entered;
}

/* ---- Waiting with a limit. A lock of the kernel can be waited for in order, but not for a limited time, except by a
 * signal, and signals belong to whoever uses the library. So a thread waits, with a descriptor of its own; whoever
 * loses patience leaves it behind, and it gives back what it is given too late. */

typedef struct waiter {
  pthread_mutex_t mutex;
  pthread_cond_t change;
  int file;
  bool over, entered, left;
} waiter;

static void end_waiter(waiter *w)
{
  pthread_cond_destroy(&w->change);
  pthread_mutex_destroy(&w->mutex);
  ho_free(w);
}

static void *wait_in_line(void *data)
{
  waiter *w = data;
  bool entered = enter(w->file, true);
  pthread_mutex_lock(&w->mutex);
  w->over = true;
  w->entered = entered;
  bool left = w->left;
  pthread_cond_signal(&w->change);
  pthread_mutex_unlock(&w->mutex);
  if (left) {
    close(w->file);
    end_waiter(w);
  }
  return NULL;
}

static waiter *new_waiter(int file)
{
  pthread_condattr_t clock;
  waiter *w = ho_malloc(sizeof *w);
  if (!w)
    return NULL;
  *w = (waiter){.file = file};
  pthread_mutex_init(&w->mutex, NULL);
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&w->change, &clock);
  pthread_condattr_destroy(&clock);
  return w;
}

/* The thread sees no signals: they are for the program. */
static bool start(waiter *w, pthread_t *thread)
{
  sigset_t all, before;
  pthread_attr_t small;
  sigfillset(&all);
  pthread_attr_init(&small);
  pthread_attr_setstacksize(&small, STACK);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int failed = pthread_create(thread, &small, wait_in_line, w);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  pthread_attr_destroy(&small);
  errno = failed;
  return !failed;
}

/* True if it is over; else the waiter is left behind. */
static bool await(waiter *w, int ms)
{
  struct timespec end;
  clock_gettime(CLOCK_MONOTONIC, &end);
  end.tv_nsec += (long)(ms % 1000) * 1000000;
  end.tv_sec += ms / 1000 + end.tv_nsec / 1000000000;
  end.tv_nsec %= 1000000000;
  pthread_mutex_lock(&w->mutex);
  while (!w->over && pthread_cond_timedwait(&w->change, &w->mutex, &end) != ETIMEDOUT)
    ;
  bool over = w->over;
  w->left = !over;
  pthread_mutex_unlock(&w->mutex);
  return over;
}

static ho_code enter_later(ho_store *store, ho_error *err)
{
  pthread_t thread;
  int file = open_lock(store);
  waiter *w = file < 0 ? NULL : new_waiter(file);
  if (file < 0)
    return fail(store, err);
  if (!w) {
    close(file);
    return ho_fail_memory(err);
  }
  if (!start(w, &thread)) {
    ho_code code = fail(store, err);
    close(file);
    end_waiter(w);
    return code;
  }
  if (!await(w, limit(store))) {
    pthread_detach(thread);
    return fail_late(store, store->lock, STORE, err);
  }
  pthread_join(thread, NULL);
  bool entered = w->entered;
  end_waiter(w);
  close(store->lock);
  store->lock = file;
  return entered ? HO_OK : fail(store, err);
}

/* ---- The queue */

ho_code ho_queue_enter(ho_store *store, ho_error *err)
{
  if (store->queued)
    return store->queued++, HO_OK;
  if (store->lock < 0)
    store->lock = open_lock(store);
  if (store->lock < 0)
    return fail(store, err);
  ho_code code = enter(store->lock, false) ? HO_OK : enter_later(store, err);
  store->queued = !code;
  return code;
}

void ho_queue_leave(ho_store *store)
{
  if (--store->queued == 0)
    give(store->lock, STORE);
}

/* ---- Other locks on the same file, which a writer takes for a moment when it is out of the queue. Nobody waits long for
 * them: whoever holds one may have been stopped. */

bool ho_queue_take(ho_store *store, ho_lock lock, int ms)
{
  if (store->side < 0)
    store->side = open_lock(store);
  for (int waited = 0; store->side < 0 || !ask(store->side, F_WRLCK, (off_t)lock, false); waited++) {
    if (store->side < 0 || waited >= ms)
      return false;
    nanosleep(&(struct timespec){0, 1000000L}, NULL);
  }
  return true;
}

void ho_queue_give(ho_store *store, ho_lock lock)
{
  give(store->side, (off_t)lock);
}

/* Held for a moment by whoever swaps the store, so there is no order to keep. */
static bool take_opening(const ho_store *store, short type)
{
  for (int waited = 0; !ask(store->opening, type, OPENING, false); waited += STEP_MS) {
    if ((errno != EAGAIN && errno != EACCES) || waited >= limit(store))
      return false;
    nanosleep(&(struct timespec){0, STEP_MS * 1000000L}, NULL);
  }
  return true;
}

void ho_queue_share(ho_store *store)
{
  store->opening = ho_fs_open_beside(store->lock_path, O_RDONLY);
  if (store->opening >= 0)
    take_opening(store, F_RDLCK);
}

ho_code ho_queue_alone(ho_store *store, ho_error *err)
{
  store->opening = open_lock(store);
  if (store->opening < 0)
    return fail(store, err);
  if (take_opening(store, F_WRLCK)) {
    sign(store->opening, OPENING);
    return HO_OK;
  }
  return errno == EAGAIN || errno == EACCES ? fail_late(store, store->opening, OPENING, err) : fail(store, err);
}

void ho_queue_together(ho_store *store)
{
  if (store->opening >= 0)
    close(store->opening);
  store->opening = -1;
}
