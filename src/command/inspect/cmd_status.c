#include "base/term.h"
#include "command/commands.h"
#include "command/halted.h"
#include "command/inbox_shown.h"
#include "command/ledger_call.h"
#include "command/phase_args.h"
#include "command/wrap.h"
#include "engine/ledger/behind.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/inbox.h"
#include "engine/ledger/repair.h"
#include "engine/ledger/write.h"
#include "engine/phase/progress.h"
#include "model/lifecycle.h"
#include "store/handoffs/gates.h"
#include "store/handoffs/handoffs.h"

enum { SHOWN = 20, MOST_ASKING = 1000 };

/* A handoff whose receiver has asked something: with the question. */
static ho_code add_question(ho_call *call, ho_project *project, ho_node *into, const ho_handoff *row, ho_error *err)
{
  ho_str text, by;
  ho_node *item = ho_list_add(into, ho_describe_listed(project, row, call->arena));
  ho_code code = ho_describe_question(project, row, call->arena, &text, &by, err);
  ho_map_put(call->arena, item, "question", text);
  return code;
}

/* Any other; one that is ready but whose task is halted goes into a list of its own. */
static ho_code add_plain(ho_call *call, ho_project *project, ho_node *into, const ho_handoff *row, ho_error *err)
{
  ho_halt halt;
  bool held = false;
  ho_code code = HO_OK;
  if (ho_str_is(row->state, ho_state_name(HO_STATE_READY)))
    code = ho_halt_holds(project, row, call->arena, &halt, &held, err);
  if (held && !ho_map_getz(call->result, "held_back"))
    ho_map_addz(call->result, "held_back", ho_node_new(call->arena, HO_KIND_LIST));
  ho_list_add(held ? ho_map_getz(call->result, "held_back") : into, ho_describe_listed(project, row, call->arena));
  return code;
}

/* Handoffs of one state as a list in the result. */
static ho_code put_list(ho_call *call, ho_project *project, const char *key, const ho_filter *filter, ho_error *err)
{
  ho_handoff_list list;
  ho_node *into = ho_map_getz(call->result, key);
  if (!into)
    into = ho_map_addz(call->result, key, ho_node_new(call->arena, HO_KIND_LIST));
  ho_code code = ho_handoffs_select(project->store, filter, call->arena, &list, err);
  bool asks = strcmp(key, "clarify") == 0;
  for (size_t i = 0; !code && i < list.count; i++)
    if (asks)
      code = add_question(call, project, into, &list.rows[i], err);
    else
      code = add_plain(call, project, into, &list.rows[i], err);
  return code;
}

/* What need not wait for an answer, but whose receiver has asked the sender something. */
static ho_code put_asked(ho_call *call, ho_project *project, ho_error *err)
{
  ho_node *into = ho_map_addz(call->result, "asked", ho_node_new(call->arena, HO_KIND_LIST));
  ho_handoff_list list;
  ho_code code = ho_handoffs_asking(project->store, MOST_ASKING, call->arena, &list, err);
  for (size_t i = 0; !code && i < list.count && into->count < SHOWN; i++) {
    const ho_handoff *row = &list.rows[i];
    if (ho_inbox_asks(row, call->arena) && (!project->name.n || ho_str_eq(row->sender, project->name)))
      code = add_question(call, project, into, row, err);
  }
  return code;
}

static ho_code put_states(ho_call *call, ho_project *project, ho_error *err)
{
  ho_handoff_count *counts = NULL;
  size_t count = 0;
  ho_node *list = ho_map_addz(call->result, "states", ho_node_new(call->arena, HO_KIND_LIST));
  ho_code code = ho_handoffs_states(project->store, call->arena, &counts, &count, err);
  for (size_t i = 0; !code && i < count; i++) {
    ho_node *item = ho_list_add(list, ho_node_new(call->arena, HO_KIND_MAP));
    ho_map_addz(item, "state", ho_node_text(call->arena, counts[i].name));
    ho_map_addz(item, "count", ho_node_number(call->arena, counts[i].count));
  }
  return code;
}

