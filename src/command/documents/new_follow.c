/* A request continues from the newest response of its task: what that found, which files it names, and what the request
 * before it said. What is given on the command line stays. */
#include "command/documents/new.h"
#include "command/ledger_call.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/halt.h"
#include "engine/project/event_data.h"
#include "engine/project/identity.h"
#include "model/document/read.h"
#include "model/formats/formats.h"
#include "model/formats/response_findings.h"
#include "store/handoffs/bodies.h"
#include "store/handoffs/events.h"
#include "store/handoffs/handoffs.h"

static void put_absent(ho_arena *arena, ho_node *map, const char *key, const ho_node *value)
{
  if (!ho_node_empty(value) && ho_node_absent(ho_map_getz(map, key)))
    ho_map_set(map, ho_str_of(key), ho_node_copy(arena, value));
}

static void put_text(ho_arena *arena, ho_node *map, const char *key, ho_str text)
{
  if (text.n)
    put_absent(arena, map, key, ho_node_text(arena, text));
}

/* The task's newest document of a format; NULL if there is none. */
static ho_code newest(ho_call *call, ho_str task, const ho_format *format, const ho_node **out, ho_error *err)
{
  ho_str path = HO_EMPTY, body = HO_EMPTY;
  ho_doc *doc = HO_NEW(call->arena, ho_doc);
  ho_error none = {0};
  *out = NULL;
  ho_code code =
      doc ? ho_bodies_newest(call->project.store, task, ho_str_of(format->name), call->arena, &path, &body, err)
          : ho_fail_memory(err);
  if (!code && body.n && !ho_doc_read(doc, call->arena, path, body, format, &none))
    *out = doc->root;
  return code;
}

/* The task that is meant: as given, else that of the newest response. */
static ho_code find_task(ho_call *call, const ho_node *root, ho_str *out, ho_error *err)
{
  ho_handoff_list list;
  ho_filter filter = {.kind = ho_str_of(ho_format_response.name), .limit = 1};
  *out = ho_id_plain(ho_map_str(root, "task_id"));
  if (out->n)
    return HO_OK;
  ho_code code = ho_handoffs_select(call->project.store, &filter, call->arena, &list, err);
  if (!code && list.count)
    *out = list.rows[0].task;
  return code;
}

static bool has(const ho_node *list, ho_str text)
{
  HO_EACH_CONST (item, list)
    if (ho_str_eq(ho_node_str(item), text))
      return true;
  return false;
}

/* The files that a response names, each once. */
static ho_node *files_of(ho_arena *arena, const ho_node *response)
{
  static const char *const lists[] = {"findings.files_created", "findings.files_modified", "findings.tests_written",
                                      "findings.existing_implementations", "findings.patterns_found"};
  ho_node *out = ho_node_new(arena, HO_KIND_LIST);
  for (size_t i = 0; i < HO_COUNT(lists); i++)
    HO_EACH_CONST (item, ho_node_by_names(response, lists[i])) {
      ho_str path = ho_map_str(item, "path").n ? ho_map_str(item, "path") : ho_map_str(item, "file");
      if (path.n && !has(out, path))
        ho_list_add(out, ho_node_text(arena, path));
    }
  return out;
}

static size_t place_of(const ho_choice *choices, ho_str value)
{
  size_t i = 0;
  while (choices[i].value && !ho_str_is(value, choices[i].value))
    i++;
  return i;
}

/* After research comes write, after that validate; what comes after that is not known. What was not finished, because it
 * needs more information or found something critical, is asked for again. */
static void put_phase(ho_arena *arena, ho_node *root, const ho_node *response)
{
  enum { LAST = 2 };
  bool finished =
      ho_str_is(ho_map_str(response, "decision"), "PROCEED") && ho_str_is(ho_map_str(response, "status"), "complete");
  size_t last = place_of(ho_exchange_phases, ho_map_str(response, "phase"));
  if (last < LAST || (!finished && ho_exchange_phases[last].value))
    put_text(arena, root, "phase", ho_str_of(ho_exchange_phases[last + finished].value));
  size_t phase = place_of(ho_exchange_phases, ho_map_str(root, "phase"));
  const ho_choice *outputs = ho_record_fieldz(ho_format_request.root, "expected_output")->choices;
  if (ho_exchange_phases[phase].value) /* phases and outputs are in the same order */
    put_text(arena, root, "expected_output", ho_str_of(outputs[phase].value));
}

/* Why it was taken back; "" if it was not. */
static ho_code taken_back(ho_call *call, const ho_handoff *row, ho_str *out, ho_error *err)
{
  ho_event_list events;
  *out = HO_EMPTY;
  ho_code code = ho_events_whole(call->project.store, row->id, call->arena, &events, err);
  for (size_t i = 0; !code && i < events.count; i++)
    if (ho_str_is(events.rows[i].kind, ho_event_kind_name(HO_EVENT_WITHDRAWN)))
      *out = ho_arena_printf(call->arena, "withdrawn: %.*s",
                             HO_ARG(ho_map_str(ho_event_data_read(call->arena, events.rows[i].data), "note")));
  return code;
}

