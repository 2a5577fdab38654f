/* Splits freeform notes into passages: which words belong together, on which line, under which heading. */
#include "model/markdown/markdown_read.h"
#include "model/notes/notes_parts.h"
#include "model/wording.h"

typedef struct walker {
  ho_note_taker *taker;
  unsigned levels[7];  /* kinds of the headings above, by level */
  bool titled, inside; /* a title, a section was seen */
  unsigned current;    /* kinds of the section */
  unsigned pending;    /* a label with nothing after it describes the list that follows */
  ho_str label;        /* the text of that label */
  bool detail;         /* a heading was itself an item, and what is below it elaborates */
  bool listed;         /* the section has a list, so its prose only introduces it */
  bool asked;          /* the last thing before was a question: the list below answers it */
} walker;

/* Lines of a paragraph that belong together, joined into one. */
typedef struct unit {
  ho_buf text;
  size_t *starts; /* where each source line begins in it */
  unsigned *numbers;
  size_t count;
} unit;

/* --- text --------------------------------------------------------------------------------------------------------- */

static int take_box(ho_str *text)
{
  static const char *const open[] = {"[ ] ", "[] ", "[~] ", "[/] ", "[>] ", "[\xE2\x86\x92] ", "\xE2\x98\x90 "};
  static const char *const ticked[] = {"[x] ",          "[X] ",          "[\xE2\x9C\x93] ", "[\xE2\x9C\x85] ",
                                       "\xE2\x9C\x85 ", "\xE2\x9C\x93 ", "\xE2\x9C\x94 ",   "\xE2\x98\x91 "};
  for (size_t i = 0; i < HO_COUNT(ticked); i++)
    if (ho_str_starts(*text, ticked[i])) {
      *text = ho_str_sub(*text, strlen(ticked[i]), text->n);
      return 1;
    }
  for (size_t i = 0; i < HO_COUNT(open); i++)
    if (ho_str_starts(*text, open[i])) {
      *text = ho_str_sub(*text, strlen(open[i]), text->n);
      return 0;
    }
  return -1;
}

/* `Label: rest` without emphasis, if the label is a known one. */
static bool plain_label(ho_str line, ho_str *label, ho_str *rest)
{
  size_t colon = ho_str_find_char(line, ':');
  if (colon == HO_NONE || colon == 0 || colon > 40 || (colon + 1 < line.n && line.p[colon + 1] != ' '))
    return false;
  *label = ho_str_trim(ho_str_sub(line, 0, colon));
  *rest = ho_str_trim(ho_str_sub(line, colon + 1, line.n));
  return ho_wording_count(*label) <= 4 && ho_str_find_char(*label, '`') == HO_NONE && ho_note_heading(*label) != 0;
}

static bool split_label(ho_str line, ho_str *label, ho_str *rest)
{
  return ho_markdown_split_label(line, label, rest) || plain_label(line, label, rest);
}

/* --- units -------------------------------------------------------------------------------------------------------- */

static bool unit_init(walker *w, unit *u, size_t lines)
{
  ho_buf_init(&u->text, 0);
  u->count = 0;
  u->starts = ho_arena_array(w->taker->arena, lines + 1, sizeof *u->starts);
  u->numbers = ho_arena_array(w->taker->arena, lines + 1, sizeof *u->numbers);
  return u->starts && u->numbers;
}

static void unit_add(unit *u, ho_str line, unsigned number)
{
  line = ho_str_trim(line);
  while (ho_str_starts(line, "> ")) /* of a quotation */
    line = ho_str_trim(ho_str_sub(line, 2, line.n));
  if (u->text.n)
    ho_buf_putc(&u->text, ' ');
  u->starts[u->count] = u->text.n;
  u->numbers[u->count++] = number;
  ho_buf_put(&u->text, line);
}

