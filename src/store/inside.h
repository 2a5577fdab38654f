/* Internals of the store, only for the files of this folder and its subfolders. */
#ifndef HO_STORE_INSIDE_H
#define HO_STORE_INSIDE_H

#include "base/time.h"
#include "store/driver.h"
#include "store/store.h"

/* A block of numbers reserved for this handle. */
typedef struct ho_id_block {
  char scope[64];
  int64_t next, end; /* next < end: some are left */
  int64_t size;      /* of the next block */
} ho_id_block;

/* Levels: how far all processes together have got. */
typedef enum ho_level {
  HO_LEVEL_COMMITTED, /* transactions since the machine was started */
  HO_LEVEL_DURABLE,   /* of these, the log is synced up to this one */
  HO_LEVEL_WRITTEN,   /* intents are carried out up to this id */
  HO_LEVEL_SYNCED,    /* and their files are synced up to this one */
  HO_LEVEL_FOLLOWED,  /* what ho_store_followed says */
  HO_LEVEL_TROUBLED,  /* so many intents, and one more, could not be carried out; 0: nobody has counted them */
  HO_LEVEL_COUNT
} ho_level;

/* What the store has ever reached (reached.c). */
typedef struct ho_given {
  char scope[24];
  int64_t next;
} ho_given;
typedef struct ho_reached {
  char mark[8];
  int64_t database; /* inode of the one that wrote it last */
  int64_t event;    /* its newest event */
  char print[16];   /* how the hash of that begins; zeros if there is none */
  ho_given given[16];
} ho_reached;

struct ho_store {
  const ho_driver *driver;
  ho_db *db;
  char *path, *folder, *root, *lock_path;
  int lock;    /* descriptor of the queue's lock file, -1 until the first write */
  int opening; /* the same for the lock of those who open the store, -1 if not held */
  int side;    /* the same for the locks that are not of the queue, -1 until one is needed */
  int queued;  /* how many times the queue was entered and not left */
  ho_store_may_write *may_write;
  void *data;
  bool brief, look; /* as set in the options */
  int wait_ms;
  bool apart; /* db is a private copy (handoffs/derived.h) */

  int levels;                   /* descriptor of the file with the levels, or -1; valid if `boot` is set */
  char boot[HO_TIME_BOOT_SIZE]; /* this start of the machine */
  int64_t database;             /* inode of the database */
  char owner[48];               /* of the intents of this database and project; "" until it is needed */
  bool remembers;               /* the levels that are known: see ho_levels_remember */
  int64_t known[HO_LEVEL_COUNT];
  bool restarted; /* the machine was started anew since the store was used last */

  bool writing, reading; /* inside ho_store_write, ho_store_read */
  bool intended;         /* this transaction has intents, or found some that are not carried out */
  bool urgent;           /* one of them is not merely derived */
  int64_t waiting;       /* since when (monotonic ms) a commit waits for its files; 0 if none does */
  ho_error unwritten;    /* code is set: a file of the last write could not be written */
  bool reserved;         /* this transaction has reserved a block of ids */
  ho_id_block block;

  ho_reached reached; /* in a transaction: as it is once that is committed */
  int64_t begun_at;   /* the newest event before it */
  char begun_print[16];
  bool adopts;         /* what is kept is not about this database yet */
  bool unnoted;        /* the store does not say yet that something is kept */
  bool perhaps_behind; /* what was kept is gone */
};

/* Runs one statement; the parameters follow err. */
#define HO_RUN(store, statement, each, data, changes, err, ...)                                                        \
  (store)->driver->run((store)->db, (statement), (const ho_value[]){__VA_ARGS__},                                      \
                       sizeof((const ho_value[]){__VA_ARGS__}) / sizeof(ho_value), (each), (data), (changes), (err))

/* HO_BUG unless inside ho_store_write. */
ho_code ho_store_must_write(const ho_store *store, ho_error *err) HO_NODISCARD;

/* The store's location and file names, without opening it. */
ho_code ho_store_closed(const ho_store_options *options, ho_store **out, ho_error *err) HO_NODISCARD;

/* Makes the folder of a new store. A .handoff gets its .gitignore with it: a store that git tracks, or stashes, loses
 * what was recorded since. */
ho_code ho_store_make_folder(const ho_store *store, ho_error *err) HO_NODISCARD;

/* ho_store_backup, with a script that is run in the copy. */
ho_code ho_store_copy(ho_store *store, const char *path, const char *script, ho_error *err) HO_NODISCARD;

