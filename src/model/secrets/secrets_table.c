/* Tables and records: what a value is, the head of its column says, or its place in the line. */
#include "model/secrets/secrets_inside.h"

enum { MOST_CELLS = 32, LONGEST_LINE = 4096, LONGEST_HEAD = 40 };

typedef struct row {
  ho_str cells[MOST_CELLS];
  size_t count;
} row;

typedef struct table {
  ho_secret_scan scan; /* of the whole text, for what is found */
  row head;            /* the names of the columns */
  char between;        /* what stands between cells; 0: this is no table */
  bool ruled;          /* the line below the head of a Markdown table was there */
} table;

/* ---- Lines */

/* Takes off the next cell. Columns that are only aligned have two blanks or more between them: `between` is a blank. */
static bool next_cell(ho_str *line, char between, ho_str *cell)
{
  size_t gap = between == ' ' ? ho_str_find(*line, "  ") : HO_NONE;
  if (gap == HO_NONE)
    return ho_str_next(line, between == ' ' ? '\n' : between, cell);
  *cell = ho_str_sub(*line, 0, gap);
  *line = ho_str_trim(ho_str_sub(*line, gap, line->n));
  return true;
}

static void split(ho_str line, char between, row *out)
{
  ho_str cell;
  out->count = 0;
  while (out->count < MOST_CELLS && next_cell(&line, between, &cell))
    out->cells[out->count++] = ho_str_trim(cell);
}

/* "|---|:--:|", "+---+---+", "----+----". */
static bool is_rule(ho_str line)
{
  for (size_t i = 0; i < line.n; i++)
    if (!strchr("|-:+ ", line.p[i]))
      return false;
  return line.n > 2;
}

/* Without what frames a cell: quotes, code marks, emphasis. */
static ho_str bare(ho_str cell)
{
  while (cell.n > 1 && cell.p[0] == cell.p[cell.n - 1] && strchr("\"'`*_", cell.p[0]))
    cell = ho_str_sub(cell, 1, cell.n - 1);
  return cell;
}

/* Is it a name, and not the end of a sentence ("all tests pass.")? */
static bool is_name(ho_str cell)
{
  cell = bare(cell);
  size_t space = cell.n;
  while (space && cell.p[space - 1] != ' ')
    space--;
  bool verb = space && ho_str_is_nocase(ho_str_sub(cell, space, cell.n), "pass");
  return cell.n && cell.n <= LONGEST_HEAD && !strchr(".!?", cell.p[cell.n - 1]) && !verb &&
         ho_secret_named(cell) >= HO_SECRET_FAIR;
}

/* Is it the head of a list of values: names alone, at least one of a secret? */
static bool is_head(const row *r)
{
  bool any = false;
  for (size_t i = 0; i < r->count; i++) {
    ho_str cell = bare(r->cells[i]);
    if (!cell.n || cell.n > LONGEST_HEAD)
      return false;
    for (size_t k = 0; k < cell.n; k++)
      if (!isalnum((unsigned char)cell.p[k]) && !strchr("_-. ", cell.p[k]))
        return false;
    any |= is_name(cell);
  }
  return any && r->count > 1;
}

/* ---- Values */

static void take_cell(table *t, ho_str name, ho_str cell)
{
  ho_secret_assignment a = {.key = bare(name), .plain_colon = true, .whole = true, .below = true};
  ho_secret_take(&t->scan, &a, ho_secret_named(a.key), bare(cell));
}

/* | name | value |, or a row below the head that names its columns. */
static void take_row(table *t, const row *r)
{
  for (size_t i = 0; t->ruled && i < r->count && i < t->head.count; i++)
    if (is_name(t->head.cells[i]))
      take_cell(t, t->head.cells[i], r->cells[i]);
  for (size_t i = 0; i + 1 < r->count; i++)
    if (is_name(r->cells[i]))
      take_cell(t, r->cells[i], r->cells[i + 1]);
}

