/* What a teammate left, and how its step continues.
 *
 * Everything here may happen twice, if a lead is killed between asking a person (or drafting a handoff) and the
 * commit: asking and drafting again finds what was already asked and drafted. */
#include "base/digest.h"
#include "engine/ledger/draft.h"
#include "engine/ledger/draft_dead.h"
#include "engine/phase/progress.h"
#include "engine/project/paths.h"
#include "engine/project/project.h"
#include "engine/project/quote.h"
#include "engine/project/worktree.h"
#include "engine/run/run_parts.h"
#include "model/formats/formats.h"
#include "store/handoffs/handoffs.h"

typedef struct ending {
  ho_run *run;
  ho_run_mate *mate;
  ho_arena *arena;
  ho_run_step *step;
  const ho_plan_step *planned;
  ho_shim_end end;
  ho_result result;
  ho_run_exchange exchange;
  bool moved;    /* something was done since the teammate began */
  bool all_done; /* it left no result, but all objectives of the phase are done */
} ending;

/* ---- Progress. */

/* The newest handoff of the phase without its title, which only differs in its time. */
static ho_str handoff_digest(const ho_phase *phase)
{
  ho_str *paths, text, line;
  size_t count = 0;
  ho_error none;
  char digest[HO_DIGEST_SIZE];
  if (ho_phase_handoffs(phase, &paths, &count, &none) != HO_OK || !count ||
      ho_fs_read(phase->arena, ho_fs_join(phase->arena, phase->root, paths[count - 1]).p, 0, &text, &none) != HO_OK)
    return HO_EMPTY;
  while (ho_str_next_line(&text, &line) && !ho_str_starts(line, "## "))
    ;
  ho_digest_text(text, digest);
  return ho_arena_copy(phase->arena, ho_str_of(digest));
}

ho_str ho_run_progress(ho_run *run, ho_arena *arena, size_t step, ho_str root)
{
  ho_phase phase;
  ho_doc doc;
  ho_error none;
  char digest[65];
  if (ho_run_phase(run, arena, step, root, &phase, &none) != HO_OK)
    return HO_EMPTY;
  if (!ho_fs_exists(ho_fs_join(arena, root, phase.progress).p) || ho_progress_read(&phase, &doc, &none) != HO_OK)
    return handoff_digest(&phase);
  ho_progress_digest(doc.root, arena, digest);
  return ho_arena_copy(arena, ho_str_of(digest));
}

/* Are there objectives, and are all of them done? */
static bool is_all_done(const ending *e)
{
  ho_phase phase;
  ho_doc doc;
  ho_error none;
  if (ho_run_phase(e->run, e->arena, e->mate->step, e->mate->row.folder, &phase, &none) != HO_OK ||
      ho_progress_read(&phase, &doc, &none) != HO_OK)
    return false;
  ho_progress_count count = ho_progress_counted(doc.root);
  return count.total && count.done == count.total;
}

/* ---- Asking. */

static ho_str shown(const ending *e)
{
  ho_str id = ho_quote_name(e->arena, e->planned->id), name = ho_quote_name(e->arena, e->planned->name);
  return e->planned->name.n ? ho_arena_printf(e->arena, "%.*s (%.*s)", HO_ARG(id), HO_ARG(name)) : id;
}

/* What ends the sentence, if it has no end of its own. */
static const char *full_stop(ho_str sentence)
{
  return ho_str_ends(sentence, ".") || ho_str_ends(sentence, "?") || ho_str_ends(sentence, "!") ? "" : ".";
}

static ho_str summary_of(const ending *e, const char *waits)
{
  return ho_arena_printf(
      e->arena,
      "Phase %.*s of %.*s has had %lld teammate%s and %s. The newest, %.*s, ended as '%.*s': %.*s%s Its output is in "
      "%.*s",
      HO_ARG(shown(e)), HO_ARG(e->run->row.plan), (long long)e->step->teammates, ho_plural(e->step->teammates), waits,
      HO_ARG(e->mate->row.id), HO_ARG(ho_words_str(&ho_outcomes, e->mate->row.outcome)), HO_ARG(e->mate->row.why),
      full_stop(e->mate->row.why), HO_ARG(e->mate->row.log));
}

