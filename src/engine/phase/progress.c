#include "engine/phase/progress_parts.h"

#include "base/digest.h"
#include "base/time.h"
#include "doc/json/json.h"
#include "engine/project/redact.h"
#include "model/formats/formats.h"
#include "model/formats/objectives.h"

static bool status_is(const ho_node *objective, const char *status)
{
  return ho_str_is(ho_map_str(objective, "status"), status);
}

ho_progress_count ho_progress_counted(const ho_node *root)
{
  ho_progress_count count = {0};
  HO_EACH_CONST (objective, ho_map_getz(root, "objectives")) {
    count.total++;
    count.done += status_is(objective, "done");
    count.blocked += status_is(objective, "blocked");
  }
  return count;
}

bool ho_progress_stuck(const ho_node *root)
{
  ho_progress_count count = ho_progress_counted(root);
  return count.blocked && count.done + count.blocked == count.total;
}

bool ho_progress_finished(const ho_node *root)
{
  return ho_node_is(ho_map_getz(root, "x_finished"), HO_KIND_MAP);
}

ho_node *ho_progress_done(const ho_node *root, ho_arena *arena)
{
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  HO_EACH_CONST (objective, ho_map_getz(root, "objectives"))
    if (status_is(objective, "done"))
      ho_list_add(list, ho_node_text(arena, ho_map_str(objective, "description")));
  return list;
}

ho_node *ho_progress_undone(const ho_node *root, ho_str id, ho_arena *arena)
{
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  HO_EACH_CONST (objective, ho_map_getz(root, "objectives"))
    if (!status_is(objective, "done") && (!id.n || ho_str_eq(ho_progress_id(root, objective, arena), id)))
      ho_list_add(list, ho_node_text(arena, ho_map_str(objective, "description")));
  return list;
}

bool ho_progress_counts(const ho_node *tried)
{
  return ho_map_str(tried, "approach").n && ho_node_empty(ho_map_getz(tried, "revoked"));
}

ho_str ho_progress_id(const ho_node *root, const ho_node *objective, ho_arena *arena)
{
  size_t place = 1;
  ho_str id = ho_map_str(objective, "id");
  if (id.n)
    return id;
  HO_EACH_CONST (item, ho_map_getz(root, "objectives")) {
    if (item == objective)
      break;
    place++;
  }
  return ho_arena_printf(arena, "%zu", place);
}

/* The objective with that id; if objectives have no ids, by its position. */
const ho_node *ho_progress_objective(const ho_node *root, ho_str id)
{
  uint64_t place = 0, at = 0;
  ho_str_to_u64(id, &place);
  HO_EACH_CONST (item, ho_map_getz(root, "objectives")) {
    ho_str own = ho_map_str(item, "id");
    at++;
    if (own.n ? ho_str_eq(own, id) : at == place)
      return item;
  }
  return NULL;
}

/* The first that can be worked on; else the first that is not done. */
const ho_node *ho_progress_next(const ho_node *root)
{
  const ho_node *blocked = NULL;
  HO_EACH_CONST (item, ho_map_getz(root, "objectives")) {
    if (status_is(item, "blocked"))
      blocked = blocked ? blocked : item;
    else if (!status_is(item, "done"))
      return item;
  }
  return blocked;
}

const ho_node *ho_progress_current(const ho_node *root)
{
  const ho_node *current = ho_progress_objective(root, ho_map_str(root, "current_objective"));
  return current && !status_is(current, "done") ? current : ho_progress_next(root);
}

/* How far the objectives are, a letter each: notes alone are no progress. */
static ho_str standing(const ho_node *root, ho_arena *arena)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  HO_EACH_CONST (item, ho_map_getz(root, "objectives"))
    ho_buf_putc(&out, status_is(item, "done") ? 'd' : status_is(item, "blocked") ? 'b' : 'o');
  ho_buf_putc(&out, '\n');
  return ho_buf_move(&out, arena);
}

long long ho_progress_idle(const ho_node *root)
{
  return ho_map_int(ho_map_getz(root, "x_passed"), "idle");
}

