/* The words of freeform notes: tables of phrases, and what they mean. */
#include "base/utf8.h"
#include "model/check.h"
#include "model/notes/notes_parts.h"
#include "model/wording.h"

/* Only this much of a passage is judged: by then it has made its point. */
enum { JUDGED = 4000 };

typedef struct words {
  unsigned kind;
  const char *phrases;
} words;

/* Headings and labels; the first that fits counts, but kinds of items may be combined ("Blockers / Open Questions"). */
static const words headings[] = {
    {HO_NOTE_GOTCHA,
     "not to try|don't try|do not try|what not to do|what didn't work|what did not work|dead end*|"
     "failed approach*|gotcha*|watch out*|be careful|careful|caveat*|warning*|pitfall*|known issue*|"
     "known problem*|known gap*|known limitation*|risk|risks|limitations|beware|failed|traps|reminder*|"
     "technical debt|tech debt|anti-pattern*|antipattern*|not working|known bug*|what's broken|still broken"},
    {HO_NOTE_BLOCKER, "blocker*|blocked|blocked by|blocking|blocking issue*|impediment*|waiting on|waiting for"},
    {HO_NOTE_QUESTION,
     "question*|unclear|unresolved|undecided|to decide|open issue*|open decision*|to clarify|clarification*|unknowns"},
    /* what is still to be done with files, and the state of one part */
    {HO_NOTE_OTHER, "files to create|files to add|files to modify|files to change|files to edit|branch status|"
                    "build status|git status|verification status|test status|deployment status|ci status|"
                    "backend status|frontend status|server status|environment status"},
    {HO_NOTE_CREATED, "files created|file created|created files|new files|new file|files added|added files|"
                      "artifacts created|documents created|created"},
    {HO_NOTE_DELETED, "files deleted|files removed|deleted files|removed files|what was removed|what was deleted"},
    {HO_NOTE_MODIFIED,
     "files modified|files changed|file changes|modified files|changed files|files touched|files updated|"
     "updated files|files edited|recent changes|code changes|modified"},
    {HO_NOTE_READ, "key files|files to read|files to review|files to check|critical references|related files|"
                   "read first|important files|required reading|context files|relevant files|see also|key references|"
                   "related documents|important docs|key docs|must read|reading list"},
    {HO_NOTE_PATTERN, "working rules|ground rules|house rules|rules for|principles|tips"},
    {HO_NOTE_NEXT, "next|next steps|next step|next up|next action*|next session|next agent|next phase|remaining|"
                   "remaining work|todo|todos|to do|to-do|to dos|action items|action item|what's left|what is left|"
                   "left to do|still to do|needs to be done|need to be done|follow up*|follow-up*|future work|upcoming|"
                   "pending|pending work|outstanding|immediate next action|suggested next steps|recommended next|"
                   "recommendations|tasks to do|pick up|where to start|start here|in progress|open items|open points|"
                   "open tasks|still open|loose ends|backlog|unfinished|not started|queued|what remains|first task*|"
                   "immediate task*|future improvement*|future enhancement*|nice to have"},
    {HO_NOTE_PATTERN, "pattern*|convention*|learning*|lesson*|insight*|best practice*|guideline*|always use|"
                      "what worked|worked|key learnings|learned|learnt"},
    {HO_NOTE_OTHER, "decision*|rationale|acceptance criteria|success criteria|objective*|continuation prompt|resume "
                    "prompt|prompt|commands|execution log|metadata|estimated time|alternatives*|expected result*"},
    {HO_NOTE_OUTCOME, "status|outcome|result|final status|overall status|current status|task status"},
    {HO_NOTE_FILES, "files|artifacts|file list|changes|changelog|code"},
    {HO_NOTE_DONE,
     "done|completed|complete|accomplished|accomplishments|what was done|summary|progress|this session|implemented|"
     "work done|finished|results|what changed|session summary|work completed|achievements|delivered|shipped|fixed"},
    {HO_NOTE_TOPIC, "design|architecture|approach|overview|background|goal|goals|context|date|branch|commit|"
                    "author|time|timing|priority|title|verification|testing|test plan|tests|environment|setup"},
};
/* These count only if they are the whole heading. */
static const char short_read[] = "references|documentation|resources";

