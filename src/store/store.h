/* The store of a project: opening it, transactions, and what concerns it as a whole.
 *
 * The store knows SQL and nothing of policy: states, kinds and event names are words of the engine. What it keeps is in
 * records.h (handoffs, bodies, events, gates, files, search). Times are milliseconds since 1970, given by the caller;
 * absent texts are empty, absent numbers 0. Texts in results live in the caller's arena.
 *
 * Every failure of the database is HO_STORE; where it is damaged the message advises `handoff verify` and `handoff
 * rebuild`. A damaged store is never replaced. */
#ifndef HO_STORE_STORE_H
#define HO_STORE_STORE_H

#include "base/arena.h"
#include "base/fs.h"

typedef struct ho_store ho_store;

typedef struct ho_store_options {
  const char *url;  /* a path, "sqlite:PATH" or "postgresql://…" (refused: not built in) */
  const char *root; /* the project's folder; relative paths of intents are below it */
  bool create;      /* make folder and store where there is none; else that is HO_NOT_FOUND */
  bool brief;       /* somebody waits for this process: what others can tidy up is left to them */
  /* Says whether an unfinished intent may write to this absolute path, besides paths inside `root` (linked worktrees
   * lie elsewhere). NULL: none. A store could come from a stranger, so nothing is written elsewhere, nor below a .git.
   */
  bool (*may_write)(void *data, const char *path);
  void *data; /* of may_write */
} ho_store_options;

/* In a folder that may not be written, a store can still be read. Opens, and costs a few milliseconds at most: only
 * the schema's version is looked at. A newer store is refused, an older one is copied to PATH.before-vN and migrated.
 * *out is set on success only. */
ho_code ho_store_open(const ho_store_options *options, ho_store **out, ho_error *err) HO_NODISCARD;
void ho_store_close(ho_store *store); /* NULL is fine */
/* The path of the database file, and the folder it is in. */
const char *ho_store_path(const ho_store *store);
const char *ho_store_folder(const ho_store *store);

/* Opens the database again where another has taken its place (`rebuild`); ho_store_write and ho_store_wait do so
 * themselves. Not inside a transaction. */
ho_code ho_store_reopen(ho_store *store, ho_error *err) HO_NODISCARD;

/* Work inside a transaction. It may be called again from the start where the database asks for it, so what it leaves in
 * *data must not depend on an earlier run. Whatever it returns but HO_OK rolls everything back. */
typedef ho_code (*ho_store_work)(ho_store *store, void *data, ho_error *err);

/* Queues for the writer's turn (first come, first served, between processes too), finishes what a killed process left
 * (intents), runs `work` in a transaction, commits it durably, then writes the files of its intents. All functions that
 * change something must be called from such a work (else HO_BUG); reading is allowed everywhere. Not to be nested.
 * Where another store has taken the place of this one (`rebuild`), the work is done in that.
 * After HO_IO with err->rule "store-unfinished" everything is committed, only a file could not be written: the intent
 * stays and the next write tries again. */
ho_code ho_store_write(ho_store *store, ho_store_work work, void *data, ho_error *err) HO_NODISCARD;
/* Runs `work` on one unchanging snapshot. */
ho_code ho_store_read(ho_store *store, ho_store_work work, void *data, ho_error *err) HO_NODISCARD;

/* ---- Intents: files that change together with the store.
 *
 * Adds a file to the transaction. Its content is committed with the rows; after the commit, still under the queue's
 * lock, it is written atomically (folders above it are made) and the intent is forgotten. Whoever writes next rolls an
 * unfinished one forward. A later intent for the same path replaces an unfinished earlier one. path: absolute or below
 * root; outside of root, of may_write, or below a .git: HO_LIMIT. HO_FS_CREATE leaves a file that is there alone; where
 * its content differs that is HO_CONFLICT now (nothing committed), and after a crash the file wins. */
ho_code ho_store_intend(ho_store *store, ho_str path, ho_str content, ho_fs_mode mode, ho_error *err) HO_NODISCARD;
/* Finishes what is unfinished, and says what cannot be; ho_store_write does the same but goes on when it fails. */
ho_code ho_store_settle(ho_store *store, ho_error *err) HO_NODISCARD;
/* How many files are unfinished; with a path (as it was noted: below root where possible) only that one. */
ho_code ho_store_unfinished(ho_store *store, ho_str path, int64_t *count, ho_error *err) HO_NODISCARD;

