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

typedef struct ho_tool {
  const char *names; /* "Edit|Write" */
  ho_tool_kind kind;
  /* keys of its input that name the file or command; the first one present counts: "file_path|path" */
  const char *path;
  const char *parts; /* keys that distinguish one read of a file from another: "offset|limit" */
} ho_tool;
/* Records a call of the tool `name` with `input`; an id that was seen before is the same call. */
void ho_scan_tool(ho_scan *scan, const ho_tool *tools, ho_str name, ho_str id, const ho_node *input);

/* Tokens of the texts in a tree; pictures get a fixed price, signatures are ignored. */
int64_t ho_text_tokens(const ho_node *node, const ho_counter *counter);

/* Does the line contain one of the marks without which it says nothing? */
bool ho_transcript_marked(const ho_transcript_form *form, ho_str line);
/* Determines whose entry it is, if that is not known yet. */
void ho_transcript_recognise(ho_scan *scan, const ho_node *entry);
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
/* True if the file is one of Gemini's documents, rather than one entry per line. */
bool ho_document_is(const ho_reader *reader);
/* Reads a document: as a whole if it is small, else only its last usage and model. */
ho_code ho_document_scan(ho_reader *reader) HO_NODISCARD;
#endif
