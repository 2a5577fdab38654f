/* What `install` writes into a harness's files, and takes out again. Texts in, texts out: nothing here touches a file.
 *
 * Settings are edited in place: order, comments and everything that is not ours stay as they are. What is ours is told
 * by its content (a command that ends in "handoff hook HARNESS", the status line's, the denied command), and text in
 * Markdown by marks. Putting in what is there already changes nothing. */
#ifndef HO_ENGINE_INSTALL_H
#define HO_ENGINE_INSTALL_H

#include "doc/tree.h"

/* The folder of a harness in a project or a home, its settings in it, the variable that names the folder elsewhere, and
 * the file with instructions for its agents beside the folder. */
typedef struct ho_install_place {
  const char *harness, *folder, *settings, *variable, *instructions;
} ho_install_place;
/* NULL where there is no such harness. */
const ho_install_place *ho_install_place_of(ho_str harness);

/* The settings as a tree: what is registered for the harness. */
ho_node *ho_install_wanted(ho_arena *arena, ho_str harness);
/* Settings with what is wanted in them; "" is a file that is not there. HO_SYNTAX and HO_INVALID where the text is not
 * one that can be edited. */
ho_code ho_install_put(ho_arena *arena, ho_str harness, ho_str text, ho_str *out, ho_error *err) HO_NODISCARD;
/* Settings without it; "" where nothing but it was in them. */
ho_code ho_install_remove(ho_arena *arena, ho_str harness, ho_str text, ho_str *out, ho_error *err) HO_NODISCARD;

#define HO_INSTALL_BEGIN "<!-- handoff:begin -->"
#define HO_INSTALL_END "<!-- handoff:end -->"
/* Markdown with `block` between the marks: at its end, or where the marks stand. block "": without marks and block. */
ho_str ho_install_marked(ho_arena *arena, ho_str text, ho_str block);
#endif
