/* import: documents of other tools as task handoffs, and what is promised of any text. */
#include "model/support.h"

#include "model/foreign/foreign.h"
#include "model/formats/formats.h"
#include "model/mutate.h"

static ho_code import(ho_arena *arena, const char *path, ho_str text, bool named, ho_imported *out, ho_error *err)
{
  ho_check_env env = {.path = HO_EMPTY};
  return ho_import(ho_str_of(path), text, named, HO_STR("/srv/app"), &env, arena, out, err);
}

/* Lines with characters that YAML has to escape, as they were. */
static ho_str kept_lines(const ho_imported *in, ho_arena *arena)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  HO_EACH_CONST (line, ho_node_at(in->doc.root, HO_STR("/x_kept/lines")))
    ho_buf_printf(&out, "%.*s\n", HO_ARG(line->text));
  return ho_buf_move(&out, arena);
}

/* Everything that holds of any text that is one; the format it was read as, "" for none. */
static const char *check_promises(const char *path, ho_str text)
{
  ho_arena arena;
  ho_imported in, again;
  ho_error err = {0};
  ho_str lost;
  const char *from = "";
  ho_arena_init(&arena, 0);
  if (import(&arena, path, text, true, &in, &err))
    fail_msg("%s: %s", path, err.message);
  if (in.task) {
    from = in.from->format->name;
    if (!every_line_in(text, in.text, &lost) && !every_line_in(text, kept_lines(&in, &arena), &lost))
      fail_msg("%s lost: %.*s", path, HO_ARG(lost));
    for (size_t i = 0; i < in.doc.report.count; i++) {
      const ho_finding *f = &in.doc.report.items[i];
      if (f->severity == HO_ERROR && strcmp(f->rule->id, "required") && strncmp(f->rule->id, "task-", 5))
        fail_msg("%s: %s: %.*s", path, f->rule->id, HO_ARG(f->message));
    }
    assert_int_equal(in.report.errors, 0);
    /* What came of it is ours, and importing the same again gives the same. */
    assert_int_equal(import(&arena, "x.handoff.yaml", in.text, true, &again, &err), HO_OK);
    assert_non_null(again.ours);
    assert_int_equal(import(&arena, path, text, true, &again, &err), HO_OK);
    assert_true(ho_str_eq(again.text, in.text));
  } else {
    assert_non_null(in.ours);
  }
  ho_arena_free(&arena);
  return from;
}

static const char continuous[] = "---\n"
                                 "session: sign-in\n"
                                 "date: 2026-01-11\n"
                                 "status: complete\n"
                                 "outcome: PARTIAL_PLUS\n"
                                 "---\n"
                                 "\n"
                                 "goal: Tokens\n"
                                 "now: Write the middleware\n"
                                 "# a comment\n"
                                 "blockers: [no keys]\n"
                                 "questions:\n"
                                 "  - Cookies or storage?\n"
                                 "findings:\n"
                                 "  limit: 100 a minute\n"
                                 "worked:\n"
                                 "  - cache: a map of one\n"
                                 "failed:\n"
                                 "  - Retrying at once\n"
                                 "next:\n"
                                 "  - Add tests\n"
                                 "files:\n"
                                 "  created: [src/a.ts, ~/b.ts]\n"
                                 "  modified:\n"
                                 "    - src/c.ts\n"
                                 "decisions:\n"
                                 "  - cookies: safer\n"
                                 "custom: {deep: [1, two]}\n";

static const char humanlayer[] = "---\n"
                                 "date: 2026-01-11T10:00:00+01:00\n"
                                 "researcher: ann\n"
                                 "git_commit: abc123\n"
                                 "branch: main\n"
                                 "topic: \"Sign-in\"\n"
                                 "status: complete\n"
                                 "---\n"
                                 "\n"
                                 "# Handoff: ENG-1 sign-in\n"
                                 "\n"
                                 "## Task(s)\n"
                                 "Tokens, done.\n"
                                 "\n"
                                 "## Critical References\n"
                                 "- `docs/auth.md` - the design\n"
                                 "\n"
                                 "## Recent changes\n"
                                 "- `src/auth/jwt.ts:12-40` - expiry\n"
                                 "\n"
                                 "## Learnings\n"
                                 "- The limit is 100 a minute\n"
                                 "\n"
                                 "## Artifacts\n"
                                 "- `thoughts/plan.md`\n"
                                 "\n"
                                 "## Action Items & Next Steps\n"
                                 "1. Write the middleware\n"
                                 "\n"
                                 "## Other Notes\n"
                                 "Nothing else.\n";

