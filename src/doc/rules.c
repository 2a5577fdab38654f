#include "doc/rules.h"

#define X(name, id, severity, doc, fix) const ho_rule_info ho_rule_##name = {id, severity, doc, fix};
HO_DOC_RULES(X)
#undef X

const ho_rule_info *const ho_doc_rules[] = {
#define X(name, id, severity, doc, fix) &ho_rule_##name,
    HO_DOC_RULES(X)
#undef X
        NULL};
