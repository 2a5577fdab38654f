#include "surface/cli.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/proc/confine.h"
#include "base/term.h"
#include "engine/project/quote.h"
#include "base/time.h"
#include "command/commands.h"
#include "command/error_shown.h"
#include "command/findings.h"
#include "command/pick.h"
#include "command/help/help.h"
#include "command/wrap.h"
#include "doc/json/json.h"
#include "doc/yaml/yaml.h"
#include "model/secrets/secrets.h"
#include "surface/cli_args.h"
#include "surface/cli_hurry.h"
#include "surface/cli_screen.h"
#include "surface/mcp/mcp.h"

enum { WIDEST = 100 };

/* What the engine's callbacks work with. */
typedef struct terminal {
  bool shows_progress; /* stderr is a terminal on which a line can be cleared */
  bool drew;           /* a line of progress stands there */
  int64_t drawn_ms;
  const ho_host *host;
} terminal;

static int64_t clock_ms(void *world)
{
  (void)world;
#ifdef HO_TEST_RESULTS /* tests let time pass */
  const char *later = getenv("HANDOFF_TEST_LATER_S");
  static int64_t looks; /* "+N": the clock jumps by N seconds at every look */
  if (later)
    return ho_time_now_ms() + strtoll(later + (*later == '+'), NULL, 10) * 1000 * (*later == '+' ? ++looks : 1);
#endif
  return ho_time_now_ms();
}

static ho_code read_input(void *world, ho_arena *arena, ho_str *out, ho_error *err)
{
  const terminal *t = world;
  return t->host->hurry ? ho_cli_read_value(arena, STDIN_FILENO, out, err)
                        : ho_fs_read_fd(arena, STDIN_FILENO, HO_STR("-"), 0, out, err);
}

static void clear_progress(terminal *t)
{
  if (t->drew)
    fputs("\r\x1b[K", stderr);
  t->drew = false;
}

/* At most ten times a second, and not at all for what is done at once. */
static void progress(void *world, size_t done, size_t total, const char *what)
{
  terminal *t = world;
  int64_t now = ho_time_monotonic_ms();
  if (t->drawn_ms == 0)
    t->drawn_ms = now;
  if (now - t->drawn_ms < 100)
    return;
  t->drawn_ms = now;
  t->drew = true;
  fprintf(stderr, "\r%zu of %zu %s%s\x1b[K", done, total, what, ho_plural((long long)total));
}

/* All of it, or a status: 141 for a reader that has gone, as the shell shows it for a signal. */
static int write_all(int fd, ho_str text)
{
  while (text.n) {
    ssize_t n = write(fd, text.p, text.n);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0 && errno == EPIPE)
      return 128 + SIGPIPE;
    if (n < 0) {
      fprintf(stderr, "handoff: cannot write the output: %s\n", strerror(errno));
      return ho_code_exit(HO_IO);
    }
    text = ho_str_sub(text, (size_t)n, text.n);
  }
  return 0;
}

/* What a terminal is sent. With colours it is what this program draws, in ASCII if the locale knows nothing else; the rest is
 * left as documents have it. */
static void make_safe(ho_buf *out, ho_str text, int keep)
{
  ho_buf safe;
  ho_buf_init(out, 0);
  ho_buf_init(&safe, 0);
  ho_term_put(&safe, text, keep);
  if (keep == HO_TERM_COLOURS && !ho_term_utf8())
    ho_term_put_plain(out, ho_buf_str(&safe));
  else
    ho_buf_put(out, ho_buf_str(&safe));
  ho_buf_free_into(&safe, out);
}

static void show(void *world, ho_str text)
{
  ho_buf plain;
  (void)world;
  ho_buf_init(&plain, 0);
  if (ho_term_is(STDOUT_FILENO) && !ho_term_utf8())
    ho_term_put_plain(&plain, text);
  else
    ho_buf_put(&plain, text);
  write_all(STDOUT_FILENO, ho_buf_str(&plain));
  ho_buf_free(&plain);
}

static void page(void *world, ho_str text)
{
  (void)world;
  ho_buf safe;
  make_safe(&safe, text, HO_TERM_COLOURS);
  if (!ho_cli_screen_pages(ho_buf_str(&safe)) || !ho_cli_screen_page(ho_buf_str(&safe)))
    write_all(STDOUT_FILENO, ho_buf_str(&safe));
  ho_buf_free(&safe);
}

