/* Running commands for a tool: who acts, in which session, and what it holds. */
#include <unistd.h>

#include "base/proc/life.h"
#include "base/time.h"
#include "engine/project/identity.h"
#include "engine/project/quote.h"
#include "model/harness/harness.h"
#include "surface/mcp/mcp_tool.h"

/* Leases are far longer than this: a call that follows at once need not renew them again. */
enum { RENEWED_MS = 5000, NAME_MOST = 40 };

/* A server that its client starts again is the same session: it finds what it held. The client is known as the process
 * that started this one, by its number and when it began. */
static ho_str session_of_client(ho_arena *arena)
{
  ho_str life = ho_life_of(arena, getppid());
  return ho_arena_printf(arena, "mcp-%016llx", (unsigned long long)ho_str_hash(life.n ? life : HO_STR("unknown")));
}

void ho_mcp_act_begin(ho_mcp *mcp)
{
  if (mcp->host->access) { /* it says who acts, and nothing of this process does */
    mcp->session = mcp->host->session;
    return;
  }
  if (!ho_str_of(getenv("AI_AGENT")).n)
    setenv("AI_AGENT", "handoff-mcp",
           1); /* whoever the client is, it is no person: what is only for people is refused */
  mcp->session = ho_identity_session().n ? HO_EMPTY : session_of_client(&mcp->arena);
}

/* "claude" for "claude-code": the agent whose hooks and commands go by that name. "" if no harness is named so. */
static ho_str harness_of(ho_str client)
{
  for (const ho_harness *const *each = ho_harnesses; *each; each++)
    if (ho_str_starts_nocase(client, (*each)->name) && !ho_str_is_word(client, strlen((*each)->name)))
      return ho_str_of((*each)->name);
  return HO_EMPTY;
}

/* Who acts, if neither an access nor HANDOFF_AGENT nor a harness's variables say it. */
static ho_str agent_of(ho_arena *arena, const ho_mcp_client *client, const ho_access *access)
{
  if (access || ho_str_of(getenv("HANDOFF_AGENT")).n || ho_identity_harness().n)
    return HO_EMPTY;
  ho_str harness = harness_of(client->name), safe = ho_identity_safe(arena, ho_str_sub(client->name, 0, NAME_MOST));
  ho_error no_name = {0};
  if (harness.n)
    return harness;
  return safe.n && !ho_identity_check_agent(safe, &no_name) ? safe : HO_STR("mcp");
}

ho_str ho_mcp_act_who(const ho_mcp_act *act)
{
  const ho_access *access = act->mcp->host->access;
  ho_str given = ho_str_of(getenv("HANDOFF_AGENT")), harness = ho_identity_harness();
  if (access)
    return access->who.n ? access->who : ho_access_recorded(access, act->arena);
  return given.n ? ho_str_trim(given) : harness.n ? harness : agent_of(act->arena, act->client, NULL);
}

/* What the host of one command needs besides that of the server. */
typedef struct world {
  const ho_host *host;
  ho_str input;
} world;

static int64_t clock_ms(void *data)
{
  const world *w = data;
  return w->host->clock_ms(w->host->world);
}

static ho_code read_input(void *data, ho_arena *arena, ho_str *out, ho_error *err)
{
  const world *w = data;
  (void)err;
  *out = ho_arena_copy(arena, w->input);
  return HO_OK;
}

static ho_host host_of(const ho_mcp_act *act, world *w)
{
  const ho_host *host = act->mcp->host;
  return (ho_host){.arena = act->arena,
                   .root = host->root,
                   .told_root = host->told_root,
                   .above = host->above,
                   .folder = host->folder,
                   .store = host->store,
                   .program = host->program,
                   .library = host->library,
                   .agent = agent_of(act->arena, act->client, host->access),
                   .session = act->mcp->session,
                   .access = host->access,
                   .clock_ms = clock_ms,
                   .world = w,
                   .read_input = read_input};
}

/* text: filled with what people are shown, or NULL. */
static const ho_node *run(ho_mcp_act *act, const ho_command *command, ho_node *args, ho_str input, ho_buf *text,
                          ho_code *answer, ho_error *err)
{
  world w = {.host = act->mcp->host, .input = input};
  ho_host host = host_of(act, &w);
  ho_call call = {.host = &host, .args = args, .arena = act->arena};
  ho_error failure = {0};
  *answer = ho_dispatch(command, &call, &failure);
  if (text && !failure.code)
    command->render(&call, text, false);
  ho_host_close(&host);
  if (failure.code)
    *err = failure;
  return failure.code ? NULL : call.result;
}

const ho_node *ho_mcp_act_try(ho_mcp_act *act, const ho_command *command, ho_node *args, ho_str input, ho_code *answer,
                              ho_error *err)
{
  return run(act, command, args, input, NULL, answer, err);
}