/* Phrases that settle what a passage is. */
static const words strong[] = {
    {HO_NOTE_GOTCHA,
     "watch out*|be careful|careful with|careful when|beware|caution|be aware|be warned|"
     "heads up|do not use|don't use|do not try|don't try|never use|do not touch|don't touch|do not change|"
     "don't change|do not forget|don't forget|known issue|known bug|silently fail*|attention|warning"},
    {HO_NOTE_PATTERN, "the pattern|this pattern|same pattern|pattern is|pattern for|pattern here|always use|always "
                      "call|always run|always check|convention|conventions|"
                      "best practice*|rule of thumb|must always|we always|prefer|stick to"},
    {HO_NOTE_QUESTION, "question is|question remains|questions remain|question whether|unclear|not clear|"
                       "not sure|unsure|undecided|to be decided|tbd|to be determined|open question*|needs a decision|"
                       "need to decide|should we|wondering"},
    {HO_NOTE_BLOCKER, "blocked by|blocked on|blocked until|blocker|blockers|blocks us|waiting on|waiting for|"
                      "cannot proceed|can't proceed|cannot continue|can't continue|unable to proceed|stuck on|"
                      "missing credentials|need* access to|no access to"},
    {HO_NOTE_NEXT, "next step is|next steps are|next up|todo|to-do|still need* to|still has to|still have to|"
                   "remains to|left to do|needs to be|need to be|has to be|have to be|must be done|follow up|"
                   "next agent should|next session should|should now|should next|should then"},
};

/* These settle it at the start of a passage; elsewhere they are only a hint. */
static const char opens_next[] =
    "next|then|afterwards|after that|remaining|finally|todo|pending|should|must|needs|need";
static const words weak_words[] = {
    {HO_NOTE_NEXT, "should|next|then|must|remaining|later|eventually|need*|not yet|missing|to do"},
    {HO_NOTE_GOTCHA, "careful*|gotcha*|pitfall*|caveat*|warning*|important|note "
                     "that|never|avoid|fails|broken|breaks|however|unexpected*|surprising*|"
                     "flaky|bug|problem|workaround|hack|failed due|pre-existing"},
    {HO_NOTE_PATTERN, "pattern|patterns|always|typically|by convention|standard way|follow the|consistently"},
    {HO_NOTE_QUESTION,
     "maybe|perhaps|might|possibly|whether|not decided|assume*|assumption*|probably|question|questions"},
    {HO_NOTE_BLOCKER, "blocked|blocking|blocks|depends on|waiting|impossible|cannot|can't"},
};

/* What was done to files. In prose only the past tense says so; an action column may also say "CREATE". */
static const char *const created_words =
    "created|wrote|written|generated|produced|new file|new files|new folder|added file|introduced|added|scaffolded";
static const char *const modified_words = "modified|updated|changed|edited|fixed|refactored|extended|rewrote|rewritten|"
                                          "renamed|moved|adjusted|patched|improved|"
                                          "corrected|wired|hooked|replaced|bumped|converted|reverted";
static const char *const deleted_words = "deleted|removed|dropped";
static const struct {
  unsigned kind;
  const char *words;
} actions[] = {{HO_NOTE_CREATED, "new|add|a|create|creates|created|added|write|wrote"},
               {HO_NOTE_MODIFIED, "modify|modifies|modified|m|mod|update|updated|change|changed|edit|edited|refactor|"
                                  "refactored|rename|renamed|move|moved|fix|fixed"},
               {HO_NOTE_DELETED, "delete|deletes|deleted|d|del|remove|removed|drop"}};
static const char *const read_words =
    "see|read|refer to|look at|review|check out|consult|start with|start from|documented in|described in|details in|"
    "plan at|plan exists at|plan is at|spec at|defined in|lives in|located in|located at";

/* The "Next" of "Next.js" is part of a name. */
static bool is_name(ho_str text, size_t end)
{
  return end + 1 < text.n && text.p[end] == '.' && isalnum((unsigned char)text.p[end + 1]);
}

static size_t ticks_at(ho_str text, size_t at)
{
  size_t end = at;
  while (end < text.n && text.p[end] == '`')
    end++;
  return end - at;
}

