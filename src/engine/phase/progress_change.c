/* Changes to a progress file, as edits of its text. */
#include "base/digest.h"
#include "base/time.h"
#include "base/utf8.h"
#include "engine/phase/progress_edit.h"
#include "engine/phase/progress_parts.h"

typedef struct changing {
  const ho_phase *phase;
  ho_arena *arena;
  const ho_progress_change *change;
  ho_node *root; /* bound: changed along with the text, so that it can answer questions about the result */
  ho_edit edit;
  ho_progress_answer *out;
} changing;

/* Changes both the text and the tree. The tree's node keeps its position, since the text is edited by position. */
static void set(changing *c, ho_node *map, const char *key, ho_node *value)
{
  ho_node *old = ho_map_getz(map, key);
  ho_edit_set(&c->edit, map, key, value);
  if (old && value) {
    old->kind = value->kind;
    old->text = value->text;
  } else if (value) {
    ho_map_addz(map, key, value);
  }
}

static void set_text(changing *c, ho_node *map, const char *key, ho_str text)
{
  set(c, map, key, ho_node_text(c->arena, text));
}

static bool is(const ho_node *map, const char *key, ho_str text)
{
  return ho_str_eq(ho_map_str(map, key), text);
}

/* "1 (Measure), 2 (Improve)", as far as a message has room. */
static ho_code unknown(const changing *c, ho_str id, ho_error *err)
{
  ho_buf list;
  ho_buf_init(&list, 0);
  HO_EACH_CONST (item, ho_map_getz(c->root, "objectives")) {
    ho_str text = ho_map_str(item, "description");
    ho_buf_printf(&list, "%s%.*s (%.*s)", list.n ? ", " : "", HO_ARG(ho_progress_id(c->root, item, c->arena)),
                  HO_ARG(ho_str_sub(text, 0, ho_utf8_floor(text, 40))));
  }
  ho_code code = ho_fail_file(err, HO_NOT_FOUND, c->phase->progress, "there is no objective '%.*s'; there are %.*s",
                              HO_ARG(ho_str_sub(id, 0, 40)), HO_ARG(ho_buf_str(&list)));
  ho_buf_free(&list);
  return code;
}

static ho_code find_objective(changing *c, ho_node **out, ho_error *err)
{
  ho_str id = c->change->objective;
  const ho_node *found = id.n ? ho_progress_objective(c->root, id) : ho_progress_current(c->root);
  if (!found && id.n)
    return unknown(c, id, err);
  if (!found)
    return ho_fail_file(err, HO_NOT_FOUND, c->phase->progress, "all objectives are done; use --id to name one");
  *out = (ho_node *)found;
  c->out->objective = ho_progress_id(c->root, found, c->arena);
  return HO_OK;
}

/* After a change of status: updates the objective in progress or next to start, and the status of the whole phase if
 * the file has one. */
static void set_current(changing *c)
{
  const ho_node *current = ho_progress_current(c->root), *status = ho_map_getz(c->root, "status");
  if (current && ho_str_is(ho_map_str(current, "status"), "blocked"))
    current = ho_progress_next(c->root);
  ho_node *id = current ? ho_progress_id_node(c->arena, ho_progress_id(c->root, current, c->arena))
                        : ho_node_new(c->arena, HO_KIND_NULL);
  const ho_node *old = ho_map_getz(c->root, "current_objective");
  if (!old || !id || old->kind != id->kind || !ho_str_eq(old->text, id->text))
    set(c, c->root, "current_objective", id);
  if (!ho_node_empty(status) && !current)
    set_text(c, c->root, "status", HO_STR("done"));
  else if (ho_str_is(ho_node_str(status), "not_started") || ho_str_is(ho_node_str(status), "done"))
    set_text(c, c->root, "status", HO_STR("in_progress"));
}

