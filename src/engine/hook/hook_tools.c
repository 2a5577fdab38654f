/* Tool events: count, price, and ask for a handoff when it is time. */
#include <ctype.h>
#include <sys/stat.h>

#include "base/fs.h"
#include "engine/context/picture.h"
#include "engine/context/touched.h"
#include "engine/hook/hook.h"
#include "engine/ledger/draft.h"
#include "engine/project/paths.h"
#include "engine/project/quote.h"
#include "engine/which/which.h"

enum { COOL_MS = 5 * 60 * 1000, LINE_TOKENS = 12 /* estimate for a line of code */, NAME = 30 };

/* The file that a tool reads in whole or in part, absolute, or "". */
static ho_str file_read(ho_hook *hook)
{
  const ho_tool *tool = ho_harness_tool(hook->harness, ho_map_str(hook->in, "tool_name"));
  if (!tool || tool->kind != HO_TOOL_READ)
    return HO_EMPTY;
  ho_str path = ho_tool_target(tool, ho_map_getz(hook->in, "tool_input")), cwd = ho_map_str(hook->in, "cwd");
  if (!path.n || memchr(path.p, '\0', path.n))
    return HO_EMPTY;
  return ho_fs_join(hook->arena, cwd.n ? cwd : hook->project->root, path);
}

/* An upper bound for what the read would add: no file has more tokens than bytes. It is only counted if that
 * matters; a picture always costs what its pixels do. */
static int64_t price(ho_hook *hook, ho_str path, int64_t left)
{
  struct stat info;
  long long lines;
  if (ho_fs_stat(path.p, &info) != 0 || !S_ISREG(info.st_mode))
    return -1;
  int64_t tokens = ((int64_t)info.st_size + 3) / 4;
  if (info.st_size > left || ho_picture_named(path))
    tokens = ho_price_file(path.p, &hook->counter);
  const ho_node *limit = ho_node_at(hook->in, HO_STR("/tool_input/limit"));
  if (ho_node_to_int(limit, &lines) && lines > 0 && lines < tokens / LINE_TOKENS)
    tokens = lines * LINE_TOKENS;
  return tokens;
}

/* Why it is time, in a few words. Names of files are others' words: only a plain one is said. */
static ho_str reason(ho_hook *hook, const ho_hook_measure *m, size_t trigger)
{
  ho_arena *arena = hook->arena;
  const ho_context *c = &m->context;
  ho_str name = ho_fs_name(ho_str_of(m->facts.reread));
  if (!ho_quote_is_name(name) || name.n > NAME)
    name = HO_STR("the same content");
  switch (trigger) {
  case HO_TRIGGER_OVERFLOW:
    return ho_arena_printf(arena, "The next step needs about %lld tokens, but %lld are left.",
                           (long long)(m->facts.since + (m->facts.next ? m->facts.next_tokens : 0)),
                           (long long)(m->facts.used < m->facts.window ? m->facts.window - m->facts.used : 0));
  case HO_TRIGGER_OBJECTIVE:
    return HO_STR("An objective is done: a good moment.");
  case HO_TRIGGER_REREAD:
    return ho_arena_printf(arena, "You read %.*s %lld times without an edit.", HO_ARG(name),
                           (long long)m->facts.reread_count);
  default:
    return ho_arena_printf(arena, "Your context is %lld.%lld %% full.", (long long)c->tenths / 10,
                           (long long)c->tenths % 10);
  }
}

