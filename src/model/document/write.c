#include "model/document/write.h"

#include "doc/json/json.h"
#include "doc/yaml/yaml.h"

enum { TEMPLATE_DEPTH = 8 };

ho_node *ho_doc_wrap(const ho_format *format, const ho_node *root, ho_arena *arena)
{
  ho_node *inside = HO_NEW(arena, ho_node);
  if (!inside)
    return NULL;
  *inside = *root;
  inside->next = NULL;
  if (!format->wrapper)
    return inside;
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  ho_map_addz(map, format->wrapper, inside);
  return map;
}

ho_code ho_doc_write(const ho_format *format, const ho_node *root, ho_encoding encoding, ho_buf *out, ho_error *err)
{
  if (!root) /* built in an arena that ran out of memory */
    return ho_fail_memory(err);
  if (encoding == HO_MARKDOWN) {
    if (!format->write_markdown)
      return ho_fail(err, HO_USAGE, "%s has no Markdown form; use yaml or json", format->name);
    format->write_markdown(format, root, out);
    return ho_buf_code(out, err);
  }
  ho_arena arena;
  ho_arena_init(&arena, 0);
  const ho_node *document = ho_doc_wrap(format, root, &arena);
  ho_code code = ho_arena_code(&arena, err);
  if (!code && encoding == HO_JSON) {
    ho_json_write(out, document, 2);
    ho_buf_putc(out, '\n');
  } else if (!code) {
    ho_yaml_write(out, document);
  }
  ho_arena_free(&arena);
  return code ? code : ho_buf_code(out, err);
}

/* "{a | b | c}" for choices, "{what it is}" for everything else; ended by "(required)" if it is. */
static ho_node *placeholder(const ho_field *field, ho_arena *arena)
{
  ho_str text = HO_STR("{");
  for (const ho_choice *choice = field->choices; choice && choice->value; choice++)
    text = ho_arena_printf(arena, "%.*s%s%s", HO_ARG(text), choice == field->choices ? "" : " | ", choice->value);
  if (!field->choices) {
    ho_str doc = ho_str_of(field->doc ? field->doc : field->name);
    if (ho_str_ends(doc, "."))
      doc.n--;
    text = ho_arena_printf(arena, "{%.*s", HO_ARG(doc));
  }
  bool required = field->flags & HO_REQUIRED;
  return ho_node_text(arena, ho_arena_printf(arena, "%.*s%s}", HO_ARG(text), required ? " (required)" : ""));
}

static ho_node *template_of(const ho_record *record, ho_arena *arena, int depth);

static ho_node *template_value(const ho_field *field, ho_type type, ho_arena *arena, int depth)
{
  if (type == HO_T_RECORD)
    return template_of(field->record, arena, depth + 1);
  if (type != HO_T_LIST)
    return placeholder(field, arena);
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  ho_list_add(list, template_value(field, field->item, arena, depth));
  return list;
}

/* The fields that an author is meant to fill in: the required ones, and those that show how. */
static bool in_template(const ho_field *field)
{
  if (field->flags & (HO_REQUIRED | HO_EXPECTED))
    return true;
  return field->type != HO_T_ANY && !(field->flags & HO_GENERATED) && !field->home && (field->example || field->record);
}

static ho_node *template_of(const ho_record *record, ho_arena *arena, int depth)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  if (depth > TEMPLATE_DEPTH)
    return map;
  for (const ho_field *field = record->fields; field->name; field++)
    if (in_template(field))
      ho_map_addz(map, field->name, template_value(field, field->type, arena, depth));
  return map;
}

ho_node *ho_doc_template(const ho_format *format, ho_arena *arena)
{
  return template_of(format->root, arena, 0);
}
