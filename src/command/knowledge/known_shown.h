/* What the commands of the knowledge share. */
#ifndef HO_COMMAND_KNOWLEDGE_KNOWN_SHOWN_H
#define HO_COMMAND_KNOWLEDGE_KNOWN_SHOWN_H

#include "command/ledger_call.h"
#include "engine/knowledge/know.h"

extern const ho_choice ho_known_shown_kinds[];
/* The value of an argument whose choices are the words of a set; 0 if it is not given. */
int ho_known_shown_word(const ho_call *call, const char *name, const ho_words *words);
extern const ho_record ho_known_record; /* what ho_know_full gives */
/* A node for people: a line of its own, its text, and its sources. width: the terminal's, or 0. */
void ho_known_shown_render(ho_buf *out, const ho_node *node, size_t width, bool colour);
#endif
