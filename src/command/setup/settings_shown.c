#include "command/setup/settings_shown.h"

#include "base/limits.h"
#include "command/wrap.h"
#include "doc/yaml/yaml.h"

static ho_str default_limit(ho_arena *arena, const char *name)
{
  for (const ho_limit *limit = ho_limits; limit->name; limit++)
    if (strcmp(limit->name, name) == 0)
      return ho_arena_printf(arena, "%zu", limit->value);
  return HO_EMPTY;
}

void ho_settings_shown_each(const ho_record *root, ho_arena *arena,
                            void (*visit)(void *world, ho_str name, const ho_field *field, ho_str fallback),
                            void *world)
{
  for (const ho_field *field = root->fields; field->name; field++) {
    if (field->type != HO_T_RECORD) {
      visit(world, ho_str_of(field->name), field, ho_str_of(field->fallback));
      continue;
    }
    for (const ho_field *inner = field->record->fields; inner->name; inner++) {
      ho_str fallback = inner->fallback ? ho_str_of(inner->fallback) : default_limit(arena, inner->name);
      visit(world, ho_arena_printf(arena, "%s.%s", field->name, inner->name), inner, fallback);
    }
  }
}

ho_node *ho_settings_shown_value(ho_arena *arena, ho_type type, ho_str text)
{
  ho_node *node = ho_node_text(arena, text);
  if (node && (type == HO_T_INT || type == HO_T_NUMBER))
    node->kind = HO_KIND_NUMBER;
  else if (node && type == HO_T_BOOL)
    node->kind = HO_KIND_BOOL;
  return node;
}

static ho_node *example(ho_arena *arena, const ho_field *field, ho_type type);

static ho_node *example_record(ho_arena *arena, const ho_record *record)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  for (const ho_field *field = record->fields; field->name; field++)
    if (field->example || field->fallback) {
      ho_field shown = *field;
      ho_str limit = ho_str_is(ho_str_of(record->name), "limits") ? default_limit(arena, field->name) : HO_EMPTY;
      if (limit.n)
        shown.example = limit.p;
      else if (field->fallback)
        shown.example = field->fallback;
      ho_map_addz(map, field->name, example(arena, &shown, field->type));
    }
  return map;
}

/* Records of settings do not hold themselves, so the depth is the table's own. */
static ho_node *example(ho_arena *arena, const ho_field *field, ho_type type)
{
  if (type == HO_T_RECORD)
    return example_record(arena, field->record);
  if (type == HO_T_LIST) {
    ho_node *list = ho_node_new(arena, HO_KIND_LIST);
    ho_list_add(list, example(arena, field, field->item));
    return list;
  }
  return ho_settings_shown_value(arena, type, ho_str_of(field->example));
}

static void put_commented(ho_buf *out, ho_str text, bool always)
{
  ho_str line;
  while (ho_str_next_line(&text, &line))
    ho_buf_printf(out, "%s%.*s\n", always ? "# " : "", HO_ARG(line));
}

/* The field's sentences and choices as comments. */
static void put_doc(ho_buf *out, const ho_field *field)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_wrap(&text, ho_str_of(field->doc), 0, 0);
  for (const ho_choice *choice = field->choices; choice && choice->value; choice++)
    ho_buf_printf(&text, "  %s: %s\n", choice->value, choice->doc ? choice->doc : "");
  put_commented(out, ho_buf_str(&text), true);
  ho_buf_free_into(&text, out);
}

/* The field with its default, or commented out with an example. */
static void put_setting(ho_buf *out, ho_arena *arena, const ho_field *field)
{
  ho_buf text;
  ho_field shown = *field;
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  if (field->fallback)
    shown.example = field->fallback;
  ho_map_addz(map, field->name, example(arena, &shown, field->type));
  ho_buf_init(&text, 0);
  ho_yaml_write(&text, map);
  put_commented(out, ho_buf_str(&text), !field->fallback);
  ho_buf_free_into(&text, out);
}

void ho_settings_shown_write(const ho_record *root, ho_buf *out, ho_arena *arena)
{
  ho_buf_puts(
      out,
      "# Settings of this project for handoff. Every key is optional; 'handoff config' shows the values in use.\n");
  for (const ho_field *field = root->fields; field->name; field++) {
    ho_buf_putc(out, '\n');
    put_doc(out, field);
    put_setting(out, arena, field);
  }
}
