#include <sys/stat.h>

#include "base/fs.h"
#include "command/commands.h"
#include "command/context_shown.h"
#include "doc/json/json.h"
#include "engine/context/context_cache.h"
#include "engine/project/paths.h"

/* What came on standard input, or NULL: a status line shows what it can and never fails. */
static const ho_node *read_status(ho_call *call)
{
  ho_str text;
  ho_source source;
  ho_node *status;
  ho_error err = {0};
  if (call->host->read_input(call->host->world, call->arena, &text, &err) ||
      ho_source_init(&source, call->arena, HO_STR("-"), text, &err) ||
      ho_json_read(&source, 0, call->arena, NULL, &status, &err))
    return NULL;
  return status;
}

static int64_t count_at(const ho_node *node, const char *pointer)
{
  long long count;
  return ho_node_to_int(ho_node_at(node, ho_str_of(pointer)), &count) && count > 0 ? count : 0;
}

/* The harness's own figure; used is 0 before the first answer and after a compaction. */
static ho_figure figure_of(const ho_node *status, int64_t now_ms)
{
  ho_figure figure = {
      .window = count_at(status, "/context_window/context_window_size"), .percent = -1, .at_ms = now_ms};
  struct stat info;
  uint64_t percent;
  int64_t input = count_at(status, "/context_window/current_usage/input_tokens") +
                  count_at(status, "/context_window/current_usage/cache_creation_input_tokens") +
                  count_at(status, "/context_window/current_usage/cache_read_input_tokens");
  if (input)
    figure.used = input + count_at(status, "/context_window/current_usage/output_tokens");
  ho_str shown = ho_node_str(ho_node_at(status, HO_STR("/context_window/used_percentage")));
  size_t point = ho_str_find_char(shown, '.');
  if (ho_str_to_u64(ho_str_sub(shown, 0, point == HO_NONE ? shown.n : point), &percent) && percent <= 1000)
    figure.percent = (int64_t)percent;
  ho_error_copy(figure.model, sizeof figure.model, ho_node_str(ho_node_at(status, HO_STR("/model/id"))));
  ho_str path = ho_node_str(ho_node_at(status, HO_STR("/transcript_path")));
  char transcript[4096];
  ho_error_copy(transcript, sizeof transcript, path);
  if (path.n && ho_fs_stat(transcript, &info) == 0)
    figure.transcript_end = (int64_t)info.st_size;
  return figure;
}

/* Kept only if the project uses handoff; a status line leaves no files behind in other projects. */
static bool keep(ho_call *call, const ho_node *status, const ho_figure *figure)
{
  ho_error err = {0};
  ho_str session = ho_map_str(status, "session_id");
  ho_str folder = ho_fs_join(call->arena, call->host->root, HO_STR(HO_PATH_FOLDER));
  if (!session.n || !ho_fs_is_folder(folder.p) || !ho_fs_inside(call->host->root.p, folder.p))
    return false;
  ho_str path = ho_context_path(call->arena, call->host->root, session, HO_FIGURE_SUFFIX);
  return ho_figure_save(figure, call->arena, path.p, &err) == HO_OK;
}

/* Where the harness gives no figure, the transcript may. */
static void look_into_transcript(ho_call *call, const ho_node *status, ho_scan *scan)
{
  ho_str path = ho_map_str(status, "transcript_path");
  if (path.n && ho_transcript_scan(scan, ho_arena_z(call->arena, path), NULL, NULL) != HO_OK)
    *scan = (ho_scan){0};
}

