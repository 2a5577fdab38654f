#include "base/term.h"
#include "command/commands.h"
#include "command/setup/settings_shown.h"
#include "base/suggest.h"
#include "command/wrap.h"
#include "doc/json/json.h"
#include "engine/project/paths.h"
#include "engine/project/settings.h"
#include "model/formats/formats.h"

typedef struct listing {
  ho_call *call;
  const ho_node *root; /* what is set, or NULL */
  ho_node *settings;
} listing;

static ho_node *typed_default(ho_arena *arena, const ho_field *field, ho_str fallback)
{
  return fallback.n ? ho_settings_shown_value(arena, field->type, fallback) : ho_node_new(arena, HO_KIND_NULL);
}

/* Whether a setting that needs trust is used. */
static const char *trust_in(const ho_call *call, const ho_node *setting)
{
  ho_trust *trust = call->project.trust;
  for (int i = 0; trust && i < HO_TRUST_COUNT; i++)
    if (trust->values[i] == setting)
      return ho_trust_state_name(ho_trust_of(trust, (ho_trust_item)i));
  return "";
}

static void put(void *world, ho_str name, const ho_field *field, ho_str fallback)
{
  listing *l = world;
  ho_arena *arena = l->call->arena;
  const ho_node *held = ho_map_get(l->call->project.settings.held, name);
  const ho_node *set = held ? held : ho_node_by_names(l->root, ho_arena_z(arena, name));
  ho_node *item = ho_list_add(l->settings, ho_node_new(arena, HO_KIND_MAP));
  ho_map_addz(item, "name", ho_node_text(arena, name));
  ho_map_addz(item, "value", set ? ho_node_copy(arena, set) : typed_default(arena, field, fallback));
  ho_map_addz(item, "source", ho_node_textz(arena, set ? HO_PATH_SETTINGS : "default"));
  if (held)
    ho_map_addz(item, "trust", ho_node_textz(arena, trust_in(l->call, held)));
  ho_map_addz(item, "doc", ho_node_textz(arena, field->doc));
}

static ho_str name_of(const ho_node *item)
{
  return ho_map_str(item, "name");
}

/* Leaves only the setting that was asked for. */
static ho_code choose(listing *l, ho_str key, ho_error *err)
{
  ho_str near = HO_EMPTY;
  unsigned nearest = ho_distance_far(key);
  HO_EACH (item, l->settings) {
    unsigned distance = ho_distance(key, name_of(item));
    if (distance == 0) {
      bool set = !ho_node_absent(ho_map_getz(item, "value"));
      ho_node *only = ho_node_new(l->call->arena, HO_KIND_LIST);
      ho_list_add(only, ho_node_copy(l->call->arena, item));
      l->settings = only;
      return set ? HO_OK : HO_NO;
    }
    if (distance < nearest) {
      nearest = distance;
      near = name_of(item);
    }
  }
  return near.n ? ho_fail(err, HO_NOT_FOUND, "unknown setting '%.*s'; did you mean '%.*s'?", HO_ARG(key), HO_ARG(near))
                : ho_fail(err, HO_NOT_FOUND, "unknown setting '%.*s'; run: handoff config", HO_ARG(key));
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_settings *settings = &call->project.settings;
  ho_str key = ho_arg_str(call, "key");
  ho_code code = ho_project_begin(&call->project, err);
  if (code)
    return code;
  listing l = {.call = call, .root = settings->root, .settings = ho_node_new(call->arena, HO_KIND_LIST)};
  ho_settings_shown_each(ho_format_config.root, call->arena, put, &l);
  if (key.n)
    code = choose(&l, key, err);
  ho_map_addz(call->result, "settings", l.settings);
  return code;
}

static void put_value(ho_buf *out, const ho_node *value)
{
  if (ho_node_is(value, HO_KIND_LIST) || ho_node_is(value, HO_KIND_MAP)) {
    ho_buf json;
    ho_buf_init(&json, 0);
    ho_json_write(&json, value, 0);
    ho_term_put(out, ho_buf_str(&json), HO_TERM_LINE);
    ho_buf_free_into(&json, out);
  } else {
    ho_term_put(out, ho_node_str(value), HO_TERM_LINE);
  }
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  bool one = ho_arg_str(call, "key").n > 0;
  HO_EACH_CONST (item, ho_map_getz(call->result, "settings")) {
    const ho_node *value = ho_map_getz(item, "value");
    if (one) {
      if (!ho_node_absent(value)) {
        put_value(out, value);
        ho_buf_putc(out, '\n');
      }
      continue;
    }
    ho_put_bold(out, name_of(item), colour);
    ho_buf_puts(out, ": ");
    put_value(out, value);
    ho_str source = ho_map_str(item, "source"), trust = ho_map_str(item, "trust");
    ho_buf_printf(out, "%s(%.*s%s%.*s)\n", ho_node_absent(value) ? "" : " ", HO_ARG(source), trust.n ? ", " : "",
                  HO_ARG(trust));
    ho_wrap(out, ho_map_str(item, "doc"), 4, 0);
  }
}

static const ho_field params[] = {
    {.name = "key",
     .label = "KEY",
     .doc = "Print only the value of this setting; use 'limits.document' for a nested one.",
     .type = HO_T_TEXT,
     .flags = HO_POSITIONAL},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "config", .fields = params};
static const ho_field setting_fields[] = {
    {.name = "name", .doc = "Name of the setting.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    {.name = "value", .doc = "Its value; null if it has none.", .type = HO_T_ANY, .flags = HO_NULLABLE},
    {.name = "source",
     .doc = "Where the value comes from: default, or the path of the file.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED},
    {.name = "trust",
     .doc = "For settings that are used only after 'handoff trust': trusted, not trusted or changed.",
     .type = HO_T_TEXT},
    {.name = "doc", .doc = "What it does.", .type = HO_T_TEXT, .flags = HO_REQUIRED},
    HO_FIELDS_END};
static const ho_record setting_record = {.name = "setting", .fields = setting_fields};
static const ho_field result[] = {{.name = "settings",
                                   .doc = "All settings, or the one asked for.",
                                   .type = HO_T_LIST,
                                   .item = HO_T_RECORD,
                                   .record = &setting_record,
                                   .flags = HO_REQUIRED},
                                  HO_NOTES_FIELD,
                                  HO_FIELDS_END};
static const ho_record result_record = {.name = "config result", .fields = result};

const ho_command ho_command_config = {
    .name = "config",
    .group = "setup",
    .summary = "Show the project's settings and where they come from",
    .doc = "A value is either the default or comes from .handoff/config.yaml; edit that file to change it. Exits 1 if "
           "KEY has no value.",
    .examples = "handoff config\nhandoff config threshold",
    .local = true,
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
