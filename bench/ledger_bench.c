/* ledger_bench FOLDER [MOST]: a send through the engine (credentials, reading, checks, one durable transaction, its
 * archive copy, the state file) against a loop that does the same inserts with SQLite's own calls and the same atomic
 * file writes; then how claiming and searching through the engine grow up to MOST handoffs (1,000,000). Exits 1 where a
 * limit of the project is missed. */
#include <sqlite3.h>
#include <sys/stat.h>

#include "bench.h"

#include "base/digest.h"
#include "engine/ledger/claim.h"
#include "engine/ledger/derive.h"
#include "engine/ledger/send.h"
#include "engine/project/project.h"
#include "store/handoffs/events.h"
#include "store/handoffs/search.h"

enum { SENDS = 600, CLAIMS = 60, SEARCHES = 200, BATCH = 5000 };

static ho_project open_ledger(const char *root, ho_arena *arena)
{
  ho_project project = {
      .arena = arena, .root = ho_arena_copy(arena, ho_str_of(root)), .agent = HO_STR("agent1"), .clock_ms = clock_ms};
  must(ho_fs_mkdirs(ho_fs_join(arena, ho_str_of(root), HO_STR(".handoff")).p, &err));
  must(ho_project_open(&project, HO_OPEN_CREATE, &err));
  return project;
}

/* A package of about 2 KB. */
static ho_str make_package(char *to, size_t size, unsigned number)
{
  size_t n =
      (size_t)snprintf(to, size,
                       "handoff:\n  id: HO-2026-%05u\n  timestamp: \"2026-03-09T16:20:00Z\"\n  from:\n    agent: "
                       "planner\n    step: plan\n  to:\n    agent: agent%u\n    reason: Part %u can be built\n"
                       "  context:\n    summary: Planned part %u in 3 files with 14 tests, all questions are "
                       "settled\n    decisions:\n",
                       number, number % 50, number, number);
  for (int i = 1; n < 1700; i++) {
    n += (size_t)snprintf(to + n, size - n, "      - id: D-%03d\n        decision: Read part%u as a stream", i, number);
    n += (size_t)snprintf(to + n, size - n, "\n        rationale: The word%u is larger than word%u\n",
                          random_number(4000), random_number(4000));
  }
  n += (size_t)snprintf(to + n, size - n,
                        "  expectations:\n    deliverable: Code of part %u\n    constraints:\n      - No new "
                        "dependencies\n    success_criteria:\n      - All 14 tests pass\n  workflow_state:\n    name: "
                        "feature\n    current_step: 2\n",
                        number);
  return (ho_str){to, n};
}

/* ---- Sends */

static void send_one(ho_project *project, ho_str text)
{
  ho_arena arena;
  ho_arena_init(&arena, 0);
  ho_send in = {.project = project, .arena = &arena, .path = HO_STR("-"), .text = text};
  must(ho_send_read(&in, &err));
  must(ho_send_record(&in, &err));
  ho_arena_free(&arena);
}

/* The rows that a send of such a package adds: ?1 digest, ?2 size, ?3 body, ?4 number, ?5 id, ?6 path. What follows from
 * them is derived later, and measured on its own. */
static const char *const raw_steps[] = {
    "BEGIN IMMEDIATE",
    "UPDATE ids SET next = next + 1 WHERE scope = 'HO-2026'",
    "INSERT INTO bodies (n, digest, size, body) VALUES (?4, ?1, ?2, ?3)",
    "INSERT INTO handoffs VALUES (?4, ?5, 'package', 'sequential', 'planner', 'feature', '2', 'local-20260212', "
    "1770000000000, ?1, '', '', 'ready', 'coder', '', 1770000000000, 0, 0, 0, 0, '', '', '', '', '', '', ?1, 1, "
    "?4)",
    "INSERT INTO events VALUES (?4, ?5, 1, 1770000000000, 'planner', 'sent', "
    "'{\"from\":\"planner\",\"to\":\"agent1\",\"type\":\"sequential\"}', '0123456789abcdef0123456789abcdef', "
    "'', ?1)",
    "INSERT INTO meta (name, value) VALUES ('store.searched', ?4 - 1), ('store.learned', ?4 - 1) ON CONFLICT (name) DO "
    "NOTHING",
    "INSERT INTO files VALUES (?5, 'archive', ?6, ?1, ?2)",
    "INSERT INTO intents (path, mode, content) VALUES (?6, 0, ?3)",
    "COMMIT",
    "DELETE FROM intents",
};

typedef struct raw {
  sqlite3 *handle;
  sqlite3_stmt *steps[HO_COUNT(raw_steps)];
  const char *root;
  unsigned number;
} raw;

static void raw_fail(const raw *r)
{
  fprintf(stderr, "%s\n", sqlite3_errmsg(r->handle));
  exit(2);
}

