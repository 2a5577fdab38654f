/* Agents that work in the session of their lead, as the subagents of Claude Code do. The session alone does not tell which
 * phase one of them works on: what it last worked on may be another's. The commands that an agent runs name its phase, as
 * its lead was told to have them do, so that is kept for it, and what it is asked to run names it too: else one of two agents
 * side by side would hand on the phase of the other. */
#include <ctype.h>

#include "engine/hook/hook.h"
#include "engine/project/identity.h"
#include "engine/project/quote.h"
#include "engine/which/which.h"

static bool is_agent(const ho_hook *hook)
{
  return ho_map_str(hook->in, "agent_id").n && !hook->assigned;
}

void ho_hook_agent_find(ho_hook *hook)
{
  ho_project *project = hook->project;
  ho_str session = project->session;
  ho_which_work work;
  if (!is_agent(hook))
    return;
  project->session = hook->session;
  ho_which_load(project, hook->arena, &work);
  project->session = session;
  if (!work.task.n || !work.phase.n)
    return;
  hook->task = work.task;
  hook->phase = work.phase;
  hook->named_phase = true;
}

/* The id behind an option of a command line, or "". */
static ho_str option(ho_str line, const char *name)
{
  size_t at = ho_str_find(line, name), n = 0;
  if (at == HO_NONE)
    return HO_EMPTY;
  line = ho_str_sub(line, at + strlen(name), line.n);
  if (!line.n || (line.p[0] != ' ' && line.p[0] != '='))
    return HO_EMPTY;
  line = ho_str_trim(ho_str_sub(line, 1, line.n));
  while (n < line.n && (isalnum((unsigned char)line.p[n]) || strchr("._-", line.p[n])))
    n++;
  ho_str id = ho_str_sub(line, 0, n);
  return ho_id_fits(id) ? id : HO_EMPTY;
}

void ho_hook_agent_note(ho_hook *hook, ho_str command)
{
  static const char program[] = "handoff ";
  static const char *const working[] = {"progress ", "next ", "claim ", "pass ", "finish "};
  ho_project *project = hook->project;
  ho_str line, session = project->session;
  bool works = false;
  if (!is_agent(hook))
    return;
  while (!works && ho_str_next_line(&command, &line)) { /* what follows in a here-document is text */
    size_t at = ho_str_find(line, program);
    line = at == HO_NONE ? HO_EMPTY : ho_str_sub(line, at + sizeof program - 1, line.n);
    for (size_t i = 0; i < HO_COUNT(working); i++)
      works = works || ho_str_starts(line, working[i]);
  }
  ho_str task = works ? option(line, "--task") : HO_EMPTY, phase = works ? option(line, "--phase") : HO_EMPTY;
  if (!task.n || !phase.n || (hook->named_phase && ho_str_eq(task, hook->task) && ho_str_eq(phase, hook->phase)))
    return;
  project->session = hook->session;
  ho_which_remember(project, hook->arena, task, phase, HO_WHICH_NAMED);
  project->session = session;
  ho_hook_agent_find(hook);
}

ho_str ho_hook_where(const ho_hook *hook)
{
  return hook->named_phase ? ho_arena_printf(hook->arena, " --task %.*s --phase %.*s",
                                             HO_ARG(ho_quote_shell(hook->arena, hook->task)),
                                             HO_ARG(ho_quote_shell(hook->arena, hook->phase)))
                           : HO_EMPTY;
}
