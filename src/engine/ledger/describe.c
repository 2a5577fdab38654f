#include "engine/ledger/describe.h"

#include "base/digest.h"
#include "base/time.h"
#include "doc/json/json.h"
#include "doc/source.h"
#include "engine/knowledge/knowledge.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/halt.h"
#include "engine/ledger/marks.h"
#include "engine/ledger/turn.h"
#include "engine/project/event_data.h"
#include "engine/project/git.h"
#include "engine/project/quote.h"
#include "engine/project/redact.h"
#include "engine/project/worktree.h"
#include "model/document/read.h"
#include "model/document/recognise.h"
#include "model/formats/formats.h"
#include "model/lifecycle.h"
#include "store/handoffs/bodies.h"

/* How values are shown. */
#define TEXT(value) ho_map_put(arena, map, key, value)
#define TIME(value) ho_map_put(arena, map, key, ho_time_str(arena, value))
#define NUMBER(value) ho_map_addz(map, key, ho_node_number(arena, value))
#define GATE_STATE(value) TEXT(ho_words_str(&ho_gate_states, value))
#define DECISION(value) TEXT(ho_words_str(&ho_gate_decisions, value))
#define KNOWN(value) TEXT(known_of(row))
#define MEMBER(kind, name, field, doc)                                                                                 \
  key = name;                                                                                                          \
  kind(row->field);

ho_node *ho_describe_record(const ho_handoff *row, ho_arena *arena)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  const char *key;
  HO_HANDOFF_MEMBERS(MEMBER, MEMBER)
  ho_map_put(arena, map, "outcome", ho_marks_get(row, arena, HO_MARK_OUTCOME));
  return map;
}

ho_node *ho_describe_listed(ho_project *project, const ho_handoff *row, ho_arena *arena)
{
  ho_event_list first = {0};
  ho_error none = {0};
  ho_node *map = ho_describe_record(row, arena);
  if (!row->sender.n && !ho_events_select(project->store, row->id, 0, 1, arena, &first, &none) && first.count)
    ho_map_put(arena, map, "sent_by", first.rows[0].actor);
  ho_map_put(arena, map, "subject", ho_describe_subject(project, row, arena));
  return map;
}

ho_code ho_describe_sender(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_str *out, ho_error *err)
{
  ho_event_list first = {0};
  *out = row->sender;
  if (row->sender.n && !ho_str_is(row->sender, "human"))
    return HO_OK;
  ho_code code = ho_events_select(project->store, row->id, 0, 1, arena, &first, err);
  if (!code && first.count && ho_str_starts(first.rows[0].actor, HO_PROJECT_PERSON))
    *out = first.rows[0].actor;
  return code;
}

/* The text that a field begins with: its own, or that of the first thing in it. */
static ho_str first_text(const ho_node *node)
{
  while (node && (node->kind == HO_KIND_LIST || node->kind == HO_KIND_MAP))
    node = node->first;
  return ho_str_trim(ho_node_str(node));
}

ho_str ho_describe_subject_of(const ho_doc *doc, ho_arena *arena)
{
  ho_str found = HO_EMPTY, field;
  ho_str rest = ho_str_of(doc->format->sending ? doc->format->sending->subject : NULL);
  while (!found.n && ho_str_next(&rest, '|', &field))
    found = first_text(ho_node_by_names(doc->root, ho_arena_z(arena, field)));
  return found.n ? ho_quote_clean(arena, found, HO_SUBJECT, true) : HO_EMPTY;
}

ho_str ho_describe_subject(ho_project *project, const ho_handoff *row, ho_arena *arena)
{
  ho_str body = HO_EMPTY, found = ho_marks_get(row, arena, HO_MARK_SUBJECT);
  ho_doc doc = {0};
  ho_error err = {0};
  const ho_format *format = ho_format_named(row->kind);
  ho_str path = row->path.n ? row->path : row->id;
  if (!found.n && format && ho_bodies_get(project->store, row->digest, arena, &body, &err) == HO_OK &&
      ho_doc_read(&doc, arena, path, body, format, &err) == HO_OK)
    found = ho_describe_subject_of(&doc, arena);
  return found.n ? found : row->path.n ? row->path : row->kind;
}

