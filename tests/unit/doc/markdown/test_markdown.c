/* The Markdown reader: which blocks, which bytes; and safe HTML. */
#include "unit.h"

#include "base/fs.h"
#include "base/memory.h"
#include "doc/markdown/markdown.h"
#include "doc/rules.h"

typedef struct reading {
  ho_arena arena;
  ho_source source;
  ho_report report;
  ho_md md;
  ho_error err;
  ho_code code;
} reading;

static void read_str(reading *r, ho_str text)
{
  *r = (reading){0};
  ho_arena_init(&r->arena, 0);
  r->code = ho_source_init(&r->source, &r->arena, HO_STR("t.md"), text, &r->err);
  ho_report_init(&r->report, &r->arena, &r->source);
  if (!r->code)
    r->code = ho_md_read(&r->source, &r->arena, &r->report, &r->md, &r->err);
}

static void done(reading *r)
{
  ho_arena_free(&r->arena);
}

/* kind(level)<raw bytes>[text|info]{children} for each block; newlines as '~'. */
static void dump(ho_buf *out, const reading *r, const ho_md_block *block)
{
  static const char *const names[] = {"heading", "para", "list", "item", "code", "quote", "rule", "html"};
  for (; block; block = block->next) {
    ho_buf_puts(out, names[block->kind]);
    if (block->kind == HO_MD_HEADING)
      ho_buf_printf(out, "%u", block->level);
    if (block->ordered)
      ho_buf_puts(out, "#");
    ho_buf_putc(out, '<');
    ho_buf_put(out, ho_str_sub(r->source.text, block->begin, block->end));
    ho_buf_putc(out, '>');
    if (block->kind == HO_MD_HEADING || block->kind == HO_MD_CODE) {
      ho_buf_putc(out, '[');
      ho_buf_put(out, block->text);
      if (block->info.n)
        ho_buf_printf(out, "|%.*s", HO_ARG(block->info));
      ho_buf_putc(out, ']');
    }
    if (block->first) {
      ho_buf_putc(out, '{');
      dump(out, r, block->first);
      ho_buf_putc(out, '}');
    }
    ho_buf_putc(out, ' ');
  }
}

static void assert_blocks(const char *text, const char *expected)
{
  reading r;
  read_str(&r, ho_str_of(text));
  assert_int_equal(r.code, HO_OK);
  ho_buf out;
  ho_buf_init(&out, 0);
  dump(&out, &r, r.md.blocks);
  for (size_t i = 0; i < out.n; i++)
    if (out.p[i] == '\n')
      out.p[i] = '~';
  assert_string_equal(out.p ? out.p : "", expected);
  ho_buf_free(&out);
  done(&r);
}

static void finds_blocks(void **state)
{
  (void)state;
  assert_blocks("", "");
  assert_blocks("# A b #\n\ntext\nmore\n", "heading1<# A b #>[A b] para<text~more> ");
  assert_blocks("  ## C#\n", "heading2<## C#>[C#] ");
  assert_blocks("#\n##\n", "heading1<#>[] heading2<##>[] ");
  assert_blocks("Two\nlines\n---\n", "heading2<Two~lines~--->[Two~lines] ");
  assert_blocks("***\n* * *\n___\n", "rule<***> rule<* * *> rule<___> ");
  assert_blocks("> a\n> b\nlazy\n\nc", "quote<> a~> b~lazy>{para<a~> b~lazy> } para<c> ");
  assert_blocks("|a|b|\n|-|-|\n|_x_|*y*|\n", "para<|a|b|~|-|-|~|_x_|*y*|> ");
}

static void finds_lists(void **state)
{
  (void)state;
  assert_blocks("- a\n- b\n\n\ntext", "list<- a~- b>{item<- a>{para<a> } item<- b>{para<b> } } para<text> ");
  assert_blocks("3. a\n   more\n\n4. b\n",
                "list#<3. a~   more~~4. b>{item<3. a~   more>{para<a~   more> } item<4. b>{para<b> } } ");
  assert_blocks("* **a**: `x`\n  - n\n", "list<* **a**: `x`~  - n>{item<* **a**: `x`~  - n>{para<**a**: `x`> "
                                         "list<- n>{item<- n>{para<n> } } } } ");
  assert_blocks("-\n", "list<->{item<-> } ");
}

