#include "model/fix/fix.h"

#include "base/limits.h"
#include "doc/json/json.h"
#include "doc/yaml/yaml.h"
#include "model/fix/fix_cover.h"
#include "model/fix/fix_parts.h"
#include "model/formats/formats.h"
#include "model/markdown/markdown_write.h"
#include "model/general_rules.h"

enum { ROUNDS = 6 }; /* until fixing the result changes nothing; two are usual */

static const char details_head[] = "# Details\n\nWhat did not fit in the handoff beside this file, unchanged.\n\n";

typedef struct fixing {
  const ho_fix_env *env;
  ho_arena *arena;
  ho_fix_manner manner;
  ho_buf text; /* the newest */
  bool cut;    /* something was left out of a YAML or JSON document */
} fixing;

static ho_code read_again(fixing *f, const ho_doc *doc, ho_str text, ho_doc *out, ho_error *err)
{
  return ho_doc_read(out, f->arena, doc->source.path, text, doc->format, err);
}

static bool is_artifact(const ho_doc *doc)
{
  return doc->format == &ho_format_artifact && doc->encoding == HO_MARKDOWN;
}

static bool has_duplicates(const ho_doc *doc)
{
  for (size_t i = 0; i < doc->report.count; i++)
    if (doc->report.items[i].rule == &ho_rule_DUPLICATE_KEY)
      return true;
  return false;
}

/* Keeps a byte order mark. */
static void keep_mark(fixing *f, const ho_doc *doc)
{
  ho_str mark = ho_str_sub(doc->source.text, 0, ho_source_start(&doc->source));
  if (!mark.n || ho_str_starts(ho_buf_str(&f->text), "\xEF\xBB\xBF"))
    return;
  ho_str text = ho_arena_copy(f->arena, ho_buf_str(&f->text));
  ho_buf_reset(&f->text);
  ho_buf_put(&f->text, mark);
  ho_buf_put(&f->text, text);
}

/* One pass; the new text is in f->text. */
static ho_code fix_once(fixing *f, const ho_doc *doc, bool details, ho_error *err)
{
  ho_buf_reset(&f->text);
  if (is_artifact(doc)) {
    ho_fix_artifact(doc, f->env, details, f->manner, f->arena, &f->text);
  } else {
    ho_node *fixed = ho_node_copy(f->arena, doc->root);
    if (fixed && has_duplicates(doc))
      ho_fix_duplicates(fixed, f->arena, HO_LIMIT_DEPTH);
    ho_fix_values(doc->format->root, fixed, f->env, f->arena);
    if (fixed && doc->format == &ho_format_artifact)
      f->cut |= ho_fix_artifact_tree(doc, fixed, f->env, f->arena);
    ho_code code = ho_arena_code(f->arena, err);
    if (!code)
      code = ho_fix_tree(doc, fixed, f->arena, &f->text, err);
    if (code)
      return code;
  }
  ho_code code = ho_buf_code(&f->text, err);
  if (!code)
    keep_mark(f, doc);
  if (!code)
    code = ho_buf_code(&f->text, err);
  return code ? code : ho_arena_code(f->arena, err);
}

/* Repeats until nothing changes any more; *rests says whether that point was reached. */
static ho_code fix_repeatedly(fixing *f, const ho_doc *doc, bool details, ho_doc *out, bool *rests, ho_error *err)
{
  *out = *doc;
  *rests = false;
  for (int round = 0; round < ROUNDS; round++) {
    ho_code code = fix_once(f, out, details, err);
    *rests = !code && ho_str_eq(ho_buf_str(&f->text), out->source.text);
    if (code || *rests)
      return code;
    code = read_again(f, doc, ho_arena_copy(f->arena, ho_buf_str(&f->text)), out, err);
    if (code)
      return code;
  }
  return HO_OK;
}

/* Fixes in the first manner that settles, provided that its result is stable under the usual manner, because that is
 * the one used next time. */
static ho_code fix_fully(fixing *f, const ho_doc *doc, bool details, ho_doc *out, ho_error *err)
{
  bool rests = false;
  ho_code code = fix_repeatedly(f, doc, details, out, &rests, err);
  for (int manner = HO_FIX_CANONICAL; is_artifact(doc) && !code && !rests && manner <= HO_FIX_BARE; manner++) {
    f->manner = (ho_fix_manner)manner;
    code = fix_repeatedly(f, doc, details, out, &rests, err);
    f->manner = HO_FIX_OWN;
    if (!code && rests)
      code = fix_once(f, out, details, err);
    rests = rests && !code && ho_str_eq(ho_buf_str(&f->text), out->source.text);
  }
  if (!code && !rests) /* better left alone */
    *out = *doc;
  return code;
}

