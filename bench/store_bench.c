/* store_bench FOLDER [MOST]: how fast the store is, against a loop that does the same inserts with SQLite's own calls;
 * how finding and searching grow up to MOST handoffs (1,000,000); how many bytes a handoff takes. Exits 1 where a limit
 * of the project is missed. */
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bench.h"

#include "base/digest.h"
#include "store/handoffs/events.h"
#include "store/handoffs/search.h"

enum { BLOCK = 100, BLOCKS = 12, BODY = 2048, TRIES = 400 };

/* A text of words, of about `size` bytes, that looks like a document. */
static ho_str make_body(char *to, size_t size, unsigned number)
{
  size_t n = (size_t)snprintf(to, size, "id: HO-%u\nsummary: ", number);
  while (n + 24 < size)
    n += (size_t)snprintf(to + n, size - n, random_number(9) ? "word%u " : "word%u\n  - ", random_number(4000));
  return (ho_str){to, n};
}

static ho_handoff make_row(ho_str id)
{
  return (ho_handoff){.id = id,
                      .kind = HO_STR("package"),
                      .type = HO_STR("sequential"),
                      .state = HO_STR("ready"),
                      .sender = HO_STR("planner"),
                      .receiver = HO_STR("coder"),
                      .task = HO_STR("7"),
                      .phase = HO_STR("2"),
                      .session = HO_STR("local-20260212"),
                      .path = HO_STR(".project/handoffs/a.yaml"),
                      .created = 1770000000000,
                      .updated = 1770000000000};
}

static const ho_event sent = {.at = 1770000000000,
                              .actor = HO_STR_INIT("planner"),
                              .kind = HO_STR_INIT("queued"),
                              .data = HO_STR_INIT("{\"digest\":\"verified\",\"to\":\"coder\"}")};

static ho_store *open_store(const char *folder, const char *name)
{
  static char path[4096];
  ho_store *store;
  snprintf(path, sizeof path, "%s/%s/handoff.db", folder, name);
  must(ho_store_open(&(ho_store_options){.url = path, .root = folder, .create = true}, &store, &err));
  return store;
}

/* ---- Sends, ours */

typedef struct sending {
  ho_arena arena;
  ho_str body;
  bool file;
} sending;

static ho_code send_work(ho_store *store, void *data, ho_error *e)
{
  sending *s = data;
  ho_str id;
  ho_arena_reset(&s->arena);
  ho_code code = ho_store_id(store, HO_STR("HO-2026"), &s->arena, &id, e);
  if (code)
    return code;
  ho_handoff row = make_row(id);
  code = ho_handoffs_add(store, &row, s->body, &sent, &s->arena, e);
  if (!code && s->file)
    code = ho_store_intend(store, HO_STR("ours.yaml"), s->body, HO_INTENT_DERIVED, e);
  return code;
}

/* ---- Sends, by SQLite alone: the same rows, values prepared, no chain, no queue */

typedef struct raw {
  sqlite3 *handle;
  sqlite3_stmt *steps[7];
  char path[4096];
  bool file;
  unsigned number;
} raw;

static const char *const raw_steps[] = {
    "BEGIN IMMEDIATE",
    "UPDATE ids SET next = next + 1 WHERE scope = 'HO-2026'",
    "INSERT INTO bodies (n, digest, size, body) VALUES (?4, ?1, ?2, ?3)",
    "INSERT INTO handoffs (seq, id, kind, type, sender, task, phase, session, created, digest, idem_key, parent, state,"
    " receiver, path, updated, attempt, lease_until, deadline, due, token, claimed_by, claim_session, gate,"
    " superseded_by, marks, head, events, body) VALUES (?4, ?5, 'package', 'sequential', 'planner', '7', '2',"
    " 'local-20260212', 1770000000000, ?1, '', '', 'ready', 'coder', '.project/handoffs/a.yaml', 1770000000000, 0, 0,"
    " 0, 0, '', '', '', '', '', '', ?1, 1, ?4)",
    "INSERT INTO events (seq, handoff, n, at, actor, kind, data, row, prev, hash) VALUES (?4, ?5, 1, 1770000000000, "
    "'planner', 'queued', "
    "'{\"digest\":\"verified\",\"to\":\"coder\"}', '0123456789abcdef0123456789abcdef', '', ?1)",
    "INSERT INTO meta (name, value) VALUES ('store.searched', ?4 - 1), ('store.learned', ?4 - 1) ON CONFLICT (name) DO "
    "NOTHING",
    "COMMIT",
};

