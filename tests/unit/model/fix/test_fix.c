/* fix: what it promises, on texts made for it, on every case, and on real files. */
#include "model/support.h"

#include "doc/text/diff.h"
#include "doc/yaml/yaml.h"
#include "model/fix/fix.h"
#include "model/fix/fix_cover.h"
#include "model/formats/artifact.h"
#include "model/formats/formats.h"
#include "model/general_rules.h"

/* A document on its way: read, checked, fixed, with the details file that came of it. */
typedef struct trial {
  ho_arena arena;
  ho_doc doc;
  ho_fixed fixed;
} trial;

static ho_fix_env env_for(ho_str path, ho_str details)
{
  return (ho_fix_env){.check = {.path = path, .exists = not_missing},
                      .root = HO_STR("/srv/app"),
                      .details = details,
                      .old_details = HO_EMPTY};
}

/* False where the text cannot be read. */
static bool try_fix(trial *t, const char *path, ho_str text, ho_str details, const ho_format *format)
{
  ho_error err = {0};
  ho_fix_env env = env_for(ho_str_of(path), details);
  ho_arena_init(&t->arena, 0);
  if (ho_doc_read(&t->doc, &t->arena, env.check.path, text, format, &err))
    return false;
  if (ho_doc_check(&t->doc, &env.check, &err) || ho_fix(&t->doc, &env, &t->arena, &t->fixed, &err))
    fail_msg("%s: %s", path, err.message);
  return t->doc.format != NULL;
}

static size_t lines_of(ho_str text)
{
  size_t lines = 1;
  text = ho_str_trim_end(text);
  for (size_t i = 0; i < text.n; i++)
    lines += text.p[i] == '\n';
  return lines;
}

/* Does a missing fact break the rule, so that nothing that is written in another way could satisfy it? */
static bool is_fact(const ho_rule_info *info)
{
  if (info == &ho_rule_REQUIRED || info == &ho_rule_EXPECTED || info == &ho_rule_PLACEHOLDER)
    return true;
  for (size_t i = 0; ho_formats[i]; i++)
    for (const ho_rule *rule = ho_formats[i]->rules; rule->info.id; rule++)
      if (&rule->info == info)
        return rule->fact || rule->require;
  return false;
}

static void assert_only_facts(const char *path, const ho_report *report)
{
  for (size_t i = 0; i < report->count; i++) {
    const ho_finding *f = &report->items[i];
    if (f->severity == HO_ERROR && !is_fact(f->rule))
      fail_msg(
          "%s:%u: %s is left: %.*s\nEither `fix` mends it, or only the author can, and the rule says `.fact = true` "
          "(model/format.h).\n%.*s",
          path, f->line, f->rule->id, HO_ARG(f->message), HO_ARG(report->source->text));
  }
}

static void assert_nothing_lost(const char *path, const trial *t)
{
  ho_cover cover;
  ho_str rest = t->doc.source.text, line;
  ho_cover_init(&cover);
  ho_cover_add(&cover, t->fixed.text);
  ho_cover_add(&cover, t->fixed.details);
  while (ho_str_next_line(&rest, &line))
    if (!ho_cover_has(&cover, line))
      fail_msg("%s: lost: %.*s", path, HO_ARG(line));
  ho_cover_free(&cover, NULL);
}

static void assert_at_rest(const char *path, const trial *t)
{
  trial again;
  assert_true(try_fix(&again, path, t->fixed.text, t->fixed.details, t->doc.format));
  if (again.fixed.changed || again.fixed.details.n)
    fail_msg("%s: a second fix changes it:\n--- once\n%.*s\n--- twice\n%.*s", path, HO_ARG(t->fixed.text),
             HO_ARG(again.fixed.text));
  ho_arena_free(&again.arena);
}

