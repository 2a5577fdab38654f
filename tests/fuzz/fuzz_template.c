/* The template language: no crash, no endless work, and a file name that cannot leave its folder. */
#include <assert.h>
#include <stdint.h>

#include "doc/json/json.h"
#include "doc/text/template.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char values_text[] = "{\"a\":\"x/../y\",\"b\":{\"c\":[1,{\"d\":null}],\"a\":true},\"l\":[[],[\"\",\"..\"],"
                                  "{\"a\":\"\\u0000\",\"l\":[1,2,3]}],\"n\":null,\"e\":\"\",\"f\":false}";

static ho_code render(ho_str template, const ho_node *values, unsigned options, ho_template_escape escape, ho_buf *out)
{
  ho_error err = {0};
  ho_code code = ho_template_write(out, template, values, options, escape, &err);
  assert(code == err.code);
  assert(code == HO_OK || code == HO_SYNTAX || code == HO_LIMIT || code == HO_NOT_FOUND);
  if (code == HO_SYNTAX)
    assert(err.line > 0 && err.column > 0 && out->n == 0);
  return code;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  ho_arena arena;
  ho_source source;
  ho_node *values = NULL;
  ho_buf out;
  ho_str template = {(const char *)data, size};
  ho_arena_init(&arena, 0);
  ho_buf_init(&out, 1 << 16);
  ho_code code = ho_source_init(&source, &arena, HO_STR("values"), ho_str_of(values_text), &(ho_error){0});
  if (!code)
    code = ho_json_read(&source, 0, &arena, NULL, &values, &(ho_error){0});
  assert(code == HO_OK);
  code = render(template, values, 0, NULL, &out);
  ho_buf_reset(&out);
  ho_code strict = render(template, values, HO_TEMPLATE_STRICT, NULL, &out);
  assert(strict == code || strict == HO_NOT_FOUND);
  ho_buf_reset(&out);
  render(template, values, 0, ho_template_file_name, &out);
  if (!memchr(template.p ? template.p : "", '/', template.n))
    assert(!ho_str_has(ho_buf_str(&out), "/"));
  ho_buf_free(&out);
  ho_arena_free(&arena);
  return 0;
}
