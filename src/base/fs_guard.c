/* The guard: how the program gets at files that a stranger may have prepared. */
#include "base/fs.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <linux/openat2.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Reasons that no system call here gives; ho_fs_reason puts them into words. */
enum { NOT_OURS = EOWNERDEAD, ODD_KIND = EMEDIUMTYPE };

const char *ho_fs_reason(int number)
{
  switch (number) {
  case ELOOP:
    return "it is a symbolic link, or is reached through one; replace the link with what belongs there";
  case EXDEV:
    return "it leads outside the project, or into .git or .handoff";
  case EMLINK:
    return "it has a second name (a hard link); remove one of them";
  case ODD_KIND:
    return "it is neither a file nor a folder; remove it";
  case NOT_OURS:
    return "it belongs to another user; run handoff as that user, use --root for a folder of your own, or take it over "
           "with chown";
  default:
    return strerror(number);
  }
}

/* ---- One name after the other */

/* Why a name could not be opened as a folder: a link is called one. */
static int link_or(int folder, const char *name, int number)
{
  struct stat info;
  return number == ENOTDIR && fstatat(folder, name, &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(info.st_mode) ? ELOOP
                                                                                                              : number;
}

/* Takes the first name off the path; false if it is too long or leads upwards. */
static bool next_name(const char **path, char name[NAME_MAX + 1])
{
  size_t n = strcspn(*path, "/");
  if (n > NAME_MAX) {
    errno = ENAMETOOLONG;
    return false;
  }
  memcpy(name, *path, n);
  name[n] = '\0';
  *path += n;
  while (**path == '/')
    ++*path;
  errno = EXDEV;
  return strcmp(name, "..") != 0;
}

int ho_fs_beneath_by_names(int folder, const char *path, int flags, mode_t mode)
{
  char name[NAME_MAX + 1];
  int at = folder, fd = -1;
  if (*path == '/') {
    errno = EXDEV;
    return -1;
  }
  while (next_name(&path, name)) {
    bool last = !*path;
    fd = openat(at, name, last ? flags | O_NOFOLLOW | O_CLOEXEC : O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, mode);
    int number = fd < 0 ? link_or(at, name, errno) : 0;
    if (at != folder)
      close(at);
    errno = number;
    if (fd < 0 || last)
      return fd;
    at = fd;
  }
  int number = errno;
  if (at != folder)
    close(at);
  errno = number;
  return -1;
}

int ho_fs_beneath(int folder, const char *path, int flags, mode_t mode)
{
  struct open_how how = {.flags = (unsigned)(flags | O_CLOEXEC),
                         .mode = flags & O_CREAT ? mode : 0,
                         .resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS};
  long fd = syscall(SYS_openat2, folder, path, &how, sizeof how);
  /* EPERM is what some sandboxes say instead. */
  if (fd < 0 && (errno == ENOSYS || errno == EPERM))
    return ho_fs_beneath_by_names(folder, path, flags, mode);
  return (int)fd;
}

/* ---- The program's own folder */

/* ".handoff/run/ID/trees/NAME/..." is in a work tree: what is in there is a project's, like any other. */
static bool is_in_tree(const char *rest)
{
  static const char *const names[] = {"run", NULL, "trees", NULL};
  for (size_t i = 0; i < HO_COUNT(names); i++) {
    rest += strspn(rest, "/");
    size_t n = strcspn(rest, "/");
    if (!n || (names[i] && (strlen(names[i]) != n || memcmp(rest, names[i], n) != 0)))
      return false;
    rest += n;
  }
  return rest[strspn(rest, "/")] != '\0';
}

/* Where the name .handoff ends in the path of such a folder or of something below it; NULL for all other paths. */
static const char *own_end(const char *path)
{
  static const char own[] = ".handoff";
  const char *end = NULL;
  for (const char *at = path; (at = strstr(at, own)); at++) {
    const char *after = at + sizeof own - 1;
    if ((at == path || at[-1] == '/') && (*after == '/' || !*after))
      end = after;
  }
  return end && !is_in_tree(end) ? end : NULL;
}

bool ho_fs_ours(uid_t owner)
{
  uid_t self = geteuid();
  const char *sudo = self == 0 ? getenv("SUDO_UID") : NULL;
  char *end = NULL;
  unsigned long user = sudo && *sudo ? strtoul(sudo, &end, 10) : 0;
  return owner == self || (end && !*end && owner == user);
}

bool ho_fs_is_planted(const char *path)
{
  char above[PATH_MAX];
  struct stat info, folder;
  ho_error_copy(above, sizeof above, ho_fs_parent(ho_str_of(path)));
  return lstat(path, &info) == 0 && stat(above, &folder) == 0 && folder.st_mode & S_IWOTH && !ho_fs_ours(info.st_uid) &&
         info.st_uid != folder.st_uid;
}

/* Nobody else needs to read the ledger. */
static void tighten(int folder, mode_t mode)
{
  int fd = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (fd < 0)
    return;
  (void)!fchmod(fd, mode & 0700); /* if it cannot be changed, it is a read-only copy */
  close(fd);
}

/* Opens the folder .handoff itself, which is not a link and belongs to us. */
static int open_top(const char *path, const char *end, struct stat *info)
{
  char folder[PATH_MAX];
  size_t n = (size_t)(end - path);
  if (n >= sizeof folder) {
    errno = ENAMETOOLONG;
    return -1;
  }
  memcpy(folder, path, n);
  folder[n] = '\0';
  int fd = open(folder, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) {
    errno = link_or(AT_FDCWD, folder, errno);
    return -1;
  }
  int number = fstat(fd, info) != 0 ? errno : ho_fs_ours(info->st_uid) ? 0 : NOT_OURS;
  if (!number && info->st_mode & 077)
    tighten(fd, info->st_mode);
  if (!number)
    return fd;
  close(fd);
  errno = number;
  return -1;
}

/* Why what was opened is not used, or 0. */
static int judge(const struct stat *info, bool writing)
{
  if (S_ISLNK(info->st_mode))
    return ELOOP;
  if (!S_ISREG(info->st_mode) && !S_ISDIR(info->st_mode))
    return ODD_KIND;
  if (!ho_fs_ours(info->st_uid))
    return NOT_OURS;
  return writing && S_ISREG(info->st_mode) && info->st_nlink > 1 ? EMLINK : 0;
}

static int open_own(const char *path, const char *end, int flags, bool names, struct stat *info)
{
  struct stat folder;
  int top = open_top(path, end, &folder);
  if (top < 0)
    return -1;
  end += strspn(end, "/");
  if (!*end && flags & O_PATH) {
    *info = folder;
    return top;
  }
  /* Emptied only once it is known to be ours; and a pipe without a writer is not waited for. */
  int how = (flags & ~(O_TRUNC | O_NOFOLLOW)) | (flags & O_PATH ? 0 : O_NONBLOCK);
  int fd = ho_fs_beneath(top, *end ? end : ".", how, 0600), number = errno;
  close(top);
  errno = number;
  if (fd < 0)
    return -1;
  bool writing = !(flags & O_PATH) && (flags & O_ACCMODE) != O_RDONLY && !names;
  number = fstat(fd, info) != 0 ? errno : judge(info, writing);
  if (!number && flags & O_CREAT && info->st_uid != folder.st_uid)
    (void)!fchown(fd, folder.st_uid, folder.st_gid); /* see ho_fs_give */
  if (!number && flags & O_TRUNC && ftruncate(fd, 0) != 0)
    number = errno;
  if (!number)
    return fd;
  close(fd);
  errno = number;
  return -1;
}

bool ho_fs_own(const char *path, char *real)
{
  static const size_t name = sizeof ".handoff" - 1;
  char before[PATH_MAX], found[PATH_MAX];
  const char *end = own_end(path);
  if (!end || !real)
    return end != NULL;
  size_t n = (size_t)(end - path) - name;
  ho_error_copy(before, sizeof before, n ? (ho_str){path, n} : HO_STR("."));
  int length = realpath(before, found) ? snprintf(real, PATH_MAX, "%s/%s", found, end - name) : -1;
  if (length < 0 || length >= PATH_MAX)
    snprintf(real, PATH_MAX, "%s", path);
  return true;
}

int ho_fs_open(const char *path, int flags)
{
  struct stat info;
  const char *end = own_end(path);
  return end ? open_own(path, end, flags, false, &info) : open(path, flags | O_CLOEXEC, 0666);
}

int ho_fs_open_named(const char *path, int flags, mode_t mode)
{
  struct stat info;
  const char *end = own_end(path);
  return end ? open_own(path, end, flags, true, &info) : open(path, flags | O_CLOEXEC, mode);
}

int ho_fs_open_beside(const char *path, int flags)
{
  struct stat info;
  const char *end = own_end(path);
  int number = 0;
  int fd =
      end ? open_own(path, end, flags, false, &info) : open(path, flags | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0600);
  if (fd < 0)
    return -1;
  if (!end)
    number = fstat(fd, &info) != 0 ? errno : judge(&info, (flags & O_ACCMODE) != O_RDONLY);
  if (!number && S_ISDIR(info.st_mode))
    number = EISDIR; /* it can be opened, but neither read nor written */
  if (!number)
    return fd;
  close(fd);
  errno = number;
  return -1;
}

int ho_fs_stat_beside(const char *path, struct stat *info)
{
  if (own_end(path))
    return ho_fs_stat(path, info);
  int number = lstat(path, info) != 0 ? errno : judge(info, false);
  errno = number;
  return number ? -1 : 0;
}

DIR *ho_fs_opendir(const char *path)
{
  int fd = ho_fs_open(path, O_RDONLY | O_DIRECTORY);
  DIR *dir = fd < 0 ? NULL : fdopendir(fd);
  if (fd >= 0 && !dir)
    close(fd);
  return dir;
}

int ho_fs_stat(const char *path, struct stat *info)
{
  const char *end = own_end(path);
  if (!end)
    return stat(path, info);
  int fd = open_own(path, end, O_PATH, false, info);
  if (fd < 0)
    return -1;
  close(fd);
  return 0;
}

/* ---- Folders of the project */

/* Names that no link may lead to: git's files, and the program's own. */
static bool is_kept(ho_str path)
{
  ho_str name;
  while (ho_str_next(&path, '/', &name))
    if (ho_str_is_nocase(name, ".git") || ho_str_is(name, ".handoff"))
      return true;
  return false;
}

/* A link inside the project is fine, as long as it leads to another place in it. *rest: the way from the root, in `real`. */
static int resolve(const char *root, const char *path, char real[PATH_MAX], ho_str *rest)
{
  char from[PATH_MAX];
  if (!realpath(root, from) || !realpath(path, real))
    return -1;
  *rest = ho_fs_relative(ho_str_of(from), ho_str_of(real));
  if (ho_fs_below(ho_str_of(from), ho_str_of(real)) && !is_kept(*rest))
    return 0;
  errno = EXDEV;
  return -1;
}

/* What a link leads to is opened without one. */
static int open_resolved(int top, const char *root, const char *folder)
{
  char real[PATH_MAX];
  ho_str rest;
  return resolve(root, folder, real, &rest) == 0 ? ho_fs_beneath(top, rest.p, O_PATH | O_DIRECTORY, 0) : -1;
}

int ho_fs_resolve_in(const char *root, const char *path, char *real)
{
  struct stat info;
  ho_str rest;
  bool inside = root && ho_fs_below(ho_str_of(root), ho_str_of(path));
  if (inside ? resolve(root, path, real, &rest) == 0 : realpath(path, real) != NULL)
    return 0;
  if (inside && errno == ENOENT && lstat(path, &info) == 0)
    errno = ELOOP; /* a link that leads nowhere yet */
  if (errno != ENOENT || strlen(path) >= PATH_MAX)
    return -1;
  memcpy(real, path, strlen(path) + 1);
  return 0;
}

static int open_below(const char *root, const char *folder)
{
  int top = ho_fs_open(root, O_PATH | O_DIRECTORY);
  if (top < 0)
    return -1;
  ho_str rest = ho_fs_relative(ho_str_of(root), ho_str_of(folder));
  int fd = ho_fs_beneath(top, rest.p, O_PATH | O_DIRECTORY, 0);
  if (fd < 0 && errno == ELOOP)
    fd = open_resolved(top, root, folder);
  int number = errno;
  close(top);
  errno = number;
  return fd;
}

int ho_fs_enter(const char *root, const char *path, ho_fs_spot *out)
{
  char folder[PATH_MAX];
  const char *slash = strrchr(path, '/'), *end = own_end(path);
  size_t n = slash ? (size_t)(slash - path) : 0;
  *out = (ho_fs_spot){.folder = -1, .name = slash ? slash + 1 : path, .own = end != NULL};
  if (n >= sizeof folder) {
    errno = ENAMETOOLONG;
    return -1;
  }
  snprintf(folder, sizeof folder, "%.*s", slash && !n ? 1 : (int)(slash ? n : 1), slash ? path : ".");
  if (!(end && *end) && root && ho_fs_below(ho_str_of(root), ho_str_of(folder)))
    out->folder = open_below(root, folder);
  else
    out->folder = ho_fs_open(folder, O_PATH | O_DIRECTORY);
  return out->folder < 0 ? -1 : 0;
}

void ho_fs_give(const ho_fs_spot *spot, const char *name)
{
  struct stat info;
  if (spot->own && geteuid() == 0 && fstat(spot->folder, &info) == 0 && info.st_uid != 0)
    (void)!fchownat(spot->folder, name, info.st_uid, info.st_gid, AT_SYMLINK_NOFOLLOW);
}

int ho_fs_unlink_in(const char *root, const char *path)
{
  ho_fs_spot spot;
  if (ho_fs_enter(root, path, &spot) != 0)
    return -1;
  int done = unlinkat(spot.folder, spot.name, 0), number = errno;
  close(spot.folder);
  errno = number;
  return done;
}

int ho_fs_unlink(const char *path)
{
  return ho_fs_unlink_in(NULL, path);
}

int ho_fs_rmdir_in(const char *root, const char *path)
{
  ho_fs_spot spot;
  if (ho_fs_enter(root, path, &spot) != 0)
    return -1;
  int done = unlinkat(spot.folder, spot.name, AT_REMOVEDIR);
  close(spot.folder);
  return done;
}

int ho_fs_rmdir(const char *path)
{
  return ho_fs_rmdir_in(NULL, path);
}

/* Both names in their folders; `flags` as in renameat2, or LINK for a second name. */
enum { LINK = 1 << 30 };

static int move(const char *root, const char *from, const char *to, unsigned flags)
{
  ho_fs_spot a, b;
  int done = -1, number;
  if (ho_fs_enter(root, from, &a) != 0)
    return -1;
  if (ho_fs_enter(root, to, &b) == 0) {
    done = flags == LINK ? linkat(a.folder, a.name, b.folder, b.name, 0)
                         : renameat2(a.folder, a.name, b.folder, b.name, flags);
    number = errno;
    close(b.folder);
  } else {
    number = errno;
  }
  close(a.folder);
  errno = number;
  return done;
}

int ho_fs_rename_in(const char *root, const char *from, const char *to)
{
  return move(root, from, to, 0);
}

int ho_fs_rename(const char *from, const char *to, bool replace)
{
  return move(NULL, from, to, replace ? 0 : RENAME_NOREPLACE);
}

int ho_fs_link_in(const char *root, const char *from, const char *to)
{
  return move(root, from, to, LINK);
}
