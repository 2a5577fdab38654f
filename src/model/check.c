#include "model/check.h"

#include "base/limits.h"
#include "model/general_rules.h"

static void check_value(ho_check *check, const ho_field *field, ho_type type, const ho_node *node, const ho_path *path);
static void check_record(ho_check *check, const ho_record *record, const ho_node *node, const ho_path *path);

static bool is_type_word(ho_str word)
{
  return ho_str_list_has_nocase("string|number|boolean|object|enum|array|integer|bool|int", word);
}

/* "string", "string (required)", "number | null - …": a type name in place of a value. */
static bool names_a_type(ho_str text)
{
  size_t n = 0;
  while (n < text.n && isalpha((unsigned char)text.p[n]))
    n++;
  ho_str rest = ho_str_trim(ho_str_sub(text, n, text.n));
  if (!is_type_word(ho_str_sub(text, 0, n)))
    return false;
  return rest.n == 0 || ho_str_starts(rest, "(") || ho_str_starts(rest, "|") || ho_str_starts(rest, "- ");
}

static bool wrapped_in(ho_str text, char open, char close)
{
  if (text.n < 3 || text.p[0] != open || text.p[text.n - 1] != close)
    return false;
  ho_str inside = ho_str_sub(text, 1, text.n - 1);
  return ho_str_find_char(inside, open) == HO_NONE && ho_str_find_char(inside, close) == HO_NONE &&
         !ho_str_blank(inside) && ho_str_find_char(inside, '\n') == HO_NONE;
}

/* "a | b | c" of which at least two parts are choices. */
static bool lists_choices(ho_str text, const ho_choice *choices)
{
  ho_str part;
  size_t hits = 0;
  while (ho_str_next(&text, '|', &part))
    for (const ho_choice *choice = choices; choice->value; choice++)
      hits += ho_str_is(ho_str_trim(part), choice->value);
  return hits >= 2;
}

bool ho_is_placeholder(ho_str text, const ho_choice *choices)
{
  text = ho_str_trim(text);
  if (ho_str_is(text, "...") || ho_str_is(text, "…") || names_a_type(text))
    return true;
  if (wrapped_in(text, '{', '}') || wrapped_in(text, '[', ']') || wrapped_in(text, '<', '>'))
    return true;
  return choices && lists_choices(text, choices);
}

static const char *type_name(ho_type type)
{
  static const char *const names[] = {
      [HO_T_TEXT] = "text",       [HO_T_ID] = "a number or text", [HO_T_INT] = "a whole number",
      [HO_T_NUMBER] = "a number", [HO_T_BOOL] = "true or false",  [HO_T_RECORD] = "a map",
      [HO_T_LIST] = "a list",     [HO_T_ANY] = "anything"};
  return names[type];
}

static bool has_type(const ho_node *node, ho_type type)
{
  long long value;
  switch (type) {
  case HO_T_TEXT:
    return node->kind == HO_KIND_TEXT;
  case HO_T_ID:
    return node->kind == HO_KIND_TEXT || ho_node_to_int(node, &value);
  case HO_T_INT:
    return ho_node_to_int(node, &value);
  case HO_T_NUMBER:
    return node->kind == HO_KIND_NUMBER;
  case HO_T_BOOL:
    return node->kind == HO_KIND_BOOL;
  case HO_T_RECORD:
    return node->kind == HO_KIND_MAP;
  case HO_T_LIST:
    return node->kind == HO_KIND_LIST;
  case HO_T_ANY:
    return true;
  }
  return false;
}

/* The choices as "a, b or c" for a message. */
static ho_str choice_list(ho_check *check, const ho_choice *choices)
{
  ho_str text = HO_EMPTY;
  for (const ho_choice *choice = choices; choice->value; choice++)
    text = ho_arena_printf(check->report->arena, "%.*s%s%s", HO_ARG(text),
                           choice == choices ? ""
                           : choice[1].value ? ", "
                                             : " or ",
                           choice->value);
  return text;
}

static bool is_choice(const ho_choice *choices, ho_str text)
{
  for (const ho_choice *choice = choices; choice->value; choice++)
    if (ho_str_is(text, choice->value))
      return true;
  return false;
}

