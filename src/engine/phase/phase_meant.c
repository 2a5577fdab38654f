#include "engine/phase/phase_meant.h"

#include <dirent.h>
#include <fcntl.h>

#include "base/grow.h"
#include "engine/phase/progress.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"
#include "model/lifecycle.h"
#include "store/handoffs/handoffs.h"

enum { LOCK_MS = 10 * 1000, SLUG_WORDS = 4, SLUG_LENGTH = 40, NAMED = 3 };

void ho_phase_environment(ho_phase *phase)
{
  ho_str task = ho_str_of(getenv("HANDOFF_TASK")), number = ho_str_of(getenv("HANDOFF_PHASE"));
  if (!phase->task.n && !phase->phase.n)
    phase->task = ho_arena_copy(phase->arena, task);
  if (!phase->phase.n && task.n && ho_str_eq(ho_id_plain(phase->task), ho_id_plain(task)))
    phase->phase = ho_arena_copy(phase->arena, number);
}

ho_code ho_phase_known(const ho_phase *phase, ho_error *err)
{
  if (!phase->task.n)
    return ho_fail(err, HO_USAGE, "which task? use --task N (or HANDOFF_TASK)");
  if (!phase->phase.n)
    return ho_fail(err, HO_USAGE, "which phase of task %.*s? use --phase P (or HANDOFF_PHASE)", HO_ARG(phase->task));
  return HO_OK;
}

/* The phases in progress: those whose progress file has objectives that are neither done nor blocked. */
typedef struct in_progress {
  ho_phase *rows;
  size_t count;
} in_progress;

static void look_at(const ho_phase *about, ho_str task, ho_str file, in_progress *out)
{
  static const ho_str begin = {"phase-", 6}, end = {"-progress.json", 14};
  ho_error none = {0};
  ho_doc doc;
  if (file.n <= begin.n + end.n || !ho_str_starts(file, begin.p) || !ho_str_ends(file, end.p))
    return;
  ho_phase phase = {.arena = about->arena,
                    .root = about->root,
                    .task = ho_arena_copy(about->arena, task),
                    .phase = ho_arena_copy(about->arena, ho_str_sub(file, begin.n, file.n - end.n)),
                    .now_ms = about->now_ms};
  if (ho_phase_find(&phase, &none) || ho_progress_read(&phase, &doc, &none) || !ho_node_is(doc.root, HO_KIND_MAP))
    return;
  ho_progress_count count = ho_progress_counted(doc.root);
  if (count.done + count.blocked >= count.total)
    return;
  ho_phase *row = HO_PUSH(about->arena, out->rows, out->count);
  if (row)
    *row = phase;
}

static void look_into(const ho_phase *about, ho_str folder, in_progress *out)
{
  size_t bar = ho_str_find_char(folder, '_');
  ho_str task = bar == HO_NONE ? HO_EMPTY : ho_id_plain(ho_str_sub(folder, 0, bar));
  if (!task.n || (about->task.n && !ho_str_eq(task, ho_id_plain(about->task))))
    return;
  ho_str below = ho_arena_printf(about->arena, HO_PATH_SPECS "/%.*s/progress", HO_ARG(folder));
  DIR *dir = ho_fs_opendir(ho_fs_join(about->arena, about->root, below).p);
  for (struct dirent *entry; dir && !about->arena->failed && (entry = readdir(dir));)
    look_at(about, task, ho_str_of(entry->d_name), out);
  if (dir)
    closedir(dir);
}

/* Of the given task, or of all; *last is the largest number of a task. */
static in_progress look_around(const ho_phase *about, uint64_t *last)
{
  in_progress found = {0};
  DIR *dir = ho_fs_opendir(ho_fs_join(about->arena, about->root, HO_STR(HO_PATH_SPECS)).p);
  *last = 0;
  for (struct dirent *entry; dir && !about->arena->failed && (entry = readdir(dir));) {
    uint64_t number;
    ho_str name = ho_str_of(entry->d_name);
    size_t bar = ho_str_find_char(name, '_');
    if (bar != HO_NONE && ho_str_to_u64(ho_str_sub(name, 0, bar), &number) && number > *last)
      *last = number;
    look_into(about, name, &found);
  }
  if (dir)
    closedir(dir);
  return found;
}

static ho_code name_them(const ho_phase *phase, const in_progress *found, ho_error *err)
{
  ho_buf list;
  ho_buf_init(&list, 0);
  for (size_t i = 0; i < found->count && i < NAMED; i++)
    ho_buf_printf(&list, "%s--task %.*s --phase %.*s", i ? ", " : "", HO_ARG(found->rows[i].task),
                  HO_ARG(found->rows[i].phase));
  if (found->count > NAMED)
    ho_buf_puts(&list, ", …");
  ho_str text = ho_buf_move(&list, phase->arena);
  if (phase->task.n)
    return ho_fail(err, HO_USAGE, "which phase? in progress: %.*s", HO_ARG(text));
  return ho_fail(err, HO_USAGE, "which task? in progress: %.*s; for other work, use --task N --phase 1 --slug NAME",
                 HO_ARG(text));
}

