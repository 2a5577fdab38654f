/* tokens_image RANKS IMAGE: turns a rank file ("BASE64 RANK" a line, ranks from 0 upwards) into the image that
 * src/doc/tokens.c maps. Writes a temporary file first, so that IMAGE is whole or not there. */
#include "base/buf.h"
#include "base/memory.h"
#include "doc/tokens/tokens_image.h"

static void die(const char *path, const char *why)
{
  fprintf(stderr, "tokens_image: %s: %s\n", path, why);
  exit(1);
}

static void read_all(ho_buf *out, const char *path)
{
  char chunk[1 << 16];
  FILE *file = fopen(path, "rb");
  if (!file)
    die(path, "cannot be opened");
  for (size_t n; (n = fread(chunk, 1, sizeof chunk, file)) > 0;)
    ho_buf_put(out, (ho_str){chunk, n});
  if (ferror(file) || ho_buf_code(out, &(ho_error){0}) != HO_OK)
    die(path, "cannot be read");
  fclose(file);
}

static int base64_digit(char c)
{
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const char *at = c ? strchr(digits, c) : NULL;
  return at ? (int)(at - digits) : -1;
}

/* The token that `code` stands for; empty where it is no base64. */
static ho_str decode(ho_arena *arena, ho_str code)
{
  char *bytes = ho_arena_alloc(arena, code.n);
  size_t n = 0;
  uint32_t bits = 0;
  while (code.n > 0 && code.p[code.n - 1] == '=')
    code.n--;
  for (size_t i = 0; bytes && i < code.n; i++) {
    int digit = base64_digit(code.p[i]);
    if (digit < 0)
      return HO_EMPTY;
    bits = bits << 6 | (uint32_t)digit;
    if (i % 4 > 0)
      bytes[n++] = (char)(bits >> (6 - i % 4 * 2));
  }
  return (ho_str){bytes, n};
}

static size_t read_tokens(ho_arena *arena, ho_str ranks, ho_str *tokens, size_t max, const char *path)
{
  size_t n = 0;
  for (ho_str line, code; ho_str_next_line(&ranks, &line); n++) {
    uint64_t rank = 0;
    if (!ho_str_next(&line, ' ', &code) || !ho_str_to_u64(line, &rank) || rank != n || n == max)
      die(path, "is no list of tokens in the order of their ranks");
    tokens[n] = decode(arena, code);
  }
  return n;
}

static void write_all(ho_str image, const char *path)
{
  char part[4096];
  snprintf(part, sizeof part, "%s.part", path);
  FILE *file = fopen(part, "wb");
  if (!file)
    die(part, "cannot be written");
  bool written = fwrite(image.p, 1, image.n, file) == image.n;
  if (fclose(file) != 0 || !written || rename(part, path) != 0)
    die(path, "cannot be written");
}

int main(int argc, char **argv)
{
  ho_error err = {0};
  ho_buf ranks, image;
  ho_arena arena;
  if (argc != 3)
    die("usage", "tokens_image RANKS IMAGE");
  ho_buf_init(&ranks, 0);
  ho_buf_init(&image, 0);
  ho_arena_init(&arena, 0);
  read_all(&ranks, argv[1]);
  ho_str *tokens = ho_arena_array(&arena, HO_IMAGE_NO_RANK, sizeof *tokens);
  size_t n = tokens ? read_tokens(&arena, ho_buf_str(&ranks), tokens, HO_IMAGE_NO_RANK, argv[1]) : 0;
  if (ho_arena_code(&arena, &err) != HO_OK || ho_image_write(&image, tokens, n, &err) != HO_OK)
    die(argv[1], err.message);
  write_all(ho_buf_str(&image), argv[2]);
  ho_arena_free(&arena);
  ho_buf_free(&image);
  ho_buf_free(&ranks);
  return 0;
}
