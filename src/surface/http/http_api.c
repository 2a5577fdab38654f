#include "surface/http/http_api.h"

#include "base/digest.h"
#include "base/suggest.h"
#include "command/error_shown.h"
#include "command/pick.h"
#include "doc/json/json.h"
#include "surface/http/http_act.h"
#include "surface/http/http_kept.h"

/* A request, understood. */
typedef struct wish {
  const ho_command *command;
  ho_node *args;
  ho_shown shown;
  ho_str document;
} wish;

bool ho_http_api_offers(const ho_command *command)
{
  return ho_command_roles(command) != 0;
}

bool ho_http_api_looks(const ho_command *command)
{
  return command->effect <= HO_EFFECT_READ;
}

const ho_field *ho_http_api_first(const ho_command *command)
{
  for (const ho_field *field = command->params->fields; field->name; field++)
    if (field->flags & HO_POSITIONAL)
      return field;
  return NULL;
}

const ho_field *ho_http_api_document(const ho_command *command)
{
  for (const ho_field *field = command->params->fields; field->name; field++)
    if ((field->flags & HO_POSITIONAL) && (field->flags & HO_IS_FILE))
      return field;
  return NULL;
}

static bool only_gets(const ho_http_exchange *x)
{
  return ho_str_is(x->request.method, "GET") || ho_str_is(x->request.method, "HEAD");
}

/* "gate/show/G-2026-001": the command "gate show", and what follows. */
static const ho_command *command_of(ho_arena *arena, ho_str path, ho_str *rest)
{
  ho_str first, second;
  if (!ho_str_next(&path, '/', &first))
    return NULL;
  *rest = path;
  if (ho_str_next(&path, '/', &second)) {
    const ho_command *two = ho_command_named(ho_arena_printf(arena, "%.*s %.*s", HO_ARG(first), HO_ARG(second)));
    if (two)
      *rest = path;
    if (two)
      return two;
  }
  return ho_str_find_char(first, ' ') == HO_NONE ? ho_command_named(first) : NULL;
}

/* A text of the path or the query, as the value that the field wants, if it can be one. */
static ho_node *value_of(ho_arena *arena, const ho_field *field, ho_str text)
{
  ho_type type = field->type == HO_T_LIST ? field->item : field->type;
  ho_node *node = ho_node_text(arena, text);
  uint64_t number;
  if (!node)
    return NULL;
  if ((type == HO_T_INT || type == HO_T_NUMBER) &&
      ho_str_to_u64(ho_str_starts(text, "-") ? ho_str_sub(text, 1, text.n) : text, &number))
    node->kind = HO_KIND_NUMBER;
  if (type == HO_T_BOOL && (ho_str_is(text, "true") || ho_str_is(text, "false")))
    node->kind = HO_KIND_BOOL;
  return node;
}

/* Adds an argument; that of a list may come again. */
static ho_code put(ho_arena *arena, wish *w, const ho_field *field, ho_str text, ho_error *err)
{
  ho_node *list = ho_map_getz(w->args, field->name), *value = value_of(arena, field, text);
  if (field->type != HO_T_LIST && list)
    return ho_fail(err, HO_USAGE, "'%s' is given twice", field->name);
  if (field->type == HO_T_LIST && !list)
    list = ho_map_addz(w->args, field->name, ho_node_new(arena, HO_KIND_LIST));
  if (field->type == HO_T_LIST)
    ho_list_add(list, value);
  else
    ho_map_addz(w->args, field->name, value);
  return HO_OK;
}

/* --fields and --sort, which every list has. */
static bool put_shown(wish *w, ho_str name, ho_str value)
{
  if (ho_str_is(name, "fields") && !ho_record_fieldz(w->command->params, "fields"))
    w->shown.fields = value;
  else if (ho_str_is(name, "sort") && !ho_record_fieldz(w->command->params, "sort"))
    w->shown.sort = value;
  else
    return false;
  return true;
}

/* Fails for want of an argument of that name. */
static ho_code unknown(const wish *w, ho_str name, ho_error *err)
{
  const char *best = NULL;
  unsigned nearest = ho_distance_far(name);
  for (const ho_field *field = w->command->params->fields; field->name; field++) {
    unsigned distance = ho_distance(name, ho_str_of(field->name));
    if (!(field->flags & HO_HIDDEN) && distance < nearest) {
      nearest = distance;
      best = field->name;
    }
  }
  if (best)
    return ho_fail(err, HO_USAGE, "unknown argument '%.*s' of '%s'; did you mean '%s'?",
                   HO_ARG(ho_str_sub(name, 0, 80)), w->command->name, best);
  return ho_fail(err, HO_USAGE, "unknown argument '%.*s' of '%s'; GET /api/v1/openapi.json lists them",
                 HO_ARG(ho_str_sub(name, 0, 80)), w->command->name);
}

static ho_code read_query(ho_http_exchange *x, wish *w, ho_error *err)
{
  ho_str query = x->request.query, name, value;
  bool bad = false;
  ho_code code = HO_OK;
  while (!code && ho_http_request_param(&x->arena, &query, &name, &value, &bad)) {
    if (bad)
      return ho_fail(err, HO_USAGE, "the query is not NAME=VALUE&NAME=VALUE in UTF-8, with %% before two digits");
    const ho_field *field = ho_record_fieldz(w->command->params, ho_arena_z(&x->arena, name));
    if (field)
      code = put(&x->arena, w, field, value, err);
    else if (!put_shown(w, name, value))
      code = unknown(w, name, err);
  }
  return code;
}

