/* When a harness compacts according to its settings. The files belong to others: what cannot be read or understood
 * is ignored. */
#include "base/fs.h"
#include "doc/json/json.h"
#include "engine/context/window.h"

enum { SETTINGS = 1 << 20 };

/* The user's folder of the harness: given by its variable, else below the home. */
static ho_str user_folder(ho_arena *arena, const ho_harness *harness)
{
  const char *own = harness->variable ? getenv(harness->variable) : NULL, *home = getenv("HOME");
  if (own && own[0] == '/')
    return ho_str_of(own);
  return home && home[0] == '/' ? ho_fs_join(arena, ho_str_of(home), ho_str_of(harness->folder)) : HO_EMPTY;
}

static bool read_text(ho_arena *arena, ho_str folder, const char *name, ho_str *out)
{
  ho_error none = {0};
  ho_str path = folder.n ? ho_fs_join(arena, folder, ho_str_of(name)) : HO_EMPTY;
  return path.n && ho_fs_is_file(path.p) && ho_fs_read(arena, path.p, SETTINGS, out, &none) == HO_OK;
}

static int64_t from_json(ho_arena *arena, ho_str folder, const char *name, const char *key)
{
  ho_str text;
  ho_source source;
  ho_node *map;
  ho_error none = {0};
  long long tokens;
  if (!read_text(arena, folder, name, &text) || !ho_str_has(text, key) ||
      ho_source_init(&source, arena, HO_STR("settings"), text, &none) ||
      ho_json_read(&source, HO_JSON_COMMENTS, arena, NULL, &map, &none) ||
      !ho_node_to_int(ho_map_getz(map, key), &tokens))
    return 0;
  return tokens > 0 ? tokens : 0;
}

/* A top-level key comes before any table. */
static int64_t from_toml(ho_arena *arena, ho_str folder, const char *name, const char *key)
{
  ho_str text, line;
  int64_t tokens = 0;
  if (!read_text(arena, folder, name, &text))
    return 0;
  while (ho_str_next_line(&text, &line)) {
    line = ho_str_trim(line);
    if (ho_str_starts(line, "["))
      break;
    if (!ho_str_starts(line, key))
      continue;
    line = ho_str_trim(ho_str_sub(line, strlen(key), line.n));
    if (!ho_str_starts(line, "="))
      continue;
    line = ho_str_trim(ho_str_sub(line, 1, line.n));
    for (size_t i = 0; i < line.n && (isdigit((unsigned char)line.p[i]) || line.p[i] == '_'); i++)
      if (line.p[i] != '_' && tokens < INT32_MAX)
        tokens = tokens * 10 + (line.p[i] - '0');
  }
  return tokens;
}

static int64_t limit_in(ho_arena *arena, const ho_harness *harness, ho_str folder, const char *name)
{
  bool toml = ho_str_ends(ho_str_of(name), ".toml");
  return (toml ? from_toml : from_json)(arena, folder, name, harness->limit_key);
}

void ho_window_harness(ho_window_facts *facts, const ho_harness *harness, ho_str root, ho_arena *arena)
{
  const char *last = NULL;
  facts->limit = 0;
  if (!harness || !harness->limit_key)
    return;
  ho_str project = ho_fs_join(arena, root, ho_str_of(harness->folder));
  for (const char *const *name = harness->limit_files; *name && !facts->limit; name++) {
    facts->limit = limit_in(arena, harness, project, *name);
    last = *name;
  }
  if (!facts->limit && last)
    facts->limit = limit_in(arena, harness, user_folder(arena, harness), last);
}
