/* Gemini: a chat is one JSON document that is rewritten each time, or has one entry per line.
 *
 * Only the end of a large document is read. That works because inside a text every quote is preceded by a backslash:
 * a key without one is a key of the document, wherever reading began. */
#include <errno.h>
#include <unistd.h>

#include "engine/context/transcript_parts.h"

static bool owns(const ho_node *entry)
{
  return ho_map_getz(entry, "usageMetadata") || ho_map_getz(entry, "projectHash") ||
         ho_str_is(ho_map_str(entry, "type"), "gemini") ||
         (ho_node_is(ho_map_getz(entry, "tokens"), HO_KIND_MAP) && ho_map_getz(entry, "id"));
}

/* usageMetadata as the service reports it, or tokens as a chat stores it. */
static ho_usage usage_of(const ho_node *data, const ho_node *tokens)
{
  ho_usage u = {0};
  if (ho_node_is(data, HO_KIND_MAP)) {
    u.input = ho_count_of(data, "promptTokenCount");
    u.cache_read = ho_count_of(data, "cachedContentTokenCount");
    u.output = ho_count_of(data, "candidatesTokenCount") + ho_count_of(data, "thoughtsTokenCount");
    u.total = ho_count_of(data, "totalTokenCount");
  } else {
    u.input = ho_count_of(tokens, "input");
    u.cache_read = ho_count_of(tokens, "cached");
    u.output = ho_count_of(tokens, "output") + ho_count_of(tokens, "thoughts") + ho_count_of(tokens, "tool");
    u.total = ho_count_of(tokens, "total");
  }
  if (!u.total)
    u.total = u.input + u.output;
  return u;
}

static void take(ho_scan *scan, const ho_node *entry, int64_t end, ho_arena *arena)
{
  const ho_node *response = ho_map_getz(entry, "response"), *tokens = ho_map_getz(entry, "tokens");
  const ho_node *data = ho_map_getz(entry, "usageMetadata");
  (void)arena;
  if (!data)
    data = ho_map_getz(response, "usageMetadata");
  HO_EACH_CONST (call, ho_map_getz(entry, "toolCalls"))
    ho_scan_tool(scan, ho_map_str(call, "name"), ho_map_str(call, "id"), ho_map_getz(call, "args"));
  ho_str model = ho_map_str(entry, "model");
  ho_scan_model(scan, model.n ? model : ho_map_str(entry, "modelVersion"));
  if (ho_node_is(data, HO_KIND_MAP) || ho_node_is(tokens, HO_KIND_MAP))
    ho_scan_usage(scan, usage_of(data, tokens), end);
}

static const ho_node *text(const ho_scan *scan, const ho_node *entry)
{
  (void)scan;
  /* Notices for the person at the terminal never reach the model. */
  return ho_str_list_has("info|error|warning", ho_map_str(entry, "type")) ? NULL : ho_map_getz(entry, "content");
}

static const ho_node *said(const ho_node *entry)
{
  return ho_str_is(ho_map_str(entry, "type"), "gemini") ? ho_map_getz(entry, "content") : NULL;
}

static const ho_node *asked(const ho_node *entry)
{
  return ho_str_is(ho_map_str(entry, "type"), "user") ? ho_map_getz(entry, "content") : NULL;
}

enum {
  HEAD = 4096,
  WHOLE = 4 << 20, /* a larger document is read from its end only */
  TAIL = 256 << 10,
  TAIL_MAX = 16 << 20,
};

static bool is_document(const ho_reader *reader)
{
  char head[HEAD];
  ssize_t n;
  do
    n = pread(reader->fd, head, sizeof head, 0);
  while (n < 0 && errno == EINTR);
  ho_str text = ho_str_trim((ho_str){head, n > 0 ? (size_t)n : 0}), line;
  if (!text.n || (text.p[0] != '{' && text.p[0] != '['))
    return false;
  ho_str rest = text;
  bool one = !ho_str_next_line(&rest, &line) || !rest.n;
  line = ho_str_trim(line);
  if (line.n <= 1) /* pretty-printed over many lines */
    return true;
  return text.p[0] == '[' || (one && ho_str_has(line, "\"messages\"") && ho_str_has(line, "\"sessionId\""));
}

