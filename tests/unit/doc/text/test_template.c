/* The template language. */
#include "unit.h"

#include "base/limits.h"
#include "doc/json/json.h"
#include "doc/text/template.h"

static const char values_text[] =
    "{\"name\":\"Ada\",\"age\":36,\"ok\":true,\"no\":false,\"nothing\":null,\"blank\":\" \\n\",\"empty\":[],"
    "\"user\":{\"name\":\"Bob\",\"langs\":[\"c\",\"yaml\"],\"deep\":{\"er\":\"x\"}},"
    "\"steps\":[{\"name\":\"one\",\"todo\":[1,2]},{\"name\":\"two\",\"todo\":[]},{\"todo\":[3]}],"
    "\"rows\":[[1,2],[3]],\"html\":\"<a & b>\",\"braces\":\"{name}\"}";

typedef struct rendering {
  ho_arena arena;
  ho_source source;
  ho_node *values;
  ho_buf out;
  ho_error err;
  ho_code code;
} rendering;

static void render_with(rendering *r, ho_str template, unsigned options, ho_template_escape escape)
{
  *r = (rendering){0};
  ho_arena_init(&r->arena, 0);
  ho_buf_init(&r->out, 1 << 20);
  assert_int_equal(ho_source_init(&r->source, &r->arena, HO_STR("v"), ho_str_of(values_text), &r->err), HO_OK);
  assert_int_equal(ho_json_read(&r->source, 0, &r->arena, NULL, &r->values, &r->err), HO_OK);
  r->code = ho_template_write(&r->out, template, r->values, options, escape, &r->err);
}

static void done(rendering *r)
{
  ho_buf_free(&r->out);
  ho_arena_free(&r->arena);
}

static void renders(void **state)
{
  static const struct {
    const char *template, *out;
  } cases[] = {
      {"", ""},
      {"plain\n", "plain\n"},
      {"Hello {name}, {age}!", "Hello Ada, 36!"},
      {"{user.name} {user.deep.er}{user.langs.1}", "Bob xyaml"},
      {"{ok} {no} [{nothing}] [{missing}] [{user.missing.more}] [{name.more}]", "true false [] [] [] []"},
      {"{user.langs} {user.deep}", "[\"c\",\"yaml\"] {\"er\":\"x\"}"},
      {"{{name}} {{{name}}} }}{{", "{name} {Ada} }{"},
      {"{braces}", "{name}"},
      {"{#if name}yes{/if}{#if missing}no{/if}", "yes"},
      {"{#if missing}yes{else}no{/if}", "no"},
      {"{#if name}yes{else}no{/if}", "yes"},
      {"{#if no}1{/if}{#if nothing}2{/if}{#if blank}3{/if}{#if empty}4{/if}{#if age}5{/if}{#if ok}6{/if}", "56"},
      {"{#each user.langs}<{.}>{/each}", "<c><yaml>"},
      {"{#each empty}x{/each}{#each missing}x{/each}{#each nothing}x{/each}", ""},
      {"{#each name}[{.}]{/each}{#each user}[{name}]{/each}", "[Ada][Bob]"},
      {"{#each steps}{name}:{#each todo}{.},{/each};{/each}", "one:1,2,;two:;Ada:3,;"},
      {"{#each rows}({#each .}{.}{/each}){/each}", "(12)(3)"},
      {"{#each steps}{#if todo}{#each todo}{name}{.} {/each}{else}none {/if}{/each}", "one1 one2 none Ada3 "},
      {"{#each user.langs}{#if .}{.}{/if}{/each}", "cyaml"},
      {"a\n{#if ok}\nb\n{/if}\nc\n", "a\nb\nc\n"},
      {"a\n  {#if no}  \nb\n\t{else}\nx\n{/if}\t\r\nc", "a\nx\nc"},
      {"{#each user.langs}\n- {.}\n{/each}\n", "- c\n- yaml\n"},
      {"{#each user.langs}\r\n- {.}\r\n{/each}", "- c\r\n- yaml\r\n"},
      {"x {#if ok}\nb\n{/if} y\n", "x \nb\n y\n"},
      {"{name}\n\n{age}\n", "Ada\n\n36\n"},
      {"{#if ok}{/if}\n", "\n"},
      {"\xEF\xBB\xBF{name}", "Ada"},
      {"\xC3\xA9 {name} \xF0\x9F\x98\x80", "\xC3\xA9 Ada \xF0\x9F\x98\x80"},
  };
  (void)state;
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    rendering r;
    render_with(&r, ho_str_of(cases[i].template), 0, NULL);
    assert_int_equal(r.code, HO_OK);
    assert_string_equal(r.out.p, cases[i].out);
    done(&r);
  }
}

