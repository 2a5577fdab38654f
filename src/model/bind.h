/* From the raw tree of a reader to the typed tree of a format.
 *
 * The result has the format's keys in the table's order, then everything else in its original order: nothing is
 * lost. Values have the types that the table wants. Other spellings that people and agents use (aliases, synonyms, a
 * text for a list of one, a map for a list, null) are accepted and reported as warnings. What cannot be interpreted
 * is left unchanged for check.h to report. Nodes keep their source positions. */
#ifndef HO_MODEL_BIND_H
#define HO_MODEL_BIND_H

#include "model/format.h"

/* base: the path that findings start from (the wrapper's key), or NULL. Returns NULL if the arena fails. */
ho_node *ho_bind(const ho_format *format, const ho_node *raw, const ho_path *base, ho_arena *arena, ho_report *report);
/* The same for one record; commands use it to type their arguments. */
ho_node *ho_bind_record(const ho_record *record, const ho_node *raw, const ho_path *base, ho_arena *arena,
                        ho_report *report);

/* The choice of the field that a text names, exactly or in another spelling; NULL if there is none. */
const ho_choice *ho_bind_choice(const ho_field *field, ho_str text);
#endif
