/* What a request may do, by its access: every role on every command, names, files, gates, and that nothing of the process
 * counts for it. */
#include "files.h"

#include "command/call.h"
#include "command/commands.h"
#include "doc/json/json.h"
#include "doc/source.h"
#include "engine/project/access_check.h"
#include "engine/project/access_token.h"

static ho_arena arena;
static char folder[FOLDER_SIZE], root[80];

static int begin(void **state)
{
  char data[96];
  (void)state;
  ho_arena_init(&arena, 0);
  folder_make(folder, "/tmp");
  snprintf(root, sizeof root, "%s/project", folder);
  snprintf(data, sizeof data, "%s/.handoff", root);
  assert_int_equal(mkdir(root, 0700) | mkdir(data, 0700), 0);
  setenv("XDG_DATA_HOME", folder, 1);
  setenv("HANDOFF_AGENT", "of-the-server", 1);
  setenv("HANDOFF_SESSION", "of-the-server", 1);
  setenv("CLAUDECODE", "1", 1);
  return 0;
}

static int end(void **state)
{
  (void)state;
  ho_arena_free(&arena);
  return folder_remove(folder);
}

static int64_t noon(void *world)
{
  (void)world;
  return 1770899400000; /* 2026-02-12T12:30:00Z */
}

static ho_str input;

static ho_code read_input(void *world, ho_arena *to, ho_str *out, ho_error *err)
{
  (void)world;
  (void)err;
  *out = ho_arena_copy(to, input);
  return HO_OK;
}

static ho_node *json(const char *text)
{
  ho_source source;
  ho_node *out = NULL;
  ho_error err;
  assert_int_equal(ho_source_init(&source, &arena, HO_STR("test"), ho_str_of(text), &err), HO_OK);
  assert_int_equal(ho_json_read(&source, 0, &arena, NULL, &out, &err), HO_OK);
  return out;
}

/* Runs a command for somebody; its result, or NULL with *err. */
static const ho_node *ask(const ho_access *access, const char *command, const char *args, ho_code *code, ho_error *err)
{
  ho_host host = {.arena = &arena,
                  .root = ho_str_of(root),
                  .folder = ho_str_of(root),
                  .access = access,
                  .clock_ms = noon,
                  .read_input = read_input};
  ho_call call = {.host = &host, .args = json(args), .arena = &arena};
  *err = (ho_error){0};
  *code = ho_dispatch(ho_command_named(ho_str_of(command)), &call, err);
  ho_host_close(&host);
  return err->code ? NULL : call.result;
}

static const ho_node *given(const ho_access *access, const char *command, const char *args)
{
  ho_code code;
  ho_error err;
  const ho_node *result = ask(access, command, args, &code, &err);
  if (!result)
    fail_msg("%s %s: %s", command, args, err.message);
  return result;
}

/* It is refused because of the role, and the message says so. */
static void refused(const ho_access *access, const char *command, const char *args, const char *says)
{
  ho_code code;
  ho_error err;
  const ho_node *result = ask(access, command, args, &code, &err);
  if (result || code != HO_GATED || !err.rule || strcmp(err.rule, HO_RULE_ROLE) != 0 || !strstr(err.message, says))
    fail_msg("%s %s: code %d, rule %s: %s", command, args, (int)code, err.rule, err.message);
}

static const ho_access reader = {.role = HO_ACCESS_READ, .name = HO_STR_INIT("board")},
                       coder = {.role = HO_ACCESS_AGENT, .name = HO_STR_INIT("ci"), .who = HO_STR_INIT("coder")},
                       tester = {.role = HO_ACCESS_AGENT, .name = HO_STR_INIT("qa"), .who = HO_STR_INIT("tester")},
                       alice = {.role = HO_ACCESS_DECIDE, .name = HO_STR_INIT("phone"), .who = HO_STR_INIT("alice")},
                       nobody = {.name = HO_STR_INIT("none")};

/* What each role may run is written down here, so that no row gives more by accident. */
static const char to_all[] =
    "|gate list|gate show|gate wait|overview|inbox|status|list|log|search|quality|check|explain|show|tokens|formats|"
    "schema|template|progress show|prompt teammate|prompt recovery|prompt successor|prompt inject|ps|logs|lineage|"
    "aggregate|context|know|graph|journal|verify|doctor|limits|version|";
static const char to_agents[] =
    "|send|return|next|claim|release|ack|done|reject|withdraw|supersede|renew|answer|gate raise|ask|new|convert|"
    "progress start|progress done|progress block|progress unblock|progress reopen|progress note|progress tried|pass|"
    "finish|archive|state|repair|";
