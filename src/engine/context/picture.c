#include "engine/context/picture.h"

#include "base/base64.h"

enum {
  EDGE = 1568,        /* pixels: models see a longer edge scaled down to this */
  TOKEN_PIXELS = 750, /* of a picture as the model sees it */
};

static int64_t big(const char *p, size_t n)
{
  int64_t value = 0;
  for (size_t i = 0; i < n; i++)
    value = value << 8 | (unsigned char)p[i];
  return value;
}

static int64_t little(const char *p, size_t n)
{
  int64_t value = 0;
  for (size_t i = n; i > 0; i--)
    value = value << 8 | (unsigned char)p[i - 1];
  return value;
}

static bool begins(ho_str head, const char *bytes, size_t n)
{
  return head.n >= n && memcmp(head.p, bytes, n) == 0;
}

typedef struct size {
  int64_t width, height; /* 0: not found */
} size;

static size png(ho_str head)
{
  return head.n < 24 ? (size){0} : (size){big(head.p + 16, 4), big(head.p + 20, 4)};
}

static size gif(ho_str head)
{
  return head.n < 10 ? (size){0} : (size){little(head.p + 6, 2), little(head.p + 8, 2)};
}

/* Three kinds, which say it in different places. */
static size webp(ho_str head)
{
  const char *p = head.p;
  if (head.n < 30)
    return (size){0};
  if (memcmp(p + 12, "VP8X", 4) == 0)
    return (size){little(p + 24, 3) + 1, little(p + 27, 3) + 1};
  if (memcmp(p + 12, "VP8L", 4) == 0) {
    int64_t bits = little(p + 21, 4);
    return (size){(bits & 0x3fff) + 1, (bits >> 14 & 0x3fff) + 1};
  }
  return (size){little(p + 26, 2) & 0x3fff, little(p + 28, 2) & 0x3fff};
}

/* Segments, up to the one that begins the frame. */
static size jpeg(ho_str head)
{
  for (size_t at = 2; at + 9 <= head.n && (unsigned char)head.p[at] == 0xff;) {
    int kind = (unsigned char)head.p[at + 1];
    if (kind >= 0xc0 && kind <= 0xcf && kind != 0xc4 && kind != 0xc8 && kind != 0xcc)
      return (size){big(head.p + at + 7, 2), big(head.p + at + 5, 2)};
    bool filler = kind == 0xff, bare = kind == 0x01 || (kind >= 0xd0 && kind <= 0xd8);
    at += filler ? 1 : bare ? 2 : 2 + (size_t)big(head.p + at + 2, 2);
  }
  return (size){0};
}

/* Scaled down until its longer edge fits. */
static int64_t price(size s)
{
  int64_t longer = s.width > s.height ? s.width : s.height;
  if (s.width <= 0 || s.height <= 0)
    return HO_PICTURE_TOKENS;
  if (longer > EDGE) {
    s.width = s.width * EDGE / longer;
    s.height = s.height * EDGE / longer;
  }
  int64_t tokens = (s.width * s.height + TOKEN_PIXELS - 1) / TOKEN_PIXELS;
  return tokens < 1 ? 1 : tokens > HO_PICTURE_TOKENS ? HO_PICTURE_TOKENS : tokens;
}

bool ho_picture_price(ho_str head, int64_t *tokens)
{
  if (begins(head, "\x89PNG\r\n\x1a\n", 8))
    *tokens = price(png(head));
  else if (begins(head, "\xff\xd8\xff", 3))
    *tokens = price(jpeg(head));
  else if (begins(head, "GIF87a", 6) || begins(head, "GIF89a", 6))
    *tokens = price(gif(head));
  else if (begins(head, "RIFF", 4) && head.n >= 12 && memcmp(head.p + 8, "WEBP", 4) == 0)
    *tokens = price(webp(head));
  else
    return false;
  return true;
}

bool ho_picture_price_base64(ho_str text, int64_t *tokens)
{
  enum { MOST = HO_PICTURE_HEAD / 3 * 4 };
  ho_buf head;
  ho_buf_init(&head, 0);
  ho_base64_decode(&head, ho_str_sub(text, 0, text.n < MOST ? text.n : MOST));
  bool known = ho_picture_price(ho_buf_str(&head), tokens);
  ho_buf_free(&head);
  return known;
}

bool ho_picture_named(ho_str path)
{
  static const char *const ends[] = {".png", ".jpg", ".jpeg", ".gif", ".webp"};
  for (size_t i = 0; i < HO_COUNT(ends); i++) {
    size_t n = strlen(ends[i]);
    if (path.n > n && ho_str_is_nocase(ho_str_sub(path, path.n - n, path.n), ends[i]))
      return true;
  }
  return false;
}
