/* Workflows for `run`: named steps, who does them, and in what order. */
#include "model/check.h"
#include "model/formats/formats.h"
#include "model/formats/names.h"

static const ho_choice kinds[] = {
    {"research", "Investigates.", "analyze|analysis"},
    {"write", "Changes files.", "implement|implementation|code"},
    {"validate", "Checks what was written.", "review|test|verify"},
    {"parallel", "Several agents do the same, and a rule combines their results.", NULL},
    {0},
};

static const ho_choice gates[] = {
    {"blocking", "Dependent steps wait until a person approves.", "true|yes|human|required"},
    {"advisory", "A person is notified; nothing waits.", "informative|informational"},
    {"automatic", "Nobody is asked.", "false|no|none|auto"},
    {0},
};

static const ho_field budget_fields[] = {
    {.name = "tokens",
     .doc = "Tokens that all agents of the step together may use.",
     .type = HO_T_INT,
     .min = 1,
     .max = 1000000000,
     .example = "2500"},
    {.name = "seconds",
     .doc = "How long the step may take.",
     .type = HO_T_INT,
     .min = 1,
     .max = 31536000,
     .example = "1800"},
    HO_FIELDS_END,
};

static const ho_record budget = {.name = "budget", .fields = budget_fields, .scalar = "tokens"};

static const ho_field step_fields[] = {
    {.name = "name",
     .doc = "Its name, used by other steps.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .aliases = "id|step",
     .syntax = &ho_syntax_ONE_LINE,
     .example = "write"},
    {.name = "agent",
     .doc = "Who does it: an agent from the settings; if absent, the agent given to 'handoff run'. A parallel step may "
            "name several, separated by commas.",
     .type = HO_T_TEXT,
     .role = HO_ROLE_PARTIES,
     .example = "writer"},
    {.name = "kind",
     .doc = "The kind of work.",
     .type = HO_T_TEXT,
     .aliases = "phase|type",
     .choices = kinds,
     .fallback = "write",
     .example = "write"},
    {.name = "depends_on",
     .doc = "Steps that must be done first.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .aliases = "depends|dependencies|needs|after",
     .example = "research"},
    {.name = "instructions",
     .doc = "What to do.",
     .type = HO_T_TEXT,
     .aliases = "prompt|description|task",
     .role = HO_ROLE_NEXT,
     .example = "Write the endpoint that the research describes."},
    {.name = "feature",
     .doc = "The feature it works on; if absent, the name of the workflow.",
     .type = HO_T_TEXT,
     .role = HO_ROLE_TASK,
     .example = "jwt-authentication"},
    {.name = "spec",
     .doc = "Path of the specification; if absent, the workflow's own.",
     .type = HO_T_TEXT,
     .aliases = "spec_path",
     .role = HO_ROLE_REFERENCES,
     .example = "specs/auth/requirements.md"},
    {.name = "files",
     .doc = "Files and folders to examine.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .aliases = "relevant_files",
     .role = HO_ROLE_STATE,
     .example = "src/lib/"},
    {.name = "constraints",
     .doc = "Requirements to meet.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .role = HO_ROLE_CONTRACT,
     .example = "No breaking changes"},
    {.name = "success_criteria",
     .doc = "How to tell that the step succeeded.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .aliases = "acceptance_criteria|criteria",
     .role = HO_ROLE_CONTRACT,
     .example = "All tests pass"},
    {.name = "expected_output",
     .doc = "What the step returns; if absent, what its kind returns: structured_findings, files_changed, "
            "validation_result or aggregated_results.",
     .type = HO_T_TEXT,
     .aliases = "output",
     .example = "structured_findings"},
    {.name = "gate",
     .doc = "Whether a person must approve the result.",
     .type = HO_T_TEXT,
     .choices = gates,
     .fallback = "automatic",
     .example = "blocking"},
    {.name = "rule",
     .doc = "For a parallel step: how many agents must succeed: all, any, majority or a number. If one agent is named, "
            "a number also sets how many instances run; otherwise three do.",
     .type = HO_T_ID,
     .fallback = "all",
     .example = "majority"},
    {.name = "budget",
     .doc = "What it may cost; once used up, nothing new is started, but running agents continue.",
     .type = HO_T_RECORD,
     .record = &budget},
    HO_FIELDS_END,
};

