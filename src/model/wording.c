#include "model/wording.h"

#include <ctype.h>
#include <pthread.h>
#include <stdatomic.h>

/* Lists of phrases, separated by '|', in lower case; a space stands for any run of white space, a final '*' for any
 * ending of the word. */
static const char vague_steps[] =
    "continue|keep working|keep going|carry on|work on|finish the rest|finish up|finish everything|"
    "finish it|finish the work|do the rest|do the remaining|complete the rest|complete the work|"
    "complete the remaining work|proceed|look into|make progress|pick up where|wrap up|resume|"
    "go on|move forward|poursuivre|continuer|terminer le reste|finir le reste|finir le travail|"
    "terminer le travail|avancer|reprendre";

/* Words that say no more than that something was done. A summary that consists only of these is implicit. */
static const char fillers[] =
    "a|above|after|again|ai|all|already|also|an|and|are|as|asked|at|be|been|before|by|can|change*|code|complete|"
    "completed|completes|correctly|did|discussed|do|done|else|everything|expected|feature*|fine|finished|for|"
    "from|fully|good|great|had|has|have|here|i|implementation|implemented|in|is|it|its|job|looks|made|my|needed|"
    "next|nothing|now|of|ok|okay|on|our|part|per|phase|planned|please|proceed|ready|request*|s|said|see|should|"
    "so|step*|stuff|success|successful|successfully|task*|that|the|there|these|they|thing*|this|those|to|up|ve|"
    "was|we|well|were|with|without|work|worked|working|works|yes|you|your|accompli*|au|aussi|avec|bien|bon|c|ce|"
    "ceci|cela|ces|cette|comme|convenu|d|dans|demandé|des|discuté|du|déjà|en|est|et|été|fait|faite|faites|faits|"
    "fini*|fonctionne*|haut|il|j|l|la|le|les|modification*|n|nous|par|plus|prévu|prêt*|qu|que|sont|tel|terminé*|"
    "tout|toutes|travail|tous|tâche*|un|une|va|voir|y|à|ça|étape*";

static const char open_ends[] =
    "tbd|tbc|to be decided|to be determined|to be defined|to be confirmed|to be discussed|to be clarified|"
    "unclear|undecided|not yet decided|not decided|not yet clear|not clear|decision pending|pending decision|"
    "still pending|pending clarification|pending confirmation|open question*|unresolved|don't know|do not know|"
    "not sure|unsure|needs clarification|need clarification|remains to be|à définir|à décider|à confirmer|"
    "à clarifier|à déterminer|à préciser|à discuter|pas clair*|pas encore décidé*|non résolu*|indécis*|"
    "décision en attente|question* ouverte*|reste à décider";

static const char qualities[] =
    "quick|quickly|fast|faster|soon|asap|as soon as possible|timely|good|great|nice|nicely|better|best|"
    "clean code|cleanly|proper|properly|appropriate|appropriately|efficient|efficiently|robust|scalable|"
    "user-friendly|intuitive|high-quality|high quality|quality|elegant|elegantly|optimal|optimally|optimized|"
    "maintainable|maintainability|readable|readability|reasonable|reasonably|adequate|adequately|performant|"
    "reliable|reliably|smooth|smoothly|modern|flexible|easy to|easily|simple|works well|work well|well written|"
    "well-written|well documented|well-documented|professional|beautiful|sufficient|sufficiently|seamless|"
    "seamlessly|responsive|improve*|thorough|thoroughly|rapide*|rapidement|vite|au plus vite|bon|bonne|bons|"
    "bonnes|code propre|proprement|correctement|approprié*|efficace*|efficacement|robuste*|performant*|optimal*|"
    "optimisé*|maintenable*|maintenabilité|lisible*|lisibilité|raisonnable*|fiable*|fluide*|moderne*|simple*|"
    "facile*|facilement|qualité|de qualité|élégant*|intuitif|intuitive*|ergonomique*|suffisant*";

