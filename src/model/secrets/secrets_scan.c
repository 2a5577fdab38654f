/* One pass over a text: at each byte, whatever could begin there. */
#include <pthread.h>

#include "base/grow.h"
#include "model/secrets/secrets_inside.h"

enum { MOST_BACK = 16, LEAST_FAR = 30, MOST_FAR = 96, PAIR_REACH = 160, LINE = 60, LONGEST_LINE = 80 };

static pthread_once_t once = PTHREAD_ONCE_INIT;

static size_t bucket_of(char a, char b)
{
  return ((unsigned)tolower((unsigned char)a) * 37 + (unsigned)tolower((unsigned char)b)) %
         HO_COUNT(((struct ho_secret_index *)0)->heads);
}

#define SET(name, set) [HO_SECRET_OF_##name] = (set),
static const unsigned sets[] = {HO_SECRET_ALPHABETS(SET)};
#undef SET

/* What at_byte knows, beside letters. */
static const char kinds[] = "-\xe2:=>,({./\n \t|?@";

/* What the rules of the first table begin with, and the words of commands: asked first, since most bytes begin neither. */
static ho_secret_begins rule_begins, command_begins;
/* The bytes with which nothing begins at all. */
static bool idle[256];
/* In fewer bytes, no rule of the first table finds anything: each begins with two at least. */
static size_t shortest;

/* A bit of ho_secret_begins. */
static size_t hash_of(uint32_t bytes)
{
  _Static_assert(sizeof rule_begins.bits * 8 == 1u << (32 - 18), "a bit for each hash");
  return (uint32_t)(bytes * 2654435761u) >> 18;
}

/* Two bytes as they are, and three in any case. */
static size_t pair_of(char a, char b)
{
  return hash_of(1u << 24 | (uint32_t)(unsigned char)a << 8 | (unsigned char)b);
}

static size_t triple_of(const char *begin)
{
  const unsigned char *bytes = (const unsigned char *)begin;
  return hash_of(((uint32_t)bytes[0] << 16 | (uint32_t)bytes[1] << 8 | bytes[2]) | 0x202020);
}

static void set_bit(ho_secret_begins *begins, size_t bit)
{
  begins->bits[bit / 64] |= (uint64_t)1 << (bit % 64);
}

static bool has_bit(const ho_secret_begins *begins, size_t bit)
{
  return begins->bits[bit / 64] >> (bit % 64) & 1;
}

/* Two bytes, letters in any case: of both kinds. */
static size_t first_two(const char *begin)
{
  return ((size_t)(unsigned char)begin[0] << 8 | (unsigned char)begin[1]) | 0x2020;
}

static void note_pair(ho_secret_begins *begins, const char *begin, bool any_case)
{
  char a[] = {begin[0], (char)toupper((unsigned char)begin[0]), (char)tolower((unsigned char)begin[0])};
  char b[] = {begin[1], (char)toupper((unsigned char)begin[1]), (char)tolower((unsigned char)begin[1])};
  for (size_t i = 0; i < (any_case ? HO_COUNT(a) * HO_COUNT(b) : 1); i++)
    set_bit(begins, pair_of(a[i / HO_COUNT(b)], b[i % HO_COUNT(b)]));
}

void ho_secret_note_begin(ho_secret_begins *begins, const char *begin, bool any_case)
{
  idle[(unsigned char)begin[0]] = false; /* letters are not idle in any case */
  begins->first_two[first_two(begin) / 64] |= (uint64_t)1 << (first_two(begin) % 64);
  if (begin[2])
    set_bit(begins, triple_of(begin));
  else
    note_pair(begins, begin, any_case);
}

static bool may_begin(const ho_secret_begins *begins, ho_str text, size_t at)
{
  if (at + 1 >= text.n)
    return false;
  size_t two = first_two(text.p + at);
  if (!(begins->first_two[two / 64] >> (two % 64) & 1))
    return false;
  return (at + 2 < text.n && has_bit(begins, triple_of(text.p + at))) ||
         has_bit(begins, pair_of(text.p[at], text.p[at + 1]));
}

