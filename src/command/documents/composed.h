/* A document made of one line and some options: what `ask` raises, and `send` sends if it is not given a file. */
#ifndef HO_COMMAND_DOCUMENTS_COMPOSED_H
#define HO_COMMAND_DOCUMENTS_COMPOSED_H

#include "command/send_call.h"

typedef struct ho_composed {
  ho_call *call;
  const ho_format *format;
  ho_node *root;
  ho_str from;  /* the agent that acts; "" for a person */
  ho_code code; /* the first failure: what follows it does nothing */
} ho_composed;

/* A package or gate from whoever acts to `to`, with the argument --summary as its summary, if it is given. */
ho_composed ho_composed_begin(ho_call *call, const ho_format *format, ho_str to, ho_error *err);
/* Sets the value at a pointer of the format; "-" appends to a list. Nothing if it is "", or if there is a value. */
void ho_composed_put(ho_composed *c, const char *pointer, ho_str value, ho_error *err);
/* The same for each text of a list. */
void ho_composed_put_all(ho_composed *c, const char *pointer, const ho_node *list, ho_error *err);
/* The text of the document, for ho_send_call_run, which checks it as it does all others. */
ho_code ho_composed_end(ho_composed *c, ho_send *in, ho_error *err) HO_NODISCARD;

#define HO_PARAM_SUMMARY(what)                                                                                         \
  {                                                                                                                    \
    .name = "summary", .label = "TEXT", .doc = what, .type = HO_T_TEXT                                                 \
  }
#endif
