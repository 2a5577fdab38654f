/* Return metadata: what an agent reports, when it stops, to whoever started it. */
#include "model/check.h"
#include "model/formats/formats.h"
#include "model/formats/place.h"
#include "model/formats/times.h"
#include "model/lex.h"

static const ho_choice statuses[] = {
    {"in_progress", "The agent is working; if this is all it left, it was interrupted.",
     "started|running|initializing|working|implementing|researching|planning"},
    {"researched", "A report is written.", "report_written|research_done|research_complete|research_completed"},
    {"planned", "A plan is written.", "plan_written|plan_created|plan_complete|revised|plan_revised|revision_complete"},
    {"implemented", "The work is done.",
     "completed|complete|done|success|finished|succeeded|successful|implementation_complete|synced|linked|committed|"
     "tasks_created"},
    {"partial", "Some of the work is done; partial_progress says how much.",
     "partially_complete|incomplete|partial_success|partially_implemented|partially_completed"},
    {"failed", "The work cannot be done.", "failure|error"},
    {"blocked", "Something external must change first.", "stuck"},
    {0},
};

static const ho_choice artifact_types[] = {
    {"report", "A research report.", "research|research_report"},
    {"plan", "A plan.", "implementation_plan"},
    {"summary", "A summary of what was done.", NULL},
    {"implementation", "A file of the work itself.", NULL},
    {"handoff", "A phase handoff for a successor.", NULL},
    {0},
};

static const ho_choice categories[] = {
    {"TECHNIQUE", "A way to do something.", NULL},
    {"PATTERN", "Something that recurs.", NULL},
    {"CONFIG", "A setting.", NULL},
    {"WORKFLOW", "An order of steps.", NULL},
    {"INSIGHT", "A fact that is not obvious.", NULL},
    {0},
};

static const ho_field artifact_fields[] = {
    {.name = "type",
     .doc = "What kind of file it is.",
     .type = HO_T_TEXT,
     .flags = HO_EXPECTED | HO_OPEN,
     .aliases = "kind",
     .choices = artifact_types,
     .example = "handoff"},
    {.name = "path",
     .doc = "The file, from the project's root.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .aliases = "file|artifact_path",
     .syntax = &ho_syntax_RELATIVE,
     .example = "specs/259_prove_completeness/handoffs/phase-3-handoff-20260212T143022Z.md"},
    {.name = "summary",
     .doc = "What is in it, in one sentence.",
     .type = HO_T_TEXT,
     .flags = HO_EXPECTED,
     .aliases = "description",
     .example = "Handoff of phase 3 with the goal state"},
    HO_FIELDS_END,
};

static const ho_record artifact = {.name = "artifact", .fields = artifact_fields, .scalar = "path", .map_key = "type"};

/* In real files, phase numbers may be lists or fractions; rule meta-phases-count reports those. */
#define PHASES_COMPLETED                                                                                               \
  {                                                                                                                    \
    .name = "phases_completed", .doc = "How many phases of the plan are done.", .type = HO_T_ANY, .example = "2"       \
  }
#define PHASES_TOTAL                                                                                                   \
  {                                                                                                                    \
    .name = "phases_total", .doc = "How many phases the plan has.", .type = HO_T_INT, .example = "4"                   \
  }

