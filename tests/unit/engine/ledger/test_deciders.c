/* Deciders: who is enrolled by whom, what their signatures are bound to, and what the copies are worth. */
#include "engine/ledger_support.h"

#include "engine/ledger/deciders_change.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/key_file.h"
#include "engine/ledger/verify.h"
#include "store/inside.h"

static ho_code enrol(project *p, const char *text)
{
  ho_deciders_changing in = {.project = &p->project, .arena = &p->arena, .person = &test_person};
  return ho_deciders_enrol(&in, ho_str_of(text), &p->err);
}

static ho_key_file make_key(project *p, const char *name)
{
  ho_key_file file;
  must(p, ho_key_file_make(&p->arena, ho_str_of(name), &test_person, &file, &p->err));
  return file;
}

static ho_deciders deciders(project *p)
{
  ho_deciders out;
  must(p, ho_deciders_load(&p->project, &p->arena, &out, &p->err));
  return out;
}

static void script(project *p, const char *sql)
{
  must(p, p->project.store->driver->script(p->project.store->db, sql, &p->err));
}

static ho_gate gate_now(project *p, ho_str id)
{
  ho_gate gate;
  must(p, ho_gate_read(&p->project, id, &p->arena, &gate, &p->err));
  return gate;
}

static ho_str raise_gate(project *p)
{
  act_as(p, "est");
  ho_str id = send(p, package(p, "est", "human", ""));
  ho_str gate = gate_of(p, id);
  act_as(p, "");
  return gate;
}

static void nobody_is_required_without_deciders(void **state)
{
  project *p = *state;
  ho_deciders d = deciders(p);
  assert_false(d.required);
  assert_int_equal(d.count, 0);
  act_as(p, "");
  refuses(p, HO_NOT_FOUND, "you have no key", enrol(p, ""));
}

static void only_signed_decisions_count(void **state)
{
  project *p = *state;
  ho_str before = raise_gate(p);
  must(p, decide(p, before, "reject", ""));
  make_key(p, "alice");
  must(p, enrol(p, ""));
  refuses(p, HO_CONFLICT, "enrolled already", enrol(p, ""));
  ho_deciders d = deciders(p);
  assert_true(d.required);
  assert_int_equal(d.active, 1);
  assert_int_equal(d.flaws->count, 0);
  assert_int_equal(d.file.count, 1);
  assert_int_equal(d.pin.count, 1);
  ho_gate old = gate_now(p, before); /* made before: still there, and unsigned */
  assert_int_equal(old.state, HO_GATE_DECIDED);
  assert_str(old.proof, "unsigned");

  ho_str id = raise_gate(p);
  test_passphrase = "a wrong passphrase";
  refuses(p, HO_GATED, "the passphrase is wrong", decide(p, id, "approve", ""));
  test_passphrase = "a passphrase for tests";
  script(p, "UPDATE gates SET state = 'decided', decision = 'approve', decided_by = 'alice', verified = 'verified', "
            "decided = 5 WHERE state = 'open'");
  ho_gate forged = gate_now(p, id);
  assert_int_equal(forged.state, HO_GATE_OPEN);
  assert_true(ho_str_has(forged.doubt, "not signed"));
  must(p, decide(p, id, "approve", "go")); /* the person decides as if nothing had been */
  ho_gate after = gate_now(p, id);
  assert_int_equal(after.state, HO_GATE_DECIDED);
  assert_str(after.proof, "unconfirmed");
  must(p, ho_trust_give(p->project.trust, &p->err));
  assert_str(gate_now(p, id).proof, "signed");
  assert_str(after.decided_by, "alice");
  ho_verdict verdict;
  must(p, ho_verify(&p->project, NULL, &p->arena, &verdict, &p->err));
  assert_int_equal(verdict.differences->count, 0);
  assert_int_equal(verdict.people.decisions_signed, 1);
  assert_int_equal(verdict.people.decisions_unsigned, 1);
  assert_true(verdict.people.seals_signed > 0);
}

/* Whatever of the row is changed, the signature no longer fits. */
static void a_signature_is_bound_to_everything(void **state)
{
  static const char *const changes[] = {"decision = 'reject'", "note = 'x'",          "digest = digest || '0'",
                                        "name = 'x'",          "raised = raised + 1", "decided = decided + 1",
                                        "raised_by = 'x'",     "deadline = 5",        "handoff = 'HO-2026-999'",
                                        "decided_by = 'bob'",  "signer = 'x'",        "signature = 'x'"};
  project *p = *state;
  make_key(p, "alice");
  act_as(p, "");
  must(p, enrol(p, ""));
  ho_str id = raise_gate(p);
  must(p, decide(p, id, "approve", ""));
  script(p, "CREATE TABLE kept AS SELECT * FROM gates");
  for (size_t i = 0; i < HO_COUNT(changes); i++) {
    script(p, ho_arena_printf(&p->arena, "UPDATE gates SET %s", changes[i]).p);
    ho_gate gate = gate_now(p, id);
    if (gate.state != HO_GATE_OPEN || !gate.doubt.n)
      fail_msg("%s: it still counts", changes[i]);
    script(p, "DELETE FROM gates; INSERT INTO gates SELECT * FROM kept");
  }
  assert_int_equal(gate_now(p, id).state, HO_GATE_DECIDED);
}

