#include "engine/relay/prompt.h"

#include <sys/stat.h>

#include "base/utf8.h"
#include "doc/text/template.h"
#include "engine/plan/plan_phase.h"
#include "engine/project/paths.h"
#include "engine/project/quote.h"
#include "engine/project/worktree.h"
#include "engine/relay/pass.h"
#include "engine/relay/prompt_texts.h"
#include "model/fix/fix.h"
#include "model/formats/formats.h"

enum {
  LONG_TEXT = 1200,     /* bytes of a next action */
  GOAL_TEXT = 4000,     /* bytes of a goal: the last thing to be shortened */
  NEWS_TEXT = 600,      /* bytes of one thing that a draft adds */
  SHORT_TEXT = 300,     /* bytes of anything else */
  LEAST_TEXT = 60,      /* bytes that a text is cut down to before it is dropped */
  MOST_ITEMS = 40,      /* decisions, failed approaches, files, references: each */
  LARGE_FILE = 16 << 10 /* bytes */
};

/* The places in a successor's prompt that hold text from documents, in order of priority: the last are dropped
 * first. */
typedef enum place { NEXT, STATE, OBJECTIVE, NEWS, DECISIONS, FAILED, FILES, REFERENCES, SLOTS } place;

/* What each is called, and the line above its items in a fence that it shares. */
static const struct {
  const char *what, *above;
} slots[SLOTS] = {[NEXT] = {"the next action", NULL},
                  [STATE] = {"the current state", NULL},
                  [OBJECTIVE] = {"the current objective", NULL},
                  [NEWS] = {"the news", NULL},
                  [DECISIONS] = {"the decisions", NULL},
                  [FAILED] = {"the failed approaches", "retry:"},
                  [FILES] = {"files", "reread in full:"},
                  [REFERENCES] = {"references", "read unless stuck:"}};

/* The fences of the prompt, and which places each has: from the first to the last. */
static const struct {
  const char *key;
  place first, last;
} fences[] = {{"start", NEXT, OBJECTIVE},
              {"news", NEWS, NEWS},
              {"decisions", DECISIONS, DECISIONS},
              {"avoid", FAILED, REFERENCES}};

typedef struct entry {
  place slot;
  const char *label; /* before the text, or NULL */
  ho_str text, source;
  size_t most;
} entry;

typedef struct maker {
  const ho_prompt_about *about;
  ho_arena *arena;
  entry items[7 * MOST_ITEMS + 16];
  size_t count, kept;
  size_t beyond[SLOTS]; /* items that were never included */
  ho_str details;       /* how what did not fit in the handoff can be read; "" if everything did */
  const ho_node *more;  /* what that is, or NULL */
  ho_str goal;          /* the goal state, whole */
} maker;

void ho_prompt_from(ho_prompt_about *about, ho_project *project, const ho_handed *handed)
{
  about->handoff = handed->path;
  about->recorded = handed->id;
  if (handed->path.n)
    about->details = ho_handed_details(project, about->arena, about->root, handed, &about->details_at);
}

/* A label before a text that stays on one line, unless the text is alone in its place. */
static void add(maker *m, place slot, const char *label, ho_str text, size_t most, ho_str source)
{
  if (ho_str_blank(text))
    return;
  if (m->count == HO_COUNT(m->items)) {
    m->beyond[slot]++;
    return;
  }
  m->items[m->count++] = (entry){.slot = slot, .label = label, .text = text, .most = most, .source = source};
}

static bool is_there(const maker *m, place slot, ho_str text)
{
  for (size_t i = 0; i < m->count; i++)
    if (m->items[i].slot == slot && ho_str_eq(m->items[i].text, text))
      return true;
  return false;
}

static ho_str head(ho_str text)
{
  return ho_str_sub(text, 0, ho_utf8_floor(text, text.n < SHORT_TEXT * 2 ? text.n : SHORT_TEXT * 2));
}

/* "approach: reason", without duplicates; entries that say there are none are skipped. That an approach failed is no reason:
 * all of them did. */
