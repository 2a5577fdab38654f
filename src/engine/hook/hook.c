#include "engine/hook/hook.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/time.h"
#include "doc/json/json.h"
#include "engine/project/identity.h"
#include "engine/project/paths.h"
#include "engine/project/project.h"
#include "engine/project/settings.h"
#include "engine/project/worktree.h"
#include "engine/which/which.h"
#include "model/secrets/secrets.h"

enum { LOG_SIZE = 256 << 10, END_MS = 900 /* of the second and a half allowed for the end of a session */ };

static ho_code (*const handlers[HO_MOMENTS])(ho_hook *hook, ho_error *err) = {
    [HO_MOMENT_START] = ho_hook_start,
    [HO_MOMENT_BEFORE_TOOL] = ho_hook_before_tool,
    [HO_MOMENT_AFTER_TOOL] = ho_hook_after_tool,
    [HO_MOMENT_COMPACT] = ho_hook_compact,
    [HO_MOMENT_STOP] = ho_hook_stop,
    [HO_MOMENT_SUBAGENT_STOP] = ho_hook_stop,
    [HO_MOMENT_END] = ho_hook_end,
};

static ho_code find_event(ho_hook *hook, ho_error *err)
{
  ho_str name = ho_map_str(hook->in, "hook_event_name");
  hook->harness = ho_harness_named(hook->named);
  if (!hook->harness || !hook->harness->events)
    return ho_fail(err, HO_USAGE, "'%.*s' is not a known harness; 'handoff help install' lists them",
                   HO_ARG(hook->named));
  if (!ho_node_is(hook->in, HO_KIND_MAP) || !name.n)
    return ho_fail(err, HO_INVALID, "the event has no hook_event_name");
  for (const ho_hook_event *each = hook->harness->events; each->name; each++)
    if (ho_str_is(name, each->name)) {
      hook->event = each;
      hook->form = each->form;
      return HO_OK;
    }
  return ho_fail(err, HO_INVALID, "the event '%.*s' is not used", HO_ARG(name));
}

static bool has_folder(ho_arena *arena, ho_str root)
{
  ho_str folder = ho_fs_join(arena, root, HO_STR(HO_PATH_FOLDER));
  return folder.n && ho_fs_is_folder(folder.p) && !ho_fs_is_link(folder.p); /* so it is inside */
}

/* The project that uses handoff: around the current folder, the event's folder, or the main worktree of either. */
static void find_root(ho_hook *hook)
{
  ho_str cwd = ho_map_str(hook->in, "cwd"), roots[3] = {hook->project->root, HO_EMPTY, HO_EMPTY};
  if (has_folder(hook->arena, hook->project->root)) {
    hook->used = true;
    return;
  }
  const char *folder = ho_arena_z(hook->arena, cwd);
  if (cwd.n && folder[0] == '/' && ho_fs_is_folder(folder))
    roots[1] = ho_fs_root(hook->arena, cwd);
  roots[2] = ho_worktree_home(hook->arena, roots[1].n ? roots[1] : hook->project->root);
  for (size_t i = 1; !hook->used && i < HO_COUNT(roots); i++)
    if (roots[i].n && has_folder(hook->arena, roots[i])) {
      hook->project->root = ho_arena_copy(hook->arena, roots[i]);
      hook->used = true;
    }
}

/* A subagent has its own transcript, beside that of its session. */
static void find_agent(ho_hook *hook)
{
  ho_str path = ho_map_str(hook->in, "transcript_path");
  ho_str agent = ho_map_str(hook->in, "agent_id");
  ho_str own = ho_map_str(hook->in, "agent_transcript_path");
  hook->session = ho_map_str(hook->in, "session_id");
  if (!hook->session.n)
    hook->session = ho_context_session(path);
  hook->transcript = ho_arena_copy(hook->arena, path);
  if (!agent.n)
    return;
  if (!own.n && path.n && ho_id_fits(agent))
    own = ho_arena_printf(hook->arena, "%.*s/%.*s/subagents/agent-%.*s.jsonl", HO_ARG(ho_fs_parent(path)),
                          HO_ARG(ho_context_session(path)), HO_ARG(agent));
  hook->transcript = ho_arena_copy(hook->arena, own);
  hook->session = ho_arena_printf(hook->arena, "%.*s-%.*s", HO_ARG(hook->session), HO_ARG(agent));
}

static ho_code read_event(ho_hook *hook, ho_error *err)
{
  ho_source source;
  ho_node *in;
  if (ho_str_blank(hook->input))
    return ho_fail(err, HO_INVALID, "no event on standard input");
  ho_code code = ho_source_init(&source, hook->arena, HO_STR("-"), hook->input, err);
  if (!code)
    code = ho_json_read(&source, 0, hook->arena, NULL, &in, err);
  if (!code)
    hook->in = in;
  return code;
}

static ho_str log_path(const ho_hook *hook)
{
  return ho_fs_join(hook->arena, hook->project->root, HO_STR(HO_PATH_HOOK_LOG));
}

/* The store may be locked, or a folder may not respond: gives up well before the harness loses patience. */
static void limit_time(ho_hook *hook)
{
  char when[HO_TIME_SIZE];
  int64_t ms = hook->event->timeout_s > 1 ? hook->event->timeout_s * 500 : END_MS;
  if (!hook->give_up)
    return;
  ho_time_text(ho_hook_now(hook), false, when);
  ho_str line = ho_arena_printf(hook->arena, "%s %s %s: limit: it took longer than %lld ms; the agent continues\n",
                                when, hook->harness->name, hook->event->name, (long long)ms);
  hook->give_up(hook->world, ms, log_path(hook).p, line.p);
}

