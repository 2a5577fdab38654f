/* The return metadata of an agent that stops: created, or updated in place. */
#include "base/digest.h"
#include "doc/json/json.h"
#include "engine/phase/progress_edit.h"
#include "engine/phase/progress_parts.h"
#include "engine/project/paths.h"
#include "engine/project/redact.h"
#include "engine/relay/return_meta.h"
#include "model/formats/formats.h"

#define STAGE "context_exhaustion_handoff"

typedef struct meta {
  ho_return_meta *out;
  ho_arena *arena;
  ho_doc old;
  bool there; /* old can be updated */
} meta;

static ho_node *text(const meta *m, ho_str value)
{
  return ho_node_text(m->arena, value);
}

/* Of a finished phase: the stage says which. */
static ho_str finished_stage(const meta *m)
{
  return ho_arena_printf(m->arena, "phase_%.*s_completed", HO_ARG(m->out->phase->phase));
}

/* Is it the result of a phase that is finished, and not of this one? */
static bool is_of_another(const meta *m)
{
  ho_str stage = ho_node_str(ho_node_by_names(m->old.root, "partial_progress.stage"));
  return ho_str_starts(stage, "phase_") && ho_str_ends(stage, "_completed") && !ho_str_eq(stage, finished_stage(m));
}

/* May this file be updated? It is about work in progress, and not about the handoff or the result of another phase. */
static bool is_ours(const meta *m)
{
  ho_str status = ho_map_str(m->old.root, "status");
  ho_str handoff = ho_fs_name(ho_node_str(ho_node_by_names(m->old.root, "partial_progress.handoff_path")));
  ho_str start = ho_arena_printf(m->arena, "phase-%.*s-handoff", HO_ARG(m->out->phase->phase));
  const char *ours = m->out->handoff.n ? "in_progress|partial" : "in_progress|partial|implemented";
  return ho_str_list_has(ours, status) && (!handoff.n || ho_str_starts(handoff, start.p)) && !is_of_another(m);
}

/* Reads the existing file. HO_OK with `there` false if it cannot be updated. */
static ho_code look(meta *m, ho_str path, ho_str *content, ho_error *err)
{
  ho_error none = {0};
  *content = HO_EMPTY;
  ho_code code = ho_fs_read(m->arena, ho_fs_join(m->arena, m->out->phase->root, path).p, 0, content, &none);
  m->there = false;
  if (!code)
    code = ho_doc_read(&m->old, m->arena, path, *content, &ho_format_meta, &none);
  if (!code)
    m->there = ho_node_is(m->old.root, HO_KIND_MAP) && m->old.encoding == HO_JSON && is_ours(m);
  return ho_arena_code(m->arena, err);
}

/* The lead reads one path, so that is where it goes. A result of an earlier session, or of another phase that nobody has
 * read yet, is kept beside it. */
static ho_code choose(meta *m, ho_error *err)
{
  ho_return_meta *out = m->out;
  char digest[HO_DIGEST_SIZE];
  ho_str content;
  out->path = out->wanted.n ? out->wanted : ho_paths_meta(m->arena, out->phase->folder);
  ho_code code = look(m, out->path, &content, err);
  if (code || out->wanted.n || !content.n || m->there)
    return code;
  ho_digest_text(content, digest); /* a handoff's name is its own; a phase may be finished several times */
  out->old =
      ho_paths_old_meta(m->arena, out->phase->folder,
                        out->handoff.n ? out->name : ho_arena_printf(m->arena, "%.*s-%.8s", HO_ARG(out->name), digest));
  out->old_text = content;
  return ho_arena_code(m->arena, err);
}

static bool count_phases(const meta *m, long long *done, long long *total)
{
  ho_str path = m->out->plan, content;
  ho_error none = {0};
  ho_doc plan;
  *done = *total = 0;
  if (m->out->plan_text.n)
    content = m->out->plan_text;
  else if (!path.n || ho_fs_read(m->arena, ho_fs_join(m->arena, m->out->phase->root, path).p, 0, &content, &none))
    return false;
  if (ho_doc_read(&plan, m->arena, path, content, &ho_format_plan, &none))
    return false;
  HO_EACH_CONST (phase, ho_map_getz(plan.root, "phases")) {
    ++*total;
    *done += ho_str_is(ho_map_str(phase, "status"), "COMPLETED");
  }
  return *total > 0;
}

