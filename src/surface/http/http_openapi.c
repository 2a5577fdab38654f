/* The API as OpenAPI 3.1 describes it, from the records of the commands. */
#include "model/document/json_schema.h"
#include "surface/http/http_api.h"

static ho_node *map(ho_arena *a)
{
  return ho_node_new(a, HO_KIND_MAP);
}

static ho_node *add_map(ho_arena *a, ho_node *to, const char *key)
{
  return ho_map_addz(to, key, map(a));
}

static void add_text(ho_arena *a, ho_node *to, const char *key, const char *text)
{
  ho_map_addz(to, key, ho_node_textz(a, text));
}

static void add_json(ho_arena *a, ho_node *to, ho_node *schema)
{
  ho_map_addz(add_map(a, add_map(a, to, "content"), HO_HTTP_JSON), "schema", schema);
}

static ho_node *reference(ho_arena *a, const char *to)
{
  ho_node *node = map(a);
  add_text(a, node, "$ref", to);
  return node;
}

/* Every status that an error can have, from the list of codes. */
static void add_errors(ho_arena *a, ho_node *responses)
{
  static const struct {
    int status;
    const char *meaning;
  } codes[] = {
#define X(name, text, exit, http, meaning) {http, meaning},
      HO_CODES(X)
#undef X
          {401, "no token, or one that is not valid"},
      {429, "too many requests"},
  };
  for (size_t i = 0; i < HO_COUNT(codes); i++) {
    ho_str key = ho_arena_printf(a, "%d", codes[i].status);
    if (codes[i].status == 200 || ho_map_get(responses, key))
      continue;
    ho_node *response = ho_map_add(responses, key, map(a));
    add_text(a, response, "description", codes[i].meaning);
    add_json(a, response, reference(a, "#/components/schemas/error"));
  }
}

static ho_node *schema_of(ho_arena *a, const ho_field *field)
{
  ho_field fields[] = {*field, HO_FIELDS_END};
  ho_record record = {.name = field->name, .fields = fields};
  return ho_map_getz(ho_map_getz(ho_json_schema_record(&record, a), "properties"), field->name);
}

static void add_parameter(ho_arena *a, ho_node *list, const ho_field *field, const char *in)
{
  ho_node *parameter = ho_list_add(list, map(a));
  add_text(a, parameter, "name", field->name);
  add_text(a, parameter, "in", in);
  if (field->doc)
    add_text(a, parameter, "description", field->doc);
  if (strcmp(in, "path") == 0 || ((field->flags & HO_REQUIRED) && !field->fallback))
    ho_map_addz(parameter, "required", ho_node_bool(a, true));
  ho_map_addz(parameter, "schema", schema_of(a, field));
}

/* The body: all arguments but that in the path; a document as text in place of a file. */
static ho_node *body_of(ho_arena *a, const ho_command *command, bool first_in_path)
{
  ho_node *schema = ho_json_schema_record(command->params, a), *properties = ho_map_getz(schema, "properties");
  const ho_field *first = ho_http_api_first(command), *document = ho_http_api_document(command);
  ho_node_remove(schema, ho_map_getz(schema, "required"));
  if (first_in_path)
    ho_node_remove(properties, ho_map_getz(properties, first->name));
  if (document) {
    ho_node *text = add_map(a, properties, HO_HTTP_API_DOCUMENT);
    add_text(a, text, "type", "string");
    ho_map_addz(text, "description",
                ho_node_text(a, ho_arena_printf(a, "The document itself, in place of '%s'.", document->name)));
  }
  return schema;
}

static void add_operation(ho_arena *a, ho_node *path, const ho_command *command, bool first_in_path, bool post)
{
  ho_node *operation = add_map(a, path, post ? "post" : "get"), *list = ho_node_new(a, HO_KIND_LIST);
  const ho_field *first = ho_http_api_first(command);
  ho_map_addz(
      operation, "operationId",
      ho_node_text(a, ho_arena_printf(a, "%s %s%s", post ? "post" : "get", command->name, first_in_path ? " of" : "")));
  add_text(a, operation, "summary", command->summary);
  if (command->doc)
    add_text(a, operation, "description", command->doc);
  ho_list_add(ho_map_addz(operation, "tags", ho_node_new(a, HO_KIND_LIST)), ho_node_textz(a, command->group));
  if (first_in_path)
    add_parameter(a, list, first, "path");
  for (const ho_field *field = post ? NULL : command->params->fields; field && field->name; field++)
    if (!(first_in_path && field == first) && !(field->flags & HO_HIDDEN))
      add_parameter(a, list, field, "query");
  if (list && list->count)
    ho_map_addz(operation, "parameters", list);
  if (post)
    add_json(a, add_map(a, operation, "requestBody"), body_of(a, command, first_in_path));
  ho_node *responses = add_map(a, operation, "responses"), *ok = add_map(a, responses, "200");
  add_text(a, ok, "description", "The result; the header Handoff-Code says so if the answer is no.");
  add_json(a, ok, ho_json_schema_record(command->result, a));
  add_errors(a, responses);
}

static void add_paths(ho_arena *a, ho_node *paths, const ho_command *command)
{
  char name[64];
  const ho_field *first = ho_http_api_first(command);
  snprintf(name, sizeof name, "%s", command->name);
  for (char *c = name; *c; c++)
    if (*c == ' ')
      *c = '/';
  for (int in_path = 0; in_path <= (first != NULL); in_path++) {
    ho_str key = in_path ? ho_arena_printf(a, HO_HTTP_API "%s/{%s}", name, first->name)
                         : ho_arena_printf(a, HO_HTTP_API "%s", name);
    ho_node *path = ho_map_add(paths, key, map(a));
    if (ho_http_api_looks(command))
      add_operation(a, path, command, in_path, false);
    add_operation(a, path, command, in_path, true);
  }
}

static void add_components(ho_arena *a, ho_node *api)
{
  ho_node *components = add_map(a, api, "components"),
          *token = add_map(a, add_map(a, components, "securitySchemes"), "token");
  ho_node *error = add_map(a, add_map(a, components, "schemas"), "error");
  add_text(a, token, "type", "http");
  add_text(a, token, "scheme", "bearer");
  add_text(a, error, "type", "object");
  ho_node *inner = add_map(a, add_map(a, error, "properties"), "error"), *properties = add_map(a, inner, "properties");
  add_text(a, inner, "type", "object");
  add_text(a, add_map(a, properties, "code"), "type", "string");
  add_text(a, add_map(a, properties, "message"), "type", "string");
  ho_node *security = ho_list_add(ho_map_addz(api, "security", ho_node_new(a, HO_KIND_LIST)), map(a));
  ho_map_addz(security, "token", ho_node_new(a, HO_KIND_LIST));
}

static void describe(ho_http_exchange *x)
{
  ho_arena *a = &x->arena;
  ho_node *api = map(a);
  add_text(a, api, "openapi", "3.1.0");
  ho_node *info = add_map(a, api, "info");
  add_text(a, info, "title", "handoff");
  add_text(a, info, "version", HO_VERSION);
  ho_node *paths = add_map(a, api, "paths");
  for (const ho_command *const *each = ho_commands; *each; each++)
    if (ho_http_api_offers(*each))
      add_paths(a, paths, *each);
  add_components(a, api);
  ho_http_answer_json(x, 200, api);
}

void ho_http_openapi(ho_http_exchange *x)
{
  ho_http_work(x, describe, HO_HTTP_QUICK);
}
