/* Acknowledgement: the receiver says what it understood, or what is wrong with the handoff. */
#include "model/check.h"

#include "model/formats/formats.h"
#include "model/wording.h"

static const ho_choice actions[] = {
    {"request_clarification", "Ask the sender before work starts.", "clarify|ask|clarification"}, {0}};

static const ho_field fields[] = {
    {.name = "handoff",
     .doc = "ID of the handoff being acknowledged.",
     .type = HO_T_TEXT,
     .flags = HO_EXPECTED,
     .aliases = "id|handoff_id",
     .example = "HO-2024-001"},
    {.name = "received",
     .doc = "Whether the handoff was received.",
     .type = HO_T_BOOL,
     .flags = HO_REQUIRED,
     .example = "true"},
    {.name = "from",
     .doc = "The agent that handed over.",
     .type = HO_T_TEXT,
     .flags = HO_EXPECTED,
     .aliases = "from_agent",
     .role = HO_ROLE_PARTIES,
     .example = "specification"},
    {.name = "understood",
     .doc = "The task and the constraints in the receiver's own words, or the word partial.",
     .type = HO_T_ANY,
     .flags = HO_REQUIRED,
     .role = HO_ROLE_TASK,
     .example = "partial"},
    {.name = "questions",
     .doc = "What the receiver would like to know; work can start anyway.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .role = HO_ROLE_QUESTIONS,
     .example = "Is the old login kept until the release?"},
    {.name = "blockers",
     .doc = "What keeps the receiver from starting.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .role = HO_ROLE_BLOCKERS,
     .example = "Artifact docs/specs/feature.md not found"},
    {.name = "starting", .doc = "Whether work starts now.", .type = HO_T_BOOL, .example = "true"},
    {.name = "action",
     .doc = "What the sender should do.",
     .type = HO_T_TEXT,
     .flags = HO_OPEN,
     .choices = actions,
     .example = "request_clarification"},
    HO_FIELDS_END};
static const ho_record root = {.name = "acknowledgment", .fields = fields};

static bool is_partial(const ho_node *understood)
{
  return ho_node_is(understood, HO_KIND_TEXT) &&
         ho_str_list_has_nocase("partial|partially|partiel|partiellement", ho_str_trim(understood->text));
}

static bool is_text_or_texts(const ho_node *node)
{
  if (ho_node_absent(node) || node->kind == HO_KIND_TEXT)
    return true;
  if (node->kind != HO_KIND_LIST)
    return false;
  HO_EACH_CONST (item, node)
    if (item->kind != HO_KIND_TEXT)
      return false;
  return true;
}

static void check_understood(ho_check *check, const ho_rule *rule)
{
  const ho_node *understood = ho_check_get(check, "understood");
  if (ho_node_empty(understood) || is_partial(understood))
    return;
  if (understood->kind != HO_KIND_MAP) {
    ho_check_fail(check, rule, understood, "expected a map with 'task', or 'partial'");
    return;
  }
  const ho_node *task = ho_map_getz(understood, "task"), *constraints = ho_map_getz(understood, "constraints");
  if (!ho_node_is(task, HO_KIND_TEXT) || ho_node_empty(task))
    ho_check_fail(check, rule, understood, "'task' is missing: the task in the receiver's own words");
  else if (ho_is_placeholder(task->text, NULL) || ho_wording_implicit(task->text))
    ho_check_fail(check, rule, task, "'%.*s' does not restate the task",
                  HO_ARG(ho_str_sub(ho_str_trim(task->text), 0, 80)));
  if (!is_text_or_texts(constraints))
    ho_check_fail(check, rule, constraints, "expected text or a list of texts, found %s",
                  ho_kind_name((ho_kind)constraints->kind));
}

static void check_partial(ho_check *check, const ho_rule *rule)
{
  const ho_node *understood = ho_check_get(check, "understood");
  if (is_partial(understood) && ho_node_empty(ho_check_get(check, "blockers")) &&
      ho_node_empty(ho_check_get(check, "questions")))
    ho_check_fail(check, rule, understood, "understood is partial, but there is neither a blocker nor a question");
}

static void check_received(ho_check *check, const ho_rule *rule)
{
  const ho_node *received = ho_check_get(check, "received");
  if (ho_node_is(received, HO_KIND_BOOL) && !ho_node_true(received))
    ho_check_fail(check, rule, received, "a handoff that was not received cannot be acknowledged");
}

static void check_blocked_start(ho_check *check, const ho_rule *rule)
{
  const ho_node *starting = ho_check_get(check, "starting");
  if (ho_node_true(starting) && !ho_node_empty(ho_check_get(check, "blockers")))
    ho_check_fail(check, rule, starting, "starting is true although there are blockers");
}

static void check_blocked_action(ho_check *check, const ho_rule *rule)
{
  const ho_node *blockers = ho_check_get(check, "blockers");
  if (!ho_node_empty(blockers) && !ho_str_is(ho_node_str(ho_check_get(check, "action")), "request_clarification"))
    ho_check_fail(check, rule, blockers, "has blockers, but action is not request_clarification");
}

static const ho_rule rules[] = {
    {.info = {"ack-understood", HO_ERROR,
              "An acknowledgement must restate the task, or say that it was only partly understood.",
              "Restate the task in understood.task and understood.constraints, or write 'understood: partial'."},
     .check = check_understood,
     .fact = true},
    {.info = {"ack-partial-silent", HO_ERROR, "A partial understanding must say what is missing.",
              "Add blockers or questions."},
     .check = check_partial,
     .fact = true},
    {.info = {"ack-not-received", HO_ERROR, "Only a received handoff can be acknowledged.",
              "Write 'received: true', or do not acknowledge it."},
     .check = check_received,
     .fact = true},
    {.info = {"ack-blocked-start", HO_ERROR, "Blocked work must not start.",
              "Write 'starting: false', or turn the blockers into questions."},
     .check = check_blocked_start,
     .fact = true},
    {.info = {"ack-blocked-action", HO_WARNING, "Blockers must request clarification.",
              "Write 'action: request_clarification'."},
     .check = check_blocked_action},
    HO_RULES_END};

static const char *const marks[] = {"received|understood", NULL};

static const char example[] = "acknowledgment:\n"
                              "  handoff: HO-2024-001\n"
                              "  received: true\n"
                              "  from: specification\n"
                              "  understood:\n"
                              "    task: Write the architecture decision record for the login\n"
                              "    constraints:\n"
                              "      - Answers within 200 ms\n"
                              "  questions:\n"
                              "    - Is the old login kept until the release?\n"
                              "  starting: true\n";

static const ho_sending sending = {.kind = HO_SEND_ACK};

const ho_format ho_format_ack = {
    .name = "ack",
    .title = "Acknowledgement",
    .doc = "The receiver restates the task and its constraints, asks questions, or reports what blocks it.",
    .encoding = HO_YAML,
    .root = &root,
    .rules = rules,
    .wrapper = "acknowledgment",
    .wrapper_aliases = "acknowledgement|ack",
    .file_names = "ACK-*.yaml|ACK-*.yml",
    .marks = marks,
    .place = ".project/handoffs/ACK-{handoff}.yaml",
    .sending = &sending,
    .example = example,
};