static void build(const ho_secret_table *table)
{
  struct ho_secret_index *index = table->index;
  for (size_t i = 0; i < table->count && i < HO_COUNT(index->nexts); i++) {
    size_t bucket = bucket_of(table->rules[i].begin[0], table->rules[i].begin[1]);
    index->nexts[i] = index->heads[bucket];
    index->heads[bucket] = (uint16_t)(i + 1);
  }
}

/* Every command that looks for anything builds them once, hooks too, so this is kept short. */
static void build_all(void)
{
  build(&ho_secret_rules);
  build(&ho_secret_owners);
  for (unsigned c = 0; c < HO_COUNT(idle); c++)
    idle[c] = !(ho_secret_class[c] & sets[HO_SECRET_OF_ANY64]);
  for (size_t i = 0; i < sizeof kinds - 1; i++)
    idle[(unsigned char)kinds[i]] = false;
  shortest = HO_SECRET_SHORTEST_LINE;
  for (size_t i = 0; i < ho_secret_rules.count; i++) {
    const ho_secret_rule *rule = &ho_secret_rules.rules[i];
    size_t n = 2 + rule->least + (rule->flags & HO_SECRET_FAR ? LEAST_FAR : 0);
    shortest = n < shortest ? n : shortest;
    ho_secret_note_begin(&rule_begins, rule->begin, rule->flags & HO_SECRET_NOCASE);
  }
  ho_secret_command_begins(&command_begins);
  ho_secret_name_ends();
}

const ho_secret_rule *ho_secret_first(const ho_secret_table *table, ho_str text)
{
  unsigned i = table->index->heads[bucket_of(text.p[0], text.p[1])];
  return i ? &table->rules[i - 1] : NULL;
}

const ho_secret_rule *ho_secret_next(const ho_secret_table *table, const ho_secret_rule *rule)
{
  unsigned i = table->index->nexts[rule - table->rules];
  return i ? &table->rules[i - 1] : NULL;
}

size_t ho_secret_run(ho_secret_scan *scan, size_t at, ho_secret_alphabet of)
{
  ho_str text = scan->text;
  size_t end = at;
  if (at >= scan->run_begin[of] && at < scan->run_end[of])
    return scan->run_end[of];
  while (end < text.n && (ho_secret_class[(unsigned char)text.p[end]] & sets[of]))
    end++;
  scan->run_begin[of] = at;
  scan->run_end[of] = end;
  return end;
}

void ho_secret_add(ho_secret_scan *scan, const char *shape, size_t begin, size_t end)
{
  ho_secret *added = begin < end ? HO_PUSH(scan->arena, scan->out->items, scan->out->count) : NULL;
  if (added)
    *added = (ho_secret){.shape = shape, .begin = begin, .end = end};
}

static bool is_alnum(char c)
{
  return ho_secret_class[(unsigned char)c] & HO_SECRET_ALNUM;
}

/* A word begins here, or what stands before it is the letter of an escape (\n) or of a colour (ESC [ 3 2 m). */
static bool starts_word(ho_str text, size_t at)
{
  if (!at || !is_alnum(text.p[at - 1]))
    return true;
  return at > 1 && (text.p[at - 2] == '\\' || (text.p[at - 1] == 'm' && isdigit((unsigned char)text.p[at - 2])));
}

/* Three digits, or one among letters of both cases. */
static bool has_numbers(ho_str value)
{
  int digits = 0;
  for (size_t i = 0; i < value.n && i < 64 && digits < 3; i++)
    digits += isdigit((unsigned char)value.p[i]) != 0;
  return digits == 3 || (digits && ho_secret_scrambled(value));
}

/* Where what belongs to the rule's beginning at `at` begins; HO_NONE if that is not there. */
static size_t back_from(ho_str text, size_t at, unsigned flags)
{
  size_t begin = at, most = flags & HO_SECRET_FAR ? MOST_FAR : MOST_BACK;
  unsigned classes = HO_SECRET_ALNUM | (flags & HO_SECRET_FAR ? HO_SECRET_PLUS : 0);
  while (begin && at - begin < most && (ho_secret_class[(unsigned char)text.p[begin - 1]] & classes))
    begin--;
  if (flags & HO_SECRET_FAR &&
      (at - begin < LEAST_FAR || !ho_secret_random(ho_str_sub(text, begin, at), HO_SECRET_OF_BASE64)))
    return HO_NONE;
  return begin;
}

