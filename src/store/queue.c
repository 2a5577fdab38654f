/* The queue of writers: two locks on a file beside the database.
 *
 * A writer waits for the turn; holding the turn, it waits for the store; once it has the store, it releases the
 * turn. So a process that has just written must wait for the turn behind those who were already waiting. Neither a
 * single lock nor the database's own retries would guarantee that. Both locks are released when their holder dies. */
#include "store/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { TURN = 0, STORE = 1, OPENING = 2 }; /* bytes of the file */

static ho_code fail(const ho_store *store, ho_error *err)
{
  return ho_fail_file(err, HO_STORE, ho_str_of(store->lock_path), "cannot lock the store for writing: %s",
                      strerror(errno));
}

static bool take(int file, short type, off_t byte)
{
  struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
  while (fcntl(file, F_OFD_SETLKW, &lock) != 0)
    if (errno != EINTR)
      return false;
  return true;
}

static void give(int file, off_t byte)
{
  struct flock lock = {.l_type = F_UNLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
  fcntl(file, F_OFD_SETLK, &lock);
}

static bool open_lock(ho_store *store)
{
  if (store->lock < 0)
    store->lock = open(store->lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  return store->lock >= 0;
}

ho_code ho_queue_enter(ho_store *store, ho_error *err)
{
  if (store->queued++)
    return HO_OK;
  bool entered = open_lock(store) && take(store->lock, F_WRLCK, TURN);
  if (entered) {
    entered = take(store->lock, F_WRLCK, STORE);
    give(store->lock, TURN);
  }
  if (!entered)
    store->queued = 0;
  return entered ? HO_OK : fail(store, err);
}

void ho_queue_leave(ho_store *store)
{
  if (--store->queued == 0)
    give(store->lock, STORE);
}

void ho_queue_share(ho_store *store)
{
  store->opening = open(store->lock_path, O_RDONLY | O_CLOEXEC);
  if (store->opening >= 0)
    take(store->opening, F_RDLCK, OPENING);
}

ho_code ho_queue_alone(ho_store *store, ho_error *err)
{
  store->opening = open(store->lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  return store->opening >= 0 && take(store->opening, F_WRLCK, OPENING) ? HO_OK : fail(store, err);
}

void ho_queue_together(ho_store *store)
{
  if (store->opening >= 0)
    close(store->opening);
  store->opening = -1;
}
