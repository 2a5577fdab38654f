/* The project that a command works in: its folders, settings, store, who acts, in which session, at what time.
 *
 * One is made per command (or hook event) and passed down; nobody reads the settings or opens the store a second
 * time. Making it costs nothing: ho_project_begin reads the settings and determines who acts, ho_project_open opens
 * the store, and both do nothing when called again. */
#ifndef HO_ENGINE_PROJECT_PROJECT_H
#define HO_ENGINE_PROJECT_PROJECT_H

#include "engine/project/paths.h"
#include "engine/project/settings.h"
#include "engine/project/trust.h"
#include "store/store.h"

typedef struct ho_project {
  /* Given. */
  ho_arena *arena;  /* lives as long as the project */
  ho_str root;      /* the folder in which the agent works, absolute and NUL-ended */
  ho_str looked_in; /* the root, for messages about missing files; "" if users would expect no other */
  ho_str below;     /* the user's folder from the root, likewise; "" if it is the root, or outside */
  ho_str store_url; /* address of the store, "" for that of the project */
  int64_t (*clock_ms)(void *world);
  void *world;
  /* NAME or NAME/INSTANCE; "": HANDOFF_AGENT, or nobody in particular. Cleaned by ho_project_begin. */
  ho_str agent;
  bool by_option; /* the agent was named by --as: commands that are shown repeat that */
  /* Safe as the name of a folder; "": ho_project_begin takes it from the environment. */
  ho_str session;
  bool fresh; /* store_url is a store that is being made (`rebuild`): nobody else's */

  /* Filled by ho_project_begin. */
  bool begun;
  ho_settings settings;
  ho_str home;              /* the main worktree: where the store is, and the state file */
  ho_paths_written written; /* as its settings say, whatever those of another worktree do */
  /* store_url names another store, a copy for instance, than the one that the project has: the project's files follow
   * its own, and nothing changes in the other because it is looked at. */
  bool other_store;
  ho_str name; /* of the agent, without its instance */
  /* Use ho_project_actor: it is looked up on first use. May be given, by whoever knows the harness. */
  ho_str actor;
  /* What of it a person must have trusted; use ho_project_trusted. Shared with ho_project_acting, which notes what is
   * missed here too. */
  ho_trust *trust;

  ho_store *store; /* NULL until ho_project_open */

  /* Left by the last ho_ledger_write (engine/ledger/write.h). */
  ho_error unfinished; /* code is set: everything is recorded, but a file could not be written yet */
  ho_node *raised;     /* list of {gate, name, handoff}: gates that people must be notified of */
  ho_error state_file; /* code is set: the state file could not be updated */
} ho_project;

/* Reads the settings, unless they are loaded, and finds the main worktree, the agent and the session. Fails if the
 * settings break a rule. */
ho_code ho_project_begin(ho_project *project, ho_error *err) HO_NODISCARD;

typedef enum ho_project_how {
  HO_OPEN_EXISTING, /* HO_NOT_FOUND if there is no store */
  HO_OPEN_CREATE,   /* create the store if there is none */
  HO_OPEN_ANEW      /* the same, even if files show that there was one and it is lost (`rebuild`) */
} ho_project_how;
/* Begins, then opens the store. HO_STORE (rule "store-lost") if there is no store, or one without a single event,
 * although a seal or copies in the audit archive show that there was more: nothing is started over silently. HO_GATED
 * (rule "ledger-tracked") if git tracks the store, wherever it is, and no person has trusted it as git has it. */
ho_code ho_project_open(ho_project *project, ho_project_how how, ho_error *err) HO_NODISCARD;
/* The first half of that: HO_STORE if there is no database, but files of one. Needs home and store_url. */
ho_code ho_project_refuse_lost(const ho_project *project, ho_error *err) HO_NODISCARD;
/* Does the project have a store that ho_project_open would find? Begun. */
bool ho_project_has_store(const ho_project *project);
/* The database's file, "" if the store is not a file. Begun. */
ho_str ho_project_database(const ho_project *project);
/* Finishes what a killed process left unfinished in the project's files, if there is a store: this comes before
 * every other change to them. Leaves the store open. A file that cannot be written fails nobody: *unwritten says why one
 * of them is not as recorded; its code is HO_OK if all are. */
ho_code ho_project_settle(ho_project *project, ho_error *unwritten, ho_error *err) HO_NODISCARD;
void ho_project_close(ho_project *project);

/* The same project on behalf of somebody else: shares folders, settings and store, and must not outlive or close them.
 * actor: for the log, "" for the agent itself. */
ho_project ho_project_acting(const ho_project *project, ho_str agent, ho_str actor, ho_str session);

/* The number of the newest event, 0 if there is none. */
ho_code ho_project_newest_event(ho_project *project, int64_t *out, ho_error *err) HO_NODISCARD;

int64_t ho_project_now(const ho_project *project);
/* Who acts, for the log: the agent, the harness of one without a name, or user:LOGIN for a person. */
#define HO_PROJECT_PERSON "user:"
ho_str ho_project_actor(ho_project *project);
/* A command of this program as it works for whoever reads it: "handoff " and the format, in which ID stands for `id` and '@'
 * for " --as NAME", if the caller said so by that option who acts. Begun. */
ho_str ho_project_command(const ho_project *project, ho_arena *arena, const char *format, ho_str id);
/* The name under which handoffs reach whoever acts: the agent's own, else that of its harness; "" for a person. */
ho_str ho_project_addressee(ho_project *project);
/* The value of a setting that needs trust, if a person has trusted it; else NULL, and what is missed is noted. Begun. */
const ho_node *ho_project_trusted(const ho_project *project, ho_trust_item item);
/* Looks whether git tracks the store, which then needs trust (project->trust->values). Begun. */
ho_code ho_project_find_tracked(ho_project *project, ho_error *err) HO_NODISCARD;
/* Fails if git tracks the store, unless a person has trusted it as git has it: it came with the repository, and holds
 * what its author says that people have decided. ho_project_open asks this itself. */
ho_code ho_project_refuse_tracked(ho_project *project, ho_error *err) HO_NODISCARD;
/* Opens the store to look at it, trusted or not: nothing is created, migrated or finished. The caller closes it. */
ho_code ho_project_peek(const ho_project *project, ho_store **out, ho_error *err) HO_NODISCARD;
/* Does the project allow credentials to be stored, and has a person trusted that? Notes nothing. */
bool ho_project_keeps_secrets(const ho_project *project);
/* A text as it may be stored: without credentials, unless the project allows them. Whatever is written into the store,
 * below .handoff or into a phase's files goes through here, or through engine/project/redact. */
ho_str ho_project_clean(const ho_project *project, ho_arena *arena, ho_str text);
/* The same for who decided: "token:NAME" is no token that has a value, but the name of one. */
ho_str ho_project_clean_who(const ho_project *project, ho_arena *arena, ho_str who);
#endif
