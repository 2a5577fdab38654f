/* Reading a literal as YAML, for the unit tests of the reader, the recovery and the writer. */
#ifndef HO_TESTS_YAML_TEST_H
#define HO_TESTS_YAML_TEST_H

#include "unit.h"

#include "base/limits.h"
#include "doc/json/json.h"
#include "doc/rules.h"
#include "doc/yaml/yaml.h"

typedef struct yaml_test {
  ho_arena arena;
  ho_source source;
  ho_report report;
  ho_node *root;
  ho_error err;
  ho_buf json;
} yaml_test;

/* Reads all of `text`; to be followed by yaml_done. */
static inline ho_code yaml_read(yaml_test *t, ho_str text)
{
  memset(t, 0, sizeof *t);
  ho_arena_init(&t->arena, 0);
  ho_buf_init(&t->json, 0);
  ho_code code = ho_source_init(&t->source, &t->arena, HO_STR("t.yaml"), text, &t->err);
  ho_report_init(&t->report, &t->arena, &t->source);
  if (!code)
    code = ho_yaml_read(&t->source, 0, (uint32_t)text.n, &t->arena, &t->report, &t->root, &t->err);
  if (!code)
    ho_json_write(&t->json, t->root, 0);
  return code;
}

static inline void yaml_done(yaml_test *t)
{
  ho_buf_free(&t->json);
  ho_arena_free(&t->arena);
}

/* Reads `yaml`, which must give this JSON with so many findings. */
static inline void assert_reads(const char *yaml, const char *json, size_t findings)
{
  yaml_test t;
  ho_code code = yaml_read(&t, ho_str_of(yaml));
  if (code)
    print_error("%s\n%u:%u: %s\n", yaml, t.err.line, t.err.column, t.err.message);
  assert_int_equal(code, HO_OK);
  assert_int_equal(t.err.code, HO_OK); /* untouched */
  assert_string_equal(t.json.p, json);
  assert_int_equal(t.report.count, findings);
  yaml_done(&t);
}

/* The nodes at these pointers stand for these bytes of the text. */
static inline void assert_bytes(const yaml_test *t, const char *const expected[][2], size_t count)
{
  for (size_t i = 0; i < count; i++) {
    const ho_node *node = ho_node_at(t->root, ho_str_of(expected[i][0]));
    assert_non_null(node);
    assert_str(ho_str_sub(t->source.text, node->begin, node->end), expected[i][1]);
  }
}

/* Reading `yaml` must fail there. */
static inline void assert_fails(const char *yaml, ho_code code, unsigned line, unsigned column)
{
  yaml_test t;
  ho_code got = yaml_read(&t, ho_str_of(yaml));
  if (got != code || t.err.line != line || t.err.column != column)
    print_error("%.200s\ngot %s %u:%u: %s\n", yaml, ho_code_name(got), t.err.line, t.err.column,
                got ? t.err.message : t.json.p);
  assert_int_equal(got, code);
  assert_int_equal(t.err.line, line);
  assert_int_equal(t.err.column, column);
  yaml_done(&t);
}
#endif
