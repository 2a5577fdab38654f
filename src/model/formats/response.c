/* Response of a sub-agent to its orchestrator. */
#include "model/formats/response_findings.h"

#include "model/formats/formats.h"
#include "model/wording.h"

enum { MAX_TOKENS = 500, AIM_TOKENS = 100, LONG_TOKENS = 150 };

static const ho_choice statuses[] = {
    {"complete", "Everything requested is done.", "completed|done|success|finished|succeeded"},
    {"partial", "Part of it is done.", "incomplete"},
    {"blocked", "Nothing more can be done without help.", "needs_escalation"},
    {0}};
static const ho_choice decisions[] = {{"PROCEED", "Continue with the next phase.", "continue|go"},
                                      {"STOP", "Stop and report.", "halt|abort"},
                                      {"CLARIFY", "Ask a person.", "ask|question|clarification"},
                                      {0}};

static const ho_field fields[] = {
    {.name = "task_id",
     .doc = "ID of the task, as in the request.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .role = HO_ROLE_TASK,
     .example = "auth-001"},
    {.name = "phase",
     .doc = "The phase, as in the request.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED | HO_OPEN,
     .choices = ho_exchange_phases,
     .role = HO_ROLE_TASK,
     .example = "research"},
    {.name = "mode",
     .doc = "The mode, as in the request.",
     .type = HO_T_TEXT,
     .flags = HO_OPEN,
     .choices = ho_exchange_modes,
     .example = "code"},
    {.name = "status",
     .doc = "How much of the work is done.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .choices = statuses,
     .role = HO_ROLE_OUTCOME,
     .example = "complete"},
    {.name = "decision",
     .doc = "What the orchestrator should do.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .choices = decisions,
     .role = HO_ROLE_OUTCOME,
     .example = "PROCEED"},
    {.name = "findings",
     .doc = "What was found or made, in the shape of the phase.",
     .type = HO_T_RECORD,
     .flags = HO_REQUIRED | HO_MAY_BE_EMPTY,
     .record = &ho_record_findings,
     .role = HO_ROLE_STATE},
    {.name = "context_summary",
     .doc = "What the next phase needs to know, in about 100 tokens, at most 500.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .role = HO_ROLE_FACTS,
     .example = "Existing auth at src/lib/auth.ts (sessions). No conflicts."},
    {.name = "tokens_used", .doc = "Approximate number of tokens used.", .type = HO_T_INT, .example = "847"},
    {.name = "issues",
     .doc = "Problems; for CLARIFY, the questions.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .role = HO_ROLE_WARNINGS,
     .example = "Coverage below threshold"},
    HO_FIELDS_END};
static const ho_record root = {.name = "response", .fields = fields};

static bool decides(const ho_check *check, const char *decision)
{
  return ho_str_is(ho_node_str(ho_check_get(check, "decision")), decision);
}

static void check_proceed(ho_check *check, const ho_rule *rule)
{
  if (!decides(check, "PROCEED"))
    return;
  const ho_node *decision = ho_check_get(check, "decision");
  const ho_node *obstacle = ho_response_findings_obstacle(ho_check_get(check, "findings"));
  if (obstacle)
    ho_check_fail(check, rule, decision,
                  "is PROCEED, but the findings contain a failed check or an open conflict%s%.*s",
                  obstacle->key.n ? ": " : "", HO_ARG(obstacle->key));
  else if (ho_str_is(ho_node_str(ho_check_get(check, "status")), "blocked"))
    ho_check_fail(check, rule, decision, "is PROCEED, but the status is blocked");
}

static void check_stop(ho_check *check, const ho_rule *rule)
{
  const ho_node *findings = ho_check_get(check, "findings");
  if (decides(check, "STOP") && ho_node_empty(ho_check_get(check, "issues")) &&
      ho_node_empty(ho_map_getz(findings, "issues")) && !ho_response_findings_obstacle(findings))
    ho_check_fail(check, rule, ho_check_get(check, "decision"), "is STOP, but no issue says why");
}

static bool asks(const ho_node *node)
{
  return ho_str_find_char(ho_node_str(node), '?') != HO_NONE;
}

