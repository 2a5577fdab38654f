/* Every example block of the five source documents behaves as its class says. */
#include "model/support.h"

typedef enum class {
  VALID,    /* recognised by its content; no error */
  BAD,      /* gives the rule named */
  FRAGMENT, /* part of a document: its only errors are missing parts and those named */
  TEMPLATE, /* placeholders are found, and its only errors are those, missing parts and those named */
  NOTHING,  /* no document: not recognised, or not readable at all */
} class;

typedef struct block {
  const char *file;
  unsigned from, to; /* lines, from 1, the fences not included; 0: the whole file */
  class class;
  const char *format;
  const char *extension;
  const char *rules;          /* BAD: the one expected; else: errors that are allowed besides */
  const char *before, *after; /* what a fragment is put between */
  unsigned indent;            /* spaces put before each of its lines */
} block;

#define F0 "000_70fc094016afcf98.txt"
#define F1 "001_ac7ad10b302eac71.txt"
#define F2 "002_e20e6f6837bd846d.txt"
#define F3 "003_e409f56d9b05f257.txt"
#define F4 "004_d9934d177422da7e.txt"
#define SUMMARY                                                                                                        \
  "{\"task_id\": \"auth-001\", \"phase\": \"research\", \"status\": \"complete\", \"decision\": \"PROCEED\",\n"

