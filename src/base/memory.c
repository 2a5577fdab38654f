#include "base/memory.h"

#ifdef HO_FAULT
#include <fcntl.h>
#include <unistd.h>

static unsigned long countdown;
static bool fired;
static bool asked_environment;

void ho_fault_arm(unsigned long n)
{
  countdown = n;
  fired = false;
  asked_environment = true;
}

bool ho_fault_fired(void)
{
  return fired;
}

/* Allocates no memory, since there is none. */
static void leave_mark(void)
{
  const char *path = getenv("HANDOFF_FAULT_MARK");
  int file = path ? open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0600) : -1;
  if (file >= 0)
    close(file);
}

static bool fails(void)
{
  if (!asked_environment) {
    uint64_t n = 0;
    asked_environment = true;
    if (ho_str_to_u64(ho_str_of(getenv("HANDOFF_FAULT_ALLOC")), &n))
      countdown = n;
  }
  if (countdown == 0 || --countdown > 0)
    return false;
  fired = true;
  leave_mark();
  return true;
}
#else
static bool fails(void)
{
  return false;
}
#endif

void *ho_malloc(size_t n)
{
  return fails() ? NULL : malloc(n ? n : 1);
}

void *ho_realloc(void *old, size_t n)
{
  return fails() ? NULL : realloc(old, n ? n : 1);
}

void ho_free(void *block)
{
  free(block);
}
