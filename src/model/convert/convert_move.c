#include "model/convert/convert_move.h"

#include "base/buf.h"

typedef struct mover {
  const ho_format *from, *to;
  const ho_node *tree;
  ho_node *out;
  ho_arena *arena;
  ho_slots sources, targets;
  bool moved[HO_SLOTS_MAX];
} mover;

static bool same_name(const ho_slot *a, const ho_slot *b)
{
  return strcmp(a->name, b->name) == 0 || ho_str_list_has(a->field->aliases, ho_str_of(b->name)) ||
         ho_str_list_has(b->field->aliases, ho_str_of(a->name));
}

/* --- items -------------------------------------------------------------------------------------------------------- */

/* The child of a record that belongs in `field` of another: the one with the same key, else one that either table
 * has as an alias. */
static const ho_node *counterpart(const ho_record *from, const ho_node *item, const ho_field *field, bool aliases,
                                  const ho_field **source)
{
  HO_EACH_CONST (child, item) {
    bool alias;
    const ho_field *each = ho_record_field(from, child->key, &alias);
    if (!each || alias || ho_node_absent(child))
      continue;
    bool fits = ho_str_is(child->key, field->name);
    if (aliases)
      fits = ho_str_list_has(field->aliases, child->key) || ho_str_list_has(each->aliases, ho_str_of(field->name));
    if (fits) {
      *source = each;
      return child;
    }
  }
  return NULL;
}

/* A record in terms of another: main text to main text, the rest by name. NULL if there is no main text. */
static ho_node *move_record(mover *m, const ho_record *from, const ho_node *item, const ho_record *to)
{
  const ho_field *from_main = ho_slots_main(from), *to_main = ho_slots_main(to);
  const ho_node *main_value = from_main ? ho_map_getz(item, from_main->name) : NULL;
  ho_node *map = ho_node_new(m->arena, HO_KIND_MAP);
  if (!to_main || ho_node_empty(main_value))
    return NULL;
  ho_node *value = ho_move_scalar(from_main, to_main, to_main->type, main_value, m->arena);
  if (!value)
    return NULL;
  ho_map_addz(map, to_main->name, value);
  const ho_node *used[HO_SLOTS_MAX] = {main_value};
  size_t count = 1;
  for (int aliases = 0; aliases <= 1; aliases++)
    for (const ho_field *field = to->fields; field->name; field++) {
      const ho_field *source = NULL;
      const ho_node *child = field == to_main || ho_map_getz(map, field->name)
                                 ? NULL
                                 : counterpart(from, item, field, aliases == 1, &source);
      for (size_t i = 0; child && i < count; i++)
        if (used[i] == child)
          child = NULL;
      value = child ? ho_move_scalar(source, field, field->type, child, m->arena) : NULL;
      if (!value)
        continue;
      ho_map_addz(map, field->name, value);
      if (count < HO_SLOTS_MAX)
        used[count++] = child;
    }
  return map;
}

static ho_node *move_item(mover *m, const ho_slot *source, const ho_node *item, const ho_slot *target)
{
  const ho_record *from = source->field->record, *to = target->field->record;
  bool record = target->field->item == HO_T_RECORD;
  if (record && item->kind == HO_KIND_MAP && from)
    return from == to ? ho_node_copy(m->arena, item) : move_record(m, from, item, to);
  ho_str text = item->kind == HO_KIND_MAP && !from ? HO_EMPTY : ho_move_item_text(from, item, m->arena);
  const ho_field *to_main = record ? ho_slots_main(to) : target->field;
  ho_node *plain = ho_node_text(m->arena, text), *value = NULL;
  if (plain && to_main && !ho_str_blank(text))
    value = ho_move_scalar(NULL, to_main, record ? to_main->type : target->field->item, plain, m->arena);
  if (!record || !value)
    return value;
  ho_node *map = ho_node_new(m->arena, HO_KIND_MAP);
  ho_map_addz(map, to_main->name, value);
  return map;
}

/* --- lists as text and back --------------------------------------------------------------------------------------- */

/* The text of a buffer in the arena; a failure of the buffer becomes a failure of the arena. */
static ho_node *taken(mover *m, ho_buf *text)
{
  if (text->failed && !m->arena->failed)
    m->arena->failed = text->failed;
  return ho_node_text(m->arena, ho_arena_copy(m->arena, ho_buf_str(text)));
}

/* The items of a text that is a list of at least two: each "- " begins an item, lines indented by two continue it. */
static ho_node *split(mover *m, ho_str text)
{
  ho_node *list = ho_node_new(m->arena, HO_KIND_LIST);
  ho_str rest = text, line;
  ho_buf item;
  ho_buf_init(&item, 0);
  bool fits = ho_str_starts(text, "- ");
  while (fits && ho_str_next(&rest, '\n', &line)) {
    bool begins = ho_str_starts(line, "- ");
    fits = begins || ho_str_starts(line, "  ");
    if (begins && line.p != text.p)
      ho_list_add(list, taken(m, &item));
    if (begins)
      ho_buf_reset(&item);
    else
      ho_buf_putc(&item, '\n');
    ho_buf_put(&item, ho_str_sub(line, 2, line.n));
  }
  ho_list_add(list, taken(m, &item));
  ho_buf_free(&item);
  return fits && list && list->count > 1 ? list : NULL;
}

static void put_line(ho_buf *out, ho_str text)
{
  ho_buf_puts(out, out->n ? "\n- " : "- ");
  for (size_t i = 0; i < text.n; i++) {
    ho_buf_putc(out, text.p[i]);
    if (text.p[i] == '\n')
      ho_buf_puts(out, "  ");
  }
}

