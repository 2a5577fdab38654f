/* `.orchestrator-handoff.json`: what one step of an orchestrator leaves for the next. */
#include "model/foreign/foreign.h"

static const ho_choice statuses[] = {
    {.value = "implemented",
     .doc = "Done.",
     .synonyms = "completed|complete|done|success|pr_ready|expanded|implementation_complete"},
    {.value = "researched", .doc = "Research is done.", .synonyms = "research_complete"},
    {.value = "planned", .doc = "The plan is made.", .synonyms = "plan_complete|revised|revision_complete"},
    {.value = "partial", .doc = "Unfinished.", .synonyms = "in_progress|implementing"},
    {.value = "failed", .doc = "Not done."},
    {.value = "blocked", .doc = "Cannot continue."},
    {0}};

static const ho_field artifact_fields[] = {
    {.name = "path", .doc = "Where it is.", .type = HO_T_TEXT, .aliases = "file", .role = HO_ROLE_REFERENCES},
    {.name = "type", .doc = "What it is.", .type = HO_T_TEXT},
    {.name = "summary", .doc = "What it says.", .type = HO_T_TEXT, .aliases = "description"},
    HO_FIELDS_END};
static const ho_record artifact_record = {.name = "artifact", .fields = artifact_fields, .scalar = "path"};

static const ho_field blocker_fields[] = {
    {.name = "description", .doc = "What blocks.", .type = HO_T_TEXT, .aliases = "message|blocker"},
    {.name = "phase", .doc = "Which phase.", .type = HO_T_ID},
    {.name = "severity", .doc = "hard or soft.", .type = HO_T_TEXT},
    HO_FIELDS_END};
static const ho_record blocker_record = {.name = "blocker", .fields = blocker_fields, .scalar = "description"};

static const ho_field file_fields[] = {
    {.name = "path", .doc = "Path of the file.", .type = HO_T_TEXT, .aliases = "file", .role = HO_ROLE_STATE},
    {.name = "description", .doc = "What was done.", .type = HO_T_TEXT, .aliases = "change|summary"},
    HO_FIELDS_END};
static const ho_record file_record = {.name = "file", .fields = file_fields, .scalar = "path", .map_key = "path"};

#define RECORDS(key, means, of, also, is)                                                                              \
  {                                                                                                                    \
    .name = key, .doc = means, .type = HO_T_LIST, .item = HO_T_RECORD, .record = &of, .aliases = also, .role = is      \
  }
#define TEXTS(key, means, also, is)                                                                                    \
  {                                                                                                                    \
    .name = key, .doc = means, .type = HO_T_LIST, .item = HO_T_TEXT, .aliases = also, .role = is                       \
  }

static const ho_field fields[] = {
    {.name = "phase", .doc = "research, plan, implement or revise.", .type = HO_T_TEXT},
    {.name = "status",
     .doc = "How it ended.",
     .type = HO_T_TEXT,
     .flags = HO_OPEN,
     .choices = statuses,
     .role = HO_ROLE_OUTCOME},
    {.name = "task_number", .doc = "Number of the task.", .type = HO_T_ID, .role = HO_ROLE_TASK},
    {.name = "task_name", .doc = "Name of the task.", .type = HO_T_TEXT, .role = HO_ROLE_TASK},
    {.name = "summary",
     .doc = "What was done.",
     .type = HO_T_TEXT,
     .aliases = "completion_summary",
     .role = HO_ROLE_FACTS},
    RECORDS("artifacts", "What it produced.", artifact_record, NULL, HO_ROLE_REFERENCES),
    RECORDS("blockers", "What blocks the work.", blocker_record, NULL, HO_ROLE_BLOCKERS),
    {.name = "next_action", .doc = "What comes next, in words.", .type = HO_T_TEXT, .role = HO_ROLE_NEXT},
    RECORDS("files_created", "New files.", file_record, "artifacts_created", HO_ROLE_STATE),
    RECORDS("files_modified", "Changed files.", file_record, NULL, HO_ROLE_STATE),
    TEXTS("decisions_made", "What was decided.", "decisions", HO_ROLE_DECISIONS),
    TEXTS("dead_ends", "What does not work.", NULL, HO_ROLE_WARNINGS),
    TEXTS("next_steps", "What comes next.", NULL, HO_ROLE_NEXT),
    HO_FIELDS_END};
static const ho_record root = {.name = "orchestrator handoff", .fields = fields};

const ho_format ho_foreign_orchestrator = {
    .name = "orchestrator-handoff",
    .title = "Orchestrator handoff",
    .encoding = HO_JSON,
    .root = &root,
    .file_names = ".orchestrator-handoff*.json",
    .marks = (const char *const[]){"status|phase|summary",
                                   "next_action_hint|continuation_context|plan_markers_verified", NULL},
};

/* A hint in words says what to do next; a single word ("complete", "implement") is a signal to the orchestrator. */
void ho_foreign_prepare_orchestrator(ho_node *raw, ho_arena *arena)
{
  ho_node *hint = ho_map_getz(raw, "next_action_hint");
  if (ho_node_is(hint, HO_KIND_TEXT) && ho_str_find_char(hint->text, ' ') != HO_NONE &&
      !ho_map_getz(raw, "next_action"))
    ho_map_addz(raw, "next_action", ho_node_text(arena, hint->text));
}
