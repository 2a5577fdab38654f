/* Part of the knowledge as a graph: nodes and the edges between them, few enough to look at. */
#ifndef HO_ENGINE_KNOWLEDGE_GRAPH_H
#define HO_ENGINE_KNOWLEDGE_GRAPH_H

#include "engine/knowledge/know.h"

enum { HO_GRAPH_NODES = 30, HO_GRAPH_DRAWN = 400, HO_GRAPH_SECONDS = 20 };

typedef struct ho_graph {
  /* Given. Empty and 0 do not filter. */
  ho_str task;        /* start from this task */
  ho_known_kind kind; /* start from nodes of this kind, */
  ho_str tag;         /* with this tag */
  int depth;          /* how many edges away from the start */
  int64_t limit;      /* nodes; 0: HO_GRAPH_NODES */
  /* Filled. */
  ho_known *nodes; /* from the start outwards, newest first */
  size_t count;
  ho_edge *edges; /* between these nodes, each once */
  size_t edge_count;
  size_t left_out; /* nodes that were reached and had no room; of very many, at least so many */
} ho_graph;

/* Without a filter it starts from the newest tasks. If it starts from several nodes, each adds at most its share of
 * neighbours, so that none crowds out the others. The most severe come first, then the newest. Nodes of kind tag are included only on request: tags
 * are shown with the facts. */
ho_code ho_graph_make(ho_project *project, ho_arena *arena, ho_graph *graph, ho_error *err) HO_NODISCARD;

/* {version: 1, last_updated, nodes: [{id, type, tags, summary, file, created, connections, kind, text, severity,
 * state}], edges: [{from, type, to}], tag_index: {tag: [ids]}, more, left_out}. `type` is task, decision, pattern or gotcha;
 * insight for every other fact; the kind for files, artifacts, agents and tags. A summary has at most 100
 * characters. */
void ho_graph_json(const ho_graph *graph, ho_arena *arena, ho_node *out);
/* DOT and Mermaid. Whatever comes from documents is a quoted label. */
void ho_graph_dot(const ho_graph *graph, ho_arena *arena, ho_buf *out);
void ho_graph_mermaid(const ho_graph *graph, ho_arena *arena, ho_buf *out);
/* Renders DOT as SVG with Graphviz' `dot`. HO_NOT_FOUND with advice if there is no `dot`, HO_LIMIT if it takes
 * longer than HO_GRAPH_SECONDS. */
ho_code ho_graph_svg(ho_str dot, ho_arena *arena, ho_str *out, ho_error *err) HO_NODISCARD;
#endif
