/* Who acts: agents, the session they work in, the user account. */
#ifndef HO_ENGINE_PROJECT_IDENTITY_H
#define HO_ENGINE_PROJECT_IDENTITY_H

#include "base/arena.h"

/* The name of an agent without its instance: "coder/2" → "coder". */
ho_str ho_identity_name(ho_str agent);
/* HO_USAGE if the text (of HANDOFF_AGENT) cannot be an agent's name: names stand in commands and folders. "" can. */
ho_code ho_identity_check_agent(ho_str agent, ho_error *err) HO_NODISCARD;
/* The text as a name that needs no quoting anywhere: every other character becomes '-'. */
ho_str ho_identity_safe(ho_arena *arena, ho_str text);
/* The session by the environment: HANDOFF_SESSION, else the harness's own variable, else "". */
ho_str ho_identity_session(void);
/* The variable that shows that an agent started this process, or NULL. */
const char *ho_identity_agent_sign(void);
/* The session as a folder name; "": that of the day, local-YYYYMMDD. */
ho_str ho_identity_session_name(ho_arena *arena, ho_str session, int64_t now_ms);

/* An id that may name a file: letters, digits, '.', '_' and '-', not hidden, at most 64. */
bool ho_id_fits(ho_str id);
/* A task's or phase's id: a number without its leading zeros, else the text. */
ho_str ho_id_plain(ho_str id);
#endif
