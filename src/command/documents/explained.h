/* The example of each rule: a document that breaks it, and what has to be changed in it to keep it. */
#ifndef HO_COMMAND_DOCUMENTS_EXPLAINED_H
#define HO_COMMAND_DOCUMENTS_EXPLAINED_H

/* All of them, made from tests/cases by scripts/rule-examples when the program is built; ended by a NUL. */
extern const unsigned char ho_rule_examples[];
#endif
