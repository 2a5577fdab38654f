/* What can be seen of an agent's work: its progress file, its transcript, git. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/phase/progress.h"
#include "base/buf.h"
#include "doc/json/json.h"
#include "engine/context/context_cache.h"
#include "engine/ledger/draft.h"
#include "engine/project/git.h"
#include "engine/project/project.h"
#include "engine/project/quote.h"

#define AT_COMMIT "git: at commit "
enum { TAIL = 256 << 10, WORDS = 3, WORDS_SIZE = 1200, FILES = 12, ENTRIES = 40, CHANGED = 20, LINE = 300 };

/* ---- Transcripts and logs */

static ho_str joined(ho_arena *arena, const ho_node *parts)
{
  ho_buf out;
  if (ho_node_is(parts, HO_KIND_TEXT))
    return parts->text;
  ho_buf_init(&out, 0);
  HO_EACH_CONST (part, parts) {
    ho_str text = ho_map_str(part, "text");
    if (out.n && text.n)
      ho_buf_putc(&out, '\n');
    ho_buf_put(&out, text);
  }
  return ho_buf_move(&out, arena);
}

/* Up to TAIL bytes from that end of the file, in whole lines. */
static ho_str part_of(ho_arena *arena, const char *path, bool end)
{
  struct stat info;
  int fd = path && *path ? ho_fs_open(path, O_RDONLY | O_NONBLOCK) : -1;
  if (fd < 0)
    return HO_EMPTY;
  if (fstat(fd, &info) || !S_ISREG(info.st_mode)) {
    close(fd);
    return HO_EMPTY;
  }
  off_t from = end && info.st_size > TAIL ? info.st_size - TAIL : 0;
  char *bytes = info.st_size > 0 ? ho_arena_alloc(arena, TAIL) : NULL;
  ssize_t n = bytes ? pread(fd, bytes, TAIL, from) : 0;
  close(fd);
  ho_str text = {bytes ? bytes : "", n > 0 ? (size_t)n : 0};
  size_t line = from ? ho_str_find_char(text, '\n') : 0;
  return line == HO_NONE ? HO_EMPTY : ho_str_sub(text, from ? line + 1 : 0, text.n);
}

static ho_node *entry_of(ho_arena *arena, ho_str line)
{
  ho_source source;
  ho_node *entry;
  ho_error none = {0};
  bool read = !ho_str_blank(line) && ho_source_init(&source, arena, HO_STR("transcript"), line, &none) == HO_OK &&
              ho_json_read(&source, 0, arena, NULL, &entry, &none) == HO_OK;
  return read ? entry : NULL;
}

/* Takes the last line off. */
static ho_str last_line(ho_str *rest)
{
  size_t begin = rest->n;
  while (begin > 0 && rest->p[begin - 1] != '\n')
    begin--;
  ho_str line = ho_str_sub(*rest, begin, rest->n);
  *rest = ho_str_sub(*rest, 0, begin ? begin - 1 : 0);
  return line;
}

/* The texts of the agent's newest messages in a transcript or log, newest first. */
static ho_node *last_words(ho_arena *arena, const char *path, size_t most)
{
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  ho_str rest = part_of(arena, path, true);
  while (rest.n && list && list->count < most) {
    const ho_node *entry = entry_of(arena, last_line(&rest));
    if (!entry)
      continue;
    ho_str words = ho_str_trim(joined(arena, ho_transcript_said(entry)));
    if (words.n)
      ho_list_add(list, ho_node_text(arena, ho_quote_clean(arena, words, WORDS_SIZE, false)));
  }
  return list;
}

/* What the person says in an entry, made safe; "" if it is not theirs: harnesses, and hooks through them, put texts of their own
 * there. */
static ho_str asked_in(ho_arena *arena, const ho_node *entry)
{
  static const char *const others[] = {"<", "# AGENTS.md", "[Request interrupted", "Stop hook feedback"};
  ho_str words = entry ? ho_str_trim(joined(arena, ho_transcript_asked(entry))) : HO_EMPTY;
  for (size_t i = 0; i < HO_COUNT(others); i++)
    if (ho_str_starts(words, others[i]))
      return HO_EMPTY;
  return words.n ? ho_quote_clean(arena, words, WORDS_SIZE, false) : HO_EMPTY;
}

