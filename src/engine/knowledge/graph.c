#include "engine/knowledge/graph.h"

#include "base/grow.h"
#include "engine/project/identity.h"

enum {
  AROUND =
      200, /* neighbours of one node that are looked at each way: a node may have thousands, a picture has HO_GRAPH_DRAWN */
  START =
      1000, /* nodes to start from, and edges of one node that are drawn, whatever the limit: both are held in memory */
  /* Parts of the limit, so that a picture shows connections and not only what it starts from: */
  TASKS_PART = 8, /* without a filter, this part are tasks: each has several decisions, gotchas and files around it */
  NODE_PART =
      5, /* one of several nodes gets at most this part as its neighbours, or the first would fill the picture */
};

typedef struct walking {
  ho_project *project;
  ho_arena *arena;
  ho_graph *graph;
  size_t limit;
  int64_t *left; /* numbers of nodes that had no room; one may be there twice */
  size_t left_count;
} walking;

static size_t index_of(const ho_graph *graph, int64_t n)
{
  for (size_t i = 0; i < graph->count; i++)
    if (graph->nodes[i].n == n)
      return i;
  return HO_NONE;
}

static bool is_wanted(const ho_graph *graph, const ho_known *known)
{
  return known->kind != HO_KNOWN_TAG || graph->kind == HO_KNOWN_TAG;
}

static void leave_out(walking *w, int64_t n)
{
  int64_t *last = HO_PUSH(w->arena, w->left, w->left_count);
  if (last)
    *last = n;
}

static void add(walking *w, const ho_known *known)
{
  ho_graph *graph = w->graph;
  if (!is_wanted(graph, known) || index_of(graph, known->n) != HO_NONE)
    return;
  if (graph->count == w->limit)
    leave_out(w, known->n);
  else
    graph->nodes[graph->count++] = *known;
}

/* A node that may be added, and its place among the others. */
typedef struct candidate {
  ho_known known;
  size_t place;
} candidate;

static int by_severity(const void *left, const void *right)
{
  const candidate *a = left, *b = right;
  if (a->known.severity != b->known.severity)
    return a->known.severity > b->known.severity ? -1 : 1;
  return (a->place > b->place) - (a->place < b->place);
}

/* Adds the first `most`, the most severe before the others; what is left over is noted. */
static void add_best(walking *w, candidate *rows, size_t count, size_t most)
{
  size_t before = w->graph->count;
  if (count)
    qsort(rows, count, sizeof *rows, by_severity);
  for (size_t i = 0; i < count; i++)
    if (w->graph->count - before < most)
      add(w, &rows[i].known);
    else if (index_of(w->graph, rows[i].known.n) == HO_NONE)
      leave_out(w, rows[i].known.n);
}

static int by_number(const void *left, const void *right)
{
  int64_t a = *(const int64_t *)left, b = *(const int64_t *)right;
  return (a > b) - (a < b);
}

/* What was left out may have been reached again from elsewhere. */
static void count_left_out(walking *w)
{
  if (w->left_count)
    qsort(w->left, w->left_count, sizeof *w->left, by_number);
  for (size_t i = 0; i < w->left_count; i++)
    if ((!i || w->left[i] != w->left[i - 1]) && index_of(w->graph, w->left[i]) == HO_NONE)
      w->graph->left_out++;
}

static ho_code start(walking *w, ho_error *err)
{
  ho_graph *g = w->graph;
  ho_known_list list = {0};
  ho_known task;
  bool found = false;
  ho_str name;
  ho_code code = ho_knowledge_task(w->project, w->arena, g->task, &name, err);
  if (!code && g->task.n)
    code =
        ho_known_by_id(w->project->store, ho_knowledge_id(w->arena, HO_KNOWN_TASK, name), w->arena, &task, &found, err);
  if (!code && g->task.n && !found)
    code = ho_fail(err, HO_NOT_FOUND, "nothing was learned about task %.*s", HO_ARG(g->task));
  if (!code && found)
    add(w, &task);
  if (code || (g->task.n && !g->kind && !g->tag.n))
    return code;
  bool any = !g->kind && !g->tag.n; /* no filter: the newest tasks and what is connected to them */
  ho_known_filter filter = {
      .kind = any ? HO_KNOWN_TASK : g->kind, .tag = ho_knowledge_tag(w->arena, g->tag), .task = name, .limit = START};
  size_t most = w->limit < START ? w->limit : START;
  if (any)
    most = most / TASKS_PART + 1;
  else if (g->depth) /* leave room for what they are connected to */
    most = most / 2 + 1;
  code = ho_known_choose(w->project->store, &filter, w->arena, &list, err);
  candidate *rows = ho_arena_array(w->arena, list.count + 1, sizeof *rows);
  for (size_t i = 0; rows && !code && i < list.count; i++)
    rows[i] = (candidate){list.rows[i], i};
  if (rows && !code)
    add_best(w, rows, list.count, most);
  return code ? code : ho_arena_code(w->arena, err);
}

