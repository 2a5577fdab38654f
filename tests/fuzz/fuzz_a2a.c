/* What a client says to the Agent2Agent surface: whatever it is, it is answered with one message of JSON-RPC, or waits, or
 * is followed as a stream of events, each of which is such a message.
 *
 * The first byte says who asks, and in which state the one handoff is; the rest is the body. Commands are played, so that
 * nothing but the protocol is tried. */
#include <stdlib.h>

#include "command/commands.h"
#include "doc/json/json.h"
#include "surface/a2a/a2a.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define RECORD                                                                                                         \
  "{\"id\":\"HO-2026-001\",\"state\":\"%s\",\"from\":\"coder\",\"to\":\"reviewer\",\"task\":null,\"session\":\"s\","   \
  "\"updated\":\"2026-02-12T14:30:22Z\",\"gate\":%s,\"outcome\":null,\"document\":{\"handoff\":{}},\"talk\":[{\"at\":" \
  "\"2026-02-12T14:30:22Z\",\"by\":\"reviewer\",\"kind\":\"blocker\",\"text\":\"Which?\"}]}"

static const char *state;
static unsigned runs;

static ho_node *parse(ho_arena *arena, ho_str text)
{
  ho_source source;
  ho_node *value = NULL;
  ho_error err = {0};
  if (ho_source_init(&source, arena, HO_STR("text"), text, &err) || ho_json_read(&source, 0, arena, NULL, &value, &err))
    abort();
  return value;
}

static ho_code run(ho_a2a *a, const ho_command *command, ho_call *call, ho_str session, ho_str document, ho_error *err)
{
  (void)session, (void)document;
  ho_str record = ho_arena_printf(a->arena, RECORD, state, strcmp(state, "gated") ? "null" : "\"G-2026-001\"");
  if (++runs > 500)
    abort();
  if (command == &ho_command_show)
    call->result = parse(a->arena, ho_arena_printf(a->arena, "{\"format\":\"package\",\"text\":\"t\",\"handoff\":%.*s}",
                                                   HO_ARG(record)));
  else if (command == &ho_command_list)
    call->result = parse(a->arena, ho_arena_printf(a->arena, "{\"handoffs\":[%.*s],\"total\":1}", HO_ARG(record)));
  else if (command == &ho_command_log)
    call->result = parse(a->arena, HO_STR("{\"events\":[{\"event\":\"returned\",\"data\":{\"by\":\"HO-2026-002\"}},"
                                          "{\"event\":\"done\",\"data\":{\"note\":\"n\"}}]}"));
  else if (command == &ho_command_send && session.n > 64)
    abort();
  else if (command == &ho_command_withdraw)
    return ho_fail(err, HO_CONFLICT, "somebody else was first");
  else
    call->result = parse(a->arena, HO_STR("{\"id\":\"HO-2026-001\",\"name\":\"n\",\"text\":\"t\"}"));
  return HO_OK;
}

/* What was put is one message, or events. */
static void check(const ho_a2a *a, ho_str said)
{
  ho_str line;
  ho_arena arena;
  size_t messages = 0;
  ho_arena_init(&arena, 0);
  while (ho_str_next_line(&said, &line)) {
    bool event = ho_str_starts(line, "data: ");
    if (!line.n && a->events)
      continue;
    if (event != a->events || (++messages > 1 && !event))
      abort();
    const ho_node *value = parse(&arena, event ? ho_str_sub(line, 6, line.n) : line);
    if (!ho_str_is(ho_map_str(value, "jsonrpc"), "2.0") ||
        !ho_map_getz(value, "result") == !ho_map_getz(value, "error"))
      abort();
  }
  ho_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static const char *const states[] = {"ready", "acked", "clarify", "gated", "done", "rejected", "archived", "none"};
  ho_arena arena;
  ho_buf out;
  if (!size)
    return 0;
  ho_access access = {.role = data[0] & 1 ? HO_ACCESS_DECIDE : HO_ACCESS_AGENT, .who = HO_STR("coder")};
  state = states[data[0] >> 1 & 7];
  runs = 0;
  ho_arena_init(&arena, 0);
  ho_buf_init(&out, 0);
  ho_a2a a = {.arena = &arena,
              .kept = &arena,
              .access = &access,
              .base = HO_STR("http://localhost"),
              .version = HO_STR(HO_A2A_VERSION),
              .task = HO_EMPTY,
              .told = HO_EMPTY,
              .run = run};
  ho_a2a_then then = ho_a2a_take(&a, (ho_str){(const char *)data + 1, size - 1}, &out);
  if ((then == HO_A2A_WAITS) != !out.n)
    abort();
  check(&a, ho_buf_str(&out));
  for (int i = 0; i < 3 && then != HO_A2A_DONE; i++) {
    ho_buf_reset(&out);
    state = states[((data[0] >> 4) + (i == 1)) & 7];
    then = ho_a2a_look(&a, i == 2, &out);
    check(&a, ho_buf_str(&out));
  }
  if (then != HO_A2A_DONE)
    abort();
  ho_buf_free(&out);
  ho_arena_free(&arena);
  return 0;
}
