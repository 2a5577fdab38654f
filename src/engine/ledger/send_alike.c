/* Is a document much like one that waits for a person, or that a person has rejected? Then it waits as well: a gate is
 * not walked around by sending the document again, however it is written.
 *
 * Documents are compared by what they say: the letters of their values as a reader sees them (ho_seen_text), without keys,
 * spelling of the encoding, comments, order, times, blanks, signs, tags, and without the id and the receiver that a document
 * states for itself; and, as the receiver reads them too, by these and what else stands in the file (send_margin.c). Letters are taken SIZE in a row; how alike two documents are is the part of the shorter one's rows that
 * the other one has as well. So it does not help to add text or to leave text out.
 *
 * The handoff that is most alike decides; if it was for somebody else, only one that says the same. Of several, the one that was decided about last, by what is
 * signed or in the log, and one that still waits before all others. So a document that a person has approved can be sent
 * again, and so can one that is nearer to that one than to a rejected one. An approval speaks for its receiver and for what
 * was approved only, so there the part of the longer one counts, in each way to read them: text that was approved cannot
 * carry other text with it.
 * What was really rewritten is not recognised (docs/security.md). */
#include "base/grow.h"
#include "base/seen.h"
#include "base/utf8.h"
#include "doc/tokens/tokens_unicode.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/send.h"
#include "engine/project/identity.h"
#include "model/syntax.h"
#include "store/handoffs/bodies.h"
#include "store/runs/runs.h"

enum {
  SAME = 1000,   /* in thousandths */
  SIZE = 8,      /* letters in a row: as many as two words have, so that a word that was replaced weighs as much */
  NEAR = 700,    /* A text of 60 words in which 8 single ones, far from each other, were replaced is still near. */
  MOST = 20000,  /* handoffs that are compared; those that nobody approved come first, or others could push them out */
  APPROVED = 500 /* of them, those that were approved */
};

typedef struct grams {
  ho_arena *arena;
  const char *filler; /* what fillers stand for (ho_seen_text) */
  bool fillers;       /* are there any? */
  uint64_t *rows;     /* hashes, sorted */
  size_t count;
} grams;

static uint64_t hash_of(const uint32_t *letters, size_t count)
{
  uint64_t hash = UINT64_C(14695981039346656037);
  for (size_t i = 0; i < count; i++) /* FNV-1a */
    hash = (hash ^ letters[i]) * UINT64_C(1099511628211);
  return hash;
}

static void add_gram(grams *g, const uint32_t *letters, size_t count)
{
  uint64_t *slot = HO_PUSH(g->arena, g->rows, g->count);
  if (slot)
    *slot = hash_of(letters, count);
}

/* The end of the tag of HTML that begins at `at`, or `at`: it is not shown. Only a name that HTML has
 * and nothing else, or words could be hidden in tags. */
static size_t tag_end(ho_str text, size_t at)
{
  static const char names[] =
      "b|i|u|s|p|q|a|br|hr|em|tt|strong|code|span|sub|sup|wbr|del|ins|div|font|abbr|bdi|bdo|big|"
      "cite|dfn|kbd|mark|nobr|ruby|rp|rt|samp|small|strike|var|ul|ol|li|dl|dt|dd|center";
  size_t begin, end;
  if (text.p[at] != '<')
    return at;
  for (begin = at + 1; begin < text.n && strchr("/!-", text.p[begin]);)
    begin++;
  for (end = begin; end < text.n && isalnum((unsigned char)text.p[end]);)
    end++;
  if (end > begin && !ho_str_list_has_nocase(names, ho_str_sub(text, begin, end)))
    return at;
  while (end < text.n && strchr("/ -", text.p[end]))
    end++;
  return end < text.n && text.p[end] == '>' ? end + 1 : at;
}

/* A letter, digit or mark of any script. */
static bool is_letter(uint32_t cp)
{
  return cp < 0x80 ? isalnum((int)cp) != 0 : ho_tokens_class_of(cp) >= HO_TC_DIGIT;
}

