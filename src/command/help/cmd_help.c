#include "command/call.h"
#include "command/commands.h"
#include "command/help/help.h"

static ho_node *describe(const ho_command *command, ho_arena *arena)
{
  ho_buf usage;
  ho_buf_init(&usage, 0);
  ho_help_usage(&usage, command);
  ho_node *item = ho_node_new(arena, HO_KIND_MAP), *examples = ho_node_new(arena, HO_KIND_LIST);
  ho_str rest = ho_str_of(command->examples), line;
  while (ho_str_next_line(&rest, &line))
    ho_list_add(examples, ho_node_text(arena, line));
  ho_map_addz(item, "name", ho_node_textz(arena, command->name));
  ho_map_addz(item, "summary", ho_node_textz(arena, command->summary));
  ho_map_addz(item, "usage", ho_node_text(arena, ho_buf_move(&usage, arena)));
  ho_map_addz(item, "doc", ho_node_textz(arena, command->doc));
  ho_map_addz(item, "examples", examples);
  return item;
}

/* "gate decide" may come as two words. */
static ho_str wanted(const ho_call *call)
{
  ho_str first = ho_arg_str(call, "command"), second = ho_arg_str(call, "second");
  return second.n ? ho_arena_printf(call->arena, "%.*s %.*s", HO_ARG(first), HO_ARG(second)) : first;
}

static bool is_environment(ho_str name)
{
  return ho_str_is(name, "environment");
}

static void put_variables(ho_call *call)
{
  ho_node *list = ho_map_addz(call->result, "environment", ho_node_new(call->arena, HO_KIND_LIST));
  for (const ho_variable *each = ho_help_variables; each->name; each++) {
    ho_node *item = ho_list_add(list, ho_node_new(call->arena, HO_KIND_MAP));
    ho_map_addz(item, "name", ho_node_textz(call->arena, each->name));
    ho_map_addz(item, "doc", ho_node_textz(call->arena, each->doc));
  }
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_str name = wanted(call);
  ho_node *list = ho_map_addz(call->result, "commands", ho_node_new(call->arena, HO_KIND_LIST));
  for (const ho_command *const *each = ho_commands; *each; each++)
    if (!name.n || ho_str_is(name, (*each)->name) || ho_command_in(*each, name))
      ho_list_add(list, describe(*each, call->arena));
  ho_code code = ho_arena_code(call->arena, err);
  if (code)
    return code;
  if (is_environment(name)) {
    put_variables(call);
  } else if (!list->first) {
    return ho_command_unknown(name, err);
  }
  return HO_OK;
}

/* The pages of the commands that are named; handoff.1 if none is. */
static void put_manual(ho_buf *out, ho_str name, bool all)
{
  if (!name.n || is_environment(name))
    ho_help_man(out);
  for (const ho_command *const *each = ho_commands; *each; each++)
    if (all || ho_str_is(name, (*each)->name) || (name.n && ho_command_in(*each, name)))
      ho_help_man_command(out, *each);
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  ho_str name = wanted(call);
  const ho_command *command = ho_command_named(name);
  if (ho_arg_true(call, "man"))
    put_manual(out, name, ho_arg_true(call, "all"));
  else if (command)
    ho_help_command(out, command, colour);
  else if (is_environment(name))
    ho_help_environment(out, colour);
  else if (name.n)
    ho_help_group(out, name, colour);
  else if (ho_arg_true(call, "all"))
    ho_help_all(out, colour);
  else
    ho_help_overview(out, colour);
}

static const ho_field params[] = {
    {.name = "command",
     .label = "COMMAND|GROUP|environment",
     .doc = "A command, a group of commands, or 'environment'. Default: the common commands.",
     .type = HO_T_TEXT,
     .flags = HO_POSITIONAL | HO_IS_COMMAND},
    {.name = "second",
     .label = "WORD",
     .doc = "The second word of a command that has two.",
     .type = HO_T_TEXT,
     .flags = HO_POSITIONAL | HO_HIDDEN},
    {.name = "all", .doc = "List all commands, by group, and the exit statuses.", .type = HO_T_BOOL},
    {.name = "man",
     .doc = "Print the manual page as roff: handoff.1, or a command's; with --all, every page.",
     .type = HO_T_BOOL},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "help", .fields = params};
static const ho_field command_fields[] = {
    {.name = "name", .doc = "Name of the command.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "summary", .doc = "What it does, in one line.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "usage", .doc = "Its arguments and options.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "doc", .doc = "What else there is to know about it.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "examples", .doc = "Shell commands to try.", .type = HO_T_LIST, .item = HO_T_TEXT, .flags = HO_REQUIRED},
    HO_FIELDS_END};
static const ho_record command_record = {.name = "command", .fields = command_fields};
static const ho_field variable_fields[] = {
    {.name = "name", .doc = "Name of the variable.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "doc", .doc = "What it does.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    HO_FIELDS_END};
static const ho_record variable_record = {.name = "variable", .fields = variable_fields};
static const ho_field result[] = {{.name = "commands",
                                   .doc = "The commands that were asked for.",
                                   .type = HO_T_LIST,
                                   .item = HO_T_RECORD,
                                   .record = &command_record,
                                   .flags = HO_REQUIRED | HO_MAY_BE_EMPTY},
                                  {.name = "environment",
                                   .doc = "With 'help environment': the environment variables.",
                                   .type = HO_T_LIST,
                                   .item = HO_T_RECORD,
                                   .record = &variable_record},
                                  HO_FIELDS_END};
static const ho_record result_record = {.name = "help result", .fields = result};

const ho_command ho_command_help = {
    .name = "help",
    .group = "setup",
    .summary = "Explain a command, or list commands",
    .doc = "Without an argument, lists the common commands, and the options of every command.",
    .examples = "handoff help\nhandoff help --all\nhandoff help check\nhandoff help documents",
    .teammate = true,
    .local = true,
    .effect = HO_EFFECT_NONE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
