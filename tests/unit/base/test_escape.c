/* Text inside another language. */
#include "unit.h"

#include "base/escape.h"

static ho_buf out;

static const char *made(void)
{
  static char text[256];
  snprintf(text, sizeof text, "%s", out.p);
  ho_buf_reset(&out);
  return text;
}

static void only_what_is_special_changes(void **state)
{
  (void)state;
  ho_buf_init(&out, 0);
  ho_escape_backslash(&out, HO_STR("a|b\\c|"), "|\\");
  assert_string_equal(made(), "a\\|b\\\\c\\|");
  ho_escape_backslash(&out, HO_STR("a*b"), "");
  assert_string_equal(made(), "a*b");
  ho_escape_percent(&out, HO_STR("100 %: \xc3\xa9, x"), "%:,");
  assert_string_equal(made(), "100 %25%3A \xc3\xa9%2C x");
  ho_escape_html(&out, HO_STR("<a href=\"x\">b & c</a>"));
  assert_string_equal(made(), "&lt;a href=&quot;x&quot;&gt;b &amp; c&lt;/a&gt;");
  ho_escape_mermaid(&out, HO_STR("say \"[x]\"; \\ \xe2\x80\x93"));
  assert_string_equal(made(), "say #34;#91;x#93;#34;#59; #92; \xe2\x80\x93");
  ho_escape_html(&out, HO_EMPTY);
  assert_string_equal(made(), "");
  ho_escape_html(&out, (ho_str){"a\0<", 3}); /* NUL is a character as any other */
  assert_int_equal(out.n, 6);
  ho_buf_free(&out);
}

static void characters_are_spelled_out(void **state)
{
  (void)state;
  ho_buf_init(&out, 0);
  static const uint32_t each[] = {'\n', '\t', '\r', 0x1b, 0x200b};
  for (size_t i = 0; i < HO_COUNT(each); i++)
    ho_escape_character(&out, each[i], 'x');
  assert_string_equal(made(), "\\n\\t\\r\\x1b\\u200b");
  ho_escape_character(&out, 0x1b, 'X');
  ho_escape_character(&out, 0x200b, 'X');
  assert_string_equal(made(), "\\x1B\\u200B");
  ho_buf_free(&out);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(only_what_is_special_changes),
      cmocka_unit_test(characters_are_spelled_out),
  };
  return unit_run(tests);
}
