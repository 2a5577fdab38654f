/* The command-line surface: argv → command table → stdout, stderr, exit status. */
#ifndef HO_SURFACE_CLI_H
#define HO_SURFACE_CLI_H

/* Runs one command line; the exit status. */
int ho_cli_run(int argc, char **argv);
#endif
