/* read → check → write, over every format's example, the examples and the cases of the project, and read → fix,
 * read → convert there and back, migrate and import over small documents, since a sweep takes the square of its steps.
 * In the fault build (HO_FAULT) it is done again and again, with the first, the second, … allocation failing: a clean
 * error each time. */
#include "unit.h"

#include "base/fs.h"
#include "base/memory.h"
#include "model/convert/convert.h"
#include "model/fix/fix.h"
#include "model/foreign/foreign.h"
#include "model/notes/migrate.h"
#include "model/document/read.h"
#include "model/document/write.h"

static ho_code write_all(const ho_doc *doc, ho_error *err)
{
  ho_code code = HO_OK;
  for (ho_encoding encoding = HO_JSON; encoding <= HO_MARKDOWN && !code; encoding++) {
    ho_buf out;
    ho_buf_init(&out, 0);
    code = ho_doc_write(doc->format, doc->root, encoding, &out, err);
    if (!code)
      code = ho_buf_code(&out, err);
    if (code == HO_USAGE)
      code = HO_OK; /* a format without Markdown */
    ho_buf_free(&out);
  }
  return code;
}

static ho_code work(ho_str path, ho_str text, ho_error *err)
{
  ho_arena arena;
  ho_doc doc;
  const ho_check_env env = {.path = path, .strict = true};
  ho_arena_init(&arena, 0);
  ho_code code = ho_doc_read(&doc, &arena, path, text, NULL, err);
  if (!code)
    code = ho_doc_check(&doc, &env, err);
  if (!code && doc.format)
    code = write_all(&doc, err);
  ho_arena_free(&arena);
  return code;
}

/* A small document, "FROM TO ENCODING" by its path, converted there and back. */
static ho_code convert(ho_str path, ho_str text, ho_error *err)
{
  ho_arena arena;
  ho_doc doc;
  ho_str from, to, encoding_name;
  ho_encoding encoding = HO_JSON;
  ho_node *there, *back, *kept;
  ho_str_next(&path, ' ', &from);
  ho_str_next(&path, ' ', &to);
  ho_str_next(&path, ' ', &encoding_name);
  ho_encoding_named(encoding_name, &encoding);
  ho_conversion how = {ho_format_named(from), ho_format_named(to), HO_JSON, encoding};
  ho_conversion again = {how.to, how.from, encoding, HO_JSON};
  ho_arena_init(&arena, 0);
  ho_code code = ho_doc_read(&doc, &arena, HO_STR("f.yaml"), text, how.from, err);
  if (!code)
    code = ho_convert(&how, doc.root, &arena, &there, &kept, err);
  if (!code)
    code = ho_convert(&again, there, &arena, &back, &kept, err);
  ho_arena_free(&arena);
  return code;
}

static ho_code fix(ho_str path, ho_str text, ho_error *err)
{
  ho_arena arena;
  ho_doc doc;
  ho_fixed fixed;
  const ho_fix_env env = {.check = {.path = path}, .root = HO_EMPTY, .details = HO_EMPTY, .old_details = HO_EMPTY};
  ho_arena_init(&arena, 0);
  ho_code code = ho_doc_read(&doc, &arena, path, text, NULL, err);
  if (!code)
    code = ho_doc_check(&doc, &env.check, err);
  if (!code)
    code = ho_fix(&doc, &env, &arena, &fixed, err);
  ho_arena_free(&arena);
  return code;
}

static ho_code migrate(ho_str path, ho_str text, ho_error *err)
{
  ho_arena arena;
  ho_migrated once;
  const ho_check_env env = {.path = path};
  ho_arena_init(&arena, 0);
  ho_code code = ho_migrate(path, text, HO_EMPTY, &env, &arena, &once, err);
  ho_arena_free(&arena);
  return code;
}

static ho_code import(ho_str path, ho_str text, ho_error *err)
{
  ho_arena arena;
  ho_imported in;
  const ho_check_env env = {.path = path};
  ho_arena_init(&arena, 0);
  ho_code code = ho_import(path, text, true, HO_EMPTY, &env, &arena, &in, err);
  ho_arena_free(&arena);
  return code;
}

typedef ho_code (*task)(ho_str path, ho_str text, ho_error *err);

#ifdef HO_FAULT
static unsigned long failures;

/* Fails each allocation in turn, until one run needs fewer. */
static void sweep(task work_on, ho_str path, ho_str text)
{
  bool fired = true;
  for (unsigned long n = 1; fired; n++) {
    ho_error err = {0};
    ho_fault_arm(n);
    ho_code code = work_on(path, text, &err);
    fired = ho_fault_fired();
    ho_fault_arm(0);
    failures += fired;
    if (fired && (code != HO_MEMORY || err.code != HO_MEMORY))
      fail_msg("%.*s: allocation %lu failed, but the result is %s", HO_ARG(path), n, ho_code_name(code));
  }
}
#endif

