/* What base64 hides: a run of it is decoded, and what reads as text is looked through. */
#include "base/base64.h"
#include "model/secrets/secrets_inside.h"

enum { SHORTEST_RUN = 20, SHORTEST_TEXT = 8, DEEPEST = 2, LONGEST_PAIR = 512 };

_Static_assert((int)SHORTEST_RUN >= (int)HO_SECRET_SHORTEST_RUN, "shorter runs are not looked at");

static bool is_text(char c)
{
  return (c >= ' ' && c < 127) || c == '\n' || c == '\r' || c == '\t';
}

/* Text in UTF-16 comes out as its low bytes: others need not be read. */
static void decode(ho_buf *out, ho_str run)
{
  ho_buf_reset(out);
  ho_base64_decode(out, run);
}

/* Leaves out the zeros of UTF-16, if that is what it is; true if it was. */
static bool narrow(ho_buf *text)
{
  size_t zeros = 0, n = 0;
  for (size_t i = 1; i < text->n; i += 2)
    zeros += text->p[i] == 0;
  if (text->n < 16 || zeros < text->n / 2 - 1)
    return false;
  for (size_t i = 0; i < text->n; i += 2)
    text->p[n++] = text->p[i];
  ho_buf_cut(text, n);
  return true;
}

/* Looks through each stretch of text in what was decoded from `base` on; returns how much of it is text. */
static size_t look(ho_secret_scan *scan, ho_str decoded, size_t base, size_t end, unsigned width)
{
  size_t readable = 0;
  for (size_t at = 0; at < decoded.n;) {
    size_t last = at;
    while (last < decoded.n && is_text(decoded.p[last]))
      last++;
    if (last - at >= SHORTEST_TEXT) {
      ho_secret_list found = {0};
      readable += last - at;
      ho_secret_scan_text(ho_str_sub(decoded, at, last), scan->depth + 1, scan->arena, &found);
      size_t from = base + at * width / 3 * 4, to = base + (last * width + 2) / 3 * 4;
      if (found.count)
        ho_secret_add(scan, found.items[0].shape, from, to < end ? to : end);
    }
    at = last + 1;
  }
  return readable;
}

void ho_secret_at_base64(ho_secret_scan *scan, size_t at)
{
  size_t end = scan->depth < DEEPEST ? ho_secret_run(scan, at, HO_SECRET_OF_ANY64) : at;
  ho_buf decoded;
  if (end - at < SHORTEST_RUN)
    return;
  ho_buf_init(&decoded, 0);
  /* Where the first group begins is not known if something else of these letters stands before it. */
  for (size_t shift = 0; shift < (scan->depth ? 1u : 4u); shift++) {
    decode(&decoded, ho_str_sub(scan->text, at + shift, end));
    unsigned width = narrow(&decoded) ? 2 : 1;
    if (look(scan, ho_buf_str(&decoded), at + shift, end, width) > decoded.n / 2)
      break;
  }
  if (decoded.failed && !scan->arena->failed)
    scan->arena->failed = decoded.failed;
  ho_buf_free(&decoded);
}

bool ho_secret_base64_pair(ho_str text)
{
  ho_buf decoded;
  bool pair = text.n <= LONGEST_PAIR;
  if (!pair)
    return false;
  ho_buf_init(&decoded, 0);
  decode(&decoded, text);
  for (size_t i = 0; i < decoded.n; i++)
    pair = pair && ((unsigned char)decoded.p[i] >= 0x80 || is_text(decoded.p[i]));
  size_t colon = ho_str_find_char(ho_buf_str(&decoded), ':');
  pair = pair && colon != HO_NONE && decoded.n - colon > 3 && !decoded.failed;
  ho_buf_free(&decoded);
  return pair;
}
