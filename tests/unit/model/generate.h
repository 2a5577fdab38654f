/* Random documents of any format, driven by its table: the same for the same seed. Types, choices and syntaxes are
 * right unless they are to be sloppy; rules across fields are not looked at. */
#ifndef TEST_MODEL_GENERATE_H
#define TEST_MODEL_GENERATE_H

#include "unit.h"

#include "model/bind.h"

typedef struct generator {
  unit_random random;
  ho_arena *arena;
  bool tame;     /* plain words only: what every encoding can hold */
  bool sloppy;   /* other keys, words, shapes and forms than the table wants */
  ho_node *said; /* a list of every free text that the document says; NULL: nobody asks */
} generator;

static inline bool chance(generator *g, size_t percent)
{
  return unit_below(&g->random, 100) < percent;
}

static inline ho_str pick(generator *g, const char *const *from, size_t count)
{
  return ho_str_of(from[unit_below(&g->random, count)]);
}

static inline ho_str generate_words(generator *g)
{
  static const char *const words[] = {"expired", "tokens",  "are",     "refused", "by",    "the",    "parser",
                                      "after",   "a",       "restart", "clock",   "drift", "queue",  "holds",
                                      "seven",   "entries", "while",   "cache",   "warms", "slowly", "twice"};
  ho_str text = ho_arena_copy(g->arena, pick(g, words, HO_COUNT(words)));
  for (size_t n = unit_below(&g->random, 6); n; n--) {
    ho_str word = pick(g, words, HO_COUNT(words));
    text = ho_arena_printf(g->arena, "%.*s %.*s", HO_ARG(text), HO_ARG(word));
  }
  return text;
}

/* Texts that have broken readers and writers before. */
static inline ho_str generate_nasty(generator *g)
{
  static const char *const nasty[] = {"no",
                                      "1e3",
                                      "2026-01-11",
                                      "a: b",
                                      "Note: one: two",
                                      "- a\n- b",
                                      "- a\n  more\n- b",
                                      "1. first\n2. second",
                                      "# Heading",
                                      "## Key Decisions Made",
                                      "```\ncode\n```",
                                      "~~~",
                                      "line one\nline two",
                                      "line one\n\nline three",
                                      " leading",
                                      "trailing ",
                                      "ends in a newline\n",
                                      "tab\there",
                                      "\"quoted\" 'twice'",
                                      "back\\slash",
                                      "caf\xc3\xa9 \xe2\x80\x94 \xf0\x9f\x98\x80",
                                      "| a | b |",
                                      "**bold**: text",
                                      "> quote",
                                      "---",
                                      "[link](x)",
                                      "{brace}",
                                      "x_kept",
                                      "null",
                                      "true",
                                      "007",
                                      "3",
                                      "&anchor",
                                      "*alias",
                                      "!tag",
                                      "%directive",
                                      "@at",
                                      "`tick`",
                                      "a #comment",
                                      "ends in colon:",
                                      "\xc2\xa0nbsp",
                                      "e\xcc\x81 combining",
                                      "?",
                                      "[ ] box",
                                      "",
                                      " ",
                                      "\n",
                                      "~",
                                      "<<",
                                      "=",
                                      ".inf",
                                      "0x1F",
                                      "1_000",
                                      "12:30:45",
                                      "Key: value\nOther: value",
                                      "one  \ntwo\\\nthree",
                                      "carriage\r\nreturn\rs",
                                      "next\xc2\x85line \xe2\x80\xa8 separators \xe2\x80\xa9",
                                      "\xef\xbb\xbfmark",
                                      "zero\xe2\x80\x8bwidth\xe2\x80\x8d",
                                      "\xe4\xba\xa4\xe6\x8e\xa5\xef\xbc\x9a\xe6\x96\x87\xe6\xa1\xa3",
                                      "\xd7\xa9\xd7\x9c\xd7\x95\xd7\x9d \xe2\x80\xae rtl",
                                      "\xf0\x9f\x91\xa9\xe2\x80\x8d\xf0\x9f\x92\xbb",
                                      "<b>html</b> &amp; <!-- comment -->",
                                      "escape \x1b[31m bell \x07",
                                      "***",
                                      "===",
                                      "* star\n  * nested\n\n    code",
                                      "a | b\n--|--\n1 | 2",
                                      "path/to/file.c:12, line 3",
                                      "first; second; third"};
  return pick(g, nasty, HO_COUNT(nasty));
}

