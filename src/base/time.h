/* Time as milliseconds since 1970, always UTC; no time zones, no locale. */
#ifndef HO_BASE_TIME_H
#define HO_BASE_TIME_H

#include "base/arena.h"

int64_t ho_time_now_ms(void);
/* For measuring durations: never set back, with an arbitrary origin. */
int64_t ho_time_monotonic_ms(void);
/* Names this start of the machine: what was not synced in another one may be lost. */
enum { HO_TIME_BOOT_SIZE = 40 };
void ho_time_boot(char out[HO_TIME_BOOT_SIZE]);

enum { HO_TIME_SIZE = 32 }; /* room for either form and its NUL, whatever the year */
/* "2026-02-12T14:30:22Z"; with `fraction` "2026-02-12T14:30:22.007Z". */
void ho_time_text(int64_t ms, bool fraction, char out[HO_TIME_SIZE]);
/* "2026-02-12T14:30:22Z" in the arena; "" for 0. */
ho_str ho_time_str(ho_arena *arena, int64_t ms);
/* "20260212T143022Z", as used in file names. */
void ho_time_stamp(int64_t ms, char out[HO_TIME_SIZE]);
#endif
