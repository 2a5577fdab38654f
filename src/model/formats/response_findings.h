/* What sub-agents find (D4, D7): one record with the fields of all four phases, whose names do not collide. */
#ifndef HO_MODEL_FORMATS_RESPONSE_FINDINGS_H
#define HO_MODEL_FORMATS_RESPONSE_FINDINGS_H

#include "model/check.h"

extern const ho_record ho_record_findings;
extern const ho_choice ho_exchange_phases[], ho_exchange_modes[];

/* The phase ("research", "write", "validate", "parallel") that a field of the findings belongs to, or NULL. */
const char *ho_findings_phase(ho_str field);

/* A rule of aggregation: all, any, majority (more than half), or how many have to pass. Also "all_must_pass",
 * "any_pass", "majority_pass". False where it is none of these; else whether `passed` of `total` satisfy it. */
bool ho_aggregate_passes(ho_str rule, size_t total, size_t passed, bool *passes);

/* Rules of the response that look into its findings. */
void ho_check_findings_shape(ho_check *check, const ho_rule *rule);    /* those of the phase are there */
void ho_check_findings_phase(ho_check *check, const ho_rule *rule);    /* those of another phase are not */
void ho_check_findings_overall(ho_check *check, const ho_rule *rule);  /* overall_passed agrees with the checks */
void ho_check_tests_count(ho_check *check, const ho_rule *rule);       /* total = passed_count + failed_count */
void ho_check_aggregation_count(ho_check *check, const ho_rule *rule); /* total = passed + failed = results (D7) */
void ho_check_aggregation_rule(ho_check *check, const ho_rule *rule);  /* overall_passed follows from the rule (D7) */

/* The first thing in the findings that speaks against going on: a failed check, a critical conflict, a blocking issue.
 * NULL if there is none. */
const ho_node *ho_findings_obstacle(const ho_node *findings);
#endif
