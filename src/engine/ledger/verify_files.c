/* Compares the rows of a handoff's files with what its events recorded of them. */
#include "doc/json/json.h"
#include "doc/source.h"
#include "engine/ledger/archive_copy.h"
#include "engine/ledger/verify.h"
#include "store/handoffs/events.h"

/* The newest text under this key in the events' data, or "". */
static ho_str newest(const ho_event_list *events, const char *key, ho_arena *arena)
{
  ho_str quoted = ho_arena_printf(arena, "\"%s\":", key);
  for (size_t i = events->count; quoted.n && i-- > 0;) {
    ho_source source;
    ho_node *map = NULL;
    ho_error err;
    if (ho_str_has(events->rows[i].data, quoted.p) &&
        !ho_source_init(&source, arena, HO_STR("event"), events->rows[i].data, &err) &&
        !ho_json_read(&source, 0, arena, NULL, &map, &err) && ho_map_str(map, key).n)
      return ho_map_str(map, key);
  }
  return HO_EMPTY;
}

ho_code ho_verify_recorded(ho_project *project, ho_str handoff, const ho_file_list *files, ho_arena *arena,
                           const char **flaw, ho_error *err)
{
  ho_event_list events;
  ho_str archive = HO_EMPTY;
  *flaw = NULL;
  ho_code code = ho_events_whole(project->store, handoff, arena, &events, err);
  if (code)
    return code;
  for (size_t i = 0; i < files->count; i++)
    if (files->rows[i].kind == HO_FILE_ARCHIVE)
      archive = files->rows[i].digest;
  ho_str copied = newest(&events, HO_DATA_ARCHIVE, arena), sent = newest(&events, HO_DATA_FILES, arena);
  if (copied.n && !ho_str_eq(copied, archive))
    *flaw = "its copy in the archive is not the one that its events recorded";
  else if (sent.n && !ho_str_eq(sent, ho_files_digest(arena, files->rows, files->count)))
    *flaw = "its files are not those that its events recorded";
  return ho_arena_code(arena, err);
}
