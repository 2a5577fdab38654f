/* Reads the forms in which people and agents write a point in time. */
#include "model/lex.h"
#include "model/syntax.h"

typedef struct moment {
  int year, month, day, hour, minute, second;
  int offset; /* minutes east of UTC */
} moment;

/* YYYYMMDD or YYYY-MM-DD. */
static bool scan_date(ho_str *text, moment *at)
{
  ho_str rest = *text;
  if (!ho_lex_number(&rest, 4, 0, 9999, &at->year)) {
    return false;
  }
  bool dashes = ho_lex_any(&rest, "-");
  if (!ho_lex_number(&rest, 2, 1, 12, &at->month) || (dashes && !ho_lex_any(&rest, "-")) ||
      !ho_lex_number(&rest, 2, 1, 31, &at->day)) {
    return false;
  }
  *text = rest;
  return true;
}

/* HHMM, HHMMSS, HH:MM, HH:MM:SS or with dashes, after "T", "-", "_", a space or nothing; a fraction is dropped. */
static bool scan_time(ho_str *text, moment *at)
{
  ho_str rest = *text;
  ho_lex_any(&rest, "Tt-_ ");
  if (!ho_lex_number(&rest, 2, 0, 23, &at->hour)) {
    return false;
  }
  char between = rest.n && (rest.p[0] == ':' || rest.p[0] == '-') ? rest.p[0] : '\0';
  const char separator[2] = {between, '\0'};
  if ((between && !ho_lex_any(&rest, separator)) || !ho_lex_number(&rest, 2, 0, 59, &at->minute)) {
    return false;
  }
  ho_str seconds = rest;
  if ((!between || ho_lex_any(&seconds, separator)) && ho_lex_number(&seconds, 2, 0, 60, &at->second)) {
    rest = seconds;
    ho_str fraction = rest;
    if (ho_lex_any(&fraction, ".,") && ho_lex_digits(&fraction) > 0) {
      rest = fraction;
    }
  }
  *text = rest;
  return true;
}

/* Z, +HH:MM, +HHMM, -HH:MM, -HHMM or +HH. A "-HH" is a counter, not an offset. */
static void scan_zone(ho_str *text, moment *at)
{
  ho_str rest = *text;
  if (ho_lex_any(&rest, "Zz")) {
    *text = rest;
    return;
  }
  bool west = ho_str_starts(rest, "-");
  int hours = 0, minutes = 0;
  if (!ho_lex_any(&rest, "+-") || !ho_lex_number(&rest, 2, 0, 23, &hours)) {
    return;
  }
  bool colon = ho_lex_any(&rest, ":");
  bool has_minutes = ho_lex_number(&rest, 2, 0, 59, &minutes);
  if (!has_minutes && (colon || west)) {
    return;
  }
  at->offset = (west ? -1 : 1) * (hours * 60 + minutes);
  *text = rest;
}

/* What distinguishes two handoffs of one day: a letter, "-2", "-002", "_2", "-iter3", "-v2". */
static bool is_suffix(ho_str rest)
{
  if (rest.n == 0 || (rest.n == 1 && isalpha((unsigned char)rest.p[0]))) {
    return true;
  }
  if (!ho_lex_any(&rest, "-_")) {
    return false;
  }
  if (!ho_lex_word(&rest, "iter")) {
    ho_lex_word(&rest, "v");
  }
  size_t digits = ho_lex_digits(&rest);
  return digits >= 1 && digits <= 3 && rest.n == 0;
}

static char *put_digits(char *out, int value, int digits)
{
  for (int i = digits - 1; i >= 0; i--) {
    out[i] = (char)('0' + value % 10);
    value /= 10;
  }
  return out + digits;
}

static void put_tm(const struct tm *tm, char out[17])
{
  char *p = put_digits(out, tm->tm_year + 1900, 4);
  p = put_digits(p, tm->tm_mon + 1, 2);
  p = put_digits(p, tm->tm_mday, 2);
  *p++ = 'T';
  p = put_digits(p, tm->tm_hour, 2);
  p = put_digits(p, tm->tm_min, 2);
  p = put_digits(p, tm->tm_sec, 2);
  *p++ = 'Z';
  *p = '\0';
}

/* In UTC; 31 February and second 60 become the moment they amount to. */
static time_t count_seconds(const moment *at)
{
  struct tm tm = {.tm_year = at->year - 1900,
                  .tm_mon = at->month - 1,
                  .tm_mday = at->day,
                  .tm_hour = at->hour,
                  .tm_min = at->minute - at->offset,
                  .tm_sec = at->second};
  return timegm(&tm);
}

static bool read_seconds(ho_str text, time_t *out)
{
  moment at = {0};
  ho_str rest = text;
  uint64_t epoch = 0;
  if (text.n == 10 && ho_str_to_u64(text, &epoch)) {
    *out = (time_t)epoch;
    return true;
  }
  if (!scan_date(&rest, &at))
    return false;
  if (!is_suffix(rest)) {
    if (!scan_time(&rest, &at))
      return false;
    scan_zone(&rest, &at);
  }
  *out = count_seconds(&at);
  return is_suffix(rest);
}

/* False too if its year has more than four digits. */
static bool read_tm(ho_str text, time_t *seconds, struct tm *tm)
{
  return read_seconds(text, seconds) && gmtime_r(seconds, tm) && tm->tm_year >= -1900 && tm->tm_year <= 9999 - 1900;
}

bool ho_stamp_read(ho_str text, char out[17], bool *exact)
{
  time_t seconds;
  struct tm tm;
  if (exact)
    *exact = ho_syntax_STAMP.matches(text);
  if (!read_tm(text, &seconds, &tm))
    return false;
  put_tm(&tm, out);
  return true;
}

bool ho_stamp_time(ho_str text, int64_t *out)
{
  time_t seconds;
  struct tm tm;
  if (!read_tm(ho_str_trim(text), &seconds, &tm))
    return false;
  *out = (int64_t)seconds * 1000;
  return true;
}
