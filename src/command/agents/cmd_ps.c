#include "base/proc/shim.h"
#include "base/term.h"
#include "base/time.h"
#include "command/runs_left.h"
#include "command/commands.h"
#include "command/ledger_call.h"
#include "command/wrap.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/write.h"
#include "engine/phase/phase.h"
#include "engine/project/identity.h"
#include "engine/project/project.h"
#include "engine/run/teammate_watch.h"
#include "model/lifecycle.h"
#include "store/handoffs/handoffs.h"

static void put_number(ho_call *call, ho_node *map, const char *key, int64_t value, bool known)
{
  ho_map_addz(map, key, known ? ho_node_number(call->arena, value) : ho_node_new(call->arena, HO_KIND_NULL));
}

/* The step's name in file names: RUN/KEY.N is the teammate's id. */
static ho_str key_of(ho_str id)
{
  size_t slash = ho_str_find_char(id, '/'), dot = id.n;
  while (dot > 0 && id.p[dot - 1] != '.')
    dot--;
  return slash == HO_NONE || dot <= slash + 1 ? HO_EMPTY : ho_str_sub(id, slash + 1, dot - 1);
}

static void put_look(ho_call *call, const ho_project *project, const ho_teammate *mate, ho_node *item)
{
  ho_phase phase = {.arena = call->arena, .root = project->home, .task = mate->task, .phase = key_of(mate->id)};
  ho_error none = {0};
  ho_look look = {.objective = HO_EMPTY, .tokens = mate->tokens};
  if (ho_phase_find(&phase, &none) == HO_OK)
    ho_look_at(project, call->arena, mate, phase.folder, phase.phase, &look);
  int percent = ho_look_percent(&look);
  put_number(call, item, "objectives_done", (int64_t)look.done, look.total > 0);
  put_number(call, item, "objectives", (int64_t)look.total, look.total > 0);
  ho_map_put(call->arena, item, "objective", look.objective);
  put_number(call, item, "context", look.context, look.context > 0);
  put_number(call, item, "percent", percent, percent >= 0);
  put_number(call, item, "tokens", look.tokens, look.tokens > 0);
}

static ho_code put_teammates(ho_call *call, ho_project *project, ho_teammate_list *mates, ho_error *err)
{
  int64_t now = ho_project_now(project);
  ho_node *list = ho_map_getz(call->result, "teammates");
  ho_code code = ho_runs_teammates(project->store, HO_EMPTY, HO_EMPTY, HO_TEAMMATE_RUNNING, 0, call->arena, mates, err);
  for (size_t i = 0; !code && i < mates->count; i++) {
    const ho_teammate *mate = &mates->rows[i];
    ho_node *item = ho_list_add(list, ho_node_new(call->arena, HO_KIND_MAP));
    ho_map_put(call->arena, item, "id", mate->id);
    ho_map_put(call->arena, item, "run", mate->run);
    ho_map_put(call->arena, item, "task", mate->task);
    ho_map_put(call->arena, item, "step", mate->step);
    ho_map_put(call->arena, item, "agent", mate->agent);
    put_number(call, item, "successor", mate->n - 1, true);
    ho_map_put(call->arena, item, "started", ho_time_str(call->arena, mate->started));
    put_number(call, item, "seconds", (now - mate->started) / 1000, true);
    put_number(call, item, "pid", mate->pid, mate->pid > 0);
    ho_map_addz(item, "alive",
                ho_node_bool(call->arena, mate->pid > 0 && ho_process_start((pid_t)mate->pid) == mate->pid_start));
    ho_map_put(call->arena, item, "log", mate->log);
    put_look(call, project, mate, item);
  }
  return code;
}

/* Agents that have claimed a handoff and are not teammates of a run. */
static ho_code put_holders(ho_call *call, ho_project *project, const ho_teammate_list *mates, ho_error *err)
{
  static const ho_state states[] = {HO_STATE_CLAIMED, HO_STATE_ACKED};
  ho_node *list = ho_map_getz(call->result, "holders");
  ho_code code = HO_OK;
  for (size_t s = 0; s < HO_COUNT(states) && !code; s++) {
    ho_filter filter = {.state = ho_str_of(ho_state_name(states[s])), .oldest_first = true};
    ho_handoff_list held = {0};
    code = ho_handoffs_select(project->store, &filter, call->arena, &held, err);
    for (size_t i = 0; !code && i < held.count; i++) {
      bool teammate = false;
      for (size_t m = 0; m < mates->count && !teammate; m++)
        teammate = mates->rows[m].session.n && ho_str_eq(mates->rows[m].session, held.rows[i].claim_session);
      if (!teammate)
        ho_list_add(list, ho_describe_listed(project, &held.rows[i], call->arena));
    }
  }
  return code;
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_teammate_list mates = {0};
  ho_map_addz(call->result, "teammates", ho_node_new(call->arena, HO_KIND_LIST));
  ho_map_addz(call->result, "holders", ho_node_new(call->arena, HO_KIND_LIST));
  ho_node *paused = ho_map_addz(call->result, "paused", ho_node_new(call->arena, HO_KIND_LIST));
  ho_node *waiting = ho_map_addz(call->result, "waiting", ho_node_new(call->arena, HO_KIND_LIST));
  ho_code code = ho_ledger_call_maybe(call, err);
  if (code || !project->store)
    return code;
  ho_ledger_settle(project);
  code = put_teammates(call, project, &mates, err);
  if (!code)
    code = put_holders(call, project, &mates, err);
  return code ? code : ho_runs_left_idle(call, &mates, paused, waiting, err);
}

