/* The tree. */
#include "unit.h"

#include "doc/keyset.h"
#include "doc/tree.h"

static ho_arena arena;

static int start(void **state)
{
  (void)state;
  ho_arena_init(&arena, 0);
  return 0;
}

static int stop(void **state)
{
  (void)state;
  ho_arena_free(&arena);
  return 0;
}

/* {"a": "x", "l": [1, true], "": null, "s/t~": {}} */
static ho_node *sample(void)
{
  ho_node *map = ho_node_new(&arena, HO_KIND_MAP);
  ho_map_addz(map, "a", ho_node_textz(&arena, "x"));
  ho_node *list = ho_map_addz(map, "l", ho_node_new(&arena, HO_KIND_LIST));
  ho_list_add(list, ho_node_number(&arena, 1));
  ho_list_add(list, ho_node_bool(&arena, true));
  ho_map_addz(map, "", ho_node_new(&arena, HO_KIND_NULL));
  ho_map_addz(map, "s/t~", ho_node_new(&arena, HO_KIND_MAP));
  return map;
}

static void builds_and_finds(void **state)
{
  (void)state;
  ho_node *map = sample();
  assert_int_equal(map->count, 4);
  assert_int_equal(map->begin, HO_NOWHERE);
  assert_str(ho_map_str(map, "a"), "x");
  assert_null(ho_map_getz(map, "b"));
  assert_null(ho_map_getz(ho_map_getz(map, "a"), "a"));
  assert_str(ho_node_str(ho_list_at(ho_map_getz(map, "l"), 1)), "true");
  assert_null(ho_list_at(ho_map_getz(map, "l"), 2));
  assert_null(ho_list_at(map, 0));
  ho_map_addz(map, "n", ho_node_number(&arena, -12));
  assert_int_equal(ho_map_int(map, "n"), -12);
  assert_int_equal(ho_map_int(map, "a") | ho_map_int(map, "b") | ho_map_int(NULL, "n"), 0);
  assert_string_equal(ho_kind_name(HO_KIND_MAP), "map");
}

static void follows_pointers(void **state)
{
  (void)state;
  ho_node *map = sample();
  assert_ptr_equal(ho_node_at(map, HO_EMPTY), map);
  assert_str(ho_node_str(ho_node_at(map, HO_STR("/a"))), "x");
  assert_str(ho_node_str(ho_node_at(map, HO_STR("/l/0"))), "1");
  assert_true(ho_node_is(ho_node_at(map, HO_STR("/")), HO_KIND_NULL));
  assert_true(ho_node_is(ho_node_at(map, HO_STR("/s~1t~0")), HO_KIND_MAP));
  assert_null(ho_node_at(map, HO_STR("/s/t~0")));
  assert_null(ho_node_at(map, HO_STR("a")));
  assert_null(ho_node_at(map, HO_STR("/l/2")));
  assert_null(ho_node_at(map, HO_STR("/l/-1")));
  assert_null(ho_node_at(map, HO_STR("/l/")));
  assert_null(ho_node_at(map, HO_STR("/a/x")));
  assert_null(ho_node_at(NULL, HO_STR("/a")));
}

static void assert_keys(const ho_node *map, const char *expected)
{
  char keys[64] = "";
  size_t n = 0, count = 0;
  const ho_node *last = NULL;
  HO_EACH_CONST (child, map) {
    n += (size_t)snprintf(keys + n, sizeof keys - n, "%.*s=%.*s ", HO_ARG(child->key), HO_ARG(child->text));
    last = child;
    count++;
  }
  assert_string_equal(keys, expected);
  assert_ptr_equal(map->last, last);
  assert_int_equal(map->count, count);
}

static void sets_and_removes(void **state)
{
  (void)state;
  ho_node *map = ho_node_new(&arena, HO_KIND_MAP);
  ho_map_set(map, HO_STR("a"), ho_node_textz(&arena, "1"));
  ho_map_set(map, HO_STR("b"), ho_node_textz(&arena, "2"));
  ho_map_set(map, HO_STR("c"), ho_node_textz(&arena, "3"));
  assert_keys(map, "a=1 b=2 c=3 ");
  ho_map_set(map, HO_STR("a"), ho_node_textz(&arena, "4"));
  ho_map_set(map, HO_STR("c"), ho_node_textz(&arena, "5"));
  assert_keys(map, "a=4 b=2 c=5 ");
  ho_node_remove(map, ho_map_getz(map, "c"));
  assert_keys(map, "a=4 b=2 ");
  ho_node_remove(map, ho_map_getz(map, "a"));
  assert_keys(map, "b=2 ");
  ho_map_addz(map, "d", ho_node_textz(&arena, "6"));
  ho_node_remove(map, map->first);
  ho_node_remove(map, map->first);
  assert_keys(map, "");
  assert_null(map->first);
  ho_map_addz(map, "e", ho_node_textz(&arena, "7"));
  assert_keys(map, "e=7 ");
}