/* Named checks and facts: afterwards one can tell whether they hold. */
static const char checks[] =
    "test|tests|tested|build|builds|ci|lint|linter|typecheck*|type-check*|compile*|pass|passes|passed|passing|"
    "fail|fails|failed|failing|failure*|green|exit code|exit status|coverage|benchmark*|exists|exist|present|"
    "absent|returns|return|matches|equals|identical|unchanged|approved|accepted|signed|signed off|sign-off|"
    "validated|reviewed|merged|deployed|published|documented|listed|answered|justification|rejects|rejected|"
    "refuses|schema|checklist|true|false|error*|warning*|wcag|owasp|réussi*|réussissent|passe|passent|échoue*|"
    "échec*|couverture|existe*|présent*|validé*|approuvé*|accepté*|signé*|publié*|déployé*|documenté*|erreur*|"
    "compilent";

static const char quantities[] =
    "no|none|zero|all|every|each|any|without|only|never|always|exactly|both|at least|at most|less than|more than|"
    "fewer than|no more than|within|below|above|under|must not|one|two|three|four|five|ten|aucun*|zéro|tous|"
    "toutes|chaque|sans|uniquement|seulement|jamais|toujours|au moins|au plus|moins de|plus de|exactement";

static const char narrations[] =
    "i searched|i looked|i read|i opened|i went|i checked|i started|i began|i tried|i ran|i explored|i browsed|"
    "i examined|i investigated|i noticed|i then|i also|i first|i found|i have searched|i have looked|i have read|"
    "i've searched|i've looked|i've read|i've checked|i analyzed|i reviewed|i used grep|then i|first i|next i|"
    "we searched|we looked|let me|i will now|i'll now|j'ai|ensuite j'*|nous avons cherché|nous avons regardé";

static const char creations[] =
    "created|creates|added|wrote|written|generated|produced|new file|new files|new folder|créé*|ajouté*|écrit*|"
    "généré*|rédigé*|nouveau fichier|nouveaux fichiers";

static const char essentials[] =
    "pattern*|decision*|decided|chose|chosen|recommend*|follow*|extend*|use|uses|using|create*|add*|conflict*|"
    "check*|test*|error*|fail*|pass*|risk*|depend*|missing|endpoint*|file*|folder*|motif*|décision*|choisi*|"
    "suivre|fichier*|risque*|manqu*";

/* File name endings that are enough to recognise a file. "js" is not among them: Node.js and Next.js are not files. */
static const char file_endings[] =
    "md|txt|ts|tsx|jsx|mjs|py|c|h|cc|cpp|hpp|go|rs|java|kt|rb|php|swift|lean|yaml|yml|json|jsonl|toml|ini|cfg|"
    "sql|prisma|css|scss|html|xml|svg|png|csv|sh|bash|vue|svelte|lock|pdf|proto|graphql|ipynb|tex|env";

static const char file_names[] = ".env|.env.local|.gitignore|.gitattributes|.dockerignore|.editorconfig|.npmrc|.nvmrc|"
                                 ".prettierrc|.eslintrc|Makefile|Dockerfile|Justfile|justfile|Procfile|Gemfile";

/* A hyphen inside a word. */
static bool joins(ho_str text, size_t at)
{
  return at > 0 && at + 1 < text.n && !ho_str_is_space(text.p[at - 1]) && text.p[at - 1] != '-' &&
         (isalnum((unsigned char)text.p[at + 1]) || (unsigned char)text.p[at + 1] >= 0x80);
}

/* Part of a word: letters (of any script, roughly), digits, '_', '-' between them. Punctuation and symbols beyond ASCII
 * (U+0080..U+00BF, U+2000..U+2FFF, U+3000..U+303F) are not. */
