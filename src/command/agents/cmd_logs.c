/* logs R/T: what a teammate wrote to its output. */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/limits.h"
#include "base/proc/shim.h"
#include "base/term.h"
#include "base/utf8.h"
#include "command/commands.h"
#include "command/ledger_call.h"
#include "engine/ledger/write.h"
#include "engine/run/adapter.h"
#include "store/runs/runs.h"

/* A line that is longer is shown in parts. */
enum { PART = 64 << 10, TOLD = 4 << 20, CHARACTER = 4, WAIT_MS = 300 };

/* The id of the teammate that is meant: RUN/STEP.N, STEP.N of the newest run, or the newest of RUN. */
static ho_code find(ho_call *call, ho_str given, ho_teammate *mate, ho_error *err)
{
  ho_store *store = call->project.store;
  ho_run_list newest = {0};
  ho_teammate_list mates = {0};
  ho_str id = given;
  ho_code code = ho_runs_teammates(store, given, HO_EMPTY, HO_TEAMMATE_ANY, 0, call->arena, &mates, err);
  if (!code && mates.count)
    id = mates.rows[mates.count - 1].id;
  else if (!code && ho_str_find_char(given, '/') == HO_NONE)
    code = ho_runs_select(store, HO_EMPTY, HO_EMPTY, false, 1, call->arena, &newest, err);
  if (newest.count)
    id = ho_arena_printf(call->arena, "%.*s/%.*s", HO_ARG(newest.rows[0].id), HO_ARG(given));
  if (!code)
    code = ho_runs_get_teammate(store, id, call->arena, mate, err);
  return code == HO_NOT_FOUND
             ? ho_fail(err, HO_NOT_FOUND, "there is no teammate %.*s; run: handoff lineage", HO_ARG(given))
             : code;
}

/* Does it still work, by the store and by its process? Asked often, so in memory of its own. */
static bool works(ho_store *store, ho_str id)
{
  ho_arena arena;
  ho_teammate mate = {0};
  ho_error none;
  ho_arena_init(&arena, 0);
  ho_code code = ho_runs_get_teammate(store, id, &arena, &mate, &none);
  ho_arena_free(&arena);
  if (code) /* a store that is busy says nothing about it */
    return code != HO_NOT_FOUND;
  return mate.state == HO_TEAMMATE_RUNNING && (!mate.pid || ho_process_start((pid_t)mate.pid) == mate.pid_start);
}

static ho_code fail_read(const ho_teammate *mate, ho_error *err)
{
  return ho_fail_file(err, errno == ENOENT ? HO_NOT_FOUND : HO_IO, mate->log, "cannot be read: %s",
                      ho_fs_reason(errno));
}

/* Lines for a person at a terminal are told; others get them as they are. */
static void put_lines(const ho_call *call, ho_buf *out, ho_str adapter, ho_str lines)
{
  ho_buf told;
  ho_buf_init(&told, 0);
  if (call->host->terminal)
    ho_adapter_tell(ho_adapter_named(adapter), lines, &told);
  ho_term_put(out, call->host->terminal ? ho_buf_str(&told) : lines, HO_TERM_LINES);
  ho_buf_free(&told);
}

/* Shows the whole lines that are there now, at the end also what follows the last of them. */
static ho_code show_parts(ho_call *call, const ho_teammate *mate, int fd, bool last, char *part, size_t size,
                          ho_error *err)
{
  for (;;) {
    off_t at = lseek(fd, 0, SEEK_CUR);
    ssize_t n = read(fd, part, size);
    if (n < 0)
      return fail_read(mate, err);
    size_t whole = (size_t)n;
    while (whole > 0 && part[whole - 1] != '\n')
      whole--;
    if (last && (size_t)n < size)
      whole = (size_t)n;
    else if (!whole && (size_t)n == size) /* a long line; no character is cut */
      whole = ho_utf8_floor((ho_str){part, size}, size - CHARACTER);
    if (!whole)
      return lseek(fd, at, SEEK_SET) < 0 ? fail_read(mate, err) : HO_OK;
    ho_buf text;
    ho_buf_init(&text, 0);
    put_lines(call, &text, mate->adapter, (ho_str){part, whole});
    call->host->show(call->host->world, ho_buf_str(&text));
    ho_buf_free(&text);
    if (lseek(fd, at + (off_t)whole, SEEK_SET) < 0)
      return fail_read(mate, err);
  }
}

