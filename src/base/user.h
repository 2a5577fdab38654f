/* Who this program runs as. */
#ifndef HO_BASE_USER_H
#define HO_BASE_USER_H

#include <sys/types.h>

#include "base/arena.h"

/* The account's name: what /etc/passwd calls the effective user, else $USER or $LOGNAME, else "unknown". No name
 * service is asked: its modules are shared libraries, and the program is linked statically. */
ho_str ho_user_name(ho_arena *arena);
/* The name of an account in a text like that of /etc/passwd, or "". */
ho_str ho_user_find(ho_str accounts, uid_t user);
#endif
