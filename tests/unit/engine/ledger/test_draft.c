/* Drafts for agents that died: ho_draft_dead as `run` calls it, on transcripts, logs and nothing at all. */
#include "files.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/fs.h"
#include "engine/ledger/draft.h"
#include "engine/ledger/draft_dead.h"
#include "engine/project/project.h"
#include "store/handoffs/bodies.h"
#include "store/handoffs/handoffs.h"

static char folder[FOLDER_SIZE];
static ho_arena arena;
static ho_project project;
static int64_t now = 1770906622000;

static int64_t clock_ms(void *world)
{
  (void)world;
  return now;
}

static int set_up(void **state)
{
  (void)state;
  ho_error err = {0};
  unsetenv("HANDOFF_AGENT");
  setenv("HANDOFF_SESSION", "lead", 1);
  folder_make(folder, "/tmp");
  ho_arena_init(&arena, 0);
  assert_int_equal(ho_fs_mkdirs(ho_arena_z(&arena, ho_arena_printf(&arena, "%s/.handoff", folder)), &err), HO_OK);
  project = (ho_project){.arena = &arena, .root = ho_str_of(folder), .clock_ms = clock_ms};
  assert_int_equal(ho_project_open(&project, HO_OPEN_CREATE, &err), HO_OK);
  return 0;
}

static int tear_down(void **state)
{
  (void)state;
  ho_project_close(&project);
  ho_arena_free(&arena);
  return folder_remove(folder);
}

static ho_str log_of(const char *name, const char *text)
{
  ho_error err = {0};
  ho_str path = ho_arena_printf(&arena, "%s/%s", folder, name);
  assert_int_equal(ho_fs_write(path.p, ho_str_of(text), HO_FS_REPLACE, &err), HO_OK);
  return path;
}

/* The draft's text. */
static ho_str made(ho_draft *draft)
{
  ho_error err = {0};
  ho_handoff row;
  ho_str body;
  now += 60000;
  assert_int_equal(ho_draft_dead(&project, draft, &err), HO_OK);
  assert_true(draft->id.n > 0);
  assert_int_equal(ho_handoffs_get(project.store, draft->id, &arena, &row, &err), HO_OK);
  assert_str(row.state, "draft");
  assert_true(ho_draft_is(&row, &arena));
  assert_int_equal(ho_bodies_get(project.store, row.digest, &arena, &body, &err), HO_OK);
  assert_true(ho_str_has(body, "nobody has checked or confirmed it"));
  return body;
}

static void what_the_agent_said_is_found(void **state)
{
  (void)state;
  const struct {
    const char *text, *found;
  } logs[] = {
      {"{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"text\",\"text\":\"Claude says\"}]}}\n",
       "The agent said: Claude says"},
      {"{\"type\":\"response_item\",\"payload\":{\"role\":\"assistant\",\"content\":[{\"text\":\"Codex says\"}]}}\n",
       "The agent said: Codex says"},
      {"{\"type\":\"item.completed\",\"item\":{\"type\":\"agent_message\",\"text\":\"Exec says\"}}\n",
       "The agent said: Exec says"},
      {"{\"type\":\"gemini\",\"content\":\"Gemini says\"}\n", "The agent said: Gemini says"},
      {"compiling\nerror: out of disk\n\n", "out of disk"},
  };
  for (size_t i = 0; i < HO_COUNT(logs); i++) {
    ho_draft draft = {.task = HO_STR("7"),
                      .phase = HO_STR("02"),
                      .agent = HO_STR("coder/1"),
                      .session = HO_STR("dead"),
                      .log = log_of("log", logs[i].text),
                      .why = HO_STR("it was killed by signal 9")};
    ho_str body = made(&draft);
    assert_true(ho_str_has(body, logs[i].found));
    assert_true(ho_str_has(body, "killed by signal 9"));
    assert_true(ho_str_has(body, "phase 02 of task 7") || ho_str_has(body, "phase 2 of task 7"));
  }
}

