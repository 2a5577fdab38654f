/* How the split pattern of o200k_base classifies a code point: one of eight classes, from generated tables. */
#ifndef HO_DOC_TOKENS_TOKENS_UNICODE_H
#define HO_DOC_TOKENS_TOKENS_UNICODE_H

#include "base/str.h"

/* In the order of `patterns` in tools/unicode_tables.mjs. */
typedef enum ho_token_class {
  HO_TC_OTHER,
  HO_TC_SPACE, /* \s but \r and \n */
  HO_TC_LINE,  /* \r \n */
  HO_TC_DIGIT, /* N */
  HO_TC_UPPER, /* Lu Lt */
  HO_TC_LOWER, /* Ll */
  HO_TC_PLAIN, /* Lm Lo: letters that count as upper and lower case */
  HO_TC_MARK,  /* M: counts as both as well, but is not a letter */
} ho_token_class;

/* 256 code points per block, 16 per word, lowest first; blocks from ho_token_blocks on are HO_TC_OTHER throughout. */
extern const uint32_t ho_token_blocks;
extern const uint8_t ho_token_block[];
extern const uint64_t ho_token_classes[];

static inline ho_token_class ho_tokens_class_of(uint32_t cp)
{
  if (cp >> 8 >= ho_token_blocks)
    return HO_TC_OTHER;
  return (ho_token_class)(ho_token_classes[ho_token_block[cp >> 8] * 16 + (cp >> 4 & 15)] >> (cp & 15) * 4 & 15);
}
#endif
