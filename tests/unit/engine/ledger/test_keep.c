/* What is kept: the archive, the state file, verify and rebuild, with each thing that can be wrong with them. */
#include "engine/ledger_support.h"

#include <sys/wait.h>

#include "base/time.h"
#include "engine/ledger/archive.h"
#include "engine/ledger/archive_copy.h"
#include "engine/ledger/statefile.h"
#include "engine/ledger/rebuild.h"
#include "engine/ledger/verify.h"
#include "engine/project/paths.h"
#include "engine/project/project.h"
#include "store/handoffs/files.h"
#include "store/handoffs/handoffs.h"

static ho_str finish_one(project *p)
{
  ho_str token, id = send(p, package(p, "lead", "coder", ""));
  act_as(p, "coder");
  claim(p, &token);
  ho_ack ack = {.id = id, .token = token, .task = HO_STR("Build it")};
  ho_say say = {.id = id, .token = token};
  must(p, ho_receive_ack(&p->project, &p->arena, &ack, &p->err));
  must(p, ho_receive_done(&p->project, &p->arena, &say, &p->err));
  return id;
}

static const char *copy_of(project *p, ho_str id)
{
  ho_file_list files;
  must(p, ho_files_select(p->project.store, id, &p->arena, &files, &p->err));
  for (size_t i = 0; i < files.count; i++)
    if (files.rows[i].kind == HO_FILE_ARCHIVE)
      return ho_arena_z(&p->arena, files.rows[i].path);
  fail_msg("%.*s has no copy", HO_ARG(id));
  return NULL;
}

typedef struct adding_copy {
  project *p;
  ho_handoff *row;
  ho_str body;
  const ho_event *event;
} adding_copy;

static ho_code add_copy(ho_store *store, void *data, ho_error *err)
{
  adding_copy *a = data;
  ho_str digest;
  ho_code code = ho_handoffs_add(store, a->row, a->body, a->event, &a->p->arena, err);
  return code ? code : ho_archive_copy(&a->p->project, a->row, HO_EMPTY, NULL, &a->p->arena, &digest, err);
}

static void copies_are_read_back(void **state)
{
  project *p = *state;
  ho_archived copy;
  ho_str id = finish_one(p);
  must(p, ho_archive_copy_parse(read_text(p, copy_of(p, id)), &p->arena, &copy, &p->err));
  assert_true(ho_str_eq(copy.row.id, id));
  assert_str(copy.row.state, "done");
  assert_true(ho_str_starts(copy.body, "handoff:\n"));
  refuses(p, HO_INVALID, "is not a copy of a handoff", ho_archive_copy_parse(HO_EMPTY, &p->arena, &copy, &p->err));
  refuses(p, HO_INVALID, "is not a copy", ho_archive_copy_parse(HO_STR("handoff:\n"), &p->arena, &copy, &p->err));
  refuses(p, HO_SYNTAX, "", ho_archive_copy_parse(HO_STR("# handoff {\nbody"), &p->arena, &copy, &p->err));
  must(p, ho_archive_copy_parse(HO_STR("# handoff {\"id\":\"A\",\"created\":\"x\"}\nformat: a\nbody: [1]\n"), &p->arena,
                                &copy, &p->err));
  assert_true(copy.row.created == 0 && ho_str_starts(copy.body, "format: a"));
}

static void markdown_is_kept_whole(void **state)
{
  project *p = *state;
  ho_archived copy;
  const char *text = "# Phase handoff\n\nbody: with --- and: \"quotes\"\n\ttab\n";
  ho_handoff row = {.id = HO_STR("M-1"), .kind = HO_STR("artifact"), .state = HO_STR("ready"), .created = 5};
  ho_event event = {.at = 5, .actor = HO_STR("lead"), .kind = HO_STR("sent")};
  adding_copy a = {p, &row, ho_str_of(text), &event};
  must(p, ho_store_write(p->project.store, add_copy, &a, &p->err));
  must(p, ho_archive_copy_parse(read_text(p, copy_of(p, row.id)), &p->arena, &copy, &p->err));
  assert_str(copy.body, text);
  assert_str(copy.row.kind, "artifact");
}

