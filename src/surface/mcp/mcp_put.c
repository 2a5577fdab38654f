/* What tools answer: short, in pages, without what only a person at a shell could use. */
#include "surface/mcp/mcp_tool.h"

#include "base/utf8.h"

/* About 2,000 tokens, and about 100. */
enum { PAGE = 8000, BRIEF = 400 };

void ho_mcp_put(ho_mcp_act *act, ho_node *map, const char *key, ho_str text)
{
  if (text.n)
    ho_map_addz(map, key, ho_node_text(act->arena, text));
}

void ho_mcp_put_all(ho_mcp_act *act, ho_node *to, const ho_node *from, const char *keys)
{
  ho_str rest = ho_str_of(keys), key;
  while (ho_str_next(&rest, '|', &key))
    ho_mcp_put(act, to, ho_arena_z(act->arena, key), ho_node_str(ho_map_get(from, key)));
}

/* At most `most` bytes, whole lines if there are any, whole characters in any case. */
static size_t cut_at(ho_str text, size_t most)
{
  if (text.n <= most)
    return text.n;
  size_t at = most;
  while (at > most / 2 && text.p[at - 1] != '\n')
    at--;
  if (at > most / 2)
    return at;
  for (at = most; at > 0 && ((unsigned char)text.p[at] & 0xc0) == 0x80;)
    at--;
  return at;
}

void ho_mcp_put_page(ho_mcp_act *act, ho_node *map, ho_str text, ho_str id, long long page)
{
  long long now = 1;
  for (size_t cut; now < page && (cut = cut_at(text, PAGE)) < text.n; now++)
    text = ho_str_sub(text, cut, text.n);
  size_t cut = cut_at(text, PAGE);
  ho_mcp_put(act, map, "text", ho_str_sub(text, 0, cut));
  if (cut < text.n)
    ho_mcp_put(act, map, "more",
               ho_arena_printf(act->arena, "handoff_status {\"id\":\"%.*s\",\"page\":%lld}", HO_ARG(id), now + 1));
}

void ho_mcp_put_brief(ho_mcp_act *act, ho_node *map, const char *key, ho_str text)
{
  size_t cut = cut_at(text, BRIEF);
  ho_mcp_put(act, map, key,
             cut == text.n ? text : ho_arena_printf(act->arena, "%.*s…", HO_ARG(ho_str_sub(text, 0, cut))));
}

void ho_mcp_put_notes(ho_mcp_act *act, const ho_node *result)
{
  ho_node *notes = NULL;
  HO_EACH_CONST (note, ho_map_getz(result, "notes")) {
    ho_str plain = ho_mcp_error_plain(note->text);
    if (ho_str_has(plain, "handoff ") && plain.n == note->text.n)
      continue; /* nothing but advice for a shell */
    if (!notes)
      notes = ho_map_addz(act->result, "notes", ho_node_new(act->arena, HO_KIND_LIST));
    ho_list_add(notes, ho_node_text(act->arena, ho_mcp_error_words(act, NULL, plain)));
  }
}

void ho_mcp_put_next(ho_mcp_act *act, const char *format, ...)
{
  va_list args;
  va_start(args, format);
  ho_str text = ho_arena_vprintf(act->arena, format, args);
  va_end(args);
  ho_map_addz(act->result, "next", ho_node_text(act->arena, text));
}
