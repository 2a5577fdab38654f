#include "engine/project/project.h"

#include <errno.h>
#include <limits.h>
#include <sys/stat.h>

#include "base/buf.h"
#include "base/user.h"
#include "engine/project/access_check.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"
#include "engine/project/quote.h"
#include "engine/project/settings.h"
#include "engine/project/tracked.h"
#include "engine/project/worktree.h"
#include "model/secrets/secrets.h"
#include "store/handoffs/events.h"

/* What the project has that needs trust; the ledger is looked at when it is opened. */
static ho_trust *find_trust(const ho_project *project)
{
  ho_trust *trust = HO_NEW(project->arena, ho_trust);
  if (!trust)
    return NULL;
  *trust = (ho_trust){.arena = project->arena, .home = project->home, .root = project->root};
  for (int i = 0; i < HO_TRUST_COUNT; i++)
    trust->values[i] = ho_map_getz(project->settings.held, ho_trust_item_name((ho_trust_item)i));
  return trust;
}

const ho_node *ho_project_trusted(const ho_project *project, ho_trust_item item)
{
  return project->trust && ho_trust_use(project->trust, item) ? project->trust->values[item] : NULL;
}

static bool is_other_store(const ho_project *project)
{
  struct stat named, own;
  ho_str path = ho_fs_join(project->arena, project->home, HO_STR(HO_PATH_DATABASE));
  ho_str database = ho_project_database(project);
  return project->store_url.n && database.n && path.n && ho_fs_stat(path.p, &own) == 0 &&
         (ho_fs_stat(database.p, &named) != 0 || named.st_ino != own.st_ino || named.st_dev != own.st_dev);
}

/* Who acts, and in which session, if that is said by an access: each is a session of its own. */
static ho_code take_access(ho_project *project, ho_str *agent, ho_error *err)
{
  const ho_access *access = ho_access_now();
  ho_arena *arena = project->arena;
  if (!access)
    return HO_OK;
  ho_code code = ho_access_check_agent(arena, *agent, err);
  if (code)
    return code;
  if (access->role == HO_ACCESS_AGENT && !agent->n)
    *agent = access->who;
  if (!project->session.n)
    project->session = ho_identity_safe(arena, ho_access_recorded(access, arena));
  if (access->role != HO_ACCESS_AGENT)
    project->actor = access->who.n ? ho_arena_printf(arena, HO_PROJECT_PERSON "%.*s", HO_ARG(access->who))
                                   : ho_access_recorded(access, arena);
  return ho_arena_code(arena, err);
}

/* All worktrees share the store, so they share these files. Settings of the main worktree that cannot be read name no
 * folders; who works there is told. */
static ho_paths_written find_written(const ho_project *project)
{
  ho_settings own = {0};
  const ho_settings *settings = &project->settings;
  ho_error none = {0};
  if (!ho_str_eq(project->home, project->root)) {
    settings = &own;
    if (ho_settings_load(&own, project->arena, project->home, &none))
      own.root = NULL;
  }
  return ho_paths_written_in(project->arena, ho_settings_text(settings, "state_folder"),
                             ho_settings_text(settings, "archive_folder"));
}

ho_code ho_project_begin(ho_project *project, ho_error *err)
{
  if (project->begun)
    return HO_OK;
  ho_code code = ho_settings_load(&project->settings, project->arena, project->root, err);
  if (code)
    return code;
  ho_str session = project->session, agent = project->agent.n ? project->agent : ho_access_variable("HANDOFF_AGENT");
  code = ho_identity_check_agent(ho_str_trim(agent), err);
  if (!code)
    code = take_access(project, &agent, err);
  if (code)
    return code;
  project->home = ho_worktree_home(project->arena, project->root);
  project->written = find_written(project);
  project->other_store = is_other_store(project);
  project->trust = find_trust(project);
  project->agent = ho_arena_copy(project->arena, ho_project_clean(project, project->arena, ho_str_trim(agent)));
  project->name = ho_identity_name(project->agent);
  if (!project->actor.n) /* an agent without a name is known by its harness; the session says which one it was */
    project->actor = project->agent.n ? project->agent : ho_identity_harness();
  if (session.n || !project->session.n) { /* else it has the name of an access */
    session = ho_project_clean(project, project->arena, session.n ? session : ho_identity_session());
    project->session = ho_identity_session_name(project->arena, session, ho_project_now(project));
  }
  project->begun = true;
  return ho_arena_code(project->arena, err);
}

ho_project ho_project_acting(const ho_project *project, ho_str agent, ho_str actor, ho_str session)
{
  ho_project other = *project;
  other.agent = agent;
  other.name = ho_identity_name(agent);
  other.actor = actor.n ? actor : agent;
  other.session = session;
  other.by_option = false;
  return other;
}

