/* Codex: rollouts, one {timestamp, type, payload} per line.
 *
 * A token_usage_record carries the usage of a request (its input includes what was cached) and is written before the tools
 * that it asks for are run, so hooks see it in time; a token_count event comes after them, with the window. The first
 * events may carry none. Counts have been seen as texts and as null. */
#include "engine/context/transcript_parts.h"

static bool owns(const ho_node *entry)
{
  return ho_node_is(ho_map_getz(entry, "payload"), HO_KIND_MAP) &&
         ho_str_list_has("session_meta|turn_context|response_item|event_msg|compacted|token_usage_record",
                         ho_map_str(entry, "type"));
}

static void take_usage(ho_scan *scan, const ho_node *last, int64_t end)
{
  if (!ho_node_is(last, HO_KIND_MAP)) /* a heartbeat */
    return;
  ho_usage u = {.input = ho_count_of(last, "input_tokens"),
                .cache_read = ho_count_of(last, "cached_input_tokens"),
                .cache_creation = ho_count_of(last, "cache_write_input_tokens"),
                .output = ho_count_of(last, "output_tokens")};
  u.total = ho_count_of(last, "total_tokens");
  if (!u.total)
    u.total = u.input + u.output;
  ho_scan_usage(scan, u, end);
}

static void take_count(ho_scan *scan, const ho_node *info, int64_t end)
{
  int64_t window = ho_count_of(info, "model_context_window");
  if (window)
    scan->window = window;
  const ho_node *last = ho_map_getz(info, "last_token_usage");
  if (!scan->usage.total || ho_count_of(last, "total_tokens") != scan->usage.total) /* else what its record said */
    take_usage(scan, last, end);
}

/* It does not say how many tokens are left, so the replacement for the conversation is counted. */
static void take_compaction(ho_scan *scan, const ho_node *payload, int64_t end)
{
  const ho_node *history = ho_map_getz(payload, "replacement_history");
  ho_scan_compaction(scan, 0, 0, end);
  scan->since = ho_text_tokens(ho_node_empty(history) ? ho_map_getz(payload, "message") : history, NULL);
}

enum { COMMAND = 2048 }; /* bytes of a command that are examined */

/* In ["bash", "-lc", "cat notes.md"] the command is the last item; any other list is a command as a whole. */
static ho_node *command_text(const ho_node *list, ho_arena *arena)
{
  if (list->count == 3 && ho_str_starts(ho_node_str(ho_list_at(list, 1)), "-"))
    return ho_node_text(arena, ho_node_str(list->last));
  ho_str words = HO_EMPTY;
  HO_EACH_CONST (word, list)
    if (words.n < COMMAND)
      words = ho_arena_printf(arena, "%.*s%s%.*s", HO_ARG(words), words.n ? " " : "",
                              HO_ARG(ho_str_sub(ho_node_str(word), 0, COMMAND)));
  return ho_node_text(arena, words);
}

/* Arguments are a text: JSON as the model wrote it, or the patch itself. */
static ho_node *input_of(const ho_node *payload, ho_arena *arena)
{
  ho_node *input = NULL;
  const ho_node *arguments = ho_map_getz(payload, "arguments"), *action = ho_map_getz(payload, "action");
  if (ho_node_is(action, HO_KIND_MAP)) /* a local shell */
    input = ho_node_copy(arena, action);
  else if (ho_node_is(arguments, HO_KIND_TEXT))
    input = ho_transcript_parse(arena, arguments->text);
  if (!ho_node_is(input, HO_KIND_MAP)) {
    input = ho_node_new(arena, HO_KIND_MAP);
    ho_map_addz(input, "input", ho_node_text(arena, ho_map_str(payload, "input")));
  }
  const ho_node *command = ho_map_getz(input, "command");
  if (ho_node_is(command, HO_KIND_LIST))
    ho_map_set(input, HO_STR("command"), command_text(command, arena));
  return input;
}

static void take_call(ho_scan *scan, const ho_node *payload, ho_arena *arena)
{
  ho_str name = ho_map_str(payload, "name");
  if (!name.n)
    name = HO_STR("shell"); /* a local shell call has no name */
  ho_scan_tool(scan, name, ho_map_str(payload, "call_id"), input_of(payload, arena));
}

static void take(ho_scan *scan, const ho_node *entry, int64_t end, ho_arena *arena)
{
  const ho_node *payload = ho_map_getz(entry, "payload");
  ho_str type = ho_map_str(entry, "type"), kind = ho_map_str(payload, "type");
  if (ho_str_is(type, "turn_context"))
    ho_scan_model(scan, ho_map_str(payload, "model"));
  else if (ho_str_is(type, "compacted"))
    take_compaction(scan, payload, end);
  else if (ho_str_is(type, "event_msg") && ho_str_is(kind, "token_count"))
    take_count(scan, ho_map_getz(payload, "info"), end);
  else if (ho_str_is(type, "token_usage_record"))
    take_usage(scan, ho_map_getz(payload, "usage"), end);
  else if (ho_str_is(type, "response_item") && ho_str_list_has("function_call|custom_tool_call|local_shell_call", kind))
    take_call(scan, payload, arena);
}

static const ho_node *text(const ho_scan *scan, const ho_node *entry)
{
  ho_str type = ho_map_str(entry, "type");
  (void)scan;
  /* Events repeat what the items say. */
  return ho_str_is(type, "response_item") ? ho_map_getz(entry, "payload") : NULL;
}

static const ho_node *said(const ho_node *entry)
{
  const ho_node *payload = ho_map_getz(entry, "payload"), *item = ho_map_getz(entry, "item");
  if (ho_str_is(ho_map_str(item, "type"), "agent_message")) /* the output of `codex exec --json` */
    return ho_map_getz(item, "text");
  return ho_str_is(ho_map_str(payload, "role"), "assistant") ? ho_map_getz(payload, "content") : NULL;
}

static const ho_node *asked(const ho_node *entry)
{
  const ho_node *payload = ho_map_getz(entry, "payload");
  return ho_str_is(ho_map_str(payload, "role"), "user") ? ho_map_getz(payload, "content") : NULL;
}

const ho_transcript_form ho_transcript_codex = {
    .harness = &ho_harness_codex,
    .marks = {"token_count", "token_usage_record", "turn_context", "\"compacted\"", "function_call", "tool_call",
              "shell_call"},
    .owns = owns,
    .take = take,
    .text = text,
    .said = said,
    .asked = asked,
};
