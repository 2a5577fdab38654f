/* How full an agent's context is, on what evidence. */
#ifndef HO_ENGINE_CONTEXT_CONTEXT_H
#define HO_ENGINE_CONTEXT_CONTEXT_H

#include "engine/context/transcript.h"
#include "engine/context/triggers.h"
#include "engine/context/window.h"

/* From the best evidence to the weakest. */
#define HO_EVIDENCES(X)                                                                                                \
  X(UNKNOWN, "unknown", "nothing tells")                                                                               \
  X(STATUSLINE, "statusline", "the harness's own figure, kept by the status line")                                     \
  X(USAGE, "usage", "the usage that the newest message reports")                                                       \
  X(COMPACTION, "compaction", "what the last compaction left, and the text since")                                     \
  X(TOKENIZER, "tokenizer", "the text of the transcript, counted here")                                                \
  X(TOOLS, "tools", "the number of tool calls and the size of the files read")
typedef enum ho_evidence {
#define X(name, text, doc) HO_EVIDENCE_##name,
  HO_EVIDENCES(X)
#undef X
} ho_evidence;
const char *ho_evidence_name(ho_evidence evidence);
const char *ho_evidence_doc(ho_evidence evidence);

/* The exact figure that a status line was given. Zero: there is none. */
typedef struct ho_figure {
  int64_t used, window;   /* used 0: no figure */
  int64_t percent;        /* as the harness shows it, of the full window; -1: it does not */
  int64_t transcript_end; /* how long the transcript was then: what stands behind is newer */
  int64_t at_ms;
  char model[HO_MODEL_SIZE];
} ho_figure;

typedef struct ho_context {
  int64_t used;  /* tokens; -1: not known */
  int64_t since; /* tokens that came after that and are not in it */
  ho_window window;
  int64_t tenths; /* of a percent of the effective window, rounded down; -1: not known */
  ho_evidence evidence;
  char model[HO_MODEL_SIZE];
  char why[HO_WHY_SIZE + 128]; /* a sentence on the evidence */
} ho_context;

/* Judges by what was found. figure may be NULL. Of *facts, `given`, `configured` and the environment are the caller's;
 * the others are filled in. */
void ho_context_judge(const ho_scan *scan, const ho_figure *figure, ho_window_facts *facts, ho_context *out);

/* The facts for the triggers that the context and the scan tell; the caller adds the others. */
ho_trigger_facts ho_context_trigger_facts(const ho_context *context, const ho_scan *scan, int64_t threshold);

/* What reading the file would add: its tokens, counted where it is small, else by its size. -1 where it is no file. */
int64_t ho_price_file(const char *path, const ho_counter *counter);
#endif
