/* The part of doctor about the programs in which agents work. */
#ifndef HO_COMMAND_SETUP_DOCTOR_HARNESS_H
#define HO_COMMAND_SETUP_DOCTOR_HARNESS_H

#include "command/call.h"

/* Adds a line to the report. advice NULL: there is nothing to do. */
typedef void ho_doctor_put(ho_call *call, const char *name, const char *status, ho_str message, const char *advice);
/* A line per harness that is installed, or whose hooks are registered; one line if there is none. The settings have been
 * read. */
void ho_doctor_harnesses(ho_call *call, ho_doctor_put *put);
#endif
