/* From a passage of freeform notes to an item of the task format. */
#include "base/fs.h"
#include "model/check.h"
#include "model/markdown/markdown_read.h"
#include "model/notes/notes_parts.h"
#include "model/wording.h"

/* --- what is taken ------------------------------------------------------------------------------------------------ */

static void list_ambiguous(ho_note_taker *t, const ho_passage *p, const char *why)
{
  ho_node *entry = ho_node_new(t->arena, HO_KIND_MAP);
  ho_map_addz(entry, "line", ho_node_number(t->arena, p->line));
  ho_str text = p->text;
  if (p->path.n)
    text = ho_arena_printf(t->arena, "%.*s: %.*s", HO_ARG(p->path), HO_ARG(p->text));
  ho_map_addz(entry, "text", ho_node_text(t->arena, text));
  ho_map_addz(entry, "why", ho_node_textz(t->arena, why));
  ho_list_add(t->out->ambiguous, entry);
}

/* The same thing said twice is one item. */
static bool is_new(ho_note_taker *t, const char *field, ho_str text)
{
  ho_str key = ho_arena_printf(t->arena, "%s %.*s", field, HO_ARG(text));
  ho_node *mark = ho_map_add(t->seen, key, ho_node_new(t->arena, HO_KIND_NULL));
  return mark && !ho_keyset_earlier(&t->seen_set, t->arena, t->seen);
}

/* Adds an item with the main text `text` to the list `field`; NULL if it is already there. */
static ho_node *add_item(ho_note_taker *t, unsigned line, const char *field, const char *key, ho_str text)
{
  if (!is_new(t, field, text))
    return NULL;
  ho_node *list = ho_map_getz(t->out->task, field);
  if (!list)
    list = ho_map_addz(t->out->task, field, ho_node_new(t->arena, HO_KIND_LIST));
  ho_node *item = ho_node_new(t->arena, HO_KIND_MAP), *taken = ho_node_new(t->arena, HO_KIND_MAP);
  ho_map_addz(item, key, ho_node_text(t->arena, text));
  ho_list_add(list, item);
  ho_map_addz(taken, "field", ho_node_textz(t->arena, field));
  ho_map_addz(taken, "line", ho_node_number(t->arena, line));
  ho_map_addz(taken, "text", ho_node_text(t->arena, text));
  ho_list_add(t->out->items, taken);
  return item;
}

static void put(ho_note_taker *t, ho_node *item, const char *key, ho_str text)
{
  if (item && text.n && !ho_is_placeholder(text, NULL))
    ho_map_addz(item, key, ho_node_text(t->arena, text));
}

static void put_line(ho_note_taker *t, ho_node *item, unsigned line)
{
  if (item)
    ho_map_addz(item, "x_line", ho_node_number(t->arena, line));
}

static bool single(unsigned kinds)
{
  return kinds && !(kinds & (kinds - 1));
}

/* --- parts of a passage ------------------------------------------------------------------------------------------- */

/* What follows one of the words and a colon ("Workaround: …"), up to the end of the passage. */
static ho_str after_word(ho_str text, const char *labels)
{
  ho_str found;
  while (ho_wording_find(text, labels, &found)) {
    size_t end = (size_t)(found.p + found.n - text.p);
    if (end < text.n && text.p[end] == ':')
      return ho_str_trim(ho_str_sub(text, end + 1, text.n));
    text = ho_str_sub(text, end, text.n);
  }
  return HO_EMPTY;
}

/* Taken from the passage itself, else from what is above it ("### High Priority"). */
static void put_level(ho_note_taker *t, ho_node *item, const char *key, const ho_passage *p, const char *noun)
{
  const char *level = item ? ho_note_level(p->text, noun) : NULL;
  if (item && !level)
    level = ho_note_level(p->group, noun);
  if (level)
    ho_map_addz(item, key, ho_node_textz(t->arena, level));
}

