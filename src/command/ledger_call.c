#include "command/ledger_call.h"

#include "base/term.h"
#include "engine/ledger/claim.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/write.h"
#include "engine/ledger/statefile.h"
#include "engine/project/identity.h"
#include "engine/project/project.h"
#include "engine/project/quote.h"
#include "model/lifecycle.h"
#include "model/syntax.h"
#include "store/handoffs/gates.h"
#include "store/runs/runs.h"

bool ho_ledger_call_named(const ho_call *call, ho_code code)
{
  return code == HO_NOT_FOUND && call->project.store_url.n;
}

ho_code ho_open_ledger(ho_call *call, bool create, ho_error *err)
{
  ho_code code = ho_project_open(&call->project, create ? HO_OPEN_CREATE : HO_OPEN_EXISTING, err);
  if (ho_ledger_call_named(call, code))
    return ho_fail_file(err, HO_NOT_FOUND, call->project.store_url, "no such store (--store or HANDOFF_STORE)");
  if (code == HO_NOT_FOUND)
    return ho_fail(
        err, HO_NOT_FOUND,
        "nothing has been handed off in this project yet; run: handoff pass --next TEXT, or handoff send PATH");
  if (!code && ho_store_restarted(call->project.store)) /* it was not synced */
    ho_statefile_refresh(&call->project, &call->project.state_file);
  return code;
}

ho_code ho_ledger_call_maybe(ho_call *call, ho_error *err)
{
  ho_error why = {0};
  ho_code code = ho_open_ledger(call, false, &why);
  if (code == HO_NOT_FOUND && !ho_ledger_call_named(call, code)) {
    ho_call_note(call, "%s", why.message);
    return HO_OK;
  }
  if (code)
    *err = why;
  return code;
}

bool ho_ledger_call_elsewhere(ho_call *call, ho_str id, ho_error *err)
{
  ho_store *store = call->project.store;
  ho_gate gate;
  ho_run_row run;
  ho_error none = {0};
  if (store && ho_gates_get(store, id, call->arena, &gate, &none) == HO_OK)
    (void)!ho_fail_file(err, HO_NOT_FOUND, id, "is a gate; run: handoff gate show %.*s", HO_ARG(id));
  else if (store && ho_runs_get(store, id, call->arena, &run, &none) == HO_OK)
    (void)!ho_fail_file(err, HO_NOT_FOUND, id, "is a run; run: handoff lineage %.*s", HO_ARG(run.task));
  else
    return false;
  return true;
}

ho_code ho_ledger_call_own(const ho_call *call, ho_error *err)
{
  if (!call->project.other_store)
    return HO_OK;
  return ho_fail_file(err, HO_USAGE, call->project.store_url,
                      "the project's files follow its own store; run this without --store and HANDOFF_STORE");
}

ho_code ho_ledger_call_derive(ho_call *call, ho_derived what, ho_error *err)
{
  int64_t after = 0, newest = 0;
  ho_error why = {0}, none = {0};
  if (!call->project.store)
    return HO_OK;
  ho_store_watch watch = {call->host->progress, call->host->world};
  ho_code code = ho_derive_to_read(&call->project, what, &watch, &why);
  if (code == HO_MEMORY)
    return ho_fail_memory(err);
  if (code && ho_derived_gap(call->project.store, what, &after, &newest, &none) == HO_OK && after < newest)
    ho_call_note(call, "the newest handoffs are not included: %s", why.message);
  return HO_OK;
}

ho_str ho_token_arg(const ho_call *call)
{
  ho_str given = ho_arg_str(call, "token");
  return ho_str_trim(given.n ? given : ho_access_variable("HANDOFF_TOKEN"));
}

static bool is_token(ho_str text)
{
  text = ho_str_trim(text);
  for (size_t i = 0; i < text.n; i++)
    if (!isxdigit((unsigned char)text.p[i]))
      return false;
  return text.n == HO_CLAIM_TOKEN_BYTES * 2;
}

const ho_syntax ho_ledger_call_token = {.rule = {"token-form", HO_ERROR, "A claim token must be as 'next' printed it.",
                                                 "Copy it from the first line that 'handoff next' prints."},
                                        .expected = "expected a claim token of 32 hexadecimal digits",
                                        .pattern = "^\\s*[0-9A-Fa-f]{32}\\s*$",
                                        .matches = is_token};

