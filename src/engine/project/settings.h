/* The project's settings: .handoff/config.yaml over the defaults of its format (model/formats/config.c), which is the
 * only place where a default stands. The file is read at most once. */
#ifndef HO_ENGINE_PROJECT_SETTINGS_H
#define HO_ENGINE_PROJECT_SETTINGS_H

#include "model/document/read.h"

typedef struct ho_settings {
  ho_str shown;        /* given: what errors call the file, or "" for its path below the root */
  const ho_node *root; /* bound; NULL if nothing is set */
  bool there;          /* the project has the file */
  bool loaded;
  /* Kept between ho_settings_limits and ho_settings_load. */
  ho_str text;
  bool read;
} ho_settings;

/* Reads and checks the file, unless it is loaded. A file that breaks a rule is the error at its place, each time. */
ho_code ho_settings_load(ho_settings *settings, ho_arena *arena, ho_str root, ho_error *err) HO_NODISCARD;
/* The same for a process that is started at every tool call: what an earlier one has bound is used for as long as the
 * file is the same. Settings that cannot be read are none: `config` and `doctor` say what is wrong with them. */
void ho_settings_load_quickly(ho_settings *settings, ho_arena *arena, ho_str root);
/* Lowers this thread's limits of documents (ho_limits_project) to what the settings say. Most projects lower none, and
 * need not wait for YAML to be read. Settings that cannot be read lower none: the commands that use them say what is
 * wrong. */
ho_code ho_settings_limits(ho_settings *settings, ho_arena *arena, ho_str root, ho_error *err) HO_NODISCARD;

/* A setting by its name ("lease", "limits.document"): what is set, else its default; "" and 0 if it has none. */
ho_str ho_settings_text(const ho_settings *settings, const char *name);
int64_t ho_settings_number(const ho_settings *settings, const char *name);
/* What is set for a list or map (`agents`, `windows`), or NULL. */
const ho_node *ho_settings_node(const ho_settings *settings, const char *name);
#endif