/* Passes one text of the unit, which begins at byte `at` of it, to the taker. */
static void give(walker *w, const unit *u, size_t *line, size_t at, ho_str text, ho_passage like)
{
  while (*line + 1 < u->count && u->starts[*line + 1] <= at)
    ++*line;
  like.line = like.last = u->numbers[*line];
  for (size_t i = *line; i < u->count && u->starts[i] < at + text.n; i++)
    like.last = u->numbers[i];
  like.text = ho_note_cleaned(w->taker->arena, text);
  if (like.text.n)
    ho_note_take(w->taker, &like);
}

/* "Workaround: …" after a sentence belongs to it. */
static bool follows(ho_str sentence)
{
  static const char *const starts[] = {
      "mitigation:", "workaround:", "fix:", "solution:", "recommendation:", "resolution:", "suggestion:", "impact:"};
  for (size_t i = 0; i < HO_COUNT(starts); i++)
    if (ho_str_starts_nocase(sentence, starts[i]))
      return true;
  return false;
}

/* Says nothing on its own, so it continues the sentence before it. */
static bool goes_on(ho_str sentence)
{
  unsigned weak;
  return !ho_note_words(sentence, &weak) && !ho_note_verbs(sentence);
}

/* Takes the next sentence off *left, with its mark and what belongs to it; whole: also with the sentences that only
 * continue it. */
static bool next_sentence(ho_str *left, ho_str *out, bool whole)
{
  ho_str sentence, ahead;
  if (!ho_wording_sentence(left, out))
    return false;
  for (;;) {
    bool more = left->n && out->n && out->p + out->n < left->p, half = more && out->p[out->n] == ';';
    if (more && strchr(".!?", out->p[out->n])) /* the mark belongs to it */
      out->n++;
    ahead = *left;
    if (!ho_wording_sentence(&ahead, &sentence))
      return true;
    if (!follows(sentence) && !(half && goes_on(sentence)) && !(whole && goes_on(sentence)))
      return true;
    *left = ahead;
    out->n = (size_t)(sentence.p + sentence.n - out->p);
  }
}

/* Prose: one passage per sentence. A label applies to its first sentence, and to later ones that do not say
 * themselves what they are. */
static void give_sentences(walker *w, const unit *u, ho_str text, unsigned around, ho_passage like)
{
  size_t line = 0;
  ho_str sentence;
  bool first = true, whole = like.kinds & HO_NOTE_ANY_ITEM & ~(unsigned)HO_NOTE_NEXT && !like.nested;
  for (ho_str left = text; next_sentence(&left, &sentence, whole); first = false) {
    ho_passage each = like;
    unsigned weak;
    if (like.labelled && !first) {
      bool other = like.kinds & (HO_NOTE_OUTCOME | HO_NOTE_OTHER);
      each.kinds = other || ho_note_words(sentence, &weak) || ho_note_verbs(sentence) ? around : like.kinds;
      each.labelled = !other && each.kinds == like.kinds;
    }
    give(w, u, &line, (size_t)(sentence.p - u->text.p), sentence, each);
  }
}

/* Labels that describe the text or task as a whole, rather than something to hand on. */
static bool is_about(const walker *w, ho_str label)
{
  static const char head[] = "to|from|for|by|project|last updated|updated|last session"; /* as in a letter */
  static const char always[] = "priority|time|timing|date|branch|commit|author|title|effort|owner|assignee|duration|"
                               "estimate|eta|agent|model|complexity";
  label = ho_str_trim(label);
  return ho_str_list_has_nocase(always, label) || (!w->inside && ho_str_list_has_nocase(head, label));
}

/* What the label of a unit says about it; 0: nothing. */
static unsigned label_kinds(const walker *w, const ho_passage *like, ho_str label, ho_str rest)
{
  unsigned said = ho_note_heading(label);
  if (rest.n && (is_about(w, label) || !ho_note_says(rest)))
    return HO_NOTE_OTHER;
  if (said == HO_NOTE_OUTCOME && w->inside && !(w->current & HO_NOTE_OUTCOME))
    said = HO_NOTE_OTHER; /* the state of some part, not of the task */
  bool unclear;
  if (like->kinds == HO_NOTE_OUTCOME && said != HO_NOTE_OUTCOME && ho_note_outcome(label, &unclear))
    return 0; /* "Failed: it does not build", where the status is told */
  said = ho_note_within(like->kinds, said);
  /* a step named after its subject: "1. **Verify the changes**: open the page" */
  bool step = like->item && rest.n && like->kinds & HO_NOTE_ANY_ITEM;
  return step && said & HO_NOTE_ANY_FILE ? 0 : said;
}

