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
/* What `show ID` and `next` print above the document: lines that start with "# ". Only the program writes such lines; a
 * document's words in them are names, or on one line. */
void ho_delivered_head(ho_buf *out, const ho_node *delivered);
/* Part of it: what was said, a line each. */
void ho_delivered_talk(ho_buf *out, const ho_node *talk);
/* The line that ends what the program says, and below it the document as it was sent. Comments and headings of the
 * document before its first key or section begin with "#|" instead of '#', so that none passes for a line of the
 * program. */
void ho_delivered_body(ho_buf *out, ho_arena *arena, ho_str kind, ho_str text);
/* The same for a document that was rendered for reading, whose lines are all treated so. */
void ho_delivered_rendered(ho_buf *out, ho_arena *arena, ho_str text);
/* Only the lines, each treated so: for a document above others. */
void ho_delivered_marked(ho_buf *out, ho_arena *arena, ho_str text);
#endif