/* The path as the format wants it: inside the project and relative to its root. "" if it cannot be. */
static ho_str project_path(const ho_note_taker *t, ho_str path)
{
  if (t->root.n && ho_str_starts(path, "/"))
    path = ho_fs_relative(t->root, path);
  bool fits = path.n > 2 && ho_syntax_RELATIVE.matches(path) && ho_str_find_char(path, '*') == HO_NONE &&
              ho_str_find_char(path, '\n') == HO_NONE && path.p[0] != '/' && !ho_is_placeholder(path, NULL);
  return fits ? path : HO_EMPTY;
}

/* The next path in *rest, which is part of `text`. "local/external/both" is not a path. */
static bool next_path(ho_str *rest, ho_str *path, ho_str text)
{
  while (ho_wording_path(rest, path)) {
    bool ticked = path->p > text.p && path->p[-1] == '`';
    if (ticked || ho_str_ends(*path, "/") || ho_str_find_char(ho_fs_name(*path), '.') != HO_NONE)
      return true;
  }
  return false;
}

/* The first path in the text that can be in the project; *found: there is any path at all. */
static ho_str first_path(const ho_note_taker *t, ho_str text, bool *found)
{
  ho_str rest = ho_str_sub(text, 0, 4000), path;
  *found = false;
  while (next_path(&rest, &path, text)) {
    *found = true;
    path = project_path(t, path);
    if (path.n)
      return path;
  }
  return HO_EMPTY;
}

/* "12-40" of "src/a.ts:12-40" or "src/a.ts (lines 12-40)". */
static ho_str lines_after(ho_str text, ho_str path)
{
  size_t at = (size_t)(path.p + path.n - text.p);
  ho_str rest = ho_str_sub(text, at, at + 24), digits;
  size_t i = 0;
  while (i < rest.n && !isdigit((unsigned char)rest.p[i]) && !strchr(".;,", rest.p[i]))
    i++;
  size_t from = i;
  while (i < rest.n && (isdigit((unsigned char)rest.p[i]) || rest.p[i] == '-'))
    i++;
  digits = ho_str_sub(rest, from, i);
  ho_str between = ho_str_sub(rest, 0, from);
  bool near = ho_str_starts(between, ":") || ho_str_has_nocase(between, "line") || ho_str_ends(between, "L");
  return near && ho_syntax_LINES.matches(digits) ? digits : HO_EMPTY;
}

/* The line of the passage that contains the path. */
static unsigned line_of(const ho_note_taker *t, const ho_passage *p, ho_str path)
{
  for (unsigned line = p->line; line <= p->last; line++) {
    ho_str text = ho_source_line(t->source, line);
    if (text.n && memmem(text.p, text.n, path.p, path.n))
      return line;
  }
  return p->line;
}

/* --- kinds of items ----------------------------------------------------------------------------------------------- */

/* The kind of change that the words describe: the last one (or the first one) in a text. */
static const char *change_in(ho_str text, bool last)
{
  static const struct {
    const char *type, *words;
  } changes[] = {{"delete", "delete*|remove*|dropped"},
                 {"refactor", "refactor*|restructur*"},
                 {"add", "add|adds|added|new|create*"},
                 {"modify", "modif*|update*|change*|edit*|fix*|replace*|rewrote|rename*|convert*|wrap*"}};
  const char *type = NULL;
  size_t best = 0;
  for (size_t i = 0; i < HO_COUNT(changes); i++) {
    ho_str rest = text, where;
    while (ho_wording_find(rest, changes[i].words, &where)) {
      size_t at = (size_t)(where.p - text.p);
      if (!type || (last ? at > best : at < best)) {
        best = at;
        type = changes[i].type;
      }
      rest = last ? ho_str_sub(text, at + where.n, text.n) : HO_EMPTY;
    }
  }
  return type;
}

/* Given by a column of its own, by the last verb before the path, or by what is said about it. */
static void put_change(ho_note_taker *t, ho_node *item, const ho_passage *p, unsigned kind, ho_str path, ho_str said)
{
  bool within = !p->path.n && path.p >= p->text.p && path.p <= p->text.p + p->text.n;
  const char *type = kind == HO_NOTE_DELETED ? "delete" : NULL;
  if (!type && p->action.n)
    type = change_in(p->action, false);
  if (!type && within)
    type = change_in(ho_str_sub(p->text, 0, (size_t)(path.p - p->text.p)), true);
  if (!type && !p->action.n)
    type = change_in(said, false);
  if (item && type)
    ho_map_addz(item, "change_type", ho_node_textz(t->arena, type));
}

