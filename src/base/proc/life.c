#include "base/proc/life.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include "base/proc/shim.h"

typedef struct place {
  char boot[40];  /* as the kernel names it */
  char space[40]; /* of process numbers: "pid:[4026531836]" */
} place;

/* Where this process runs; false if that cannot be seen. */
static bool find_place(place *out)
{
  int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  ssize_t boot = fd < 0 ? 0 : read(fd, out->boot, sizeof out->boot - 1);
  ssize_t space = readlink("/proc/self/ns/pid", out->space, sizeof out->space - 1);
  if (fd >= 0)
    close(fd);
  if (boot <= 0 || space <= 0)
    return false;
  out->boot[boot] = out->space[space] = '\0';
  out->boot[strcspn(out->boot, " \n")] = '\0';
  return true;
}

ho_str ho_life_of(ho_arena *arena, pid_t pid)
{
  place here;
  int64_t start = ho_process_start(pid);
  if (!start || !find_place(&here))
    return HO_EMPTY;
  return ho_arena_printf(arena, "%ld %lld %s %s", (long)pid, (long long)start, here.boot, here.space);
}

bool ho_life_over(ho_str line)
{
  place here;
  uint64_t pid, start;
  char path[64];
  ho_str words[4], rest = line;
  for (size_t i = 0; i < HO_COUNT(words); i++)
    if (!ho_str_next(&rest, ' ', &words[i]))
      return false;
  if (!ho_str_to_u64(words[0], &pid) || !ho_str_to_u64(words[1], &start) || pid < 1 || pid > INT32_MAX ||
      !find_place(&here) || !ho_str_is(words[2], here.boot) || !ho_str_is(words[3], here.space))
    return false;
  if (kill((pid_t)pid, 0) != 0 && errno == ESRCH)
    return true;
  int64_t now = ho_process_start((pid_t)pid);
  snprintf(path, sizeof path, "/proc/%ld/stat", (long)pid);
  return now ? now != (int64_t)start
             : access(path, R_OK) == 0; /* another has its number; or only its parent knows it */
}