void ho_progress_digest(const ho_node *root, ho_arena *arena, char out[65])
{
  static const char *const keys[] = {"approaches_tried", "deviations"};
  ho_digest digest;
  ho_digest_begin(&digest);
  ho_digest_put(&digest, standing(root, arena));
  for (size_t i = 0; i < HO_COUNT(keys); i++) {
    ho_buf text;
    ho_buf_init(&text, 0);
    ho_json_write(&text, ho_map_getz(root, keys[i]), 0);
    ho_digest_put(&digest, ho_buf_move(&text, arena));
    ho_digest_put(&digest, HO_STR("\n"));
  }
  ho_digest_end(&digest, out);
}

static ho_code read_text(const ho_phase *phase, ho_str text, ho_doc *doc, ho_error *err)
{
  ho_code code = ho_doc_read(doc, phase->arena, phase->progress, text, &ho_format_progress, err);
  if (code)
    return code;
  if (!ho_node_is(doc->root, HO_KIND_MAP) || !ho_node_is(ho_map_getz(doc->root, "objectives"), HO_KIND_LIST))
    return ho_fail_file(err, HO_INVALID, phase->progress, "is not a valid progress file; 'handoff check' says why");
  return HO_OK;
}

ho_code ho_progress_read(const ho_phase *phase, ho_doc *doc, ho_error *err)
{
  const char *full = NULL;
  ho_str text;
  ho_code code = ho_phase_full(phase, phase->progress, &full, err);
  if (!code)
    code = ho_fs_read(phase->arena, full, 0, &text, err);
  if (code == HO_NOT_FOUND)
    return ho_fail_file(err, code, phase->progress, "no progress file yet");
  if (code)
    ho_error_copy(err->file, sizeof err->file, phase->progress);
  return code ? code : read_text(phase, text, doc, err);
}

/* Runs `work` under the lock of the task. */
typedef ho_code (*locked_work)(const ho_phase *phase, const void *data, ho_progress_answer *out, ho_error *err);
static ho_code locked(const ho_phase *phase, locked_work work, const void *data, ho_progress_answer *out, ho_error *err)
{
  int lock = -1;
  ho_code code = ho_phase_lock(phase, &lock, err);
  if (code)
    return code;
  code = work(phase, data, out, err);
  ho_phase_unlock(lock);
  return code;
}

static ho_code apply(const ho_phase *phase, const void *data, ho_progress_answer *out, ho_error *err)
{
  ho_doc doc;
  ho_str text = HO_EMPTY;
  ho_code code = ho_progress_read(phase, &doc, err);
  if (!code)
    code = ho_progress_text(phase, &doc, data, &text, out, err);
  if (!code && out->changed)
    code = ho_phase_write(phase, phase->progress, text, HO_FS_REPLACE, err);
  return code;
}

ho_code ho_progress_apply(const ho_phase *phase, const ho_progress_change *change, ho_progress_answer *out,
                          ho_error *err)
{
  ho_doc doc; /* read first, so that no folder is created for a task that has none */
  ho_code code = phase->there ? HO_OK : ho_progress_read(phase, &doc, err);
  return code ? code : locked(phase, apply, change, out, err);
}

typedef struct beginning {
  ho_str name;
  const ho_node *objectives; /* texts */
} beginning;

static bool same_objectives(const ho_node *root, const ho_node *wanted)
{
  const ho_node *each = ho_map_getz(root, "objectives");
  each = each ? each->first : NULL;
  HO_EACH_CONST (text, wanted) {
    if (!each || !ho_str_eq(ho_map_str(each, "description"), ho_node_str(text)))
      return false;
    each = each->next;
  }
  return !each;
}

/* An id is a number if it looks like one. */
ho_node *ho_progress_id_node(ho_arena *arena, ho_str id)
{
  uint64_t value;
  ho_node *node = ho_node_text(arena, id);
  if (node && id.n < 10 && ho_str_to_u64(id, &value) && (id.n == 1 || id.p[0] != '0'))
    node->kind = HO_KIND_NUMBER;
  return node;
}