static bool is_long(const fixing *f, const ho_doc *doc)
{
  return doc->format == &ho_format_artifact && !ho_fix_fits_screen(doc, doc->root, f->arena);
}

/* Counts warnings, except those about missing facts: once a value moves to its place, the facts missing there are
 * reported. */
static size_t count_warnings(const ho_doc *doc)
{
  size_t count = 0;
  for (size_t i = 0; i < doc->report.count; i++)
    count += doc->report.items[i].severity == HO_WARNING && doc->report.items[i].rule != &ho_rule_EXPECTED;
  return count;
}

/* Counts errors, except those about missing facts. */
static size_t count_wrong(const ho_doc *doc)
{
  size_t count = 0;
  for (size_t i = 0; i < doc->report.count; i++)
    count += doc->report.items[i].severity == HO_ERROR && doc->report.items[i].rule != &ho_rule_REQUIRED;
  return count;
}

static bool is_better(const fixing *f, const ho_doc *before, const ho_doc *after)
{
  if (is_long(f, before))
    return true;
  if (after->report.errors != before->report.errors)
    return after->report.errors < before->report.errors;
  if (count_wrong(after) != count_wrong(before))
    return count_wrong(after) < count_wrong(before);
  return count_warnings(after) < count_warnings(before);
}

/* Appends the members of a YAML or JSON document that differ in the result; returns how many. */
static size_t put_members(const fixing *f, const ho_doc *doc, const ho_doc *after, ho_buf *details)
{
  ho_node *lacking = ho_node_new(f->arena, HO_KIND_MAP);
  ho_buf fence, text;
  ho_buf_init(&fence, 0);
  ho_buf_init(&text, 0);
  HO_EACH_CONST (child, doc->root)
    if (!ho_node_equal(child, ho_map_get(after->root, child->key)))
      ho_map_add(lacking, child->key, ho_node_copy(f->arena, child));
  if (lacking && doc->encoding == HO_JSON)
    ho_json_write(&text, lacking, 2);
  else if (lacking)
    ho_yaml_write(&text, lacking);
  ho_markdown_put_fence(&fence, ho_encoding_name(doc->encoding), ho_buf_str(&text));
  bool here = fence.n && ho_str_find(f->env->details, fence.p) != HO_NONE;
  if (!here)
    ho_buf_put(details, ho_buf_str(&fence));
  if (!f->arena->failed)
    f->arena->failed = text.failed ? text.failed : fence.failed;
  ho_buf_free(&text);
  ho_buf_free(&fence);
  return here || !lacking ? 0 : lacking->count;
}

/* Collects the words of the new text and of the details file. */
static void start_cover(const fixing *f, ho_str text, ho_cover *cover)
{
  ho_cover_init(cover);
  ho_cover_add(cover, text);
  ho_cover_add(cover, f->env->details);
  if (f->env->old_details.n) /* it has a new name now */
    ho_cover_add(cover, ho_arena_printf(f->arena, "Details: %.*s", HO_ARG(f->env->old_details)));
}

/* Would put_details add anything? */
static bool needs_details(const fixing *f, const ho_doc *doc, ho_str text)
{
  ho_cover cover;
  start_cover(f, text, &cover);
  bool whole = ho_cover_has(&cover, doc->source.text);
  ho_cover_free(&cover, f->arena);
  return !whole;
}

/* Appends to the text of the details file what the document says and neither its new text nor the details file
 * contains. */
