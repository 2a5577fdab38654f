/* What a draft adds to the last good handoff of its phase.
 *
 * An agent that died leaves a draft: what could be seen of it, which says less than a handoff that its predecessor wrote
 * on purpose. So whoever continues is given that handoff, and with it what the draft says beyond it; the draft alone only
 * if the phase has no handoff. */
#ifndef HO_ENGINE_RELAY_NEWS_H
#define HO_ENGINE_RELAY_NEWS_H

#include "engine/relay/prompt.h"
#include "store/handoffs/handoffs.h"

/* The newest draft of the phase that is not older than `since`. The store is open. *out has no id if there is none. */
ho_code ho_news_draft(ho_project *project, ho_arena *arena, ho_str task, ho_str phase, int64_t since, ho_handoff *out,
                      ho_error *err) HO_NODISCARD;
/* The newest phase handoff before the draft that was neither rejected nor taken back. *out has no id if there is none, or
 * it waits at a gate. */
ho_code ho_news_handoff(ho_project *project, ho_arena *arena, const ho_handoff *draft, ho_handoff *out,
                        ho_error *err) HO_NODISCARD;
/* Fills about->id, and what people say about the phase: the gate at which the handoff waits, and the newest decision with
 * which they let one of the phase's handoffs go on. What cannot be read adds nothing. */
void ho_news_people(ho_project *project, const ho_handoff *row, ho_prompt_about *about);
/* Fills about->draft and about->news. A draft that cannot be read adds nothing. */
void ho_news_add(ho_project *project, const ho_handoff *draft, ho_prompt_about *about);
#endif
