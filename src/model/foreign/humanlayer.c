/* HumanLayer-style Markdown: front matter, and sections by their headings. */
#include "model/foreign/foreign.h"

static const ho_choice statuses[] = {
    {.value = "complete", .doc = "Ended.", .synonyms = "completed|done|closed|final"},
    {.value = "partial", .doc = "Unfinished.", .synonyms = "in_progress|in-progress|wip"},
    {.value = "blocked", .doc = "Cannot continue."},
    {.value = "failed", .doc = "Not done."},
    {0}};

static const ho_field change_fields[] = {
    {.name = "path", .doc = "Path of the file.", .type = HO_T_TEXT, .role = HO_ROLE_STATE},
    {.name = "description", .doc = "What changed.", .type = HO_T_TEXT},
    HO_FIELDS_END};
static const ho_record change_record = {.name = "change", .fields = change_fields, .scalar = "path"};
static const ho_field reference_fields[] = {
    {.name = "file", .doc = "Where it is.", .type = HO_T_TEXT, .role = HO_ROLE_REFERENCES},
    {.name = "reason", .doc = "Why to read it.", .type = HO_T_TEXT},
    HO_FIELDS_END};
static const ho_record reference_record = {.name = "reference", .fields = reference_fields, .scalar = "file"};

#define SECTION(key, heading, also, means, is)                                                                         \
  {                                                                                                                    \
    .name = key, .label = heading, .aliases = also, .doc = means, .type = HO_T_LIST, .item = HO_T_TEXT, .role = is,    \
    .shape = HO_SHAPE_BULLETS                                                                                          \
  }
#define FILES(key, heading, also, means, of, is)                                                                       \
  {                                                                                                                    \
    .name = key, .label = heading, .aliases = also, .doc = means, .type = HO_T_LIST, .item = HO_T_RECORD,              \
    .record = &of, .role = is, .shape = HO_SHAPE_BULLETS                                                               \
  }

static const ho_field fields[] = {
    {.name = "title", .doc = "Title of the document.", .type = HO_T_TEXT},
    {.name = "topic", .doc = "What it is about.", .type = HO_T_TEXT},
    {.name = "status",
     .doc = "State of the work.",
     .type = HO_T_TEXT,
     .flags = HO_OPEN,
     .choices = statuses,
     .role = HO_ROLE_OUTCOME},
    SECTION("tasks", "Task(s)", "task|tasks|task_s", "What was worked on.", HO_ROLE_NONE),
    FILES("files_modified", "Recent changes", "changes|files modified|files changed", "What changed.", change_record,
          HO_ROLE_STATE),
    FILES("files_created", "Files created", "new files", "What is new.", change_record, HO_ROLE_STATE),
    FILES("dependencies_for_next", "Critical References", "references|key files", "What to read.", reference_record,
          HO_ROLE_REFERENCES),
    FILES("artifacts", "Artifacts", "artifacts produced", "What it produced.", reference_record, HO_ROLE_REFERENCES),
    SECTION("learnings", "Learnings", "key learnings|lessons learned|what worked", "What was learned.",
            HO_ROLE_PATTERNS),
    SECTION("failed", "What Failed", "what didn't work|post-mortem|what failed", "What did not work.",
            HO_ROLE_WARNINGS),
    SECTION("next", "Action Items & Next Steps",
            "next steps|action items|action_items_&_next_steps|action items and next steps", "What comes next.",
            HO_ROLE_NEXT),
    SECTION("questions", "Open Questions", "questions", "Unresolved questions.", HO_ROLE_QUESTIONS),
    SECTION("blockers", "Blockers", NULL, "What blocks the work.", HO_ROLE_BLOCKERS),
    SECTION("decisions", "Key Decisions", "decisions", "What was decided.", HO_ROLE_DECISIONS),
    HO_FIELDS_END};
static const ho_record root = {.name = "humanlayer", .fields = fields};

const ho_format ho_foreign_humanlayer = {
    .name = "humanlayer",
    .title = "HumanLayer handoff",
    .encoding = HO_MARKDOWN,
    .root = &root,
    .marks = (const char *const[]){"researcher|git_commit|last_updated_by|topic|repository",
                                   "git_commit|branch|repository|status|type|last_updated|tags", NULL},
    .read_markdown = ho_foreign_read_markdown,
};
