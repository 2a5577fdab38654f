#include "doc/tree.h"

#include <errno.h>

const char *ho_kind_name(ho_kind kind)
{
  static const char *const names[] = {"null", "true or false", "number", "text", "list", "map"};
  return names[kind];
}

ho_node *ho_node_new(ho_arena *arena, ho_kind kind)
{
  ho_node *node = HO_NEW(arena, ho_node);
  if (!node)
    return NULL;
  node->kind = (uint8_t)kind;
  node->key = node->text = HO_EMPTY;
  node->begin = node->end = node->key_begin = node->key_end = HO_NOWHERE;
  return node;
}

ho_node *ho_node_text(ho_arena *arena, ho_str text)
{
  ho_node *node = ho_node_new(arena, HO_KIND_TEXT);
  if (node)
    node->text = text;
  return node;
}

ho_node *ho_node_textz(ho_arena *arena, const char *text)
{
  return ho_node_text(arena, ho_str_of(text));
}

ho_node *ho_node_bool(ho_arena *arena, bool value)
{
  ho_node *node = ho_node_new(arena, HO_KIND_BOOL);
  if (node)
    node->text = value ? HO_STR("true") : HO_STR("false");
  return node;
}

ho_node *ho_node_number(ho_arena *arena, long long value)
{
  ho_node *node = ho_node_new(arena, HO_KIND_NUMBER);
  if (node)
    node->text = ho_arena_printf(arena, "%lld", value);
  return node;
}

ho_node *ho_node_copy(ho_arena *arena, const ho_node *node)
{
  ho_node *copy = node ? HO_NEW(arena, ho_node) : NULL;
  if (!copy)
    return NULL;
  *copy = *node;
  copy->next = copy->first = copy->last = NULL;
  copy->count = 0;
  copy->key = ho_arena_copy(arena, node->key);
  copy->text = ho_arena_copy(arena, node->text);
  HO_EACH_CONST (child, node)
    ho_list_add(copy, ho_node_copy(arena, child));
  return copy;
}

ho_node *ho_list_add(ho_node *list, ho_node *child)
{
  if (!list || !child)
    return child;
  child->next = NULL;
  if (list->last)
    list->last->next = child;
  else
    list->first = child;
  list->last = child;
  list->count++;
  return child;
}

ho_node *ho_map_add(ho_node *map, ho_str key, ho_node *child)
{
  if (child)
    child->key = key;
  return ho_list_add(map, child);
}

ho_node *ho_map_addz(ho_node *map, const char *key, ho_node *child)
{
  return ho_map_add(map, ho_str_of(key), child);
}

void ho_map_put(ho_arena *arena, ho_node *map, const char *key, ho_str text)
{
  ho_map_addz(map, key, text.n ? ho_node_text(arena, text) : ho_node_new(arena, HO_KIND_NULL));
}

static ho_node *previous_of(const ho_node *parent, const ho_node *child)
{
  ho_node *previous = NULL;
  HO_EACH (each, parent) {
    if (each == child)
      break;
    previous = each;
  }
  return previous;
}

ho_node *ho_map_set(ho_node *map, ho_str key, ho_node *child)
{
  ho_node *old = ho_map_get(map, key);
  if (!old || !child)
    return ho_map_add(map, key, child);
  ho_node *previous = previous_of(map, old);
  child->key = key;
  child->next = old->next;
  if (previous)
    previous->next = child;
  else
    map->first = child;
  if (map->last == old)
    map->last = child;
  return child;
}

void ho_node_remove(ho_node *parent, ho_node *child)
{
  if (!parent || !child)
    return;
  ho_node *previous = previous_of(parent, child);
  if (previous)
    previous->next = child->next;
  else
    parent->first = child->next;
  if (parent->last == child)
    parent->last = previous;
  parent->count--;
  child->next = NULL;
}

void ho_node_filter(ho_node *parent, bool (*stays)(void *world, ho_node *child), void *world)
{
  ho_node *child = parent ? parent->first : NULL, *next;
  if (!child)
    return;
  parent->first = parent->last = NULL;
  parent->count = 0;
  for (; child; child = next) {
    next = child->next;
    child->next = NULL;
    if (stays(world, child))
      ho_list_add(parent, child);
  }
}

void ho_node_replace(ho_node *old, const ho_node *by)
{
  ho_node *next = old->next;
  ho_str key = old->key;
  *old = *by;
  old->next = next;
  old->key = key;
}

ho_node *ho_map_get(const ho_node *map, ho_str key)
{
  if (!ho_node_is(map, HO_KIND_MAP))
    return NULL;
  HO_EACH (child, map)
    if (ho_str_eq(child->key, key))
      return child;
  return NULL;
}

ho_node *ho_map_getz(const ho_node *map, const char *key)
{
  return ho_map_get(map, ho_str_of(key));
}

ho_str ho_map_str(const ho_node *map, const char *key)
{
  return ho_node_str(ho_map_getz(map, key));
}

long long ho_map_int(const ho_node *map, const char *key)
{
  long long number;
  return ho_node_to_int(ho_map_getz(map, key), &number) ? number : 0;
}

ho_node *ho_list_at(const ho_node *list, size_t index)
{
  if (!ho_node_is(list, HO_KIND_LIST))
    return NULL;
  HO_EACH (child, list)
    if (index-- == 0)
      return child;
  return NULL;
}

