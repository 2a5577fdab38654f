/* What moves where, what is kept, and what an edit in between does. */
#include "growth.h"
#include "model/support.h"

#include "model/convert/convert.h"

typedef struct conversion {
  ho_arena arena;
  ho_node *tree, *out, *kept;
} conversion;

static const ho_format *format(const char *name)
{
  const ho_format *found = ho_format_named(ho_str_of(name));
  assert_non_null(found);
  return found;
}

static ho_node *read_yaml(ho_arena *arena, const char *name, const char *yaml)
{
  ho_doc doc;
  ho_error err = {0};
  if (ho_doc_read(&doc, arena, HO_STR("f.yaml"), ho_str_of(yaml), format(name), &err))
    fail_msg("%s", err.message);
  return doc.root;
}

static ho_node *turn(ho_arena *arena, const char *from, const ho_node *tree, const char *to, ho_node **kept)
{
  ho_node *out = NULL;
  ho_error err = {0};
  ho_conversion how = {format(from), format(to), HO_YAML, HO_YAML};
  if (ho_convert(&how, tree, arena, &out, kept, &err))
    fail_msg("%s", err.message);
  return out;
}

static void begin(conversion *c, const char *from, const char *yaml, const char *to)
{
  ho_arena_init(&c->arena, 0);
  c->tree = read_yaml(&c->arena, from, yaml);
  c->out = turn(&c->arena, from, c->tree, to, &c->kept);
}

static void end(conversion *c)
{
  ho_arena_free(&c->arena);
}

static ho_str at(const conversion *c, const char *pointer)
{
  return ho_node_str(ho_node_at(c->out, ho_str_of(pointer)));
}

static bool keeps(const conversion *c, const char *pointer)
{
  HO_EACH_CONST (each, c->kept)
    if (ho_str_is(each->text, pointer))
      return true;
  return false;
}

static const char task[] =
    "outcome: partial\n"
    "gotchas:\n"
    "  - {id: g-1, issue: Slow start, discovered_in: A profile, mitigation: Warm up, severity: high}\n"
    "suggested_next_steps:\n"
    "  - {step: Measure, priority: high}\n"
    "  - {step: Improve, priority: low}\n"
    "dependencies_for_next:\n"
    "  - {file: src/a.c, reason: It starts there}\n";

static void records_become_texts_with_all_they_say(void **state)
{
  (void)state;
  conversion c;
  begin(&c, "task", task, "response");
  assert_str(at(&c, "/issues/0"), "Slow start: A profile; Warm up");
  assert_str(at(&c, "/status"), "partial");
  assert_null(ho_node_at(c.out, HO_STR("/decision")));
  assert_true(keeps(&c, "/gotchas/0/severity"));
  assert_true(keeps(&c, "/dependencies_for_next"));
  end(&c);
}

static void records_become_records_by_name(void **state)
{
  (void)state;
  conversion c;
  begin(&c, "artifact",
        "phase: 3\n"
        "key_decisions: [{decision: Use JWT, rationale: It survives a restart}]\n"
        "references: [{kind: Plan, path: plans/a.md, detail: Phase 3}]\n",
        "package");
  assert_str(at(&c, "/context/decisions/0/decision"), "Use JWT");
  assert_str(at(&c, "/context/decisions/0/rationale"), "It survives a restart");
  assert_str(at(&c, "/context/artifacts/0/path"), "plans/a.md");
  assert_true(keeps(&c, "/phase"));
  assert_true(keeps(&c, "/references/0/detail"));
  assert_false(keeps(&c, "/key_decisions"));
  assert_str(at(&c, "/x_kept/from"), "artifact");
  assert_str(at(&c, "/x_kept/fields/references/x_items/0/detail"), "Phase 3");
  end(&c);
}

