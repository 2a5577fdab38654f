/* run PLAN: runs a plan or workflow to its end. */
#include <sys/stat.h>

#include "base/fs.h"
#include "base/term.h"
#include "command/commands.h"
#include "command/ledger_call.h"
#include "command/agents/run_choice.h"
#include "command/agents/run_keys.h"
#include "command/agents/run_view.h"
#include "engine/phase/phase.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"
#include "engine/project/project.h"
#include "engine/project/settings.h"
#include "engine/run/run.h"
#include "model/harness/harness.h"

enum { JOBS = 4 };

/* ---- The dry run: nothing is started, nothing is written. */

static void put_waves(ho_call *call, const ho_plan_steps *plan)
{
  ho_node *waves = ho_map_addz(call->result, "waves", ho_node_new(call->arena, HO_KIND_LIST));
  for (unsigned wave = 1; wave <= plan->waves; wave++) {
    ho_node *list = ho_list_add(waves, ho_node_new(call->arena, HO_KIND_LIST));
    for (size_t i = 0; i < plan->count; i++)
      if (plan->items[i].wave == wave)
        ho_list_add(list, ho_node_text(call->arena, plan->items[i].id));
  }
}

/* What a person can start is shown to everybody; an agent is told what it cannot. */
static void put_commands(ho_call *call, const ho_plan_steps *plan)
{
  ho_identity_signs signs;
  ho_run_options options = {.agent = ho_run_choice_agent(call), .rights = ho_command_rights(call->arena)};
  ho_node *shown = ho_map_addz(call->result, "commands", ho_node_new(call->arena, HO_KIND_LIST));
  ho_node *started = ho_node_new(call->arena, HO_KIND_LIST);
  ho_run_commands(&call->project, call->arena, plan, &options, shown);
  ho_identity_read_signs(call->arena, &signs);
  options.sign = signs.count ? signs.items[0] : HO_EMPTY;
  ho_run_commands(&call->project, call->arena, plan, &options, started);
  if (!plan && ho_node_empty(shown))
    ho_call_note(call, "use --agent to say who does the work");
  if (started && shown && started->count < shown->count)
    ho_call_note(call,
                 "only a person may start a command of their choice, but %.*s, so an agent is running this; without "
                 "--dry-run it is refused",
                 HO_ARG(options.sign));
}

static void put_plan(ho_call *call, ho_str path, const ho_plan_steps *plan)
{
  ho_map_addz(call->result, "plan", ho_node_text(call->arena, path));
  put_waves(call, plan);
  ho_node *names = ho_map_addz(call->result, "names", ho_node_new(call->arena, HO_KIND_MAP));
  for (size_t i = 0; i < plan->count; i++)
    if (plan->items[i].name.n)
      ho_map_add(names, plan->items[i].id, ho_node_text(call->arena, plan->items[i].name));
}

/* plan NULL: a worker. */
static ho_code dry_run(ho_call *call, ho_str path, const ho_plan_steps *plan, ho_error *err)
{
  if (plan)
    put_plan(call, path, plan);
  ho_code code = ho_project_begin(&call->project, err);
  if (code)
    return code;
  put_commands(call, plan);
  return ho_arena_code(call->arena, err);
}

/* ---- The report. */

/* Among the task's summaries if it has a folder, else among the run's own files. */
static ho_str report_place(ho_call *call, const ho_project *project, ho_str run, ho_str task)
{
  ho_error none;
  ho_phase phase = {.arena = call->arena, .root = project->root, .task = task, .phase = HO_STR("1")};
  if (ho_phase_find(&phase, &none) == HO_OK && phase.there)
    return ho_arena_printf(call->arena, "%.*s/%.*s/summaries/run-%.*s.md", HO_ARG(project->root), HO_ARG(phase.folder),
                           HO_ARG(run));
  return ho_fs_join(call->arena, ho_paths_run(call->arena, project->home, run), HO_STR("report.md"));
}

