/* What was learned: nodes and their sources, edges in both directions, closing, forgetting, choosing. */
#include "store/support.h"

#include "store/handoffs/handoffs.h"
#include "store/knowledge/known.h"

/* One document and one thing that it says. */
typedef struct saying {
  const char *origin, *digest, *task, *outcome, *agent;
  int64_t at;
  ho_known_kind kind;
  const char *id, *text, *detail, *tags, *asks;
  int64_t severity, print, line;
  /* Filled. */
  int64_t n, origin_n;
  bool same;
  place *p;
} saying;

static ho_str text_or_empty(const char *text)
{
  return text ? ho_str_of(text) : HO_EMPTY;
}

static ho_code say_work(ho_store *store, void *data, ho_error *err)
{
  saying *s = data;
  ho_known_origin origin = {.name = ho_str_of(s->origin),
                            .digest = ho_str_of(s->digest ? s->digest : "d"),
                            .format = HO_STR("task"),
                            .task = text_or_empty(s->task),
                            .agent = text_or_empty(s->agent),
                            .outcome = text_or_empty(s->outcome),
                            .at = s->at};
  ho_known known = {.id = text_or_empty(s->id),
                    .kind = s->kind ? s->kind : HO_KNOWN_GOTCHA,
                    .text = ho_str_of(s->text),
                    .detail = text_or_empty(s->detail),
                    .tags = text_or_empty(s->tags),
                    .severity = s->severity,
                    .state = HO_KNOWN_OPEN};
  ho_known_source source = {.line = s->line ? s->line : 1, .role = HO_STR("warnings"), .asks = text_or_empty(s->asks)};
  ho_code code = ho_known_begin(store, &origin, &s->same, err);
  if (!code)
    code = ho_known_put(store, &known, s->print, &origin, &source, &s->p->arena, err);
  s->n = known.n;
  s->origin_n = origin.n;
  return code;
}

/* Learns it in a transaction of its own; the node's number. */
static int64_t say(place *p, saying s)
{
  s.p = p;
  must(p, ho_store_write(p->store, say_work, &s, &p->err));
  return s.n;
}

static ho_known get(place *p, int64_t n)
{
  ho_known known;
  bool found = false;
  must(p, ho_known_get(p->store, n, &p->arena, &known, &found, &p->err));
  assert_true(found);
  return known;
}

static bool is_known(place *p, int64_t n)
{
  ho_known known;
  bool found = true;
  must(p, ho_known_get(p->store, n, &p->arena, &known, &found, &p->err));
  return found;
}

static size_t found(place *p, const ho_known_filter *filter)
{
  ho_known_list list;
  must(p, ho_known_choose(p->store, filter, &p->arena, &list, &p->err));
  return list.count;
}

#define FOUND(p, ...) found((p), &(ho_known_filter){__VA_ARGS__})

/* Two sightings are one node: the higher severity, all tags, the newer details, whichever is learned first. */
static void test_one_node(void **state)
{
  place *p = *state;
  int64_t n = say(p, (saying){.origin = "HO-1",
                              .at = 20,
                              .text = "Rate",
                              .detail = "{\"a\":\"new\"}",
                              .tags = "api x",
                              .severity = 2,
                              .print = 5});
  assert_int_equal(say(p, (saying){.origin = "HO-2",
                                   .at = 10,
                                   .text = "rate!",
                                   .detail = "{\"a\":\"old\"}",
                                   .tags = "x y",
                                   .severity = 3,
                                   .print = 5}),
                   n);
  ho_known known = get(p, n);
  assert_str(known.text, "Rate");
  assert_str(known.detail, "{\"a\":\"new\"}");
  assert_str(known.tags, "api x y");
  assert_int_equal(known.severity, 3);
  assert_int_equal(known.sources, 2);
  assert_int_equal(known.first, 10);
  assert_int_equal(known.last, 20);
  /* The same place again is no further source. */
  saying again = {.origin = "HO-3", .at = 30, .text = "Rate", .print = 5};
  say(p, again);
  say(p, again);
  assert_int_equal(get(p, n).sources, 3);
  ho_known_source_list said;
  must(p, ho_known_sources(p->store, n, 2, &p->arena, &said, &p->err));
  assert_int_equal(said.count, 2);
  assert_str(said.rows[0].origin, "HO-3"); /* the newest first */
  assert_str(said.rows[1].origin, "HO-1");
}

