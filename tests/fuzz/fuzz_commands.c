/* Whole commands in a project that somebody else prepared: whatever lies in it, nothing beside it is read, changed,
 * added or removed, no program that it names is started, and no command takes longer than its limits allow.
 *
 * The input is a script of sections. A section begins with a line "%WORD ..." and ends before the next one:
 *   %file PATH        the rest of the section is the file's text
 *   %link PATH TO     a symbolic link
 *   %store            a sound ledger with a handoff and a gate
 *   %sql              the rest is run on the ledger, as somebody would who prepares one
 *   %input            what commands read from standard input
 *   %run NAME         a command of the table below
 * Files are written first, then the ledger, then links, so that the script itself stays inside the project; then the
 * commands run in their order. */
#include <fcntl.h>
#include <ftw.h>
#include <sodium.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/time.h"
#include "command/commands.h"
#include "doc/json/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

enum { FILES = 24, COMMANDS = 6, SECONDS = 40 };
static const char *const secret = "known to the user alone";
static char base[64], project[80], victim[80], letter[96];

typedef struct row {
  const char *name, *command, *args;
} row;
static const row rows[] = {
    {"check", "check", "{\"paths\": [\".\"]}"},
    {"fix", "fix", "{\"paths\": [\".\"]}"},
    {"rename", "fix", "{\"paths\": [\".\"], \"rename\": true}"},
    {"show", "show", "{\"path\": \"one.yaml\"}"},
    {"send", "send", "{\"path\": \"one.yaml\"}"},
    {"next", "next", "{\"as\": \"reviewer\"}"},
    {"status", "status", "{}"},
    {"list", "list", "{}"},
    {"log", "log", "{}"},
    {"search", "search", "{\"query\": [\"import\"]}"},
    {"gates", "gate list", "{}"},
    {"gate", "gate show", "{\"gate\": \"G-2026-001\"}"},
    {"hook", "hook", "{\"harness\": \"claude\"}"},
    {"codex", "hook", "{\"harness\": \"codex\"}"},
    {"gemini", "hook", "{\"harness\": \"gemini\"}"},
    {"start", "progress start", "{\"task\": \"1\", \"phase\": \"1\", \"objective\": [\"one\"]}"},
    {"note", "progress note", "{\"task\": \"1\", \"phase\": \"1\", \"id\": \"1\", \"text\": \"seen\"}"},
    {"pass", "pass", "{\"task\": \"1\", \"phase\": \"1\", \"next\": \"Run the tests of the importer\"}"},
    {"successor", "prompt successor", "{\"task\": \"1\", \"phase\": \"1\"}"},
    {"inject", "prompt inject", "{\"task\": \"1\"}"},
    {"archive", "archive", "{\"completed\": true}"},
    {"state", "state", "{}"},
    {"verify", "verify", "{}"},
    {"rebuild", "rebuild", "{}"},
    {"prune", "prune", "{\"before\": \"2030-01-01\"}"},
    {"learn", "learn", "{\"paths\": [\".\"]}"},
    {"know", "know", "{}"},
    {"journal", "journal", "{}"},
    {"quality", "quality", "{}"},
    {"plan", "run", "{\"plan\": \"specs/1_a/plans/implementation-001.md\", \"agent\": \"claude\", \"dry_run\": true}"},
    {"ps", "ps", "{}"},
    {"lineage", "lineage", "{}"},
    {"import", "import", "{\"paths\": [\".\"], \"print\": true}"},
    {"migrate", "migrate", "{\"path\": \"notes.md\"}"},
    {"config", "config", "{}"},
    {"doctor", "doctor", "{}"},
    {"statusline", "statusline", "{}"},
    {"init", "init", "{}"},
};

typedef struct script {
  ho_str files[FILES][2], links[FILES][2], sql, input, runs[COMMANDS];
  size_t file_count, link_count, run_count;
  bool store;
} script;

static ho_str word_of(ho_str *line)
{
  size_t n = 0;
  while (n < line->n && line->p[n] != ' ')
    n++;
  ho_str word = ho_str_sub(*line, 0, n);
  *line = ho_str_trim(ho_str_sub(*line, n, line->n));
  return word;
}

static void take_section(script *out, ho_str head, ho_str text)
{
  ho_str word = word_of(&head);
  if (ho_str_is(word, "file") && out->file_count < FILES) {
    out->files[out->file_count][0] = head;
    out->files[out->file_count++][1] = text;
  } else if (ho_str_is(word, "link") && out->link_count < FILES) {
    out->links[out->link_count][0] = word_of(&head);
    out->links[out->link_count++][1] = head;
  } else if (ho_str_is(word, "run") && out->run_count < COMMANDS)
    out->runs[out->run_count++] = head;
  else if (ho_str_is(word, "store") || ho_str_is(word, "sql")) {
    out->store = true;
    out->sql = text.n ? text : out->sql;
  } else if (ho_str_is(word, "input"))
    out->input = text;
}

