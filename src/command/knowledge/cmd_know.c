#include "base/term.h"
#include "command/commands.h"
#include "command/knowledge/known_shown.h"
#include "doc/keyset.h"
#include "engine/project/identity.h"

static ho_code filter_args(ho_call *call, ho_project *project, ho_known_filter *out, bool *nothing, ho_error *err)
{
  static const char *const levels[] = {"", "low", "medium", "high"};
  ho_str severity = ho_arg_str(call, "severity"), file = ho_arg_str(call, "file");
  int64_t since;
  ho_code code = ho_since_arg(call, &since, err);
  *out = (ho_known_filter){.query = ho_arg_words(call, "query"),
                           .kind = (ho_known_kind)ho_known_shown_word(call, "kind", &ho_known_kinds),
                           .state = (ho_known_state)ho_known_shown_word(call, "state", &ho_known_states),
                           .tag = ho_knowledge_tag(call->arena, ho_arg_str(call, "tag")),
                           .agent = ho_arg_str(call, "agent"),
                           .since = since};
  for (int64_t i = 1; i < (int64_t)HO_COUNT(levels); i++)
    if (ho_str_is(severity, levels[i]))
      out->severity = i;
  *nothing = !project->store;
  if (!code)
    code = ho_knowledge_task(project, call->arena, ho_arg_str(call, "task"), &out->task, err);
  if (code || !file.n || *nothing)
    return code;
  ho_known known;
  bool found = false;
  ho_str path = ho_knowledge_path(call->arena, project->root, file);
  code = ho_known_by_id(project->store, ho_knowledge_id(call->arena, HO_KNOWN_FILE, path), call->arena, &known, &found,
                        err);
  out->to = found ? known.n : 0;
  *nothing = !found;
  return code;
}

/* Tasks, each once, in the order in which they come. */
typedef struct task_list {
  ho_call *call;
  ho_node *list, *names;
  ho_keyset keys; /* of the names */
} task_list;

static ho_code add_task(void *data, ho_str task, ho_error *err)
{
  task_list *t = data;
  ho_node *name = ho_map_add(t->names, ho_arena_copy(t->call->arena, task), ho_node_new(t->call->arena, HO_KIND_NULL));
  if (name && !ho_keyset_earlier(&t->keys, t->call->arena, t->names))
    ho_list_add(t->list, ho_node_text(t->call->arena, name->key));
  return ho_arena_code(t->call->arena, err);
}

/* The items that were found; with --tasks, only the tasks, but all of them. */
static ho_code put_found(ho_call *call, ho_project *project, const ho_known_filter *filter, const ho_known_list *found,
                         ho_error *err)
{
  enum { SOURCES = 20 };
  bool tasks_only = ho_arg_true(call, "tasks");
  ho_node *nodes = ho_map_addz(call->result, "nodes", ho_node_new(call->arena, HO_KIND_LIST)), *node = NULL;
  task_list tasks = {.call = call,
                     .list = ho_map_addz(call->result, "tasks", ho_node_new(call->arena, HO_KIND_LIST)),
                     .names = ho_node_new(call->arena, HO_KIND_MAP)};
  ho_code code = ho_arena_code(call->arena, err);
  for (size_t i = 0; !code && i < found->count; i++) {
    if (tasks_only) {
      code = ho_known_tasks(project->store, found->rows[i].n, filter->agent, filter->since, add_task, &tasks, err);
      continue;
    }
    code = ho_know_full(project, &found->rows[i], SOURCES, call->arena, &node, err);
    ho_list_add(nodes, node);
    HO_EACH_CONST (task, code ? NULL : ho_map_getz(node, "tasks"))
      if (!code)
        code = add_task(&tasks, task->text, err);
  }
  return code;
}