/* An author's id is kept where it is free; else it is made of the kind and the print, always the same. */
static void test_ids(void **state)
{
  place *p = *state;
  ho_known known;
  bool is_there;
  int64_t first = say(p, (saying){.origin = "HO-1", .at = 1, .id = "g-1", .text = "One", .print = 0xabc});
  int64_t second = say(p, (saying){.origin = "HO-2", .at = 2, .id = "g-1", .text = "Two", .print = 0xdef});
  assert_str(get(p, first).id, "g-1");
  assert_str(get(p, second).id, "gotcha-000000000000def");
  must(p, ho_known_by_id(p->store, HO_STR("gotcha-000000000000def"), &p->arena, &known, &is_there, &p->err));
  assert_true(is_there && known.n == second);
  /* Nobody can take all ids that it might get. */
  say(p, (saying){.origin = "HO-7", .at = 2, .id = "gotcha-000000000000fed", .text = "Three", .print = 0x1});
  say(p, (saying){.origin = "HO-8", .at = 2, .id = "gotcha-000000000000fed-2", .text = "Four", .print = 0x2});
  int64_t last = say(p, (saying){.origin = "HO-9", .at = 2, .id = "g-1", .text = "Five", .print = 0xfed});
  assert_str(get(p, last).id, "gotcha-000000000000fed-3");
  /* Said again under another id it keeps its own. */
  say(p, (saying){.origin = "HO-3", .at = 3, .id = "g-9", .text = "One", .print = 0xabc});
  assert_str(get(p, first).id, "g-1");
  must(p, ho_known_by_id(p->store, HO_STR("g-9"), &p->arena, &known, &is_there, &p->err));
  assert_false(is_there);
}

typedef struct linking {
  int64_t from, to, origin;
  ho_edge_type type;
} linking;

static ho_code link_work(ho_store *store, void *data, ho_error *err)
{
  linking *l = data;
  return ho_known_link(store, l->from, l->type, l->to, l->origin, err);
}

static void link_up(place *p, int64_t from, ho_edge_type type, int64_t to, int64_t origin)
{
  linking l = {from, to, origin, type};
  must(p, ho_store_write(p->store, link_work, &l, &p->err));
}

static void test_edges(void **state)
{
  place *p = *state;
  ho_edge_list edges;
  int64_t n[3];
  for (int i = 0; i < 3; i++)
    n[i] = say(p, (saying){.origin = "HO-1", .at = 1, .text = "x", .print = i + 1, .line = i + 1});
  link_up(p, n[0], HO_EDGE_BLOCKS, n[1], 1);
  link_up(p, n[0], HO_EDGE_BLOCKS, n[1], 1); /* the same one */
  link_up(p, n[0], HO_EDGE_BLOCKS, n[1], 2); /* said by another document: still one edge */
  link_up(p, n[0], HO_EDGE_DEPENDS_ON, n[2], 1);
  link_up(p, n[2], HO_EDGE_BLOCKS, n[1], 1);
  link_up(p, n[1], HO_EDGE_ANSWERS, n[1], 1); /* to itself: none */
  must(p, ho_known_edges_from(p->store, n[0], 0, 10, &p->arena, &edges, &p->err));
  assert_int_equal(edges.count, 2);
  assert_int_equal(edges.rows[0].type, HO_EDGE_BLOCKS);
  assert_int_equal(edges.rows[0].to, n[1]);
  assert_int_equal(edges.rows[1].to, n[2]);
  must(p, ho_known_edges_from(p->store, n[0], HO_EDGE_DEPENDS_ON, 10, &p->arena, &edges, &p->err));
  assert_int_equal(edges.count, 1);
  must(p, ho_known_edges_to(p->store, n[1], HO_EDGE_BLOCKS, 10, &p->arena, &edges, &p->err));
  assert_int_equal(edges.count, 2);
  assert_int_equal(edges.rows[0].from, n[2]); /* the newest first */
  assert_int_equal(edges.rows[1].from, n[0]);
  must(p, ho_known_edges_to(p->store, n[1], 0, 1, &p->arena, &edges, &p->err));
  assert_int_equal(edges.count, 1);
  must(p, ho_known_edges_from(p->store, n[1], 0, 10, &p->arena, &edges, &p->err));
  assert_int_equal(edges.count, 0);
  assert_string_equal(ho_known_edge_name(HO_EDGE_SUPERSEDES), "supersedes");
  assert_string_equal(ho_known_edge_name(0), "");
  assert_string_equal(ho_known_edge_name(99), "");
}

