#include "base/term.h"
#include "command/commands.h"
#include "command/ledger_call.h"
#include "engine/knowledge/knowledge.h"
#include "engine/ledger/archive.h"
#include "engine/ledger/learn.h"
#include "engine/ledger/verify.h"
#include "engine/project/project.h"

/* What was learned follows from the documents; from those that had been pruned, only what they have settled. */
static void learn_again(ho_call *call, const ho_node *pruned)
{
  ho_project *project = &call->project;
  ho_learned sum = {0};
  ho_error why = {0}, unpruned = {0};
  ho_code code = ho_open_ledger(call, false, &why);
  if (!code) {
    code = ho_learn_all(project, &sum, &why);
    if (ho_archive_prune_again(project, pruned, call->arena, &unpruned))
      ho_note(call, "what had been pruned is there again (%s); 'handoff prune' removes it", unpruned.message);
  }
  if (code)
    ho_note(call, "nothing was learned from the restored handoffs (%s); 'handoff learn --all' does it", why.message);
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_rebuilt done;
  ho_code code = ho_project_begin(&call->project, err);
  if (!code)
    code = ho_rebuild(&call->project, call->arena, &done, err);
  if (code)
    return code;
  if (done.state_file.code)
    ho_note(call, "state/current.json was not updated: %s", done.state_file.message);
  ho_map_addz(call->result, "restored", done.restored);
  ho_map_addz(call->result, "lost", done.lost);
  ho_map_addz(call->result, "kept",
              done.kept.n ? ho_node_text(call->arena, ho_shown_path(call, done.kept))
                          : ho_node_new(call->arena, HO_KIND_NULL));
  learn_again(call, done.pruned);
  return HO_OK;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *restored = ho_map_getz(call->result, "restored"), *kept = ho_map_getz(call->result, "kept");
  (void)colour;
  HO_EACH_CONST (item, restored) {
    ho_buf_puts(out, "restored ");
    ho_put_padded(out, ho_map_str(item, "id"), 13);
    ho_buf_putc(out, ' ');
    ho_put_padded(out, ho_map_str(item, "state"), 10);
    ho_buf_putc(out, ' ');
    ho_term_put(out, ho_map_str(item, "path"), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
  HO_EACH_CONST (item, ho_map_getz(call->result, "lost")) {
    ho_buf_puts(out, "lost ");
    ho_term_put(out, ho_map_str(item, "what"), HO_TERM_LINE);
    ho_buf_puts(out, ": ");
    ho_term_put(out, ho_map_str(item, "message"), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
  if (!ho_node_absent(kept)) {
    ho_buf_puts(out, "the old database is kept: ");
    ho_term_put(out, ho_node_str(kept), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
}

static const ho_field params[] = {HO_FIELDS_END};
static const ho_record params_record = {.name = "rebuild", .fields = params};
static const ho_field restored_fields[] = {HO_TEXT_FIELD("id", "Of the handoff."),
                                           HO_TEXT_FIELD("state", "From now on."),
                                           HO_TEXT_FIELD("path", "The file it comes from."), HO_FIELDS_END};
static const ho_record restored_record = {.name = "restored handoff", .fields = restored_fields};
static const ho_field lost_fields[] = {HO_TEXT_FIELD("what", "Which."), HO_TEXT_FIELD("message", "What of it."),
                                       HO_FIELDS_END};
static const ho_record lost_record = {.name = "loss", .fields = lost_fields};
static const ho_field result[] = {HO_LIST_FIELD("restored", "What is in the new store.", restored_record),
                                  HO_LIST_FIELD("lost", "What could not be restored.", lost_record),
                                  HO_TEXT_FIELD("kept", "Where the old database is."), HO_NOTES_FIELD, HO_FIELDS_END};
static const ho_record result_record = {.name = "rebuild result", .fields = result};

const ho_command ho_command_rebuild = {
    .name = "rebuild",
    .group = "maintenance",
    .summary = "Make the store anew from the audit archive and the state file",
    .doc = "Puts the database aside and makes a new one: documents and last known states come from the audit archive, "
           "and for open handoffs from the files that the state file names. Says what history is lost; a new chain of "
           "events begins. What was pruned stays so where the old database can still tell, and what handoffs said is "
           "learned again; what receivers asked, answers, and other files ('handoff learn PATH') are not. The old "
           "database is kept, and stays in its place until the new one is ready; others who send meanwhile wait and go "
           "on with the new one.",
    .examples = "handoff rebuild",
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
