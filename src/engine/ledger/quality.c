#include "engine/ledger/quality.h"

#include "engine/context/context_cache.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/turn.h"
#include "engine/phase/progress.h"
#include "engine/project/identity.h"
#include "model/document/read.h"
#include "model/formats/complete.h"
#include "model/formats/formats.h"
#include "model/lifecycle.h"
#include "model/syntax.h"
#include "model/wording.h"
#include "store/handoffs/bodies.h"
#include "store/knowledge/known.h"

enum { EVENTS = 10000, LISTED = 50 };

typedef struct measuring {
  ho_project *project;
  const ho_handoff *row;
  ho_arena *arena;
  ho_node *out;
  ho_node *body; /* bound, or NULL */
  ho_str taken_by, session, transcript;
  int64_t claimed, ended; /* 0: not */
  bool answered;          /* the receiver responded: ack, block, done, … */
  ho_node *unread;        /* paths that need not be read */
  ho_node *failed;        /* approaches that have failed */
  ho_node *read, *again;  /* those of them that were done anyway */
} measuring;

/* --- texts -------------------------------------------------------------------------------------------------------- */

static void add_text(measuring *m, ho_node *list, ho_str text)
{
  if (list && text.n && list->count < LISTED && !ho_list_has(list, text))
    ho_list_add(list, ho_node_text(m->arena, ho_arena_copy(m->arena, text)));
}

static void unknown(measuring *m, const char *measure, const char *why)
{
  ho_map_addz(m->out, measure, ho_node_new(m->arena, HO_KIND_NULL));
  ho_list_add(ho_map_getz(m->out, "unknown"),
              ho_node_text(m->arena, ho_arena_printf(m->arena, "%s: %s", measure, why)));
}

static void known(measuring *m, const char *measure, int64_t value)
{
  ho_map_addz(m->out, measure, ho_node_number(m->arena, value));
}

/* Do two texts name the same approach? They are equal, or the second contains most words of the first. */
static bool same_approach(ho_str first, ho_str second)
{
  size_t words = 0, found = 0;
  char word[40];
  if (ho_str_eq(first, second))
    return true;
  for (size_t i = 0; i < first.n;) {
    size_t n = 0;
    while (i < first.n && !isalnum((unsigned char)first.p[i]))
      i++;
    while (i < first.n && isalnum((unsigned char)first.p[i])) {
      if (n + 1 < sizeof word)
        word[n++] = (char)tolower((unsigned char)first.p[i]);
      i++;
    }
    word[n] = '\0';
    if (n < 3)
      continue;
    words++;
    found += ho_wording_find(second, word, NULL);
  }
  return words >= 2 && found * 10 >= words * 7;
}

/* Is the path that was read the one that was named? Either may be absolute. */
static bool same_path(ho_str read, ho_str named)
{
  if (!named.n || read.n < named.n)
    return false;
  bool folder = named.p[named.n - 1] == '/';
  const char *at = memmem(read.p, read.n, named.p, named.n);
  bool begins = at && (at == read.p || at[-1] == '/' || named.p[0] == '/');
  return begins && (folder || at + named.n == read.p + read.n);
}

/* --- what the handoff says ---------------------------------------------------------------------------------------- */

/* "Do not re-read docs/plan.md": phrases of a sentence that says so. */
#define NOT_READ                                                                                                       \
  "not read|not re-read|not reread|not open|don't read|don't re-read|don't reread|don't open|never read|"              \
  "never re-read|no need to read|no need to re-read|no need to open|need not be read|avoid reading|avoid re-reading|"  \
  "instead of reading|without reading|skip reading|stop reading|not worth reading"
/* In a list of things not to try, merely mentioning reading is enough. */
#define READING NOT_READ "|re-reading|rereading|reading|read|re-read|reread"

static void take_warning(measuring *m, ho_str text, const char *says)
{
  ho_str rest = text, path;
  if (ho_wording_find(text, says, NULL))
    while (ho_wording_path(&rest, &path))
      add_text(m, m->unread, path);
}

static void take_texts(measuring *m, const char *list, const char *key, const char *says)
{
  HO_EACH_CONST (item, ho_map_getz(m->body, list))
    take_warning(m, item->kind == HO_KIND_MAP ? ho_map_str(item, key) : ho_node_str(item), says);
}

