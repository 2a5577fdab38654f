/* Proper names for phase handoffs: phase-{P}-handoff-{YYYYMMDDTHHMMSSZ}.md. */
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/time.h"
#include "command/call.h"
#include "command/documents/fix_files.h"
#include "engine/project/git.h"
#include "model/document/recognise.h"
#include "model/fix/fix.h"
#include "model/formats/formats.h"

typedef struct renamer {
  ho_call *call;
  ho_fix_name **names;
  size_t count; /* of the files so far */
  ho_buf diff;
} renamer;

/* Does the text say more than the day? */
static bool has_time(ho_str text)
{
  size_t digits = 0;
  for (size_t i = 0; i < text.n; i++)
    digits += isdigit((unsigned char)text.p[i]) != 0;
  return digits >= 12 || (digits == 10 && text.n == 10);
}

static bool same_day(const char *a, const char *b)
{
  return memcmp(a, b, 8) == 0;
}

/* The time of git's first commit, or of the file's last change, on the given day (or on any day, if none is known). */
static bool time_of_file(const renamer *r, const char *path, const char *day, bool git, char stamp[HO_TIME_SIZE])
{
  struct stat info;
  int64_t seconds = git                      ? ho_git_first_commit(r->call->arena, ho_str_of(path))
                    : stat(path, &info) == 0 ? (int64_t)info.st_mtime
                                             : 0;
  if (seconds <= 0)
    return false;
  ho_time_stamp(seconds * 1000, stamp);
  return !day || same_day(day, stamp);
}

/* The time for the name; false if there is no evidence for one. */
static bool find_stamp(renamer *r, const char *path, ho_str own, ho_str named, char stamp[HO_TIME_SIZE])
{
  ho_str shown = ho_shown_path(r->call, ho_str_of(path));
  ho_str told[] = {own, named};
  char day[17];
  bool has_day = false;
  for (size_t i = 0; i < HO_COUNT(told); i++) {
    char found[17];
    if (!ho_stamp_read(told[i], found, NULL) || (has_day && !same_day(day, found)))
      continue;
    snprintf(stamp, HO_TIME_SIZE, "%s", found);
    if (has_time(told[i]))
      return true;
    memcpy(day, found, sizeof day);
    has_day = true;
  }
  if (time_of_file(r, path, has_day ? day : NULL, true, stamp) || (has_day && time_of_file(r, path, day, false, stamp)))
    return true;
  if (has_day) {
    snprintf(stamp, HO_TIME_SIZE, "%s", day);
    ho_call_note(r->call, "warning: %.*s: only its date is known; the time in its new name is made up", HO_ARG(shown));
    return true;
  }
  ho_call_note(r->call, "warning: %.*s: states no time; its new name uses the file's modification time", HO_ARG(shown));
  return time_of_file(r, path, NULL, false, stamp);
}

/* One second later, for as long as seconds last on that day. */
static bool next_second(char stamp[HO_TIME_SIZE])
{
  int seconds = (stamp[9] - '0') * 36000 + (stamp[10] - '0') * 3600 + (stamp[11] - '0') * 600 + (stamp[12] - '0') * 60 +
                (stamp[13] - '0') * 10 + stamp[14] - '0' + 1;
  snprintf(stamp + 9, HO_TIME_SIZE - 9, "%02d%02d%02dZ", seconds / 3600 % 24, seconds / 60 % 60, seconds % 60);
  return seconds < 24 * 3600;
}