/* In YAML or JSON: its Markdown form is one screen, and every member is there as it was, or in the details. */
static void assert_screen(const char *path, trial *t)
{
  ho_buf page;
  const ho_doc *now = t->fixed.changed ? &t->fixed.after : &t->doc;
  ho_node *moved = NULL;
  ho_buf_init(&page, 0);
  ho_artifact_write(now->format, now->root, &page);
  if (lines_of(ho_buf_str(&page)) > HO_ARTIFACT_LINES)
    fail_msg("%s: more than a screen:\n%.*s", path, HO_ARG(ho_buf_str(&page)));
  ho_buf_free(&page);
  if (!t->fixed.details.n)
    return;
  ho_md md;
  ho_source source;
  ho_report report;
  ho_error err = {0};
  assert_int_equal(ho_source_init(&source, &t->arena, HO_STR("details.md"), t->fixed.details, &err), HO_OK);
  ho_report_init(&report, &t->arena, &source);
  assert_int_equal(ho_md_read(&source, &t->arena, &report, &md, &err), HO_OK);
  for (const ho_md_block *block = md.blocks; block; block = block->next)
    if (block->kind == HO_MD_CODE)
      assert_int_equal(ho_yaml_read(&source, block->text_begin, block->text_end, &t->arena, &report, &moved, &err), 0);
  HO_EACH_CONST (child, t->doc.root)
    if (!ho_node_equal(child, ho_map_get(now->root, child->key)) && !ho_map_get(moved, child->key))
      fail_msg("%s: lost: %.*s", path, HO_ARG(child->key));
}

/* Everything that fix promises of any document. Returns whether it was changed. */
static bool hold_to_promise(const char *path, ho_str text, const ho_format *format)
{
  trial t;
  bool changed = false;
  if (try_fix(&t, path, text, HO_EMPTY, format)) {
    changed = t.fixed.changed;
    assert_only_facts(path, changed ? &t.fixed.after.report : &t.doc.report);
    if (!strcmp(t.doc.format->name, "artifact") && t.doc.encoding == HO_MARKDOWN) {
      if (lines_of(t.fixed.text) > HO_ARTIFACT_LINES)
        fail_msg("%s: more than a screen:\n%.*s", path, HO_ARG(t.fixed.text));
      assert_nothing_lost(path, &t);
    } else if (!strcmp(t.doc.format->name, "artifact")) {
      assert_screen(path, &t);
    }
    assert_at_rest(path, &t);
  }
  ho_arena_free(&t.arena);
  return changed;
}

/* --- texts made for it -------------------------------------------------------------------------------------------- */

static void check_fixed(const char *path, const char *text, const char *format, const char *wanted)
{
  trial t;
  assert_true(try_fix(&t, path, ho_str_of(text), HO_EMPTY, ho_format_named(ho_str_of(format))));
  if (!ho_str_is(t.fixed.text, wanted))
    fail_msg("wanted:\n%s\ngot:\n%.*s", wanted, HO_ARG(t.fixed.text));
  assert_int_equal(t.fixed.changed, strcmp(text, wanted) != 0);
  ho_arena_free(&t.arena);
  hold_to_promise(path, ho_str_of(text), ho_format_named(ho_str_of(format)));
}

static void values_are_put_right_in_their_places(void **state)
{
  (void)state;
  check_fixed(
      "t.yaml", "outcome: Done # so\nfiles_modified:\n  - {path: /srv/app/src/a.c, lines: L1-L2, change_type: edit}\n",
      "task", "outcome: completed # so\nfiles_modified:\n  - {path: src/a.c, lines: \"1-2\", change_type: modify}\n");
  check_fixed("phase-1-progress.json",
              "{\"phase\": 1,\t\"phase_name\": \"a\", \"started_at\": \"2026-02-12 14:30:00.25\",\n"
              " \"last_updated\": \"2026-02-12T14:31:00Z\", \"x_own\": null,\n"
              " \"objectives\": [{\"id\": 1, \"name\": \"b\", \"status\": \"completed\"}], \"handoff_count\": 0 }",
              "progress",
              "{\"phase\": 1,\t\"phase_name\": \"a\", \"started_at\": \"2026-02-12T14:30:00.25Z\",\n"
              " \"last_updated\": \"2026-02-12T14:31:00Z\", \"x_own\": null,\n"
              " \"objectives\": [{\"id\": 1, \"description\": \"b\", \"status\": \"done\"}], \"handoff_count\": 0 }");
}

