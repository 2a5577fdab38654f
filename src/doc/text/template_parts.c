#include "doc/text/template_parts.h"

#include "base/grow.h"
#include "base/limits.h"

typedef struct parser {
  const ho_source *source;
  ho_str text;
  ho_arena *arena;
  ho_parts *parts;
  ho_error *err;
  size_t done, at;               /* bytes already in parts; the current byte */
  uint32_t open[HO_LIMIT_DEPTH]; /* parts of the unclosed blocks: an EACH, an IF or its ELSE */
  unsigned depth;
} parser;

static ho_code add_part(parser *p, ho_part_kind kind, ho_str text, size_t offset)
{
  ho_part *part = HO_PUSH(p->arena, p->parts->items, p->parts->count);
  if (!part)
    return ho_arena_code(p->arena, p->err);
  *part = (ho_part){.kind = kind, .text = text, .offset = (uint32_t)offset};
  return HO_OK;
}

/* Adds the text between the last tag and byte `to`, if there is any. */
static ho_code add_text(parser *p, size_t to)
{
  if (p->done >= to)
    return HO_OK;
  return add_part(p, HO_PART_TEXT, ho_str_sub(p->text, p->done, to), p->done);
}

static bool is_name_part(ho_str part)
{
  for (size_t i = 0; i < part.n; i++)
    if (!isalnum((unsigned char)part.p[i]) && part.p[i] != '_' && part.p[i] != '-')
      return false;
  return part.n > 0;
}

static bool is_name(ho_str name)
{
  ho_str part;
  if (ho_str_is(name, "."))
    return true;
  while (ho_str_next(&name, '.', &part))
    if (!is_name_part(part))
      return false;
  return true;
}

static ho_code open_block(parser *p, ho_part_kind kind, ho_str name, size_t begin)
{
  if (!is_name(name))
    return ho_source_fail(p->source, (uint32_t)begin, p->err, "expected {#each NAME} or {#if NAME}");
  if (p->depth == HO_LIMIT_DEPTH) {
    ho_source_fail(p->source, (uint32_t)begin, p->err, "blocks nested too deep (limit depth): the limit is %d",
                   HO_LIMIT_DEPTH);
    if (p->err) {
      p->err->code = HO_LIMIT;
      p->err->rule = NULL;
    }
    return HO_LIMIT;
  }
  p->open[p->depth++] = p->parts->count;
  return add_part(p, kind, name, begin);
}

/* The innermost open part, or NULL. */
static ho_part *innermost(parser *p)
{
  return p->depth ? &p->parts->items[p->open[p->depth - 1]] : NULL;
}

static ho_code add_else(parser *p, size_t begin)
{
  ho_part *open = innermost(p);
  if (!open || open->kind != HO_PART_IF)
    return ho_source_fail(p->source, (uint32_t)begin, p->err, "{else} without {#if}");
  open->jump = p->parts->count + 1;
  p->open[p->depth - 1] = p->parts->count;
  return add_part(p, HO_PART_ELSE, HO_EMPTY, begin);
}

static ho_code close_block(parser *p, bool each, size_t begin)
{
  ho_part *open = innermost(p);
  if (!open || (open->kind == HO_PART_EACH) != each)
    return ho_source_fail(p->source, (uint32_t)begin, p->err, each ? "{/each} without {#each}" : "{/if} without {#if}");
  p->depth--;
  open->jump = p->parts->count + each;
  if (!each)
    return HO_OK;
  uint32_t start = p->open[p->depth];
  ho_code code = add_part(p, HO_PART_END_EACH, HO_EMPTY, begin);
  if (!code)
    p->parts->items[p->parts->count - 1].jump = start;
  return code;
}

static bool is_blank(char c)
{
  return c == ' ' || c == '\t';
}