static void only_what_has_ended_is_archived(void **state)
{
  project *p = *state;
  ho_str waits = send(p, package(p, "lead", "painter", "")), ended = finish_one(p);
  ho_node *done = ho_node_new(&p->arena, HO_KIND_LIST);
  refuses(p, HO_CONFLICT, "only a handoff that has ended can be archived",
          ho_archive_run(&p->project, texts_of(p, ho_arena_z(&p->arena, waits)), &p->arena, done, &p->err));
  refuses(p, HO_NOT_FOUND, "HO-77", ho_archive_run(&p->project, texts_of(p, "HO-77"), &p->arena, done, &p->err));
  must(p, ho_archive_run(&p->project, NULL, &p->arena, done, &p->err));
  assert_int_equal(done->count, 1);
  state_is(p, ended, "archived");
  ho_pruning how = {.before = p->now};
  must(p, ho_archive_prune(&p->project, &how, &p->arena, &p->err));
  assert_int_equal(how.done->count, 0); /* not older than this moment */
  how.before++;
  must(p, ho_archive_prune(&p->project, &how, &p->arena, &p->err));
  assert_int_equal(how.done->count, 1);
  assert_true(ho_paths_any_archived(&p->arena, ho_str_of(p->root), p->project.written.archive));
}

static size_t differences(project *p)
{
  ho_verdict verdict;
  must(p, ho_verify(&p->project, NULL, &p->arena, &verdict, &p->err));
  return verdict.differences->count;
}

static void changed_files_are_named(void **state)
{
  project *p = *state;
  ho_verdict verdict;
  ho_str id = finish_one(p);
  const char *copy = copy_of(p, id);
  ho_str text = read_text(p, copy);
  assert_int_equal(differences(p), 0);
  write_text(p, copy, ho_arena_printf(&p->arena, "%.*s# more\n", HO_ARG(text)).p);
  assert_int_equal(differences(p), 1);
  assert_int_equal(unlink(in(p, copy)), 0);
  assert_int_equal(differences(p), 1);
  write_text(p, copy, ho_arena_z(&p->arena, text));
  assert_int_equal(differences(p), 0);
  write_text(p, "docs/spec.md", "moved on\n");
  must(p, ho_verify(&p->project, NULL, &p->arena, &verdict, &p->err));
  assert_int_equal(verdict.differences->count, 0);
  assert_int_equal(verdict.drift->count, 1);
}

static void a_state_file_that_cannot_be_read_is_left_alone(void **state)
{
  project *p = *state;
  static const char *const texts[] = {"no json", "[1]", "{\"a\": 1", "7"};
  for (size_t i = 0; i < HO_COUNT(texts); i++) {
    write_text(p, "state/current.json", texts[i]);
    p->err = (ho_error){0};
    ho_statefile_refresh(&p->project, &p->err);
    assert_true(p->err.code == HO_SYNTAX || p->err.code == HO_INVALID);
    assert_str(read_text(p, "state/current.json"), texts[i]);
    send(p, package(p, "lead", "coder", "")); /* what is recorded does not depend on it */
    assert_int_not_equal(p->project.state_file.code, 0);
  }
}

static void nothing_is_written_outside_of_the_project(void **state)
{
  project *p = *state;
  ho_str outside = ho_arena_printf(&p->arena, "%s/outside", p->folder);
  must(p, ho_fs_mkdirs(outside.p, &p->err));
  assert_int_equal(symlink(outside.p, in(p, "state")), 0);
  assert_int_equal(symlink(outside.p, in(p, ".project")), 0);
  ho_statefile_refresh(&p->project, &p->err);
  assert_int_equal(p->err.code, HO_LIMIT);
  ho_send piped = {0};
  must(p, send_with(p, &piped, package(p, "lead", "coder", ""))); /* files undo nothing */
  assert_int_equal(p->project.unfinished.code, HO_LIMIT);
  assert_true(ho_str_has(ho_str_of(p->project.unfinished.message), "refusing to write it"));
  assert_int_equal(rmdir(outside.p), 0); /* it is empty */
}

static void a_state_file_of_others_keeps_their_words(void **state)
{
  project *p = *state;
  write_text(p, "state/current.json",
             "// theirs\n{\"handoffs\": [{\"id\": \"X-1\", \"status\": \"mine\"}, 5], \"context\": {\"a\" :  1}}");
  ho_str id = send(p, package(p, "lead", "coder", ""));
  ho_str text = read_text(p, "state/current.json");
  assert_true(ho_str_starts(text, "// theirs\n") && ho_str_has(text, "\"context\": {\"a\" :  1}"));
  assert_true(ho_str_has(text, "{\"id\": \"X-1\", \"status\": \"mine\"}"));
  const ho_node *list = ho_map_getz(state_file(p), "handoffs");
  assert_int_equal(list->count, 3);
  assert_true(ho_str_eq(ho_map_str(list->last, "id"), id));
  assert_null(ho_map_getz(state_file(p), "gates_pending")); /* nobody waits, and there was none */
}

