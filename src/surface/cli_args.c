#include "surface/cli_args.h"

#include "base/utf8.h"
#include "command/commands.h"
#include "command/help/help.h"
#include "base/suggest.h"

typedef struct parser {
  ho_cli_args *out;
  ho_arena *arena;
  ho_error *err;
  char **argv;
  int argc, at;
  bool ended; /* by "--" */
} parser;

/* Fails for a first word without the second, or with an unknown one. The first may also be a command by itself. */
static ho_code lacks_second_word(parser *p, ho_str first, ho_str second, ho_str family)
{
  const ho_command *alone = ho_command_named(first);
  if (alone && (!second.n || !family.n || ho_str_starts(second, "-"))) {
    p->out->command = alone;
    return HO_OK;
  }
  if (!family.n)
    return ho_command_unknown(first, p->err);
  if (ho_str_is(second, "--help") || ho_str_is(second, "-h")) {
    p->out->family = first;
    p->out->help = true;
    p->at++;
    return HO_OK;
  }
  ho_str both = ho_arena_printf(p->arena, "%.*s %.*s", HO_ARG(first), HO_ARG(second));
  if (second.n && ho_str_has(ho_str_of(ho_command_near(both)), ho_arena_z(p->arena, first)))
    return ho_command_unknown(both, p->err);
  if (second.n && !ho_str_starts(second, "-"))
    return ho_fail(p->err, HO_USAGE, "%.*s has no subcommand '%.*s', but: %.*s; run: handoff help %.*s", HO_ARG(first),
                   HO_ARG(second), HO_ARG(family), HO_ARG(first));
  return ho_fail(p->err, HO_USAGE, "%.*s needs a subcommand: %.*s; run: handoff help %.*s", HO_ARG(first),
                 HO_ARG(family), HO_ARG(first));
}

/* Commands of one or two words: "gate", "gate decide". */
static ho_code take_second_word(parser *p, ho_str first)
{
  ho_str second = p->at < p->argc ? ho_str_of(p->argv[p->at]) : HO_EMPTY;
  ho_str family = HO_EMPTY; /* the second words that there are */
  for (const ho_command *const *each = ho_commands; *each; each++) {
    ho_str name = ho_str_of((*each)->name);
    if (name.n <= first.n || name.p[first.n] != ' ' || !ho_str_eq(ho_str_sub(name, 0, first.n), first))
      continue;
    ho_str word = ho_str_sub(name, first.n + 1, name.n);
    family = ho_arena_printf(p->arena, "%.*s%s%.*s", HO_ARG(family), family.n ? ", " : "", HO_ARG(word));
    if (!ho_str_eq(word, second))
      continue;
    p->out->command = *each;
    p->at++;
    return HO_OK;
  }
  return lacks_second_word(p, first, second, family);
}

/* Names have '-' on the command line and '_' in tables. An option's other names count as much as its own. */
static bool is_named(const ho_field *field, ho_str name)
{
  if (field->flags & HO_POSITIONAL)
    return false;
  if (ho_str_list_has(field->aliases, name))
    return true;
  if (strlen(field->name) != name.n)
    return false;
  for (size_t i = 0; i < name.n; i++)
    if (name.p[i] != (field->name[i] == '_' ? '-' : field->name[i]))
      return false;
  return true;
}

static const ho_field *option_in(const ho_record *record, ho_str name)
{
  for (const ho_field *field = record->fields; field->name; field++)
    if (is_named(field, name))
      return field;
  return NULL;
}

/* The command's own option of that name, long or short, or NULL. */
static const ho_field *own_option(const ho_command *command, ho_str name, bool is_long)
{
  if (!command)
    return NULL;
  if (is_long)
    return option_in(command->params, name);
  for (const ho_field *field = command->params->fields; field->name; field++)
    if (((field->flags & HO_SHORT_O) && ho_str_is(name, "o")) ||
        ((field->flags & HO_OLD_NAMES) && ho_str_list_has(field->aliases, name)))
      return field;
  return NULL;
}

static const ho_field *global_option(ho_str name, bool is_long)
{
  if (is_long)
    return option_in(&ho_global_options, name);
  return ho_str_is(name, "h") ? option_in(&ho_global_options, HO_STR("help")) : NULL;
}

