#include "model/formats/response_findings.h"

/* The fields of each phase, and those of which at least one (research, write) or all (validate, parallel) must be
 * among its findings. */
typedef struct phase_shape {
  const char *phase, *fields, *one_of, *all_of;
} phase_shape;

static const phase_shape shapes[] = {
    {"research", "existing_implementations|conflicts|patterns_found|recommendations",
     "existing_implementations|conflicts|patterns_found|recommendations", NULL},
    {"write", "files_created|files_modified|tests_written|implementation_notes",
     "files_created|files_modified|tests_written", NULL},
    {"validate", "checks|overall_passed|blocking_issues|warnings", NULL, "checks|overall_passed"},
    {"parallel", "results|aggregation", NULL, "results|aggregation"},
};

static const phase_shape *shape_of(ho_str phase)
{
  for (size_t i = 0; i < HO_COUNT(shapes); i++)
    if (ho_str_is(phase, shapes[i].phase))
      return &shapes[i];
  return NULL;
}

const char *ho_response_findings_fields(ho_str phase)
{
  const phase_shape *shape = shape_of(phase);
  return shape ? shape->fields : NULL;
}

/* The phase ("research", "write", "validate", "parallel") that a field of the findings belongs to, or NULL. */
static const char *phase_of_findings(ho_str field)
{
  for (size_t i = 0; i < HO_COUNT(shapes); i++)
    if (ho_str_list_has(shapes[i].fields, field))
      return shapes[i].phase;
  return NULL;
}

static const ho_node *findings_of(const ho_check *check)
{
  const ho_node *findings = ho_check_get(check, "findings");
  return ho_node_is(findings, HO_KIND_MAP) ? findings : NULL;
}

static bool has_any(const ho_node *map, const char *names)
{
  for (ho_str rest = ho_str_of(names), name; ho_str_next(&rest, '|', &name);)
    if (ho_map_get(map, name))
      return true;
  return false;
}

void ho_response_findings_check_shape(ho_check *check, const ho_rule *rule)
{
  const phase_shape *shape = shape_of(ho_node_str(ho_check_get(check, "phase")));
  const ho_node *findings = findings_of(check);
  ho_severity severity = check->env->strict ? HO_ERROR : rule->info.severity;
  if (!shape || !findings)
    return;
  if (shape->one_of && !has_any(findings, shape->one_of))
    ho_check_fail_as(check, rule, severity, findings, "the findings of phase %s need at least one of: %s", shape->phase,
                     shape->one_of);
  for (ho_str rest = ho_str_of(shape->all_of), name; shape->all_of && ho_str_next(&rest, '|', &name);)
    if (!ho_map_get(findings, name))
      ho_check_fail_as(check, rule, severity, findings, "the findings of phase %s have no '%.*s'", shape->phase,
                       HO_ARG(name));
}

void ho_response_findings_check_phase(ho_check *check, const ho_rule *rule)
{
  const phase_shape *shape = shape_of(ho_node_str(ho_check_get(check, "phase")));
  if (!shape)
    return;
  HO_EACH_CONST (child, findings_of(check)) {
    const char *phase = phase_of_findings(child->key);
    if (phase && strcmp(phase, shape->phase) != 0)
      ho_check_fail(check, rule, child, "'%.*s' belongs to phase %s, but this is phase %s", HO_ARG(child->key), phase,
                    shape->phase);
  }
}

/* True if `map` has this boolean and it equals `value`. */
static bool says(const ho_node *map, const char *name, bool value)
{
  const ho_node *node = ho_map_getz(map, name);
  return ho_node_is(node, HO_KIND_BOOL) && ho_node_true(node) == value;
}

static const ho_node *failed_check(const ho_node *checks)
{
  HO_EACH_CONST (each, checks)
    if (says(each, "passed", false))
      return each;
  return NULL;
}

const ho_node *ho_response_findings_obstacle(const ho_node *findings)
{
  const ho_node *failed = failed_check(ho_map_getz(findings, "checks"));
  if (failed)
    return failed;
  if (says(findings, "overall_passed", false))
    return ho_map_getz(findings, "overall_passed");
  const ho_node *aggregation = ho_map_getz(findings, "aggregation");
  if (says(aggregation, "overall_passed", false))
    return ho_map_getz(aggregation, "overall_passed");
  const ho_node *conflicts = ho_map_getz(findings, "conflicts");
  HO_EACH_CONST (conflict, conflicts)
    if (ho_str_is(ho_map_str(conflict, "severity"), "critical"))
      return conflict;
  const ho_node *issues = ho_map_getz(findings, "blocking_issues");
  return ho_node_empty(issues) ? NULL : issues;
}

/* The first of these lists that has anything. */
static const ho_node *first_list(const ho_node *response, const char *const *names)
{
  for (; *names; names++) {
    const ho_node *list = ho_node_by_names(response, *names);
    if (!ho_node_empty(list))
      return list;
  }
  return NULL;
}

const ho_node *ho_response_findings_issues(const ho_node *response)
{
  static const char *const names[] = {"issues", "findings.issues", "findings.blocking_issues", NULL};
  return first_list(response, names);
}

const ho_node *ho_response_findings_questions(const ho_node *response)
{
  static const char *const names[] = {"questions", "findings.questions", NULL};
  const ho_node *own = first_list(response, names);
  return own ? own : ho_response_findings_issues(response);
}