ho_str ho_draft_request(ho_arena *arena, const char *path)
{
  ho_str rest = part_of(arena, path, false), line;
  for (size_t i = 0; i < ENTRIES && ho_str_next_line(&rest, &line); i++) {
    ho_str words = asked_in(arena, entry_of(arena, line));
    if (words.n)
      return words;
  }
  return HO_EMPTY;
}

/* What the person said last, newest first, without what is known already. A later word changes an earlier one. */
static ho_node *last_asked(ho_arena *arena, const char *path, ho_str known)
{
  ho_node *list = ho_node_new(arena, HO_KIND_LIST);
  ho_str rest = part_of(arena, path, true), before = known;
  while (rest.n && list && list->count < WORDS) {
    ho_str line = last_line(&rest);
    if (!ho_str_has(line, "\"user\""))
      continue;
    ho_str words = asked_in(arena, entry_of(arena, line));
    if (!words.n || ho_str_eq(words, before) || ho_str_eq(words, known)) /* Codex writes it twice */
      continue;
    before = words;
    ho_list_add(list, ho_node_text(arena, words));
  }
  return list;
}

/* The end of the output of a program that writes no messages. */
static ho_str last_output(ho_arena *arena, const char *path)
{
  ho_str text = ho_str_trim(part_of(arena, path, true)), rest = text;
  if (ho_str_starts(last_line(&rest), "{")) /* events for programs, none of them a message */
    return HO_EMPTY;
  size_t from = text.n > WORDS_SIZE ? text.n - WORDS_SIZE : 0;
  if (from) {
    size_t line = ho_str_find_char(ho_str_sub(text, from, text.n), '\n');
    from += line == HO_NONE ? 0 : line + 1;
  }
  return ho_quote_clean(arena, ho_str_sub(text, from, text.n), WORDS_SIZE, false);
}

/* ---- Facts */

static void add(ho_draft *draft, ho_arena *arena, ho_str fact)
{
  ho_list_add(draft->facts, ho_node_text(arena, fact));
}

static ho_str line_of(ho_arena *arena, const ho_node *map, const char *key)
{
  return ho_quote_clean(arena, ho_map_str(map, key), LINE, true);
}

static void add_progress(const ho_project *project, ho_draft *draft, ho_arena *arena)
{
  ho_doc doc;
  ho_error none = {0};
  ho_phase phase = {.arena = arena,
                    .root = draft->folder,
                    .task = draft->task,
                    .phase = draft->phase,
                    .now_ms = ho_project_now(project)};
  if (!draft->task.n || !draft->phase.n || ho_phase_find(&phase, &none) || ho_progress_read(&phase, &doc, &none) ||
      !ho_node_is(doc.root, HO_KIND_MAP))
    return;
  HO_EACH_CONST (item, ho_map_getz(doc.root, "objectives"))
    add(draft, arena,
        ho_arena_printf(arena, HO_DRAFT_OBJECTIVE "%.*s (%.*s): %.*s%s%.*s",
                        HO_ARG(ho_progress_id(doc.root, item, arena)), HO_ARG(line_of(arena, item, "status")),
                        HO_ARG(line_of(arena, item, "description")),
                        ho_node_empty(ho_map_getz(item, "note")) ? "" : " — ", HO_ARG(line_of(arena, item, "note"))));
  HO_EACH_CONST (item, ho_map_getz(doc.root, "approaches_tried"))
    if (ho_progress_counts(item))
      add(draft, arena,
          ho_arena_printf(arena, HO_DRAFT_TRIED "%.*s: %.*s %.*s", HO_ARG(line_of(arena, item, "approach")),
                          HO_ARG(line_of(arena, item, "result")), HO_ARG(line_of(arena, item, "reason"))));
}

