#include "command/table.h"

#include "base/term.h"
#include "command/wrap.h"
#include "doc/json/json.h"
#include "engine/project/quote.h"
#include "model/lifecycle.h"
#include "model/syntax.h"

enum { MOST = 32, GAP = 2, MEASURED = 1000 };

typedef struct layout {
  const ho_call *call;
  const ho_table_column *columns[MOST];
  size_t width[MOST];
  size_t count;
  ho_buf cell;
  int64_t now;
  bool narrow; /* there is a terminal: ages instead of times, and cells are cut */
  bool heading, colour;
} layout;

void ho_table_put_span(ho_buf *out, int64_t ms)
{
  static const struct {
    int64_t seconds;
    char unit;
  } units[] = {{365 * 86400, 'y'}, {7 * 86400, 'w'}, {86400, 'd'}, {3600, 'h'}, {60, 'm'}, {1, 's'}};
  int64_t seconds = (ms < 0 ? -ms : ms) / 1000;
  for (size_t i = 0; i < HO_COUNT(units); i++) {
    int64_t count = seconds / units[i].seconds;
    if (count >= 2 || (count && units[i].unit != 'w' && units[i].unit != 'y')) {
      ho_buf_printf(out, "%lld%c", (long long)count, units[i].unit);
      return;
    }
  }
  ho_buf_puts(out, "now");
}

/* The colour of a state's word; "" for one that needs none. */
static const char *tint_of_word(ho_str word)
{
  ho_state state = HO_STATE_NONE;
  if (!ho_state_named(word, &state))
    return ho_str_list_has("open|blocked|asks|clarify", word)             ? "\x1b[33m"
           : ho_str_list_has("approve|yes|signed", word)                  ? "\x1b[32m"
           : ho_str_list_has("reject|rejected|failed|died|revoked", word) ? "\x1b[31m"
                                                                          : "";
  switch (state) {
  case HO_STATE_DRAFT:
  case HO_STATE_CLARIFY:
  case HO_STATE_GATED:
    return "\x1b[33m"; /* somebody has to say something */
  case HO_STATE_CLAIMED:
  case HO_STATE_ACKED:
    return "\x1b[36m"; /* somebody works on it */
  case HO_STATE_DONE:
    return "\x1b[32m";
  case HO_STATE_REJECTED:
  case HO_STATE_EXPIRED:
    return "\x1b[31m";
  case HO_STATE_SUPERSEDED:
  case HO_STATE_ARCHIVED:
    return "\x1b[2m"; /* of no interest any more */
  case HO_STATE_NONE:
  case HO_STATE_READY:
  case HO_STATE_COUNT:
    break;
  }
  return "";
}

/* A list or map in one cell: texts with commas between them, else JSON. */
static void put_value(ho_buf *out, const ho_node *value)
{
  ho_buf text;
  bool plain = ho_node_is(value, HO_KIND_LIST);
  HO_EACH_CONST (item, value)
    plain = plain && !ho_node_is(item, HO_KIND_LIST) && !ho_node_is(item, HO_KIND_MAP);
  ho_buf_init(&text, 0);
  if (!plain)
    ho_json_write(&text, value, 0);
  else
    HO_EACH_CONST (item, value) {
      ho_buf_puts(&text, item == value->first ? "" : ", ");
      ho_buf_put(&text, item->text);
    }
  ho_term_put(out, ho_buf_str(&text), HO_TERM_LINE);
  ho_buf_free_into(&text, out);
}

/* The text of a cell, safe and on one line. */
static ho_str cell(layout *l, const ho_table_column *column, const ho_node *item)
{
  const ho_node *value = ho_map_getz(item, column->key);
  ho_str text = ho_node_str(value);
  int64_t at;
  ho_buf_reset(&l->cell);
  if (column->put)
    column->put(&l->cell, item);
  else if (ho_node_is(value, HO_KIND_LIST) || ho_node_is(value, HO_KIND_MAP))
    put_value(&l->cell, value);
  else if (column->as == HO_CELL_NAME && text.n)
    ho_quote_put_name(&l->cell, text);
  else if (column->as == HO_CELL_TIME && l->narrow && ho_stamp_time(text, &at))
    ho_table_put_span(&l->cell, l->now - at);
  else
    ho_term_put(&l->cell, text, HO_TERM_LINE);
  return ho_buf_str(&l->cell);
}

static const ho_table_column *column_of(const ho_table *table, ho_str name)
{
  for (const ho_table_column *column = table->columns; column->title; column++)
    if (ho_str_is(name, column->key))
      return column;
  return NULL;
}

/* The columns to be shown: those of the table, or those that --fields names. Returns how many. */
static size_t choose(const ho_call *call, const ho_table *table, const ho_table_column **columns)
{
  size_t count = 0;
  ho_str rest = call->shown.fields, name;
  if (!rest.n)
    for (const ho_table_column *column = table->columns; column->title && count < MOST; column++)
      columns[count++] = column;
  while (call->shown.fields.n && count < MOST && ho_str_next(&rest, ',', &name)) {
    name = ho_str_trim(name);
    const ho_table_column *own = column_of(table, name);
    ho_table_column *made = own ? NULL : ho_arena_alloc(call->arena, sizeof *made);
    if (made)
      *made =
          (ho_table_column){.title = ho_arena_z(call->arena, name), .key = ho_arena_z(call->arena, name), .least = 8};
    if (own || made)
      columns[count++] = own ? own : made;
  }
  return count;
}

