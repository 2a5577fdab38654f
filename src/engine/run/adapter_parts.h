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

/* What one of an agent's tools was to do, in the words of its input; "" if they are not known. */
ho_str ho_adapter_wanted(const ho_node *input);

/* What the text of an error is about. */
ho_trouble ho_adapter_trouble(ho_str text);

/* How the lines of a harness are read: ho_adapter_take_NAME, and ho_adapter_tell_NAME for people, for each that `run` can
 * start. */
#define X(name, title, synonyms, started)                                                                              \
  HO_IF_##started(void ho_adapter_take_##name(ho_adapter_reader *reader, const ho_node *entry);                        \
                  void ho_adapter_tell_##name(ho_buf *out, ho_arena *arena, const ho_node *entry);)
HO_HARNESSES(X)
#undef X
#endif
