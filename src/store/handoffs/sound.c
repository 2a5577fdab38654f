#include "store/handoffs/sound.h"

#include "base/digest.h"
#include "base/grow.h"
#include "store/handoffs/chain.h"
#include "store/handoffs/rows.h"

typedef struct texts {
  ho_arena arena;
  ho_str *rows;
  size_t count;
} texts;

static ho_code keep(texts *t, ho_str text, ho_error *err)
{
  ho_str *last = HO_PUSH(&t->arena, t->rows, t->count);
  if (last)
    *last = ho_arena_copy(&t->arena, text);
  return ho_arena_code(&t->arena, err);
}

static ho_code keep_first(void *data, const ho_value *values, ho_error *err)
{
  return keep(data, values[0].s, err);
}

static ho_code keep_false_digest(void *data, const ho_value *values, ho_error *err)
{
  char digest[HO_DIGEST_SIZE];
  ho_digest_text(values[2].s, digest);
  bool right = ho_str_is(values[0].s, digest) && values[1].i == (int64_t)values[2].s.n;
  return right ? HO_OK : keep(data, values[0].s, err);
}

static ho_code drop_false_bodies(ho_store *store, texts *t, ho_error *err)
{
  ho_code code = HO_RUN(store, HO_SQL_BODY_EACH, keep_false_digest, t, NULL, err, HO_INT(0));
  for (size_t i = 0; !code && i < t->count; i++)
    code = HO_RUN(store, HO_SQL_BODY_DROP, NULL, NULL, NULL, err, HO_TEXT(t->rows[i]));
  t->count = 0;
  return code;
}

ho_code ho_sound_flawed(ho_store *store, ho_text_each each, void *data, ho_error *err)
{
  texts t = {0};
  ho_arena_init(&t.arena, 0);
  ho_code code = ho_store_must_write(store, err);
  if (!code)
    code = drop_false_bodies(store, &t, err);
  if (!code)
    code = HO_RUN(store, HO_SQL_HANDOFF_IDS, keep_first, &t, NULL, err, HO_INT(0));
  for (size_t i = 0; !code && i < t.count; i++) {
    bool sound = true;
    code = ho_chain_check(store, t.rows[i], &sound, err);
    if (!code && !sound)
      code = each(data, t.rows[i], err);
  }
  t.count = 0;
  if (!code)
    code = HO_RUN(store, HO_SQL_HANDOFF_BODILESS, keep_first, &t, NULL, err, HO_INT(0));
  for (size_t i = 0; !code && i < t.count; i++)
    code = each(data, t.rows[i], err);
  ho_arena_free(&t.arena);
  return code;
}

ho_code ho_sound_drop(ho_store *store, ho_str id, ho_error *err)
{
  static const ho_sql statements[] = {HO_SQL_HANDOFF_DROP, HO_SQL_EVENT_DROP, HO_SQL_GATE_DELETE, HO_SQL_FILE_DELETE};
  ho_code code = ho_store_must_write(store, err);
  for (size_t i = 0; !code && i < HO_COUNT(statements); i++)
    code = HO_RUN(store, statements[i], NULL, NULL, NULL, err, HO_TEXT(id));
  return code;
}

ho_code ho_sound_ids(ho_store *store, ho_text_each each, void *data, ho_error *err)
{
  ho_each_text t = {each, data};
  return HO_RUN(store, HO_SQL_HANDOFF_IDS, ho_columns_take_each, &t, NULL, err, HO_INT(0));
}

ho_code ho_sound_renumber(ho_store *store, ho_error *err)
{
  ho_arena arena;
  ho_numbers n = {.arena = &arena};
  ho_arena_init(&arena, 0);
  ho_code code = ho_store_must_write(store, err);
  if (!code)
    code = HO_RUN(store, HO_SQL_SEAL_CLEAR, NULL, NULL, NULL, err, HO_INT(0));
  if (!code)
    code = HO_RUN(store, HO_SQL_EVENT_SEQS, ho_columns_take_numbers, &n, NULL, err, HO_INT(0));
  for (size_t i = 0; !code && i < n.count; i++) /* downwards, so that the number is free */
    if (n.rows[i] != (int64_t)i + 1)
      code = HO_RUN(store, HO_SQL_EVENT_RENUMBER, NULL, NULL, NULL, err, HO_INT(n.rows[i]), HO_INT((int64_t)i + 1));
  ho_arena_free(&arena);
  return code;
}
