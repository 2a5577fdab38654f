/* migrate: what is taken from freeform notes, and what is promised of any text. */
#include "model/support.h"

#include "model/formats/complete.h"
#include "model/formats/formats.h"
#include "model/notes/migrate.h"
#include "model/mutate.h"

/* Findings that say a fact is missing, which nobody may invent. */
static const char missing_facts[] =
    "required|task-partial|task-failed|task-failed-resolution|task-blocked|task-blocked-tasks";

static ho_code migrate(ho_arena *arena, ho_str text, ho_migrated *out, ho_error *err)
{
  ho_check_env env = {.path = HO_EMPTY};
  return ho_migrate(HO_STR("notes.md"), text, HO_STR("/srv/app"), &env, arena, out, err);
}

/* The notes as they were, byte for byte, with something put between two of their lines. */
static bool is_inserted(ho_str notes, ho_str text)
{
  size_t same = 0, tail = 0;
  while (same < notes.n && same < text.n && notes.p[same] == text.p[same])
    same++;
  while (tail < notes.n && tail < text.n && notes.p[notes.n - 1 - tail] == text.p[text.n - 1 - tail])
    tail++;
  for (size_t at = notes.n - tail; at <= same; at++)
    if (at == notes.n || notes.p[at] == '\n' || notes.p[at] == '\r' || (at && notes.p[at - 1] == '\r'))
      return true;
  return false;
}

/* Each line, divided at "\n" alone, stands in the text as it was. */
static bool keeps_ends(ho_str notes, ho_str text)
{
  size_t eol;
  for (; (eol = ho_str_find_char(notes, '\n')) != HO_NONE; notes = ho_str_sub(notes, eol + 1, notes.n))
    if (!memmem(text.p, text.n, notes.p, eol + 1))
      return false;
  return true;
}

/* Everything that holds of any text that can be read. */
static void check_promises(const char *path, ho_str text)
{
  ho_arena arena;
  ho_migrated once, twice;
  ho_error err = {0};
  ho_str lost;
  ho_arena_init(&arena, 0);
  ho_code code = migrate(&arena, text, &once, &err);
  if (code)
    fail_msg("%s: %s", path, err.message);
  if (!every_line_in(text, once.text, &lost))
    fail_msg("%s lost: %.*s", path, HO_ARG(lost));
  if (!is_inserted(text, once.text) || (text.n < 100000 && !keeps_ends(text, once.text)))
    fail_msg("%s: the notes are not as they were", path);
  if (!once.doc.format || strcmp(once.doc.format->name, "task") || !ho_node_is(once.doc.root, HO_KIND_MAP))
    fail_msg("%s: the result is no task handoff", path);
  for (size_t i = 0; once.changed && i < once.doc.report.count; i++) {
    const ho_finding *f = &once.doc.report.items[i];
    if (f->severity == HO_ERROR && !ho_str_list_has(missing_facts, ho_str_of(f->rule->id)))
      fail_msg("%s: %s: %.*s", path, f->rule->id, HO_ARG(f->message));
  }
  HO_EACH_CONST (item, once.notes.items) {
    long long line = 0;
    assert_true(ho_node_to_int(ho_map_getz(item, "line"), &line) && line >= 1);
  }
  if (migrate(&arena, once.text, &twice, &err) || twice.changed || !ho_str_eq(twice.text, once.text))
    fail_msg("%s: migrating again changes it", path);
  assert_int_equal(once.after, twice.before);
  ho_arena_free(&arena);
}

/* --- what is taken --------------------------------------------------------------------------------------------------
 */

