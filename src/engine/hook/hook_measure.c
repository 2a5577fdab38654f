#include "base/fs.h"
#include "engine/hook/hook.h"
#include "engine/project/identity.h"
#include "engine/project/project.h"
#include "engine/project/settings.h"
#include "engine/project/worktree.h"

enum { WORTH_LOOKING = 20000 /* tokens: nobody compacts below that */ };

int64_t ho_hook_now(const ho_hook *hook)
{
  return ho_project_now(hook->project);
}

ho_hook_measure *ho_hook_measured(ho_hook *hook)
{
  ho_hook_measure *m = HO_NEW(hook->arena, ho_hook_measure);
  ho_window_facts windows = {0};
  ho_figure figure;
  const ho_settings *settings = &hook->project->settings;
  if (!m)
    return NULL;
  m->path = ho_context_path(hook->arena, hook->project->root, hook->session, HO_SCAN_SUFFIX);
  m->kept = ho_scan_load(&m->scan, &m->nudges, hook->arena, m->path.p);
  m->before = m->scan;
  m->nudges_before = m->nudges;
  /* A transcript that is still missing, or cannot be read, says nothing; the figure may. */
  if (hook->transcript.n && ho_transcript_scan(&m->scan, hook->transcript.p, hook->harness, &hook->counter))
    m->scan = m->before;
  if (!m->scan.harness) /* its transcripts are not read */
    m->scan.harness = hook->harness;
  ho_figure_load(&figure, hook->arena,
                 ho_context_path(hook->arena, hook->project->root, hook->session, HO_FIGURE_SUFFIX).p);
  windows.configured = ho_settings_node(settings, "windows");
  ho_window_environment(&windows);
  if (m->scan.usage.total > WORTH_LOOKING || figure.used > WORTH_LOOKING)
    ho_window_harness(&windows, hook->harness, hook->project->root, hook->arena);
  m->threshold = ho_settings_number(settings, "threshold");
  ho_context_judge(&m->scan, &figure, &windows, &m->context);
  m->facts = ho_context_trigger_facts(&m->context, &m->scan, m->threshold);
  return m;
}

/* Do the two say the same, apart from sentences? */
static bool same(const ho_hook_measure *m)
{
  return m->scan.offset == m->before.offset && m->scan.inode == m->before.inode && m->scan.mark == m->before.mark &&
         m->scan.text_end == m->before.text_end && m->scan.read_tokens == m->before.read_tokens &&
         memcmp(&m->nudges, &m->nudges_before, sizeof m->nudges) == 0;
}

ho_code ho_hook_keep(ho_hook *hook, ho_hook_measure *m, ho_error *err)
{
  return same(m) ? HO_OK : ho_scan_save(&m->scan, &m->nudges, hook->arena, m->path.p, err);
}

ho_str ho_hook_work(ho_hook *hook)
{
  ho_str cwd = ho_map_str(hook->in, "cwd"), folder = HO_EMPTY;
  if (hook->work.n)
    return hook->work;
  if (cwd.n && cwd.p[0] == '/' && !memchr(cwd.p, '\0', cwd.n) && ho_fs_is_folder(ho_arena_z(hook->arena, cwd)))
    folder = ho_fs_root(hook->arena, cwd);
  bool other = folder.n && !ho_str_eq(folder, hook->project->root);
  bool ours = other && ho_str_eq(ho_worktree_home(hook->arena, folder), hook->project->home);
  hook->work = ho_arena_copy(hook->arena, ours ? folder : hook->project->root);
  return hook->work;
}

bool ho_hook_progress(ho_hook *hook, ho_str task, ho_str phase, ho_phase *out, ho_doc *doc)
{
  ho_error none = {0};
  if (!task.n || !phase.n)
    return false;
  *out = (ho_phase){
      .arena = hook->arena, .root = ho_hook_work(hook), .task = task, .phase = phase, .now_ms = ho_hook_now(hook)};
  return ho_phase_find(out, &none) == HO_OK && ho_progress_read(out, doc, &none) == HO_OK &&
         ho_node_is(doc->root, HO_KIND_MAP);
}
