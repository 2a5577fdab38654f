/* Progress of one phase: what is to be done, how far it is, and what did not work. */
#include "model/check.h"
#include "model/formats/formats.h"
#include "model/formats/names.h"
#include "model/formats/objectives.h"
#include "model/formats/place.h"
#include "model/formats/times.h"

static const ho_choice objective_statuses[] = {
    {"not_started", "Not started.", "pending|todo|open|planned"},
    {"in_progress", "In progress.", "started|active|doing|partial"},
    {"done", "Finished.", "completed|complete|finished|implemented"},
    {"blocked", "It cannot continue; the note says why.", "stuck"},
    {0},
};

static const ho_choice phase_statuses[] = {
    {"not_started", "Not started.", "pending|todo"},
    {"in_progress", "In progress.", "started|active"},
    {"partial", "Some objectives are done, and nobody is working on it.", NULL},
    {"done", "All objectives are done.", "completed|complete|finished|implemented"},
    {"blocked", "It cannot continue.", "stuck"},
    {0},
};

static const ho_choice results[] = {
    {"failed", "It does not work.", "failure|rejected"},
    {"partial", "It works partly.", "partial_success"},
    {"blocked", "Something else prevented it.", NULL},
    {0},
};

static const ho_choice deviation_types[] = {
    {"skipped", "The task was skipped.", NULL},
    {"altered", "The task was done differently.", "changed|modified"},
    {"deferred", "The task was postponed.", "postponed"},
    {0},
};

