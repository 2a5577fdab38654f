/* Learning: what a document says becomes nodes of the knowledge (store/knowledge/known.h).
 *
 * Extraction goes by the role of a format's fields (model/format.h), so that every format is learned from in the same
 * way:
 *
 *   patterns → pattern      warnings → gotcha       decisions → decision    dead ends → dead_end
 *   questions → question    blockers → blocker      facts → fact            next → step
 *   state → file (paths; objectives that are blocked → blocker)             references → file, artifacts → artifact
 *   task → task             parties → agent         tags of a fact → tag    outcome → outcome of the task
 *
 * Each node records the document and line it comes from. An author's id is kept if it is free. Otherwise the id is made
 * from the kind and the text, or from the name for file:PATH, task:ID, agent:NAME, tag:NAME. If an author reuses an id
 * in the same task for another text, the newest text supersedes the others, which are closed.
 *
 * Near-duplicates: two items of a kind are the same node if and only if their normalised texts are equal
 * (ho_knowledge_normal): letters in lower case, articles (a, an, the) left out, every run of white space, quotes,
 * brackets and Markdown marks replaced by one space, and . , ; : ? ! kept only between letters or digits ("1.5";
 * "a.b()" loses its brackets). Digits, signs and negations stay, and so does the order of the words: "100 a minute" and
 * "1000 a minute", or "use X" and "do not use X", are one edit apart and yet different facts, so no fuzzier measure is
 * used. It takes linear time and one index lookup.
 *
 * Questions and blockers are open until there is evidence to the contrary: a later document in which their task (or
 * their phase of it; in a workflow, the step that asked) is completed, completion of all tasks that a blocker blocks, an
 * answer (`answer`), the end of the handoff about which its receiver asked (unless that was done: then its questions, but
 * not its blockers, still want an answer), the decision of the person who was asked, or a mark of their own in a document
 * (resolved: true, answer: TEXT, status: resolved). Learning the same document again changes nothing, and the order in
 * which documents are learned does not affect what is open. */
#ifndef HO_ENGINE_KNOWLEDGE_KNOWLEDGE_H
#define HO_ENGINE_KNOWLEDGE_KNOWLEDGE_H

#include "engine/project/project.h"
#include "model/document/read.h"
#include "store/handoffs/gates.h"
#include "store/handoffs/handoffs.h"
#include "store/knowledge/known.h"

/* One thing that a document says. */
typedef struct ho_item {
  ho_known_kind kind;
  const char *role;
  ho_str id;       /* "" if it is to be made */
  bool own_id;     /* given by the author */
  ho_str text;     /* at most 2000 bytes of it */
  ho_str whole;    /* all of it: decides whether two items are the same */
  ho_str note;     /* what this place adds: purpose or reason */
  ho_node *detail; /* map of texts, or NULL */
  int64_t severity;
  ho_str tags;          /* separated by one space, no duplicates; the first 32 */
  ho_str place;         /* path of the file that it is about, or "" */
  const ho_node *tasks; /* blocker: the tasks that it blocks */
  const ho_node *needs; /* step: the files that it builds on */
  bool resolved;        /* question, blocker: marked so in the document */
  unsigned line;
} ho_item;

typedef struct ho_items {
  ho_item *rows;
  size_t count;
  size_t left_out;                      /* items beyond HO_LIMIT_LEARNED */
  ho_str task, task_name, phase, agent; /* as stated in the document, or "" */
  ho_str outcome;                       /* completed, partial, failed, blocked or "" */
  ho_node *parties;                     /* list of texts: agents it names */
  ho_node *depends;                     /* list of texts: tasks that its task depends on */
  int64_t at;                           /* its own time, or 0 */
  bool halts;                           /* it halts its task: what it asks is settled by an answer alone */
} ho_items;

/* Extracts what a bound document says; has no side effects. root: of the project, to make paths relative. */
ho_code ho_knowledge_items(const ho_doc *doc, ho_str root, ho_arena *arena, ho_items *out, ho_error *err) HO_NODISCARD;

/* The normalised text by which near-duplicates are recognised. */
ho_str ho_knowledge_normal(ho_arena *arena, ho_str text);
/* The fingerprint that makes nodes the same, from kind and text. */
int64_t ho_knowledge_print(ho_arena *arena, ho_known_kind kind, ho_str text);
/* The id of a file, task, agent or tag: "file:src/a.c". */
ho_str ho_knowledge_id(ho_arena *arena, ho_known_kind kind, ho_str name);
/* The name by which a task is known: "task-005", "005" and "5" are one task, and it keeps the name that was said first. */
ho_code ho_knowledge_task(ho_project *project, ho_arena *arena, ho_str said, ho_str *out, ho_error *err) HO_NODISCARD;
/* A path as nodes have it: relative to the root if it is inside, without line numbers; "" if it is not a path. */
ho_str ho_knowledge_path(ho_arena *arena, ho_str root, ho_str text);
/* Lower-case, hyphenated; "" if nothing is left. */
ho_str ho_knowledge_tag(ho_arena *arena, ho_str text);

