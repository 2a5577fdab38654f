/* What earlier handoffs know, for a session that starts on a task. */
#include "base/utf8.h"
#include "engine/hook/hook.h"
#include "engine/knowledge/inject.h"
#include "engine/ledger/derive.h"

/* Only what is not said yet. Helpful, but not required: if anything goes wrong here, the reply stays as it is. */
void ho_hook_known(ho_hook *hook)
{
  enum { DERIVE_MS = 200 };
  static const char head[] = "[handoff] About this task. ";
  ho_error none = {0};
  size_t used = ho_utf8_count(hook->said) + sizeof head + 2;
  if (!hook->task.n || used >= HO_PROMPT_CHARACTERS)
    return;
  ho_derive_within(hook->project, HO_DERIVED_KNOWLEDGE, DERIVE_MS);
  ho_inject inject = {
      .task = hook->task, .budget = HO_INJECT_BUDGET, .tokens = hook->tokens(hook->world), .said = hook->said};
  for (; inject.budget >= 100; inject.budget /= 2) {
    if (ho_inject_make(hook->project, hook->arena, &inject, &none) || !inject.text.n)
      return;
    if (ho_utf8_count(inject.text) + used <= HO_PROMPT_CHARACTERS)
      break;
  }
  if (inject.budget >= 100)
    hook->said = ho_arena_printf(hook->arena, "%.*s%s%s%.*s", HO_ARG(hook->said), hook->said.n ? "\n\n" : "", head,
                                 HO_ARG(inject.text));
}