/* Fewer letters than SIZE count as one. */
static void add_text(grams *g, ho_str text)
{
  bool fillers;
  uint32_t last[SIZE];
  size_t count = 0;
  text = ho_seen_text(g->arena, text, g->filler, &fillers);
  g->fillers = g->fillers || fillers;
  for (size_t at = 0; at < text.n;) {
    size_t behind = tag_end(text, at);
    if (behind > at) {
      at = behind;
      continue;
    }
    uint32_t cp = ho_utf8_next(text, &at);
    if (!is_letter(cp))
      continue;
    if (count >= SIZE)
      memmove(last, last + 1, sizeof last - sizeof *last);
    last[count < SIZE ? count : SIZE - 1] = cp < 0x80 ? (uint32_t)tolower((int)cp) : cp;
    if (++count >= SIZE)
      add_gram(g, last, SIZE);
  }
  if (count && count < SIZE)
    add_gram(g, last, count);
}

/* What the document says of itself, and of whom it is for, is not compared. */
static void add_node(grams *g, const ho_node *node, const ho_node *own, const ho_node *receiver)
{
  int64_t time;
  if (node == own || node == receiver || node->kind == HO_KIND_NULL)
    return;
  if (node->kind != HO_KIND_LIST && node->kind != HO_KIND_MAP) {
    if (!ho_stamp_time(node->text, &time))
      add_text(g, node->text);
    return;
  }
  HO_EACH_CONST (child, node)
    add_node(g, child, own, receiver);
}

