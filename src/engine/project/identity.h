/* Who acts: agents, the session they work in, the user account. */
#ifndef HO_ENGINE_PROJECT_IDENTITY_H
#define HO_ENGINE_PROJECT_IDENTITY_H

#include <sys/types.h>

#include "base/arena.h"

struct ho_harness;

/* The name of an agent without its instance: "coder/2" → "coder". */
ho_str ho_identity_name(ho_str agent);
/* HO_USAGE if the text (of --as or HANDOFF_AGENT) cannot be an agent's name: names stand in commands and folders, and in
 * the log, where "user:NAME" is a person and the reserved names are the program's own. "" can. */
ho_code ho_identity_check_agent(ho_str agent, ho_error *err) HO_NODISCARD;
/* Names that no agent and no decider has: who acts by itself, and who is asked. */
#define HO_IDENTITY_RESERVED "handoff, deadline and human are reserved"
bool ho_identity_reserved(ho_str name);
/* The text as a name that needs no quoting anywhere: every other character becomes '-'. */
ho_str ho_identity_safe(ho_arena *arena, ho_str text);
/* The session by the environment: HANDOFF_SESSION, else the harness's own variable, else "". */
ho_str ho_identity_session(void);
/* The name of the harness whose agent started this process, by its variables, or "". */
ho_str ho_identity_harness(void);
/* The variable that shows that an agent started this process, or NULL. */
const char *ho_identity_agent_sign(void);

/* Everything that shows it, each as a clause for messages ("CLAUDECODE is set"): variables, a harness or a teammate of
 * `run` among the processes above, and no_new_privs, which sandboxes set and people's shells do not. What a program that
 * runs as the same user can hide from /proc is not seen. Of a request (engine/project/access), its access: unless that decides, it
 * is an agent's. */
enum { HO_IDENTITY_SIGNS = 3 };
typedef struct ho_identity_signs {
  ho_str items[HO_IDENTITY_SIGNS];
  size_t count;
} ho_identity_signs;
void ho_identity_read_signs(ho_arena *arena, ho_identity_signs *out);
/* Fails with HO_GATED if there is any sign: "WHAT, but SIGN, so an agent is running this". */
ho_code ho_identity_refuse_agents(ho_arena *arena, const char *what, ho_error *err) HO_NODISCARD;
/* The processes of the harness that has started this one: the nearest above that runs its program, and the first of the chain in
 * which such processes have started each other. It works as long as any of both does: the last ones of a chain may come
 * and go, and the first may only have started it. 0: none. */
typedef struct ho_identity_chain {
  pid_t nearest, first;
} ho_identity_chain;
ho_identity_chain ho_identity_harness_chain(const struct ho_harness *harness);
/* The session as a folder name; "": that of the day, local-YYYYMMDD. */
ho_str ho_identity_session_name(ho_arena *arena, ho_str session, int64_t now_ms);
/* Is it that of a day, which all who work without a session of their own share? */
bool ho_identity_is_day(ho_str session);

/* An id that may name a file: letters, digits, '.', '_' and '-', not hidden, at most 64. */
bool ho_id_fits(ho_str id);
/* A task's or phase's id: a number without its leading zeros, else the text. */
ho_str ho_id_plain(ho_str id);
/* Is it, or does it begin with, the id of a handoff or gate, of this project or not: "HO-2026-001", "HO-001",
 * "G-2026-001", "HO-2026-001#G-2026-001"? */
bool ho_id_of_ledger(ho_str id);
bool ho_id_of_gate(ho_str id);
/* The number of a task that is called by one: "5" of "5", "005", "#5", "Task 5" and "task-005"; "" of any other. */
ho_str ho_id_number(ho_str id);
/* The ways in which a task's id is usually spelled, the given one first: "task-005", "5", "task-5", "05" and so on. A task
 * that is not called by a number has one. Returns how many there are. */
enum { HO_ID_SPELLINGS = 9 };
size_t ho_id_spellings(ho_arena *arena, ho_str id, ho_str out[HO_ID_SPELLINGS]);
#endif
