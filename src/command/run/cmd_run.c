/* run PLAN: carries a plan to its end. */
#include "base/fs.h"
#include "base/term.h"
#include "command/commands.h"
#include "command/ledger_call.h"
#include "command/run/run_view.h"
#include "engine/phase/phase.h"
#include "engine/project/paths.h"
#include "engine/project/project.h"
#include "engine/project/settings.h"
#include "engine/run/run.h"

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

static ho_code dry_run(ho_call *call, ho_str path, ho_str text, ho_error *err)
{
  ho_plan_steps plan;
  ho_code code = ho_plan_steps_read(call->arena, path, text, &plan, err);
  if (code)
    return code;
  ho_map_addz(call->result, "plan", ho_node_text(call->arena, path));
  put_waves(call, &plan);
  ho_node *names = ho_map_addz(call->result, "names", ho_node_new(call->arena, HO_KIND_MAP));
  for (size_t i = 0; i < plan.count; i++)
    if (plan.items[i].name.n)
      ho_map_add(names, plan.items[i].id, ho_node_text(call->arena, plan.items[i].name));
  return HO_OK;
}

/* ---- The report. */

/* With the task's summaries where it has a folder, else with the run's own files. */
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
  ho_run_report(&text, summary);
  ho_code code = ho_buf_code(&text, &err);
  if (!code && !ho_fs_inside(ho_arena_z(call->arena, project->home), path.p))
    code = ho_fail(&err, HO_IO, "it would lie outside of the project");
  if (!code)
    code = ho_fs_mkdirs(ho_arena_z(call->arena, ho_fs_parent(path)), &err);
  if (!code)
    code = ho_fs_write(path.p, ho_buf_str(&text), HO_FS_REPLACE, &err);
  ho_buf_free(&text);
  if (code)
    ho_note(call, "the report could not be written: %s", err.message);
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

static ho_code carry(ho_call *call, ho_project *project, const char *plan, ho_str text, ho_error *err)
{
  ho_node *summary = NULL;
  bool worker = ho_arg_true(call, "worker");
  ho_run_options options = {
      .plan = ho_str_of(plan),
      .task = ho_arg_str(call, "task"),
      .phase = ho_arg_str(call, "phase"),
      .text = text,
      .agent = ho_arg_str(call, "agent"),
      .jobs = number(call, "jobs", JOBS),
      .max_successors = number(call, "max_successors", ho_settings_number(&project->settings, "max_successors")),
      .timeout = number(call, "timeout", 0),
      .budget_tokens = number(call, "budget", 0),
      .worktrees = ho_arg_true(call, "worktrees"),
      .wait = ho_arg_true(call, "wait") || (call->host->live && !worker),
      .tokens = ho_host_tokens(call->host),
      .program = call->host->program,
      .store = store_address(call),
      .watch = ho_run_view_new(call, project)};
  ho_code code = worker ? ho_run_serve(project, call->arena, &options, &summary, err)
                        : ho_run_carry(project, call->arena, &options, &summary, err);
  if (err->code)
    return code;
  HO_EACH_CONST (item, summary)
    ho_map_add(call->result, item->key, ho_node_copy(call->arena, item));
  if (!worker)
    write_report(call, project, summary);
  return code;
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  bool worker = ho_arg_true(call, "worker");
  ho_str path = ho_arg_str(call, "plan"), text = HO_EMPTY;
  if (ho_str_is(path, "-"))
    return ho_fail(err, HO_USAGE, "a plan is a file: its markers are kept up to date in it");
  if (worker == (path.n > 0))
    return ho_fail(err, HO_USAGE, worker ? "a worker takes what is ready, and no plan" : "say which PLAN to run");
  const char *full = worker ? "" : ho_full_path(call, path);
  ho_code code = worker ? HO_OK : ho_read_text(call, path, &text, err);
  if (!code && ho_arg_true(call, "dry_run") && !worker)
    return dry_run(call, path, text, err);
  if (!code && !call->host->program.n)
    code = ho_fail(err, HO_USAGE, "a run is led by the program 'handoff' itself: start that");
  if (!code)
    code = ho_open_ledger(call, true, err);
  if (code)
    return code;
  code = carry(call, project, full, text, err);
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
  if (!wave)
    ho_buf_puts(out, "Nothing is left to do.\n");
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  (void)colour;
  if (ho_map_getz(call->result, "waves"))
    render_waves(call, out);
  else
    ho_run_ending(out, call->result, ho_map_str(call->result, "report"));
}

