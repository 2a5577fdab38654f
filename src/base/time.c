#include "base/time.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

typedef struct moment {
  int64_t year;
  unsigned month, day, hour, minute, second, milli;
} moment;

static int64_t read_clock(clockid_t clock)
{
  struct timespec now;
  clock_gettime(clock, &now);
  return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int64_t ho_time_now_ms(void)
{
  return read_clock(CLOCK_REALTIME);
}

int64_t ho_time_monotonic_ms(void)
{
  return read_clock(CLOCK_MONOTONIC);
}

/* Where there is no /proc, the minute of the start: after the clock was set, that looks like another start, which costs
 * some work and harms nobody. */
void ho_time_boot(char out[HO_TIME_BOOT_SIZE])
{
  memset(out, 0, HO_TIME_BOOT_SIZE);
  int fd = open("/proc/sys/kernel/random/boot_id", O_RDONLY | O_CLOEXEC);
  ssize_t n = fd < 0 ? -1 : read(fd, out, HO_TIME_BOOT_SIZE - 1);
  if (fd >= 0)
    close(fd);
  if (n <= 0)
    snprintf(out, HO_TIME_BOOT_SIZE, "minute %lld",
             (long long)((ho_time_now_ms() - read_clock(CLOCK_BOOTTIME)) / 60000));
}

/* Days are counted in eras of 400 years that begin on 1 March of year 0, so that leap days come last. */
static void set_date(moment *at, int64_t days)
{
  days += 719468;
  int64_t era = (days >= 0 ? days : days - 146096) / 146097;
  unsigned of_era = (unsigned)(days - era * 146097);
  unsigned year_of_era = (of_era - of_era / 1460 + of_era / 36524 - of_era / 146096) / 365;
  unsigned of_year = of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
  unsigned shifted = (5 * of_year + 2) / 153;
  at->day = of_year - (153 * shifted + 2) / 5 + 1;
  at->month = shifted < 10 ? shifted + 3 : shifted - 9;
  at->year = (int64_t)year_of_era + era * 400 + (at->month <= 2);
}

/* A time of a store may be any number: what no date can say is the first or last one that can be said. */
static moment split(int64_t ms)
{
  moment at;
  const int64_t day = 86400000, first = -62167219200000 /* year 0 */, last = 253402300799999 /* year 9999 */;
  ms = ms < first ? first : ms > last ? last : ms;
  int64_t days = ms / day - (ms % day < 0);
  unsigned rest = (unsigned)(ms - days * day);
  set_date(&at, days);
  at.milli = rest % 1000;
  at.second = rest / 1000 % 60;
  at.minute = rest / 60000 % 60;
  at.hour = rest / 3600000;
  return at;
}

/* Writes `count` digits of a number and what follows them: every event and every line of a history has times, and
 * printf takes longer than all the rest of a line. */
static char *put(char *to, int64_t number, int count, const char *then)
{
  for (int i = count; i-- > 0; number /= 10)
    to[i] = (char)('0' + number % 10);
  for (to += count; *then;)
    *to++ = *then++;
  return to;
}

void ho_time_text(int64_t ms, bool fraction, char out[HO_TIME_SIZE])
{
  moment at = split(ms);
  char *end = put(put(put(out, at.year, 4, "-"), at.month, 2, "-"), at.day, 2, "T");
  end = put(put(put(end, at.hour, 2, ":"), at.minute, 2, ":"), at.second, 2, fraction ? "." : "Z");
  if (fraction)
    end = put(end, at.milli, 3, "Z");
  *end = '\0';
}

ho_str ho_time_str(ho_arena *arena, int64_t ms)
{
  char text[HO_TIME_SIZE];
  if (!ms)
    return HO_EMPTY;
  ho_time_text(ms, false, text);
  return ho_arena_copy(arena, ho_str_of(text));
}

void ho_time_stamp(int64_t ms, char out[HO_TIME_SIZE])
{
  moment at = split(ms);
  char *end = put(put(put(out, at.year, 4, ""), at.month, 2, ""), at.day, 2, "T");
  end = put(put(put(end, at.hour, 2, ""), at.minute, 2, ""), at.second, 2, "Z");
  *end = '\0';
}
