/* What a handoff package and a gate share: records of their tables, and checks of their rules.
 *
 * Each check is a ho_rule's `check`: it reports under the rule it is given, so that each format has ids of its own. */
#ifndef HO_MODEL_FORMATS_EXCHANGE_H
#define HO_MODEL_FORMATS_EXCHANGE_H

#include "model/check.h"

extern const ho_record ho_record_sender;         /* {agent, step} */
extern const ho_record ho_record_receiver;       /* {agent, reason} */
extern const ho_record ho_record_context;        /* {summary, decisions, artifacts, open_questions, key_info} */
extern const ho_record ho_record_expectations;   /* {deliverable, constraints, success_criteria} */
extern const ho_record ho_record_workflow_state; /* {name, current_step, completed_steps, remaining_steps} */

/* Is this party ({agent: …}) a person? */
bool ho_party_is_human(const ho_node *party);

/* The summary says what was done, not only that it is done (E3). */
void ho_check_summary_implicit(ho_check *check, const ho_rule *rule);
/* The summary has enough words to be understood (E4). */
void ho_check_summary_thin(ho_check *check, const ho_rule *rule);
/* Each artifact exists, where the world can be asked (E3). */
void ho_check_artifacts_exist(ho_check *check, const ho_rule *rule);
/* Files that the summary calls created are among the artifacts (E3). */
void ho_check_artifacts_listed(ho_check *check, const ho_rule *rule);
/* What is undecided is an open question (E3). */
void ho_check_questions_explicit(ho_check *check, const ho_rule *rule);
/* The reason stands in `to`, not beside it. */
void ho_check_reason_place(ho_check *check, const ho_rule *rule);
/* Success criteria are measurable (E3): a quality alone is the rule's severity, neither quality nor measure a warning.
 */
void ho_check_criteria(ho_check *check, const ho_rule *rule);
/* Constraints that name a quality have a measure (E3). */
void ho_check_constraints(ho_check *check, const ho_rule *rule);
#endif