static bool is_word_byte(ho_str text, size_t at)
{
  if (at >= text.n)
    return false;
  unsigned char c = (unsigned char)text.p[at];
  if (c < 0x80)
    return isalnum(c) || c == '_' || (c == '-' && joins(text, at));
  size_t lead = at;
  while (lead > 0 && at - lead < 3 && ((unsigned char)text.p[lead] & 0xC0) == 0x80)
    lead--;
  unsigned char first = (unsigned char)text.p[lead];
  if (first == 0xC2 || first == 0xE2)
    return false;
  return !(first == 0xE3 && lead + 1 < text.n && (unsigned char)text.p[lead + 1] == 0x80);
}

static bool starts_word(ho_str text, size_t at)
{
  return is_word_byte(text, at) && (at == 0 || !is_word_byte(text, at - 1));
}

/* The byte in lower case; also the second byte of U+00C0..U+00DE (À..Þ). */
static unsigned char lower_at(ho_str text, size_t at)
{
  unsigned char c = (unsigned char)text.p[at];
  if (c >= 'A' && c <= 'Z')
    return (unsigned char)(c + 32);
  if (c >= 0x80 && c <= 0x9E && c != 0x97 && at > 0 && (unsigned char)text.p[at - 1] == 0xC3)
    return (unsigned char)(c + 32);
  return c;
}

static bool curly_apostrophe(ho_str text, size_t at)
{
  return at + 3 <= text.n && memcmp(text.p + at, "\xE2\x80\x99", 3) == 0;
}

/* The end of the phrase if it occurs at `at` as whole words, else HO_NONE. */
static size_t match_at(ho_str text, size_t at, ho_str phrase)
{
  for (size_t i = 0; i < phrase.n; i++) {
    char c = phrase.p[i];
    if (c == ' ') {
      size_t from = at;
      while (at < text.n && ho_str_is_space(text.p[at]))
        at++;
      if (at == from)
        return HO_NONE;
    } else if (c == '*') {
      while (is_word_byte(text, at))
        at++;
    } else if (c == '\'' && curly_apostrophe(text, at)) {
      at += 3;
    } else {
      if (at >= text.n || lower_at(text, at) != (unsigned char)c)
        return HO_NONE;
      at++;
    }
  }
  return is_word_byte(text, at) ? HO_NONE : at;
}

/* A list of phrases as it is asked. What they begin with is a bit each, asked first, since most words begin none of them;
 * the phrases that begin with one letter are a chain. */
enum { MOST_PHRASES = 256, LETTERS = 32 };
typedef struct phrases {
  uint64_t pairs[16]; /* of two bytes, by their hash */
  uint64_t alone[4];  /* of one, where the second is not a letter of the phrase */
  const char *text;
  uint16_t count, firsts[LETTERS]; /* 1 + the first phrase with such a letter; 0: there is none */
  struct {
    uint16_t begin, n, next;
  } all[MOST_PHRASES];
} phrases;

static unsigned pair_of(unsigned char first, unsigned char second)
{
  return (first * 31u + second) % 1024;
}

static void add_phrase(phrases *list, ho_str phrase)
{
  unsigned char first = (unsigned char)phrase.p[0];
  bool two = phrase.n > 1 && !strchr(" *'", phrase.p[1]);
  unsigned pair = two ? pair_of(first, (unsigned char)phrase.p[1]) : 0;
  if (two)
    list->pairs[pair / 64] |= (uint64_t)1 << (pair % 64);
  else
    list->alone[first / 64] |= (uint64_t)1 << (first % 64);
  list->all[list->count].begin = (uint16_t)(phrase.p - list->text);
  list->all[list->count].n = (uint16_t)phrase.n;
  list->all[list->count].next = list->firsts[first % LETTERS];
  list->firsts[first % LETTERS] = ++list->count;
}

static void read_phrases(phrases *list, const char *text)
{
  ho_str rest = ho_str_of(text), phrase;
  *list = (phrases){.text = text};
  while (ho_str_next(&rest, '|', &phrase) && list->count < MOST_PHRASES)
    if (phrase.n)
      add_phrase(list, phrase);
}

