/* What teammates leave, judged: nothing is believed that can be looked at. */
#include "files.h"

#include "base/fs.h"
#include "base/time.h"
#include "engine/run/teammate_result.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct world {
  ho_arena arena;
  char root[FOLDER_SIZE];
  ho_result_ask ask;
} world;

static void write_file(world *w, const char *name, const char *text)
{
  ho_error err = {0};
  ho_str path = ho_fs_join(&w->arena, ho_str_of(w->root), ho_str_of(name));
  assert_int_equal(ho_fs_write(path.p, ho_str_of(text), HO_FS_REPLACE, &err), HO_OK);
}

static void age_file(world *w, const char *name, int seconds)
{
  ho_str path = ho_fs_join(&w->arena, ho_str_of(w->root), ho_str_of(name));
  struct timespec times[2] = {{.tv_sec = time(NULL) - seconds, .tv_nsec = 5},
                              {.tv_sec = time(NULL) - seconds, .tv_nsec = 5}};
  assert_int_equal(utimensat(AT_FDCWD, path.p, times, 0), 0);
}

static ho_result judge(world *w)
{
  ho_result result;
  ho_error err = {0};
  assert_int_equal(ho_result_read(&w->arena, &w->ask, &result, &err), HO_OK);
  return result;
}

static int start(void **state)
{
  static world w;
  ho_arena_init(&w.arena, 0);
  folder_make(w.root, "/tmp");
  write_file(&w, "made.c", "int x;\n");
  write_file(&w, "handoff.md", "# Phase 1 Handoff\n");
  ho_str root = ho_str_of(w.root);
  w.ask = (ho_result_ask){.root = root,
                          .folder = root,
                          .meta = ho_fs_join(&w.arena, root, HO_STR(".return-meta-phase-1.json")),
                          .spare = ho_fs_join(&w.arena, root, HO_STR(".return-meta.json")),
                          .session = HO_STR("sess_1_ab"),
                          .started = ho_time_now_ms()};
  *state = &w;
  return 0;
}

static int stop(void **state)
{
  world *w = *state;
  static const char *const names[] = {"made.c", "handoff.md", ".return-meta-phase-1.json", ".return-meta.json",
                                      "log",    "out"};
  for (size_t i = 0; i < HO_COUNT(names); i++)
    unlink(ho_fs_join(&w->arena, ho_str_of(w->root), ho_str_of(names[i])).p);
  assert_int_equal(rmdir(w->root), 0);
  ho_arena_free(&w->arena);
  return 0;
}