static ho_code run(ho_call *call, ho_error *err)
{
  enum { SHOWN = 20, MOST = 100000 };
  ho_project *project = &call->project;
  ho_known_filter filter;
  ho_known_list list = {0};
  bool nothing = false;
  int64_t given = ho_number_arg(call, "limit"), limit = given ? given : ho_arg_true(call, "tasks") ? MOST : SHOWN;
  ho_code code = ho_ledger_call_maybe(call, err);
  if (!code)
    code = ho_ledger_call_derive(call, HO_DERIVED_KNOWLEDGE, err);
  if (code)
    return code;
  code = filter_args(call, project, &filter, &nothing, err);
  if (!code && !nothing)
    code = ho_know_find(project, &filter, (size_t)limit, call->arena, &list, err);
  if (!code)
    code = put_found(call, project, &filter, &list, err);
  if (!code)
    ho_ledger_call_limit(call, "best", list.count, limit, "shown");
  if (!code && project->store && !list.count)
    ho_call_note(call, "nothing found");
  return code;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  if (ho_arg_true(call, "tasks")) {
    HO_EACH_CONST (task, ho_map_getz(call->result, "tasks")) {
      ho_term_put(out, task->text, HO_TERM_LINE);
      ho_buf_putc(out, '\n');
    }
    return;
  }
  HO_EACH_CONST (node, ho_map_getz(call->result, "nodes"))
    ho_known_shown_render(out, node, call->host->terminal, colour);
}

static const ho_choice levels[] = {{.value = "high"}, {.value = "medium"}, {.value = "low"}, {0}};
static const ho_choice states[] = {{.value = "open"}, {.value = "closed"}, {0}};
static const ho_field params[] = {
    {.name = "query",
     .label = "QUERY",
     .doc = "Words that must all occur in the text, details or tags; \"a phrase\" in quotes; word* for a prefix.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .flags = HO_POSITIONAL},
    {.name = "kind",
     .label = "K",
     .doc = "Only items of this kind.",
     .type = HO_T_TEXT,
     .choices = ho_known_shown_kinds},
    {.name = "tag", .label = "T", .doc = "Only items with this tag.", .type = HO_T_TEXT},
    {.name = "task", .label = "N", .doc = "Only items from this task.", .type = HO_T_TEXT},
    {.name = "agent", .label = "AGENT", .doc = "Only items from AGENT.", .type = HO_T_TEXT},
    {.name = "file",
     .label = "PATH",
     .doc = "Only items about this file.",
     .type = HO_T_TEXT,
     .flags = HO_IS_FILE | HO_ONLY_NAMED},
    {.name = "severity", .doc = "Only items of at least this severity.", .type = HO_T_TEXT, .choices = levels},
    {.name = "state",
     .doc = "Only items that are open, or closed (answered, resolved, superseded).",
     .type = HO_T_TEXT,
     .choices = states},
    HO_PARAM_SINCE,
    {.name = "tasks", .doc = "List the tasks that said it instead of the items.", .type = HO_T_BOOL},
    {.name = "limit",
     .label = "N",
     .doc = "Maximum number of items. Default: 20; with --tasks, no limit.",
     .type = HO_T_INT,
     .min = 1,
     .max = 100000},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "know", .fields = params};
static const ho_field result[] = {HO_LIST_FIELD("nodes", "The items, best first; empty with --tasks.", ho_known_record),
                                  HO_TEXTS_FIELD("tasks", "The tasks that said them."), HO_NOTES_FIELD, HO_FIELDS_END};
static const ho_record result_record = {.name = "know result", .fields = result};

static const ho_table_column columns[] = {{.title = "ID", .key = "id", .as = HO_CELL_ID},
                                          {.title = "KIND", .key = "kind"},
                                          {.title = "SEVERITY", .key = "severity"},
                                          {.title = "TEXT", .key = "text", .least = 20},
                                          {.title = "TAGS", .key = "tags", .least = 8, .spare = true},
                                          {.title = "LAST", .key = "last", .as = HO_CELL_TIME},
                                          HO_COLUMNS_END};
static const ho_table table = {.list = "nodes", .record = &ho_known_record, .columns = columns};

const ho_command ho_command_know = {
    .name = "know",
    .group = "knowledge",
    .summary = "Query what handoffs and documents have taught",
    .doc = "Matches in the text rank before matches in details and tags, open items before closed ones, then severity, "
           "number of sources and age count. Every item names its sources with handoff or file and line. In a large "
           "store, only the newest matches and the newest severe ones are ranked.",
    .examples = "handoff know stream\nhandoff know stream --tasks",
    .teammate = true,
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
    .table = &table,
};