/* Longer than a screen, a line or a summary may be; no two of its parts are the same. */
static inline ho_str generate_long(generator *g)
{
  static const char *const between[] = {" ", "\n", ". ", "\n\n", "\n- "};
  ho_str text = generate_words(g), join = pick(g, between, HO_COUNT(between));
  for (size_t n = unit_below(&g->random, 200); n; n--) {
    ho_str more = generate_words(g);
    text = ho_arena_printf(g->arena, "%.*s%.*s%.*s (%zu)", HO_ARG(text), HO_ARG(join), HO_ARG(more), n);
  }
  return text;
}

static inline ho_str generate_any_text(generator *g)
{
  if (g->tame || chance(g, 60))
    return generate_words(g);
  if (chance(g, 3))
    return generate_long(g);
  ho_str text = generate_nasty(g);
  if (!chance(g, 20))
    return text;
  ho_str more = generate_nasty(g);
  return ho_arena_printf(g->arena, chance(g, 50) ? "%.*s\n%.*s" : "%.*s %.*s", HO_ARG(text), HO_ARG(more));
}

/* What is said must be found again: plain words have a number that no other text has. */
static inline ho_str generate_text(generator *g)
{
  ho_str text = generate_any_text(g);
  if (!g->said)
    return text;
  if (isalpha((unsigned char)*(text.n ? text.p : "")) && text.n < 60)
    text = ho_arena_printf(g->arena, "%.*s %u", HO_ARG(text), 1000 + g->said->count);
  ho_list_add(g->said, ho_node_text(g->arena, text));
  return text;
}

/* One of "a|b|c". */
static inline ho_str pick_listed(generator *g, const char *list)
{
  ho_str rest = ho_str_of(list), word = HO_EMPTY;
  size_t count = 1;
  for (size_t i = 0; i < rest.n; i++)
    count += rest.p[i] == '|';
  for (size_t n = 1 + unit_below(&g->random, count); n && ho_str_next(&rest, '|', &word); n--)
    continue;
  return word;
}

/* Forms that are understood, and some that are not. */
static inline ho_str generate_sloppy_syntax(generator *g, const ho_syntax *syntax)
{
  if (syntax == &ho_syntax_TIME || syntax == &ho_syntax_STAMP)
    return pick_listed(g, "2026-02-12|2026-02-12 14:30|20260212|20260212_143022|2026-02-12 14:30:22.123456|"
                          "2026-02-12T14:30:22+02:00|12 February|now");
  if (syntax == &ho_syntax_LINES)
    return pick_listed(g, "45|L45-L67|lines 4-9|All|4, 9-12|the whole file|45..67");
  if (syntax == &ho_syntax_TAG || syntax == &ho_syntax_SLUG)
    return pick_listed(g, "Error Handling|error_handling|C++|a.b|caf\xc3\xa9|two--joints|(none)");
  if (syntax == &ho_syntax_RELATIVE || syntax == &ho_syntax_ABSOLUTE)
    return pick_listed(
        g, "./src/a.c|src\\a.c|/srv/app/src/a.c|/elsewhere/specs/1_a/b.md|../up.c|~/home.c|C:\\a.c|a/../b.c");
  return generate_any_text(g);
}

