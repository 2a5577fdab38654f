/* Judging texts by their words: is a step vague, a summary implicit, a criterion measurable?
 *
 * Word lists, English and French, in const tables; whole words, upper and lower case alike. These are judgements by
 * rule of thumb: each errs on the side of saying nothing. `found` may be NULL; it is the part of the text that gave
 * the answer, so that a finding can quote it. Everything here is linear in the text. */
#ifndef HO_MODEL_WORDING_H
#define HO_MODEL_WORDING_H

#include "base/str.h"

/* Does one of the phrases stand in the text, as whole words? They are separated by '|', in lower case; a blank stands
 * for any run of white space, a final '*' for any ending of the word. */
bool ho_wording_find(ho_str text, const char *phrases, ho_str *found);

/* Words as people count them: separated by white space. */
size_t ho_wording_count(ho_str text);

/* A step that does not say what to do: it opens with "Continue working on …", "Finish the rest" and names nothing
 * that could be looked up (ho_wording_concrete). */
bool ho_wording_vague(ho_str text, ho_str *found);
/* A number, a path, or something in backticks. */
bool ho_wording_concrete(ho_str text);

/* A summary that presumes what its reader cannot know: every word only says that something is done ("It's done",
 * "Task completed as discussed", "C'est fait"). Also a text without any word. */
bool ho_wording_implicit(ho_str text);
/* Something was left undecided: "TBD", "to be decided", "unclear", "à définir". */
bool ho_wording_undecided(ho_str text, ho_str *found);

/* A quality without a measure: "quickly", "good", "rapidement". */
bool ho_wording_quality(ho_str text, ho_str *found);
/* One can tell afterwards whether it holds: it has a number or a comparison, names a check, or says "no …", "all …"
 * of something that is not itself only a quality ("all code is good"). */
bool ho_wording_measurable(ho_str text);

/* The story of the search instead of its result: "I searched …", "The first file I looked at …". */
bool ho_wording_narration(ho_str text, ho_str *found);
/* Copied instead of summarised: a code fence, a diff, a JSON value, several lines that end as code does. */
bool ho_wording_raw(ho_str text, ho_str *found);
/* Says something that the next reader can use: a path, a pattern, a decision, a result. */
bool ho_wording_essential(ho_str text);

/* The next sentence of *rest (ended by a line break, or ". ", "! ", "? ", "; "); false when it is used up. */
bool ho_wording_sentence(ho_str *rest, ho_str *sentence);
/* Something is said to have been created: "created", "added", "wrote", "nouveau fichier". */
bool ho_wording_created(ho_str text, ho_str *found);
/* The next thing in *rest that looks like a path of a file or folder ("src/a.ts", "docs/", "plan.md"); false when
 * there is none left. Addresses of the web, fractions and "and/or" are no paths. */
bool ho_wording_path(ho_str *rest, ho_str *path);
#endif
