/* Passing the work on: the handoff, the progress file, the return metadata and the record in the store, all or
 * nothing. */
#ifndef HO_ENGINE_RELAY_PASS_H
#define HO_ENGINE_RELAY_PASS_H

#include "engine/ledger/send.h"
#include "engine/phase/progress.h"
#include "engine/relay/handed.h"
#include "engine/relay/return_meta.h"

typedef struct ho_pass {
  /* Given. */
  ho_phase phase;
  ho_project *project;
  const ho_tokens *tokens;
  const ho_node *own;        /* what is passed on, as a bound artifact; any of its fields may be missing */
  const ho_node *revoked;    /* list of texts, or NULL: what is taken back of the predecessor's */
  bool named;                /* the caller named the task */
  ho_str meta_path;          /* where the metadata should be written; "": the usual path */
  long long used, threshold; /* percentage of the context; used -1: unknown */

  /* The result. */
  ho_handed_list handed; /* what the phase has handed on */
  ho_handed previous; /* the newest of it that is carried on, which no checkpoint is; without a path if there is none */
  ho_str held_up; /* the newest of it that is not, because it waits at the gate held_at or was rejected there; or "" */
  ho_str held_at;
  bool rejected;
  /* relative to the root; details "" if there are none */
  ho_str path, details_path;
  ho_return_meta meta;
  ho_doc doc;          /* the handoff as written, or as refused, with its findings */
  bool refused;        /* it breaks a rule (doc.report, intake.secrets), and nothing was written */
  bool unwritten;      /* it is recorded, but its file could not be written yet */
  bool marked;         /* nothing had been done, but the context was full enough to pass on anyway */
  bool tracked;        /* there is a progress file */
  bool reopened;       /* the phase was finished */
  bool mends;          /* a shell took words out of the previous next action, and this one has them */
  ho_str broken;       /* where one was put that could not be read, or "" */
  ho_handoff origin;   /* what the agent held and this handoff continues; without an id if there is none */
  ho_node *still_held; /* ids of what it holds besides */
  ho_node *replaced;   /* ids of handoffs that were still waiting, and are superseded by this one */
  size_t handoffs;     /* of the phase, including this one */
  ho_node *taken_back; /* list of {kind, text}: what no longer holds of what the phase knew */
  ho_str request;      /* what the person asked for, if no earlier handoff of the phase says it; or "" */
  ho_node *inherited;  /* what still holds of what the phase knew (ho_pass_inherited) */
  ho_send intake;
  ho_str artifact_text, details_text, progress_text;
  ho_str plan, plan_text; /* the plan, if the phase has to be marked as begun */
} ho_pass;

/* For a project without a store: is what is given refused, whatever a phase may know besides (pass->refused, doc)? Then no store
 * is made for it. Nothing is written. */
ho_code ho_pass_try(ho_pass *pass, ho_error *err) HO_NODISCARD;
/* HO_CONFLICT: somebody else works on the phase (engine/ledger/holder.h). HO_LIMIT: nothing was done, tried or learned since the last handoff of the phase, and the context is not known to
 * be full. */
ho_code ho_pass_on(ho_pass *pass, ho_error *err) HO_NODISCARD;

/* ---- Its parts. */
/* Fills origin and still_held. The store is open. */
ho_code ho_pass_find_held(ho_pass *pass, ho_error *err) HO_NODISCARD;
/* Fills request: from the drafts that the handoff takes the place of, and for the first one of a phase from the session.
 * What a lead told its teammate is no person's request. */
ho_code ho_pass_find_request(ho_pass *pass, ho_error *err) HO_NODISCARD;
/* The new handoff supersedes the phase's drafts and its handoffs that nobody has claimed (their ids are added to
 * `replaced`) or that this agent holds. Inside the transaction. */
ho_code ho_pass_supersede(ho_pass *pass, ho_send *in, ho_error *err) HO_NODISCARD;
/* What the phase knows: what its progress file says did not work, the newest first, and what the previous handoff says, by
 * its text and that of its details file. An artifact of lists, with a list of the goal, which has at most one item. */
#define HO_PASS_GOAL_LIST "goal"
#define HO_PASS_SECTIONS "x_sections" /* those that the format does not have */
ho_node *ho_pass_inherited(const ho_pass *pass, const ho_node *progress, ho_str handoff, ho_str details);
/* Removes what is taken back. HO_NOT_FOUND if there is no such item, HO_USAGE if there are several. */
ho_code ho_pass_revoke(const ho_pass *pass, ho_node *inherited, ho_error *err) HO_NODISCARD;
/* Puts before what is inherited what was said since: answers, decisions at gates of the task, why it was given back. After
 * ho_pass_revoke, whose numbers are those of the previous handoff. */
ho_code ho_pass_hear(const ho_pass *pass, ho_error *err) HO_NODISCARD;
/* The failed approaches that were taken back, as texts: all that failed about each. After ho_pass_revoke. */
ho_node *ho_pass_retried(const ho_pass *pass);
/* Does an item of a list say that there is none ("None so far")? */
bool ho_pass_says_none(ho_str words);
/* The kind of the reference to what it continues. */
#define HO_PASS_CONTINUES "Continues"
/* What a pass says itself of the goal: none is known, or it is that of an objective ("Objective 2 is to be done: Halve
 * it"). True only when it was written. */
#define HO_PASS_NO_GOAL "Not stated; see the next action"
#define HO_PASS_OBJECTIVE "Objective "
#define HO_PASS_OBJECTIVE_OPEN " is to be done: "
bool ho_pass_made_goal(ho_str goal);
/* How the fact begins that marks a handoff without work. */
#define HO_PASS_NOTHING "Nothing was done, tried or learned"
/* The handoff as a tree: what is given, then what is inherited, and for the rest what the progress file and the plan
 * say. */
ho_node *ho_pass_artifact(const ho_pass *pass, const ho_node *progress, ho_str stamp);
/* Was anything done, tried or learned since `before`, the newest handoff of the phase? `before` is its text with its
 * details, `stamp` its time. */
bool ho_pass_moved(const ho_pass *pass, const ho_node *progress, ho_str before, ho_str stamp);
/* The same as far as it shows in the ledger and the files: work counts also if its agent has logged none of it. */
bool ho_pass_seen(const ho_pass *pass);
#endif
