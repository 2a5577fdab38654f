#include <dirent.h>

#include "base/buf.h"
#include "engine/phase/progress.h"
#include "engine/project/access.h"
#include "engine/project/git.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"
#include "engine/project/quote.h"
#include "engine/which/which_parts.h"
#include "model/formats/place.h"
#include "model/lifecycle.h"
#include "store/handoffs/handoffs.h"

enum { NAMED = 5, HOUR_MS = 60 * 60 * 1000 }; /* NAMED: phases in a message */

typedef struct seeker {
  ho_phase *phase;
  ho_which *which;
  ho_folders folders;
  ho_str progressing;           /* "task 7 phase 2, task 8 phase 1": what is in progress, for messages */
  ho_str idle;                  /* the same of those that nobody works on */
  ho_str last_task, last_phase; /* the last of those */
  size_t count;                 /* of those */
  size_t taken;                 /* how many of them another session works on */
  bool past;                    /* what the session last worked on is over, or one of several that it has handed on */
  bool apart; /* the agent holds a handoff that belongs to no phase: what others work on is not meant */
} seeker;

/* Takes what is not known yet; the phase of another task says nothing. */
static void take(seeker *s, ho_str task, ho_str phase, const char *source)
{
  ho_phase *p = s->phase;
  task = ho_id_plain(task);
  phase = ho_id_plain(phase);
  if (!p->task.n && task.n) {
    p->task = task;
    s->which->source = source;
  }
  if (!p->phase.n && phase.n && p->task.n && (!task.n || ho_str_eq(p->task, task))) {
    p->phase = phase;
    s->which->source = source;
  }
}

static bool is_known(const seeker *s)
{
  return s->phase->task.n && s->phase->phase.n;
}

static void by_variables(seeker *s)
{
  take(s, ho_access_variable("HANDOFF_TASK"), ho_access_variable("HANDOFF_PHASE"), "HANDOFF_TASK and HANDOFF_PHASE");
}

static const ho_folder *folder_of(const seeker *s, ho_str task)
{
  for (size_t i = 0; i < s->folders.count; i++)
    if (ho_str_eq(s->folders.items[i].task, task))
      return &s->folders.items[i];
  return NULL;
}

static bool has_folder(const seeker *s, ho_str task)
{
  return folder_of(s, task) != NULL;
}

/* A file that cannot be read is in nobody's way. */
static const ho_node *progress_of(const seeker *s, const ho_folder *folder, ho_str phase)
{
  ho_doc doc;
  ho_error none = {0};
  ho_phase p = {.arena = s->phase->arena,
                .root = s->phase->root,
                .task = folder->task,
                .phase = phase,
                .folder = folder->path,
                .progress = ho_paths_progress(s->phase->arena, folder->path, phase)};
  return ho_progress_read(&p, &doc, &none) ? NULL : doc.root;
}

static bool open_store(const seeker *s)
{
  ho_error none = {0};
  return ho_project_has_store(s->phase->project) && !ho_project_open(s->phase->project, HO_OPEN_EXISTING, &none);
}

static void by_held(seeker *s)
{
  ho_project *project = s->phase->project;
  ho_which_work work;
  ho_handoff_list held;
  ho_str task, phase;
  ho_error none = {0};
  ho_which_load(project, s->phase->arena, &work);
  bool begun = work.task.n && !work.handoff.n && has_folder(s, ho_id_plain(work.task));
  if (begun || !open_store(s) || ho_which_held(project, s->phase->arena, &held, &none) || !held.count ||
      ho_which_of(project, s->phase->arena, &held.rows[0], &task, &phase, &none))
    return;
  s->apart = s->which->make && (!task.n || (!phase.n && held.rows[0].phase.n));
  if (s->which->make || has_folder(s, ho_id_plain(task)))
    take(s, task, phase, "the handoff that you hold");
}

/* May what is chosen now be ended or superseded, without anybody having named it? */
static bool is_choosing(const seeker *s)
{
  return (s->which->make || s->which->ends) && !s->phase->task.n;
}

/* Is what the session worked on over: finished, or not what it has handed on and what waits? If several do, it says
 * nothing: a lead whose agents share its session asks for the successor of each of them. */
static bool is_past(const seeker *s, const ho_which_work *work)
{
  ho_project *project = s->phase->project;
  ho_handoff_list list;
  size_t own = 0;
  bool waits = false;
  ho_which_waiting(project, s->phase->arena, HO_EMPTY, &list);
  for (size_t i = 0; i < list.count; i++) {
    waits = waits || (ho_str_eq(list.rows[i].task, work->task) && ho_str_eq(list.rows[i].phase, work->phase));
    own += ho_str_eq(list.rows[i].session, project->session);
  }
  if ((work->left || work->asked) && own)
    return !waits || own > 1;
  return !waits && ho_progress_finished(progress_of(s, folder_of(s, ho_id_plain(work->task)), work->phase));
}

