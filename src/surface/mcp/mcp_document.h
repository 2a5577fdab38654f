/* Documents that a tool makes of its arguments: where each of them goes, and which of them a finding is about. */
#ifndef HO_SURFACE_MCP_MCP_DOCUMENT_H
#define HO_SURFACE_MCP_MCP_DOCUMENT_H

#include "surface/mcp/mcp_tool.h"

/* Where an argument goes. A list of "first: second" becomes records with these two keys; without a colon, the first only. */
typedef struct ho_mcp_place {
  const char *field; /* NULL ends a table */
  const char *path;  /* "context.summary", below the wrapper's key; "/current_state.file" in a document without one */
  const char *first, *second;
} ho_mcp_place;

/* A document in the making: the argument's values at their places, below the wrapper's key. */
ho_node *ho_mcp_document_begin(const ho_mcp_act *act, const char *wrapper, const ho_mcp_place *places);
/* Sets the text at a path, unless something is there or it is "". */
void ho_mcp_document_set(const ho_mcp_act *act, ho_node *document, const char *path, ho_str text);
/* Adds a text to the list at the path, which it begins if there is none. */
void ho_mcp_document_add(const ho_mcp_act *act, ho_node *document, const char *path, ho_str text);
/* As YAML. */
ho_str ho_mcp_document_text(const ho_mcp_act *act, const ho_node *document);
/* "artifacts[0]" for "/handoff/context/artifacts/0/path"; "" if no argument goes there. *holds: nor does anything but what
 * arguments go into: it is one of the records that they make. */
ho_str ho_mcp_document_at(ho_arena *arena, const ho_mcp_place *places, ho_str pointer, bool *holds);
#endif