static void add_failed(maker *m, const ho_node *list, const char *why, ho_str source)
{
  size_t taken = 0, seen = 0;
  HO_EACH_CONST (item, list) {
    ho_str approach = ho_str_trim(ho_map_str(item, "approach"));
    ho_str reason = ho_map_str(item, why);
    if (!reason.n)
      reason = ho_map_str(item, "result");
    if (ho_str_is(reason, "failed"))
      reason = HO_EMPTY;
    if (!ho_progress_counts(item) || !approach.n || ho_pass_says_none(approach))
      continue;
    if (taken == MOST_ITEMS || ++seen > 10 * MOST_ITEMS) {
      m->beyond[FAILED]++;
      continue;
    }
    ho_str text =
        ho_arena_printf(m->arena, "%.*s%s%.*s", HO_ARG(head(approach)), reason.n ? ": " : "", HO_ARG(head(reason)));
    text = ho_quote_clean(m->arena, text, text.n, true);
    if (is_there(m, FAILED, text))
      continue;
    add(m, FAILED, "- ", text, SHORT_TEXT, source);
    taken++;
  }
}

/* "decision: reason". They hold until somebody revokes them, so whoever continues has to know them before the first
 * step, not only when stuck: those that did not fit in the handoff as well. */
static void add_decisions(maker *m, const ho_node *artifact, ho_str source)
{
  size_t taken = 0;
  HO_EACH_CONST (item, ho_map_getz(artifact, "key_decisions")) {
    ho_str decision = ho_str_trim(ho_map_str(item, "decision")), reason = ho_map_str(item, "rationale");
    if (!decision.n || ho_pass_says_none(decision))
      continue;
    if (taken == MOST_ITEMS) {
      m->beyond[DECISIONS]++;
      continue;
    }
    taken++;
    add(m, DECISIONS, "- ",
        ho_arena_printf(m->arena, "%.*s%s%.*s", HO_ARG(head(decision)), reason.n ? ": " : "", HO_ARG(head(reason))),
        SHORT_TEXT, source);
  }
}

/* Names a file that is large; false if it is not, or is named already. */
static bool add_file(maker *m, ho_str path, ho_str source)
{
  struct stat info;
  if (!path.n || path.n > SHORT_TEXT || memchr(path.p, '\0', path.n))
    return false;
  path = ho_fs_relative(m->about->root, path);
  const char *full = ho_fs_join(m->arena, m->about->root, path).p;
  if (!full || stat(full, &info) != 0 || !S_ISREG(info.st_mode) || info.st_size < LARGE_FILE)
    return false;
  ho_str text = ho_arena_printf(m->arena, "%.*s (%lld KB)", HO_ARG(path), (long long)(info.st_size >> 10));
  if (is_there(m, FILES, text))
    return false;
  add(m, FILES, "- ", text, SHORT_TEXT, source);
  return true;
}

static void add_files(maker *m)
{
  const ho_prompt_about *a = m->about;
  size_t taken = 0, seen = 0;
  add_file(m, ho_map_str(ho_map_getz(a->artifact, "current_state"), "file"), a->handoff);
  HO_EACH_CONST (objective, ho_map_getz(a->record, "objectives"))
    HO_EACH_CONST (file, ho_map_getz(objective, "files_touched"))
      if (taken < MOST_ITEMS && seen++ < 10 * MOST_ITEMS)
        taken += add_file(m, ho_node_str(file), a->progress);
}

static void add_references(maker *m)
{
  size_t taken = 0;
  HO_EACH_CONST (item, ho_map_getz(m->about->artifact, "references")) {
    ho_str path = ho_map_str(item, "path");
    if (ho_pass_says_none(path) || ho_str_is(ho_map_str(item, "kind"), "Details"))
      continue;
    if (taken++ < MOST_ITEMS)
      add(m, REFERENCES, "- ", ho_paths_now(m->arena, m->about->root, path), SHORT_TEXT, m->about->handoff);
    else
      m->beyond[REFERENCES]++;
  }
}

/* A handoff on one screen may have only the first and last lines of a long goal: its details have all of them, and the
 * items of lists that did not fit. */
static void read_details(maker *m)
{
  const ho_prompt_about *a = m->about;
  ho_doc *doc = HO_NEW(m->arena, ho_doc);
  ho_error none = {0};
  m->goal = ho_map_str(ho_map_getz(a->artifact, "current_state"), "goal_state");
  if (!doc || !a->details.n)
    return;
  m->details = a->details_at;
  if (ho_doc_read(doc, m->arena, m->details, a->details, &ho_format_artifact, &none) != HO_OK)
    return;
  m->more = doc->root;
  ho_str whole = ho_map_str(ho_map_getz(doc->root, "current_state"), "goal_state");
  if (whole.n && ho_str_has(m->goal, HO_FIX_LINES_IN))
    m->goal = whole;
}

