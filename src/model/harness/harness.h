/* The harnesses: programs in which agents work. What differs between them is one row each, in its own file; no code
 * checks a harness's name to treat it differently. Rows are data; how transcripts are read (engine/context), what is
 * done at an event (engine/hook) and how `run` starts an agent (engine/run/adapter.h) is code that follows them. */
#ifndef HO_MODEL_HARNESS_HARNESS_H
#define HO_MODEL_HARNESS_HARNESS_H

#include "model/format.h"

/* Name, title and synonyms; whether `run` can start it. */
/* clang-format off */
/* Those whose transcripts are read here. The first and the last have macros of their own for the sake of texts that list
 * them. */
#define HO_HARNESSES_READ(FIRST, X, LAST) \
  FIRST(claude, "Claude Code", "claude-code", YES) \
  X(codex,      "Codex",       NULL,          YES) \
  LAST(gemini,  "Gemini",      NULL,          YES)
/* Those with hooks: these, and one whose hooks a plugin calls. */
#define HO_HARNESSES_HOOKED(FIRST, X, LAST) \
  HO_HARNESSES_READ(FIRST, X, X) \
  LAST(opencode, "opencode",   NULL,          YES)
/* Those that `install --mcp` knows besides. */
#define HO_HARNESSES_SERVED(X) \
  X(cursor,   "Cursor",    NULL, NO)
#define HO_HARNESSES_UNHOOKED(X) \
  HO_HARNESSES_SERVED(X) \
  X(aider,    "Aider",     NULL, NO) \
  X(copilot,  "Copilot",   NULL, NO) \
  X(goose,    "Goose",     NULL, NO) \
  X(amp,      "Amp",       NULL, NO) \
  X(qwen,     "Qwen Code", NULL, NO) \
  X(crush,    "Crush",     NULL, NO) \
  X(cline,    "Cline",     NULL, NO) \
  X(roo,      "Roo Code",  NULL, NO)
/* clang-format on */
#define HO_HARNESSES(X) HO_HARNESSES_HOOKED(X, X, X) HO_HARNESSES_UNHOOKED(X)
/* For those who go through a list: HO_IF_##started(…). */
#define HO_IF_YES(...) __VA_ARGS__
#define HO_IF_NO(...)

/* For texts: "claude, codex, gemini or opencode", their titles, the titles of those whose transcripts are read, and "claude, codex, gemini, opencode", which `run` can start. */
#define HO_HOOKED_NAMES HO_HARNESSES_HOOKED(HO_NAME_FIRST, HO_NAME_NEXT, HO_NAME_LAST)
#define HO_HOOKED_TITLES HO_HARNESSES_HOOKED(HO_TITLE_FIRST, HO_TITLE_NEXT, HO_TITLE_LAST)
#define HO_READ_TITLES HO_HARNESSES_READ(HO_TITLE_FIRST, HO_TITLE_NEXT, HO_TITLE_LAST)
#define HO_STARTED_NAMES                                                                                               \
  HO_HARNESSES_HOOKED(HO_NAME_FIRST, HO_STARTED_NEXT, HO_STARTED_NEXT) HO_HARNESSES_UNHOOKED(HO_STARTED_NEXT)
#define HO_NAME_FIRST(name, title, synonyms, started) #name
#define HO_NAME_NEXT(name, title, synonyms, started) ", " #name
#define HO_NAME_LAST(name, title, synonyms, started) " or " #name
#define HO_TITLE_FIRST(name, title, synonyms, started) title
#define HO_TITLE_NEXT(name, title, synonyms, started) ", " title
#define HO_TITLE_LAST(name, title, synonyms, started) " or " title
#define HO_STARTED_NEXT(name, title, synonyms, started) HO_IF_##started(", " #name)

/* What a tool does with files. */
typedef enum ho_tool_kind {
  HO_TOOL_READ, /* a file, whole or in part */
  HO_TOOL_EDIT,
  HO_TOOL_SHELL,  /* whatever its command does */
  HO_TOOL_SEARCH, /* of files, for what is in them */
} ho_tool_kind;

typedef struct ho_tool {
  const char *names; /* "Edit|Write"; NULL ends a table */
  ho_tool_kind kind;
  const char *path;  /* keys of its input that name the file or command; the first one present counts */
  const char *parts; /* keys that distinguish one read of a file from another: "offset|limit" */
} ho_tool;

/* When an event occurs; what is done then is up to engine/hook/hook.c. */
typedef enum ho_moment {
  HO_MOMENT_START,
  HO_MOMENT_BEFORE_TOOL,
  HO_MOMENT_AFTER_TOOL,
  HO_MOMENT_COMPACT,
  HO_MOMENT_STOP,
  HO_MOMENT_SUBAGENT_STOP,
  HO_MOMENT_END,
  HO_MOMENTS, /* how many there are */
} ho_moment;

/* How a reply reaches the agent. */
typedef enum ho_hook_form {
  HO_HOOK_SILENT,  /* the event takes no text */
  HO_HOOK_NOTHING, /* whatever is printed would be taken for instructions: nothing is */
  HO_HOOK_CONTEXT, /* hookSpecificOutput.additionalContext: for the agent */
  HO_HOOK_MESSAGE, /* systemMessage: for the person */
  HO_HOOK_BLOCK,   /* decision and reason: the agent does not stop. Only if the project's settings say so */
} ho_hook_form;

