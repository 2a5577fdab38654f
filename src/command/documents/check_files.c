#include "command/documents/check_files.h"

#include <pthread.h>

#include "base/fs.h"
#include "base/grow.h"
#include "base/proc/work.h"
#include "command/call.h"
#include "command/findings.h"
#include "model/document/recognise.h"

static void add(ho_call *call, ho_check_files *files, ho_check_file file)
{
  ho_check_file *last = HO_PUSH(call->arena, files->items, files->count);
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

static ho_code collect(ho_call *call, ho_str path, ho_check_files *files, ho_error *err)
{
  ho_fs_list list;
  if (ho_str_is(path, "-")) {
    add(call, files, (ho_check_file){.path = path, .named = true});
    return ho_arena_code(call->arena, err);
  }
  const char *full = ho_full_path(call, path);
  if (!ho_fs_is_folder(full)) {
    if (!ho_fs_exists(full))
      return ho_fail_file(err, HO_NOT_FOUND, path, "no such file or folder");
    add(call, files, (ho_check_file){.path = path, .full = full, .named = true});
    return ho_arena_code(call->arena, err);
  }
  ho_code code = ho_fs_walk(call->arena, full, by_extension, &list, err);
  if (code)
    return code;
  for (size_t i = 0; i < list.count; i++) {
    ho_str below = ho_fs_relative(ho_str_of(full), ho_str_of(list.paths[i]));
    ho_str shown = ho_fs_text(call->arena, ho_fs_join(call->arena, path, below));
    add(call, files, (ho_check_file){.path = shown, .full = list.paths[i]});
  }
  return ho_arena_code(call->arena, err);
}

ho_code ho_check_collect(ho_call *call, ho_check_files *files, ho_error *err)
{
  ho_code code = HO_OK;
  HO_EACH_CONST (path, ho_arg(call, "paths"))
    if (!code)
      code = collect(call, path->text, files, err);
  return code;
}

typedef struct batch {
  ho_call *call;
  ho_check_files *files;
  const ho_format *format;
  ho_arena arenas[HO_WORK_THREADS]; /* of the document at hand */
  pthread_mutex_t lock;             /* around everything below and the call's arena */
  size_t done;
} batch;

static ho_code read_and_check(batch *b, ho_arena *arena, const ho_check_file *file, ho_doc *doc, ho_error *err)
{
  const ho_host *host = b->call->host;
  ho_str text, full = ho_str_of(file->full);
  const ho_format *format = b->format;
  ho_code code =
      file->full ? ho_fs_read(arena, file->full, 0, &text, err) : host->read_input(host->world, arena, &text, err);
  if (code)
    return code;
  if (!format && full.n)
    format = ho_recognise_path(full);
  code = ho_doc_read(doc, arena, file->path, text, format, err);
  if (code)
    return code;
  ho_check_env env = {.path = full.n ? ho_fs_relative(host->root, full) : HO_EMPTY,
                      .tokens = host->tokens,
                      .exists = ho_exists_in_root,
                      .world = b->call->host};
  return ho_doc_check(doc, &env, err);
}

/* Puts what was found into the result. The call's arena is everybody's: called under the lock. */
static void keep(batch *b, ho_check_file *file, const ho_doc *doc, ho_code code, const ho_error *err)
{
  ho_arena *arena = b->call->arena;
  if (code == HO_MEMORY) /* says nothing about the document */
    arena->failed = HO_MEMORY;
  ho_node *node = ho_node_new(arena, HO_KIND_MAP);
  ho_map_addz(node, "path", ho_node_text(arena, file->path));
  ho_map_addz(node, "format", doc->format ? ho_node_textz(arena, doc->format->name) : ho_node_new(arena, HO_KIND_NULL));
  ho_node *findings = ho_map_addz(node, "findings", ho_findings_node(arena, &doc->report));
  /* A text of a folder that cannot be read and has no telling name need not be a handoff document at all. */
  bool foreign = code == HO_SYNTAX && !file->named && !doc->format;
  if (code)
    ho_list_add(findings, ho_error_finding(arena, foreign ? HO_WARNING : HO_ERROR, err));
  if (doc->report.left_out)
    ho_map_addz(node, "left_out", ho_node_number(arena, (long long)doc->report.left_out));
  file->unread = code != HO_OK && !foreign;
  file->node = node;
}

static void job(void *world, unsigned worker, size_t index)
{
  batch *b = world;
  const ho_host *host = b->call->host;
  ho_arena *arena = &b->arenas[worker];
  ho_check_file *file = &b->files->items[index];
  ho_doc doc = {0};
  ho_error err = {0};
  ho_code code = read_and_check(b, arena, file, &doc, &err);
  pthread_mutex_lock(&b->lock);
  keep(b, file, &doc, code, &err);
  b->done++;
  if (host->progress)
    host->progress(host->world, b->done, b->files->count);
  pthread_mutex_unlock(&b->lock);
  ho_arena_reset(arena);
}

ho_code ho_check_all(ho_call *call, ho_check_files *files, const ho_format *format, ho_error *err)
{
  batch b = {.call = call, .files = files, .format = format, .lock = PTHREAD_MUTEX_INITIALIZER};
  ho_host_tokens(call->host);
  for (size_t i = 0; i < HO_WORK_THREADS; i++)
    ho_arena_init(&b.arenas[i], 0);
  ho_work_run(files->count, job, &b);
  for (size_t i = 0; i < HO_WORK_THREADS; i++)
    ho_arena_free(&b.arenas[i]);
  return ho_arena_code(call->arena, err);
}