static void add_objective(maker *m, const ho_node *current)
{
  const ho_prompt_about *a = m->about;
  ho_progress_count count = ho_progress_counted(a->record);
  ho_str id = ho_quote_clean(m->arena, ho_progress_id(a->record, current, m->arena), LEAST_TEXT, true);
  add(m, OBJECTIVE, "Objective ",
      ho_arena_printf(m->arena, "%.*s (%zu of %zu done): %.*s", HO_ARG(id), count.done, count.total,
                      HO_ARG(ho_map_str(current, "description"))),
      SHORT_TEXT, a->progress);
  add(m, OBJECTIVE, "Note: ", ho_map_str(current, "note"), SHORT_TEXT, a->progress);
}

/* Those beside the current one: what is blocked and by what; and if no handoff says what to do next, what is left. */
static void add_others(maker *m, const ho_node *current)
{
  const ho_prompt_about *a = m->about;
  size_t taken = 0;
  HO_EACH_CONST (item, ho_map_getz(a->record, "objectives")) {
    ho_str status = ho_map_str(item, "status"), note = ho_map_str(item, "note");
    bool blocked = ho_str_is(status, "blocked");
    if (item == current || ho_str_is(status, "done") || (!blocked && a->handoff.n) || taken++ >= MOST_ITEMS)
      continue;
    ho_str id = ho_quote_clean(m->arena, ho_progress_id(a->record, item, m->arena), LEAST_TEXT, true);
    add(m, OBJECTIVE, blocked ? "Blocked: objective " : "Then: objective ",
        ho_arena_printf(m->arena, "%.*s: %.*s%s%.*s", HO_ARG(id), HO_ARG(head(ho_map_str(item, "description"))),
                        note.n ? " - " : "", HO_ARG(head(note))),
        SHORT_TEXT, a->progress);
  }
}

static void collect(maker *m)
{
  const ho_prompt_about *a = m->about;
  size_t taken = 0;
  read_details(m);
  const ho_node *state = ho_map_getz(a->artifact, "current_state"), *current = ho_progress_current(a->record);
  add(m, NEXT, "Next action: ", ho_map_str(a->artifact, "immediate_next_action"), LONG_TEXT, a->handoff);
  add(m, STATE, "File: ", ho_worktree_said(m->arena, a->root, ho_map_str(state, "file")), SHORT_TEXT, a->handoff);
  add(m, STATE, "Location: ", ho_map_str(state, "location"), SHORT_TEXT, a->handoff);
  if (!ho_pass_made_goal(m->goal)) /* the objective is below, as it is now */
    add(m, STATE, "Goal state: ", m->goal, GOAL_TEXT, a->handoff);
  add(m, STATE, "", ho_map_str(state, "x_text"), LONG_TEXT, a->handoff);
  if (ho_progress_stuck(a->record))
    current = NULL; /* it is blocked like the others */
  if (current)
    add_objective(m, current);
  add_others(m, current);
  HO_EACH_CONST (fact, a->news)
    if (taken++ < MOST_ITEMS)
      add(m, NEWS, "- ", ho_node_str(fact), NEWS_TEXT, a->draft);
  add_decisions(m, a->artifact, a->handoff);
  add_decisions(m, m->more, m->details);
  add_failed(m, ho_map_getz(a->artifact, "what_not_to_try"), "reason", a->handoff);
  add_failed(m, ho_map_getz(a->record, "approaches_tried"), "reason", a->progress);
  add_files(m);
  add_references(m);
  m->kept = m->count;
}

/* The fence of some places, or "" if they are empty. Items are added in the order of their places. */
static ho_str fenced(maker *m, place first, place last)
{
  ho_buf out;
  place above = SLOTS;
  ho_buf_init(&out, 0);
  for (size_t i = 0; i < m->kept; i++) {
    const entry *e = &m->items[i];
    if (e->slot < first || e->slot > last)
      continue;
    bool lines = e->most > SHORT_TEXT && e->text.n > 0 && (e->slot == NEXT || e->slot == STATE);
    if (out.n)
      ho_buf_putc(&out, '\n');
    if (e->slot != above && slots[e->slot].above)
      ho_buf_printf(&out, "%s\n", slots[e->slot].above);
    above = e->slot;
    ho_buf_puts(&out, e->label ? e->label : "");
    ho_buf_put(&out, ho_quote_clean(m->arena, e->text, e->most, !lines));
  }
  ho_str text = ho_buf_move(&out, m->arena);
  return text.n ? ho_quote_fence(m->arena, text) : HO_EMPTY;
}

