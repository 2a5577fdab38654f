#include "engine/project/event_data.h"

#include "base/buf.h"
#include "doc/json/json.h"
#include "doc/source.h"
#include "engine/project/project.h"

void ho_event_data_put(const ho_project *project, ho_arena *arena, ho_node *map, const char *key, ho_str text)
{
  if (text.n)
    ho_map_addz(map, key, ho_node_text(arena, ho_project_clean(project, arena, text)));
}

void ho_event_data_put_who(const ho_project *project, ho_arena *arena, ho_node *map, const char *key, ho_str who)
{
  if (who.n)
    ho_map_addz(map, key, ho_node_text(arena, ho_project_clean_who(project, arena, who)));
}

ho_str ho_event_data_json(ho_arena *arena, const ho_node *map)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_json_write(&text, map, 0);
  return ho_buf_move(&text, arena);
}

ho_node *ho_event_data_read(ho_arena *arena, ho_str stored)
{
  ho_source source;
  ho_node *data = NULL;
  ho_error err;
  if (!stored.n || ho_source_init(&source, arena, HO_STR("event"), stored, &err) ||
      ho_json_read(&source, 0, arena, NULL, &data, &err))
    return ho_node_new(arena, HO_KIND_MAP);
  return data;
}
