/* What `run` carries out, and who does it, if the command line does not say. */
#ifndef HO_COMMAND_AGENTS_RUN_CHOICE_H
#define HO_COMMAND_AGENTS_RUN_CHOICE_H

#include "command/call.h"

typedef struct ho_run_choice {
  ho_str plan; /* absolute; "": none, but a worker */
  ho_str task; /* for the worker */
} ho_run_choice;

/* Without a plan: the newest run that has not ended; else the one plan that has phases left, among the newest plans of all
 * tasks; else, as a worker, the one task whose handoffs wait for whoever takes them. HO_USAGE if there is none of these, or
 * several plans or tasks: starting agents costs money, so nothing is guessed. Nothing is created. */
ho_code ho_run_choice_work(ho_call *call, ho_run_choice *out, ho_error *err) HO_NODISCARD;
/* --agent; else the only agent in the settings, whom nobody need trust yet (it is then refused, not replaced by another); if
 * there is none, the only harness whose hooks are registered in the project. "" if there are several. */
ho_str ho_run_choice_agent(const ho_call *call);
#endif
