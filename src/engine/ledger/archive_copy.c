#include "engine/ledger/archive_copy.h"

#include <ctype.h>

#include "base/buf.h"
#include "base/digest.h"
#include "base/time.h"
#include "doc/json/json.h"
#include "doc/rules.h"
#include "doc/source.h"
#include "doc/yaml/yaml.h"
#include "engine/ledger/marks.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"
#include "model/document/recognise.h"
#include "model/lifecycle.h"
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

/* ---- What happened */

#define HISTORY "# handoff history\n"
#define HISTORY_KEYS "x_outcome|x_from|x_to|x_history"

/* An event as it is told: its data without what proves that files are unchanged. */
static ho_node *told(const ho_event *event, ho_arena *arena)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP), *data = NULL;
  ho_source source;
  ho_error none = {0};
  ho_map_put(arena, map, "event", event->kind);
  ho_map_put(arena, map, "at", ho_time_str(arena, event->at));
  ho_map_put(arena, map, "actor", event->actor);
  if (event->data.n && !ho_source_init(&source, arena, HO_STR("event"), event->data, &none))
    (void)!ho_json_read(&source, 0, arena, NULL, &data, &none);
  HO_EACH_CONST (field, data)
    if (!ho_str_list_has(HO_DATA_ARCHIVE "|" HO_DATA_FILES "|lease_until|session", field->key))
      ho_map_add(map, field->key, ho_node_copy(arena, field));
  return map;
}

/* Has it a digest of a copy: was one written with this event? */
static bool is_copied(const ho_event *event)
{
  return ho_str_has(event->data, "\"" HO_DATA_ARCHIVE "\":");
}

/* Everything up to `last`; NULL: up to the last event with which a copy was written. */
static ho_code read_history(ho_project *project, const ho_handoff *row, const ho_event *last, ho_arena *arena,
                            ho_node **out, ho_error *err)
{
  ho_event_list events;
  ho_node *map = *out = ho_node_new(arena, HO_KIND_MAP), *list = ho_node_new(arena, HO_KIND_LIST);
  ho_str to = ho_marks_get(row, arena, HO_MARK_TO), outcome = ho_marks_get(row, arena, HO_MARK_OUTCOME);
  ho_code code = ho_events_whole(project->store, row->id, arena, &events, err);
  if (code)
    return code;
  size_t count = events.count;
  while (!last && count && !is_copied(&events.rows[count - 1]))
    count--;
  for (size_t i = 0; i < count; i++)
    ho_list_add(list, told(&events.rows[i], arena));
  if (last)
    ho_list_add(list, told(last, arena));
  ho_map_put(arena, map, "x_outcome", outcome.n ? outcome : row->state);
  ho_map_put(arena, map, "x_from", row->sender);
  ho_map_put(arena, map, "x_to", to.n ? to : row->receiver);
  ho_map_addz(map, "x_history", list);
  return ho_arena_code(arena, err);
}

/* A line "...", which ends a YAML document; also after the line breaks of YAML 1.1 that are not ASCII. */
static bool has_end_marker(ho_str text)
{
  for (size_t i = 1; i + 3 <= text.n; i++)
    if (memcmp(text.p + i, "...", 3) == 0 && (text.p[i - 1] < ' ' || text.p[i - 1] > '~'))
      return true;
  return false;
}

bool ho_archive_copy_goes_on(const ho_doc *doc)
{
  ho_str text = doc->source.text;
  if (doc->encoding != HO_YAML || !ho_node_is(doc->raw, HO_KIND_MAP) || !text.n || !isalpha((unsigned char)text.p[0]))
    return false;
  for (size_t i = 0; i < doc->report.count; i++)
    for (const ho_rule_info *const *rule = ho_doc_rules; *rule; rule++)
      if (doc->report.items[i].rule == *rule)
        return false;
  HO_EACH_CONST (field, doc->raw)
    if (ho_str_list_has(HISTORY_KEYS, field->key))
      return false;
  return !has_end_marker(text);
}

/* Can the history follow as further keys of the document? Not after JSON, or a map in braces. */
static bool goes_on(const ho_handoff *row, ho_str document, ho_str history, ho_arena *arena)
{
  if (ho_marks_get(row, arena, HO_MARK_GOES_ON).n)
    return true;
  ho_source source;
  ho_node *map = NULL;
  ho_error none = {0};
  ho_report report;
  ho_str text = ho_arena_printf(arena, "%.*s%.*s", HO_ARG(document), HO_ARG(history));
  if (ho_source_init(&source, arena, HO_STR("archive"), text, &none))
    return false;
  ho_report_init(&report, arena, &source);
  ho_code code = ho_yaml_read(&source, 0, (uint32_t)text.n, arena, &report, &map, &none);
  return !code && !report.errors && !report.warnings && ho_map_getz(map, "x_history");
}

static void put_history(ho_buf *out, const ho_handoff *row, const ho_node *history, ho_arena *arena)
{
  ho_buf more;
  ho_buf_init(&more, 0);
  ho_yaml_write(&more, history);
  ho_str told_text = ho_buf_move(&more, arena);
  if (out->n && out->p[out->n - 1] != '\n')
    ho_buf_putc(out, '\n');
  bool on = goes_on(row, ho_buf_str(out), told_text, arena);
  ho_buf_puts(out, HISTORY);
  ho_buf_puts(out, on ? "" : "---\n");
  ho_buf_put(out, told_text);
}

