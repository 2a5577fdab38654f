/* An event as a sentence for people. */
#ifndef HO_COMMAND_INSPECT_LOG_SAID_H
#define HO_COMMAND_INSPECT_LOG_SAID_H

#include "base/buf.h"
#include "doc/tree.h"

/* "reviewer acknowledged it: Review the CSV import": who, what, and what was said with it; safe, on one line. `event` is
 * what ho_describe_event gives. */
void ho_log_said(ho_buf *out, const ho_node *event);
#endif
