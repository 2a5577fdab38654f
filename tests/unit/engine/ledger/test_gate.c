/* Gates: who may decide, once, in time; what the decision does to the handoff; what the state file shows. */
#include "engine/ledger_support.h"

#include "engine/ledger/gate_decide.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/statefile.h"
#include "engine/ledger/verify.h"
#include "engine/ledger/write.h"
#include "engine/project/project.h"
#include "store/handoffs/gates.h"
#include "store/handoffs/handoffs.h"
#include "store/inside.h"
#include "store/sql.h"

static ho_str escalate(project *p, const char *more, ho_str *gate)
{
  ho_str id = send(p, package(p, "est", "human", more));
  *gate = gate_of(p, id);
  state_is(p, id, "gated");
  act_as(p, ""); /* a person */
  return id;
}

static void agents_do_not_decide(void **state)
{
  project *p = *state;
  ho_str gate;
  escalate(p, "", &gate);
  setenv("CLAUDECODE", "1", 1);
  refuses(p, HO_GATED, "CLAUDECODE", decide(p, gate, "approve", ""));
  unsetenv("CLAUDECODE");
  ho_str actor = p->project.actor;
  p->project.actor = HO_STR("est");
  refuses(p, HO_GATED, "raised gate", decide(p, gate, "approve", ""));
  p->project.actor = actor;
  refuses(p, HO_USAGE, "--note", decide(p, gate, "question", " "));
  refuses(p, HO_NOT_FOUND, "there is no gate G-1", decide(p, HO_STR("G-1"), "approve", ""));
}

static void the_first_decision_counts(void **state)
{
  project *p = *state;
  ho_str gate, id = escalate(p, "", &gate);
  must(p, decide(p, gate, "approve", "go"));
  refuses(p, HO_CONFLICT, "is already decided: approve", decide(p, gate, "reject", ""));
  state_is(p, id, "ready");
  ho_gate after;
  refuses(p, HO_CONFLICT, "is already decided",
          ho_gate_answer(&p->project, &p->arena, gate, HO_STR("x"), &after, &p->err));
  act_as(p, "est"); /* whoever asked goes on */
  ho_str token;
  assert_true(ho_str_eq(claim(p, &token), id));
}

static void questions_keep_it_open(void **state)
{
  project *p = *state;
  ho_gate after;
  ho_str gate, id = escalate(p, "", &gate);
  refuses(p, HO_CONFLICT, "nobody asked", ho_gate_answer(&p->project, &p->arena, gate, HO_STR("x"), &after, &p->err));
  must(p, decide(p, gate, "question", "how much?"));
  must(p, ho_gate_answer(&p->project, &p->arena, gate, HO_STR("5 days"), &after, &p->err));
  assert_int_equal(after.state, HO_GATE_OPEN);
  state_is(p, id, "gated");
  must(p, decide(p, gate, "reject", "too dear"));
  state_is(p, id, "rejected");
}

static void deadlines_reject_and_own_deadlines_rest(void **state)
{
  project *p = *state;
  ho_gate row;
  ho_str gate, id = escalate(p, "  deadline: \"2026-02-12T15:30:22Z\"\n", &gate);
  ho_str own = send(p, package(p, "lead", "coder", "  x_deadline: \"2026-02-12T15:00:22Z\"\n"));
  ho_send about = {.gates = own, .only_gate = true};
  must(p, send_with(p, &about, gate_text(p, "lead", "")));
  p->now += 7200000;
  ho_ledger_settle(&p->project);
  state_is(p, id, "rejected");
  must(p, ho_gates_get(p->project.store, gate, &p->arena, &row, &p->err));
  assert_str(row.decided_by, "deadline");
  state_is(p, own, "gated");
  must(p, decide(p, about.made.gate, "approve", ""));
  ho_ledger_settle(&p->project);
  state_is(p, own, "expired");
}

static void a_gate_that_stops_nothing_ends_by_its_deadline(void **state)
{
  project *p = *state;
  ho_gate row;
  ho_turn turn;
  ho_str gate, id = send(p, package(p, "lead", "coder", ""));
  ho_send about = {.gates = id, .only_gate = true};
  const char *text = gate_text(p, "lead", "  deadline: \"2026-02-12T15:00:22Z\"\n");
  ho_str whole = ho_str_of(text);
  size_t at = ho_str_find(whole, "type: blocking");
  must(p, send_with(p, &about, ho_arena_printf(&p->arena, "%.*stype: advisory%s", (int)at, text, text + at + 14).p));
  gate = about.made.gate;
  state_is(p, id, "ready");
  must(p, ho_turn_begin(&p->project, id, &p->arena, &turn, &p->err));
  p->now += 7200000;
  ho_ledger_settle(&p->project);
  must(p, ho_gates_get(p->project.store, gate, &p->arena, &row, &p->err));
  assert_int_equal(row.state, HO_GATE_DECIDED);
  state_is(p, id, "ready");
}

