#include "model/convert/convert.h"

#include "model/bind.h"
#include "model/convert/convert_kept.h"
#include "model/convert/convert_move.h"
#include "model/markdown/markdown_read.h"
#include "model/document/read.h"
#include "model/document/write.h"

/* Reading back what was written may change what is written next; this many rounds are enough for it to settle. */
enum { SETTLE = 3 };

static ho_node *bound(const ho_format *format, const ho_node *raw, ho_arena *arena)
{
  ho_report report;
  ho_report_init(&report, arena, NULL);
  return raw ? ho_bind(format, raw, NULL, arena, &report) : NULL;
}

/* The tree as it will be after its Markdown is read again. */
static ho_code reread(const ho_format *format, ho_node **tree, ho_arena *arena, ho_error *err)
{
  ho_buf text;
  ho_doc doc;
  ho_buf_init(&text, 0);
  ho_code code = ho_doc_write(format, *tree, HO_MARKDOWN, &text, err);
  ho_str copy = ho_arena_copy(arena, ho_buf_str(&text));
  ho_buf_free(&text);
  if (!code)
    code = ho_arena_code(arena, err);
  if (!code)
    code = ho_doc_read(&doc, arena, HO_STR("converted.md"), copy, format, err);
  if (!code && ho_node_is(doc.root, HO_KIND_MAP))
    *tree = doc.root;
  return code;
}

static ho_code settle(const ho_format *format, ho_encoding encoding, ho_node **tree, ho_arena *arena, ho_error *err)
{
  ho_code code = HO_OK;
  if (encoding != HO_MARKDOWN)
    return HO_OK;
  for (int i = 0; i < SETTLE && !code; i++) {
    const ho_node *before = *tree;
    code = reread(format, tree, arena, err);
    if (ho_node_equal(before, *tree))
      break;
  }
  return code;
}

/* Moves everything from one format to the other, with what was kept back in its place. */
static ho_code move(const ho_format *from, const ho_node *tree, const ho_format *to, const ho_node *kept,
                    ho_node *unplaced, ho_arena *arena, ho_node **out, ho_error *err)
{
  ho_node *raw = from == to ? ho_node_copy(arena, tree) : ho_move(from, tree, to, arena);
  *out = bound(to, raw, arena);
  if (*out && kept) {
    *out = ho_node_copy(arena, *out);
    ho_kept_restore(to, *out, kept, unplaced, arena);
    *out = bound(to, *out, arena);
  }
  return ho_arena_code(arena, err);
}

/* The result, and what converting it back would give. What the Markdown reader adds belongs to a document that
 * somebody wrote as Markdown, but not to one that is itself a conversion (`taken`). */
static ho_code there_and_back(const ho_conversion *how, const ho_node *source, const ho_node *taken, ho_node *unplaced,
                              ho_arena *arena, ho_node **out, bool *settled, ho_node **back, ho_error *err)
{
  ho_code code = move(how->from, source, how->to, taken, unplaced, arena, out, err);
  const ho_node *before = *out;
  if (!code)
    code = settle(how->to, how->to_encoding, out, arena, err);
  if (!code)
    code = move(how->to, *out, how->from, NULL, unplaced, arena, back, err);
  if (!code && taken)
    code = settle(how->from, how->from_encoding, back, arena, err);
  *settled = !code && !ho_node_equal(before, *out);
  return code;
}

/* x_kept of the source, if it comes from the target's format: removed from the tree, since its contents go back to
 * their places. */
static ho_node *take_kept(ho_node *tree, const ho_format *to)
{
  ho_node *kept = ho_map_getz(tree, HO_KEPT);
  if (!kept || !ho_str_is(ho_map_str(kept, "from"), to->name))
    return NULL;
  ho_node_remove(tree, kept);
  return kept;
}

static void put_kept(ho_node *out, const ho_format *from, ho_node *parts, ho_node *unplaced, ho_arena *arena)
{
  ho_node *kept = ho_node_new(arena, HO_KIND_MAP);
  ho_map_addz(kept, "from", ho_node_textz(arena, from->name));
  HO_EACH_CONST (part, parts)
    ho_map_add(kept, part->key, ho_node_copy(arena, part));
  if (unplaced->count)
    ho_map_addz(kept, "unplaced", unplaced);
  ho_map_addz(out, HO_KEPT, kept);
}

/* Within one format x_kept stays as it is; if more has to be kept, it becomes part of that. */
static ho_node *carry(ho_node *parts, ho_node *carried, ho_arena *arena)
{
  if (!parts || !carried)
    return parts;
  if (!ho_map_getz(parts, "fields"))
    ho_map_addz(parts, "fields", ho_node_new(arena, HO_KIND_MAP));
  ho_map_addz(ho_map_getz(parts, "fields"), HO_KEPT, ho_node_copy(arena, carried));
  return parts;
}

ho_code ho_convert(const ho_conversion *how, const ho_node *tree, ho_arena *arena, ho_node **out, ho_node **kept,
                   ho_error *err)
{
  ho_node *source = ho_node_copy(arena, tree), *unplaced = ho_node_new(arena, HO_KIND_LIST), *back = NULL;
  bool settled = false;
  *kept = ho_node_new(arena, HO_KIND_LIST);
  ho_code code = ho_arena_code(arena, err);
  if (code)
    return code;
  ho_node *taken = take_kept(source, how->to), *carried = NULL;
  if (how->from == how->to && (carried = ho_map_getz(source, HO_KEPT)))
    ho_node_remove(source, carried);
  code = there_and_back(how, source, taken, unplaced, arena, out, &settled, &back, err);
  if (code)
    return code;
  ho_node *parts = ho_kept_difference(how->from, source, back, *kept, arena);
  HO_EACH_CONST (entry, unplaced)
    ho_list_add(*kept, ho_node_text(arena, ho_map_str(entry, "at")));
  code = ho_arena_code(arena, err);
  if (!code && (parts || unplaced->count || settled))
    put_kept(*out, how->from, carry(parts, carried, arena), unplaced, arena);
  if (!code && carried && !ho_map_getz(*out, HO_KEPT))
    ho_map_addz(*out, HO_KEPT, carried);
  if (!code && how->to_encoding == HO_MARKDOWN && how->to->encoding == HO_MARKDOWN)
    ho_markdown_order_extras(*out); /* as its reader will do */
  return code ? code : ho_arena_code(arena, err);
}