/* What cannot be read is ignored; only running out of memory is a failure. */
static ho_code or_memory(ho_code code, const ho_error *why, ho_error *err)
{
  if (code == HO_MEMORY)
    *err = *why;
  return code == HO_MEMORY ? code : HO_OK;
}

static ho_code read_body(measuring *m, ho_error *err)
{
  ho_str text;
  ho_doc *doc = HO_NEW(m->arena, ho_doc);
  ho_error why = {0};
  const ho_format *format = ho_format_named(m->row->kind);
  if (!doc || !format)
    return ho_arena_code(m->arena, err);
  ho_code code = ho_bodies_get(m->project->store, m->row->digest, m->arena, &text, &why);
  if (!code)
    code = ho_doc_read(doc, m->arena, m->row->path.n ? m->row->path : m->row->id, text, format, &why);
  if (code)
    return or_memory(code, &why, err);
  m->body = ho_node_is(doc->root, HO_KIND_MAP) ? doc->root : NULL;
  HO_EACH_CONST (item, ho_map_getz(m->body, "references"))
    add_text(m, m->unread, ho_map_str(item, "path"));
  HO_EACH_CONST (item, ho_map_getz(m->body, "what_not_to_try"))
    add_text(m, m->failed, ho_map_str(item, "approach"));
  take_texts(m, "what_not_to_try", "approach", READING);
  take_texts(m, "critical_context", "", NOT_READ);
  take_texts(m, "gotchas", "issue", NOT_READ);
  return ho_arena_code(m->arena, err);
}

/* --- what followed ------------------------------------------------------------------------------------------------ */

static ho_code read_events(measuring *m, ho_error *err)
{
  ho_event_list events;
  ho_code code = ho_events_select(m->project->store, m->row->id, 0, EVENTS, m->arena, &events, err);
  for (size_t i = 0; !code && i < events.count; i++) {
    const ho_event *event = &events.rows[i];
    if (ho_str_is(event->kind, ho_event_kind_name(HO_EVENT_CLAIMED))) {
      const ho_node *data = ho_map_getz(ho_describe_event(event, m->arena), "data");
      m->taken_by = event->actor;
      m->session = ho_map_str(data, "session");
      m->claimed = event->at;
      m->ended = 0;
      continue;
    }
    ho_event_sense sense = ho_event_sense_of(event->kind);
    if (sense == HO_SENSE_REPLIES || sense == HO_SENSE_ENDS || ho_str_is(event->kind, HO_NOTE_ASKED))
      m->answered = true;
    if (sense == HO_SENSE_ENDS)
      m->ended = event->at;
  }
  return code;
}

static ho_code measure_asked(measuring *m, ho_error *err)
{
  ho_node *talk, *questions = ho_map_addz(m->out, "questions", ho_node_new(m->arena, HO_KIND_LIST));
  ho_code code = ho_describe_talk(m->project, m->row, m->arena, &talk, err);
  if (code)
    return code;
  HO_EACH_CONST (said, talk)
    if (ho_str_list_has("question|blocker", ho_map_str(said, "kind")))
      add_text(m, questions, ho_map_str(said, "text"));
  if (m->answered && questions)
    known(m, "asked", questions->count);
  else
    unknown(m, "asked", "the receiver has said nothing about it yet");
  return HO_OK;
}

static void watch(void *world, ho_tool_kind kind, ho_str what)
{
  measuring *m = world;
  if (kind == HO_TOOL_READ || kind == HO_TOOL_SEARCH)
    HO_EACH_CONST (path, m->unread)
      if (same_path(what, path->text))
        add_text(m, m->read, path->text);
  if (kind == HO_TOOL_SHELL && ho_str_has(what, "progress tried"))
    HO_EACH_CONST (approach, m->failed)
      if (same_approach(approach->text, what))
        add_text(m, m->again, approach->text);
}

