/* Handoff package: context and responsibility from one agent to the next. */
#include "model/formats/exchange.h"

#include "model/formats/formats.h"
#include "model/wording.h"

static const ho_choice types[] = {
    {"sequential", "To the next agent in the workflow.", "workflow|sequence|séquentiel"},
    {"delegation", "To a specialist, for part of the work.", "delegate|délégation|specialist"},
    {"escalation", "To a person, for a decision.", "escalate|escalade|human"},
    {"return", "Back to the agent that delegated.", "retour|response"},
    {0}};

static const ho_field fields[] = {
    {.name = "id",
     .doc = "ID of the handoff, unique in the project.",
     .type = HO_T_TEXT,
     .flags = HO_EXPECTED,
     .aliases = "handoff_id",
     .example = "HO-2024-001"},
    {.name = "timestamp",
     .doc = "When it was handed over.",
     .type = HO_T_TEXT,
     .flags = HO_EXPECTED,
     .aliases = "created_at|date",
     .syntax = &ho_syntax_TIME,
     .example = "2024-01-15T14:30:00Z"},
    {.name = "type",
     .doc = "What kind of handoff it is; if absent, it follows from the parties.",
     .type = HO_T_TEXT,
     .choices = types,
     .example = "sequential"},
    {.name = "from",
     .doc = "Who hands over.",
     .type = HO_T_RECORD,
     .flags = HO_EXPECTED,
     .aliases = "from_agent",
     .record = &ho_record_sender,
     .role = HO_ROLE_PARTIES},
    {.name = "to",
     .doc = "Who takes over.",
     .type = HO_T_RECORD,
     .flags = HO_REQUIRED,
     .aliases = "to_agent",
     .record = &ho_record_receiver,
     .role = HO_ROLE_PARTIES},
    {.name = "reason",
     .doc = "Why it is handed over; accepted here, but belongs in to.reason.",
     .type = HO_T_TEXT,
     .home = "to",
     .example = "Specs validated, moving to design"},
    {.name = "context",
     .doc = "What the receiver needs to know.",
     .type = HO_T_RECORD,
     .flags = HO_REQUIRED,
     .record = &ho_record_context},
    {.name = "expectations",
     .doc = "What the receiver must deliver, within what limits, and how success is measured.",
     .type = HO_T_RECORD,
     .flags = HO_EXPECTED,
     .record = &ho_record_expectations},
    {.name = "workflow_state",
     .doc = "How far the workflow is.",
     .type = HO_T_RECORD,
     .aliases = "workflow",
     .record = &ho_record_workflow_state},
    HO_FIELDS_END};
static const ho_record root = {.name = "package", .fields = fields};

static void check_type_parties(ho_check *check, const ho_rule *rule)
{
  const ho_node *type = ho_check_get(check, "type"), *to = ho_check_get(check, "to");
  if (ho_node_empty(type) || ho_node_empty(ho_map_getz(to, "agent")))
    return;
  bool escalation = ho_str_is(ho_node_str(type), "escalation"), human = ho_party_is_human(to);
  if (escalation && !human)
    ho_check_fail(check, rule, type, "an escalation must go to human, not to '%.*s'",
                  HO_ARG(ho_str_sub(ho_map_str(to, "agent"), 0, 80)));
  else if (human && !escalation)
    ho_check_fail_as(check, rule, HO_WARNING, type, "a handoff to a person must be an escalation");
}

static void check_escalation_question(ho_check *check, const ho_rule *rule)
{
  const ho_node *to = ho_check_get(check, "to");
  bool escalation = ho_str_is(ho_node_str(ho_check_get(check, "type")), "escalation") || ho_party_is_human(to);
  if (escalation && ho_node_empty(ho_check_get(check, "context.open_questions")) &&
      ho_node_empty(ho_check_get(check, "expectations.deliverable")))
    ho_check_fail(check, rule, to, "has neither an open question nor a deliverable for the person");
}

static void check_deliverable(ho_check *check, const ho_rule *rule)
{
  const ho_node *deliverable = ho_check_get(check, "expectations.deliverable");
  ho_str text = ho_node_str(deliverable);
  if (ho_str_blank(text) || ho_is_placeholder(text, NULL))
    return;
  if (ho_wording_vague(text, NULL) || ho_wording_implicit(text))
    ho_check_fail(check, rule, deliverable, "'%.*s' does not say what to deliver",
                  HO_ARG(ho_str_sub(ho_str_trim(text), 0, 80)));
}

