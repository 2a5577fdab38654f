/* Settings of every type, with a table made for the test: as `init` writes them, and as the program reads them. */
#include "files.h"

#include "command/setup/settings_shown.h"
#include "engine/project/paths.h"
#include "engine/project/settings.h"

static const ho_field review_fields[] = {
    {.name = "days", .doc = "How long.", .type = HO_T_INT, .fallback = "7"},
    {.name = "by", .doc = "Who.", .type = HO_T_TEXT, .example = "human"},
    HO_FIELDS_END,
};
static const ho_record review = {.name = "review", .fields = review_fields};
static const ho_field fields[] = {
    {.name = "quiet", .doc = "Says less.", .type = HO_T_BOOL, .fallback = "true"},
    {.name = "loud", .doc = "Says more.", .type = HO_T_BOOL, .example = "true"},
    {.name = "name", .doc = "Its name.", .type = HO_T_TEXT, .fallback = "true"},
    {.name = "review", .doc = "Reviews.", .type = HO_T_RECORD, .record = &review},
    HO_FIELDS_END,
};
static const ho_record root = {.name = "trial", .fields = fields};
static const ho_rule rules[] = {HO_RULES_END};
static const ho_format format = {.name = "trial", .encoding = HO_YAML, .root = &root, .rules = rules};

static ho_settings loaded(ho_arena *arena, const char *text)
{
  ho_error err = {0};
  ho_settings settings = {.format = &format, .there = true, .read = true, .text = ho_str_of(text)};
  if (ho_settings_load(&settings, arena, HO_STR("/nowhere"), &err))
    fail_msg("%s", err.message);
  return settings;
}

static void defaults_are_found_in_records_too(void **state)
{
  ho_arena arena;
  (void)state;
  ho_arena_init(&arena, 0);
  ho_settings none = loaded(&arena, "");
  assert_true(ho_settings_bool(&none, "quiet"));
  assert_false(ho_settings_bool(&none, "loud"));
  assert_int_equal(ho_settings_number(&none, "review.days"), 7);
  assert_str(ho_settings_text(&none, "review.by"), "");
  assert_str(ho_settings_text(&none, "name"), "true");
  ho_settings set = loaded(&arena, "quiet: false\nloud: yes\nreview:\n  by: ann\n");
  assert_false(ho_settings_bool(&set, "quiet"));
  assert_true(ho_settings_bool(&set, "loud"));
  assert_int_equal(ho_settings_number(&set, "review.days"), 7);
  assert_str(ho_settings_text(&set, "review.by"), "ann");
  ho_arena_free(&arena);
}

static void what_init_writes_has_the_types_of_the_table(void **state)
{
  ho_arena arena;
  ho_buf text;
  (void)state;
  ho_arena_init(&arena, 0);
  ho_buf_init(&text, 0);
  ho_settings_shown_write(&root, &text, &arena);
  ho_buf_putc(&text, '\0');
  assert_string_equal(strchr(text.p, '\n'), "\n\n# Says less.\nquiet: true\n"
                                            "\n# Says more.\n# loud: true\n"
                                            "\n# Its name.\nname: \"true\"\n"
                                            "\n# Reviews.\n# review:\n#   days: 7\n#   by: human\n");
  ho_settings written = loaded(&arena, text.p);
  assert_true(ho_settings_bool(&written, "quiet"));
  assert_true(ho_node_is(ho_settings_node(&written, "quiet"), HO_KIND_BOOL));
  assert_str(ho_settings_text(&written, "name"), "true");
  ho_buf_free(&text);
  ho_arena_free(&arena);
}

static void put(void *world, ho_str name, const ho_field *field, ho_str fallback)
{
  ho_buf *out = world;
  ho_buf_printf(out, "%.*s %d %.*s\n", HO_ARG(name), (int)field->type, HO_ARG(fallback));
}

static void config_lists_those_in_records(void **state)
{
  ho_arena arena;
  ho_buf text;
  char wanted[128];
  (void)state;
  ho_arena_init(&arena, 0);
  ho_buf_init(&text, 0);
  ho_settings_shown_each(&root, &arena, put, &text);
  snprintf(wanted, sizeof wanted, "quiet %d true\nloud %d \nname %d true\nreview.days %d 7\nreview.by %d \n", HO_T_BOOL,
           HO_T_BOOL, HO_T_TEXT, HO_T_INT, HO_T_TEXT);
  assert_str(ho_buf_str(&text), wanted);
  assert_int_equal(ho_settings_shown_value(&arena, HO_T_BOOL, HO_STR("true"))->kind, HO_KIND_BOOL);
  assert_int_equal(ho_settings_shown_value(&arena, HO_T_INT, HO_STR("7"))->kind, HO_KIND_NUMBER);
  assert_int_equal(ho_settings_shown_value(&arena, HO_T_TEXT, HO_STR("7"))->kind, HO_KIND_TEXT);
  ho_buf_free(&text);
  ho_arena_free(&arena);
}

static bool quiet_for_hooks(ho_arena *arena, const char *folder)
{
  ho_settings settings = {.format = &format};
  ho_settings_load_quickly(&settings, arena, ho_str_of(folder));
  assert_true(settings.loaded && settings.there);
  return ho_settings_bool(&settings, "quiet");
}

/* The cache is made to say the opposite of the file: with its own stamp it counts, with that of another version not. */
static void another_version_reads_the_file_again(void **state)
{
  char folder[FOLDER_SIZE], path[FOLDER_SIZE + 32], cache[FOLDER_SIZE + 64], text[512];
  ho_arena arena;
  (void)state;
  ho_arena_init(&arena, 0);
  folder_make(folder, "/tmp");
  snprintf(path, sizeof path, "%s/.handoff", folder);
  assert_int_equal(mkdir(path, 0700), 0);
  snprintf(path, sizeof path, "%s/" HO_PATH_SETTINGS, folder);
  snprintf(cache, sizeof cache, "%s/" HO_PATH_SETTINGS_CACHE, folder);
  file_write(path, "w", HO_STR("quiet: false\n"));
  assert_false(quiet_for_hooks(&arena, folder));
  ho_str kept = file_read(&arena, cache);
  size_t version = ho_str_find(kept, HO_VERSION "-"), value = ho_str_find(kept, "false");
  assert_true(kept.p && version != HO_NONE && value != HO_NONE && kept.n < sizeof text);
  snprintf(text, sizeof text, "%.*strue%.*s", (int)value, kept.p, HO_ARG(ho_str_sub(kept, value + 5, kept.n)));
  file_write(cache, "w", ho_str_of(text));
  assert_true(quiet_for_hooks(&arena, folder));
  text[version]++;
  file_write(cache, "w", ho_str_of(text));
  assert_false(quiet_for_hooks(&arena, folder));
  ho_arena_free(&arena);
  assert_int_equal(folder_remove(folder), 0);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults_are_found_in_records_too),
      cmocka_unit_test(what_init_writes_has_the_types_of_the_table),
      cmocka_unit_test(config_lists_those_in_records),
      cmocka_unit_test(another_version_reads_the_file_again),
  };
  return unit_run(tests);
}
