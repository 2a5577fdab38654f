#include "doc/json/json.h"
#include "doc/text/splice.h"
#include "engine/ledger/send.h"
#include "engine/project/identity.h"
#include "store/knowledge/known.h"

const ho_node *ho_send_own_id(const ho_doc *doc)
{
  const char *name = doc->format->sending->id;
  return name ? ho_node_by_names(doc->root, name) : NULL;
}

/* May a handoff be called so? Not like a gate, and not like something that was learned and is answered by its id. */
static ho_code is_free(const ho_send *in, ho_str id, bool *out, ho_error *err)
{
  ho_known known;
  bool taken = false;
  ho_code code = ho_id_of_ledger(id) ? HO_OK : ho_known_by_id(in->project->store, id, in->arena, &known, &taken, err);
  *out = !taken && !ho_id_of_gate(id);
  return code;
}

ho_code ho_send_choose_id(ho_send *in, ho_str wanted, ho_error *err)
{
  ho_handoff taken;
  ho_error none = {0};
  bool is_usable = false;
  ho_code looked = ho_id_fits(wanted) ? is_free(in, wanted, &is_usable, err) : HO_OK;
  if (looked)
    return looked;
  if (is_usable) {
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

/* Can the id be replaced alone? */
static bool can_replace(const ho_send *in, const ho_node *own)
{
  return !ho_node_absent(own) && in->seen.doc.encoding != HO_MARKDOWN && own->begin != HO_NOWHERE &&
         own->begin < own->end && own->end <= in->seen.body.n;
}

ho_str ho_send_body(const ho_send *in, ho_str id)
{
  const ho_node *own = ho_send_own_id(&in->seen.doc);
  ho_doc doc = {0};
  ho_error none = {0};
  if (!can_replace(in, own) || ho_str_eq(ho_node_str(own), id))
    return in->seen.body;
  ho_str body = with_text(in, own, id);
  /* An id may be written in ways that cannot be replaced alone (an alias, say). */
  if (!body.n || ho_doc_read(&doc, in->arena, in->path, body, in->seen.doc.format, &none) || !doc.root ||
      !ho_str_eq(ho_node_str(ho_send_own_id(&doc)), id))
    return in->seen.body;
  return body;
}

bool ho_send_is_same(const ho_send *in, const ho_handoff *row)
{
  char digest[HO_DIGEST_SIZE];
  const ho_node *own = ho_send_own_id(&in->seen.doc);
  if (ho_str_is(row->digest, in->seen.digest))
    return true;
  if (!can_replace(in, own))
    return false;
  ho_digest_text(with_text(in, own, row->id), digest);
  return ho_str_is(row->digest, digest);
}
