/* An agent stops: is it leaving work without a handoff? It is asked, and blocked only if the project says so. */
#include "engine/hook/hook.h"
#include "engine/ledger/draft.h"
#include "engine/project/identity.h"
#include "engine/project/project.h"
#include "engine/project/quote.h"
#include "engine/project/settings.h"
#include "engine/relay/finish.h"
#include "store/handoffs/handoffs.h"

enum { LONGEST_LIST = 500 };
static const int64_t hour_ms = 60 * 60 * 1000;

/* Is it a handoff that this session wrote, or may have written: about its task, by a command that did not know its
 * session? What the session holds was written by another. */
static bool is_own(ho_hook *hook, const ho_project *project, const ho_handoff *row)
{
  if (ho_draft_is(row, hook->arena) || ho_str_eq(row->claim_session, project->session))
    return false;
  ho_str task = ho_id_plain(hook->task), phase = ho_id_plain(hook->phase);
  if (hook->named_phase && !(ho_str_eq(row->task, task) && ho_str_eq(row->phase, phase)))
    return false; /* that of another agent of the session */
  if (ho_str_eq(row->session, project->session))
    return true;
  return ho_str_starts(row->session, "local-") && (!task.n || ho_str_eq(row->task, task)) &&
         (!phase.n || ho_str_eq(row->phase, phase));
}

ho_code ho_hook_handed_off(ho_hook *hook, bool *yes, ho_error *err)
{
  ho_project *project = hook->project;
  ho_handoff_list list;
  bool there;
  *yes = false;
  ho_code code = ho_hook_open(hook, &there, err);
  if (code || !there)
    return code;
  ho_filter filter = {.since = ho_hook_now(hook) - hour_ms, .limit = LONGEST_LIST};
  code = ho_handoffs_select(project->store, &filter, hook->arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++)
    *yes = *yes || is_own(hook, project, &list.rows[i]);
  return code;
}

/* Once per usage level, independently of what is said during the work; open objectives alone count as the lowest
 * level. */
static ho_code first_at_level(ho_hook *hook, const ho_hook_measure *m, bool full, bool *first, ho_error *err)
{
  ho_trigger triggers[HO_TRIGGERS];
  ho_scan *none = HO_NEW(hook->arena, ho_scan);
  ho_nudges nudges;
  ho_trigger_facts facts = {.used = m->threshold, .window = 100, .threshold = m->threshold};
  if (full) {
    facts.used = m->facts.used;
    facts.window = m->facts.window;
  }
  ho_str name = ho_arena_printf(hook->arena, "%.*s-stop", HO_ARG(hook->session));
  ho_str path = ho_context_path(hook->arena, hook->project->root, name, HO_SCAN_SUFFIX);
  if (!none || !path.n)
    return ho_arena_code(hook->arena, err);
  ho_scan_load(none, &nudges, hook->arena, path.p);
  ho_triggers_find(&facts, triggers);
  triggers[HO_TRIGGER_OVERFLOW].fires = false;
  *first = ho_nudge_choose(&nudges, &facts, triggers, ho_hook_now(hook), 0) != NULL;
  return *first ? ho_scan_save(none, &nudges, hook->arena, path.p, err) : HO_OK;
}

/* How far the agent's phase is. A subagent only does part of its objectives, so that nothing is known of it. */
typedef struct standing {
  size_t open;   /* objectives that are neither done nor blocked */
  ho_str first;  /* the id of the first one */
  bool complete; /* all are done, but the phase is not finished */
  bool stuck;    /* some are left, and all of them blocked */
} standing;

static standing look(ho_hook *hook)
{
  ho_phase phase;
  ho_doc doc;
  ho_str summary;
  standing at = {0};
  if (hook->event->moment == HO_MOMENT_SUBAGENT_STOP || !ho_hook_progress(hook, hook->task, hook->phase, &phase, &doc))
    return at;
  ho_progress_count count = ho_progress_counted(doc.root);
  const ho_node *current = ho_progress_current(doc.root);
  ho_str id = current ? ho_progress_id(doc.root, current, hook->arena) : HO_EMPTY;
  if (ho_quote_is_name(id))
    at.first = id;
  at.complete = count.total && count.done == count.total && !ho_finish_was(&phase, doc.root, &summary);
  at.stuck = ho_progress_stuck(doc.root);
  at.open = count.total - count.done - count.blocked;
  return at;
}

/* It did everything and stops; nobody will know unless the phase is finished. */
static void ask_to_finish(ho_hook *hook)
{
  if (hook->event->moment == HO_MOMENT_STOP && !hook->assigned)
    hook->form = HO_HOOK_MESSAGE;
  hook->said =
      hook->form == HO_HOOK_MESSAGE
          ? HO_STR("[handoff] The agent stopped with all objectives of its phase done. If nothing is left, ask it "
                   "to run `handoff finish`.")
          : HO_STR("[handoff] All objectives of the phase are done, but it is not finished. If nothing is left: "
                   "`handoff finish`");
}

