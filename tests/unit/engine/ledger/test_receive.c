/* Delivery, acknowledgement, the end, and what time does: each refusal with its reason. */
#include "engine/ledger_support.h"

#include "engine/ledger/leases.h"
#include "engine/ledger/write.h"
#include "store/handoffs/handoffs.h"

static void who_asks_has_to_be_known(void **state)
{
  project *p = *state;
  ho_delivery d = {0};
  act_as(p, "");
  refuses(p, HO_USAGE, "who is asking?", ho_claim_next(&p->project, &p->arena, &d, &p->err));
  d.task = HO_STR("feature");
  must(p, ho_claim_next(&p->project, &p->arena, &d, &p->err));
  assert_false(d.found);
}

static void the_oldest_comes_first_and_once(void **state)
{
  project *p = *state;
  ho_str token, first = send(p, package(p, "lead", "coder", "")), second = send(p, package(p, "lead", "coder", ""));
  act_as(p, "coder/2");
  assert_true(ho_str_eq(claim(p, &token), first));
  assert_true(ho_str_eq(claim(p, &token), second));
  assert_int_equal(claim(p, &token).n, 0);
  ho_delivery d = {0};
  must(p, ho_claim_wait(&p->project, &p->arena, &d, 0, &p->err));
  assert_false(d.found);
}

static void only_the_claimer_goes_on(void **state)
{
  project *p = *state;
  ho_str token, id = send(p, package(p, "lead", "coder", ""));
  ho_ack unclaimed = {.id = id, .token = HO_STR("x")}, none = {.id = id}, wrong = {.id = id, .token = HO_STR("x")},
         other = {.id = id}, missing = {.id = HO_STR("HO-77")}, right = {.id = id, .task = HO_STR("Decide")};
  ho_handoff row;
  ho_str session = p->project.session;
  act_as(p, "coder");
  refuses(p, HO_NOT_FOUND, "there is no handoff HO-77", ho_receive_ack(&p->project, &p->arena, &missing, &p->err));
  refuses(p, HO_CONFLICT, "is ready but not claimed; run: handoff claim",
          ho_receive_ack(&p->project, &p->arena, &unclaimed, &p->err));
  refuses(p, HO_CONFLICT, "claimed by nobody",
          ho_claim_renew(&p->project, &p->arena, id, HO_STR("x"), 0, &row, &p->err));
  claim(p, &token);
  p->project.session = HO_STR("another");
  refuses(p, HO_CONFLICT, "is held by another session of coder until ",
          ho_receive_ack(&p->project, &p->arena, &none, &p->err));
  p->project.session = session;
  refuses(p, HO_USAGE, "handoff ack HO-", ho_receive_ack(&p->project, &p->arena, &none, &p->err));
  refuses(p, HO_CONFLICT, "stale or wrong", ho_receive_ack(&p->project, &p->arena, &wrong, &p->err));
  other.token = right.token = token;
  act_as(p, "painter");
  refuses(p, HO_CONFLICT, "claimed by coder, not by painter", ho_receive_ack(&p->project, &p->arena, &other, &p->err));
  act_as(p, "coder");
  must(p, ho_receive_ack(&p->project, &p->arena, &right, &p->err));
  assert_int_equal(right.checks->count, 4);
  refuses(p, HO_CONFLICT, "is acknowledged but not done; run: handoff done HO-",
          ho_receive_ack(&p->project, &p->arena, &right, &p->err));
  ho_say early = {.id = id, .token = HO_STR("x"), .note = HO_STR("no")};
  refuses(p, HO_CONFLICT, "stale or wrong", ho_receive_reject(&p->project, &p->arena, &early, &p->err));
  early.token = token;
  must(p, ho_receive_reject(&p->project, &p->arena, &early, &p->err));
  refuses(p, HO_CONFLICT, "is already rejected", ho_receive_done(&p->project, &p->arena, &early, &p->err));
}

static void a_year_may_be_left_out(void **state)
{
  project *p = *state;
  ho_turn turn;
  ho_str id = send(p, package(p, "lead", "coder", ""));
  ho_str brief = ho_arena_printf(&p->arena, "HO-%.*s", HO_ARG(ho_str_sub(id, 8, id.n)));
  p->err = (ho_error){0};
  must(p, ho_turn_begin(&p->project, brief, &p->arena, &turn, &p->err));
  assert_true(ho_str_eq(turn.row.id, id));
  assert_int_equal(p->err.code, 0); /* untouched on success */
}

