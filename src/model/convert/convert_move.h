/* Moving values from one format's slots to another's. */
#ifndef HO_MODEL_CONVERT_CONVERT_MOVE_H
#define HO_MODEL_CONVERT_CONVERT_MOVE_H

#include "model/convert/convert_slots.h"

/* A raw tree of format `to` with everything that fits; not yet bound. NULL if the arena fails. */
ho_node *ho_move(const ho_format *from, const ho_node *tree, const ho_format *to, ho_arena *arena);

/* One value in the type, choices and syntax of another field; NULL if it does not fit. */
ho_node *ho_move_scalar(const ho_field *from, const ho_field *to, ho_type type, const ho_node *value, ho_arena *arena);
/* The text that represents a list item: the item itself, or a record's "main text: the rest"; paths stay alone. */
ho_str ho_move_item_text(const ho_record *record, const ho_node *item, ho_arena *arena);
#endif