/* The end of its output, without credentials; "" if there is none. */
static ho_str last_said(const ending *e)
{
  ho_str log = ho_fs_join(e->arena, e->run->project->home, e->mate->row.log);
  return log.n && e->mate->row.log.n ? ho_project_clean(e->run->project, e->arena, ho_draft_last_said(e->arena, log.p))
                                     : HO_EMPTY;
}

/* What the gate is called: the question, with the phase for its '%'. */
static ho_str gate_name(const ending *e, const char *question)
{
  const char *at = strchr(question, '%');
  return ho_arena_printf(e->arena, "%.*s%.*s%s", (int)(at - question), question, HO_ARG(shown(e)), at + 1);
}

static ho_code ask_named(ending *e, ho_gate_reason why, const ho_str *items, size_t count, ho_str name, ho_error *err)
{
  ho_str fallback = e->mate->row.why;
  bool result = why == HO_REASON_RESULT;
  ho_run_question question = {.why = why,
                              .name = name,
                              .summary = summary_of(e, "waits for a decision"),
                              .said = last_said(e),
                              .items = count ? items : &fallback,
                              .item_count = count ? count : 1,
                              .approve = result ? "The phase is done" : "Another teammate continues, with your note",
                              .reject = result ? "Another teammate continues, with your note" : "The phase has failed",
                              .at = e->end.known ? e->mate->row.ended : e->mate->row.started};
  return ho_run_ask(e->run, e->mate->step, &question, err);
}

static ho_code ask(ending *e, ho_gate_reason why, const ho_str *items, size_t count, const char *name, ho_error *err)
{
  return ask_named(e, why, items, count, gate_name(e, name), err);
}

/* People are asked about the request's handoff; if it is not recorded, they get a note instead. */
static ho_code advise(ending *e, ho_str item, ho_error *err)
{
  ho_run_question question = {.why = HO_REASON_ADVICE,
                              .name = gate_name(e, "Advice on phase %"),
                              .summary = summary_of(e, "is done; nothing waits for the advice"),
                              .items = &item,
                              .item_count = 1,
                              .approve = "It is recorded; the plan has moved on",
                              .reject = "It is recorded; the plan has moved on anyway",
                              .at = e->end.known ? e->mate->row.ended : e->mate->row.started,
                              .advisory = true};
  if (e->exchange.request.n)
    return ho_run_advise(e->run, e->mate->step, &question, e->exchange.request, err);
  ho_run_note(e->run, "%.*s", HO_ARG(item));
  return HO_OK;
}

/* ---- How a step continues. */

static ho_code finish_step(ending *e, ho_error *err)
{
  ho_str item = ho_arena_printf(e->arena, "The result of phase %.*s is what the plan asks for: %.*s", HO_ARG(shown(e)),
                                HO_ARG(e->result.summary.n ? e->result.summary : e->result.why));
  e->step->ended = e->mate->row.ended;
  e->step->crashes = e->step->idle = 0;
  e->step->summary = ho_run_keep(e->run, ho_project_clean(e->run->project, e->arena, e->result.summary));
  if (e->planned->gate == HO_PLAN_BLOCKING_GATE || e->result.review)
    return e->result.question_count
               ? ask(e, HO_REASON_RESULT, e->result.questions, e->result.question_count, "Approve phase %?", err)
               : ask(e, HO_REASON_RESULT, &item, 1, "Approve phase %?", err);
  ho_code code = e->planned->gate == HO_PLAN_ADVISORY ? advise(e, item, err) : HO_OK;
  ho_run_set(e->run, e->mate->step, HO_STEP_DONE, e->result.why);
  return code;
}

