/* How functions fail: a return code, and an error object that the caller owns.
 *
 * Functions that can fail return ho_code (nodiscard) and take `ho_error *err` last. The error object is untouched on
 * success. The lowest function that knows the cause writes the message; those above pass it on unchanged.
 *
 * `err` is never NULL, and a failure always fills it: a caller that does not need the reason passes an object of its
 * own (`ho_error ignored`). An answer that is not a failure ("there is none", "it is not ready") is a value in the
 * result, not a code; only a command's `run` returns codes that are answers, because they become its exit status. */
#ifndef HO_BASE_ERROR_H
#define HO_BASE_ERROR_H

#include "base/str.h"

/* name, as text, exit status, HTTP status, meaning. Exit statuses are part of the interface. */
#define HO_CODES(X)                                                                                                    \
  X(OK, "ok", 0, 200, "success")                                                                                       \
  X(NO, "no", 1, 200, "the answer is no")                                                                              \
  X(USAGE, "usage", 2, 400, "usage error")                                                                             \
  X(SYNTAX, "syntax", 3, 400, "the text cannot be read")                                                               \
  X(INVALID, "invalid", 4, 422, "the document breaks a rule")                                                          \
  X(NOT_FOUND, "not_found", 5, 404, "not found")                                                                       \
  X(CONFLICT, "conflict", 6, 409, "someone else was first")                                                            \
  X(GATED, "gated", 7, 403, "a person must decide first")                                                              \
  X(LIMIT, "limit", 8, 413, "a limit was reached")                                                                     \
  X(IO, "io", 9, 500, "a file or process failed")                                                                      \
  X(STORE, "store", 10, 503, "the store failed")                                                                       \
  X(MEMORY, "memory", 11, 507, "out of memory")                                                                        \
  X(BUG, "bug", 70, 500, "a bug in handoff")

typedef enum ho_code {
#define X(name, text, exit, http, meaning) HO_##name,
  HO_CODES(X)
#undef X
} ho_code;

const char *ho_code_name(ho_code code); /* "not_found" */
int ho_code_exit(ho_code code);
int ho_code_http(ho_code code);

typedef enum ho_severity { HO_NOTE, HO_WARNING, HO_ERROR } ho_severity;
const char *ho_severity_name(ho_severity severity);

/* One failure. line and column count from 1, columns in code points; 0 means there is none. */
typedef struct ho_error {
  ho_code code;
  const char *rule; /* static; NULL if no rule applies */
  unsigned line, column;
  char file[512];
  char pointer[256];
  char message[512];
} ho_error;

/* Fill *err and return `code`, so that `return ho_fail(err, HO_IO, "…")` reads well. */
ho_code ho_fail(ho_error *err, ho_code code, const char *format, ...) HO_PRINTF(3, 4);
/* As ho_fail, with the name of the file it is about. */
ho_code ho_fail_file(ho_error *err, ho_code code, ho_str file, const char *format, ...) HO_PRINTF(4, 5);
ho_code ho_fail_memory(ho_error *err);

/* Copies s into the fixed array `to` of `size` bytes; if it does not fit, cuts it between code points. */
void ho_error_copy(char *to, size_t size, ho_str s);
#endif
