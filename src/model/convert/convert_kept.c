#include "model/convert/convert_kept.h"

#include "doc/keyset.h"
#include "model/bind.h"
#include "model/convert/convert_move.h"

/* How many of the following items are searched for one whose text was edited. */
enum { LOOK_AHEAD = 64 };

static const char items_key[] = "x_items";

typedef struct keeper {
  ho_arena *arena;
  ho_node *names;   /* pointers of what is kept */
  ho_node *without; /* pointers of what the original does not have */
} keeper;

/* A copy of the node; its children are shared with the original. */
static ho_node *same(keeper *k, const ho_node *node)
{
  ho_node *copy = HO_NEW(k->arena, ho_node);
  if (copy) {
    *copy = *node;
    copy->next = NULL;
  }
  return copy;
}

static void name(keeper *k, ho_node *list, const ho_path *path)
{
  ho_list_add(list, ho_node_text(k->arena, ho_path_pointer(k->arena, path)));
}

static const ho_field *field_of(const ho_record *record, ho_str key)
{
  bool alias = true;
  const ho_field *field = record ? ho_record_field(record, key, &alias) : NULL;
  return alias ? NULL : field;
}

/* --- the difference ----------------------------------------------------------------------------------------------- */

/* Are two items about the same thing: is the main text of one the main text, or the whole text, of the other? */
static bool same_item(const ho_record *record, const ho_node *original, const ho_node *back, ho_arena *arena)
{
  ho_str text = ho_slots_main_text(record, back);
  if (original->kind != HO_KIND_MAP || back->kind != HO_KIND_MAP || !text.n)
    return false;
  return ho_str_eq(text, ho_slots_main_text(record, original)) ||
         ho_str_eq(text, ho_move_item_text(record, original, arena));
}

/* Can the items of `back` be completed one by one: the same things in the same order, and nothing extra? */
static bool same_items(const ho_record *record, const ho_node *original, const ho_node *back, ho_arena *arena)
{
  if (!record || original->count != back->count)
    return false;
  const ho_node *b = back->first;
  for (const ho_node *a = original->first; a; a = a->next, b = b->next) {
    ho_keyset keys;
    if (!same_item(record, a, b, arena))
      return false;
    ho_keyset_note(&keys, arena, a);
    HO_EACH_CONST (child, b)
      if (!ho_keyset_find(&keys, a, child->key))
        return false;
  }
  return true;
}

/* The main text, so that the item is found again, and what the other lacks. */
static ho_node *item_part(keeper *k, const ho_record *record, const ho_node *original, const ho_node *back,
                          const ho_path *path)
{
  const ho_field *main_field = ho_slots_main(record);
  bool whole = !ho_str_eq(ho_slots_main_text(record, original), ho_slots_main_text(record, back));
  ho_node *part = ho_node_new(k->arena, HO_KIND_MAP);
  ho_keyset keys;
  ho_keyset_note(&keys, k->arena, back);
  HO_EACH_CONST (child, original) {
    bool differs = !ho_node_equal(child, ho_keyset_find(&keys, back, child->key));
    ho_path at = {path, child->key, 0};
    if (differs)
      name(k, k->names, &at);
    if (differs || whole || ho_str_is(child->key, main_field->name))
      ho_map_add(part, child->key, same(k, child));
  }
  return part;
}

static ho_node *list_parts(keeper *k, const ho_record *record, const ho_node *original, const ho_node *back,
                           const ho_path *path)
{
  ho_node *map = ho_node_new(k->arena, HO_KIND_MAP), *list = ho_node_new(k->arena, HO_KIND_LIST);
  size_t index = 0;
  const ho_node *b = back->first;
  for (const ho_node *a = original->first; a; a = a->next, b = b->next) {
    ho_path at = {path, {NULL, 0}, index++};
    if (!ho_node_equal(a, b))
      ho_list_add(list, item_part(k, record, a, b, &at));
  }
  ho_map_addz(map, items_key, list);
  return map;
}

static ho_node *map_parts(keeper *k, const ho_record *record, const ho_node *original, const ho_node *back,
                          const ho_path *path)
{
  ho_node *parts = ho_node_new(k->arena, HO_KIND_MAP);
  ho_keyset here, there;
  ho_keyset_note(&here, k->arena, original);
  ho_keyset_note(&there, k->arena, back);
  HO_EACH_CONST (child, original) {
    const ho_node *other = ho_keyset_find(&there, back, child->key);
    const ho_field *field = field_of(record, child->key);
    const ho_record *inner = field ? field->record : NULL;
    ho_path at = {path, child->key, 0};
    if (ho_node_equal(child, other))
      continue;
    if (child->kind == HO_KIND_MAP && ho_node_is(other, HO_KIND_MAP)) {
      ho_node *below = map_parts(k, inner, child, other, &at);
      if (below && below->count)
        ho_map_add(parts, child->key, below);
    } else if (child->kind == HO_KIND_LIST && ho_node_is(other, HO_KIND_LIST) &&
               same_items(inner, child, other, k->arena)) {
      ho_map_add(parts, child->key, list_parts(k, inner, child, other, &at));
    } else {
      name(k, k->names, &at);
      ho_map_add(parts, child->key, same(k, child));
    }
  }
  HO_EACH_CONST (child, back) {
    ho_path at = {path, child->key, 0};
    if (!ho_keyset_find(&here, original, child->key))
      name(k, k->without, &at);
  }
  return parts;
}

