#include "model/formats/complete.h"
#include "model/formats/formats.h"

/* The parts, and the lists of the format that belong to each. */
/* What there is of a task that did not get anywhere is not known: only what it says of the others is measured. */
static const struct {
  const char *part, *lists;
  const char *needed; /* outcomes that are incomplete without it */
} parts_of_task[] = {
    {"files", "files_created|files_modified|artifacts", "completed|partial"},
    {"patterns", "patterns_discovered", "completed|partial"},
    {"gotchas", "gotchas", "completed|partial"},
    {"dependencies", "dependencies_for_next", "completed|partial"},
    {"next steps", "suggested_next_steps", "completed|partial"},
    {"blockers", "blockers", "partial|failed|blocked"},
};

typedef struct measure {
  size_t items, wanted, filled;
} measure;

static void measure_item(const ho_record *record, const ho_node *item, measure *m)
{
  m->items++;
  for (const ho_field *field = record ? record->fields : NULL; field && field->name; field++) {
    if (!(field->flags & (HO_REQUIRED | HO_EXPECTED)))
      continue;
    m->wanted++;
    m->filled += !ho_node_empty(ho_map_getz(item, field->name));
  }
}

static unsigned score_lists(const ho_node *task, const char *lists)
{
  const ho_record *root = ho_format_task.root;
  ho_str rest = ho_str_of(lists), name;
  measure m = {0};
  while (ho_str_next(&rest, '|', &name)) {
    bool alias;
    const ho_field *field = ho_record_field(root, name, &alias);
    const ho_node *list = ho_map_get(task, name);
    for (const ho_node *item = ho_node_is(list, HO_KIND_LIST) ? list->first : NULL; item; item = item->next)
      measure_item(field ? field->record : NULL, item, &m);
  }
  if (!m.items)
    return 0;
  return 50 + (unsigned)(m.wanted ? m.filled * 50 / m.wanted : 50);
}

static void put(ho_node *parts, const char *part, unsigned score, ho_arena *arena)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  ho_map_addz(map, "part", ho_node_textz(arena, part));
  ho_map_addz(map, "score", ho_node_number(arena, score));
  ho_list_add(parts, map);
}

unsigned ho_complete(const ho_node *task, ho_arena *arena, ho_node **parts)
{
  ho_str outcome = ho_map_str(task, "outcome");
  ho_node *list = parts ? *parts = ho_node_new(arena, HO_KIND_LIST) : NULL;
  unsigned sum = outcome.n ? 100 : 0, count = 1;
  put(list, "outcome", sum, arena);
  for (size_t i = 0; i < HO_COUNT(parts_of_task); i++) {
    unsigned score = score_lists(task, parts_of_task[i].lists);
    if (!score && !ho_str_list_has(parts_of_task[i].needed, outcome.n ? outcome : HO_STR("completed")))
      continue;
    put(list, parts_of_task[i].part, score, arena);
    sum += score;
    count++;
  }
  return sum / count;
}