/* Fields that want one thing, not a list. */
static const char singles[] = "immediate_next_action";

/* A list as one text: its first item if only one is wanted, else one item per line. */
static ho_node *join(mover *m, const ho_record *record, const ho_node *list, bool single)
{
  ho_buf text;
  if (list->count == 1 || (single && list->count)) {
    bool map = list->first->kind == HO_KIND_MAP;
    return ho_node_text(m->arena, map && !record ? HO_EMPTY : ho_move_item_text(record, list->first, m->arena));
  }
  ho_buf_init(&text, 0);
  HO_EACH_CONST (item, list)
    if (item->kind != HO_KIND_MAP || record)
      put_line(&text, ho_move_item_text(record, item, m->arena));
  ho_node *node = taken(m, &text);
  ho_buf_free(&text);
  return node;
}

/* --- slots -------------------------------------------------------------------------------------------------------- */

static bool put_list(mover *m, const ho_slot *source, const ho_node *value, const ho_slot *target)
{
  ho_node *list = ho_slot_get(target, m->out), *one = ho_node_new(m->arena, HO_KIND_LIST);
  ho_node *fresh = list ? list : ho_node_new(m->arena, HO_KIND_LIST);
  const ho_node *items = value;
  if (value->kind == HO_KIND_TEXT)
    items = split(m, value->text);
  if (!items || items->kind != HO_KIND_LIST) {
    ho_list_add(one, ho_node_copy(m->arena, value));
    items = one;
  }
  bool any = false;
  HO_EACH_CONST (item, items) {
    if (!fresh || (target->field->max && fresh->count >= target->field->max))
      break;
    ho_node *moved = move_item(m, source, item, target);
    if (moved)
      moved->key = HO_EMPTY;
    any = ho_list_add(fresh, moved) || any;
  }
  if (any && !list)
    ho_slot_set(target, m->out, fresh, m->arena);
  return any;
}

static bool put_scalar(mover *m, const ho_slot *source, const ho_node *value, const ho_slot *target)
{
  const ho_field *from = source->field;
  if (ho_slot_get(target, m->out))
    return false;
  const ho_node *text = value;
  if (value->kind == HO_KIND_LIST && target->field->type == HO_T_TEXT && !target->field->choices) {
    text = join(m, from->record, value, ho_str_list_has(singles, ho_str_of(target->name)));
    from = NULL;
  }
  ho_node *moved =
      ho_node_empty(text) ? NULL : ho_move_scalar(from, target->field, target->field->type, text, m->arena);
  if (moved)
    ho_slot_set(target, m->out, moved, m->arena);
  return moved != NULL;
}

static bool put(mover *m, const ho_slot *source, const ho_node *value, const ho_slot *target)
{
  if (source->field->type == HO_T_ANY || target->field->type == HO_T_ANY) /* nobody knows what they hold */
    return source->field->type == target->field->type && put_scalar(m, source, value, target);
  if (target->field->type == HO_T_LIST)
    return put_list(m, source, value, target);
  return put_scalar(m, source, value, target);
}

static bool is_list(const ho_slot *slot)
{
  return slot->field->type == HO_T_LIST;
}

/* Tries the targets with the same role and kin: first lists for lists and texts for texts, and among those the top
 * level of a document before its parts. */
static bool place(mover *m, const ho_slot *source, const ho_node *value, ho_role role, bool named)
{
  for (unsigned turn = 0; turn < 2 * HO_SLOT_DEPTH; turn++)
    for (size_t i = 0; i < m->targets.count; i++) {
      const ho_slot *target = &m->targets.items[i];
      bool other_shape = is_list(source) != is_list(target);
      if (other_shape != (turn >= HO_SLOT_DEPTH) || target->depth != turn % HO_SLOT_DEPTH + 1 ||
          ho_slot_role(m->to, target, m->out) != role || strcmp(source->kin, target->kin) != 0 ||
          (named && !same_name(source, target)))
        continue;
      if (put(m, source, value, target))
        return true;
    }
  return false;
}

/* The target may state the outcome in several places: each gets its own word for it. */
static void move_outcome(mover *m, bool named)
{
  for (size_t t = 0; t < m->targets.count; t++)
    for (size_t s = 0; s < m->sources.count; s++) {
      const ho_slot *source = &m->sources.items[s], *target = &m->targets.items[t];
      if (source->role != HO_ROLE_OUTCOME || target->role != HO_ROLE_OUTCOME || (named && !same_name(source, target)))
        continue;
      const ho_node *value = ho_slot_get(source, m->tree); /* only now: it searches the document */
      if (!ho_node_empty(value))
        put(m, source, value, target);
    }
}

static void move_rest(mover *m, bool named)
{
  for (size_t s = 0; s < m->sources.count; s++) {
    const ho_slot *source = &m->sources.items[s];
    ho_role role = ho_slot_role(m->from, source, m->tree);
    const ho_node *value = ho_slot_get(source, m->tree);
    if (role != HO_ROLE_OUTCOME && !m->moved[s] && !ho_node_empty(value))
      m->moved[s] = place(m, source, value, role, named);
  }
}

ho_node *ho_move(const ho_format *from, const ho_node *tree, const ho_format *to, ho_arena *arena)
{
  mover *m = HO_NEW(arena, mover);
  if (!m)
    return NULL;
  *m = (mover){.from = from, .to = to, .tree = tree, .arena = arena, .out = ho_node_new(arena, HO_KIND_MAP)};
  ho_slots_of(from, &m->sources);
  ho_slots_of(to, &m->targets);
  move_outcome(m, true);
  move_outcome(m, false);
  move_rest(m, true);
  move_rest(m, false);
  return m->out;
}
