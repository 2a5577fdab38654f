#include "command/documents/batch.h"

#include <pthread.h>

#include "base/fs.h"
#include "base/grow.h"
#include "base/proc/work.h"
#include "command/call.h"
#include "command/findings.h"
#include "engine/project/paths.h"
#include "engine/project/quote.h"
#include "model/document/recognise.h"

static void add(ho_call *call, ho_batch_files *files, ho_batch_file file)
{
  ho_batch_file *last = HO_PUSH(call->arena, files->items, files->count);
  if (last)
    *last = file;
}

/* Could a file of that name hold a document? */
static bool by_extension(ho_str path)
{
  ho_str name = ho_fs_name(path);
  size_t dot = name.n;
  ho_encoding encoding;
  while (dot && name.p[dot - 1] != '.')
    dot--;
  return dot && ho_encoding_named(ho_str_sub(name, dot, name.n), &encoding);
}

static ho_code collect(ho_call *call, ho_str path, ho_batch_files *files, ho_error *err)
{
  ho_fs_list list;
  if (ho_str_is(path, "-")) {
    add(call, files, (ho_batch_file){.path = path, .named = true});
    return ho_arena_code(call->arena, err);
  }
  const char *full = ho_full_path(call, path);
  if (!ho_fs_is_folder(full)) {
    if (!ho_fs_exists(full))
      return ho_fail_file(err, HO_NOT_FOUND, path, "no such file or folder");
    add(call, files, (ho_batch_file){.path = path, .full = full, .named = true});
    return ho_arena_code(call->arena, err);
  }
  ho_code code = ho_fs_walk_documents(call->arena, full, by_extension, &list, err);
  if (code)
    return code;
  for (size_t i = 0; i < list.count; i++) {
    ho_str below = ho_fs_relative(ho_str_of(full), ho_str_of(list.paths[i]));
    ho_str shown = ho_fs_text(call->arena, ho_fs_join(call->arena, path, below));
    add(call, files, (ho_batch_file){.path = shown, .full = list.paths[i]});
  }
  return ho_arena_code(call->arena, err);
}

ho_code ho_batch_collect(ho_call *call, ho_batch_files *files, ho_error *err)
{
  ho_code code = HO_OK;
  HO_EACH_CONST (path, ho_arg(call, "paths"))
    if (!code)
      code = collect(call, path->text, files, err);
  return code;
}

ho_code ho_batch_collect_documents(ho_call *call, bool copies, ho_batch_files *files, ho_error *err)
{
  size_t kept = 0;
  ho_code code = ho_batch_collect(call, files, err);
  for (size_t i = 0; i < files->count; i++) {
    const ho_batch_file *file = &files->items[i];
    bool copy = file->full && ho_paths_is_copy(file->full);
    if (!copy || (copies && file->named && !ho_paths_is_wrapped(file->full)))
      files->items[kept++] = *file;
    else if (file->named)
      ho_call_note(call, "%.*s: is a copy of a handoff that handoff keeps, and was passed over; run: handoff verify",
                   HO_ARG(file->path));
  }
  files->count = kept;
  return code;
}

struct ho_batch {
  ho_call *call;
  size_t count, done;
  ho_batch_job job;
  void *world;
  ho_arena arenas[HO_WORK_THREADS]; /* of the document at hand */
  pthread_mutex_t lock;             /* around the call and `done` */
};

void ho_batch_enter(ho_batch *batch)
{
  pthread_mutex_lock(&batch->lock);
}

static void work(void *world, unsigned worker, size_t index)
{
  ho_batch *b = world;
  const ho_host *host = b->call->host;
  b->job(b->world, b, &b->arenas[worker], index); /* it has entered */
  b->done++;
  if (host->progress)
    host->progress(host->world, b->done, b->count, "file");
  pthread_mutex_unlock(&b->lock);
  ho_arena_reset(&b->arenas[worker]);
}

ho_code ho_batch_run(ho_call *call, const ho_batch_files *files, ho_batch_job job, void *world, ho_error *err)
{
  ho_batch b = {.call = call, .count = files->count, .job = job, .world = world, .lock = PTHREAD_MUTEX_INITIALIZER};
  ho_host_tokens(call->host); /* once, and not in a thread */
  for (size_t i = 0; i < HO_WORK_THREADS; i++)
    ho_arena_init(&b.arenas[i], 0);
  ho_work_run(files->count, work, &b);
  for (size_t i = 0; i < HO_WORK_THREADS; i++)
    ho_arena_free(&b.arenas[i]);
  return ho_arena_code(call->arena, err);
}

ho_code ho_batch_text(const ho_call *call, ho_arena *arena, const char *full, ho_str *out, ho_error *err)
{
  const ho_host *host = call->host;
  return full ? ho_fs_read(arena, full, 0, out, err) : host->read_input(host->world, arena, out, err);
}

void ho_batch_findings(ho_call *call, ho_batch_file *file, const ho_doc *doc, const ho_report *report, ho_code code,
                       const ho_error *err)
{
  ho_node *findings = ho_map_addz(file->node, "findings", ho_findings_node(call->arena, report));
  /* A text of a folder that cannot be read, and that neither name nor content call ours, need not be a handoff document
   * at all. */
  bool foreign = code == HO_SYNTAX && !file->named && !doc->format &&
                 !ho_recognise_broken(ho_fs_relative(call->host->root, ho_str_of(file->full)), doc->source.text);
  if (code)
    ho_list_add(findings, ho_finding_of_error(call->arena, foreign ? HO_WARNING : HO_ERROR, err));
  if (code == HO_MEMORY) /* says nothing about the document */
    call->arena->failed = HO_MEMORY;
  file->unread = code != HO_OK && !foreign;
  file->empty = !code && ho_str_blank(doc->source.text);
}

void ho_batch_note_unknown(ho_call *call, const ho_batch_file *file)
{
  ho_call_note(call, "%.*s: %.*s", HO_ARG(file->path), HO_ARG(ho_quote_unknown(call->arena, file->path, file->empty)));
}
