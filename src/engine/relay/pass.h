/* Passing the work on: the handoff, the progress file, the return metadata and the record in the store, all or
 * nothing. */
#ifndef HO_ENGINE_RELAY_PASS_H
#define HO_ENGINE_RELAY_PASS_H

#include "engine/ledger/send.h"
#include "engine/phase/progress.h"

typedef struct ho_pass {
  /* Given. */
  ho_phase phase;
  ho_project *project;
  const ho_tokens *tokens;
  ho_str next, file, location, goal;                         /* "" if not given */
  const ho_node *decisions, *dead_ends, *facts, *references; /* lists of texts, or NULL */
  ho_str meta_path;          /* where the metadata should be written; "": the usual path */
  long long used, threshold; /* percentage of the context; used -1: unknown */

  /* The result. */
  ho_str previous; /* the newest earlier handoff of the phase, or "" */
  /* relative to the root (the metadata may be elsewhere); details "" if there are none */
  ho_str path, details_path, meta;
  ho_doc doc;      /* the handoff as written, or as refused, with its findings */
  bool refused;    /* it breaks a rule (doc.report, intake.secrets), and nothing was written */
  bool marked;     /* nothing had been done, but the context was full enough to pass on anyway */
  bool tracked;    /* there is a progress file */
  size_t handoffs; /* of the phase, including this one */
  ho_send intake;
  ho_str artifact_text, details_text, progress_text, meta_text;
} ho_pass;

/* HO_LIMIT: nothing was done, tried or learned since the last handoff of the phase, and the context is not known to
 * be full. */
ho_code ho_pass_on(ho_pass *pass, ho_error *err) HO_NODISCARD;

/* ---- Its parts. */
/* The handoff as a tree: what is given, and for the rest what the progress file and the plan say. */
ho_node *ho_pass_artifact(const ho_pass *pass, const ho_node *progress, ho_str stamp);
/* Was anything done, tried or learned since `before`, the newest handoff of the phase? `before` is its text with its
 * details, `stamp` its time. */
bool ho_pass_moved(const ho_pass *pass, const ho_node *progress, ho_str before, ho_str stamp);
/* Path and text of the return metadata; pass->path is known. */
ho_code ho_pass_meta(ho_pass *pass, ho_error *err) HO_NODISCARD;
/* The newest plan of the task below root, or "". */
ho_str ho_pass_plan(const ho_pass *pass);
#endif
