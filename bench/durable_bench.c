/* durable_bench FOLDER: what a durable command costs in process. A send, next and done through the engine (credentials,
 * reading, checks, the transaction, the files that follow) against SQLite's own durable commit of the same rows, by
 * turns; then 16 processes that send at once against one. Beside the figures, what bounds them here: what a sync takes,
 * what is left of a send if only reading and checking are added to SQLite's commit, and how much of a send is work of the
 * processor. Exits 1 where a limit of the project is missed. */
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "bench.h"

#include "base/digest.h"
#include "engine/ledger/claim.h"
#include "engine/ledger/respond.h"
#include "engine/ledger/send.h"
#include "engine/project/project.h"

enum { ROUNDS = 400, PROCESSES = 16, SECONDS = 4, MOST = 100000 };
static const double at_most = 1.3, at_least = 3; /* x SQLite's commit; 16 processes against one */

static ho_project open_ledger(const char *root, ho_arena *arena)
{
  ho_project project = {
      .arena = arena, .root = ho_arena_copy(arena, ho_str_of(root)), .agent = HO_STR("coder"), .clock_ms = clock_ms};
  must(ho_fs_mkdirs(ho_fs_join(arena, ho_str_of(root), HO_STR(".handoff")).p, &err));
  must(ho_project_open(&project, HO_OPEN_CREATE, &err));
  return project;
}

/* A package of about 2 KB. */
static ho_str make_package(char *to, size_t size, unsigned number)
{
  size_t n = (size_t)snprintf(
      to, size,
      "handoff:\n  timestamp: \"2026-03-09T16:20:00Z\"\n  from:\n    agent: planner\n    step: plan\n"
      "  to:\n    agent: coder\n    reason: Part %u can be built\n  context:\n    summary: Planned part "
      "%u in 3 files with 14 tests, all questions are settled\n    decisions:\n",
      number, number);
  for (int i = 1; n < 1700; i++)
    n += (size_t)snprintf(to + n, size - n,
                          "      - id: D-%03d\n        decision: Read part%u as a stream\n        rationale: The "
                          "word%u is larger than word%u\n",
                          i, number, random_number(4000), random_number(4000));
  n +=
      (size_t)snprintf(to + n, size - n,
                       "  expectations:\n    deliverable: Code of part %u\n    success_criteria:\n      - All 14 tests "
                       "pass\n  workflow_state:\n    name: feature\n    current_step: 2\n",
                       number);
  return (ho_str){to, n};
}

/* ---- The engine */

/* *read: the time of what SQLite's side does not do: looking for credentials, parsing and checking. */
static void send_one(ho_project *project, ho_str text, double *read)
{
  ho_arena arena;
  double begin = now_us();
  ho_arena_init(&arena, 0);
  ho_send in = {.project = project, .arena = &arena, .path = HO_STR("-"), .text = text, .once = true};
  must(ho_send_read(&in, &err));
  *read = now_us() - begin;
  must(ho_send_record(&in, &err));
  ho_arena_free(&arena);
}

/* Claims, acknowledges and ends one; the times of the first and the last. */
static void receive_one(ho_project *project, double *next, double *done)
{
  ho_arena arena;
  ho_delivery d = {0};
  ho_arena_init(&arena, 0);
  double begin = now_us();
  must(ho_claim_next(project, &arena, &d, &err));
  *next = now_us() - begin;
  ho_ack ack = {.id = d.row.id, .token = ho_str_of(d.token), .task = HO_STR("Build the part as planned")};
  must(ho_receive_ack(project, &arena, &ack, &err));
  ho_say say = {.id = d.row.id, .token = ho_str_of(d.token)};
  begin = now_us();
  must(ho_receive_done(project, &arena, &say, &err));
  *done = now_us() - begin;
  ho_arena_free(&arena);
}

/* ---- The same rows by hand: ?1 digest, ?2 size, ?3 body, ?4 number, ?5 id, ?6 path. */

#define EVENT(kind, n)                                                                                                 \
  "INSERT INTO events VALUES ((SELECT coalesce(max(seq), 0) + 1 FROM events), ?5, " n                                  \
  ", 1770000000000, 'planner', '" kind                                                                                 \
  "', '{\"from\":\"planner\",\"to\":\"coder\",\"type\":\"sequential\"}', ?1, ?1, ?1)"
#define INTENT                                                                                                         \
  "INSERT INTO intents (id, path, mode, content, expected, owner, at, trouble, aside) VALUES ((SELECT "                \
  "coalesce(max(id), 0) + 1 FROM intents), ?6, 0, ?3, '', '4711/4712', 1770000000000, '', '')"
