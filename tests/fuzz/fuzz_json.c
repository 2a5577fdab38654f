/* The JSON reader: no crash; spans lie inside their parents; what was read is the same after writing and reading. */
#include <assert.h>
#include <stdint.h>

#include "doc/json/json.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_spans(const ho_node *node, ho_str text)
{
  static const char first[] = {[HO_KIND_NULL] = 'n', [HO_KIND_TEXT] = '"', [HO_KIND_LIST] = '[', [HO_KIND_MAP] = '{'};
  assert(node->begin < node->end && node->end <= text.n);
  assert(!first[node->kind] || text.p[node->begin] == first[node->kind]);
  uint32_t at = node->begin;
  HO_EACH_CONST (child, node) {
    assert(at < child->begin && child->end < node->end);
    if (node->kind == HO_KIND_MAP)
      assert(at < child->key_begin && child->key_end < child->begin && text.p[child->key_end - 1] == '"');
    check_spans(child, text);
    at = child->end;
  }
}

static void check_again(const ho_node *node, unsigned indent, ho_arena *arena)
{
  ho_buf out;
  ho_source source;
  ho_node *again;
  ho_error err;
  ho_buf_init(&out, 0);
  ho_json_write(&out, node, indent);
  ho_code code = ho_source_init(&source, arena, HO_STR("again"), ho_buf_str(&out), &err);
  if (!code)
    code = ho_json_read(&source, 0, arena, NULL, &again, &err);
  /* Indentation and escapes may make the text too large. */
  assert(code == HO_LIMIT || (code == HO_OK && ho_node_equal(node, again)));
  ho_buf_free(&out);
}

static void run(ho_str text, unsigned options)
{
  ho_arena arena;
  ho_source source;
  ho_report report;
  ho_node *node;
  ho_error err = {0};
  ho_arena_init(&arena, 0);
  ho_code code = ho_source_init(&source, &arena, HO_STR("input"), text, &err);
  if (!code) {
    ho_report_init(&report, &arena, &source);
    code = ho_json_read(&source, options, &arena, &report, &node, &err);
    assert(code == HO_OK || code == HO_SYNTAX || code == HO_LIMIT);
    assert(code != HO_SYNTAX || (err.line > 0 && err.column > 0 && err.line <= source.line_count));
  }
  if (!code) {
    check_spans(node, text);
    check_again(node, 0, &arena);
    check_again(node, 2, &arena);
  }
  ho_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  ho_str text = {(const char *)data, size};
  run(text, 0);
  run(text, HO_JSON_COMMENTS);
  return 0;
}