/* Is there a reason not to start another teammate? Without these guards a step that cannot be done would start
 * successors forever: too many successors, too many in a row without progress, its tokens or its time used up. Then
 * a person decides. */
static ho_gate_reason guard(ending *e, ho_str *item)
{
  const ho_run_step *s = e->step;
  int64_t seconds = (ho_project_now(e->run->project) - s->started) / 1000;
  if (s->successors >= e->run->options->max_successors) {
    *item = ho_arena_printf(e->arena, "Whether the phase may have more than %lld successor%s",
                            (long long)e->run->options->max_successors, ho_plural(e->run->options->max_successors));
    return HO_REASON_SUCCESSORS;
  }
  if (s->idle >= HO_RUN_IDLE) {
    *item = ho_arena_printf(e->arena, "How to continue: the last %lld teammate%s made no progress", (long long)s->idle,
                            ho_plural(s->idle));
    return HO_REASON_PROGRESS;
  }
  if (e->planned->budget_tokens && s->tokens >= e->planned->budget_tokens) {
    *item = ho_arena_printf(e->arena, "Whether the phase may cost more: %lld of %lld tokens are used",
                            (long long)s->tokens, (long long)e->planned->budget_tokens);
    return HO_REASON_BUDGET;
  }
  if (e->planned->budget_seconds && seconds >= e->planned->budget_seconds) {
    *item = ho_arena_printf(e->arena, "Whether the phase may take longer: %lld of %lld second%s have passed",
                            (long long)seconds, (long long)e->planned->budget_seconds,
                            ho_plural(e->planned->budget_seconds));
    return HO_REASON_BUDGET;
  }
  return HO_REASON_NONE;
}

static ho_code go_on(ending *e, ho_error *err)
{
  ho_str item = HO_EMPTY;
  if (e->moved)
    e->step->idle = 0;
  else if (e->end.known) /* one that disappeared did not end: its machine did */
    e->step->idle++;
  ho_gate_reason why = guard(e, &item);
  if (why)
    return ask(e, why, &item, 1, "Continue phase %?", err);
  e->step->successors++;
  ho_run_set(e->run, e->mate->step, HO_STEP_WAITING, e->mate->row.why);
  return HO_OK;
}

static void keep_handoff(ending *e, ho_str path)
{
  ho_str below = ho_fs_relative(e->mate->row.folder, path);
  ho_handoff row;
  bool found = false;
  ho_error none;
  e->mate->row.left_path = ho_arena_copy(e->arena, below);
  e->step->handoff = ho_run_keep(e->run, below);
  ho_str kept = ho_worktree_kept(e->run->project->home, ho_fs_join(e->arena, e->mate->row.folder, path));
  if (ho_handoffs_by_path(e->run->project->store, kept, e->arena, &row, &found, &none) == HO_OK && found)
    e->mate->row.left_id = row.id;
}

/* Finds what the store has for the phase since the teammate began: its own handoff, or the draft made on its behalf. */
static void find_left(ending *e)
{
  ho_handoff_list list;
  ho_error none;
  ho_filter filter = {.task = e->run->row.task, .phase = e->planned->key, .since = e->mate->row.started, .limit = 20};
  if (ho_handoffs_select(e->run->project->store, &filter, e->arena, &list, &none) != HO_OK)
    return;
  size_t i = 0;
  while (i < list.count && !ho_str_is(list.rows[i].kind, ho_format_artifact.name) &&
         !ho_str_is(list.rows[i].kind, ho_format_package.name))
    i++;
  if (i == list.count)
    return;
  const ho_handoff *row = &list.rows[i];
  e->mate->row.left_id = row->id;
  bool artifact = ho_str_is(row->kind, ho_format_artifact.name) && row->path.n;
  if (artifact) /* kept below the main worktree; shown below the teammate's own */
    e->mate->row.left_path =
        ho_fs_relative(e->mate->row.folder, ho_fs_join(e->arena, e->run->project->home, row->path));
  e->step->handoff = ho_run_keep(e->run, artifact ? e->mate->row.left_path : row->id);
}

