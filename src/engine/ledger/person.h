/* The person who decides: how one is told from an agent, and how one is asked. */
#ifndef HO_ENGINE_LEDGER_PERSON_H
#define HO_ENGINE_LEDGER_PERSON_H

#include "base/arena.h"
#include "base/buf.h"

/* What is shown has lines of the program, and lines that somebody else wrote: those begin with this mark, and so does
 * every row of the terminal that they take, so that nothing in a document can be taken for a line of the program. */
#define HO_PERSON_MARK "| "
/* Each line of a text with the mark, safe for a terminal. */
void ho_person_put_marked(ho_buf *out, ho_str text);
/* The program's lines as they are, with its colours; marked lines in rows of a terminal so wide, each with the mark. */
ho_str ho_person_rows(ho_arena *arena, ho_str shown, size_t width);

/* How a person is asked. Commands use ho_person_terminal; tests answer themselves. */
typedef struct ho_person {
  void *world;
  /* HO_GATED if nobody is there. */
  ho_code (*present)(void *world, ho_error *err);
  /* Shows a text, then asks for a passphrase of up to size - 1 bytes. */
  ho_code (*passphrase)(void *world, ho_arena *arena, ho_str shown, ho_str question, char *out, size_t size,
                        ho_error *err);
  /* Shows a text, then asks whether to go on; HO_GATED if the answer is not yes. */
  ho_code (*agree)(void *world, ho_arena *arena, ho_str shown, ho_str question, ho_error *err);
} ho_person;
extern const ho_person ho_person_terminal;
/* Whoever this thread works for: the person at the terminal, or the one that the access of a request knows. */
const ho_person *ho_person_asked(void);

/* Fails with HO_GATED if there is any sign that an agent runs this. */
ho_code ho_person_not_agent(ho_error *err) HO_NODISCARD;

enum { HO_PASSPHRASE_SIZE = 1024 }; /* room for a passphrase */
#endif
