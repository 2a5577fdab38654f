#include "command/commands.h"
#include "command/ledger_call.h"
#include "engine/knowledge/journal.h"
#include "engine/project/quote.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_code code = ho_ledger_call_maybe(call, err);
  if (!code)
    code = ho_ledger_call_derive(call, HO_DERIVED_KNOWLEDGE, err);
  if (code)
    return code;
  code = ho_journal_make(project, ho_number_arg(call, "limit"), call->arena, call->result, err);
  return code;
}

/* ---- The page */

/* Would Markdown read the character as more than itself? An underline within a word it would not. */
static bool is_mark(ho_str text, size_t at)
{
  char c = text.p[at];
  if (c == '_')
    return !at || at + 1 == text.n || !isalnum((unsigned char)text.p[at - 1]) ||
           !isalnum((unsigned char)text.p[at + 1]);
  return strchr("|<*`[]~\\&", c) || (!at && strchr("#>+-=", c));
}

/* Text of a document in a cell or an item: on one line, and nothing that ends or formats it. */
static void put(const ho_call *call, ho_buf *out, ho_str text)
{
  ho_str clean = ho_quote_clean(call->arena, text, 400, true);
  for (size_t i = 0; i < clean.n; i++) {
    if (is_mark(clean, i))
      ho_buf_putc(out, '\\');
    ho_buf_putc(out, clean.p[i]);
  }
}

static void put_key(const ho_call *call, ho_buf *out, const ho_node *map, const char *key)
{
  put(call, out, ho_map_str(map, key));
}

static void put_list(const ho_call *call, ho_buf *out, const ho_node *list)
{
  HO_EACH_CONST (item, list) {
    if (item != list->first)
      ho_buf_puts(out, ", ");
    put(call, out, item->text);
  }
}

static void put_source(const ho_call *call, ho_buf *out, const ho_node *map)
{
  put_key(call, out, map, "origin");
  ho_buf_putc(out, ':');
  put_key(call, out, map, "line");
}

static void put_left_out(const ho_call *call, ho_buf *out, const char *what)
{
  ho_str count = ho_map_str(ho_map_getz(call->result, "left_out"), what);
  if (count.n && !ho_str_is(count, "0"))
    ho_buf_printf(out, "\n%.*s more not shown; use --limit N.\n", HO_ARG(count));
}

/* The beginning of a part of the page. */
static void open_part(ho_buf *out, const char *heading, const ho_node *list)
{
  ho_buf_printf(out, "\n## %s\n\n", heading);
  if (ho_node_empty(list))
    ho_buf_puts(out, "None.\n");
}

typedef struct column {
  const char *title;
  enum { OWN_KEY, A_TEXT, A_LIST, ITS_CHANGES, ITS_SOURCE } holds;
  const char *key; /* of the text or list */
} column;
enum { COLUMNS = 5 };
static const column of_files[COLUMNS] = {{"File", OWN_KEY, NULL},
                                         {"Purpose", A_TEXT, "purpose"},
                                         {"Changes", ITS_CHANGES, NULL},
                                         {"Tasks", A_LIST, "tasks"},
                                         {"Source", ITS_SOURCE, NULL}};
static const column of_tasks[COLUMNS] = {{"Task", OWN_KEY, NULL},
                                         {"Name", A_TEXT, "name"},
                                         {"Status", A_TEXT, "status"},
                                         {"Blocked by", A_LIST, "blocked_by"}};

static void put_agent(const ho_call *call, ho_buf *out, const ho_node *change)
{
  ho_buf_puts(out, ho_map_str(change, "agent").n ? " by " : "");
  put_key(call, out, change, "agent");
}

/* "created by coder; modify 45-67 by tester" */
static void put_changes(const ho_call *call, ho_buf *out, const ho_node *file)
{
  const ho_node *creator = ho_map_getz(file, "created_by"), *changes = ho_map_getz(file, "modified_by");
  bool created = ho_node_is(creator, HO_KIND_MAP);
  ho_buf_puts(out, created ? "created" : "");
  put_agent(call, out, creator);
  HO_EACH_CONST (change, changes) {
    ho_buf_puts(out, created || change != changes->first ? "; " : "");
    put_key(call, out, change, "change_type");
    ho_buf_puts(out, ho_map_str(change, "lines").n ? " " : "");
    put_key(call, out, change, "lines");
    put_agent(call, out, change);
  }
}

static void put_cell(const ho_call *call, ho_buf *out, const column *of, const ho_node *item)
{
  switch (of->holds) {
  case OWN_KEY:
    put(call, out, item->key);
    break;
  case A_TEXT:
    put_key(call, out, item, of->key);
    break;
  case A_LIST:
    put_list(call, out, ho_map_getz(item, of->key));
    break;
  case ITS_CHANGES:
    put_changes(call, out, item);
    break;
  case ITS_SOURCE:
    put_source(call, out, item);
    break;
  }
}