static const block blocks[] = {
    {F0, 12, 12, NOTHING, NULL, "", NULL, NULL, NULL, 0},
    {F0, 26, 34, NOTHING, NULL, "", NULL, NULL, NULL, 0},
    {F0, 42, 68, TEMPLATE, "artifact", "md", NULL, NULL, NULL, 0},
    {F0, 109, 117, FRAGMENT, "meta", "json", NULL, NULL, NULL, 0},
    {F0, 125, 134, FRAGMENT, "meta", "json", NULL, NULL, NULL, 0},
    {F0, 158, 189, VALID, "artifact", "md", NULL, NULL, NULL, 0},
    {F1, 0, 0, VALID, "plan", "md", NULL, NULL, NULL, 0},
    {F1, 86, 108, TEMPLATE, "artifact", "md", NULL, NULL, NULL, 0},
    {F1, 136, 151, VALID, "progress", "json", NULL, NULL, NULL, 0},
    {F1, 181, 201, NOTHING, NULL, "md", NULL, NULL, NULL, 0},
    {F1, 230, 246, NOTHING, NULL, "md", NULL, NULL, NULL, 0},
    {F1, 277, 300, NOTHING, NULL, "md", NULL, NULL, NULL, 0},
    {F1, 290, 297, FRAGMENT, "meta", "json", NULL, NULL, NULL, 0},
    {F2, 22, 74, TEMPLATE, "task", "yaml", NULL, NULL, NULL, 0},
    {F2, 91, 94, TEMPLATE, "task", "yaml", NULL, NULL, NULL, 0},
    {F2, 99, 103, TEMPLATE, "task", "yaml", NULL, NULL, NULL, 0},
    {F2, 108, 112, TEMPLATE, "task", "yaml", NULL, NULL, NULL, 0},
    {F2, 117, 122, TEMPLATE, "task", "yaml", NULL, NULL, NULL, 0},
    {F2, 127, 129, TEMPLATE, "task", "yaml", NULL, NULL, NULL, 0},
    {F2, 134, 138, TEMPLATE, "task", "yaml", NULL, NULL, NULL, 0},
    {F2, 143, 146, TEMPLATE, "task", "yaml", NULL, NULL, NULL, 0},
    {F2, 151, 155, TEMPLATE, "task", "yaml", NULL, NULL, NULL, 0},
    {F2, 165, 195, NOTHING, NULL, "", NULL, NULL, NULL, 0},
    {F2, 201, 226, NOTHING, NULL, "", NULL, NULL, NULL, 0},
    {F2, 234, 294, TEMPLATE, "task", "md", NULL, NULL, NULL, 0},
    {F2, 258, 289, TEMPLATE, "task", "yaml", NULL, NULL, NULL, 0},
    {F2, 328, 344, NOTHING, NULL, "", NULL, NULL, NULL, 0},
    {F3, 19, 31, TEMPLATE, "request", "json", NULL, NULL, NULL, 0},
    {F3, 53, 64, TEMPLATE, "response", "json", NULL, NULL, NULL, 0},
    {F3, 114, 137, TEMPLATE, "response", "json", NULL, "{\"phase\": \"research\", \"findings\":", "}", 0},
    {F3, 143, 164, TEMPLATE, "response", "json", NULL, "{\"phase\": \"write\", \"findings\":", "}", 0},
    {F3, 170, 198, TEMPLATE, "response", "json", NULL, "{\"phase\": \"validate\", \"findings\":", "}", 0},
    {F3, 204, 221, TEMPLATE, "response", "json", NULL, "{\"phase\": \"parallel\", \"findings\":", "}", 0},
    {F3, 238, 238, FRAGMENT, "response", "json", NULL, SUMMARY, "}", 0},
    {F3, 244, 244, BAD, "response", "json", "response-summary-narration", SUMMARY, "}", 0},
    {F3, 254, 265, VALID, "request", "json", NULL, NULL, NULL, 0},
    {F3, 271, 297, VALID, "response", "json", NULL, NULL, NULL, 0},
    {F3, 303, 315, VALID, "request", "json", NULL, NULL, NULL, 0},
    {F4, 15, 23, NOTHING, NULL, "", NULL, NULL, NULL, 0},
    {F4, 31, 78, TEMPLATE, "package", "yaml", NULL, NULL, NULL, 0},
    {F4, 90, 100, VALID, "package", "yaml", NULL, NULL, NULL, 0},
    {F4, 108, 122, VALID, "package", "yaml", NULL, NULL, NULL, 0},
    {F4, 130, 147, VALID, "package", "yaml", NULL, NULL, NULL, 0},
    {F4, 155, 169, VALID, "package", "yaml", NULL, NULL, NULL, 0},
    {F4, 179, 181, BAD, "package", "yaml", "package-implicit", "handoff:\n  to: a\n", NULL, 2},
    {F4, 183, 188, FRAGMENT, "package", "yaml", NULL, "handoff:\n  to: a\n", NULL, 2},
    {F4, 202, 204, BAD, "package", "yaml", "package-criterion-vague", "handoff:\n  to: a\n  expectations:\n", NULL, 4},
    {F4, 206, 210, FRAGMENT, "package", "yaml", NULL, "handoff:\n  to: a\n  expectations:\n", NULL, 4},
    {F4, 222, 226, NOTHING, NULL, "yaml", NULL, NULL, NULL, 0},
    {F4, 232, 239, TEMPLATE, "ack", "yaml", "ack-understood", NULL, NULL, 0},
    {F4, 247, 253, VALID, "ack", "yaml", NULL, NULL, NULL, 0},
    {F4, 263, 286, TEMPLATE, "gate", "yaml", NULL, NULL, NULL, 0},
    {F4, 296, 307, TEMPLATE, "state", "json", NULL, NULL, NULL, 0},
    {F4, 313, 316, NOTHING, NULL, "", NULL, NULL, NULL, 0},
};

static ho_str cut(const block *b, ho_str text, ho_arena *arena)
{
  ho_buf out;
  ho_str line;
  ho_buf_init(&out, 0);
  ho_buf_puts(&out, b->before ? b->before : "");
  for (unsigned n = 1; ho_str_next_line(&text, &line); n++)
    if (b->from == 0 || (n >= b->from && n <= b->to)) {
      ho_buf_fill(&out, ' ', line.n ? b->indent : 0);
      ho_buf_put(&out, line);
      ho_buf_putc(&out, '\n');
    }
  ho_buf_puts(&out, b->after ? b->after : "");
  ho_str copy = ho_arena_copy(arena, ho_buf_str(&out));
  ho_buf_free(&out);
  return copy;
}

