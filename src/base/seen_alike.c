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
    {0xB2, "23.m...1o.....aaaaaa.ceeeeiiii.nooooo.ouuuuy..aaaaaa.ceeeeiiii.nooooo.ouuuuy.yaaaaaaccccccccdd"
           "ddeeeeeeeeeegggggggghhhhiiiiiiiiii..jjkk.llllllllllnnnnnn...oooooo..rrrrrrssssssssttttttuuuuuu"
           "uuuuuuwwyyyzzzzzzsbbbb...cc.ddd....ffg...ikkl..nnooo..pp.....ttttuu.vyyzz"},
    {0x1C5, "d..l..n.aaiioouuuuuuuuuu.aaaa..ggggkkoooo..j.d.gg..nnaa..ooaaaaeeeeiiiioooorrrruuuusstt..hhnd."
            ".zzaaeeooooooooyylntj..accltsz..bu.eejj.qrryy.a.b.cdd"},
    {0x25F, "jggg...h.iiilll...mnnno......rrr.r.s.j...tu.v...yzz"},
    {0x299, "b.ghj.lq"},
    {0x2B0, "hhjr...wy"},
    {0x2E1, "lsx"},
    {0x37F, "j......a.ehi.o.y.iab..ezh.ik.mn.o.p..ty.x..iyaeniuaby.ezn.ik.mv.o.p..tu.x..iuou..b.yyy"},
    {0x3EC, "oo..kpcj.e...c......ee...siij...k.y.a.b..e.3..k.mho.pcty.x......b...a.b..e.3..k.mho.pcty.x...."
            "..b...ee...siij...k.y"},
    {0x48E, "pp"},
    {0x498, "33kkkkkk..hh......ccttyyyyxx......hh.e.el..kk..hhhh..mmlaaaa..ee......33......oo......yyyyyy"},
    {0x4FC, "xxxx.d"},
    {0x51A, "qqww....hh..hhhh"},
    {0x561, "w"},
    {0x578, "n....u...g...o"},
    {0x966, "o"},
    {0x9E6, "0"},
    {0xA66, "0"},
    {0xC66, "o"},
    {0xCE6, "o"},
    {0xD20, "o"},
    {0xD66, "o"},
    {0xE50, "o"},
    {0xED0, "o"},
    {0x101D, "o"},
    {0x1040, "o"},
    {0x13A0, "drt..i...yaje......w.p.m...h.yo.g.hz..i"},
    {0x13CE, "4b..r.ws...vs...lc..p...kd......6....gb......gb"},
    {0x142F, "v"},
    {0x143A, "w"},
    {0x144C, "u.n......c"},
    {0x146D, "p.d..b"},
    {0x148D, "j"},
    {0x14AA, "l"},
    {0x14BF, "2"},
    {0x1515, "s"},
    {0x1541, "x"},
    {0x156E, "e"},
    {0x157C, "h"},
    {0x1587, "r"},
    {0x15B4, "f"},
    {0x15C5, "a"},
    {0x15DE, "d"},
    {0x15E9, "ad.....m...e..b"},
    {0x166D, "x"},
    {0x16A0, "f"},
    {0x16B1, "r.....x"},
    {0x16C1, "i"},
    {0x16D2, "b..km"},
    {0x1D00, "a..bcd.e..jklm.o"},
    {0x1D18, "p..tu...vwz"},
    {0x1D2C, "a.b.de.ghijklmn.o.prtuwa.a.bde...g.km.o...ptu..v.by..xiruvbyp.x.bdfmnprrstz.hg...p..bdfgklmnpr"
             "s.vxza.de...i..u..cc..f.g.iiiijlllm.nnno.s.tu.uv.zzz"},
    {0x1E00, "aabbbbbbccddddddddddeeeeeeeeeeffgghhhhhhhhhhiiiikkkkkkllllllllmmmmmmnnnnnnnnoooooooopppprrrrrr"
             "rrssssssssssttttttttuuuuuuuuuuvvvvwwwwwwwwwwxxxxyyzzzzzzhtwyasss..aaaaaaaaaaaaaaaaaaaaaaaaeeee"
             "eeeeeeeeeeeeiiiioooooooooooooooooooooooouuuuuuuuuuuuuuyyyyyyyy..vvyyaaaaaaaaaaaaaaaaeeeeee..ee"
             "eeee..nnnnnnnnhhhhhhhhiiiiiiiiiiiiiiiioooooo..oooooo..uuuuuuuu.y.y.y.y"},
    {0x1F70, "aaeenniioouu....aaaaaaaaaaaaaaaannnnnnnnhhhhhhhh"},
    {0x1FB0, "aaaaa.aaaaaaa.i...nnn.nneehhh...iiii..iiiiii....uuuuppuuyyyyp"},
    {0x1FF8, "oo"},
    {0x2070, "0i..456789.....n0123456789......aeox.hklmnpst"},
    {0x2102, "c"},
    {0x210A, "ghhhhhiill.n...pqrrr......z...z.kabc.eef.mo....i...y"},
    {0x2145, "ddeij"},
    {0x2160, "i...v....x..lcdmi...v....x..lcdm"},
    {0x2460, "123456789"},
    {0x249C, "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz0"},
    {0x2C60, "lllprathhkkzz.m..vwwv...e.o.jvszaabb....ee..zzhh..iikk..mmnn..oo..ppccttyy..xx...w"},
    {0x2D39, "e......o"},
    {0x2D4A, "i....i....o....o...x"},
    {0x3007, "o"},
    {0x3021, "i"},
    {0xA4D0, "bpddt.gk.jc.zf.mnlsr..vh..wxy.a.e.iou"},
    {0xA68A, "tt"},
    {0xA69D, "b"},
    {0xA730, "fs"},
    {0xA740, "kkkkkk..lloooo..ppppppqqqq....vv"},
    {0xA779, "ddffg....rrsstt......l.nnccchbbff......ggkknnrrssh.gl.q..j.....uu"},
    {0xA7C4, "cszddss"},
    {0xA7F1, "scfq...h"},
    {0xAB33, "ee.glllmn"},
    {0xAB46, "r..r.rr.u...u...xxxxy..llu"},
    {0xAB70, "drt..i...yaje......w.p.m...h.yo.g.hz..i"},
    {0xAB9E, "4b..r.ws...vs...lc..p...kd......6"},
    {0xFF10, "0123456789"},
    {0xFF21, "abcdefghijklmnopqrstuvwxyz......abcdefghijklmnopqrstuvwxyz"},
    {0x10784, "bb.....ddd....ggghh....lll....o..q..rrr....tv.y"},
    {0x107BA, "s"},
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
    {0x1DF04, "l....t"},
    {0x1DF11, "l.l..r...io.cs"},
    {0x1E030, "a.b..e.3.k.mo.pcty.x"},
    {0x1E04C, "ij.yla.b..e.3.k.o.cy.x......is"},
    {0x1F110, "abcdefghijklmnopqrstuvwxyz.cr...abcdefghijklmnopqrstuvwxyz......abcdefghijklmnopqrstuvwxyz...."
              "..abcdefghijklmnopqrstuvwxyz"},
    {0x1F1A5, "d"},
    {0x1F1E6, "abcdefghijklmnopqrstuvwxyz"},
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
