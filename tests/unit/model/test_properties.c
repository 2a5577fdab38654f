/* What holds for every document, tried on generated ones of every format.
 *
 * HANDOFF_PROPERTIES says how many of each format are tried for each property, and through each other format. Without
 * it that is 10,000; the build with sanitizers takes fewer, and fewest where each goes through all other formats. */
#include "model/generate.h"
#include "model/support.h"

#include "doc/yaml/yaml.h"
#include "model/convert/convert.h"
#include "model/fix/fix.h"

#ifdef __SANITIZE_ADDRESS__
enum { DOCUMENTS = 250, CONVERTED = 25 };
#else
enum { DOCUMENTS = 10000, CONVERTED = 10000 };
#endif

static ho_str as_json(ho_arena *arena, const ho_node *node)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  ho_json_write(&out, node, 1);
  ho_str text = ho_arena_copy(arena, ho_buf_str(&out));
  ho_buf_free(&out);
  return text;
}

static void expect_equal(ho_arena *arena, const ho_node *was, const ho_node *now, const char *what)
{
  const char *at = ho_node_difference(arena, was, now);
  if (at)
    fail_msg("%s differs at %s\n--- was %.*s\n--- now %.*s\n--- in %.*s", what, at,
             HO_ARG(as_json(arena, ho_node_at(was, ho_str_of(at)))),
             HO_ARG(as_json(arena, ho_node_at(now, ho_str_of(at)))), HO_ARG(as_json(arena, was)));
}

/* Writes and reads. */
static ho_node *trip(const ho_format *format, ho_encoding encoding, const ho_node *tree, ho_arena *arena)
{
  ho_buf out;
  ho_doc doc;
  ho_error err = {0};
  ho_buf_init(&out, 0);
  if (ho_doc_write(format, tree, encoding, &out, &err))
    fail_msg("%s as %s: %s", format->name, ho_encoding_name(encoding), err.message);
  ho_str path = ho_arena_printf(arena, "again.%s", ho_encoding_name(encoding));
  if (ho_doc_read(&doc, arena, path, ho_arena_copy(arena, ho_buf_str(&out)), format, &err))
    fail_msg("%s as %s cannot be read: %s\n%s", format->name, ho_encoding_name(encoding), err.message, out.p);
  ho_buf_free(&out);
  return doc.root;
}

typedef void (*property)(const ho_format *format, generator *g, size_t number);

static void for_all(property holds, bool tame, size_t count)
{
  ho_arena arena;
  const char *said = getenv("HANDOFF_PROPERTIES");
  if (said)
    count = strtoul(said, NULL, 10);
  ho_arena_init(&arena, 0);
  for (size_t f = 0; ho_formats[f]; f++) {
    generator g = {.random = {0x9E3779B97F4A7C15u + f}, .arena = &arena, .tame = tame};
    for (size_t i = 0; i < count; i++) {
      ho_arena_reset(&arena);
      holds(ho_formats[f], &g, i);
      assert_int_equal(arena.failed, HO_OK);
    }
  }
  ho_arena_free(&arena);
}

static void reads_back(const ho_format *format, generator *g, size_t number)
{
  (void)number;
  const ho_node *tree = generate(g, format);
  for (ho_encoding encoding = HO_JSON; encoding <= HO_YAML; encoding++)
    expect_equal(g->arena, tree, trip(format, encoding, tree, g->arena), format->name);
}

static void what_is_written_reads_back(void **state)
{
  (void)state;
  for_all(reads_back, false, DOCUMENTS);
}

static ho_node *convert(const ho_format *from, ho_encoding from_encoding, const ho_node *tree, const ho_format *to,
                        ho_encoding to_encoding, ho_arena *arena, ho_node **kept)
{
  ho_node *out = NULL;
  ho_error err = {0};
  ho_conversion how = {from, to, from_encoding, to_encoding};
  if (ho_convert(&how, tree, arena, &out, kept, &err))
    fail_msg("%s to %s: %s", from->name, to->name, err.message);
  return out;
}

static bool has_text(const ho_node *tree, ho_str text)
{
  if (tree->first == NULL)
    return text.n <= tree->text.n && (text.n == 0 || memmem(tree->text.p, tree->text.n, text.p, text.n));
  HO_EACH_CONST (child, tree)
    if (has_text(child, text))
      return true;
  return false;
}

/* Markdown cannot tell everything apart (a path from other words, a genre from the sections that are there), but every
 * text is there, and what was read once stays as it is. */