/* The result of learning. */
typedef struct ho_learned {
  size_t documents, unchanged, items;
  size_t left_out; /* items beyond the limit for a document */
} ho_learned;
/* Learns what a handoff says, inside the transaction that records it. Adds to *sum, which may be NULL. */
ho_code ho_knowledge_handoff(ho_project *project, ho_arena *arena, const ho_handoff *row, const ho_doc *doc,
                             ho_learned *sum, ho_error *err) HO_NODISCARD;
/* Learns a document from a file; `name` is its path relative to the root, `at` is used if it has no time of its own.
 * A copy of a handoff counts as that handoff. Call it inside a write. */
ho_code ho_knowledge_file(ho_project *project, ho_arena *arena, ho_str name, ho_str digest, int64_t at,
                          const ho_doc *doc, ho_learned *sum, ho_error *err) HO_NODISCARD;
/* What a receiver asks in an acknowledgement: lists of texts. n: of the event. Call it inside a write. */
ho_code ho_knowledge_asked(ho_project *project, ho_arena *arena, const ho_handoff *row, const ho_node *questions,
                           const ho_node *blockers, ho_error *err) HO_NODISCARD;
/* The answer to what was asked about a handoff. Call it inside a write. */
ho_code ho_knowledge_answered(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_str note,
                              ho_error *err) HO_NODISCARD;
/* The document of a handoff that its sender takes back asks nothing any more. Call it inside a write. */
ho_code ho_knowledge_withdrawn(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_error *err) HO_NODISCARD;
/* What its receiver asked about a handoff that ended is closed with it, by the handoff's own name: an answer can still follow. kind: or
 * only what is of this kind. Call it inside a write. */
ho_code ho_knowledge_ended(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_known_kind kind,
                           ho_error *err) HO_NODISCARD;
/* That its receiver refused a handoff, and why: a decision. subject: what the handoff was about. Call it inside a write. */
ho_code ho_knowledge_refused(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_str subject, ho_str why,
                             ho_error *err) HO_NODISCARD;
/* That a handoff was taken back, and why: a decision. gate: at which a person had approved it, or ""; that approval is
 * superseded. Call it inside a write. */
ho_code ho_knowledge_taken_back(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_str gate,
                                ho_str subject, ho_str why, ho_error *err) HO_NODISCARD;
/* How a task goes on that the handoff has halted, and why it had: the answer to what its document asks. Call it inside a
 * write. */
ho_code ho_knowledge_resumed(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_str why, ho_str note,
                             ho_error *err) HO_NODISCARD;
/* What an inherited text ends with: " (hop 2)", the handoff that it comes from. It is no part of what was said. */
#define HO_KNOWLEDGE_HOP " (hop "
/* Takes back what earlier handoffs of the task said: decisions, facts, failed approaches, as a list of their texts. They are
 * closed, and superseded by a decision that says so. Call it inside a write. */
ho_code ho_knowledge_revoked(ho_project *project, ho_arena *arena, const ho_handoff *row, const ho_node *texts,
                             ho_error *err) HO_NODISCARD;
/* What a person says at a gate: a decision is a node of its own, with its note as the rationale. by_document: the handoff's
 * document itself asks the person, so the note answers what it asks, in the whole task. A question (gate->decision) is open
 * until ho_knowledge_gate_answered. Call them inside a write. */
ho_code ho_knowledge_gate(ho_project *project, ho_arena *arena, const ho_handoff *row, const ho_gate *gate,
                          bool by_document, ho_error *err) HO_NODISCARD;
ho_code ho_knowledge_gate_answered(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_str gate,
                                   ho_str question, ho_str note, ho_error *err) HO_NODISCARD;
/* The answer to one question or blocker, by its id: the work of a write. HO_NOT_FOUND, HO_CONFLICT if it is closed. */
typedef struct ho_knowledge_answering {
  ho_project *project;
  ho_arena *arena;
  ho_str id, note; /* note: cleaned */
  ho_known *out;   /* as it is afterwards */
  /* Filled: where it was asked, newest first, and by their names the tasks that it blocked. */
  ho_known_source_list asked;
  ho_node *blocked;
} ho_knowledge_answering;
ho_code ho_knowledge_answer(ho_store *store, void *answering, ho_error *err) HO_NODISCARD;
#endif
