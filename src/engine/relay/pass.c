#include "engine/project/worktree.h"
#include "engine/relay/pass.h"

#include "base/time.h"
#include "engine/context/touched.h"
#include "engine/ledger/derive.h"
#include "engine/ledger/holder.h"
#include "engine/plan/plan_phase.h"
#include "engine/project/event_data.h"
#include "engine/project/paths.h"
#include "engine/project/redact.h"
#include "engine/relay/finish.h"
#include "model/bind.h"
#include "model/document/write.h"
#include "model/fix/fix.h"
#include "model/formats/formats.h"
#include "model/wording.h"

/* Reads the progress file. One that is broken will be put aside: an agent whose context is full has no room to mend it. */
static ho_code read_progress(ho_pass *pass, ho_doc *doc, ho_error *err)
{
  ho_error why = {0};
  ho_code code = ho_progress_read(&pass->phase, doc, &why);
  pass->tracked = code == HO_OK;
  if (code == HO_OK || code == HO_NOT_FOUND)
    return HO_OK;
  if (code != HO_SYNTAX && code != HO_INVALID) {
    *err = why;
    return code;
  }
  pass->broken = ho_arena_printf(pass->phase.arena, "%.*s.broken", HO_ARG(pass->phase.progress));
  return ho_arena_code(pass->phase.arena, err);
}

/* Only when the handoff is being recorded: one that is refused changes nothing. */
static ho_code put_aside(const ho_pass *pass, ho_error *err)
{
  ho_arena *arena = pass->phase.arena;
  const char *full = NULL, *aside = ho_fs_join(arena, pass->phase.root, pass->broken).p;
  if (!pass->broken.n)
    return HO_OK;
  ho_code code = ho_phase_full(&pass->phase, pass->phase.progress, &full, err);
  if (!code && ho_fs_exists(full) && ho_fs_rename_in(ho_arena_z(arena, pass->phase.root), full, aside) != 0)
    code = ho_fail_file(err, HO_IO, pass->phase.progress, "is broken, and cannot be put aside");
  return code;
}

/* Text, genre and next action of an earlier handoff; "" if it cannot be read. */
static ho_str read_handoff(ho_pass *pass, const ho_handed *handed, bool *recovery, ho_str *next)
{
  ho_doc doc;
  ho_str text = HO_EMPTY;
  ho_error none = {0};
  *recovery = true;
  *next = HO_EMPTY;
  if (!ho_handed_read(pass->project, pass->phase.arena, pass->phase.root, handed, &text))
    return HO_EMPTY;
  if (ho_doc_read(&doc, pass->phase.arena, handed->path, text, &ho_format_artifact, &none) == HO_OK) {
    *recovery = !ho_str_is(ho_map_str(doc.root, "genre"), "checkpoint");
    *next = ho_map_str(doc.root, "immediate_next_action");
  }
  return text;
}

/* Does it wait at a gate, or was it rejected there? What a person has not let through is not let through by being repeated. */
static ho_code is_held_up(ho_pass *pass, const ho_handed *handed, bool *out, ho_error *err)
{
  ho_gate gate;
  ho_handoff row;
  ho_handed_standing stands;
  ho_arena *arena = pass->phase.arena;
  *out = false;
  if (!ho_handed_row(pass->project, arena, pass->phase.root, handed, &row))
    return HO_OK;
  ho_code code = ho_handed_judge(pass->project, &row, arena, &stands, &gate, err);
  if (code || stands == HO_HANDED_FREE || !gate.id.n)
    return code;
  *out = true;
  pass->held_up = row.id;
  pass->held_at = gate.id;
  pass->rejected = stands == HO_HANDED_ENDED;
  return HO_OK;
}

/* Counts the recovery handoffs of the phase, and reads the newest one that may be carried on, and its details. */
static ho_code look_back(ho_pass *pass, ho_str *before, ho_str *details, ho_error *err)
{
  ho_arena *arena = pass->phase.arena;
  bool recovery;
  ho_str path;
  *before = *details = HO_EMPTY;
  ho_code code = ho_handed_all(pass->project, &pass->phase, &pass->handed, err);
  for (size_t i = 0; !code && i < pass->handed.count; i++) {
    ho_str next, text = read_handoff(pass, &pass->handed.rows[i], &recovery, &next);
    if (!recovery)
      continue;
    pass->handoffs++;
    bool held = false;
    code = is_held_up(pass, &pass->handed.rows[i], &held, err);
    if (code || held)
      continue;
    pass->mends = ho_wording_eaten(next) && !ho_wording_eaten(ho_map_str(pass->own, "immediate_next_action"));
    pass->previous = pass->handed.rows[i];
    *before = text;
  }
  if (!code && pass->previous.path.n)
    *details = ho_handed_details(pass->project, arena, pass->phase.root, &pass->previous, &path);
  return code ? code : ho_arena_code(arena, err);
}

