#include "store/handoffs/seals.h"

#include <limits.h>
#include <stdio.h>

#include "doc/json/json.h"
#include "doc/source.h"
#include "store/handoffs/rows.h"

/* Text that is too long for a hash stays invalid. */
static void copy_hash(char out[HO_DIGEST_SIZE], ho_str text)
{
  ho_error_copy(out, HO_DIGEST_SIZE, text.n < HO_DIGEST_SIZE ? text : HO_STR("?"));
}

void ho_rows_take_seal(ho_seal *seal, const ho_value *values)
{
  *seal = (ho_seal){.n = values[0].i, .upto = values[1].i, .at = values[2].i};
  copy_hash(seal->prev, values[3].s);
  copy_hash(seal->hash, values[4].s);
}

static ho_code take_last(void *data, const ho_value *values, ho_error *err)
{
  (void)err;
  ho_rows_take_seal(data, values);
  return HO_OK;
}

/* The heads of a range: the hash of each handoff's last event. Rows come sorted by handoff and number, so the last
 * row before the handoff changes is its head. */
typedef struct heads {
  ho_digest digest;
  ho_arena arena; /* holds the previous row */
  ho_buf buf;
  ho_str handoff, hash;
  size_t count;
} heads;

static void put_head(heads *h)
{
  if (!h->handoff.n)
    return;
  ho_buf_reset(&h->buf);
  ho_buf_puts(&h->buf, h->count++ ? ",[" : "[");
  ho_json_write_text(&h->buf, h->handoff);
  ho_buf_putc(&h->buf, ',');
  ho_json_write_text(&h->buf, h->hash);
  ho_buf_putc(&h->buf, ']');
  ho_digest_put(&h->digest, ho_buf_str(&h->buf));
}

static ho_code take_head(void *data, const ho_value *values, ho_error *err)
{
  heads *h = data;
  if (!ho_str_eq(h->handoff, values[0].s))
    put_head(h);
  ho_code code = ho_buf_code(&h->buf, err);
  if (code)
    return code;
  ho_arena_reset(&h->arena);
  h->handoff = ho_arena_copy(&h->arena, values[0].s);
  h->hash = ho_arena_copy(&h->arena, values[2].s);
  return ho_arena_code(&h->arena, err);
}

ho_code ho_rows_hash_seal(ho_store *store, const ho_seal *seal, int64_t since, char out[HO_DIGEST_SIZE], ho_error *err)
{
  heads h = {.handoff = HO_EMPTY};
  char text[256];
  ho_arena_init(&h.arena, 0);
  ho_buf_init(&h.buf, 0);
  ho_digest_begin(&h.digest);
  snprintf(text, sizeof text, "{\"at\":%lld,\"heads\":[", (long long)seal->at);
  ho_digest_put(&h.digest, ho_str_of(text));
  ho_code code = HO_RUN(store, HO_SQL_EVENT_RANGE, take_head, &h, NULL, err, HO_INT(since), HO_INT(seal->upto));
  put_head(&h);
  if (!code)
    code = ho_buf_code(&h.buf, err);
  snprintf(text, sizeof text, "],\"n\":%lld,\"prev\":\"%s\",\"upto\":%lld}", (long long)seal->n, seal->prev,
           (long long)seal->upto);
  ho_digest_put(&h.digest, ho_str_of(text));
  ho_digest_end(&h.digest, out);
  ho_buf_free(&h.buf);
  ho_arena_free(&h.arena);
  return code;
}

static ho_code file_path(const ho_store *store, char path[PATH_MAX], ho_error *err)
{
  ho_arena arena;
  ho_arena_init(&arena, 0);
  ho_str seal = ho_store_seal(store, &arena);
  ho_code code = ho_arena_code(&arena, err);
  if (!code && seal.n >= PATH_MAX)
    code = ho_fail_file(err, HO_LIMIT, ho_str_of(store->folder), "the path is too long");
  if (!code)
    ho_error_copy(path, PATH_MAX, seal);
  ho_arena_free(&arena);
  return code;
}

enum { LONGEST_SIGNATURE = 300 };

/* Writes the newest seal beside the database, readable and meant to be committed to git. */
static ho_code intend_file(ho_store *store, const ho_seal_row *seal, ho_error *err)
{
  char path[PATH_MAX], text[512];
  ho_code code = file_path(store, path, err);
  if (code)
    return code;
  int n = snprintf(text, sizeof text, "{\"n\":%lld,\"upto\":%lld,\"at\":%lld,\"hash\":\"%.*s\"", (long long)seal->n,
                   (long long)seal->upto, (long long)seal->at, HO_ARG(seal->hash));
  /* One that is longer than any was not made by the program: verify names it, and it is not handed on. */
  if (seal->signature.n && seal->signature.n + seal->signer.n <= LONGEST_SIGNATURE && n > 0)
    n += snprintf(text + n, sizeof text - (size_t)n, ",\"signature\":\"%.*s\",\"signer\":\"%.*s\"",
                  HO_ARG(seal->signature), HO_ARG(seal->signer));
  if (n < 0 || (size_t)n + 3 > sizeof text)
    return ho_fail(err, HO_BUG, "a seal is too long");
  snprintf(text + n, sizeof text - (size_t)n, "}\n");
  return ho_store_intend(store, ho_str_of(path), ho_str_of(text), HO_INTENT_DERIVED, err);
}