static const ho_rule rules[] = {
    {.info = {"package-implicit", HO_ERROR, "The summary must say what was done, not just that it is done.",
              "Name what was made or found: how many, which, where."},
     .check = ho_exchange_summary_implicit,
     .fact = true,
     .ack = "summary"},
    {.info = {"package-summary-thin", HO_WARNING, "The summary must make sense to a reader who was not there.",
              "Write two or three sentences about what was done."},
     .check = ho_exchange_summary_thin,
     .ack = "summary"},
    {.info = {"package-artifact-missing", HO_ERROR, "Every artifact must exist at its path.",
              "Correct the path, or write the file before handing over."},
     .check = ho_exchange_artifacts_exist,
     .fact = true},
    {.info = {"package-artifact-unlisted", HO_WARNING, "Every created file must be listed in the artifacts.",
              "Add the file to context.artifacts with its exact path."},
     .check = ho_exchange_artifacts_listed},
    {.info = {"package-question-hidden", HO_WARNING, "Anything unresolved must be an open question.",
              "Add it to context.open_questions."},
     .check = ho_exchange_questions_explicit},
    {.info = {"package-criterion-vague", HO_ERROR, "Success criteria must be measurable.",
              "Name a number, a comparison, or a check that passes or fails."},
     .check = ho_exchange_criteria,
     .fact = true},
    {.info = {"package-constraint-vague", HO_WARNING, "A constraint that names a quality must have a measure.",
              "Say how much: 'within 200 ms' instead of 'quickly'."},
     .check = ho_exchange_constraints},
    {.info = {"package-deliverable-vague", HO_WARNING, "The deliverable must be clear.",
              "Name what is expected: a document, a change, a decision."},
     .check = check_deliverable,
     .ack = "deliverable"},
    {.info = {"package-type-parties", HO_ERROR, "The type must match the parties: an escalation goes to human.",
              "Change the type or the receiver."},
     .check = check_type_parties,
     .fact = true},
    {.info = {"package-delegation-deliverable", HO_ERROR, "A delegation must say what the specialist should deliver.",
              "Add expectations.deliverable."},
     .when = "type",
     .in = "delegation",
     .require = "expectations.deliverable",
     .ack = "deliverable"},
    {.info = {"package-escalation-question", HO_WARNING, "A handoff to a person must say what the person should do.",
              "Add an open question, or expectations.deliverable."},
     .check = check_escalation_question},
    {.info = {"package-reason-place", HO_WARNING, "The reason belongs with the receiver.", "Move it to to.reason."},
     .check = ho_exchange_reason_place},
    HO_RULES_END};

static const char *const marks[] = {"to|to_agent|from|from_agent", "context|expectations", NULL};

static const char example[] = "handoff:\n"
                              "  id: HO-2024-001\n"
                              "  timestamp: \"2024-01-15T14:30:00Z\"\n"
                              "  type: sequential\n"
                              "  from:\n"
                              "    agent: specification\n"
                              "    step: 2\n"
                              "  to:\n"
                              "    agent: architecture\n"
                              "    reason: Specs validated, moving to design\n"
                              "  context:\n"
                              "    summary: \"Specifications completed: 3 epics, 12 user stories, personas defined\"\n"
                              "    decisions:\n"
                              "      - id: D-001\n"
                              "        decision: Login by e-mail and password first\n"
                              "        rationale: 9 of 10 customers have no identity provider\n"
                              "    artifacts:\n"
                              "      - path: docs/specs/EP-001.md\n"
                              "        type: spec\n"
                              "        description: Epic of the login\n"
                              "      - path: docs/specs/stories/\n"
                              "    open_questions:\n"
                              "      - question: How long does a session live?\n"
                              "        priority: medium\n"
                              "        context: The old system kept it for 24 hours\n"
                              "    key_info:\n"
                              "      - \"Effort: 3-5 days\"\n"
                              "  expectations:\n"
                              "    deliverable: Architecture decision record for the login\n"
                              "    constraints:\n"
                              "      - Answers within 200 ms\n"
                              "    success_criteria:\n"
                              "      - No critical risk is left unaddressed\n"
                              "      - Unit tests > 80% coverage\n"
                              "  workflow_state:\n"
                              "    name: feature\n"
                              "    current_step: 3\n"
                              "    completed_steps:\n"
                              "      - qualification\n"
                              "      - specification\n"
                              "    remaining_steps:\n"
                              "      - architecture\n"
                              "      - implementation\n";

static const ho_sending sending = {
    .kind = HO_SEND_ON,
    .id = "id",
    .sender = "from.agent",
    .receiver = "to.agent",
    .type = "type",
    .step = "from.step",
    .workflow = "workflow_state",
    .task = "workflow_state.name",
    .phase = "workflow_state.current_step",
    .files = (const char *const[]){"context.artifacts", NULL},
    .subject = "expectations.deliverable|context.summary",
    .summary = "context.summary",
    .deliverable = "expectations.deliverable",
    .constraints = "expectations.constraints",
};

const ho_format ho_format_package = {
    .name = "package",
    .title = "Handoff package",
    .doc = "Hands context and responsibility over: to the next agent of a workflow, to a specialist and back, or to a "
           "person.",
    .encoding = HO_YAML,
    .root = &root,
    .rules = rules,
    .wrapper = "handoff",
    .file_names = "HO-*.yaml|HO-*.yml",
    .marks = marks,
    .place = ".project/handoffs/{id}.yaml",
    .sending = &sending,
    .example = example,
};