/* How wide each column would be; those that stay empty are taken out. */
static void measure(layout *l, const ho_node *rows)
{
  size_t kept = 0;
  for (size_t i = 0; i < l->count; i++) {
    size_t width = 0, seen = 0;
    HO_EACH_CONST (item, rows) {
      if (seen++ == MEASURED) /* the rest is aligned where it fits */
        break;
      size_t cells = ho_term_cells(cell(l, l->columns[i], item));
      width = cells > width ? cells : width;
    }
    if (!width && !l->call->shown.fields.n)
      continue;
    size_t title = l->heading ? ho_term_cells(ho_str_of(l->columns[i]->title)) : 0;
    l->columns[kept] = l->columns[i];
    l->width[kept++] = width > title ? width : title;
  }
  l->count = kept;
}

static size_t total(const layout *l)
{
  size_t sum = l->count ? GAP * (l->count - 1) : 0;
  for (size_t i = 0; i < l->count; i++)
    sum += l->width[i];
  return sum;
}

/* Cuts the widest column that may be cut, again and again. */
static void cut(layout *l, size_t room)
{
  for (size_t sum = total(l); sum > room; sum--) {
    size_t widest = l->count;
    for (size_t i = 0; i < l->count; i++)
      if (l->columns[i]->least && l->width[i] > l->columns[i]->least &&
          (widest == l->count || l->width[i] > l->width[widest]))
        widest = i;
    if (widest == l->count)
      return;
    l->width[widest]--;
  }
}

/* Leaves out the last column that can be spared; false if there is none. */
static bool leave_out(layout *l)
{
  for (size_t i = l->count; i-- > 0;)
    if (l->columns[i]->spare) {
      for (l->count--; i < l->count; i++) {
        l->columns[i] = l->columns[i + 1];
        l->width[i] = l->width[i + 1];
      }
      return true;
    }
  return false;
}

/* What the columns need so that none has to be left out. */
static size_t needed(const layout *l)
{
  size_t sum = l->count ? GAP * (l->count - 1) : 0;
  for (size_t i = 0; i < l->count; i++) {
    const ho_table_column *column = l->columns[i];
    size_t cells = column->good > column->least ? column->good : column->least;
    sum += cells && cells < l->width[i] ? cells : l->width[i];
  }
  return sum;
}

static void put_padding(ho_buf *out, const layout *l, size_t i, size_t cells)
{
  if (i + 1 < l->count)
    ho_buf_fill(out, ' ', GAP + (l->width[i] > cells ? l->width[i] - cells : 0));
}

static void put_heading(ho_buf *out, const layout *l, size_t indent)
{
  ho_buf_fill(out, ' ', indent);
  for (size_t i = 0; i < l->count; i++) {
    ho_put_bold(out, ho_str_of(l->columns[i]->title), l->colour);
    put_padding(out, l, i, ho_term_cells(ho_str_of(l->columns[i]->title)));
  }
  ho_buf_putc(out, '\n');
}

static const char *tint_of(const ho_table_column *column, const ho_node *item)
{
  if (column->as == HO_CELL_ID)
    return "\x1b[1m";
  if (column->as == HO_CELL_TIME)
    return "\x1b[2m";
  return column->as == HO_CELL_STATE ? tint_of_word(ho_map_str(item, column->key)) : "";
}

static void put_row(ho_buf *out, layout *l, const ho_node *item, size_t indent)
{
  ho_buf_fill(out, ' ', indent);
  for (size_t i = 0; i < l->count; i++) {
    ho_str text = cell(l, l->columns[i], item);
    size_t cells = ho_term_cells(text);
    const char *tint = l->colour ? tint_of(l->columns[i], item) : "";
    ho_buf_puts(out, tint);
    if (l->narrow && cells > l->width[i]) {
      ho_put_cut(out, text, l->width[i]);
      cells = l->width[i];
    } else {
      ho_buf_put(out, text);
    }
    ho_buf_puts(out, *tint ? "\x1b[0m" : "");
    put_padding(out, l, i, cells);
  }
  ho_buf_putc(out, '\n');
}

void ho_table_put(const ho_call *call, ho_buf *out, const ho_table *table, const ho_node *rows, size_t indent,
                  bool heading, bool colour)
{
  layout l = {
      .call = call, .heading = heading && call->host->terminal, .colour = colour, .narrow = call->host->terminal > 0};
  if (!rows || !rows->count)
    return;
  l.now = call->host->clock_ms(call->host->world);
  ho_buf_init(&l.cell, 0);
  l.count = choose(call, table, l.columns);
  measure(&l, rows);
  size_t room = call->host->terminal > indent ? call->host->terminal - indent : 1;
  while (l.narrow && needed(&l) > room && leave_out(&l))
    ;
  if (l.narrow)
    cut(&l, room);
  if (l.heading)
    put_heading(out, &l, indent);
  HO_EACH_CONST (item, rows) {
    put_row(out, &l, item, indent);
    if (table->below && !call->shown.fields.n)
      table->below(out, item, call->host->terminal);
  }
  ho_buf_free_into(&l.cell, out);
}
