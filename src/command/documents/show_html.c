#include "base/escape.h"
#include "base/term.h"
#include "command/documents/show.h"

enum { SHORT = 60 }; /* bytes of a fact that stands beside its label */

/* Text of a document: what would be invisible, or turn text round, is spelled out. */
static void put_safe(ho_buf *out, ho_str text, void (*put)(ho_buf *out, ho_str text))
{
  ho_buf safe;
  ho_buf_init(&safe, 0);
  ho_term_put(&safe, text, HO_TERM_LINES);
  put(out, ho_buf_str(&safe));
  ho_buf_free_into(&safe, out);
}

static void put_label(ho_buf *out, const ho_record *record, const ho_node *child)
{
  ho_buf label;
  ho_buf_init(&label, 0);
  ho_show_label(&label, record, child);
  put_safe(out, ho_buf_str(&label), ho_escape_html);
  ho_buf_free_into(&label, out);
}

static void put_value(ho_buf *out, const ho_record *record, const ho_node *node);

/* Every field but `without`, which was shown already. */
static void put_terms(ho_buf *out, const ho_record *record, const ho_node *map, const ho_node *without)
{
  if (map->count == (without ? 1 : 0))
    return;
  ho_buf_puts(out, "<dl>\n");
  HO_EACH_CONST (child, map) {
    if (child == without)
      continue;
    ho_buf_puts(out, "<dt>");
    if (!ho_show_is_loose(child))
      put_label(out, record, child);
    ho_buf_puts(out, "</dt>\n<dd>");
    put_value(out, ho_show_record(record, child), child);
    ho_buf_puts(out, "</dd>\n");
  }
  ho_buf_puts(out, "</dl>\n");
}

static void put_list(ho_buf *out, const ho_record *record, const ho_node *list)
{
  ho_buf_puts(out, "<ul>\n");
  HO_EACH_CONST (item, list) {
    const ho_node *about = item->kind == HO_KIND_MAP ? ho_show_main(record, item) : NULL;
    ho_buf_puts(out, "<li>");
    put_value(out, record, about ? about : item);
    if (about)
      put_terms(out, record, item, about);
    ho_buf_puts(out, "</li>\n");
  }
  ho_buf_puts(out, "</ul>\n");
}

static void put_value(ho_buf *out, const ho_record *record, const ho_node *node)
{
  if (!ho_show_is_nested(node) && !node->text.n)
    ho_buf_puts(out, "–");
  else if (node->kind == HO_KIND_LIST)
    put_list(out, record, node);
  else if (node->kind == HO_KIND_MAP)
    put_terms(out, record, node, NULL);
  else if (node->kind == HO_KIND_TEXT)
    put_safe(out, node->text, ho_md_write_html);
  else
    ho_escape_html(out, node->text);
}

static bool is_short(const ho_node *node)
{
  return !ho_show_is_nested(node) && node->text.n < SHORT && ho_str_find_char(node->text, '\n') == HO_NONE;
}

static void put_section(ho_buf *out, const ho_record *record, const ho_node *child)
{
  ho_buf_puts(out, "<section>\n");
  if (!ho_show_is_loose(child)) {
    ho_buf_puts(out, "<h2>");
    put_label(out, record, child);
    ho_buf_puts(out, "</h2>\n");
  }
  put_value(out, ho_show_record(record, child), child);
  ho_buf_puts(out, "\n</section>\n");
}

/* Sections that the format does not know keep their own headings. */
static void put_kept_sections(ho_buf *out, const ho_node *sections)
{
  HO_EACH_CONST (section, sections) {
    ho_buf_puts(out, "<section>\n<h2>");
    put_safe(out, ho_map_str(section, "heading"), ho_escape_html);
    ho_buf_puts(out, "</h2>\n");
    put_safe(out, ho_map_str(section, "text"), ho_md_write_html);
    ho_buf_puts(out, "\n</section>\n");
  }
}

static const char style[] =
    "body{font:1rem/1.5 sans-serif;max-width:45rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}"
    "h1{font-size:1.6rem}h2{font-size:1.2rem;margin:1.5rem 0 .5rem}p{margin:.3rem 0}ul{padding-left:1.3rem}"
    "dl{display:grid;grid-template-columns:max-content 1fr;gap:.1rem 1rem;margin:.3rem 0}"
    "dt{font-weight:bold;max-width:12rem}dd{margin:0;min-width:0}dd p:first-child,li p:first-child{margin-top:0}"
    "dd ul{margin:0}pre{overflow-x:auto;background:#eee;padding:.5rem}"
    "@media (prefers-color-scheme:dark){body{background:#111;color:#ddd}a{color:#8bf}pre{background:#222}}";

/* Short facts first, then one section per field. Nothing in the page runs, and nothing is fetched when it is opened. */
void ho_show_html(ho_buf *out, const ho_format *format, const ho_node *root)
{
  ho_buf_puts(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                   "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
                   "'unsafe-inline'\">\n<meta name=\"referrer\" content=\"no-referrer\">\n"
                   "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");
  ho_escape_html(out, ho_str_of(format->title));
  ho_buf_printf(out, "</title>\n<style>%s</style>\n</head>\n<body>\n<h1>", style);
  ho_escape_html(out, ho_str_of(format->title));
  ho_buf_puts(out, "</h1>\n<dl>\n");
  HO_EACH_CONST (child, root)
    if (is_short(child)) {
      ho_buf_puts(out, "<dt>");
      put_label(out, format->root, child);
      ho_buf_puts(out, "</dt>\n<dd>");
      put_value(out, NULL, child);
      ho_buf_puts(out, "</dd>\n");
    }
  ho_buf_puts(out, "</dl>\n");
  HO_EACH_CONST (child, root) {
    if (ho_str_is(child->key, "x_sections") && child->kind == HO_KIND_LIST)
      put_kept_sections(out, child);
    else if (!is_short(child))
      put_section(out, format->root, child);
  }
  ho_buf_puts(out, "</body>\n</html>\n");
}