bool ho_mcp_act_text_of(ho_mcp_act *act, const ho_command *command, ho_node *args, const char *path, ho_str *out,
                        ho_error *err)
{
  ho_buf text;
  ho_code answer;
  ho_buf_init(&text, 0);
  const ho_node *result = run(act, command, args, HO_EMPTY, path ? NULL : &text, &answer, err);
  *out = path ? ho_node_str(ho_node_by_names(result, path)) : ho_buf_move(&text, act->arena);
  *out = ho_quote_visible(act->arena, *out);
  ho_buf_free(&text);
  return result != NULL;
}

const ho_node *ho_mcp_act_do(ho_mcp_act *act, const ho_command *command, ho_node *args, const ho_mcp_map *map)
{
  ho_error err = {0};
  ho_code answer;
  const ho_node *result = ho_mcp_act_try(act, command, args, HO_EMPTY, &answer, &err);
  if (!result)
    ho_mcp_error(act, &err, map);
  return result;
}

ho_node *ho_mcp_act_args(const ho_mcp_act *act, const ho_mcp_map *map)
{
  ho_node *args = ho_node_new(act->arena, HO_KIND_MAP);
  for (; map && map->field; map++) {
    const ho_node *value = ho_map_getz(act->args, map->field);
    if (value)
      ho_map_addz(args, map->param, ho_node_copy(act->arena, value));
  }
  return args;
}

ho_str ho_mcp_act_text(const ho_mcp_act *act, const char *field)
{
  return ho_map_str(act->args, field);
}

long long ho_mcp_act_number(const ho_mcp_act *act, const char *field)
{
  return ho_map_int(act->args, field);
}

/* ---- What is held. */

/* Those handoffs that whoever calls holds: items of `inbox`. */
static ho_node *read_held(ho_mcp_act *act)
{
  ho_error none = {0};
  ho_code answer;
  ho_node *args = ho_node_new(act->arena, HO_KIND_MAP), *held = ho_node_new(act->arena, HO_KIND_LIST);
  ho_map_addz(args, "peek", ho_node_bool(act->arena, true));
  const ho_node *inbox = ho_mcp_act_try(act, &ho_command_inbox, args, HO_EMPTY, &answer, &none);
  HO_EACH_CONST (item, ho_map_getz(inbox, "items"))
    if (ho_str_is(ho_map_str(item, "kind"), "held") && !ho_node_true(ho_map_getz(item, "elsewhere")))
      ho_list_add(held, ho_node_copy(act->arena, item));
  return held;
}

static void renew(ho_mcp_act *act)
{
  int64_t now = ho_time_monotonic_ms();
  const ho_access *access = act->mcp->host->access;
  if (access && access->role != HO_ACCESS_AGENT) /* it holds nothing */
    return;
  if (act->mcp->renewed_ms && now - act->mcp->renewed_ms < RENEWED_MS)
    return;
  act->mcp->renewed_ms = now;
  HO_EACH_CONST (item, read_held(act)) {
    ho_error none = {0};
    ho_code answer;
    ho_node *args = ho_node_new(act->arena, HO_KIND_MAP);
    ho_map_put(act->arena, args, "id", ho_map_str(item, "id"));
    (void)ho_mcp_act_try(act, &ho_command_renew, args, HO_EMPTY, &answer,
                         &none); /* what it cannot keep, it no longer has */
  }
}

ho_str ho_mcp_act_id(ho_mcp_act *act)
{
  ho_str given = ho_mcp_act_text(act, "id");
  if (given.n)
    return given;
  const ho_node *held = read_held(act), *first = held->first;
  ho_error err = {0};
  if (held->count == 1)
    return ho_map_str(first, "id");
  if (!first) {
    ho_fail(&err, HO_NOT_FOUND, "you hold no handoff; run: handoff next");
    ho_mcp_error(act, &err, NULL);
    return HO_EMPTY;
  }
  ho_node *right = ho_node_copy(act->arena, act->args);
  ho_map_addz(right, "id", ho_node_text(act->arena, ho_map_str(first, "id")));
  ho_mcp_error_args(act, right, "id", "you hold %zu handoffs; name one by its id", (size_t)held->count);
  return HO_EMPTY;
}

/* What a tool answers is read by a model as any prompt is: without what nobody sees, as in ho_mcp_act_text_of. */
static void make_visible(ho_arena *arena, ho_node *node)
{
  if (ho_node_is(node, HO_KIND_TEXT))
    node->text = ho_quote_visible(arena, node->text);
  for (ho_node *child = node->first; child; child = child->next)
    make_visible(arena, child);
}

void ho_mcp_act_run(ho_mcp_act *act, const ho_node *given)
{
  act->result = ho_node_new(act->arena, HO_KIND_MAP);
  if (ho_mcp_args_check(act, given)) {
    renew(act);
    act->tool->run(act);
  }
  make_visible(act->arena, act->result);
}
