/* Single keys for a view that goes on by itself: nobody waits for them. */
#include <errno.h>
#include <termios.h>
#include <unistd.h>

#include "base/term.h"

static struct termios usual; /* of the terminal on standard input */
static bool changed;

/* In the background, reading a terminal or changing it would halt us. */
static bool in_front(void)
{
  return tcgetpgrp(STDIN_FILENO) == getpgrp();
}

bool ho_term_keys_begin(void)
{
  struct termios keys;
  if (!in_front() || tcgetattr(STDIN_FILENO, changed ? &keys : &usual))
    return false;
  keys = usual;
  keys.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON); /* Ctrl-C and Ctrl-Z stay signals */
  keys.c_cc[VMIN] = 0;
  keys.c_cc[VTIME] = 0;
  changed = tcsetattr(STDIN_FILENO, TCSADRAIN, &keys) == 0;
  return changed;
}

void ho_term_keys_end(void)
{
  if (changed && in_front())
    tcsetattr(STDIN_FILENO, TCSADRAIN, &usual);
}

int ho_term_keys_next(void)
{
  unsigned char key;
  struct termios now;
  if (!in_front())
    return HO_TERM_NO_KEY;
  if (tcgetattr(STDIN_FILENO, &now) == 0 && (now.c_lflag & ICANON)) /* a shell set it back: Ctrl-Z, then fg */
    ho_term_keys_begin();
  ssize_t n = read(STDIN_FILENO, &key, 1);
  if (n == 1)
    return key;
  return n == 0 || errno == EINTR || errno == EAGAIN ? HO_TERM_NO_KEY : HO_TERM_GONE;
}