/* Adds the neighbours of one node in one direction, up to `most` new ones. */
static ho_code add_around(walking *w, int64_t n, bool outwards, size_t most, ho_error *err)
{
  ho_edge_list edges;
  ho_code code = outwards ? ho_known_edges_from(w->project->store, n, 0, START, w->arena, &edges, err)
                          : ho_known_edges_to(w->project->store, n, 0, START, w->arena, &edges, err);
  size_t count = 0;
  candidate *rows = ho_arena_array(w->arena, AROUND, sizeof *rows);
  for (size_t k = 0; rows && !code && k < edges.count; k++) {
    const ho_edge *edge = &edges.rows[outwards ? edges.count - 1 - k : k];
    int64_t other = outwards ? edge->to : edge->from;
    bool tag = outwards && edge->type == HO_EDGE_APPLIES_TO, found = false;
    if (index_of(w->graph, other) != HO_NONE || (tag && w->graph->kind != HO_KNOWN_TAG))
      continue;
    if (count == AROUND) {
      leave_out(w, other);
      continue;
    }
    code = ho_known_get(w->project->store, other, w->arena, &rows[count].known, &found, err);
    rows[count].place = k;
    count += !code && found && is_wanted(w->graph, &rows[count].known);
  }
  if (rows && !code)
    add_best(w, rows, count, most);
  return code ? code : ho_arena_code(w->arena, err);
}

/* One step outwards from every node added before: each gets its share of the remaining room. */
static ho_code widen(walking *w, size_t from, size_t to, ho_error *err)
{
  ho_code code = HO_OK;
  size_t nodes = to - from, room = w->limit - to, share = room;
  if (nodes > 1)
    share = room / nodes < w->limit / NODE_PART ? (room < nodes ? 1 : room / nodes) : w->limit / NODE_PART + 1;
  for (size_t i = from; !code && i < to; i++) {
    size_t before = w->graph->count;
    code = add_around(w, w->graph->nodes[i].n, true, share, err);
    if (!code)
      code = add_around(w, w->graph->nodes[i].n, false, share - (w->graph->count - before), err);
  }
  return code;
}

/* What had no share of the limit gets what others did not need of theirs. */
static ho_code fill(walking *w, ho_error *err)
{
  size_t count = 0, left = w->left_count;
  candidate *rows = ho_arena_array(w->arena, left + 1, sizeof *rows);
  ho_code code = HO_OK;
  for (size_t i = 0; rows && !code && i < left && w->graph->count < w->limit; i++) {
    bool found = false;
    if (index_of(w->graph, w->left[i]) == HO_NONE)
      code = ho_known_get(w->project->store, w->left[i], w->arena, &rows[count].known, &found, err);
    rows[count].place = i;
    count += !code && found;
  }
  if (rows && !code)
    add_best(w, rows, count, w->limit - w->graph->count);
  return code ? code : ho_arena_code(w->arena, err);
}

static ho_code connect(walking *w, ho_error *err)
{
  ho_graph *g = w->graph;
  ho_code code = HO_OK;
  for (size_t i = 0; !code && i < g->count; i++) {
    ho_edge_list out;
    code = ho_known_edges_from(w->project->store, g->nodes[i].n, 0, START, w->arena, &out, err);
    for (size_t k = 0; !code && k < out.count; k++) {
      if (index_of(g, out.rows[k].to) == HO_NONE)
        continue;
      ho_edge *edge = HO_PUSH(w->arena, g->edges, g->edge_count);
      if (!edge)
        return ho_arena_code(w->arena, err);
      *edge = out.rows[k];
    }
  }
  return code;
}

ho_code ho_graph_make(ho_project *project, ho_arena *arena, ho_graph *g, ho_error *err)
{
  walking w = {.project = project, .arena = arena, .graph = g, .limit = (size_t)(g->limit ? g->limit : HO_GRAPH_NODES)};
  g->nodes = ho_arena_array(arena, w.limit, sizeof *g->nodes);
  g->edges = NULL;
  g->count = g->edge_count = 0;
  g->left_out = 0;
  ho_code code = ho_arena_code(arena, err);
  if (!code)
    code = start(&w, err);
  for (size_t depth = 0, from = 0; !code && depth < (size_t)g->depth; depth++) {
    size_t to = g->count;
    code = widen(&w, from, to, err);
    from = to;
  }
  if (!code)
    code = fill(&w, err);
  if (!code)
    code = connect(&w, err);
  count_left_out(&w);
  return code ? code : ho_arena_code(arena, err);
}
