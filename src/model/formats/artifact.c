/* Phase handoff artifact: what a successor needs to continue, on one screen. */
#include "model/formats/artifact.h"
#include "model/formats/formats.h"

static const ho_choice genres[] = {
    {.value = "recovery", .doc = "Written because the context ran out: a successor continues from here."},
    {.value = "checkpoint", .doc = "Written at the end of a phase: what was done and what comes next."},
    {0}};

static const ho_field state_fields[] = {{.name = "file",
                                         .label = "File",
                                         .doc = "Absolute path of the file being worked on.",
                                         .type = HO_T_TEXT,
                                         .flags = HO_EXPECTED,
                                         .aliases = "files|file_path|path|current_file|working_file",
                                         .syntax = &ho_syntax_ABSOLUTE,
                                         .role = HO_ROLE_STATE,
                                         .shape = HO_SHAPE_LABEL,
                                         .example = "/srv/app/src/auth/jwt.c"},
                                        {.name = "location",
                                         .label = "Location",
                                         .doc = "Line, and after which statement or function.",
                                         .type = HO_T_TEXT,
                                         .flags = HO_EXPECTED,
                                         .aliases = "line|lines|position",
                                         .role = HO_ROLE_STATE,
                                         .shape = HO_SHAPE_LABEL,
                                         .example = "Line 142, inside `verify_token`"},
                                        {.name = "goal_state",
                                         .label = "Goal state",
                                         .doc = "The current goal, expected output, or state of the work.",
                                         .type = HO_T_TEXT,
                                         .flags = HO_EXPECTED,
                                         .aliases = "goal|work_state|expected_output|current_goal",
                                         .role = HO_ROLE_STATE,
                                         .shape = HO_SHAPE_LABEL,
                                         .example = "test_expired_token passes"},
                                        HO_FIELDS_END};
static const ho_record state_record = {.name = "current_state", .fields = state_fields, .scalar = "x_text"};

static const ho_field decision_fields[] = {{.name = "decision",
                                            .doc = "What was decided.",
                                            .type = HO_T_TEXT,
                                            .flags = HO_REQUIRED,
                                            .role = HO_ROLE_DECISIONS,
                                            .example = "Check the expiry before the signature"},
                                           {.name = "rationale",
                                            .doc = "Why, in one sentence, so that nobody reopens it.",
                                            .type = HO_T_TEXT,
                                            .flags = HO_EXPECTED,
                                            .aliases = "reason|why",
                                            .role = HO_ROLE_DECISIONS,
                                            .example = "A forged but expired token costs no public-key operation"},
                                           HO_FIELDS_END};
static const ho_record decision_record = {.name = "decision", .fields = decision_fields, .scalar = "decision"};

static const ho_field dead_end_fields[] = {{.name = "approach",
                                            .doc = "What was tried.",
                                            .type = HO_T_TEXT,
                                            .flags = HO_REQUIRED,
                                            .role = HO_ROLE_DEAD_ENDS,
                                            .example = "Comparing times as text"},
                                           {.name = "reason",
                                            .doc = "Why it failed, in one sentence.",
                                            .type = HO_T_TEXT,
                                            .flags = HO_EXPECTED,
                                            .aliases = "why|result",
                                            .role = HO_ROLE_DEAD_ENDS,
                                            .example = "Offsets other than Z sort wrongly"},
                                           HO_FIELDS_END};
static const ho_record dead_end_record = {.name = "dead end", .fields = dead_end_fields, .scalar = "approach"};

static const ho_field reference_fields[] = {
    {.name = "kind",
     .doc = "What kind of document: Plan, Research, Related file, or another word.",
     .type = HO_T_TEXT,
     .aliases = "type",
     .role = HO_ROLE_REFERENCES,
     .example = "Plan"},
    {.name = "path",
     .doc = "Path of the document.",
     .type = HO_T_TEXT,
     .flags = HO_EXPECTED,
     .aliases = "file",
     .role = HO_ROLE_REFERENCES,
     .example = "specs/12_token_expiry/plans/implementation-001.md"},
    {.name = "detail",
     .doc = "Phase, section or anything else that narrows it down.",
     .type = HO_T_TEXT,
     .role = HO_ROLE_REFERENCES,
     .example = "Phase 3"},
    HO_FIELDS_END};