static ho_node *artifact_entry(const meta *m)
{
  ho_node *map = ho_node_new(m->arena, HO_KIND_MAP);
  ho_map_addz(map, "type", ho_node_textz(m->arena, "handoff"));
  ho_map_addz(map, "path", text(m, m->out->handoff));
  ho_map_addz(
      map, "summary",
      text(m, ho_arena_printf(m->arena, "Handoff of phase %.*s for a successor", HO_ARG(m->out->phase->phase))));
  return map;
}

static ho_node *partial_progress(const meta *m)
{
  ho_node *map = ho_node_new(m->arena, HO_KIND_MAP);
  long long done, total;
  ho_map_addz(map, "stage", ho_node_textz(m->arena, STAGE));
  ho_map_addz(map, "details",
              ho_node_textz(m->arena, m->out->marked ? "The context is exhausted; a handoff was recorded, although "
                                                       "nothing was done, tried or learned since the previous one"
                                                     : "The context is nearly exhausted; a handoff was recorded"));
  ho_map_addz(map, "handoff_path", text(m, m->out->handoff));
  if (count_phases(m, &done, &total)) {
    ho_map_addz(map, "phases_completed", ho_node_number(m->arena, done));
    ho_map_addz(map, "phases_total", ho_node_number(m->arena, total));
  }
  return map;
}

/* How far it is, without a handoff to start from. */
static ho_node *finished_progress(const meta *m)
{
  ho_node *map = ho_node_new(m->arena, HO_KIND_MAP);
  long long done, total;
  ho_map_addz(map, "stage", text(m, finished_stage(m)));
  ho_map_addz(map, "details", text(m, m->out->summary));
  if (count_phases(m, &done, &total)) {
    ho_map_addz(map, "phases_completed", ho_node_number(m->arena, done));
    ho_map_addz(map, "phases_total", ho_node_number(m->arena, total));
  }
  return map;
}

/* sess_, seconds and a suffix, if the session has another form. */
static ho_str session(const meta *m)
{
  char digest[HO_DIGEST_SIZE];
  ho_str name = m->out->project->session;
  if (ho_str_starts(name, "sess_"))
    return name;
  ho_digest_text(name, digest);
  return ho_arena_printf(m->arena, "sess_%lld_%.8s", (long long)(m->out->phase->now_ms / 1000), digest);
}

static ho_node *metadata(const meta *m)
{
  ho_node *map = ho_node_new(m->arena, HO_KIND_MAP), *path = ho_node_new(m->arena, HO_KIND_LIST);
  ho_str name = ho_project_addressee(m->out->project), agent = name.n ? name : HO_STR("agent");
  ho_map_addz(map, "session_id", text(m, session(m)));
  ho_map_addz(map, "agent_type", text(m, agent));
  ho_map_addz(map, "delegation_depth", ho_node_number(m->arena, 0));
  ho_list_add(path, text(m, agent));
  ho_map_addz(map, "delegation_path", path);
  return map;
}

static const char *status_of(const meta *m)
{
  return m->out->handoff.n ? "partial" : "implemented";
}

/* What is left to do once the phase is finished. */
static ho_str next_steps(const meta *m)
{
  long long done, total;
  if (m->out->handoff.n)
    return ho_arena_printf(m->arena,
                           "Start a successor with the handoff; if its file is missing, run: handoff show %.*s",
                           HO_ARG(m->out->id));
  return count_phases(m, &done, &total) && done < total
             ? ho_arena_printf(m->arena, "%lld of %lld phases are done: start those that waited for this one", done,
                               total)
             : HO_STR("Nothing is left to do in this phase");
}

static ho_node *completion(const meta *m)
{
  ho_node *map = ho_node_new(m->arena, HO_KIND_MAP);
  ho_map_addz(map, "completion_summary", text(m, m->out->summary));
  return map;
}

