/* Credentials in texts: found by their shapes, and taken out before anything is stored.
 *
 * A finding names the shape and the place, never the value. */
#ifndef HO_MODEL_SECRETS_H
#define HO_MODEL_SECRETS_H

#include "doc/tree.h"

typedef struct ho_secret {
  const char *shape; /* "github-token"; static */
  size_t begin, end; /* bytes of the text */
} ho_secret;

/* The first secret at or after byte `from`; false if there is none. Time grows with the text, not its square. */
bool ho_secret_find(ho_str text, size_t from, ho_secret *out);
/* True if a value under this key is a secret for its key alone ("password: hunter22"): long enough, one word, and not
 * itself a placeholder, a variable or a reference. */
bool ho_secret_key(ho_str key, ho_str value);

/* The text with each secret replaced by "REDACTED-<shape>"; *count is increased by their number. The text itself, not
 * a copy, where there are none. */
ho_str ho_secret_redact(ho_str text, ho_arena *arena, size_t *count);
/* The first scalar or key in the tree that holds a secret, or NULL; *out is within its text (or key). */
const ho_node *ho_secret_in_tree(const ho_node *node, ho_secret *out);
#endif