static void refuses_malformed_templates(void **state)
{
  static const struct {
    const char *template;
    unsigned line, column;
    const char *message;
  } cases[] = {
      {"a {name", 1, 3, "this '{' is never closed; write '{{' for a brace"},
      {"a {na\nme}", 1, 3, "this '{' is never closed; write '{{' for a brace"},
      {"{a{b}}", 1, 1, "this '{' is never closed; write '{{' for a brace"},
      {"\xC3\xA9}", 1, 2, "'}' without '{'; write '}}' for a brace"},
      {"{}", 1, 1, "expected a name between the braces; write '{{' for a brace"},
      {"{a b}", 1, 1, "expected a name between the braces; write '{{' for a brace"},
      {"{a..b}", 1, 1, "expected a name between the braces; write '{{' for a brace"},
      {"{.a}", 1, 1, "expected a name between the braces; write '{{' for a brace"},
      {"\n{\"a\": 1}", 2, 1, "expected a name between the braces; write '{{' for a brace"},
      {"\n\n x{#each a}", 3, 3, "this block is never closed"},
      {"{#if a}{else}", 1, 8, "this block is never closed"},
      {"{#if a}{else}{else}{/if}", 1, 14, "{else} without {#if}"},
      {"{#each a}{else}{/each}", 1, 10, "{else} without {#if}"},
      {"{else}", 1, 1, "{else} without {#if}"},
      {"{/if}", 1, 1, "{/if} without {#if}"},
      {"{#if a}{/each}", 1, 8, "{/each} without {#each}"},
      {"{#each a}{/if}", 1, 10, "{/if} without {#if}"},
      {"{#each}{/each}", 1, 1, "expected {#each NAME}, {#if NAME}, {else}, {/if} or {/each}"},
      {"{#each }{/each}", 1, 1, "expected {#each NAME} or {#if NAME}"},
      {"{#if a b}{/if}", 1, 1, "expected {#each NAME} or {#if NAME}"},
      {"{#unless a}{/unless}", 1, 1, "expected {#each NAME}, {#if NAME}, {else}, {/if} or {/each}"},
      {"{#if no}{ }{/if}", 1, 9, "expected a name between the braces; write '{{' for a brace"},
  };
  (void)state;
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    rendering r;
    render_with(&r, ho_str_of(cases[i].template), 0, NULL);
    assert_int_equal(r.code, HO_SYNTAX);
    assert_string_equal(r.err.message, cases[i].message);
    assert_int_equal(r.err.line, cases[i].line);
    assert_int_equal(r.err.column, cases[i].column);
    assert_int_equal(r.out.n, 0);
    done(&r);
  }
}

static void strict_names_must_exist(void **state)
{
  static const struct {
    const char *template;
    ho_code code;
    unsigned column;
  } cases[] = {{"{name}{nothing}{user.name}", HO_OK, 0},
               {"{name} {nme}", HO_NOT_FOUND, 8},
               {"{user.nme}", HO_NOT_FOUND, 1},
               {"{#each mising}{/each}", HO_NOT_FOUND, 1},
               {"{#if mising}{mising}{/if}", HO_OK, 0},
               {"{#each steps}{name}{/each}", HO_OK, 0},
               {"{#each steps}{todo.0}{/each}", HO_NOT_FOUND, 14},
               {"{user.langs.2}", HO_NOT_FOUND, 1}};
  (void)state;
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    rendering r;
    render_with(&r, ho_str_of(cases[i].template), HO_TEMPLATE_STRICT, NULL);
    assert_int_equal(r.code, cases[i].code);
    assert_int_equal(r.err.code, cases[i].code);
    assert_int_equal(r.err.column, cases[i].column);
    done(&r);
  }
}

static void escape_brackets(ho_buf *out, ho_str value)
{
  for (size_t i = 0; i < value.n; i++)
    ho_buf_putc(out, value.p[i] == '<' || value.p[i] == '[' ? '_' : value.p[i]);
}

