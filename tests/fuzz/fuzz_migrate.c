/* Any text, migrated and imported: every line is in the result, nothing is wrong with it but missing facts, and doing it
 * again gives the same.
 *
 * The first byte chooses what the text is called; the rest is the text. */
#include "model/foreign/foreign.h"
#include "model/notes/migrate.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = {"f.md", "f.yaml", "f.json", "-", ".orchestrator-handoff.json"};

static void check_errors(const ho_report *report)
{
  for (size_t i = 0; i < report->count; i++) {
    const ho_finding *f = &report->items[i];
    if (f->severity == HO_ERROR && strcmp(f->rule->id, "required") && strncmp(f->rule->id, "task-", 5))
      abort();
  }
}

/* Does it stand in a value of the tree? The text may have it escaped: YAML forbids some characters, such as U+FFFF. */
static bool is_said(const ho_node *node, ho_str line)
{
  ho_str text = ho_node_str(node);
  bool found = text.n && memmem(text.p, text.n, line.p, line.n) != NULL;
  HO_EACH_CONST (child, node)
    found = found || is_said(child, line);
  return found;
}

/* Does every line of the text stand in `in`, or in what was kept of it? */
static void check_lines(ho_str text, ho_str in, const ho_node *kept)
{
  while (text.n) {
    size_t n = 0;
    while (n < text.n && text.p[n] != '\n' && text.p[n] != '\r')
      n++;
    ho_str line = ho_str_trim(ho_str_sub(text, 0, n));
    text = ho_str_sub(text, n + 1, text.n);
    if (ho_str_starts(line, "\xEF\xBB\xBF"))
      line = ho_str_trim(ho_str_sub(line, 3, line.n));
    if (line.n && !memmem(in.p, in.n, line.p, line.n) && !is_said(kept, line))
      abort();
  }
}

static void try_migrate(ho_arena *arena, ho_str name, ho_str text)
{
  const ho_check_env env = {.path = HO_EMPTY};
  ho_migrated once, twice;
  if (ho_migrate(name, text, HO_STR("/srv"), &env, arena, &once, &(ho_error){0}))
    return;
  check_lines(text, once.text, NULL);
  if (once.changed)
    check_errors(&once.doc.report);
  if (ho_migrate(name, once.text, HO_STR("/srv"), &env, arena, &twice, &(ho_error){0}) || twice.changed)
    abort();
}

static void try_import(ho_arena *arena, ho_str name, ho_str text)
{
  const ho_check_env env = {.path = HO_EMPTY};
  ho_imported once, twice;
  if (ho_import(name, text, true, HO_STR("/srv"), &env, arena, &once, &(ho_error){0}) || !once.task)
    return;
  check_lines(text, once.text, ho_node_at(once.doc.root, HO_STR("/x_kept")));
  check_errors(&once.doc.report);
  if (ho_import(HO_STR("f.handoff.yaml"), once.text, true, HO_STR("/srv"), &env, arena, &twice, &(ho_error){0}) ||
      !twice.ours)
    abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  ho_arena arena;
  if (size < 1)
    return 0;
  ho_str name = ho_str_of(names[data[0] % HO_COUNT(names)]), text = {(const char *)data + 1, size - 1};
  ho_arena_init(&arena, 0);
  try_migrate(&arena, name, text);
  ho_arena_reset(&arena);
  try_import(&arena, name, text);
  ho_arena_free(&arena);
  return 0;
}
