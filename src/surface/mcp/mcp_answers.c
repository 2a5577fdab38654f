/* What results of tools say, for clients that want to know it beforehand. */
#include "surface/mcp/mcp_tool.h"

#define TEXT(key)                                                                                                      \
  {                                                                                                                    \
    .name = key, .type = HO_T_TEXT                                                                                     \
  }
#define TEXTS(key)                                                                                                     \
  {                                                                                                                    \
    .name = key, .type = HO_T_LIST, .item = HO_T_TEXT                                                                  \
  }
#define RECORDS(key, of)                                                                                               \
  {                                                                                                                    \
    .name = key, .type = HO_T_LIST, .item = HO_T_RECORD, .record = &(of)                                               \
  }

static const ho_field item_fields[] = {TEXT("kind"), TEXT("id"),      TEXT("from"), TEXT("until"), TEXT("subject"),
                                       TEXT("text"), TEXT("held_by"), TEXT("with"), HO_FIELDS_END};
static const ho_record item = {.name = "item", .fields = item_fields};
static const ho_field gate_fields[] = {TEXT("gate"), TEXT("name"), TEXT("state"), HO_FIELDS_END};
static const ho_record gate = {.name = "gate", .fields = gate_fields};
static const ho_field said_fields[] = {TEXT("by"), TEXT("kind"), TEXT("text"), HO_FIELDS_END};
static const ho_record said = {.name = "said", .fields = said_fields};
static const ho_field finding_fields[] = {
    TEXT("at"), {.name = "line", .type = HO_T_INT}, TEXT("rule"), TEXT("message"), TEXT("fix"), HO_FIELDS_END};
static const ho_record finding = {.name = "finding", .fields = finding_fields};

/* Everything that any result says, in the order of schemas. */
static const ho_field fields[] = {TEXT("id"),
                                  TEXT("state"),
                                  TEXT("kind"),
                                  TEXT("type"),
                                  TEXT("from"),
                                  TEXT("to"),
                                  TEXT("you"),
                                  TEXT("task"),
                                  TEXT("phase"),
                                  TEXT("path"),
                                  TEXT("status"),
                                  TEXT("summary"),
                                  TEXT("meta"),
                                  TEXT("claimed_by"),
                                  TEXT("lease_until"),
                                  TEXT("gate"),
                                  TEXT("decision"),
                                  TEXT("decided_by"),
                                  TEXT("proof"),
                                  TEXT("note"),
                                  TEXT("superseded"),
                                  TEXT("superseded_by"),
                                  TEXT("closed"),
                                  {.name = "same", .type = HO_T_BOOL},
                                  TEXTS("objectives"),
                                  {.name = "tried", .type = HO_T_INT},
                                  RECORDS("waiting", item),
                                  {.name = "item", .type = HO_T_RECORD, .record = &item},
                                  RECORDS("gates", gate),
                                  RECORDS("talk", said),
                                  {.name = "changed_since", .type = HO_T_LIST, .item = HO_T_ANY},
                                  TEXT("text"),
                                  TEXT("more"),
                                  {.name = "hits", .type = HO_T_LIST, .item = HO_T_ANY},
                                  {.name = "total", .type = HO_T_INT},
                                  {.name = "next_page", .type = HO_T_INT},
                                  TEXT("format"),
                                  {.name = "valid", .type = HO_T_BOOL},
                                  RECORDS("findings", finding),
                                  TEXTS("notes"),
                                  TEXT("next"),
                                  HO_FIELDS_END};
const ho_record ho_mcp_answers = {.name = "answers", .fields = fields};
