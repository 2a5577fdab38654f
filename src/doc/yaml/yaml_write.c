#include "doc/yaml/yaml.h"

#include "base/utf8.h"
#include "doc/yaml/yaml_parts.h"

/* Readers look for the ':' after a key within 1024 characters; an escape writes a byte as at most four. */
enum { LONGEST_KEY = 250 };

static void new_line(ho_buf *out, unsigned indent)
{
  ho_buf_putc(out, '\n');
  ho_buf_fill(out, ' ', indent);
}

/* Can the text be a literal block: does that give back every line exactly (none consists only of spaces)? *indented:
 * the first line does not show the indentation, so the block must state it. */
static bool fits_literal(ho_str text, bool *indented)
{
  ho_str rest = text, line;
  bool first = true;
  *indented = false;
  if (ho_str_find_char(text, '\n') == HO_NONE)
    return false;
  while (ho_str_next(&rest, '\n', &line)) {
    if (line.n && ho_str_blank(line))
      return false;
    *indented |= line.n && first && (line.p[0] == ' ' || line.p[0] == '\t');
    for (size_t at = 0; at < line.n;) {
      uint32_t cp = ho_utf8_next(line, &at);
      if (cp != '\t' && !ho_yaml_printable(cp))
        return false;
    }
    first = first && line.n == 0;
  }
  return !first;
}

static void put_literal(ho_buf *out, ho_str text, unsigned indent, bool indented)
{
  ho_str line;
  bool ended = ho_str_ends(text, "\n");
  ho_buf_puts(out, indented ? "|2" : "|");
  ho_buf_puts(out, !ended ? "-" : ho_str_ends(text, "\n\n") ? "+" : "");
  if (ended)
    text.n--;
  while (ho_str_next(&text, '\n', &line)) {
    new_line(out, line.n ? indent : 0);
    ho_buf_put(out, line);
  }
}

/* indent: where the lines of a literal go, two columns inside its parent; 0 without a parent. */
static void put_scalar(ho_buf *out, const ho_node *node, unsigned indent)
{
  bool indented;
  if (node->kind == HO_KIND_NULL)
    ho_buf_puts(out, "null");
  else if (node->kind != HO_KIND_TEXT || ho_yaml_plain_text(node->text))
    ho_buf_put(out, node->text);
  else if (fits_literal(node->text, &indented) && (indent || !indented))
    put_literal(out, node->text, indent ? indent : 2, indented);
  else
    ho_yaml_quote(out, node->text);
}

static bool is_block(const ho_node *node)
{
  return (node->kind == HO_KIND_LIST || node->kind == HO_KIND_MAP) && node->count;
}

static void put_inline(ho_buf *out, const ho_node *node, unsigned indent)
{
  if (node->kind == HO_KIND_LIST)
    ho_buf_puts(out, "[]");
  else if (node->kind == HO_KIND_MAP)
    ho_buf_puts(out, "{}");
  else
    put_scalar(out, node, indent);
}

static void put_key(ho_buf *out, ho_str key, unsigned indent)
{
  bool is_long = key.n > LONGEST_KEY;
  if (is_long)
    ho_buf_puts(out, "? ");
  if (ho_yaml_plain_text(key))
    ho_buf_put(out, key);
  else
    ho_yaml_quote(out, key);
  if (is_long)
    new_line(out, indent);
  ho_buf_putc(out, ':');
}

/* The members of a list or map, the first of them on the current line. */
static void put_block(ho_buf *out, const ho_node *node, unsigned indent)
{
  HO_EACH_CONST (child, node) {
    bool in_map = node->kind == HO_KIND_MAP;
    if (out->failed)
      return;
    if (child != node->first)
      new_line(out, indent);
    if (in_map)
      put_key(out, child->key, indent);
    else
      ho_buf_putc(out, '-');
    if (in_map && is_block(child))
      new_line(out, indent + 2);
    else
      ho_buf_putc(out, ' ');
    if (is_block(child))
      put_block(out, child, indent + 2);
    else
      put_inline(out, child, indent + 2);
  }
}

void ho_yaml_write(ho_buf *out, const ho_node *node)
{
  if (node && is_block(node))
    put_block(out, node, 0);
  else if (node)
    put_inline(out, node, 0);
  else
    ho_buf_puts(out, "null");
  ho_buf_putc(out, '\n');
}
