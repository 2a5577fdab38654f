/* Verification: compares the chain, the digests and the files; and rebuilding a store. */
#ifndef HO_ENGINE_LEDGER_VERIFY_H
#define HO_ENGINE_LEDGER_VERIFY_H

#include "engine/project/project.h"
#include "store/handoffs/files.h"

/* What people have signed. */
typedef struct ho_signed {
  int64_t decisions_signed, decisions_unsigned; /* that count */
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

/* Are the rows of a handoff's files as its events recorded them? *flaw: what is not, or NULL. */
ho_code ho_verify_recorded(ho_project *project, ho_str handoff, const ho_file_list *files, ho_arena *arena,
                           const char **flaw, ho_error *err) HO_NODISCARD;

/* Compares each gate with the events of its handoff: calls `flaw` for what differs. recent: only those that were raised
 * by so many of the newest events; 0: all. */
typedef ho_code (*ho_gate_flaw)(void *data, ho_str gate, ho_str message, ho_error *err);
ho_code ho_verify_gates(ho_project *project, int64_t recent, ho_gate_flaw flaw, void *data, ho_error *err) HO_NODISCARD;

/* Compares the steps of runs with the gates that were raised for them. */
ho_code ho_verify_runs(ho_project *project, ho_gate_flaw flaw, void *data, ho_error *err) HO_NODISCARD;

/* Checks what people signed, and the seal that git has: calls `flaw` for what is wrong. part: "decider", "gate" or
 * "seal". */
typedef ho_code (*ho_signed_flaw)(void *data, const char *part, ho_str name, ho_str message, ho_error *err);
ho_code ho_verify_signatures(ho_project *project, ho_arena *arena, ho_signed *out, ho_signed_flaw flaw, void *data,
                             ho_error *err) HO_NODISCARD;

typedef struct ho_rebuilt {
  int64_t handoffs, events; /* that the old store had, and the new one has */
  ho_node *restored;        /* [{id, state, path}]: made again from files */
  ho_node *lost;            /* [{what, message}] */
  ho_str kept;              /* where the old database is now, or "" */
  ho_error state_file;      /* code is set: everything is done, but the state file could not be updated */
} ho_rebuilt;
/* Builds a new store and replaces the old one, which is kept. Everything is taken from the old one if that is sound; else
 * what proves itself, and the rest from the audit archive and the state file. Others who send in the meantime wait, and
 * continue with the new store. Unfinished intents are finished first. No id is given again. Until the new store is ready,
 * and if anything fails, the old store stays. The project, begun and without an open store, has the new one open
 * afterwards. */
ho_code ho_rebuild(ho_project *project, ho_arena *arena, ho_rebuilt *out, ho_error *err) HO_NODISCARD;
#endif
