/* Tool events: count, price, and ask for a handoff when it is time. */
#include <sys/stat.h>

#include "base/fs.h"
#include "engine/hook/hook.h"
#include "engine/project/quote.h"

enum { COOL_MS = 5 * 60 * 1000, LINE_TOKENS = 12 /* estimate for a line of code */, NAME = 160 };

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
 * matters. */
static int64_t price(ho_hook *hook, ho_str path, int64_t left)
{
  struct stat info;
  long long lines;
  if (ho_fs_stat(path.p, &info) != 0 || !S_ISREG(info.st_mode))
    return -1;
  int64_t tokens = ((int64_t)info.st_size + 3) / 4;
  if (info.st_size > left)
    tokens = ho_price_file(path.p, &hook->counter);
  const ho_node *limit = ho_node_at(hook->in, HO_STR("/tool_input/limit"));
  if (ho_node_to_int(limit, &lines) && lines > 0 && lines < tokens / LINE_TOKENS)
    tokens = lines * LINE_TOKENS;
  return tokens;
}

/* "Your context is 82.4 % full (164800 of 200000 tokens; evidence: usage)." as far as known. */
static ho_str fullness(ho_hook *hook, const ho_context *c)
{
  if (c->tenths < 0)
    return HO_EMPTY;
  return ho_arena_printf(hook->arena, "Your context is %lld.%lld %% full (%lld of %lld tokens; evidence: %s). ",
                         (long long)c->tenths / 10, (long long)c->tenths % 10, (long long)c->used,
                         (long long)c->window.effective, ho_evidence_name(c->evidence));
}

static ho_str nudge(ho_hook *hook, const ho_hook_measure *m, const ho_trigger *trigger)
{
  bool full = strcmp(trigger->name, "threshold") == 0;
  ho_str why = ho_quote_clean(hook->arena, ho_str_of(trigger->why), sizeof trigger->why, true);
  ho_str evidence = fullness(hook, &m->context);
  ho_str reason =
      full ? ho_arena_printf(hook->arena, "This project wants a handoff at %lld %%.", (long long)m->threshold)
           : ho_arena_printf(hook->arena, "Hand off now (%s): %.*s.", trigger->name, HO_ARG(why));
  return ho_arena_printf(
      hook->arena,
      "[handoff] %.*s%.*s Run `handoff pass%.*s --next 'the one concrete next step'`: it writes the handoff, the "
      "progress file and the return metadata for a successor. If your work is nearly done, finish it first.",
      HO_ARG(evidence), HO_ARG(reason), HO_ARG(ho_hook_where(hook)));
}

/* A name from the project or the transcript: in backticks, so that it cannot pass for anything else. */
static const char *named(ho_hook *hook, const char *path)
{
  if (!path)
    return NULL;
  ho_str clean = ho_quote_path(hook->arena, ho_quote_clean(hook->arena, ho_str_of(path), NAME, true));
  return ho_arena_printf(hook->arena, "`%.*s`", HO_ARG(clean)).p;
}

static ho_code ask(ho_hook *hook, ho_hook_measure *m, ho_error *err)
{
  ho_trigger triggers[HO_TRIGGERS];
  m->facts.next = named(hook, m->facts.next);
  m->facts.reread = named(hook, m->facts.reread);
  ho_triggers_find(&m->facts, triggers);
  const ho_trigger *chosen = ho_nudge_choose(&m->nudges, &m->facts, triggers, ho_hook_now(hook), COOL_MS);
  ho_code code = ho_hook_keep(hook, m, err);
  if (!code && chosen) /* without being recorded it would be repeated again and again */
    hook->said = nudge(hook, m, chosen);
  return code;
}

ho_code ho_hook_before_tool(ho_hook *hook, ho_error *err)
{
  ho_hook_measure *m = ho_hook_measured(hook);
  if (!m)
    return ho_arena_code(hook->arena, err);
  ho_str path = file_read(hook);
  int64_t left = m->facts.window - m->facts.used - m->facts.since;
  int64_t tokens = path.n ? price(hook, path, left) : -1;
  if (tokens >= 0) {
    m->facts.next = path.p;
    m->facts.next_tokens = tokens;
  }
  return ask(hook, m, err);
}

ho_code ho_hook_after_tool(ho_hook *hook, ho_error *err)
{
  ho_hook_measure *m = ho_hook_measured(hook);
  ho_phase phase;
  ho_doc doc;
  if (!m)
    return ho_arena_code(hook->arena, err);
  ho_str path = file_read(hook);
  int64_t tokens = path.n ? price(hook, path, INT64_MAX) : 0;
  if (tokens > 0 && m->context.evidence != HO_EVIDENCE_USAGE && m->context.evidence != HO_EVIDENCE_STATUSLINE)
    m->scan.read_tokens += tokens;
  if (ho_hook_progress(hook, hook->task, hook->phase, &phase, &doc)) {
    m->facts.objectives_known = true;
    m->facts.objectives_done = (int64_t)ho_progress_counted(doc.root).done;
    if (!m->kept) /* what predecessors completed is not new */
      m->nudges.objectives_done = m->facts.objectives_done;
    m->facts.objectives_before = m->nudges.objectives_done;
  }
  return ask(hook, m, err);
}
