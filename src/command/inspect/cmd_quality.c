#include "base/term.h"
#include "command/commands.h"
#include "command/ledger_call.h"
#include "engine/ledger/quality.h"
#include "engine/project/quote.h"
#include "engine/ledger/turn.h"
#include "store/handoffs/handoffs.h"

static ho_code measure(ho_call *call, ho_project *project, const ho_handoff *row, bool always, ho_node *handoffs,
                       ho_error *err)
{
  ho_str given = ho_arg_str(call, "transcript");
  ho_node *measured;
  ho_code code = ho_quality_measure(project, row, given.n ? ho_str_of(ho_full_path(call, given)) : HO_EMPTY,
                                    call->arena, &measured, err);
  if (!code && (always || !ho_node_absent(ho_map_getz(measured, "taken_by"))))
    ho_list_add(handoffs, measured);
  return code;
}

/* One handoff, those that one agent has sent, or all. */
static ho_code choose(ho_call *call, ho_project *project, ho_node *handoffs, ho_error *err)
{
  ho_str about = ho_arg_str(call, "about");
  ho_turn turn = {0};
  ho_error none = {0};
  ho_handoff_list list = {0};
  ho_filter filter = {.sender = about, .limit = ho_number_arg(call, "limit")};
  ho_code found = about.n ? ho_turn_begin(project, about, call->arena, &turn, &none) : HO_NOT_FOUND;
  if (found == HO_OK)
    return measure(call, project, &turn.row, true, handoffs, err);
  if (found != HO_NOT_FOUND) {
    *err = none;
    return found;
  }
  if (ho_arg_str(call, "transcript").n)
    return ho_fail(err, HO_USAGE, "--transcript needs the ID of one handoff");
  ho_code code = HO_OK;
  if (project->store)
    code = ho_handoffs_select(project->store, &filter, call->arena, &list, err);
  if (!code && about.n && !list.count)
    return ho_fail(err, HO_NOT_FOUND, "no handoff '%.*s', and none from an agent of that name", HO_ARG(about));
  for (size_t i = 0; !code && i < list.count; i++)
    code = measure(call, project, &list.rows[i], false, handoffs, err);
  ho_map_addz(call->result, "not_taken", ho_node_number(call->arena, (long long)list.count - handoffs->count));
  if (!code && project->store && !list.count)
    ho_call_note(call, "no handoffs found");
  if (!code)
    ho_ledger_call_limit(call, "newest", list.count, filter.limit, "measured");
  return code;
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_code code = ho_arg_str(call, "about").n ? ho_open_ledger(call, false, err) : ho_ledger_call_maybe(call, err);
  if (code)
    return code;
  ho_node *handoffs = ho_map_addz(call->result, "handoffs", ho_node_new(call->arena, HO_KIND_LIST));
  code = handoffs ? choose(call, project, handoffs, err) : ho_arena_code(call->arena, err);
  if (!code) {
    ho_map_addz(call->result, "agents", ho_quality_groups(handoffs, "from", "agent", call->arena));
    ho_map_addz(call->result, "formats", ho_quality_groups(handoffs, "kind", "format", call->arena));
    code = ho_arena_code(call->arena, err);
  }
  return code;
}

/* --- for people ------------------------------------------------------------------------------------------------------
 */

static ho_str shown(const ho_node *value)
{
  return ho_node_absent(value) ? HO_STR("unknown") : ho_node_str(value);
}

