/* One table per command.
 *
 * A command is one const struct in a file of its own and one line in the registry (command/registry.c). Help, usage,
 * completion, man page, and later MCP tools and HTTP routes come from the table; `ho_dispatch` is the only caller of
 * `run`. */
#ifndef HO_COMMAND_COMMAND_H
#define HO_COMMAND_COMMAND_H

#include "model/read.h"

/* What a command works with: made once by the surface. */
typedef struct ho_engine {
  ho_str root;                      /* the project's root folder, absolute */
  ho_str folder;                    /* the folder that relative paths are meant from, absolute */
  const ho_tokens *tokens;          /* NULL: estimates */
  ho_str tokens_path;               /* where the image was found, or "" */
  int64_t (*clock_ms)(void *world); /* milliseconds since 1970; tests set it */
  void *world;
  /* Long work says how far it is; NULL where nobody watches. */
  void (*progress)(void *world, size_t done, size_t total, const char *what);
  ho_str input; /* what "-" reads: filled by the surface on demand */
  ho_code (*read_input)(struct ho_engine *engine, ho_arena *arena, ho_str *out, ho_error *err);
} ho_engine;

typedef enum ho_effect { HO_EFFECT_NONE, HO_EFFECT_READ, HO_EFFECT_WRITE, HO_EFFECT_LONG } ho_effect;

enum {                      /* flags of a parameter, besides those of a field (model/format.h); from 256 on */
       HO_POSITIONAL = 256, /* given without a name, in the table's order; a list takes all that follow */
       HO_SHORT_O = 512,    /* also -o */
};

typedef struct ho_call {
  ho_engine *engine;
  const ho_node *args; /* bound and checked against the command's parameters */
  ho_arena *arena;     /* of the request */
  ho_node *result;     /* a map, filled by run */
} ho_call;

typedef struct ho_command {
  const char *name;     /* "check" */
  const char *summary;  /* one line, for lists */
  const char *doc;      /* paragraphs, for help and manual */
  const char *examples; /* lines of shell, run as tests */
  ho_effect effect;
  const ho_record *params; /* typed by the same table as formats */
  const ho_record *result; /* what run puts into call->result; test builds check it */
  /* HO_NO, HO_INVALID … may come with a result: it is printed, and the code is the exit status. */
  ho_code (*run)(ho_call *call, ho_error *err);
  /* The result for people. NULL: the surface prints it as YAML. `colour`: the output is a terminal. */
  void (*render)(const ho_call *call, ho_buf *out, bool colour);
} ho_command;

extern const ho_command *const ho_commands[]; /* NULL-ended, in the order of the manual */
const ho_command *ho_command_named(ho_str name);

/* defaults → bind and check args → run → (test builds) check the result against its record. */
ho_code ho_dispatch(const ho_command *command, ho_engine *engine, const ho_node *args, ho_arena *arena,
                    ho_node **result, ho_error *err) HO_NODISCARD;
#endif
