/* The data of an event: a map of texts, cleaned of credentials. */
#ifndef HO_ENGINE_PROJECT_EVENT_DATA_H
#define HO_ENGINE_PROJECT_EVENT_DATA_H

#include "engine/project/project.h"

/* Adds a text to the map, unless it is empty. */
void ho_event_data_put(const ho_project *project, ho_arena *arena, ho_node *map, const char *key, ho_str text);
/* The same for who decided (ho_project_clean_who). */
void ho_event_data_put_who(const ho_project *project, ho_arena *arena, ho_node *map, const char *key, ho_str who);
/* The map as it is stored; and read again, an empty one if it cannot be. */
ho_str ho_event_data_json(ho_arena *arena, const ho_node *map);
ho_node *ho_event_data_read(ho_arena *arena, ho_str stored);
#endif
