#include "engine/knowledge/know.h"

#include "base/time.h"
#include "doc/json/json.h"
#include "engine/knowledge/knowledge_parts.h"

enum { SEVERE = 16 };

typedef struct ranked {
  ho_known known;
  bool near; /* the words are in the text itself */
} ranked;

const char *ho_know_severity(int64_t severity)
{
  static const char *const names[] = {"", "low", "medium", "high"};
  return severity > 0 && severity < (int64_t)HO_COUNT(names) ? names[severity] : "";
}

static int compare(const void *left, const void *right)
{
  const ranked *a = left, *b = right;
  bool open_a = a->known.state == HO_KNOWN_OPEN, open_b = b->known.state == HO_KNOWN_OPEN;
  if (a->near != b->near)
    return a->near ? -1 : 1;
  if (open_a != open_b)
    return open_a ? -1 : 1;
  if (a->known.severity != b->known.severity)
    return a->known.severity > b->known.severity ? -1 : 1;
  if (a->known.sources != b->known.sources)
    return a->known.sources > b->known.sources ? -1 : 1;
  if (a->known.last != b->known.last)
    return a->known.last > b->known.last ? -1 : 1;
  return ho_str_cmp(a->known.id, b->known.id);
}

static bool is_there(const ranked *rows, size_t count, int64_t n)
{
  for (size_t i = 0; i < count; i++)
    if (rows[i].known.n == n)
      return true;
  return false;
}

/* Adds the newest matching gotchas of high severity: they may be older than everything that was examined. */
static ho_code add_severe(ho_project *project, const ho_known_filter *f, ho_arena *arena, ranked *rows, size_t *count,
                          ho_error *err)
{
  ho_known_list list;
  bool other = f->to || f->task.n || f->agent.n || f->since || f->tag.n || f->state == HO_KNOWN_CLOSED ||
               (f->kind && f->kind != HO_KNOWN_GOTCHA);
  if (other)
    return HO_OK;
  ho_code code =
      ho_known_of_kind(project->store, HO_KNOWN_GOTCHA, HO_KNOWN_OPEN, HO_KNOWN_HIGH, SEVERE, arena, &list, err);
  size_t old = *count;
  for (size_t i = 0; !code && i < list.count; i++)
    if (ho_known_has(f->query, list.rows[i].text, list.rows[i].detail, list.rows[i].tags) &&
        !is_there(rows, old, list.rows[i].n))
      rows[(*count)++].known = list.rows[i];
  return code;
}

ho_code ho_know_find(ho_project *project, const ho_known_filter *filter, size_t limit, ho_arena *arena,
                     ho_known_list *out, ho_error *err)
{
  ho_known_list newest = {0};
  ho_known_filter all = *filter;
  all.limit = (int64_t)limit > HO_KNOWN_LOOKED_AT ? (int64_t)limit : HO_KNOWN_LOOKED_AT;
  *out = (ho_known_list){0};
  ho_code code = ho_known_choose(project->store, &all, arena, &newest, err);
  size_t count = newest.count;
  ranked *rows = ho_arena_array(arena, count + SEVERE, sizeof *rows);
  if (!code)
    code = ho_arena_code(arena, err);
  for (size_t i = 0; !code && i < count; i++)
    rows[i].known = newest.rows[i];
  if (!code && (int64_t)count == all.limit)
    code = add_severe(project, filter, arena, rows, &count, err);
  if (code)
    return code;
  for (size_t i = 0; i < count; i++)
    rows[i].near = ho_known_has(filter->query, rows[i].known.text, HO_EMPTY, HO_EMPTY);
  qsort(rows, count, sizeof *rows, compare);
  out->count = count < limit ? count : limit;
  out->rows = ho_arena_array(arena, out->count + 1, sizeof *out->rows);
  for (size_t i = 0; out->rows && i < out->count; i++)
    out->rows[i] = rows[i].known;
  return ho_arena_code(arena, err);
}

static ho_node *known_details(const ho_known *known, ho_arena *arena)
{
  ho_source source;
  ho_node *root = NULL;
  ho_error none = {0};
  if (known->detail.n && !ho_source_init(&source, arena, HO_EMPTY, known->detail, &none) &&
      !ho_json_read(&source, 0, arena, NULL, &root, &none) && ho_node_is(root, HO_KIND_MAP))
    return root;
  return ho_node_new(arena, HO_KIND_MAP);
}

