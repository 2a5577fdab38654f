#include "base/term.h"
#include "command/commands.h"
#include "command/ledger_call.h"
#include "engine/ledger/repair.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_repaired done;
  ho_store_watch watch = {call->host->progress, call->host->world};
  ho_code code = ho_open_ledger(call, false, err);
  if (!code)
    code = ho_ledger_call_own(call, err);
  if (!code)
    code = ho_repair(&call->project, &watch, call->arena, &done, err);
  if (code)
    return code;
  bool all = done.remaining->count == 0;
  ho_map_addz(call->result, "ok", ho_node_bool(call->arena, all));
  ho_map_addz(call->result, "written", done.written);
  ho_map_addz(call->result, "given_up", done.given_up);
  ho_map_addz(call->result, "remaining", done.remaining);
  return all ? HO_OK : HO_NO;
}

static void put_items(ho_buf *out, const ho_node *items, const char *label)
{
  HO_EACH_CONST (item, items) {
    ho_buf_printf(out, "%s: ", label);
    ho_term_put(out, ho_map_str(item, "name"), HO_TERM_LINE);
    ho_buf_puts(out, ": ");
    ho_term_put(out, ho_map_str(item, "message"), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *written = ho_map_getz(call->result, "written"), *given_up = ho_map_getz(call->result, "given_up");
  const ho_node *remaining = ho_map_getz(call->result, "remaining");
  (void)colour;
  HO_EACH_CONST (path, written) {
    ho_buf_puts(out, "written: ");
    ho_term_put(out, ho_node_str(path), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
  put_items(out, given_up, "given up");
  put_items(out, remaining, "not written");
  if (!written->count && !given_up->count && !remaining->count)
    ho_buf_puts(out, "no file is missing\n");
}

static const ho_field params[] = {HO_FIELDS_END};
static const ho_record params_record = {.name = "repair", .fields = params};
static const ho_field result[] = {
    {.name = "ok", .doc = "True if no file is missing now.", .type = HO_T_BOOL, .flags = HO_REQUIRED},
    HO_TEXTS_FIELD("written", "Files that were written."),
    HO_LIST_FIELD("given_up", "Files of worktrees that are gone, which nobody tries to write any more.",
                  ho_unwritten_record),
    HO_LIST_FIELD("remaining", "Files that could not be written.", ho_unwritten_record),
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "repair result", .fields = result};

const ho_command ho_command_repair = {
    .name = "repair",
    .group = "maintenance",
    .summary = "Write missing files again from the store",
    .doc = "Writes the files that could not be written when they were recorded, then what is missing: copies in the "
           "archive, if the store still has exactly what they said, the file .handoff/seal, and the state file. Copies "
           "move to where the setting 'archive_folder' says. What was to be written in a git worktree that is gone is "
           "given up. Changes no file that is there: to see which ones differ, run: handoff verify. Exits 1 if a file "
           "could not be written.",
    .examples = "handoff repair",
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
