#include "engine/project/tracked.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <unistd.h>

#include "engine/project/git.h"
#include "engine/project/paths.h"
#include "engine/project/worktree.h"

enum {
  GIT_MS = 5000,
  ANSWER = 1 << 20, /* bytes of names that git lists */
  ENTRY = 40,       /* bytes of an index entry before the object's name: times, device, inode, mode, owner, size */
  EXTENDED = 0x4000,
  LENGTH = 0xfff,
};

/* The index, read from its beginning in pieces. */
typedef struct entries {
  int fd;
  unsigned version;
  uint64_t left; /* entries */
  size_t object; /* bytes of an object's name: 20, or 32 with SHA-256 */
  char bytes[1 << 16];
  size_t at, n;
  char name[PATH_MAX]; /* of the newest entry; the next one of version 4 begins like it */
  size_t length;
} entries;

static bool more(entries *in, size_t wanted)
{
  if (in->n - in->at >= wanted)
    return true;
  memmove(in->bytes, in->bytes + in->at, in->n - in->at);
  in->n -= in->at;
  in->at = 0;
  while (in->n < wanted) {
    ssize_t got = read(in->fd, in->bytes + in->n, sizeof in->bytes - in->n);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    in->n += (size_t)got;
  }
  return true;
}

static uint32_t number(const char *at, size_t bytes)
{
  uint32_t value = 0;
  for (size_t i = 0; i < bytes; i++)
    value = value << 8 | (unsigned char)at[i];
  return value;
}

static bool begin(entries *in)
{
  if (!more(in, 12) || memcmp(in->bytes, "DIRC", 4) != 0)
    return false;
  in->version = number(in->bytes + 4, 4);
  in->left = number(in->bytes + 8, 4);
  in->at = 12;
  return in->version >= 2 && in->version <= 4;
}

/* Version 4: how many bytes of the name before are dropped. */
static bool read_dropped(entries *in, size_t *at, size_t *out)
{
  uint64_t value = 0;
  for (int i = 0; i < 4; i++) {
    unsigned char byte = (unsigned char)in->bytes[in->at + (*at)++];
    value = (i ? value + 1 : 0) << 7 | (byte & 127);
    if (!(byte & 128)) {
      *out = (size_t)value;
      return true;
    }
  }
  return false;
}

/* The next entry's name. False if it cannot be read, or is not what its length says. */
static bool next(entries *in)
{
  size_t keep = 0, at = ENTRY + in->object + 2;
  more(in, ENTRY + 32 + 4 + 4 + PATH_MAX + 8); /* at the end of the file it may be less */
  if (in->n - in->at < at + 8)                 /* a checksum follows the last entry */
    return false;
  uint32_t flags = number(in->bytes + in->at + at - 2, 2);
  at += flags & EXTENDED && in->version > 2 ? 2 : 0;
  if (in->version == 4) {
    size_t dropped;
    if (!read_dropped(in, &at, &dropped) || dropped > in->length)
      return false;
    keep = in->length - dropped;
  }
  const char *text = in->bytes + in->at + at, *end = memchr(text, '\0', in->n - in->at - at);
  if (!end || keep + (size_t)(end - text) >= sizeof in->name)
    return false;
  memcpy(in->name + keep, text, (size_t)(end - text));
  in->length = keep + (size_t)(end - text);
  at += (size_t)(end - text) + 1;
  if (in->version < 4)
    at = (at + 7) / 8 * 8;
  in->at += at < in->n - in->at ? at : in->n - in->at;
  in->left--;
  return (flags & LENGTH) == LENGTH ? in->length >= LENGTH : in->length == (flags & LENGTH);
}

/* Looks for a name that begins with `wanted`, or for a submodule that it is in. False if the index cannot be read this
 * way. */
static bool look(entries *in, ho_str wanted, ho_str *found)
{
  while (in->left) {
    if (!next(in))
      return false;
    ho_str name = {in->name, in->length};
    int order = ho_str_cmp(ho_str_sub(name, 0, wanted.n), wanted);
    bool around = name.n < wanted.n && wanted.p[name.n] == '/' && ho_str_eq(name, ho_str_sub(wanted, 0, name.n));
    if (around) {
      *found = name;
      return true;
    }
    if (order == 0)
      *found = name;
    if (order >= 0)
      return true;
  }
  return true;
}

