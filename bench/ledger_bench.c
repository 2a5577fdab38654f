/* ledger_bench FOLDER [MOST]: how claiming and searching through the engine grow up to MOST handoffs (1,000,000), and what
 * it costs to derive what they are searched by. Exits 1 where a limit of the project is missed. */
#include "bench.h"

#include "engine/ledger/claim.h"
#include "engine/ledger/derive.h"
#include "engine/project/project.h"
#include "store/handoffs/events.h"
#include "store/handoffs/search.h"

enum { CLAIMS = 60, SEARCHES = 200, BATCH = 5000 };

static ho_project open_ledger(const char *root, ho_arena *arena)
{
  ho_project project = {
      .arena = arena, .root = ho_arena_copy(arena, ho_str_of(root)), .agent = HO_STR("agent1"), .clock_ms = clock_ms};
  must(ho_fs_mkdirs(ho_fs_join(arena, ho_str_of(root), HO_STR(".handoff")).p, &err));
  must(ho_project_open(&project, HO_OPEN_CREATE, &err));
  return project;
}

/* ---- Growth */

typedef struct filling {
  ho_arena arena;
  unsigned from, to, total;
} filling;

/* Ended ones, with fifty agents' open ones among the last thousand; a hundred, spread evenly, have the word "needle". */
static ho_code fill(ho_store *store, void *data, ho_error *e)
{
  filling *f = data;
  for (unsigned i = f->from; i < f->to; i++) {
    ho_arena_reset(&f->arena);
    ho_str body = ho_arena_printf(&f->arena, "summary: part%u word%u word%u %s", i, random_number(4000),
                                  random_number(4000), i % (f->total / 100) ? "" : "needle");
    bool open = i + 1000 >= f->total;
    ho_handoff row = {.id = ho_arena_printf(&f->arena, "HO-2026-%03u", i + 1),
                      .kind = HO_STR("package"),
                      .type = HO_STR("sequential"),
                      .state = open ? HO_STR("ready") : HO_STR("archived"),
                      .sender = HO_STR("planner"),
                      .receiver = ho_arena_printf(&f->arena, "agent%u", i % 10),
                      .session = HO_STR("local-20260212"),
                      .created = 1770000000000,
                      .updated = 1770000000000};
    ho_event event = {.at = 1770000000000, .actor = HO_STR("planner"), .kind = HO_STR("sent")};
    ho_code code = ho_handoffs_add(store, &row, body, &event, &f->arena, e);
    if (code)
      return code;
  }
  return HO_OK;
}

static void measure(const char *folder, unsigned total, double *next, double *search)
{
  static double times[SEARCHES];
  char root[4096];
  ho_arena arena;
  ho_hit_list hits = {0};
  filling f = {.total = total};
  snprintf(root, sizeof root, "%s/grown-%u", folder, total);
  ho_arena_init(&arena, 0);
  ho_arena_init(&f.arena, 0);
  ho_project project = open_ledger(root, &arena);
  double begin = now_us();
  for (unsigned at = 0; at < total; at += BATCH) {
    f.from = at;
    f.to = at + BATCH < total ? at + BATCH : total;
    must(ho_store_write(project.store, fill, &f, &err));
  }
  double filled = (now_us() - begin) / 1e6;
  for (int i = 0; i < CLAIMS; i++) {
    ho_delivery d = {0};
    ho_arena_reset(&f.arena);
    begin = now_us();
    must(ho_claim_next(&project, &f.arena, &d, &err));
    times[i] = now_us() - begin;
    if (!d.found)
      exit(2);
  }
  *next = median(times, CLAIMS);
  begin = now_us();
  must(ho_derive(&project, HO_DERIVED_SEARCH, NULL, &err));
  printf("%u handoffs: the search is derived in %.0f us each\n", total, (now_us() - begin) / total);
  for (int i = 0; i < SEARCHES; i++) {
    ho_arena_reset(&f.arena);
    begin = now_us();
    must(ho_search(project.store, HO_STR("needle"), &(ho_filter){.limit = 100}, &f.arena, &hits, &err));
    times[i] = now_us() - begin;
  }
  *search = median(times, SEARCHES);
  printf("%u handoffs, filled in %.1f s: next %.0f us, search of %zu matches %.0f us\n", total, filled, *next,
         hits.count, *search);
  ho_project_close(&project);
  ho_arena_free(&f.arena);
  ho_arena_free(&arena);
}

static void compare_sizes(const char *folder, unsigned most)
{
  double next, search, first_next, first_search;
  measure(folder, 1000, &first_next, &first_search);
  for (unsigned total = 100000; total <= most; total *= 10) {
    char what[96];
    measure(folder, total, &next, &search);
    snprintf(what, sizeof what, "next at %u against 1000", total);
    judge(what, next / first_next, 3, false);
    snprintf(what, sizeof what, "search at %u against 1000", total);
    judge(what, search / first_search, 3, false);
  }
}

int main(int argc, char **argv)
{
  if (argc < 2) {
    fprintf(stderr, "usage: ledger_bench FOLDER [MOST]\n");
    return 2;
  }
  compare_sizes(argv[1], argc > 2 ? (unsigned)atoi(argv[2]) : 1000000);
  return missed;
}
