/* What the model's tests share: files, and documents read and checked as the program does it. */
#ifndef TEST_MODEL_SUPPORT_H
#define TEST_MODEL_SUPPORT_H

#include "files.h"

#include "doc/json/json.h"
#include "model/document/read.h"
#include "model/document/write.h"

/* The world of the tests: what has "missing" in its name does not exist. */
static inline bool not_missing(void *world, ho_str path)
{
  (void)world;
  return !ho_str_has(path, "missing");
}

static inline ho_code read_and_check(ho_doc *doc, ho_arena *arena, ho_str path, ho_str text, const ho_format *format,
                                     bool strict, ho_error *err)
{
  ho_check_env env = {.path = path, .strict = strict, .exists = not_missing};
  ho_code code = ho_doc_read(doc, arena, path, text, format, err);
  return code ? code : ho_doc_check(doc, &env, err);
}

static inline bool has_finding(const ho_doc *doc, const char *rule)
{
  for (size_t i = 0; i < doc->report.count; i++)
    if (!strcmp(doc->report.items[i].rule->id, rule))
      return true;
  return false;
}

static inline void print_findings(const ho_doc *doc)
{
  for (size_t i = 0; i < doc->report.count; i++) {
    const ho_finding *f = &doc->report.items[i];
    fprintf(stderr, "  %.*s:%u:%u: %s[%s] %.*s: %.*s\n", HO_ARG(doc->source.path), f->line, f->column,
            ho_severity_name(f->severity), f->rule->id, HO_ARG(f->pointer), HO_ARG(f->message));
  }
}
#endif
