#include "engine/project/redact.h"

#include "base/buf.h"
#include "doc/json/json.h"
#include "doc/text/splice.h"
#include "engine/project/project.h"
#include "engine/project/settings.h"
#include "model/secrets/secrets.h"

enum { ROUNDS = 8 };

const ho_rule_info ho_rule_secret = {
    "secret", HO_WARNING, "Credentials must not be handed over.",
    "Remove it, say where it is kept instead, and change it if others may have seen it."};

typedef enum policy { REDACT, REFUSE, ALLOW } policy;

static policy policy_of(const ho_project *project)
{
  if (ho_project_keeps_secrets(project))
    return ALLOW;
  return ho_str_is(ho_settings_text(&project->settings, "secrets"), "refuse") ? REFUSE : REDACT;
}

/* Something was found: if the settings allow it, a person has to trust that, and is told so. */
static void note_trust(const ho_project *project)
{
  (void)ho_project_trusted(project, HO_TRUST_SECRETS);
}

static void report_one(ho_report *report, policy p, uint32_t offset, const char *shape)
{
  const char *what = p == REFUSE ? "must not be handed over" : p == ALLOW ? "is stored unchanged" : "was removed";
  ho_report_add_as(report, &ho_rule_secret, p == REFUSE ? HO_ERROR : HO_WARNING, offset, NULL, "a credential (%s) %s",
                   shape, what);
}

static ho_code clean_text(const ho_project *project, policy p, ho_arena *arena, ho_str path, ho_str text, ho_str *out,
                          ho_report *report, ho_error *err)
{
  ho_source *source = HO_NEW(arena, ho_source);
  *out = text;
  if (!source)
    return ho_arena_code(arena, err);
  ho_code code = ho_source_init(source, arena, path, text, err);
  if (code)
    return code;
  ho_report_init(report, arena, source);
  ho_secret_list list = ho_secret_find(text, arena);
  for (size_t i = 0; i < list.count; i++)
    report_one(report, p, (uint32_t)list.items[i].begin, list.items[i].shape);
  if (p == REDACT)
    *out = ho_secret_remove(text, &list, arena);
  if (list.count)
    note_trust(project);
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

/* What the tree of a document reveals, and what becomes of it. */
typedef struct taking {
  ho_arena *arena;
  const ho_doc *doc;
  ho_splice splice;
  ho_report *report;
  policy policy;
  bool moved; /* positions are no longer those of the text that was given */
  size_t found;
  ho_code code;
  ho_error *err;
} taking;

/* Removes from the text the secret that `node` reveals. */
static ho_code take_out(taking *t, const ho_node *node)
{
  size_t in_key = 0, in_text = 0;
  ho_str key = ho_secret_redact(node->key, t->arena, &in_key);
  ho_str value = ho_secret_redact(node->text, t->arena, &in_text);
  uint32_t begin = in_key ? node->key_begin : node->begin, end = in_key ? node->key_end : node->end;
  if (t->doc->encoding == HO_MARKDOWN || begin == HO_NOWHERE || begin >= end)
    return ho_fail_file(t->err, HO_INVALID, t->doc->source.path, "contains a credential that cannot be removed");
  if (!in_key && !in_text)
    value = HO_STR("REDACTED-password");
  while (end > begin + 1 && t->splice.text.p[end - 1] == ' ')
    end--; /* a block scalar ends where the next line's key begins, behind its indentation */
  bool newline = t->splice.text.p[end - 1] == '\n';
  return ho_splice_replace(&t->splice, begin, end, quoted(t->arena, in_key ? key : value, newline), t->err);
}

static void take_node(void *data, const ho_node *node, const char *shape)
{
  taking *t = data;
  if (t->code)
    return;
  if (t->policy != REFUSE || !t->report->count) /* one reason to refuse it is enough, and may have been found before */
    report_one(t->report, t->policy, t->moved ? HO_NOWHERE : node->begin, shape);
  t->found++;
  if (t->policy != REFUSE)
    t->code = take_out(t, node);
}

/* Reads the text as ho_doc_read does, and removes what only shows once it is parsed (escapes, folded lines). *text is the
 * text that was read in the end. */
static ho_code clean_tree(const ho_project *project, policy p, ho_arena *arena, ho_str path, ho_str *text,
                          const ho_format *format, ho_doc *doc, ho_report *report, ho_error *err)
{
  for (int round = 0; round < ROUNDS; round++) {
    taking t = {.arena = arena, .doc = doc, .report = report, .policy = p, .moved = report->count > 0, .err = err};
    ho_code code = ho_doc_read(doc, arena, path, *text, format, err);
    ho_splice_init(&t.splice, arena, *text);
    if (!code && t.policy != ALLOW)
      ho_secret_in_tree(doc->raw, arena, take_node, &t);
    if (!code)
      code = t.code ? t.code : ho_arena_code(arena, err);
    if (t.found)
      note_trust(project);
    if (code || !t.found || t.policy == REFUSE)
      return code;
    ho_buf out;
    ho_buf_init(&out, 0);
    ho_splice_write(&t.splice, &out);
    *text = ho_buf_move(&out, arena);
  }
  return ho_fail_file(err, HO_INVALID, path, "contains too many credentials to remove");
}

ho_code ho_redact_read(const ho_project *project, ho_arena *arena, ho_str path, ho_str *text, const ho_format *format,
                       ho_doc *doc, ho_report *report, ho_error *err)
{
  policy p = policy_of(project);
  ho_code code = clean_text(project, p, arena, path, *text, text, report, err);
  return code ? code : clean_tree(project, p, arena, path, text, format, doc, report, err);
}

ho_str ho_redact_file(const ho_project *project, ho_arena *arena, ho_str path, ho_str text)
{
  ho_report report;
  ho_error none = {0};
  ho_doc *doc = HO_NEW(arena, ho_doc);
  ho_str clean = text;
  if (!doc || ho_project_keeps_secrets(project))
    return text;
  if (clean_text(project, REDACT, arena, path, text, &clean, &report, &none))
    return ho_project_clean(project, arena, text);
  (void)!clean_tree(project, REDACT, arena, path, &clean, NULL, doc, &report, &none);
  return clean;
}

static void warn_of(void *data, const ho_node *node, const char *shape)
{
  ho_report_add_as(data, &ho_rule_secret, HO_WARNING, node->begin, NULL, "a credential (%s) does not belong here",
                   shape);
}

ho_code ho_redact_warn(ho_doc *doc, ho_arena *arena, ho_error *err)
{
  ho_secret_list list = ho_secret_find(doc->source.text, arena);
  for (size_t i = 0; i < list.count; i++)
    ho_report_add_as(&doc->report, &ho_rule_secret, HO_WARNING, (uint32_t)list.items[i].begin, NULL,
                     "a credential (%s) does not belong here", list.items[i].shape);
  if (!list.count) /* what only shows once it is parsed */
    ho_secret_in_tree(doc->raw, arena, warn_of, &doc->report);
  return ho_arena_code(arena, err);
}
