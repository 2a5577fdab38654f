/* How every program of this project starts. */
#ifndef HO_SURFACE_START_H
#define HO_SURFACE_START_H

#include "surface/cli.h"

/* Runs the process: as a shim, if it was started as one, else the command line. listen: as in ho_cli_run. */
int ho_start(int argc, char **argv, ho_cli_listen *listen);
#endif
