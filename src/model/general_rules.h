/* The rules that hold for every format: they follow from its table. */
#ifndef HO_MODEL_GENERAL_RULES_H
#define HO_MODEL_GENERAL_RULES_H

#include "doc/rules.h"

/* constant, id, severity, in JSON Schema, sentence, fix */
#define HO_MODEL_RULES(X)                                                                                              \
  X(REQUIRED, "required", HO_ERROR, true, "Required fields must be present and not empty.", "Add the field.")          \
  X(EXPECTED, "expected", HO_WARNING, false, "Expected fields should be present.", "Add the field.")                   \
  X(TYPE, "type", HO_ERROR, true, "Values must have the type of their field.", "Use the type named in the message.")   \
  X(CHOICE, "choice", HO_ERROR, true, "A value with fixed choices must be one of them.",                               \
    "Use one of the values listed.")                                                                                   \
  X(CHOICE_OPEN, "choice-open", HO_WARNING, false, "A value with known choices should be one of them.",                \
    "Use one of the values listed, if one fits.")                                                                      \
  X(TOO_MANY, "too-many", HO_ERROR, true, "Lists must not exceed their limit.",                                        \
    "Keep the most important items and move the rest to a details file.")                                              \
  X(RANGE, "range", HO_ERROR, true, "Numbers must be in range.", "Use a number in the range given.")                   \
  X(PLACEHOLDER, "placeholder", HO_ERROR, false, "Template placeholders must be filled in.",                           \
    "Replace it with the actual value.")                                                                               \
  X(SYNONYM, "synonym", HO_WARNING, false, "Choices should use the format's spelling.", "Use the spelling given.")     \
  X(KEY_ALIAS, "key-alias", HO_WARNING, false, "Keys and headings should use the format's spelling.",                  \
    "Use the spelling given.")                                                                                         \
  X(LOOSE_TYPE, "loose-type", HO_WARNING, false, "Numbers, booleans and texts should be written as their type.",       \
    "Use the type named in the message.")                                                                              \
  X(SCALAR_FOR_LIST, "scalar-for-list", HO_WARNING, false, "A list should be written as a list, even with one item.",  \
    "Put the value in a list.")                                                                                        \
  X(MAP_FOR_LIST, "map-for-list", HO_WARNING, false, "A list of records should be written as a list.",                 \
    "Write each entry as a list item with its key as a field.")                                                        \
  X(SCALAR_FOR_RECORD, "scalar-for-record", HO_WARNING, false, "A record should be written with its fields.",          \
    "Write it as a map with the field named.")                                                                         \
  X(NULL_VALUE, "null-value", HO_WARNING, false, "Absent values should be left out.",                                  \
    "Remove the key or set a value.")                                                                                  \
  X(UNKNOWN_KEY, "unknown-key", HO_WARNING, false, "Keys should belong to the format or start with x_.",               \
    "Check the spelling; the value is kept unchanged.")                                                                \
  X(UNWRAPPED, "unwrapped", HO_WARNING, false, "The document should be under its top-level key.",                      \
    "Put everything under the key given.")

#define X(name, id, severity, in_schema, doc, fix) extern const ho_rule_info ho_rule_##name;
HO_MODEL_RULES(X)
#undef X

/* The same, ended by NULL. */
extern const ho_rule_info *const ho_model_rules[];
#endif