static void write_report(ho_call *call, const ho_project *project, const ho_node *summary)
{
  ho_buf text;
  ho_error err = {0};
  ho_str run = ho_map_str(summary, "run"), task = ho_map_str(summary, "task");
  ho_str path = report_place(call, project, run, task);
  ho_buf_init(&text, 0);
  ho_run_view_report(&text, summary);
  ho_code code = ho_buf_code(&text, &err);
  if (!code && !ho_fs_inside(ho_arena_z(call->arena, project->home), path.p))
    code = ho_fail(&err, HO_IO, "would be outside the project");
  if (!code)
    code = ho_fs_mkdirs_in(ho_arena_z(call->arena, project->home), ho_arena_z(call->arena, ho_fs_parent(path)), &err);
  if (!code)
    code = ho_fs_write_in(ho_arena_z(call->arena, project->home), path.p,
                          ho_project_clean(project, call->arena, ho_buf_str(&text)), HO_FS_REPLACE, &err);
  ho_buf_free(&text);
  if (code)
    ho_call_note(call, "the report could not be written: %s", err.message);
  else
    ho_map_addz(call->result, "report", ho_node_text(call->arena, ho_shown_path(call, path)));
}

/* ---- The run. */

static int64_t number(const ho_call *call, const char *name, int64_t fallback)
{
  long long value;
  return ho_node_to_int(ho_arg(call, name), &value) ? value : fallback;
}

/* As teammates have to be told it, wherever they work. */
static ho_str store_address(const ho_call *call)
{
  ho_str given = call->host->store;
  return given.n && ho_str_find_char(given, ':') == HO_NONE ? ho_str_of(ho_full_path(call, given)) : given;
}

/* plan "": a worker, for this task, or "". */
static ho_code carry(ho_call *call, bool keys, const char *plan, ho_str task, ho_str text, ho_error *err)
{
  ho_run_outcome end;
  ho_identity_signs signs;
  ho_project *project = &call->project;
  bool worker = !*plan;
  ho_identity_read_signs(call->arena, &signs);
  ho_run_options options = {
      .plan = ho_str_of(plan),
      .task = task,
      .phase = ho_arg_str(call, "phase"),
      .text = text,
      .agent = ho_run_choice_agent(call),
      .sign = signs.count ? signs.items[0] : HO_EMPTY,
      .jobs = number(call, "jobs", JOBS),
      .max_successors = number(call, "max_successors", ho_settings_number(&project->settings, "max_successors")),
      .timeout = number(call, "timeout", 0),
      .budget_tokens = number(call, "budget", 0),
      .worktrees = ho_arg_true(call, "worktrees"),
      .from_start = ho_arg_true(call, "from_start"),
      .wait = ho_arg_true(call, "wait") || (call->host->live && !worker),
      .tokens = ho_host_tokens(call->host),
      .program = call->host->program,
      .store = store_address(call),
      .rights = ho_command_rights(call->arena),
      .watch = ho_run_view_new(call, project, keys)};
  ho_code code = worker ? ho_run_serve(project, call->arena, &options, &end, err)
                        : ho_run_carry(project, call->arena, &options, &end, err);
  if (code)
    return code;
  HO_EACH_CONST (item, end.summary)
    ho_map_add(call->result, item->key, ho_node_copy(call->arena, item));
  if (!worker)
    write_report(call, project, end.summary);
  return end.status;
}

/* A run by its id stands for its plan; *path is then that of the plan. */
static ho_code plan_of_run(ho_call *call, ho_str *path, ho_error *err)
{
  ho_run_row row;
  ho_run_list newest = {0};
  struct stat info;
  if (!ho_str_starts(*path, "R-") || stat(ho_full_path(call, *path), &info) == 0)
    return HO_OK;
  ho_code code = ho_open_ledger(call, false, err);
  if (!code)
    code = ho_runs_get(call->project.store, *path, call->arena, &row, err);
  if (code == HO_NOT_FOUND)
    return ho_fail(err, HO_NOT_FOUND, "there is no run %.*s; run: handoff lineage", HO_ARG(*path));
  if (!code && ho_str_starts(row.plan, HO_RUN_WORKER))
    return ho_fail(err, HO_USAGE, "%.*s has no plan; run: handoff run --worker --as %.*s", HO_ARG(*path),
                   HO_ARG(ho_str_sub(row.plan, strlen(HO_RUN_WORKER), row.plan.n)));
  if (!code)
    code = ho_runs_select(call->project.store, row.plan, HO_EMPTY, false, 1, call->arena, &newest, err);
  if (!code && newest.count && !ho_str_eq(newest.rows[0].id, row.id))
    return ho_fail(err, HO_USAGE, "%.*s is not the newest run of its plan; run: handoff run %.*s", HO_ARG(row.id),
                   HO_ARG(newest.rows[0].id));
  if (!code)
    *path = ho_fs_join(call->arena, call->project.home, row.plan);
  return code;
}

