/* Writes a graph as JSON, DOT, Mermaid and SVG. */
#include <errno.h>
#include <unistd.h>

#include "base/escape.h"
#include "base/proc/spawn.h"
#include "base/time.h"
#include "base/utf8.h"
#include "engine/knowledge/graph.h"
#include "engine/project/quote.h"

enum { SUMMARY = 100, LABEL = 60, LINE = 26, MANY = 60 };

static const struct {
  const char *type, *shape, *fill, *border;
} looks[] = {
    [HO_KNOWN_TASK] = {"task", "box", "#dbeafe", "#1d4ed8"},
    [HO_KNOWN_DECISION] = {"decision", "box", "#ede9fe", "#6d28d9"},
    [HO_KNOWN_PATTERN] = {"pattern", "box", "#dcfce7", "#15803d"},
    [HO_KNOWN_GOTCHA] = {"gotcha", "box", "#fee2e2", "#b91c1c"},
    [HO_KNOWN_DEAD_END] = {"insight", "box", "#ffe4e6", "#9f1239"},
    [HO_KNOWN_QUESTION] = {"insight", "box", "#fef9c3", "#a16207"},
    [HO_KNOWN_BLOCKER] = {"insight", "box", "#ffedd5", "#c2410c"},
    [HO_KNOWN_FACT] = {"insight", "box", "#f1f5f9", "#475569"},
    [HO_KNOWN_STEP] = {"insight", "box", "#ecfeff", "#0e7490"},
    [HO_KNOWN_FILE] = {"file", "note", "#ffffff", "#64748b"},
    [HO_KNOWN_ARTIFACT] = {"artifact", "note", "#f8fafc", "#64748b"},
    [HO_KNOWN_AGENT] = {"agent", "ellipse", "#fae8ff", "#a21caf"},
    [HO_KNOWN_TAG] = {"tag", "ellipse", "#ffffff", "#0f766e"},
};

/* At most `most` characters, on one line. */
static ho_str shortened(ho_arena *arena, ho_str text, size_t most)
{
  ho_str clean = ho_quote_clean(arena, text, text.n, true);
  if (ho_utf8_count(clean) <= most)
    return clean;
  size_t at = 0;
  for (size_t i = 0; i + 1 < most; i++)
    ho_utf8_next(clean, &at);
  return ho_arena_printf(arena, "%.*s…", HO_ARG(ho_str_sub(clean, 0, at)));
}

/* ---- JSON */

static const ho_known *node_of(const ho_graph *graph, int64_t n)
{
  for (size_t i = 0; i < graph->count; i++)
    if (graph->nodes[i].n == n)
      return &graph->nodes[i];
  return NULL;
}

/* The file that it is in: its own path, or that of its first edge to one. */
static ho_str file_of(const ho_graph *graph, const ho_known *known)
{
  if (ho_known_is_path(known->kind))
    return known->text;
  for (size_t i = 0; i < graph->edge_count; i++)
    if (graph->edges[i].from == known->n && graph->edges[i].type == HO_EDGE_LOCATED_IN)
      return node_of(graph, graph->edges[i].to)->text;
  return HO_EMPTY;
}

static ho_node *node_json(const ho_graph *graph, const ho_known *known, ho_arena *arena)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP), *full = ho_know_record(known, arena);
  ho_map_put(arena, map, "id", known->id);
  ho_map_addz(map, "type", ho_node_textz(arena, looks[known->kind].type));
  ho_map_addz(map, "tags", ho_node_copy(arena, ho_map_getz(full, "tags")));
  ho_map_put(arena, map, "summary", shortened(arena, known->text, SUMMARY));
  ho_map_put(arena, map, "file", file_of(graph, known));
  ho_map_put(arena, map, "created", ho_time_str(arena, known->first));
  ho_node *near = ho_map_addz(map, "connections", ho_node_new(arena, HO_KIND_LIST));
  for (size_t i = 0; i < graph->edge_count; i++) {
    const ho_edge *e = &graph->edges[i];
    if (e->from == known->n || e->to == known->n)
      ho_list_add(near, ho_node_text(arena, node_of(graph, e->from == known->n ? e->to : e->from)->id));
  }
  ho_map_put(arena, map, "kind", ho_words_str(&ho_known_kinds, known->kind));
  ho_map_put(arena, map, "text", known->text);
  ho_map_put(arena, map, "severity", ho_str_of(ho_know_severity(known->severity)));
  ho_map_put(arena, map, "state", ho_words_str(&ho_known_states, known->state));
  return map;
}

