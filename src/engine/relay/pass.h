/* Passing the work on: the handoff, the progress file, the return metadata and the record in the store, all or
 * nothing. */
#ifndef HO_ENGINE_RELAY_PASS_H
#define HO_ENGINE_RELAY_PASS_H

#include "engine/ledger/send.h"
#include "engine/phase/progress.h"
#include "engine/relay/return_meta.h"

typedef struct ho_pass {
  /* Given. */
  ho_phase phase;
  ho_project *project;
  const ho_tokens *tokens;
  const ho_node *own;        /* what is passed on, as a bound artifact; any of its fields may be missing */
  const ho_node *revoked;    /* list of texts, or NULL: what is taken back of the predecessor's */
  ho_str meta_path;          /* where the metadata should be written; "": the usual path */
  long long used, threshold; /* percentage of the context; used -1: unknown */

  /* The result. */
  ho_str previous; /* the newest earlier handoff of the phase, or "" */
  /* relative to the root; details "" if there are none */
  ho_str path, details_path;
  ho_return_meta meta;
  ho_doc doc;          /* the handoff as written, or as refused, with its findings */
  bool refused;        /* it breaks a rule (doc.report, intake.secrets), and nothing was written */
  bool marked;         /* nothing had been done, but the context was full enough to pass on anyway */
  bool tracked;        /* there is a progress file */
  bool reopened;       /* the phase was finished */
  ho_str broken;       /* where one was put that could not be read, or "" */
  ho_node *replaced;   /* ids of handoffs that were still waiting, and are superseded by this one */
  size_t handoffs;     /* of the phase, including this one */
  ho_node *taken_back; /* list of texts: what of the previous handoff no longer holds */
  ho_node *inherited;  /* what still holds of the previous handoff (ho_pass_inherited) */
  ho_send intake;
  ho_str artifact_text, details_text, progress_text;
} ho_pass;

/* HO_LIMIT: nothing was done, tried or learned since the last handoff of the phase, and the context is not known to
 * be full. */
ho_code ho_pass_on(ho_pass *pass, ho_error *err) HO_NODISCARD;

/* ---- Its parts. */
/* What the previous handoff says, by its text and that of its details file, and still holds: an artifact of its lists. */
ho_node *ho_pass_inherited(const ho_pass *pass, ho_str handoff, ho_str details);
/* Removes what is taken back. HO_NOT_FOUND if there is no such item, HO_USAGE if there are several. */
ho_code ho_pass_revoke(const ho_pass *pass, ho_node *inherited, ho_error *err) HO_NODISCARD;
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
