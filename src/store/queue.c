/* The writer's queue: two locks on a file beside the database. A writer waits for the turn, then, holding it, for the
 * store, and lets go of the turn once it has the store. So whoever has just written has to wait for the turn behind
 * those who were waiting, which neither one lock alone nor the database's own retrying would make it do. Both locks
 * fall when their holder dies. */
#include "store/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { TURN = 0, STORE = 1 }; /* bytes of the file */

static ho_code fail(const ho_store *store, ho_error *err)
{
  return ho_fail_file(err, HO_STORE, ho_str_of(store->lock_path), "the writers' lock cannot be taken: %s",
                      strerror(errno));
}

static bool take(int file, off_t byte)
{
  struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = byte, .l_len = 1};
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

ho_code ho_queue_enter(ho_store *store, ho_error *err)
{
  if (store->lock < 0)
    store->lock = open(store->lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (store->lock < 0 || !take(store->lock, TURN))
    return fail(store, err);
  bool entered = take(store->lock, STORE);
  give(store->lock, TURN);
  return entered ? HO_OK : fail(store, err);
}

void ho_queue_leave(ho_store *store)
{
  give(store->lock, STORE);
}