typedef struct closing {
  int64_t node, origin;
} closing;

static ho_code close_work(ho_store *store, void *data, ho_error *err)
{
  closing *c = data;
  return ho_known_close(store, c->node, c->origin, HO_STR("HO-9"), err);
}

/* A question is open as long as one of those who ask it has no answer. */
static void test_closing(void **state)
{
  place *p = *state;
  ho_known_ask_list asks;
  saying first = {
      .origin = "HO-1", .at = 1, .kind = HO_KNOWN_QUESTION, .text = "Why?", .print = 1, .asks = "7", .p = p};
  saying second = first;
  second.origin = "HO-2#3";
  second.at = 2;
  must(p, ho_store_write(p->store, say_work, &first, &p->err));
  must(p, ho_store_write(p->store, say_work, &second, &p->err));
  must(p, ho_known_asking(p->store, HO_STR("7"), HO_EMPTY, 2, &p->arena, &asks, &p->err));
  assert_int_equal(asks.count, 1); /* older than 2 */
  assert_int_equal(asks.rows[0].origin, first.origin_n);
  must(p, ho_known_asking(p->store, HO_STR("7"), HO_STR("other phase"), 9, &p->arena, &asks, &p->err));
  assert_int_equal(asks.count, 0);
  must(p, ho_known_asked_in(p->store, HO_STR("HO-2"), &p->arena, &asks, &p->err));
  assert_int_equal(asks.count, 1);
  must(p, ho_known_asked_in(p->store, HO_STR("HO-1"), &p->arena, &asks, &p->err));
  assert_int_equal(asks.count, 0); /* asked in the document itself */
  closing c = {first.n, first.origin_n};
  must(p, ho_store_write(p->store, close_work, &c, &p->err));
  assert_int_equal(get(p, first.n).state, HO_KNOWN_OPEN);
  assert_int_equal(FOUND(p, .state = HO_KNOWN_OPEN), 1);
  c.origin = 0;
  must(p, ho_store_write(p->store, close_work, &c, &p->err));
  assert_int_equal(get(p, first.n).state, HO_KNOWN_CLOSED);
  assert_int_equal(FOUND(p, .state = HO_KNOWN_OPEN), 0);
  assert_int_equal(FOUND(p, .state = HO_KNOWN_CLOSED, .query = HO_STR("why")), 1);
  ho_known_source_list said;
  must(p, ho_known_sources(p->store, first.n, 9, &p->arena, &said, &p->err));
  assert_str(said.rows[0].closed_by, "HO-9");
  /* Asked once more, it is open once more. */
  say(p, (saying){.origin = "HO-4", .at = 4, .kind = HO_KNOWN_QUESTION, .text = "Why?", .print = 1, .asks = "7"});
  assert_int_equal(get(p, first.n).state, HO_KNOWN_OPEN);
}

