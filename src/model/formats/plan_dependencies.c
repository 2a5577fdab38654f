/* What a phase waits for, the way people write it: "None", "Phase 1, Phase 3", "Phases 1–3 (all small) and 5". */
#include "model/formats/artifact.h"
#include "model/formats/plan.h"

enum { MANY = 64 }; /* with more phases than this, they are not listed one by one */

typedef struct reader {
  ho_arena *arena;
  const ho_node *place; /* the text that the ids get their position from */
  ho_node *list;        /* of ids */
  bool plain;           /* the ids say everything that the text said */
} reader;

static const char *const dashes[] = {"\xE2\x80\x93", "\xE2\x80\x94"}; /* en and em */

static size_t dash_at(ho_str text)
{
  for (size_t i = 0; i < HO_COUNT(dashes); i++)
    if (ho_str_starts(text, dashes[i]))
      return strlen(dashes[i]);
  return 0;
}

/* The length of a remark that begins here, in round brackets or after a dash up to the next comma; 0 if there is
 * none. */
static size_t remark_at(ho_str text)
{
  size_t n = 0, depth = 0, dash = dash_at(text);
  if (dash)
    while (n < text.n && !strchr(",;", text.p[n]))
      n++;
  else if (text.p[0] == '(')
    do {
      depth += text.p[n] == '(';
      depth -= text.p[n] == ')';
    } while (++n < text.n && depth);
  return n;
}

/* The text without remarks and emphasis; a dash between two numbers becomes a hyphen. */
static ho_str without_remarks(reader *r, ho_str text)
{
  char *out = ho_arena_alloc(r->arena, text.n + 1);
  size_t n = 0;
  for (size_t i = 0; out && i < text.n;) {
    ho_str rest = ho_str_sub(text, i, text.n);
    size_t dash = dash_at(rest), skipped = 0;
    if (dash && n && isdigit((unsigned char)out[n - 1]) && dash < rest.n && isdigit((unsigned char)rest.p[dash])) {
      out[n++] = '-';
      skipped = dash;
    } else {
      skipped = strchr("*`", rest.p[0]) ? 1 : remark_at(rest);
    }
    r->plain = r->plain && !skipped;
    if (!skipped)
      out[n++] = rest.p[0];
    i += skipped ? skipped : 1;
  }
  return out ? (ho_str){out, n} : HO_EMPTY;
}

/* Length of the separator between two ids at the start of the text; 0 if there is none. *usual: written as the
 * program writes it. */
static size_t separator_at(ho_str text, char before, bool *usual)
{
  static const char *const others[] = {" or ", " then ", " + ", " plus ", "\xE2\x86\x92" /* → */};
  *usual = true;
  if (strchr(",&", text.p[0]))
    return 1;
  if (ho_str_starts_nocase(text, " and "))
    return 5;
  *usual = false;
  if (text.p[0] == ';')
    return 1;
  if (text.p[0] == '/' && isdigit((unsigned char)before) && text.n > 1 && isdigit((unsigned char)text.p[1]))
    return 1;
  for (size_t i = 0; i < HO_COUNT(others); i++)
    if (ho_str_starts_nocase(text, others[i]))
      return strlen(others[i]);
  return 0;
}

static bool next_part(reader *r, ho_str *rest, ho_str *part)
{
  if (!rest->n)
    return false;
  for (size_t i = 0; i < rest->n; i++) {
    bool usual;
    size_t n = separator_at(ho_str_sub(*rest, i, rest->n), i ? rest->p[i - 1] : ' ', &usual);
    if (!n)
      continue;
    r->plain = r->plain && usual;
    *part = ho_str_sub(*rest, 0, i);
    *rest = ho_str_sub(*rest, i + n, rest->n);
    return true;
  }
  *part = *rest;
  *rest = HO_EMPTY;
  return true;
}

static void add_id(reader *r, ho_str id)
{
  ho_node *node = ho_list_add(r->list, ho_node_text(r->arena, id));
  if (node) {
    node->begin = r->place->begin;
    node->end = r->place->end;
  }
}

static bool take_word(ho_str *text, const char *word)
{
  if (!ho_str_starts_nocase(*text, word))
    return false;
  *text = ho_str_trim(ho_str_sub(*text, strlen(word), text->n));
  return true;
}

