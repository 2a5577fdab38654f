#include "base/term.h"
#include "command/commands.h"
#include "command/ledger_call.h"
#include "engine/ledger/archive.h"
#include "model/syntax.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_pruning how = {.unapproved = ho_arg_true(call, "unapproved")};
  if (!ho_stamp_time(ho_arg_str(call, "before"), &how.before))
    return ho_fail(err, HO_USAGE, "--before '%.*s' is not a date; use 2026-02-12", HO_ARG(ho_arg_str(call, "before")));
  ho_code code = ho_open_ledger(call, false, err);
  if (code)
    return code;
  code = ho_archive_prune(project, &how, call->arena, err);
  if (code)
    return code;
  if (how.done && how.done->count == HO_PRUNED_AT_ONCE)
    ho_call_note(call, "only the oldest %d were removed; run the command again for the rest", HO_PRUNED_AT_ONCE);
  if (how.done && !how.done->count && !how.kept && !how.halting)
    ho_call_note(call, "nothing to remove: no archived handoff is that old");
  if (how.kept)
    ho_call_note(call,
                 "%lld handoff%s that nobody approved at %s gate stay%s, so that %s cannot be sent again past it; to "
                 "remove %s, too, use --unapproved",
                 (long long)how.kept, ho_plural(how.kept), ho_plural_of(how.kept, "its", "their"),
                 how.kept == 1 ? "s" : "", ho_plural_of(how.kept, "it", "they"), ho_plural_of(how.kept, "it", "them"));
  if (how.halting)
    ho_call_note(call, "%lld handoff%s that halt%s a task stay%s until it is resumed; see: handoff status",
                 (long long)how.halting, ho_plural(how.halting), how.halting == 1 ? "s" : "",
                 how.halting == 1 ? "s" : "");
  ho_map_addz(call->result, "pruned", how.done);
  ho_map_addz(call->result, "kept", ho_node_number(call->arena, how.kept));
  return HO_OK;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  (void)colour;
  HO_EACH_CONST (id, ho_map_getz(call->result, "pruned")) {
    ho_term_put(out, id->text, HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
}

static const ho_field params[] = {
    {.name = "before",
     .label = "DATE",
     .doc = "Only handoffs sent before DATE.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED},
    {.name = "unapproved", .doc = "Also handoffs that nobody approved at their gate.", .type = HO_T_BOOL},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "prune", .fields = params};
static const ho_field result[] = {
    HO_TEXTS_FIELD("pruned", "Ids of the handoffs that were removed."),
    {.name = "kept", .doc = "Number of handoffs that stay because nobody approved them.", .type = HO_T_INT},
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "prune result", .fields = result};

const ho_command ho_command_prune = {
    .name = "prune",
    .group = "maintenance",
    .summary = "Remove old archived handoffs from the store",
    .doc = "Their documents are removed too. Their copies in the archive stay, their ids are never used again, and the "
           "log keeps their hashes, so that it can still be verified.\n\nWhat was learned from them alone disappears "
           "from 'know', 'graph', 'journal' and prompts; what other documents also say stays. What they settled, such "
           "as a completed task and its blockers, stays settled.\n\nA handoff that nobody approved at its gate stays, "
           "because "
           "a document that says the same waits only as long as it is known. With --unapproved it is removed, too, and "
           "the document can be sent again. One that halts its task stays until the task is resumed.",
    .examples = "handoff prune --before 2020-01-01",
    .person = true,
    .local = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
