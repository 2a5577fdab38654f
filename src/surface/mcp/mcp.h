/* The Model Context Protocol: tools, resources and prompts on the command table, for one client.
 *
 * The server is given lines and says lines; whoever has the pipe or the socket carries them. It only translates: every
 * tool is one or more commands, run by ho_dispatch as everybody else runs them, and an arena lives as long as a message.
 * Both eras of the protocol are spoken, whichever a message belongs to: the one that begins with `initialize`
 * (mcp_initialize.c), and the stateless one, in which every request says itself who asks (mcp_stateless.c). Nothing
 * blocks: a call that waits for something is looked at again until that has happened or its time is over. */
#ifndef HO_SURFACE_MCP_MCP_H
#define HO_SURFACE_MCP_MCP_H

#include "command/command.h"
#include "surface/mcp/mcp_channel.h"

/* host: lent; what commands work with, and, with an access, for whom; else for the client of this process. args: those of
 * the command `mcp`. wanted: of the tools that they offer, those that the client wants, likewise; "" for all. HO_USAGE if either
 * names a tool that there is not. */
ho_code ho_mcp_begin(ho_mcp **out, const ho_host *host, const ho_node *args, ho_str wanted, ho_error *err) HO_NODISCARD;
void ho_mcp_end(ho_mcp *mcp);
/* Takes one line of the client's. */
void ho_mcp_take(ho_mcp *mcp, ho_mcp_channel *channel, ho_str line);
/* The same of a line that is longer than the limit, and was dropped. */
void ho_mcp_take_long(ho_mcp_channel *channel);
/* Looks again for what calls wait for, as far as it is time. The milliseconds until it is time again; -1: nothing waits. */
int ho_mcp_look(ho_mcp *mcp);
/* The project's store was changed. Whoever says so once says it each time: nothing is looked for in vain from then on. */
void ho_mcp_changed(ho_mcp *mcp);
/* Does anything wait for changes of the store? */
bool ho_mcp_watches(const ho_mcp *mcp);
/* Where what belongs to no request is said. */
ho_mcp_channel *ho_mcp_main(ho_mcp *mcp);
/* Nobody listens at this channel any more: what is pending there is dropped. */
void ho_mcp_leave(ho_mcp *mcp, ho_mcp_channel *channel);
/* Has a client of the era of `initialize` agreed on a version? */
bool ho_mcp_agreed(const ho_mcp *mcp);
/* Is it a version of that era? */
bool ho_mcp_initialize_speaks(ho_str version);

/* Serves the client at standard input and output until it closes them: ho_host.serve of the program. */
ho_code ho_mcp_serve(const ho_call *call, ho_error *err) HO_NODISCARD;
#endif