/* How it is known who decided. What the program rejected itself was decided by no person. */
static ho_str known_of(const ho_gate *gate)
{
  if (gate->decision && !gate->proof.n)
    return HO_STR("checked");
  bool is_signed = !gate->decision || ho_str_is(gate->proof, "signed");
  return ho_words_str(&ho_gate_knowns, is_signed ? gate->known : HO_GATE_KNOWN_STATED);
}

ho_node *ho_describe_gate(const ho_gate *row, ho_arena *arena)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  const char *key;
  HO_GATE_MEMBERS(MEMBER, MEMBER)
  return map;
}

static ho_code copy_same(const ho_project *project, ho_arena *arena, const char *full, ho_str digest, bool *same,
                         ho_error *err)
{
  ho_str text;
  char now[HO_DIGEST_SIZE];
  ho_code code = ho_fs_read(arena, full, 0, &text, err);
  if (code)
    return code;
  ho_digest_text(text, now);
  if (!ho_str_is(digest, now)) { /* most have no credentials, and need not be parsed for that */
    ho_digest_text(ho_redact_file(project, arena, ho_str_of(full), text), now);
    code = ho_arena_code(arena, err);
  }
  *same = !code && ho_str_is(digest, now);
  return code;
}

static void add_statement(ho_arena *arena, ho_node *list, const char *kind, ho_str about, bool checked, const char *now)
{
  ho_node *item = ho_list_add(list, ho_node_new(arena, HO_KIND_MAP));
  ho_map_addz(item, "claim", ho_node_textz(arena, kind));
  ho_map_put(arena, item, "about", about);
  ho_map_addz(item, "known", ho_node_textz(arena, checked ? "verified" : "asserted"));
  ho_map_addz(item, "now", ho_node_textz(arena, now));
}

/* Plans and the files that say how far the work is change with it, by commands of this program as well. */
static bool is_working(ho_str path)
{
  const ho_format *format = ho_recognise_path_only(path);
  return format == &ho_format_plan || format == &ho_format_progress || format == &ho_format_meta;
}

ho_code ho_describe_file_same(ho_project *project, ho_arena *arena, const ho_file *file, bool *same, ho_error *err)
{
  char digest[HO_DIGEST_SIZE];
  int64_t size;
  struct stat info;
  ho_str full = ho_fs_join(arena, project->home, file->path);
  ho_code code = ho_arena_code(arena, err);
  if (code)
    return code;
  if (file->kind == HO_FILE_COPY || file->kind == HO_FILE_DETAILS)
    return copy_same(project, arena, full.p, file->digest, same, err);
  *same = is_working(full);
  if (file->size > 0 && ho_fs_stat(full.p, &info) == 0 && S_ISREG(info.st_mode) && info.st_size != file->size)
    return HO_OK; /* known without reading it, however long it is */
  code = ho_git_digest(arena, full.p, digest, &size, err);
  *same = !code && (*same || ho_str_is(file->digest, digest));
  return code;
}

static const char *compare_file(ho_project *project, ho_arena *arena, const ho_file *file)
{
  bool same = false;
  ho_error err;
  ho_code code = ho_describe_file_same(project, arena, file, &same, &err);
  return code == HO_NOT_FOUND ? "gone" : code ? "unknown" : same ? "same" : "changed";
}

static const char *compare_tree(const ho_project *project, ho_arena *arena, ho_str then)
{
  ho_str now = ho_git_tree_name(ho_git_tree(arena, project->root, &project->written));
  return !now.n ? "unknown" : ho_str_eq(now, then) ? "same" : "changed";
}