static bool is_odd(void *world, ho_node *child)
{
  ++*(size_t *)world;
  return (child->text.p[0] - '0') % 2;
}

static void filters_and_replaces(void **state)
{
  (void)state;
  size_t asked = 0;
  ho_node *map = ho_node_new(&arena, HO_KIND_MAP), *empty = ho_node_new(&arena, HO_KIND_LIST);
  for (const char *text = "123456"; *text; text++)
    ho_map_add(map, (ho_str){text, 1}, ho_node_text(&arena, (ho_str){text, 1}));
  ho_node_filter(map, is_odd, &asked);
  assert_keys(map, "1=1 3=3 5=5 ");
  assert_int_equal(asked, 6);
  ho_node_filter(empty, is_odd, &asked);
  ho_node_filter(NULL, is_odd, &asked);
  assert_keys(empty, "");
  assert_int_equal(asked, 6);
  ho_node_replace(map->first, ho_node_textz(&arena, "x"));
  ho_node_replace(map->last, ho_node_textz(&arena, "y"));
  assert_keys(map, "1=x 3=3 5=y ");
  assert_str(ho_pointer_key(&arena, HO_STR("a~1b~0~2~")), "a/b~~2~");
}

/* In maps of every size: small ones are searched, large ones have a table. */
static void finds_keys_in_large_maps(void **state)
{
  (void)state;
  for (int size = 0; size < 200; size += 13) {
    ho_keyset noted, adding = {0};
    ho_node *map = ho_node_new(&arena, HO_KIND_MAP);
    for (int i = 0; i < size; i++)
      ho_map_add(map, ho_arena_printf(&arena, "%d", i % 100), ho_node_number(&arena, i));
    ho_keyset_note(&noted, &arena, map);
    ho_node *more = ho_node_textz(&arena, "more");
    more->key = HO_STR("more");
    assert_null(ho_keyset_add(&adding, &arena, map, more));
    assert_int_equal(map->count, size + 1);
    ho_node *again = ho_node_copy(&arena, more);
    assert_ptr_equal(ho_keyset_add(&adding, &arena, map, again), more);
    assert_ptr_equal(map->last, more);
    assert_int_equal(map->count, size + 1);
    for (int i = 0; i < size; i++) {
      ho_str key = ho_arena_printf(&arena, "%d", i % 100);
      assert_ptr_equal(ho_keyset_find(&noted, map, key), ho_map_get(map, key));
    }
    assert_null(ho_keyset_find(&noted, map, more->key)); /* it came later */
    assert_null(ho_keyset_find(&noted, map, HO_STR("none")));
  }
}

static void copies_deeply(void **state)
{
  (void)state;
  ho_arena other;
  ho_arena_init(&other, 0);
  ho_node *map = sample();
  map->begin = 5;
  ho_map_getz(map, "l")->key_end = 9;
  ho_node *copy = ho_node_copy(&other, map);
  assert_true(ho_node_equal(map, copy));
  assert_int_equal(copy->begin, 5);
  assert_int_equal(ho_map_getz(copy, "l")->key_end, 9);
  assert_ptr_not_equal(ho_map_getz(copy, "a"), ho_map_getz(map, "a"));
  assert_ptr_not_equal(ho_map_getz(copy, "a")->text.p, ho_map_getz(map, "a")->text.p);
  assert_null(ho_node_copy(&other, NULL));
  ho_arena_free(&other);
}