/* What the phase has handed on so far, without what is taken back. */
static ho_code inherit(ho_pass *pass, const ho_node *progress, ho_str *before, ho_error *err)
{
  ho_str details;
  ho_code code = look_back(pass, before, &details, err);
  if (code)
    return code;
  pass->inherited = ho_pass_inherited(pass, progress, *before, details);
  pass->taken_back = ho_node_new(pass->phase.arena, HO_KIND_LIST);
  *before = ho_arena_printf(pass->phase.arena, "%.*s\n%.*s", HO_ARG(*before), HO_ARG(details));
  code = ho_arena_code(pass->phase.arena, err);
  if (!code)
    code = ho_pass_revoke(pass, pass->inherited, err);
  return code ? code : ho_pass_hear(pass, err);
}

/* Handing off again without having done anything helps nobody, unless the context is full: successors would pass the
 * work around forever. */
static ho_code guard(ho_pass *pass, const ho_node *progress, ho_str before, ho_error *err)
{
  ho_str phase, stamp;
  char time[17] = "";
  if (!pass->previous.path.n)
    return HO_OK;
  ho_fix_name_facts(pass->previous.path, &phase, &stamp);
  ho_stamp_read(stamp, time, NULL);
  if (pass->mends || ho_pass_moved(pass, progress, before, ho_str_of(time)) || ho_pass_seen(pass))
    return HO_OK;
  if (pass->used >= pass->threshold) {
    pass->marked = true;
    return HO_OK;
  }
  return ho_fail_file(err, HO_LIMIT, ho_handed_shown(pass->phase.arena, &pass->previous),
                      "nothing was done, tried or learned since this handoff; do its next action, or log what failed "
                      "(handoff progress tried); if the context is at least %lld %% full, use --used PERCENT",
                      pass->threshold);
}

/* Has a handoff of the phase this name, if only in the store? */
static bool is_taken(const ho_pass *pass, ho_str path)
{
  for (size_t i = 0; i < pass->handed.count; i++)
    if (ho_str_eq(ho_fs_name(pass->handed.rows[i].path), ho_fs_name(path)))
      return true;
  return false;
}

/* The first second from now on that has no handoff yet: neither a file, nor one whose file is not there. Two of them would
 * have one file, and that of the first would never be written. */
static ho_code choose_path(ho_pass *pass, char stamp[HO_TIME_SIZE], ho_error *err)
{
  ho_handoff row;
  bool found = false;
  for (int64_t ms = pass->phase.now_ms;; ms += 1000) {
    ho_time_stamp(ms, stamp);
    pass->path = ho_paths_handoff(pass->phase.arena, pass->phase.folder, pass->phase.phase, stamp);
    ho_str full = ho_fs_join(pass->phase.arena, pass->phase.root, pass->path);
    ho_code code = ho_arena_code(pass->phase.arena, err);
    if (!code)
      code = ho_handoffs_by_path(pass->project->store, ho_worktree_kept(pass->project->home, full), pass->phase.arena,
                                 &row, &found, err);
    if (code ||
        (!found && !is_taken(pass, pass->path) && !ho_fs_exists(ho_paths_now(pass->phase.arena, HO_EMPTY, full).p)))
      return code;
  }
}