int64_t ho_number_arg(const ho_call *call, const char *name)
{
  long long value = 0;
  return ho_node_to_int(ho_arg(call, name), &value) ? value : 0;
}

bool ho_ledger_call_span(ho_str text, int64_t *ms)
{
  static const struct {
    char unit;
    int64_t seconds;
  } units[] = {{'s', 1}, {'m', 60}, {'h', 3600}, {'d', 86400}, {'w', 604800}};
  uint64_t count;
  for (size_t i = 0; text.n > 1 && i < HO_COUNT(units); i++)
    if (text.p[text.n - 1] == units[i].unit && ho_str_to_u64(ho_str_sub(text, 0, text.n - 1), &count) &&
        count < 1000000) {
      *ms = (int64_t)count * units[i].seconds * 1000;
      return true;
    }
  return false;
}

/* So long before now; the beginning of "today" or "yesterday" (UTC, as all times); or a point in time. */
static bool read_since(const ho_call *call, ho_str text, int64_t *out)
{
  static const int64_t day = (int64_t)86400 * 1000;
  int64_t span, now = call->host->clock_ms(call->host->world);
  if (ho_str_list_has("today|yesterday", text)) {
    *out = now - now % day - (ho_str_is(text, "yesterday") ? day : 0);
    return true;
  }
  if (!ho_ledger_call_span(text, &span))
    return ho_stamp_time(text, out);
  *out = now - span;
  return true;
}

static ho_str state_names(ho_arena *arena, const char *between, bool only_open)
{
  ho_str names = HO_EMPTY;
  for (int state = HO_STATE_NONE + 1; state < HO_STATE_COUNT; state++)
    if (!only_open || ho_state_open((ho_state)state))
      names = ho_arena_printf(arena, "%.*s%s%s", HO_ARG(names), names.n ? between : "", ho_state_name((ho_state)state));
  return names;
}

ho_code ho_since_arg(const ho_call *call, int64_t *out, ho_error *err)
{
  ho_str since = ho_str_trim(ho_arg_str(call, "since"));
  *out = 0;
  if (since.n && !read_since(call, since, out))
    return ho_fail(
        err, HO_USAGE,
        "--since '%.*s' is not a time; use 2026-02-12, 2026-02-12T14:30:00Z, today, yesterday, 90m, 2h, 3d or 1w",
        HO_ARG(since));
  return HO_OK;
}

/* "ready,acked" as the store takes it, "ready|acked"; "open" is all open states. */
static ho_code read_states(const ho_call *call, ho_str *states, ho_error *err)
{
  ho_str rest = *states, name, found = HO_EMPTY;
  ho_state state;
  while (states->n && ho_str_next(&rest, ',', &name)) {
    name = ho_str_trim(name);
    if (ho_str_is(name, "open"))
      name = state_names(call->arena, "|", true);
    else if (!ho_state_named(name, &state))
      return ho_fail(err, HO_USAGE, "unknown state '%.*s'; use open, or one of: %.*s", HO_ARG(name),
                     HO_ARG(state_names(call->arena, ", ", false)));
    found = ho_arena_printf(call->arena, "%.*s%s%.*s", HO_ARG(found), found.n ? "|" : "", HO_ARG(name));
  }
  *states = found;
  return HO_OK;
}

static ho_code filter_args(const ho_call *call, ho_filter *out, ho_error *err)
{
  *out = (ho_filter){.receiver = ho_arg_str(call, "to"),
                     .sender = ho_arg_str(call, "from"),
                     .state = ho_arg_str(call, "state"),
                     .kind = ho_arg_str(call, "kind"),
                     .task = ho_id_plain(ho_arg_str(call, "task")),
                     .phase = ho_id_plain(ho_arg_str(call, "phase")),
                     .limit = ho_number_arg(call, "limit")};
  ho_code code = read_states(call, &out->state, err);
  if (code)
    return code;
  if (out->kind.n && !ho_format_named(out->kind))
    return ho_fail(err, HO_USAGE, "unknown format '%.*s'; run: handoff formats", HO_ARG(out->kind));
  return ho_since_arg(call, &out->since, err);
}

