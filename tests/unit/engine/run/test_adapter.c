/* Command lines: words, agents of the settings, harnesses, and who goes before whom. */
#include "unit.h"

#include "base/buf.h"
#include "base/fs.h"
#include "engine/run/adapter.h"
#include "model/document/read.h"

/* The words begin so. */
static void assert_words(const char **words, const char *expected)
{
  char text[1024] = "";
  size_t n = 0;
  for (size_t i = 0; words[i]; i++)
    n += (size_t)snprintf(text + n, sizeof text - n, "%s<%s>", i ? " " : "", words[i]);
  if (strncmp(text, expected, strlen(expected)))
    fail_msg("%s", text);
}

static void test_words(void **state)
{
  static const struct {
    const char *text, *words; /* NULL: refused */
  } cases[] = {
      {"sh  agent.sh --fast", "<sh> <agent.sh> <--fast>"},
      {" a 'b c' d\"e f\"g ", "<a> <b c> <de fg>"},
      {"a '' \"\"", "<a> <> <>"},
      {"a \\\"b \"c\\\"d\\\\e\\n\"", "<a> <\"b> <c\"d\\e\\n>"},
      {"a '$HOME' $(x) | `y` > z;", "<a> <$HOME> <$(x)> <|> <`y`> <>> <z;>"},
      {"a 'b", NULL},
      {"a \"b\\\"", NULL},
      {"  ", NULL},
      {"''", NULL},
  };
  (void)state;
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    ho_arena arena;
    ho_error err = {0};
    const char **words = NULL;
    ho_arena_init(&arena, 0);
    ho_code code = ho_adapter_words(&arena, ho_str_of(cases[i].text), &words, &err);
    assert_int_equal(code, cases[i].words ? HO_OK : HO_USAGE);
    if (cases[i].words)
      assert_words(words, cases[i].words);
    ho_arena_free(&arena);
  }
}

static const char settings[] = "agents:\n"
                               "  - name: writer\n    command: [bin/write, --now, 'two words']\n"
                               "  - name: fast\n    command: [claude]\n    harness: claude\n    model: claude-haiku-5\n"
                               "  - name: coder\n    command: [/opt/codex]\n    harness: codex\n    model: gpt-6\n"
                               "  - name: claude\n    command: [evil]\n";

static void test_commands(void **state)
{
  static const struct {
    const char *wanted, *told, *agent, *adapter, *words; /* words NULL: refused; a beginning is enough */
  } cases[] = {
      {"", "claude", "claude", "claude", "<claude> <--print> <--output-format> <stream-json>"},
      {"", "gemini", "gemini", "gemini", "<gemini> <--output-format>"},
      {"", "fast", "fast", "claude", "<claude> <--model> <claude-haiku-5> <--print>"},
      {"", "coder", "coder", "codex", "</opt/codex> <exec> <--model> <gpt-6> <--json>"},
      {"writer", "", "writer", NULL, "</project/bin/write> <--now> <two words>"},
      {"writer", "claude", "writer", NULL, "</project/bin/write>"},
      {"codex", "claude", "codex", "codex", "<codex> <exec> <--json>"},
      {"reviewer", "sh -x", "reviewer", NULL, "<sh> <-x>"},
      {"", "python3 'a b.py'", "python3", NULL, "<python3> <a b.py>"},
      {"rm -rf /", "", "", NULL, NULL},
      {"", "", "", NULL, NULL},
      {"", "'", "", NULL, NULL},
  };
  ho_arena arena;
  ho_doc doc;
  ho_error err = {0};
  (void)state;
  ho_arena_init(&arena, 0);
  assert_int_equal(ho_doc_read(&doc, &arena, HO_STR(".handoff/config.yaml"), ho_str_of(settings), NULL, &err), HO_OK);
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    ho_adapter_use use = {.agents = ho_map_getz(doc.root, "agents"),
                          .root = HO_STR("/project"),
                          .wanted = ho_str_of(cases[i].wanted),
                          .told = ho_str_of(cases[i].told),
                          .prompt = "/project/prompt.md"};
    ho_adapter_call call;
    ho_code code = ho_adapter_command(&arena, &use, &call, &err);
    assert_int_equal(code, cases[i].words ? HO_OK : HO_USAGE);
    if (code)
      continue;
    assert_words(call.argv, cases[i].words);
    assert_str(call.agent, cases[i].agent);
    assert_ptr_equal(call.adapter, ho_adapter_named(ho_str_of(cases[i].adapter)));
    assert_string_equal(call.input, "/project/prompt.md");
  }
  ho_arena_free(&arena);
}