/* What stood there is kept where it says more than the choice. */
static void remarks_on_a_choice_are_kept(void **state)
{
  (void)state;
  check_fixed("t.yaml", "outcome: \"\xe2\x9c\x85 Done: all tests pass\"\n", "task",
              "outcome: completed\nx_outcome_stated: \"\xe2\x9c\x85 Done: all tests pass\"\n");
  check_fixed("t.yaml", "outcome: done\ngotchas:\n  - issue: a\n    severity: HIGH - it blocks\n", "task",
              "outcome: completed\ngotchas:\n  - id: gotcha-296230c0\n    issue: a\n    severity: high\n"
              "    x_severity_stated: HIGH - it blocks\n");
  /* Another word, and nobody can tell which one is meant: it goes beside. */
  const char *const unclear[] = {"not completed", "completed/failed", "partial success", "done-ish", "done \xc3\xa9"};
  for (size_t i = 0; i < HO_COUNT(unclear); i++) {
    char text[64], aside[80];
    snprintf(text, sizeof text, "outcome: %s\n", unclear[i]);
    snprintf(aside, sizeof aside, "x_%s", text);
    check_fixed("t.yaml", text, "task", aside);
  }
}

static void shapes_are_written_anew_with_their_comments(void **state)
{
  (void)state;
  check_fixed("t.yaml", "# first\noutcome: done\nfiles_created: src/a.c # the only one\nmine: 1\n", "task",
              "# first\n# the only one\noutcome: completed\nfiles_created:\n  - path: src/a.c\nmine: 1\n");
  check_fixed(
      "t.json", "{\"outcome\": \"done\", // well\n \"open_questions\": \"a\"}", "task",
      "{\n  \"outcome\": \"completed\",\n  \"open_questions\": [\n    {\n      \"question\": \"a\"\n    }\n  ],\n"
      "  \"x_comments\": [\n    \"well\"\n  ]\n}\n");
  check_fixed("t.yaml", "outcome: completed\noutcome: failed\nfiles_created: []\n", "task",
              "outcome: completed\nx_outcome_2: failed\nfiles_created: []\n");
}

static void a_task_file_keeps_every_other_byte(void **state)
{
  (void)state;
  check_fixed("task-1.md", "# Task 1: a\n\n## Handoff\n\n```yaml\noutcome: done\nfiles_created: [a.c]\n```\n\nEnd .",
              "task",
              "# Task 1: a\n\n## Handoff\n\n```yaml\noutcome: completed\nfiles_created:\n  - path: a.c\n```\n\nEnd .");
}

static void what_is_right_is_left_alone(void **state)
{
  (void)state;
  for (size_t i = 0; ho_formats[i]; i++) {
    trial t;
    char path[64];
    snprintf(path, sizeof path, "example.%s", ho_encoding_name(ho_formats[i]->encoding));
    assert_true(try_fix(&t, path, ho_str_of(ho_formats[i]->example), HO_EMPTY, ho_formats[i]));
    assert_false(t.fixed.changed);
    assert_ptr_equal(t.fixed.text.p, ho_formats[i]->example);
    ho_arena_free(&t.arena);
  }
}

static void names_tell_phase_and_time(void **state)
{
  static const struct {
    const char *path, *phase, *stamp;
  } names[] = {{"specs/7_x/handoffs/phase-3-handoff-20260212T143022Z.md", "3", "20260212T143022Z"},
               {"phase-2-3-handoff-20260212b.md", "2-3", "20260212b"},
               {"phase-6a-handoff-20260212-143022.md", "6a", "20260212-143022"},
               {"phase-6-blocker-20260309.md", "6", "20260309"},
               {"phase1-complete.md", "1", ""},
               {"01_phase1-analysis.md", "1", ""},
               {"notes.md", "", ""},
               {"phase-B-handoff-1780081000.md", "B", "1780081000"}};
  (void)state;
  for (size_t i = 0; i < HO_COUNT(names); i++) {
    ho_str phase, stamp;
    ho_fix_name_facts(ho_str_of(names[i].path), &phase, &stamp);
    if (!ho_str_is(phase, names[i].phase) || !ho_str_is(stamp, names[i].stamp))
      fail_msg("%s: '%.*s' '%.*s'", names[i].path, HO_ARG(phase), HO_ARG(stamp));
  }
}

