#include "engine/context/transcript_parts.h"

#include "base/error.h"
#include "doc/tokens/tokens.h"
#include "engine/context/picture.h"

size_t ho_counter_count(const ho_counter *counter, ho_str text)
{
  return counter && counter->count ? counter->count(counter->world, text) : ho_tokens_count(NULL, text);
}

int64_t ho_count_of(const ho_node *map, const char *key)
{
  const int64_t absurd = 1000000000000;
  uint64_t count;
  const ho_node *node = ho_map_getz(map, key);
  if (!ho_node_is(node, HO_KIND_NUMBER) && !ho_node_is(node, HO_KIND_TEXT))
    return 0;
  ho_str text = ho_node_str(node);
  size_t point = ho_str_find_char(text, '.'); /* some writers turn 12 into 12.0 */
  if (!ho_str_to_u64(ho_str_sub(text, 0, point == HO_NONE ? text.n : point), &count) || count > (uint64_t)absurd)
    return 0;
  return (int64_t)count;
}

void ho_scan_model(ho_scan *scan, ho_str model)
{
  if (model.n && model.p[0] != '<')
    ho_error_copy(scan->model, sizeof scan->model, model);
}

static void start_text(ho_scan *scan, int64_t end)
{
  scan->since = 0;
  scan->text_end = end;
}

void ho_scan_usage(ho_scan *scan, ho_usage usage, int64_t end)
{
  if (usage.total == 0) {
    scan->zero_usages++;
    return;
  }
  scan->usage = usage;
  scan->usage_end = end;
  start_text(scan, end);
}

void ho_scan_compaction(ho_scan *scan, int64_t pre, int64_t post, int64_t end)
{
  scan->usage = (ho_usage){0};
  scan->usage_end = 0;
  scan->compactions++;
  scan->pre_tokens = pre;
  scan->post_tokens = post;
  scan->compact_end = end;
  scan->tool_calls = scan->read_tokens = 0;
  memset(scan->reads, 0, sizeof scan->reads);
  start_text(scan, end);
}

static uint64_t hash_id(ho_str id)
{
  return ho_str_hash(id) >> 1 | 1; /* fits into a JSON number, and is never 0 */
}

bool ho_recent_add(uint64_t recent[HO_RECENT], ho_str id)
{
  if (!id.n)
    return true;
  uint64_t hash = hash_id(id);
  for (size_t i = 0; i < HO_RECENT; i++)
    if (recent[i] == hash)
      return false;
  memmove(recent + 1, recent, (HO_RECENT - 1) * sizeof *recent);
  recent[0] = hash;
  return true;
}

bool ho_recent_newest(const uint64_t recent[HO_RECENT], ho_str id)
{
  return id.n && recent[0] == hash_id(id);
}

/* Keys whose texts belong to the harness and are never shown to the model. */
static const char unseen[] = "id|type|role|tool_use_id|call_id|signature|media_type|mimeType|status|encrypted_content|"
                             "cache_control|timestamp";
enum { DATA_BYTES = 256 }; /* a "data" longer than this is a picture, or some other file that is not text */

/* "data:image/png;base64,iVBOR…", or without what is before the comma. Of other files nobody knows the price. */
static int64_t data_tokens(ho_str data)
{
  int64_t tokens = HO_PICTURE_TOKENS;
  size_t comma = ho_str_starts(data, "data:") ? ho_str_find_char(data, ',') : HO_NONE;
  (void)ho_picture_price_base64(ho_str_sub(data, comma == HO_NONE ? 0 : comma + 1, data.n), &tokens);
  return tokens;
}

/* The JSON reader limits the depth. */
int64_t ho_text_tokens(const ho_node *node, const ho_counter *counter)
{
  int64_t tokens = 0;
  if (ho_node_is(node, HO_KIND_TEXT))
    return (int64_t)ho_counter_count(counter, node->text);
  HO_EACH_CONST (child, node) {
    bool data = ho_str_is(child->key, "data") || ho_str_starts(ho_node_str(child), "data:image/");
    if (child->key.n && ho_str_list_has(unseen, child->key))
      continue;
    if (data && ho_node_is(child, HO_KIND_TEXT) && child->text.n > DATA_BYTES)
      tokens += data_tokens(child->text);
    else
      tokens += ho_text_tokens(child, counter);
  }
  return tokens;
}