/* What nobody has trusted is not started, and an agent may not start what it likes. */
static void agents_start_only_what_people_trust(void **state)
{
  static const struct {
    const char *wanted, *told, *sign;
    bool trusted;
    ho_code code;
  } cases[] = {
      {"writer", "", "", false, HO_GATED},       {"", "writer", "", false, HO_GATED},
      {"writer", "sh -x", "", false, HO_OK},     {"writer", "claude", "", false, HO_OK},
      {"", "sh -x", "X is set", true, HO_GATED}, {"", "sh -x", "X is set", false, HO_GATED},
      {"", "claude", "X is set", false, HO_OK},  {"", "writer", "X is set", true, HO_OK},
      {"writer", "sh", "X is set", true, HO_OK}, {"other", "sh", "X is set", true, HO_GATED},
      {"nobody", "", "", false, HO_USAGE},
  };
  ho_arena arena;
  ho_doc doc;
  ho_error err = {0};
  (void)state;
  ho_arena_init(&arena, 0);
  assert_int_equal(ho_doc_read(&doc, &arena, HO_STR(".handoff/config.yaml"), ho_str_of(settings), NULL, &err), HO_OK);
  const ho_node *agents = ho_map_getz(doc.root, "agents");
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    ho_adapter_use use = {.agents = cases[i].trusted ? agents : NULL,
                          .waiting = cases[i].trusted ? NULL : agents,
                          .root = HO_STR("/project"),
                          .wanted = ho_str_of(cases[i].wanted),
                          .told = ho_str_of(cases[i].told),
                          .sign = ho_str_of(cases[i].sign),
                          .prompt = "/project/prompt.md"};
    ho_adapter_call call;
    assert_int_equal(ho_adapter_command(&arena, &use, &call, &err), cases[i].code);
  }
  ho_arena_free(&arena);
}

/* The part of the record that is about one harness. */
static ho_str record_of(ho_str record, const char *name)
{
  ho_str line, rest = record;
  while (ho_str_next_line(&rest, &line))
    if (ho_str_starts(line, name) && ho_str_starts(ho_str_sub(line, strlen(name), line.n), " ")) {
      size_t end = ho_str_find(rest, "\n\n");
      return ho_str_sub(rest, 0, end == HO_NONE ? rest.n : end);
    }
  return HO_EMPTY;
}

/* The option is in the record; *values: those it may take, or "". */
static bool is_recorded(ho_str record, const char *option, ho_str *values)
{
  ho_str line;
  while (ho_str_next_line(&record, &line)) {
    line = ho_str_trim(line);
    size_t space = ho_str_find_char(line, ' ');
    if (!ho_str_is(ho_str_sub(line, 0, space == HO_NONE ? line.n : space), option))
      continue;
    *values = space == HO_NONE ? HO_EMPTY : ho_str_sub(line, space + 1, line.n);
    return true;
  }
  return false;
}

static const ho_rights rights = {.people = (const char *const[]){"gate decide", "install", NULL},
                                 .teammates = (const char *const[]){"status", "gate raise", NULL}};

