/* Tools of whoever works on a phase: its progress, and handing it over. */
#include "surface/mcp/mcp_document.h"

/* ---- pass_phase */

/* Where the arguments stand in what is passed on. */
static const ho_mcp_place pass_places[] = {{"next", "/immediate_next_action", NULL, NULL},
                                           {"file", "/current_state.file", NULL, NULL},
                                           {"location", "/current_state.location", NULL, NULL},
                                           {"goal", "/current_state.goal_state", NULL, NULL},
                                           {"decisions", "/key_decisions", NULL, NULL},
                                           {"failed", "/what_not_to_try", NULL, NULL},
                                           {"facts", "/critical_context", NULL, NULL},
                                           {"task", "/task", NULL, NULL},
                                           {"phase", "/phase", NULL, NULL},
                                           {NULL, NULL, NULL, NULL}};

static void run_pass(ho_mcp_act *act)
{
  static const ho_mcp_map map[] = {
      {"next", "next"},   {"file", "file"},          {"location", "location"}, {"goal", "goal"},     {"task", "task"},
      {"phase", "phase"}, {"decisions", "decision"}, {"failed", "not"},        {"facts", "context"}, {NULL, NULL}};
  ho_error err = {0};
  ho_code answer = HO_OK;
  const ho_node *result = ho_mcp_act_try(act, &ho_command_pass, ho_mcp_act_args(act, map), HO_EMPTY, &answer, &err);
  if (!result) {
    ho_mcp_error(act, &err, map);
    return;
  }
  if (answer == HO_INVALID) {
    ho_mcp_error_findings(act, ho_map_getz(result, "findings"), pass_places, "nothing was written");
    return;
  }
  ho_mcp_put_all(act, act->result, result, "id|path|state|status|meta");
  ho_mcp_put_notes(act, result);
  ho_mcp_put_next(act, "return status partial with this path, then stop");
}

static const ho_field pass_fields[] = {
    {.name = "next", .doc = "The one concrete next step", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "file", .type = HO_T_TEXT},
    {.name = "location", .doc = "Line, after what", .type = HO_T_TEXT},
    {.name = "goal", .doc = "What must become true", .type = HO_T_TEXT},
    {.name = "decisions", .doc = "'decision: why'", .type = HO_T_LIST, .item = HO_T_TEXT},
    {.name = "failed", .doc = "'approach: why'", .type = HO_T_LIST, .item = HO_T_TEXT},
    {.name = "facts", .type = HO_T_LIST, .item = HO_T_TEXT},
    {.name = "task", .type = HO_T_TEXT},
    {.name = "phase", .type = HO_T_TEXT},
    HO_FIELDS_END};
static const ho_record pass_record = {.name = "pass_phase", .fields = pass_fields};
static const ho_command *const pass_commands[] = {&ho_command_pass, NULL};

const ho_mcp_tool ho_mcp_tool_pass_phase = {
    .name = "pass_phase",
    .description = "When your context runs out: hand your phase to a successor in one step (handoff, progress, return "
                   "metadata). Then stop.",
    .fields = &pass_record,
    .commands = pass_commands,
    .answers = "id|state|path|status|meta|notes|next",
    .example = "{\"next\":\"the one concrete next step\"}",
    .sets = HO_MCP_SET_EVERY & ~HO_MCP_SET_LEAD,
    .always = true,
    .run = run_pass,
};

/* ---- report_progress */

/* What an action does, and where its arguments go. */
typedef struct action {
  const char *name;
  const ho_command *command; /* NULL: it only shows */
  ho_mcp_map map[6];
} action;
#define WHERE                                                                                                          \
  {"task", "task"},                                                                                                    \
  {                                                                                                                    \
    "phase", "phase"                                                                                                   \
  }
static const action actions[] = {
    {"show", NULL, {WHERE}},
    {"start", &ho_command_progress_start, {{"objectives", "objective"}, WHERE}},
    {"done", &ho_command_progress_done, {{"objective", "id"}, {"text", "note"}, WHERE}},
    {"block", &ho_command_progress_block, {{"objective", "id"}, {"text", "note"}, WHERE}},
    {"note", &ho_command_progress_note, {{"objective", "id"}, {"text", "text"}, WHERE}},
    {"tried", &ho_command_progress_tried, {{"text", "approach"}, {"why", "why"}, {"objective", "objective"}, WHERE}},
    {"finish", &ho_command_finish, {{"text", "summary"}, WHERE}},
};

