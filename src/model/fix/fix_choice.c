/* A choice with its author's remarks: "completed (all tests pass)", "HIGH - blocks the release", "✅ done". */
#include "model/bind.h"
#include "model/fix/fix_parts.h"

/* A letter or digit; beyond ASCII, anything but symbols (U+2000 to U+2FFF, U+1F000 and above). */
static bool is_word_at(ho_str text, size_t at)
{
  unsigned char c = (unsigned char)text.p[at];
  return isalnum(c) || c == '_' || (c >= 0xC3 && c < 0xE2) || (c > 0xE2 && c < 0xF0);
}

/* Where the first word begins. */
static size_t skip_marks(ho_str text)
{
  size_t at = 0;
  while (at < text.n && !is_word_at(text, at))
    do
      at++;
    while (at < text.n && ((unsigned char)text.p[at] & 0xC0) == 0x80);
  return at;
}

/* Does a remark begin here, or is there no further word? "high priority" and "medium/high" mean something else. */
static bool is_remark(ho_str rest)
{
  ho_str trimmed = ho_str_trim(rest);
  bool apart = rest.n && rest.p[0] == ' ';
  return skip_marks(trimmed) == trimmed.n || strchr("(,;:.!", trimmed.p[0]) ||
         (apart && (ho_str_starts(trimmed, "- ") || ho_str_starts(trimmed, "\xe2\x80\x93 ") ||
                    ho_str_starts(trimmed, "\xe2\x80\x94 ")));
}

/* The choice that the text begins with, if the rest is only a remark; NULL if there is none. */
static const ho_choice *remarked_choice(const ho_field *field, ho_str text)
{
  text = ho_str_sub(text, skip_marks(text), text.n);
  for (size_t n = 1; n <= text.n && n < 64; n++) {
    bool ends = n == text.n || (is_word_at(text, n - 1) && !is_word_at(text, n));
    if (!ends || !is_remark(ho_str_sub(text, n, text.n)))
      continue;
    const ho_choice *choice = ho_bind_choice(field, ho_str_sub(text, 0, n));
    if (choice)
      return choice;
  }
  return NULL;
}

void ho_fix_choice(const ho_field *field, ho_node *map, ho_node *node, ho_arena *arena)
{
  if (!field->choices || node->kind != HO_KIND_TEXT || ho_bind_choice(field, node->text))
    return;
  const ho_choice *choice = remarked_choice(field, node->text);
  ho_str key = ho_arena_printf(arena, "x_%s_stated", field->name);
  if (!choice || ho_map_get(map, key))
    return;
  ho_map_add(map, key, ho_node_text(arena, node->text));
  node->text = ho_str_of(choice->value);
}