/* Whole values instead of parts, for what cannot be reassembled: always exact. */
static ho_node *whole_parts(keeper *k, const ho_node *original, const ho_node *back)
{
  ho_node *parts = ho_node_new(k->arena, HO_KIND_MAP);
  ho_keyset here, there;
  ho_keyset_note(&here, k->arena, original);
  ho_keyset_note(&there, k->arena, back);
  k->without = ho_node_new(k->arena, HO_KIND_LIST);
  HO_EACH_CONST (child, original)
    if (!ho_node_equal(child, ho_keyset_find(&there, back, child->key)))
      ho_map_add(parts, child->key, same(k, child));
  HO_EACH_CONST (child, back) {
    ho_path at = {NULL, child->key, 0};
    if (!ho_node_equal(child, ho_keyset_find(&here, original, child->key)))
      name(k, k->without, &at);
  }
  return parts;
}

/* Keys that the format does not know come after the known ones, in an order that only the original tells. */
static ho_node *unknown_parts(keeper *k, const ho_record *record, const ho_node *original, const ho_node *parts)
{
  ho_node *ordered = ho_node_new(k->arena, HO_KIND_MAP);
  ho_keyset had, keys = {0};
  ho_keyset_note(&had, k->arena, parts);
  HO_EACH_CONST (part, parts)
    if (field_of(record, part->key))
      ho_list_add(ordered, same(k, part));
  HO_EACH_CONST (child, original) {
    ho_path at = {NULL, child->key, 0};
    ho_node *part = field_of(record, child->key) ? NULL : same(k, child);
    if (ordered && part && !ho_keyset_add(&keys, k->arena, ordered, part) && !ho_keyset_find(&had, parts, child->key))
      name(k, k->without, &at);
  }
  return ordered;
}

static ho_node *assemble(keeper *k, ho_node *parts)
{
  ho_node *kept = ho_node_new(k->arena, HO_KIND_MAP);
  if (parts && parts->count)
    ho_map_addz(kept, "fields", parts);
  if (k->without && k->without->count)
    ho_map_addz(kept, "without", k->without);
  return kept;
}

/* Does x_kept really restore the original? */
static bool restores(keeper *k, const ho_format *format, const ho_node *original, const ho_node *back,
                     const ho_node *kept)
{
  ho_report report;
  ho_node *tree = ho_node_copy(k->arena, back), *unplaced = ho_node_new(k->arena, HO_KIND_LIST);
  ho_report_init(&report, k->arena, NULL);
  ho_kept_restore(format, tree, kept, unplaced, k->arena);
  ho_node *bound = tree ? ho_bind(format, tree, NULL, k->arena, &report) : NULL;
  return bound && unplaced && unplaced->count == 0 && ho_node_equal(bound, original);
}

ho_node *ho_kept_difference(const ho_format *format, const ho_node *original, const ho_node *back, ho_node *names,
                            ho_arena *arena)
{
  keeper k = {arena, names, ho_node_new(arena, HO_KIND_LIST)};
  if (ho_node_equal(original, back))
    return NULL;
  ho_node *kept = assemble(&k, map_parts(&k, format->root, original, back, NULL));
  if (kept && restores(&k, format, original, back, kept))
    return kept;
  ho_node *whole = whole_parts(&k, original, back);
  kept = assemble(&k, whole);
  if (kept && whole && !restores(&k, format, original, back, kept))
    kept = assemble(&k, unknown_parts(&k, format->root, original, whole));
  return kept;
}

/* --- the way back ------------------------------------------------------------------------------------------------- */

typedef struct restorer {
  ho_arena *arena;
  ho_node *unplaced;
} restorer;

static void leave(restorer *r, const ho_path *path, const ho_node *part)
{
  ho_node *entry = ho_node_new(r->arena, HO_KIND_MAP);
  ho_map_addz(entry, "at", ho_node_text(r->arena, ho_path_pointer(r->arena, path)));
  ho_map_addz(entry, "item", ho_node_copy(r->arena, part));
  ho_list_add(r->unplaced, entry);
}