/* ---- Ids and settings
 *
 * The next id of a scope: for "HO-2026" it is HO-2026-001, … (at least three digits). Taken from a block reserved for
 * this handle (1, then 2, 4, … 16 at once), never given twice, also not after kill -9, and never one that a handoff
 * already has. To be called in a write. */
ho_code ho_store_id(ho_store *store, ho_str scope, ho_arena *arena, ho_str *out, ho_error *err) HO_NODISCARD;

/* A small named value; *out is empty where there is none. Names that start with "store." are the store's own. */
ho_code ho_store_meta_get(ho_store *store, ho_str name, ho_arena *arena, ho_str *out, ho_error *err) HO_NODISCARD;
ho_code ho_store_meta_set(ho_store *store, ho_str name, ho_str value, ho_error *err) HO_NODISCARD;

/* Waits until another process or handle has committed something since the last call (or since opening), at most `ms`;
 * *changed says whether. Not inside a transaction. */
ho_code ho_store_wait(ho_store *store, int64_t ms, bool *changed, ho_error *err) HO_NODISCARD;

/* Notes that an id (SCOPE-NUMBER) was given before, so that it is not given again. To be called in a write. */
ho_code ho_store_id_used(ho_store *store, ho_str id, ho_error *err) HO_NODISCARD;

/* ---- Seals: the heads of all chains, in one chain of the project.
 *
 * Every 256th event is followed by a seal; this makes one now, covering all events since the last (none since: nothing
 * happens). The newest is also written to the file `seal` beside the database, by an intent. To be called in a write.
 */
ho_code ho_store_seal(ho_store *store, int64_t at, ho_error *err) HO_NODISCARD;

/* ---- Trust and keeping */

/* One thing that is not as it was written. */
typedef struct ho_flaw {
  const char *part;  /* "database", "handoff", "event", "body", "seal" or "search" */
  char name[160];    /* which: an id, "ID #n" of an event, a digest, a seal's number */
  char message[256]; /* one sentence */
} ho_flaw;
/* Called for each; another code than HO_OK stops. */
typedef ho_code (*ho_flaw_each)(void *data, const ho_flaw *flaw, ho_error *err);

/* Is the file itself sound? quick: without comparing indexes to tables. HO_OK also where there are flaws. */
ho_code ho_store_check(ho_store *store, bool quick, ho_flaw_each each, void *data, ho_error *err) HO_NODISCARD;
/* Recomputes every event's hash and link, every handoff's head and row, every body's digest, every seal, and compares
 * the file `seal`. HO_OK also where there are flaws; reads everything on one snapshot. */
ho_code ho_store_verify_chain(ho_store *store, ho_flaw_each each, void *data, ho_error *err) HO_NODISCARD;

/* A consistent copy while others write. An existing file is not overwritten (HO_CONFLICT); the copy appears whole. */
ho_code ho_store_backup(ho_store *store, const char *path, ho_error *err) HO_NODISCARD;

/* ---- A new store in the place of an old one (`rebuild`).
 *
 * From begin to end nobody writes to the store at options->url: writers wait, and go on with the new one. The new one is
 * made at `fresh`, by opening it there, and closed again; ho_store_swap_now puts the old one aside as `kept` (its log and
 * seal with it) and the new one in its place. Until then, and where it fails, the old one is what it was. */
typedef struct ho_store_swap {
  const char *fresh;
  ho_store *store; /* the old one: for reading, where `readable` */
  bool there;      /* there is an old one */
  bool readable;   /* it could be opened; what was unfinished is finished */
  /* Its own. */
  ho_arena *arena;
  const char *folder;
} ho_store_swap;
ho_code ho_store_swap_begin(const ho_store_options *options, ho_arena *arena, ho_store_swap *out,
                            ho_error *err) HO_NODISCARD;
ho_code ho_store_swap_now(ho_store_swap *swap, const char *kept, ho_error *err) HO_NODISCARD;
void ho_store_swap_end(ho_store_swap *swap); /* also after a failure, and without ho_store_swap_now */
/* Copies how far the ids of each scope were given from the old store to the one that `to` writes to. */
ho_code ho_store_swap_ids(ho_store_swap *swap, ho_store *to, ho_error *err) HO_NODISCARD;

typedef struct ho_store_numbers {
  int64_t handoffs, events, bodies, body_bytes, seals, gates_open, bytes; /* bytes: of the database file */
} ho_store_numbers;
ho_code ho_store_count(ho_store *store, ho_store_numbers *out, ho_error *err) HO_NODISCARD;
#endif
