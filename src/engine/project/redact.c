#include "engine/project/redact.h"

#include "base/buf.h"
#include "doc/json/json.h"
#include "doc/text/splice.h"
#include "engine/project/project.h"
#include "engine/project/settings.h"
#include "model/secrets.h"

enum { ROUNDS = 200 };

const ho_rule_info ho_rule_secret = {
    "secret", HO_WARNING, "Credentials must not be handed over.",
    "Remove it, say where it is kept instead, and change it if others may have seen it."};

typedef enum policy { REDACT, REFUSE, ALLOW } policy;

static policy policy_of(const ho_project *project)
{
  ho_str word = ho_settings_text(&project->settings, "secrets");
  return ho_str_is(word, "allow") ? ALLOW : ho_str_is(word, "refuse") ? REFUSE : REDACT;
}

static void report_one(ho_report *report, policy p, uint32_t offset, const char *shape)
{
  const char *what = p == REFUSE ? "must not be handed over" : p == ALLOW ? "is stored unchanged" : "was removed";
  ho_report_add_as(report, &ho_rule_secret, p == REFUSE ? HO_ERROR : HO_WARNING, offset, NULL, "a credential (%s) %s",
                   shape, what);
}

ho_code ho_redact_text(const ho_project *project, ho_arena *arena, ho_str path, ho_str text, ho_str *out,
                       ho_report *report, ho_error *err)
{
  ho_source *source = HO_NEW(arena, ho_source);
  ho_secret secret;
  size_t from = 0, count = 0;
  policy p = policy_of(project);
  *out = text;
  if (!source)
    return ho_arena_code(arena, err);
  ho_code code = ho_source_init(source, arena, path, text, err);
  if (code)
    return code;
  ho_report_init(report, arena, source);
  while (ho_secret_find(text, from, &secret)) {
    report_one(report, p, (uint32_t)secret.begin, secret.shape);
    from = secret.end;
  }
  if (p == REDACT)
    *out = ho_secret_redact(text, arena, &count);
  return ho_arena_code(arena, err);
}

static ho_str quoted(ho_arena *arena, ho_str text, bool newline)
{
  ho_buf out;
  ho_buf_init(&out, 0);
  ho_json_write_text(&out, text);
  if (newline)
    ho_buf_putc(&out, '\n');
  return ho_buf_move(&out, arena);
}

/* Removes from the text the secret that `node` reveals. */
static ho_code take_out(ho_arena *arena, const ho_doc *doc, const ho_node *node, ho_str *text, ho_error *err)
{
  ho_splice splice;
  ho_buf out;
  size_t in_key = 0, in_text = 0;
  ho_str key = ho_secret_redact(node->key, arena, &in_key), value = ho_secret_redact(node->text, arena, &in_text);
  uint32_t begin = in_key ? node->key_begin : node->begin, end = in_key ? node->key_end : node->end;
  if (doc->encoding == HO_MARKDOWN || begin == HO_NOWHERE || begin >= end)
    return ho_fail_file(err, HO_INVALID, doc->source.path, "contains a credential that cannot be removed");
  if (!in_key && !in_text)
    value = HO_STR("REDACTED-password");
  bool newline = text->p[end - 1] == '\n';
  ho_splice_init(&splice, arena, *text);
  ho_code code = ho_splice_replace(&splice, begin, end, quoted(arena, in_key ? key : value, newline), err);
  if (code)
    return code;
  ho_buf_init(&out, 0);
  ho_splice_write(&splice, &out);
  *text = ho_buf_move(&out, arena);
  return ho_arena_code(arena, err);
}

ho_code ho_redact_read(const ho_project *project, ho_arena *arena, ho_str path, ho_str *text, const ho_format *format,
                       ho_doc *doc, ho_report *report, ho_error *err)
{
  ho_secret secret;
  policy p = policy_of(project);
  for (int round = 0; round < ROUNDS; round++) {
    ho_code code = ho_doc_read(doc, arena, path, *text, format, err);
    const ho_node *node = code || p == ALLOW ? NULL : ho_secret_in_tree(doc->raw, &secret);
    if (!node)
      return code;
    if (p != REFUSE || !report->count) /* one reason to refuse it is enough, and this one may have been found before */
      report_one(report, p, report->count ? HO_NOWHERE : node->begin, secret.shape); /* later ones have moved */
    if (p == REFUSE)
      return HO_OK;
    code = take_out(arena, doc, node, text, err);
    if (code)
      return code;
  }
  return ho_fail_file(err, HO_INVALID, path, "contains too many credentials to remove");
}