/* What is said about the path: what follows it, else the whole passage. */
static ho_str said_of(const ho_passage *p, ho_str path)
{
  ho_str first, second;
  if (p->path.n)
    return p->text;
  bool ahead = path.p >= p->text.p && path.p - p->text.p <= 3;
  if (ahead && ho_markdown_split_pair(p->text, &first, &second))
    return second;
  ho_str rest = ahead ? ho_str_trim(ho_str_sub(p->text, (size_t)(path.p - p->text.p) + path.n, p->text.n)) : p->text;
  while (ahead && rest.n && strchr("`:-) ", rest.p[0]))
    rest = ho_str_trim(ho_str_sub(rest, 1, rest.n));
  /* "Plan: `docs/plan.md`": the label says what it is for */
  size_t colon = ho_str_find(rest, ": ");
  bool alone = !ahead && path.p + path.n + 1 >= rest.p + rest.n && colon != HO_NONE && rest.p + colon + 3 >= path.p;
  return alone ? ho_str_sub(rest, 0, colon) : rest;
}

static void take_file(ho_note_taker *t, const ho_passage *p, unsigned kind, ho_str path)
{
  static const struct {
    unsigned kind;
    const char *field, *key, *said;
  } places[] = {{HO_NOTE_CREATED, "files_created", "path", "purpose"},
                {HO_NOTE_READ, "dependencies_for_next", "file", "reason"},
                {HO_NOTE_MODIFIED | HO_NOTE_DELETED, "files_modified", "path", "description"}};
  size_t i = 0;
  ho_str said = said_of(p, path), lines = p->path.n ? p->lines : lines_after(p->text, path);
  /* "`a.c` - Created" in a list of changed files */
  bool created = said.p != p->text.p && !lines.n && !p->action.n &&
                 (ho_str_starts_nocase(said, "created") || ho_str_starts_nocase(said, "new file"));
  if (kind == HO_NOTE_MODIFIED && created)
    kind = HO_NOTE_CREATED;
  while (i + 1 < HO_COUNT(places) && !(places[i].kind & kind))
    i++;
  unsigned line = line_of(t, p, path);
  ho_node *item = add_item(t, line, places[i].field, places[i].key, ho_arena_copy(t->arena, path));
  if (kind != HO_NOTE_READ && item && ho_syntax_LINES.matches(lines))
    put(t, item, "lines", lines);
  if (places[i].kind & HO_NOTE_MODIFIED)
    put_change(t, item, p, kind, path, said);
  if (!ho_note_none(said))
    put(t, item, places[i].said, said);
  put_line(t, item, line);
}

static void take_text(ho_note_taker *t, const ho_passage *p, unsigned kind)
{
  ho_node *item = NULL;
  bool found;
  if (ho_note_none(p->text) || !ho_note_says(p->text))
    return;
  if (kind == HO_NOTE_PATTERN) {
    item = add_item(t, p->line, "patterns_discovered", "pattern", p->text);
    put(t, item, "location", item ? first_path(t, p->text, &found) : HO_EMPTY);
  } else if (kind == HO_NOTE_GOTCHA) {
    item = add_item(t, p->line, "gotchas", "issue", p->text);
    put(t, item, "mitigation", after_word(p->text, "mitigation|workaround|fix|solution|instead"));
    put_level(t, item, "severity", p, "severity");
  } else if (kind == HO_NOTE_QUESTION) {
    if (ho_note_answered(p->text))
      return;
    t->question = item = add_item(t, p->line, "open_questions", "question", p->text);
    put(t, item, "recommendation", after_word(p->text, "recommendation|recommended|suggestion"));
    if (item && ho_wording_find(p->text, "blocking|blocks", NULL))
      ho_map_addz(item, "blocking", ho_node_bool(t->arena, true));
  } else if (kind == HO_NOTE_BLOCKER) {
    item = add_item(t, p->line, "blockers", "blocker", p->text);
    put(t, item, "impact", after_word(p->text, "impact"));
    put(t, item, "suggested_resolution", after_word(p->text, "resolution|suggested resolution|to resolve|fix"));
  } else if (kind == HO_NOTE_NEXT) {
    item = add_item(t, p->line, "suggested_next_steps", "step", p->text);
    put_level(t, item, "priority", p, "priority");
  }
  put_line(t, item, p->line);
}

