/* What follows from handoffs is derived after they are sent: whenever that happens, the outcome is the same as if it had
 * happened at once. */
#include "engine/ledger_support.h"

#include <sqlite3.h>

#include "engine/ledger/archive.h"
#include "engine/ledger/derive.h"
#include "engine/ledger/learn.h"
#include "engine/ledger/write.h"
#include "store/handoffs/chain.h"
#include "store/handoffs/search.h"
#include "model/formats/formats.h"

/* ---- The story: everything that teaches, settles, replaces or forgets something. After each part of it, somebody may
 * ask. */

typedef struct story {
  project *p;
  unsigned asks; /* bit N: after part N, somebody does */
  unsigned part;
} story;

static void maybe_asked(story *s)
{
  project *p = s->p;
  p->now += 60000;
  if (s->asks >> s->part++ & 1)
    for (ho_derived what = 0; what < HO_DERIVED_COUNT; what++)
      must(p, ho_derive(&p->project, what, NULL, &p->err));
}

static const char *task(project *p, const char *id, const char *yaml)
{
  return ho_arena_printf(&p->arena,
                         "# Task %s: Work\n\n## Metadata\n| Key | Value |\n|---|---|\n| Depends On | None |\n\n"
                         "## Objective\nx\n\n## Acceptance Criteria\n- [x] y\n\n## Context Provided\nz\n\n"
                         "## Execution Log\n- w\n\n## Handoff\n\n```yaml\n%s```\n\n"
                         "*Task completed: 2026-02-12T14:30:22Z*\n",
                         id, yaml)
      .p;
}

static ho_str sent(story *s, const char *id, const char *yaml)
{
  ho_send in = {.to = HO_STR("worker"), .format = &ho_format_task};
  ho_code code = send_with(s->p, &in, task(s->p, id, yaml));
  for (size_t i = 0; code && i < in.seen.doc.report.count; i++)
    print_message("%.*s\n", HO_ARG(in.seen.doc.report.items[i].message));
  must(s->p, code);
  maybe_asked(s);
  return in.made.row.id;
}

/* Takes the oldest, asks something, is told, and is done. */
static ho_str worked_on(story *s)
{
  project *p = s->p;
  ho_str token;
  act_as(p, "worker");
  ho_str id = claim(p, &token);
  ho_ack ack = {.id = id, .token = token, .questions = texts_of(p, "Which key is meant?")};
  must(p, ho_receive_ack(&p->project, &p->arena, &ack, &p->err));
  maybe_asked(s);
  ho_say answer = {.id = id, .note = HO_STR("The second one")}, done = {.id = id, .token = token};
  act_as(p, "lead");
  must(p, ho_receive_answer(&p->project, &p->arena, &answer, &p->err));
  act_as(p, "worker");
  maybe_asked(s);
  ho_ack taken = {.id = id, .token = token, .task = HO_STR("Build it")};
  must(p, ho_receive_ack(&p->project, &p->arena, &taken, &p->err));
  must(p, ho_receive_done(&p->project, &p->arena, &done, &p->err));
  maybe_asked(s);
  act_as(p, "lead");
  return id;
}

static ho_code learn_file(ho_store *store, void *data, ho_error *err)
{
  project *p = data;
  ho_doc doc;
  ho_learned sum = {0};
  (void)store;
  ho_code code = ho_derive_inside(&p->project, HO_DERIVED_KNOWLEDGE, err);
  if (!code)
    code = ho_doc_read(&doc, &p->arena, HO_STR("old.md"),
                       ho_str_of(task(p, "1",
                                      "outcome: blocked\ngotchas:\n  - {id: g-1, issue: The port is 7001, "
                                      "mitigation: Ask, severity: low, tags: [net]}\n")),
                       &ho_format_task, err);
  return code
             ? code
             : ho_knowledge_file(&p->project, &p->arena, HO_STR("old.md"), HO_STR("a digest"), p->now, &doc, &sum, err);
}

