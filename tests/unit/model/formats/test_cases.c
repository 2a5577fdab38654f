/* Every rule id has a failing and a passing case under tests/cases, and every case behaves as its name says. */
#include "model/support.h"

#include "model/formats/formats.h"
#include "model/general_rules.h"

#define CASES TEST_SOURCE_DIR "/tests/cases/"

/* One case file, found by its beginning: "…/RULE.bad." */
typedef struct found {
  char path[4096];
  char format[64];
} found;

/* Cases of a format lie in its folder; those of general rules in general/, with the format in the name. */
static bool find_case(const char *folder, const char *rule, const char *verdict, found *out)
{
  char prefix[256], path[2048];
  snprintf(prefix, sizeof prefix, "%s.%s.", rule, verdict);
  snprintf(path, sizeof path, CASES "%s", folder);
  DIR *dir = opendir(path);
  bool hit = false;
  for (struct dirent *entry; dir && !hit && (entry = readdir(dir));) {
    if (strncmp(entry->d_name, prefix, strlen(prefix)) != 0)
      continue;
    snprintf(out->path, sizeof out->path, "%s/%s", path, entry->d_name);
    ho_str rest = ho_str_of(entry->d_name + strlen(prefix)), format;
    ho_str_next(&rest, '.', &format);
    ho_error_copy(out->format, sizeof out->format, strcmp(folder, "general") ? ho_str_of(folder) : format);
    hit = true;
  }
  if (dir)
    closedir(dir);
  return hit;
}

/* The path that the case is checked as; a second line is that of the passing case. */
static ho_str case_path(ho_arena *arena, const char *folder, const char *rule, const found *file)
{
  char path[4096];
  snprintf(path, sizeof path, CASES "%s/%s.path", folder, rule);
  ho_str named = file_read(arena, path);
  if (named.p) {
    ho_str second = ho_str_trim(named);
    ho_str_next_line(&second, &named);
    if (second.n && strstr(file->path, ".good."))
      named = ho_str_trim(second);
    return ho_str_starts(named, "path:") ? ho_str_trim(ho_str_sub(named, 5, named.n)) : named;
  }
  const char *dot = strrchr(file->path, '.');
  return ho_arena_printf(arena, "case%s", dot);
}

/* Does the case break the rule? *sound: it can be read and breaks no rule at all; if not, and it is a passing case, its
 * findings are printed. */
static bool gives(const char *folder, const char *rule, const found *file, bool *sound)
{
  ho_arena arena;
  ho_doc doc;
  ho_error err = {0};
  ho_arena_init(&arena, 0);
  const ho_format *format = ho_format_named(ho_str_of(file->format));
  assert_non_null(format);
  ho_str text = file_read(&arena, file->path);
  ho_code code = read_and_check(&doc, &arena, case_path(&arena, folder, rule, file), text, format, false, &err);
  *sound = !code && !doc.report.errors;
  bool hit = code ? err.rule && !strcmp(err.rule, rule) : has_finding(&doc, rule);
  if (!*sound && strstr(file->path, ".good."))
    code ? (void)fprintf(stderr, "  %s: %s\n", file->path, err.message) : print_findings(&doc);
  ho_arena_free(&arena);
  return hit;
}

static int failures;

static void complain(const char *rule, const char *what)
{
  fprintf(stderr, "rule %s: %s\n", rule, what);
  failures++;
}

/* The rules whose cases lie in a folder of tests/cases: those of a format, or the general ones. */
static bool folder_has_rule(const char *folder, ho_str id)
{
  const ho_format *format = ho_format_named(ho_str_of(folder));
  for (const ho_rule *rule = format ? format->rules : NULL; rule && rule->info.id; rule++)
    if (ho_str_is(id, rule->info.id))
      return true;
  if (strcmp(folder, "general") != 0)
    return false;
  for (size_t i = 0; ho_doc_rules[i]; i++)
    if (ho_str_is(id, ho_doc_rules[i]->id))
      return true;
  for (size_t i = 0; ho_model_rules[i]; i++)
    if (ho_str_is(id, ho_model_rules[i]->id))
      return true;
  for (size_t i = 0; ho_syntaxes[i]; i++)
    if (ho_str_is(id, ho_syntaxes[i]->rule.id))
      return true;
  return false;
}

