#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "command/context_shown.h"
#include "command/settings.h"
#include "doc/json/json.h"
#include "engine/hook/hook.h"

/* What the hook's callbacks work with. */
typedef struct hook_world {
  ho_call *call;
  bool looked;
  const ho_node *settings;
} hook_world;

static int64_t clock_ms(void *world)
{
  const ho_engine *engine = ((hook_world *)world)->call->engine;
  return engine->clock_ms(engine->world);
}

static void give_up(void *world, int64_t ms, const char *log, const char *line)
{
  const ho_engine *engine = ((hook_world *)world)->call->engine;
  engine->give_up(engine->world, ms, log, line);
}

static const ho_tokens *tokens(void *world)
{
  return ho_engine_tokens(((hook_world *)world)->call->engine);
}

/* A hook runs at every tool call, so the settings are kept as they were read, for as long as the file is the same:
 * {"stamp": "SIZE-TIME", "settings": …}. */
static ho_str stamp_of(ho_arena *arena, const char *path)
{
  struct stat info;
  if (stat(path, &info) != 0)
    return HO_EMPTY;
  return ho_arena_printf(arena, "%lld-%lld.%09ld-%llu", (long long)info.st_size, (long long)info.st_mtim.tv_sec,
                         info.st_mtim.tv_nsec, (unsigned long long)info.st_ino);
}

static const ho_node *kept_settings(ho_call *call, const char *path, ho_str stamp)
{
  ho_str text;
  ho_source source;
  ho_node *kept;
  ho_error none = {0};
  if (!ho_fs_is_file(path) || ho_fs_read(call->arena, path, 0, &text, &none) ||
      ho_source_init(&source, call->arena, HO_STR("kept"), text, &none) ||
      ho_json_read(&source, 0, call->arena, NULL, &kept, &none) ||
      !ho_str_eq(ho_node_str(ho_map_getz(kept, "stamp")), stamp))
    return NULL;
  const ho_node *settings = ho_map_getz(kept, "settings");
  return ho_node_is(settings, HO_KIND_MAP) ? settings : NULL;
}

static void keep_settings(ho_call *call, ho_str path, ho_str stamp, const ho_node *settings)
{
  ho_buf text;
  ho_error none = {0};
  ho_node *kept = ho_node_new(call->arena, HO_KIND_MAP);
  ho_map_addz(kept, "stamp", ho_node_text(call->arena, stamp));
  ho_map_addz(kept, "settings", settings ? ho_node_copy(call->arena, settings) : ho_node_new(call->arena, HO_KIND_MAP));
  ho_buf_init(&text, 0);
  ho_json_write(&text, kept, 0);
  if (ho_buf_code(&text, &none) == HO_OK && ho_arena_code(call->arena, &none) == HO_OK &&
      ho_fs_mkdirs(ho_arena_z(call->arena, ho_fs_parent(path)), &none) == HO_OK &&
      ho_fs_write(path.p, ho_buf_str(&text), HO_FS_REPLACE, &none) != HO_OK)
    unlink(path.p);
  ho_buf_free(&text);
}

/* Settings that cannot be read are none: `config` and `doctor` say what is wrong with them. */
static const ho_node *settings(void *world, ho_str root)
{
  hook_world *w = world;
  ho_doc doc;
  bool there;
  ho_error none = {0};
  ho_arena *arena = w->call->arena;
  if (w->looked)
    return w->settings;
  w->looked = true;
  w->call->engine->root = root;
  ho_str stamp = stamp_of(arena, ho_fs_join(arena, root, HO_STR(HO_SETTINGS_PATH)).p);
  ho_str path = ho_fs_join(arena, root, HO_STR(".handoff/context/settings.cache"));
  if (!stamp.n || !path.n)
    return NULL;
  w->settings = kept_settings(w->call, path.p, stamp);
  if (!w->settings && ho_settings_read(w->call, &doc, &there, &none) == HO_OK && there) {
    w->settings = doc.root;
    keep_settings(w->call, path, stamp, doc.root);
  }
  return w->settings;
}

/* The agent goes on, whatever happens. */
static ho_code run(ho_call *call, ho_error *err)
{
  hook_world world = {.call = call};
  ho_error failure = {0};
  ho_engine *engine = call->engine;
  (void)err;
  ho_hook hook = {.arena = call->arena,
                  .harness = ho_arg_str(call, "harness"),
                  .root = engine->root,
                  .store = engine->store,
                  .settings = settings,
                  .tokens = tokens,
                  .counter = ho_context_counter(engine),
                  .clock_ms = clock_ms,
                  .give_up = engine->give_up ? give_up : NULL,
                  .world = &world};
  engine->hurry = true;
  ho_code code = engine->read_input(engine->world, call->arena, &hook.input, &failure);
  if (code)
    hook.input = HO_EMPTY;
  ho_code handled = ho_hook_run(&hook, code ? NULL : &failure);
  if (handled || code)
    ho_hook_log(&hook, &failure);
  if (handled)
    hook.said = HO_EMPTY;
  ho_map_addz(call->result, "reply", ho_hook_reply(&hook, call->arena));
  return HO_OK;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  (void)colour;
  ho_json_write(out, ho_map_getz(call->result, "reply"), 0);
  ho_buf_putc(out, '\n');
}

static const ho_field params[] = {{.name = "harness",
                                   .label = "HARNESS",
                                   .doc = "Whose event it is: claude, codex or gemini.",
                                   .type = HO_T_TEXT,
                                   .flags = HO_REQUIRED | HO_POSITIONAL},
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "hook", .fields = params};
static const ho_field result[] = {
    {.name = "reply", .doc = "In the harness's own form.", .type = HO_T_ANY, .flags = HO_MAY_BE_EMPTY}, HO_FIELDS_END};
static const ho_record result_record = {.name = "hook result", .fields = result};

extern const ho_command ho_command_hook;
const ho_command ho_command_hook = {
    .name = "hook",
    .group = "agents",
    .summary = "Answer one hook event of a harness",
    .doc =
        "Reads one event of Claude Code, Codex or Gemini on standard input and answers in the harness's own form; "
        "'install' registers it. When a session starts, the pending handoff is offered, and claimed where HANDOFF_TASK "
        "is set; after a compaction the session's own latest one is shown. Tool calls are counted and priced, and the "
        "agent is asked for a handoff when a trigger of 'context' fires: once a level, not again within five minutes. "
        "Before a compaction what is known becomes a draft. Work that is handed back without a handoff, with the "
        "context above the threshold or objectives of the phase open, is noticed; the setting 'without_handoff: block' "
        "keeps the agent from stopping then. While the session works, the leases of what it has claimed are "
        "renewed. A hook never gets in the agent's way by accident: whatever goes wrong, the answer is {}, the exit "
        "status is 0, and "
        ".handoff/hook.log says why. Projects without a .handoff folder are left alone.",
    .examples = "echo '{\"hook_event_name\": \"Stop\", \"session_id\": \"s1\"}' | handoff hook claude",
    .effect = HO_EFFECT_LONG,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
    .raw = true,
    .always_ok = "{}\n",
};
