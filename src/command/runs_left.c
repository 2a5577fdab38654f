#include "command/runs_left.h"

#include <sys/stat.h>

#include "base/term.h"
#include "command/ledger_call.h"
#include "engine/run/run.h"

ho_code ho_runs_left(ho_call *call, ho_run_list *out, ho_error *err)
{
  struct stat info;
  size_t kept = 0;
  ho_code code = ho_runs_select(call->project.store, HO_EMPTY, HO_EMPTY, true, 0, call->arena, out, err);
  for (size_t i = 0; i < out->count && !code; i++) {
    ho_str path = ho_fs_join(call->arena, call->project.home, out->rows[i].plan);
    if (!ho_str_starts(out->rows[i].plan, HO_RUN_WORKER) && path.n && ho_fs_stat(path.p, &info) == 0)
      out->rows[kept++] = out->rows[i];
  }
  out->count = kept;
  return code;
}

static ho_code put_left(ho_call *call, ho_node *list, const ho_run_row *row, bool led, ho_error *err)
{
  int64_t done = 0;
  size_t gated = 0;
  ho_run_step_list steps = {0};
  ho_code code = ho_runs_steps(call->project.store, row->id, call->arena, &steps, err);
  for (size_t i = 0; i < steps.count; i++) {
    done += steps.rows[i].state == HO_STEP_DONE || steps.rows[i].state == HO_STEP_SKIPPED;
    gated += steps.rows[i].state == HO_STEP_GATED;
  }
  ho_str why = row->why.n ? row->why : HO_STR("whoever led it is gone");
  if (led)
    why = gated ? HO_STR("for a decision; run: handoff gate") : HO_STR("for its next teammate to start");
  ho_node *item = code ? NULL : ho_list_add(list, ho_node_new(call->arena, HO_KIND_MAP));
  ho_map_put(call->arena, item, "run", row->id);
  ho_map_put(call->arena, item, "plan", row->plan);
  ho_map_put(call->arena, item, "task", row->task);
  ho_map_put(call->arena, item, "title", row->title.n ? row->title : row->plan);
  ho_map_put(call->arena, item, "why", why);
  ho_map_addz(item, "done", ho_node_number(call->arena, done));
  ho_map_addz(item, "steps", ho_node_number(call->arena, (int64_t)steps.count));
  return code;
}

static bool is_at_work(const ho_teammate_list *mates, ho_str run)
{
  for (size_t i = 0; i < mates->count; i++)
    if (ho_str_eq(mates->rows[i].run, run))
      return true;
  return false;
}

ho_code ho_runs_left_idle(ho_call *call, const ho_teammate_list *mates, ho_node *paused, ho_node *waiting,
                          ho_error *err)
{
  ho_run_list left = {0};
  ho_code code = ho_runs_left(call, &left, err);
  for (size_t i = 0; i < left.count && !code; i++) {
    bool led = ho_run_is_led(&left.rows[i], call->arena);
    if (!led || !is_at_work(mates, left.rows[i].id))
      code = put_left(call, led ? waiting : paused, &left.rows[i], led, err);
  }
  return code;
}

ho_str ho_runs_left_command(ho_arena *arena, const ho_node *item)
{
  return ho_arena_printf(arena, "handoff run %.*s", HO_ARG(ho_map_str(item, "run")));
}

static void put_done(ho_buf *out, const ho_node *item)
{
  ho_buf_printf(out, "%lld of %lld done", (long long)ho_map_int(item, "done"), (long long)ho_map_int(item, "steps"));
}

static void put_why(ho_buf *out, const ho_node *item, size_t width)
{
  (void)width;
  ho_buf_puts(out, "    paused: ");
  ho_term_put(out, ho_map_str(item, "why"), HO_TERM_LINE);
  ho_buf_printf(out, "\n    handoff run %.*s\n", HO_ARG(ho_map_str(item, "run")));
}

static void put_wait(ho_buf *out, const ho_node *item, size_t width)
{
  (void)width;
  ho_buf_puts(out, "    waits ");
  ho_term_put(out, ho_map_str(item, "why"), HO_TERM_LINE);
  ho_buf_putc(out, '\n');
}

static const ho_field fields[] = {
    HO_TEXT_FIELD("run", "The run."),
    HO_TEXT_FIELD("plan", "Its plan or workflow."),
    HO_TEXT_FIELD("task", "The task."),
    HO_TEXT_FIELD("title", "What it is about."),
    HO_TEXT_FIELD("why", "Why it is paused, or what it waits for."),
    {.name = "done", .doc = "How many of its phases or steps are done.", .type = HO_T_INT, .flags = HO_REQUIRED},
    {.name = "steps", .doc = "How many there are.", .type = HO_T_INT, .flags = HO_REQUIRED},
    HO_FIELDS_END};
const ho_record ho_runs_left_record = {.name = "run that is left", .fields = fields};

static const ho_table_column columns[] = {{.title = "RUN", .key = "run", .as = HO_CELL_ID},
                                          {.title = "DONE", .key = "progress", .put = put_done},
                                          {.title = "PLAN", .key = "title", .least = 16},
                                          HO_COLUMNS_END};
const ho_table ho_runs_left_table = {
    .list = "paused", .record = &ho_runs_left_record, .columns = columns, .below = put_why};
const ho_table ho_runs_waiting_table = {
    .list = "waiting", .record = &ho_runs_left_record, .columns = columns, .below = put_wait};
