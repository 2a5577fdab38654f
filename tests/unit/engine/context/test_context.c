/* How full a context is: transcripts of each harness to the token, whatever state their files are in. */
#include "files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/context/context_cache.h"
#include "engine/context/transcript_parts.h"

static char folder[FOLDER_SIZE];
static char path[256];

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

static void write_text(const char *mode, const char *text)
{
  file_write(path, mode, ho_str_of(text));
}

#define MESSAGE(id, input, output)                                                                                     \
  "{\"type\":\"assistant\",\"message\":{\"id\":\"" id "\",\"model\":\"claude-opus-4\",\"content\":[],\"usage\":{"      \
  "\"input_tokens\":" input ",\"output_tokens\":" output "}}}\n"

static ho_context judge(const ho_scan *scan)
{
  ho_context context;
  ho_window_facts facts = {0};
  ho_context_judge(scan, NULL, &facts, &context);
  return context;
}

static ho_scan scan_file(const char *file)
{
  ho_scan scan = {0};
  assert_int_equal(ho_transcript_scan(&scan, file, NULL, NULL), HO_OK);
  return scan;
}

/* Transcripts as the harnesses wrote them, and what each says. */
static const struct recorded {
  const char *name, *harness, *model;
  int64_t used, since, window;
  ho_evidence evidence;
  const char *reread;
  int64_t reads;
} recorded[] = {
    {"claude-usage.jsonl", "claude", "claude-opus-4-1-20250805", 151264, 0, 200000, HO_EVIDENCE_USAGE, NULL, 0},
    {"claude-late.jsonl", "claude", "claude-opus-4-1-20250805", 10, 1, 200000, HO_EVIDENCE_USAGE, NULL, 0},
    {"claude-compacted.jsonl", "claude", "claude-opus-4-1-20250805", 12003, 0, 200000, HO_EVIDENCE_COMPACTION, NULL, 0},
    {"claude-compacted-used.jsonl", "claude", "claude-opus-4-1-20250805", 13047, 0, 200000, HO_EVIDENCE_USAGE, NULL, 0},
    {"claude-zero.jsonl", "claude", "house-model-1", 7, 0, 0, HO_EVIDENCE_TOKENIZER, NULL, 0},
    {"claude-reread.jsonl", "claude", "claude-opus-4-1-20250805", 56003, 0, 200000, HO_EVIDENCE_USAGE, "/p/src/one.c",
     2},
    {"codex-usage.jsonl", "codex", "gpt-5-codex", 206720, 0, 258400, HO_EVIDENCE_USAGE, "src/one.c", 2},
    {"codex-strings.jsonl", "codex", "gpt-5-codex", 5120, 0, 258400, HO_EVIDENCE_USAGE, NULL, 0},
    {"codex-compacted.jsonl", "codex", "gpt-5-codex", 6, 0, 258400, HO_EVIDENCE_TOKENIZER, NULL, 0},
    {"gemini-chat.json", "gemini", "gemini-2.5-pro", 838860, 0, 1048576, HO_EVIDENCE_USAGE, "/p/a.md", 1},
    {"gemini-usage.jsonl", "gemini", "gemini-2.5-flash", 1975, 0, 1048576, HO_EVIDENCE_USAGE, NULL, 0},
};

static void test_recorded(void **state)
{
  (void)state;
  for (size_t i = 0; i < HO_COUNT(recorded); i++) {
    char file[512];
    snprintf(file, sizeof file, "%s/tests/data/transcripts/%s", TEST_SOURCE_DIR, recorded[i].name);
    ho_scan scan = scan_file(file), again = scan_file(file);
    ho_context context = judge(&scan);
    const ho_read *read = ho_scan_reread(&scan);
    if (context.used != recorded[i].used || context.since != recorded[i].since ||
        context.evidence != recorded[i].evidence || context.window.effective != recorded[i].window)
      fail_msg("%s: used %lld, since %lld, window %lld, evidence %s", recorded[i].name, (long long)context.used,
               (long long)context.since, (long long)context.window.effective, ho_evidence_name(context.evidence));
    assert_non_null(scan.harness);
    assert_string_equal(scan.harness->name, recorded[i].harness);
    assert_string_equal(context.model, recorded[i].model);
    assert_memory_equal(&scan, &again, sizeof scan);
    assert_int_equal(read ? read->count : 0, recorded[i].reads);
    if (recorded[i].reread)
      assert_string_equal(read->path, recorded[i].reread);
  }
}

#define RECORD "; record a session of it as tests/data/transcripts/%s-NAME.jsonl, and add what it says to `recorded`"

