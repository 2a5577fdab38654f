/* Any bytes read as YAML: no crash, places inside the text, and what was read is the same after being written. */
#include "doc/yaml/yaml.h"

#include "base/limits.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
  if (!holds)
    abort();
}

static void check_places(const ho_node *node, size_t n)
{
  require(node->begin == HO_NOWHERE || (node->begin <= node->end && node->end <= n));
  require(node->key_begin == HO_NOWHERE || (node->key_begin <= node->key_end && node->key_end <= n));
  HO_EACH_CONST (child, node)
    check_places(child, n);
}

static ho_code read_text(ho_arena *arena, ho_source *source, ho_str text, ho_report *report, ho_node **root)
{
  ho_error err;
  ho_code code = ho_source_init(source, arena, HO_STR("fuzz.yaml"), text, &err);
  ho_report_init(report, arena, source);
  if (!code)
    code = ho_yaml_read(source, 0, (uint32_t)text.n, arena, report, root, &err);
  if (code == HO_SYNTAX)
    require(err.line >= 1 && err.line <= source->line_count && err.column >= 1);
  require(code == HO_OK || code == HO_SYNTAX || code == HO_LIMIT);
  return code;
}

/* Aliases that were expanded may make the copy larger than a document may be. */
static void check_round_trip(const ho_node *root)
{
  ho_arena arena;
  ho_source source;
  ho_report report;
  ho_node *again = NULL;
  ho_buf out;
  ho_arena_init(&arena, 0);
  ho_buf_init(&out, HO_LIMIT_DOCUMENT);
  ho_yaml_write(&out, root);
  if (!out.failed) {
    require(read_text(&arena, &source, ho_buf_str(&out), &report, &again) == HO_OK);
    require(ho_node_equal(root, again));
  }
  ho_buf_free(&out);
  ho_arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  ho_arena arena;
  ho_source source;
  ho_report report;
  ho_node *root = NULL;
  ho_arena_init(&arena, 0);
  if (read_text(&arena, &source, (ho_str){(const char *)data, size}, &report, &root) == HO_OK) {
    check_places(root, size);
    check_round_trip(root);
  }
  ho_arena_free(&arena);
  return 0;
}
