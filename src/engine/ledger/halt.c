#include "engine/ledger/halt.h"

#include "base/buf.h"
#include "base/grow.h"
#include "base/seen.h"
#include "base/utf8.h"
#include "engine/ledger/draft.h"
#include "engine/ledger/marks.h"
#include "engine/project/event_data.h"
#include "engine/project/identity.h"
#include "engine/project/quote.h"
#include "model/formats/formats.h"
#include "model/formats/response_findings.h"
#include "store/handoffs/bodies.h"

enum {
  WHY = 240,   /* of a reason, in a sentence: what to do stands behind it */
  MOST = 10000 /* halts that are looked at */
};

/* ---- The mark. */

void ho_halt_mark(const ho_doc *doc, ho_handoff *row, ho_arena *arena)
{
  if (ho_response_findings_halts(doc->format, doc->root))
    ho_marks_set(row, arena, HO_MARK_HALT, HO_STR("1"));
}

bool ho_halt_marked(const ho_handoff *row, ho_arena *arena)
{
  return ho_marks_get(row, arena, HO_MARK_HALT).n > 0;
}

/* ---- Why. */

static ho_str joined(ho_arena *arena, const ho_node *list)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  HO_EACH_CONST (item, list) {
    ho_str one = ho_response_findings_text(item);
    if (one.n)
      ho_buf_printf(&text, "%s%.*s", text.n ? "; " : "", HO_ARG(one));
  }
  return ho_buf_move(&text, arena);
}

/* The document was checked when it was sent; one that cannot be read any more still halts. */
ho_code ho_halt_why(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_str *out, ho_error *err)
{
  ho_doc doc = {0};
  ho_error none = {0};
  ho_str body;
  const ho_format *format = ho_format_named(row->kind);
  *out = HO_EMPTY;
  ho_code code = ho_bodies_get(project->store, row->digest, arena, &body, err);
  if (code || !format || ho_doc_read(&doc, arena, row->path, body, format, &none) || !doc.root)
    return code;
  *out = joined(arena, ho_response_findings_issues(doc.root));
  if (!out->n)
    *out = ho_str_trim(ho_map_str(doc.root, "context_summary"));
  return ho_arena_code(arena, err);
}

static ho_code take(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_halt *out, ho_error *err)
{
  *out = (ho_halt){.id = row->id, .task = row->task, .by = row->sender, .to = row->receiver, .since = row->created};
  return ho_halt_why(project, row, arena, &out->why, err);
}

/* ---- Asking. */

/* Without what nobody sees, and with '-' for every other sign that is not ASCII: a dash is a dash. */
static ho_str plain_signs(ho_arena *arena, ho_str task)
{
  ho_buf out;
  bool fillers;
  task = ho_seen_text(arena, task, "", &fillers);
  if (ho_utf8_bad(task) != HO_NONE)
    return task;
  ho_buf_init(&out, 0);
  for (size_t at = 0; at < task.n;) {
    size_t from = at;
    uint32_t cp = ho_utf8_next(task, &at);
    if (cp < 0x80 || ho_utf8_letter(cp))
      ho_buf_put(&out, ho_str_sub(task, from, at));
    else
      ho_buf_putc(&out, '-');
  }
  return ho_buf_move(&out, arena);
}

/* The end of the letters, or of the digits, that begin at `at`; `at` if neither does. */
static size_t part_end(ho_str task, size_t at)
{
  size_t end = at;
  bool digits = isdigit((unsigned char)task.p[at]);
  while (ho_str_is_word(task, end) && !isdigit((unsigned char)task.p[end]) == !digits)
    end++;
  return end;
}

/* A task as it is compared: a request does not get past a halt because it spells the task in another way. Letters are
 * compared without their case, numbers without leading zeros, and what stands between them counts as one sign, also if it
 * is nothing (T1, T-01); the word "task" before a name says nothing, and the name of a task's folder (7_fast_start) is its
 * number. */
static ho_str spelled(ho_arena *arena, ho_str task)
{
  ho_buf out;
  size_t digits = 0;
  task = plain_signs(arena, task);
  ho_str number = ho_id_number(task);
  if (number.n)
    return number;
  while (digits < task.n && isdigit((unsigned char)task.p[digits]))
    digits++;
  if (digits && digits < task.n && task.p[digits] == '_')
    task = ho_str_sub(task, 0, digits);
  ho_buf_init(&out, 0);
  for (size_t at = 0, end; at<task.n; at = end> at ? end : at + 1) {
    end = part_end(task, at);
    ho_str part = ho_id_plain(ho_str_sub(task, at, end));
    if (part.n && out.n)
      ho_buf_putc(&out, '-');
    for (size_t i = 0; i < part.n; i++)
      ho_buf_putc(&out, (char)tolower((unsigned char)part.p[i]));
  }
  ho_str parts = ho_buf_move(&out, arena);
  return ho_str_starts(parts, "task-") ? ho_str_sub(parts, strlen("task-"), parts.n) : parts;
}

ho_code ho_halt_select(ho_project *project, ho_str task, int64_t limit, ho_arena *arena, ho_halt_list *out,
                       ho_error *err)
{
  ho_handoff_list list;
  *out = (ho_halt_list){0};
  ho_str wanted = spelled(arena, task);
  ho_code code = ho_handoffs_halting(project->store, wanted.n ? MOST : limit, arena, &list, err);
  for (size_t i = 0; !code && i < list.count && (int64_t)out->count < limit; i++) {
    if (wanted.n && !ho_str_eq(spelled(arena, list.rows[i].task), wanted))
      continue;
    ho_halt *one = HO_PUSH(arena, out->rows, out->count);
    code = one ? take(project, &list.rows[i], arena, one, err) : ho_arena_code(arena, err);
  }
  return code;
}