static const ho_record reference_record = {.name = "reference", .fields = reference_fields, .scalar = "path"};

static const ho_field fields[] = {
    {.name = "task",
     .label = "Task",
     .doc = "Number of the task.",
     .type = HO_T_ID,
     .role = HO_ROLE_TASK,
     .shape = HO_SHAPE_LABEL,
     .example = "12"},
    {.name = "phase",
     .label = "Phase",
     .doc = "Phase number, as in the title; a letter or a range is fine.",
     .type = HO_T_ID,
     .flags = HO_REQUIRED,
     .aliases = "phases",
     .role = HO_ROLE_TASK,
     .shape = HO_SHAPE_LABEL,
     .example = "3"},
    {.name = "timestamp",
     .label = "Timestamp",
     .doc = "When it was written, as YYYYMMDDTHHMMSSZ.",
     .type = HO_T_TEXT,
     .flags = HO_EXPECTED,
     .aliases = "date",
     .syntax = &ho_syntax_STAMP,
     .role = HO_ROLE_TASK,
     .shape = HO_SHAPE_LABEL,
     .example = "20260212T143022Z"},
    {.name = "title",
     .label = "Title",
     .doc = "What the title says beyond phase and time.",
     .type = HO_T_TEXT,
     .syntax = &ho_syntax_ONE_LINE,
     .role = HO_ROLE_TASK,
     .shape = HO_SHAPE_LABEL},
    {.name = "genre",
     .label = "Genre",
     .doc = "Whether a successor continues from here or the phase has ended; inferred from the sections if not stated.",
     .type = HO_T_TEXT,
     .choices = genres,
     .role = HO_ROLE_OUTCOME,
     .shape = HO_SHAPE_LABEL,
     .fallback = "recovery"},
    {.name = "immediate_next_action",
     .label = "Immediate Next Action",
     .doc = "One specific step that can be taken without reading anything else.",
     .type = HO_T_TEXT,
     .aliases = "next_action|next_steps|next_step|next_phase|next|next_immediate_action|immediate_next_step|"
                "immediate_next_steps|immediate_next_actions|recommended_next_steps|recommended_next_step",
     .role = HO_ROLE_NEXT,
     .shape = HO_SHAPE_TEXT,
     .example = "Return `TOKEN_EXPIRED` from `verify_token` if `exp` is before `now`."},
    {.name = "current_state",
     .label = "Current State",
     .doc = "Exactly how far the work is.",
     .type = HO_T_RECORD,
     .record = &state_record,
     .aliases = "state|current_status|current_proof_state|current_code_state|current_build_state|current_work_state|"
                "current_implementation_state|proof_state|current_position|current_situation",
     .role = HO_ROLE_STATE,
     .shape = HO_SHAPE_LABELS},
    {.name = "key_decisions",
     .label = "Key Decisions Made",
     .doc = "Decisions that bind the successor, with their reasons.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .record = &decision_record,
     .aliases = "decisions|decisions_made|key_design_decisions|design_decisions|key_decision|key_design_decision|"
                "key_technical_decisions|technical_decisions|architecture_decisions|"
                "architectural_decisions|key_architecture_decisions|implementation_decisions|design_decisions_made|"
                "decisions_made_this_session|decisions_taken|important_decisions",
     .max = 4,
     .role = HO_ROLE_DECISIONS,
     .shape = HO_SHAPE_PAIRS},
    {.name = "what_not_to_try",
     .label = "What NOT to Try",
     .doc = "Approaches that failed, with their reasons.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .record = &dead_end_record,
     .aliases = "do_not_try|failed_approaches|approaches_that_failed|dead_ends|what_not_to_do|what_not_to_try_again|"
                "do_not_retry|do_not_reattempt|what_failed|what_did_not_work|what_didnt_work|failed_attempts|"
                "approaches_that_did_not_work|approaches_ruled_out",
     .max = 4,
     .role = HO_ROLE_DEAD_ENDS,
     .shape = HO_SHAPE_PAIRS},
    {.name = "critical_context",
     .label = "Critical Context (max 5 items)",
     .doc = "Facts that the successor needs and might not discover.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .aliases = "key_context|critical_facts|context|important_context|essential_context|critical_information|"
                "critical_notes|gotchas|key_facts",
     .max = 5,
     .role = HO_ROLE_FACTS,
     .shape = HO_SHAPE_BULLETS,
     .example = "`now` is passed in by the caller; tests set it"},
    {.name = "references",
     .label = "References (read only if stuck)",
     .doc = "Documents for deeper context, read only if stuck.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .record = &reference_record,
     .aliases = "reference|refs|key_references|critical_references|reference_files|reference_documents|"
                "related_files|related_documents",
     .max = 3,
     .role = HO_ROLE_REFERENCES,
     .shape = HO_SHAPE_REFS},
    HO_FIELDS_END};