static bool may_begin(const phrases *of, ho_str text, size_t at)
{
  unsigned char first = lower_at(text, at);
  unsigned pair = at + 1 < text.n ? pair_of(first, lower_at(text, at + 1)) : 0;
  return (of->alone[first / 64] >> (first % 64) & 1) || (at + 1 < text.n && (of->pairs[pair / 64] >> (pair % 64) & 1));
}

/* The longest of the phrases that occurs at `at`: returns its end, or HO_NONE. */
static size_t match_any(const phrases *of, ho_str text, size_t at)
{
  size_t best = HO_NONE;
  unsigned i = may_begin(of, text, at) ? of->firsts[lower_at(text, at) % LETTERS] : 0;
  for (; i; i = of->all[i - 1].next) {
    size_t end = match_at(text, at, (ho_str){of->text + of->all[i - 1].begin, of->all[i - 1].n});
    if (end != HO_NONE && (best == HO_NONE || end > best))
      best = end;
  }
  return best;
}

/* Right behind a letter or digit of ASCII, no word begins. */
static bool follows_letter(ho_str text, size_t at)
{
  unsigned char before = at ? (unsigned char)text.p[at - 1] : 0;
  return before < 0x80 && isalnum(before);
}

static bool find(ho_str text, const phrases *of, ho_str *found)
{
  for (size_t at = 0; at < text.n; at++) {
    if (follows_letter(text, at) || !may_begin(of, text, at) || !starts_word(text, at))
      continue;
    size_t end = match_any(of, text, at);
    if (end != HO_NONE) {
      if (found)
        *found = ho_str_sub(text, at, end);
      return true;
    }
  }
  return false;
}

bool ho_wording_find(ho_str text, const char *list, ho_str *found)
{
  phrases of;
  read_phrases(&of, list);
  return find(text, &of, found);
}

/* A list of this file, read once: a check asks for every sentence of a document. */
static const phrases *known(const char *list)
{
  static const char *const lists[] = {fillers,    open_ends, qualities,  checks,     quantities,
                                      narrations, creations, essentials, vague_steps};
  static phrases all[HO_COUNT(lists)];
  static atomic_bool done[HO_COUNT(lists)];
  static pthread_mutex_t one = PTHREAD_MUTEX_INITIALIZER;
  size_t i = 0;
  while (lists[i] != list)
    i++;
  if (!atomic_load_explicit(&done[i], memory_order_acquire)) {
    pthread_mutex_lock(&one);
    if (!atomic_load_explicit(&done[i], memory_order_relaxed))
      read_phrases(&all[i], list);
    atomic_store_explicit(&done[i], true, memory_order_release);
    pthread_mutex_unlock(&one);
  }
  return &all[i];
}

static bool has(ho_str text, const char *list, ho_str *found)
{
  return find(text, known(list), found);
}

size_t ho_wording_count(ho_str text)
{
  size_t count = 0;
  for (size_t i = 0; i < text.n; i++)
    if (!ho_str_is_space(text.p[i]) && (i == 0 || ho_str_is_space(text.p[i - 1])))
      count++;
  return count;
}

static bool has_digit(ho_str text)
{
  for (size_t i = 0; i < text.n; i++)
    if (isdigit((unsigned char)text.p[i]))
      return true;
  return false;
}

/* A number, a path, or something in backticks. */
static bool is_concrete(ho_str text)
{
  ho_str rest = text, path;
  return has_digit(text) || ho_str_find_char(text, '`') != HO_NONE || ho_wording_path(&rest, &path);
}

bool ho_wording_vague(ho_str text, ho_str *found)
{
  size_t at = 0;
  while (at < text.n && !is_word_byte(text, at))
    at++;
  size_t end = at < text.n ? match_any(known(vague_steps), text, at) : HO_NONE;
  if (end == HO_NONE || is_concrete(text))
    return false;
  if (found)
    *found = ho_str_sub(text, at, end);
  return true;
}

