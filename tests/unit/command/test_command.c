/* The command table itself, dispatch, suggestions, and the parts of `new` with a clock that stands still. */
#include "unit.h"

#include "command/call.h"
#include "command/commands.h"
#include "command/findings.h"
#include "command/documents/new.h"
#include "base/suggest.h"
#include "model/formats/formats.h"
#include "model/general_rules.h"

static ho_arena arena;

static int begin(void **state)
{
  (void)state;
  ho_arena_init(&arena, 0);
  return 0;
}

static int end(void **state)
{
  (void)state;
  ho_arena_free(&arena);
  return 0;
}

static int64_t noon(void *world)
{
  (void)world;
  return 1770899400000; /* 2026-02-12T12:30:00Z */
}

static void check_fields(const char *command, const ho_record *record)
{
  for (const ho_field *field = record->fields; field->name; field++) {
    if (!field->doc || !*field->doc)
      fail_msg("%s: %s has no doc", command, field->name);
    if (field->type == HO_T_RECORD || (field->type == HO_T_LIST && field->item == HO_T_RECORD))
      check_fields(command, field->record);
  }
}

static void test_table(void **state)
{
  (void)state;
  for (const ho_command *const *each = ho_commands; *each; each++) {
    const ho_command *command = *each;
    assert_ptr_equal(ho_command_named(ho_str_of(command->name)), command);
    if (!command->run || !command->summary || !command->doc || !command->examples || !command->group)
      fail_msg("'%s' lacks its run, summary, doc, examples or group", command->name);
    if (strlen(command->summary) > 66 || ho_str_ends(ho_str_of(command->summary), "."))
      fail_msg("the summary of '%s' has more than 66 bytes, or a full stop", command->name);
    if (command->person && command->teammate)
      fail_msg("'%s' is for people only, and teammates may run it without asking", command->name);
    check_fields(command->name, command->params);
    check_fields(command->name, command->result);
  }
  assert_null(ho_command_named(HO_STR("nothing")));
}

/* The help of `send` has a list, "- package, task: who receives it": of every format that can be sent, and no other. */
static void test_send_help(void **state)
{
  bool listed[64] = {0};
  ho_str rest = ho_str_of(ho_command_send.doc), line, name;
  (void)state;
  while (ho_str_next_line(&rest, &line)) {
    if (!ho_str_starts(line, "- "))
      continue;
    ho_str names = ho_str_sub(line, 2, ho_str_find_char(line, ':'));
    while (ho_str_next(&names, ',', &name)) {
      const ho_format *format = ho_format_named(ho_str_trim(name));
      if (!format || !format->sending)
        fail_msg("the help of send lists '%.*s', which cannot be sent (cmd_send.c)", HO_ARG(name));
      for (size_t i = 0; ho_formats[i]; i++)
        listed[i] |= ho_formats[i] == format;
    }
  }
  for (size_t i = 0; ho_formats[i]; i++)
    if (ho_formats[i]->sending && !listed[i])
      fail_msg("the help of send does not say who receives a %s: add it to the list in cmd_send.c",
               ho_formats[i]->name);
}

static void expect_rule(const ho_rule_info *info)
{
  assert_ptr_equal(ho_finding_rule(ho_str_of(info->id)), info);
}

/* Every rule of every table is found by its id, so no two have the same. */
static void test_rules(void **state)
{
  (void)state;
  for (const ho_rule_info *const *rule = ho_doc_rules; *rule; rule++)
    expect_rule(*rule);
  for (const ho_rule_info *const *rule = ho_model_rules; *rule; rule++)
    expect_rule(*rule);
  for (const ho_syntax *const *syntax = ho_syntaxes; *syntax; syntax++)
    expect_rule(&(*syntax)->rule);
  for (const ho_format *const *format = ho_formats; *format; format++)
    for (const ho_rule *rule = (*format)->rules; rule && rule->info.id; rule++)
      assert_string_equal(ho_finding_rule(ho_str_of(rule->info.id))->id, rule->info.id);
}

static void test_distance(void **state)
{
  (void)state;
  assert_int_equal(ho_distance(HO_STR(""), HO_STR("")), 0);
  assert_int_equal(ho_distance(HO_STR("check"), HO_STR("check")), 0);
  assert_int_equal(ho_distance(HO_STR("chek"), HO_STR("check")), 1);
  assert_int_equal(ho_distance(HO_STR("hceck"), HO_STR("check")), 1);
  assert_int_equal(ho_distance(HO_STR("abc"), HO_STR("")), 3);
  assert_int_equal(ho_distance(HO_STR("kitten"), HO_STR("sitting")), 3);
  char longer[200];
  memset(longer, 'a', sizeof longer);
  assert_int_equal(ho_distance((ho_str){longer, sizeof longer}, HO_STR("")), 64);
}

static ho_code dispatch(const char *name, ho_node *args, ho_call *call, ho_error *err)
{
  static ho_host host;
  host = (ho_host){.arena = &arena, .root = HO_EMPTY, .folder = HO_EMPTY, .clock_ms = noon};
  *call = (ho_call){.host = &host, .args = args, .arena = &arena};
  return ho_dispatch(ho_command_named(ho_str_of(name)), call, err);
}

