/* Tools of whoever hands work on to another agent, or a question to a person. */
#include "surface/mcp/mcp_document.h"

/* ---- send_handoff */

static const ho_mcp_place package_places[] = {{"type", "type", NULL, NULL},
                                              {"to", "to.agent", NULL, NULL},
                                              {"summary", "context.summary", NULL, NULL},
                                              {"decisions", "context.decisions", "decision", "rationale"},
                                              {"artifacts", "context.artifacts", "path", "description"},
                                              {"questions", "context.open_questions", NULL, NULL},
                                              {"deliverable", "expectations.deliverable", NULL, NULL},
                                              {"constraints", "expectations.constraints", NULL, NULL},
                                              {"criteria", "expectations.success_criteria", NULL, NULL},
                                              {NULL, NULL, NULL, NULL}};
static const ho_mcp_map send_map[] = {{"path", "path"}, {"to", "to"}, {"type", "type"}, {"key", "key"}, {NULL, NULL}};

static ho_str package_of(ho_mcp_act *act)
{
  ho_node *document = ho_mcp_document_begin(act, "handoff", package_places);
  ho_mcp_document_set(act, document, "type", HO_STR("sequential"));
  ho_mcp_document_set(act, document, "from.agent", ho_mcp_act_who(act));
  return ho_mcp_document_text(act, document);
}

/* A document says itself what the fields would say; both cannot be meant. */
static bool refuse_both(ho_mcp_act *act)
{
  const char *extra = NULL;
  ho_node *right = ho_mcp_act_args(act, send_map);
  HO_EACH_CONST (value, act->args)
    if (!ho_map_get(right, value->key))
      extra = ho_arena_z(act->arena, value->key);
  if (extra)
    ho_mcp_error_args(act, right, extra, "the document at path says that itself; leave %s out", extra);
  return extra;
}

static void put_sent(ho_mcp_act *act, const ho_node *result)
{
  ho_mcp_put_all(act, act->result, result, "id|state|gate|superseded|closed");
  if (ho_node_true(ho_map_getz(result, "same")))
    ho_map_addz(act->result, "same", ho_node_bool(act->arena, true));
  ho_mcp_put_notes(act, result);
}

/* What is noted about findings is in them; of a document that was refused there is nothing else. */
static void send_it(ho_mcp_act *act, const ho_command *command, ho_node *args, ho_str input, const ho_mcp_place *places)
{
  ho_error err = {0};
  ho_code answer = HO_OK;
  const ho_node *result = ho_mcp_act_try(act, command, args, input, &answer, &err);
  if (!result)
    ho_mcp_error(act, &err, send_map);
  else if (answer == HO_INVALID)
    ho_mcp_error_findings(act, ho_map_getz(result, "findings"), places, "nothing was sent");
  else
    put_sent(act, result);
}

static void run_send(ho_mcp_act *act)
{
  if (ho_mcp_act_text(act, "path").n) {
    if (!refuse_both(act))
      send_it(act, &ho_command_send, ho_mcp_act_args(act, send_map), HO_EMPTY, NULL);
    return;
  }
  ho_node *args = ho_node_new(act->arena, HO_KIND_MAP);
  ho_map_put(act->arena, args, "path", HO_STR("-"));
  ho_map_put(act->arena, args, "format", HO_STR("package"));
  ho_mcp_put(act, args, "key", ho_mcp_act_text(act, "key"));
  send_it(act, &ho_command_send, args, package_of(act), package_places);
}

static const ho_choice types[] = {{.value = "sequential"}, {.value = "delegation"}, {0}};
static const ho_field send_fields[] = {
    {.name = "to", .doc = "Agent", .type = HO_T_TEXT},
    {.name = "summary", .doc = "What was done and found, for someone who was not there", .type = HO_T_TEXT},
    {.name = "deliverable", .doc = "What you expect", .type = HO_T_TEXT},
    {.name = "criteria", .doc = "Measurable", .type = HO_T_LIST, .item = HO_T_TEXT},
    {.name = "artifacts", .doc = "'path: what it is'; must exist", .type = HO_T_LIST, .item = HO_T_TEXT},
    {.name = "decisions", .doc = "'decision: why'", .type = HO_T_LIST, .item = HO_T_TEXT},
    {.name = "questions", .type = HO_T_LIST, .item = HO_T_TEXT},
    {.name = "constraints", .type = HO_T_LIST, .item = HO_T_TEXT},
    {.name = "type", .type = HO_T_TEXT, .choices = types},
    {.name = "path", .type = HO_T_TEXT},
    {.name = "key", .doc = "Makes a retry safe", .type = HO_T_TEXT},
    HO_FIELDS_END};
static const ho_record send_record = {.name = "send_handoff", .fields = send_fields};
static const ho_command *const send_commands[] = {&ho_command_send, NULL};

const ho_mcp_tool ho_mcp_tool_send_handoff = {
    .name = "send_handoff",
    .description = "Hand work to another agent: path of a document, or the fields. Broken rules and missing files come "
                   "back as findings; nothing is sent then.",
    .fields = &send_record,
    .commands = send_commands,
    .answers = "id|state|gate|superseded|closed|same|notes",
    .example = "{\"path\":\"handoff.yaml\"}",
    .sets = HO_MCP_SET_EVERY & ~HO_MCP_SET_WORK,
    .once = true,
    .run = run_send,
};

/* ---- ask_person */

static const ho_mcp_place gate_places[] = {{"question", "context.summary", NULL, NULL},
                                           {"items", "validation_request.items", NULL, NULL},
                                           {"on_approve", "validation_request.options.approve", NULL, NULL},
                                           {"on_reject", "validation_request.options.reject", NULL, NULL},
                                           {NULL, NULL, NULL, NULL}};