/* Puts a part into its item. If the item's text is all that the part says, the part replaces the item. */
static void complete_item(restorer *r, ho_node *item, const ho_node *part, bool whole)
{
  if (whole) {
    item->first = item->last = NULL;
    item->count = 0;
  }
  ho_keyset keys = {0};
  HO_EACH_CONST (child, part) {
    ho_node *copy = ho_node_copy(r->arena, child), *old = copy ? ho_keyset_add(&keys, r->arena, item, copy) : NULL;
    if (old)
      ho_node_replace(old, copy);
  }
}

/* Parts are in the order of the items; if an edit moved or removed some, each part takes the nearest item that fits. */
static void complete_items(restorer *r, const ho_record *record, ho_node *list, const ho_node *parts,
                           const ho_path *path)
{
  ho_node *next = list->first;
  HO_EACH_CONST (part, parts) {
    ho_str main_text = ho_slots_main_text(record, part), all = ho_move_item_text(record, part, r->arena), text;
    ho_node *item = next;
    bool found = false;
    for (unsigned i = 0; item && i < LOOK_AHEAD && !found; i++) {
      text = ho_slots_main_text(record, item);
      found = text.n && (ho_str_eq(text, main_text) || ho_str_eq(text, all));
      if (found)
        complete_item(r, item, part, !ho_str_eq(text, main_text));
      else
        item = item->next;
    }
    if (found)
      next = item->next;
    else
      leave(r, path, part);
  }
}

static void restore_map(restorer *r, const ho_record *record, ho_node *tree, const ho_node *parts, const ho_path *path)
{
  ho_keyset keys; /* keys added from here on are not searched again */
  ho_keyset_note(&keys, r->arena, tree);
  HO_EACH_CONST (part, parts) {
    const ho_field *field = field_of(record, part->key);
    const ho_record *inner = field ? field->record : NULL;
    const ho_node *items = ho_map_getz(part, items_key);
    ho_node *value = ho_keyset_find(&keys, tree, part->key);
    ho_path at = {path, part->key, 0};
    bool is_list = items && inner && field->type == HO_T_LIST;
    if (is_list && ho_node_is(value, HO_KIND_LIST)) {
      complete_items(r, inner, value, items, &at);
    } else if (is_list && !value) {
      HO_EACH_CONST (each, items)
        leave(r, &at, each);
    } else if (ho_node_is(value, HO_KIND_MAP) && part->kind == HO_KIND_MAP) {
      restore_map(r, inner, value, part, &at);
    } else {
      ho_node *copy = ho_node_copy(r->arena, part);
      if (copy && value)
        ho_node_replace(value, copy);
      else
        ho_list_add(tree, copy);
    }
  }
}

/* Keys of a map, each with the number of children of that key to remove. */
typedef struct leaving {
  ho_node *keys;
  ho_keyset set;
} leaving;

static bool stays(void *world, ho_node *child)
{
  leaving *l = world;
  ho_node *key = ho_keyset_find(&l->set, l->keys, child->key);
  if (!key || !key->count)
    return true;
  key->count--;
  return false;
}

static void split_pointer(const ho_node *pointer, ho_str *parent, ho_str *token)
{
  ho_str text = ho_node_str(pointer);
  size_t slash = text.n;
  while (slash && text.p[slash - 1] != '/')
    slash--;
  *parent = slash ? ho_str_sub(text, 0, slash - 1) : HO_STR("nothing");
  *token = ho_str_sub(text, slash, text.n);
}

/* Removes from a map the children that the pointers name, from the first pointer to the last with the same parent;
 * returns the next pointer. */
static const ho_node *remove_children(ho_node *tree, const ho_node *pointer, ho_arena *arena)
{
  leaving l = {.keys = ho_node_new(arena, HO_KIND_MAP)};
  ho_str parent, other, token;
  split_pointer(pointer, &parent, &token);
  for (; pointer; pointer = pointer->next) {
    split_pointer(pointer, &other, &token);
    if (!ho_str_eq(parent, other))
      break;
    ho_node *key = ho_node_new(arena, HO_KIND_NULL);
    if (!key || !l.keys)
      return NULL;
    key->key = ho_pointer_key(arena, token);
    ho_node *earlier = ho_keyset_add(&l.set, arena, l.keys, key);
    (earlier ? earlier : key)->count++;
  }
  ho_node *map = ho_node_at(tree, parent);
  ho_keyset_note(&l.set, arena, l.keys);
  if (ho_node_is(map, HO_KIND_MAP))
    ho_node_filter(map, stays, &l);
  return pointer;
}

void ho_kept_restore(const ho_format *format, ho_node *tree, const ho_node *kept, ho_node *unplaced, ho_arena *arena)
{
  restorer r = {arena, unplaced};
  const ho_node *fields = ho_map_getz(kept, "fields");
  const ho_node *without = ho_map_getz(kept, "without");
  for (const ho_node *pointer = without ? without->first : NULL; pointer;)
    pointer = remove_children(tree, pointer, arena);
  if (tree && ho_node_is(fields, HO_KIND_MAP))
    restore_map(&r, format->root, tree, fields, NULL);
}
