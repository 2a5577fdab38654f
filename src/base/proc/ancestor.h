/* The processes that led to this one: its parent, the parent's parent, and so on, as /proc shows them. */
#ifndef HO_BASE_PROC_ANCESTOR_H
#define HO_BASE_PROC_ANCESTOR_H

#include <limits.h>
#include <sys/types.h>

#include "base/str.h"

typedef struct ho_ancestor {
  pid_t pid;           /* 0 before the first */
  unsigned level;      /* 1 for the parent */
  char name[32];       /* as `ps` lists it */
  char file[PATH_MAX]; /* the program's file; "" if that cannot be seen */
  char line[4096];
  size_t length; /* the beginning of its command line: words, each ended by NUL */
} ho_ancestor;

/* Goes on to the next one; false at the top, or where nothing more can be seen. */
bool ho_ancestor_next(ho_ancestor *at);
/* Was it given up, because there were too many, before the top was reached? */
bool ho_ancestor_given_up(const ho_ancestor *at);
/* A word of its command line, the program's own name first; "" if there are fewer. */
ho_str ho_ancestor_word(const ho_ancestor *at, size_t index);
/* Is /proc there? */
bool ho_ancestor_visible(void);
#endif
