/* How the transcripts of one harness are told and read: a row per harness, in transcript_NAME.c. */
#ifndef HO_ENGINE_CONTEXT_TRANSCRIPT_FORM_H
#define HO_ENGINE_CONTEXT_TRANSCRIPT_FORM_H

#include "doc/tree.h"

struct ho_scan; /* engine/context/transcript.h */

typedef struct ho_transcript_form {
  const char *prefix;   /* of their names, or NULL */
  const char *marks[8]; /* a line without any of these says nothing about usage or tools */
  bool (*owns)(const ho_node *entry);
  /* Takes what one entry says about usage, compaction and tools; `end` is the offset behind it, and
   * what has to be made on the way is made in `arena`. */
  void (*take)(struct ho_scan *scan, const ho_node *entry, int64_t end, ho_arena *arena);
  /* The part of an entry that becomes context, or NULL. */
  const ho_node *(*text)(const struct ho_scan *scan, const ho_node *entry);
} ho_transcript_form;

extern const ho_transcript_form ho_transcript_claude, ho_transcript_codex, ho_transcript_gemini;
#endif
