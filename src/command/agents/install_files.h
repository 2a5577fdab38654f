/* How `install` changes files: in place, with the difference shown, back to the former bytes. */
#ifndef HO_COMMAND_AGENTS_INSTALL_FILES_H
#define HO_COMMAND_AGENTS_INSTALL_FILES_H

#include "command/call.h"
#include "engine/hook/install.h"

typedef struct ho_installer {
  ho_call *call;
  ho_arena *arena;
  const ho_harness *harness;
  ho_rights rights;
  ho_str base, folder; /* base: the project or the home; folder: the harness's own */
  const char *root;    /* what no link may lead out of; NULL: the user's own folder may have links to anywhere */
  bool global, uninstall, only_print;
  ho_node *files;
} ho_installer;

/* What is put into a file of JSON, and taken out of it. */
typedef struct ho_install_part {
  ho_code (*put)(const ho_installer *in, ho_str text, ho_str *out, ho_error *err);
  ho_code (*remove)(const ho_installer *in, ho_str text, ho_str *out, ho_error *err);
} ho_install_part;

/* What becomes of a file that has nothing of its own without what was installed. */
typedef enum ho_emptied { HO_EMPTIED_REMOVED, HO_EMPTIED_STAYS /* it was there before, and empty */ } ho_emptied;

/* The file that is read and written: if the path is a link, what it leads to, which must be inside. */
ho_code ho_install_files_real(const ho_installer *in, const char *path, ho_str *out, ho_error *err) HO_NODISCARD;
ho_code ho_install_files_read(const ho_installer *in, const char *path, ho_str *out, bool *there,
                              ho_error *err) HO_NODISCARD;
/* Writes the file if its text changes, and records the difference. */
ho_code ho_install_files_change(ho_installer *in, ho_str path, ho_str old, bool there, ho_str text, ho_emptied then,
                                ho_error *err) HO_NODISCARD;
/* Puts the part into a file, or takes it out of it again. */
ho_code ho_install_files_json(ho_installer *in, ho_str file, const ho_install_part *part, ho_error *err) HO_NODISCARD;
/* A block between marks in a file. block "": taken out. */
ho_code ho_install_files_mark(ho_installer *in, const char *file, ho_str block, const ho_install_marks *marks,
                              ho_error *err) HO_NODISCARD;
#endif
