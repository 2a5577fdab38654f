#include "model/secrets/secrets.h"

#include "base/grow.h"
#include "model/secrets/secrets_inside.h"

static int by_begin(const void *a, const void *b)
{
  const ho_secret *x = a, *y = b;
  return x->begin != y->begin ? (x->begin < y->begin ? -1 : 1) : (x->end > y->end) - (x->end < y->end);
}

static bool is_escaped(ho_str text, size_t at)
{
  size_t backslashes = 0;
  while (backslashes < at && backslashes < 64 && text.p[at - 1 - backslashes] == '\\')
    backslashes++;
  return backslashes % 2;
}

/* Leaves escapes whole: what stands around a secret must still be readable when it is gone. */
static void settle(ho_str text, ho_secret *secret)
{
  if (is_escaped(text, secret->begin) && secret->begin + 6 < secret->end)
    secret->begin += text.p[secret->begin] == 'u' ? 5 : 1;
  if (is_escaped(text, secret->end))
    secret->end--;
}

ho_secret_list ho_secret_find(ho_str text, ho_arena *arena)
{
  ho_secret_list list = {0};
  size_t kept = 0;
  ho_secret_scan_text(text, 0, arena, &list);
  ho_secret_undo(text, arena, &list);
  ho_secret_unfold(text, arena, &list);
  for (size_t i = 0; i < list.count; i++)
    settle(text, &list.items[i]);
  if (list.count > 1)
    qsort(list.items, list.count, sizeof *list.items, by_begin);
  for (size_t i = 1; i < list.count; i++) {
    ho_secret *last = &list.items[kept], *next = &list.items[i];
    if (next->begin >= last->end) {
      list.items[++kept] = *next;
      continue;
    }
    if (next->end - next->begin > last->end - last->begin)
      last->shape = next->shape;
    if (next->end > last->end)
      last->end = next->end;
  }
  if (list.count)
    list.count = kept + 1;
  return list;
}

ho_str ho_secret_redact(ho_str text, ho_arena *arena, size_t *count)
{
  ho_buf out;
  ho_arena work;
  size_t done = 0;
  ho_arena_init(&work, 0);
  ho_secret_list list = ho_secret_find(text, &work);
  ho_buf_init(&out, 0);
  for (size_t i = 0; i < list.count; i++) {
    ho_buf_put(&out, ho_str_sub(text, done, list.items[i].begin));
    ho_buf_printf(&out, "REDACTED-%s", list.items[i].shape);
    done = list.items[i].end;
  }
  if (list.count)
    ho_buf_put(&out, ho_str_sub(text, done, text.n));
  if (work.failed && !out.failed)
    out.failed = work.failed;
  *count += list.count;
  if (list.count || out.failed)
    text = ho_buf_move(&out, arena);
  else
    ho_buf_free(&out);
  ho_arena_free(&work);
  return arena->failed ? HO_EMPTY : text;
}

static bool is_map_entry(const ho_node *node)
{
  return node->kind == HO_KIND_TEXT && node->key.n;
}

static void look(const ho_node *node, ho_arena *work, ho_secret_hit *hit, void *data)
{
  ho_secret_list in_text = ho_secret_find(node->text, work), in_key = ho_secret_find(node->key, work);
  if (in_key.count)
    hit(data, node, in_key.items[0].shape);
  else if (in_text.count)
    hit(data, node, in_text.items[0].shape);
  else if (is_map_entry(node) && ho_secret_key(node->key, node->text))
    hit(data, node, "password");
  HO_EACH_CONST (child, node)
    look(child, work, hit, data);
}

void ho_secret_in_tree(const ho_node *node, ho_arena *arena, ho_secret_hit *hit, void *data)
{
  ho_arena work;
  ho_arena_init(&work, 0);
  if (node)
    look(node, &work, hit, data);
  if (work.failed && !arena->failed)
    arena->failed = work.failed;
  ho_arena_free(&work);
}