static ho_code change_status(changing *c, const char *status, ho_error *err)
{
  ho_node *objective = NULL;
  ho_code code = find_objective(c, &objective, err);
  if (code)
    return code;
  bool noted = c->change->note.n && !is(objective, "note", c->change->note),
       same = is(objective, "status", ho_str_of(status));
  if (!same)
    set_text(c, objective, "status", ho_str_of(status));
  if (noted)
    set_text(c, objective, "note", c->change->note);
  c->out->changed = !same || noted;
  c->out->said =
      ho_arena_printf(c->arena, "objective %.*s %s %s%s", HO_ARG(c->out->objective), same ? "was" : "is", status,
                      !same   ? ""
                      : noted ? " already; its note was changed"
                              : " already");
  if (c->out->changed)
    set_current(c);
  return HO_OK;
}

/* Work on an objective goes on that was blocked or done. */
static ho_code change_back(changing *c, const char *from, ho_error *err)
{
  ho_node *objective = NULL;
  ho_code code = find_objective(c, &objective, err);
  if (code)
    return code;
  if (!is(objective, "status", ho_str_of(from)))
    return ho_fail_file(err, HO_CONFLICT, c->phase->progress, "objective %.*s is not %s; it is %.*s",
                        HO_ARG(c->out->objective), from, HO_ARG(ho_map_str(objective, "status")));
  return change_status(c, "in_progress", err);
}

/* The phase is not finished after all. */
static void go_on(changing *c)
{
  if (!ho_node_absent(ho_map_getz(c->root, "x_finished")))
    ho_edit_set(&c->edit, c->root, "x_finished", ho_node_new(c->arena, HO_KIND_NULL));
}

static ho_code change_reopen(changing *c, ho_error *err)
{
  ho_code code = change_back(c, "done", err);
  if (!code)
    go_on(c);
  return code;
}

static ho_code change_note(changing *c, ho_error *err)
{
  ho_node *objective = NULL;
  ho_code code = find_objective(c, &objective, err);
  if (code)
    return code;
  bool begun = !is(objective, "status", HO_STR("not_started")), same = is(objective, "note", c->change->note);
  if (!begun)
    set_text(c, objective, "status", HO_STR("in_progress"));
  if (!same)
    set_text(c, objective, "note", c->change->note);
  c->out->changed = !begun || !same;
  c->out->said = ho_arena_printf(c->arena, same ? "objective %.*s already has this note" : "noted for objective %.*s",
                                 HO_ARG(c->out->objective));
  if (c->out->changed)
    set_current(c);
  return HO_OK;
}

static bool is_in(const ho_node *list, ho_str text)
{
  HO_EACH_CONST (item, list)
    if (ho_str_eq(ho_node_str(item), text))
      return true;
  return false;
}

static bool was_tried(const changing *c, ho_str approach)
{
  HO_EACH_CONST (item, ho_map_getz(c->root, "approaches_tried"))
    if (is(item, "approach", approach) && ho_progress_counts(item) && !is_in(c->change->revoked, approach))
      return true;
  return false;
}

static ho_node *tried_item(changing *c, ho_str approach, ho_str result, ho_str reason)
{
  ho_node *item = ho_node_new(c->arena, HO_KIND_MAP);
  ho_map_addz(item, "approach", ho_node_text(c->arena, approach));
  ho_map_addz(item, "result", ho_node_text(c->arena, result));
  ho_map_addz(item, "reason", ho_node_text(c->arena, reason));
  return item;
}

static ho_code change_tried(changing *c, ho_error *err)
{
  ho_node *objective = NULL;
  ho_code code = c->change->objective.n ? find_objective(c, &objective, err) : HO_OK;
  if (code)
    return code;
  if (was_tried(c, c->change->approach)) {
    c->out->said = HO_STR("this approach is already logged");
    return HO_OK;
  }
  ho_node *item = tried_item(c, c->change->approach, c->change->result, c->change->reason);
  if (objective)
    ho_map_addz(item, "objective_id", ho_progress_id_node(c->arena, c->out->objective));
  ho_edit_append(&c->edit, c->root, "approaches_tried", item);
  c->out->changed = true;
  c->out->said = HO_STR("approach logged");
  return HO_OK;
}

