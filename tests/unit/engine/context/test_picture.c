/* What pictures cost: by their pixels, whatever their bytes are. */
#include "unit.h"

#include "base/base64.h"
#include "engine/context/picture.h"

#define HEAD(bytes) ((ho_str){bytes, sizeof(bytes) - 1})

static int64_t price(ho_str head)
{
  int64_t tokens = -1;
  return ho_picture_price(head, &tokens) ? tokens : -1;
}

#define PNG(width, height) HEAD("\x89PNG\r\n\x1a\n\0\0\0\rIHDR" width height "\x08\x02\0\0\0")
static void png(void **state)
{
  (void)state;
  assert_int_equal(price(PNG("\0\0\x03\xe8", "\0\0\x02\x58")), 800);                       /* 1000 x 600 */
  assert_int_equal(price(PNG("\0\0\x04\x44", "\0\0\x04\x44")), 1590);                      /* 1092 x 1092 */
  assert_int_equal(price(PNG("\0\0\0\x01", "\0\0\0\x01")), 1);                             /* an icon */
  assert_int_equal(price(PNG("\0\0\x1f\x40", "\0\0\x17\x70")), HO_PICTURE_TOKENS);         /* 8000 x 6000 */
  assert_int_equal(price(PNG("\0\0\x1f\x40", "\0\0\x03\x20")), (1568 * 156 + 749) / 750);  /* 8000 x 800 */
  assert_int_equal(price(PNG("\x7f\xff\xff\xff", "\x7f\xff\xff\xff")), HO_PICTURE_TOKENS); /* nonsense */
  assert_int_equal(price(PNG("\0\0\0\0", "\0\0\0\x01")), HO_PICTURE_TOKENS);
  assert_int_equal(price(HEAD("\x89PNG\r\n\x1a\n\0\0")), HO_PICTURE_TOKENS); /* cut off */
}

static void others(void **state)
{
  (void)state;
  assert_int_equal(price(HEAD("GIF89a\xe8\x03\x58\x02\xf7\0\0")), 800);
  assert_int_equal(price(HEAD("GIF87a\xe8\x03")), HO_PICTURE_TOKENS);
  /* A preview before the frame, and filler. */
  assert_int_equal(
      price(
          HEAD("\xff\xd8\xff\xe0\0\x06JFIF\xff\xff\xe1\0\x04xx\xff\xc4\0\x03x\xff\xc2\0\x0b\x08\x02\x58\x03\xe8\x03")),
      800);
  assert_int_equal(price(HEAD("\xff\xd8\xff\xe0\xff\xff")), HO_PICTURE_TOKENS);
  assert_int_equal(price(HEAD("\xff\xd8\xff\xe0\0\0\xff\xe0\0\0\xff\xe0\0\0\0\0\0\0")), HO_PICTURE_TOKENS);
  assert_int_equal(price(HEAD("RIFF\0\0\0\0WEBPVP8X\x0a\0\0\0\0\0\0\0\xe7\x03\0\x57\x02\0")), 800);
  assert_int_equal(price(HEAD("RIFF\0\0\0\0WEBPVP8L\0\0\0\0\x2f\xe7\xc3\x95\0\0\0\0\0\0")), 800);
  assert_int_equal(price(HEAD("RIFF\0\0\0\0WEBPVP8 \0\0\0\0\0\0\0\x9d\x01\x2a\xe8\x03\x58\x02")), 800);
  assert_int_equal(price(HEAD("RIFF\0\0\0\0WEBPVP8X")), HO_PICTURE_TOKENS);
  /* Not pictures. */
  assert_int_equal(price(HEAD("RIFF\0\0\0\0WAVEfmt ")), -1);
  assert_int_equal(price(HEAD("%PDF-1.7")), -1);
  assert_int_equal(price(HEAD("")), -1);
}

static void base64(void **state)
{
  (void)state;
  int64_t tokens;
  ho_buf out;
  assert_true(ho_picture_price_base64(HO_STR("iVBORw0KGgoAAAANSUhEUgAAA+gAAAJYCAIAAAA="), &tokens));
  assert_int_equal(tokens, 800);
  assert_false(ho_picture_price_base64(HO_STR("JVBERi0xLjc="), &tokens));
  assert_false(ho_picture_price_base64(HO_STR("not base64 at all"), &tokens));
  ho_buf_init(&out, 0);
  ho_base64_decode(&out, HO_STR("-_+/aGVsbG8=more"));
  assert_int_equal(out.n, 8);
  assert_memory_equal(out.p, "\xfb\xff\xbfhello", 8);
  ho_buf_free(&out);
}

static void names(void **state)
{
  (void)state;
  assert_true(ho_picture_named(HO_STR("docs/Screen.PNG")));
  assert_true(ho_picture_named(HO_STR("a.jpeg")));
  assert_false(ho_picture_named(HO_STR("png")));
  assert_false(ho_picture_named(HO_STR(".png")));
  assert_false(ho_picture_named(HO_STR("a.png.txt")));
}

int main(void)
{
  const struct CMUnitTest tests[] = {cmocka_unit_test(png), cmocka_unit_test(others), cmocka_unit_test(base64),
                                     cmocka_unit_test(names)};
  return unit_run(tests);
}
