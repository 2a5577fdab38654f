/* For tests/js/schemas.mjs: what `check` says of the canonical JSON form of documents, so that another validator can
 * say the same or not.
 *
 *   schema_tool schema FORMAT        the JSON Schema
 *   schema_tool cases FORMAT FILE…   a JSON line for each file and for each change made to it:
 *                                    {"name","document","rules":[…in the schema],"unsure":bool}
 *   schema_tool rules                {"id","in_schema"} for every rule, a line each */
#include <stdio.h>

#include "doc/json/json.h"
#include "model/document/read.h"
#include "model/general_rules.h"
#include "model/document/json_schema.h"
#include "model/document/write.h"

int main(int argc, char **argv);

static ho_str load(ho_arena *arena, const char *path)
{
  FILE *file = fopen(path, "rb");
  if (!file)
    return HO_EMPTY;
  char *text = ho_arena_alloc(arena, 1 << 20);
  size_t n = text ? fread(text, 1, 1 << 20, file) : 0;
  fclose(file);
  return (ho_str){text, n};
}

/* Can the published schema tell that the rule is broken? */
static bool in_schema(const ho_rule_info *info)
{
  static const bool general[] = {
#define X(name, id, severity, in_schema, doc, fix) in_schema,
      HO_MODEL_RULES(X)
#undef X
  };
  for (size_t i = 0; ho_model_rules[i]; i++)
    if (ho_model_rules[i] == info)
      return general[i];
  for (const ho_syntax *const *syntax = ho_syntaxes; *syntax; syntax++)
    if (&(*syntax)->rule == info)
      return true;
  for (const ho_format *const *format = ho_formats; *format; format++)
    for (const ho_rule *rule = (*format)->rules; rule && rule->info.id; rule++)
      if (&rule->info == info)
        return rule->check == NULL;
  return false;
}

static bool always(void *world, ho_str path)
{
  (void)world;
  (void)path;
  return true;
}

/* Checks the document and prints its line. */
static void judge(const ho_format *format, const char *name, ho_str path, ho_str text)
{
  ho_arena arena;
  ho_doc doc;
  ho_error err;
  ho_buf line, document;
  ho_check_env env = {.path = path, .exists = always};
  ho_arena_init(&arena, 0);
  ho_buf_init(&line, 0);
  ho_buf_init(&document, 0);
  if (ho_doc_read(&doc, &arena, path, text, format, &err) || !doc.root || ho_doc_check(&doc, &env, &err) ||
      ho_doc_write(format, doc.root, HO_JSON, &document, &err))
    goto done;
  ho_node *row = ho_node_new(&arena, HO_KIND_MAP), *rules = ho_node_new(&arena, HO_KIND_LIST);
  bool unsure = false; /* a placeholder may fit its field; of two equal keys JSON.parse keeps the last */
  for (size_t i = 0; i < doc.report.count; i++) {
    const ho_rule_info *rule = doc.report.items[i].rule;
    unsure |= rule == &ho_rule_PLACEHOLDER || rule == &ho_rule_DUPLICATE_KEY;
    if (in_schema(rule))
      ho_list_add(rules, ho_node_textz(&arena, rule->id));
  }
  ho_map_addz(row, "name", ho_node_textz(&arena, name));
  ho_map_addz(row, "document", ho_node_text(&arena, ho_buf_str(&document)));
  ho_map_addz(row, "rules", rules);
  ho_map_addz(row, "unsure", ho_node_bool(&arena, unsure));
  ho_json_write(&line, row, 0);
  puts(line.p);
done:
  ho_buf_free(&line);
  ho_buf_free(&document);
  ho_arena_free(&arena);
}

static void judge_tree(const ho_format *format, const char *name, const ho_node *root)
{
  ho_error err;
  ho_buf out;
  ho_buf_init(&out, 0);
  if (ho_doc_write(format, root, HO_JSON, &out, &err) == HO_OK)
    judge(format, name, HO_STR("changed.json"), ho_buf_str(&out));
  ho_buf_free(&out);
}

/* Every value in turn becomes null, a number, a text, an empty text, an empty list, an empty map, and goes. */
static void change_each(const ho_format *format, const ho_node *root, ho_node *parent, const char *name, int depth)
{
  static const struct {
    ho_kind kind;
    const char *text;
  } others[] = {{HO_KIND_NULL, ""},    {HO_KIND_NUMBER, "7"}, {HO_KIND_NUMBER, "2.5"},
                {HO_KIND_TEXT, "zzz"}, {HO_KIND_TEXT, ""},    {HO_KIND_TEXT, " "},
                {HO_KIND_LIST, ""},    {HO_KIND_MAP, ""},     {HO_KIND_BOOL, "true"}};
  for (ho_node *child = parent->first; child && depth < 8; child = child->next) {
    ho_node old = *child;
    for (size_t i = 0; i < HO_COUNT(others); i++) {
      *child = (ho_node){
          .next = old.next, .key = old.key, .text = ho_str_of(others[i].text), .kind = (uint8_t)others[i].kind};
      judge_tree(format, name, root);
    }
    *child = old;
    child->key = HO_STR("x_gone");
    judge_tree(format, name, root);
    *child = old;
    change_each(format, root, child, name, depth + 1);
  }
}

static void judge_file(const ho_format *format, const char *path)
{
  ho_arena arena;
  ho_doc doc;
  ho_error err;
  ho_arena_init(&arena, 0);
  ho_str text = load(&arena, path);
  judge(format, path, ho_str_of(path), text);
  if (ho_doc_read(&doc, &arena, ho_str_of(path), text, format, &err) == HO_OK && ho_node_is(doc.root, HO_KIND_MAP)) {
    ho_node *copy = ho_node_copy(&arena, doc.root);
    change_each(format, copy, copy, path, 0);
  }
  ho_arena_free(&arena);
}

static void print_schema(const ho_format *format)
{
  ho_arena arena;
  ho_buf out;
  ho_arena_init(&arena, 0);
  ho_buf_init(&out, 0);
  ho_json_write(&out, ho_json_schema(format, &arena), 2);
  puts(out.p);
  ho_buf_free(&out);
  ho_arena_free(&arena);
}

static void print_rule(const ho_rule_info *rule)
{
  printf("{\"id\":\"%s\",\"in_schema\":%s}\n", rule->id, in_schema(rule) ? "true" : "false");
}

static void print_rules(void)
{
  for (size_t i = 0; ho_model_rules[i]; i++)
    print_rule(ho_model_rules[i]);
  for (size_t i = 0; ho_syntaxes[i]; i++)
    print_rule(&ho_syntaxes[i]->rule);
  for (size_t i = 0; ho_formats[i]; i++)
    for (const ho_rule *rule = ho_formats[i]->rules; rule && rule->info.id; rule++)
      print_rule(&rule->info);
}

int main(int argc, char **argv)
{
  const ho_format *format = argc > 2 ? ho_format_named(ho_str_of(argv[2])) : NULL;
  if (argc == 2 && !strcmp(argv[1], "rules"))
    print_rules();
  else if (argc == 2 && !strcmp(argv[1], "formats"))
    for (size_t i = 0; ho_formats[i]; i++)
      puts(ho_formats[i]->name);
  else if (format && !strcmp(argv[1], "schema"))
    print_schema(format);
  else if (format && !strcmp(argv[1], "cases"))
    for (int i = 3; i < argc; i++)
      judge_file(format, argv[i]);
  else
    return 2;
  return 0;
}