static void raw_open(raw *r, const char *folder)
{
  ho_store *store = open_store(folder, "raw"); /* its tables are ours */
  snprintf(r->path, sizeof r->path, "%s", ho_store_path(store));
  ho_store_close(store);
  sqlite3_open(r->path, &r->handle);
  sqlite3_exec(r->handle,
               "PRAGMA synchronous = FULL; PRAGMA cache_size = -32000; INSERT INTO ids VALUES ('HO-2026', 1)", NULL,
               NULL, NULL);
  for (size_t i = 0; i < HO_COUNT(raw_steps); i++)
    if (sqlite3_prepare_v2(r->handle, raw_steps[i], -1, &r->steps[i], NULL) != SQLITE_OK) {
      fprintf(stderr, "%s\n", sqlite3_errmsg(r->handle));
      exit(2);
    }
}

static void raw_send(raw *r, ho_str body, const char *digest, const char *file)
{
  char id[32];
  snprintf(id, sizeof id, "HO-2026-%03u", ++r->number);
  for (size_t i = 0; i < HO_COUNT(raw_steps); i++) {
    sqlite3_stmt *step = r->steps[i];
    sqlite3_bind_text(step, 1, digest, -1, SQLITE_STATIC);
    sqlite3_bind_int64(step, 2, (int64_t)body.n);
    sqlite3_bind_text(step, 3, body.p, (int)body.n, SQLITE_STATIC);
    sqlite3_bind_int64(step, 4, r->number);
    sqlite3_bind_text(step, 5, id, -1, SQLITE_STATIC);
    if (sqlite3_step(step) != SQLITE_DONE) {
      fprintf(stderr, "%s\n", sqlite3_errmsg(r->handle));
      exit(2);
    }
    sqlite3_reset(step);
  }
  if (r->file)
    must(ho_fs_write(file, body, HO_FS_REPLACE, &err));
}

/* Blocks of both in turn, so that the disk's moods strike both. */
static void compare_sends(const char *folder, bool file)
{
  static char text[BODY + 64], digest[HO_DIGEST_SIZE], path[4096];
  static unsigned number;
  static raw r;
  static ho_store *store;
  double ours[BLOCKS], theirs[BLOCKS];
  sending s = {.file = file};
  if (!store) {
    store = open_store(folder, "ours");
    raw_open(&r, folder);
  }
  r.file = file;
  ho_arena_init(&s.arena, 0);
  snprintf(path, sizeof path, "%s/theirs.yaml", folder);
  for (int b = 0; b < BLOCKS; b++) {
    double begin = now_us();
    for (int i = 0; i < BLOCK; i++) {
      s.body = make_body(text, BODY, number++);
      must(ho_store_write(store, send_work, &s, &err));
    }
    double middle = now_us();
    for (int i = 0; i < BLOCK; i++) {
      ho_str body = make_body(text, BODY, number++);
      ho_digest_text(body, digest);
      raw_send(&r, body, digest, path);
    }
    ours[b] = (middle - begin) / BLOCK;
    theirs[b] = (now_us() - middle) / BLOCK;
  }
  ho_arena_free(&s.arena);
  double a = median(ours, BLOCKS), b = median(theirs, BLOCKS);
  printf("durable send%s: %.0f us, by SQLite alone %.0f us\n", file ? " with its file" : "", a, b);
  judge(file ? "sends with files, of SQLite's own speed" : "sends, of SQLite's own speed", b / a, 0.6, true);
}

/* ---- Growth */

enum { MANY = 4 }; /* agents that have handoffs waiting */

typedef struct filling {
  ho_arena arena;
  unsigned from, to, total;
} filling;

