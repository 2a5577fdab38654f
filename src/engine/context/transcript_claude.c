/* Claude Code: one JSON object per line.
 *
 * A message is written once for each block of its content, with the same id and a usage whose output grows, so the
 * last line of a message wins; a late line of an older message does not make it the newest again. Subagents work on
 * sidechains, in their own files or between the lines of the main chain. */
#include "engine/context/transcript_parts.h"

static bool owns(const ho_node *entry)
{
  ho_str type = ho_map_str(entry, "type");
  if (ho_map_getz(entry, "payload"))
    return false;
  return (ho_str_list_has("user|assistant", type) && ho_node_is(ho_map_getz(entry, "message"), HO_KIND_MAP)) ||
         ho_str_list_has("summary|file-history-snapshot|queue-operation", type) ||
         (ho_str_is(type, "system") && ho_map_getz(entry, "subtype"));
}

static bool aside(const ho_scan *scan, const ho_node *entry)
{
  return !scan->sidechain &&
         (ho_node_true(ho_map_getz(entry, "isSidechain")) || !ho_node_absent(ho_map_getz(entry, "parent_tool_use_id")));
}

/* Either spelling: transcripts use camelCase, the stream of `claude -p` snake_case. */
static int64_t either(const ho_node *map, const char *one, const char *other)
{
  int64_t count = ho_count_of(map, one);
  return count ? count : ho_count_of(map, other);
}

static void take_boundary(ho_scan *scan, const ho_node *entry, int64_t end)
{
  const ho_node *data = ho_map_getz(entry, "compactMetadata");
  if (!data)
    data = ho_map_getz(entry, "compact_metadata");
  if (!data)
    data = entry;
  ho_scan_compaction(scan, either(data, "preTokens", "pre_tokens"), either(data, "postTokens", "post_tokens"), end);
}

static void take_message(ho_scan *scan, const ho_node *message, int64_t end)
{
  ho_str id = ho_map_str(message, "id");
  const ho_node *usage = ho_map_getz(message, "usage");
  HO_EACH_CONST (block, ho_map_getz(message, "content"))
    if (ho_str_is(ho_map_str(block, "type"), "tool_use"))
      ho_scan_tool(scan, ho_map_str(block, "name"), ho_map_str(block, "id"), ho_map_getz(block, "input"));
  if (!ho_recent_add(scan->messages, id) && !ho_recent_newest(scan->messages, id))
    return;
  ho_scan_model(scan, ho_map_str(message, "model"));
  if (!ho_node_is(usage, HO_KIND_MAP))
    return;
  ho_usage u = {.input = ho_count_of(usage, "input_tokens"),
                .cache_creation = ho_count_of(usage, "cache_creation_input_tokens"),
                .cache_read = ho_count_of(usage, "cache_read_input_tokens"),
                .output = ho_count_of(usage, "output_tokens")};
  /* There is no answer without input: a back end that reports no input reports nothing useful. */
  if (u.input + u.cache_creation + u.cache_read > 0)
    u.total = u.input + u.cache_creation + u.cache_read + u.output;
  ho_scan_usage(scan, u, end);
}

static void take(ho_scan *scan, const ho_node *entry, int64_t end, ho_arena *arena)
{
  (void)arena;
  ho_str type = ho_map_str(entry, "type");
  if (aside(scan, entry))
    return;
  if (ho_str_is(type, "system") && ho_str_is(ho_map_str(entry, "subtype"), "compact_boundary"))
    take_boundary(scan, entry, end);
  else if (ho_str_is(type, "assistant"))
    take_message(scan, ho_map_getz(entry, "message"), end);
}

static const ho_node *text(const ho_scan *scan, const ho_node *entry)
{
  if (aside(scan, entry) || !ho_str_list_has("user|assistant", ho_map_str(entry, "type")))
    return NULL;
  if (scan->post_tokens && ho_node_true(ho_map_getz(entry, "isCompactSummary"))) /* already counted at the boundary */
    return NULL;
  return ho_map_getz(ho_map_getz(entry, "message"), "content");
}

static const ho_node *said(const ho_node *entry)
{
  const ho_node *content = ho_node_at(entry, HO_STR("/message/content"));
  if (!ho_str_is(ho_map_str(entry, "type"), "assistant"))
    return NULL;
  return content ? content : ho_map_getz(entry, "content");
}

static const ho_node *asked(const ho_node *entry)
{
  if (!ho_str_is(ho_map_str(entry, "type"), "user") || ho_node_true(ho_map_getz(entry, "isMeta")) ||
      ho_node_true(ho_map_getz(entry, "isCompactSummary")))
    return NULL;
  return ho_node_at(entry, HO_STR("/message/content"));
}

const ho_transcript_form ho_transcript_claude = {
    .harness = &ho_harness_claude,
    .marks = {"\"usage\"", "\"tool_use\"", "compact_boundary"},
    .owns = owns,
    .take = take,
    .text = text,
    .said = said,
    .asked = asked,
};