/* What a person decided about the response, or whoever asked said to its STOP; "" if nobody did. What was taken back holds no
 * more, whatever had been decided about it. */
static ho_code decided(ho_call *call, const ho_handoff *row, ho_str *out, ho_error *err)
{
  ho_gate_list gates = {0};
  ho_str note = HO_EMPTY;
  ho_code code = taken_back(call, row, out, err);
  if (!code && !out->n)
    code = ho_halt_note(&call->project, row->id, call->arena, &note, err);
  if (!code && !out->n && !note.n)
    code = ho_gate_read_list(&call->project, HO_GATE_DECIDED, row->id, 1, call->arena, &gates, err);
  if (note.n)
    *out = ho_arena_printf(call->arena, "decided: %.*s", HO_ARG(note));
  else if (gates.count)
    *out = ho_arena_printf(call->arena, "decided: %.*s%s%.*s",
                           HO_ARG(ho_words_str(&ho_gate_decisions, gates.rows[0].decision)),
                           gates.rows[0].note.n ? ": " : "", HO_ARG(gates.rows[0].note));
  return code;
}

/* When the response was asked for; it was on its way at the same time as every response that came after that. */
static int64_t asked_at(ho_call *call, const ho_handoff *row)
{
  ho_handoff request;
  ho_error gone = {0};
  bool known = row->parent.n && !ho_handoffs_get(call->project.store, row->parent, call->arena, &request, &gone);
  return known ? request.created : row->created;
}

/* What was decided about the newest response, and about those that were asked for beside it, with what that was about: of
 * several reviewers, the last one to answer is not the one who found something. */
static ho_code all_decided(ho_call *call, ho_str task, ho_str *out, ho_error *err)
{
  enum { MOST = 20 };
  ho_handoff_list list = {0};
  ho_filter filter = {.kind = ho_str_of(ho_format_response.name), .task = task, .limit = MOST};
  *out = HO_EMPTY;
  ho_code code = ho_handoffs_select(call->project.store, &filter, call->arena, &list, err);
  int64_t since = !code && list.count ? asked_at(call, &list.rows[0]) : 0;
  for (size_t i = 0; !code && i < list.count && (!i || list.rows[i].created > since); i++) {
    ho_str said;
    code = decided(call, &list.rows[i], &said, err);
    if (code || !said.n)
      continue;
    ho_str about = i ? ho_describe_subject(&call->project, &list.rows[i], call->arena) : HO_EMPTY;
    *out = ho_arena_printf(call->arena, "%.*s (%.*s%s%.*s)", HO_ARG(*out), HO_ARG(about), about.n ? "; " : "",
                           HO_ARG(said));
  }
  return code;
}

static void follow(ho_arena *arena, ho_node *root, const ho_node *request, const ho_node *response, ho_str decision)
{
  static const char *const kept[] = {"feature", "spec_path", "constraints"};
  ho_node *context = ho_map_getz(root, "context");
  if (!ho_node_is(context, HO_KIND_MAP)) {
    ho_map_set(root, HO_STR("context"), ho_node_new(arena, HO_KIND_MAP));
    context = ho_map_getz(root, "context");
  }
  const ho_node *before = ho_map_getz(request, "context");
  put_text(arena, root, "task_id", ho_map_str(response, "task_id"));
  put_phase(arena, root, response);
  for (size_t i = 0; i < HO_COUNT(kept); i++)
    put_absent(arena, context, kept[i], ho_map_getz(before, kept[i]));
  put_absent(arena, context, "relevant_files", files_of(arena, response));
  put_absent(arena, context, "relevant_files", ho_map_getz(before, "relevant_files"));
  ho_str found = ho_map_str(response, "context_summary");
  put_text(arena, context, "previous_findings", ho_arena_printf(arena, "%.*s%.*s", HO_ARG(found), HO_ARG(decision)));
}

ho_code ho_new_follow(ho_call *call, const ho_format *format, ho_node *root, ho_error *err)
{
  ho_str task, decision = HO_EMPTY;
  const ho_node *request = NULL, *response = NULL;
  ho_error none = {0};
  if (format != &ho_format_request || ho_open_ledger(call, false, &none))
    return HO_OK;
  ho_code code = find_task(call, root, &task, err);
  if (!code && task.n)
    code = newest(call, task, &ho_format_response, &response, err);
  if (!code && response)
    code = newest(call, task, &ho_format_request, &request, err);
  if (!code && response)
    code = all_decided(call, task, &decision, err);
  if (!code && response)
    follow(call->arena, root, request, response, decision);
  return code ? code : ho_arena_code(call->arena, err);
}
