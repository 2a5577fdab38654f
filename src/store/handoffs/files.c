#include "store/handoffs/files.h"

#include "base/digest.h"
#include "store/columns.h"

HO_WORDS(ho_file_kinds, "a kind of file", NULL, HO_FILE_KINDS);

#define HO_COLUMN_FILE_KIND false, &ho_file_kinds
static const ho_column columns[] = {
#define X(n, kind, column, field, role) {HO_COLUMN_ROW(ho_file, kind, field), false},
    HO_FILE_COLUMNS(X, X)
#undef X
};
enum { COLUMNS = HO_COUNT(columns) };

ho_code ho_files_put(ho_store *store, const ho_file *file, ho_error *err)
{
  ho_value values[COLUMNS];
  ho_code code = ho_store_must_write(store, err);
  if (code)
    return code;
  ho_columns_give(columns, COLUMNS, file, values);
  return store->driver->run(store->db, HO_SQL_FILE_PUT, values, COLUMNS, NULL, NULL, NULL, err);
}

ho_code ho_files_put_only(ho_store *store, const ho_file *file, ho_error *err)
{
  ho_code code = ho_files_put(store, file, err);
  return code ? code
              : HO_RUN(store, HO_SQL_FILE_DROP, NULL, NULL, NULL, err, HO_TEXT(file->handoff),
                       HO_TEXT(ho_words_str(&ho_file_kinds, file->kind)), HO_TEXT(file->path));
}

typedef struct reading {
  ho_arena *arena;
  ho_file_list *out;
} reading;

static ho_code take_file(void *data, const ho_value *values, ho_error *err)
{
  reading *r = data;
  ho_file *file = HO_PUSH(r->arena, r->out->rows, r->out->count);
  return file ? ho_columns_take(columns, COLUMNS, file, values, r->arena, err) : ho_fail_memory(err);
}

ho_code ho_files_select(ho_store *store, ho_str handoff, ho_arena *arena, ho_file_list *out, ho_error *err)
{
  reading r = {.arena = arena, .out = out};
  *out = (ho_file_list){0};
  return HO_RUN(store, HO_SQL_FILE_SELECT, take_file, &r, NULL, err, HO_TEXT(handoff));
}

ho_code ho_files_naming(ho_store *store, ho_str path, ho_text_each each, void *data, ho_error *err)
{
  ho_each_text ids = {each, data};
  return HO_RUN(store, HO_SQL_FILE_NAMING, ho_columns_take_each, &ids, NULL, err, HO_TEXT(path));
}

ho_code ho_files_move(ho_store *store, ho_str handoff, ho_str from, ho_str to, ho_arena *arena, ho_error *err)
{
  ho_file_list files;
  ho_code code = ho_files_select(store, handoff, arena, &files, err);
  for (size_t i = 0; !code && i < files.count; i++) {
    ho_file moved = files.rows[i];
    if (moved.kind == HO_FILE_ARCHIVE || !ho_str_eq(moved.path, from))
      continue;
    moved.path = to;
    code = ho_files_put(store, &moved, err);
  }
  return code ? code : HO_RUN(store, HO_SQL_FILE_LEFT, NULL, NULL, NULL, err, HO_TEXT(handoff), HO_TEXT(from));
}

static int by_name(const void *a, const void *b)
{
  const ho_file *x = a, *y = b;
  return x->kind != y->kind ? (x->kind < y->kind ? -1 : 1) : ho_str_cmp(x->path, y->path);
}

ho_str ho_files_digest(ho_arena *arena, const ho_file *files, size_t count)
{
  ho_digest digest;
  char out[HO_DIGEST_SIZE];
  size_t known = 0;
  ho_file *sorted = ho_arena_array(arena, count, sizeof *sorted);
  for (size_t i = 0; sorted && i < count; i++)
    if (files[i].kind != HO_FILE_ARCHIVE)
      sorted[known++] = files[i];
  if (!known)
    return HO_EMPTY;
  qsort(sorted, known, sizeof *sorted, by_name);
  ho_digest_begin(&digest);
  for (size_t i = 0; i < known; i++) {
    if (i && by_name(&sorted[i - 1], &sorted[i]) == 0)
      continue; /* named twice */
    ho_str kind = ho_words_str(&ho_file_kinds, sorted[i].kind);
    ho_digest_put(&digest, ho_arena_printf(arena, "%.*s %.*s %.*s\n", HO_ARG(kind), HO_ARG(sorted[i].digest),
                                           HO_ARG(sorted[i].path)));
  }
  ho_digest_end(&digest, out);
  return ho_arena_copy(arena, ho_str_of(out));
}
