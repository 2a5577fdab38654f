/* Reads another tool's document: what it is, as far as it can be read. */
#include "base/limits.h"
#include "base/utf8.h"
#include "doc/rules.h"
#include "doc/yaml/yaml.h"
#include "model/foreign/import_parts.h"
#include "model/markdown/markdown_read.h"
#include "model/document/recognise.h"

/* --- recognising -------------------------------------------------------------------------------------------------- */

/* How many of its sections the table knows; *titled: the title mentions a handoff. */
static size_t known_sections(const ho_format *format, const ho_md *md, bool *titled)
{
  size_t known = 0;
  bool exact;
  *titled = false;
  for (const ho_md_block *block = md->blocks; block; block = block->next) {
    if (block->kind != HO_MD_HEADING)
      continue;
    *titled |= block->level == 1 && ho_str_has_nocase(block->text, "handoff");
    known += block->level == 2 && ho_markdown_field(format->root, block->text, &exact) != NULL && exact;
  }
  return known;
}

/* Recognises by front matter or keys. Reports and posts have such front matter too: unless the user named the file,
 * its title, its sections or its folder must confirm that it is a handoff. */
static bool fits_keys(const ho_import_job *j, const ho_format *format, bool markdown)
{
  bool front = j->doc.md.front_to > j->doc.md.front_from, titled;
  if (!ho_node_is(j->raw, HO_KIND_MAP) || (markdown && !front) || !ho_recognise_marks(format, j->raw))
    return false;
  if (format->encoding != HO_MARKDOWN)
    return true;
  return markdown && (j->named || known_sections(format, &j->doc.md, &titled) >= 2 || titled ||
                      ho_str_has_nocase(j->path, "handoff"));
}

const ho_foreign *ho_import_recognise(const ho_import_job *j, bool general)
{
  bool markdown = j->from == HO_MARKDOWN, titled;
  for (const ho_foreign *each = ho_foreign_formats; each->format; each++) {
    if (each->named_only != general || (markdown && !each->format->read_markdown))
      continue;
    if (!markdown && ho_node_is(j->raw, HO_KIND_MAP) && ho_recognise_name(each->format, j->path))
      return each;
    if (fits_keys(j, each->format, markdown))
      return each;
    bool sections = markdown && each->format->encoding == HO_MARKDOWN;
    if (sections && known_sections(each->format, &j->doc.md, &titled) >= 2 && titled)
      return each;
  }
  return NULL;
}

/* --- reading ------------------------------------------------------------------------------------------------------ */

/* Front matter that is never closed ends where its keys end. */
static void close_front(ho_import_job *j)
{
  ho_str text = j->doc.source.text, rest = ho_str_sub(text, ho_source_start(&j->doc.source), text.n), line;
  if (!ho_markdown_next_line(&rest, &line) || !ho_str_is(ho_str_trim_end(line), "---"))
    return;
  const char *from = rest.p, *to = rest.p;
  while (ho_markdown_next_line(&rest, &line)) {
    size_t colon = ho_str_find_char(line, ':');
    bool goes_on = line.n && (line.p[0] == ' ' || line.p[0] == '-' || line.p[0] == '\t');
    bool key = colon != HO_NONE && colon > 0 && ho_str_find_char(ho_str_sub(line, 0, colon), ' ') == HO_NONE;
    if (!goes_on && !key)
      break;
    to = line.p + line.n;
  }
  j->doc.md.front_from = (uint32_t)(from - text.p);
  j->doc.md.front_to = (uint32_t)(to - text.p);
}

static ho_code read_front(ho_import_job *j, ho_error *err)
{
  ho_error ignored = {0};
  if (j->doc.md.front_to <= j->doc.md.front_from)
    close_front(j);
  if (j->doc.md.front_to <= j->doc.md.front_from)
    return HO_OK;
  ho_report report; /* it is read again by the table, which then reports what is wrong */
  ho_report_init(&report, j->arena, &j->doc.source);
  ho_code code =
      ho_yaml_read(&j->doc.source, j->doc.md.front_from, j->doc.md.front_to, j->arena, &report, &j->raw, &ignored);
  if (code)
    j->raw = NULL;
  if (code == HO_MEMORY)
    *err = ignored;
  return code == HO_MEMORY ? code : ho_arena_code(j->arena, err);
}

/* A text that is not what its name or first line promises is treated as Markdown, as any text can be; a finding says
 * so. */
static ho_code read_anyhow(ho_import_job *j, ho_error *why, ho_error *err)
{
  ho_report *report = &j->doc.report;
  if (!j->named || ho_utf8_bad(j->text) != HO_NONE || memchr(j->text.p, 0, j->text.n)) {
    *err = *why;
    return why->code;
  }
  uint32_t place = ho_source_offset(&j->doc.source, why->line, why->column);
  ho_report_add_as(report, &ho_rule_SYNTAX, HO_WARNING, place, NULL, "%s; read as plain text", why->message);
  j->raw = NULL;
  j->from = HO_MARKDOWN;
  return ho_md_read(&j->doc.source, j->arena, report, &j->doc.md, err);
}

ho_code ho_import_read(ho_import_job *j, ho_error *err)
{
  ho_error why = {0};
  ho_code code = ho_doc_read(&j->doc, j->arena, j->path, j->text, NULL, &why);
  j->from = j->doc.encoding;
  j->raw = j->doc.raw;
  bool nested = code == HO_LIMIT && j->text.n <= HO_LIMIT_DOCUMENT && !j->arena->failed;
  if (code == HO_SYNTAX || nested)
    return read_anyhow(j, &why, err);
  if (code)
    *err = why;
  if (!code && j->from == HO_MARKDOWN) {
    j->raw = NULL;
    code = read_front(j, err);
  }
  return code;
}