static void tell(story *s)
{
  project *p = s->p;
  ho_known known;
  write_text(p, "src/a.c", "int a;\n");
  sent(s, "1",
       "outcome: blocked\ngotchas:\n  - {id: g-1, issue: The port is 7000, mitigation: Ask, severity: high}\n"
       "open_questions:\n  - {question: Which port?, blocking: true}\n"
       "blockers:\n  - {blocker: No port, impact: No tests, blocking_tasks: [1]}\n"
       "files_created:\n  - {path: src/a.c, purpose: Reads, lines: 1-9}\n");
  sent(s, "2",
       "outcome: blocked\ngotchas:\n  - {issue: The port is 7000., mitigation: Wait, severity: low, tags: [api]}\n"
       "blockers:\n  - {blocker: No key, impact: No tests, blocking_tasks: [1]}\n"
       "open_questions:\n  - {question: Whose key?, blocking: true}\n");
  ho_str first = worked_on(s);
  int64_t print = ho_knowledge_print(&p->arena, HO_KNOWN_QUESTION, HO_STR("Whose key?"));
  ho_str question = ho_arena_printf(&p->arena, "question-%08llx", (unsigned long long)print & 0xffffffffu);
  must(p, ho_learn_answer(&p->project, &p->arena, question, HO_STR("Ours"), &known, &p->err));
  maybe_asked(s);
  must(p, ho_ledger_write(&p->project, learn_file, p, &p->err));
  maybe_asked(s);
  ho_str last =
      sent(s, "1",
           "outcome: completed\ngotchas:\n  - {id: g-1, issue: The port is 7002, mitigation: Ask, severity: high}\n"
           "files_modified:\n  - {path: src/a.c, lines: 1-9, change_type: modify, description: More}\n");
  send(p, package(p, "lead", "coder", ""));
  maybe_asked(s);
  worked_on(s);
  worked_on(s);
  ho_node *ids = ho_node_new(&p->arena, HO_KIND_LIST);
  ho_pruning gone = {.before = p->now + 1000};
  ho_list_add(ids, ho_node_text(&p->arena, first));
  ho_list_add(ids, ho_node_text(&p->arena, last));
  must(p, ho_archive_run(&p->project, ids, &p->arena, ho_node_new(&p->arena, HO_KIND_LIST), &p->err));
  must(p, ho_archive_prune(&p->project, &gone, &p->arena, &p->err));
  assert_int_equal(gone.done->count, 2);
  maybe_asked(s);
  sent(s, "3",
       "outcome: completed\npatterns_discovered:\n  - {pattern: Read all at once, location: src/a.c, "
       "applies_to: [files]}\n");
}

/* ---- What came of it */

static int take_row(void *data, int count, char **values, char **names)
{
  ho_buf *out = data;
  (void)names;
  for (int i = 0; i < count; i++)
    ho_buf_printf(out, "%s|", values[i] ? values[i] : "");
  ho_buf_putc(out, '\n');
  return 0;
}

/* All of it, word by word. The digest of an event depends on its random token. */
static ho_str outcome(project *p)
{
  static const char *const queries[] = {
      "SELECT * FROM knowledge ORDER BY n",
      "SELECT n, name, format, task, phase, agent, outcome, at, iif(format = 'event', '', digest) FROM "
      "knowledge_origins ORDER BY n",
      "SELECT * FROM knowledge_sources ORDER BY node, origin, line",
      "SELECT * FROM knowledge_edges ORDER BY src, type, dst, origin",
      "CREATE VIRTUAL TABLE temp.known USING fts5vocab(main, knowledge_words, instance)",
      "SELECT * FROM temp.known ORDER BY term, doc, col, offset",
      "CREATE VIRTUAL TABLE temp.text USING fts5vocab(main, search, instance)",
      "SELECT * FROM temp.text ORDER BY term, doc, col, offset",
  };
  sqlite3 *db;
  char *message = NULL;
  ho_buf out;
  ho_buf_init(&out, 0);
  assert_int_equal(sqlite3_open(ho_store_path(p->project.store), &db), SQLITE_OK);
  for (size_t i = 0; i < HO_COUNT(queries); i++) {
    ho_buf_printf(&out, "%s\n", queries[i]);
    if (sqlite3_exec(db, queries[i], take_row, &out, &message) != SQLITE_OK)
      fail_msg("%s: %s", queries[i], message);
  }
  sqlite3_close(db);
  return ho_buf_move(&out, &p->arena);
}

static ho_code take_flaw(void *data, const ho_flaw *flaw, ho_error *err)
{
  (void)data;
  (void)err;
  fail_msg("%s %s: %s", flaw->part, flaw->name, flaw->message);
  return HO_OK;
}

/* Tells the story in a project of its own; the result lives in `arena`. */
static ho_str told(ho_arena *arena, unsigned asks)
{
  void *state;
  begin_project(&state);
  story s = {.p = state, .asks = asks};
  tell(&s);
  must(s.p, ho_chain_check_database(s.p->project.store, false, take_flaw, NULL, &s.p->err));
  s.asks = ~0u;
  s.part = 0;
  maybe_asked(&s);
  must(s.p, ho_chain_check_database(s.p->project.store, false, take_flaw, NULL, &s.p->err));
  ho_str out = ho_arena_copy(arena, outcome(s.p));
  assert_int_equal(end_project(&state), 0);
  return out;
}