static const ho_field params[] = {
    {.name = "plan",
     .label = "PLAN",
     .doc = "The plan (Markdown) or workflow (YAML).",
     .type = HO_T_TEXT,
     .flags = HO_POSITIONAL | HO_IS_FILE},
    {.name = "agent",
     .label = "NAME|CMD",
     .doc = "Who does the work: an agent of the settings, a harness (claude, codex, gemini, opencode), or a command "
            "with its arguments; no shell reads it. A step of a workflow may name another.",
     .type = HO_T_TEXT},
    {.name = "jobs",
     .label = "N",
     .doc = "Teammates side by side.",
     .type = HO_T_INT,
     .min = 1,
     .max = 256,
     .fallback = "4"},
    {.name = "max_successors",
     .label = "N",
     .doc = "Successors of a phase before a person is asked; without it the setting 'max_successors'.",
     .type = HO_T_INT,
     .min = 1,
     .max = 1000},
    {.name = "timeout",
     .label = "S",
     .doc = "Seconds that one teammate may work; without it there is no limit.",
     .type = HO_T_INT,
     .min = 1,
     .max = 31536000},
    {.name = "budget",
     .label = "TOKENS",
     .doc = "When the teammates have used so many tokens nothing new is started; what runs goes on.",
     .type = HO_T_INT,
     .min = 1,
     .max = 2000000000},
    {.name = "worktrees", .doc = "A git worktree and branch of its own for each phase.", .type = HO_T_BOOL},
    {.name = "wait",
     .doc = "Wait at gates until people have decided, as on a terminal; else end with 7 when only gates are left.",
     .type = HO_T_BOOL},
    {.name = "worker",
     .doc = "Without a plan: claim what is ready for the agent, as 'next' does, and start a teammate for each; with "
            "--wait also what becomes ready later.",
     .type = HO_T_BOOL},
    HO_PARAM_AS,
    {.name = "task",
     .label = "N",
     .doc = "Of a worker: also what is meant for whoever takes this task.",
     .type = HO_T_TEXT},
    {.name = "phase", .label = "P", .doc = "Of a worker: only this phase of the task.", .type = HO_T_TEXT},
    {.name = "dry_run", .doc = "Print which phases would run side by side, and start nothing.", .type = HO_T_BOOL},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "run", .fields = params};

static const ho_field step_fields[] = {
    HO_TEXT_FIELD("step", "Its id in the plan."),
    HO_TEXT_FIELD("name", "What people call it."),
    HO_TEXT_FIELD("state", "waiting, running, gated, done, failed, skipped or held."),
    HO_TEXT_FIELD("why", "How it stands, in a sentence."),
    HO_TEXT_FIELD("gate", "The gate that it waits for."),
    {.name = "teammates", .doc = "How many worked on it.", .type = HO_T_INT},
    {.name = "successors", .doc = "How many of them were successors.", .type = HO_T_INT},
    {.name = "tokens", .doc = "That they used, as far as they said.", .type = HO_T_INT},
    HO_TEXT_FIELD("started", "When its first teammate was started."),
    HO_TEXT_FIELD("ended", "When it was done or had failed."),
    HO_FIELDS_END};
static const ho_record step_record = {.name = "step", .fields = step_fields};

static const ho_field mate_fields[] = {
    HO_TEXT_FIELD("id", "RUN/STEP.N."),
    HO_TEXT_FIELD("step", "What it worked on."),
    {.name = "n", .doc = "1: the first; above: a successor.", .type = HO_T_INT},
    HO_TEXT_FIELD("agent", "Who it was."),
    HO_TEXT_FIELD("adapter", "The harness, or 'command'."),
    HO_TEXT_FIELD("state", "running, ended or lost."),
    HO_TEXT_FIELD("outcome", "What it left, or how it died."),
    {.name = "exit_status", .doc = "Of its process; -N: ended by signal N.", .type = HO_T_INT},
    HO_TEXT_FIELD("started", "When it was started."),
    HO_TEXT_FIELD("ended", "When it ended."),
    {.name = "seconds", .doc = "How long it worked.", .type = HO_T_INT},
    HO_TEXT_FIELD("from", "The handoff that it started from."),
    HO_TEXT_FIELD("left", "The handoff that it left, or that was drafted for it."),
    HO_TEXT_FIELD("folder", "Where it worked."),
    HO_TEXT_FIELD("log", "Its output."),
    {.name = "tokens", .doc = "That it used, as far as it said.", .type = HO_T_INT},
    HO_TEXT_FIELD("why", "How it ended, in a sentence."),
    HO_FIELDS_END};