/* The plan's path, absolute or as it was given; "": a worker for the task. */
static ho_code what_to_run(ho_call *call, ho_str *path, ho_str *task, ho_error *err)
{
  ho_run_choice choice;
  bool worker = ho_arg_true(call, "worker");
  *path = ho_arg_str(call, "plan");
  *task = ho_arg_str(call, "task");
  if (ho_str_is(*path, "-"))
    return ho_fail(err, HO_USAGE, "a plan has to be a file, because its markers are updated in it");
  if (worker && path->n)
    return ho_fail(err, HO_USAGE, "--worker takes no PLAN");
  if (worker || path->n)
    return worker ? HO_OK : plan_of_run(call, path, err);
  ho_code code = ho_run_choice_work(call, &choice, err);
  *path = choice.plan;
  *task = choice.task;
  return code;
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_str path, task, text = HO_EMPTY;
  ho_plan_steps plan;
  /* Before the store is opened: what a person may leave is in a process of its own. */
  bool keys = !ho_arg_true(call, "dry_run") && !ho_arg_true(call, "worker") && ho_run_keys_begin(call);
  ho_code code = what_to_run(call, &path, &task, err);
  bool worker = !path.n;
  const char *full = worker ? "" : ho_full_path(call, path);
  if (!code && !worker)
    code = ho_read_text(call, path, &text, err);
  if (!code && !worker) /* before anything is made: a plan that cannot be carried out leaves the folder as it is */
    code = ho_plan_steps_read(call->arena, path, text, &plan, err);
  if (!code && ho_arg_true(call, "dry_run"))
    return dry_run(call, path, worker ? NULL : &plan, err);
  if (!code && !call->host->program.n)
    code = ho_fail(err, HO_USAGE, "a run can only be led by the program 'handoff', not through the library");
  if (!code)
    code = ho_open_ledger(call, true, err);
  if (code)
    return code;
  code = carry(call, keys, full, task, text, err);
  return code;
}

