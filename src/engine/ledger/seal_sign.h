/* Seals with a person's signature. */
#ifndef HO_ENGINE_LEDGER_SEAL_SIGN_H
#define HO_ENGINE_LEDGER_SEAL_SIGN_H

#include "base/keypair.h"
#include "engine/project/project.h"
#include "store/handoffs/seals.h"

/* What is signed of a seal. */
ho_str ho_seal_sign_statement(ho_arena *arena, ho_str project, const ho_seal_row *seal);
/* Seals all events until now and signs the seal. Call it inside a write. */
ho_code ho_seal_sign(ho_project *project, ho_arena *arena, ho_str id, const ho_keypair *pair, ho_str signer,
                     ho_error *err) HO_NODISCARD;
#endif
