#include "doc/text/diff.h"

#include "base/grow.h"

enum { CONTEXT = 3, CELLS = 1 << 22 };

typedef struct lines {
  ho_str *items; /* with their line endings */
  size_t count;
} lines;

typedef struct change {
  size_t old_from, old_to, new_from, new_to; /* lines that differ: from..to of both */
} change;

typedef struct differ {
  ho_arena arena;
  lines old, new;
  change *changes;
  size_t count;
} differ;

static lines split(ho_arena *arena, ho_str text)
{
  lines all = {0};
  size_t count = 1;
  for (size_t i = 0; i < text.n; i++)
    count += text.p[i] == '\n';
  all.items = ho_arena_array(arena, count, sizeof *all.items);
  while (all.items && text.n) {
    size_t end = ho_str_find_char(text, '\n');
    end = end == HO_NONE ? text.n : end + 1;
    all.items[all.count++] = ho_str_sub(text, 0, end);
    text = ho_str_sub(text, end, text.n);
  }
  return all;
}

static void add(differ *d, change made)
{
  change *last = d->count ? &d->changes[d->count - 1] : NULL;
  if (last && last->old_to == made.old_from && last->new_to == made.new_from) {
    last->old_to = made.old_to;
    last->new_to = made.new_to;
    return;
  }
  last = HO_PUSH(&d->arena, d->changes, d->count);
  if (last)
    *last = made;
}

/* The longest common subsequence of old from..a and new from..b, by a table of lengths built from the end. */
static void compare(differ *d, size_t from, size_t a, size_t b)
{
  size_t n = a - from, m = b - from, width = m + 1;
  uint32_t *table = n && m && n + 1 <= CELLS / width ? ho_arena_array(&d->arena, (n + 1) * width, sizeof *table) : NULL;
  if (!table) {
    if (n || m)
      add(d, (change){from, a, from, b});
    return;
  }
  for (size_t i = n; i-- > 0;)
    for (size_t j = m; j-- > 0;) {
      uint32_t down = table[(i + 1) * width + j], right = table[i * width + j + 1];
      bool same = ho_str_eq(d->old.items[from + i], d->new.items[from + j]);
      table[i * width + j] = same ? table[(i + 1) * width + j + 1] + 1 : down > right ? down : right;
    }
  for (size_t i = 0, j = 0; i < n || j < m;) {
    size_t x = from + i, y = from + j;
    if (i < n && j < m && ho_str_eq(d->old.items[x], d->new.items[y]))
      i++, j++;
    else if (i < n && (j == m || table[(i + 1) * width + j] >= table[i * width + j + 1]))
      add(d, (change){x, x + 1, y, y}), i++;
    else
      add(d, (change){x, x, y, y + 1}), j++;
  }
}

static void find_changes(differ *d)
{
  size_t from = 0, a = d->old.count, b = d->new.count;
  while (from < a && from < b && ho_str_eq(d->old.items[from], d->new.items[from]))
    from++;
  while (a > from && b > from && ho_str_eq(d->old.items[a - 1], d->new.items[b - 1]))
    a--, b--;
  compare(d, from, a, b);
}

static void put_line(ho_buf *out, char mark, ho_str line)
{
  ho_buf_putc(out, mark);
  ho_buf_put(out, line);
  if (!ho_str_ends(line, "\n"))
    ho_buf_puts(out, "\n\\ No newline at end of file\n");
}

static void put_lines(ho_buf *out, char mark, const lines *all, size_t from, size_t to)
{
  for (size_t i = from; i < to; i++)
    put_line(out, mark, all->items[i]);
}

/* A range in a hunk header: an empty one is given by the line before it. */
static void put_range(ho_buf *out, char mark, size_t from, size_t to)
{
  ho_buf_printf(out, "%c%zu,%zu ", mark, to > from ? from + 1 : from, to - from);
}

