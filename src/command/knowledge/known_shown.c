#include "command/knowledge/known_shown.h"

#include "base/term.h"

const ho_choice ho_known_shown_kinds[] = {
#define X(name, text, what) {.value = text, .doc = what},
    HO_KNOWN_KINDS(X)
#undef X
        {0}};

int ho_known_shown_word(const ho_call *call, const char *name, const ho_words *words)
{
  int word = 0;
  (void)ho_words_find(words, ho_arg_str(call, name), &word);
  return word;
}

static void put_text(ho_buf *out, const ho_node *map, const char *key)
{
  ho_term_put(out, ho_map_str(map, key), HO_TERM_LINE);
}

static void put_sources(ho_buf *out, const ho_node *node)
{
  enum { SHOWN = 3 };
  long long count = 0, shown = 0;
  bool counted = ho_node_to_int(ho_map_getz(node, "source_count"), &count);
  HO_EACH_CONST (source, ho_map_getz(node, "sources")) {
    if (shown++ == SHOWN)
      break;
    ho_buf_puts(out, shown == 1 ? "    " : ", ");
    put_text(out, source, "origin");
    ho_buf_putc(out, ':');
    put_text(out, source, "line");
    if (ho_map_str(source, "task").n) {
      ho_buf_puts(out, " (task ");
      put_text(out, source, "task");
      ho_buf_putc(out, ')');
    }
  }
  if (counted && count > SHOWN)
    ho_buf_printf(out, " and %lld more", count - SHOWN);
  if (shown)
    ho_buf_putc(out, '\n');
}

void ho_known_shown_render(ho_buf *out, const ho_node *node, bool colour)
{
  ho_str severity = ho_map_str(node, "severity");
  ho_buf_puts(out, colour ? "\033[1m" : "");
  put_text(out, node, "id");
  ho_buf_puts(out, colour ? "\033[0m" : "");
  if (severity.n)
    ho_buf_printf(out, "  %.*s", HO_ARG(severity));
  if (ho_str_is(ho_map_str(node, "state"), "closed"))
    ho_buf_puts(out, ho_map_str(node, "answer").n ? "  answered" : "  closed");
  HO_EACH_CONST (tag, ho_map_getz(node, "tags")) {
    ho_buf_puts(out, "  #");
    ho_term_put(out, tag->text, HO_TERM_LINE);
  }
  ho_buf_puts(out, "\n  ");
  put_text(out, node, "text");
  ho_buf_putc(out, '\n');
  HO_EACH_CONST (field, ho_map_getz(node, "detail")) {
    ho_buf_puts(out, "    ");
    ho_term_put(out, field->key, HO_TERM_LINE);
    ho_buf_puts(out, ": ");
    ho_term_put(out, ho_node_str(field), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
  if (ho_map_str(node, "answer").n) {
    ho_buf_puts(out, "    answer: ");
    put_text(out, node, "answer");
    ho_buf_puts(out, ho_map_str(node, "answered_by").n ? " (" : "");
    put_text(out, node, "answered_by");
    ho_buf_puts(out, ho_map_str(node, "answered_by").n ? ")\n" : "\n");
  }
  put_sources(out, node);
}

static const ho_field source_fields[] = {HO_TEXT_FIELD("origin", "The handoff, file or event."),
                                         {.name = "line", .doc = "Line in it.", .type = HO_T_INT},
                                         HO_TEXT_FIELD("role", "Kind under which it was said there."),
                                         HO_TEXT_FIELD("task", "Task of the document."),
                                         HO_TEXT_FIELD("phase", "Phase of the document."),
                                         HO_TEXT_FIELD("agent", "Who said it."),
                                         HO_TEXT_FIELD("at", "When it was said."),
                                         HO_TEXT_FIELD("note", "Details that this source adds."),
                                         HO_TEXT_FIELD("closed_by", "The document that settled it."),
                                         HO_FIELDS_END};
static const ho_record source_record = {.name = "source", .fields = source_fields};
static const ho_field known_fields[] = {HO_TEXT_FIELD("id", "Stable id."),
                                        HO_TEXT_FIELD("kind", "Kind of item."),
                                        HO_TEXT_FIELD("text", "The text."),
                                        HO_TEXT_FIELD("severity", "high, medium, low or null."),
                                        HO_TEXT_FIELD("state", "open or closed."),
                                        HO_TEXTS_FIELD("tags", "What it applies to."),
                                        {.name = "detail", .doc = "Details from all sources.", .type = HO_T_ANY},
                                        HO_TEXT_FIELD("first", "When it was first said."),
                                        HO_TEXT_FIELD("last", "When it was last said."),
                                        HO_TEXTS_FIELD("tasks", "Tasks of the sources."),
                                        HO_LIST_FIELD("sources", "The sources, newest first.", source_record),
                                        {.name = "source_count", .doc = "Number of sources.", .type = HO_T_INT},
                                        HO_TEXT_FIELD("answer", "What answered a question or settled a blocker."),
                                        HO_TEXT_FIELD("answered_by", "Who answered it."),
                                        HO_FIELDS_END};
const ho_record ho_known_record = {.name = "node", .fields = known_fields};