/* "Other open questions to resolve:" before a list says what it lists. */
static unsigned introduces(const ho_passage *like, ho_str text)
{
  enum { WORDS = 8 };
  if (like->item || !ho_str_ends(text, ":") || ho_wording_count(text) > WORDS || ho_note_verbs(text))
    return 0;
  return ho_note_heading(text) & HO_NOTE_ANY_ITEM;
}

/* Ends a unit: one passage, or one per sentence if it is prose. */
static void unit_end(walker *w, unit *u, ho_passage like)
{
  ho_str text = ho_buf_str(&u->text), label, rest;
  size_t line = 0;
  unsigned around = like.kinds;
  if (u->text.failed && !w->taker->arena->failed)
    w->taker->arena->failed = u->text.failed;
  if (!u->count || u->text.failed)
    return;
  if (!like.item && take_box(&text) == 1)
    like.kinds = around = HO_NOTE_DONE;
  bool labelled = split_label(text, &label, &rest);
  unsigned said = labelled ? label_kinds(w, &like, label, rest) : 0;
  if (said) {
    like.kinds = said;
    like.labelled = true;
    w->pending = rest.n ? 0 : said;
    if (!rest.n || !(said & HO_NOTE_ANY_ITEM) || ho_note_names_kind(label))
      text = rest;
  } else if (labelled && !rest.n) {
    w->pending = like.kinds;
  } else if (introduces(&like, text)) {
    w->pending = introduces(&like, text);
    text = HO_EMPTY;
  }
  if (w->pending)
    w->label = labelled ? ho_arena_copy(w->taker->arena, label) : HO_EMPTY;
  like.nested |= !like.item && !like.labelled && w->listed;
  w->asked = ho_str_ends(text, "?") || ho_str_ends(text, "?**");
  if (like.item)
    give(w, u, &line, (size_t)(text.p - u->text.p), text, like);
  else
    give_sentences(w, u, text, around, like);
  u->count = 0;
  ho_buf_reset(&u->text);
}

/* --- blocks ------------------------------------------------------------------------------------------------------- */

/* The lines of one paragraph: a table if its second line consists of dashes, else units that begin at labels. */
static void take_paragraph(walker *w, uint32_t from, uint32_t to, ho_passage like)
{
  const ho_source *source = w->taker->source;
  unsigned number = ho_source_line_at(source, from);
  size_t lines = ho_source_line_at(source, to) - number + 1, width = 0;
  ho_str rest = ho_str_sub(source->text, from, to), line, next, label, value, heads[HO_NOTE_COLUMNS];
  unit u;
  if (!unit_init(w, &u, lines))
    return;
  for (; ho_markdown_next_line(&rest, &line); number++) {
    ho_str ahead = rest;
    bool header = !width && ho_markdown_next_line(&ahead, &next) && ho_note_is_delimiter(next) &&
                  ho_str_find_char(line, '|') != HO_NONE;
    if (header) {
      unit_end(w, &u, like);
      width = ho_note_split_row(line, heads);
      like.kinds = w->pending ? w->pending : like.kinds;
      if (!like.kinds && width) /* the table itself says what it lists */
        like.kinds = ho_note_heading(heads[0]) & HO_NOTE_ANY_ITEM;
      ho_markdown_next_line(&rest, &line);
      number++;
    } else if (width) {
      ho_note_take_row(w->taker, heads, width, line, number, like);
    } else {
      if (split_label(ho_str_trim(line), &label, &value))
        unit_end(w, &u, like);
      unit_add(&u, line, number);
    }
  }
  unit_end(w, &u, like);
  ho_buf_free(&u.text);
}

static void walk_blocks(walker *w, const ho_md_block *first, const ho_md_block *end, ho_passage like);