static void the_next_action_is_one_step(void **state)
{
  static const struct {
    const char *text, *wanted;
  } steps[] = {{"1. Run `make`\n2. Read it\n", "Run `make`"},
               {"The steps:\n\n- Continue working on it\n- Fix `a.c`,\n  then stop\n", "Fix `a.c`, then stop"},
               {"Port `a.c` to line 7.\n\n- [ ] the head\n- the rest\n", "Port `a.c` to line 7."}};
  (void)state;
  for (size_t i = 0; i < HO_COUNT(steps); i++) {
    trial t;
    char text[512];
    snprintf(text, sizeof text,
             "# Phase 1 Handoff - 20260212T143022Z\n\n## Immediate Next Action\n%s\n## Current State\n- **File**: /a\n",
             steps[i].text);
    assert_true(try_fix(&t, "a.md", ho_str_of(text), HO_EMPTY, &ho_format_artifact));
    ho_str next = ho_map_str(t.fixed.after.root, "immediate_next_action");
    if (!ho_str_is(next, steps[i].wanted))
      fail_msg("wanted '%s', got '%.*s'", steps[i].wanted, HO_ARG(next));
    ho_arena_free(&t.arena);
    hold_to_promise("a.md", ho_str_of(text), &ho_format_artifact);
  }
}

static void diffs_say_what_changes(void **state)
{
  (void)state;
  ho_buf out;
  ho_error err;
  ho_buf_init(&out, 0);
  assert_int_equal(ho_diff_write(&out, HO_STR("a"), HO_STR("a"), HO_STR("1\n2\n"), HO_STR("1\n2\n"), &err), HO_OK);
  assert_string_equal(out.p, "");
  assert_int_equal(
      ho_diff_write(&out, HO_STR("a"), HO_STR("a"), HO_STR("1\n2\n3\n4\n5\n"), HO_STR("1\n2\nx\n4\n5"), &err), HO_OK);
  assert_string_equal(out.p,
                      "--- a/a\n+++ b/a\n@@ -1,5 +1,5 @@\n 1\n 2\n-3\n+x\n 4\n-5\n+5\n\\ No newline at end of file\n");
  ho_buf_reset(&out);
  assert_int_equal(ho_diff_write(&out, HO_STR("x y"), HO_STR("x\"\n"), HO_STR("1\n"), HO_STR("1\n"), &err), HO_OK);
  assert_string_equal(out.p, "diff --git a/x y \"b/x\\\"\\012\"\nrename from x y\nrename to \"x\\\"\\012\"\n");
  ho_buf_reset(&out);
  assert_int_equal(ho_diff_write(&out, HO_STR("/dev/null"), HO_STR("x y"), HO_EMPTY, HO_STR("1\n"), &err), HO_OK);
  assert_string_equal(out.p, "--- /dev/null\n+++ b/x y\t\n@@ -0,0 +1,1 @@\n+1\n");
  ho_buf_free(&out);
}

/* --- cases and real files ----------------------------------------------------------------------------------------- */

typedef struct tally {
  size_t documents, changed;
} tally;

static void try_file(const char *path, void *data)
{
  tally *sum = data;
  ho_arena arena;
  ho_arena_init(&arena, 0);
  if (!ho_str_ends(ho_str_of(path), ".path")) {
    sum->documents++;
    sum->changed += hold_to_promise(path, file_read(&arena, path), NULL);
  }
  ho_arena_free(&arena);
}

static void cases_hold(void **state)
{
  (void)state;
  tally sum = {0};
  each_file(TEST_SOURCE_DIR "/tests/cases", try_file, &sum);
  assert_true(sum.changed > 0);
}

static void real_files_hold(void **state)
{
  (void)state;
  tally sum = {0};
  assert_true(each_file(unit_shared("corpus"), try_file, &sum) > 0);
  print_message("%zu real files, %zu fixed\n", sum.documents, sum.changed);
}

/* --- made-up handoffs --------------------------------------------------------------------------------------------- */

static uint64_t seed = 20260212;

static unsigned dice(unsigned n)
{
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(seed >> 33) % n;
}

static void put_words(ho_buf *out, unsigned most)
{
  static const char *const words[] = {
      "parser", "`a.c`",      "src/b.c", "**bold**", "because", "fails:", "-",     "—",
      "42",     "λ",          "*it*",    "[x]",      "<b>",     "end.",   "Phase", "#7",
      "x_y",    "http://a/b", "Task",    "retry",    "and",     "3.5",    "\"q\"", "next"};
  for (unsigned i = 1 + dice(most); i-- > 0;)
    ho_buf_printf(out, "%s%s", words[dice(HO_COUNT(words))], i ? " " : "");
}

