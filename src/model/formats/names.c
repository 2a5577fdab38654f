#include "model/formats/names.h"

static int by_text(const void *a, const void *b)
{
  const ho_name *x = a, *y = b;
  int order = ho_str_cmp(x->text, y->text);
  return order ? order : (x->index > y->index) - (x->index < y->index);
}

ho_names ho_names_of(ho_arena *arena, const ho_node *list, const char *key)
{
  ho_names names = {0};
  size_t index = 0;
  if (!ho_node_is(list, HO_KIND_LIST) || list->count == 0) {
    return names;
  }
  names.items = ho_arena_array(arena, list->count, sizeof *names.items);
  if (!names.items) {
    return names;
  }
  HO_EACH_CONST (item, list) {
    const ho_node *name = ho_map_getz(item, key);
    if (!ho_node_empty(name) && ho_node_str(name).n) {
      names.items[names.count++] = (ho_name){ho_node_str(name), name, index};
    }
    index++;
  }
  qsort(names.items, names.count, sizeof *names.items, by_text);
  return names;
}

const ho_name *ho_names_find(const ho_names *names, ho_str text)
{
  size_t low = 0, high = names->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (ho_str_cmp(names->items[middle].text, text) < 0) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  return low < names->count && ho_str_eq(names->items[low].text, text) ? &names->items[low] : NULL;
}

void ho_names_check_unique(ho_check *check, const ho_rule *rule, const ho_names *names, const char *what)
{
  for (size_t i = 1; i < names->count; i++) {
    const ho_name *name = &names->items[i];
    if (ho_str_eq(name->text, names->items[i - 1].text)) {
      ho_check_fail(check, rule, name->node, "duplicate %s '%.*s'", what, HO_ARG(ho_str_sub(name->text, 0, 80)));
    }
  }
}