static void check_choice(ho_check *check, const ho_field *field, const ho_node *node, const ho_path *path)
{
  if (!node->text.n || is_choice(field->choices, node->text)) /* an empty text is missing, not wrong */
    return;
  const ho_rule_info *rule = field->flags & HO_OPEN ? &ho_rule_CHOICE_OPEN : &ho_rule_CHOICE;
  ho_str list = choice_list(check, field->choices);
  ho_report_add(check->report, rule, node->begin, path, "expected %.*s, found '%.*s'", HO_ARG(list),
                HO_ARG(ho_str_sub(node->text, 0, 80)));
}

static void check_text(ho_check *check, const ho_field *field, const ho_node *node, const ho_path *path)
{
  if (ho_is_placeholder(node->text, field->choices)) {
    ho_report_add(check->report, &ho_rule_PLACEHOLDER, node->begin, path, "'%.*s' is a placeholder",
                  HO_ARG(ho_str_sub(ho_str_trim(node->text), 0, 80)));
    return;
  }
  if (field->choices)
    check_choice(check, field, node, path);
  const ho_syntax *syntax = field->syntax;
  if (syntax && node->text.n && !syntax->matches(node->text)) {
    bool understood = syntax->understood && syntax->understood(node->text);
    ho_report_add_as(check->report, &syntax->rule, understood ? HO_WARNING : syntax->rule.severity, node->begin, path,
                     "%s, found '%.*s'", syntax->expected, HO_ARG(ho_str_sub(node->text, 0, 80)));
  }
}

static bool in_range(const ho_field *field, long long value)
{
  return (!field->min || value >= (long long)field->min) && (!field->max || value <= (long long)field->max);
}

static void check_int(ho_check *check, const ho_field *field, const ho_node *node, const ho_path *path)
{
  long long value = 0;
  if (!ho_node_to_int(node, &value))
    return;
  if (!in_range(field, value))
    ho_report_add(check->report, &ho_rule_RANGE, node->begin, path, "expected %u to %u, found %lld", field->min,
                  field->max, value);
}

static bool text_fits(const ho_field *field, ho_str text)
{
  const ho_syntax *syntax = field->syntax;
  if (!text.n)
    return true;
  if (field->choices && !(field->flags & HO_OPEN) && !is_choice(field->choices, text))
    return false;
  return !syntax || syntax->rule.severity != HO_ERROR || syntax->matches(text) ||
         (syntax->understood && syntax->understood(text));
}

bool ho_value_fits(const ho_field *field, ho_type type, const ho_node *node)
{
  long long value = 0;
  if (node->kind == HO_KIND_NULL || (node->kind == HO_KIND_TEXT && ho_is_placeholder(node->text, field->choices)))
    return true;
  if (!has_type(node, type))
    return false;
  if (type == HO_T_INT)
    return ho_node_to_int(node, &value) && in_range(field, value);
  return (type != HO_T_TEXT && type != HO_T_ID) || node->kind != HO_KIND_TEXT || text_fits(field, node->text);
}

static void check_list(ho_check *check, const ho_field *field, const ho_node *node, const ho_path *path)
{
  size_t index = 0;
  if (field->max && node->count > field->max) {
    const ho_node *extra = ho_list_at(node, field->max);
    ho_report_add(check->report, &ho_rule_TOO_MANY, extra->begin, path, "has %u items; the maximum is %u", node->count,
                  field->max);
  }
  HO_EACH_CONST (item, node) {
    ho_path at = {path, {NULL, 0}, index++};
    check_value(check, field, field->item, item, &at);
  }
}

static void check_value(ho_check *check, const ho_field *field, ho_type type, const ho_node *node, const ho_path *path)
{
  if (node->kind == HO_KIND_NULL && (field->flags & HO_NULLABLE))
    return;
  if (!has_type(node, type)) {
    if (node->kind == HO_KIND_TEXT && ho_is_placeholder(node->text, field->choices))
      ho_report_add(check->report, &ho_rule_PLACEHOLDER, node->begin, path, "'%.*s' is a placeholder",
                    HO_ARG(node->text));
    else if (node->kind == HO_KIND_TEXT && type != HO_T_RECORD && type != HO_T_LIST)
      ho_report_add(check->report, &ho_rule_TYPE, node->begin, path, "expected %s, found '%.*s'", type_name(type),
                    HO_ARG(ho_str_sub(node->text, 0, 80)));
    else
      ho_report_add(check->report, &ho_rule_TYPE, node->begin, path, "expected %s, found %s", type_name(type),
                    ho_kind_name((ho_kind)node->kind));
    return;
  }
  switch (type) {
  case HO_T_ID:
  case HO_T_TEXT:
    if (node->kind == HO_KIND_TEXT)
      check_text(check, field, node, path);
    break;
  case HO_T_INT:
    check_int(check, field, node, path);
    break;
  case HO_T_LIST:
    check_list(check, field, node, path);
    break;
  case HO_T_RECORD:
    check_record(check, field->record, node, path);
    break;
  default:
    break;
  }
}

