/* Implementation plan: header fields, and phases with their dependencies, tasks and checks. */
#include "model/formats/formats.h"
#include "model/formats/plan.h"

static const ho_choice plan_statuses[] = {
    {.value = "NOT STARTED", .doc = "Nothing has been done yet.", .synonyms = "TODO|PENDING"},
    {.value = "RESEARCHING", .doc = "Research is under way."},
    {.value = "RESEARCHED", .doc = "Research is done."},
    {.value = "PLANNING", .doc = "The plan is being written."},
    {.value = "PLANNED", .doc = "The plan is written."},
    {.value = "REVISING", .doc = "The plan is being revised."},
    {.value = "REVISED", .doc = "The plan was revised."},
    {.value = "IMPLEMENTING", .doc = "Work is under way."},
    {.value = "IN PROGRESS", .doc = "Work is under way; the word used for phases."},
    {.value = "COMPLETED", .doc = "Everything is done.", .synonyms = "DONE|COMPLETE"},
    {.value = "PARTIAL", .doc = "Some of it is done."},
    {.value = "BLOCKED", .doc = "It cannot continue."},
    {.value = "ABANDONED", .doc = "It was abandoned."},
    {.value = "EXPANDED", .doc = "It was split into several tasks."},
    {0}};

static const ho_choice phase_statuses[] = {{.value = "NOT STARTED", .doc = "Waits.", .synonyms = "TODO|PENDING"},
                                           {.value = "IN PROGRESS", .doc = "It is being worked on.", .synonyms = "WIP"},
                                           {.value = "COMPLETED", .doc = "It is done.", .synonyms = "DONE|COMPLETE"},
                                           {.value = "PARTIAL", .doc = "It was left unfinished."},
                                           {.value = "BLOCKED", .doc = "It cannot continue."},
                                           {0}};

static const ho_field task_fields[] = {
    {.name = "text",
     .doc = "What to do.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .aliases = "description|task",
     .example = "Add the field `expires` to the token"},
    {.name = "done",
     .doc = "Whether its box is ticked.",
     .type = HO_T_BOOL,
     .aliases = "checked",
     .fallback = "false",
     .example = "false"},
    {.name = "mark", .doc = "What is in the box if it is neither empty nor x.", .type = HO_T_TEXT},
    HO_FIELDS_END};
static const ho_record task_record = {.name = "task of a phase", .fields = task_fields, .scalar = "text"};

static const ho_field phase_fields[] = {
    {.name = "id",
     .doc = "Phase number; a letter is fine.",
     .type = HO_T_ID,
     .flags = HO_REQUIRED,
     .aliases = "phase|number",
     .role = HO_ROLE_TASK,
     .example = "1"},
    {.name = "name",
     .doc = "Name of the phase.",
     .type = HO_T_TEXT,
     .flags = HO_EXPECTED,
     .aliases = "title",
     .syntax = &ho_syntax_ONE_LINE,
     .role = HO_ROLE_TASK,
     .example = "Define the token"},
    {.name = "status",
     .doc = "Status marker at the end of the heading.",
     .type = HO_T_TEXT,
     .flags = HO_OPEN,
     .choices = phase_statuses,
     .role = HO_ROLE_OUTCOME,
     .fallback = "NOT STARTED",
     .example = "NOT STARTED"},
    {.name = "dependencies",
     .label = "Dependencies",
     .doc = "Phases that must be done before this one.",
     .type = HO_T_LIST,
     .item = HO_T_ID,
     .aliases = "depends_on|dependency|Depends on",
     .shape = HO_SHAPE_LABEL,
     .example = "1"},
    {.name = "goal",
     .label = "Goal",
     .doc = "What is true when the phase is done.",
     .type = HO_T_TEXT,
     .flags = HO_EXPECTED,
     .aliases = "objective",
     .role = HO_ROLE_NEXT,
     .shape = HO_SHAPE_LABEL,
     .example = "Tokens carry an expiry"},
    {.name = "tasks",
     .label = "Tasks",
     .doc = "What to do, with boxes to tick.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .record = &task_record,
     .flags = HO_EXPECTED,
     .aliases = "steps|objectives",
     .shape = HO_SHAPE_CHECKS},
    {.name = "timing",
     .label = "Timing",
     .doc = "Estimated time.",
     .type = HO_T_TEXT,
     .aliases = "effort|estimated_effort|estimated_time",
     .shape = HO_SHAPE_LABEL,
     .example = "1 hour"},
    {.name = "files",
     .label = "Files to modify",
     .doc = "Files that the phase touches.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .aliases = "files_to_create|files_to_modify_create|files_to_create_modify|files_modified|files_affected",
     .shape = HO_SHAPE_BULLETS,
     .example = "`src/token.c` - Add the field"},
    {.name = "verification",
     .label = "Verification",
     .doc = "How to tell that the phase is done.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .aliases = "verify|verification_steps|acceptance_criteria|success_criteria",
     .role = HO_ROLE_CONTRACT,
     .shape = HO_SHAPE_BULLETS,
     .example = "`make test_token` passes"},
    HO_FIELDS_END};
