/* Shared by the files of this folder: a document on its way into the store. */
#ifndef HO_ENGINE_KNOWLEDGE_KNOWLEDGE_PARTS_H
#define HO_ENGINE_KNOWLEDGE_KNOWLEDGE_PARTS_H

#include "engine/knowledge/knowledge.h"

#define HO_DETAIL_ANSWERS "answers" /* of a decision: the questions that it answers */
/* In which something is said outside documents: an answer, a person's decision at a gate, what is taken back. No document
 * has these roles. */
#define HO_ROLE_NAME_ANSWER "answer"
#define HO_ROLE_NAME_GATE "gate"
#define HO_ROLE_NAME_REVOKED "revoked"
#define HO_ROLE_NAME_REFUSED "refused"
#define HO_ROLE_NAMES_SAID HO_ROLE_NAME_ANSWER "|" HO_ROLE_NAME_GATE "|" HO_ROLE_NAME_REVOKED "|" HO_ROLE_NAME_REFUSED
#define HO_DETAIL_BY "by" /* of a decision at a gate: who decided */
/* Words of the keys under which the program says who decided or answered, how that is known and what it is about. Where a
 * document uses one, HO_DETAIL_STATED is put before its key. */
#define HO_DETAIL_MARKS                                                                                                \
  "by|proof|known|verified|signed|signature|signer|gate|decided|approved|" HO_DETAIL_ANSWERS "|answer"
#define HO_DETAIL_STATED "stated_"
#define HO_KNOWN_GATE_ID "decision-" /* before a gate's id: the id of what was decided there */
#define HO_ORIGIN_ANSWER "answer:"   /* before what was answered by its id: where the answer is said */
/* The fingerprint of what is said outside documents: no document says the same. */
int64_t ho_knowledge_print_said(ho_arena *arena, ho_known_kind kind, ho_str text);
/* In which a file is named that was created. Of one that was changed, it is the change's type. Lines follow, if known. */
#define HO_ROLE_NAME_CREATED "created"
/* Is it a role of a file that was created or changed? The type of the change and the lines. */
bool ho_knowledge_change(ho_str role, ho_str *type, ho_str *lines);

typedef struct ho_file_name {
  ho_str name, path;
  size_t at; /* index among the items */
} ho_file_name;

typedef struct ho_knowing {
  ho_project *project;
  ho_arena *arena;
  ho_known_origin origin;
  int64_t task; /* node of the origin's task; 0: none */
  struct {
    int64_t print, n;
  } named[32]; /* files, tasks, agents and tags of the document that were put recently, so that each is put only once */
  size_t next;
  ho_file_name *files; /* the files that the items name, sorted by name; see indexed */
  size_t file_count;
  bool indexed;
  bool same; /* it had already been learned */
} ho_knowing;

/* The phase in which a handoff asks and completes. Several steps of a workflow have the same phase: what one of them found is
 * not settled by the end of another, so that the step belongs to it. */
ho_str ho_knowledge_phase_of(ho_arena *arena, const ho_handoff *row, ho_str phase);
/* The same as people know it. */
ho_str ho_knowledge_phase_shown(ho_str phase);

/* Begins a document; its task is from then on the one that is known (ho_knowledge_task). */
ho_code ho_knowledge_begin(ho_knowing *k, bool *same, ho_error *err) HO_NODISCARD;
/* Puts the items of a document, its task and its agents. Call it inside a write. */
ho_code ho_knowledge_put(ho_knowing *k, const ho_items *items, ho_error *err) HO_NODISCARD;
/* A file, task, agent or tag. */
ho_code ho_knowledge_named(ho_knowing *k, ho_known_kind kind, ho_str name, const char *role, unsigned line, int64_t *n,
                           ho_error *err) HO_NODISCARD;

/* If the author's id belongs to another text of another task, it becomes "ID@TASK": authors number their own. */
ho_code ho_knowledge_scope_id(ho_knowing *k, int64_t print, ho_item *item, ho_error *err) HO_NODISCARD;
/* If the author's id of an item belongs to another text of the same task, or has belonged to several, the newest
 * text supersedes the others, which are closed (knowledge_versions.c). */
ho_code ho_knowledge_supersede(ho_knowing *k, const ho_item *item, const ho_known *known, ho_error *err) HO_NODISCARD;
/* What was revoked, and is said again by a newer document, holds again (knowledge_said.c). */
ho_code ho_knowledge_hold_again(ho_knowing *k, const ho_known *known, ho_error *err) HO_NODISCARD;
/* Closes what the outcome of the document settles (knowledge_close.c). */
ho_code ho_knowledge_settle(ho_knowing *k, ho_error *err) HO_NODISCARD;
/* "closed" if the newest outcome of the origin's task says that all of it is completed, else "open". */
ho_code ho_knowledge_task_state(ho_knowing *k, ho_known_state *out, ho_error *err) HO_NODISCARD;
/* Closes a blocker if all tasks that it blocks were completed after it was last mentioned. */
ho_code ho_knowledge_unblock(ho_knowing *k, int64_t blocker, ho_error *err) HO_NODISCARD;
#endif
