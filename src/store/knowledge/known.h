/* What was learned: nodes, where each was said, and how they are connected.
 *
 * An origin is a document that was learned from: a handoff (its id), a file (its path relative to the project root)
 * or an event of a handoff ("ID#N"). A node is one thing that is known; it has one source for each place where it
 * was said, and disappears with its last source. Two things are the same if they have the same print
 * (engine/knowledge/knowledge.h). Roles are words chosen by the engine. Everything here is derived
 * from documents and can be learned again. Functions that change something must be called inside ho_store_write. */
#ifndef HO_STORE_KNOWLEDGE_KNOWN_H
#define HO_STORE_KNOWLEDGE_KNOWN_H

#include "base/words.h"
#include "store/handoffs/handoffs.h"

/* How nodes are connected, from and to. The numbers are stored: only add to them. */
/* clang-format off */
#define HO_EDGES(X) \
  X(1, DISCOVERED_IN, "discovered_in") /* anything → task */ \
  X(2, APPLIES_TO, "applies_to")       /* fact → tag */ \
  X(3, LOCATED_IN, "located_in")       /* fact → file */ \
  X(4, BLOCKS, "blocks")               /* blocker → task */ \
  X(5, SUPERSEDES, "supersedes")       /* newer fact → older fact */ \
  X(6, DEPENDS_ON, "depends_on")       /* task → task, step → file */ \
  X(7, ANSWERS, "answers")             /* decision → question or blocker */
/* clang-format on */
typedef enum ho_edge_type {
#define X(number, name, text) HO_EDGE_##name = number,
  HO_EDGES(X)
#undef X
} ho_edge_type;
const char *ho_known_edge_name(int64_t type); /* "" for an unknown number */

/* clang-format off */
#define HO_KNOWN_KINDS(X) \
  X(PATTERN, "pattern", "how things are done here") \
  X(GOTCHA, "gotcha", "a surprise to watch out for") \
  X(DECISION, "decision", "a choice that was made") \
  X(DEAD_END, "dead_end", "an approach that failed") \
  X(QUESTION, "question", "an open or answered question") \
  X(BLOCKER, "blocker", "what blocks or blocked work") \
  X(FACT, "fact", "other context") \
  X(STEP, "step", "a suggested next step") \
  X(FILE, "file", "a file") \
  X(ARTIFACT, "artifact", "a document that was produced") \
  X(TASK, "task", "a task") \
  X(AGENT, "agent", "an agent") \
  X(TAG, "tag", "what a pattern applies to")

#define HO_KNOWN_STATES(X) \
  X(OPEN, "open") \
  X(CLOSED, "closed")  /* answered, done, or replaced by something newer */
/* clang-format on */
typedef enum ho_known_kind {
  HO_KNOWN_ANY_KIND, /* only in filters */
#define X(name, text, doc) HO_KNOWN_##name,
  HO_KNOWN_KINDS(X)
#undef X
} ho_known_kind;
typedef enum ho_known_state {
  HO_KNOWN_ANY_STATE, /* only in filters */
#define X(name, text) HO_KNOWN_##name,
  HO_KNOWN_STATES(X)
#undef X
} ho_known_state;
extern const ho_words ho_known_kinds, ho_known_states;

/* Is a node of this kind open as long as one of its sources asks? */
static inline bool ho_known_asks(ho_known_kind kind)
{
  return kind == HO_KNOWN_QUESTION || kind == HO_KNOWN_BLOCKER;
}
static inline bool ho_known_is_path(ho_known_kind kind)
{
  return kind == HO_KNOWN_FILE || kind == HO_KNOWN_ARTIFACT;
}
/* Does a node of this kind consist only of its name? Every source says the same about it. */
static inline bool ho_known_is_name(ho_known_kind kind)
{
  return ho_known_is_path(kind) || kind == HO_KNOWN_AGENT || kind == HO_KNOWN_TAG;
}

enum { HO_KNOWN_NONE, HO_KNOWN_LOW, HO_KNOWN_MEDIUM, HO_KNOWN_HIGH };

typedef struct ho_known {
  int64_t n; /* set by the store */
  ho_str id; /* stable, for people */
  ho_known_kind kind;
  ho_str text;
  ho_str detail;    /* a JSON object of texts, or "" */
  ho_str tags;      /* separated by one space */
  int64_t severity; /* HO_KNOWN_LOW … */
  ho_known_state state;
  int64_t first, last;
  int64_t sources; /* how many it has */
} ho_known;

typedef struct ho_known_list {
  ho_known *rows;
  size_t count;
} ho_known_list;