/* Where the code span that the backticks at `at` open ends; the end of the backticks if nothing closes them. */
static size_t code_end(ho_str text, size_t at)
{
  size_t count = ticks_at(text, at), found;
  for (size_t i = at + count; i < text.n; i += found ? found : 1) {
    found = ticks_at(text, i);
    if (found == count)
      return i + count;
  }
  return at + count;
}

/* Does one of the phrases occur, neither in code nor as part of a name? */
static bool has(ho_str text, const char *phrases)
{
  ho_str found;
  size_t seen = 0; /* up to here code spans are known */
  for (size_t from = 0; ho_wording_find(ho_str_sub(text, from, text.n), phrases, &found);) {
    size_t at = (size_t)(found.p - text.p);
    from = at + found.n;
    while (seen < at)
      seen = text.p[seen] == '`' ? code_end(text, seen) : seen + 1;
    if (seen <= at && !is_name(text, from))
      return true;
  }
  return false;
}

static unsigned all_of(ho_str text, const words *table, size_t count)
{
  unsigned kinds = 0;
  for (size_t i = 0; i < count; i++)
    if (has(text, table[i].phrases))
      kinds |= table[i].kind;
  return kinds;
}

unsigned ho_note_heading(ho_str heading)
{
  if (heading.n > 200)
    return 0;
  unsigned items = all_of(heading, headings, 3); /* gotchas, blockers and questions may share a heading */
  if (items)
    return items;
  size_t i = 3;
  while (i < HO_COUNT(headings) && !has(heading, headings[i].phrases))
    i++;
  unsigned kind = i < HO_COUNT(headings) ? headings[i].kind : 0;
  if (kind == HO_NOTE_CREATED && has(heading, "modified|changed|updated|edited")) /* "Files created/modified" */
    return HO_NOTE_FILES;
  if ((!kind || kind == HO_NOTE_TOPIC) && ho_wording_count(heading) <= 2 && has(heading, short_read))
    return HO_NOTE_READ;
  return kind;
}

unsigned ho_note_within(unsigned around, unsigned said)
{
  bool about = around & (HO_NOTE_ANY_ITEM | HO_NOTE_ANY_FILE);
  if (said == HO_NOTE_TOPIC)
    return about ? around : HO_NOTE_OTHER;
  return said == HO_NOTE_FILES && around & HO_NOTE_ANY_FILE ? around : said;
}

bool ho_note_names_kind(ho_str label)
{
  return ho_str_list_has_nocase(
      "pattern|patterns|gotcha|gotchas|warning|warnings|caution|attention|caveat|caveats|beware|"
      "be careful|careful|watch out|pitfall|pitfalls|known issue|known issues|question|questions|"
      "open question|open questions|unclear|next|next step|next steps|next action|next up|todo|"
      "todos|to do|blocker|blockers|current blocker|blocked|blocked by|remaining|learning|"
      "learnings|lesson|lessons|insight|insights|convention|risk|risks|open design question",
      ho_str_trim(label));
}

/* Are the first one or two words of a passage one of the phrases? */
static bool opens(ho_str text, const char *phrases)
{
  ho_str found;
  return ho_wording_find(ho_str_sub(text, 0, 24), phrases, &found) && found.p - text.p <= 2;
}

/* What "next" and "then" come before in a report of what happened, and what says that something is to be done yet. */
static const char told_by[] =
    "i|we|he|she|it|they|everything|all|both|the|this|that|these|those|my|our|another|someone|"
    "somebody|nothing|you";
static const char told_verbs[] = "ran|went|wrote|made|got|took|found|saw|did|was|were|had|came|built|kept|put|set|gave|"
                                 "began|chose|broke|rewrote|read";
static const char duties[] =
    "should|must|need*|will|shall|has to|have to|todo|to do|not yet|remaining|can|still|please|"
    "is to|are to";

static ho_str first_word(ho_str *text)
{
  size_t from = 0, to;
  while (from < text->n && !isalnum((unsigned char)text->p[from]))
    from++;
  for (to = from; to < text->n && (isalnum((unsigned char)text->p[to]) || text->p[to] == '\'');)
    to++;
  ho_str word = ho_str_sub(*text, from, to);
  *text = ho_str_sub(*text, to, text->n);
  return word;
}

