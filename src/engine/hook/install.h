/* What `install` writes into a harness's files, and takes out again. Texts in, texts out: nothing here touches a file.
 *
 * Settings are edited in place: order, comments and everything that is not ours stay as they are. What is ours is told
 * by its content in JSON (a command that ends in "handoff hook HARNESS", the status line's, the denied command), and by
 * marks in Markdown, TOML and rules. Putting in what is there already changes nothing. */
#ifndef HO_ENGINE_HOOK_INSTALL_H
#define HO_ENGINE_HOOK_INSTALL_H

#include "model/harness/harness.h"

/* The settings as a tree: what is registered for the harness. */
ho_node *ho_install_wanted(ho_arena *arena, const ho_harness *harness);
/* Settings with what is wanted in them; "" is a file that is not there. HO_SYNTAX and HO_INVALID where the text is not
 * one that can be edited. */
ho_code ho_install_put(ho_arena *arena, const ho_harness *harness, ho_str text, ho_str *out,
                       ho_error *err) HO_NODISCARD;
/* Settings without it; "" where nothing but it was in them. */
ho_code ho_install_remove(ho_arena *arena, const ho_harness *harness, ho_str text, ho_str *out,
                          ho_error *err) HO_NODISCARD;

/* The hooks as tables in TOML. HO_INVALID where the text has hooks in a form that tables cannot be added to. */
ho_code ho_install_toml(ho_arena *arena, const ho_harness *harness, ho_str text, ho_str *block,
                        ho_error *err) HO_NODISCARD;

typedef struct ho_install_marks {
  const char *begin, *end;
} ho_install_marks;
extern const ho_install_marks ho_install_markdown, ho_install_hash; /* comments of Markdown; of TOML and rules */
/* The text with `block` between the marks: at its end, or where the marks stand. block "": without marks and block. */
ho_str ho_install_marked(ho_arena *arena, ho_str text, ho_str block, const ho_install_marks *marks);
#endif
