#include "engine/ledger/marks.h"

#include "doc/json/json.h"
#include "engine/project/event_data.h"
#include "store/handoffs/handoffs.h"

static ho_node *marks_of(const ho_handoff *row, ho_arena *arena)
{
  ho_source source;
  ho_node *map = NULL;
  ho_error err;
  if (!row->marks.n || ho_source_init(&source, arena, HO_STR("marks"), row->marks, &err) ||
      ho_json_read(&source, 0, arena, NULL, &map, &err) || map->kind != HO_KIND_MAP)
    map = ho_node_new(arena, HO_KIND_MAP);
  return map;
}

ho_str ho_marks_get(const ho_handoff *row, ho_arena *arena, const char *key)
{
  return row->marks.n ? ho_map_str(marks_of(row, arena), key) : HO_EMPTY;
}

void ho_marks_set(ho_handoff *row, ho_arena *arena, const char *key, ho_str value)
{
  ho_node *map = marks_of(row, arena), *old = ho_map_getz(map, key);
  if (old)
    ho_node_remove(map, old);
  if (value.n)
    ho_map_addz(map, key, ho_node_text(arena, value));
  row->marks = map && map->count ? ho_event_data_json(arena, map) : HO_EMPTY;
}
