/* Judging texts by their words: is a step vague, a summary implicit, a criterion measurable?
 *
 * The word lists, English and French, are const tables; they match whole words in any case. All of these are rules
 * of thumb, and each errs on the side of reporting nothing. `found` may be NULL; it receives the part of the text
 * that decided the answer, so that a finding can quote it. Everything here takes linear time. */
#ifndef HO_MODEL_WORDING_H
#define HO_MODEL_WORDING_H

#include "base/str.h"

/* Does one of the phrases occur in the text, as whole words? They are separated by '|', in lower case; a space
 * stands for any run of white space, a final '*' for any ending of the word. */
bool ho_wording_find(ho_str text, const char *phrases, ho_str *found);

/* Words as people count them: separated by white space. */
size_t ho_wording_count(ho_str text);

/* A step that does not say what to do: it opens with "Continue working on …" or "Finish the rest" and names nothing
 * that one could look up (a number, a path, or something in backticks). */
bool ho_wording_vague(ho_str text, ho_str *found);

/* A summary that presumes what its reader cannot know: every word only says that something is done ("It's done",
 * "Task completed as discussed", "C'est fait"). A text without words counts too. */
bool ho_wording_implicit(ho_str text);
/* Has a shell taken something out of it? In double quotes, `words` in back-quotes and $names are replaced, mostly by
 * nothing, and two spaces stay where they were. */
bool ho_wording_eaten(ho_str text);
/* Something was left undecided: "TBD", "to be decided", "unclear", "à définir". */
bool ho_wording_undecided(ho_str text, ho_str *found);

/* A quality without a measure: "quickly", "good", "rapidement". */
bool ho_wording_quality(ho_str text, ho_str *found);
/* Afterwards one can tell whether it holds: it has a number or a comparison, names a check, or says "no …" or "all
 * …" about something that is more than a quality (unlike "all code is good"). */
bool ho_wording_measurable(ho_str text);

/* The story of the search instead of its result: "I searched …", "The first file I looked at …". */
bool ho_wording_narration(ho_str text, ho_str *found);
/* Copied instead of summarised: a code fence, a diff, a JSON value, several lines that end like code. */
bool ho_wording_raw(ho_str text, ho_str *found);
/* Contains something that the next reader can use: a path, a pattern, a decision, a result. */
bool ho_wording_essential(ho_str text);

/* Takes the next sentence off *rest (ended by a line break, or ". ", "! ", "? ", "; "); false when none is left. */
bool ho_wording_sentence(ho_str *rest, ho_str *sentence);
/* Says that something was created: "created", "added", "wrote", "nouveau fichier". */
bool ho_wording_created(ho_str text, ho_str *found);
/* Finds the next thing in *rest that looks like a path of a file or folder ("src/a.ts", "docs/", "plan.md"); false
 * when none is left. Web addresses, fractions and "and/or" are not paths. */
bool ho_wording_path(ho_str *rest, ho_str *path);
#endif