/* Who handoffs are for; a person is no agent. */
static ho_code put_agents(ho_call *call, ho_project *project, ho_error *err)
{
  ho_handoff_count *counts = NULL;
  size_t count = 0;
  ho_node *list = ho_map_addz(call->result, "agents", ho_node_new(call->arena, HO_KIND_LIST));
  ho_code code = ho_handoffs_receivers(project->store, ho_str_of(ho_state_name(HO_STATE_READY)), call->arena, &counts,
                                       &count, err);
  for (size_t i = 0; !code && i < count; i++) {
    if (ho_str_is(counts[i].name, "human"))
      continue;
    ho_node *item = ho_list_add(list, ho_node_new(call->arena, HO_KIND_MAP));
    ho_map_addz(item, "agent", ho_node_text(call->arena, counts[i].name));
    ho_map_addz(item, "waiting", ho_node_number(call->arena, counts[i].count));
  }
  return code;
}

static ho_code put_gates(ho_call *call, ho_project *project, ho_error *err)
{
  ho_gate_list list;
  ho_node *gates = ho_map_addz(call->result, "gates", ho_node_new(call->arena, HO_KIND_LIST));
  ho_code code = ho_gate_read_list(project, HO_GATE_OPEN, HO_EMPTY, SHOWN, call->arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++)
    ho_list_add(gates, ho_describe_gate(&list.rows[i], call->arena));
  return code;
}

static ho_code put_halted(ho_call *call, ho_project *project, ho_error *err)
{
  ho_halt_list list;
  ho_node *into = ho_map_addz(call->result, "halted", ho_node_new(call->arena, HO_KIND_LIST));
  ho_code code = ho_halt_select(project, HO_EMPTY, SHOWN, call->arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++)
    ho_list_add(into, ho_halted_node(&list.rows[i], call->arena));
  return code;
}

static ho_code note_unconfirmed(ho_call *call, ho_project *project, ho_error *err)
{
  ho_deciders deciders;
  ho_code code = ho_deciders_load(project, call->arena, &deciders, err);
  ho_str said = code ? HO_EMPTY : ho_deciders_unconfirmed(&deciders, call->arena);
  if (said.n)
    ho_call_note(call, "%.*s", HO_ARG(said));
  return code;
}

static ho_code note_behind(ho_call *call, ho_project *project, ho_error *err)
{
  ho_node *list = ho_node_new(call->arena, HO_KIND_LIST);
  ho_code code = ho_behind_list(project, project->store, call->arena, list, err);
  int shown = 0;
  HO_EACH_CONST (item, list)
    if (!code && shown++ < SHOWN)
      ho_call_note(call, "%.*s: %.*s", HO_ARG(ho_map_str(item, "name")), HO_ARG(ho_map_str(item, "message")));
  if (shown > SHOWN)
    ho_call_note(call, "%d more; to see them all, run: handoff verify", shown - SHOWN);
  return code;
}

static ho_code put_unwritten(ho_call *call, ho_project *project, ho_error *err)
{
  ho_node *list = NULL;
  ho_code code = ho_repair_unwritten(project, project->store, false, call->arena, &list, err);
  if (code)
    return code;
  ho_map_addz(call->result, "unwritten", list);
  int shown = 0;
  HO_EACH_CONST (item, list)
    if (shown++ < SHOWN)
      ho_call_note(call, "%.*s: %.*s", HO_ARG(ho_map_str(item, "name")), HO_ARG(ho_map_str(item, "message")));
  if (shown > SHOWN)
    ho_call_note(call, "%d more files could not be written; run: handoff repair", shown - SHOWN);
  return HO_OK;
}

static void note_edit(void *data, ho_str path, ho_str id, const char *what)
{
  ho_call *call = data;
  ho_call_note(call, "%.*s: objective %.*s %s; objectives never change: put it back",
               HO_ARG(ho_shown_below(call, path)), HO_ARG(id), what);
}

