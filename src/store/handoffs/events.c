#include "store/handoffs/events.h"

#include "doc/json/json.h"
#include "store/handoffs/rows.h"
#include "store/handoffs/seals.h"

static const ho_column columns[] = {
#define X(n, kind, column, field, role) {HO_COLUMN_ROW(ho_event, kind, field), false},
    HO_EVENT_COLUMNS(X, X)
#undef X
};
enum { COLUMNS = HO_COUNT(columns) };

ho_code ho_rows_take_event(ho_event *event, const ho_value *values, ho_arena *arena, ho_error *err)
{
  return ho_columns_take(columns, COLUMNS, event, values, arena, err);
}

static void put_text(ho_buf *buf, const char *name, ho_str text)
{
  ho_buf_printf(buf, ",\"%s\":", name);
  ho_json_write_text(buf, text);
}

ho_code ho_rows_hash_event(const ho_event *event, ho_buf *buf, char out[HO_DIGEST_SIZE], ho_error *err)
{
  ho_buf_reset(buf);
  ho_buf_puts(buf, "{\"actor\":");
  ho_json_write_text(buf, event->actor);
  ho_buf_printf(buf, ",\"at\":%lld,\"data\":", (long long)event->at);
  ho_buf_put(buf, event->data);
  put_text(buf, "handoff", event->handoff);
  put_text(buf, "kind", event->kind);
  ho_buf_printf(buf, ",\"n\":%lld", (long long)event->n);
  put_text(buf, "prev", event->prev);
  put_text(buf, "row", event->row);
  ho_buf_putc(buf, '}');
  ho_code code = ho_buf_code(buf, err);
  if (!code)
    ho_digest_text(ho_buf_str(buf), out);
  return code;
}

ho_code ho_rows_insert_event(ho_store *store, const ho_event *event, ho_error *err)
{
  ho_value values[COLUMNS];
  ho_one_number seq = {0};
  ho_columns_give(columns, COLUMNS, event, values);
  ho_code code = store->driver->run(store->db, HO_SQL_EVENT_ADD, values, COLUMNS, NULL, NULL, NULL, err);
  if (!code)
    code = HO_RUN(store, HO_SQL_EVENT_NEWEST, ho_columns_take_number, &seq, NULL, err, HO_INT(0));
  if (!code && seq.value % HO_SEAL_EVERY == 0)
    code = ho_seals_add(store, event->at, err);
  return code;
}

typedef struct reading {
  ho_arena *arena;
  ho_event_list *out;
} reading;

static ho_code take_row(void *data, const ho_value *values, ho_error *err)
{
  reading *r = data;
  ho_event *event = HO_PUSH(r->arena, r->out->rows, r->out->count);
  return event ? ho_rows_take_event(event, values, r->arena, err) : ho_fail_memory(err);
}

ho_code ho_events_select(ho_store *store, ho_str id, int64_t before_seq, int64_t limit, ho_arena *arena,
                         ho_event_list *out, ho_error *err)
{
  enum { USUAL_LIMIT = 1000 };
  reading r = {.arena = arena, .out = out};
  *out = (ho_event_list){0};
  if (!limit)
    limit = USUAL_LIMIT;
  if (id.n)
    return HO_RUN(store, HO_SQL_EVENT_OF, take_row, &r, NULL, err, HO_TEXT(id), HO_INT(limit));
  return HO_RUN(store, HO_SQL_EVENT_ALL, take_row, &r, NULL, err, HO_INT(before_seq ? before_seq : INT64_MAX),
                HO_INT(limit));
}

ho_code ho_events_since(ho_store *store, int64_t after, int64_t limit, ho_arena *arena, ho_event_list *out,
                        ho_error *err)
{
  reading r = {.arena = arena, .out = out};
  *out = (ho_event_list){0};
  return HO_RUN(store, HO_SQL_EVENT_SINCE, take_row, &r, NULL, err, HO_INT(after), HO_INT(limit));
}

ho_code ho_events_whole(ho_store *store, ho_str id, ho_arena *arena, ho_event_list *out, ho_error *err)
{
  enum { MOST = 100000 };
  ho_code code = ho_events_select(store, id, 0, MOST + 1, arena, out, err);
  if (!code && out->count > MOST)
    return ho_fail(err, HO_LIMIT, "%.*s has more than %d events, so what they say together is not known", HO_ARG(id),
                   MOST);
  return code;
}

/* The event as the next one of its chain, hashed. HO_NOT_FOUND if there is no such chain, unless it may begin one. */
static ho_code chain(ho_store *store, ho_event *event, bool begins, char hash[HO_DIGEST_SIZE], ho_arena *arena,
                     ho_error *err)
{
  ho_buf buf;
  ho_event_list last = {0};
  reading r = {.arena = arena, .out = &last};
  ho_code code = HO_RUN(store, HO_SQL_EVENT_LAST, take_row, &r, NULL, err, HO_TEXT(event->handoff));
  if (code)
    return code;
  if (!last.count && !begins)
    return ho_fail(err, HO_NOT_FOUND, "there is no handoff %.*s", HO_ARG(event->handoff));
  event->n = last.count ? last.rows[0].n + 1 : 1;
  event->prev = last.count ? last.rows[0].hash : HO_EMPTY;
  event->row = last.count ? last.rows[0].row : HO_EMPTY;
  if (!event->data.n)
    event->data = HO_STR("{}");
  ho_buf_init(&buf, 0);
  code = ho_rows_hash_event(event, &buf, hash, err);
  ho_buf_free(&buf);
  event->hash = ho_str_of(hash);
  return code;
}

static ho_code add(ho_store *store, ho_str id, const ho_event *given, ho_arena *arena, ho_error *err)
{
  char hash[HO_DIGEST_SIZE];
  int64_t changed = 0;
  ho_event event = *given;
  event.handoff = id;
  ho_code code = chain(store, &event, false, hash, arena, err);
  if (code)
    return code;
  code = HO_RUN(store, HO_SQL_HANDOFF_HEAD, NULL, NULL, &changed, err, HO_TEXT(id), HO_TEXT(event.hash),
                HO_INT(event.n), HO_TEXT(event.prev));
  if (!code && !changed)
    code = ho_fail(err, HO_NOT_FOUND, "there is no handoff %.*s, or its history is damaged", HO_ARG(id));
  return code ? code : ho_rows_insert_event(store, &event, err);
}

static ho_code add_project(ho_store *store, ho_str id, const ho_event *given, ho_arena *arena, ho_error *err)
{
  char hash[HO_DIGEST_SIZE];
  ho_event event = *given;
  event.handoff = id;
  ho_code code = chain(store, &event, true, hash, arena, err);
  return code ? code : ho_rows_insert_event(store, &event, err);
}

/* Calls `how` with an arena of its own. */
static ho_code inside(ho_store *store, ho_str id, const ho_event *event,
                      ho_code (*how)(ho_store *, ho_str, const ho_event *, ho_arena *, ho_error *), ho_error *err)
{
  ho_arena arena;
  ho_code code = ho_store_must_write(store, err);
  if (code)
    return code;
  ho_arena_init(&arena, 0);
  code = how(store, id, event, &arena, err);
  ho_arena_free(&arena);
  return code;
}

ho_code ho_events_add(ho_store *store, ho_str id, const ho_event *event, ho_error *err)
{
  return inside(store, id, event, add, err);
}

ho_code ho_events_add_project(ho_store *store, const ho_event *event, ho_error *err)
{
  return inside(store, HO_EVENTS_PROJECT, event, add_project, err);
}
