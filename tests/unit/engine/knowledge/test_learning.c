/* Learning: what counts as the same, what documents say, what settles questions, how answers are ranked. */
#include "engine/ledger_support.h"

#include "base/digest.h"
#include "base/limits.h"
#include "engine/knowledge/graph.h"
#include "engine/knowledge/know.h"
#include "engine/ledger/quality.h"
#include "engine/ledger/write.h"
#include "model/formats/formats.h"

/* ---- Texts */

static ho_str normal(project *p, const char *text)
{
  return ho_knowledge_normal(&p->arena, ho_str_of(text));
}

static void test_same(void **state)
{
  project *p = *state;
  static const char *const same[][2] = {
      {"API rate limit is 100/min", "The API rate limit is... 100/min!"},
      {"Use `AuthContext.getUser()` for state", "use AuthContext.getUser for the state."},
      {"  A   \"quoted\"\n\ttext ", "quoted text"},
      {"**Bold** and _soft_", "bold and soft"},
      {"(in brackets) [here]", "in brackets here"},
      {"Wait; then go: now, please?", "wait then go now please"},
  };
  static const char *const different[][2] = {
      {"100 a minute", "1000 a minute"},
      {"use X", "do not use X"},
      {"a before b", "b before a"},
      {"version 1.5", "version 15"},
      {"x != y", "x = y"},
      {"limit -5", "limit 5"},
      {"a < b", "a > b"},
      {"C++ only", "C only"},
      {"use a.b()", "use ab()"},
      {"Größe zählt", "Grosse zahlt"},
      {"don't", "dont"},
      {"!ready", "ready"},
  };
  assert_str(normal(p, "The API rate limit!"), "api rate limit");
  assert_str(normal(p, "Use AuthContext.getUser() for the user-state, v1.5."),
             "use authcontext.getuser for user-state v1.5");
  for (size_t i = 0; i < HO_COUNT(same); i++)
    assert_int_equal(ho_knowledge_print(&p->arena, HO_KNOWN_GOTCHA, ho_str_of(same[i][0])),
                     ho_knowledge_print(&p->arena, HO_KNOWN_GOTCHA, ho_str_of(same[i][1])));
  for (size_t i = 0; i < HO_COUNT(different); i++)
    if (ho_knowledge_print(&p->arena, HO_KNOWN_GOTCHA, ho_str_of(different[i][0])) ==
        ho_knowledge_print(&p->arena, HO_KNOWN_GOTCHA, ho_str_of(different[i][1])))
      fail_msg("'%s' and '%s' are taken for the same", different[i][0], different[i][1]);
  /* The same words of another kind are another thing; names count letter by letter. */
  assert_int_not_equal(ho_knowledge_print(&p->arena, HO_KNOWN_GOTCHA, HO_STR("x")),
                       ho_knowledge_print(&p->arena, HO_KNOWN_PATTERN, HO_STR("x")));
  assert_int_not_equal(ho_knowledge_print(&p->arena, HO_KNOWN_FILE, HO_STR("A.c")),
                       ho_knowledge_print(&p->arena, HO_KNOWN_FILE, HO_STR("a.c")));
  /* Texts of nothing but marks, of articles, of any bytes, of none. */
  assert_int_not_equal(ho_knowledge_print(&p->arena, HO_KNOWN_FACT, HO_STR("???")),
                       ho_knowledge_print(&p->arena, HO_KNOWN_FACT, HO_STR("...")));
  assert_str(normal(p, "a an the"), "");
  assert_str(normal(p, ""), "");
  ho_str zero = {"a\0b", 3};
  assert_str(ho_knowledge_normal(&p->arena, zero), "b");
  /* The print is in stores: it never changes. */
  assert_true(ho_knowledge_print(&p->arena, HO_KNOWN_GOTCHA, HO_STR("The API rate limit!")) > 0);
}

