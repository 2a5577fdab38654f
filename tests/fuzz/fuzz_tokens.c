/* Counting with a small vocabulary whose image the input may damage: the first two bytes say how many changes of three
 * bytes each follow, the rest is the text (8 KB of it, which is four windows). Pieces cover the text, and a count is at
 * least one and at most the bytes of its piece. */
#include "base/memory.h"
#include "doc/tokens/tokens_merge.h"
#include "doc/tokens/tokens_split.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const vocabulary[] = {
    "a",    "b",    "c",    "d",    "e",    " ",        "\n",           "'",        "s",         "1",
    "\xe4", "\xb8", "\xad", "\xcc", "\x81", "aa",       "ab",           "ba",       "bc",        "cd",
    "aaaa", "abc",  "bcd",  " a",   "  ",   "\xe4\xb8", "\xe4\xb8\xad", "\xcc\x81", "abcdabcda", "aaaaaaaaaaaaaaaaaaaa",
};

/* The image without damage; made once. */
static ho_str whole_image(void)
{
  static ho_buf bytes;
  ho_str tokens[HO_COUNT(vocabulary)];
  if (bytes.n > 0)
    return ho_buf_str(&bytes);
  for (size_t i = 0; i < HO_COUNT(vocabulary); i++)
    tokens[i] = ho_str_of(vocabulary[i]);
  ho_buf_init(&bytes, 0);
  if (ho_image_write(&bytes, tokens, HO_COUNT(tokens), &(ho_error){0}) != HO_OK)
    abort();
  return ho_buf_str(&bytes);
}

/* Changes the image behind its header, mostly behind its table of pairs, which is by far the largest part. */
static void damage(char *image, size_t n, const uint8_t *changes, size_t count)
{
  size_t head = sizeof(ho_image_header), small = n - head - 4 * 65536;
  for (size_t i = 0; i < count; i++, changes += 3) {
    size_t place = changes[0] | (size_t)changes[1] << 8;
    size_t at = place & 1 ? head + place * 4 : n - 1 - place / 2 % small;
    image[at] = (char)changes[2];
  }
}

static void count_pieces(const ho_image *image, ho_str text)
{
  for (size_t at = 0, end; at < text.n; at = end) {
    end = ho_tokens_split(text, at);
    if (end <= at || end > text.n)
      abort();
    size_t count = ho_tokens_merge(image, (ho_str){text.p + at, end - at});
    if (count < 1 || count > end - at)
      abort();
  }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (size < 2)
    return 0;
  size_t count = data[0] | (size_t)data[1] << 8;
  if (count > (size - 2) / 3)
    count = (size - 2) / 3;
  ho_str whole = whole_image();
  char *bytes = ho_malloc(whole.n);
  ho_image image;
  if (!bytes)
    return 0;
  memcpy(bytes, whole.p, whole.n);
  damage(bytes, whole.n, data + 2, count);
  if (!ho_image_read(&image, bytes, whole.n))
    abort();
  ho_str text = {(const char *)data + 2 + 3 * count, size - 2 - 3 * count};
  count_pieces(&image, ho_str_sub(text, 0, 8192));
  ho_free(bytes);
  return 0;
}