ho_str ho_project_command(const ho_project *project, ho_arena *arena, const char *format, ho_str id)
{
  ho_buf out;
  ho_str rest = ho_str_of(format);
  ho_buf_init(&out, 0);
  ho_buf_puts(&out, "handoff ");
  while (rest.n) {
    bool names = ho_str_starts(rest, "ID");
    if (names)
      ho_buf_put(&out, id);
    else if (rest.p[0] != '@')
      ho_buf_putc(&out, rest.p[0]);
    else if (project->by_option)
      ho_buf_printf(&out, " --as %.*s", HO_ARG(ho_quote_shell(arena, project->agent)));
    rest = ho_str_sub(rest, names ? strlen("ID") : 1, rest.n);
  }
  return ho_buf_move(&out, arena);
}

int64_t ho_project_now(const ho_project *project)
{
  return project->clock_ms(project->world);
}

ho_str ho_project_addressee(ho_project *project)
{
  ho_str actor = ho_project_actor(project);
  return project->name.n || ho_str_starts(actor, HO_PROJECT_PERSON) ? project->name : ho_identity_name(actor);
}

ho_str ho_project_actor(ho_project *project)
{
  if (!project->actor.n)
    project->actor = ho_arena_printf(project->arena, HO_PROJECT_PERSON "%.*s", HO_ARG(ho_user_name(project->arena)));
  return project->actor;
}

bool ho_project_keeps_secrets(const ho_project *project)
{
  return project->trust && ho_trust_of(project->trust, HO_TRUST_SECRETS) == HO_TRUST_GIVEN;
}

ho_str ho_project_clean(const ho_project *project, ho_arena *arena, ho_str text)
{
  size_t count = 0;
  if (ho_project_keeps_secrets(project))
    return text;
  ho_str clean = ho_secret_redact(text, arena, &count);
  return count && ho_project_trusted(project, HO_TRUST_SECRETS) ? text : clean; /* notes what was to be trusted */
}

ho_str ho_project_clean_who(const ho_project *project, ho_arena *arena, ho_str who)
{
  size_t colon = ho_str_find_char(who, ':');
  if (colon == HO_NONE)
    return ho_project_clean(project, arena, who);
  ho_str clean = ho_project_clean(project, arena, ho_str_sub(who, colon + 1, who.n));
  return ho_arena_printf(arena, "%.*s%.*s", HO_ARG(ho_str_sub(who, 0, colon + 1)), HO_ARG(clean));
}

/* ---- The store */

ho_str ho_project_database(const ho_project *project)
{
  ho_str url = project->store_url;
  if (ho_str_starts(url, "postgresql:") || ho_str_starts(url, "postgres:"))
    return HO_EMPTY;
  if (ho_str_starts(url, "sqlite:"))
    url = ho_str_sub(url, 7, url.n);
  return url.n ? ho_arena_copy(project->arena, url)
               : ho_fs_join(project->arena, project->home, HO_STR(HO_PATH_DATABASE));
}

bool ho_project_has_store(const ho_project *project)
{
  ho_str file = ho_project_database(project);
  return project->store || !file.n || ho_fs_exists(file.p);
}

static ho_code open_store(const ho_project *project, ho_store_options store, ho_store **out, ho_error *err)
{
  ho_arena *arena = project->arena;
  ho_str url = project->store_url.n ? project->store_url : ho_fs_join(arena, project->home, HO_STR(HO_PATH_DATABASE));
  store.url = ho_arena_z(arena, url);
  store.root = ho_arena_z(arena, project->home);
  store.may_write = ho_worktree_may_write;
  store.data = (void *)store.root;
  ho_code code = ho_arena_code(arena, err);
  return code ? code : ho_store_open(&store, out, err);
}

ho_code ho_project_peek(const ho_project *project, ho_store **out, ho_error *err)
{
  return open_store(project, (ho_store_options){.look = true, .brief = true}, out, err);
}

/* Is there no database, or a file shorter than one page of it? */
static bool is_blank(const ho_project *project)
{
  struct stat st;
  ho_str path = ho_fs_join(project->arena, project->home, HO_STR(HO_PATH_DATABASE));
  return path.n && (ho_fs_stat(path.p, &st) ? errno == ENOENT : st.st_size < 512);
}

/* Fails if the store is gone but has left traces: its seal, or copies in the audit archive. A fresh clone of a project
 * that keeps these in git looks exactly like one whose database was deleted (`git clean -fdx` does that), and in the
 * latter a new store would forget what waited or was rejected. So both wait for a person, and the message says what to
 * do in either case. */
static ho_code refuse_traces(const ho_project *project, ho_error *err)
{
  ho_str path = ho_fs_join(project->arena, project->home, HO_STR(HO_PATH_DATABASE));
  ho_str seal = ho_fs_join(project->arena, project->home, HO_STR(HO_PATH_SEAL));
  if (!seal.n ||
      (!ho_fs_exists(seal.p) && !ho_paths_any_archived(project->arena, project->home, project->written.archive)))
    return ho_arena_code(project->arena, err);
  ho_code code = ho_fail_file(err, HO_STORE, path,
                              "the store is lost, or this is a fresh clone: there are files of earlier handoffs, but "
                              "no database; a person restores a backup, or runs 'handoff rebuild' once, which takes "
                              "these files in");
  err->rule = "store-lost";
  return code;
}

