#include "base/term.h"
#include "command/commands.h"
#include "command/ledger_call.h"
#include "engine/ledger/derive.h"
#include "engine/ledger/rebuild.h"
#include "engine/project/project.h"

/* What follows from restored documents. If it cannot be done now, whoever asks for it does it. */
static void derive_again(ho_call *call)
{
  ho_error why = {0};
  if (ho_open_ledger(call, false, &why))
    return;
  ho_derive_ahead(&call->project, HO_DERIVED_KNOWLEDGE);
  ho_derive_ahead(&call->project, HO_DERIVED_SEARCH);
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
    ho_call_note(call, "the state file was not updated: %s", done.state_file.message);
  ho_map_addz(call->result, "handoffs", ho_node_number(call->arena, done.handoffs));
  ho_map_addz(call->result, "events", ho_node_number(call->arena, done.events));
  ho_map_addz(call->result, "restored", done.restored);
  ho_map_addz(call->result, "lost", done.lost);
  ho_map_addz(call->result, "kept",
              done.kept.n ? ho_node_text(call->arena, ho_shown_path(call, done.kept))
                          : ho_node_new(call->arena, HO_KIND_NULL));
  derive_again(call);
  return done.lost->count ? HO_NO : HO_OK;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *restored = ho_map_getz(call->result, "restored"), *kept = ho_map_getz(call->result, "kept");
  long long handoffs = ho_map_int(call->result, "handoffs"), events = ho_map_int(call->result, "events");
  (void)colour;
  if (events)
    ho_buf_printf(out, "took %lld handoff%s with %lld event%s from the old database\n", handoffs, ho_plural(handoffs),
                  events, ho_plural(events));
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
static const ho_field restored_fields[] = {
    HO_TEXT_FIELD("id", "Id of the handoff."), HO_TEXT_FIELD("state", "Its state now."),
    HO_TEXT_FIELD("path", "The file it was restored from; empty: the old database."), HO_FIELDS_END};
static const ho_record restored_record = {.name = "restored handoff", .fields = restored_fields};
static const ho_field lost_fields[] = {HO_TEXT_FIELD("what", "What is lost."),
                                       HO_TEXT_FIELD("message", "What is lost of it."), HO_FIELDS_END};
static const ho_record lost_record = {.name = "loss", .fields = lost_fields};
static const ho_field result[] = {
    {.name = "handoffs", .doc = "Number of handoffs that were taken from the old database.", .type = HO_T_INT},
    {.name = "events", .doc = "Number of events that were taken from it.", .type = HO_T_INT},
    HO_LIST_FIELD("restored", "Other handoffs, made again.", restored_record),
    HO_LIST_FIELD("lost", "What could not be restored.", lost_record),
    HO_TEXT_FIELD("kept", "Path of the old database."),
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "rebuild result", .fields = result};

const ho_command ho_command_rebuild = {
    .name = "rebuild",
    .group = "maintenance",
    .summary = "Replace a damaged store by a sound one",
    .doc = "Takes everything from the old database if that is sound. From one that is damaged, it takes the handoffs "
           "whose documents and history can be proved; the others come from the archive and from the files that "
           "state/current.json names, and so does what a backup in the place of the store does not know. It lists what "
           "is lost and then exits 1; the chain of events then gets new seals.\n\n"
           "Gates stay as they are; a handoff that may have waited for a person waits again. No id is given twice. The "
           "old database is kept beside the new one. Other commands wait until the new one is in place, and a rebuild "
           "that was interrupted is finished by the next command.\n\nA store that is busy, newer than this program or "
           "out of reach is not damaged: rebuild refuses it and changes nothing.",
    .examples = "handoff rebuild",
    .person = true,
    .local = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
