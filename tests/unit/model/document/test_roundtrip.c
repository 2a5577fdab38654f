/* read(write(x)) = x: for every format in every encoding it has, over the examples and all cases. */
#include "model/support.h"

static size_t trips;

/* Writes the bound tree in `encoding` and reads it back: the same tree, and no new error. */
static void round_trip(const ho_doc *doc, ho_encoding encoding, const char *name)
{
  ho_arena arena;
  ho_doc again;
  ho_error err = {0};
  ho_buf out;
  ho_arena_init(&arena, 0);
  ho_buf_init(&out, 0);
  if (ho_doc_write(doc->format, doc->root, encoding, &out, &err))
    fail_msg("%s: cannot be written as %s: %s", name, ho_encoding_name(encoding), err.message);
  ho_str path = ho_arena_printf(&arena, "again.%s", ho_encoding_name(encoding));
  if (ho_doc_read(&again, &arena, path, ho_buf_str(&out), doc->format, &err))
    fail_msg("%s: written as %s it cannot be read: %u:%u: %s\n%s", name, ho_encoding_name(encoding), err.line,
             err.column, err.message, out.p);
  const char *at = ho_node_difference(&arena, doc->root, again.root);
  if (at) {
    ho_buf old, new;
    ho_buf_init(&old, 0);
    ho_buf_init(&new, 0);
    ho_json_write(&old, ho_node_at(doc->root, ho_str_of(at)), 1);
    ho_json_write(&new, ho_node_at(again.root, ho_str_of(at)), 1);
    fail_msg("%s: as %s differs at %s:\n--- was %s\n--- now %s\n", name, ho_encoding_name(encoding), at, old.p, new.p);
  }
  ho_buf_free(&out);
  ho_arena_free(&arena);
  trips++;
}

static void try_text(const ho_format *format, ho_str path, ho_str text, const char *name)
{
  ho_arena arena;
  ho_doc doc;
  ho_error err;
  ho_arena_init(&arena, 0);
  if (ho_doc_read(&doc, &arena, path, text, format, &err) == HO_OK && ho_node_is(doc.root, HO_KIND_MAP)) {
    round_trip(&doc, HO_JSON, name);
    round_trip(&doc, HO_YAML, name);
    if (doc.format->write_markdown)
      round_trip(&doc, HO_MARKDOWN, name);
  }
  ho_arena_free(&arena);
}

static void examples_survive(void **state)
{
  (void)state;
  for (size_t i = 0; ho_formats[i]; i++) {
    char path[64];
    snprintf(path, sizeof path, "example.%s", ho_encoding_name(ho_formats[i]->encoding));
    try_text(ho_formats[i], ho_str_of(path), ho_str_of(ho_formats[i]->example), ho_formats[i]->name);
  }
}

/* tests/cases/FORMAT/RULE.bad.EXT, tests/cases/general/RULE.bad.FORMAT.EXT */
static const ho_format *format_of_case(const char *path)
{
  for (size_t i = 0; ho_formats[i]; i++) {
    char folder[128], middle[128];
    snprintf(folder, sizeof folder, "/cases/%s/", ho_formats[i]->name);
    snprintf(middle, sizeof middle, ".%s.", ho_formats[i]->name);
    if (strstr(path, folder) || (strstr(path, "/cases/general/") && strstr(path, middle)))
      return ho_formats[i];
  }
  return NULL;
}

static void try_case(const char *path, void *data)
{
  (void)data;
  ho_arena arena;
  const ho_format *format = format_of_case(path);
  if (!format || ho_str_ends(ho_str_of(path), ".path"))
    return;
  ho_arena_init(&arena, 0);
  try_text(format, ho_str_of(path), file_read(&arena, path), path);
  ho_arena_free(&arena);
}

static void cases_survive(void **state)
{
  (void)state;
  assert_true(each_file(TEST_SOURCE_DIR "/tests/cases", try_case, NULL) > 0);
}

static void try_corpus(const char *path, void *data)
{
  size_t *recognised = data;
  ho_arena arena;
  ho_doc doc;
  ho_error err;
  ho_arena_init(&arena, 0);
  ho_str text = file_read(&arena, path);
  if (ho_doc_read(&doc, &arena, ho_str_of(path), text, NULL, &err) == HO_OK && doc.format)
    (*recognised)++;
  ho_arena_free(&arena);
  ho_arena_init(&arena, 0);
  try_text(NULL, ho_str_of(path), file_read(&arena, path), path);
  ho_arena_free(&arena);
}

static void real_files_survive(void **state)
{
  (void)state;
  size_t recognised = 0, count = each_file(unit_shared("corpus"), try_corpus, &recognised);
  assert_true(count > 0);
  print_message("%zu real files, %zu recognised\n", count, recognised);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(examples_survive),
      cmocka_unit_test(cases_survive),
      cmocka_unit_test(real_files_survive),
  };
  int failed = unit_run(tests);
  printf("%zu round trips\n", trips);
  return failed;
}