/* An item whose text only names the subject of its own list passes its kinds on to that list. */
static void walk_item(walker *w, const ho_md_block *item, ho_passage like)
{
  const ho_md_block *first = item->first;
  bool paragraph = first && first->kind == HO_MD_PARAGRAPH;
  ho_passage inner = like, own = like;
  own.item = true;
  w->pending = 0;
  if (paragraph) {
    ho_str text = ho_str_trim(first->text), rest = text;
    own.box = take_box(&rest);
    uint32_t skip = (uint32_t)(rest.p - first->text.p);
    uint32_t begin = first->begin + skip <= first->end ? first->begin + skip : first->begin;
    take_paragraph(w, begin, first->end, own);
    bool group = (ho_str_ends(text, ":") || ho_str_ends(text, ":**")) && ho_wording_count(text) <= 4;
    inner.nested = !group && !(like.kinds & HO_NOTE_ANY_FILE);
    if (w->pending)
      inner.kinds = w->pending;
    if (own.box == 1)
      inner.kinds = HO_NOTE_DONE;
  }
  w->pending = 0;
  walk_blocks(w, paragraph ? first->next : first, NULL, inner);
}

static void walk_list(walker *w, const ho_md_block *list, ho_passage like)
{
  like.nested |= w->asked;
  if (w->pending) {
    like.kinds = w->pending;
    like.group = w->label.n ? w->label : like.group;
  }
  for (const ho_md_block *item = list->first; item; item = item->next)
    walk_item(w, item, like);
  w->pending = 0;
}

static bool has_list(const ho_md_block *heading)
{
  const ho_md_block *block = heading->next;
  while (block && block->kind != HO_MD_HEADING && block->kind != HO_MD_LIST)
    block = block->next;
  return block && block->kind == HO_MD_LIST;
}

/* "1. Add tests", "Priority 2: Add tests", "Issue #3 - Add tests": the text after the number, or "". */
static ho_str numbered(ho_str text)
{
  static const char *const names[] = {"priority ", "task ", "step ", "issue ", "item "};
  for (size_t i = 0; i < HO_COUNT(names); i++)
    if (ho_str_starts_nocase(text, names[i]))
      text = ho_str_sub(text, strlen(names[i]), text.n);
  if (ho_str_starts(text, "#"))
    text = ho_str_sub(text, 1, text.n);
  size_t digits = 0;
  while (digits < text.n && isdigit((unsigned char)text.p[digits]))
    digits++;
  ho_str rest = ho_str_sub(text, digits, text.n);
  bool mark = rest.n > 2 && (ho_str_starts(rest, ". ") || ho_str_starts(rest, ": ") || ho_str_starts(rest, ") ") ||
                             ho_str_starts(rest, " - "));
  return digits >= 1 && digits <= 2 && mark ? ho_str_trim(ho_str_sub(rest, rest.p[0] == ' ' ? 3 : 2, rest.n))
                                            : HO_EMPTY;
}

static void give_heading(walker *w, const ho_md_block *block, ho_str text, unsigned kinds, ho_str group)
{
  unsigned line = ho_source_line_at(w->taker->source, block->begin);
  ho_note_take(w->taker, &(ho_passage){.text = ho_note_cleaned(w->taker->arena, text),
                                       .group = group,
                                       .line = line,
                                       .last = line,
                                       .kinds = kinds,
                                       .labelled = kinds == HO_NOTE_OUTCOME,
                                       .item = kinds != HO_NOTE_OUTCOME,
                                       .box = -1});
}