bool ho_list_has(const ho_node *list, ho_str text)
{
  HO_EACH_CONST (item, list)
    if (ho_str_eq(item->text, text))
      return true;
  return false;
}

/* Does the pointer token `token` (with ~0 and ~1) name `key`? */
static bool token_names(ho_str token, ho_str key)
{
  size_t at = 0;
  for (size_t i = 0; i < token.n; i++, at++) {
    char c = token.p[i];
    if (c == '~' && i + 1 < token.n && (token.p[i + 1] == '0' || token.p[i + 1] == '1'))
      c = token.p[++i] == '0' ? '~' : '/';
    if (at >= key.n || key.p[at] != c)
      return false;
  }
  return at == key.n;
}

static ho_node *child_named(const ho_node *node, ho_str token)
{
  uint64_t index;
  if (ho_node_is(node, HO_KIND_LIST))
    return ho_str_to_u64(token, &index) ? ho_list_at(node, (size_t)index) : NULL;
  if (ho_node_is(node, HO_KIND_MAP))
    HO_EACH (child, node)
      if (token_names(token, child->key))
        return child;
  return NULL;
}

ho_node *ho_node_by_names(const ho_node *node, const char *dotted)
{
  ho_str rest = ho_str_of(dotted), name;
  while (node && ho_str_next(&rest, '.', &name))
    node = ho_map_get(node, name);
  return (ho_node *)node;
}

ho_node *ho_node_at(const ho_node *node, ho_str pointer)
{
  ho_str token;
  if (pointer.n == 0)
    return (ho_node *)node;
  if (pointer.p[0] != '/')
    return NULL;
  pointer = ho_str_sub(pointer, 1, pointer.n);
  while (node && ho_str_next(&pointer, '/', &token))
    node = child_named(node, token);
  return (ho_node *)node;
}

ho_str ho_pointer_key(ho_arena *arena, ho_str token)
{
  if (ho_str_find_char(token, '~') == HO_NONE)
    return token;
  char *to = ho_arena_alloc(arena, token.n + 1);
  size_t n = 0;
  for (size_t i = 0; to && i < token.n; i++) {
    bool escaped = token.p[i] == '~' && i + 1 < token.n && (token.p[i + 1] == '0' || token.p[i + 1] == '1');
    to[n++] = escaped ? (token.p[++i] == '0' ? '~' : '/') : token.p[i];
  }
  return to ? (ho_str){to, n} : token;
}

bool ho_node_is(const ho_node *node, ho_kind kind)
{
  return node && node->kind == kind;
}

bool ho_node_absent(const ho_node *node)
{
  return !node || node->kind == HO_KIND_NULL;
}

bool ho_node_empty(const ho_node *node)
{
  if (ho_node_absent(node))
    return true;
  if (node->kind == HO_KIND_LIST || node->kind == HO_KIND_MAP)
    return node->count == 0;
  return node->kind == HO_KIND_TEXT && ho_str_blank(node->text);
}

ho_str ho_node_str(const ho_node *node)
{
  return node ? node->text : HO_EMPTY;
}

bool ho_node_true(const ho_node *node)
{
  return ho_node_is(node, HO_KIND_BOOL) && ho_str_is(node->text, "true");
}

bool ho_node_to_int(const ho_node *node, long long *out)
{
  char text[32];
  if (!ho_node_is(node, HO_KIND_NUMBER) || node->text.n >= sizeof text)
    return false;
  for (size_t i = 0; i < node->text.n; i++)
    if (!isdigit((unsigned char)node->text.p[i]) && !(i == 0 && node->text.p[0] == '-'))
      return false;
  memcpy(text, node->text.p, node->text.n);
  text[node->text.n] = '\0';
  errno = 0;
  char *end;
  *out = strtoll(text, &end, 10);
  return errno == 0 && end != text;
}

/* Where two trees first differ, depth first, or NULL. Without an arena, the result only says whether they do. */
static const char *difference(ho_arena *arena, const ho_node *a, const ho_node *b, const char *at)
{
  if (!a || !b)
    return a == b ? NULL : at;
  if (a->kind != b->kind || a->count != b->count || !ho_str_eq(a->text, b->text))
    return at;
  const ho_node *x = a->first, *y = b->first;
  for (size_t i = 0; x && y; x = x->next, y = y->next, i++) {
    if (a->kind == HO_KIND_MAP && !ho_str_eq(x->key, y->key))
      return arena ? ho_arena_printf(arena, "%s/%.*s", at, HO_ARG(x->key)).p : at;
    const char *below = at;
    if (arena)
      below = a->kind == HO_KIND_MAP ? ho_arena_printf(arena, "%s/%.*s", at, HO_ARG(x->key)).p
                                     : ho_arena_printf(arena, "%s/%zu", at, i).p;
    const char *found = difference(arena, x, y, below);
    if (found)
      return found;
  }
  return NULL;
}

bool ho_node_equal(const ho_node *a, const ho_node *b)
{
  return !difference(NULL, a, b, "");
}

const char *ho_node_difference(ho_arena *arena, const ho_node *a, const ho_node *b)
{
  return difference(arena, a, b, "");
}
