#include "engine/run/joined.h"

ho_node *ho_joined_result(ho_arena *arena, const ho_joined *one)
{
  ho_node *out = ho_node_new(arena, HO_KIND_MAP);
  ho_map_addz(out, "task_id", ho_node_text(arena, one->id));
  if (one->type.n)
    ho_map_addz(out, "type", ho_node_text(arena, one->type));
  ho_map_addz(out, "passed", ho_node_bool(arena, one->passed));
  ho_map_addz(out, "summary", ho_node_text(arena, one->summary));
  ho_map_addz(out, "details", one->details ? ho_node_copy(arena, one->details) : ho_node_new(arena, HO_KIND_MAP));
  ho_node *issues = ho_map_addz(out, "issues", ho_node_new(arena, HO_KIND_LIST));
  for (size_t i = 0; i < one->issue_count; i++)
    ho_list_add(issues, ho_node_text(arena, one->issues[i]));
  return out;
}

ho_node *ho_joined_sum(ho_arena *arena, ho_str rule, size_t total, size_t passed, bool overall)
{
  ho_node *sum = ho_node_new(arena, HO_KIND_MAP);
  ho_map_addz(sum, "total", ho_node_number(arena, (long long)total));
  ho_map_addz(sum, "passed", ho_node_number(arena, (long long)passed));
  ho_map_addz(sum, "failed", ho_node_number(arena, (long long)(total - passed)));
  ho_map_addz(sum, "rule", ho_node_text(arena, rule));
  ho_map_addz(sum, "overall_passed", ho_node_bool(arena, overall));
  return sum;
}

void ho_joined_issues(ho_node *list, ho_arena *arena, const ho_joined *one)
{
  for (size_t i = 0; i < one->issue_count; i++)
    ho_list_add(list,
                ho_node_text(arena, ho_arena_printf(arena, "%.*s: %.*s", HO_ARG(one->id), HO_ARG(one->issues[i]))));
}
