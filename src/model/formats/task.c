/* Structured task handoff, schema version 1.0. */
#include "model/formats/formats.h"
#include "model/formats/task.h"

static const ho_choice outcomes[] = {
    {.value = "completed", .doc = "All acceptance criteria are met.", .synonyms = "complete|done|success|succeeded"},
    {.value = "partial", .doc = "Some criteria are met; the work can continue.", .synonyms = "incomplete|in_progress"},
    {.value = "failed", .doc = "It could not be completed; someone must step in.", .synonyms = "failure|fail"},
    {.value = "blocked", .doc = "Something external prevents completion.", .synonyms = "block"},
    {0}};

static const ho_choice changes[] = {
    {.value = "add", .doc = "Something was added.", .synonyms = "added|create|created|new"},
    {.value = "modify", .doc = "It was changed.", .synonyms = "modified|update|updated|edit|edited|change|changed"},
    {.value = "delete", .doc = "Something was removed.", .synonyms = "deleted|remove|removed"},
    {.value = "refactor", .doc = "Same behaviour in another form.", .synonyms = "refactored"},
    {0}};

static const ho_choice levels[] = {{.value = "high", .doc = "First.", .synonyms = "critical"},
                                   {.value = "medium", .doc = "Soon.", .synonyms = "med|moderate|normal"},
                                   {.value = "low", .doc = "When there is time.", .synonyms = "minor"},
                                   {0}};

#define PATH_FIELD(field_doc, sample)                                                                                  \
  {                                                                                                                    \
    .name = "path", .doc = field_doc, .type = HO_T_TEXT, .flags = HO_REQUIRED, .aliases = "file",                      \
    .syntax = &ho_syntax_RELATIVE, .role = HO_ROLE_STATE, .example = sample                                            \
  }

static const ho_field created_fields[] = {PATH_FIELD("Path relative to the project root.", "src/auth/jwt.ts"),
                                          {.name = "purpose",
                                           .doc = "What this file does, in one sentence.",
                                           .type = HO_T_TEXT,
                                           .flags = HO_EXPECTED,
                                           .aliases = "description",
                                           .role = HO_ROLE_STATE,
                                           .example = "Issues and checks tokens"},
                                          {.name = "lines",
                                           .doc = "Lines as N-M, or all.",
                                           .type = HO_T_TEXT,
                                           .flags = HO_EXPECTED,
                                           .syntax = &ho_syntax_LINES,
                                           .role = HO_ROLE_STATE,
                                           .example = "1-150"},
                                          HO_FIELDS_END};
static const ho_record created_record = {
    .name = "created file", .fields = created_fields, .scalar = "path", .map_key = "path"};

static const ho_field modified_fields[] = {PATH_FIELD("Path relative to the project root.", "src/config/database.ts"),
                                           {.name = "lines",
                                            .doc = "Lines affected, as N-M, or all.",
                                            .type = HO_T_TEXT,
                                            .flags = HO_EXPECTED,
                                            .syntax = &ho_syntax_LINES,
                                            .role = HO_ROLE_STATE,
                                            .example = "45-67"},
                                           {.name = "change_type",
                                            .doc = "What kind of change.",
                                            .type = HO_T_TEXT,
                                            .flags = HO_EXPECTED,
                                            .aliases = "type|change",
                                            .choices = changes,
                                            .role = HO_ROLE_STATE,
                                            .example = "add"},
                                           {.name = "description",
                                            .doc = "What changed and why.",
                                            .type = HO_T_TEXT,
                                            .flags = HO_EXPECTED,
                                            .aliases = "purpose",
                                            .role = HO_ROLE_STATE,
                                            .example = "Added settings of the connection pool"},
                                           HO_FIELDS_END};
static const ho_record modified_record = {
    .name = "modified file", .fields = modified_fields, .scalar = "path", .map_key = "path"};

