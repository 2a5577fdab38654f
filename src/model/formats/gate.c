/* Gate: a handoff to a person, who approves, rejects or asks back. */
#include "model/formats/exchange.h"
#include "model/formats/formats.h"

static const ho_choice types[] = {
    {"blocking", "Work waits for the decision.", "bloquante|bloquant|block"},
    {"informative", "The person is notified; work continues.", "informational|info|informatif"},
    {"advisory", "Advice is requested; work continues.", "consultative"},
    {"automatic", "Decided by checks; the person may intervene.", "auto|automatique"},
    {0}};

static const ho_field gate_fields[] = {{.name = "type",
                                        .doc = "Whether work waits for the decision.",
                                        .type = HO_T_TEXT,
                                        .flags = HO_REQUIRED,
                                        .choices = types,
                                        .example = "blocking"},
                                       {.name = "name",
                                        .doc = "Name of the gate.",
                                        .type = HO_T_TEXT,
                                        .flags = HO_EXPECTED,
                                        .example = "Release of the login"},
                                       {.name = "step",
                                        .doc = "The workflow step it belongs to, by number or name.",
                                        .type = HO_T_ID,
                                        .flags = HO_NULLABLE,
                                        .example = "4"},
                                       HO_FIELDS_END};
static const ho_record gate_record = {.name = "gate", .fields = gate_fields, .scalar = "type"};

static const ho_field option_fields[] = {{.name = "approve",
                                          .doc = "What happens on approval.",
                                          .type = HO_T_TEXT,
                                          .flags = HO_EXPECTED,
                                          .example = "Continue with next step"},
                                         {.name = "reject",
                                          .doc = "What happens on rejection.",
                                          .type = HO_T_TEXT,
                                          .flags = HO_EXPECTED,
                                          .example = "Adjustments required"},
                                         {.name = "question",
                                          .doc = "What happens if the person has a question.",
                                          .type = HO_T_TEXT,
                                          .flags = HO_EXPECTED,
                                          .example = "Clarification needed"},
                                         HO_FIELDS_END};
static const ho_record option_record = {.name = "options", .fields = option_fields};

static const ho_field request_fields[] = {
    {.name = "items",
     .doc = "The points to validate, one by one; a blocking gate needs at least one.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .flags = HO_EXPECTED,
     .role = HO_ROLE_NEXT,
     .example = "Approve the budget of 5 days"},
    {.name = "options",
     .doc = "The three decisions, and what each leads to.",
     .type = HO_T_RECORD,
     .flags = HO_EXPECTED,
     .record = &option_record},
    HO_FIELDS_END};
static const ho_record request_record = {.name = "validation_request", .fields = request_fields};

static const ho_field fields[] = {{.name = "id",
                                   .doc = "ID of the handoff, unique in the project.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_EXPECTED,
                                   .aliases = "handoff_id",
                                   .example = "HO-2024-007"},
                                  {.name = "timestamp",
                                   .doc = "When the gate was raised.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_EXPECTED,
                                   .aliases = "created_at|date",
                                   .syntax = &ho_syntax_TIME,
                                   .example = "2024-01-15T14:30:00Z"},
                                  {.name = "from",
                                   .doc = "Who asks.",
                                   .type = HO_T_RECORD,
                                   .flags = HO_EXPECTED,
                                   .aliases = "from_agent",
                                   .record = &ho_record_sender,
                                   .role = HO_ROLE_PARTIES},
                                  {.name = "to",
                                   .doc = "Who decides: human.",
                                   .type = HO_T_RECORD,
                                   .flags = HO_REQUIRED,
                                   .aliases = "to_agent",
                                   .record = &ho_record_receiver,
                                   .role = HO_ROLE_PARTIES},
                                  {.name = "reason",
                                   .doc = "Why the gate was reached; accepted here, but belongs in to.reason.",
                                   .type = HO_T_TEXT,
                                   .home = "to",
                                   .example = "BLOCKING gate reached"},
                                  {.name = "gate",
                                   .doc = "Which gate it is.",
                                   .type = HO_T_RECORD,
                                   .flags = HO_EXPECTED,
                                   .record = &gate_record,
                                   .role = HO_ROLE_OUTCOME},
                                  {.name = "context",
                                   .doc = "What the person needs to know to decide.",
                                   .type = HO_T_RECORD,
                                   .flags = HO_REQUIRED,
                                   .record = &ho_record_context},
                                  {.name = "validation_request",
                                   .doc = "What to validate, and what each decision leads to.",
                                   .type = HO_T_RECORD,
                                   .flags = HO_EXPECTED,
                                   .aliases = "validation",
                                   .record = &request_record},
                                  {.name = "deadline",
                                   .doc = "When the decision is needed by. If nobody decides in time, it is rejected.",
                                   .type = HO_T_TEXT,
                                   .aliases = "due",
                                   .syntax = &ho_syntax_TIME,
                                   .example = "2024-01-17T12:00:00Z"},
                                  {.name = "expectations",
                                   .doc = "What follows from the decision.",
                                   .type = HO_T_RECORD,
                                   .record = &ho_record_expectations},
                                  {.name = "workflow_state",
                                   .doc = "How far the workflow is.",
                                   .type = HO_T_RECORD,
                                   .aliases = "workflow",
                                   .record = &ho_record_workflow_state},
                                  HO_FIELDS_END};