static uint32_t place_of(const ho_node *node, const ho_node *parent)
{
  if (node && node->key_begin != HO_NOWHERE)
    return node->key_begin;
  if (node && node->begin != HO_NOWHERE)
    return node->begin;
  return parent->begin;
}

/* Absent or empty although the table asks for it. */
static void check_missing(ho_check *check, const ho_field *field, const ho_node *node, const ho_node *parent,
                          const ho_path *path)
{
  bool there =
      node && ((field->flags & HO_MAY_BE_EMPTY) || (node->kind == HO_KIND_NULL && (field->flags & HO_NULLABLE)));
  if (there && (node->kind != HO_KIND_NULL || (field->flags & HO_NULLABLE)))
    return;
  const char *what = !node ? "is missing: " : "is empty: ";
  ho_str hint = ho_str_of(field->doc);
  while (hint.n && hint.p[hint.n - 1] == '.')
    hint.n--;
  if (node && field->choices) {
    what = "is empty; write ";
    hint = choice_list(check, field->choices);
  }
  if (field->flags & HO_REQUIRED)
    ho_report_add(check->report, &ho_rule_REQUIRED, place_of(node, parent), path, "%s%.*s", what, HO_ARG(hint));
  else if (field->flags & HO_EXPECTED)
    ho_report_add_as(check->report, &ho_rule_EXPECTED, check->env->strict ? HO_ERROR : HO_WARNING,
                     place_of(node, parent), path, "%s%.*s", what, HO_ARG(hint));
}

static void check_record(ho_check *check, const ho_record *record, const ho_node *node, const ho_path *path)
{
  for (const ho_field *field = record->fields; field->name; field++) {
    const ho_node *child = ho_map_getz(node, field->name);
    ho_path at = {path, ho_str_of(field->name), 0};
    if (ho_node_empty(child))
      check_missing(check, field, child, node, &at);
    if (child && child->kind != HO_KIND_NULL)
      check_value(check, field, field->type, child, &at);
  }
}

ho_node *ho_check_get(const ho_check *check, const char *path)
{
  return ho_node_by_names(check->root, path);
}

/* Could `wanted` be below `node`, judging by the bytes they came from? */
static bool may_hold(const ho_node *node, const ho_node *wanted)
{
  return node->begin == HO_NOWHERE || wanted->begin == HO_NOWHERE ||
         (node->begin <= wanted->begin && wanted->begin <= node->end);
}

/* Finds `wanted` below `node` and reports there. With `by_place`, only searches nodes whose bytes enclose it. */
static bool report_at(ho_check *check, const ho_rule *rule, ho_severity severity, const ho_node *wanted,
                      const ho_node *node, const ho_path *path, const char *message, bool by_place)
{
  if (node == wanted) {
    uint32_t place = node->begin;
    ho_report_add_as(check->report, &rule->info, severity, place, path, "%s", message);
    return true;
  }
  size_t index = 0;
  HO_EACH_CONST (child, node) {
    bool item = node->kind == HO_KIND_LIST;
    ho_path at = {path, item ? (ho_str){NULL, 0} : child->key, index++};
    if (by_place && !may_hold(child, wanted))
      continue;
    if (report_at(check, rule, severity, wanted, child, &at, message, by_place))
      return true;
  }
  return false;
}

