#include "store/handoffs/files.h"

#include "store/columns.h"

ho_code ho_files_put(ho_store *store, const ho_file *file, ho_error *err)
{
  ho_code code = ho_store_must_write(store, err);
  if (code)
    return code;
  return HO_RUN(store, HO_SQL_FILE_PUT, NULL, NULL, NULL, err, HO_TEXT(file->handoff), HO_TEXT(file->path),
                HO_TEXT(file->digest), HO_TEXT(file->kind), HO_INT(file->size));
}

typedef struct reading {
  ho_arena *arena;
  ho_file_list *out;
} reading;

static ho_code take_file(void *data, const ho_value *values, ho_error *err)
{
  reading *r = data;
  ho_file *file = HO_PUSH(r->arena, r->out->rows, r->out->count);
  if (file)
    *file = (ho_file){
        .handoff = ho_arena_copy(r->arena, values[0].s),
        .path = ho_arena_copy(r->arena, values[1].s),
        .digest = ho_arena_copy(r->arena, values[2].s),
        .kind = ho_arena_copy(r->arena, values[3].s),
        .size = values[4].i,
    };
  return ho_arena_code(r->arena, err);
}

ho_code ho_files_select(ho_store *store, ho_str handoff, ho_arena *arena, ho_file_list *out, ho_error *err)
{
  reading r = {.arena = arena, .out = out};
  *out = (ho_file_list){0};
  return HO_RUN(store, HO_SQL_FILE_SELECT, take_file, &r, NULL, err, HO_TEXT(handoff));
}
