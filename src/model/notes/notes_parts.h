/* Shared by the files that read freeform notes. */
#ifndef HO_MODEL_NOTES_NOTES_PARTS_H
#define HO_MODEL_NOTES_NOTES_PARTS_H

#include "doc/keyset.h"
#include "model/notes/notes.h"

/* What a heading, a label or the words of a passage are about; several may apply. */
enum {
  HO_NOTE_OUTCOME = 1,
  HO_NOTE_CREATED = 2,
  HO_NOTE_MODIFIED = 4,
  HO_NOTE_DELETED = 8,
  HO_NOTE_READ = 16,  /* files that the next agent should read */
  HO_NOTE_FILES = 32, /* files, without saying what happened to them */
  HO_NOTE_PATTERN = 64,
  HO_NOTE_GOTCHA = 128,
  HO_NOTE_BLOCKER = 256,
  HO_NOTE_QUESTION = 512,
  HO_NOTE_NEXT = 1024,
  HO_NOTE_DONE = 2048,
  HO_NOTE_OTHER = 4096, /* decisions, criteria, commands: the task format has no field for these */
  HO_NOTE_TOPIC = 8192, /* what a part is about ("Testing"), rather than what kind of thing it says */
  HO_NOTE_ANY_FILE = HO_NOTE_CREATED | HO_NOTE_MODIFIED | HO_NOTE_DELETED | HO_NOTE_READ | HO_NOTE_FILES,
  HO_NOTE_ANY_ITEM = HO_NOTE_PATTERN | HO_NOTE_GOTCHA | HO_NOTE_BLOCKER | HO_NOTE_QUESTION | HO_NOTE_NEXT,
};

unsigned ho_note_heading(ho_str heading); /* for labels too; 0: says nothing */
/* The kinds that apply if a heading or label says `said` inside something of the kinds `around`: "Testing" below
 * "Next Steps" still lists steps. */
unsigned ho_note_within(unsigned around, unsigned said);
/* Is the label no more than the name of a kind ("Gotcha"), so that the item does not need it? */
bool ho_note_names_kind(ho_str label);
/* Judges a passage by its words: returns the kinds they settle, and (in *weak) those they only hint at. */
unsigned ho_note_words(ho_str text, unsigned *weak);
/* What happened to the files that a passage names; 0: it does not say. */
unsigned ho_note_verbs(ho_str text);
/* "Added … to": something was put into a file that may have existed before. */
bool ho_note_adds(ho_str text);
/* The same for a table's action column: "CREATE", "new", "M". */
unsigned ho_note_action(ho_str text);
/* Does the sentence begin like one that tells how the work ended? */
bool ho_note_ends(ho_str text);
/* Does the text contain a letter? "4" says nothing by itself. */
bool ho_note_says(ho_str text);
/* "None", "n/a", "no blockers": an item that says there is none. */
bool ho_note_none(ho_str text);
/* Does a question have its answer with it ("Which port? Answer: 8080", "Q: Which port? A: 8080", "Do we cache? No, …")? Only what
 * is marked as an answer counts: "Which port? Nobody knows." is as open as before. */
bool ho_note_answered(ho_str question);
/* Is the passage an answer to the question before it ("A: 8080")? */
bool ho_note_answers(ho_str text);
/* "high", "medium" or "low" if the text states it for the noun ("severity", "priority"), else NULL. */
const char *ho_note_level(ho_str text, const char *noun);
/* The outcome that a status describes ("✅ COMPLETE (phases 1-3)"), or NULL; *unclear if it describes several. */
const char *ho_note_outcome(ho_str text, bool *unclear);

/* One passage: a sentence, a list item, a labelled line, a row of a table. */
typedef struct ho_passage {
  ho_str text;    /* on one line, without emphasis and list marks */
  ho_str path;    /* from a table's column for files; else "" */
  ho_str action;  /* likewise: what was done to the file */
  ho_str lines;   /* likewise */
  ho_str group;   /* the heading or label above it */
  unsigned line;  /* of the source, from 1 */
  unsigned last;  /* the last line that it may be on */
  unsigned kinds; /* according to heading and label */
  bool labelled;  /* the kinds come from a label of its own */
  bool item;      /* a list item or a row */
  bool nested;    /* below an item, or beside a list, that says what it is about */
  int box;        /* check box: 1 ticked, 0 open, -1 none */
} ho_passage;

typedef struct ho_note_taker {
  const ho_source *source;
  ho_arena *arena;
  ho_str root;
  ho_notes *out;
  ho_node *seen; /* keys of the items taken */
  ho_keyset seen_set;
  ho_node *outcome; /* the entry of out->items that stated it */
  bool outcome_unclear;
  ho_node *question; /* the open question that was taken last, if nothing came after it; else NULL */
} ho_note_taker;

/* Makes the passage an item, lists it as ambiguous, or ignores it. */
void ho_note_take(ho_note_taker *taker, const ho_passage *passage);
/* Walks the blocks and passes every passage to ho_note_take. */
void ho_note_walk(ho_note_taker *taker, const ho_md_block *first, const ho_md_block *end);
/* Tables: the cells of a row (returns how many), the line of dashes below the headings, and a row as a passage like
 * `like`. */
enum { HO_NOTE_COLUMNS = 12 };
size_t ho_note_split_row(ho_str line, ho_str cells[HO_NOTE_COLUMNS]);
bool ho_note_is_delimiter(ho_str line);
void ho_note_take_row(ho_note_taker *taker, const ho_str heads[HO_NOTE_COLUMNS], size_t width, ho_str line,
                      unsigned number, ho_passage like);
/* The text without bold marks, emphasis around all of it, and surrounding white space. */
ho_str ho_note_cleaned(ho_arena *arena, ho_str text);
/* `key: value` lines. */
void ho_note_front_matter(ho_note_taker *taker, uint32_t from, uint32_t to);
#endif