static void put_error_json(ho_buf *out, const ho_error *err, const ho_node *commands)
{
  ho_arena arena;
  ho_arena_init(&arena, 0);
  ho_json_write(out, ho_error_shown(&arena, err, commands), 0);
  ho_buf_putc(out, '\n');
  if (arena.failed) {
    ho_buf_reset(out);
    ho_buf_puts(out, "{\"error\":{\"code\":\"memory\",\"rule\":null,\"message\":\"out of memory\",\"file\":null,"
                     "\"line\":null,\"column\":null,\"pointer\":null}}\n");
  }
  ho_arena_free(&arena);
}

/* An argument as it is written on the command line: "--name", or "PATH". */
static bool put_argument(ho_buf *out, const ho_command *command, ho_str pointer)
{
  ho_str name = ho_str_sub(pointer, 1, pointer.n);
  name = ho_str_sub(name, 0, ho_str_find_char(name, '/') == HO_NONE ? name.n : ho_str_find_char(name, '/'));
  for (const ho_field *field = command ? command->params->fields : NULL; field && field->name; field++) {
    if (!ho_str_is(name, field->name))
      continue;
    if ((field->flags & HO_POSITIONAL) && field->choices) { /* the message lists them */
      ho_buf_puts(out, field->name);
    } else if (field->flags & HO_POSITIONAL) {
      ho_help_value(out, field);
    } else {
      ho_buf_puts(out, "--");
      ho_help_option_name(out, field);
    }
    return true;
  }
  return false;
}

/* "handoff: FILE:LINE:COL: error[RULE] POINTER: message" with what there is of it; a wrong argument instead of POINTER. */
static void put_error_text(ho_buf *out, const ho_error *err, const ho_command *command)
{
  ho_buf_puts(out, "handoff: ");
  if (err->file[0]) {
    ho_term_put(out, ho_str_of(err->file), HO_TERM_LINE);
    if (err->line)
      ho_buf_printf(out, ":%u:%u", err->line, err->column);
    ho_buf_puts(out, ": ");
  }
  if (err->rule)
    ho_buf_printf(out, "error[%s]%s", err->rule, err->pointer[0] ? " " : ": ");
  if (err->pointer[0]) {
    if (err->code != HO_USAGE || !put_argument(out, command, ho_str_of(err->pointer)))
      ho_term_put(out, ho_str_of(err->pointer), HO_TERM_LINE);
    ho_buf_puts(out, ": ");
  }
  ho_term_put(out, ho_str_of(err->message), HO_TERM_LINE);
  ho_buf_putc(out, '\n');
}

static int report_error_with(const ho_error *err, bool json, const ho_command *command, const ho_node *commands)
{
  ho_buf text;
  ho_error shown = *err;
  ho_secret_redact_error(&shown);
  ho_buf_init(&text, 0);
  if (json)
    put_error_json(&text, &shown, commands);
  else
    put_error_text(&text, &shown, command);
  HO_EACH_CONST (line, json ? NULL : commands) {
    ho_buf_puts(&text, "  ");
    ho_term_put(&text, line->text, HO_TERM_LINE);
    ho_buf_putc(&text, '\n');
  }
  if (text.failed)
    write_all(STDERR_FILENO, HO_STR("handoff: out of memory\n"));
  else
    write_all(STDERR_FILENO, ho_buf_str(&text));
  ho_buf_free(&text);
  return ho_code_exit(err->code);
}

static int report_error(const ho_error *err, bool json, const ho_command *command)
{
  return report_error_with(err, json, command, NULL);
}

/* What was typed, with each of the choices: commands that work as they stand. None after "--", which ends the options. */
static ho_node *completed(ho_arena *arena, int argc, char **argv, const ho_node *choices)
{
  ho_node *commands = ho_node_new(arena, HO_KIND_LIST);
  ho_buf typed;
  ho_buf_init(&typed, 0);
  ho_buf_puts(&typed, "handoff");
  for (int i = 1; i < argc; i++) {
    if (ho_str_is(ho_str_of(argv[i]), "--"))
      choices = NULL;
    ho_buf_printf(&typed, " %.*s",
                  HO_ARG(ho_quote_shell(arena, ho_secret_redact(ho_str_of(argv[i]), arena, &(size_t){0}))));
  }
  ho_str command = ho_buf_move(&typed, arena);
  HO_EACH_CONST (choice, choices)
    ho_list_add(commands,
                ho_node_text(arena, ho_arena_printf(arena, "%.*s %.*s", HO_ARG(command), HO_ARG(choice->text))));
  return commands;
}