static int by_hash(const void *a, const void *b)
{
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

static grams grams_of(const ho_doc *doc, const char *filler, ho_str margin, ho_arena *arena)
{
  grams g = {.arena = arena, .filler = filler};
  const char *receiver = doc->format->sending->receiver;
  if (doc->root)
    add_node(&g, doc->root, ho_send_own_id(doc), receiver ? ho_node_by_names(doc->root, receiver) : NULL);
  add_text(&g, margin);
  if (g.count)
    qsort(g.rows, g.count, sizeof *g.rows, by_hash);
  return g;
}

/* How alike they are, in thousandths. */
typedef struct likeness {
  int any;   /* the part of the shorter one */
  int whole; /* the part of the longer one */
} likeness;

/* SAME only if they have the same. */
static likeness alike(const grams *a, const grams *b)
{
  size_t common = 0, shorter = a->count < b->count ? a->count : b->count, longer = a->count + b->count - shorter;
  for (size_t i = 0, k = 0; i < a->count && k < b->count;) {
    common += a->rows[i] == b->rows[k];
    bool first = a->rows[i] <= b->rows[k], second = b->rows[k] <= a->rows[i];
    i += first;
    k += second;
  }
  if (!shorter)
    return (likeness){0};
  if (common == longer)
    return (likeness){SAME, SAME};
  int part = (int)(common * SAME / shorter);
  return (likeness){.any = part == SAME ? SAME - 1 : part, .whole = (int)(common * SAME / longer)};
}

/* The ways to read a document. */
enum { PLAIN, BLANK, WHOLE, READINGS }; /* without fillers; with blanks for them; with its margin */

typedef struct read_grams {
  grams by[READINGS]; /* those of PLAIN, if they are the same */
} read_grams;

static read_grams read_grams_of(const ho_doc *doc, ho_arena *arena)
{
  read_grams all;
  ho_str margin = ho_send_margin(doc, arena);
  all.by[PLAIN] = grams_of(doc, "", HO_EMPTY, arena);
  all.by[BLANK] = all.by[PLAIN].fillers ? grams_of(doc, " ", HO_EMPTY, arena) : all.by[PLAIN];
  all.by[WHOLE] = margin.n ? grams_of(doc, "", margin, arena) : all.by[PLAIN];
  return all;
}

/* In the way in which they are most alike: that is how one can be taken for the other; `whole` in that in which they
 * are least. */
static likeness most_alike(const read_grams *a, const read_grams *b)
{
  likeness most = alike(&a->by[PLAIN], &b->by[PLAIN]);
  for (size_t i = PLAIN + 1; i < READINGS; i++) {
    if (a->by[i].rows == a->by[PLAIN].rows && b->by[i].rows == b->by[PLAIN].rows)
      continue;
    likeness one = alike(&a->by[i], &b->by[i]);
    most.any = one.any > most.any ? one.any : most.any;
    most.whole = one.whole < most.whole ? one.whole : most.whole;
  }
  return most;
}

/* Would the document get to where the handoff waits to go, or to another instance of that agent? If that is for a person, its
 * sender goes on with it. */
static bool same_way(const ho_handoff *row, const ho_route *route)
{
  ho_str was = ho_identity_name(row->receiver), now = ho_identity_name(route->receiver);
  return !was.n || !now.n || ho_str_eq(was, now) ||
         (ho_str_is(was, "human") && ho_str_eq(ho_identity_name(row->sender), now));
}

/* Was it for nobody else than the document is? An approval for one agent is none for whoever takes it. */
static bool speaks_for(const ho_handoff *row, const ho_route *route)
{
  return same_way(row, route) && (route->receiver.n || !row->receiver.n);
}

typedef struct looking {
  ho_send *in;
  const ho_route *route;
  ho_str path;    /* the file that is sent, or "" */
  read_grams own; /* of the document */
  ho_deciders deciders;
  int best;
  ho_send_like like;
} looking;

static ho_code compare_text(const looking *l, const ho_handoff *row, ho_arena *arena, likeness *out, ho_error *err)
{
  ho_doc doc = {0};
  ho_error none = {0};
  ho_str body;
  ho_code code = ho_bodies_get(l->in->project->store, row->digest, arena, &body, err);
  if (code)
    return code;
  if (!ho_doc_read(&doc, arena, row->path, body, ho_format_named(row->kind), &none) && doc.root) {
    read_grams old = read_grams_of(&doc, arena);
    *out = most_alike(&l->own, &old);
  }
  return ho_arena_code(arena, err);
}

/* How much it is like the document, and in which way; score 0: not enough. */
static int score_of(const looking *l, const ho_handoff *row, int part, bool on_its_way, const char **how)
{
  bool same_kind = ho_str_is(row->kind, l->in->seen.doc.format->name);
  *how = part == SAME ? "says the same as" : "says nearly the same as";
  if (part == SAME || (part >= NEAR && on_its_way))
    return part;
  bool file = same_kind && l->path.n && ho_str_eq(l->path, row->path);
  bool named = same_kind && on_its_way && ho_str_eq(ho_node_str(ho_send_own_id(&l->in->seen.doc)), row->id);
  *how = named ? "states the id of" : "is from the same file as";
  return file || named ? NEAR : 0;
}

/* Does only the gate know its document? Then people are shown what is sent now. */
static bool is_lost(const looking *l, ho_str digest, ho_arena *arena)
{
  ho_str body;
  ho_error none = {0};
  return ho_bodies_get(l->in->project->store, digest, arena, &body, &none) == HO_NOT_FOUND;
}

/* Does this one count rather than the other, which is as much alike? */
static bool is_later(const ho_gate *gate, const ho_gate *other)
{
  if (other->state != HO_GATE_DECIDED || gate->state != HO_GATE_DECIDED)
    return other->state == HO_GATE_DECIDED;
  return gate->decided > other->decided;
}

/* Is it a gate at which a run asked about one of its steps, and a run that sends this document? Such a gate quotes what the
 * step said, and a run asks about its own steps again itself. Keys of runs are given by runs alone. */
static bool is_asked_by_run(const ho_send *in, const ho_handoff *row)
{
  ho_runs_key sent, gate;
  return in->asked && ho_runs_key_parse(in->key, &sent) && ho_runs_key_parse(row->key, &gate);
}

static ho_code compare(looking *l, const ho_handoff *row, ho_arena *arena, ho_error *err)
{
  bool same_kind = ho_str_is(row->kind, l->in->seen.doc.format->name);
  likeness part = {0};
  ho_send_like like = {0};
  ho_handoff waited = *row; /* the row could have been changed since */
  if (is_asked_by_run(l->in, row))
    return HO_OK;
  ho_code code = ho_gate_read_waited(l->in->project, row->id, arena, &waited.digest, &waited.receiver, err);
  bool on_its_way = same_way(&waited, l->route);
  if (!code && same_kind && ho_send_is_same(l->in, &waited))
    part = (likeness){SAME, SAME};
  else if (!code)
    code = compare_text(l, &waited, arena, &part, err);
  int score = score_of(l, row, part.any, on_its_way, &like.how);
  if (code || !score || score < l->best)
    return code;
  code = ho_gate_read_standing_by(l->in->project, &l->deciders, row->id, l->in->arena, &like.gate, &like.waits, err);
  if (!code && (!like.gate.id.n || (!like.waits && !speaks_for(&waited, l->route))))
    return HO_OK;
  if (!code && !like.waits)
    score = score_of(l, row, part.whole, on_its_way, &like.how);
  if (code || !score || score < l->best || (score == l->best && !is_later(&like.gate, &l->like.gate)))
    return code;
  like.handoff = row->id;
  like.document = like.waits && (ho_str_eq(like.gate.digest, waited.digest) || is_lost(l, like.gate.digest, arena));
  l->best = score;
  l->like = like;
  return HO_OK;
}

static ho_code compare_all(looking *l, const ho_handoff_list *list, ho_error *err)
{
  ho_code code = HO_OK;
  for (size_t i = 0; !code && i < list->count; i++) {
    ho_arena arena; /* there may be many */
    ho_arena_init(&arena, 0);
    code = compare(l, &list->rows[i], &arena, err);
    ho_arena_free(&arena);
  }
  return code;
}

ho_code ho_send_find_like(ho_send *in, const ho_route *route, ho_str path, ho_send_like *out, ho_error *err)
{
  looking l = {.in = in, .route = route, .path = path};
  ho_handoff_list list;
  *out = (ho_send_like){0};
  ho_code code = ho_gates_handoffs(in->project->store, APPROVED, MOST, in->arena, &list, err);
  if (!code && list.count) {
    l.own = read_grams_of(&in->seen.doc, in->arena);
    code = ho_deciders_load(in->project, in->arena, &l.deciders, err);
  }
  if (!code)
    code = compare_all(&l, &list, err);
  if (!code)
    *out = l.like;
  return code;
}

ho_code ho_send_draft_like(ho_project *project, const ho_handoff *draft, ho_arena *arena, ho_send_like *out,
                           ho_error *err)
{
  ho_send in = {.project = project, .arena = arena, .path = draft->id};
  ho_route route = {.sender = draft->sender, .receiver = draft->receiver};
  *out = (ho_send_like){0};
  ho_code code = ho_bodies_get(project->store, draft->digest, arena, &in.seen.body, err);
  if (!code)
    code = ho_doc_read(&in.seen.doc, arena, in.path, in.seen.body, ho_format_named(draft->kind), err);
  if (code)
    return code;
  ho_digest_text(in.seen.body, in.seen.digest);
  return ho_send_find_like(&in, &route, HO_EMPTY, out, err);
}

ho_str ho_send_like_sentence(ho_arena *arena, ho_str id, const ho_send_like *like)
{
  return ho_arena_printf(arena, "%.*s %s %.*s, which %s %.*s, so it waits for a person as well", HO_ARG(id), like->how,
                         HO_ARG(like->handoff), like->gate.state == HO_GATE_OPEN ? "waits at" : "was rejected at",
                         HO_ARG(like->gate.id));
}
