/* Phase handoffs: what is read from real and deviant files, what is found, what is written. */
#include "growth.h"

#include "model/formats/formats.h"
#include "model/formats/markdown_support.h"

#define PATH "specs/12_token_expiry/handoffs/phase-3-handoff-20260212T143022Z.md"

static void read_it(subject *s, const char *text)
{
  check_text(s, &ho_format_artifact, PATH, text);
  assert_int_equal(s->code, HO_OK);
}

static void the_example_is_clean(void **state)
{
  (void)state;
  subject s;
  read_it(&s, ho_format_artifact.example);
  print_findings(&s.doc);
  assert_int_equal(s.doc.report.count, 0);
  assert_value(&s, "/phase", "3");
  assert_value(&s, "/timestamp", "\"20260212T143022Z\"");
  assert_value(&s, "/genre", "\"recovery\"");
  assert_value(&s, "/current_state/goal_state",
               "\"test_expired_token: expected TOKEN_EXPIRED, got TOKEN_VALID\\n1 of 14 tests fails\"");
  assert_value(&s, "/key_decisions/1/rationale", "\"Tests set it without waiting\"");
  assert_value(
      &s, "/references/0",
      "{\"kind\":\"Plan\",\"path\":\"specs/12_token_expiry/plans/implementation-001.md\",\"detail\":\"Phase 3\"}");
  assert_string_equal(written(&s), ho_format_artifact.example);
  drop(&s);
}

static void titles_are_understood(void **state)
{
  (void)state;
  static const struct {
    const char *title, *phase, *stamp, *rest, *task;
  } cases[] = {
      {"Phase 3 Handoff - 20260212T143022Z", "3", "\"20260212T143022Z\"", "absent", "absent"},
      {"Phase 6a Handoff: Last Lemma", "\"6a\"", "absent", "\"Last Lemma\"", "absent"},
      {"Phase 1 Handoff", "1", "absent", "absent", "absent"},
      {"Phase 9 Handoff - Task 35 (Session 6)", "9", "absent", "\"Task 35 (Session 6)\"", "35"},
      {"Handoff: Task #4 Phase 2 Parser", "2", "absent", "\"Handoff: Task #4 Phase 2 Parser\"", "4"},
      {"Phase 5 Completion Handoff", "5", "absent", "\"Phase 5 Completion Handoff\"", "absent"},
      {"Phase 2-3 Handoff — 2026-05-29", "\"2-3\"", "\"2026-05-29\"", "absent", "absent"},
      {"Notes", "absent", "absent", "\"Notes\"", "absent"},
  };
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    subject s;
    char text[256];
    snprintf(text, sizeof text, "# %s\n", cases[i].title);
    read_it(&s, text);
    assert_value(&s, "/phase", cases[i].phase);
    assert_value(&s, "/timestamp", cases[i].stamp);
    assert_value(&s, "/title", cases[i].rest);
    assert_value(&s, "/task", cases[i].task);
    drop(&s);
  }
}

static void preambles_are_read_and_kept(void **state)
{
  (void)state;
  subject s;
  read_it(&s, "# Phase 1 Handoff: A\n\n**Task**: 10 — Extractor\n**Phase**: 1 of 3\n**Date**: 2026-05-29\n"
              "**Status**: COMPLETED\n\nSome words.\n\n## What Was Done\n\n- a\n");
  assert_value(&s, "/task", "10");
  assert_value(&s, "/timestamp", "\"2026-05-29\"");
  assert_value(&s, "/genre", "\"checkpoint\"");
  assert_value(&s, "/x_preamble",
               "\"**Task**: 10 — Extractor\\n**Phase**: 1 of 3\\n**Status**: COMPLETED\\n\\nSome words.\"");
  assert_value(&s, "/x_sections", "[{\"heading\":\"What Was Done\",\"level\":2,\"text\":\"- a\"}]");
  assert_string_equal(written(&s),
                      "# Phase 1 Handoff - 2026-05-29\n\n**Title**: A\n\n**Task**: 10 — Extractor\n**Phase**: 1 of 3\n"
                      "**Status**: COMPLETED\n\nSome words.\n\n## What Was Done\n\n- a\n");
  drop(&s);
}

