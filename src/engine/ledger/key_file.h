/* A person's own key: one file outside of all projects, its secret locked with a passphrase. */
#ifndef HO_ENGINE_LEDGER_KEY_FILE_H
#define HO_ENGINE_LEDGER_KEY_FILE_H

#include "base/keypair.h"
#include "engine/ledger/person.h"

/* What stands before a public key in files. */
#define HO_KEY_PREFIX "ed25519:"

typedef struct ho_key_file {
  ho_str path; /* where it is, or would be */
  bool there;
  ho_str name;
  ho_str key; /* public */
  ho_locked_key locked;
} ho_key_file;

/* Can it be the name of a decider: letters, digits, '.', '_', '@' and '-', at most 64, and not reserved? */
bool ho_key_file_name_fits(ho_str name);
/* Reads ${XDG_CONFIG_HOME:-~/.config}/handoff/key; having none is fine. HO_GATED if others can read it. */
ho_code ho_key_file_read(ho_arena *arena, ho_key_file *out, ho_error *err) HO_NODISCARD;
/* Why a passphrase must not lock a key, as a clause; NULL: it may. This catches what is tried first, not what is weak. */
const char *ho_key_file_trivial(const char *passphrase);
/* Makes a new key and asks the person for its passphrase, twice; again if it is trivial. HO_CONFLICT if there is one. */
ho_code ho_key_file_make(ho_arena *arena, ho_str name, const ho_person *person, ho_key_file *out,
                         ho_error *err) HO_NODISCARD;
/* Shows a text and asks for the passphrase. Wipe *out afterwards. */
ho_code ho_key_file_unlock(ho_arena *arena, const ho_key_file *file, const ho_person *person, ho_str shown,
                           ho_keypair *out, ho_error *err) HO_NODISCARD;
#endif
