/* prompt teammate|recovery|successor: texts for agents and their leads. */
#include "command/commands.h"
#include "command/phase_args.h"
#include "engine/project/paths.h"
#include "engine/project/project.h"
#include "engine/project/settings.h"
#include "engine/relay/finish.h"
#include "engine/relay/handed.h"
#include "engine/relay/news.h"
#include "engine/relay/prompt.h"
#include "model/formats/formats.h"
#include "model/formats/place.h"
#include "model/lifecycle.h"

static ho_code begin(ho_call *call, ho_prompt_about *about, ho_error *err)
{
  long long value;
  ho_code code = ho_project_begin(&call->project, err);
  if (code)
    return code;
  *about = (ho_prompt_about){.arena = call->arena,
                             .root = call->host->root,
                             .task = ho_arg_str(call, "task"),
                             .phase = ho_arg_str(call, "phase"),
                             .threshold = ho_settings_number(&call->project.settings, "threshold"),
                             .successors = ho_settings_number(&call->project.settings, "max_successors"),
                             .budget = HO_PROMPT_BUDGET,
                             .tokens = ho_host_tokens(call->host)};
  if (ho_node_to_int(ho_arg(call, "budget"), &value))
    about->budget = (size_t)value;
  return HO_OK;
}

static void finish(ho_call *call, const ho_prompt_about *about, const ho_prompt *prompt)
{
  ho_map_addz(call->result, "text", ho_node_text(call->arena, prompt->text));
  ho_map_addz(call->result, "tokens", ho_node_number(call->arena, (long long)prompt->tokens));
  ho_map_addz(call->result, "tokenizer", ho_node_textz(call->arena, ho_tokens_name(about->tokens)));
  ho_map_addz(call->result, "cut", prompt->cut);
  if (about->handoff.n)
    ho_map_addz(call->result, "handoff",
                ho_node_text(call->arena, about->recorded.n ? about->recorded : about->handoff));
}

/* The phase that was found; then the progress file is known. */
static void take_phase(ho_prompt_about *about, const ho_phase *phase)
{
  about->task = phase->task;
  about->phase = phase->phase;
  about->progress = phase->progress;
}

/* A text about phases in general needs none. */
static ho_code find_phase(ho_call *call, ho_prompt_about *about, ho_error *err)
{
  ho_error why = {0};
  ho_phase phase;
  ho_code code = ho_phase_args_find(call, &phase, &why);
  if (!code)
    take_phase(about, &phase);
  else if (about->task.n || about->phase.n)
    *err = why;
  else
    code = HO_OK;
  return code;
}

/* A lead has agents at several phases, so that its text is about one only if that is named. */
typedef ho_code (*text_maker)(const ho_prompt_about *about, ho_prompt *out, ho_error *err);
static ho_code run_text(ho_call *call, text_maker make, bool named, ho_error *err)
{
  ho_prompt_about about;
  ho_prompt prompt;
  ho_code code = begin(call, &about, err);
  if (!code && (!named || about.task.n || about.phase.n))
    code = find_phase(call, &about, err);
  if (!code)
    code = make(&about, &prompt, err);
  if (!code)
    finish(call, &about, &prompt);
  return code;
}

static ho_code run_teammate(ho_call *call, ho_error *err)
{
  return run_text(call, ho_prompt_teammate, false, err);
}

static ho_code run_recovery(ho_call *call, ho_error *err)
{
  return run_text(call, ho_prompt_recovery, true, err);
}

/* Without a path if the phase has none. */
static ho_code newest_handoff(ho_call *call, ho_prompt_about *about, ho_handed *out, ho_error *err)
{
  ho_phase phase;
  ho_handed_list list = {0};
  ho_code code = ho_phase_args_follow(call, &phase, err);
  if (!code)
    take_phase(about, &phase);
  if (!code)
    code = ho_handed_all(&call->project, &phase, &list, err);
  if (!code && list.count)
    *out = list.rows[list.count - 1];
  return code;
}

/* Task, phase and progress file of a handoff that was named by its path. */
static void around(ho_call *call, ho_prompt_about *about)
{
  ho_str folder = ho_fs_parent(about->handoff), own = ho_map_str(about->artifact, "task");
  ho_str task = ho_place_task_around(about->handoff);
  if (ho_str_is(ho_fs_name(folder), HO_PATH_PUT_AWAY))
    folder = ho_fs_parent(folder);
  about->phase = ho_map_str(about->artifact, "phase");
  about->task = task.n ? task : own;
  if (about->phase.n && ho_str_is(ho_fs_name(folder), "handoffs"))
    about->progress = ho_paths_progress(call->arena, ho_fs_parent(folder), about->phase);
}