/* A harness whose transcripts are read has a recorded one, and with a usage in it; what is recorded is read above. */
static void test_recorded_all(void **state)
{
  (void)state;
  for (const ho_choice *choice = ho_harness_choices; choice->value; choice++) {
    bool usage = !ho_transcript_form_of(ho_harness_named(ho_str_of(choice->value)));
    for (size_t i = 0; i < HO_COUNT(recorded); i++)
      usage |= !strcmp(recorded[i].harness, choice->value) && recorded[i].evidence == HO_EVIDENCE_USAGE;
    if (!usage)
      fail_msg("no transcript of %s is tested" RECORD, choice->value, choice->value);
  }
  DIR *dir = opendir(TEST_SOURCE_DIR "/tests/data/transcripts");
  assert_non_null(dir);
  for (struct dirent *entry; (entry = readdir(dir));) {
    bool read = entry->d_name[0] == '.';
    for (size_t i = 0; i < HO_COUNT(recorded); i++)
      read |= !strcmp(recorded[i].name, entry->d_name);
    if (!read)
      fail_msg("tests/data/transcripts/%s is not tested: add what it says to `recorded`", entry->d_name);
  }
  closedir(dir);
}

/* A transcript cut anywhere gives what its whole lines say, and going on from there gives what a fresh look does. */
static void test_cut_anywhere(void **state)
{
  static const char text[] =
      MESSAGE("m1", "100", "1") MESSAGE("m2", "200", "2") "{\"usage\": \n" MESSAGE("m3", "300", "3");
  ho_scan going = {0};
  (void)state;
  for (size_t n = 0; n <= sizeof text - 1; n++) {
    file_write(path, "w", (ho_str){text, n});
    ho_scan fresh = scan_file(path);
    assert_int_equal(ho_transcript_scan(&going, path, NULL, NULL), HO_OK);
    size_t lines = 0;
    for (size_t i = 0; i < n; i++)
      lines += text[i] == '\n' || (text[i + 1] == '\n' && text[i] == '}'); /* a last line needs no line end */
    assert_int_equal(judge(&fresh).used, judge(&going).used);
    assert_int_equal(fresh.offset, going.offset);
    assert_int_equal(fresh.usage.total, going.usage.total);
    if (lines == 0)
      assert_int_equal(judge(&fresh).evidence, HO_EVIDENCE_UNKNOWN);
  }
  assert_int_equal(going.usage.total, 303);
  assert_int_equal(going.broken, 1);
}

static void test_goes_on(void **state)
{
  ho_scan scan = {0};
  (void)state;
  write_text("w", MESSAGE("m1", "100", "1"));
  assert_int_equal(ho_transcript_scan(&scan, path, NULL, NULL), HO_OK);
  assert_int_equal(scan.usage.total, 101);
  int64_t offset = scan.offset;
  /* The file's beginning is not looked at again: what is broken there does not matter, what comes is read. */
  int fd = open(path, O_WRONLY);
  assert_int_equal(pwrite(fd, "####", 4, 0), 4);
  close(fd);
  write_text("a", "{\"type\":\"user\",\"message\":{\"content\":\"12345678\"}}\n");
  assert_int_equal(ho_transcript_scan(&scan, path, NULL, NULL), HO_OK);
  assert_int_equal(scan.usage.total, 101);
  assert_int_equal(scan.since, 2);
  assert_int_equal(scan.broken, 0);
  assert_true(scan.offset > offset);
  write_text("a", MESSAGE("m2", "500", "1"));
  assert_int_equal(ho_transcript_scan(&scan, path, NULL, NULL), HO_OK);
  assert_int_equal(scan.usage.total, 501);
  assert_int_equal(scan.since, 0);
  ho_scan before = scan;
  assert_int_equal(ho_transcript_scan(&scan, path, NULL, NULL), HO_OK);
  assert_memory_equal(&scan, &before, sizeof scan);
  /* Written anew: nothing of the old one is left, be it shorter or longer. */
  write_text("w", MESSAGE("n1", "7", "1"));
  assert_int_equal(ho_transcript_scan(&scan, path, NULL, NULL), HO_OK);
  assert_int_equal(scan.usage.total, 8);
  write_text("w", MESSAGE("o1", "1000", "1") MESSAGE("o2", "2000", "2") MESSAGE("o3", "30000", "3"));
  assert_int_equal(ho_transcript_scan(&scan, path, NULL, NULL), HO_OK);
  assert_int_equal(scan.usage.total, 30003);
}

