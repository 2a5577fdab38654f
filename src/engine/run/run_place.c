/* Where the documents of a run are. A task's folder may be shared by people, by `pass` and by later plans of the task;
 * what a teammate returns, and the progress of a phase, belong to one run only. */
#include <errno.h>
#include <fcntl.h>

#include "engine/phase/progress.h"
#include "engine/project/paths.h"
#include "engine/project/quote.h"
#include "engine/project/project.h"
#include "engine/project/redact.h"
#include "engine/project/worktree.h"
#include "engine/run/run_parts.h"
#include "model/formats/place.h"

/* In the folder of a plan without a task: the path of that plan, as the store has it. */
#define OWNER ".plan"
enum { NAMES_MS = 30000 };

ho_code ho_run_phase(const ho_run *run, ho_arena *arena, size_t step, ho_str root, ho_phase *out, ho_error *err)
{
  ho_str slug = ho_fs_name(run->folder);
  size_t bar = ho_str_find_char(slug, '_');
  *out = (ho_phase){.arena = arena,
                    .project = run->project,
                    .root = root,
                    .task = run->row.task,
                    .phase = run->plan.items[step].key,
                    .slug = ho_str_sub(slug, bar == HO_NONE ? 0 : bar + 1, slug.n),
                    .now_ms = ho_project_now(run->project)};
  return ho_phase_find(out, err);
}

/* ---- The task's folder. */

/* A task's name made of the plan's: letters, digits and dashes. */
static ho_str name_of(ho_run *run)
{
  enum { LONGEST = 56 }; /* leaves room for a number within the length of a task's name */
  ho_str file = ho_fs_name(run->plan.path);
  size_t dot = ho_str_find_char(file, '.'), n = 0;
  char *name = ho_arena_alloc(run->arena, file.n + 1);
  for (; name && n < file.n && n < dot && n < LONGEST; n++)
    name[n] = isalnum((unsigned char)file.p[n]) ? file.p[n] : n ? '-' : 'x';
  return n ? (ho_str){name, n} : HO_STR("run");
}

static bool is_number(ho_str name)
{
  size_t n = 0;
  while (n < name.n && isdigit((unsigned char)name.p[n]))
    n++;
  return n == name.n;
}

/* The plan that a folder belongs to: as its own file says, else as the newest run of the task does; "": no plan's. */
static ho_code owner_of(ho_run *run, const ho_phase *phase, ho_str *out, ho_error *err)
{
  ho_str text;
  ho_error none;
  ho_run_list newest;
  ho_str path = ho_arena_printf(run->arena, "%.*s/%.*s/" OWNER, HO_ARG(phase->root), HO_ARG(phase->folder));
  *out = HO_EMPTY;
  if (path.n && ho_fs_read(run->arena, path.p, 0, &text, &none) == HO_OK) {
    *out = ho_str_trim(text);
    return HO_OK;
  }
  ho_code code = ho_runs_select(run->project->store, HO_EMPTY, phase->task, false, 1, run->arena, &newest, err);
  if (!code && newest.count)
    *out = newest.rows[0].plan;
  return code;
}

/* May the plan use the folder that was found for its name? Not if that belongs to another plan, or to a numbered task. */
static ho_code is_own(ho_run *run, const ho_phase *phase, bool *own, ho_error *err)
{
  ho_str owner;
  ho_code code = owner_of(run, phase, &owner, err);
  *own = !code && (owner.n ? ho_str_eq(owner, run->row.plan) : !is_number(phase->task));
  return code;
}

/* A plan without a task, or a workflow, is a task of its own, named after its file. If another plan has that name, a
 * number is added: no two plans share a folder. */
static ho_code find_own(ho_run *run, ho_phase *phase, ho_error *err)
{
  enum { NAMES = 1000 };
  ho_str name = name_of(run);
  for (int n = 1; n <= NAMES; n++) {
    bool own = false;
    ho_error why = {0};
    phase->task = n == 1 ? name : ho_arena_printf(run->arena, "%.*s-%d", HO_ARG(name), n);
    phase->slug = HO_EMPTY;
    ho_code code = ho_phase_find(phase, &why);
    if (code == HO_NOT_FOUND) {
      phase->slug = ho_str_of(HO_PLACE_UNNUMBERED + 1);
      return ho_phase_find(phase, err);
    }
    if (code == HO_MEMORY)
      return ho_fail_memory(err);
    if (!code)
      code = is_own(run, phase, &own, err);
    else
      code = HO_OK; /* several folders have this name */
    if (code || own)
      return code;
  }
  return ho_fail_file(err, HO_LIMIT, run->row.plan, "has the same name as %d other plans", NAMES);
}

/* Two leads that look for a folder at the same time must not find the same one: the other waits until this one's run is
 * recorded. */