/* Did it do anything? One whose model never answered did not. */
static bool has_begun(const ending *e)
{
  return !e->result.trouble || e->result.spoke || e->moved;
}

/* Drafts a handoff on behalf of one that left none, from what can be seen of its work. */
static ho_code draft(ending *e, ho_error *err)
{
  if (!has_begun(e))
    return HO_OK;
  ho_draft d = {.task = e->run->row.task,
                .phase = e->planned->key,
                .agent = e->mate->row.agent,
                .session = e->mate->row.session,
                .folder = e->mate->row.folder,
                .log = ho_fs_join(e->arena, e->run->project->home, e->mate->row.log),
                .why = e->mate->row.why,
                .parent = e->mate->row.from_id,
                .since = e->mate->row.started,
                .once = true};
  ho_code code = ho_draft_dead(e->run->project, &d, err);
  if (code)
    return code;
  find_left(e);
  return HO_OK;
}

/* It ended by itself, as if all were well, but without a result. */
static bool left_quietly(const ending *e)
{
  return e->result.outcome == HO_OUTCOME_NOTHING && e->end.known && !e->end.failed && !e->end.timed_out &&
         !e->end.stopped && e->end.exit_status == 0;
}

/* Nobody died: the work seems to be done, and only the word for it is missing. A person says whether it is. */
static ho_code ask_if_done(ending *e, ho_error *err)
{
  ho_str item = ho_arena_printf(e->arena, "Whether phase %.*s is done: its objectives are, but no result was written",
                                HO_ARG(shown(e)));
  e->step->ended = e->mate->row.ended;
  e->step->crashes = e->step->idle = 0;
  return ask(e, HO_REASON_RESULT, &item, 1, "Is phase % done?", err);
}

/* The next one starts after a pause, which grows. */
static void back_off(ending *e)
{
  int64_t pause = HO_RUN_BACKOFF_MS;
  for (int64_t i = 0; i < e->step->crashes && pause < HO_RUN_BACKOFF_MOST; i++)
    pause *= 2;
  e->step->crashes++;
  e->step->not_before = e->mate->row.ended + (pause < HO_RUN_BACKOFF_MOST ? pause : HO_RUN_BACKOFF_MOST);
}

/* The model did not answer. What a person must set right, another teammate would only meet again; a limit passes, and
 * nobody has worked, so nobody has a successor. */
static ho_code wait_for_model(ending *e, ho_error *err)
{
  enum { MOST = 8 };
  const char *advice = ho_trouble_advice(e->result.trouble);
  ho_str item = ho_arena_printf(e->arena, "%.*s%s%s", HO_ARG(e->result.why), advice[0] ? "; " : "", advice);
  ho_code code = draft(e, err);
  if (code)
    return code;
  if (advice[0] || e->step->crashes >= MOST)
    return ask(e, HO_REASON_FAILED, &item, 1, has_begun(e) ? "Phase % cannot go on" : "Phase % cannot start", err);
  back_off(e);
  ho_run_set(e->run, e->mate->step, HO_STEP_WAITING, e->mate->row.why);
  return HO_OK;
}

/* It died, or what it left is not a result: a draft, a pause, then another teammate. */
static ho_code recover(ending *e, ho_error *err)
{
  if (e->result.trouble && e->result.trouble != HO_TROUBLE_CONTEXT)
    return wait_for_model(e, err);
  ho_code code = draft(e, err);
  if (code)
    return code;
  back_off(e);
  return go_on(e, err);
}

static ho_code hand_over(ending *e, ho_error *err)
{
  keep_handoff(e, e->result.handoff);
  e->step->crashes = 0;
  return go_on(e, err);
}

