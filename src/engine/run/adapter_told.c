/* The output of harnesses for people: what the agent said, what it did, and what went wrong. As its form is not a contract, a
 * line that says nothing of these, or is not understood, is left out. */
#include "engine/context/transcript_parts.h"
#include "engine/project/quote.h"
#include "engine/run/adapter_parts.h"

enum { SHORT = 200 };

static void put_said(ho_buf *out, ho_str text)
{
  text = ho_str_trim_end(text);
  if (text.n) {
    ho_buf_put(out, text);
    ho_buf_putc(out, '\n');
  }
}

static void put_line(ho_buf *out, ho_arena *arena, const char *sign, ho_str name, ho_str text)
{
  ho_str line = ho_quote_clean(arena, text, SHORT, true);
  ho_buf_printf(out, "%s %.*s%s%.*s\n", sign, HO_ARG(name), name.n && line.n ? ": " : "", HO_ARG(line));
}

/* What one of its tools was to do, in the words of its input. */
ho_str ho_adapter_wanted(const ho_node *input)
{
  static const char *const keys[] = {"command", "file_path", "path", "url", "pattern", "query", "description"};
  for (size_t i = 0; i < HO_COUNT(keys); i++)
    if (ho_map_str(input, keys[i]).n)
      return ho_map_str(input, keys[i]);
  return HO_EMPTY;
}

static void put_tool(ho_buf *out, ho_arena *arena, ho_str name, const ho_node *input)
{
  put_line(out, arena, ">", name, ho_adapter_wanted(input));
}

static void put_error(ho_buf *out, ho_arena *arena, ho_str text)
{
  put_line(out, arena, "!", HO_EMPTY, text);
}

/* A text, or a list of {text}. */
static ho_str text_of(const ho_node *content)
{
  return ho_node_is(content, HO_KIND_LIST) ? ho_map_str(content->first, "text") : ho_node_str(content);
}

/* --- the harnesses ------------------------------------------------------------------------------------------------- */

/* assistant {message {content [text | tool_use]}}, user {message {content [tool_result {is_error}]}}, result {is_error}. */
void ho_adapter_tell_claude(ho_buf *out, ho_arena *arena, const ho_node *entry)
{
  if (ho_str_is(ho_map_str(entry, "type"), "result") && ho_node_true(ho_map_getz(entry, "is_error")))
    put_error(out, arena, ho_map_str(entry, "result"));
  const ho_node *content = ho_map_getz(ho_map_getz(entry, "message"), "content");
  if (!ho_node_is(content, HO_KIND_LIST))
    return;
  HO_EACH_CONST (part, content) {
    ho_str type = ho_map_str(part, "type");
    if (ho_str_is(type, "text") && ho_str_is(ho_map_str(entry, "type"), "assistant"))
      put_said(out, ho_map_str(part, "text"));
    else if (ho_str_is(type, "tool_use"))
      put_tool(out, arena, ho_map_str(part, "name"), ho_map_getz(part, "input"));
    else if (ho_str_is(type, "tool_result") && ho_node_true(ho_map_getz(part, "is_error")))
      put_error(out, arena, text_of(ho_map_getz(part, "content")));
  }
}

/* item.completed {item {type: agent_message {text} | command_execution {command, exit_code} | file_change {changes
 * [{path}]} | mcp_tool_call {tool} | error {message}}}, turn.failed {error {message}}. */
void ho_adapter_tell_codex(ho_buf *out, ho_arena *arena, const ho_node *entry)
{
  const ho_node *item = ho_map_getz(entry, "item");
  ho_str type = ho_map_str(entry, "type"), kind = ho_map_str(item, "type");
  if (ho_str_is(type, "turn.failed"))
    put_error(out, arena, ho_map_str(ho_map_getz(entry, "error"), "message"));
  if (!ho_str_is(type, "item.completed"))
    return;
  if (ho_str_is(kind, "agent_message"))
    put_said(out, ho_map_str(item, "text"));
  else if (ho_str_is(kind, "command_execution"))
    put_tool(out, arena, HO_EMPTY, item);
  else if (ho_str_is(kind, "file_change")) {
    HO_EACH_CONST (change, ho_map_getz(item, "changes"))
      put_line(out, arena, ">", ho_map_str(change, "kind"), ho_map_str(change, "path"));
  } else if (ho_str_is(kind, "mcp_tool_call"))
    put_line(out, arena, ">", ho_map_str(item, "tool"), HO_EMPTY);
  else if (ho_str_is(kind, "error"))
    put_error(out, arena, ho_map_str(item, "message"));
}

/* message {role, content}, tool_use {tool_name, parameters}, result {status, error {message}}. */
void ho_adapter_tell_gemini(ho_buf *out, ho_arena *arena, const ho_node *entry)
{
  ho_str type = ho_map_str(entry, "type");
  if (ho_str_is(type, "message") && ho_str_is(ho_map_str(entry, "role"), "assistant"))
    put_said(out, ho_map_str(entry, "content"));
  else if (ho_str_is(type, "tool_use"))
    put_tool(out, arena, ho_map_str(entry, "tool_name"), ho_map_getz(entry, "parameters"));
  else if (ho_str_is(type, "result") && ho_str_is(ho_map_str(entry, "status"), "error"))
    put_error(out, arena, ho_map_str(ho_map_getz(entry, "error"), "message"));
}

/* {type, part}: text {text}, tool_use {tool, state {input}}, error {error {data {message}}}. */
void ho_adapter_tell_opencode(ho_buf *out, ho_arena *arena, const ho_node *entry)
{
  const ho_node *part = ho_map_getz(entry, "part");
  ho_str type = ho_map_str(entry, "type");
  if (ho_str_is(type, "text"))
    put_said(out, ho_map_str(part, "text"));
  else if (ho_str_is(type, "tool_use"))
    put_tool(out, arena, ho_map_str(part, "tool"), ho_node_by_names(part, "state.input"));
  else if (ho_str_is(type, "error"))
    put_error(out, arena, ho_node_str(ho_node_by_names(entry, "error.data.message")));
}

/* --- the lines ------------------------------------------------------------------------------------------------------ */

void ho_adapter_tell(const ho_adapter *adapter, ho_str text, ho_buf *out)
{
  ho_arena scratch;
  ho_str line;
  ho_arena_init(&scratch, 0);
  while (ho_str_next_line(&text, &line)) {
    const ho_node *entry = adapter && ho_str_starts(line, "{") ? ho_transcript_parse(&scratch, line) : NULL;
    if (ho_node_is(entry, HO_KIND_MAP))
      adapter->tell(out, &scratch, entry);
    else if (!adapter || !ho_str_starts(line, "{"))
      ho_buf_printf(out, "%.*s\n", HO_ARG(line));
    ho_arena_reset(&scratch);
  }
  ho_arena_free(&scratch);
}
