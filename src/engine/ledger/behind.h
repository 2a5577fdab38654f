/* What lies beside a store that is older than the files that follow it: what a backup in its place does not know. */
#ifndef HO_ENGINE_LEDGER_BEHIND_H
#define HO_ENGINE_LEDGER_BEHIND_H

#include "engine/project/project.h"

typedef enum ho_beside {
  HO_BESIDE_UNKNOWN, /* the store has no such handoff */
  HO_BESIDE_NEWER,   /* the copy is of a later moment than what the store has */
  HO_BESIDE_OTHER    /* the store has given its id to another handoff */
} ho_beside;

typedef struct ho_beside_item {
  ho_beside what;
  ho_str id, path; /* of a copy in the archive, or of the state file, relative to the project's home */
  ho_str state;    /* that the file says */
} ho_beside_item;

typedef struct ho_beside_list {
  ho_beside_item *rows;
  size_t count;
} ho_beside_list;

/* Compares the copies in the archive, and the entries of the state file, with the store. Nothing is listed, and nothing
 * read, of a store that is not behind; if nobody knows whether it is, only what came after its newest event counts, since
 * copies of other clones lie there too. *behind: it is, for certain, although nothing may be left of what it has lost. Not
 * in a snapshot of the store, which others leave behind. */
ho_code ho_behind_find(ho_project *project, ho_store *store, ho_arena *arena, ho_beside_list *out, bool *behind,
                       ho_error *err) HO_NODISCARD;
/* As lists show it: [{part, name, message}], with the command that helps. Begins with the store itself, if it is behind. */
ho_code ho_behind_list(ho_project *project, ho_store *store, ho_arena *arena, ho_node *into,
                       ho_error *err) HO_NODISCARD;
/* Inside a write, before its work: if nobody knows whether the store is behind, looks, remembers it, and keeps the ids. */
ho_code ho_behind_look(ho_project *project, ho_error *err) HO_NODISCARD;
#endif
