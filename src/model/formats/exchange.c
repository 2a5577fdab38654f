#include "model/formats/exchange.h"

#include "model/wording.h"

/* Only this many paths of a summary are looked at, so that a hostile one cannot force a comparison with a million
 * artifacts. */
enum { MAX_PATHS = 200, MIN_WORDS = 4 };

static const ho_field sender_fields[] = {
    {.name = "agent",
     .doc = "ID of the agent that hands over.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .aliases = "name|id|role",
     .syntax = &ho_syntax_NAME,
     .example = "specification"},
    {.name = "step",
     .doc = "Its step in the workflow, by number or name; null outside a workflow.",
     .type = HO_T_ID,
     .flags = HO_NULLABLE,
     .example = "2"},
    HO_FIELDS_END};
const ho_record ho_record_sender = {.name = "from", .fields = sender_fields, .scalar = "agent"};

static const ho_field receiver_fields[] = {{.name = "agent",
                                            .doc = "ID of the agent that takes over, or human.",
                                            .type = HO_T_TEXT,
                                            .flags = HO_REQUIRED,
                                            .aliases = "name|id|role",
                                            .syntax = &ho_syntax_NAME,
                                            .example = "architecture"},
                                           {.name = "reason",
                                            .doc = "Why this agent.",
                                            .type = HO_T_TEXT,
                                            .aliases = "why",
                                            .example = "Specs validated, moving to design"},
                                           HO_FIELDS_END};
const ho_record ho_record_receiver = {.name = "to", .fields = receiver_fields, .scalar = "agent"};

static const ho_field decision_fields[] = {
    {.name = "id", .doc = "ID of the decision.", .type = HO_T_TEXT, .example = "D-001"},
    {.name = "decision",
     .doc = "What was decided.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .aliases = "title|choice",
     .example = "JWT with refresh token rotation"},
    {.name = "rationale",
     .doc = "Why.",
     .type = HO_T_TEXT,
     .flags = HO_EXPECTED,
     .aliases = "reason|why|because",
     .example = "Sessions have to survive a restart"},
    HO_FIELDS_END};
static const ho_record decision_record = {
    .name = "decision", .fields = decision_fields, .scalar = "decision", .map_key = "id"};

static const ho_choice artifact_types[] = {{"spec", "Specification of what to build.", "specification"},
                                           {"code", "Source code or tests.", "source|test|tests"},
                                           {"doc", "Documentation for people.", "docs|document|documentation"},
                                           {"config", "Settings.", "configuration"},
                                           {0}};
static const ho_field artifact_fields[] = {{.name = "path",
                                            .doc = "Exact path from the project root; a folder ends in '/'.",
                                            .type = HO_T_TEXT,
                                            .flags = HO_REQUIRED,
                                            .aliases = "file",
                                            .syntax = &ho_syntax_RELATIVE,
                                            .example = "docs/specs/US-001.md"},
                                           {.name = "type",
                                            .doc = "What kind of file it is.",
                                            .type = HO_T_TEXT,
                                            .flags = HO_OPEN,
                                            .choices = artifact_types,
                                            .example = "spec"},
                                           {.name = "description",
                                            .doc = "What it is.",
                                            .type = HO_T_TEXT,
                                            .aliases = "purpose|summary",
                                            .example = "User story of the login"},
                                           HO_FIELDS_END};
static const ho_record artifact_record = {
    .name = "artifact", .fields = artifact_fields, .scalar = "path", .map_key = "path"};

static const ho_choice priorities[] = {
    {"high", "The receiver cannot finish without an answer.", "critical|urgent|haute"},
    {"medium", "The answer changes the result.", "normal|moyenne"},
    {"low", "Nice to know.", "basse|faible"},
    {0}};
static const ho_field question_fields[] = {{.name = "question",
                                            .doc = "What is unresolved.",
                                            .type = HO_T_TEXT,
                                            .flags = HO_REQUIRED,
                                            .example = "What is the priority: time-to-market or maintainability?"},
                                           {.name = "priority",
                                            .doc = "How much depends on the answer.",
                                            .type = HO_T_TEXT,
                                            .choices = priorities,
                                            .example = "high"},
                                           {.name = "context",
                                            .doc = "What you need to know to answer it.",
                                            .type = HO_T_TEXT,
                                            .example = "Approach A takes 3 days, B takes 10"},
                                           HO_FIELDS_END};
static const ho_record question_record = {.name = "open question", .fields = question_fields, .scalar = "question"};

