#include "store/handoffs/chain.h"

#include <inttypes.h>

#include "store/handoffs/derived.h"
#include "store/handoffs/events.h"
#include "store/handoffs/handoffs.h"
#include "store/handoffs/rows.h"
#include "store/handoffs/seals.h"
#include "store/handoffs/search.h"

typedef struct verifying {
  ho_store *store;
  const ho_store_watch *watch; /* or NULL */
  ho_flaw_each each;
  void *data;
  ho_arena arena; /* holds the previous event */
  ho_buf buf;

  ho_event last;    /* of the current chain; handoff empty: none yet */
  int64_t erased;   /* how many of its events have no content */
  int64_t next_seq; /* expected */
  ho_seal seal;     /* the previous one */

  int64_t done, total; /* of what is being read now */
  bool flawed;         /* something was reported */
} verifying;

static ho_code report(verifying *v, const char *part, ho_error *err, ho_str name, const char *format, ...)
    HO_PRINTF(5, 6);

static ho_code report(verifying *v, const char *part, ho_error *err, ho_str name, const char *format, ...)
{
  va_list args;
  ho_flaw flaw = {.part = part};
  ho_error_copy(flaw.name, sizeof flaw.name, name);
  va_start(args, format);
  vsnprintf(flaw.message, sizeof flaw.message, format, args);
  va_end(args);
  v->flawed = true;
  return v->each(v->data, &flaw, err);
}

static ho_code report_event(verifying *v, const ho_event *event, const char *message, ho_error *err)
{
  char name[160];
  snprintf(name, sizeof name, "%.*s #%" PRId64, HO_ARG(ho_str_sub(event->handoff, 0, 100)), event->n);
  return report(v, "event", err, ho_str_of(name), "%s", message);
}

/* Every thousandth time it is told, so that telling costs nothing. */
static void show(verifying *v, const char *what)
{
  enum { SELDOM = 1000 };
  if (++v->done % SELDOM == 0 && v->watch && v->watch->show && v->done <= v->total)
    v->watch->show(v->watch->world, (size_t)v->done, (size_t)v->total, what);
}

/* ---- Chains */

static ho_code take_handoff(void *data, const ho_value *values, ho_error *err)
{
  *((ho_handoff **)data)[0] = (ho_handoff){0};
  return ho_rows_take_handoff(((ho_handoff **)data)[0], values, ((ho_arena **)data)[1], err);
}

/* Compares the row with the last event of its chain. */
static ho_code check_row(verifying *v, const ho_handoff *row, ho_error *err)
{
  char print[HO_ROW_SIZE];
  ho_code code = HO_OK;
  if (!ho_str_eq(row->head, v->last.hash) || row->events != v->last.n)
    code = report(v, "handoff", err, row->id, "its newest event is not the expected one: #%" PRId64 " of %" PRId64,
                  v->last.n, row->events);
  if (!code)
    code = ho_rows_print_handoff(row, print, err);
  if (!code && !ho_str_is(v->last.row, print))
    code = report(v, "handoff", err, row->id, "its row was changed without an event");
  if (!code && v->erased)
    code = report(v, "handoff", err, row->id, "the content of %" PRId64 " of its events is gone", v->erased);
  return code;
}

/* At the end of a chain its row must match, or its removal must be complete. */
static ho_code end_chain(verifying *v, ho_error *err)
{
  ho_handoff row = {0};
  ho_arena arena;
  if (!v->last.handoff.n || ho_str_eq(v->last.handoff, HO_EVENTS_PROJECT))
    return HO_OK;
  ho_arena_init(&arena, 0);
  void *target[] = {&row, &arena};
  ho_code code = HO_RUN(v->store, HO_SQL_HANDOFF_GET, take_handoff, target, NULL, err, HO_TEXT(v->last.handoff));
  if (!code)
    code = ho_arena_code(&arena, err);
  if (!code && row.id.n)
    code = check_row(v, &row, err);
  else if (!code && (v->last.n < 2 || v->erased != v->last.n - 1 || !v->last.data.n))
    code = report(v, "handoff", err, v->last.handoff, "its row is missing, although its history is there");
  ho_arena_free(&arena);
  return code;
}