static const ho_record root = {.name = "artifact", .fields = fields};

static const char example[] =
    "# Phase 3 Handoff - 20260212T143022Z\n"
    "\n"
    "## Immediate Next Action\n"
    "Return `TOKEN_EXPIRED` from `verify_token` if `exp` is before `now`, then run `make test_token`.\n"
    "\n"
    "## Current State\n"
    "- **File**: /srv/app/src/auth/jwt.c\n"
    "- **Location**: Line 142, inside `verify_token`, after the header is parsed\n"
    "- **Goal state**:\n"
    "  ```\n"
    "  test_expired_token: expected TOKEN_EXPIRED, got TOKEN_VALID\n"
    "  1 of 14 tests fails\n"
    "  ```\n"
    "\n"
    "## Key Decisions Made\n"
    "1. Check the expiry before the signature: A forged but expired token costs no public-key operation\n"
    "2. Take the time as an argument: Tests set it without waiting\n"
    "\n"
    "## What NOT to Try\n"
    "1. Comparing times as text: Offsets other than Z sort wrongly\n"
    "\n"
    "## Critical Context (max 5 items)\n"
    "- `exp` is in seconds, `now` in milliseconds\n"
    "- The fixture `expired.jwt` expired on 2026-01-01\n"
    "\n"
    "## References (read only if stuck)\n"
    "- Plan: specs/12_token_expiry/plans/implementation-001.md, Phase 3\n"
    "- Related file: src/auth/clock.c\n";

static const ho_sending sending = {.kind = HO_SEND_ON,
                                   .task = "task",
                                   .in_task_folder = true,
                                   .phase = "phase",
                                   .subject = "immediate_next_action",
                                   .files = (const char *const[]){"references", NULL}};

const ho_format ho_format_artifact = {
    .name = "artifact",
    .title = "Phase handoff artifact",
    .doc = "What a successor needs to continue a phase after its predecessor ran out of context: one screen, read from "
           "the top, each section only if the ones before it were not enough.",
    .encoding = HO_MARKDOWN,
    .root = &root,
    .rules = ho_artifact_rules,
    .file_names = "!*-details.md|handoffs/*.md|phase-*-handoff*.md",
    .marks = (const char *const[]){"immediate_next_action", "current_state|critical_context|what_not_to_try", NULL},
    .place = "specs/{task}_{slug}/handoffs/phase-{phase}-handoff-{timestamp}.md",
    .read_markdown = ho_artifact_read,
    .write_markdown = ho_artifact_write,
    .looks_like = ho_artifact_looks_like,
    .sending = &sending,
    .example = example,
};
