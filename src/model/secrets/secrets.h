/* Credentials in texts: recognised by their shape, and removed before anything is stored.
 *
 * A finding names the shape and the position, never the value. The rules are tables (secrets_rules.c and others); a
 * text is read once as it is, and once more where encodings, emphasis or folded lines could hide something. All of it
 * takes linear time. */
#ifndef HO_MODEL_SECRETS_SECRETS_H
#define HO_MODEL_SECRETS_SECRETS_H

#include "base/buf.h"
#include "doc/report.h"
#include "doc/tree.h"

typedef struct ho_secret {
  const char *shape; /* "github-token"; static */
  size_t begin, end; /* bytes of the text */
  char quote;        /* what replaces it needs these, to stay readable where no quotes
                 were: in JSON; 0: none */
  unsigned escapes;  /* backslashes before each of them */
} ho_secret;

typedef struct ho_secret_list {
  ho_secret *items; /* in the order of the text; none overlaps another */
  size_t count;
} ho_secret_list;

/* All secrets of the text. If memory runs out, the arena says so, and the list means nothing. */
ho_secret_list ho_secret_find(ho_str text, ho_arena *arena);
/* True if the key alone makes this value a secret ("password: hunter22"): it is long enough, and not a sentence, a
 * placeholder, a variable or a reference. */
bool ho_secret_key(ho_str key, ho_str value);

/* The text with each secret replaced by "REDACTED-<shape>"; their number is added to *count. Returns the text itself,
 * not a copy, if there are none; and nothing at all if the arena has no memory left. */
ho_str ho_secret_redact(ho_str text, ho_arena *arena, size_t *count);
/* The same where they have been found already. */
ho_str ho_secret_remove(ho_str text, const ho_secret_list *list, ho_arena *arena);

/* Findings and errors quote what they are about: these leave the secrets out of their pointers and messages. */
void ho_secret_redact_report(ho_report *report);
void ho_secret_redact_error(ho_error *err);

/* Calls `hit` for each scalar or key in the tree that contains a secret, or is one because of a name: its own, that of
 * the list or map it is in, or one beside it ("name: DB_PASSWORD"). `shape` is that of the first one. */
typedef void ho_secret_hit(void *data, const ho_node *node, const char *shape);
void ho_secret_in_tree(const ho_node *node, ho_arena *arena, ho_secret_hit *hit, void *data);
#endif