static void put_time(ho_buf *out, const ho_node *mate)
{
  ho_put_elapsed(out, ho_map_int(mate, "seconds") * 1000);
}

static void put_agent(ho_buf *out, const ho_node *mate)
{
  ho_term_put(out, ho_identity_name(ho_map_str(mate, "agent")), HO_TERM_LINE);
}

static void put_context(ho_buf *out, const ho_node *mate)
{
  ho_str percent = ho_map_str(mate, "percent"), tokens = ho_map_str(mate, "tokens");
  if (percent.n)
    ho_buf_printf(out, "%.*s %%", HO_ARG(percent));
  else if (tokens.n)
    ho_buf_printf(out, "%.*s tokens", HO_ARG(tokens));
}

static void put_objective(ho_buf *out, const ho_node *mate)
{
  ho_str objective = ho_map_str(mate, "objective");
  if (!objective.n)
    return;
  ho_buf_printf(out, "%lld/%lld ", ho_map_int(mate, "objectives_done"), ho_map_int(mate, "objectives"));
  ho_term_put(out, objective, HO_TERM_LINE);
}

static void put_gone(ho_buf *out, const ho_node *mate, size_t width)
{
  (void)width;
  if (!ho_node_true(ho_map_getz(mate, "alive")))
    ho_buf_puts(out, "    (gone; 'handoff run' with its plan will replace it)\n");
}

static void put_successor(ho_buf *out, const ho_node *mate)
{
  if (ho_map_int(mate, "successor"))
    ho_buf_printf(out, "successor %lld", ho_map_int(mate, "successor"));
}

static const ho_field params[] = {HO_FIELDS_END};
static const ho_record params_record = {.name = "ps", .fields = params};
#define NUMBER(key, what)                                                                                              \
  {                                                                                                                    \
    .name = key, .doc = what, .type = HO_T_INT, .flags = HO_NULLABLE                                                   \
  }
static const ho_field mate_fields[] = {
    HO_TEXT_FIELD("id", "RUN/STEP.N."),
    HO_TEXT_FIELD("run", "The run it belongs to."),
    HO_TEXT_FIELD("task", "The task."),
    HO_TEXT_FIELD("step", "The phase or step."),
    HO_TEXT_FIELD("agent", "The agent."),
    NUMBER("successor", "0 for the first teammate of its phase or step, 1 and up for successors."),
    HO_TEXT_FIELD("started", "When it started."),
    NUMBER("seconds", "How long it has worked, in seconds."),
    NUMBER("pid", "Process that supervises it."),
    {.name = "alive", .doc = "True if that process is running.", .type = HO_T_BOOL},
    HO_TEXT_FIELD("log", "File with its output."),
    NUMBER("objectives_done", "Objectives of its phase that are done; null without a progress file."),
    NUMBER("objectives", "Number of objectives."),
    HO_TEXT_FIELD("objective", "The objective it is working on."),
    NUMBER("context", "Tokens in its context; null if its harness does not report them."),
    NUMBER("percent", "Percent of its window."),
    NUMBER("tokens", "Tokens used so far."),
    HO_FIELDS_END};
static const ho_record mate_record = {.name = "teammate", .fields = mate_fields};
static const ho_field result[] = {
    HO_LIST_FIELD("teammates", "Teammates of runs, in the order they started.", mate_record),
    HO_LIST_FIELD("holders", "Handoffs that other agents have claimed.", ho_handoff_record),
    HO_LIST_FIELD("paused", "Runs that have work left and that nobody leads.", ho_runs_left_record),
    HO_LIST_FIELD("waiting", "Runs that are led, and of which no teammate works now.", ho_runs_left_record),
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "ps result", .fields = result};

static const ho_table_column columns[] = {{.title = "TEAMMATE", .key = "id", .as = HO_CELL_ID},
                                          {.title = "AGENT", .key = "agent", .put = put_agent, .least = 6},
                                          {.title = "TIME", .key = "seconds", .put = put_time},
                                          {.title = "CONTEXT", .key = "percent", .put = put_context},
                                          {.title = "", .key = "successor", .put = put_successor, .spare = true},
                                          {.title = "OBJECTIVE", .key = "objective", .put = put_objective, .least = 16},
                                          HO_COLUMNS_END};
static const ho_table table = {.list = "teammates", .record = &mate_record, .columns = columns, .below = put_gone};

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *mates = ho_map_getz(call->result, "teammates"), *holders = ho_map_getz(call->result, "holders");
  ho_table_put(call, out, &table, mates, 0, true, colour);
  ho_ledger_call_rows(call, out, holders, 0, colour);
  if (!mates->count && !holders->count)
    ho_buf_puts(out, "Nobody is working.\n");
  ho_table_put(call, out, &ho_runs_waiting_table, ho_map_getz(call->result, "waiting"), 0, false, colour);
  ho_table_put(call, out, &ho_runs_left_table, ho_map_getz(call->result, "paused"), 0, false, colour);
}

const ho_command ho_command_ps = {
    .name = "ps",
    .group = "agents",
    .summary = "Show who is working",
    .doc = "Lists the teammates of runs with their phase, successor number, time, context usage if the harness reports "
           "it, and current objective; then the handoffs that other agents have claimed, and the runs that wait or are "
           "paused.",
    .examples = "handoff ps",
    .teammate = true,
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
    .table = &table,
};
