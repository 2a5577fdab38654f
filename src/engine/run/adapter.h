/* How agents are started without a terminal, and what their output says about the work: one row a harness, and any
 * other command.
 *
 * The prompt always goes to standard input: it is not seen by other users of the machine, and no limit of arguments
 * holds for it. No shell reads anything. The flags are those of the versions in tests/data/harness-flags.txt, which a
 * test compares with the table. */
#ifndef HO_ENGINE_RUN_ADAPTER_H
#define HO_ENGINE_RUN_ADAPTER_H

#include "doc/tree.h"
#include "model/harness/harness.h"

/* What a teammate's output told; "" and 0 where it did not. */
typedef struct ho_adapter_said {
  ho_str session; /* the harness's own id of the conversation */
  ho_str model;
  ho_str message;  /* the last thing the agent said; of any other command, the end of its output */
  int64_t tokens;  /* used in all: what was read anew and what was written; reads from the cache count nothing */
  int64_t context; /* what the context held after the newest answer */
  bool failed;     /* the harness says that it gave up */
} ho_adapter_said;

typedef struct ho_adapter_reader ho_adapter_reader;
typedef struct ho_adapter {
  const ho_harness *harness; /* whose name is that of the program */
  const char *const *args;   /* headless, output as JSON lines, and what it may do without asking; NULL-ended */
  const char *model;         /* the flag before a model's name */
  void (*take)(ho_adapter_reader *reader, const ho_node *entry); /* what one line of its output says */
} ho_adapter;

/* The harnesses that `run` can start, ended by one without a harness. */
extern const ho_adapter ho_adapters[];
const ho_adapter *ho_adapter_named(ho_str name); /* NULL if there is none */

/* Who is to do a step. */
typedef struct ho_adapter_use {
  const ho_node *config; /* bound settings, or NULL */
  ho_str root;           /* of the project: commands of the settings with a '/' are below it */
  ho_str wanted;         /* the agent that the step names, or "" */
  ho_str told;           /* what --agent said, or "": a name, or a command with its arguments */
  const char *prompt;    /* the file that holds the prompt */
} ho_adapter_use;

typedef struct ho_adapter_call {
  const ho_adapter *adapter; /* NULL: any other command */
  ho_str agent;              /* what it is called: for HANDOFF_AGENT */
  const char **argv;         /* NULL-ended; argv[0] is looked for in PATH where it has no '/' */
  const char *input;         /* file for standard input */
  const char *const *env;    /* to be added, "NAME=VALUE", NULL-ended */
  const char *const *drop;   /* names of variables that it must not inherit, NULL-ended: those by which a harness knows
                                that it runs inside a session of its own */
} ho_adapter_call;

/* The agent that the step names, if the settings or the table know it; else the one that run was told: an agent of the
 * settings, a harness, or a command. A step never brings a command of its own: documents may come from strangers.
 * Harnesses of the table go before settings of the same name. HO_USAGE where nobody is named, or the command cannot be
 * taken apart. */
ho_code ho_adapter_command(ho_arena *arena, const ho_adapter_use *use, ho_adapter_call *out,
                           ho_error *err) HO_NODISCARD;

/* Words as in a shell, and nothing else of it: '…' literally, "…" with \" and \\, \c outside. HO_USAGE where a quote is
 * never closed or there is no word. */
ho_code ho_adapter_words(ho_arena *arena, ho_str text, const char ***out, ho_error *err) HO_NODISCARD;

/* Reads what a teammate's output (a file) tells, at most its last `most` bytes. What cannot be read tells nothing; fails
 * only when memory does. */
enum { HO_ADAPTER_LOG = 4 << 20, HO_ADAPTER_GLANCE = 64 << 10 }; /* for the result; for a look at a running one */
ho_code ho_adapter_read(ho_arena *arena, const ho_adapter *adapter, const char *log, size_t most, ho_adapter_said *out,
                        ho_error *err) HO_NODISCARD;
#endif
