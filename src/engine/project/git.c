#include "engine/project/git.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/project/paths.h"
#include "engine/project/worktree.h"

enum { STATUS_MS = 2000, LOG_MS = 10000, CHANGES = 8192, TIMES = 1 << 16 };

static bool is_commit(ho_str text)
{
  if (text.n != 40 && text.n != 64)
    return false;
  for (size_t i = 0; i < text.n; i++)
    if (!isxdigit((unsigned char)text.p[i]))
      return false;
  return true;
}

static ho_str read_line(ho_arena *arena, ho_str folder, ho_str name)
{
  ho_str text;
  ho_error err;
  ho_str path = ho_fs_join(arena, folder, name);
  if (!path.n || !ho_fs_is_file(path.p) || ho_fs_read(arena, path.p, 4096, &text, &err))
    return HO_EMPTY;
  return ho_str_trim(text);
}

static ho_str packed(ho_arena *arena, ho_str folder, ho_str ref)
{
  ho_str text, line;
  ho_error err;
  ho_str path = ho_fs_join(arena, folder, HO_STR("packed-refs"));
  if (!path.n || !ho_fs_is_file(path.p) || ho_fs_read(arena, path.p, 0, &text, &err))
    return HO_EMPTY;
  while (ho_str_next_line(&text, &line)) {
    size_t space = ho_str_find_char(line, ' ');
    if (space != HO_NONE && ho_str_eq(ho_str_sub(line, space + 1, line.n), ref))
      return ho_str_sub(line, 0, space);
  }
  return HO_EMPTY;
}

ho_str ho_git_head(ho_arena *arena, ho_str root)
{
  ho_str own, shared;
  if (!ho_worktree_git(arena, root, &own, &shared))
    return HO_EMPTY;
  ho_str head = read_line(arena, own, HO_STR("HEAD"));
  if (ho_str_starts(head, "ref: ")) {
    ho_str ref = ho_str_trim(ho_str_sub(head, 5, head.n));
    if (!ho_str_starts(ref, "refs/") || ho_str_has(ref, ".."))
      return HO_EMPTY;
    head = read_line(arena, own, ref);
    if (!is_commit(head))
      head = read_line(arena, shared, ref);
    if (!is_commit(head))
      head = packed(arena, shared, ref);
  }
  return is_commit(head) ? head : HO_EMPTY;
}

ho_str ho_git_branch(ho_arena *arena, ho_str root)
{
  static const char begin[] = "ref: refs/heads/";
  ho_str own, shared;
  if (!ho_worktree_git(arena, root, &own, &shared))
    return HO_EMPTY;
  ho_str head = read_line(arena, own, HO_STR("HEAD"));
  return ho_str_starts(head, begin) ? ho_str_sub(head, sizeof begin - 1, head.n) : HO_EMPTY;
}

/* Up to `most` bytes of git's status, without what handoff itself writes, and without `but`; -1 if unknown. */
static ssize_t ask_status(ho_arena *arena, ho_str root, const ho_paths_written *written, const char *untracked,
                          const char *but, char *bytes, size_t most)
{
  ho_str state = ho_arena_printf(arena, ":(exclude)%.*s", HO_ARG(written->state));
  ho_str copies = ho_arena_printf(arena, ":(exclude,glob)%.*s/*/handoffs/*.yaml", HO_ARG(written->archive));
  const char *const args[] = {
      "status", "--porcelain", "--ignore-submodules=all", untracked, "--", ".", state.p, copies.p, but, NULL};
  if (arena->failed)
    return -1;
  return ho_git_run(arena, &(ho_git_order){.root = root, .args = args, .ms = STATUS_MS}, bytes, most);
}

ho_str ho_git_tree_name(ho_clean_tree tree)
{
  return tree == HO_TREE_CLEAN ? HO_STR("clean") : tree == HO_TREE_CHANGED ? HO_STR("changed") : HO_EMPTY;
}

ho_clean_tree ho_git_tree(ho_arena *arena, ho_str root, const ho_paths_written *written)
{
  char byte;
  ssize_t n = ask_status(arena, root, written, "-uno", NULL, &byte, 1);
  return n < 0 ? HO_TREE_UNKNOWN : n ? HO_TREE_CHANGED : HO_TREE_CLEAN;
}

bool ho_git_changes(ho_arena *arena, ho_str root, const ho_paths_written *written, ho_str *out)
{
  char bytes[CHANGES];
  *out = HO_EMPTY;
  ssize_t n = ask_status(arena, root, written, "-unormal", ":(exclude)" HO_PATH_FOLDER, bytes, sizeof bytes);
  if (n <= 0)
    return n == 0;
  ho_str text = {bytes, (size_t)n};
  while (text.n && text.p[text.n - 1] != '\n')
    text.n--;
  *out = ho_arena_copy(arena, ho_fs_text(arena, text));
  return true;
}

