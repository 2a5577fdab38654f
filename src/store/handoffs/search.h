/* The search over the bodies of handoffs. */
#ifndef HO_STORE_HANDOFFS_SEARCH_H
#define HO_STORE_HANDOFFS_SEARCH_H

#include "base/buf.h"
#include "store/handoffs/handoffs.h"

typedef struct ho_hit {
  ho_handoff row;
  ho_str snippet; /* the words around the match, the match between U+2068 and U+2069 */
} ho_hit;

typedef struct ho_hit_list {
  ho_hit *rows;
  size_t count;
} ho_hit_list;

/* Adds the text of the handoffs with after < seq <= upto, unless it is there. Call it inside a write. */
ho_code ho_search_add(ho_store *store, int64_t after, int64_t upto, ho_error *err) HO_NODISCARD;

/* Handoffs whose body contains all words of `query`, newest first. "A phrase" in quotes must occur as such; word* is
 * a prefix. Everything else is taken literally, so no query is invalid; one without a word finds nothing. The
 * filter's receiver, sender, state, kind, task, phase, since, until and limit (0: 100) apply. */
ho_code ho_search(ho_store *store, ho_str query, const ho_filter *filter, ho_arena *arena, ho_hit_list *out,
                  ho_error *err) HO_NODISCARD;

/* Turns a user's query into an expression for the full-text index: all words, quoted phrases, prefixes with '*';
 * empty if it has no word. HO_LIMIT if it is too long. */
ho_code ho_search_expression(ho_buf *out, ho_str query, ho_error *err) HO_NODISCARD;
#endif