static const ho_field objective_fields[] = {
    {.name = "id",
     .doc = "The objective's number, counted from 1; it never changes.",
     .type = HO_T_ID,
     .flags = HO_EXPECTED,
     .example = "1"},
    {.name = "description",
     .doc = "What must be achieved; it never changes.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .aliases = "name|title|objective",
     .example = "Prove the consistency lemma"},
    {.name = "status",
     .doc = "How far it is.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .choices = objective_statuses,
     .example = "in_progress"},
    {.name = "note",
     .doc = "What a successor needs to know about it, above all what blocks it.",
     .type = HO_T_TEXT,
     .aliases = "notes|details|blocking_reason",
     .example = "3 of 5 cases done"},
    {.name = "files_touched",
     .doc = "Files read or changed for it, relative to the project root, the newest last; hooks fill it.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .example = "src/lindenbaum.lean"},
    HO_FIELDS_END,
};

static const ho_record objective = {
    .name = "objective", .fields = objective_fields, .scalar = "description", .map_key = "id"};

static const ho_field approach_fields[] = {
    {.name = "approach",
     .doc = "What was tried.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .aliases = "description|name",
     .example = "Direct induction on the formula"},
    {.name = "result",
     .doc = "The result: failed, partial or blocked, or a sentence that says so and why.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .aliases = "outcome",
     .example = "failed"},
    {.name = "reason",
     .doc = "Why, so that nobody tries it again.",
     .type = HO_T_TEXT,
     .aliases = "insight|why",
     .example = "The goal is about states, not formulas"},
    {.name = "objective_id",
     .doc = "The objective it was tried for.",
     .type = HO_T_ID,
     .aliases = "objective",
     .example = "2"},
    {.name = "timestamp",
     .doc = "When it was tried.",
     .type = HO_T_TEXT,
     .syntax = &ho_syntax_TIME,
     .example = "2026-02-12T11:20:00Z"},
    {.name = "revoked",
     .doc = "When it was taken back: it may be tried again.",
     .type = HO_T_TEXT,
     .syntax = &ho_syntax_TIME},
    HO_FIELDS_END,
};

static const ho_record approach = {.name = "approach", .fields = approach_fields, .scalar = "approach"};

static const ho_field deviation_fields[] = {
    {.name = "task_id",
     .doc = "The task of the plan, as PHASE.TASK.",
     .type = HO_T_TEXT,
     .aliases = "task|id",
     .example = "1.4"},
    {.name = "description",
     .doc = "What the task was.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .example = "Run the linter over all files"},
    {.name = "type",
     .doc = "How the work differs from the plan.",
     .type = HO_T_TEXT,
     .flags = HO_OPEN,
     .choices = deviation_types,
     .example = "altered"},
    {.name = "reason",
     .doc = "Why it differs.",
     .type = HO_T_TEXT,
     .flags = HO_EXPECTED,
     .example = "The generated files cannot be linted"},
    {.name = "annotation",
     .doc = "The remark added to the plan.",
     .type = HO_T_TEXT,
     .example = "*(deviation: altered, generated files left out)*"},
    HO_FIELDS_END,
};

static const ho_record deviation = {.name = "deviation", .fields = deviation_fields, .scalar = "description"};

static const ho_field fields[] = {
    {.name = "phase",
     .doc = "The phase of the plan, as in the file name.",
     .type = HO_T_ID,
     .flags = HO_REQUIRED,
     .role = HO_ROLE_TASK,
     .example = "3"},
    {.name = "phase_name",
     .doc = "Name of the phase in the plan.",
     .type = HO_T_TEXT,
     .flags = HO_EXPECTED,
     .aliases = "name|title",
     .role = HO_ROLE_TASK,
     .example = "Controlled extension"},
    {.name = "status",
     .doc = "Status of the whole phase; must agree with the objectives.",
     .type = HO_T_TEXT,
     .choices = phase_statuses,
     .role = HO_ROLE_OUTCOME,
     .example = "in_progress"},
    {.name = "started_at",
     .doc = "When the phase was begun.",
     .type = HO_T_TEXT,
     .flags = HO_EXPECTED,
     .aliases = "started|created_at",
     .syntax = &ho_syntax_TIME,
     .example = "2026-02-12T10:30:00Z"},
    {.name = "last_updated",
     .doc = "When this file was last updated.",
     .type = HO_T_TEXT,
     .flags = HO_EXPECTED,
     .aliases = "updated_at|updated",
     .syntax = &ho_syntax_TIME,
     .example = "2026-02-12T11:45:00Z"},
    {.name = "objectives",
     .doc = "What the phase must achieve; only the status and note of an objective change.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .flags = HO_REQUIRED,
     .record = &objective,
     .role = HO_ROLE_STATE},
    {.name = "current_objective",
     .doc = "The id of the objective in progress or next to start; null when all are done.",
     .type = HO_T_ID,
     .flags = HO_EXPECTED | HO_NULLABLE,
     .role = HO_ROLE_NEXT,
     .example = "2"},
    {.name = "approaches_tried",
     .doc = "What was tried and did not work, so that nobody repeats it.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .flags = HO_EXPECTED | HO_MAY_BE_EMPTY,
     .record = &approach,
     .role = HO_ROLE_DEAD_ENDS},
    {.name = "deviations",
     .doc = "Where the work differs from the plan.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .record = &deviation,
     .role = HO_ROLE_WARNINGS},
    {.name = "handoff_count",
     .doc = "How many handoffs were written because a context was exhausted.",
     .type = HO_T_INT,
     .flags = HO_EXPECTED,
     .fallback = "0",
     .example = "0"},
    HO_FIELDS_END,
};

static const ho_record root = {.name = "progress", .fields = fields};

static bool objective_is(const ho_node *item, const char *status)
{
  return ho_str_is(ho_map_str(item, "status"), status);
}

/* The first objective that is not done, or NULL. */
static const ho_node *first_open(const ho_check *check)
{
  HO_EACH_CONST (item, ho_check_get(check, "objectives")) {
    if (item->kind == HO_KIND_MAP && !objective_is(item, "done")) {
      return item;
    }
  }
  return NULL;
}

static void check_ids(ho_check *check, const ho_rule *rule)
{
  ho_names names = ho_names_of(check->report->arena, ho_check_get(check, "objectives"), "id");
  ho_names_check_unique(check, rule, &names, "objective");
}

/* Says nothing if the objectives have no ids. */
static void check_current(ho_check *check, const ho_rule *rule)
{
  const ho_node *current = ho_check_get(check, "current_objective");
  ho_names names = ho_names_of(check->report->arena, ho_check_get(check, "objectives"), "id");
  if (!current || names.count == 0) {
    return;
  }
  if (current->kind == HO_KIND_NULL) {
    if (first_open(check)) {
      ho_check_fail(check, rule, current, "is null, but an objective is open");
    }
  } else if (!ho_names_find(&names, ho_node_str(current))) {
    ho_check_fail(check, rule, current, "no objective has the id '%.*s'",
                  HO_ARG(ho_str_sub(ho_node_str(current), 0, 80)));
  }
}

static void check_current_open(ho_check *check, const ho_rule *rule)
{
  const ho_node *current = ho_check_get(check, "current_objective"), *list = ho_check_get(check, "objectives");
  ho_names names = ho_names_of(check->report->arena, list, "id");
  const ho_name *name = ho_node_absent(current) ? NULL : ho_names_find(&names, ho_node_str(current));
  if (name && objective_is(ho_list_at(list, name->index), "done") && first_open(check)) {
    ho_check_fail(check, rule, current, "objective %.*s is done, but others are open", HO_ARG(name->text));
  }
}

static void check_time_order(ho_check *check, const ho_rule *rule)
{
  ho_times_check_order(check, rule, "started_at", "last_updated");
}

static void check_blocked_note(ho_check *check, const ho_rule *rule)
{
  HO_EACH_CONST (item, ho_check_get(check, "objectives")) {
    if (objective_is(item, "blocked") && ho_node_empty(ho_map_getz(item, "note"))) {
      ho_check_fail(check, rule, item, "is blocked but has no note");
    }
  }
}

/* A result that is one known word needs a reason; a sentence contains its own. */
static void check_reasons(ho_check *check, const ho_rule *rule)
{
  HO_EACH_CONST (item, ho_check_get(check, "approaches_tried")) {
    ho_str result = ho_str_trim(ho_map_str(item, "result"));
    bool bare = false;
    for (const ho_choice *choice = results; choice->value; choice++) {
      bare |= ho_str_is_nocase(result, choice->value) || ho_str_list_has_nocase(choice->synonyms, result);
    }
    if (bare && ho_node_empty(ho_map_getz(item, "reason"))) {
      ho_check_fail(check, rule, item, "does not say why it %.*s", HO_ARG(result));
    }
  }
}

static void check_status(ho_check *check, const ho_rule *rule)
{
  const ho_node *status = ho_check_get(check, "status");
  if (ho_str_is(ho_node_str(status), "done") && first_open(check)) {
    ho_check_fail(check, rule, status, "is done, but an objective is open");
  }
}

typedef struct changed {
  ho_check *check;
  const ho_rule *rule;
} changed;

static void tell_change(void *data, const ho_node *at, ho_str id, const char *what)
{
  const changed *c = data;
  ho_check_fail(c->check, c->rule, at, "objective %.*s %s", HO_ARG(ho_str_sub(id, 0, 80)), what);
}

static void check_objectives(ho_check *check, const ho_rule *rule)
{
  changed c = {check, rule};
  ho_objectives_changes(check->root, tell_change, &c);
}

static void check_file_name(ho_check *check, const ho_rule *rule)
{
  ho_str path = check->env->path, phase = ho_node_str(ho_check_get(check, "phase")), in_name;
  if (!ho_place_known(path)) {
    return;
  }
  const char *problem = ho_place_problem(path, "progress");
  if (problem) {
    ho_check_fail(check, rule, NULL, "the file %s", problem);
  }
  if (!ho_place_between(ho_place_name(path), "phase-", "-progress.json", &in_name)) {
    ho_check_fail(check, rule, NULL, "the file is named '%.*s'", HO_ARG(ho_place_name(path)));
  } else if (phase.n && !ho_str_eq(phase, in_name)) {
    ho_check_fail(check, rule, ho_check_get(check, "phase"), "is '%.*s', the file name says '%.*s'", HO_ARG(phase),
                  HO_ARG(in_name));
  }
}

static const ho_rule rules[] = {
    {.info = {"progress-id-unique", HO_ERROR, "Objective ids must be unique.",
              "Number the objectives from 1 in the order of the plan."},
     .check = check_ids,
     .aside = true},
    {.info = {"progress-current-known", HO_WARNING,
              "current_objective must be the id of an objective, or null when all are done.",
              "Name the objective in progress or next to start; null when all are done."},
     .check = check_current},
    {.info = {"progress-current-open", HO_WARNING,
              "current_objective must not name a finished objective while others are open.",
              "Name the next open objective."},
     .check = check_current_open},
    {.info = {"progress-time-order", HO_ERROR, "last_updated must not be before started_at.", "Correct the times."},
     .check = check_time_order,
     .aside = true},
    {.info = {"progress-objectives-fixed", HO_WARNING, "Objectives must stay as they were when the phase began.",
              "Put it back as it was; work that was not planned is another phase's, or a note."},
     .check = check_objectives},
    {.info = {"progress-blocked-note", HO_WARNING, "A blocked objective must say what blocks it.",
              "Say in its note what blocks it."},
     .check = check_blocked_note},
    {.info = {"progress-approach-reason", HO_WARNING, "A failed approach must say why it failed.",
              "Add a reason, so that nobody tries it again."},
     .check = check_reasons},
    {.info = {"progress-status-agrees", HO_WARNING, "A phase is done only if all its objectives are.",
              "Correct the status of the phase or of the objectives."},
     .check = check_status},
    {.info = {"progress-file-name", HO_WARNING,
              "The file must be specs/{N}_{SLUG}/progress/phase-{P}-progress.json, N and P without leading zeros.",
              "Move or rename the file, or correct the phase."},
     .check = check_file_name},
    HO_RULES_END,
};

static const char *const marks[] = {"objectives", "phase|phase_name|current_objective|handoff_count", NULL};

const ho_format ho_format_progress = {
    .name = "progress",
    .title = "Phase progress",
    .doc = "How far one phase of a plan is: its objectives, the current one, and what was tried in vain. Updated after "
           "each objective, so that a successor can continue at any time.",
    .encoding = HO_JSON,
    .root = &root,
    .rules = rules,
    .file_names = "phase-*-progress.json",
    .marks = marks,
    .place = "specs/{task}_{slug}/progress/phase-{phase}-progress.json",
    .example = "{\n"
               "  \"phase\": 3,\n"
               "  \"phase_name\": \"Controlled extension\",\n"
               "  \"started_at\": \"2026-02-12T10:30:00Z\",\n"
               "  \"last_updated\": \"2026-02-12T11:45:00Z\",\n"
               "  \"objectives\": [\n"
               "    {\"id\": 1, \"description\": \"Define the controlled state\", \"status\": \"done\"},\n"
               "    {\"id\": 2, \"description\": \"Prove the consistency lemma\", \"status\": \"in_progress\",\n"
               "     \"note\": \"3 of 5 cases done\"},\n"
               "    {\"id\": 3, \"description\": \"Prove the extension theorem\", \"status\": \"not_started\"}\n"
               "  ],\n"
               "  \"current_objective\": 2,\n"
               "  \"approaches_tried\": [\n"
               "    {\"approach\": \"Direct induction on the formula\", \"result\": \"failed\",\n"
               "     \"reason\": \"The goal is about states, not formulas\"}\n"
               "  ],\n"
               "  \"handoff_count\": 0\n"
               "}\n",
};