static void only_the_newest_draft_is_left(void **state)
{
  (void)state;
  ho_error err = {0};
  ho_handoff_list list;
  ho_draft other = {.task = HO_STR("7"), .phase = HO_STR("3"), .why = HO_STR("it went silent")};
  ho_draft first = {.task = HO_STR("7"), .phase = HO_STR("2"), .why = HO_STR("it went silent")}, second = first;
  (void)made(&other);
  (void)made(&first);
  (void)made(&second);
  ho_filter filter = {.state = HO_STR("draft"), .task = HO_STR("7")};
  assert_int_equal(ho_handoffs_select(project.store, &filter, &arena, &list, &err), HO_OK);
  assert_int_equal(list.count, 2);
  assert_true(ho_str_eq(list.rows[0].id, second.id));
  assert_true(ho_str_eq(list.rows[1].id, other.id));
  ho_handoff row;
  assert_int_equal(ho_handoffs_get(project.store, first.id, &arena, &row, &err), HO_OK);
  assert_str(row.state, "superseded");
  assert_true(ho_str_eq(row.superseded_by, second.id));
}

/* An earlier draft is no handoff; with `once` it is enough. */
static void who_has_handed_off_gets_none(void **state)
{
  (void)state;
  ho_error err = {0};
  ho_draft draft = {.task = HO_STR("9"), .phase = HO_STR("1"), .session = HO_STR("s9"), .why = HO_STR("it died")};
  (void)made(&draft);
  int64_t before = now - 1;
  draft.since = before;
  (void)made(&draft);
  draft.once = true;
  assert_int_equal(ho_draft_dead(&project, &draft, &err), HO_OK);
  assert_int_equal(draft.id.n, 0);
}

/* Without a task the session counts; and what a transcript holds besides messages is not what the agent printed. */
static void a_session_without_a_task_has_one(void **state)
{
  (void)state;
  ho_error err = {0};
  ho_handoff row;
  ho_draft first = {.session = HO_STR("alone"), .why = HO_STR("it died")}, second = first, other = first;
  other.session = HO_STR("another");
  first.log =
      log_of("calls", "{\"type\":\"assistant\",\"message\":{\"id\":\"m\",\"content\":[{\"type\":\"tool_use\",\"id\":"
                      "\"t\",\"name\":\"Bash\",\"input\":{}}],\"usage\":{\"input_tokens\":9}}}\n");
  assert_false(ho_str_has(made(&first), "printed"));
  (void)made(&other);
  (void)made(&second);
  assert_int_equal(ho_handoffs_get(project.store, first.id, &arena, &row, &err), HO_OK);
  assert_str(row.state, "superseded");
  assert_int_equal(ho_handoffs_get(project.store, other.id, &arena, &row, &err), HO_OK);
  assert_str(row.state, "draft");
}

static void nothing_that_is_missing_or_damaged_fails_it(void **state)
{
  (void)state;
  static const char *const texts[] = {"", "\n\n\n", "{", "\x01\x02\xff\xfe", "{\"type\":\"assistant\"}\n"};
  for (size_t i = 0; i < HO_COUNT(texts); i++) {
    ho_draft draft = {.log = log_of("damaged", texts[i]), .why = HO_STR("it died")};
    (void)made(&draft);
  }
  const ho_str paths[] = {HO_STR("/nowhere/log"), HO_STR("/dev/zero"), HO_STR("/"), HO_EMPTY};
  for (size_t i = 0; i < HO_COUNT(paths); i++) {
    ho_draft draft = {.task = HO_STR("../x"),
                      .phase = HO_STR("1"),
                      .log = paths[i],
                      .folder = HO_STR("/nowhere"),
                      .session = HO_STR("../../etc/passwd"),
                      .why = HO_STR("it died")};
    (void)made(&draft);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_the_agent_said_is_found),
      cmocka_unit_test(only_the_newest_draft_is_left),
      cmocka_unit_test(who_has_handed_off_gets_none),
      cmocka_unit_test(a_session_without_a_task_has_one),
      cmocka_unit_test(nothing_that_is_missing_or_damaged_fails_it),
  };
  return unit_run_between(set_up, tests, tear_down);
}
