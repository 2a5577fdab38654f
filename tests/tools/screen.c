/* screen COLUMNSxROWS [ACTION]... -- COMMAND...: runs a command at a terminal of its own and keeps the screen that a person
 * would see. The actions are done in order, then the command may end:
 *   wait=TEXT    until TEXT is on the screen, and nothing more comes
 *   gone=TEXT    until it is not
 *   type=TEXT    keys; ^C is that key, ^M Enter, ^[ Escape
 *   size=CxR     the terminal gets another size
 *   shot=FILE    writes the screen down
 * Exits with the status of the command (128 + N if signal N ended it); with 125 if something did not come in time, which
 * shows the screen on stderr. It knows few sequences, on purpose: whatever else a program sends is an error (124).
 *
 * A screen in a file: each row begins with '|'; below it, if anything in it has a style, a row that begins with ':' has a
 * letter per cell (bold, dim, inverse, red, green, yellow, cyan). The last line says where the cursor is, and how often the
 * bell rang. It is a program of our own because what it must refuse is as much of a test as what it draws. */
#include <errno.h>
#include <poll.h>
#include <pty.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/time.h"
#include "base/utf8.h"

enum { COLUMNS = 300, ROWS = 200, PATIENCE_MS = 30000, QUIET_MS = 120, LATE = 125, UNKNOWN = 124, HELD = 64 };

typedef struct cell {
  uint32_t cp, joined; /* 0: empty, or the second half of a wide one (half) */
  char style;
  bool half;
} cell;
typedef struct row {
  cell cells[COLUMNS];
  bool wraps; /* goes on in the next row */
} row;

static row rows[ROWS];
static unsigned columns, height, x, y, bells;
static bool hidden, ended;
static char style = ' ';
static char held[HELD]; /* a sequence, or a character, that has not come completely */
static size_t held_n;
static int terminal;
static pid_t child;

/* ---- The screen. */

static void clear(unsigned from, unsigned to, unsigned in)
{
  for (unsigned i = from; i < to; i++)
    rows[in].cells[i] = (cell){.style = ' '};
  if (to == columns)
    rows[in].wraps = false;
}

static void scroll(void)
{
  memmove(rows, rows + 1, (height - 1) * sizeof *rows);
  clear(0, COLUMNS, height - 1);
  rows[height - 1].wraps = false;
}

static void feed(void)
{
  if (y + 1 == height)
    scroll();
  else
    y++;
}

static void put(uint32_t cp)
{
  unsigned width = (unsigned)ho_utf8_width(cp);
  if (!width) {
    if (x)
      rows[y].cells[x - 1].joined = cp;
    return;
  }
  if (x + width > columns) {
    rows[y].wraps = true;
    x = 0;
    feed();
  }
  rows[y].cells[x] = (cell){.cp = cp, .style = style};
  if (width == 2)
    rows[y].cells[x + 1] = (cell){.style = style, .half = true};
  x += width;
}

static unsigned length_of(const row *line, unsigned most)
{
  while (most && !line->cells[most - 1].cp && !line->cells[most - 1].half)
    most--;
  return most;
}

/* As terminals of today do: lines that were wrapped are joined, and wrapped at the new width. */
static void resize(unsigned new_columns, unsigned new_height)
{
  static row old[ROWS];
  unsigned count = height, at_x = x, at_y = y, old_columns = columns;
  memcpy(old, rows, sizeof old);
  while (count > at_y + 1 && !length_of(&old[count - 1], old_columns))
    count--;
  columns = new_columns;
  height = new_height;
  memset(rows, 0, sizeof rows);
  x = y = 0;
  unsigned cursor_x = 0, up = 0;
  bool past = false;
  for (unsigned i = 0; i < count; i++) {
    unsigned n = old[i].wraps ? old_columns : length_of(&old[i], old_columns);
    for (unsigned j = 0; j <= n; j++) {
      if (i == at_y && j == (at_x < n ? at_x : n)) {
        past = true;
        cursor_x = x + (at_x > n ? at_x - n : 0);
        up = 0;
      }
      if (j == n || old[i].cells[j].half)
        continue;
      unsigned before = y;
      style = old[i].cells[j].style;
      put(old[i].cells[j].cp ? old[i].cells[j].cp : ' ');
      up += past && (y != before || x == 1) && before != y;
    }
    if (!old[i].wraps && i + 1 < count) {
      x = 0;
      feed();
      up += past;
    }
  }
  style = ' ';
  x = cursor_x < columns ? cursor_x : columns - 1;
  y = y > up ? y - up : 0;
}

/* ---- What the command sends. */

