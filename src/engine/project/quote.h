/* Makes text from documents safe for a prompt or a drawing: without control, bidirectional and invisible characters,
 * so that it cannot become a heading, an instruction or a template of ours. */
#ifndef HO_ENGINE_PROJECT_QUOTE_H
#define HO_ENGINE_PROJECT_QUOTE_H

#include "base/arena.h"

/* A document's text made safe for a fence: at most `most` bytes, cut at a code point with a mark. one_line: line
 * breaks become spaces. */
ho_str ho_quote_clean(ho_arena *arena, ho_str text, size_t most, bool one_line);
/* The text in a fence longer than any run in it, every line indented; no newline at the end. */
ho_str ho_quote_fence(ho_arena *arena, ho_str clean);
/* One word of a command line that people or agents are shown: as it is if a shell takes it so, else in single quotes.
 * Hidden characters and line breaks are gone, so that what is seen is what is run. */
ho_str ho_quote_shell(ho_arena *arena, ho_str word);
/* A path made safe for backticks. */
ho_str ho_quote_path(ho_arena *arena, ho_str path);
#endif
