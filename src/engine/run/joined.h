/* Results of several agents, joined under a rule, in the shape that a response of the phase `parallel` has. */
#ifndef HO_ENGINE_RUN_JOINED_H
#define HO_ENGINE_RUN_JOINED_H

#include "doc/tree.h"

typedef struct ho_joined {
  ho_str id;              /* whose result it is */
  ho_str type;            /* what kind of work it was, or "" */
  ho_str summary;         /* in a sentence */
  const ho_node *details; /* what it found, or NULL */
  const ho_str *issues;
  size_t issue_count;
  bool passed;
  bool asks; /* it said CLARIFY: its issues are questions to a person */
} ho_joined;

/* {task_id, type, passed, summary, details, issues} */
ho_node *ho_joined_result(ho_arena *arena, const ho_joined *one);
/* {total, passed, failed, rule, overall_passed} */
ho_node *ho_joined_sum(ho_arena *arena, ho_str rule, size_t total, size_t passed, bool overall);
/* Adds its issues to a list of texts, each with its id: "style: Names are misleading". */
void ho_joined_issues(ho_node *list, ho_arena *arena, const ho_joined *one);
#endif
