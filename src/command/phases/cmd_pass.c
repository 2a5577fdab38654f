#include "base/term.h"
#include "command/commands.h"
#include "command/findings.h"
#include "command/ledger_call.h"
#include "command/phase_args.h"
#include "command/phases/pass_given.h"
#include "engine/context/context_cache.h"
#include "engine/project/identity.h"
#include "engine/plan/plan_phase.h"
#include "engine/project/project.h"
#include "engine/project/quote.h"
#include "engine/project/settings.h"
#include "engine/relay/pass.h"

/* How full the context is: as given, else as it was last measured; -1 if unknown. Hooks measure in the main worktree if the
 * one where the agent works has no folder of the program. */
static long long used(const ho_call *call, const ho_project *project)
{
  const ho_str roots[] = {call->host->root, project->home};
  long long percent = -1;
  if (ho_node_to_int(ho_arg(call, "used"), &percent))
    return percent;
  for (size_t i = 0; percent < 0 && i < HO_COUNT(roots); i++)
    percent = ho_context_kept(call->arena, roots[i], project->session, ho_settings_node(&project->settings, "windows"));
  return percent;
}

static void put(ho_call *call, const char *key, ho_str text)
{
  if (text.n)
    ho_map_addz(call->result, key, ho_node_text(call->arena, text));
}

static void put_findings(ho_call *call, const ho_pass *pass, bool refused)
{
  ho_buf line;
  ho_node *list = ho_map_addz(call->result, "findings", ho_findings_node(call->arena, &pass->doc.report));
  ho_node *more = ho_findings_node(call->arena, &pass->intake.seen.secrets);
  HO_EACH_CONST (finding, more)
    ho_list_add(list, ho_node_copy(call->arena, finding));
  ho_map_addz(call->result, "errors",
              ho_node_number(call->arena, (long long)(pass->doc.report.errors + pass->intake.seen.secrets.errors)));
  if (!refused)
    return;
  HO_EACH_CONST (finding, list) {
    ho_buf_init(&line, 0);
    ho_finding_text(&line, pass->path, finding, false);
    ho_str text = ho_str_trim_end(ho_buf_move(&line, call->arena));
    ho_call_note(call, "%.*s", HO_ARG(text));
  }
  ho_call_note(call, "nothing was written: the handoff has errors");
}

/* A successor finds its place by these; the handoff counts without them. */
static void note_missing(ho_call *call, const ho_pass *pass)
{
  const ho_node *state = ho_map_getz(pass->doc.root, "current_state");
  bool file = ho_map_str(state, "file").n > 0, location = ho_map_str(state, "location").n > 0;
  if (!file || !location)
    ho_call_note(call, "the handoff does not say which %s; next time use %s",
                 !file ? "file is worked on" : "place in it",
                 file       ? "--location"
                 : location ? "--file"
                            : "--file and --location");
}

/* A phase that the task's plan does not have is probably a slip. */
static void note_unplanned(ho_call *call, const ho_pass *pass)
{
  ho_plan_phase plan;
  if (!ho_plan_phase_read(&pass->phase, &plan) && plan.steps.count)
    ho_call_note(
        call, "%.*s has no phase %.*s; if you meant another: %.*s", HO_ARG(ho_shown_below(call, plan.path)),
        HO_ARG(pass->phase.phase),
        HO_ARG(ho_project_command(&call->project, call->arena, "withdraw ID --note TEXT@", pass->intake.made.row.id)));
}

/* A document that was written for another phase is probably the wrong one. */
static void note_other(ho_call *call, const ho_pass *pass)
{
  ho_str task = ho_id_plain(ho_map_str(pass->own, "task")), phase = ho_id_plain(ho_map_str(pass->own, "phase"));
  bool same = (!task.n || ho_str_eq(task, pass->phase.task)) && (!phase.n || ho_str_eq(phase, pass->phase.phase));
  if (!same)
    ho_call_note(call, "the document is about phase %.*s of task %.*s; it is recorded for phase %.*s of task %.*s",
                 HO_ARG(phase.n ? phase : pass->phase.phase), HO_ARG(task.n ? task : pass->phase.task),
                 HO_ARG(pass->phase.phase), HO_ARG(pass->phase.task));
}

/* What becomes of what the agent held. Subagents share a session, so somebody may still work on the rest. */
static void note_held(ho_call *call, const ho_pass *pass)
{
  ho_str id = pass->intake.made.continued;
  put(call, "continues", id);
  if (id.n)
    ho_call_note(call, "%.*s is ready again for %.*s, and whoever claims it continues from this handoff", HO_ARG(id),
                 HO_ARG(pass->origin.receiver.n ? ho_quote_name(call->arena, pass->origin.receiver)
                                                : HO_STR("whoever takes its task")));
  HO_EACH_CONST (held, pass->still_held)
    ho_call_note(call, "%.*s is still claimed, and is not part of this handoff; to give it back: %.*s",
                 HO_ARG(held->text),
                 HO_ARG(ho_project_command(&call->project, call->arena, "release ID@", held->text)));
}