ho_code ho_halt_of(ho_project *project, ho_str task, ho_arena *arena, ho_halt *out, bool *found, ho_error *err)
{
  ho_halt_list list = {0};
  ho_code code = ho_str_blank(task) ? HO_OK : ho_halt_select(project, task, 1, arena, &list, err);
  *found = !code && list.count;
  *out = *found ? list.rows[0] : (ho_halt){0};
  return code;
}

ho_code ho_halt_holds(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_halt *out, bool *held,
                      ho_error *err)
{
  const ho_format *format = ho_format_named(row->kind);
  bool asks = format && format->sending && format->sending->kind == HO_SEND_REQUEST;
  *held = false;
  if (!asks && format != &ho_format_artifact && !ho_draft_is(row, arena))
    return HO_OK;
  return ho_halt_of(project, row->task, arena, out, held, err);
}

/* "boss or a person" */
static ho_str resumers(ho_arena *arena, ho_str asker)
{
  bool agent = asker.n && !ho_str_starts(asker, HO_PROJECT_PERSON);
  return agent ? ho_arena_printf(arena, "%.*s or a person", HO_ARG(asker)) : HO_STR("a person");
}

ho_str ho_halt_sentence(const ho_project *project, ho_arena *arena, const ho_halt *halt)
{
  ho_str why = halt->why.n ? ho_quote_said(arena, halt->why, WHY) : HO_EMPTY;
  ho_str said =
      ho_arena_printf(arena, "%.*s said STOP (%.*s)%s%.*s", HO_ARG(halt->by.n ? halt->by : HO_STR("somebody")),
                      HO_ARG(halt->id), why.n ? ": " : "", HO_ARG(why));
  if (!project->name.n || ho_str_eq(project->name, ho_identity_name(halt->to)))
    return ho_arena_printf(arena, "%.*s; to resume, run: %.*s", HO_ARG(said),
                           HO_ARG(ho_project_command(project, arena, "answer ID --note TEXT@", halt->id)));
  return ho_arena_printf(arena, "%.*s; %.*s can resume it: handoff answer %.*s --note TEXT", HO_ARG(said),
                         HO_ARG(resumers(arena, ho_identity_name(halt->to))), HO_ARG(halt->id));
}

ho_code ho_halt_refuse(ho_project *project, ho_str task, ho_arena *arena, ho_error *err)
{
  ho_halt halt;
  bool found;
  ho_code code = ho_halt_of(project, task, arena, &halt, &found, err);
  if (code || !found)
    return code;
  return ho_fail(err, HO_GATED, "task %.*s is halted: %.*s", HO_ARG(ho_str_sub(halt.task, 0, 64)),
                 HO_ARG(ho_halt_sentence(project, arena, &halt)));
}

/* ---- Resuming. */

/* An agent without a name asked: it is known by what the log calls it, and a person is not known at all. */
static ho_code asked_unnamed(const ho_turn *turn, bool *out, ho_error *err)
{
  ho_event_list events = {0};
  *out = false;
  if (!turn->row.parent.n || ho_str_starts(turn->actor, HO_PROJECT_PERSON))
    return HO_OK;
  ho_code code = ho_events_whole(turn->project->store, turn->row.parent, turn->arena, &events, err);
  *out = !code && events.count && ho_str_eq(events.rows[0].actor, turn->actor);
  return code;
}

static ho_code refuse_others(ho_turn *turn, ho_error *err)
{
  ho_str name = ho_project_addressee(turn->project), asker = ho_identity_name(turn->row.receiver);
  bool own = name.n && ho_str_eq(name, asker);
  ho_code code = turn->project->name.n || asker.n ? HO_OK : asked_unnamed(turn, &own, err);
  if (code || own)
    return code;
  ho_str what = ho_arena_printf(turn->arena, "only %.*s can resume task %.*s", HO_ARG(resumers(turn->arena, asker)),
                                HO_ARG(turn->row.task));
  if (name.n)
    return ho_fail(err, HO_GATED, "%.*s, not %.*s", HO_ARG(what), HO_ARG(name));
  return ho_identity_refuse_agents(turn->arena, ho_arena_z(turn->arena, what), err);
}

ho_code ho_halt_resume(ho_turn *turn, ho_str note, ho_error *err)
{
  ho_code code = refuse_others(turn, err);
  if (code)
    return code;
  ho_node *data = ho_node_new(turn->arena, HO_KIND_MAP);
  ho_event_data_put(turn->project, turn->arena, data, "note", note);
  ho_marks_set(&turn->row, turn->arena, HO_MARK_HALT, HO_EMPTY);
  return ho_turn_mark(turn, HO_NOTE_RESUMED, data, err);
}

ho_code ho_halt_note(ho_project *project, ho_str id, ho_arena *arena, ho_str *out, ho_error *err)
{
  ho_event_list events;
  *out = HO_EMPTY;
  ho_code code = ho_events_whole(project->store, id, arena, &events, err);
  for (size_t i = 0; !code && i < events.count; i++)
    if (ho_str_is(events.rows[i].kind, HO_NOTE_RESUMED))
      *out = ho_map_str(ho_event_data_read(arena, events.rows[i].data), "note");
  return code;
}
