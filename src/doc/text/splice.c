#include "doc/text/splice.h"

typedef struct ho_splice_edit {
  struct ho_splice_edit *next;
  uint32_t from, to;
  ho_str with;
} edit;

void ho_splice_init(ho_splice *splice, ho_arena *arena, ho_str text)
{
  *splice = (ho_splice){.arena = arena, .text = text};
}

/* Does e precede an edit that begins at `from` and is made later? */
static bool comes_before(const edit *e, uint32_t from)
{
  bool inserts = e->from == e->to;
  return e->from < from || (e->from == from && inserts);
}

/* The edit after which one that begins at `from` belongs; NULL if it comes first. */
static edit *place_for(const ho_splice *splice, uint32_t from)
{
  if (splice->last && comes_before(splice->last, from))
    return splice->last;
  edit *previous = NULL;
  for (edit *e = splice->edits; e && comes_before(e, from); e = e->next)
    previous = e;
  return previous;
}

ho_code ho_splice_replace(ho_splice *splice, uint32_t from, uint32_t to, ho_str with, ho_error *err)
{
  if (from > to || to > splice->text.n)
    return ho_fail(err, HO_BUG, "bytes %u to %u are outside the text", from, to);
  edit *previous = place_for(splice, from);
  edit *next = previous ? previous->next : splice->edits;
  if ((previous && previous->to > from) || (next && next->from < to))
    return ho_fail(err, HO_CONFLICT, "bytes %u to %u are already edited", from, to);
  edit *made = HO_NEW(splice->arena, edit);
  if (!made)
    return ho_arena_code(splice->arena, err);
  *made = (edit){.next = next, .from = from, .to = to, .with = with};
  if (previous)
    previous->next = made;
  else
    splice->edits = made;
  if (!next)
    splice->last = made;
  return HO_OK;
}

void ho_splice_write(const ho_splice *splice, ho_buf *out)
{
  size_t done = 0;
  for (const edit *e = splice->edits; e; e = e->next) {
    ho_buf_put(out, ho_str_sub(splice->text, done, e->from));
    ho_buf_put(out, e->with);
    done = e->to;
  }
  ho_buf_put(out, ho_str_sub(splice->text, done, splice->text.n));
}