/* Writes it, reads it back, and makes it fit on one screen if necessary. */
static ho_code compose(ho_pass *pass, const ho_node *progress, const char *stamp, ho_error *err)
{
  ho_arena *arena = pass->phase.arena;
  ho_report report;
  ho_fixed fixed;
  ho_buf out;
  ho_fix_env env = {
      .check = {.path = pass->path, .tokens = pass->tokens, .exists = ho_paths_exists, .world = &pass->phase.root},
      .root = pass->phase.root};
  ho_report_init(&report, arena, NULL);
  ho_node *tree = ho_pass_artifact(pass, progress, ho_arena_copy(arena, ho_str_of(stamp)));
  tree = ho_bind(&ho_format_artifact, tree, NULL, arena, &report);
  ho_buf_init(&out, 0);
  ho_code code = ho_arena_code(arena, err);
  if (!code)
    code = ho_doc_write(&ho_format_artifact, tree, HO_MARKDOWN, &out, err);
  ho_str text = ho_buf_move(&out, arena);
  if (!code)
    code = ho_doc_read(&pass->doc, arena, pass->path, text, &ho_format_artifact, err);
  if (!code)
    code = ho_doc_check(&pass->doc, &env.check, err);
  if (!code && pass->doc.report.errors)
    code = ho_fix(&pass->doc, &env, arena, &fixed, err);
  if (code || !pass->doc.report.errors || !fixed.changed) {
    pass->artifact_text = text;
    return code;
  }
  pass->doc = fixed.after;
  pass->doc.report.source = &pass->doc.source;
  pass->artifact_text = fixed.text;
  pass->details_text = fixed.details;
  if (fixed.details.n)
    pass->details_path =
        ho_arena_printf(arena, "%.*s/%.*s", HO_ARG(ho_fs_parent(pass->path)), HO_ARG(fixed.details_name));
  return HO_OK;
}

/* What is taken back is recorded with the handoff, and no longer known. */
static ho_code take_back(const ho_pass *pass, ho_send *in, ho_error *err)
{
  ho_turn turn = {0};
  ho_node *data = ho_node_new(in->arena, HO_KIND_MAP);
  if (!pass->taken_back || !pass->taken_back->count)
    return HO_OK;
  ho_node *texts = ho_map_addz(data, "texts", ho_node_new(in->arena, HO_KIND_LIST));
  HO_EACH_CONST (item, pass->taken_back)
    ho_list_add(texts, ho_node_text(in->arena, ho_project_clean(in->project, in->arena, ho_map_str(item, "text"))));
  ho_code code = ho_turn_of(in->project, &in->made.row, in->arena, &turn, err);
  if (!code)
    code = ho_turn_note(&turn, "revoked", data, err);
  if (!code)
    code = ho_derive_inside(in->project, HO_DERIVED_KNOWLEDGE, err);
  return code ? code : ho_knowledge_revoked(in->project, in->arena, &in->made.row, texts, err);
}

/* The files of the pass, in the transaction that records it. */
static ho_code intend(ho_send *in, void *data, ho_error *err)
{
  ho_pass *pass = data;
  const struct {
    ho_str path, text;
    ho_intent kind;
  } files[] = {{pass->details_path, in->seen.details, HO_INTENT_NEW},
               {pass->path, in->seen.body, HO_INTENT_NEW},
               {pass->phase.progress, pass->progress_text, HO_INTENT_WORKING},
               {pass->plan, pass->plan_text, HO_INTENT_WORKING}};
  ho_code code = HO_OK;
  for (size_t i = 0; !code && i < HO_COUNT(files); i++)
    if (files[i].text.n)
      code = ho_store_intend(in->project->store, ho_fs_join(in->arena, pass->phase.root, files[i].path),
                             ho_redact_file(in->project, in->arena, files[i].path, files[i].text), files[i].kind, err);
  pass->meta.id = in->made.row.id;
  if (!code)
    code = ho_return_meta_make(&pass->meta, err);
  if (!code)
    code = ho_return_meta_intend(&pass->meta, err);
  if (!code)
    code = ho_pass_supersede(pass, in, err);
  if (!code)
    code = take_back(pass, in, err);
  return code ? code : put_aside(pass, err);
}

