/* A stored handoff for whoever reads it: its record, its document, what was said about it, and what has changed since.
 */
#ifndef HO_COMMAND_DELIVERED_H
#define HO_COMMAND_DELIVERED_H

#include "command/ledger_call.h"
#include "store/handoffs/handoffs.h"

extern const ho_record ho_delivered_record;
/* The record with document, claims, drift, talk and drafts. */
ho_code ho_delivered_node(ho_call *call, ho_project *project, const ho_handoff *row, ho_str body, ho_node **out,
                          ho_error *err) HO_NODISCARD;
/* What `show ID` and `next` print above the document: lines that start with '#'. */
void ho_delivered_head(ho_buf *out, const ho_node *delivered);
#endif
