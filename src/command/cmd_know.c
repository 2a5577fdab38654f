#include "base/term.h"
#include "command/known.h"

/* All words that were given. */
static ho_str words(ho_call *call)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  HO_EACH_CONST (word, ho_arg(call, "query"))
    ho_buf_printf(&out, "%s%.*s", out.n ? " " : "", HO_ARG(word->text));
  return ho_buf_move(&out, call->arena);
}

static ho_code filter_args(ho_call *call, ho_ledger *ledger, ho_known_filter *out, bool *nothing, ho_error *err)
{
  static const char *const levels[] = {"", "low", "medium", "high"};
  ho_str severity = ho_arg_str(call, "severity"), file = ho_arg_str(call, "file");
  int64_t since;
  ho_code code = ho_since_arg(call, &since, err);
  *nothing = false;
  *out = (ho_known_filter){.query = words(call),
                           .kind = ho_arg_str(call, "kind"),
                           .state = ho_arg_str(call, "state"),
                           .tag = ho_knowledge_tag(call->arena, ho_arg_str(call, "tag")),
                           .task = ho_id_plain(ho_arg_str(call, "task")),
                           .agent = ho_arg_str(call, "agent"),
                           .since = since};
  for (int64_t i = 1; i < (int64_t)HO_COUNT(levels); i++)
    if (ho_str_is(severity, levels[i]))
      out->severity = i;
  if (code || !file.n)
    return code;
  ho_known known;
  bool found = false;
  ho_str path = ho_knowledge_path(call->arena, ledger->root, file);
  code = ho_known_by_id(ledger->store, ho_knowledge_id(call->arena, "file", path), call->arena, &known, &found, err);
  out->to = found ? known.n : 0;
  *nothing = !found;
  return code;
}

static void add_tasks(ho_call *call, ho_node *list, const ho_node *node)
{
  HO_EACH_CONST (task, ho_map_getz(node, "tasks")) {
    bool there = false;
    HO_EACH_CONST (old, list)
      there = there || ho_str_eq(old->text, task->text);
    if (!there)
      ho_list_add(list, ho_node_text(call->arena, task->text));
  }
}

static ho_code run(ho_call *call, ho_error *err)
{
  enum { SOURCES = 20 };
  ho_ledger ledger;
  ho_known_filter filter;
  ho_known_list list = {0};
  bool nothing = false;
  int64_t limit = ho_number_arg(call, "limit");
  ho_code code = ho_open_ledger(call, false, &ledger, err);
  if (code)
    return code;
  code = filter_args(call, &ledger, &filter, &nothing, err);
  if (!code && !nothing)
    code = ho_know_find(&ledger, &filter, (size_t)limit, call->arena, &list, err);
  ho_node *nodes = ho_map_addz(call->result, "nodes", ho_node_new(call->arena, HO_KIND_LIST)), *node = NULL;
  ho_node *tasks = ho_map_addz(call->result, "tasks", ho_node_new(call->arena, HO_KIND_LIST));
  for (size_t i = 0; !code && i < list.count; i++) {
    code = ho_know_full(&ledger, &list.rows[i], SOURCES, call->arena, &node, err);
    ho_list_add(nodes, node);
    add_tasks(call, tasks, node);
  }
  if (!code && (int64_t)list.count == limit)
    ho_note(call, "only the best %lld are shown (--limit)", (long long)limit);
  ho_close_ledger(call, &ledger);
  return code ? code : list.count ? HO_OK : HO_NO;
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
    ho_known_render(out, node, colour);
}

static const ho_choice levels[] = {{.value = "high"}, {.value = "medium"}, {.value = "low"}, {0}};
static const ho_choice states[] = {{.value = "open"}, {.value = "closed"}, {0}};
static const ho_field params[] = {
    {.name = "query",
     .label = "QUERY",
     .doc =
         "Words that all have to be there, in the text, its details or its tags; \"a phrase\" in quotes; word* for a "
         "beginning.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .flags = HO_POSITIONAL},
    {.name = "kind", .label = "K", .doc = "Only this kind.", .type = HO_T_TEXT, .choices = ho_known_kinds},
    {.name = "tag", .label = "T", .doc = "Only what applies to this.", .type = HO_T_TEXT},
    {.name = "task", .label = "N", .doc = "Only what was said in this task.", .type = HO_T_TEXT},
    {.name = "agent", .label = "AGENT", .doc = "Only what this agent said.", .type = HO_T_TEXT},
    {.name = "file", .label = "PATH", .doc = "Only what is about this file.", .type = HO_T_TEXT, .flags = HO_IS_FILE},
    {.name = "severity", .doc = "Only what is at least so severe.", .type = HO_T_TEXT, .choices = levels},
    {.name = "state",
     .doc = "Only what is open, or closed (answered, resolved, superseded).",
     .type = HO_T_TEXT,
     .choices = states},
    {.name = "since",
     .label = "TIME",
     .doc = "Only what was said since: a date, a time, or 2h, 3d, 1w.",
     .type = HO_T_TEXT},
    {.name = "tasks", .doc = "List the tasks that said it, instead of what they said.", .type = HO_T_BOOL},
    {.name = "limit",
     .label = "N",
     .doc = "At most so many.",
     .type = HO_T_INT,
     .min = 1,
     .max = 100000,
     .fallback = "20"},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "know", .fields = params};
static const ho_field result[] = {HO_LIST_FIELD("nodes", "The best first.", ho_known_record),
                                  HO_TEXTS_FIELD("tasks", "The tasks that said them."), HO_NOTES_FIELD, HO_FIELDS_END};
static const ho_record result_record = {.name = "know result", .fields = result};

extern const ho_command ho_command_know;
const ho_command ho_command_know = {
    .name = "know",
    .group = "Knowledge",
    .summary = "Ask what was learned",
    .doc =
        "Finds what handoffs and learned documents have said, ranked: the words in the text itself before those in "
        "details and tags, open before closed, then by severity, number of sources and time. Every answer names its "
        "sources as handoff or file and line. All tasks that discovered patterns about auth: 'handoff know auth --kind "
        "pattern --tasks'. Looked at are the newest matches and the newest severe ones, so the answer takes the same "
        "time in a large store. Exits with 1 where nothing is found.",
    .examples = "handoff know stream --tasks",
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
