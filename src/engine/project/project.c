#include "engine/project/project.h"

#include <errno.h>
#include <pwd.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/time.h"
#include "doc/json/json.h"
#include "engine/ledger/archive.h"
#include "engine/ledger/leases.h"
#include "engine/ledger/notices.h"
#include "engine/project/worktree.h"
#include "engine/ledger/statefile.h"
#include "model/check.h"
#include "model/secrets.h"

/* The first that is set names the session; the others are those of harnesses. */
static const char *const session_variables[] = {"HANDOFF_SESSION",     "CLAUDE_CODE_SESSION_ID", "CLAUDE_SESSION_ID",
                                                "CODEX_SESSION_ID",    "CODEX_THREAD_ID",        "GEMINI_SESSION_ID",
                                                "OPENCODE_SESSION_ID", "CURSOR_SESSION_ID"};

static ho_str variable(const char *name)
{
  return ho_str_of(getenv(name));
}

ho_str ho_agent_name(ho_str agent)
{
  size_t slash = ho_str_find_char(agent, '/');
  return slash == HO_NONE ? agent : ho_str_sub(agent, 0, slash);
}

ho_str ho_user_name(void)
{
  const struct passwd *entry = getpwuid(geteuid());
  ho_str name = entry ? ho_str_of(entry->pw_name) : variable("USER");
  return name.n ? name : HO_STR("unknown");
}

ho_str ho_project_actor(ho_project *project)
{
  if (project->actor.n)
    return project->actor;
  project->actor = ho_arena_printf(project->arena, "user:%.*s", HO_ARG(ho_user_name()));
  return project->actor;
}

bool ho_id_fits(ho_str id)
{
  if (id.n == 0 || id.n > 64 || id.p[0] == '.' || id.p[0] == '-')
    return false;
  for (size_t i = 0; i < id.n; i++)
    if (!isalnum((unsigned char)id.p[i]) && !strchr("._-", id.p[i]))
      return false;
  return true;
}

ho_str ho_id_plain(ho_str id)
{
  uint64_t value;
  id = ho_str_trim(id);
  while (id.n > 1 && id.p[0] == '0' && ho_str_to_u64(id, &value))
    id = ho_str_sub(id, 1, id.n);
  return id;
}

ho_str ho_project_session(const ho_project *project)
{
  char stamp[HO_TIME_SIZE];
  ho_str name = HO_EMPTY;
  for (size_t i = 0; !name.n && i < HO_COUNT(session_variables); i++)
    name = variable(session_variables[i]);
  if (!name.n) {
    ho_time_stamp(ho_project_now(project), stamp);
    return ho_arena_printf(project->arena, "local-%.8s", stamp);
  }
  name = ho_project_clean(project, project->arena, name);
  char *safe = ho_arena_alloc(project->arena, name.n + 1);
  if (!safe)
    return HO_EMPTY;
  for (size_t i = 0; i < name.n; i++)
    safe[i] = isalnum((unsigned char)name.p[i]) || (i && strchr("._-", name.p[i])) ? name.p[i] : '-';
  return (ho_str){safe, name.n > 100 ? 100 : name.n};
}

ho_str ho_project_home(const ho_project_options *options)
{
  return ho_worktree_home(options->arena, options->root);
}

ho_str ho_project_database(const ho_project_options *options, ho_str home)
{
  ho_str url = options->store;
  if (ho_str_starts(url, "postgresql:") || ho_str_starts(url, "postgres:"))
    return HO_EMPTY;
  if (ho_str_starts(url, "sqlite:"))
    url = ho_str_sub(url, 7, url.n);
  return url.n ? ho_arena_copy(options->arena, url) : ho_fs_join(options->arena, home, HO_STR(".handoff/handoff.db"));
}

static ho_code open_store(const ho_project_options *options, ho_project *l, ho_error *err)
{
  ho_str url = options->store.n ? options->store : ho_fs_join(l->arena, l->home, HO_STR(".handoff/handoff.db"));
  ho_store_options store = {.url = ho_arena_z(l->arena, url),
                            .root = ho_arena_z(l->arena, l->home),
                            .create = options->create,
                            .brief = options->brief,
                            .may_write = ho_worktree_may_write};
  store.data = (void *)store.root;
  ho_code code = ho_arena_code(l->arena, err);
  return code ? code : ho_store_open(&store, &l->store, err);
}

static ho_code newest_event(ho_project *project, int64_t *out, ho_error *err)
{
  ho_arena arena;
  ho_event_list events;
  ho_arena_init(&arena, 0);
  ho_code code = ho_event_select(project->store, HO_EMPTY, 0, 1, &arena, &events, err);
  *out = !code && events.count ? events.rows[0].seq : 0;
  ho_arena_free(&arena);
  return code;
}

/* Says so where the store is gone but has left traces: its seal, or copies in the audit archive. */
static ho_code refuse_lost(const ho_project *l, ho_error *err)
{
  ho_str path = ho_fs_join(l->arena, l->home, HO_STR(".handoff/handoff.db"));
  ho_str seal = ho_fs_join(l->arena, l->home, HO_STR(".handoff/seal"));
  if (!seal.n || (!ho_fs_exists(seal.p) && !ho_archive_any(l->arena, l->home)))
    return ho_arena_code(l->arena, err);
  ho_code code = ho_fail_file(err, HO_STORE, path,
                              "the ledger is lost: there is nothing in it, but its files are there; 'handoff rebuild' "
                              "restores it from them (or put a backup in its place)");
  if (err)
    err->rule = "store-lost";
  return code;
}

