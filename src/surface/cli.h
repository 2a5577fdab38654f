/* The command-line surface: argv → command table → stdout, stderr, exit status. */
#ifndef HO_SURFACE_CLI_H
#define HO_SURFACE_CLI_H

#include "command/command.h"

/* Serves whoever connects (ho_host.listen). */
typedef ho_code ho_cli_listen(const ho_call *call, ho_error *err);

/* Runs one command line; the exit status. */
int ho_cli_run(int argc, char **argv, ho_cli_listen *listen);
#endif