static const ho_record step = {.name = "step", .fields = step_fields, .scalar = "name", .map_key = "name"};

static const ho_field fields[] = {
    {.name = "name",
     .doc = "Name of the workflow.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .aliases = "workflow|title",
     .syntax = &ho_syntax_ONE_LINE,
     .role = HO_ROLE_TASK,
     .example = "feature"},
    {.name = "description",
     .doc = "What it is for.",
     .type = HO_T_TEXT,
     .role = HO_ROLE_FACTS,
     .example = "From a question to reviewed code"},
    {.name = "steps",
     .doc = "The steps; those whose dependencies are done run in parallel.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .flags = HO_REQUIRED,
     .record = &step,
     .role = HO_ROLE_STATE},
    HO_FIELDS_END,
};

static const ho_record root = {.name = "workflow", .fields = fields};

static void check_names(ho_check *check, const ho_rule *rule)
{
  ho_names names = ho_names_of(check->report->arena, ho_check_get(check, "steps"), "name");
  ho_names_check_unique(check, rule, &names, "step");
}

static void check_dependencies(ho_check *check, const ho_rule *rule)
{
  const ho_node *steps = ho_check_get(check, "steps");
  ho_names names = ho_names_of(check->report->arena, steps, "name");
  HO_EACH_CONST (item, steps) {
    HO_EACH_CONST (before, ho_map_getz(item, "depends_on")) {
      if (before->kind == HO_KIND_TEXT && !ho_names_find(&names, before->text)) {
        ho_check_fail(check, rule, before, "no step is named '%.*s'", HO_ARG(ho_str_sub(before->text, 0, 80)));
      }
    }
  }
}

/* The steps as numbers, for a walk along their dependencies. */
typedef struct graph {
  ho_names names;
  const ho_node **steps;
  size_t count;
  unsigned char *state; /* 0 not visited, 1 on the current path, 2 done */
  size_t *path;         /* the current path: each dependency after the step that depends on it */
  const ho_node **next; /* for each step on the path: the dependency to look at next */
} graph;

static bool make_graph(ho_check *check, graph *g)
{
  ho_arena *arena = check->report->arena;
  const ho_node *list = ho_check_get(check, "steps");
  size_t index = 0;
  if (!ho_node_is(list, HO_KIND_LIST) || list->count == 0) {
    return false;
  }
  g->count = list->count;
  g->names = ho_names_of(arena, list, "name");
  g->steps = ho_arena_array(arena, g->count, sizeof *g->steps);
  g->state = ho_arena_array(arena, g->count, sizeof *g->state);
  g->path = ho_arena_array(arena, g->count, sizeof *g->path);
  g->next = ho_arena_array(arena, g->count, sizeof *g->next);
  if (!g->steps || !g->state || !g->path || !g->next) {
    return false;
  }
  HO_EACH_CONST (item, list) {
    g->steps[index++] = item;
  }
  return true;
}

static void enter(graph *g, size_t depth, size_t step_index)
{
  const ho_node *before = ho_map_getz(g->steps[step_index], "depends_on");
  g->state[step_index] = 1;
  g->path[depth] = step_index;
  g->next[depth] = ho_node_is(before, HO_KIND_LIST) ? before->first : NULL;
}

/* Follows the dependencies from `start` without recursion. Returns the dependency that closes a cycle, or NULL. */
static const ho_node *find_circle(graph *g, size_t start)
{
  size_t depth = 0;
  enter(g, 0, start);
  for (;;) {
    const ho_node *before = g->next[depth];
    if (!before) {
      g->state[g->path[depth]] = 2;
      if (depth == 0) {
        return NULL;
      }
      depth--;
      continue;
    }
    g->next[depth] = before->next;
    const ho_name *name = ho_names_find(&g->names, ho_node_str(before));
    if (name && g->state[name->index] == 1) {
      return before;
    }
    if (name && g->state[name->index] == 0) {
      enter(g, ++depth, name->index);
    }
  }
}

