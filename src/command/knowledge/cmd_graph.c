#include "command/commands.h"
#include "command/knowledge/known_shown.h"
#include "doc/json/json.h"
#include "engine/knowledge/graph.h"

static ho_code draw(ho_call *call, const ho_graph *graph, ho_str as, ho_error *err)
{
  ho_buf out;
  ho_str text;
  ho_buf_init(&out, 0);
  if (ho_str_is(as, "mermaid"))
    ho_graph_mermaid(graph, call->arena, &out);
  else
    ho_graph_dot(graph, call->arena, &out);
  text = ho_buf_move(&out, call->arena);
  ho_code code = ho_arena_code(call->arena, err);
  if (!code && ho_str_is(as, "svg"))
    code = ho_graph_svg(text, call->arena, &text, err);
  ho_map_addz(call->result, "drawn", ho_node_text(call->arena, text));
  return code;
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_str as = ho_arg_str(call, "form");
  ho_graph graph = {.task = ho_arg_str(call, "task"),
                    .kind = (ho_known_kind)ho_known_shown_word(call, "kind", &ho_known_kinds),
                    .tag = ho_arg_str(call, "tag"),
                    .depth = (int)ho_number_arg(call, "depth"),
                    .limit = ho_number_arg(call, "limit")};
  if (ho_str_is(as, "svg") && graph.limit > HO_GRAPH_DRAWN)
    return ho_fail(err, HO_LIMIT, "a picture with more than %d nodes is unreadable; lower --limit", HO_GRAPH_DRAWN);
  ho_code code = ho_ledger_call_maybe(call, err);
  if (!code)
    code = ho_ledger_call_derive(call, HO_DERIVED_KNOWLEDGE, err);
  if (code)
    return code;
  if (project->store)
    code = ho_graph_make(project, call->arena, &graph, err);
  if (code)
    return code;
  ho_graph_json(&graph, call->arena, call->result);
  if (!ho_str_is(as, "json"))
    code = draw(call, &graph, as, err);
  if (!project->store)
    return code;
  if (!code && !graph.count && !graph.task.n && !ho_arg_str(call, "kind").n && !graph.tag.n)
    ho_call_note(call, "no task is known; use --kind or --tag to start from something else");
  else if (!code && !graph.count)
    ho_call_note(call, "nothing found");
  if (!code && graph.left_out)
    ho_call_note(
        call,
        "only %zu %s shown, %zu next to them left out; use --limit N for more, or --task, --kind and --tag to choose",
        graph.count, ho_plural_of((long long)graph.count, "node is", "nodes are"), graph.left_out);
  return code;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *drawn = ho_map_getz(call->result, "drawn");
  (void)colour;
  if (drawn) {
    ho_buf_put(out, drawn->text);
    return;
  }
  ho_json_write(out, call->result, 2);
  ho_buf_putc(out, '\n');
}

static const ho_choice forms[] = {{.value = "json", .doc = "nodes, edges and an index of tags"},
                                  {.value = "dot", .doc = "for Graphviz"},
                                  {.value = "mermaid", .doc = "for Markdown pages"},
                                  {.value = "svg", .doc = "a picture, drawn by Graphviz"},
                                  {0}};
static const ho_field params[] = {
    HO_PARAM_FORM("Output format.", "as", .choices = forms, .fallback = "json"),
    {.name = "task", .label = "N", .doc = "Start from this task.", .type = HO_T_TEXT},
    {.name = "kind",
     .label = "K",
     .doc = "Start from nodes of this kind.",
     .type = HO_T_TEXT,
     .choices = ho_known_shown_kinds},
    {.name = "tag", .label = "T", .doc = "Start from nodes with this tag.", .type = HO_T_TEXT},
    {.name = "depth",
     .label = "N",
     .doc = "Maximum number of edges from there.",
     .type = HO_T_INT,
     .max = 10,
     .fallback = "1"},
    {.name = "limit",
     .label = "N",
     .doc = "Maximum number of nodes.",
     .type = HO_T_INT,
     .min = 1,
     .max = 10000,
     .fallback = "30"},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "graph", .fields = params};
static const ho_field result[] = {
    {.name = "version", .doc = "Version of this structure: 1.", .type = HO_T_INT},
    HO_TEXT_FIELD("last_updated", "When the newest node was last said."),
    {.name = "nodes",
     .doc = "{id, type, tags, summary, file, created, connections, kind, text, severity, state}.",
     .type = HO_T_ANY},
    {.name = "edges", .doc = "{from, type, to}.", .type = HO_T_ANY},
    {.name = "tag_index", .doc = "Node ids per tag.", .type = HO_T_ANY},
    {.name = "more", .doc = "True if nodes were left out.", .type = HO_T_BOOL},
    {.name = "left_out", .doc = "Number of nodes next to these that were left out.", .type = HO_T_INT},
    HO_TEXT_FIELD("drawn", "The graph in the chosen format."),
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "graph result", .fields = result};

const ho_command ho_command_graph = {
    .name = "graph",
    .group = "knowledge",
    .summary = "Show what was learned as a graph",
    .doc = "Shows how facts, files, tasks and agents are related: discovered_in, applies_to, located_in, blocks, "
           "supersedes, depends_on, answers. Starts from a task, a kind or a tag, or else from the newest tasks. The "
           "JSON has the structure of knowledge graph files (version, last_updated, nodes, tag_index), plus edges.",
    .examples = "handoff graph --form dot > knowledge.dot",
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
    .raw = true,
};
