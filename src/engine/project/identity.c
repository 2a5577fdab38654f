#include "engine/project/identity.h"

#include "base/time.h"
#include "model/harness/harness.h"

ho_str ho_identity_name(ho_str agent)
{
  size_t slash = ho_str_find_char(agent, '/');
  return slash == HO_NONE ? agent : ho_str_sub(agent, 0, slash);
}

ho_str ho_identity_session(void)
{
  ho_str session = ho_str_of(getenv("HANDOFF_SESSION"));
  for (const ho_harness *const *each = ho_harnesses; *each && !session.n; each++)
    for (const char *const *name = (*each)->session; *name && !session.n; name++)
      session = ho_str_of(getenv(*name));
  return session;
}

static bool is_set(const char *variable)
{
  return ho_str_of(getenv(variable)).n > 0;
}

const char *ho_identity_agent_sign(void)
{
  static const char *const general[] = {"HANDOFF_AGENT", "AI_AGENT"};
  for (size_t i = 0; i < HO_COUNT(general); i++)
    if (is_set(general[i]))
      return general[i];
  for (const ho_harness *const *each = ho_harnesses; *each; each++)
    for (const char *const *name = (*each)->inside; *name; name++)
      if (is_set(*name))
        return *name;
  return NULL;
}

ho_str ho_identity_session_name(ho_arena *arena, ho_str session, int64_t now_ms)
{
  char stamp[HO_TIME_SIZE];
  if (!session.n) {
    ho_time_stamp(now_ms, stamp);
    return ho_arena_printf(arena, "local-%.8s", stamp);
  }
  char *safe = ho_arena_alloc(arena, session.n + 1);
  if (!safe)
    return HO_EMPTY;
  for (size_t i = 0; i < session.n; i++)
    safe[i] = isalnum((unsigned char)session.p[i]) || (i && strchr("._-", session.p[i])) ? session.p[i] : '-';
  return (ho_str){safe, session.n > 100 ? 100 : session.n};
}

bool ho_id_fits(ho_str id)
{
  if (id.n == 0 || id.n > 64 || id.p[0] == '.' || id.p[0] == '-')
    return false;
  for (size_t i = 0; i < id.n; i++)
    if (!isalnum((unsigned char)id.p[i]) && !strchr("._-", id.p[i]))
      return false;
  return true;
}

ho_str ho_id_plain(ho_str id)
{
  uint64_t value;
  id = ho_str_trim(id);
  while (id.n > 1 && id.p[0] == '0' && ho_str_to_u64(id, &value))
    id = ho_str_sub(id, 1, id.n);
  return id;
}