static void questions_are_answered_once(void **state)
{
  project *p = *state;
  ho_str token, id = send(p, package(p, "lead", "coder", ""));
  act_as(p, "coder");
  claim(p, &token);
  ho_say answer = {.id = id, .note = HO_STR("A day")}, nobody = {.id = HO_STR("HO-77")};
  refuses(p, HO_CONFLICT, "nobody asked", ho_receive_answer(&p->project, &p->arena, &answer, &p->err));
  refuses(p, HO_NOT_FOUND, "HO-77", ho_receive_answer(&p->project, &p->arena, &nobody, &p->err));
  ho_ack ask = {.id = id, .token = token, .questions = texts_of(p, "How long?")};
  must(p, ho_receive_ack(&p->project, &p->arena, &ask, &p->err));
  state_is(p, id, "claimed");
  refuses(p, HO_CONFLICT, "only its sender", ho_receive_answer(&p->project, &p->arena, &answer, &p->err));
  act_as(p, "lead");
  must(p, ho_receive_answer(&p->project, &p->arena, &answer, &p->err));
  refuses(p, HO_CONFLICT, "nobody asked", ho_receive_answer(&p->project, &p->arena, &answer, &p->err));
  act_as(p, "coder");
  ho_ack block = {.id = id, .token = token, .blockers = texts_of(p, "No access")};
  must(p, ho_receive_ack(&p->project, &p->arena, &block, &p->err));
  state_is(p, id, "clarify");
  act_as(p, "lead");
  must(p, ho_receive_answer(&p->project, &p->arena, &answer, &p->err));
  state_is(p, id, "ready");
  act_as(p, "coder/2"); /* who asked comes first, for as long as a lease */
  assert_int_equal(claim(p, &token).n, 0);
  p->now += 901000;
  assert_true(ho_str_eq(claim(p, &token), id));
}

static void others_get_what_is_not_kept_for_the_one_who_asked(void **state)
{
  project *p = *state;
  ho_str token, asked = send(p, package(p, "lead", "coder", "")), later = send(p, package(p, "lead", "coder", ""));
  act_as(p, "coder/1");
  claim(p, &token);
  ho_ack block = {.id = asked, .token = token, .not_starting = true};
  ho_say answer = {.id = asked, .note = HO_STR("Now")};
  must(p, ho_receive_ack(&p->project, &p->arena, &block, &p->err));
  act_as(p, "lead");
  must(p, ho_receive_answer(&p->project, &p->arena, &answer, &p->err));
  act_as(p, "coder/2");
  assert_true(ho_str_eq(claim(p, &token), later));
  act_as(p, "coder/1");
  assert_true(ho_str_eq(claim(p, &token), asked));
}

static void nothing_takes_its_own_place(void **state)
{
  project *p = *state;
  ho_str a = send(p, package(p, "lead", "coder", "")), b = send(p, package(p, "lead", "coder", ""));
  ho_say self = {.id = a, .by = a}, missing = {.id = a, .by = HO_STR("HO-77")}, fine = {.id = a, .by = b};
  refuses(p, HO_USAGE, "cannot supersede itself", ho_receive_supersede(&p->project, &p->arena, &self, &p->err));
  refuses(p, HO_NOT_FOUND, "HO-77", ho_receive_supersede(&p->project, &p->arena, &missing, &p->err));
  must(p, ho_receive_supersede(&p->project, &p->arena, &fine, &p->err));
  state_is(p, a, "superseded");
  refuses(p, HO_CONFLICT, "is already superseded", ho_receive_supersede(&p->project, &p->arena, &fine, &p->err));
}

static void leases_end_and_are_renewed(void **state)
{
  project *p = *state;
  ho_str token, stale, id = send(p, package(p, "lead", "coder", ""));
  ho_handoff row;
  act_as(p, "coder");
  claim(p, &stale);
  p->now += 600000;
  must(p, ho_claim_renew(&p->project, &p->arena, id, stale, 0, &row, &p->err));
  assert_true(row.lease_until == p->now + 900000);
  p->now += 899000;
  assert_false(ho_leases_any(&p->project));
  p->now += 2000;
  assert_true(ho_leases_any(&p->project));
  ho_ledger_settle(&p->project);
  state_is(p, id, "ready");
  claim(p, &token);
  ho_ack late = {.id = id, .token = stale};
  refuses(p, HO_CONFLICT, "stale or wrong", ho_receive_ack(&p->project, &p->arena, &late, &p->err));
}

static void too_many_attempts_go_to_a_person(void **state)
{
  project *p = *state;
  ho_str token, id = send(p, package(p, "lead", "coder", ""));
  act_as(p, "coder");
  for (int i = 0; i < HO_ATTEMPTS; i++) {
    assert_true(ho_str_eq(claim(p, &token), id));
    p->now += 901000;
  }
  assert_int_equal(claim(p, &token).n, 0);
  state_is(p, id, "gated");
}

