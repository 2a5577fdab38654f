#include "base/term.h"
#include "command/commands.h"
#include "command/findings.h"
#include "command/ledger_call.h"
#include "command/phase_args.h"
#include "command/phases/pass_given.h"
#include "engine/context/context_cache.h"
#include "engine/project/project.h"
#include "engine/project/settings.h"
#include "engine/relay/pass.h"

/* How full the context is: as given, else as the status line kept it; -1 if unknown. */
static long long used(const ho_call *call, const ho_project *project)
{
  ho_figure figure = {0};
  long long given;
  if (ho_node_to_int(ho_arg(call, "used"), &given))
    return given;
  ho_str path = ho_context_path(call->arena, call->host->root, project->session, HO_FIGURE_SUFFIX);
  if (!path.n || !ho_figure_load(&figure, call->arena, path.p) || figure.used <= 0)
    return -1;
  if (figure.window > 0)
    return (long long)(figure.used * 100 / figure.window);
  return (long long)figure.percent;
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

static void put_result(ho_call *call, const ho_pass *pass)
{
  put(call, "id", pass->intake.made.row.id);
  put(call, "state", pass->intake.made.row.state);
  put(call, "path", ho_shown_below(call, pass->path));
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
                 "phase %.*s has no progress file; create it with: handoff progress start --task %.*s --phase %.*s "
                 "--objective '…'",
                 HO_ARG(pass->phase.phase), HO_ARG(pass->phase.task), HO_ARG(pass->phase.phase));
  put(call, "kept", pass->meta.old.n ? ho_shown_below(call, pass->meta.old) : HO_EMPTY);
  if (pass->meta.old.n)
    ho_call_note(call, "an older result lay in %.*s; it is kept in %.*s", HO_ARG(ho_shown_below(call, pass->meta.path)),
                 HO_ARG(ho_shown_below(call, pass->meta.old)));
  if (pass->marked)
    ho_call_note(call, "nothing was done, tried or learned since the last handoff; this one is marked accordingly");
  if (pass->details_path.n)
    ho_call_note(call, "what did not fit one screen is in %.*s", HO_ARG(ho_shown_below(call, pass->details_path)));
  note_missing(call, pass);
  ho_call_note(call, "return 'partial' with this path now (metadata: %.*s), and stop",
               HO_ARG(ho_shown_below(call, pass->meta.path)));
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_node *own;
  ho_pass pass = {.revoked = ho_arg(call, "revoke"),
                  .meta_path = ho_arena_copy(call->arena, ho_str_of(getenv("HANDOFF_META"))),
                  .tokens = ho_host_tokens(call->host)};
  ho_code code = ho_pass_given(call, &own, err);
  if (!code)
    code = ho_phase_args_begin(call, ho_map_str(own, "immediate_next_action"), &pass.phase, err);
  if (code)
    return code;
  code = ho_open_ledger(call, true, err);
  if (!code) {
    pass.own = own;
    pass.project = project;
    pass.threshold = ho_settings_number(&project->settings, "threshold");
    pass.used = used(call, project);
    code = ho_pass_on(&pass, err);
  }
  if (code || pass.refused)
    ho_phase_undo(&pass.phase);
  if (code)
    return code;
  if (!pass.refused) {
    ho_which_remember(project, call->arena, pass.phase.task, pass.phase.phase);
    put_result(call, &pass);
  }
  put_findings(call, &pass, pass.refused);
  return pass.refused ? HO_INVALID : HO_OK;
}

/* The path alone, for the caller to return. */
static void render(const ho_call *call, ho_buf *out, bool colour)
{
  ho_str path = ho_map_str(call->result, "path");
  (void)colour;
  if (!path.n)
    return;
  ho_term_put(out, path, HO_TERM_LINE);
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
     .doc = "Take it from a Markdown or JSON document; - is standard input.",
     .type = HO_T_TEXT,
     .flags = HO_IS_FILE},
    {.name = "file", .label = "F", .doc = "File being worked on.", .type = HO_T_TEXT, .flags = HO_IS_FILE},
    TEXT("location", "L", "Line, and after which statement or function."),
    TEXT("goal", "G", "What has to become true. Default: the current objective."),
    TEXTS("decision", "D", "A decision the successor must keep, as 'decision: reason'."),
    TEXTS("not", "N", "A failed approach, as 'approach: reason'; those in the progress file are added."),
    TEXTS("context", "C", "A fact that the successor needs and might not discover."),
    TEXTS("revoke", "D", "Take back what the previous handoff says: the number of a decision, or words of an item."),
    TEXTS("ref", "R", "A document to read only if stuck, as 'Kind: path, detail'. Default: the plan."),
    {.name = "used",
     .label = "PERCENT",
     .doc = "How full the context is. Default: the status line's figure.",
     .type = HO_T_INT,
     .min = 0,
     .max = 1000},
    HO_PARAM_SLUG,
    HO_PARAM_AS,
    HO_FIELDS_END};
static const ho_record params_record = {.name = "pass", .fields = params};
static const ho_field result[] = {
    HO_TEXT_FIELD("id", "Id of the handoff."),
    HO_TEXT_FIELD("state", "State of the handoff."),
    HO_TEXT_FIELD("path", "Path of the handoff; absent if it was refused."),
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
        "Does all of the following, or nothing: writes the phase handoff (what does not fit one screen goes to a "
        "details file), updates the progress file, writes the return metadata (.return-meta.json in the task's folder, "
        "or HANDOFF_META) with the status partial, and queues the handoff for whoever takes the task. Afterwards, "
        "return 'partial' with the path that it prints, and stop.\n\nEverything that the previous handoff of the phase "
        "says and that was not taken back (--revoke) is carried on, with the handoff it comes from: (hop 2).\n\nA "
        "second handoff without anything done, tried or "
        "learned in between is refused (exit status 8), unless the context has reached the threshold.",
    .examples = "handoff pass --next 'Run the profiler on build/handoff and read its top ten' "
                "--decision 'Measure first: guesses were wrong twice'",
    .common = true,
    .teammate = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
