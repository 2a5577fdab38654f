/* The rules that hold for every format: they follow from its table. */
#ifndef HO_MODEL_GENERAL_RULES_H
#define HO_MODEL_GENERAL_RULES_H

#include "doc/rules.h"

/* constant, id, severity, in JSON Schema, sentence, fix */
#define HO_MODEL_RULES(X)                                                                                              \
  X(REQUIRED, "required", HO_ERROR, true, "Required fields are there and not empty.", "Add the field.")                \
  X(EXPECTED, "expected", HO_WARNING, false, "Fields that a complete document has are there.",                         \
    "Add the field; the tool itself never writes a document without it.")                                              \
  X(TYPE, "type", HO_ERROR, true, "A value has the type its field wants.", "Write the value in the type named.")       \
  X(CHOICE, "choice", HO_ERROR, true, "A value with fixed choices is one of them.", "Use one of the values named.")    \
  X(CHOICE_OPEN, "choice-open", HO_WARNING, false, "A value with known choices is best one of them.",                  \
    "Use one of the values named, if one fits.")                                                                       \
  X(TOO_MANY, "too-many", HO_ERROR, true, "A list is not longer than its limit.",                                      \
    "Keep the most important ones and move the rest to a details file.")                                               \
  X(RANGE, "range", HO_ERROR, true, "A number lies in its range.", "Use a number in the range named.")                 \
  X(PLACEHOLDER, "placeholder", HO_ERROR, false, "No placeholder of a template is left.", "Replace it by the fact.")   \
  X(SYNONYM, "synonym", HO_WARNING, false, "Choices are spelled as the format spells them.", "Use the value named.")   \
  X(KEY_ALIAS, "key-alias", HO_WARNING, false, "Keys and headings are spelled as the format spells them.",             \
    "Use the name given.")                                                                                             \
  X(LOOSE_TYPE, "loose-type", HO_WARNING, false, "Numbers, truth values and texts are written as what they are.",      \
    "Write the value in the type named.")                                                                              \
  X(SCALAR_FOR_LIST, "scalar-for-list", HO_WARNING, false, "A list is written as a list, also when it has one item.",  \
    "Put the value into a list.")                                                                                      \
  X(MAP_FOR_LIST, "map-for-list", HO_WARNING, false, "A list of records is written as a list.",                        \
    "Write each entry as a list item with its key as a field.")                                                        \
  X(SCALAR_FOR_RECORD, "scalar-for-record", HO_WARNING, false, "A record is written with its fields.",                 \
    "Write it as a map with the field named.")                                                                         \
  X(NULL_VALUE, "null-value", HO_WARNING, false, "What is not there is left out.", "Remove the key or give a value.")  \
  X(UNKNOWN_KEY, "unknown-key", HO_WARNING, false, "Keys are those of the format, or start with x_.",                  \
    "Check the spelling; the value is kept as it is.")                                                                 \
  X(UNWRAPPED, "unwrapped", HO_WARNING, false, "The document stands under its top-level key.",                         \
    "Put everything under the key named.")

#define X(name, id, severity, in_schema, doc, fix) extern const ho_rule_info ho_rule_##name;
HO_MODEL_RULES(X)
#undef X

/* The same, ended by NULL. */
extern const ho_rule_info *const ho_model_rules[];
#endif
