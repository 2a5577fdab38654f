/* Resources: documents of the project under an address, for clients that show such to people, or put them before a model. They
 * repeat what tools give. */
#ifndef HO_SURFACE_MCP_MCP_RESOURCE_H
#define HO_SURFACE_MCP_MCP_RESOURCE_H

#include "surface/mcp/mcp_server.h"

ho_mcp_rpc_code ho_mcp_resource_list(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
ho_mcp_rpc_code ho_mcp_resource_templates(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
ho_mcp_rpc_code ho_mcp_resource_read(ho_mcp_request *r, ho_mcp_rpc_fault *fault);

/* A kind of resource, a row each. */
typedef struct ho_mcp_resource_kind {
  const char *name, *title, *doc;
  const char *uri,
      *argument;           /* "handoff://format/{name}" is "handoff://format/" and "name"; NULL: it is one resource */
  const char *mime;        /* NULL: as the document is */
  const ho_command *shows; /* reads one; its parameter `param` names it */
  const char *param;
  const char *text;        /* in its result; NULL: as people are shown it */
  const ho_command *lists; /* lists them, at `list`, as `key` of each */
  const char *list, *key;
} ho_mcp_resource_kind;
extern const ho_mcp_resource_kind ho_mcp_resource_kinds[]; /* ended by one without a name */
#endif