static void test_documents(void **state)
{
  static const struct {
    const char *text;
    ho_outcome outcome;
    const char *why; /* part of it */
  } cases[] = {
      {"{\"status\":\"implemented\",\"artifacts\":[{\"type\":\"code\",\"path\":\"made.c\"}]}", HO_OUTCOME_DONE,
       "implemented"},
      {"{\"status\":\"implemented\",\"summary\":\"All is well\"}", HO_OUTCOME_DONE, "All is well"},
      {"{\"status\":\"completed\",\"artifacts\":[\"made.c\"]}", HO_OUTCOME_DONE, "implemented"},
      {"{\"status\":\"researched\",\"artifacts\":[]}", HO_OUTCOME_DONE, "researched"},
      {"{\"status\":\"implemented\",\"artifacts\":[{\"path\":\"gone.c\"}]}", HO_OUTCOME_MISSING, "gone.c"},
      {"{\"status\":\"implemented\",\"artifacts\":[{\"path\":\"../../etc/passwd\"}]}", HO_OUTCOME_MISSING, "outside"},
      {"{\"status\":\"implemented\",\"artifacts\":[{\"path\":\"/etc/passwd\"}]}", HO_OUTCOME_MISSING, "outside"},
      {"{\"status\":\"implemented\",\"artifacts\":[{\"path\":\"out\"}]}", HO_OUTCOME_MISSING, "outside"},
      {"{\"status\":\"partial\",\"partial_progress\":{\"stage\":\"whatever\",\"details\":\"Half\",\"handoff_path\":"
       "\"handoff.md\"}}",
       HO_OUTCOME_HANDOFF, "Half"},
      {"{\"status\":\"in_progress\",\"partial_progress\":{\"handoff_path\":\"handoff.md\"}}", HO_OUTCOME_HANDOFF,
       "handed"},
      {"{\"status\":\"partial\",\"artifacts\":[{\"type\":\"handoff\",\"path\":\"handoff.md\"}]}", HO_OUTCOME_HANDOFF,
       "handed"},
      {"{\"status\":\"partial\",\"partial_progress\":{\"stage\":\"context_exhaustion_handoff\",\"handoff_path\":\"no."
       "md\"}}",
       HO_OUTCOME_MISSING, "no.md"},
      {"{\"status\":\"partial\",\"partial_progress\":{\"stage\":\"context_exhaustion_handoff\",\"handoff_path\":null}}",
       HO_OUTCOME_PARTIAL, "no handoff"},
      {"{\"status\":\"partial\",\"partial_progress\":null}", HO_OUTCOME_PARTIAL, "no handoff"},
      {"{\"status\":\"in_progress\"}", HO_OUTCOME_PARTIAL, "no handoff"},
      {"{\"status\":\"blocked\",\"errors\":[{\"type\":\"x\",\"message\":\"No key\"}]}", HO_OUTCOME_BLOCKED, "No key"},
      {"{\"status\":\"failed\",\"summary\":\"Impossible\"}", HO_OUTCOME_FAILED, "Impossible"},
      {"{\"status\":\"wobbly\"}", HO_OUTCOME_INVALID, "wobbly"},
      {"{\"hello\":1}", HO_OUTCOME_INVALID, "no status"},
      {"{\"status\":\"implemented\"", HO_OUTCOME_INVALID, "line 1"},
      {"not JSON at all", HO_OUTCOME_INVALID, ""},
      {"", HO_OUTCOME_INVALID, ""},
#define RESPONSE(status, decision, more)                                                                               \
  "{\"task_id\":\"a\",\"phase\":\"write\",\"status\":\"" status "\",\"decision\":\"" decision                          \
  "\",\"findings\":{},\"context_summary\":\"Made it\",\"tokens_used\":847" more "}"
      {RESPONSE("complete", "PROCEED", ""), HO_OUTCOME_DONE, "Made it"},
      {RESPONSE("partial", "PROCEED", ""), HO_OUTCOME_DONE, "Made it"},
      {RESPONSE("blocked", "PROCEED", ""), HO_OUTCOME_BLOCKED, "Made it"},
      {RESPONSE("complete", "STOP", ",\"issues\":[\"Too slow\"]"), HO_OUTCOME_STOP, "Too slow"},
      {RESPONSE("blocked", "CLARIFY", ",\"issues\":[\"Which one?\"]"), HO_OUTCOME_CLARIFY, "Which one?"},
      {RESPONSE("complete", "LATER", ""), HO_OUTCOME_INVALID, "decision"},
  };
  world *w = *state;
  assert_int_equal(symlink("/etc/passwd", ho_fs_join(&w->arena, ho_str_of(w->root), HO_STR("out")).p), 0);
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    write_file(w, ".return-meta-phase-1.json", cases[i].text);
    ho_result result = judge(w);
    if (result.outcome != cases[i].outcome || !ho_str_has(result.why, cases[i].why))
      fail_msg("%s: %s: %.*s", cases[i].text, ho_words_name(&ho_outcomes, result.outcome), HO_ARG(result.why));
    assert_int_equal(result.handoff.n > 0, result.outcome == HO_OUTCOME_HANDOFF);
  }
}

static void test_freshness(void **state)
{
  world *w = *state;
  assert_int_equal(judge(w).outcome, HO_OUTCOME_NOTHING);
  write_file(w, ".return-meta-phase-1.json", "{\"status\":\"implemented\"}");
  age_file(w, ".return-meta-phase-1.json", 5);
  ho_result result = judge(w);
  assert_int_equal(result.outcome, HO_OUTCOME_NOTHING);
  assert_true(ho_str_has(result.why, "from before its start"));
  /* At the usual place only what names the session counts. */
  write_file(w, ".return-meta.json", "{\"status\":\"implemented\",\"metadata\":{\"session_id\":\"sess_2_cd\"}}");
  assert_int_equal(judge(w).outcome, HO_OUTCOME_NOTHING);
  write_file(w, ".return-meta.json", "{\"status\":\"implemented\",\"metadata\":{\"session_id\":\"sess_1_ab\"}}");
  assert_int_equal(judge(w).outcome, HO_OUTCOME_DONE);
  /* As the prompt tells it, the session is the end of the id. */
  write_file(w, ".return-meta.json",
             "{\"status\":\"implemented\",\"metadata\":{\"session_id\":\"sess_1770906622_sess_1_ab\"}}");
  assert_int_equal(judge(w).outcome, HO_OUTCOME_DONE);
  write_file(w, ".return-meta.json",
             "{\"status\":\"implemented\",\"metadata\":{\"session_id\":\"sess_1770906622_xsess_1_ab\"}}");
  assert_int_equal(judge(w).outcome, HO_OUTCOME_NOTHING);
}