static void test_paths_and_tags(void **state)
{
  project *p = *state;
  static const char *const paths[][2] = {
      {"src/a.c", "src/a.c"},
      {"./src/a.c:12", "src/a.c"},
      {"`src/a.c:12-40`", "src/a.c"},
      {"src/a.c#L12", "src/a.c"},
      {"/srv/x/src/a.c", "src/a.c"},
      {"(src/a.c),", "src/a.c"},
      {"https://a.b/c", ""},
      {"two words.c", ""},
      {"{path}", ""},
      {"", ""},
      {"a\tb", ""},
  };
  for (size_t i = 0; i < HO_COUNT(paths); i++)
    assert_str(ho_knowledge_path(&p->arena, HO_STR("/srv/x"), ho_str_of(paths[i][0])), paths[i][1]);
  char longest[600];
  memset(longest, 'x', sizeof longest - 1);
  longest[sizeof longest - 1] = '\0';
  assert_str(ho_knowledge_path(&p->arena, HO_EMPTY, ho_str_of(longest)), "");
  assert_int_equal(ho_knowledge_tag(&p->arena, ho_str_of(longest)).n, 64);
  assert_str(ho_knowledge_tag(&p->arena, HO_STR("  User State! ")), "user-state");
  assert_str(ho_knowledge_tag(&p->arena, HO_STR("C++ / c#")), "c++-c#");
  assert_str(ho_knowledge_tag(&p->arena, HO_STR("--- ")), "");
  assert_str(ho_knowledge_id(&p->arena, HO_KNOWN_FILE, HO_STR("a b")), "file:a b");
}

/* ---- Documents */

typedef struct lesson {
  project *p;
  const char *name, *text;
  int64_t at;
  ho_learned sum;
} lesson;

static ho_code learn_work(ho_store *store, void *data, ho_error *err)
{
  lesson *l = data;
  ho_doc *doc = HO_NEW(&l->p->arena, ho_doc);
  char digest[HO_DIGEST_SIZE];
  (void)store;
  ho_digest_text(ho_str_of(l->text), digest);
  ho_code code = ho_doc_read(doc, &l->p->arena, ho_str_of(l->name), ho_str_of(l->text), &ho_format_task, err);
  return code ? code
              : ho_knowledge_file(&l->p->project, &l->p->arena, ho_str_of(l->name),
                                  ho_arena_copy(&l->p->arena, ho_str_of(digest)), l->at, doc, &l->sum, err);
}

/* Learns a task handoff (YAML) from a file of this name. A first line "task: ID" makes it the block of that task's file. */
static ho_learned learn(project *p, const char *name, int64_t at, const char *text)
{
  lesson l = {.p = p, .name = name, .text = text, .at = at};
  ho_str rest = ho_str_of(text), line;
  if (ho_str_starts(rest, "task: ") && ho_str_next_line(&rest, &line)) {
    l.name = ho_arena_printf(&p->arena, "%s.md", name).p;
    l.text = ho_arena_printf(&p->arena, "# Task %.*s: Name\n\n## Handoff\n\n```yaml\n%.*s```\n",
                             HO_ARG(ho_str_sub(line, 6, line.n)), HO_ARG(rest))
                 .p;
  }
  must(p, ho_ledger_write(&p->project, learn_work, &l, &p->err));
  return l.sum;
}

static ho_known known_by(project *p, const char *query)
{
  ho_known_list list;
  ho_known_filter filter = {.query = ho_str_of(query)};
  must(p, ho_know_find(&p->project, &filter, 5, &p->arena, &list, &p->err));
  if (!list.count)
    fail_msg("nothing is known of '%s'", query);
  return list.rows[0];
}