static void put_item(ho_buf *out, const char *indent, unsigned number)
{
  static const char *const marks[] = {"- ", "* ", "+ ", "1) "};
  char mark[16];
  snprintf(mark, sizeof mark, "%u. ", number);
  ho_buf_printf(out, "%s%s", indent, dice(2) ? mark : marks[dice(HO_COUNT(marks))]);
  if (dice(3) == 0) {
    ho_buf_puts(out, "**");
    put_words(out, 3);
    ho_buf_puts(out, dice(2) ? "**: " : ":** ");
  }
  if (dice(12))
    put_words(out, 9);
  ho_buf_putc(out, '\n');
}

static void put_block(ho_buf *out)
{
  static const char *const starts[] = {"",      "> ",     "### ",  "#### ",           "    ",
                                       "<!-- ", "| a | ", "---\n", "**File**: /srv/", "[ ] "};
  unsigned kind = dice(9);
  if (kind < 4) {
    for (unsigned i = 1, n = 1 + dice(9); i <= n; i++) {
      put_item(out, "", i);
      if (dice(6) == 0)
        put_item(out, "   ", 1);
      if (dice(9) == 0)
        ho_buf_puts(out, "\n   ```lean\n   theorem\n   # note\n   ```\n\n");
    }
  } else if (kind == 4) {
    ho_buf_puts(out, dice(2) ? "```\n" : "~~~yaml\n");
    for (unsigned i = dice(9); i-- > 0; ho_buf_putc(out, '\n'))
      put_words(out, 6);
    ho_buf_puts(out, dice(9) ? "```\n" : "~~~\n");
  } else {
    for (unsigned i = 1 + dice(4); i-- > 0; ho_buf_putc(out, '\n')) {
      ho_buf_puts(out, starts[dice(3) ? 0 : dice(HO_COUNT(starts))]);
      put_words(out, 12);
    }
  }
  ho_buf_putc(out, '\n');
}

static void put_handoff(ho_buf *out)
{
  static const char *const titles[] = {"# Phase 3 Handoff - 20260212T143022Z",
                                       "# Phase 3 Handoff: ",
                                       "# Handoff: Task 7 Phase 3 ",
                                       "# Phase 6a Handoff — ",
                                       "# ",
                                       "Phase 3 Handoff\n=====",
                                       ""};
  static const char *const labels[] = {
      "Status", "Date", "Timestamp", "Task", "Phase", "Title", "Genre", "Session", "Immediate Next Action"};
  static const char *const values[] = {"2026-02-12",           "12", "3 of 5", "checkpoint", "COMPLETED",
                                       "2026-02-12T14:30:22Z", ""};
  static const char *const sections[] = {"Immediate Next Action",
                                         "Current State",
                                         "Key Decisions Made",
                                         "What NOT to Try",
                                         "Critical Context (max 5 items)",
                                         "References (read only if stuck)",
                                         "Next Phase",
                                         "Key Decisions",
                                         "What Was Done",
                                         "Status: BLOCKED",
                                         "Context",
                                         "Refs",
                                         "Phase: 4",
                                         "Summary"};
  ho_buf_puts(out, titles[dice(HO_COUNT(titles))]);
  put_words(out, 3);
  ho_buf_puts(out, "\n\n");
  for (unsigned i = dice(5); i-- > 0;)
    ho_buf_printf(out, "%s**%s**: %s\n", dice(4) ? "" : "- ", labels[dice(HO_COUNT(labels))],
                  values[dice(HO_COUNT(values))]);
  bool six = dice(3) > 0;
  for (unsigned i = 0, n = six ? 6 : dice(10); i < n; i++) {
    ho_buf_printf(out, "\n## %s\n", sections[six && dice(9) ? i : dice(HO_COUNT(sections))]);
    for (unsigned blocks = dice(4); blocks-- > 0;)
      put_block(out);
  }
}

static void made_up_handoffs_hold(void **state)
{
  (void)state;
  ho_buf text;
  size_t changed = 0;
  ho_buf_init(&text, 0);
  for (int i = 0; i < 1000; i++) {
    ho_buf_reset(&text);
    put_handoff(&text);
    changed += hold_to_promise("specs/7_x/handoffs/phase-3-handoff-20260212.md", ho_buf_str(&text), NULL);
  }
  print_message("1000 made-up handoffs, %zu fixed\n", changed);
  ho_buf_free(&text);
}

