/* The project's settings: .handoff/config.yaml over the defaults of its format (model/formats/config.c), the only
 * place where defaults are defined. The file is read at most once. */
#ifndef HO_ENGINE_PROJECT_SETTINGS_H
#define HO_ENGINE_PROJECT_SETTINGS_H

#include "model/document/read.h"

typedef struct ho_settings {
  const ho_format *format; /* given: whose fields the settings are; NULL: ho_format_config */
  ho_str shown;            /* given: the file's name in errors, or "" for its path below the root */
  const ho_node *root;     /* bound; NULL if nothing is set. Without what is in `held` */
  const ho_node *held;     /* what needs a person's trust (engine/project/trust.h): a map, or NULL */
  bool there;              /* the project has the file */
  bool loaded;
  ho_str unknown; /* set by ho_settings_load: the keys that are not settings ("a, limits/b"), or "" */
  /* Kept between ho_settings_limits and ho_settings_load. */
  ho_str text;
  bool read;
} ho_settings;

/* Reads and checks the file, unless it is loaded. If the file breaks a rule, that is the error, with its position,
 * each time. */
ho_code ho_settings_load(ho_settings *settings, ho_arena *arena, ho_str root, ho_error *err) HO_NODISCARD;
/* The same for a process that is started at every tool call: uses what an earlier one has bound for as long as the
 * file is unchanged. Unreadable settings count as none: `config` and `doctor` say what is wrong with them. */
void ho_settings_load_quickly(ho_settings *settings, ho_arena *arena, ho_str root);
/* Lowers this thread's document limits (ho_limits_project) to those in the settings. Most projects lower none, and
 * need not wait for YAML to be parsed. Unreadable settings lower none: the commands that use them say what is wrong. */
ho_code ho_settings_limits(ho_settings *settings, ho_arena *arena, ho_str root, ho_error *err) HO_NODISCARD;

/* A setting by its name ("lease", or "section.name" in a record): the value set, else its default; "", 0 and false if it
 * has none. The name is written out at the call, so that lint/settings can look it up. (Document limits have their
 * defaults in base/limits.h; HO_LIMIT_NOW is what holds for them.) */
ho_str ho_settings_text(const ho_settings *settings, const char *name);
int64_t ho_settings_number(const ho_settings *settings, const char *name);
bool ho_settings_bool(const ho_settings *settings, const char *name);
/* The value set for a list or map (`windows`), or NULL. */
const ho_node *ho_settings_node(const ho_settings *settings, const char *name);
#endif
