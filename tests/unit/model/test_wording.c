/* What wording.h promises, on texts of the source documents and of real files. */
#include "unit.h"

#include "model/wording.h"

#define TRUE_FOR(call, text)                                                                                           \
  do {                                                                                                                 \
    if (!(call))                                                                                                       \
      fail_msg("not true for: %s", text);                                                                              \
  } while (0)
#define FALSE_FOR(call, text)                                                                                          \
  do {                                                                                                                 \
    if (call)                                                                                                          \
      fail_msg("true for: %s", text);                                                                                  \
  } while (0)

static void vague_steps_name_nothing(void **state)
{
  (void)state;
  const char *const vague[] = {"Continue working on the proof",
                               "  continue with the implementation.",
                               "Keep working on auth",
                               "FINISH THE REST",
                               "\xC2\xAB Continuer \xC2\xBB le travail",
                               "Proceed with the remaining work"};
  const char *const concrete[] = {"Apply `rcases` on `h_ih`, then use `exact`",
                                  "Continue with Phase 11: HierarchyDefs.lean (1051 lines source)",
                                  "Continue in src/lib/auth.ts with the login mutation",
                                  "Fix the remaining compilation errors in Soundness.lean",
                                  "Workspace folder: create it",
                                  "Continuation passing is replaced by a loop",
                                  ""};
  for (size_t i = 0; i < HO_COUNT(vague); i++)
    TRUE_FOR(ho_wording_vague(ho_str_of(vague[i]), NULL), vague[i]);
  for (size_t i = 0; i < HO_COUNT(concrete); i++)
    FALSE_FOR(ho_wording_vague(ho_str_of(concrete[i]), NULL), concrete[i]);
  ho_str found;
  assert_true(ho_wording_vague(HO_STR("- Keep   working on it"), &found));
  assert_true(ho_str_eq(found, HO_STR("Keep   working")));
}

static void implicit_summaries_say_only_that_it_is_done(void **state)
{
  (void)state;
  const char *const implicit[] = {"It's done",
                                  "It\xE2\x80\x99s done.",
                                  "DONE!",
                                  "Everything works",
                                  "See above",
                                  "Task completed successfully, as discussed.",
                                  "C'est fait",
                                  "Terminé",
                                  "C'EST TERMINÉ",
                                  "Tout est prêt",
                                  "",
                                  " ... "};
  const char *const explicit[] = {"Specifications completed: 3 epics, 12 user stories, personas defined",
                                  "User stories defined and validated by client",
                                  "API architecture defined, needs security review",
                                  "2 risks identified, recommendations provided",
                                  "Two possible approaches with significant trade-offs",
                                  "Demande parsée et normalisée",
                                  "Login done"};
  for (size_t i = 0; i < HO_COUNT(implicit); i++)
    TRUE_FOR(ho_wording_implicit(ho_str_of(implicit[i])), implicit[i]);
  for (size_t i = 0; i < HO_COUNT(explicit); i++)
    FALSE_FOR(ho_wording_implicit(ho_str_of(explicit[i])), explicit[i]);
}

static void open_ends_are_heard(void **state)
{
  (void)state;
  const char *const undecided[] = {"Storage engine TBD", "The retry count is to be decided", "Format à définir",
                                   "It is unclear who signs", "Format À DÉFINIR"};
  const char *const decided[] = {"Pending orders are migrated", "The decision was made", "tbdx is a name"};
  for (size_t i = 0; i < HO_COUNT(undecided); i++)
    TRUE_FOR(ho_wording_undecided(ho_str_of(undecided[i]), NULL), undecided[i]);
  for (size_t i = 0; i < HO_COUNT(decided); i++)
    FALSE_FOR(ho_wording_undecided(ho_str_of(decided[i]), NULL), decided[i]);
}

static void criteria_are_measurable_or_not(void **state)
{
  (void)state;
  const char *const measurable[] = {"Unit tests > 80% coverage",
                                    "No OWASP Top 10 vulnerabilities",
                                    "Build passes in CI",
                                    "No unaddressed critical risks",
                                    "Aucun risque critique non adressé",
                                    "All endpoints are listed",
                                    "`make lint` is silent",
                                    "Chaque table a une clé"};
  const char *const vague[] = {
      "Write good code",      "Make it fast", "All code is good", "Du code de qualité", "The interface is intuitive",
      "Nothing in particular"};
  for (size_t i = 0; i < HO_COUNT(measurable); i++)
    TRUE_FOR(ho_wording_measurable(ho_str_of(measurable[i])), measurable[i]);
  for (size_t i = 0; i < HO_COUNT(vague); i++)
    FALSE_FOR(ho_wording_measurable(ho_str_of(vague[i])), vague[i]);
}

