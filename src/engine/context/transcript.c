#include "engine/context/transcript_parts.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/fs.h"
#include "base/limits.h"
#include "base/memory.h"
#include "doc/json/json.h"

enum {
  TAIL = 256 << 10,    /* how much of the end is read first; then four times as much, until something is found */
  TAIL_MAX = 64 << 20, /* and no more than this */
  /* text after the newest usage that is parsed and counted; what precedes it is estimated as bytes / 4 */
  TEXT_MAX = 8 << 20,
  MARK = 64, /* bytes before the offset that show whether the file is still the same */
};

ho_node *ho_transcript_parse(ho_arena *arena, ho_str text)
{
  ho_source source;
  ho_node *node = NULL;
  ho_error err = {0};
  if (ho_source_init(&source, arena, HO_STR("transcript"), text, &err) ||
      ho_json_read(&source, 0, arena, NULL, &node, &err))
    return NULL;
  return node;
}

/* Reads bytes from..to; fewer if the file has become shorter. */
static ho_code read_bytes(const ho_reader *reader, char *out, int64_t from, int64_t to, int64_t *got)
{
  int64_t at = from;
  while (at < to) {
    ssize_t n = pread(reader->fd, out + (at - from), (size_t)(to - at), (off_t)at);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0) {
      snprintf(reader->scan->why, HO_WHY_SIZE, "the transcript cannot be read: %s", strerror(errno));
      return HO_IO;
    }
    if (n == 0)
      break;
    at += n;
  }
  *got = at - from;
  return HO_OK;
}

ho_code ho_reader_extend(ho_reader *reader, int64_t begin)
{
  int64_t kept = reader->block && begin <= reader->begin ? reader->end - reader->begin : 0, got;
  int64_t missing = kept ? reader->begin : reader->size;
  char *block = ho_malloc((size_t)(missing - begin + kept) + 1);
  if (!block)
    return HO_MEMORY;
  ho_code code = read_bytes(reader, block, begin, missing, &got);
  if (!code && got < missing - begin)
    kept = 0; /* what was read before is no longer there */
  if (!code && kept)
    memcpy(block + got, reader->block, (size_t)kept);
  ho_free(reader->block);
  reader->block = block;
  reader->begin = begin;
  reader->end = code ? begin : begin + got + kept;
  return code;
}

/* Frees what was allocated for the previous line, but remembers if memory ran out. */
static void forget_line(ho_reader *reader)
{
  reader->starved = reader->starved || reader->arena.failed == HO_MEMORY;
  ho_arena_reset(&reader->arena);
}

/* Takes over what a line says. False if it is not JSON: broken, or not complete yet. */
static bool take_line(ho_reader *reader, ho_str line, int64_t end)
{
  ho_scan *scan = reader->scan;
  if (!ho_transcript_marked(scan->harness, line))
    return true;
  if (line.n > HO_LIMIT_DOCUMENT)
    return false;
  forget_line(reader);
  const ho_node *entry = ho_transcript_parse(&reader->arena, line);
  if (!ho_node_is(entry, HO_KIND_MAP))
    return false;
  ho_transcript_take(scan, entry, end, &reader->arena);
  return true;
}

/* The next line of the block from *at; `whole` says whether its end is there. */
static bool next_line(const ho_reader *reader, int64_t *at, ho_str *line, bool *whole)
{
  if (*at >= reader->end)
    return false;
  const char *p = reader->block + (*at - reader->begin);
  const char *end = memchr(p, '\n', (size_t)(reader->end - *at));
  *whole = end != NULL;
  size_t n = end ? (size_t)(end - p) : (size_t)(reader->end - *at);
  *line = ho_str_trim((ho_str){p, n});
  *at += (int64_t)n + (end ? 1 : 0);
  return true;
}

/* True if the last line, although it has no newline, is a complete value. */
static bool complete(ho_reader *reader, ho_str line)
{
  forget_line(reader);
  return line.n <= HO_LIMIT_DOCUMENT && line.n && line.p[line.n - 1] == '}' &&
         ho_node_is(ho_transcript_parse(&reader->arena, line), HO_KIND_MAP);
}

/* Takes all lines of the block from offset `from`, where one begins. */
static void take_lines(ho_reader *reader, int64_t from)
{
  ho_scan *scan = reader->scan;
  ho_str line;
  bool whole;
  for (int64_t at = from; next_line(reader, &at, &line, &whole);) {
    if (!whole && !complete(reader, line))
      break;
    if (line.n && !take_line(reader, line, at))
      scan->broken++;
    scan->offset = at;
  }
}

/* Counts the tokens of the text since the newest usage or boundary; what was counted before is kept. */
static void count_text(ho_reader *reader, int64_t from)
{
  ho_scan *scan = reader->scan;
  int64_t at = scan->text_end > from ? scan->text_end : from;
  ho_str line;
  bool whole;
  const ho_transcript_form *form = ho_transcript_form_of(scan->harness);
  if (scan->offset - at > TEXT_MAX) {
    int64_t far = scan->offset - TEXT_MAX;
    const char *end = memchr(reader->block + (far - reader->begin), '\n', TEXT_MAX);
    int64_t next = end ? reader->begin + (end - reader->block) + 1 : scan->offset;
    scan->since += (next - at) / 4;
    at = next;
  }
  while (at < scan->offset && next_line(reader, &at, &line, &whole)) {
    forget_line(reader);
    const ho_node *entry = line.n ? ho_transcript_parse(&reader->arena, line) : NULL;
    if (form && ho_node_is(entry, HO_KIND_MAP))
      scan->since += ho_text_tokens(form->text(scan, entry), reader->counter);
  }
  scan->text_end = scan->offset;
}