enum { SEND, NEXT, DONE, KINDS };
static const char *const raw_steps[KINDS][8] = {
    {"BEGIN IMMEDIATE", "UPDATE ids SET next = next + 1 WHERE scope = 'HO-2026'",
     "INSERT INTO bodies (n, digest, size, body) VALUES (?4, ?1, ?2, ?3)",
     "INSERT INTO handoffs VALUES (?4, ?5, 'package', 'sequential', 'planner', 'feature', '2', 'local-20260212', "
     "1770000000000, ?1, '', '', 'ready', 'coder', '', 1770000000000, 0, 0, 0, 0, '', '', '', '', '', '', ?1, 1, ?4)",
     EVENT("sent", "1"), "INSERT INTO files VALUES (?5, 'archive', ?6, ?1, ?2)", INTENT, "COMMIT"},
    {"BEGIN IMMEDIATE",
     "UPDATE handoffs SET state = 'claimed', updated = 1770000000001, attempt = 1, lease_until = 1770000900000, due = "
     "1770000900000, token = ?1, claimed_by = 'coder', claim_session = 'local-20260212', head = ?1, events = 2 WHERE "
     "seq "
     "= ?4",
     EVENT("claimed", "2"), "COMMIT"},
    {"BEGIN IMMEDIATE",
     "UPDATE handoffs SET state = 'done', updated = 1770000000002, lease_until = 0, due = 0, token = '', claimed_by = "
     "'', head = ?1, events = 3 WHERE seq = ?4",
     EVENT("done", "3"), "UPDATE files SET digest = ?1 WHERE handoff = ?5", INTENT, "COMMIT"}};

typedef struct raw {
  sqlite3 *handle;
  sqlite3_stmt *steps[KINDS][8];
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
  if (sqlite3_open(path, &r->handle) ||
      sqlite3_exec(r->handle,
                   "PRAGMA synchronous = FULL; PRAGMA cache_size = -32000; INSERT INTO ids VALUES ('HO-2026', 1)", NULL,
                   NULL, NULL))
    raw_fail(r);
  for (int kind = 0; kind < KINDS; kind++)
    for (int i = 0; i < 8 && raw_steps[kind][i]; i++)
      if (sqlite3_prepare_v2(r->handle, raw_steps[kind][i], -1, &r->steps[kind][i], NULL))
        raw_fail(r);
}

static double raw_do(raw *r, int kind, ho_str body, unsigned number)
{
  char id[32], path[128], digest[HO_DIGEST_SIZE];
  snprintf(id, sizeof id, "HO-2026-%03u", number);
  snprintf(path, sizeof path, ".project/07-audit/sessions/local-20260212/handoffs/%s.yaml", id);
  double begin = now_us();
  ho_digest_text(body, digest);
  for (int i = 0; i < 8 && raw_steps[kind][i]; i++) {
    sqlite3_stmt *step = r->steps[kind][i];
    sqlite3_bind_text(step, 1, digest, -1, SQLITE_STATIC);
    sqlite3_bind_int64(step, 2, (int64_t)body.n);
    sqlite3_bind_text(step, 3, body.p, (int)body.n, SQLITE_STATIC);
    sqlite3_bind_int64(step, 4, number);
    sqlite3_bind_text(step, 5, id, -1, SQLITE_STATIC);
    sqlite3_bind_text(step, 6, path, -1, SQLITE_STATIC);
    if (sqlite3_step(step) != SQLITE_DONE)
      raw_fail(r);
    sqlite3_reset(step);
  }
  return now_us() - begin;
}

/* What the disk takes to sync as much as a send writes, where the file is already that large. */
static double sync_once(int file)
{
  static const char pages[16 * 4096];
  if (pwrite(file, pages, sizeof pages, 0) != (ssize_t)sizeof pages)
    exit(2);
  double begin = now_us();
  if (fdatasync(file))
    exit(2);
  return now_us() - begin;
}

/* A bound that was measured in the same run may already be beyond the limit. */
static const char *out_of_reach(bool is)
{
  return is ? ": the limit cannot be met here" : "";
}

