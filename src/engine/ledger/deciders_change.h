/* Enrolling and revoking deciders: signed by one of them, or at first by the person itself; always at a terminal. */
#ifndef HO_ENGINE_LEDGER_DECIDERS_CHANGE_H
#define HO_ENGINE_LEDGER_DECIDERS_CHANGE_H

#include "engine/ledger/deciders.h"
#include "engine/ledger/person.h"

typedef struct ho_deciders_changing {
  ho_project *project; /* with an open store */
  ho_arena *arena;
  const ho_person *person;
  /* Filled. */
  ho_decider_lines changed;
  int64_t kept;       /* number of earlier decisions that count as they are */
  ho_str unconfirmed; /* ho_deciders_unconfirmed, afterwards */
} ho_deciders_changing;

/* Enrols the person's own key; with a text, the keys in it: lines "NAME ed25519:KEY", which the person signs, or those of
 * another project's copy of deciders that this ledger does not know yet, signed as they are. */
ho_code ho_deciders_enrol(ho_deciders_changing *in, ho_str text, ho_error *err) HO_NODISCARD;
/* By name, or fingerprint. What the decider has signed until now keeps counting. */
ho_code ho_deciders_revoke(ho_deciders_changing *in, ho_str who, ho_error *err) HO_NODISCARD;
#endif
