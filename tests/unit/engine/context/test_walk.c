/* A walk through a transcript from its beginning: tool calls in their order, tokens until the first edit. */
#include "files.h"

#include "model/harness/harness.h"
#include "engine/context/transcript.h"

static char folder[FOLDER_SIZE], path[FOLDER_SIZE + 16];

static int make_folder(void **state)
{
  (void)state;
  folder_make(folder, "/tmp");
  snprintf(path, sizeof path, "%s/session.jsonl", folder);
  return 0;
}

static int remove_folder(void **state)
{
  (void)state;
  return folder_remove(folder);
}

typedef struct calls {
  char said[512];
} calls;

static void note(void *world, ho_tool_kind kind, ho_str what)
{
  calls *c = world;
  size_t n = strlen(c->said);
  snprintf(c->said + n, sizeof c->said - n, "%c:%.*s ", "RES"[kind], HO_ARG(what));
}

static ho_walk walk(const char *text, int64_t from, int64_t to, calls *c)
{
  file_write(path, "wb", ho_str_of(text));
  memset(c, 0, sizeof *c);
  ho_walk w = {.from = from, .to = to, .each = note, .world = c};
  assert_int_equal(ho_transcript_walk(&w, path), HO_OK);
  return w;
}

#define CLAUDE(time, id, name, input, tokens)                                                                          \
  "{\"type\":\"assistant\",\"timestamp\":\"2026-02-12T10:00:0" time "Z\",\"message\":{\"id\":\"" id                    \
  "\",\"content\":[{\"type\":\"tool_use\",\"id\":\"t" id "\",\"name\":\"" name "\",\"input\":{" input                  \
  "}}],\"usage\":{\"input_tokens\":" tokens ",\"output_tokens\":0}}}\n"

static const char claude[] = CLAUDE("1.000", "a", "Read", "\"file_path\":\"one.c\"", "100")
    CLAUDE("2.000", "b", "Bash", "\"command\":\"cat two.c\"",
           "200") "not JSON\n" CLAUDE("3.000", "c", "Bash", "\"command\":\"make > log\"", "300")
        CLAUDE("4.000", "d", "Edit", "\"file_path\":\"one.c\"", "450")
            CLAUDE("4.500", "d", "Edit", "\"file_path\":\"one.c\"", "450") /* the same call again */
    CLAUDE("5.000", "e", "Write", "\"file_path\":\"three.c\"", "900");
static const int64_t second = 1000, start = 1770890400000; /* 2026-02-12T10:00:00Z */

static void tells_calls_in_order(void **state)
{
  (void)state;
  calls c;
  ho_walk w = walk(claude, 0, 0, &c);
  assert_string_equal(c.said, "R:one.c R:two.c S:make > log E:one.c E:three.c ");
  assert_string_equal(w.harness->name, "claude");
  assert_true(w.edited && w.calls == 5);
  assert_int_equal(w.first_edit, 450);
}

static void keeps_to_its_time(void **state)
{
  (void)state;
  calls c;
  ho_walk w = walk(claude, start + 2 * second + 1, start + 4 * second, &c);
  assert_string_equal(c.said, "S:make > log E:one.c ");
  assert_int_equal(w.first_edit, 450 - 200);
  w = walk(claude, start + 9 * second, 0, &c);
  assert_true(!w.edited && w.first_edit == -1 && !w.calls);
}

static void knows_what_it_does_not_know(void **state)
{
  (void)state;
  calls c;
  ho_walk w = walk("", 0, 0, &c);
  assert_true(!w.harness && w.first_edit == -1);
  w = walk("# no transcript\n{\"a\": 1}\n", 0, 0, &c);
  assert_null(w.harness);
  w = walk(CLAUDE("1.000", "a", "Edit", "\"file_path\":\"x\"", "0"), 0, 0, &c); /* reports nothing */
  assert_true(w.edited && w.first_edit == -1);
  assert_int_equal(ho_transcript_walk(&w, "/nowhere/at/all"), HO_NOT_FOUND);
  assert_int_equal(ho_transcript_walk(&w, "/tmp"), HO_IO);
}

static void reads_other_harnesses(void **state)
{
  (void)state;
  calls c = {0};
  ho_walk w = {.each = note, .world = &c};
  assert_int_equal(ho_transcript_walk(&w, TEST_SOURCE_DIR "/tests/data/transcripts/codex-usage.jsonl"), HO_OK);
  assert_string_equal(w.harness->name, "codex");
  assert_true(ho_str_starts(ho_str_of(c.said), "R:src/one.c "));
  assert_int_equal(ho_transcript_walk(&w, TEST_SOURCE_DIR "/tests/data/transcripts/gemini-chat.json"), HO_OK);
  assert_string_equal(w.harness->name, "gemini");
  assert_int_equal(ho_transcript_walk(&w, TEST_SOURCE_DIR "/tests/data/transcripts/gemini-usage.jsonl"), HO_OK);
  assert_string_equal(w.harness->name, "gemini");
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tells_calls_in_order),
      cmocka_unit_test(keeps_to_its_time),
      cmocka_unit_test(knows_what_it_does_not_know),
      cmocka_unit_test(reads_other_harnesses),
  };
  return unit_run_between(make_folder, tests, remove_folder);
}