static void compare(const char *folder)
{
  static double ours[KINDS][ROUNDS], theirs[KINDS][ROUNDS], reading[ROUNDS], recording[ROUNDS], syncs[ROUNDS];
  static const char *const names[] = {"send", "next", "done"};
  char root[4096], text[4096];
  ho_arena arena;
  raw r = {0};
  ho_arena_init(&arena, 0);
  snprintf(root, sizeof root, "%s/ours", folder);
  ho_project project = open_ledger(root, &arena);
  snprintf(root, sizeof root, "%s/theirs", folder);
  raw_open(&r, root, &arena);
  snprintf(root, sizeof root, "%s/synced", folder);
  int file = open(root, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  for (unsigned i = 0; i < ROUNDS; i++) {
    ho_str body = make_package(text, sizeof text, i + 1);
    double begin = now_us();
    send_one(&project, body, &reading[i]);
    ours[SEND][i] = now_us() - begin;
    recording[i] = ours[SEND][i] - reading[i];
    theirs[SEND][i] = raw_do(&r, SEND, body, i + 1);
    receive_one(&project, &ours[NEXT][i], &ours[DONE][i]);
    theirs[NEXT][i] = raw_do(&r, NEXT, body, i + 1);
    theirs[DONE][i] = raw_do(&r, DONE, body, i + 1);
  }
  for (int i = 0; i < ROUNDS; i++)
    syncs[i] = sync_once(file);
  ho_project_close(&project);
  sqlite3_close_v2(r.handle);
  close(file);
  ho_arena_free(&arena);
  double read = median(reading, ROUNDS), commit = median(theirs[SEND], ROUNDS);
  printf("a sync takes %.0f us here; reading and checking what is sent %.0f us, of each send\n", median(syncs, ROUNDS),
         read);
  printf("send without them %.2f x SQLite's own commit; with them, %.2f x if the rest were that commit alone%s\n",
         median(recording, ROUNDS) / commit, (read + commit) / commit,
         out_of_reach((read + commit) / commit > at_most));
  for (int kind = 0; kind < KINDS; kind++) {
    char what[96];
    double x = median(ours[kind], ROUNDS), y = median(theirs[kind], ROUNDS);
    printf("durable %s %.0f us; SQLite's commit of the same rows %.0f us\n", names[kind], x, y);
    snprintf(what, sizeof what, "%s against SQLite's own commit", names[kind]);
    judge(what, x / y, at_most, false);
  }
}

/* ---- Many processes */

static void send_for_a_while(const char *root, unsigned number, int report)
{
  static double times[MOST];
  char text[4096];
  double reading;
  size_t count = 0;
  ho_arena arena;
  ho_arena_init(&arena, 0);
  ho_project project = open_ledger(root, &arena);
  for (double end = now_us() + SECONDS * 1e6; now_us() < end && count < MOST; count++) {
    ho_str body = make_package(text, sizeof text, number * MOST + (unsigned)count);
    double begin = now_us();
    send_one(&project, body, &reading);
    times[count] = now_us() - begin;
  }
  ho_project_close(&project);
  for (size_t sent = 0; sent < count * sizeof *times;) {
    ssize_t n = write(report, (char *)times + sent, count * sizeof *times - sent);
    if (n <= 0)
      _exit(2);
    sent += (size_t)n;
  }
}

/* What the processes that have ended have used of the processors. */
static double used_us(void)
{
  struct rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 +
         (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* Sends per second; the times of all of them. *work: of the processor, for each. */
static double send_together(const char *root, unsigned processes, double *times, size_t *count, double *work)
{
  double before = used_us();
  int ends[2];
  ho_arena arena;
  ho_arena_init(&arena, 0);
  ho_project project = open_ledger(root, &arena);
  ho_project_close(&project);
  ho_arena_free(&arena);
  if (pipe(ends))
    exit(2);
  for (unsigned i = 0; i < processes; i++)
    if (fork() == 0) {
      close(ends[0]);
      send_for_a_while(root, i + 1, ends[1]);
      _exit(0);
    }
  close(ends[1]);
  size_t bytes = 0;
  for (ssize_t n; (n = read(ends[0], (char *)times + bytes, MOST * sizeof *times - bytes)) > 0;)
    bytes += (size_t)n;
  close(ends[0]);
  for (int status; wait(&status) > 0;)
    if (status)
      missed = 1;
  *count = bytes / sizeof *times;
  *work = (used_us() - before) / (double)*count;
  return (double)*count / SECONDS;
}

static void compare_processes(const char *folder)
{
  static double times[MOST];
  size_t count;
  char root[4096];
  double work, crowded;
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  snprintf(root, sizeof root, "%s/one", folder);
  double one = send_together(root, 1, times, &count, &work);
  snprintf(root, sizeof root, "%s/many", folder);
  double many = send_together(root, PROCESSES, times, &count, &crowded);
  double middle = median(times, count), late = times[count * 99 / 100];
  printf("1 process sends %.0f per second, %d processes %.0f; p50 %.0f us, p99 %.0f us\n", one, PROCESSES, many, middle,
         late);
  double bound = (double)processors * 1e6 / work / one;
  printf("of a send of one process, %.0f of %.0f us are work of the processor (of 16, %.0f): %ld of them do at most "
         "%.2f x as many%s\n",
         work, 1e6 / one, crowded, processors, bound, out_of_reach(bound < at_least));
  judge("16 processes against one", many / one, at_least, true);
  judge("p99 against p50 of 16 processes", late / middle, 20, false);
}

int main(int argc, char **argv)
{
  if (argc < 2) {
    fprintf(stderr, "usage: durable_bench FOLDER\n");
    return 2;
  }
  compare(argv[1]);
  compare_processes(argv[1]);
  return missed;
}
