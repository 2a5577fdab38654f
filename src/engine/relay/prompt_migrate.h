/* The prompt that asks an agent to structure what freeform notes leave open: "Please structure this handoff note: …
 * Into this format: …". Text from the notes is quoted as in engine/relay/prompt.h. */
#ifndef HO_ENGINE_RELAY_PROMPT_MIGRATE_H
#define HO_ENGINE_RELAY_PROMPT_MIGRATE_H

#include "engine/relay/prompt.h"

/* ambiguous: list of {line, text, why} (model/notes/notes.h); path: of the notes, as shown. What does not fit within
 * HO_PROMPT_CHARACTERS is listed in out->cut by its line. */
ho_code ho_prompt_migrate(const ho_node *ambiguous, ho_str path, const ho_tokens *tokens, ho_arena *arena,
                          ho_prompt *out, ho_error *err) HO_NODISCARD;
#endif
