/* A copy of the store while others write. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "store/inside.h"

static ho_code free_name(const char *path, ho_error *err)
{
  if (ho_fs_exists(path))
    return ho_fail_file(err, HO_CONFLICT, ho_str_of(path), "already exists; not overwriting it");
  return HO_OK;
}

ho_code ho_store_backup(ho_store *store, const char *path, ho_error *err)
{
  char part[4096];
  int n = snprintf(part, sizeof part, "%s.%ld.part", path, (long)getpid());
  if (n < 0 || (size_t)n >= sizeof part)
    return ho_fail_file(err, HO_LIMIT, ho_str_of(path), "the path is too long");
  ho_code code = free_name(path, err);
  if (code)
    return code;
  unlink(part);
  code = store->driver->backup(store->db, part, err);
  if (!code && renameat2(AT_FDCWD, part, AT_FDCWD, path, RENAME_NOREPLACE) != 0)
    code = ho_fail_file(err, errno == EEXIST ? HO_CONFLICT : HO_IO, ho_str_of(path), "cannot be written: %s",
                        strerror(errno));
  unlink(part);
  return code;
}
