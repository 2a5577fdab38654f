/* The store of a project: opening it, transactions, and what concerns it as a whole.
 *
 * The store knows SQL but no policy: states, kinds and event names are words chosen by the engine. What it keeps is
 * declared in handoffs/ (a header per table: handoffs, events, bodies, gates, files), runs/runs.h and knowledge/known.h.
 * Times are milliseconds since 1970, given by the caller; absent texts are empty, absent numbers 0. Texts in results
 * live in the caller's arena.
 *
 * Every failure of the database is HO_STORE; if it is damaged, the message suggests `handoff verify` and `handoff
 * rebuild`. A damaged store is never replaced automatically. */
#ifndef HO_STORE_STORE_H
#define HO_STORE_STORE_H

#include <limits.h>

#include "base/arena.h"
#include "base/fs.h"

typedef struct ho_store ho_store;

/* Called for each text; if it fails, reading stops with that failure. */
typedef ho_code (*ho_text_each)(void *data, ho_str text, ho_error *err);

typedef struct ho_numbers {
  ho_arena *arena; /* backs the rows */
  int64_t *rows;
  size_t count;
} ho_numbers;

typedef bool ho_store_may_write(void *data, const char *path, char below[PATH_MAX]);

typedef struct ho_store_options {
  const char *url;  /* a path or "sqlite:PATH"; any other scheme is refused */
  const char *root; /* the project's folder; relative paths of intents are relative to it */
  bool create;      /* create folder and store if there is none; otherwise that is HO_NOT_FOUND */
  bool look;        /* only to look at it: an older one is not migrated */
  bool brief;       /* somebody is waiting for this process: a short log is left as it is when it closes */
  /* May an unfinished intent write to this absolute path? Puts the folder that the path must not leave into `below`
   * (linked worktrees are elsewhere). NULL: inside of `root` only. A store may come from a stranger, so nothing else is
   * written, and nothing below a .git. */
  ho_store_may_write *may_write;
  void *data;  /* of may_write */
  int wait_ms; /* how long a writer waits for its turn; 0: half a minute */
} ho_store_options;

/* Opens the store, within a few milliseconds: only the schema's version is checked. A store in a read-only folder
 * can still be read. A newer store is refused, an older one is copied to PATH.before-vN and migrated. *out is only
 * set on success. */
ho_code ho_store_open(const ho_store_options *options, ho_store **out, ho_error *err) HO_NODISCARD;
/* The version of the library that keeps the database. */
const char *ho_store_library(void);
void ho_store_close(ho_store *store); /* NULL is allowed */
/* The path of the database file, and the folder it is in. */
const char *ho_store_path(const ho_store *store);
const char *ho_store_folder(const ho_store *store);
/* The file that holds its newest seal: `seal` beside a handoff.db, NAME.seal beside any other, since a folder may have
 * several. "" without memory. */
ho_str ho_store_seal(const ho_store *store, ho_arena *arena);

/* What the .gitignore beside a store in a .handoff says. It is written together with a new store, unless there is
 * one. */
extern const char ho_store_ignored[];
/* Makes a .handoff, with its .gitignore, for what is kept there before there is a store. */
ho_code ho_store_make_place(const char *folder, ho_error *err) HO_NODISCARD;

/* Reopens the database if another one has replaced it (`rebuild`); ho_store_write and ho_store_wait do so
 * themselves. Not inside a transaction. */
ho_code ho_store_reopen(ho_store *store, ho_error *err) HO_NODISCARD;
/* Has another one replaced it since, or is about to? Then its files follow that one. */
bool ho_store_replaced(const ho_store *store);

/* Work inside a transaction. It may be called again from the start if the database requires that, so what it leaves
 * in *data must not depend on an earlier call. Any code other than HO_OK rolls everything back. */
typedef ho_code (*ho_store_work)(ho_store *store, void *data, ho_error *err);

