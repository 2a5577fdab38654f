/* Rules, and those of the encodings.
 *
 * Rules are rows of const tables (here those of the encodings, model/general_rules.h those of all formats, and each
 * format's own), never made at run time. */
#ifndef HO_DOC_RULES_H
#define HO_DOC_RULES_H

#include "base/error.h"

typedef struct ho_rule_info {
  const char *id; /* unique in the whole program: "lines-range" */
  ho_severity severity;
  const char *doc; /* one sentence: what must hold */
  const char *fix; /* one sentence: what to do about it */
} ho_rule_info;

/* constant, id, severity, sentence, fix */
#define HO_DOC_RULES(X)                                                                                                \
  X(SYNTAX, "syntax", HO_ERROR, "The text must be readable in its encoding.",                                          \
    "Correct the text at the position given.")                                                                         \
  X(DUPLICATE_KEY, "duplicate-key", HO_ERROR, "A key must occur only once in a map.",                                  \
    "Keep one of the two, or rename one.")                                                                             \
  X(YAML_RECOVERED, "yaml-recovered", HO_WARNING,                                                                      \
    "Values that contain ': ' or continue after a quoted part must be quoted.",                                        \
    "Put the whole value in quotes, or use a block literal.")                                                          \
  X(YAML_DOCUMENTS, "yaml-documents", HO_WARNING, "A file must contain a single YAML document.",                       \
    "Join the documents: remove the '---' between them.")                                                              \
  X(FRONT_MATTER, "front-matter", HO_WARNING, "Front matter must be closed by its own line.",                          \
    "End the front matter with '---'.")                                                                                \
  X(JSON_COMMENT, "json-comment", HO_WARNING, "JSON must not contain comments.", "Remove the comment.")                \
  X(HIDDEN, "hidden-character", HO_WARNING, "A text must not contain characters that readers cannot see.",             \
    "Remove it: it is not passed on to agents.")

#define X(name, id, severity, doc, fix) extern const ho_rule_info ho_rule_##name;
HO_DOC_RULES(X)
#undef X

/* The same, as an array ended by NULL. */
extern const ho_rule_info *const ho_doc_rules[];
#endif
