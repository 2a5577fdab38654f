/* Any other record of a task: JSON or YAML whose keys speak for themselves, or front matter with sections. */
#include "model/foreign/foreign.h"

static const ho_choice statuses[] = {
    {.value = "completed", .doc = "Done.", .synonyms = "complete|done|success|succeeded|closed|implemented|passed"},
    {.value = "partial", .doc = "Unfinished.", .synonyms = "in_progress|in-progress|incomplete|open|review"},
    {.value = "failed", .doc = "Not done.", .synonyms = "failure|error|cancelled"},
    {.value = "blocked", .doc = "Cannot continue.", .synonyms = "deferred"},
    {0}};

static const ho_field path_fields[] = {
    {.name = "path", .doc = "Path of the file.", .type = HO_T_TEXT, .aliases = "file|name", .role = HO_ROLE_STATE},
    {.name = "description", .doc = "What was done.", .type = HO_T_TEXT, .aliases = "purpose|change|summary|reason"},
    HO_FIELDS_END};
static const ho_record path_record = {.name = "file", .fields = path_fields, .scalar = "path"};

#define PATHS(key, heading, also, means, is)                                                                           \
  {                                                                                                                    \
    .name = key, .label = heading, .doc = means, .type = HO_T_LIST, .item = HO_T_RECORD, .record = &path_record,       \
    .aliases = also, .role = is, .shape = HO_SHAPE_BULLETS                                                             \
  }
#define TEXTS(key, heading, also, means, is)                                                                           \
  {                                                                                                                    \
    .name = key, .label = heading, .doc = means, .type = HO_T_LIST, .item = HO_T_TEXT, .aliases = also, .role = is,    \
    .shape = HO_SHAPE_BULLETS                                                                                          \
  }

static const ho_field files_fields[] = {
    PATHS("created", NULL, "files_created|new|added", "New files.", HO_ROLE_STATE),
    PATHS("modified", NULL, "files_modified|changed|updated", "Changed files.", HO_ROLE_STATE), HO_FIELDS_END};
static const ho_record files_record = {.name = "files", .fields = files_fields};

static const ho_field fields[] = {
    {.name = "task_id", .doc = "ID of the task.", .type = HO_T_ID, .aliases = "task", .role = HO_ROLE_TASK},
    {.name = "status",
     .doc = "How it ended.",
     .type = HO_T_TEXT,
     .flags = HO_OPEN,
     .aliases = "outcome|result|state",
     .choices = statuses,
     .role = HO_ROLE_OUTCOME},
    {.name = "files", .doc = "What changed.", .type = HO_T_RECORD, .record = &files_record},
    PATHS("files_created", "Files Created", "created_files|new_files", "New files.", HO_ROLE_STATE),
    PATHS("files_modified", "Files Modified", "modified_files|files_changed|changed_files", "Changed files.",
          HO_ROLE_STATE),
    PATHS("dependencies_for_next", "References", "references|relevant_files|key_files|artifacts", "What to read.",
          HO_ROLE_REFERENCES),
    TEXTS("patterns", "Learnings", "patterns_discovered|learnings|lessons|insights|findings|key_findings|worked",
          "What was learned.", HO_ROLE_PATTERNS),
    TEXTS("warnings", "Gotchas", "gotchas|risks|known_issues|issues|technical_debt|failed|dead_ends|caveats",
          "What to watch out for.", HO_ROLE_WARNINGS),
    TEXTS("next", "Next Steps", "next_steps|todo|remaining|remaining_work|future_work|next_actions|action_items|now",
          "What comes next.", HO_ROLE_NEXT),
    TEXTS("questions", "Open Questions", "open_questions|clarifications", "Unresolved questions.", HO_ROLE_QUESTIONS),
    TEXTS("blockers", "Blockers", "blocking_issues|blocked_by", "What blocks the work.", HO_ROLE_BLOCKERS),
    HO_FIELDS_END};
static const ho_record root = {.name = "report", .fields = fields};

const ho_format ho_foreign_report = {
    .name = "report",
    .title = "Task report of another tool",
    .encoding = HO_JSON,
    .root = &root,
    .marks = (const char *const[]){"status|outcome|result|files|files_created|files_modified|next|next_steps|blockers|"
                                   "questions|open_questions|"
                                   "future_work|learnings|findings|gotchas|technical_debt",
                                   NULL},
    .read_markdown = ho_foreign_read_markdown,
};
