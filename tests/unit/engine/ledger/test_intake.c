/* Taking documents in: what is refused and why, where each kind goes, what is recorded; credentials. */
#include "engine/ledger_support.h"

#include "base/utf8.h"
#include "engine/ledger/gate_read.h"
#include "engine/project/git.h"
#include "engine/project/redact.h"
#include "model/formats/formats.h"
#include "store/handoffs/files.h"
#include "store/handoffs/handoffs.h"

static void a_package_is_recorded_with_what_was_seen(void **state)
{
  project *p = *state;
  ho_file_list files;
  ho_handoff row;
  ho_str id = send(p, package(p, "lead", "coder", ""));
  assert_true(ho_str_starts(id, "HO-2026-"));
  must(p, ho_handoffs_get(p->project.store, id, &p->arena, &row, &p->err));
  assert_str(row.sender, "lead");
  assert_str(row.receiver, "coder");
  assert_str(row.type, "sequential");
  assert_str(row.task, "feature");
  assert_str(row.phase, "3");
  must(p, ho_files_select(p->project.store, id, &p->arena, &files, &p->err));
  assert_int_equal(files.count, 2); /* the archive copy, as it came without a file, and the artifact */
  assert_int_equal(files.rows[0].kind, HO_FILE_ARCHIVE);
  assert_str(files.rows[1].path, "docs/spec.md");
  assert_int_equal(files.rows[1].size, 18);
}

static void what_is_no_handoff_is_refused(void **state)
{
  project *p = *state;
  ho_send in = {0}, plan = {.format = &ho_format_config}, gate = {.only_gate = true}, bad = {0};
  refuses(p, HO_INVALID, "not recognised", send_with(p, &in, "just words\n"));
  refuses(p, HO_INVALID, "stays in its file", send_with(p, &plan, "lease: 60\n"));
  refuses(p, HO_INVALID, "but a gate is needed", send_with(p, &gate, package(p, "lead", "coder", "")));
  p->err = (ho_error){0};
  assert_int_equal(send_with(p, &bad, "handoff:\n  from: {agent: a}\n  to: {agent: b}\n  context: {summary: done}\n"),
                   HO_INVALID);
  assert_int_equal(p->err.code, 0); /* the findings say why */
  assert_true(bad.seen.doc.report.errors > 0);
}

static void artifacts_are_inside_and_can_be_read(void **state)
{
  project *p = *state;
  ho_send outside = {0}, link = {0}, pipe = {0};
  ho_str text = ho_str_of(package(p, "lead", "coder", ""));
  size_t at = ho_str_find(text, "docs/spec.md");
#define WITH(path)                                                                                                     \
  ho_arena_printf(&p->arena, "%.*s%s%.*s", (int)at, text.p, path, (int)(text.n - at - 12), text.p + at + 12).p
  assert_int_equal(send_with(p, &outside, WITH("../secret")), HO_INVALID);
  assert_int_equal(symlink("/etc", in(p, "docs/out")), 0);
  assert_int_equal(send_with(p, &link, WITH("docs/out/hostname")), HO_INVALID);
  assert_int_equal(mkfifo(in(p, "docs/pipe"), 0600), 0);
  refuses(p, HO_IO, "is not a regular file", send_with(p, &pipe, WITH("docs/pipe")));
#undef WITH
}

static void keys_name_one_sending(void **state)
{
  project *p = *state;
  ho_send first = {.key = HO_STR("k")}, second = {.key = HO_STR("k")}, other = {.key = HO_STR("k")};
  const char *text = package(p, "lead", "coder", "");
  must(p, send_with(p, &first, text));
  must(p, send_with(p, &second, text));
  assert_true(second.made.same && ho_str_eq(first.made.row.id, second.made.row.id));
  refuses(p, HO_CONFLICT, "with different content", send_with(p, &other, package(p, "lead", "coder", "  x_more: 1\n")));
}

