#include "base/fs.h"
#include "base/term.h"
#include "command/call.h"
#include "command/commands.h"
#include "command/ledger_call.h"
#include "engine/run/joined.h"
#include "engine/run/teammate_result.h"
#include "model/formats/response_findings.h"

/* What all results come to. */
typedef struct summing {
  size_t total, passed;
  bool stopped; /* one of them says STOP, which no rule outvotes */
} summing;

/* One result: who gave it, whether it passed, and why. */
static ho_code add_result(ho_call *call, ho_str path, summing *sum, ho_error *err)
{
  ho_result result;
  const char *full = ho_full_path(call, path);
  ho_result_ask ask = {.root = call->host->root, .folder = call->host->root, .meta = ho_str_of(full)};
  ho_str name = ho_fs_name(path);
  if (!ho_fs_is_file(full))
    return ho_fail_file(err, HO_NOT_FOUND, path, "no such file");
  ho_code code = ho_result_read(call->arena, &ask, &result, err);
  if (code)
    return code;
  ho_joined one = {.id = ho_str_ends(name, ".json") ? ho_str_sub(name, 0, name.n - 5) : name,
                   .type = result.type,
                   .summary = result.why,
                   .details = result.findings,
                   .issues = result.blockers,
                   .issue_count = result.blocker_count,
                   .passed = result.outcome == HO_OUTCOME_DONE && !result.obstacle};
  ho_node *item = ho_list_add(ho_map_getz(call->result, "results"), ho_joined_result(call->arena, &one));
  ho_map_addz(item, "path", ho_node_text(call->arena, path));
  ho_map_addz(item, "outcome", ho_node_textz(call->arena, ho_words_name(&ho_outcomes, result.outcome)));
  ho_joined_issues(ho_map_getz(call->result, "issues"), call->arena, &one);
  sum->total++;
  sum->passed += one.passed;
  sum->stopped |= result.outcome == HO_OUTCOME_STOP;
  return HO_OK;
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_str rule = ho_arg_str(call, "rule");
  summing sum = {0};
  bool overall;
  if (!ho_aggregate_passes(rule, 1, 1, &overall) || ho_str_is(rule, "0"))
    return ho_fail(err, HO_USAGE, "'%.*s' is not a rule; use all, any, majority or a number", HO_ARG(rule));
  ho_map_addz(call->result, "results", ho_node_new(call->arena, HO_KIND_LIST));
  ho_map_addz(call->result, "issues", ho_node_new(call->arena, HO_KIND_LIST));
  HO_EACH_CONST (path, ho_arg(call, "path")) {
    ho_code code = add_result(call, ho_node_str(path), &sum, err);
    if (code)
      return code;
  }
  (void)ho_aggregate_passes(rule, sum.total, sum.passed, &overall);
  ho_map_addz(call->result, "aggregation", ho_joined_sum(call->arena, rule, sum.total, sum.passed, overall));
  ho_map_addz(call->result, "decision",
              ho_node_textz(call->arena, sum.stopped ? "STOP"
                                         : overall   ? "PROCEED"
                                                     : "CLARIFY"));
  return overall && !sum.stopped ? HO_OK : HO_NO;
}

static const char *verdict_of(const ho_node *item)
{
  return ho_str_is(ho_map_str(item, "outcome"), "stop") ? "stop"
         : ho_node_true(ho_map_getz(item, "passed"))    ? "passed"
                                                        : "failed";
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *sum = ho_map_getz(call->result, "aggregation");
  (void)colour;
  HO_EACH_CONST (item, ho_map_getz(call->result, "results")) {
    ho_put_padded(out, ho_str_of(verdict_of(item)), 7);
    ho_term_put(out, ho_map_str(item, "path"), HO_TERM_LINE);
    ho_buf_puts(out, ": ");
    ho_term_put(out, ho_map_str(item, "summary"), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
  ho_buf_printf(out, "%.*s of %.*s passed, rule %.*s: %s\n", HO_ARG(ho_map_str(sum, "passed")),
                HO_ARG(ho_map_str(sum, "total")), HO_ARG(ho_map_str(sum, "rule")),
                ho_str_is(ho_map_str(call->result, "decision"), "STOP") ? "stopped, since a STOP is not outvoted"
                : ho_node_true(ho_map_getz(sum, "overall_passed"))      ? "passed"
                                                                        : "failed");
}

static const ho_field params[] = {{.name = "path",
                                   .label = "PATH",
                                   .doc = "Results: responses or return metadata.",
                                   .type = HO_T_LIST,
                                   .item = HO_T_TEXT,
                                   .flags = HO_REQUIRED | HO_POSITIONAL | HO_IS_FILE},
                                  {.name = "rule",
                                   .label = "all|any|majority|N",
                                   .doc = "How many have to pass; majority: more than half.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_REQUIRED,
                                   .example = "majority"},
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "aggregate", .fields = params};
static const ho_field item_fields[] = {HO_TEXT_FIELD("task_id", "Name of the agent, from the file name."),
                                       HO_TEXT_FIELD("type", "What kind of work it was: the phase of a response."),
                                       HO_TEXT_FIELD("path", "Path of the file."),
                                       HO_TEXT_FIELD("outcome", "done, blocked, failed, missing, …"),
                                       {.name = "passed", .doc = "True if it passed.", .type = HO_T_BOOL},
                                       HO_TEXT_FIELD("summary", "What it says, or what is wrong with it."),
                                       {.name = "details", .doc = "What it found.", .type = HO_T_ANY},
                                       HO_TEXTS_FIELD("issues", "Problems that it names."),
                                       HO_FIELDS_END};
static const ho_record item_record = {.name = "result", .fields = item_fields};
static const ho_field sum_fields[] = {
    {.name = "total", .doc = "Number of results.", .type = HO_T_INT},
    {.name = "passed", .doc = "Number of results that passed.", .type = HO_T_INT},
    {.name = "failed", .doc = "Number of results that did not pass.", .type = HO_T_INT},
    HO_TEXT_FIELD("rule", "The rule, as given."),
    {.name = "overall_passed", .doc = "True if the rule is satisfied.", .type = HO_T_BOOL},
    HO_FIELDS_END};
static const ho_record sum_record = {.name = "aggregation", .fields = sum_fields};
static const ho_field result[] = {
    HO_LIST_FIELD("results", "One entry per file.", item_record),
    {.name = "aggregation", .doc = "The verdict over all results.", .type = HO_T_RECORD, .record = &sum_record},
    HO_TEXT_FIELD("decision", "STOP if any says so, PROCEED if the rule is satisfied, else CLARIFY."),
    HO_TEXTS_FIELD("issues", "The issues of all, each with its name."),
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "aggregate result", .fields = result};

const ho_command ho_command_aggregate = {
    .name = "aggregate",
    .group = "agents",
    .summary = "Combine the results of several agents under a rule",
    .doc = "A response passes if it decides PROCEED, is not blocked, and none of its checks failed. Return metadata "
           "passes if its status is implemented, researched or planned. A result that names files that do not exist, "
           "or that cannot be read, does not pass. Exits 1 if the rule is not satisfied, and if any of them says STOP, "
           "which no rule outvotes.",
    .examples = "handoff aggregate --rule all response.json",
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
