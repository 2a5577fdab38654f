#include "model/harness/harness.h"

#include "base/buf.h"
#include "base/fs.h"

/* clang-format off */
const ho_harness *const ho_harnesses[] = {
#define X(name, title, synonyms, started) &ho_harness_##name,
    HO_HARNESSES(X)
#undef X
    NULL};

const ho_choice ho_harness_choices[] = {
#define X(name, title, synonyms, started) {#name, title ".", NULL},
    HO_HARNESSES_HOOKED(X, X, X)
#undef X
    {0}};

const ho_choice ho_harness_install_choices[] = {
#define X(name, title, synonyms, started) {#name, title ".", NULL},
    HO_HARNESSES_HOOKED(X, X, X) HO_HARNESSES_SERVED(X)
#undef X
    {0}};

const ho_choice ho_harness_agent_choices[] = {
#define X(name, title, synonyms, started) HO_IF_##started({#name, title ".", synonyms},)
    HO_HARNESSES(X)
#undef X
    {"other", "Any program that reads its prompt from standard input.", NULL},
    {0}};
/* clang-format on */

const ho_harness *ho_harness_named(ho_str name)
{
  for (const ho_harness *const *each = ho_harnesses; *each; each++)
    if (ho_str_is(name, (*each)->name))
      return *each;
  return NULL;
}

static void put_words(ho_buf *out, ho_str command, const char *before, const char *between, const char *after)
{
  ho_str word;
  ho_buf_puts(out, before);
  for (bool first = true; ho_str_next(&command, ' ', &word); first = false) {
    ho_buf_puts(out, first ? "" : between);
    ho_buf_put(out, word);
  }
  ho_buf_puts(out, after);
}

ho_str ho_harness_fill(ho_arena *arena, const char *pattern, const char *command)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  for (const char *at = pattern; *at; at++) {
    char what = *at == '$' ? at[1] : '\0';
    if (what == 'C')
      put_words(&out, ho_str_of(command), "", " ", "");
    else if (what == 'W')
      put_words(&out, ho_str_of(command), "\"", "\", \"", "\"");
    else if (what == 'R')
      put_words(&out, ho_str_of(command), "", " +", "");
    else
      ho_buf_putc(&out, *at);
    at += what == 'C' || what == 'W' || what == 'R';
  }
  return ho_buf_move(&out, arena);
}

const char *const *ho_harness_denied(const ho_harness *harness, const char *command)
{
  return strchr(command, ' ') ? harness->denied_words : harness->denied_word;
}

ho_str ho_harness_rules(ho_arena *arena, const ho_harness *harness, const ho_rights *rights)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  for (const char *const *each = rights->people; each && *each; each++)
    for (const char *const *rule = strchr(*each, ' ') ? harness->rule_words : harness->rule_word; *rule; rule++)
      ho_buf_put(&out, ho_harness_fill(arena, *rule, *each));
  return ho_buf_move(&out, arena);
}

/* Is the path below a folder with the name of the harness's own (".claude"), in whatever home or project? */
static bool holds(const ho_harness *harness, ho_str path)
{
  char folder[32];
  snprintf(folder, sizeof folder, "/%s/", harness->folder);
  return ho_str_has(path, folder);
}

const ho_harness *ho_harness_of_path(ho_str path)
{
  for (const ho_harness *const *each = ho_harnesses; *each; each++) {
    const char *prefix = (*each)->transcripts;
    if (((*each)->folder && holds(*each, path)) || (prefix && ho_str_starts(ho_fs_name(path), prefix)))
      return *each;
  }
  return NULL;
}

const ho_tool *ho_harness_tool(const ho_harness *harness, ho_str name)
{
  for (const ho_tool *tool = harness ? harness->tools : NULL; tool && tool->names; tool++)
    if (ho_str_list_has(tool->names, name))
      return tool;
  return NULL;
}

ho_str ho_tool_target(const ho_tool *tool, const ho_node *input)
{
  ho_str rest = ho_str_of(tool->path), key, value;
  while (ho_str_next(&rest, '|', &key))
    if ((value = ho_node_str(ho_map_get(input, key))).n)
      return value;
  return HO_EMPTY;
}