static const char divided[] = "---\n"
                              "researcher: ann\n"
                              "git_commit: abc123\n"
                              "branch: main\n"
                              "status: in_progress\n"
                              "---\n"
                              "\n"
                              "# Handoff: icons\n"
                              "\n"
                              "## Recent changes\n"
                              "\n"
                              "### Headers\n"
                              "\n"
                              "- `next.config.js:15-45` - Added headers\n"
                              "\n"
                              "```\n"
                              "src/b.ts:3 - fixed\n"
                              "```\n"
                              "\n"
                              "## Learnings\n"
                              "\n"
                              "### Security\n"
                              "\n"
                              "1. Compare hosts, not addresses\n"
                              "\n"
                              "## Post-Mortem\n"
                              "\n"
                              "### What Failed\n"
                              "\n"
                              "- Tried: polling\n"
                              "\n"
                              "## Artifacts\n"
                              "\n"
                              "| File | Action | Commit |\n"
                              "|---|---|---|\n"
                              "| `src/new.ts` | Created | abc123 |\n"
                              "\n"
                              "## Action Items & Next Steps\n"
                              "\n"
                              "### Immediate (High Priority)\n"
                              "\n"
                              "1. Add icons\n";

static const char orchestrator[] =
    "{\n"
    "  \"$schema\": \"orchestrator-handoff-v1\",\n"
    "  \"status\": \"blocked\",\n"
    "  \"summary\": \"Half \\\"done\\\"\\nand stuck\",\n"
    "  \"artifacts\": [{\"type\": \"plan\", \"path\": \"specs/1/plan.md\"}, \"specs/2.md\"],\n"
    "  \"blockers\": [\"no keys\", {\"description\": \"no time\", \"severity\": \"soft\"}],\n"
    "  \"next_action_hint\": \"Ask the owner for keys\",\n"
    "  \"files_modified\": [\"src/a.ts\"],\n"
    "  \"dead_ends\": [\"polling\"],\n"
    "  \"continuation_context\": null,\n"
    "  \"phases_total\": 3\n"
    "}\n";