static void finds_code(void **state)
{
  (void)state;
  assert_blocks("```yaml x\na: [1]\n# no heading\n```\nafter\n",
                "code<```yaml x~a: [1]~# no heading~```>[a: [1]~# no heading~|yaml x] para<after> ");
  assert_blocks("~~~\n*x_\n\n", "code<~~~~*x_>[*x_~~] ");
  assert_blocks("1. a\n   ```\n   b_c\n   ```\n\ntext",
                "list#<1. a~   ```~   b_c~   ```>{item<1. a~   ```~   b_c~   ```>{para<a> code<```~   b_c~   "
                "```>[b_c~] } } para<text> ");
  assert_blocks("- ```\n  x\ny\n", "list<- ```~  x>{item<- ```~  x>{code<```~  x>[x~] } } para<y> ");
  assert_blocks("    [i]\n\nt", "code<[i]>[[i]~] para<t> ");
}

static void keeps_what_commonmark_hides(void **state)
{
  (void)state;
  assert_blocks("[a]: http://x\n\nt [a]\n", "para<[a]: http://x> para<t [a]> ");
  assert_blocks("<!-- a -->\n\nb\n", "html<<!-- a -->> para<b> ");
  assert_blocks("<!-- a\n\nb -->\nc\n", "html<<!-- a~~b -->> para<c> ");
  assert_blocks("\xEF\xBB\xBF# A\n\n b\n", "heading1<# A>[A] para<b> ");
  assert_blocks("---\na: b\n---\n\xEF\xBB\xBF c\n", "para<\xEF\xBB\xBF c> ");
  assert_blocks("<div>\nx</div>\n\ny <b>z</b>\n", "html<<div>~x</div>> para<y <b>z</b>> ");
}

static void skips_front_matter(void **state)
{
  (void)state;
  reading r;
  read_str(&r, HO_STR("\xEF\xBB\xBF---\na: 1\n---\n# T\n"));
  assert_int_equal(r.code, HO_OK);
  assert_str(ho_str_sub(r.source.text, r.md.front_from, r.md.front_to), "a: 1\n");
  assert_str(r.md.blocks->text, "T");
  assert_null(r.md.blocks->next);
  done(&r);
  read_str(&r, HO_STR("---\na: 1\n# T\n"));
  assert_int_equal(r.md.front_from, r.md.front_to);
  assert_int_equal(r.report.count, 1);
  assert_ptr_equal(r.report.items[0].rule, &ho_rule_FRONT_MATTER);
  assert_non_null(r.md.blocks);
  done(&r);
}

static void fence_content_has_its_place(void **state)
{
  (void)state;
  reading r;
  read_str(&r, HO_STR("a\r\n\r\n```yaml\r\nk: v\r\nl: w\r\n```\r\n"));
  const ho_md_block *code = r.md.blocks->next;
  assert_int_equal(code->kind, HO_MD_CODE);
  assert_str(ho_str_sub(r.source.text, code->text_begin, code->text_end), "k: v\r\nl: w\r\n");
  assert_str(code->text, "k: v\nl: w\n");
  done(&r);
}

/* Top-level blocks are in order, do not overlap and leave out nothing but white space. */
static void assert_covered(const reading *r)
{
  uint32_t at = r->md.front_to > r->md.front_from ? r->md.front_to + 3 : ho_source_start(&r->source);
  for (const ho_md_block *block = r->md.blocks; block; block = block->next) {
    assert_true(block->begin >= at && block->end >= block->begin);
    assert_true(ho_str_blank(ho_str_sub(r->source.text, at, block->begin)));
    at = block->end;
  }
  assert_true(ho_str_blank(ho_str_sub(r->source.text, at, r->source.text.n)));
}

static void covers_random_texts(void **state)
{
  (void)state;
  static const char *const parts[] = {"# ",   "- ",  "1. ",   "> ",       "```",  "\n",  "\n\n", "  ",
                                      "    ", "a",   "**b**", "---",      "<!--", "-->", "\t",   "[x]: y",
                                      "\r\n", "<p>", "=",     "\xC3\xA9", "* ",   "~~~"};
  unit_random random = {88172645463325252u};
  for (int round = 0; round < 3000; round++) {
    ho_buf text;
    ho_buf_init(&text, 0);
    for (size_t i = unit_below(&random, 40); i; i--)
      ho_buf_puts(&text, parts[unit_below(&random, HO_COUNT(parts))]);
    reading r;
    read_str(&r, ho_buf_str(&text));
    assert_int_equal(r.code, HO_OK);
    assert_covered(&r);
    done(&r);
    ho_buf_free(&text);
  }
}

static bool is_markdown(ho_str path)
{
  return ho_str_ends(path, ".md");
}