static void render_waves(const ho_call *call, ho_buf *out)
{
  const ho_node *names = ho_map_getz(call->result, "names");
  unsigned wave = 0;
  HO_EACH_CONST (list, ho_map_getz(call->result, "waves")) {
    ho_buf_printf(out, "Wave %u\n", ++wave);
    HO_EACH_CONST (id, list) {
      ho_str name = ho_node_str(ho_map_get(names, id->text));
      ho_buf_puts(out, "  ");
      ho_term_put(out, id->text, HO_TERM_LINE);
      ho_buf_puts(out, name.n ? "  " : "");
      ho_term_put(out, name, HO_TERM_LINE);
      ho_buf_putc(out, '\n');
    }
  }
  if (!wave && ho_map_getz(call->result, "waves"))
    ho_buf_puts(out, "Nothing is left to do.\n");
  HO_EACH_CONST (line, ho_map_getz(call->result, "commands")) {
    ho_buf_puts(out, "Teammates would run: ");
    ho_term_put(out, ho_node_str(line), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  (void)colour;
  if (ho_arg_true(call, "dry_run"))
    render_waves(call, out);
  else
    ho_run_view_ending(out, call->result, ho_map_str(call->result, "report"));
}

static const ho_field params[] = {
    {.name = "plan",
     .label = "PLAN",
     .doc =
         "The plan (Markdown) or workflow (YAML), or a run of it (R-2026-001), which is then continued. Default: what "
         "was begun, else the only one with work left, else the only task with open handoffs.",
     .type = HO_T_TEXT,
     .flags = HO_POSITIONAL | HO_IS_FILE},
    {.name = "agent",
     .label = "NAME|CMD",
     .doc = "Who does the work: an agent from the settings ('handoff trust'), a harness (" HO_STARTED_NAMES
            "), or, unless an agent runs this, a command with arguments, run without a shell. A workflow's step may "
            "name another. Default: the only one set up here.",
     .type = HO_T_TEXT},
    {.name = "jobs",
     .label = "N",
     .doc = "Maximum number of teammates at the same time.",
     .type = HO_T_INT,
     .min = 1,
     .max = 256,
     .fallback = "4"},
    {.name = "max_successors",
     .label = "N",
     .doc = "Number of successors per phase before a person is asked. Default: the setting 'max_successors'.",
     .type = HO_T_INT,
     .min = 1,
     .max = 1000},
    {.name = "timeout",
     .label = "S",
     .doc = "Seconds that a teammate may work. Default: no limit.",
     .type = HO_T_INT,
     .min = 1,
     .max = 31536000},
    {.name = "budget",
     .label = "TOKENS",
     .doc = "Start nothing new once teammates have used this many tokens.",
     .type = HO_T_INT,
     .min = 1,
     .max = 2000000000},
    {.name = "worktrees", .doc = "Give each phase its own git worktree and branch.", .type = HO_T_BOOL},
    {.name = "from_start",
     .doc = "Begin from the start after a run that failed, instead of starting what is left of it.",
     .type = HO_T_BOOL},
    {.name = "wait",
     .doc = "Wait at gates until people have decided, as on a terminal. Otherwise exit 7 when only gates are left.",
     .type = HO_T_BOOL},
    {.name = "worker",
     .doc = "Instead of a plan, claim what is ready for the agent, as 'handoff next' does, and start a teammate for "
            "each; with --wait, keep claiming.",
     .type = HO_T_BOOL},
    HO_PARAM_AS,
    {.name = "task",
     .label = "N",
     .doc = "With --worker: also handoffs for whoever takes this task.",
     .type = HO_T_TEXT},
    {.name = "phase", .label = "P", .doc = "With --worker: only this phase of the task.", .type = HO_T_TEXT},
    {.name = "dry_run",
     .doc = "Show which phases would run in parallel and with which commands, and start nothing.",
     .type = HO_T_BOOL},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "run", .fields = params};

static const ho_field step_fields[] = {
    HO_TEXT_FIELD("step", "Id of the phase or step."),
    HO_TEXT_FIELD("name", "Its name."),
    HO_TEXT_FIELD("state", "waiting, running, gated, done, failed, skipped or held."),
    HO_TEXT_FIELD("why", "The reason, in a sentence."),
    HO_TEXT_FIELD("gate", "The gate it waits for."),
    {.name = "teammates", .doc = "Number of teammates that worked on it.", .type = HO_T_INT},
    {.name = "successors", .doc = "Number of them that were successors.", .type = HO_T_INT},
    {.name = "tokens", .doc = "Tokens they used, as far as they reported them.", .type = HO_T_INT},
    HO_TEXT_FIELD("started", "When its first teammate started."),
    HO_TEXT_FIELD("ended", "When it was done or failed."),
    HO_FIELDS_END};
static const ho_record step_record = {.name = "step", .fields = step_fields};

static const ho_field mate_fields[] = {
    HO_TEXT_FIELD("id", "RUN/STEP.N."),
    HO_TEXT_FIELD("step", "The phase or step it worked on."),
    {.name = "n", .doc = "1 for the first, more for successors.", .type = HO_T_INT},
    HO_TEXT_FIELD("agent", "The agent."),
    HO_TEXT_FIELD("adapter", "The harness, or 'command'."),
    HO_TEXT_FIELD("state", "running, ended or lost."),
    HO_TEXT_FIELD("outcome", "What it left, or how it died."),
    {.name = "exit_status", .doc = "Exit status of its process; -N if signal N ended it.", .type = HO_T_INT},
    HO_TEXT_FIELD("started", "When it started."),
    HO_TEXT_FIELD("ended", "When it ended."),
    {.name = "seconds", .doc = "How long it worked, in seconds.", .type = HO_T_INT},
    HO_TEXT_FIELD("from", "The handoff it started from."),
    HO_TEXT_FIELD("left", "The handoff it left, or that was drafted for it."),
    HO_TEXT_FIELD("folder", "Folder it worked in."),
    HO_TEXT_FIELD("log", "File with its output."),
    {.name = "tokens", .doc = "Tokens it used, as far as it reported them.", .type = HO_T_INT},
    HO_TEXT_FIELD("why", "How it ended, in a sentence."),
    HO_FIELDS_END};
static const ho_record mate_record = {.name = "teammate", .fields = mate_fields};

static const ho_field gate_fields[] = {
    HO_TEXT_FIELD("gate", "Id of the gate."), HO_TEXT_FIELD("step", "The phase or step that waits for it."),
    HO_TEXT_FIELD("about", "result, blocked, failed, clarify, successors, progress, "
                           "budget, advice or handoff (what it continues from waits)."),
    HO_TEXT_FIELD("why", "What has to be decided."), HO_FIELDS_END};
static const ho_record gate_record = {.name = "gate", .fields = gate_fields};

static const ho_field merge_fields[] = {HO_TEXT_FIELD("step", "The phase or step."),
                                        HO_TEXT_FIELD("branch", "The branch to merge."),
                                        HO_TEXT_FIELD("folder", "Its worktree."), HO_FIELDS_END};
static const ho_record merge_record = {.name = "merge", .fields = merge_fields};

static const ho_field result[] = {
    HO_TEXT_FIELD("run", "Id of the run."),
    HO_TEXT_FIELD("plan", "Path of the plan or workflow."),
    HO_TEXT_FIELD("task", "The task."),
    HO_TEXT_FIELD("title", "Title of the plan."),
    HO_TEXT_FIELD("state", "done, waiting, stopped or failed."),
    HO_TEXT_FIELD("why", "The reason if it is not done, in a sentence."),
    HO_TEXT_FIELD("started", "When it started."),
    HO_TEXT_FIELD("ended", "When it ended."),
    {.name = "seconds", .doc = "How long it took, in seconds.", .type = HO_T_INT},
    {.name = "tokens", .doc = "Tokens used by teammates, as far as they reported them.", .type = HO_T_INT},
    HO_LIST_FIELD("steps", "The phases or steps.", step_record),
    HO_LIST_FIELD("teammates", "The teammates, in the order they started.", mate_record),
    HO_LIST_FIELD("gates", "Gates that wait for people.", gate_record),
    HO_LIST_FIELD("merge", "With --worktrees: branches to merge.", merge_record),
    HO_TEXT_FIELD("report", "Path of the report."),
    {.name = "waves",
     .doc = "With --dry-run: the phases that would run in parallel, wave by wave.",
     .type = HO_T_LIST,
     .item = HO_T_ANY,
     .flags = HO_MAY_BE_EMPTY},
    {.name = "names", .doc = "With --dry-run: names of the phases.", .type = HO_T_ANY},
    {.name = "commands",
     .doc = "With --dry-run: the command lines of teammates, quoted for a shell.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .flags = HO_MAY_BE_EMPTY},
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "run result", .fields = result};

const ho_command ho_command_run = {
    .name = "run",
    .group = "agents",
    .summary = "Run a plan or workflow with a relay of agents",
    .doc =
        "Starts a teammate for each phase whose dependencies are done and continues with what they return at "
        "HANDOFF_META: a handoff starts a successor; a teammate that died or hung is replaced, from a draft; "
        "blocked, failed or unclear work becomes a gate, and only what depends on it waits. After too many "
        "successors, or two in a row without progress, a person is asked. A STOP halts the task: nothing more is "
        "started until it is resumed (handoff answer).\n\nIt keeps the "
        "markers in the plan up to date, and can be killed at any time: started again, it continues; after it has "
        "failed, too, with what failed. Interrupt it "
        "once to let running teammates finish, twice to stop them. Only one lead per plan, and one plan per task, can "
        "run; a second exits 6. ? lists keys.\n\nTeammates get their prompt on standard "
        "input and "
        "the rest in environment "
        "variables ('handoff help "
        "environment'); their output is in .handoff/run/RUN/STEP.N/log. Exits 1 if the run failed or was stopped, 7 "
        "if people have to decide, 8 if the budget is used up.",
    .examples = "handoff run plan.md --dry-run\nhandoff run plan.md --agent claude --jobs 2",
    .common = true,
    .local = true,
    .effect = HO_EFFECT_LONG,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
