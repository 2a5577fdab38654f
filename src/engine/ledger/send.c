#include "engine/ledger/send.h"

#include "base/grow.h"
#include "base/limits.h"
#include "base/time.h"
#include "engine/ledger/archive_copy.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/gate.h"
#include "engine/ledger/halt.h"
#include "engine/ledger/marks.h"
#include "engine/ledger/rights.h"
#include "engine/ledger/write.h"
#include "engine/project/event_data.h"
#include "engine/project/git.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"
#include "engine/project/access_check.h"
#include "engine/project/project.h"
#include "engine/project/quote.h"
#include "engine/project/redact.h"
#include "engine/project/worktree.h"
#include "model/document/recognise.h"
#include "model/fix/fix.h"
#include "model/formats/formats.h"
#include "model/syntax.h"
#include "store/handoffs/bodies.h"

static ho_code add_file(ho_send *in, ho_file_kind kind, ho_str full, ho_str digest, int64_t size, ho_error *err)
{
  if (in->seen.file_count == HO_LIMIT_ARTIFACTS)
    return ho_fail_file(err, HO_LIMIT, in->path, "names more than %d files", HO_LIMIT_ARTIFACTS);
  ho_file *file = HO_PUSH(in->arena, in->seen.files, in->seen.file_count);
  if (!file)
    return ho_arena_code(in->arena, err);
  *file = (ho_file){.kind = kind, .path = ho_worktree_kept(in->project->home, full), .digest = digest, .size = size};
  return HO_OK;
}

typedef struct seeing {
  ho_send *in;
  ho_code code;
  ho_error *err;
} seeing;

/* The folder of the task that a phase handoff is about: its progress, its handoffs and its results are written there, so
 * that it changes says nothing. */
static bool is_task_folder(const ho_send *in, ho_str full)
{
  return in->seen.doc.format->sending->in_task_folder && in->full.n && ho_fs_is_folder(full.p) &&
         ho_fs_inside(full.p, in->full.p);
}

/* An existing artifact, with its digest: what the program itself has seen. */
static void see_file(void *data, ho_str path)
{
  seeing *s = data;
  ho_send *in = s->in;
  char digest[HO_DIGEST_SIZE];
  int64_t size = 0;
  ho_str full = ho_fs_join(in->arena, in->project->root, path);
  if (s->code || !full.n || !ho_paths_exists(&in->project->root, full) || is_task_folder(in, full))
    return;
  s->code = ho_git_digest(in->arena, full.p, digest, &size, s->err);
  if (!s->code)
    s->code = add_file(in, HO_FILE_ARTIFACT, full, ho_arena_copy(in->arena, ho_str_of(digest)), size, s->err);
}

/* Is its file in the project? If its name is a credential, only its content is known from now on. */
static bool has_place(const ho_send *in)
{
  return in->full.n && ho_fs_inside(ho_arena_z(in->arena, in->project->root), in->full.p) &&
         ho_str_eq(ho_project_clean(in->project, in->arena, in->full), in->full);
}

static ho_code see_copy(ho_send *in, ho_error *err)
{
  return !has_place(in)
             ? HO_OK
             : add_file(in, HO_FILE_COPY, in->full, ho_str_of(in->seen.digest), (int64_t)in->seen.body.n, err);
}

/* What did not fit in a phase handoff goes along with it: its file is not there in other worktrees, and may be cleaned up. */
static ho_code see_details(ho_send *in, ho_error *err)
{
  char digest[HO_DIGEST_SIZE];
  ho_str text = in->details;
  ho_error none = {0};
  if (in->seen.doc.format != &ho_format_artifact || !has_place(in))
    return HO_OK;
  ho_str full = ho_arena_printf(in->arena, "%.*s/%.*s", HO_ARG(ho_fs_parent(in->full)),
                                HO_ARG(ho_fix_details_name(in->arena, in->full)));
  if (!text.n && full.n && ho_paths_exists(&in->project->root, full) && ho_fs_read(in->arena, full.p, 0, &text, &none))
    text = HO_EMPTY;
  text = text.n ? ho_redact_file(in->project, in->arena, full, text) : text;
  ho_code code = ho_arena_code(in->arena, err);
  if (code || !text.n)
    return code;
  in->seen.details = text;
  ho_digest_text(text, digest);
  return add_file(in, HO_FILE_DETAILS, full, ho_arena_copy(in->arena, ho_str_of(digest)), (int64_t)text.n, err);
}

