/* What an agent should know before it starts on a task: the "From Task" text about its predecessors.
 *
 * Chosen from the knowledge in the store (store/knowledge/known.h). How near a fact is:
 *   0  earlier handoffs of the task itself
 *   1  tasks that it depends on: those given, those that the store knows of (depends_on), and those that its file names,
 *      even if it has no handoff yet; and what blocks it, or did until it was answered
 *   2  tasks that those depend on
 *   3  facts located in files that the task has touched
 *   4  facts with a tag of the task, or whose tag is a word of its name
 *   5  the newest gotchas of high severity in the project
 * Facts are sorted by severity, then by nearness; then warnings, blockers and questions come before decisions before files
 * before patterns before next steps, then newest first. The first one that does not fit in the budget ends the selection, so that nothing displaces something
 * more severe or nearer: an agent must be able to rely on having seen the worst.
 *
 * They are grouped by the task that reported them: Files to Review (with a reason; artifacts of packages among them),
 * Patterns to Follow, Warnings (high and medium), Decisions (answers among them), Open Blockers, Open Questions (those that
 * block), Suggested Next Steps (not those of handoffs that were superseded or rejected, or wait for a person). What had no room is
 * counted in the last line. Text from documents is on one line without control characters, cannot become a heading, a table cell or a fence of ours, and is marked as
 * quoted. The same store and budget give the same text. */
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
  size_t budget;           /* tokens; 0: HO_INJECT_BUDGET. The text never exceeds it */
  const ho_tokens *tokens; /* NULL: an estimate */
  /* What the reader is told beside it, or "". What stands there as an item of a list or after a label is left out; and if it
   * names a next step of the task, so are the others, which are those of handoffs that came before. */
  ho_str said;

  /* Filled. */
  ho_str text; /* "" if nothing is known, or nothing fits */
  size_t token_count;
  size_t included, left_out; /* items */
  ho_node *steps;            /* list of texts: suggested next steps of the same predecessors, for the breakdown */
} ho_inject;

/* Only reads. If nothing is known, the text is empty; that is not a failure. */
ho_code ho_inject_make(ho_project *project, ho_arena *arena, ho_inject *inject, ho_error *err) HO_NODISCARD;

/* The previous_findings for the next request of a task: the context_summary of the task's newest response, or "" if
 * there is none. */
ho_code ho_inject_findings(ho_project *project, ho_arena *arena, ho_str task, ho_str *out, ho_error *err) HO_NODISCARD;
#endif