void ho_graph_json(const ho_graph *graph, ho_arena *arena, ho_node *out)
{
  int64_t last = 0;
  for (size_t i = 0; i < graph->count; i++)
    last = graph->nodes[i].last > last ? graph->nodes[i].last : last;
  ho_map_addz(out, "version", ho_node_number(arena, 1));
  ho_map_put(arena, out, "last_updated", ho_time_str(arena, last));
  ho_node *nodes = ho_map_addz(out, "nodes", ho_node_new(arena, HO_KIND_LIST));
  ho_node *edges = ho_map_addz(out, "edges", ho_node_new(arena, HO_KIND_LIST));
  ho_node *index = ho_map_addz(out, "tag_index", ho_node_new(arena, HO_KIND_MAP));
  for (size_t i = 0; i < graph->count; i++) {
    ho_node *map = ho_list_add(nodes, node_json(graph, &graph->nodes[i], arena));
    HO_EACH_CONST (tag, ho_map_getz(map, "tags")) {
      ho_node *ids = ho_map_get(index, tag->text);
      if (!ids)
        ids = ho_map_add(index, tag->text, ho_node_new(arena, HO_KIND_LIST));
      ho_list_add(ids, ho_node_text(arena, graph->nodes[i].id));
    }
  }
  for (size_t i = 0; i < graph->edge_count; i++) {
    ho_node *map = ho_list_add(edges, ho_node_new(arena, HO_KIND_MAP));
    ho_map_put(arena, map, "from", node_of(graph, graph->edges[i].from)->id);
    ho_map_put(arena, map, "type", ho_str_of(ho_known_edge_name(graph->edges[i].type)));
    ho_map_put(arena, map, "to", node_of(graph, graph->edges[i].to)->id);
  }
  ho_map_addz(out, "more", ho_node_bool(arena, graph->left_out > 0));
  ho_map_addz(out, "left_out", ho_node_number(arena, (long long)graph->left_out));
}

/* ---- Labels */

/* "task 7: Add middleware", "gotcha (high): …", "src/auth/jwt.ts" */
static ho_str label_of(const ho_known *known, ho_arena *arena)
{
  const char *severity = ho_know_severity(known->severity);
  if (known->kind == HO_KNOWN_TASK) {
    ho_str name = ho_know_detail(known, arena, "name");
    if (ho_str_eq(name, known->text))
      name = HO_EMPTY;
    return shortened(arena, ho_arena_printf(arena, "%.*s%s%.*s", HO_ARG(known->text), name.n ? ": " : "", HO_ARG(name)),
                     LABEL);
  }
  if (ho_known_is_name(known->kind))
    return shortened(arena, known->text, LABEL);
  return shortened(arena,
                   ho_arena_printf(arena, "%.*s%s%s%s: %.*s", HO_ARG(ho_words_str(&ho_known_kinds, known->kind)),
                                   *severity ? " (" : "", severity, *severity ? ")" : "", HO_ARG(known->text)),
                   LABEL + 20);
}

/* Writes the label in lines of about LINE characters, escaping what could end or format it. */
static void put_label(ho_buf *out, ho_str label, const char *line_break, bool dot)
{
  size_t width = 0;
  for (size_t at = 0; at < label.n;) {
    size_t from = at;
    uint32_t cp = ho_utf8_next(label, &at);
    width++;
    if ((cp == ' ' && width > LINE * 3 / 4) || (width > LINE && (cp == '/' || cp == ' '))) {
      if (cp == '/')
        ho_buf_putc(out, '/');
      ho_buf_puts(out, line_break);
      width = 0;
    } else if (dot) {
      ho_escape_backslash(out, ho_str_sub(label, from, at), "\"\\");
    } else {
      ho_escape_mermaid(out, ho_str_sub(label, from, at));
    }
  }
}