/* Short bodies; a hundred of them, spread evenly, have the word "needle". */
static ho_code fill(ho_store *store, void *data, ho_error *e)
{
  static char text[320];
  filling *f = data;
  int64_t first = 0;
  ho_code code = HO_OK;
  for (unsigned i = f->from; !code && i < f->to; i++) {
    bool needle = i % (f->total / 100) == 0;
    ho_str body = make_body(text, needle ? 140 : 180, i);
    ho_arena_reset(&f->arena);
    ho_handoff row = make_row(ho_arena_printf(&f->arena, "HO-2026-%03u", i + 1));
    row.task = ho_arena_printf(&f->arena, "%u", i / 10);
    row.receiver = i % 5 ? ho_arena_printf(&f->arena, "agent%u", i % MANY) : HO_EMPTY;
    if (needle)
      body = ho_arena_printf(&f->arena, "%.*s needle", HO_ARG(body));
    code = ho_handoffs_add(store, &row, body, &sent, &f->arena, e);
    first = first ? first : row.seq;
  }
  return code ? code : ho_search_add(store, first - 1, first - 1 + f->to - f->from, e);
}

typedef struct claiming {
  ho_arena arena;
  unsigned number;
} claiming;

static ho_code claim_work(ho_store *store, void *data, ho_error *e)
{
  claiming *c = data;
  ho_handoff row;
  bool found;
  char receiver[16];
  snprintf(receiver, sizeof receiver, "agent%u", c->number % MANY);
  ho_arena_reset(&c->arena);
  ho_code code =
      ho_handoffs_next(store, HO_STR("ready"), ho_str_of(receiver), HO_EMPTY, HO_EMPTY, &c->arena, &row, &found, e);
  if (code || !found)
    return code ? code : ho_fail(e, HO_NO, "nothing is ready");
  row.state = HO_STR("claimed");
  row.claimed_by = ho_str_of(receiver);
  row.lease_until = row.due = 1770000900000;
  return ho_handoffs_change(store, &row, HO_STR("ready"), &sent, &c->arena, e);
}

static double time_next(ho_store *store, unsigned total, bool by_task)
{
  static double times[TRIES];
  ho_arena arena;
  ho_handoff row;
  bool found;
  ho_arena_init(&arena, 0);
  for (int i = 0; i < TRIES; i++) {
    char receiver[16], task[16];
    snprintf(receiver, sizeof receiver, "agent%u", random_number(MANY));
    snprintf(task, sizeof task, "%u", random_number(total / 10));
    ho_arena_reset(&arena);
    double begin = now_us();
    must(ho_handoffs_next(store, HO_STR("ready"), ho_str_of(receiver), by_task ? ho_str_of(task) : HO_EMPTY, HO_EMPTY,
                          &arena, &row, &found, &err));
    times[i] = now_us() - begin;
  }
  ho_arena_free(&arena);
  return median(times, TRIES);
}

static double time_claim(ho_store *store, unsigned number)
{
  claiming c = {.number = number};
  ho_arena_init(&c.arena, 0);
  double begin = now_us();
  must(ho_store_write(store, claim_work, &c, &err));
  double end = now_us();
  ho_arena_free(&c.arena);
  return end - begin;
}

static double time_search(ho_store *store, const char *query)
{
  static double times[TRIES];
  ho_arena arena;
  ho_hit_list hits;
  ho_arena_init(&arena, 0);
  for (int i = 0; i < TRIES; i++) {
    ho_arena_reset(&arena);
    double begin = now_us();
    must(ho_search(store, ho_str_of(query), &(ho_filter){0}, &arena, &hits, &err));
    times[i] = now_us() - begin;
  }
  if (hits.count != 100)
    printf("search %s: %zu matches\n", query, hits.count);
  ho_arena_free(&arena);
  return median(times, TRIES);
}

enum { NEXT, NEXT_TASK, CLAIM, SEARCH, SEARCH_MANY, MEASURES };
static const char *const measures[] = {"next", "next of a task", "claim", "search, 100 matches",
                                       "search, many matches"};

static ho_store *grow(const char *folder, unsigned total)
{
  enum { BATCH = 5000 };
  char name[32];
  filling f = {.total = total};
  snprintf(name, sizeof name, "grown-%u", total);
  ho_store *store = open_store(folder, name);
  double begin = now_us();
  ho_arena_init(&f.arena, 0);
  for (f.from = 0; f.from < total; f.from = f.to) {
    f.to = f.from + BATCH < total ? f.from + BATCH : total;
    must(ho_store_write(store, fill, &f, &err));
  }
  ho_arena_free(&f.arena);
  printf("%u handoffs made in %.1f s\n", total, (now_us() - begin) / 1e6);
  fflush(stdout);
  return store;
}