/* "artifact, task, … and package": the formats that can be sent. */
static ho_str sendable(ho_arena *arena)
{
  ho_str names = HO_EMPTY;
  const char *last = NULL;
  for (const ho_format *const *format = ho_formats; *format; format++) {
    if (!(*format)->sending)
      continue;
    if (last)
      names = ho_arena_printf(arena, "%.*s%s%s", HO_ARG(names), names.n ? ", " : "", last);
    last = (*format)->name;
  }
  return ho_arena_printf(arena, "%.*s and %s", HO_ARG(names), last);
}

static ho_code refuse_format(ho_send *in, ho_error *err)
{
  if (in->only_gate)
    return ho_fail_file(err, HO_INVALID, in->path, "has the format '%s', but a gate is needed",
                        in->seen.doc.format->name);
  return ho_fail_file(err, HO_INVALID, in->path,
                      "is a %s, which stays in its file and cannot be sent; documents that can be sent: %.*s",
                      in->seen.doc.format->name, HO_ARG(sendable(in->arena)));
}

static ho_code check(ho_send *in, ho_error *err)
{
  ho_check_env env = {.path = in->full.n ? ho_fs_relative(in->project->root, in->full) : HO_EMPTY,
                      .tokens = in->tokens,
                      .exists = ho_paths_exists,
                      .world = &in->project->root,
                      .looked_in = in->project->looked_in,
                      .below = in->project->below};
  if (!in->seen.doc.format)
    return ho_fail_file(err, HO_INVALID, in->path, "%.*s",
                        HO_ARG(ho_quote_unknown(in->arena, in->path, ho_str_blank(in->text))));
  const ho_sending *how = in->seen.doc.format->sending;
  if (!how || (in->only_gate && how->kind != HO_SEND_GATE))
    return refuse_format(in, err);
  ho_code code = ho_doc_check(&in->seen.doc, &env, err);
  in->seen.refused = in->seen.doc.report.errors || in->seen.secrets.errors;
  return code;
}

static ho_code look_around(ho_send *in, ho_error *err)
{
  seeing s = {.in = in, .err = err};
  ho_str deadline = ho_map_str(in->seen.doc.root, "deadline");
  if (!deadline.n)
    deadline = ho_map_str(in->seen.doc.root, "x_deadline");
  if (deadline.n && !ho_stamp_time(deadline, &in->seen.deadline))
    in->seen.deadline = 0;
  ho_route_files(&in->seen.doc, see_file, &s);
  ho_code code = s.code ? s.code : see_copy(in, err);
  if (!code)
    code = see_details(in, err);
  in->seen.head = ho_git_head(in->arena, in->project->root);
  if (in->seen.head.n)
    in->seen.tree = ho_git_tree_name(ho_git_tree(in->arena, in->project->root, &in->project->written));
  return code ? code : ho_arena_code(in->arena, err);
}

ho_code ho_send_read(ho_send *in, ho_error *err)
{
  ho_project *l = in->project;
  in->to = ho_str_trim(ho_project_clean(l, in->arena, in->to));
  in->key = ho_project_clean(l, in->arena, in->key);
  if (!in->format && in->full.n)
    in->format = ho_recognise_path_only(in->full);
  in->seen.body = in->text;
  ho_code code =
      ho_redact_read(l, in->arena, in->path, &in->seen.body, in->format, &in->seen.doc, &in->seen.secrets, err);
  if (!code)
    code = check(in, err);
  if (code || in->seen.refused)
    return code;
  ho_digest_text(in->seen.body, in->seen.digest);
  return look_around(in, err);
}

const ho_finding *ho_send_refusal(const ho_send *in)
{
  const ho_report *reports[] = {&in->seen.secrets, &in->seen.doc.report};
  for (size_t r = 0; in->seen.refused && r < HO_COUNT(reports); r++)
    for (size_t i = 0; i < reports[r]->count; i++)
      if (reports[r]->items[i].severity == HO_ERROR)
        return &reports[r]->items[i];
  return NULL;
}