static ho_code make(meta *m, ho_error *err)
{
  ho_buf out;
  bool partial = m->out->handoff.n > 0;
  ho_node *root = ho_node_new(m->arena, HO_KIND_MAP), *list = ho_node_new(m->arena, HO_KIND_LIST);
  ho_map_addz(root, "status", ho_node_textz(m->arena, status_of(m)));
  if (!partial)
    ho_map_addz(root, "summary", text(m, m->out->summary));
  ho_map_addz(root, "task_number", ho_progress_id_node(m->arena, m->out->phase->task));
  if (partial)
    ho_list_add(list, artifact_entry(m));
  ho_map_addz(root, "artifacts", list);
  if (!partial)
    ho_map_addz(root, "completion_data", completion(m));
  ho_map_addz(root, "partial_progress", partial ? partial_progress(m) : finished_progress(m));
  ho_map_addz(root, "next_steps", text(m, next_steps(m)));
  ho_map_addz(root, "metadata", metadata(m));
  ho_buf_init(&out, 0);
  ho_json_write(&out, root, 2);
  ho_buf_putc(&out, '\n');
  m->out->text = ho_buf_move(&out, m->arena);
  return ho_arena_code(m->arena, err);
}

static ho_code update(meta *m, ho_error *err)
{
  ho_edit edit;
  bool partial = m->out->handoff.n > 0;
  ho_node *root = m->old.root, *old = ho_map_getz(root, "partial_progress"), *now = partial_progress(m);
  bool said = m->out->unsaid && ho_str_is(ho_map_str(root, "status"), status_of(m)) && ho_map_str(root, "summary").n;
  ho_edit_init(&edit, m->arena, m->old.source.text);
  ho_edit_set(&edit, root, "status", ho_node_textz(m->arena, status_of(m)));
  if (partial) {
    ho_edit_append(&edit, root, "artifacts", artifact_entry(m));
    if (ho_node_is(old, HO_KIND_MAP) && old->count)
      HO_EACH_CONST (child, now)
        ho_edit_set(&edit, old, ho_arena_z(m->arena, child->key), child);
    else
      ho_edit_set(&edit, root, "partial_progress", now);
  } else if (!said) {
    ho_edit_set(&edit, root, "summary", text(m, m->out->summary));
    ho_edit_set(&edit, root, "completion_data", completion(m));
  }
  if (!partial && (!said || !old)) /* the handoffs are done with; the artifacts list them */
    ho_edit_set(&edit, root, "partial_progress", finished_progress(m));
  ho_edit_set(&edit, root, "next_steps", text(m, next_steps(m)));
  return ho_edit_finish(&edit, &m->out->text, err);
}

ho_code ho_return_meta_make(ho_return_meta *out, ho_error *err)
{
  meta m = {.out = out, .arena = out->phase->arena};
  ho_error none = {0};
  ho_code code = choose(&m, err);
  if (!code && m.there && update(&m, &none) == HO_OK)
    return HO_OK;
  return code ? code : make(&m, err);
}

static ho_str full_path(const ho_return_meta *out, ho_str path)
{
  return ho_fs_join(out->phase->arena, out->phase->root, path);
}

static ho_str clean(const ho_return_meta *out, ho_str content)
{
  return ho_redact_file(out->project, out->phase->arena, out->path, content);
}

static bool is_inside(const ho_return_meta *out)
{
  return ho_fs_inside(out->phase->root.p, full_path(out, out->path).p);
}

ho_code ho_return_meta_intend(const ho_return_meta *out, ho_error *err)
{
  ho_store *store = out->project->store;
  ho_code code = HO_OK;
  if (out->old_text.n)
    code = ho_store_intend(store, full_path(out, out->old), clean(out, out->old_text), HO_INTENT_NEW, err);
  if (!code && is_inside(out))
    code = ho_store_intend(store, full_path(out, out->path), clean(out, out->text), HO_INTENT_DERIVED, err);
  return code;
}

ho_code ho_return_meta_leave(const ho_return_meta *out, ho_error *err)
{
  if (is_inside(out))
    return HO_OK;
  return ho_fs_write_in(out->phase->root.p, full_path(out, out->path).p, clean(out, out->text), HO_FS_REPLACE, err);
}
