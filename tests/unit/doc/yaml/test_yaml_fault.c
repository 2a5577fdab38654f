/* Reading and writing YAML with the first, the second, … allocation failing, libyaml's own included. In the fault
 * build (HO_FAULT) an arena's allocations count one by one. */
#include "doc/yaml/yaml_test.h"

void *__real_malloc(size_t n);
void *__real_realloc(void *old, size_t n);
void *__wrap_malloc(size_t n);
void *__wrap_realloc(void *old, size_t n);

static unsigned long countdown;
static bool fired;

static bool fails(void)
{
  if (countdown == 0 || --countdown > 0)
    return false;
  fired = true;
  return true;
}

void *__wrap_malloc(size_t n)
{
  return fails() ? NULL : __real_malloc(n);
}

void *__wrap_realloc(void *old, size_t n)
{
  return fails() ? NULL : __real_realloc(old, n);
}

static const char *const texts[] = {
    "a: 1\nb: [x, \"y\\n\", {c: d}]\ne: |\n  text\n",
    "a: &x [1, {b: c}]\nd: *x\n&k key: *x\na: 2\n",
    "---\na: 1\n---\nb: 2\n",
    "a: b: c\n  and more\nd: \"e\" f\n@g: h\n",
    "a:\n\tb: 1\n\tc: 2\n",
    "a: b: c\nd: [\n",
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[",
};

/* The code of reading the text and, if it can be read, writing it. */
static ho_code read_and_write(const char *text)
{
  yaml_test t;
  ho_buf out;
  ho_buf_init(&out, 0);
  ho_code code = yaml_read(&t, ho_str_of(text));
  if (!code) {
    ho_yaml_write(&out, t.root);
    code = ho_buf_code(&out, &t.err);
  }
  if (!code)
    code = ho_buf_code(&t.json, &t.err);
  assert_true(code == HO_OK || t.err.code == code);
  ho_buf_free(&out);
  yaml_done(&t);
  return code;
}

static void fails_cleanly_without_memory(void **state)
{
  (void)state;
  for (size_t i = 0; i < HO_COUNT(texts); i++) {
    ho_code healthy = read_and_write(texts[i]);
    unsigned long n = 0;
    do {
      countdown = ++n;
      fired = false;
      ho_code code = read_and_write(texts[i]);
      countdown = 0;
      assert_int_equal(code, fired ? HO_MEMORY : healthy);
    } while (fired);
    assert_true(n > 10);
  }
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(fails_cleanly_without_memory)};
  return unit_run(tests);
}