/* What a handoff says did not work is logged for the phase, and what it takes back is marked. All of it in one edit, since
 * each edit is by the places in the text as it was. */
static void add_dead_ends(changing *c)
{
  char now[HO_TIME_SIZE];
  ho_node *list = ho_map_getz(c->root, "approaches_tried"), *all = ho_node_new(c->arena, HO_KIND_LIST);
  bool marked = false;
  ho_time_text(c->phase->now_ms, false, now);
  HO_EACH_CONST (item, list) {
    ho_node *copy = ho_list_add(all, ho_node_copy(c->arena, item));
    bool gone = ho_progress_counts(item) && is_in(c->change->revoked, ho_map_str(item, "approach"));
    if (gone)
      ho_map_addz(copy, "revoked", ho_node_text(c->arena, ho_arena_copy(c->arena, ho_str_of(now))));
    marked = marked || gone;
  }
  size_t before = all ? all->count : 0;
  HO_EACH_CONST (item, c->change->dead_ends) {
    ho_str approach = ho_str_trim(ho_map_str(item, "approach"));
    if (approach.n && !was_tried(c, approach))
      ho_list_add(all, tried_item(c, approach, HO_STR("failed"), ho_map_str(item, "reason")));
  }
  if (!all || (all->count == before && !marked))
    return;
  ho_edit_set(&c->edit, c->root, "approaches_tried", all);
  if (list)
    ho_node_remove(c->root, list);
  ho_map_addz(c->root, "approaches_tried", ho_node_copy(c->arena, all));
}

static void change_pass(changing *c)
{
  char digest[HO_DIGEST_SIZE];
  ho_node *passed = ho_node_new(c->arena, HO_KIND_MAP);
  add_dead_ends(c);
  ho_progress_digest(c->root, c->arena, digest);
  const ho_node *before = ho_map_getz(c->root, "x_passed");
  long long done = (long long)ho_progress_counted(c->root).done;
  long long idle = done > ho_map_int(before, "done") ? 0 : ho_progress_idle(c->root) + 1;
  ho_map_addz(passed, "handoff", ho_node_text(c->arena, c->change->handoff));
  ho_map_addz(passed, "digest", ho_node_text(c->arena, ho_arena_copy(c->arena, ho_str_of(digest))));
  ho_map_addz(passed, "done", ho_node_number(c->arena, done));
  ho_map_addz(passed, "idle", ho_node_number(c->arena, idle));
  ho_edit_set(&c->edit, c->root, "handoff_count", ho_node_number(c->arena, (long long)c->change->handoffs));
  ho_edit_set(&c->edit, c->root, "x_passed", passed);
  go_on(c);
  c->out->changed = true;
}

static void change_finish(changing *c)
{
  char now[HO_TIME_SIZE];
  ho_node *finished = ho_node_new(c->arena, HO_KIND_MAP);
  ho_time_text(c->phase->now_ms, false, now);
  ho_map_addz(finished, "at", ho_node_text(c->arena, ho_arena_copy(c->arena, ho_str_of(now))));
  ho_map_addz(finished, "summary", ho_node_text(c->arena, c->change->note));
  ho_edit_set(&c->edit, c->root, "x_finished", finished);
  c->out->changed = true;
}

/* The objective that was worked on: that of the change; else the current one, or the last one if all are done. */
static ho_node *worked_on(const changing *c, ho_str current)
{
  const ho_node *list = ho_map_getz(c->root, "objectives");
  const ho_node *found = ho_progress_objective(c->root, c->out->objective.n ? c->out->objective : current);
  return (ho_node *)(found ? found : list ? list->last : NULL);
}

/* New files come last, and of too many the oldest go. An objective that the file does not write as a map stays as it
 * is. */
