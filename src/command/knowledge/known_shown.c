#include "command/knowledge/known_shown.h"

#include "base/term.h"
#include "command/wrap.h"

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

/* What is below the first line of an item. */
enum { INDENT = 4 };

static void put_sources(ho_buf *out, const ho_node *node, size_t width)
{
  enum { SHOWN = 3 };
  long long count = 0, shown = 0;
  ho_buf line;
  ho_buf_init(&line, 0);
  bool counted = ho_node_to_int(ho_map_getz(node, "source_count"), &count);
  HO_EACH_CONST (source, ho_map_getz(node, "sources")) {
    if (shown++ == SHOWN)
      break;
    ho_str task = ho_map_str(source, "task");
    ho_buf_printf(&line, "%s%.*s:%.*s%s%.*s%s", shown == 1 ? "" : ", ", HO_ARG(ho_map_str(source, "origin")),
                  HO_ARG(ho_map_str(source, "line")), task.n ? " (task " : "", HO_ARG(task), task.n ? ")" : "");
  }
  if (counted && count > SHOWN)
    ho_buf_printf(&line, " and %lld more", count - SHOWN);
  if (shown)
    ho_put_flow(out, ho_buf_str(&line), width, INDENT);
  ho_buf_free_into(&line, out);
}

/* "NAME: TEXT (BY)" */
static void put_named(ho_buf *out, ho_str name, ho_str text, ho_str by, size_t width)
{
  ho_buf line;
  ho_buf_init(&line, 0);
  ho_buf_printf(&line, "%.*s: %.*s%s%.*s%s", HO_ARG(name), HO_ARG(text), by.n ? " (" : "", HO_ARG(by), by.n ? ")" : "");
  ho_put_flow(out, ho_buf_str(&line), width, INDENT);
  ho_buf_free_into(&line, out);
}

/* The id and what it is marked with; marks for which a terminal has no room go to further lines. */
static void put_head(ho_buf *out, const ho_node *node, size_t width, bool colour)
{
  ho_buf marks;
  ho_str mark, rest, id = ho_map_str(node, "id"), severity = ho_map_str(node, "severity");
  size_t column = ho_term_cells(id);
  ho_buf_init(&marks, 0);
  if (severity.n)
    ho_buf_printf(&marks, "%.*s\n", HO_ARG(severity));
  if (ho_str_is(ho_map_str(node, "state"), "closed"))
    ho_buf_puts(&marks, ho_map_str(node, "answer").n ? "answered\n" : "closed\n");
  HO_EACH_CONST (tag, ho_map_getz(node, "tags")) {
    ho_buf_putc(&marks, '#');
    ho_term_put(&marks, tag->text, HO_TERM_LINE);
    ho_buf_putc(&marks, '\n');
  }
  ho_put_bold(out, id, colour);
  for (rest = ho_buf_str(&marks); ho_str_next_line(&rest, &mark);) {
    size_t cells = 2 + ho_term_cells(mark);
    bool fits = !width || column + cells <= width;
    column = fits ? column + cells : cells;
    ho_buf_printf(out, "%s  %.*s", fits ? "" : "\n", HO_ARG(mark));
  }
  ho_buf_putc(out, '\n');
  ho_buf_free_into(&marks, out);
}

void ho_known_shown_render(ho_buf *out, const ho_node *node, size_t width, bool colour)
{
  ho_str answer = ho_map_str(node, "answer");
  put_head(out, node, width, colour);
  ho_put_flow(out, ho_map_str(node, "text"), width, 2);
  HO_EACH_CONST (field, ho_map_getz(node, "detail"))
    put_named(out, field->key, ho_node_str(field), HO_EMPTY, width);
  if (answer.n)
    put_named(out, HO_STR("answer"), answer, ho_map_str(node, "answered_by"), width);
  put_sources(out, node, width);
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
