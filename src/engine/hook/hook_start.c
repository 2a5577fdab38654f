/* A session begins: it is told which handoff is its own, or which ones there are. */
#include <fcntl.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/fs.h"
#include "base/time.h"
#include "engine/hook/hook.h"
#include "engine/ledger/holder.h"
#include "engine/ledger/release.h"
#include "engine/project/identity.h"
#include "engine/project/quote.h"
#include "engine/relay/news.h"
#include "engine/which/which.h"

enum { OWN = 20 /* newest handoffs of a session that are looked at */ };

static const ho_handoff no_draft = {0};

static ho_code say(ho_hook *hook, const ho_handoff *row, const ho_handoff *draft, const char *what, bool claimed,
                   ho_error *err)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  ho_buf_printf(&out, "[handoff] %s: %.*s, state %.*s. ", what, HO_ARG(ho_hook_named(hook, row)),
                HO_ARG(ho_quote_name(hook->arena, row->state)));
  ho_str id = ho_quote_name(hook->arena, row->id);
  bool others = !ho_str_eq(row->session, hook->project->session);
  if (claimed)
    ho_hook_put_claim(hook, &out, row);
  else if (others && ho_str_is(row->state, ho_state_name(HO_STATE_DRAFT)))
    ho_buf_printf(
        &out, "To confirm it: `handoff answer %.*s --note 'I continue it'`; to discard it: `" HO_HOOK_DISCARD "`.\n",
        HO_ARG(id), HO_ARG(id));
  else
    ho_buf_putc(&out, '\n');
  ho_code code = ho_hook_put_page(hook, &out, row, draft, err);
  hook->said = ho_buf_move(&out, hook->arena);
  if (!code && row->task.n && row->phase.n)
    ho_which_remember(hook->project, hook->arena, row->task, row->phase, claimed ? HO_WHICH_NAMED : HO_WHICH_ASKED);
  return code;
}

/* The handoff that the session holds, and what was drafted since: before a compaction, or of one that died. */
static ho_code say_held(ho_hook *hook, const ho_handoff *row, const char *what, ho_error *err)
{
  ho_handoff draft = no_draft;
  ho_code code = HO_OK;
  if (row->task.n && row->phase.n)
    code = ho_news_draft(hook->project, hook->arena, row->task, row->phase, row->created, &draft, err);
  return code ? code : say(hook, row, &draft, what, true, err);
}

/* Does a session say how far the phase is, without a handoff of it? That of a day is nobody's in particular: whoever began
 * the phase by hand does not work on it. */
static bool is_worked_on(ho_hook *hook, ho_str task, ho_str phase)
{
  ho_which_list workers = ho_which_workers(hook->project, hook->arena);
  int64_t since = ho_hook_now(hook) - ho_settings_number(&hook->project->settings, "lease") * 1000;
  for (size_t i = 0; i < workers.count; i++)
    if (!ho_identity_is_day(workers.items[i].session) && ho_which_works_on(&workers.items[i], task, phase, since))
      return true;
  return false;
}

/* What somebody holds of the task, the newest first. */
static ho_code list_held(ho_hook *hook, ho_str task, ho_str phase, int64_t most, ho_handoff_list *out, ho_error *err)
{
  ho_filter filter = {
      .state = ho_arena_printf(hook->arena, "%s|%s", ho_state_name(HO_STATE_CLAIMED), ho_state_name(HO_STATE_ACKED)),
      .task = ho_id_plain(task),
      .phase = ho_id_plain(phase),
      .limit = most};
  *out = (ho_handoff_list){0};
  return ho_handoffs_select(hook->project->store, &filter, hook->arena, out, err);
}

/* Does a running session hold a handoff of the task, or work on it without one? */
ho_code ho_hook_taken(ho_hook *hook, ho_str task, ho_str phase, bool *yes, ho_error *err)
{
  ho_handoff_list held;
  *yes = is_worked_on(hook, ho_id_plain(task), ho_id_plain(phase));
  ho_code code = *yes ? HO_OK : list_held(hook, task, phase, 1, &held, err);
  *yes = *yes || (!code && held.count);
  return code;
}

/* What sessions held that have ended is open again; drafts that they no longer need are gone. */
static ho_code release(ho_hook *hook, ho_error *err)
{
  ho_handoff_list held;
  size_t count;
  ho_code code = list_held(hook, hook->task, hook->phase, 1, &held, err);
  if (!code && held.count)
    code = ho_release_sessions(hook->project, hook->task, hook->phase, &count, err);
  return code ? code : ho_release_drafts(hook->project, err);
}

