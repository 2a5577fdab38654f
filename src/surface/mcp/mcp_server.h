/* A server and a request to it: what the files of this room share. */
#ifndef HO_SURFACE_MCP_MCP_SERVER_H
#define HO_SURFACE_MCP_MCP_SERVER_H

#include "command/command.h"
#include "surface/mcp/mcp_channel.h"
#include "surface/mcp/mcp_rpc.h"

/* Who is at the other end, as it says itself. */
typedef struct ho_mcp_client {
  ho_str name;        /* "claude-code"; "" if it does not say */
  const ho_node *can; /* its capabilities; NULL: none */
} ho_mcp_client;

typedef struct ho_mcp_tool ho_mcp_tool;
typedef struct ho_mcp_waiting ho_mcp_waiting;
typedef struct ho_mcp_listen ho_mcp_listen;

enum { HO_MCP_TOOLS_MOST = 32 };
struct ho_mcp {
  ho_arena arena;
  ho_mcp_channel main;
  const ho_host *host;
  const ho_mcp_tool *tools[HO_MCP_TOOLS_MOST + 1]; /* those that are offered, NULL-ended */
  bool output_schemas;
  const ho_node *fixtures; /* what a suite calls besides (mcp_fixture.h), or NULL */
  ho_str session;          /* "": the environment names one */
  const char *version;     /* of the initialize era, once a client has agreed on one; else NULL */
  ho_mcp_client client;    /* likewise */
  int level;               /* likewise: from which level on it wants to be told what happens */
  ho_mcp_waiting *waiting; /* calls that are looked at again */
  ho_mcp_listen *listens;  /* who is told of changes */
  unsigned long asked;     /* requests to the client, counted */
  char key[65];            /* that seals what clients keep; "" until it is needed */
  int64_t renewed_ms;      /* when the leases of what is held were last renewed */
  bool told;               /* changes of the store are told (ho_mcp_changed) */
};

/* A request, and what comes of it. It may be answered again and again: until what it waits for has happened, and once the
 * client has answered what it was asked. */
typedef struct ho_mcp_request {
  ho_mcp *mcp;
  ho_arena *arena;         /* of the message */
  ho_mcp_channel *channel; /* NULL: nobody is told meanwhile */
  const ho_node *id, *params;
  ho_str method;
  bool stateless;
  ho_mcp_client client;
  const ho_node *answers; /* what the client has answered, by key; or NULL */
  const ho_node *kept;    /* what was kept of it the last time; NULL: this is the first one */
  /* Filled. */
  ho_node *result;
  ho_node *asks;   /* requests to the client, by key (mcp_ask.h) */
  ho_node *keep;   /* a map; what the next time has to know */
  int64_t look_ms; /* not 0: to be answered again after so long; until then, the result is that of no time left */
  int64_t wait_ms; /* with look_ms: for how long in total; 0: as long as it takes */
  bool changes;    /* with look_ms: also when the store was changed */
  bool lasts;      /* the client may have it as a task */
  bool opens;      /* it is a stream, which is never answered */
} ho_mcp_request;

typedef enum ho_mcp_era { HO_MCP_BOTH, HO_MCP_INITIALIZE, HO_MCP_STATELESS } ho_mcp_era;

/* How a method is answered: fills r->result, or *fault. */
typedef ho_mcp_rpc_code (*ho_mcp_answering)(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
typedef struct ho_mcp_method {
  const char *name; /* NULL ends a table */
  ho_mcp_era era;
  ho_mcp_answering answer;
  int ttl_s; /* how long a client may keep the answer; -1: it is not for keeping */
} ho_mcp_method;

/* ---- Both eras. */
/* The method's answer. */
ho_mcp_rpc_code ho_mcp_answer(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
ho_node *ho_mcp_server_info(ho_arena *arena);
ho_node *ho_mcp_server_capabilities(const ho_mcp *mcp, ho_arena *arena, bool stateless);
/* Reads who the client is from what it says in either era. */
ho_mcp_client ho_mcp_client_of(ho_arena *arena, const ho_node *info, const ho_node *capabilities);
bool ho_mcp_client_can(const ho_mcp_client *client, const char *capability);
/* Fails for want of a capability, which is written as the client would declare it: {"sampling":{}}. */
ho_mcp_rpc_code ho_mcp_client_lacks(ho_mcp_request *r, ho_node *capabilities, ho_mcp_rpc_fault *fault);
extern const char ho_mcp_server_instructions[];
/* The request's argument as text; HO_MCP_RPC_PARAMS if it is not given. */
ho_mcp_rpc_code ho_mcp_server_need(const ho_mcp_request *r, const char *name, ho_str *out, ho_mcp_rpc_fault *fault);

/* ---- The era that begins with `initialize`. */
ho_mcp_rpc_code ho_mcp_initialize(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
ho_mcp_rpc_code ho_mcp_initialize_ping(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
ho_mcp_rpc_code ho_mcp_initialize_level(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
/* May clients of that version send several messages as a list? */
bool ho_mcp_initialize_batches(const ho_mcp *mcp);

/* ---- The stateless era. */
#define HO_MCP_STATELESS_VERSION "2026-07-28"
/* Does the request say its version itself? Then what its _meta says about the client is taken. */
bool ho_mcp_stateless_is(const ho_mcp_request *r);
ho_mcp_rpc_code ho_mcp_stateless_read(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
ho_mcp_rpc_code ho_mcp_stateless_discover(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
/* Adds what every result of that era says, if it is not there yet. ttl_s: how long the client may keep it; -1: it is not for
 * keeping. */
void ho_mcp_stateless_finish(const ho_mcp_request *r, int ttl_s);
/* Tasks: has the client declared them? What it would have to declare. How a task stands, and that a request has become one. */
bool ho_mcp_stateless_tasks(const ho_mcp_client *client);
ho_node *ho_mcp_stateless_tasks_needed(ho_arena *arena);
void ho_mcp_stateless_put_task(ho_arena *arena, ho_node *to, const char *id, const char *status, int64_t created_ms,
                               int64_t updated_ms);
ho_node *ho_mcp_stateless_task(const ho_mcp_request *r, const char *id, int64_t created_ms);

/* ---- What happens meanwhile. Told only to clients that want to know. */
void ho_mcp_tell_progress(ho_mcp_request *r, int64_t done, int64_t total);
/* The place of a level among those that there are, from the least one; -1 if there is no such level. */
int ho_mcp_level_of(ho_str name);
void ho_mcp_tell_log(ho_mcp_request *r, ho_str text);

/* ---- Tools. */
ho_mcp_rpc_code ho_mcp_tool_list(ho_mcp_request *r, ho_mcp_rpc_fault *fault);
/* Which tools are offered, by the arguments of the command, and of those by what the client wants. */
ho_code ho_mcp_tool_offer(ho_mcp *mcp, const ho_node *args, ho_str wanted, ho_error *err) HO_NODISCARD;
#endif
