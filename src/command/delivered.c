#include "command/delivered.h"

#include "base/term.h"
#include "engine/ledger/describe.h"
#include "model/document/read.h"
#include "model/document/write.h"
#include "model/lifecycle.h"

static ho_node *document_of(ho_call *call, const ho_handoff *row, ho_str body)
{
  ho_doc doc = {0};
  ho_error err = {0};
  if (ho_doc_read(&doc, call->arena, row->path.n ? row->path : row->id, body, ho_format_named(row->kind), &err) ||
      !doc.root)
    return ho_node_new(call->arena, HO_KIND_NULL);
  return ho_node_copy(call->arena, ho_doc_wrap(doc.format, doc.root, call->arena));
}

/* Drafts that were written for agents that worked on it before. */
static ho_code add_drafts(ho_call *call, ho_project *project, const ho_handoff *row, ho_node *map, ho_error *err)
{
  ho_handoff_list list;
  ho_filter filter = {.parent = row->id, .state = ho_str_of(ho_state_name(HO_STATE_DRAFT)), .limit = 20};
  ho_node *drafts = ho_map_addz(map, "drafts", ho_node_new(call->arena, HO_KIND_LIST));
  ho_code code = ho_handoffs_select(project->store, &filter, call->arena, &list, err);
  for (size_t i = 0; !code && i < list.count; i++)
    ho_list_add(drafts, ho_node_text(call->arena, list.rows[i].id));
  return code;
}

ho_code ho_delivered_node(ho_call *call, ho_project *project, const ho_handoff *row, ho_str body, ho_node **out,
                          ho_error *err)
{
  ho_node *statements = NULL, *talk = NULL, *map = ho_describe_record(row, call->arena);
  ho_code code = ho_describe_statements(project, row, call->arena, &statements, err);
  if (!code)
    code = ho_describe_talk(project, row, call->arena, &talk, err);
  ho_map_addz(map, "document", document_of(call, row, body));
  ho_map_addz(map, "text", ho_node_text(call->arena, body));
  ho_map_addz(map, "claims", statements);
  ho_map_addz(map, "drift", ho_describe_drift(statements, call->arena));
  ho_map_addz(map, "talk", talk);
  if (!code)
    code = add_drafts(call, project, row, map, err);
  *out = map;
  return code ? code : ho_arena_code(call->arena, err);
}

static void line(ho_buf *out, const char *label, ho_str text)
{
  if (!text.n)
    return;
  ho_buf_printf(out, "# %s: ", label);
  ho_term_put(out, text, HO_TERM_LINE);
  ho_buf_putc(out, '\n');
}

void ho_delivered_head(ho_buf *out, const ho_node *d)
{
  static const char *const fields[] = {"id",         "state",       "kind",  "type",         "from",
                                       "to",         "task",        "phase", "created",      "parent",
                                       "claimed_by", "lease_until", "gate",  "superseded_by"};
  for (size_t i = 0; i < HO_COUNT(fields); i++)
    line(out, fields[i], ho_map_str(d, fields[i]));
  HO_EACH_CONST (drift, ho_map_getz(d, "drift"))
    line(out, "drift", drift->text);
  HO_EACH_CONST (draft, ho_map_getz(d, "drafts"))
    line(out, "draft of what is known", draft->text);
  HO_EACH_CONST (said, ho_map_getz(d, "talk")) {
    ho_buf_puts(out, "# ");
    ho_term_put(out, ho_map_str(said, "kind"), HO_TERM_LINE);
    ho_buf_puts(out, " (");
    ho_term_put(out, ho_map_str(said, "by"), HO_TERM_LINE);
    if (ho_map_str(said, "proof").n)
      ho_buf_printf(out, ", %.*s", HO_ARG(ho_map_str(said, "proof")));
    ho_buf_puts(out, "): ");
    ho_term_put(out, ho_map_str(said, "text"), HO_TERM_LINE);
    ho_buf_putc(out, '\n');
  }
}

static const ho_field fields[] = {
    HO_HANDOFF_FIELDS,
    {.name = "document", .doc = "The document as a tree.", .type = HO_T_ANY, .flags = HO_NULLABLE},
    HO_TEXT_FIELD("text", "The document as stored."),
    HO_LIST_FIELD("claims", "What the program checked and what the author stated.", ho_statement_record),
    HO_TEXTS_FIELD("drift", "What has changed since it was sent."),
    HO_LIST_FIELD("talk", "Questions, blockers, answers and decisions.", ho_talk_record),
    HO_TEXTS_FIELD("drafts", "Ids of drafts for agents that went silent."),
    HO_FIELDS_END};
const ho_record ho_delivered_record = {.name = "delivered handoff", .fields = fields};
