/* JSON-RPC 2.0 on one line per message: reading what a client says, writing what it is told. Knows no method. */
#ifndef HO_SURFACE_MCP_MCP_RPC_H
#define HO_SURFACE_MCP_MCP_RPC_H

#include "base/buf.h"
#include "doc/tree.h"

/* Codes of errors: those of JSON-RPC, then those of the Model Context Protocol. */
typedef enum ho_mcp_rpc_code {
  HO_MCP_RPC_OK = 0,
  HO_MCP_RPC_PARSE = -32700,
  HO_MCP_RPC_REQUEST = -32600,
  HO_MCP_RPC_METHOD = -32601,
  HO_MCP_RPC_PARAMS = -32602,
  HO_MCP_RPC_INTERNAL = -32603,
  HO_MCP_RPC_NO_RESOURCE = -32002, /* there is no such resource, in the era of `initialize` */
  HO_MCP_RPC_HEADERS = -32020,     /* HTTP headers say something else than the message */
  HO_MCP_RPC_LACKS = -32021,       /* the client lacks a capability */
  HO_MCP_RPC_VERSION = -32022,     /* the client speaks a version that this server does not */
} ho_mcp_rpc_code;

/* Why a request is not answered with a result. */
typedef struct ho_mcp_rpc_fault {
  ho_mcp_rpc_code code;
  char message[400];
  ho_node *data; /* or NULL */
} ho_mcp_rpc_fault;
ho_mcp_rpc_code ho_mcp_rpc_fail(ho_mcp_rpc_fault *fault, ho_mcp_rpc_code code, const char *format, ...) HO_PRINTF(3, 4);

typedef struct ho_mcp_rpc_message {
  const ho_node *id;     /* a text or a whole number; NULL: a notification */
  ho_str method;         /* "": it is a response */
  const ho_node *params; /* a map; NULL: none */
  const ho_node *result; /* of a response; NULL if it is an error */
} ho_mcp_rpc_message;

/* Reads the JSON of one line, which is a message, or a list of them. */
ho_mcp_rpc_code ho_mcp_rpc_read(ho_arena *arena, ho_str line, ho_node **out, ho_mcp_rpc_fault *fault);
/* What the value says. message->id is filled as far as there is one, also if the message is refused. */
ho_mcp_rpc_code ho_mcp_rpc_take(const ho_node *value, ho_mcp_rpc_message *message, ho_mcp_rpc_fault *fault);

/* Each puts one line. id NULL: null. */
void ho_mcp_rpc_put_result(ho_buf *out, const ho_node *id, const ho_node *result);
void ho_mcp_rpc_put_fault(ho_buf *out, const ho_node *id, const ho_mcp_rpc_fault *fault);
void ho_mcp_rpc_put_notice(ho_buf *out, const char *method, const ho_node *params);
void ho_mcp_rpc_put_request(ho_buf *out, ho_str id, ho_str method, const ho_node *params);
#endif
