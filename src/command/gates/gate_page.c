#include "command/gates/gate_page.h"

#include "base/term.h"
#include "base/time.h"
#include "command/documents/show.h"
#include "command/wrap.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/gate_wants.h"
#include "engine/ledger/person.h"
#include "engine/project/quote.h"
#include "model/document/read.h"

/* Rows around a document, and those that it gets at least: whoever wants all of it asks for it. */
enum { AROUND = 14, LEAST = 5, MARGIN = 4 };

static size_t width_of(const ho_gate_page *page)
{
  return page->columns > HO_TEXT_WIDTH + MARGIN ? HO_TEXT_WIDTH : page->columns - MARGIN;
}

/* The first lines of others' words, as rows of theirs; returns how many were left out. */
static size_t put_marked(ho_buf *out, ho_str text, size_t most)
{
  ho_str line;
  size_t count = 0;
  for (bool empty = true; ho_str_next_line(&text, &line); empty = !line.n) {
    if (empty && !line.n) /* one empty line is enough */
      continue;
    if (count++ < most)
      ho_person_put_marked(out, line.n ? line : HO_STR("\n"));
  }
  return count > most ? count - most : 0;
}

/* Others' words in lines of our width, below a first line that begins with `begin`. */
static void put_words(ho_buf *out, const ho_gate_page *page, const char *begin, ho_str text)
{
  ho_buf wrapped;
  size_t indent = strlen(begin);
  ho_buf_init(&wrapped, 0);
  ho_buf_puts(&wrapped, begin);
  ho_wrap_to(&wrapped, text, width_of(page), indent, indent);
  put_marked(out, ho_buf_str(&wrapped), SIZE_MAX);
  ho_buf_free_into(&wrapped, out);
}

static void put_heading(ho_buf *out, const ho_gate_page *page, const char *heading)
{
  ho_put_bold(out, ho_str_of(heading), page->colour);
  ho_buf_putc(out, '\n');
}

/* "PATH: what it is", "QUESTION", "DECISION: why". */
static ho_str item_text(ho_arena *arena, const ho_node *item)
{
  static const char *const firsts[] = {"path", "question", "decision"}, *const seconds[] = {"description", "rationale"};
  ho_str first = ho_node_str(item), second = HO_EMPTY;
  for (size_t i = 0; !first.n && i < HO_COUNT(firsts); i++)
    first = ho_map_str(item, firsts[i]);
  for (size_t i = 0; !second.n && i < HO_COUNT(seconds); i++)
    second = ho_map_str(item, seconds[i]);
  return second.n ? ho_arena_printf(arena, "%.*s: %.*s", HO_ARG(first), HO_ARG(second)) : first;
}

static void put_list(ho_buf *out, ho_arena *arena, const ho_gate_page *page, const char *heading, const ho_node *list)
{
  if (ho_node_empty(list))
    return;
  put_heading(out, page, heading);
  HO_EACH_CONST (item, list)
    put_words(out, page, "- ", item_text(arena, item));
}

static void put_text(ho_buf *out, const ho_gate_page *page, const char *heading, ho_str text)
{
  if (!text.n)
    return;
  put_heading(out, page, heading);
  put_words(out, page, "", text);
}

/* What each decision leads to, in the words of whoever asks, else in ours. */
static void put_options(ho_buf *out, const ho_gate_page *page, const ho_node *options)
{
  static const struct {
    const char *name, *usual;
  } decisions[] = {{"approve", "work continues"},
                   {"reject", "the handoff ends"},
                   {"question", "whoever asks answers it; the gate stays open"}};
  put_heading(out, page, "What follows");
  for (size_t i = 0; i < HO_COUNT(decisions); i++) {
    ho_str said = ho_map_str(options, decisions[i].name);
    char begin[16];
    snprintf(begin, sizeof begin, "%-9s ", decisions[i].name);
    if (said.n)
      put_words(out, page, begin, said);
    else
      ho_buf_printf(out, "  %s%s\n", begin, decisions[i].usual);
  }
}

/* With their numbers, by which one is chosen. */
static void put_choice(ho_buf *out, const ho_gate_page *page, const ho_gate_wants *wants)
{
  put_heading(out, page, "Options");
  for (size_t i = 0; i < wants->count; i++) {
    char begin[32];
    snprintf(begin, sizeof begin, "%zu. ", i + 1);
    put_words(out, page, begin, wants->options[i]);
  }
}

/* Is it the question, which stands above, and nothing else? `ask` has no more to say. */
static bool is_question(ho_arena *arena, const ho_gate_page *page, const ho_node *items, ho_str summary)
{
  if (items)
    return items->count == 1 && ho_str_eq(item_text(arena, items->first), page->gate->name);
  return ho_str_eq(summary, ho_arena_printf(arena, "%.*s asks a person: %.*s", HO_ARG(page->gate->raised_by),
                                            HO_ARG(page->gate->name)));
}