static void test_items(void **state)
{
  project *p = *state;
  ho_items items;
  ho_doc doc;
  static const char text[] = "x_task: task-7\n"
                             "outcome: blocked\n"
                             "files_created:\n"
                             "  - {path: /r/src/a.c, purpose: Reads, lines: 1-2}\n"
                             "patterns_discovered:\n"
                             "  - {pattern: Use it, location: \"src/a.c:9\", applies_to: [Auth, auth, User State]}\n"
                             "gotchas:\n"
                             "  - {id: g-1, issue: Slow, mitigation: Wait, severity: high}\n"
                             "  - {issue: None}\n"
                             "open_questions:\n"
                             "  - {question: Why?, blocking: true}\n"
                             "  - {question: Who?, resolved: true}\n"
                             "blockers:\n"
                             "  - {blocker: No key, blocking_tasks: [8, 9]}\n"
                             "suggested_next_steps:\n"
                             "  - {step: Go, priority: low, depends_on: [a.c]}\n";
  static const struct {
    ho_known_kind kind;
    const char *text;
    int64_t severity;
    unsigned line;
  } wanted[] = {{HO_KNOWN_FILE, "src/a.c", 0, 4},   {HO_KNOWN_PATTERN, "Use it", 0, 6},
                {HO_KNOWN_GOTCHA, "Slow", 3, 8},    {HO_KNOWN_STEP, "Go", 1, 16},
                {HO_KNOWN_QUESTION, "Why?", 3, 11}, {HO_KNOWN_QUESTION, "Who?", 0, 12},
                {HO_KNOWN_BLOCKER, "No key", 3, 14}};
  must(p, ho_doc_read(&doc, &p->arena, HO_STR("x.yaml"), HO_STR(text), &ho_format_task, &p->err));
  must(p, ho_knowledge_items(&doc, HO_STR("/r"), &p->arena, &items, &p->err));
  assert_int_equal(items.count, HO_COUNT(wanted));
  for (size_t w = 0; w < HO_COUNT(wanted); w++) {
    size_t i = 0;
    while (i < items.count && (items.rows[i].kind != wanted[w].kind || !ho_str_is(items.rows[i].text, wanted[w].text)))
      i++;
    if (i == items.count)
      fail_msg("no %s '%s'", ho_words_name(&ho_known_kinds, wanted[w].kind), wanted[w].text);
    assert_int_equal(items.rows[i].severity, wanted[w].severity);
    assert_int_equal(items.rows[i].line, wanted[w].line);
    if (ho_str_is(items.rows[i].text, "Use it")) {
      assert_str(items.rows[i].tags, "auth user-state"); /* each once */
      assert_str(items.rows[i].place, "src/a.c");
    }
    if (ho_str_is(items.rows[i].text, "Slow"))
      assert_true(items.rows[i].own_id);
    assert_int_equal(items.rows[i].resolved, ho_str_is(items.rows[i].text, "Who?"));
  }
  assert_str(items.outcome, "blocked");
  assert_int_equal(items.left_out, 0);
}

/* Beyond the limit of one document nothing is learned, and that is said. */
static void test_limit(void **state)
{
  project *p = *state;
  ho_buf text;
  ho_items items;
  ho_doc doc;
  ho_buf_init(&text, 0);
  ho_buf_puts(&text, "{\"outcome\": \"completed\", \"gotchas\": [");
  for (int i = 0; i < HO_LIMIT_LEARNED + 3; i++)
    ho_buf_printf(&text, "%s{\"issue\":\"%d\"}", i ? "," : "", i);
  ho_buf_puts(&text, "]}");
  must(p, ho_doc_read(&doc, &p->arena, HO_STR("x.json"), ho_buf_str(&text), &ho_format_task, &p->err));
  must(p, ho_knowledge_items(&doc, HO_EMPTY, &p->arena, &items, &p->err));
  ho_buf_free(&text);
  assert_int_equal(items.count, HO_LIMIT_LEARNED);
  assert_int_equal(items.left_out, 3);
}

/* A question is settled by a later completion of its task, whichever document is learned first. */
static void test_settled(void **state)
{
  project *p = *state;
  static const char asks[] = "task: t1\noutcome: partial\nopen_questions:\n  - {question: Which port?}\n";
  static const char done[] = "task: t1\noutcome: completed\n";
  static const char asks2[] = "task: t2\noutcome: partial\nopen_questions:\n  - {question: Which host?}\n";
  static const char done2[] = "task: t2\noutcome: completed\n";
  learn(p, "1.yaml", 1000, asks);
  assert_int_equal(known_by(p, "port").state, HO_KNOWN_OPEN);
  learn(p, "2.yaml", 2000, done);
  assert_int_equal(known_by(p, "port").state, HO_KNOWN_CLOSED);
  learn(p, "4.yaml", 4000, done2);
  learn(p, "3.yaml", 3000, asks2);
  assert_int_equal(known_by(p, "host").state, HO_KNOWN_CLOSED);
  learn(p, "5.yaml", 5000, asks2); /* asked again after the completion */
  assert_int_equal(known_by(p, "host").state, HO_KNOWN_OPEN);
  /* Another task settles nothing. */
  learn(p, "6.yaml", 6000, "task: t3\noutcome: completed\n");
  assert_int_equal(known_by(p, "host").state, HO_KNOWN_OPEN);
}