static void read_script(ho_str text, script *out)
{
  while (text.n) {
    const char *end = memmem(text.p, text.n, "\n%", 2);
    ho_str section = ho_str_sub(text, 0, end ? (size_t)(end - text.p) + 1 : text.n);
    text = ho_str_sub(text, section.n, text.n);
    const char *eol = memchr(section.p, '\n', section.n);
    ho_str head = ho_str_sub(section, 0, eol ? (size_t)(eol - section.p) : section.n);
    if (ho_str_starts(head, "%"))
      take_section(out, ho_str_sub(head, 1, head.n), ho_str_sub(section, head.n + 1, section.n));
  }
}

/* The path of a name inside the project, its folders made; NULL if it would lead out of it, or is none. */
static char *place(ho_arena *arena, ho_str name)
{
  if (!name.n || name.n > 200 || name.p[0] == '/' || memchr(name.p, '\0', name.n))
    return NULL;
  ho_str full = ho_fs_join(arena, ho_str_of(project), name);
  if (!ho_fs_below(ho_str_of(project), full) || full.n == strlen(project))
    return NULL;
  char *path = ho_arena_array(arena, full.n + 1, 1);
  memcpy(path, full.p, full.n);
  for (char *slash = path + strlen(project) + 1; (slash = strchr(slash, '/')); slash++) {
    *slash = 0;
    mkdir(path, 0700);
    *slash = '/';
  }
  return path;
}

static void put(const char *path, ho_str text)
{
  int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  if (fd < 0)
    return;
  if (write(fd, text.p, text.n) < 0)
    abort();
  close(fd);
}

static ho_str input = {"", 0};
static ho_code read_input(void *world, ho_arena *arena, ho_str *out, ho_error *err)
{
  (void)world;
  (void)arena;
  (void)err;
  *out = input;
  return HO_OK;
}

static int64_t clock_ms(void *world)
{
  (void)world;
  return 1772000000000;
}

static void check_result(const ho_node *result)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_json_write(&text, result, 0);
  ho_str all = ho_buf_str(&text);
  if (memmem(all.p, all.n, secret, strlen(secret)))
    abort();
  ho_buf_free(&text);
}

static void run_command(const char *name, const char *args)
{
  ho_arena arena;
  ho_source source;
  ho_error err = {0};
  ho_node *given = NULL;
  const ho_command *command = ho_command_named(ho_str_of(name));
  ho_arena_init(&arena, 0);
  ho_host host = {.arena = &arena,
                  .store = HO_EMPTY,
                  .above = HO_EMPTY,
                  .program = HO_EMPTY,
                  .library = HO_EMPTY,
                  .columns = 80,
                  .clock_ms = clock_ms,
                  .read_input = read_input};
  if (!command || ho_host_root(&host, project, &err) ||
      ho_source_init(&source, &arena, HO_STR("arguments"), ho_str_of(args), &err) ||
      ho_json_read(&source, 0, &arena, NULL, &given, &err))
    abort();
  host.folder = host.root; /* as if each command were run there; libFuzzer needs its own folder */
  ho_call call = {.host = &host, .args = given, .arena = &arena};
  int64_t begun = ho_time_now_ms();
  ho_code code = ho_dispatch(command, &call, &err);
  if (code == HO_BUG || (code && !err.code && !call.result))
    abort();
  if (!err.code)
    check_result(call.result);
  if (ho_time_now_ms() - begun > SECONDS * 1000)
    abort();
  ho_host_close(&host);
  ho_arena_free(&arena);
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *walk)
{
  (void)info;
  (void)kind;
  (void)walk;
  return remove(path);
}

static void empty_project(void)
{
  nftw(project, remove_one, 16, FTW_DEPTH | FTW_PHYS);
  if (mkdir(project, 0700))
    abort();
}