void ho_graph_dot(const ho_graph *graph, ho_arena *arena, ho_buf *out)
{
  ho_buf_puts(out, "digraph knowledge {\n  rankdir=LR;\n  graph [fontname=\"Helvetica\", nodesep=0.25, ranksep=0.9];\n"
                   "  node [fontname=\"Helvetica\", fontsize=10, style=\"filled,rounded\", margin=\"0.12,0.07\"];\n"
                   "  edge [fontname=\"Helvetica\", fontsize=8, color=\"#94a3b8\", fontcolor=\"#64748b\"];\n");
  if (graph->count > MANY) /* otherwise `dot` spends minutes looking for better positions */
    ho_buf_puts(out, "  graph [splines=line, nslimit=1, nslimit1=1, mclimit=0.3];\n");
  for (size_t i = 0; i < graph->count; i++) {
    const ho_known *known = &graph->nodes[i];
    ho_known_kind k = known->kind;
    bool plain = strcmp(looks[k].shape, "box") != 0, closed = known->state == HO_KNOWN_CLOSED;
    ho_buf_printf(out, "  n%lld [label=\"", (long long)known->n);
    put_label(out, label_of(known, arena), "\\n", true);
    ho_buf_printf(out, "\", shape=%s, fillcolor=\"%s\", color=\"%s\"%s];\n", looks[k].shape, looks[k].fill,
                  looks[k].border,
                  closed  ? ", style=\"filled,dashed\", fontcolor=\"#64748b\""
                  : plain ? ", style=filled"
                          : "");
  }
  for (size_t i = 0; i < graph->edge_count; i++) {
    const ho_edge *e = &graph->edges[i];
    /* The most common edge is drawn without a label: one on each would hide the rest. */
    ho_buf_printf(out,
                  e->type == HO_EDGE_DISCOVERED_IN ? "  n%lld -> n%lld [style=dotted];\n"
                                                   : "  n%lld -> n%lld [label=\"%s\"];\n",
                  (long long)e->from, (long long)e->to, ho_known_edge_name(e->type));
  }
  ho_buf_puts(out, "}\n");
}

void ho_graph_mermaid(const ho_graph *graph, ho_arena *arena, ho_buf *out)
{
  ho_buf_puts(out, "flowchart LR\n");
  for (size_t i = 0; i < graph->count; i++) {
    const ho_known *known = &graph->nodes[i];
    bool round = strcmp(looks[known->kind].shape, "ellipse") == 0;
    ho_buf_printf(out, "  n%lld%s\"", (long long)known->n, round ? "([" : "[");
    put_label(out, label_of(known, arena), "<br/>", false);
    ho_buf_printf(out, "\"%s:::%s\n", round ? "])" : "]", ho_words_name(&ho_known_kinds, known->kind));
  }
  for (size_t i = 0; i < graph->edge_count; i++)
    ho_buf_printf(out, "  n%lld -->|%s| n%lld\n", (long long)graph->edges[i].from,
                  ho_known_edge_name(graph->edges[i].type), (long long)graph->edges[i].to);
  for (int k = 1; k < ho_known_kinds.count; k++)
    ho_buf_printf(out, "  classDef %s fill:%s,stroke:%s\n", ho_words_name(&ho_known_kinds, k), looks[k].fill,
                  looks[k].border);
}

/* ---- The picture */

/* Runs `dot` with files at both ends, so that neither side waits for the other. */
static int run_dot(int in, int result, int *status)
{
  static const char *const argv[] = {"dot", "-Tsvg", NULL};
  pid_t child;
  int failed = ho_spawn(argv, NULL, in, result, &child);
  if (failed)
    return failed;
  *status = ho_spawn_wait(child, ho_time_monotonic_ms() + HO_GRAPH_SECONDS * 1000);
  return *status == HO_SPAWN_LATE ? ETIME : 0;
}

ho_code ho_graph_svg(ho_str dot, ho_arena *arena, ho_str *out, ho_error *err)
{
  FILE *in = tmpfile(), *result = tmpfile();
  int status = 0, failed = EIO;
  *out = HO_EMPTY;
  if (in && result && fwrite(dot.p, 1, dot.n, in) == dot.n && fflush(in) == 0 && lseek(fileno(in), 0, SEEK_SET) == 0)
    failed = run_dot(fileno(in), fileno(result), &status);
  ho_code code = HO_OK;
  if (failed == ENOENT)
    code = ho_fail(
        err, HO_NOT_FOUND,
        "'dot' not found; install Graphviz (Debian: apt-get install graphviz), or use --form dot or --form mermaid");
  else if (failed == ETIME)
    code = ho_fail(err, HO_LIMIT,
                   "'dot' took longer than %d seconds; lower --limit or --depth, or use --form dot and draw it with "
                   "another program",
                   HO_GRAPH_SECONDS);
  else if (failed || status != 0)
    code = ho_fail(err, HO_IO, "'dot' failed: %s", failed ? strerror(failed) : "it ended with an error");
  else if (lseek(fileno(result), 0, SEEK_SET) != 0)
    code = ho_fail(err, HO_IO, "the picture cannot be read: %s", strerror(errno));
  else
    code = ho_fs_read_fd(arena, fileno(result), HO_STR("dot"), (size_t)64 << 20, out, err);
  if (in)
    fclose(in);
  if (result)
    fclose(result);
  return code;
}
