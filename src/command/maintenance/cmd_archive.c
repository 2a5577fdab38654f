#include "base/term.h"
#include "command/commands.h"
#include "command/ledger_call.h"
#include "command/phase_args.h"
#include "engine/ledger/archive.h"
#include "engine/relay/put_away.h"
#include "store/handoffs/handoffs.h"

/* The phases of these handoffs, or all of them, if they are finished. */
static ho_code put_away(ho_call *call, const ho_node *archived, ho_node *moved, ho_error *err)
{
  ho_project *project = &call->project;
  ho_put_away put = {.project = project,
                     .arena = call->arena,
                     .root = call->host->root,
                     .now_ms = ho_project_now(project),
                     .moved = moved};
  ho_code code = archived ? HO_OK : ho_put_away_finished(&put, err);
  HO_EACH_CONST (item, archived) {
    ho_handoff row = {0};
    if (!code)
      code = ho_handoffs_get(project->store, ho_map_str(item, "id"), call->arena, &row, err);
    put.task = row.task;
    put.phase = row.phase;
    if (!code && row.task.n && row.phase.n)
      code = ho_put_away_finished(&put, err);
  }
  return code;
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  const ho_node *ids = ho_arg(call, "ids");
  bool all = ho_arg_true(call, "completed");
  ho_node *done = ho_node_new(call->arena, HO_KIND_LIST), *moved = ho_node_new(call->arena, HO_KIND_LIST);
  if ((ids && ids->count > 0) == all)
    return ho_fail(err, HO_USAGE, "nothing to archive; name one or more IDs, or use --completed");
  ho_code code = ho_open_ledger(call, false, err);
  if (code)
    return code;
  code = ho_archive_run(project, all ? NULL : ids, call->arena, done, err);
  if (!code)
    code = put_away(call, all ? NULL : done, moved, err);
  if (!code && done && moved && !done->count && !moved->count)
    ho_call_note(call, "nothing to archive: no other handoff has ended");
  ho_map_addz(call->result, "archived", done);
  ho_map_addz(call->result, "moved", moved);
  return code;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  (void)colour;
  HO_EACH_CONST (item, ho_map_getz(call->result, "archived")) {
    ho_put_padded(out, ho_map_str(item, "id"), 13);
    ho_buf_putc(out, ' ');
    ho_term_put(out, ho_map_str(item, "path"), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
  HO_EACH_CONST (item, ho_map_getz(call->result, "moved")) {
    ho_put_padded(out, HO_STR("moved"), 13);
    ho_buf_putc(out, ' ');
    ho_term_put(out, ho_shown_below(call, ho_map_str(item, "path")), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
}

static const ho_field params[] = {
    {.name = "ids",
     .label = "ID",
     .doc = "Handoffs that have ended.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .flags = HO_POSITIONAL},
    {.name = "completed", .doc = "Archive all handoffs that have ended.", .type = HO_T_BOOL},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "archive", .fields = params};
static const ho_field item_fields[] = {HO_TEXT_FIELD("id", "Id of the handoff."),
                                       HO_TEXT_FIELD("path", "Path of its copy."), HO_FIELDS_END};
static const ho_record item_record = {.name = "archived handoff", .fields = item_fields};
static const ho_field moved_fields[] = {HO_TEXT_FIELD("from", "Path of the file before."),
                                        HO_TEXT_FIELD("path", "Its path now."), HO_FIELDS_END};
static const ho_record moved_record = {.name = "moved file", .fields = moved_fields};
static const ho_field result[] = {HO_LIST_FIELD("archived", "The handoffs that were archived.", item_record),
                                  HO_LIST_FIELD("moved", "The files of finished phases that were moved.", moved_record),
                                  HO_NOTES_FIELD, HO_FIELDS_END};
static const ho_record result_record = {.name = "archive result", .fields = result};

const ho_command ho_command_archive = {
    .name = "archive",
    .group = "maintenance",
    .summary = "Move ended handoffs to the archive",
    .doc =
        "Marks them as archived, writes their copies to .project/07-audit/sessions/SESSION/handoffs/ID.yaml, and "
        "seals the log. The files of a finished phase go from specs/N_SLUG/handoffs/ to handoffs/archive/; what names "
        "them is updated, and their old paths still lead to them.",
    .examples = "handoff archive --completed",
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