/* The messages of a document, in order. */
static const ho_node *messages_of(const ho_node *root)
{
  const ho_node *messages = ho_node_is(root, HO_KIND_MAP) ? ho_map_getz(root, "messages") : root;
  if (!messages)
    messages = ho_map_getz(root, "history");
  return messages;
}

static bool take_document(ho_reader *reader, const ho_node *root)
{
  ho_scan *scan = reader->scan;
  const ho_node *messages = messages_of(root);
  int64_t number = 0;
  if (!ho_node_is(messages, HO_KIND_LIST))
    return false;
  HO_EACH_CONST (message, messages)
    take(scan, message, ++number, &reader->arena);
  number = 0;
  HO_EACH_CONST (message, messages)
    if (++number > scan->text_end)
      scan->since += ho_text_tokens(text(scan, message), reader->counter);
  return true;
}

/* Where the last key of that name begins, in quotes and outside texts; HO_NONE if there is none. */
static size_t last_key(ho_str tail, const char *key)
{
  size_t n = strlen(key);
  for (size_t left = tail.n >= n ? tail.n - n + 1 : 0; left > 0;) {
    const char *p = memrchr(tail.p, '"', left);
    if (!p)
      break;
    left = (size_t)(p - tail.p);
    if (memcmp(p, key, n) == 0 && (left == 0 || p[-1] != '\\'))
      return left;
  }
  return HO_NONE;
}

/* What follows the key at `at`, up to and including the first of `ends`. */
static ho_str value_after(ho_str tail, size_t at, const char *key, char ends)
{
  ho_str rest = ho_str_trim(ho_str_sub(tail, at + strlen(key), tail.n));
  if (!rest.n || rest.p[0] != ':')
    return HO_EMPTY;
  rest = ho_str_trim(ho_str_sub(rest, 1, rest.n));
  size_t end = ho_str_find_char(ho_str_sub(rest, 1, rest.n), ends);
  return end == HO_NONE ? HO_EMPTY : ho_str_sub(rest, 0, end + 2);
}

/* Takes the last usage and model; false if there is no usage. */
static bool take_tail(ho_reader *reader, ho_str tail)
{
  static const char *const keys[] = {"\"usageMetadata\"", "\"tokens\""};
  ho_node *entry = ho_node_new(&reader->arena, HO_KIND_MAP), *value = NULL;
  for (size_t i = 0; i < HO_COUNT(keys) && !value; i++) {
    size_t at = last_key(tail, keys[i]);
    ho_str found = at == HO_NONE ? HO_EMPTY : value_after(tail, at, keys[i], '}');
    value = found.n ? ho_transcript_parse(&reader->arena, found) : NULL;
    if (value)
      ho_map_add(entry, ho_str_sub(ho_str_of(keys[i]), 1, strlen(keys[i]) - 1), value);
  }
  size_t at = last_key(tail, "\"model\"");
  ho_str model = at == HO_NONE ? HO_EMPTY : value_after(tail, at, "\"model\"", '"');
  ho_map_addz(entry, "model", ho_node_text(&reader->arena, ho_str_sub(model, 1, model.n ? model.n - 1 : 0)));
  take(reader->scan, entry, reader->size, &reader->arena);
  return reader->scan->usage.total > 0;
}

static ho_code scan_document(ho_reader *reader)
{
  if (reader->size <= WHOLE) {
    ho_code code = ho_reader_extend(reader, 0);
    if (code)
      return code;
    const ho_node *root = ho_transcript_parse(&reader->arena, (ho_str){reader->block, (size_t)reader->size});
    if (take_document(reader, root))
      return HO_OK;
  }
  for (int64_t want = TAIL; want <= TAIL_MAX; want *= 4) {
    int64_t begin = reader->size > want ? reader->size - want : 0;
    ho_code code = ho_reader_extend(reader, begin);
    if (code)
      return code;
    reader->scan->skipped = begin;
    if (take_tail(reader, (ho_str){reader->block, (size_t)(reader->end - reader->begin)}) || begin == 0)
      break;
  }
  return HO_OK;
}

const ho_transcript_form ho_transcript_gemini = {
    .harness = &ho_harness_gemini,
    .marks = {"okens\"", "usageMetadata", "toolCalls", "\"model"},
    .owns = owns,
    .take = take,
    .text = text,
    .said = said,
    .asked = asked,
    .is_document = is_document,
    .scan_document = scan_document,
    .entries = messages_of,
};
