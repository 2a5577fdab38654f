#include "command/commands.h"

#include "base/suggest.h"

const ho_command *const ho_commands[] = {
#define X(name) &ho_command_##name,
    HO_COMMANDS(X)
#undef X
        NULL};

const ho_command *ho_command_named(ho_str name)
{
  for (const ho_command *const *each = ho_commands; *each; each++)
    if (ho_str_is(name, (*each)->name))
      return *each;
  return NULL;
}

bool ho_command_in(const ho_command *command, ho_str word)
{
  ho_str name = ho_str_of(command->name);
  return ho_str_is(word, command->group) ||
         (name.n > word.n && name.p[word.n] == ' ' && ho_str_eq(ho_str_sub(name, 0, word.n), word));
}

bool ho_command_leads(ho_str word)
{
  for (const ho_command *const *each = ho_commands; *each; each++) {
    ho_str name = ho_str_of((*each)->name);
    if (word.n && name.n > word.n && name.p[word.n] == ' ' && ho_str_eq(ho_str_sub(name, 0, word.n), word))
      return true;
  }
  return false;
}

static const char *name_at(size_t index)
{
  return ho_commands[index] ? ho_commands[index]->name : NULL;
}

const char *ho_command_near(ho_str name)
{
  return ho_suggest(name, name_at);
}

ho_code ho_command_unknown(ho_str name, ho_error *err)
{
  static const struct {
    const char *tried, *use;
  } others[] = {{"uninstall", "install HARNESS --uninstall"},
                {"setup", "init"},
                {"ls", "list"},
                {"cat", "show ID"},
                {"get", "show ID"},
                {"view", "show ID"},
                {"rm", "withdraw ID --note TEXT"},
                {"remove", "withdraw ID --note TEXT"},
                {"delete", "withdraw ID --note TEXT"},
                {"cancel", "withdraw ID --note TEXT"},
                {"add", "send PATH"},
                {"push", "send PATH"},
                {"create", "new FORMAT"},
                {"take", "next --as AGENT"},
                {"pull", "next --as AGENT"},
                {"pop", "next --as AGENT"},
                {"complete", "done ID"},
                {"close", "done ID"},
                {"validate", "check PATH"},
                {"lint", "check PATH"},
                {"find", "search QUERY"},
                {"grep", "search QUERY"},
                {"history", "log"},
                {"tail", "log --follow"},
                {"top", "ps --watch"},
                {"watch", "overview --watch"},
                {"dashboard", "overview"},
                {"whoami", "status"}};
  for (size_t i = 0; i < HO_COUNT(others); i++)
    if (ho_str_is(name, others[i].tried))
      return ho_fail(err, HO_USAGE, "unknown command '%s'; run: handoff %s", others[i].tried, others[i].use);
  const char *near = ho_command_near(name);
  if (near)
    return ho_fail(err, HO_USAGE, "unknown command '%.*s'; did you mean '%s'?", HO_ARG(name), near);
  return ho_fail(err, HO_USAGE, "unknown command '%.*s'; run: handoff help", HO_ARG(name));
}

/* The words with which the command is for people, or NULL. */
static const char *as_peoples(const ho_command *command)
{
  return command->person ? command->name : command->person_words;
}

static const char *as_teammates(const ho_command *command)
{
  return command->teammate ? command->name : NULL;
}

static const char *const *names_of(ho_arena *arena, const char *(*words)(const ho_command *command))
{
  size_t count = 0;
  while (ho_commands[count])
    count++;
  const char **names = ho_arena_array(arena, count + 1, sizeof *names), **at = names;
  for (size_t i = 0; names && i < count; i++)
    if (words(ho_commands[i]))
      *at++ = words(ho_commands[i]);
  return names;
}

ho_rights ho_command_rights(ho_arena *arena)
{
  return (ho_rights){.people = names_of(arena, as_peoples), .teammates = names_of(arena, as_teammates)};
}

static const ho_field global_fields[] = {
    {.name = "json", .doc = "Print the result, and any error, as one JSON value.", .type = HO_T_BOOL},
    {.name = "root",
     .label = "DIR",
     .doc = "Project root. Default: the nearest parent folder with .handoff, else with .git, else the current folder.",
     .type = HO_T_TEXT,
     .flags = HO_IS_FILE},
    {.name = "store",
     .label = "PATH",
     .doc = "Store to use. Default: HANDOFF_STORE, else .handoff/handoff.db.",
     .type = HO_T_TEXT},
    {.name = "fields",
     .label = "A,B",
     .doc = "Of a table's rows, show only these members (the names that --json has).",
     .type = HO_T_TEXT},
    {.name = "sort",
     .label = "A",
     .doc = "Sort a table's rows by this member; -A: the greatest first.",
     .type = HO_T_TEXT},
    {.name = "jq",
     .label = "PATH",
     .doc = "Print only what a path leads to in the JSON result, one per line: '.handoffs[].id'.",
     .type = HO_T_TEXT},
    {.name = "watch", .doc = "Show it again every second, until Ctrl-C.", .type = HO_T_BOOL},
    {.name = "help", .doc = "Show help for the command.", .type = HO_T_BOOL},
    HO_FIELDS_END};
const ho_record ho_global_options = {.name = "global options", .fields = global_fields};