static const action *action_named(ho_str name)
{
  for (size_t i = 0; i < HO_COUNT(actions); i++)
    if (ho_str_is(name, actions[i].name))
      return &actions[i];
  return &actions[0];
}

/* How far the phase is. only: that is all that is asked, so that it is an answer, too, that none is in progress, or that it was
 * not started. */
static const ho_node *show(ho_mcp_act *act, bool only)
{
  ho_error err = {0};
  ho_code answer;
  ho_node *args = ho_mcp_act_args(act, actions[0].map);
  bool named = args->count > 0;
  const ho_node *progress = ho_mcp_act_try(act, &ho_command_progress_show, args, HO_EMPTY, &answer, &err);
  if (progress)
    return progress;
  if (only && err.code == HO_NOT_FOUND) {
    ho_mcp_put(act, act->result, "state", HO_STR("this phase was not started"));
    ho_mcp_put_next(act, "%.*s", HO_ARG(ho_mcp_error_call(act, act->tool, &ho_command_progress_start)));
    return NULL;
  }
  if (named || !only || err.code != HO_USAGE) {
    ho_mcp_error(act, &err, actions[0].map);
    return NULL;
  }
  ho_mcp_put(act, act->result, "state", HO_STR("no phase is in progress here"));
  ho_mcp_put_next(act, "report_progress {\"action\":\"start\",\"objectives\":[\"…\"],\"task\":\"1\",\"phase\":\"1\"}");
  return NULL;
}

static void run_progress(ho_mcp_act *act)
{
  const action *a = action_named(ho_mcp_act_text(act, "action"));
  const ho_node *result = NULL;
  if (a->command) {
    result = ho_mcp_act_do(act, a->command, ho_mcp_act_args(act, a->map), a->map);
    if (!result)
      return;
  }
  if (a->command == &ho_command_finish) {
    ho_mcp_put_all(act, act->result, result, "task|phase|status|summary|meta");
    ho_mcp_put_notes(act, result);
    ho_mcp_put_next(act, "return status implemented, then next_handoff {} or stop");
    return;
  }
  const ho_node *progress = show(act, a->command == NULL);
  if (!progress)
    return;
  ho_mcp_put_progress(act, progress);
  ho_mcp_put_notes(act, result);
}

static const ho_choice action_choices[] = {
    {.value = "show"}, {.value = "start"}, {.value = "done"},   {.value = "block"},
    {.value = "note"}, {.value = "tried"}, {.value = "finish"}, {0}};
static const ho_field progress_fields[] = {
    {.name = "action", .type = HO_T_TEXT, .flags = HO_REQUIRED, .choices = action_choices},
    {.name = "objectives", .doc = "For start", .type = HO_T_LIST, .item = HO_T_TEXT},
    {.name = "objective", .doc = "Its id", .type = HO_T_TEXT},
    {.name = "text", .doc = "Note, blocker or approach", .type = HO_T_TEXT},
    {.name = "why", .doc = "For tried", .type = HO_T_TEXT},
    {.name = "task", .type = HO_T_TEXT},
    {.name = "phase", .type = HO_T_TEXT},
    HO_FIELDS_END};
static const ho_record progress_record = {.name = "report_progress", .fields = progress_fields};
static const ho_command *const progress_commands[] = {
    &ho_command_progress_show, &ho_command_progress_start, &ho_command_progress_done, &ho_command_progress_block,
    &ho_command_progress_note, &ho_command_progress_tried, &ho_command_finish,        NULL};

static const ho_mcp_example progress_examples[] = {
    {&ho_command_progress_start, "{\"action\":\"start\",\"objectives\":[\"what must become true\"]}"}, {NULL, NULL}};

const ho_mcp_tool ho_mcp_tool_report_progress = {
    .name = "report_progress",
    .description =
        "Progress of your phase: start with objectives, then done, block or note each; tried logs what failed "
        "so that nobody repeats it; finish ends the phase.",
    .fields = &progress_record,
    .commands = progress_commands,
    .answers = "state|task|phase|status|summary|meta|objectives|tried|notes|next",
    .example = "{\"action\":\"show\"}",
    .examples = progress_examples,
    .sets = HO_MCP_SET_EVERY & ~HO_MCP_SET_LEAD,
    .run = run_progress,
};