static const ho_field context_fields[] = {
    {.name = "summary",
     .doc = "What was done, in two or three sentences that can be understood without having been there.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED,
     .role = HO_ROLE_FACTS,
     .example = "Specifications completed: 3 epics, 12 user stories, personas defined"},
    {.name = "decisions",
     .doc = "The decisions made, and why.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .record = &decision_record,
     .role = HO_ROLE_DECISIONS},
    {.name = "artifacts",
     .doc = "Every file or folder that was created, with its exact path.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .aliases = "files",
     .record = &artifact_record,
     .role = HO_ROLE_REFERENCES},
    {.name = "open_questions",
     .doc = "What could not be resolved.",
     .type = HO_T_LIST,
     .item = HO_T_RECORD,
     .aliases = "questions",
     .record = &question_record,
     .role = HO_ROLE_QUESTIONS},
    {.name = "key_info",
     .doc = "Facts the receiver should have to hand.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .role = HO_ROLE_FACTS,
     .example = "Effort: 3-5 days"},
    HO_FIELDS_END};
const ho_record ho_record_context = {.name = "context", .fields = context_fields, .scalar = "summary"};

static const ho_field expectation_fields[] = {{.name = "deliverable",
                                               .doc = "What is expected from the receiver.",
                                               .type = HO_T_TEXT,
                                               .flags = HO_EXPECTED,
                                               .role = HO_ROLE_NEXT,
                                               .example = "Architecture decision record for the login"},
                                              {.name = "constraints",
                                               .doc = "What limits the work; a quality needs a measure.",
                                               .type = HO_T_LIST,
                                               .item = HO_T_TEXT,
                                               .role = HO_ROLE_CONTRACT,
                                               .example = "Answers within 200 ms"},
                                              {.name = "success_criteria",
                                               .doc = "How to tell that the task succeeded; each must be measurable.",
                                               .type = HO_T_LIST,
                                               .item = HO_T_TEXT,
                                               .aliases = "acceptance_criteria|criteria",
                                               .role = HO_ROLE_CONTRACT,
                                               .example = "Unit tests > 80% coverage"},
                                              HO_FIELDS_END};
const ho_record ho_record_expectations = {
    .name = "expectations", .fields = expectation_fields, .scalar = "deliverable"};

static const ho_field workflow_fields[] = {
    {.name = "name", .doc = "Name of the workflow.", .type = HO_T_TEXT, .role = HO_ROLE_TASK, .example = "feature"},
    {.name = "current_step",
     .doc = "The current step, by number or name.",
     .type = HO_T_ID,
     .role = HO_ROLE_STATE,
     .example = "3"},
    {.name = "completed_steps",
     .doc = "Steps that are done.",
     .type = HO_T_LIST,
     .item = HO_T_ID,
     .role = HO_ROLE_STATE,
     .example = "specification"},
    {.name = "remaining_steps",
     .doc = "Steps still to do.",
     .type = HO_T_LIST,
     .item = HO_T_ID,
     .role = HO_ROLE_STATE,
     .example = "implementation"},
    HO_FIELDS_END};
const ho_record ho_record_workflow_state = {.name = "workflow_state", .fields = workflow_fields, .scalar = "name"};

bool ho_party_is_human(const ho_node *party)
{
  return ho_str_list_has_nocase("human|humain|humaine|user|utilisateur|person", ho_map_str(party, "agent"));
}

/* A text that somebody wrote: neither absent nor a placeholder, which is reported elsewhere. */
static bool is_written(const ho_node *node)
{
  return ho_node_is(node, HO_KIND_TEXT) && !ho_node_empty(node) && !ho_is_placeholder(node->text, NULL);
}

void ho_exchange_summary_implicit(ho_check *check, const ho_rule *rule)
{
  const ho_node *summary = ho_check_get(check, "context.summary");
  if (is_written(summary) && ho_wording_implicit(summary->text))
    ho_check_fail(check, rule, summary, "'%.*s' says nothing to a reader who was not there",
                  HO_ARG(ho_str_sub(ho_str_trim(summary->text), 0, 80)));
}

void ho_exchange_summary_thin(ho_check *check, const ho_rule *rule)
{
  const ho_node *summary = ho_check_get(check, "context.summary");
  if (is_written(summary) && !ho_wording_implicit(summary->text) && ho_wording_count(summary->text) < MIN_WORDS)
    ho_check_fail(check, rule, summary, "too short to understand what was done (words: %zu)",
                  ho_wording_count(summary->text));
}

/* A path that is right in the user's folder, but not in the root: the path from the root, else "". */
static ho_str from_root(ho_check *check, ho_str path)
{
  ho_str below = check->env->below;
  ho_str longer = below.n ? ho_arena_printf(check->report->arena, "%.*s/%.*s", HO_ARG(below), HO_ARG(path)) : HO_EMPTY;
  return longer.n && check->env->exists(check->env->world, longer) ? longer : HO_EMPTY;
}

static void fail_missing(ho_check *check, const ho_rule *rule, const ho_node *path)
{
  ho_str shown = ho_str_sub(path->text, 0, 200), longer = from_root(check, path->text);
  if (longer.n)
    ho_check_fail(check, rule, path, "'%.*s' does not exist in the project's root; write '%.*s'", HO_ARG(shown),
                  HO_ARG(longer));
  else
    ho_check_fail(check, rule, path, "'%.*s' does not exist%s%.*s", HO_ARG(shown),
                  check->env->looked_in.n ? " in " : "", HO_ARG(check->env->looked_in));
}

