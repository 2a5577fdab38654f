/* What the files of adapter.h share: how each harness's lines are read. */
#ifndef HO_ENGINE_RUN_ADAPTER_PARTS_H
#define HO_ENGINE_RUN_ADAPTER_PARTS_H

#include "base/buf.h"
#include "engine/run/adapter.h"

/* Output that is being read, a line an entry. */
struct ho_adapter_reader {
  ho_adapter_said *said;
  ho_arena *arena; /* of what is kept */
  ho_buf message;  /* what the agent said last */
};

void ho_adapter_take_claude(ho_adapter_reader *reader, const ho_node *entry);
void ho_adapter_take_codex(ho_adapter_reader *reader, const ho_node *entry);
void ho_adapter_take_gemini(ho_adapter_reader *reader, const ho_node *entry);
void ho_adapter_take_opencode(ho_adapter_reader *reader, const ho_node *entry);
#endif