static void put_table(const ho_call *call, ho_buf *out, const char *heading, const ho_node *list,
                      const column columns[COLUMNS], const char *what)
{
  open_part(out, heading, list);
  size_t count = 0;
  while (count < COLUMNS && columns[count].title)
    count++;
  for (size_t i = 0; !ho_node_empty(list) && i < count; i++)
    ho_buf_printf(out, "| %s ", columns[i].title);
  ho_buf_puts(out, ho_node_empty(list) ? "" : "|\n|");
  for (size_t i = 0; !ho_node_empty(list) && i < count; i++)
    ho_buf_puts(out, i + 1 == count ? " --- |\n" : " --- |");
  HO_EACH_CONST (item, list) {
    for (size_t i = 0; i < count; i++) {
      ho_buf_puts(out, i ? " | " : "| ");
      put_cell(call, out, &columns[i], item);
    }
    ho_buf_puts(out, " |\n");
  }
  put_left_out(call, out, what);
}

static void put_blockers(const ho_call *call, ho_buf *out, const ho_node *blockers)
{
  open_part(out, "Active Blockers", blockers);
  HO_EACH_CONST (blocker, blockers) {
    ho_buf_puts(out, "- **");
    put_key(call, out, blocker, "blocker");
    ho_buf_puts(out, "**");
    static const struct {
      const char *before, *key;
    } parts[] = {{": ", "impact"}, {"; to resolve: ", "suggested_resolution"}};
    for (size_t i = 0; i < HO_COUNT(parts); i++)
      if (ho_map_str(blocker, parts[i].key).n) {
        ho_buf_puts(out, parts[i].before);
        put_key(call, out, blocker, parts[i].key);
      }
    const ho_node *tasks = ho_map_getz(blocker, "blocking_tasks");
    if (tasks && tasks->count) {
      ho_buf_puts(out, "; blocks ");
      put_list(call, out, tasks);
    }
    ho_buf_puts(out, " (");
    put_key(call, out, blocker, "id");
    ho_buf_puts(out, ", ");
    put_source(call, out, blocker);
    ho_buf_puts(out, ")\n");
  }
  put_left_out(call, out, "blockers");
}

static void put_facts(const ho_call *call, ho_buf *out, const char *heading, const ho_node *facts, const char *text,
                      const char *detail, const char *what)
{
  open_part(out, heading, facts);
  HO_EACH_CONST (fact, facts) {
    ho_buf_puts(out, "- ");
    if (!ho_map_str(fact, detail).n && ho_map_str(fact, "answers").n) {
      put_key(call, out, fact, "answers");
      ho_buf_puts(out, ": ");
    }
    put_key(call, out, fact, text);
    if (ho_map_str(fact, detail).n) {
      ho_buf_puts(out, ": ");
      put_key(call, out, fact, detail);
    }
    ho_buf_puts(out, " (");
    put_source(call, out, fact);
    ho_buf_puts(out, ")\n");
  }
  put_left_out(call, out, what);
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *journal = ho_map_getz(call->result, "journal");
  const ho_node *memory = ho_map_getz(ho_map_getz(call->result, "orchestrator_memory"), "learned_context");
  (void)colour;
  ho_buf_puts(out, "# Journal\n");
  put_table(call, out, "Context Map", ho_map_getz(journal, "context_map"), of_files, "files");
  put_blockers(call, out, ho_map_getz(journal, "active_blockers"));
  put_table(call, out, "Tasks", ho_map_getz(journal, "tasks"), of_tasks, "tasks");
  put_facts(call, out, "Decisions", ho_map_getz(journal, "decisions"), "decision", "rationale", "decisions");
  put_facts(call, out, "High-severity gotchas", ho_map_getz(memory, "gotchas"), "issue", "mitigation", "gotchas");
}

static const ho_field params[] = {{.name = "limit",
                                   .label = "N",
                                   .doc = "Maximum number of items per section.",
                                   .type = HO_T_INT,
                                   .min = 1,
                                   .max = 100000,
                                   .fallback = "100"},
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "journal", .fields = params};
static const ho_field result[] = {
    {.name = "journal", .doc = "context_map, active_blockers, tasks and decisions.", .type = HO_T_ANY},
    {.name = "orchestrator_memory", .doc = "learned_context.gotchas: high-severity gotchas.", .type = HO_T_ANY},
    {.name = "left_out", .doc = "Number of items per section that are not shown.", .type = HO_T_ANY},
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "journal result", .fields = result};

const ho_command ho_command_journal = {
    .name = "journal",
    .group = "knowledge",
    .summary = "Show the context map, active blockers, tasks and decisions",
    .doc = "Summarises everything learned so far for an orchestrator: which files there are and what for, what blocks "
           "which tasks, the status of tasks, decisions, and high-severity gotchas. A blocker disappears once it is "
           "resolved: its task was completed later, or someone ran 'handoff answer BLOCKER --note TEXT'.\n\nThe output "
           "is Markdown. --json has the keys journal.context_map, journal.active_blockers, journal.tasks, "
           "journal.decisions and orchestrator_memory.learned_context.gotchas.",
    .examples = "handoff journal > journal.md",
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
    .raw = true,
};