typedef struct ho_known_origin {
  int64_t n;                          /* set by the store */
  ho_str name, digest, format;        /* of the document */
  ho_str task, phase, agent, outcome; /* or "" */
  int64_t at;                         /* when it was written */
} ho_known_origin;

typedef struct ho_known_source {
  ho_str origin; /* name */
  int64_t line;  /* from 1 */
  ho_str role;   /* in which role it was said; of a changed file, how, and its lines */
  ho_str task, phase, agent;
  int64_t at;
  ho_str note;      /* what this place adds: purpose or reason */
  ho_str asks;      /* not "": an open question or blocker of this task ("-": no task's outcome settles it) */
  ho_str closed_by; /* the origin that closed it */
} ho_known_source;

typedef struct ho_known_source_list {
  ho_known_source *rows;
  size_t count;
} ho_known_source_list;

/* ---- Learning */

/* Begins a document: sets origin->n. *same: it was already learned with this content, and there is nothing to do.
 * What was learned from different content is forgotten. */
ho_code ho_known_begin(ho_store *store, ho_known_origin *origin, bool *same, ho_error *err) HO_NODISCARD;
/* Forgets what these handoffs and their events said. Nodes that nobody else mentioned disappear with their edges;
 * the others become what their remaining sources say. What the outcome of a handoff settled stays settled; for that,
 * its task, phase, outcome and time stay known. */
ho_code ho_known_forget(ho_store *store, const ho_handoff_list *handoffs, ho_error *err) HO_NODISCARD;
/* For a store whose rows were copied from another one: makes the index of words, which cannot be copied. */
ho_code ho_known_index_all(ho_store *store, ho_error *err) HO_NODISCARD;
/* Forgets everything, before the index of words is made. */
ho_code ho_known_clear(ho_store *store, ho_error *err) HO_NODISCARD;
/* Handoffs with after < seq <= upto that were not learned from yet, oldest first. */
ho_code ho_known_missing(ho_store *store, int64_t after, int64_t upto, int64_t limit, ho_arena *arena,
                         ho_handoff_list *out, ho_error *err) HO_NODISCARD;
/* Adds a node, or finds the one with this print; sets n, id and sources. When a thing is seen again, the higher
 * severity, all tags and the newer detail are kept. An id that another node already has is replaced by one made from
 * the kind and the print, with a number if that is taken too. *source is added unless that place is already recorded.
 * at: when it was seen. */
ho_code ho_known_put(ho_store *store, ho_known *known, int64_t print, const ho_known_origin *origin,
                     const ho_known_source *source, ho_arena *arena, ho_error *err) HO_NODISCARD;
ho_code ho_known_link(ho_store *store, int64_t from, ho_edge_type type, int64_t to, int64_t origin,
                      ho_error *err) HO_NODISCARD;

/* ---- Questions and blockers */
typedef struct ho_known_ask {
  int64_t node, origin;
} ho_known_ask;
typedef struct ho_known_ask_list {
  ho_known_ask *rows;
  size_t count;
} ho_known_ask_list;
/* Open ones of a task (and phase, if given) that are older than `before`. */
ho_code ho_known_asking(ho_store *store, ho_str task, ho_str phase, int64_t before, ho_arena *arena,
                        ho_known_ask_list *out, ho_error *err) HO_NODISCARD;
/* Those that were asked in events of a handoff, and are open, or were closed by its end. */
ho_code ho_known_asked_in(ho_store *store, ho_str handoff, ho_arena *arena, ho_known_ask_list *out,
                          ho_error *err) HO_NODISCARD;
/* Open ones that the document of a handoff asks. */
ho_code ho_known_asked_by(ho_store *store, ho_str handoff, ho_arena *arena, ho_known_ask_list *out,
                          ho_error *err) HO_NODISCARD;
/* Closes what a node asks in one origin (0: in all); the node is closed once nothing in it is open. */
ho_code ho_known_close(ho_store *store, int64_t node, int64_t origin, ho_str by, ho_error *err) HO_NODISCARD;
/* The origin that completed the task (the phase, or all of it) after `after`; "" if there is none. */
ho_code ho_known_completed(ho_store *store, ho_str task, ho_str phase, int64_t after, ho_arena *arena, ho_str *out,
                           ho_error *err) HO_NODISCARD;
/* The newest outcome of a task; *found says whether there is one. */
ho_code ho_known_outcome(ho_store *store, ho_str task, ho_arena *arena, ho_known_origin *out, bool *found,
                         ho_error *err) HO_NODISCARD;
