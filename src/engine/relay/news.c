#include "engine/relay/news.h"

#include "engine/ledger/draft.h"
#include "engine/ledger/gate_read.h"
#include "engine/ledger/gate_step.h"
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
  enum { LOOKED_AT = 20 };
  ho_gate gate;
  ho_handoff_list list = {0};
  ho_handed_standing stands = HO_HANDED_ENDED;
  ho_filter filter = {.kind = ho_str_of(ho_format_artifact.name),
                      .task = draft->task,
                      .phase = draft->phase,
                      .before_seq = draft->seq,
                      .limit = LOOKED_AT};
  *out = (ho_handoff){0};
  if (!draft->task.n || !draft->phase.n)
    return HO_OK;
  ho_code code = ho_handoffs_select(project->store, &filter, arena, &list, err);
  for (size_t i = 0; !code && stands == HO_HANDED_ENDED && i < list.count; i++) {
    code = ho_handed_judge(project, &list.rows[i], arena, &stands, &gate, err);
    if (!code && stands == HO_HANDED_FREE)
      *out = list.rows[i];
  }
  return code;
}

/* The newest gate of the handoff that a person approved; NULL if there is none. */
static const ho_gate *approved(ho_project *project, ho_arena *arena, const ho_handoff *row)
{
  enum { MOST = 20 };
  ho_gate_list gates;
  ho_error none = {0};
  if (ho_gate_read_list(project, HO_GATE_DECIDED, row->id, MOST, arena, &gates, &none))
    return NULL;
  for (size_t i = gates.count; i--;)
    if (gates.rows[i].decision == HO_DECISION_APPROVE && gates.rows[i].proof.n)
      return &gates.rows[i];
  return NULL;
}

void ho_news_people(ho_project *project, const ho_handoff *row, ho_prompt_about *about)
{
  enum { MOST = 50 };
  ho_arena *arena = about->arena;
  ho_gate gate;
  ho_handoff_list list;
  ho_error none = {0};
  bool waits = false;
  about->id = row->id;
  if (ho_str_is(row->state, ho_state_name(HO_STATE_GATED)) &&
      !ho_gate_read_standing(project, row->id, arena, &gate, &waits, &none) && waits)
    about->waits = gate.id;
  else if (!ho_gate_step_holds(project, row, arena, &gate, &waits, &none) && waits)
    about->waits = gate.id;
  ho_filter filter = {
      .kind = ho_str_of(ho_format_artifact.name), .task = row->task, .phase = row->phase, .limit = MOST};
  if (!row->task.n || !row->phase.n || ho_handoffs_select(project->store, &filter, arena, &list, &none))
    return;
  for (size_t i = 0; i < list.count; i++) {
    const ho_gate *said = approved(project, arena, &list.rows[i]);
    if (!said)
      continue;
    ho_str proof = ho_gate_read_proof_words(said->proof);
    about->decided = ho_arena_printf(arena, "%.*s approved %.*s (%.*s)%s%.*s", HO_ARG(said->decided_by),
                                     HO_ARG(said->id), HO_ARG(proof), said->note.n ? ": " : "", HO_ARG(said->note));
    about->since = (long long)i;
    return;
  }
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
