#include "engine/context/context_cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/proc/life.h"
#include "doc/json/json.h"
#include "engine/project/paths.h"
#include "model/secrets/secrets.h"

#define COUNT_LIMIT ((int64_t)1000000000000)
#define DAY_MS ((int64_t)24 * 60 * 60 * 1000)
enum { VERSION = 1, NAME_SIZE = 128, FILE_LIMIT = 256 << 10, KEPT_DAYS = 30, SWEPT = 5000 };

ho_str ho_context_session(ho_str transcript)
{
  ho_str name = ho_fs_name(transcript);
  for (size_t i = name.n; i > 1; i--)
    if (name.p[i - 1] == '.')
      return ho_str_sub(name, 0, i - 1);
  return name;
}

static bool plain_name(ho_str name, size_t most)
{
  if (!name.n || name.n > most || name.p[0] == '.')
    return false;
  for (size_t i = 0; i < name.n; i++)
    if (!isalnum((unsigned char)name.p[i]) && !strchr("-_.", name.p[i]))
      return false;
  return true;
}

ho_str ho_context_path(ho_arena *arena, ho_str root, ho_str session, const char *suffix)
{
  size_t count = 0;
  session = ho_secret_redact(session, arena, &count); /* whoever names a session does not know that it names files */
  if (plain_name(session, NAME_SIZE))
    return ho_arena_printf(arena, "%.*s/" HO_PATH_CONTEXT "/%.*s%s", HO_ARG(root), HO_ARG(session), suffix);
  return ho_arena_printf(arena, "%.*s/" HO_PATH_CONTEXT "/session-%016llx%s", HO_ARG(root),
                         (unsigned long long)ho_str_hash(session), suffix);
}

/* ---- Whose files they are.
 *
 * A repository or an archive may bring files with the names of these, and names can be guessed: the session of a person is
 * called after the day, the notes of a phase after the phase. So each file carries the time at which the file `here`, beside
 * it, got its present form on this disk (st_ctime). The system alone sets that: whoever brings files does not know it,
 * whatever they bring as `here`. Where that changes, as in a copy of the project, everything is kept anew. */
#define HERE "here"

static ho_str here_of(ho_arena *arena, const char *path)
{
  return ho_fs_join(arena, ho_fs_parent(ho_str_of(path)), HO_STR(HERE));
}

ho_str ho_context_mark(ho_arena *arena, const char *path)
{
  struct stat info;
  ho_str here = here_of(arena, path);
  if (!here.n || ho_fs_stat(here.p, &info) != 0 || !S_ISREG(info.st_mode))
    return HO_EMPTY;
  return ho_arena_printf(arena, "%lld.%09ld", (long long)info.st_ctim.tv_sec, info.st_ctim.tv_nsec);
}

/* If another process is quicker, its file counts. */
static void make_here(ho_arena *arena, const char *path)
{
  ho_error none = {0};
  ho_str here = here_of(arena, path);
  if (!here.n || ho_fs_mkdirs(ho_arena_z(arena, ho_fs_parent(here)), &none))
    return;
  int fd = ho_fs_open(here.p, O_WRONLY | O_CREAT | O_EXCL);
  if (fd >= 0)
    close(fd);
}

ho_code ho_context_sign(ho_node *map, ho_arena *arena, const char *path, ho_error *err)
{
  ho_str mark = ho_context_mark(arena, path);
  if (!mark.n) {
    make_here(arena, path);
    mark = ho_context_mark(arena, path);
  }
  if (!mark.n)
    return ho_fail_file(err, HO_IO, here_of(arena, path), "cannot be made, so nothing is kept about sessions");
  ho_map_addz(map, HERE, ho_node_text(arena, mark));
  return ho_arena_code(arena, err);
}

bool ho_context_signed(const ho_node *map, ho_str mark)
{
  return mark.n && ho_str_eq(ho_map_str(map, HERE), mark);
}

/* How every file here begins that is not empty, as leases of earlier versions are: what a sweep removes. */
static const char beginning[] = "{\"handoff\":\"context\"";

static bool is_marked(int fd)
{
  char begin[sizeof beginning - 1];
  ssize_t n = fd < 0 ? -1 : read(fd, begin, sizeof begin);
  return n == 0 || (n == sizeof begin && memcmp(begin, beginning, sizeof begin) == 0);
}

/* Is it called like a file of a session, or like what a killed process left of one? */
static bool is_session_name(ho_str name)
{
  enum { LEFT = 7 }; /* ".XXXXXX" */
  if (ho_str_ends(name, ".json") || ho_str_ends(name, ".lease"))
    return plain_name(name, NAME_MAX);
  ho_str whole = ho_str_sub(name, 0, name.n > LEFT ? name.n - LEFT : 0);
  return ho_str_ends(whole, ".json") && name.p[whole.n] == '.' && plain_name(name, NAME_MAX);
}

