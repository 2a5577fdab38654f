/* Findings stand at the right line and column: documents are written by a generator that counts places as it
 * writes, with one fault at a place it remembers, in random layout with random Unicode before it. */
#include "model/support.h"

enum { DOCUMENTS = 600 };

typedef struct writer {
  ho_buf out;
  unsigned line, column; /* of the next character, in code points */
  unsigned fault_line, fault_column;
  unit_random random;
} writer;

static void put(writer *w, const char *text)
{
  ho_buf_puts(&w->out, text);
  for (const unsigned char *p = (const unsigned char *)text; *p; p++) {
    if (*p == '\n') {
      w->line++;
      w->column = 1;
    } else if ((*p & 0xC0) != 0x80) {
      w->column++;
    }
  }
}

static void here(writer *w)
{
  w->fault_line = w->line;
  w->fault_column = w->column;
}

/* A sentence with characters of one to four bytes. */
static const char *words(writer *w)
{
  static const char *const some[] = {"plain words", "naïve café", "日本語の文", "emoji 🚀 here", "math ⊢ x ∈ Γ", "añb"};
  return some[unit_below(&w->random, HO_COUNT(some))];
}

/* Blank lines and comments that YAML passes over. */
static void yaml_noise(writer *w)
{
  for (size_t n = unit_below(&w->random, 4); n; n--) {
    if (unit_below(&w->random, 2)) {
      put(w, "# ");
      put(w, words(w));
    }
    put(w, "\n");
  }
}

/* A task handoff; fault 0..4 puts one wrong value into it. Returns the rule it breaks. */
static const char *write_task(writer *w, size_t fault)
{
  static const char *const rules[] = {"lines-range", "choice", "unknown-key", "tag-form", "type"};
  yaml_noise(w);
  put(w, "outcome: completed\n");
  yaml_noise(w);
  put(w, "files_modified:\n  - path: src/a.c\n    description: ");
  put(w, words(w));
  put(w, "\n    lines: ");
  if (fault == 0)
    here(w);
  put(w, fault == 0 ? "somewhere" : "4-9");
  put(w, "\n    change_type: ");
  if (fault == 1)
    here(w);
  put(w, fault == 1 ? "rewritten" : "modify");
  put(w, "\n");
  yaml_noise(w);
  if (fault == 2) {
    here(w);
    put(w, "surprise: ");
    put(w, words(w));
    put(w, "\n");
  }
  put(w, "patterns_discovered:\n  - pattern: \"");
  put(w, words(w));
  put(w, "\"\n    location: src/b.c\n    applies_to: [auth, ");
  if (fault == 3)
    here(w);
  put(w, fault == 3 ? "Not A Tag" : "user-state");
  put(w, "]\n");
  yaml_noise(w);
  put(w, "suggested_next_steps:\n  - step: ");
  put(w, words(w));
  put(w, "\n    priority: high\n    depends_on: ");
  if (fault == 4)
    here(w);
  put(w, fault == 4 ? "{file: a.c, b: c}\n" : "[]\n");
  return rules[fault];
}

static void space(writer *w)
{
  for (size_t n = unit_below(&w->random, 3); n; n--)
    put(w, unit_below(&w->random, 3) ? " " : "\n");
}

static void member(writer *w, const char *key)
{
  space(w);
  put(w, "\"");
  put(w, key);
  put(w, "\"");
  space(w);
  put(w, ":");
  space(w);
}

static void text_member(writer *w, const char *key, const char *text, const char *end)
{
  member(w, key);
  put(w, "\"");
  put(w, text);
  put(w, "\"");
  space(w);
  put(w, end);
}

/* A response in JSON with random white space. */
static const char *write_response(writer *w, size_t fault)
{
  static const char *const rules[] = {"choice", "type", "required", "loose-type", "scalar-for-list"};
  if (fault == 2)
    here(w);
  put(w, "{");
  if (fault != 2)
    text_member(w, "task_id", "auth-001", ",");
  text_member(w, "phase", "research", ",");
  text_member(w, "status", "complete", ",");
  member(w, "decision");
  if (fault == 0)
    here(w);
  put(w, fault == 0 ? "\"MAYBE\"," : "\"PROCEED\",");
  member(w, "findings");
  if (fault == 1)
    here(w);
  put(w, fault == 1 ? "[1]," : "{\"recommendations\": []},");
  text_member(w, "context_summary", words(w), ",");
  member(w, "tokens_used");
  if (fault == 3)
    here(w);
  put(w, fault == 3 ? "\"847\"," : "847,");
  member(w, "issues");
  if (fault == 4)
    here(w);
  put(w, fault == 4 ? "\"one\"" : "[]");
  space(w);
  put(w, "}\n");
  return rules[fault];
}

static bool found_at(const ho_doc *doc, const char *rule, unsigned line, unsigned column)
{
  for (size_t i = 0; i < doc->report.count; i++) {
    const ho_finding *f = &doc->report.items[i];
    if (!strcmp(f->rule->id, rule) && f->line == line && f->column == column)
      return true;
  }
  return false;
}

static void try_one(uint64_t seed, const char *format, const char *path, const char *(*write)(writer *w, size_t fault))
{
  ho_arena arena;
  ho_doc doc;
  ho_error err = {0};
  writer w = {.line = 1, .column = 1, .random = {seed * 2654435761u + 1}};
  ho_arena_init(&arena, 0);
  ho_buf_init(&w.out, 0);
  const char *rule = write(&w, seed % 5);
  ho_code code = read_and_check(&doc, &arena, ho_str_of(path), ho_buf_str(&w.out), ho_format_named(ho_str_of(format)),
                                false, &err);
  if (code)
    fail_msg("seed %lu: %u:%u: %s\n%s", (unsigned long)seed, err.line, err.column, err.message, w.out.p);
  if (!found_at(&doc, rule, w.fault_line, w.fault_column)) {
    print_findings(&doc);
    fail_msg("seed %lu: no %s at %u:%u\n%s", (unsigned long)seed, rule, w.fault_line, w.fault_column, w.out.p);
  }
  ho_buf_free(&w.out);
  ho_arena_free(&arena);
}

static void findings_stand_at_their_place(void **state)
{
  (void)state;
  for (uint64_t seed = 0; seed < DOCUMENTS; seed++) {
    try_one(seed, "task", "a.yaml", write_task);
    try_one(seed, "response", "a.json", write_response);
  }
  printf("%d documents\n", 2 * DOCUMENTS);
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(findings_stand_at_their_place)};
  return unit_run(tests);
}