static void in_markdown(table *t, ho_str line)
{
  row r;
  if (t->between != '|') {
    t->between = '|';
    t->ruled = false;
    t->head.count = 0;
  }
  if (is_rule(line)) {
    t->ruled = t->head.count > 0;
    return;
  }
  split(line, '|', &r);
  t->ruled = t->ruled && r.count == t->head.count; /* another table may begin right below */
  if (t->ruled || line.p[0] == '|')
    take_row(t, &r);
  if (!t->ruled)
    t->head = r;
}

/* Values with commas, semicolons, tabs or several blanks between. */
static void in_values(table *t, ho_str line)
{
  row r;
  if (t->between && t->between != '|') {
    split(line, t->between, &r);
    if (r.count == t->head.count) {
      t->ruled = true;
      for (size_t i = 0; i < r.count; i++)
        if (is_name(t->head.cells[i]))
          take_cell(t, t->head.cells[i], r.cells[i]);
      return;
    }
  }
  t->between = 0;
  for (const char *between = ",;\t "; *between && !t->between && line.n <= LONGEST_HEAD * 8; between++)
    if (memchr(line.p, *between, line.n)) {
      split(line, *between, &t->head);
      t->between = is_head(&t->head) ? *between : 0;
    }
}

/* Whether the sign stands in the line at least `times` times. */
static bool has_many(ho_str line, char sign, size_t times)
{
  size_t at = 0;
  for (; times && (at = ho_str_find_char(line, sign)) != HO_NONE; times--)
    line = ho_str_sub(line, at + 1, line.n);
  return !times;
}

/* A word of a text without the quotes, brackets and stops around it. */
static ho_str inner(ho_str word)
{
  while (word.n && strchr("\"'`([{<\\", word.p[0]))
    word = ho_str_sub(word, 1, word.n);
  while (word.n && strchr("\"'`)]}>\\,;.", word.p[word.n - 1]))
    word.n--;
  return word;
}

/* host:port:database:user:password of .pgpass: a line of its own, or a word among others with a port of four digits. */
static void in_pgpass(table *t, ho_str word, bool alone)
{
  row r;
  split(word, ':', &r);
  if (r.count != 5 || !r.cells[0].n || !r.cells[1].n || !r.cells[3].n)
    return;
  bool port = ho_secret_all_of(r.cells[1], HO_SECRET_DIGIT);
  bool database = port && r.cells[1].n == 4 && ho_str_find_char(r.cells[0], '/') == HO_NONE;
  if (alone ? port || ho_str_is(r.cells[1], "*") : database)
    take_cell(t, HO_STR("password"), r.cells[4]);
}

/* Also name:$6$hash:… of /etc/shadow. */
static void in_record(table *t, ho_str line)
{
  row r;
  ho_str rest = line, word;
  bool alone = ho_str_find_char(line, ' ') == HO_NONE;
  while (ho_str_next(&rest, ' ', &word))
    if (has_many(word, ':', 4))
      in_pgpass(t, inner(word), alone);
  split(line, ':', &r);
  if (r.count > 6 && r.cells[1].n > 8 && r.cells[1].p[0] == '$')
    ho_secret_add(&t->scan, "password-hash", (size_t)(r.cells[1].p - t->scan.text.p),
                  (size_t)(r.cells[1].p - t->scan.text.p) + r.cells[1].n);
}

/* Does anything in the text stand between cells? */
static bool has_cells(ho_str text)
{
  for (const char *between = "|:,;\t "; *between; between++)
    if (ho_str_find_char(text, *between) != HO_NONE)
      return true;
  return false;
}

void ho_secret_tables(ho_str text, ho_arena *arena, ho_secret_list *out)
{
  if (!has_cells(text))
    return;
  table t = {.scan = {.text = text, .arena = arena, .out = out}};
  ho_str line;
  for (ho_str rest = text; ho_str_next_line(&rest, &line);) {
    line = ho_str_trim(line);
    bool fits = line.n && line.n <= LONGEST_LINE;
    bool rule = fits && strchr("+-", line.p[0]) && memchr(line.p, '+', line.n) && is_rule(line);
    if (rule || (fits && memchr(line.p, '|', line.n)))
      in_markdown(&t, line);
    else if (fits)
      in_values(&t, line);
    else
      t.between = 0;
    if (fits && line.n < LONGEST_HEAD * 10 && has_many(line, ':', 4))
      in_record(&t, line);
  }
}
