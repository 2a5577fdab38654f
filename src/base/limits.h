/* The limits that a user can reach, in one table: `handoff limits` prints it. */
#ifndef HO_BASE_LIMITS_H
#define HO_BASE_LIMITS_H

#include "base/str.h"

/* Limits for one document, which a project may lower (setting `limits`): constant, name, value, unit, what it bounds */
#define HO_DOCUMENT_LIMITS(X)                                                                                          \
  X(DOCUMENT, "document", (size_t)16 << 20, "bytes", "size of a document")                                             \
  X(DEPTH, "depth", 64, "levels", "nesting of lists and maps")                                                         \
  X(NODES, "nodes", 1000000, "values", "content of a document, with aliases counted each time they are used")          \
  X(ALIASES, "aliases", 2, "values", "repetition by YAML aliases, per byte of the document")                           \
  X(NUMBER, "number", 1024, "bytes", "length of a number as written")                                                  \
  X(FINDINGS, "findings", 1000, "findings", "length of the list of findings in a document")

#define HO_LIMITS(X)                                                                                                   \
  HO_DOCUMENT_LIMITS(X)                                                                                                \
  X(ARENA, "arena", (size_t)1 << 30, "bytes", "memory for one document or request")                                    \
  X(STEPS, "steps", 1000000, "steps", "pieces written by one template, repeated parts counted each time")              \
  X(WALK_DEPTH, "walk-depth", 64, "levels", "nesting of folders when a tree is searched")                              \
  X(WALK_FILES, "walk-files", 1000000, "files", "files when a tree is searched")                                       \
  X(ARTIFACTS, "artifacts", 10000, "files", "artifacts of one handoff")                                                \
  X(LEARNED, "learned", 100000, "items", "items learned from one document")                                            \
  X(OUTPUT, "output", (size_t)1 << 30, "bytes", "one result")                                                          \
  X(LOG, "log", (size_t)8 << 20, "bytes", "output kept of one teammate: its beginning and its end")

enum {
#define X(name, text, value, unit, doc) HO_LIMIT_##name = (value),
  HO_LIMITS(X)
#undef X
};

typedef struct ho_limit {
  const char *name;
  size_t value;
  const char *unit, *doc;
} ho_limit;

/* All limits, ended by one without a name. */
extern const ho_limit ho_limits[];

/* The document limits on this thread: those of the program, or what the project lowered them to. */
enum {
#define X(name, text, value, unit, doc) HO_LIMIT_ID_##name,
  HO_DOCUMENT_LIMITS(X)
#undef X
      HO_DOCUMENT_LIMIT_COUNT
};
typedef struct ho_document_limits {
  size_t value[HO_DOCUMENT_LIMIT_COUNT];
} ho_document_limits;
extern const ho_document_limits ho_limits_usual;
extern _Thread_local ho_document_limits ho_limits_now;     /* apply to what is being read */
extern _Thread_local ho_document_limits ho_limits_project; /* will apply to a document of the project */
#define HO_LIMIT_NOW(name) (ho_limits_now.value[HO_LIMIT_ID_##name])
#endif