/* What this session holds. Sessions without a name of their own share that of the day. */
static ho_code take_held(ho_phase *phase, ho_error *err)
{
  ho_project *project = phase->project;
  ho_handoff_list list;
  const ho_handoff *held = NULL;
  ho_filter filter = {.holder = project->session};
  if (!ho_identity_session().n)
    return HO_OK;
  ho_code code = ho_handoffs_select(project->store, &filter, phase->arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++) {
    const ho_handoff *row = &list.rows[i];
    bool open =
        ho_str_is(row->state, ho_state_name(HO_STATE_CLAIMED)) || ho_str_is(row->state, ho_state_name(HO_STATE_ACKED));
    if (!open || !row->task.n || !row->phase.n)
      continue;
    if (held && (!ho_str_eq(held->task, row->task) || !ho_str_eq(held->phase, row->phase)))
      return HO_OK;
    held = row;
  }
  if (!code && held) {
    phase->task = held->task;
    phase->phase = held->phase;
  }
  return code;
}

/* The first words, in the form of a slug; "work" if there are none. */
static ho_str slug_of(ho_arena *arena, ho_str text)
{
  char slug[SLUG_LENGTH + 1];
  size_t n = 0, words = 0;
  for (size_t i = 0; i < text.n && n < SLUG_LENGTH; i++) {
    unsigned char c = (unsigned char)text.p[i];
    if (isalnum(c) && c < 0x80)
      slug[n++] = (char)tolower(c);
    else if (n && slug[n - 1] != '_' && ++words == SLUG_WORDS)
      break;
    else if (n && slug[n - 1] != '_')
      slug[n++] = '_';
  }
  while (n && slug[n - 1] == '_')
    n--;
  return n ? ho_arena_copy(arena, (ho_str){slug, n}) : HO_STR("work");
}

/* A number is free if no folder has it, and no handoff: another worktree may have the folder. */
static ho_code free_number(const ho_phase *phase, uint64_t last, ho_str *out, ho_error *err)
{
  ho_handoff_list list = {.count = 1};
  ho_code code = HO_OK;
  while (!code && list.count) {
    *out = ho_arena_printf(phase->arena, "%llu", (unsigned long long)++last);
    ho_filter filter = {.task = *out, .limit = 1};
    code = ho_handoffs_select(phase->project->store, &filter, phase->arena, &list, err);
  }
  return code ? code : ho_arena_code(phase->arena, err);
}

static ho_code lock_numbers(const ho_phase *phase, int *lock, ho_error *err)
{
  ho_str path = ho_fs_join(phase->arena, phase->project->home, HO_STR(HO_PATH_FOLDER "/new-task.lock"));
  int fd = path.n ? ho_fs_open(path.p, O_RDWR | O_CREAT) : -1;
  if (fd < 0)
    return ho_fail_file(err, HO_IO, HO_STR(HO_PATH_FOLDER "/new-task.lock"), "cannot be opened");
  ho_code code = ho_fs_lock(fd, path, LOCK_MS, err);
  if (code)
    ho_phase_unlock(fd);
  else
    *lock = fd;
  return code;
}

static ho_code make_task(ho_phase *phase, ho_str about, int *lock, ho_error *err)
{
  uint64_t last;
  ho_code code = lock_numbers(phase, lock, err);
  if (code)
    return code;
  (void)look_around(phase, &last);
  code = free_number(phase, last, &phase->task, err);
  if (code) {
    ho_phase_unlock(*lock);
    *lock = -1;
    return code;
  }
  phase->phase = HO_STR("1");
  if (!phase->slug.n)
    phase->slug = slug_of(phase->arena, about);
  return HO_OK;
}

ho_code ho_phase_choose(ho_phase *phase, ho_str about, bool *made, int *lock, ho_error *err)
{
  uint64_t last;
  *made = false;
  *lock = -1;
  if (phase->phase.n && !phase->task.n)
    return ho_phase_known(phase, err);
  ho_code code = phase->task.n ? HO_OK : take_held(phase, err);
  if (code || phase->phase.n)
    return code;
  in_progress found = look_around(phase, &last);
  if (phase->task.n && found.count == 1)
    phase->phase = found.rows[0].phase;
  else if (found.count)
    return name_them(phase, &found, err);
  if (phase->task.n)
    return ho_phase_known(phase, err);
  code = make_task(phase, about, lock, err);
  *made = !code;
  return code;
}

void ho_phase_chosen(const ho_phase *phase, int lock, bool sent)
{
  if (lock < 0)
    return;
  if (!sent && phase->folder.n) { /* they stay if anything is in them */
    (void)!ho_fs_rmdir_in(phase->root.p, ho_fs_join(phase->arena, phase->root, phase->folder).p);
    (void)!ho_fs_rmdir_in(phase->root.p, ho_fs_join(phase->arena, phase->root, HO_STR(HO_PATH_SPECS)).p);
  }
  ho_phase_unlock(lock);
}
