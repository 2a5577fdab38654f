#include "command/call.h"
#include "command/help/help.h"
#include "command/suggest.h"

static const char *command_name(size_t index)
{
  return ho_commands[index] ? ho_commands[index]->name : NULL;
}

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

static ho_code run(ho_call *call, ho_error *err)
{
  ho_str name = wanted(call);
  const ho_command *only = name.n ? ho_command_named(name) : NULL;
  if (name.n && !only) {
    const char *near = ho_suggest(name, command_name);
    return ho_fail(err, HO_USAGE, "there is no command '%.*s'%s%s", HO_ARG(name), near ? ", did you mean " : "",
                   near ? near : "");
  }
  ho_node *list = ho_map_addz(call->result, "commands", ho_node_new(call->arena, HO_KIND_LIST));
  for (const ho_command *const *each = ho_commands; *each; each++)
    if (!only || *each == only)
      ho_list_add(list, describe(*each, call->arena));
  return HO_OK;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_command *command = ho_command_named(wanted(call));
  if (ho_arg_true(call, "man"))
    ho_help_man(out);
  else if (command)
    ho_help_command(out, command, colour);
  else
    ho_help_list(out, colour);
}

static const ho_field params[] = {
    {.name = "command",
     .label = "COMMAND",
     .doc = "The command to show; without it all are listed.",
     .type = HO_T_TEXT,
     .flags = HO_POSITIONAL | HO_IS_COMMAND},
    {.name = "second",
     .label = "WORD",
     .doc = "Its second word, where it has one.",
     .type = HO_T_TEXT,
     .flags = HO_POSITIONAL | HO_HIDDEN},
    {.name = "man", .doc = "Print the manual page handoff.1 instead, as roff.", .type = HO_T_BOOL},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "help", .fields = params};
static const ho_field command_fields[] = {
    {.name = "name", .doc = "Of the command.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "summary", .doc = "In one line.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "usage", .doc = "How it is written.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "doc", .doc = "What it does.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "examples", .doc = "Lines of shell.", .type = HO_T_LIST, .item = HO_T_TEXT, .flags = HO_REQUIRED},
    HO_FIELDS_END};
static const ho_record command_record = {.name = "command", .fields = command_fields};
static const ho_field result[] = {{.name = "commands",
                                   .doc = "What there is.",
                                   .type = HO_T_LIST,
                                   .item = HO_T_RECORD,
                                   .record = &command_record,
                                   .flags = HO_REQUIRED},
                                  HO_FIELDS_END};
static const ho_record result_record = {.name = "help result", .fields = result};

extern const ho_command ho_command_help;
const ho_command ho_command_help = {
    .name = "help",
    .group = "Set up and look around",
    .summary = "Show what a command does and how it is written",
    .doc = "Lists the commands, or shows one: how it is written, what it does, its arguments and options, examples and "
           "exit "
           "statuses.",
    .examples = "handoff help\nhandoff help check\nhandoff check --help",
    .effect = HO_EFFECT_NONE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