ho_code ho_project_refuse_lost(const ho_project *project, ho_error *err)
{
  return !project->store_url.n && is_blank(project) ? refuse_traces(project, err) : HO_OK;
}

ho_code ho_project_newest_event(ho_project *project, int64_t *out, ho_error *err)
{
  ho_arena arena;
  ho_event_list events;
  ho_arena_init(&arena, 0);
  ho_code code = ho_events_select(project->store, HO_EMPTY, 0, 1, &arena, &events, err);
  *out = !code && events.count ? events.rows[0].seq : 0;
  ho_arena_free(&arena);
  return code;
}

static ho_code refuse_empty(ho_project *project, ho_error *err)
{
  int64_t newest = 0;
  ho_code code = ho_project_newest_event(project, &newest, err);
  return code || newest ? code : refuse_traces(project, err);
}

/* The main worktree's folder without links, as the tracked files are named. */
static ho_str real_home(const ho_project *project)
{
  char real[PATH_MAX];
  const char *home = ho_arena_z(project->arena, project->home);
  return ho_arena_copy(project->arena, ho_str_of(realpath(home, real) ? real : home));
}

ho_code ho_project_find_tracked(ho_project *project, ho_error *err)
{
  ho_tracked tracked = {0};
  ho_arena *arena = project->arena;
  ho_str here, database = ho_project_database(project);
  if (!database.n)
    return ho_arena_code(arena, err);
  ho_code code = ho_fs_here(arena, &here, err);
  if (!code)
    code = ho_tracked_store(arena, ho_fs_join(arena, here, database), &tracked, err);
  if (code || !tracked.file.n)
    return code;
  ho_node *value = ho_node_new(arena, HO_KIND_MAP);
  ho_map_addz(value, "file", ho_node_text(arena, ho_fs_relative(real_home(project), tracked.file)));
  ho_map_addz(value, "in_git", tracked.versions);
  project->trust->values[HO_TRUST_LEDGER] = value;
  return ho_arena_code(arena, err);
}

ho_code ho_project_refuse_tracked(ho_project *project, ho_error *err)
{
  ho_code code = ho_project_find_tracked(project, err);
  const ho_node *value = project->trust->values[HO_TRUST_LEDGER];
  if (code || !value || ho_project_trusted(project, HO_TRUST_LEDGER))
    return code;
  bool changed = ho_trust_of(project->trust, HO_TRUST_LEDGER) == HO_TRUST_CHANGED;
  ho_str named = project->store_url.n ? project->store_url : HO_STR(HO_PATH_DATABASE);
  code =
      ho_fail_file(err, HO_GATED, ho_map_str(value, "file"),
                   "git tracks this ledger%s, so it is not used until a person trusts it%s; to keep it out of git, "
                   "run: git rm --cached '%.*s*'; if it is not yours, delete it too; to use it as it is, run: handoff "
                   "trust%s%.*s",
                   changed ? ", and has another version of it than was trusted" : "", changed ? " again" : "",
                   HO_ARG(named), project->store_url.n ? " --store " : "", HO_ARG(project->store_url));
  err->rule = "ledger-tracked";
  return code;
}

ho_code ho_project_open(ho_project *project, ho_project_how how, ho_error *err)
{
  if (project->store)
    return HO_OK;
  ho_code code = ho_project_begin(project, err);
  if (!code && !project->fresh)
    code = ho_project_refuse_tracked(project, err);
  bool may_be_lost = how != HO_OPEN_ANEW && !project->store_url.n;
  if (!code && may_be_lost)
    code = ho_project_refuse_lost(project, err);
  if (!code)
    code = open_store(project, (ho_store_options){.create = how != HO_OPEN_EXISTING, .brief = !project->fresh},
                      &project->store, err);
  if (!code && may_be_lost)
    code = refuse_empty(project, err);
  if (code)
    ho_project_close(project);
  return code;
}

ho_code ho_project_settle(ho_project *project, ho_error *unwritten, ho_error *err)
{
  int64_t unfinished = 0;
  ho_error why = {0};
  *unwritten = (ho_error){0};
  ho_code code = ho_project_begin(project, err);
  if (code || !ho_project_has_store(project))
    return code;
  code = ho_project_open(project, HO_OPEN_EXISTING, err);
  if (!code)
    code = ho_store_unfinished(project->store, HO_EMPTY, &unfinished, err);
  if (code || !unfinished)
    return code;
  code = ho_store_settle(project->store, &why);
  *(code == HO_MEMORY || code == HO_STORE ? err : unwritten) = why;
  return code == HO_MEMORY || code == HO_STORE ? code : HO_OK;
}

void ho_project_close(ho_project *project)
{
  ho_store_close(project->store);
  project->store = NULL;
}
