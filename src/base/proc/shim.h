/* The shim: a small process between a lead and the command that works for it.
 *
 * It is this program, started again under the name HO_SHIM_NAME. It waits for the lead's go, so that a start is
 * recorded before anything happens. Then it runs the command, keeps its output within a limit, ends it when its time
 * is up, and durably records how it ended. It outlives its lead: whoever comes next finds the status file. Whatever
 * the command left running is ended too, so that nothing of it remains. No shell is involved. */
#ifndef HO_BASE_PROC_SHIM_H
#define HO_BASE_PROC_SHIM_H

#include <sys/types.h>

#include "base/arena.h"

#define HO_SHIM_NAME "handoff-shim"

typedef struct ho_shim_order {
  const char *program;     /* this program's file, to be started as the shim */
  const char *folder;      /* absolute; gets "log" and "status-PID" */
  const char *work;        /* absolute; where the command runs */
  const char *input;       /* file for its standard input, or NULL: none */
  int64_t seconds;         /* time limit; 0: none */
  size_t log_limit;        /* bytes of output kept: its beginning and its end */
  bool raw;                /* they are kept as they are, instead of as ho_shim_main's caller wants them */
  const char *const *argv; /* NULL-ended; argv[0] is looked up in PATH */
  const char *const *env;  /* NULL-ended: the whole environment */
} ho_shim_order;

typedef struct ho_shim {
  pid_t pid;
  int64_t start; /* of the process, as ho_process_start returns it */
  int go;        /* descriptor that gives it the go; -1 afterwards */
} ho_shim;

/* Starts the shim, which then waits. HO_IO if it cannot be started. */
ho_code ho_shim_start(const ho_shim_order *order, ho_shim *out, ho_error *err) HO_NODISCARD;
/* Tells it to run the command. False: it is gone. */
bool ho_shim_go(ho_shim *shim);
/* Makes it end without having done anything. */
void ho_shim_drop(ho_shim *shim);
/* Asks a shim to end its command and itself: politely first, by force after a few seconds. */
void ho_shim_stop(pid_t pid, int64_t start);
/* Has a signal (SIGSTOP) halted the shim, so that it watches nothing, neither its command nor the time? */
bool ho_shim_halted(pid_t pid, int64_t start);
/* Lets a halted shim continue. */
void ho_shim_continue(pid_t pid, int64_t start);
/* Kills a shim that does not continue, and with it its command; ho_shim_sweep ends the rest. */
void ho_shim_kill(pid_t pid, int64_t start);

typedef struct ho_shim_end {
  bool known;      /* the shim recorded how it ended; otherwise it was killed, or the machine stopped */
  bool went;       /* the command was started, or was to be; false: the lead died before its go, and nothing happened */
  int exit_status; /* of the command; -N: ended by signal N */
  int failed;      /* errno if the command could not be started, else 0 */
  bool timed_out, stopped;
  int64_t ended;       /* ms since 1970 */
  int64_t log, cut;    /* bytes of output, and how many of them the log leaves out */
  int64_t left_behind; /* processes that the command left running and that were ended */
} ho_shim_end;
/* Reads what the shim with that pid wrote in `folder`. */
void ho_shim_read(ho_arena *arena, const char *folder, pid_t pid, ho_shim_end *out);
/* Collects its exit status, if it is a child of this process. */
void ho_shim_reap(pid_t pid);
/* Ends what a killed shim left behind: the processes of its session, and those that have left it. `mark` is an entry of
 * the environment ("NAME=VALUE") that nobody but its command and what that started has. If the number now belongs to
 * another process, or nobody in the session has the mark, only those are ended that have the mark, and what is below
 * them. */
void ho_shim_sweep(pid_t pid, int64_t start, ho_str mark);

/* When the process began (in clock ticks since boot), or 0 if there is none or it is a zombie. */
int64_t ho_process_start(pid_t pid);
/* Its parent, or the process that adopted it; -1 if there is none. */
pid_t ho_process_parent(pid_t pid);
/* A descriptor that becomes readable when the process ends; -1 if this is no longer the same process. */
int ho_process_watch(pid_t pid, int64_t start);

/* The shim itself: what main runs if argv[0] is HO_SHIM_NAME. */
/* `clean` is applied to the output before it reaches the log, whole lines at a time, and an armoured block as a whole. */
typedef ho_str ho_shim_clean(ho_str text, ho_arena *arena);
int ho_shim_main(int argc, char **argv, ho_shim_clean *clean);
#endif
