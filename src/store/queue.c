/* The writer's queue: a lock on a file beside the database, held for one transaction. The kernel grants it in the order
 * of asking, which the database's own retrying does not; it falls when its holder dies. */
#include "store/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

static ho_code fail(const ho_store *store, ho_error *err)
{
  return ho_fail_file(err, HO_STORE, ho_str_of(store->lock_path), "the writers' lock cannot be taken: %s",
                      strerror(errno));
}

ho_code ho_queue_enter(ho_store *store, ho_error *err)
{
  if (store->lock < 0)
    store->lock = open(store->lock_path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
  if (store->lock < 0)
    return fail(store, err);
  while (flock(store->lock, LOCK_EX) != 0)
    if (errno != EINTR)
      return fail(store, err);
  return HO_OK;
}

void ho_queue_leave(ho_store *store)
{
  flock(store->lock, LOCK_UN);
}
