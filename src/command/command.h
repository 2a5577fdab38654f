/* One table per command.
 *
 * A command is one const struct in a file of its own and one name in the list of commands.h. Help, usage,
 * completion and the manual page come from the table; `ho_dispatch` is the only caller of `run`. A command sees an
 * engine, typed arguments and an arena; never argv. */
#ifndef HO_COMMAND_COMMAND_H
#define HO_COMMAND_COMMAND_H

#include "engine/project/access.h"
#include "engine/project/project.h"

struct ho_call;

/* What a command works with: made once by the surface. */
typedef struct ho_host {
  ho_arena *arena;                  /* lives as long as the engine */
  ho_str root;                      /* the project's root folder, absolute; "" for commands without effect */
  bool told_root;                   /* the root was given, not looked for */
  ho_str above;                     /* the root if it is above the git repository of `folder`, else "" */
  ho_str folder;                    /* the folder that relative paths are meant from, absolute; likewise */
  ho_str store;                     /* the store's address as given, or "" */
  ho_str program;                   /* this program's file; "" if another program calls the library */
  ho_str library;                   /* the shared library's file; "" in the program itself */
  ho_str agent, session;            /* who acts, in which session, if neither arguments nor environment say; or "" */
  const ho_access *access;          /* of a server: who asks, and what that one may do; NULL: the process itself */
  unsigned columns;                 /* how wide text for people may be */
  unsigned terminal;                /* how wide the terminal is that the result goes to; 0 if it goes elsewhere */
  int64_t (*clock_ms)(void *world); /* milliseconds since 1970; tests set it */
  void *world;
  /* Reports how far long work is, in files or handoffs ("file", "handoff"); NULL if nobody watches. Called by one
   * thread at a time. */
  void (*progress)(void *world, size_t done, size_t total, const char *what);
  /* Shows text to people at once, during long work; NULL if nobody watches. live: the text goes to a terminal, on
   * which earlier lines can be overwritten. */
  void (*show)(void *world, ho_str text);
  bool live;
  /* Shows a long text, in colours, to the person at the terminal, who turns its pages; not NULL if `live`. */
  void (*page)(void *world, ho_str text);
  /* What "-" names: all of it; asked for at most once. */
  ho_code (*read_input)(void *world, ho_arena *arena, ho_str *out, ho_error *err);
  /* Set before read_input: the input is one JSON value, whether or not its sender closes the pipe; reading gives up
   * after some seconds. */
  bool hurry;
  /* For a command with always_ok: `ms` after the process started, its answer is printed whatever it is busy with, and
   * the line is added to the log file. NULL if the surface cannot do that. */
  void (*give_up)(void *world, int64_t ms, const char *log, const char *line);
  /* From now on the process can change files only below these folders, if the system can ensure that. NULL if the
   * process is not the surface's own. */
  void (*confine)(const char *const *folders, size_t count);
  /* Serves the client that has started this process, as the arguments of the call say, until that goes. NULL if the
   * surface cannot: it is itself one that clients call. */
  ho_code (*serve)(const struct ho_call *call, ho_error *err);
  /* Serves whoever connects, as the arguments of the call say, until the process is told to end; likewise. */
  ho_code (*listen)(const struct ho_call *call, ho_error *err);
  char **argv; /* of the process, for a program that takes its place; NULL if it is not the surface's own */
  /* Filled by ho_host_tokens. */
  ho_tokens *tokens;
  ho_str tokens_path; /* the image that was opened, or "" */
  ho_error tokens_error;
  bool tokens_looked;
} ho_host;

/* Finds the folders that a command with an effect works in: `root`, or the project around the current folder. */
ho_code ho_host_root(ho_host *host, const char *root, ho_error *err) HO_NODISCARD;
/* Looks for the token image on the first call: $HANDOFF_TOKENS, then what is installed with the program. NULL if there is none; counts
 * are estimates then. Must not be called by two threads at once. */
const ho_tokens *ho_host_tokens(ho_host *host);
void ho_host_close(ho_host *host);
/* Who has this token, of the host's project, as `host->access` takes it. HO_GATED with the rule HO_RULE_TOKEN if nobody has. */
ho_code ho_host_token(const ho_host *host, ho_arena *arena, ho_str token, ho_access *out, ho_error *err) HO_NODISCARD;

/* Roles that may run a command. */
enum {
  HO_MAY_READ = 1 << HO_ACCESS_READ,
  HO_MAY_AGENT = 1 << HO_ACCESS_AGENT,
  HO_MAY_DECIDE = 1 << HO_ACCESS_DECIDE,
  HO_MAY_ALL = HO_MAY_READ | HO_MAY_AGENT | HO_MAY_DECIDE,
};

typedef enum ho_effect {
  HO_EFFECT_NONE, /* looks at its arguments and nothing else: no folder, no store */
  HO_EFFECT_READ,
  HO_EFFECT_WRITE,
  HO_EFFECT_LONG,
} ho_effect;

