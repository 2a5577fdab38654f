/* A copy of the store while others write. Files that are still to be written are the store's own business: the copy knows
 * nothing of them. */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/inside.h"

static ho_code free_name(const char *path, ho_error *err)
{
  if (ho_fs_exists(path))
    return ho_fail_file(err, HO_CONFLICT, ho_str_of(path), "already exists; not overwriting it");
  return HO_OK;
}

/* The copy until it is whole, FILE.handoff-new: one that a killed backup has left is begun anew. Its lock says that
 * somebody is at it, and is kept until the copy has its own name. */
static int open_part(const char *part, const char *path, ho_error *err)
{
  struct stat file, there;
  int fd =
      ho_fs_open_named(part, O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0600); /* as private as the store itself */
  if (fd < 0) {
    ho_fail_file(err, HO_STORE, ho_str_of(path), "cannot be written: %s", ho_fs_reason(errno));
    return -1;
  }
  bool alone = flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
  if (alone && fstat(fd, &file) == 0 && lstat(part, &there) == 0 && file.st_ino == there.st_ino &&
      file.st_dev == there.st_dev && S_ISREG(file.st_mode) && file.st_nlink == 1 && ho_fs_ours(file.st_uid) &&
      fchmod(fd, 0600) == 0 && ftruncate(fd, 0) == 0)
    return fd;
  if (alone)
    ho_fail_file(err, HO_CONFLICT, ho_str_of(part), "is in the way; move it away");
  else
    ho_fail_file(err, HO_CONFLICT, ho_str_of(path), "another process is writing it");
  close(fd);
  return -1;
}

static void remove_companions(const char *part)
{
  static const char *const added[] = {"-journal", "-wal", "-shm"};
  char name[PATH_MAX];
  for (size_t i = 0; i < HO_COUNT(added); i++)
    if (snprintf(name, sizeof name, "%s%s", part, added[i]) < (int)sizeof name)
      ho_fs_unlink(name);
}

ho_code ho_store_copy(ho_store *store, const char *path, const char *script, ho_error *err)
{
  char part[PATH_MAX];
  int n = snprintf(part, sizeof part, "%s.handoff-new", path);
  if (n < 0 || (size_t)n >= sizeof part)
    return ho_fail_file(err, HO_LIMIT, ho_str_of(path), "the path is too long");
  ho_code code = free_name(path, err);
  int fd = code ? -1 : open_part(part, path, err);
  if (fd < 0)
    return code ? code : err->code;
  remove_companions(part);
  code = store->driver->backup(store->db, part, script, err);
  if (!code)
    code = ho_fs_flush(part, err);
  if (!code && ho_fs_rename(part, path, false) != 0)
    code = ho_fail_file(err, errno == EEXIST ? HO_CONFLICT : HO_IO, ho_str_of(path), "cannot be written: %s",
                        ho_fs_reason(errno));
  if (code)
    ho_fs_unlink(part);
  remove_companions(part);
  close(fd);
  if (!code)
    ho_fs_sync(path);
  return code;
}

ho_code ho_store_backup(ho_store *store, const char *path, ho_error *err)
{
  return ho_store_copy(store, path, ho_sql_text(HO_SQL_INTENT_CLEAR), err);
}
