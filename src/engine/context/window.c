#include "engine/context/window.h"

#include <fnmatch.h>

enum { LARGE = 1000000, LARGE_EFFECTIVE = 967000 };

/* As the clients report them; the first pattern that matches counts. A model that is not in the table is unknown: a guess
 * would have agents hand off at a fifth of their window, or never. */
static const struct {
  const char *pattern;
  int64_t full, effective;
} windows[] = {
    {"*\\[1m\\]*", LARGE, LARGE_EFFECTIVE},
    {"*claude-3*", 200000, 200000},
    {"*claude-*-4-[78]*", LARGE, LARGE_EFFECTIVE},
    {"*claude-*-4*", 200000, 200000},
    {"*claude-*-5*", LARGE, LARGE_EFFECTIVE},
    {"*claude-mythos*", LARGE, LARGE_EFFECTIVE},
    {"gpt-5*", 272000, 258400},
    {"gpt-4.1*", 1047576, 1047576},
    {"gpt-4o*", 128000, 128000},
    {"o[34]*", 200000, 200000},
    {"codex-*", 200000, 200000},
    {"gemini-1.5-pro*", 2097152, 2097152},
    {"gemini-[123]*", 1048576, 1048576},
};

static ho_window from_config(const ho_window_facts *facts)
{
  ho_window found = {0};
  size_t longest = 0;
  HO_EACH_CONST (item, facts->configured) {
    ho_str name = ho_map_str(item, "model");
    long long tokens;
    if (name.n <= longest || name.n > facts->model.n || !ho_node_to_int(ho_map_getz(item, "tokens"), &tokens) ||
        memcmp(name.p, facts->model.p, name.n) != 0)
      continue;
    longest = name.n;
    found = (ho_window){tokens, tokens, "config"};
  }
  return found;
}

static ho_window from_table(const ho_window_facts *facts)
{
  char model[128];
  ho_error_copy(model, sizeof model, facts->model);
  for (size_t i = 0; model[0] && i < HO_COUNT(windows); i++) {
    if (fnmatch(windows[i].pattern, model, 0) != 0)
      continue;
    /* Transcripts do not distinguish a model's large window from its usual one; the amount used does. */
    if (facts->compacts && facts->used > windows[i].full && facts->used <= LARGE)
      return (ho_window){LARGE, LARGE_EFFECTIVE, "use"};
    return (ho_window){windows[i].full, windows[i].effective, "table"};
  }
  return (ho_window){0, 0, "unknown"};
}

static void compact_earlier(const ho_window_facts *facts, ho_window *window)
{
  const int64_t least = 100000, most = 1000000;
  uint64_t value;
  if (!ho_str_to_u64(ho_str_of(facts->auto_window), &value))
    value = facts->limit > 0 ? (uint64_t)facts->limit : 0;
  if (value > 0) {
    int64_t tokens = value < (uint64_t)least ? least : value > (uint64_t)most ? most : (int64_t)value;
    if (tokens < window->effective)
      window->effective = tokens;
  }
  if (ho_str_to_u64(ho_str_of(facts->auto_percent), &value) && value >= 1 && value <= 100) {
    int64_t tokens = window->full * (int64_t)value / 100;
    if (tokens < window->effective)
      window->effective = tokens;
  }
}

ho_window ho_window_of(const ho_window_facts *facts)
{
  if (facts->given > 0)
    return (ho_window){facts->given, facts->given, "given"};
  ho_window window = facts->model.n ? from_config(facts) : (ho_window){0};
  if (!window.full && facts->reported > 0) {
    ho_window table = from_table(facts);
    bool same = table.full == facts->reported; /* then the table knows when it compacts */
    window = (ho_window){facts->reported, same ? table.effective : facts->reported, "harness"};
  }
  if (!window.full)
    window = from_table(facts);
  if (facts->compacts && window.full)
    compact_earlier(facts, &window);
  else if (facts->limit > 0 && facts->limit < window.effective)
    window.effective = facts->limit;
  return window;
}

void ho_window_environment(ho_window_facts *facts)
{
  for (const ho_harness *const *each = ho_harnesses; *each; each++) {
    if (!facts->auto_window && (*each)->compact_window)
      facts->auto_window = getenv((*each)->compact_window);
    if (!facts->auto_percent && (*each)->compact_percent)
      facts->auto_percent = getenv((*each)->compact_percent);
  }
}