static void put_handoff(ho_buf *out, const ho_node *handoff, bool whole)
{
  static const char *const measures[][2] = {{"reread", "reread"},
                                            {"retried", "retried"},
                                            {"asked", "asked"},
                                            {"tokens_to_first_edit", "tokens to first edit"}};
  ho_term_put(out, ho_map_str(handoff, "id"), HO_TERM_LINE);
  ho_buf_printf(out, "  %.*s, ", HO_ARG(ho_map_str(handoff, "kind")));
  ho_quote_put_name(out, ho_map_str(handoff, "from"));
  ho_buf_puts(out, " → ");
  ho_quote_put_name(out, shown(ho_map_getz(handoff, "taken_by")));
  for (size_t i = 0; i < HO_COUNT(measures); i++)
    ho_buf_printf(out, "%s%s %.*s", i ? ", " : ": ", measures[i][1],
                  HO_ARG(shown(ho_map_getz(handoff, measures[i][0]))));
  const ho_node *complete = ho_map_getz(handoff, "completeness");
  if (!ho_node_absent(complete))
    ho_buf_printf(out, ", completeness %.*s", HO_ARG(complete->text));
  ho_buf_putc(out, '\n');
  static const char *const lists[][2] = {
      {"reread_files", "reread"}, {"retried_approaches", "retried"}, {"questions", "asked"}, {"unknown", "unknown"}};
  for (size_t i = 0; whole && i < HO_COUNT(lists); i++)
    HO_EACH_CONST (text, ho_map_getz(handoff, lists[i][0])) {
      ho_buf_printf(out, "  %s: ", lists[i][1]);
      ho_term_put(out, text->text, HO_TERM_LINE);
      ho_buf_putc(out, '\n');
    }
}

/* "2 of 5", or "unknown" if there is no evidence for any of them. */
static void put_share(ho_buf *out, const char *what, const ho_node *sum)
{
  const ho_node *any = ho_map_getz(sum, "any");
  if (ho_node_absent(any))
    ho_buf_printf(out, ", %s unknown", what);
  else
    ho_buf_printf(out, ", %s %.*s of %.*s", what, HO_ARG(any->text), HO_ARG(ho_map_str(sum, "known")));
}

static void put_groups(ho_buf *out, const ho_node *groups, const char *name)
{
  HO_EACH_CONST (group, groups) {
    ho_buf_printf(out, "%s ", name);
    ho_str whose = ho_map_str(group, name);
    ho_term_put(out, whose.n ? whose : HO_STR("(unknown)"), HO_TERM_LINE);
    long long count = ho_map_int(group, "handoffs");
    ho_buf_printf(out, ": %lld handoff%s", count, ho_plural(count));
    put_share(out, "reread", ho_map_getz(group, "reread"));
    put_share(out, "retried", ho_map_getz(group, "retried"));
    put_share(out, "asked", ho_map_getz(group, "asked"));
    ho_buf_printf(out, ", tokens to first edit %.*s\n",
                  HO_ARG(shown(ho_map_getz(ho_map_getz(group, "tokens_to_first_edit"), "median"))));
  }
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *handoffs = ho_map_getz(call->result, "handoffs"), *waiting = ho_map_getz(call->result, "not_taken");
  (void)colour;
  HO_EACH_CONST (handoff, handoffs)
    put_handoff(out, handoff, handoffs->count == 1);
  if (handoffs->count > 1) {
    put_groups(out, ho_map_getz(call->result, "agents"), "agent");
    put_groups(out, ho_map_getz(call->result, "formats"), "format");
  }
  if (waiting && !ho_str_is(waiting->text, "0"))
    ho_buf_printf(out, "%.*s not claimed\n", HO_ARG(waiting->text));
}

#define MEASURE(key, what)                                                                                             \
  {                                                                                                                    \
    .name = key, .doc = what, .type = HO_T_INT, .flags = HO_REQUIRED | HO_NULLABLE                                     \
  }