/* Claims are synced to the disk, so those of all sizes are done in turn. */
static void measure_claims(ho_store **stores, size_t count, double values[][MEASURES])
{
  enum { CLAIMS = 150 };
  static double times[3][CLAIMS];
  for (unsigned i = 0; i < CLAIMS; i++)
    for (size_t k = 0; k < count; k++)
      times[k][i] = time_claim(stores[k], i);
  for (size_t k = 0; k < count; k++)
    values[k][CLAIM] = median(times[k], CLAIMS);
}

static void compare_sizes(const char *folder, unsigned most)
{
  static const unsigned sizes[] = {1000, 100000, 1000000};
  ho_store *stores[3];
  double values[3][MEASURES];
  size_t count = 0;
  for (; count < HO_COUNT(sizes) && sizes[count] <= most; count++)
    stores[count] = grow(folder, sizes[count]);
  sync();
  measure_claims(stores, count, values);
  for (size_t k = 0; k < count; k++) {
    values[k][NEXT] = time_next(stores[k], sizes[k], false);
    values[k][NEXT_TASK] = time_next(stores[k], sizes[k], true);
    values[k][SEARCH] = time_search(stores[k], "needle");
    values[k][SEARCH_MANY] = time_search(stores[k], "summary");
    printf("%u handoffs:", sizes[k]);
    for (int i = 0; i < MEASURES; i++)
      printf(" %s %.0f us;", measures[i], values[k][i]);
    printf("\n");
    for (int i = 0; i < MEASURES && k; i++) {
      char what[96];
      snprintf(what, sizeof what, "%s at %u against 1000", measures[i], sizes[k]);
      judge(what, values[k][i] / values[0][i], 3, false);
    }
    ho_store_close(stores[k]);
  }
}

/* ---- Bytes */

static ho_code live_work(ho_store *store, void *data, ho_error *e)
{
  static const char *const states[] = {"ready", "claimed", "acked", "done", "archived"};
  static char text[BODY + 64];
  filling *f = data;
  for (unsigned i = f->from; i < f->to; i++) {
    ho_arena_reset(&f->arena);
    ho_handoff row = make_row(ho_arena_printf(&f->arena, "HO-2026-%03u", i + 1));
    ho_code code = ho_handoffs_add(store, &row, make_body(text, BODY, i), &sent, &f->arena, e);
    for (int k = 1; k < 5 && !code; k++) {
      row.state = ho_str_of(states[k]);
      code = ho_handoffs_change(store, &row, ho_str_of(states[k - 1]), &sent, &f->arena, e);
    }
    if (code)
      return code;
  }
  return HO_OK;
}

static void weigh(const char *folder)
{
  enum { COUNT = 4000, EACH = 20 };
  filling f = {0};
  struct stat info;
  char path[4096];
  ho_store *store = open_store(folder, "weight");
  snprintf(path, sizeof path, "%s", ho_store_path(store));
  ho_arena_init(&f.arena, 0);
  for (unsigned at = 0; at < COUNT; at += EACH) {
    f.from = at;
    f.to = at + EACH;
    must(ho_store_write(store, live_work, &f, &err));
  }
  ho_arena_free(&f.arena);
  ho_store_close(store);
  if (stat(path, &info) != 0)
    exit(2);
  printf("%d handoffs of %d bytes with five events each: %.0f bytes each\n", COUNT, BODY, (double)info.st_size / COUNT);
  judge("bytes stored a byte of a handoff", (double)info.st_size / COUNT / BODY, 4, false);
}

int main(int argc, char **argv)
{
  if (argc < 2) {
    fprintf(stderr, "usage: store_bench FOLDER [MOST]\n");
    return 2;
  }
  weigh(argv[1]);
  compare_sends(argv[1], false);
  compare_sends(argv[1], true);
  compare_sizes(argv[1], argc > 2 ? (unsigned)atoi(argv[2]) : 1000000);
  return missed;
}
