/* An id that an author reuses in the same task for another text: the newest of these texts counts. */
#include "engine/knowledge/knowledge_parts.h"

enum { MOST = 16 }; /* before and after the one that has the id */

/* The texts that one author's id has had: the one given now, the one that has the id, and those linked to it. */
typedef struct versions {
  ho_known rows[2 + 2 * MOST];
  size_t count;
} versions;

static ho_code add_versions(ho_knowing *k, int64_t holder, bool newer, versions *all, ho_error *err)
{
  ho_store *store = k->project->store;
  ho_edge_list edges;
  bool found;
  ho_code code = newer ? ho_known_edges_to(store, holder, HO_EDGE_SUPERSEDES, MOST, k->arena, &edges, err)
                       : ho_known_edges_from(store, holder, HO_EDGE_SUPERSEDES, MOST, k->arena, &edges, err);
  for (size_t i = 0; !code && i < edges.count; i++) {
    code = ho_known_get(store, newer ? edges.rows[i].from : edges.rows[i].to, k->arena, &all->rows[all->count], &found,
                        err);
    all->count += !code && found;
  }
  return code;
}

/* Does a document of the same task say it? What is said outside documents is nobody's version of anything. */
static ho_code is_of_task(ho_knowing *k, int64_t n, bool *out, ho_error *err)
{
  ho_known_source_list said;
  ho_code code = ho_known_sources(k->project->store, n, 8, k->arena, &said, err);
  *out = false;
  for (size_t i = 0; !code && i < said.count; i++)
    *out = *out || (said.rows[i].task.n && ho_str_eq(said.rows[i].task, k->origin.task) &&
                    !ho_str_list_has(HO_ROLE_NAMES_SAID, said.rows[i].role));
  return code;
}

ho_code ho_knowledge_scope_id(ho_knowing *k, int64_t print, ho_item *item, ho_error *err)
{
  ho_known holder;
  bool found = false, same_task = true;
  if (!item->own_id || !k->origin.task.n)
    return HO_OK;
  ho_code code = ho_known_by_id(k->project->store, item->id, k->arena, &holder, &found, err);
  if (!code && found && ho_knowledge_print(k->arena, holder.kind, holder.text) != print)
    code = is_of_task(k, holder.n, &same_task, err);
  if (!code && !same_task)
    item->id = ho_arena_printf(k->arena, "%.*s@%.*s", HO_ARG(item->id), HO_ARG(k->origin.task));
  return code;
}

/* The version that was said last is open, and supersedes all others. */
static ho_code choose_version(ho_knowing *k, const versions *all, const ho_known *known, ho_error *err)
{
  ho_store *store = k->project->store;
  const ho_known *last = known;
  ho_code code = HO_OK;
  for (size_t i = 0; i < all->count; i++)
    if (all->rows[i].last > last->last)
      last = &all->rows[i];
  for (size_t i = 0; !code && i < all->count; i++) {
    const ho_known *each = &all->rows[i];
    if (each->n == last->n)
      continue;
    if (last->n == known->n || each->n == known->n)
      code = ho_known_link(store, last->n, HO_EDGE_SUPERSEDES, each->n, k->origin.n, err);
    if (!code)
      code = ho_known_set_state(store, each->n, HO_KNOWN_CLOSED, err);
  }
  if (!code && !ho_known_asks(last->kind))
    code = ho_known_set_state(store, last->n, HO_KNOWN_OPEN, err);
  return code;
}

ho_code ho_knowledge_supersede(ho_knowing *k, const ho_item *item, const ho_known *known, ho_error *err)
{
  versions all = {.rows[0] = *known, .count = 1};
  ho_known holder = *known;
  bool found = true, same_task = true, has_id = ho_str_eq(item->id, known->id);
  if (!item->own_id || (has_id && known->sources == 1))
    return HO_OK;
  ho_code code = has_id ? HO_OK : ho_known_by_id(k->project->store, item->id, k->arena, &holder, &found, err);
  if (!code && found && !has_id)
    code = is_of_task(k, holder.n, &same_task, err);
  if (code || !found || !same_task)
    return code;
  if (!has_id) { /* every version is linked to the one that has the id */
    bool newer = known->last >= holder.last;
    all.rows[all.count++] = holder;
    code = ho_known_link(k->project->store, newer ? known->n : holder.n, HO_EDGE_SUPERSEDES,
                         newer ? holder.n : known->n, k->origin.n, err);
  }
  if (!code)
    code = add_versions(k, holder.n, true, &all, err);
  if (!code)
    code = add_versions(k, holder.n, false, &all, err);
  return code || all.count < 2 ? code : choose_version(k, &all, known, err);
}