/* A blocker is settled when all tasks that it blocks are completed. */
static void test_unblocked(void **state)
{
  project *p = *state;
  learn(p, "1.yaml", 1000, "task: a\noutcome: blocked\nblockers:\n  - {blocker: No key, blocking_tasks: [b, c]}\n");
  learn(p, "2.yaml", 2000, "task: b\noutcome: completed\n");
  assert_int_equal(known_by(p, "key").state, HO_KNOWN_OPEN);
  learn(p, "0.yaml", 500, "task: c\noutcome: completed\n"); /* completed before it was blocked */
  assert_int_equal(known_by(p, "key").state, HO_KNOWN_OPEN);
  learn(p, "3.yaml", 3000, "task: c\noutcome: completed\n");
  assert_int_equal(known_by(p, "key").state, HO_KNOWN_CLOSED);
}

static void test_marked(void **state)
{
  project *p = *state;
  static const char asks[] = "task: a\noutcome: partial\nblockers:\n  - {blocker: No key}\n";
  static const char says[] = "task: b\noutcome: partial\nblockers:\n  - {blocker: no key., status: resolved}\n";
  learn(p, "1.yaml", 1000, asks);
  learn(p, "2.yaml", 2000, says);
  assert_int_equal(known_by(p, "key").state, HO_KNOWN_CLOSED);
  assert_int_equal(known_by(p, "key").sources, 2);
  learn(p, "0.yaml", 500, asks); /* older, learned later */
  assert_int_equal(known_by(p, "key").state, HO_KNOWN_CLOSED);
  learn(p, "3.yaml", 3000, asks);
  assert_int_equal(known_by(p, "key").state, HO_KNOWN_OPEN);
}

/* An id that is used again for other words: the newer words count, whichever are learned first. */
static void test_superseded(void **state)
{
  project *p = *state;
  static const char old[] = "task: a\noutcome: completed\ngotchas:\n  - {id: g, issue: The limit is ten}\n";
  static const char newer[] = "task: a\noutcome: completed\ngotchas:\n  - {id: g, issue: The limit is twenty}\n";
  static const char other[] = "task: b\noutcome: completed\ngotchas:\n  - {id: g, issue: The limit is thirty}\n";
  ho_edge_list edges;
  learn(p, "2.yaml", 2000, newer);
  learn(p, "1.yaml", 1000, old);
  learn(p, "3.yaml", 3000, other); /* of another task: another thing with the same id */
  ho_known ten = known_by(p, "ten"), twenty = known_by(p, "twenty");
  assert_str(twenty.id, "g");
  assert_int_equal(ten.state, HO_KNOWN_CLOSED);
  assert_int_equal(twenty.state, HO_KNOWN_OPEN);
  assert_int_equal(known_by(p, "thirty").state, HO_KNOWN_OPEN);
  must(p, ho_known_edges_to(p->project.store, ten.n, HO_EDGE_SUPERSEDES, 9, &p->arena, &edges, &p->err));
  assert_int_equal(edges.count, 1);
  assert_int_equal(edges.rows[0].from, twenty.n);
}

static const char *version_of(project *p, const char *text)
{
  return ho_arena_printf(&p->arena, "task: a\noutcome: completed\ngotchas:\n  - {id: g, issue: The limit is %s}\n",
                         text)
      .p;
}