/* Where the first line that is entirely inside the block begins. */
static int64_t first_line(const ho_reader *reader)
{
  if (reader->begin == 0)
    return 0;
  const char *end = memchr(reader->block, '\n', (size_t)(reader->end - reader->begin));
  return end ? reader->begin + (end - reader->block) + 1 : reader->end;
}

/* Reads backwards from the end until there is a usage or a compaction, or enough was seen. */
static ho_code scan_end(ho_reader *reader, const ho_scan *fresh)
{
  for (int64_t want = TAIL;; want *= 4) {
    int64_t begin = reader->size > want ? reader->size - want : 0;
    ho_code code = ho_reader_extend(reader, begin);
    if (code)
      return code;
    *reader->scan = *fresh;
    int64_t from = reader->scan->skipped = reader->scan->offset = first_line(reader);
    take_lines(reader, from);
    if (begin == 0 || want >= TAIL_MAX || reader->scan->usage.total || reader->scan->compactions) {
      count_text(reader, from);
      return HO_OK;
    }
  }
}

static ho_code scan_new(ho_reader *reader)
{
  int64_t from = reader->scan->offset;
  ho_code code = ho_reader_extend(reader, from);
  if (code)
    return code;
  take_lines(reader, from);
  count_text(reader, from);
  return HO_OK;
}

/* A hash of the bytes before the offset; 0 if they cannot be read. */
static int64_t mark_of(const ho_reader *reader, int64_t offset)
{
  char bytes[MARK];
  int64_t from = offset > MARK ? offset - MARK : 0, got;
  if (offset <= 0 || read_bytes(reader, bytes, from, offset, &got) || got < offset - from)
    return 0;
  return (int64_t)(ho_str_hash((ho_str){bytes, (size_t)got}) >> 1); /* fits into a JSON number */
}

/* True if the scan is of this file, and its bytes up to the offset have not changed. */
static bool goes_on(const ho_reader *reader, const struct stat *info, const ho_harness *harness)
{
  const ho_scan *scan = reader->scan;
  return scan->offset > 0 && scan->harness && (!harness || harness == scan->harness) &&
         scan->inode == (int64_t)info->st_ino && scan->offset <= info->st_size &&
         info->st_size - scan->offset <= TAIL_MAX && mark_of(reader, scan->offset) == scan->mark;
}

static ho_code scan_open(ho_reader *reader, const struct stat *info, ho_str path, const ho_harness *harness)
{
  ho_scan *scan = reader->scan;
  ho_code code;
  if (goes_on(reader, info, harness)) {
    scan->why[0] = '\0';
    code = scan_new(reader);
  } else {
    *scan = (ho_scan){.harness = harness, .inode = (int64_t)info->st_ino};
    scan->sidechain = ho_str_starts(ho_fs_name(path), "agent-");
    ho_scan fresh = *scan;
    const ho_transcript_form *document = ho_transcript_document(reader, harness);
    if (document) {
      scan->harness = document->harness;
      return document->scan_document(reader);
    }
    code = scan_end(reader, &fresh);
  }
  scan->mark = mark_of(reader, scan->offset);
  return code;
}

static ho_code open_file(ho_reader *reader, const char *path, struct stat *info)
{
  char *why = reader->scan->why;
  /* Non-blocking, so that a pipe that nobody writes to cannot hang an agent. */
  reader->fd = ho_fs_open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
  if (reader->fd < 0 || fstat(reader->fd, info) != 0) {
    int number = errno;
    snprintf(why, HO_WHY_SIZE, "the transcript cannot be opened: %s", strerror(number));
    return number == ENOENT || number == ENOTDIR ? HO_NOT_FOUND : HO_IO;
  }
  if (!S_ISREG(info->st_mode)) {
    snprintf(why, HO_WHY_SIZE, "%s, not a transcript", S_ISDIR(info->st_mode) ? "a folder" : "a pipe or device");
    return HO_IO;
  }
  reader->size = (int64_t)info->st_size;
  return HO_OK;
}

static void explain(ho_scan *scan, ho_str path, int64_t size)
{
  if (!scan->harness)
    scan->harness = ho_harness_of_path(path);
  if (size == 0)
    snprintf(scan->why, sizeof scan->why, "the transcript is empty");
  else if (!scan->harness)
    snprintf(scan->why, sizeof scan->why, "not a transcript of any known harness");
  else if (!scan->usage.total && scan->zero_usages)
    snprintf(scan->why, sizeof scan->why, "the back end reports a usage of zero");
  else if (!scan->usage.total && !scan->compactions)
    snprintf(scan->why, sizeof scan->why, "the transcript reports no usage");
}

ho_code ho_transcript_scan(ho_scan *scan, const char *path, const ho_harness *harness, const ho_counter *counter)
{
  struct stat info;
  ho_reader reader = {.fd = -1, .scan = scan, .counter = counter};
  ho_arena_init(&reader.arena, (size_t)256 << 20);
  ho_code code = open_file(&reader, path, &info);
  if (!code)
    code = scan_open(&reader, &info, ho_str_of(path), harness);
  forget_line(&reader);
  if (!code && reader.starved)
    code = HO_MEMORY;
  if (!code)
    explain(scan, ho_str_of(path), reader.size);
  else if (code == HO_MEMORY)
    snprintf(scan->why, sizeof scan->why, "out of memory");
  ho_free(reader.block);
  ho_arena_free(&reader.arena);
  if (reader.fd >= 0)
    close(reader.fd);
  return code;
}
