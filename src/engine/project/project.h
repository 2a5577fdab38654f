/* The ledger: the store of a project together with who acts, in which session, at what time, under which settings.
 *
 * Every change goes through ho_ledger_write: leases and deadlines that have passed are dealt with first, in the same
 * transaction; afterwards state/current.json is brought up to date and people are told about new gates. */
#ifndef HO_ENGINE_PROJECT_PROJECT_H
#define HO_ENGINE_PROJECT_PROJECT_H

#include "doc/tree.h"
#include "store/handoffs/records.h"

typedef struct ho_project_options {
  ho_arena *arena;       /* lives as long as the ledger */
  ho_str root;           /* the project's folder in which the agent works */
  ho_str store;          /* address of the store, "" for that of the project */
  ho_str agent;          /* NAME or NAME/INSTANCE; "": HANDOFF_AGENT, or nobody in particular */
  const ho_node *config; /* bound settings, or NULL */
  int64_t (*clock_ms)(void *world);
  void *world;
  bool create; /* make the store where there is none */
  bool brief;  /* somebody waits for this process (store/store.h) */
  bool anew;   /* also where files say that there was one, and it is lost (`rebuild`) */
} ho_project_options;

typedef struct ho_project {
  ho_arena *arena;
  ho_store *store;
  ho_str root;    /* where the agent works */
  ho_str home;    /* the main worktree: where the store is, and the state file */
  ho_str agent;   /* "NAME/INSTANCE", or "" */
  ho_str name;    /* NAME alone */
  ho_str actor;   /* ask ho_project_actor: it is looked up when it is first wanted */
  ho_str session; /* safe as the name of a folder */
  const ho_node *config;
  int64_t (*clock_ms)(void *world);
  void *world;
  /* Of the last ho_ledger_write. */
  ho_error unfinished; /* code is set: all is recorded, but a file could not be written yet */
  ho_node *raised;     /* list of {gate, name, handoff}: gates that people have to be told about */
  ho_error state_file; /* code is set: the state file could not be brought up to date */
} ho_project;

/* HO_STORE (rule "store-lost") where there is no store, or one without a single event, but a seal or copies in the audit
 * archive say that there was more: nothing is started over silently. */
ho_code ho_project_open(const ho_project_options *options, ho_project *out, ho_error *err) HO_NODISCARD;
/* All of it but the store, for what needs none. */
ho_project ho_project_closed(const ho_project_options *options);
/* For what has to be known before a store can be opened: the main worktree, and the database's file ("" where the store
 * is no file). */
ho_str ho_project_home(const ho_project_options *options);
ho_str ho_project_database(const ho_project_options *options, ho_str home);
void ho_project_close(ho_project *project);
int64_t ho_project_now(const ho_project *project);
/* Who acts, for the log: the agent, or user:LOGIN. */
ho_str ho_project_actor(ho_project *project);

/* A transaction that changes something. HO_OK also where a file could not be written (ledger->unfinished). */
ho_code ho_ledger_write(ho_project *project, ho_store_work work, void *data, ho_error *err) HO_NODISCARD;
/* Leases and deadlines that have passed, for commands that only read; a store that cannot be written stays as it is. */
void ho_ledger_settle(ho_project *project);

/* The session by the environment, with everything that no folder's name should have replaced. */
ho_str ho_project_session(const ho_project *project);

/* Settings. */
ho_str ho_project_setting(const ho_project *project, const char *name, const char *fallback);
int64_t ho_project_number(const ho_project *project, const char *dotted, int64_t fallback);
/* A text as it may be stored: without credentials, unless the project allows them. */
ho_str ho_project_clean(const ho_project *project, ho_arena *arena, ho_str text);

/* The name of an agent without its instance: "coder/2" → "coder". */
ho_str ho_agent_name(ho_str agent);
/* The account that this runs under, or "unknown". Valid until the system is asked for an account again. */
ho_str ho_user_name(void);
/* "2026-02-12T14:30:22Z" in the arena; "" for 0. */
ho_str ho_time_str(ho_arena *arena, int64_t ms);
/* A point in time in any of the forms that documents use; a date alone is its first moment. */
bool ho_time_read(ho_str text, int64_t *out);
/* An id that may name a file: letters, digits, '.', '_' and '-', not hidden, at most 64. */
bool ho_id_fits(ho_str id);

/* A task's or phase's id: a number without its leading zeros, else the text. */
ho_str ho_id_plain(ho_str id);

/* Adds a text to a map, unless it is empty; the text is cleaned. */
void ho_put_text(const ho_project *project, ho_arena *arena, ho_node *map, const char *key, ho_str text);
/* The map as the data of an event. */
ho_str ho_put_json(ho_arena *arena, const ho_node *node);
/* A value that an earlier ho_marks_set left in row->marks. */
ho_str ho_marks_get(const ho_handoff *row, ho_arena *arena, const char *key);
/* "" takes it out. */
void ho_marks_set(ho_handoff *row, ho_arena *arena, const char *key, ho_str value);
#endif
