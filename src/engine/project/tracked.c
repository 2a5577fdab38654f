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
  OBJECT_MAX = 32,
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
  char held[2 * OBJECT_MAX + 1]; /* its object's name, in hexadecimal digits */
} entries;

/* The repository that is asked, and what is known so far. */
typedef struct question {
  ho_arena *arena;
  ho_str top, git; /* its work tree and its git folder */
  ho_str wanted;   /* the database, relative to top */
  ho_tracked *out;
} question;

static void note(const question *q, ho_str file, ho_str version)
{
  ho_str path = ho_fs_join(q->arena, q->top, file);
  if (!q->out->file.n)
    q->out->file = path;
  ho_list_add(q->out->versions,
              ho_node_text(q->arena, ho_arena_printf(q->arena, "%.*s %.*s", HO_ARG(version), HO_ARG(file))));
}

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
  more(in, ENTRY + OBJECT_MAX + 4 + 4 + PATH_MAX + 8); /* at the end of the file it may be less */
  if (in->n - in->at < at + 8)                         /* a checksum follows the last entry */
    return false;
  uint32_t flags = number(in->bytes + in->at + at - 2, 2);
  for (size_t i = 0; i < in->object; i++)
    snprintf(in->held + 2 * i, 3, "%02x", (unsigned char)in->bytes[in->at + ENTRY + i]);
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

/* A submodule answers for itself, if it is still a repository. */
static bool answers_itself(const question *q, ho_str name)
{
  ho_str git = ho_fs_join(q->arena, ho_fs_join(q->arena, q->top, name), HO_STR(".git"));
  return git.n && ho_fs_exists(git.p);
}

/* Notes the names that begin with what is wanted, or the submodule that it is in. False if the index cannot be read this
 * way. */
static bool look(entries *in, const question *q)
{
  while (in->left) {
    if (!next(in))
      return false;
    ho_str name = {in->name, in->length}, wanted = q->wanted;
    int order = ho_str_cmp(ho_str_sub(name, 0, wanted.n), wanted);
    bool around = name.n < wanted.n && wanted.p[name.n] == '/' && ho_str_eq(name, ho_str_sub(wanted, 0, name.n));
    if (order == 0 || (around && !answers_itself(q, name)))
      note(q, ho_arena_copy(q->arena, name), ho_str_of(in->held));
    if (around || order > 0)
      return true;
  }
  return true;
}

/* The same from the beginning, with object names of that size. */
static bool look_with(entries *in, size_t object, const question *q)
{
  ho_tracked before = *q->out;
  size_t count = q->out->versions->count;
  in->object = object;
  in->at = in->n = in->length = 0;
  if (lseek(in->fd, 0, SEEK_SET) == 0 && begin(in) && look(in, q))
    return true;
  while (q->out->versions->count > count)
    ho_node_remove(q->out->versions, q->out->versions->last);
  q->out->file = before.file;
  return false;
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

static bool look_in_index(const question *q)
{
  ho_str path = ho_fs_join(q->arena, q->git, HO_STR("index"));
  int fd = path.n ? ho_fs_open(path.p, O_RDONLY | O_NONBLOCK) : -1;
  if (fd < 0)
    return path.n && (errno == ENOENT || errno == EACCES); /* nothing is tracked yet, or not for this user */
  entries *in = HO_NEW(q->arena, entries);
  size_t before = q->out->versions->count;
  bool known = false;
  if (in) {
    in->fd = fd;
    known = look_with(in, 20, q) || look_with(in, OBJECT_MAX, q);
  }
  close(fd);
  return known && (q->out->versions->count > before || !is_split(q->git.p));
}

/* git's answer: "MODE OBJECT STAGE<tab>NAME", NUL, and so on. */
static void take_answer(const question *q, ho_str answer)
{
  ho_str line, mode, version, stage;
  while (ho_str_next(&answer, '\0', &line))
    if (ho_str_next(&line, ' ', &mode) && ho_str_next(&line, ' ', &version) && ho_str_next(&line, '\t', &stage) &&
        ho_str_starts(line, ho_arena_z(q->arena, q->wanted)))
      note(q, ho_arena_copy(q->arena, line), version);
}

static ho_code ask_git(const question *q, ho_error *err)
{
  char *answer = ho_arena_alloc(q->arena, ANSWER);
  ho_str folder = ho_arena_printf(q->arena, ":(literal)%.*s", HO_ARG(ho_fs_parent(q->wanted)));
  const char *const args[] = {"ls-files", "-s", "-z", "--", folder.p, NULL};
  ho_git_order order = {.root = q->top, .args = args, .ms = GIT_MS};
  ho_code code = ho_arena_code(q->arena, err);
  if (code)
    return code;
  ssize_t n = ho_git_run(q->arena, &order, answer, ANSWER);
  if (n < 0)
    return ho_fail_file(err, HO_IO, ho_fs_join(q->arena, q->git, HO_STR("index")),
                        "cannot be read, so it is unknown whether git tracks the ledger; run: git status");
  take_answer(q, (ho_str){answer, (size_t)n});
  return ho_arena_code(q->arena, err);
}

/* What the repository of one folder says. */
static ho_code ask(ho_arena *arena, ho_str top, ho_str database, ho_tracked *out, ho_error *err)
{
  ho_str shared;
  question q = {.arena = arena, .top = top, .wanted = ho_fs_relative(top, database), .out = out};
  bool ours = ho_worktree_git(arena, top, &q.git, &shared);
  bool there = q.git.n && ho_fs_is_folder(q.git.p); /* not if a worktree's repository was moved away */
  if (there && look_in_index(&q))
    return ho_arena_code(arena, err);
  if (ours)
    return ask_git(&q, err);
  note(&q, q.wanted, HO_STR("unknown")); /* git is not asked about a repository that is not this folder's, or gone */
  return ho_arena_code(arena, err);
}

/* The path without links: what is around it is around the file, not around a link to it. */
static ho_str real_path(ho_arena *arena, ho_str database)
{
  char real[PATH_MAX];
  if (realpath(ho_arena_z(arena, database), real))
    return ho_arena_copy(arena, ho_str_of(real));
  if (realpath(ho_arena_z(arena, ho_fs_parent(database)), real))
    return ho_fs_join(arena, ho_str_of(real), ho_fs_name(database));
  return database;
}

ho_code ho_tracked_store(ho_arena *arena, ho_str database, ho_tracked *out, ho_error *err)
{
  *out = (ho_tracked){.versions = ho_node_new(arena, HO_KIND_LIST)};
  ho_code code = ho_arena_code(arena, err);
  ho_str real = code ? database : real_path(arena, database), top = ho_arena_copy(arena, ho_fs_parent(real));
  ho_str folder = top;
  for (; !code && top.n; top = top.n > 1 ? ho_arena_copy(arena, ho_fs_parent(top)) : HO_EMPTY) {
    ho_str git = ho_fs_join(arena, top, HO_STR(".git"));
    if (!git.n || !ho_fs_exists(git.p) || ho_fs_is_planted(git.p))
      continue;
    code = ask(arena, top, real, out, err);
    /* A .handoff that is a repository of its own, such as a submodule, came with all that is in it. */
    if (!code && ho_str_eq(top, folder) && ho_str_is(ho_fs_name(top), HO_PATH_FOLDER) && !out->file.n)
      out->file = folder;
  }
  return code ? code : ho_arena_code(arena, err);
}
