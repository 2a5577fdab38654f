#include "base/term.h"
#include "command/commands.h"
#include "command/context_shown.h"
#include "engine/context/context_cache.h"
#include "model/formats/formats.h"

static ho_node *text_or_null(ho_arena *arena, const char *text)
{
  return text && *text ? ho_node_text(arena, ho_arena_copy(arena, ho_str_of(text))) : ho_node_new(arena, HO_KIND_NULL);
}

static void put_context(ho_call *call, const ho_context *context, const ho_scan *scan)
{
  ho_arena *arena = call->arena;
  ho_map_addz(call->result, "used", ho_context_shown_count(arena, context->used));
  ho_map_addz(call->result, "window",
              ho_context_shown_count(arena, context->window.effective ? context->window.effective : -1));
  ho_map_addz(call->result, "percent", ho_context_shown_percent(arena, context->tenths));
  ho_map_addz(call->result, "evidence", ho_node_textz(arena, ho_evidence_name(context->evidence)));
  ho_map_addz(call->result, "model", text_or_null(arena, context->model));
  ho_map_addz(call->result, "harness", text_or_null(arena, scan->harness ? scan->harness->name : NULL));
  ho_map_addz(call->result, "why", text_or_null(arena, context->why));
  ho_map_addz(call->result, "full_window",
              ho_context_shown_count(arena, context->window.full ? context->window.full : -1));
  ho_map_addz(call->result, "window_source", ho_node_textz(arena, context->window.source));
  ho_map_addz(call->result, "since", ho_node_number(arena, context->since));
}

static void put_triggers(ho_call *call, const ho_trigger triggers[HO_TRIGGERS])
{
  ho_node *list = ho_map_addz(call->result, "triggers", ho_node_new(call->arena, HO_KIND_LIST));
  for (size_t i = 0; i < HO_TRIGGERS; i++) {
    ho_node *item = ho_list_add(list, ho_node_new(call->arena, HO_KIND_MAP));
    ho_map_addz(item, "name", ho_node_textz(call->arena, triggers[i].name));
    ho_map_addz(item, "fires", ho_node_bool(call->arena, triggers[i].fires));
    ho_map_addz(item, "why", text_or_null(call->arena, triggers[i].why));
  }
}

/* Objectives of a progress file that are done. */
static ho_code count_done(ho_call *call, ho_str path, int64_t *done, ho_error *err)
{
  ho_doc doc;
  ho_code code = ho_read_document(call, path, &ho_format_progress, &doc, err);
  if (code)
    return code;
  *done = 0;
  HO_EACH_CONST (item, ho_map_getz(doc.root, "objectives"))
    *done += ho_str_is(ho_map_str(item, "status"), "done");
  return HO_OK;
}