static void by_session(seeker *s)
{
  ho_which_work work;
  ho_which_load(s->phase->project, s->phase->arena, &work);
  if (s->apart || !work.task.n || !has_folder(s, ho_id_plain(work.task)))
    return;
  s->past = s->which->follows && is_past(s, &work);
  if (s->past)
    return;
  if (!is_choosing(s) || !ho_which_gone(s->phase->project, s->phase->arena, &work, &s->which->aside))
    take(s, work.task, work.phase, "what this session last worked on");
}

static void by_branch(seeker *s)
{
  ho_arena *arena = s->phase->arena;
  ho_str task, phase;
  if (s->apart)
    return;
  ho_which_by_name(arena, ho_git_branch(arena, s->phase->root), &s->folders, &task, &phase);
  take(s, task, phase, "the name of the branch");
  if (is_known(s) || ho_str_eq(s->phase->root, s->phase->project->home))
    return;
  ho_which_by_name(arena, ho_fs_name(s->phase->root), &s->folders, &task, &phase);
  take(s, task, phase, "the name of the worktree");
}

/* Does the phase have objectives that are not done? */
static bool is_open(const seeker *s, const ho_folder *folder, ho_str phase)
{
  ho_progress_count count = ho_progress_counted(progress_of(s, folder, phase));
  return count.done < count.total;
}

/* Does another session work on it? Its handoff is not to be replaced by that of a stranger. One that has ended is gone; one
 * that is only silent may be at a long step, and a guess has to be right, so that it counts for an hour. */
static bool is_taken(const seeker *s, ho_str task, ho_str phase)
{
  static const ho_state states[] = {HO_STATE_CLAIMED, HO_STATE_ACKED};
  ho_project *project = s->phase->project;
  ho_error none = {0};
  ho_which_list workers = ho_which_workers(project, s->phase->arena);
  for (size_t i = 0; i < workers.count; i++)
    if (ho_which_works_on(&workers.items[i], task, phase, ho_project_now(project) - HOUR_MS))
      return true;
  if (!open_store(s))
    return false;
  for (size_t i = 0; i < HO_COUNT(states); i++) {
    ho_handoff_list list;
    ho_filter filter = {.state = ho_str_of(ho_state_name(states[i])), .task = task, .phase = phase, .limit = 1};
    if (ho_handoffs_select(project->store, &filter, s->phase->arena, &list, &none) == HO_OK && list.count)
      return !ho_str_eq(list.rows[0].claim_session, project->session) &&
             !ho_which_ended(project, s->phase->arena, list.rows[0].claim_session);
  }
  return false;
}

/* One that could be meant, as the options that the caller left out. */
static void add_choice(seeker *s, ho_str task, ho_str phase)
{
  ho_arena *arena = s->phase->arena;
  ho_str id = ho_quote_shell(arena, phase);
  ho_list_add(s->which->choices,
              ho_node_text(arena, s->phase->task.n ? ho_arena_printf(arena, "--phase %.*s", HO_ARG(id))
                                                   : ho_arena_printf(arena, "--task %.*s --phase %.*s",
                                                                     HO_ARG(ho_quote_shell(arena, task)), HO_ARG(id))));
}

static void put_name(ho_buf *names, ho_str task, ho_str phase)
{
  ho_buf_printf(names, "%stask %.*s phase %.*s", names->n ? ", " : "", HO_ARG(task), HO_ARG(phase));
}

static void look_in(seeker *s, const ho_folder *folder, ho_buf *names, ho_buf *idle)
{
  ho_arena *arena = s->phase->arena;
  ho_handoff waiting;
  ho_str below = ho_fs_parent(ho_paths_progress(arena, folder->path, HO_STR("1"))), id;
  DIR *dir = ho_fs_opendir(ho_fs_join(arena, s->phase->root, below).p);
  for (struct dirent *entry; dir && !arena->failed && (entry = readdir(dir));) {
    if (!ho_place_between(ho_str_of(entry->d_name), "phase-", "-progress.json", &id) || !ho_folder_id_fits(id))
      continue;
    id = ho_arena_copy(arena, id);
    if (!is_open(s, folder, id))
      continue;
    bool taken = !s->phase->task.n && is_taken(s, folder->task, id);
    if (!taken && is_choosing(s) && ho_which_waits(s->phase->project, arena, folder->task, id, &waiting)) {
      taken = true;
      s->which->aside = s->which->aside.seq > waiting.seq ? s->which->aside : waiting;
    }
    s->taken += taken;
    s->last_task = folder->task;
    s->last_phase = id;
    if (!taken && s->count - s->taken < NAMED)
      put_name(idle, folder->task, id);
    if (s->which->choices->count < NAMED && !(taken && s->which->make))
      add_choice(s, folder->task, id);
    if (s->count++ < NAMED)
      put_name(names, folder->task, id);
  }
  if (dir)
    closedir(dir);
}