static ho_code show_more(ho_call *call, const ho_teammate *mate, int fd, bool last, ho_error *err)
{
  const size_t size = call->host->terminal ? TOLD : PART;
  ho_arena arena;
  ho_arena_init(&arena, 0);
  char *part = ho_arena_alloc(&arena, size);
  ho_code code = ho_arena_code(&arena, err);
  if (!code)
    code = show_parts(call, mate, fd, last, part, size, err);
  ho_arena_free(&arena);
  return code;
}

/* Shows what is there and then what comes, until the teammate has ended. */
static ho_code follow(ho_call *call, const ho_teammate *mate, const char *path, ho_error *err)
{
  ho_code code = HO_OK;
  int fd = -1;
  if (!call->host->show)
    return ho_fail(err, HO_USAGE, "--follow prints lines for people; use it without --json");
  for (bool ended = false, changed; !code && !ended;) {
    ended = !works(call->project.store, mate->id);
    if (fd < 0)
      fd = ho_fs_open(path, O_RDONLY);
    if (fd >= 0)
      code = show_more(call, mate, fd, ended, err);
    else if (ended || errno != ENOENT)
      code = fail_read(mate, err);
    if (!code && !ended)
      code = ho_store_wait(call->project.store, WAIT_MS, &changed, err);
  }
  if (fd >= 0)
    close(fd);
  return code;
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_teammate mate = {0};
  ho_code code = ho_open_ledger(call, false, err);
  if (!code)
    code = find(call, ho_arg_str(call, "teammate"), &mate, err);
  if (code)
    return code;
  ho_str path = ho_fs_join(call->arena, call->project.home, mate.log), text = HO_EMPTY;
  if (ho_arg_true(call, "follow"))
    code = follow(call, &mate, ho_arena_z(call->arena, path), err);
  else /* a little more is kept than the limit: a line says what was left out */
    code = ho_fs_read(call->arena, ho_arena_z(call->arena, path), (size_t)2 * HO_LIMIT_LOG, &text, err);
  if (!code) /* it may have ended meanwhile */
    code = ho_runs_get_teammate(call->project.store, mate.id, call->arena, &mate, err);
  ho_map_put(call->arena, call->result, "id", mate.id);
  ho_map_put(call->arena, call->result, "agent", mate.agent);
  ho_map_put(call->arena, call->result, "state", ho_words_str(&ho_teammate_states, mate.state));
  ho_map_put(call->arena, call->result, "outcome", ho_words_str(&ho_outcomes, mate.outcome));
  ho_map_put(call->arena, call->result, "log", mate.log);
  ho_map_put(call->arena, call->result, "adapter", mate.adapter);
  ho_map_addz(call->result, "text", ho_node_text(call->arena, text));
  if (!code && ho_arg_true(call, "follow") && mate.why.n)
    ho_call_note(call, "%.*s ended: %.*s", HO_ARG(mate.id), HO_ARG(mate.why));
  return code;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  ho_str text = ho_map_str(call->result, "text");
  (void)colour;
  put_lines(call, out, ho_map_str(call->result, "adapter"), text);
  if (!call->host->terminal && text.n && text.p[text.n - 1] != '\n')
    ho_buf_putc(out, '\n');
}

static const ho_field params[] = {
    {.name = "teammate",
     .label = "TEAMMATE",
     .doc = "RUN/STEP.N, as 'ps' and 'lineage' name it; STEP.N for the newest run; or RUN for its newest teammate.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED | HO_POSITIONAL},
    {.name = "follow", .doc = "Show what is there, then what comes, until the teammate has ended.", .type = HO_T_BOOL},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "logs", .fields = params};
static const ho_field result[] = {
    HO_TEXT_FIELD("id", "RUN/STEP.N."),
    HO_TEXT_FIELD("agent", "The agent."),
    HO_TEXT_FIELD("state", "running, ended or lost."),
    HO_TEXT_FIELD("outcome", "What it left, or how it died."),
    HO_TEXT_FIELD("log", "File with its output."),
    HO_TEXT_FIELD("adapter", "Harness whose lines these are, or 'command'."),
    {.name = "text", .doc = "Its output.", .type = HO_T_TEXT, .flags = HO_REQUIRED | HO_MAY_BE_EMPTY},
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "logs result", .fields = result};

const ho_command ho_command_logs = {
    .name = "logs",
    .group = "agents",
    .summary = "Show the output of a teammate",
    .doc = "On a terminal, the lines of Claude Code, Codex, Gemini CLI and opencode are told: what the agent said, '> "
           "TOOL: "
           "what it did', '! what went wrong'. In a pipe they are as they are, in JSON. Control characters are "
           "escaped. Of "
           "a long output, its beginning and its end are kept ('handoff limits').",
    .examples = "handoff logs 1.1 --follow",
    .teammate = true,
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