static ho_code read_body(ho_http_exchange *x, wish *w, ho_error *err)
{
  ho_source source;
  ho_node *body = NULL;
  if (!x->request.body.n)
    return HO_OK;
  if (!ho_str_starts_nocase(ho_http_request_header(&x->request, "content-type"), HO_HTTP_JSON))
    return ho_fail(err, HO_USAGE, "the body is not said to be JSON; send the header Content-Type: application/json");
  ho_code code = ho_source_init(&source, &x->arena, HO_STR("body"), x->request.body, err);
  if (!code)
    code = ho_json_read(&source, 0, &x->arena, NULL, &body, err);
  if (code)
    return code;
  if (!ho_node_is(body, HO_KIND_MAP))
    return ho_fail(err, HO_USAGE, "the body is not a JSON object of arguments");
  for (ho_node *child = body->first, *next; child; child = next) {
    next = child->next;
    const ho_field *file = ho_http_api_document(w->command);
    bool is_document = file && ho_str_is(child->key, HO_HTTP_API_DOCUMENT) && ho_node_is(child, HO_KIND_TEXT);
    if (ho_map_get(w->args, is_document ? ho_str_of(file->name) : child->key))
      return ho_fail(err, HO_USAGE, "'%.*s' is given twice", HO_ARG(child->key));
    if (is_document) {
      w->document = child->text.p ? child->text : HO_EMPTY;
      code = put(&x->arena, w, file, HO_STR("-"), err);
    } else if (ho_record_fieldz(w->command->params, ho_arena_z(&x->arena, child->key))) {
      ho_map_add(w->args, child->key, ho_node_copy(&x->arena, child));
    } else if (!ho_node_is(child, HO_KIND_TEXT) || !put_shown(w, child->key, child->text)) {
      code = unknown(w, child->key, err);
    }
    if (code)
      return code;
  }
  return HO_OK;
}

/* What is asked for; the methods are checked before anything else is looked at. */
static ho_code understand(ho_http_exchange *x, wish *w, int *status, ho_error *err)
{
  ho_str rest = HO_EMPTY;
  bool looks = only_gets(x);
  w->command = command_of(&x->arena, x->rest, &rest);
  w->args = ho_node_new(&x->arena, HO_KIND_MAP);
  if (!w->command || !ho_http_api_offers(w->command))
    return ho_fail(err, HO_NOT_FOUND,
                   w->command ? "'%.*s' is only for whoever runs the program"
                              : "there is no command at this path (%.*s); GET /api/v1/openapi.json lists them",
                   HO_ARG(w->command ? ho_str_of(w->command->name) : x->rest));
  if (looks && !ho_http_api_looks(w->command)) {
    *status = 405;
    ho_http_header_add(x, "Allow", HO_STR("POST"));
    return ho_fail(err, HO_USAGE, "'%s' changes something; use POST", w->command->name);
  }
  ho_code code = HO_OK;
  const ho_field *first = ho_http_api_first(w->command);
  if (rest.n && (!first || ho_str_find_char(rest, '/') != HO_NONE))
    return ho_fail(err, HO_NOT_FOUND, "there is nothing at this path behind '%s'", w->command->name);
  if (rest.n)
    code = put(&x->arena, w, first, rest, err);
  if (!code)
    code = read_query(x, w, err);
  if (!code && !looks)
    code = read_body(x, w, err);
  return code ? code : ho_arena_code(&x->arena, err);
}

static void fail(ho_http_exchange *x, int status, const ho_error *err, const ho_node *choices)
{
  ho_http_answer_json(x, status ? status : ho_code_http(err->code), ho_error_shown(&x->arena, err, choices));
}

/* The answer, and a tag that says whether it is another one than last time. */
static void answer(ho_http_exchange *x, const wish *w, const ho_call *call, ho_code code)
{
  char digest[HO_DIGEST_SIZE];
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_json_write(&text, ho_pick_json(w->command, call), 0);
  ho_buf_putc(&text, '\n');
  ho_error err = {0};
  if (ho_buf_code(&text, &err) || ho_arena_code(&x->arena, &err)) {
    fail(x, 0, &err, NULL);
  } else {
    ho_digest_text(ho_buf_str(&text), digest);
    ho_str tag = ho_arena_printf(&x->arena, "\"%.32s\"", digest);
    if (code)
      ho_http_header_add(x, "Handoff-Code", ho_str_of(ho_code_name(code)));
    else if (w->command->stored && only_gets(x))
      ho_http_kept_answer_put(x, x->changes, tag, ho_buf_str(&text));
    if (!code && ho_http_api_looks(w->command))
      ho_http_kept_say(x, tag, ho_buf_str(&text));
    else
      ho_http_answer(x, ho_code_http(code), HO_HTTP_JSON, ho_buf_str(&text));
  }
  ho_buf_free(&text);
}

static void act(ho_http_exchange *x)
{
  wish *w = x->world;
  ho_call call = {.args = w->args, .shown = w->shown};
  ho_error err = {0};
  ho_code code = ho_http_act(x, w->command, &call, HO_EMPTY, w->document, &err);
  if (err.code)
    fail(x, 0, &err, call.choices);
  else
    answer(x, w, &call, code);
}

void ho_http_api(ho_http_exchange *x)
{
  if (only_gets(x) && ho_http_kept_answer(x))
    return;
  wish *w = HO_NEW(&x->arena, wish);
  int status = 0;
  ho_error err = {0};
  ho_code code = w ? understand(x, w, &status, &err) : ho_arena_code(&x->arena, &err);
  if (code) {
    fail(x, status, &err, NULL);
    return;
  }
  x->world = w;
  bool waits = w->command->effect == HO_EFFECT_LONG || ho_map_getz(w->args, "wait") ||
               ho_record_fieldz(w->command->params, "timeout");
  ho_http_work(x, act, waits ? HO_HTTP_LONG : HO_HTTP_QUICK);
}
