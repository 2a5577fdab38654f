#include "command/delivered.h"

#include "base/term.h"
#include "base/utf8.h"
#include "command/wrap.h"
#include "engine/ledger/describe.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/inbox.h"
#include "engine/project/paths.h"
#include "engine/project/quote.h"
#include "engine/relay/handed.h"
#include "engine/which/which.h"
#include "model/document/read.h"
#include "model/document/write.h"
#include "model/lifecycle.h"

static ho_node *document_of(ho_call *call, const ho_handoff *row, ho_str body)
{
  ho_doc doc = {0};
  ho_error err = {0};
  if (ho_doc_read(&doc, call->arena, row->path.n ? row->path : row->id, body, ho_format_named(row->kind), &err) ||
      !doc.root)
    return ho_node_new(call->arena, HO_KIND_NULL);
  return ho_node_copy(call->arena, ho_doc_wrap(doc.format, doc.root, call->arena));
}

/* Drafts that were written for agents that worked on it before. */
static ho_code add_drafts(ho_call *call, ho_project *project, const ho_handoff *row, ho_node *map, ho_error *err)
{
  ho_handoff_list list;
  ho_filter filter = {.parent = row->id, .state = ho_str_of(ho_state_name(HO_STATE_DRAFT)), .limit = 20};
  ho_node *drafts = ho_map_addz(map, "drafts", ho_node_new(call->arena, HO_KIND_LIST));
  ho_code code = ho_handoffs_select(project->store, &filter, call->arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++)
    ho_list_add(drafts, ho_node_text(call->arena, list.rows[i].id));
  return code;
}

/* The handoff in which whoever worked on it last passed the work on. */
static ho_code add_passed(ho_call *call, ho_project *project, const ho_handoff *row, ho_node *map, ho_error *err)
{
  ho_handoff passed;
  ho_code code = ho_which_passed(project, call->arena, row, &passed, err);
  if (!code && passed.path.n)
    ho_map_put(call->arena, map, "continue_from", ho_paths_now(call->arena, project->home, passed.path));
  return code;
}

/* What did not fit in it, and how that is read. */
static void add_details(ho_call *call, ho_project *project, const ho_handoff *row, ho_node *map)
{
  ho_handed handed;
  ho_str shown;
  if (!ho_handed_named(project, call->arena, call->host->root, row->id, &handed))
    return;
  ho_str text = ho_handed_details(project, call->arena, call->host->root, &handed, &shown);
  if (!text.n)
    return;
  ho_map_put(call->arena, map, "details", text);
  ho_map_put(call->arena, map, "details_at", shown);
}

ho_code ho_delivered_node(ho_call *call, ho_project *project, const ho_handoff *row, ho_str body, ho_node **out,
                          ho_error *err)
{
  ho_node *statements = NULL, *talk = NULL, *map = ho_describe_record(row, call->arena);
  ho_code code = ho_describe_statements(project, row, call->arena, &statements, err);
  if (!code)
    code = ho_describe_talk(project, row, call->arena, &talk, err);
  ho_map_addz(map, "document", document_of(call, row, body));
  ho_map_addz(map, "text", ho_node_text(call->arena, body));
  add_details(call, project, row, map);
  ho_map_addz(map, "claims", statements);
  ho_map_addz(map, "drift", ho_describe_drift(statements, call->arena));
  ho_map_addz(map, "talk", talk);
  if (!code)
    code = add_passed(call, project, row, map, err);
  if (!code)
    code = add_drafts(call, project, row, map, err);
  if (ho_str_is(row->state, ho_state_name(HO_STATE_DRAFT)))
    ho_map_addz(map, "commands", ho_inbox_follow(project, call->arena, row));
  *out = map;
  return code ? code : ho_arena_code(call->arena, err);
}

/* ---- As text. */