static bool is_session_file(ho_arena *arena, ho_str folder, ho_str name)
{
  ho_str path = ho_fs_join(arena, folder, name);
  int fd = path.n ? ho_fs_open(path.p, O_RDONLY | O_NONBLOCK) : -1;
  bool marked = is_marked(fd);
  if (fd >= 0)
    close(fd);
  return marked;
}

void ho_context_sweep(ho_arena *arena, ho_str root, int64_t now_ms)
{
  ho_str folder = ho_arena_printf(arena, "%.*s/" HO_PATH_CONTEXT, HO_ARG(root));
  DIR *dir = folder.n ? ho_fs_opendir(folder.p) : NULL;
  struct stat info;
  size_t left = SWEPT;
  for (struct dirent *entry; dir && left > 0 && (entry = readdir(dir)); left--) {
    ho_str name = ho_str_of(entry->d_name);
    if (!is_session_name(name) || fstatat(dirfd(dir), entry->d_name, &info, AT_SYMLINK_NOFOLLOW) != 0)
      continue;
    if (S_ISREG(info.st_mode) && (int64_t)info.st_mtime * 1000 < now_ms - KEPT_DAYS * DAY_MS &&
        is_session_file(arena, folder, name))
      unlinkat(dirfd(dir), entry->d_name, 0);
  }
  if (dir)
    closedir(dir);
}

/* Members that are whole numbers: their name in the file and their offset in the struct. */
typedef struct member {
  const char *name;
  size_t place;
} member;

static const member figure_members[] = {
    {"used", offsetof(ho_figure, used)},       {"window", offsetof(ho_figure, window)},
    {"percent", offsetof(ho_figure, percent)}, {"transcript_end", offsetof(ho_figure, transcript_end)},
    {"at_ms", offsetof(ho_figure, at_ms)},     {0},
};
static const member scan_members[] = {
    {"inode", offsetof(ho_scan, inode)},
    {"offset", offsetof(ho_scan, offset)},
    {"mark", offsetof(ho_scan, mark)},
    {"skipped", offsetof(ho_scan, skipped)},
    {"broken", offsetof(ho_scan, broken)},
    {"total", offsetof(ho_scan, usage.total)},
    {"input", offsetof(ho_scan, usage.input)},
    {"cache_creation", offsetof(ho_scan, usage.cache_creation)},
    {"cache_read", offsetof(ho_scan, usage.cache_read)},
    {"output", offsetof(ho_scan, usage.output)},
    {"usage_end", offsetof(ho_scan, usage_end)},
    {"zero_usages", offsetof(ho_scan, zero_usages)},
    {"window", offsetof(ho_scan, window)},
    {"compactions", offsetof(ho_scan, compactions)},
    {"pre_tokens", offsetof(ho_scan, pre_tokens)},
    {"post_tokens", offsetof(ho_scan, post_tokens)},
    {"compact_end", offsetof(ho_scan, compact_end)},
    {"since", offsetof(ho_scan, since)},
    {"text_end", offsetof(ho_scan, text_end)},
    {"tool_calls", offsetof(ho_scan, tool_calls)},
    {"read_tokens", offsetof(ho_scan, read_tokens)},
    {"clock", offsetof(ho_scan, clock)},
    {0},
};
static const member nudge_members[] = {
    {"last_ms", offsetof(ho_nudges, last_ms)},
    {"level", offsetof(ho_nudges, level)},
    {"objectives_done", offsetof(ho_nudges, objectives_done)},
    {"overflow", offsetof(ho_nudges, overflow)},
    {"reread", offsetof(ho_nudges, reread)},
    {"passed", offsetof(ho_nudges, passed)},
    {"told", offsetof(ho_nudges, told)},
    {"settled", offsetof(ho_nudges, settled)},
    {0},
};
static const member read_members[] = {
    {"key", offsetof(ho_read, key)},
    {"count", offsetof(ho_read, count)},
    {"clock", offsetof(ho_read, clock)},
    {0},
};

static void put_members(ho_node *map, const member *members, const void *from, ho_arena *arena)
{
  for (const member *each = members; each->name; each++) {
    int64_t value;
    memcpy(&value, (const char *)from + each->place, sizeof value);
    ho_map_addz(map, each->name, ho_node_number(arena, value));
  }
}

