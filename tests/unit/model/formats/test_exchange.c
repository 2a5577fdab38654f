/* Package, acknowledgement, gate, request and response: their examples, the examples of the sources, real documents. */
#include "unit.h"

#include "base/fs.h"
#include "model/formats/formats.h"
#include "model/formats/response_findings.h"
#include "model/document/read.h"
#include "model/document/write.h"

static const ho_format *const formats[] = {&ho_format_request, &ho_format_response, &ho_format_package, &ho_format_ack,
                                           &ho_format_gate};

static bool exists(void *world, ho_str path)
{
  (void)world;
  return !ho_str_has(path, "missing");
}

/* Reads and checks; the findings are in doc->report. */
static void check(ho_doc *doc, ho_arena *arena, const ho_format *format, ho_str text, bool strict)
{
  ho_str path = ho_str_of(format->encoding == HO_JSON ? "t.json" : "t.yaml");
  const ho_check_env env = {.path = path, .strict = strict, .exists = exists};
  ho_error err = {0};
  if (ho_doc_read(doc, arena, path, text, format, &err) || ho_doc_check(doc, &env, &err))
    fail_msg("%s", err.message);
}

static const ho_finding *find(const ho_doc *doc, const char *rule)
{
  for (size_t i = 0; i < doc->report.count; i++)
    if (strcmp(doc->report.items[i].rule->id, rule) == 0)
      return &doc->report.items[i];
  return NULL;
}

static void assert_none(const ho_doc *doc, const char *what)
{
  if (doc->report.count)
    fail_msg("%s: [%s] %.*s", what, doc->report.items[0].rule->id, HO_ARG(doc->report.items[0].message));
}

static void examples_have_no_finding_and_come_back(void **state)
{
  (void)state;
  for (size_t i = 0; i < HO_COUNT(formats); i++) {
    ho_arena arena;
    ho_doc doc;
    ho_buf out;
    ho_error err = {0};
    ho_arena_init(&arena, 0);
    ho_buf_init(&out, 0);
    check(&doc, &arena, formats[i], ho_str_of(formats[i]->example), true);
    assert_none(&doc, formats[i]->name);
    assert_int_equal(ho_doc_write(formats[i], doc.root, formats[i]->encoding, &out, &err), HO_OK);
    if (strcmp(out.p, formats[i]->example) != 0)
      fail_msg("%s: the example is not written as it stands:\n%s", formats[i]->name, out.p);
    ho_buf_free(&out);
    ho_arena_free(&arena);
  }
}

/* Every field has a sentence, and every scalar an example. */
static void check_record(const ho_record *record)
{
  for (const ho_field *field = record->fields; field->name; field++) {
    if (!field->doc || !ho_str_ends(ho_str_of(field->doc), "."))
      fail_msg("%s.%s has no sentence", record->name, field->name);
    if (field->record)
      check_record(field->record);
    else if (!field->example)
      fail_msg("%s.%s has no example", record->name, field->name);
  }
}

static void tables_are_complete(void **state)
{
  (void)state;
  for (size_t i = 0; i < HO_COUNT(formats); i++) {
    check_record(formats[i]->root);
    for (const ho_rule *rule = formats[i]->rules; rule->info.id; rule++) {
      assert_true(ho_str_starts(ho_str_of(rule->info.id), formats[i]->name));
      assert_true(rule->info.doc && rule->info.fix && (rule->check || rule->require));
    }
  }
}

static void rules_of_aggregation(void **state)
{
  (void)state;
  static const struct {
    const char *rule;
    size_t total, passed;
    bool known, passes;
  } rows[] = {{"all", 3, 3, true, true},
              {"all", 3, 2, true, false},
              {"all_must_pass", 0, 0, true, true},
              {"any", 3, 1, true, true},
              {"any", 3, 0, true, false},
              {"any_pass", 0, 0, true, false},
              {"majority", 4, 2, true, false},
              {"majority", 4, 3, true, true},
              {"majority", 3, 2, true, true},
              {"majority_pass", 1, 0, true, false},
              {"2", 3, 2, true, true},
              {"3", 3, 2, true, false},
              {"most", 3, 3, false, false},
              {"", 3, 3, false, false},
              {"-1", 3, 3, false, false}};
  for (size_t i = 0; i < HO_COUNT(rows); i++) {
    bool passes = false;
    assert_int_equal(ho_aggregate_passes(ho_str_of(rows[i].rule), rows[i].total, rows[i].passed, &passes),
                     rows[i].known);
    assert_int_equal(passes, rows[i].passes);
  }
}

/* Text under format gives (or, with '!', does not give) a finding of rule. */
typedef struct row {
  const ho_format *format;
  const char *text, *rule;
} row;

