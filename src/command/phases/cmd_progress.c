/* progress start|done|block|unblock|reopen|note|tried|show: the progress file of a phase. */
#include "base/term.h"
#include "command/commands.h"
#include "command/phase_args.h"
#include "engine/context/touched.h"
#include "engine/phase/progress.h"
#include "engine/plan/plan_phase.h"
#include "engine/project/quote.h"
#include "engine/relay/finish.h"
#include "model/formats/objectives.h"

enum { BAR_CELLS = 24 };

static ho_node *text(const ho_call *call, ho_str value)
{
  return ho_node_text(call->arena, value);
}

static ho_node *number(const ho_call *call, size_t value)
{
  return ho_node_number(call->arena, (long long)value);
}

static void note_change(void *data, const ho_node *at, ho_str id, const char *what)
{
  (void)at;
  ho_call_note(data, "objective %.*s %s; objectives never change: put it back", HO_ARG(id), what);
}

/* How far the phase is: what every one of the commands answers with. */
static void put_facts(ho_call *call, const ho_phase *phase, const ho_node *root)
{
  ho_progress_count count = ho_progress_counted(root);
  const ho_node *current = ho_progress_current(root);
  ho_node *result = call->result;
  ho_map_addz(result, "path", text(call, ho_shown_below(call, phase->progress)));
  ho_map_addz(result, "done", number(call, count.done));
  ho_map_addz(result, "total", number(call, count.total));
  ho_map_addz(result, "percent", number(call, count.total ? count.done * 100 / count.total : 0));
  ho_map_addz(result, "current",
              current ? text(call, ho_progress_id(root, current, call->arena))
                      : ho_node_new(call->arena, HO_KIND_NULL));
  ho_objectives_changes(root, note_change, call);
  ho_str summary;
  if (count.total && count.done == count.total && !ho_finish_was(phase, root, &summary))
    ho_call_note(call, "all objectives are done; run: handoff finish --task %.*s --phase %.*s", HO_ARG(phase->task),
                 HO_ARG(phase->phase));
  if (ho_progress_stuck(root))
    ho_call_note(call,
                 "every objective that is left is blocked; ask a person: " HO_PROGRESS_ASK
                 "; when one is no longer blocked: `handoff progress unblock %.*s --task %.*s --phase %.*s`",
                 HO_ARG(ho_quote_shell(call->arena, ho_progress_id(root, current, call->arena))), HO_ARG(phase->task),
                 HO_ARG(phase->phase));
}

static void put_answer(ho_call *call, const ho_phase *phase, const ho_progress_answer *answer)
{
  ho_which_remember(&call->project, call->arena, phase->task, phase->phase,
                    answer->changed ? HO_WHICH_WORKED : HO_WHICH_NAMED);
  ho_map_addz(call->result, "changed", ho_node_bool(call->arena, answer->changed));
  ho_map_addz(call->result, "said", text(call, answer->said));
  if (answer->objective.n)
    ho_map_addz(call->result, "objective", text(call, answer->objective));
  put_facts(call, phase, answer->doc.root);
}

/* Adds how to go on if the reason is that the progress file is missing or broken. */
static ho_code advise(const ho_phase *phase, ho_code code, ho_error *err)
{
  ho_doc doc;
  ho_error why = {0};
  if (ho_progress_read(phase, &doc, &why) != code || (code != HO_NOT_FOUND && code != HO_SYNTAX && code != HO_INVALID))
    return code;
  ho_str advice = ho_arena_printf(phase->arena, "%.200s; %srun: handoff progress start --task %.*s --phase %.*s %s",
                                  why.message, code == HO_NOT_FOUND ? "" : "mend it, or rename it and ",
                                  HO_ARG(phase->task), HO_ARG(phase->phase), ho_plan_phase_objectives(phase));
  ho_error_copy(err->message, sizeof err->message, advice);
  return code;
}

/* The boxes of the phase in the plan that are not ticked yet, or all of them if all are. */
static ho_node *planned(ho_call *call, const ho_plan_step *step)
{
  ho_node *list = ho_node_new(call->arena, HO_KIND_LIST);
  bool open = false;
  for (size_t i = 0; i < step->task_count; i++)
    open = open || !step->tasks[i].done;
  for (size_t i = 0; i < step->task_count; i++)
    if (!open || !step->tasks[i].done)
      ho_list_add(list, text(call, step->tasks[i].text));
  if (list && !list->count && step->goal.n)
    ho_list_add(list, text(call, step->goal));
  return list;
}

