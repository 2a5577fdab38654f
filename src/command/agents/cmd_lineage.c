#include "base/time.h"
#include "command/commands.h"
#include "command/ledger_call.h"
#include "command/agents/lineage_shown.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/marks.h"
#include "engine/ledger/write.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"
#include "engine/project/project.h"
#include "model/formats/formats.h"
#include "model/lifecycle.h"
#include "store/handoffs/handoffs.h"
#include "store/runs/runs.h"

enum { MOST_RUNS = 100 };

/* Whom a teammate succeeds: the newest of its step that had ended when it was started. Those of a parallel step that
 * began together succeed nobody. */
static const ho_teammate *predecessor_of(const ho_teammate_list *mates, size_t at)
{
  const ho_teammate *mate = &mates->rows[at];
  for (size_t i = at; i-- > 0;) {
    const ho_teammate *other = &mates->rows[i];
    if (ho_str_eq(other->step, mate->step) && other->ended && other->ended <= mate->started)
      return other;
  }
  return NULL;
}

/* A handoff by its path, as it is now, or by its id. */
static ho_str handoff_of(ho_call *call, ho_str path, ho_str id)
{
  return path.n ? ho_paths_now(call->arena, call->host->root, path) : id;
}

static void put_teammate(ho_call *call, ho_node *list, const ho_teammate_list *mates, size_t at, int64_t now)
{
  const ho_teammate *mate = &mates->rows[at], *before = predecessor_of(mates, at);
  ho_node *item = ho_list_add(list, ho_node_new(call->arena, HO_KIND_MAP));
  ho_map_put(call->arena, item, "id", mate->id);
  ho_map_put(call->arena, item, "agent", mate->agent);
  ho_map_put(call->arena, item, "succeeds", before ? before->id : HO_EMPTY);
  ho_map_put(call->arena, item, "from", handoff_of(call, mate->from_path, mate->from_id));
  ho_map_put(call->arena, item, "state", ho_words_str(&ho_teammate_states, mate->state));
  ho_map_put(call->arena, item, "outcome", ho_words_str(&ho_outcomes, mate->outcome));
  ho_map_put(call->arena, item, "why", mate->why);
  ho_map_put(call->arena, item, "left", handoff_of(call, mate->left_path, mate->left_id));
  ho_map_put(call->arena, item, "started", ho_time_str(call->arena, mate->started));
  ho_map_addz(item, "seconds", ho_node_number(call->arena, ((mate->ended ? mate->ended : now) - mate->started) / 1000));
}

static ho_code put_run(ho_call *call, ho_project *project, const ho_run_row *run, ho_teammate_list *mates,
                       ho_error *err)
{
  ho_run_step_list steps = {0};
  int64_t now = ho_project_now(project);
  ho_code code = ho_runs_steps(project->store, run->id, call->arena, &steps, err);
  if (!code)
    code = ho_runs_teammates(project->store, run->id, HO_EMPTY, HO_TEAMMATE_ANY, 0, call->arena, mates, err);
  if (code)
    return code;
  ho_node *item = ho_list_add(ho_map_getz(call->result, "runs"), ho_node_new(call->arena, HO_KIND_MAP));
  ho_map_put(call->arena, item, "run", run->id);
  ho_map_put(call->arena, item, "task", run->task);
  ho_map_put(call->arena, item, "title", run->title);
  ho_map_put(call->arena, item, "plan", run->plan);
  ho_map_put(call->arena, item, "state", ho_words_str(&ho_run_states, run->state));
  ho_node *list = ho_map_addz(item, "steps", ho_node_new(call->arena, HO_KIND_LIST));
  for (size_t s = 0; s < steps.count; s++) {
    ho_node *step = ho_list_add(list, ho_node_new(call->arena, HO_KIND_MAP));
    ho_map_put(call->arena, step, "step", steps.rows[s].step);
    ho_map_put(call->arena, step, "name", steps.rows[s].name);
    ho_map_put(call->arena, step, "state", ho_words_str(&ho_step_states, steps.rows[s].state));
    ho_node *inside = ho_map_addz(step, "teammates", ho_node_new(call->arena, HO_KIND_LIST));
    for (size_t i = 0; i < mates->count; i++)
      if (ho_str_eq(mates->rows[i].step, steps.rows[s].step))
        put_teammate(call, inside, mates, i, now);
  }
  return HO_OK;
}

/* Handoffs that one agent wrote and another took up, also those that have ended. A successor that was given its prompt has
 * claimed nothing: it is known by the phase's next handoff, or by its end. Of one that a teammate started from
 * (`used`) its run tells more. */
static ho_code put_handoffs(ho_call *call, ho_project *project, ho_str task, const ho_node *used, ho_error *err)
{
  ho_filter filter = {.task = task, .oldest_first = true};
  ho_handoff_list list = {0};
  ho_node *out = ho_map_getz(call->result, "handoffs");
  ho_code code = ho_handoffs_select(project->store, &filter, call->arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++) {
    ho_handoff *row = &list.rows[i];
    if (ho_list_has(used, row->id))
      continue;
    code = ho_describe_taker(project, row, call->arena, &row->claimed_by, err);
    bool finished = ho_str_is(ho_marks_get(row, call->arena, HO_MARK_OUTCOME), ho_event_kind_name(HO_EVENT_FINISHED));
    bool passed = (row->superseded_by.n || finished) && ho_str_is(row->kind, ho_format_artifact.name);
    if (!code && (row->claimed_by.n || passed))
      ho_list_add(out, ho_describe_listed(project, row, call->arena));
  }
  return code;
}