/* The question before it is not open any more. */
static void drop_question(ho_note_taker *t)
{
  ho_node *list = ho_map_getz(t->out->task, "open_questions");
  ho_node_remove(list, t->question);
  ho_node_remove(t->out->items, t->out->items->last);
  if (!list->count)
    ho_node_remove(t->out->task, list);
  t->question = NULL;
}

/* The first statement counts; a later one that contradicts it leaves the outcome open. */
static void take_outcome(ho_note_taker *t, const ho_passage *p)
{
  bool unclear;
  const char *outcome = ho_note_outcome(p->text, &unclear);
  ho_node *stated = ho_map_getz(t->out->task, "outcome");
  bool other = outcome && stated && !ho_str_is(stated->text, outcome);
  if (unclear || other)
    list_ambiguous(t, p, "may be about the outcome, or only about part of it");
  if (other && !p->labelled) { /* different parts of the task ended differently */
    ho_node_remove(t->out->task, stated);
    ho_node_remove(t->out->items, t->outcome);
    t->outcome_unclear = true;
  }
  if (!outcome || stated || t->outcome_unclear)
    return;
  ho_node *taken = ho_node_new(t->arena, HO_KIND_MAP);
  ho_map_addz(t->out->task, "outcome", ho_node_textz(t->arena, outcome));
  ho_map_addz(taken, "field", ho_node_textz(t->arena, "outcome"));
  ho_map_addz(taken, "line", ho_node_number(t->arena, p->line));
  ho_map_addz(taken, "text", ho_node_text(t->arena, p->text));
  t->outcome = ho_list_add(t->out->items, taken);
}

/* --- deciding ----------------------------------------------------------------------------------------------------- */

/* What heading and words agree on: the words, if they choose among what the heading allows, else the heading's first
 * kind. */
static unsigned settle(unsigned heading, unsigned words)
{
  unsigned both = heading & words & HO_NOTE_ANY_ITEM;
  if (single(heading & HO_NOTE_ANY_ITEM))
    return heading & HO_NOTE_ANY_ITEM;
  if (single(both))
    return both;
  for (unsigned kind = HO_NOTE_PATTERN; kind <= HO_NOTE_NEXT; kind <<= 1)
    if (heading & kind)
      return kind;
  return 0;
}

/* Only paths, and what separates them in a list. */
static bool only_paths(ho_str text)
{
  ho_str rest = text, path;
  size_t letters = 0, of_paths = 0;
  for (size_t i = 0; i < text.n; i++)
    letters += isalpha((unsigned char)text.p[i]) != 0;
  while (ho_wording_path(&rest, &path))
    for (size_t i = 0; i < path.n; i++)
      of_paths += isalpha((unsigned char)path.p[i]) != 0;
  return letters - of_paths <= 12;
}

/* Does the text end in one of the words, right before a path: "copied from `", "added to `"? */
static bool ends_in(ho_str text, const char *words)
{
  while (text.n && strchr("`*\"'([ ", text.p[text.n - 1]))
    text.n--;
  size_t from = text.n;
  while (from > 0 && isalpha((unsigned char)text.p[from - 1]))
    from--;
  return ho_str_list_has_nocase(words, ho_str_sub(text, from, text.n));
}