/* What is wrong with the name of a file in a folder of tests/cases, so that no rule is tried with it; or NULL. */
static const char *why_orphan(const char *folder, const char *name)
{
  ho_str rest = ho_str_of(name), rule, verdict, format;
  found file;
  ho_str_next(&rest, '.', &rule);
  ho_str_next(&rest, '.', &verdict);
  if (!folder_has_rule(folder, rule))
    return "no rule of this folder has that name";
  if (ho_str_is(verdict, "path") && !rest.n)
    return NULL;
  if (!ho_str_is(verdict, "bad") && !ho_str_is(verdict, "good"))
    return "it is neither RULE.bad.EXT nor RULE.good.EXT nor RULE.path";
  if (!strcmp(folder, "general") && ho_str_next(&rest, '.', &format) && !ho_format_named(format))
    return "it is not RULE.bad.FORMAT.EXT or RULE.good.FORMAT.EXT with a FORMAT that exists";
  char id[64], kind[8];
  ho_error_copy(id, sizeof id, rule);
  ho_error_copy(kind, sizeof kind, verdict);
  if (!find_case(folder, id, kind, &file) || strcmp(strrchr(file.path, '/') + 1, name) != 0)
    return "the rule has another such case, and only one is tried";
  return NULL;
}

static void every_case_belongs_to_a_rule(void **state)
{
  (void)state;
  int orphans = 0;
  DIR *top = opendir(CASES);
  assert_non_null(top);
  for (struct dirent *folder; (folder = readdir(top));) {
    if (folder->d_name[0] == '.')
      continue;
    char path[2048];
    snprintf(path, sizeof path, CASES "%s", folder->d_name);
    bool known = !strcmp(folder->d_name, "general") || ho_format_named(ho_str_of(folder->d_name));
    DIR *dir = known ? opendir(path) : NULL;
    if (!dir) {
      fprintf(stderr, "tests/cases/%s: is not the folder of a format, nor 'general'\n", folder->d_name);
      orphans++;
      continue;
    }
    for (struct dirent *entry; (entry = readdir(dir));) {
      const char *why = entry->d_name[0] == '.' ? NULL : why_orphan(folder->d_name, entry->d_name);
      if (why)
        fprintf(stderr, "tests/cases/%s/%s: %s\n", folder->d_name, entry->d_name, why);
      orphans += why != NULL;
    }
    closedir(dir);
  }
  closedir(top);
  assert_int_equal(orphans, 0);
}

static void ask_for_case(const char *folder, const char *rule, const char *kind)
{
  char text[256];
  snprintf(text, sizeof text, "has no %s case: write tests/cases/%s/%s.%s.EXT", kind, folder, rule, kind);
  complain(rule, text);
}

static void try_rule(const char *folder, const ho_rule_info *info)
{
  found file;
  bool sound;
  if (!find_case(folder, info->id, "bad", &file))
    ask_for_case(folder, info->id, "bad");
  else if (!gives(folder, info->id, &file, &sound))
    complain(info->id, "its failing case does not fail");
  if (!find_case(folder, info->id, "good", &file))
    ask_for_case(folder, info->id, "good");
  else if (gives(folder, info->id, &file, &sound))
    complain(info->id, "its passing case fails");
  else if (!sound)
    complain(info->id, "its passing case cannot be read or breaks another rule");
}

static void every_rule_has_both_cases(void **state)
{
  (void)state;
  size_t rules = 0;
  for (size_t i = 0; ho_doc_rules[i]; i++, rules++)
    try_rule("general", ho_doc_rules[i]);
  for (size_t i = 0; ho_model_rules[i]; i++, rules++)
    try_rule("general", ho_model_rules[i]);
  for (size_t i = 0; ho_syntaxes[i]; i++, rules++)
    try_rule("general", &ho_syntaxes[i]->rule);
  for (size_t i = 0; ho_formats[i]; i++)
    for (const ho_rule *rule = ho_formats[i]->rules; rule && rule->info.id; rule++, rules++)
      try_rule(ho_formats[i]->name, &rule->info);
  printf("%zu rules\n", rules);
  assert_int_equal(failures, 0);
}

static const ho_rule_info *all[1024];
static size_t all_count;

