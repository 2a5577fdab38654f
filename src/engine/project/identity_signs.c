/* What shows that an agent runs this process. */
#include <sys/prctl.h>

#include "base/fs.h"
#include "base/proc/ancestor.h"
#include "base/proc/shim.h"
#include "engine/project/access.h"
#include "engine/project/identity.h"
#include "model/harness/harness.h"

enum {
  WORDS = 16, /* of a command line, in which a script may stand after an interpreter's options */
  NAME = 15,  /* bytes that the kernel keeps of a process's name */
};

/* A file's name without what interpreted languages add to it. */
static ho_str plain_name(ho_str path)
{
  static const char *const endings[] = {".js", ".mjs", ".cjs", ".py"};
  ho_str name = ho_fs_name(path);
  for (size_t i = 0; i < HO_COUNT(endings); i++)
    if (ho_str_ends(name, endings[i]))
      return ho_str_sub(name, 0, name.n - strlen(endings[i]));
  return name;
}

/* The name of the harness whose program, or script, this is; NULL: of none. */
static const char *harness_of(ho_str path)
{
  ho_str name = path.n ? plain_name(path) : path;
  for (const ho_harness *const *each = ho_harnesses; name.n && *each; each++)
    if ((*each)->programs && ho_str_list_has((*each)->programs, name))
      return (*each)->name;
  return NULL;
}

/* Likewise by the name of a process, which for a shell script is all there is. */
static const char *harness_called(ho_str name)
{
  for (const ho_harness *const *each = ho_harnesses; *each; each++) {
    ho_str programs = ho_str_of((*each)->programs), program;
    while (ho_str_next(&programs, '|', &program))
      if (program.n > NAME && ho_str_eq(ho_str_sub(program, 0, NAME), name))
        return (*each)->name;
  }
  return harness_of(name);
}

/* Is the path below one of these folders: "…/FOLDER/…"? */
static bool is_below(ho_str path, const char *folders)
{
  ho_str rest = ho_str_of(folders), folder;
  char part[64];
  while (ho_str_next(&rest, '|', &folder)) {
    snprintf(part, sizeof part, "/%.*s/", HO_ARG(folder));
    if (ho_str_has(path, part))
      return true;
  }
  return false;
}

/* Likewise of a file in a harness's folders. */
static const char *owner_of(ho_str path)
{
  for (const ho_harness *const *each = ho_harnesses; *each; each++)
    if ((*each)->folders && is_below(path, (*each)->folders))
      return (*each)->name;
  return NULL;
}

static bool is_interpreter(ho_str program)
{
  static const char known[] = "node|nodejs|bun|deno|tsx|npx";
  ho_str name = program.n ? ho_fs_name(program) : program;
  return ho_str_list_has(known, name) || ho_str_starts(name, "python") || ho_str_starts(name, "pypy");
}

/* The harness whose script it runs: by the name of the first word that is not an option, or the folder of any word. */
static const char *script_of(const ho_ancestor *at)
{
  bool named = false;
  if (!is_interpreter(ho_str_of(at->file)) && !is_interpreter(ho_ancestor_word(at, 0)))
    return NULL;
  for (size_t i = 1; i < WORDS; i++) {
    ho_str word = ho_ancestor_word(at, i);
    bool script = word.n && word.p[0] != '-' && !named;
    const char *found = owner_of(word);
    if (!found && script)
      found = harness_of(word);
    if (found)
      return found;
    named |= script;
  }
  return NULL;
}

/* What people call the agents' program that this process is; NULL: it is none. */
static const char *agents_program(const ho_ancestor *at)
{
  const char *found = strcmp(at->name, HO_SHIM_NAME) == 0 || ho_str_is(ho_ancestor_word(at, 0), HO_SHIM_NAME)
                          ? HO_SHIM_NAME
                          : harness_called(ho_str_of(at->name));
  if (!found)
    found = harness_of(ho_str_of(at->file));
  if (!found)
    found = harness_of(ho_ancestor_word(at, 0));
  if (!found) /* clients start themselves by the file that they are, which may be called "claude.exe" or "2.1.325" */
    found = owner_of(ho_str_of(at->file));
  return found ? found : script_of(at);
}

ho_identity_chain ho_identity_harness_chain(const ho_harness *harness)
{
  ho_ancestor at = {0};
  ho_identity_chain chain = {0};
  while (ho_ancestor_next(&at)) {
    const char *program = agents_program(&at);
    bool its = program && strcmp(program, harness->name) == 0;
    if (its && !chain.nearest)
      chain.nearest = at.pid;
    if (its)
      chain.first = at.pid;
    else if (chain.nearest)
      break;
  }
  return chain;
}

static ho_str from_process(ho_arena *arena)
{
  ho_ancestor at = {0};
  if (!ho_ancestor_visible())
    return HO_STR("/proc is not there to show who started this");
  while (ho_ancestor_next(&at)) {
    const char *program = agents_program(&at);
    if (program)
      return ho_arena_printf(arena, "it was started by process %ld (%s)", (long)at.pid, program);
  }
  return ho_ancestor_given_up(&at) ? HO_STR("too many processes are above it to see who started this") : HO_EMPTY;
}

static ho_str from_variables(ho_arena *arena)
{
  const char *variable = ho_identity_agent_sign();
  return variable ? ho_arena_printf(arena, "%s is set", variable) : HO_EMPTY;
}

static ho_str from_sandbox(void)
{
  return prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0) == 1 ? HO_STR("no_new_privs is set, as in a sandbox") : HO_EMPTY;
}

static void add_sign(ho_identity_signs *out, ho_str sign)
{
  if (sign.n && out->count < HO_IDENTITY_SIGNS)
    out->items[out->count++] = sign;
}

static void add_signs_of_process(ho_arena *arena, ho_identity_signs *out)
{
  add_sign(out, from_variables(arena));
  add_sign(out, from_process(arena));
  add_sign(out, from_sandbox());
}

void ho_identity_read_signs(ho_arena *arena, ho_identity_signs *out)
{
  const ho_access *access = ho_access_set(NULL); /* the process's own variables */
  *out = (ho_identity_signs){0};
  if (access && access->role != HO_ACCESS_DECIDE)
    add_sign(out, ho_access_shown(access, arena));
  /* Only a person can have made a token. What else is known of a caller, this process says, which an agent may have started. */
  if (!access || access->how != HO_ACCESS_TOKEN)
    add_signs_of_process(arena, out);
  (void)ho_access_set(access);
}

ho_code ho_identity_refuse_agents(ho_arena *arena, const char *what, ho_error *err)
{
  ho_identity_signs signs;
  ho_identity_read_signs(arena, &signs);
  ho_code code = ho_arena_code(arena, err);
  if (code || !signs.count)
    return code;
  /* HANDOFF_AGENT is also set by people who try things out; a harness's variable never is. */
  const char *sign = ho_identity_agent_sign();
  bool ours = signs.count == 1 && sign && strcmp(sign, "HANDOFF_AGENT") == 0;
  return ho_fail(err, HO_GATED, "%s, but %.*s, so an agent is running this%s", what, HO_ARG(signs.items[0]),
                 ours ? "; if you are a person, run: unset HANDOFF_AGENT"
                      : "; a person runs it in a terminal that no agent has started");
}
