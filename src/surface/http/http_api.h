/* Commands over HTTP, as their table has them: /api/v1/COMMAND[/FIRST]. */
#ifndef HO_SURFACE_HTTP_HTTP_API_H
#define HO_SURFACE_HTTP_HTTP_API_H

#include "command/commands.h"
#include "surface/http/http_exchange.h"

#define HO_HTTP_API "/api/v1/"
/* The member of a body that is the document which a command reads. */
#define HO_HTTP_API_DOCUMENT "document"

/* Is the command offered over HTTP? */
bool ho_http_api_offers(const ho_command *command);
/* Does it only look, so that GET runs it? */
bool ho_http_api_looks(const ho_command *command);
/* The argument that stands in the path behind the command, or NULL. */
const ho_field *ho_http_api_first(const ho_command *command);
/* The argument that a document in the body takes the place of, or NULL. */
const ho_field *ho_http_api_document(const ho_command *command);

ho_http_handler ho_http_api;
/* The description of all of it, as OpenAPI has it. */
ho_http_handler ho_http_openapi;
#endif