static void a_list_becomes_one_text_and_a_list_again(void **state)
{
  (void)state;
  conversion c;
  begin(&c, "task", task, "meta");
  assert_str(at(&c, "/next_steps"), "- Measure\n- Improve");
  assert_str(at(&c, "/status"), "partial");
  end(&c);
  begin(&c, "meta", "status: partial\nnext_steps: \"- Measure\\n- Improve\\n  twice\"\n", "task");
  assert_str(at(&c, "/suggested_next_steps/0/step"), "Measure");
  assert_str(at(&c, "/suggested_next_steps/1/step"), "Improve\ntwice");
  end(&c);
  begin(&c, "task", task, "artifact"); /* one step, and no list of them */
  assert_str(at(&c, "/immediate_next_action"), "Measure");
  assert_true(keeps(&c, "/suggested_next_steps"));
  end(&c);
}

static void words_of_the_same_meaning(void **state)
{
  (void)state;
  static const struct {
    const char *from, *yaml, *to, *pointer, *value;
  } rows[] = {
      {"task", "outcome: completed", "meta", "/status", "implemented"},
      {"task", "outcome: completed", "response", "/status", "complete"},
      {"task", "outcome: completed", "response", "/decision", "PROCEED"},
      {"task", "outcome: completed", "plan", "/status", "COMPLETED"},
      {"task", "outcome: failed", "response", "/decision", "STOP"},
      {"task", "outcome: failed", "response", "/status", ""},
      {"task", "outcome: partial", "artifact", "/genre", "recovery"},
      {"artifact", "genre: recovery", "task", "/outcome", "partial"},
      {"artifact", "genre: checkpoint", "task", "/outcome", ""},
      {"meta", "status: researched", "task", "/outcome", "completed"},
      {"meta", "status: in_progress", "progress", "/status", "in_progress"},
      {"response", "{status: complete, decision: CLARIFY}", "task", "/outcome", "completed"},
      {"request", "phase: research", "response", "/phase", "research"},
      {"request", "phase: research", "artifact", "/phase", ""},
  };
  for (size_t i = 0; i < HO_COUNT(rows); i++) {
    conversion c;
    begin(&c, rows[i].from, rows[i].yaml, rows[i].to);
    if (!ho_str_is(at(&c, rows[i].pointer), rows[i].value))
      fail_msg("%s to %s: %s is '%.*s'", rows[i].yaml, rows[i].to, rows[i].pointer, HO_ARG(at(&c, rows[i].pointer)));
    end(&c);
  }
}

/* C2a: what a phase handoff does not say is not said for it. */
static void nothing_is_invented(void **state)
{
  (void)state;
  conversion c;
  begin(&c, "artifact", "phase: 3\ngenre: recovery\nimmediate_next_action: Measure\n", "task");
  assert_str(at(&c, "/outcome"), "partial");
  assert_null(ho_node_at(c.out, HO_STR("/blockers")));
  ho_report report;
  ho_check_env env = {.path = HO_EMPTY};
  ho_report_init(&report, &c.arena, NULL);
  ho_check check = {.format = format("task"), .root = c.out, .encoding = HO_YAML, .report = &report, .env = &env};
  ho_check_run(&check);
  bool found = false;
  for (size_t i = 0; i < report.count; i++)
    found = found || strcmp(report.items[i].rule->id, "task-partial") == 0;
  assert_true(found);
  end(&c);
}

static void issues_are_questions_where_somebody_is_asked(void **state)
{
  (void)state;
  conversion c;
  begin(&c, "response", "{decision: CLARIFY, issues: ['Which database?']}", "package");
  assert_str(at(&c, "/context/open_questions/0/question"), "Which database?");
  end(&c);
  begin(&c, "response", "{status: blocked, decision: STOP, issues: [No access]}", "task");
  assert_str(at(&c, "/blockers/0/blocker"), "No access");
  end(&c);
  begin(&c, "response", "{status: complete, decision: PROCEED, issues: [Slow]}", "task");
  assert_str(at(&c, "/gotchas/0/issue"), "Slow");
  end(&c);
}

static void kinds_of_things_stay_apart(void **state)
{
  (void)state;
  conversion c;
  begin(&c, "artifact", "phase: 3\ntask: 12\ntitle: Tokens expire\n", "task");
  assert_str(at(&c, "/task_file/id"), "12");
  assert_str(at(&c, "/task_file/name"), "Tokens expire");
  assert_true(keeps(&c, "/phase"));
  end(&c);
  begin(&c, "progress", "phase: 3\nobjectives: [{id: 1, description: Prove it, status: done}]\n", "task");
  assert_null(ho_node_at(c.out, HO_STR("/files_created"))); /* an objective is no path */
  assert_true(keeps(&c, "/objectives"));
  end(&c);
}

