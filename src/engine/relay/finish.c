#include "engine/relay/finish.h"

#include "engine/context/touched.h"
#include "engine/ledger/draft.h"
#include "engine/ledger/holder.h"
#include "engine/ledger/turn.h"
#include "engine/ledger/write.h"
#include "engine/plan/plan_phase.h"
#include "engine/project/event_data.h"
#include "engine/project/redact.h"
#include "model/formats/formats.h"

enum { MOST = 1000 };

typedef struct finishing {
  ho_finish *out;
  ho_arena *arena;
  ho_doc progress;
  bool tracked; /* there is a progress file */
  ho_str progress_text;
  ho_str plan, plan_text; /* the plan as it is once the phase is marked, whoever marks it */
} finishing;

static ho_code read_progress(finishing *f, ho_error *err)
{
  const ho_phase *phase = &f->out->phase;
  ho_error why = {0};
  ho_code code = ho_progress_read(phase, &f->progress, &why);
  f->tracked = code == HO_OK;
  if (code && code != HO_NOT_FOUND) {
    *err = why;
    if (code == HO_SYNTAX || code == HO_INVALID)
      ho_error_copy(err->message, sizeof err->message,
                    ho_arena_printf(f->arena, "%.200s; mend it, or rename it if the phase is done, and run this again",
                                    why.message));
    return code;
  }
  HO_EACH_CONST (objective, f->tracked ? ho_map_getz(f->progress.root, "objectives") : NULL) {
    if (ho_str_is(ho_map_str(objective, "status"), "done"))
      continue;
    ho_str id = ho_progress_id(f->progress.root, objective, f->arena);
    if (ho_progress_stuck(f->progress.root))
      return ho_fail_file(err, HO_CONFLICT, phase->progress,
                          "objective %.*s is blocked; ask a person: " HO_PROGRESS_ASK
                          "; if it is done: `handoff progress done %.*s --task %.*s --phase %.*s`",
                          HO_ARG(id), HO_ARG(id), HO_ARG(phase->task), HO_ARG(phase->phase));
    return ho_fail_file(
        err, HO_CONFLICT, phase->progress,
        "objective %.*s is not done; run 'handoff progress done %.*s --task %.*s --phase %.*s' if it is, "
        "or hand the rest on with 'handoff pass'",
        HO_ARG(id), HO_ARG(id), HO_ARG(phase->task), HO_ARG(phase->phase));
  }
  return HO_OK;
}

/* What was done, by the objectives, if nobody says it. */
static ho_str summary_of(const finishing *f)
{
  ho_buf out;
  ho_str before = HO_EMPTY;
  if (f->out->summary.n)
    return f->out->summary;
  if (f->tracked && ho_finish_was(&f->out->phase, f->progress.root, &before) && before.n)
    return before; /* said when it was finished first */
  ho_buf_init(&out, 0);
  HO_EACH_CONST (objective, f->tracked ? ho_map_getz(f->progress.root, "objectives") : NULL)
    ho_buf_printf(&out, "%s%.*s", out.n ? "; " : "", HO_ARG(ho_map_str(objective, "description")));
  if (!out.n)
    ho_buf_printf(&out, "Phase %.*s is finished", HO_ARG(f->out->phase.phase));
  return ho_buf_move(&out, f->arena);
}

/* ---- The plan */

/* A phase that the plan does not have, and that nobody has tracked, is a slip; its end would be told to a lead as that of
 * the phase that it started. */
static ho_code refuse_unplanned(const finishing *f, const ho_plan_phase *plan, ho_error *err)
{
  return ho_fail_file(err, HO_NOT_FOUND, plan->path, "has no phase %.*s, but %.*s; use --phase P with one of these",
                      HO_ARG(f->out->phase.phase), HO_ARG(ho_plan_phase_ids(plan, f->arena)));
}

/* Boxes are ticked that are objectives: nobody has said that another one is done. */
static ho_code mark_plan(finishing *f, ho_error *err)
{
  ho_finish *out = f->out;
  ho_plan_phase plan;
  if (!ho_plan_phase_read(&out->phase, &plan))
    return plan.steps.count && !f->tracked ? refuse_unplanned(f, &plan, err) : ho_arena_code(f->arena, err);
  ho_plan_steps steps = plan.steps;
  const ho_plan_step *step = plan.step;
  const ho_node *done = ho_progress_done(f->tracked ? f->progress.root : NULL, f->arena);
  ho_str text = ho_plan_steps_tick(step, f->arena, plan.text, done, &out->unticked);
  steps.hash = ho_str_hash(text); /* ticks move nothing */
  bool all = true;
  for (size_t i = 0; i < steps.count; i++)
    all = all && (&steps.items[i] == step || steps.items[i].status == HO_PLAN_DONE ||
                  steps.items[i].status == HO_PLAN_SKIPPED);
  ho_code code = ho_plan_steps_mark(&steps, f->arena, text, step->id, ho_plan_steps_marker(HO_PLAN_DONE), &text, err);
  if (!code && all)
    code = ho_plan_steps_mark(&steps, f->arena, text, HO_EMPTY, ho_plan_steps_marker(HO_PLAN_DONE), &text, err);
  f->plan = plan.path;
  f->plan_text = text;
  if (ho_plan_phase_marks(&out->phase))
    out->plan = plan.path;
  else
    out->unticked = 0;
  return code;
}

/* ---- The store */