static ho_code put_all(ho_call *call, ho_project *project, ho_str task, ho_error *err)
{
  ho_run_list runs = {0};
  ho_node *used = ho_node_new(call->arena, HO_KIND_LIST);
  ho_code code = ho_runs_select(project->store, HO_EMPTY, task, false, MOST_RUNS, call->arena, &runs, err);
  for (size_t i = runs.count; i-- > 0 && !code;) {
    ho_teammate_list mates = {0};
    code = put_run(call, project, &runs.rows[i], &mates, err);
    for (size_t m = 0; m < mates.count; m++)
      if (mates.rows[m].from_id.n)
        ho_list_add(used, ho_node_text(call->arena, mates.rows[m].from_id));
  }
  return code ? code : put_handoffs(call, project, task, used, err);
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_str task = ho_id_plain(ho_arg_str(call, "task"));
  ho_map_addz(call->result, "runs", ho_node_new(call->arena, HO_KIND_LIST));
  ho_map_addz(call->result, "handoffs", ho_node_new(call->arena, HO_KIND_LIST));
  ho_code code = ho_ledger_call_maybe(call, err);
  if (code || !project->store)
    return code;
  ho_ledger_settle(project);
  code = put_all(call, project, task, err);
  bool none = !ho_map_getz(call->result, "runs")->count && !ho_map_getz(call->result, "handoffs")->count;
  if (!code && none)
    ho_call_note(call, task.n ? "nobody has worked on task %.*s" : "nobody has worked here yet%.*s", HO_ARG(task));
  return code;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  ho_str as = ho_arg_str(call, "form");
  if (ho_str_is(as, "mermaid"))
    ho_lineage_mermaid(out, call->result);
  else if (ho_str_is(as, "json"))
    ho_lineage_json(out, call->result);
  else
    ho_lineage_text(call, out, colour);
}

static const ho_choice shapes[] = {{"text", "a tree", NULL},
                                   {"json", "the same as --json", NULL},
                                   {"mermaid", "a flow chart for Markdown", NULL},
                                   {0}};
static const ho_field params[] = {{.name = "task",
                                   .label = "TASK",
                                   .doc = "Only this task. Default: all tasks.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_POSITIONAL},
                                  HO_PARAM_FORM("Output format.", "as", .choices = shapes, .fallback = "text"),
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "lineage", .fields = params};
static const ho_field mate_fields[] = {HO_TEXT_FIELD("id", "RUN/STEP.N."),
                                       HO_TEXT_FIELD("agent", "The agent."),
                                       HO_TEXT_FIELD("succeeds", "The teammate whose work it continued."),
                                       HO_TEXT_FIELD("from", "The handoff it started from."),
                                       HO_TEXT_FIELD("state", "running, ended or lost."),
                                       HO_TEXT_FIELD("outcome", "What it left, or how it died."),
                                       HO_TEXT_FIELD("why", "How it ended, and what followed."),
                                       HO_TEXT_FIELD("left", "The handoff it left, or that was drafted for it."),
                                       HO_TEXT_FIELD("started", "When it started."),
                                       {.name = "seconds", .doc = "How long it worked, in seconds.", .type = HO_T_INT},
                                       HO_FIELDS_END};
static const ho_record mate_record = {.name = "teammate", .fields = mate_fields};
static const ho_field step_fields[] = {
    HO_TEXT_FIELD("step", "The phase or step."), HO_TEXT_FIELD("name", "Its name."),
    HO_TEXT_FIELD("state", "State of the phase or step."),
    HO_LIST_FIELD("teammates", "The teammates that worked on it, in order.", mate_record), HO_FIELDS_END};
static const ho_record step_record = {.name = "step", .fields = step_fields};
static const ho_field run_fields[] = {HO_TEXT_FIELD("run", "Id of the run."),
                                      HO_TEXT_FIELD("task", "The task."),
                                      HO_TEXT_FIELD("title", "Title of the plan."),
                                      HO_TEXT_FIELD("plan", "Path of the plan or workflow."),
                                      HO_TEXT_FIELD("state", "State of the run."),
                                      HO_LIST_FIELD("steps", "The phases or steps, in the plan's order.", step_record),
                                      HO_FIELDS_END};
static const ho_record run_record = {.name = "run", .fields = run_fields};
static const ho_field result[] = {
    HO_LIST_FIELD("runs", "The runs, oldest first.", run_record),
    HO_LIST_FIELD("handoffs", "Handoffs that were taken outside runs.", ho_handoff_record), HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "lineage result", .fields = result};

const ho_command ho_command_lineage = {
    .name = "lineage",
    .group = "agents",
    .summary = "Show which agents succeeded each other, and why",
    .doc = "Shows the teammates of each run, phase by phase: how each ended, the handoff it left, and who continued "
           "from it. Handoffs that agents took outside runs follow.",
    .examples = "handoff lineage --form mermaid",
    .teammate = true,
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
