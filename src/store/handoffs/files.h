/* Files that belong to a handoff. */
#ifndef HO_STORE_HANDOFFS_FILES_H
#define HO_STORE_HANDOFFS_FILES_H

#include "base/words.h"
#include "store/store.h"

/* clang-format off */
#define HO_FILE_KINDS(X) \
  X(ARTIFACT, "artifact")  /* named by the document */ \
  X(COPY, "copy")          /* the document itself, readable */ \
  X(ARCHIVE, "archive")    /* the copy that is kept for audits */ \
  X(DETAILS, "details")    /* beside the document, with what that has no room for; its text is a body (bodies.h) */
/* clang-format on */
typedef enum ho_file_kind {
  HO_FILE_NONE,
#define X(name, text) HO_FILE_##name,
  HO_FILE_KINDS(X)
#undef X
} ho_file_kind;
extern const ho_words ho_file_kinds;

typedef struct ho_file {
  ho_str handoff, path, digest;
  ho_file_kind kind;
  int64_t size;
} ho_file;

typedef struct ho_file_list {
  ho_file *rows;
  size_t count;
} ho_file_list;

/* Adds a file, or replaces the one with the same handoff, kind and path. */
ho_code ho_files_put(ho_store *store, const ho_file *file, ho_error *err) HO_NODISCARD;
/* The same, and there is only this one of its kind. */
ho_code ho_files_put_only(ho_store *store, const ho_file *file, ho_error *err) HO_NODISCARD;
/* One digest of those among them that were there when it was sent (the copy in the archive was not), in whatever order
 * they are given; "" if there are none. An event records it: the rows could be changed. */
ho_str ho_files_digest(ho_arena *arena, const ho_file *files, size_t count);
/* Calls `each` with the id of every handoff that this file belongs to, archive copies aside. */
ho_code ho_files_naming(ho_store *store, ho_str path, ho_text_each each, void *data, ho_error *err) HO_NODISCARD;
/* A handoff's file has another path now; its content is the same. */
ho_code ho_files_move(ho_store *store, ho_str handoff, ho_str from, ho_str to, ho_arena *arena,
                      ho_error *err) HO_NODISCARD;
ho_code ho_files_select(ho_store *store, ho_str handoff, ho_arena *arena, ho_file_list *out,
                        ho_error *err) HO_NODISCARD;
#endif