static const ho_field pattern_fields[] = {{.name = "id",
                                           .doc = "Stable id; made from the text if absent.",
                                           .type = HO_T_TEXT,
                                           .flags = HO_GENERATED,
                                           .example = "pattern-1a2b3c4d"},
                                          {.name = "pattern",
                                           .doc = "The pattern in one sentence.",
                                           .type = HO_T_TEXT,
                                           .flags = HO_REQUIRED,
                                           .role = HO_ROLE_PATTERNS,
                                           .example = "Use AuthContext.getCurrentUser() for user state"},
                                          {.name = "location",
                                           .doc = "Where it is used or defined.",
                                           .type = HO_T_TEXT,
                                           .flags = HO_EXPECTED,
                                           .role = HO_ROLE_PATTERNS,
                                           .example = "src/context/AuthContext.tsx"},
                                          {.name = "applies_to",
                                           .doc = "Tags that say when to use it.",
                                           .type = HO_T_LIST,
                                           .item = HO_T_TEXT,
                                           .flags = HO_EXPECTED,
                                           .aliases = "tags",
                                           .syntax = &ho_syntax_TAG,
                                           .role = HO_ROLE_PATTERNS,
                                           .example = "user-state"},
                                          HO_FIELDS_END};
static const ho_record pattern_record = {.name = "pattern", .fields = pattern_fields, .scalar = "pattern"};

static const ho_field gotcha_fields[] = {{.name = "id",
                                          .doc = "Stable id; made from the text if absent.",
                                          .type = HO_T_TEXT,
                                          .flags = HO_GENERATED,
                                          .example = "gotcha-1a2b3c4d"},
                                         {.name = "issue",
                                          .doc = "What is not as expected, in one sentence.",
                                          .type = HO_T_TEXT,
                                          .flags = HO_REQUIRED,
                                          .aliases = "gotcha",
                                          .role = HO_ROLE_WARNINGS,
                                          .example = "The rate limit is 100 per minute, not 1000 as documented"},
                                         {.name = "discovered_in",
                                          .doc = "Where or how it was found.",
                                          .type = HO_T_TEXT,
                                          .flags = HO_EXPECTED,
                                          .role = HO_ROLE_WARNINGS,
                                          .example = "Integration of the payment service"},
                                         {.name = "mitigation",
                                          .doc = "How to avoid or handle it.",
                                          .type = HO_T_TEXT,
                                          .flags = HO_EXPECTED,
                                          .aliases = "workaround|fix",
                                          .role = HO_ROLE_WARNINGS,
                                          .example = "Retry with exponential backoff"},
                                         {.name = "severity",
                                          .doc = "How much it matters.",
                                          .type = HO_T_TEXT,
                                          .flags = HO_EXPECTED,
                                          .choices = levels,
                                          .role = HO_ROLE_WARNINGS,
                                          .example = "high"},
                                         HO_FIELDS_END};
static const ho_record gotcha_record = {.name = "gotcha", .fields = gotcha_fields, .scalar = "issue"};

static const ho_field dependency_fields[] = {{.name = "file",
                                              .doc = "Path that the next agent should read.",
                                              .type = HO_T_TEXT,
                                              .flags = HO_REQUIRED,
                                              .aliases = "path",
                                              .syntax = &ho_syntax_RELATIVE,
                                              .role = HO_ROLE_REFERENCES,
                                              .example = "src/auth/jwt.ts"},
                                             {.name = "reason",
                                              .doc = "Why it is needed.",
                                              .type = HO_T_TEXT,
                                              .flags = HO_EXPECTED,
                                              .role = HO_ROLE_REFERENCES,
                                              .example = "Protected routes check their tokens with it"},
                                             HO_FIELDS_END};
static const ho_record dependency_record = {
    .name = "dependency", .fields = dependency_fields, .scalar = "file", .map_key = "file"};

static const ho_field question_fields[] = {{.name = "question",
                                            .doc = "What is unresolved.",
                                            .type = HO_T_TEXT,
                                            .flags = HO_REQUIRED,
                                            .role = HO_ROLE_QUESTIONS,
                                            .example = "Should refresh tokens live in cookies or local storage?"},
                                           {.name = "context",
                                            .doc = "Why it matters.",
                                            .type = HO_T_TEXT,
                                            .role = HO_ROLE_QUESTIONS,
                                            .example = "Security against convenience"},
                                           {.name = "recommendation",
                                            .doc = "What the agent would answer.",
                                            .type = HO_T_TEXT,
                                            .role = HO_ROLE_QUESTIONS,
                                            .example = "httpOnly cookies"},
                                           {.name = "blocking",
                                            .doc = "Whether it blocks the next tasks.",
                                            .type = HO_T_BOOL,
                                            .role = HO_ROLE_QUESTIONS,
                                            .fallback = "false",
                                            .example = "false"},
                                           HO_FIELDS_END};
