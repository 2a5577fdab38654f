/* Checking a bound tree against its format's table and rules. */
#ifndef HO_MODEL_CHECK_H
#define HO_MODEL_CHECK_H

#include "doc/tokens/tokens.h"
#include "model/format.h"

/* What a check may ask about its surroundings; the model itself touches neither files nor the clock. */
typedef struct ho_check_env {
  ho_str path;             /* of the document, relative to the project root if possible; "" if it has none */
  bool strict;             /* the program is about to write it: `expected` is an error */
  const ho_tokens *tokens; /* NULL: estimate */
  /* is there a file or folder at this path (inside the root)? NULL: do not ask */
  bool (*exists)(void *world, ho_str path);
  void *world;
  ho_str looked_in; /* the root, for messages; "" if users would expect no other */
  ho_str below;     /* the user's folder, from the root; "" if it is the root, or outside */
} ho_check_env;

struct ho_check {
  const ho_format *format;
  const ho_node *root;     /* bound */
  const ho_source *source; /* NULL for a tree that was built rather than read */
  ho_encoding encoding;    /* that it was read from */
  ho_str wrapper;          /* the key that wraps the document, or "" */
  ho_report *report;
  const ho_check_env *env;
};

/* Adds findings for everything the table requires, then runs the format's rules. */
void ho_check_run(ho_check *check);

/* For rules: adds a finding at `node` of the tree (NULL: about the whole document). The pointer is derived from the
 * tree. */
void ho_check_fail(ho_check *check, const ho_rule *rule, const ho_node *node, const char *format, ...) HO_PRINTF(4, 5);
void ho_check_fail_as(ho_check *check, const ho_rule *rule, ho_severity severity, const ho_node *node,
                      const char *format, ...) HO_PRINTF(5, 6);
/* Adds a finding about a field of the root (dotted path) that is missing: the pointer names the field, the position
 * is the document's. */
void ho_check_lacks(ho_check *check, const ho_rule *rule, const char *field, const char *format, ...) HO_PRINTF(4, 5);
/* The value at a dotted path below the root ("context.summary"), or NULL. */
ho_node *ho_check_get(const ho_check *check, const char *path);
/* Does a value fit its field as it is: type, choices, syntax and range? The contents of a record are not examined. A
 * placeholder fits: it stands for a missing fact, which is reported elsewhere. */
bool ho_value_fits(const ho_field *field, ho_type type, const ho_node *node);
/* Is the text a template placeholder: "[agent-id]", "{path}", "...", "string (required)", or "a | b | c" among
 * choices? */
bool ho_is_placeholder(ho_str text, const ho_choice *choices);
#endif
