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

/* Handoffs whose body has all words of `query`, newest first. "a phrase" in quotes stands together; word* is a
 * beginning. Everything else is taken literally, so no query is wrong; one without a word finds nothing. The filter's
 * receiver, sender, state, kind, task, phase, since, until and limit (0: 100) apply. */
ho_code ho_search(ho_store *store, ho_str query, const ho_filter *filter, ho_arena *arena, ho_hit_list *out,
                  ho_error *err) HO_NODISCARD;

/* What a person typed, as an expression of the full-text index: all words, phrases where quoted, beginnings with '*';
 * nothing where it has no word. HO_LIMIT where it is too long. */
ho_code ho_search_expression(ho_buf *out, ho_str query, ho_error *err) HO_NODISCARD;
#endif
