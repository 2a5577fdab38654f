/* The places in a format that hold values with a role, found in its table. */
#ifndef HO_MODEL_CONVERT_CONVERT_SLOTS_H
#define HO_MODEL_CONVERT_CONVERT_SLOTS_H

#include "model/format.h"

enum { HO_SLOT_DEPTH = 4, HO_SLOTS_MAX = 64 };

typedef struct ho_slot {
  const char *path[HO_SLOT_DEPTH]; /* keys from the root */
  unsigned depth;
  const char *name; /* distinguishes it among slots of the same role: its key, or that of the record it represents */
  const ho_field *field; /* of the value */
  ho_role role;
  const char *kin; /* what kind of thing it describes; values only move between slots of the same kin */
} ho_slot;

typedef struct ho_slots {
  ho_slot items[HO_SLOTS_MAX];
  size_t count;
} ho_slots;

/* All fields with a role, including those of records inside records, but not those inside lists. */
void ho_slots_of(const ho_format *format, ho_slots *out);
/* The role in this particular document: issues are questions if the decision is to clarify. */
ho_role ho_slot_role(const ho_format *format, const ho_slot *slot, const ho_node *tree);

ho_node *ho_slot_get(const ho_slot *slot, const ho_node *tree);
/* Sets the value and creates the records on the way. */
void ho_slot_set(const ho_slot *slot, ho_node *tree, ho_node *value, ho_arena *arena);

/* The field that says in one text what a record is about: the one that a bare text sets, else its first text. */
const ho_field *ho_slots_main(const ho_record *record);
ho_str ho_slots_main_text(const ho_record *record, const ho_node *item);
/* The kin of a field name. */
const char *ho_kin_of(const char *name);
/* The choice of `field` that means the same as `value`, or NULL. */
const char *ho_choice_meaning(const ho_field *field, ho_str value);
#endif
