/* Characters that readers cannot see, in the text itself and behind the escapes of JSON and YAML. */
#include "base/utf8.h"
#include "model/document/read.h"

typedef struct hidden {
  uint32_t first; /* where the first is; HO_NOWHERE: none so far */
  uint32_t shown; /* which character that is */
  size_t count;
} hidden;

/* Counts those in the text. *first and *shown: offset and code point of the first; untouched if there is none. */
static size_t count_in(ho_str text, size_t *first, uint32_t *shown)
{
  size_t count = 0;
  uint32_t before = 0, cp = 0;
  for (size_t at = 0; at < text.n; before = cp) {
    if (text.p[at] >= ' ' && text.p[at] < 0x7f) { /* nearly all of it */
      cp = (unsigned char)text.p[at++];
      continue;
    }
    size_t from = at;
    cp = ho_utf8_next(text, &at);
    if (!ho_utf8_hidden(before, cp, ho_utf8_peek(text, at)))
      continue;
    if (!count++) {
      *first = from;
      *shown = cp;
    }
  }
  return count;
}

/* What a value or key has beyond what its spelling shows was written as escapes. */
static void add_escaped(const ho_doc *doc, ho_str decoded, uint32_t begin, uint32_t end, hidden *found)
{
  size_t first = 0, ignored;
  uint32_t shown = 0, other;
  size_t count = begin < end ? count_in(decoded, &first, &shown) : 0;
  size_t raw = count ? count_in(ho_str_sub(doc->source.text, begin, end), &ignored, &other) : 0;
  if (count <= raw)
    return;
  found->count += count - raw;
  if (begin < found->first) {
    found->first = begin;
    found->shown = shown;
  }
}

static void add_values(const ho_doc *doc, const ho_node *node, hidden *found)
{
  HO_EACH_CONST (child, node) {
    add_escaped(doc, child->key, child->key_begin, child->key_end, found);
    add_escaped(doc, child->text, child->begin, child->end, found);
    add_values(doc, child, found);
  }
}

void ho_doc_report_hidden(ho_doc *doc)
{
  hidden found = {.first = HO_NOWHERE};
  size_t first = 0, start = ho_source_start(&doc->source); /* a byte order mark at the very start is not one */
  found.count = count_in(ho_str_sub(doc->source.text, start, doc->source.text.n), &first, &found.shown);
  if (found.count)
    found.first = (uint32_t)(start + first);
  if (ho_str_find_char(doc->source.text, '\\') != HO_NONE)
    add_values(doc, doc->raw, &found);
  if (found.count)
    ho_report_add(&doc->report, &ho_rule_HIDDEN, found.first, NULL,
                  "U+%04X cannot be seen, but is read by agents; the document has %zu such character%s",
                  (unsigned)found.shown, found.count, ho_plural((int64_t)found.count));
}
