/* The prompt that asks an agent to structure what freeform notes leave open, in the source's form: "Please
 * structure this handoff note: … Into this format: …". What comes from the notes is quoted as engine/relay/prompt.h says. */
#ifndef HO_ENGINE_RELAY_PROMPT_MIGRATE_H
#define HO_ENGINE_RELAY_PROMPT_MIGRATE_H

#include "engine/relay/prompt.h"

/* ambiguous: list of {line, text, why} (model/notes/notes.h); path: of the notes, as it is to be shown. What has no room
 * within HO_PROMPT_CHARACTERS is named in out->cut by its line. */
ho_code ho_prompt_migrate(const ho_node *ambiguous, ho_str path, const ho_tokens *tokens, ho_arena *arena,
                          ho_prompt *out, ho_error *err) HO_NODISCARD;
#endif