/* Whose status line it is: by its transcript, else the first that has one. */
static const ho_harness *harness_of(const ho_node *status)
{
  const ho_harness *harness = ho_harness_of_path(ho_map_str(status, "transcript_path"));
  const ho_harness *const *each = ho_harnesses;
  while (*each && !(*each)->status_line)
    each++;
  return harness && harness->status_line ? harness : *each;
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_window_facts windows = {0};
  ho_context context;
  int64_t threshold;
  const ho_node *status = read_status(call);
  ho_scan *scan = HO_NEW(call->arena, ho_scan);
  if (!scan)
    return ho_arena_code(call->arena, err);
  ho_error ignored = {0};
  if (ho_context_shown_settings(call, &windows, &threshold, &ignored) == HO_MEMORY)
    return ho_fail_memory(err);
  ho_figure figure = figure_of(status, call->host->clock_ms(call->host->world));
  if (!figure.used)
    look_into_transcript(call, status, scan);
  ho_window_harness(&windows, harness_of(status), call->host->root, call->arena);
  ho_context_judge(scan, &figure, &windows, &context);
  if (figure.window && !context.window.full)
    context.window = (ho_window){figure.window, figure.window, "harness"};
  bool own = figure.percent >= 0 && figure.used && context.window.effective == figure.window;
  if (!context.model[0])
    ho_error_copy(context.model, sizeof context.model, ho_str_of(figure.model));
  ho_str name = ho_node_str(ho_node_at(status, HO_STR("/model/display_name")));
  ho_str id = ho_arena_copy(call->arena, ho_str_of(context.model));
  ho_map_addz(call->result, "model", ho_node_text(call->arena, name.n ? name : id));
  ho_map_addz(call->result, "used", ho_context_shown_count(call->arena, context.used));
  ho_map_addz(call->result, "window",
              ho_context_shown_count(call->arena, context.window.effective ? context.window.effective : -1));
  ho_map_addz(call->result, "percent",
              ho_context_shown_percent(call->arena, own ? figure.percent * 10 : context.tenths));
  ho_map_addz(call->result, "evidence", ho_node_textz(call->arena, ho_evidence_name(context.evidence)));
  ho_map_addz(call->result, "threshold", ho_node_number(call->arena, threshold));
  ho_map_addz(call->result, "kept", ho_node_bool(call->arena, keep(call, status, &figure)));
  return HO_OK;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  long long threshold = 0;
  (void)colour; /* the harness is not a terminal, but shows colours */
  if (ho_node_to_int(ho_map_getz(call->result, "threshold"), &threshold))
    ho_context_shown_put(out, call->result, threshold, !getenv("NO_COLOR"));
}

static const ho_field params[] = {HO_FIELDS_END};
static const ho_record params_record = {.name = "statusline", .fields = params};
static const ho_field result[] = {
    {.name = "model",
     .doc = "Model, as the harness names it.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED | HO_MAY_BE_EMPTY},
    {.name = "used", .doc = "Tokens in the context.", .type = HO_T_INT, .flags = HO_NULLABLE},
    {.name = "window", .doc = "Size of the window in tokens.", .type = HO_T_INT, .flags = HO_NULLABLE},
    {.name = "percent", .doc = "Percent of the window that is used.", .type = HO_T_NUMBER, .flags = HO_NULLABLE},
    {.name = "evidence", .doc = "Evidence, as in 'handoff context'.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "threshold", .doc = "Percent at which a handoff is requested.", .type = HO_T_INT, .flags = HO_REQUIRED},
    {.name = "kept", .doc = "True if the figure was kept for the hooks.", .type = HO_T_BOOL, .flags = HO_REQUIRED},
    HO_FIELDS_END};
static const ho_record result_record = {.name = "statusline result", .fields = result};

const ho_command ho_command_statusline = {
    .name = "statusline",
    .group = "agents",
    .summary = "Show context usage in the status line of Claude Code",
    .doc =
        "Reads the harness's JSON on standard input and prints one line with the model and how full its context is. In "
        "a project with a .handoff folder, the exact figure is kept in .handoff/context for 'handoff context' and the "
        "hooks. Always prints a line and exits 0, whatever the input is. 'handoff install claude' registers it.",
    .examples = "echo '{\"model\": {\"id\": \"claude-opus-4-1\"}}' | handoff statusline",
    .local = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
