/* What other commands show, together on a screen: each part of the result is the result of a command. */
#include "base/fs.h"
#include "base/term.h"
#include "command/runs_left.h"
#include "command/commands.h"
#include "command/ledger_call.h"
#include "command/wrap.h"
#include "engine/project/paths.h"

/* With them, everything fits on 24 lines. */
enum { SHOWN = 4, EVENTS = 5, COUNTED = 1000 };

typedef struct part {
  const ho_command *command;
  const char *state, *sort; /* what it is asked, or NULL */
  int64_t limit;            /* 0: it has none */
} part;
enum { INBOX, WORKING, WAITING, RECENT, PARTS };
static const part parts[PARTS] = {[INBOX] = {.command = &ho_command_inbox},
                                  [WORKING] = {.command = &ho_command_ps},
                                  [WAITING] = {.command = &ho_command_list,
                                               .state = "ready,clarify,gated,draft",
                                               .sort = "created",
                                               .limit = COUNTED},
                                  [RECENT] = {.command = &ho_command_log, .limit = EVENTS}};

static const ho_node *result_of(const ho_call *call, int which)
{
  return ho_map_getz(call->result, parts[which].command->name);
}

static ho_code ask(ho_call *call, int which, ho_error *err)
{
  const part *p = &parts[which];
  ho_node *args = ho_node_new(call->arena, HO_KIND_MAP);
  if (which == INBOX && ho_arg(call, "as"))
    ho_map_addz(args, "as", ho_node_text(call->arena, ho_arg_str(call, "as")));
  if (which == INBOX)
    ho_map_addz(args, "peek", ho_node_bool(call->arena, true));
  if (p->state)
    ho_map_addz(args, "state", ho_node_textz(call->arena, p->state));
  if (p->limit)
    ho_map_addz(args, "limit", ho_node_number(call->arena, p->limit));
  ho_call asked = {.host = call->host, .args = args, .arena = call->arena, .shown.sort = ho_str_of(p->sort)};
  ho_code code = ho_dispatch(p->command, &asked, err);
  if (!code)
    ho_map_addz(call->result, p->command->name, asked.result);
  return code;
}

/* The command that most probably comes next, as it is typed. A draft that a teammate left is taken up by its run, so that
 * what is paused comes before drafts. */
static ho_str next_of(const ho_call *call)
{
  const ho_node *items = ho_map_getz(result_of(call, INBOX), "items");
  const ho_node *waiting = ho_map_getz(result_of(call, WAITING), "handoffs");
  const ho_node *teammates = ho_map_getz(result_of(call, WORKING), "teammates");
  const ho_node *holders = ho_map_getz(result_of(call, WORKING), "holders");
  const ho_node *paused = ho_map_getz(result_of(call, WORKING), "paused");
  ho_str folder = ho_fs_join(call->arena, call->host->root, HO_STR(HO_PATH_FOLDER));
  HO_EACH_CONST (item, items)
    if (!ho_node_empty(ho_map_getz(item, "commands")) &&
        (ho_node_empty(paused) || !ho_str_is(ho_map_str(item, "kind"), "draft")))
      return ho_map_getz(item, "commands")->first->text;
  if (!ho_node_empty(paused))
    return ho_runs_left_command(call->arena, paused->first);
  if (!ho_node_empty(waiting))
    return ho_arena_printf(call->arena, "handoff show %.*s", HO_ARG(ho_map_str(waiting->first, "id")));
  if (!ho_node_empty(teammates) || !ho_node_empty(holders))
    return HO_STR("handoff log --follow");
  return ho_fs_is_folder(folder.p) ? HO_STR("handoff help") : HO_STR("handoff init");
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_code code = HO_OK;
  for (int i = 0; i < PARTS && !code; i++)
    code = ask(call, i, err);
  if (!code)
    ho_map_addz(call->result, "next", ho_node_text(call->arena, next_of(call)));
  return code;
}

/* The heading of a part, and if there is more of it than is shown, how much, and, if that fits, what shows it. */
static void put_title(const ho_call *call, ho_buf *out, const char *title, size_t count, const char *all, bool colour)
{
  ho_buf more;
  ho_buf_init(&more, 0);
  if (count > SHOWN)
    ho_buf_printf(&more, " (%d of %zu%s; all: handoff %s)", SHOWN, count, count == COUNTED ? " or more" : "", all);
  if (strlen(title) + more.n > call->host->columns) {
    ho_buf_reset(&more);
    ho_buf_printf(&more, " (%d of %zu%s)", SHOWN, count, count == COUNTED ? " or more" : "");
  }
  ho_put_bold(out, ho_str_of(title), colour);
  ho_buf_put(out, ho_buf_str(&more));
  ho_buf_putc(out, '\n');
  ho_buf_free_into(&more, out);
}