static void get_members(const ho_node *map, const member *members, void *to)
{
  for (const member *each = members; each->name; each++) {
    long long value;
    if (!ho_node_to_int(ho_map_getz(map, each->name), &value))
      continue;
    int64_t whole = value;
    memcpy((char *)to + each->place, &whole, sizeof whole);
  }
}

static void put_hashes(ho_node *map, const char *key, const uint64_t hashes[HO_RECENT], ho_arena *arena)
{
  ho_node *list = ho_map_addz(map, key, ho_node_new(arena, HO_KIND_LIST));
  for (size_t i = 0; i < HO_RECENT && hashes[i]; i++)
    ho_list_add(list, ho_node_number(arena, (long long)hashes[i]));
}

static void get_hashes(const ho_node *map, const char *key, uint64_t hashes[HO_RECENT])
{
  size_t i = 0;
  HO_EACH_CONST (item, ho_map_getz(map, key))
    if (i >= HO_RECENT || !ho_str_to_u64(ho_node_str(item), &hashes[i++]))
      return;
}

ho_code ho_context_save(ho_node *map, ho_arena *arena, const char *path, ho_error *err)
{
  ho_buf text;
  ho_code code = ho_context_sign(map, arena, path, err);
  ho_buf_init(&text, 0);
  ho_json_write(&text, map, 0);
  ho_buf_putc(&text, '\n');
  if (!code)
    code = ho_buf_code(&text, err);
  if (!code)
    code = ho_fs_write(path, ho_buf_str(&text), HO_FS_CACHE, err); /* nobody waits for the disk */
  ho_buf_free(&text);
  return code;
}

ho_node *ho_context_load(ho_arena *arena, const char *path)
{
  ho_str text;
  ho_source source;
  ho_node *map;
  ho_error err = {0};
  long long version;
  if (ho_fs_read(arena, path, FILE_LIMIT, &text, &err) || ho_source_init(&source, arena, HO_STR("kept"), text, &err) ||
      ho_json_read(&source, 0, arena, NULL, &map, &err))
    return NULL;
  bool current = ho_node_to_int(ho_map_getz(map, "version"), &version) && version == VERSION;
  return current && ho_context_signed(map, ho_context_mark(arena, path)) ? map : NULL;
}

void ho_context_remove(const char *path, int64_t size)
{
  struct stat info;
  if (ho_fs_stat(path, &info) == 0 && (int64_t)info.st_size == size)
    ho_fs_unlink(path);
}

ho_node *ho_context_map(ho_arena *arena)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  ho_map_addz(map, "handoff", ho_node_textz(arena, "context")); /* see `beginning` */
  ho_map_addz(map, "version", ho_node_number(arena, VERSION));
  return map;
}

void ho_context_put(ho_node *map, const char *key, ho_str text, ho_arena *arena)
{
  size_t count = 0;
  ho_map_addz(map, key, ho_node_text(arena, ho_secret_redact(text, arena, &count)));
}

/* True if all counts are safe for arithmetic: anybody may have written the file. */
static bool sane(const int64_t *counts, size_t n)
{
  for (size_t i = 0; i < n; i++)
    if (counts[i] < 0 || counts[i] > COUNT_LIMIT)
      return false;
  return true;
}

bool ho_figure_load(ho_figure *figure, ho_arena *arena, const char *path)
{
  const ho_node *map = ho_context_load(arena, path);
  *figure = (ho_figure){.percent = -1};
  get_members(map, figure_members, figure);
  ho_error_copy(figure->model, sizeof figure->model, ho_map_str(map, "model"));
  if (map && sane((int64_t[]){figure->used, figure->window}, 2))
    return true;
  *figure = (ho_figure){.percent = -1};
  return false;
}

ho_code ho_figure_save(const ho_figure *figure, ho_arena *arena, const char *path, ho_error *err)
{
  ho_node *map = ho_context_map(arena);
  put_members(map, figure_members, figure, arena);
  ho_context_put(map, "model", ho_str_of(figure->model), arena);
  return ho_context_save(map, arena, path, err);
}

bool ho_scan_load(ho_scan *scan, ho_nudges *nudges, ho_arena *arena, const char *path)
{
  const ho_node *map = ho_context_load(arena, path);
  size_t i = 0;
  *scan = (ho_scan){0};
  *nudges = (ho_nudges){0};
  get_members(map, scan_members, scan);
  get_members(ho_map_getz(map, "nudges"), nudge_members, nudges);
  scan->harness = ho_harness_named(ho_map_str(map, "harness"));
  scan->sidechain = ho_node_true(ho_map_getz(map, "sidechain"));
  ho_error_copy(scan->model, sizeof scan->model, ho_map_str(map, "model"));
  get_hashes(map, "messages", scan->messages);
  get_hashes(map, "calls", scan->calls);
  HO_EACH_CONST (item, ho_map_getz(map, "reads")) {
    if (i >= HO_READS)
      break;
    get_members(item, read_members, &scan->reads[i]);
    ho_error_copy(scan->reads[i].path, sizeof scan->reads[i].path, ho_map_str(item, "path"));
    i++;
  }
  if (map && sane((int64_t[]){scan->offset, scan->usage.total, scan->post_tokens, scan->since, scan->text_end,
                              scan->tool_calls, scan->read_tokens, scan->window, scan->clock, scan->compactions,
                              scan->zero_usages, scan->broken},
                  12))
    return true;
  *scan = (ho_scan){0};
  return false;
}

