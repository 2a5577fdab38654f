/* handoff: read, check, fix, convert and write the documents with which agents and people hand work to each other.
 *
 * The rules, stated once:
 * - Functions return a handoff_status: 0 is success, the others are the exit statuses of the program. A handoff_error
 *   argument may be NULL; it is filled only on failure.
 * - Handles are opaque and belong to you: free them with their _free function, which accepts NULL. A handle must not be
 *   used by two threads at once; different handles may.
 * - Strings that a function returns or puts into a struct belong to the handle and live as long as it does, unless they
 *   come through a `char **`: those belong to you; free them with handoff_free.
 * - NULL for a required handle or output argument is HANDOFF_USAGE.
 * - Texts are UTF-8. A length of HANDOFF_WHOLE means that the text ends at its NUL.
 * - The library never prints, exits or aborts. Lines and columns count from 1, columns in code points. */
#ifndef HANDOFF_H
#define HANDOFF_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define HANDOFF_API __attribute__((visibility("default")))
#else
#define HANDOFF_API
#endif

#define HANDOFF_WHOLE ((size_t)-1)

typedef enum handoff_status {
  HANDOFF_OK = 0,
  HANDOFF_NO = 1,        /* the answer is no */
  HANDOFF_USAGE = 2,     /* usage error */
  HANDOFF_SYNTAX = 3,    /* the text cannot be read */
  HANDOFF_INVALID = 4,   /* the document breaks a rule */
  HANDOFF_NOT_FOUND = 5, /* not found */
  HANDOFF_CONFLICT = 6,  /* someone else was first */
  HANDOFF_GATED = 7,     /* a person must decide first */
  HANDOFF_LIMIT = 8,     /* a limit was reached */
  HANDOFF_IO = 9,        /* a file or process failed */
  HANDOFF_STORE = 10,    /* the store failed */
  HANDOFF_MEMORY = 11,   /* out of memory */
  HANDOFF_BUG = 70       /* a bug in the library */
} handoff_status;

typedef struct handoff_error {
  handoff_status status;
  unsigned line, column; /* 0 if there is none */
  char rule[64];         /* "" if no rule applies */
  char file[512];
  char pointer[256]; /* RFC 6901 */
  char message[512];
} handoff_error;

typedef enum handoff_severity { HANDOFF_NOTE, HANDOFF_WARNING, HANDOFF_ERROR } handoff_severity;

/* One row of a report. */
typedef struct handoff_finding {
  handoff_severity severity;
  const char *rule;
  const char *pointer;
  const char *message;
  const char *fix; /* how to fix it */
  unsigned line, column;
} handoff_finding;

typedef struct handoff_document handoff_document;

/* "0.1.0" */
HANDOFF_API const char *handoff_version(void);
/* Frees what came through a `char **`. */
HANDOFF_API void handoff_free(void *text);

/* Reads a document. `path` helps to recognise it and is named in errors; it is not opened. `format` NULL: recognised
 * by path and content. HANDOFF_SYNTAX, HANDOFF_LIMIT or HANDOFF_MEMORY on failure; HANDOFF_NOT_FOUND if the format is not
 * recognised. */
HANDOFF_API handoff_status handoff_document_parse(handoff_document **out, const char *path, const char *text,
                                                  size_t length, const char *format, handoff_error *error);
HANDOFF_API void handoff_document_free(handoff_document *document);
/* "package" */
HANDOFF_API const char *handoff_document_format(const handoff_document *document);

/* Checks the document. `strict` other than 0: as strictly as a document that is about to be written. HANDOFF_INVALID if
 * one of the findings is an error; they are available in either case. Does not check whether files exist. Checking again
 * gives the same result. */
HANDOFF_API handoff_status handoff_document_check(handoff_document *document, int strict, handoff_error *error);
HANDOFF_API size_t handoff_document_finding_count(const handoff_document *document);
/* An empty finding if `index` is out of range. */
HANDOFF_API handoff_finding handoff_document_finding_at(const handoff_document *document, size_t index);

/* Writes the document in its canonical form. `encoding`: "json", "yaml", "md", or NULL for the usual one. */
HANDOFF_API handoff_status handoff_document_write(const handoff_document *document, const char *encoding, char **text,
                                                  handoff_error *error);
/* Rewrites the document so that it is valid, losing and inventing nothing. *details is the text of the details file with
 * what did not fit, or NULL if everything fits; `existing` is the current text of that file, or NULL. */
HANDOFF_API handoff_status handoff_document_fix(const handoff_document *document, const char *existing, char **text,
                                                char **details, handoff_error *error);
/* Converts the document to another format by the roles of its fields; what has no place there is kept under x_kept. */
HANDOFF_API handoff_status handoff_document_convert(const handoff_document *document, const char *to,
                                                    handoff_document **out, handoff_error *error);

/* Tokens (o200k_base) in a text, or an estimate if the token image is not installed; *exact says which. */
HANDOFF_API size_t handoff_tokens(const char *text, size_t length, int *exact);

/* Runs any command of the program. `root`: the project's folder, NULL for the one around the current folder.
 * `arguments`: a JSON object, by parameter name ('handoff help COMMAND'); NULL: none. On success, and if the status
 * is an answer rather than a failure, *result is the JSON that --json prints; otherwise it is NULL and *error is filled. */
HANDOFF_API handoff_status handoff_call(const char *root, const char *command, const char *arguments, char **result,
                                        handoff_error *error);

#ifdef __cplusplus
}
#endif
#endif