const ho_record ho_plan_phase_record = {.name = "phase", .fields = phase_fields, .map_key = "id"};

#define HEADER(key, text, field_doc, sample)                                                                           \
  {                                                                                                                    \
    .name = key, .label = text, .doc = field_doc, .type = HO_T_TEXT, .shape = HO_SHAPE_LABEL, .example = sample        \
  }

static const ho_field fields[] = {
    {.name = "task",
     .label = "Task",
     .doc = "Number of the task.",
     .type = HO_T_ID,
     .flags = HO_EXPECTED,
     .role = HO_ROLE_TASK,
     .shape = HO_SHAPE_LABEL,
     .example = "12"},
    {.name = "task_name",
     .doc = "Name of the task.",
     .type = HO_T_TEXT,
     .syntax = &ho_syntax_ONE_LINE,
     .role = HO_ROLE_TASK,
     .example = "Let tokens expire"},
    {.name = "title",
     .doc = "What the title says after 'Implementation Plan:'.",
     .type = HO_T_TEXT,
     .syntax = &ho_syntax_ONE_LINE,
     .role = HO_ROLE_TASK,
     .example = "Task #12"},
    {.name = "status",
     .label = "Status",
     .doc = "Status of the task.",
     .type = HO_T_TEXT,
     .flags = HO_EXPECTED | HO_OPEN,
     .choices = plan_statuses,
     .role = HO_ROLE_OUTCOME,
     .shape = HO_SHAPE_LABEL,
     .example = "NOT STARTED"},
    HEADER("effort", "Effort", "Estimated time.", "3 hours"),
    HEADER("version", "Version", "Which revision of the plan this is.", "001"),
    HEADER("previous", "Previous", "The plan that this one replaces.", NULL),
    HEADER("dependencies", "Dependencies", "What must be done first.", "None"),
    HEADER("research_inputs", "Research Inputs", "Reports that the plan builds on.", "research-001.md"),
    HEADER("artifacts", "Artifacts", "Documents that it produces.", NULL),
    HEADER("standards", "Standards", "Standards that it follows.", NULL),
    HEADER("type", "Type", "What kind of task it is.", "general"),
    HEADER("lean_intent", "Lean Intent", "Whether it is about Lean proofs.", NULL),
    {.name = "phases",
     .doc = "The phases in order.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .flags = HO_REQUIRED,
     .record = &ho_plan_phase_record,
     .role = HO_ROLE_STATE},
    HO_FIELDS_END};
static const ho_record root = {.name = "plan", .fields = fields};

static const char example[] = "# Implementation Plan: Task #12\n"
                              "\n"
                              "- **Task**: 12 - Let tokens expire\n"
                              "- **Status**: [NOT STARTED]\n"
                              "- **Effort**: 3 hours\n"
                              "- **Version**: 001\n"
                              "- **Dependencies**: None\n"
                              "- **Research Inputs**: research-001.md\n"
                              "- **Type**: general\n"
                              "\n"
                              "## Overview\n"
                              "\n"
                              "Tokens get an expiry, and expired ones are refused.\n"
                              "\n"
                              "## Implementation Phases\n"
                              "\n"
                              "### Phase 1: Define the token [COMPLETED]\n"
                              "\n"
                              "- **Dependencies**: None\n"
                              "- **Goal**: Tokens carry an expiry\n"
                              "\n"
                              "**Tasks**:\n"
                              "- [x] Add the field `expires` to the token\n"
                              "- [x] Write it when a token is issued\n"
                              "\n"
                              "**Timing**: 1 hour\n"
                              "\n"
                              "**Files to modify**:\n"
                              "- `src/token.c` - Add the field\n"
                              "\n"
                              "**Verification**:\n"
                              "- `make test_token` passes\n"
                              "\n"
                              "---\n"
                              "\n"
                              "### Phase 2: Refuse expired tokens [NOT STARTED]\n"
                              "\n"
                              "- **Dependencies**: Phase 1\n"
                              "- **Goal**: An expired token gives 401\n"
                              "\n"
                              "**Tasks**:\n"
                              "- [ ] Compare `expires` with the clock\n"
                              "\n"
                              "**Timing**: 2 hours\n";

const ho_format ho_format_plan = {
    .name = "plan",
    .title = "Implementation plan",
    .doc = "What to do for a task, in phases that state what they depend on, their tasks, and how to tell that they "
           "are done.",
    .encoding = HO_MARKDOWN,
    .root = &root,
    .rules = ho_plan_rules,
    .file_names = "!implementation-summary-*.md|plans/*.md|implementation-*.md",
    .marks = (const char *const[]){"phases", "task|effort|research_inputs|standards", "!$schema|phase|steps", NULL},
    .place = "specs/{task}_{slug}/plans/implementation-{#if version}{version}{else}001{/if}.md",
    .read_markdown = ho_plan_read,
    .write_markdown = ho_plan_write,
    .looks_like = ho_plan_looks_like,
    .example = example,
};