ho_str ho_know_detail(const ho_known *known, ho_arena *arena, const char *key)
{
  return known->detail.n ? ho_map_str(known_details(known, arena), key) : HO_EMPTY;
}

ho_node *ho_know_record(const ho_known *known, ho_arena *arena)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  ho_str rest = known->tags, tag;
  ho_map_put(arena, map, "id", known->id);
  ho_map_put(arena, map, "kind", ho_words_str(&ho_known_kinds, known->kind));
  ho_map_put(arena, map, "text", known->text);
  ho_map_put(arena, map, "severity", ho_str_of(ho_know_severity(known->severity)));
  ho_map_put(arena, map, "state", ho_words_str(&ho_known_states, known->state));
  ho_node *tags = ho_map_addz(map, "tags", ho_node_new(arena, HO_KIND_LIST));
  while (rest.n && ho_str_next(&rest, ' ', &tag))
    ho_list_add(tags, ho_node_text(arena, tag));
  ho_map_addz(map, "detail", known_details(known, arena));
  ho_map_put(arena, map, "first", ho_time_str(arena, known->first));
  ho_map_put(arena, map, "last", ho_time_str(arena, known->last));
  return map;
}

/* What answered a question or settled a blocker: the newest, with who said it. What was taken back since answers nothing. */
static ho_code put_answer(ho_project *project, const ho_known *known, ho_arena *arena, ho_node *map, ho_error *err)
{
  ho_edge_list edges = {0};
  ho_known answer = {0};
  ho_known_source_list said = {0};
  bool found = false;
  ho_code code = ho_known_asks(known->kind)
                     ? ho_known_edges_to(project->store, known->n, HO_EDGE_ANSWERS, 1, arena, &edges, err)
                     : HO_OK;
  if (!code && edges.count)
    code = ho_known_get(project->store, edges.rows[0].from, arena, &answer, &found, err);
  found = found && answer.state != HO_KNOWN_CLOSED;
  if (!code && found)
    code = ho_known_sources(project->store, answer.n, 1, arena, &said, err);
  if (code || !found)
    return code;
  ho_str note = ho_know_detail(&answer, arena, "rationale");
  ho_map_put(arena, map, "answer", note.n ? note : answer.text);
  ho_map_put(arena, map, "answered_by", said.count ? said.rows[0].agent : HO_EMPTY);
  return HO_OK;
}

ho_code ho_know_full(ho_project *project, const ho_known *known, int64_t most, ho_arena *arena, ho_node **out,
                     ho_error *err)
{
  ho_known_source_list said;
  ho_node *map = *out = ho_know_record(known, arena);
  ho_code code = ho_known_sources(project->store, known->n, most, arena, &said, err);
  if (code)
    return code;
  ho_node *tasks = ho_map_addz(map, "tasks", ho_node_new(arena, HO_KIND_LIST));
  ho_node *sources = ho_map_addz(map, "sources", ho_node_new(arena, HO_KIND_LIST));
  ho_map_addz(map, "source_count", ho_node_number(arena, known->sources));
  for (size_t i = 0; i < said.count; i++) {
    const ho_known_source *s = &said.rows[i];
    ho_node *one = ho_list_add(sources, ho_node_new(arena, HO_KIND_MAP));
    ho_map_put(arena, one, "origin", s->origin);
    ho_map_addz(one, "line", ho_node_number(arena, s->line));
    ho_map_put(arena, one, "role", s->role);
    ho_map_put(arena, one, "task", s->task);
    ho_map_put(arena, one, "phase", ho_knowledge_phase_shown(s->phase));
    ho_map_put(arena, one, "agent", s->agent);
    ho_map_put(arena, one, "at", ho_time_str(arena, s->at));
    ho_map_put(arena, one, "note", s->note);
    ho_map_put(arena, one, "closed_by", s->closed_by);
    if (s->task.n && !ho_list_has(tasks, s->task))
      ho_list_add(tasks, ho_node_text(arena, s->task));
  }
  code = put_answer(project, known, arena, map, err);
  return code ? code : ho_arena_code(arena, err);
}
