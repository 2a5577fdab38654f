/* Prompts: texts for agents and their leads, and what a successor starts from.
 *
 * Every prompt keeps within a budget of tokens and within HO_PROMPT_CHARACTERS: it is paid for again with every
 * request that follows, and it takes room from the work. Text from documents is in fences that nothing in it can
 * close, indented, without control, bidirectional and invisible characters: it cannot become a heading, an
 * instruction or a template of ours. It is marked as quoted. */
#ifndef HO_ENGINE_RELAY_PROMPT_H
#define HO_ENGINE_RELAY_PROMPT_H

#include "engine/phase/progress.h"
#include "engine/relay/handed.h"

enum { HO_PROMPT_CHARACTERS = 10000, HO_PROMPT_BUDGET = 1500 };

typedef struct ho_prompt {
  ho_str text;
  size_t tokens;
  ho_node *cut; /* list of texts: what was left out, with the path where to find it */
} ho_prompt;

/* What a prompt is about; unknown ids are "". */
typedef struct ho_prompt_about {
  ho_arena *arena;
  ho_str root; /* of the project, absolute */
  ho_str task, phase;
  ho_str progress; /* path of the progress file as shown, or "" */
  ho_str recorded; /* id of the handoff if its file is not there; or "" */
  ho_str handoff;  /* path of the handoff, likewise; "": the phase has none, so that the record says how far it is */
  ho_str id;       /* of the handoff, for commands; "" if unknown */
  bool responds;   /* a workflow's step, which ends with a response and not with `finish` */
  const ho_node *artifact; /* bound, or NULL */
  ho_str details;          /* what did not fit in the handoff, or "" */
  ho_str details_at;       /* how that can be read: a path or a command */
  const ho_node *record;   /* the progress file, bound, or NULL */
  ho_str elsewhere;        /* the worktree that it is in, if it is not in the reader's; or "" */
  ho_str draft;            /* id of a draft that is newer than the handoff, or "" */
  const ho_node *news;     /* list of texts, or NULL: what that draft adds (news.h) */
  bool own;                /* the draft is about the reader's own work, before a compaction */
  ho_str waits;            /* id of the gate that the handoff waits at, or "" */
  ho_str decided;          /* what a person decided last about the phase, or "" */
  long long since;         /* how many handoffs it has had since then */
  long long threshold;     /* percent */
  long long successors;    /* how many a phase may have before a person is asked; 0: any number */
  size_t budget;           /* tokens */
  const ho_tokens *tokens; /* NULL: an estimate */
} ho_prompt_about;

/* Sets what the prompt says of the handoff's places, and its details. */
void ho_prompt_from(ho_prompt_about *about, ho_project *project, const ho_handed *handed);
/* Context Management: for an agent that works on a phase. */
ho_code ho_prompt_teammate(const ho_prompt_about *about, ho_prompt *out, ho_error *err) HO_NODISCARD;
/* Context Exhaustion Recovery: for a lead. */
ho_code ho_prompt_recovery(const ho_prompt_about *about, ho_prompt *out, ho_error *err) HO_NODISCARD;
/* Receiving Handoffs: for an agent to whom work is sent. */
ho_code ho_prompt_receiver(const ho_prompt_about *about, ho_prompt *out, ho_error *err) HO_NODISCARD;
/* For a successor: the next action and the current state, and where to look if stuck. Cut from its end if it would
 * be too long; HO_LIMIT if the budget is too small for any prompt. */
ho_code ho_prompt_successor(const ho_prompt_about *about, ho_prompt *out, ho_error *err) HO_NODISCARD;
/* Instead of it, for a phase that is finished. */
ho_code ho_prompt_finished(const ho_prompt_about *about, ho_str summary, ho_prompt *out, ho_error *err) HO_NODISCARD;

#endif
