/* What `install` writes into a harness's files, and removes again. Texts in, texts out: nothing here touches a file.
 *
 * Settings are edited in place: order, comments and everything that is not ours stay as they are. Our parts are
 * recognised by their content in JSON (a command that ends in "handoff hook HARNESS", the status line's, the denied
 * command), and by marks in Markdown, TOML and rules. Adding what is already there changes nothing. */
#ifndef HO_ENGINE_HOOK_INSTALL_H
#define HO_ENGINE_HOOK_INSTALL_H

#include "model/harness/harness.h"

/* The settings as a tree: what is registered for the harness. */
ho_node *ho_install_wanted(ho_arena *arena, const ho_harness *harness, const ho_rights *rights);
/* What only earlier versions registered, likewise; NULL if there is none. */
ho_node *ho_install_former(ho_arena *arena, const ho_harness *harness, const ho_rights *rights);
/* Both: what is removed. */
ho_node *ho_install_ours(ho_arena *arena, const ho_harness *harness, const ho_rights *rights);
/* The settings with our parts added; "" stands for a missing file. HO_SYNTAX and HO_INVALID if the text cannot be
 * edited. */
ho_code ho_install_put(ho_arena *arena, const ho_harness *harness, const ho_rights *rights, ho_str text, ho_str *out,
                       ho_error *err) HO_NODISCARD;
/* The settings without our parts; "" if there was nothing else in them. */
ho_code ho_install_remove(ho_arena *arena, const ho_harness *harness, const ho_rights *rights, ho_str text, ho_str *out,
                          ho_error *err) HO_NODISCARD;

/* This program's server of the Model Context Protocol, for a harness that lists servers in JSON: as a tree, put into such a list,
 * and taken out of it. */
ho_node *ho_install_server(ho_arena *arena, const ho_harness *harness);
ho_code ho_install_put_server(ho_arena *arena, const ho_harness *harness, ho_str text, ho_str *out,
                              ho_error *err) HO_NODISCARD;
ho_code ho_install_remove_server(ho_arena *arena, const ho_harness *harness, ho_str text, ho_str *out,
                                 ho_error *err) HO_NODISCARD;
/* The same as a table of TOML, for a text without it: "" if somebody has registered the server there. HO_INVALID if the text has
 * its servers in a form to which tables cannot be added. */
ho_code ho_install_server_toml(ho_arena *arena, ho_str text, ho_str *block, ho_error *err) HO_NODISCARD;

/* How many of the harness's events our hooks are registered for in settings, JSON or TOML. 0 if they cannot be read. */
size_t ho_install_count(ho_arena *arena, const ho_harness *harness, ho_str text);

/* The plugin that calls the hooks, for a harness that has one. */
ho_str ho_install_plugin(ho_arena *arena, const ho_harness *harness, const ho_rights *rights);

/* The hooks as TOML tables. HO_INVALID if the text has hooks in a form to which tables cannot be added. */
ho_code ho_install_toml(ho_arena *arena, const ho_harness *harness, ho_str text, ho_str *block,
                        ho_error *err) HO_NODISCARD;

/* May the agent that this file describes run commands, by the tools that its front matter lists? Without a list it may. */
bool ho_install_agent_runs(const ho_harness *harness, ho_str text);

/* Files of a plugin: the text of a skill; and is a text one that some version of this program wrote as a plugin's manifest,
 * as its hooks (with nothing else in it), as a skill of that name? */
#define HO_INSTALL_PLUGIN "handoff"
ho_str ho_install_skill(ho_arena *arena, const char *name, const char *description, ho_str body);
bool ho_install_is_manifest(ho_arena *arena, ho_str text);
bool ho_install_only_hooks(ho_arena *arena, const ho_harness *harness, const ho_rights *rights, ho_str text);
bool ho_install_is_skill(ho_arena *arena, ho_str text, const char *name);

typedef struct ho_install_marks {
  const char *begin, *end;
} ho_install_marks;
extern const ho_install_marks ho_install_markdown, ho_install_hash; /* comments of Markdown; of TOML and rules */
extern const ho_install_marks ho_install_script;                    /* of JavaScript */
extern const ho_install_marks ho_install_server_hash;               /* around the server in TOML */
/* The text with `block` between the marks: where the marks are, else at its end. block "": removes marks and block. there:
 * the text is that of a file, if an empty one; it then ends without a line break, as it did. */
ho_str ho_install_marked(ho_arena *arena, ho_str text, bool there, ho_str block, const ho_install_marks *marks);
/* Is nothing but a block in the text that was put into an empty file, not into a new one? */
bool ho_install_was_empty(ho_str text, const ho_install_marks *marks);
#endif