/* The nearest of the options of the command and of all commands. */
static const char *nearest_option(const ho_command *command, ho_str name)
{
  const ho_record *records[] = {command ? command->params : &ho_global_options, &ho_global_options};
  const char *best = NULL;
  unsigned nearest = ho_distance_far(name);
  for (size_t i = 0; i < HO_COUNT(records); i++)
    for (const ho_field *field = records[i]->fields; field->name; field++) {
      unsigned distance = ho_distance(name, ho_str_of(field->name));
      if (!(field->flags & (HO_POSITIONAL | HO_HIDDEN)) && distance < nearest) {
        nearest = distance;
        best = field->name;
      }
    }
  return best;
}

static ho_code unknown_option(parser *p, ho_str given, ho_str name)
{
  const char *near = nearest_option(p->out->command, name);
  const char *command = p->out->command ? p->out->command->name : "";
  if (near)
    return ho_fail(p->err, HO_USAGE, "unknown option %.*s; did you mean --%s?", HO_ARG(given), near);
  return ho_fail(p->err, HO_USAGE, "unknown option %.*s; run: handoff %s%s--help", HO_ARG(given), command,
                 *command ? " " : "");
}

static bool is_number(ho_str text)
{
  uint64_t value;
  return ho_str_to_u64(ho_str_starts(text, "-") ? ho_str_sub(text, 1, text.n) : text, &value);
}

/* A value of the type that the field wants, if possible; otherwise dispatch says what is wrong. */
static ho_node *value_node(parser *p, const ho_field *field, ho_str text)
{
  ho_type type = field->type == HO_T_LIST ? field->item : field->type;
  ho_node *node = ho_node_text(p->arena, text);
  if (!node)
    return NULL;
  if ((type == HO_T_INT || type == HO_T_NUMBER) && is_number(text))
    node->kind = HO_KIND_NUMBER;
  if (type == HO_T_BOOL && (ho_str_is(text, "true") || ho_str_is(text, "false")))
    node->kind = HO_KIND_BOOL;
  return node;
}

/* An option that takes one value is refused with a second one: with the last alone, the answer would be to another
 * question. */
static ho_code put_value(parser *p, ho_str given, const ho_field *field, ho_str text)
{
  ho_node *args = p->out->args, *node = value_node(p, field, text);
  if (field->type != HO_T_LIST) {
    const ho_node *before = ho_map_getz(args, field->name);
    if (before && !ho_str_eq(ho_node_str(before), text))
      return ho_fail(p->err, HO_USAGE, "option %.*s is given twice, as '%.*s' and '%.*s'; use it once", HO_ARG(given),
                     HO_ARG(ho_node_str(before)), HO_ARG(text));
    ho_map_set(args, ho_str_of(field->name), node);
    return HO_OK;
  }
  ho_node *list = ho_map_getz(args, field->name);
  if (!list)
    list = ho_map_addz(args, field->name, ho_node_new(p->arena, HO_KIND_LIST));
  ho_list_add(list, node);
  return HO_OK;
}

static void put_global(parser *p, const ho_field *field, ho_str value)
{
  ho_str name = ho_str_of(field->name);
  if (ho_str_is(name, "json"))
    p->out->json = !ho_str_is(value, "false");
  else if (ho_str_is(name, "help"))
    p->out->help = true;
  else if (ho_str_is(name, "watch"))
    p->out->watch = true;
  else if (ho_str_is(name, "root"))
    p->out->root = ho_arena_z(p->arena, value);
  else if (ho_str_is(name, "fields"))
    p->out->shown.fields = value;
  else if (ho_str_is(name, "sort"))
    p->out->shown.sort = value;
  else if (ho_str_is(name, "jq"))
    p->out->shown.path = value;
  else
    p->out->store = ho_arena_z(p->arena, value);
}

