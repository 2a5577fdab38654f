/* What the readers of the harnesses share; only transcript*.c include it. */
#ifndef HO_ENGINE_CONTEXT_TRANSCRIPT_PARTS_H
#define HO_ENGINE_CONTEXT_TRANSCRIPT_PARTS_H

#include "engine/context/transcript.h"

/* A count as harnesses write it: a number, or one in quotes; 0 for null, what is absent, negative or absurd. */
int64_t ho_count_of(const ho_node *map, const char *key);
/* Keeps the model's name. Made-up names in <angle brackets> are no models. */
void ho_scan_model(ho_scan *scan, ho_str model);
/* The newest usage, behind which text is counted from zero again. Zeros are only noted. */
void ho_scan_usage(ho_scan *scan, ho_usage usage, int64_t end);
/* The context was compacted: usage, reads and tool calls from before no longer count. */
void ho_scan_compaction(ho_scan *scan, int64_t pre, int64_t post, int64_t end);
/* True the first time an id is met; remembers the newest HO_RECENT of them. An empty id is always new. */
bool ho_recent_add(uint64_t recent[HO_RECENT], ho_str id);
/* True if `id` is the one that was added last. */
bool ho_recent_newest(const uint64_t recent[HO_RECENT], ho_str id);

typedef struct ho_tool {
  const char *names; /* "Edit|Write" */
  ho_tool_kind kind;
  const char *path;  /* keys of its input that name the file or command, the first that is there: "file_path|path" */
  const char *parts; /* keys that tell one read of a file from another: "offset|limit" */
} ho_tool;
/* A call of the tool `name` with `input`; an id that was met before is the same call. */
void ho_scan_tool(ho_scan *scan, const ho_tool *tools, ho_str name, ho_str id, const ho_node *input);

/* Tokens of the texts in a tree; pictures and signatures are priced or left out. */
int64_t ho_text_tokens(const ho_node *node, const ho_counter *counter);

/* Has the line one of the marks without which it says nothing? */
bool ho_transcript_marked(const ho_transcript_form *form, ho_str line);
/* Whose entry it is, where that is not known yet. */
void ho_transcript_recognise(ho_scan *scan, const ho_node *entry);
/* One JSON value, or NULL where the text is none (or memory ran out: the arena says so). */
ho_node *ho_transcript_parse(ho_arena *arena, ho_str text);

/* One open transcript while it is scanned. */
typedef struct ho_reader {
  int fd;
  int64_t size;
  ho_scan *scan;
  ho_arena arena; /* of one line */
  bool starved;   /* memory ran out for one of them */
  const ho_counter *counter;
  char *block;        /* the bytes at hand */
  int64_t begin, end; /* their offsets */
} ho_reader;
/* Makes bytes begin..size the block; those that are at hand already are not read again. */
ho_code ho_reader_extend(ho_reader *reader, int64_t begin) HO_NODISCARD;
/* True if the file is one of Gemini's documents, and not a line an entry. */
bool ho_document_is(const ho_reader *reader);
/* Reads one: whole where it is small, else the usage and model that stand last in it. */
ho_code ho_document_scan(ho_reader *reader) HO_NODISCARD;
#endif
