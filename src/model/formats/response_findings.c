#include "model/formats/response_findings.h"

const ho_choice ho_exchange_phases[] = {
    {.value = "research", .doc = "Find out what exists: code, patterns, conflicts."},
    {.value = "write", .doc = "Write it: files and tests."},
    {.value = "validate", .doc = "Check it: types, lint, tests, security."},
    {.value = "parallel", .doc = "Do several tasks at once; their results are combined by a rule."},
    {0}};

const ho_choice ho_exchange_modes[] = {
    {.value = "plan", .doc = "Specifications."}, {.value = "code", .doc = "Back-end code."},
    {.value = "ui", .doc = "User interface."},   {.value = "docs", .doc = "Documentation."},
    {.value = "eval", .doc = "Evaluations."},    {.value = "reconcile", .doc = "Answers to a review."},
    {.value = "research", .doc = "Read only."},  {0}};

static const ho_choice levels[] = {{.value = "high"}, {.value = "medium"}, {.value = "low"}, {0}};
static const ho_choice severities[] = {{.value = "critical", .synonyms = "blocker|high"},
                                       {.value = "warning", .synonyms = "medium|important"},
                                       {.value = "info", .synonyms = "low|minor"},
                                       {0}};
static const ho_choice conflict_types[] = {{.value = "naming"}, {.value = "pattern"}, {.value = "dependency"}, {0}};

#define TEXT(field, sentence, sample) .name = field, .doc = sentence, .type = HO_T_TEXT, .example = sample
#define TEXTS(field, sentence, sample)                                                                                 \
  .name = field, .doc = sentence, .type = HO_T_LIST, .item = HO_T_TEXT, .example = sample
#define RECORDS(field, sentence, of)                                                                                   \
  .name = field, .doc = sentence, .type = HO_T_LIST, .item = HO_T_RECORD, .record = of

static const ho_field implementation_fields[] = {
    {TEXT("file", "Path of the file.", "src/lib/auth.ts"), .flags = HO_REQUIRED, .aliases = "path"},
    {TEXT("description", "What it does.", "Basic session utils"), .aliases = "summary"},
    {TEXT("relevance", "How much it matters here.", "high"), .flags = HO_OPEN, .choices = levels},
    HO_FIELDS_END};
static const ho_record implementation_record = {
    .name = "implementation", .fields = implementation_fields, .scalar = "file"};

static const ho_field conflict_fields[] = {
    {TEXT("type", "What collides.", "naming"), .flags = HO_OPEN, .choices = conflict_types},
    {TEXT("description", "What the conflict is.", "A router of that name already exists"), .flags = HO_REQUIRED},
    {TEXT("severity", "Whether it must be resolved first.", "warning"), .choices = severities},
    HO_FIELDS_END};
static const ho_record conflict_record = {.name = "conflict", .fields = conflict_fields, .scalar = "description"};

static const ho_field pattern_fields[] = {
    {TEXT("file", "Where to find it.", "src/server/routers/user.ts"), .aliases = "path"},
    {TEXT("pattern", "What the pattern is.", "tRPC router with Zod"), .flags = HO_REQUIRED},
    {TEXT("recommendation", "What to do with it.", "Follow this")},
    HO_FIELDS_END};
static const ho_record pattern_record = {.name = "pattern", .fields = pattern_fields, .scalar = "pattern"};

static const ho_field created_fields[] = {
    {TEXT("path", "Path of the file.", "src/server/routers/auth.ts"), .flags = HO_REQUIRED, .aliases = "file"},
    {TEXT("purpose", "What it is for.", "Auth router with login and logout"), .aliases = "description"},
    HO_FIELDS_END};
static const ho_record created_record = {.name = "created file", .fields = created_fields, .scalar = "path"};

static const ho_field modified_fields[] = {
    {TEXT("path", "Path of the file.", "src/lib/auth.ts"), .flags = HO_REQUIRED, .aliases = "file"},
    {TEXT("changes", "What changed.", "Added JWT sign and verify"), .aliases = "change|description"},
    HO_FIELDS_END};
static const ho_record modified_record = {.name = "modified file", .fields = modified_fields, .scalar = "path"};

static const ho_field written_test_fields[] = {
    {TEXT("path", "Path of the test file.", "src/server/routers/auth.test.ts"), .flags = HO_REQUIRED,
     .aliases = "file"},
    {.name = "test_count", .doc = "How many tests it contains.", .type = HO_T_INT, .example = "6"},
    {TEXTS("coverage_areas", "What they cover.", "login failure")},
    HO_FIELDS_END};
static const ho_record written_test_record = {.name = "test file", .fields = written_test_fields, .scalar = "path"};