static const ho_record question_record = {.name = "question", .fields = question_fields, .scalar = "question"};

static const ho_field step_fields[] = {{.name = "step",
                                        .doc = "What should happen next.",
                                        .type = HO_T_TEXT,
                                        .flags = HO_REQUIRED,
                                        .role = HO_ROLE_NEXT,
                                        .example = "Write the middleware for protected routes"},
                                       {.name = "priority",
                                        .doc = "How urgent it is.",
                                        .type = HO_T_TEXT,
                                        .flags = HO_EXPECTED,
                                        .choices = levels,
                                        .role = HO_ROLE_NEXT,
                                        .example = "high"},
                                       {.name = "depends_on",
                                        .doc = "Files or components that it builds on.",
                                        .type = HO_T_LIST,
                                        .item = HO_T_TEXT,
                                        .role = HO_ROLE_NEXT,
                                        .example = "jwt.ts"},
                                       HO_FIELDS_END};
static const ho_record step_record = {.name = "next step", .fields = step_fields, .scalar = "step"};

static const ho_field blocker_fields[] = {{.name = "blocker",
                                           .doc = "What blocks the work.",
                                           .type = HO_T_TEXT,
                                           .flags = HO_REQUIRED,
                                           .aliases = "description",
                                           .role = HO_ROLE_BLOCKERS,
                                           .example = "No credentials for the payment service"},
                                          {.name = "impact",
                                           .doc = "What cannot be done.",
                                           .type = HO_T_TEXT,
                                           .flags = HO_EXPECTED,
                                           .role = HO_ROLE_BLOCKERS,
                                           .example = "Payments cannot be tested"},
                                          {.name = "suggested_resolution",
                                           .doc = "What would remove it.",
                                           .type = HO_T_TEXT,
                                           .aliases = "resolution",
                                           .role = HO_ROLE_BLOCKERS,
                                           .example = "Ask the owner of the account"},
                                          {.name = "blocking_tasks",
                                           .doc = "IDs of the tasks that it blocks.",
                                           .type = HO_T_LIST,
                                           .item = HO_T_TEXT,
                                           .aliases = "blocks",
                                           .role = HO_ROLE_BLOCKERS,
                                           .example = "task-005"},
                                          HO_FIELDS_END};
static const ho_record blocker_record = {.name = "blocker", .fields = blocker_fields, .scalar = "blocker"};

static const ho_field file_fields[] = {{.name = "id",
                                        .doc = "ID of the task, from the title of its file.",
                                        .type = HO_T_ID,
                                        .role = HO_ROLE_TASK,
                                        .example = "task-004"},
                                       {.name = "name",
                                        .doc = "Name of the task, from the title of its file.",
                                        .type = HO_T_TEXT,
                                        .role = HO_ROLE_TASK,
                                        .example = "Issue tokens"},
                                       {.name = "metadata",
                                        .label = "Metadata",
                                        .doc = "Priority, status and the like.",
                                        .type = HO_T_TEXT,
                                        .flags = HO_EXPECTED,
                                        .shape = HO_SHAPE_TEXT,
                                        .example = "| Priority | high |"},
                                       {.name = "objective",
                                        .label = "Objective",
                                        .doc = "What the task is for.",
                                        .type = HO_T_TEXT,
                                        .flags = HO_EXPECTED,
                                        .aliases = "description|goal",
                                        .shape = HO_SHAPE_TEXT,
                                        .example = "Users stay signed in for a day."},
                                       {.name = "acceptance_criteria",
                                        .label = "Acceptance Criteria",
                                        .doc = "When the task is done.",
                                        .type = HO_T_TEXT,
                                        .flags = HO_EXPECTED,
                                        .shape = HO_SHAPE_TEXT,
                                        .example = "- [x] Expired tokens are refused"},
                                       {.name = "context_provided",
                                        .label = "Context Provided",
                                        .doc = "What the agent was given.",
                                        .type = HO_T_TEXT,
                                        .flags = HO_EXPECTED,
                                        .shape = HO_SHAPE_TEXT,
                                        .example = "docs/auth.md"},
                                       {.name = "execution_log",
                                        .label = "Execution Log",
                                        .doc = "What was done, step by step.",
                                        .type = HO_T_TEXT,
                                        .flags = HO_EXPECTED,
                                        .shape = HO_SHAPE_TEXT,
                                        .example = "- Wrote src/auth/jwt.ts"},
                                       {.name = "completed",
                                        .doc = "Time of the closing line.",
                                        .type = HO_T_TEXT,
                                        .flags = HO_EXPECTED,
                                        .example = "2026-02-12T14:30:22Z"},
                                       HO_FIELDS_END};