static void test_output(void **state)
{
  static const struct {
    const char *adapter, *log;
    ho_outcome outcome;
    int64_t tokens, context;
    const char *session;
  } cases[] = {
      {NULL, "working\n{\"not\": this}\n```json\n" RESPONSE("complete", "PROCEED", "") "\n```\n", HO_OUTCOME_DONE, 847,
       0, ""},
      {NULL, "{\n  \"status\": \"partial\",\n  \"partial_progress\": {\n    \"handoff_path\": \"handoff.md\"\n  }\n}\n",
       HO_OUTCOME_HANDOFF, 0, 0, ""},
      {NULL, "\xff\xfe all done!\n}\n", HO_OUTCOME_NOTHING, 0, 0, ""},
      {"claude",
       "{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s1\",\"model\":\"claude-sonnet-5\"}\n"
       "{\"type\":\"assistant\",\"message\":{\"usage\":{\"input_tokens\":10,\"cache_read_input_tokens\":90,"
       "\"output_tokens\":5}},\"session_id\":\"s1\"}\nnoise\n{broken\n"
       "{\"type\":\"assistant\",\"parent_tool_use_id\":\"t\",\"message\":{\"usage\":{\"input_tokens\":7777}}}\n"
       "{\"type\":\"result\",\"is_error\":false,\"result\":\"Done.\",\"session_id\":\"s1\",\"usage\":{\"input_tokens\":"
       "20,"
       "\"cache_creation_input_tokens\":7,\"cache_read_input_tokens\":900,\"output_tokens\":3}}\n",
       HO_OUTCOME_NOTHING, 30, 105, "s1"},
      {"codex",
       "{\"type\":\"thread.started\",\"thread_id\":\"t1\"}\n"
       "{\"type\":\"item.completed\",\"item\":{\"type\":\"agent_message\",\"text\":\"{\\\"status\\\":\\\"blocked\\\","
       "\\\"errors\\\":[{\\\"type\\\":\\\"a\\\",\\\"message\\\":\\\"b\\\"}],\\\"metadata\\\":{\\\"session_id\\\":"
       "\\\"x\\\"}}\"}}\n"
       "{\"type\":\"turn.completed\",\"usage\":{\"input_tokens\":100,\"cached_input_tokens\":60,\"output_tokens\":5}}"
       "\n",
       HO_OUTCOME_BLOCKED, 45, 0, "t1"},
      {"gemini",
       "{\"type\":\"init\",\"session_id\":\"g1\",\"model\":\"gemini-3\"}\n"
       "{\"type\":\"message\",\"role\":\"user\",\"content\":\"{}\"}\n"
       "{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"{\\\"status\\\":\\\"partial\\\",\",\"delta\":true}\n"
       "{\"type\":\"message\",\"role\":\"assistant\",\"content\":\"\\\"partial_progress\\\":{\\\"handoff_path\\\":"
       "\\\"handoff.md\\\"}}\",\"delta\":true}\n"
       "{\"type\":\"result\",\"status\":\"success\",\"stats\":{\"input_tokens\":50,\"cached\":10,\"output_tokens\":2}}"
       "\n",
       HO_OUTCOME_HANDOFF, 42, 0, "g1"},
      {"opencode",
       "{\"type\":\"text\",\"sessionID\":\"ses_1\",\"part\":{\"text\":\"hi\"}}\n"
       "{\"type\":\"step_finish\",\"sessionID\":\"ses_1\",\"part\":{\"tokens\":{\"input\":5,\"output\":2,\"reasoning\":"
       "1,"
       "\"cache\":{\"read\":40,\"write\":2}}}}\n"
       "{\"type\":\"step_finish\",\"sessionID\":\"ses_1\",\"part\":{\"tokens\":{\"input\":1,\"output\":1,\"reasoning\":"
       "0,"
       "\"cache\":{\"read\":50,\"write\":0}}}}\n",
       HO_OUTCOME_NOTHING, 12, 52, "ses_1"},
  };
  world *w = *state;
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    write_file(w, "log", cases[i].log);
    w->ask.log = ho_fs_join(&w->arena, ho_str_of(w->root), HO_STR("log")).p;
    w->ask.adapter = ho_adapter_named(ho_str_of(cases[i].adapter));
    ho_result result = judge(w);
    if (result.outcome != cases[i].outcome || result.tokens != cases[i].tokens || result.context != cases[i].context ||
        !ho_str_is(result.harness_session, cases[i].session))
      fail_msg("case %zu: %s, %lld tokens, %lld held, '%.*s': %.*s", i, ho_words_name(&ho_outcomes, result.outcome),
               (long long)result.tokens, (long long)result.context, HO_ARG(result.harness_session), HO_ARG(result.why));
  }
}

int main(void)
{
  static const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_documents, start, stop),
      cmocka_unit_test_setup_teardown(test_freshness, start, stop),
      cmocka_unit_test_setup_teardown(test_output, start, stop),
  };
  return unit_run(tests);
}