/* A line of ten megabytes at the end hides nothing, and one with a usage in it is read. */
static void test_huge_lines(void **state)
{
  const size_t huge = 10u << 20;
  char *text = malloc(huge);
  (void)state;
  assert_non_null(text);
  memset(text, 'x', huge);
  write_text("w", MESSAGE("m1", "4000", "1"));
  write_text("a", "{\"type\":\"user\",\"message\":{\"content\":\"");
  file_write(path, "a", (ho_str){text, huge});
  write_text("a", "\"}}\n");
  ho_scan scan = scan_file(path);
  assert_int_equal(scan.usage.total, 4001);
  assert_in_range(scan.since, huge / 4, huge / 4 + 100);
  write_text("a", "{\"type\":\"assistant\",\"message\":{\"id\":\"m2\",\"content\":[{\"type\":\"text\",\"text\":\"");
  file_write(path, "a", (ho_str){text, huge});
  write_text("a", "\"}],\"usage\":{\"input_tokens\":70000,\"output_tokens\":5}}}");
  scan = scan_file(path);
  assert_int_equal(scan.usage.total, 70005);
  /* Half of such a line waits. */
  assert_int_equal(truncate(path, (off_t)(huge + huge / 2)), 0);
  scan = scan_file(path);
  assert_int_equal(scan.usage.total, 4001);
  free(text);
}

static void test_no_transcript(void **state)
{
  static const struct {
    const char *text, *why;
  } cases[] = {{"", "empty"},
               {"\n\n", "not a transcript"},
               {"hello\nworld\n", "not a transcript"},
               {"{}\n[]\n3\n", "not a transcript"},
               {"{\"type\":\"assistant\",\"message\":{}}\n", "no usage"},
               {"{\"type\":\"assistant\",\"message\":{\"usage\":3,\"content\":\"\"}}\n", "no usage"},
               {"{\"type\":\"assistant\",\"message\":{\"usage\":{\"input_tokens\":-5}}}\n", "zero"},
               {"{\"type\":\"assistant\",\"message\":{\"usage\":{\"input_tokens\":99999999999999999999}}}\n", "zero"},
               {"{\"type\":\"event_msg\",\"payload\":{\"type\":\"token_count\",\"info\":null}}\n", "no usage"},
               {"[\n", "no usage"},
               {"{\n\"messages\": [\n", "no usage"}};
  ho_scan scan = {0};
  (void)state;
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    write_text("w", cases[i].text);
    scan = scan_file(path);
    ho_context context = judge(&scan);
    assert_int_equal(context.evidence, HO_EVIDENCE_UNKNOWN);
    assert_int_equal(context.used, -1);
    assert_int_equal(context.tenths, -1);
    if (!ho_str_has(ho_str_of(context.why), cases[i].why))
      fail_msg("%s: %s", cases[i].text, context.why);
  }
  assert_int_equal(unlink(path), 0);
  assert_int_equal(ho_transcript_scan(&scan, path, NULL, NULL), HO_NOT_FOUND);
  assert_true(ho_str_has(ho_str_of(scan.why), "No such file"));
  assert_int_equal(mkfifo(path, 0600), 0);
  assert_int_equal(ho_transcript_scan(&scan, path, NULL, NULL), HO_IO);
  assert_true(ho_str_has(ho_str_of(scan.why), "a pipe"));
  assert_int_equal(unlink(path), 0);
  assert_int_equal(ho_transcript_scan(&scan, folder, NULL, NULL), HO_IO);
  assert_true(ho_str_has(ho_str_of(scan.why), "a folder"));
}

/* What Gemini writes can be cut too: then the usage that stands last is found, and texts do not look like it. */
static void test_gemini_tail(void **state)
{
  static const char begin[] = "{\n  \"sessionId\": \"g\",\n  \"messages\": [\n";
  static const char message[] =
      "    {\n      \"type\": \"gemini\",\n      \"model\": \"gemini-2.5-pro\",\n      \"tokens\": {\n"
      "        \"input\": 70,\n        \"total\": 77\n      }\n    },\n";
  (void)state;
  write_text("w", begin);
  write_text("a", message);
  write_text("a", "    {\n      \"content\": \"so \\\"tokens\\\": {\\\"total\\\": 5}, \\\"model\\\": \\\"x\\\"");
  ho_scan scan = scan_file(path);
  assert_int_equal(scan.usage.total, 77);
  assert_string_equal(scan.model, "gemini-2.5-pro");
  /* One that is too large to be read whole: five megabytes before and behind. */
  char *text = malloc(5u << 20);
  assert_non_null(text);
  memset(text, 'x', 5u << 20);
  write_text("w", begin);
  write_text("a", "    {\n      \"content\": \"");
  file_write(path, "a", (ho_str){text, 5u << 20});
  write_text("a", "\"\n    },\n");
  write_text("a", message);
  write_text("a", "    {\n      \"content\": \"");
  file_write(path, "a", (ho_str){text, 5u << 20});
  write_text("a", "\"\n    }\n  ]\n}\n");
  scan = scan_file(path);
  assert_int_equal(scan.usage.total, 77);
  free(text);
}

