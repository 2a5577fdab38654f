/* Shared by handoff packages and gates: the records of their tables and the checks of their rules.
 *
 * Each check is the `check` of a ho_rule and reports under the rule it is given, so that each format has its own
 * ids. */
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

/* The summary says what was done, not only that it is done. */
void ho_exchange_summary_implicit(ho_check *check, const ho_rule *rule);
/* The summary has enough words to be understood. */
void ho_exchange_summary_thin(ho_check *check, const ho_rule *rule);
/* Each artifact exists, if that can be checked. */
void ho_exchange_artifacts_exist(ho_check *check, const ho_rule *rule);
/* Files that the summary calls created are listed as artifacts. */
void ho_exchange_artifacts_listed(ho_check *check, const ho_rule *rule);
/* Whatever is undecided is an open question. */
void ho_exchange_questions_explicit(ho_check *check, const ho_rule *rule);
/* The reason is inside `to`, not beside it. */
void ho_exchange_reason_place(ho_check *check, const ho_rule *rule);
/* Success criteria are measurable. A quality without a measure is reported with the rule's severity; neither a
 * quality nor a measure is a warning. */
void ho_exchange_criteria(ho_check *check, const ho_rule *rule);
/* Constraints that name a quality have a measure. */
void ho_exchange_constraints(ho_check *check, const ho_rule *rule);
#endif
