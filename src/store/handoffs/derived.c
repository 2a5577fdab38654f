#include "store/handoffs/derived.h"

#include "store/columns.h"
#include "store/handoffs/rows.h"

static ho_value cursor(ho_derived what)
{
  static const char *const names[HO_DERIVED_COUNT] = {HO_CURSOR_SEARCH, HO_CURSOR_KNOWLEDGE};
  return HO_TEXT(ho_str_of(names[what]));
}

typedef struct gap {
  int64_t after, newest;
} gap;

static ho_code take_gap(void *data, const ho_value *values, ho_error *err)
{
  (void)err;
  *(gap *)data = (gap){values[0].i, values[1].i};
  return HO_OK;
}

ho_code ho_derived_gap(ho_store *store, ho_derived what, int64_t *after, int64_t *newest, ho_error *err)
{
  gap found = {0};
  ho_code code = HO_RUN(store, HO_SQL_DERIVED_GAP, take_gap, &found, NULL, err, cursor(what));
  *after = found.after;
  *newest = found.newest;
  return code;
}

ho_code ho_derived_end(ho_store *store, int64_t after, int64_t limit, int64_t *out, ho_error *err)
{
  ho_one_number end = {0};
  ho_code code =
      HO_RUN(store, HO_SQL_DERIVED_END, ho_columns_take_number, &end, NULL, err, HO_INT(after), HO_INT(limit));
  *out = end.value;
  return code;
}

ho_code ho_derived_set(ho_store *store, ho_derived what, int64_t upto, ho_error *err)
{
  ho_code code = ho_store_must_write(store, err);
  return code ? code : HO_RUN(store, HO_SQL_META_SET, NULL, NULL, NULL, err, cursor(what), HO_INT(upto));
}

ho_code ho_derived_apart(ho_store *store, ho_error *err)
{
  ho_db *copy = NULL;
  if (!store->driver->read_only(store->db))
    return HO_OK;
  ho_code code = store->driver->scratch(store->db, &copy, err);
  if (code)
    return code;
  store->driver->close(store->db);
  store->db = copy;
  store->apart = true;
  return HO_OK;
}

/* In the private copy: there is nobody to wait for, and nothing that must last. */
static ho_code write_apart(ho_store *store, ho_store_work work, void *data, ho_error *err)
{
  ho_code code = store->driver->begin(store->db, HO_BEGIN_WRITE, err);
  if (code)
    return code;
  store->writing = true;
  code = work(store, data, err);
  store->writing = false;
  if (!code)
    code = store->driver->commit(store->db, err);
  if (code)
    store->driver->rollback(store->db);
  return code;
}

ho_code ho_derived_write(ho_store *store, int wait_ms, ho_store_work work, void *data, ho_error *err)
{
  if (store->apart)
    return write_apart(store, work, data, err);
  int usual = ho_store_patience(store, wait_ms ? wait_ms : store->wait_ms);
  ho_code code = ho_store_write(store, work, data, err);
  ho_store_patience(store, usual);
  return code;
}