static void others_are_enrolled_and_revoked_by_deciders(void **state)
{
  project *p = *state;
  ho_key_file alice = make_key(p, "alice");
  act_as(p, "");
  must(p, enrol(p, ""));
  const char *alices = ho_arena_z(&p->arena, alice.path);
  const char *aside = ho_arena_printf(&p->arena, "%s/aside", p->folder).p,
             *bobs_place = ho_arena_printf(&p->arena, "%s/bob", p->folder).p;
  assert_int_equal(rename(alices, aside), 0);
  ho_key_file bob = make_key(p, "bob");
  const char *line = ho_arena_printf(&p->arena, "bob ed25519:%.*s\n", HO_ARG(bob.key)).p;
  refuses(p, HO_GATED, "only a decider can enrol you (alice)", enrol(p, ""));
  refuses(p, HO_GATED, "only a decider", enrol(p, line));
  assert_int_equal(rename(alices, bobs_place), 0);
  assert_int_equal(rename(aside, alices), 0);
  refuses(p, HO_INVALID, "is not 'NAME", enrol(p, "bob\n"));
  refuses(p, HO_INVALID, "not an Ed25519 key", enrol(p, "bob ed25519:abc\n"));
  refuses(p, HO_CONFLICT, "another decider called alice", enrol(p, ho_arena_printf(&p->arena, "alice%s", line + 3).p));
  must(p, enrol(p, line));
  assert_int_equal(deciders(p).active, 2);
  ho_str id = raise_gate(p);
  assert_int_equal(rename(alices, aside), 0);
  assert_int_equal(rename(bobs_place, alices), 0);
  must(p, decide(p, id, "approve", ""));
  assert_str(gate_now(p, id).decided_by, "bob");
  ho_str late = raise_gate(p);
  assert_int_equal(rename(alices, bobs_place), 0);
  assert_int_equal(rename(aside, alices), 0);
  ho_deciders_changing in = {.project = &p->project, .arena = &p->arena, .person = &test_person};
  must(p, ho_deciders_revoke(&in, HO_STR("bob"), &p->err));
  assert_int_equal(in.kept, 1);
  assert_int_equal(gate_now(p, id).state, HO_GATE_DECIDED);
  refuses(p, HO_CONFLICT, "the only decider", ho_deciders_revoke(&in, HO_STR("alice"), &p->err));
  assert_int_equal(rename(bobs_place, alices), 0);
  refuses(p, HO_GATED, "not enrolled", decide(p, late, "approve", ""));
}

/* A decider that is only in a file, or that was removed from the ledger, leaves signatures required. */
static void copies_never_open_anything(void **state)
{
  project *p = *state;
  make_key(p, "alice");
  act_as(p, "");
  must(p, enrol(p, ""));
  ho_str id = raise_gate(p);
  script(p, "DELETE FROM events WHERE handoff = '(project)'");
  ho_deciders d = deciders(p);
  assert_true(d.required);
  assert_int_equal(d.active, 0);
  refuses(p, HO_GATED, "does not have the deciders", decide(p, id, "approve", ""));
  assert_int_equal(unlink(ho_deciders_pin_path(&p->project, &p->arena).p), 0);
  refuses(p, HO_GATED, "are not enrolled in this ledger", decide(p, id, "approve", ""));
  refuses(p, HO_GATED, "are not enrolled in this ledger", enrol(p, ""));
  ho_str file = read_text(p, ".handoff/deciders");
  must(p, enrol(p, ho_arena_z(&p->arena, file))); /* a person accepts the file as it is */
  must(p, decide(p, id, "approve", ""));
  assert_str(gate_now(p, id).proof, "unconfirmed");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, begin_project, end_project)

int main(void)
{
  const struct CMUnitTest tests[] = {
      TEST(nobody_is_required_without_deciders), TEST(only_signed_decisions_count),
      TEST(a_signature_is_bound_to_everything),  TEST(others_are_enrolled_and_revoked_by_deciders),
      TEST(copies_never_open_anything),
  };
  return unit_run(tests);
}