/* The command line of a harness, with its rules and variables behind it. */
static ho_str told(ho_arena *arena, const char *harness)
{
  ho_adapter_call call;
  ho_error err = {0};
  ho_buf text;
  ho_adapter_use use = {.told = ho_str_of(harness), .prompt = "p", .files = HO_STR("/r"), .rights = rights};
  assert_int_equal(ho_adapter_command(arena, &use, &call, &err), HO_OK);
  ho_buf_init(&text, 0);
  for (size_t i = 0; call.argv[i]; i++)
    ho_buf_printf(&text, "<%s>\n", call.argv[i]);
  for (size_t i = 0; call.env[i]; i++)
    ho_buf_printf(&text, "%s\n", call.env[i]);
  ho_buf_put(&text, call.rules);
  return ho_buf_move(&text, arena);
}

/* Each harness is told what teammates may run, one command at a time, and what only people may. */
static void test_rights(void **state)
{
  static const struct {
    const char *harness, *text;
  } cases[] = {
      {"claude", "<--settings>\n</r/settings.json>\n"},
      {"claude", "\"allow\": [\n      \"Bash(handoff status:*)\",\n      \"Bash(handoff gate raise:*)\"\n    ]"},
      {"claude", "\"deny\": [\n      \"Bash(*handoff gate decide*)\",\n      \"Bash(*handoff --* gate decide*)\",\n"},
      {"gemini", "<--policy>\n</r/policy.toml>\n"},
      {"gemini", "commandRegex = \".*handoff +gate +decide\\\\b\"\ndecision = \"deny\"\n"},
      {"gemini", "commandRegex = \".*handoff +install\\\\b\"\ndecision = \"deny\"\n"},
      {"gemini", "commandPrefix = \"handoff gate raise\"\ndecision = \"allow\"\n"},
      {"opencode",
       "OPENCODE_PERMISSION={\"bash*\":{\"*handoff gate decide*\":\"deny\",\"*handoff --* gate decide*\":\"deny\","},
  };
  ho_arena arena;
  (void)state;
  ho_arena_init(&arena, 0);
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    ho_str text = told(&arena, cases[i].harness);
    if (!ho_str_has(text, cases[i].text))
      fail_msg("%s: no %s in %.*s", cases[i].harness, cases[i].text, HO_ARG(text));
  }
  for (const ho_adapter *each = ho_adapters; each->harness; each++)
    assert_false(ho_str_has(told(&arena, each->harness->name), "handoff *)"));
  ho_arena_free(&arena);
}

/* Every option of the table stands in what scripts/harness-flags.mjs took from the programs' own help, and has one of
 * the values that it may have. */
static void test_record(void **state)
{
  ho_arena arena;
  ho_error err = {0};
  ho_str record, values;
  (void)state;
  ho_arena_init(&arena, 0);
  assert_int_equal(ho_fs_read(&arena, "tests/data/harness-flags.txt", 0, &record, &err), HO_OK);
  for (const ho_adapter *each = ho_adapters; each->harness; each++) {
    ho_str part = record_of(record, each->harness->name);
    assert_true(part.n > 0);
    assert_true(is_recorded(part, each->model, &values));
    ho_adapter_call call;
    ho_adapter_use use = {
        .told = ho_str_of(each->harness->name), .prompt = "p", .files = HO_STR("/r"), .rights = rights};
    assert_int_equal(ho_adapter_command(&arena, &use, &call, &err), HO_OK);
    for (size_t i = 1; call.argv[i]; i++) {
      if (!ho_str_starts(ho_str_of(call.argv[i]), "--"))
        continue;
      if (!is_recorded(part, call.argv[i], &values))
        fail_msg("%s has no option %s", each->harness->name, call.argv[i]);
      const char *value = call.argv[i + 1];
      if (values.n && !ho_str_list_has(ho_arena_z(&arena, values), ho_str_of(value)))
        fail_msg("%s %s does not take %s", each->harness->name, call.argv[i], value);
    }
  }
  ho_arena_free(&arena);
}