ho_code ho_describe_statements(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_node **out,
                               ho_error *err)
{
  ho_file_list files;
  ho_node *list = *out = ho_node_new(arena, HO_KIND_LIST);
  ho_str head = ho_marks_get(row, arena, "head"), tree = ho_marks_get(row, arena, "tree");
  ho_code code = ho_files_select(project->store, row->id, arena, &files, err);
  for (size_t i = 0; !code && i < files.count; i++)
    if (files.rows[i].kind != HO_FILE_ARCHIVE)
      add_statement(arena, list, ho_words_name(&ho_file_kinds, files.rows[i].kind), files.rows[i].path, true,
                    compare_file(project, arena, &files.rows[i]));
  if (head.n) {
    ho_str now = ho_git_head(arena, project->root);
    add_statement(arena, list, "git head", head, true, !now.n ? "unknown" : ho_str_eq(now, head) ? "same" : "changed");
  }
  if (tree.n)
    add_statement(arena, list, "git tree", tree, true, compare_tree(project, arena, tree));
  add_statement(arena, list, "content", HO_STR("what the document states"), false, "unknown");
  return code;
}

/* How to say that a stated fact no longer holds. */
static ho_str drift_text(const ho_node *statement, ho_arena *arena, bool gone)
{
  ho_str what = ho_map_str(statement, "claim"), about = ho_map_str(statement, "about");
  if (ho_str_is(what, "git tree"))
    return ho_str_is(about, "clean") ? HO_STR("git tree was clean when it was sent, but has uncommitted changes now")
                                     : HO_STR("git tree had uncommitted changes when it was sent, but is clean now");
  return ho_arena_printf(arena, "%.*s %.*s %s since it was sent", HO_ARG(what), HO_ARG(about),
                         gone ? "is gone" : "has changed");
}

ho_node *ho_describe_drift(const ho_node *statements, ho_arena *arena)
{
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  HO_EACH_CONST (statement, statements) {
    ho_str now = ho_map_str(statement, "now");
    if (!ho_str_is(now, "gone") && !ho_str_is(now, "changed"))
      continue;
    ho_list_add(list, ho_node_text(arena, drift_text(statement, arena, ho_str_is(now, "gone"))));
  }
  return list;
}

ho_str ho_describe_moved(ho_project *project, const ho_handoff *row, ho_arena *arena)
{
  ho_file_list files;
  ho_error err;
  if (ho_files_select(project->store, row->id, arena, &files, &err))
    return HO_EMPTY;
  for (size_t i = 0; i < files.count; i++) {
    if (files.rows[i].kind != HO_FILE_ARTIFACT)
      continue;
    const char *now = compare_file(project, arena, &files.rows[i]);
    if (strcmp(now, "same") != 0)
      return ho_arena_printf(arena, "%.*s is %s since it was sent", HO_ARG(files.rows[i].path), now);
  }
  return HO_EMPTY;
}

ho_code ho_describe_taker(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_str *out, ho_error *err)
{
  ho_state state;
  ho_event_list events = {0};
  *out = row->claimed_by;
  if (out->n || (ho_state_named(row->state, &state) && ho_state_open(state)))
    return HO_OK;
  ho_code code = ho_events_select(project->store, row->id, 0, 0, arena, &events, err);
  for (size_t i = 0; !code && i < events.count; i++)
    if (ho_str_is(events.rows[i].kind, ho_event_kind_name(HO_EVENT_CLAIMED)) &&
        ho_map_getz(ho_event_data_read(arena, events.rows[i].data),
                    "session")) /* a run's claims name a teammate, or nobody */
      *out = events.rows[i].actor;
  return code;
}