static void add_files(changing *c, ho_str current)
{
  enum { MOST = 100 };
  const ho_node *files = c->change->files;
  ho_node *objective = worked_on(c, current), *all = ho_node_new(c->arena, HO_KIND_LIST);
  if (!files || !files->count || !objective || objective->begin == HO_NOWHERE ||
      c->edit.text.p[objective->begin] != '{')
    return;
  const ho_node *old = ho_map_getz(objective, "files_touched");
  size_t extra = (old ? old->count : 0) + files->count, skipped = 0;
  extra = extra > MOST ? extra - MOST : 0;
  bool news = false;
  HO_EACH_CONST (item, old)
    if (!is_in(files, ho_node_str(item)) && skipped++ >= extra)
      ho_list_add(all, ho_node_text(c->arena, ho_node_str(item)));
  HO_EACH_CONST (item, files) {
    news = news || !is_in(old, ho_node_str(item));
    ho_list_add(all, ho_node_text(c->arena, ho_node_str(item)));
  }
  if (!news && old && old->last && files->last && ho_str_eq(ho_node_str(old->last), ho_node_str(files->last)))
    return;
  ho_edit_set(&c->edit, objective, "files_touched", all);
  c->out->changed = true;
}

static ho_code change(changing *c, ho_error *err)
{
  switch (c->change->kind) {
  case HO_PROGRESS_DONE:
    return change_status(c, "done", err);
  case HO_PROGRESS_BLOCK:
    return change_status(c, "blocked", err);
  case HO_PROGRESS_UNBLOCK:
    return change_back(c, "blocked", err);
  case HO_PROGRESS_REOPEN:
    return change_reopen(c, err);
  case HO_PROGRESS_NOTE:
    return change_note(c, err);
  case HO_PROGRESS_TRIED:
    return change_tried(c, err);
  case HO_PROGRESS_PASS:
    change_pass(c);
    return HO_OK;
  case HO_PROGRESS_FINISH:
    change_finish(c);
    return HO_OK;
  case HO_PROGRESS_TOUCH:
    return HO_OK;
  }
  return ho_fail(err, HO_BUG, "a change of progress of an unknown kind");
}

/* Now, but never before the phase was started: clocks differ. */
static void set_updated(changing *c)
{
  char now[HO_TIME_SIZE], mine[17], started[17];
  ho_time_text(c->phase->now_ms, false, now);
  ho_str start = ho_map_str(c->root, "started_at");
  ho_str text = ho_arena_copy(c->arena, ho_str_of(now));
  if (ho_stamp_read(start, started, NULL) && ho_stamp_read(text, mine, NULL) && strcmp(mine, started) < 0)
    text = start;
  ho_edit_set(&c->edit, c->root, "last_updated", ho_node_text(c->arena, text));
}

ho_code ho_progress_text(const ho_phase *phase, const ho_doc *doc, const ho_progress_change *wanted, ho_str *text,
                         ho_progress_answer *out, ho_error *err)
{
  *out = (ho_progress_answer){.doc = *doc};
  changing c = {.phase = phase, .arena = phase->arena, .change = wanted, .out = out};
  c.root = ho_node_copy(phase->arena, doc->root);
  ho_edit_init(&c.edit, phase->arena, doc->source.text);
  ho_code code = ho_arena_code(phase->arena, err);
  const ho_node *current = ho_progress_current(c.root);
  ho_str worked = current ? ho_progress_id(c.root, current, c.arena) : HO_EMPTY;
  if (!code)
    code = change(&c, err);
  if (!code)
    add_files(&c, worked);
  if (code || !out->changed)
    return code;
  set_updated(&c);
  code = ho_edit_finish(&c.edit, text, err);
  if (!code)
    code = ho_doc_read(&out->doc, phase->arena, phase->progress, *text, doc->format, err);
  if (code && !err->file[0])
    ho_error_copy(err->file, sizeof err->file, phase->progress);
  return code;
}