/* What the caller does now. An agent returns to its lead and stops; a person, who has no lead, starts whoever continues. */
static void note_next(ho_call *call, const ho_pass *pass)
{
  if (ho_phase_args_is_person(call))
    ho_call_note(call,
                 "to continue, start an agent with what this prints: handoff prompt successor --task %.*s --phase %.*s",
                 HO_ARG(pass->phase.task), HO_ARG(pass->phase.phase));
  else
    ho_call_note(call, "return 'partial' with this %s now (metadata: %.*s), and stop", pass->unwritten ? "id" : "path",
                 HO_ARG(ho_shown_below(call, pass->meta.path)));
}

static void put_result(ho_call *call, const ho_pass *pass)
{
  put(call, "id", pass->intake.made.row.id);
  put(call, "state", pass->intake.made.row.state);
  put(call, "path", pass->unwritten ? HO_EMPTY : ho_shown_below(call, pass->path));
  put(call, "handoff_path", pass->path);
  put(call, "details", pass->details_path.n ? ho_shown_below(call, pass->details_path) : HO_EMPTY);
  put(call, "meta", ho_shown_below(call, pass->meta.path));
  put(call, "status", HO_STR("partial"));
  ho_map_addz(call->result, "handoff_count", ho_node_number(call->arena, (long long)pass->handoffs));
  ho_map_addz(call->result, "marked", ho_node_bool(call->arena, pass->marked));
  if (pass->broken.n)
    ho_call_note(call, "the progress file could not be read; it is kept in %.*s",
                 HO_ARG(ho_shown_below(call, pass->broken)));
  if (!pass->tracked)
    ho_call_note(call,
                 "phase %.*s has no progress file; create it with: handoff progress start --task %.*s --phase %.*s %s",
                 HO_ARG(pass->phase.phase), HO_ARG(pass->phase.task), HO_ARG(pass->phase.phase),
                 ho_plan_phase_objectives(&pass->phase));
  put(call, "kept", pass->meta.old.n ? ho_shown_below(call, pass->meta.old) : HO_EMPTY);
  if (pass->meta.old.n)
    ho_call_note(call, "an older result lay in %.*s; it is kept in %.*s", HO_ARG(ho_shown_below(call, pass->meta.path)),
                 HO_ARG(ho_shown_below(call, pass->meta.old)));
  HO_EACH_CONST (id, pass->replaced)
    ho_call_note(call,
                 "%.*s was waiting for the same phase and is superseded by this handoff; for other work, use --task",
                 HO_ARG(id->text));
  note_held(call, pass);
  if (pass->held_up.n)
    ho_call_note(call, "nothing of %.*s is carried on: it %s %.*s", HO_ARG(pass->held_up),
                 pass->rejected ? "was rejected at" : "waits at", HO_ARG(pass->held_at));
  if (pass->reopened)
    ho_call_note(call,
                 "phase %.*s of task %.*s was finished, and goes on with this handoff; for other work, use --task",
                 HO_ARG(pass->phase.phase), HO_ARG(pass->phase.task));
  HO_EACH_CONST (item, pass->taken_back)
    ho_call_note(call, "revoked the %.*s '%.*s'", HO_ARG(ho_map_str(item, "kind")), HO_ARG(ho_map_str(item, "text")));
  if (pass->marked)
    ho_call_note(call, "nothing was done, tried or learned since the last handoff; this one is marked accordingly");
  if (pass->details_path.n)
    ho_call_note(call, "what did not fit one screen is in %.*s", HO_ARG(ho_shown_below(call, pass->details_path)));
  note_other(call, pass);
  note_missing(call, pass);
  note_unplanned(call, pass);
  if (pass->unwritten)
    ho_call_note(call, "%.*s could not be written yet; whoever continues reads it with: handoff show %.*s",
                 HO_ARG(ho_shown_below(call, pass->path)), HO_ARG(pass->intake.made.row.id));
  note_next(call, pass);
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_node *own;
  ho_pass pass = {.revoked = ho_arg(call, "revoke"),
                  .meta_path = ho_arena_copy(call->arena, ho_access_variable("HANDOFF_META")),
                  .tokens = ho_host_tokens(call->host)};
  ho_code code = ho_pass_given(call, &own, err);
  ho_which which = {.hint = ho_map_str(own, "immediate_next_action")};
  if (!code)
    code = ho_phase_args_begin(call, &which, &pass.phase, err);
  if (code)
    return code;
  pass.own = own;
  pass.project = project;
  pass.named = which.named;
  if (!ho_project_has_store(project))
    code = ho_pass_try(&pass, err);
  if (!code && !pass.refused)
    code = ho_open_ledger(call, true, err);
  if (!code && !pass.refused) {
    pass.threshold = ho_settings_number(&project->settings, "threshold");
    pass.used = used(call, project);
    code = ho_pass_on(&pass, err);
  }
  if (code || pass.refused)
    ho_phase_undo(&pass.phase);
  if (code)
    return code;
  if (!pass.refused) {
    ho_which_remember(project, call->arena, pass.phase.task, pass.phase.phase, HO_WHICH_LEFT);
    ho_phase_args_note_made(call, &which, &pass.phase);
    put_result(call, &pass);
    ho_str undo = ho_project_command(project, call->arena, "withdraw ID --note 'it belongs to another task'@",
                                     pass.intake.made.row.id);
    ho_phase_args_note_aside(call, &which, undo, "pass");
  }
  put_findings(call, &pass, pass.refused);
  return pass.refused ? HO_INVALID : HO_OK;
}

