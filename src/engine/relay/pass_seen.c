/* Work that nobody has logged, but that can be seen: the handoff is done, other commits, files that have changed since. */
#include <sys/stat.h>

#include "engine/context/touched.h"
#include "engine/ledger/marks.h"
#include "engine/project/git.h"
#include "engine/project/paths.h"
#include "engine/project/project.h"
#include "engine/relay/pass.h"
#include "model/lifecycle.h"
#include "store/handoffs/handoffs.h"

static bool is_newer(const ho_pass *pass, ho_str path, int64_t since)
{
  struct stat info;
  ho_str full = ho_fs_join(pass->phase.arena, pass->phase.root, path);
  return !pass->phase.arena->failed && ho_fs_stat(full.p, &info) == 0 && S_ISREG(info.st_mode) &&
         (int64_t)info.st_mtim.tv_sec * 1000 + info.st_mtim.tv_nsec / 1000000 > since;
}

/* Among what git calls changed or untracked. Files of tasks are written by handing over itself. */
static bool is_tree_newer(const ho_pass *pass, int64_t since)
{
  ho_str changes, line;
  if (!ho_git_changes(pass->phase.arena, pass->phase.root, &pass->project->written, &changes))
    return false;
  while (ho_str_next_line(&changes, &line)) {
    ho_str path = ho_str_sub(line, 3, line.n); /* after "XY " */
    if (!ho_str_starts(path, HO_PATH_SPECS "/") && is_newer(pass, path, since))
      return true;
  }
  return false;
}

/* Among those that hooks saw the phase's agents work with; also without git. */
static bool is_touched_newer(const ho_pass *pass, int64_t since)
{
  const ho_phase *phase = &pass->phase;
  ho_touched touched =
      ho_touched_load(phase->arena, ho_touched_path(phase->arena, pass->project->home, phase->task, phase->phase));
  HO_EACH_CONST (file, touched.files)
    if (is_newer(pass, ho_node_str(file), since))
      return true;
  return false;
}

/* Whoever took it has said that its next action is done, also if that left no trace in the files. */
static bool is_done(const ho_handoff *row, ho_arena *arena)
{
  const char *done = ho_state_name(HO_STATE_DONE);
  return ho_str_is(row->state, done) || ho_str_is(ho_marks_get(row, arena, HO_MARK_OUTCOME), done);
}

bool ho_pass_seen(const ho_pass *pass)
{
  ho_arena *arena = pass->phase.arena;
  ho_handoff row;
  if (!ho_handed_row(pass->project, arena, pass->phase.root, &pass->previous, &row)) /* the newest earlier handoff */
    return false;
  ho_str then = ho_marks_get(&row, arena, "head"), now = ho_git_head(arena, pass->phase.root);
  return is_done(&row, arena) || (then.n && now.n && !ho_str_eq(then, now)) || is_touched_newer(pass, row.created) ||
         is_tree_newer(pass, row.created);
}
