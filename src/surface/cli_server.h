/* The second program, which has the HTTP server: it is found beside this one, or in libexec, and takes this one's place. */
#ifndef HO_SURFACE_CLI_SERVER_H
#define HO_SURFACE_CLI_SERVER_H

#include "command/command.h"

/* ho_host.listen of a program without a server of its own. Returns only if it fails: HO_NOT_FOUND if it is not installed. */
ho_code ho_cli_server(const ho_call *call, ho_error *err) HO_NODISCARD;
#endif