ho_node *ho_describe_event(const ho_event *event, ho_arena *arena)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  ho_map_addz(map, "seq", ho_node_number(arena, event->seq));
  ho_map_put(arena, map, "handoff", event->handoff);
  ho_map_addz(map, "n", ho_node_number(arena, event->n));
  ho_map_put(arena, map, "at", ho_time_str(arena, event->at));
  ho_map_put(arena, map, "actor", event->actor);
  ho_map_put(arena, map, "event", event->kind);
  ho_map_addz(map, "data", ho_event_data_read(arena, event->data));
  ho_map_put(arena, map, "hash", event->hash);
  return map;
}

/* Adds each text of the list under `key` in an event's data as something that was said. */
static void add_said(ho_arena *arena, ho_node *list, const ho_event *event, const ho_node *data, const char *key,
                     const char *kind)
{
  const ho_node *node = ho_map_getz(data, key);
  const ho_node *first = ho_node_is(node, HO_KIND_LIST) ? node->first : node;
  for (const ho_node *each = first; each; each = ho_node_is(node, HO_KIND_LIST) ? each->next : NULL) {
    ho_node *item = ho_list_add(list, ho_node_new(arena, HO_KIND_MAP));
    ho_map_put(arena, item, "at", ho_time_str(arena, event->at));
    ho_map_put(arena, item, "by", event->actor);
    ho_map_addz(item, "kind", ho_node_textz(arena, kind));
    ho_map_put(arena, item, "text", ho_node_str(each));
  }
}

/* Is it the answer to everything that was asked before it? */
static bool answers(const ho_event *event)
{
  return ho_str_is(event->kind, ho_event_kind_name(HO_EVENT_ANSWERED)) || ho_str_is(event->kind, HO_NOTE_ANSWER);
}

/* Is its note said to whoever asked? */
static bool replies(const ho_event *event)
{
  return answers(event) || ho_str_list_has(HO_NOTE_SETTLED "|" HO_NOTE_GATE_ANSWER "|" HO_NOTE_RESUMED, event->kind);
}

/* kinds: only events of these kinds, separated by '|', or NULL. */
static ho_code add_talk(ho_project *project, ho_str id, const char *kinds, ho_arena *arena, ho_node *list,
                        ho_error *err)
{
  ho_event_list events;
  ho_code code = ho_events_select(project->store, id, 0, 1000, arena, &events, err);
  for (size_t i = 0; !code && i < events.count; i++) {
    ho_event said = events.rows[i];
    if (kinds && !ho_str_list_has(kinds, said.kind))
      continue;
    const ho_node *data = ho_event_data_read(arena, said.data);
    bool decision = !ho_node_absent(ho_map_getz(data, "decision"));
    ho_str proof = decision ? ho_gate_read_proof(project, arena, data) : HO_EMPTY;
    if (proof.n) /* whose key it was, not who was logged in */
      said.actor = ho_map_str(data, "by");
    add_said(arena, list, &said, data, "blockers", "blocker");
    add_said(arena, list, &said, data, "questions", "question");
    add_said(arena, list, &said, data, "decision", "decision");
    if (proof.n && list->last)
      ho_map_addz(list->last, "proof", ho_node_text(arena, proof));
    ho_str asked = ho_map_str(data, HO_DATA_ASKED);
    add_said(arena, list, &said, data, "note", replies(&said) ? "answer" : "note");
    if (asked.n && list->last) /* one of several: which one is not clear from what was said before */
      ho_map_set(list->last, HO_STR("text"),
                 ho_node_text(arena, ho_arena_printf(arena, "%.*s: %.*s", HO_ARG(asked),
                                                     HO_ARG(ho_map_str(list->last, "text")))));
    add_said(arena, list, &said, data, "why", "reason");
  }
  return code;
}

ho_code ho_describe_talk(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_node **out, ho_error *err)
{
  *out = ho_node_new(arena, HO_KIND_LIST);
  return add_talk(project, row->id, NULL, arena, *out, err);
}