static ho_code put_all(ho_call *call, ho_project *project, ho_error *err)
{
  static const struct {
    const char *key;
    ho_state state;
  } lists[] = {{"waiting", HO_STATE_READY},
               {"working", HO_STATE_CLAIMED},
               {"working", HO_STATE_ACKED},
               {"clarify", HO_STATE_CLARIFY},
               {"drafts", HO_STATE_DRAFT}};
  ho_code code = put_states(call, project, err);
  for (size_t i = 0; !code && i < HO_COUNT(lists); i++) {
    ho_filter filter = {.state = ho_str_of(ho_state_name(lists[i].state)), .oldest_first = true, .limit = SHOWN};
    if (lists[i].state == HO_STATE_READY)
      filter.receiver = project->name;
    if (lists[i].state == HO_STATE_CLARIFY)
      filter.sender = project->name;
    code = put_list(call, project, lists[i].key, &filter, err);
  }
  if (!code)
    code = put_asked(call, project, err);
  if (!code)
    code = put_gates(call, project, err);
  if (!code)
    code = put_halted(call, project, err);
  if (!code)
    code = note_unconfirmed(call, project, err);
  if (!code)
    code = note_behind(call, project, err);
  return code ? code : put_unwritten(call, project, err);
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_code code = ho_ledger_call_maybe(call, err);
  if (code)
    return code;
  if (!project->store) {
    ho_map_addz(call->result, "root", ho_node_text(call->arena, call->host->root));
    return ho_progress_edits(call->arena, call->host->root, SHOWN, note_edit, call, err);
  }
  ho_map_addz(call->result, "root", ho_node_text(call->arena, project->home));
  ho_map_addz(call->result, "session", ho_node_text(call->arena, project->session));
  ho_map_put(call->arena, call->result, "agent", project->agent);
  ho_ledger_settle(project);
  code = put_all(call, project, err);
  if (!code && ho_arg_true(call, "agents"))
    code = put_agents(call, project, err);
  const ho_node *states = ho_map_getz(call->result, "states");
  if (!code && states && !states->count)
    ho_call_note(call, "no handoffs found");
  return code ? code : ho_progress_edits(call->arena, project->root, SHOWN, note_edit, call, err);
}

static void put_question(ho_buf *out, const ho_node *handoff, size_t width)
{
  (void)width;
  ho_inbox_shown_said(out, ho_map_str(handoff, "question"));
}

static const ho_field question_fields[] = {HO_HANDOFF_FIELDS, HO_TEXT_FIELD("question", "What was asked."),
                                           HO_FIELDS_END};
static const ho_record question_record = {.name = "handoff with a question", .fields = question_fields};

