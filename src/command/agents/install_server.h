/* install HARNESS --mcp: this program's server of the Model Context Protocol in the harness's list of servers. */
#ifndef HO_COMMAND_AGENTS_INSTALL_SERVER_H
#define HO_COMMAND_AGENTS_INSTALL_SERVER_H

#include "command/agents/install_files.h"

/* Registers it, or takes it out. Lists that have none are not touched then. */
ho_code ho_install_server_change(ho_installer *in, ho_error *err) HO_NODISCARD;
#endif
