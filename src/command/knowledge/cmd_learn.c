#include <sys/stat.h>

#include "base/digest.h"
#include "base/limits.h"
#include "command/commands.h"
#include "command/documents/batch.h"
#include "command/ledger_call.h"
#include "engine/knowledge/knowledge.h"
#include "engine/ledger/derive.h"
#include "engine/ledger/learn.h"
#include "engine/ledger/write.h"
#include "engine/project/project.h"
#include "engine/project/quote.h"
#include "engine/project/redact.h"
#include "model/document/recognise.h"

enum { AT_ONCE = 200 };

/* A document that was read and can be learned from. */
typedef struct readable {
  ho_doc doc;
  ho_str name, digest;
  int64_t at;
} readable;

typedef struct batch {
  ho_call *call;
  ho_project *project;
  ho_arena *arena;
  readable *docs;
  size_t count;
  ho_learned *sum, before;
  size_t foreign; /* files of no known format */
} batch;

static int64_t changed_at(const char *path)
{
  struct stat info;
  return ho_fs_stat(path, &info) == 0 ? (int64_t)info.st_mtim.tv_sec * 1000 : 0;
}

/* Reads one file; what is of no known format, or cannot be read and was found in a folder, is passed over. */
static ho_code read_file(batch *b, const ho_batch_file *file, ho_error *err)
{
  ho_str text = HO_EMPTY;
  char digest[HO_DIGEST_SIZE];
  ho_error why = {0};
  ho_report secrets = {0};
  readable *r = &b->docs[b->count];
  const ho_format *format = file->full ? ho_recognise_path_only(ho_str_of(file->full)) : NULL;
  ho_str name =
      file->full ? ho_fs_text(b->arena, ho_fs_relative(b->project->root, ho_str_of(file->full))) : HO_STR("-");
  *r = (readable){.name = ho_project_clean(b->project, b->arena, name),
                  .at = file->full ? changed_at(file->full) : ho_project_now(b->project)};
  ho_code code = ho_batch_text(b->call, b->arena, file->full, &text, &why);
  bool blank = ho_str_blank(text);
  if (!code)
    code = ho_redact_read(b->project, b->arena, name, &text, format, &r->doc, &secrets, &why);
  if (code && file->named)
    return *err = why, code;
  if (code == HO_MEMORY || b->arena->failed)
    return ho_fail_memory(err);
  if (code || !r->doc.format || !r->doc.root || secrets.errors) {
    b->foreign++;
    if (file->named && !r->doc.format)
      ho_call_note(b->call, "%.*s: %.*s", HO_ARG(file->path),
                   HO_ARG(ho_quote_unknown(b->call->arena, file->path, blank)));
    return HO_OK;
  }
  ho_digest_text(text, digest);
  r->digest = ho_arena_copy(b->arena, ho_str_of(digest));
  if (!file->full) /* what comes from standard input next is another document */
    r->name = ho_arena_printf(b->arena, "stdin:%.12s", digest);
  b->count++;
  return ho_arena_code(b->arena, err);
}

static ho_code learn_docs(ho_store *store, void *data, ho_error *err)
{
  batch *b = data;
  ho_code code = HO_OK;
  (void)store;
  *b->sum = b->before;
  code = ho_derive_inside(b->project, HO_DERIVED_KNOWLEDGE, err);
  for (size_t i = 0; !code && i < b->count; i++)
    code = ho_knowledge_file(b->project, b->arena, b->docs[i].name, b->docs[i].digest, b->docs[i].at, &b->docs[i].doc,
                             b->sum, err);
  return code;
}

static ho_code learn_files(batch *b, const ho_batch_files *files, ho_error *err)
{
  ho_arena arena;
  ho_code code = HO_OK;
  ho_arena_init(&arena, 0);
  b->arena = &arena;
  for (size_t from = 0; !code && from < files->count; from += AT_ONCE) {
    size_t to = from + AT_ONCE < files->count ? from + AT_ONCE : files->count;
    b->docs = ho_arena_array(&arena, AT_ONCE, sizeof *b->docs);
    b->count = 0;
    b->before = *b->sum;
    if (!b->docs)
      code = ho_arena_code(&arena, err);
    for (size_t i = from; !code && i < to; i++)
      code = read_file(b, &files->items[i], err);
    if (!code && b->count && !b->project->store) /* made only now that there is something for it */
      code = ho_open_ledger(b->call, true, err);
    if (!code && b->count)
      code = ho_ledger_write(b->project, learn_docs, b, err);
    ho_arena_reset(&arena);
  }
  ho_arena_free(&arena);
  return code;
}