/* Notes, the field where something is expected, its text, its line; NULL: nothing is there. */
static const struct {
  const char *notes, *field, *text;
  long long line;
} cases[] = {
    {"# Notes\n\n**Status**: COMPLETE\n", "outcome", "completed", 3},
    {"---\nstatus: partial\n---\n\nText\n", "outcome", "partial", 2},
    {"# N\n\n## Status: BLOCKED\n\nText\n", "outcome", "blocked", 3},
    {"Status: phases 1-3 complete, phase 4 in progress\n", "outcome", NULL, 0},
    {"**Status**: Phase 1 of 3 complete\n", "outcome", NULL, 0},
    {"**Status**: Phase 1 complete\n", "outcome", NULL, 0},
    {"**Status**: Planning done, coding to do\n", "outcome", NULL, 0},
    {"**Status**: Design complete; implementation next\n", "outcome", NULL, 0},
    {"**Status**: Investigation complete, ready for execution\n", "outcome", NULL, 0},
    {"**Status**: Tests failed, fixed, all done\n", "outcome", NULL, 0},
    {"**Status**: All phases complete\n", "outcome", "completed", 1},
    {"# N\n\n## Part\n\n**Status**: complete\n", "outcome", NULL, 0},
    {"Created `src/auth/jwt.ts` for tokens.\n", "files_created", "src/auth/jwt.ts", 1},
    {"Created /srv/app/src/a.ts today.\n", "files_created", "src/a.ts", 1},
    {"Created ~/.config/a.ts today.\n", "files_created", NULL, 0},
    {"## Files Created\n\n- `src/a.ts` - tokens\n", "files_created", "src/a.ts", 3},
    {"## Files Modified\n\n| File | Change |\n|---|---|\n| `src/b.ts` | pool |\n", "files_modified", "src/b.ts", 5},
    {"## Changes\n\n| File | Action |\n|---|---|\n| c.go | DELETE |\n", "files_modified", "c.go", 5},
    {"Updated src/config/db.ts:45-67 with a pool.\n", "files_modified", "src/config/db.ts", 1},
    {"Created a/x.ts and updated b/y.ts.\n", "files_modified", "b/y.ts", 1},
    {"a/x.ts was created.\n", "files_created", "a/x.ts", 1},
    {"**Files created**: a/x.ts, b/y.ts\n", "files_created", "a/x.ts", 1},
    {"Then update src/x.ts.\n", "files_modified", NULL, 0},
    {"Then update src/x.ts.\n", "suggested_next_steps", "Then update src/x.ts.", 1},
    {"Next: one. Then two.\n", "suggested_next_steps", "one.", 1},
    {"Be careful: a trap. Workaround: wait.\nAlways use b.\n", "gotchas", "a trap. Workaround: wait.", 1},
    {"Be careful: a trap. Workaround: wait.\nAlways use b.\n", "patterns_discovered", "Always use b.", 2},
    {"Outcome: failed. It does not build.\n", "outcome", "failed", 1},
    {"Finished the parser.\n", "outcome", NULL, 0},
    {"## Status\n\nHalf done\n", "outcome", "partial", 3},
    {"## Status\n\nDone, except for the tests\n", "outcome", "partial", 3},
    {"## Status\n\nMostly done\n", "outcome", "partial", 3},
    {"## Status\n\nWIP\n", "outcome", "partial", 3},
    {"## Status\n\nNot done\n", "outcome", NULL, 0},
    {"## Status\n\nNothing is done\n", "outcome", NULL, 0},
    {"## Status\n\nNo phase is complete\n", "outcome", NULL, 0},
    {"## Status\n\nTo be completed tomorrow\n", "outcome", NULL, 0},
    {"## Status\n\nDone, but the tests still fail\n", "outcome", NULL, 0},
    {"## Status\n\nDone?\n", "outcome", NULL, 0},
    {"## Status\n\n12 passed, 0 failed\n", "outcome", NULL, 0},
    {"## Status\n\nNot blocked\n", "outcome", NULL, 0},
    {"## Status\n\nFailed: could not make it work\n", "outcome", "failed", 3},
    {"## Status\n\nBlocked: no credentials for the sandbox\n", "outcome", "blocked", 3},
    {"## Status\n\nDone. All tests pass.\n", "outcome", "completed", 3},
    {"## Learned\n\n- Cookies are dropped on redirects\n", "patterns_discovered", "Cookies are dropped on redirects",
     3},
    {"## What we learned\n\n- The API allows 100 calls\n", "patterns_discovered", "The API allows 100 calls", 3},
    {"Watch out for the rate limit.\n", "gotchas", "Watch out for the rate limit.", 1},
    {"Some text. Be careful with migrations!\n", "gotchas", "Be careful with migrations!", 1},
    {"## Gotchas\n\n- The limit is 100\n", "gotchas", "The limit is 100", 3},
    {"## What NOT to Try\n\n1. **Caching**: slower\n", "gotchas", "Caching: slower", 3},
    {"| Gotcha | Mitigation |\n|---|---|\n| Slow | Warm up |\n", "gotchas", "Slow; Mitigation: Warm up", 3},
    {"## Next\n\n- TODO\n", "suggested_next_steps", NULL, 0},
    {"- ⚠️ Tokens expire\n", "gotchas", "⚠️ Tokens expire", 1},
    {"Always use AuthContext for user state.\n", "patterns_discovered", "Always use AuthContext for user state.", 1},
    {"**Pattern**: errors are values\n", "patterns_discovered", "errors are values", 1},
    {"## Next Steps\n\n1. Write the middleware\n", "suggested_next_steps", "Write the middleware", 3},
    {"Next, add the middleware.\n", "suggested_next_steps", "Next, add the middleware.", 1},
    {"Then the tests should run.\n", "suggested_next_steps", "Then the tests should run.", 1},
    {"Should add token refresh.\n", "suggested_next_steps", "Should add token refresh.", 1},
    {"## Plan\n\n- [x] One\n- [ ] Two\n", "suggested_next_steps", "Two", 4},
    {"TODO: wire it up\n", "suggested_next_steps", "wire it up", 1},
    {"Question: cookies or storage\n", "open_questions", "cookies or storage", 1},
    {"It is unclear who owns it.\n", "open_questions", "It is unclear who owns it.", 1},
    {"Do we keep the old API?\n", "open_questions", "Do we keep the old API?", 1},
    {"Blocked by missing keys for payments.\n", "blockers", "Blocked by missing keys for payments.", 1},
    {"## Blockers\n\nNone.\n", "blockers", NULL, 0},
    {"## Blockers / Open Questions\n\n- Which port?\n- No access\n", "blockers", "No access", 4},
    {"## Blockers / Open Questions\n\n- Which port?\n- No access\n", "open_questions", "Which port?", 3},
    {"## Key Files\n\n- **Plan:** `docs/plan.md`\n", "dependencies_for_next", "docs/plan.md", 3},
    {"See `docs/auth.md` for details.\n", "dependencies_for_next", "docs/auth.md", 1},
    {"# Task 4: X\n\n## Execution Log\n\n- Watch out: log\n\n## Handoff\n\n- Be careful with a\n", "gotchas",
     "Be careful with a", 9},
    /* the line of a file is the one that its path stands on */
    {"A long line before it. Created the\nfile `src/a.ts` for tokens.\n", "files_created", "src/a.ts", 2},
    /* what is added to a file changes it; what was copied from one does not; a piece of a pattern is no path */
    {"Added retries to the `src/net.ts` client.\n", "files_created", NULL, 0},
    {"Added retries to the `src/net.ts` client.\n", "files_modified", "src/net.ts", 1},
    {"Created `a/x.ts` (copied from `b/y.ts`).\n", "files_created", "a/x.ts", 1},
    {"Created `docs/spec.md` with:\n\n- `lib/a.sh`\n", "files_created", "docs/spec.md", 1},
    {"Updated `$HOME/.config/a.ts`.\n", "files_modified", NULL, 0},
    {"Updated `src/*.ts` and `app/[id]/a.ts`.\n", "files_modified", NULL, 0},
    {"## Artifacts\n\n- `src/a.css:2-3` - Updated colours\n", "files_modified", "src/a.css", 3},
    {"Workflow: run tools/zc.sh, then read the error.\n", "dependencies_for_next", NULL, 0},
    {"## Key Files\n\n| File | Status |\n|---|---|\n| All source files | clean |\n", "dependencies_for_next", NULL, 0},
    /* fences list files below a heading that speaks of files */
    {"## Files Modified\n\n```\nsrc/a.c:1 - x\n\nCreated:\n  src/b.c (new)\n```\n", "files_modified", "src/a.c", 4},
    {"## Files Modified\n\n```\nsrc/a.c:1 - x\n\nCreated:\n  src/b.c (new)\n```\n", "files_created", "src/b.c", 7},
    /* a heading or label about a topic still lists what the section above it lists */
    {"## Next Steps\n\n### Immediate (High Priority)\n\n- Add icons\n", "suggested_next_steps", "Add icons", 5},
    {"## Next Steps\n\n1. **User verification**: ask them\n", "suggested_next_steps", "User verification: ask them", 3},
    {"## Next Steps\n\n1. **Verify the changes**: open it\n", "suggested_next_steps", "Verify the changes: open it", 3},
    {"## Pending\n\n**Commit work:**\n- Commit a\n", "suggested_next_steps", "Commit a", 4},
    {"## Next Steps\n\n### Priority 1: Complete the tests\n\n- [x] a\n", "suggested_next_steps", "Complete the tests",
     3},
    {"## Next Steps\n\n### Add a route\n\n**Priority**: P0\n**Time**: an hour\n", "suggested_next_steps", NULL, 0},
    {"## Next Steps\n\n✓ All errors fixed\n", "suggested_next_steps", NULL, 0},
    {"## Next Steps\n\n### 1. Backend\n\n- Add a route\n", "suggested_next_steps", "Add a route", 5},
    {"## Next.js 15 Patterns\n\n- Params are async\n", "patterns_discovered", "Params are async", 3},
    {"## Working Rules For Next Agents\n\n- Specs first\n", "patterns_discovered", "Specs first", 3},
    {"## Known Gaps\n\n- No pull command\n", "gotchas", "No pull command", 3},
    {"## Learnings\n\n- Decision: use a\n- Anti-pattern: b\n", "patterns_discovered", NULL, 0},
    {"## Learnings\n\n- Decision: use a\n- Anti-pattern: b\n", "gotchas", "Anti-pattern: b", 4},
    {"Other open questions to settle:\n\n- Which port\n", "open_questions", "Which port", 3},
    {"Fixed the question extraction of the parser.\n", "open_questions", NULL, 0},
    /* A question that stands with its answer is not open; one that is put off is. */
    {"## Questions\n\n- Which port? Answer: 8080\n", "open_questions", NULL, 0},
    {"## Questions\n\n- Which port? (answered: 8080)\n", "open_questions", NULL, 0},
    {"## Questions\n\n- Which port? -> 8080\n", "open_questions", NULL, 0},
    {"## Questions\n\n- **Do we cache?** No, it is fast.\n", "open_questions", NULL, 0},
    {"## Questions\n\nQ: Which port?\nA: 8080\n", "open_questions", NULL, 0},
    {"## Questions\n\n**Q:** Which port?\n\n**A:** that of the proxy\n", "open_questions", NULL, 0},
    {"## Questions\n\n- Which port?\n  - Answer: 8080\n", "open_questions", NULL, 0},
    {"## Questions\n\n- Which port?\n  - Answer: 8080\n- Which host?\n", "open_questions", "Which host?", 5},
    {"## Questions\n\n- Which port? Answer: TBD\n", "open_questions", "Which port? Answer: TBD", 3},
    {"## Questions\n\n- Which port? -> ask Bob\n", "open_questions", "Which port? -> ask Bob", 3},
    {"## Questions\n\n- Do we cache? No idea.\n", "open_questions", "Do we cache? No idea.", 3},
    {"## Questions\n\n- Which port? Nobody knows.\n", "open_questions", "Which port? Nobody knows.", 3},
    {"- Features remaining: 4\n", "suggested_next_steps", NULL, 0},
    {"**In Progress:**\n- Nothing - clean stop\n", "suggested_next_steps", NULL, 0},
    {"## Known Issues\n\n- None! All works\n", "gotchas", NULL, 0},
    {"## Known Issues\n\n### Future Improvements\n\n- Skeletons\n", "suggested_next_steps", "Skeletons", 5},
    {"## Tips for Next Session\n\n- Test early\n", "patterns_discovered", "Test early", 3},
    {"## Blockers\n\nAsk them by:\n\n```\nask\n```\n\n*v0.1, today.*\n", "blockers", NULL, 0},
    {"It lists the known gotchas of the setup.\n", "gotchas", NULL, 0},
    {"## Files Modified\n\n- `src/a.txt` - Created\n", "files_created", "src/a.txt", 3},
    /* a paragraph below such a heading is one item */
    {"## Gotchas\n\nIt fails on CI. The key is not set there.\n", "gotchas",
     "It fails on CI. The key is not set there.", 3},
    {"**Session End Status:** Phase 2 - 80% Complete\n", "outcome", "partial", 1},
    {"```\nWatch out for code\n```\n", "gotchas", NULL, 0},
    {"The plain text says nothing.\n", "gotchas", NULL, 0},
};