bool ho_wording_implicit(ho_str text)
{
  const phrases *of = known(fillers);
  for (size_t at = 0; at < text.n; at++)
    if (starts_word(text, at) && match_any(of, text, at) == HO_NONE)
      return false;
  return true;
}

bool ho_wording_eaten(ho_str text)
{
  ho_str line;
  while (ho_str_next_line(&text, &line)) {
    line = ho_str_trim(line);
    for (size_t i = 1; i + 2 < line.n; i++)
      if (line.p[i] == ' ' && line.p[i + 1] == ' ' && isalpha((unsigned char)line.p[i - 1]) &&
          isalpha((unsigned char)line.p[i + 2]))
        return true;
  }
  return false;
}

bool ho_wording_undecided(ho_str text, ho_str *found)
{
  return has(text, open_ends, found);
}

bool ho_wording_quality(ho_str text, ho_str *found)
{
  return has(text, qualities, found);
}

static bool has_comparison(ho_str text)
{
  static const char *const signs[] = {"<", ">", "=", "%", "\xE2\x89\xA4", "\xE2\x89\xA5", "\xE2\x89\xA0"}; /* ≤ ≥ ≠ */
  for (size_t i = 0; i < HO_COUNT(signs); i++)
    if (ho_str_has(text, signs[i]))
      return true;
  return false;
}

bool ho_wording_measurable(ho_str text)
{
  if (has_digit(text) || has_comparison(text) || ho_str_find_char(text, '`') != HO_NONE || has(text, checks, NULL))
    return true;
  return has(text, quantities, NULL) && !has(text, qualities, NULL);
}

bool ho_wording_narration(ho_str text, ho_str *found)
{
  return has(text, narrations, found);
}

static bool is_code_line(ho_str line)
{
  line = ho_str_trim(line);
  return line.n > 1 && (ho_str_ends(line, ";") || ho_str_ends(line, "{") || ho_str_ends(line, "}") ||
                        ho_str_ends(line, "});") || ho_str_ends(line, "=>"));
}

bool ho_wording_raw(ho_str text, ho_str *found)
{
  static const char *const signs[] = {"```", "~~~", "diff --git", "\n@@ ", "lines of code]", "the following code"};
  ho_str sign = HO_EMPTY, trimmed = ho_str_trim(text);
  for (size_t i = 0; i < HO_COUNT(signs) && !sign.n; i++)
    if (ho_str_has(text, signs[i]))
      sign = ho_str_trim(ho_str_of(signs[i]));
  if (!sign.n && ((ho_str_starts(trimmed, "{") && ho_str_ends(trimmed, "}")) ||
                  (ho_str_starts(trimmed, "[{") && ho_str_ends(trimmed, "]"))))
    sign = ho_str_sub(trimmed, 0, 1);
  size_t code_lines = 0;
  for (ho_str rest = text, line; !sign.n && ho_str_next_line(&rest, &line);)
    if (is_code_line(line) && ++code_lines == 3)
      sign = ho_str_trim(line);
  if (sign.n && found)
    *found = sign;
  return sign.n > 0;
}

bool ho_wording_essential(ho_str text)
{
  ho_str rest = text, path;
  return ho_str_find_char(text, '`') != HO_NONE || has(text, essentials, NULL) || ho_wording_path(&rest, &path);
}

bool ho_wording_sentence(ho_str *rest, ho_str *sentence)
{
  if (rest->n == 0)
    return false;
  size_t end = 0;
  for (; end < rest->n; end++) {
    char c = rest->p[end];
    if (c == '\n' || (strchr(".!?;", c) && end + 1 < rest->n && ho_str_is_space(rest->p[end + 1])))
      break;
  }
  *sentence = ho_str_trim(ho_str_sub(*rest, 0, end));
  *rest = ho_str_sub(*rest, end + 1, rest->n);
  return true;
}

