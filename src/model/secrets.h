/* Credentials in texts: recognised by their shape, and removed before anything is stored.
 *
 * A finding names the shape and the position, never the value. */
#ifndef HO_MODEL_SECRETS_H
#define HO_MODEL_SECRETS_H

#include "doc/tree.h"

typedef struct ho_secret {
  const char *shape; /* "github-token"; static */
  size_t begin, end; /* bytes of the text */
} ho_secret;

/* The first secret at or after byte `from`; false if there is none. Takes linear time. */
bool ho_secret_find(ho_str text, size_t from, ho_secret *out);
/* True if the key alone makes this value a secret ("password: hunter22"): it is long enough, one word, and not a
 * placeholder, a variable or a reference. */
bool ho_secret_key(ho_str key, ho_str value);

/* The text with each secret replaced by "REDACTED-<shape>"; their number is added to *count. Returns the text
 * itself, not a copy, if there are none. */
ho_str ho_secret_redact(ho_str text, ho_arena *arena, size_t *count);
/* The first scalar or key in the tree that contains a secret, or NULL; *out is a range of its text (or key). */
const ho_node *ho_secret_in_tree(const ho_node *node, ho_secret *out);
#endif
