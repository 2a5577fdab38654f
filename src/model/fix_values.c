/* Values that are understood, in the form that their table wants. */
#include "base/fs.h"
#include "doc/keyset.h"
#include "model/fix_parts.h"

/* 2026-02-12 14:30 → 2026-02-12T14:30:00Z. A day alone stays one, and so does what tells two of one day apart. */
static ho_str fix_time(ho_str text, ho_arena *arena)
{
  char stamp[17];
  if (text.n < 13 || !ho_stamp_read(text, stamp, NULL))
    return text;
  for (size_t i = 0; i < text.n; i++)
    if (!strchr("0123456789-:.,+TtZz _", text.p[i]))
      return text;
  return ho_arena_printf(arena, "%.4s-%.2s-%.2sT%.2s:%.2s:%.2sZ", stamp, stamp + 4, stamp + 6, stamp + 9, stamp + 11,
                         stamp + 13);
}

static ho_str fix_stamp(ho_str text, ho_arena *arena)
{
  char stamp[17];
  return ho_stamp_read(text, stamp, NULL) ? ho_arena_copy(arena, ho_str_of(stamp)) : text;
}

/* L45-L67 → 45-67, 45 → 45-45. */
static ho_str fix_lines(ho_str text, ho_arena *arena)
{
  ho_str numbers[2] = {{NULL, 0}, {NULL, 0}};
  size_t count = 0;
  for (size_t i = 0; i < text.n; i++) {
    if (!isdigit((unsigned char)text.p[i]))
      continue;
    size_t from = i;
    while (i < text.n && isdigit((unsigned char)text.p[i]))
      i++;
    if (count == 2)
      return text;
    numbers[count++] = ho_str_sub(text, from, i);
  }
  if (count == 0 || ho_str_find_char(text, ',') != HO_NONE)
    return ho_str_is_nocase(text, "all") ? HO_STR("all") : text;
  return ho_arena_printf(arena, "%.*s-%.*s", HO_ARG(numbers[0]), HO_ARG(numbers[count - 1]));
}

/* "Error Handling" → error-handling. */
static ho_str fix_words(ho_str text, char between, ho_arena *arena)
{
  char *out = ho_arena_alloc(arena, text.n + 1);
  size_t n = 0;
  for (size_t i = 0; out && i < text.n; i++) {
    unsigned char c = (unsigned char)text.p[i];
    if (isalnum(c))
      out[n++] = (char)tolower(c);
    else if (c > 127 || strchr("+#&", c)) /* more than a joint */
      return text;
    else if (n && out[n - 1] != between)
      out[n++] = between;
  }
  while (n && out[n - 1] == between)
    n--;
  return out && n ? (ho_str){out, n} : text;
}

/* The end of a path from elsewhere, of two names at least, that is there in the project; "" if there is none. */
static ho_str find_inside(ho_str path, const ho_check_env *env)
{
  for (size_t at = ho_str_find_char(path, '/'); env->exists && at != HO_NONE; at = ho_str_find_char(path, '/')) {
    path = ho_str_sub(path, at + 1, path.n);
    if (ho_str_find_char(path, '/') != HO_NONE && ho_syntax_RELATIVE.matches(path) && env->exists(env->world, path))
      return path;
  }
  return HO_EMPTY;
}

static ho_str fix_relative(ho_str text, const ho_fix_env *env, ho_arena *arena)
{
  if (ho_str_starts(text, "/")) {
    ho_str inside = env->root.n ? ho_fs_relative(env->root, text) : text;
    if (ho_str_starts(inside, "/"))
      inside = find_inside(text, &env->check);
    return inside.n ? inside : text;
  }
  if (!ho_syntax_RELATIVE.understood(text))
    return text;
  ho_str copy = ho_arena_copy(arena, text);
  for (size_t i = 0; i < copy.n; i++)
    if (copy.p[i] == '\\')
      ((char *)copy.p)[i] = '/';
  ho_str joined = ho_fs_join(arena, HO_STR("/"), copy);
  return joined.n > 1 ? ho_str_sub(joined, 1, joined.n) : text;
}

/* Only what the syntax then accepts is taken. */
static void fix_text(const ho_syntax *syntax, ho_node *node, const ho_fix_env *env, ho_arena *arena)
{
  ho_str text = ho_str_trim(node->text), made = text;
  if (!syntax || node->kind != HO_KIND_TEXT || !node->text.n || syntax->matches(node->text))
    return;
  if (syntax == &ho_syntax_TIME)
    made = fix_time(text, arena);
  else if (syntax == &ho_syntax_STAMP)
    made = fix_stamp(text, arena);
  else if (syntax == &ho_syntax_LINES && syntax->understood(text))
    made = fix_lines(text, arena);
  else if (syntax == &ho_syntax_TAG && syntax->understood(text))
    made = fix_words(text, '-', arena);
  else if (syntax == &ho_syntax_SLUG && syntax->understood(text))
    made = fix_words(text, '_', arena);
  else if (syntax == &ho_syntax_RELATIVE)
    made = fix_relative(text, env, arena);
  if (syntax->matches(made))
    node->text = made;
}

/* What is beyond a list's limit goes beside it. */
static void limit_list(const ho_field *field, ho_node *map, ho_node *list, ho_arena *arena)
{
  if (!field->max || list->count <= field->max)
    return;
  ho_str key = ho_arena_printf(arena, "x_%s_further", field->name);
  ho_node *further = ho_map_get(map, key), *next;
  if (!ho_node_is(further, HO_KIND_LIST))
    further = ho_map_add(map, key, ho_node_new(arena, HO_KIND_LIST));
  for (ho_node *item = ho_list_at(list, field->max); item; item = next) {
    next = item->next;
    ho_node_remove(list, item);
    item->next = NULL;
    ho_list_add(further, item);
  }
}

static void fix_value(const ho_field *field, ho_node *node, const ho_fix_env *env, ho_arena *arena)
{
  if (node->kind == HO_KIND_TEXT)
    fix_text(field->syntax, node, env, arena);
  else if (node->kind == HO_KIND_MAP && field->record)
    ho_fix_values(field->record, node, env, arena);
}

void ho_fix_values(const ho_record *record, ho_node *map, const ho_fix_env *env, ho_arena *arena)
{
  for (const ho_field *field = record->fields; field->name; field++) {
    ho_node *node = ho_map_getz(map, field->name);
    if (!node)
      continue;
    if (field->type == HO_T_LIST && node->kind == HO_KIND_LIST) {
      limit_list(field, map, node, arena);
      HO_EACH (item, node)
        fix_value(field, item, env, arena);
    } else {
      fix_value(field, node, env, arena);
    }
  }
}

/* A key that stands twice: the later ones become x_KEY_2, x_KEY_3, … */
void ho_fix_duplicates(ho_node *node, ho_arena *arena, int depth)
{
  ho_keyset set = {0};
  ho_node *child = node->first, *next;
  unsigned number = 1;
  if (depth <= 0 || (node->kind != HO_KIND_MAP && node->kind != HO_KIND_LIST))
    return;
  node->first = node->last = NULL;
  node->count = 0;
  for (; child; child = next) {
    next = child->next;
    child->next = NULL;
    ho_fix_duplicates(child, arena, depth - 1);
    ho_list_add(node, child);
    if (node->kind == HO_KIND_MAP && ho_keyset_earlier(&set, arena, node))
      child->key = ho_arena_printf(arena, "x_%.*s_%u", HO_ARG(child->key), ++number);
  }
}
