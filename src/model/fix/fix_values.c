/* Rewrites values that were understood into the form that their table wants. */
#include "base/fs.h"
#include "base/limits.h"
#include "doc/keyset.h"
#include "model/fix/fix_parts.h"

typedef struct fixer {
  const ho_fix_env *env;
  ho_arena *arena;
  ho_str elsewhere; /* the project's folder when the document was written; "" if unknown */
  bool shortened;   /* a path was cut at that folder */
} fixer;

/* The fraction of a second with its point, or "": what follows a complete time of day. */
static ho_str fraction_of(ho_str text)
{
  size_t point = ho_str_find_char(text, '.'), end = point + 1;
  if (point == HO_NONE || point < 15)
    return HO_EMPTY;
  while (end < text.n && isdigit((unsigned char)text.p[end]))
    end++;
  return end > point + 1 ? ho_str_sub(text, point, end) : HO_EMPTY;
}

/* 2026-02-12 14:30 → 2026-02-12T14:30:00Z. A day without a time stays as it is, and so does a suffix that
 * distinguishes two of the same day. */
static ho_str fix_time(ho_str text, ho_arena *arena)
{
  char stamp[17];
  if (text.n < 13 || !ho_stamp_read(text, stamp, NULL))
    return text;
  for (size_t i = 0; i < text.n; i++)
    if (!strchr("0123456789-:.,+TtZz _", text.p[i]))
      return text;
  ho_str fraction = fraction_of(text);
  return ho_arena_printf(arena, "%.4s-%.2s-%.2sT%.2s:%.2s:%.2s%.*sZ", stamp, stamp + 4, stamp + 6, stamp + 9,
                         stamp + 11, stamp + 13, HO_ARG(fraction));
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
    else if (c > 127 || strchr("+#&", c)) /* more than a separator */
      return text;
    else if (n && out[n - 1] != between)
      out[n++] = between;
  }
  while (n && out[n - 1] == between)
    n--;
  return out && n ? (ho_str){out, n} : text;
}

/* The longest tail of a path from elsewhere, of at least two names, that exists in the project; "" if there is none. */
static ho_str find_inside(ho_str path, const ho_check_env *env)
{
  for (size_t at = ho_str_find_char(path, '/'); env->exists && at != HO_NONE; at = ho_str_find_char(path, '/')) {
    path = ho_str_sub(path, at + 1, path.n);
    if (ho_str_find_char(path, '/') != HO_NONE && ho_syntax_RELATIVE.matches(path) && env->exists(env->world, path))
      return path;
  }
  return HO_EMPTY;
}

/* An absolute path, or one in somebody's home. */
static bool is_away(ho_str path)
{
  return ho_str_starts(path, "/") || ho_str_starts(path, "~/");
}

/* The project's folder when the document was written: what precedes the specs folder in one of its absolute paths;
 * "" if unknown. */
static ho_str find_elsewhere(const ho_node *node, int depth)
{
  ho_str text = ho_str_trim(ho_node_str(node)), found = HO_EMPTY;
  size_t at = is_away(text) ? ho_str_find(text, "/specs/") : HO_NONE;
  if (at != HO_NONE && ho_syntax_RELATIVE.matches(ho_str_sub(text, at + 1, text.n)))
    return ho_str_sub(text, 0, at);
  if (depth > 0)
    HO_EACH_CONST (child, node) {
      found = find_elsewhere(child, depth - 1);
      if (found.n)
        break;
    }
  return found;
}

/* A path relative to a folder; "" if it is not below it. */
static ho_str path_under(ho_str folder, ho_str path)
{
  bool under =
      folder.n && path.n > folder.n + 1 && path.p[folder.n] == '/' && ho_str_eq(ho_str_sub(path, 0, folder.n), folder);
  return under ? ho_str_sub(path, folder.n + 1, path.n) : HO_EMPTY;
}