static void fail(const char *what, size_t n)
{
  fprintf(stderr, "screen: unknown sequence:");
  for (size_t i = 0; i < n; i++)
    fprintf(stderr, what[i] >= ' ' && what[i] < 127 ? " %c" : " %02x", (unsigned char)what[i]);
  fputc('\n', stderr);
  kill(child, SIGKILL);
  exit(UNKNOWN);
}

static void set_style(int number, const char *all, size_t n)
{
  static const struct {
    int number;
    char letter;
  } known[] = {{0, ' '}, {1, 'b'}, {2, 'd'}, {7, 'i'}, {27, ' '}, {31, 'r'}, {32, 'g'}, {33, 'y'}, {36, 'c'}};
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].number == number) {
      style = known[i].letter;
      return;
    }
  fail(all, n);
}

static void erase(int how)
{
  for (unsigned i = how == 2 ? 0 : y; i < height; i++)
    clear(i == y && how != 2 ? x : 0, columns, i);
}

/* ESC [ PARAMETERS FINAL */
static void control(const char *all, size_t n)
{
  int a = 0, b = 0;
  bool own = all[2] == '?';
  unsigned count;
  if (sscanf(all + 2 + own, "%d;%d", &a, &b) < 1)
    a = 0;
  count = a > 0 ? (unsigned)a : 1;
  switch (all[n - 1]) {
  case 'A':
    y = y > count ? y - count : 0;
    break;
  case 'B':
    y = y + count < height ? y + count : height - 1;
    break;
  case 'C':
    x = x + count < columns ? x + count : columns - 1;
    break;
  case 'D':
    x = x > count ? x - count : 0;
    break;
  case 'H':
    y = count - 1 < height ? count - 1 : height - 1;
    x = b > 0 ? (unsigned)b - 1 : 0;
    break;
  case 'J':
    erase(a);
    break;
  case 'K':
    clear(x, columns, y);
    break;
  case 'm':
    set_style(a, all, n);
    break;
  case 'h':
  case 'l':
    if (!own || (a != 25 && a != 1 && a != 1049 && a != 2026 && a != 2004))
      fail(all, n);
    hidden = a == 25 ? all[n - 1] == 'l' : hidden;
    break;
  default:
    fail(all, n);
  }
}

/* One byte; true if it ends what was begun. */
static bool take(char byte)
{
  held[held_n++] = byte;
  if (held[0] == '\x1b') {
    if (held_n == 1 || (held_n == 2 && byte == '['))
      return false;
    if (held[1] != '[') {
      if (byte != '=' && byte != '>')
        fail(held, held_n);
      return true;
    }
    if (byte < '@' && held_n < HELD)
      return false;
    held[held_n] = '\0';
    control(held, held_n);
    return true;
  }
  switch (byte) {
  case '\a':
    bells++;
    return true;
  case '\b':
    x -= x > 0;
    return true;
  case '\t':
    x = x / 8 * 8 + 8 < columns ? x / 8 * 8 + 8 : columns - 1;
    return true;
  case '\r':
    x = 0;
    return true;
  case '\n':
    feed();
    return true;
  default:
    break;
  }
  unsigned char first = (unsigned char)held[0];
  size_t need = first < 0x80 ? 1 : first < 0xE0 ? 2 : first < 0xF0 ? 3 : 4, at = 0;
  if (held_n < need)
    return false;
  if (first < ' ' || first == 127 || ho_utf8_bad((ho_str){held, held_n}) != HO_NONE)
    fail(held, held_n);
  put(ho_utf8_next((ho_str){held, held_n}, &at));
  return true;
}

/* Reads for up to `ms`; false if nothing came. */
static bool listen_for(int ms)
{
  char block[65536];
  struct pollfd ready = {.fd = terminal, .events = POLLIN};
  if (ended || poll(&ready, 1, ms) <= 0)
    return false;
  ssize_t n = read(terminal, block, sizeof block);
  ended = n <= 0;
  for (ssize_t i = 0; i < n; i++)
    if (take(block[i]))
      held_n = 0;
  return !ended;
}

/* ---- Screens as text. */

static void put_cp(FILE *out, uint32_t cp)
{
  if (cp < 0x80) {
    fputc((int)cp, out);
  } else if (cp < 0x800) {
    fprintf(out, "%c%c", (int)(0xC0 | cp >> 6), (int)(0x80 | (cp & 63)));
  } else if (cp < 0x10000) {
    fprintf(out, "%c%c%c", (int)(0xE0 | cp >> 12), (int)(0x80 | (cp >> 6 & 63)), (int)(0x80 | (cp & 63)));
  } else {
    fprintf(out, "%c%c%c%c", (int)(0xF0 | cp >> 18), (int)(0x80 | (cp >> 12 & 63)), (int)(0x80 | (cp >> 6 & 63)),
            (int)(0x80 | (cp & 63)));
  }
}

