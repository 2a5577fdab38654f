/* Checking many files at once: which ones, on two threads, with the findings in the order of the files. */
#ifndef HO_COMMAND_DOCUMENTS_CHECK_FILES_H
#define HO_COMMAND_DOCUMENTS_CHECK_FILES_H

#include "command/command.h"

typedef struct ho_check_file {
  ho_str path;      /* as the user would write it; bytes that are not UTF-8 replaced */
  const char *full; /* absolute; NULL for standard input */
  bool named;       /* by the user, not found in a folder */
  /* What came of it. */
  ho_node *node; /* the file's part of the result */
  bool unread;   /* the text cannot be read */
} ho_check_file;

typedef struct ho_check_files {
  ho_check_file *items;
  size_t count;
} ho_check_files;

/* The argument that names the files. */
#define HO_PATHS_FIELD(what, needed)                                                                                   \
  {                                                                                                                    \
    .name = "paths", .label = "PATH", .doc = what, .type = HO_T_LIST, .item = HO_T_TEXT,                               \
    .flags = (needed) | HO_POSITIONAL | HO_IS_FILE                                                                     \
  }

/* The files that the call's paths name: each itself, or those of a folder that could be documents. */
ho_code ho_check_collect(ho_call *call, ho_check_files *files, ho_error *err) HO_NODISCARD;
/* Reads and checks them. format NULL: recognised file by file. */
ho_code ho_check_all(ho_call *call, ho_check_files *files, const ho_format *format, ho_error *err) HO_NODISCARD;
#endif