/* Of three texts only the last one is open, in whichever order they are learned; and an old one may come back. */
static void test_versions(void **state)
{
  project *p = *state;
  static const int orders[][3] = {{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}};
  static const char *const texts[] = {"ten", "twenty", "thirty"};
  for (size_t o = 0; o < HO_COUNT(orders); o++) {
    for (int i = 0; i < 3; i++) {
      int t = orders[o][i];
      /* A task of its own for each order. */
      ho_str text =
          ho_arena_printf(&p->arena, "task: t%zu\noutcome: completed\ngotchas:\n  - {id: g%zu, issue: \"%s: %zu\"}\n",
                          o, o, texts[t], o);
      learn(p, ho_arena_printf(&p->arena, "%zu-%d", o, t).p, 1000 * (t + 1), text.p);
    }
    for (int t = 0; t < 3; t++)
      assert_int_equal(known_by(p, ho_arena_printf(&p->arena, "%s %zu", texts[t], o).p).state,
                       t == 2 ? HO_KNOWN_OPEN : HO_KNOWN_CLOSED);
  }
  learn(p, "a", 1000, version_of(p, "one"));
  learn(p, "b", 2000, version_of(p, "two"));
  learn(p, "c", 3000, version_of(p, "one"));
  assert_int_equal(known_by(p, "limit one").state, HO_KNOWN_OPEN);
  assert_int_equal(known_by(p, "limit two").state, HO_KNOWN_CLOSED);
  learn(p, "d", 4000, version_of(p, "two"));
  assert_int_equal(known_by(p, "limit one").state, HO_KNOWN_CLOSED);
  assert_int_equal(known_by(p, "limit two").state, HO_KNOWN_OPEN);
}

/* Ids are the same in every store, and learning again changes nothing. */
static void test_stable(void **state)
{
  project *p = *state;
  static const char text[] = "outcome: completed\ngotchas:\n  - {issue: The API rate limit!}\npatterns_discovered:\n"
                             "  - {pattern: One, location: a.c}\n";
  ho_learned sum = learn(p, "1.yaml", 1000, text);
  assert_int_equal(sum.documents, 1);
  assert_int_equal(sum.items, 2);
  assert_str(known_by(p, "rate").id, "gotcha-9dc3d43e");
  sum = learn(p, "1.yaml", 1000, text);
  assert_int_equal(sum.unchanged, 1);
  assert_int_equal(sum.items, 0);
  assert_int_equal(known_by(p, "rate").sources, 1);
}

/* ---- Asking */

static void test_ranking(void **state)
{
  project *p = *state;
  ho_known_list list;
  static const char *const wanted[] = {"limit of high", "limit of twice", "limit of new",
                                       "limit of old",  "Limit asked",    "in the details"};
  learn(p, "1.yaml", 1000,
        "task: a\noutcome: partial\ngotchas:\n  - {issue: limit of old, severity: low}\n  - {issue: limit of twice, "
        "severity: low}\n"
        "  - {issue: in the details, mitigation: a limit, severity: high}\n  - {issue: limit of high, severity: high}\n"
        "open_questions:\n  - {question: Limit asked, blocking: true, resolved: true}\n");
  learn(p, "2.yaml", 2000,
        "task: a\noutcome: partial\ngotchas:\n  - {issue: limit of new, severity: low}\n  - {issue: limit of twice, "
        "severity: low}\n");
  ho_known_filter filter = {.query = HO_STR("limit")};
  must(p, ho_know_find(&p->project, &filter, 20, &p->arena, &list, &p->err));
  assert_int_equal(list.count, HO_COUNT(wanted));
  for (size_t i = 0; i < HO_COUNT(wanted); i++)
    assert_str(list.rows[i].text, wanted[i]);
  must(p, ho_know_find(&p->project, &filter, 2, &p->arena, &list, &p->err));
  assert_int_equal(list.count, 2);
  assert_str(list.rows[1].text, wanted[1]);
}

/* A severe gotcha is found though it is older than all that is looked at. */
static void test_old_and_severe(void **state)
{
  project *p = *state;
  ho_buf text;
  learn(p, "0.yaml", 1, "outcome: completed\ngotchas:\n  - {issue: thing that burns, severity: high}\n");
  ho_buf_init(&text, 0);
  ho_buf_puts(&text, "outcome: completed\ngotchas:\n");
  for (int i = 0; i < 100; i++)
    ho_buf_printf(&text, "  - {issue: thing %d, severity: low}\n", i);
  learn(p, "1.yaml", 2, ho_arena_z(&p->arena, ho_buf_str(&text)));
  ho_buf_free(&text);
  assert_str(known_by(p, "thing").text, "thing that burns");
}

/* ---- Drawing */

