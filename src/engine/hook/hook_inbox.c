/* What is new in the agent's inbox, in one line: somebody waits for it, or what it waits for has happened. */
#include "engine/hook/hook.h"
#include "engine/ledger/draft.h"
#include "engine/ledger/inbox.h"

/* Has another session of its name lost a phase's handoff? Only that one has something to stop: this one may be about to be
 * offered it. */
static bool is_anothers(ho_hook *hook, const ho_inbox_item *item)
{
  ho_handoff row;
  ho_error none = {0};
  return item->kind == HO_WAITING_STOP && !item->own &&
         !ho_handoffs_get(hook->project->store, item->handoff, hook->arena, &row, &none) &&
         ho_draft_tells(&row, hook->arena);
}

/* "question, answer": the kinds of what is new and more urgent than work, each once; *newest is the last event of them. */
static ho_str kinds_of(ho_hook *hook, const ho_inbox *inbox, size_t *count, int64_t *newest)
{
  ho_str kinds = HO_EMPTY;
  ho_waiting last = HO_WAITING_NONE;
  for (size_t i = 0; i < inbox->count; i++) {
    const ho_inbox_item *item = &inbox->items[i];
    if (!item->seq || item->kind >= HO_WAITING_HELD || is_anothers(hook, item))
      continue;
    ++*count;
    if (item->seq > *newest)
      *newest = item->seq;
    if (item->kind != last)
      kinds = ho_arena_printf(hook->arena, "%.*s%s%s", HO_ARG(kinds), kinds.n ? ", " : "",
                              ho_words_name(&ho_waitings, (int)item->kind));
    last = item->kind;
  }
  return kinds;
}

/* Helpful, but not required: if anything goes wrong here, the reply stays as it is. */
bool ho_hook_inbox(ho_hook *hook, int64_t *told)
{
  ho_inbox inbox = {.quick = true};
  ho_error none = {0};
  bool there = false;
  size_t count = 0;
  int64_t newest = 0;
  if (ho_str_starts(ho_project_actor(hook->project), HO_PROJECT_PERSON) || ho_hook_open(hook, &there, &none) ||
      !there || ho_inbox_read(hook->project, hook->arena, &inbox, &none))
    return false;
  ho_str kinds = kinds_of(hook, &inbox, &count, &newest);
  if (newest <= *told)
    return false;
  *told = newest;
  hook->said = ho_arena_printf(hook->arena, "%.*s%s[handoff] New in your inbox: %zu (%.*s). Run: handoff inbox",
                               HO_ARG(hook->said), hook->said.n ? "\n\n" : "", count, HO_ARG(kinds));
  return true;
}
