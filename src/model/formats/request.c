/* Request from an orchestrator to a sub-agent. */
#include "model/formats/response_findings.h"

#include "model/formats/formats.h"
#include "model/wording.h"

enum { MAX_TOKENS = 500 };

static const ho_choice outputs[] = {{.value = "structured_findings", .doc = "For phase research."},
                                    {.value = "files_changed", .doc = "For phase write."},
                                    {.value = "validation_result", .doc = "For phase validate."},
                                    {.value = "aggregated_results", .doc = "For phase parallel."},
                                    {0}};

static const ho_field context_fields[] = {{.name = "feature",
                                           .doc = "The feature being worked on.",
                                           .type = HO_T_TEXT,
                                           .flags = HO_EXPECTED,
                                           .aliases = "topic",
                                           .role = HO_ROLE_TASK,
                                           .example = "jwt-authentication"},
                                          {.name = "spec_path",
                                           .doc = "Path of the specification, if there is one.",
                                           .type = HO_T_TEXT,
                                           .flags = HO_NULLABLE,
                                           .role = HO_ROLE_REFERENCES,
                                           .example = "specs/auth/requirements.md"},
                                          {.name = "relevant_files",
                                           .doc = "Files and folders to examine.",
                                           .type = HO_T_LIST,
                                           .item = HO_T_TEXT,
                                           .aliases = "relevant_dirs",
                                           .role = HO_ROLE_STATE,
                                           .example = "src/lib/auth.ts"},
                                          {.name = "constraints",
                                           .doc = "Requirements to meet.",
                                           .type = HO_T_LIST,
                                           .item = HO_T_TEXT,
                                           .role = HO_ROLE_CONTRACT,
                                           .example = "No breaking changes"},
                                          {.name = "previous_findings",
                                           .doc = "The context_summary of the previous phase, at most 500 tokens.",
                                           .type = HO_T_TEXT,
                                           .flags = HO_NULLABLE,
                                           .aliases = "previous_summary|research_summary",
                                           .max_tokens = MAX_TOKENS,
                                           .role = HO_ROLE_FACTS,
                                           .example = "Existing auth at src/lib/auth.ts (sessions). No conflicts."},
                                          HO_FIELDS_END};
static const ho_record context_record = {.name = "context", .fields = context_fields};

static const ho_field fields[] = {{.name = "task_id",
                                   .doc = "ID of the task, the same in every phase and in the response.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_REQUIRED,
                                   .role = HO_ROLE_TASK,
                                   .example = "auth-001"},
                                  {.name = "phase",
                                   .doc = "The kind of work requested.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_REQUIRED | HO_OPEN,
                                   .choices = ho_exchange_phases,
                                   .role = HO_ROLE_TASK,
                                   .example = "research"},
                                  {.name = "mode",
                                   .doc = "Which variant of the sub-agent should do it.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_OPEN,
                                   .choices = ho_exchange_modes,
                                   .example = "code"},
                                  {.name = "context",
                                   .doc = "The minimum the sub-agent needs to know.",
                                   .type = HO_T_RECORD,
                                   .flags = HO_REQUIRED,
                                   .record = &context_record},
                                  {.name = "instructions",
                                   .doc = "What to do.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_REQUIRED,
                                   .role = HO_ROLE_NEXT,
                                   .example = "Find existing auth code and patterns for the new JWT feature"},
                                  {.name = "expected_output",
                                   .doc = "The shape of the findings to return.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_REQUIRED | HO_OPEN,
                                   .choices = outputs,
                                   .role = HO_ROLE_CONTRACT,
                                   .example = "structured_findings"},
                                  HO_FIELDS_END};
static const ho_record root = {.name = "request", .fields = fields};

/* The position of a value among choices, or HO_NONE. Phases and outputs are in the same order. */
static size_t place_among(const ho_choice *choices, ho_str value)
{
  for (size_t i = 0; choices[i].value; i++)
    if (ho_str_is(value, choices[i].value))
      return i;
  return HO_NONE;
}

static void check_output_phase(ho_check *check, const ho_rule *rule)
{
  const ho_node *output = ho_check_get(check, "expected_output");
  size_t phase = place_among(ho_exchange_phases, ho_node_str(ho_check_get(check, "phase")));
  size_t place = place_among(outputs, ho_node_str(output));
  if (phase != HO_NONE && place != HO_NONE && phase != place)
    ho_check_fail(check, rule, output, "phase %s returns %s, not %s", ho_exchange_phases[phase].value,
                  outputs[phase].value, outputs[place].value);
}

static void check_tokens(ho_check *check, const ho_rule *rule)
{
  const ho_node *previous = ho_check_get(check, "context.previous_findings");
  size_t tokens = ho_tokens_count(check->env->tokens, ho_node_str(previous));
  size_t words = ho_wording_count(ho_node_str(previous));
  if (tokens > MAX_TOKENS)
    ho_check_fail(check, rule, previous, "has %zu tokens (%s) in %zu word%s; the maximum is %d", tokens,
                  ho_tokens_name(check->env->tokens), words, ho_plural((long long)words), MAX_TOKENS);
}

static const ho_rule rules[] = {
    {.info = {"request-output-phase", HO_WARNING, "expected_output must match the phase.",
              "Use the output that belongs to the phase."},
     .check = check_output_phase},
    {.info = {"request-findings-tokens", HO_ERROR, "previous_findings must have at most 500 tokens.",
              "Summarise: files, patterns and decisions that the next phase needs."},
     .check = check_tokens,
     .fact = true},
    HO_RULES_END};

static const char *const marks[] = {"instructions|expected_output", "task_id|phase|context", NULL};

static const char example[] =
    "{\n"
    "  \"task_id\": \"auth-001\",\n"
    "  \"phase\": \"write\",\n"
    "  \"mode\": \"code\",\n"
    "  \"context\": {\n"
    "    \"feature\": \"jwt-authentication\",\n"
    "    \"spec_path\": \"specs/auth/requirements.md\",\n"
    "    \"relevant_files\": [\n"
    "      \"src/lib/auth.ts\",\n"
    "      \"src/server/routers/user.ts\"\n"
    "    ],\n"
    "    \"constraints\": [\n"
    "      \"Functions of 30 lines at most\"\n"
    "    ],\n"
    "    \"previous_findings\": \"Existing auth at src/lib/auth.ts (sessions). Pattern: src/server/routers/user.ts. No "
    "conflicts.\"\n"
    "  },\n"
    "  \"instructions\": \"Implement login and logout with JWT, tests first\",\n"
    "  \"expected_output\": \"files_changed\"\n"
    "}\n";

static const ho_sending sending = {.kind = HO_SEND_REQUEST,
                                   .task = "task_id",
                                   .phase = "phase",
                                   .subject = "instructions|context.feature",
                                   .files = (const char *const[]){"context.relevant_files", NULL},
                                   .constraints = "context.constraints"};

const ho_format ho_format_request = {
    .name = "request",
    .title = "Request to a sub-agent",
    .doc = "An orchestrator asks a sub-agent for one phase of a task, with the minimum of context.",
    .encoding = HO_JSON,
    .root = &root,
    .rules = rules,
    .file_names = "*.request.json",
    .marks = marks,
    .place = "handoffs/{task_id}-{phase}.request.json",
    .sending = &sending,
    .example = example,
};