enum {                        /* flags of a parameter, besides those of a field (model/format.h) */
       HO_POSITIONAL = 256,   /* given without a name, in the table's order; a list takes all that follow */
       HO_SHORT_O = 512,      /* also -o */
       HO_IS_FORMAT = 1024,   /* the name of a format */
       HO_IS_FILE = 2048,     /* a file or folder */
       HO_IS_COMMAND = 4096,  /* the name of a command */
       HO_HIDDEN = 8192,      /* not in help */
       HO_ONLY_NAMED = 32768, /* of a file: it is only named, and neither read nor written */
       HO_OLD_NAMES = 16384,  /* its other names are old ones: they work, and a person is told the new one */
};

/* What the user wants to see of a result, as typed; "" is everything (command/pick.h). */
typedef struct ho_shown {
  ho_str fields, sort; /* of a table's rows */
  ho_str path;         /* --jq */
} ho_shown;

typedef struct ho_table ho_table;
typedef struct ho_call {
  ho_host *host;
  ho_shown shown;
  const ho_node *args; /* given raw; bound, checked and with defaults once run sees them */
  ho_arena *arena;     /* of the request */
  ho_node *result;     /* a map, filled by run */
  ho_node
      *choices; /* if it is refused because it does not say enough: texts, the options that could be added; or NULL */
  /* Made by ho_dispatch from the host and the argument `as`, if that says who acts, closed by it. Settings are read and the store is opened
   * when the command first asks (ho_project_begin, ho_open_ledger). */
  ho_project project;
} ho_call;

typedef struct ho_command ho_command;
struct ho_command {
  const char *name;     /* "check" */
  const char *group;    /* one word: `help GROUP` lists it; commands of a group follow each other */
  const char *summary;  /* one line: what it does, as an imperative without a full stop */
  const char *doc;      /* what else there is to know, for help and manual; does not repeat the summary */
  const char *examples; /* lines of shell, run as tests */
  bool common;          /* listed with its summary by `help`; the others by name */
  bool person;          /* refused to agents, by every sign of one that there is (ho_identity_read_signs) */
  const char *shows;    /* of those: the option with which it only shows something, and is refused to nobody; or NULL */
  const char *person_words; /* with these words ("reject G") it is only for people: it refuses agents itself, and the
                             * harnesses are told; or NULL */
  bool stored;    /* what it answers follows from the store alone: a server may answer the same again for a moment */
  bool local;     /* for whoever runs this program, here: no surface offers it to others */
  unsigned roles; /* HO_MAY_…, which of those may run it; 0: if it only reads, all, else an agent (ho_command_roles) */
  bool teammate;  /* a teammate that `run` started may run it without asking anybody */
  ho_effect effect;
  const ho_record *params; /* typed by the same table as formats */
  const ho_record *result; /* what run puts into call->result; test builds check it */
  /* A code other than HO_OK with *err untouched is an answer (HO_NO, HO_INVALID …): the result is printed and the code
   * is the exit status. With *err filled it is a failure, and there is no result. */
  ho_code (*run)(ho_call *call, ho_error *err);
  /* The result for people. NULL: the table, else YAML. Whatever comes from documents goes through
   * ho_term_put unless `raw` is set. */
  void (*render)(const ho_call *call, ho_buf *out, bool colour);
  const ho_table *table; /* the list in the result, if there is one: it is what `render` prints, or NULL prints */
  bool confined;   /* it reads what strangers wrote: it can change files only in the project and where its files are */
  bool finds_root; /* the command finds its project itself, from its input: no settings are read before it runs */
  bool raw;        /* what render writes is a document itself: made safe by the surface, and only for a terminal */
  /* Not NULL: whatever happens, even with wrong arguments, the exit status is 0, and this is printed if there is no
   * result. For commands whose caller would take another status for a verdict. */
  const char *always_ok;
};

/* The roles that may run it: HO_MAY_…, 0 if it is offered to none. */
unsigned ho_command_roles(const ho_command *command);
/* Both fail with HO_GATED (rule "role"), for the host's access: it may not run the command; not with the files that the
 * arguments name, which are bound. What a command then does is held to the same by the engine. */
ho_code ho_command_allow(const ho_command *command, const ho_call *call, ho_error *err) HO_NODISCARD;
ho_code ho_command_allow_files(const ho_command *command, const ho_call *call, ho_error *err) HO_NODISCARD;
/* Fails with HO_GATED if the command is for people only and an agent runs it (ho_dispatch asks it, too). */
ho_code ho_command_refuse_agents(const ho_command *command, const ho_call *call, ho_error *err) HO_NODISCARD;
/* Refuse who may not → defaults → bind and check call->args → run → (test builds) check the result against its record. */
ho_code ho_dispatch(const ho_command *command, ho_call *call, ho_error *err) HO_NODISCARD;
#endif
