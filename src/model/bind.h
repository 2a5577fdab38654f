/* From the raw tree of a reader to the typed tree of a format.
 *
 * The result has the format's keys in the table's order, then everything else in the order in which it stood: nothing
 * is lost. Values have the types the table wants; other spellings that people and agents use (aliases, synonyms, a text
 * for a list of one, a map for a list, null) are understood and reported as warnings. What cannot be understood stays
 * as it is and is left to check.h. Places are those of the raw nodes. */
#ifndef HO_MODEL_BIND_H
#define HO_MODEL_BIND_H

#include "model/format.h"

/* base: the path that findings start from (the wrapper's key), or NULL. NULL if the arena fails. */
ho_node *ho_bind(const ho_format *format, const ho_node *raw, const ho_path *base, ho_arena *arena, ho_report *report);
/* The same for one record: how commands type their arguments. */
ho_node *ho_bind_record(const ho_record *record, const ho_node *raw, const ho_path *base, ho_arena *arena,
                        ho_report *report);

/* The choice of the field that a text is, or is another spelling of; NULL if there is none. */
const ho_choice *ho_choice_meant(const ho_field *field, ho_str text);
#endif
