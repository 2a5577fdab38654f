/* Plans: headers, phases, dependencies, markers with their places; rules; what is written. */
#include "model/formats/formats.h"
#include "model/formats/markdown_support.h"

#define PATH "specs/12_token_expiry/plans/implementation-001.md"

static void read_it(subject *s, const char *text)
{
  check_text(s, &ho_format_plan, PATH, text);
  assert_int_equal(s->code, HO_OK);
}

static void the_example_is_clean(void **state)
{
  (void)state;
  subject s;
  read_it(&s, ho_format_plan.example);
  print_findings(&s.doc);
  assert_int_equal(s.doc.report.count, 0);
  assert_value(&s, "/task", "12");
  assert_value(&s, "/task_name", "\"Let tokens expire\"");
  assert_value(&s, "/title", "\"Task #12\"");
  assert_value(&s, "/status", "\"NOT STARTED\"");
  assert_value(&s, "/version", "\"001\"");
  assert_value(&s, "/phases/1/dependencies", "[1]");
  assert_value(&s, "/phases/0/dependencies", "[]");
  assert_value(&s, "/phases/0/tasks/0", "{\"text\":\"Add the field `expires` to the token\",\"done\":true}");
  assert_value(&s, "/phases/0/files", "[\"`src/token.c` - Add the field\"]");
  assert_string_equal(written(&s), ho_format_plan.example);
  drop(&s);
}

static void markers_have_their_bytes(void **state)
{
  (void)state;
  subject s;
  read_it(&s, "# P\n\n- **Status**: [PARTIAL]\n\n## Phase 1: A `[x]` [IN PROGRESS]\n\n#### Phase 2b - B\n\n"
              "### Phase 3: C [DONE] soon\n");
  static const struct {
    const char *pointer, *bytes, *value;
  } cases[] = {
      {"/status", "[PARTIAL]", "\"PARTIAL\""},
      {"/phases/0/status", "[IN PROGRESS]", "\"IN PROGRESS\""},
      {"/phases/0/name", "A `[x]`", "\"A `[x]`\""},
      {"/phases/1/name", "B", "\"B\""},
      {"/phases/1/id", "2b", "\"2b\""},
      {"/phases/2/status", "[DONE]", "\"COMPLETED\""},
      {"/phases/2/x_heading", "soon", "\"soon\""},
  };
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    const ho_node *node = ho_node_at(s.doc.root, ho_str_of(cases[i].pointer));
    assert_non_null(node);
    assert_str(ho_str_sub(s.doc.source.text, node->begin, node->end), cases[i].bytes);
    assert_value(&s, cases[i].pointer, cases[i].value);
  }
  assert_true(has_finding(&s.doc, "plan-phase-status"));
  drop(&s);
}

static void an_unfilled_phase_is_a_placeholder(void **state)
{
  (void)state;
  subject s;
  read_it(&s, "# P\n\n## Phase {Phase number}: {Name}\n");
  assert_value(&s, "/phases/0/id", "\"{Phase number}\"");
  assert_true(has_finding(&s.doc, "placeholder"));
  assert_false(has_finding(&s.doc, "required"));
  drop(&s);
}

static void dependencies_are_read(void **state)
{
  (void)state;
  static const struct {
    const char *text, *ids, *kept;
  } cases[] = {
      {"- **Dependencies**: None", "[]", "absent"},
      {"**Depends on:** none", "[]", "absent"},
      {"**Depends on**: 1, 3", "[1,3]", "absent"},
      {"- **Dependencies**: Phase 1, Phase 3", "[1,3]", "absent"},
      {"**Dependencies**: Phase 1 and Phase 2", "[1,2]", "absent"},
      {"**Dependencies**: Phases 1-3", "[1,2,3]", "\"Phases 1-3\""},
      {"**Dependencies**: None (Task 4 is done)", "[]", "\"None (Task 4 is done)\""},
      {"**Dependencies**: Phase 2 (for the types)", "[2]", "\"Phase 2 (for the types)\""},
      {"**Dependencies**: Task 7", "[]", "\"Task 7\""},
      {"**Dependencies**: 2b", "[\"2b\"]", "absent"},
      {"**Dependencies**: 4-flip", "[\"4-flip\"]", "absent"},
      {"**Dependencies**: Phases 1–3", "[1,2,3]", "\"Phases 1–3\""},
      {"**Dependencies**: Phase 1 through Phase 3", "[1,2,3]", "\"Phase 1 through Phase 3\""},
      {"**Dependencies**: Phase 1 (hard), Phase 2 (soft)", "[1,2]", "\"Phase 1 (hard), Phase 2 (soft)\""},
      {"**Dependencies**: Phase 1 — see Phase 7, 3", "[1,3]", "\"Phase 1 — see Phase 7, 3\""},
      {"**Dependencies**: **Phase 1** → `Phase 2`", "[1,2]", "\"**Phase 1** → `Phase 2`\""},
      {"**Dependencies**: Phase 1 or 2; 3/4", "[1,2,3,4]", "\"Phase 1 or 2; 3/4\""},
      {"**Dependencies**: 2 weeks", "[]", "\"2 weeks\""},
      {"**Dependencies**: Phase 3 of task 9, Phase 1 is green", "[1]", "\"Phase 3 of task 9, Phase 1 is green\""},
      {"**Dependencies**: specs/259/plans/002.md", "[]", "\"specs/259/plans/002.md\""},
  };
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    subject s;
    char text[256];
    snprintf(text, sizeof text, "# P\n\n### Phase 9: A [BLOCKED]\n\n%s\n", cases[i].text);
    read_it(&s, text);
    assert_value(&s, "/phases/0/dependencies", cases[i].ids);
    assert_value(&s, "/phases/0/x_dependencies", cases[i].kept);
    drop(&s);
  }
}

