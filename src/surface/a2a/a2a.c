#include "surface/a2a/a2a.h"

#include "base/digest.h"
#include "command/error_shown.h"
#include "doc/json/json.h"
#include "surface/a2a/a2a_task.h"

static const ho_a2a_method methods[] = {
    {.name = "SendMessage", .run = ho_a2a_send, .follow = HO_A2A_UNTIL_ASKED},
    {.name = "SendStreamingMessage", .run = ho_a2a_send, .follow = HO_A2A_UNTIL_ASKED, .streams = true},
    {.name = "GetTask", .run = ho_a2a_get},
    {.name = "ListTasks", .run = ho_a2a_list},
    {.name = "CancelTask", .run = ho_a2a_cancel},
    {.name = "SubscribeToTask", .run = ho_a2a_subscribe, .follow = HO_A2A_UNTIL_ENDED, .streams = true},
#define NO_PUSH .refused = HO_A2A_NO_PUSH, .why = "this server sends no push notifications; use SubscribeToTask instead"
    {.name = "CreateTaskPushNotificationConfig", NO_PUSH},
    {.name = "GetTaskPushNotificationConfig", NO_PUSH},
    {.name = "ListTaskPushNotificationConfigs", NO_PUSH},
    {.name = "DeleteTaskPushNotificationConfig", NO_PUSH},
#undef NO_PUSH
    {.name = "GetExtendedAgentCard",
     .refused = HO_A2A_NO_CARD,
     .why = "there is one agent card, with everything: GET /.well-known/agent-card.json"},
    {0}};

/* ---- Faults. */

static const char *reason_of(int code)
{
  static const struct {
    int code;
    const char *reason;
  } reasons[] = {
#define X(name, number, reason) {number, reason},
      HO_A2A_FAULTS(X)
#undef X
  };
  for (size_t i = 0; i < HO_COUNT(reasons); i++)
    if (reasons[i].code == code)
      return reasons[i].reason;
  return "INVALID_REQUEST";
}

ho_node *ho_a2a_fail(ho_a2a *a, ho_a2a_fault *fault, ho_a2a_code code, const char *format, ...)
{
  char message[sizeof fault->message];
  va_list args;
  va_start(args, format);
  vsnprintf(message, sizeof message, format, args);
  va_end(args);
  (void)ho_mcp_rpc_fail(fault, (ho_mcp_rpc_code)code, "%s", message);
  ho_node *info = ho_node_new(a->arena, HO_KIND_MAP);
  ho_map_addz(info, "@type", ho_node_textz(a->arena, "type.googleapis.com/google.rpc.ErrorInfo"));
  ho_map_addz(info, "reason", ho_node_textz(a->arena, reason_of(code)));
  ho_map_addz(info, "domain", ho_node_textz(a->arena, "a2a-protocol.org"));
  fault->data = ho_node_new(a->arena, HO_KIND_LIST);
  ho_list_add(fault->data, info);
  return NULL;
}

ho_node *ho_a2a_fail_command(ho_a2a *a, ho_a2a_fault *fault, const ho_error *err)
{
  static const struct {
    ho_code code;
    ho_a2a_code fault;
  } faults[] = {{HO_USAGE, HO_A2A_PARAMS},      {HO_SYNTAX, HO_A2A_PARAMS},     {HO_INVALID, HO_A2A_PARAMS},
                {HO_LIMIT, HO_A2A_PARAMS},      {HO_NOT_FOUND, HO_A2A_NO_TASK}, {HO_CONFLICT, HO_A2A_UNSUPPORTED},
                {HO_GATED, HO_A2A_UNSUPPORTED}, {HO_NO, HO_A2A_UNSUPPORTED}};
  ho_a2a_code code = HO_A2A_INTERNAL;
  for (size_t i = 0; i < HO_COUNT(faults); i++)
    if (faults[i].code == err->code)
      code = faults[i].fault;
  const ho_node *shown = ho_map_getz(ho_error_shown(a->arena, err, NULL), "error"); /* without credentials */
  (void)ho_a2a_fail(a, fault, code, "%.*s", HO_ARG(ho_map_str(shown, "message")));
  ho_node *more = ho_map_addz(fault->data->first, "metadata", ho_node_new(a->arena, HO_KIND_MAP));
  ho_map_addz(more, "code", ho_node_textz(a->arena, ho_code_name(err->code)));
  return NULL;
}