static ho_node *objectives_node(ho_arena *arena, const ho_node *texts)
{
  long long id = 1;
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  HO_EACH_CONST (text, texts) {
    ho_node *objective = ho_list_add(list, ho_node_new(arena, HO_KIND_MAP));
    ho_map_addz(objective, "id", ho_node_number(arena, id++));
    ho_map_addz(objective, "description", ho_node_text(arena, ho_node_str(text)));
    ho_map_addz(objective, "status", ho_node_textz(arena, "not_started"));
  }
  return list;
}

/* digests: of the objectives as they are written, without credentials; NULL: not known yet. */
static ho_str first_text(const ho_phase *phase, const beginning *begun, ho_node *digests)
{
  ho_arena *arena = phase->arena;
  ho_str name = begun->name.n ? begun->name : ho_arena_printf(arena, "Phase %.*s", HO_ARG(phase->phase));
  char now[HO_TIME_SIZE];
  ho_buf out;
  ho_time_text(phase->now_ms, false, now);
  ho_node *root = ho_node_new(arena, HO_KIND_MAP);
  ho_map_addz(root, "phase", ho_progress_id_node(arena, phase->phase));
  ho_map_addz(root, "phase_name", ho_node_text(arena, name));
  ho_map_addz(root, "started_at", ho_node_textz(arena, now));
  ho_map_addz(root, "last_updated", ho_node_textz(arena, now));
  ho_map_addz(root, "objectives", objectives_node(arena, begun->objectives));
  ho_map_addz(root, "current_objective", ho_node_number(arena, 1));
  ho_map_addz(root, "approaches_tried", ho_node_new(arena, HO_KIND_LIST));
  ho_map_addz(root, "handoff_count", ho_node_number(arena, 0));
  if (digests)
    ho_map_addz(root, HO_OBJECTIVES_KEY, digests);
  ho_buf_init(&out, 0);
  ho_json_write(&out, root, 2);
  ho_buf_putc(&out, '\n');
  return ho_buf_move(&out, arena);
}

static ho_code start(const ho_phase *phase, const void *data, ho_progress_answer *out, ho_error *err)
{
  const beginning *begun = data;
  ho_error none = {0};
  ho_code code = ho_progress_read(phase, &out->doc, &none);
  if (!code && same_objectives(out->doc.root, begun->objectives)) {
    out->said = HO_STR("the phase was already started with the same objectives");
    return HO_OK;
  }
  if (!code)
    return ho_fail_file(err, HO_CONFLICT, phase->progress,
                        "the phase was already started with other objectives, and objectives never change; for other "
                        "work, use another --phase or --task");
  if (code != HO_NOT_FOUND) {
    *err = none;
    return code;
  }
  ho_str text = first_text(phase, begun, NULL);
  code = ho_arena_code(phase->arena, err);
  if (!code && phase->project)
    text = ho_redact_file(phase->project, phase->arena, phase->progress, text);
  if (!code)
    code = read_text(phase, text, &out->doc, err);
  if (code)
    return code;
  text = first_text(phase, begun, ho_objectives_digests(phase->arena, ho_map_getz(out->doc.root, "objectives")));
  code = ho_arena_code(phase->arena, err);
  if (!code)
    code = read_text(phase, text, &out->doc, err);
  if (!code)
    code = ho_phase_write(phase, phase->progress, text, HO_FS_CREATE, err);
  out->changed = !code;
  out->said = HO_STR("phase started");
  return code;
}

ho_code ho_progress_start(const ho_phase *phase, ho_str name, const ho_node *objectives, ho_progress_answer *out,
                          ho_error *err)
{
  beginning begun = {name, objectives};
  *out = (ho_progress_answer){0};
  HO_EACH_CONST (text, objectives)
    if (ho_str_blank(ho_node_str(text)))
      return ho_fail(err, HO_USAGE, "an objective is empty");
  if (!objectives || !objectives->count)
    return ho_fail(err, HO_USAGE, "use --objective at least once");
  return locked(phase, start, &begun, out, err);
}