/* The transcript of the session that claimed it: the one given, else the one that its hooks saw. */
static ho_code walk_transcript(measuring *m, ho_walk *walk, bool *seen, ho_error *err)
{
  ho_trace trace = {0};
  *seen = false;
  if (!m->transcript.n && m->session.n &&
      ho_trace_load(&trace, m->arena, ho_context_path(m->arena, m->project->home, m->session, HO_TRACE_SUFFIX).p))
    m->transcript = trace.transcript;
  if (!m->transcript.n || !m->claimed)
    return ho_arena_code(m->arena, err);
  *walk = (ho_walk){.from = m->claimed, .to = m->ended, .each = watch, .world = m};
  ho_code code = ho_transcript_walk(walk, ho_arena_z(m->arena, m->transcript));
  if (code == HO_MEMORY)
    return ho_fail_memory(err);
  *seen = !code && walk->harness;
  return ho_arena_code(m->arena, err);
}

/* Among the approaches that the progress file logs, in order, the first one that matches a failed approach is the
 * one that the handoff reports; any further one is another attempt, as is one with a later time. *newer: somebody
 * has written to the file since. */
static ho_code read_progress(measuring *m, bool *newer, ho_error *err)
{
  ho_phase phase = {.arena = m->arena, .root = m->project->root, .task = m->row->task, .phase = m->row->phase};
  ho_doc *doc = HO_NEW(m->arena, ho_doc);
  ho_error why = {0};
  int64_t at;
  *newer = false;
  if (!doc || !phase.task.n || !phase.phase.n)
    return ho_arena_code(m->arena, err);
  ho_code code = ho_phase_find(&phase, &why);
  if (!code)
    code = ho_progress_read(&phase, doc, &why);
  if (code || !ho_node_is(doc->root, HO_KIND_MAP))
    return or_memory(code, &why, err);
  *newer = ho_stamp_time(ho_map_str(doc->root, "last_updated"), &at) && at > m->row->created;
  HO_EACH_CONST (approach, m->failed) {
    size_t times = 0;
    HO_EACH_CONST (item, ho_map_getz(doc->root, "approaches_tried")) {
      bool same = ho_progress_counts(item) && same_approach(approach->text, ho_map_str(item, "approach"));
      bool later = ho_stamp_time(ho_map_str(item, "timestamp"), &at) && at > m->row->created;
      times += same;
      if (same && (later || times > 1))
        add_text(m, m->again, approach->text);
    }
  }
  return ho_arena_code(m->arena, err);
}

static void measure_following(measuring *m, const ho_walk *walk, bool seen, bool newer)
{
  static const char no_transcript[] = "no transcript of the receiver's session is known";
  if (!m->unread->count)
    unknown(m, "reread", "the handoff names nothing that should not be read");
  else if (!seen)
    unknown(m, "reread", no_transcript);
  else
    known(m, "reread", m->read->count);
  if (!m->failed->count)
    unknown(m, "retried", "the handoff names no approach that failed");
  else if (!seen && !newer && !m->again->count)
    unknown(m, "retried", "there is neither a transcript nor a newer progress file");
  else
    known(m, "retried", m->again->count);
  if (!seen)
    unknown(m, "tokens_to_first_edit", no_transcript);
  else if (!walk->edited)
    unknown(m, "tokens_to_first_edit", "nothing was edited");
  else if (walk->first_edit < 0)
    unknown(m, "tokens_to_first_edit", "the transcript reports no usage");
  else
    known(m, "tokens_to_first_edit", walk->first_edit);
}

