/* Any text as each of the Markdown formats: read, checked, written, read again, and no word of the tree is lost.
 * (Well-formed documents give the very same tree: test_roundtrip.c.) */
#include "doc/json/json.h"
#include "model/document/read.h"
#include "model/document/write.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

typedef struct words {
  ho_str items[8192];
  size_t count;
} words;

static int compare(const void *a, const void *b)
{
  return ho_str_cmp(*(const ho_str *)a, *(const ho_str *)b);
}

static void collect(words *w, const ho_node *node)
{
  ho_str text = ho_node_str(node);
  for (size_t i = 0, from; i < text.n;) {
    for (from = i; i < text.n && isalnum((unsigned char)text.p[i]);)
      i++;
    if (i > from && w->count < HO_COUNT(w->items))
      w->items[w->count++] = ho_str_sub(text, from, i);
    i += i == from;
  }
  HO_EACH_CONST (child, node)
    if (!ho_str_is(child->key, "genre"))
      collect(w, child);
}

/* Words of labels and headings may go: where the value is understood, or there is none. */
static bool is_label_word(ho_str word)
{
  return ho_str_list_has_nocase(
      "task|phase|phases|timestamp|date|title|genre|status|file|files|location|line|lines|goal|"
      "state|immediate|next|action|current|key|decisions|made|what|not|to|try|critical|context|"
      "max|5|items|references|read|only|if|stuck|implementation|handoff|metadata|objective|"
      "acceptance|criteria|provided|execution|log|1|2",
      word);
}

/* Is it the number of an item in what was written? A text that begins with "0. " is a list on a line of its own: its
 * number stands there, but a list has no numbers in the tree. */
static bool is_item_number(ho_str word, ho_str written)
{
  ho_str line;
  while (ho_str_next_line(&written, &line)) {
    line = ho_str_trim(line);
    while (line.n && strchr("->*+ \t", line.p[0]))
      line = ho_str_sub(line, 1, line.n);
    if (line.n > word.n && ho_str_eq(ho_str_sub(line, 0, word.n), word) && strchr(".)", line.p[word.n]))
      return true;
  }
  return false;
}

static void check_words(const ho_format *format, const ho_node *was, const ho_node *now, ho_str written)
{
  static words had, has;
  had.count = has.count = 0;
  collect(&had, was);
  collect(&has, now);
  qsort(has.items, has.count, sizeof(ho_str), compare);
  if (has.count == HO_COUNT(has.items))
    return;
  for (size_t i = 0; i < had.count; i++)
    if (!is_label_word(had.items[i]) && !bsearch(&had.items[i], has.items, has.count, sizeof(ho_str), compare) &&
        !is_item_number(had.items[i], written)) {
      fprintf(stderr, "%s: lost '%.*s'\n%.*s\n", format->name, HO_ARG(had.items[i]), HO_ARG(written));
      abort();
    }
}

static void try_format(const ho_format *format, ho_str text)
{
  static const ho_check_env env = {.path = HO_STR_INIT("specs/1_a/handoffs/phase-1-handoff-20260212T143022Z.md")};
  ho_arena arena;
  ho_doc doc, again;
  ho_buf out;
  ho_error err = {0};
  ho_arena_init(&arena, 0);
  ho_buf_init(&out, 0);
  if (!ho_doc_read(&doc, &arena, HO_STR("f.md"), text, format, &(ho_error){0}) &&
      !ho_doc_check(&doc, &env, &(ho_error){0})) {
    if (ho_doc_write(format, doc.root, HO_MARKDOWN, &out, &err) ||
        ho_doc_read(&again, &arena, HO_STR("f.md"), ho_buf_str(&out), format, &err)) {
      fprintf(stderr, "%s: %s\n%s\n", format->name, err.message, out.p);
      abort();
    }
    check_words(format, doc.root, again.root, ho_buf_str(&out));
  }
  ho_buf_free(&out);
  ho_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  ho_str text = {(const char *)data, size};
  for (size_t i = 0; ho_formats[i]; i++)
    if (ho_formats[i]->read_markdown)
      try_format(ho_formats[i], text);
  return 0;
}