/* The session's name in the store: the harness's id, also for its subagents, unless HANDOFF_SESSION is set. */
static ho_str ledger_session(const ho_hook *hook)
{
  ho_str id = ho_secret_redact(ho_map_str(hook->in, "session_id"), hook->arena, &(size_t){0});
  if (!id.n)
    id = hook->session;
  return getenv("HANDOFF_SESSION") || !ho_id_fits(id) ? HO_EMPTY : id;
}

/* A hook is started at every tool call, and somebody is waiting for it. */
static ho_code begin_project(ho_hook *hook, ho_error *err)
{
  ho_project *project = hook->project;
  project->session = ledger_session(hook);
  if (!getenv("HANDOFF_AGENT"))
    project->actor = ho_str_of(hook->harness->name);
  ho_settings_load_quickly(&project->settings, project->arena, project->root);
  ho_code code = ho_settings_limits(&project->settings, project->arena, project->root, err);
  return code ? code : ho_project_begin(project, err);
}

/* Transcripts and events are other people's text. A program that the user wants to be notified by does what it likes, so
 * there is no limit if one may be started. */
static void confine(ho_hook *hook)
{
  enum { MOST = 5 };
  const ho_project *project = hook->project;
  const char *folders[MOST], *file = hook->harness->env_file ? getenv(hook->harness->env_file) : NULL;
  size_t count = 0;
  if (!hook->confine || ho_settings_node(&project->settings, "notify"))
    return;
  folders[count++] = ho_arena_z(hook->arena, project->root);
  folders[count++] = ho_arena_z(hook->arena, project->home);
  folders[count++] = ho_arena_z(hook->arena, ho_hook_work(hook));
  if (project->store_url.n)
    folders[count++] = ho_arena_z(hook->arena, ho_fs_parent(ho_project_database(project)));
  if (file)
    folders[count++] = ho_arena_z(hook->arena, ho_fs_parent(ho_str_of(file)));
  if (!hook->arena->failed)
    hook->confine(folders, count);
}

ho_code ho_hook_run(ho_hook *hook, ho_error *err)
{
  ho_code code = read_event(hook, err);
  find_root(hook);
  if (!code)
    code = find_event(hook, err);
  if (code || !hook->used)
    return code;
  limit_time(hook);
  find_agent(hook);
  hook->session = ho_secret_redact(hook->session, hook->arena, &(size_t){0}); /* it becomes part of file names */
  if (!hook->session.n)
    return ho_fail(err, HO_INVALID, "the event has neither session_id nor transcript_path");
  code = begin_project(hook, err);
  hook->assigned = ho_str_of(getenv("HANDOFF_TASK")).n > 0;
  if (!code)
    ho_which_quickly(hook->project, hook->arena, &hook->task, &hook->phase);
  if (!code)
    ho_hook_agent_find(hook);
  if (!code)
    confine(hook);
  if (!code)
    code = handlers[hook->event->moment](hook, err);
  if (!code && hook->event->timeout_s > 1) /* the end of a session has neither time nor use for it */
    code = ho_hook_renew(hook, err);
  return code ? code : ho_arena_code(hook->arena, err);
}

ho_node *ho_hook_reply(const ho_hook *hook, ho_arena *arena)
{
  ho_node *reply = ho_node_new(arena, HO_KIND_MAP);
  if (hook->form == HO_HOOK_NOTHING)
    return NULL;
  if (!hook->said.n || hook->form == HO_HOOK_SILENT)
    return reply;
  if (hook->form == HO_HOOK_MESSAGE) {
    ho_map_addz(reply, "systemMessage", ho_node_text(arena, hook->said));
    return reply;
  }
  if (hook->form == HO_HOOK_BLOCK) {
    ho_map_addz(reply, "decision", ho_node_textz(arena, hook->harness->refusal));
    ho_map_addz(reply, "reason", ho_node_text(arena, hook->said));
    return reply;
  }
  ho_node *own = ho_map_addz(reply, "hookSpecificOutput", ho_node_new(arena, HO_KIND_MAP));
  ho_map_addz(own, "hookEventName", ho_node_textz(arena, hook->event->name));
  ho_map_addz(own, "additionalContext", ho_node_text(arena, hook->said));
  return reply;
}

void ho_hook_log(const ho_hook *hook, const ho_error *err)
{
  char when[HO_TIME_SIZE], old[4096 + 8], line[1400];
  struct stat info;
  if (!hook->used)
    return;
  ho_time_text(ho_hook_now(hook), false, when);
  const char *path = log_path(hook).p;
  snprintf(old, sizeof old, "%s.old", path);
  if (ho_fs_stat(path, &info) == 0 && info.st_size > LOG_SIZE)
    ho_fs_rename(path, old, true);
  int n = snprintf(line, sizeof line, "%s %.40s %s: %s: %s%s%s\n", when, ho_arena_z(hook->arena, hook->named),
                   hook->event ? hook->event->name : "event", ho_code_name(err->code), err->file,
                   err->file[0] ? ": " : "", err->message);
  for (int i = 0; i + 1 < n && i < (int)sizeof line; i++)
    if ((unsigned char)line[i] < ' ' || line[i] == 127)
      line[i] = ' ';
  int fd = ho_fs_open(path, O_WRONLY | O_APPEND | O_CREAT);
  if (fd < 0)
    return;
  size_t count = 0;
  ho_str text = {line, n < (int)sizeof line ? (size_t)n : sizeof line - 1};
  text = ho_secret_redact(text, hook->arena, &count);
  if (write(fd, text.p, text.n) < 0) {
    /* a log that cannot be written is no reason to stop anybody */
  }
  close(fd);
}
