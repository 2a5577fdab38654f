/* Any document as any format: converted to another one, written, read and converted back, it is the same.
 *
 * The first two bytes choose the formats, the third the encodings; the rest is the document. */
#include "model/bind.h"
#include "model/convert/convert.h"
#include "model/document/read.h"
#include "model/document/write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = {"f.json", "f.yaml", "f.md"};

static size_t count_formats(void)
{
  size_t n = 0;
  while (ho_formats[n])
    n++;
  return n;
}

/* The result of a conversion as its reader gets it. */
static bool write_and_read(const ho_conversion *how, const ho_node *tree, ho_arena *arena, ho_doc *doc)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_code code = ho_doc_write(how->to, tree, how->to_encoding, &text, &(ho_error){0});
  ho_str copy = ho_arena_copy(arena, ho_buf_str(&text));
  ho_buf_free(&text);
  if (!code)
    code = ho_doc_read(doc, arena, ho_str_of(names[how->to_encoding]), copy, how->to, &(ho_error){0});
  return !code && ho_node_is(doc->root, HO_KIND_MAP);
}

/* A document that was itself converted from the other format, and a key that stands twice, are not what comes back. */
static bool has_its_own(const ho_node *node)
{
  HO_EACH_CONST (child, node)
    if (ho_str_is(child->key, HO_KEPT) || ho_str_is(ho_node_str(child), HO_KEPT) ||
        (node->kind == HO_KIND_MAP && ho_map_get(node, child->key) != child) || has_its_own(child))
      return true;
  return false;
}

/* A key that stood twice, once with nothing, is bound to another place when it is bound again. */
static bool is_settled(const ho_doc *doc, ho_arena *arena)
{
  ho_report report;
  ho_report_init(&report, arena, NULL);
  return ho_node_equal(doc->root, ho_bind(doc->format, doc->root, NULL, arena, &report));
}

static void convert(const ho_doc *doc, const ho_format *to, ho_encoding encoding, ho_arena *arena)
{
  ho_node *there, *back, *kept;
  ho_doc read;
  ho_conversion how = {doc->format, to, HO_JSON, encoding}, again = {to, doc->format, encoding, HO_JSON};
  if (ho_convert(&how, doc->root, arena, &there, &kept, &(ho_error){0}))
    return;
  if (!write_and_read(&how, there, arena, &read))
    return; /* too deep or too large with what is kept */
  bool same = ho_node_equal(there, read.root) && !has_its_own(doc->root) && is_settled(doc, arena);
  if (ho_convert(&again, read.root, arena, &back, &kept, &(ho_error){0}))
    return;
  if (same && !ho_node_equal(doc->root, back))
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  ho_arena arena;
  ho_doc doc;
  if (size < 3)
    return 0;
  size_t count = count_formats();
  const ho_format *from = ho_formats[data[0] % count], *to = ho_formats[data[1] % count];
  ho_encoding encoding = (ho_encoding)(data[2] % 3), target = (ho_encoding)(data[2] / 3 % 3);
  if (!from->read_markdown && encoding == HO_MARKDOWN)
    encoding = HO_YAML;
  ho_str text = {(const char *)data + 3, size - 3};
  ho_arena_init(&arena, (size_t)256 << 20);
  if (!ho_doc_read(&doc, &arena, ho_str_of(names[encoding]), text, from, &(ho_error){0}) &&
      ho_node_is(doc.root, HO_KIND_MAP))
    convert(&doc, to, target, &arena);
  ho_arena_free(&arena);
  return 0;
}
