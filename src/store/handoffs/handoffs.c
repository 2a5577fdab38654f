#include "store/handoffs/handoffs.h"

#include "doc/json/json.h"
#include "store/handoffs/bodies.h"
#include "store/handoffs/rows.h"

enum { UNHASHED, HASHED };
static const ho_column columns[] = {
#define X(n, kind, column, field, role, hashed, kept) {HO_COLUMN_ROW(ho_handoff, kind, field), hashed},
    HO_HANDOFF_COLUMNS(X, X)
#undef X
};
enum { COLUMNS = HO_COUNT(columns) };

enum { TEXT, NUMBER };
#define KEPT(kind, field) {#field, offsetof(ho_handoff, field), kind},
#define LOST(kind, field)
const ho_kept_column ho_handoff_kept[] = {
#define X(n, kind, column, field, role, hashed, kept) kept(kind, field)
    HO_HANDOFF_COLUMNS(X, X)
#undef X
        {0}};

ho_code ho_rows_take_handoff(ho_handoff *row, const ho_value *values, ho_arena *arena, ho_error *err)
{
  return ho_columns_take(columns, COLUMNS, row, values, arena, err);
}

ho_code ho_rows_print_handoff(const ho_handoff *row, char out[HO_ROW_SIZE], ho_error *err)
{
  ho_value values[COLUMNS];
  char digest[HO_DIGEST_SIZE] = "";
  ho_buf buf;
  ho_buf_init(&buf, 0);
  ho_columns_give(columns, COLUMNS, row, values);
  for (size_t i = 0; i < COLUMNS; i++) {
    if (!columns[i].hashed)
      continue;
    ho_buf_putc(&buf, buf.n ? ',' : '[');
    if (values[i].number)
      ho_buf_printf(&buf, "%lld", (long long)values[i].i);
    else
      ho_json_write_text(&buf, values[i].s);
  }
  ho_buf_putc(&buf, ']');
  ho_code code = ho_buf_code(&buf, err);
  if (!code)
    ho_digest_text(ho_buf_str(&buf), digest);
  ho_buf_free(&buf);
  memcpy(out, digest, HO_ROW_SIZE - 1);
  out[HO_ROW_SIZE - 1] = '\0';
  return code;
}

/* The event that leads to `row` as it is now; row->events counts those before it. Its hash becomes the row's head. */
static ho_code link_event(ho_handoff *row, const ho_event *given, ho_arena *arena, ho_event *out, ho_error *err)
{
  char print[HO_ROW_SIZE], hash[HO_DIGEST_SIZE];
  ho_buf buf;
  ho_code code = ho_rows_print_handoff(row, print, err);
  if (code)
    return code;
  *out = *given;
  out->handoff = row->id;
  out->n = row->events + 1;
  out->prev = row->head;
  out->row = ho_arena_copy(arena, ho_str_of(print));
  if (!out->data.n)
    out->data = HO_STR("{}");
  ho_buf_init(&buf, 0);
  code = ho_rows_hash_event(out, &buf, hash, err);
  ho_buf_free(&buf);
  if (code)
    return code;
  out->hash = ho_arena_copy(arena, ho_str_of(hash));
  return ho_arena_code(arena, err);
}

/* Ids of removed handoffs stay taken, so the events are checked too. */
static ho_code refuse_used_id(ho_store *store, ho_str id, ho_error *err)
{
  ho_one_number used = {0};
  ho_code code = HO_RUN(store, HO_SQL_HANDOFF_USED, ho_columns_take_number, &used, NULL, err, HO_TEXT(id));
  if (code || !used.found)
    return code;
  code = ho_fail(err, HO_CONFLICT, "the id %.*s is taken", HO_ARG(id));
  err->rule = "handoff-id";
  return code;
}

static ho_code refuse_used_key(ho_str key, ho_error *err)
{
  ho_code code = ho_fail(err, HO_CONFLICT, "the key %.*s belongs to another handoff", HO_ARG(key));
  err->rule = "handoff-key";
  return code;
}

ho_code ho_handoffs_add(ho_store *store, ho_handoff *row, ho_str body, const ho_event *event, ho_arena *arena,
                        ho_error *err)
{
  char digest[HO_DIGEST_SIZE];
  ho_value values[COLUMNS];
  ho_event first;
  ho_one_number seq = {0};
  int64_t added = 0;
  ho_handoff made = *row;
  ho_code code = ho_bodies_put(store, body, digest, err);
  if (!code)
    code = refuse_used_id(store, row->id, err);
  if (code)
    return code;
  made.digest = ho_arena_copy(arena, ho_str_of(digest));
  made.head = HO_EMPTY;
  made.events = 0;
  code = link_event(&made, event, arena, &first, err);
  if (code)
    return code;
  made.head = first.hash;
  made.events = 1;
  ho_columns_give(columns, COLUMNS, &made, values);
  code = store->driver->run(store->db, HO_SQL_HANDOFF_ADD, values, COLUMNS, NULL, NULL, &added, err);
  if (!code && !added)
    code = refuse_used_key(made.key, err);
  if (!code)
    code = HO_RUN(store, HO_SQL_HANDOFF_LAST, ho_columns_take_number, &seq, NULL, err, HO_INT(0));
  made.seq = seq.value;
  if (!code)
    code = HO_RUN(store, HO_SQL_DERIVED_BEGIN, NULL, NULL, NULL, err, HO_INT(made.seq - 1));
  if (!code)
    code = ho_rows_insert_event(store, &first, err);
  if (!code)
    *row = made;
  return code;
}

/* A row as it is stored: its fingerprint, and whether it is still the one that is to be changed. */
typedef struct stored_row {
  ho_str state, head; /* expected */
  bool same;
  char print[HO_ROW_SIZE];
} stored_row;