/* copy: digest of its copy in the archive, or "" */
static ho_node *sent_data(const ho_send *in, ho_str copy)
{
  ho_node *data = ho_node_new(in->arena, HO_KIND_MAP);
  const ho_project *l = in->project;
  ho_event_data_put(l, in->arena, data, "from", in->made.row.sender);
  ho_event_data_put(l, in->arena, data, "to", in->made.row.receiver);
  ho_event_data_put(l, in->arena, data, HO_DATA_KEPT_FOR, in->made.kept_for);
  ho_event_data_put(l, in->arena, data, "type", in->made.row.type);
  ho_event_data_put(l, in->arena, data, "parent", in->made.row.parent);
  ho_event_data_put(l, in->arena, data, "git_head", in->seen.head);
  ho_event_data_put(l, in->arena, data, "git_tree", in->seen.tree);
  ho_str files = ho_files_digest(in->arena, in->seen.files, in->seen.file_count);
  if (files.n)
    ho_map_addz(data, HO_DATA_FILES, ho_node_text(in->arena, files));
  if (copy.n)
    ho_map_addz(data, HO_DATA_ARCHIVE, ho_node_text(in->arena, copy));
  if (in->seen.secrets.count)
    ho_map_addz(data, "credentials_found", ho_node_number(in->arena, (long long)in->seen.secrets.count));
  return data;
}

/* The row with its files and its event. The state file lists only what is in the main worktree: what has no file there
 * gets a copy in the archive. */
static ho_code record(ho_send *in, ho_handoff *row, ho_error *err)
{
  ho_project *l = in->project;
  char digest[HO_DIGEST_SIZE];
  ho_str body = ho_send_body(in, row->id), copy = HO_EMPTY;
  if (body.p == in->seen.body.p && ho_archive_copy_goes_on(&in->seen.doc))
    ho_marks_set(row, in->arena, HO_MARK_GOES_ON, HO_STR("1"));
  ho_code code = ho_arena_code(in->arena, err);
  if (!code && (!row->path.n || row->path.p[0] == '/')) {
    if (body.p == in->seen.body.p)
      memcpy(digest, in->seen.digest, sizeof digest);
    else
      ho_digest_text(body, digest); /* the id in it was replaced */
    row->digest = ho_arena_copy(in->arena, ho_str_of(digest));
    code = ho_archive_copy(l, row, body, NULL, in->arena, &copy, err);
  }
  ho_event event = {.at = row->created,
                    .actor = ho_project_actor(l),
                    .kind = ho_str_of(ho_event_kind_name(HO_EVENT_SENT)),
                    .data = ho_event_data_json(in->arena, sent_data(in, copy))};
  if (!code)
    code = ho_arena_code(in->arena, err);
  if (!code)
    code = ho_handoffs_add(l->store, row, body, &event, in->arena, err);
  if (!code && in->seen.details.n)
    code = ho_bodies_put(l->store, in->seen.details, digest, err);
  for (size_t i = 0; !code && i < in->seen.file_count; i++) {
    in->seen.files[i].handoff = row->id;
    code = ho_files_put(l->store, &in->seen.files[i], err);
  }
  return code;
}

static ho_code add_row(ho_send *in, const ho_route *r, ho_error *err)
{
  ho_project *l = in->project;
  ho_handoff *row = &in->made.row;
  *row = (ho_handoff){.kind = ho_str_of(in->seen.doc.format->name),
                      .type = r->type,
                      .state = ho_str_of(ho_state_name(HO_STATE_READY)),
                      .sender = r->sender,
                      .receiver = r->receiver,
                      .task = r->task,
                      .phase = r->phase,
                      .session = l->session,
                      .key = in->key,
                      .parent = r->parent.n ? r->parent : in->continues,
                      .created = ho_project_now(l),
                      .deadline = in->seen.deadline};
  row->updated = row->created;
  row->due = row->deadline;
  ho_marks_set(row, in->arena, HO_MARK_SUBJECT, ho_describe_subject_of(&in->seen.doc, in->arena));
  ho_marks_set(row, in->arena, "head", in->seen.head);
  ho_marks_set(row, in->arena, "tree", in->seen.tree);
  ho_marks_set(row, in->arena, HO_MARK_KEPT_FOR, r->kept_for);
  ho_marks_set(row, in->arena, HO_MARK_ASKS, r->asks ? HO_STR("1") : HO_EMPTY);
  in->made.kept_for = r->kept_for;
  ho_halt_mark(&in->seen.doc, row, in->arena);
  for (size_t i = 0; i < in->seen.file_count; i++)
    if (in->seen.files[i].kind == HO_FILE_COPY)
      row->path = in->seen.files[i].path;
  ho_code code = ho_send_choose_id(in, r->id, err);
  return code ? code : record(in, row, err);
}