ho_code ho_ledger_call_filter(ho_call *call, ho_filter *out, ho_error *err)
{
  ho_code code = filter_args(call, out, err);
  if (!code)
    code = ho_ledger_call_maybe(call, err);
  if (!code && ho_arg_true(call, "mine")) /* who that is, the project knows once it is open */
    out->party = call->project.name.n ? call->project.name : ho_project_actor(&call->project);
  if (!code && call->project.store)
    ho_ledger_settle(&call->project);
  return code;
}

void ho_ledger_call_limit(ho_call *call, const char *which, size_t count, int64_t limit, const char *what)
{
  if ((int64_t)count == limit)
    ho_call_note(call, "only the %s %lld %s %s; use --limit N for more", which, (long long)limit,
                 ho_plural_of(limit, "is", "are"), what);
}

static const ho_field handoff_fields[] = {HO_HANDOFF_FIELDS, HO_FIELDS_END};
const ho_record ho_handoff_record = {.name = "handoff", .fields = handoff_fields};

static const ho_field changed_fields[] = {HO_HANDOFF_FIELDS, HO_NOTES_FIELD, HO_FIELDS_END};
const ho_record ho_changed_record = {.name = "handoff result", .fields = changed_fields};

static const ho_field gate_fields[] = {HO_GATE_FIELDS, HO_FIELDS_END};
const ho_record ho_gate_record = {.name = "gate", .fields = gate_fields};

static const ho_field talk_fields[] = {HO_TEXT_FIELD("at", "When it was said."),
                                       HO_TEXT_FIELD("by", "Who said it."),
                                       HO_TEXT_FIELD("kind", "question, blocker, answer, decision, note or reason."),
                                       HO_TEXT_FIELD("text", "What was said."),
                                       HO_TEXT_FIELD("proof", "signed, unconfirmed or unsigned, if it is a decision."),
                                       HO_FIELDS_END};
const ho_record ho_talk_record = {.name = "talk", .fields = talk_fields};

static const ho_field claim_fields[] = {
    HO_TEXT_FIELD("claim", "What kind of statement it is."), HO_TEXT_FIELD("about", "What it is about."),
    HO_TEXT_FIELD("known", "verified: checked by the program; asserted: stated by the author."),
    HO_TEXT_FIELD("now", "same, changed, gone or unknown."), HO_FIELDS_END};
const ho_record ho_statement_record = {.name = "claim", .fields = claim_fields};

static const ho_field check_fields[] = {
    HO_TEXT_FIELD("check", "summary, artifacts, deliverable or constraints."),
    {.name = "ok", .doc = "Whether the check passed.", .type = HO_T_BOOL},
    HO_TEXT_FIELD("known", "verified: checked by the program; asserted: stated by the receiver."),
    HO_TEXT_FIELD("why", "What was found."),
    HO_FIELDS_END};
const ho_record ho_ack_check_record = {.name = "check", .fields = check_fields};

static const ho_field event_fields[] = {
    {.name = "seq", .doc = "Position in the log of the project.", .type = HO_T_INT},
    HO_TEXT_FIELD("handoff", "Id of the handoff."),
    {.name = "n", .doc = "Position among the events of the handoff.", .type = HO_T_INT},
    HO_TEXT_FIELD("at", "When it happened."),
    HO_TEXT_FIELD("actor", "Who did it."),
    HO_TEXT_FIELD("event", "What happened."),
    {.name = "data", .doc = "What was recorded with it.", .type = HO_T_ANY},
    HO_TEXT_FIELD("hash", "Hash of this event and the one before."),
    HO_FIELDS_END};
const ho_record ho_event_record = {.name = "event", .fields = event_fields};

void ho_ledger_call_put(ho_call *call, const ho_handoff *row)
{
  ho_node *record = ho_describe_record(row, call->arena);
  HO_EACH (field, record)
    ho_map_addz(call->result, ho_arena_z(call->arena, field->key), ho_node_copy(call->arena, field));
}

ho_code ho_ledger_call_say(ho_call *call, ho_say *say,
                           ho_code (*act)(ho_project *project, ho_arena *arena, ho_say *say, ho_error *err),
                           ho_error *err)
{
  ho_project *project = &call->project;
  ho_code code = ho_open_ledger(call, false, err);
  if (code)
    return code;
  code = act(project, call->arena, say, err);
  if (!code)
    ho_ledger_call_put(call, &say->row);
  return code;
}

