#include "model/document/read.h"

#include "base/limits.h"
#include "doc/json/json.h"
#include "doc/yaml/yaml.h"
#include "model/bind.h"
#include "model/document/recognise.h"
#include "model/general_rules.h"

static ho_code read_tree(ho_doc *doc, ho_arena *arena, ho_error *err)
{
  if (doc->encoding == HO_JSON)
    return ho_json_read(&doc->source, HO_JSON_COMMENTS, arena, &doc->report, &doc->raw, err);
  return ho_yaml_read(&doc->source, ho_source_start(&doc->source), (uint32_t)doc->source.text.n, arena, &doc->report,
                      &doc->raw, err);
}

static ho_code read_markdown(ho_doc *doc, ho_arena *arena, ho_error *err)
{
  ho_code code = ho_md_read(&doc->source, arena, &doc->report, &doc->md, err);
  if (code)
    return code;
  if (!doc->format)
    doc->format = ho_recognise_markdown(&doc->source, &doc->md);
  if (!doc->format)
    return HO_OK;
  if (!doc->format->read_markdown)
    return ho_fail_file(err, HO_SYNTAX, doc->source.path, "is Markdown, but %s must be %s", doc->format->name,
                        ho_encoding_name(doc->format->encoding));
  return doc->format->read_markdown(doc->format, &doc->source, &doc->md, arena, &doc->report, &doc->raw, err);
}

/* What is inside the wrapper, with anything beside it appended, so that nothing is lost. */
static ho_node *unwrap(ho_doc *doc, ho_arena *arena)
{
  ho_node *inside = ho_recognise_wrapped(doc->format, doc->raw);
  if (!inside)
    return doc->raw;
  doc->wrapper = inside->key;
  ho_node *joined = HO_NEW(arena, ho_node);
  if (!joined)
    return NULL;
  *joined = *inside;
  joined->first = joined->last = joined->next = NULL;
  joined->count = 0;
  HO_EACH_CONST (child, inside) {
    ho_node *copy = HO_NEW(arena, ho_node);
    if (copy)
      *copy = *child;
    ho_list_add(joined, copy);
  }
  HO_EACH_CONST (child, doc->raw) {
    ho_node *copy = child == inside ? NULL : HO_NEW(arena, ho_node);
    if (copy)
      *copy = *child;
    ho_list_add(joined, copy);
  }
  return joined;
}

static ho_code bind(ho_doc *doc, ho_arena *arena, ho_error *err)
{
  if (!doc->format || !doc->raw)
    return HO_OK;
  ho_node *inside = unwrap(doc, arena);
  ho_path wrapper = {NULL, doc->wrapper, 0};
  if (inside && doc->format->wrapper && !doc->wrapper.n && doc->encoding != HO_MARKDOWN)
    ho_report_add(&doc->report, &ho_rule_UNWRAPPED, inside->begin, NULL, "expected everything under '%s:'",
                  doc->format->wrapper);
  if (inside)
    doc->root = ho_bind(doc->format, inside, doc->wrapper.n ? &wrapper : NULL, arena, &doc->report);
  return ho_arena_code(arena, err);
}

/* Formats under one wrapper may share a file name (HO-001.yaml is a package or a gate): then the content decides. */
static const ho_format *by_content(const ho_format *named, const ho_node *raw)
{
  const ho_format *found = ho_recognise_tree(raw);
  bool sibling = named && found && named->wrapper && found->wrapper && strcmp(named->wrapper, found->wrapper) == 0;
  return !named || sibling ? found : named;
}

static ho_code read_document(ho_doc *doc, ho_arena *arena, ho_str path, ho_str text, const ho_format *format,
                             ho_error *err)
{
  *doc = (ho_doc){.format = format, .wrapper = HO_EMPTY};
  ho_report_init(&doc->report, arena, &doc->source);
  ho_code code = ho_source_init(&doc->source, arena, path, text, err);
  if (code)
    return code;
  if (!doc->format)
    doc->format = ho_recognise_path(path);
  doc->encoding = ho_recognise_encoding(path, text, doc->format);
  code = doc->encoding == HO_MARKDOWN ? read_markdown(doc, arena, err) : read_tree(doc, arena, err);
  ho_doc_report_hidden(doc);
  if (code)
    return code;
  if (!format && doc->raw && doc->encoding != HO_MARKDOWN)
    doc->format = by_content(doc->format, doc->raw);
  return bind(doc, arena, err);
}

ho_code ho_doc_read(ho_doc *doc, ho_arena *arena, ho_str path, ho_str text, const ho_format *format, ho_error *err)
{
  ho_document_limits before = ho_limits_now;
  ho_limits_now = ho_limits_project;
  ho_code code = read_document(doc, arena, path, text, format, err);
  ho_limits_now = before;
  return code;
}

ho_code ho_doc_check(ho_doc *doc, const ho_check_env *env, ho_error *err)
{
  if (doc->format && doc->root) {
    ho_check check = {.format = doc->format,
                      .root = doc->root,
                      .source = &doc->source,
                      .encoding = doc->encoding,
                      .wrapper = doc->wrapper,
                      .report = &doc->report,
                      .env = env};
    ho_document_limits before = ho_limits_now;
    ho_limits_now = ho_limits_project;
    ho_check_run(&check);
    ho_limits_now = before;
  }
  ho_report_sort(&doc->report);
  return ho_arena_code(doc->report.arena, err);
}
