#include "base/term.h"
#include "command/commands.h"
#include "command/ledger_call.h"
#include "command/phase_args.h"
#include "engine/project/identity.h"
#include "engine/relay/finish.h"

static void put(ho_call *call, const char *key, ho_str path)
{
  if (path.n)
    ho_map_addz(call->result, key, ho_node_text(call->arena, ho_shown_below(call, path)));
}

static void put_result(ho_call *call, const ho_finish *finish)
{
  const ho_phase *phase = &finish->phase;
  ho_map_addz(call->result, "task", ho_node_text(call->arena, phase->task));
  ho_map_addz(call->result, "phase", ho_node_text(call->arena, phase->phase));
  ho_map_addz(call->result, "status", ho_node_textz(call->arena, "implemented"));
  ho_map_addz(call->result, "summary", ho_node_text(call->arena, finish->meta.summary));
  put(call, "meta", finish->meta.path);
  put(call, "kept", finish->meta.old);
  put(call, "plan", finish->plan);
  ho_map_addz(call->result, "ended", finish->ended);
  if (finish->meta.old.n)
    ho_call_note(call, "an older result lay in %.*s; it is kept in %.*s",
                 HO_ARG(ho_shown_below(call, finish->meta.path)), HO_ARG(ho_shown_below(call, finish->meta.old)));
  if (finish->unticked)
    ho_call_note(call, "%.*s still has %zu open %s", HO_ARG(ho_shown_below(call, finish->plan)), finish->unticked,
                 ho_plural_of((long long)finish->unticked,
                              "box of the phase, which is not an objective; tick it if it is done",
                              "boxes of the phase, which are not objectives; tick them if they are done"));
  HO_EACH_CONST (id, finish->gated)
    ho_call_note(call, "%.*s still waits for a person; see it with: handoff gate list", HO_ARG(id->text));
  HO_EACH_CONST (who, finish->held)
    ho_call_note(call, "%.*s goes on: %.*s holds it", HO_ARG(who->key), HO_ARG(who->text));
  if (!ho_phase_args_is_person(call))
    ho_call_note(call, "return 'implemented' now (metadata: %.*s)", HO_ARG(ho_shown_below(call, finish->meta.path)));
}

/* A lead waits for the phase that it started, and checks what is said of that one. */
static ho_code refuse_other(const ho_phase *phase, ho_error *err)
{
  ho_str task = ho_id_plain(ho_access_variable("HANDOFF_TASK")), own = ho_id_plain(ho_access_variable("HANDOFF_PHASE"));
  if (!own.n || (ho_str_eq(own, phase->phase) && (!task.n || ho_str_eq(task, phase->task))))
    return HO_OK;
  return ho_fail(err, HO_USAGE,
                 "you were started for phase %.*s%s%.*s, not for phase %.*s of task %.*s; when yours is done, run: "
                 "handoff finish",
                 HO_ARG(own), task.n ? " of task " : "", HO_ARG(task), HO_ARG(phase->phase), HO_ARG(phase->task));
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_finish finish = {.summary = ho_arg_str(call, "summary"),
                      .meta_path = ho_arena_copy(call->arena, ho_access_variable("HANDOFF_META")),
                      .project = &call->project};
  ho_code code = ho_phase_args_end(call, &finish.phase, err);
  if (!code)
    code = refuse_other(&finish.phase, err);
  if (!code)
    code = ho_open_ledger(call, true, err);
  if (!code)
    code = ho_finish_phase(&finish, err);
  if (code)
    return code;
  ho_which_remember(&call->project, call->arena, finish.phase.task, finish.phase.phase, HO_WHICH_LEFT);
  put_result(call, &finish);
  return HO_OK;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  const ho_node *ended = ho_map_getz(call->result, "ended");
  (void)colour;
  ho_buf_puts(out, "Phase ");
  ho_term_put(out, ho_map_str(call->result, "phase"), HO_TERM_LINE);
  ho_buf_puts(out, " of task ");
  ho_term_put(out, ho_map_str(call->result, "task"), HO_TERM_LINE);
  ho_buf_puts(out, " is finished");
  if (ended && ended->count)
    ho_buf_printf(out, "; %zu open handoff%s ended", (size_t)ended->count, ho_plural((long long)ended->count));
  ho_buf_putc(out, '\n');
}

static const ho_field params[] = {HO_PARAM_TASK(0),
                                  HO_PARAM_PHASE(0),
                                  HO_PARAM_SLUG,
                                  {.name = "summary",
                                   .label = "TEXT",
                                   .doc = "What was done, in one to three sentences. Default: the objectives.",
                                   .type = HO_T_TEXT},
                                  HO_PARAM_AS,
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "finish", .fields = params};
static const ho_field result[] = {HO_TEXT_FIELD("task", "The task."),
                                  HO_TEXT_FIELD("phase", "The phase."),
                                  HO_TEXT_FIELD("status", "The status to return."),
                                  HO_TEXT_FIELD("summary", "What was done."),
                                  HO_TEXT_FIELD("meta", "Path of the return metadata."),
                                  HO_TEXT_FIELD("kept", "Where an older result was put that lay there."),
                                  HO_TEXT_FIELD("plan", "The plan in which the phase is marked."),
                                  {.name = "ended",
                                   .doc = "Ids of the phase's handoffs that were open.",
                                   .type = HO_T_LIST,
                                   .item = HO_T_TEXT,
                                   .flags = HO_MAY_BE_EMPTY},
                                  HO_NOTES_FIELD,
                                  HO_FIELDS_END};
static const ho_record result_record = {.name = "finish result", .fields = result};

const ho_command ho_command_finish = {
    .name = "finish",
    .group = "phases",
    .summary = "Finish a phase: metadata, plan and open handoffs",
    .doc =
        "The twin of 'pass', for a phase whose objectives are all done. Does all of the following, or nothing: writes "
        "the return metadata with the status implemented, marks the phase in the plan and ticks the boxes that are "
        "objectives, and ends the "
        "phase's open handoffs. While another agent, or another session of the same, holds the handoff that the phase "
        "goes on from, it is refused (exit status 6). Other documents that somebody holds, or that wait for a person, "
        "stay open. A phase that neither the plan nor a progress file has is refused (5), and so is another one than "
        "that for "
        "which 'run' started the agent (2). Afterwards, return 'implemented'.",
    .examples = "handoff finish --summary 'The start takes 1.2 ms; bench/start.sh shows it'",
    .teammate = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