/* The first rows of a table, with these columns or ("") its own; returns how many. */
static size_t put_rows(const ho_call *call, ho_buf *out, const ho_table *table, const char *columns,
                       const ho_node *rows, size_t most, bool colour)
{
  ho_call chosen = *call;
  ho_node *first = ho_node_new(call->arena, HO_KIND_LIST);
  HO_EACH_CONST (row, rows)
    if (first && first->count < most)
      ho_list_add(first, ho_node_copy(call->arena, row));
  chosen.shown.fields = ho_str_of(columns);
  ho_table_put(&chosen, out, table, first, 2, false, colour);
  return first ? first->count : 0;
}

static size_t count_of(const ho_node *list)
{
  return list ? list->count : 0;
}

static void put_inbox(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *result = result_of(call, INBOX), *items = ho_map_getz(result, "items");
  put_title(call, out, "For you", count_of(items), "inbox", colour);
  put_rows(call, out, ho_command_inbox.table, "", items, SHOWN, colour);
  HO_EACH_CONST (note, ho_map_getz(result, "notes")) {
    ho_buf_puts(out, "  ");
    ho_wrap_to(out, note->text, call->host->columns, 2, 2);
  }
}

static void put_working(const ho_call *call, ho_buf *out, bool colour)
{
  static const ho_table held = {.record = &ho_handoff_record, .columns = ho_handoff_columns};
  const ho_node *teammates = ho_map_getz(result_of(call, WORKING), "teammates");
  const ho_node *holders = ho_map_getz(result_of(call, WORKING), "holders");
  size_t count = count_of(teammates) + count_of(holders);
  if (!count)
    return;
  put_title(call, out, "Working", count, "ps", colour);
  size_t shown = put_rows(call, out, ho_command_ps.table, "", teammates, SHOWN, colour);
  put_rows(call, out, &held, "id,state,claimed_by,place,subject", holders, SHOWN - shown, colour);
}

/* The newest one: there is seldom another. */
static void put_paused(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *paused = ho_map_getz(result_of(call, WORKING), "paused");
  if (ho_node_empty(paused))
    return;
  put_title(call, out, "Paused", 0, "ps", colour);
  put_rows(call, out, &ho_runs_left_table, "run,progress,title", paused, 1, colour);
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *waiting = ho_map_getz(result_of(call, WAITING), "handoffs");
  const ho_node *events = ho_map_getz(result_of(call, RECENT), "events");
  put_inbox(call, out, colour);
  put_working(call, out, colour);
  put_paused(call, out, colour);
  if (count_of(waiting))
    put_title(call, out, "Waiting", count_of(waiting), "list --state ready,clarify,gated,draft", colour);
  put_rows(call, out, ho_command_list.table, "id,state,to,place,subject,created", waiting, SHOWN, colour);
  if (count_of(events))
    put_title(call, out, "Recent", 0, "log", colour);
  put_rows(call, out, ho_command_log.table, "", events, EVENTS, colour);
  ho_buf_puts(out, "\nnext: ");
  ho_term_put(out, ho_map_str(call->result, "next"), HO_TERM_LINE);
  ho_buf_putc(out, '\n');
}

static const ho_field params[] = {HO_PARAM_AS, HO_FIELDS_END};
static const ho_record params_record = {.name = "overview", .fields = params};
static const ho_field result[] = {
    {.name = "inbox", .doc = "What waits for you: the result of 'inbox'.", .type = HO_T_ANY, .flags = HO_REQUIRED},
    {.name = "ps", .doc = "Who is working: the result of 'ps'.", .type = HO_T_ANY, .flags = HO_REQUIRED},
    {.name = "list",
     .doc = "Handoffs that wait, oldest first: the result of 'list'.",
     .type = HO_T_ANY,
     .flags = HO_REQUIRED},
    {.name = "log", .doc = "The newest events: the result of 'log'.", .type = HO_T_ANY, .flags = HO_REQUIRED},
    {.name = "next", .doc = "The command that comes next.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "overview result", .fields = result};

const ho_command ho_command_overview = {
    .name = "overview",
    .group = "inspect",
    .summary = "Show on one screen what waits, who works, and what comes next",
    .doc =
        "Shows the beginning of 'inbox', 'ps' and 'list', the newest events of 'log', and the command that comes "
        "next. 'handoff' alone, on a terminal, is this command; in a pipe it is 'handoff help'. Nothing is marked as "
        "seen. With --watch, it is shown again every second.",
    .examples = "handoff overview",
    .teammate = true,
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