/* A teammate does not take itself for a part of the session that started it. */
static void test_not_inherited(void **state)
{
  ho_arena arena;
  ho_error err = {0};
  ho_adapter_call call = {0};
  size_t count = 0, dropped = 0;
  (void)state;
  ho_arena_init(&arena, 0);
  ho_adapter_use use = {.told = HO_STR("claude"), .prompt = "p"};
  assert_int_equal(ho_adapter_command(&arena, &use, &call, &err), HO_OK);
  for (const ho_harness *const *each = ho_harnesses; *each; each++)
    for (const char *const *name = (*each)->inside; *name; name++, count++)
      for (size_t i = 0; call.drop[i]; i++)
        dropped += strcmp(call.drop[i], *name) == 0;
  assert_true(count > 0);
  assert_int_equal(dropped, count);
  ho_arena_free(&arena);
}

/* What an agent said and did, and what went wrong; the rest of its harness's lines is left out, plain lines are not. */
static void test_told(void **state)
{
  static const struct {
    const char *harness, *lines, *told;
  } cases[] = {
      {"claude",
       "{\"type\":\"system\",\"subtype\":\"init\"}\n"
       "{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"thinking\",\"thinking\":\"hm\"},{\"type\":"
       "\"text\",\"text\":\"I "
       "look.\\nTwice.\"},{\"type\":\"tool_use\",\"name\":\"Bash\",\"input\":{\"command\":\"git status\\n  "
       "--short\"}}]}}\n"
       "{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_result\",\"content\":\"fine\"},{\"type\":\"tool_"
       "result\",\"is_"
       "error\":true,\"content\":[{\"type\":\"text\",\"text\":\"No such file\"}]}]}}\n"
       "plain\n{\"type\":\"result\",\"is_error\":false,\"result\":\"I look.\"}\n{\"cut",
       "I look.\nTwice.\n> Bash: git status   --short\n! No such file\nplain\n"},
      {"codex",
       "{\"type\":\"thread.started\"}\n"
       "{\"type\":\"item.completed\",\"item\":{\"type\":\"command_execution\",\"command\":\"make\"}}\n"
       "{\"type\":\"item.completed\",\"item\":{\"type\":\"file_change\",\"changes\":[{\"path\":\"a.c\",\"kind\":"
       "\"update\"}]}}\n"
       "{\"type\":\"item.completed\",\"item\":{\"type\":\"agent_message\",\"text\":\"Done.\"}}\n"
       "{\"type\":\"turn.failed\",\"error\":{\"message\":\"no login\"}}\n",
       "> make\n> update: a.c\nDone.\n! no login\n"},
      {"gemini",
       "{\"type\":\"init\"}\n{\"type\":\"message\",\"role\":\"user\",\"content\":\"prompt\"}\n"
       "{\"type\":\"tool_use\",\"tool_name\":\"read_file\",\"parameters\":{\"path\":\"a.c\"}}\n"
       "{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"Done.\"}\n",
       "> read_file: a.c\nDone.\n"},
      {"opencode",
       "{\"type\":\"tool_use\",\"part\":{\"tool\":\"bash\",\"state\":{\"input\":{\"command\":\"ls\"}}}}\n"
       "{\"type\":\"text\",\"part\":{\"text\":\"Done.\"}}\n",
       "> bash: ls\nDone.\n"},
      {"command", "{\"a\":1}\nplain", "{\"a\":1}\nplain\n"},
  };
  (void)state;
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    ho_buf out;
    ho_buf_init(&out, 0);
    ho_adapter_tell(ho_adapter_named(ho_str_of(cases[i].harness)), ho_str_of(cases[i].lines), &out);
    if (!ho_str_is(ho_buf_str(&out), cases[i].told))
      fail_msg("%s: %.*s", cases[i].harness, HO_ARG(ho_buf_str(&out)));
    ho_buf_free(&out);
  }
}

int main(void)
{
  static const struct CMUnitTest tests[] = {cmocka_unit_test(test_words),
                                            cmocka_unit_test(test_commands),
                                            cmocka_unit_test(agents_start_only_what_people_trust),
                                            cmocka_unit_test(test_rights),
                                            cmocka_unit_test(test_record),
                                            cmocka_unit_test(test_told),
                                            cmocka_unit_test(test_not_inherited)};
  return unit_run(tests);
}
