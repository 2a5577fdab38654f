/* Events that use the store: a session is compacted, ends. */
#include "base/fs.h"
#include "base/proc/life.h"
#include "engine/hook/hook.h"
#include "engine/ledger/draft_left.h"
#include "engine/project/identity.h"
#include "engine/project/project.h"

ho_code ho_hook_open(ho_hook *hook, bool *there, ho_error *err)
{
  *there = ho_project_has_store(hook->project);
  return *there ? ho_project_open(hook->project, HO_OPEN_EXISTING, err) : HO_OK;
}

static void keep_trace(ho_hook *hook, bool ended, bool settled)
{
  ho_error none = {0};
  ho_trace kept;
  ho_str path = ho_context_path(hook->arena, hook->project->home, hook->project->session, HO_TRACE_SUFFIX);
  bool there = path.n && ho_trace_load(&kept, hook->arena, path.p);
  ho_str transcript = ho_arena_copy(hook->arena, ho_map_str(hook->in, "transcript_path"));
  ho_trace now = {.transcript = transcript, .folder = ho_hook_work(hook), .ended = ended, .settled = settled};
  if (!ended) {
    ho_identity_chain chain = ho_identity_harness_chain(hook->harness);
    now.processes[0] = ho_life_of(hook->arena, chain.nearest);
    now.processes[1] = ho_life_of(hook->arena, chain.first);
  }
  if (ended && there) { /* it may not have ended where it worked */
    now.transcript = kept.transcript;
    now.folder = kept.folder;
  }
  bool same = there && kept.ended == ended && kept.settled == settled && ho_str_eq(kept.transcript, now.transcript) &&
              ho_str_eq(kept.folder, now.folder) && ho_str_eq(kept.processes[0], now.processes[0]) &&
              ho_str_eq(kept.processes[1], now.processes[1]);
  if (path.n && !same)
    (void)!ho_trace_save(&now, hook->arena, path.p, &none); /* without it a draft would say less */
}

void ho_hook_trace(ho_hook *hook)
{
  keep_trace(hook, false, false);
}

/* The session is over; whoever comes next is told, and releases what it held. The end is recorded whatever the session did:
 * a command of its own may have claimed something since its last event. There is hardly any time, so the store is opened
 * only if the session has said how far a phase is and has not handed it on: then that is drafted at once, for whoever looks
 * before another session begins. If it takes too long, the next session drafts it. */
ho_code ho_hook_end(ho_hook *hook, ho_error *err)
{
  ho_which_work work;
  ho_str id;
  ho_hook_measure *m = ho_hook_measured(hook);
  keep_trace(hook, true, m && m->nudges.settled);
  ho_code code = m ? ho_hook_keep(hook, m, err) : ho_arena_code(hook->arena, err);
  ho_which_load(hook->project, hook->arena, &work);
  return code || !work.phase.n ? code : ho_draft_left(hook->project, &work, HO_DRAFT_ENDED, true, &id, err);
}

/* ---- Compaction */

ho_code ho_hook_compact(ho_hook *hook, ho_error *err)
{
  ho_str id = HO_EMPTY;
  ho_hook_measure *m = ho_hook_measured(hook);
  if (!m)
    return ho_arena_code(hook->arena, err);
  ho_code code = ho_hook_keep(hook, m, err);
  bool manual = ho_str_is(ho_map_str(hook->in, "trigger"), "manual");
  if (code || (hook->harness->compacts_from && !manual && m->context.tenths < 10 * hook->harness->compacts_from))
    return code;
  code = ho_hook_draft(hook, &id, err);
  if (!code && id.n)
    hook->said = ho_arena_printf(hook->arena,
                                 "[handoff] Before compaction, draft %.*s was saved from what is known about the "
                                 "session; read it with `handoff show %.*s`.",
                                 HO_ARG(id), HO_ARG(id));
  return code;
}