ho_code ho_describe_gate_talk(ho_project *project, const ho_gate *gate, ho_arena *arena, ho_node **out, ho_error *err)
{
  enum { HANDED_ON = 100 };
  ho_gate first;
  ho_handoff row = {0};
  ho_error none = {0};
  ho_code code = HO_OK;
  *out = ho_node_new(arena, HO_KIND_LIST);
  if (gate->root.n && !ho_gates_get(project->store, gate->root, arena, &first, &none))
    row.superseded_by = first.handoff;
  for (int i = 0; !code && i < HANDED_ON && row.superseded_by.n && !ho_str_eq(row.superseded_by, gate->handoff); i++) {
    if (ho_handoffs_get(project->store, row.superseded_by, arena, &row, &none)) /* pruned */
      break;
    code = add_talk(project, row.id, HO_NOTE_GATE_QUESTION "|" HO_NOTE_GATE_ANSWER, arena, *out, err);
  }
  return code ? code : add_talk(project, gate->handoff, NULL, arena, *out, err);
}

/* Takes out of what was asked what this event answers: the one thing that it names, or all of it. */
static void take_answered(ho_arena *arena, ho_node *asked, const ho_event *event, const ho_node *data)
{
  ho_str one = ho_map_str(data, HO_DATA_ASKED);
  if (!answers(event))
    return;
  for (ho_node *each = asked->first, *next; each; each = next) {
    next = each->next;
    if (!one.n || ho_describe_is_asked(arena, each, one))
      ho_node_remove(asked, each);
  }
}

bool ho_describe_is_asked(ho_arena *arena, const ho_node *asked, ho_str text)
{
  return ho_str_eq(ho_knowledge_normal(arena, ho_map_str(asked, "text")), ho_knowledge_normal(arena, text));
}

ho_code ho_describe_asked(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_node **out, ho_error *err)
{
  ho_event_list events;
  ho_node *asked = *out = ho_node_new(arena, HO_KIND_LIST);
  ho_code code = ho_events_select(project->store, row->id, 0, 1000, arena, &events, err);
  for (size_t i = 0; !code && i < events.count; i++) {
    const ho_event *event = &events.rows[i];
    const ho_node *data = ho_event_data_read(arena, event->data);
    take_answered(arena, asked, event, data);
    add_said(arena, asked, event, data, "blockers", "blocker");
    add_said(arena, asked, event, data, "questions", "question");
  }
  return code ? code : ho_arena_code(arena, err);
}

ho_code ho_describe_question(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_str *text, ho_str *by,
                             ho_error *err)
{
  ho_node *asked;
  *text = *by = HO_EMPTY;
  ho_code code = ho_describe_asked(project, row, arena, &asked, err);
  HO_EACH_CONST (each, asked) {
    *text = ho_arena_printf(arena, "%.*s%s%.*s", HO_ARG(*text), text->n ? "\n" : "",
                            HO_ARG(ho_str_trim(ho_map_str(each, "text"))));
    *by = ho_map_str(each, "by");
  }
  return code ? code : ho_arena_code(arena, err);
}

bool ho_describe_recorded(ho_project *project, ho_arena *arena, ho_str full, ho_str *text)
{
  ho_handoff row;
  bool found = false;
  ho_error none = {0};
  ho_str kept = ho_worktree_kept(project->home, full);
  return ho_handoffs_by_path(project->store, kept, arena, &row, &found, &none) == HO_OK && found &&
         ho_bodies_get(project->store, row.digest, arena, text, &none) == HO_OK;
}

ho_str ho_describe_details(ho_project *project, const ho_handoff *row, ho_arena *arena)
{
  ho_file_list files;
  ho_str text;
  ho_error none = {0};
  if (ho_files_select(project->store, row->id, arena, &files, &none))
    return HO_EMPTY;
  for (size_t i = 0; i < files.count; i++)
    if (files.rows[i].kind == HO_FILE_DETAILS &&
        !ho_bodies_get(project->store, files.rows[i].digest, arena, &text, &none))
      return text;
  return HO_EMPTY;
}
