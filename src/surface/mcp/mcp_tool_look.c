/* Tools that only look: what there is, what is known, whether a document is right. */
#include "surface/mcp/mcp_document.h"

enum { PAGE_ITEMS = 10 };

/* ---- handoff_status */

/* The tool that deals with an item of the inbox, by its kind. */
static const char *tool_for(ho_str kind)
{
  return ho_str_list_has("question|draft", kind) ? "reply_to_handoff"
         : ho_str_is(kind, "held")               ? "finish_handoff"
         : ho_str_is(kind, "handoff")            ? "next_handoff"
                                                 : NULL;
}

void ho_mcp_put_item(ho_mcp_act *act, ho_node *to, const ho_node *item)
{
  ho_mcp_put_all(act, to, item, "kind|id|from|until");
  ho_mcp_put_brief(act, to, "subject", ho_map_str(item, "subject"));
  ho_mcp_put_brief(act, to, "text", ho_map_str(item, "text"));
  if (ho_node_true(ho_map_getz(item, "elsewhere")))
    ho_mcp_put(act, to, "held_by", HO_STR("another session of yours"));
  else if (tool_for(ho_map_str(item, "kind")))
    ho_mcp_put(act, to, "with", ho_str_of(tool_for(ho_map_str(item, "kind"))));
}

/* The items of one page of a list; says how many there are, and how the next page is had. */
static void put_page_of(ho_mcp_act *act, const ho_node *list, const char *key,
                        void (*put)(ho_mcp_act *act, ho_node *to, const ho_node *item))
{
  long long page = ho_mcp_act_number(act, "page"), at = 0, from = page > 1 ? (page - 1) * PAGE_ITEMS : 0;
  ho_node *to = ho_map_addz(act->result, key, ho_node_new(act->arena, HO_KIND_LIST));
  HO_EACH_CONST (item, list) {
    if (at >= from && at < from + PAGE_ITEMS)
      put(act, ho_list_add(to, ho_node_new(act->arena, HO_KIND_MAP)), item);
    at++;
  }
  if (at > from + PAGE_ITEMS) {
    ho_map_addz(act->result, "total", ho_node_number(act->arena, at));
    ho_map_addz(act->result, "next_page", ho_node_number(act->arena, from / PAGE_ITEMS + 2));
  }
}

static void put_gate_line(ho_mcp_act *act, ho_node *to, const ho_node *gate)
{
  ho_mcp_put(act, to, "gate", ho_map_str(gate, "id"));
  ho_mcp_put_brief(act, to, "name", ho_map_str(gate, "name"));
  ho_mcp_put(act, to, "state", ho_map_str(gate, "state"));
}

/* The open gates that whoever asks has raised: with them it may be waiting. */
static void put_own_gates(ho_mcp_act *act, ho_str who)
{
  ho_error none = {0};
  ho_code answer;
  const ho_node *status = ho_mcp_act_try(act, &ho_command_status, NULL, HO_EMPTY, &answer, &none);
  ho_node *gates = NULL;
  HO_EACH_CONST (gate, ho_map_getz(status, "gates")) {
    if (!ho_str_eq(ho_map_str(gate, "raised_by"), who))
      continue;
    if (!gates)
      gates = ho_map_addz(act->result, "gates", ho_node_new(act->arena, HO_KIND_LIST));
    put_gate_line(act, ho_list_add(gates, ho_node_new(act->arena, HO_KIND_MAP)), gate);
  }
}

void ho_mcp_put_progress(ho_mcp_act *act, const ho_node *progress)
{
  ho_mcp_put_all(act, act->result, progress, "task|phase");
  ho_node *lines = ho_map_addz(act->result, "objectives", ho_node_new(act->arena, HO_KIND_LIST));
  HO_EACH_CONST (one, ho_map_getz(progress, "objectives")) {
    ho_str note = ho_map_str(one, "note");
    ho_list_add(lines,
                ho_node_text(act->arena,
                             ho_arena_printf(act->arena, "%.*s %.*s: %.*s%s%.*s%s", HO_ARG(ho_map_str(one, "id")),
                                             HO_ARG(ho_map_str(one, "status")), HO_ARG(ho_map_str(one, "description")),
                                             note.n ? " (" : "", HO_ARG(note), note.n ? ")" : "")));
  }
  const ho_node *tried = ho_map_getz(progress, "approaches_tried");
  ho_map_addz(act->result, "tried", ho_node_number(act->arena, tried ? tried->count : 0));
}

static void run_overview(ho_mcp_act *act)
{
  ho_error none = {0};
  ho_code answer;
  ho_node *args = ho_node_new(act->arena, HO_KIND_MAP);
  ho_map_addz(args, "peek", ho_node_bool(act->arena, true));
  const ho_node *inbox = ho_mcp_act_do(act, &ho_command_inbox, args, NULL);
  if (!inbox)
    return;
  ho_str who = ho_mcp_act_who(act);
  ho_mcp_put(act, act->result, "you", who);
  const ho_node *progress = ho_mcp_act_try(act, &ho_command_progress_show, NULL, HO_EMPTY, &answer, &none);
  if (progress)
    ho_mcp_put_progress(act, progress);
  put_page_of(act, ho_map_getz(inbox, "items"), "waiting", ho_mcp_put_item);
  put_own_gates(act, who);
  ho_mcp_put_notes(act, inbox);
}

