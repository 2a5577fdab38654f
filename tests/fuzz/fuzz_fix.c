/* Any document of any format, fixed: nothing of a phase handoff is lost, it fits its screen, and fixing again changes
 * nothing.
 *
 * The first byte chooses the format (or none), the second the encoding; the rest is the document. */
#include "model/fix/fix.h"
#include "model/fix/fix_cover.h"
#include "model/formats/artifact.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char *const names[] = {"f.json", "f.yaml", "phase-3-handoff-20260212.md"};

static const ho_format *choose(uint8_t byte)
{
  size_t n = 0;
  while (ho_formats[n])
    n++;
  return byte % (n + 1) == n ? NULL : ho_formats[byte % (n + 1)];
}

static bool fix(ho_arena *arena, const char *path, ho_str text, ho_str details, const ho_format *format, ho_doc *doc,
                ho_fixed *fixed)
{
  const ho_fix_env env = {
      .check = {.path = ho_str_of(path)}, .root = HO_STR("/srv"), .details = details, .old_details = HO_EMPTY};
  return !ho_doc_read(doc, arena, env.check.path, text, format, &(ho_error){0}) &&
         !ho_doc_check(doc, &env.check, &(ho_error){0}) && !ho_fix(doc, &env, arena, fixed, &(ho_error){0});
}

static void check_handoff(const ho_doc *doc, const ho_fixed *fixed)
{
  size_t lines = 1;
  ho_cover cover;
  ho_str text = ho_str_trim_end(fixed->text);
  for (size_t i = 0; i < text.n; i++)
    lines += text.p[i] == '\n';
  if (fixed->changed && lines > HO_ARTIFACT_LINES)
    abort();
  ho_cover_init(&cover);
  ho_cover_add(&cover, fixed->text);
  ho_cover_add(&cover, fixed->details);
  if (!ho_cover_has(&cover, doc->source.text))
    abort();
  ho_cover_free(&cover, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  ho_arena arena;
  ho_doc doc, again;
  ho_fixed once, twice;
  if (size < 2)
    return 0;
  const char *path = names[data[1] % HO_COUNT(names)];
  ho_str text = {(const char *)data + 2, size - 2};
  ho_arena_init(&arena, 0);
  if (fix(&arena, path, text, HO_EMPTY, choose(data[0]), &doc, &once)) {
    if (doc.format && !strcmp(doc.format->name, "artifact") && doc.encoding == HO_MARKDOWN)
      check_handoff(&doc, &once);
    if (!fix(&arena, path, once.text, once.details, doc.format, &again, &twice) || twice.changed || twice.details.n)
      abort();
  }
  ho_arena_free(&arena);
  return 0;
}