/* The same from the beginning, with object names of that size. */
static bool look_with(entries *in, size_t object, ho_str wanted, ho_str *found)
{
  in->object = object;
  in->at = in->n = in->length = 0;
  return lseek(in->fd, 0, SEEK_SET) == 0 && begin(in) && look(in, wanted, found);
}

/* Is part of the index in another file? */
static bool is_split(const char *git)
{
  struct dirent *entry;
  bool split = false;
  DIR *dir = ho_fs_opendir(git);
  while (dir && !split && (entry = readdir(dir)))
    split = ho_str_starts(ho_str_of(entry->d_name), "sharedindex.");
  if (dir)
    closedir(dir);
  return split;
}

static bool look_in_index(ho_arena *arena, ho_str git, ho_str wanted, ho_str *out)
{
  ho_str path = ho_fs_join(arena, git, HO_STR("index")), found = HO_EMPTY;
  int fd = path.n ? ho_fs_open(path.p, O_RDONLY | O_NONBLOCK) : -1;
  if (fd < 0)
    return path.n && errno == ENOENT; /* nothing is tracked yet */
  entries *in = HO_NEW(arena, entries);
  bool known = false;
  if (in) {
    in->fd = fd;
    known = look_with(in, 20, wanted, &found) || look_with(in, 32, wanted, &found);
  }
  if (known)
    *out = ho_arena_copy(arena, found);
  close(fd);
  return known && (found.n || !is_split(git.p));
}

static ho_code ask_git(ho_arena *arena, ho_str top, ho_str git, ho_str wanted, ho_str *out, ho_error *err)
{
  char *answer = ho_arena_alloc(arena, ANSWER);
  ho_str folder = ho_arena_printf(arena, ":(literal)%.*s", HO_ARG(ho_fs_parent(wanted)));
  const char *const args[] = {"ls-files", "-z", "--", folder.p, NULL};
  ho_git_order order = {.root = top, .args = args, .ms = GIT_MS};
  ho_code code = ho_arena_code(arena, err);
  if (code)
    return code;
  ssize_t n = ho_git_run(arena, &order, answer, ANSWER);
  if (n < 0)
    return ho_fail_file(err, HO_IO, ho_fs_join(arena, git, HO_STR("index")),
                        "cannot be read, so it is unknown whether git tracks the ledger; run: git status");
  ho_str rest = {answer, (size_t)n}, name;
  while (!out->n && ho_str_next(&rest, '\0', &name))
    if (ho_str_starts(name, ho_arena_z(arena, wanted)))
      *out = name;
  return ho_arena_code(arena, err);
}

ho_code ho_tracked_store(ho_arena *arena, ho_str home, ho_str *out, ho_error *err)
{
  ho_str top = home, git, shared, found = HO_EMPTY;
  ho_code code = HO_OK;
  *out = HO_EMPTY;
  while (!ho_fs_exists(ho_fs_join(arena, top, HO_STR(".git")).p) && top.n > 1)
    top = ho_arena_copy(arena, ho_fs_parent(top));
  ho_str inner = ho_fs_join(arena, home, HO_STR(HO_PATH_FOLDER "/.git"));
  if (inner.n && ho_fs_exists(inner.p)) { /* the folder is a repository of its own, such as a submodule */
    *out = HO_STR(HO_PATH_FOLDER);
    return HO_OK;
  }
  bool ours = ho_worktree_git(arena, top, &git, &shared);
  if (!ours && !(git.n && ho_fs_is_folder(git.p)))
    return ho_arena_code(arena, err);
  ho_str wanted = ho_fs_relative(top, ho_fs_join(arena, home, HO_STR(HO_PATH_DATABASE)));
  bool known = look_in_index(arena, git, wanted, &found);
  if (!known && !ours) /* git is not asked about a repository that is not this folder's */
    found = wanted;
  else if (!known)
    code = ask_git(arena, top, git, wanted, &found, err);
  if (!code && found.n)
    *out = ho_fs_relative(home, ho_fs_join(arena, top, found));
  return code ? code : ho_arena_code(arena, err);
}