static ho_code check_link(verifying *v, const ho_event *event, ho_error *err)
{
  char hash[HO_DIGEST_SIZE];
  bool first = !ho_str_eq(event->handoff, v->last.handoff);
  int64_t expected = first ? 1 : v->last.n + 1;
  if (event->n != expected)
    return report_event(v, event, "events before it are missing", err);
  if (!ho_str_eq(event->prev, first ? HO_EMPTY : v->last.hash))
    return report_event(v, event, "it does not follow the event before it", err);
  if (!event->data.n)
    return HO_OK; /* removed: only its hash is left */
  ho_code code = ho_rows_hash_event(event, &v->buf, hash, err);
  if (!code && !ho_str_is(event->hash, hash))
    code = report_event(v, event, "its content does not match its hash", err);
  return code;
}

static ho_code take_event(void *data, const ho_value *values, ho_error *err)
{
  verifying *v = data;
  ho_event event;
  ho_code code = ho_rows_take_event(&event, values, NULL, err);
  if (code)
    return code;
  bool first = !ho_str_eq(event.handoff, v->last.handoff);
  code = first ? end_chain(v, err) : HO_OK;
  if (!code)
    code = check_link(v, &event, err);
  if (code)
    return code;
  show(v, "event");
  v->erased = (first ? 0 : v->erased) + !event.data.n;
  ho_arena_reset(&v->arena);
  return ho_rows_take_event(&v->last, values, &v->arena, err);
}

static ho_code take_seq(void *data, const ho_value *values, ho_error *err)
{
  verifying *v = data;
  char name[48];
  int64_t seq = values[0].i, missing = v->next_seq;
  v->next_seq = seq + 1;
  if (seq == missing)
    return HO_OK;
  snprintf(name, sizeof name, "%" PRId64, missing);
  return report(v, "event", err, ho_str_of(name), "%" PRId64 " events from the project's event %" PRId64 " are missing",
                seq - missing, missing);
}

static ho_code take_bare(void *data, const ho_value *values, ho_error *err)
{
  return report(data, "handoff", err, values[0].s, "it has no events");
}

/* Which of two is newer follows from their numbers, and those from the order in which they were sent. */
static ho_code take_misplaced(void *data, const ho_value *values, ho_error *err)
{
  return report(data, "handoff", err, values[0].s,
                "its number in the store is not in the order in which handoffs were sent");
}

static ho_code check_chains(verifying *v, ho_error *err)
{
  ho_one_number newest = {0};
  ho_code code = HO_RUN(v->store, HO_SQL_EVENT_NEWEST, ho_columns_take_number, &newest, NULL, err, HO_INT(0));
  v->done = 0;
  v->total = newest.value;
  if (!code)
    code = HO_RUN(v->store, HO_SQL_EVENT_CHAINS, take_event, v, NULL, err, HO_INT(0));
  if (!code)
    code = end_chain(v, err);
  v->next_seq = 1;
  if (!code)
    code = HO_RUN(v->store, HO_SQL_EVENT_SEQS, take_seq, v, NULL, err, HO_INT(0));
  if (!code)
    code = HO_RUN(v->store, HO_SQL_HANDOFF_MISPLACED, take_misplaced, v, NULL, err, HO_INT(0));
  return code ? code : HO_RUN(v->store, HO_SQL_HANDOFF_BARE, take_bare, v, NULL, err, HO_INT(0));
}

/* ---- Bodies */

static ho_code take_body(void *data, const ho_value *values, ho_error *err)
{
  char digest[HO_DIGEST_SIZE];
  show(data, "document");
  ho_digest_text(values[2].s, digest);
  if (ho_str_is(values[0].s, digest) && values[1].i == (int64_t)values[2].s.n)
    return HO_OK;
  return report(data, "body", err, values[0].s, "its content does not match its digest");
}

static ho_code take_bodiless(void *data, const ho_value *values, ho_error *err)
{
  return report(data, "body", err, values[1].s, "it is missing, but %.*s needs it", HO_ARG(values[0].s));
}