/* ---- Commands. */

const ho_node *ho_a2a_run(ho_a2a *a, const ho_command *command, ho_node *args, ho_a2a_fault *fault)
{
  ho_call call = {.args = args, .arena = a->arena};
  ho_error err = {0};
  ho_code code = a->run(a, command, &call, HO_EMPTY, HO_EMPTY, &err);
  if (!err.code && call.result && !a->arena->failed)
    return call.result;
  if (!err.code)
    ho_fail(&err, a->arena->failed ? HO_MEMORY : code, "'%s' has no result", command->name);
  return ho_a2a_fail_command(a, fault, &err);
}

ho_node *ho_a2a_args(ho_a2a *a, const char *key, ho_str value)
{
  ho_node *args = ho_node_new(a->arena, HO_KIND_MAP);
  ho_map_addz(args, key, ho_node_text(a->arena, value));
  return args;
}

/* ---- Answers. */

/* An event of a stream is the same line, marked as such. */
static void put_result(ho_a2a *a, ho_buf *out, const ho_node *result)
{
  if (a->events)
    ho_buf_puts(out, "data: ");
  ho_mcp_rpc_put_result(out, a->id, result);
  if (a->events)
    ho_buf_putc(out, '\n');
}

static ho_a2a_then put_fault(ho_a2a *a, ho_buf *out, const ho_a2a_fault *fault)
{
  if (a->events)
    ho_buf_puts(out, "data: ");
  ho_mcp_rpc_put_fault(out, a->id, fault);
  if (a->events)
    ho_buf_putc(out, '\n');
  return HO_A2A_DONE;
}

static ho_node *wrap(ho_a2a *a, const char *key, ho_node *node)
{
  ho_node *map = ho_node_new(a->arena, HO_KIND_MAP);
  ho_map_addz(map, key, node);
  return map;
}

/* Is the task where the method stops following it? */
static bool is_over(const ho_a2a *a, const ho_node *task)
{
  char is = ho_a2a_state_is(ho_a2a_task_state(task));
  if (is == 'E' || a->method->follow == HO_A2A_ONCE)
    return true;
  /* Whoever may not decide cannot answer either: a stream goes on until somebody has; who waits for one answer gets it. */
  return a->method->follow == HO_A2A_UNTIL_ASKED && (is == 'I' || (is == 'A' && !a->method->streams));
}

/* What a client sees of the state: a change of it is told. */
static ho_str seen_of(ho_a2a *a, const ho_node *task)
{
  ho_buf text;
  const ho_node *status = ho_map_getz(task, "status");
  ho_buf_init(&text, 0);
  ho_json_write(&text, ho_map_getz(status, "state"), 0);
  if (ho_map_getz(status, "message"))
    ho_json_write(&text, ho_map_getz(ho_map_getz(status, "message"), "parts"), 0);
  char digest[HO_DIGEST_SIZE];
  ho_digest_text(ho_buf_str(&text), digest);
  ho_buf_free(&text);
  return ho_arena_copy(a->arena, ho_str_of(digest));
}

static void note_told(ho_a2a *a, const ho_node *task)
{
  a->told = ho_arena_copy(a->kept, seen_of(a, task));
}

/* ---- Requests. */

static const ho_a2a_method *method_named(ho_str name)
{
  for (const ho_a2a_method *method = methods; method->name; method++)
    if (ho_str_is(name, method->name))
      return method;
  return NULL;
}

