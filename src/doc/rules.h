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
  X(SYNTAX, "syntax", HO_ERROR, "The text can be read in its encoding.", "Correct the text at the place named.")       \
  X(DUPLICATE_KEY, "duplicate-key", HO_ERROR, "A key stands once in its map.", "Keep one of the two, or rename one.")  \
  X(YAML_RECOVERED, "yaml-recovered", HO_WARNING, "Values that hold ': ' or go on after a quoted part are quoted.",    \
    "Put the whole value in quotes, or use a block literal.")                                                          \
  X(YAML_DOCUMENTS, "yaml-documents", HO_WARNING, "A file holds one YAML document.",                                   \
    "Join the documents: remove the '---' between them.")                                                              \
  X(FRONT_MATTER, "front-matter", HO_WARNING, "Front matter is closed by a line of its own.",                          \
    "End the front matter with '---'.")                                                                                \
  X(JSON_COMMENT, "json-comment", HO_WARNING, "JSON has no comments.", "Remove the comment.")

#define X(name, id, severity, doc, fix) extern const ho_rule_info ho_rule_##name;
HO_DOC_RULES(X)
#undef X

/* The same, as an array ended by NULL. */
extern const ho_rule_info *const ho_doc_rules[];
#endif