static void ids_of_authors_are_kept_where_free(void **state)
{
  project *p = *state;
  assert_str(send(p, package(p, "lead", "coder", "  id: PLAN-7\n")), "PLAN-7");
  assert_true(ho_str_starts(send(p, package(p, "lead", "coder", "  id: PLAN-7\n")), "HO-2026-"));
  assert_true(ho_str_starts(send(p, package(p, "lead", "coder", "  id: ../../etc/cron\n")), "HO-2026-"));
}

static void a_file_that_changed_takes_the_place_of_what_was_sent(void **state)
{
  project *p = *state;
  const char *text = package(p, "lead", "coder", ""), *more = package(p, "lead", "coder", "  x_more: 1\n");
  ho_str full = ho_str_of(in(p, "a.yaml"));
  write_text(p, "a.yaml", text);
  ho_send first = {.path = HO_STR("a.yaml"), .full = full}, same = first, changed = first, last = first;
  must(p, send_with(p, &first, text));
  must(p, send_with(p, &same, text));
  assert_int_equal(same.made.superseded.n, 0);
  must(p, send_with(p, &changed, more));
  assert_true(ho_str_eq(changed.made.superseded, same.made.row.id));
  state_is(p, same.made.row.id, "superseded");
  state_is(p, first.made.row.id, "superseded"); /* the other copy of the old version */
  must(p, send_with(p, &last, package(p, "lead", "painter", "")));
  assert_int_equal(last.made.superseded.n, 0); /* another receiver */
}

static void routes_say_what_they_lack(void **state)
{
  project *p = *state;
  ho_send to = {.to = HO_STR("painter")}, type = {.type = HO_STR("gift")}, back = {.type = HO_STR("return")},
          returns = {.returns = HO_STR("HO-1")}, request = {0}, response = {0};
  const char *text = package(p, "lead", "coder", "");
  refuses(p, HO_USAGE, "addressed to 'coder', not to 'painter'", send_with(p, &to, text));
  refuses(p, HO_USAGE, "unknown type 'gift'", send_with(p, &type, text));
  refuses(p, HO_NOT_FOUND, "no open delegation", send_with(p, &back, text));
  refuses(p, HO_NOT_FOUND, "there is no handoff HO-1", send_with(p, &returns, text));
  refuses(p, HO_USAGE, "a request needs a receiver",
          send_with(p, &request,
                    "{\"task_id\": \"7\", \"phase\": \"research\", \"mode\": \"code\", \"context\": {\"feature\": "
                    "\"reader\", \"relevant_files\": [\"docs/spec.md\"], \"constraints\": [\"No new dependencies\"]}, "
                    "\"instructions\": \"Find the 3 readers of the configuration\", \"expected_output\": "
                    "\"structured_findings\"}"));
  refuses(p, HO_NOT_FOUND, "there is no open request for task 7",
          send_with(p, &response,
                    "{\"task_id\": \"7\", \"phase\": \"research\", \"status\": \"complete\", \"decision\": \"PROCEED\","
                    " \"findings\": {\"existing_implementations\": [], \"conflicts\": [], \"patterns_found\": [], "
                    "\"recommendations\": [\"Extend the reader\"]}, \"context_summary\": \"docs/spec.md names 3 "
                    "readers; decided to extend the first of them\", \"tokens_used\": 500, \"issues\": []}"));
}

static void a_return_closes_its_delegation(void **state)
{
  project *p = *state;
  ho_str token, work = send(p, package(p, "lead", "coder", "  type: delegation\n"));
  act_as(p, "coder");
  ho_send early = {.returns = work}, wrong = {.returns = work, .token = HO_STR("x")}, astray = {.returns = work},
          right = {.returns = work};
  refuses(p, HO_CONFLICT, "", send_with(p, &early, package(p, "coder", "lead", "")));
  assert_true(ho_str_eq(claim(p, &token), work));
  ho_ack ack = {.id = work, .token = token, .task = HO_STR("Build it")};
  must(p, ho_receive_ack(&p->project, &p->arena, &ack, &p->err));
  refuses(p, HO_CONFLICT, "stale or wrong", send_with(p, &wrong, package(p, "coder", "lead", "")));
  refuses(p, HO_CONFLICT, "must be returned there", send_with(p, &astray, package(p, "coder", "painter", "")));
  right.token = token;
  must(p, send_with(p, &right, package(p, "coder", "lead", "")));
  assert_true(ho_str_eq(right.made.closed, work));
  assert_str(right.made.row.type, "return");
  state_is(p, work, "done");
}