/* "--name", "--name=VALUE", "--name VALUE", "-o VALUE", "-oVALUE". */
static ho_code take_option(parser *p, ho_str given)
{
  bool is_long = ho_str_starts(given, "--");
  ho_str name = ho_str_sub(given, is_long ? 2 : 1, given.n), value = HO_EMPTY;
  size_t end = is_long ? ho_str_find_char(name, '=') : name.n > 1 ? 1 : HO_NONE;
  if (end != HO_NONE) {
    value = ho_str_sub(name, is_long ? end + 1 : end, name.n);
    name = ho_str_sub(name, 0, end);
  }
  /* "handoff --help --all" is "handoff help --all". */
  const ho_command *command = p->out->help && !p->out->command ? ho_command_named(HO_STR("help")) : p->out->command;
  const ho_field *own = own_option(command, name, is_long);
  const ho_field *field = own ? own : global_option(name, is_long);
  if (!field)
    return unknown_option(p, ho_str_sub(given, 0, is_long ? name.n + 2 : name.n + 1), name);
  if (field->type == HO_T_BOOL && end == HO_NONE)
    value = HO_STR("true");
  else if (end == HO_NONE && p->at < p->argc)
    value = ho_str_of(p->argv[p->at++]);
  else if (end == HO_NONE)
    return ho_fail(p->err, HO_USAGE, "option %.*s needs a value", HO_ARG(given));
  if (ho_utf8_bad(value) != HO_NONE)
    return ho_fail(p->err, HO_USAGE, "the value of %.*s is not UTF-8", HO_ARG(given));
  if (own && (own->flags & HO_OLD_NAMES) && ho_str_list_has(own->aliases, name)) {
    p->out->old = ho_str_sub(given, 0, is_long ? name.n + 2 : name.n + 1);
    p->out->now = own;
  }
  if (own)
    return put_value(p, ho_str_sub(given, 0, is_long ? name.n + 2 : name.n + 1), own, value);
  put_global(p, field, value);
  return HO_OK;
}

/* The next positional parameter that has no value yet, or takes any number. */
static ho_code take_positional(parser *p, ho_str value)
{
  const ho_command *command = p->out->command;
  for (const ho_field *field = command->params->fields; field->name; field++) {
    bool open = field->type == HO_T_LIST || !ho_map_getz(p->out->args, field->name);
    if ((field->flags & HO_POSITIONAL) && open)
      return put_value(p, HO_EMPTY, field, value);
  }
  return ho_fail(p->err, HO_USAGE, "unexpected argument '%.*s'; run: handoff %s --help", HO_ARG(value), command->name);
}

static ho_code take(parser *p, ho_str given)
{
  if (ho_utf8_bad(given) != HO_NONE)
    return ho_fail(p->err, HO_USAGE, "argument %d is not UTF-8", p->at - 1);
  if (!p->ended && ho_str_is(given, "--")) {
    p->ended = true;
    return HO_OK;
  }
  if (!p->ended && given.n > 1 && given.p[0] == '-')
    return take_option(p, given);
  if (p->out->command)
    return take_positional(p, given);
  return take_second_word(p, given);
}

static ho_code need_arguments(parser *p)
{
  const ho_command *command = p->out->command;
  for (const ho_field *field = command->params->fields; field->name; field++)
    if ((field->flags & HO_REQUIRED) && !ho_map_getz(p->out->args, field->name)) {
      ho_buf what;
      ho_buf_init(&what, 0);
      if (field->flags & HO_POSITIONAL)
        ho_help_value(&what, field);
      else
        ho_help_option(&what, field);
      ho_code code = ho_fail(p->err, HO_USAGE, "%s needs %.*s; run: handoff %s --help", command->name,
                             HO_ARG(ho_buf_str(&what)), command->name);
      ho_buf_free(&what);
      return code;
    }
  return HO_OK;
}

static bool asks_for_json(int argc, char **argv)
{
  for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
    if (strcmp(argv[i], "--json") == 0)
      return true;
  return false;
}

ho_code ho_cli_parse(ho_cli_args *out, int argc, char **argv, ho_arena *arena, ho_error *err)
{
  *out = (ho_cli_args){.args = ho_node_new(arena, HO_KIND_MAP), .json = asks_for_json(argc, argv)};
  parser p = {.out = out, .arena = arena, .err = err, .argv = argv, .argc = argc, .at = 1};
  if (argc == 2 && (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0)) {
    out->command = ho_command_named(HO_STR("version"));
    return ho_arena_code(arena, err);
  }
  ho_code code = HO_OK;
  while (!code && p.at < argc) {
    ho_str given = ho_str_of(argv[p.at++]);
    code = take(&p, given);
  }
  if (!code && out->command && !out->help)
    code = need_arguments(&p);
  return arena->failed ? ho_arena_code(arena, err) : code;
}
