#include "base/term.h"
#include "command/commands.h"
#include "command/ledger_call.h"
#include "engine/knowledge/knowledge.h"
#include "engine/ledger/archive.h"
#include "engine/ledger/derive.h"
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
    ho_derive_ahead(project, HO_DERIVED_SEARCH);
    if (ho_archive_prune_again(project, pruned, call->arena, &unpruned))
      ho_call_note(call, "pruned handoffs are back (%s); remove them with: handoff prune --before DATE",
                   unpruned.message);
  }
  if (code)
    ho_call_note(call, "nothing was learned from the restored handoffs (%s); run: handoff learn --all", why.message);
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
    ho_call_note(call, "state/current.json was not updated: %s", done.state_file.message);
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
    ho_buf_puts(out, "old database kept as ");
    ho_term_put(out, ho_node_str(kept), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
}

static const ho_field params[] = {HO_FIELDS_END};
static const ho_record params_record = {.name = "rebuild", .fields = params};
static const ho_field restored_fields[] = {HO_TEXT_FIELD("id", "Id of the handoff."),
                                           HO_TEXT_FIELD("state", "Its state now."),
                                           HO_TEXT_FIELD("path", "The file it was restored from."), HO_FIELDS_END};
static const ho_record restored_record = {.name = "restored handoff", .fields = restored_fields};
static const ho_field lost_fields[] = {HO_TEXT_FIELD("what", "What is lost."),
                                       HO_TEXT_FIELD("message", "What is lost of it."), HO_FIELDS_END};
static const ho_record lost_record = {.name = "loss", .fields = lost_fields};
static const ho_field result[] = {HO_LIST_FIELD("restored", "The handoffs in the new store.", restored_record),
                                  HO_LIST_FIELD("lost", "What could not be restored.", lost_record),
                                  HO_TEXT_FIELD("kept", "Path of the old database."), HO_NOTES_FIELD, HO_FIELDS_END};
static const ho_record result_record = {.name = "rebuild result", .fields = result};

const ho_command ho_command_rebuild = {
    .name = "rebuild",
    .group = "maintenance",
    .summary = "Recreate a damaged store from the archive and other files",
    .doc = "Only for a store that is damaged or gone: in one that is sound, it loses history, claims and questions all "
           "the "
           "same.\n\nTakes documents and last known states from the archive, and open handoffs from the files that "
           "state/current.json names. It lists which history is lost and starts a new chain of events. Pruned handoffs "
           "stay pruned if the old database can still tell.\n\nWhat the handoffs say is learned again; questions, "
           "answers and other files are not, so run 'handoff learn PATH' for those. The old database is kept beside "
           "the new one. Other commands wait until the new one is in place.",
    .examples = "handoff rebuild",
    .person = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