static ho_code record(ho_pass *pass, ho_error *err)
{
  ho_send *in = &pass->intake;
  pass->replaced = ho_node_new(pass->phase.arena, HO_KIND_LIST);
  *in = (ho_send){.project = pass->project,
                  .arena = pass->phase.arena,
                  .path = pass->path,
                  .full = ho_fs_join(pass->phase.arena, pass->phase.root, pass->path),
                  .text = pass->artifact_text,
                  .details = pass->details_text,
                  .format = &ho_format_artifact,
                  .tokens = pass->tokens,
                  .to = pass->origin.receiver,
                  .continues = pass->origin.id,
                  .also = intend,
                  .also_data = pass};
  ho_code code = ho_send_read(in, err);
  if (in->seen.doc.format)
    pass->doc = in->seen.doc;
  pass->refused = in->seen.refused;
  if (code || pass->refused)
    return code;
  pass->meta = (ho_return_meta){.phase = &pass->phase,
                                .project = pass->project,
                                .wanted = pass->meta_path,
                                .name = ho_fs_name(pass->path),
                                .handoff = pass->path,
                                .marked = pass->marked,
                                .plan = ho_phase_plan(&pass->phase),
                                .plan_text = pass->plan_text};
  code = ho_send_record(in, err);
  pass->unwritten = !code && !ho_fs_exists(in->full.p);
  return code ? code : ho_return_meta_leave(&pass->meta, err);
}

/* Adds the files that hooks have noted to the progress file as it was read. They are a help: it also goes without. */
static void take_files(const ho_pass *pass, ho_doc *progress, ho_touched *touched)
{
  const ho_phase *phase = &pass->phase;
  ho_progress_answer answer;
  ho_str text;
  ho_error none = {0};
  *touched =
      ho_touched_load(phase->arena, ho_touched_path(phase->arena, pass->project->home, phase->task, phase->phase));
  ho_progress_change change = {.kind = HO_PROGRESS_TOUCH, .files = touched->files};
  if (pass->tracked && !ho_progress_text(phase, progress, &change, &text, &answer, &none))
    *progress = answer.doc;
}

static ho_code pass_locked(ho_pass *pass, ho_error *err)
{
  ho_doc progress = {0};
  ho_progress_answer answer;
  ho_touched touched;
  char stamp[HO_TIME_SIZE];
  ho_code code = read_progress(pass, &progress, err);
  take_files(pass, &progress, &touched);
  const ho_node *root = pass->tracked ? progress.root : NULL;
  ho_str before = HO_EMPTY, summary;
  pass->reopened = !code && ho_finish_was(&pass->phase, root, &summary);
  if (!code) /* also when it is recorded; here, before it is told to do what somebody else is doing */
    code = ho_holder_check(pass->project, pass->phase.arena, pass->phase.task, pass->phase.phase, err);
  if (!code)
    code = ho_pass_find_held(pass, err);
  if (!code)
    code = inherit(pass, root, &before, err);
  if (!code)
    code = ho_pass_find_request(pass, err);
  if (!code)
    code = guard(pass, root, before, err);
  if (!code)
    code = choose_path(pass, stamp, err);
  if (!code)
    code = compose(pass, root, stamp, err);
  pass->refused = pass->doc.report.errors > 0;
  if (code || pass->refused)
    return code;
  pass->handoffs++;
  ho_progress_change change = {.kind = HO_PROGRESS_PASS,
                               .handoffs = pass->handoffs,
                               .handoff = pass->path,
                               .dead_ends = ho_map_getz(pass->own, "what_not_to_try"),
                               .revoked = ho_pass_retried(pass)};
  if (pass->tracked)
    code = ho_progress_text(&pass->phase, &progress, &change, &pass->progress_text, &answer, err);
  const ho_node *undone = pass->reopened ? ho_progress_undone(root, HO_EMPTY, pass->phase.arena) : NULL;
  pass->plan_text = ho_plan_phase_begun(&pass->phase, undone, &pass->plan);
  if (!code)
    code = record(pass, err);
  if (!code && pass->tracked && !pass->refused)
    ho_touched_forget(&touched);
  return code;
}

ho_code ho_pass_try(ho_pass *pass, ho_error *err)
{
  char stamp[HO_TIME_SIZE];
  ho_time_stamp(pass->phase.now_ms, stamp);
  pass->inherited = ho_node_new(pass->phase.arena, HO_KIND_MAP);
  pass->path = ho_paths_handoff(pass->phase.arena, pass->phase.folder, pass->phase.phase, stamp);
  ho_code code = compose(pass, NULL, stamp, err);
  pass->refused = !code && pass->doc.report.errors;
  pass->details_text = pass->details_path = HO_EMPTY; /* it is composed once more */
  return code;
}

ho_code ho_pass_on(ho_pass *pass, ho_error *err)
{
  int lock = -1;
  ho_code code = ho_phase_lock(&pass->phase, &lock, err);
  if (code)
    return code;
  code = pass_locked(pass, err);
  ho_phase_unlock(lock);
  return code;
}