static void lists_do_not_grow_beyond_their_limit(void **state)
{
  (void)state;
  conversion c;
  begin(&c, "package", "context: {summary: S, key_info: [a, b, c, d, e, f, g]}", "artifact");
  assert_int_equal(ho_node_at(c.out, HO_STR("/critical_context"))->count, 5);
  assert_true(keeps(&c, "/context/key_info"));
  end(&c);
}

/* An edit of the converted document comes back, with what was kept of the rest. */
static void edits_come_back(void **state)
{
  (void)state;
  conversion c;
  ho_node *kept;
  begin(&c, "task", task, "response");
  ho_node *issue = ho_node_at(c.out, HO_STR("/issues/0"));
  issue->text = HO_STR("Slow start, mostly");
  c.out = turn(&c.arena, "response", c.out, "task", &kept);
  assert_str(at(&c, "/gotchas/0/issue"), "Slow start, mostly");
  assert_str(at(&c, "/suggested_next_steps/1/priority"), "low");
  assert_str(at(&c, "/dependencies_for_next/0/reason"), "It starts there");
  assert_str(at(&c, "/x_kept/unplaced/0/at"), "/gotchas");
  assert_str(at(&c, "/x_kept/unplaced/0/item/severity"), "high");
  end(&c);
}

static void three_formats_and_back(void **state)
{
  (void)state;
  conversion c;
  ho_node *kept;
  begin(&c, "task", task, "meta");
  ho_node *second = turn(&c.arena, "meta", c.out, "package", &kept);
  ho_node *third = turn(&c.arena, "package", second, "meta", &kept);
  assert_true(ho_node_equal(third, c.out));
  assert_true(ho_node_equal(turn(&c.arena, "meta", third, "task", &kept), c.tree));
  end(&c);
}

static void hostile_kept_is_harmless(void **state)
{
  (void)state;
  static const char *const texts[] = {
      "status: partial\nx_kept: 3\n",
      "status: partial\nx_kept: {from: task}\n",
      "status: partial\nx_kept: {from: task, fields: [1], without: {a: b}}\n",
      "status: partial\nx_kept: {from: task, fields: {gotchas: {x_items: 3}}, without: ['', /, a, /outcome/0, 7]}\n",
      "status: partial\nx_kept: {from: task, fields: {gotchas: {x_items: [1, {}, {issue: 3}]}, outcome: {a: b}}}\n",
      "status: partial\nx_kept: {from: task, fields: {x_kept: {from: task, fields: {}}}}\n",
  };
  for (size_t i = 0; i < HO_COUNT(texts); i++) {
    conversion c;
    begin(&c, "meta", texts[i], "task");
    assert_non_null(c.out);
    end(&c);
  }
}

static void details_there_and_back(void **state)
{
  (void)state;
  conversion c;
  ho_error err;
  ho_buf text;
  ho_node *read;
  begin(&c, "task", task, "artifact");
  ho_buf_init(&text, 0);
  ho_buf_puts(&text, "# Details\n\nSomething else.\n\n```yaml\nfrom: elsewhere\n```\n\n");
  ho_kept_write(&text, ho_map_getz(c.out, HO_KEPT));
  assert_int_equal(ho_kept_read(ho_buf_str(&text), &c.arena, &read, &err), HO_OK);
  assert_true(ho_node_equal(read, ho_map_getz(c.out, HO_KEPT)));
  assert_int_equal(ho_kept_read(HO_STR("# Details\n\n## x_kept\n\n```yaml\n{\n```\n"), &c.arena, &read, &err), HO_OK);
  assert_null(read);
  ho_buf_free(&text);
  end(&c);
}