/* Reads the request: its id as soon as there is one, then its method and parameters. */
static bool understand(ho_a2a *a, ho_str body, ho_a2a_fault *fault)
{
  ho_node *value = NULL;
  ho_mcp_rpc_message message;
  if (ho_mcp_rpc_read(a->kept, body, &value, fault))
    return false;
  ho_mcp_rpc_code code = ho_mcp_rpc_take(value, &message, fault);
  a->id = message.id;
  a->params = message.params;
  if (code)
    return false;
  if (!a->id || !message.method.n)
    return !ho_mcp_rpc_fail(fault, HO_MCP_RPC_REQUEST, "a request has an id and a method");
  if (!ho_str_is(a->version, HO_A2A_VERSION) && !ho_str_starts(a->version, HO_A2A_VERSION "."))
    return ho_a2a_fail(a, fault, HO_A2A_WRONG_VERSION, "%s",
                       "this server speaks A2A 1.0; send the header A2A-Version: 1.0");
  a->method = method_named(message.method);
  if (!a->method)
    return !ho_mcp_rpc_fail(fault, HO_MCP_RPC_METHOD, "there is no method '%.*s'",
                            HO_ARG(ho_str_sub(message.method, 0, 60)));
  if (!a->method->run)
    return ho_a2a_fail(a, fault, a->method->refused, "%s", a->method->why);
  return true;
}

ho_a2a_then ho_a2a_take(ho_a2a *a, ho_str body, ho_buf *out)
{
  ho_a2a_fault fault = {0};
  ho_node *task = NULL;
  ho_node *result = understand(a, body, &fault) ? a->method->run(a, &task, &fault) : NULL;
  if (!result)
    return put_fault(a, out, &fault);
  a->events = a->method->streams;
  if (a->events) {
    note_told(a, task);
    put_result(a, out, wrap(a, "task", ho_node_copy(a->arena, task)));
    return is_over(a, task) ? HO_A2A_DONE : HO_A2A_STREAMS;
  }
  if (task && !is_over(a, task) && !ho_node_true(ho_node_by_names(a->params, "configuration.returnImmediately")))
    return HO_A2A_WAITS;
  put_result(a, out, result);
  return HO_A2A_DONE;
}

/* ---- What follows. */

static ho_node *update(ho_a2a *a, const ho_node *task)
{
  ho_node *map = ho_node_new(a->arena, HO_KIND_MAP);
  ho_map_put(a->arena, map, "taskId", ho_map_str(task, "id"));
  ho_map_put(a->arena, map, "contextId", ho_map_str(task, "contextId"));
  return map;
}

static void put_updates(ho_a2a *a, ho_buf *out, const ho_node *task)
{
  HO_EACH_CONST (artifact, ho_map_getz(task, "artifacts")) {
    ho_node *map = update(a, task);
    ho_map_addz(map, "artifact", ho_node_copy(a->arena, artifact));
    ho_map_addz(map, "lastChunk", ho_node_bool(a->arena, true));
    put_result(a, out, wrap(a, "artifactUpdate", map));
  }
  ho_node *map = update(a, task);
  ho_map_addz(map, "status", ho_node_copy(a->arena, ho_map_getz(task, "status")));
  put_result(a, out, wrap(a, "statusUpdate", map));
}

ho_a2a_then ho_a2a_look(ho_a2a *a, bool over, ho_buf *out)
{
  ho_a2a_fault fault = {0};
  if (a->events && over)
    return HO_A2A_DONE;
  long long history = ho_a2a_history(a, ho_map_getz(a->params, "configuration"), &fault);
  ho_node *task = history < 0 ? NULL : ho_a2a_task(a, a->task, (size_t)history, true, &fault);
  if (!task)
    return put_fault(a, out, &fault);
  if (a->events && !ho_str_eq(seen_of(a, task), a->told)) {
    note_told(a, task);
    put_updates(a, out, task);
  }
  if (a->events)
    return is_over(a, task) ? HO_A2A_DONE : HO_A2A_STREAMS;
  if (!over && !is_over(a, task))
    return HO_A2A_WAITS;
  put_result(a, out, wrap(a, "task", task));
  return HO_A2A_DONE;
}