static void tells_differences(void **state)
{
  (void)state;
  ho_node *a = sample(), *b = sample();
  assert_null(ho_node_difference(&arena, a, b));
  ho_map_getz(b, "a")->begin = 3; /* spans do not matter */
  assert_true(ho_node_equal(a, b));
  ho_list_at(ho_map_getz(b, "l"), 1)->text = HO_STR("false");
  assert_false(ho_node_equal(a, b));
  assert_string_equal(ho_node_difference(&arena, a, b), "/l/1");
  b = sample();
  ho_node_remove(b, b->first);
  assert_string_equal(ho_node_difference(&arena, a, b), "");
  b = sample();
  b->first->key = HO_STR("A");
  assert_string_equal(ho_node_difference(&arena, a, b), "/a");
  b = sample();
  ho_map_getz(b, "a")->kind = HO_KIND_NUMBER;
  assert_string_equal(ho_node_difference(&arena, a, b), "/a");
  assert_false(ho_node_equal(a, NULL));
  assert_true(ho_node_equal(NULL, NULL));
}

static void knows_what_is_empty(void **state)
{
  (void)state;
  ho_node *map = sample();
  assert_true(ho_node_absent(NULL) && ho_node_absent(ho_map_getz(map, "")) && !ho_node_absent(map));
  assert_true(ho_node_empty(NULL) && ho_node_empty(ho_map_getz(map, "s/t~")));
  assert_true(ho_node_empty(ho_node_textz(&arena, " \n")));
  assert_true(ho_node_empty(ho_node_new(&arena, HO_KIND_LIST)));
  assert_false(ho_node_empty(map));
  assert_false(ho_node_empty(ho_node_bool(&arena, false)));
  assert_false(ho_node_empty(ho_node_number(&arena, 0)));
  assert_true(ho_node_true(ho_node_bool(&arena, true)));
  assert_false(ho_node_true(ho_node_bool(&arena, false)) || ho_node_true(ho_node_textz(&arena, "true")));
}

static void reads_whole_numbers(void **state)
{
  static const struct {
    const char *text;
    bool whole;
    long long value;
  } cases[] = {{"0", true, 0},
               {"-12", true, -12},
               {"9223372036854775807", true, INT64_MAX},
               {"-9223372036854775808", true, INT64_MIN},
               {"9223372036854775808", false, 0},
               {"1.5", false, 0},
               {"1e3", false, 0},
               {"", false, 0},
               {"-", false, 0},
               {"1-", false, 0},
               {"00000000000000000000000000000000001", false, 0}};
  (void)state;
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    long long value = 0;
    ho_node node = {.kind = HO_KIND_NUMBER, .text = ho_str_of(cases[i].text)};
    assert_int_equal(ho_node_to_int(&node, &value), cases[i].whole);
    if (cases[i].whole)
      assert_true(value == cases[i].value);
  }
  long long value;
  assert_false(ho_node_to_int(ho_node_textz(&arena, "1"), &value));
  assert_true(ho_node_to_int(ho_node_number(&arena, -7), &value) && value == -7);
}

static void bears_absent_nodes_and_a_full_arena(void **state)
{
  (void)state;
  ho_arena full;
  ho_error err;
  ho_arena_init(&full, 1);
  assert_null(ho_node_new(&full, HO_KIND_MAP));
  assert_null(ho_node_bool(&full, true));
  assert_null(ho_node_number(&full, 1));
  assert_null(ho_map_addz(NULL, "a", NULL));
  assert_null(ho_list_add(sample(), NULL));
  ho_node *map = sample();
  ho_map_set(map, HO_STR("a"), NULL);
  assert_str(ho_map_str(map, "a"), "x");
  ho_node_remove(NULL, map);
  ho_node_remove(map, NULL);
  assert_null(ho_map_getz(NULL, "a"));
  assert_str(ho_node_str(NULL), "");
  const ho_node *nothing = NULL;
  HO_EACH (child, nothing)
    fail_msg("a child of nothing: %p", (void *)child);
  assert_int_equal(ho_arena_code(&full, &err), HO_LIMIT);
  ho_arena_free(&full);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)
  const struct CMUnitTest tests[] = {
      TEST(filters_and_replaces), TEST(finds_keys_in_large_maps),
      TEST(builds_and_finds),     TEST(follows_pointers),
      TEST(sets_and_removes),     TEST(copies_deeply),
      TEST(tells_differences),    TEST(knows_what_is_empty),
      TEST(reads_whole_numbers),  TEST(bears_absent_nodes_and_a_full_arena),
  };
  return unit_run(tests);
}
