#include "surface/mcp/mcp_fixture.h"

#include "base/fs.h"
#include "base/limits.h"
#include "doc/json/json.h"
#include "surface/mcp/mcp_ask.h"
#include "surface/mcp/mcp_listen.h"

ho_code ho_mcp_fixture_begin(ho_mcp *mcp, ho_str path, ho_error *err)
{
  ho_source source;
  ho_node *all = NULL;
  ho_str text;
  if (!path.n)
    return HO_OK;
  ho_code code = ho_fs_read(&mcp->arena, ho_arena_z(&mcp->arena, path), HO_LIMIT_DOCUMENT, &text, err);
  if (!code)
    code = ho_source_init(&source, &mcp->arena, path, text, err);
  if (!code)
    code = ho_json_read(&source, 0, &mcp->arena, NULL, &all, err);
  mcp->fixtures = all;
  return code;
}

/* ---- Which there are. */

static bool is_shown(const ho_node *member)
{
  return !ho_str_list_has("steps|needs|task", member->key);
}

void ho_mcp_fixture_list(ho_mcp_request *r, const char *kind, ho_node *list)
{
  HO_EACH_CONST (fixture, ho_map_getz(r->mcp->fixtures, kind)) {
    ho_node *one = ho_list_add(list, ho_node_new(r->arena, HO_KIND_MAP));
    HO_EACH_CONST (member, fixture)
      if (is_shown(member))
        ho_map_add(one, member->key, ho_node_copy(r->arena, member));
  }
}

const ho_node *ho_mcp_fixture_named(const ho_mcp *mcp, const char *kind, ho_str name)
{
  HO_EACH_CONST (fixture, ho_map_getz(mcp->fixtures, kind))
    if (ho_str_eq(ho_map_str(fixture, "name"), name))
      return fixture;
  return NULL;
}

/* The template's one variable in the address: its name and what stands there. */
static bool fits(ho_str uri, ho_str template, ho_str *name, ho_str *value)
{
  ho_str tail = template, head, rest;
  if (!ho_str_next(&tail, '{', &head) || !ho_str_next(&tail, '}', name) || uri.n < head.n + tail.n)
    return false;
  rest = ho_str_sub(uri, head.n, uri.n);
  *value = ho_str_sub(rest, 0, rest.n - tail.n);
  return ho_str_eq(ho_str_sub(uri, 0, head.n), head) && ho_str_eq(ho_str_sub(rest, value->n, rest.n), tail);
}

const ho_node *ho_mcp_fixture_resource(const ho_mcp_request *r, ho_str uri)
{
  ho_str name, value;
  HO_EACH_CONST (fixture, ho_map_getz(r->mcp->fixtures, "resources"))
    if (ho_str_eq(ho_map_str(fixture, "uri"), uri))
      return fixture;
  HO_EACH_CONST (fixture, ho_map_getz(r->mcp->fixtures, "resourceTemplates"))
    if (fits(uri, ho_map_str(fixture, "uriTemplate"), &name, &value))
      return fixture;
  return NULL;
}

/* ---- What was given, in texts. */

static const ho_node *given(const ho_mcp_request *r, const ho_node *fixture, ho_str dotted)
{
  ho_str name, value, uri = ho_map_str(r->params, "uri");
  const char *z = ho_arena_z(r->arena, dotted);
  const ho_node *argument = ho_node_by_names(ho_map_getz(r->params, "arguments"), z);
  if (argument)
    return argument;
  if (uri.n && fits(uri, ho_map_str(fixture, "uriTemplate"), &name, &value) && ho_str_eq(name, dotted))
    return ho_node_text(r->arena, value);
  return ho_str_is(dotted, "uri") ? ho_map_getz(r->params, "uri") : ho_node_by_names(r->answers, z);
}

static bool is_name(ho_str text)
{
  for (size_t i = 0; i < text.n; i++)
    if (!isalnum((unsigned char)text.p[i]) && !strchr("_.", text.p[i]))
      return false;
  return text.n > 0;
}

static ho_str filled(const ho_mcp_request *r, const ho_node *fixture, ho_str text)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  while (text.n) {
    size_t open = ho_str_find_char(text, '{'), close;
    ho_buf_put(&out, ho_str_sub(text, 0, open));
    text = open == HO_NONE ? HO_EMPTY : ho_str_sub(text, open, text.n);
    close = ho_str_find_char(text, '}');
    ho_str name = close == HO_NONE ? HO_EMPTY : ho_str_sub(text, 1, close);
    const ho_node *value = is_name(name) ? given(r, fixture, name) : NULL;
    if (!text.n)
      break;
    if (!value)
      ho_buf_putc(&out, '{');
    else if (value->kind == HO_KIND_MAP || value->kind == HO_KIND_LIST)
      ho_json_write(&out, value, 0);
    else
      ho_buf_put(&out, value->text);
    text = ho_str_sub(text, value ? close + 1 : 1, text.n);
  }
  return ho_buf_move(&out, r->arena);
}