/* Sending a document again does not get around its gate. */
static ho_code inherit(ho_send *in, const ho_send_like *like, ho_error *err)
{
  ho_turn turn = {0};
  ho_code code = ho_turn_of(in->project, &in->made.row, in->arena, &turn, err);
  if (!code)
    code = ho_gate_inherit(&turn, &like->gate, like->document, &in->made.gate, err);
  in->made.row = turn.row;
  in->made.like = ho_send_like_sentence(in->arena, turn.row.id, like);
  return code;
}

/* The handoff that this one answers is done. */
static ho_code close_parent(ho_send *in, const ho_route *r, ho_error *err)
{
  ho_turn turn = {0};
  ho_code code = ho_turn_begin(in->project, r->parent, in->arena, &turn, err);
  if (code)
    return code;
  if (turn.state == HO_STATE_ACKED || turn.state == HO_STATE_CLAIMED)
    code = ho_turn_claimer(&turn, in->token, true, err);
  ho_node *data = ho_node_new(in->arena, HO_KIND_MAP);
  ho_event_data_put(in->project, in->arena, data, "by", in->made.row.id);
  const char *decision = in->seen.doc.format->sending->decision;
  if (decision)
    ho_event_data_put(in->project, in->arena, data, "decision",
                      ho_node_str(ho_node_by_names(in->seen.doc.root, decision)));
  if (!code)
    code = ho_turn_begun(&turn, NULL, err);
  if (!code)
    code = ho_turn_apply(&turn, HO_EVENT_RETURNED, data, err);
  in->made.closed = turn.row.id;
  return code;
}

/* A gate that nobody decides in time ends what waits at it: a time that has passed would decide it at once, and nobody ends
 * the work of others in this way. */
static ho_code check_deadline(const ho_send *in, ho_turn *turn, const ho_gate_wish *wish, ho_error *err)
{
  if (!wish->deadline)
    return HO_OK;
  if (wish->deadline <= ho_project_now(in->project))
    return ho_fail_file(err, HO_INVALID, in->path, "has a deadline that has passed, %.*s: nobody could decide in time",
                        HO_ARG(ho_time_str(in->arena, wish->deadline)));
  return wish->blocking && in->gates.n ? ho_rights_limit(turn, wish->raised_by, err) : HO_OK;
}

static ho_code raise_gate(ho_send *in, ho_turn *turn, const ho_route *r, ho_error *err)
{
  if (!in->gates.n)
    turn->row.deadline = 0; /* what the document states is when it must be decided */
  ho_gate_wish wish = {.name = r->gate_name,
                       .digest = in->gates.n ? ho_str_of(in->seen.digest) : in->made.row.digest,
                       .raised_by = ho_gate_raiser(in->project, r->sender),
                       .deadline = in->seen.deadline,
                       .blocking = r->blocking || !in->gates.n,
                       .event = HO_EVENT_GATED};
  ho_code code = check_deadline(in, turn, &wish, err);
  if (!code)
    code = ho_gate_raise(turn, &wish, &in->made.gate, err);
  in->made.row = turn->row;
  return code;
}

/* A gate about an existing handoff: the document is stored, and that handoff waits. It must be as it was sent, or the
 * gate would be about something else. */