static void covers_real_files(void **state)
{
  (void)state;
  ho_arena arena;
  ho_error err;
  ho_fs_list files = {0};
  const char *corpus = unit_shared("corpus");
  ho_arena_init(&arena, 0);
  assert_int_equal(ho_fs_walk(&arena, corpus, is_markdown, &files, &err), HO_OK);
  assert_true(files.count > 0);
  for (size_t i = 0; i < files.count; i++) {
    ho_str text;
    reading r;
    assert_int_equal(ho_fs_read(&arena, files.paths[i], 0, &text, &err), HO_OK);
    read_str(&r, text);
    assert_int_equal(r.code, HO_OK);
    assert_covered(&r);
    done(&r);
  }
  ho_arena_free(&arena);
}

static void survives_hostile_texts(void **state)
{
  (void)state;
  static const char *const parts[] = {"> ", "- ", "[", "*a _", "![[]()", "<a b=\"", "`", "\\", "1. ", "<!--\n"};
  for (size_t i = 0; i < HO_COUNT(parts); i++) {
    ho_buf text;
    ho_buf_init(&text, 0);
    for (size_t n = 0; n < 20000; n++)
      ho_buf_puts(&text, parts[i]);
    reading r;
    read_str(&r, ho_buf_str(&text));
    assert_true(r.code == HO_OK || r.code == HO_LIMIT);
    done(&r);
    ho_buf_free(&text);
  }
}

static void assert_html(const char *markdown, const char *expected)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  ho_md_write_html(&out, ho_str_of(markdown));
  assert_string_equal(out.p, expected);
  ho_buf_free(&out);
}

static void writes_safe_html(void **state)
{
  (void)state;
  assert_html("**a** & `b`\n", "<p><strong>a</strong> &amp; <code>b</code></p>\n");
  assert_html("a <img src=x onerror=y>\n", "<p>a &lt;img src=x onerror=y&gt;</p>\n");
  assert_html("<script>\nx\n</script>\n", "<pre><code>&lt;script&gt;\nx\n&lt;/script&gt;\n</code></pre>\n");
  assert_html("[a](javascript:x) [b](JaVa:x)", "<p><a href=\"\">a</a> <a href=\"\">b</a></p>\n");
  assert_html("[a](data:text/html,x) [b](vbscript:x) ![c](file:///etc)",
              "<p><a href=\"\">a</a> <a href=\"\">b</a> <a href=\"\">c</a></p>\n");
  assert_html("[a](x/y:z) <https://e.org> [c](#d)",
              "<p><a href=\"x/y:z\">a</a> <a href=\"https://e.org\">https://e.org</a> <a href=\"#d\">c</a></p>\n");
  assert_html("[a](&#106;avascript:x)", "<p><a href=\"\">a</a></p>\n");
}

static void large_texts_are_shown_plain(void **state)
{
  (void)state;
  ho_buf text, out;
  ho_buf_init(&text, 0);
  ho_buf_init(&out, 0);
  ho_buf_fill(&text, '<', HO_MD_HTML_LIMIT + 1);
  ho_md_write_html(&out, ho_buf_str(&text));
  assert_true(ho_str_starts(ho_buf_str(&out), "<pre>&lt;&lt;"));
  ho_buf_free(&text);
  ho_buf_free(&out);
}

#ifdef HO_FAULT
static void survives_failing_memory(void **state)
{
  (void)state;
  static const char text[] = "---\na: b\n---\n# T\n\n- a\n  - b\n\n> c\n\n```x\ny\n```\n\n[l](u) *e* <b>\n";
  bool failed = true;
  for (unsigned long n = 1; failed; n++) {
    reading r;
    ho_fault_arm(n);
    read_str(&r, HO_STR(text));
    failed = ho_fault_fired();
    ho_fault_arm(0);
    assert_int_equal(r.code, failed ? HO_MEMORY : HO_OK);
    done(&r);
  }
  failed = true;
  for (unsigned long n = 1; failed; n++) {
    ho_buf out;
    ho_buf_init(&out, 0);
    ho_fault_arm(n);
    ho_md_write_html(&out, HO_STR(text));
    failed = ho_fault_fired();
    ho_fault_arm(0);
    assert_int_equal(out.failed, failed ? HO_MEMORY : HO_OK);
    ho_buf_free(&out);
  }
}
#endif

int main(void)
{
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_blocks),
      cmocka_unit_test(finds_lists),
      cmocka_unit_test(finds_code),
      cmocka_unit_test(keeps_what_commonmark_hides),
      cmocka_unit_test(skips_front_matter),
      cmocka_unit_test(fence_content_has_its_place),
      cmocka_unit_test(covers_random_texts),
      cmocka_unit_test(covers_real_files),
      cmocka_unit_test(survives_hostile_texts),
      cmocka_unit_test(writes_safe_html),
      cmocka_unit_test(large_texts_are_shown_plain),
#ifdef HO_FAULT
      cmocka_unit_test(survives_failing_memory),
#endif
  };
  return unit_run(tests);
}