static void check_clarify(ho_check *check, const ho_rule *rule)
{
  if (!decides(check, "CLARIFY") || asks(ho_check_get(check, "context_summary")) ||
      !ho_node_empty(ho_check_get(check, "questions")) || !ho_node_empty(ho_check_get(check, "findings.questions")))
    return;
  HO_EACH_CONST (issue, ho_check_get(check, "issues"))
    if (asks(issue))
      return;
  ho_check_fail(check, rule, ho_check_get(check, "decision"), "is CLARIFY, but there is no question");
}

static size_t summary_tokens(const ho_check *check, const ho_node **summary)
{
  *summary = ho_check_get(check, "context_summary");
  return ho_tokens_count(check->env->tokens, ho_node_str(*summary));
}

static void check_tokens(ho_check *check, const ho_rule *rule)
{
  const ho_node *summary;
  size_t tokens = summary_tokens(check, &summary), words = ho_wording_count(ho_node_str(summary));
  if (tokens > MAX_TOKENS)
    ho_check_fail(check, rule, summary, "has %zu tokens (%s) in %zu word%s; the maximum is %d", tokens,
                  ho_tokens_name(check->env->tokens), words, ho_plural((long long)words), MAX_TOKENS);
}

static void check_aim(ho_check *check, const ho_rule *rule)
{
  const ho_node *summary;
  size_t tokens = summary_tokens(check, &summary), words = ho_wording_count(ho_node_str(summary));
  if (tokens > LONG_TOKENS && tokens <= MAX_TOKENS)
    ho_check_fail(check, rule, summary, "has %zu tokens (%s) in %zu word%s; aim for about %d", tokens,
                  ho_tokens_name(check->env->tokens), words, ho_plural((long long)words), AIM_TOKENS);
}

static void check_raw(ho_check *check, const ho_rule *rule)
{
  const ho_node *summary = ho_check_get(check, "context_summary");
  ho_str found;
  if (ho_wording_raw(ho_node_str(summary), &found))
    ho_check_fail(check, rule, summary, "copies instead of summarising, at '%.*s'", HO_ARG(ho_str_sub(found, 0, 40)));
}

static void check_narration(ho_check *check, const ho_rule *rule)
{
  const ho_node *summary = ho_check_get(check, "context_summary");
  ho_str found;
  if (ho_wording_narration(ho_node_str(summary), &found))
    ho_check_fail(check, rule, summary, "describes how the work went ('%.*s') instead of its result", HO_ARG(found));
}

static void check_facts(ho_check *check, const ho_rule *rule)
{
  const ho_node *summary = ho_check_get(check, "context_summary");
  ho_str text = ho_node_str(summary);
  if (!ho_str_blank(text) && !ho_is_placeholder(text, NULL) && !ho_wording_essential(text))
    ho_check_fail(check, rule, summary, "does not name a file, pattern, decision or result");
}