/* "Then I ran the tests", "Next we looked at …", "Finally deployed it": what was done, not what is to be done. */
static bool is_story(ho_str text)
{
  ho_str rest = text, first = first_word(&rest), word = first_word(&rest), found;
  if (ho_str_is_nocase(first, "after") && ho_str_list_has_nocase("that|this", word))
    word = first_word(&rest);
  else if (!ho_str_list_has_nocase("next|then|afterwards|later|finally", first))
    return false;
  bool past = ho_str_list_has_nocase(told_verbs, word) || (word.n > 3 && ho_str_ends(word, "ed"));
  if (!past && !ho_str_list_has_nocase(told_by, word))
    return false;
  return past || !ho_wording_find(rest, duties, &found) || ho_wording_find(rest, "should have|must have", &found);
}

unsigned ho_note_words(ho_str text, unsigned *weak)
{
  text = ho_str_sub(text, 0, JUDGED);
  unsigned kinds = all_of(text, strong, HO_COUNT(strong));
  ho_str end = ho_str_trim_end(text);
  if (end.n && end.p[end.n - 1] == '?')
    kinds = (kinds & ~(unsigned)HO_NOTE_NEXT) | HO_NOTE_QUESTION;
  if (ho_str_has(text, "\xE2\x9A\xA0") || opens(text, "gotcha*|caveat*|pitfall*|one gotcha|another gotcha"))
    kinds |= HO_NOTE_GOTCHA;
  bool story = is_story(text);
  if (!kinds && !story && opens(text, opens_next))
    kinds = HO_NOTE_NEXT;
  *weak = all_of(text, weak_words, HO_COUNT(weak_words)) & ~kinds;
  if (story)
    *weak &= ~(unsigned)HO_NOTE_NEXT;
  return kinds;
}

unsigned ho_note_verbs(ho_str text)
{
  unsigned kinds = 0;
  text = ho_str_sub(text, 0, JUDGED);
  kinds |= has(text, created_words) ? HO_NOTE_CREATED : 0;
  kinds |= has(text, modified_words) ? HO_NOTE_MODIFIED : 0;
  kinds |= has(text, deleted_words) ? HO_NOTE_DELETED : 0;
  if (!kinds && has(text, read_words))
    kinds = HO_NOTE_READ;
  return kinds;
}

/* Something other than punctuation, symbols and emoji. */
static bool has_letters(ho_str text)
{
  for (size_t at = 0; at < text.n;) {
    uint32_t cp = ho_utf8_next(text, &at);
    bool symbol =
        cp < 0x80 ? !isalnum((int)cp) : cp < 0xc0 || (cp >= 0x2000 && cp < 0x2c00) || cp >= 0x1f000 || cp == 0xfe0f;
    if (!symbol)
      return true;
  }
  return false;
}

bool ho_note_says(ho_str text)
{
  for (size_t i = 0; i < text.n; i++)
    if (isalpha((unsigned char)text.p[i]) || (unsigned char)text.p[i] >= 0x80)
      return true;
  return false;
}

bool ho_note_adds(ho_str text)
{
  return has(text, "added|introduced") && has(text, "to|into|in") &&
         !has(text, "created|wrote|written|generated|new file");
}

unsigned ho_note_action(ho_str text)
{
  unsigned kinds = 0;
  for (size_t i = 0; i < HO_COUNT(actions); i++)
    if (ho_wording_find(text, actions[i].words, NULL))
      kinds |= actions[i].kind;
  return kinds;
}

/* "None - ready to commit", "Nothing, for now"; not "None of the tests pass". */
static bool opens_with_none(ho_str text)
{
  ho_str found;
  if (!ho_wording_find(ho_str_sub(text, 0, 12), "none|nothing|n/a", &found) || found.p != text.p)
    return false;
  ho_str rest = ho_str_trim(ho_str_sub(text, found.n, text.n));
  return rest.n &&
         (strchr("-,.;:(!", rest.p[0]) || ho_str_starts(rest, "\xE2\x80\x93") || ho_str_starts(rest, "\xE2\x80\x94"));
}

bool ho_note_none(ho_str text)
{
  static const char none[] =
      "none|n/a|na|nothing|nil|-|no|none yet|none active|no blockers|no open questions|"
      "no questions|todo|tbd|wip|no known issues|no issues|not applicable|[]|null|nothing yet|none known";
  text = ho_str_trim(text);
  while (text.n && strchr(".!_*()`", text.p[text.n - 1]))
    text.n--;
  while (text.n && strchr("_*(`", text.p[0]))
    text = ho_str_sub(text, 1, text.n);
  return !has_letters(text) || ho_str_list_has_nocase(none, text) || opens_with_none(text) ||
         ho_is_placeholder(text, NULL);
}