static const ho_field progress_fields[] = {
    {.name = "stage",
     .doc = "How far the agent is, in a word: initializing, phase_2_completed, context_exhaustion_handoff.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .example = "context_exhaustion_handoff"},
    {.name = "details",
     .doc = "The same in a sentence.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .aliases = "detail|description",
     .example = "Approaching the context limit; the handoff holds the proof state"},
    {.name = "handoff_path",
     .doc = "The handoff that a successor starts from, from the project's root.",
     .type = HO_T_TEXT,
     .aliases = "handoff",
     .syntax = &ho_syntax_RELATIVE,
     .example = "specs/259_prove_completeness/handoffs/phase-3-handoff-20260212T143022Z.md"},
    PHASES_COMPLETED,
    PHASES_TOTAL,
    HO_FIELDS_END,
};

static const ho_record progress = {.name = "partial_progress", .fields = progress_fields, .scalar = "details"};

static const ho_field metadata_fields[] = {
    {.name = "session_id",
     .doc = "The session that the work belongs to, kept along a chain of successors.",
     .type = HO_T_TEXT,
     .flags = HO_EXPECTED,
     .aliases = "session",
     .role = HO_ROLE_TASK,
     .example = "sess_1770906622_a1b2c3"},
    {.name = "agent_type",
     .doc = "The kind of agent that did the work.",
     .type = HO_T_TEXT,
     .flags = HO_EXPECTED,
     .aliases = "agent",
     .example = "general-implementation-agent"},
    {.name = "delegation_depth",
     .doc = "How many agents are between this one and the person who asked.",
     .type = HO_T_INT,
     .flags = HO_EXPECTED,
     .example = "1"},
    {.name = "delegation_path",
     .doc = "Who started whom, from the outermost to this agent.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .flags = HO_EXPECTED,
     .role = HO_ROLE_PARTIES,
     .example = "orchestrator"},
    {.name = "duration_seconds", .doc = "How long it took.", .type = HO_T_NUMBER, .example = "1800"},
    {.name = "findings_count", .doc = "How many findings a report has.", .type = HO_T_INT, .example = "7"},
    PHASES_COMPLETED,
    PHASES_TOTAL,
    {.name = "phase_count", .doc = "How many phases a new plan has.", .type = HO_T_INT, .example = "4"},
    {.name = "estimated_hours", .doc = "How long a new plan may take.", .type = HO_T_ANY, .example = "5"},
    {.name = "dependency_waves",
     .doc = "Which phases of a new plan can run in parallel.",
     .type = HO_T_ANY,
     .example = "[[1], [2, 3]]"},
    HO_FIELDS_END,
};

static const ho_record metadata = {.name = "metadata", .fields = metadata_fields};

static const ho_field completion_fields[] = {
    {.name = "completion_summary",
     .doc = "What was done, in one to three sentences.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .aliases = "summary",
     .example = "Proved the extension theorem in four phases"},
    {.name = "roadmap_items",
     .doc = "Roadmap items that this completes.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .example = "Prove completeness"},
    {.name = "claudemd_suggestions",
     .doc = "What to add to the project's instructions for agents, or none.",
     .type = HO_T_ANY,
     .example = "none"},
    HO_FIELDS_END,
};

static const ho_record completion = {
    .name = "completion_data", .fields = completion_fields, .scalar = "completion_summary"};

static const ho_field error_fields[] = {
    {.name = "type",
     .doc = "Kind of error, in one word.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .example = "missing_dependency"},
    {.name = "message",
     .doc = "What happened.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .aliases = "description",
     .example = "The lemma library is not built"},
    {.name = "recoverable",
     .doc = "Whether the work can continue once it is dealt with.",
     .type = HO_T_BOOL,
     .flags = HO_EXPECTED,
     .example = "true"},
    {.name = "recommendation",
     .doc = "What to do about it.",
     .type = HO_T_TEXT,
     .flags = HO_EXPECTED,
     .example = "Build the library, then start again"},
    HO_FIELDS_END,
};

static const ho_record error = {.name = "error", .fields = error_fields, .scalar = "message"};

static const ho_field memory_fields[] = {
    {.name = "content",
     .doc = "What is worth remembering.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .example = "Structural goals need rcases before simp"},
    {.name = "category",
     .doc = "What kind of knowledge it is.",
     .type = HO_T_TEXT,
     .flags = HO_OPEN,
     .choices = categories,
     .example = "TECHNIQUE"},
    {.name = "source_artifact",
     .doc = "The file it comes from, from the project's root.",
     .type = HO_T_TEXT,
     .syntax = &ho_syntax_RELATIVE,
     .example = "specs/259_prove_completeness/reports/research-001.md"},
    {.name = "confidence", .doc = "How certain it is, from 0 to 1.", .type = HO_T_NUMBER, .example = "0.8"},
    {.name = "suggested_keywords",
     .doc = "Words under which to find it.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .aliases = "keywords|tags",
     .example = "rcases"},
    HO_FIELDS_END,
};

static const ho_record memory = {.name = "memory_candidate", .fields = memory_fields, .scalar = "content"};

static const ho_field fields[] = {
    {.name = "status",
     .doc = "How it ended. Say what was completed; 'completed' alone is not a status.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .choices = statuses,
     .role = HO_ROLE_OUTCOME,
     .example = "partial"},
    {.name = "summary",
     .doc = "What was done, in a few sentences.",
     .type = HO_T_TEXT,
     .role = HO_ROLE_FACTS,
     .example = "Phases 1 and 2 are proved; phase 3 is at its last case"},
    {.name = "task_number",
     .doc = "The task.",
     .type = HO_T_ID,
     .aliases = "task",
     .role = HO_ROLE_TASK,
     .example = "259"},
    {.name = "task_slug",
     .doc = "The task's slug, as in the name of its folder.",
     .type = HO_T_TEXT,
     .syntax = &ho_syntax_SLUG,
     .example = "prove_completeness"},
    {.name = "started_at",
     .doc = "When the agent began.",
     .type = HO_T_TEXT,
     .syntax = &ho_syntax_TIME,
     .example = "2026-02-12T10:30:00Z"},
    {.name = "completed_at",
     .doc = "When the agent stopped.",
     .type = HO_T_TEXT,
     .aliases = "finished_at|ended_at",
     .syntax = &ho_syntax_TIME,
     .example = "2026-02-12T14:30:22Z"},
    {.name = "artifacts",
     .doc = "Every file that was made; an empty list if there is none.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .flags = HO_EXPECTED | HO_MAY_BE_EMPTY,
     .record = &artifact,
     .role = HO_ROLE_REFERENCES},
    {.name = "partial_progress",
     .doc = "How far the work is, while it is in progress or partial.",
     .type = HO_T_RECORD,
     .record = &progress,
     .role = HO_ROLE_STATE},
    {.name = "completion_data",
     .doc = "Summary of work that is implemented.",
     .type = HO_T_RECORD,
     .record = &completion},
    {.name = "next_steps",
     .doc = "What should happen next.",
     .type = HO_T_TEXT,
     .aliases = "next_step|next_action_hint",
     .role = HO_ROLE_NEXT,
     .example = "Start a successor with the handoff"},
    {.name = "requires_user_review",
     .doc = "Whether a person must review it before work continues.",
     .type = HO_T_BOOL,
     .fallback = "false",
     .example = "false"},
    {.name = "review_reason",
     .doc = "What the person must decide.",
     .type = HO_T_TEXT,
     .role = HO_ROLE_QUESTIONS,
     .example = "The specification contradicts itself in section 2"},
    {.name = "errors",
     .doc = "What went wrong.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .record = &error,
     .role = HO_ROLE_BLOCKERS},
    {.name = "memory_candidates",
     .doc = "What later work should know, at most three.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .record = &memory,
     .max = 3,
     .role = HO_ROLE_PATTERNS},
    {.name = "metadata",
     .doc = "Who did the work and on whose behalf.",
     .type = HO_T_RECORD,
     .flags = HO_EXPECTED,
     .record = &metadata},
    PHASES_COMPLETED,
    PHASES_TOTAL,
    {.name = "session_id",
     .doc = "Belongs in metadata.",
     .type = HO_T_TEXT,
     .home = "metadata",
     .example = "sess_1770906622_a1b2c3"},
    {.name = "agent_type",
     .doc = "Belongs in metadata.",
     .type = HO_T_TEXT,
     .home = "metadata",
     .example = "planner-agent"},
    {.name = "delegation_depth", .doc = "Belongs in metadata.", .type = HO_T_INT, .home = "metadata", .example = "1"},
    {.name = "delegation_path",
     .doc = "Belongs in metadata.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .home = "metadata",
     .example = "orchestrator"},
    {.name = "verification", .doc = "What was checked, and how it went.", .type = HO_T_ANY, .example = "passed"},
    {.name = "plan_metadata", .doc = "Figures of a new plan.", .type = HO_T_ANY, .example = "none"},
    {.name = "continuation_context",
     .doc = "What a successor was told about its predecessors.",
     .type = HO_T_ANY,
     .example = "none"},
    {.name = "team_execution", .doc = "How the team worked together.", .type = HO_T_ANY, .example = "none"},
    {.name = "teammate_results", .doc = "How each teammate ended.", .type = HO_T_ANY, .example = "none"},
    {.name = "synthesis", .doc = "How the teammates' results were combined.", .type = HO_T_ANY, .example = "none"},
    HO_FIELDS_END,
};

static const ho_record root = {.name = "meta", .fields = fields};

static void check_handoff_listed(ho_check *check, const ho_rule *rule)
{
  const ho_node *path = ho_check_get(check, "partial_progress.handoff_path");
  if (ho_node_empty(path)) {
    return;
  }
  HO_EACH_CONST (item, ho_check_get(check, "artifacts")) {
    if (ho_str_is(ho_map_str(item, "type"), "handoff") && ho_str_eq(ho_map_str(item, "path"), ho_node_str(path))) {
      return;
    }
  }
  ho_check_fail(check, rule, path, "no artifact of type handoff has this path");
}

static void check_handoff_status(ho_check *check, const ho_rule *rule)
{
  ho_str status = ho_node_str(ho_check_get(check, "status"));
  if (!ho_node_empty(ho_check_get(check, "partial_progress.handoff_path")) && status.n &&
      !ho_str_list_has("partial|in_progress", status)) {
    ho_check_fail(check, rule, ho_check_get(check, "status"), "is '%.*s', but a handoff was written",
                  HO_ARG(ho_str_sub(status, 0, 80)));
  }
}

/* The session of a teammate, as `run` sets it: R-2026-001-1. */
static bool is_run_session(ho_str text)
{
  return ho_lex_word(&text, "R-") && ho_lex_digits(&text) >= 4 && ho_lex_any(&text, "-") && ho_lex_digits(&text) >= 3 &&
         ho_lex_any(&text, "-") && text.n > 0;
}

/* sess_, ten digits of seconds, and something that distinguishes sessions of the same second. */
static bool is_session(ho_str text)
{
  if (is_run_session(text))
    return true;
  return ho_lex_word(&text, "sess_") && ho_lex_digits(&text) >= 10 && ho_lex_any(&text, "_") && text.n > 0;
}

static void check_session(ho_check *check, const ho_rule *rule)
{
  static const char *const places[] = {"metadata.session_id", "session_id"};
  for (size_t i = 0; i < HO_COUNT(places); i++) {
    const ho_node *session = ho_check_get(check, places[i]);
    if (ho_node_is(session, HO_KIND_TEXT) && session->text.n && !is_session(session->text)) {
      ho_check_fail(check, rule, session, "expected sess_, seconds and a suffix, found '%.*s'",
                    HO_ARG(ho_str_sub(session->text, 0, 80)));
    }
  }
}

static const char *const phase_records[] = {"", "metadata", "partial_progress"};

static void check_phases_count(ho_check *check, const ho_rule *rule)
{
  for (size_t i = 0; i < HO_COUNT(phase_records); i++) {
    const ho_node *done =
        ho_map_getz(*phase_records[i] ? ho_check_get(check, phase_records[i]) : check->root, "phases_completed");
    long long count;
    if (!ho_node_absent(done) && (!ho_node_to_int(done, &count) || count < 0)) {
      ho_check_fail(check, rule, done, "expected a count, found %s %.*s", ho_kind_name((ho_kind)done->kind),
                    HO_ARG(ho_str_sub(done->text, 0, 80)));
    }
  }
}

static void check_phases_total(ho_check *check, const ho_rule *rule)
{
  for (size_t i = 0; i < HO_COUNT(phase_records); i++) {
    const ho_node *record = *phase_records[i] ? ho_check_get(check, phase_records[i]) : check->root;
    const ho_node *done = ho_map_getz(record, "phases_completed");
    long long count, total;
    if (ho_node_to_int(done, &count) && ho_node_to_int(ho_map_getz(record, "phases_total"), &total) && count > total) {
      ho_check_fail(check, rule, done, "%lld of %lld phase%s %s completed", count, total, ho_plural(total),
                    ho_plural_of(count, "is", "are"));
    }
  }
}

static void check_confidence(ho_check *check, const ho_rule *rule)
{
  HO_EACH_CONST (item, ho_check_get(check, "memory_candidates")) {
    const ho_node *confidence = ho_map_getz(item, "confidence");
    if (!ho_node_is(confidence, HO_KIND_NUMBER)) {
      continue;
    }
    double value = strtod(ho_arena_z(check->report->arena, confidence->text), NULL);
    if (!(value >= 0 && value <= 1)) {
      ho_check_fail(check, rule, confidence, "expected 0 to 1, found %.*s", HO_ARG(confidence->text));
    }
  }
}

static void check_top_level(ho_check *check, const ho_rule *rule)
{
  for (const ho_field *field = fields; field->name; field++) {
    const ho_node *node = field->home ? ho_map_getz(check->root, field->name) : NULL;
    if (!ho_node_absent(node)) {
      ho_check_fail(check, rule, node, "belongs in %s", field->home);
    }
  }
}

static void check_time_order(ho_check *check, const ho_rule *rule)
{
  ho_times_check_order(check, rule, "started_at", "completed_at");
}

/* Metadata may be requested at any path; only under its usual name does its folder matter. */
static void check_place(ho_check *check, const ho_rule *rule)
{
  ho_str path = check->env->path, task = ho_node_str(ho_check_get(check, "task_number"));
  if (!ho_place_known(path) || !ho_str_starts(ho_place_name(path), ".return-meta")) {
    return;
  }
  const char *problem = ho_place_problem(path, NULL);
  ho_str number = ho_place_task(path);
  if (problem) {
    ho_check_fail(check, rule, NULL, "the file %s", problem);
  }
  if (number.n && task.n && !ho_str_eq(task, number)) {
    ho_check_fail(check, rule, ho_check_get(check, "task_number"), "is %.*s, the folder says %.*s", HO_ARG(task),
                  HO_ARG(number));
  }
}

static const ho_rule rules[] = {
    {.info = {"meta-partial-progress", HO_ERROR, "A partial result must say how far it got.",
              "Add partial_progress with stage and details."},
     .when = "status",
     .in = "partial",
     .require = "partial_progress"},
    {.info = {"meta-in-progress", HO_WARNING, "Work in progress must say when it began and how far it is.",
              "Add started_at and partial_progress."},
     .when = "status",
     .in = "in_progress",
     .require = "started_at|partial_progress"},
    {.info = {"meta-handoff-path", HO_ERROR, "An exhausted agent must name the handoff it wrote.",
              "Add partial_progress.handoff_path."},
     .when = "partial_progress.stage",
     .in = "context_exhaustion_handoff",
     .require = "partial_progress.handoff_path"},
    {.info = {"meta-handoff-listed", HO_WARNING, "The handoff must be listed in the artifacts.",
              "Add an artifact of type handoff with the same path."},
     .check = check_handoff_listed},
    {.info = {"meta-handoff-status", HO_WARNING, "An agent that hands off must return partial.",
              "Set status to partial."},
     .check = check_handoff_status},
    {.info = {"meta-review-reason", HO_ERROR, "A request for review must say why.", "Add review_reason."},
     .when = "requires_user_review",
     .in = "true",
     .require = "review_reason"},
    {.info = {"meta-completion-data", HO_WARNING, "Implemented work must be summarised.",
              "Add completion_data with completion_summary."},
     .when = "status",
     .in = "implemented",
     .require = "completion_data"},
    {.info = {"meta-errors", HO_WARNING, "Failed and blocked work must say what is wrong.",
              "Add errors with type, message, recoverable and recommendation."},
     .when = "status",
     .in = "failed|blocked",
     .require = "errors"},
    {.info = {"meta-session-form", HO_WARNING, "A session id must be sess_, seconds since 1970 and a suffix.",
              "Write it like sess_1770906622_a1b2c3."},
     .check = check_session},
    {.info = {"meta-phases-count", HO_WARNING, "phases_completed must be a whole number.",
              "Write how many are done, as a number."},
     .check = check_phases_count},
    {.info = {"meta-phases-total", HO_ERROR, "phases_completed must not exceed phases_total.", "Correct the numbers."},
     .check = check_phases_total,
     .aside = true},
    {.info = {"meta-confidence", HO_ERROR, "A confidence must be between 0 and 1.", "Write it like 0.8."},
     .check = check_confidence,
     .aside = true},
    {.info = {"meta-top-level", HO_WARNING, "Session, agent and delegation belong in metadata.",
              "Move the key into metadata."},
     .check = check_top_level},
    {.info = {"meta-time-order", HO_ERROR, "completed_at must not be before started_at.", "Correct the times."},
     .check = check_time_order,
     .aside = true},
    {.info = {"meta-place", HO_WARNING,
              "The file must be in its task's folder specs/{N}_{SLUG}/, N without leading zeros.",
              "Move the file to its task's folder."},
     .check = check_place},
    HO_RULES_END,
};

static const char *const marks[] = {
    "status", "partial_progress|completion_data|delegation_path|requires_user_review|metadata", NULL};

const ho_format ho_format_meta = {
    .name = "meta",
    .title = "Return metadata",
    .doc = "What an agent returns when it stops: how it ended, which files it made, how far the work is, and where its "
           "handoff is.",
    .encoding = HO_JSON,
    .root = &root,
    .rules = rules,
    .file_names = ".return-meta.json|.return-meta-*.json|*-return-meta.json",
    .marks = marks,
    .place = "specs/{task}_{slug}/.return-meta.json",
    .example = "{\n"
               "  \"status\": \"partial\",\n"
               "  \"started_at\": \"2026-02-12T10:30:00Z\",\n"
               "  \"artifacts\": [\n"
               "    {\n"
               "      \"type\": \"handoff\",\n"
               "      \"path\": \"specs/259_prove_completeness/handoffs/phase-3-handoff-20260212T143022Z.md\",\n"
               "      \"summary\": \"Handoff of phase 3 with the goal state\"\n"
               "    }\n"
               "  ],\n"
               "  \"partial_progress\": {\n"
               "    \"stage\": \"context_exhaustion_handoff\",\n"
               "    \"details\": \"Approaching the context limit; the handoff holds the proof state\",\n"
               "    \"handoff_path\": \"specs/259_prove_completeness/handoffs/phase-3-handoff-20260212T143022Z.md\",\n"
               "    \"phases_completed\": 2,\n"
               "    \"phases_total\": 4\n"
               "  },\n"
               "  \"next_steps\": \"Start a successor with the handoff\",\n"
               "  \"metadata\": {\n"
               "    \"session_id\": \"sess_1770906622_a1b2c3\",\n"
               "    \"agent_type\": \"general-implementation-agent\",\n"
               "    \"delegation_depth\": 1,\n"
               "    \"delegation_path\": [\"orchestrator\", \"implement\", \"general-implementation-agent\"]\n"
               "  }\n"
               "}\n",
};
