/* The store's own inside: for the files of this folder only. */
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
  int opening; /* the same of those who open the store, -1 else */
  int queued;  /* how often the queue was entered and not left */
  bool (*may_write)(void *data, const char *path);
  void *data;
  bool brief; /* as the options say */

  bool writing, reading; /* inside ho_store_write, ho_store_read */
  bool intended;         /* this transaction has intents */
  bool reserved;         /* this transaction has reserved a block of ids */
  ho_id_block block;
};

/* Runs one statement; the parameters follow err. */
#define HO_RUN(store, statement, each, data, changes, err, ...)                                                        \
  (store)->driver->run((store)->db, (statement), (const ho_value[]){__VA_ARGS__},                                      \
                       sizeof((const ho_value[]){__VA_ARGS__}) / sizeof(ho_value), (each), (data), (changes), (err))

/* The parameters of a statement with HO_FILTERS (store/sql.h): `by` is its own, `usual` the limit where none is set. */
#define HO_FILTERED(by, filter, usual)                                                                                 \
  HO_TEXT(by), HO_TEXT((filter)->receiver), HO_TEXT((filter)->sender), HO_TEXT((filter)->state),                       \
      HO_TEXT((filter)->kind), HO_TEXT((filter)->task), HO_TEXT((filter)->phase), HO_TEXT((filter)->session),          \
      HO_TEXT((filter)->holder), HO_INT((filter)->since), HO_INT((filter)->until), HO_INT((filter)->before_seq),       \
      HO_INT((filter)->limit ? (filter)->limit : (usual))

/* HO_BUG unless inside ho_store_write. */
ho_code ho_store_must_write(const ho_store *store, ho_error *err) HO_NODISCARD;

/* The store's place and its names, without opening it. */
ho_code ho_store_closed(const ho_store_options *options, ho_store **out, ho_error *err) HO_NODISCARD;

/* The writer's queue; who is in it may enter it again. */
ho_code ho_queue_enter(ho_store *store, ho_error *err) HO_NODISCARD;
void ho_queue_leave(ho_store *store);
/* The lock of those who open the store: shared (where there is a lock file that can be read), or alone. */
void ho_queue_share(ho_store *store);
ho_code ho_queue_alone(ho_store *store, ho_error *err) HO_NODISCARD;
void ho_queue_together(ho_store *store); /* gives either up */

/* Creates or migrates the schema where that is needed. */
ho_code ho_schema_ensure(ho_store *store, ho_error *err) HO_NODISCARD;

/* Writes the files of unfinished intents and forgets those that are written. With the queue's lock, in no transaction.
 * Tries them all; the first failure is returned. */
ho_code ho_intents_finish(ho_store *store, ho_error *err) HO_NODISCARD;

/* In debug builds: kills the process where the environment's HANDOFF_KILL_AT names this step. Steps, in their order:
 * begun, worked, committed, written. */
void ho_store_step(const char *step);

/* A row callback's data where one row is wanted. */
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

/* A row callback that hands the first column of each row on. */
typedef struct ho_each_text {
  ho_text_each each;
  void *data;
} ho_each_text;
ho_code ho_take_each_text(void *data, const ho_value *columns, ho_error *err);

/* Where the fields of a struct are, in the order of its columns. */
typedef struct ho_column {
  size_t offset;
  bool number;
  bool printed; /* in the fingerprint of a row */
} ho_column;
void ho_columns_take(const ho_column *columns, size_t count, void *record, const ho_value *values, ho_arena *arena);
void ho_columns_give(const ho_column *columns, size_t count, const void *record, ho_value *values);

/* ---- Events */

/* The hash of an event, over its canonical JSON. buf is scratch. */
ho_code ho_event_hash(const ho_event *event, ho_buf *buf, char out[HO_DIGEST_SIZE], ho_error *err) HO_NODISCARD;
/* Adds an event that has all but seq, and the seal where one is due. */
ho_code ho_event_insert(ho_store *store, const ho_event *event, ho_error *err) HO_NODISCARD;
/* Reads the columns of an event's row; texts are copied where there is an arena. */
void ho_event_take(ho_event *event, const ho_value *columns, ho_arena *arena);

/* ---- Handoffs */
enum { HO_ROW_SIZE = 33 };
/* Fingerprint of what an event's hash covers of a row. */
ho_code ho_handoff_print(const ho_handoff *row, char out[HO_ROW_SIZE], ho_error *err) HO_NODISCARD;
void ho_handoff_take(ho_handoff *row, const ho_value *columns, ho_arena *arena);

/* ---- Search */

/* What a person typed, as an expression of the full-text index: all words, phrases where quoted, beginnings with '*';
 * nothing where it has no word. HO_LIMIT where it is too long. */
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