/* "another session of yours holds it until …", and how it can be taken over then. */
static void put_elsewhere(const ho_hook *hook, ho_buf *out, const ho_handoff *row)
{
  ho_str who = ho_holder_namesake(hook->project, row) ? HO_STR("another session of yours")
                                                      : ho_quote_name(hook->arena, row->claimed_by);
  ho_buf_printf(out, "%.*s holds it until %.*s. Leave it to that session; once it is free, ", HO_ARG(who),
                HO_ARG(ho_time_str(hook->arena, row->lease_until)));
  ho_hook_put_next(hook, out, row);
  ho_buf_puts(out, ".\n");
}

/* Adds what other sessions of the same agent hold: one may have died a moment ago, and its work seems to be gone. */
static ho_code mention_elsewhere(ho_hook *hook, ho_error *err)
{
  enum { LOOKED_AT = 100, SHOWN = 3 };
  ho_handoff_list held;
  ho_buf out;
  size_t count = 0;
  ho_code code = list_held(hook, hook->task, hook->phase, LOOKED_AT, &held, err);
  ho_buf_init(&out, 0);
  for (size_t i = 0; !code && i < held.count; i++) {
    if (!ho_holder_namesake(hook->project, &held.rows[i]) ||
        !ho_holder_other(hook->project, hook->arena, &held.rows[i]))
      continue;
    if (++count > SHOWN)
      break;
    ho_buf_printf(&out, "[handoff] %.*s: ", HO_ARG(ho_hook_named(hook, &held.rows[i])));
    put_elsewhere(hook, &out, &held.rows[i]);
  }
  if (count > SHOWN)
    ho_buf_puts(&out, "[handoff] Other sessions of yours hold more; see `handoff status`.\n");
  ho_str text = ho_buf_move(&out, hook->arena);
  if (!code && text.n)
    hook->said = ho_arena_printf(hook->arena, "%.*s%s%.*s", HO_ARG(hook->said), hook->said.n ? "\n" : "", HO_ARG(text));
  return code;
}

static const char drafted[] =
    "No handoff is waiting for this task. An unconfirmed draft about an agent that worked on it";

/* Claims a handoff of the task that the session was started for. */
static ho_code claim(ho_hook *hook, bool *claimed, ho_error *err)
{
  ho_project *project = hook->project;
  ho_delivery d = {.task = hook->task, .phase = hook->phase};
  ho_handoff draft;
  bool held_by_another = false;
  ho_code code = ho_release_and_claim(project, hook->arena, &d, err);
  if (!code)
    code = ho_news_draft(project, hook->arena, hook->task, d.found ? d.row.phase : hook->phase,
                         d.found ? d.row.created : 0, &draft, err);
  if (!code && !d.found && draft.id.n)
    code = ho_hook_taken(hook, hook->task, hook->phase, &held_by_another, err);
  if (code || !d.found)
    return code || !draft.id.n || held_by_another ? code : say(hook, &draft, &no_draft, drafted, false, err);
  *claimed = true;
  ho_hook_keep_claim(hook, d.row.id, d.token);
  ho_hook_trace(hook);
  return say(hook, &d.row, &draft, "The pending handoff for this task", true, err);
}

/* The newest open handoff that the session wrote, or that was drafted for it. */
static ho_code find_own(ho_hook *hook, ho_handoff *row, bool *found, ho_error *err)
{
  ho_handoff_list list;
  ho_state state;
  ho_filter filter = {.session = hook->project->session, .limit = OWN};
  *found = false;
  if (!filter.session.n)
    return HO_OK;
  ho_code code = ho_handoffs_select(hook->project->store, &filter, hook->arena, &list, err);
  for (size_t i = 0; !code && !*found && i < list.count; i++) {
    *found = ho_state_named(list.rows[i].state, &state) && ho_state_open(state);
    *row = list.rows[i];
  }
  return code;
}

/* What the session wrote before. If somebody else works on it by now, it is told so and nothing that it could work by. A
 * draft about no phase is only what was seen of it: what it was offered, and may be at without having taken it, is offered
 * again. */
static ho_code say_own(ho_hook *hook, const ho_handoff *row, const char *what, ho_error *err)
{
  ho_buf out;
  if (!ho_holder_other(hook->project, hook->arena, row)) {
    ho_code code = say(hook, row, &no_draft, what, false, err);
    bool seen = ho_str_is(row->state, ho_state_name(HO_STATE_DRAFT)) && !row->task.n;
    return code || !seen ? code : ho_hook_offer(hook, row->id, err);
  }
  ho_buf_init(&out, 0);
  ho_buf_printf(&out, "[handoff] %s: %.*s, state %.*s; ", what, HO_ARG(ho_hook_named(hook, row)),
                HO_ARG(ho_quote_name(hook->arena, row->state)));
  put_elsewhere(hook, &out, row);
  hook->said = ho_buf_move(&out, hook->arena);
  return HO_OK;
}

