/* Learns from all handoffs of the store: for stores that were filled before anything was learned. */
#include "engine/ledger/learn.h"

#include "engine/ledger/derive.h"
#include "engine/ledger/write.h"
#include "engine/project/project.h"

enum { AT_ONCE = 200 };

typedef struct batch {
  ho_project *project;
  ho_learned *sum, before;
  int64_t after, last; /* seq */
} batch;

static ho_code learn_batch(ho_store *store, void *data, ho_error *err)
{
  batch *b = data;
  (void)store;
  *b->sum = b->before;
  return ho_derive_knowledge(b->project, b->after, INT64_MAX, AT_ONCE, b->sum, &b->last, err);
}

ho_code ho_learn_all(ho_project *project, ho_learned *sum, ho_error *err)
{
  batch b = {.project = project, .sum = sum};
  ho_code code = ho_derive(project, HO_DERIVED_KNOWLEDGE, NULL, err);
  while (!code) {
    b.before = *sum;
    code = ho_ledger_write(project, learn_batch, &b, err);
    b.after = b.last;
    if (!b.last)
      break;
  }
  return code;
}

static ho_code answer(ho_store *store, void *data, ho_error *err)
{
  ho_knowledge_answering *a = data;
  ho_code code = ho_derive_inside(a->project, HO_DERIVED_KNOWLEDGE, err);
  return code ? code : ho_knowledge_answer(store, data, err);
}

ho_code ho_learn_answer(ho_project *project, ho_arena *arena, ho_str id, ho_str note, ho_known *out, ho_error *err)
{
  ho_knowledge_answering a = {
      .project = project, .arena = arena, .id = id, .note = ho_project_clean(project, arena, note), .out = out};
  ho_derive_ahead(project, HO_DERIVED_KNOWLEDGE);
  return ho_ledger_write(project, answer, &a, err);
}
