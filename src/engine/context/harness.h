/* The harnesses: programs in which agents work. Whatever differs between them is in one row each (harness.c); no
 * code checks a harness's name to treat it differently. How `run` starts them is a separate table
 * (engine/run/adapter.h). */
#ifndef HO_ENGINE_CONTEXT_HARNESS_H
#define HO_ENGINE_CONTEXT_HARNESS_H

#include "engine/context/transcript_form.h"
#include "model/format.h"

/* Name and title of each. */
#define HO_HARNESSES(X)                                                                                                \
  X(claude, "Claude Code")                                                                                             \
  X(codex, "Codex")                                                                                                    \
  X(gemini, "Gemini")

typedef struct ho_harness {
  const char *name;                     /* "claude" */
  const ho_transcript_form *transcript; /* how its transcripts are recognised and read */

  /* Its files. */
  const char *folder;       /* in a project or a home: ".claude" */
  const char *variable;     /* that overrides the user's folder, or NULL */
  const char *settings;     /* in the folder: the file that contains the hooks */
  const char *toml;         /* other settings that may contain them instead, or NULL */
  const char *instructions; /* for its agents, beside the folder */
  const char *agents;       /* a subfolder with one file per agent, or NULL */
  bool plugins;             /* plugins in Claude Code's format can be written for it */

  /* Its hooks. */
  const char *refusal; /* the decision that keeps an agent from stopping */
  int second;          /* a timeout of one second, in the unit of its settings */
  const char *advice;  /* shown after installing them, or NULL */

  /* What keeps its agents from deciding gates: an entry in a list of the settings, a file of rules, or both. */
  const char *denied_in, *denied_list, *denied; /* "permissions", "deny", the entry; or NULL */
  const char *rules, *rule;                     /* a file in the folder, its contents; or NULL */

  /* How full its context may get. */
  bool status_line;           /* it has one, and variables that say when it compacts (engine/context/window.h) */
  const char *limit_key;      /* the setting with the number of tokens at which it compacts; or NULL */
  const char *limit_files[3]; /* where that setting is looked for, NULL-ended; the last one in the user's folder too */
} ho_harness;

#define HO_HARNESS_ROW(name, title) extern const ho_harness ho_harness_##name;
HO_HARNESSES(HO_HARNESS_ROW)
#undef HO_HARNESS_ROW
extern const ho_harness *const ho_harnesses[]; /* NULL-ended */
extern const ho_choice ho_harness_choices[];   /* the same, for arguments */

const ho_harness *ho_harness_named(ho_str name); /* NULL if there is none */
/* By the path of a transcript, or NULL. */
const ho_harness *ho_harness_of_path(ho_str path);
#endif