/* What the phase depends on may be missing. Its lead knows when a teammate can begin. */
static void note_waiting(ho_call *call, const ho_phase *phase, const ho_plan_phase *plan)
{
  if (!plan || !ho_plan_phase_marks(phase))
    return;
  for (size_t i = 0; i < plan->step->need_count; i++) {
    const ho_plan_step *need = &plan->steps.items[plan->step->needs[i]];
    if (need->status != HO_PLAN_DONE && need->status != HO_PLAN_SKIPPED)
      ho_call_note(call, "phase %.*s depends on phase %.*s, which is not done (%s)", HO_ARG(phase->phase),
                   HO_ARG(need->id), ho_plan_steps_marker(need->status));
  }
}

/* A help: what was changed counts without it. */
static void mark_plan(ho_call *call, const ho_phase *phase, const ho_node *undone)
{
  ho_error why = {0};
  if (ho_plan_phase_begin(phase, undone, &why))
    ho_call_note(call, "the plan could not be marked: %s", why.message);
}

/* A phase that the task's plan does not have is probably a slip. */
static void note_unplanned(ho_call *call, const ho_phase *phase, const ho_plan_phase *plan)
{
  if (plan->steps.count && !plan->step)
    ho_call_note(call, "%.*s has no phase %.*s, but %.*s; if you meant one of these, run this and start again: rm %.*s",
                 HO_ARG(ho_shown_below(call, plan->path)), HO_ARG(phase->phase),
                 HO_ARG(ho_plan_phase_ids(plan, call->arena)),
                 HO_ARG(ho_quote_shell(call->arena, ho_shown_below(call, phase->progress))));
}

static ho_code run_start(ho_call *call, ho_error *err)
{
  ho_phase phase;
  ho_progress_answer answer;
  ho_plan_phase plan = {0};
  ho_str name = ho_arg_str(call, "name");
  const ho_node *objectives = ho_arg(call, "objective");
  bool from_plan = ho_arg_true(call, "from_plan");
  if (from_plan && objectives && objectives->count)
    return ho_fail(err, HO_USAGE, "use either --from-plan or --objective");
  ho_which which = {.starts = !from_plan, .hint = objectives ? ho_node_str(objectives->first) : HO_EMPTY};
  ho_code code = ho_phase_args_begin(call, &which, &phase, err);
  if (code)
    return code;
  bool found = ho_plan_phase_read(&phase, &plan);
  if (found && !name.n)
    name = plan.step->name;
  if (found && from_plan)
    objectives = planned(call, plan.step);
  if (from_plan && !found)
    code = ho_fail(err, HO_NOT_FOUND, "task %.*s has no plan with phase %.*s in %.*s/plans; use --objective",
                   HO_ARG(phase.task), HO_ARG(phase.phase), HO_ARG(phase.folder));
  if (!code)
    code = ho_progress_start(&phase, name, objectives, &answer, err);
  if (!code) {
    ho_phase_args_note_made(call, &which, &phase);
    put_answer(call, &phase, &answer);
    note_waiting(call, &phase, found ? &plan : NULL);
    if (answer.changed)
      note_unplanned(call, &phase, &plan);
    ho_phase_args_note_aside(call, &which,
                             ho_arena_printf(call->arena, "rm -r %.*s",
                                             HO_ARG(ho_quote_shell(call->arena, ho_shown_below(call, phase.folder)))),
                             "start");
    if (answer.changed)
      mark_plan(call, &phase, NULL);
    return HO_OK;
  }
  ho_phase_undo(&phase);
  return code == HO_NOT_FOUND ? code : advise(&phase, code, err);
}

