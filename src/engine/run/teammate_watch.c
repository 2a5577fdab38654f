#include "engine/run/teammate_watch.h"

#include "engine/context/window.h"
#include "engine/phase/progress.h"
#include "engine/project/paths.h"
#include "engine/run/adapter.h"
#include "model/formats/formats.h"

enum { PROGRESS_SIZE = 1 << 20 };

static void look_at_progress(ho_arena *arena, const ho_teammate *teammate, ho_str task, ho_str key, ho_look *out)
{
  ho_str text, name = ho_paths_progress(arena, task, key);
  ho_str path = ho_fs_join(arena, teammate->folder, name);
  ho_doc *doc = HO_NEW(arena, ho_doc);
  ho_error err = {0};
  if (!doc || !path.n || ho_fs_read(arena, path.p, PROGRESS_SIZE, &text, &err) ||
      ho_doc_read(doc, arena, path, text, &ho_format_progress, &err))
    return;
  ho_progress_count count = ho_progress_counted(doc->root);
  out->done = count.done;
  out->total = count.total;
  out->objective = ho_map_str(ho_progress_current(doc->root), "description");
}

static void look_at_output(const ho_project *project, ho_arena *arena, const ho_teammate *teammate, ho_look *out)
{
  const ho_adapter *adapter = ho_adapter_named(teammate->adapter);
  ho_adapter_said said;
  ho_error err = {0};
  if (!adapter || !teammate->log.n)
    return;
  ho_str log = ho_fs_join(arena, project->home, teammate->log);
  if (!log.n || ho_adapter_read(arena, adapter, log.p, HO_ADAPTER_GLANCE, &said, &err))
    return;
  ho_window_facts facts = {
      .configured = ho_map_getz(project->settings.root, "windows"), .model = said.model, .used = said.context};
  out->context = said.context;
  out->tokens = said.tokens;
  out->window = ho_window_of(&facts).full;
}

void ho_look_at(const ho_project *project, ho_arena *arena, const ho_teammate *teammate, ho_str task, ho_str key,
                ho_look *out)
{
  *out = (ho_look){.objective = HO_EMPTY, .tokens = teammate->tokens};
  look_at_progress(arena, teammate, task, key, out);
  look_at_output(project, arena, teammate, out);
}

int ho_look_percent(const ho_look *look)
{
  return look->context && look->window ? (int)(look->context * 100 / look->window) : -1;
}

ho_str ho_teammate_short(ho_str id)
{
  size_t slash = ho_str_find_char(id, '/');
  return slash == HO_NONE ? id : ho_str_sub(id, slash + 1, id.n);
}
