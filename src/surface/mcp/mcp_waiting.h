/* Requests that are answered later. Nothing blocks meanwhile: a request is answered again when its time has come, or when
 * the client has answered what it was asked, until there is nothing more to wait for, its time is over, or its client
 * cancels it. As a task, it goes on without its channel, and what came of it is kept until the client has had time to ask. */
#ifndef HO_SURFACE_MCP_MCP_WAITING_H
#define HO_SURFACE_MCP_MCP_WAITING_H

#include "surface/mcp/mcp_server.h"

#define HO_MCP_TASK_STATES(X)                                                                                          \
  X(WORKING, "working")                                                                                                \
  X(INPUT, "input_required")                                                                                           \
  X(COMPLETED, "completed")                                                                                            \
  X(FAILED, "failed")                                                                                                  \
  X(CANCELLED, "cancelled")
typedef enum ho_mcp_task_state {
#define X(name, text) HO_MCP_TASK_##name,
  HO_MCP_TASK_STATES(X)
#undef X
      HO_MCP_TASK_STATE_COUNT
} ho_mcp_task_state;

enum { HO_MCP_TASK_TTL_MS = 3600 * 1000, HO_MCP_TASK_ID_SIZE = 40 };

struct ho_mcp_waiting {
  ho_mcp_waiting *next;
  ho_arena arena;
  ho_mcp_channel *channel; /* NULL: it is a task */
  ho_str method;
  ho_mcp_client client;
  bool stateless, changes;
  ho_node *id, *params, *kept;
  ho_node *answers; /* what the client has answered, by key */
  ho_node *asked;   /* what it has not answered yet, by key; in the era of `initialize` with the `id` of the request */
  int64_t began_ms, end_ms, look_ms, told_ms; /* end_ms 0: it has no end */
  /* Of a task. */
  char task[HO_MCP_TASK_ID_SIZE]; /* "": it is none */
  ho_mcp_task_state state;
  int64_t created_ms, updated_ms; /* by the clock */
  ho_node *result;                /* if it is completed; if it has failed, the error */
};

/* Says what came of a request: its answer, or that there will be one. */
void ho_mcp_waiting_settle(ho_mcp_request *r, ho_mcp_rpc_code code, const ho_mcp_rpc_fault *fault);
/* The client answers a request of ours. result: NULL if it refuses. */
void ho_mcp_waiting_answer(ho_mcp *mcp, const ho_node *id, const ho_node *result);
/* Takes an answer to what was asked under this key; nothing if nothing was. */
void ho_mcp_waiting_take(ho_mcp_waiting *w, ho_str key, const ho_node *answer);
void ho_mcp_waiting_cancel(ho_mcp *mcp, const ho_mcp_channel *channel, const ho_node *id);
/* Answers it again now. It may be gone then. */
void ho_mcp_waiting_again(ho_mcp *mcp, ho_mcp_waiting *w);
/* Makes a task of a request that is to be answered in a moment; NULL if there are too many. */
ho_mcp_waiting *ho_mcp_waiting_task(ho_mcp_request *r, ho_str task);
/* Nothing more comes of a task: it is in one of the last three states. */
bool ho_mcp_waiting_ended(const ho_mcp_waiting *w);
/* Whoever listened at the channel has gone. */
void ho_mcp_waiting_leave(ho_mcp *mcp, const ho_mcp_channel *channel);
/* The store was changed: what waits for that is looked at next. Does anything? */
void ho_mcp_waiting_changed(ho_mcp *mcp);
bool ho_mcp_waiting_watches(const ho_mcp *mcp);
/* See ho_mcp_look. */
int ho_mcp_waiting_look(ho_mcp *mcp);
void ho_mcp_waiting_end(ho_mcp *mcp);
#endif
