#include "engine/project/access_check.h"

#include "engine/project/identity.h"
#include "model/syntax.h"

ho_code ho_access_parse(ho_str text, ho_access_role *role, ho_str *who, ho_error *err)
{
  int found = HO_ACCESS_NONE;
  ho_str name, rest = ho_str_trim(text);
  (void)ho_str_next(&rest, ':', &name);
  bool known = ho_words_find(&ho_access_roles, name, &found);
  if (!known || (found == HO_ACCESS_READ) != !rest.n || (rest.n && !ho_syntax_NAME.matches(rest)))
    return ho_fail(err, HO_USAGE, "'%.*s' is not a role; use read, agent:NAME or decide:PERSON",
                   HO_ARG(ho_str_sub(text, 0, 80)));
  *role = (ho_access_role)found;
  *who = rest;
  return ho_identity_check_agent(rest, err);
}

/* Says who it is: a caller may have several, and not know which one it used. */
static ho_code refuse(const ho_access *access, ho_arena *arena, const char *why, ho_error *err)
{
  ho_code code = ho_fail(err, HO_GATED, "%.*s, which %s", HO_ARG(ho_access_shown(access, arena)), why);
  err->rule = HO_RULE_ROLE;
  return code;
}

/* Is this the agent that the access is for: in this instance, if it is for one? */
static bool is_who(const ho_access *access, ho_str agent)
{
  bool any = ho_str_eq(access->who, ho_identity_name(access->who));
  return ho_str_eq(access->who, any ? ho_identity_name(agent) : agent);
}

ho_code ho_access_check_agent(ho_arena *arena, ho_str agent, ho_error *err)
{
  const ho_access *access = ho_access_now();
  if (!access || !agent.n || access->role == HO_ACCESS_READ ||
      (access->role == HO_ACCESS_AGENT && is_who(access, agent)))
    return HO_OK;
  return refuse(access, arena, "acts as nobody else; leave --as out", err);
}

ho_code ho_access_check_sender(ho_arena *arena, ho_str sender, ho_error *err)
{
  const ho_access *access = ho_access_now();
  if (!access || !sender.n || ho_str_eq(ho_identity_name(sender), ho_identity_name(access->who)))
    return HO_OK;
  ho_str why = ho_arena_printf(arena, "sends nothing as %.*s; leave the sender out of the document", HO_ARG(sender));
  return refuse(access, arena, ho_arena_z(arena, why), err);
}

ho_code ho_access_check_write(ho_arena *arena, ho_error *err)
{
  const ho_access *access = ho_access_now();
  if (!access || access->role == HO_ACCESS_AGENT)
    return HO_OK;
  return refuse(access, arena,
                access->role == HO_ACCESS_DECIDE ? "decides gates and changes nothing else" : "changes nothing", err);
}

ho_code ho_access_check_decide(ho_arena *arena, ho_str raiser, ho_error *err)
{
  const ho_access *access = ho_access_now();
  if (!access)
    return HO_OK;
  if (access->role != HO_ACCESS_DECIDE)
    return refuse(access, arena, "decides no gates", err);
  ho_str person = ho_str_starts(raiser, "user:") ? ho_str_sub(raiser, strlen("user:"), raiser.n) : raiser;
  if (!access->who.n || !ho_str_eq(ho_identity_name(person), ho_identity_name(access->who)))
    return HO_OK;
  return refuse(access, arena, "has raised this gate, so somebody else decides it", err);
}
