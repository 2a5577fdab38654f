/* The deciders as text: the file in the project, the copy outside of it, and what is signed. */
#include <limits.h>

#include "base/buf.h"
#include "base/digest.h"
#include "base/grow.h"
#include "doc/json/json.h"
#include "engine/ledger/deciders.h"
#include "engine/ledger/key_file.h"

enum { LARGEST = 1 << 20 };

static const char first_lines[] = "# Who may decide gates in this project. Written by 'handoff key'; commit it.\n";

ho_str ho_deciders_pin_path(const ho_project *project, ho_arena *arena)
{
  char real[PATH_MAX], digest[HO_DIGEST_SIZE];
  const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
  ho_digest_text(ho_str_of(realpath(ho_arena_z(arena, project->home), real) ? real : ho_arena_z(arena, project->home)),
                 digest);
  if (data && data[0] == '/')
    return ho_arena_printf(arena, "%s/handoff/deciders/%s", data, digest);
  return home && *home ? ho_arena_printf(arena, "%s/.local/share/handoff/deciders/%s", home, digest) : HO_EMPTY;
}

/* "NAME ed25519:KEY added TIME by NAME SIGNATURE", and if decisions are kept " keeps DIGEST". */
static bool parse_line(ho_str line, ho_decider_line *out)
{
  enum { SHORT = 7, LONG = 9 };
  ho_str parts[LONG] = {0};
  size_t n = 0;
  while (n < LONG && ho_str_next(&line, ' ', &parts[n]))
    n++;
  if ((n != SHORT && (n != LONG || !ho_str_is(parts[SHORT], "keeps"))) || line.n ||
      !ho_str_starts(parts[1], HO_KEY_PREFIX) || !ho_str_is(parts[4], "by"))
    return false;
  *out = (ho_decider_line){.revoked = ho_str_is(parts[2], "revoked"),
                           .name = parts[0],
                           .key = ho_str_sub(parts[1], sizeof HO_KEY_PREFIX - 1, parts[1].n),
                           .at = parts[3],
                           .by = parts[5],
                           .signature = ho_str_trim(parts[6]),
                           .kept = ho_str_trim(parts[LONG - 1])};
  return (out->revoked || ho_str_is(parts[2], "added")) && ho_key_file_name_fits(out->name) &&
         ho_keypair_valid(out->key);
}

ho_decider_lines ho_deciders_parse(ho_arena *arena, ho_str text)
{
  ho_decider_lines out = {0};
  ho_str line, project = HO_EMPTY;
  while (ho_str_next_line(&text, &line)) {
    ho_decider_line one;
    if (ho_str_starts(line, "project "))
      project = ho_str_trim(ho_str_sub(line, 8, line.n));
    if (!parse_line(ho_str_trim(line), &one))
      continue;
    ho_decider_line *slot = HO_PUSH(arena, out.rows, out.count);
    if (!slot)
      break;
    *slot = one;
    slot->project = project;
  }
  return out;
}

bool ho_deciders_revoked_in(const ho_decider_lines *lines, ho_str key)
{
  bool revoked = false;
  for (size_t i = 0; i < lines->count; i++)
    if (ho_str_eq(lines->rows[i].key, key))
      revoked = lines->rows[i].revoked;
  return revoked;
}

ho_decider_lines ho_deciders_read_file(ho_arena *arena, ho_str path)
{
  ho_str text;
  ho_error err;
  if (!path.n || !ho_fs_exists(path.p) || ho_fs_read(arena, path.p, LARGEST, &text, &err))
    return (ho_decider_lines){0};
  return ho_deciders_parse(arena, text);
}

static void put_line(ho_buf *out, const ho_decider_line *line)
{
  ho_buf_printf(out, "%.*s " HO_KEY_PREFIX "%.*s %s %.*s by %.*s %.*s%s%.*s\n", HO_ARG(line->name), HO_ARG(line->key),
                line->revoked ? "revoked" : "added", HO_ARG(line->at), HO_ARG(line->by), HO_ARG(line->signature),
                line->kept.n ? " keeps " : "", HO_ARG(line->kept));
}

ho_str ho_deciders_text(const ho_deciders *deciders, ho_arena *arena)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_buf_printf(&text, "%sproject %.*s\n", first_lines, HO_ARG(deciders->project));
  for (size_t i = 0; i < deciders->said.count; i++)
    put_line(&text, &deciders->said.rows[i]);
  return ho_buf_move(&text, arena);
}

static void put_text(ho_buf *out, const char *before, ho_str text)
{
  ho_buf_puts(out, before);
  ho_json_write_text(out, text);
}

/* The first words say what kind of statement it is, so that its signature fits no other. */
ho_str ho_deciders_statement(ho_arena *arena, const ho_decider_line *line)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_buf_printf(&text, "handoff decider 1\n{\"act\":\"%s\"", line->revoked ? "revoked" : "added");
  put_text(&text, ",\"at\":", line->at);
  put_text(&text, ",\"by\":", line->by);
  if (line->kept.n)
    put_text(&text, ",\"kept\":", line->kept);
  put_text(&text, ",\"key\":", line->key);
  put_text(&text, ",\"name\":", line->name);
  put_text(&text, ",\"project\":", line->project);
  ho_buf_puts(&text, "}");
  return ho_buf_move(&text, arena);
}

ho_str ho_deciders_kept_statement(ho_arena *arena, ho_str project, ho_str at, ho_str by, const ho_node *digests)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  ho_buf_puts(&text, "handoff decisions kept 1\n{");
  put_text(&text, "\"at\":", at);
  put_text(&text, ",\"by\":", by);
  ho_buf_puts(&text, ",\"decisions\":");
  ho_json_write(&text, digests, 0);
  put_text(&text, ",\"project\":", project);
  ho_buf_puts(&text, "}");
  return ho_buf_move(&text, arena);
}

ho_node *ho_deciders_line_data(ho_arena *arena, const ho_decider_line *line)
{
  ho_node *data = ho_node_new(arena, HO_KIND_MAP);
  ho_map_put(arena, data, "project", line->project);
  ho_map_put(arena, data, "name", line->name);
  ho_map_put(arena, data, "key", line->key);
  ho_map_put(arena, data, "at", line->at);
  ho_map_put(arena, data, "by", line->by);
  ho_map_put(arena, data, "signature", line->signature);
  if (line->kept.n)
    ho_map_put(arena, data, "kept", line->kept);
  return data;
}