/* What the words before a path say happened to it. A file that something is "added to" was changed. */
static unsigned verbs_before(ho_str text)
{
  unsigned verbs = ho_note_verbs(text);
  return verbs == HO_NOTE_CREATED && ho_note_adds(text) && ends_in(text, "to|into|in|the") ? HO_NOTE_MODIFIED : verbs;
}

/* Where the text after a path begins: its line numbers and closing backtick belong to the path. */
static size_t behind(ho_str text, ho_str path)
{
  size_t at = (size_t)(path.p + path.n - text.p);
  if (path.p == text.p || path.p[-1] != '`')
    return at;
  size_t tick = ho_str_find_char(ho_str_sub(text, at, text.n), '`');
  return tick == HO_NONE ? at : at + tick + 1;
}

/* "Created a.ts and b.ts, updated c.ts": each path with the verb before it; the first path may have its verb after
 * it. kind: what the heading or label says about all of them, or 0. Returns how many were taken. */
static size_t take_files(ho_note_taker *t, const ho_passage *p, unsigned kind)
{
  ho_str rest = ho_str_sub(p->text, 0, 4000), path;
  size_t from = 0, taken = 0;
  unsigned verb = kind;
  while (next_path(&rest, &path, p->text)) {
    ho_str before = ho_str_sub(p->text, from, (size_t)(path.p - p->text.p));
    from = behind(p->text, path);
    unsigned verbs = kind ? 0 : verbs_before(before);
    if (!verbs && !verb)
      verbs = ho_note_verbs(ho_str_sub(p->text, from, p->text.n)) & ~(unsigned)HO_NOTE_READ;
    verb = verbs ? verbs : verb;
    ho_str inside = project_path(t, path);
    if (!single(verb) || !inside.n || (verb != HO_NOTE_READ && ends_in(before, "from")))
      continue;
    take_file(t, p, verb, inside);
    taken++;
  }
  return taken;
}

/* A row of a table or an item of a list of files: the one file that it is about. */
static bool take_one_file(ho_note_taker *t, const ho_passage *p, unsigned kind)
{
  bool found = p->path.n > 0;
  ho_str path = found ? project_path(t, p->path) : first_path(t, p->text, &found);
  if (!single(kind) || !path.n)
    return false;
  take_file(t, p, kind, path);
  return true;
}

/* A passage that names files: true if it was dealt with. One that ends in a colon only introduces what follows,
 * unless it says itself what was done ("Created `a.md` with:"). */
static bool decide_file(ho_note_taker *t, const ho_passage *p)
{
  bool found = p->path.n > 0, told = p->kinds & HO_NOTE_ANY_FILE || p->path.n;
  ho_str path = found ? project_path(t, p->path) : first_path(t, p->text, &found);
  unsigned kind = p->kinds & HO_NOTE_ANY_FILE & ~(unsigned)HO_NOTE_FILES;
  bool intro = !p->path.n && ho_str_ends(p->text, ":") && !(ho_note_verbs(p->text) & ~(unsigned)HO_NOTE_READ);
  if (!found || intro)
    return false;
  if (p->action.n && single(ho_note_action(p->action)))
    kind = ho_note_action(p->action);
  bool taken;
  if (p->path.n || (kind && !only_paths(p->text)))
    taken = take_one_file(t, p, kind);
  else
    taken = (kind || told || !p->kinds || p->kinds & HO_NOTE_DONE) && take_files(t, p, kind) > 0;
  if (!taken && told)
    list_ambiguous(t, p,
                   path.n ? "names a file, but not what was done to it"
                          : "names a file, but not by its path from the project root");
  return taken || told;
}

static const char *guess(unsigned weak)
{
  switch (weak) {
  case HO_NOTE_NEXT:
    return "may be a next step";
  case HO_NOTE_GOTCHA:
    return "may be a gotcha";
  case HO_NOTE_PATTERN:
    return "may be a pattern";
  case HO_NOTE_QUESTION:
    return "may be an open question";
  case HO_NOTE_BLOCKER:
    return "may be a blocker";
  default:
    return "may be one of several kinds of items";
  }
}

/* Decides by the passage's own words. A next step names files that have not changed yet; anything else may name
 * files that have. */
