/* Querying the knowledge: ranked results, with sources. */
#ifndef HO_ENGINE_KNOWLEDGE_KNOW_H
#define HO_ENGINE_KNOWLEDGE_KNOW_H

#include "engine/knowledge/knowledge.h"

/* The best `limit` nodes for a filter. Examines the newest 48 that pass it and, if there are more, those of the
 * newest 16 gotchas of high severity that pass; never more, whatever the size of the store. Ranked by: all words of
 * the query in the text itself (not only in its details and tags), open before closed, severity, number of sources,
 * last seen, id. */
ho_code ho_know_find(ho_project *project, const ho_known_filter *filter, size_t limit, ho_arena *arena,
                     ho_known_list *out, ho_error *err) HO_NODISCARD;

/* {id, kind, text, detail, tags, severity, state, first, last}. */
ho_node *ho_know_record(const ho_known *known, ho_arena *arena);
/* The same with sources (the newest `most`, and how many there are) and their tasks. */
ho_code ho_know_full(ho_project *project, const ho_known *known, int64_t most, ho_arena *arena, ho_node **out,
                     ho_error *err) HO_NODISCARD;
/* "high", "medium", "low" or "". */
const char *ho_know_severity(int64_t severity);
/* A value from the node's detail, or "". */
ho_str ho_know_detail(const ho_known *known, ho_arena *arena, const char *key);
#endif