static ho_code apply(ho_call *call, ho_progress_change *change, ho_error *err)
{
  ho_phase phase;
  ho_progress_answer answer;
  ho_code code = ho_phase_args_find(call, &phase, err);
  if (code)
    return code;
  ho_touched touched =
      ho_touched_load(call->arena, ho_touched_path(call->arena, call->project.home, phase.task, phase.phase));
  change->files = touched.files;
  code = ho_progress_apply(&phase, change, &answer, err);
  if (code)
    return advise(&phase, code, err);
  ho_touched_forget(&touched);
  if (change->kind == HO_PROGRESS_REOPEN && answer.changed)
    mark_plan(call, &phase, ho_progress_undone(answer.doc.root, answer.objective, call->arena));
  put_answer(call, &phase, &answer);
  return HO_OK;
}

static ho_code run_done(ho_call *call, ho_error *err)
{
  ho_progress_change change = {
      .kind = HO_PROGRESS_DONE, .objective = ho_arg_str(call, "id"), .note = ho_arg_str(call, "note")};
  return apply(call, &change, err);
}

static ho_code run_block(ho_call *call, ho_error *err)
{
  ho_progress_change change = {
      .kind = HO_PROGRESS_BLOCK, .objective = ho_arg_str(call, "id"), .note = ho_arg_str(call, "note")};
  return apply(call, &change, err);
}

static ho_code run_unblock(ho_call *call, ho_error *err)
{
  ho_progress_change change = {
      .kind = HO_PROGRESS_UNBLOCK, .objective = ho_arg_str(call, "id"), .note = ho_arg_str(call, "note")};
  return apply(call, &change, err);
}

static ho_code run_reopen(ho_call *call, ho_error *err)
{
  ho_progress_change change = {
      .kind = HO_PROGRESS_REOPEN, .objective = ho_arg_str(call, "id"), .note = ho_arg_str(call, "note")};
  return apply(call, &change, err);
}

static ho_code run_note(ho_call *call, ho_error *err)
{
  ho_progress_change change = {
      .kind = HO_PROGRESS_NOTE, .objective = ho_arg_str(call, "id"), .note = ho_arg_str(call, "text")};
  return apply(call, &change, err);
}

static ho_code run_tried(ho_call *call, ho_error *err)
{
  ho_progress_change change = {.kind = HO_PROGRESS_TRIED,
                               .objective = ho_arg_str(call, "objective"),
                               .approach = ho_arg_str(call, "approach"),
                               .result = ho_arg_str(call, "result"),
                               .reason = ho_arg_str(call, "why")};
  return apply(call, &change, err);
}

/* The objective with an id and the values of the format, whatever else stands in the file. */
static ho_node *objective_node(ho_call *call, const ho_node *root, const ho_node *objective)
{
  static const char *const keys[] = {"description", "status", "note"};
  ho_node *node = ho_node_new(call->arena, HO_KIND_MAP);
  ho_map_addz(node, "id", text(call, ho_progress_id(root, objective, call->arena)));
  for (size_t i = 0; i < HO_COUNT(keys); i++) {
    ho_str value = ho_map_str(objective, keys[i]);
    if (value.n)
      ho_map_addz(node, keys[i], text(call, value));
  }
  return node;
}

static ho_code run_show(ho_call *call, ho_error *err)
{
  static const char *const texts[] = {"phase_name", "started_at", "last_updated"};
  ho_phase phase;
  ho_doc doc;
  ho_code code = ho_phase_args_find(call, &phase, err);
  if (code)
    return code;
  code = ho_progress_read(&phase, &doc, err);
  if (code)
    return advise(&phase, code, err);
  put_facts(call, &phase, doc.root);
  ho_map_addz(call->result, "task", text(call, phase.task));
  ho_map_addz(call->result, "phase", text(call, phase.phase));
  for (size_t i = 0; i < HO_COUNT(texts); i++)
    ho_map_addz(call->result, texts[i], text(call, ho_map_str(doc.root, texts[i])));
  ho_map_addz(call->result, "handoff_count", ho_node_number(call->arena, ho_map_int(doc.root, "handoff_count")));
  ho_node *objectives = ho_map_addz(call->result, "objectives", ho_node_new(call->arena, HO_KIND_LIST));
  HO_EACH_CONST (objective, ho_map_getz(doc.root, "objectives"))
    ho_list_add(objectives, objective_node(call, doc.root, objective));
  ho_node *tried = ho_map_getz(doc.root, "approaches_tried");
  ho_map_addz(call->result, "approaches_tried",
              ho_node_is(tried, HO_KIND_LIST) ? ho_node_copy(call->arena, tried)
                                              : ho_node_new(call->arena, HO_KIND_LIST));
  return HO_OK;
}