/* The path alone, for the caller to return; the id, if there is no file. */
static void render(const ho_call *call, ho_buf *out, bool colour)
{
  ho_str path = ho_map_str(call->result, "path"), id = ho_map_str(call->result, "id");
  (void)colour;
  if (!path.n && !id.n)
    return;
  ho_term_put(out, path.n ? path : id, HO_TERM_LINE);
  ho_buf_putc(out, '\n');
}

#define TEXT(key, shown, what)                                                                                         \
  {                                                                                                                    \
    .name = key, .label = shown, .doc = what, .type = HO_T_TEXT                                                        \
  }
#define TEXTS(key, shown, what)                                                                                        \
  {                                                                                                                    \
    .name = key, .label = shown, .doc = what, .type = HO_T_LIST, .item = HO_T_TEXT                                     \
  }
static const ho_field params[] = {
    HO_PARAM_TASK(0),
    HO_PARAM_PHASE(0),
    TEXT("next", "TEXT", "The one concrete next step."),
    {.name = "from",
     .label = "PATH",
     .doc = "Take it from a Markdown or JSON file; - is standard input.",
     .type = HO_T_TEXT,
     .flags = HO_IS_FILE},
    {.name = "file",
     .label = "F",
     .doc = "File being worked on.",
     .type = HO_T_TEXT,
     .flags = HO_IS_FILE | HO_ONLY_NAMED},
    TEXT("location", "L", "Line, function."),
    TEXT("goal", "G", "What must become true. Default: the objective."),
    TEXTS("decision", "D", "'decision: reason' to keep."),
    TEXTS("not", "N", "'approach: reason' that failed."),
    TEXTS("context", "C", "A fact that the successor needs."),
    TEXTS("revoke", "D", "Drop an inherited item, by its words or number."),
    TEXTS("ref", "R", "'Kind: path', to read if stuck. Default: the plan."),
    {.name = "used", .label = "PERCENT", .doc = "How full the context is.", .type = HO_T_INT, .min = 0, .max = 1000},
    HO_PARAM_SLUG,
    HO_PARAM_AS,
    HO_FIELDS_END};
static const ho_record params_record = {.name = "pass", .fields = params};
static const ho_field result[] = {
    HO_TEXT_FIELD("id", "Id of the handoff."),
    HO_TEXT_FIELD("state", "State of the handoff."),
    HO_TEXT_FIELD("continues", "The handoff that you held: ready again, to be continued from this one."),
    HO_TEXT_FIELD("path", "Path of the handoff; absent if it was refused, or could not be written yet."),
    HO_TEXT_FIELD("handoff_path", "The same path from the project root, as in the metadata."),
    HO_TEXT_FIELD("details", "The details file with what did not fit one screen."),
    HO_TEXT_FIELD("meta", "Path of the return metadata."),
    HO_TEXT_FIELD("kept", "Where an older result was put that lay there."),
    HO_TEXT_FIELD("status", "The status to return."),
    {.name = "handoff_count", .doc = "Number of handoffs of the phase, including this one.", .type = HO_T_INT},
    {.name = "marked",
     .doc = "True if nothing was done since the last handoff although the context is full.",
     .type = HO_T_BOOL},
    HO_LIST_FIELD("findings", "Findings in the handoff.", ho_finding_record),
    {.name = "errors", .doc = "Number of errors.", .type = HO_T_INT},
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "pass result", .fields = result};

const ho_command ho_command_pass = {
    .name = "pass",
    .group = "phases",
    .summary = "Hand a phase over to a successor before the context runs out",
    .doc =
        "Writes handoff, progress file and return metadata (.return-meta.json, or HANDOFF_META): all or nothing. What "
        "the last handoff says is carried on, unless it waits at a gate or was rejected. Return 'partial' with its "
        "path, and stop.\n\nExits 8 if nothing was done since the last one, unless the context is full.",
    .examples = "handoff pass --next 'Profile the parser'",
    .common = true,
    .teammate = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
