/* Sleeping until something happens, without polling. */
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "engine/ledger/derive.h"
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

void ho_run_wait(ho_run *run, int64_t ms)
{
  struct pollfd ready[HO_RUN_JOBS + 1];
  size_t n = 0;
  const ho_run_watch *watch = run->options->watch;
  ho_derive_idle(run->project);
  ready[n++] = (struct pollfd){.fd = run->signals, .events = POLLIN};
  for (size_t i = 0; i < run->mate_count; i++) {
    if (run->mates[i]->watch < 0)
      ms = 0; /* it has ended already, so there is nothing to wait for; poll ignores its descriptor */
    ready[n++] = (struct pollfd){.fd = run->mates[i]->watch, .events = POLLIN};
  }
  bool ticks = watch && watch->tick && watch->tick_ms > 0;
  if (ticks && (ms < 0 || ms > watch->tick_ms))
    ms = watch->tick_ms;
  int count = poll(ready, (nfds_t)n, ms < 0 ? -1 : ms > 1000000 ? 1000000 : (int)ms);
  if (count > 0 && ready[0].revents)
    read_signals(run);
  for (size_t i = 0; count > 0 && i < run->mate_count; i++)
    if (ready[i + 1].revents) {
      close(run->mates[i]->watch);
      run->mates[i]->watch = -1;
    }
  if (ticks)
    watch->tick(watch->data, run);
}
