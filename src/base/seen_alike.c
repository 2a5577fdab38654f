#include "base/seen.h"

/* Letters and digits that look like one of ASCII, or are one with an accent, in a circle, wide, raised or in another type:
 * those that Unicode 15 decomposes to one (NFKD), and of Greek, Cyrillic, Armenian and the phonetic alphabet those of the
 * same shape. Each run has what its letters stand for, from `first` on; '.': the letter itself. */
typedef struct run {
  uint32_t first;
  const char *letters;
} run;

static const run runs[] = {
    {0xAA, "a"},
    {0xB2, "23.m...1o.....aaaaaa.ceeeeiiii.nooooo.ouuuuy..aaaaaa.ceeeeiiii.nooooo.ouuuuy.yaaaaaaccccccccdddde"
           "eeeeeeeeegggggggghhhhiiiiiiiiii..jjkk.llllll..llnnnnnn...oooooo..rrrrrrssssssssttttttuuuuuuuuuuuu"
           "wwyyyzzzzzzsb"},
    {0x188, "c"},
    {0x192, "f"},
    {0x1A0, "oo...p"},
    {0x1AF, "uu"},
    {0x1CD, "aaiioouuuuuuuuuu.aaaa....ggkkoooo..j...gg..nnaa..ooaaaaeeeeiiiioooorrrruuuusstt..hh"},
    {0x226, "aaeeooooooooyy...j"},
    {0x251, "a.b..dd"},
    {0x260, "ggg.....iiil.....mn.no"},
    {0x280, "r"},
    {0x288, "tu.v...yz"},
    {0x299, "b..h..l"},
    {0x2B0, "h.jr...wy"},
    {0x2E1, "lsx"},
    {0x37F, "j"},
    {0x386, "a.ehi.o.y.iab..ezh.ik.mn.o.p..ty.x..iyaeniuaby.ezn.ik.mv.o.p..tu.x..iuou..b.yyy"},
    {0x3F0, "kpcj.e...c"},
    {0x400, "ee...siij...k.y.a.b..e.3..k.mho.pcty.x"},
    {0x42C, "b...a.b..e.3..k.mho.pcty.x"},
    {0x44C, "b...ee...siij...k.y"},
    {0x4AE, "yy"},
    {0x4BA, "hh....l"},
    {0x4CF, "laaaa..ee"},
    {0x4DE, "33"},
    {0x4E6, "oo"},
    {0x4EE, "yyyyyy"},
    {0x501, "d"},
    {0x51A, "qqww"},
    {0x561, "w"},
    {0x578, "n....u...g...o"},
    {0x1D00, "a...cd.e..jk.m.o"},
    {0x1D18, "p..tu...vwz"},
    {0x1D2C, "a.b.de.ghijklmn.o.prtuwa.a.bde...g.km.o...ptu..v.by..xiruvbyp.x"},
    {0x1D78, "h"},
    {0x1D9C, "c...f.g.iii....lm.n.no....u.uv.zz"},
    {0x1E00, "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnoooooooopppprrrrrrr"
             "rssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwy.s....aaaaaaaaaaaaaaaaaaaaaaaaeeeeee"
             "eeeeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy"},
    {0x1F00, "aaaaaaaaaaaaaaaaeeeeee..eeeeee..nnnnnnnnhhhhhhhhiiiiiiiiiiiiiiiioooooo..oooooo..uuuuuuuu.y.y.y."
             "y"},
    {0x1F70, "aaeenniioouu....aaaaaaaaaaaaaaaannnnnnnnhhhhhhhh"},
    {0x1FB0, "aaaaa.aaaaaaa.i...nnn.nneehhh...iiii..iiiiii....uuuuppuuyyyyp"},
    {0x1FF8, "oo"},
    {0x2070, "0i..456789.....n0123456789"},
    {0x2090, "aeox.hklmnpst"},
    {0x2102, "c"},
    {0x210A, "ghhhhhiill.n...pqrrr"},
    {0x2124, "z...z.kabc.eef.mo....i...y"},
    {0x2145, "ddeij"},
    {0x2160, "i...v....x..lcdmi...v....x..lcdm"},
    {0x2460, "123456789"},
    {0x249C, "abcdefghijklmnopqrstuvwxyz"},
    {0x24B6, "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz0"},
    {0x2C7C, "jv"},
    {0xA69D, "b"},
    {0xA730, "fs"},
    {0xA7F1, "scfq...h"},
    {0xAB5E, "l"},
    {0xFF10, "0123456789"},
    {0xFF21, "abcdefghijklmnopqrstuvwxyz"},
    {0xFF41, "abcdefghijklmnopqrstuvwxyz"},
    {0x10784, "bb.....dd.....gg.hh"},
    {0x107A2, "o..q....r....t..y"},
    {0x1CCD6, "abcdefghijklmnopqrstuvwxyz0123456789"},
    {0x1D400, "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefg.ijklmnop"
              "qrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyza.cd..g..jk..nopq.stuvwxyzabcd.f"
              ".hijklmn.pqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzab.defg..jklmnopq.stuv"
              "wxy.abcdefghijklmnopqrstuvwxyzab.defg.ijklm.o...stuvwxy.abcdefghijklmnopqrstuvwxyzabcdefghijkl"
              "mnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzab"
              "cdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqr"
              "stuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefgh"
              "ijklmnopqrstuvwxyzij..ab..ezh.ik.mn.o.p..ty.x...aby.ezn.ik.mv.o.p..tu.x...e.k.p.ab..ezh.ik.mn."
              "o.p..ty.x...aby.ezn.ik.mv.o.p..tu.x...e.k.p.ab..ezh.ik.mn.o.p..ty.x...aby.ezn.ik.mv.o.p..tu.x."
              "..e.k.p.ab..ezh.ik.mn.o.p..ty.x...aby.ezn.ik.mv.o.p..tu.x...e.k.p.ab..ezh.ik.mn.o.p..ty.x...ab"
              "y.ezn.ik.mv.o.p..tu.x...e.k.p.....01234567890123456789012345678901234567890123456789"},
    {0x1E030, "a.b..e.3.k.mo.pcty.x"},
    {0x1E04C, "ij.yla.b..e.3.k.o.cy.x"},
    {0x1E068, "is"},
    {0x1F12B, "cr...abcdefghijklmnopqrstuvwxyz......abcdefghijklmnopqrstuvwxyz......abcdefghijklmnopqrstuvwxy"
              "z"},
    {0x1FBF0, "0123456789"}};

