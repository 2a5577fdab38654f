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
  if (ho_secret_too_short(text))
    return list;
  ho_secret_scan_text(text, 0, arena, &list);
  ho_secret_tables(text, arena, &list);
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

static void put_quote(ho_buf *out, const ho_secret *secret)
{
  for (unsigned i = 0; secret->quote && i < secret->escapes; i++)
    ho_buf_putc(out, '\\');
  if (secret->quote)
    ho_buf_putc(out, secret->quote);
}

ho_str ho_secret_remove(ho_str text, const ho_secret_list *list, ho_arena *arena)
{
  ho_buf out;
  size_t done = 0;
  if (!list->count)
    return arena->failed ? HO_EMPTY : text;
  ho_buf_init(&out, 0);
  for (size_t i = 0; i < list->count; i++) {
    ho_buf_put(&out, ho_str_sub(text, done, list->items[i].begin));
    put_quote(&out, &list->items[i]);
    ho_buf_printf(&out, "REDACTED-%s", list->items[i].shape);
    put_quote(&out, &list->items[i]);
    done = list->items[i].end;
  }
  ho_buf_put(&out, ho_str_sub(text, done, text.n));
  text = ho_buf_move(&out, arena);
  return arena->failed ? HO_EMPTY : text;
}

ho_str ho_secret_redact(ho_str text, ho_arena *arena, size_t *count)
{
  ho_arena work;
  ho_arena_init(&work, 0);
  ho_secret_list list = ho_secret_find(text, &work);
  if (work.failed && !arena->failed)
    arena->failed = work.failed;
  *count += list.count;
  text = ho_secret_remove(text, &list, arena);
  ho_arena_free(&work);
  return text;
}

void ho_secret_redact_report(ho_report *report)
{
  size_t count = 0;
  for (size_t i = 0; i < report->count; i++) {
    ho_finding *finding = &report->items[i];
    finding->pointer = ho_secret_redact(finding->pointer, report->arena, &count);
    finding->message = ho_secret_redact(finding->message, report->arena, &count);
  }
}

static void redact_buffer(char *text, size_t size, ho_arena *arena)
{
  size_t count = 0;
  ho_str clean = ho_secret_redact(ho_str_of(text), arena, &count);
  if (count || arena->failed)
    ho_error_copy(text, size, clean);
}

void ho_secret_redact_error(ho_error *err)
{
  ho_arena arena;
  ho_arena_init(&arena, 0);
  redact_buffer(err->pointer, sizeof err->pointer, &arena);
  redact_buffer(err->message, sizeof err->message, &arena);
  if (arena.failed)
    ho_error_copy(err->message, sizeof err->message, HO_STR("out of memory"));
  ho_arena_free(&arena);
}

/* ---- Trees */

enum { MOST_KNOWN = 32, SHORTEST_KNOWN = 8 };

/* A walk over a tree, and the values that only their names have given away: they are secrets elsewhere, too. */
typedef struct walk {
  ho_arena arena;
  ho_secret_hit *hit;
  void *data;
  const ho_node *known[MOST_KNOWN];
  size_t count;
} walk;

/* What a value has from those above it. */
typedef struct inherited {
  ho_str name;  /* of the list or map it is in, or beside it: "name: DB_PASSWORD" */
  bool secret;  /* all of them are: data of a manifest of Kubernetes */
  bool web_key; /* they are the members of a JSON Web Key */
} inherited;

static bool is_value(const ho_node *node)
{
  return node->kind == HO_KIND_TEXT || node->kind == HO_KIND_NUMBER;
}

static const char *shape_by_name(const ho_node *node, const inherited *from)
{
  if (!is_value(node))
    return NULL;
  if (from->secret)
    return node->text.n && !ho_secret_reference(node->text, 0) ? "kubernetes-secret" : NULL;
  if (from->web_key && ho_secret_is_web_key(node->key, node->text))
    return "private-key";
  bool carrier = !node->key.n || ho_secret_is_carrier(node->key);
  ho_str name = ho_secret_named(node->key) ? node->key : carrier ? from->name : HO_EMPTY;
  return ho_secret_key(name, node->text) ? "password" : NULL;
}

/* What the children of `node` have from it. */
static inherited passed_on(const ho_node *node, const inherited *from)
{
  inherited to = {.name = ho_secret_named(node->key) >= HO_SECRET_FAIR ? node->key : HO_EMPTY, .secret = from->secret};
  if (node->kind == HO_KIND_LIST && !to.name.n)
    to.name = from->name;
  HO_EACH_CONST (child, node) {
    if (node->kind != HO_KIND_MAP || !is_value(child))
      continue;
    to.web_key |= ho_str_is(child->key, "kty");
    if (ho_secret_names_another(child->key) && ho_secret_named(child->text) >= HO_SECRET_FAIR)
      to.name = child->text;
  }
  return to;
}

static void look(walk *w, const ho_node *node, const inherited *from)
{
  ho_secret_list in_text = ho_secret_find(node->text, &w->arena), in_key = ho_secret_find(node->key, &w->arena);
  const char *by_name = in_key.count || in_text.count ? NULL : shape_by_name(node, from);
  if (in_key.count)
    w->hit(w->data, node, in_key.items[0].shape);
  else if (in_text.count)
    w->hit(w->data, node, in_text.items[0].shape);
  else if (by_name)
    w->hit(w->data, node, by_name);
  if (by_name && w->count < MOST_KNOWN && node->text.n >= SHORTEST_KNOWN)
    w->known[w->count++] = node;
  bool manifest = node->kind == HO_KIND_MAP && ho_str_is(ho_map_str(node, "kind"), "Secret");
  inherited to = passed_on(node, from);
  HO_EACH_CONST (child, node) {
    inherited one = to;
    one.secret |= manifest && ho_secret_is_data(child->key);
    look(w, child, &one);
  }
}

static bool is_known(const walk *w, const ho_node *node)
{
  for (size_t i = 0; i < w->count; i++)
    if (w->known[i] == node)
      return true;
  return false;
}

/* What was known by its name stands elsewhere under another: an alias, a copy. */
static void look_again(walk *w, const ho_node *node)
{
  for (size_t i = 0; is_value(node) && i < w->count; i++)
    if (node != w->known[i] && ho_str_eq(node->text, w->known[i]->text) && !is_known(w, node)) {
      w->hit(w->data, node, "password");
      break;
    }
  HO_EACH_CONST (child, node)
    look_again(w, child);
}

void ho_secret_in_tree(const ho_node *node, ho_arena *arena, ho_secret_hit *hit, void *data)
{
  walk w = {.hit = hit, .data = data};
  ho_arena_init(&w.arena, 0);
  if (node)
    look(&w, node, &(inherited){0});
  if (node && w.count)
    look_again(&w, node);
  if (w.arena.failed && !arena->failed)
    arena->failed = w.arena.failed;
  ho_arena_free(&w.arena);
}
