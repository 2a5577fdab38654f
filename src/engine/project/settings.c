#include "engine/project/settings.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/buf.h"
#include "base/limits.h"
#include "doc/json/json.h"
#include "engine/project/paths.h"
#include "engine/project/trust.h"
#include "model/check.h"
#include "model/formats/formats.h"
#include "model/general_rules.h"

static const ho_format *format_of(const ho_settings *settings)
{
  return settings->format ? settings->format : &ho_format_config;
}

static ho_code first_error(const ho_doc *doc, ho_error *err)
{
  for (size_t i = 0; i < doc->report.count; i++) {
    const ho_finding *finding = &doc->report.items[i];
    if (finding->severity != HO_ERROR)
      continue;
    ho_error at = {.code = HO_INVALID, .rule = finding->rule->id, .line = finding->line, .column = finding->column};
    ho_error_copy(at.file, sizeof at.file, doc->source.path);
    ho_error_copy(at.pointer, sizeof at.pointer, finding->pointer);
    ho_error_copy(at.message, sizeof at.message, finding->message);
    *err = at;
    return HO_INVALID;
  }
  return HO_OK;
}

/* "a, b": the keys that are not settings. */
static ho_str unknown_keys(const ho_doc *doc, ho_arena *arena)
{
  ho_str names = HO_EMPTY;
  for (size_t i = 0; i < doc->report.count; i++) {
    const ho_finding *finding = &doc->report.items[i];
    if (finding->rule == &ho_rule_UNKNOWN_KEY)
      names = ho_arena_printf(arena, "%.*s%s%.*s", HO_ARG(names), names.n ? ", " : "",
                              HO_ARG(ho_str_sub(finding->pointer, 1, finding->pointer.n)));
  }
  return names;
}

/* Takes what needs trust out of the settings, so that nobody finds it there by chance. */
static void hold(ho_settings *settings, ho_arena *arena)
{
  ho_node *root = NULL, *held = NULL;
  HO_EACH_CONST (setting, settings->root)
    if (ho_trust_needs(setting) && !held && format_of(settings) == &ho_format_config)
      held = ho_node_new(arena, HO_KIND_MAP);
  if (!held)
    return;
  root = ho_node_new(arena, HO_KIND_MAP);
  HO_EACH_CONST (setting, settings->root)
    ho_map_add(ho_trust_needs(setting) ? held : root, setting->key, ho_node_copy(arena, setting));
  settings->root = root;
  settings->held = held;
}

/* The file's text, read once. */
static ho_code read_text(ho_settings *settings, ho_arena *arena, ho_str root, ho_error *err)
{
  ho_str path = ho_fs_join(arena, root, HO_STR(HO_PATH_SETTINGS));
  ho_code code = ho_arena_code(arena, err);
  if (code || settings->read)
    return code;
  settings->there = ho_fs_exists(path.p);
  if (settings->there)
    code = ho_fs_read(arena, path.p, 0, &settings->text, err);
  settings->read = !code;
  return code;
}

ho_code ho_settings_load(ho_settings *settings, ho_arena *arena, ho_str root, ho_error *err)
{
  ho_doc doc = {0};
  ho_check_env env = {.path = HO_STR(HO_PATH_SETTINGS)};
  if (settings->loaded)
    return HO_OK;
  ho_code code = read_text(settings, arena, root, err);
  if (!code && settings->there)
    code = ho_doc_read(&doc, arena, settings->shown.n ? settings->shown : HO_STR(HO_PATH_SETTINGS), settings->text,
                       format_of(settings), err);
  if (!code && settings->there && !ho_node_absent(doc.raw)) { /* more than comments */
    code = ho_doc_check(&doc, &env, err);
    if (!code)
      code = first_error(&doc, err);
    settings->unknown = unknown_keys(&doc, arena);
    settings->root = doc.root;
    if (!code)
      hold(settings, arena);
  }
  settings->loaded = !code;
  return code;
}

/* ---- For hooks: {"stamp": "VERSION-SIZE-TIME-INODE", "settings": …} is cached as the file was read. Another version of
 * the program may know other settings, so it reads the file again. */