/* Queues for the writer's turn (first come, first served, also between processes), finishes what a killed process left
 * (intents), runs `work` in a transaction, commits it durably, then writes the files of its intents. All functions that
 * change something must be called from such a `work` (else HO_BUG); reading is allowed everywhere. Must not be nested.
 * If another store has replaced this one (`rebuild`), the work is done in the new one.
 *
 * The commit is synced after the queue was left, so that one sync serves all who wait for it. A failed sync is HO_STORE
 * (rule "store-unsynced"): the change is recorded, and may be lost if the machine stops. */
ho_code ho_store_write(ho_store *store, ho_store_work work, void *data, ho_error *err) HO_NODISCARD;
/* How long writers of this handle wait for their turn from now on (0: half a minute); returns how long they did. Whoever
 * only reads has something to answer without writing, and waits for as long as HO_STORE_READER_WAIT_MS. */
enum { HO_STORE_READER_WAIT_MS = 1000 };
int ho_store_patience(ho_store *store, int ms);
/* As ho_store_write, but files that are merely derived wait for ho_store_follow, so that many changes write them once: whoever
 * changes a lot calls that every moment, and when there is nothing else to do. They are remembered like all intents;
 * closing the store writes them, and where the process was killed, the next one does. */
ho_code ho_store_commit(ho_store *store, ho_store_work work, void *data, ho_error *err) HO_NODISCARD;
int64_t ho_store_waiting(const ho_store *store); /* since when (monotonic ms) a commit waits for that; 0 if none does */
void ho_store_follow(ho_store *store);           /* ho_store_unwritten says what could not be written */
/* The same unless another process is at it, who may not know of these: false, and they wait on. */
bool ho_store_follow_soon(ho_store *store);
void ho_store_wait_on(ho_store *store); /* something else waits on */
/* Runs `work` on one consistent snapshot. */
ho_code ho_store_read(ho_store *store, ho_store_work work, void *data, ho_error *err) HO_NODISCARD;
/* The same while nobody writes the files of intents, which others have to wait for: a file that is not unfinished
 * (ho_store_unfinished) is there as this snapshot has it, neither older nor newer. Not inside a transaction. */
ho_code ho_store_read_still(ho_store *store, ho_store_work work, void *data, ho_error *err) HO_NODISCARD;

/* Told how far a long piece of work is: so many of so many things, named in the singular. */
typedef struct ho_store_watch {
  void (*show)(void *world, size_t done, size_t total, const char *what); /* may be NULL */
  void *world;
} ho_store_watch;

/* ---- Intents: files that follow the store.
 *
 * Adds a file to the transaction. Its content is committed with the rows, and written after the commit (missing folders
 * are created) without waiting for the disk: the intent stays until the file was synced, by a later command together
 * with others, and after a start of the machine it is written again if it did not survive. An intent that was left
 * unfinished is carried out by the next writer; a later one for the same path replaces it.
 *
 * Files never undo a transaction, nor fail it: what cannot be written is marked and tried again (ho_store_unwritten,
 * ho_store_drift). A file that is no longer the one that was there when it was intended is left alone; the content is
 * then written beside it, as NAME.recovered, and that is reported until somebody has removed it.
 *
 * Intents belong to their database file and project folder: a copy of the database carries none of them out. */
typedef enum ho_intent {
  HO_INTENT_DERIVED, /* whatever is there is replaced */
  HO_INTENT_NEW,     /* there must be no other file: HO_CONFLICT if there is one with different content */
  HO_INTENT_WORKING, /* a document that people edit: replaced, and synced at once */
  HO_INTENT_MOVED,   /* the file goes, once the one that its content names is there and has the same text */
} ho_intent;
/* path: absolute or relative to root. Below a .git, or where may_write does not allow it: HO_LIMIT, but if it is derived,
 * it is only marked. */
ho_code ho_store_intend(ho_store *store, ho_str path, ho_str content, ho_intent kind, ho_error *err) HO_NODISCARD;
/* The same of a derived file of which the store knows the digest that it had when it was written last, or "": that one is
 * replaced, too, where it is out of sight now and appears later. */
