/* What the commands about keys share. */
#ifndef HO_COMMAND_KEYS_KEY_SHOWN_H
#define HO_COMMAND_KEYS_KEY_SHOWN_H

#include "command/ledger_call.h"
#include "engine/ledger/deciders_change.h"
#include "engine/ledger/key_file.h"

extern const ho_record ho_key_shown_record; /* name, key, fingerprint, path: the person's own */
extern const ho_record ho_key_shown_change; /* what key enrol and key revoke give */
ho_node *ho_key_shown_own(ho_arena *arena, const ho_key_file *file);
/* The line that enrols it, and the fingerprint that two people compare, as a comment for whoever keeps both. */
void ho_key_shown_line(ho_buf *out, const ho_node *own);
/* Puts who was enrolled or revoked into the result. */
void ho_key_shown_put(ho_call *call, const ho_deciders_changing *done);
void ho_key_shown_render(const ho_call *call, ho_buf *out, bool colour);
#endif
