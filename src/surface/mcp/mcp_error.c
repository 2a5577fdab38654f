/* Errors of tools: what is wrong, in the tool's own words, and the call that comes next. */
#include "doc/json/json.h"
#include "model/general_rules.h"
#include "model/secrets/secrets.h"
#include "surface/mcp/mcp_document.h"

enum { LITERAL = 800 }; /* bytes of arguments that are repeated; longer ones the caller knows itself */

/* Starts an error as the result. */
static void begin(ho_mcp_act *act, ho_code code, ho_str message)
{
  size_t count = 0;
  act->failed = true;
  act->waits = false;
  act->result = ho_node_new(act->arena, HO_KIND_MAP);
  ho_map_addz(act->result, "error", ho_node_textz(act->arena, ho_code_name(code)));
  ho_map_addz(act->result, "message",
              ho_node_text(act->arena, ho_arena_copy(act->arena, ho_secret_redact(message, act->arena, &count))));
}

/* ---- Commands for a shell, which a message advises. */

/* The command whose name stands at `text`, the longest one. */
static const ho_command *command_at(ho_str text)
{
  const ho_command *found = NULL;
  for (const ho_command *const *each = ho_commands; *each; each++) {
    size_t n = strlen((*each)->name);
    if (ho_str_starts(text, (*each)->name) && !ho_str_is_word(text, n) && (!found || n > strlen(found->name)))
      found = *each;
  }
  return found;
}

/* Where "handoff COMMAND" begins; HO_NONE if nowhere. *rest: what follows its name. */
static size_t find_command(ho_str text, const ho_command **command, ho_str *rest)
{
  static const char word[] = "handoff ";
  for (size_t at = 0; at + sizeof word <= text.n;) {
    size_t next = ho_str_find(ho_str_sub(text, at, text.n), word);
    if (next == HO_NONE)
      return HO_NONE;
    at += next + strlen(word);
    *command = command_at(ho_str_sub(text, at, text.n));
    *rest = *command ? ho_str_sub(text, at + strlen((*command)->name), text.n) : HO_EMPTY;
    if (*command)
      return at - strlen(word);
  }
  return HO_NONE;
}

ho_str ho_mcp_error_plain(ho_str text)
{
  const ho_command *command;
  ho_str rest;
  size_t at = find_command(text, &command, &rest), cut = HO_NONE;
  for (size_t i = 0; at != HO_NONE && i < at; i++)
    if (text.p[i] == ';')
      cut = i;
  return cut == HO_NONE ? text : ho_str_trim_end(ho_str_sub(text, 0, cut));
}

static const ho_mcp_tool *tool_of(const ho_mcp *mcp, const ho_command *command)
{
  for (const ho_mcp_tool *const *tool = mcp->tools; *tool; tool++)
    for (const ho_command *const *each = (*tool)->commands; *each; each++)
      if (*each == command)
        return *tool;
  return NULL;
}

/* ---- The call that comes next. */

static void put_next(ho_mcp_act *act, const char *tool, ho_str args)
{
  ho_map_addz(act->result, "next",
              ho_node_text(act->arena, ho_arena_printf(act->arena, "%s %.*s", tool, HO_ARG(args))));
}

/* Arguments with which the tool runs this command, or else its example. The phase that a call names is that of the call which is
 * advised, too. */
static ho_str example_for(ho_mcp_act *act, const ho_mcp_tool *tool, const ho_command *command)
{
  static const ho_mcp_map where[] = {{"task", "task"}, {"phase", "phase"}, {NULL, NULL}};
  const char *args = tool->example;
  ho_buf json;
  for (const ho_mcp_example *one = tool->examples; one && one->command; one++)
    if (one->command == command)
      args = one->args;
  ho_node *given = ho_mcp_act_args(act, where);
  if (!tool->examples || !given->count || !ho_record_fieldz(act->tool->fields, "phase"))
    return ho_str_of(args);
  ho_buf_init(&json, 0);
  ho_json_write(&json, given, 0);
  ho_str begun = ho_buf_move(&json, act->arena);
  return ho_arena_printf(act->arena, "%.*s,%s", (int)begun.n - 1, begun.p, args + 1);
}

ho_str ho_mcp_error_call(ho_mcp_act *act, const ho_mcp_tool *tool, const ho_command *command)
{
  return ho_arena_printf(act->arena, "%s %.*s", tool->name, HO_ARG(example_for(act, tool, command)));
}