static void test_cases(void **state)
{
  (void)state;
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    ho_arena arena;
    ho_migrated m;
    const ho_node *found = NULL;
    ho_arena_init(&arena, 0);
    assert_int_equal(migrate(&arena, ho_str_of(cases[i].notes), &m, &(ho_error){0}), HO_OK);
    HO_EACH_CONST (item, m.notes.items)
      if (!found && ho_str_is(ho_map_str(item, "field"), cases[i].field))
        found = item;
    const ho_node *value = ho_map_getz(m.doc.root, cases[i].field);
    long long line = 0;
    ho_node_to_int(ho_map_getz(found, "line"), &line);
    ho_str text = ho_node_is(value, HO_KIND_LIST) ? ho_map_str(found, "text") : ho_node_str(value);
    if (!cases[i].text ? found != NULL : !ho_str_is(text, cases[i].text) || line != cases[i].line)
      fail_msg("%s: %s is '%.*s' on line %lld", cases[i].notes, cases[i].field, HO_ARG(text), line);
    if (ho_node_is(value, HO_KIND_LIST))
      assert_non_null(ho_map_getz(value->first, "x_line"));
    check_promises(cases[i].notes, ho_str_of(cases[i].notes));
    ho_arena_free(&arena);
  }
}

static void test_details_of_items(void **state)
{
  static const char notes[] = "## Gotchas\n\n- Limit is 100 (high). Workaround: retry later\n\n"
                              "## Files Modified\n\n- `src/a.c:10-20` - Removed the cache\n\n"
                              "## Next Steps\n\n- Write tests (high priority)\n\n"
                              "### Low priority\n\n- Tidy up\n\n"
                              "## Questions\n\n- Cookies? Recommendation: yes\n\n"
                              "## Warnings\n\n- Critical: it deletes\n- Critical-path work\n";
  (void)state;
  ho_arena arena;
  ho_migrated m;
  ho_arena_init(&arena, 0);
  assert_int_equal(migrate(&arena, ho_str_of(notes), &m, &(ho_error){0}), HO_OK);
  static const char *const wanted[][2] = {{"/gotchas/0/mitigation", "retry later"},
                                          {"/gotchas/0/severity", "high"},
                                          {"/files_modified/0/lines", "10-20"},
                                          {"/files_modified/0/change_type", "delete"},
                                          {"/files_modified/0/description", "Removed the cache"},
                                          {"/suggested_next_steps/0/priority", "high"},
                                          {"/suggested_next_steps/1/priority", "low"},
                                          {"/gotchas/1/severity", "high"},
                                          {"/gotchas/2/severity", ""},
                                          {"/open_questions/0/recommendation", "yes"}};
  for (size_t i = 0; i < HO_COUNT(wanted); i++) {
    ho_str text = ho_node_str(ho_node_at(m.doc.root, ho_str_of(wanted[i][0])));
    if (!ho_str_is(text, wanted[i][1]))
      fail_msg("%s is '%.*s'", wanted[i][0], HO_ARG(text));
  }
  ho_arena_free(&arena);
}