static bool is_allowed(const block *b, const char *rule)
{
  if (ho_str_list_has(b->rules, ho_str_of(rule)))
    return true;
  return b->class != VALID && (ho_str_list_has("required", ho_str_of(rule)) ||
                               (b->class == TEMPLATE && ho_str_list_has("placeholder", ho_str_of(rule))));
}

static const char *verdict(const block *b, const ho_doc *doc, ho_code code, const ho_error *err)
{
  if (b->class == NOTHING)
    return code == HO_SYNTAX || (!code && !doc->format) ? NULL : "is taken for a document";
  if (code)
    return err->message;
  if (!doc->format || !ho_str_is(ho_str_of(doc->format->name), b->format))
    return doc->format ? doc->format->name : "is not recognised";
  if (b->class == BAD)
    return has_finding(doc, b->rules) ? NULL : "does not give its rule";
  for (size_t i = 0; i < doc->report.count; i++)
    if (doc->report.items[i].severity == HO_ERROR && !is_allowed(b, doc->report.items[i].rule->id))
      return doc->report.items[i].rule->id;
  return b->class != TEMPLATE || has_finding(doc, "placeholder") ? NULL : "has no placeholder";
}

static void blocks_behave_as_their_class(void **state)
{
  (void)state;
  const char *sources = unit_shared("seeds");
  unsigned wrong = 0;
  for (size_t i = 0; i < HO_COUNT(blocks); i++) {
    const block *b = &blocks[i];
    char path[4096], name[64];
    ho_arena arena;
    ho_doc doc;
    ho_error err = {0};
    ho_arena_init(&arena, 0);
    snprintf(path, sizeof path, "%s/%s", sources, b->file);
    snprintf(name, sizeof name, "block.%s", b->extension);
    ho_str text = file_read(&arena, path);
    assert_non_null(text.p);
    const ho_format *given = b->class == VALID || !b->format ? NULL : ho_format_named(ho_str_of(b->format));
    ho_code code = read_and_check(&doc, &arena, ho_str_of(name), cut(b, text, &arena), given, false, &err);
    const char *why = verdict(b, &doc, code, &err);
    if (why) {
      wrong++;
      fprintf(stderr, "%s:%u: %s\n", b->file, b->from, why);
      print_findings(&doc);
    }
    ho_arena_free(&arena);
  }
  printf("%zu blocks\n", HO_COUNT(blocks));
  assert_int_equal(wrong, 0);
}

/* Every fenced block is in the table: no example is left out. */
static void no_block_is_left_out(void **state)
{
  (void)state;
  static const char *const files[] = {F0, F1, F2, F3, F4};
  const char *sources = unit_shared("seeds");
  for (size_t i = 0; i < HO_COUNT(files); i++) {
    char path[4096];
    ho_arena arena;
    ho_str line;
    unsigned depth = 0;
    ho_arena_init(&arena, 0);
    snprintf(path, sizeof path, "%s/%s", sources, files[i]);
    ho_str text = file_read(&arena, path);
    assert_non_null(text.p);
    for (unsigned n = 1; ho_str_next_line(&text, &line); n++) {
      if (!ho_str_starts(line, "```"))
        continue;
      bool opens = line.n > 3 || depth == 0, listed = !opens;
      depth += opens ? 1 : -1u;
      for (size_t j = 0; j < HO_COUNT(blocks); j++)
        listed |= !strcmp(blocks[j].file, files[i]) && blocks[j].from >= n + 1 && blocks[j].from <= n + 2;
      if (!listed)
        fail_msg("%s:%u: this block is not in the table", files[i], n);
    }
    ho_arena_free(&arena);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(blocks_behave_as_their_class),
      cmocka_unit_test(no_block_is_left_out),
  };
  return unit_run(tests);
}
