/* Terminals: whether a descriptor is one, how wide it is, how text from documents is made safe for it, and questions to
 * the person at it. */
#ifndef HO_BASE_TERM_H
#define HO_BASE_TERM_H

#include "base/buf.h"

bool ho_term_is(int fd);
/* Does what controls a terminal do so there, or would it be seen as text? True for a terminal, unless TERM is "dumb" or not
 * set. */
bool ho_term_draws(int fd);
/* True for a terminal, unless NO_COLOR is set or TERM is "dumb". */
bool ho_term_colour(int fd);
/* Columns, at least 20; 80 if unknown. */
unsigned ho_term_width(int fd);
/* Rows, at least 4; 24 if unknown. */
unsigned ho_term_height(int fd);
/* Does it say how large it is? One that a program made for another program often does not: nobody looks at it. */
bool ho_term_sized(int fd);
/* Terminal cells that the text occupies. */
size_t ho_term_cells(ho_str text);

enum {
  HO_TERM_LINE = 0,    /* everything on one line: line breaks and tabs are escaped too */
  HO_TERM_LINES = 1,   /* line breaks and tabs stay */
  HO_TERM_JSON = 2,    /* likewise, and what is escaped stays JSON: \u001b, a pair of surrogates */
  HO_TERM_COLOURS = 3, /* as LINES, and the colours that this program uses stay: for what commands render */
};
/* Writes text so that nothing in it can control a terminal, reorder what is next to it or stay unseen: control
 * characters, bidirectional controls and hidden characters (base/utf8.h) become \n, \x1b, \u202e, \U000e0041. Bytes that
 * are not UTF-8 become \xNN. */
void ho_term_put(ho_buf *out, ho_str text, int keep);

/* Does the locale say that the terminal knows more than ASCII? */
bool ho_term_utf8(void);
/* The text with ASCII in place of what this program draws with, cell for cell: for a terminal that knows nothing else. What
 * documents say stays as it is. */
void ho_term_put_plain(ho_buf *out, ho_str text);

/* The terminal that controls this process, for reading and writing; close it. HO_GATED if there is none. */
ho_code ho_term_open(int *fd, ho_error *err) HO_NODISCARD;
void ho_term_say(int fd, ho_str text);
/* Asks a question there and reads a line of up to size - 1 bytes; hidden: nothing of it is shown. HO_GATED if nobody
 * answers. */
ho_code ho_term_ask(int fd, ho_str question, bool hidden, char *out, size_t size, ho_error *err) HO_NODISCARD;
/* Asks a question there that is answered with one key, one of `keys`; others do nothing. HO_GATED if the person gives up
 * (Ctrl-C, Ctrl-D) or nobody is there. */
ho_code ho_term_key(int fd, ho_str question, const char *keys, char *out, ho_error *err) HO_NODISCARD;

/* Keys on standard input as they come, for a view that goes on by itself. Signals stay signals. False if it is not our
 * terminal. */
bool ho_term_keys_begin(void);
void ho_term_keys_end(void);
/* The next one, or HO_TERM_NO_KEY; HO_TERM_GONE: there is no terminal any more. */
enum { HO_TERM_NO_KEY = -1, HO_TERM_GONE = -2 };
int ho_term_keys_next(void);
#endif
