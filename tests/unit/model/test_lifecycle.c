/* The state table, walked: what is allowed is exactly what this list says. */
#include "unit.h"

#include "model/formats/formats.h"
#include "model/lifecycle.h"

/* from, event, to; written out by hand from the documented table, not from the code. */
static const char *const allowed[][3] = {
    {"", "sent", "ready"},
    {"", "drafted", "draft"},
    {"draft", "confirmed", "ready"},
    {"ready", "claimed", "claimed"},
    {"claimed", "acked", "acked"},
    {"claimed", "blocked", "clarify"},
    {"claimed", "lapsed", "ready"},
    {"clarify", "answered", "ready"},
    {"acked", "done", "done"},
    {"acked", "returned", "done"},
    {"draft", "finished", "done"},
    {"ready", "finished", "done"},
    {"claimed", "finished", "done"},
    {"acked", "finished", "done"},
    {"clarify", "finished", "done"},
    {"acked", "rejected", "rejected"},
    {"acked", "work_lapsed", "ready"},
    {"acked", "blocked", "clarify"},
    {"draft", "withdrawn", "rejected"},
    {"ready", "withdrawn", "rejected"},
    {"claimed", "withdrawn", "rejected"},
    {"acked", "withdrawn", "rejected"},
    {"clarify", "withdrawn", "rejected"},
    {"gated", "withdrawn", "rejected"},
    {"claimed", "released", "ready"},
    {"acked", "released", "ready"},
    {"draft", "rejected", "rejected"},
    {"draft", "gated", "gated"},
    {"ready", "gated", "gated"},
    {"claimed", "gated", "gated"},
    {"acked", "gated", "gated"},
    {"clarify", "gated", "gated"},
    {"gated", "approved", "acked"},
    {"gated", "gate_rejected", "rejected"},
    {"ready", "exhausted", "gated"},
    {"claimed", "exhausted", "gated"},
    {"ready", "expired", "expired"},
    {"claimed", "expired", "expired"},
    {"draft", "superseded", "superseded"},
    {"ready", "superseded", "superseded"},
    {"claimed", "superseded", "superseded"},
    {"acked", "superseded", "superseded"},
    {"clarify", "superseded", "superseded"},
    {"gated", "superseded", "superseded"},
    {"done", "archived", "archived"},
    {"rejected", "archived", "archived"},
    {"superseded", "archived", "archived"},
    {"expired", "archived", "archived"},
};

static const char *expected(const char *from, const char *event)
{
  for (size_t i = 0; i < HO_COUNT(allowed); i++)
    if (!strcmp(allowed[i][0], from) && !strcmp(allowed[i][1], event))
      return allowed[i][2];
  return "";
}

static void exactly_the_table_is_allowed(void **state)
{
  (void)state;
  size_t steps = 0;
  for (int from = 0; from < HO_STATE_COUNT; from++)
    for (int event = 0; event < HO_EVENT_COUNT; event++) {
      ho_error err;
      ho_state to;
      ho_code code =
          ho_lifecycle_apply(HO_STR("HO-2026-001"), (ho_state)from, (ho_event_kind)event, HO_STATE_ACKED, &to, &err);
      const char *wanted = expected(ho_state_name((ho_state)from), ho_event_kind_name((ho_event_kind)event));
      if (strcmp(ho_state_name(to), wanted) != 0)
        fail_msg("from '%s', '%s' leads to '%s' in lifecycle.c, but to '%s' in the list of this test ('': not allowed)",
                 ho_state_name((ho_state)from), ho_event_kind_name((ho_event_kind)event), ho_state_name(to), wanted);
      assert_int_equal(code, *wanted ? HO_OK : HO_CONFLICT);
      steps += *wanted != '\0';
    }
  if (steps != HO_COUNT(allowed))
    fail_msg(
        "the list of this test names a state or event that does not exist, or one line twice: %zu of %zu lines hold",
        steps, HO_COUNT(allowed));
}

/* No state is a dead end or out of reach. What every open state has (`gated`, `superseded`) does not count. */
static void every_state_is_reached_and_open_ones_are_left(void **state)
{
  (void)state;
  bool reached[HO_STATE_COUNT] = {false}, left[HO_STATE_COUNT] = {false};
  for (int from = 0; from < HO_STATE_COUNT; from++)
    for (int event = 0; event < HO_EVENT_COUNT; event++) {
      ho_state to = ho_lifecycle_next((ho_state)from, (ho_event_kind)event, HO_STATE_NONE);
      reached[to] = true;
      left[from] |= to != HO_STATE_NONE && to != HO_STATE_GATED && to != HO_STATE_SUPERSEDED;
    }
  for (int i = 1; i < HO_STATE_COUNT; i++) {
    if (!reached[i])
      fail_msg("no event in lifecycle.c leads to '%s'", ho_state_name((ho_state)i));
    if (ho_state_open((ho_state)i) && !left[i])
      fail_msg("'%s' is open, but no event in lifecycle.c leads out of it", ho_state_name((ho_state)i));
  }
}

