#include "engine/context/triggers.h"

enum { THRESHOLD = 80, REREADS = 3 };

static int64_t threshold_of(const ho_trigger_facts *facts)
{
  return facts->threshold > 0 ? facts->threshold : THRESHOLD;
}

static bool known(const ho_trigger_facts *facts, ho_trigger *out)
{
  if (facts->used < 0)
    snprintf(out->why, sizeof out->why, "context usage is unknown");
  else if (facts->window <= 0)
    snprintf(out->why, sizeof out->why, "the model's context window is unknown");
  return facts->used >= 0 && facts->window > 0;
}

static void find_threshold(const ho_trigger_facts *facts, ho_trigger *out)
{
  int64_t percent = threshold_of(facts);
  out->name = "threshold";
  if (!known(facts, out))
    return;
  out->fires = ho_nudge_level(facts->used, facts->window, percent) > 0;
  snprintf(out->why, sizeof out->why, "%lld of %lld tokens are used, %s %lld %%", (long long)facts->used,
           (long long)facts->window, out->fires ? "at least" : "less than", (long long)percent);
}

static void find_overflow(const ho_trigger_facts *facts, ho_trigger *out)
{
  out->name = "overflow";
  if (!known(facts, out))
    return;
  int64_t next = facts->next ? facts->next_tokens : 0, left = facts->window - facts->used;
  out->fires = facts->since + next > left;
  if (facts->next)
    snprintf(out->why, sizeof out->why, "%.200s has about %lld tokens, but %lld are left", facts->next, (long long)next,
             (long long)(left > facts->since ? left - facts->since : 0));
  else if (out->fires)
    snprintf(out->why, sizeof out->why, "about %lld tokens are waiting to be sent, but %lld are left",
             (long long)facts->since, (long long)(left > 0 ? left : 0));
  else
    snprintf(out->why, sizeof out->why, "no --next-read given");
}

bool ho_trigger_finished(const ho_trigger_facts *facts)
{
  return facts->objectives_known && facts->objectives_total > 0 && facts->objectives_done >= facts->objectives_total;
}

/* Below half of the threshold there is room for the next objective. */
static bool is_early(const ho_trigger_facts *facts)
{
  return facts->used < 0 || facts->window <= 0 || facts->used * 200 < threshold_of(facts) * facts->window;
}

static void find_objective(const ho_trigger_facts *facts, ho_trigger *out)
{
  bool more = facts->objectives_known && facts->objectives_done > facts->objectives_before;
  out->name = "objective";
  out->fires = more && (ho_trigger_finished(facts) || !is_early(facts));
  if (!facts->objectives_known)
    snprintf(out->why, sizeof out->why, "no progress file was read");
  else if (more && !out->fires)
    snprintf(out->why, sizeof out->why,
             "an objective was completed, but the context is not known to be half as full as "
             "the threshold");
  else
    snprintf(out->why, sizeof out->why, "%lld %s done, %lld when it was last asked", (long long)facts->objectives_done,
             ho_plural_of(facts->objectives_done, "objective is", "objectives are"),
             (long long)facts->objectives_before);
}

static void find_reread(const ho_trigger_facts *facts, ho_trigger *out)
{
  int64_t limit = facts->reread_limit > 0 ? facts->reread_limit : REREADS;
  out->name = "reread";
  out->fires = facts->reread && facts->reread_count >= limit;
  if (facts->reread)
    snprintf(out->why, sizeof out->why, "%.200s was read %lld time%s without an edit in between", facts->reread,
             (long long)facts->reread_count, ho_plural(facts->reread_count));
  else
    snprintf(out->why, sizeof out->why, "nothing was read");
}

void ho_triggers_find(const ho_trigger_facts *facts, ho_trigger out[HO_TRIGGERS])
{
  memset(out, 0, HO_TRIGGERS * sizeof *out);
  find_threshold(facts, &out[HO_TRIGGER_THRESHOLD]);
  find_overflow(facts, &out[HO_TRIGGER_OVERFLOW]);
  find_objective(facts, &out[HO_TRIGGER_OBJECTIVE]);
  find_reread(facts, &out[HO_TRIGGER_REREAD]);
}

int ho_nudge_level(int64_t used, int64_t window, int64_t threshold)
{
  if (used < 0 || window <= 0)
    return 0;
  /* In four-hundredths of the window, so that a quarter of a percent is a whole number. */
  int64_t share = used * 400, rest = 100 - threshold;
  int level = 0;
  for (int quarter = 0; quarter < 4; quarter++)
    if (quarter != 1 && share >= (threshold * 4 + rest * quarter) * window)
      level++;
  return level;
}

static int64_t subject(const char *text)
{
  return text ? (int64_t)(ho_str_hash(ho_str_of(text)) >> 1) : 0;
}

/* Records everything that fires as mentioned: one message names it all. */
static void note(ho_nudges *nudges, const ho_trigger_facts *facts, const ho_trigger triggers[HO_TRIGGERS],
                 int64_t level, int64_t now_ms)
{
  nudges->last_ms = now_ms;
  nudges->level = level;
  if (facts->objectives_known)
    nudges->objectives_done = facts->objectives_done;
  if (triggers[HO_TRIGGER_OVERFLOW].fires)
    nudges->overflow = subject(facts->next ? facts->next : "");
  if (triggers[HO_TRIGGER_REREAD].fires)
    nudges->reread = subject(facts->reread);
}

const ho_trigger *ho_nudge_choose(ho_nudges *nudges, const ho_trigger_facts *facts,
                                  const ho_trigger triggers[HO_TRIGGERS], int64_t now_ms, int64_t cool_ms)
{
  int64_t level = ho_nudge_level(facts->used, facts->window, threshold_of(facts));
  const ho_trigger *chosen = NULL;
  if (level < nudges->level && level == 0)
    nudges->level = 0;
  if (facts->objectives_known && !triggers[HO_TRIGGER_OBJECTIVE].fires)
    nudges->objectives_done = facts->objectives_done; /* it was too early to ask; later it would be no news */
  bool risen = level > nudges->level;
  bool more = triggers[HO_TRIGGER_OBJECTIVE].fires && facts->objectives_done > nudges->objectives_done;
  bool cooling = nudges->last_ms > 0 && now_ms >= nudges->last_ms && now_ms - nudges->last_ms < cool_ms;
  if (risen)
    chosen = &triggers[HO_TRIGGER_THRESHOLD];
  else if (more && ho_trigger_finished(facts))
    chosen = &triggers[HO_TRIGGER_OBJECTIVE];
  else if (cooling)
    return NULL;
  else if (triggers[HO_TRIGGER_OVERFLOW].fires && nudges->overflow != subject(facts->next ? facts->next : ""))
    chosen = &triggers[HO_TRIGGER_OVERFLOW];
  else if (more)
    chosen = &triggers[HO_TRIGGER_OBJECTIVE];
  else if (triggers[HO_TRIGGER_REREAD].fires && nudges->reread != subject(facts->reread))
    chosen = &triggers[HO_TRIGGER_REREAD];
  if (chosen)
    note(nudges, facts, triggers, level > nudges->level ? level : nudges->level, now_ms);
  return chosen;
}