ho_code ho_store_intend_over(ho_store *store, ho_str path, ho_str content, ho_str digest, ho_error *err) HO_NODISCARD;
/* The file `from` gets the path `to`: it is written there first, and only then removed, so that it is in at least one
 * of both places whenever the process is killed. One that somebody changes meanwhile stays. HO_CONFLICT if there is
 * another file at `to`. */
ho_code ho_store_intend_move(ho_store *store, ho_str from, ho_str to, ho_error *err) HO_NODISCARD;
/* Why a file of the last ho_store_write could not be written, and which one (as recorded); its code is HO_OK if there is
 * none. */
const ho_error *ho_store_unwritten(const ho_store *store);
/* Carries out what is unfinished, tries again what could not be written, syncs all of it, and reports what still cannot
 * be written; with the rule "files-busy" that another process kept it from all of that. */
ho_code ho_store_settle(ho_store *store, ho_error *err) HO_NODISCARD;
/* How many files are not as intended; with a path (as recorded: relative to root if possible), only that one. */
ho_code ho_store_unfinished(ho_store *store, ho_str path, int64_t *count, ho_error *err) HO_NODISCARD;
/* Calls `each` for every such file. why: "" if nobody has tried yet. */
typedef ho_code (*ho_store_drift_each)(void *data, ho_str path, ho_str why, ho_error *err);
ho_code ho_store_drift(ho_store *store, ho_store_drift_each each, void *data, ho_error *err) HO_NODISCARD;
/* Inside a write: forgets the files of this path (as recorded) that could not be written. For those whose place is gone. */
ho_code ho_store_give_up(ho_store *store, ho_str path, ho_error *err) HO_NODISCARD;
/* Calls `each` with the path of every intent in the database, whosoever it is and carried out or not. */
ho_code ho_store_intended(ho_store *store, ho_text_each each, void *data, ho_error *err) HO_NODISCARD;
/* Are there files that nobody has tried to write yet? ho_store_follow does. */
bool ho_store_lags(ho_store *store);
/* Up to which event a file that is no intent follows the store; 0 after a start of the machine, and -1 where nothing can
 * be remembered. */
int64_t ho_store_followed(ho_store *store);
void ho_store_set_followed(ho_store *store, int64_t event);
/* Was the machine started anew since the store was used last? Files that were not synced may have been lost. */
bool ho_store_restarted(const ho_store *store);

/* ---- Ids and settings
 *
 * The next id of a scope: HO-2026-001, HO-2026-002, … for "HO-2026" (at least three digits). Taken from a block
 * reserved for this handle (1 id, then 2, 4, … 16 at a time); never given twice, even after kill -9, and never one
 * that a handoff already has. Call it inside a write. */
ho_code ho_store_id(ho_store *store, ho_str scope, ho_arena *arena, ho_str *out, ho_error *err) HO_NODISCARD;

/* A small named value; *out is empty if there is none. Names that start with "store." belong to the store. */
ho_code ho_store_meta_get(ho_store *store, ho_str name, ho_arena *arena, ho_str *out, ho_error *err) HO_NODISCARD;
ho_code ho_store_meta_set(ho_store *store, ho_str name, ho_str value, ho_error *err) HO_NODISCARD;

/* Waits up to `ms` until another process or handle has committed something since the last call (or since opening);
 * *changed says whether one did. Not inside a transaction. */
ho_code ho_store_wait(ho_store *store, int64_t ms, bool *changed, ho_error *err) HO_NODISCARD;

/* Records that an id (SCOPE-NUMBER) was given before, so that it is not given again. Call it inside a write. */
ho_code ho_store_id_used(ho_store *store, ho_str id, ho_error *err) HO_NODISCARD;
/* The number of the next id in a scope, if no author uses it before. */
ho_code ho_store_id_next(ho_store *store, ho_str scope, int64_t *out, ho_error *err) HO_NODISCARD;

/* Is the store older than what was recorded in it: was a backup put into its place, or its log removed? The store
 * remembers that once it is written to. PERHAPS: what would tell is gone, and whoever asks looks at the files that follow the
 * store. Also inside a write, but not in ho_store_read: others go on. */