/* What a place leaves out of one document: "3 failed approaches", "the end of the next action", or "". */
static ho_str lacking(maker *m, place slot, ho_str source)
{
  size_t gone = ho_str_eq(source, m->about->handoff) ? m->beyond[slot] : 0, shortened = 0;
  for (size_t i = 0; i < m->count; i++) {
    const entry *e = &m->items[i];
    if (e->slot != slot || !ho_str_eq(e->source, source))
      continue;
    gone += i >= m->kept;
    shortened += i < m->kept && e->text.n > e->most;
  }
  if (gone)
    return ho_arena_printf(m->arena, "%zu of %s", gone, slots[slot].what);
  return shortened ? ho_arena_printf(m->arena, "the end of %s", slots[slot].what) : HO_EMPTY;
}

static ho_str where_is(maker *m, ho_str path)
{
  const ho_prompt_about *a = m->about;
  bool shown = a->recorded.n && ho_str_eq(path, a->handoff);
  return shown ? ho_arena_printf(m->arena, "handoff show %.*s", HO_ARG(ho_quote_name(m->arena, a->recorded)))
               : ho_quote_path(m->arena, path);
}

/* Everything that was left out: with paths in `list`, in short form as the result, since the prompt names both paths
 * anyway. */
static ho_str list_cut(maker *m, ho_node *list)
{
  const struct {
    ho_str path;
    const char *name;
  } sources[] = {{m->about->handoff, "handoff"},
                 {m->details, "details file"},
                 {m->about->progress, "progress file"},
                 {m->about->draft, "draft"}};
  ho_buf out;
  ho_buf_init(&out, 0);
  for (size_t i = 0; i < HO_COUNT(sources); i++) {
    size_t before = out.n;
    if (!sources[i].path.n)
      continue;
    for (place slot = NEXT; slot < SLOTS; slot++) {
      ho_str what = lacking(m, slot, sources[i].path);
      if (!what.n)
        continue;
      ho_buf_printf(&out, "%s%.*s", out.n == before ? (before ? "; " : "") : ", ", HO_ARG(what));
      ho_list_add(list, ho_node_text(m->arena, ho_arena_printf(m->arena, "%.*s (%.*s)", HO_ARG(what),
                                                               HO_ARG(where_is(m, sources[i].path)))));
    }
    if (out.n > before)
      ho_buf_printf(&out, " (in the %s)", sources[i].name);
  }
  return ho_buf_move(&out, m->arena);
}

static void put(ho_arena *arena, ho_node *values, const char *key, ho_str text)
{
  ho_map_addz(values, key, ho_node_text(arena, text));
}

/* An id from a document or a file name, made safe for use in a command; "" if there is none. */
static ho_str safe_id(ho_arena *arena, ho_str id)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  ho_template_file_name(&out, ho_str_sub(id, 0, 64));
  ho_str safe = ho_buf_move(&out, arena);
  return id.n ? safe : HO_EMPTY;
}

/* Is there a progress file? One that cannot be read counts: it has to be mended, not begun again. */
static bool is_tracked(const ho_prompt_about *a)
{
  const char *full = a->progress.n ? ho_fs_join(a->arena, a->root, a->progress).p : NULL;
  return a->record || (full && ho_fs_exists(full));
}

static bool find_phase(const ho_prompt_about *a, ho_phase *out)
{
  ho_error none = {0};
  *out = (ho_phase){.arena = a->arena, .root = a->root, .task = a->task, .phase = a->phase};
  return a->task.n && a->phase.n && ho_phase_find(out, &none) == HO_OK;
}

/* How the phase is begun, if nobody has yet. */
static ho_str objectives_of(const ho_prompt_about *a)
{
  ho_phase phase;
  return ho_str_of(ho_plan_phase_objectives(find_phase(a, &phase) ? &phase : NULL));
}

/* The path of the plan that has the phase, or "". */
static ho_str plan_of(const ho_prompt_about *a)
{
  ho_phase phase;
  ho_plan_phase plan;
  return find_phase(a, &phase) && ho_plan_phase_read(&phase, &plan) ? ho_quote_path(a->arena, plan.path) : HO_EMPTY;
}