static ho_str fix_relative(fixer *f, ho_str text)
{
  if (is_away(text)) {
    ho_str inside = f->env->root.n ? ho_fs_relative(f->env->root, text) : text;
    if (is_away(inside))
      inside = find_inside(text, &f->env->check);
    if (!inside.n) {
      inside = path_under(f->elsewhere, text);
      f->shortened |= inside.n > 0;
    }
    return inside.n ? inside : text;
  }
  if (!ho_syntax_RELATIVE.understood(text))
    return text;
  ho_str copy = ho_arena_copy(f->arena, text);
  for (size_t i = 0; i < copy.n; i++)
    if (copy.p[i] == '\\')
      ((char *)copy.p)[i] = '/';
  ho_str joined = ho_fs_join(f->arena, HO_STR("/"), copy);
  return joined.n > 1 ? ho_str_sub(joined, 1, joined.n) : text;
}

/* Only accepts a result that satisfies the syntax. */
static void fix_text(fixer *f, const ho_syntax *syntax, ho_node *node)
{
  ho_str text = ho_str_trim(node->text), made = text;
  if (!syntax || node->kind != HO_KIND_TEXT || !node->text.n || syntax->matches(node->text))
    return;
  if (syntax == &ho_syntax_TIME)
    made = fix_time(text, f->arena);
  else if (syntax == &ho_syntax_STAMP)
    made = fix_stamp(text, f->arena);
  else if (syntax == &ho_syntax_LINES && syntax->understood(text))
    made = fix_lines(text, f->arena);
  else if (syntax == &ho_syntax_TAG && syntax->understood(text))
    made = fix_words(text, '-', f->arena);
  else if (syntax == &ho_syntax_SLUG && syntax->understood(text))
    made = fix_words(text, '_', f->arena);
  else if (syntax == &ho_syntax_RELATIVE)
    made = fix_relative(f, text);
  if (syntax->matches(made))
    node->text = made;
}

/* Items beyond a list's limit go beside it. */
static void limit_list(const ho_field *field, ho_node *map, ho_node *list, ho_arena *arena)
{
  if (!field->max || list->count <= field->max)
    return;
  ho_node *further = ho_fix_further(map, field, arena), *next;
  for (ho_node *item = ho_list_at(list, field->max); item; item = next) {
    next = item->next;
    ho_node_remove(list, item);
    item->next = NULL;
    ho_list_add(further, item);
  }
}

/* The start of the character that contains byte n. */
static size_t character_at(ho_str text, size_t n)
{
  while (n && n < text.n && ((unsigned char)text.p[n] & 0xC0) == 0x80)
    n--;
  return n;
}

/* The length of the longest beginning, up to the end of a sentence or else of a word, that has at most this many
 * tokens. */
static size_t fitting(const fixer *f, ho_str text, size_t most)
{
  size_t low = 0, high = text.n;
  while (low < high) { /* find the longest beginning that fits */
    size_t middle = low + (high - low + 1) / 2;
    if (ho_tokens_count(f->env->check.tokens, ho_str_sub(text, 0, character_at(text, middle))) <= most)
      low = middle;
    else
      high = middle - 1;
  }
  for (size_t i = low; i > low / 2; i--)
    if (i < text.n && (text.p[i] == '\n' || (text.p[i] == ' ' && strchr(".!?", text.p[i - 1]))))
      return i;
  for (size_t i = low; i > low / 2; i--)
    if (i < text.n && text.p[i] == ' ')
      return i;
  return character_at(text, low);
}

