/* Tools of whoever receives work: taking it, accepting it, ending it. */
#include "surface/mcp/mcp_document.h"

/* ---- next_handoff */

/* What somebody passed on is read as its successor's prompt, which says how to continue; anything else as it was sent. */
static ho_str text_of(ho_mcp_act *act, const ho_node *handoff)
{
  ho_error none = {0};
  ho_code answer;
  if (ho_str_is(ho_map_str(handoff, "kind"), "artifact")) {
    ho_node *args = ho_node_new(act->arena, HO_KIND_MAP);
    ho_map_put(act->arena, args, "path", ho_map_str(handoff, "id"));
    const ho_node *prompt = ho_mcp_act_try(act, &ho_command_prompt_successor, args, HO_EMPTY, &answer, &none);
    if (ho_map_str(prompt, "text").n)
      return ho_map_str(prompt, "text");
  }
  return ho_map_str(handoff, "text");
}

/* What was asked and answered about it, and what has changed since it was sent. */
static void put_talk(ho_mcp_act *act, const ho_node *handoff)
{
  const ho_node *talk = ho_map_getz(handoff, "talk"), *drift = ho_map_getz(handoff, "drift");
  ho_node *list = talk && talk->count ? ho_map_addz(act->result, "talk", ho_node_new(act->arena, HO_KIND_LIST)) : NULL;
  HO_EACH_CONST (said, talk) {
    ho_node *one = ho_list_add(list, ho_node_new(act->arena, HO_KIND_MAP));
    ho_mcp_put_all(act, one, said, "by|kind|text");
  }
  if (drift && drift->count)
    ho_map_addz(act->result, "changed_since", ho_node_copy(act->arena, drift));
}

static void put_claimed(ho_mcp_act *act, const ho_node *result, const ho_node *handoff)
{
  ho_str id = ho_map_str(result, "id");
  ho_mcp_put_all(act, act->result, handoff, "id|from|kind|type|task|phase");
  ho_mcp_put(act, act->result, "lease_until", ho_map_str(result, "lease_until"));
  put_talk(act, handoff);
  ho_mcp_put_page(act, act->result, text_of(act, handoff), id, 1);
}

/* Nothing is ready by name, but, as the note says, something is for whoever takes its task: the call that takes it. */
static bool put_open(ho_mcp_act *act, const ho_node *result)
{
  static const char claim[] = "handoff claim ";
  ho_error none = {0};
  ho_code answer;
  HO_EACH_CONST (note, ho_map_getz(result, "notes")) {
    size_t at = ho_str_find(note->text, claim);
    ho_str rest = at == HO_NONE ? HO_EMPTY : ho_str_sub(note->text, at + strlen(claim), note->text.n), id;
    if (!ho_str_next(&rest, ' ', &id))
      continue;
    ho_node *args = ho_node_new(act->arena, HO_KIND_MAP);
    ho_map_put(act->arena, args, "path", id);
    const ho_node *shown = ho_mcp_act_try(act, &ho_command_show, args, HO_EMPTY, &answer, &none);
    ho_str task = ho_map_str(ho_map_getz(shown, "handoff"), "task");
    if (!task.n)
      continue;
    ho_mcp_put_next(
        act, "next_handoff {\"task\":\"%.*s\"} takes it, if that task is yours; else call again with wait, or stop",
        HO_ARG(task));
    return true;
  }
  return false;
}

static void run_next(ho_mcp_act *act)
{
  static const ho_mcp_map map[] = {{"task", "task"}, {"phase", "phase"}, {NULL, NULL}};
  const ho_node *result = ho_mcp_act_do(act, &ho_command_next, ho_mcp_act_args(act, map), map);
  const ho_node *handoff = ho_map_getz(result, "handoff"), *item = ho_map_getz(result, "item");
  if (!result)
    return;
  if (handoff) {
    put_claimed(act, result, handoff);
  } else if (item) {
    ho_mcp_put_item(act, ho_map_addz(act->result, "item", ho_node_new(act->arena, HO_KIND_MAP)), item);
    ho_mcp_put_next(act, "deal with this first, then next_handoff {}");
  } else {
    act->waits = true;
    ho_mcp_put(act, act->result, "state", HO_STR("nothing ready"));
    ho_mcp_put_notes(act, result);
    if (!put_open(act, result))
      ho_mcp_put_next(act, "call again with wait, or stop");
  }
}

