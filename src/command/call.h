/* What commands share: their arguments, their notes, the documents they are pointed at. */
#ifndef HO_COMMAND_CALL_H
#define HO_COMMAND_CALL_H

#include "command/command.h"
#include "model/check.h"

const ho_node *ho_arg(const ho_call *call, const char *name);
ho_str ho_arg_str(const ho_call *call, const char *name);   /* "" if it is not given */
ho_str ho_arg_words(const ho_call *call, const char *name); /* a list of words as one text, with spaces */
bool ho_arg_true(const ho_call *call, const char *name);
/* The format that an argument names: NULL if it is not given, HO_USAGE with a suggestion if there is no such format. */
ho_code ho_arg_format(const ho_call *call, const char *name, const ho_format **out, ho_error *err) HO_NODISCARD;

/* Adds a sentence to result.notes, which a terminal shows on stderr. */
void ho_call_note(ho_call *call, const char *format, ...) HO_PRINTF(2, 3);
#define HO_NOTES_FIELD                                                                                                 \
  {                                                                                                                    \
    .name = "notes", .doc = "Further messages.", .type = HO_T_LIST, .item = HO_T_TEXT                                  \
  }

/* The list of files in a result, each with what was found or done. */
#define HO_FILES_FIELD(what, of)                                                                                       \
  {                                                                                                                    \
    .name = "files", .doc = what, .type = HO_T_LIST, .item = HO_T_RECORD, .record = &of,                               \
    .flags = HO_REQUIRED | HO_MAY_BE_EMPTY                                                                             \
  }

/* The argument that names the format of `what`. */
/* What the output looks like, in every command that has a choice; "as" and "o" were names of it that have another meaning
 * in other commands. */
#define HO_PARAM_FORM(what, old, ...)                                                                                  \
  {                                                                                                                    \
    .name = "form", .aliases = old, .doc = what, .type = HO_T_TEXT, .flags = HO_OLD_NAMES, __VA_ARGS__                 \
  }
#define HO_PARAM_FORMAT(what)                                                                                          \
  {                                                                                                                    \
    .name = "format", .label = "FORMAT",                                                                               \
    .doc = "Format of the " what ". Default: detected from the file name, then the content.", .type = HO_T_TEXT,       \
    .flags = HO_IS_FORMAT                                                                                              \
  }
#define HO_PARAM_IGNORE_UNKNOWN                                                                                        \
  {                                                                                                                    \
    .name = "ignore_unknown",                                                                                          \
    .doc = "Exit 0 even if the only file named is not recognised; for hooks that pass any file.", .type = HO_T_BOOL    \
  }

/* A path as the user gave it, absolute and NUL-ended. */
const char *ho_full_path(const ho_call *call, ho_str path);
/* An absolute path as the user would write it: relative if it is inside the current folder. */
ho_str ho_shown_path(const ho_call *call, ho_str full);
/* The text of a file, or of "-". */
ho_code ho_read_text(ho_call *call, ho_str path, ho_str *out, ho_error *err) HO_NODISCARD;
/* Reads the document at `path` ("-" for standard input); recognised by its whole path unless `format` is given.
 * HO_INVALID if it is not recognised. */
ho_code ho_read_document(ho_call *call, ho_str path, const ho_format *format, ho_doc *doc, ho_error *err) HO_NODISCARD;
/* Writes over a document of the user's, which is inside the root. HO_IO if it is read-only: somebody protected it. */
ho_code ho_rewrite(const ho_call *call, const char *full, ho_str shown, ho_str text, ho_error *err) HO_NODISCARD;
/* The current folder from the root; "" if it is the root, or outside. */
ho_str ho_call_below_root(const ho_host *host);
/* What the rules may ask about the document at `full` (absolute; "" where it has no place): its path from the root, the
 * tokens, and which files there are. Good as long as the call. */
ho_check_env ho_call_check_env(const ho_call *call, ho_str full);
/* What an absent field means (its fallback), as a value of its type. */
ho_node *ho_fallback_node(ho_arena *arena, const ho_field *field);
/* `render` of commands whose result is a document: result.text as it is. */
void ho_render_text(const ho_call *call, ho_buf *out, bool colour);
#endif