/* A document that says something else takes back what it said. */
static void test_changed(void **state)
{
  place *p = *state;
  saying s = {.origin = "a.md", .digest = "1", .at = 1, .text = "Old words", .print = 1, .tags = "t", .p = p};
  must(p, ho_store_write(p->store, say_work, &s, &p->err));
  int64_t old = s.n;
  link_up(p, old, HO_EDGE_APPLIES_TO, say(p, (saying){.origin = "b.md", .at = 1, .text = "b", .print = 9}), s.origin_n);
  must(p, ho_store_write(p->store, say_work, &s, &p->err));
  assert_true(s.same);
  s.digest = "2";
  s.text = "New words";
  s.print = 2;
  must(p, ho_store_write(p->store, say_work, &s, &p->err));
  assert_false(s.same);
  assert_int_equal(FOUND(p, .query = HO_STR("old")), 0);
  assert_int_equal(FOUND(p, .query = HO_STR("new words")), 1);
  ho_edge_list edges;
  must(p, ho_known_edges_from(p->store, old, HO_EDGE_APPLIES_TO, 9, &p->arena, &edges, &p->err));
  assert_int_equal(edges.count, 0);
}

typedef struct forgetting {
  ho_handoff rows[2];
  size_t count;
} forgetting;

static ho_code forget_work(ho_store *store, void *data, ho_error *err)
{
  forgetting *f = data;
  ho_handoff_list list = {f->rows, f->count};
  return ho_known_forget(store, &list, err);
}

static void test_forgetting(void **state)
{
  place *p = *state;
  int64_t alone = say(p, (saying){.origin = "HO-1", .at = 1, .text = "Alone", .print = 1, .line = 1});
  int64_t shared = say(p, (saying){.origin = "HO-1",
                                   .at = 1,
                                   .text = "SHARED",
                                   .detail = "{\"why\":\"first\"}",
                                   .tags = "a",
                                   .severity = 3,
                                   .print = 2,
                                   .line = 2});
  say(p, (saying){.origin = "HO-10", .at = 2, .text = "Shared", .tags = "b", .severity = 1, .print = 2});
  say(p, (saying){.origin = "HO-11", .at = 3, .text = "shared!", .tags = "c", .severity = 2, .print = 2});
  int64_t asked =
      say(p, (saying){.origin = "HO-1#2", .at = 4, .kind = HO_KNOWN_QUESTION, .text = "Q", .print = 3, .asks = "-"});
  int64_t done =
      say(p, (saying){.origin = "HO-2", .at = 5, .task = "7", .outcome = "completed", .text = "T", .print = 4});
  link_up(p, shared, HO_EDGE_SUPERSEDES, alone, 1);
  forgetting f = {{{.id = HO_STR("HO-1")}, {.id = HO_STR("HO-2")}}, 2};
  must(p, ho_store_write(p->store, forget_work, &f, &p->err));
  assert_false(is_known(p, alone));
  assert_false(is_known(p, asked)); /* an event of the handoff */
  assert_false(is_known(p, done));
  ho_known known = get(p, shared); /* HO-10 and HO-11 are other handoffs */
  assert_str(known.text, "Shared");
  assert_str(known.tags, "b c");
  assert_str(known.detail, "");
  assert_int_equal(known.severity, 2);
  assert_int_equal(known.sources, 2);
  assert_int_equal(known.first, 2);
  assert_int_equal(FOUND(p, .query = HO_STR("alone")), 0);
  assert_int_equal(FOUND(p, .tag = HO_STR("a")), 0);
  assert_int_equal(FOUND(p, .tag = HO_STR("c"), .query = HO_STR("shared")), 1);
  assert_int_equal(FOUND(p, .severity = 3), 0);
  ho_edge_list edges;
  must(p, ho_known_edges_from(p->store, shared, 0, 9, &p->arena, &edges, &p->err));
  assert_int_equal(edges.count, 0);
  /* That the task was completed is still known. */
  ho_str by;
  must(p, ho_known_completed(p->store, HO_STR("7"), HO_EMPTY, 1, &p->arena, &by, &p->err));
  assert_str(by, "HO-2");
  must(p, ho_store_write(p->store, forget_work, &f, &p->err)); /* nothing is left to forget */
  f = (forgetting){{{.id = HO_STR("HO-11")}, {.id = HO_STR("HO-10")}}, 2};
  must(p, ho_store_write(p->store, forget_work, &f, &p->err));
  assert_false(is_known(p, shared));
  assert_int_equal(FOUND(p, .limit = 100), 0);
}

