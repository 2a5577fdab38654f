/* Reading YAML 1.1/1.2 with libyaml into the tree, and our own writer.
 *
 * Only yaml_compose.c includes libyaml. */
#ifndef HO_DOC_YAML_YAML_H
#define HO_DOC_YAML_YAML_H

#include "base/buf.h"
#include "doc/report.h"

/* Reads bytes from..to of the source as YAML, so that a block inside a Markdown file keeps its file offsets.
 *
 * - Plain scalars are resolved by the YAML 1.2 core schema: null (also ~ and nothing), true, false and numbers (except
 *   .inf and .nan); `no`, dates and versions stay text. They have `plain` set. Numbers keep their original text; other
 *   texts are as described in tree.h. Quoted and literal scalars are text. Tags are ignored, except that !!str and !
 *   make text.
 * - Keys are the text of their scalar as written; a key that is a list or map is a syntax error.
 * - Several documents that are maps are merged into one map, in order (finding yaml-documents).
 * - Aliases are copied; depth and values (aliases expanded) are limited. Duplicate keys are findings, both kept.
 * - A text that libyaml rejects is tried again with line-level recovery: a value that contains ": ", continues after a
 *   closing quote or bracket, starts with @ ` % * or the like, or has a bad escape is read as the text of the rest of
 *   its line (and of its continuation lines); a key that starts like that is text; tabs used as indentation count as
 *   two spaces. Each is a finding yaml-recovered; offsets stay those of the source. What is never closed, or not clear
 *   from the line alone, is HO_SYNTAX at its line and column.
 * An empty document gives a null node. */
ho_code ho_yaml_read(const ho_source *source, uint32_t from, uint32_t to, ho_arena *arena, ho_report *report,
                     ho_node **out, ho_error *err) HO_NODISCARD;

/* Block style, two spaces per level, lists indented under their key, `key: value` lines, ended by a newline. Text is
 * plain if it reads back as the same text in YAML 1.1 and 1.2 (so "no", "1e3", "2026-01-11", "a: b" are quoted),
 * literal `|` if it has several lines and allows that, else double-quoted. Emoji and other printable Unicode are
 * written unchanged. Empty list and map: [] {}. */
void ho_yaml_write(ho_buf *out, const ho_node *node);
/* The version of libyaml. */
const char *ho_yaml_library(void);
#endif