static void qualities_are_whole_words(void **state)
{
  (void)state;
  ho_str found;
  assert_true(ho_wording_quality(HO_STR("Answer QUICKLY, please"), &found));
  assert_true(ho_str_eq(found, HO_STR("QUICKLY")));
  assert_true(ho_wording_quality(HO_STR("répondre rapidement"), NULL));
  assert_false(ho_wording_quality(HO_STR("a fast-forward merge of goods"), NULL));
  assert_false(ho_wording_quality(HO_STR("Focus on authentication and sensitive data"), NULL));
}

static void narration_and_raw_data(void **state)
{
  (void)state;
  ho_str found;
  assert_true(ho_wording_narration(HO_STR("I searched through the codebase and found several files."), &found));
  assert_true(ho_str_eq(found, HO_STR("I searched")));
  assert_true(ho_wording_narration(HO_STR("The first file I looked at was src/lib/auth.ts"), NULL));
  assert_true(ho_wording_narration(HO_STR("J\xE2\x80\x99"
                                          "ai lu le code"),
                                   NULL));
  assert_false(ho_wording_narration(HO_STR("Existing auth at src/lib/auth.ts. Phase II looked at again."), NULL));
  assert_true(ho_wording_raw(HO_STR("Result:\n```ts\nlet a;\n```"), NULL));
  assert_true(ho_wording_raw(HO_STR("contains the following code: [500 lines of code]"), NULL));
  assert_true(ho_wording_raw(HO_STR("if (a) {\n  b();\n}}\n"), NULL));
  assert_true(ho_wording_raw(HO_STR(" {\"a\": 1} "), NULL));
  assert_false(ho_wording_raw(HO_STR("Types: OK; lint: OK;\nready"), NULL));
}

static void paths_are_found(void **state)
{
  (void)state;
  ho_str rest =
      HO_STR("Created `src/lib/auth.ts`, docs/ and plan.md; see https://example.org/a/b.html, login/logout, "
             "6/6 tests, 10/12/2024, Node.js, e.g. v1.2, and .project/x (src/a/b). Not $HOME/a/b.c, `src/*.ts` "
             "or app/[id]/x.ts, but **src/z.c**, `main.js`, next.config.js and .gitignore.");
  const char *const wanted[] = {"src/lib/auth.ts", "docs/",   "plan.md",        ".project/x", "src/a/b",
                                "src/z.c",         "main.js", "next.config.js", ".gitignore"};
  ho_str path;
  for (size_t i = 0; i < HO_COUNT(wanted); i++) {
    assert_true(ho_wording_path(&rest, &path));
    if (!ho_str_is(path, wanted[i]))
      fail_msg("%.*s instead of %s", HO_ARG(path), wanted[i]);
  }
  assert_false(ho_wording_path(&rest, &path));
}

static void sentences_end_where_they_end(void **state)
{
  (void)state;
  ho_str rest = HO_STR("Created a.ts. Read b.ts! Why?\nEnd"), sentence;
  const char *const wanted[] = {"Created a.ts", "Read b.ts", "Why", "", "End"};
  for (size_t i = 0; i < HO_COUNT(wanted); i++) {
    assert_true(ho_wording_sentence(&rest, &sentence));
    if (!ho_str_is(sentence, wanted[i]))
      fail_msg("%.*s instead of %s", HO_ARG(sentence), wanted[i]);
  }
  assert_false(ho_wording_sentence(&rest, &sentence));
}

static void words_are_counted(void **state)
{
  (void)state;
  assert_int_equal(ho_wording_count(HO_STR("")), 0);
  assert_int_equal(ho_wording_count(HO_STR("  one\ttwo\nthree-and 4 ")), 4);
  assert_true(ho_wording_essential(HO_STR("Pattern: user.ts")));
  assert_true(ho_wording_essential(HO_STR("All checks passed")));
  assert_false(ho_wording_essential(HO_STR("Everything went well")));
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(vague_steps_name_nothing),  cmocka_unit_test(implicit_summaries_say_only_that_it_is_done),
      cmocka_unit_test(open_ends_are_heard),       cmocka_unit_test(criteria_are_measurable_or_not),
      cmocka_unit_test(qualities_are_whole_words), cmocka_unit_test(narration_and_raw_data),
      cmocka_unit_test(paths_are_found),           cmocka_unit_test(sentences_end_where_they_end),
      cmocka_unit_test(words_are_counted),
  };
  return unit_run(tests);
}