/* They change the letter before them. */
static const uint32_t marks[][2] = {{0x300, 0x36F},   {0x483, 0x489},   {0x1AB0, 0x1AFF},
                                    {0x1DC0, 0x1DFF}, {0x20D0, 0x20FF}, {0xFE20, 0xFE2F}};

/* Capitals whose small letters follow them. */
static const uint32_t capitals[][3] = {{0x391, 0x3A9, 32}, {0x400, 0x40F, 80}, {0x410, 0x42F, 32}, {0x531, 0x556, 48}};

static uint32_t twin(uint32_t cp)
{
  size_t low = 0, high = HO_COUNT(runs);
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (runs[middle].first <= cp)
      low = middle;
    else
      high = middle;
  }
  if (cp < runs[low].first || cp - runs[low].first >= strlen(runs[low].letters))
    return cp;
  char letter = runs[low].letters[cp - runs[low].first];
  return letter == '.' ? cp : (uint32_t)letter;
}

uint32_t ho_seen_alike(uint32_t cp)
{
  for (size_t i = 0; i < HO_COUNT(marks); i++)
    if (cp >= marks[i][0] && cp <= marks[i][1])
      return 0;
  uint32_t seen = twin(cp);
  for (size_t i = 0; seen == cp && i < HO_COUNT(capitals); i++)
    if (cp >= capitals[i][0] && cp <= capitals[i][1])
      return twin(cp + capitals[i][2]);
  return seen;
}
