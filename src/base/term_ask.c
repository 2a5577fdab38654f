/* Talking to the person at the controlling terminal, whatever standard input and output are connected to. */
#include <errno.h>
#include <fcntl.h>
#include <termios.h>
#include <unistd.h>

#include "base/term.h"

ho_code ho_term_open(int *fd, ho_error *err)
{
  *fd = open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
  return *fd < 0 ? ho_fail(err, HO_GATED, "a person must do this, at a terminal") : HO_OK;
}

void ho_term_say(int fd, ho_str text)
{
  while (text.n) {
    ssize_t n = write(fd, text.p, text.n);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return;
    text = ho_str_sub(text, (size_t)n, text.n);
  }
}

enum { GIVE_UP = 3, END = 4 }; /* Ctrl-C, Ctrl-D */

/* Reads up to the end of the line; false if the person gave up (Ctrl-C, Ctrl-D) or there is nobody. */
static bool read_line(int fd, char *out, size_t size, size_t *length)
{
  enum { ERASE = 8, DELETE = 127, ERASE_ALL = 21 };
  for (size_t n = 0;;) {
    unsigned char c;
    ssize_t got = read(fd, &c, 1);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0 || c == GIVE_UP || c == END)
      return false;
    if (c == '\n' || c == '\r') {
      out[n] = '\0';
      *length = n;
      return true;
    }
    if (c == ERASE_ALL)
      n = 0;
    else if (c == ERASE || c == DELETE)
      n -= n > 0;
    else if (n + 1 < size)
      out[n++] = (char)c;
  }
}

/* What was typed before the question is no answer to it, and forgotten. */
static ho_code begin(int fd, tcflag_t without, struct termios *usual, ho_error *err)
{
  if (tcgetattr(fd, usual))
    return ho_fail(err, HO_GATED, "a person must do this, at a terminal");
  struct termios quiet = *usual;
  quiet.c_lflag &= ~without;
  if (tcsetattr(fd, TCSAFLUSH, &quiet))
    return ho_fail(err, HO_IO, "the terminal cannot be silenced: %s", strerror(errno));
  return HO_OK;
}

/* Without an echo, a line's end to wait for, and signals, which would leave the terminal so. */
enum { SILENT = ECHO | ECHONL | ICANON | ISIG };

ho_code ho_term_ask(int fd, ho_str question, bool hidden, char *out, size_t size, ho_error *err)
{
  struct termios usual;
  size_t length = 0;
  ho_code code = begin(fd, hidden ? SILENT : 0, &usual, err);
  if (code)
    return code;
  ho_term_say(fd, question);
  bool answered = read_line(fd, out, size, &length);
  if (hidden)
    ho_term_say(fd, HO_STR("\n"));
  tcsetattr(fd, TCSAFLUSH, &usual);
  return answered ? HO_OK : ho_fail(err, HO_GATED, "nobody answered at the terminal");
}

ho_code ho_term_key(int fd, ho_str question, const char *keys, char *out, ho_error *err)
{
  struct termios usual;
  unsigned char key = 0;
  ho_code code = begin(fd, SILENT, &usual, err);
  if (code)
    return code;
  ho_term_say(fd, question);
  for (bool chosen = false; !chosen;) {
    ssize_t got = read(fd, &key, 1);
    if (got < 0 && errno == EINTR)
      continue;
    chosen = got <= 0 || key == GIVE_UP || key == END || (key && strchr(keys, key));
    key = got <= 0 ? END : key;
  }
  tcsetattr(fd, TCSAFLUSH, &usual);
  *out = (char)key;
  return key == GIVE_UP || key == END ? ho_fail(err, HO_GATED, "nobody answered at the terminal") : HO_OK;
}