/* The lead that started the session gave it the page as its prompt. */
static bool has_page(ho_str source)
{
  return getenv("HANDOFF_META") && getenv("HANDOFF_SESSION") && (!source.n || ho_str_is(source, "startup"));
}

static ho_code start_in(ho_hook *hook, ho_error *err)
{
  ho_handoff held, own;
  bool holds, wrote = false, claimed = false;
  ho_str source = ho_map_str(hook->in, "source");
  bool compacted = ho_str_is(source, "compact");
  bool goes_on = compacted || ho_str_is(source, "resume") || ho_str_is(source, "fork");
  ho_code code = ho_hook_held(hook, &held, &holds, err);
  if (!code && holds)
    ho_hook_trace(hook);
  if (code || has_page(source))
    return code;
  if (holds)
    return say_held(hook, &held, compacted ? "Your context was compacted. You are working on" : "You are working on",
                    err);
  if (goes_on)
    code = find_own(hook, &own, &wrote, err);
  if (!code && wrote)
    return say_own(hook, &own, compacted ? "Your context was compacted. Your latest handoff" : "Your latest handoff",
                   err);
  if (!code)
    code = hook->assigned && !compacted ? claim(hook, &claimed, err) : ho_hook_offer(hook, HO_EMPTY, err);
  return code || claimed || compacted ? code : mention_elsewhere(hook, err);
}

/* A harness may run the agent's commands with the variables that a hook leaves in a file: so they know whose they
 * are. */
static void tell_session(ho_hook *hook)
{
  const char *file = hook->harness->env_file ? getenv(hook->harness->env_file) : NULL;
  ho_str id = hook->project->session;
  if (!file || file[0] != '/' || getenv("HANDOFF_SESSION") || !ho_str_eq(id, ho_map_str(hook->in, "session_id")))
    return;
  int fd = ho_fs_open_named(file, O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0600);
  ho_str line = ho_arena_printf(hook->arena, "export HANDOFF_SESSION=%.*s\n", HO_ARG(id));
  if (fd >= 0 && write(fd, line.p, line.n) < 0) {
    /* if that fails, the commands get the day's session */
  }
  if (fd >= 0)
    close(fd);
}

/* Whatever it handed off before, and if it had ended: now it works, and what it claims is not released. Where it works is
 * known from now on, in case it dies. */
static void works_again(ho_hook *hook)
{
  ho_error none = {0};
  ho_hook_trace(hook);
  ho_hook_measure *m = ho_hook_measured(hook);
  if (m && m->nudges.passed) {
    m->nudges.passed = HO_NUDGE_WORKING;
    (void)!ho_hook_keep(hook, m, &none);
  }
}

static void mention(ho_hook *hook)
{
  ho_error none = {0};
  ho_hook_measure *m = ho_hook_measured(hook);
  int64_t told = 0; /* a session that begins is told of everything */
  if (!ho_hook_inbox(hook, &told) || !m)
    return;
  m->nudges.told = told;
  (void)!ho_hook_keep(hook, m, &none);
}

/* Without a database nothing is offered. That there should be one, as in a fresh clone, the session is to tell a person:
 * agents cannot make it again. */
static void say_lost(ho_hook *hook)
{
  ho_error why = {0};
  if (ho_project_refuse_lost(hook->project, &why) == HO_STORE)
    hook->said = ho_arena_printf(hook->arena, "[handoff] No handoff can be offered. Tell the person: %s.", why.message);
}

ho_code ho_hook_start(ho_hook *hook, ho_error *err)
{
  bool there = false;
  tell_session(hook);
  works_again(hook);
  ho_context_sweep(hook->arena, hook->project->root, ho_hook_now(hook));
  ho_code code =
      has_page(ho_map_str(hook->in, "source")) ? HO_OK : ho_release_work(hook->project, hook->task, hook->phase, err);
  if (!code)
    code = ho_hook_open(hook, &there, err);
  if (!code && !there)
    say_lost(hook);
  if (code || !there)
    return code;
  if (!has_page(ho_map_str(hook->in, "source")))
    code = release(hook, err);
  if (!code)
    code = start_in(hook, err);
  if (!code && !has_page(ho_map_str(hook->in, "source")))
    ho_hook_known(hook);
  if (!code)
    mention(hook);
  return code;
}