static const ho_field next_fields[] = {{.name = "task", .doc = "Also work open to whoever takes it", .type = HO_T_TEXT},
                                       {.name = "phase", .type = HO_T_TEXT},
                                       {.name = "wait", .doc = "Seconds, at most 50", .type = HO_T_INT, .max = 50},
                                       HO_FIELDS_END};
static const ho_record next_record = {.name = "next_handoff", .fields = next_fields};
static const ho_command *const next_commands[] = {&ho_command_next, &ho_command_claim, &ho_command_prompt_successor,
                                                  NULL};

const ho_mcp_tool ho_mcp_tool_next_handoff = {
    .name = "next_handoff",
    .description = "Take the oldest handoff ready for you. Accept it with reply_to_handoff before you work.",
    .fields = &next_record,
    .commands = next_commands,
    .answers = "id|state|kind|type|from|task|phase|lease_until|item|talk|changed_since|text|more|notes|next",
    .example = "{}",
    .sets = HO_MCP_SET_EVERY,
    .run = run_next,
};

/* ---- reply_to_handoff */

static void put_state(ho_mcp_act *act, const ho_node *result)
{
  if (!result)
    return;
  ho_mcp_put_all(act, act->result, result, "id|state|closed");
  ho_mcp_put_notes(act, result);
}

static void run_answer(ho_mcp_act *act)
{
  static const ho_mcp_map map[] = {{"id", "id"}, {"answer", "note"}, {NULL, NULL}};
  ho_error err = {0};
  if (ho_mcp_act_text(act, "id").n) {
    put_state(act, ho_mcp_act_do(act, &ho_command_answer, ho_mcp_act_args(act, map), map));
    return;
  }
  ho_fail(&err, HO_USAGE, "say with id what you answer; run: handoff status");
  ho_mcp_error(act, &err, NULL);
}

static void run_reply(ho_mcp_act *act)
{
  static const ho_mcp_map ack[] = {{"task", "task"},
                                   {"constraints", "constraint"},
                                   {"questions", "question"},
                                   {"blockers", "blocker"},
                                   {NULL, NULL}};
  bool says = ho_mcp_act_args(act, ack)->count > 0;
  if (ho_map_getz(act->args, "answer") && !says) {
    run_answer(act);
    return;
  }
  ho_node *right = ho_node_copy(act->arena, act->args);
  if (ho_map_getz(act->args, "answer") && says) {
    ho_node_remove(right, ho_map_getz(right, "answer"));
    ho_mcp_error_args(act, right, "answer", "an answer is a call of its own, with the id of what was asked");
    return;
  }
  ho_str id = ho_mcp_act_id(act);
  if (!id.n)
    return;
  if (!says) {
    ho_map_addz(right, "task", ho_node_textz(act->arena, "the task in your words"));
    ho_mcp_error_args(act, right, "task", "state the task in your own words, or questions or blockers");
    return;
  }
  ho_node *args = ho_mcp_act_args(act, ack);
  ho_map_put(act->arena, args, "id", id);
  put_state(act, ho_mcp_act_do(act, &ho_command_ack, args, ack));
}

static const ho_field reply_fields[] = {
    {.name = "id", .doc = "Default: the one you hold", .type = HO_T_TEXT},
    {.name = "task", .doc = "The task in your own words; accepts it", .type = HO_T_TEXT},
    {.name = "constraints", .type = HO_T_LIST, .item = HO_T_TEXT},
    {.name = "questions", .type = HO_T_LIST, .item = HO_T_TEXT},
    {.name = "blockers", .type = HO_T_LIST, .item = HO_T_TEXT},
    {.name = "answer", .doc = "To what was asked at id", .type = HO_T_TEXT},
    HO_FIELDS_END};
static const ho_record reply_record = {.name = "reply_to_handoff", .fields = reply_fields};
static const ho_command *const reply_commands[] = {&ho_command_ack, &ho_command_answer, NULL};

const ho_mcp_tool ho_mcp_tool_reply_to_handoff = {
    .name = "reply_to_handoff",
    .description = "Accept what you took, ask its sender, or answer a question. Blockers give it back until answered; "
                   "questions do not stop you.",
    .fields = &reply_record,
    .commands = reply_commands,
    .answers = "id|state|closed|notes",
    .example = "{\"task\":\"the task in your own words\"}",
    .sets = HO_MCP_SET_EVERY,
    .run = run_reply,
};

/* ---- finish_handoff */

