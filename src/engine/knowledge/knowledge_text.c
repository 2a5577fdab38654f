/* How texts, paths and tags are normalised for comparison. */
#include "base/buf.h"
#include "base/digest.h"
#include "base/utf8.h"
#include "engine/knowledge/knowledge_parts.h"

/* Is the character significant at this position? */
static bool is_kept(ho_str text, size_t at)
{
  char c = text.p[at];
  if (ho_str_is_word(text, at))
    return true;
  bool before = at > 0 && ho_str_is_word(text, at - 1), after = ho_str_is_word(text, at + 1);
  if (strchr("<>=+/%&|^~#@$", c))
    return true;
  if (c == '-')
    return after && (before || isdigit((unsigned char)text.p[at + 1]));
  if (c == '!') /* "!=" and "!x", but not the end of a sentence */
    return at + 1 < text.n && (text.p[at + 1] == '=' || (after && !before));
  return strchr("._:*'\\", c) && before && after;
}

static bool is_article(const ho_buf *out, size_t from)
{
  ho_str word = {out->p + from, out->n - from};
  return ho_str_list_has("a|an|the", word);
}

ho_str ho_knowledge_normal(ho_arena *arena, ho_str text)
{
  ho_buf out;
  size_t start = 0; /* of the word being written */
  ho_buf_init(&out, 0);
  for (size_t at = 0; at <= text.n; at++) {
    if (at < text.n && text.p[at] && is_kept(text, at)) {
      ho_buf_putc(&out, (char)tolower((unsigned char)text.p[at]));
      continue;
    }
    if (out.n > start && is_article(&out, start))
      out.n = start;
    else if (out.n > start)
      ho_buf_putc(&out, ' ');
    start = out.n;
  }
  if (out.n && out.p[out.n - 1] == ' ')
    out.n--;
  return ho_buf_move(&out, arena);
}

/* between: what stands before the text, and in no normalised text. */
static int64_t print(ho_arena *arena, ho_known_kind kind, const char *between, ho_str text)
{
  ho_digest digest;
  char hex[HO_DIGEST_SIZE];
  bool named = ho_known_is_name(kind) || kind == HO_KNOWN_TASK;
  ho_str normal = named ? text : ho_knowledge_normal(arena, text);
  if (!normal.n)
    normal = text; /* nothing but signs */
  ho_digest_begin(&digest);
  ho_digest_put(&digest, ho_words_str(&ho_known_kinds, kind));
  ho_digest_put(&digest, ho_str_of(between));
  ho_digest_put(&digest, normal);
  ho_digest_end(&digest, hex);
  hex[15] = '\0';
  return (int64_t)strtoull(hex, NULL, 16);
}

int64_t ho_knowledge_print(ho_arena *arena, ho_known_kind kind, ho_str text)
{
  return print(arena, kind, "\n", text);
}

int64_t ho_knowledge_print_said(ho_arena *arena, ho_known_kind kind, ho_str text)
{
  return print(arena, kind, "\nsaid\n", text);
}

ho_str ho_knowledge_id(ho_arena *arena, ho_known_kind kind, ho_str name)
{
  return ho_arena_printf(arena, "%s:%.*s", ho_words_name(&ho_known_kinds, kind), HO_ARG(name));
}

/* Without a trailing ":12", ":12-40" or "#L12". */
static ho_str without_line(ho_str path)
{
  size_t end = path.n;
  while (end > 0 && (isdigit((unsigned char)path.p[end - 1]) || strchr("-,:L", path.p[end - 1])))
    end--;
  for (size_t at = end; at < path.n; at++)
    if (path.p[at] == ':' && at > 0)
      return ho_str_sub(path, 0, at);
  if (end > 1 && end < path.n && path.p[end - 1] == '#')
    return ho_str_sub(path, 0, end - 1);
  return path;
}

ho_str ho_knowledge_path(ho_arena *arena, ho_str root, ho_str text)
{
  enum { LONGEST = 512 };
  ho_str path = ho_str_trim(text);
  while (path.n && strchr("`'\"(<[", path.p[0]))
    path = ho_str_sub(path, 1, path.n);
  while (path.n && strchr("`'\")>],;", path.p[path.n - 1]))
    path = ho_str_sub(path, 0, path.n - 1);
  path = without_line(path);
  while (ho_str_starts(path, "./"))
    path = ho_str_sub(path, 2, path.n);
  if (!path.n || path.n > LONGEST || ho_str_has(path, "://") || path.p[0] == '{')
    return HO_EMPTY;
  for (size_t i = 0; i < path.n; i++)
    if (isspace((unsigned char)path.p[i]) || iscntrl((unsigned char)path.p[i]))
      return HO_EMPTY;
  if (path.p[0] == '/' && root.n)
    path = ho_fs_relative(root, path);
  return ho_arena_copy(arena, path);
}

bool ho_knowledge_change(ho_str role, ho_str *type, ho_str *lines)
{
  size_t blank = ho_str_find_char(role, ' ');
  *type = blank == HO_NONE ? role : ho_str_sub(role, 0, blank);
  *lines = blank == HO_NONE ? HO_EMPTY : ho_str_sub(role, blank + 1, role.n);
  return ho_str_list_has(HO_ROLE_NAME_CREATED "|add|modify|delete|refactor", *type);
}

ho_str ho_knowledge_tag(ho_arena *arena, ho_str text)
{
  enum { LONGEST = 64 };
  ho_buf out;
  ho_buf_init(&out, 0);
  text = ho_str_trim(text);
  text = ho_str_sub(text, 0, ho_utf8_floor(text, text.n < LONGEST ? text.n : LONGEST));
  for (size_t at = 0; at < text.n; at++) {
    if (ho_str_is_word(text, at) || text.p[at] == '.' || text.p[at] == '+' || text.p[at] == '#')
      ho_buf_putc(&out, (char)tolower((unsigned char)text.p[at]));
    else if (out.n && out.p[out.n - 1] != '-')
      ho_buf_putc(&out, '-');
  }
  while (out.n && out.p[out.n - 1] == '-')
    out.n--;
  ho_str tag = {out.p, out.n};
  tag = ho_arena_copy(arena, tag);
  ho_buf_free(&out);
  return tag;
}
