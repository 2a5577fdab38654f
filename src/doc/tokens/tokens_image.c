#include "doc/tokens/tokens_image.h"
#include "base/memory.h"

enum {
  SHORT = 8, /* a token of up to this many bytes is its own key */
  PAIRS = 1 << 16,
  CROWD = 64, /* how many entries of a bucket are examined: no valid one has as many, and a damaged one costs no time */
  START = (1 << HO_IMAGE_START_BITS) - 1,
};

/* ---- keys ---- */

static uint64_t mix(uint64_t x)
{
  return x * UINT64_C(0x9e3779b97f4a7c15);
}

/* The n bytes at p, 1 to 8, as a number padded with zeros. */
static inline uint64_t load(const char *p, size_t n, const char *limit)
{
  uint64_t word = 0;
  if (limit - p < SHORT) {
    memcpy(&word, p, n);
    return word;
  }
  memcpy(&word, p, SHORT);
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return word & UINT64_MAX >> (SHORT - n) * 8;
#else
  return word & UINT64_MAX << (SHORT - n) * 8;
#endif
}

static inline uint64_t key_of(const char *p, size_t n, const char *limit)
{
  if (n <= SHORT)
    return load(p, n, limit);
  uint64_t hash = n;
  for (size_t at = 0; at < n; at += SHORT) {
    hash = mix(hash ^ load(p + at, n - at < SHORT ? n - at : SHORT, limit));
    hash ^= hash >> 32;
  }
  return hash;
}

/* Where a key belongs: its bucket, and the bit for its eighth of the bucket. */
typedef struct place {
  uint32_t bucket, eighth;
} place;

static inline place place_of(uint64_t key, uint32_t bits)
{
  uint32_t at = (uint32_t)(mix(key) >> (64 - bits - 3));
  return (place){at >> 3, UINT32_C(1) << HO_IMAGE_START_BITS << (at & 7)};
}

/* ---- reading ---- */

static uint64_t check_of(const ho_image_header *header)
{
  ho_str fields = {(const char *)header, offsetof(ho_image_header, check)};
  return ho_str_hash(fields);
}

/* Offsets in the file; the last is its size. */
typedef struct places {
  size_t pairs, start, entries, text, end;
} places;

static places places_of(const ho_image_header *header)
{
  size_t starts = ((size_t)1 << header->bits) + 1;
  places at = {.pairs = sizeof *header};
  at.start = at.pairs + PAIRS * sizeof(uint32_t);
  at.entries = at.start + (starts + (starts & 1)) * sizeof(uint32_t); /* an even number keeps entries aligned */
  at.text = at.entries + header->tokens * sizeof(ho_image_entry);
  at.end = at.text + header->text;
  return at;
}

bool ho_image_read(ho_image *out, const void *bytes, size_t n)
{
  ho_image_header header;
  if (n < sizeof header)
    return false;
  memcpy(&header, bytes, sizeof header);
  if (header.magic != HO_IMAGE_MAGIC || header.check != check_of(&header) || header.bits < 1 ||
      header.bits > HO_IMAGE_BUCKET_BITS || header.tokens >= HO_IMAGE_NO_RANK || header.longest > HO_IMAGE_TOKEN_MAX ||
      header.text > header.tokens * HO_IMAGE_TOKEN_MAX)
    return false;
  places at = places_of(&header);
  if (at.end != n)
    return false;
  const char *base = bytes;
  *out = (ho_image){.pairs = (const uint32_t *)(const void *)(base + at.pairs),
                    .start = (const uint32_t *)(const void *)(base + at.start),
                    .entries = (const ho_image_entry *)(const void *)(base + at.entries),
                    .text = base + at.text,
                    .tokens = header.tokens,
                    .bits = header.bits,
                    .longest = header.longest,
                    .text_size = header.text};
  return true;
}

static bool is_entry(const ho_image *image, const ho_image_entry *entry, uint64_t key, const char *p, size_t n)
{
  if (entry->key != key || (entry->meta & 255) != n)
    return false;
  if (n <= SHORT)
    return true;
  return entry->offset <= image->text_size && n <= image->text_size - entry->offset &&
         memcmp(image->text + entry->offset, p, n) == 0;
}

uint32_t ho_image_rank(const ho_image *image, const char *p, size_t n, const char *limit)
{
  if (n == 0 || n > image->longest)
    return HO_IMAGE_NO_RANK;
  uint64_t key = key_of(p, n, limit);
  place where = place_of(key, image->bits);
  uint32_t start = image->start[where.bucket];
  if (!(start & where.eighth))
    return HO_IMAGE_NO_RANK;
  uint32_t at = start & START, end = image->start[where.bucket + 1] & START;
  if (end > image->tokens)
    end = image->tokens;
  if (end > at + CROWD)
    end = at + CROWD;
  for (; at < end; at++)
    if (is_entry(image, &image->entries[at], key, p, n)) {
      uint32_t rank = image->entries[at].meta >> 8;
      return rank < HO_IMAGE_NO_RANK ? rank : HO_IMAGE_NO_RANK;
    }
  return HO_IMAGE_NO_RANK;
}