/* The queue of writers; whoever is in it may enter it again. */
ho_code ho_queue_enter(ho_store *store, ho_error *err) HO_NODISCARD;
void ho_queue_leave(ho_store *store);
/* The lock of those who open the store: shared (if there is a lock file that can be read), or exclusive. */
void ho_queue_share(ho_store *store);
ho_code ho_queue_alone(ho_store *store, ho_error *err) HO_NODISCARD;
void ho_queue_together(ho_store *store); /* releases either */

/* Locks on the queue's file that are not of the queue. Waits for `ms` at most. */
typedef enum ho_lock {
  HO_LOCK_SYNC = 3,  /* whoever syncs the log, for all */
  HO_LOCK_FILES = 4, /* whoever writes the files of intents, for all */
  HO_LOCK_LEVELS = 5 /* whoever makes the file with the levels */
} ho_lock;
enum { HO_QUEUE_BRIEFLY = 50 }; /* ms */
bool ho_queue_take(ho_store *store, ho_lock lock, int ms);
void ho_queue_give(ho_store *store, ho_lock lock);

/* A swap that was decided, and not finished by whoever decided it (swap.h): whoever opens the store, or has it open and
 * goes on with it, finishes it first. */
bool ho_swap_pending(const ho_store *store);
ho_code ho_swap_finish(ho_store *store, ho_error *err) HO_NODISCARD;

int64_t ho_levels_get(ho_store *store, ho_level level);
void ho_levels_set(ho_store *store, ho_level level, int64_t value);
/* From now on, ho_levels_get does not look again, until ho_levels_forget: inside a transaction, a level that others raise
 * meanwhile only means that something is done once more. */
void ho_levels_remember(ho_store *store);
void ho_levels_forget(ho_store *store);
void ho_levels_close(ho_store *store);
/* Was the machine started anew since the files of intents were written? Until ho_levels_checked. */
bool ho_levels_restarted(ho_store *store);
void ho_levels_checked(ho_store *store);
/* Returns once the log is synced up to this commit, by this process or another one. */
ho_code ho_levels_make_durable(ho_store *store, int64_t commit, ho_error *err) HO_NODISCARD;

/* What the store has ever reached is kept beside it. In a transaction, before and after its work: begin, worked; after the
 * commit, still in the queue: adopt; once it is durable: keep. */
ho_code ho_reached_begin(ho_store *store, ho_error *err) HO_NODISCARD;
ho_code ho_reached_worked(ho_store *store, ho_error *err) HO_NODISCARD;
void ho_reached_adopt(ho_store *store);
void ho_reached_keep(ho_store *store);
/* The next id of a scope by what is kept, 0 if it is not; and the one that it is from now on. */
int64_t ho_reached_next(ho_store *store, ho_str scope);
void ho_reached_give(ho_store *store, ho_str scope, int64_t next);
/* Another database has this place: its events are counted anew, ids go on. */
void ho_reached_anew(const ho_store *store);

/* The version that this program writes. */
extern const int ho_schema_version;
extern const char ho_schema_digest[];       /* of the schema that these steps make (driver->schema) */
extern const char *const ho_schema_steps[]; /* SQL; step N, at N - 1, turns version N - 1 into N */
/* Creates or migrates the schema if necessary. */
ho_code ho_schema_ensure(ho_store *store, ho_error *err) HO_NODISCARD;

/* Inside a write, before its work: forgets intents whose files are synced, and sees whether some are not carried out. */
ho_code ho_intents_begin(ho_store *store, ho_error *err) HO_NODISCARD;
/* Writes the files of intents that are not carried out, also those of other processes; now and then, syncs what was
 * written. Not in a transaction. What cannot be written is marked; returns the first failure. */
ho_code ho_intents_carry_out(ho_store *store, ho_error *err) HO_NODISCARD;
/* The same, unless another process is at it: false. */
bool ho_intents_try(ho_store *store, ho_error *err);
/* After a start of the machine: writes again what was not synced and did not survive. */
void ho_intents_recover(ho_store *store);

/* In debug builds: kills the process if HANDOFF_KILL_AT in the environment names this step. The steps, in order:
 * begun, worked, committed, durable, written; of a swap: swap-ready, swap-decided, swap-named, swap-log, swap-index,
 * swap-seal, swap-moved. */
void ho_store_step(const char *step);
#endif