ho_seal_row ho_seals_parse(ho_arena *arena, ho_str text)
{
  ho_source source;
  ho_node *map = NULL;
  ho_error err;
  if (ho_source_init(&source, arena, HO_STR("seal"), text, &err) || ho_json_read(&source, 0, arena, NULL, &map, &err) ||
      !ho_node_is(ho_map_getz(map, "hash"), HO_KIND_TEXT))
    return (ho_seal_row){0};
  return (ho_seal_row){.n = ho_map_int(map, "n"),
                       .upto = ho_map_int(map, "upto"),
                       .at = ho_map_int(map, "at"),
                       .hash = ho_map_str(map, "hash"),
                       .signature = ho_map_str(map, "signature"),
                       .signer = ho_map_str(map, "signer")};
}

ho_code ho_seals_add(ho_store *store, int64_t at, ho_error *err)
{
  ho_seal last = {0}, seal = {.at = at};
  ho_one_number newest = {0};
  ho_code code = ho_store_must_write(store, err);
  if (!code)
    code = HO_RUN(store, HO_SQL_SEAL_LAST, take_last, &last, NULL, err, HO_INT(0));
  if (!code)
    code = HO_RUN(store, HO_SQL_EVENT_NEWEST, ho_columns_take_number, &newest, NULL, err, HO_INT(0));
  if (code || newest.value <= last.upto)
    return code;
  seal.n = last.n + 1;
  seal.upto = newest.value;
  memcpy(seal.prev, last.hash, sizeof seal.prev);
  code = ho_rows_hash_seal(store, &seal, last.upto, seal.hash, err);
  if (!code)
    code = HO_RUN(store, HO_SQL_SEAL_ADD, NULL, NULL, NULL, err, HO_INT(seal.n), HO_INT(seal.upto), HO_INT(seal.at),
                  HO_TEXT(ho_str_of(seal.prev)), HO_TEXT(ho_str_of(seal.hash)));
  ho_seal_row row = {.n = seal.n, .upto = seal.upto, .at = seal.at, .hash = ho_str_of(seal.hash)};
  return code ? code : intend_file(store, &row, err);
}

typedef struct reading {
  ho_arena *arena;
  ho_seal_list *out;
} reading;

static ho_code take_row(void *data, const ho_value *values, ho_error *err)
{
  reading *r = data;
  ho_seal_row *seal = HO_PUSH(r->arena, r->out->rows, r->out->count);
  if (!seal)
    return ho_fail_memory(err);
  *seal = (ho_seal_row){.n = values[0].i,
                        .upto = values[1].i,
                        .at = values[2].i,
                        .prev = ho_arena_copy(r->arena, values[3].s),
                        .hash = ho_arena_copy(r->arena, values[4].s),
                        .signature = ho_arena_copy(r->arena, values[5].s),
                        .signer = ho_arena_copy(r->arena, values[6].s)};
  return ho_arena_code(r->arena, err);
}

ho_code ho_seals_select(ho_store *store, bool newest, ho_arena *arena, ho_seal_list *out, ho_error *err)
{
  reading r = {.arena = arena, .out = out};
  *out = (ho_seal_list){0};
  return HO_RUN(store, newest ? HO_SQL_SEAL_LAST : HO_SQL_SEAL_EACH, take_row, &r, NULL, err, HO_INT(0));
}

ho_code ho_seals_file(ho_store *store, ho_arena *arena, ho_seal_row *out, bool *there, bool *unfinished, ho_error *err)
{
  enum { FILE_LIMIT = 4096 };
  char path[PATH_MAX];
  ho_str text = HO_EMPTY;
  ho_error none;
  int64_t count = 0;
  ho_code code = file_path(store, path, err);
  if (!code)
    code = ho_store_unfinished(store, ho_fs_relative(ho_str_of(store->root), ho_str_of(path)), &count, err);
  if (code)
    return code;
  *unfinished = count > 0;
  *there = ho_fs_exists(path);
  code = ho_fs_read(arena, path, FILE_LIMIT, &text, &none);
  *out = code ? (ho_seal_row){0} : ho_seals_parse(arena, text);
  return ho_arena_code(arena, err);
}

ho_code ho_seals_restore_file(ho_store *store, bool *wrote, ho_error *err)
{
  char path[PATH_MAX];
  ho_arena arena;
  ho_seal_list seals;
  ho_code code = file_path(store, path, err);
  *wrote = false;
  if (code || ho_fs_exists(path))
    return code;
  ho_arena_init(&arena, 0);
  code = ho_seals_select(store, true, &arena, &seals, err);
  if (!code && seals.count)
    code = intend_file(store, &seals.rows[0], err);
  *wrote = !code && seals.count;
  ho_arena_free(&arena);
  return code;
}

ho_code ho_seals_sign(ho_store *store, const ho_seal_row *seal, ho_error *err)
{
  ho_code code = ho_store_must_write(store, err);
  if (!code)
    code = HO_RUN(store, HO_SQL_SEAL_SIGN, NULL, NULL, NULL, err, HO_INT(seal->n), HO_TEXT(seal->signature),
                  HO_TEXT(seal->signer));
  return code ? code : intend_file(store, seal, err);
}