void ho_exchange_artifacts_exist(ho_check *check, const ho_rule *rule)
{
  if (!check->env->exists)
    return;
  HO_EACH_CONST (artifact, ho_check_get(check, "context.artifacts")) {
    const ho_node *path = ho_map_getz(artifact, "path");
    if (is_written(path) && ho_syntax_RELATIVE.matches(path->text) &&
        !check->env->exists(check->env->world, path->text))
      fail_missing(check, rule, path);
  }
}

/* Does `path` end in `tail`, starting at the beginning of a name? */
static bool ends_in_name(ho_str path, ho_str tail)
{
  if (path.n < tail.n || !ho_str_eq(ho_str_sub(path, path.n - tail.n, path.n), tail))
    return false;
  return path.n == tail.n || path.p[path.n - tail.n - 1] == '/';
}

/* The artifact itself, a file in an artifact that is a folder, a folder that holds the artifact, or its bare name. */
static bool covers(ho_str artifact, ho_str path)
{
  ho_str shorter = artifact.n < path.n ? artifact : path, longer = artifact.n < path.n ? path : artifact;
  if (ho_str_ends(shorter, "/") && ho_str_eq(ho_str_sub(longer, 0, shorter.n), shorter))
    return true;
  return ends_in_name(artifact, path);
}

static bool is_listed(const ho_check *check, ho_str path)
{
  if (ho_str_starts(path, "./"))
    path = ho_str_sub(path, 2, path.n);
  HO_EACH_CONST (artifact, ho_check_get(check, "context.artifacts"))
    if (covers(ho_map_str(artifact, "path"), path))
      return true;
  return false;
}

void ho_exchange_artifacts_listed(ho_check *check, const ho_rule *rule)
{
  const ho_node *summary = ho_check_get(check, "context.summary");
  ho_str rest = ho_node_str(summary), sentence, path;
  size_t paths = 0;
  while (ho_wording_sentence(&rest, &sentence)) {
    if (!ho_wording_created(sentence, NULL))
      continue;
    while (ho_wording_path(&sentence, &path)) {
      if (++paths > MAX_PATHS)
        return;
      if (!is_listed(check, path))
        ho_check_fail(check, rule, summary, "'%.*s' was created but is not listed in the artifacts", HO_ARG(path));
    }
  }
}

/* Reports the first text, of `node` or below it, that leaves something undecided. */
static bool report_undecided(ho_check *check, const ho_rule *rule, const ho_node *node)
{
  ho_str found;
  if (ho_node_is(node, HO_KIND_TEXT) && ho_wording_undecided(node->text, &found)) {
    ho_check_fail(check, rule, node, "says '%.*s', but there is no open question", HO_ARG(found));
    return true;
  }
  return false;
}

void ho_exchange_questions_explicit(ho_check *check, const ho_rule *rule)
{
  if (!ho_node_empty(ho_check_get(check, "context.open_questions")))
    return;
  if (report_undecided(check, rule, ho_check_get(check, "context.summary")))
    return;
  HO_EACH_CONST (info, ho_check_get(check, "context.key_info"))
    if (report_undecided(check, rule, info))
      return;
  HO_EACH_CONST (decision, ho_check_get(check, "context.decisions")) {
    const ho_node *id = ho_map_getz(decision, "id");
    if (ho_str_is_nocase(ho_node_str(id), "pending")) {
      ho_check_fail(check, rule, id, "a decision is pending, but there is no open question");
      return;
    }
    if (report_undecided(check, rule, ho_map_getz(decision, "decision")) ||
        report_undecided(check, rule, ho_map_getz(decision, "rationale")))
      return;
  }
}

void ho_exchange_reason_place(ho_check *check, const ho_rule *rule)
{
  const ho_node *reason = ho_check_get(check, "reason");
  if (!ho_node_empty(reason))
    ho_check_fail(check, rule, reason, "is beside 'to'; move it to to.reason");
}

void ho_exchange_criteria(ho_check *check, const ho_rule *rule)
{
  HO_EACH_CONST (criterion, ho_check_get(check, "expectations.success_criteria")) {
    ho_str found;
    if (!is_written(criterion) || ho_wording_measurable(criterion->text))
      continue;
    if (ho_wording_quality(criterion->text, &found))
      ho_check_fail(check, rule, criterion, "'%.*s' cannot be measured", HO_ARG(found));
    else
      ho_check_fail_as(check, rule, HO_WARNING, criterion, "has no number, comparison or check");
  }
}

void ho_exchange_constraints(ho_check *check, const ho_rule *rule)
{
  HO_EACH_CONST (constraint, ho_check_get(check, "expectations.constraints")) {
    ho_str found;
    if (is_written(constraint) && !ho_wording_measurable(constraint->text) &&
        ho_wording_quality(constraint->text, &found))
      ho_check_fail(check, rule, constraint, "'%.*s' has no measure", HO_ARG(found));
  }
}