const ho_record ho_task_file_record = {.name = "task file", .fields = file_fields};

#define RECORDS(key, field_doc, of, field_role)                                                                        \
  {                                                                                                                    \
    .name = key, .doc = field_doc, .type = HO_T_LIST, .item = HO_T_RECORD, .record = &of, .role = field_role           \
  }

static const ho_field fields[] = {
    {.name = "outcome",
     .doc = "How the task ended.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .aliases = "status",
     .choices = outcomes,
     .role = HO_ROLE_OUTCOME,
     .example = "completed"},
    RECORDS("files_created", "Files that are new.", created_record, HO_ROLE_STATE),
    RECORDS("files_modified", "Files that were changed.", modified_record, HO_ROLE_STATE),
    RECORDS("patterns_discovered", "How things are done here.", pattern_record, HO_ROLE_PATTERNS),
    RECORDS("gotchas", "What is not as expected.", gotcha_record, HO_ROLE_WARNINGS),
    RECORDS("dependencies_for_next", "What the next agent should read.", dependency_record, HO_ROLE_REFERENCES),
    RECORDS("open_questions", "What is unresolved.", question_record, HO_ROLE_QUESTIONS),
    RECORDS("suggested_next_steps", "What should happen next.", step_record, HO_ROLE_NEXT),
    RECORDS("blockers", "What blocks the work.", blocker_record, HO_ROLE_BLOCKERS),
    {.name = "artifacts",
     .doc = "Documents that the task produced.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .role = HO_ROLE_REFERENCES},
    {.name = "task_file",
     .doc = "The Markdown file around the handoff.",
     .type = HO_T_RECORD,
     .record = &ho_task_file_record},
    HO_FIELDS_END};
static const ho_record root = {.name = "task", .fields = fields};

/* A step or a description mentions changed files, but none is listed. */
static void check_files(ho_check *check, const ho_rule *rule)
{
  const ho_node *outcome = ho_check_get(check, "outcome");
  bool listed = !ho_node_empty(ho_check_get(check, "files_created")) ||
                !ho_node_empty(ho_check_get(check, "files_modified")) ||
                !ho_node_empty(ho_check_get(check, "artifacts"));
  if (!listed && ho_str_is(ho_node_str(outcome), "completed"))
    ho_check_fail(check, rule, outcome, "completed, but no file was created or modified");
}

/* "67-45": whoever looks for these lines does not know which end is wrong. */
static void check_lines(ho_check *check, const ho_rule *rule)
{
  static const char *const lists[] = {"files_created", "files_modified"};
  for (size_t i = 0; i < HO_COUNT(lists); i++)
    HO_EACH_CONST (file, ho_check_get(check, lists[i])) {
      const ho_node *lines = ho_map_getz(file, "lines");
      uint64_t from, to;
      ho_str rest = ho_node_str(lines), first;
      bool range = ho_syntax_LINES.matches(rest) && ho_str_next(&rest, '-', &first) && ho_str_to_u64(first, &from) &&
                   ho_str_to_u64(rest, &to);
      if (range && to < from)
        ho_check_fail(check, rule, lines, "the range ends before it begins");
    }
}

static const ho_rule rules[] = {
    {.info = {"task-lines", HO_WARNING, "A range of lines should begin before it ends.", "Write it like 45-67."},
     .check = check_lines},
    {.info = {"task-files", HO_WARNING, "A completed task should list the files it created or modified.",
              "Add files_created or files_modified, if any file changed."},
     .check = check_files},
    {.info = {"task-partial", HO_ERROR, "A partial task must say what blocks it and what comes next.",
              "Add blockers and suggested_next_steps."},
     .when = "outcome",
     .in = "partial",
     .require = "blockers|suggested_next_steps"},
    {.info = {"task-failed", HO_ERROR, "A failed task must say what blocked it.", "Add blockers."},
     .when = "outcome",
     .in = "failed",
     .require = "blockers"},
    {.info = {"task-failed-resolution", HO_ERROR, "Each blocker of a failed task must have a suggested resolution.",
              "Add suggested_resolution."},
     .when = "outcome",
     .in = "failed",
     .each = "blockers",
     .require = "suggested_resolution"},
    {.info = {"task-blocked", HO_ERROR, "A blocked task must say what blocks it.", "Add blockers."},
     .when = "outcome",
     .in = "blocked",
     .require = "blockers"},
    {.info = {"task-blocked-tasks", HO_ERROR, "Each blocker of a blocked task must name the tasks it blocks.",
              "Add blocking_tasks."},
     .when = "outcome",
     .in = "blocked",
     .each = "blockers",
     .require = "blocking_tasks"},
    HO_RULES_END};

static const char example[] = "outcome: completed\n"
                              "files_created:\n"
                              "  - path: src/auth/jwt.ts\n"
                              "    purpose: Issues and checks tokens\n"
                              "    lines: 1-150\n"
                              "files_modified:\n"
                              "  - path: src/config/database.ts\n"
                              "    lines: 45-67\n"
                              "    change_type: add\n"
                              "    description: Added settings of the connection pool\n"
                              "patterns_discovered:\n"
                              "  - id: pattern-current-user\n"
                              "    pattern: Use AuthContext.getCurrentUser() for user state\n"
                              "    location: src/context/AuthContext.tsx\n"
                              "    applies_to:\n"
                              "      - auth\n"
                              "      - user-state\n"
                              "gotchas:\n"
                              "  - id: gotcha-rate-limit\n"
                              "    issue: The rate limit is 100 per minute, not 1000 as documented\n"
                              "    discovered_in: Integration of the payment service\n"
                              "    mitigation: Retry with exponential backoff\n"
                              "    severity: high\n"
                              "dependencies_for_next:\n"
                              "  - file: src/auth/jwt.ts\n"
                              "    reason: Protected routes check their tokens with it\n"
                              "open_questions:\n"
                              "  - question: Should refresh tokens live in cookies or local storage?\n"
                              "    context: Security against convenience\n"
                              "    recommendation: httpOnly cookies\n"
                              "    blocking: false\n"
                              "suggested_next_steps:\n"
                              "  - step: Write the middleware for protected routes\n"
                              "    priority: high\n"
                              "    depends_on:\n"
                              "      - jwt.ts\n";

static const ho_sending sending = {.kind = HO_SEND_ON,
                                   .task = "task_file.id",
                                   .phase = "phase", /* not a field of the format, but some files say it */
                                   .subject = "suggested_next_steps|task_file.objective|task_file.name|outcome",
                                   .files =
                                       (const char *const[]){"files_created", "files_modified", "artifacts", NULL}};

const ho_format ho_format_task = {
    .name = "task",
    .title = "Structured task handoff",
    .doc = "What an agent leaves at the end of a task: outcome, files, patterns, gotchas, questions, next steps and "
           "blockers, as YAML under the heading Handoff in the task's file, or on its own.",
    .encoding = HO_YAML,
    .root = &root,
    .rules = rules,
    .file_names = "journal/task-*.md|*.handoff.yaml",
    .marks = (const char *const[]){"outcome",
                                   "files_created|files_modified|patterns_discovered|gotchas|dependencies_for_next|"
                                   "open_questions|suggested_next_steps|blockers|task_file|next_role",
                                   "!goal|now|session", NULL},
    .read_markdown = ho_task_read,
    .write_markdown = ho_task_write,
    .looks_like = ho_task_looks_like,
    .sending = &sending,
    .example = example,
};
