#include "engine/project/access.h"

#include <stdlib.h>

#include "base/user.h"

HO_WORDS(ho_access_roles, "a role", NULL, HO_ACCESS_ROLES);

const char *ho_access_role_what(ho_access_role role)
{
  static const char *const what[] = {"does nothing",
#define X(name, text, what) what,
                                     HO_ACCESS_ROLES(X)
#undef X
  };
  return what[role];
}

static _Thread_local const ho_access *now;

const ho_access *ho_access_now(void)
{
  return now;
}

const ho_access *ho_access_set(const ho_access *access)
{
  const ho_access *before = now;
  now = access;
  return before;
}

ho_str ho_access_role_text(ho_arena *arena, ho_access_role role, ho_str who)
{
  const char *name = ho_words_name(&ho_access_roles, role);
  return who.n ? ho_arena_printf(arena, "%s:%.*s", name, HO_ARG(who)) : ho_str_of(name);
}

ho_str ho_access_recorded(const ho_access *access, ho_arena *arena)
{
  if (access->how == HO_ACCESS_LINK)
    return ho_arena_printf(arena, "user:%.*s", HO_ARG(ho_user_name(arena)));
  return ho_arena_printf(arena, "%s:%.*s", access->how == HO_ACCESS_TOKEN ? "token" : "proxy", HO_ARG(access->name));
}

ho_str ho_access_shown(const ho_access *access, ho_arena *arena)
{
  return ho_arena_printf(arena, "%.*s has the role %.*s", HO_ARG(ho_access_recorded(access, arena)),
                         HO_ARG(ho_access_role_text(arena, access->role, access->who)));
}

ho_str ho_access_variable(const char *name)
{
  return now ? HO_EMPTY : ho_str_of(getenv(name));
}
