/* The wording of the prompts, as templates (doc/text/template.h). */
#ifndef HO_ENGINE_RELAY_PROMPT_TEXTS_H
#define HO_ENGINE_RELAY_PROMPT_TEXTS_H

extern const char ho_prompt_text_teammate[], ho_prompt_text_recovery[], ho_prompt_text_receiver[],
    ho_prompt_text_successor[], ho_prompt_text_finished[];
#endif