/* If bytes begin..end are alone on their line except for blanks, widens them to the whole line. */
static void widen_to_line(ho_str text, size_t *begin, size_t *end)
{
  size_t from = *begin, to = *end;
  while (from > 0 && is_blank(text.p[from - 1]))
    from--;
  while (to < text.n && is_blank(text.p[to]))
    to++;
  if ((from > 0 && text.p[from - 1] != '\n') || (to < text.n && text.p[to] != '\n' && text.p[to] != '\r'))
    return;
  if (to < text.n && text.p[to] == '\r' && (to + 1 == text.n || text.p[to + 1] != '\n'))
    return;
  if (to < text.n)
    to += text.p[to] == '\r' ? 2 : 1;
  *begin = from;
  *end = to;
}

/* A {#…}, {else} or {/…}: `tag` is the text between the braces. */
static ho_code read_block_tag(parser *p, ho_str tag, size_t begin, size_t end)
{
  size_t from = begin;
  widen_to_line(p->text, &from, &end);
  ho_code code = add_text(p, from);
  p->done = p->at = end;
  if (code)
    return code;
  if (ho_str_starts(tag, "#each "))
    return open_block(p, HO_PART_EACH, ho_str_sub(tag, 6, tag.n), begin);
  if (ho_str_starts(tag, "#if "))
    return open_block(p, HO_PART_IF, ho_str_sub(tag, 4, tag.n), begin);
  if (ho_str_is(tag, "else"))
    return add_else(p, begin);
  if (ho_str_is(tag, "/each") || ho_str_is(tag, "/if"))
    return close_block(p, ho_str_is(tag, "/each"), begin);
  return ho_source_fail(p->source, (uint32_t)begin, p->err,
                        "expected {#each NAME}, {#if NAME}, {else}, {/if} or {/each}");
}

/* At a '{' that is not doubled. */
static ho_code read_tag(parser *p)
{
  size_t begin = p->at;
  ho_str tag = {p->text.p + begin + 1, 0};
  while (begin + 1 + tag.n < p->text.n && !strchr("{}\n", tag.p[tag.n]))
    tag.n++;
  size_t end = begin + 1 + tag.n;
  if (end == p->text.n || p->text.p[end] != '}')
    return ho_source_fail(p->source, (uint32_t)begin, p->err, "this '{' is never closed; write '{{' for a brace");
  if (ho_str_starts(tag, "#") || ho_str_starts(tag, "/") || ho_str_is(tag, "else"))
    return read_block_tag(p, tag, begin, end + 1);
  if (!is_name(tag))
    return ho_source_fail(p->source, (uint32_t)begin, p->err,
                          "expected a name between the braces; write '{{' for a brace");
  ho_code code = add_text(p, begin);
  p->done = p->at = end + 1;
  return code ? code : add_part(p, HO_PART_VALUE, tag, begin);
}

/* At any brace. */
static ho_code read_brace(parser *p)
{
  char c = p->text.p[p->at];
  if (p->at + 1 < p->text.n && p->text.p[p->at + 1] == c) {
    ho_code code = add_text(p, p->at + 1);
    p->at += 2;
    p->done = p->at;
    return code;
  }
  if (c == '}')
    return ho_source_fail(p->source, (uint32_t)p->at, p->err, "'}' without '{'; write '}}' for a brace");
  return read_tag(p);
}

ho_code ho_parts_read(const ho_source *source, ho_arena *arena, ho_parts *out, ho_error *err)
{
  parser p = {.source = source, .text = source->text, .arena = arena, .parts = out, .err = err};
  ho_code code = HO_OK;
  *out = (ho_parts){0};
  p.done = p.at = ho_source_start(source);
  while (!code && p.at < p.text.n) {
    if (p.text.p[p.at] == '{' || p.text.p[p.at] == '}')
      code = read_brace(&p);
    else
      p.at++;
  }
  if (!code)
    code = add_text(&p, p.text.n);
  if (!code && p.depth)
    code = ho_source_fail(source, innermost(&p)->offset, err, "this block is never closed");
  return code;
}
