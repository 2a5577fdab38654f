/* JSON Schema 2020-12 from a format's table. */
#ifndef HO_MODEL_DOCUMENT_JSON_SCHEMA_H
#define HO_MODEL_DOCUMENT_JSON_SCHEMA_H

#include "model/format.h"

/* The schema of the canonical JSON form (ho_doc_write with HO_JSON). */
ho_node *ho_json_schema(const ho_format *format, ho_arena *arena);
/* The schema of a record alone: its fields, and which of them are required. */
ho_node *ho_json_schema_record(const ho_record *record, ho_arena *arena);
#endif