static size_t count_text(ho_str text, const char *part)
{
  size_t count = 0;
  for (const char *at = strstr(text.p, part); at; at = strstr(at + 1, part))
    count++;
  return count;
}

static void record(project *p, const char *text)
{
  ho_send in = {.project = &p->project, .arena = &p->arena, .path = HO_STR("-"), .text = ho_str_of(text)};
  must(p, ho_send_read(&in, &p->err));
  must(p, ho_send_record(&in, &p->err));
}

/* Many changes write the files that follow once. */
static void files_wait_for_more_changes(void **state)
{
  project *p = *state;
  send(p, package(p, "lead", "coder", ""));
  ho_str before = read_text(p, "state/current.json");
  for (int i = 0; i < 3; i++)
    record(p, package(p, "lead", "coder", ""));
  assert_int_equal(count_text(before, "\"id\":"), 1);
  ho_ledger_follow(&p->project);
  assert_int_equal(count_text(read_text(p, "state/current.json"), "\"id\":"), 4);
  assert_int_equal(differences(p), 0);
  /* But not for long. On a busy machine, a single change may take that long. */
  int64_t end = ho_time_monotonic_ms() + 150;
  for (int i = 0; i < 5 || ho_time_monotonic_ms() < end; i++)
    record(p, package(p, "lead", "coder", ""));
  ho_str now;
  must(p, ho_fs_read(&p->arena, in(p, "state/current.json"), 0, &now, &p->err));
  assert_true(count_text(now, "\"id\":") > 4);
}