static void reads_back_as_markdown(const ho_format *format, generator *g, size_t number)
{
  (void)number;
  if (!format->write_markdown)
    return;
  g->said = ho_node_new(g->arena, HO_KIND_LIST);
  const ho_node *tree = generate(g, format), *once = trip(format, HO_MARKDOWN, tree, g->arena);
  expect_equal(g->arena, once, trip(format, HO_MARKDOWN, once, g->arena), format->name);
  HO_EACH_CONST (said, g->said)
    if (!has_text(once, said->text))
      fail_msg("%s: '%.*s' is not in the Markdown of %.*s", format->name, HO_ARG(said->text),
               HO_ARG(as_json(g->arena, tree)));
}

static void markdown_reads_back(void **state)
{
  (void)state;
  for_all(reads_back_as_markdown, true, DOCUMENTS);
}

/* Texts on one line: others may be indented as the item of a list. Choices may have become the other format's word. */
static void expect_texts(const ho_record *record, const ho_node *tree, const ho_node *result, const char *what)
{
  HO_EACH_CONST (child, tree) {
    bool alias = true;
    const ho_field *field = record && tree->kind == HO_KIND_MAP ? ho_record_field(record, child->key, &alias) : NULL;
    const ho_record *inner = field ? field->record : tree->kind == HO_KIND_LIST ? record : NULL;
    if (field && (field->choices || field->flags & HO_GENERATED))
      continue;
    if (child->first)
      expect_texts(inner, child, result, what);
    else if (ho_str_find_char(child->text, '\n') == HO_NONE && !has_text(result, child->text))
      fail_msg("%s: '%.*s' is lost", what, HO_ARG(child->text));
  }
}

static void converts_back_through(const ho_format *from, const ho_format *to, ho_encoding encoding, generator *g)
{
  ho_node *kept, *tree = generate(g, from);
  ho_str what = ho_arena_printf(g->arena, "%s to %s (%s)", from->name, to->name, ho_encoding_name(encoding));
  ho_node *there = convert(from, HO_JSON, tree, to, encoding, g->arena, &kept);
  expect_texts(from->root, tree, there, what.p);
  const ho_node *read = trip(to, encoding, there, g->arena);
  expect_equal(g->arena, there, read, what.p);
  ho_node *back = convert(to, encoding, read, from, HO_JSON, g->arena, &kept);
  expect_equal(g->arena, tree, back, what.p);
  assert_int_equal(kept->count, 0);
}

static void converts_back(const ho_format *format, generator *g, size_t number)
{
  for (size_t f = 0; ho_formats[f]; f++) {
    ho_arena_reset(g->arena);
    converts_back_through(format, ho_formats[f], number % 2 ? HO_JSON : HO_YAML, g);
  }
}

static void there_and_back_is_the_same(void **state)
{
  (void)state;
  for_all(converts_back, false, CONVERTED);
}

static void converts_back_from_markdown(const ho_format *format, generator *g, size_t number)
{
  (void)number;
  for (size_t f = 0; ho_formats[f]; f++) {
    ho_arena_reset(g->arena);
    if (ho_formats[f]->write_markdown)
      converts_back_through(format, ho_formats[f], HO_MARKDOWN, g);
  }
}

static void there_and_back_through_markdown(void **state)
{
  (void)state;
  for_all(converts_back_from_markdown, false, CONVERTED);
}

static ho_fixed fix(const ho_format *format, ho_encoding encoding, ho_str text, ho_str details, ho_arena *arena)
{
  ho_doc doc;
  ho_fixed fixed;
  ho_error err = {0};
  ho_fix_env env = {.root = HO_EMPTY, .details = details, .old_details = HO_EMPTY};
  env.check.path = ho_arena_printf(arena, "some.%s", ho_encoding_name(encoding));
  if (ho_doc_read(&doc, arena, env.check.path, text, format, &err) || ho_doc_check(&doc, &env.check, &err) ||
      ho_fix(&doc, &env, arena, &fixed, &err))
    fail_msg("%s as %s: %s", format->name, ho_encoding_name(encoding), err.message);
  return fixed;
}

static void fixes_once(const ho_format *format, generator *g, size_t number)
{
  ho_buf out;
  ho_error err = {0};
  ho_encoding encoding = (ho_encoding)(number % (format->write_markdown ? 3 : 2));
  ho_buf_init(&out, 0);
  const ho_node *tree = generate(g, format);
  assert_int_equal(ho_doc_write(format, tree, encoding, &out, &err), HO_OK);
  ho_fixed once = fix(format, encoding, ho_arena_copy(g->arena, ho_buf_str(&out)), HO_EMPTY, g->arena);
  ho_fixed twice = fix(format, encoding, once.text, once.details, g->arena);
  if (twice.changed || !ho_str_eq(once.text, twice.text))
    fail_msg("%s: fixed again it changes\n--- was\n%.*s\n--- once\n%.*s\n--- twice\n%.*s", format->name,
             HO_ARG(ho_buf_str(&out)), HO_ARG(once.text), HO_ARG(twice.text));
  ho_buf_free(&out);
}