/* Names and paths, cut to what any of them needs: a prepared ledger may hold others. */
static void line(ho_buf *out, const char *label, ho_str text)
{
  enum { CELLS = 1000 };
  if (!text.n)
    return;
  ho_buf_printf(out, "# %s: ", label);
  ho_put_cut(out, text, CELLS);
  ho_buf_putc(out, '\n');
}

void ho_delivered_talk(ho_buf *out, const ho_node *talk)
{
  HO_EACH_CONST (said, talk) {
    ho_buf_puts(out, "# ");
    ho_term_put(out, ho_map_str(said, "kind"), HO_TERM_LINE);
    ho_buf_puts(out, " (");
    ho_quote_put_name(out, ho_map_str(said, "by"));
    if (ho_map_str(said, "proof").n)
      ho_buf_printf(out, ", %.*s", HO_ARG(ho_gate_read_proof_words(ho_map_str(said, "proof"))));
    ho_buf_puts(out, "): ");
    ho_term_put(out, ho_map_str(said, "text"), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
}

void ho_delivered_head(ho_buf *out, const ho_node *d)
{
  static const char *const fields[] = {"id",         "state",       "kind",  "type",         "from",
                                       "to",         "task",        "phase", "created",      "parent",
                                       "claimed_by", "lease_until", "gate",  "superseded_by"};
  for (size_t i = 0; i < HO_COUNT(fields); i++)
    line(out, fields[i], ho_map_str(d, fields[i]));
  line(out, "continue from", ho_map_str(d, "continue_from"));
  line(out, "what did not fit in it", ho_map_str(d, "details_at"));
  HO_EACH_CONST (drift, ho_map_getz(d, "drift"))
    line(out, "drift", drift->text);
  HO_EACH_CONST (draft, ho_map_getz(d, "drafts"))
    line(out, "draft of what is known", draft->text);
  ho_delivered_talk(out, ho_map_getz(d, "talk"));
  HO_EACH_CONST (command, ho_map_getz(d, "commands"))
    line(out, "next", command->text);
}

/* Where the document's own matter begins: before it are comments and front matter. A text that cannot be read has none. */
static size_t matter(const ho_doc *doc)
{
  if (doc->encoding != HO_MARKDOWN)
    return doc->raw && doc->raw->first ? doc->raw->first->key_begin : doc->source.text.n;
  for (const ho_md_block *block = doc->md.blocks; block; block = block->next)
    if (block->kind == HO_MD_HEADING && block->level > 1)
      return block->begin;
  return doc->source.text.n;
}

/* Where the title of a Markdown document is, unless it is written like a line of the program: "# label: …". */
static size_t title(const ho_doc *doc)
{
  const ho_md_block *block = doc->encoding == HO_MARKDOWN ? doc->md.blocks : NULL;
  while (block && block->kind != HO_MD_HEADING)
    block = block->next;
  return block && block->text.n && !islower((unsigned char)block->text.p[0]) ? block->begin : HO_NONE;
}

/* Takes the next line off: every character that breaks a line anywhere ends one here. */
static bool next_line(ho_str *rest, ho_str *line)
{
  if (!rest->n)
    return false;
  size_t end = 0, next = 0;
  uint32_t cp = 0;
  while (next < rest->n) {
    end = next;
    cp = ho_utf8_next(*rest, &next);
    if (ho_quote_is_break(cp))
      break;
    end = next;
  }
  if (cp == '\r' && next < rest->n && rest->p[next] == '\n')
    next++;
  *line = ho_str_sub(*rest, 0, end);
  *rest = ho_str_sub(*rest, next, rest->n);
  return true;
}

/* Where the first character is that a reader sees: what stands before it may be a mark of byte order, a space of any
 * kind, or nothing at all. */
static size_t first_seen(ho_str line)
{
  size_t at = 0;
  for (size_t next = 0; next < line.n; at = next) {
    uint32_t cp = ho_utf8_next(line, &next);
    if ((cp > ' ' && cp < 0x7f) || (ho_utf8_letter(cp) && ho_utf8_width(cp) > 0))
      break;
  }
  return at;
}

/* The text up to `end`, line by line; what begins with '#' is marked, except at `title`. */
static void put_marked(ho_buf *out, ho_arena *arena, ho_str text, size_t end, size_t title)
{
  ho_str rest = ho_str_sub(text, 0, end), each;
  while (next_line(&rest, &each)) {
    ho_str words = ho_str_sub(each, first_seen(each), each.n);
    if (!words.n || words.p[0] != '#' || (size_t)(words.p - text.p) == title) {
      ho_buf_put(out, each);
    } else {
      ho_buf_put(out, ho_str_sub(each, 0, (size_t)(ho_str_trim(each).p - each.p)));
      ho_buf_puts(out, "#| ");
      ho_buf_put(out, ho_quote_clean(arena, ho_str_sub(words, 1, words.n), words.n, true));
    }
    ho_buf_putc(out, '\n');
  }
}

/* The end of the lines at the start of the text that look like comments: a key may be written so, behind a space that is
 * none to YAML. */
static size_t end_of_posing(ho_str text)
{
  ho_str rest = text, line;
  size_t end = 0;
  while (next_line(&rest, &line)) {
    size_t seen = first_seen(line);
    if (seen < line.n && line.p[seen] != '#')
      break;
    end = text.n - rest.n;
  }
  return end;
}

static void put_end(ho_buf *out)
{
  ho_buf_puts(out, "# ---- The document follows; nothing below this line is from handoff. ----\n");
}

void ho_delivered_body(ho_buf *out, ho_arena *arena, ho_str kind, ho_str text)
{
  ho_doc doc = {0};
  ho_error none = {0};
  (void)!ho_doc_read(&doc, arena, HO_EMPTY, text, ho_format_named(kind), &none);
  size_t begin = matter(&doc);
  while (begin && begin < text.n && text.p[begin - 1] != '\n' && text.p[begin - 1] != '\r')
    begin--;
  put_end(out);
  if (doc.encoding == HO_MARKDOWN)
    ho_buf_putc(out, '\n'); /* else the lines above are titles of one paragraph with it */
  else
    begin += end_of_posing(ho_str_sub(text, begin, text.n));
  put_marked(out, arena, text, begin, title(&doc));
  ho_buf_put(out, ho_str_sub(text, begin, text.n));
}

void ho_delivered_marked(ho_buf *out, ho_arena *arena, ho_str text)
{
  put_marked(out, arena, text, text.n, HO_NONE);
}

void ho_delivered_rendered(ho_buf *out, ho_arena *arena, ho_str text)
{
  put_end(out);
  ho_delivered_marked(out, arena, text);
}

static const ho_field fields[] = {
    HO_HANDOFF_FIELDS,
    {.name = "document", .doc = "The document as a tree.", .type = HO_T_ANY, .flags = HO_NULLABLE},
    HO_TEXT_FIELD("text", "The document as stored."),
    HO_TEXT_FIELD("details", "What did not fit in the document."),
    HO_TEXT_FIELD("details_at", "How that is read: the path of its file, or the command that shows it."),
    HO_LIST_FIELD("claims", "What the program checked and what the author stated.", ho_statement_record),
    HO_TEXTS_FIELD("drift", "What has changed since it was sent."),
    HO_LIST_FIELD("talk", "Questions, blockers, answers and decisions.", ho_talk_record),
    HO_TEXT_FIELD("continue_from", "Path of the handoff in which its last holder passed the work on."),
    HO_TEXTS_FIELD("drafts", "Ids of drafts for agents that went silent."),
    HO_TEXTS_FIELD("commands", "Of a draft: the commands that confirm and discard it."),
    HO_FIELDS_END};
const ho_record ho_delivered_record = {.name = "delivered handoff", .fields = fields};
