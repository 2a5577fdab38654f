#include "command/send_call.h"

#include "base/term.h"
#include "command/findings.h"
#include "engine/project/identity.h"
#include "engine/project/project.h"

static ho_code read_document(ho_call *call, ho_send *in, ho_error *err)
{
  in->token = ho_token_arg(call);
  in->tokens = ho_host_tokens(call->host);
  if (in->text.n) { /* the command has made it */
    in->path = HO_STR("-");
    return HO_OK;
  }
  ho_code code = ho_arg_format(call, "format", &in->format, err);
  in->path = ho_arg_str(call, "path");
  if (!code)
    code = ho_read_text(call, in->path, &in->text, err);
  if (!ho_str_is(in->path, "-"))
    in->full = ho_str_of(ho_full_path(call, in->path));
  return code;
}

/* A missing id or time is not reported: the handoff is given both. Returns how many findings were left out. */
static size_t add_findings(ho_call *call, ho_node *list, const ho_report *report)
{
  size_t left_out = 0;
  ho_node *more = ho_findings_node(call->arena, report);
  HO_EACH_CONST (finding, more) {
    ho_str rule = ho_map_str(finding, "rule"), pointer = ho_map_str(finding, "pointer");
    if (ho_str_is(rule, "expected") && (ho_str_is(pointer, "/handoff/id") || ho_str_is(pointer, "/handoff/timestamp")))
      left_out++;
    else
      ho_list_add(list, ho_node_copy(call->arena, finding));
  }
  return left_out;
}

/* name: what the findings call the document. */
static void put_findings(ho_call *call, const ho_send *in, ho_str name)
{
  ho_node *list = ho_map_addz(call->result, "findings", ho_node_new(call->arena, HO_KIND_LIST));
  size_t left_out = add_findings(call, list, &in->seen.doc.report) + add_findings(call, list, &in->seen.secrets);
  size_t errors = in->seen.doc.report.errors + in->seen.secrets.errors;
  ho_map_addz(call->result, "errors", ho_node_number(call->arena, (long long)errors));
  ho_map_addz(
      call->result, "warnings",
      ho_node_number(call->arena, (long long)(in->seen.doc.report.warnings + in->seen.secrets.warnings - left_out)));
  ho_findings_note(call, name, list);
  if (errors)
    ho_call_note(call, "nothing was sent: the document has %zu error%s", errors, ho_plural((long long)errors));
}

/* Says so if the handoff has another id than its author gave it. */
static void note_id(ho_call *call, const ho_send *in)
{
  const char *id = in->seen.doc.format->sending->id;
  ho_str own = id ? ho_node_str(ho_node_by_names(in->seen.doc.root, id)) : HO_EMPTY, now = in->made.row.id;
  if (!own.n || in->gates.n || in->made.same || ho_str_eq(own, now))
    return;
  bool as_it_was = ho_str_eq(ho_send_body(in, now), in->seen.body);
  ho_call_note(call, "the id %.*s %s; this handoff is %.*s, and its document %s%s%.*s%s", HO_ARG(own),
               !ho_id_fits(own)     ? "cannot be a file name"
               : ho_id_of_gate(own) ? "is that of a gate"
                                    : "is already taken",
               HO_ARG(now), as_it_was ? "still states the other id" : "as delivered states that id",
               in->full.n ? " (" : "", HO_ARG(in->full.n ? in->path : HO_EMPTY), in->full.n ? " is unchanged)" : "");
}

static void put_result(ho_call *call, const ho_send *in)
{
  const struct {
    const char *key;
    ho_str text;
  } fields[] = {{"id", in->made.row.id},
                {"state", in->made.row.state},
                {"digest", in->gates.n ? ho_str_of(in->seen.digest) : in->made.row.digest},
                {"kind", in->made.row.kind},
                {"type", in->made.row.type},
                {"from", in->made.row.sender},
                {"to", in->made.row.receiver},
                {"gate", in->made.gate},
                {"superseded", in->made.superseded},
                {"closed", in->made.closed}};
  for (size_t i = 0; i < HO_COUNT(fields); i++)
    ho_map_put(call->arena, call->result, fields[i].key, ho_arena_copy(call->arena, fields[i].text));
  ho_map_addz(call->result, "same", ho_node_bool(call->arena, in->made.same));
  note_id(call, in);
  if (in->made.same)
    ho_call_note(call, "already sent: %.*s is %.*s%s", HO_ARG(in->made.row.id), HO_ARG(in->made.row.state),
                 in->once && !in->key.n && !in->only_gate ? "; to send another one, use --again" : "");
  if (in->made.like.n)
    ho_call_note(call, "%.*s; if it is another matter, a person can say so: handoff gate show %.*s",
                 HO_ARG(in->made.like), HO_ARG(in->made.gate));
  else if (in->made.gate.n)
    ho_call_note(call, "%.*s waits for a person; run: handoff gate show %.*s", HO_ARG(in->made.gate),
                 HO_ARG(in->made.gate));
  if (in->made.kept_for.n)
    ho_call_note(call, "%.*s is for %.*s; it is kept for %.*s for the length of a lease", HO_ARG(in->made.row.id),
                 HO_ARG(in->made.row.receiver), HO_ARG(in->made.kept_for));
  if (in->made.superseded.n)
    ho_call_note(call, "supersedes %.*s%.*s", HO_ARG(in->made.superseded), HO_ARG(in->made.copies));
  ho_str beside = in->made.beside, worker = in->made.beside_worker;
  ho_str format = ho_arena_printf(call->arena, "supersede ID --by %.*s@", HO_ARG(in->made.row.id));
  ho_str replace = ho_project_command(&call->project, call->arena, ho_arena_z(call->arena, format), beside);
  if (beside.n)
    ho_call_note(call, "%.*s %s%s%.*s%s; to replace it, run: %.*s", HO_ARG(beside),
                 in->made.beside_same ? "has the same content" : "was sent from the same file",
                 worker.n ? ", and " : "", HO_ARG(worker), worker.n ? " works on it" : "", HO_ARG(replace));
}

ho_code ho_send_call_run(ho_call *call, ho_send *in, ho_error *err)
{
  bool composed = in->text.n > 0;
  in->arena = call->arena;
  in->project = &call->project;
  ho_code code = read_document(call, in, err);
  if (!code)
    code = ho_project_begin(&call->project, err);
  if (code)
    return code;
  code = ho_send_read(in, err);
  if (code)
    return code;
  put_findings(call, in, composed ? ho_str_of(in->format->name) : in->path);
  if (in->seen.refused) /* what is refused starts no ledger */
    return HO_INVALID;
  code = ho_project_open(&call->project, HO_OPEN_CREATE, err);
  if (!code)
    code = ho_send_record(in, err);
  if (!code)
    put_result(call, in);
  return code;
}

void ho_send_call_render(const ho_call *call, ho_buf *out, bool colour)
{
  ho_str id = ho_map_str(call->result, "id");
  (void)colour;
  if (!id.n)
    return;
  ho_term_put(out, id, HO_TERM_LINE);
  ho_buf_putc(out, '\n');
}

static const ho_field result[] = {HO_SEND_CALL_FIELDS, HO_NOTES_FIELD, HO_FIELDS_END};
const ho_record ho_send_call_result = {.name = "send result", .fields = result};