static void test_choosing(void **state)
{
  place *p = *state;
  for (int i = 1; i <= 60; i++)
    say(p, (saying){.origin = ho_arena_printf(&p->arena, "HO-%d", i).p,
                    .at = i,
                    .task = i % 2 ? "odd" : "even",
                    .agent = i % 3 ? "ann" : "bob",
                    .kind = i % 5 ? HO_KNOWN_GOTCHA : HO_KNOWN_PATTERN,
                    .text = ho_arena_printf(&p->arena, "Fact %d about AuthContext", i).p,
                    .detail = "{\"mitigation\":\"retry later\"}",
                    .tags = i % 4 ? "auth" : "auth slow",
                    .severity = i % 4,
                    .print = i});
  assert_int_equal(FOUND(p), 48); /* what is looked at where nothing is said */
  assert_int_equal(FOUND(p, .limit = 1000), 60);
  assert_int_equal(FOUND(p, .limit = 7, .query = HO_STR("fact")), 7);
  assert_int_equal(FOUND(p, .limit = 99, .query = HO_STR("auth context")), 60); /* the parts of AuthContext */
  assert_int_equal(FOUND(p, .limit = 99, .query = HO_STR("retry")), 60);        /* in the details */
  assert_int_equal(FOUND(p, .limit = 99, .query = HO_STR("mitigation")), 0);    /* not their names */
  assert_int_equal(FOUND(p, .limit = 99, .query = HO_STR("\"about AuthContext\"")), 60);
  assert_int_equal(FOUND(p, .limit = 99, .query = HO_STR("abo*")), 60);
  assert_int_equal(FOUND(p, .limit = 99, .query = HO_STR("nowhere")), 0);
  assert_int_equal(FOUND(p, .limit = 99, .query = HO_STR("***")), 0);
  assert_int_equal(FOUND(p, .limit = 99, .query = HO_STR("\" OR facets : (")), 0);
  assert_int_equal(FOUND(p, .limit = 99, .kind = HO_KNOWN_PATTERN), 12);
  assert_int_equal(FOUND(p, .limit = 99, .tag = HO_STR("slow")), 15);
  assert_int_equal(FOUND(p, .limit = 99, .severity = HO_KNOWN_HIGH), 15);
  assert_int_equal(FOUND(p, .limit = 99, .severity = HO_KNOWN_LOW), 45);
  assert_int_equal(FOUND(p, .limit = 99, .task = HO_STR("odd")), 30);
  assert_int_equal(FOUND(p, .limit = 99, .task = HO_STR("odd"), .agent = HO_STR("bob")), 10);
  assert_int_equal(FOUND(p, .limit = 99, .agent = HO_STR("bob"), .kind = HO_KNOWN_PATTERN), 4);
  assert_int_equal(FOUND(p, .limit = 99, .since = 51), 10);
  assert_int_equal(FOUND(p, .limit = 99, .since = 51, .query = HO_STR("fact"), .kind = HO_KNOWN_PATTERN), 2);
  ho_known_list list;
  must(p, ho_known_choose(p->store, &(ho_known_filter){.limit = 3}, &p->arena, &list, &p->err));
  assert_int_equal(list.rows[0].last, 60); /* the newest first */
  int64_t count;
  must(p, ho_known_count(p->store, HO_KNOWN_GOTCHA, HO_KNOWN_OPEN, HO_KNOWN_HIGH, &count, &p->err));
  assert_int_equal(count, 12);
  must(p, ho_known_of_kind(p->store, HO_KNOWN_GOTCHA, HO_KNOWN_OPEN, HO_KNOWN_LOW, 5, &p->arena, &list, &p->err));
  assert_int_equal(list.count, 5);
  assert_int_equal(list.rows[0].severity, HO_KNOWN_HIGH);
  assert_int_equal(list.rows[0].last, 59);
}

