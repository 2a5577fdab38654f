#include "engine/context/context.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/utf8.h"
#include "engine/context/picture.h"

enum {
  CALL_TOKENS = 500,      /* roughly what a tool call and its result cost, not counting files read */
  COUNTED_FILE = 1 << 20, /* bytes; a larger file is priced by its size */
};

static const struct {
  const char *name, *doc;
} evidences[] = {
#define X(name, text, doc) {text, doc},
    HO_EVIDENCES(X)
#undef X
};

const char *ho_evidence_name(ho_evidence evidence)
{
  return evidences[evidence].name;
}

static const char *evidence_doc(ho_evidence evidence)
{
  return evidences[evidence].doc;
}

/* A figure is valid until the transcript contains something newer. */
static bool figure_holds(const ho_figure *figure, const ho_scan *scan)
{
  return figure && figure->used > 0 && scan->usage_end <= figure->transcript_end &&
         scan->compact_end <= figure->transcript_end;
}

static void set(ho_context *out, ho_evidence evidence, int64_t used, int64_t since)
{
  out->evidence = evidence;
  out->used = used;
  out->since = since;
}

static void climb_down(const ho_scan *scan, const ho_figure *figure, ho_context *out)
{
  if (figure_holds(figure, scan))
    set(out, HO_EVIDENCE_STATUSLINE, figure->used, scan->usage_end || scan->compact_end ? scan->since : 0);
  else if (scan->usage.total > 0)
    set(out, HO_EVIDENCE_USAGE, scan->usage.total, scan->since);
  else if (scan->compactions > 0 && scan->post_tokens > 0)
    set(out, HO_EVIDENCE_COMPACTION, scan->post_tokens + scan->since, 0);
  else if (scan->since > 0)
    set(out, HO_EVIDENCE_TOKENIZER, scan->since, 0);
  else if (scan->tool_calls > 0)
    set(out, HO_EVIDENCE_TOOLS, scan->tool_calls * CALL_TOKENS + scan->read_tokens, 0);
  else
    set(out, HO_EVIDENCE_UNKNOWN, -1, 0);
}

static void explain(const ho_scan *scan, ho_context *out)
{
  const char *doc = evidence_doc(out->evidence);
  bool less = out->evidence == HO_EVIDENCE_TOKENIZER && scan->skipped > 0;
  bool told = out->evidence != HO_EVIDENCE_STATUSLINE && out->evidence != HO_EVIDENCE_USAGE && scan->why[0];
  snprintf(out->why, sizeof out->why, "%s%s%s%s", doc, told ? ": " : "", told ? scan->why : "",
           less ? "; only the end of the transcript was counted" : "");
}

void ho_context_judge(const ho_scan *scan, const ho_figure *figure, ho_window_facts *facts, ho_context *out)
{
  memset(out, 0, sizeof *out);
  climb_down(scan, figure, out);
  explain(scan, out);
  bool own = out->evidence == HO_EVIDENCE_STATUSLINE;
  ho_error_copy(out->model, sizeof out->model, ho_str_of(own && figure->model[0] ? figure->model : scan->model));
  facts->model = ho_str_of(out->model);
  facts->used = out->used;
  facts->reported = own && figure->window ? figure->window : scan->window;
  facts->compacts = own || (scan->harness && scan->harness->compact_window);
  out->window = ho_window_of(facts);
  out->tenths = out->used >= 0 && out->window.effective > 0 ? out->used * 1000 / out->window.effective : -1;
}

ho_trigger_facts ho_context_trigger_facts(const ho_context *context, const ho_scan *scan, int64_t threshold)
{
  const ho_read *most = ho_scan_reread(scan);
  return (ho_trigger_facts){.used = context->used,
                            .since = context->since,
                            .window = context->window.effective,
                            .threshold = threshold,
                            .reread = most ? most->path : NULL,
                            .reread_count = most ? most->count : 0};
}

/* False if the file is not a picture. */
static bool price_picture(const char *path, int64_t *tokens)
{
  char head[HO_PICTURE_HEAD];
  size_t n = 0;
  int fd = ho_fs_open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  for (ssize_t got = 1; fd >= 0 && got > 0 && n<sizeof head; n += got> 0 ? (size_t)got : 0)
    got = read(fd, head + n, sizeof head - n);
  if (fd >= 0)
    close(fd);
  return ho_picture_price((ho_str){head, n}, tokens);
}

int64_t ho_price_file(const char *path, const ho_counter *counter)
{
  struct stat info;
  ho_str text;
  ho_arena arena;
  ho_error ignored;
  if (ho_fs_stat(path, &info) != 0 || !S_ISREG(info.st_mode))
    return -1;
  int64_t tokens = ((int64_t)info.st_size + 3) / 4;
  if (ho_picture_named(ho_str_of(path)) && price_picture(path, &tokens))
    return tokens;
  if (info.st_size > COUNTED_FILE)
    return tokens;
  ho_arena_init(&arena, 0);
  if (ho_fs_read(&arena, path, COUNTED_FILE, &text, &ignored) == HO_OK && ho_utf8_bad(text) == HO_NONE)
    tokens = (int64_t)ho_counter_count(counter, text);
  ho_arena_free(&arena);
  return tokens;
}
