#include "command/show.h"

static void put_escaped(ho_buf *out, ho_str text)
{
  for (size_t i = 0; i < text.n; i++) {
    char c = text.p[i];
    if (c == '<')
      ho_buf_puts(out, "&lt;");
    else if (c == '>')
      ho_buf_puts(out, "&gt;");
    else if (c == '&')
      ho_buf_puts(out, "&amp;");
    else if (c == '"')
      ho_buf_puts(out, "&quot;");
    else
      ho_buf_putc(out, c);
  }
}

static void put_value(ho_buf *out, const ho_record *record, const ho_node *node);

static void put_list(ho_buf *out, const ho_record *record, const ho_node *list)
{
  ho_buf_puts(out, "<ul>\n");
  HO_EACH_CONST (item, list) {
    ho_buf_puts(out, "<li>");
    put_value(out, record, item);
    ho_buf_puts(out, "</li>\n");
  }
  ho_buf_puts(out, "</ul>\n");
}

static void put_label(ho_buf *out, const ho_record *record, const ho_node *child)
{
  ho_buf label;
  ho_buf_init(&label, 0);
  ho_show_label(&label, record, child);
  put_escaped(out, ho_buf_str(&label));
  ho_buf_free_into(&label, out);
}

static void put_terms(ho_buf *out, const ho_record *record, const ho_node *map)
{
  ho_buf_puts(out, "<dl>\n");
  HO_EACH_CONST (child, map) {
    ho_buf_puts(out, "<dt>");
    put_label(out, record, child);
    ho_buf_puts(out, "</dt>\n<dd>");
    put_value(out, ho_show_record(record, child), child);
    ho_buf_puts(out, "</dd>\n");
  }
  ho_buf_puts(out, "</dl>\n");
}

static void put_value(ho_buf *out, const ho_record *record, const ho_node *node)
{
  if (node->kind == HO_KIND_LIST)
    put_list(out, record, node);
  else if (node->kind == HO_KIND_MAP)
    put_terms(out, record, node);
  else if (node->kind == HO_KIND_TEXT)
    ho_md_write_html(out, node->text);
  else
    put_escaped(out, node->text);
}

void ho_show_html(ho_buf *out, const ho_format *format, const ho_node *root)
{
  ho_buf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
  put_escaped(out, ho_str_of(format->title));
  ho_buf_puts(out, "</title>\n<style>body{font:1rem/1.5 sans-serif;max-width:45rem;margin:2rem auto;padding:0 1rem}"
                   "dt{font-weight:bold}pre{overflow-x:auto}</style>\n</head>\n<body>\n<h1>");
  put_escaped(out, ho_str_of(format->title));
  ho_buf_puts(out, "</h1>\n");
  HO_EACH_CONST (child, root) {
    ho_buf_puts(out, "<section>\n<h2>");
    put_label(out, format->root, child);
    ho_buf_puts(out, "</h2>\n");
    put_value(out, ho_show_record(format->root, child), child);
    ho_buf_puts(out, "\n</section>\n");
  }
  ho_buf_puts(out, "</body>\n</html>\n");
}