static void labels_stand_for_sections(void **state)
{
  (void)state;
  subject s;
  read_it(&s, "# Phase 1 Handoff: A\n\n**Immediate Next Action**: Start `f()`.\n\n**Current State**: All pass.\n\n"
              "**Key Decisions Made**:\n- Keep x: it maps y\n\n**Deviations**:\n- fixed z\n\n**What NOT to Try**:\n"
              "- Adding t -- it is gone\n\n**References**:\n- Plan: a/b.md\n");
  assert_value(&s, "/genre", "\"recovery\"");
  assert_value(&s, "/immediate_next_action", "\"Start `f()`.\"");
  assert_value(&s, "/current_state", "{\"x_text\":\"All pass.\"}");
  assert_value(&s, "/key_decisions", "[{\"decision\":\"Keep x\",\"rationale\":\"it maps y\"}]");
  assert_value(&s, "/what_not_to_try", "[{\"approach\":\"Adding t\",\"reason\":\"it is gone\"}]");
  assert_value(&s, "/references", "[{\"kind\":\"Plan\",\"path\":\"a/b.md\"}]");
  assert_value(&s, "/x_preamble", "\"**Deviations**:\\n\\n- fixed z\"");
  drop(&s);
}

static void nothing_in_a_section_is_lost(void **state)
{
  (void)state;
  subject s;
  read_it(&s,
          "# Phase 1 Handoff - 20260212T143022Z\n\n## Key Decisions\nWe chose:\n1. **A: b** - why\n   ```c\n   # x\n"
          "   ```\n2. plain\n   - nested: y\n\nAfter.\n\n| t |\n|---|\n\n### Sub\n- deep\n\n## Current State\n"
          "- **Build**: ok\n- **Location**: line 3\n\n[ref]: http://e.org\n");
  assert_value(&s, "/x_key_decisions_intro", "\"We chose:\"");
  assert_value(
      &s, "/key_decisions",
      "[{\"decision\":\"A: b\",\"rationale\":\"why\\n```c\\n# x\\n```\"},{\"decision\":\"plain\\n- nested: y\"}]");
  assert_value(&s, "/x_key_decisions_more", "\"After.\\n\\n| t |\\n|---|\\n\\n### Sub\\n- deep\"");
  assert_value(&s, "/current_state",
               "{\"location\":\"line 3\",\"x_text\":\"- **Build**: ok\\n\\n[ref]: http://e.org\"}");
  assert_true(has_finding(&s.doc, "key-alias"));
  drop(&s);
}

/* A text made elsewhere cannot break out of its section. */
static void texts_stay_in_their_section(void **state)
{
  (void)state;
  static const char *const texts[] = {"a\n\n## What NOT to Try\n1. x: y",
                                      "Title\n===\nb",
                                      "```\nopen",
                                      "<!-- open\n\n# h",
                                      "a\n---\n",
                                      "\\## escaped",
                                      "<script>\nx\n\n## y"};
  for (size_t i = 0; i < HO_COUNT(texts); i++) {
    subject s;
    ho_buf out;
    ho_buf_init(&out, 0);
    ho_buf_puts(
        &out, "{\"phase\": 3, \"genre\": \"recovery\", \"critical_context\": [\"fact\"], \"immediate_next_action\": ");
    ho_json_write_text(&out, ho_str_of(texts[i]));
    ho_buf_puts(&out, "}");
    check_text(&s, &ho_format_artifact, "a.json", out.p);
    const char *text = written(&s);
    subject again;
    check_text(&again, &ho_format_artifact, PATH, text);
    assert_value(&again, "/critical_context", "[\"fact\"]");
    assert_value(&again, "/what_not_to_try", "absent");
    assert_value(&again, "/x_sections", "absent");
    drop(&again);
    drop(&s);
    ho_buf_free(&out);
  }
}

