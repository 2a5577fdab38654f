/* Internals of inject.h: what was chosen, before it is cut to the budget. */
#ifndef HO_ENGINE_KNOWLEDGE_INJECT_PARTS_H
#define HO_ENGINE_KNOWLEDGE_INJECT_PARTS_H

#include "engine/knowledge/inject.h"
#include "engine/knowledge/know.h"
#include "engine/project/quote.h"

typedef enum ho_inject_section { /* in the order of the text */
                                 HO_INJECT_FILES,
                                 HO_INJECT_PATTERNS,
                                 HO_INJECT_WARNINGS,
                                 HO_INJECT_DECISIONS,
                                 HO_INJECT_DEAD_ENDS,
                                 HO_INJECT_BLOCKERS,
                                 HO_INJECT_QUESTIONS,
                                 HO_INJECT_STEPS,
                                 HO_INJECT_SECTIONS
} ho_inject_section;

typedef struct ho_inject_item {
  ho_known known;
  ho_str note; /* why the file should be read */
  ho_inject_section section;
  size_t group; /* HO_NONE until ho_inject_place */
  int near;     /* numbered as in inject.h */
  ho_str line;  /* as written in the text; made on first use */
} ho_inject_item;

typedef struct ho_inject_group {
  ho_str task, name; /* task "": facts of no task */
  int near;          /* of the nearest of its items */
} ho_inject_group;

enum { HO_INJECT_ITEMS = 512, HO_INJECT_GROUPS = 64, HO_INJECT_FARTHEST = 5 };

typedef struct ho_injecting {
  ho_project *project;
  ho_arena *arena;
  ho_inject *out;
  size_t budget;
  ho_str task;
  const ho_str *depends;
  size_t depend_count;
  ho_inject_item *items; /* grows with what is found, up to HO_INJECT_ITEMS */
  size_t count;          /* in order of priority: the last is dropped first */
  ho_inject_group groups[HO_INJECT_GROUPS];
  size_t group_count;
  ho_node *steps;
} ho_injecting;

/* The tasks that the file of the task says it depends on, as a list of texts: a task that has not begun has a file, but has
 * handed nothing on yet. The file is looked for beside those of other tasks. */
ho_code ho_inject_file_depends(ho_injecting *in, ho_node **out, ho_error *err) HO_NODISCARD;
/* Chooses and sorts: by severity, nearness, section, time and id. */
ho_code ho_inject_choose(ho_injecting *in, ho_error *err) HO_NODISCARD;
/* Makes sure that an item has its group: a fact found on its own belongs to the task that mentioned it last. That
 * task is looked up only for items that may fit, because in a large store each lookup reads pages of its own. */
ho_code ho_inject_place(ho_injecting *in, ho_inject_item *item, ho_error *err) HO_NODISCARD;
#endif