static ho_code hold_names(ho_run *run, ho_error *err)
{
  ho_str folder = ho_fs_join(run->arena, run->project->home, HO_STR(HO_PATH_RUN));
  ho_code code = ho_arena_code(run->arena, err);
  if (!code)
    code = ho_fs_mkdirs(folder.p, err);
  if (code)
    return code;
  run->names = ho_fs_open(folder.p, O_RDONLY | O_DIRECTORY);
  if (run->names < 0)
    return ho_fail_file(err, HO_IO, folder, "cannot be opened: %s", ho_fs_reason(errno));
  return ho_fs_lock(run->names, folder, NAMES_MS, err);
}

ho_code ho_run_place(ho_run *run, ho_error *err)
{
  ho_phase phase = {.arena = run->arena,
                    .project = run->project,
                    .root = run->project->root,
                    .phase = HO_STR("1"),
                    .task = run->plan.task,
                    .slug = run->plan.slug};
  ho_error none;
  ho_code code = phase.task.n ? HO_OK : hold_names(run, err);
  if (!code && !phase.task.n) {
    code = find_own(run, &phase, err);
  } else if (!code) {
    if (!phase.slug.n && ho_phase_find(&phase, &none) == HO_NOT_FOUND)
      phase.slug = ho_str_of(HO_PLACE_UNNUMBERED + 1);
    code = ho_phase_find(&phase, err);
  }
  run->folder = phase.folder;
  run->row.task = phase.task;
  return code;
}

ho_code ho_run_own(ho_run *run, ho_error *err)
{
  if (run->plan.task.n)
    return HO_OK;
  ho_str folder = ho_fs_join(run->arena, run->project->root, run->folder);
  ho_str path = ho_fs_join(run->arena, folder, HO_STR(OWNER));
  ho_str text = ho_arena_printf(run->arena, "%.*s\n", HO_ARG(run->row.plan));
  ho_code code = ho_arena_code(run->arena, err);
  if (code || ho_fs_exists(path.p))
    return code;
  if (!ho_fs_inside(ho_arena_z(run->arena, run->project->root), path.p))
    return ho_fail_file(err, HO_IO, run->folder, "would be outside the project");
  const char *root = ho_arena_z(run->arena, run->project->root);
  code = ho_fs_mkdirs_in(root, folder.p, err);
  return code ? code : ho_fs_write_in(root, path.p, text, HO_FS_REPLACE, err);
}

/* ---- Other plans of the same task. */

/* The plan of a teammate's run; "" if it is this one's, or that of a worker, who has none. */
static ho_code other_plan(ho_run *run, const ho_teammate *mate, ho_arena *arena, ho_str *out, ho_error *err)
{
  ho_run_row row;
  ho_code code = ho_runs_get(run->project->store, mate->run, arena, &row, err);
  bool other = !code && !ho_str_eq(row.plan, run->row.plan) && !ho_str_starts(row.plan, HO_RUN_WORKER);
  *out = other ? row.plan : HO_EMPTY;
  return code;
}

ho_code ho_run_alone(ho_run *run, ho_error *err)
{
  ho_teammate_list list;
  ho_str plan = HO_EMPTY;
  ho_code code =
      ho_runs_teammates(run->project->store, HO_EMPTY, run->row.task, HO_TEAMMATE_RUNNING, 0, run->arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++) {
    const ho_teammate *mate = &list.rows[i];
    if (ho_process_start((pid_t)mate->pid) != mate->pid_start || !mate->pid_start)
      continue;
    code = other_plan(run, mate, run->arena, &plan, err);
    if (!code && plan.n)
      return ho_fail_file(err, HO_CONFLICT, run->row.plan,
                          "%.*s still works on task %.*s for another plan; run: handoff run %.*s", HO_ARG(mate->id),
                          HO_ARG(run->row.task), HO_ARG(ho_quote_shell(run->arena, plan)));
  }
  return code;
}

/* Of the teammates that worked on this phase of the task, the newest, if it did so for another plan. */
static ho_code find_foreign(ho_run *run, ho_run_mate *mate, ho_str *id, ho_str *plan, ho_error *err)
{
  ho_teammate_list list;
  ho_code code =
      ho_runs_teammates(run->project->store, HO_EMPTY, run->row.task, HO_TEAMMATE_ANY, 0, &mate->arena, &list, err);
  size_t i = code ? 0 : list.count;
  *plan = HO_EMPTY;
  while (i > 0 && !ho_str_eq(list.rows[i - 1].step, mate->row.step))
    i--;
  if (code || !i)
    return code;
  *id = list.rows[i - 1].run;
  return other_plan(run, &list.rows[i - 1], &mate->arena, plan, err);
}