/* Commands name the task and the phase if both are known; else the agent's own are meant. */
static ho_node *common_values(const ho_prompt_about *a)
{
  ho_node *values = ho_node_new(a->arena, HO_KIND_MAP);
  ho_str task = safe_id(a->arena, a->task), phase = safe_id(a->arena, a->phase);
  bool known = task.n && phase.n;
  put(a->arena, values, "task", known ? task : HO_EMPTY);
  put(a->arena, values, "phase", phase);
  put(a->arena, values, "where",
      known ? ho_arena_printf(a->arena, " --task %.*s --phase %.*s", HO_ARG(task), HO_ARG(phase)) : HO_EMPTY);
  put(a->arena, values, "progress",
      a->progress.n ? ho_arena_printf(a->arena, "`%.*s`", HO_ARG(ho_quote_path(a->arena, a->progress)))
                    : HO_STR("the progress file"));
  put(a->arena, values, "handoff", ho_quote_path(a->arena, a->handoff));
  put(a->arena, values, "recorded", ho_quote_name(a->arena, a->recorded));
  put(a->arena, values, "elsewhere", a->elsewhere.n ? ho_quote_path(a->arena, a->elsewhere) : HO_EMPTY);
  put(a->arena, values, "tracked", is_tracked(a) ? HO_STR("yes") : HO_EMPTY);
  put(a->arena, values, "objectives", is_tracked(a) ? HO_EMPTY : objectives_of(a));
  put(a->arena, values, "responds", a->responds ? HO_STR("yes") : HO_EMPTY);
  put(a->arena, values, "threshold", ho_arena_printf(a->arena, "%lld", a->threshold));
  return values;
}

static ho_code render(const ho_prompt_about *a, const char *text, const ho_node *values, ho_prompt *out, ho_error *err)
{
  ho_buf buf;
  ho_buf_init(&buf, 0);
  ho_code code = ho_arena_code(a->arena, err);
  if (!code)
    code = ho_template_write(&buf, ho_str_of(text), values, HO_TEMPLATE_STRICT, NULL, err);
  out->text = ho_buf_move(&buf, a->arena);
  if (!code)
    code = ho_arena_code(a->arena, err);
  if (!code)
    out->tokens = ho_tokens_count(a->tokens, out->text);
  return code;
}

static bool fits(const ho_prompt_about *a, const ho_prompt *prompt)
{
  return prompt->tokens <= a->budget && ho_utf8_count(prompt->text) <= HO_PROMPT_CHARACTERS;
}

static ho_code fixed(const ho_prompt_about *a, const char *text, ho_prompt *out, ho_error *err)
{
  *out = (ho_prompt){.cut = ho_node_new(a->arena, HO_KIND_LIST)};
  ho_code code = render(a, text, common_values(a), out, err);
  if (!code && !fits(a, out))
    code = ho_fail(err, HO_LIMIT, "the prompt has %zu tokens; the budget is %zu", out->tokens, a->budget);
  return code;
}

ho_code ho_prompt_teammate(const ho_prompt_about *about, ho_prompt *out, ho_error *err)
{
  return fixed(about, ho_prompt_text_teammate, out, err);
}

ho_code ho_prompt_recovery(const ho_prompt_about *about, ho_prompt *out, ho_error *err)
{
  return fixed(about, ho_prompt_text_recovery, out, err);
}

ho_code ho_prompt_receiver(const ho_prompt_about *about, ho_prompt *out, ho_error *err)
{
  return fixed(about, ho_prompt_text_receiver, out, err);
}

ho_code ho_prompt_finished(const ho_prompt_about *about, ho_str summary, ho_prompt *out, ho_error *err)
{
  ho_node *values = common_values(about);
  ho_str text = ho_quote_clean(about->arena, summary, LONG_TEXT, false);
  *out = (ho_prompt){.cut = ho_node_new(about->arena, HO_KIND_LIST)};
  put(about->arena, values, "summary", text.n ? ho_quote_fence(about->arena, text) : HO_EMPTY);
  return render(about, ho_prompt_text_finished, values, out, err);
}

/* Why a person should be asked before anybody continues; "": nothing speaks for it. */
static ho_str why_ask(const ho_prompt_about *a)
{
  long long idle = ho_progress_idle(a->record), count = ho_map_int(a->record, "handoff_count");
  if (a->decided.n) { /* who was asked, and said to go on, is not asked about the same handoffs again */
    idle = idle < a->since ? idle : a->since;
    count = a->since;
  }
  if (idle >= HO_PROGRESS_CIRCLES)
    return ho_arena_printf(a->arena, "%lld handoffs in a row were written without an objective done", idle);
  if (a->successors && count > a->successors)
    return ho_arena_printf(a->arena, "the phase has had %lld handoffs%s; the project allows %lld successors", count,
                           a->decided.n ? " since a person decided" : "", a->successors);
  return HO_EMPTY;
}

