#include "engine/telemetry/telemetry.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "doc/json/json.h"
#include "engine/project/paths.h"

enum { MARK_MOST = 65536 };

static const char *path_of(ho_arena *arena, ho_str home, const char *path)
{
  return ho_arena_z(arena, ho_fs_join(arena, home, ho_str_of(path)));
}

ho_telemetry_mark ho_telemetry_read(ho_arena *arena, ho_str home, ho_str to)
{
  ho_source source;
  ho_node *value = NULL;
  ho_str text = HO_EMPTY;
  ho_error none = {0};
  if (ho_fs_read(arena, path_of(arena, home, HO_PATH_TELEMETRY), MARK_MOST, &text, &none) ||
      ho_source_init(&source, arena, HO_STR(HO_PATH_TELEMETRY), text, &none) ||
      ho_json_read(&source, 0, arena, NULL, &value, &none) || !ho_str_eq(ho_map_str(value, "to"), to))
    return (ho_telemetry_mark){.to = to};
  return (ho_telemetry_mark){.to = to,
                             .seq = ho_map_int(value, "seq"),
                             .ended = ho_map_int(value, "ended"),
                             .sent = ho_map_getz(value, "sent"),
                             .again = ho_map_int(value, "again")};
}

ho_code ho_telemetry_write(ho_arena *arena, ho_str home, const ho_telemetry_mark *mark, ho_error *err)
{
  ho_node *map = ho_node_new(arena, HO_KIND_MAP);
  ho_buf text;
  ho_map_put(arena, map, "to", mark->to);
  ho_map_addz(map, "seq", ho_node_number(arena, mark->seq));
  ho_map_addz(map, "ended", ho_node_number(arena, mark->ended));
  if (mark->sent)
    ho_map_addz(map, "sent", ho_node_copy(arena, mark->sent));
  ho_map_addz(map, "again", ho_node_number(arena, mark->again));
  ho_buf_init(&text, MARK_MOST);
  ho_json_write(&text, map, 0);
  ho_code code = ho_buf_code(&text, err);
  if (!code)
    code = ho_arena_code(arena, err);
  if (!code) /* what is lost of it is told twice, under the same ids */
    code = ho_fs_write_in(ho_arena_z(arena, home), path_of(arena, home, HO_PATH_TELEMETRY), ho_buf_str(&text),
                          HO_FS_CACHE, err);
  ho_buf_free(&text);
  return code;
}

int ho_telemetry_lock(ho_arena *arena, ho_str home)
{
  ho_error none = {0};
  const char *folder = path_of(arena, home, HO_PATH_CONTEXT), *path = path_of(arena, home, HO_PATH_TELEMETRY ".lock");
  if (ho_fs_mkdirs_later(ho_arena_z(arena, home), folder, &none))
    return -1;
  int fd = ho_fs_open(path, O_RDWR | O_CREAT);
  if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) { /* who has it, no command needs to know */
    close(fd);
    return -1;
  }
  return fd;
}

bool ho_telemetry_due(ho_arena *arena, ho_str home, ho_str to, int64_t now)
{
  int fd = ho_telemetry_read(arena, home, to).again > now ? -1 : ho_telemetry_lock(arena, home);
  if (fd >= 0)
    close(fd);
  return fd >= 0;
}
