/* Verification: is everything as it was written? */
#ifndef HO_ENGINE_LEDGER_VERIFY_H
#define HO_ENGINE_LEDGER_VERIFY_H

#include "engine/project/project.h"

/* What people have signed. */
typedef struct ho_signed {
  int64_t decisions_signed, decisions_unconfirmed, decisions_unsigned; /* that count */
  ho_str unconfirmed;                                                  /* ho_deciders_unconfirmed */
  int64_t seals, seals_signed;
  int64_t committed; /* number of the seal in git's newest commit; 0: none */
} ho_signed;

typedef struct ho_verdict {
  ho_node *differences; /* [{part, name, message}]: something is not as it was written */
  ho_node *drift;       /* likewise: changed since */
  ho_node *unwritten;   /* likewise: files that follow the store, and could not be written (ho_repair_unwritten) */
  bool whole_file;      /* the database file was checked as a whole */
  int64_t handoffs, files;
  ho_signed people;
} ho_verdict;

/* Verifies the database, every chain, body and seal, every gate, and every copy. A copy in the audit archive that
 * differs is a difference, and so is a changed copy of an open handoff. Changed artifacts are drift. Works on a
 * read-only project.
 *
 * Others may write meanwhile: the database is read in one snapshot, and a file that is not as the snapshot has it is
 * looked at again, at a moment when nobody writes files. What a killed process left unwritten is written first. The time
 * it takes is in proportion to the number of handoffs. watch: may be NULL. */
ho_code ho_verify(ho_project *project, const ho_store_watch *watch, ho_arena *arena, ho_verdict *out,
                  ho_error *err) HO_NODISCARD;
/* In about a second, however large the store is: the handoffs and gates that the newest 1000 events are about (with all
 * of their events, bodies and files), the newest seal and its file, and, unless it is larger than this, the structure of
 * the database file. */
enum { HO_VERIFY_QUICK_BYTES = 256 << 20 };
ho_code ho_verify_quick(ho_project *project, ho_arena *arena, ho_verdict *out, ho_error *err) HO_NODISCARD;
#endif
