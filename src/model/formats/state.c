/* The state file: which handoffs there are and what state they are in. */
#include "model/check.h"
#include "model/formats/formats.h"
#include "model/formats/names.h"

static const ho_choice statuses[] = {
    {"draft", "Drafted on behalf of an agent; not yet confirmed.", NULL},
    {"pending", "Waiting for its receiver.", "ready|claimed|queued|open"},
    {"in_progress", "The receiver acknowledged it and is working.", "acked|active|started"},
    {"completed", "The work is done.", "done|archived|complete|finished"},
    {"clarify", "The receiver asked and is waiting for an answer.", "request_clarification"},
    {"gated", "A person must decide.", "blocked"},
    {"rejected", "The receiver or a person rejected it.", NULL},
    {"expired", "Nobody claimed it in time.", NULL},
    {"superseded", "Another handoff replaced it.", NULL},
    {0},
};

static const ho_field handoff_fields[] = {
    {.name = "id",
     .doc = "The handoff's id.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .aliases = "handoff_id",
     .example = "HO-2024-001"},
    {.name = "timestamp",
     .doc = "When it was sent.",
     .type = HO_T_TEXT,
     .flags = HO_EXPECTED,
     .aliases = "created_at|date",
     .syntax = &ho_syntax_TIME,
     .example = "2024-01-15T14:30:00Z"},
    {.name = "from",
     .doc = "The agent that handed off; absent if it is not known.",
     .type = HO_T_TEXT,
     .aliases = "from_agent",
     .role = HO_ROLE_PARTIES,
     .example = "specification"},
    {.name = "to",
     .doc = "The agent that receives, or human; absent for whoever asks for the task.",
     .type = HO_T_TEXT,
     .aliases = "to_agent",
     .role = HO_ROLE_PARTIES,
     .example = "architecture"},
    {.name = "status",
     .doc = "Its state.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED | HO_OPEN,
     .aliases = "state",
     .choices = statuses,
     .role = HO_ROLE_OUTCOME,
     .example = "completed"},
    {.name = "type", .doc = "What kind of document it is.", .type = HO_T_TEXT, .aliases = "kind", .example = "package"},
    {.name = "task", .doc = "The task it is about.", .type = HO_T_ID, .aliases = "task_id", .example = "259"},
    {.name = "phase", .doc = "The phase it is about.", .type = HO_T_ID, .example = "3"},
    {.name = "path",
     .doc = "Its readable copy, relative to the project root.",
     .type = HO_T_TEXT,
     .syntax = &ho_syntax_RELATIVE,
     .example = ".project/07-audit/sessions/local-20240115/handoffs/HO-2024-001.yaml"},
    HO_FIELDS_END,
};

static const ho_record handoff = {.name = "handoff", .fields = handoff_fields, .map_key = "id"};

