/* Slices of text, and the library calls that this project forbids.
 *
 * A ho_str is {pointer, length}; it need not end in NUL and is never freed on its own: whoever made the bytes (an
 * arena, a buffer, a literal) owns them. Inside the program every slice is valid UTF-8. */
#ifndef HO_BASE_STR_H
#define HO_BASE_STR_H

#include <ctype.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef struct ho_str {
  const char *p;
  size_t n;
} ho_str;

#define HO_STR(literal) ((ho_str){(literal), sizeof(literal) - 1})
#define HO_STR_INIT(literal)                                                                                           \
  {                                                                                                                    \
    (literal), sizeof(literal) - 1                                                                                     \
  }
#define HO_EMPTY ((ho_str){"", 0})
/* For "%.*s". */
#define HO_ARG(s) ((int)((s).n > 0x7fffffff ? 0x7fffffff : (s).n)), ((s).p ? (s).p : "")
#define HO_COUNT(array) (sizeof(array) / sizeof((array)[0]))

#define HO_NODISCARD __attribute__((warn_unused_result))
#define HO_PRINTF(text, first) __attribute__((format(printf, text, first)))

/* The shortest and most frequently called functions are here, so that the compiler can inline them.
 *
 * From a NUL-ended string; NULL gives the empty slice. */
static inline ho_str ho_str_of(const char *z)
{
  return z ? (ho_str){z, strlen(z)} : HO_EMPTY;
}
/* Bytes from..to of s, clamped to s. */
static inline ho_str ho_str_sub(ho_str s, size_t from, size_t to)
{
  if (to > s.n)
    to = s.n;
  if (from > to)
    from = to;
  return (ho_str){from ? s.p + from : s.p, to - from}; /* a slice of nothing may have no bytes to point at */
}

static inline bool ho_str_eq(ho_str a, ho_str b)
{
  return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}
static inline bool ho_str_is(ho_str a, const char *z)
{
  return ho_str_eq(a, ho_str_of(z));
}
bool ho_str_is_nocase(ho_str a, const char *z); /* ASCII case only */
int ho_str_cmp(ho_str a, ho_str b);
int ho_str_order(const void *a, const void *b); /* ho_str_cmp for qsort and bsearch over slices */
static inline bool ho_str_starts(ho_str s, const char *prefix)
{
  size_t n = strlen(prefix);
  return s.n >= n && (n == 0 || memcmp(s.p, prefix, n) == 0);
}
bool ho_str_starts_nocase(ho_str s, const char *prefix);
bool ho_str_ends(ho_str s, const char *suffix);
bool ho_str_has(ho_str s, const char *part);
bool ho_str_has_nocase(ho_str s, const char *part);
bool ho_str_blank(ho_str s); /* nothing but white space */
static inline bool ho_str_is_space(char c)
{
  return c == ' ' || (c >= '\t' && c <= '\r');
}
/* Is the byte part of a word: a letter, a digit, or beyond ASCII? */
static inline bool ho_str_is_word(ho_str s, size_t at)
{
  return at < s.n && (isalnum((unsigned char)s.p[at]) || (unsigned char)s.p[at] >= 0x80);
}

#define HO_NONE ((size_t)-1)
/* Byte offset of the first occurrence, or HO_NONE. */
size_t ho_str_find(ho_str s, const char *part);
size_t ho_str_find_char(ho_str s, char c);
/* Bytes before the first '\n' or '\r', or all of them. */
size_t ho_str_line_end(ho_str s);

/* Without ASCII white space at both ends. */
ho_str ho_str_trim(ho_str s);
ho_str ho_str_trim_end(ho_str s);

/* Takes the part before `sep` off the front of *rest (all of it if there is no `sep`). False when *rest is used up. */
bool ho_str_next(ho_str *rest, char sep, ho_str *part);
/* As ho_str_next for lines: takes off the next line without its "\n" or "\r\n". */
bool ho_str_next_line(ho_str *rest, ho_str *line);

/* True if `word` is one of the words of `list`, which are separated by '|', as in the tables. */
bool ho_str_list_has(const char *list, ho_str word);
bool ho_str_list_has_nocase(const char *list, ho_str word);

/* The plural ending of a noun after a count: "" for one, else "s". */
const char *ho_plural(long long count);
/* For words that need more than an "s": `one` for one, else `many`. */
const char *ho_plural_of(long long count, const char *one, const char *many);

uint64_t ho_str_hash(ho_str s);
/* A whole decimal number without sign; false for anything else, or on overflow. */
bool ho_str_to_u64(ho_str s, uint64_t *out);

#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf gets strtok gmtime localtime ctime asctime
#endif