static const ho_field check_fields[] = {
    {.name = "passed", .doc = "Whether it passed.", .type = HO_T_BOOL, .flags = HO_REQUIRED, .example = "true"},
    {TEXTS("errors", "What is wrong.", "src/lib/auth.ts:42 - Property 'token' does not exist")},
    {TEXTS("warnings", "What could be better.", "Consider const instead of let (auth.ts:15)")},
    {TEXTS("issues", "What a security check found.", "Hard-coded key in auth.ts:7")},
    {.name = "total", .doc = "How many tests ran.", .type = HO_T_INT, .example = "6"},
    {.name = "passed_count", .doc = "How many passed.", .type = HO_T_INT, .example = "6"},
    {.name = "failed_count", .doc = "How many failed.", .type = HO_T_INT, .example = "0"},
    {.name = "coverage", .doc = "Coverage in percent.", .type = HO_T_NUMBER, .example = "87"},
    {TEXTS("failures", "Which tests failed, and how.", "login success: Expected token to be defined")},
    HO_FIELDS_END};
static const ho_record check_record = {.name = "check", .fields = check_fields, .scalar = "passed"};

static const ho_field checks_fields[] = {
    {.name = "types", .doc = "Types.", .type = HO_T_RECORD, .record = &check_record},
    {.name = "lint", .doc = "Style and simple errors.", .type = HO_T_RECORD, .record = &check_record},
    {.name = "tests", .doc = "Tests.", .type = HO_T_RECORD, .record = &check_record},
    {.name = "build", .doc = "The build.", .type = HO_T_RECORD, .record = &check_record},
    {.name = "security", .doc = "Security.", .type = HO_T_RECORD, .record = &check_record},
    HO_FIELDS_END};
static const ho_record checks_record = {.name = "checks", .fields = checks_fields};

static const ho_field result_fields[] = {
    {TEXT("task_id", "ID of the task.", "lint"), .flags = HO_REQUIRED, .aliases = "id"},
    {TEXT("type", "What kind of task it was.", "lint")},
    {.name = "passed", .doc = "Whether it passed.", .type = HO_T_BOOL, .flags = HO_REQUIRED, .example = "true"},
    {TEXT("summary", "Its result in a sentence.", "No lint errors")},
    {.name = "details", .doc = "Whatever else the task returned.", .type = HO_T_ANY, .example = "{}"},
    {TEXTS("issues", "Problems that it names.", "Names are misleading")},
    HO_FIELDS_END};
static const ho_record result_record = {.name = "result", .fields = result_fields, .map_key = "task_id"};

static const ho_field aggregation_fields[] = {
    {.name = "total", .doc = "How many tasks there were.", .type = HO_T_INT, .flags = HO_REQUIRED, .example = "4"},
    {.name = "passed", .doc = "How many passed.", .type = HO_T_INT, .flags = HO_REQUIRED, .example = "4"},
    {.name = "failed", .doc = "How many failed.", .type = HO_T_INT, .flags = HO_REQUIRED, .example = "0"},
    {.name = "rule",
     .doc = "The rule: all, any, majority, or how many must pass.",
     .type = HO_T_ID,
     .flags = HO_REQUIRED,
     .example = "all"},
    {.name = "overall_passed",
     .doc = "Whether the rule is satisfied.",
     .type = HO_T_BOOL,
     .flags = HO_REQUIRED,
     .example = "true"},
    HO_FIELDS_END};
static const ho_record aggregation_record = {.name = "aggregation", .fields = aggregation_fields};

static const ho_field fields[] = {
    {RECORDS("existing_implementations", "Research: what already exists.", &implementation_record),
     .role = HO_ROLE_STATE},
    {RECORDS("conflicts", "Research: what conflicts with the new work.", &conflict_record), .role = HO_ROLE_WARNINGS},
    {RECORDS("patterns_found", "Research: patterns to follow.", &pattern_record), .role = HO_ROLE_PATTERNS},
    {TEXTS("recommendations", "Research: what to do.", "Extend auth.ts"), .role = HO_ROLE_NEXT},
    {RECORDS("files_created", "Write: new files.", &created_record), .role = HO_ROLE_STATE},
    {RECORDS("files_modified", "Write: changed files.", &modified_record), .role = HO_ROLE_STATE},
    {RECORDS("tests_written", "Write: tests.", &written_test_record), .role = HO_ROLE_STATE},
    {TEXTS("implementation_notes", "Write: what the next phase should know.", "Token expiry is 24 h"),
     .role = HO_ROLE_FACTS},
    {.name = "checks", .doc = "Validate: each check by name.", .type = HO_T_RECORD, .record = &checks_record},
    {.name = "overall_passed",
     .doc = "Validate: whether all checks passed.",
     .type = HO_T_BOOL,
     .role = HO_ROLE_OUTCOME,
     .example = "true"},
    {TEXTS("blocking_issues", "Validate: what must be fixed first.", "Coverage 65% below threshold 70%"),
     .role = HO_ROLE_BLOCKERS},
    {TEXTS("warnings", "Validate: what could be better.", "Consider const instead of let (auth.ts:15)"),
     .role = HO_ROLE_WARNINGS},
    {RECORDS("results", "Parallel: the result of each task.", &result_record), .role = HO_ROLE_STATE},
    {.name = "aggregation",
     .doc = "Parallel: all results combined.",
     .type = HO_T_RECORD,
     .record = &aggregation_record,
     .role = HO_ROLE_OUTCOME},
    HO_FIELDS_END};
const ho_record ho_record_findings = {.name = "findings", .fields = fields, .list = "x_items"};
