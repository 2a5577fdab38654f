/* Learns from all handoffs of the store: for stores that were filled before anything was learned. */
#include "engine/ledger/learn.h"

#include "engine/ledger/write.h"
#include "engine/project/project.h"
#include "store/handoffs/bodies.h"
#include "store/handoffs/handoffs.h"

enum { AT_ONCE = 200 };

typedef struct batch {
  ho_project *project;
  ho_arena *arena;
  ho_learned *sum, before;
  int64_t after, last; /* seq */
} batch;

static ho_code learn_row(batch *b, const ho_handoff *row, ho_error *err)
{
  ho_doc doc;
  ho_str body;
  ho_error why = {0};
  ho_code code = ho_bodies_get(b->project->store, row->digest, b->arena, &body, err);
  if (code)
    return code;
  code = ho_doc_read(&doc, b->arena, row->path, body, ho_format_named(row->kind), &why);
  if (code || !doc.root)
    return ho_arena_code(b->arena, err); /* nothing can be learned from it */
  return ho_knowledge_handoff(b->project, b->arena, row, &doc, b->sum, err);
}

static ho_code learn_batch(ho_store *store, void *data, ho_error *err)
{
  batch *b = data;
  ho_handoff_list list;
  *b->sum = b->before;
  ho_code code = ho_known_missing(store, b->after, AT_ONCE, b->arena, &list, err);
  b->last = !code && list.count ? list.rows[list.count - 1].seq : 0;
  for (size_t i = 0; !code && i < list.count; i++)
    code = learn_row(b, &list.rows[i], err);
  return code;
}

ho_code ho_learn_all(ho_project *project, ho_learned *sum, ho_error *err)
{
  ho_arena arena;
  batch b = {.project = project, .arena = &arena, .sum = sum};
  ho_code code;
  ho_arena_init(&arena, 0);
  do {
    b.before = *sum;
    code = ho_ledger_write(project, learn_batch, &b, err);
    b.after = b.last;
    ho_arena_reset(&arena);
  } while (!code && b.last);
  ho_arena_free(&arena);
  return code;
}

ho_code ho_learn_answer(ho_project *project, ho_arena *arena, ho_str id, ho_str note, ho_known *out, ho_error *err)
{
  ho_knowledge_answering a = {
      .project = project, .arena = arena, .id = id, .note = ho_project_clean(project, arena, note), .out = out};
  return ho_ledger_write(project, ho_knowledge_answer, &a, err);
}