/* The title is not a section; a heading that says nothing belongs to the section above it. */
static unsigned take_heading(walker *w, const ho_md_block *block)
{
  unsigned level = block->level < 1 ? 1 : block->level > 6 ? 6 : block->level, kinds = ho_note_heading(block->text);
  unsigned around = 0;
  bool title = level == 1 && !w->titled;
  ho_str label, rest;
  w->pending = 0;
  w->titled |= level == 1;
  for (unsigned up = level - 1; up > 0 && !around; up--)
    around = w->levels[up];
  ho_str step = numbered(ho_str_trim(block->text));
  if (step.n && around & HO_NOTE_ANY_ITEM && !(kinds & HO_NOTE_ANY_ITEM))
    kinds = 0; /* "2. Complete the tests" below "Next Steps" */
  kinds = title ? 0 : kinds ? ho_note_within(around, kinds) : around;
  for (unsigned i = level; i < HO_COUNT(w->levels); i++)
    w->levels[i] = 0;
  w->levels[level] = kinds;
  w->inside |= !title;
  w->current = kinds;
  w->listed = !title && has_list(block);
  w->asked = false;
  if (!title && plain_label(block->text, &label, &rest) && rest.n && ho_note_heading(label) == HO_NOTE_OUTCOME)
    give_heading(w, block, rest, HO_NOTE_OUTCOME, HO_EMPTY);
  bool group = w->listed && ho_wording_count(step) <= 2; /* "1. Backend" above a list */
  w->detail = step.n && !group && kinds == around && kinds & HO_NOTE_ANY_ITEM;
  if (w->detail)
    give_heading(w, block, step, kinds, block->text);
  return kinds;
}

/* The lines of a fence below "Files Modified": each one that begins with a path. "Created:" above them says what
 * happened to them. */
static void take_listing(walker *w, const ho_md_block *block, ho_passage like)
{
  const ho_source *source = w->taker->source;
  ho_str rest = ho_str_sub(source->text, block->text_begin, block->text_end), line, label, value;
  unsigned number = ho_source_line_at(source, block->text_begin);
  like.item = true;
  for (; ho_markdown_next_line(&rest, &line); number++) {
    ho_str text = ho_str_trim(line), ahead = text, path;
    if (split_label(text, &label, &value) && !value.n)
      like.kinds = ho_note_within(like.kinds, ho_note_heading(label));
    else if (like.kinds & HO_NOTE_ANY_FILE && ho_wording_path(&ahead, &path) && path.p == text.p) {
      like.line = like.last = number;
      like.text = ho_arena_copy(w->taker->arena, text);
      ho_note_take(w->taker, &like);
    }
  }
}

static void walk_blocks(walker *w, const ho_md_block *first, const ho_md_block *end, ho_passage like)
{
  for (const ho_md_block *block = first; block && block != end; block = block->next) {
    if (block->kind == HO_MD_HEADING) {
      like.kinds = take_heading(w, block);
      like.nested = w->detail;
      like.group = block->text;
    } else if (block->kind == HO_MD_CODE && like.kinds & HO_NOTE_ANY_FILE)
      take_listing(w, block, like);
    else if (block->kind == HO_MD_PARAGRAPH)
      take_paragraph(w, block->begin, block->end, like);
    else if (block->kind == HO_MD_LIST)
      walk_list(w, block, like);
    else if (block->kind == HO_MD_QUOTE)
      walk_blocks(w, block->first, NULL, like);
    if (w->taker->arena->failed)
      return;
  }
}

void ho_note_walk(ho_note_taker *taker, const ho_md_block *first, const ho_md_block *end)
{
  walker w = {.taker = taker};
  walk_blocks(
      &w, first, end,
      (ho_passage){
          .text = HO_EMPTY, .path = HO_EMPTY, .action = HO_EMPTY, .lines = HO_EMPTY, .group = HO_EMPTY, .box = -1});
}

void ho_note_front_matter(ho_note_taker *taker, uint32_t from, uint32_t to)
{
  ho_str rest = ho_str_sub(taker->source->text, from, to), line, label, value;
  unsigned number = ho_source_line_at(taker->source, from);
  for (; ho_markdown_next_line(&rest, &line); number++)
    if (plain_label(line, &label, &value) && value.n && ho_note_heading(label) == HO_NOTE_OUTCOME)
      ho_note_take(taker, &(ho_passage){.text = ho_arena_copy(taker->arena, value),
                                        .line = number,
                                        .last = number,
                                        .kinds = HO_NOTE_OUTCOME,
                                        .labelled = true,
                                        .box = -1});
}