/* Changes first..last with the surrounding lines. */
static void put_hunk(ho_buf *out, const differ *d, size_t first, size_t last)
{
  const change *begin = &d->changes[first], *end = &d->changes[last];
  size_t before = begin->old_from < CONTEXT ? begin->old_from : CONTEXT;
  size_t after = d->old.count - end->old_to < CONTEXT ? d->old.count - end->old_to : CONTEXT;
  ho_buf_puts(out, "@@ ");
  put_range(out, '-', begin->old_from - before, end->old_to + after);
  put_range(out, '+', begin->new_from - before, end->new_to + after);
  ho_buf_puts(out, "@@\n");
  put_lines(out, ' ', &d->old, begin->old_from - before, begin->old_from);
  for (const change *c = begin; c <= end; c++) {
    put_lines(out, '-', &d->old, c->old_from, c->old_to);
    put_lines(out, '+', &d->new, c->new_from, c->new_to);
    put_lines(out, ' ', &d->old, c->old_to, c == end ? c->old_to + after : c[1].old_from);
  }
}

/* --- names --------------------------------------------------------------------------------------------------------- */

static bool is_nothing(ho_str name)
{
  return ho_str_is(name, "/dev/null");
}

static bool is_odd(ho_str name)
{
  for (size_t i = 0; i < name.n; i++)
    if ((unsigned char)name.p[i] < ' ' || name.p[i] == 0x7F || name.p[i] == '"' || name.p[i] == '\\')
      return true;
  return false;
}

/* As git writes it: quoted like a C string if necessary. side: "a/", "b/", or "". */
static void put_name(ho_buf *out, const char *side, ho_str name)
{
  if (ho_str_starts(name, "/") && *side)
    name = ho_str_sub(name, 1, name.n);
  if (!is_odd(name)) {
    ho_buf_printf(out, "%s%.*s", side, HO_ARG(name));
    return;
  }
  ho_buf_printf(out, "\"%s", side);
  for (size_t i = 0; i < name.n; i++) {
    unsigned char c = (unsigned char)name.p[i];
    if (c == '"' || c == '\\')
      ho_buf_printf(out, "\\%c", c);
    else if (c < ' ' || c == 0x7F)
      ho_buf_printf(out, "\\%03o", c);
    else
      ho_buf_putc(out, (char)c);
  }
  ho_buf_putc(out, '"');
}

/* A tab ends a name that contains spaces. */
static void put_name_line(ho_buf *out, const char *mark, const char *side, ho_str name)
{
  ho_buf_puts(out, mark);
  put_name(out, is_nothing(name) ? "" : side, name);
  ho_buf_puts(out, ho_str_find_char(name, ' ') != HO_NONE && !is_odd(name) ? "\t\n" : "\n");
}

static void put_rename(ho_buf *out, ho_str old_name, ho_str new_name)
{
  if (ho_str_eq(old_name, new_name) || is_nothing(old_name) || is_nothing(new_name))
    return;
  ho_buf_puts(out, "diff --git ");
  put_name(out, "a/", old_name);
  ho_buf_putc(out, ' ');
  put_name(out, "b/", new_name);
  ho_buf_puts(out, "\nrename from ");
  put_name(out, "", old_name);
  ho_buf_puts(out, "\nrename to ");
  put_name(out, "", new_name);
  ho_buf_putc(out, '\n');
}

ho_code ho_diff_write(ho_buf *out, ho_str old_name, ho_str new_name, ho_str old_text, ho_str new_text, ho_error *err)
{
  differ d = {0};
  ho_arena_init(&d.arena, 0);
  d.old = split(&d.arena, old_text);
  d.new = split(&d.arena, new_text);
  if (!d.arena.failed)
    find_changes(&d);
  ho_code code = ho_arena_code(&d.arena, err);
  if (!code)
    put_rename(out, old_name, new_name);
  if (!code && d.count) {
    put_name_line(out, "--- ", "a/", old_name);
    put_name_line(out, "+++ ", "b/", new_name);
  }
  for (size_t first = 0, last; !code && first < d.count; first = last + 1) {
    for (last = first; last + 1 < d.count && d.changes[last + 1].old_from - d.changes[last].old_to <= 2 * CONTEXT;)
      last++;
    put_hunk(out, &d, first, last);
  }
  ho_arena_free(&d.arena);
  return code ? code : ho_buf_code(out, err);
}