ho_code ho_scan_save(const ho_scan *scan, const ho_nudges *nudges, ho_arena *arena, const char *path, ho_error *err)
{
  ho_node *map = ho_context_map(arena), *asked = ho_node_new(arena, HO_KIND_MAP),
          *reads = ho_node_new(arena, HO_KIND_LIST);
  ho_map_addz(map, "harness", ho_node_textz(arena, scan->harness ? scan->harness->name : ""));
  ho_map_addz(map, "sidechain", ho_node_bool(arena, scan->sidechain));
  ho_context_put(map, "model", ho_str_of(scan->model), arena);
  put_members(map, scan_members, scan, arena);
  put_members(asked, nudge_members, nudges, arena);
  ho_map_addz(map, "nudges", asked);
  put_hashes(map, "messages", scan->messages, arena);
  put_hashes(map, "calls", scan->calls, arena);
  ho_map_addz(map, "reads", reads);
  for (size_t i = 0; i < HO_READS; i++) {
    if (!scan->reads[i].key)
      continue;
    ho_node *item = ho_list_add(reads, ho_node_new(arena, HO_KIND_MAP));
    put_members(item, read_members, &scan->reads[i], arena);
    ho_context_put(item, "path", ho_str_of(scan->reads[i].path), arena);
  }
  return ho_context_save(map, arena, path, err);
}

int64_t ho_context_kept(ho_arena *arena, ho_str root, ho_str session, const ho_node *configured)
{
  ho_scan *scan = HO_NEW(arena, ho_scan);
  ho_nudges nudges;
  ho_figure figure;
  ho_context context;
  ho_window_facts windows = {.configured = configured};
  if (!scan)
    return -1;
  ho_scan_load(scan, &nudges, arena, ho_context_path(arena, root, session, HO_SCAN_SUFFIX).p);
  ho_figure_load(&figure, arena, ho_context_path(arena, root, session, HO_FIGURE_SUFFIX).p);
  ho_window_environment(&windows);
  if (scan->harness)
    ho_window_harness(&windows, scan->harness, root, arena);
  ho_context_judge(scan, &figure, &windows, &context);
  return context.tenths >= 0 ? context.tenths / 10 : figure.percent;
}

/* An absolute path given in a file, or "". */
static ho_str kept_path(const ho_node *map, const char *key, ho_arena *arena)
{
  ho_str path = ho_map_str(map, key);
  return path.n && path.p[0] == '/' && !memchr(path.p, '\0', path.n) ? ho_arena_copy(arena, path) : HO_EMPTY;
}

bool ho_trace_load(ho_trace *trace, ho_arena *arena, const char *path)
{
  const ho_node *map = ho_context_load(arena, path);
  *trace = (ho_trace){.transcript = kept_path(map, "transcript", arena),
                      .folder = kept_path(map, "folder", arena),
                      .processes = {ho_arena_copy(arena, ho_map_str(map, "process")),
                                    ho_arena_copy(arena, ho_map_str(map, "first_process"))},
                      .ended = ho_node_true(ho_map_getz(map, "ended")),
                      .settled = ho_node_true(ho_map_getz(map, "settled"))};
  trace->ended = trace->ended || (ho_life_over(trace->processes[0]) && ho_life_over(trace->processes[1]));
  return map != NULL;
}

ho_code ho_trace_save(const ho_trace *trace, ho_arena *arena, const char *path, ho_error *err)
{
  ho_node *map = ho_context_map(arena);
  ho_context_put(map, "transcript", trace->transcript, arena);
  ho_context_put(map, "folder", trace->folder, arena);
  ho_map_put(arena, map, "process", trace->processes[0]);
  ho_map_put(arena, map, "first_process", trace->processes[1]);
  ho_map_addz(map, "ended", ho_node_bool(arena, trace->ended));
  ho_map_addz(map, "settled", ho_node_bool(arena, trace->settled));
  return ho_context_save(map, arena, path, err);
}