static void put_row(FILE *out, const row *line)
{
  unsigned n = length_of(line, columns), styled = 0;
  for (unsigned i = 0; i < n; i++) {
    if (line->cells[i].style > ' ')
      styled = i + 1;
    if (line->cells[i].half)
      continue;
    put_cp(out, line->cells[i].cp ? line->cells[i].cp : ' ');
    if (line->cells[i].joined)
      put_cp(out, line->cells[i].joined);
  }
  if (styled)
    fputs("\n:", out);
  for (unsigned i = 0; i < styled; i++)
    fputc(line->cells[i].style ? line->cells[i].style : ' ', out);
}

static void shoot(FILE *out)
{
  unsigned last = height;
  while (last > 1 && !length_of(&rows[last - 1], columns))
    last--;
  for (unsigned i = 0; i < last; i++) {
    fputc('|', out);
    put_row(out, &rows[i]);
    fputc('\n', out);
  }
  fprintf(out, "%ux%u, cursor %s%u:%u, bell %u\n", columns, height, hidden ? "hidden at " : "", y + 1, x + 1, bells);
}

static bool shows(const char *text)
{
  char *all = NULL;
  size_t n = 0;
  FILE *out = open_memstream(&all, &n);
  for (unsigned i = 0; out && i < height; i++) {
    unsigned most = length_of(&rows[i], columns);
    for (unsigned j = 0; j < most; j++)
      if (!rows[i].cells[j].half)
        put_cp(out, rows[i].cells[j].cp ? rows[i].cells[j].cp : ' ');
    fputs(rows[i].wraps ? "" : "\n", out);
  }
  fclose(out);
  bool found = strstr(all, text) != NULL;
  free(all);
  return found;
}

/* ---- Actions. */

static void wait_for(const char *text, bool there)
{
  int64_t end = ho_time_monotonic_ms() + PATIENCE_MS;
  while (shows(text) != there && !ended && ho_time_monotonic_ms() < end)
    listen_for(QUIET_MS);
  if (shows(text) != there) {
    fprintf(stderr, "screen: %s '%s':\n", there ? "there is no" : "still there is", text);
    shoot(stderr);
    kill(child, SIGKILL);
    exit(LATE);
  }
  while (listen_for(QUIET_MS))
    ;
}

static void type(const char *keys)
{
  for (; *keys; keys++) {
    char key = *keys == '^' && keys[1] ? (char)(*++keys & 31) : *keys;
    if (write(terminal, &key, 1) != 1)
      return;
  }
}

static bool read_size(const char *text, struct winsize *out)
{
  unsigned c, r;
  if (sscanf(text, "%ux%u", &c, &r) != 2 || c < 2 || c > COLUMNS || r < 2 || r > ROWS)
    return false;
  *out = (struct winsize){.ws_col = (unsigned short)c, .ws_row = (unsigned short)r};
  return true;
}

static bool act(const char *action)
{
  struct winsize size;
  const char *value = strchr(action, '=');
  if (!value++)
    return false;
  if (strncmp(action, "wait=", 5) == 0) {
    wait_for(value, true);
  } else if (strncmp(action, "gone=", 5) == 0) {
    wait_for(value, false);
  } else if (strncmp(action, "type=", 5) == 0) {
    type(value);
  } else if (strncmp(action, "size=", 5) == 0 && read_size(value, &size)) {
    resize(size.ws_col, size.ws_row);
    ioctl(terminal, TIOCSWINSZ, &size);
  } else if (strncmp(action, "shot=", 5) == 0) {
    FILE *out = fopen(value, "w");
    if (!out)
      return false;
    shoot(out);
    fclose(out);
  } else {
    return false;
  }
  return true;
}

int main(int argc, char **argv)
{
  struct winsize size;
  int command = 2, status = 0;
  while (command < argc && strcmp(argv[command], "--") != 0)
    command++;
  if (command + 1 >= argc || !read_size(argv[1], &size))
    return 2;
  columns = size.ws_col;
  height = size.ws_row;
  child = forkpty(&terminal, NULL, NULL, &size);
  if (child == 0) {
    execvp(argv[command + 1], argv + command + 1);
    _exit(127);
  }
  for (int i = 2; i < command; i++)
    if (!act(argv[i])) {
      fprintf(stderr, "screen: what is '%s'?\n", argv[i]);
      kill(child, SIGKILL);
      return 2;
    }
  for (int64_t end = ho_time_monotonic_ms() + PATIENCE_MS; !ended;) {
    listen_for(QUIET_MS);
    if (ho_time_monotonic_ms() < end)
      continue;
    fprintf(stderr, "screen: the command does not end:\n");
    shoot(stderr);
    kill(child, SIGKILL);
    return LATE;
  }
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) /* while the terminal is there: it is no hangup */
    continue;
  close(terminal);
  return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}
