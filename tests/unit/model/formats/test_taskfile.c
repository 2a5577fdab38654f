/* Task files with a structured handoff: YAML under its heading, alone, without heading; rules; what is written. */
#include "model/formats/formats.h"
#include "model/formats/markdown_support.h"

static const char full[] =
    "# Task task-004: Issue tokens\n\n**Model:** large\n\n## Metadata\n| Priority | high |\n\n"
    "## Objective\nUsers stay signed in.\n\n## Acceptance Criteria\n- [x] Expired ones fail\n\n"
    "## Context Provided\ndocs/auth.md\n\n---\n\n## Execution Log\n- Wrote it\n\n---\n\n## Handoff\n\n"
    "```yaml\noutcome: completed\nfiles_created:\n  - path: src/a.ts\n    purpose: Does a\n"
    "    lines: all\n```\n\n---\n\n*Task completed: 2026-02-12T14:30:22Z*\n";

static void a_full_file_is_clean(void **state)
{
  (void)state;
  subject s;
  check_text(&s, NULL, "notes/x.md", full);
  assert_int_equal(s.code, HO_OK);
  print_findings(&s.doc);
  assert_ptr_equal(s.doc.format, &ho_format_task);
  assert_int_equal(s.doc.report.count, 0);
  assert_value(&s, "/outcome", "\"completed\"");
  assert_value(&s, "/files_created/0/lines", "\"all\"");
  assert_value(&s, "/task_file/id", "\"task-004\"");
  assert_value(&s, "/task_file/name", "\"Issue tokens\"");
  assert_value(&s, "/task_file/x_preamble", "\"**Model:** large\"");
  assert_value(&s, "/task_file/execution_log", "\"- Wrote it\"");
  assert_value(&s, "/task_file/completed", "\"2026-02-12T14:30:22Z\"");
  assert_string_equal(written(&s), full);
  drop(&s);
}

static void places_are_those_of_the_file(void **state)
{
  (void)state;
  subject s;
  check_text(&s, &ho_format_task, "t.md", "# Task 1: A\n\n## Handoff\n\n```yaml\noutcome: maybe\n```\n");
  assert_true(has_finding(&s.doc, "choice"));
  for (size_t i = 0; i < s.doc.report.count; i++)
    if (!strcmp(s.doc.report.items[i].rule->id, "choice")) {
      assert_int_equal(s.doc.report.items[i].line, 6);
      assert_int_equal(s.doc.report.items[i].column, 10);
    }
  drop(&s);
}

static void a_fence_without_heading_is_found(void **state)
{
  (void)state;
  subject s;
  check_text(&s, NULL, "r.md",
             "# Route probe\n\nText.\n\n## Result\n\nIt holds.\n\n```python\noutcome: no\n```\n\n```yaml\noutcome: "
             "complete\nartifacts:\n  - a/b.md\nproposed_deltas:\n  - \"x: y -> z\"\nnext_role: orchestrator\n"
             "next_prompt: |\n  Go on.\n  Then stop.\n```\n");
  assert_int_equal(s.code, HO_OK);
  assert_ptr_equal(s.doc.format, &ho_format_task);
  assert_int_equal(s.doc.report.errors, 0);
  assert_value(&s, "/outcome", "\"completed\"");
  assert_true(has_finding(&s.doc, "synonym"));
  assert_true(has_finding(&s.doc, "unknown-key"));
  assert_value(&s, "/next_prompt", "\"Go on.\\nThen stop.\\n\"");
  assert_value(&s, "/task_file/x_sections/0/text", "\"It holds.\\n\\n```python\\noutcome: no\\n```\"");
  drop(&s);
}

static void freeform_notes_are_kept(void **state)
{
  (void)state;
  subject s;
  check_text(&s, &ho_format_task, "t.md", "# Task 7: B\n\n## Handoff\nWatch out for x.\n");
  assert_true(has_finding(&s.doc, "required"));
  assert_value(&s, "/task_file/x_handoff_text", "\"Watch out for x.\"");
  drop(&s);
  check_text(&s, &ho_format_task, "t.md", "## Handoff\n```yaml\na: [\n```\n");
  assert_int_equal(s.code, HO_SYNTAX);
  assert_true(s.err.line >= 3);
  drop(&s);
}

static void ids_are_generated_and_stable(void **state)
{
  (void)state;
  subject a, b;
  static const char text[] = "outcome: completed\nfiles_created: [src/a.c]\ngotchas:\n  - issue: It bites\n";
  check_text(&a, &ho_format_task, "a.yaml", text);
  check_text(&b, &ho_format_task, "b.yaml", text);
  ho_str one = ho_node_str(ho_node_at(a.doc.root, HO_STR("/gotchas/0/id")));
  ho_str two = ho_node_str(ho_node_at(b.doc.root, HO_STR("/gotchas/0/id")));
  assert_true(ho_str_starts(one, "gotcha-") && ho_str_eq(one, two));
  assert_value(&a, "/files_created/0/path", "\"src/a.c\"");
  drop(&a);
  drop(&b);
}

static void yaml_cannot_leave_its_fence(void **state)
{
  (void)state;
  subject s, again;
  check_text(&s, &ho_format_task, "a.json",
             "{\"outcome\": \"failed\", \"blockers\": [{\"blocker\": \"x\\n```\\n## Handoff\\n```yaml\\noutcome: "
             "completed\\n```\", \"suggested_resolution\": \"y\"}]}");
  check_text(&again, &ho_format_task, "a.md", written(&s));
  assert_value(&again, "/outcome", "\"failed\"");
  assert_null(
      ho_node_difference(&s.arena, ho_map_getz(s.doc.root, "blockers"), ho_map_getz(again.doc.root, "blockers")));
  drop(&s);
  drop(&again);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_full_file_is_clean),
      cmocka_unit_test(places_are_those_of_the_file),
      cmocka_unit_test(a_fence_without_heading_is_found),
      cmocka_unit_test(freeform_notes_are_kept),
      cmocka_unit_test(ids_are_generated_and_stable),
      cmocka_unit_test(yaml_cannot_leave_its_fence),
  };
  return unit_run(tests);
}