ho_code ho_quality_measure(ho_project *project, const ho_handoff *row, ho_str transcript, ho_arena *arena,
                           ho_node **out, ho_error *err)
{
  measuring m = {.project = project, .row = row, .arena = arena, .transcript = transcript};
  ho_walk walk = {0};
  bool seen = false, newer = false;
  m.out = *out = ho_node_new(arena, HO_KIND_MAP);
  m.unread = ho_node_new(arena, HO_KIND_LIST);
  m.failed = ho_node_new(arena, HO_KIND_LIST);
  m.read = ho_node_new(arena, HO_KIND_LIST);
  m.again = ho_node_new(arena, HO_KIND_LIST);
  ho_code code = ho_arena_code(arena, err);
  if (!code)
    code = read_events(&m, err);
  if (code)
    return code;
  ho_map_put(m.arena, m.out, "id", row->id);
  ho_map_put(m.arena, m.out, "kind", row->kind);
  ho_map_put(m.arena, m.out, "from", ho_identity_name(row->sender));
  ho_map_put(m.arena, m.out, "taken_by", m.taken_by);
  ho_map_put(m.arena, m.out, "task", row->task);
  ho_map_put(m.arena, m.out, "phase", row->phase);
  ho_map_put(m.arena, m.out, "state", row->state);
  ho_map_addz(m.out, "unknown", ho_node_new(arena, HO_KIND_LIST));
  code = read_body(&m, err);
  if (!code)
    code = measure_asked(&m, err);
  if (!code)
    code = walk_transcript(&m, &walk, &seen, err);
  if (!code)
    code = read_progress(&m, &newer, err);
  if (code)
    return code;
  measure_following(&m, &walk, seen, newer);
  if (m.body && ho_str_is(row->kind, ho_format_task.name))
    known(&m, "completeness", ho_complete(m.body, arena, NULL));
  else
    ho_map_addz(m.out, "completeness", ho_node_new(arena, HO_KIND_NULL));
  ho_map_addz(m.out, "told_not_to_read", m.unread);
  ho_map_addz(m.out, "reread_files", m.read);
  ho_map_addz(m.out, "retried_approaches", m.again);
  ho_map_put(m.arena, m.out, "transcript", seen ? m.transcript : HO_EMPTY);
  return ho_arena_code(arena, err);
}

/* --- groups ------------------------------------------------------------------------------------------------------- */

static int compare_numbers(const void *a, const void *b)
{
  long long first = *(const long long *)a, second = *(const long long *)b;
  return (first > second) - (first < second);
}

/* For the handoffs of one group: how many have the measure, and for how many it is above 0, or its median. */
static ho_node *sum_up(const ho_node *handoffs, const char *by, ho_str value, const char *measure, ho_arena *arena)
{
  bool tokens = strcmp(measure, "tokens_to_first_edit") == 0;
  long long *numbers = ho_arena_array(arena, handoffs->count + 1, sizeof *numbers);
  size_t count = 0, any = 0;
  ho_node *sum = ho_node_new(arena, HO_KIND_MAP);
  HO_EACH_CONST (item, handoffs)
    if (numbers && ho_str_eq(ho_map_str(item, by), value) &&
        ho_node_to_int(ho_map_getz(item, measure), &numbers[count]))
      any += numbers[count++] > 0;
  ho_map_addz(sum, "known", ho_node_number(arena, (long long)count));
  if (!tokens) {
    ho_map_addz(sum, "any", count ? ho_node_number(arena, (long long)any) : ho_node_new(arena, HO_KIND_NULL));
    return sum;
  }
  if (count)
    qsort(numbers, count, sizeof *numbers, compare_numbers);
  ho_map_addz(sum, "median",
              count ? ho_node_number(arena, numbers[(count - 1) / 2]) : ho_node_new(arena, HO_KIND_NULL));
  return sum;
}

ho_node *ho_quality_groups(const ho_node *handoffs, const char *by, const char *name, ho_arena *arena)
{
  static const char *const measures[] = {"reread", "retried", "asked", "tokens_to_first_edit"};
  ho_node *groups = ho_node_new(arena, HO_KIND_LIST);
  ho_str *values = ho_arena_array(arena, handoffs->count + 1, sizeof *values);
  size_t count = 0;
  HO_EACH_CONST (item, handoffs)
    if (values)
      values[count++] = ho_map_str(item, by);
  if (count)
    qsort(values, count, sizeof *values, ho_str_order);
  for (size_t i = 0; i < count;) {
    size_t same = i;
    while (same < count && ho_str_eq(values[same], values[i]))
      same++;
    ho_node *group = ho_node_new(arena, HO_KIND_MAP);
    ho_map_addz(group, name, ho_node_text(arena, values[i]));
    ho_map_addz(group, "handoffs", ho_node_number(arena, (long long)(same - i)));
    for (size_t k = 0; k < HO_COUNT(measures); k++)
      ho_map_addz(group, measures[k], sum_up(handoffs, by, values[i], measures[k], arena));
    ho_list_add(groups, group);
    i = same;
  }
  return groups;
}