static ho_code take_stored(void *data, const ho_value *values, ho_error *err)
{
  stored_row *stored = data;
  ho_handoff row;
  ho_code code = ho_rows_take_handoff(&row, values, NULL, err);
  if (code)
    return code;
  stored->same = ho_str_eq(row.state, stored->state) && ho_str_eq(row.head, stored->head);
  return ho_rows_print_handoff(&row, stored->print, err);
}

static ho_code refuse_change(const stored_row *stored, ho_str id, ho_error *err)
{
  if (!stored->same)
    return ho_fail(err, HO_CONFLICT, "%.*s was changed by someone else; try again", HO_ARG(id));
  ho_code code = ho_fail(err, HO_STORE, "%.*s was changed outside of this program; run: handoff verify", HO_ARG(id));
  err->rule = "store-changed";
  return code;
}

ho_code ho_handoffs_change(ho_store *store, ho_handoff *row, ho_str from, const ho_event *event, ho_arena *arena,
                           ho_error *err)
{
  ho_value values[COLUMNS];
  ho_event next;
  ho_handoff made = *row;
  stored_row stored = {.state = from, .head = row->head};
  int64_t changed = 0;
  ho_code code = ho_store_must_write(store, err);
  if (!code)
    code = link_event(&made, event, arena, &next, err);
  if (!code)
    code = HO_RUN(store, HO_SQL_HANDOFF_GET, take_stored, &stored, NULL, err, HO_TEXT(row->id));
  if (code)
    return code;
  made.head = next.hash;
  made.events = next.n;
  ho_columns_give(columns, COLUMNS, &made, values);
  values[1] = HO_TEXT(from);
  values[2] = HO_TEXT(row->head);
  values[3] = HO_TEXT(ho_str_of(stored.print));
  values[4] = HO_TEXT(next.row); /* what was changed is put back */
  code = store->driver->run(store->db, HO_SQL_HANDOFF_CHANGE, values, COLUMNS, NULL, NULL, &changed, err);
  if (!code && !changed)
    code = refuse_change(&stored, row->id, err);
  if (!code)
    code = ho_rows_insert_event(store, &next, err);
  if (!code)
    *row = made;
  return code;
}

ho_code ho_handoffs_renew(ho_store *store, ho_str id, ho_str state, ho_str token, int64_t lease_until, int64_t due,
                          int64_t updated, ho_error *err)
{
  int64_t changed = 0;
  ho_code code = ho_store_must_write(store, err);
  if (!code)
    code = HO_RUN(store, HO_SQL_HANDOFF_RENEW, NULL, NULL, &changed, err, HO_TEXT(id), HO_TEXT(state), HO_TEXT(token),
                  HO_INT(lease_until), HO_INT(due), HO_INT(updated));
  if (!code && !changed)
    code = ho_fail(err, HO_CONFLICT, "%.*s is no longer claimed with this token", HO_ARG(id));
  return code;
}

/* Removes search text (if it is there yet), body, details, files and gates; the row is already gone. If it was the newest, the
 * next handoff gets its number, so no cursor may be beyond it. */
static ho_code remove_parts(ho_store *store, const ho_handoff *row, ho_str body, ho_error *err)
{
  ho_code code = HO_RUN(store, HO_SQL_SEARCH_DROP, NULL, NULL, NULL, err, HO_INT(row->seq), HO_TEXT(body));
  if (!code)
    code = HO_RUN(store, HO_SQL_DERIVED_BACK, NULL, NULL, NULL, err, HO_INT(0));
  if (!code)
    code = HO_RUN(store, HO_SQL_GATE_DELETE, NULL, NULL, NULL, err, HO_TEXT(row->id));
  if (!code)
    code = HO_RUN(store, HO_SQL_BODY_DELETE, NULL, NULL, NULL, err, HO_TEXT(row->digest), HO_TEXT(row->id));
  if (!code)
    code = HO_RUN(store, HO_SQL_FILE_DELETE, NULL, NULL, NULL, err, HO_TEXT(row->id));
  if (!code)
    code = HO_RUN(store, HO_SQL_EVENT_ERASE, NULL, NULL, NULL, err, HO_TEXT(row->id));
  return code;
}

static ho_code remove_row(ho_store *store, ho_str id, ho_str from, const ho_event *event, ho_arena *arena,
                          ho_error *err)
{
  ho_handoff row;
  ho_event last;
  ho_str body;
  int64_t changed = 0;
  stored_row stored = {.state = from};
  ho_code code = ho_handoffs_get(store, id, arena, &row, err);
  if (!code)
    code = ho_bodies_get(store, row.digest, arena, &body, err);
  stored.head = row.head;
  if (!code)
    code = HO_RUN(store, HO_SQL_HANDOFF_GET, take_stored, &stored, NULL, err, HO_TEXT(id));
  if (!code)
    code = HO_RUN(store, HO_SQL_HANDOFF_DELETE, NULL, NULL, &changed, err, HO_TEXT(id), HO_TEXT(from),
                  HO_TEXT(ho_str_of(stored.print)));
  if (!code && !changed)
    code = refuse_change(&stored, id, err);
  if (!code)
    code = remove_parts(store, &row, body, err);
  if (!code)
    code = link_event(&row, event, arena, &last, err);
  return code ? code : ho_rows_insert_event(store, &last, err);
}

ho_code ho_handoffs_remove(ho_store *store, ho_str id, ho_str from, const ho_event *event, ho_error *err)
{
  ho_arena arena;
  ho_code code = ho_store_must_write(store, err);
  if (code)
    return code;
  ho_arena_init(&arena, 0);
  code = remove_row(store, id, from, event, &arena, err);
  ho_arena_free(&arena);
  return code;
}