static int put_notes(const ho_node *result)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  HO_EACH_CONST (note, ho_map_getz(result, "notes")) {
    ho_finding_note(&text, note->text, ho_term_colour(STDERR_FILENO));
    ho_buf_putc(&text, '\n');
  }
  int status = text.failed ? report_error(&(ho_error){.code = text.failed, .message = "out of memory"}, false, NULL)
                           : write_all(STDERR_FILENO, ho_buf_str(&text));
  ho_buf_free(&text);
  return status;
}

/* Nothing that could control a terminal reaches one, even if a command forgot to make it safe; elsewhere the text goes as
 * it is. */
static int put_safe(const ho_buf *text, int keep, bool paged, bool watch)
{
  ho_buf safe;
  if (!ho_term_is(STDOUT_FILENO))
    return write_all(STDOUT_FILENO, ho_buf_str(text));
  make_safe(&safe, ho_buf_str(text), keep);
  ho_str shown = ho_buf_str(&safe);
  int status = 0;
  if (safe.failed)
    status = ho_code_exit(safe.failed);
  else if (watch)
    ho_cli_screen_redraw(shown);
  else if (!paged || !ho_cli_screen_pages(shown) || !ho_cli_screen_page(shown))
    status = write_all(STDOUT_FILENO, shown);
  ho_buf_free(&safe);
  return status;
}

/* Is what is rendered a document, a drawing, or the difference between two, and left to be made safe? It has no colours:
 * they would be made safe too. */
static bool is_raw(const ho_command *command, const ho_call *call)
{
  ho_str form = ho_map_str(call->args, "form");
  return command->raw || (!command->render && !command->table) || ho_node_true(ho_map_getz(call->args, "print")) ||
         ho_map_getz(call->result, "text") || ho_map_getz(call->result, "prompt") ||
         (form.n && ho_str_list_has("json|mermaid", form));
}

static int put_result(const ho_command *command, const ho_call *call, bool json, bool watch)
{
  ho_buf text;
  ho_error err = {0};
  int status;
  bool raw = json || call->shown.path.n || is_raw(command, call);
  bool colour = !raw && ho_term_colour(STDOUT_FILENO);
  ho_buf_init(&text, 0);
  if (call->shown.path.n)
    ho_pick_path(&text, ho_pick_json(command, call), call->shown.path);
  else if (json)
    ho_json_write(&text, ho_pick_json(command, call), ho_term_is(STDOUT_FILENO) ? 2 : 0);
  else if (command->table && (!command->render || call->shown.fields.n))
    ho_table_put(call, &text, command->table, ho_map_getz(call->result, command->table->list), 0, true, colour);
  else if (command->render)
    command->render(call, &text, colour);
  else
    ho_yaml_write(&text, call->result);
  if (json && !call->shown.path.n)
    ho_buf_putc(&text, '\n');
  if (ho_buf_code(&text, &err) || ho_arena_code(call->arena, &err)) /* rendering may need both */
    status = report_error(&err, json, command);
  else
    status = put_safe(&text,
                      json  ? HO_TERM_JSON
                      : raw ? HO_TERM_LINES
                            : HO_TERM_COLOURS,
                      command->effect <= HO_EFFECT_READ || command->table, watch);
  if (!json && !status)
    status = put_notes(call->result);
  ho_buf_free(&text);
  return status;
}

/* --help in place of the command's own work. */
static void turn_to_help(ho_cli_args *args, ho_arena *arena)
{
  ho_node *given = ho_node_new(arena, HO_KIND_MAP);
  if (args->command)
    ho_map_addz(given, "command", ho_node_textz(arena, args->command->name));
  else if (args->family.n)
    ho_map_addz(given, "command", ho_node_text(arena, args->family));
  else
    given = args->args;
  args->command = ho_command_named(HO_STR("help"));
  args->args = given;
}

/* The command that was probably meant, if the arguments cannot be parsed. */
static const ho_command *meant(int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    if (argv[i][0] != '-')
      return ho_command_named(ho_str_of(argv[i]));
  return NULL;
}

/* A failure becomes what a command that never fails prints instead of its result. */
static int excuse(const ho_command *command, int status, bool printed)
{
  if (!command || !command->always_ok || status == 0)
    return status;
  if (!printed)
    write_all(STDOUT_FILENO, ho_str_of(command->always_ok));
  return 0;
}

