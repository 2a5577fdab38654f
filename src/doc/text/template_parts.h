/* A template split into parts: what template.c renders, included by nobody else. */
#ifndef HO_DOC_TEXT_TEMPLATE_PARTS_H
#define HO_DOC_TEXT_TEMPLATE_PARTS_H

#include "doc/source.h"

typedef enum ho_part_kind {
  HO_PART_TEXT,     /* `text` as it is */
  HO_PART_VALUE,    /* the value named `text` */
  HO_PART_EACH,     /* its items; `jump` is the part after its end */
  HO_PART_END_EACH, /* `jump` is its EACH */
  HO_PART_IF,       /* continues at `jump` if the answer is no */
  HO_PART_ELSE      /* the end of the yes part: continues at `jump` */
} ho_part_kind;

typedef struct ho_part {
  ho_part_kind kind;
  ho_str text;
  uint32_t offset; /* of the tag in the template */
  uint32_t jump;
} ho_part;

typedef struct ho_parts {
  ho_part *items;
  uint32_t count;
} ho_parts;

/* Splits the template and checks that it is well formed. Blocks nest at most HO_LIMIT_DEPTH deep. */
ho_code ho_parts_read(const ho_source *source, ho_arena *arena, ho_parts *out, ho_error *err) HO_NODISCARD;
#endif
