/* What the tests of the ledger share: a project in a temporary folder whose time the test sets, and documents. */
#ifndef HO_TESTS_ENGINE_LEDGER_SUPPORT_H
#define HO_TESTS_ENGINE_LEDGER_SUPPORT_H

#include "files.h"

#include <sys/stat.h>
#include <unistd.h>

#include "doc/json/json.h"
#include "engine/ledger/claim.h"
#include "engine/ledger/gate.h"
#include "engine/ledger/gate_decide.h"
#include "engine/ledger/respond.h"
#include "engine/ledger/send.h"
#include "engine/ledger/write.h"
#include "engine/project/project.h"
#include "model/harness/harness.h"
#include "store/handoffs/handoffs.h"

typedef struct project {
  char folder[FOLDER_SIZE], root[80];
  ho_arena arena;
  ho_project project;
  ho_node *config; /* settings, empty to begin with */
  ho_node *held;   /* those that need trust, likewise; see trust_settings */
  int64_t now;
  ho_error err;
} project;

UNUSED_OK static int64_t project_time(void *world)
{
  return ((project *)world)->now;
}

UNUSED_OK static ho_project closed_project(project *p, const char *agent)
{
  return (ho_project){.arena = &p->arena,
                      .root = ho_str_of(p->root),
                      .agent = ho_str_of(agent),
                      .settings = {.root = p->config, .held = p->held, .loaded = true},
                      .clock_ms = project_time,
                      .world = p};
}

UNUSED_OK static ho_code open_ledger(project *p, const char *agent)
{
  p->project = closed_project(p, agent);
  return ho_project_open(&p->project, HO_OPEN_CREATE, &p->err);
}

/* From now on another agent acts ("": a person). */
UNUSED_OK static void act_as(project *p, const char *agent)
{
  ho_project_close(&p->project);
  must(p, open_ledger(p, agent));
}

/* A person trusts what is in p->held. */
UNUSED_OK static void trust_settings(project *p)
{
  setenv("XDG_DATA_HOME", ho_arena_printf(&p->arena, "%s/data", p->folder).p, 1);
  act_as(p, p->project.agent.p);
  must(p, ho_trust_give(p->project.trust, &p->err));
}

UNUSED_OK static const char *in(project *p, const char *name)
{
  return ho_fs_join(&p->arena, ho_str_of(p->root), ho_str_of(name)).p;
}

UNUSED_OK static void write_text(project *p, const char *name, const char *text)
{
  must(p, ho_fs_mkdirs(ho_arena_z(&p->arena, ho_fs_parent(ho_str_of(in(p, name)))), &p->err));
  must(p, ho_fs_write(in(p, name), ho_str_of(text), HO_FS_REPLACE, &p->err));
}

UNUSED_OK static ho_str read_text(project *p, const char *name)
{
  ho_str text = HO_EMPTY;
  ho_ledger_follow(&p->project); /* as at the end of a command */
  must(p, ho_fs_read(&p->arena, in(p, name), 0, &text, &p->err));
  return text;
}

UNUSED_OK static int begin_project(void **state)
{
  static project p;
  for (const ho_harness *const *each = ho_harnesses; *each; each++) {
    for (const char *const *name = (*each)->inside; *name; name++)
      unsetenv(*name);
    for (const char *const *name = (*each)->session; *name; name++)
      unsetenv(*name);
  }
  unsetenv("HANDOFF_AGENT");
  unsetenv("HANDOFF_SESSION");
  unsetenv("AI_AGENT");
  p = (project){.now = 1770906622000};
  folder_make(p.folder, "/tmp");
  snprintf(p.root, sizeof p.root, "%s/project", p.folder);
  ho_arena_init(&p.arena, 0);
  p.config = ho_node_new(&p.arena, HO_KIND_MAP);
  p.held = ho_node_new(&p.arena, HO_KIND_MAP);
  write_text(&p, "docs/spec.md", "the specification\n");
  must(&p, open_ledger(&p, "lead"));
  setenv("HOME", p.folder, 1); /* where no key is */
  unsetenv("XDG_CONFIG_HOME");
  unsetenv("XDG_DATA_HOME");
  *state = &p;
  return 0;
}

UNUSED_OK static int end_project(void **state)
{
  project *p = *state;
  ho_project_close(&p->project);
  ho_arena_free(&p->arena);
  return folder_remove(p->folder);
}

/* A valid package; `more` stands after its first line. */
UNUSED_OK static const char *package(project *p, const char *from, const char *to, const char *more)
{
  return ho_arena_printf(
             &p->arena,
             "handoff:\n%s  timestamp: \"2026-02-12T14:30:22Z\"\n  from:\n    agent: %s\n    step: 2\n  to:\n"
             "    agent: %s\n    reason: The specification is ready and the next step can begin\n"
             "  context:\n    summary: Specifications completed, 3 epics and 12 user stories are written\n"
             "    artifacts:\n      - path: docs/spec.md\n        type: spec\n        description: All\n"
             "    open_questions: []\n  expectations:\n    deliverable: Architecture decision record\n"
             "    constraints:\n      - Answers within 200 ms\n    success_criteria:\n"
             "      - Unit tests > 80%% coverage\n  workflow_state:\n    name: feature\n"
             "    current_step: 3\n",
             more, from, to)
      .p;
}