void ho_put_padded(ho_buf *out, ho_str text, size_t width)
{
  size_t before = out->n;
  ho_term_put(out, text, HO_TERM_LINE);
  size_t cells = ho_term_cells((ho_str){out->p + before, out->n - before});
  if (cells < width)
    ho_buf_fill(out, ' ', width - cells);
}

/* "importer → reviewer". */
static void put_route(ho_buf *out, const ho_node *handoff)
{
  ho_str from = ho_map_str(handoff, "from"), to = ho_map_str(handoff, "to"), by = ho_map_str(handoff, "sent_by");
  ho_quote_put_name(out, from.n ? from : by.n ? by : HO_STR("-"));
  ho_buf_puts(out, " \xe2\x86\x92 ");
  ho_quote_put_name(out, to.n ? to : HO_STR("anyone"));
}

/* "7/2": task and phase. */
static void put_place(ho_buf *out, const ho_node *handoff)
{
  ho_str task = ho_map_str(handoff, "task"), phase = ho_map_str(handoff, "phase");
  if (task.n)
    ho_quote_put_name(out, task);
  if (phase.n) {
    ho_buf_puts(out, task.n ? "/" : "-/");
    ho_quote_put_name(out, phase);
  }
}

/* Who holds it until when, or how it ended before it was archived. */
static void put_holder(ho_buf *out, const ho_node *handoff)
{
  ho_str holder = ho_map_str(handoff, "claimed_by"), until = ho_map_str(handoff, "lease_until");
  if (holder.n && until.n) {
    ho_buf_puts(out, "claimed by ");
    ho_quote_put_name(out, holder);
    ho_buf_puts(out, " until ");
    ho_term_put(out, until, HO_TERM_LINE);
  }
  if (ho_map_str(handoff, "outcome").n)
    ho_buf_printf(out, "(%.*s)", HO_ARG(ho_map_str(handoff, "outcome")));
}

const ho_table_column ho_handoff_columns[] = {
    {.title = "ID", .key = "id", .as = HO_CELL_ID},
    {.title = "STATE", .key = "state", .as = HO_CELL_STATE},
    {.title = "KIND", .key = "kind", .spare = true},
    {.title = "FROM \xe2\x86\x92 TO", .key = "route", .put = put_route, .least = 9, .good = 15},
    {.title = "TASK", .key = "place", .put = put_place, .least = 6},
    {.title = "SUBJECT", .key = "subject", .least = 14, .good = 30},
    {.title = "HOLDER", .key = "holder", .put = put_holder, .least = 12, .spare = true},
    {.title = "SENT", .key = "created", .as = HO_CELL_TIME},
    HO_COLUMNS_END};

void ho_ledger_call_rows(const ho_call *call, ho_buf *out, const ho_node *handoffs, size_t indent, bool colour)
{
  static const ho_table table = {.record = &ho_handoff_record, .columns = ho_handoff_columns};
  ho_table_put(call, out, &table, handoffs, indent, false, colour);
}

void ho_render_state(const ho_call *call, ho_buf *out, bool colour)
{
  ho_str state = ho_map_str(call->result, "state");
  (void)colour;
  ho_term_put(out, ho_map_str(call->result, "id"), HO_TERM_LINE);
  if (ho_str_is(state, ho_state_name(HO_STATE_CLARIFY))) {
    ho_buf_puts(out, " needs clarification\n");
    return;
  }
  if (ho_str_is(state, ho_state_name(HO_STATE_ACKED))) {
    ho_buf_puts(out, " acknowledged\n");
    return;
  }
  ho_buf_puts(out, " is ");
  ho_term_put(out, state, HO_TERM_LINE);
  ho_buf_putc(out, '\n');
}

static const ho_field unwritten_fields[] = {HO_TEXT_FIELD("part", "file."), HO_TEXT_FIELD("name", "Path of the file."),
                                            HO_TEXT_FIELD("message", "Why, and what to do."), HO_FIELDS_END};
const ho_record ho_unwritten_record = {.name = "unwritten file", .fields = unwritten_fields};
