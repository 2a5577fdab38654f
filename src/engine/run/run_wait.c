/* Sleeping until something happens. Only whether the shims go on has to be looked at from time to time. */
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "engine/ledger/derive.h"
#include "engine/ledger/write.h"
#include "engine/run/run_parts.h"

bool ho_run_catch_signals(ho_run *run)
{
  sigset_t caught;
  sigemptyset(&caught);
  sigaddset(&caught, SIGINT);
  sigaddset(&caught, SIGTERM);
  sigprocmask(SIG_BLOCK, &caught, NULL);
  run->signals = signalfd(-1, &caught, SFD_CLOEXEC | SFD_NONBLOCK);
  return run->signals >= 0;
}

void ho_run_release_signals(ho_run *run)
{
  sigset_t caught;
  if (run->signals < 0)
    return;
  close(run->signals);
  run->signals = -1;
  sigemptyset(&caught);
  sigaddset(&caught, SIGINT);
  sigaddset(&caught, SIGTERM);
  sigprocmask(SIG_UNBLOCK, &caught, NULL);
}

static void stop_all(ho_run *run)
{
  for (size_t i = 0; i < run->mate_count; i++)
    ho_shim_stop((pid_t)run->mates[i]->row.pid, run->mates[i]->row.pid_start);
}

/* Once: nothing new is started, running teammates may finish. Twice: running teammates are ended. */
static void read_signals(ho_run *run)
{
  struct signalfd_siginfo info;
  while (read(run->signals, &info, sizeof info) == (ssize_t)sizeof info) {
    run->interrupts++;
    if (run->interrupts == 1 && run->mate_count)
      ho_run_note(run, "interrupted: starting nothing new; %zu teammate%s may finish (interrupt again to stop %s)",
                  run->mate_count, ho_plural((long long)run->mate_count),
                  ho_plural_of((long long)run->mate_count, "it", "them"));
    if (run->interrupts >= 2) {
      ho_run_note(run, "interrupted again: stopping the teammates");
      stop_all(run);
    }
  }
}

/* A shim that a signal has halted does not notice that its command ends, or that its time is up. So it is told to
 * continue; if somebody halts it again and again, it is ended, and the teammate counts as lost. */
static void look_at_shims(ho_run *run)
{
  for (size_t i = 0; i < run->mate_count; i++) {
    ho_run_mate *mate = run->mates[i];
    pid_t pid = (pid_t)mate->row.pid;
    if (mate->watch < 0 || !ho_shim_halted(pid, mate->row.pid_start)) {
      mate->halts = 0;
    } else if (++mate->halts < HO_RUN_HALTS) {
      ho_run_note(run, "the shim of %.*s (process %ld) was halted by a signal; letting it continue",
                  HO_ARG(mate->row.id), (long)pid);
      ho_shim_continue(pid, mate->row.pid_start);
    } else {
      ho_run_note(run, "the shim of %.*s (process %ld) was halted again and again; ending it", HO_ARG(mate->row.id),
                  (long)pid);
      ho_shim_kill(pid, mate->row.pid_start);
    }
  }
}

/* Waits until a descriptor is ready or the time (-1: without end) is over, and looks at the shims in between. */
static int wait_for(ho_run *run, struct pollfd *ready, size_t n, int64_t ms)
{
  for (;;) {
    bool look = run->mate_count && (ms < 0 || ms > HO_RUN_HALT_LOOK_MS);
    int64_t now = look ? HO_RUN_HALT_LOOK_MS : ms;
    int count = poll(ready, (nfds_t)n, (int)now);
    if (count != 0)
      return count;
    look_at_shims(run);
    if (!look)
      return 0;
    ms -= ms < 0 ? 0 : now;
  }
}

void ho_run_wait(ho_run *run, int64_t ms)
{
  struct pollfd ready[HO_RUN_JOBS + 2];
  size_t n = 0;
  const ho_run_watch *watch = run->options->watch;
  ho_ledger_follow(run->project);
  ho_derive_idle(run->project);
  ready[n++] = (struct pollfd){.fd = run->signals, .events = POLLIN};
  for (size_t i = 0; i < run->mate_count; i++) {
    if (run->mates[i]->watch < 0)
      ms = 0; /* it has ended already, so there is nothing to wait for; poll ignores its descriptor */
    ready[n++] = (struct pollfd){.fd = run->mates[i]->watch, .events = POLLIN};
  }
  if (watch && watch->key)
    ready[n++] = (struct pollfd){.fd = watch->keys, .events = POLLIN};
  bool ticks = watch && watch->tick && watch->tick_ms > 0;
  if (ticks && (ms < 0 || ms > watch->tick_ms))
    ms = watch->tick_ms;
  int count = wait_for(run, ready, n, ms < 0 ? -1 : ms > 1000000 ? 1000000 : ms);
  if (count > 0 && ready[0].revents)
    read_signals(run);
  for (size_t i = 0; count > 0 && i < run->mate_count; i++)
    if (ready[i + 1].revents) {
      close(run->mates[i]->watch);
      run->mates[i]->watch = -1;
    }
  if (count > 0 && watch && watch->key && ready[n - 1].revents)
    watch->key(watch->data, run);
  else if (ticks)
    watch->tick(watch->data, run);
}