UNUSED_OK static const char *gate_text(project *p, const char *from, const char *more)
{
  return ho_arena_printf(
             &p->arena,
             "handoff:\n%s  timestamp: \"2026-02-12T14:30:22Z\"\n  from:\n    agent: %s\n    step: 2\n  to:\n"
             "    agent: human\n    reason: Blocking gate reached\n  gate:\n    type: blocking\n"
             "    name: Budget of the login\n    step: 2\n  context:\n    summary: Two approaches were "
             "estimated at 5 and 12 days, both with their risks\n  validation_request:\n    items:\n"
             "      - Approve the budget of 5 days\n    options:\n      approve: Continue\n"
             "      reject: Adjustments required\n      question: Clarification needed\n",
             more, from)
      .p;
}

/* Takes a text in as `send -` does, its files included; `in` may have wishes of its own. */
UNUSED_OK static ho_code send_with(project *p, ho_send *in, const char *text)
{
  in->project = &p->project;
  in->arena = &p->arena;
  if (!in->path.n)
    in->path = HO_STR("-");
  in->text = ho_str_of(text);
  ho_code code = ho_send_read(in, &p->err);
  if (!code)
    code = in->seen.refused ? HO_INVALID : ho_send_record(in, &p->err);
  ho_ledger_follow(&p->project);
  return code;
}

UNUSED_OK static ho_str send(project *p, const char *text)
{
  ho_send in = {0};
  ho_code code = send_with(p, &in, text);
  if (code && in.seen.doc.report.count)
    print_message("%.*s\n", HO_ARG(in.seen.doc.report.items[0].message));
  must(p, code);
  return in.made.row.id;
}

UNUSED_OK static ho_str gate_of(project *p, ho_str id)
{
  ho_handoff row;
  must(p, ho_handoffs_get(p->project.store, id, &p->arena, &row, &p->err));
  return row.gate;
}

/* Claims as the agent at work; "" where nothing is ready. */
UNUSED_OK static ho_str claim(project *p, ho_str *token)
{
  ho_delivery d = {0};
  must(p, ho_claim_next(&p->project, &p->arena, &d, &p->err));
  *token = d.found ? ho_arena_copy(&p->arena, ho_str_of(d.token)) : HO_EMPTY;
  return d.found ? d.row.id : HO_EMPTY;
}

UNUSED_OK static void state_is(project *p, ho_str id, const char *state)
{
  ho_handoff row;
  must(p, ho_handoffs_get(p->project.store, id, &p->arena, &row, &p->err));
  if (!ho_str_is(row.state, state))
    fail_msg("%.*s is %.*s, not %s", HO_ARG(id), HO_ARG(row.state), state);
}

/* How many events of this kind it has. */
UNUSED_OK static size_t events_of(project *p, ho_str id, const char *kind)
{
  ho_event_list events;
  size_t count = 0;
  must(p, ho_events_select(p->project.store, id, 0, 1000, &p->arena, &events, &p->err));
  for (size_t i = 0; i < events.count; i++)
    count += ho_str_is(events.rows[i].kind, kind);
  return count;
}

/* The person of the tests is there, and knows one passphrase. */
static const char *test_passphrase = "a passphrase for tests";

UNUSED_OK static ho_code person_present(void *world, ho_error *err)
{
  (void)world;
  (void)err;
  return HO_OK;
}
UNUSED_OK static ho_code person_says(void *world, ho_arena *arena, ho_str shown, ho_str question, char *out,
                                     size_t size, ho_error *err)
{
  (void)world;
  (void)arena;
  (void)shown;
  (void)question;
  (void)err;
  snprintf(out, size, "%s", test_passphrase);
  return HO_OK;
}
UNUSED_OK static ho_code person_agrees(void *world, ho_arena *arena, ho_str shown, ho_str question, ho_error *err)
{
  (void)arena;
  (void)shown;
  (void)question;
  return person_present(world, err);
}
static const ho_person test_person = {.present = person_present, .passphrase = person_says, .agree = person_agrees};

UNUSED_OK static ho_code decide(project *p, ho_str gate, const char *decision, const char *note)
{
  int word;
  assert_true(ho_words_find(&ho_gate_decisions, ho_str_of(decision), &word));
  ho_decision d = {.person = &test_person, .gate = gate, .decision = (ho_gate_decision)word, .note = ho_str_of(note)};
  return ho_gate_decide(&p->project, &p->arena, &d, &p->err);
}

UNUSED_OK static ho_node *texts_of(project *p, const char *text)
{
  ho_node *list = ho_node_new(&p->arena, HO_KIND_LIST);
  ho_list_add(list, ho_node_textz(&p->arena, text));
  return list;
}

/* The state file, read. */
UNUSED_OK static ho_node *state_file(project *p)
{
  ho_source *source = HO_NEW(&p->arena, ho_source);
  ho_node *root = NULL;
  must(p, ho_source_init(source, &p->arena, HO_STR("state"), read_text(p, "state/current.json"), &p->err));
  must(p, ho_json_read(source, HO_JSON_COMMENTS, &p->arena, NULL, &root, &p->err));
  return root;
}
#endif
