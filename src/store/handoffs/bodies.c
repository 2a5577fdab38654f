#include "store/handoffs/bodies.h"

#include "base/digest.h"
#include "store/columns.h"

ho_code ho_bodies_put(ho_store *store, ho_str body, char *digest, ho_error *err)
{
  ho_code code = ho_store_must_write(store, err);
  if (code)
    return code;
  ho_digest_text(body, digest);
  return HO_RUN(store, HO_SQL_BODY_PUT, NULL, NULL, NULL, err, HO_TEXT(ho_str_of(digest)), HO_INT((int64_t)body.n),
                HO_TEXT(body));
}

ho_code ho_bodies_get(ho_store *store, ho_str digest, ho_arena *arena, ho_str *out, ho_error *err)
{
  char now[HO_DIGEST_SIZE];
  ho_one_text body = {.arena = arena};
  ho_code code = HO_RUN(store, HO_SQL_BODY_GET, ho_columns_take_text, &body, NULL, err, HO_TEXT(digest));
  if (!code && !body.found)
    code = ho_fail(err, HO_NOT_FOUND, "there is no body %.*s", HO_ARG(digest));
  *out = body.found ? body.value : HO_EMPTY;
  if (code)
    return code;
  ho_digest_text(*out, now);
  if (ho_str_is(digest, now))
    return HO_OK;
  *out = HO_EMPTY;
  code = ho_fail(err, HO_STORE, "the document with SHA-256 %.*s was changed in the store; run: handoff verify",
                 HO_ARG(digest));
  err->rule = "store-changed";
  return code;
}

ho_code ho_bodies_has(ho_store *store, ho_str digest, bool *out, ho_error *err)
{
  ho_one_number found = {0};
  ho_code code = HO_RUN(store, HO_SQL_BODY_HAS, ho_columns_take_number, &found, NULL, err, HO_TEXT(digest));
  *out = !code && found.value;
  return code;
}

typedef struct pair {
  ho_arena *arena;
  ho_str *first, *second;
} pair;

static ho_code take_pair(void *data, const ho_value *values, ho_error *err)
{
  pair *p = data;
  *p->first = ho_arena_copy(p->arena, values[0].s);
  *p->second = ho_arena_copy(p->arena, values[1].s);
  return ho_arena_code(p->arena, err);
}

ho_code ho_bodies_newest(ho_store *store, ho_str task, ho_str kind, ho_arena *arena, ho_str *path, ho_str *out,
                         ho_error *err)
{
  pair p = {.arena = arena, .first = path, .second = out};
  *path = *out = HO_EMPTY;
  return HO_RUN(store, HO_SQL_BODY_NEWEST, take_pair, &p, NULL, err, HO_TEXT(task), HO_TEXT(kind));
}
