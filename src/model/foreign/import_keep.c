/* What is kept of another tool's document. */
#include "base/utf8.h"
#include "model/convert/convert.h"
#include "model/foreign/import_parts.h"
#include "model/markdown/markdown_read.h"

/* The original as it was, except that lines end in "\n" and blank ones are empty: as a text if YAML can show it
 * unchanged, else as a list of its lines. */
static ho_node *original(const ho_import_job *j)
{
  ho_buf out;
  ho_str rest = ho_str_sub(j->text, ho_source_start(&j->doc.source), j->text.n), line;
  ho_node *lines = ho_node_new(j->arena, HO_KIND_LIST);
  bool literal = true;
  ho_buf_init(&out, 0);
  while (ho_markdown_next_line(&rest, &line)) {
    if (ho_str_blank(line))
      line = HO_EMPTY;
    for (size_t at = 0; at < line.n && literal;) {
      uint32_t cp = ho_utf8_next(line, &at);
      literal = cp == '\t' || (!ho_utf8_control(cp) && cp != 0xFEFF && cp != 0x2028 && cp != 0x2029);
    }
    ho_buf_printf(&out, "%.*s\n", HO_ARG(line));
    if (line.n)
      ho_list_add(lines, ho_node_text(j->arena, line));
  }
  ho_str text = ho_buf_move(&out, j->arena);
  return literal ? ho_node_text(j->arena, text) : lines;
}

void ho_import_keep_text(const ho_import_job *j, ho_node *task)
{
  ho_node *kept = ho_map_getz(task, HO_KEPT);
  if (!kept) {
    kept = ho_map_addz(task, HO_KEPT, ho_node_new(j->arena, HO_KIND_MAP));
    ho_map_addz(kept, "from", ho_node_textz(j->arena, j->out->from->format->name));
  }
  ho_node *text = original(j);
  if (!ho_node_empty(text))
    ho_map_set(kept, ho_node_is(text, HO_KIND_LIST) ? HO_STR("lines") : HO_STR("text"), text);
}

/* The texts of a tree, sorted. */
typedef struct texts {
  ho_str *items;
  size_t count;
} texts;

/* items NULL: only counts them. */
static void collect_texts(const ho_node *node, texts *all)
{
  HO_EACH_CONST (child, node) {
    if (child->kind == HO_KIND_TEXT && all->items)
      all->items[all->count] = child->text;
    all->count += child->kind == HO_KIND_TEXT;
    collect_texts(child, all);
  }
}

/* Is everything below the node also in the result? */
static bool has_moved(const ho_node *node, const texts *all)
{
  if (node->kind == HO_KIND_TEXT)
    return all->count && bsearch(&node->text, all->items, all->count, sizeof *all->items, ho_str_order);
  bool moved = node->kind == HO_KIND_LIST || node->kind == HO_KIND_MAP;
  for (const ho_node *child = node->first; child && moved; child = child->next)
    moved = has_moved(child, all);
  return moved;
}

/* The parts of the original that have no place in the task format: {from, fields}. */
void ho_import_keep_fields(ho_import_job *j, const ho_node *bound)
{
  texts all = {0};
  collect_texts(j->out->task, &all);
  all.items = ho_arena_array(j->arena, all.count + 1, sizeof *all.items);
  all.count = 0;
  if (!all.items)
    return;
  collect_texts(j->out->task, &all);
  qsort(all.items, all.count, sizeof *all.items, ho_str_order);
  ho_node *kept = ho_node_new(j->arena, HO_KIND_MAP), *fields = ho_node_new(j->arena, HO_KIND_MAP);
  HO_EACH_CONST (child, bound) {
    ho_path at = {NULL, child->key, 0};
    if (ho_node_empty(child) || has_moved(child, &all))
      continue;
    ho_map_add(fields, child->key, ho_node_copy(j->arena, child));
    ho_list_add(j->out->kept, ho_node_text(j->arena, ho_path_pointer(j->arena, &at)));
  }
  ho_map_addz(kept, "from", ho_node_textz(j->arena, j->out->from->format->name));
  if (fields && fields->count)
    ho_map_addz(kept, "fields", fields);
  ho_map_addz(j->out->task, HO_KEPT, kept);
}