/* Tells a person, but no script, the new name of an option. */
static void put_hint(const ho_cli_args *args)
{
  if (!args->old.n || !ho_term_is(STDERR_FILENO))
    return;
  fprintf(stderr, "handoff: %.*s still works, but in '%s' it is now called --%s\n", HO_ARG(args->old),
          args->command->name, args->now->name);
}

/* *watch: the same is to be shown again. */
static int run(int argc, char **argv, ho_host *host, terminal *t, bool *watch)
{
  ho_cli_args args;
  ho_error err = {0};
  ho_code code = ho_cli_parse(&args, argc, argv, host->arena, &err);
  if (!code && args.help)
    turn_to_help(&args, host->arena);
  else if (!code && !args.command)
    args.command = ho_command_named(host->terminal ? HO_STR("overview") : HO_STR("help"));
  const ho_command *command = args.command ? args.command : meant(argc, argv);
  if (command && command->always_ok) {
    signal(SIGPIPE, SIG_IGN);
    ho_cli_give_up_with(command->always_ok);
  }
  if (!code && args.command->effect != HO_EFFECT_NONE)
    code = ho_host_root(host, args.root, &err);
  if (!code && args.watch && (!ho_term_draws(STDOUT_FILENO) || args.command->effect > HO_EFFECT_READ))
    code = ho_fail(&err, HO_USAGE,
                   ho_term_draws(STDOUT_FILENO) ? "--watch is for commands that only show something"
                                                : "--watch needs a terminal");
  if (code)
    return excuse(command, report_error(&err, args.json, command), false);
  const char *store = args.store ? args.store : getenv("HANDOFF_STORE");
  host->store = ho_str_of(store);
  host->show = args.json ? NULL : show;
  host->live = ho_term_draws(STDOUT_FILENO);
  ho_call call = {.host = host, .args = args.args, .arena = host->arena, .shown = args.shown};
  code = ho_dispatch(args.command, &call, &err);
  ho_cli_give_up_never();
  clear_progress(t);
  if (err.code) {
    const ho_node *commands = call.choices ? completed(host->arena, argc, argv, call.choices) : NULL;
    return excuse(command, report_error_with(&err, args.json, command, commands), false);
  }
  int status = put_result(args.command, &call, args.json, args.watch);
  put_hint(&args);
  bool printed = status != ho_code_exit(HO_MEMORY);
  *watch = args.watch && !status;
  return excuse(command, status ? status : ho_code_exit(code), printed);
}

/* As wide as the terminal, as long as that reads well; 80 in a pipe. */
static unsigned columns(void)
{
  unsigned width = ho_term_is(STDOUT_FILENO) ? ho_term_width(STDOUT_FILENO) : HO_TEXT_WIDTH;
  return width > WIDEST ? WIDEST : width;
}

static int run_once(int argc, char **argv, ho_cli_listen *listen, bool *watch)
{
  ho_arena arena;
  terminal t = {.shows_progress = ho_term_draws(STDERR_FILENO)};
  ho_host host = {.arena = &arena,
                  .root = HO_EMPTY,
                  .folder = HO_EMPTY,
                  .program = HO_STR("/proc/self/exe"),
                  .columns = columns(),
                  .terminal = ho_term_is(STDOUT_FILENO) ? ho_term_width(STDOUT_FILENO) : 0,
                  .clock_ms = clock_ms,
                  .read_input = read_input,
                  .page = page,
                  .give_up = ho_cli_give_up,
                  .confine = ho_confine_writes,
                  .serve = ho_mcp_serve,
                  .listen = listen,
                  .argv = argv,
                  .progress = t.shows_progress ? progress : NULL,
                  .world = &t};
  t.host = &host;
  signal(SIGPIPE, SIG_DFL); /* whoever started us may have it ignored: a reader that goes ends us quietly */
  ho_arena_init(&arena, 0);
  int status = run(argc, argv, &host, &t, watch);
  ho_host_close(&host);
  ho_arena_free(&arena);
  return status;
}

int ho_cli_run(int argc, char **argv, ho_cli_listen *listen)
{
  enum { WATCH_S = 1 };
  bool watch = false;
  int status = run_once(argc, argv, listen, &watch);
  while (watch) {
    sleep(WATCH_S);
    status = run_once(argc, argv, listen, &watch);
  }
  return status;
}