/* Fills every text of the tree, which is our copy. */
static ho_node *fill(const ho_mcp_request *r, const ho_node *fixture, ho_node *node)
{
  if (ho_node_is(node, HO_KIND_TEXT))
    node->text = filled(r, fixture, node->text);
  HO_EACH (child, node)
    fill(r, fixture, child);
  return node;
}

/* ---- Its steps. */

typedef enum going { ON, STOP, FAIL } going;

static ho_node *put_step(ho_mcp_request *r, long long step)
{
  r->keep = ho_node_new(r->arena, HO_KIND_MAP);
  return ho_map_addz(r->keep, "step", ho_node_number(r->arena, step));
}

/* Asks what the client can answer; if it can answer nothing of it, it cannot have this. */
static going ask(ho_mcp_request *r, const ho_node *fixture, const ho_node *asks, ho_mcp_rpc_fault *fault)
{
  size_t able = 0;
  ho_str lacking = HO_EMPTY;
  HO_EACH_CONST (one, asks) {
    ho_str method = ho_map_str(one, "method");
    if (!ho_mcp_ask_can(&r->client, method)) {
      lacking = method;
      continue;
    }
    able++;
    (void)ho_mcp_ask(r, one->key, method, fill(r, fixture, ho_node_copy(r->arena, ho_map_getz(one, "params"))));
  }
  if (able)
    return r->asks ? STOP : ON;
  (void)ho_mcp_client_lacks(r, ho_mcp_ask_needs(r->arena, lacking), fault);
  return FAIL;
}

static going put_result(ho_mcp_request *r, const ho_node *fixture, const ho_node *result)
{
  HO_EACH_CONST (member, result)
    ho_map_add(r->result, member->key, fill(r, fixture, ho_node_copy(r->arena, member)));
  return STOP;
}

static going wait_for(ho_mcp_request *r, const ho_node *fixture, const ho_node *ms, long long step)
{
  uint64_t long_ms = 0;
  if (!ho_str_to_u64(filled(r, fixture, ms->text), &long_ms) || !long_ms)
    return ON;
  r->look_ms = (int64_t)(long_ms < INT32_MAX ? long_ms : INT32_MAX);
  put_step(r, step + 1);
  return STOP;
}

static going take(ho_mcp_request *r, const ho_node *fixture, const ho_node *what, long long step,
                  ho_mcp_rpc_fault *fault)
{
  if (ho_str_is(what->key, "log"))
    ho_mcp_tell_log(r, what->text);
  else if (ho_str_is(what->key, "progress"))
    ho_mcp_tell_progress(r, strtoll(ho_arena_z(r->arena, what->text), NULL, 10), 100);
  else if (ho_str_is(what->key, "changed"))
    ho_mcp_listen_changed(r->mcp, r->arena, what->text);
  else if (ho_str_is(what->key, "task"))
    r->lasts = ho_mcp_stateless_tasks(&r->client);
  else if (ho_str_is(what->key, "wait"))
    return wait_for(r, fixture, what, step);
  else if (ho_str_is(what->key, "result"))
    return put_result(r, fixture, what);
  else if (ho_str_is(what->key, "ask")) {
    put_step(r, step);
    return ask(r, fixture, what, fault);
  } else {
    (void)ho_mcp_rpc_fail(fault, (ho_mcp_rpc_code)ho_map_int(what, "code"), "%.*s",
                          HO_ARG(ho_map_str(what, "message")));
    return FAIL;
  }
  return ON;
}

static ho_mcp_rpc_code check_needs(ho_mcp_request *r, const ho_node *fixture, ho_mcp_rpc_fault *fault)
{
  const ho_node *needs = ho_map_getz(fixture, "needs");
  if (ho_node_true(ho_map_getz(fixture, "task")) && !ho_mcp_stateless_tasks(&r->client))
    return ho_mcp_client_lacks(r, ho_mcp_stateless_tasks_needed(r->arena), fault);
  HO_EACH_CONST (one, needs)
    if (!ho_mcp_client_can(&r->client, ho_arena_z(r->arena, one->key)))
      return ho_mcp_client_lacks(r, ho_node_copy(r->arena, needs), fault);
  return HO_MCP_RPC_OK;
}

ho_mcp_rpc_code ho_mcp_fixture_run(ho_mcp_request *r, const ho_node *fixture, ho_mcp_rpc_fault *fault)
{
  long long step = 0, from = ho_map_int(r->kept, "step");
  ho_mcp_rpc_code code = check_needs(r, fixture, fault);
  going now = ON;
  if (code)
    return code;
  HO_EACH_CONST (one, ho_map_getz(fixture, "steps")) {
    if (step >= from && one->first)
      now = take(r, fixture, one->first, step, fault);
    if (now != ON)
      break;
    step++;
  }
  return now == FAIL ? fault->code : HO_MCP_RPC_OK;
}