/* A return is a handoff to the one that delegated: what came of it, and where it is. */
static const ho_mcp_place return_places[] = {{"note", "context.summary", NULL, NULL},
                                             {"artifacts", "context.artifacts", "path", "description"},
                                             {NULL, NULL, NULL, NULL}};

static ho_str return_of(ho_mcp_act *act, ho_str sender)
{
  ho_node *document = ho_mcp_document_begin(act, "handoff", return_places);
  ho_mcp_document_set(act, document, "type", HO_STR("return"));
  ho_mcp_document_set(act, document, "from.agent", ho_mcp_act_who(act));
  ho_mcp_document_set(act, document, "to.agent", sender);
  ho_mcp_document_set(act, document, "to.reason", HO_STR("The delegated work is done"));
  ho_mcp_document_set(act, document, "expectations.deliverable", HO_STR("Take up the result"));
  ho_mcp_document_add(act, document, "expectations.success_criteria", HO_STR("The artifacts exist"));
  return ho_mcp_document_text(act, document);
}

static void run_return(ho_mcp_act *act, ho_str id)
{
  ho_error err = {0};
  ho_code answer = HO_OK;
  ho_str path = ho_mcp_act_text(act, "path"), input = HO_EMPTY;
  ho_node *args = ho_node_new(act->arena, HO_KIND_MAP), *shown = ho_node_new(act->arena, HO_KIND_MAP);
  if (!path.n) {
    ho_map_put(act->arena, shown, "path", id);
    const ho_node *handoff = ho_mcp_act_do(act, &ho_command_show, shown, NULL);
    if (!handoff)
      return;
    input = return_of(act, ho_map_str(ho_map_getz(handoff, "handoff"), "from"));
    ho_map_put(act->arena, args, "format", HO_STR("package"));
  }
  ho_map_put(act->arena, args, "id", id);
  ho_map_put(act->arena, args, "path", path.n ? path : HO_STR("-"));
  const ho_node *result = ho_mcp_act_try(act, &ho_command_return, args, input, &answer, &err);
  if (!result)
    ho_mcp_error(act, &err, NULL);
  else if (answer == HO_INVALID)
    ho_mcp_error_findings(act, ho_map_getz(result, "findings"), path.n ? NULL : return_places, "nothing was returned");
  else
    put_state(act, result);
}

static void run_finish(ho_mcp_act *act)
{
  static const ho_mcp_map done[] = {{"note", "note"}, {NULL, NULL}}, reject[] = {{"note", "note"}, {NULL, NULL}};
  ho_str outcome = ho_mcp_act_text(act, "outcome"), id = ho_mcp_act_id(act);
  if (!id.n)
    return;
  if (ho_str_is(outcome, "return")) {
    run_return(act, id);
    return;
  }
  bool rejects = ho_str_is(outcome, "reject");
  const ho_mcp_map *map = rejects ? reject : done;
  ho_node *args = ho_mcp_act_args(act, map);
  ho_map_put(act->arena, args, "id", id);
  put_state(act, ho_mcp_act_do(act, rejects ? &ho_command_reject : &ho_command_done, args, map));
}

static const ho_choice outcomes[] = {{.value = "done"}, {.value = "return"}, {.value = "reject"}, {0}};
static const ho_field finish_fields[] = {
    {.name = "outcome", .type = HO_T_TEXT, .flags = HO_REQUIRED, .choices = outcomes},
    {.name = "note", .doc = "What came of it, or why not", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "artifacts", .doc = "'path: what it is'", .type = HO_T_LIST, .item = HO_T_TEXT},
    {.name = "path", .type = HO_T_TEXT},
    {.name = "id", .type = HO_T_TEXT},
    HO_FIELDS_END};
static const ho_record finish_record = {.name = "finish_handoff", .fields = finish_fields};
static const ho_command *const finish_commands[] = {&ho_command_done, &ho_command_return, &ho_command_reject, NULL};

const ho_mcp_tool ho_mcp_tool_finish_handoff = {
    .name = "finish_handoff",
    .description = "End the handoff you hold. return sends the result to its sender: path, or note and artifacts.",
    .fields = &finish_record,
    .commands = finish_commands,
    .answers = "id|state|closed|notes",
    .example = "{\"outcome\":\"done\",\"note\":\"what came of it\"}",
    .sets = HO_MCP_SET_EVERY & ~HO_MCP_SET_LEAD,
    .run = run_finish,
};
