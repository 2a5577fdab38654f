#include "base/term.h"
#include "command/show.h"
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

static void put_map(ho_buf *out, const ho_record *record, const ho_node *map, size_t indent, bool hanging);

static bool is_nested(const ho_node *node)
{
  return (node->kind == HO_KIND_LIST || node->kind == HO_KIND_MAP) && node->count > 0;
}

static ho_str scalar_text(const ho_node *node)
{
  if (node->kind == HO_KIND_LIST || node->kind == HO_KIND_MAP || node->kind == HO_KIND_NULL)
    return HO_STR("–");
  return node->text.n ? node->text : HO_STR("–");
}

static void put_items(ho_buf *out, const ho_record *record, const ho_node *list, size_t indent)
{
  HO_EACH_CONST (item, list) {
    ho_buf_fill(out, ' ', indent);
    ho_buf_puts(out, "- ");
    if (item->kind == HO_KIND_MAP && item->count)
      put_map(out, record, item, indent + 2, true);
    else if (item->kind == HO_KIND_LIST && item->count) {
      ho_buf_putc(out, '\n');
      put_items(out, record, item, indent + 2);
    } else
      ho_wrap(out, scalar_text(item), indent + 2, indent + 2);
  }
}

/* The cells that the label takes. */
static size_t put_label(ho_buf *out, const ho_record *record, const ho_node *child)
{
  ho_buf label;
  ho_buf_init(&label, 0);
  ho_show_label(&label, record, child);
  size_t width = ho_term_cells(ho_buf_str(&label));
  ho_term_put(out, ho_buf_str(&label), HO_TERM_LINE);
  ho_buf_free_into(&label, out);
  return width;
}

/* hanging: the first line goes on where the output is. */
static void put_map(ho_buf *out, const ho_record *record, const ho_node *map, size_t indent, bool hanging)
{
  HO_EACH_CONST (child, map) {
    if (indent == 0 && child != map->first && (is_nested(child) || ho_str_find_char(child->text, '\n') != HO_NONE))
      ho_buf_putc(out, '\n');
    if (!hanging || child != map->first)
      ho_buf_fill(out, ' ', indent);
    size_t width = put_label(out, record, child);
    ho_buf_putc(out, ':');
    size_t inner = indent + 2;
    if (is_nested(child)) {
      ho_buf_putc(out, '\n');
      if (child->kind == HO_KIND_MAP)
        put_map(out, ho_show_record(record, child), child, inner, false);
      else
        put_items(out, ho_show_record(record, child), child, inner);
    } else if (ho_str_find_char(ho_str_trim_end(child->text), '\n') != HO_NONE) {
      ho_buf_putc(out, '\n');
      ho_wrap(out, child->text, inner, 0);
    } else {
      ho_buf_putc(out, ' ');
      ho_wrap(out, scalar_text(child), inner, indent + width + 2);
    }
  }
}

void ho_show_text(ho_buf *out, const ho_format *format, const ho_node *root)
{
  ho_buf_printf(out, "%s\n\n", format->title);
  put_map(out, format->root, root, 0, false);
}
