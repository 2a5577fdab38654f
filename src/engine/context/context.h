/* How full an agent's context is, and what that is based on. */
#ifndef HO_ENGINE_CONTEXT_CONTEXT_H
#define HO_ENGINE_CONTEXT_CONTEXT_H

#include "engine/context/transcript.h"
#include "engine/context/triggers.h"
#include "engine/context/window.h"

/* From the best evidence to the weakest. */
#define HO_EVIDENCES(X)                                                                                                \
  X(UNKNOWN, "unknown", "unknown")                                                                                     \
  X(STATUSLINE, "statusline", "the harness's own figure, from the status line")                                        \
  X(USAGE, "usage", "the usage reported by the newest message")                                                        \
  X(COMPACTION, "compaction", "what the last compaction left, plus the text since")                                    \
  X(TOKENIZER, "tokenizer", "the text of the transcript, counted here")                                                \
  X(TOOLS, "tools", "the number of tool calls and the size of the files read")
typedef enum ho_evidence {
#define X(name, text, doc) HO_EVIDENCE_##name,
  HO_EVIDENCES(X)
#undef X
} ho_evidence;
const char *ho_evidence_name(ho_evidence evidence);

/* The exact figure given to a status line. Zero: there is none. */
typedef struct ho_figure {
  int64_t used, window;   /* used 0: no figure */
  int64_t percent;        /* as the harness shows it, of the full window; -1: not shown */
  int64_t transcript_end; /* length of the transcript at that time: anything after it is newer */
  int64_t at_ms;
  char model[HO_MODEL_SIZE];
} ho_figure;

typedef struct ho_context {
  int64_t used;  /* tokens; -1: unknown */
  int64_t since; /* tokens that came later and are not included */
  ho_window window;
  int64_t tenths; /* tenths of a percent of the effective window, rounded down; -1: unknown */
  ho_evidence evidence;
  char model[HO_MODEL_SIZE];
  char why[HO_WHY_SIZE + 128]; /* a sentence about the evidence */
} ho_context;

/* Judges by what was found. figure may be NULL. The caller sets `given`, `configured` and the environment in *facts;
 * the others are filled in. */
void ho_context_judge(const ho_scan *scan, const ho_figure *figure, ho_window_facts *facts, ho_context *out);

/* The trigger facts that follow from the context and the scan; the caller adds the others. */
ho_trigger_facts ho_context_trigger_facts(const ho_context *context, const ho_scan *scan, int64_t threshold);

/* What reading the file would add: its tokens, counted if it is small, else estimated from its size; of a picture, by
 * its pixels. -1 if it is not a file. */
int64_t ho_price_file(const char *path, const ho_counter *counter);
#endif