/* `1-3`, `1 to 3`, `1 through Phase 3`: the ends of the range; *text becomes the rest. */
static bool take_range(ho_str *text, uint64_t *from, uint64_t *to)
{
  ho_str rest = *text;
  size_t digits = 0;
  while (digits < rest.n && isdigit((unsigned char)rest.p[digits]))
    digits++;
  if (!ho_str_to_u64(ho_str_sub(rest, 0, digits), from))
    return false;
  rest = ho_str_trim(ho_str_sub(rest, digits, rest.n));
  if (!take_word(&rest, "-") && !take_word(&rest, "to ") && !take_word(&rest, "through "))
    return false;
  take_word(&rest, "phase ");
  for (digits = 0; digits < rest.n && isdigit((unsigned char)rest.p[digits]);)
    digits++;
  bool ends = digits == rest.n || !isalnum((unsigned char)rest.p[digits]);
  if (!ends || !ho_str_to_u64(ho_str_sub(rest, 0, digits), to) || *from >= *to || *to - *from >= MANY)
    return false;
  *text = ho_str_trim(ho_str_sub(rest, digits, rest.n));
  return true;
}

/* One part: `Phase 1`, `1`, `Phase 2 is green`. A number alone counts only if nothing follows it; a phase of another
 * task does not count. */
static void read_part(reader *r, ho_str part)
{
  uint64_t from, to;
  part = ho_str_trim(part);
  bool named = take_word(&part, "phases ") || take_word(&part, "phase ");
  bool range = take_range(&part, &from, &to);
  size_t n = range ? 0 : ho_artifact_phase(part);
  ho_str id = ho_str_sub(part, 0, n), tail = ho_str_trim(ho_str_sub(part, n, part.n));
  r->plain = r->plain && !range && n && !tail.n;
  if ((!range && !n) || (!named && tail.n) || ho_str_has_nocase(tail, "of task"))
    return;
  if (!range)
    add_id(r, id);
  else
    for (; from <= to; from++)
      add_id(r, ho_arena_printf(r->arena, "%llu", (unsigned long long)from));
}

void ho_plan_split_dependencies(ho_arena *arena, ho_node *phase)
{
  ho_node *old = ho_map_getz(phase, "dependencies");
  reader r = {arena, old, ho_node_new(arena, HO_KIND_LIST), true};
  ho_str text = ho_node_str(old), rest, part;
  if (!old || !r.list)
    return;
  r.list->begin = old->begin;
  r.list->end = old->end;
  if (ho_str_starts_nocase(text, "none")) {
    r.plain = text.n == 4;
  } else if (!ho_str_list_has_nocase("-|--|n/a", text)) {
    rest = without_remarks(&r, text);
    while (next_part(&r, &rest, &part))
      read_part(&r, part);
  }
  ho_map_set(phase, HO_STR("dependencies"), r.list);
  if (!r.plain)
    ho_map_addz(phase, "x_dependencies", old);
}

static bool means_all_before(ho_str text)
{
  static const char *const words[] = {"all prior", "all previous", "all preceding", "all earlier"};
  for (size_t i = 0; i < HO_COUNT(words); i++)
    if (ho_str_has_nocase(text, words[i]))
      return !ho_str_starts_nocase(text, "none");
  return false;
}

static bool has_id(const ho_node *list, ho_str id)
{
  HO_EACH_CONST (each, list)
    if (ho_str_eq(ho_node_str(each), id))
      return true;
  return false;
}

void ho_plan_wait_for_all(ho_arena *arena, ho_node *phases)
{
  if (phases->count > MANY)
    return;
  HO_EACH (phase, phases) {
    ho_node *text = ho_map_getz(phase, "x_dependencies");
    reader r = {arena, text, ho_map_getz(phase, "dependencies"), false};
    if (!text || !r.list || !means_all_before(ho_node_str(text)))
      continue;
    for (const ho_node *before = phases->first; before != phase; before = before->next) {
      ho_str id = ho_map_str(before, "id");
      if (!has_id(r.list, id))
        add_id(&r, id);
    }
  }
}
