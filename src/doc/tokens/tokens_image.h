/* The rank image: a hash table from the bytes of a token to its rank, laid out so that it can be used as mapped.
 *
 *   header         ho_image_header
 *   pairs          uint32_t[65536]: the rank of each token of two bytes, by first << 8 | second
 *   buckets        uint32_t[(1 << bits) + 1]: entries of bucket b are start[b] .. start[b + 1], each in the lower 24
 *                  bits; the upper 8 say which eighths of the bucket have any, which ends most unsuccessful lookups
 *   entries        ho_image_entry[tokens], by bucket
 *   text           the bytes of tokens longer than 8, one after the other
 *
 * Numbers are in the machine's byte order (the magic number reveals a foreign one). Positions follow from the sizes
 * in the header, and every lookup stays inside them whatever the image contains: a damaged one gives wrong ranks,
 * but no wild reads. Opening only reads the header. */
#ifndef HO_DOC_TOKENS_TOKENS_IMAGE_H
#define HO_DOC_TOKENS_TOKENS_IMAGE_H

#include "base/buf.h"

#define HO_IMAGE_MAGIC UINT64_C(0x32736b6e61726f68) /* "horanks2" */
enum {
  HO_IMAGE_TOKEN_MAX = 255,  /* bytes of a token */
  HO_IMAGE_RANK_BITS = 18,   /* of a rank */
  HO_IMAGE_BUCKET_BITS = 20, /* of a bucket's number */
  HO_IMAGE_START_BITS = 24,
};
#define HO_IMAGE_NO_RANK ((1u << HO_IMAGE_RANK_BITS) - 1) /* greater than every rank */

typedef struct ho_image_header {
  uint64_t magic;
  uint32_t tokens, bits, longest, text;
  uint64_t check; /* of the fields above */
} ho_image_header;

typedef struct ho_image_entry {
  uint64_t key;    /* the bytes of a token of up to 8, padded with zeros; for a longer one its hash */
  uint32_t offset; /* for a longer one, its position in the text */
  uint32_t meta;   /* rank << 8 | length */
} ho_image_entry;

/* A mapped image; the bytes belong to the caller. */
typedef struct ho_image {
  const uint32_t *pairs, *start;
  const ho_image_entry *entries;
  const char *text;
  uint32_t tokens, bits, longest, text_size;
} ho_image;

/* False if `bytes` (8-aligned) is not an image or is cut short. */
bool ho_image_read(ho_image *out, const void *bytes, size_t n) HO_NODISCARD;

/* Writes the image for these tokens; the rank of a token is its index. HO_INVALID if one is empty, too long or
 * occurs twice, or if there are too many. */
ho_code ho_image_write(ho_buf *out, const ho_str *tokens, size_t n, ho_error *err) HO_NODISCARD;

/* The rank of the token p[0..n), or HO_IMAGE_NO_RANK. `limit` is the end of what may be read from p. */
uint32_t ho_image_rank(const ho_image *image, const char *p, size_t n, const char *limit);

/* The same for the two bytes at p. Merging starts with all of these. */
static inline uint32_t ho_image_pair(const ho_image *image, const char *p)
{
  uint32_t rank = image->pairs[(uint32_t)(unsigned char)p[0] << 8 | (unsigned char)p[1]];
  return rank < HO_IMAGE_NO_RANK ? rank : HO_IMAGE_NO_RANK;
}
#endif
