/* Drafts: a handoff written on behalf of an agent that died, went silent or is about to forget, from what can be seen.
 *
 * A draft is a package in state `draft` in which every fact counts as stated, none as checked: what the person asked for
 * and the last messages of both from the transcript, the objectives and failed approaches of the progress file, git's status,
 * files read, the log of the
 * handoff that the agent worked on. `answer` confirms it. There is one per task and phase, or per session if
 * no task is known: a later draft supersedes earlier ones, and so does a handoff written by `pass`; `finish` ends it, and so
 * does the end of the handoff that the agent worked on. */
#ifndef HO_ENGINE_LEDGER_DRAFT_H
#define HO_ENGINE_LEDGER_DRAFT_H

#include "engine/ledger/turn.h"
#include "store/handoffs/handoffs.h"

/* How facts begin: what the session was asked for; what the progress file says too; what the ledger has: who claimed it,
 * until when. */
#define HO_DRAFT_REQUEST "The person asked: "
#define HO_DRAFT_OBJECTIVE "Objective "
#define HO_DRAFT_TRIED "Tried: "
#define HO_DRAFT_EVENT "Event: "

typedef struct ho_draft {
  /* Given; "" or 0 if unknown. */
  ho_str task, phase;
  ho_str agent;    /* who it was, NAME or NAME/INSTANCE; "": the project's agent */
  ho_str session;  /* its own, as named in the store */
  ho_str folder;   /* where it worked, absolute; "": where its hooks saw it work, else the project's root */
  ho_str log;      /* its transcript, or what it printed, absolute; "": the transcript that its hooks saw */
  ho_str why;      /* what happened, with "it" for the agent: "it went silent" */
  ho_str receiver; /* who should continue; "": the agent's own name */
  ho_str parent;   /* the handoff it worked on */
  ho_str request;  /* what the person asked for, if no transcript says it */
  /* nothing is drafted if its session (or, without one, anybody for the phase) has sent a handoff since then; 0:
   * always drafted */
  int64_t since;
  bool saved; /* the agent goes on: it is saved before a compaction, in case the agent forgets */
  bool once;  /* nor if a draft was made since then */
  bool quick; /* no program may be started: git is not asked for changed files */
  /* Found. */
  ho_node *facts; /* list of texts */
  bool tells;     /* they say more than at which commit git is */
  ho_str id;      /* of the draft, or "" */
} ho_draft;

/* Examines progress file, transcript and git, and fills draft->facts in the arena. Does not touch the store. */
void ho_draft_look(const ho_project *project, ho_draft *draft, ho_arena *arena);
/* Adds the draft to the store. Call it inside a write. */
ho_code ho_draft_add(ho_project *project, ho_draft *draft, ho_arena *arena, ho_error *err) HO_NODISCARD;
/* Drafts of the session that belong to no task: it was not known yet. Without a session there are none. */
ho_code ho_draft_loose(ho_project *project, ho_str session, ho_arena *arena, ho_handoff_list *out,
                       ho_error *err) HO_NODISCARD;
/* The drafts that a handoff of the phase takes the place of, in that session: those of its task and phase, and those of the
 * session that belong to no task. */
ho_code ho_draft_select(ho_project *project, ho_str task, ho_str phase, ho_str session, ho_arena *arena,
                        ho_handoff_list *out, ho_error *err) HO_NODISCARD;
/* The handoff `by` supersedes them. Call it inside a write. */
ho_code ho_draft_replace(ho_project *project, const ho_handoff *by, ho_arena *arena, ho_error *err) HO_NODISCARD;

/* Was it saved before a compaction? */
bool ho_draft_was_saved(const ho_handoff *row, ho_arena *arena);
/* Was it a draft, whatever became of it? */
bool ho_draft_is(const ho_handoff *row, ho_arena *arena);
/* The teammate that is at work and began with this draft: a run waits for nobody to confirm it. "" if there is none. */
ho_code ho_draft_taken(ho_project *project, const ho_handoff *row, ho_arena *arena, ho_str *by,
                       ho_error *err) HO_NODISCARD;
/* What the person asked for according to a draft, on one line; "" if it does not say. */
ho_str ho_draft_asked(ho_project *project, const ho_handoff *row, ho_arena *arena);
/* Does it tell how far its phase is: a phase handoff, or a draft? Other documents may be several for one phase. */
bool ho_draft_tells(const ho_handoff *row, ho_arena *arena);
/* What the person asked for first in a transcript; "" if that cannot be told. Made safe. */
ho_str ho_draft_request(ho_arena *arena, const char *path);
/* What an agent said last in a transcript or log, or the last lines that a program printed, after words that say which;
 * "" if there is nothing. Made safe, and at most some lines long. */
ho_str ho_draft_last_said(ho_arena *arena, const char *path);
#endif
