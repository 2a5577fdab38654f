/* SHA-256 by the processor's own instructions, where it has them: libsodium's is portable, and several times slower. */
#include "base/digest_fast.h"

#if defined(__x86_64__) && defined(__has_include)
#if __has_include(<sys/platform/x86.h>)
#define HO_DIGEST_X86 1
#endif
#endif

#ifdef HO_DIGEST_X86
#include <immintrin.h>
#include <sys/platform/x86.h>

enum { WORDS = 4, GROUPS = 16 }; /* of a vector; vectors of a block's schedule */

/* The C library knows since the start: to ask the processor is slow in a virtual machine. */
bool ho_digest_fast(void)
{
  return CPU_FEATURE_ACTIVE(SHA) && CPU_FEATURE_ACTIVE(SSE4_1) && CPU_FEATURE_ACTIVE(SSSE3);
}

static const uint32_t constants[GROUPS][WORDS] __attribute__((aligned(16))) = {
    {0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5}, {0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5},
    {0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3}, {0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174},
    {0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc}, {0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da},
    {0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7}, {0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967},
    {0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13}, {0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85},
    {0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3}, {0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070},
    {0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5}, {0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3},
    {0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208}, {0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2},
};

/* The instructions want the eight words of the state as ABEF and CDGH. */
__attribute__((target("sha,sse4.1,ssse3"))) void ho_digest_fast_blocks(uint32_t state[8], const uint8_t *at,
                                                                       size_t count)
{
  const __m128i swap = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  __m128i cdab = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(const void *)state), 0xb1);
  __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128((const __m128i *)(const void *)(state + WORDS)), 0x1b);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
  for (; count; count--, at += HO_DIGEST_BLOCK) {
    __m128i w[4], abef_before = abef, cdgh_before = cdgh;
#pragma GCC unroll 16
    for (int g = 0; g < GROUPS; g++) {
      __m128i *now = &w[g & 3], last = w[(g + 3) & 3];
      if (g < 4)
        *now = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(const void *)at + g), swap);
      else
        *now = _mm_sha256msg2_epu32(
            _mm_add_epi32(_mm_sha256msg1_epu32(*now, w[(g + 1) & 3]), _mm_alignr_epi8(last, w[(g + 2) & 3], 4)), last);
      __m128i k = _mm_add_epi32(*now, _mm_load_si128((const __m128i *)(const void *)constants[g]));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, k);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(k, 0x0e));
    }
    abef = _mm_add_epi32(abef, abef_before);
    cdgh = _mm_add_epi32(cdgh, cdgh_before);
  }
  __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128((__m128i *)(void *)state, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128((__m128i *)(void *)(state + WORDS), _mm_alignr_epi8(dchg, feba, 8));
}
#else
bool ho_digest_fast(void)
{
  return false;
}

void ho_digest_fast_blocks(uint32_t state[8], const uint8_t *at, size_t count)
{
  (void)state;
  (void)at;
  (void)count;
}
#endif