/* The id of an objective that is blocked, as commands take it, if nothing else is left; else "". */
static ho_str stuck_at(const ho_prompt_about *a)
{
  const ho_node *current = ho_progress_stuck(a->record) ? ho_progress_current(a->record) : NULL;
  if (!current)
    return HO_EMPTY;
  ho_str id = ho_progress_id(a->record, current, a->arena);
  return ho_quote_is_name(id) ? ho_quote_shell(a->arena, id) : HO_STR("ID");
}

static ho_code render_successor(maker *m, ho_prompt *out, ho_error *err)
{
  const ho_prompt_about *a = m->about;
  ho_node *values = common_values(a);
  ho_progress_count count = ho_progress_counted(a->record);
  *out = (ho_prompt){.cut = ho_node_new(m->arena, HO_KIND_LIST)};
  ho_str cut = list_cut(m, out->cut);
  for (size_t i = 0; i < HO_COUNT(fences); i++)
    put(m->arena, values, fences[i].key, fenced(m, fences[i].first, fences[i].last));
  put(m->arena, values, "cut", cut);
  put(m->arena, values, "draft", ho_quote_name(m->arena, a->draft));
  put(m->arena, values, "own", a->own ? HO_STR("yes") : HO_EMPTY);
  ho_str stuck = stuck_at(a), ask = why_ask(a);
  put(m->arena, values, "stuck", stuck);
  put(m->arena, values, "ask", ask);
  put(m->arena, values, "id", ho_quote_name(m->arena, a->id));
  put(m->arena, values, "waits", ho_quote_name(m->arena, a->waits));
  put(m->arena, values, "decided",
      a->decided.n ? ho_quote_fence(m->arena, ho_quote_clean(m->arena, a->decided, NEWS_TEXT, false)) : HO_EMPTY);
  put(m->arena, values, "asks", stuck.n || ask.n ? HO_STR("yes") : HO_EMPTY);
  put(m->arena, values, "unhanded", a->handoff.n ? HO_EMPTY : HO_STR("yes"));
  put(m->arena, values, "unseen", a->handoff.n || a->news ? HO_EMPTY : HO_STR("yes"));
  put(m->arena, values, "plan", a->handoff.n ? HO_EMPTY : plan_of(a));
  bool shown = a->recorded.n && ho_str_eq(m->details, where_is(m, a->handoff)); /* with the handoff */
  put(m->arena, values, "details", m->details.n && !shown ? ho_quote_path(m->arena, m->details) : HO_EMPTY);
  put(m->arena, values, "complete", count.total && count.done == count.total ? HO_STR("yes") : HO_EMPTY);
  return render(a, ho_prompt_text_successor, values, out, err);
}

static size_t kept_bytes(const entry *e)
{
  return e->text.n < e->most ? e->text.n : e->most;
}

/* Drops something: the last items, unless they are in one of the first three places; then the end of the longest
 * text; then the last item after all. False if nothing is left to drop. */
static bool give_up(maker *m, size_t over)
{
  entry *longest = NULL;
  size_t gone = 0, kept = m->kept;
  /* A token has at least one byte, so dropping this many bytes at once never drops too much. */
  while (m->kept && m->items[m->kept - 1].slot >= DECISIONS && gone <= over)
    gone += kept_bytes(&m->items[--m->kept]);
  if (m->kept < kept)
    return true;
  for (size_t i = 0; i < m->kept; i++) {
    entry *e = &m->items[i];
    if (kept_bytes(e) > (longest ? kept_bytes(longest) : LEAST_TEXT))
      longest = e;
  }
  if (longest) {
    longest->most = kept_bytes(longest) / 2;
    return true;
  }
  if (m->kept > 1)
    m->kept--;
  else
    return false;
  return true;
}

ho_code ho_prompt_successor(const ho_prompt_about *about, ho_prompt *out, ho_error *err)
{
  maker *m = HO_NEW(about->arena, maker);
  if (!m)
    return ho_arena_code(about->arena, err);
  m->about = about;
  m->arena = about->arena;
  collect(m);
  for (;;) {
    ho_code code = render_successor(m, out, err);
    if (code || fits(about, out))
      return code;
    if (!give_up(m, out->tokens > about->budget ? out->tokens - about->budget : 0))
      return ho_fail(err, HO_LIMIT, "a budget of %zu token%s is too small; the shortest prompt has %zu", about->budget,
                     ho_plural((long long)about->budget), out->tokens);
  }
}
