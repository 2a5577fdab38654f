#include "command/commands.h"
#include "command/ledger_call.h"
#include "command/wrap.h"
#include "engine/ledger/describe.h"
#include "store/handoffs/search.h"

static ho_code run(ho_call *call, ho_error *err)
{
  ho_project *project = &call->project;
  ho_filter filter;
  ho_hit_list list = {0};
  ho_code code = ho_ledger_call_filter(call, &filter, err);
  if (!code)
    code = ho_ledger_call_derive(call, HO_DERIVED_SEARCH, err);
  if (code)
    return code;
  if (project->store)
    code = ho_search(project->store, ho_arg_words(call, "query"), &filter, call->arena, &list, err);
  ho_node *hits = ho_map_addz(call->result, "hits", ho_node_new(call->arena, HO_KIND_LIST));
  for (size_t i = 0; !code && i < list.count; i++) {
    ho_node *hit = ho_list_add(hits, ho_describe_listed(project, &list.rows[i].row, call->arena));
    ho_map_addz(hit, "snippet", ho_node_text(call->arena, list.rows[i].snippet));
  }
  if (!code)
    ho_ledger_call_limit(call, "newest", list.count, filter.limit, "shown");
  if (!code && project->store && !list.count)
    ho_call_note(call, "nothing found");
  return code;
}

/* The marks around a match are for terminals' eyes: brackets. */
static void put_snippet(ho_buf *out, const ho_node *hit, size_t width)
{
  ho_str text = ho_map_str(hit, "snippet");
  ho_buf plain;
  ho_buf_init(&plain, 0);
  for (size_t i = 0; i < text.n; i++) {
    bool mark = i + 2 < text.n && memcmp(text.p + i, "\xe2\x81", 2) == 0;
    unsigned char last = mark ? (unsigned char)text.p[i + 2] : 0;
    if (last == 0xa8 || last == 0xa9) {
      ho_buf_putc(&plain, last == 0xa8 ? '[' : ']');
      i += 2;
    } else {
      ho_buf_putc(&plain, text.p[i]);
    }
  }
  ho_put_flow(out, ho_buf_str(&plain), width, 4);
  ho_buf_free_into(&plain, out);
}

static const ho_field params[] = {{.name = "query",
                                   .label = "QUERY",
                                   .doc = "Words that must all occur; \"a phrase\" in quotes; word* for a prefix.",
                                   .type = HO_T_LIST,
                                   .item = HO_T_TEXT,
                                   .flags = HO_REQUIRED | HO_POSITIONAL},
                                  HO_FILTER_PARAMS,
                                  HO_FIELDS_END};
static const ho_record params_record = {.name = "search", .fields = params};
static const ho_field hit_fields[] = {HO_HANDOFF_FIELDS, HO_TEXT_FIELD("snippet", "Text around the match."),
                                      HO_FIELDS_END};
static const ho_record hit_record = {.name = "hit", .fields = hit_fields};
static const ho_field result[] = {HO_LIST_FIELD("hits", "The handoffs, newest first.", hit_record), HO_NOTES_FIELD,
                                  HO_FIELDS_END};
static const ho_record result_record = {.name = "search result", .fields = result};

static const ho_table table = {
    .list = "hits", .record = &hit_record, .columns = ho_handoff_columns, .below = put_snippet};

const ho_command ho_command_search = {
    .name = "search",
    .group = "inspect",
    .summary = "Search the text of all handoffs",
    .doc = "The newest come first. A match is in brackets.",
    .examples = "handoff search stream --limit 5",
    .teammate = true,
    .stored = true,
    .effect = HO_EFFECT_READ,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .table = &table,
};
