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
  if (!code)
    code = ho_ledger_call_derive(call, HO_DERIVED_KNOWLEDGE, err);
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
  if (!inject.text.n && inject.left_out)
    ho_call_note(call, "nothing fits the budget; %zu %s left out", inject.left_out,
                 ho_plural_of((long long)inject.left_out, "item was", "items were"));
  else if (!inject.text.n)
    ho_call_note(call, "nothing is known about this task");
  return HO_OK;
}

static const ho_field params[] = {HO_PARAM_TASK(HO_REQUIRED),
                                  {.name = "after",
                                   .label = "TASK",
                                   .doc = "A task it depends on, in addition to those named in task files.",
                                   .type = HO_T_LIST,
                                   .item = HO_T_TEXT},
                                  {.name = "budget",
                                   .label = "TOKENS",
                                   .doc = "Maximum number of tokens.",
                                   .type = HO_T_INT,
                                   .min = 1,
                                   .max = 1000000,
                                   .fallback = "1000"},
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "prompt inject", .fields = params};
static const ho_field result[] = {
    {.name = "text", .doc = "The text; empty if nothing is known.", .type = HO_T_TEXT},
    {.name = "tokens", .doc = "Number of tokens.", .type = HO_T_INT, .flags = HO_REQUIRED},
    {.name = "tokenizer", .doc = "Tokenizer that counted them.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "included", .doc = "Number of items in the text.", .type = HO_T_INT, .flags = HO_REQUIRED},
    {.name = "left_out", .doc = "Number of items that did not fit.", .type = HO_T_INT, .flags = HO_REQUIRED},
    HO_TEXTS_FIELD("next_steps", "Next steps that the same predecessors suggest, for the breakdown."),
    HO_TEXT_FIELD("previous_findings", "Summary of the task's newest response, for its next request."),
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "prompt inject result", .fields = result};

const ho_command ho_command_prompt_inject = {
    .name = "prompt inject",
    .group = "phases",
    .summary = "Print what predecessors learned, for an agent starting a task",
    .doc = "Lists files to review, patterns to follow, warnings, failed approaches and open questions from earlier "
           "handoffs: first those "
           "of the task and of the tasks it depends on, then those about its files and tags, then the newest severe "
           "gotchas of the project. The text stays within the budget; what does not fit is counted. Text from "
           "documents is quoted and cannot leave its lines. The hooks show this text to an agent that starts a task.",
    .examples = "handoff prompt inject --task feature --budget 400",
    .teammate = true,
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = ho_render_text,
    .raw = true,
};
