#include "base/term.h"
#include "command/documents/show.h"
#include "command/wrap.h"

void ho_show_label(ho_buf *out, const ho_record *record, const ho_node *child)
{
  bool alias;
  const ho_field *field = record ? ho_record_field(record, child->key, &alias) : NULL;
  if (field && field->label) {
    ho_buf_puts(out, field->label);
    return;
  }
  for (size_t i = 0; i < child->key.n; i++) {
    char c = child->key.p[i];
    ho_buf_putc(out, i == 0 ? (char)toupper((unsigned char)c) : c == '_' ? ' ' : c);
  }
}

const ho_record *ho_show_record(const ho_record *record, const ho_node *child)
{
  bool alias;
  const ho_field *field = record ? ho_record_field(record, child->key, &alias) : NULL;
  return field ? field->record : NULL;
}

typedef struct page {
  ho_buf *out;
  size_t width;
} page;

static void put_map(page *p, const ho_record *record, const ho_node *map, const ho_node *without, size_t indent);

bool ho_show_is_nested(const ho_node *node)
{
  return (node->kind == HO_KIND_LIST || node->kind == HO_KIND_MAP) && node->count > 0;
}

static ho_str scalar_text(const ho_node *node)
{
  if (node->kind == HO_KIND_LIST || node->kind == HO_KIND_MAP || node->kind == HO_KIND_NULL)
    return HO_STR("–");
  return node->text.n ? node->text : HO_STR("–");
}

/* A fact that fits on a line of its own. */
static bool is_short(const page *p, const ho_node *node)
{
  return !ho_show_is_nested(node) && node->text.n < p->width / 2 && ho_str_find_char(node->text, '\n') == HO_NONE;
}

const ho_node *ho_show_main(const ho_record *record, const ho_node *map)
{
  const ho_node *node = record && record->scalar ? ho_map_getz(map, record->scalar) : NULL;
  if (ho_node_is(node, HO_KIND_TEXT))
    return node;
  HO_EACH_CONST (child, map)
    if (child->kind == HO_KIND_TEXT && !ho_str_is(child->key, "id"))
      return child;
  return NULL;
}

static void put_items(page *p, const ho_record *record, const ho_node *list, size_t indent)
{
  HO_EACH_CONST (item, list) {
    const ho_node *about = item->kind == HO_KIND_MAP ? ho_show_main(record, item) : NULL;
    ho_buf_fill(p->out, ' ', indent);
    ho_buf_puts(p->out, "• ");
    if (about) {
      ho_wrap_to(p->out, about->text, p->width, indent + 2, indent + 2);
      put_map(p, record, item, about, indent + 2);
    } else if (ho_show_is_nested(item)) {
      ho_buf_putc(p->out, '\n');
      if (item->kind == HO_KIND_MAP)
        put_map(p, record, item, NULL, indent + 2);
      else
        put_items(p, record, item, indent + 2);
    } else {
      ho_wrap_to(p->out, scalar_text(item), p->width, indent + 2, indent + 2);
    }
  }
}

/* The cells that the label takes. */
static size_t put_label(page *p, const ho_record *record, const ho_node *child)
{
  ho_buf label;
  ho_buf_init(&label, 0);
  ho_show_label(&label, record, child);
  size_t width = ho_term_cells(ho_buf_str(&label));
  ho_term_put(p->out, ho_buf_str(&label), HO_TERM_LINE);
  ho_buf_free_into(&label, p->out);
  return width;
}

/* The value of a field below its label, which stands on a line of its own. */
static void put_below(page *p, const ho_record *record, const ho_node *child, size_t indent)
{
  if (!ho_show_is_nested(child))
    ho_wrap_to(p->out, scalar_text(child), p->width, indent, 0);
  else if (child->kind == HO_KIND_MAP)
    put_map(p, ho_show_record(record, child), child, NULL, indent);
  else
    put_items(p, ho_show_record(record, child), child, indent);
}

bool ho_show_is_loose(const ho_node *node)
{
  return node->kind == HO_KIND_TEXT &&
         ho_str_list_has("x_text|x_preamble|x_before_title|x_phases_intro|x_handoff_text", node->key);
}

static void put_field(page *p, const ho_record *record, const ho_node *child, size_t indent)
{
  if (ho_show_is_loose(child)) {
    ho_wrap_to(p->out, child->text, p->width, indent, 0);
    return;
  }
  ho_buf_fill(p->out, ' ', indent);
  size_t width = put_label(p, record, child);
  if (ho_show_is_nested(child) || ho_str_find_char(ho_str_trim_end(child->text), '\n') != HO_NONE) {
    ho_buf_puts(p->out, ":\n");
    put_below(p, record, child, indent + 2);
  } else {
    ho_buf_puts(p->out, ": ");
    ho_wrap_to(p->out, scalar_text(child), p->width, indent + 2, indent + width + 2);
  }
}

/* Every field but `without`, which was shown already. */
static void put_map(page *p, const ho_record *record, const ho_node *map, const ho_node *without, size_t indent)
{
  HO_EACH_CONST (child, map)
    if (child != without)
      put_field(p, record, child, indent);
}

/* Sections that the format does not know keep their own headings. */
static void put_kept_sections(page *p, const ho_node *sections)
{
  HO_EACH_CONST (section, sections) {
    ho_buf_putc(p->out, '\n');
    ho_wrap_to(p->out, ho_map_str(section, "heading"), p->width, 0, 0);
    ho_wrap_to(p->out, ho_map_str(section, "text"), p->width, 2, 0);
  }
}

void ho_show_text(ho_buf *out, const ho_format *format, const ho_node *root, size_t columns)
{
  page p = {out, columns ? columns : HO_TEXT_WIDTH};
  ho_buf_printf(out, "%s\n\n", format->title);
  HO_EACH_CONST (child, root)
    if (is_short(&p, child))
      put_field(&p, format->root, child, 0);
  HO_EACH_CONST (child, root) {
    if (is_short(&p, child))
      continue;
    if (ho_str_is(child->key, "x_sections")) {
      put_kept_sections(&p, child);
      continue;
    }
    ho_buf_putc(out, '\n');
    if (!ho_show_is_loose(child)) {
      put_label(&p, format->root, child);
      ho_buf_putc(out, '\n');
    }
    put_below(&p, format->root, child, ho_show_is_loose(child) ? 0 : 2);
  }
}