static bool is_same_file(const char *a, const char *b)
{
  struct stat one, other;
  return stat(a, &one) == 0 && stat(b, &other) == 0 && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* A name that the file has already was given to it by somebody who was interrupted. */
static bool is_taken(const renamer *r, const char *from, const char *path)
{
  for (size_t i = 0; i < r->count; i++)
    if (r->names[i] && strcmp(r->names[i]->to, path) == 0)
      return true;
  return ho_fs_exists(path) && !is_same_file(from, path);
}

static const char *free_name(renamer *r, const char *from, ho_str phase, char stamp[HO_TIME_SIZE])
{
  ho_str folder = ho_fs_parent(ho_str_of(from));
  do {
    ho_str name = ho_arena_printf(r->call->arena, "phase-%.*s-handoff-%s.md", HO_ARG(phase), stamp);
    const char *path = ho_fs_join(r->call->arena, folder, name).p;
    if (!is_taken(r, from, path))
      return path;
  } while (next_second(stamp));
  return NULL;
}

static bool is_proper(const char *path, ho_str phase, ho_str named)
{
  ho_str name = ho_fs_name(ho_str_of(path)), rest = name;
  return ho_syntax_STAMP.matches(named) && phase.n && ho_str_starts(name, "phase-") &&
         ho_str_starts(rest = ho_str_sub(name, 6 + phase.n, name.n), "-handoff-") && rest.n == 9 + named.n + 3;
}

/* The new name of a document, or NULL. */
static const char *find_name(renamer *r, const char *path, const ho_doc *doc)
{
  ho_str phase = ho_map_str(doc->root, "phase"), own = ho_map_str(doc->root, "timestamp");
  ho_str name_phase, name_stamp, shown = ho_shown_path(r->call, ho_str_of(path));
  char stamp[HO_TIME_SIZE];
  ho_fix_name_facts(ho_str_of(path), &name_phase, &name_stamp);
  if (is_proper(path, name_phase, name_stamp))
    return NULL;
  phase = phase.n ? phase : name_phase;
  while (phase.n > 1 && phase.p[0] == '0')
    phase = ho_str_sub(phase, 1, phase.n);
  for (size_t i = 0; i < phase.n; i++)
    if (!isalnum((unsigned char)phase.p[i]) && !strchr("-_.", phase.p[i]))
      phase = HO_EMPTY;
  if (!phase.n) {
    ho_call_note(r->call, "%.*s: not renamed because its phase is unknown", HO_ARG(shown));
    return NULL;
  }
  return find_stamp(r, path, own, name_stamp, stamp) ? free_name(r, path, phase, stamp) : NULL;
}

/* Its second name; the first one goes when everything names the second. */
static ho_code give_name(const char *root, const ho_fix_name *name, ho_error *err)
{
  bool given =
      ho_fs_link_in(root, name->from, name->to) == 0 || (errno == EEXIST && is_same_file(name->from, name->to));
  if (!given)
    return ho_fail_file(err, errno == EEXIST ? HO_CONFLICT : HO_IO, ho_str_of(name->from), "cannot be renamed: %s",
                        ho_fs_reason(errno));
  if (name->details_from && ho_fs_rename_in(root, name->details_from, name->details_to) != 0 && errno != ENOENT)
    return ho_fail_file(err, HO_IO, ho_str_of(name->details_from), "cannot be renamed: %s", ho_fs_reason(errno));
  return HO_OK;
}

static void take_back(const char *root, const ho_fix_name *name)
{
  if (!is_same_file(name->from, name->to))
    return;
  if (name->details_from && !ho_fs_exists(name->details_from))
    (void)!ho_fs_rename_in(root, name->details_to, name->details_from);
  ho_fs_unlink_in(root, name->to);
}

static ho_code give_names(const renamer *r, ho_error *err)
{
  ho_code code = HO_OK;
  for (size_t i = 0; !code && i < r->count; i++)
    code = r->names[i] ? give_name(r->call->host->root.p, r->names[i], err) : HO_OK;
  return code;
}

static ho_code drop_names(const renamer *r, ho_error *err)
{
  const char *root = r->call->host->root.p;
  ho_code code = HO_OK;
  size_t i = 0;
  for (; !code && i < r->count; i++)
    if (r->names[i] && ho_fs_unlink_in(root, r->names[i]->from) != 0 && errno != ENOENT)
      code =
          ho_fail_file(err, HO_IO, ho_str_of(r->names[i]->from), "cannot remove the old name: %s", ho_fs_reason(errno));
  while (code && i-- > 0)
    if (r->names[i] && !ho_fs_exists(r->names[i]->from))
      (void)!ho_fs_link_in(root, r->names[i]->to, r->names[i]->from);
  return code;
}

/* All of it, or nothing: second names, then the paths to them, and the first names go last. */
static ho_code rename_all(const renamer *r, ho_error *err)
{
  ho_fix_edit *edits = NULL;
  ho_code code = give_names(r, err);
  if (!code)
    code = ho_fix_files_paths(r->call, r->names, r->count, NULL, &edits, err);
  if (!code)
    code = drop_names(r, err);
  if (!code)
    return code;
  ho_fix_files_put_back(r->call, edits);
  for (size_t i = 0; i < r->count; i++)
    if (r->names[i])
      take_back(r->call->host->root.p, r->names[i]);
  return code;
}

/* The document, if it is a phase handoff in Markdown; one that cannot be read is reported when it is fixed. */
static ho_code read_artifact(const ho_batch_file *file, ho_arena *arena, ho_doc *doc, bool *is, ho_error *err)
{
  ho_str text;
  ho_error unheard = {0};
  *is = false;
  if (!file->full)
    return HO_OK;
  ho_code code = ho_fs_read(arena, file->full, 0, &text, &unheard);
  if (!code)
    code = ho_doc_read(doc, arena, file->path, text, ho_recognise_path(ho_str_of(file->full)), &unheard);
  *is = !code && doc->format == &ho_format_artifact && doc->encoding == HO_MARKDOWN;
  return code == HO_MEMORY ? ho_fail_memory(err) : HO_OK;
}

static ho_code find_one(renamer *r, const ho_batch_file *file, ho_fix_name **out, ho_error *err)
{
  ho_arena arena;
  ho_doc doc;
  bool is;
  ho_arena_init(&arena, 0);
  ho_code code = read_artifact(file, &arena, &doc, &is, err);
  const char *to = is ? find_name(r, file->full, &doc) : NULL;
  ho_arena_free(&arena);
  if (!code)
    code = ho_arena_code(r->call->arena, err);
  if (code || !to)
    return code;
  ho_fix_name *name = *out = HO_NEW(r->call->arena, ho_fix_name);
  if (!name)
    return ho_arena_code(r->call->arena, err);
  ho_str folder = ho_fs_parent(ho_str_of(to));
  *name = (ho_fix_name){.from = file->full, .to = to};
  const char *from = ho_fs_join(r->call->arena, folder, ho_fix_details_name(r->call->arena, ho_str_of(file->full))).p;
  const char *details = ho_fs_join(r->call->arena, folder, ho_fix_details_name(r->call->arena, ho_str_of(to))).p;
  if (ho_fs_is_file(from) || (ho_fs_is_file(details) && is_same_file(file->full, to))) {
    name->details_from = from;
    name->details_to = details;
  }
  return ho_arena_code(r->call->arena, err);
}

/* A details file that is itself among the files has another name from now on. */
static void follow_details(ho_call *call, ho_batch_files *files, const ho_fix_name *name)
{
  for (size_t i = 0; name && name->details_from && i < files->count; i++)
    if (files->items[i].full && strcmp(files->items[i].full, name->details_from) == 0) {
      files->items[i].full = name->details_to;
      files->items[i].path = ho_fs_text(call->arena, ho_shown_path(call, ho_str_of(name->details_to)));
    }
}

/* What was listed under both its names is one file. */
static void drop_second_names(ho_batch_files *files, ho_fix_name **names)
{
  size_t kept = 0;
  for (size_t i = 0; i < files->count; i++) {
    bool second = false;
    for (size_t j = 0; !names[i] && files->items[i].full && !second && j < files->count; j++)
      second = names[j] && strcmp(names[j]->to, files->items[i].full) == 0;
    if (second)
      continue;
    files->items[kept] = files->items[i];
    names[kept++] = names[i];
  }
  files->count = kept;
}

ho_code ho_fix_files_rename(ho_call *call, ho_batch_files *files, bool print, ho_fix_name ***names, ho_error *err)
{
  renamer r = {.call = call};
  r.names = *names = ho_arena_array(call->arena, files->count + 1, sizeof *r.names);
  ho_code code = ho_arena_code(call->arena, err);
  ho_buf_init(&r.diff, 0);
  for (; !code && r.count < files->count; r.count++)
    code = find_one(&r, &files->items[r.count], &r.names[r.count], err);
  ho_fix_edit *none;
  if (!code)
    code = print ? ho_fix_files_paths(call, r.names, r.count, &r.diff, &none, err) : rename_all(&r, err);
  for (size_t i = 0; !code && !print && i < r.count; i++)
    follow_details(call, files, r.names[i]);
  if (!code)
    drop_second_names(files, r.names);
  if (!code && r.diff.n)
    ho_map_addz(call->result, "diff", ho_node_text(call->arena, ho_arena_copy(call->arena, ho_buf_str(&r.diff))));
  if (!code)
    code = ho_buf_code(&r.diff, err);
  ho_buf_free(&r.diff);
  return code;
}