typedef struct ho_hook_event {
  const char *name; /* its name in the harness; NULL ends a table */
  ho_moment moment;
  ho_hook_form form;
  int timeout_s; /* the timeout that `install` requests from the harness */
  /* The tools for which `install` registers it: "" for all, or if the event is not about tools; NULL: not at all. */
  const char *matcher;
} ho_hook_event;

typedef struct ho_harness {
  const char *name; /* "claude" */

  /* Its variables, NULL-ended. */
  const char *inside[5];  /* if any of them is set, its agent started this process */
  const char *session[3]; /* the first that is set names the session */

  /* Its process: names of the program, or of a script that an interpreter runs, and folders in which either is, wherever
   * they are: its npm package, where its installer keeps versions ("a|b", or NULL). A program that people also work in
   * themselves, such as an editor, is not named. */
  const char *programs, *folders;

  /* What its agents work with. */
  const ho_tool *tools;
  const char *transcripts; /* how its transcripts' names begin, or NULL */

  /* Its files. */
  const char *folder;       /* in a project or a home: ".claude" */
  const char *variable;     /* names the user's folder if it is elsewhere, or NULL */
  const char *folder_home;  /* in a home, if it is another there, or NULL */
  const char *settings;     /* in the folder: the file that contains the hooks */
  const char *plugin;       /* that file is a plugin in JavaScript, with this text, which calls them; or NULL */
  const char *toml;         /* other settings that may contain them instead, or NULL */
  const char *instructions; /* for its agents, beside the folder */
  const char *agents;       /* a subfolder with one file per agent, or NULL */
  bool plugins;             /* plugins in Claude Code's format can be written for it */

  /* Its hooks. */
  const ho_hook_event *events;
  int compacts_from; /* it announces a compaction at every request, and does it from this percentage on; 0: it does it */
  const char *refusal;  /* the decision that keeps an agent from stopping */
  int second;           /* a timeout of one second, in the unit of its settings */
  const char *env_file; /* variable: a file of exports for the commands that its agents run, or NULL */
  const char
      *trusts; /* in the user's folder: which hooks a person trusts, hooks.state."FILE:…"; NULL: nobody is asked */
  const char *advice; /* shown after installing them: what the harness must be told to trust; or NULL */

  /* What keeps its agents from the commands that only people may run: entries in a list of the settings, a file of
   * rules, or both. Entries and rules are patterns for ho_harness_fill, NULL-ended. */
  const char *denied_in, *denied_list; /* "permissions", "deny"; or NULL */
  const char *denied_word[5];   /* the entries for a command of one word, which others may have too ("install") */
  const char *denied_words[4];  /* those for a command of two words, which text in between may have too */
  const char *denied_before[4]; /* entries of earlier versions, which are removed; patterns are for two words */
  const char *rules;            /* a file in the folder, or NULL */
  const char *rule_word[3], *rule_words[4];
  const char *plugin_rule;  /* in the text of the plugin, for a command that only people may run; or NULL */
  const char *rule_allowed; /* a rule for a command that teammates may run, or NULL */

  /* Its servers of the Model Context Protocol. */
  const char *servers;      /* the file of a project that lists them, from its root; NULL: `install` knows none */
  const char *servers_home; /* the same in the home, for all projects */
  const char *servers_list; /* their map in JSON: "mcpServers"; NULL: tables of TOML */
  bool servers_words;       /* a server's command is one list of words, with its kind beside it */

  /* How full its context may get. */
  bool status_line;                             /* it has a status line, which says how full the context is */
  const char *compact_window, *compact_percent; /* variables: tokens, percent at which it compacts; or NULL */
  const char *limit_key;                        /* the same as a key of the settings, in tokens; or NULL */
  const char *limit_files[3]; /* where that setting is looked for, NULL-ended; the last one in the user's folder too */
} ho_harness;

/* What agents may do with this program, by the names of its commands: NULL-ended lists, or NULL for none. The table of
 * commands says it (command/commands.h). */
typedef struct ho_rights {
  const char *const *people;    /* the commands that only people may run */
  const char *const *teammates; /* those that a teammate may run without asking */
} ho_rights;

#define X(name, title, synonyms, started) extern const ho_harness ho_harness_##name;
HO_HARNESSES(X)
#undef X
extern const ho_harness *const ho_harnesses[];       /* all, NULL-ended */
extern const ho_choice ho_harness_choices[];         /* those with hooks, for arguments */
extern const ho_choice ho_harness_install_choices[]; /* those with hooks, or with servers */
/* what an agent in the settings may be: those that `run` can start */
extern const ho_choice ho_harness_agent_choices[];

const ho_harness *ho_harness_named(ho_str name); /* NULL if there is none */
/* The pattern with a command in it: "$C" is its name ("gate decide"), "$W" its words in a list ("gate", "decide"), "$R"
 * a regular expression for them (gate +decide). */
ho_str ho_harness_fill(ho_arena *arena, const char *pattern, const char *command);
/* The patterns for a command of one word, or of two. */
const char *const *ho_harness_denied(const ho_harness *harness, const char *command);
/* The rules against all commands that only people may run. */
ho_str ho_harness_rules(ho_arena *arena, const ho_harness *harness, const ho_rights *rights);
/* By the path of a transcript, or NULL. */
const ho_harness *ho_harness_of_path(ho_str path);
/* NULL if it is not a tool that the row knows. */
const ho_tool *ho_harness_tool(const ho_harness *harness, ho_str name);
/* The file or command that a call of the tool names, or "". */
ho_str ho_tool_target(const ho_tool *tool, const ho_node *input);
#endif