static void gates_want_an_open_handoff(void **state)
{
  project *p = *state;
  ho_str token, work = send(p, package(p, "lead", "coder", ""));
  ho_send nothing = {.gates = HO_STR("HO-9"), .only_gate = true}, ended = {.gates = work, .only_gate = true};
  refuses(p, HO_NOT_FOUND, "HO-9", send_with(p, &nothing, gate_text(p, "lead", "")));
  act_as(p, "coder");
  claim(p, &token);
  ho_ack ack = {.id = work, .token = token, .task = HO_STR("Build it")};
  ho_say done = {.id = work, .token = token};
  must(p, ho_receive_ack(&p->project, &p->arena, &ack, &p->err));
  must(p, ho_receive_done(&p->project, &p->arena, &done, &p->err));
  refuses(p, HO_CONFLICT, "nothing left to decide", send_with(p, &ended, gate_text(p, "lead", "")));
}

/* A credential that is put together here, so that none stands in this file. */
static const char *token_text(project *p)
{
  return ho_arena_printf(&p->arena, "ghp_%s%s", "Ab3dEAb3dEAb3dEAb3dE", "Ab3dEAb3dEAb3dEQ").p;
}

static void credentials_are_taken_out_or_refused(void **state)
{
  project *p = *state;
  ho_send taken = {0}, refused = {0}, allowed = {0};
  const char *secret = token_text(p),
             *text = package(p, "lead", "coder", ho_arena_printf(&p->arena, "  x_use: %s\n", secret).p);
  must(p, send_with(p, &taken, text));
  assert_int_equal(taken.seen.secrets.count, 1);
  assert_false(ho_str_has(taken.seen.body, secret));
  ho_map_addz(p->config, "secrets", ho_node_textz(&p->arena, "refuse"));
  assert_int_equal(send_with(p, &refused, text), HO_INVALID);
  assert_int_equal(refused.seen.secrets.errors, 1);
  assert_false(ho_str_has(refused.seen.secrets.items[0].message, secret));
  ho_map_set(p->config, HO_STR("secrets"), ho_node_textz(&p->arena, "redact"));
  ho_map_addz(p->held, "secrets", ho_node_textz(&p->arena, "allow"));
  trust_settings(p);
  must(p, send_with(p, &allowed, text));
  assert_true(ho_str_has(allowed.seen.body, secret));
}

static void credentials_that_show_once_they_are_read_are_taken_out(void **state)
{
  project *p = *state;
  ho_report report;
  ho_doc doc;
  ho_str text = HO_STR("x_login:\n  \"pass\\x77ord\": \"hunter22Xy!z\"\n");
  must(p, ho_redact_read(&p->project, &p->arena, HO_STR("a.yaml"), &text, NULL, &doc, &report, &p->err));
  assert_false(ho_str_has(text, "hunter22"));
  assert_int_equal(report.count, 1);
}

