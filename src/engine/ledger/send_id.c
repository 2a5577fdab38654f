#include "doc/json/json.h"
#include "doc/text/splice.h"
#include "engine/ledger/send.h"
#include "engine/project/identity.h"
#include "store/handoffs/bodies.h"

/* Where the document states its own id, or NULL. */
static const ho_node *own_id(const ho_doc *doc)
{
  const char *name = doc->format->sending->id;
  return name ? ho_node_by_names(doc->root, name) : NULL;
}

ho_code ho_send_choose_id(ho_send *in, ho_str wanted, ho_error *err)
{
  ho_handoff taken;
  ho_error none = {0};
  if (ho_id_fits(wanted)) {
    ho_code code = ho_handoffs_get(in->project->store, wanted, in->arena, &taken, &none);
    if (code == HO_NOT_FOUND) {
      in->made.row.id = wanted;
      return HO_OK;
    }
    if (code)
      return *err = none, code;
  }
  return ho_turn_new_id(in->project, in->arena, &in->made.row.id, err);
}

static ho_str with_text(const ho_send *in, const ho_node *node, ho_str id)
{
  ho_buf quoted, out;
  ho_splice splice;
  ho_error none = {0};
  ho_buf_init(&quoted, 0);
  ho_buf_init(&out, 0);
  ho_json_write_text(&quoted, id);
  if (in->seen.body.p[node->end - 1] == '\n') /* a block scalar */
    ho_buf_putc(&quoted, '\n');
  ho_splice_init(&splice, in->arena, in->seen.body);
  if (ho_splice_replace(&splice, node->begin, node->end, ho_buf_move(&quoted, in->arena), &none) == HO_OK)
    ho_splice_write(&splice, &out);
  return ho_buf_move(&out, in->arena);
}

ho_str ho_send_body(const ho_send *in, ho_str id)
{
  const ho_node *own = own_id(&in->seen.doc);
  ho_doc doc = {0};
  ho_error none = {0};
  if (ho_node_absent(own) || ho_str_eq(ho_node_str(own), id) || in->seen.doc.encoding == HO_MARKDOWN ||
      own->begin == HO_NOWHERE || own->begin >= own->end || own->end > in->seen.body.n)
    return in->seen.body;
  ho_str body = with_text(in, own, id);
  /* An id may be written in ways that cannot be replaced alone (an alias, say). */
  if (!body.n || ho_doc_read(&doc, in->arena, in->path, body, in->seen.doc.format, &none) || !doc.root ||
      !ho_str_eq(ho_node_str(own_id(&doc)), id))
    return in->seen.body;
  return body;
}

bool ho_send_is_same(const ho_send *in, const ho_handoff *row)
{
  char digest[HO_DIGEST_SIZE];
  if (ho_str_is(row->digest, in->seen.digest))
    return true;
  ho_digest_text(ho_send_body(in, row->id), digest);
  return ho_str_is(row->digest, digest);
}

/* Is the id alone on its line, with its key? Then the line is cut, else only the value: [*from, *to). */
static void cut_of(ho_str body, const ho_node *id, size_t *from, size_t *to)
{
  size_t begin = id->begin, end = id->end;
  while (begin > 0 && body.p[begin - 1] != '\n')
    begin--;
  while (end < body.n && body.p[end - 1] != '\n')
    end++; /* behind the line */
  ho_str key = ho_str_trim(ho_str_sub(body, begin, id->begin)), rest = ho_str_trim(ho_str_sub(body, id->end, end));
  bool alone = key.n && key.p[key.n - 1] == ':' && (!rest.n || ho_str_is(rest, ","));
  for (size_t i = 0; alone && i + 1 < key.n; i++)
    alone = isalnum((unsigned char)key.p[i]) || strchr("_\"'-", key.p[i]);
  *from = alone ? begin : id->begin;
  *to = alone ? end : id->end;
}

/* The text without the id that it states for itself. */
static ho_str without_id(const ho_doc *doc, ho_str body, ho_arena *arena)
{
  size_t from, to;
  const ho_node *own = own_id(doc);
  if (ho_node_absent(own) || own->begin == HO_NOWHERE || own->begin >= own->end || own->end > body.n)
    return body;
  cut_of(body, own, &from, &to);
  return ho_arena_printf(arena, "%.*s%.*s", HO_ARG(ho_str_sub(body, 0, from)), HO_ARG(ho_str_sub(body, to, body.n)));
}

bool ho_send_is_alike(const ho_send *in, const ho_handoff *row)
{
  enum { LONGEST = 128 }; /* a line with an id */
  ho_doc doc = {0};
  ho_error none = {0};
  ho_str body;
  if (ho_send_is_same(in, row))
    return true;
  if (ho_bodies_get(in->project->store, row->digest, in->arena, &body, &none) ||
      (body.n > in->seen.body.n ? body.n - in->seen.body.n : in->seen.body.n - body.n) > LONGEST ||
      ho_doc_read(&doc, in->arena, in->path, body, in->seen.doc.format, &none) || !doc.root)
    return false;
  return ho_str_eq(without_id(&doc, body, in->arena), without_id(&in->seen.doc, in->seen.body, in->arena));
}