/* Keys that no format knows come back in the order in which they stood, also through Markdown, which has its own. */
static void unknown_keys_keep_their_order(void **state)
{
  (void)state;
  conversion c;
  ho_error err = {0};
  ho_node *there, *back;
  begin(&c, "artifact", "phase: 3\nx_b: 1\nother: 2\nx_a: 3\n", "artifact");
  ho_conversion how = {format("artifact"), format("artifact"), HO_YAML, HO_MARKDOWN};
  ho_conversion again = {format("artifact"), format("artifact"), HO_MARKDOWN, HO_YAML};
  assert_int_equal(ho_convert(&how, c.tree, &c.arena, &there, &c.kept, &err), HO_OK);
  assert_int_equal(ho_convert(&again, there, &c.arena, &back, &c.kept, &err), HO_OK);
  assert_true(ho_node_equal(c.tree, back));
  end(&c);
}

/* Each real file to another format, written, read, and back. */
static void try_real_file(const char *path, void *data)
{
  static const char *const targets[] = {"artifact", "task", "meta", "package", "response", "progress", "plan"};
  size_t *count = data;
  ho_arena arena;
  ho_doc doc, there;
  ho_error err = {0};
  ho_node *out, *kept;
  ho_buf text;
  ho_arena_init(&arena, 0);
  ho_buf_init(&text, 0);
  if (ho_doc_read(&doc, &arena, ho_str_of(path), file_read(&arena, path), NULL, &err) == HO_OK &&
      ho_node_is(doc.root, HO_KIND_MAP)) {
    const ho_format *to = format(targets[(*count)++ % HO_COUNT(targets)]);
    ho_conversion how = {doc.format, to, doc.encoding, to->encoding};
    ho_conversion again = {to, doc.format, to->encoding, HO_JSON};
    ho_str name = ho_arena_printf(&arena, "there.%s", ho_encoding_name(to->encoding));
    if (ho_convert(&how, doc.root, &arena, &out, &kept, &err) || ho_doc_write(to, out, to->encoding, &text, &err) ||
        ho_doc_read(&there, &arena, name, ho_buf_str(&text), to, &err) ||
        ho_convert(&again, there.root, &arena, &out, &kept, &err))
      fail_msg("%s to %s: %s", path, to->name, err.message);
    const char *at_pointer = ho_node_difference(&arena, doc.root, out);
    if (at_pointer)
      fail_msg("%s to %s and back differs at %s", path, to->name, at_pointer);
  }
  ho_buf_free(&text);
  ho_arena_free(&arena);
}

static void real_files_come_back(void **state)
{
  (void)state;
  size_t count = 0;
  assert_true(each_file(unit_shared("corpus"), try_real_file, &count) > 0);
  print_message("%zu real files there and back\n", count);
}

static void there_and_back(size_t keys, const void *data)
{
  (void)data;
  conversion c;
  ho_buf yaml;
  ho_buf_init(&yaml, 0);
  ho_buf_puts(&yaml, "agent: a\n");
  for (size_t i = 0; i < keys; i++)
    ho_buf_printf(&yaml, "key/%zu~: %zu\n", i, i);
  begin(&c, "task", yaml.p, "artifact");
  assert_true(c.kept->count >= keys);
  ho_node *kept, *back = turn(&c.arena, "artifact", c.out, "task", &kept);
  assert_true(ho_node_equal(c.tree, back));
  end(&c);
  ho_buf_free(&yaml);
}

static void many_unknown_keys_come_back(void **state)
{
  (void)state;
  assert_linear("unknown keys", there_and_back, 2500, NULL);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(records_become_texts_with_all_they_say),
      cmocka_unit_test(records_become_records_by_name),
      cmocka_unit_test(a_list_becomes_one_text_and_a_list_again),
      cmocka_unit_test(words_of_the_same_meaning),
      cmocka_unit_test(nothing_is_invented),
      cmocka_unit_test(issues_are_questions_where_somebody_is_asked),
      cmocka_unit_test(kinds_of_things_stay_apart),
      cmocka_unit_test(lists_do_not_grow_beyond_their_limit),
      cmocka_unit_test(edits_come_back),
      cmocka_unit_test(three_formats_and_back),
      cmocka_unit_test(hostile_kept_is_harmless),
      cmocka_unit_test(real_files_come_back),
      cmocka_unit_test(details_there_and_back),
      cmocka_unit_test(unknown_keys_keep_their_order),
      cmocka_unit_test(many_unknown_keys_come_back),
  };
  return unit_run(tests);
}