/* What follows one of the words, which the text begins with, and a mark of `marks`; nothing (p is NULL) if it does not. */
static ho_str after_label(ho_str text, const char *labels, const char *marks)
{
  size_t end = 0;
  while (end < text.n && (isalpha((unsigned char)text.p[end])))
    end++;
  if (!end || !ho_str_list_has_nocase(labels, ho_str_sub(text, 0, end)) ||
      (end < text.n && !strchr(marks, text.p[end])))
    return HO_EMPTY;
  return ho_str_trim(ho_str_sub(text, end < text.n ? end + 1 : end, text.n));
}

/* "TBD", "ask Bob", "still open": it stands where an answer would, and is none. */
static bool is_put_off(ho_str answer)
{
  static const char later[] =
      "tbd|todo|open|pending|unknown|unclear|none|not|nobody|ask|check|wait|waiting|still|later|needs|"
      "need|maybe|perhaps|probably|unsure";
  size_t end = 0;
  while (end < answer.n && isalpha((unsigned char)answer.p[end]))
    end++;
  return ho_str_list_has_nocase(later, ho_str_sub(answer, 0, end)) || ho_str_starts_nocase(answer, "to be ") ||
         ho_str_ends(answer, "?");
}

bool ho_note_answers(ho_str text)
{
  text = ho_str_trim(text);
  while (text.n && strchr("*_(", text.p[0]))
    text = ho_str_sub(text, 1, text.n);
  ho_str answer = after_label(text, "a|answer|answered|resolved|resolution|decision|decided|settled", ":");
  return answer.n && has_letters(answer) && !is_put_off(answer);
}

bool ho_note_answered(ho_str question)
{
  static const char *const arrows[] = {"\xe2\x86\x92", "->", "=>"};
  size_t at = ho_str_find_char(question, '?');
  ho_str rest = at == HO_NONE ? HO_EMPTY : ho_str_sub(question, at + 1, question.n);
  while (rest.n && strchr(" *_)\"", rest.p[0]))
    rest = ho_str_sub(rest, 1, rest.n);
  if (ho_note_answers(rest))
    return true;
  for (size_t i = 0; i < HO_COUNT(arrows); i++)
    if (ho_str_starts(rest, arrows[i])) {
      ho_str answer = ho_str_trim(ho_str_sub(rest, strlen(arrows[i]), rest.n));
      return has_letters(answer) && !is_put_off(answer);
    }
  ho_str said = after_label(rest, "yes|no", ",.;:!"); /* "No idea" has no mark behind it */
  return (said.n || ho_str_list_has_nocase("yes|no", rest)) && !ho_str_ends(said, "?");
}

static const struct {
  const char *outcome, *words;
} outcomes[] = {
    {"completed", "complete|completed|done|success|successful|successfully|succeeded|finished|implemented|resolved|"
                  "shipped|closed|merged"},
    {"partial", "partial|partially|in progress|in_progress|in-progress|incomplete|ongoing|wip|started|paused|"
                "partial_plus|partial_minus|almost|mostly|remaining|not complete|not done|not finished|not yet"},
    {"failed", "failed|failure|fail|abandoned|aborted|not possible|impossible"},
    {"blocked", "blocked|on hold|stuck|waiting"},
};

bool ho_note_ends(ho_str text)
{
  return opens(text, "finished|completed|complete|done|all done|task complete|implementation complete|work complete|"
                     "everything is done|all tasks|abandoned|gave up");
}

/* "80% complete" is not complete. */
static bool is_part(ho_str text)
{
  size_t sign = ho_str_find_char(text, '%'), from = sign == HO_NONE ? 0 : sign;
  while (from > 0 && isdigit((unsigned char)text.p[from - 1]))
    from--;
  ho_str digits = ho_str_sub(text, from, sign);
  return sign != HO_NONE && digits.n && digits.n <= 2 && has(ho_str_sub(text, sign, text.n), "complete|completed|done");
}