static const ho_rule rules[] = {
    {.info = {"response-proceed-failed", HO_WARNING, "PROCEED requires that nothing failed and no conflict is open.",
              "Use STOP or CLARIFY, or resolve what failed."},
     .check = check_proceed},
    {.info = {"response-stop-issue", HO_WARNING, "STOP must name the issue that prevents going on.",
              "Add it to issues."},
     .check = check_stop},
    {.info = {"response-clarify-question", HO_WARNING, "CLARIFY must ask a question.", "Add the question to issues."},
     .check = check_clarify},
    {.info = {"response-findings-shape", HO_WARNING, "The findings must have the shape of the phase.",
              "Add what the phase returns."},
     .check = ho_response_findings_check_shape},
    {.info = {"response-findings-phase", HO_WARNING, "The findings must belong to the phase.",
              "Move them to the response for their phase."},
     .check = ho_response_findings_check_phase},
    {.info = {"response-overall-passed", HO_WARNING, "overall_passed must agree with the checks.",
              "Correct overall_passed, or the check."},
     .check = ho_response_findings_check_overall},
    {.info = {"response-tests-count", HO_WARNING, "Test counts must add up.",
              "Set total to passed_count plus failed_count, and passed to true only if none failed."},
     .check = ho_response_findings_check_tests},
    {.info = {"response-aggregation-count", HO_ERROR, "Result counts must add up: total is passed plus failed.",
              "Count the results again."},
     .check = ho_response_findings_check_count,
     .fact = true},
    {.info = {"response-aggregation-rule", HO_ERROR, "overall_passed must follow from the rule and the counts.",
              "Apply the rule: all, any, majority (more than half) or the number that must pass."},
     .check = ho_response_findings_check_rule,
     .fact = true},
    {.info = {"response-summary-tokens", HO_WARNING, "context_summary must have at most 500 tokens.",
              "Keep the files, patterns and decisions that the next phase needs."},
     .check = check_tokens},
    {.info = {"response-summary-aim", HO_NOTE, "context_summary should have about 100 tokens.",
              "Leave out what the next phase does not need."},
     .check = check_aim},
    {.info = {"response-summary-raw", HO_WARNING, "context_summary must not contain raw data or code.",
              "Name the file and say what is in it."},
     .check = check_raw},
    {.info = {"response-summary-narration", HO_WARNING, "context_summary should give results, not how they were found.",
              "Start with the result: 'Existing auth at src/lib/auth.ts'."},
     .check = check_narration},
    {.info = {"response-summary-facts", HO_NOTE, "context_summary should name files, patterns or decisions.",
              "Name what the next phase will work with."},
     .check = check_facts},
    HO_RULES_END};

static const char *const marks[] = {"decision|context_summary", "findings|context_summary|status",
                                    "task_id|phase|findings|context_summary", NULL};

static const char example[] =
    "{\n"
    "  \"task_id\": \"auth-001\",\n"
    "  \"phase\": \"research\",\n"
    "  \"status\": \"complete\",\n"
    "  \"decision\": \"PROCEED\",\n"
    "  \"findings\": {\n"
    "    \"existing_implementations\": [\n"
    "      {\n"
    "        \"file\": \"src/lib/auth.ts\",\n"
    "        \"description\": \"Basic session utils\",\n"
    "        \"relevance\": \"high\"\n"
    "      }\n"
    "    ],\n"
    "    \"conflicts\": [],\n"
    "    \"patterns_found\": [\n"
    "      {\n"
    "        \"file\": \"src/server/routers/user.ts\",\n"
    "        \"pattern\": \"tRPC router with Zod\",\n"
    "        \"recommendation\": \"Follow this\"\n"
    "      }\n"
    "    ],\n"
    "    \"recommendations\": [\n"
    "      \"Extend auth.ts\",\n"
    "      \"Create auth router\"\n"
    "    ]\n"
    "  },\n"
    "  \"context_summary\": \"Existing auth at src/lib/auth.ts (sessions). Pattern: src/server/routers/user.ts. No "
    "conflicts. Extend auth.ts with JWT, create auth router.\",\n"
    "  \"tokens_used\": 847,\n"
    "  \"issues\": []\n"
    "}\n";

static const ho_sending sending = {.kind = HO_SEND_RESPONSE,
                                   .task = "task_id",
                                   .phase = "phase",
                                   .files =
                                       (const char *const[]){"findings.files_created", "findings.files_modified", NULL},
                                   .subject = "issues|context_summary",
                                   .summary = "context_summary",
                                   .answers = &ho_format_request,
                                   .decision = "decision",
                                   .asks = "CLARIFY",
                                   .halts = "STOP"};

/* Whoever asks has questions, whoever is blocked has blockers. */
static const ho_role_when roles[] = {{"issues", "decision", "CLARIFY", HO_ROLE_QUESTIONS},
                                     {"issues", "decision", "STOP", HO_ROLE_BLOCKERS},
                                     {"issues", "status", "blocked", HO_ROLE_BLOCKERS},
                                     {0}};

const ho_format ho_format_response = {
    .name = "response",
    .title = "Response of a sub-agent",
    .doc = "A sub-agent returns its findings, a decision for the orchestrator and a summary for the next phase.",
    .encoding = HO_JSON,
    .root = &root,
    .rules = rules,
    .file_names = "*.response.json",
    .marks = marks,
    .place = "handoffs/{task_id}-{phase}.response.json",
    .sending = &sending,
    .roles = roles,
    .example = example,
};
