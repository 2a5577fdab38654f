/* How agents are started without a terminal, and what their output says about the work: one row per harness, and any
 * other command.
 *
 * The prompt always goes to standard input: other users of the machine cannot see it there, and no limit on
 * arguments applies. No shell is involved. The flags are those of the versions in tests/data/harness-flags.txt,
 * which a test compares with the table. */
#ifndef HO_ENGINE_RUN_ADAPTER_H
#define HO_ENGINE_RUN_ADAPTER_H

#include "base/buf.h"
#include "doc/tree.h"
#include "model/harness/harness.h"

/* clang-format off */
/* Why the model did not answer: name, in words, what a person can do about it ("": it passes, or a successor helps). */
#define HO_TROUBLES(X) \
  X(NONE, "", "") \
  X(LOGIN, "the model refused the login", "log in with the agent's own program, or set its key") \
  X(TRUST, "the agent's program does not trust this folder", "start it once in this folder and trust it") \
  X(LIMIT, "a rate limit was reached", "") \
  X(OVERLOAD, "the model was overloaded", "") \
  X(CONTEXT, "its context was too long for the model", "")
/* clang-format on */
typedef enum ho_trouble {
#define X(name, text, advice) HO_TROUBLE_##name,
  HO_TROUBLES(X)
#undef X
} ho_trouble;
const char *ho_trouble_text(ho_trouble trouble);
const char *ho_trouble_advice(ho_trouble trouble);

/* What a teammate's output reported; "" and 0 for what it did not. */
typedef struct ho_adapter_said {
  ho_str session; /* the harness's own id for the conversation */
  ho_str model;
  ho_str message;  /* the last thing the agent said; for any other command, the end of its output */
  int64_t tokens;  /* used in total: new input and output; reads from the cache do not count */
  int64_t context; /* what the context held after the newest answer */
  bool acted;      /* it said or did something, whatever its figures say: some come only at the end */
  bool failed;     /* the harness reports that it gave up */
  ho_str error;    /* in its words, on one line */
  ho_trouble trouble;
  ho_str denied; /* what it was not allowed to do, on one line: "Bash (git push), Write (/etc/motd)" */
} ho_adapter_said;

typedef struct ho_adapter_reader ho_adapter_reader;
typedef struct ho_adapter_use ho_adapter_use;
typedef struct ho_adapter_call ho_adapter_call;
typedef struct ho_adapter {
  const ho_harness *harness; /* whose name is that of the program */
  const char *const *args;   /* headless, output as JSON lines, and what it may do without asking; NULL-ended */
  const char *model;         /* the flag before a model's name */
  void (*take)(ho_adapter_reader *reader, const ho_node *entry);    /* takes over what one line of its output says */
  void (*tell)(ho_buf *out, ho_arena *arena, const ho_node *entry); /* says it in lines for people */
  /* Tells it which of this program's commands the agent may run without asking, and which not at all: returns
   * arguments, NULL-ended, or NULL; may set the call's `env` and `rules`. */
  const char *const *(*permit)(ho_arena *arena, const ho_adapter_use *use, ho_adapter_call *call);
} ho_adapter;

/* The harnesses that `run` can start, ended by one without a harness. */
extern const ho_adapter ho_adapters[];
const ho_adapter *ho_adapter_named(ho_str name); /* NULL if there is none */

/* Who should do a step. */
struct ho_adapter_use {
  const ho_node *agents;  /* those of the settings that a person has trusted, or NULL */
  const ho_node *waiting; /* those that no person has trusted, or NULL: named in messages, never started */
  ho_str root;            /* of the project: commands in the settings with a '/' are relative to it */
  ho_str wanted;          /* the agent that the step names, or "" */
  ho_str told;            /* the value of --agent, or "": a name, or a command with its arguments */
  ho_str sign;            /* what shows that an agent asks for it: then `told` may not be a command; or "" */
  const char *prompt;     /* the file that holds the prompt */
  ho_str files;           /* the folder for the teammate's files: rules, if the harness reads them from one */
  ho_rights rights;
};

struct ho_adapter_call {
  const ho_adapter *adapter; /* NULL: any other command */
  ho_str agent;              /* its name, for HANDOFF_AGENT */
  const char **argv;         /* NULL-ended; argv[0] is looked up in PATH if it has no '/' (ho_run_must_exist) */
  const char *input;         /* file for standard input */
  const char *const *env;    /* variables to add, "NAME=VALUE", NULL-ended */
  /* variables that it must not inherit, NULL-ended: those that tell a harness that it runs inside one of its own
   * sessions */
  const char *const *drop;
  ho_str rules, rules_file; /* what the file for rules has to hold, and its path; or "": none is needed */
};

/* The agent that the step names, if the settings or the table know it; else the one given to `run`: an agent from
 * the settings, a harness, or a command. A step never brings its own command, because documents may come from
 * strangers. Harnesses in the table take precedence over settings of the same name. HO_USAGE if nobody is named, or
 * the command cannot be parsed; HO_GATED if a person must trust the agent first, or an agent may not start it. */
ho_code ho_adapter_command(ho_arena *arena, const ho_adapter_use *use, ho_adapter_call *out,
                           ho_error *err) HO_NODISCARD;

/* Splits words like a shell, and nothing more: '…' literally, "…" with \" and \\, \c outside. HO_USAGE if a quote is
 * never closed or there is no word. */
ho_code ho_adapter_words(ho_arena *arena, ho_str text, const char ***out, ho_error *err) HO_NODISCARD;

/* Reads what a teammate's output (a file) reports, from at most its last `most` bytes. What cannot be read is
 * ignored; fails only if memory runs out. */
enum { HO_ADAPTER_LOG = 4 << 20, HO_ADAPTER_GLANCE = 64 << 10 }; /* for the result; for watching a running one */
ho_code ho_adapter_read(ho_arena *arena, const ho_adapter *adapter, const char *log, size_t most, ho_adapter_said *out,
                        ho_error *err) HO_NODISCARD;
/* Writes lines of a teammate's output for people: what the agent said, "> TOOL: what it was to do", "! what went wrong".
 * Lines that are not JSON stay as they are; so do all of an adapter that is NULL. Not made safe for a terminal. */
void ho_adapter_tell(const ho_adapter *adapter, ho_str text, ho_buf *out);
#endif
