/* Runs, steps and teammates: what is put comes back, whole and in order. */
#include "store/support.h"

#include "store/inside.h"
#include "store/runs/runs.h"

static ho_run_row run_of(const char *id, int64_t started)
{
  return (ho_run_row){.id = ho_str_of(id),
                      .plan = HO_STR("specs/7_x/plans/a.md"),
                      .task = HO_STR("7"),
                      .options = HO_STR("{\"jobs\":4}"),
                      .state = HO_RUN_STATE_RUNNING,
                      .lead = HO_STR("ann@host"),
                      .lead_pid = 42,
                      .started = started,
                      .updated = started};
}

static ho_code add_all(ho_store *store, void *data, ho_error *err)
{
  ho_run_row first = run_of("R-1", 10), second = run_of("R-2", 20);
  ho_run_step late = {.run = second.id, .step = HO_STR("2"), .place = 2, .state = HO_STEP_WAITING};
  ho_run_step early = {.run = second.id, .step = HO_STR("10"), .place = 1, .state = HO_STEP_RUNNING, .idle = 3};
  ho_teammate mate = {.id = HO_STR("R-2/10.1"),
                      .run = second.id,
                      .task = HO_STR("7"),
                      .step = early.step,
                      .n = 1,
                      .pid = 99,
                      .pid_start = 1234567,
                      .state = HO_TEAMMATE_RUNNING,
                      .exit_status = -9,
                      .why = HO_STR("it works")};
  (void)data;
  ho_code code = ho_runs_add(store, &first, err);
  if (!code)
    code = ho_runs_add(store, &second, err);
  if (!code)
    code = ho_runs_put_step(store, &late, err);
  if (!code)
    code = ho_runs_put_step(store, &early, err);
  if (!code)
    code = ho_runs_put_teammate(store, &mate, err);
  return code;
}

static ho_code change_all(ho_store *store, void *data, ho_error *err)
{
  place *p = data;
  ho_run_row run;
  ho_teammate mate;
  ho_code code = ho_runs_get(store, HO_STR("R-1"), &p->arena, &run, err);
  run.state = HO_RUN_STATE_DONE;
  run.ended = 30;
  if (!code)
    code = ho_runs_change(store, &run, err);
  if (!code)
    code = ho_runs_get_teammate(store, HO_STR("R-2/10.1"), &p->arena, &mate, err);
  mate.state = HO_TEAMMATE_ENDED;
  mate.left_path = HO_STR("specs/7_x/handoffs/h.md");
  return code ? code : ho_runs_put_teammate(store, &mate, err);
}

static void test_round_trip(void **state)
{
  place *p = *state;
  ho_run_list runs;
  ho_run_step_list steps;
  ho_teammate_list mates;
  must(p, ho_store_write(p->store, add_all, p, &p->err));
  must(p, ho_store_write(p->store, change_all, p, &p->err));
  must(p, ho_runs_select(p->store, HO_EMPTY, HO_STR("7"), false, 0, &p->arena, &runs, &p->err));
  assert_int_equal(runs.count, 2);
  assert_str(runs.rows[0].id, "R-2");
  assert_int_equal(runs.rows[1].state, HO_RUN_STATE_DONE);
  assert_int_equal(runs.rows[1].ended, 30);
  must(p, ho_runs_select(p->store, runs.rows[0].plan, HO_EMPTY, true, 1, &p->arena, &runs, &p->err));
  assert_int_equal(runs.count, 1);
  assert_str(runs.rows[0].options, "{\"jobs\":4}");
  must(p, ho_runs_steps(p->store, HO_STR("R-2"), &p->arena, &steps, &p->err));
  assert_int_equal(steps.count, 2);
  assert_str(steps.rows[0].step, "10");
  assert_int_equal(steps.rows[0].idle, 3);
  must(p, ho_runs_teammates(p->store, HO_EMPTY, HO_STR("7"), HO_TEAMMATE_ENDED, 0, &p->arena, &mates, &p->err));
  assert_int_equal(mates.count, 1);
  assert_int_equal(mates.rows[0].exit_status, -9);
  assert_int_equal(mates.rows[0].pid_start, 1234567);
  assert_str(mates.rows[0].left_path, "specs/7_x/handoffs/h.md");
  must(p, ho_runs_teammates(p->store, HO_EMPTY, HO_EMPTY, HO_TEAMMATE_RUNNING, 0, &p->arena, &mates, &p->err));
  assert_int_equal(mates.count, 0);
}

static void test_refusals(void **state)
{
  place *p = *state;
  ho_run_row run;
  ho_teammate mate;
  must(p, ho_store_write(p->store, add_all, p, &p->err));
  assert_int_equal(ho_store_write(p->store, add_all, p, &p->err), HO_CONFLICT);
  assert_int_equal(ho_runs_get(p->store, HO_STR("R-9"), &p->arena, &run, &p->err), HO_NOT_FOUND);
  assert_int_equal(ho_runs_get_teammate(p->store, HO_STR("R-9/1.1"), &p->arena, &mate, &p->err), HO_NOT_FOUND);
  assert_int_equal(ho_runs_put_teammate(p->store, &mate, &p->err), HO_BUG);
}

/* A word that no set has is an error, and nothing else is read wrongly because of it. */
static void test_strange_words(void **state)
{
  static const char *const changes[] = {"UPDATE runs SET state = 'asleep'", "UPDATE runs SET state = ''",
                                        "UPDATE runs SET state = 'running'"};
  place *p = *state;
  ho_run_row run;
  ho_teammate mate;
  must(p, ho_store_write(p->store, add_all, p, &p->err));
  for (size_t i = 0; i < HO_COUNT(changes); i++) {
    must(p, p->store->driver->script(p->store->db, changes[i], &p->err));
    ho_code code = ho_runs_get(p->store, HO_STR("R-1"), &p->arena, &run, &p->err);
    assert_int_equal(code, i == 2 ? HO_OK : HO_STORE);
  }
  assert_string_equal(p->err.rule, "store-word");
  must(p, p->store->driver->script(p->store->db, "UPDATE teammates SET outcome = 'eaten'", &p->err));
  assert_int_equal(ho_runs_get_teammate(p->store, HO_STR("R-2/10.1"), &p->arena, &mate, &p->err), HO_STORE);
  assert_non_null(strstr(p->err.message, "'eaten' is not an outcome of a teammate"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_round_trip, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_refusals, begin_place, end_place),
      cmocka_unit_test_setup_teardown(test_strange_words, begin_place, end_place),
  };
  return unit_run(tests);
}
