/* What a surface may run for somebody else (engine/project/access), by the command's row. */
#include <limits.h>

#include "base/fs.h"
#include "command/call.h"
#include "command/commands.h"
#include "engine/project/access_check.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"

unsigned ho_command_roles(const ho_command *command)
{
  if (command->local)
    return 0;
  if (command->roles || command->person)
    return command->roles;
  return command->effect == HO_EFFECT_NONE || command->effect == HO_EFFECT_READ ? HO_MAY_ALL : HO_MAY_AGENT;
}

static ho_code refuse(const ho_call *call, const char *why, ho_error *err)
{
  ho_code code =
      ho_fail(err, HO_GATED, "%.*s, which %s", HO_ARG(ho_access_shown(call->host->access, call->arena)), why);
  err->rule = HO_RULE_ROLE;
  return code;
}

/* Is there a folder in the path that belongs to git, or to this program? */
static bool is_inner(ho_str path)
{
  ho_str part;
  while (ho_str_next(&path, '/', &part))
    if (ho_str_is_nocase(part, ".git") || ho_str_is_nocase(part, HO_PATH_FOLDER))
      return true;
  return false;
}

/* A file of the project, named from its root, wherever links lead. */
static bool is_projects(const ho_call *call, ho_str path)
{
  char real[PATH_MAX];
  const char *full = ho_full_path(call, path);
  if (ho_str_starts(path, "/") || is_inner(path) || !full || !ho_fs_inside(call->host->root.p, full))
    return false;
  return !realpath(full, real) || !is_inner(ho_fs_relative(call->host->root, ho_str_of(real)));
}

/* The id of a handoff or gate and nothing else: commands that take a file take that, too. */
static bool is_id(ho_str text)
{
  for (size_t i = 0; i < text.n; i++)
    if (!strchr("HOG-#0123456789", text.p[i]))
      return false;
  return ho_id_of_ledger(text);
}

/* Words, which `send` takes in the place of a file. */
static bool is_line(const ho_call *call, ho_str text)
{
  return ho_str_find_char(text, ' ') != HO_NONE && !strchr("/.", text.p[0]) && !ho_fs_exists(ho_full_path(call, text));
}

static ho_code allow_file(const ho_call *call, const ho_field *field, ho_str named, ho_error *err)
{
  if (!named.n || ho_str_is(named, "-") || (field->flags & HO_ONLY_NAMED) || is_id(named) || is_line(call, named))
    return HO_OK;
  if (!call->host->access->files)
    return refuse(call, "names no files; give the document itself", err);
  return is_projects(call, named) ? HO_OK : refuse(call, "names only files of the project", err);
}

ho_code ho_command_allow_files(const ho_command *command, const ho_call *call, ho_error *err)
{
  ho_code code = HO_OK;
  bool asked = call->host && call->host->access;
  for (const ho_field *field = command->params->fields; asked && field->name && !code; field++) {
    const ho_node *value = field->flags & HO_IS_FILE ? ho_map_getz(call->args, field->name) : NULL;
    if (!ho_node_is(value, HO_KIND_LIST))
      code = allow_file(call, field, ho_node_str(value), err);
    else
      HO_EACH_CONST (item, value)
        code = code ? code : allow_file(call, field, ho_node_str(item), err);
  }
  return code;
}

ho_code ho_command_allow(const ho_command *command, const ho_call *call, ho_error *err)
{
  const ho_access *access = call->host ? call->host->access : NULL;
  if (!access)
    return HO_OK;
  unsigned roles = ho_command_roles(command);
  if (roles & 1U << access->role)
    return HO_OK;
  ho_str why = ho_arena_printf(call->arena, "may not run 'handoff %s'%s", command->name,
                               roles ? "" : "; that is for whoever works on the machine itself");
  return refuse(call, ho_arena_z(call->arena, why), err);
}