static void decide(ho_note_taker *t, const ho_passage *p)
{
  unsigned weak, words = ho_note_words(p->text, &weak);
  if (p->kinds & HO_NOTE_DONE) /* what is done is not a next step */
    words &= ~(unsigned)HO_NOTE_NEXT, weak = 0;
  if (p->kinds & HO_NOTE_OTHER || p->nested) /* only what is stated outright */
    words &= HO_NOTE_GOTCHA | HO_NOTE_QUESTION, weak = 0;
  if (words & HO_NOTE_QUESTION && ho_str_ends(p->text, "?"))
    words = HO_NOTE_QUESTION;
  bool files = words & HO_NOTE_NEXT && !(p->kinds & HO_NOTE_ANY_FILE) && !p->path.n ? false : decide_file(t, p);
  if (p->kinds & HO_NOTE_ANY_FILE || p->path.n)
    words &= HO_NOTE_GOTCHA | HO_NOTE_BLOCKER;
  if (single(words))
    take_text(t, p, words);
  else if (words)
    list_ambiguous(t, p, "matches several kinds of items");
  else if (weak && !files)
    list_ambiguous(t, p, guess(weak));
  else if (!files && !p->kinds && !p->item && !p->nested && ho_note_ends(p->text) &&
           !ho_map_getz(t->out->task, "outcome"))
    list_ambiguous(t, p, "may be about the outcome");
}

/* Prose that is not an item although its section lists items: an introduction to something else, a line at the foot
 * of the page, "No tool calls recorded." */
static bool is_idle(const ho_passage *p)
{
  ho_str text = p->text;
  bool foot = text.n > 2 && strchr("*_", text.p[0]) && text.p[text.n - 1] == text.p[0];
  bool none = p->kinds == HO_NOTE_NEXT && ho_str_starts(text, "No ") && ho_wording_count(text) <= 6;
  return foot || none || ho_str_ends(text, ":");
}

void ho_note_take(ho_note_taker *t, const ho_passage *p)
{
  unsigned weak;
  bool unclear, states = p->kinds & HO_NOTE_OUTCOME && ho_note_outcome(p->text, &unclear); /* "WIP" is a status */
  if (t->arena->failed)
    return;
  if (t->question && ho_note_answers(p->text)) {
    drop_question(t);
    return;
  }
  t->question = NULL;
  if (!p->path.n && !states && ho_note_none(p->text))
    return;
  if (!p->item && !p->labelled && p->kinds & HO_NOTE_ANY_ITEM && is_idle(p))
    return;
  if (p->kinds & HO_NOTE_OUTCOME && p->box < 0) {
    take_outcome(t, p);
    return;
  }
  if (p->box == 0 && !(p->kinds & (HO_NOTE_OTHER | HO_NOTE_QUESTION | HO_NOTE_BLOCKER))) {
    take_text(t, p, HO_NOTE_NEXT);
    return;
  }
  if (p->kinds & HO_NOTE_ANY_ITEM && !p->nested && p->box != 1) {
    take_text(t, p, settle(p->kinds, ho_note_words(p->text, &weak)));
    return;
  }
  ho_passage other = *p;
  if (p->box == 1)
    other.kinds = HO_NOTE_DONE;
  decide(t, &other);
}

void ho_notes_read(const ho_source *source, const ho_md *md, const ho_md_block *first, const ho_md_block *end,
                   ho_str root, ho_arena *arena, ho_notes *out)
{
  *out = (ho_notes){.task = ho_node_new(arena, HO_KIND_MAP),
                    .items = ho_node_new(arena, HO_KIND_LIST),
                    .ambiguous = ho_node_new(arena, HO_KIND_LIST)};
  ho_note_taker taker = {
      .source = source, .arena = arena, .root = root, .out = out, .seen = ho_node_new(arena, HO_KIND_MAP)};
  if (arena->failed)
    return;
  if (md->front_to > md->front_from && first == md->blocks)
    ho_note_front_matter(&taker, md->front_from, md->front_to);
  ho_note_walk(&taker, first, end);
}
