/* Internals of a rebuild: what the old store still has (rebuild_take.c), what the files say (rebuild_read.c), and the new
 * store built from that (rebuild.c, rebuild_gates.c). */
#ifndef HO_ENGINE_LEDGER_REBUILD_PARTS_H
#define HO_ENGINE_LEDGER_REBUILD_PARTS_H

#include "doc/keyset.h"
#include "engine/ledger/archive.h"
#include "engine/ledger/archive_copy.h"
#include "engine/ledger/turn.h"
#include "engine/ledger/rebuild.h"
#include "store/handoffs/files.h"

typedef struct ho_restored {
  ho_archived copy;
  ho_file file;  /* the file it comes from; kind NONE: the old store, which has lost its history */
  bool listed;   /* the state file has it, so that it is known whether it waited for a person */
  bool rejected; /* the state file, or the one in git's newest commit, says that it was rejected */
  bool at_gate;  /* and that this was at a gate */
  bool halts;    /* one of them says that it halts its task */
} ho_restored;

/* Did a handoff that is open wait for a person? */
typedef enum ho_waited { HO_WAITED_NOT, HO_WAITED_PERHAPS, HO_WAITED } ho_waited;

typedef struct ho_rebuilding {
  ho_project *project;
  ho_arena *arena;
  ho_rebuilt *out;
  ho_restored *items;
  size_t count;
  ho_node *names; /* a map from the ids so far to their index among the items, or to null */
  ho_keyset ids;  /* of that map */
  ho_node *gates; /* from the state file: ids that were given */
  ho_store_swap swap;
  bool sound;           /* the old store is whole, and as new as the files: nothing is taken from these */
  bool behind;          /* a backup was in its place: files know more */
  ho_node *older;       /* ids of handoffs in the old store of which a file has a later moment */
  ho_str flaw;          /* else what was found first, if its rows do not prove themselves */
  ho_node *flawed;      /* ids of handoffs in the old store that do not */
  ho_file_list details; /* of these: the text of each proves itself, if it is a body */
  ho_node *bad_gates;   /* a map of the gates that do not */
  bool guarded;         /* only deciders decide, and nobody knows what waited for them */
} ho_rebuilding;

/* Records something that could not be restored. */
void ho_rebuild_lost(ho_rebuilding *r, ho_str what, const char *message);
/* The item with this id, if it was seen before; else the id is recorded, for the next item if `item`. */
bool ho_rebuild_seen(ho_rebuilding *r, ho_str id, bool item, ho_restored **out);
/* The same without recording it. */
bool ho_rebuild_find(const ho_rebuilding *r, ho_str id, ho_restored **out);

/* Copies what the old store has into the new one, inside its transaction, and leaves only what proves itself. */
ho_code ho_rebuild_take(ho_rebuilding *r, ho_error *err) HO_NODISCARD;
/* Reads the audit archives of the main worktree and those linked to it. */
ho_code ho_rebuild_archive(ho_rebuilding *r, ho_error *err) HO_NODISCARD;
/* Open handoffs have no archive copy, but the state file says where their documents are. */
ho_code ho_rebuild_state(ho_rebuilding *r, ho_error *err) HO_NODISCARD;

/* Who decides (rebuild_gates.c): if the old store has not kept it, from the copy outside of the project. */
ho_code ho_rebuild_deciders(ho_rebuilding *r, ho_error *err) HO_NODISCARD;
/* The gates of a restored handoff: those of the old store, with their decisions; else a new one if it was gated, or if
 * that cannot be known and matters. Never opens one. */
ho_code ho_rebuild_gates(ho_rebuilding *r, ho_turn *turn, ho_waited waited, ho_error *err) HO_NODISCARD;
/* The rejection of a handoff that has ended (rebuild_rejected.c), if its gate was lost: as its copy in the archive has it;
 * else, if a file says that it was rejected, one of which nothing more is known. So what says the same waits as well. */
ho_code ho_rebuild_rejection(ho_rebuilding *r, const ho_restored *item, ho_turn *turn, ho_error *err) HO_NODISCARD;
/* Adds a gate as it was, with the events that make it; blocking: it held its handoff up (rebuild_gates.c). */
ho_code ho_rebuild_gate(ho_turn *turn, const ho_gate *gate, bool blocking, ho_error *err) HO_NODISCARD;
#endif