/* The same in YAML and JSON. */
static void made_up_handoffs_hold_as_data(void **state)
{
  (void)state;
  ho_buf text, data;
  size_t changed = 0;
  ho_buf_init(&text, 0);
  ho_buf_init(&data, 0);
  for (int i = 0; i < 400; i++) {
    trial t;
    ho_error err = {0};
    const ho_format *artifact = &ho_format_artifact;
    ho_buf_reset(&text);
    ho_buf_reset(&data);
    put_handoff(&text);
    assert_true(try_fix(&t, "phase-3-handoff.md", ho_buf_str(&text), HO_EMPTY, artifact));
    assert_int_equal(ho_doc_write(artifact, t.doc.root, i % 2 ? HO_YAML : HO_JSON, &data, &err), HO_OK);
    changed += hold_to_promise(i % 2 ? "phase-3-handoff.yaml" : "phase-3-handoff.json", ho_buf_str(&data), artifact);
    ho_arena_free(&t.arena);
  }
  print_message("400 made-up handoffs as data, %zu fixed\n", changed);
  assert_true(changed > 100);
  ho_buf_free(&text);
  ho_buf_free(&data);
}

/* Of a phase handoff that does not fit one screen. */
static void a_map_in_place_of_a_fact_is_no_trouble(void **state)
{
  (void)state;
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_buf_puts(&text, "phase: 1\nimmediate_next_action: Run it\ncritical_context:\n  - {a: b, c: {d: e}}\n");
  for (int i = 0; i < 60; i++)
    ho_buf_printf(&text, i % 15 ? "    line %d\n" : "  - |\n    line %d\n", i);
  assert_true(hold_to_promise("a.yaml", ho_buf_str(&text), &ho_format_artifact));
  ho_buf_free(&text);
}

static void a_byte_order_mark_stays(void **state)
{
  (void)state;
  check_fixed("t.yaml", "\xEF\xBB\xBFoutcome: Done # so\n", "task", "\xEF\xBB\xBFoutcome: completed # so\n");
  check_fixed("t.yaml", "\xEF\xBB\xBF# first\noutcome: done\nfiles_created: src/a.c\n", "task",
              "\xEF\xBB\xBF# first\noutcome: completed\nfiles_created:\n  - path: src/a.c\n");
  trial t;
  const char *paths[] = {"phase-3-handoff.md", "t.json"};
  const char *texts[] = {"\xEF\xBB\xBF## Next\nRun it.\n\n## Decisions\n1. a\n2. b\n3. c\n4. d\n5. e\n6. f\n7. g\n",
                         "\xEF\xBB\xBF{\"outcome\": \"done\", \"open_questions\": \"a\"}"};
  const char *formats[] = {"artifact", "task"};
  for (size_t i = 0; i < HO_COUNT(paths); i++) {
    assert_true(try_fix(&t, paths[i], ho_str_of(texts[i]), HO_EMPTY, ho_format_named(ho_str_of(formats[i]))));
    assert_true(t.fixed.changed);
    assert_true(ho_str_starts(t.fixed.text, "\xEF\xBB\xBF"));
    assert_at_rest(paths[i], &t);
    ho_arena_free(&t.arena);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(values_are_put_right_in_their_places),
      cmocka_unit_test(remarks_on_a_choice_are_kept),
      cmocka_unit_test(shapes_are_written_anew_with_their_comments),
      cmocka_unit_test(a_task_file_keeps_every_other_byte),
      cmocka_unit_test(what_is_right_is_left_alone),
      cmocka_unit_test(names_tell_phase_and_time),
      cmocka_unit_test(the_next_action_is_one_step),
      cmocka_unit_test(diffs_say_what_changes),
      cmocka_unit_test(cases_hold),
      cmocka_unit_test(real_files_hold),
      cmocka_unit_test(made_up_handoffs_hold),
      cmocka_unit_test(made_up_handoffs_hold_as_data),
      cmocka_unit_test(a_map_in_place_of_a_fact_is_no_trouble),
      cmocka_unit_test(a_byte_order_mark_stays),
  };
  return unit_run(tests);
}