static const char to_deciders[] = "|gate decide|approve|reject|";

static bool lists(const char *list, const char *name)
{
  char word[80];
  snprintf(word, sizeof word, "|%s|", name);
  return strstr(list, word) != NULL;
}

static void test_roles(void **state)
{
  (void)state;
  for (const ho_command *const *each = ho_commands; *each; each++) {
    const char *name = (*each)->name;
    unsigned wanted = lists(to_all, name) ? HO_MAY_ALL : 0;
    wanted |= lists(to_agents, name) ? HO_MAY_AGENT : 0;
    wanted |= lists(to_deciders, name) ? HO_MAY_DECIDE : 0;
    if (ho_command_roles(*each) != wanted)
      fail_msg("%s: its row offers it to the roles %u, the lists above to %u; a new one stands there too, or is .local",
               name, ho_command_roles(*each), wanted);
    const ho_access *const all[] = {&reader, &coder, &alice, &nobody};
    for (size_t i = 0; i < HO_COUNT(all); i++)
      if (!(wanted & 1U << all[i]->role))
        refused(all[i], name, "{}", name);
  }
}

static void test_names(void **state)
{
  (void)state;
  const ho_node *sent =
      given(&coder, "send", "{\"path\":\"write the parser\",\"to\":\"tester\",\"criterion\":[\"10 tests pass\"]}");
  ho_str id = ho_map_str(sent, "id");
  assert_true(id.n > 0);
  const ho_node *rows = ho_map_getz(given(&reader, "list", "{}"), "handoffs");
  assert_true(ho_str_is(ho_map_str(rows->first, "from"), "coder"));
  refused(&coder, "next", "{\"as\":\"tester\"}", "acts as nobody else");
  refused(&coder, "send", "{\"path\":\"do it\",\"to\":\"x\",\"as\":\"tester\"}", "acts as nobody else");
  input =
      HO_STR("{\"from\":{\"agent\":\"tester\"},\"to\":{\"agent\":\"coder\"},\"type\":\"sequential\",\"context\":{"
             "\"summary\":\"I wrote the parser and its tests\"},\"expectations\":{\"deliverable\":\"a review of it\","
             "\"success_criteria\":[\"0 findings left\"]}}");
  refused(&coder, "send", "{\"path\":\"-\",\"format\":\"package\"}", "sends nothing as tester");
  const ho_node *got = given(&tester, "next", "{}");
  assert_true(ho_str_eq(ho_map_str(got, "id"), id));
  given(&tester, "ack", ho_arena_printf(&arena, "{\"id\":\"%.*s\",\"task\":\"I review the parser\"}", HO_ARG(id)).p);
}

static void test_gates(void **state)
{
  (void)state;
  static const ho_access same = {.role = HO_ACCESS_DECIDE, .name = HO_STR_INIT("x"), .who = HO_STR_INIT("coder")};
  given(&coder, "ask", "{\"question\":\"Ship it?\"}");
  static const ho_access *const others[] = {&reader, &coder, &nobody};
  for (size_t i = 0; i < HO_COUNT(others); i++) {
    refused(others[i], "gate decide", "{\"gate\":\"G-2026-001\",\"decision\":\"approve\"}", "gate decide");
    refused(others[i], "approve", "{\"gate\":\"G-2026-001\"}", "approve");
  }
  ho_code code;
  ho_error err;
  assert_null(ask(&coder, "reject", "{\"id\":\"G-2026-001\",\"why\":\"no\"}", &code, &err));
  assert_int_equal(code, HO_GATED);
  refused(&same, "gate decide", "{\"gate\":\"G-2026-001\",\"decision\":\"approve\"}", "has raised this gate");
  refused(&alice, "reject", "{\"id\":\"HO-2026-001\",\"why\":\"no\"}", "decides gates and changes nothing else");
  const ho_node *done = given(&alice, "gate decide", "{\"gate\":\"G-2026-001\",\"decision\":\"approve\"}");
  assert_true(ho_str_is(ho_map_str(done, "decided_by"), "token:phone"));
  assert_true(ho_str_is(ho_map_str(done, "proof"), "unsigned"));
}