static ho_code end_one(finishing *f, const ho_handoff *row, ho_error *err)
{
  ho_turn turn = {0};
  ho_state state;
  if (!ho_state_named(row->state, &state) || !ho_state_open(state))
    return HO_OK;
  if (state == HO_STATE_GATED) {
    ho_list_add(f->out->gated, ho_node_text(f->arena, row->id));
    return HO_OK;
  }
  if (ho_holder_other(f->out->project, f->arena, row)) {
    if (ho_draft_tells(row, f->arena))
      return ho_holder_refuse(f->out->project, f->arena, row, err);
    ho_map_add(f->out->held, row->id, ho_node_text(f->arena, row->claimed_by));
    return HO_OK;
  }
  ho_code code = ho_turn_of(f->out->project, row, f->arena, &turn, err);
  ho_node *data = ho_node_new(f->arena, HO_KIND_MAP);
  ho_event_data_put(f->out->project, f->arena, data, "note", f->out->meta.summary);
  if (!code)
    code = ho_turn_apply(&turn, HO_EVENT_FINISHED, data, err);
  ho_list_add(f->out->ended, ho_node_text(f->arena, row->id));
  return code;
}

/* What a handoff of the phase continues was asked for by somebody, who is told that it is done: ended as those of the phase
 * are, if it belongs to another one or to none. */
static ho_code end_origin(finishing *f, const ho_handoff *row, ho_error *err)
{
  ho_handoff origin;
  ho_error gone = {0};
  if (!row->parent.n || !ho_str_is(row->kind, ho_format_artifact.name) ||
      ho_handoffs_get(f->out->project->store, row->parent, f->arena, &origin, &gone))
    return HO_OK;
  return end_one(f, &origin, err);
}

static ho_code record(ho_store *store, void *data, ho_error *err)
{
  finishing *f = data;
  const ho_finish *out = f->out;
  ho_handoff_list list;
  ho_filter filter = {.task = out->phase.task, .phase = out->phase.phase, .limit = MOST};
  const struct {
    ho_str path, text;
    ho_intent kind;
  } files[] = {{out->phase.progress, f->progress_text, HO_INTENT_WORKING},
               {out->plan, out->plan.n ? f->plan_text : HO_EMPTY, HO_INTENT_WORKING}};
  ho_code code = HO_OK;
  for (size_t i = 0; !code && i < HO_COUNT(files); i++)
    if (files[i].text.n)
      code = ho_store_intend(store, ho_fs_join(f->arena, out->phase.root, files[i].path),
                             ho_redact_file(out->project, f->arena, files[i].path, files[i].text), files[i].kind, err);
  if (!code)
    code = ho_return_meta_intend(&out->meta, err);
  if (!code)
    code = ho_handoffs_select(store, &filter, f->arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++)
    code = end_one(f, &list.rows[i], err);
  for (size_t i = 0; !code && i < list.count; i++)
    code = end_origin(f, &list.rows[i], err);
  if (!code)
    code = ho_draft_loose(out->project, out->project->session, f->arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++)
    code = end_one(f, &list.rows[i], err);
  return code;
}

/* ---- All of it */

static ho_code finish_locked(finishing *f, ho_error *err)
{
  ho_finish *out = f->out;
  ho_progress_answer answer;
  ho_code code = read_progress(f, err);
  if (!code)
    code = mark_plan(f, err);
  if (code)
    return code;
  out->meta = (ho_return_meta){.phase = &out->phase,
                               .project = out->project,
                               .wanted = out->meta_path,
                               .name = ho_arena_printf(f->arena, "phase-%.*s-finish", HO_ARG(out->phase.phase)),
                               .summary = summary_of(f),
                               .unsaid = !out->summary.n,
                               .plan = f->plan,
                               .plan_text = f->plan_text};
  ho_touched touched =
      ho_touched_load(f->arena, ho_touched_path(f->arena, out->project->home, out->phase.task, out->phase.phase));
  ho_progress_change change = {.kind = HO_PROGRESS_FINISH, .note = out->meta.summary, .files = touched.files};
  if (f->tracked)
    code = ho_progress_text(&out->phase, &f->progress, &change, &f->progress_text, &answer, err);
  if (!code)
    code = ho_return_meta_make(&out->meta, err);
  if (!code)
    code = ho_ledger_write(out->project, record, f, err);
  if (!code)
    code = ho_return_meta_leave(&out->meta, err);
  if (!code)
    ho_touched_forget(&touched);
  return code;
}

ho_code ho_finish_phase(ho_finish *finish, ho_error *err)
{
  int lock = -1;
  finishing f = {.out = finish, .arena = finish->phase.arena};
  finish->ended = ho_node_new(f.arena, HO_KIND_LIST);
  finish->gated = ho_node_new(f.arena, HO_KIND_LIST);
  finish->held = ho_node_new(f.arena, HO_KIND_MAP);
  ho_code code = ho_phase_lock(&finish->phase, &lock, err);
  if (code)
    return code;
  code = finish_locked(&f, err);
  ho_phase_unlock(lock);
  return code;
}

bool ho_finish_was(const ho_phase *phase, const ho_node *progress, ho_str *summary)
{
  ho_plan_phase plan;
  *summary = ho_map_str(ho_map_getz(progress, "x_finished"), "summary");
  if (ho_progress_finished(progress))
    return true;
  return ho_plan_phase_read(phase, &plan) && plan.step->status == HO_PLAN_DONE;
}
