/* Internals of the store, only for the files of this folder and its subfolders. */
#ifndef HO_STORE_INSIDE_H
#define HO_STORE_INSIDE_H

#include "store/driver.h"
#include "store/store.h"

/* A block of numbers reserved for this handle. */
typedef struct ho_id_block {
  char scope[64];
  int64_t next, end; /* next < end: some are left */
  int64_t size;      /* of the next block */
} ho_id_block;

struct ho_store {
  const ho_driver *driver;
  ho_db *db;
  char *path, *folder, *root, *lock_path;
  int lock;    /* descriptor of the queue's lock file, -1 until the first write */
  int opening; /* the same for the lock of those who open the store, -1 if not held */
  int queued;  /* how many times the queue was entered and not left */
  ho_store_may_write *may_write;
  void *data;
  bool brief, look; /* as set in the options */
  int wait_ms;
  bool apart; /* db is a private copy (handoffs/derived.h) */

  bool writing, reading; /* inside ho_store_write, ho_store_read */
  bool intended;         /* this transaction has intents */
  bool reserved;         /* this transaction has reserved a block of ids */
  ho_id_block block;
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

/* The queue of writers; whoever is in it may enter it again. */
ho_code ho_queue_enter(ho_store *store, ho_error *err) HO_NODISCARD;
void ho_queue_leave(ho_store *store);
/* The lock of those who open the store: shared (if there is a lock file that can be read), or exclusive. */
void ho_queue_share(ho_store *store);
ho_code ho_queue_alone(ho_store *store, ho_error *err) HO_NODISCARD;
void ho_queue_together(ho_store *store); /* releases either */

/* The version that this program writes. */
extern const int ho_schema_version;
extern const char ho_schema_digest[];       /* of the schema that these steps make (driver->schema) */
extern const char *const ho_schema_steps[]; /* SQL; step N, at N - 1, turns version N - 1 into N */
/* Creates or migrates the schema if necessary. */
ho_code ho_schema_ensure(ho_store *store, ho_error *err) HO_NODISCARD;

/* Writes the files of unfinished intents and removes the intents that are done. Needs the queue's lock, and no
 * transaction. Tries all of them; returns the first failure. */
ho_code ho_intents_finish(ho_store *store, ho_error *err) HO_NODISCARD;

/* In debug builds: kills the process if HANDOFF_KILL_AT in the environment names this step. The steps, in order:
 * begun, worked, committed, written. */
void ho_store_step(const char *step);
#endif
