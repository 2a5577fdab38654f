/* Internals of the store, for the files of this folder only. */
#ifndef HO_STORE_INSIDE_H
#define HO_STORE_INSIDE_H

#include "base/buf.h"
#include "base/digest.h"
#include "base/grow.h"
#include "store/driver.h"
#include "store/handoffs/records.h"

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
  bool (*may_write)(void *data, const char *path);
  void *data;
  bool brief; /* as set in the options */

  bool writing, reading; /* inside ho_store_write, ho_store_read */
  bool intended;         /* this transaction has intents */
  bool reserved;         /* this transaction has reserved a block of ids */
  ho_id_block block;
};

/* Runs one statement; the parameters follow err. */
#define HO_RUN(store, statement, each, data, changes, err, ...)                                                        \
  (store)->driver->run((store)->db, (statement), (const ho_value[]){__VA_ARGS__},                                      \
                       sizeof((const ho_value[]){__VA_ARGS__}) / sizeof(ho_value), (each), (data), (changes), (err))

/* The parameters of a statement with HO_FILTERS (store/sql.h): `by` is its own first parameter, `usual` the limit if
 * none is set. */
#define HO_FILTERED(by, filter, usual)                                                                                 \
  HO_TEXT(by), HO_TEXT((filter)->receiver), HO_TEXT((filter)->sender), HO_TEXT((filter)->state),                       \
      HO_TEXT((filter)->kind), HO_TEXT((filter)->task), HO_TEXT((filter)->phase), HO_TEXT((filter)->session),          \
      HO_TEXT((filter)->holder), HO_INT((filter)->since), HO_INT((filter)->until), HO_INT((filter)->before_seq),       \
      HO_INT((filter)->limit ? (filter)->limit : (usual))

/* HO_BUG unless inside ho_store_write. */
ho_code ho_store_must_write(const ho_store *store, ho_error *err) HO_NODISCARD;

/* The store's location and file names, without opening it. */
ho_code ho_store_closed(const ho_store_options *options, ho_store **out, ho_error *err) HO_NODISCARD;

/* The queue of writers; whoever is in it may enter it again. */
ho_code ho_queue_enter(ho_store *store, ho_error *err) HO_NODISCARD;
void ho_queue_leave(ho_store *store);
/* The lock of those who open the store: shared (if there is a lock file that can be read), or exclusive. */
void ho_queue_share(ho_store *store);
ho_code ho_queue_alone(ho_store *store, ho_error *err) HO_NODISCARD;
void ho_queue_together(ho_store *store); /* releases either */

/* Creates or migrates the schema if necessary. */
ho_code ho_schema_ensure(ho_store *store, ho_error *err) HO_NODISCARD;

/* Writes the files of unfinished intents and removes the intents that are done. Needs the queue's lock, and no
 * transaction. Tries all of them; returns the first failure. */
ho_code ho_intents_finish(ho_store *store, ho_error *err) HO_NODISCARD;

/* In debug builds: kills the process if HANDOFF_KILL_AT in the environment names this step. The steps, in order:
 * begun, worked, committed, written. */
void ho_store_step(const char *step);

/* Data of a row callback that expects a single row. */
typedef struct ho_one_number {
  int64_t value;
  bool found;
} ho_one_number;
ho_code ho_take_number(void *data, const ho_value *columns, ho_error *err);

typedef struct ho_one_text {
  ho_arena *arena;
  ho_str value;
  bool found;
} ho_one_text;
ho_code ho_take_text(void *data, const ho_value *columns, ho_error *err);

/* A row callback that passes on the first column of each row. */
typedef struct ho_each_text {
  ho_text_each each;
  void *data;
} ho_each_text;
ho_code ho_take_each_text(void *data, const ho_value *columns, ho_error *err);

/* Where the fields of a struct are, in column order. */
typedef struct ho_column {
  size_t offset;
  bool number;
  bool printed; /* part of the row's fingerprint */
} ho_column;
void ho_columns_take(const ho_column *columns, size_t count, void *record, const ho_value *values, ho_arena *arena);
void ho_columns_give(const ho_column *columns, size_t count, const void *record, ho_value *values);

/* ---- Events */

/* The hash of an event, over its canonical JSON. buf is scratch. */
ho_code ho_event_hash(const ho_event *event, ho_buf *buf, char out[HO_DIGEST_SIZE], ho_error *err) HO_NODISCARD;
/* Adds an event that is complete except for seq, and a seal if one is due. */
ho_code ho_event_insert(ho_store *store, const ho_event *event, ho_error *err) HO_NODISCARD;
/* Reads the columns of an event's row; copies the texts if there is an arena. */
void ho_event_take(ho_event *event, const ho_value *columns, ho_arena *arena);

/* ---- Handoffs */
enum { HO_ROW_SIZE = 33 };
/* Fingerprint of those parts of a row that an event's hash covers. */
ho_code ho_handoff_print(const ho_handoff *row, char out[HO_ROW_SIZE], ho_error *err) HO_NODISCARD;
void ho_handoff_take(ho_handoff *row, const ho_value *columns, ho_arena *arena);

/* ---- Search */

/* Turns a user's query into an expression for the full-text index: all words, quoted phrases, prefixes with '*';
 * empty if it has no word. HO_LIMIT if it is too long. */
ho_code ho_search_expression(ho_buf *out, ho_str query, ho_error *err) HO_NODISCARD;

/* ---- Seals */
typedef struct ho_seal {
  int64_t n, upto, at;
  char prev[HO_DIGEST_SIZE], hash[HO_DIGEST_SIZE];
} ho_seal;
/* Computes the hash of a seal from the events after `since` up to seal->upto. */
ho_code ho_seal_hash(ho_store *store, const ho_seal *seal, int64_t since, char out[HO_DIGEST_SIZE],
                     ho_error *err) HO_NODISCARD;
void ho_seal_take(ho_seal *seal, const ho_value *columns);

enum { HO_SEAL_EVERY = 256, HO_SCHEMA_VERSION = 4 };
#endif
