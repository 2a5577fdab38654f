/* Replaces the old tree by the fixed one. */
#include "doc/json/json.h"
#include "doc/rules.h"
#include "doc/yaml/yaml.h"
#include "model/fix/fix_parts.h"
#include "model/formats/formats.h"
#include "model/general_rules.h"
#include "model/document/write.h"

/* Are there findings that only a different shape of the document can resolve? */
static bool needs_rewriting(const ho_doc *doc)
{
  const ho_rule_info *const shapes[] = {&ho_rule_YAML_RECOVERED,  &ho_rule_YAML_DOCUMENTS, &ho_rule_JSON_COMMENT,
                                        &ho_rule_SCALAR_FOR_LIST, &ho_rule_MAP_FOR_LIST,   &ho_rule_SCALAR_FOR_RECORD,
                                        &ho_rule_UNWRAPPED};
  for (size_t i = 0; i < doc->report.count; i++)
    for (size_t s = 0; s < HO_COUNT(shapes); s++)
      if (doc->report.items[i].rule == shapes[s])
        return true;
  return false;
}

/* Does the text read back as the fixed tree? */
static bool reads_back(const ho_doc *doc, ho_str text, const ho_node *fixed, ho_arena *arena)
{
  ho_doc again;
  ho_error ignored;
  ho_code code = ho_doc_read(&again, arena, doc->source.path, text, doc->format, &ignored);
  if (code == HO_MEMORY && !arena->failed)
    arena->failed = HO_MEMORY;
  return !code && again.root && ho_node_equal(fixed, again.root);
}

static void put_comment_lines(ho_buf *out, const ho_node *comments)
{
  HO_EACH_CONST (comment, comments)
    ho_buf_printf(out, "#%.*s\n", HO_ARG(comment->text));
}

/* The document as the format writes it, with its comments: in front for YAML, under x_comments for JSON. */
static ho_code rewrite(const ho_doc *doc, const ho_node *fixed, ho_arena *arena, ho_buf *out, ho_error *err)
{
  ho_node *comments = ho_fix_comments(doc, 0, (uint32_t)doc->source.text.n, arena);
  if (doc->encoding == HO_YAML) {
    put_comment_lines(out, comments);
    return ho_doc_write(doc->format, fixed, HO_YAML, out, err);
  }
  if (!comments || !comments->count)
    return ho_doc_write(doc->format, fixed, doc->encoding, out, err);
  ho_node *copy = ho_node_copy(arena, fixed), *kept = ho_map_getz(copy, "x_comments");
  if (ho_node_is(kept, HO_KIND_LIST))
    HO_EACH (comment, comments)
      ho_list_add(kept, ho_node_text(arena, comment->text));
  else
    ho_map_addz(copy, "x_comments", comments);
  return ho_doc_write(doc->format, copy, doc->encoding, out, err);
}

/* The YAML of a task file: the fence stays in its place, and the file around it keeps every byte. */
static bool rewrite_fence(const ho_doc *doc, const ho_node *fixed, ho_arena *arena, ho_buf *out)
{
  const ho_md_block *fence = doc->raw->begin == HO_NOWHERE ? NULL : doc->md.blocks;
  while (fence &&
         !(fence->kind == HO_MD_CODE && fence->text_begin <= doc->raw->begin && doc->raw->begin < fence->text_end))
    fence = fence->next;
  if (!fence)
    return false;
  ho_node *copy = ho_node_copy(arena, fixed), *file = ho_map_getz(copy, "task_file");
  if (file)
    ho_node_remove(copy, file);
  ho_buf_put(out, ho_str_sub(doc->source.text, 0, fence->text_begin));
  put_comment_lines(out, ho_fix_comments(doc, fence->text_begin, fence->text_end, arena));
  ho_yaml_write(out, copy);
  ho_buf_put(out, ho_str_sub(doc->source.text, fence->text_end, doc->source.text.n));
  return true;
}

/* Empties the buffer for another attempt, unless memory ran out. */
static ho_code start_again(ho_buf *out, ho_error *err)
{
  ho_code code = ho_buf_code(out, err);
  if (!code)
    ho_buf_reset(out);
  return code;
}

ho_code ho_fix_tree(const ho_doc *doc, const ho_node *fixed, ho_arena *arena, ho_buf *out, ho_error *err)
{
  if (!needs_rewriting(doc) && ho_fix_splice(doc, fixed, arena, out) && reads_back(doc, ho_buf_str(out), fixed, arena))
    return ho_buf_code(out, err);
  ho_code code = start_again(out, err);
  if (code || doc->encoding != HO_MARKDOWN)
    return code ? code : rewrite(doc, fixed, arena, out, err);
  if (doc->format == &ho_format_task && rewrite_fence(doc, fixed, arena, out) &&
      reads_back(doc, ho_buf_str(out), fixed, arena))
    return ho_buf_code(out, err);
  code = start_again(out, err);
  ho_buf_put(out, doc->source.text);
  return code;
}