static void test_ambiguous(void **state)
{
  static const char notes[] = "# N\n\nThe cache should be warm by then, perhaps.\n\n## Files\n\n- `src/a.c`\n";
  (void)state;
  ho_arena arena;
  ho_migrated m, again;
  ho_arena_init(&arena, 0);
  assert_int_equal(migrate(&arena, ho_str_of(notes), &m, &(ho_error){0}), HO_OK);
  assert_int_equal(m.notes.ambiguous->count, 2);
  assert_true(ho_str_is(ho_map_str(m.notes.ambiguous->first, "line"), "3"));
  /* They are still open afterwards, until an item names their line. */
  assert_int_equal(migrate(&arena, m.text, &again, &(ho_error){0}), HO_OK);
  assert_int_equal(again.notes.ambiguous->count, 2);
  ho_str done = ho_arena_printf(&arena, "%.*ssuggested_next_steps:\n  - step: x\n    x_line: 3\n```\n",
                                HO_ARG(ho_str_sub(m.text, 0, m.text.n - 4)));
  assert_int_equal(migrate(&arena, done, &again, &(ho_error){0}), HO_OK);
  assert_int_equal(again.notes.ambiguous->count, 1);
  ho_arena_free(&arena);
}

static void test_completeness(void **state)
{
  (void)state;
  ho_arena arena;
  ho_migrated m;
  ho_node *parts;
  ho_arena_init(&arena, 0);
  const ho_format *format = &ho_format_task;
  ho_doc doc;
  assert_int_equal(ho_complete(NULL, &arena, NULL), 0);
  assert_int_equal(ho_doc_read(&doc, &arena, HO_STR("a.yaml"), ho_str_of(format->example), format, &(ho_error){0}),
                   HO_OK);
  assert_int_equal(ho_complete(doc.root, &arena, &parts), 100);
  assert_int_equal(parts->count, 6);
  /* outcome 100, files 50 + 50 × 1 of 3, others 0; blockers do not count: (100 + 66) / 6 */
  ho_str half = HO_STR("outcome: completed\nfiles_created: [a/b.c]\n");
  assert_int_equal(ho_doc_read(&doc, &arena, HO_STR("a.yaml"), half, format, &(ho_error){0}), HO_OK);
  assert_int_equal(ho_complete(doc.root, &arena, NULL), 27);
  /* partial asks for blockers: one part more */
  ho_str partial = HO_STR("outcome: partial\n");
  assert_int_equal(ho_doc_read(&doc, &arena, HO_STR("a.yaml"), partial, format, &(ho_error){0}), HO_OK);
  assert_int_equal(ho_complete(doc.root, &arena, NULL), 14);
  /* blocked asks for blockers alone */
  ho_str blocked =
      HO_STR("outcome: blocked\nblockers:\n  - blocker: a\n    impact: b\n    suggested_resolution: c\n    "
             "blocking_tasks: [d]\n");
  assert_int_equal(ho_doc_read(&doc, &arena, HO_STR("a.yaml"), blocked, format, &(ho_error){0}), HO_OK);
  assert_int_equal(ho_complete(doc.root, &arena, NULL), 100);
  assert_int_equal(migrate(&arena, HO_STR("Status: done\n"), &m, &(ho_error){0}), HO_OK);
  assert_int_equal(m.before, 0);
  assert_int_equal(m.after, 16);
  ho_arena_free(&arena);
}