/* A name for lists: the question's first sentence, as far as a line has room. */
static ho_str name_of(ho_str question)
{
  enum { MOST = 80 };
  size_t end = question.n < MOST ? question.n : MOST;
  for (size_t i = 0; i < question.n && i < MOST; i++)
    if (strchr("?!\n", question.p[i]) ||
        (question.p[i] == '.' && ho_str_is_space(i + 1 < question.n ? question.p[i + 1] : ' '))) {
      end = i + (question.p[i] != '\n');
      break;
    }
  while (end < question.n && end > 0 && ((unsigned char)question.p[end] & 0xc0) == 0x80)
    end--;
  return ho_str_sub(question, 0, end);
}

static ho_str gate_of(ho_mcp_act *act)
{
  ho_str question = ho_mcp_act_text(act, "question");
  ho_node *document = ho_mcp_document_begin(act, "handoff", gate_places), *request;
  ho_mcp_document_set(act, document, "from.agent", ho_mcp_act_who(act));
  ho_mcp_document_set(act, document, "to.agent", HO_STR("human"));
  ho_mcp_document_set(act, document, "gate.type", HO_STR("blocking"));
  ho_mcp_document_set(act, document, "gate.name", name_of(ho_str_trim(question)));
  ho_mcp_document_set(act, document, "validation_request.options.approve", HO_STR("Yes"));
  ho_mcp_document_set(act, document, "validation_request.options.reject", HO_STR("No"));
  ho_mcp_document_set(act, document, "validation_request.options.question", HO_STR("Whoever asks answers it first"));
  request = ho_map_getz(document->first, "validation_request");
  if (request && !ho_map_getz(request, "items"))
    ho_list_add(ho_map_addz(request, "items", ho_node_new(act->arena, HO_KIND_LIST)),
                ho_node_text(act->arena, name_of(ho_str_trim(question))));
  return ho_mcp_document_text(act, document);
}

/* How the gate stands. From now on the call is about it, however often it is looked at. */
static void look_at(ho_mcp_act *act, ho_str gate)
{
  ho_node *args = ho_node_new(act->arena, HO_KIND_MAP), *again = ho_node_new(act->arena, HO_KIND_MAP);
  ho_map_put(act->arena, args, "gate", gate);
  ho_map_put(act->arena, again, "gate", gate);
  ho_map_addz(again, "wait", ho_node_number(act->arena, ho_mcp_act_number(act, "wait")));
  const ho_node *result = ho_mcp_act_do(act, &ho_command_gate_show, args, NULL);
  if (!result)
    return;
  act->args = again;
  ho_mcp_put_gate(act, result);
  bool open = ho_str_is(ho_map_str(result, "state"), "open"),
       asked = open && ho_str_is(ho_map_str(result, "decision"), "question");
  act->waits = open && !asked;
  if (asked)
    ho_mcp_put_next(act, "the person asks back; answer: reply_to_handoff {\"id\":\"%.*s\",\"answer\":\"…\"}",
                    HO_ARG(gate));
  else if (open)
    ho_mcp_put_next(act, "a person was told; do other work or stop, then ask_person {\"gate\":\"%.*s\",\"wait\":50}",
                    HO_ARG(gate));
}

static void run_ask(ho_mcp_act *act)
{
  ho_error err = {0};
  ho_code answer = HO_OK;
  ho_str gate = ho_mcp_act_text(act, "gate");
  if (gate.n) {
    look_at(act, gate);
    return;
  }
  if (ho_str_blank(ho_mcp_act_text(act, "question"))) {
    ho_node *right = ho_node_copy(act->arena, act->args);
    ho_map_set(right, HO_STR("question"), ho_node_textz(act->arena, "what has to be decided"));
    ho_mcp_error_args(act, right, "question", "say what has to be decided, or gate to wait for one");
    return;
  }
  ho_node *args = ho_node_new(act->arena, HO_KIND_MAP);
  ho_map_put(act->arena, args, "path", HO_STR("-"));
  ho_map_put(act->arena, args, "format", HO_STR("gate"));
  const ho_node *result = ho_mcp_act_try(act, &ho_command_gate_raise, args, gate_of(act), &answer, &err);
  if (!result)
    ho_mcp_error(act, &err, NULL);
  else if (answer == HO_INVALID)
    ho_mcp_error_findings(act, ho_map_getz(result, "findings"), gate_places, "nobody was asked");
  else
    look_at(act, ho_map_str(result, "gate"));
}

static const ho_field ask_fields[] = {
    {.name = "question", .doc = "With what one must know to decide", .type = HO_T_TEXT},
    {.name = "items", .doc = "Points to verify", .type = HO_T_LIST, .item = HO_T_TEXT},
    {.name = "on_approve", .doc = "What happens then", .type = HO_T_TEXT},
    {.name = "on_reject", .type = HO_T_TEXT},
    {.name = "gate", .doc = "Wait for this one", .type = HO_T_TEXT},
    {.name = "wait", .doc = "Seconds, at most 50", .type = HO_T_INT, .max = 50},
    HO_FIELDS_END};
static const ho_record ask_record = {.name = "ask_person", .fields = ask_fields};
static const ho_command *const ask_commands[] = {&ho_command_gate_raise, &ho_command_gate_wait, &ho_command_ask, NULL};

const ho_mcp_tool ho_mcp_tool_ask_person = {
    .name = "ask_person",
    .description = "Ask a person to decide; only people can. If still open after wait, do other work or stop, and call "
                   "again with gate.",
    .fields = &ask_record,
    .commands = ask_commands,
    .answers = "state|gate|decision|decided_by|proof|note|next",
    .example = "{\"question\":\"what has to be decided\"}",
    .sets = HO_MCP_SET_EVERY,
    .run = run_ask,
};