/* Keys without a place in Markdown come back, or at least their words do. */
static void unknown_keys_survive(void **state)
{
  (void)state;
  subject s, again;
  check_text(&s, &ho_format_artifact, "a.json",
             "{\"phase\": 3, \"owner\": \"ann\", \"x_more\": {\"a\": [1, \"two\"]}, \"genre\": \"checkpoint\","
             " \"noreferences_more\": \"none\","
             " \"current_state\": {\"file\": \"/a\", \"branch\": \"topic\"},"
             " \"key_decisions\": [{\"decision\": \"d\", \"rationale\": \"r\", \"by\": \"bob\"}]}");
  check_text(&again, &ho_format_artifact, PATH, written(&s));
  assert_value(&again, "/owner", "\"ann\"");
  assert_value(&again, "/noreferences_more", "\"none\""); /* no x_references_more, however alike */
  assert_value(&again, "/x_more", "{\"a\":[1,\"two\"]}");
  assert_value(&again, "/current_state/x_text", "\"- **branch**: topic\"");
  assert_value(&again, "/key_decisions/0/rationale", "\"r\\n- **by**: bob\"");
  assert_value(&again, "/x_sections", "absent");
  drop(&s);
  drop(&again);
}

static size_t files, recovery, checkpoints, conforming;

static void try_real_file(const char *path, void *data)
{
  (void)data;
  subject s;
  ho_str name = ho_str_of(path);
  if (!ho_str_ends(name, ".md") || !strstr(path, "/handoffs/"))
    return;
  ho_arena scratch;
  ho_arena_init(&scratch, 0);
  check_text(&s, &ho_format_artifact, path, file_read(&scratch, path).p);
  assert_int_equal(s.code, HO_OK);
  assert_no_word_lost(&s, path);
  files++;
  conforming += s.doc.report.errors == 0;
  bool is_recovery = ho_str_is(ho_map_str(s.doc.root, "genre"), "recovery");
  recovery += is_recovery;
  checkpoints += !is_recovery;
  drop(&s);
  ho_arena_free(&scratch);
}

static void no_word_of_real_files_is_lost(void **state)
{
  (void)state;
  assert_true(each_file(unit_shared("corpus"), try_real_file, NULL) > 0);
  print_message("%zu handoffs: %zu recovery, %zu checkpoints, %zu without errors\n", files, recovery, checkpoints,
                conforming);
  assert_true(recovery > 0 && checkpoints > recovery);
}

/* Reads a handoff with so many keys without a home, in no order; `text` stays in use. */
static void read_keys(subject *s, ho_buf *text, size_t keys)
{
  ho_buf_init(text, 0);
  ho_buf_puts(text, "# Phase 3 Handoff\n\n## Kept Data\n```yaml\n");
  for (size_t i = 0; i < keys; i++)
    ho_buf_printf(text, "x_%zu: %zu\n", i * 7919 % keys, i);
  ho_buf_puts(text, "x_7: again\n```\n\n## Kept Data\n```yaml\nx_late: 1\n```\n");
  read_it(s, text->p);
}

static void read_and_drop(size_t keys, const void *data)
{
  (void)data;
  subject s;
  ho_buf text;
  read_keys(&s, &text, keys);
  drop(&s);
  ho_buf_free(&text);
}

/* They come in order and each once, however many there are: with one look at each of them, not one at all the others. */
static void many_unknown_keys_are_no_burden(void **state)
{
  (void)state;
  enum { KEYS = 100000 };
  subject s;
  ho_buf text;
  assert_linear("unknown keys", read_and_drop, 5000, NULL);
  read_keys(&s, &text, KEYS);
  assert_value(&s, "/x_0", "0");
  assert_value(&s, "/x_7919", "1");
  assert_value(&s, "/x_late", "absent"); /* one section is the program's own, others are the author's */
  assert_value(&s, "/x_sections/0/heading", "\"Kept Data\"");
  const ho_node *before = NULL;
  size_t keys = 0;
  HO_EACH_CONST (child, s.doc.root)
    if (ho_str_starts(child->key, "x_")) {
      assert_true(!before || ho_str_cmp(before->key, child->key) < 0);
      before = child;
      keys++;
    }
  assert_int_equal(keys, KEYS + 1);
  drop(&s);
  ho_buf_free(&text);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_example_is_clean),
      cmocka_unit_test(titles_are_understood),
      cmocka_unit_test(preambles_are_read_and_kept),
      cmocka_unit_test(labels_stand_for_sections),
      cmocka_unit_test(nothing_in_a_section_is_lost),
      cmocka_unit_test(texts_stay_in_their_section),
      cmocka_unit_test(unknown_keys_survive),
      cmocka_unit_test(no_word_of_real_files_is_lost),
      cmocka_unit_test(many_unknown_keys_are_no_burden),
  };
  return unit_run(tests);
}