static void remove_base(void)
{
  nftw(base, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* Nothing was added to the victim, and what was there is as it was. */
static void check_victim(void)
{
  ho_arena arena;
  ho_fs_list list;
  ho_str text;
  struct stat info;
  ho_arena_init(&arena, 0);
  if (ho_fs_walk(&arena, base, NULL, &list, &(ho_error){0}))
    abort();
  for (size_t i = 0; i < list.count; i++)
    if (!ho_fs_below(ho_str_of(project), ho_str_of(list.paths[i])) && strcmp(list.paths[i], letter))
      abort();
  if (ho_fs_read(&arena, letter, 0, &text, &(ho_error){0}) || !ho_str_is(text, secret) || stat(letter, &info) ||
      (info.st_mode & 0777) != 0640 || info.st_mtime != 1700000000 || info.st_nlink != 1)
    abort();
  ho_arena_free(&arena);
}

static void prepare_victim(void)
{
  const char *memory = access("/dev/shm", W_OK) ? "/tmp" : "/dev/shm";
  snprintf(base, sizeof base, "%s/handoff-fuzz.XXXXXX", memory);
  if (sodium_init() < 0 || !mkdtemp(base))
    abort();
  atexit(remove_base);
  snprintf(project, sizeof project, "%s/project", base);
  snprintf(victim, sizeof victim, "%s/victim", base);
  snprintf(letter, sizeof letter, "%s/letter.json", victim);
  if (mkdir(project, 0700) || mkdir(victim, 0755))
    abort();
  put(letter, ho_str_of(secret));
  const struct timespec old[2] = {{.tv_sec = 1700000000}, {.tv_sec = 1700000000}};
  if (chmod(letter, 0640) || utimensat(AT_FDCWD, letter, old, 0))
    abort();
  setenv("HOME", victim, 1);
  setenv("XDG_DATA_HOME", victim, 1);
}

/* A package to an agent, and one to a person, which is a gate. */
#define PACKAGE(id, to)                                                                                                \
  "handoff:\n"                                                                                                         \
  "  id: " id "\n"                                                                                                     \
  "  timestamp: 2026-02-12T14:30:22Z\n"                                                                                \
  "  from: {agent: importer, step: 1, session: s1}\n"                                                                  \
  "  to: {agent: " to ", step: 2}\n"                                                                                   \
  "  context:\n"                                                                                                       \
  "    summary: The importer reads all three files of the sample\n"                                                    \
  "    state: {phase: implementation, feature: csv-import}\n"                                                          \
  "  instructions:\n"                                                                                                  \
  "    task: Review the importer before the release\n"                                                                 \
  "  expectations:\n"                                                                                                  \
  "    deliverables: [A list of faults]\n"                                                                             \
  "    success_criteria: [Every fault has a line number]\n"

static int refuse_attach(void *world, int action, const char *a, const char *b, const char *c, const char *d)
{
  (void)world, (void)a, (void)b, (void)c, (void)d;
  return action == SQLITE_ATTACH || action == SQLITE_DETACH ? SQLITE_DENY : SQLITE_OK;
}

/* A ledger as the program makes it, changed as a stranger might. */
static void make_store(ho_arena *arena, ho_str sql)
{
  sqlite3 *db;
  put(place(arena, HO_STR("one.yaml")), HO_STR(PACKAGE("HO-2026-001", "reviewer")));
  put(place(arena, HO_STR("two.yaml")), HO_STR(PACKAGE("HO-2026-002", "human")));
  run_command("send", "{\"path\": \"one.yaml\"}");
  run_command("send", "{\"path\": \"two.yaml\"}");
  const char *path = place(arena, HO_STR(".handoff/handoff.db"));
  if (!sql.n)
    return;
  if (sqlite3_open_v2(path, &db, SQLITE_OPEN_READWRITE, NULL))
    abort();
  sqlite3_set_authorizer(db, refuse_attach, NULL);
  sqlite3_limit(db, SQLITE_LIMIT_VDBE_OP, 100000);
  sqlite3_exec(db, ho_arena_z(arena, sql), NULL, NULL, NULL);
  sqlite3_close(db);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  ho_arena arena;
  script all = {.sql = HO_EMPTY, .input = HO_EMPTY};
  if (!base[0])
    prepare_victim();
  ho_arena_init(&arena, 0);
  read_script((ho_str){(const char *)data, size}, &all);
  input = all.input;
  if (all.store)
    make_store(&arena, all.sql);
  for (size_t i = 0; i < all.file_count; i++) {
    const char *path = place(&arena, all.files[i][0]);
    if (path)
      put(path, all.files[i][1]);
  }
  for (size_t i = 0; i < all.link_count; i++) {
    const char *path = place(&arena, all.links[i][0]), *to = ho_arena_z(&arena, all.links[i][1]);
    if (path && symlink(to, path)) /* a link in the place of a file */
      (void)(unlink(path) || symlink(to, path));
  }
  for (size_t i = 0; i < all.run_count; i++)
    for (size_t k = 0; k < HO_COUNT(rows); k++)
      if (ho_str_is(all.runs[i], rows[k].name))
        run_command(rows[k].command, rows[k].args);
  ho_arena_free(&arena);
  check_victim();
  empty_project();
  return 0;
}