static inline ho_str generate_syntax(generator *g, const ho_syntax *syntax)
{
  if (g->sloppy && chance(g, 30))
    return generate_sloppy_syntax(g, syntax);
  unsigned a = (unsigned)unit_below(&g->random, 28) + 1, b = (unsigned)unit_below(&g->random, 24);
  if (syntax == &ho_syntax_TIME)
    return ho_arena_printf(g->arena, "2026-02-%02uT%02u:30:22Z", a, b);
  if (syntax == &ho_syntax_STAMP)
    return ho_arena_printf(g->arena, "202602%02uT%02u3022Z", a, b);
  if (syntax == &ho_syntax_LINES)
    return chance(g, 20) ? HO_STR("all") : ho_arena_printf(g->arena, "%u-%u", a, a + b);
  if (syntax == &ho_syntax_TAG)
    return ho_arena_printf(g->arena, "tag-%u", a);
  if (syntax == &ho_syntax_SLUG)
    return ho_arena_printf(g->arena, "slug_%u", a);
  if (syntax == &ho_syntax_RELATIVE)
    return ho_arena_printf(g->arena, "src/file%u.c", a);
  if (syntax == &ho_syntax_ABSOLUTE)
    return ho_arena_printf(g->arena, "/srv/app/file%u.c", a);
  return generate_words(g);
}

static inline ho_node *generate_record(generator *g, const ho_record *record, unsigned depth);

static inline ho_node *generate_number(generator *g)
{
  static const char *const odd[] = {
      "0", "-1", "1.50", "-0.25", "1e3", "9007199254740993", "1E-7", "123456789012345678901"};
  ho_node *node = ho_node_number(g->arena, (long long)unit_below(&g->random, 100));
  if (chance(g, 30))
    node->text = pick(g, odd, HO_COUNT(odd));
  return node;
}

/* A different one for every number. */
static inline ho_str generate_key(generator *g, size_t number)
{
  static const char *const forms[] = {"key%zu", "x_%zu",  "a b %zu",     "a/b~%zu", "%zu",
                                      "- %zu",  "k: %zu", "\xc3\xa9%zu", "#%zu"};
  char text[32];
  snprintf(text, sizeof text, forms[g->tame ? 0 : unit_below(&g->random, HO_COUNT(forms))], number);
  return ho_arena_copy(g->arena, ho_str_of(text));
}

static inline ho_node *generate_any(generator *g, unsigned depth)
{
  ho_node *node;
  switch (unit_below(&g->random, depth > 3 ? 4 : 6)) {
  case 0:
    return generate_number(g);
  case 1:
    return chance(g, 30) ? ho_node_new(g->arena, HO_KIND_NULL) : ho_node_bool(g->arena, chance(g, 50));
  case 4:
    node = ho_node_new(g->arena, HO_KIND_LIST);
    for (size_t n = unit_below(&g->random, 3); n; n--)
      ho_list_add(node, generate_any(g, depth + 1));
    return node;
  case 5:
    node = ho_node_new(g->arena, HO_KIND_MAP);
    for (size_t n = unit_below(&g->random, 3); n; n--)
      ho_map_add(node, generate_key(g, n), generate_any(g, depth + 1));
    return node;
  default:
    return ho_node_text(g->arena, generate_text(g));
  }
}

static inline ho_node *generate_scalar(generator *g, const ho_field *field, ho_type type)
{
  if (field->choices) {
    size_t count = 0;
    while (field->choices[count].value)
      count++;
    const ho_choice *choice = &field->choices[unit_below(&g->random, count)];
    if (g->sloppy && choice->synonyms && chance(g, 30))
      return ho_node_text(g->arena, pick_listed(g, choice->synonyms));
    if (g->sloppy && g->said && type == HO_T_TEXT && field->type == HO_T_TEXT && chance(g, 10)) {
      ho_str remark = ho_arena_printf(g->arena, "%s (remark %u)", choice->value, g->said->count);
      ho_list_add(g->said, ho_node_text(g->arena, remark));
      return ho_node_text(g->arena, remark);
    }
    return ho_node_textz(g->arena, choice->value);
  }
  if (g->sloppy && chance(g, 5))
    return ho_node_text(g->arena, pick_listed(g, "3|yes|No|some|1.5|"));
  if (strcmp(field->name, "mark") == 0) /* one character, in the box of a task */
    return ho_node_text(g->arena, pick_listed(g, "~|>|?|\xe2\x9c\x93"));
  if (field->max_tokens && !g->tame && chance(g, 15)) {
    ho_str text = generate_long(g);
    if (g->said)
      ho_list_add(g->said, ho_node_text(g->arena, text));
    return ho_node_text(g->arena, text);
  }
  if (type == HO_T_BOOL)
    return ho_node_bool(g->arena, chance(g, 50));
  if (type == HO_T_INT || type == HO_T_NUMBER)
    return ho_node_number(g->arena, (long long)(field->min + unit_below(&g->random, 9)));
  if (type == HO_T_ID && (g->tame || chance(g, 70)))
    return ho_node_number(g->arena, (long long)unit_below(&g->random, 99) + 1);
  if (type == HO_T_ID)
    return ho_node_text(g->arena, chance(g, 50) ? HO_STR("6a") : generate_words(g));
  return ho_node_text(g->arena, field->syntax ? generate_syntax(g, field->syntax) : generate_text(g));
}