/* One of several that are joined: its result counts, but stops nothing, unless it is STOP. */
static bool counts_against(const ending *e)
{
  const ho_result *r = &e->result;
  if (e->planned->voter && (r->outcome == HO_OUTCOME_BLOCKED || r->outcome == HO_OUTCOME_CLARIFY))
    return true;
  return (r->outcome == HO_OUTCOME_DONE && r->obstacle) || r->outcome == HO_OUTCOME_FAILED;
}

static ho_code fail_quietly(ending *e)
{
  e->step->ended = e->mate->row.ended;
  e->step->summary = ho_run_keep(e->run, ho_project_clean(e->run->project, e->arena, e->result.summary));
  ho_run_set(e->run, e->mate->step, HO_STEP_FAILED, e->result.why);
  return HO_OK;
}

/* No rule outvotes a STOP. */
static ho_code stop(ending *e)
{
  e->run->stopped = true;
  e->step->gate_why = HO_REASON_STOP; /* for a lead that continues the run */
  e->exchange.stop = e->result.why.n ? e->result.why : HO_STR("It gave no reason");
  return fail_quietly(e);
}

static ho_code decide(ending *e, ho_error *err)
{
  const ho_result *r = &e->result;
  if (r->handoff.n && r->outcome != HO_OUTCOME_HANDOFF && r->outcome != HO_OUTCOME_DONE)
    keep_handoff(e, r->handoff);
  if (ho_run_joined(e->run, e->mate->step) && counts_against(e))
    return fail_quietly(e);
  if (e->all_done)
    return ask_if_done(e, err);
  switch (r->outcome) {
  case HO_OUTCOME_DONE:
    return finish_step(e, err);
  case HO_OUTCOME_HANDOFF:
    return hand_over(e, err);
  case HO_OUTCOME_PARTIAL: {
    ho_code code = draft(e, err);
    return code ? code : go_on(e, err);
  }
  case HO_OUTCOME_BLOCKED:
    return ask(e, HO_REASON_BLOCKED, r->blockers, r->blocker_count, "Phase % is blocked", err);
  case HO_OUTCOME_FAILED:
    return ask(e, HO_REASON_FAILED, r->blockers, r->blocker_count, "Phase % failed", err);
  case HO_OUTCOME_CLARIFY:
    return ask_named(e, HO_REASON_CLARIFY, r->questions, r->question_count,
                     ho_run_question_name(e->arena, r->question_count ? r->questions[0] : r->why), err);
  case HO_OUTCOME_STOP:
    return stop(e);
  default: /* it died, or left nothing that counts */
    return recover(e, err);
  }
}

/* ---- How it ended. */

static ho_str how(const ending *e)
{
  const ho_shim_end *end = &e->end;
  if (!end->known)
    return HO_STR("it disappeared: it was killed with its shim, or the machine stopped");
  if (end->failed)
    return ho_arena_printf(e->arena, "it could not be started: %s", strerror(end->failed));
  if (end->timed_out)
    return ho_arena_printf(e->arena, "it ran out of time (%lld second%s)", (long long)e->run->options->timeout,
                           ho_plural(e->run->options->timeout));
  if (end->stopped)
    return HO_STR("it was stopped");
  if (end->exit_status < 0)
    return ho_arena_printf(e->arena, "it was ended by signal %d", -end->exit_status);
  return ho_arena_printf(e->arena, "it ended with status %d", end->exit_status);
}

/* What a phase of an exchange usually costs: more is reported, but stops nothing. */
static ho_str with_budget(const ending *e, ho_str why)
{
  static const int64_t usual[] = {[HO_PLAN_WRITE] = 2500, [HO_PLAN_RESEARCH] = 1500, [HO_PLAN_VALIDATE] = 1300};
  int64_t budget = e->planned->budget_tokens;
  if (!budget && e->result.answered && (size_t)e->planned->kind < HO_COUNT(usual))
    budget = usual[e->planned->kind];
  if (!budget || e->step->tokens <= budget)
    return why;
  return ho_arena_printf(e->arena, "%.*s; the phase has used %lld tokens, more than its budget of %lld", HO_ARG(why),
                         (long long)e->step->tokens, (long long)budget);
}