static const ho_record root = {.name = "gate handoff", .fields = fields};

static void check_human(ho_check *check, const ho_rule *rule)
{
  const ho_node *to = ho_check_get(check, "to"), *agent = ho_map_getz(to, "agent");
  if (ho_node_is(agent, HO_KIND_TEXT) && !ho_node_empty(agent) && !ho_party_is_human(to))
    ho_check_fail(check, rule, agent, "a gate goes to human, not to '%.*s'", HO_ARG(ho_str_sub(agent->text, 0, 80)));
}

static const ho_rule rules[] = {
    {.info = {"gate-human", HO_ERROR, "A gate must be addressed to a person.", "Set to.agent to human."},
     .check = check_human,
     .fact = true},
    {.info = {"gate-items", HO_ERROR, "A blocking gate must say what to validate.",
              "List the points in validation_request.items."},
     .when = "gate.type",
     .in = "blocking",
     .require = "validation_request.items"},
    {.info = {"gate-implicit", HO_ERROR, "The summary must say what was done, not just that it is done.",
              "Name what was made or found: how many, which, where."},
     .check = ho_exchange_summary_implicit,
     .fact = true,
     .ack = "summary"},
    {.info = {"gate-summary-thin", HO_WARNING, "The summary must make sense to a reader who was not there.",
              "Write two or three sentences about what was done."},
     .check = ho_exchange_summary_thin,
     .ack = "summary"},
    {.info = {"gate-artifact-missing", HO_ERROR, "Every artifact must exist at its path.",
              "Correct the path, or write the file before raising the gate."},
     .check = ho_exchange_artifacts_exist,
     .fact = true},
    {.info = {"gate-artifact-unlisted", HO_WARNING, "Every created file must be listed in the artifacts.",
              "Add the file to context.artifacts with its exact path."},
     .check = ho_exchange_artifacts_listed},
    {.info = {"gate-reason-place", HO_WARNING, "The reason belongs with the receiver.", "Move it to to.reason."},
     .check = ho_exchange_reason_place},
    HO_RULES_END};

static const char *const marks[] = {"gate|validation_request", "to|to_agent|from|from_agent|context", NULL};

static const char example[] = "handoff:\n"
                              "  id: HO-2024-007\n"
                              "  timestamp: \"2024-01-15T14:30:00Z\"\n"
                              "  from:\n"
                              "    agent: estimation\n"
                              "    step: 2\n"
                              "  to:\n"
                              "    agent: human\n"
                              "    reason: BLOCKING gate reached\n"
                              "  gate:\n"
                              "    type: blocking\n"
                              "    name: Budget of the login\n"
                              "    step: 2\n"
                              "  context:\n"
                              "    summary: Two approaches were estimated at 5 and 12 days\n"
                              "    artifacts:\n"
                              "      - path: docs/estimates/login.md\n"
                              "        type: doc\n"
                              "        description: Both estimates with their risks\n"
                              "  validation_request:\n"
                              "    items:\n"
                              "      - Approve the budget of 5 days\n"
                              "      - Confirm that the old login is kept until the release\n"
                              "    options:\n"
                              "      approve: Continue with next step\n"
                              "      reject: Adjustments required\n"
                              "      question: Clarification needed\n"
                              "  deadline: \"2024-01-17T12:00:00Z\"\n";

static const ho_sending sending = {.kind = HO_SEND_GATE,
                                   .id = "id",
                                   .sender = "from.agent",
                                   .task = "workflow_state.name",
                                   .phase = "gate.step",
                                   .files = (const char *const[]){"context.artifacts", NULL},
                                   .subject = "gate.name|context.summary",
                                   .summary = "context.summary",
                                   .gate = "gate.name",
                                   .gate_type = "gate.type"};

const ho_format ho_format_gate = {
    .name = "gate",
    .title = "Gate",
    .doc =
        "Asks a person to approve, reject or question what was done; a blocking gate stops the work until they answer.",
    .encoding = HO_YAML,
    .root = &root,
    .rules = rules,
    .wrapper = "handoff",
    .file_names = "GATE-*.yaml|GATE-*.yml",
    .marks = marks,
    .place = ".project/handoffs/GATE-{id}.yaml",
    .sending = &sending,
    .example = example,
};