/* ---- writing ---- */

/* About one bucket per token. */
static uint32_t bits_for(size_t n)
{
  uint32_t bits = 1;
  while (bits < HO_IMAGE_BUCKET_BITS && (size_t)1 << bits < n)
    bits++;
  return bits;
}

static ho_code measure(ho_image_header *header, const ho_str *tokens, size_t n, ho_error *err)
{
  *header = (ho_image_header){.magic = HO_IMAGE_MAGIC, .tokens = (uint32_t)n, .bits = bits_for(n)};
  if (n >= HO_IMAGE_NO_RANK)
    return ho_fail(err, HO_INVALID, "too many tokens: %zu", n);
  for (size_t i = 0; i < n; i++) {
    if (tokens[i].n == 0 || tokens[i].n > HO_IMAGE_TOKEN_MAX)
      return ho_fail(err, HO_INVALID, "token %zu has %zu bytes", i, tokens[i].n);
    if (tokens[i].n > header->longest)
      header->longest = (uint32_t)tokens[i].n;
    if (tokens[i].n > SHORT)
      header->text += (uint32_t)tokens[i].n;
  }
  header->check = check_of(header);
  return HO_OK;
}

static void fill_pairs(uint32_t *pairs, const ho_str *tokens, size_t n)
{
  for (size_t i = 0; i < PAIRS; i++)
    pairs[i] = HO_IMAGE_NO_RANK;
  for (size_t i = 0; i < n; i++)
    if (tokens[i].n == 2)
      pairs[(uint32_t)(unsigned char)tokens[i].p[0] << 8 | (unsigned char)tokens[i].p[1]] = (uint32_t)i;
}

/* Entries are sorted by bucket, then by rank. Counts the entries of each bucket, turns the counts into ends, and
 * lets each entry move the end of its bucket down to the start. */
static void fill_hash(uint32_t *start, ho_image_entry *entries, char *text, const ho_image_header *header,
                      const ho_str *tokens)
{
  for (size_t i = 0; i < header->tokens; i++)
    start[place_of(key_of(tokens[i].p, tokens[i].n, tokens[i].p + tokens[i].n), header->bits).bucket]++;
  for (size_t i = 1; i <= (size_t)1 << header->bits; i++)
    start[i] += start[i - 1];
  for (size_t i = header->tokens, offset = 0; i-- > 0;) {
    ho_str token = tokens[i];
    uint64_t key = key_of(token.p, token.n, token.p + token.n);
    place where = place_of(key, header->bits);
    ho_image_entry *entry = &entries[--start[where.bucket] & START];
    start[where.bucket] |= where.eighth;
    *entry = (ho_image_entry){.key = key, .meta = (uint32_t)(i << 8 | token.n)};
    if (token.n > SHORT) {
      entry->offset = (uint32_t)offset;
      memcpy(text + offset, token.p, token.n);
      offset += token.n;
    }
  }
}

/* Fills the zeroed image. */
static void fill(char *image, const ho_image_header *header, const ho_str *tokens)
{
  places at = places_of(header);
  memcpy(image, header, sizeof *header);
  fill_pairs((uint32_t *)(void *)(image + at.pairs), tokens, header->tokens);
  fill_hash((uint32_t *)(void *)(image + at.start), (ho_image_entry *)(void *)(image + at.entries), image + at.text,
            header, tokens);
}

/* A token that occurs twice is found at its first position. */
static ho_code check_all(const char *bytes, size_t size, const ho_str *tokens, size_t n, ho_error *err)
{
  ho_image image;
  if (!ho_image_read(&image, bytes, size))
    return ho_fail(err, HO_BUG, "the image written cannot be read");
  for (size_t i = 0; i < n; i++)
    if (ho_image_rank(&image, tokens[i].p, tokens[i].n, tokens[i].p + tokens[i].n) != i)
      return ho_fail(err, HO_INVALID, "token %zu occurs twice, or its bucket is too full", i);
  return HO_OK;
}

ho_code ho_image_write(ho_buf *out, const ho_str *tokens, size_t n, ho_error *err)
{
  ho_image_header header;
  ho_code code = measure(&header, tokens, n, err);
  if (code != HO_OK)
    return code;
  size_t size = places_of(&header).end;
  char *image = ho_malloc(size);
  if (!image)
    return ho_fail_memory(err);
  memset(image, 0, size);
  fill(image, &header, tokens);
  code = check_all(image, size, tokens, n, err);
  if (code == HO_OK) {
    ho_buf_put(out, (ho_str){image, size});
    code = ho_buf_code(out, err);
  }
  ho_free(image);
  return code;
}