static void put_bar(const ho_call *call, ho_buf *out)
{
  long long done = ho_map_int(call->result, "done"), total = ho_map_int(call->result, "total");
  size_t filled = total ? (size_t)(done * BAR_CELLS / total) : 0;
  ho_buf_putc(out, '[');
  ho_buf_fill(out, '#', filled);
  ho_buf_fill(out, '.', BAR_CELLS - filled);
  ho_buf_printf(out, "] %lld of %lld done\n", done, total);
}

static void render_change(const ho_call *call, ho_buf *out, bool colour)
{
  (void)colour;
  ho_term_put(out, ho_map_str(call->result, "said"), HO_TERM_LINE);
  ho_buf_putc(out, '\n');
  put_bar(call, out);
}

static const char *mark_of(ho_str status)
{
  return ho_str_is(status, "done")          ? "x"
         : ho_str_is(status, "blocked")     ? "!"
         : ho_str_is(status, "in_progress") ? ">"
                                            : " ";
}

static void render_objective(const ho_node *objective, ho_buf *out)
{
  ho_str note = ho_map_str(objective, "note");
  ho_buf_printf(out, "[%s] ", mark_of(ho_map_str(objective, "status")));
  ho_term_put(out, ho_map_str(objective, "id"), HO_TERM_LINE);
  ho_buf_puts(out, "  ");
  ho_term_put(out, ho_map_str(objective, "description"), HO_TERM_LINE);
  if (note.n) {
    ho_buf_puts(out, "\n       ");
    ho_term_put(out, note, HO_TERM_LINE);
  }
  ho_buf_putc(out, '\n');
}

static void render_name(const ho_call *call, ho_buf *out)
{
  ho_str name = ho_map_str(call->result, "phase_name");
  ho_str plain = ho_arena_printf(call->arena, "Phase %.*s", HO_ARG(ho_map_str(call->result, "phase")));
  ho_term_put(out, plain, HO_TERM_LINE);
  if (name.n && !ho_str_eq(name, plain)) {
    ho_buf_puts(out, ": ");
    ho_term_put(out, name, HO_TERM_LINE);
  }
  ho_buf_putc(out, '\n');
}

static void render_show(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *tried = ho_map_getz(call->result, "approaches_tried");
  (void)colour;
  render_name(call, out);
  put_bar(call, out);
  HO_EACH_CONST (objective, ho_map_getz(call->result, "objectives"))
    render_objective(objective, out);
  if (!ho_node_empty(tried))
    ho_buf_puts(out, "Did not work:\n");
  HO_EACH_CONST (item, tried) {
    ho_str why = ho_map_str(item, "reason");
    ho_buf_puts(out, "- ");
    ho_term_put(out, ho_map_str(item, "approach"), HO_TERM_LINE);
    ho_buf_puts(out, ": ");
    ho_term_put(out, why.n ? why : ho_map_str(item, "result"), HO_TERM_LINE);
    ho_buf_puts(out, ho_progress_counts(item) ? "\n" : " (revoked)\n");
  }
}

#define WHERE HO_PARAM_TASK(0), HO_PARAM_PHASE(0), HO_PARAM_SLUG
#define ID(need)                                                                                                       \
  {                                                                                                                    \
    .name = "id", .label = "OBJECTIVE", .doc = "Id of the objective.", .type = HO_T_TEXT, .flags = (need)              \
  }
#define TEXT_PARAM(key, shown, what, need)                                                                             \
  {                                                                                                                    \
    .name = key, .label = shown, .doc = what, .type = HO_T_TEXT, .flags = (need)                                       \
  }

static const ho_choice results[] = {{.value = "failed", .doc = "it does not work"},
                                    {.value = "partial", .doc = "it works in part"},
                                    {.value = "blocked", .doc = "something else prevented it"},
                                    {0}};

