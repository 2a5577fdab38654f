/* Shared by the files of adapter.h: how each harness's lines are read. */
#ifndef HO_ENGINE_RUN_ADAPTER_PARTS_H
#define HO_ENGINE_RUN_ADAPTER_PARTS_H

#include "base/buf.h"
#include "engine/run/adapter.h"

/* Output that is being read, one entry per line. */
struct ho_adapter_reader {
  ho_adapter_said *said;
  ho_arena *arena; /* for what is kept */
  ho_buf message;  /* the last thing the agent said */
};

/* What the text of an error is about. */
ho_trouble ho_adapter_trouble(ho_str text);

/* How the lines of a harness are read: ho_adapter_take_NAME for each that `run` can start. */
#define X(name, title, synonyms, started)                                                                              \
  HO_IF_##started(void ho_adapter_take_##name(ho_adapter_reader *reader, const ho_node *entry);)
HO_HARNESSES(X)
#undef X
#endif