static void test_tool_volume(void **state)
{
  ho_scan scan = {.tool_calls = 4, .read_tokens = 3000}; /* a hook counts where there is no transcript */
  (void)state;
  ho_context context = judge(&scan);
  assert_int_equal(context.evidence, HO_EVIDENCE_TOOLS);
  assert_int_equal(context.used, 5000);
}

static void test_figure(void **state)
{
  ho_arena arena;
  ho_error err = {0};
  ho_context context;
  ho_window_facts facts = {0};
  ho_figure figure = {.used = 15500, .window = 200000, .percent = 8, .transcript_end = 100, .at_ms = 5}, loaded;
  ho_scan scan = {.usage = {.total = 9000}, .usage_end = 100, .since = 40};
  (void)state;
  ho_arena_init(&arena, 0);
  ho_str file = ho_context_path(&arena, ho_str_of(folder), HO_STR("s-1"), HO_FIGURE_SUFFIX);
  assert_true(ho_str_ends(file, "/.handoff/context/s-1.json"));
  assert_false(ho_figure_load(&loaded, &arena, file.p));
  ho_error_copy(figure.model, sizeof figure.model, HO_STR("claude-opus-4"));
  assert_int_equal(ho_figure_save(&figure, &arena, file.p, &err), HO_OK);
  assert_true(ho_figure_load(&loaded, &arena, file.p));
  assert_memory_equal(&figure, &loaded, sizeof figure);
  ho_context_judge(&scan, &loaded, &facts, &context);
  assert_int_equal(context.evidence, HO_EVIDENCE_STATUSLINE);
  assert_int_equal(context.used, 15500);
  assert_string_equal(context.window.source, "harness");
  assert_int_equal(context.tenths, 77);
  scan.usage_end = 101; /* the transcript knows something newer */
  ho_context_judge(&scan, &loaded, &facts, &context);
  assert_int_equal(context.evidence, HO_EVIDENCE_USAGE);
  assert_int_equal(context.used, 9000);
  /* Damage is as if nothing was kept, and names lead nowhere else. */
  write_text("w", "{\"version\":1,\"used\":99999999999999999,\"window\":-3}");
  assert_false(ho_figure_load(&loaded, &arena, path));
  assert_int_equal(loaded.used, 0);
  ho_str odd = ho_context_path(&arena, ho_str_of(folder), HO_STR("../../etc/passwd"), HO_FIGURE_SUFFIX);
  assert_true(ho_str_has(odd, "/.handoff/context/session-"));
  assert_str(ho_context_session(HO_STR("/a/b/0198-x.jsonl")), "0198-x");
  ho_arena_free(&arena);
}

static void test_kept_scan(void **state)
{
  ho_arena arena;
  ho_error err = {0};
  ho_scan loaded;
  ho_nudges asked = {.last_ms = 1, .level = 2, .objectives_done = 3, .overflow = 4, .reread = 5}, again;
  char file[512];
  (void)state;
  ho_arena_init(&arena, 0);
  snprintf(file, sizeof file, "%s/tests/data/transcripts/claude-reread.jsonl", TEST_SOURCE_DIR);
  ho_scan scan = scan_file(file);
  ho_str kept = ho_context_path(&arena, ho_str_of(folder), HO_STR("s"), HO_SCAN_SUFFIX);
  assert_int_equal(ho_scan_save(&scan, &asked, &arena, kept.p, &err), HO_OK);
  assert_true(ho_scan_load(&loaded, &again, &arena, kept.p));
  assert_memory_equal(&asked, &again, sizeof asked);
  assert_string_equal(ho_scan_reread(&loaded)->path, "/p/src/one.c");
  int64_t offset = loaded.offset;
  assert_int_equal(ho_transcript_scan(&loaded, file, NULL, NULL), HO_OK);
  assert_int_equal(loaded.offset, offset);
  assert_int_equal(loaded.usage.total, scan.usage.total);
  assert_int_equal(ho_scan_reread(&loaded)->count, 2);
  ho_arena_free(&arena);
}

static void test_price(void **state)
{
  (void)state;
  write_text("w", "12345678");
  assert_int_equal(ho_price_file(path, NULL), 2);
  assert_int_equal(truncate(path, 8 << 20), 0);
  assert_int_equal(ho_price_file(path, NULL), 2 << 20);
  assert_int_equal(ho_price_file(folder, NULL), -1);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_recorded),    cmocka_unit_test(test_recorded_all), cmocka_unit_test(test_cut_anywhere),
      cmocka_unit_test(test_goes_on),     cmocka_unit_test(test_huge_lines),   cmocka_unit_test(test_no_transcript),
      cmocka_unit_test(test_gemini_tail), cmocka_unit_test(test_tool_volume),  cmocka_unit_test(test_figure),
      cmocka_unit_test(test_kept_scan),   cmocka_unit_test(test_price),
  };
  return unit_run_between(make_folder, tests, remove_folder);
}
