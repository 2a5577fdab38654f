/* A text that is being read: its name, its bytes, and where its lines begin. */
#ifndef HO_DOC_SOURCE_H
#define HO_DOC_SOURCE_H

#include "base/arena.h"

typedef struct ho_source {
  ho_str path;     /* as the user named it; "-" for standard input */
  ho_str text;     /* valid UTF-8 without NUL; a byte order mark stays in it (so that offsets match the file) */
  uint32_t *lines; /* offset of each line's first byte */
  uint32_t line_count;
  uint32_t *points; /* code points before byte 0, 1024, 2048, …: finds columns in a long line without walking it */
} ho_source;

/* Checks the size (HO_LIMIT), and that the text is UTF-8 without NUL (HO_SYNTAX with the position), and records
 * where lines begin ("\n", "\r\n" and a lone "\r" end one). text is not copied. */
ho_code ho_source_init(ho_source *source, ho_arena *arena, ho_str path, ho_str text, ho_error *err) HO_NODISCARD;

typedef struct ho_place {
  unsigned line, column; /* from 1; columns in code points */
} ho_place;

ho_place ho_source_place(const ho_source *source, uint32_t offset);
/* Only the line, which is cheaper. */
unsigned ho_source_line_at(const ho_source *source, uint32_t offset);
/* The offset of a line and a code point column (both from 1), clamped to that line. */
uint32_t ho_source_offset(const ho_source *source, unsigned line, unsigned column);
/* The text of a line without its line ending. */
ho_str ho_source_line(const ho_source *source, unsigned line);
/* Offset of the first byte after a byte order mark: 0 or 3. */
uint32_t ho_source_start(const ho_source *source);
/* Fills *err as a syntax error (rule "syntax") at `offset` and returns HO_SYNTAX. */
ho_code ho_source_fail(const ho_source *source, uint32_t offset, ho_error *err, const char *format, ...)
    HO_PRINTF(4, 5);
#endif