/* The document in a copy: all of it, in copies of earlier versions, or what is before the history. A line break may have
 * been added. */
static ho_str without_history(ho_str text, ho_str digest)
{
  char hash[HO_DIGEST_SIZE];
  size_t at = HO_NONE;
  ho_digest_text(text, hash);
  if (ho_str_is(digest, hash))
    return text;
  for (size_t i = text.n; i-- > 0 && at == HO_NONE;)
    if ((!i || text.p[i - 1] == '\n') && ho_str_starts(ho_str_sub(text, i, text.n), HISTORY))
      at = i;
  if (at == HO_NONE)
    return text;
  ho_str body = ho_str_sub(text, 0, at);
  ho_digest_text(body, hash);
  return !ho_str_is(digest, hash) && body.n ? ho_str_sub(body, 0, body.n - 1) : body;
}

/* ---- The text */

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

/* What is there and not recorded is another ledger's, which came with a pull: its handoffs have the same ids. It stays; this
 * one goes to a folder beside it. */
static ho_str free_place(const ho_project *project, ho_str session, ho_str id, ho_arena *arena)
{
  ho_str path = HO_EMPTY;
  for (int number = 1; !arena->failed; number++) {
    ho_str beside = number > 1 ? ho_arena_printf(arena, "-%d", number) : HO_EMPTY;
    path = ho_arena_printf(arena, "%.*s/%.*s%.*s/handoffs/%.*s.yaml", HO_ARG(project->written.archive), HO_ARG(session),
                           HO_ARG(beside), HO_ARG(id));
    ho_str full = ho_fs_join(arena, project->home, path);
    if (!full.n || !ho_fs_exists(full.p))
      break;
  }
  return path;
}

/* A copy is beside the store, in the main worktree: the one that the handoff came from may be removed. One that an
 * earlier version recorded elsewhere counts only if it is inside. Its digest: as it was recorded last, or "". */
static ho_code find_place(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_file *out, ho_error *err)
{
  ho_file_list files;
  ho_code code = ho_files_select(project->store, row->id, arena, &files, err);
  for (size_t i = 0; !code && i < files.count; i++)
    if (files.rows[i].kind == HO_FILE_ARCHIVE && !ho_str_starts(files.rows[i].path, "/")) {
      *out = files.rows[i];
      return HO_OK;
    }
  ho_str session = ho_id_fits(row->session) || row->session.n > 64 ? row->session : HO_STR("unknown");
  *out = (ho_file){.handoff = row->id, .kind = HO_FILE_ARCHIVE};
  if (!code)
    out->path = free_place(project, session, row->id, arena);
  return code;
}

ho_code ho_archive_copy_place(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_str *out, ho_error *err)
{
  ho_file file;
  ho_code code = find_place(project, row, arena, &file, err);
  *out = file.path;
  return code;
}

static ho_code make_text(ho_project *project, const ho_handoff *row, ho_str body, const ho_event *last, bool history,
                         ho_arena *arena, ho_str *out, ho_error *err)
{
  ho_buf text;
  ho_state state;
  ho_node *told_map = NULL;
  bool ended = ho_state_named(row->state, &state) && !ho_state_open(state);
  ho_code code = body.n ? HO_OK : ho_bodies_get(project->store, row->digest, arena, &body, err);
  if (!code && ended && history)
    code = read_history(project, row, last, arena, &told_map, err);
  if (code)
    return code;
  ho_buf_init(&text, 0);
  put_comment(&text, row, arena);
  put_document(&text, row, body, arena);
  if (told_map)
    put_history(&text, row, told_map, arena);
  code = ho_buf_code(&text, err);
  *out = ho_buf_move(&text, arena);
  return code ? code : ho_arena_code(arena, err);
}

ho_code ho_archive_copy_text(ho_project *project, const ho_handoff *row, ho_str body, bool history, ho_arena *arena,
                             ho_str *out, ho_error *err)
{
  return make_text(project, row, body, NULL, history, arena, out, err);
}

ho_code ho_archive_copy(ho_project *project, const ho_handoff *row, ho_str body, const ho_event *last, ho_arena *arena,
                        ho_str *out, ho_error *err)
{
  ho_str text;
  char digest[HO_DIGEST_SIZE];
  ho_file file = {0};
  *out = HO_EMPTY;
  if (!ho_id_fits(row->id))
    return HO_OK;
  ho_code code = make_text(project, row, body, last, true, arena, &text, err);
  if (!code)
    code = find_place(project, row, arena, &file, err);
  if (!code && !project->other_store)
    code = ho_store_intend_over(project->store, file.path, text, file.digest, err);
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
  out->body = rest = without_history(rest, out->row.digest);
  if (!ho_str_starts(rest, HO_ARCHIVED_WRAPPED))
    return HO_OK;
  code = ho_source_init(&source, arena, HO_STR("archive"), rest, err);
  if (!code && ho_yaml_read(&source, 0, (uint32_t)rest.n, arena, NULL, &map, &other) == HO_OK &&
      ho_node_is(ho_map_getz(map, "body"), HO_KIND_TEXT))
    out->body = ho_map_getz(map, "body")->text;
  return code;
}