/* What `verify` and `quality` take from an event's sense is true of where it leads. */
static void senses_fit_the_states(void **state)
{
  (void)state;
  for (int from = 0; from < HO_STATE_COUNT; from++)
    for (int event = 0; event < HO_EVENT_COUNT; event++) {
      const char *name = ho_event_kind_name((ho_event_kind)event);
      ho_event_sense sense = ho_event_sense_of(ho_str_of(name));
      ho_state to = ho_lifecycle_next((ho_state)from, (ho_event_kind)event, HO_STATE_ACKED);
      if (to != HO_STATE_NONE && sense == HO_SENSE_ENDS && ho_state_open(to))
        fail_msg("'%s' ends a handoff by its sense, but leads to '%s'", name, ho_state_name(to));
      if (to != HO_STATE_NONE && (sense == HO_SENSE_ASKS) != (to == HO_STATE_GATED))
        fail_msg("'%s' leads to '%s', which does not fit its sense", name, ho_state_name(to));
    }
}

static void states_have_names_and_shown_names(void **state)
{
  (void)state;
  for (int i = 1; i < HO_STATE_COUNT; i++) {
    ho_state back;
    assert_true(ho_state_named(ho_str_of(ho_state_name((ho_state)i)), &back));
    assert_int_equal(back, i);
  }
  ho_state first;
  assert_true(ho_state_shown_named(HO_STR("pending"), &first)); /* also that of claimed */
  assert_int_equal(first, HO_STATE_READY);
  assert_true(ho_state_shown_named(HO_STR("completed"), &first)); /* also that of archived */
  assert_int_equal(first, HO_STATE_DONE);
  assert_false(ho_state_shown_named(HO_EMPTY, &first));
  assert_string_equal(ho_state_shown(HO_STATE_READY), "pending");
  assert_string_equal(ho_state_shown(HO_STATE_ACKED), "in_progress");
  assert_string_equal(ho_state_shown(HO_STATE_ARCHIVED), "completed");
  assert_true(ho_state_open(HO_STATE_GATED));
  assert_false(ho_state_open(HO_STATE_DONE));
}

/* Whoever tries what an open state does not allow is told what to run; of an ended one there is nothing to run. */
static void open_states_say_what_moves_them_on(void **state)
{
  (void)state;
  for (int i = 0; i < HO_STATE_COUNT; i++) {
    ho_error err;
    ho_state to;
    ho_event_kind refused = i == HO_STATE_NONE ? HO_EVENT_DONE : HO_EVENT_SENT;
    assert_int_equal(ho_lifecycle_apply(HO_STR("HO-1"), (ho_state)i, refused, HO_STATE_READY, &to, &err), HO_CONFLICT);
    if (i && (ho_state_command((ho_state)i) != NULL) != ho_state_open((ho_state)i))
      fail_msg("HO_STATES gives an open state a sentence and a command, an ended one neither; of '%s': %s",
               ho_state_name((ho_state)i), err.message);
  }
  ho_error err;
  ho_state to;
  assert_int_equal(ho_lifecycle_apply(HO_STR("HO-1"), HO_STATE_DRAFT, HO_EVENT_DONE, HO_STATE_READY, &to, &err),
                   HO_CONFLICT);
  assert_string_equal(err.message, "HO-1 is a draft that nobody has confirmed");
  assert_string_equal(ho_state_command(HO_STATE_DRAFT), "answer ID --note TEXT@");
  assert_int_equal(ho_lifecycle_apply(HO_STR("HO-1"), HO_STATE_READY, HO_EVENT_DONE, HO_STATE_READY, &to, &err),
                   HO_CONFLICT);
  assert_string_equal(err.message, "HO-1 is ready but not claimed");
  assert_string_equal(ho_state_command(HO_STATE_READY), "claim ID@");
}

/* What a state file may say covers what the program writes into it. */
static void state_files_know_every_state(void **state)
{
  (void)state;
  const ho_field *list = ho_record_fieldz(ho_format_state.root, "handoffs");
  const ho_choice *choices = ho_record_fieldz(list->record, "status")->choices;
  for (int i = 1; i < HO_STATE_COUNT; i++) {
    const ho_choice *each = choices;
    while (each->value && strcmp(each->value, ho_state_shown((ho_state)i)) != 0)
      each++;
    if (!each->value)
      fail_msg("'%s' is shown as '%s', which formats/state.c does not list", ho_state_name((ho_state)i),
               ho_state_shown((ho_state)i));
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exactly_the_table_is_allowed),
      cmocka_unit_test(every_state_is_reached_and_open_ones_are_left),
      cmocka_unit_test(senses_fit_the_states),
      cmocka_unit_test(states_have_names_and_shown_names),
      cmocka_unit_test(open_states_say_what_moves_them_on),
      cmocka_unit_test(state_files_know_every_state),
  };
  return unit_run(tests);
}