static void work_that_goes_silent_leaves_a_draft(void **state)
{
  project *p = *state;
  ho_handoff_list drafts;
  ho_str token, id = send(p, package(p, "lead", "coder", ""));
  act_as(p, "coder");
  claim(p, &token);
  ho_ack ack = {.id = id, .token = token, .task = HO_STR("Write it")};
  must(p, ho_receive_ack(&p->project, &p->arena, &ack, &p->err));
  p->now += 901000;
  ho_ledger_settle(&p->project);
  state_is(p, id, "ready");
  ho_filter filter = {.state = HO_STR("draft")};
  must(p, ho_handoffs_select(p->project.store, &filter, &p->arena, &drafts, &p->err));
  assert_int_equal(drafts.count, 1);
  ho_say confirm = {.id = drafts.rows[0].id, .note = HO_STR("fine")};
  must(p, ho_receive_answer(&p->project, &p->arena, &confirm, &p->err));
  state_is(p, drafts.rows[0].id, "ready");
}

static void deadlines_expire_what_waits_and_mark_what_works(void **state)
{
  project *p = *state;
  ho_str token, waits = send(p, package(p, "lead", "painter", "  x_deadline: \"2026-02-12T15:30:22Z\"\n")),
                works = send(p, package(p, "lead", "coder", "  x_deadline: \"2026-02-12T14:40:22Z\"\n"));
  act_as(p, "coder");
  claim(p, &token);
  ho_ack ack = {.id = works, .token = token, .task = HO_STR("Build it")};
  must(p, ho_receive_ack(&p->project, &p->arena, &ack, &p->err));
  p->now += 700000;
  ho_ledger_settle(&p->project);
  state_is(p, works, "acked");
  assert_int_equal(events_of(p, works, "overdue"), 1);
  p->now += 3600000;
  ho_ledger_settle(&p->project);
  state_is(p, waits, "expired");
}

static void an_acknowledgement_may_be_a_document(void **state)
{
  project *p = *state;
  ho_str token, id = send(p, package(p, "lead", "coder", ""));
  ho_send nothing = {0}, right = {0};
  static const char unnamed[] =
      "acknowledgment:\n  received: true\n  from: %s\n  understood:\n    task: Write the record of the decision\n"
      "    constraints:\n      - Answers within 200 ms\n  questions: []\n  starting: true\n";
  act_as(p, "coder");
  /* which handoff it is about is told by the claim, if there is one from the agent that it names */
  refuses(p, HO_INVALID, "none is claimed from lead",
          send_with(p, &nothing, ho_arena_printf(&p->arena, unnamed, "lead").p));
  claim(p, &token);
  refuses(p, HO_INVALID, "none is claimed from tester",
          send_with(p, &nothing, ho_arena_printf(&p->arena, unnamed, "tester").p));
  right.token = token;
  const char *text = ho_arena_printf(&p->arena,
                                     "acknowledgment:\n  handoff: %.*s\n  received: true\n  understood: partial\n"
                                     "  blockers:\n    - No access to the repository\n"
                                     "  action: request_clarification\n",
                                     HO_ARG(id))
                         .p;
  must(p, send_with(p, &right, text));
  state_is(p, id, "clarify");
}

static void checks_say_what_does_not_hold(void **state)
{
  project *p = *state;
  ho_str token, id = send(p, package(p, "lead", "coder", ""));
  ho_node *agents = ho_map_addz(p->held, "agents", ho_node_new(&p->arena, HO_KIND_LIST));
  ho_node *other = ho_list_add(agents, ho_node_new(&p->arena, HO_KIND_MAP));
  ho_map_addz(other, "name", ho_node_textz(&p->arena, "fast"));
  ho_map_addz(other, "capabilities", texts_of(p, "200 ms"));
  trust_settings(p);
  act_as(p, "coder");
  claim(p, &token);
  write_text(p, "docs/spec.md", "changed\n");
  ho_ack ack = {.id = id, .token = token, .task = HO_STR("Build it")};
  must(p, ho_receive_ack(&p->project, &p->arena, &ack, &p->err));
  HO_EACH_CONST (check, ack.checks) {
    ho_str name = ho_map_str(check, "check");
    bool good = ho_str_is(name, "summary") || ho_str_is(name, "deliverable");
    assert_int_equal(ho_node_true(ho_map_getz(check, "ok")), good);
    assert_str(ho_map_str(check, "known"), "verified");
  }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_project, end_project)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(who_asks_has_to_be_known),
      TEST(the_oldest_comes_first_and_once),
      TEST(only_the_claimer_goes_on),
      TEST(a_year_may_be_left_out),
      TEST(questions_are_answered_once),
      TEST(others_get_what_is_not_kept_for_the_one_who_asked),
      TEST(nothing_takes_its_own_place),
      TEST(leases_end_and_are_renewed),
      TEST(too_many_attempts_go_to_a_person),
      TEST(work_that_goes_silent_leaves_a_draft),
      TEST(deadlines_expire_what_waits_and_mark_what_works),
      TEST(an_acknowledgement_may_be_a_document),
      TEST(checks_say_what_does_not_hold),
  };
  return unit_run(tests);
}