static void when_it_is_derived_does_not_matter(void **state)
{
  static const unsigned whens[] = {0, 0x5555, 0xaaaa, 0x0ff0, 0x8001, 0x1234};
  ho_arena arena;
  (void)state;
  ho_arena_init(&arena, 0);
  ho_str at_once = told(&arena, ~0u);
  assert_true(ho_str_has(at_once, "|The port is 7001|") && ho_str_has(at_once, "|Whose key?|"));
  assert_true(!ho_str_has(at_once, "|The port is 7002|")); /* pruned */
  for (size_t i = 0; i < HO_COUNT(whens); i++) {
    ho_str later = told(&arena, whens[i]);
    if (!ho_str_eq(later, at_once))
      fail_msg("asked after %x:\n%.*s\nat once:\n%.*s", whens[i], HO_ARG(later), HO_ARG(at_once));
  }
  ho_arena_free(&arena);
}

/* ---- Much of it, little time, and documents that teach nothing */

static size_t gap(project *p, ho_derived what)
{
  int64_t after, newest;
  must(p, ho_derived_gap(p->project.store, what, &after, &newest, &p->err));
  return (size_t)(newest - after);
}

static size_t hits(project *p, const char *query)
{
  ho_hit_list list;
  must(p, ho_search(p->project.store, ho_str_of(query), &(ho_filter){.limit = 1000}, &p->arena, &list, &p->err));
  return list.count;
}

enum { MUCH = 1200 };

static ho_code fill(ho_store *store, void *data, ho_error *err)
{
  project *p = data;
  ho_code code = HO_OK;
  for (int i = 0; !code && i < MUCH; i++) {
    ho_handoff row = {.id = ho_arena_printf(&p->arena, "HO-2025-%03d", i + 1),
                      .kind = i % 10 ? HO_STR("package") : HO_STR("task"),
                      .state = HO_STR("done"),
                      .created = p->now};
    ho_event event = {.at = p->now, .actor = HO_STR("lead"), .kind = HO_STR("sent")};
    const char *body = task(p, "7",
                            ho_arena_printf(&p->arena,
                                            "outcome: completed\ngotchas:\n  - {issue: Part %d leaks, "
                                            "mitigation: Close it, severity: low}\n",
                                            i)
                                .p);
    code = ho_handoffs_add(store, &row, i % 10 ? HO_STR("not: [a package") : ho_str_of(body), &event, &p->arena, err);
  }
  return code;
}

typedef struct watched {
  size_t calls, done, total;
} watched;

static void watch(void *world, size_t done, size_t total, const char *what)
{
  watched *w = world;
  assert_string_equal(what, "handoff");
  assert_true(done > w->done && done <= total);
  *w = (watched){w->calls + 1, done, total};
}

static void much_is_derived_in_parts(void **state)
{
  project *p = *state;
  watched seen = {0};
  ho_store_watch view = {watch, &seen};
  must(p, ho_store_write(p->project.store, fill, p, &p->err));
  assert_int_equal(gap(p, HO_DERIVED_SEARCH), MUCH);
  ho_derive_idle(&p->project); /* a little, then others may write */
  assert_in_range(gap(p, HO_DERIVED_SEARCH), 1, MUCH - 1);
  assert_in_range(gap(p, HO_DERIVED_KNOWLEDGE), 1, MUCH - 1);
  must(p, ho_derive(&p->project, HO_DERIVED_SEARCH, &view, &p->err));
  assert_int_equal(gap(p, HO_DERIVED_SEARCH), 0);
  assert_true(seen.calls > 5 && seen.done == seen.total);
  assert_int_equal(hits(p, "leaks"), MUCH / 10);
  ho_derive_within(&p->project, HO_DERIVED_KNOWLEDGE, 60000);
  assert_int_equal(gap(p, HO_DERIVED_KNOWLEDGE), 0);
  ho_known_list list;
  must(p, ho_known_of_kind(p->project.store, HO_KNOWN_GOTCHA, HO_KNOWN_OPEN, 0, 1000, &p->arena, &list, &p->err));
  assert_int_equal(list.count, MUCH / 10);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(when_it_is_derived_does_not_matter),
      cmocka_unit_test_setup_teardown(much_is_derived_in_parts, begin_project, end_project),
  };
  return unit_run(tests);
}
