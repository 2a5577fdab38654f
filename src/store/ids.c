/* Ids, small named values, and counts. */
#include <sys/stat.h>

#include "store/columns.h"

enum { BLOCK_MAX = 16 };

static ho_code raise_to(ho_store *store, ho_str scope, int64_t next, ho_error *err)
{
  if (ho_reached_next(store, scope)) /* authors use any */
    ho_reached_give(store, scope, next);
  return HO_RUN(store, HO_SQL_IDS_RAISE, NULL, NULL, NULL, err, HO_TEXT(scope), HO_INT(next));
}

static ho_code reserve(ho_store *store, ho_str scope, ho_error *err)
{
  ho_id_block *block = &store->block;
  ho_one_number first = {0};
  int64_t reached = ho_reached_next(store, scope);
  if (scope.n >= sizeof block->scope)
    return ho_fail(err, HO_LIMIT, "the scope of an id is longer than %zu bytes", sizeof block->scope - 1);
  if (!ho_str_is(scope, block->scope) || block->size == 0)
    block->size = 1;
  ho_code code =
      HO_RUN(store, HO_SQL_IDS_RESERVE, ho_columns_take_number, &first, NULL, err, HO_TEXT(scope), HO_INT(block->size));
  if (!code && first.value < reached) { /* the store is a backup: these were given since */
    code = raise_to(store, scope, reached, err);
    if (!code)
      code = HO_RUN(store, HO_SQL_IDS_RESERVE, ho_columns_take_number, &first, NULL, err, HO_TEXT(scope),
                    HO_INT(block->size));
  }
  if (code)
    return code;
  ho_reached_give(store, scope, first.value + block->size);
  store->reserved = true;
  ho_error_copy(block->scope, sizeof block->scope, scope);
  block->next = first.value;
  block->end = first.value + block->size;
  if (block->size < BLOCK_MAX)
    block->size *= 2;
  return HO_OK;
}

ho_code ho_store_id(ho_store *store, ho_str scope, ho_arena *arena, ho_str *out, ho_error *err)
{
  ho_id_block *block = &store->block;
  ho_one_number used = {.found = true};
  ho_code code = ho_store_must_write(store, err);
  while (!code && used.found) { /* an author may have used an id that is still to come: skip it */
    if (block->next >= block->end || !ho_str_is(scope, block->scope))
      code = reserve(store, scope, err);
    if (code)
      return code;
    *out = ho_arena_printf(arena, "%.*s-%03lld", HO_ARG(scope), (long long)block->next++);
    used.found = false;
    code = ho_arena_code(arena, err);
    if (!code)
      code = HO_RUN(store, HO_SQL_ID_USED, ho_columns_take_number, &used, NULL, err, HO_TEXT(*out));
  }
  return code;
}

ho_code ho_store_id_used(ho_store *store, ho_str id, ho_error *err)
{
  uint64_t number;
  size_t dash = id.n;
  while (dash && id.p[dash - 1] != '-')
    dash--;
  ho_code code = ho_store_must_write(store, err);
  if (code || dash < 2 || !ho_str_to_u64(ho_str_sub(id, dash, id.n), &number) || number >= INT32_MAX)
    return code;
  return raise_to(store, ho_str_sub(id, 0, dash - 1), (int64_t)number + 1, err);
}

ho_code ho_store_id_next(ho_store *store, ho_str scope, int64_t *out, ho_error *err)
{
  ho_one_number next = {0};
  ho_code code = HO_RUN(store, HO_SQL_IDS_NEXT, ho_columns_take_number, &next, NULL, err, HO_TEXT(scope));
  *out = next.found ? next.value : 1;
  return code;
}

ho_code ho_store_meta_get(ho_store *store, ho_str name, ho_arena *arena, ho_str *out, ho_error *err)
{
  ho_one_text value = {.arena = arena};
  ho_code code = HO_RUN(store, HO_SQL_META_GET, ho_columns_take_text, &value, NULL, err, HO_TEXT(name));
  *out = value.found ? value.value : HO_EMPTY;
  return code;
}

ho_code ho_store_meta_set(ho_store *store, ho_str name, ho_str value, ho_error *err)
{
  ho_code code = ho_store_must_write(store, err);
  return code ? code : HO_RUN(store, HO_SQL_META_SET, NULL, NULL, NULL, err, HO_TEXT(name), HO_TEXT(value));
}

static ho_code take_counts(void *data, const ho_value *values, ho_error *err)
{
  (void)err;
  *(ho_store_numbers *)data = (ho_store_numbers){
      .handoffs = values[0].i,
      .events = values[1].i,
      .bodies = values[2].i,
      .body_bytes = values[3].i,
      .seals = values[4].i,
      .gates_open = values[5].i,
  };
  return HO_OK;
}

ho_code ho_store_count(ho_store *store, ho_store_numbers *out, ho_error *err)
{
  struct stat info;
  ho_code code = HO_RUN(store, HO_SQL_COUNTS, take_counts, out, NULL, err, HO_INT(0));
  if (!code && ho_fs_stat(store->path, &info) == 0)
    out->bytes = info.st_size;
  return code;
}
