/* Deciders: the people whose signatures decide gates.
 *
 * Whoever enrols or revokes a decider signs that; the first one signs for itself, at a terminal. These statements are
 * events of the project's own chain in the ledger, which says who counts. Two copies show when the ledger was changed:
 * `.handoff/deciders`, meant for git, and one outside of the project for this user. Once any of them knows a decider,
 * decisions that are not signed do not count, so removing deciders from one place opens nothing. Once any of them, or
 * git's newest commit, has a decider as revoked, that decider is, unless a later enrolment is signed: so an older copy of
 * the ledger gives nobody back what was taken. Such a copy also has all that this decider signed, so what it does not
 * have, or only behind the revocation, does not count: nobody can enrol others, or keep decisions, in an older copy of
 * the ledger.
 *
 * All rights come from the first decider, and a key is not a person's because it was the first: an agent that is not
 * recognised can make and enrol one. So it is unconfirmed, and said to be so wherever one of their decisions is shown,
 * until a person has compared it and trusted it outside of the project (`handoff trust`), on each machine. */
#ifndef HO_ENGINE_LEDGER_DECIDERS_H
#define HO_ENGINE_LEDGER_DECIDERS_H

#include "base/keypair.h"
#include "engine/project/project.h"
#include "store/handoffs/events.h"

/* Who was enrolled or revoked: a line of the file, and the data of an event. */
typedef struct ho_decider_line {
  bool revoked; /* else added */
  ho_str project, name, key;
  ho_str at; /* a time */
  ho_str by; /* name of the decider who signed this */
  ho_str signature;
  ho_str kept; /* digest of the list of decisions that was signed with it, or "" */
} ho_decider_line;

typedef struct ho_decider {
  ho_decider_line added, gone; /* gone.name empty: still active */
  bool elsewhere;              /* the ledger does not know that it is gone; a copy does */
} ho_decider;

typedef struct ho_decider_lines {
  ho_decider_line *rows;
  size_t count;
} ho_decider_lines;

typedef struct ho_deciders {
  ho_str project;             /* id that signatures are bound to; "" if nobody is enrolled */
  ho_decider *rows;           /* those whose enrolment is signed as it should be */
  size_t count, active;       /* active: not revoked */
  bool required;              /* only signed decisions count */
  bool confirmed;             /* the first decider's key was trusted by this user */
  bool asked_git;             /* what git's newest commit says is known */
  ho_str doubt;               /* if nobody is enrolled although signatures are required: why */
  ho_node *kept;              /* list of texts: digests of decisions that count as they are */
  ho_node *flaws;             /* list of texts: what is wrong with the ledger's deciders, or differs in the copies */
  ho_decider_lines said;      /* all that counts, in the order in which it was signed */
  ho_decider_lines file, pin; /* the copies */
  ho_decider_lines committed; /* likewise, as git's newest commit has it, once it was asked */
  ho_event_list events;       /* of the ledger */
} ho_deciders;

/* Reads the ledger and the copies. */
ho_code ho_deciders_load(ho_project *project, ho_arena *arena, ho_deciders *out, ho_error *err) HO_NODISCARD;
/* Rows that were found before it may be others afterwards.
 *
 * What git's newest commit says: if it knows a decider, signatures are required; whom it has as revoked, is. It takes a
 * process, so it is asked only where a decision is made, or is about to count. */
void ho_deciders_ask_git(ho_project *project, ho_arena *arena, ho_deciders *deciders);
/* The decider with this public key or fingerprint, or NULL; of several, the one that is active. */
const ho_decider *ho_deciders_find(const ho_deciders *deciders, ho_str key);
bool ho_deciders_active(const ho_decider *decider);
/* A sentence for people if nobody has confirmed the first decider's key, else "". */
ho_str ho_deciders_unconfirmed(const ho_deciders *deciders, ho_arena *arena);
/* "alice, bob": those who are active. */
ho_str ho_deciders_names(const ho_deciders *deciders, ho_arena *arena);
/* Is this the digest of a decision that counts as it is? */
bool ho_deciders_keep(const ho_deciders *deciders, ho_str digest);

/* ---- Files (deciders_file.c) */
/* The copy outside of the project: ${XDG_DATA_HOME:-~/.local/share}/handoff/deciders/DIGEST, "" if there is no such
 * place. DIGEST is that of the main worktree's path. */
ho_str ho_deciders_pin_path(const ho_project *project, ho_arena *arena);
/* The lines of a text; others are left out. */
ho_decider_lines ho_deciders_parse(ho_arena *arena, ho_str text);
/* A text with these deciders, as both copies have it. */
ho_str ho_deciders_text(const ho_deciders *deciders, ho_arena *arena);
ho_decider_lines ho_deciders_read_file(ho_arena *arena, ho_str path);
/* The line as data of an event. */
ho_node *ho_deciders_line_data(ho_arena *arena, const ho_decider_line *line);
/* What is signed. */
ho_str ho_deciders_statement(ho_arena *arena, const ho_decider_line *line);
ho_str ho_deciders_kept_statement(ho_arena *arena, ho_str project, ho_str at, ho_str by, const ho_node *digests);
/* Is the last line about this key that it is revoked? */
bool ho_deciders_revoked_in(const ho_decider_lines *lines, ho_str key);

/* Events of the project's chain. */
#define HO_EVENT_DECIDER_ENROLLED HO_STR("decider_enrolled")
#define HO_EVENT_DECIDER_REVOKED HO_STR("decider_revoked")
#define HO_EVENT_DECISIONS_KEPT HO_STR("decisions_kept")
#endif
