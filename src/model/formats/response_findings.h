/* What sub-agents find: one record with the fields of all four phases, whose names do not collide. */
#ifndef HO_MODEL_FORMATS_RESPONSE_FINDINGS_H
#define HO_MODEL_FORMATS_RESPONSE_FINDINGS_H

#include "model/check.h"

extern const ho_record ho_record_findings;
extern const ho_choice ho_exchange_phases[], ho_exchange_modes[];

/* Evaluates an aggregation rule: all, any, majority (more than half), or how many have to pass; "all_must_pass",
 * "any_pass" and "majority_pass" work too. Returns false if it is none of these; else *passes says whether `passed`
 * of `total` satisfy it. */
bool ho_aggregate_passes(ho_str rule, size_t total, size_t passed, bool *passes);

/* The fields of a phase's findings ("A|B"), or NULL if there is no such phase. */
const char *ho_response_findings_fields(ho_str phase);
/* A short response to fill in (response_form.c): the fields of its phase, with "…" and the choices for values. */
ho_node *ho_response_findings_form(ho_arena *arena, ho_str task, ho_str phase);

/* Rules of the response that look into its findings. */
void ho_response_findings_check_shape(ho_check *check, const ho_rule *rule); /* the fields of its phase are present */
void ho_response_findings_check_phase(ho_check *check, const ho_rule *rule); /* the fields of other phases are absent */
void ho_response_findings_check_overall(ho_check *check,
                                        const ho_rule *rule);                /* overall_passed agrees with the checks */
void ho_response_findings_check_tests(ho_check *check, const ho_rule *rule); /* total = passed_count + failed_count */
void ho_response_findings_check_count(ho_check *check, const ho_rule *rule); /* total = passed + failed = results */
void ho_response_findings_check_rule(ho_check *check, const ho_rule *rule);  /* overall_passed follows from the rule */

/* The first finding that argues against continuing: a failed check, a critical conflict, a blocking issue. NULL if
 * there is none. */
const ho_node *ho_response_findings_obstacle(const ho_node *findings);

/* What a response says is wrong, and what it asks: lists, wherever they stand; NULL if there is none. The questions of a
 * response that has none of its own are its issues. */
const ho_node *ho_response_findings_issues(const ho_node *response);
const ho_node *ho_response_findings_questions(const ho_node *response);
/* Does its decision halt its task? False of documents that are no responses. */
bool ho_response_findings_halts(const ho_format *format, const ho_node *root);
/* One of them, in words: the text itself, or that of a record. */
ho_str ho_response_findings_text(const ho_node *item);
#endif