static void fail(ho_check *check, const ho_rule *rule, ho_severity severity, const ho_node *node, const char *format,
                 va_list args)
{
  ho_str message = ho_arena_vprintf(check->report->arena, format, args);
  ho_path wrapper = {NULL, check->wrapper, 0}, *base = check->wrapper.n ? &wrapper : NULL;
  bool full = check->report->count >= HO_LIMIT_NOW(FINDINGS); /* it is only counted, so its position does not matter */
  if (node && !full &&
      (report_at(check, rule, severity, node, check->root, base, message.p, true) ||
       report_at(check, rule, severity, node, check->root, base, message.p, false)))
    return;
  ho_report_add_as(check->report, &rule->info, severity, node ? node->begin : HO_NOWHERE, base, "%s", message.p);
}

void ho_check_fail(ho_check *check, const ho_rule *rule, const ho_node *node, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fail(check, rule, rule->info.severity, node, format, args);
  va_end(args);
}

void ho_check_fail_as(ho_check *check, const ho_rule *rule, ho_severity severity, const ho_node *node,
                      const char *format, ...)
{
  va_list args;
  va_start(args, format);
  fail(check, rule, severity, node, format, args);
  va_end(args);
}

/* Reports that the field named by the dotted path below `path` is missing; the pointer names it anyway. */
static void report_lacking(ho_check *check, const ho_rule *rule, uint32_t place, const ho_path *path, ho_str dotted,
                           const char *message)
{
  ho_str name;
  if (!ho_str_next(&dotted, '.', &name)) {
    ho_report_add(check->report, &rule->info, place, path, "%s", message);
    return;
  }
  ho_path at = {path, name, 0};
  report_lacking(check, rule, place, &at, dotted, message);
}

void ho_check_lacks(ho_check *check, const ho_rule *rule, const char *field, const char *format, ...)
{
  ho_path wrapper = {NULL, check->wrapper, 0}, *base = check->wrapper.n ? &wrapper : NULL;
  va_list args;
  va_start(args, format);
  ho_str message = ho_arena_vprintf(check->report->arena, format, args);
  va_end(args);
  report_lacking(check, rule, HO_NOWHERE, base, ho_str_of(field), message.p);
}

/* Reports each field of rule->require that is absent or empty below `node`. */
static void require_in(ho_check *check, const ho_rule *rule, const ho_node *node, const ho_node *because,
                       const ho_path *path)
{
  ho_str rest = ho_str_of(rule->require), name;
  uint32_t place = because && node == check->root ? because->begin : node->begin;
  while (ho_str_next(&rest, '|', &name)) {
    char z[128];
    ho_error_copy(z, sizeof z, name);
    if (!ho_node_empty(ho_node_by_names(node, z)))
      continue;
    ho_str message = because ? ho_arena_printf(check->report->arena, "'%s' is required because %s is '%.*s'", z,
                                               rule->when, HO_ARG(because->text))
                             : ho_arena_printf(check->report->arena, "'%s' is required", z);
    report_lacking(check, rule, place, path, name, message.p);
  }
}

static void run_data_rule(ho_check *check, const ho_rule *rule)
{
  ho_path wrapper = {NULL, check->wrapper, 0}, *base = check->wrapper.n ? &wrapper : NULL;
  const ho_node *because = NULL;
  if (rule->when) {
    because = ho_check_get(check, rule->when);
    if (!because || !ho_str_list_has(rule->in, because->text))
      return;
  }
  if (!rule->each) {
    require_in(check, rule, check->root, because, base);
    return;
  }
  const ho_node *list = ho_map_getz(check->root, rule->each);
  ho_path of_list = {base, ho_str_of(rule->each), 0}, at = {&of_list, {NULL, 0}, 0};
  if (ho_node_is(list, HO_KIND_LIST))
    HO_EACH_CONST (item, list) {
      if (item->kind == HO_KIND_MAP)
        require_in(check, rule, item, because, &at);
      at.index++;
    }
}

void ho_check_run(ho_check *check)
{
  ho_path wrapper = {NULL, check->wrapper, 0}, *base = check->wrapper.n ? &wrapper : NULL;
  if (check->root->kind != HO_KIND_MAP) {
    ho_report_add(check->report, &ho_rule_TYPE, check->root->begin, base, "expected a map, found %s",
                  ho_kind_name((ho_kind)check->root->kind));
    return;
  }
  check_record(check, check->format->root, check->root, base);
  for (const ho_rule *rule = check->format->rules; rule && rule->info.id; rule++) {
    if (rule->check)
      rule->check(check, rule);
    else
      run_data_rule(check, rule);
  }
}
