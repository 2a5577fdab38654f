#include "base/fs.h"
#include "base/term.h"
#include "command/commands.h"
#include "command/setup/settings_shown.h"
#include "engine/project/paths.h"
#include "engine/project/settings.h"
#include "engine/project/worktree.h"
#include "model/formats/formats.h"
#include "store/store.h"

/* Creates the file, or leaves the one that is there; notes which. */
static ho_code put_file(ho_call *call, ho_str root, const char *name, ho_str content, ho_error *err)
{
  ho_str path = ho_fs_join(call->arena, root, ho_str_of(name));
  ho_code code = ho_fs_write(path.p, content, HO_FS_CREATE, err);
  const char *list = code == HO_CONFLICT ? "kept" : "created";
  if (code == HO_CONFLICT)
    *err = (ho_error){0};
  else if (code)
    return code;
  ho_list_add(ho_map_getz(call->result, list), ho_node_text(call->arena, ho_shown_path(call, path)));
  return HO_OK;
}

/* The folder to initialise: a git repository below a folder with a .handoff is a project of its own, unless the root
 * was given. */
static ho_str root_of(ho_call *call)
{
  const ho_host *host = call->host;
  ho_str nearer = host->told_root ? HO_EMPTY : ho_worktree_nested(call->arena, host->root, host->folder);
  if (!nearer.n)
    return host->root;
  ho_call_note(call, "initialised the git repository %.*s as a project of its own; %.*s, above it, has a .handoff too",
               HO_ARG(nearer), HO_ARG(host->root));
  return nearer;
}

static bool is_noted(const ho_call *call, ho_str text)
{
  HO_EACH_CONST (note, ho_map_getz(call->result, "notes"))
    if (ho_str_eq(note->text, text))
      return true;
  return false;
}

/* 'install HARNESS', in the folder that is initialised. */
static ho_code install(ho_call *call, ho_str root, const char *harness, bool print, ho_error *err)
{
  ho_node *args = ho_node_new(call->arena, HO_KIND_MAP);
  ho_map_addz(args, "harness", ho_node_textz(call->arena, harness));
  ho_map_addz(args, "print", ho_node_bool(call->arena, print));
  ho_call asked = {.host = call->host, .args = args, .arena = call->arena};
  ho_str before = call->host->root;
  ho_code code = HO_OK;
  if (print) { /* whether it may be done at all */
    const ho_call real = {.arena = call->arena};
    code = ho_command_refuse_agents(&ho_command_install, &real, err);
  }
  call->host->root = root;
  if (!code)
    code = ho_dispatch(&ho_command_install, &asked, err);
  call->host->root = before;
  if (code || print)
    return code;
  HO_EACH_CONST (file, ho_map_getz(asked.result, "files"))
    ho_list_add(ho_map_getz(call->result, "installed"), ho_node_copy(call->arena, file));
  HO_EACH_CONST (note, ho_map_getz(asked.result, "notes"))
    if (!is_noted(call, note->text)) /* several harnesses may have the same to say */
      ho_call_note(call, "%.*s", HO_ARG(note->text));
  return HO_OK;
}

static ho_code install_all(ho_call *call, ho_str root, bool print, ho_error *err)
{
  ho_code code = HO_OK;
  for (const ho_choice *each = ho_harness_choices; each->value && !code; each++)
    if (ho_arg_true(call, each->value))
      code = install(call, root, each->value, print, err);
  return code;
}

static ho_code put_files(ho_call *call, ho_str root, ho_error *err)
{
  ho_buf settings;
  ho_str folder = ho_fs_join(call->arena, root, HO_STR(HO_PATH_FOLDER));
  if (!ho_fs_inside(ho_arena_z(call->arena, root), folder.p))
    return ho_fail_file(err, HO_IO, folder, "is a symbolic link to a place outside the project");
  ho_buf_init(&settings, 0);
  ho_settings_shown_write(ho_format_config.root, &settings, call->arena);
  ho_code code = ho_buf_code(&settings, err);
  if (!code)
    code = ho_fs_mkdirs(folder.p, err);
  if (!code)
    code = put_file(call, root, HO_PATH_SETTINGS, ho_buf_str(&settings), err);
  if (!code)
    code = put_file(call, root, HO_PATH_IGNORE, ho_str_of(ho_store_ignored), err);
  ho_buf_free(&settings);
  return code;
}

