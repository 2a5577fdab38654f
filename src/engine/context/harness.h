/* The harnesses, programs in which agents work: what differs between them is one row each (harness.c), and nobody asks
 * for one by its name to treat it in another way. How `run` starts them is a table of its own (engine/run/adapter.h). */
#ifndef HO_ENGINE_CONTEXT_HARNESS_H
#define HO_ENGINE_CONTEXT_HARNESS_H

#include "engine/context/transcript_form.h"
#include "model/format.h"

/* Name and title of all. */
#define HO_HARNESSES(X)                                                                                                \
  X(claude, "Claude Code")                                                                                             \
  X(codex, "Codex")                                                                                                    \
  X(gemini, "Gemini")

typedef struct ho_harness {
  const char *name;                     /* "claude" */
  const ho_transcript_form *transcript; /* how its transcripts are told and read */

  /* Its files. */
  const char *folder;       /* in a project or a home: ".claude" */
  const char *variable;     /* that names the folder of the user elsewhere, or NULL */
  const char *settings;     /* in the folder: what holds the hooks */
  const char *toml;         /* other settings that may hold them instead, or NULL */
  const char *instructions; /* for its agents, beside the folder */
  const char *agents;       /* a folder in the folder with a text for each agent, or NULL */
  bool plugins;             /* plugins of Claude Code's form can be written for it */

  /* Its hooks. */
  const char *refusal; /* the decision with which an agent is kept from stopping */
  int second;          /* a timeout of one second, in the unit of its settings */
  const char *advice;  /* for whoever has just installed them, or NULL */

  /* What keeps its agents from deciding gates: an entry of a list in the settings, a file of rules, or both. */
  const char *denied_in, *denied_list, *denied; /* "permissions", "deny", the entry; or NULL */
  const char *rules, *rule;                     /* a file in the folder, what stands in it; or NULL */

  /* How full its context may get. */
  bool status_line;           /* it shows one, and has variables that say when it compacts (engine/context/window.h) */
  const char *limit_key;      /* of the settings: tokens at which it compacts; or NULL */
  const char *limit_files[3]; /* where the key is looked for, NULL-ended; the last in the user's folder too */
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