bool ho_wording_created(ho_str text, ho_str *found)
{
  return has(text, creations, found);
}

static bool is_path_byte(char c)
{
  return isalnum((unsigned char)c) || (unsigned char)c >= 0x80 || (c && strchr("_.@/~+-", c));
}

static size_t count_char(ho_str text, char c)
{
  size_t count = 0;
  for (size_t i = 0; i < text.n; i++)
    count += text.p[i] == c;
  return count;
}

/* The part after the last dot of the last name, or nothing: "ts" of "src/a.ts". A number is not an ending. */
static ho_str ending_of(ho_str path)
{
  size_t i = path.n;
  while (i > 0 && isalnum((unsigned char)path.p[i - 1]))
    i--;
  if (i < 2 || i == path.n || path.p[i - 1] != '.' || path.p[i - 2] == '/' || !isalpha((unsigned char)path.p[i]))
    return HO_EMPTY;
  return ho_str_sub(path, i, path.n);
}

static bool has_letter(ho_str text)
{
  for (size_t i = 0; i < text.n; i++)
    if (isalpha((unsigned char)text.p[i]))
      return true;
  return false;
}

/* ticked: it is in backticks, so it is not the name of a product ("Node.js"). */
static bool looks_like_path(ho_str token, bool ticked)
{
  if (token.n < 3 || !has_letter(token) || ho_str_has(token, "//"))
    return false;
  ho_str ending = ending_of(token);
  size_t slashes = count_char(token, '/');
  bool script = ho_str_is(ending, "js") && (ticked || count_char(token, '.') > 1);
  if (slashes == 0)
    return (ending.n && ho_str_list_has_nocase(file_endings, ending)) || script || ho_str_list_has(file_names, token);
  return (ending.n && ending.n <= 8) || ho_str_ends(token, "/") || token.p[0] == '.' || token.p[0] == '/' ||
         slashes >= 2;
}

/* The token at from..to is only a fragment: "src/" of "src/[id]/a.ts" or before a wildcard, "HOME/x" of "$HOME/x". */
static bool is_piece(ho_str text, size_t from, size_t to)
{
  if (from > 0 && (text.p[from - 1] == '$' || text.p[from - 1] == '%'))
    return true;
  if (to >= text.n || to == from || !strchr("*{[<$(", text.p[to]))
    return false;
  bool goes_on = to + 1 < text.n && is_path_byte(text.p[to + 1]) && text.p[to] != '<' && text.p[to] != '(';
  return goes_on || text.p[to - 1] == '/';
}

bool ho_wording_path(ho_str *rest, ho_str *path)
{
  while (rest->n) {
    size_t from = 0, to;
    while (from < rest->n && !is_path_byte(rest->p[from]))
      from++;
    for (to = from; to < rest->n && is_path_byte(rest->p[to]);)
      to++;
    ho_str token = ho_str_sub(*rest, from, to);
    bool ticked = from > 0 && rest->p[from - 1] == '`';
    /* "https:" before it, or a host's ':' after it: a web address, which extends to the next blank */
    if (to + 2 < rest->n && rest->p[to] == ':' && rest->p[to + 1] == '/' && rest->p[to + 2] == '/') {
      while (to < rest->n && !ho_str_is_space(rest->p[to]))
        to++;
      token = HO_EMPTY;
    }
    if (is_piece(*rest, from, to)) {
      while (to < rest->n && !ho_str_is_space(rest->p[to]) && rest->p[to] != '`')
        to++;
      token = HO_EMPTY;
    }
    *rest = ho_str_sub(*rest, to, rest->n);
    while (token.n && strchr(".-+", token.p[token.n - 1]))
      token.n--;
    if (looks_like_path(token, ticked)) {
      *path = token;
      return true;
    }
  }
  return false;
}