static void single_documents(void **state)
{
  (void)state;
  static const row rows[] = {
      {&ho_format_package, "handoff: {to: human, context: {summary: 'Deux approches possibles, à décider'}}",
       "package-question-hidden"},
      {&ho_format_package, "handoff: {to: human, context: {summary: 'Two ways are open to us'}}",
       "package-escalation-question"},
      {&ho_format_package, "handoff: {type: sequential, to: human, context: {summary: 'Two ways are open to us'}}",
       "package-type-parties"},
      {&ho_format_package, "handoff: {to: a, context: {summary: x, artifacts: [src/missing.c]}}",
       "package-artifact-missing"},
      {&ho_format_package, "handoff: {to: a, context: {summary: x, artifacts: ['{missing}']}}",
       "!package-artifact-missing"},
      {&ho_format_package, "handoff: {to: a, context: {summary: x, artifacts: [/etc/missing]}}", "path-relative"},
      {&ho_format_package, "handoff: {to: a, context: {summary: 'Created auth.ts', artifacts: [src/auth.ts]}}",
       "!package-artifact-unlisted"},
      {&ho_format_package, "handoff: {to: a, context: {summary: 'Created src/b.ts', artifacts: [src/auth.ts]}}",
       "package-artifact-unlisted"},
      {&ho_format_package, "handoff: {to: a, context: {summary: 'Read src/b.ts'}}", "!package-artifact-unlisted"},
      {&ho_format_package, "handoff: {to: a, context: {summary: x}, expectations: {success_criteria: [Shiny]}}",
       "package-criterion-vague"},
      {&ho_format_gate, "handoff: {to: human, gate: bloquante, context: {summary: x}}", "gate-items"},
      {&ho_format_gate, "handoff: {to: human, gate: informative, context: {summary: x}}", "!gate-items"},
      {&ho_format_gate, "handoff: {to: {agent: Humain}, gate: blocking, context: {summary: x}}", "!gate-human"},
      {&ho_format_ack, "acknowledgement: {received: yes, understood: fully}", "ack-understood"},
      {&ho_format_ack, "acknowledgement: {received: yes, understood: {task: Done}}", "ack-understood"},
      {&ho_format_ack, "acknowledgement: {received: yes, understood: {task: Check it twice, constraints: {}}}",
       "ack-understood"},
      {&ho_format_response,
       "{\"findings\":{\"aggregation\":{\"total\":-9223372036854775808,\"passed\":1,\"failed\":1}}}",
       "response-aggregation-count"},
      {&ho_format_response,
       "{\"findings\":{\"checks\":{\"tests\":{\"total\":9223372036854775807,\"passed_count\":-9,\"failed_count\":1}}}}",
       "response-tests-count"},
      {&ho_format_response, "{\"decision\":\"proceed\",\"findings\":{\"conflicts\":[{\"severity\":\"critical\"}]}}",
       "response-proceed-failed"},
      {&ho_format_response, "{\"decision\":\"PROCEED\",\"findings\":{\"conflicts\":[{\"severity\":\"info\"}]}}",
       "!response-proceed-failed"},
      {&ho_format_response, "{\"phase\":\"validate\",\"findings\":[],\"context_summary\":7}", "type"},
  };
  for (size_t i = 0; i < HO_COUNT(rows); i++) {
    ho_arena arena;
    ho_doc doc;
    ho_arena_init(&arena, 0);
    check(&doc, &arena, rows[i].format, ho_str_of(rows[i].text), false);
    bool wanted = rows[i].rule[0] != '!';
    if (!!find(&doc, rows[i].rule + !wanted) != wanted)
      fail_msg("%s: %s", rows[i].text, rows[i].rule);
    ho_arena_free(&arena);
  }
}

/* The fenced blocks of a source document that are real examples: without placeholders, and with the keys named. */
static size_t check_blocks(const char *path, const char *fence, const ho_format *(*choose)(ho_str block))
{
  ho_arena arena;
  ho_error err = {0};
  ho_str text, rest, line, block;
  size_t count = 0;
  ho_arena_init(&arena, 0);
  assert_int_equal(ho_fs_read(&arena, path, 0, &text, &err), HO_OK);
  for (rest = text; ho_str_next_line(&rest, &line);) {
    if (!ho_str_is(line, fence))
      continue;
    const char *from = rest.p, *to = rest.p;
    while (ho_str_next_line(&rest, &line) && !ho_str_is(line, "```"))
      to = line.p + line.n;
    block = (ho_str){from, (size_t)(to - from)};
    const ho_format *format = choose(block);
    if (!format)
      continue;
    ho_doc doc;
    check(&doc, &arena, format, block, false);
    for (size_t i = 0; i < doc.report.count; i++)
      if (doc.report.items[i].severity == HO_ERROR)
        fail_msg("%s: %.*s\n%.*s", format->name, HO_ARG(doc.report.items[i].message), HO_ARG(block));
    count++;
  }
  ho_arena_free(&arena);
  return count;
}

static const ho_format *choose_yaml(ho_str block)
{
  if (ho_str_has(block, "\"["))
    return NULL;
  if (ho_str_starts(block, "acknowledgment:"))
    return &ho_format_ack;
  return ho_str_starts(block, "handoff:") ? &ho_format_package : NULL;
}

static const ho_format *choose_json(ho_str block)
{
  if (ho_str_has(block, "string") || !ho_str_has(block, "task_id"))
    return NULL;
  return ho_str_has(block, "instructions") ? &ho_format_request : &ho_format_response;
}

static void examples_of_the_sources_are_valid(void **state)
{
  (void)state;
  assert_int_equal(check_blocks(unit_shared("seeds/004_d9934d177422da7e.txt"), "```yaml", choose_yaml), 5);
  assert_int_equal(check_blocks(unit_shared("seeds/003_e409f56d9b05f257.txt"), "```json", choose_json), 3);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(examples_have_no_finding_and_come_back),
      cmocka_unit_test(tables_are_complete),
      cmocka_unit_test(rules_of_aggregation),
      cmocka_unit_test(single_documents),
      cmocka_unit_test(examples_of_the_sources_are_valid),
  };
  return unit_run(tests);
}