static void all_prior_phases_are_those_before(void **state)
{
  (void)state;
  subject s;
  read_it(&s, "# P\n\n### Phase 1: A [BLOCKED]\n\n### Phase 2b: B [BLOCKED]\n\n### Phase 3: C [BLOCKED]\n\n"
              "**Depends on**: all prior phases\n\n### Phase 4: D [BLOCKED]\n\n**Depends on**: none\n");
  assert_value(&s, "/phases/2/dependencies", "[1,\"2b\"]");
  assert_value(&s, "/phases/2/x_dependencies", "\"all prior phases\"");
  assert_value(&s, "/phases/3/dependencies", "[]");
  drop(&s);
}

static void boxes_are_read(void **state)
{
  (void)state;
  subject s;
  read_it(&s,
          "# P\n\n### Phase 1: A [BLOCKED]\n\n**Tasks**:\n- [ ] a\n  - n\n- [x] b *(completed)*\n- [~] c\n- [PASS] d\n"
          "- e\n- [X] f\n\nAfter.\n\n**Other**:\n```\n### Phase 8: no\n```\n\n#### Notes\ntext\n\n---\n\n## Rest\nr\n");
  assert_value(&s, "/phases/0/tasks",
               "[{\"text\":\"a\\n- n\",\"done\":false},{\"text\":\"b *(completed)*\",\"done\":true},"
               "{\"text\":\"c\",\"done\":false,\"mark\":\"~\"},{\"text\":\"d\",\"done\":true,\"mark\":\"PASS\"},"
               "{\"text\":\"e\"},{\"text\":\"f\",\"done\":true,\"mark\":\"X\"}]");
  assert_value(&s, "/phases/0/x_tasks_more", "\"After.\"");
  assert_value(&s, "/phases/0/x_text", "\"**Other**:\\n\\n```\\n### Phase 8: no\\n```\\n\\n#### Notes\\ntext\"");
  assert_value(&s, "/phases/1", "absent");
  assert_value(&s, "/x_sections", "[{\"heading\":\"Rest\",\"level\":2,\"text\":\"r\",\"after_phases\":true}]");
  drop(&s);
}

static void broken_dependencies_have_their_line(void **state)
{
  (void)state;
  subject s;
  read_it(
      &s,
      "# P\n\n### Phase 1: A [BLOCKED]\n- **Dependencies**: 2\n\n### Phase 2: B [BLOCKED]\n- **Dependencies**: 1, 5\n");
  bool cycle = false, unknown = false;
  for (size_t i = 0; i < s.doc.report.count; i++) {
    const ho_finding *f = &s.doc.report.items[i];
    cycle = cycle || !strcmp(f->rule->id, "plan-cycle");
    unknown = unknown || (!strcmp(f->rule->id, "plan-dependency-unknown") && f->line == 7);
  }
  assert_true(cycle && unknown);
  drop(&s);
}

static size_t plans, phase_count;

/* Reads a real plan as `as`, and no word of it is lost. */
static void begin_real(subject *s, ho_arena *arena, const char *path, const char *as)
{
  ho_arena_init(arena, 0);
  check_text(s, &ho_format_plan, as, file_read(arena, path).p);
  assert_int_equal(s->code, HO_OK);
  assert_no_word_lost(s, path);
}

static void try_real_file(const char *path, void *data)
{
  (void)data;
  subject s;
  ho_arena scratch;
  if (!ho_str_ends(ho_str_of(path), ".md") || !strstr(path, "/plans/"))
    return;
  begin_real(&s, &scratch, path, path);
  plans++;
  const ho_node *phases = ho_map_getz(s.doc.root, "phases");
  phase_count += phases ? phases->count : 0;
  drop(&s);
  ho_arena_free(&scratch);
}

static void no_word_of_real_files_is_lost(void **state)
{
  (void)state;
  each_file(unit_shared("corpus"), try_real_file, NULL);
  print_message("%zu plans with %zu phases\n", plans, phase_count);
  assert_true(phase_count > plans);
}

/* The plan that the format comes from. */
static void the_source_is_clean(void **state)
{
  (void)state;
  subject s;
  ho_arena scratch;
  begin_real(&s, &scratch, unit_shared("seeds/001_ac7ad10b302eac71.txt"), PATH);
  print_findings(&s.doc);
  assert_int_equal(s.doc.report.count, 0);
  assert_value(&s, "/phases/4/dependencies", "[1,4]");
  drop(&s);
  ho_arena_free(&scratch);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_example_is_clean),
      cmocka_unit_test(markers_have_their_bytes),
      cmocka_unit_test(an_unfilled_phase_is_a_placeholder),
      cmocka_unit_test(dependencies_are_read),
      cmocka_unit_test(all_prior_phases_are_those_before),
      cmocka_unit_test(boxes_are_read),
      cmocka_unit_test(broken_dependencies_have_their_line),
      cmocka_unit_test(no_word_of_real_files_is_lost),
      cmocka_unit_test(the_source_is_clean),
  };
  return unit_run(tests);
}