/* Marks a node itself as closed or open (tasks, superseded facts). */
ho_code ho_known_set_state(ho_store *store, int64_t n, ho_known_state state, ho_error *err) HO_NODISCARD;

/* ---- Finding */
ho_code ho_known_get(ho_store *store, int64_t n, ho_arena *arena, ho_known *out, bool *found,
                     ho_error *err) HO_NODISCARD;
ho_code ho_known_by_id(ho_store *store, ho_str id, ho_arena *arena, ho_known *out, bool *found,
                       ho_error *err) HO_NODISCARD;
/* Newest first. */
ho_code ho_known_sources(ho_store *store, int64_t n, int64_t limit, ho_arena *arena, ho_known_source_list *out,
                         ho_error *err) HO_NODISCARD;

/* The task of the document that it was last learned from; "" if it has none. */
ho_code ho_known_last_task(ho_store *store, int64_t n, ho_arena *arena, ho_str *out, ho_error *err) HO_NODISCARD;

/* Calls `each` for every task in whose documents it was said, most recent first. Unless empty or 0: only what this
 * agent said, and only since `since`. */
ho_code ho_known_tasks(ho_store *store, int64_t n, ho_str agent, int64_t since, ho_text_each each, void *data,
                       ho_error *err) HO_NODISCARD;

/* Empty and 0 do not filter. */
typedef struct ho_known_filter {
  ho_str query; /* words, as in ho_search */
  ho_known_kind kind;
  ho_known_state state;
  ho_str tag;
  ho_str task, agent;
  int64_t to;       /* only nodes with an edge to this node (a file) */
  int64_t severity; /* minimum */
  int64_t since;    /* said at this time or later */
  int64_t limit;    /* 0: HO_KNOWN_LOOKED_AT */
} ho_known_filter;
enum { HO_KNOWN_LOOKED_AT = 48 };
/* At most `limit` nodes that pass the filter, newest first. Bounded: one filter is answered by an index, whatever
 * the size of the store; the other filters only see the newest 2048 of its results. */
ho_code ho_known_choose(ho_store *store, const ho_known_filter *filter, ho_arena *arena, ho_known_list *out,
                        ho_error *err) HO_NODISCARD;
/* Does it contain all words of the query, as ho_search reads them, in its text, details or tags? */
bool ho_known_has(ho_str query, ho_str text, ho_str detail, ho_str tags);
/* Those of one kind and state with at least this severity: most severe first, then newest. */
ho_code ho_known_of_kind(ho_store *store, ho_known_kind kind, ho_known_state state, int64_t severity, int64_t limit,
                         ho_arena *arena, ho_known_list *out, ho_error *err) HO_NODISCARD;
/* The number of those. */
ho_code ho_known_count(ho_store *store, ho_known_kind kind, ho_known_state state, int64_t severity, int64_t *out,
                       ho_error *err) HO_NODISCARD;

typedef struct ho_edge {
  int64_t from, type, to;
} ho_edge;
typedef struct ho_edge_list {
  ho_edge *rows;
  size_t count;
} ho_edge_list;
/* type 0: all. */
ho_code ho_known_edges_from(ho_store *store, int64_t n, int64_t type, int64_t limit, ho_arena *arena, ho_edge_list *out,
                            ho_error *err) HO_NODISCARD;
/* Newest first. */
ho_code ho_known_edges_to(ho_store *store, int64_t n, int64_t type, int64_t limit, ho_arena *arena, ho_edge_list *out,
                          ho_error *err) HO_NODISCARD;

/* A node together with one place in a task's documents where it was said. */
typedef struct ho_known_said {
  ho_known known;
  ho_str note, role, origin;
  int64_t line, at;
  ho_str closed_by; /* of a question or blocker: what settled it here; elsewhere it may still be open */
} ho_known_said;
typedef struct ho_known_said_list {
  ho_known_said *rows;
  size_t count;
} ho_known_said_list;
/* Everything said in documents of a task: newest document first, in document order. Without the files and tags of
 * facts: they are scattered over the store, and ho_known_ends returns their numbers without reading them. */
ho_code ho_known_of_task(ho_store *store, ho_str task, int64_t limit, ho_arena *arena, ho_known_said_list *out,
                         ho_error *err) HO_NODISCARD;
/* The nodes that facts in a task's documents lead to by edges of this type; those of the newest document first. */
ho_code ho_known_ends(ho_store *store, ho_str task, ho_edge_type type, int64_t limit, ho_arena *arena, ho_numbers *out,
                      ho_error *err) HO_NODISCARD;
#endif
