/* A copy of the store while others write. Files that are still to be written are the store's own business: the copy knows
 * nothing of them. */
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

ho_code ho_store_copy(ho_store *store, const char *path, const char *script, ho_error *err)
{
  char part[4096];
  int n = snprintf(part, sizeof part, "%s.%ld.part", path, (long)getpid());
  if (n < 0 || (size_t)n >= sizeof part)
    return ho_fail_file(err, HO_LIMIT, ho_str_of(path), "the path is too long");
  ho_code code = free_name(path, err);
  if (code)
    return code;
  ho_fs_unlink(part);
  int fd = ho_fs_open_named(part, O_RDWR | O_CREAT | O_EXCL, 0600); /* as private as the store itself */
  if (fd < 0)
    return ho_fail_file(err, HO_STORE, ho_str_of(path), "cannot be written: %s", ho_fs_reason(errno));
  close(fd);
  code = store->driver->backup(store->db, part, script, err);
  if (!code)
    code = ho_fs_flush(part, err);
  if (!code && ho_fs_rename(part, path, false) != 0)
    code = ho_fail_file(err, errno == EEXIST ? HO_CONFLICT : HO_IO, ho_str_of(path), "cannot be written: %s",
                        ho_fs_reason(errno));
  ho_fs_unlink(part);
  if (!code)
    ho_fs_sync(path);
  return code;
}

ho_code ho_store_backup(ho_store *store, const char *path, ho_error *err)
{
  return ho_store_copy(store, path, ho_sql_text(HO_SQL_INTENT_CLEAR), err);
}