static ho_code gate_existing(ho_send *in, const ho_route *r, ho_error *err)
{
  ho_turn turn = {0};
  ho_str waiting;
  char digest[HO_DIGEST_SIZE];
  ho_code code = ho_turn_begin(in->project, in->gates, in->arena, &turn, err);
  if (!code && !ho_state_open(turn.state))
    code = ho_fail(err, HO_CONFLICT, "%.*s is already %.*s; there is nothing left to decide", HO_ARG(turn.row.id),
                   HO_ARG(turn.row.state));
  if (!code)
    code = ho_turn_check(in->project, &turn.row, err);
  if (!code)
    code = ho_bodies_get(in->project->store, turn.row.digest, in->arena, &waiting, err);
  if (!code)
    code = ho_bodies_put(in->project->store, in->seen.body, digest, err);
  return code ? code : raise_gate(in, &turn, r, err);
}

/* Does the key show that it was sent before? */
static ho_code look_for_key(ho_send *in, ho_error *err)
{
  bool found;
  ho_handoff row;
  ho_code code = ho_handoffs_by_key(in->project->store, in->key, in->arena, &row, &found, err);
  if (code || !found)
    return code;
  if (!ho_send_is_same(in, &row))
    return ho_fail(err, HO_CONFLICT, "key '%.*s' was already used for %.*s, with different content", HO_ARG(in->key),
                   HO_ARG(row.id));
  in->made.row = row;
  in->made.gate = row.gate;
  in->made.same = true;
  return HO_OK;
}

static ho_code send_new(ho_send *in, const ho_route *r, ho_error *err)
{
  ho_turn turn = {0};
  ho_handoff old;
  ho_send_like like = {0};
  ho_str path = HO_EMPTY;
  bool again = false, asks = r->human && !in->asked;
  ho_code code = HO_OK;
  for (size_t i = 0; i < in->seen.file_count; i++)
    if (in->seen.files[i].kind == HO_FILE_COPY)
      path = in->seen.files[i].path;
  if (path.n)
    code = ho_handoffs_by_path(in->project->store, path, in->arena, &old, &again, err);
  if (!code && !asks)
    code = ho_send_find_like(in, r, path, &like, err);
  if (!code)
    code = add_row(in, r, err);
  if (!code && again && ho_str_eq(old.receiver, r->receiver))
    code = ho_send_again(in, &old, like.waits ? like.gate.root : HO_EMPTY, err);
  if (!code && r->parent.n)
    code = close_parent(in, r, err);
  if (!code && in->also)
    code = in->also(in, in->also_data, err);
  if (!code && like.waits)
    code = inherit(in, &like, err);
  if (!code && in->continues.n)
    code = ho_send_give_back(in, err);
  if (code || !asks)
    return code;
  code = ho_turn_of(in->project, &in->made.row, in->arena, &turn, err);
  return code ? code : raise_gate(in, &turn, r, err);
}

static ho_code send(ho_store *store, void *data, ho_error *err)
{
  ho_send *in = data;
  ho_route route;
  ho_error why = {0};
  ho_code code = HO_OK;
  (void)store;
  in->made.same = false;
  in->made.gate = in->made.like = in->made.superseded = in->made.closed = in->made.continued = in->made.beside =
      in->made.beside_worker = in->made.kept_for = HO_EMPTY;
  if (in->key.n)
    code = look_for_key(in, err);
  if (code || in->made.same)
    return code;
  code = ho_route_find(in, &route, &why);
  if (!code)
    code = ho_access_check_sender(in->arena, route.sender, &why);
  /* What it answers may have ended by it; another request for the same may be open, and held by somebody else. */
  bool unanswerable = code == HO_NOT_FOUND || (code == HO_CONFLICT && !in->returns.n);
  if (in->once && !in->key.n && !in->gates.n && (!code || unanswerable)) {
    ho_code looked = ho_send_find_open(in, &route, !code, err);
    if (looked || in->made.same)
      return looked;
  }
  if (code)
    return *err = why, code;
  return in->gates.n ? gate_existing(in, &route, err) : send_new(in, &route, err);
}

ho_code ho_send_record(ho_send *in, ho_error *err)
{
  if (in->seen.refused)
    return ho_fail_file(err, HO_BUG, in->path, "was refused and cannot be recorded");
  if (in->seen.doc.format->sending->kind == HO_SEND_ACK)
    return ho_send_ack(in, err);
  return ho_ledger_write(in->project, send, in, err);
}