static void test_dispatch(void **state)
{
  (void)state;
  ho_call call;
  ho_error err = {0};
  ho_node *args = ho_node_new(&arena, HO_KIND_MAP);
  assert_int_equal(dispatch("schema", args, &call, &err), HO_USAGE);
  assert_string_equal(err.pointer, "/format");
  assert_null(call.result);
  ho_map_addz(args, "format", ho_node_textz(&arena, "[placeholder]"));
  assert_int_equal(dispatch("schema", args, &call, &err), HO_USAGE);
  assert_non_null(strstr(err.message, "unknown format"));
  err = (ho_error){0};
  ho_map_set(args, HO_STR("format"), ho_node_textz(&arena, "package"));
  assert_int_equal(dispatch("schema", args, &call, &err), HO_OK);
  assert_int_equal(err.code, HO_OK);
  assert_non_null(ho_map_getz(call.result, "properties"));
  ho_map_addz(args, "form", ho_node_textz(&arena, "pdf"));
  assert_int_equal(dispatch("template", args, &call, &err), HO_USAGE);
  assert_string_equal(err.pointer, "/form");
}

static void set(const ho_format *format, ho_node *root, const char *assignment, ho_code wanted)
{
  ho_error err = {0};
  if (ho_new_set(format, root, ho_str_of(assignment), &arena, &err) != wanted)
    fail_msg("%s: %s", assignment, err.message);
}

static void expect_text(const ho_node *root, const char *pointer, const char *text)
{
  const ho_node *node = ho_node_at(root, ho_str_of(pointer));
  assert_non_null(node);
  assert_string_equal(ho_arena_z(&arena, ho_node_str(node)), text);
}

static void test_set(void **state)
{
  (void)state;
  const ho_format *format = &ho_format_package;
  ho_node *root = ho_node_new(&arena, HO_KIND_MAP);
  set(format, root, "/handoff/to/agent=a=b", HO_OK);
  expect_text(root, "/to/agent", "a=b");
  set(format, root, "to/reason=", HO_OK);
  expect_text(root, "/to/reason", "");
  set(format, root, "/context/artifacts/-=one", HO_OK);
  set(format, root, "/context/artifacts/-=two", HO_OK);
  set(format, root, "/context/artifacts/0=three", HO_OK);
  expect_text(root, "/context/artifacts/0", "three");
  expect_text(root, "/context/artifacts/1", "two");
  set(format, root, "/context/artifacts=[{\"path\": \"x\"}]", HO_OK);
  expect_text(root, "/context/artifacts/0/path", "x");
  assert_int_equal(ho_node_at(root, HO_STR("/context/artifacts/0/path"))->begin, HO_NOWHERE);
  set(format, root, "/x_own/0/deep=1", HO_OK);
  assert_true(ho_node_is(ho_map_getz(root, "x_own"), HO_KIND_LIST));
  set(format, root, "=x", HO_USAGE);
  set(format, root, "/to/agent/below=x", HO_USAGE);
  set(format, root, "/context/artifacts/9=x", HO_USAGE);
  set(format, root, "/context/artifacts/x=x", HO_USAGE);
  set(format, root, "/context/decisions=[}", HO_USAGE);
}

static void test_fill(void **state)
{
  (void)state;
  ho_host host = {.arena = &arena, .root = HO_STR("/nowhere"), .folder = HO_STR("/nowhere"), .clock_ms = noon};
  ho_call call = {.host = &host,
                  .args = ho_node_new(&arena, HO_KIND_MAP),
                  .arena = &arena,
                  .project = {.arena = &arena, .root = host.root, .clock_ms = noon}};
  ho_node *root = ho_node_new(&arena, HO_KIND_MAP);
  ho_new_fill(&call, &ho_format_package, root);
  expect_text(root, "/timestamp", "2026-02-12T12:30:00Z");
  expect_text(root, "/id", "HO-2026-001");
  root = ho_node_new(&arena, HO_KIND_MAP);
  ho_map_addz((ho_node *)call.args, "task", ho_node_textz(&arena, "007"));
  ho_map_addz((ho_node *)call.args, "phase", ho_node_textz(&arena, "3"));
  ho_map_addz((ho_node *)call.args, "slug", ho_node_textz(&arena, "a b"));
  ho_new_fill(&call, &ho_format_artifact, root);
  expect_text(root, "/timestamp", "20260212T123000Z");
  ho_str place;
  ho_error err = {0};
  assert_int_equal(ho_new_place(&call, &ho_format_artifact, root, &place, &err), HO_OK);
  assert_string_equal(place.p, "specs/7_a_b/handoffs/phase-3-handoff-20260212T123000Z.md");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_table, begin, end),
      cmocka_unit_test(test_send_help),
      cmocka_unit_test_setup_teardown(test_rules, begin, end),
      cmocka_unit_test_setup_teardown(test_distance, begin, end),
      cmocka_unit_test_setup_teardown(test_dispatch, begin, end),
      cmocka_unit_test_setup_teardown(test_set, begin, end),
      cmocka_unit_test_setup_teardown(test_fill, begin, end),
  };
  return unit_run(tests);
}