/* If it ended by itself, it may not have known where its result was expected. If it gave up, its own words say why. */
static ho_str without_result(const ending *e)
{
  if (e->result.trouble)
    return ho_arena_printf(e->arena, "%.*s (%.*s)", HO_ARG(e->result.why), HO_ARG(how(e)));
  if (!left_quietly(e))
    return ho_arena_printf(e->arena, "%.*s and left no result%s%.*s", HO_ARG(how(e)),
                           e->result.error.n ? "; its last error: " : "", HO_ARG(e->result.error));
  if (e->all_done)
    return ho_arena_printf(e->arena, "all objectives are done, but it wrote no result to HANDOFF_META (%.*s)",
                           HO_ARG(ho_fs_relative(e->mate->row.folder, ho_run_meta(e->mate, e->arena))));
  return ho_arena_printf(e->arena, "%.*s and wrote no result to HANDOFF_META (%.*s)", HO_ARG(how(e)),
                         HO_ARG(ho_fs_relative(e->mate->row.folder, ho_run_meta(e->mate, e->arena))));
}

static void describe(ending *e)
{
  ho_teammate *row = &e->mate->row;
  bool nothing = e->result.outcome == HO_OUTCOME_NOTHING;
  e->all_done = left_quietly(e) && !e->result.trouble && is_all_done(e);
  ho_str why = nothing ? without_result(e) : e->result.why;
  if (!nothing && (e->end.exit_status || e->end.timed_out || e->end.stopped || !e->end.known))
    why = ho_arena_printf(e->arena, "%.*s (%.*s)", HO_ARG(why), HO_ARG(how(e)));
  if (e->end.cut)
    why = ho_arena_printf(e->arena, "%.*s; the log leaves out %lld byte%s of its output", HO_ARG(why),
                          (long long)e->end.cut, ho_plural(e->end.cut));
  if (e->end.left_behind)
    why = ho_arena_printf(
        e->arena, "%.*s; %lld %s ended", HO_ARG(why), (long long)e->end.left_behind,
        ho_plural_of(e->end.left_behind, "process that it left running was", "processes that it left running were"));
  if (e->result.denied.n)
    why = ho_arena_printf(e->arena, "%.*s; it was not allowed: %.*s", HO_ARG(why), HO_ARG(e->result.denied));
  why = with_budget(e, why);
  row->why = ho_project_clean(e->run->project, e->arena, why);
  row->outcome = !nothing || e->all_done ? e->result.outcome
                 : !e->end.known         ? HO_OUTCOME_LOST
                 : e->end.failed         ? HO_OUTCOME_NOT_STARTED
                 : e->end.timed_out      ? HO_OUTCOME_TIMEOUT
                 : e->end.stopped        ? HO_OUTCOME_STOPPED
                                         : HO_OUTCOME_DIED;
  row->state = e->end.known ? HO_TEAMMATE_ENDED : HO_TEAMMATE_LOST;
  row->exit_status = e->end.exit_status;
  row->ended = e->end.known ? e->end.ended : ho_project_now(e->run->project);
}

static bool is_exchange(const ho_run *run)
{
  return run->plan.format == &ho_format_workflow;
}

