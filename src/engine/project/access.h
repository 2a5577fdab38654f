/* Who a request comes from, and what it may do.
 *
 * A command that somebody starts acts for that somebody: it has no access, and the process itself shows who runs it
 * (engine/project/identity). A server acts for others, whom its own process says nothing about: the surface finds out
 * who asks, puts that into the host, and ho_dispatch keeps it for as long as the command runs. From then on, whatever
 * asks for the caller goes by the access: no variable of the server's environment counts for a request, and the signs
 * of an agent are those of the access.
 *
 * Surfaces say who it is and nothing else. What it may do is decided here, in the ledger and by the table of commands. */
#ifndef HO_ENGINE_PROJECT_ACCESS_H
#define HO_ENGINE_PROJECT_ACCESS_H

#include "base/arena.h"
#include "base/words.h"

struct ho_person;

/* name, as text, what it is for. */
#define HO_ACCESS_ROLES(X)                                                                                             \
  X(READ, "read", "looks at everything and changes nothing")                                                           \
  X(AGENT, "agent", "acts as one agent and as no other; decides no gate")                                              \
  X(DECIDE, "decide", "looks at everything and decides gates, for one person")

typedef enum ho_access_role {
  HO_ACCESS_NONE, /* may do nothing */
#define X(name, text, what) HO_ACCESS_##name,
  HO_ACCESS_ROLES(X) HO_ACCESS_COUNT
#undef X
} ho_access_role;
extern const ho_words ho_access_roles;
const char *ho_access_role_what(ho_access_role role);

/* How it is known who asks. */
typedef enum ho_access_how {
  HO_ACCESS_TOKEN, /* one that a person has made: `token new` */
  HO_ACCESS_LINK,  /* the link that the server printed when it was started */
  HO_ACCESS_PROXY, /* a trusted proxy has said it */
} ho_access_how;

typedef struct ho_access {
  ho_access_role role;
  ho_access_how how;
  ho_str name; /* of the token, or of the user that the proxy names; of a link "" */
  /* AGENT: the agent, NAME or NAME/INSTANCE; NAME is every instance of it. DECIDE: the person; "" is whoever runs the
   * server. READ: "". */
  ho_str who;
  bool files; /* an agent on this machine: it may name files of the project */
  /* How the person is asked for the passphrase of the own key, where decisions are signed. NULL: nobody can be asked, so
   * only unsigned decisions can be made. */
  const struct ho_person *person;
} ho_access;

/* "read", "agent:NAME", "decide:PERSON". */
ho_str ho_access_role_text(ho_arena *arena, ho_access_role role, ho_str who);

/* What this thread works for; NULL: the process itself. Only ho_dispatch sets it, and puts back what was there before. */
const ho_access *ho_access_now(void);
const ho_access *ho_access_set(const ho_access *access);

/* "token:NAME", "proxy:NAME", or "user:LOGIN" for the link: how the log calls what was decided without a signature. */
ho_str ho_access_recorded(const ho_access *access, ho_arena *arena);
/* "token:phone has the role decide:alice". */
ho_str ho_access_shown(const ho_access *access, ho_arena *arena);
/* A variable that tells a command its caller, task or claim; "" for a request, which has none. */
ho_str ho_access_variable(const char *name);
#endif