/* At most 60 tokens: they are paid for with every request that follows. The commands work as they stand. */
static ho_str nudge(ho_hook *hook, const ho_hook_measure *m, size_t trigger)
{
  if (trigger == HO_TRIGGER_OVERFLOW && m->facts.next && m->facts.next_tokens >= m->facts.window)
    return ho_arena_printf(hook->arena,
                           "[handoff] That file has about %lld tokens, more than any context here can hold. Read the "
                           "part that you need, or search it.",
                           (long long)m->facts.next_tokens);
  ho_str where = ho_hook_where(hook);
  if (trigger == HO_TRIGGER_OBJECTIVE && ho_trigger_finished(&m->facts))
    return ho_arena_printf(
        hook->arena, "[handoff] All objectives of the phase are done. Finish it: `handoff finish%.*s`", HO_ARG(where));
  if (ho_trigger_finished(&m->facts) && where.n) /* the options take the room of the reason */
    return ho_arena_printf(
        hook->arena,
        "[handoff] All objectives of the phase are done. Finish it: `handoff finish%.*s`, or if work "
        "is left: " HO_HOOK_PASS_AT("%.*s"),
        HO_ARG(where), HO_ARG(where));
  if (ho_trigger_finished(&m->facts))
    return ho_arena_printf(
        hook->arena,
        "[handoff] %.*s All objectives of the phase are done. Finish it: `handoff finish`, or if work "
        "is left: " HO_HOOK_PASS,
        HO_ARG(reason(hook, m, trigger)));
  return ho_arena_printf(hook->arena,
                         "[handoff] %.*s Hand off:%s\n"
                         "handoff pass%.*s --from - <<'EOF'\n## Immediate Next Action\nthe next step\nEOF",
                         HO_ARG(reason(hook, m, trigger)),
                         where.n ? "" : " " HO_HOOK_PASS ", or in full:", HO_ARG(where));
}

/* Does the command run `handoff WORD`? */
static bool runs(ho_str command, const char *word)
{
  static const char program[] = "handoff ";
  for (size_t at; (at = ho_str_find(command, program)) != HO_NONE;) {
    command = ho_str_trim(ho_str_sub(command, at + sizeof program - 1, command.n));
    if (ho_str_starts(command, word) &&
        (command.n == strlen(word) || !(isalnum((unsigned char)command.p[strlen(word)]))))
      return true;
  }
  return false;
}

/* Notes that the agent has handed off, has finished, or has taken something new. *yes: this call did one of these. */
static ho_code note_command(ho_hook *hook, ho_hook_measure *m, bool *yes, ho_error *err)
{
  const ho_tool *tool = ho_harness_tool(hook->harness, ho_map_str(hook->in, "tool_name"));
  ho_str command =
      tool && tool->kind == HO_TOOL_SHELL ? ho_tool_target(tool, ho_map_getz(hook->in, "tool_input")) : HO_EMPTY;
  bool passed = false;
  ho_code code = HO_OK;
  *yes = false;
  if (ho_str_find(command, "handoff ") == HO_NONE)
    return HO_OK;
  ho_hook_agent_note(hook, command);
  if (runs(command, "pass"))
    code = ho_hook_handed_off(hook, &passed, err);
  if (!code && passed)
    m->nudges.passed = HO_NUDGE_PASSED;
  else if (runs(command, "finish"))
    m->nudges.passed = HO_NUDGE_REMINDED;
  else if (runs(command, "next") || runs(command, "progress start"))
    m->nudges.passed = HO_NUDGE_WORKING;
  else
    return code;
  *yes = true;
  return code;
}

static ho_code remind(ho_hook *hook, ho_hook_measure *m, ho_error *err)
{
  bool first = m->nudges.passed == HO_NUDGE_PASSED;
  m->nudges.passed = HO_NUDGE_REMINDED;
  ho_code code = ho_hook_keep(hook, m, err);
  if (!code && first)
    hook->said =
        HO_STR("[handoff] You have handed off. Return `partial` with the path that `handoff pass` printed, and "
               "stop.");
  return code;
}

static ho_code ask(ho_hook *hook, ho_hook_measure *m, ho_error *err)
{
  ho_trigger triggers[HO_TRIGGERS];
  if (m->scan.compactions > m->before.compactions) /* it forgot what it was told, and has been told to go on */
    m->nudges.passed = HO_NUDGE_WORKING;
  if (m->nudges.passed)
    return remind(hook, m, err);
  ho_triggers_find(&m->facts, triggers);
  const ho_trigger *chosen = ho_nudge_choose(&m->nudges, &m->facts, triggers, ho_hook_now(hook), COOL_MS);
  ho_code code = ho_hook_keep(hook, m, err);
  if (!code && chosen) /* without being recorded it would be repeated again and again */
    hook->said = nudge(hook, m, (size_t)(chosen - triggers));
  return code;
}

