/* The command line, taken apart by the command table. */
#ifndef HO_SURFACE_CLI_ARGS_H
#define HO_SURFACE_CLI_ARGS_H

#include "command/command.h"

typedef struct ho_cli_args {
  const ho_command *command; /* NULL if none is given */
  ho_node *args;             /* a map, as the command's parameters name them */
  bool json, help, watch;
  ho_str family;            /* with help and no command: the first word of commands that have two ("gate") */
  const char *root, *store; /* NULL if not given */
  ho_shown shown;
  ho_str old;          /* an option that was given by an old name, as given; or "" */
  const ho_field *now; /* that option */
} ho_cli_args;

/* Global options may stand anywhere; "--" ends the options. json is set even if the rest is wrong, so that the error
 * is written in the form that was asked for. */
ho_code ho_cli_parse(ho_cli_args *out, int argc, char **argv, ho_arena *arena, ho_error *err) HO_NODISCARD;
#endif