/* Anything in place of the field's value. A text there counts as said only where the field takes any text. */
static inline ho_node *generate_odd(generator *g, const ho_field *field, unsigned depth)
{
  ho_node *said = g->said, *odd;
  if (field && field->record && field->record->scalar)
    field = ho_record_fieldz(field->record, field->record->scalar);
  if (!field || (field->type == HO_T_LIST ? field->item : field->type) != HO_T_TEXT || field->syntax || field->choices)
    g->said = NULL;
  odd = generate_any(g, depth);
  g->said = said;
  return odd;
}

static inline ho_node *generate_value(generator *g, const ho_field *field, ho_type type, unsigned depth)
{
  if (type == HO_T_ANY)
    return generate_any(g, depth);
  if (g->sloppy && type == HO_T_RECORD && field->record->scalar && chance(g, 20))
    return generate_odd(g, field, 4);
  if (type == HO_T_RECORD)
    return generate_record(g, field->record, depth + 1);
  if (g->sloppy && (type != HO_T_LIST ? chance(g, 2) : chance(g, 15)))
    return generate_odd(g, field, depth);
  if (type != HO_T_LIST)
    return generate_scalar(g, field, type);
  ho_node *list = ho_node_new(g->arena, HO_KIND_LIST);
  size_t most = field->max && field->max < 4 && !g->sloppy ? field->max : 4;
  if (g->sloppy && field->max)
    most = field->max + 3;
  for (size_t n = !g->tame && chance(g, 5) ? 0 : 1 + unit_below(&g->random, most); n; n--)
    ho_list_add(list, generate_value(g, field, field->item, depth));
  return list;
}

static inline ho_str generate_name(generator *g, const ho_field *field)
{
  return g->sloppy && field->aliases && chance(g, 20) ? pick_listed(g, field->aliases) : ho_str_of(field->name);
}

static inline ho_node *generate_record(generator *g, const ho_record *record, unsigned depth)
{
  ho_node *map = ho_node_new(g->arena, HO_KIND_MAP);
  for (const ho_field *field = record->fields; field->name; field++)
    if (field->flags & HO_REQUIRED || chance(g, depth > 1 ? 50 : 60))
      ho_map_add(map, generate_name(g, field),
                 field->flags & HO_NULLABLE && chance(g, 10) ? ho_node_new(g->arena, HO_KIND_NULL)
                                                             : generate_value(g, field, field->type, depth));
  if (!g->tame && chance(g, 8))
    ho_map_addz(map, "x_note", generate_any(g, depth));
  if (!g->tame && chance(g, 4))
    ho_map_addz(map, "x_other.note", generate_any(g, depth));
  if (!g->tame && chance(g, 4))
    ho_map_addz(map, "unknown key", generate_any(g, depth));
  return map;
}

/* A bound tree. */
static inline ho_node *generate(generator *g, const ho_format *format)
{
  ho_report report;
  ho_report_init(&report, g->arena, NULL);
  return ho_bind(format, generate_record(g, format->root, 0), NULL, g->arena, &report);
}
#endif
