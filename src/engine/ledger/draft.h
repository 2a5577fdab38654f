/* Drafts: a handoff written for an agent that died, went silent or is about to forget, from what can be seen.
 *
 * A draft is a package in state `draft` that says of every claim that it is asserted: the objectives and failed
 * approaches of the progress file, git's status, files read and last messages of the transcript, the log of the handoff
 * that the agent worked on. `answer` confirms it. Of a task and phase there is one: a later draft takes the place of
 * earlier ones, and so does a handoff that `pass` writes. */
#ifndef HO_ENGINE_LEDGER_DRAFT_H
#define HO_ENGINE_LEDGER_DRAFT_H

#include "engine/ledger/turn.h"
#include "store/handoffs/handoffs.h"

typedef struct ho_draft {
  /* Given; "" or 0 where it is not known. */
  ho_str task, phase;
  ho_str agent;    /* who it was, NAME or NAME/INSTANCE; "": the ledger's agent */
  ho_str session;  /* its own, as the ledger names it */
  ho_str folder;   /* where it worked, absolute; "": where its hooks saw it work, else the ledger's root */
  ho_str log;      /* its transcript, or what it printed, absolute; "": the transcript that its hooks saw */
  ho_str why;      /* what happened to it, with "it" for the agent: "it went silent" */
  ho_str receiver; /* who is to go on; "": the agent's own name */
  ho_str parent;   /* the handoff that it worked on */
  int64_t since;   /* nothing is drafted where its session (else: anybody, for the phase) has sent a handoff since then;
                      0: it is drafted in any case */
  bool once;       /* nor where a draft was made since then */
  bool quick;      /* no program may be started: git is not asked for changed files */
  /* Found. */
  ho_node *facts; /* list of texts */
  ho_str id;      /* of the draft, or "" */
} ho_draft;

/* Looks at progress file, transcript and git, and fills draft->facts in the arena. Touches no store. */
void ho_draft_look(const ho_project *project, ho_draft *draft, ho_arena *arena);
/* Adds the draft to the ledger. Inside a write. */
ho_code ho_draft_add(ho_project *project, ho_draft *draft, ho_arena *arena, ho_error *err) HO_NODISCARD;
/* Drafts of its task and phase (where it has no task: of its session, likewise without) give way to the handoff `by`.
 * Inside a write. */
ho_code ho_draft_replace(ho_project *project, const ho_handoff *by, ho_arena *arena, ho_error *err) HO_NODISCARD;

/* Was it drafted, whatever has become of it? */
bool ho_draft_is(const ho_handoff *row, ho_arena *arena);
/* Texts of the newest messages of the agent in a transcript or log, newest first. */
ho_node *ho_draft_last_words(ho_arena *arena, const char *path, size_t most);
#endif
