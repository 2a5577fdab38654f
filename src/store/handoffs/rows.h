/* Rows of handoffs, events and seals as the database has them, for the store's own files only. */
#ifndef HO_STORE_HANDOFFS_ROWS_H
#define HO_STORE_HANDOFFS_ROWS_H

#include "base/buf.h"
#include "base/digest.h"
#include "store/columns.h"

struct ho_event;
struct ho_handoff;

/* ---- Events (events.c) */

/* The hash of an event, over its canonical JSON. buf is scratch. */
ho_code ho_rows_hash_event(const struct ho_event *event, ho_buf *buf, char out[HO_DIGEST_SIZE],
                           ho_error *err) HO_NODISCARD;
/* Adds an event that is complete except for seq, and a seal if one is due. */
ho_code ho_rows_insert_event(ho_store *store, const struct ho_event *event, ho_error *err) HO_NODISCARD;
/* Reads the columns of an event's row; copies the texts if there is an arena. */
ho_code ho_rows_take_event(struct ho_event *event, const ho_value *columns, ho_arena *arena,
                           ho_error *err) HO_NODISCARD;

/* ---- Handoffs (handoffs.c) */
enum { HO_ROW_SIZE = 33 };
/* Fingerprint of those parts of a row that an event's hash covers. */
ho_code ho_rows_print_handoff(const struct ho_handoff *row, char out[HO_ROW_SIZE], ho_error *err) HO_NODISCARD;
ho_code ho_rows_take_handoff(struct ho_handoff *row, const ho_value *columns, ho_arena *arena,
                             ho_error *err) HO_NODISCARD;

/* The parameters of a statement with HO_FILTERS (store/sql.h): `by` is its own first parameter, `usual` the limit if
 * none is set. */
#define HO_FILTERED(by, filter, usual)                                                                                 \
  HO_TEXT(by), HO_TEXT((filter)->receiver), HO_TEXT((filter)->sender), HO_TEXT((filter)->state),                       \
      HO_TEXT((filter)->kind), HO_TEXT((filter)->task), HO_TEXT((filter)->phase), HO_TEXT((filter)->session),          \
      HO_TEXT((filter)->holder), HO_INT((filter)->since), HO_INT((filter)->until),                                     \
      HO_INT((filter)->before_seq ? (filter)->before_seq : INT64_MAX), HO_TEXT((filter)->party),                       \
      HO_INT((filter)->limit ? (filter)->limit : (usual))

/* ---- Seals (seals.c) */
typedef struct ho_seal {
  int64_t n, upto, at;
  char prev[HO_DIGEST_SIZE], hash[HO_DIGEST_SIZE];
} ho_seal;
enum { HO_SEAL_EVERY = 256 }; /* events */
/* Computes the hash of a seal from the events after `since` up to seal->upto. */
ho_code ho_rows_hash_seal(ho_store *store, const ho_seal *seal, int64_t since, char out[HO_DIGEST_SIZE],
                          ho_error *err) HO_NODISCARD;
void ho_rows_take_seal(ho_seal *seal, const ho_value *columns);
#endif