/* Phases whose handoff waits, also those of which no progress file is here: each once. */
static void look_at_waiting(seeker *s, ho_buf *names)
{
  ho_handoff_list list;
  ho_which_waiting(s->phase->project, s->phase->arena, s->phase->task, &list);
  for (size_t i = 0; i < list.count; i++) {
    const ho_handoff *row = &list.rows[i];
    const ho_folder *folder = folder_of(s, row->task);
    bool again = !row->task.n || !row->phase.n || (folder && (folder->archived || is_open(s, folder, row->phase)));
    for (size_t j = 0; j < i && !again; j++)
      again = ho_str_eq(list.rows[j].task, row->task) && ho_str_eq(list.rows[j].phase, row->phase);
    if (again)
      continue;
    s->last_task = row->task;
    s->last_phase = row->phase;
    if (s->which->choices->count < NAMED)
      add_choice(s, row->task, row->phase);
    if (s->count++ < NAMED)
      put_name(names, row->task, row->phase);
  }
}

static void by_progress(seeker *s)
{
  ho_buf names, idle;
  s->which->choices = ho_node_new(s->phase->arena, HO_KIND_LIST);
  if (s->apart || !s->which->choices)
    return;
  ho_buf_init(&names, 0);
  ho_buf_init(&idle, 0);
  for (size_t i = 0; i < s->folders.count; i++) {
    const ho_folder *folder = &s->folders.items[i];
    if (!folder->archived && (!s->phase->task.n || ho_str_eq(folder->task, s->phase->task)))
      look_in(s, folder, &names, &idle);
  }
  if (s->which->follows)
    look_at_waiting(s, &names);
  if (s->count > NAMED)
    ho_buf_puts(&names, " and others");
  s->progressing = ho_buf_move(&names, s->phase->arena);
  s->idle = ho_buf_move(&idle, s->phase->arena);
  if (s->count == 1 && !s->taken)
    take(s, s->last_task, s->last_phase, "the only phase in progress");
}

/* Nothing else is meant: what is over is said to be over. */
static void by_past(seeker *s)
{
  ho_which_work work;
  ho_which_load(s->phase->project, s->phase->arena, &work);
  if (s->past && !s->count)
    take(s, work.task, work.phase, "what this session last worked on");
}

static ho_code refuse_several(const seeker *s, ho_error *err)
{
  ho_phase *p = s->phase;
  ho_error none = {0};
  bool begins = s->which->make && !p->task.n && !ho_which_free_number(p, &none);
  if (!begins)
    return ho_fail(err, HO_USAGE, "several phases are in progress (%.*s); use --task N --phase P",
                   HO_ARG(s->progressing));
  ho_list_add(s->which->choices, ho_node_text(p->arena, ho_arena_printf(p->arena, "--task %.*s", HO_ARG(p->task))));
  return ho_fail(err, HO_USAGE,
                 "several phases are in progress (%.*s); use --task N --phase P, or for new work --task %.*s",
                 HO_ARG(s->progressing), HO_ARG(p->task));
}

/* Nothing is meant but what was left aside. */
static ho_code refuse_aside(const seeker *s, ho_error *err)
{
  ho_arena *arena = s->phase->arena;
  const ho_handoff *row = &s->which->aside;
  ho_str options = ho_arena_printf(arena, "--task %.*s --phase %.*s", HO_ARG(ho_quote_shell(arena, row->task)),
                                   HO_ARG(ho_quote_shell(arena, row->phase)));
  s->which->choices = ho_node_new(arena, HO_KIND_LIST);
  ho_list_add(s->which->choices, ho_node_text(arena, options));
  return ho_fail(err, HO_USAGE,
                 "nothing that you work on is in progress; %.*s is open%s; if you did its work, use %.*s",
                 HO_ARG(ho_which_named(arena, row)), ho_which_claimable(row) ? ", but you have not claimed it" : "",
                 HO_ARG(options));
}

static ho_code refuse(const seeker *s, ho_error *err)
{
  if (s->which->aside.id.n)
    return refuse_aside(s, err);
  if (s->count > 1)
    return refuse_several(s, err);
  if (s->taken)
    return ho_fail(err, HO_USAGE,
                   "%.*s is in progress, but in another session; if you work on it, use --task %.*s --phase %.*s",
                   HO_ARG(s->progressing), HO_ARG(s->last_task), HO_ARG(s->last_phase));
  if (s->phase->task.n)
    return ho_fail(err, HO_USAGE, "no phase of task %.*s is in progress; use --phase P", HO_ARG(s->phase->task));
  return ho_fail(err, HO_USAGE, "no task is in progress here; use --task N --phase P");
}

