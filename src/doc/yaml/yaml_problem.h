/* libyaml's complaints in our words. */
#ifndef HO_DOC_YAML_YAML_PROBLEM_H
#define HO_DOC_YAML_YAML_PROBLEM_H

#include "base/str.h"

typedef struct ho_yaml_problem {
  const char *context, *problem; /* libyaml's; context NULL matches any */
  const char *words;
  bool opening; /* the position to report is where the construct began, not where its end was missed */
  bool final;   /* not a matter of one line: cannot be repaired */
} ho_yaml_problem;

/* NULL if libyaml's own words will do. context may be NULL. */
const ho_yaml_problem *ho_yaml_problem_find(const char *context, const char *problem);
#endif
