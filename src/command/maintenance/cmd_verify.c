#include "base/term.h"
#include "command/commands.h"
#include "command/ledger_call.h"
#include "engine/ledger/verify.h"
#include "engine/project/trust.h"

/* Where nothing was handed off, nothing differs. */
static ho_verdict of_nothing(ho_arena *arena)
{
  return (ho_verdict){.differences = ho_node_new(arena, HO_KIND_LIST),
                      .drift = ho_node_new(arena, HO_KIND_LIST),
                      .unwritten = ho_node_new(arena, HO_KIND_LIST),
                      .whole_file = true};
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  bool quick = ho_arg_true(call, "quick");
  ho_store_watch watch = {call->host->progress, call->host->world};
  ho_verdict v = of_nothing(call->arena);
  ho_code code = ho_ledger_call_maybe(call, err);
  if (code)
    return code;
  if (project->store)
    code = quick ? ho_verify_quick(project, call->arena, &v, err) : ho_verify(project, &watch, call->arena, &v, err);
  if (code)
    return code;
  if (project->trust && project->trust->values[HO_TRUST_LEDGER]) /* trusted, or it would not be open */
    ho_call_note(call,
                 "git tracks the store, so checkouts and stashes lose handoffs; 'handoff doctor' says what to do");
  if (project->other_store)
    ho_call_note(call, "the project's files follow its own store, so they were not compared with this one");
  if (!v.whole_file)
    ho_call_note(call, "the database is too large to be checked quickly as a whole; run: handoff verify");
  bool sound = v.differences->count == 0;
  ho_map_addz(call->result, "ok", ho_node_bool(call->arena, sound));
  ho_map_addz(call->result, "handoffs", ho_node_number(call->arena, v.handoffs));
  ho_map_addz(call->result, "files", ho_node_number(call->arena, v.files));
  ho_map_addz(call->result, "differences", v.differences);
  ho_map_addz(call->result, "drift", v.drift);
  ho_map_addz(call->result, "unwritten", v.unwritten);
  ho_map_addz(call->result, "quick", ho_node_bool(call->arena, quick));
  if (quick)
    return sound ? HO_OK : HO_NO;
  if (v.people.unconfirmed.n)
    ho_call_note(call, "%.*s", HO_ARG(v.people.unconfirmed));
  const struct {
    const char *key;
    int64_t value;
  } counts[] = {{"decisions_signed", v.people.decisions_signed},
                {"decisions_unconfirmed", v.people.decisions_unconfirmed},
                {"decisions_unsigned", v.people.decisions_unsigned},
                {"seals", v.people.seals},
                {"seals_signed", v.people.seals_signed},
                {"seal_committed", v.people.committed}};
  for (size_t i = 0; i < HO_COUNT(counts); i++)
    ho_map_addz(call->result, counts[i].key, ho_node_number(call->arena, counts[i].value));
  return sound ? HO_OK : HO_NO;
}

