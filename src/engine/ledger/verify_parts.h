/* Internals of a verification (verify.c): the parts that it is made of, a file each. */
#ifndef HO_ENGINE_LEDGER_VERIFY_PARTS_H
#define HO_ENGINE_LEDGER_VERIFY_PARTS_H

#include "engine/ledger/verify.h"
#include "store/handoffs/chain.h"
#include "store/handoffs/files.h"
#include "store/handoffs/handoffs.h"

/* A file that is not as the snapshot has it. Others write while this is being read, so it is looked at once more. */
typedef struct ho_suspect {
  ho_str handoff, path;
  ho_file_kind kind;
} ho_suspect;

typedef struct ho_verifying {
  ho_project *project;
  const ho_store_watch *watch; /* may be NULL */
  ho_arena *arena;             /* for the result */
  ho_verdict *out;
  bool quick;

  ho_suspect *suspects;
  size_t count, looked; /* how many, and how many were looked at again */
  bool doubts;          /* about what is signed: checked once more */
  bool unsettled;       /* files that could not be written even now */
} ho_verifying;

/* Adds {part, name, message} to one of the verdict's lists. */
void ho_verify_add(ho_verifying *v, ho_node *list, ho_str part, ho_str name, ho_str message);
/* An ho_flaw_each whose data is an ho_verifying: the flaw is a difference. */
ho_code ho_verify_take(void *data, const ho_flaw *flaw, ho_error *err) HO_NODISCARD;

/* Compares every file of every handoff with its row. Artifacts change, which is normal; of the others, those that differ
 * become suspects. */
ho_code ho_verify_files(ho_verifying *v, ho_error *err) HO_NODISCARD;
/* The same for one handoff. arena: for what is needed meanwhile. */
ho_code ho_verify_files_of(ho_verifying *v, ho_arena *arena, const ho_handoff *row, ho_error *err) HO_NODISCARD;
/* Looks at some of the suspects once more, in a snapshot of its own: their rows may be others by now, or gone. An
 * ho_store_work whose data is an ho_verifying, for ho_store_read_still. */
ho_code ho_verify_files_again(ho_store *store, void *data, ho_error *err) HO_NODISCARD;

/* Verifies the handoffs that the newest events (so many of them) are about: their history, body and files. */
ho_code ho_verify_recent(ho_verifying *v, int64_t count, ho_error *err) HO_NODISCARD;

/* ---- What asks for no ho_verifying, since a rebuild checks the same */

/* Called for each flaw. part: "decider", "gate" or "seal". */
typedef ho_code (*ho_verify_flaw)(void *data, const char *part, ho_str name, ho_str message, ho_error *err);

/* Are the rows of a handoff's files as its events recorded them? *flaw: what is not, or NULL. */
ho_code ho_verify_recorded(ho_project *project, ho_str handoff, const ho_file_list *files, ho_arena *arena,
                           const char **flaw, ho_error *err) HO_NODISCARD;

/* Compares each gate with the events of its handoff: calls `flaw` for what differs. recent: only those that were raised
 * by so many of the newest events; 0: all. */
ho_code ho_verify_gates(ho_project *project, int64_t recent, ho_verify_flaw flaw, void *data,
                        ho_error *err) HO_NODISCARD;

/* Is every document there that the newest events name (recent; 0: all), besides those of handoffs? */
ho_code ho_verify_documents(ho_verifying *v, int64_t recent, ho_error *err) HO_NODISCARD;

/* Compares the steps of runs with the gates that were raised for them. */
ho_code ho_verify_runs(ho_project *project, ho_verify_flaw flaw, void *data, ho_error *err) HO_NODISCARD;

/* Checks what people signed, and the seal that git has: calls `flaw` for what is wrong. */
ho_code ho_verify_signatures(ho_project *project, ho_arena *arena, ho_signed *out, ho_verify_flaw flaw, void *data,
                             ho_error *err) HO_NODISCARD;
#endif