bool ho_response_findings_halts(const ho_format *format, const ho_node *root)
{
  const ho_sending *how = format->sending;
  return how && how->halts &&
         ho_str_list_has(how->halts, ho_str_trim(ho_node_str(ho_node_by_names(root, how->decision))));
}

ho_str ho_response_findings_text(const ho_node *item)
{
  static const char *const names[] = {"question", "message", "issue", "description", "text"};
  if (!ho_node_is(item, HO_KIND_MAP))
    return ho_str_trim(ho_node_str(item));
  ho_str text = HO_EMPTY;
  for (size_t i = 0; !text.n && i < HO_COUNT(names); i++)
    text = ho_str_trim(ho_map_str(item, names[i]));
  return text;
}

void ho_response_findings_check_overall(ho_check *check, const ho_rule *rule)
{
  const ho_node *findings = findings_of(check), *checks = ho_map_getz(findings, "checks");
  const ho_node *overall = ho_map_getz(findings, "overall_passed"), *failed = failed_check(checks);
  if (says(findings, "overall_passed", true) && failed)
    ho_check_fail(check, rule, overall, "is true, but check '%.*s' failed", HO_ARG(failed->key));
  else if (says(findings, "overall_passed", false) && !ho_node_empty(checks) && !failed &&
           ho_node_empty(ho_map_getz(findings, "blocking_issues")))
    ho_check_fail(check, rule, overall, "is false, but no check failed and no blocking issue is listed");
}

static bool number(const ho_node *map, const char *name, long long *value)
{
  return ho_node_to_int(ho_map_getz(map, name), value);
}

void ho_response_findings_check_tests(ho_check *check, const ho_rule *rule)
{
  const ho_node *tests = ho_check_get(check, "findings.checks.tests");
  long long total, passed, failed;
  if (!number(tests, "failed_count", &failed))
    return;
  if (number(tests, "total", &total) && number(tests, "passed_count", &passed) &&
      (passed < 0 || passed > total || failed != total - passed))
    ho_check_fail(check, rule, ho_map_getz(tests, "total"), "total is %lld, but %lld passed and %lld failed", total,
                  passed, failed);
  if (failed > 0 && says(tests, "passed", true))
    ho_check_fail(check, rule, ho_map_getz(tests, "passed"), "is true, but failed_count is %lld", failed);
}

bool ho_aggregate_passes(ho_str rule, size_t total, size_t passed, bool *passes)
{
  uint64_t needed;
  if (ho_str_list_has_nocase("all|all_must_pass|all_pass", rule))
    *passes = passed == total;
  else if (ho_str_list_has_nocase("any|any_pass|any_must_pass|any_can_pass", rule))
    *passes = passed > 0;
  else if (ho_str_list_has_nocase("majority|majority_pass|majority_must_pass", rule))
    *passes = passed > total / 2;
  else if (ho_str_to_u64(rule, &needed))
    *passes = passed >= needed;
  else
    return false;
  return true;
}

static size_t count_passed(const ho_node *results)
{
  size_t count = 0;
  HO_EACH_CONST (result, results)
    count += says(result, "passed", true);
  return count;
}

void ho_response_findings_check_count(ho_check *check, const ho_rule *rule)
{
  const ho_node *sum = ho_check_get(check, "findings.aggregation"), *results = ho_check_get(check, "findings.results");
  long long total, passed, failed;
  if (!number(sum, "total", &total) || !number(sum, "passed", &passed) || !number(sum, "failed", &failed))
    return;
  if (passed < 0 || failed < 0 || passed > total || failed != total - passed)
    ho_check_fail(check, rule, ho_map_getz(sum, "total"), "total is %lld, but passed and failed are %lld and %lld",
                  total, passed, failed);
  if (!ho_node_is(results, HO_KIND_LIST))
    return;
  if ((long long)results->count != total)
    ho_check_fail(check, rule, ho_map_getz(sum, "total"), "total is %lld, but there %s %u result%s", total,
                  ho_plural_of(results->count, "is", "are"), results->count, ho_plural(results->count));
  else if ((long long)count_passed(results) != passed)
    ho_check_fail(check, rule, ho_map_getz(sum, "passed"), "passed is %lld, but %zu result%s passed", passed,
                  count_passed(results), ho_plural((long long)count_passed(results)));
}

void ho_response_findings_check_rule(ho_check *check, const ho_rule *rule)
{
  const ho_node *sum = ho_check_get(check, "findings.aggregation"), *name = ho_map_getz(sum, "rule");
  const ho_node *overall = ho_map_getz(sum, "overall_passed");
  long long total, passed;
  bool passes;
  if (ho_node_empty(name) || !number(sum, "total", &total) || !number(sum, "passed", &passed) || passed < 0 ||
      total < passed)
    return;
  if (!ho_aggregate_passes(ho_node_str(name), (size_t)total, (size_t)passed, &passes))
    ho_check_fail_as(check, rule, HO_WARNING, name, "'%.*s' is not all, any, majority or a number",
                     HO_ARG(ho_str_sub(ho_node_str(name), 0, 80)));
  else if (ho_node_is(overall, HO_KIND_BOOL) && ho_node_true(overall) != passes)
    ho_check_fail(check, rule, overall, "is %s, but %lld of %lld passed under rule %.*s", passes ? "false" : "true",
                  passed, total, HO_ARG(ho_node_str(name)));
}