static ho_code check_bodies(verifying *v, ho_error *err)
{
  int64_t derived;
  ho_code code = ho_derived_gap(v->store, HO_DERIVED_SEARCH, &derived, &v->total, err);
  v->done = 0;
  if (!code)
    code = HO_RUN(v->store, HO_SQL_BODY_EACH, take_body, v, NULL, err, HO_INT(0));
  return code ? code : HO_RUN(v->store, HO_SQL_HANDOFF_BODILESS, take_bodiless, v, NULL, err, HO_INT(0));
}

/* ---- Seals */

static ho_code report_seal(verifying *v, int64_t n, const char *message, ho_error *err)
{
  char name[48];
  snprintf(name, sizeof name, "%" PRId64, n);
  return report(v, "seal", err, ho_str_of(name), "%s", message);
}

static ho_code take_seal(void *data, const ho_value *values, ho_error *err)
{
  verifying *v = data;
  ho_seal seal, before = v->seal;
  char hash[HO_DIGEST_SIZE];
  ho_rows_take_seal(&seal, values);
  v->seal = seal;
  if (seal.n != before.n + 1)
    return report_seal(v, before.n + 1, "it is missing", err);
  if (strcmp(seal.prev, before.hash) != 0)
    return report_seal(v, seal.n, "it does not follow the seal before it", err);
  ho_code code = ho_rows_hash_seal(v->store, &seal, before.upto, hash, err);
  if (!code && strcmp(seal.hash, hash) != 0)
    code = report_seal(v, seal.n, "it does not match the events it covers", err);
  return code;
}

static ho_code check_seals(verifying *v, ho_error *err)
{
  int64_t newest = v->next_seq - 1;
  ho_code code = HO_RUN(v->store, HO_SQL_SEAL_EACH, take_seal, v, NULL, err, HO_INT(0));
  if (!code && v->seal.upto < newest / HO_SEAL_EVERY * HO_SEAL_EVERY)
    code = report_seal(v, v->seal.n + 1, "it is missing", err);
  return code;
}

static ho_code verify_all(ho_store *store, void *data, ho_error *err)
{
  verifying *v = data;
  (void)store;
  ho_code code = check_chains(v, err);
  if (!code)
    code = check_bodies(v, err);
  return code ? code : check_seals(v, err);
}

ho_code ho_chain_verify(ho_store *store, const ho_store_watch *watch, ho_flaw_each each, void *data, ho_error *err)
{
  verifying v = {.store = store, .watch = watch, .each = each, .data = data, .last.handoff = HO_EMPTY};
  ho_arena_init(&v.arena, 0);
  ho_buf_init(&v.buf, 0);
  ho_code code = ho_store_read(store, verify_all, &v, err);
  ho_buf_free(&v.buf);
  ho_arena_free(&v.arena);
  return code;
}

/* ---- One handoff */

static ho_code check_one(verifying *v, ho_str handoff, ho_error *err)
{
  enum { MOST = 1000000 };
  ho_arena_init(&v->arena, 0);
  ho_buf_init(&v->buf, 0);
  ho_code code = HO_RUN(v->store, HO_SQL_EVENT_OF, take_event, v, NULL, err, HO_TEXT(handoff), HO_INT(MOST));
  if (!code && !v->last.handoff.n)
    code = report(v, "handoff", err, handoff, "it has no events");
  else if (!code)
    code = end_chain(v, err);
  ho_buf_free(&v->buf);
  ho_arena_free(&v->arena);
  return code;
}

ho_code ho_chain_verify_one(ho_store *store, ho_str handoff, ho_flaw_each each, void *data, ho_error *err)
{
  verifying v = {.store = store, .each = each, .data = data, .last.handoff = HO_EMPTY};
  return check_one(&v, handoff, err);
}

static ho_code ignore_flaw(void *data, const ho_flaw *flaw, ho_error *err)
{
  (void)data;
  (void)flaw;
  (void)err;
  return HO_OK;
}

ho_code ho_chain_check(ho_store *store, ho_str handoff, bool *sound, ho_error *err)
{
  verifying v = {.store = store, .each = ignore_flaw, .last.handoff = HO_EMPTY};
  ho_code code = check_one(&v, handoff, err);
  *sound = !v.flawed;
  return code;
}