/* Settings that cannot be read are told by the next command. */
static void announce_folders(ho_call *call, ho_str root)
{
  ho_settings settings = {0};
  ho_error none = {0};
  if (ho_settings_load(&settings, call->arena, root, &none) == HO_OK)
    ho_call_note(call, "'handoff send' will also write %.*s/ (setting state_folder) and %.*s/ (archive_folder)",
                 HO_ARG(ho_settings_text(&settings, "state_folder")),
                 HO_ARG(ho_settings_text(&settings, "archive_folder")));
}

/* What cannot be installed is found out before anything is created. */
static ho_code run(ho_call *call, ho_error *err)
{
  ho_str root = root_of(call);
  ho_map_addz(call->result, "root", ho_node_text(call->arena, root));
  ho_map_addz(call->result, "created", ho_node_new(call->arena, HO_KIND_LIST));
  ho_map_addz(call->result, "kept", ho_node_new(call->arena, HO_KIND_LIST));
  ho_map_addz(call->result, "installed", ho_node_new(call->arena, HO_KIND_LIST));
  ho_code code = install_all(call, root, true, err);
  if (!code)
    code = put_files(call, root, err);
  if (!code && ho_map_getz(call->result, "created")->count)
    announce_folders(call, root);
  if (!code)
    code = install_all(call, root, false, err);
  if (!code && ho_map_getz(call->result, "installed")->count)
    ho_call_note(call, "'handoff' alone, on a terminal, shows what waits for you and who works");
  return code;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  static const struct {
    const char *list, *said;
  } parts[] = {{"created", "created "}, {"kept", "already exists: "}};
  (void)colour;
  for (size_t i = 0; i < HO_COUNT(parts); i++)
    HO_EACH_CONST (path, ho_map_getz(call->result, parts[i].list)) {
      ho_buf_puts(out, parts[i].said);
      ho_term_put(out, path->text, HO_TERM_LINE);
      ho_buf_putc(out, '\n');
    }
  HO_EACH_CONST (file, ho_map_getz(call->result, "installed")) {
    ho_term_put(out, ho_map_str(file, "what"), HO_TERM_LINE);
    ho_buf_putc(out, ' ');
    ho_term_put(out, ho_map_str(file, "path"), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
}

#define HARNESS(key, title, alias, started)                                                                            \
  {.name = #key, .doc = "Also register the hooks with " title ", as 'install " #key "' does.", .type = HO_T_BOOL},
static const ho_field params[] = {HO_HARNESSES_HOOKED(HARNESS, HARNESS, HARNESS) HO_FIELDS_END};
#undef HARNESS
static const ho_record params_record = {.name = "init", .fields = params};
static const ho_field result[] = {{.name = "root", .doc = "The project root.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
                                  {.name = "created",
                                   .doc = "Files that were created.",
                                   .type = HO_T_LIST,
                                   .item = HO_T_TEXT,
                                   .flags = HO_REQUIRED | HO_MAY_BE_EMPTY},
                                  {.name = "kept",
                                   .doc = "Files that existed and were left unchanged.",
                                   .type = HO_T_LIST,
                                   .item = HO_T_TEXT,
                                   .flags = HO_REQUIRED | HO_MAY_BE_EMPTY},
                                  {.name = "installed",
                                   .doc = "Files of harnesses, as in the result of 'install'.",
                                   .type = HO_T_LIST,
                                   .item = HO_T_ANY,
                                   .flags = HO_REQUIRED | HO_MAY_BE_EMPTY},
                                  HO_NOTES_FIELD,
                                  HO_FIELDS_END};
static const ho_record result_record = {.name = "init result", .fields = result};

const ho_command ho_command_init = {
    .name = "init",
    .group = "setup",
    .summary = "Create the .handoff folder with the project's settings",
    .doc =
        "Creates .handoff/config.yaml, which explains every setting, and .handoff/.gitignore. Files that already "
        "exist are left unchanged, so it is safe to run again. With --claude, --codex or --gemini, it also does what "
        "'install' does; that is only for people.",
    .examples = "handoff init\nhandoff init --claude",
    .common = true,
    .local = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