static void check_circle(ho_check *check, const ho_rule *rule)
{
  graph g = {0};
  if (!make_graph(check, &g)) {
    return;
  }
  for (size_t i = 0; i < g.count; i++) {
    const ho_node *closing = g.state[i] == 0 ? find_circle(&g, i) : NULL;
    if (closing) {
      ho_check_fail(check, rule, closing, "'%.*s' waits for itself through this dependency",
                    HO_ARG(ho_str_sub(closing->text, 0, 80)));
      return;
    }
  }
}

static void check_rule_form(ho_check *check, const ho_rule *rule)
{
  HO_EACH_CONST (item, ho_check_get(check, "steps")) {
    const ho_node *wanted = ho_map_getz(item, "rule");
    long long count;
    if (ho_node_absent(wanted) || ho_str_list_has("all|any|majority", ho_node_str(wanted)) ||
        (ho_node_to_int(wanted, &count) && count >= 1)) {
      continue;
    }
    ho_check_fail(check, rule, wanted, "expected all, any, majority or a number, found '%.*s'",
                  HO_ARG(ho_str_sub(ho_node_str(wanted), 0, 80)));
  }
}

static void check_rule_use(ho_check *check, const ho_rule *rule)
{
  HO_EACH_CONST (item, ho_check_get(check, "steps")) {
    const ho_node *wanted = ho_map_getz(item, "rule");
    if (!ho_node_absent(wanted) && !ho_str_is(ho_map_str(item, "kind"), "parallel")) {
      ho_check_fail(check, rule, wanted, "the step is not parallel");
    }
  }
}

static const ho_rule rules[] = {
    {.info = {"workflow-step-unique", HO_ERROR, "Step names must be unique.", "Rename one of the two."},
     .check = check_names,
     .fact = true},
    {.info = {"workflow-dependency-known", HO_ERROR, "A step may only depend on steps of the same workflow.",
              "Correct the name, or add the step."},
     .check = check_dependencies,
     .fact = true},
    {.info = {"workflow-circle", HO_ERROR, "A step must not wait for itself.", "Remove one of the dependencies."},
     .check = check_circle,
     .fact = true},
    {.info = {"workflow-rule-form", HO_ERROR, "A rule must be all, any, majority or a number of at least 1.",
              "Use one of the values listed."},
     .check = check_rule_form,
     .fact = true},
    {.info = {"workflow-rule-use", HO_WARNING, "Only a parallel step can have a rule.",
              "Remove the rule, or make the step parallel."},
     .check = check_rule_use},
    HO_RULES_END,
};

static const char *const marks[] = {"steps", "name", NULL};

const ho_format ho_format_workflow = {
    .name = "workflow",
    .title = "Workflow",
    .doc = "Named steps for 'handoff run': who does each, what it waits for, and whether a person must approve it.",
    .encoding = HO_YAML,
    .root = &root,
    .rules = rules,
    .file_names = "*.workflow.yaml|*.workflow.yml|workflow.yaml|workflow.yml",
    .marks = marks,
    .place = "workflows/{name}.workflow.yaml",
    .example = "name: feature\n"
               "description: From a question to reviewed code\n"
               "steps:\n"
               "  - name: research\n"
               "    agent: reader\n"
               "    kind: research\n"
               "    instructions: Find out how sessions are stored.\n"
               "    budget:\n"
               "      tokens: 1500\n"
               "  - name: write\n"
               "    agent: writer\n"
               "    kind: write\n"
               "    depends_on:\n"
               "      - research\n"
               "    instructions: Write the endpoint that the research describes.\n"
               "    gate: blocking\n"
               "  - name: review\n"
               "    agent: reviewer\n"
               "    kind: parallel\n"
               "    depends_on:\n"
               "      - write\n"
               "    instructions: Review the change for security.\n"
               "    rule: majority\n",
};