/* ---- The newest seal, and its file */

/* Keeps the last two. */
static ho_code take_newer(void *data, const ho_value *values, ho_error *err)
{
  ho_seal *last = data;
  (void)err;
  last[0] = last[1];
  ho_rows_take_seal(&last[1], values);
  return HO_OK;
}

ho_code ho_chain_verify_seal(ho_store *store, ho_flaw_each each, void *data, ho_error *err)
{
  char hash[HO_DIGEST_SIZE];
  verifying v = {.store = store, .each = each, .data = data};
  ho_seal last[2] = {{0}, {0}};
  ho_code code = HO_RUN(store, HO_SQL_SEAL_EACH, take_newer, last, NULL, err, HO_INT(0));
  if (!code && last[1].n)
    code = ho_rows_hash_seal(store, &last[1], last[0].upto, hash, err);
  if (!code && last[1].n && strcmp(last[1].hash, hash) != 0)
    code = report_seal(&v, last[1].n, "it does not match the events it covers", err);
  return code;
}

/* What is wrong with what the file says about this seal, or NULL. */
static const char *compare_file(const ho_seal_row *file, const ho_seal_row *seal)
{
  if (!ho_str_eq(file->hash, seal->hash))
    return "the file `seal` has a different hash for it";
  bool same = ho_str_eq(file->signature, seal->signature) && ho_str_eq(file->signer, seal->signer);
  return file->signature.n && !same ? "the file `seal` has a signature for it that the store does not have" : NULL;
}

static ho_code check_seal_file(verifying *v, ho_error *err)
{
  ho_seal_list seals;
  ho_seal_row file;
  bool there, unfinished;
  const char *wrong = NULL;
  ho_code code = ho_seals_file(v->store, &v->arena, &file, &there, &unfinished, err);
  if (!code)
    code = ho_seals_select(v->store, false, &v->arena, &seals, err);
  if (code || unfinished || (!seals.count && !file.n))
    return code;
  if (!file.n)
    return report_seal(v, seals.rows[seals.count - 1].n,
                       there ? "the file `seal` cannot be read; move it away, then run: handoff repair"
                             : "the file `seal` is missing; run: handoff repair",
                       err);
  if (!seals.count || file.n > seals.rows[seals.count - 1].n)
    return report_seal(v, file.n, "the file `seal` names it, but the store does not have it", err);
  for (size_t i = 0; i < seals.count; i++)
    if (seals.rows[i].n == file.n)
      wrong = compare_file(&file, &seals.rows[i]);
  return wrong ? report_seal(v, file.n, wrong, err) : HO_OK;
}

ho_code ho_chain_verify_seal_file(ho_store *store, ho_flaw_each each, void *data, ho_error *err)
{
  verifying v = {.store = store, .each = each, .data = data};
  ho_arena_init(&v.arena, 0);
  ho_code code = check_seal_file(&v, err);
  ho_arena_free(&v.arena);
  return code;
}

/* ---- The database itself */

static ho_code take_fault(void *data, const ho_value *values, ho_error *err)
{
  verifying *v = data;
  return report(v, "database", err, ho_str_of(v->store->path), "%.*s", HO_ARG(values[0].s));
}

/* Compares the full-text index with the bodies. What is not derived yet need not be in it. */
static ho_code check_search(ho_store *store, void *data, ho_error *err)
{
  verifying *v = data;
  int64_t derived, newest;
  bool same = false;
  ho_code code = ho_derived_gap(store, HO_DERIVED_SEARCH, &derived, &newest, err);
  if (!code)
    code = store->driver->indexed(store->db, "search", HO_SQL_SEARCH_TEXTS, &HO_INT(derived), 1, &same, err);
  return code || same ? code
                      : report(v, "search", err, HO_STR("search"), "the full-text index does not match the bodies");
}

ho_code ho_chain_check_database(ho_store *store, bool quick, ho_flaw_each each, void *data, ho_error *err)
{
  verifying v = {.store = store, .each = each, .data = data};
  ho_code code = store->driver->check(store->db, quick, take_fault, &v, err);
  return code || quick || v.flawed ? code : ho_store_read(store, check_search, &v, err);
}