/* The end of a text with too many tokens goes beside it. */
static void limit_tokens(const fixer *f, const ho_field *field, ho_node *map, ho_node *node)
{
  if (!field->max_tokens || node->kind != HO_KIND_TEXT ||
      ho_tokens_count(f->env->check.tokens, node->text) <= field->max_tokens)
    return;
  ho_str key = ho_arena_printf(f->arena, "x_%s_further", field->name), text = node->text;
  size_t n = fitting(f, text, field->max_tokens);
  ho_str before = ho_node_str(ho_map_get(map, key)), rest = ho_str_trim(ho_str_sub(text, n, text.n));
  if (before.n)
    rest = ho_arena_printf(f->arena, "%.*s\n%.*s", HO_ARG(rest), HO_ARG(before));
  node->text = ho_str_trim_end(ho_str_sub(text, 0, n));
  ho_map_set(map, key, ho_node_text(f->arena, rest));
}

static void fix_record(fixer *f, const ho_record *record, ho_node *map, bool item);

/* `- watch out: the limit is 100` for a record that needs a main text and has a single, unknown key: the whole pair
 * was meant as the text. */
static void join_pair(const fixer *f, const ho_record *record, ho_node *map)
{
  const ho_field *main_field = record->scalar ? ho_record_fieldz(record, record->scalar) : NULL;
  ho_node *only = map->count == 1 ? map->first : NULL;
  bool alias, free = main_field && main_field->type == HO_T_TEXT && !main_field->syntax && !main_field->choices;
  if (!free || !(main_field->flags & HO_REQUIRED) || !ho_node_is(only, HO_KIND_TEXT) ||
      ho_record_field(record, only->key, &alias) || ho_key_is_extra(only->key))
    return;
  ho_str text = ho_arena_printf(f->arena, "%.*s: %.*s", HO_ARG(only->key), HO_ARG(only->text));
  ho_node_remove(map, only);
  ho_map_addz(map, record->scalar, ho_node_text(f->arena, text));
}

static void fix_value(fixer *f, const ho_field *field, ho_node *node, bool item)
{
  if (node->kind == HO_KIND_TEXT)
    fix_text(f, field->syntax, node);
  else if (node->kind == HO_KIND_MAP && field->record) {
    join_pair(f, field->record, node);
    fix_record(f, field->record, node, item);
  }
}

/* Moves a field into the record beside it where it belongs, unless that record already has it. */
static void bring_home(const ho_record *record, ho_node *map, ho_arena *arena)
{
  for (const ho_field *field = record->fields; field->name; field++) {
    ho_node *node = field->home ? ho_map_getz(map, field->name) : NULL;
    if (ho_node_absent(node))
      continue;
    ho_node *home = ho_map_getz(map, field->home);
    if (!home)
      home = ho_map_addz(map, field->home, ho_node_new(arena, HO_KIND_MAP));
    if (!ho_node_is(home, HO_KIND_MAP) || !ho_node_absent(ho_map_getz(home, field->name)))
      continue;
    ho_node_remove(map, node);
    node->next = NULL;
    ho_map_set(home, node->key, node);
  }
}

static void fix_record(fixer *f, const ho_record *record, ho_node *map, bool item)
{
  for (const ho_field *field = record->fields; field->name; field++) {
    ho_node *node = ho_map_getz(map, field->name);
    if (!node)
      continue;
    if (field->type == HO_T_LIST && node->kind == HO_KIND_LIST) {
      limit_list(field, map, node, f->arena);
      HO_EACH (each, node)
        fix_value(f, field, each, true);
    } else {
      fix_value(f, field, node, false);
      ho_fix_choice(field, map, node, f->arena);
      limit_tokens(f, field, map, node);
    }
    ho_fix_aside(record, field, map, item, f->arena);
  }
}

void ho_fix_values(const ho_record *record, ho_node *map, const ho_fix_env *env, ho_arena *arena)
{
  fixer f = {env, arena, find_elsewhere(map, HO_LIMIT_DEPTH), false};
  bring_home(record, map, arena);
  fix_record(&f, record, map, false);
  if (f.shortened && !ho_map_getz(map, "x_root")) /* so that nothing is lost */
    ho_map_addz(map, "x_root", ho_node_text(arena, f.elsewhere));
}

/* A key that occurs more than once: the later ones become x_KEY_2, x_KEY_3, … */
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