static const ho_field handoff_fields[] = {
    HO_TEXT_FIELD("id", "Id of the handoff."),
    HO_TEXT_FIELD("kind", "Format of its document."),
    HO_TEXT_FIELD("from", "The author."),
    HO_TEXT_FIELD("taken_by", "The last agent that claimed it; null if none has."),
    HO_TEXT_FIELD("task", "The task."),
    HO_TEXT_FIELD("phase", "The phase."),
    HO_TEXT_FIELD("state", "State of the handoff."),
    MEASURE("reread", "Number of files read although the handoff says not to; null if unknown."),
    MEASURE("retried", "Number of failed approaches that were tried again; null if unknown."),
    MEASURE("asked", "Number of questions and blockers of the receiver; null if unknown."),
    MEASURE("tokens_to_first_edit", "Tokens in the receiver's context before its first edit; null if unknown."),
    MEASURE("completeness", "Completeness of a task handoff, out of 100; null for other formats."),
    HO_TEXTS_FIELD("told_not_to_read", "Files that the handoff says not to read."),
    HO_TEXTS_FIELD("reread_files", "Those that were read."),
    HO_TEXTS_FIELD("retried_approaches", "The approaches that were tried again."),
    HO_TEXTS_FIELD("questions", "The questions and blockers."),
    HO_TEXT_FIELD("transcript", "Transcript used as evidence; null if there is none."),
    HO_TEXTS_FIELD("unknown", "Why a measure is unknown."),
    HO_FIELDS_END};
static const ho_record handoff_record = {.name = "measured handoff", .fields = handoff_fields};
static const ho_field sum_fields[] = {
    {.name = "known", .doc = "Number of handoffs for which it is known.", .type = HO_T_INT, .flags = HO_REQUIRED},
    {.name = "any",
     .doc = "Number of those with at least one; null if unknown.",
     .type = HO_T_INT,
     .flags = HO_NULLABLE},
    {.name = "median",
     .doc = "Median of those that are known; null if unknown.",
     .type = HO_T_INT,
     .flags = HO_NULLABLE},
    HO_FIELDS_END};
static const ho_record sum_record = {.name = "sum", .fields = sum_fields};
#define SUM(key, what)                                                                                                 \
  {                                                                                                                    \
    .name = key, .doc = what, .type = HO_T_RECORD, .record = &sum_record, .flags = HO_REQUIRED                         \
  }
static const ho_field group_fields[] = {
    HO_TEXT_FIELD("agent", "The author."),
    HO_TEXT_FIELD("format", "The format."),
    {.name = "handoffs", .doc = "Number of handoffs.", .type = HO_T_INT, .flags = HO_REQUIRED},
    SUM("reread", "Files that were reread."),
    SUM("retried", "Approaches that were retried."),
    SUM("asked", "Questions and blockers."),
    SUM("tokens_to_first_edit", "Tokens before the first edit."),
    HO_FIELDS_END};
static const ho_record group_record = {.name = "group", .fields = group_fields};
static const ho_field params[] = {{.name = "about",
                                   .label = "ID|AGENT",
                                   .doc = "Id of a handoff, or name of its author. Default: all handoffs.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_POSITIONAL},
                                  {.name = "transcript",
                                   .label = "FILE",
                                   .doc = "With an ID: transcript of the receiver's session, if no hook recorded it.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_IS_FILE},
                                  {.name = "limit",
                                   .label = "N",
                                   .doc = "Maximum number of handoffs, newest first.",
                                   .type = HO_T_INT,
                                   .min = 1,
                                   .max = 1000000,
                                   .fallback = "100"},
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "quality", .fields = params};
static const ho_field result[] = {
    HO_LIST_FIELD("handoffs", "The handoffs that were claimed, newest first.", handoff_record),
    HO_LIST_FIELD("agents", "Summary per author.", group_record),
    HO_LIST_FIELD("formats", "Summary per format.", group_record),
    {.name = "not_taken", .doc = "Number of handoffs that nobody has claimed yet.", .type = HO_T_INT},
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "quality result", .fields = result};

const ho_command ho_command_quality = {
    .name = "quality",
    .group = "inspect",
    .summary = "Measure how well handoffs served their receivers",
    .doc = "Shows, per handoff and summed up per author and format:\n- which files the receiver read although the "
           "handoff says not to\n- which approaches it tried again although the handoff says that they failed\n- what "
           "it had to ask\n- how many tokens were in its context before its first edit\n\nThe evidence is the ledger, "
           "the progress file and the transcript of the receiver's session, which its hooks record. A measure without "
           "evidence is unknown (null), never 0, and the reason is given.",
    .examples = "handoff quality\nhandoff quality --json --limit 20",
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