/* The tool's example, about this handoff or gate. */
static ho_str example_about(ho_mcp_act *act, const ho_mcp_tool *tool, const ho_command *command, ho_str id)
{
  bool gate = ho_str_starts(id, "G-");
  const char *key = gate && ho_record_fieldz(tool->fields, "gate") ? "gate" : "id";
  if (!id.n || !ho_record_fieldz(tool->fields, key))
    return example_for(act, tool, command);
  if (strcmp(key, "gate") == 0 || strcmp(tool->example, "{}") == 0)
    return ho_arena_printf(act->arena, "{\"%s\":\"%.*s\"}", key, HO_ARG(id));
  return ho_arena_printf(act->arena, "{\"%s\":\"%.*s\",%s", key, HO_ARG(id), tool->example + 1);
}

/* The first id of a handoff or gate in the text, or "". */
static ho_str id_in(ho_str text)
{
  ho_str word;
  while (ho_str_next(&text, ' ', &word)) {
    size_t n = 0;
    while (n < word.n && (isalnum((unsigned char)word.p[n]) || word.p[n] == '-'))
      n++;
    if (ho_str_starts(word, "HO-") || ho_str_starts(word, "G-"))
      return ho_str_sub(word, 0, n);
  }
  return HO_EMPTY;
}

static bool is_offered(const ho_mcp *mcp, const ho_mcp_tool *wanted)
{
  for (const ho_mcp_tool *const *tool = mcp->tools; *tool; tool++)
    if (*tool == wanted)
      return true;
  return false;
}

/* By the command that the message advises; else what there is, which can be asked as long as the store can be read. No call
 * helps with what is wrong with the machine, or without a tool for it. */
static void put_advice(ho_mcp_act *act, const ho_error *err)
{
  bool broken = err->code == HO_STORE || err->code == HO_MEMORY || err->code == HO_BUG;
  const ho_command *command = NULL;
  ho_str rest = HO_EMPTY, message = ho_str_of(err->message);
  const ho_mcp_tool *tool = find_command(message, &command, &rest) == HO_NONE ? NULL : tool_of(act->mcp, command);
  if (tool && tool != &ho_mcp_tool_send_handoff && !broken)
    put_next(act, tool->name, example_about(act, tool, command, id_in(rest)));
  else if (!broken && is_offered(act->mcp, &ho_mcp_tool_handoff_status))
    put_next(act, ho_mcp_tool_handoff_status.name, HO_STR("{}"));
  else
    ho_mcp_put_next(act, "stop, and show this message to a person");
}

static const char *field_of(const ho_mcp_act *act, const ho_mcp_map *map, ho_str pointer)
{
  ho_str param = ho_str_sub(pointer, 1, pointer.n);
  param = ho_str_sub(param, 0, ho_str_find_char(param, '/') == HO_NONE ? param.n : ho_str_find_char(param, '/'));
  for (; map && map->field; map++)
    if (ho_str_is(param, map->param))
      return map->field;
  return ho_record_fieldz(act->tool->fields, ho_arena_z(act->arena, param)) ? ho_arena_z(act->arena, param) : NULL;
}

ho_str ho_mcp_error_said(ho_arena *arena, const ho_error *err)
{
  ho_str message = ho_mcp_error_plain(ho_str_of(err->message));
  return err->file[0] ? ho_arena_printf(arena, "%s: %.*s", err->file, HO_ARG(message)) : message;
}

/* Where an option begins in the text, and where it ends; HO_NONE if nowhere. */
static size_t find_option(ho_str text, size_t from, size_t *end)
{
  for (size_t at = from; at + 2 < text.n; at++) {
    if (text.p[at] != '-' || text.p[at + 1] != '-' || !islower((unsigned char)text.p[at + 2]) ||
        (at && text.p[at - 1] != ' '))
      continue;
    for (*end = at + 2; *end < text.n && (islower((unsigned char)text.p[*end]) || text.p[*end] == '-');)
      ++*end;
    return at;
  }
  return HO_NONE;
}

/* The clause with arguments in place of options; *known is false if one of them is no argument. */
static ho_str clause_words(const ho_mcp_act *act, const ho_mcp_map *map, ho_str clause, bool *known)
{
  ho_buf out;
  size_t from = 0, at, end;
  ho_buf_init(&out, 0);
  *known = true;
  while ((at = find_option(clause, from, &end)) != HO_NONE) {
    ho_str option = ho_str_sub(clause, at + 1, end);
    const char *field = field_of(act, map, option);
    *known = *known && field;
    ho_buf_printf(&out, "%.*s%s", HO_ARG(ho_str_sub(clause, from, at)), field ? field : "");
    if (!field)
      ho_buf_printf(&out, "-%.*s", HO_ARG(option));
    from = end;
  }
  ho_buf_printf(&out, "%.*s", HO_ARG(ho_str_sub(clause, from, clause.n)));
  return ho_buf_move(&out, act->arena);
}

