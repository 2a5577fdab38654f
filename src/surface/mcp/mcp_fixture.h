/* Tools, prompts and resources that a test suite calls by names of its own: described, with what they do, in a JSON file that
 * the option --fixtures of `mcp` names. They go the way of all others; only what they say is made up.
 *
 * The file is a map of lists: `tools`, `prompts`, `resources`, `resourceTemplates`. Each item is what the client is shown, and
 * `steps`, which are taken in turn: {"log": TEXT}, {"progress": OF_100}, {"wait": MS}, {"ask": {KEY: {"method", "params"}}},
 * {"task": true} (from here on it may be a task), {"changed": "tools" or "prompts"}, {"fault": {"code", "message"}}, {"result":
 * {…}}. In texts, "{a.b}" is what the client has given: an argument, or what it answered to KEY. `needs` are capabilities
 * without which it is refused; `task` that it can be nothing but a task. */
#ifndef HO_SURFACE_MCP_MCP_FIXTURE_H
#define HO_SURFACE_MCP_MCP_FIXTURE_H

#include "surface/mcp/mcp_server.h"

/* path: "" for none. */
ho_code ho_mcp_fixture_begin(ho_mcp *mcp, ho_str path, ho_error *err) HO_NODISCARD;
/* Adds those of this kind to a list, as clients are shown them. */
void ho_mcp_fixture_list(ho_mcp_request *r, const char *kind, ho_node *list);
/* NULL if there is none. */
const ho_node *ho_mcp_fixture_named(const ho_mcp *mcp, const char *kind, ho_str name);
const ho_node *ho_mcp_fixture_resource(const ho_mcp_request *r, ho_str uri);
ho_mcp_rpc_code ho_mcp_fixture_run(ho_mcp_request *r, const ho_node *fixture, ho_mcp_rpc_fault *fault);
#endif