static void what_is_fixed_stays(void **state)
{
  (void)state;
  for_all(fixes_once, false, DOCUMENTS);
}

/* The text of an unbound tree, as an author would have written it. */
static ho_str write_raw(const ho_format *format, ho_encoding encoding, ho_node *tree, generator *g)
{
  ho_buf out;
  if (format->wrapper && chance(g, 80)) {
    ho_node *outer = ho_node_new(g->arena, HO_KIND_MAP);
    ho_map_addz(outer, format->wrapper, tree);
    tree = outer;
  }
  ho_buf_init(&out, 0);
  if (encoding == HO_JSON)
    ho_json_write(&out, tree, 2);
  else
    ho_yaml_write(&out, tree);
  ho_str text = ho_arena_copy(g->arena, ho_buf_str(&out));
  ho_buf_free(&out);
  return text;
}

/* Adds what the fences of a details file hold to the list. */
static void read_details(ho_arena *arena, ho_str details, ho_node *into)
{
  ho_md md;
  ho_source source;
  ho_report report;
  ho_error err = {0};
  assert_int_equal(ho_source_init(&source, arena, HO_STR("details.md"), details, &err), HO_OK);
  ho_report_init(&report, arena, &source);
  assert_int_equal(ho_md_read(&source, arena, &report, &md, &err), HO_OK);
  for (const ho_md_block *block = md.blocks; block; block = block->next) {
    ho_node *tree = NULL;
    if (block->kind != HO_MD_CODE)
      continue;
    ho_source *inner = HO_NEW(arena, ho_source);
    assert_int_equal(ho_source_init(inner, arena, HO_STR("fence"), block->text, &err), HO_OK);
    if (ho_str_is(block->info, "yaml"))
      assert_int_equal(ho_yaml_read(inner, 0, block->text.n, arena, &report, &tree, &err), HO_OK);
    else
      assert_int_equal(ho_json_read(inner, 0, arena, &report, &tree, &err), HO_OK);
    ho_list_add(into, tree);
  }
}

static bool has_words_of(const ho_node *tree, ho_str text)
{
  ho_str line, word;
  while (ho_str_next_line(&text, &line))
    while (ho_str_next(&line, ' ', &word))
      if (!has_text(tree, word))
        return false;
  return true;
}

/* Sloppy documents: nothing that one says is lost, nothing breaks that did not, and fixing again changes nothing. A text
 * beyond the limit of its field may be in two parts. */
static void fix_keeps_all(const ho_format *format, generator *g, size_t number)
{
  ho_doc doc;
  ho_error err = {0};
  ho_encoding encoding = number % 2 ? HO_JSON : HO_YAML;
  g->sloppy = true;
  g->said = ho_node_new(g->arena, HO_KIND_LIST);
  ho_str text = write_raw(format, encoding, generate_record(g, format->root, 0), g);
  ho_fixed once = fix(format, encoding, text, HO_EMPTY, g->arena);
  ho_fixed twice = fix(format, encoding, once.text, once.details, g->arena);
  if (twice.changed)
    fail_msg("%s: fixed again it changes\n--- was\n%.*s\n--- once\n%.*s\n--- twice\n%.*s", format->name, HO_ARG(text),
             HO_ARG(once.text), HO_ARG(twice.text));
  ho_node *all = ho_node_new(g->arena, HO_KIND_LIST);
  assert_int_equal(ho_doc_read(&doc, g->arena, HO_STR("again"), once.text, format, &err), HO_OK);
  ho_list_add(all, ho_node_copy(g->arena, doc.root));
  read_details(g->arena, once.details, all);
  HO_EACH_CONST (said, g->said)
    if (!has_text(all, ho_str_trim(said->text)) && !(said->text.n > 1000 && has_words_of(all, said->text)))
      fail_msg("%s: fix has lost '%.*s'\n--- was\n%.*s\n--- now\n%.*s\n--- details\n%.*s", format->name,
               HO_ARG(said->text), HO_ARG(text), HO_ARG(once.text), HO_ARG(once.details));
}

static void what_is_fixed_says_it_all(void **state)
{
  (void)state;
  for_all(fix_keeps_all, false, DOCUMENTS);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_is_written_reads_back), cmocka_unit_test(markdown_reads_back),
      cmocka_unit_test(there_and_back_is_the_same), cmocka_unit_test(there_and_back_through_markdown),
      cmocka_unit_test(what_is_fixed_stays),        cmocka_unit_test(what_is_fixed_says_it_all),
  };
  return unit_run(tests);
}
