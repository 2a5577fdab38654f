/* Many documents in one command: which files, on two threads, with what came of each in the order of the files. */
#ifndef HO_COMMAND_DOCUMENTS_BATCH_H
#define HO_COMMAND_DOCUMENTS_BATCH_H

#include "command/command.h"

typedef struct ho_batch_file {
  ho_str path;      /* as the user would write it; bytes that are not UTF-8 replaced */
  const char *full; /* absolute; NULL for standard input */
  bool named;       /* by the user, not found in a folder */
  /* What came of it. */
  ho_node *node; /* the file's part of the result */
  bool unread;   /* the text cannot be read */
  bool empty;    /* there is no text */
} ho_batch_file;

typedef struct ho_batch_files {
  ho_batch_file *items;
  size_t count;
} ho_batch_files;

/* The argument that names the files. */
#define HO_PATHS_FIELD(what, needed)                                                                                   \
  {                                                                                                                    \
    .name = "paths", .label = "PATH", .doc = what, .type = HO_T_LIST, .item = HO_T_TEXT,                               \
    .flags = (needed) | HO_POSITIONAL | HO_IS_FILE                                                                     \
  }

/* The files that the call's paths name: each itself, or those of a folder that could be documents. */
ho_code ho_batch_collect(ho_call *call, ho_batch_files *files, ho_error *err) HO_NODISCARD;
/* The same without the copies of handoffs that the program keeps in the audit archive: they follow from the store, and
 * are neither checked nor changed as documents. copies: those that the user named are; else the notes say that they are
 * not. */
ho_code ho_batch_collect_documents(ho_call *call, bool copies, ho_batch_files *files, ho_error *err) HO_NODISCARD;

typedef struct ho_batch ho_batch;
/* The work on files[index]. What it allocates from `arena` is gone when it returns; before it touches the result or the
 * call's arena it calls ho_batch_enter. */
typedef void (*ho_batch_job)(void *world, ho_batch *batch, ho_arena *arena, size_t index);
/* Does the job once for each file and tells the host how far it is. */
ho_code ho_batch_run(ho_call *call, const ho_batch_files *files, ho_batch_job job, void *world,
                     ho_error *err) HO_NODISCARD;
/* From here to its end a job is alone with the call. */
void ho_batch_enter(ho_batch *batch);

/* The text of the file `full`, or of standard input where that is NULL. */
ho_code ho_batch_text(const ho_call *call, ho_arena *arena, const char *full, ho_str *out, ho_error *err) HO_NODISCARD;
/* Puts the findings into file->node, and the failure that kept its document from being read (code and *err). */
void ho_batch_findings(ho_call *call, ho_batch_file *file, const ho_doc *doc, const ho_report *report, ho_code code,
                       const ho_error *err);
/* Notes that the file, which the user named, is not recognised. */
void ho_batch_note_unknown(ho_call *call, const ho_batch_file *file);
#endif