static void a_handoff_waits_for_one_gate_at_a_time(void **state)
{
  project *p = *state;
  ho_str gate, id = escalate(p, "", &gate);
  ho_send second = {.gates = id, .only_gate = true};
  refuses(p, HO_CONFLICT, "waits for a person; run: handoff gate list",
          send_with(p, &second, gate_text(p, "lead", "")));
  ho_say other = {.id = id, .by = send(p, package(p, "lead", "coder", ""))};
  must(p, ho_receive_supersede(&p->project, &p->arena, &other, &p->err));
  refuses(p, HO_CONFLICT, "is already decided: reject by handoff", decide(p, gate, "approve", ""));
}

static void a_claim_rests_while_a_person_decides(void **state)
{
  project *p = *state;
  ho_handoff row;
  ho_str token, id = send(p, package(p, "lead", "coder", ""));
  act_as(p, "coder");
  claim(p, &token);
  ho_send about = {.gates = id, .only_gate = true};
  must(p, send_with(p, &about, gate_text(p, "coder", "")));
  refuses(p, HO_CONFLICT, "there is no lease to renew",
          ho_claim_renew(&p->project, &p->arena, id, token, 0, &row, &p->err));
  p->now += 7200000;
  ho_ledger_settle(&p->project);
  state_is(p, id, "gated");
  act_as(p, "");
  must(p, decide(p, about.made.gate, "approve", ""));
  state_is(p, id, "claimed");
  ho_ack ack = {.id = id, .token = token, .task = HO_STR("Build it")};
  must(p, ho_receive_ack(&p->project, &p->arena, &ack, &p->err));
}

static void the_state_file_shows_who_waits(void **state)
{
  project *p = *state;
  ho_str gate;
  write_text(p, "state/current.json", "{\"gates_pending\": [{\"step\": \"design\"}, 7, \"x\"], \"mine\": 1}");
  escalate(p, "", &gate);
  const ho_node *list = ho_map_getz(state_file(p), "gates_pending");
  assert_int_equal(list->count, 4);
  assert_true(ho_str_eq(ho_map_str(list->last, "gate"), gate));
  must(p, decide(p, gate, "approve", ""));
  list = ho_map_getz(state_file(p), "gates_pending");
  assert_int_equal(list->count, 3);
  assert_str(ho_map_str(list->first, "step"), "design");
  write_text(p, "state/current.json", "{\"gates_pending\": \"none\"}");
  act_as(p, "est");
  escalate(p, "", &gate);
  assert_str(ho_map_str(state_file(p), "gates_pending"), "none"); /* no list: left alone */
  write_text(p, "state/current.json", "{ }");
  ho_statefile_refresh(&p->project, &p->err);
  assert_int_equal(ho_map_getz(state_file(p), "gates_pending")->count, 1);
  assert_int_equal(ho_map_getz(state_file(p), "handoffs")->count, 2);
}

static void gates_are_verified(void **state)
{
  project *p = *state;
  ho_verdict verdict;
  ho_str gate;
  escalate(p, "", &gate);
  must(p, decide(p, gate, "question", "how much?"));
  must(p, ho_verify(&p->project, NULL, &p->arena, &verdict, &p->err));
  assert_int_equal(verdict.differences->count, 0);
  must(p, decide(p, gate, "approve", ""));
  must(p, ho_verify(&p->project, NULL, &p->arena, &verdict, &p->err));
  assert_int_equal(verdict.differences->count, 0);
  ho_store *store = p->project.store;
  must(p, store->driver->script(store->db, "UPDATE gates SET decision = 'maybe'", &p->err));
  must(p, ho_verify(&p->project, NULL, &p->arena, &verdict, &p->err));
  assert_int_equal(verdict.differences->count, 2); /* the gate, and that not all of them can be counted */
}

/* Which handoffs had a gate is asked of an index: it has every kind of event that raises one, and the statement has its
 * condition. */
static void events_that_raise_gates_are_found(void **state)
{
  const char *const kinds[] = {
#define X(name, text, sense) text,
      HO_EVENT_KINDS(X)
#undef X
          HO_NOTE_GATE_RAISED};
  const char *step = ho_schema_steps[6], *condition = strstr(step, "kind IN (");
  (void)state;
  assert_non_null(condition);
  for (size_t i = 0; i < HO_COUNT(kinds); i++) {
    char quoted[64];
    ho_event event = {.kind = ho_str_of(kinds[i])};
    snprintf(quoted, sizeof quoted, "'%s'", kinds[i]);
    if (ho_gate_read_raises(&event) != (strstr(condition, quoted) != NULL))
      fail_msg("%s: the index events_asks (src/store/schema.c) needs a step that makes it anew", kinds[i]);
  }
  char text[256];
  snprintf(text, sizeof text, "%.*s", (int)strlen(condition) - 1, condition); /* without the semicolon */
  assert_non_null(strstr(ho_sql_text(HO_SQL_GATE_HANDOFFS), text));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_project, end_project)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(agents_do_not_decide),
      TEST(the_first_decision_counts),
      TEST(questions_keep_it_open),
      TEST(deadlines_reject_and_own_deadlines_rest),
      TEST(a_gate_that_stops_nothing_ends_by_its_deadline),
      TEST(a_handoff_waits_for_one_gate_at_a_time),
      TEST(a_claim_rests_while_a_person_decides),
      TEST(the_state_file_shows_who_waits),
      TEST(gates_are_verified),
      cmocka_unit_test(events_that_raise_gates_are_found),
  };
  return unit_run(tests);
}