bool ho_git_committed(ho_arena *arena, ho_str root, const char *path, ho_str *out)
{
  enum { LARGEST = 4 << 20 };
  ho_arena room;
  const char *args[] = {"cat-file", "blob", ho_arena_printf(arena, "HEAD:%s", path).p, NULL};
  ho_git_order order = {.root = root, .args = args, .ms = STATUS_MS};
  *out = HO_EMPTY;
  ho_arena_init(&room, 0);
  char *bytes = ho_arena_alloc(&room, LARGEST);
  ssize_t n = !bytes || arena->failed ? -1 : ho_git_run(arena, &order, bytes, LARGEST);
  if (n >= 0)
    *out = ho_arena_copy(arena, ho_fs_text(&room, (ho_str){bytes, (size_t)n}));
  ho_arena_free(&room);
  return n >= 0;
}

/* The last line of the text as a number: git tells the newest first. */
static int64_t last_number(ho_str text)
{
  uint64_t number = 0;
  ho_str line, last = HO_EMPTY;
  while (ho_str_next_line(&text, &line))
    last = line.n ? line : last;
  return ho_str_to_u64(last, &number) && number < INT64_MAX / 1000 ? (int64_t)number : 0;
}

/* The nearest folder from `folder` upwards with a `.git`, or "". A folder that merely looks like git's own is none: it
 * may have come with a clone. */
static ho_str repository(ho_arena *arena, ho_str folder)
{
  for (;; folder = ho_fs_parent(folder)) {
    ho_str git = ho_fs_join(arena, folder, HO_STR(".git"));
    if (!git.n || folder.n <= 1)
      return HO_EMPTY;
    if (ho_fs_exists(git.p))
      return ho_arena_copy(arena, folder);
  }
}

int64_t ho_git_first_commit(ho_arena *arena, ho_str path)
{
  char bytes[TIMES], real[PATH_MAX];
  if (!realpath(ho_arena_z(arena, ho_fs_parent(path)), real))
    return 0;
  ho_str root = repository(arena, ho_str_of(real)), full = ho_fs_join(arena, ho_str_of(real), ho_fs_name(path));
  const char *const args[] = {"--literal-pathspecs",
                              "log",
                              "--follow",
                              "--diff-filter=A",
                              "--format=%ct",
                              "--no-color",
                              "--no-ext-diff",
                              "--no-textconv",
                              "--no-show-signature",
                              "--",
                              ho_arena_z(arena, ho_fs_relative(root, full)),
                              NULL};
  ssize_t n = arena->failed || !root.n
                  ? -1
                  : ho_git_run(arena, &(ho_git_order){.root = root, .args = args, .ms = LOG_MS}, bytes, sizeof bytes);
  return n < 0 || n == sizeof bytes ? 0 : last_number((ho_str){bytes, (size_t)n});
}

static ho_code digest_file(const char *path, char out[HO_DIGEST_SIZE], int64_t *size, ho_error *err)
{
  char block[16384];
  ho_digest digest;
  ssize_t n;
  struct stat st;
  int fd = ho_fs_open(path, O_RDONLY | O_NONBLOCK);
  if (fd < 0)
    return ho_fail_file(err, errno == ENOENT ? HO_NOT_FOUND : HO_IO, ho_str_of(path), "%s", strerror(errno));
  if (fstat(fd, &st) || !S_ISREG(st.st_mode)) {
    close(fd);
    return ho_fail_file(err, HO_IO, ho_str_of(path), "is not a regular file");
  }
  ho_digest_begin(&digest);
  *size = 0;
  while ((n = read(fd, block, sizeof block)) != 0) {
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      break;
    ho_digest_put(&digest, (ho_str){block, (size_t)n});
    *size += n;
  }
  int failed = n < 0 ? errno : 0;
  close(fd);
  ho_digest_end(&digest, out);
  return failed ? ho_fail_file(err, HO_IO, ho_str_of(path), "%s", strerror(failed)) : HO_OK;
}

static ho_code digest_folder(ho_arena *arena, const char *path, char out[HO_DIGEST_SIZE], int64_t *size, ho_error *err)
{
  ho_fs_list files;
  ho_digest digest;
  ho_code code = ho_fs_walk(arena, path, NULL, &files, err);
  if (code)
    return code;
  ho_digest_begin(&digest);
  *size = 0;
  for (size_t i = 0; !code && i < files.count; i++) {
    char one[HO_DIGEST_SIZE];
    int64_t bytes = 0;
    code = digest_file(files.paths[i], one, &bytes, err);
    *size += bytes;
    ho_digest_put(&digest, ho_fs_relative(ho_str_of(path), ho_str_of(files.paths[i])));
    ho_digest_put(&digest, (ho_str){"\0", 1});
    ho_digest_put(&digest, ho_str_of(one));
  }
  ho_digest_end(&digest, out);
  return code;
}

ho_code ho_git_digest(ho_arena *arena, const char *path, char out[HO_DIGEST_SIZE], int64_t *size, ho_error *err)
{
  return ho_fs_is_folder(path) ? digest_folder(arena, path, out, size, err) : digest_file(path, out, size, err);
}
