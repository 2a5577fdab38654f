/* Joining by rank, in three sizes: a few bytes by scanning for the lowest rank, a window with a heap, and a long piece
 * as overlapping windows.
 *
 * Windows are exact for this reason: what happens between two cuts that survive to the end does not depend on what
 * is outside them. So a sequence of tokens is the result for its bytes if every two neighbours are the result for
 * theirs: the first join across a cut would also happen with the two neighbours alone. Now let t be a token of one
 * window, let the next window start at t's first byte, and let t be the first token of its result. Then the tokens
 * before t, followed by those of the next window, are the result for both: every two neighbours were neighbours in
 * one of the windows. */
#include "doc/tokens/tokens_merge.h"

enum {
  SMALL = 48,
  WINDOW_BITS = 11,
  WINDOW = 1 << WINDOW_BITS,
  OVERLAP = 256, /* of two windows; more if the first token of the second window differs */
  JOINTS = 6,    /* how many positions are tried, each OVERLAP before the last */
  NONE = HO_IMAGE_NO_RANK,
};
_Static_assert(HO_IMAGE_RANK_BITS + WINDOW_BITS <= 32, "a rank and a place have to fit into a key of the heap");
_Static_assert(JOINTS *OVERLAP < WINDOW - HO_IMAGE_TOKEN_MAX, "every joint has to lie inside the window");

/* ---- a few bytes ---- */

static size_t merge_small(const ho_image *image, ho_str piece)
{
  const char *limit = piece.p + piece.n;
  uint32_t rank[SMALL]; /* of part i joined with the next */
  uint8_t from[SMALL + 2];
  size_t parts = piece.n;
  for (size_t i = 0; i < parts; i++) {
    from[i] = (uint8_t)i;
    rank[i] = i + 1 < parts ? ho_image_pair(image, piece.p + i) : NONE;
  }
  from[parts] = from[parts + 1] = (uint8_t)parts;
  for (;;) {
    size_t low = 0;
    for (size_t i = 1; i + 1 < parts; i++)
      if (rank[i] < rank[low])
        low = i;
    if (rank[low] == NONE)
      return parts;
    memmove(from + low + 1, from + low + 2, parts - low);
    memmove(rank + low + 1, rank + low + 2, (parts - low - 2) * sizeof *rank);
    parts--;
    rank[low] = low + 1 < parts ? ho_image_rank(image, piece.p + from[low], from[low + 2] - from[low], limit) : NONE;
    if (low > 0)
      rank[low - 1] = ho_image_rank(image, piece.p + from[low - 1], from[low + 1] - from[low - 1], limit);
  }
}

/* ---- a window ---- */

typedef struct window {
  ho_str text;
  size_t parts;
  size_t heaped;
  uint32_t rank[WINDOW]; /* of the part at this byte joined with the next */
  uint16_t next[WINDOW], prev[WINDOW];
  /* rank, then position: one key for each rank ever set, so outdated ones are met and dropped */
  uint32_t heap[3 * WINDOW];
} window;

static void sink(window *w, size_t at)
{
  uint32_t key = w->heap[at];
  for (size_t child; (child = 2 * at + 1) < w->heaped; at = child) {
    if (child + 1 < w->heaped && w->heap[child + 1] < w->heap[child])
      child++;
    if (key <= w->heap[child])
      break;
    w->heap[at] = w->heap[child];
  }
  w->heap[at] = key;
}

static void push(window *w, uint32_t key)
{
  size_t at = w->heaped++;
  for (size_t up; at > 0 && key < w->heap[up = (at - 1) / 2]; at = up)
    w->heap[at] = w->heap[up];
  w->heap[at] = key;
}

static uint32_t pop(window *w)
{
  uint32_t key = w->heap[0];
  w->heap[0] = w->heap[--w->heaped];
  sink(w, 0);
  return key;
}

/* The end of the part at `at`. */
static size_t end_of(const window *w, size_t at)
{
  return w->next[at];
}

static void set_rank(window *w, const ho_image *image, size_t at)
{
  size_t middle = end_of(w, at);
  w->rank[at] = NONE;
  if (middle < w->text.n)
    w->rank[at] = ho_image_rank(image, w->text.p + at, end_of(w, middle) - at, w->text.p + w->text.n);
  if (w->rank[at] != NONE)
    push(w, w->rank[at] << WINDOW_BITS | (uint32_t)at);
}

static void start_window(window *w, const ho_image *image, ho_str text)
{
  w->text = text;
  w->parts = text.n;
  w->heaped = 0;
  for (size_t i = 0; i < text.n; i++) {
    w->next[i] = (uint16_t)(i + 1);
    w->prev[i] = (uint16_t)(i - 1);
    w->rank[i] = i + 1 < text.n ? ho_image_pair(image, text.p + i) : NONE;
    if (w->rank[i] != NONE)
      w->heap[w->heaped++] = w->rank[i] << WINDOW_BITS | (uint32_t)i;
  }
  for (size_t i = w->heaped / 2; i-- > 0;)
    sink(w, i);
}

/* Leaves the parts in w: the first at 0, each followed by the one at its end. */
static void merge_window(window *w, const ho_image *image, ho_str text)
{
  start_window(w, image, text);
  while (w->heaped > 0) {
    uint32_t key = pop(w);
    size_t at = key & (WINDOW - 1);
    if (w->rank[at] != key >> WINDOW_BITS)
      continue;
    size_t gone = end_of(w, at), after = end_of(w, gone);
    w->next[at] = (uint16_t)after;
    w->rank[gone] = NONE;
    if (after < text.n)
      w->prev[after] = (uint16_t)at;
    w->parts--;
    set_rank(w, image, at);
    if (at > 0)
      set_rank(w, image, w->prev[at]);
  }
}

/* ---- a long piece ---- */

/* A position where the next window may start. */
typedef struct joint {
  size_t at, length; /* of the part there */
  size_t before;     /* parts before it */
} joint;

/* The last positions that are OVERLAP, 2 × OVERLAP and so on before the window's end. */
static void find_joints(const window *w, joint joints[JOINTS])
{
  size_t before = 0;
  for (size_t at = 0; at < w->text.n; at = end_of(w, at), before++)
    for (size_t i = 0; i < JOINTS && at + (i + 1) * OVERLAP <= w->text.n; i++)
      joints[i] = (joint){at, end_of(w, at) - at, before};
}

static size_t merge_long(const ho_image *image, ho_str piece)
{
  window w;
  size_t total = 0;
  merge_window(&w, image, ho_str_sub(piece, 0, WINDOW));
  for (size_t from = 0; from + w.text.n < piece.n;) {
    joint joints[JOINTS];
    find_joints(&w, joints);
    /* If no joint holds, the last one tried becomes a cut: at most one token too many, and no text is known to cause
     * it. */
    for (size_t i = 0; i < JOINTS; i++) {
      size_t at = from + joints[i].at;
      merge_window(&w, image, ho_str_sub(piece, at, at + WINDOW));
      if (end_of(&w, 0) == joints[i].length || i + 1 == JOINTS) {
        total += joints[i].before;
        from = at;
        break;
      }
    }
  }
  return total + w.parts;
}

size_t ho_tokens_merge(const ho_image *image, ho_str piece)
{
  if (piece.n < 2 || ho_image_rank(image, piece.p, piece.n, piece.p + piece.n) != NONE)
    return piece.n > 0;
  if (piece.n <= SMALL)
    return merge_small(image, piece);
  return merge_long(image, piece);
}
