/* prompt inject: what predecessors have learned, for an agent that starts on a task. */
#include "command/commands.h"
#include "command/ledger_call.h"
#include "command/phase_args.h"
#include "engine/knowledge/inject.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_str findings = HO_EMPTY;
  const ho_node *after = ho_arg(call, "after");
  ho_str *depends = ho_arena_array(call->arena, (after ? after->count : 0) + 1, sizeof *depends);
  ho_inject inject = {.task = ho_arg_str(call, "task"),
                      .depends = depends,
                      .budget = (size_t)ho_number_arg(call, "budget"),
                      .tokens = ho_host_tokens(call->host)};
  HO_EACH_CONST (task, after)
    if (depends)
      depends[inject.depend_count++] = task->text;
  ho_code code = ho_open_ledger(call, false, err);
  if (code)
    return code;
  code = ho_inject_make(project, call->arena, &inject, err);
  if (!code)
    code = ho_inject_findings(project, call->arena, inject.task, &findings, err);
  if (code)
    return code;
  ho_map_addz(call->result, "text", ho_node_text(call->arena, inject.text));
  ho_map_addz(call->result, "tokens", ho_node_number(call->arena, (long long)inject.token_count));
  ho_map_addz(call->result, "tokenizer", ho_node_textz(call->arena, ho_tokens_name(inject.tokens)));
  ho_map_addz(call->result, "included", ho_node_number(call->arena, (long long)inject.included));
  ho_map_addz(call->result, "left_out", ho_node_number(call->arena, (long long)inject.left_out));
  ho_map_addz(call->result, "next_steps", inject.steps);
  ho_map_put(call->arena, call->result, "previous_findings", findings);
  if (!inject.text.n)
    ho_note(call,
            inject.left_out ? "nothing fits the budget: %zu items were left out"
                            : "nothing is known that concerns this task",
            inject.left_out);
  return HO_OK;
}

static const ho_field params[] = {HO_PARAM_TASK(HO_REQUIRED),
                                  {.name = "after",
                                   .label = "TASK",
                                   .doc = "A task that it depends on, besides those that task files name.",
                                   .type = HO_T_LIST,
                                   .item = HO_T_TEXT},
                                  {.name = "budget",
                                   .label = "TOKENS",
                                   .doc = "The text has at most so many tokens.",
                                   .type = HO_T_INT,
                                   .min = 1,
                                   .max = 1000000,
                                   .fallback = "1000"},
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "prompt inject", .fields = params};
static const ho_field result[] = {
    {.name = "text", .doc = "The text; empty where nothing is known.", .type = HO_T_TEXT},
    {.name = "tokens", .doc = "How many it has.", .type = HO_T_INT, .flags = HO_REQUIRED},
    {.name = "tokenizer", .doc = "By which they were counted.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "included", .doc = "How many items it holds.", .type = HO_T_INT, .flags = HO_REQUIRED},
    {.name = "left_out", .doc = "How many had no room.", .type = HO_T_INT, .flags = HO_REQUIRED},
    HO_TEXTS_FIELD("next_steps", "What the same predecessors suggest to do next, for the breakdown."),
    HO_TEXT_FIELD("previous_findings", "The summary of the task's newest response, for its next request."),
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "prompt inject result", .fields = result};

const ho_command ho_command_prompt_inject = {
    .name = "prompt inject",
    .group = "phases",
    .summary = "What predecessors have learned, for an agent that starts on a task",
    .doc =
        "Prints files to review, patterns to follow, warnings and open questions from earlier handoffs, by the task "
        "that said them: of the task itself and the tasks it depends on, then what is about the files and tags of the "
        "task, then the newest severe gotchas of the project. The most severe and nearest come first and the text "
        "never has more tokens than the budget; what had no room is counted. Text of documents is quoted on lines of "
        "its own that it cannot leave. The hooks put it before an agent that starts on a task.",
    .examples = "handoff prompt inject --task feature --budget 400",
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = ho_render_text,
    .raw = true,
};