static void put_handoffs(const ho_call *call, ho_buf *out, const char *key, const char *label, bool colour)
{
  const ho_node *list = ho_map_getz(call->result, key);
  if (!list || !list->count)
    return;
  ho_put_bold(out, ho_str_of(label), colour);
  ho_buf_putc(out, '\n');
  static const ho_table table = {.record = &question_record, .columns = ho_handoff_columns, .below = put_question};
  ho_table_put(call, out, &table, list, 2, false, colour);
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *gates = ho_map_getz(call->result, "gates");
  const char *between = "";
  HO_EACH_CONST (item, ho_map_getz(call->result, "states")) {
    ho_buf_printf(out, "%s%.*s %.*s", between, HO_ARG(ho_map_str(item, "count")), HO_ARG(ho_map_str(item, "state")));
    between = ", ";
  }
  if (*between)
    ho_buf_putc(out, '\n');
  if (gates && gates->count) {
    ho_put_bold(out, HO_STR("A person has to decide (handoff gate show G)"), colour);
    ho_buf_putc(out, '\n');
  }
  HO_EACH_CONST (gate, gates) {
    ho_buf_puts(out, "  ");
    ho_put_padded(out, ho_map_str(gate, "id"), 12);
    ho_buf_putc(out, ' ');
    ho_term_put(out, ho_map_str(gate, "name"), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
  HO_EACH_CONST (agent, ho_map_getz(call->result, "agents")) {
    ho_buf_puts(out, "  ");
    ho_term_put(out, ho_map_str(agent, "agent"), HO_TERM_LINE);
    ho_buf_printf(out, ": %lld ready\n", ho_map_int(agent, "waiting"));
  }
  ho_halted_put(out, ho_map_getz(call->result, "halted"), colour);
  put_handoffs(call, out, "held_back", "Waits until its task is resumed", colour);
  put_handoffs(call, out, "clarify", "Needs an answer (handoff answer ID --note TEXT)", colour);
  put_handoffs(call, out, "asked", "Has a question, work goes on (handoff show ID, handoff answer ID --note TEXT)",
               colour);
  put_handoffs(call, out, "waiting", "Ready (handoff claim ID --as AGENT)", colour);
  put_handoffs(call, out, "working", "In progress", colour);
  put_handoffs(call, out, "drafts",
               "Unconfirmed drafts (confirm: handoff answer ID --note TEXT; discard: handoff reject ID --note TEXT)",
               colour);
}

static const ho_field params[] = {
    {.name = "agents", .doc = "Also show the agents that handoffs are for.", .type = HO_T_BOOL},
    HO_PARAM_AS,
    HO_FIELDS_END};
static const ho_record params_record = {.name = "status", .fields = params};
static const ho_field agent_fields[] = {
    HO_TEXT_FIELD("agent", "An agent that handoffs are, or were, for."),
    {.name = "waiting", .doc = "Number of handoffs that are ready for it.", .type = HO_T_INT},
    HO_FIELDS_END};
static const ho_record agent_record = {.name = "queue", .fields = agent_fields};
static const ho_field count_fields[] = {HO_TEXT_FIELD("state", "A state."),
                                        {.name = "count", .doc = "Number of handoffs in this state.", .type = HO_T_INT},
                                        HO_FIELDS_END};
static const ho_record count_record = {.name = "count", .fields = count_fields};
static const ho_field result[] = {
    {.name = "root", .doc = "The project root.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    HO_TEXT_FIELD("session", "The current session."),
    HO_TEXT_FIELD("agent", "The agent that asks."),
    HO_LIST_FIELD("states", "Number of handoffs per state.", count_record),
    HO_LIST_FIELD("agents", "With --agents: who handoffs are for.", agent_record),
    HO_LIST_FIELD("waiting", "Handoffs that are ready for the agent.", ho_handoff_record),
    HO_LIST_FIELD("working", "Handoffs that are claimed or acknowledged.", ho_handoff_record),
    HO_LIST_FIELD("held_back", "Requests that wait until their task, which is halted, is resumed.", ho_handoff_record),
    HO_LIST_FIELD("clarify", "Handoffs that wait for an answer from the sender.", question_record),
    HO_LIST_FIELD("asked", "Handoffs in progress with a question to the sender.", question_record),
    HO_LIST_FIELD("drafts", "Drafts for agents that went silent.", ho_handoff_record),
    HO_LIST_FIELD("gates", "Gates that wait for a person.", ho_gate_record),
    HO_LIST_FIELD("halted", "Tasks that are halted by a STOP.", ho_halted_record),
    HO_LIST_FIELD("unwritten", "Files that are recorded but could not be written.", ho_unwritten_record),
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "status result", .fields = result};

const ho_command ho_command_status = {
    .name = "status",
    .group = "inspect",
    .summary = "Show what is waiting, who is working, and what needs a person",
    .doc = "Shows the number of handoffs per state, then up to 20 each of: gates that wait for a person, tasks that a "
           "STOP "
           "has halted, questions that need an answer, handoffs that are ready for the agent, handoffs in progress, "
           "and drafts. Objectives that were changed by hand are reported.",
    .examples = "handoff status",
    .teammate = true,
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
