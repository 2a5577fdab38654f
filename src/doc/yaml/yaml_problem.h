/* libyaml's complaints in our words. */
#ifndef HO_DOC_YAML_YAML_PROBLEM_H
#define HO_DOC_YAML_YAML_PROBLEM_H

#include "base/str.h"

typedef struct ho_yaml_problem {
  const char *context, *problem; /* libyaml's; context NULL stands for any */
  const char *words;
  bool opening; /* the place to name is where the thing began, not where it was missed */
  bool final;   /* not a matter of one line: no use in mending it */
} ho_yaml_problem;

/* NULL where libyaml's own words will do. context may be NULL. */
const ho_yaml_problem *ho_yaml_problem_find(const char *context, const char *problem);
#endif
