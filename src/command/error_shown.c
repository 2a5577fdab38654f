#include "command/error_shown.h"

#include "model/secrets/secrets.h"

static void add_or_null(ho_node *map, ho_arena *arena, const char *key, const char *text)
{
  ho_map_addz(map, key,
              text && *text ? ho_node_text(arena, ho_arena_copy(arena, ho_str_of(text)))
                            : ho_node_new(arena, HO_KIND_NULL));
}

static void add_count(ho_node *map, ho_arena *arena, const char *key, unsigned count)
{
  ho_map_addz(map, key, count ? ho_node_number(arena, count) : ho_node_new(arena, HO_KIND_NULL));
}

ho_node *ho_error_shown(ho_arena *arena, const ho_error *err, const ho_node *commands)
{
  ho_error shown = *err;
  ho_secret_redact_error(&shown);
  ho_node *map = ho_node_new(arena, HO_KIND_MAP), *error = ho_node_new(arena, HO_KIND_MAP);
  ho_map_addz(map, "error", error);
  ho_map_addz(error, "code", ho_node_textz(arena, ho_code_name(shown.code)));
  add_or_null(error, arena, "rule", shown.rule);
  add_or_null(error, arena, "message", shown.message);
  add_or_null(error, arena, "file", shown.file);
  add_count(error, arena, "line", shown.line);
  add_count(error, arena, "column", shown.column);
  add_or_null(error, arena, "pointer", shown.pointer);
  if (!ho_node_empty(commands))
    ho_map_addz(error, "commands", ho_node_copy(arena, commands));
  return map;
}