/* --- any text --------------------------------------------------------------------------------------------------------
 */

static void test_odd_texts(void **state)
{
  static const char *const texts[] = {"",
                                      "\n\n \n",
                                      "\xEF\xBB\xBF",
                                      "no newline",
                                      "blanks at the end  \n",
                                      "mixed\r\nends\n",
                                      "mixed\nends\r\n",
                                      "mixed\r\nends, and none",
                                      "a lone\rend\r",
                                      "# T\r\r## Handoff\r\rNext: a.\r\r## After\r\rb\r",
                                      "and no newline \t",
                                      "# T\n\n## Handoff\n\nNext: a.   \n\n## After\n\nb  \n",
                                      "```\nnever closed",
                                      "<!-- never closed\n",
                                      "<pre>\nnever closed",
                                      "- item\n  ```\n  never closed",
                                      "---\nopen: front\nmatter",
                                      "---\nstatus: done\n---",
                                      "# H\n\n## Handoff\n",
                                      "# H\n\n## Handoff\n\nnotes\n\n## Later\n\nmore\n",
                                      "# T\n\n## Handoff\n\n- next: x\n\n---\n\n*Task completed: today*\n",
                                      "## Handoff\n\n```yaml\nfiles_created: []\n```\n\nand notes\n",
                                      "a\r\n\r\n## Next\r\n\r\n- b\r\n",
                                      "a\rb\rNext: c\r",
                                      "| File | Purpose |\n|---|---|\n| [path] | {purpose} |\n",
                                      "## Next\n\n- {step}\n- [...]\n- ...\n- TBD\n",
                                      "## Next\n\n- \"quoted: yes\" # and # marks\n- 'a': [b\n- ---\n- ```\n"};
  (void)state;
  for (size_t i = 0; i < HO_COUNT(texts); i++)
    check_promises(texts[i], ho_str_of(texts[i]));
}

