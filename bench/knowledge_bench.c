/* knowledge_bench learn FOLDER FACTS EACH: learns FACTS facts from documents of EACH facts in the store of FOLDER, and
 *   prints the facts a second.
 * knowledge_bench know FOLDER: prints the median microseconds of `know` over questions of several kinds.
 * Driven by knowledge.sh. */
#include "bench.h"

#include "base/buf.h"
#include "base/digest.h"
#include "engine/knowledge/know.h"
#include "engine/ledger/write.h"
#include "engine/project/project.h"
#include "model/formats/formats.h"

enum { AT_ONCE = 200, QUESTIONS = 400, WORDS = 4000 };

static ho_project open_ledger(const char *root, ho_arena *arena)
{
  ho_project project = {.arena = arena, .root = ho_arena_copy(arena, ho_str_of(root)), .clock_ms = clock_ms};
  must(ho_fs_mkdirs(ho_fs_join(arena, ho_str_of(root), HO_STR(".handoff")).p, &err));
  must(ho_project_open(&project, HO_OPEN_CREATE, &err));
  return project;
}

static unsigned scattered(unsigned n)
{
  n *= 2654435761u;
  return n ^ (n >> 15);
}

/* One fact: half of them gotchas; words from a few thousand, one of forty tags, one of a thousand files. */
static void put_fact(ho_buf *out, unsigned n)
{
  unsigned r = scattered(n);
  bool gotcha = n % 2;
  ho_buf_printf(out, "  - %s: Component %u of word%u needs word%u before word%u in step %u\n",
                gotcha ? "issue" : "pattern", n, r % WORDS, r / 7 % WORDS, r / 11 % 100, r % 977);
  if (gotcha)
    ho_buf_printf(out, "    mitigation: Call word%u first\n    severity: %s\n", r % 613,
                  n % 50 == 1 ? "high"
                  : n % 3     ? "medium"
                              : "low");
  else
    ho_buf_printf(out, "    location: src/part%u/file%u.c\n    applies_to: [tag%u, auth]\n", r % 40, r % 1000, r % 40);
}

/* A task's handoff with `each` facts, starting at fact `n`. */
static void put_document(ho_buf *out, unsigned n, unsigned each)
{
  unsigned task = n / 20 + 1;
  ho_buf_printf(out,
                "# Task task-%u: Work on part %u\n\n## Metadata\n| Depends On | task-%u |\n\n## Handoff\n\n```yaml\n"
                "outcome: completed\n",
                task, task % 40, task - 1);
  for (unsigned kind = 0; kind < 2; kind++) {
    unsigned any = 0;
    for (unsigned i = n; i < n + each; i++)
      if (i % 2 == kind) {
        if (!any++)
          ho_buf_puts(out, kind ? "gotchas:\n" : "patterns_discovered:\n");
        put_fact(out, i);
      }
  }
  ho_buf_puts(out, "```\n");
}

typedef struct batch {
  ho_project *project;
  ho_arena *arena;
  ho_doc docs[AT_ONCE];
  ho_str digests[AT_ONCE], names[AT_ONCE];
  size_t count;
  ho_learned sum;
} batch;

static ho_code learn_batch(ho_store *store, void *data, ho_error *e)
{
  batch *b = data;
  ho_code code = HO_OK;
  (void)store;
  for (size_t i = 0; !code && i < b->count; i++)
    code = ho_knowledge_file(b->project, b->arena, b->names[i], b->digests[i], 1, &b->docs[i], &b->sum, e);
  return code;
}

static void read_document(batch *b, unsigned n, unsigned each)
{
  char digest[HO_DIGEST_SIZE];
  ho_buf text;
  ho_buf_init(&text, 0);
  put_document(&text, n, each);
  ho_str body = ho_buf_move(&text, b->arena);
  b->names[b->count] = ho_arena_printf(b->arena, "journal/task-%u-%u.md", n / 20 + 1, n);
  ho_digest_text(body, digest);
  b->digests[b->count] = ho_arena_copy(b->arena, ho_str_of(digest));
  must(ho_doc_read(&b->docs[b->count], b->arena, b->names[b->count], body, &ho_format_task, &err));
  b->count++;
}

static void learn(const char *folder, unsigned facts, unsigned each)
{
  static batch b;
  ho_arena arena, work;
  ho_arena_init(&arena, 0);
  ho_arena_init(&work, 0);
  ho_project project = open_ledger(folder, &arena);
  b.project = &project;
  b.arena = &work;
  double begin = now_us();
  for (unsigned n = 0; n < facts;) {
    for (b.count = 0; b.count < AT_ONCE && n < facts; n += each)
      read_document(&b, n, each);
    must(ho_ledger_write(&project, learn_batch, &b, &err));
    ho_arena_reset(&work);
  }
  printf("%.0f\n", (double)b.sum.items / (now_us() - begin) * 1e6);
  ho_project_close(&project);
  ho_arena_free(&work);
  ho_arena_free(&arena);
}

/* A common word, two words, a rare word; with kind, tag, severity; a task; a beginning. */
static ho_known_filter question(ho_arena *arena, unsigned n)
{
  unsigned r = scattered(n + 7);
  switch (n % 7) {
  case 0:
    return (ho_known_filter){.query = HO_STR("component needs")};
  case 1:
    return (ho_known_filter){.query = HO_STR("auth"), .kind = HO_KNOWN_PATTERN};
  case 2:
    return (ho_known_filter){.query = ho_arena_printf(arena, "word%u", r % WORDS)};
  case 3:
    return (ho_known_filter){.tag = ho_arena_printf(arena, "tag%u", r % 40), .kind = HO_KNOWN_PATTERN};
  case 4:
    return (ho_known_filter){.query = HO_STR("needs"), .severity = HO_KNOWN_HIGH, .kind = HO_KNOWN_GOTCHA};
  case 5:
    return (ho_known_filter){.task = ho_arena_printf(arena, "task-%u", r % 50 + 1), .kind = HO_KNOWN_GOTCHA};
  default:
    return (ho_known_filter){.query = HO_STR("before step"), .state = HO_KNOWN_OPEN};
  }
}

static void know(const char *folder)
{
  static double times[QUESTIONS];
  ho_arena arena, work;
  ho_known_list list;
  size_t found = 0;
  ho_arena_init(&arena, 0);
  ho_arena_init(&work, 0);
  ho_project project = open_ledger(folder, &arena);
  for (unsigned i = 0; i < QUESTIONS; i++) {
    ho_known_filter filter = question(&work, i);
    ho_node *node = NULL;
    double begin = now_us();
    must(ho_know_find(&project, &filter, 20, &work, &list, &err));
    for (size_t k = 0; k < list.count; k++)
      must(ho_know_full(&project, &list.rows[k], 20, &work, &node, &err));
    times[i] = now_us() - begin;
    found += list.count > 0;
    ho_arena_reset(&work);
  }
  fprintf(stderr, "%zu of %d questions answered\n", found, QUESTIONS);
  printf("%.0f\n", median(times, QUESTIONS));
  ho_project_close(&project);
  ho_arena_free(&work);
  ho_arena_free(&arena);
}

int main(int argc, char **argv)
{
  if (argc == 5 && strcmp(argv[1], "learn") == 0)
    learn(argv[2], (unsigned)atoi(argv[3]), (unsigned)atoi(argv[4]));
  else if (argc == 3 && strcmp(argv[1], "know") == 0)
    know(argv[2]);
  else
    return 2;
  return 0;
}