static void collect(const ho_rule_info *info)
{
  assert_true(all_count < HO_COUNT(all));
  all[all_count++] = info;
}

static void rules_are_complete_and_ids_unique(void **state)
{
  (void)state;
  for (size_t i = 0; ho_doc_rules[i]; i++)
    collect(ho_doc_rules[i]);
  for (size_t i = 0; ho_model_rules[i]; i++)
    collect(ho_model_rules[i]);
  for (size_t i = 0; ho_syntaxes[i]; i++)
    collect(&ho_syntaxes[i]->rule);
  for (size_t i = 0; ho_formats[i]; i++)
    for (const ho_rule *rule = ho_formats[i]->rules; rule && rule->info.id; rule++) {
      collect(&rule->info);
      assert_true(rule->check || rule->require);
    }
  for (size_t i = 0; i < all_count; i++) {
    if (!all[i]->doc || !all[i]->fix || !strlen(all[i]->doc) || !strlen(all[i]->fix))
      fail_msg("rule %s lacks its sentence or its fix", all[i]->id);
    for (size_t j = 0; j < i; j++)
      if (!strcmp(all[i]->id, all[j]->id))
        fail_msg("two rules are called %s", all[i]->id);
  }
}

static bool fallback_fits(const ho_field *field)
{
  ho_str text = ho_str_of(field->fallback);
  bool number = text.n > 0;
  for (size_t i = 0; i < text.n; i++)
    number &= isdigit((unsigned char)text.p[i]) || (i == 0 && text.p[i] == '-');
  if (!field->fallback)
    return true;
  if (field->type == HO_T_BOOL)
    return ho_str_is(text, "true") || ho_str_is(text, "false");
  if (field->type == HO_T_INT)
    return number;
  const ho_choice *choice = field->choices;
  while (choice && choice->value && !ho_str_is(text, choice->value))
    choice++;
  return !choice || choice->value;
}

static void check_fields(const ho_record *record, const char *format, int depth)
{
  assert_true(depth < 12);
  for (const ho_field *field = record->fields; field->name; field++) {
    if (!field->doc || !strlen(field->doc))
      fail_msg("%s: field %s.%s has no sentence", format, record->name, field->name);
    bool needs_record = field->type == HO_T_RECORD || (field->type == HO_T_LIST && field->item == HO_T_RECORD);
    if (needs_record != (field->record != NULL))
      fail_msg("%s: field %s.%s: type and record disagree", format, record->name, field->name);
    if (!fallback_fits(field))
      fail_msg("%s: field %s.%s: its fallback '%s' is not a value of its type", format, record->name, field->name,
               field->fallback);
    if (field->record)
      check_fields(field->record, format, depth + 1);
  }
}

static void tables_are_sound(void **state)
{
  (void)state;
  for (size_t i = 0; ho_formats[i]; i++) {
    const ho_format *format = ho_formats[i];
    assert_non_null(format->title);
    assert_non_null(format->doc);
    assert_true(format->encoding != HO_MARKDOWN || (format->read_markdown && format->write_markdown));
    check_fields(format->root, format->name, 0);
  }
}

/* The field at a path of the root ("to.agent"), or NULL. */
static const ho_field *field_at(const ho_format *format, const char *path)
{
  const ho_record *record = format->root;
  const ho_field *field = NULL;
  ho_str rest = ho_str_of(path), name;
  while (ho_str_next(&rest, '.', &name)) {
    char key[64];
    ho_error_copy(key, sizeof key, name);
    field = record ? ho_record_fieldz(record, key) : NULL;
    record = field ? field->record : NULL;
  }
  return field;
}

/* Every path in a list such as "state.phase|summary" is a field of the format, or of the items of its list `each`. */
static void check_rule_paths(const ho_format *format, const ho_rule *rule, const char *each, const char *paths)
{
  ho_str rest = ho_str_of(paths), path;
  while (ho_str_next(&rest, '|', &path)) {
    char whole[128];
    snprintf(whole, sizeof whole, "%s%s%.*s", each ? each : "", each ? "." : "", HO_ARG(path));
    if (!field_at(format, whole))
      fail_msg("%s: rule %s speaks of '%s', which is not a field", format->name, rule->info.id, whole);
  }
}