/* The progress file is a help, not a condition: what cannot be read is noted. */
static void read_progress(ho_call *call, ho_prompt_about *about, ho_doc *doc)
{
  ho_error none = {0};
  ho_str text;
  if (!about->progress.n)
    return;
  const char *full = ho_fs_join(call->arena, call->host->root, about->progress).p;
  ho_code code = ho_fs_inside(call->host->root.p, full) ? ho_fs_read(call->arena, full, 0, &text, &none) : HO_IO;
  if (!code)
    code = ho_doc_read(doc, call->arena, about->progress, text, &ho_format_progress, &none);
  if (code == HO_NOT_FOUND)
    about->elsewhere = ho_handed_elsewhere(&call->project, call->arena, call->host->root, about->progress, doc);
  if (about->elsewhere.n || (!code && ho_node_is(doc->root, HO_KIND_MAP)))
    about->record = doc->root;
  else if (code == HO_NOT_FOUND)
    ho_call_note(call, "there is no progress file %.*s", HO_ARG(about->progress));
  else
    ho_call_note(call, "the progress file %.*s cannot be read and was left out", HO_ARG(about->progress));
}

/* The record of the handoff, if the project has one. */
static bool find_row(ho_call *call, const ho_prompt_about *about, ho_handoff *row)
{
  ho_handed handed = {.path = about->handoff, .id = about->recorded};
  return ho_handed_row(&call->project, call->arena, call->host->root, &handed, row);
}

/* What people said about it, and, of the phase's newest handoff, what was drafted since by an agent that died. A help, not a
 * condition. */
static void add_news(ho_call *call, ho_prompt_about *about, bool newest)
{
  ho_project *project = &call->project;
  ho_handoff row = {0}, draft;
  ho_error none = {0};
  bool open = ho_project_has_store(project) && !ho_project_open(project, HO_OPEN_EXISTING, &none);
  if (!open || !about->task.n || !about->phase.n || (about->handoff.n && !find_row(call, about, &row)))
    return;
  if (row.id.n)
    ho_news_people(project, &row, about);
  if (!newest || ho_news_draft(project, call->arena, about->task, about->phase, row.created, &draft, &none))
    return;
  if (draft.id.n)
    ho_news_add(project, &draft, about);
}

/* Nothing is left to continue; but a handoff that is ready was passed on after the end, which would have ended it. */
static bool say_finished(ho_call *call, const ho_prompt_about *about, ho_prompt *prompt)
{
  ho_handoff row;
  ho_str summary, folder = ho_fs_parent(ho_fs_parent(about->progress));
  ho_phase phase = {
      .arena = call->arena, .root = call->host->root, .task = about->task, .phase = about->phase, .folder = folder};
  if (!about->progress.n || !ho_finish_was(&phase, about->record, &summary) ||
      (find_row(call, about, &row) && ho_str_is(row.state, ho_state_name(HO_STATE_READY))))
    return false;
  ho_error none = {0};
  return ho_prompt_finished(about, summary, prompt, &none) == HO_OK;
}

/* The handoff that is named by its path or id. A file that nobody has recorded counts; one that is gone, by its record. */
static ho_handed named_handoff(ho_call *call, ho_str name)
{
  ho_handed handed;
  ho_str full = ho_paths_now(call->arena, HO_EMPTY, ho_str_of(ho_full_path(call, name)));
  ho_str wanted = ho_str_find_char(name, '/') == HO_NONE ? name : full;
  if (ho_fs_exists(full.p) || !ho_handed_named(&call->project, call->arena, call->host->root, wanted, &handed))
    handed = (ho_handed){.path = ho_fs_relative(call->host->root, full)};
  return handed;
}

/* The handoff that is named, or the newest of the phase, if there is one. */
static ho_code read_handoff(ho_call *call, ho_prompt_about *about, ho_doc *doc, ho_error *err)
{
  ho_str name = ho_arg_str(call, "path"), text;
  ho_handed handed = {0};
  ho_code code = HO_OK;
  if (name.n)
    handed = named_handoff(call, name);
  else
    code = newest_handoff(call, about, &handed, err);
  ho_prompt_from(about, &call->project, &handed);
  if (code || !handed.path.n)
    return code;
  if (handed.id.n && ho_handed_read(&call->project, call->arena, call->host->root, &handed, &text))
    code = ho_doc_read(doc, call->arena, handed.path, text, &ho_format_artifact, err);
  else
    code = ho_read_document(call, ho_fs_join(call->arena, call->host->root, handed.path), NULL, doc, err);
  if (!code && doc->format != &ho_format_artifact)
    code = ho_fail_file(err, HO_INVALID, name, "is a %s; a successor starts from a phase handoff (format artifact)",
                        doc->format->name);
  if (!code)
    about->artifact = doc->root;
  if (!code && name.n)
    around(call, about);
  return code;
}