static ho_code put_details(fixing *f, const ho_doc *doc, ho_str text, ho_fixed *out, ho_error *err)
{
  ho_cover cover;
  ho_buf details;
  ho_buf_init(&details, 0);
  start_cover(f, text, &cover);
  ho_buf_put(&details, f->env->details.n ? f->env->details : HO_STR(details_head));
  if (details.n && !ho_str_ends(ho_buf_str(&details), "\n"))
    ho_buf_putc(&details, '\n');
  size_t before = details.n;
  if (doc->encoding == HO_MARKDOWN)
    out->moved = ho_cover_put_missing(&cover, &doc->source, &doc->md, &details);
  else
    out->moved = put_members(f, doc, &out->after, &details);
  ho_cover_add(&cover, ho_str_sub(ho_buf_str(&details), before, details.n));
  /* A text that is too long to compare, or that was split in an odd way. */
  if (doc->encoding == HO_MARKDOWN && !ho_cover_has(&cover, doc->source.text)) {
    ho_buf_printf(&details, "\n%.*s\n", HO_ARG(ho_str_trim_end(doc->source.text)));
    out->moved++;
  }
  if (out->moved) {
    out->details = ho_arena_copy(f->arena, ho_buf_str(&details));
    out->details_name = ho_fix_details_name(f->arena, f->env->check.path);
  }
  ho_code code = ho_buf_code(&details, err);
  ho_buf_free(&details);
  ho_cover_free(&cover, f->arena);
  return code ? code : ho_arena_code(f->arena, err);
}

/* The details file is referenced only if there is something in it, and the reference itself may displace something
 * else. A first look usually tells whether it will be needed. */
static ho_code fix_artifact(fixing *f, const ho_doc *doc, ho_fixed *out, ho_error *err)
{
  ho_code code = fix_once(f, doc, false, err);
  if (code || ho_str_eq(ho_buf_str(&f->text), doc->source.text))
    return code;
  if (!needs_details(f, doc, ho_buf_str(&f->text))) {
    code = fix_fully(f, doc, false, &out->after, err);
    if (!code && !ho_str_eq(out->after.source.text, doc->source.text))
      code = put_details(f, doc, out->after.source.text, out, err);
    if (code || !out->moved)
      return code;
  }
  code = fix_fully(f, doc, true, &out->after, err);
  return code ? code : put_details(f, doc, out->after.source.text, out, err);
}

/* Fixes a YAML or JSON document, then what is contradictory in it. */
static ho_code fix_data(fixing *f, const ho_doc *doc, ho_fixed *out, ho_error *err)
{
  ho_code code = fix_fully(f, doc, false, &out->after, err);
  if (!code && !ho_str_eq(out->after.source.text, doc->source.text))
    code = ho_doc_check(&out->after, &f->env->check, err);
  for (int round = 0; !code && round < ROUNDS; round++) {
    ho_node *tree = ho_node_copy(f->arena, out->after.root);
    if (!tree || !ho_fix_contradictions(&out->after, tree, f->arena))
      break;
    ho_buf_reset(&f->text);
    code = ho_fix_tree(&out->after, tree, f->arena, &f->text, err);
    if (!code)
      code = read_again(f, doc, ho_arena_copy(f->arena, ho_buf_str(&f->text)), &out->after, err);
    if (!code)
      code = ho_doc_check(&out->after, &f->env->check, err);
  }
  return code;
}

static ho_code fix(fixing *f, const ho_doc *doc, ho_fixed *out, ho_error *err)
{
  ho_code code = is_artifact(doc) ? fix_artifact(f, doc, out, err) : fix_data(f, doc, out, err);
  if (code || ho_str_eq(out->after.source.text, doc->source.text))
    return code;
  if (f->cut)
    code = put_details(f, doc, out->after.source.text, out, err);
  if (!code && is_artifact(doc))
    code = ho_doc_check(&out->after, &f->env->check, err);
  out->changed = !code && (f->env->old_details.n || is_better(f, doc, &out->after));
  return code ? code : ho_arena_code(f->arena, err);
}

ho_code ho_fix(const ho_doc *doc, const ho_fix_env *env, ho_arena *arena, ho_fixed *out, ho_error *err)
{
  fixing f = {.env = env, .arena = arena};
  *out = (ho_fixed){.text = doc->source.text, .details = HO_EMPTY, .details_name = HO_EMPTY, .after = *doc};
  if (!doc->format || !ho_node_is(doc->root, HO_KIND_MAP))
    return HO_OK;
  ho_buf_init(&f.text, 0);
  ho_code code = fix(&f, doc, out, err);
  ho_buf_free(&f.text);
  if (!out->changed) {
    *out = (ho_fixed){.text = doc->source.text, .details = HO_EMPTY, .details_name = HO_EMPTY, .after = *doc};
    return code;
  }
  out->text = out->after.source.text;
  /* The report refers to the source it was made from. */
  out->after.report.source = &out->after.source;
  return code;
}