/* Words that take back what follows them ("nothing is done", "0 failed", "once it is complete"), and words that leave
 * something out of it: then part is done, or it cannot be told how much. */
static const char denials[] =
    "no|not|nothing|none|never|nobody|cannot|can't|couldn't|isn't|aren't|wasn't|weren't|hasn't|"
    "haven't|don't|doesn't|didn't|won't|hardly|barely|0|zero|without|until|unless|once|when|if|"
    "to be|be|should|must|will|would|could|expected";
static const char parts[] = "half|halfway|half-way|except|except for|apart from|other than|aside from|nearly|partly|"
                            "most of|more or less|some of";
static const char doubts[] = "but|however|although|though|still|yet|only|missing|pending|left|todo|to do|to go|next|"
                             "ready for|untested|unverified|supposedly|probably|hopefully|maybe|perhaps";
/* What comes before the work itself, or is one piece of it: that it is complete says nothing of the rest. */
static const char pieces[] = "phase|stage|step|milestone|part|planning|plan|design|investigation|research|analysis|"
                             "exploration|discovery|specification|spec|prototype";

const char *ho_note_outcome(ho_str text, bool *unclear)
{
  const char *found = NULL;
  size_t first = HO_NONE, count = 0;
  ho_str where;
  *unclear = false;
  text = ho_str_sub(text, 0, JUDGED);
  if (is_part(text))
    return "partial";
  for (size_t i = 0; i < HO_COUNT(outcomes); i++) {
    if (!ho_wording_find(text, outcomes[i].words, &where))
      continue;
    size_t at = (size_t)(where.p - text.p);
    count++;
    if (at < first) {
      first = at;
      found = outcomes[i].outcome;
    }
  }
  if (!found)
    return NULL;
  bool complete = ho_str_is(ho_str_of(found), "completed"), partial = ho_str_is(ho_str_of(found), "partial");
  *unclear = true;
  if (!partial && has(ho_str_sub(text, 0, first), denials))
    return NULL;
  if (complete && count == 1 && has(text, parts)) {
    *unclear = false;
    return "partial";
  }
  if (complete && (count > 1 || has(text, doubts) || has(text, pieces) || ho_str_ends(text, "?")))
    return NULL;
  /* A single word settles it, and so does one at the very beginning: "Tests failed, fixed, all done" did not fail. */
  size_t before = ho_wording_count(ho_str_sub(text, 0, first));
  if (count > 1 && !partial && before > 0)
    return NULL;
  if (count > 1 && (first > 8 || before > 1 || has(text, "not")))
    return NULL;
  *unclear = false;
  return found;
}

/* Is the word at found really a level: "(high)", "[high]", "high priority", "severity: high", "High: …"? */
static bool states_level(ho_str text, ho_str found, const char *noun)
{
  size_t at = (size_t)(found.p - text.p), end = at + found.n, n = strlen(noun);
  ho_str before = ho_str_trim_end(ho_str_sub(text, 0, at)), after = ho_str_trim(ho_str_sub(text, end, text.n));
  char open = at ? text.p[at - 1] : 0, close = end < text.n ? text.p[end] : 0;
  if ((open == '(' && close == ')') || (open == '[' && close == ']'))
    return true;
  if (ho_str_starts_nocase(after, noun) && (after.n == n || !isalnum((unsigned char)after.p[n])))
    return true;
  if (before.n > n && before.p[before.n - 1] == ':' &&
      ho_str_starts_nocase(ho_str_sub(before, before.n - 1 - n, before.n), noun))
    return true;
  return at == 0 && (!after.n || close == ':' || ho_str_starts(after, "- ") || ho_str_starts(after, "\xE2\x80\x94"));
}

const char *ho_note_level(ho_str text, const char *noun)
{
  static const char *const levels[][2] = {
      {"high", "high|critical|urgent|severe|p0|p1"}, {"medium", "medium|moderate|p2"}, {"low", "low|minor|p3"}};
  text = ho_str_sub(text, 0, JUDGED);
  for (size_t i = 0; i < HO_COUNT(levels); i++) {
    ho_str found;
    for (size_t from = 0; ho_wording_find(ho_str_sub(text, from, text.n), levels[i][1], &found);) {
      if (states_level(text, found, noun))
        return levels[i][0];
      from = (size_t)(found.p + found.n - text.p);
    }
  }
  return NULL;
}
