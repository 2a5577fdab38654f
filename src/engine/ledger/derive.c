#include "engine/ledger/derive.h"

#include "base/time.h"
#include "engine/project/project.h"
#include "store/handoffs/bodies.h"
#include "store/handoffs/handoffs.h"
#include "store/handoffs/search.h"

/* Handoffs per transaction. Others wait while one is open: learning from a document takes up to two milliseconds, so this
 * is a few hundredths of a second. */
enum { AT_ONCE = 25, FEW = 10 };
/* Whoever has time, or too little, does not queue behind those who write. */
enum { SOON_MS = 20 };

/* A body that is missing or was changed is for `verify` to report: it must not keep the others from being learned. */
static ho_code learn_row(ho_project *project, ho_arena *arena, const ho_handoff *row, ho_learned *sum, ho_error *err)
{
  ho_doc doc;
  ho_str body;
  ho_error why = {0};
  ho_code code = ho_bodies_get(project->store, row->digest, arena, &body, &why);
  if (code == HO_NOT_FOUND || (code && why.rule && strcmp(why.rule, "store-changed") == 0))
    return ho_arena_code(arena, err);
  if (code)
    return *err = why, code;
  code = ho_doc_read(&doc, arena, row->path, body, ho_format_named(row->kind), &why);
  if (code || !doc.root)
    return ho_arena_code(arena, err);
  return ho_knowledge_handoff(project, arena, row, &doc, sum, err);
}

ho_code ho_derive_knowledge(ho_project *project, int64_t after, int64_t upto, int64_t limit, ho_learned *sum,
                            int64_t *last, ho_error *err)
{
  ho_arena rows, document;
  ho_handoff_list list = {0};
  ho_arena_init(&rows, 0);
  ho_arena_init(&document, 0);
  ho_code code = ho_known_missing(project->store, after, upto, limit, &rows, &list, err);
  *last = list.count ? list.rows[list.count - 1].seq : 0;
  for (size_t i = 0; !code && i < list.count; i++) {
    code = learn_row(project, &document, &list.rows[i], sum, err);
    ho_arena_reset(&document);
  }
  ho_arena_free(&document);
  ho_arena_free(&rows);
  return code;
}

/* ---- One transaction of it */

typedef struct deriving {
  ho_project *project;
  ho_derived what;
  int64_t limit;
  int64_t upto; /* after a batch: where the cursor is */
  bool over;    /* there was no more */
} deriving;

static ho_code derive_batch(ho_store *store, void *data, ho_error *err)
{
  deriving *d = data;
  int64_t after, newest, last;
  ho_code code = ho_derived_gap(store, d->what, &after, &newest, err);
  d->over = after >= newest;
  d->upto = after;
  if (code || d->over)
    return code;
  code = ho_derived_end(store, after, d->limit, &d->upto, err);
  if (!code && d->what == HO_DERIVED_SEARCH)
    code = ho_search_add(store, after, d->upto, err);
  else if (!code)
    code = ho_derive_knowledge(d->project, after, d->upto, d->limit, NULL, &last, err);
  d->over = d->upto >= newest;
  return code ? code : ho_derived_set(store, d->what, d->upto, err);
}

ho_code ho_derive_inside(ho_project *project, ho_derived what, ho_error *err)
{
  deriving d = {.project = project, .what = what, .limit = AT_ONCE};
  ho_code code = HO_OK;
  while (!code && !d.over)
    code = derive_batch(project->store, &d, err);
  return code;
}

/* ---- All of it */

/* wait_ms: how long for the store, 0 for as long as any write. */
static ho_code derive(ho_project *project, ho_derived what, int wait_ms, const ho_store_watch *watch, ho_error *err)
{
  enum { MUCH = 1000 };
  int64_t after, newest;
  ho_code code = ho_derived_gap(project->store, what, &after, &newest, err);
  bool shown = watch && watch->show && newest - after > MUCH;
  deriving d = {.project = project, .what = what, .limit = AT_ONCE, .upto = after, .over = after >= newest};
  while (!code && !d.over && d.upto < newest) { /* what is sent from now on need not be seen */
    code = ho_derived_write(project->store, wait_ms, derive_batch, &d, err);
    if (!code && shown && d.upto <= newest)
      watch->show(watch->world, (size_t)(d.upto - after), (size_t)(newest - after), "handoff");
  }
  return code;
}

ho_code ho_derive(ho_project *project, ho_derived what, const ho_store_watch *watch, ho_error *err)
{
  return derive(project, what, 0, watch, err);
}

ho_code ho_derive_to_read(ho_project *project, ho_derived what, const ho_store_watch *watch, ho_error *err)
{
  int64_t after, newest;
  ho_code code = ho_derived_gap(project->store, what, &after, &newest, err);
  if (!code && after < newest)
    code = ho_derived_apart(project->store, err);
  return code ? code : derive(project, what, HO_STORE_READER_WAIT_MS, watch, err);
}

void ho_derive_ahead(ho_project *project, ho_derived what)
{
  ho_error ignored = {0};
  (void)!ho_derive(project, what, NULL, &ignored);
}

/* A few at a time, until it is done or the time is up (monotonic ms). */
static void derive_until(ho_project *project, ho_derived what, int64_t end)
{
  ho_error ignored = {0};
  int64_t after, newest;
  deriving d = {.project = project, .what = what, .limit = FEW};
  if (ho_derived_gap(project->store, what, &after, &newest, &ignored))
    return;
  d.over = after >= newest;
  while (!d.over && ho_derived_write(project->store, SOON_MS, derive_batch, &d, &ignored) == HO_OK &&
         ho_time_monotonic_ms() < end)
    ;
}

void ho_derive_within(ho_project *project, ho_derived what, int64_t ms)
{
  derive_until(project, what, ho_time_monotonic_ms() + ms);
}

void ho_derive_idle(ho_project *project)
{
  for (ho_derived what = 0; what < HO_DERIVED_COUNT; what++)
    derive_until(project, what, 0);
}
