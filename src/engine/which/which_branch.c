/* What the name of a branch or a worktree says about the work. */
#include "base/buf.h"
#include "engine/project/identity.h"
#include "engine/which/which_parts.h"

enum { SLUG_WORDS = 5, SLUG_SIZE = 40 };
#define COUNTED "task|issue|gh" /* what the number of a task may follow */

/* Takes the next run of letters or of digits off, in lower case. */
static bool next_word(ho_arena *arena, ho_str *rest, ho_str *word)
{
  size_t from = 0, to;
  while (from < rest->n && !isalnum((unsigned char)rest->p[from]))
    from++;
  bool digits = from < rest->n && isdigit((unsigned char)rest->p[from]);
  for (to = from; to < rest->n && isalnum((unsigned char)rest->p[to]); to++)
    if (digits != (isdigit((unsigned char)rest->p[to]) != 0))
      break;
  char *text = ho_arena_alloc(arena, to - from + 1);
  for (size_t i = from; text && i < to; i++)
    text[i - from] = (char)tolower((unsigned char)rest->p[i]);
  *word = text ? (ho_str){text, to - from} : HO_EMPTY;
  *rest = ho_str_sub(*rest, to, rest->n);
  return word->n > 0;
}

static bool is_number(ho_str word)
{
  return word.n && isdigit((unsigned char)word.p[0]);
}

static bool is_task(const ho_folders *folders, ho_str task)
{
  for (size_t i = 0; i < folders->count; i++)
    if (ho_str_eq(folders->items[i].task, task))
      return true;
  return false;
}

/* The words of a text joined by underscores. */
static ho_str joined(ho_arena *arena, ho_str text, size_t most)
{
  ho_buf out;
  ho_str word;
  ho_buf_init(&out, 0);
  for (size_t i = 0; i < most && next_word(arena, &text, &word) && out.n + word.n < SLUG_SIZE; i++)
    ho_buf_printf(&out, "%s%.*s", out.n ? "_" : "", HO_ARG(word));
  return ho_buf_move(&out, arena);
}

/* The name without a phase at its end. */
static ho_str before_phase(ho_str name)
{
  for (size_t at = name.n; at-- > 1;)
    if (strchr("-_./", name.p[at - 1]) && ho_str_starts_nocase(ho_str_sub(name, at, name.n), "phase"))
      return ho_str_sub(name, 0, at - 1);
  return name;
}

static ho_str by_slug(ho_arena *arena, ho_str name, const ho_folders *folders)
{
  ho_str found = HO_EMPTY, slug = joined(arena, ho_fs_name(before_phase(name)), SLUG_SIZE);
  for (size_t i = 0; slug.n && i < folders->count; i++) {
    if (folders->items[i].archived || !ho_str_eq(joined(arena, folders->items[i].slug, SLUG_SIZE), slug))
      continue;
    if (found.n)
      return HO_EMPTY;
    found = folders->items[i].task;
  }
  return found;
}

/* Does the number that ends before `end` stand for a task? It begins its part of the name ("feature/7-fast-start"), or
 * follows what it counts ("issue-7"). Other numbers belong to a word or a version ("oauth2", "release-2", "2fa", "2.1"),
 * and a handoff of a task that was only guessed would take the place of another. */
static bool counts_tasks(ho_str name, size_t end, size_t size, ho_str before)
{
  size_t from = end - size;
  if (end < name.n && (isalpha((unsigned char)name.p[end]) || name.p[end] == '.'))
    return false;
  if (ho_str_list_has(COUNTED, before))
    return true;
  while (from > 0 && name.p[from - 1] != '/' && !isalnum((unsigned char)name.p[from - 1]))
    from--;
  return from == 0 || name.p[from - 1] == '/';
}

void ho_which_by_name(ho_arena *arena, ho_str name, const ho_folders *folders, ho_str *task, ho_str *phase)
{
  ho_str rest = name, word, before = HO_EMPTY;
  *task = *phase = HO_EMPTY;
  while (next_word(arena, &rest, &word)) {
    bool after_phase = ho_str_is(before, "phase");
    if (is_number(word) && after_phase && !phase->n)
      *phase = ho_id_plain(word);
    else if (is_number(word) && !after_phase && !task->n && is_task(folders, ho_id_plain(word)) &&
             counts_tasks(name, name.n - rest.n, word.n, before))
      *task = ho_id_plain(word);
    before = word;
  }
  if (!task->n)
    *task = by_slug(arena, name, folders);
  if (!task->n)
    *phase = HO_EMPTY;
}

ho_str ho_which_slug_of_branch(ho_arena *arena, ho_str branch)
{
  static const char common[] = "main|master|trunk|develop|dev|head|default|work|wip";
  ho_str name = ho_fs_name(branch), rest = name, word;
  if (!name.n || ho_str_list_has_nocase(common, name))
    return HO_EMPTY;
  while (next_word(arena, &rest, &word)) { /* numbers and what they count come first */
    if (!is_number(word) && !ho_str_list_has(COUNTED, word) && !ho_str_is(word, "phase"))
      break;
    name = rest;
  }
  return joined(arena, name, SLUG_WORDS);
}

ho_str ho_which_slug_of_text(ho_arena *arena, ho_str text)
{
  return joined(arena, ho_str_sub(text, 0, ho_str_line_end(text)), SLUG_WORDS);
}
