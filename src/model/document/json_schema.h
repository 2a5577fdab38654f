/* JSON Schema 2020-12 from a format's table. */
#ifndef HO_MODEL_DOCUMENT_JSON_SCHEMA_H
#define HO_MODEL_DOCUMENT_JSON_SCHEMA_H

#include "model/format.h"

/* The schema of the canonical JSON form (ho_doc_write with HO_JSON). */
ho_node *ho_json_schema(const ho_format *format, ho_arena *arena);
#endif
