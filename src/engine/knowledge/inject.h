/* What an agent should know before it starts on a task: the "From Task" text of its predecessors.
 *
 * Chosen from the knowledge of the store (store/knowledge/known.h), how near a fact is being:
 *   0  earlier handoffs of the task itself
 *   1  tasks that it depends on: those given, and those that the store knows of (depends_on)
 *   2  tasks that those depend on
 *   3  facts located in files that the task has touched
 *   4  facts with a tag of the task, or whose tag is a word of its name
 *   5  the newest gotchas of high severity in the project
 * They are taken by severity, then by nearness, warnings and questions before files before patterns, then the newest
 * first; the first that does not fit ends it, so nothing takes the place of something more severe or nearer.
 * Grouped by the task that reported them, in the source's form: Files to Review, Patterns to Follow, Warnings (high and
 * medium), Open Questions (those that block). What had no room is counted in the last line.
 * Text of documents stands on one line without control characters, cannot become a heading, a table's cell or a fence of
 * ours, and is said to be quoted. The same store and budget give the same text. */
#ifndef HO_ENGINE_KNOWLEDGE_INJECT_H
#define HO_ENGINE_KNOWLEDGE_INJECT_H

#include "doc/tokens/tokens.h"
#include "engine/project/project.h"

enum { HO_INJECT_BUDGET = 1000 };

typedef struct ho_inject {
  /* Given. */
  ho_str task;
  const ho_str *depends; /* ids of tasks that it depends on, besides those that the store knows */
  size_t depend_count;
  size_t budget;           /* tokens; 0: HO_INJECT_BUDGET. The text never has more */
  const ho_tokens *tokens; /* NULL: an estimate */

  /* Filled. */
  ho_str text; /* "" where nothing is known, or nothing fits */
  size_t token_count;
  size_t included, left_out; /* items */
  ho_node *steps;            /* list of texts: suggested next steps of the same predecessors, for the breakdown */
} ho_inject;

/* Reads only. Nothing known is no failure: the text is empty. */
ho_code ho_inject_make(ho_project *project, ho_arena *arena, ho_inject *inject, ho_error *err) HO_NODISCARD;

/* What the next request of a task says as previous_findings: the context_summary of the newest response of the task, or
 * "" where there is none. */
ho_code ho_inject_findings(ho_project *project, ho_arena *arena, ho_str task, ho_str *out, ho_error *err) HO_NODISCARD;
#endif