/* What a request may not do is refused by the engine, too, whatever a row says. */
static void test_engine(void **state)
{
  (void)state;
  ho_code code;
  ho_error err;
  ho_command wrong = *ho_command_named(HO_STR("send"));
  wrong.roles = HO_MAY_ALL;
  ho_host host = {
      .arena = &arena, .root = ho_str_of(root), .folder = ho_str_of(root), .access = &reader, .clock_ms = noon};
  ho_call call = {.host = &host, .args = json("{\"path\":\"write a page\",\"to\":\"tester\"}"), .arena = &arena};
  err = (ho_error){0};
  code = ho_dispatch(&wrong, &call, &err);
  assert_int_equal(code, HO_GATED);
  assert_non_null(strstr(err.message, "changes nothing"));
  wrong = *ho_command_named(HO_STR("gate decide"));
  wrong.roles = HO_MAY_ALL;
  wrong.person = false;
  host.access = &coder;
  call = (ho_call){.host = &host, .args = json("{\"gate\":\"G-2026-001\",\"decision\":\"reject\"}"), .arena = &arena};
  err = (ho_error){0};
  assert_int_equal(ho_dispatch(&wrong, &call, &err), HO_GATED);
  ho_host_close(&host);
  assert_null(ho_access_now());
}

static void test_files(void **state)
{
  (void)state;
  ho_access here = coder;
  char path[128], link[128];
  snprintf(path, sizeof path, "%s/notes.md", root);
  file_write(path, "w", HO_STR("# Notes\n"));
  snprintf(path, sizeof path, "%s/outside.md", folder);
  file_write(path, "w", HO_STR("# Outside\n"));
  snprintf(link, sizeof link, "%s/link.md", root);
  assert_int_equal(symlink(path, link), 0);
  refused(&coder, "tokens", "{\"path\":\"notes.md\"}", "names no files");
  refused(&alice, "tokens", "{\"path\":\"notes.md\"}", "names no files");
  here.files = true;
  given(&here, "tokens", "{\"path\":\"notes.md\"}");
  static const char *const outside[] = {"/etc/passwd",        "../outside.md",       "link.md",
                                        ".git/config",        ".handoff/handoff.db", "a/../.handoff/handoff.db",
                                        ".HANDOFF/handoff.db"};
  for (size_t i = 0; i < HO_COUNT(outside); i++)
    refused(&here, "tokens", ho_arena_printf(&arena, "{\"path\":\"%s\"}", outside[i]).p, "only files of the project");
  refused(&here, "check", "{\"paths\":[\"notes.md\",\"/etc/passwd\"]}", "only files of the project");
}

static void test_tokens(void **state)
{
  (void)state;
  char secret[HO_ACCESS_TOKEN_SIZE];
  ho_error err = {0};
  ho_access who;
  int64_t now = noon(NULL);
  ho_host host = {.root = ho_str_of(root), .clock_ms = noon};
  ho_personal place = ho_access_token_place(&arena, ho_str_of(root), ho_str_of(root));
  ho_access_token token = {.name = HO_STR("phone"), .role = HO_ACCESS_DECIDE, .who = HO_STR("alice"), .made = now};
  assert_int_equal(ho_access_token_make(&place, &token, secret, &err), HO_OK);
  assert_int_equal(strlen(secret) + 1, HO_ACCESS_TOKEN_SIZE);
  assert_int_equal(ho_host_token(&host, &arena, ho_str_of(secret), &who, &err), HO_OK);
  assert_int_equal(who.role, HO_ACCESS_DECIDE);
  assert_true(ho_str_is(who.who, "alice") && ho_str_is(who.name, "phone") && !who.files && !who.person);
  ho_str wrong[] = {HO_EMPTY, HO_STR("phone"), token.digest, ho_str_sub(ho_str_of(secret), 0, strlen(secret) - 1)};
  for (size_t i = 0; i < HO_COUNT(wrong); i++) {
    assert_int_equal(ho_host_token(&host, &arena, wrong[i], &who, &err), HO_GATED);
    assert_string_equal(err.rule, HO_RULE_TOKEN);
  }
  assert_int_equal(ho_access_token_make(&place, &token, secret, &err), HO_CONFLICT);
  token = (ho_access_token){.name = HO_STR("late"), .role = HO_ACCESS_READ, .made = 1, .expires = now};
  assert_int_equal(ho_access_token_make(&place, &token, secret, &err), HO_OK);
  assert_int_equal(ho_host_token(&host, &arena, ho_str_of(secret), &who, &err), HO_GATED);
  assert_non_null(strstr(err.message, "has expired"));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_roles), cmocka_unit_test(test_names),
                                     cmocka_unit_test(test_gates), cmocka_unit_test(test_engine),
                                     cmocka_unit_test(test_files), cmocka_unit_test(test_tokens)};
  return unit_run_between(begin, tests, end);
}
