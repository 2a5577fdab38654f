/* Makes text from documents safe for a prompt or a drawing: without control, bidirectional and invisible characters,
 * so that it cannot become a heading, an instruction or a template of ours. What stands in the program's own sentences is
 * a name (ho_quote_name); everything else is in a fence, or in backticks. */
#ifndef HO_ENGINE_PROJECT_QUOTE_H
#define HO_ENGINE_PROJECT_QUOTE_H

#include "base/arena.h"
#include "base/buf.h"

/* A document's text made safe for a fence: at most `most` bytes, cut at a code point with a mark. one_line: line
 * breaks become spaces. */
ho_str ho_quote_clean(ho_arena *arena, ho_str text, size_t most, bool one_line);
/* The same as a value of its own that an agent reads, as in JSON, which nothing can end: whole, with its tabs and blanks. */
ho_str ho_quote_visible(ho_arena *arena, ho_str text);
/* Does it end a line, in one reader or another? */
bool ho_quote_is_break(uint32_t cp);
/* The text in a fence longer than any run in it, every line indented; no newline at the end. */
ho_str ho_quote_fence(ho_arena *arena, ho_str clean);
/* One word of a command line that people or agents are shown: as it is if a shell takes it so, else in single quotes.
 * Hidden characters and line breaks are gone, so that what is seen is what is run. */
ho_str ho_quote_shell(ho_arena *arena, ho_str word);
/* A text inside a sentence: clean, on one line, in quotes that it cannot end. */
ho_str ho_quote_said(ho_arena *arena, ho_str text, size_t most);
/* A name from a document or a caller (of an agent, task, phase, step or gate) for one of the program's own sentences or
 * lines: letters, digits and . _ / @ : + # - as they are, in double quotes if there are spaces between them. Cut at the
 * first other character and after HO_QUOTE_NAME characters, which an ellipsis shows: no name can end a sentence of ours
 * and begin another. */
enum { HO_QUOTE_NAME = 60 };
void ho_quote_put_name(ho_buf *out, ho_str name);
ho_str ho_quote_name(ho_arena *arena, ho_str name);
/* Would it be shown whole? */
bool ho_quote_is_name(ho_str name);
/* What people are told of a file that no format recognises, and what they can do with it. */
ho_str ho_quote_unknown(ho_arena *arena, ho_str path, bool empty);
/* A path made safe for backticks. */
ho_str ho_quote_path(ho_arena *arena, ho_str path);
#endif
