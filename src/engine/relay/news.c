#include "engine/relay/news.h"

#include "engine/ledger/draft.h"
#include "engine/project/identity.h"
#include "model/formats/formats.h"
#include "model/lifecycle.h"
#include "store/handoffs/bodies.h"

static ho_code newest(ho_project *project, ho_arena *arena, const ho_filter *filter, ho_handoff *out, ho_error *err)
{
  ho_handoff_list list;
  ho_code code = ho_handoffs_select(project->store, filter, arena, &list, err);
  *out = !code && list.count ? list.rows[0] : (ho_handoff){0};
  return code;
}

ho_code ho_news_draft(ho_project *project, ho_arena *arena, ho_str task, ho_str phase, int64_t since, ho_handoff *out,
                      ho_error *err)
{
  ho_filter filter = {.state = ho_str_of(ho_state_name(HO_STATE_DRAFT)),
                      .task = ho_id_plain(task),
                      .phase = ho_id_plain(phase),
                      .since = since,
                      .limit = 1};
  return newest(project, arena, &filter, out, err);
}

ho_code ho_news_handoff(ho_project *project, ho_arena *arena, const ho_handoff *draft, ho_handoff *out, ho_error *err)
{
  ho_filter filter = {.kind = ho_str_of(ho_format_artifact.name),
                      .task = draft->task,
                      .phase = draft->phase,
                      .before_seq = draft->seq,
                      .limit = 1};
  *out = (ho_handoff){0};
  return draft->task.n && draft->phase.n ? newest(project, arena, &filter, out, err) : HO_OK;
}

void ho_news_add(ho_project *project, const ho_handoff *draft, ho_prompt_about *about)
{
  ho_doc doc;
  ho_str body;
  ho_error none = {0};
  ho_node *news = ho_node_new(about->arena, HO_KIND_LIST);
  if (!news || ho_bodies_get(project->store, draft->digest, about->arena, &body, &none) ||
      ho_doc_read(&doc, about->arena, draft->id, body, &ho_format_package, &none))
    return;
  HO_EACH_CONST (fact, ho_map_getz(ho_map_getz(doc.root, "context"), "key_info")) {
    ho_str text = ho_node_str(fact);
    if (!ho_str_starts(text, HO_DRAFT_OBJECTIVE) && !ho_str_starts(text, HO_DRAFT_TRIED) &&
        !ho_str_starts(text, HO_DRAFT_EVENT))
      ho_list_add(news, ho_node_text(about->arena, text));
  }
  if (!news->count)
    ho_list_add(news, ho_node_textz(about->arena, "Nothing that the progress file does not say."));
  about->draft = draft->id;
  about->news = news;
}