static bool matches(ho_secret_scan *scan, size_t at, const ho_secret_rule *rule, size_t *begin, size_t *end)
{
  ho_str text = scan->text, rest = ho_str_sub(text, at, text.n);
  size_t n = strlen(rule->begin);
  if (rule->flags & HO_SECRET_NOCASE ? !ho_str_starts_nocase(rest, rule->begin) : !ho_str_starts(rest, rule->begin))
    return false;
  if (!(rule->flags & (HO_SECRET_ANYWHERE | HO_SECRET_FAR)) && isalnum((unsigned char)rule->begin[0]) &&
      !starts_word(text, at))
    return false;
  size_t last = ho_secret_run(scan, at + n, rule->of);
  for (int i = 0; i < 4 && last > at + n && strchr(".-=", text.p[last - 1]) && rule->of != HO_SECRET_OF_BASE64; i++)
    last--; /* a full stop after a token is not part of it */
  ho_str value = ho_str_sub(text, at + n, last);
  if (value.n < rule->least || ((rule->most || rule->flags & HO_SECRET_FAR) && value.n > rule->most))
    return false;
  if (!(rule->flags & HO_SECRET_PLAIN) && !ho_secret_random(value, rule->of))
    return false;
  if ((rule->flags & HO_SECRET_NUMBERS) && !has_numbers(value))
    return false;
  for (size_t i = 0; rule->flags & HO_SECRET_BASE58 && i < value.n; i++)
    if (strchr("0OIl", value.p[i]))
      return false;
  *begin = rule->flags & HO_SECRET_TAIL ? at + n : at;
  if (rule->flags & (HO_SECRET_BACK | HO_SECRET_FAR))
    *begin = back_from(text, at, rule->flags);
  *end = last;
  return *begin != HO_NONE;
}

static size_t at_rule(ho_secret_scan *scan, size_t at)
{
  const ho_secret_rule *best = NULL;
  ho_str rest = ho_str_sub(scan->text, at, scan->text.n);
  size_t begin = at, end = at, from, to;
  for (const ho_secret_rule *rule = rest.n > 1 ? ho_secret_first(&ho_secret_rules, rest) : NULL; rule;
       rule = ho_secret_next(&ho_secret_rules, rule))
    if ((!best || strlen(rule->begin) > strlen(best->begin)) && matches(scan, at, rule, &from, &to))
      best = rule, begin = from, end = to;
  if (!best)
    return at;
  if (best->flags & HO_SECRET_LINES && end - begin >= LINE && end - begin <= LONGEST_LINE)
    end = ho_secret_key_lines(scan->text, begin, end);
  if (best->flags & HO_SECRET_PAIR)
    scan->pair_until = end + PAIR_REACH;
  ho_secret_add(scan, best->shape, begin, end);
  return end;
}

/* What begins with this byte, beside the rules. */
static size_t at_byte(ho_secret_scan *scan, size_t at, char c)
{
  switch (c) {
  case '-': {
    size_t end = ho_secret_at_option(scan, at);
    return end > at ? end : ho_secret_at_arrow(scan, at);
  }
  case '\xe2': /* all of them begin with it */
    return ho_secret_at_arrow(scan, at);
  case ':': {
    size_t end = ho_secret_at_url(scan, at);
    return end > at ? end : ho_secret_at_separator(scan, at);
  }
  case '=':
  case '>':
  case ',':
  case '(':
  case '{':
    return ho_secret_at_separator(scan, at);
  case ' ':
  case '\t':
    return ho_secret_name_may_end(scan->text, at) ? ho_secret_at_blank(scan, at) : at;
  case '|':
  case '?':
    return ho_secret_at_default(scan, at);
  case '@':
    return ho_secret_at_login(scan, at);
  case '.':
    return ho_secret_at_dot(scan, at);
  case '/':
    return ho_secret_at_numbered(scan, at);
  case 'P':
    return starts_word(scan->text, at) ? ho_secret_at_block(scan, at) : at;
  case 'b':
  case 'B': {
    size_t end = starts_word(scan->text, at) ? ho_secret_at_block(scan, at) : at;
    return end == at && starts_word(scan->text, at) ? ho_secret_at_basic(scan, at) : end;
  }
  case 'o':
    return starts_word(scan->text, at) && at + 2 < scan->text.n && scan->text.p[at + 2] == ' '
               ? ho_secret_at_default(scan, at)
               : at;
  case 'm':
    return starts_word(scan->text, at) ? ho_secret_at_netrc(scan, at) : at;
  case 'W':
    return starts_word(scan->text, at) ? ho_secret_at_network(scan, at) : at;
  case 'e':
  case 'M':
  case 'N':
  case 'O':
    return starts_word(scan->text, at) ? ho_secret_at_web_token(scan, at) : at;
  case '\n':
    if (!at || scan->text.p[at - 1] != '\\')
      scan->program = NULL;
    return at;
  default:
    return at;
  }
}