static ho_str stamp_of(ho_arena *arena, const char *path)
{
  struct stat info;
  if (ho_fs_stat(path, &info) != 0)
    return HO_EMPTY;
  return ho_arena_printf(arena, HO_VERSION "-%lld-%lld.%09ld-%llu", (long long)info.st_size,
                         (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec, (unsigned long long)info.st_ino);
}

static const ho_node *kept_settings(ho_arena *arena, const char *path, ho_str stamp)
{
  ho_str text;
  ho_source source;
  ho_node *kept;
  ho_error none = {0};
  if (ho_fs_read(arena, path, 0, &text, &none) || ho_source_init(&source, arena, HO_STR("kept"), text, &none) ||
      ho_json_read(&source, 0, arena, NULL, &kept, &none) || !ho_str_eq(ho_map_str(kept, "stamp"), stamp))
    return NULL;
  const ho_node *settings = ho_map_getz(kept, "settings");
  return ho_node_is(settings, HO_KIND_MAP) ? settings : NULL;
}

static void keep_settings(ho_arena *arena, ho_str path, ho_str stamp, const ho_settings *settings)
{
  ho_buf text;
  ho_error none = {0};
  ho_node *kept = ho_node_new(arena, HO_KIND_MAP);
  ho_map_addz(kept, "stamp", ho_node_text(arena, stamp));
  ho_node *all = ho_map_addz(kept, "settings", ho_node_new(arena, HO_KIND_MAP));
  HO_EACH_CONST (setting, settings->root)
    ho_map_add(all, setting->key, ho_node_copy(arena, setting));
  HO_EACH_CONST (setting, settings->held)
    ho_map_add(all, setting->key, ho_node_copy(arena, setting));
  ho_buf_init(&text, 0);
  ho_json_write(&text, kept, 0);
  if (ho_buf_code(&text, &none) == HO_OK && ho_arena_code(arena, &none) == HO_OK &&
      ho_fs_mkdirs(ho_arena_z(arena, ho_fs_parent(path)), &none) == HO_OK &&
      ho_fs_write(path.p, ho_buf_str(&text), HO_FS_REPLACE, &none) != HO_OK)
    ho_fs_unlink(path.p);
  ho_buf_free(&text);
}

void ho_settings_load_quickly(ho_settings *settings, ho_arena *arena, ho_str root)
{
  ho_error none = {0};
  ho_str file = ho_fs_join(arena, root, HO_STR(HO_PATH_SETTINGS));
  ho_str cache = ho_fs_join(arena, root, HO_STR(HO_PATH_SETTINGS_CACHE));
  if (settings->loaded || !file.n || !cache.n)
    return;
  ho_str stamp = stamp_of(arena, file.p);
  settings->root = stamp.n ? kept_settings(arena, cache.p, stamp) : NULL;
  settings->there = stamp.n > 0;
  hold(settings, arena);
  if (settings->root)
    settings->loaded = true;
  else if (stamp.n && ho_settings_load(settings, arena, root, &none) == HO_OK)
    keep_settings(arena, cache, stamp, settings);
  else
    *settings = (ho_settings){.format = settings->format, .there = stamp.n > 0, .loaded = true};
}

/* ---- Limits */

/* Is there a line with the word, other than a comment? */
static bool may_lower(ho_str text)
{
  ho_str line;
  while (ho_str_next_line(&text, &line))
    if (!ho_str_starts(ho_str_trim(line), "#") && ho_str_find(line, "limits") != HO_NONE)
      return true;
  return false;
}

ho_code ho_settings_limits(ho_settings *settings, ho_arena *arena, ho_str root, ho_error *err)
{
  ho_error unread = {0};
  ho_code code = settings->loaded ? HO_OK : read_text(settings, arena, root, &unread);
  if (!code && !settings->loaded && settings->there && may_lower(settings->text))
    code = ho_settings_load(settings, arena, root, &unread);
  const ho_node *limits = ho_map_getz(settings->root, "limits");
  for (size_t i = 0; !code && limits && i < HO_DOCUMENT_LIMIT_COUNT; i++) {
    long long value;
    if (ho_node_to_int(ho_map_getz(limits, ho_limits[i].name), &value) && value > 0 &&
        (size_t)value < ho_limits[i].value)
      ho_limits_project.value[i] = (size_t)value;
  }
  return code == HO_MEMORY ? ho_fail_memory(err) : HO_OK;
}

/* ---- Values */

/* The default of a setting. */
static ho_str fallback_of(const ho_settings *settings, const char *name)
{
  const ho_record *record = format_of(settings)->root;
  const ho_field *field = NULL;
  ho_str rest = ho_str_of(name), part;
  bool alias;
  while (ho_str_next(&rest, '.', &part)) {
    field = record ? ho_record_field(record, part, &alias) : NULL;
    record = field ? field->record : NULL;
  }
  return field ? ho_str_of(field->fallback) : HO_EMPTY;
}

const ho_node *ho_settings_node(const ho_settings *settings, const char *name)
{
  return ho_node_by_names(settings->root, name);
}

ho_str ho_settings_text(const ho_settings *settings, const char *name)
{
  ho_str value = ho_node_str(ho_settings_node(settings, name));
  return value.n ? value : fallback_of(settings, name);
}

int64_t ho_settings_number(const ho_settings *settings, const char *name)
{
  long long value;
  uint64_t fallback = 0;
  if (ho_node_to_int(ho_settings_node(settings, name), &value))
    return value;
  ho_str_to_u64(fallback_of(settings, name), &fallback);
  return (int64_t)fallback;
}

bool ho_settings_bool(const ho_settings *settings, const char *name)
{
  const ho_node *value = ho_settings_node(settings, name);
  return ho_node_is(value, HO_KIND_BOOL) ? ho_node_true(value) : ho_str_is(fallback_of(settings, name), "true");
}
