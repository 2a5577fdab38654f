/* What the files of the knowledge share: a document on its way into the store. */
#ifndef HO_ENGINE_KNOWLEDGE_KNOWLEDGE_PARTS_H
#define HO_ENGINE_KNOWLEDGE_KNOWLEDGE_PARTS_H

#include "engine/knowledge/knowledge.h"

typedef struct ho_file_name {
  ho_str name, path;
  size_t at; /* among the items */
} ho_file_name;

typedef struct ho_knowing {
  ho_project *project;
  ho_arena *arena;
  ho_known_origin origin;
  int64_t task; /* node of the origin's task; 0: none */
  struct {
    int64_t print, n;
  } named[32]; /* files, tasks, agents and tags of the document that were put lately: each is put once */
  size_t next;
  ho_file_name *files; /* that the items name, in order of name; where indexed */
  size_t file_count;
  bool indexed;
  bool same; /* it had been learned already */
} ho_knowing;

/* Puts the items of a document, its task and its agents. Inside a write. */
ho_code ho_knowledge_put(ho_knowing *k, const ho_items *items, ho_error *err) HO_NODISCARD;
/* A file, task, agent or tag. */
ho_code ho_knowledge_named(ho_knowing *k, const char *kind, ho_str name, const char *role, unsigned line, int64_t *n,
                           ho_error *err) HO_NODISCARD;

/* Where the author's id of an item belongs to another text of the same task, or has belonged to several: the text that was
 * said last supersedes the others, which are closed (knowledge_versions.c). */
ho_code ho_knowledge_supersede(ho_knowing *k, const ho_item *item, const ho_known *known, ho_error *err) HO_NODISCARD;
/* Closes what the outcome of the document settles (knowledge_close.c). */
ho_code ho_knowledge_settle(ho_knowing *k, ho_error *err) HO_NODISCARD;
/* "closed" where the newest outcome of the origin's task is that all of it is completed, else "open". */
ho_code ho_knowledge_task_state(ho_knowing *k, const char **out, ho_error *err) HO_NODISCARD;
/* Closes a blocker all of whose blocked tasks were completed later than it was last said. */
ho_code ho_knowledge_unblock(ho_knowing *k, int64_t blocker, ho_error *err) HO_NODISCARD;
#endif