/* Only a person can help, and nobody asks one unless the agent does. */
static void ask_to_ask(ho_hook *hook)
{
  if (hook->event->moment == HO_MOMENT_STOP && !hook->assigned)
    hook->form = HO_HOOK_MESSAGE;
  hook->said =
      hook->form == HO_HOOK_MESSAGE
          ? HO_STR("[handoff] The agent stopped: every objective that is left of its phase is blocked. See by "
                   "what: `handoff progress show`")
          : HO_STR(
                "[handoff] Every objective that is left is blocked. If you have not asked a person: " HO_PROGRESS_ASK);
}

/* The same news for the agent, who can act on it, and for the person at the terminal, who can only pass it on. */
static ho_str what_is_missing(ho_hook *hook, const ho_hook_measure *m, bool full, size_t open, ho_str first)
{
  ho_str what =
      full ? ho_arena_printf(hook->arena, "its context %lld %% full", (long long)m->context.tenths / 10)
           : ho_arena_printf(hook->arena, "%zu objective%s of the phase open", open, ho_plural((long long)open));
  if (hook->form == HO_HOOK_MESSAGE)
    return ho_arena_printf(hook->arena,
                           "[handoff] The agent stopped with %.*s and no handoff. If its work is not finished, ask it "
                           "to run " HO_HOOK_PASS ".",
                           HO_ARG(what));
  if (full)
    what = ho_arena_printf(hook->arena, "your%.*s", HO_ARG(ho_str_sub(what, 3, what.n)));
  ho_str finished =
      first.n ? ho_arena_printf(hook->arena, "`handoff progress done %.*s`", HO_ARG(ho_quote_shell(hook->arena, first)))
              : HO_STR("just stop again");
  return ho_arena_printf(hook->arena,
                         "[handoff] You are stopping with %.*s and no handoff. If work is left: " HO_HOOK_PASS_AT(
                             "%.*s") ". If it is done: %.*s.",
                         HO_ARG(what), HO_ARG(ho_hook_where(hook)), HO_ARG(finished));
}

/* How it is said: to the agent; to the person if the agent has no task; as a refusal if the project wants that. If
 * the harness does not say whether the agent was already kept from stopping, it is refused only once per level. */
static ho_hook_form form_of(ho_hook *hook, bool first)
{
  bool block = ho_str_is(ho_settings_text(&hook->project->settings, "without_handoff"), "block");
  if (block && (first || ho_map_getz(hook->in, "stop_hook_active")))
    return HO_HOOK_BLOCK;
  if (!first)
    return HO_HOOK_SILENT;
  return hook->event->moment == HO_MOMENT_STOP && !hook->assigned ? HO_HOOK_MESSAGE : hook->form;
}

/* The harness's own helper, which summarises for a compaction: an agent of no type. */
static bool is_helper(const ho_hook *hook)
{
  const ho_node *type = ho_map_getz(hook->in, "agent_type");
  return hook->event->moment == HO_MOMENT_SUBAGENT_STOP && ho_node_is(type, HO_KIND_TEXT) && !type->text.n;
}

/* Nothing is missing, but somebody may be waiting for this agent. Each is mentioned once. */
static ho_code settle(ho_hook *hook, ho_hook_measure *m, ho_error *err)
{
  m->nudges.settled = 1;
  if (hook->event->moment == HO_MOMENT_STOP && ho_hook_inbox(hook, &m->nudges.told) && !hook->assigned)
    hook->form = HO_HOOK_MESSAGE;
  return ho_hook_keep(hook, m, err);
}

ho_code ho_hook_stop(ho_hook *hook, ho_error *err)
{
  bool first = false, handed = false;
  if (is_helper(hook))
    return HO_OK;
  ho_hook_measure *m = ho_hook_measured(hook);
  if (!m)
    return ho_arena_code(hook->arena, err);
  ho_code code = ho_hook_keep(hook, m, err);
  if (code || ho_node_true(ho_map_getz(hook->in, "stop_hook_active")))
    return code;
  bool full = ho_nudge_level(m->facts.used, m->facts.window, m->threshold) > 0;
  standing at = look(hook);
  if (!full && !at.open && !at.complete && !at.stuck)
    return settle(hook, m, err);
  code = ho_hook_handed_off(hook, &handed, err);
  if (!code && !handed)
    code = first_at_level(hook, m, full, &first, err);
  if (code || handed)
    return code;
  if (at.complete || at.stuck) {
    if (first && at.stuck)
      ask_to_ask(hook);
    else if (first)
      ask_to_finish(hook);
    return HO_OK;
  }
  hook->form = form_of(hook, first);
  hook->said = what_is_missing(hook, m, full, at.open, at.first);
  return HO_OK;
}
