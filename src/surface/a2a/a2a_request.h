/* A request, and whoever carries it. */
#ifndef HO_SURFACE_A2A_A2A_REQUEST_H
#define HO_SURFACE_A2A_A2A_REQUEST_H

#include "command/command.h"

typedef struct ho_a2a ho_a2a;
struct ho_a2a {
  /* Set by whoever carries it. */
  ho_arena *arena;         /* of this look: what is put and run; nothing in it is used again by the next one */
  ho_arena *kept;          /* as long as the request */
  const ho_access *access; /* who asks */
  ho_str base;             /* by which address: "http://127.0.0.1:8420" */
  ho_str version;          /* as the client says it (header A2A-Version) */
  /* Runs a command for whoever asks, in that session ("": the usual one); document: what "-" names. */
  ho_code (*run)(ho_a2a *a, const ho_command *command, ho_call *call, ho_str session, ho_str document, ho_error *err);
  void *world;
  /* The request. */
  const struct ho_a2a_method *method;
  const ho_node *id, *params; /* in `kept` */
  ho_str task;                /* the handoff that it is about, once that is known; in `kept` */
  ho_str told;                /* what its client was told of it last; in `kept` */
  bool events;                /* what is put are events of a stream; else JSON */
};
#endif