ho_code ho_hook_before_tool(ho_hook *hook, ho_error *err)
{
  ho_hook_measure *m = ho_hook_measured(hook);
  if (!m)
    return ho_arena_code(hook->arena, err);
  m->nudges.settled = 0;
  ho_str path = file_read(hook);
  int64_t left = m->facts.window - m->facts.used - m->facts.since;
  int64_t tokens = path.n ? price(hook, path, left) : -1;
  if (tokens >= 0) {
    m->facts.next = path.p;
    m->facts.next_tokens = tokens;
  }
  return ask(hook, m, err);
}

typedef struct toucher {
  ho_hook *hook;
  const ho_phase *phase;
  ho_str cwd, notes;
} toucher;

/* Notes a file of the worktree. What the program itself writes and shows is not worth a word. */
static void touch(void *world, ho_tool_kind kind, ho_str file)
{
  const toucher *t = world;
  ho_arena *arena = t->hook->arena;
  const ho_phase *phase = t->phase;
  if (!file.n || memchr(file.p, '\0', file.n))
    return;
  ho_str full = ho_fs_join(arena, t->cwd, file), path = ho_fs_relative(phase->root, full);
  ho_str own[] = {HO_STR(HO_PATH_FOLDER), ho_fs_parent(phase->progress),
                  ho_fs_join(arena, phase->folder, HO_STR("handoffs"))};
  if (!ho_fs_below(phase->root, full) || !ho_fs_is_file(full.p))
    return;
  for (size_t i = 0; i < HO_COUNT(own); i++)
    if (ho_fs_below(own[i], path))
      return;
  ho_touched_note(arena, t->notes, kind, path);
}

static void note_files(ho_hook *hook, const ho_phase *phase)
{
  const ho_tool *tool = ho_harness_tool(hook->harness, ho_map_str(hook->in, "tool_name"));
  ho_str cwd = ho_map_str(hook->in, "cwd");
  toucher t = {.hook = hook,
               .phase = phase,
               .cwd = cwd.n && cwd.p[0] == '/' ? cwd : phase->root,
               .notes = ho_touched_path(hook->arena, hook->project->home, phase->task, phase->phase)};
  if (tool)
    ho_touched_by(tool, ho_map_getz(hook->in, "tool_input"), touch, &t);
}

ho_code ho_hook_after_tool(ho_hook *hook, ho_error *err)
{
  ho_hook_measure *m = ho_hook_measured(hook);
  ho_phase phase;
  ho_doc doc;
  bool noted;
  if (!m)
    return ho_arena_code(hook->arena, err);
  m->nudges.settled = 0;
  /* what a lead told its teammate is no person's request */
  if (!m->before.offset && m->scan.offset && !ho_map_getz(hook->in, "agent_id") && !getenv("HANDOFF_META"))
    ho_which_request(hook->project, hook->arena, ho_draft_request(hook->arena, hook->transcript.p));
  ho_code code = note_command(hook, m, &noted, err);
  if (code || noted)
    return code ? code : ho_hook_keep(hook, m, err);
  ho_str path = file_read(hook);
  int64_t tokens = path.n ? price(hook, path, INT64_MAX) : 0;
  if (tokens > 0 && m->context.evidence != HO_EVIDENCE_USAGE && m->context.evidence != HO_EVIDENCE_STATUSLINE)
    m->scan.read_tokens += tokens;
  bool tracked = ho_hook_progress(hook, hook->task, hook->phase, &phase, &doc);
  if (tracked) {
    m->facts.objectives_known = true;
    ho_progress_count count = ho_progress_counted(doc.root);
    m->facts.objectives_done = (int64_t)count.done;
    m->facts.objectives_total = (int64_t)count.total;
    if (!m->kept) /* what predecessors completed is not new */
      m->nudges.objectives_done = m->facts.objectives_done;
    m->facts.objectives_before = m->nudges.objectives_done;
  }
  code = ask(hook, m, err);
  if (!code && tracked)
    note_files(hook, &phase);
  return code;
}