ho_str ho_mcp_error_words(const ho_mcp_act *act, const ho_mcp_map *map, ho_str text)
{
  ho_buf out;
  ho_str clause;
  size_t end;
  if (find_option(text, 0, &end) == HO_NONE)
    return text;
  ho_buf_init(&out, 0);
  for (bool known, first = true; ho_str_next(&text, ';', &clause); first = false) {
    ho_str words = clause_words(act, map, clause, &known);
    if (known || first)
      ho_buf_printf(&out, "%s%.*s", first ? "" : ";", HO_ARG(words));
  }
  return ho_buf_move(&out, act->arena);
}

void ho_mcp_error(ho_mcp_act *act, const ho_error *err, const ho_mcp_map *map)
{
  ho_str message = ho_mcp_error_words(act, map, ho_mcp_error_said(act->arena, err));
  const char *at = err->pointer[0] ? field_of(act, map, ho_str_of(err->pointer)) : NULL;
  if (at && !err->file[0])
    message = ho_arena_printf(act->arena, "%s: %.*s", at, HO_ARG(message));
  begin(act, err->code, message);
  put_advice(act, err);
}

void ho_mcp_error_args(ho_mcp_act *act, const ho_node *right, const char *at, const char *format, ...)
{
  va_list args;
  ho_buf json;
  va_start(args, format);
  ho_str message = ho_arena_vprintf(act->arena, format, args);
  va_end(args);
  begin(act, HO_USAGE, message);
  ho_map_addz(act->result, "at", ho_node_textz(act->arena, at));
  ho_buf_init(&json, 0);
  ho_json_write(&json, right, 0);
  ho_str literal = ho_buf_move(&json, act->arena);
  if (literal.n <= LITERAL)
    put_next(act, act->tool->name, literal);
  else
    ho_mcp_put_next(act, "correct %s and call %s again", at, act->tool->name);
}

void ho_mcp_error_finding(ho_mcp_act *act, ho_node *list, const ho_node *finding, const ho_mcp_place *places)
{
  bool holds;
  ho_str pointer = ho_map_str(finding, "pointer"),
         field = places ? ho_mcp_document_at(act->arena, places, pointer, &holds) : HO_EMPTY;
  ho_node *one = ho_list_add(list, ho_node_new(act->arena, HO_KIND_MAP));
  ho_mcp_put(act, one, "at", field.n ? field : pointer);
  if (!places)
    ho_map_addz(one, "line", ho_node_copy(act->arena, ho_map_getz(finding, "line")));
  ho_mcp_put_all(act, one, finding, "rule|message|fix");
}

/* A record that arguments make is empty: each of those arguments is missing, which is said as well. */
static bool is_said_otherwise(ho_arena *arena, const ho_node *finding, const ho_mcp_place *places)
{
  bool holds = false;
  return places && !ho_mcp_document_at(arena, places, ho_map_str(finding, "pointer"), &holds).n && holds &&
         ho_str_is(ho_map_str(finding, "rule"), ho_rule_REQUIRED.id);
}

void ho_mcp_error_findings(ho_mcp_act *act, const ho_node *findings, const ho_mcp_place *places, const char *nothing)
{
  enum { MOST = 20 };
  ho_node *list = ho_node_new(act->arena, HO_KIND_LIST);
  size_t count = 0;
  HO_EACH_CONST (finding, findings) {
    if (!ho_str_is(ho_map_str(finding, "severity"), ho_severity_name(HO_ERROR)) ||
        is_said_otherwise(act->arena, finding, places))
      continue;
    if (count++ < MOST)
      ho_mcp_error_finding(act, list, finding, places);
  }
  begin(act, HO_INVALID,
        ho_arena_printf(act->arena, "%s: %zu rule%s broken", nothing, count,
                        ho_plural_of((long long)count, " is", "s are")));
  ho_map_addz(act->result, "findings", list);
  ho_mcp_put_next(act, places ? "correct these fields and call %s again" : "correct the document and call %s again",
                  act->tool->name);
}