/* A document, what it is, and where a text of it is expected. */
static const struct {
  const char *path, *text, *from, *at, *value;
} cases[] = {
    {"a.yaml", continuous, "continuous-claude", "/outcome", "partial"},
    {"a.yaml", continuous, "continuous-claude", "/suggested_next_steps/0/step", "Write the middleware"},
    {"a.yaml", continuous, "continuous-claude", "/suggested_next_steps/1/step", "Add tests"},
    {"a.yaml", continuous, "continuous-claude", "/blockers/0/blocker", "no keys"},
    {"a.yaml", continuous, "continuous-claude", "/open_questions/0/question", "Cookies or storage?"},
    {"a.yaml", continuous, "continuous-claude", "/patterns_discovered/0/pattern", "limit: 100 a minute"},
    {"a.yaml", continuous, "continuous-claude", "/patterns_discovered/1/pattern", "cache: a map of one"},
    {"a.yaml", continuous, "continuous-claude", "/gotchas/0/issue", "Retrying at once"},
    {"a.yaml", continuous, "continuous-claude", "/files_created/0/path", "src/a.ts"},
    {"a.yaml", continuous, "continuous-claude", "/files_created/1/path", ""},
    {"a.yaml", continuous, "continuous-claude", "/files_modified/0/path", "src/c.ts"},
    {"a.yaml", continuous, "continuous-claude", "/x_kept/from", "continuous-claude"},
    {"a.yaml", continuous, "continuous-claude", "/x_kept/fields/goal", "Tokens"},
    {"a.yaml", continuous, "continuous-claude", "/x_kept/fields/custom/deep/1", "two"},
    {"a.yaml", continuous, "continuous-claude", "/x_kept/text", continuous},
    {"a.md", humanlayer, "humanlayer", "/outcome", "completed"},
    {"a.md", humanlayer, "humanlayer", "/dependencies_for_next/0/file", "docs/auth.md"},
    {"a.md", humanlayer, "humanlayer", "/files_modified/0/path", "src/auth/jwt.ts"},
    {"a.md", humanlayer, "humanlayer", "/patterns_discovered/0/pattern", "The limit is 100 a minute"},
    {"a.md", humanlayer, "humanlayer", "/artifacts/0", "thoughts/plan.md"},
    {"a.md", humanlayer, "humanlayer", "/suggested_next_steps/0/step", "Write the middleware"},
    {"a.md", humanlayer, "humanlayer", "/x_kept/fields/git_commit", "abc123"},
    /* Sections are read below their subheadings, in tables and in fences; what they gave is not kept twice. */
    {"h.md", divided, "humanlayer", "/files_created/0/path", "src/new.ts"},
    {"h.md", divided, "humanlayer", "/files_modified/0/path", "next.config.js"},
    {"h.md", divided, "humanlayer", "/files_modified/0/x_line", "14"},
    {"h.md", divided, "humanlayer", "/files_modified/1/path", "src/b.ts"},
    {"h.md", divided, "humanlayer", "/patterns_discovered/0/pattern", "Compare hosts, not addresses"},
    {"h.md", divided, "humanlayer", "/gotchas/0/issue", "Tried: polling"},
    {"h.md", divided, "humanlayer", "/suggested_next_steps/0/step", "Add icons"},
    {"h.md", divided, "humanlayer", "/suggested_next_steps/0/priority", "high"},
    {"h.md", divided, "humanlayer", "/x_kept/fields/x_next_more", ""},
    {"h.md", divided, "humanlayer", "/x_kept/fields/branch", "main"},
    {"a.json", orchestrator, "orchestrator-handoff", "/outcome", "blocked"},
    {"a.json", orchestrator, "orchestrator-handoff", "/artifacts/1", "specs/2.md"},
    {"a.json", orchestrator, "orchestrator-handoff", "/blockers/0/blocker", "no keys"},
    {"a.json", orchestrator, "orchestrator-handoff", "/blockers/1/blocker", "no time"},
    {"a.json", orchestrator, "orchestrator-handoff", "/suggested_next_steps/0/step", "Ask the owner for keys"},
    {"a.json", orchestrator, "orchestrator-handoff", "/gotchas/0/issue", "polling"},
    {"a.json", orchestrator, "orchestrator-handoff", "/x_kept/fields/phases_total", "3"},
    /* The content counts, whatever the file is called; a name helps where the content has drifted. */
    {"note", humanlayer, "humanlayer", "/outcome", "completed"},
    {".orchestrator-handoff.json", "{\"status\": \"planned\"}", "orchestrator-handoff", "/outcome", "completed"},
    /* Front matter alone, never closed, and as another tool's events. */
    {"e.md", "---\ngoal: x\nnow: Do it\noutcome: FAILED\n---\n\n## End\n", "continuous-claude", "/outcome", "failed"},
    {"e.md", "---\nresearcher: ann\nbranch: b\nstatus: partial\n\n# Handoff\n", "humanlayer", "/outcome", "partial"},
    /* Invalid YAML: a value with ": ", a quoted one that goes on. */
    {"b.yaml", "goal: a\nnow: x: y: z\nsession: \"a\" b\noutcome: SUCCEEDED\n", "continuous-claude", "/outcome",
     "completed"},
    /* Wrong types. */
    {"c.yaml", "goal: [a, b]\nnow: {x: 1}\nsession: 1\nnext: One step\nblockers: none\n", "continuous-claude",
     "/suggested_next_steps/0/step", "One step"},
    {"c.yaml", "goal: a\nsession: 1\nblockers: None\nnext:\n  - [deep]\n  - {a: 1, b: 2}\n", "continuous-claude",
     "/blockers/0/blocker", ""},
    /* What no table fits, where the user means it. */
    {"d.json", "{\"task_id\": \"B-1\", \"status\": \"done\", \"future_work\": [\"tests\"], \"x\": 1}", "report",
     "/suggested_next_steps/0/step", "tests"},
    {"d.json", "{\"broken\": ", "text", "/outcome", ""},
    {"d.md", "# Notes\n\nWatch out for the cache.\n", "text", "/gotchas/0/issue", "Watch out for the cache."},
    {"d.json", "[1, 2]", "text", "/outcome", ""},
    {"d.yaml", "a: [never closed\nb: 'x\n", "text", "/outcome", ""},
    {"d.yaml", "goal: a\ngoal: b\nsession: s\noutcome: SUCCEEDED\n", "continuous-claude", "/outcome", "completed"},
    {"d.yaml", "goal: \"{goal}\"\nsession: s\nnext: [\"{step}\", \"...\", \"[name]\"]\n", "continuous-claude",
     "/suggested_next_steps/0/step", ""},
};

