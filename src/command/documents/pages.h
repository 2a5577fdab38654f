/* The formats as pages for people and agents, in Markdown: what a document of each holds, and the rules it keeps. */
#ifndef HO_COMMAND_DOCUMENTS_PAGES_H
#define HO_COMMAND_DOCUMENTS_PAGES_H

#include "base/buf.h"
#include "model/format.h"

/* One format's page, from its table. */
void ho_pages_format(ho_buf *out, const ho_format *format);
#endif