static const ho_record mate_record = {.name = "teammate", .fields = mate_fields};

static const ho_field gate_fields[] = {HO_TEXT_FIELD("gate", "Its id."), HO_TEXT_FIELD("step", "What waits for it."),
                                       HO_TEXT_FIELD("about", "result, blocked, failed, clarify, successors, progress "
                                                              "or budget."),
                                       HO_TEXT_FIELD("why", "What is to be decided."), HO_FIELDS_END};
static const ho_record gate_record = {.name = "gate", .fields = gate_fields};

static const ho_field merge_fields[] = {HO_TEXT_FIELD("step", "Whose work it is."),
                                        HO_TEXT_FIELD("branch", "To be merged."),
                                        HO_TEXT_FIELD("folder", "Its worktree."), HO_FIELDS_END};
static const ho_record merge_record = {.name = "merge", .fields = merge_fields};

static const ho_field result[] = {
    HO_TEXT_FIELD("run", "The run's id."),
    HO_TEXT_FIELD("plan", "Its file."),
    HO_TEXT_FIELD("task", "The task."),
    HO_TEXT_FIELD("title", "Of the plan."),
    HO_TEXT_FIELD("state", "done, waiting, stopped or failed."),
    HO_TEXT_FIELD("why", "In a sentence, where it is not done."),
    HO_TEXT_FIELD("started", "When it began."),
    HO_TEXT_FIELD("ended", "When it ended."),
    {.name = "seconds", .doc = "How long it took.", .type = HO_T_INT},
    {.name = "tokens", .doc = "That teammates used, as far as they said.", .type = HO_T_INT},
    HO_LIST_FIELD("steps", "Each phase.", step_record),
    HO_LIST_FIELD("teammates", "Each teammate, in the order in which they were started.", mate_record),
    HO_LIST_FIELD("gates", "What people have to decide.", gate_record),
    HO_LIST_FIELD("merge", "With --worktrees: what is to be merged.", merge_record),
    HO_TEXT_FIELD("report", "The report's file."),
    {.name = "waves",
     .doc = "Dry run: the phases that run side by side, wave by wave.",
     .type = HO_T_LIST,
     .item = HO_T_ANY,
     .flags = HO_MAY_BE_EMPTY},
    {.name = "names", .doc = "Dry run: what the phases are called.", .type = HO_T_ANY},
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "run result", .fields = result};

const ho_command ho_command_run = {
    .name = "run",
    .group = "agents",
    .summary = "Carry a plan to its end with a relay of agents",
    .doc =
        "Starts a teammate for each phase whose dependencies are done, side by side up to --jobs, and takes in what "
        "they leave: return metadata or a response at HANDOFF_META. Done goes on to the next phases; partial with a "
        "handoff starts a successor from it; a teammate that died, hung or claimed what is not there gets a drafted "
        "handoff and a successor, after a pause; blocked, failed and questions become gates, and only what depends "
        "on them waits. STOP halts the run. After too many successors, or two teammates in a row that moved nothing, "
        "a person is asked.\n\n"
        "The markers in the plan are kept up to date. A run may be killed at any time: started again it finds the "
        "teammates that are still alive and goes on, doing nothing twice. Interrupted once it lets the running ones "
        "finish, twice it stops them. One lead a plan: a second one ends with 6.\n\n"
        "Teammates get their prompt on standard input, and HANDOFF_AGENT, HANDOFF_TASK, HANDOFF_PHASE, "
        "HANDOFF_SESSION, HANDOFF_TOKEN, HANDOFF_META and HANDOFF_ROOT in their environment. Their output is in "
        ".handoff/run/RUN/STEP.N/log. Exit status: 0 done, 1 failed or stopped, 7 people have to decide first, 8 the "
        "budget is used up.",
    .examples = "handoff run --help",
    .common = true,
    .effect = HO_EFFECT_LONG,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
