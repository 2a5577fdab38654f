/* Shared by the transcript readers; only transcript*.c include it. */
#ifndef HO_ENGINE_CONTEXT_TRANSCRIPT_PARTS_H
#define HO_ENGINE_CONTEXT_TRANSCRIPT_PARTS_H

#include "engine/context/transcript.h"

/* A count as harnesses write it: a number, possibly in quotes; 0 if it is null, absent, negative or absurd. */
int64_t ho_count_of(const ho_node *map, const char *key);
/* Records the model's name. Made-up names in <angle brackets> are not models. */
void ho_scan_model(ho_scan *scan, ho_str model);
/* Records the newest usage; text is counted from zero again after it. Zeros are only counted. */
void ho_scan_usage(ho_scan *scan, ho_usage usage, int64_t end);
/* The context was compacted: usage, reads and tool calls from before no longer count. */
void ho_scan_compaction(ho_scan *scan, int64_t pre, int64_t post, int64_t end);
/* True the first time an id is seen; remembers the newest HO_RECENT of them. An empty id is always new. */
bool ho_recent_add(uint64_t recent[HO_RECENT], ho_str id);
/* True if `id` is the one that was added last. */
bool ho_recent_newest(const uint64_t recent[HO_RECENT], ho_str id);

/* Records a call of the tool `name` with `input`; an id that was seen before is the same call. */
void ho_scan_tool(ho_scan *scan, ho_str name, ho_str id, const ho_node *input);

/* Tokens of the texts in a tree; pictures are priced by their size, signatures are ignored. */
int64_t ho_text_tokens(const ho_node *node, const ho_counter *counter);

/* Does the line contain one of the marks without which it says nothing to this harness? True if the harness is not
 * known yet. */
bool ho_transcript_marked(const ho_harness *harness, ho_str line);
/* Takes over what an entry says; determines who wrote it on the way, if that is not known yet. */
void ho_transcript_take(ho_scan *scan, const ho_node *entry, int64_t end, ho_arena *arena);
/* One JSON value, or NULL if the text is not JSON (or memory ran out: the arena records it). */
ho_node *ho_transcript_parse(ho_arena *arena, ho_str text);

/* One open transcript during a scan. */
typedef struct ho_reader {
  int fd;
  int64_t size;
  ho_scan *scan;
  ho_arena arena; /* of one line */
  bool starved;   /* memory ran out for a line */
  const ho_counter *counter;
  char *block;        /* the bytes in memory */
  int64_t begin, end; /* their offsets */
} ho_reader;
/* Makes bytes begin..size the block; those already in memory are not read again. */
ho_code ho_reader_extend(ho_reader *reader, int64_t begin) HO_NODISCARD;

/* How the transcripts of one harness are recognised and read: in transcript_NAME.c, as ho_transcript_NAME. */
typedef struct ho_transcript_form {
  const ho_harness *harness;
  const char *marks[8]; /* a line without any of these says nothing about usage or tools */
  bool (*owns)(const ho_node *entry);
  /* Takes over what one entry says about usage, compaction and tools; `end` is the offset after it, `arena` is
   * scratch. */
  void (*take)(ho_scan *scan, const ho_node *entry, int64_t end, ho_arena *arena);
  /* The part of an entry that becomes context, or NULL. */
  const ho_node *(*text)(const ho_scan *scan, const ho_node *entry);
  /* As ho_transcript_said. */
  const ho_node *(*said)(const ho_node *entry);
  /* As ho_transcript_asked. */
  const ho_node *(*asked)(const ho_node *entry);
  /* Transcripts may also be one JSON document that is rewritten each time: is this one? How to scan it; its entries.
   * NULL: they never are. */
  bool (*is_document)(const ho_reader *reader);
  ho_code (*scan_document)(ho_reader *reader);
  const ho_node *(*entries)(const ho_node *document);
} ho_transcript_form;

#define X(name, title, synonyms, started) extern const ho_transcript_form ho_transcript_##name;
HO_HARNESSES_READ(X, X, X)
#undef X
/* NULL: the transcripts of this harness are not read. */
const ho_transcript_form *ho_transcript_form_of(const ho_harness *harness);
/* The harness whose document the file is; NULL if it is not a document, but has one entry per line. With a harness:
 * considers only that one. */
const ho_transcript_form *ho_transcript_document(const ho_reader *reader, const ho_harness *harness);
#endif