/* Is it certain that a phase which nobody works on is not meant? A session with an id of its own is remembered with whatever
 * it worked on, held or was told of, and a successor is told its task and phase: one that is remembered with none of them
 * does something else. A session that is only known by the day may be anybody's, also that of yesterday's work. A task
 * that begins for it would tear that work apart, and nobody would notice; a refusal costs one more command, and has it ready
 * to be copied. Phases of a task that is named are meant by whoever names it. */
static bool is_own_work(const seeker *s)
{
  return !s->phase->task.n && (s->which->starts || !ho_identity_is_day(s->phase->project->session));
}

/* The first phase of a task: of a new one, or of one that nobody has begun. What other sessions work on is in nobody's
 * way: an agent whose context is full must be able to hand over without asking around. */
static ho_code begin(seeker *s, ho_error *err)
{
  ho_phase *p = s->phase;
  if (is_choosing(s) && !s->which->aside.id.n && !s->apart)
    ho_which_offer(p->project, p->arena, &s->which->aside);
  bool there = p->task.n && has_folder(s, p->task), several = s->count - s->taken > 1;
  if (!s->which->make || (several && !is_own_work(s)))
    return refuse(s, err);
  if (several)
    s->which->beside = s->idle;
  ho_code code = HO_OK;
  if (!p->phase.n && s->apart)
    code = ho_which_new_phase(p, &s->folders, err);
  else if (!p->phase.n)
    p->phase = HO_STR("1");
  if (code || there)
    return code;
  s->which->made = true;
  code = ho_which_slug(p, s->which->hint, err);
  return code || p->task.n ? code : ho_which_new_task(p, err);
}

/* A second folder for a task would part its handoffs and hide what it has decided. Whoever names one means another task:
 * the one of that name, or one that is to begin. */
static ho_code refuse_second(ho_phase *phase, ho_error *err)
{
  ho_folders folders;
  const ho_folder *own = NULL, *named = NULL;
  ho_str task = phase->task;
  ho_code code = ho_folders_list(phase->arena, phase->root, &folders, err);
  for (size_t i = 0; !code && i < folders.count; i++) {
    const ho_folder *each = &folders.items[i];
    own = !each->archived && ho_str_eq(each->task, task) ? each : own;
    named = !each->archived && ho_str_eq(each->slug, phase->slug) ? each : named;
  }
  if (!code && own && !named)
    code = ho_which_free_number(phase, err);
  if (code || !own)
    return code;
  return ho_fail(err, HO_USAGE, "the folder of task %.*s is %.*s; leave out --slug, or use --task %.*s for %s",
                 HO_ARG(task), HO_ARG(own->path), HO_ARG(named ? named->task : phase->task),
                 named ? "the task of that name" : "a new one");
}

ho_code ho_which_phase(ho_phase *phase, ho_which *which, ho_error *err)
{
  seeker s = {.phase = phase, .which = which};
  phase->task = ho_id_plain(phase->task);
  phase->phase = ho_id_plain(phase->phase);
  which->named = phase->task.n || ho_access_variable("HANDOFF_TASK").n;
  if (!is_known(&s) || (which->make && !phase->slug.n)) {
    ho_code code = ho_folders_list(phase->arena, phase->root, &s.folders, err);
    if (code)
      return code;
    static const struct {
      void (*look)(seeker *s);
      bool searches;
    } ways[] = {{by_variables, false}, {by_held, false},    {by_session, false},
                {by_branch, true},     {by_progress, true}, {by_past, false}};
    for (size_t i = 0; i < HO_COUNT(ways) && !is_known(&s); i++) {
      ways[i].look(&s);
      which->searched = ways[i].searches;
    }
    if (!is_known(&s) || (which->make && !has_folder(&s, phase->task)))
      code = begin(&s, err);
    if (code)
      return code;
  }
  ho_code code = ho_phase_find(phase, err);
  if (which->made)
    phase->there = false; /* the folder is this command's own */
  return code || phase->there || which->made ? code : refuse_second(phase, err);
}

void ho_which_quickly(ho_project *project, ho_arena *arena, ho_str *task, ho_str *phase)
{
  ho_phase p = {.arena = arena, .project = project, .task = *task, .phase = *phase};
  ho_which which = {0};
  ho_which_work work;
  seeker s = {.phase = &p, .which = &which};
  by_variables(&s);
  if (!is_known(&s)) {
    ho_which_load(project, arena, &work);
    take(&s, work.task, work.phase, "");
  }
  *task = p.task;
  *phase = p.phase;
}
