/* Checking a bound tree against its format's table and rules. */
#ifndef HO_MODEL_CHECK_H
#define HO_MODEL_CHECK_H

#include "doc/tokens/tokens.h"
#include "model/format.h"

/* What a check may ask of the world; model itself touches neither files nor clock. */
typedef struct ho_check_env {
  ho_str path;             /* of the document relative to the project root where possible; "" if it has none */
  bool strict;             /* the tool is about to write it: `expected` is an error */
  const ho_tokens *tokens; /* NULL: estimate */
  bool (*exists)(void *world, ho_str path); /* is there a file or folder (inside the root)? NULL: not asked */
  void *world;
} ho_check_env;

struct ho_check {
  const ho_format *format;
  const ho_node *root;     /* bound */
  const ho_source *source; /* NULL for a tree that was made and not read */
  ho_encoding encoding;    /* in which it was read */
  ho_str wrapper;          /* the key the document stands under, or "" */
  ho_report *report;
  const ho_check_env *env;
};

/* Adds findings for everything the table demands, then runs the format's rules. */
void ho_check_run(ho_check *check);

/* The table's part for one record, for rules whose record depends on another field. */
void ho_check_record(ho_check *check, const ho_record *record, const ho_node *node, const ho_path *path);

/* For rules: a finding at `node` of the tree (NULL: about the whole document). The pointer is worked out from the tree.
 */
void ho_check_fail(ho_check *check, const ho_rule *rule, const ho_node *node, const char *format, ...) HO_PRINTF(4, 5);
void ho_check_fail_as(ho_check *check, const ho_rule *rule, ho_severity severity, const ho_node *node,
                      const char *format, ...) HO_PRINTF(5, 6);
/* A finding about a field of the root (dotted) that is not there: the pointer names it, the place is the document's. */
void ho_check_lacks(ho_check *check, const ho_rule *rule, const char *field, const char *format, ...) HO_PRINTF(4, 5);
/* A value by dotted path below the root ("context.summary"), or NULL. */
ho_node *ho_check_get(const ho_check *check, const char *path);
ho_node *ho_node_by_names(const ho_node *node, const char *dotted);
/* Does a value fit its field as it stands: type, choices, form and range? What a record holds is not looked at, and a
 * placeholder, which is a fact that is missing, fits. */
bool ho_value_fits(const ho_field *field, ho_type type, const ho_node *node);
/* Text that is a placeholder of a template: "[agent-id]", "{path}", "...", "string (required)", "a | b | c" among
 * choices. */
bool ho_is_placeholder(ho_str text, const ho_choice *choices);
#endif