static void test_large(void **state)
{
  (void)state;
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_buf_puts(&text, "# Huge\n\n## Next Steps\n\n");
  for (unsigned i = 0; i < 6000; i++)
    ho_buf_printf(&text, "- Step %u should be careful with src/file%u.c?\n", i % 5000, i);
  ho_buf_fill(&text, 'x', 1 << 20);
  check_promises("huge", ho_buf_str(&text));
  ho_buf_reset(&text);
  for (unsigned i = 0; i < 3000; i++)
    ho_buf_puts(&text, "> - ");
  ho_buf_puts(&text, "deep next\n");
  check_promises("deep", ho_buf_str(&text));
  ho_buf_free(&text);
}

static void test_unreadable(void **state)
{
  (void)state;
  ho_arena arena;
  ho_migrated m;
  ho_arena_init(&arena, 0);
  assert_int_equal(migrate(&arena, HO_STR("caf\xE9\n"), &m, &(ho_error){0}), HO_SYNTAX);
  assert_int_equal(migrate(&arena, HO_STR("a\0b\n"), &m, &(ho_error){0}), HO_SYNTAX);
  ho_arena_free(&arena);
}

static void try_file(const char *path, void *data)
{
  size_t *count = data;
  ho_arena arena;
  ho_buf worse;
  ho_str name = ho_str_of(path);
  if (!ho_str_ends(name, ".md") && !ho_str_ends(name, ".txt"))
    return;
  ho_arena_init(&arena, 0);
  ho_str text = file_read(&arena, path);
  check_promises(path, text);
  ho_buf_init(&worse, 0);
  if (text.n < 20000)
    for (unsigned way = *count % MUTATIONS; way < MUTATIONS; way += mutate_step()) {
      ho_buf_reset(&worse);
      mutate(&worse, text, way);
      check_promises(path, ho_buf_str(&worse));
    }
  ho_buf_free(&worse);
  ho_arena_free(&arena);
  ++*count;
}

static void test_real_files(void **state)
{
  (void)state;
  size_t count = 0;
  assert_true(each_file(unit_shared("corpus"), try_file, &count) > 0);
  print_message("%zu real files migrated, and as many mutations of them\n", count);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cases),        cmocka_unit_test(test_details_of_items), cmocka_unit_test(test_ambiguous),
      cmocka_unit_test(test_completeness), cmocka_unit_test(test_odd_texts),        cmocka_unit_test(test_large),
      cmocka_unit_test(test_unreadable),   cmocka_unit_test(test_real_files),
  };
  return unit_run(tests);
}