static const ho_field start_params[] = {{.name = "objective",
                                         .label = "TEXT",
                                         .doc = "An objective of the phase; repeat for each, in order.",
                                         .type = HO_T_LIST,
                                         .item = HO_T_TEXT},
                                        {.name = "from_plan",
                                         .doc = "Take the objectives from the boxes of the phase in the task's plan.",
                                         .type = HO_T_BOOL},
                                        TEXT_PARAM("name", "TEXT", "Name of the phase. Default: that in the plan.", 0),
                                        WHERE,
                                        HO_FIELDS_END};
static const ho_field done_params[] = {ID(HO_REQUIRED | HO_POSITIONAL),
                                       TEXT_PARAM("note", "TEXT", "What a successor has to know about it.", 0), WHERE,
                                       HO_FIELDS_END};
static const ho_field block_params[] = {
    ID(HO_REQUIRED | HO_POSITIONAL), TEXT_PARAM("note", "TEXT", "What blocks it.", HO_REQUIRED), WHERE, HO_FIELDS_END};
static const ho_field note_params[] = {
    TEXT_PARAM("text", "TEXT", "How far it is.", HO_REQUIRED | HO_POSITIONAL),
    {.name = "id", .label = "OBJECTIVE", .doc = "Id of the objective. Default: the current one.", .type = HO_T_TEXT},
    WHERE,
    HO_FIELDS_END};
static const ho_field tried_params[] = {
    TEXT_PARAM("approach", "APPROACH", "What was tried.", HO_REQUIRED | HO_POSITIONAL),
    TEXT_PARAM("why", "TEXT", "Why it did not work, so that nobody tries it again.", HO_REQUIRED),
    {.name = "result", .doc = "The result.", .type = HO_T_TEXT, .choices = results, .fallback = "failed"},
    TEXT_PARAM("objective", "ID", "Id of the objective it was tried for.", 0),
    WHERE,
    HO_FIELDS_END};
static const ho_field show_params[] = {WHERE, HO_FIELDS_END};

static const ho_record start_record = {.name = "progress start", .fields = start_params};
static const ho_record done_record = {.name = "progress done", .fields = done_params};
static const ho_field back_params[] = {ID(HO_REQUIRED | HO_POSITIONAL),
                                       TEXT_PARAM("note", "TEXT", "What has changed.", 0), WHERE, HO_FIELDS_END};
static const ho_record unblock_record = {.name = "progress unblock", .fields = back_params};
static const ho_record reopen_record = {.name = "progress reopen", .fields = back_params};
static const ho_record block_record = {.name = "progress block", .fields = block_params};
static const ho_record note_record = {.name = "progress note", .fields = note_params};
static const ho_record tried_record = {.name = "progress tried", .fields = tried_params};
static const ho_record show_record = {.name = "progress show", .fields = show_params};

#define FACTS                                                                                                          \
  {.name = "path", .doc = "Path of the progress file.", .type = HO_T_TEXT, .flags = HO_REQUIRED},                      \
      {.name = "done", .doc = "Number of objectives that are done.", .type = HO_T_INT, .flags = HO_REQUIRED},          \
      {.name = "total", .doc = "Number of objectives.", .type = HO_T_INT, .flags = HO_REQUIRED},                       \
      {.name = "percent", .doc = "Percent done.", .type = HO_T_INT, .flags = HO_REQUIRED},                             \
  {                                                                                                                    \
    .name = "current", .doc = "The current or next objective; null if all are done.", .type = HO_T_TEXT,               \
    .flags = HO_NULLABLE                                                                                               \
  }
