/* What an access may do, wherever the engine has to know: all of it holds for the process itself, too, which may. */
#ifndef HO_ENGINE_PROJECT_ACCESS_CHECK_H
#define HO_ENGINE_PROJECT_ACCESS_CHECK_H

#include "engine/project/access.h"

/* Reads "read", "agent:NAME" or "decide:PERSON". HO_USAGE says what is wrong. */
ho_code ho_access_parse(ho_str text, ho_access_role *role, ho_str *who, ho_error *err) HO_NODISCARD;
/* The rule of all errors below, which are HO_GATED. */
#define HO_RULE_ROLE "role"
/* It may not act under this name of an agent; "" is whoever it is. */
ho_code ho_access_check_agent(ho_arena *arena, ho_str agent, ho_error *err) HO_NODISCARD;
/* A document that it sends says that it comes from somebody else. */
ho_code ho_access_check_sender(ho_arena *arena, ho_str sender, ho_error *err) HO_NODISCARD;
/* It changes nothing, or nothing but gates. */
ho_code ho_access_check_write(ho_arena *arena, ho_error *err) HO_NODISCARD;
/* It decides no gates, or none that `raiser` has raised. */
ho_code ho_access_check_decide(ho_arena *arena, ho_str raiser, ho_error *err) HO_NODISCARD;
#endif