/* A store that is missing is made once something was found to learn: a refused command leaves nothing behind. */
static ho_code open_if_there(ho_call *call, ho_error *err)
{
  ho_error why = {0};
  ho_code code = ho_open_ledger(call, false, &why);
  if (code && code != HO_NOT_FOUND)
    return *err = why, code;
  return HO_OK;
}

static void put_number(ho_call *call, const char *key, size_t value)
{
  ho_map_addz(call->result, key, ho_node_number(call->arena, (long long)value));
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_batch_files files = {0};
  ho_learned sum = {0};
  const ho_node *paths = ho_arg(call, "paths");
  bool all = ho_arg_true(call, "all");
  if (!all && !(paths && paths->count))
    return ho_fail(err, HO_USAGE, "nothing to learn from; name a PATH, or use --all for every handoff in the store");
  ho_code code = ho_batch_collect(call, &files, err);
  if (!code)
    code = files.count ? open_if_there(call, err) : ho_ledger_call_maybe(call, err);
  if (code)
    return code;
  batch b = {.call = call, .project = project, .sum = &sum};
  if (all && project->store)
    code = ho_learn_all(project, &sum, err);
  else if (project->store)
    ho_derive_ahead(project, HO_DERIVED_KNOWLEDGE);
  if (!code)
    code = learn_files(&b, &files, err);
  put_number(call, "documents", sum.documents);
  put_number(call, "unchanged", sum.unchanged);
  put_number(call, "items", sum.items);
  put_number(call, "foreign", b.foreign);
  if (sum.left_out)
    ho_call_note(call, "%zu more %s left out; the maximum per document is %d", sum.left_out,
                 ho_plural_of((long long)sum.left_out, "item was", "items were"), HO_LIMIT_LEARNED);
  /* As in `check`: whoever names one document must not be told that it was learned from. */
  bool only_unknown = !all && paths->count == 1 && files.count == 1 && files.items[0].named && b.foreign;
  return code ? code : only_unknown ? HO_INVALID : HO_OK;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  long long items = ho_map_int(call->result, "items"), documents = ho_map_int(call->result, "documents"),
            known = ho_map_int(call->result, "unchanged"), foreign = ho_map_int(call->result, "foreign");
  (void)colour;
  ho_buf_printf(out, "learned %lld item%s from %lld document%s; %lld already known, %lld not recognised\n", items,
                ho_plural(items), documents, ho_plural(documents), known, foreign);
}

static const ho_field params[] = {
    HO_PATHS_FIELD("A file, a folder and everything in it, or '-' for standard input.", 0),
    {.name = "all", .doc = "Learn from every handoff in the store that was not learned from yet.", .type = HO_T_BOOL},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "learn", .fields = params};
#define COUNT(key, what)                                                                                               \
  {                                                                                                                    \
    .name = key, .doc = what, .type = HO_T_INT, .flags = HO_REQUIRED                                                   \
  }
static const ho_field result[] = {COUNT("documents", "Number of documents learned from."),
                                  COUNT("unchanged", "Number of documents that were already known."),
                                  COUNT("items", "Number of items."),
                                  COUNT("foreign", "Number of files that are not recognised or cannot be read."),
                                  HO_NOTES_FIELD,
                                  HO_FIELDS_END};
static const ho_record result_record = {.name = "learn result", .fields = result};

const ho_command ho_command_learn = {
    .name = "learn",
    .group = "knowledge",
    .summary = "Learn patterns, gotchas, decisions and blockers from documents",
    .doc =
        "Handoffs are learned from when they are sent. Use this for documents that live in files (progress, metadata, "
        "plans, old handoffs). Every item keeps the document and line it comes from. Learning a document again changes "
        "nothing; a changed document replaces what it said before.\n\nThe same fact from two documents is one item "
        "with two sources. Texts are the same if they differ only in case, articles, white space, quotes, brackets, "
        "Markdown marks and punctuation; numbers, signs, negations and word order count. The higher severity, all tags "
        "and the newer details are kept. If an author reuses an id in the same task for another text, the newer text "
        "supersedes the older one.\n\nQuestions and blockers are open until something settles them: a later document "
        "in which their task or phase is completed, completion of all tasks that a blocker blocks, 'handoff answer ID "
        "--note TEXT', or a mark in a document (resolved: true, answer: TEXT, status: resolved).\n\nExits 4 if the "
        "only file named is not recognised.",
    .examples = "handoff learn specs",
    .teammate = true,
    .local = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
