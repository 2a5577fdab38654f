#include "engine/project/identity.h"

#include "base/time.h"

/* The first that is set names the session; the others are those of harnesses. */
static const char *const session_variables[] = {"HANDOFF_SESSION",     "CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID",
                                                "CODEX_SESSION_ID",    "CODEX_THREAD_ID",        "GEMINI_SESSION_ID",
                                                "OPENCODE_SESSION_ID", "CURSOR_SESSION_ID"};

ho_str ho_identity_name(ho_str agent)
{
  size_t slash = ho_str_find_char(agent, '/');
  return slash == HO_NONE ? agent : ho_str_sub(agent, 0, slash);
}

ho_str ho_identity_session(void)
{
  for (size_t i = 0; i < HO_COUNT(session_variables); i++) {
    ho_str name = ho_str_of(getenv(session_variables[i]));
    if (name.n)
      return name;
  }
  return HO_EMPTY;
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