/* However many nodes a graph starts from, each keeps a share of the room; and no more are shown than were asked for. */
static void test_graph_shares(void **state)
{
  project *p = *state;
  ho_buf text;
  for (int i = 0; i < 6; i++) {
    ho_buf_init(&text, 0);
    ho_buf_printf(&text, "task: t%d\noutcome: blocked\nblockers:\n  - {blocker: Blocker %d, blocking_tasks: [", i, i);
    for (int k = 0; k < 40; k++)
      ho_buf_printf(&text, "%sx%d-%d", k ? "," : "", i, k);
    ho_buf_puts(&text, "]}\n");
    learn(p, ho_arena_printf(&p->arena, "%d.yaml", i).p, 1000 + i, ho_arena_z(&p->arena, ho_buf_str(&text)));
    ho_buf_free(&text);
  }
  ho_graph graph = {.kind = HO_KNOWN_BLOCKER, .depth = 1, .limit = 30};
  must(p, ho_graph_make(&p->project, &p->arena, &graph, &p->err));
  assert_in_range(graph.count, 20, 30);
  assert_int_equal(graph.count + graph.left_out, 6 + 6 + 240); /* blockers, their tasks, and what they block */
  size_t connected = 0;
  for (size_t i = 0; i < graph.count; i++)
    for (size_t e = 0; e < graph.edge_count; e++)
      if (graph.nodes[i].kind == HO_KNOWN_BLOCKER && graph.edges[e].from == graph.nodes[i].n) {
        connected++;
        break;
      }
  assert_int_equal(connected, 6);
  graph = (ho_graph){.task = HO_STR("t3"), .depth = 2, .limit = 10000};
  must(p, ho_graph_make(&p->project, &p->arena, &graph, &p->err));
  assert_int_equal(graph.count, 42); /* the task, its blocker, and all that it blocks */
  assert_int_equal(graph.left_out, 0);
}

/* ---- Quality, together */

static ho_node *measured(project *p, const char *from, int asked, int tokens)
{
  ho_node *map = ho_node_new(&p->arena, HO_KIND_MAP);
  ho_map_addz(map, "from", ho_node_textz(&p->arena, from));
  ho_map_addz(map, "asked", asked < 0 ? ho_node_new(&p->arena, HO_KIND_NULL) : ho_node_number(&p->arena, asked));
  ho_map_addz(map, "tokens_to_first_edit",
              tokens < 0 ? ho_node_new(&p->arena, HO_KIND_NULL) : ho_node_number(&p->arena, tokens));
  return map;
}

static void test_quality_groups(void **state)
{
  project *p = *state;
  ho_node *list = ho_node_new(&p->arena, HO_KIND_LIST);
  ho_list_add(list, measured(p, "bob", 0, 900));
  ho_list_add(list, measured(p, "ann", 2, 100));
  ho_list_add(list, measured(p, "ann", -1, 300));
  ho_list_add(list, measured(p, "ann", 0, 200));
  ho_list_add(list, measured(p, "ann", 1, -1));
  ho_node *groups = ho_quality_groups(list, "from", "agent", &p->arena);
  ho_buf out;
  ho_buf_init(&out, 0);
  ho_json_write(&out, groups, 0);
  assert_string_equal(
      ho_buf_str(&out).p,
      "[{\"agent\":\"ann\",\"handoffs\":4,\"reread\":{\"known\":0,\"any\":null},\"retried\":{\"known\":0,\"any\":null},"
      "\"asked\":{\"known\":3,\"any\":2},\"tokens_to_first_edit\":{\"known\":3,\"median\":200}},"
      "{\"agent\":\"bob\",\"handoffs\":1,\"reread\":{\"known\":0,\"any\":null},\"retried\":{\"known\":0,\"any\":null},"
      "\"asked\":{\"known\":1,\"any\":0},\"tokens_to_first_edit\":{\"known\":1,\"median\":900}}]");
  ho_buf_free(&out);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_project, end_project)
      TEST(test_same),         TEST(test_paths_and_tags), TEST(test_items),   TEST(test_limit),
      TEST(test_settled),      TEST(test_unblocked),      TEST(test_marked),  TEST(test_superseded),
      TEST(test_versions),     TEST(test_stable),         TEST(test_ranking), TEST(test_old_and_severe),
      TEST(test_graph_shares), TEST(test_quality_groups),
  };
  return unit_run(tests);
}