void ho_mcp_put_gate(ho_mcp_act *act, const ho_node *gate)
{
  ho_mcp_put(act, act->result, "gate", ho_map_str(gate, "id"));
  ho_mcp_put_all(act, act->result, gate, "state|decision|decided_by");
  ho_mcp_put_all(act, act->result, gate, "proof|note");
}

static void run_one(ho_mcp_act *act, ho_str id)
{
  bool is_gate = ho_str_starts(id, "G-");
  ho_node *args = ho_node_new(act->arena, HO_KIND_MAP);
  ho_map_put(act->arena, args, is_gate ? "gate" : "path", id);
  const ho_node *result = ho_mcp_act_do(act, is_gate ? &ho_command_gate_show : &ho_command_show, args, NULL);
  const ho_node *handoff = is_gate ? result : ho_map_getz(result, "handoff");
  if (!result)
    return;
  if (is_gate)
    ho_mcp_put_gate(act, result);
  else
    ho_mcp_put_all(act, act->result, handoff, "id|state|kind|type|from|to|task|phase|claimed_by|gate|superseded_by");
  HO_EACH_CONST (said, ho_map_getz(handoff, "talk")) {
    ho_node *talk = ho_map_getz(act->result, "talk");
    if (!talk)
      talk = ho_map_addz(act->result, "talk", ho_node_new(act->arena, HO_KIND_LIST));
    ho_mcp_put_all(act, ho_list_add(talk, ho_node_new(act->arena, HO_KIND_MAP)), said, "by|kind|text");
  }
  ho_mcp_put_page(act, act->result, ho_map_str(handoff ? handoff : result, "text"), id, ho_mcp_act_number(act, "page"));
}

static void run_status(ho_mcp_act *act)
{
  ho_str id = ho_mcp_act_text(act, "id");
  if (id.n)
    run_one(act, id);
  else
    run_overview(act);
}

static const ho_field status_fields[] = {
    {.name = "id", .doc = "HO-… or G-…", .type = HO_T_TEXT}, {.name = "page", .type = HO_T_INT}, HO_FIELDS_END};
static const ho_record status_record = {.name = "handoff_status", .fields = status_fields};
static const ho_command *const status_commands[] = {&ho_command_inbox,     &ho_command_status,    &ho_command_show,
                                                    &ho_command_gate_show, &ho_command_gate_list, NULL};

const ho_mcp_tool ho_mcp_tool_handoff_status = {
    .name = "handoff_status",
    .description =
        "What waits for you, what you hold, open questions and gates, your progress. With id: that handoff or "
        "gate in full.",
    .fields = &status_record,
    .commands = status_commands,
    .answers = "id|state|kind|type|from|to|you|task|phase|claimed_by|gate|decision|decided_by|proof|note|superseded_by|"
               "objectives|tried|waiting|gates|talk|text|more|total|next_page|notes",
    .example = "{}",
    .sets = HO_MCP_SET_EVERY,
    .reads = true,
    .always = true,
    .run = run_status,
};

/* ---- search_knowledge */

static void put_known(ho_mcp_act *act, ho_node *to, const ho_node *node)
{
  const ho_node *source = ho_list_at(ho_map_getz(node, "sources"), 0);
  ho_mcp_put(act, to, "kind", ho_map_str(node, "kind"));
  ho_mcp_put_brief(act, to, "text", ho_map_str(node, "text"));
  HO_EACH_CONST (detail, ho_map_getz(node, "detail"))
    ho_mcp_put_brief(act, to, ho_arena_z(act->arena, detail->key), ho_node_str(detail));
  ho_mcp_put_brief(act, to, "answer", ho_map_str(node, "answer"));
  if (source)
    ho_mcp_put(act, to, "from",
               ho_arena_printf(act->arena, "%.*s:%.*s", HO_ARG(ho_map_str(source, "origin")),
                               HO_ARG(ho_map_str(source, "line"))));
}

static void put_hit(ho_mcp_act *act, ho_node *to, const ho_node *hit)
{
  ho_mcp_put_all(act, to, hit, "id|state|from|to|task|phase");
  ho_mcp_put_brief(act, to, "subject", ho_map_str(hit, "subject"));
  ho_mcp_put_brief(act, to, "text", ho_map_str(hit, "snippet"));
}