static ho_code read_result(ending *e, ho_error *err)
{
  ho_teammate *row = &e->mate->row;
  ho_str log = ho_fs_join(e->arena, e->run->project->home, row->log);
  ho_result_ask ask = {.root = e->run->project->root,
                       .folder = row->folder,
                       .meta = ho_run_meta(e->mate, e->arena),
                       .spare = ho_paths_meta(e->arena, ho_fs_join(e->arena, row->folder, e->run->folder)),
                       .session = row->session,
                       .task = e->run->row.task,
                       .phase = is_exchange(e->run) ? ho_str_of(ho_plan_steps_kind_name(e->planned->kind)) : HO_EMPTY,
                       .log = log.p,
                       .adapter = ho_adapter_named(row->adapter),
                       .started = row->started - 1000}; /* the clock of a file system may lag a little */
  ho_code code = ho_result_read(e->arena, &ask, &e->result, err);
  row->tokens = e->result.tokens;
  e->step->tokens += e->result.tokens;
  return code;
}

/* Stopped because the lead was interrupted: that does not count against it, and the next run continues from a draft. */
static bool was_interrupted(const ending *e)
{
  return e->end.stopped && e->run->interrupts &&
         (e->result.outcome == HO_OUTCOME_INVALID || e->result.outcome == HO_OUTCOME_MISSING ||
          e->result.outcome == HO_OUTCOME_NOTHING);
}

static bool cannot_start(const ending *e)
{
  return e->end.known && e->end.failed && e->result.outcome == HO_OUTCOME_NOTHING;
}

static ho_code settle(ending *e, ho_error *err)
{
  ho_code code;
  if (was_interrupted(e)) {
    code = draft(e, err);
    ho_run_set(e->run, e->mate->step, HO_STEP_WAITING, e->mate->row.why);
    return code;
  }
  if (cannot_start(e)) {
    ho_str item = ho_arena_printf(e->arena, "The command can be started: %.*s", HO_ARG(how(e)));
    return ask(e, HO_REASON_FAILED, &item, 1, "Phase % cannot start", err);
  }
  ho_str now = ho_run_progress(e->run, e->arena, e->mate->step, e->mate->row.folder);
  e->moved = !ho_str_eq(now, e->step->progress);
  e->exchange = (ho_run_exchange){.run = e->run, .mate = e->mate, .arena = e->arena};
  bool over = e->result.answered || e->result.outcome == HO_OUTCOME_DONE;
  code = over ? ho_run_exchange_begin(&e->exchange, err) : HO_OK;
  if (!code)
    code = decide(e, err);
  return code ? code : ho_run_exchange_end(&e->exchange, e->result.response, err);
}

ho_code ho_run_end(ho_run *run, ho_run_mate *mate, ho_error *err)
{
  ending e = {.run = run,
              .mate = mate,
              .arena = &mate->arena,
              .step = &run->steps[mate->step],
              .planned = &run->plan.items[mate->step]};
  ho_str files = ho_run_files(run, e.arena, mate->row.id);
  ho_shim_reap((pid_t)mate->row.pid);
  ho_shim_read(e.arena, files.p, (pid_t)mate->row.pid, &e.end);
  mate->changed = mate->over = true;
  if (e.end.known && !e.end.went) {
    mate->row.state = HO_TEAMMATE_ENDED;
    mate->row.outcome = HO_OUTCOME_NOT_STARTED;
    mate->row.why = HO_STR("its lead ended before it began");
    mate->row.ended = e.end.ended;
    e.step->teammates = mate->row.n - 1;
    ho_run_set(run, mate->step, HO_STEP_WAITING, HO_EMPTY);
    return HO_OK;
  }
  if (!e.end.known)
    ho_run_sweep(mate);
  ho_code code = read_result(&e, err);
  if (code)
    return code;
  ho_run_publish(run, mate, &e.result);
  describe(&e);
  code = settle(&e, err);
  mate->done = e.result.outcome == HO_OUTCOME_DONE || e.result.outcome == HO_OUTCOME_HANDOFF;
  if (!code && mate->done) /* what one that died left may be anything; its successor finds it where it is */
    ho_run_commit_work(run, mate);
  return code ? code : ho_arena_code(e.arena, err);
}