static void the_world_is_seen_as_it_is(void **state)
{
  project *p = *state;
  char digest[HO_DIGEST_SIZE], folder[HO_DIGEST_SIZE];
  int64_t size;
  assert_int_equal(ho_git_head(&p->arena, ho_str_of(p->root)).n, 0);
  assert_int_equal(ho_git_tree(&p->arena, ho_str_of(p->root), &p->project.written), HO_TREE_UNKNOWN);
  refuses(p, HO_NOT_FOUND, "", ho_git_digest(&p->arena, in(p, "none"), digest, &size, &p->err));
  must(p, ho_git_digest(&p->arena, in(p, "docs"), folder, &size, &p->err));
  assert_int_equal(size, 18);
  write_text(p, "docs/b", "more");
  must(p, ho_git_digest(&p->arena, in(p, "docs"), digest, &size, &p->err));
  assert_string_not_equal(digest, folder);
  write_text(p, ".git/HEAD", "ref: ../../outside\n");
  assert_int_equal(ho_git_head(&p->arena, ho_str_of(p->root)).n, 0);
  write_text(p, ".git/HEAD", "ref: refs/heads/main\n");
  write_text(p, ".git/packed-refs", "# pack\n0123456789012345678901234567890123456789 refs/heads/main\n");
  assert_str(ho_git_head(&p->arena, ho_str_of(p->root)), "0123456789012345678901234567890123456789");
}

static void large_documents_that_wait_do_not_fill_the_memory_of_others(void **state)
{
  enum { WORDS = 100000, DOCUMENTS = 3, MOST = 1 << 20 };
  project *p = *state;
  ho_buf words;
  for (int i = 0; i < DOCUMENTS; i++) {
    ho_buf_init(&words, 0);
    ho_buf_puts(&words, "  x_note: ");
    for (int k = 0; k < WORDS; k++)
      ho_buf_printf(&words, "%x ", (unsigned)(k * 7919 + i * 104729) % 4096);
    ho_buf_puts(&words, "\n");
    send(p, package(p, "lead", "human", ho_arena_z(&p->arena, ho_buf_move(&words, &p->arena))));
  }
  const char *text = package(p, "coder", "lead", "");
  size_t before = p->arena.used;
  send(p, text);
  assert_true(p->arena.used - before < MOST);
}

static void names_of_gates_are_whole_characters(void **state)
{
  project *p = *state;
  ho_gate gate;
  for (int i = 0; i < 3; i++) {
    ho_str text = ho_str_of(package(p, "lead", "human", i == 0 ? "" : i == 1 ? "  x_n: 1\n" : "  x_n: 2\n"));
    size_t at = ho_str_find(text, "3 epics");
    ho_buf long_text;
    ho_buf_init(&long_text, 0);
    ho_buf_put(&long_text, ho_str_sub(text, 0, at));
    ho_buf_fill(&long_text, 'a', (size_t)i + 1);
    for (int k = 0; k < 60; k++)
      ho_buf_puts(&long_text, "\xe2\x82\xac");
    ho_buf_putc(&long_text, ' ');
    ho_buf_put(&long_text, ho_str_sub(text, at, text.n));
    ho_str id = send(p, ho_arena_z(&p->arena, ho_buf_move(&long_text, &p->arena)));
    must(p, ho_gate_read(&p->project, gate_of(p, id), &p->arena, &gate, &p->err));
    assert_int_equal(ho_utf8_bad(gate.name), HO_NONE);
    assert_int_equal(gate.doubt.n, 0);
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_project, end_project)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(a_package_is_recorded_with_what_was_seen),
      TEST(what_is_no_handoff_is_refused),
      TEST(artifacts_are_inside_and_can_be_read),
      TEST(keys_name_one_sending),
      TEST(ids_of_authors_are_kept_where_free),
      TEST(a_file_that_changed_takes_the_place_of_what_was_sent),
      TEST(routes_say_what_they_lack),
      TEST(a_return_closes_its_delegation),
      TEST(gates_want_an_open_handoff),
      TEST(credentials_are_taken_out_or_refused),
      TEST(credentials_that_show_once_they_are_read_are_taken_out),
      TEST(the_world_is_seen_as_it_is),
      TEST(large_documents_that_wait_do_not_fill_the_memory_of_others),
      TEST(names_of_gates_are_whole_characters),
  };
  return unit_run(tests);
}
