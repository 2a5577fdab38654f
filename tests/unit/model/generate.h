/* Random documents of any format, driven by its table: the same for the same seed. Types, choices and syntaxes are
 * right; rules across fields are not looked at. */
#ifndef TEST_MODEL_GENERATE_H
#define TEST_MODEL_GENERATE_H

#include "../unit.h"

#include "model/bind.h"

typedef struct generator {
  unit_random random;
  ho_arena *arena;
  bool tame; /* plain words only: what every encoding can hold */
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
static inline ho_str generate_text(generator *g)
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
                                      "[ ] box"};
  return g->tame || chance(g, 60) ? generate_words(g) : pick(g, nasty, HO_COUNT(nasty));
}

static inline ho_str generate_syntax(generator *g, const ho_syntax *syntax)
{
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

static inline ho_node *generate_any(generator *g, unsigned depth)
{
  ho_node *node;
  switch (unit_below(&g->random, depth > 3 ? 4 : 6)) {
  case 0:
    return ho_node_number(g->arena, (long long)unit_below(&g->random, 100));
  case 1:
    return ho_node_bool(g->arena, chance(g, 50));
  case 4:
    node = ho_node_new(g->arena, HO_KIND_LIST);
    for (size_t n = unit_below(&g->random, 3); n; n--)
      ho_list_add(node, generate_any(g, depth + 1));
    return node;
  case 5:
    node = ho_node_new(g->arena, HO_KIND_MAP);
    for (size_t n = unit_below(&g->random, 3); n; n--)
      ho_map_add(node, ho_arena_printf(g->arena, "key%zu", n), generate_any(g, depth + 1));
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
    return ho_node_textz(g->arena, field->choices[unit_below(&g->random, count)].value);
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

static inline ho_node *generate_value(generator *g, const ho_field *field, ho_type type, unsigned depth)
{
  if (type == HO_T_ANY)
    return generate_any(g, depth);
  if (type == HO_T_RECORD)
    return generate_record(g, field->record, depth + 1);
  if (type != HO_T_LIST)
    return generate_scalar(g, field, type);
  ho_node *list = ho_node_new(g->arena, HO_KIND_LIST);
  size_t most = field->max && field->max < 4 ? field->max : 4;
  for (size_t n = 1 + unit_below(&g->random, most); n; n--)
    ho_list_add(list, generate_value(g, field, field->item, depth));
  return list;
}

static inline ho_node *generate_record(generator *g, const ho_record *record, unsigned depth)
{
  ho_node *map = ho_node_new(g->arena, HO_KIND_MAP);
  for (const ho_field *field = record->fields; field->name; field++)
    if (field->flags & HO_REQUIRED || chance(g, depth > 1 ? 50 : 60))
      ho_map_addz(map, field->name, generate_value(g, field, field->type, depth));
  if (!g->tame && chance(g, 8))
    ho_map_addz(map, "x_note", generate_any(g, depth));
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