static void add_git(const ho_project *project, ho_draft *draft, ho_arena *arena)
{
  ho_str head = ho_git_head(arena, draft->folder), changes = HO_EMPTY, line;
  if (!head.n)
    return;
  bool known = !draft->quick && ho_git_changes(arena, draft->folder, &project->written, &changes);
  add(draft, arena,
      ho_arena_printf(arena, AT_COMMIT "%.*s%s", HO_ARG(head),
                      !known      ? ""
                      : changes.n ? "; uncommitted:"
                                  : "; nothing uncommitted"));
  for (size_t i = 0; ho_str_next_line(&changes, &line); i++) {
    if (i < CHANGED && line.n)
      add(draft, arena, ho_arena_printf(arena, "git status: %.*s", HO_ARG(ho_quote_clean(arena, line, LINE, true))));
    else if (i == CHANGED)
      add(draft, arena, HO_STR("git status: and more"));
  }
}

/* What the person asked for, what they said last, and what the agent said last. False if it said nothing. */
static bool add_words(ho_draft *draft, ho_arena *arena)
{
  ho_str request = ho_draft_request(arena, draft->log.p);
  if (!request.n)
    request = draft->request;
  if (request.n)
    add(draft, arena, ho_arena_printf(arena, HO_DRAFT_REQUEST "%.*s", HO_ARG(request)));
  HO_EACH_CONST (said, last_asked(arena, draft->log.p, request))
    add(draft, arena, ho_arena_printf(arena, "The person said later: %.*s", HO_ARG(said->text)));
  ho_node *words = last_words(arena, draft->log.p, WORDS);
  HO_EACH_CONST (said, words)
    add(draft, arena, ho_arena_printf(arena, "The agent said: %.*s", HO_ARG(said->text)));
  return words && words->count > 0;
}

/* False if it is not a harness's transcript. */
static bool add_reads(ho_draft *draft, ho_arena *arena)
{
  ho_scan *scan = HO_NEW(arena, ho_scan);
  size_t files = 0;
  bool read = scan && ho_transcript_scan(scan, draft->log.p, NULL, &(ho_counter){0}) == HO_OK && scan->harness;
  for (size_t i = 0; read && i < HO_READS && files < FILES; i++)
    if (scan->reads[i].key && scan->reads[i].path[0]) {
      add(draft, arena, ho_arena_printf(arena, "Read: %s", scan->reads[i].path));
      files++;
    }
  return read;
}

ho_str ho_draft_last_said(ho_arena *arena, const char *path)
{
  const ho_node *words = last_words(arena, path, 1);
  if (words && words->first)
    return ho_arena_printf(arena, "The agent said: %.*s", HO_ARG(words->first->text));
  ho_str printed = last_output(arena, path);
  return printed.n ? ho_arena_printf(arena, "The end of its output: %.*s", HO_ARG(printed)) : HO_EMPTY;
}

void ho_draft_look(const ho_project *project, ho_draft *draft, ho_arena *arena)
{
  ho_trace trace = {0};
  bool own = draft->log.n > 0;
  if (draft->session.n)
    ho_trace_load(&trace, arena, ho_context_path(arena, project->home, draft->session, HO_TRACE_SUFFIX).p);
  draft->facts = ho_node_new(arena, HO_KIND_LIST);
  draft->log = ho_arena_copy(arena, own ? draft->log : trace.transcript);
  draft->folder = ho_arena_copy(arena, draft->folder.n ? draft->folder : trace.folder.n ? trace.folder : project->root);
  bool said = add_words(draft, arena);
  add_progress(project, draft, arena);
  add_git(project, draft, arena);
  bool read = add_reads(draft, arena);
  ho_str printed = read || said || !own ? HO_EMPTY : last_output(arena, draft->log.p);
  if (printed.n)
    add(draft, arena, ho_arena_printf(arena, "The end of its output: %.*s", HO_ARG(printed)));
  HO_EACH_CONST (fact, draft->facts)
    draft->tells = draft->tells || !ho_str_starts(fact->text, AT_COMMIT) || ho_str_ends(fact->text, ":");
}