static void test_words(void **state)
{
  ho_str text = HO_STR("Use getUser() for the naïve API"), detail = HO_STR("{\"why\":\"it caches\"}");
  (void)state;
  assert_true(ho_known_has(HO_STR("use api"), text, detail, HO_EMPTY));
  assert_true(ho_known_has(HO_STR("user"), text, detail, HO_EMPTY)); /* a part of getUser */
  assert_true(ho_known_has(HO_STR("naïve caches auth"), text, detail, HO_STR("auth x")));
  assert_true(ho_known_has(HO_STR("\"for the\""), text, detail, HO_EMPTY));
  assert_true(ho_known_has(HO_STR("cach*"), text, detail, HO_EMPTY));
  assert_true(ho_known_has(HO_EMPTY, text, detail, HO_EMPTY));
  assert_false(ho_known_has(HO_STR("cach"), text, detail, HO_EMPTY));
  assert_false(ho_known_has(HO_STR("\"the for\""), text, detail, HO_EMPTY));
  assert_false(ho_known_has(HO_STR("api nothing"), text, detail, HO_EMPTY));
  assert_false(ho_known_has(HO_STR("a"), HO_EMPTY, HO_EMPTY, HO_EMPTY));
}

/* Whatever a text holds, it comes back as it is, is found, and can be taken out of the index again. */
static void test_hostile(void **state)
{
  place *p = *state;
  static const char *const texts[] = {"'; DROP TABLE knowledge; -- word", "\" OR 1 word",
                                      "word \033[31m\x01 %s %n",          "word } ] {\"a\":",
                                      "word NEAR(a b) AND NOT words : x", "\xff\xfe word \xc3"};
  for (size_t i = 0; i < HO_COUNT(texts); i++) {
    saying s = {.origin = ho_arena_printf(&p->arena, "%s#1", texts[i]).p,
                .digest = "1",
                .at = 1,
                .text = texts[i],
                .detail = i % 2 ? "{\"not\": json" : "{\"x\":[1,{\"y\":\"word\"}]}",
                .tags = texts[i],
                .print = (int64_t)i + 1};
    int64_t n = say(p, s);
    assert_str(get(p, n).text, texts[i]);
    assert_int_equal(FOUND(p, .query = HO_STR("word")), i + 1);
  }
  for (size_t i = 0; i < HO_COUNT(texts); i++) {
    saying s = {
        .origin = ho_arena_printf(&p->arena, "%s#1", texts[i]).p, .digest = "2", .at = 1, .text = "x", .print = 99};
    say(p, s);
    assert_int_equal(FOUND(p, .query = HO_STR("word")), HO_COUNT(texts) - 1 - i);
  }
}

static void test_refusals(void **state)
{
  place *p = *state;
  ho_known known = {0};
  ho_known_origin origin = {0};
  ho_known_source source = {0};
  ho_handoff_list none = {0};
  bool same;
  assert_int_equal(ho_known_begin(p->store, &origin, &same, &p->err), HO_BUG);
  assert_int_equal(ho_known_put(p->store, &known, 1, &origin, &source, &p->arena, &p->err), HO_BUG);
  assert_int_equal(ho_known_link(p->store, 1, HO_EDGE_BLOCKS, 2, 1, &p->err), HO_BUG);
  assert_int_equal(ho_known_close(p->store, 1, 0, HO_EMPTY, &p->err), HO_BUG);
  assert_int_equal(ho_known_set_state(p->store, 1, HO_KNOWN_CLOSED, &p->err), HO_BUG);
  assert_int_equal(ho_known_forget(p->store, &none, &p->err), HO_BUG);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_place, end_place)
      TEST(test_one_node),   TEST(test_ids),      TEST(test_edges),   TEST(test_closing),  TEST(test_changed),
      TEST(test_forgetting), TEST(test_choosing), TEST(test_hostile), TEST(test_refusals), cmocka_unit_test(test_words),
  };
  return unit_run(tests);
}