/* What is about to be read, and what was finished. */
static ho_code add_facts(ho_call *call, ho_str session, const ho_counter *counter, ho_trigger_facts *facts,
                         ho_error *err)
{
  ho_str next = ho_arg_str(call, "next_read"), progress = ho_arg_str(call, "progress");
  if (next.n) {
    facts->next = ho_arena_z(call->arena, next);
    facts->next_tokens = ho_price_file(ho_full_path(call, next), counter);
    if (facts->next_tokens < 0)
      return ho_fail_file(err, HO_NOT_FOUND, next, "no such file (--next-read)");
  }
  if (!progress.n)
    return HO_OK;
  ho_scan *kept = HO_NEW(call->arena, ho_scan);
  ho_nudges nudges;
  if (!kept)
    return ho_arena_code(call->arena, err);
  ho_scan_load(kept, &nudges, call->arena, ho_context_path(call->arena, call->host->root, session, HO_SCAN_SUFFIX).p);
  facts->objectives_known = true;
  facts->objectives_before = nudges.objectives_done;
  return count_done(call, progress, &facts->objectives_done, err);
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_window_facts windows = {0};
  ho_figure figure;
  ho_context context;
  ho_trigger triggers[HO_TRIGGERS];
  long long given = 0;
  int64_t threshold;
  ho_str path = ho_str_of(ho_full_path(call, ho_arg_str(call, "transcript"))), session = ho_context_session(path);
  ho_counter counter = ho_context_shown_counter(call->host);
  ho_scan *scan = HO_NEW(call->arena, ho_scan);
  ho_code code = ho_context_shown_settings(call, &windows, &threshold, err);
  if (code || !scan)
    return scan ? code : ho_arena_code(call->arena, err);
  ho_code found = ho_transcript_scan(scan, path.p, ho_harness_named(ho_arg_str(call, "harness")), &counter);
  if (found == HO_MEMORY)
    return ho_fail_memory(err);
  ho_figure_load(&figure, call->arena, ho_context_path(call->arena, call->host->root, session, HO_FIGURE_SUFFIX).p);
  if (ho_node_to_int(ho_arg(call, "window"), &given))
    windows.given = given;
  if (scan->harness)
    ho_window_harness(&windows, scan->harness, call->host->root, call->arena);
  ho_context_judge(scan, &figure, &windows, &context);
  ho_trigger_facts facts = ho_context_trigger_facts(&context, scan, threshold);
  code = add_facts(call, session, &counter, &facts, err);
  if (code)
    return code;
  ho_triggers_find(&facts, triggers);
  put_context(call, &context, scan);
  put_triggers(call, triggers);
  ho_map_addz(call->result, "threshold", ho_node_number(call->arena, threshold));
  if (context.evidence != HO_EVIDENCE_UNKNOWN)
    return HO_OK;
  return found ? found : HO_NO;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  long long threshold = 0;
  if (ho_node_to_int(ho_map_getz(call->result, "threshold"), &threshold))
    ho_context_shown_put(out, call->result, threshold, colour);
  const ho_node *used = ho_map_getz(call->result, "used");
  if (!ho_node_absent(used))
    ho_buf_printf(out, "%.*s tokens; ", HO_ARG(ho_node_str(used)));
  ho_buf_printf(out, "evidence: %.*s (", HO_ARG(ho_map_str(call->result, "evidence")));
  ho_term_put(out, ho_map_str(call->result, "why"), HO_TERM_LINE);
  ho_buf_puts(out, ")\n");
  HO_EACH_CONST (trigger, ho_map_getz(call->result, "triggers")) {
    bool fires = ho_node_true(ho_map_getz(trigger, "fires"));
    ho_buf_printf(out, "%s %-9.*s ", fires ? "!" : "-", HO_ARG(ho_map_str(trigger, "name")));
    ho_term_put(out, ho_map_str(trigger, "why"), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
}

static const ho_field params[] = {
    {.name = "transcript",
     .label = "TRANSCRIPT",
     .doc = "Transcript of the session, as its harness writes it.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED | HO_POSITIONAL | HO_IS_FILE},
    {.name = "harness",
     .label = "H",
     .doc = "Harness that wrote the transcript. Default: recognised by content, then by path.",
     .type = HO_T_TEXT,
     .choices = ho_harness_choices},
    {.name = "window",
     .label = "N",
     .doc = "Size of the context window in tokens. Default: that of the model.",
     .type = HO_T_INT,
     .min = 1,
     .max = 1000000000},
    {.name = "next_read",
     .label = "PATH",
     .doc = "Check whether this file would still fit.",
     .type = HO_T_TEXT,
     .flags = HO_IS_FILE},
    {.name = "progress",
     .label = "PATH",
     .doc = "Progress file of the phase; check whether an objective was completed since the agent was last asked.",
     .type = HO_T_TEXT,
     .flags = HO_IS_FILE},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "context", .fields = params};

static const ho_field trigger_fields[] = {
    {.name = "name", .doc = "threshold, overflow, objective or reread.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "fires", .doc = "True if it is time to pass the work on.", .type = HO_T_BOOL, .flags = HO_REQUIRED},
    {.name = "why", .doc = "The reason.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    HO_FIELDS_END};
static const ho_record trigger_record = {.name = "trigger", .fields = trigger_fields};
static const ho_field result[] = {
    {.name = "used", .doc = "Tokens in the context.", .type = HO_T_INT, .flags = HO_NULLABLE},
    {.name = "window",
     .doc = "Tokens available before the context is full or compacted.",
     .type = HO_T_INT,
     .flags = HO_NULLABLE},
    {.name = "percent",
     .doc = "Percent of the window that is used, rounded down.",
     .type = HO_T_NUMBER,
     .flags = HO_NULLABLE},
    {.name = "evidence",
     .doc = "statusline, usage, compaction, tokenizer, tools or unknown.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED},
    {.name = "model", .doc = "Model, as the harness names it.", .type = HO_T_TEXT, .flags = HO_NULLABLE},
    {.name = "harness", .doc = "Harness that wrote the transcript.", .type = HO_T_TEXT, .flags = HO_NULLABLE},
    {.name = "why", .doc = "Details of the evidence.", .type = HO_T_TEXT, .flags = HO_NULLABLE},
    {.name = "full_window", .doc = "Size of the model's context in tokens.", .type = HO_T_INT, .flags = HO_NULLABLE},
    {.name = "window_source",
     .doc = "Where the window comes from: given, config, harness, table, use (more is used than the table says) or "
            "unknown.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED},
    {.name = "since",
     .doc = "Tokens of text that came after the figure and will be sent with the next request.",
     .type = HO_T_INT,
     .flags = HO_REQUIRED},
    {.name = "triggers",
     .doc = "All triggers, whether or not they fire.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .record = &trigger_record,
     .flags = HO_REQUIRED},
    {.name = "threshold", .doc = "Percent at which a handoff is requested.", .type = HO_T_INT, .flags = HO_REQUIRED},
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "context result", .fields = result};

const ho_command ho_command_context = {
    .name = "context",
    .group = "agents",
    .summary = "Show how full an agent's context is, and on what evidence",
    .doc = "Reads the end of a transcript of " HO_READ_TITLES ". The evidence is the best available: the "
           "figure kept by the status line, the usage reported with the newest message, what the last compaction left, "
           "a token count of the text, or the number of tool calls.\n\nA trigger fires if:\n- threshold: the context "
           "is as full as the setting 'threshold'\n- overflow: the next file to read would not fit (--next-read)\n- "
           "objective: an objective was completed (--progress)\n- reread: the same content was read three times "
           "without an edit in between\n\nExits 1 if there is no evidence, 5 or 9 if the transcript cannot be opened.",
    .examples =
        "handoff context transcript.jsonl\nhandoff context transcript.jsonl --window 150000 --next-read notes.md",
    .teammate = true,
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