static void test_cases(void **state)
{
  (void)state;
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    ho_arena arena;
    ho_imported in;
    ho_arena_init(&arena, 0);
    ho_error err = {0};
    if (import(&arena, cases[i].path, ho_str_of(cases[i].text), true, &in, &err))
      fail_msg("%s: %s", cases[i].text, err.message);
    assert_non_null(in.from);
    assert_string_equal(in.from->format->name, cases[i].from);
    ho_str found = ho_node_str(ho_node_at(in.doc.root, ho_str_of(cases[i].at)));
    if (!ho_str_is(found, cases[i].value))
      fail_msg("%s: %s is '%.*s'", cases[i].path, cases[i].at, HO_ARG(found));
    check_promises(cases[i].path, ho_str_of(cases[i].text));
    ho_arena_free(&arena);
  }
}

static void test_every_table_has_a_case(void **state)
{
  (void)state;
  for (const ho_foreign *each = ho_foreign_formats; each->format; each++) {
    bool tried = false;
    for (size_t i = 0; i < HO_COUNT(cases) && !tried; i++)
      tried = !strcmp(cases[i].from, each->format->name);
    if (!tried)
      fail_msg("no document of %s is imported here; add one to `cases`", each->format->name);
  }
}

/* In a folder only what a table fits is taken; ours is ours. */
static void test_not_named(void **state)
{
  (void)state;
  ho_arena arena;
  ho_imported in;
  ho_arena_init(&arena, 0);
  assert_int_equal(import(&arena, "a.md", HO_STR("# Readme\n\nNext: x\n"), false, &in, &(ho_error){0}), HO_OK);
  assert_true(!in.from && !in.task && !in.ours);
  assert_int_equal(import(&arena, "a.json", HO_STR("{\"status\": \"done\"}"), false, &in, &(ho_error){0}), HO_OK);
  assert_true(!in.from && !in.task);
  assert_int_equal(import(&arena, "a.yaml", ho_str_of(continuous), false, &in, &(ho_error){0}), HO_OK);
  assert_non_null(in.task);
  assert_int_equal(import(&arena, "a.json", HO_STR("{\"broken"), false, &in, &(ho_error){0}), HO_SYNTAX);
  const ho_format *package = &ho_format_package;
  assert_int_equal(import(&arena, "a.yaml", ho_str_of(package->example), true, &in, &(ho_error){0}), HO_OK);
  assert_ptr_equal(in.ours, package);
  ho_arena_free(&arena);
}