static ho_code set_aside(ho_run *run, ho_phase *phase, ho_str other, ho_str *kept, ho_error *err)
{
  int lock;
  ho_str text;
  ho_str full = ho_fs_join(phase->arena, phase->root, phase->progress);
  ho_str folder = ho_paths_run(phase->arena, run->project->home, other);
  *kept = ho_fs_join(phase->arena, folder, ho_fs_name(phase->progress));
  ho_code code = ho_arena_code(phase->arena, err);
  if (!code)
    code = ho_phase_lock(phase, &lock, err);
  if (code)
    return code;
  code = ho_fs_read(phase->arena, full.p, 0, &text, err);
  if (!code)
    code = ho_fs_mkdirs(folder.p, err);
  if (!code)
    code = ho_fs_write(kept->p, ho_redact_file(run->project, phase->arena, *kept, text), HO_FS_REPLACE, err);
  if (!code)
    ho_fs_unlink_in(ho_arena_z(phase->arena, phase->root), full.p);
  ho_phase_unlock(lock);
  return code;
}

ho_code ho_run_fresh(ho_run *run, ho_run_mate *mate, ho_error *err)
{
  ho_phase phase;
  ho_str other, plan, kept;
  if (mate->row.n > 1 || run->plan.items[mate->step].status != HO_PLAN_WAITING)
    return HO_OK;
  ho_code code = ho_run_phase(run, &mate->arena, mate->step, mate->row.folder, &phase, err);
  if (code || !ho_fs_exists(ho_fs_join(&mate->arena, phase.root, phase.progress).p))
    return code;
  code = find_foreign(run, mate, &other, &plan, err);
  if (code || !plan.n)
    return code;
  code = set_aside(run, &phase, other, &kept, err);
  if (!code)
    ho_run_note(run, "phase %.*s starts from the beginning; its progress in %.*s is now in %.*s",
                HO_ARG(mate->row.step), HO_ARG(plan), HO_ARG(ho_worktree_kept(run->project->home, kept)));
  return code;
}

/* ---- What a teammate returns. */

ho_str ho_run_meta(const ho_run_mate *mate, ho_arena *arena)
{
  return ho_fs_join(arena, ho_paths_run(arena, mate->row.folder, mate->row.id), HO_STR("result.json"));
}

ho_code ho_run_meta_folder(const ho_run_mate *mate, ho_arena *arena, ho_error *err)
{
  ho_str folder = ho_fs_parent(ho_run_meta(mate, arena));
  ho_code code = ho_arena_code(arena, err);
  if (!code)
    code = ho_fs_mkdirs(ho_arena_z(arena, folder), err);
  return code ? code : ho_run_ignore(arena, mate->row.folder, err);
}

ho_code ho_run_ignore(ho_arena *arena, ho_str root, ho_error *err)
{
  ho_str path = ho_fs_join(arena, root, HO_STR(HO_PATH_RUN "/.gitignore"));
  ho_code code = ho_arena_code(arena, err);
  return code || ho_fs_exists(path.p) ? code : ho_fs_write(path.p, HO_STR("*\n"), HO_FS_REPLACE, err);
}

void ho_run_clean_meta(ho_run *run, ho_run_mate *mate)
{
  ho_str text, clean, path = ho_run_meta(mate, &mate->arena);
  ho_error err;
  if (!path.n || !ho_fs_is_file(path.p) || ho_fs_read(&mate->arena, path.p, 0, &text, &err))
    return;
  clean = ho_redact_file(run->project, &mate->arena, path, text);
  /* Without memory it is unknown what is in it: the run fails, and whoever continues it reads and cleans it again. */
  if (mate->arena.failed)
    return;
  if (!ho_str_eq(clean, text) && ho_fs_write(path.p, clean, HO_FS_REPLACE, &err))
    ho_fs_unlink(path.p);
}

void ho_run_publish(ho_run *run, ho_run_mate *mate, const ho_result *result)
{
  ho_phase phase;
  ho_str text;
  ho_error err;
  ho_arena *a = &mate->arena;
  ho_run_clean_meta(run, mate);
  if (result->answered || result->outcome == HO_OUTCOME_INVALID || !ho_str_eq(result->source, ho_run_meta(mate, a)))
    return;
  ho_code code = ho_run_phase(run, a, mate->step, mate->row.folder, &phase, &err);
  if (!code)
    code = ho_fs_read(a, result->source.p, 0, &text, &err);
  if (!code)
    code = ho_phase_write(&phase, ho_paths_phase_meta(a, phase.folder, phase.phase), text, HO_FS_REPLACE, &err);
  if (code)
    ho_run_note(run, "the metadata of %.*s is only in %.*s: %s", HO_ARG(mate->row.id), HO_ARG(result->source),
                err.message);
}