static void run(task work_on, ho_str path, ho_str text)
{
  ho_error err = {0};
  ho_code code = work_on(path, text, &err);
  if (code == HO_MEMORY || code == HO_BUG)
    fail_msg("%.*s: %s", HO_ARG(path), err.message);
#ifdef HO_FAULT
  sweep(work_on, path, text);
#endif
}

static void every_example_of_a_format(void **state)
{
  (void)state;
  static const char *const names[] = {"example.json", "example.yaml", "example.md"};
  for (const ho_format *const *format = ho_formats; *format; format++)
    if ((*format)->example)
      run(work, ho_str_of(names[(*format)->encoding]), ho_str_of((*format)->example));
}

static void run_folder(const char *folder)
{
  ho_arena arena;
  ho_fs_list list = {0};
  ho_error err = {0};
  ho_arena_init(&arena, 0);
  if (ho_fs_is_folder(folder))
    assert_int_equal(ho_fs_walk(&arena, folder, NULL, &list, &err), HO_OK);
  for (size_t i = 0; i < list.count; i++) {
    ho_str text;
    assert_int_equal(ho_fs_read(&arena, list.paths[i], 0, &text, &err), HO_OK);
    run(work, ho_str_of(list.paths[i]), text);
  }
  ho_arena_free(&arena);
}

static void every_example(void **state)
{
  (void)state;
  run_folder(TEST_SOURCE_DIR "/examples");
}

static void fixes(void **state)
{
  (void)state;
  run(fix, HO_STR("task.yaml"), HO_STR("outcome: done # so\nfiles_created: a.c\n"));
  run(fix, HO_STR("task.yaml"), HO_STR("outcome: done # so\nfiles_created: [{path: a.c, lines: L1}]\n"));
  run(fix, HO_STR("phase-1-progress.json"), HO_STR("{\"phase\": \"1\", /* a */ \"phase\": 2, \"objectives\": {}}"));
  run(fix, HO_STR("task-1.md"), HO_STR("# T\n\n## Handoff\n\n```yaml\noutcome: done\nblockers: x\n```\n"));
  run(fix, HO_STR("phase-3-handoff-20260212.md"),
      HO_STR("# Phase 3 Handoff: a\n\n**Date**: 2026-02-12\n\n## Next Phase\n- b\n- c\n\n## Decisions\n- d\n- e\n- f\n"
             "- g\n- h\n"));
}

static void conversions(void **state)
{
  (void)state;
  static const char task_yaml[] = "outcome: partial\n"
                                  "gotchas: [{issue: Slow start, mitigation: Warm up, severity: high}]\n"
                                  "suggested_next_steps: [{step: Measure}, {step: Improve}]\n"
                                  "x_own: 1\n";
  static const char meta_yaml[] =
      "status: blocked\nnext_steps: \"- Ask\\n- Wait\"\nerrors: [{type: a, message: No key}]\n";
  run(convert, HO_STR("task response json"), HO_STR(task_yaml));
  run(convert, HO_STR("task artifact md"), HO_STR(task_yaml));
  run(convert, HO_STR("task task md"), HO_STR(task_yaml));
  run(convert, HO_STR("meta task json"), HO_STR(meta_yaml));
}

static void migrations(void **state)
{
  (void)state;
  run(migrate, HO_STR("a.md"),
      HO_STR(
          "---\nstatus: done\n---\n# **N**\n\nWatch out! Perhaps later.\n\n| File | Action |\n|--|--|\n| a.c | new |\n"
          "\n- [ ] b\n\n```\nopen\n"));
  run(migrate, HO_STR("a.md"), HO_STR("## Handoff\n\nPerhaps.\n\n```yaml\noutcome: done\n```\n"));
}

static void imports(void **state)
{
  (void)state;
  run(import, HO_STR("a.yaml"), HO_STR("---\ngoal: a\n---\nnow: x: y\nnext: {a: b}\nfiles: {created: [c.c]}\n"));
  run(import, HO_STR("a.md"), HO_STR("---\ntopic: a\nbranch: b\n---\n# H\n\n## Artifacts\n- `a/b.md`\n\n## X\n\ny\n"));
  run(import, HO_STR("a.json"), HO_STR("{\"status\": \"partial\", \"next_action_hint\": \"do it\", \"blockers\": []}"));
  run(import, HO_STR("a.yaml"), HO_STR("a: [b\n"));
}

static void every_case(void **state)
{
  (void)state;
  run_folder(TEST_SOURCE_DIR "/tests/cases");
#ifdef HO_FAULT
  printf("%lu failed allocations\n", failures);
#endif
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_example_of_a_format),
      cmocka_unit_test(every_example),
      cmocka_unit_test(fixes),
      cmocka_unit_test(conversions),
      cmocka_unit_test(migrations),
      cmocka_unit_test(imports),
      cmocka_unit_test(every_case),
  };
  return unit_run(tests);
}