static void run_search(ho_mcp_act *act)
{
  static const ho_mcp_map know[] = {{"query", "query"}, {"kind", "kind"}, {"file", "file"}, {NULL, NULL}};
  static const ho_mcp_map search[] = {{"query", "query"}, {NULL, NULL}};
  bool handoffs = ho_str_is(ho_mcp_act_text(act, "in"), "handoffs");
  const ho_mcp_map *map = handoffs ? search : know;
  long long page = ho_mcp_act_number(act, "page");
  ho_node *args = ho_mcp_act_args(act, map), *query = ho_map_getz(args, "query");
  ho_node *words = ho_node_new(act->arena, HO_KIND_LIST);
  ho_list_add(words, ho_node_text(act->arena, ho_node_str(query)));
  ho_map_set(args, HO_STR("query"), words);
  ho_map_addz(args, "limit", ho_node_number(act->arena, (page > 1 ? page : 1) * PAGE_ITEMS + 1));
  const ho_node *result = ho_mcp_act_do(act, handoffs ? &ho_command_search : &ho_command_know, args, map);
  const ho_node *list = ho_map_getz(result, handoffs ? "hits" : "nodes");
  if (!result)
    return;
  put_page_of(act, list, "hits", handoffs ? put_hit : put_known);
  if (!list || !list->count)
    ho_mcp_put_next(act, "nothing known; fewer words, or begin*");
}

static const ho_choice places[] = {{.value = "knowledge"}, {.value = "handoffs"}, {0}};
static const ho_choice kinds[] = {{.value = "pattern"},
                                  {.value = "gotcha"},
                                  {.value = "decision"},
                                  {.value = "dead_end"},
                                  {.value = "question"},
                                  {.value = "blocker"},
                                  {0}};
static const ho_field search_fields[] = {
    {.name = "query", .doc = "Words; \"a phrase\"; begin*", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "in", .type = HO_T_TEXT, .choices = places},
    {.name = "kind", .type = HO_T_TEXT, .choices = kinds},
    {.name = "file", .doc = "About this file", .type = HO_T_TEXT},
    {.name = "page", .type = HO_T_INT},
    HO_FIELDS_END};
static const ho_record search_record = {.name = "search_knowledge", .fields = search_fields};
static const ho_command *const search_commands[] = {&ho_command_know, &ho_command_search, NULL};

const ho_mcp_tool ho_mcp_tool_search_knowledge = {
    .name = "search_knowledge",
    .description =
        "What agents learned in this project; look before you try. in=handoffs searches their documents. Hits "
        "name their source.",
    .fields = &search_record,
    .commands = search_commands,
    .answers = "hits|total|next_page|next",
    .example = "{\"query\":\"words to look for\"}",
    .sets = HO_MCP_SET_EVERY,
    .reads = true,
    .run = run_search,
};

/* ---- check_document */

static void run_check(ho_mcp_act *act)
{
  static const ho_mcp_map map[] = {{"format", "format"}, {NULL, NULL}};
  ho_str text = ho_mcp_act_text(act, "text"), path = text.n ? HO_STR("-") : ho_mcp_act_text(act, "path");
  if (!path.n) {
    ho_node *right = ho_node_copy(act->arena, act->args);
    ho_map_addz(right, "text", ho_node_textz(act->arena, "handoff: {}"));
    ho_mcp_error_args(act, right, "path", "say path, or text");
    return;
  }
  ho_error err = {0};
  ho_code answer = HO_OK;
  ho_node *args = ho_mcp_act_args(act, map), *paths = ho_node_new(act->arena, HO_KIND_LIST);
  ho_list_add(paths, ho_node_text(act->arena, path));
  ho_map_addz(args, "paths", paths);
  const ho_node *result = ho_mcp_act_try(act, &ho_command_check, args, text, &answer, &err);
  if (!result) {
    ho_mcp_error(act, &err, map);
    return;
  }
  const ho_node *file = ho_list_at(ho_map_getz(result, "files"), 0);
  ho_mcp_put(act, act->result, "format", ho_map_str(file, "format"));
  ho_map_addz(act->result, "valid", ho_node_bool(act->arena, !ho_map_int(result, "errors") && answer == HO_OK));
  ho_node *list = ho_map_addz(act->result, "findings", ho_node_new(act->arena, HO_KIND_LIST));
  HO_EACH_CONST (each, ho_map_getz(result, "files"))
    HO_EACH_CONST (finding, ho_map_getz(each, "findings"))
      if (list->count < 2 * PAGE_ITEMS)
        ho_mcp_error_finding(act, list, finding, NULL);
  ho_mcp_put_notes(act, result);
}

static const ho_field check_fields[] = {{.name = "path", .type = HO_T_TEXT},
                                        {.name = "text", .doc = "Instead of path", .type = HO_T_TEXT},
                                        {.name = "format", .doc = "Default: recognised", .type = HO_T_TEXT},
                                        HO_FIELDS_END};
static const ho_record check_record = {.name = "check_document", .fields = check_fields};
static const ho_command *const check_commands[] = {&ho_command_check, NULL};

const ho_mcp_tool ho_mcp_tool_check_document = {
    .name = "check_document",
    .description = "Check a handoff document: findings with line, rule and fix.",
    .fields = &check_record,
    .commands = check_commands,
    .answers = "format|valid|findings|notes",
    .example = "{\"text\":\"handoff: {}\"}",
    .sets = HO_MCP_SET_EVERY,
    .reads = true,
    .run = run_check,
};