static const ho_field change_result[] = {
    {.name = "changed", .doc = "False if nothing changed.", .type = HO_T_BOOL, .flags = HO_REQUIRED},
    {.name = "said", .doc = "The result, in a word.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "objective", .doc = "Id of the objective.", .type = HO_T_TEXT},
    FACTS,
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record change_result_record = {.name = "progress result", .fields = change_result};

static const ho_field objective_fields[] = {
    {.name = "id", .doc = "Id of the objective.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "description", .doc = "What has to be achieved.", .type = HO_T_TEXT},
    {.name = "status", .doc = "not_started, in_progress, done or blocked.", .type = HO_T_TEXT},
    {.name = "note", .doc = "What a successor has to know.", .type = HO_T_TEXT},
    HO_FIELDS_END};
static const ho_record objective_record = {.name = "objective", .fields = objective_fields};
static const ho_field show_result[] = {
    FACTS,
    {.name = "task", .doc = "The task.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "phase", .doc = "The phase.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "phase_name", .doc = "Name of the phase in the plan.", .type = HO_T_TEXT},
    {.name = "started_at", .doc = "When the phase was started.", .type = HO_T_TEXT},
    {.name = "last_updated", .doc = "When the file last changed.", .type = HO_T_TEXT},
    {.name = "handoff_count", .doc = "Number of handoffs because a context was full.", .type = HO_T_INT},
    {.name = "objectives",
     .doc = "The objectives.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .record = &objective_record,
     .flags = HO_MAY_BE_EMPTY},
    {.name = "approaches_tried", .doc = "Approaches that did not work.", .type = HO_T_ANY},
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record show_result_record = {.name = "progress show result", .fields = show_result};

#define LOCKED                                                                                                         \
  "The file specs/{N}_{SLUG}/progress/phase-{P}-progress.json is changed in place and under a lock, so any number of " \
  "agents can write to it at once; nothing else in it is touched."
#define COMMAND(word, what, paragraph, example, effects, arguments, results_are, does, shows)                          \
  const ho_command ho_command_progress_##word = {.name = "progress " #word,                                            \
                                                 .group = "phases",                                                    \
                                                 .summary = what,                                                      \
                                                 .doc = paragraph,                                                     \
                                                 .examples = example,                                                  \
                                                 .teammate = true,                                                     \
                                                 .effect = effects,                                                    \
                                                 .params = &arguments,                                                 \
                                                 .result = &results_are,                                               \
                                                 .run = does,                                                          \
                                                 .render = shows}

COMMAND(start, "Start a phase by writing down its objectives",
        "Creates the progress file. Objectives never change afterwards, only their status and note do: starting again "
        "with the same objectives does nothing, and with others it is refused (exit status 6). With --from-plan they "
        "are the open boxes of the phase in the task's plan.",
        "handoff progress start --task 7 --slug fast_start --phase 2 --objective 'Measure the start' "
        "--objective 'Halve it'",
        HO_EFFECT_WRITE, start_record, change_result_record, run_start, render_change);
COMMAND(done, "Mark an objective as done", "The next open objective becomes the current one. " LOCKED,
        "handoff progress done 1 --task 7 --phase 2", HO_EFFECT_WRITE, done_record, change_result_record, run_done,
        render_change);
COMMAND(block, "Mark an objective as blocked", "The next open objective becomes the current one. " LOCKED,
        "handoff progress block 2 --task 7 --phase 2 --note 'The linker has no such option'", HO_EFFECT_WRITE,
        block_record, change_result_record, run_block, render_change);
COMMAND(unblock, "Continue an objective that was blocked", "It is in progress again. " LOCKED,
        "handoff progress unblock 2 --task 7 --phase 2 --note 'The linker was updated'", HO_EFFECT_WRITE,
        unblock_record, change_result_record, run_unblock, render_change);
COMMAND(reopen, "Continue an objective that was done", "It is in progress again. " LOCKED,
        "handoff progress reopen 1 --task 7 --phase 2 --note 'It is slow again'", HO_EFFECT_WRITE, reopen_record,
        change_result_record, run_reopen, render_change);
COMMAND(note, "Record how far an objective is", "An objective that was not started becomes in progress. " LOCKED,
        "handoff progress note '3 of 5 cases done' --task 7 --phase 2", HO_EFFECT_WRITE, note_record,
        change_result_record, run_note, render_change);
COMMAND(tried, "Record an approach that did not work",
        "Successors are told not to try it again. The same approach is recorded once. " LOCKED,
        "handoff progress tried 'Static linking' --task 7 --phase 2 --why 'The plugin loader needs a shared library'",
        HO_EFFECT_WRITE, tried_record, change_result_record, run_tried, render_change);
COMMAND(show, "Show the progress of a phase",
        "Shows the objectives with their status, and the approaches that did not work.",
        "handoff progress show --task 7 --phase 2", HO_EFFECT_READ, show_record, show_result_record, run_show,
        render_show);