static void raw_open(raw *r, const char *root, ho_arena *arena)
{
  ho_project project = open_ledger(root, arena); /* its tables are ours */
  char path[4096];
  snprintf(path, sizeof path, "%s", ho_store_path(project.store));
  ho_project_close(&project);
  r->root = root;
  if (sqlite3_open(path, &r->handle) ||
      sqlite3_exec(r->handle,
                   "PRAGMA synchronous = FULL; PRAGMA cache_size = -32000; INSERT INTO ids VALUES ('HO-2026', 1)", NULL,
                   NULL, NULL))
    raw_fail(r);
  for (size_t i = 0; i < HO_COUNT(raw_steps); i++)
    if (sqlite3_prepare_v2(r->handle, raw_steps[i], -1, &r->steps[i], NULL))
      raw_fail(r);
}

/* The same rows and the same files: the archive copy, and the state file where ours was written. */
static void raw_send(raw *r, ho_str body, ho_str state)
{
  char id[32], path[4200], digest[HO_DIGEST_SIZE];
  snprintf(id, sizeof id, "HO-2026-%03u", ++r->number);
  snprintf(path, sizeof path, "%s/copies/%s.yaml", r->root, id);
  ho_digest_text(body, digest);
  for (size_t i = 0; i < HO_COUNT(raw_steps); i++) {
    sqlite3_stmt *step = r->steps[i];
    sqlite3_bind_text(step, 1, digest, -1, SQLITE_STATIC);
    sqlite3_bind_int64(step, 2, (int64_t)body.n);
    sqlite3_bind_text(step, 3, body.p, (int)body.n, SQLITE_STATIC);
    sqlite3_bind_int64(step, 4, r->number);
    sqlite3_bind_text(step, 5, id, -1, SQLITE_STATIC);
    sqlite3_bind_text(step, 6, path, -1, SQLITE_STATIC);
    if (i + 1 == HO_COUNT(raw_steps))
      must(ho_fs_write(path, body, HO_FS_CREATE, &err));
    if (sqlite3_step(step) != SQLITE_DONE)
      raw_fail(r);
    sqlite3_reset(step);
  }
  snprintf(path, sizeof path, "%s/current.json", r->root);
  if (state.n)
    must(ho_fs_write(path, state, HO_FS_REPLACE, &err));
}

static void compare_sends(const char *folder)
{
  static char text[4096], ours[4096], theirs[4096], state_path[4200];
  static double a[SENDS], b[SENDS];
  static raw r;
  ho_arena arena;
  struct stat info = {0};
  ino_t last = 0;
  ho_arena_init(&arena, 0);
  snprintf(ours, sizeof ours, "%s/ours", folder);
  snprintf(theirs, sizeof theirs, "%s/theirs", folder);
  snprintf(state_path, sizeof state_path, "%s/state/current.json", ours);
  ho_project project = open_ledger(ours, &arena);
  raw_open(&r, theirs, &arena);
  must(ho_fs_mkdirs(ho_fs_join(&arena, ho_str_of(theirs), HO_STR("copies")).p, &err));
  for (unsigned i = 0; i < SENDS; i++) {
    ho_arena scratch;
    ho_str state = HO_EMPTY, body = make_package(text, sizeof text, i + 1);
    double begin = now_us();
    send_one(&project, body);
    a[i] = now_us() - begin;
    ho_arena_init(&scratch, 0);
    if (stat(state_path, &info) == 0 && info.st_ino != last)
      must(ho_fs_read(&scratch, state_path, 0, &state, &err));
    last = info.st_ino;
    begin = now_us();
    raw_send(&r, body, state);
    b[i] = now_us() - begin;
    ho_arena_free(&scratch);
  }
  double begin = now_us();
  must(ho_derive(&project, HO_DERIVED_SEARCH, NULL, &err));
  double searchable = now_us();
  must(ho_derive(&project, HO_DERIVED_KNOWLEDGE, NULL, &err));
  printf("derived later: the search %.0f us per handoff, the knowledge %.0f us\n", (searchable - begin) / SENDS,
         (now_us() - searchable) / SENDS);
  ho_project_close(&project);
  sqlite3_close_v2(r.handle);
  ho_arena_free(&arena);
  double x = median(a, SENDS), y = median(b, SENDS);
  printf("durable send through the engine: %.0f us; the same inserts and files by hand %.0f us\n", x, y);
  judge("sends, of the speed by hand", y / x, 0.6, true);
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
  must(ho_derive(&project, HO_DERIVED_SEARCH, NULL, &err));
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
  compare_sends(argv[1]);
  compare_sizes(argv[1], argc > 2 ? (unsigned)atoi(argv[2]) : 1000000);
  return missed;
}
