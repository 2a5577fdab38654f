/* Continuous-Claude: YAML in one or two documents, or the same keys as front matter. */
#include "model/foreign/foreign.h"

#define TEXT(key, means, also, is)                                                                                     \
  {                                                                                                                    \
    .name = key, .doc = means, .type = HO_T_TEXT, .aliases = also, .role = is                                          \
  }
#define TEXTS(key, means, also, is)                                                                                    \
  {                                                                                                                    \
    .name = key, .doc = means, .type = HO_T_LIST, .item = HO_T_TEXT, .aliases = also, .role = is                       \
  }
#define PATHS(key, means, also)                                                                                        \
  {                                                                                                                    \
    .name = key, .doc = means, .type = HO_T_LIST, .item = HO_T_RECORD, .record = &path_record, .aliases = also,        \
    .role = HO_ROLE_STATE                                                                                              \
  }

static const ho_choice outcomes[] = {{.value = "SUCCEEDED", .doc = "Done.", .synonyms = "SUCCESS|COMPLETED|COMPLETE"},
                                     {.value = "PARTIAL_PLUS", .doc = "Most is done.", .synonyms = "PARTIAL"},
                                     {.value = "PARTIAL_MINUS", .doc = "Some is done."},
                                     {.value = "FAILED", .doc = "Not done."},
                                     {0}};
static const ho_choice statuses[] = {{.value = "complete", .doc = "Ended.", .synonyms = "completed|done"},
                                     {.value = "partial", .doc = "Unfinished.", .synonyms = "in_progress"},
                                     {.value = "blocked", .doc = "Cannot continue."},
                                     {0}};

static const ho_field path_fields[] = {
    {.name = "path", .doc = "Path of the file.", .type = HO_T_TEXT, .aliases = "file", .role = HO_ROLE_STATE},
    {.name = "description", .doc = "What was done.", .type = HO_T_TEXT, .aliases = "purpose|change"},
    HO_FIELDS_END};
static const ho_record path_record = {.name = "file", .fields = path_fields, .scalar = "path"};
static const ho_field files_fields[] = {PATHS("created", "New files.", "files_created"),
                                        PATHS("modified", "Changed files.", "files_modified"), HO_FIELDS_END};
static const ho_record files_record = {.name = "files", .fields = files_fields};

static const ho_field done_fields[] = {
    {.name = "task", .doc = "What was done.", .type = HO_T_TEXT},
    {.name = "files", .doc = "The files it changed.", .type = HO_T_LIST, .item = HO_T_TEXT},
    HO_FIELDS_END};
static const ho_record done_record = {.name = "done", .fields = done_fields, .scalar = "task"};

static const ho_field fields[] = {
    TEXT("session", "Name of the session.", "session_name", HO_ROLE_NONE),
    {.name = "outcome", .doc = "How it ended.", .type = HO_T_TEXT, .choices = outcomes, .role = HO_ROLE_OUTCOME},
    {.name = "status", .doc = "State of the work.", .type = HO_T_TEXT, .choices = statuses, .role = HO_ROLE_OUTCOME},
    TEXT("goal", "What the session was for.", NULL, HO_ROLE_FACTS),
    TEXT("now", "What the next session does first.", NULL, HO_ROLE_NEXT),
    TEXT("test", "How to verify it.", NULL, HO_ROLE_NONE),
    {.name = "done_this_session",
     .doc = "What was done.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .record = &done_record,
     .aliases = "this_session"},
    TEXTS("blockers", "What blocks the work.", NULL, HO_ROLE_BLOCKERS),
    TEXTS("questions", "Unresolved questions.", "open_questions", HO_ROLE_QUESTIONS),
    TEXTS("decisions", "What was decided.", "final_decisions", HO_ROLE_DECISIONS),
    TEXTS("findings", "What was learned.", "learnings", HO_ROLE_PATTERNS),
    TEXTS("worked", "Approaches that worked.", "final_solutions", HO_ROLE_PATTERNS),
    TEXTS("failed", "Approaches that did not work.", NULL, HO_ROLE_WARNINGS),
    TEXTS("next", "What comes next.", "next_steps", HO_ROLE_NEXT),
    {.name = "files", .doc = "What changed.", .type = HO_T_RECORD, .record = &files_record},
    PATHS("files_created", "New files.", NULL),
    PATHS("files_modified", "Changed files.", NULL),
    HO_FIELDS_END};
static const ho_record root = {.name = "continuous-claude", .fields = fields};

const ho_format ho_foreign_continuous = {
    .name = "continuous-claude",
    .title = "Continuous-Claude handoff",
    .encoding = HO_YAML,
    .root = &root,
    .marks = (const char *const[]){"goal|now|done_this_session|this_session|continuation_prompt",
                                   "session|session_id|session_name|outcome|schema_version|mode|event_type|next|test",
                                   "!task_id|acceptance_criteria", NULL},
    .read_markdown = ho_foreign_read_markdown,
};