static void put_items(const ho_call *call, ho_buf *out, const char *key, const char *label)
{
  HO_EACH_CONST (item, ho_map_getz(call->result, key)) {
    ho_buf_printf(out, "%s: ", label);
    ho_term_put(out, ho_map_str(item, "part"), HO_TERM_LINE);
    ho_buf_putc(out, ' ');
    ho_term_put(out, ho_map_str(item, "name"), HO_TERM_LINE);
    ho_buf_puts(out, ": ");
    ho_term_put(out, ho_map_str(item, "message"), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
}

/* What that is worth: changes are seen, not prevented, and by whom depends on what is signed or committed. */
static void put_evidence(const ho_call *call, ho_buf *out)
{
  long long is_signed = ho_map_int(call->result, "decisions_signed"),
            unknown = ho_map_int(call->result, "decisions_unconfirmed"),
            plain = ho_map_int(call->result, "decisions_unsigned");
  long long seals = ho_map_int(call->result, "seals"), committed = ho_map_int(call->result, "seal_committed");
  ho_buf_printf(out, "tamper-evident: %lld seal%s (%lld signed), ", seals, ho_plural(seals),
                ho_map_int(call->result, "seals_signed"));
  if (committed)
    ho_buf_printf(out, "seal %lld is in git", committed);
  else
    ho_buf_puts(out, "none in git");
  ho_buf_printf(out, "; %lld decision%s signed, ", is_signed, ho_plural(is_signed));
  if (unknown)
    ho_buf_printf(out, "%lld signed by a key nobody has confirmed, ", unknown);
  ho_buf_printf(out, "%lld unsigned\n", plain);
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  (void)colour;
  put_items(call, out, "differences", "difference");
  put_items(call, out, "drift", "drift");
  put_items(call, out, "unwritten", "not written");
  long long handoffs = ho_map_int(call->result, "handoffs"), files = ho_map_int(call->result, "files");
  long long drift = ho_map_getz(call->result, "drift")->count;
  ho_buf_printf(out, "%lld handoff%s, %lld file%s: %s", handoffs, ho_plural(handoffs), files, ho_plural(files),
                ho_node_true(ho_map_getz(call->result, "ok")) ? "no differences" : "differ from the record");
  if (drift)
    ho_buf_printf(out, "; %lld %s changed since %s sent", drift, ho_plural_of(drift, "artifact", "artifacts"),
                  ho_plural_of(drift, "it was", "they were"));
  ho_buf_putc(out, '\n');
  if (!ho_node_true(ho_map_getz(call->result, "quick")))
    put_evidence(call, out);
}

static const ho_field params[] = {
    {.name = "quick", .doc = "Check only what is newest, in about a second.", .type = HO_T_BOOL}, HO_FIELDS_END};
static const ho_record params_record = {.name = "verify", .fields = params};
static const ho_field item_fields[] = {
    HO_TEXT_FIELD("part", "database, handoff, event, body, seal, gate, decider, search or file."),
    HO_TEXT_FIELD("name", "Name of the item."), HO_TEXT_FIELD("message", "What is wrong."), HO_FIELDS_END};
static const ho_record item_record = {.name = "difference", .fields = item_fields};
static const ho_field result[] = {
    {.name = "ok", .doc = "True if nothing differs.", .type = HO_T_BOOL, .flags = HO_REQUIRED},
    {.name = "handoffs", .doc = "Number of handoffs that were checked.", .type = HO_T_INT},
    {.name = "files", .doc = "Number of files that were compared.", .type = HO_T_INT},
    HO_LIST_FIELD("differences", "What differs from what was recorded.", item_record),
    HO_LIST_FIELD("drift", "Artifacts that have changed since they were sent.", item_record),
    HO_LIST_FIELD("unwritten", "Files that are recorded but could not be written.", ho_unwritten_record),
    {.name = "quick", .doc = "True if only what is newest was checked.", .type = HO_T_BOOL},
    {.name = "decisions_signed", .doc = "Decisions at gates that a decider signed.", .type = HO_T_INT},
    {.name = "decisions_unconfirmed",
     .doc = "Decisions at gates that were signed where nobody has confirmed the first decider's key.",
     .type = HO_T_INT},
    {.name = "decisions_unsigned", .doc = "Decisions at gates that count without a signature.", .type = HO_T_INT},
    {.name = "seals", .doc = "Number of seals over the log.", .type = HO_T_INT},
    {.name = "seals_signed", .doc = "Seals that a decider signed.", .type = HO_T_INT},
    {.name = "seal_committed", .doc = "The seal in git's newest commit; 0 if there is none.", .type = HO_T_INT},
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "verify result", .fields = result};

const ho_command ho_command_verify = {
    .name = "verify",
    .group = "maintenance",
    .summary = "Check the log, the documents and the archive for changes",
    .doc =
        "Recomputes the hashes of all events and documents, checks the signatures of decisions, deciders and seals, "
        "and compares the files in the archive and those of open handoffs with what was recorded, and the seal in "
        "git's newest commit with the log. Artifacts that have changed since they were sent are listed as drift, "
        "which is normal; files that are recorded but could not be written are listed too. Exits 1 if anything else "
        "differs. Others may write while it runs.\n\nWith --quick, checks the handoffs that the newest 1000 events are "
        "about (all of their events, their documents, gates and files), the newest seal, and, up to 256 MB, the "
        "structure of the database. It leaves out all other handoffs, the full-text index, signatures and git.\n\nThe "
        "record is tamper-evident, not more: whoever may write to it can replace it all, up to what was signed or "
        "committed. So commit .handoff/seal.",
    .examples = "handoff verify\nhandoff verify --quick",
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