static void escapes_values_and_only_values(void **state)
{
  (void)state;
  rendering r;
  render_with(&r, HO_STR("<[{html}]> {rows} {rows.0} {missing}"), 0, escape_brackets);
  assert_string_equal(r.out.p, "<[_a & b>]> __1,2],_3]] _1,2] ");
  done(&r);
}

static void makes_harmless_file_names(void **state)
{
  static const struct {
    const char *value, *out;
  } cases[] = {{"phase-1_b.md", "phase-1_b.md"}, {"a/b\\c", "a_b_c"}, {"..", "_."}, {".hidden", "_hidden"}, {"", "_"},
               {"\xC3\xA9 x", "___x"},           {"a\nb", "a_b"}};
  (void)state;
  for (size_t i = 0; i < HO_COUNT(cases); i++) {
    ho_buf out;
    ho_buf_init(&out, 0);
    ho_template_file_name(&out, ho_str_of(cases[i].value));
    assert_string_equal(out.p, cases[i].out);
    ho_buf_free(&out);
  }
}

static ho_buf nested(unsigned count, const char *open, const char *close)
{
  ho_buf text;
  ho_buf_init(&text, 0);
  for (unsigned i = 0; i < count; i++)
    ho_buf_puts(&text, open);
  for (unsigned i = 0; i < count; i++)
    ho_buf_puts(&text, close);
  return text;
}

static void keeps_to_the_limits(void **state)
{
  (void)state;
  rendering r;
  ho_buf text = nested(HO_LIMIT_DEPTH, "{#if ok}", "{/if}");
  render_with(&r, ho_buf_str(&text), 0, NULL);
  assert_int_equal(r.code, HO_OK);
  done(&r);
  ho_buf_free(&text);
  text = nested(HO_LIMIT_DEPTH + 1, "{#if ok}", "{/if}");
  render_with(&r, ho_buf_str(&text), 0, NULL);
  assert_int_equal(r.code, HO_LIMIT);
  assert_int_equal(r.err.code, HO_LIMIT);
  assert_int_equal(r.err.column, 8 * HO_LIMIT_DEPTH + 1);
  done(&r);
  ho_buf_free(&text);
  text = nested(HO_LIMIT_DEPTH, "{#each steps}", "{/each}"); /* 3 to the power of 64 rounds that write nothing */
  render_with(&r, ho_buf_str(&text), 0, NULL);
  assert_int_equal(r.code, HO_LIMIT);
  done(&r);
  ho_buf_free(&text);
  text = nested(30, "{#each steps}a long enough text{name}", "{/each}"); /* more output than the buffer takes */
  render_with(&r, ho_buf_str(&text), 0, NULL);
  assert_int_equal(r.code, HO_LIMIT);
  done(&r);
  ho_buf_free(&text);
}

static void refuses_what_is_no_text(void **state)
{
  (void)state;
  rendering r;
  render_with(&r, HO_STR("a\n{na\0me}"), 0, NULL);
  assert_int_equal(r.code, HO_SYNTAX);
  assert_int_equal(r.err.line, 2);
  done(&r);
  render_with(&r, HO_STR("\xFF"), 0, NULL);
  assert_int_equal(r.code, HO_SYNTAX);
  done(&r);
}

static void renders_without_values(void **state)
{
  (void)state;
  ho_buf out;
  ho_buf_init(&out, 0);
  assert_int_equal(ho_template_write(&out, HO_STR("[{a}{.}{#each .}x{/each}]"), NULL, 0, NULL, &(ho_error){0}), HO_OK);
  assert_string_equal(out.p, "[]");
  assert_int_equal(ho_template_write(&out, HO_STR("{a}"), NULL, HO_TEMPLATE_STRICT, NULL, &(ho_error){0}),
                   HO_NOT_FOUND);
  ho_buf_free(&out);
}

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(renders),
      cmocka_unit_test(refuses_malformed_templates),
      cmocka_unit_test(strict_names_must_exist),
      cmocka_unit_test(escapes_values_and_only_values),
      cmocka_unit_test(makes_harmless_file_names),
      cmocka_unit_test(keeps_to_the_limits),
      cmocka_unit_test(refuses_what_is_no_text),
      cmocka_unit_test(renders_without_values),
  };
  return unit_run(tests);
}