static ho_code run_successor(ho_call *call, ho_error *err)
{
  ho_prompt_about about;
  ho_prompt prompt;
  ho_doc artifact, progress;
  ho_code code = begin(call, &about, err);
  if (!code)
    code = read_handoff(call, &about, &artifact, err);
  if (code)
    return code;
  read_progress(call, &about, &progress);
  add_news(call, &about, !ho_arg_str(call, "path").n);
  if (!about.artifact && !about.record && !about.draft.n)
    return ho_fail(
        err, HO_NOT_FOUND,
        "nobody has worked on phase %.*s of task %.*s yet; start it with: handoff prompt teammate --task %.*s "
        "--phase %.*s",
        HO_ARG(about.phase), HO_ARG(about.task), HO_ARG(about.task), HO_ARG(about.phase));
  if (!say_finished(call, &about, &prompt)) {
    code = ho_prompt_successor(&about, &prompt, err);
    if (!code && about.task.n && about.phase.n)
      ho_which_remember(&call->project, call->arena, about.task, about.phase, HO_WHICH_ASKED);
  }
  if (!code)
    finish(call, &about, &prompt);
  return code;
}

#define BUDGET                                                                                                         \
  {                                                                                                                    \
    .name = "budget", .label = "TOKENS", .doc = "Maximum number of tokens.", .type = HO_T_INT, .min = 1,               \
    .max = 1000000, .fallback = "1500"                                                                                 \
  }
static const ho_field text_params[] = {HO_PARAM_TASK(0), HO_PARAM_PHASE(0), HO_PARAM_SLUG, BUDGET, HO_FIELDS_END};
static const ho_record text_record = {.name = "prompt", .fields = text_params};
static const ho_field successor_params[] = {{.name = "path",
                                             .label = "PATH|ID",
                                             .doc = "The handoff. Default: the newest of the phase.",
                                             .type = HO_T_TEXT,
                                             .flags = HO_POSITIONAL | HO_IS_FILE},
                                            HO_PARAM_TASK(0),
                                            HO_PARAM_PHASE(0),
                                            HO_PARAM_SLUG,
                                            BUDGET,
                                            HO_FIELDS_END};
static const ho_record successor_record = {.name = "prompt successor", .fields = successor_params};
static const ho_field result[] = {
    {.name = "text", .doc = "The prompt.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "tokens", .doc = "Number of tokens.", .type = HO_T_INT, .flags = HO_REQUIRED},
    {.name = "tokenizer", .doc = "Tokenizer that counted them.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "handoff",
     .doc = "The handoff that it is based on: its path, or its id if its file is not there.",
     .type = HO_T_TEXT},
    {.name = "cut",
     .doc = "What was left out, and where to find it.",
     .type = HO_T_LIST,
     .item = HO_T_TEXT,
     .flags = HO_MAY_BE_EMPTY},
    HO_NOTES_FIELD,
    HO_FIELDS_END};
static const ho_record result_record = {.name = "prompt result", .fields = result};

#define COMMAND(word, what, paragraph, example, arguments, does)                                                       \
  const ho_command ho_command_prompt_##word = {.name = "prompt " #word,                                                \
                                               .group = "phases",                                                      \
                                               .summary = what,                                                        \
                                               .doc = paragraph,                                                       \
                                               .examples = example,                                                    \
                                               .teammate = true,                                                       \
                                               .effect = HO_EFFECT_READ,                                               \
                                               .params = &arguments,                                                   \
                                               .result = &result_record,                                               \
                                               .run = does,                                                            \
                                               .render = ho_render_text,                                               \
                                               .raw = true}

COMMAND(teammate, "Print the Context Management text for an agent",
        "Tells an agent how to track progress, when to hand off, and how. With --task and --phase, the commands in it "
        "are complete.",
        "handoff prompt teammate", text_record, run_teammate);
COMMAND(recovery, "Print the Context Exhaustion Recovery text for a lead",
        "Tells a lead what to do if an agent has run out of context: start a successor, and never take over the work. "
        "With --task and --phase, the commands in it are complete.",
        "handoff prompt recovery", text_record, run_recovery);
COMMAND(successor, "Print the prompt for the successor of an agent",
        "It has the next action, the current state, the path of the full handoff, the progress file, and what not to "
        "do: approaches that failed and files that need not be read again. It stays within the budget and 10,000 "
        "characters; what does not fit is cut from the end and named with its path. Text from documents is fenced and "
        "cannot leave its fence.",
        "handoff prompt successor --task 7 --phase 2", successor_record, run_successor);
