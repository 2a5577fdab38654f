/* A server and a request to it: what the files of this room share. */
#ifndef HO_SURFACE_MCP_MCP_SERVER_H
#define HO_SURFACE_MCP_MCP_SERVER_H

#include "command/command.h"
#include "surface/mcp/mcp_rpc.h"

/* Who is at the other end, as it says itself. */
typedef struct ho_mcp_client {
  ho_str name; /* "claude-code"; "" if it does not say */
  bool asks;   /* it can show its person a form */
} ho_mcp_client;

typedef struct ho_mcp ho_mcp;
typedef struct ho_mcp_tool ho_mcp_tool;
typedef struct ho_mcp_waiting ho_mcp_waiting;

enum { HO_MCP_TOOLS_MOST = 32 };
struct ho_mcp {
  ho_arena arena;
  ho_buf out;
  const ho_host *host;
  const ho_mcp_tool *tools[HO_MCP_TOOLS_MOST + 1]; /* those that are offered, NULL-ended */
  bool output_schemas;
  ho_str session;          /* "": the environment names one */
  const char *version;     /* of the initialize era, once a client has agreed on one; else NULL */
  ho_mcp_client client;    /* likewise */
  ho_mcp_waiting *waiting; /* calls that are looked at again */
  int64_t renewed_ms;      /* when the leases of what is held were last renewed */
};

typedef struct ho_mcp_request {
  ho_mcp *mcp;
  ho_arena *arena; /* of the message */
  const ho_node *id, *params;
  bool stateless;
  ho_mcp_client client;
  ho_node *result; /* filled */
  bool later;      /* filled: it is answered once what it waits for has happened */
} ho_mcp_request;

typedef enum ho_mcp_era { HO_MCP_BOTH, HO_MCP_INITIALIZE, HO_MCP_STATELESS } ho_mcp_era;

/* How a method is answered: fills r->result, or *fault. */
typedef ho_mcp_rpc_code (*ho_mcp_answer)(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
typedef struct ho_mcp_method {
  const char *name; /* NULL ends a table */
  ho_mcp_era era;
  ho_mcp_answer answer;
  int ttl_s; /* how long a client may keep the answer; -1: it is not for keeping */
} ho_mcp_method;

/* ---- Both eras. */
ho_node *ho_mcp_server_info(ho_arena *arena);
ho_node *ho_mcp_server_capabilities(const ho_mcp *mcp, ho_arena *arena);
extern const char ho_mcp_server_instructions[];
/* The request's argument as text; HO_MCP_RPC_PARAMS if it is not given. */
ho_mcp_rpc_code ho_mcp_server_need(const ho_mcp_request *r, const char *name, ho_str *out, ho_mcp_rpc_fault *fault);

/* ---- The era that begins with `initialize`. */
ho_mcp_rpc_code ho_mcp_initialize(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
ho_mcp_rpc_code ho_mcp_initialize_ping(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
/* May clients of that version send several messages as a list? */
bool ho_mcp_initialize_batches(const ho_mcp *mcp);
/* Reads who the client is from what it says in either era. */
ho_mcp_client ho_mcp_client_of(ho_arena *arena, const ho_node *info, const ho_node *capabilities);

/* ---- The stateless era. */
#define HO_MCP_STATELESS_VERSION "2026-07-28"
/* Does the request say its version itself? Then what its _meta says about the client is taken. */
bool ho_mcp_stateless_is(const ho_mcp_request *r);
ho_mcp_rpc_code ho_mcp_stateless_read(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
ho_mcp_rpc_code ho_mcp_stateless_discover(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
/* Adds what every result of that era says, if it is not there yet. ttl_s: how long the client may keep it; -1: it is not for
 * keeping. */
void ho_mcp_stateless_finish(const ho_mcp_request *r, int ttl_s);

/* ---- Tools. */
ho_mcp_rpc_code ho_mcp_tool_list(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
/* Which tools are offered, by the arguments of the command. */
ho_code ho_mcp_tool_offer(ho_mcp *mcp, const ho_node *args, ho_error *err) HO_NODISCARD;
#endif
