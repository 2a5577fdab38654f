/* What the store requires of a database: one const table of functions per database. The store calls nothing else,
 * and the driver knows nothing about handoffs. */
#ifndef HO_STORE_DRIVER_H
#define HO_STORE_DRIVER_H

#include "base/digest.h"
#include "base/error.h"
#include "store/sql.h"

typedef struct ho_db ho_db; /* one connection */

/* A parameter, or a column of a row. */
typedef struct ho_value {
  bool number;
  int64_t i;
  ho_str s;
} ho_value;
#define HO_INT(value) ((ho_value){.number = true, .i = (value)})
#define HO_TEXT(value) ((ho_value){.s = (value)})

/* Called for each row; its texts are valid until it returns. Any code other than HO_OK ends the statement with that
 * code. */
typedef ho_code (*ho_row_each)(void *data, const ho_value *columns, ho_error *err);

typedef enum ho_begin { HO_BEGIN_READ, HO_BEGIN_WRITE } ho_begin;

typedef struct ho_driver {
  const char *name;
  ho_code (*open)(const char *path, bool create, ho_db **out, ho_error *err);
  void (*close)(ho_db *db);
  /* Closing leaves a short log to the next process that closes: faster, and nothing is lost. */
  void (*leave_log)(ho_db *db);

  ho_code (*begin)(ho_db *db, ho_begin mode, ho_error *err);
  /* If the machine stops, a transaction is there as a whole or not at all; it is there for certain after `sync`, which
   * makes everything durable that any connection has committed. */
  ho_code (*commit)(ho_db *db, ho_error *err);
  ho_code (*sync)(ho_db *db, ho_error *err);
  void (*rollback)(ho_db *db); /* harmless if there is nothing to roll back */
  /* Runs one statement of the table. each and changes (rows changed) may be NULL. */
  ho_code (*run)(ho_db *db, ho_sql statement, const ho_value *params, size_t count, ho_row_each each, void *data,
                 int64_t *changes, ho_error *err);
  /* Runs several statements without parameters, for the schema. */
  ho_code (*script)(ho_db *db, const char *text, ho_error *err);

  /* The schema's version: 0 if there is none yet. *empty: there is no table at all. HO_STORE if the file is not a
   * store. */
  ho_code (*version)(ho_db *db, int64_t *version, bool *empty, ho_error *err);
  ho_code (*set_version)(ho_db *db, int64_t version, ho_error *err);
  /* A digest over what the database says about its tables, indexes, views and triggers, and nothing else. */
  ho_code (*schema)(ho_db *db, char out[HO_DIGEST_SIZE], ho_error *err);

  /* To a path that must not exist; then runs the script in the copy. */
  ho_code (*backup)(ho_db *db, const char *path, const char *script, ho_error *err);
  /* Is the database read-only? Then `scratch` gives a private, writable copy that disappears when it is closed. */
  bool (*read_only)(ho_db *db);
  ho_code (*scratch)(ho_db *db, ho_db **out, ho_error *err);
  /* Copies all rows of a table that can be read into the same table of another database, which has a transaction open.
   * *whole: none was left out, because it cannot be read or breaks a rule of the table. */
  ho_code (*take)(ho_db *from, ho_db *to, const char *table, bool *whole, ho_error *err);
  /* Is there a different file under that name by now? */
  bool (*moved)(ho_db *db);
  /* Has another process the database at this path open? who: it, for a message. */
  bool (*in_use)(const char *path, char *who, size_t size);
  /* Calls back for every fault that the database finds in itself, with its message as the only column. */
  ho_code (*check)(ho_db *db, bool quick, ho_row_each each, void *data, ho_error *err);
  /* Has this full-text index exactly the words of the texts that the statement selects, as (row, text)? Changes nothing,
   * and keeps nobody waiting. */
  ho_code (*indexed)(ho_db *db, const char *index, ho_sql texts, const ho_value *params, size_t count, bool *yes,
                     ho_error *err);
  /* Has another connection committed since the last call? */
  ho_code (*changed)(ho_db *db, bool *changed, ho_error *err);
} ho_driver;

extern const ho_driver ho_driver_sqlite;
#endif