static void rules_name_fields(void **state)
{
  (void)state;
  for (size_t i = 0; ho_formats[i]; i++)
    for (const ho_rule *rule = ho_formats[i]->rules; rule && rule->info.id; rule++) {
      if (rule->each &&
          (!field_at(ho_formats[i], rule->each) || field_at(ho_formats[i], rule->each)->type != HO_T_LIST))
        fail_msg("%s: rule %s is about '%s', which is not a list", ho_formats[i]->name, rule->info.id, rule->each);
      if (rule->when)
        check_rule_paths(ho_formats[i], rule, NULL, rule->when);
      if (rule->require)
        check_rule_paths(ho_formats[i], rule, rule->each, rule->require);
    }
}

/* Every path in a list such as "state.phase|summary" is a field of the format. */
static void check_sent_paths(const ho_format *format, const char *paths)
{
  ho_str rest = ho_str_of(paths), path;
  while (ho_str_next(&rest, '|', &path)) {
    char whole[128];
    ho_error_copy(whole, sizeof whole, path);
    if (!field_at(format, whole))
      fail_msg("%s is sent by '%s', which is not a field of it", format->name, whole);
  }
}

/* What decisions do is said of decisions that there are. */
static void check_sent_decisions(const ho_format *format, const char *decisions)
{
  const ho_field *field = format->sending->decision ? field_at(format, format->sending->decision) : NULL;
  ho_str rest = ho_str_of(decisions), one;
  while (ho_str_next(&rest, '|', &one)) {
    const ho_choice *choice = field ? field->choices : NULL;
    while (choice && choice->value && !ho_str_is(one, choice->value))
      choice++;
    if (!choice || !choice->value)
      fail_msg("%s has no decision '%.*s'", format->name, HO_ARG(one));
  }
}

static void what_is_sent_names_fields(void **state)
{
  (void)state;
  for (size_t i = 0; ho_formats[i]; i++) {
    const ho_format *format = ho_formats[i];
    const ho_sending *how = format->sending;
    if (!how)
      continue;
    bool by_key = format == &ho_format_task; /* files of tasks have no field for their phase, but may say it */
    const char *paths[] = {
        how->id,      how->sender,  how->receiver,  how->type,     how->task,        by_key ? NULL : how->phase,
        how->summary, how->gate,    how->gate_type, how->decision, how->deliverable, how->constraints,
        how->step,    how->subject, how->workflow};
    for (size_t k = 0; k < HO_COUNT(paths); k++)
      if (paths[k])
        check_sent_paths(format, paths[k]);
    if (how->asks)
      check_sent_decisions(format, how->asks);
    if (how->halts)
      check_sent_decisions(format, how->halts);
    for (const char *const *list = how->files; list && *list; list++)
      if (!field_at(format, *list) || field_at(format, *list)->type != HO_T_LIST)
        fail_msg("%s has no list '%s' of files", format->name, *list);
    assert_int_equal(how->kind == HO_SEND_RESPONSE, how->answers != NULL);
    assert_true(!how->answers || how->answers->sending->kind == HO_SEND_REQUEST);
    assert_true(!how->asks || how->decision);
  }
}

static void examples_are_valid(void **state)
{
  (void)state;
  for (size_t i = 0; ho_formats[i]; i++) {
    ho_arena arena;
    ho_doc doc;
    ho_error err = {0};
    ho_arena_init(&arena, 0);
    assert_non_null(ho_formats[i]->example);
    ho_code code = read_and_check(&doc, &arena, HO_EMPTY, ho_str_of(ho_formats[i]->example), ho_formats[i], true, &err);
    if (code || doc.report.errors || doc.report.warnings) {
      print_findings(&doc);
      fail_msg("the example of %s: %s", ho_formats[i]->name, code ? err.message : "has findings");
    }
    ho_arena_free(&arena);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rules_are_complete_and_ids_unique),
      cmocka_unit_test(tables_are_sound),
      cmocka_unit_test(rules_name_fields),
      cmocka_unit_test(what_is_sent_names_fields),
      cmocka_unit_test(examples_are_valid),
      cmocka_unit_test(every_rule_has_both_cases),
      cmocka_unit_test(every_case_belongs_to_a_rule),
  };
  return unit_run(tests);
}