static bool is_64(char c)
{
  return ho_secret_class[(unsigned char)c] & sets[HO_SECRET_OF_ANY64];
}

/* A run of base64: something may be encoded in it, or it is a line of a key. Most are words, too short for either, unless
 * what follows is a sign of base64 that is written in another way. */
static void at_run(ho_secret_scan *scan, size_t at)
{
  ho_str text = scan->text;
  size_t end = ho_secret_run(scan, at, HO_SECRET_OF_ANY64);
  bool goes_on = end < text.n && (text.p[end] == '\\' || text.p[end] == '%' || text.p[end] == '&');
  if (at < scan->pair_until)
    ho_secret_at_pair(scan, at);
  if (end - at < HO_SECRET_SHORTEST_RUN && !goes_on)
    return;
  ho_secret_at_base64(scan, at);
  ho_secret_at_lines(scan, at);
}

static size_t at_start(ho_secret_scan *scan, size_t at)
{
  ho_str text = scan->text;
  char c = text.p[at];
  if (is_64(c) && (!at || !is_64(text.p[at - 1])))
    at_run(scan, at);
  bool command = may_begin(&command_begins, text, at);
  if (command && (islower((unsigned char)c) || c == '7') && (!at || !is_64(text.p[at - 1]) || starts_word(text, at)))
    ho_secret_note_program(scan, at);
  size_t end = may_begin(&rule_begins, text, at) ? at_rule(scan, at) : at;
  if (end == at && command && starts_word(text, at))
    end = ho_secret_at_command(scan, at);
  return end > at ? end : at_byte(scan, at, c);
}

/* The next place from `at` on (not 0) where something may begin. Inside a word, only rules do; an escape or a colour may
 * end there, and another word begin. */
static size_t skip(ho_str text, size_t at)
{
  for (; at < text.n; at++) {
    bool inside = is_alnum(text.p[at]) && is_alnum(text.p[at - 1]) && text.p[at - 1] != 'm' &&
                  (at < 2 || text.p[at - 2] != '\\') && !may_begin(&rule_begins, text, at);
    bool blank = text.p[at] == ' ' || text.p[at] == '\t';
    if (!inside && !idle[(unsigned char)text.p[at]] && !(blank && !ho_secret_name_may_end(text, at)))
      break;
  }
  return at;
}

bool ho_secret_too_short(ho_str text)
{
  size_t i = 0;
  pthread_once(&once, build_all);
  while (i < text.n && i < shortest &&
         (ho_secret_class[(unsigned char)text.p[i]] & (HO_SECRET_ALNUM | HO_SECRET_UNDERSCORE)))
    i++;
  return i == text.n && i < shortest;
}

void ho_secret_scan_text(ho_str text, int depth, ho_arena *arena, ho_secret_list *out)
{
  ho_secret_scan scan = {.text = text, .arena = arena, .out = out, .depth = depth};
  pthread_once(&once, build_all);
  for (size_t at = 0; at < text.n;) {
    size_t end = at_start(&scan, at);
    at = skip(text, end > at ? end : at + 1);
  }
}