/* Gates and packages say what was done in their context. */
static void put_context(ho_buf *out, ho_arena *arena, const ho_gate_page *page, const ho_node *root)
{
  const ho_node *context = ho_map_getz(root, "context"), *asked = ho_map_getz(root, "validation_request");
  const ho_node *items = ho_map_getz(asked, "items");
  ho_str summary = ho_map_str(context, "summary");
  ho_gate_wants wants;
  ho_gate_wants_of(arena, root, &wants);
  if (wants.count)
    put_choice(out, page, &wants);
  else if (!ho_node_is(items, HO_KIND_LIST) || !is_question(arena, page, items, HO_EMPTY))
    put_list(out, arena, page, "To check", items);
  if (!is_question(arena, page, NULL, summary))
    put_text(out, page, "What was done", summary);
  put_list(out, arena, page, "Open questions", ho_map_getz(context, "open_questions"));
  put_list(out, arena, page, "Decisions", ho_map_getz(context, "decisions"));
  put_list(out, arena, page, "Known", ho_map_getz(context, "key_info"));
  put_list(out, arena, page, "Files", ho_map_getz(context, "artifacts"));
  put_text(out, page, "What is expected", ho_map_str(ho_map_getz(root, "expectations"), "deliverable"));
}

/* Any other document is shown as `show` does, as far as the screen goes. */
static void put_document(ho_buf *out, ho_arena *arena, const ho_gate_page *page, ho_str text)
{
  ho_doc doc = {0};
  ho_error none = {0};
  ho_buf shown;
  ho_str kind = ho_map_str(page->shown, "kind");
  size_t room = page->rows > AROUND + LEAST ? page->rows - AROUND : LEAST;
  bool read = ho_doc_read(&doc, arena, HO_STR("-"), text, ho_format_named(kind), &none) == HO_OK && doc.root;
  if (read && ho_node_is(ho_map_getz(doc.root, "context"), HO_KIND_MAP)) {
    put_context(out, arena, page, doc.root);
    put_options(out, page, ho_map_getz(ho_map_getz(doc.root, "validation_request"), "options"));
    return;
  }
  put_heading(out, page, "What is to be approved");
  ho_buf_init(&shown, 0);
  if (read)
    ho_show_text(&shown, doc.format, doc.root, width_of(page));
  else
    ho_buf_put(&shown, text);
  size_t left = put_marked(out, ho_buf_str(&shown), room);
  if (left)
    ho_buf_printf(out, "%zu more line%s: press v\n", left, ho_plural((long long)left));
  ho_buf_free_into(&shown, out);
  put_options(out, page, NULL);
}

static void put_talk(ho_buf *out, const ho_gate_page *page, const ho_node *talk)
{
  if (ho_node_empty(talk))
    return;
  put_heading(out, page, "So far");
  HO_EACH_CONST (said, talk) {
    ho_str proof = ho_map_str(said, "proof");
    ho_term_put(out, ho_map_str(said, "kind"), HO_TERM_LINE);
    ho_buf_puts(out, " by ");
    ho_quote_put_name(out, ho_map_str(said, "by"));
    ho_buf_printf(out, "%s%.*s:\n", proof.n ? ", " : "", HO_ARG(ho_gate_read_proof_words(proof)));
    put_words(out, page, "", ho_map_str(said, "text"));
  }
}

/* "lead asks, 5m ago; if you approve, it goes to coder." */
static void put_asker(ho_buf *out, const ho_gate_page *page)
{
  char time[HO_TIME_SIZE];
  ho_str receiver = ho_map_str(page->shown, "receiver");
  ho_quote_put_name(out, page->gate->raised_by);
  ho_buf_puts(out, " asks, ");
  ho_table_put_span(out, page->now - page->gate->raised);
  ho_buf_puts(out, page->now - page->gate->raised < 1000 ? "" : " ago");
  if (page->gate->deadline) {
    ho_time_text(page->gate->deadline, false, time);
    ho_buf_printf(out, "; rejected unless decided by %s", time);
  }
  if (receiver.n && !ho_str_is(receiver, "human")) {
    ho_buf_puts(out, "; goes to ");
    ho_quote_put_name(out, receiver);
    ho_buf_puts(out, " if approved");
  }
  ho_buf_putc(out, '\n');
}

void ho_gate_page_put(ho_buf *out, ho_arena *arena, const ho_gate_page *page)
{
  ho_str waiting = ho_map_str(page->shown, "waiting");
  ho_buf title;
  ho_buf_init(&title, 0);
  ho_buf_printf(&title, "Gate %zu of %zu: %.*s, for %.*s", page->at, page->of, HO_ARG(page->gate->id),
                HO_ARG(page->gate->handoff));
  ho_put_bold(out, ho_buf_str(&title), page->colour);
  ho_buf_putc(out, '\n');
  put_asker(out, page);
  put_words(out, page, "", page->gate->name);
  put_text(out, page, "Mind", ho_map_str(page->shown, "doubt"));
  put_text(out, page, "Halted", ho_map_str(page->shown, "halted"));
  put_document(out, arena, page, ho_map_str(page->shown, "text"));
  if (waiting.n)
    ho_buf_puts(out, "Another document waits, and is delivered if you approve: press v\n");
  put_talk(out, page, ho_map_getz(page->shown, "talk"));
  ho_buf_free_into(&title, out);
}

static void put_whole(ho_buf *out, const char *what, ho_str digest, ho_str text)
{
  ho_buf_printf(out, "%s:\n", what);
  ho_person_put_marked(out, text);
  ho_buf_printf(out, "SHA-256 %.*s\n", HO_ARG(digest));
}

void ho_gate_page_whole(ho_buf *out, const ho_gate_page *page)
{
  ho_str waiting = ho_map_str(page->shown, "waiting");
  put_whole(out, "Document", page->gate->digest, ho_map_str(page->shown, "text"));
  if (waiting.n)
    put_whole(out, "What waits, and is delivered if you approve", page->gate->body, waiting);
}