static const ho_field fields[] = {
    {.name = "version", .doc = "Version of the file's layout.", .type = HO_T_TEXT, .example = "1.0"},
    {.name = "initialized_at",
     .doc = "When the file was created; null before the first session.",
     .type = HO_T_TEXT,
     .flags = HO_NULLABLE,
     .syntax = &ho_syntax_TIME,
     .example = "2024-01-15T09:00:00Z"},
    {.name = "updated_at",
     .doc = "When the file was last updated.",
     .type = HO_T_TEXT,
     .flags = HO_NULLABLE,
     .aliases = "last_updated",
     .syntax = &ho_syntax_TIME,
     .example = "2024-01-15T14:30:00Z"},
    {.name = "project",
     .doc = "The project: id, name, client, path.",
     .type = HO_T_ANY,
     .flags = HO_NULLABLE,
     .example = "shop"},
    {.name = "session",
     .doc = "The current session: id, started_at, last_activity, status.",
     .type = HO_T_ANY,
     .flags = HO_NULLABLE,
     .example = "local-20240115"},
    {.name = "workflow",
     .doc = "The current workflow: name, level, current_step, total_steps, status.",
     .type = HO_T_ANY,
     .flags = HO_NULLABLE,
     .role = HO_ROLE_TASK,
     .example = "feature"},
    {.name = "active_role",
     .doc = "The role that is working.",
     .type = HO_T_TEXT,
     .flags = HO_NULLABLE,
     .example = "developer"},
    {.name = "phase", .doc = "The current phase.", .type = HO_T_ANY, .flags = HO_NULLABLE, .example = "design"},
    {.name = "current_task",
     .doc = "The current task.",
     .type = HO_T_ANY,
     .flags = HO_NULLABLE,
     .role = HO_ROLE_NEXT,
     .example = "Write the user stories"},
    {.name = "steps",
     .doc = "The workflow's steps: name, status, started_at, completed_at, output_path, gate.",
     .type = HO_T_ANY,
     .role = HO_ROLE_STATE,
     .example = "[]"},
    {.name = "gates_pending",
     .doc = "Gates waiting for a person: step, type, waiting_for, deliverable, since; those in the store also have "
            "gate, handoff and name.",
     .type = HO_T_ANY,
     .role = HO_ROLE_BLOCKERS,
     .example = "[]"},
    {.name = "handoffs",
     .doc = "Every open handoff and the most recently ended ones.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .record = &handoff},
    {.name = "decisions",
     .doc = "Decisions of this session.",
     .type = HO_T_ANY,
     .role = HO_ROLE_DECISIONS,
     .example = "[]"},
    {.name = "context",
     .doc = "What the agents keep for each other.",
     .type = HO_T_ANY,
     .role = HO_ROLE_FACTS,
     .example = "{}"},
    {.name = "context_loaded", .doc = "What the agents have read.", .type = HO_T_ANY, .example = "[]"},
    HO_FIELDS_END,
};

static const ho_record root = {.name = "state", .fields = fields};

static void check_ids(ho_check *check, const ho_rule *rule)
{
  ho_names names = ho_names_of(check->report->arena, ho_check_get(check, "handoffs"), "id");
  ho_names_check_unique(check, rule, &names, "handoff");
}

static void check_to_itself(ho_check *check, const ho_rule *rule)
{
  HO_EACH_CONST (item, ho_check_get(check, "handoffs")) {
    const ho_node *to = ho_map_getz(item, "to");
    /* Entries with a type are the ledger's: there, an agent's successor has its name, and an approved gate goes back to
     * whoever raised it. */
    if (!ho_map_getz(item, "type") && !ho_node_empty(to) && ho_str_eq(ho_node_str(to), ho_map_str(item, "from"))) {
      ho_check_fail(check, rule, to, "'%.*s' hands off to itself", HO_ARG(ho_str_sub(ho_node_str(to), 0, 80)));
    }
  }
}

static const ho_rule rules[] = {
    {.info = {"state-id-unique", HO_ERROR, "A handoff must be listed only once.", "Keep the newer of the two entries."},
     .check = check_ids,
     .fact = true},
    {.info = {"state-to-itself", HO_WARNING, "A handoff must go from one party to another.",
              "Name the agent that receives it."},
     .check = check_to_itself},
    HO_RULES_END,
};

static const char *const marks[] = {"handoffs|gates_pending|initialized_at", "version|project|workflow|handoffs", NULL};

const ho_format ho_format_state = {
    .name = "state",
    .title = "State file",
    .doc = "The state of a project: the current workflow, the pending gates, and every handoff with its status. "
           "Comments are accepted when reading.",
    .encoding = HO_JSON,
    .root = &root,
    .rules = rules,
    .file_names = "state/current.json",
    .marks = marks,
    .place = "state/current.json",
    .example = "{\n"
               "  \"version\": \"1.0\",\n"
               "  \"updated_at\": \"2024-01-15T14:30:00Z\",\n"
               "  \"project\": {\"id\": \"PRJ-001\", \"name\": \"Shop\"},\n"
               "  \"workflow\": {\"name\": \"feature\", \"current_step\": 3, \"status\": \"in_progress\"},\n"
               "  \"gates_pending\": [],\n"
               "  \"handoffs\": [\n"
               "    {\n"
               "      \"id\": \"HO-2024-001\",\n"
               "      \"timestamp\": \"2024-01-15T14:30:00Z\",\n"
               "      \"from\": \"specification\",\n"
               "      \"to\": \"architecture\",\n"
               "      \"status\": \"completed\"\n"
               "    }\n"
               "  ]\n"
               "}\n",
};