/* Is there no file, or one that is too short for a page? */
static bool is_blank(const ho_project *l)
{
  struct stat st;
  ho_str path = ho_fs_join(l->arena, l->home, HO_STR(".handoff/handoff.db"));
  return path.n && (stat(path.p, &st) ? errno == ENOENT : st.st_size < 512);
}

ho_project ho_project_closed(const ho_project_options *options)
{
  ho_project l = {.arena = options->arena,
                  .root = options->root,
                  .config = options->config,
                  .clock_ms = options->clock_ms,
                  .world = options->world};
  l.home = ho_project_home(options);
  l.agent = ho_str_trim(options->agent.n ? options->agent : variable("HANDOFF_AGENT"));
  l.agent = ho_arena_copy(l.arena, ho_project_clean(&l, l.arena, l.agent));
  l.name = ho_agent_name(l.agent);
  l.actor = l.agent;
  l.session = ho_project_session(&l);
  return l;
}

ho_code ho_project_open(const ho_project_options *options, ho_project *out, ho_error *err)
{
  ho_project l = ho_project_closed(options);
  bool may_be_lost = !options->anew && !options->store.n;
  int64_t newest = 0;
  ho_code code = may_be_lost && is_blank(&l) ? refuse_lost(&l, err) : HO_OK;
  if (!code)
    code = open_store(options, &l, err);
  if (!code && may_be_lost)
    code = newest_event(&l, &newest, err);
  if (!code && may_be_lost && !newest)
    code = refuse_lost(&l, err);
  if (!code)
    *out = l;
  else
    ho_project_close(&l);
  return code;
}

void ho_project_close(ho_project *project)
{
  ho_store_close(project->store);
  project->store = NULL;
}

int64_t ho_project_now(const ho_project *project)
{
  return project->clock_ms(project->world);
}

typedef struct guarded {
  ho_project *project;
  ho_store_work work; /* NULL: only what is overdue */
  void *data;
  int64_t before; /* the newest event */
} guarded;

static ho_code run_guarded(ho_store *store, void *data, ho_error *err)
{
  guarded *g = data;
  g->project->raised = ho_node_new(g->project->arena, HO_KIND_LIST);
  ho_code code = newest_event(g->project, &g->before, err);
  if (!code)
    code = ho_leases_due(g->project, err);
  if (!code && g->work)
    code = g->work(store, g->data, err);
  return code ? code : ho_arena_code(g->project->arena, err); /* what was made without memory is not to be kept */
}

ho_code ho_ledger_write(ho_project *project, ho_store_work work, void *data, ho_error *err)
{
  guarded g = {.project = project, .work = work, .data = data};
  int64_t after = 0;
  ho_error failure = {0};
  project->unfinished = project->state_file = (ho_error){0};
  ho_code code = ho_store_write(project->store, run_guarded, &g, &failure);
  if (code == HO_IO && failure.rule && strcmp(failure.rule, "store-unfinished") == 0) {
    project->unfinished = failure;
    code = HO_OK;
  }
  if (code) {
    if (failure.code && err)
      *err = failure;
    return code;
  }
  ho_notices_raised(project);
  if (newest_event(project, &after, &project->state_file) == HO_OK && after > g.before)
    ho_statefile_refresh(project, false, &project->state_file);
  return HO_OK;
}

void ho_ledger_settle(ho_project *project)
{
  ho_error err = {0};
  if (ho_leases_any(project))
    (void)!ho_ledger_write(project, NULL, NULL, &err);
}

ho_str ho_project_setting(const ho_project *project, const char *name, const char *fallback)
{
  ho_str value = ho_node_str(ho_node_by_names(project->config, name));
  return value.n ? value : ho_str_of(fallback);
}

int64_t ho_project_number(const ho_project *project, const char *dotted, int64_t fallback)
{
  long long value;
  return ho_node_to_int(ho_node_by_names(project->config, dotted), &value) ? value : fallback;
}

ho_str ho_project_clean(const ho_project *project, ho_arena *arena, ho_str text)
{
  size_t count = 0;
  if (ho_str_is(ho_project_setting(project, "secrets", "redact"), "allow"))
    return text;
  return ho_secret_redact(text, arena, &count);
}

void ho_put_text(const ho_project *project, ho_arena *arena, ho_node *map, const char *key, ho_str text)
{
  if (text.n)
    ho_map_addz(map, key, ho_node_text(arena, ho_project_clean(project, arena, text)));
}

ho_str ho_put_json(ho_arena *arena, const ho_node *node)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_json_write(&text, node, 0);
  return ho_buf_move(&text, arena);
}

static ho_node *marks_of(const ho_handoff *row, ho_arena *arena)
{
  ho_source source;
  ho_node *map = NULL;
  ho_error err;
  if (!row->marks.n || ho_source_init(&source, arena, HO_STR("marks"), row->marks, &err) ||
      ho_json_read(&source, 0, arena, NULL, &map, &err) || map->kind != HO_KIND_MAP)
    map = ho_node_new(arena, HO_KIND_MAP);
  return map;
}

ho_str ho_marks_get(const ho_handoff *row, ho_arena *arena, const char *key)
{
  return row->marks.n ? ho_node_str(ho_map_getz(marks_of(row, arena), key)) : HO_EMPTY;
}

void ho_marks_set(ho_handoff *row, ho_arena *arena, const char *key, ho_str value)
{
  ho_node *map = marks_of(row, arena), *old = ho_map_getz(map, key);
  if (old)
    ho_node_remove(map, old);
  if (value.n)
    ho_map_addz(map, key, ho_node_text(arena, value));
  row->marks = map && map->count ? ho_put_json(arena, map) : HO_EMPTY;
}