/* What is wrong with the original is said, with its line. */
static void test_findings(void **state)
{
  (void)state;
  ho_arena arena;
  ho_imported in;
  ho_arena_init(&arena, 0);
  assert_int_equal(import(&arena, "a.yaml", HO_STR("goal: a\nnow: x: y\nsession: s\n"), true, &in, &(ho_error){0}),
                   HO_OK);
  assert_true(in.report.count == 1 && in.report.items[0].line == 2);
  assert_string_equal(in.report.items[0].rule->id, "yaml-recovered");
  assert_int_equal(import(&arena, "a.md", HO_STR("---\ntopic: a\nbranch: b\n\n# Handoff\n"), true, &in, &(ho_error){0}),
                   HO_OK);
  assert_true(in.report.count == 1);
  assert_string_equal(in.report.items[0].rule->id, "front-matter");
  assert_int_equal(import(&arena, "a.json", HO_STR("{\n  \"a\": \n"), true, &in, &(ho_error){0}), HO_OK);
  assert_true(in.report.count == 1 && in.report.items[0].severity == HO_WARNING);
  assert_string_equal(in.report.items[0].rule->id, "syntax");
  assert_int_equal(import(&arena, "a.yaml", HO_STR("caf\xE9: 1\n"), true, &in, &(ho_error){0}), HO_SYNTAX);
  assert_int_equal(import(&arena, "a.md", HO_STR("a\0b"), true, &in, &(ho_error){0}), HO_SYNTAX);
  ho_arena_free(&arena);
}

static void test_odd_texts(void **state)
{
  static const char *const texts[] = {"",
                                      "\n",
                                      "   indented first\nline\n",
                                      "\ttab\n\n\n   \nlast",
                                      "control \x01 character\nand \xE2\x80\xA8 separator\n",
                                      "\xEF\xBB\xBFgoal: a\r\nsession: b\r\nnext: [c]\r\n",
                                      "goal: &a x\nsession: *a\nnext: [*a, *a]\n",
                                      "--- \ngoal: a\n...\n---\nnow: b\nsession: c\n",
                                      "goal: a\nsession: s\nx_kept: {from: task, text: mine}\n",
                                      "goal: a\nsession: s\nfiles: [a, b]\nfiles_created: {a: b}\n",
                                      "\"a\": 1\n\"a\": 2\nstatus: done\n",
                                      "trailing spaces   \nmore\t\n\n\n",
                                      "# only a heading"};
  static const char *const paths[] = {"a.yaml", "a.json", "a.md", "a.txt", "-"};
  (void)state;
  for (size_t i = 0; i < HO_COUNT(texts); i++)
    for (size_t p = 0; p < HO_COUNT(paths); p++)
      check_promises(paths[p], ho_str_of(texts[i]));
}

static void test_large(void **state)
{
  (void)state;
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_buf_puts(&text, "goal: a\nsession: s\nnext:\n");
  for (unsigned i = 0; i < 4000; i++)
    ho_buf_printf(&text, "  - Step %u\n", i);
  for (unsigned i = 0; i < 4000; i++)
    ho_buf_puts(&text, "  - \"{step}\"\n");
  for (unsigned i = 0; i < 60; i++) {
    ho_buf_fill(&text, ' ', i ? i : 0);
    ho_buf_printf(&text, "k%u:\n", i);
  }
  check_promises("a.yaml", ho_buf_str(&text));
  ho_buf_free(&text);
}

typedef struct tally {
  size_t files, imported, mutations;
} tally;

static void try_file(const char *path, void *data)
{
  tally *sum = data;
  ho_arena arena;
  ho_buf worse;
  ho_arena_init(&arena, 0);
  ho_str text = file_read(&arena, path);
  if (text.n < 200000) {
    bool imported = *check_promises(path, text) != '\0';
    sum->files++;
    sum->imported += imported;
    ho_buf_init(&worse, 0);
    for (unsigned way = sum->files % MUTATIONS; imported && text.n < 20000 && way < MUTATIONS; way += mutate_step()) {
      ho_buf_reset(&worse);
      mutate(&worse, text, way);
      check_promises(path, ho_buf_str(&worse));
      sum->mutations++;
    }
    ho_buf_free(&worse);
  }
  ho_arena_free(&arena);
}

static void test_real_files(void **state)
{
  (void)state;
  tally sum = {0};
  assert_true(each_file(unit_shared("corpus"), try_file, &sum) > 0);
  print_message("%zu real files, %zu imported, %zu mutations\n", sum.files, sum.imported, sum.mutations);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cases),      cmocka_unit_test(test_every_table_has_a_case),
      cmocka_unit_test(test_not_named),  cmocka_unit_test(test_findings),
      cmocka_unit_test(test_odd_texts),  cmocka_unit_test(test_large),
      cmocka_unit_test(test_real_files),
  };
  return unit_run(tests);
}
