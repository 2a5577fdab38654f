#include "doc/yaml/yaml.h"

#include "base/limits.h"
#include "doc/rules.h"
#include "doc/yaml/yaml_parts.h"

static int by_key(const void *a, const void *b)
{
  const ho_node *x = *(ho_node *const *)a, *y = *(ho_node *const *)b;
  int order = ho_str_cmp(x->key, y->key);
  return order ? order : (x->key_begin > y->key_begin) - (x->key_begin < y->key_begin);
}

/* A walk over what was read; the composer limited its depth. */
typedef struct walk {
  const ho_source *source;
  ho_arena *arena;
  ho_report *report;
} walk;

static void report_duplicate(const walk *w, const ho_node *earlier, const ho_node *later, const ho_path *path)
{
  char key[80];
  /* the others are only counted, so finding their positions would be wasted */
  bool kept = w->report->count < HO_LIMIT_NOW(FINDINGS);
  ho_path here = {.up = path, .key = later->key};
  ho_error_copy(key, sizeof key, later->key);
  ho_report_add(w->report, &ho_rule_DUPLICATE_KEY, later->key_begin, &here, "duplicate key '%s', first used in line %u",
                key, kept ? ho_source_line_at(w->source, earlier->key_begin) : 0);
}

/* Sorting finds equal keys without a hash that a hostile text could slow down. */
static void find_duplicates(const walk *w, const ho_node *map, const ho_path *path)
{
  size_t count = 0;
  const ho_node **sorted = map->count > 1 ? ho_arena_array(w->arena, map->count, sizeof *sorted) : NULL;
  if (!sorted)
    return;
  HO_EACH_CONST (child, map)
    sorted[count++] = child;
  qsort(sorted, count, sizeof *sorted, by_key);
  for (size_t i = 1; i < count; i++)
    if (ho_str_eq(sorted[i - 1]->key, sorted[i]->key))
      report_duplicate(w, sorted[i - 1], sorted[i], path);
}

static void check_keys(const walk *w, const ho_node *node, const ho_path *path)
{
  size_t index = 0;
  if (node->kind == HO_KIND_MAP)
    find_duplicates(w, node, path);
  HO_EACH_CONST (child, node) {
    ho_path here = {.up = path, .index = index++};
    if (node->kind == HO_KIND_MAP)
      here.key = child->key;
    check_keys(w, child, &here);
  }
}

ho_code ho_yaml_read(const ho_source *source, uint32_t from, uint32_t to, ho_arena *arena, ho_report *report,
                     ho_node **out, ho_error *err)
{
  if (from < ho_source_start(source))
    from = ho_source_start(source);
  ho_yaml_shift start = {.at = 0, .source = from};
  ho_yaml_text text = {
      .source = source, .text = ho_str_sub(source->text, from, to), .shifts = &start, .shift_count = 1};
  ho_yaml_result result;
  ho_yaml_fault fault;
  ho_error failure = {0}; /* of a text that recovery may still save */
  ho_code code = ho_yaml_compose(&text, arena, &result, &fault, &failure);
  if (code == HO_SYNTAX)
    code = ho_yaml_recover(source, from, from + (uint32_t)text.text.n, arena, report, &result, &fault, &failure);
  if (code)
    *err = failure;
  if (code)
    return code;
  if (report && result.second != HO_NOWHERE)
    ho_report_add(report, &ho_rule_YAML_DOCUMENTS, result.second, NULL,
                  "another document begins here; its keys are added to the first");
  if (report)
    check_keys(&(walk){source, arena, report}, result.root, NULL);
  *out = result.root;
  return ho_arena_code(arena, err);
}
