#include "engine/ledger/archive_copy.h"

#include "base/buf.h"
#include "base/digest.h"
#include "doc/json/json.h"
#include "doc/source.h"
#include "doc/yaml/yaml.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"
#include "model/document/recognise.h"
#include "store/handoffs/bodies.h"
#include "store/handoffs/files.h"

/* The field of a column that the comment keeps. */
static void *field_of(const ho_handoff *row, const ho_kept_column *column)
{
  return (char *)row + column->offset;
}

static void put_comment(ho_buf *out, const ho_handoff *row, ho_arena *arena)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  for (const ho_kept_column *column = ho_handoff_kept; column->name; column++) {
    int64_t number = column->number ? *(int64_t *)field_of(row, column) : 0;
    ho_str text = column->number ? HO_EMPTY : *(ho_str *)field_of(row, column);
    if (number)
      ho_map_addz(map, column->name, ho_node_number(arena, number));
    else if (text.n)
      ho_map_addz(map, column->name, ho_node_text(arena, text));
  }
  ho_buf_puts(out, HO_ARCHIVED_COMMENT);
  ho_json_write(out, map, 0);
  ho_buf_putc(out, '\n');
}

static void put_document(ho_buf *out, const ho_handoff *row, ho_str body, ho_arena *arena)
{
  const ho_format *format = ho_format_named(row->kind);
  if (format && ho_recognise_encoding(row->path, body, format) != HO_MARKDOWN) {
    ho_buf_put(out, body);
    return;
  }
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  ho_map_addz(map, "format", ho_node_text(arena, row->kind));
  ho_map_addz(map, "body", ho_node_text(arena, body));
  ho_yaml_write(out, map);
}

/* A copy is beside the store, in the main worktree: the one that the handoff came from may be removed. One that an
 * earlier version recorded elsewhere counts only if it is inside. */
ho_code ho_archive_copy_place(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_str *out, ho_error *err)
{
  ho_file_list files;
  ho_code code = ho_files_select(project->store, row->id, arena, &files, err);
  for (size_t i = 0; !code && i < files.count; i++)
    if (files.rows[i].kind == HO_FILE_ARCHIVE && !ho_str_starts(files.rows[i].path, "/")) {
      *out = files.rows[i].path;
      return HO_OK;
    }
  ho_str session = ho_id_fits(row->session) || row->session.n > 64 ? row->session : HO_STR("unknown");
  *out = ho_arena_printf(arena, HO_PATH_ARCHIVE "/%.*s/handoffs/%.*s.yaml", HO_ARG(session), HO_ARG(row->id));
  return code;
}

ho_code ho_archive_copy_text(ho_project *project, const ho_handoff *row, ho_str body, ho_arena *arena, ho_str *out,
                             ho_error *err)
{
  ho_buf text;
  ho_code code = body.n ? HO_OK : ho_bodies_get(project->store, row->digest, arena, &body, err);
  if (code)
    return code;
  ho_buf_init(&text, 0);
  put_comment(&text, row, arena);
  put_document(&text, row, body, arena);
  code = ho_buf_code(&text, err);
  *out = ho_buf_move(&text, arena);
  return code ? code : ho_arena_code(arena, err);
}

ho_code ho_archive_copy(ho_project *project, const ho_handoff *row, ho_str body, ho_arena *arena, ho_str *out,
                        ho_error *err)
{
  ho_str text;
  char digest[HO_DIGEST_SIZE];
  ho_file file = {.handoff = row->id, .kind = HO_FILE_ARCHIVE};
  *out = HO_EMPTY;
  if (!ho_id_fits(row->id))
    return HO_OK;
  ho_code code = ho_archive_copy_text(project, row, body, arena, &text, err);
  if (!code)
    code = ho_archive_copy_place(project, row, arena, &file.path, err);
  if (!code && !project->other_store)
    code = ho_store_intend(project->store, file.path, text, HO_INTENT_DERIVED, err);
  if (code)
    return code;
  ho_digest_text(text, digest);
  file.digest = *out = ho_arena_copy(arena, ho_str_of(digest));
  file.size = (int64_t)text.n;
  return ho_files_put_only(project->store, &file, err);
}

static ho_code read_comment(ho_str line, ho_arena *arena, ho_handoff *row, ho_error *err)
{
  ho_source source;
  ho_node *map;
  if (!ho_str_starts(line, HO_ARCHIVED_COMMENT))
    return ho_fail(err, HO_INVALID, "is not a copy of a handoff: its first line does not identify it");
  ho_str json = ho_arena_copy(arena, ho_str_sub(line, sizeof HO_ARCHIVED_COMMENT - 1, line.n));
  ho_code code = ho_source_init(&source, arena, HO_STR("comment"), json, err);
  if (!code)
    code = ho_json_read(&source, 0, arena, NULL, &map, err);
  if (code)
    return code;
  *row = (ho_handoff){0};
  for (const ho_kept_column *column = ho_handoff_kept; column->name; column++)
    if (column->number)
      *(int64_t *)field_of(row, column) = ho_map_int(map, column->name);
    else
      *(ho_str *)field_of(row, column) = ho_map_str(map, column->name);
  return HO_OK;
}

ho_code ho_archive_copy_parse(ho_str text, ho_arena *arena, ho_archived *out, ho_error *err)
{
  ho_source source;
  ho_str line, rest = text;
  ho_node *map = NULL;
  ho_error other = {0};
  if (!ho_str_next_line(&rest, &line))
    line = HO_EMPTY;
  ho_code code = read_comment(line, arena, &out->row, err);
  if (code)
    return code;
  out->body = rest;
  if (!ho_str_starts(rest, "format:"))
    return HO_OK;
  code = ho_source_init(&source, arena, HO_STR("archive"), rest, err);
  if (!code && ho_yaml_read(&source, 0, (uint32_t)rest.n, arena, NULL, &map, &other) == HO_OK &&
      ho_node_is(ho_map_getz(map, "body"), HO_KIND_TEXT))
    out->body = ho_map_getz(map, "body")->text;
  return code;
}
