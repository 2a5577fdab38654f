/* What an agent's transcript says about its context: the newest usage, compactions, tool calls, repeated reads.
 *
 * Transcripts are written by the harnesses (Claude Code, Codex, Gemini) while they are read here, and their forms
 * are not a contract: what is not understood is skipped, and nothing here may make an agent's work fail. A file is
 * read from its end in blocks, never as a whole, so a gigabyte takes no longer than a megabyte. The result is a
 * plain struct that can be kept (engine/context/context_cache.h), and the next scan reads only the bytes added
 * since. */
#ifndef HO_ENGINE_CONTEXT_TRANSCRIPT_H
#define HO_ENGINE_CONTEXT_TRANSCRIPT_H

#include "doc/tree.h"
#include "model/harness/harness.h"

enum {
  HO_MODEL_SIZE = 96, /* bytes kept of a model's name */
  HO_READ_SIZE = 192, /* of a path that was read */
  HO_READS = 32,      /* different reads remembered */
  HO_RECENT = 16,     /* messages and tool calls remembered by their ids */
  HO_WHY_SIZE = 256,  /* a sentence */
};

/* Tokens of one request and its answer, as the harness reports them. */
typedef struct ho_usage {
  int64_t total; /* what the context holds after it, the sum of the others; 0: not reported */
  int64_t input, cache_creation, cache_read, output;
} ho_usage;

/* The same content read again and again. */
typedef struct ho_read {
  uint64_t key;  /* of path and range, pattern or command; 0: unused */
  int64_t count; /* reads without an edit in between */
  int64_t clock; /* when it was last read, counted in reads */
  char path[HO_READ_SIZE];
} ho_read;

/* Called for each tool call, with the file that is read, searched or edited, or with the command unless it only
 * reads. */
typedef void (*ho_tool_watch)(void *world, ho_tool_kind kind, ho_str what);

typedef struct ho_scan {
  const ho_harness *harness; /* NULL: not recognised */
  bool sidechain;            /* the transcript is a subagent's own: its sidechain is what counts */
  char model[HO_MODEL_SIZE]; /* of the newest message that names one, or "" */
  char why[HO_WHY_SIZE];     /* why nothing, or not everything, was found; "" if all is well */

  int64_t inode, offset; /* bytes 0..offset of that file are accounted for */
  int64_t mark;          /* hash of the bytes just before the offset */
  int64_t skipped;       /* bytes at the beginning that were never read */
  int64_t broken;        /* lines that could not be read */

  ho_usage usage;                  /* of the newest message of the main chain since the last compaction */
  int64_t usage_end;               /* offset after its line */
  int64_t zero_usages;             /* messages whose usage was all zeros: a back end that does not report it */
  int64_t window;                  /* as reported by the harness; 0: not reported */
  int64_t compactions;             /* boundaries seen */
  int64_t pre_tokens, post_tokens; /* of the newest boundary; 0: not stated */
  int64_t compact_end;             /* offset after its line */

  int64_t since;       /* tokens of text since the newest usage or boundary, counted here */
  int64_t text_end;    /* offset up to which text is counted */
  int64_t tool_calls;  /* since the last compaction */
  int64_t read_tokens; /* price of files read, if somebody (a hook) counts them */

  int64_t clock;
  ho_read reads[HO_READS];
  uint64_t messages[HO_RECENT], calls[HO_RECENT]; /* newest ids, hashed */

  ho_tool_watch watch; /* NULL: nobody is told. Not stored */
  void *watcher;
} ho_scan;

/* Counts tokens; NULL count: bytes / 4. */
typedef struct ho_counter {
  size_t (*count)(void *world, ho_str text);
  void *world;
} ho_counter;
size_t ho_counter_count(const ho_counter *counter, ho_str text);

/* Reads what is new in the transcript at `path` into *scan, which is zero or from an earlier scan (one of another
 * file, or of this file before it was rewritten, is started afresh). harness NULL: recognised by content, then by
 * path. If the file is missing, is not a regular file, or contains nothing, `why` is set: HO_NOT_FOUND if there is
 * no file, HO_IO if it cannot be read, HO_MEMORY; else HO_OK. An incomplete last line is left for the next scan. */
ho_code ho_transcript_scan(ho_scan *scan, const char *path, const ho_harness *harness,
                           const ho_counter *counter) HO_NODISCARD;
/* A walk through a transcript from its beginning, for what happened between two points in time. */
typedef struct ho_walk {
  /* milliseconds since 1970; 0: no bound. An entry without a time has that of the one before it */
  int64_t from, to;
  ho_tool_watch each;
  void *world;
  /* Found. */
  const ho_harness *harness; /* NULL: not recognised */
  int64_t calls;             /* tool calls passed to `each` */
  bool edited;               /* a file was edited */
  int64_t first_edit;        /* tokens added to the context from `from` until then; -1: unknown */
} ho_walk;
/* HO_NOT_FOUND, HO_IO, HO_MEMORY; HO_LIMIT above HO_WALK_BYTES. Unreadable lines are skipped. */
enum { HO_WALK_BYTES = 512 << 20 };
ho_code ho_transcript_walk(ho_walk *walk, const char *path) HO_NODISCARD;
/* What the agent says in an entry of its transcript or output, in any harness's form: a text, or a list of parts
 * with one text each. NULL if it says nothing. */
const ho_node *ho_transcript_said(const ho_node *entry);
/* The same of what a person says to it; harnesses put texts of their own, mostly in <tags>, into the same place. */
const ho_node *ho_transcript_asked(const ho_node *entry);
/* Does the command only show something? Then *file is its last word, which is mostly what it reads. */
bool ho_shell_reads(ho_str command, ho_str *file);
/* The read that was repeated most often, or NULL if nothing was read. */
const ho_read *ho_scan_reread(const ho_scan *scan);
#endif