typedef enum ho_behind { HO_BEHIND_NOT, HO_BEHIND_PERHAPS, HO_BEHIND } ho_behind;
ho_code ho_store_behind(ho_store *store, ho_behind *out, ho_error *err) HO_NODISCARD;
/* Remembers it, or forgets it. Call it inside a write. */
ho_code ho_store_set_behind(ho_store *store, bool behind, ho_error *err) HO_NODISCARD;

/* ---- Backup */

/* Makes a consistent copy while others write. An existing file is not overwritten (HO_CONFLICT); the copy never
 * appears half-written. */
ho_code ho_store_backup(ho_store *store, const char *path, ho_error *err) HO_NODISCARD;

/* ---- Replacing a store by a new one (`rebuild`).
 *
 * Between begin and end nobody writes to the store at options->url: writers wait, then continue with the new one.
 * The new store is created at `fresh`, by opening it there, and closed again; ho_store_swap_now moves the old one
 * aside (with its log and seal) under the name `kept`, which begins like its own, and the new one into its place. Until
 * then, and if that fails, the old one is unchanged. If the process is killed, the store is the old one or the new one.
 *
 * A store that cannot be read for other reasons than damage (busy, newer, no permission, a failing disk) is refused. */
typedef struct ho_store_swap {
  const char *fresh;
  ho_store *store; /* the old one, for reading, if `readable` */
  bool there;      /* there is an old one */
  bool readable;   /* it could be opened; unfinished intents are finished */
  /* Private. */
  ho_arena *arena;
  const char *folder;
} ho_store_swap;
ho_code ho_store_swap_begin(const ho_store_options *options, ho_arena *arena, ho_store_swap *out,
                            ho_error *err) HO_NODISCARD;
ho_code ho_store_swap_now(ho_store_swap *swap, ho_str kept, ho_error *err) HO_NODISCARD;
void ho_store_swap_end(ho_store_swap *swap); /* also after a failure, or without ho_store_swap_now */

/* The tables of a store, and what people call what is in them. */
/* clang-format off */
#define HO_STORE_TABLES(X) \
  X(META, meta, "settings") \
  X(IDS, ids, "ids") \
  X(BODIES, bodies, "documents") \
  X(HANDOFFS, handoffs, "handoffs") \
  X(EVENTS, events, "history") \
  X(SEALS, seals, "seals") \
  X(GATES, gates, "gates") \
  X(FILES, files, "files") \
  X(INTENTS, intents, "unfinished files") \
  X(RUNS, runs, "runs") \
  X(RUN_STEPS, run_steps, "steps of runs") \
  X(TEAMMATES, teammates, "teammates") \
  X(KNOWLEDGE, knowledge, "knowledge") \
  X(KNOWLEDGE_ORIGINS, knowledge_origins, "origins of knowledge") \
  X(KNOWLEDGE_SOURCES, knowledge_sources, "sources of knowledge") \
  X(KNOWLEDGE_EDGES, knowledge_edges, "links of knowledge")
/* clang-format on */
typedef enum ho_store_table {
#define X(name, table, text) HO_TABLE_##name,
  HO_STORE_TABLES(X)
#undef X
      HO_TABLE_COUNT
} ho_store_table;
extern const char *const ho_store_table_texts[HO_TABLE_COUNT];
/* Copies what can be read of every table into the new store, inside a write. whole: of which tables nothing is missing.
 * The indexes of words are not copied: see ho_derived_set and ho_known_index_all. */
ho_code ho_store_swap_take(ho_store_swap *swap, ho_store *to, bool whole[HO_TABLE_COUNT], ho_error *err) HO_NODISCARD;

typedef struct ho_store_numbers {
  int64_t handoffs, events, bodies, body_bytes, seals, gates_open, bytes; /* bytes: size of the database file */
} ho_store_numbers;
ho_code ho_store_count(ho_store *store, ho_store_numbers *out, ho_error *err) HO_NODISCARD;
#endif
