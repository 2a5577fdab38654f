/* The readers of transcripts: no crash and no hang; a look that goes on finds what a fresh one does; what is kept can be
 * read back, and a damaged file of it does no harm. */
#include <assert.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "engine/context/context_cache.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void write_all(int fd, const uint8_t *data, size_t size)
{
  assert(ftruncate(fd, 0) == 0);
  assert(pwrite(fd, data, size, 0) == (ssize_t)size);
}

static void check_context(const ho_scan *scan)
{
  ho_context context;
  ho_window_facts windows = {0};
  ho_trigger triggers[HO_TRIGGERS];
  ho_nudges nudges = {0};
  ho_context_judge(scan, NULL, &windows, &context);
  assert((context.used < 0) == (context.evidence == HO_EVIDENCE_UNKNOWN));
  ho_trigger_facts facts = ho_context_trigger_facts(&context, scan, 80);
  ho_triggers_find(&facts, triggers);
  ho_nudge_choose(&nudges, &facts, triggers, 1, 1);
}

static void check_kept(const char *path)
{
  ho_arena arena;
  ho_scan scan;
  ho_nudges nudges;
  ho_figure figure;
  ho_arena_init(&arena, 0);
  ho_scan_load(&scan, &nudges, &arena, path);
  check_context(&scan);
  ho_figure_load(&figure, &arena, path);
  if (ho_transcript_scan(&scan, path, NULL, NULL) == HO_OK)
    check_context(&scan);
  ho_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  static int fd = -1;
  static char path[64];
  if (fd < 0) {
    fd = memfd_create("transcript", 0);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
  }
  assert(fd >= 0);
  ho_scan going = {0}, fresh = {0};
  size_t half = size / 2;
  while (half > 0 && data[half - 1] != '\n')
    half--;
  write_all(fd, data, half);
  assert(ho_transcript_scan(&going, path, NULL, NULL) == HO_OK);
  write_all(fd, data, size);
  assert(ho_transcript_scan(&going, path, NULL, NULL) == HO_OK);
  assert(ho_transcript_scan(&fresh, path, NULL, NULL) == HO_OK);
  check_context(&going);
  check_context(&fresh);
  if (going.harness == fresh.harness) /* who wrote it may show only in the second half */
    assert(going.usage.total == fresh.usage.total && going.offset == fresh.offset);
  for (const ho_harness *const *each = ho_harnesses; *each; each++) {
    if (!(*each)->events)
      continue;
    ho_scan given = {0};
    assert(ho_transcript_scan(&given, path, *each, NULL) == HO_OK);
    assert(given.harness);
    check_context(&given);
  }
  check_kept(path);
  return 0;
}