/* A process that is killed before it has written them leaves that to whoever comes next, even if that only reads. */
static void files_of_a_killed_process_are_written_by_the_next(void **state)
{
  project *p = *state;
  int status;
  send(p, package(p, "lead", "coder", ""));
  ho_project_close(&p->project);
  pid_t child = fork();
  if (child == 0) {
    must(p, ho_project_open(&p->project, HO_OPEN_EXISTING, &p->err));
    record(p, package(p, "lead", "coder", ""));
    _exit(0);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_int_equal(status, 0);
  must(p, ho_project_open(&p->project, HO_OPEN_EXISTING, &p->err));
  assert_int_equal(count_text(read_text(p, "state/current.json"), "\"id\":"), 1);
  ho_ledger_settle(&p->project);
  assert_int_equal(count_text(read_text(p, "state/current.json"), "\"id\":"), 2);
  int64_t unfinished = 0;
  must(p, ho_store_unfinished(p->project.store, HO_EMPTY, &unfinished, &p->err));
  assert_int_equal(unfinished, 0);
}

static ho_rebuilt rebuild(project *p)
{
  ho_rebuilt out;
  ho_project closed = closed_project(p, "lead");
  must(p, ho_project_begin(&closed, &p->err));
  must(p, ho_rebuild(&closed, &p->arena, &out, &p->err));
  ho_project_close(&closed);
  return out;
}

static void lose_store(project *p)
{
  assert_int_equal(unlink(in(p, ".handoff/handoff.db")), 0);
  unlink(in(p, ".handoff/handoff.db-wal"));
  unlink(in(p, ".handoff/handoff.db-shm"));
}

static bool names(const ho_node *list, const char *key, ho_str value)
{
  HO_EACH_CONST (item, list)
    if (ho_str_eq(ho_map_str(item, key), value))
      return true;
  return false;
}

static void a_store_is_made_again(void **state)
{
  project *p = *state;
  ho_str ended = finish_one(p), piped = send(p, package(p, "lead", "coder", ""));
  ho_send file = {.path = HO_STR("a.yaml"), .full = ho_str_of(in(p, "a.yaml"))}, lost = file;
  const char *text = package(p, "lead", "coder", "");
  write_text(p, "a.yaml", text);
  must(p, send_with(p, &file, text));
  lost.path = HO_STR("b.yaml");
  lost.full = ho_str_of(in(p, "b.yaml"));
  must(p, send_with(p, &lost, text)); /* there is no such file */
  ho_rebuilt out = rebuild(p);
  assert_int_equal(out.lost->count + out.restored->count, 0);
  assert_int_equal(out.handoffs, 4);
  assert_int_equal(differences(p), 0);
  lose_store(p);
  out = rebuild(p);
  assert_true(names(out.restored, "id", ended) && names(out.restored, "id", piped));
  assert_true(names(out.restored, "id", file.made.row.id) && names(out.lost, "what", lost.made.row.id));
  assert_int_equal(out.kept.n, 0);
  /* This ledger was opened before: it goes on with the new store. */
  ho_str next = send(p, package(p, "lead", "coder", ""));
  assert_false(ho_str_eq(next, lost.made.row.id));
  state_is(p, ended, "done");
  state_is(p, next, "ready");
  assert_int_equal(differences(p), 0);
}

/* It was opened before: what it holds is no longer what the files follow. */
static void a_store_that_was_replaced_is_not_verified(void **state)
{
  project *p = *state;
  ho_verdict verdict;
  ho_str ended = finish_one(p);
  ho_node *done = ho_node_new(&p->arena, HO_KIND_LIST);
  must(p, ho_archive_run(&p->project, texts_of(p, ho_arena_z(&p->arena, ended)), &p->arena, done, &p->err));
  finish_one(p);
  rebuild(p);
  ho_project other = closed_project(p, "lead");
  must(p, ho_project_open(&other, HO_OPEN_EXISTING, &p->err));
  must(p, ho_archive_run(&other, NULL, &p->arena, done, &p->err));
  ho_project_close(&other);
  must(p, ho_verify(&p->project, NULL, &p->arena, &verdict, &p->err));
  assert_int_equal(verdict.differences->count + verdict.unwritten->count, 0);
}

/* Another process had committed to it when it was replaced: it writes no file again. */
static void a_store_that_was_replaced_writes_no_file(void **state)
{
  project *p = *state;
  ho_str id = finish_one(p);
  const char *copy = copy_of(p, id);
  ho_project other = closed_project(p, "lead");
  must(p, ho_project_open(&other, HO_OPEN_EXISTING, &p->err));
  must(p, ho_store_settle(other.store, &p->err));
  rebuild(p);
  send(p, package(p, "lead", "coder", "")); /* goes on with the new one */
  write_text(p, copy, "somebody else's\n");
  must(p, ho_store_settle(other.store, &p->err));
  assert_false(ho_fs_exists(in(p, ho_arena_printf(&p->arena, "%s.recovered", copy).p)));
  ho_project_close(&other);
}

static void files_that_are_no_copies_are_said_to_be_lost(void **state)
{
  project *p = *state;
  ho_str id = finish_one(p);
  const char *copy = copy_of(p, id);
  ho_str folder = ho_fs_parent(ho_str_of(copy));
  write_text(p, ho_arena_printf(&p->arena, "%.*s/other.yaml", HO_ARG(folder)).p,
             ho_arena_z(&p->arena, read_text(p, copy)));
  write_text(p, ho_arena_printf(&p->arena, "%.*s/empty.yaml", HO_ARG(folder)).p, "");
  write_text(p, ho_arena_printf(&p->arena, "%.*s/evil.yaml", HO_ARG(folder)).p, "# handoff {\"id\":\"../x\"}\nbody\n");
  write_text(p, "state/current.json", "{");
  lose_store(p);
  ho_rebuilt out = rebuild(p);
  assert_int_equal(out.restored->count, 1);
  assert_int_equal(out.lost->count, 5); /* three files, the state file, the history */
}

static void a_lost_store_is_not_started_over(void **state)
{
  project *p = *state;
  finish_one(p);
  ho_project_close(&p->project);
  assert_int_equal(unlink(in(p, ".handoff/handoff.db")), 0);
  refuses(p, HO_STORE, "the store is lost", open_ledger(p, "lead"));
  assert_string_equal(p->err.rule, "store-lost");
  assert_int_equal(rebuild(p).restored->count, 1);
  must(p, open_ledger(p, "lead"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_project, end_project)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(copies_are_read_back),
      TEST(markdown_is_kept_whole),
      TEST(only_what_has_ended_is_archived),
      TEST(changed_files_are_named),
      TEST(a_state_file_that_cannot_be_read_is_left_alone),
      TEST(nothing_is_written_outside_of_the_project),
      TEST(a_state_file_of_others_keeps_their_words),
      TEST(files_wait_for_more_changes),
      TEST(files_of_a_killed_process_are_written_by_the_next),
      TEST(a_store_is_made_again),
      TEST(a_store_that_was_replaced_is_not_verified),
      TEST(a_store_that_was_replaced_writes_no_file),
      TEST(files_that_are_no_copies_are_said_to_be_lost),
      TEST(a_lost_store_is_not_started_over),
  };
  return unit_run(tests);
}
