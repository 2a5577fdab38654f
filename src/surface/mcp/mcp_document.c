#include "surface/mcp/mcp_document.h"

#include "doc/yaml/yaml.h"

/* The map that the last name of the path belongs into, made if it is not there; *key: that name. */
static ho_node *parent_of(const ho_mcp_act *act, ho_node *document, const char *path, ho_str *key)
{
  ho_str rest = ho_str_of(path), name;
  ho_node *at = document->first;
  while (ho_str_next(&rest, '.', &name) && rest.n) {
    ho_node *next = ho_map_get(at, name);
    at = next ? next : ho_map_add(at, name, ho_node_new(act->arena, HO_KIND_MAP));
  }
  *key = name;
  return at;
}

void ho_mcp_document_set(const ho_mcp_act *act, ho_node *document, const char *path, ho_str text)
{
  ho_str key;
  ho_node *parent = parent_of(act, document, path, &key);
  if (text.n && !ho_map_get(parent, key))
    ho_map_add(parent, key, ho_node_text(act->arena, text));
}

void ho_mcp_document_add(const ho_mcp_act *act, ho_node *document, const char *path, ho_str text)
{
  ho_str key;
  ho_node *parent = parent_of(act, document, path, &key), *list = ho_map_get(parent, key);
  if (!list)
    list = ho_map_add(parent, key, ho_node_new(act->arena, HO_KIND_LIST));
  ho_list_add(list, ho_node_text(act->arena, text));
}

static ho_node *item_of(ho_arena *arena, const ho_mcp_place *place, ho_str text)
{
  if (!place->first)
    return ho_node_text(arena, text);
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  size_t colon = ho_str_find(text, ": ");
  ho_map_addz(map, place->first, ho_node_text(arena, ho_str_trim(ho_str_sub(text, 0, colon))));
  if (colon != HO_NONE)
    ho_map_addz(map, place->second, ho_node_text(arena, ho_str_trim(ho_str_sub(text, colon + 2, text.n))));
  return map;
}

ho_node *ho_mcp_document_begin(const ho_mcp_act *act, const char *wrapper, const ho_mcp_place *places)
{
  ho_node *document = ho_node_new(act->arena, HO_KIND_MAP);
  ho_map_addz(document, wrapper, ho_node_new(act->arena, HO_KIND_MAP));
  for (; places->field && !act->arena->failed; places++) {
    const ho_node *value = ho_map_getz(act->args, places->field);
    if (!ho_node_is(value, HO_KIND_LIST)) {
      ho_mcp_document_set(act, document, places->path, ho_node_str(value));
      continue;
    }
    ho_str key;
    ho_node *parent = parent_of(act, document, places->path, &key);
    ho_node *list = ho_map_add(parent, key, ho_node_new(act->arena, HO_KIND_LIST));
    HO_EACH_CONST (item, value)
      ho_list_add(list, item_of(act->arena, places, item->text));
  }
  return document;
}

ho_str ho_mcp_document_text(const ho_mcp_act *act, const ho_node *document)
{
  ho_buf yaml;
  ho_buf_init(&yaml, 0);
  ho_yaml_write(&yaml, document);
  return ho_buf_move(&yaml, act->arena);
}

/* What follows the path in a pointer; false if the pointer leads elsewhere. *holds: to what the path goes through. */
static bool is_below(const char *path, ho_str pointer, ho_str *rest, bool *holds)
{
  bool bare = path[0] == '/';
  ho_str names = ho_str_of(bare ? path + 1 : path), name, token;
  *rest = ho_str_sub(pointer, 1, pointer.n);
  if (!bare && !ho_str_next(rest, '/', &token)) /* the wrapper's */
    return false;
  while (ho_str_next(&names, '.', &name)) {
    bool ended = !ho_str_next(rest, '/', &token);
    *holds = *holds || ended;
    if (ended || !ho_str_eq(token, name))
      return false;
  }
  return true;
}

ho_str ho_mcp_document_at(ho_arena *arena, const ho_mcp_place *places, ho_str pointer, bool *holds)
{
  ho_str rest, token;
  uint64_t index;
  for (*holds = false; places->field; places++) {
    if (!is_below(places->path, pointer, &rest, holds))
      continue;
    *holds = false;
    return ho_str_next(&rest, '/', &token) && ho_str_to_u64(token, &index)
               ? ho_arena_printf(arena, "%s[%llu]", places->field, (unsigned long long)index)
               : ho_str_of(places->field);
  }
  return HO_EMPTY;
}
