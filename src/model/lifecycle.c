#include "model/lifecycle.h"

static const struct {
  const char *name, *shown;
  const char *stands, *command; /* of open states */
} states[] = {{"", "", "does not exist", "list"},
#define X(name, text, shown, stands, command) {text, shown, stands, command},
              HO_STATES(X)
#undef X
};

static const struct {
  const char *name;
  ho_event_sense sense;
} events[] = {
#define X(name, text, sense) {text, HO_SENSE_##sense},
    HO_EVENT_KINDS(X)
#undef X
};

/* States as bits. From NONE: a new handoff. */
#define BIT(name) (1u << HO_STATE_##name)
#define ALL ((1u << HO_STATE_COUNT) - 1)
#define OPEN_BIT(name, text, shown, stands, command) | ((stands) ? BIT(name) : 0u)
#define OPEN (0u HO_STATES(OPEN_BIT))
#define ENDED (ALL & ~(OPEN | BIT(NONE) | BIT(ARCHIVED)))

static const struct {
  unsigned from; /* bits */
  ho_event_kind event;
  ho_state to; /* for APPROVED from GATED: the state before the gate */
} moves[] = {
    {BIT(NONE), HO_EVENT_SENT, HO_STATE_READY},
    {BIT(NONE), HO_EVENT_DRAFTED, HO_STATE_DRAFT},
    {BIT(DRAFT), HO_EVENT_CONFIRMED, HO_STATE_READY},
    {BIT(READY), HO_EVENT_CLAIMED, HO_STATE_CLAIMED},
    {BIT(CLAIMED), HO_EVENT_ACKED, HO_STATE_ACKED},
    {BIT(CLAIMED) | BIT(ACKED), HO_EVENT_BLOCKED, HO_STATE_CLARIFY},
    {BIT(CLAIMED), HO_EVENT_LAPSED, HO_STATE_READY},
    {BIT(CLAIMED) | BIT(ACKED), HO_EVENT_RELEASED, HO_STATE_READY},
    {BIT(CLARIFY), HO_EVENT_ANSWERED, HO_STATE_READY},
    {BIT(ACKED), HO_EVENT_DONE, HO_STATE_DONE},
    {BIT(ACKED), HO_EVENT_RETURNED, HO_STATE_DONE},
    {OPEN & ~BIT(GATED), HO_EVENT_FINISHED, HO_STATE_DONE},
    {BIT(DRAFT) | BIT(ACKED), HO_EVENT_REJECTED, HO_STATE_REJECTED},
    {OPEN, HO_EVENT_WITHDRAWN, HO_STATE_REJECTED},
    {BIT(ACKED), HO_EVENT_WORK_LAPSED, HO_STATE_READY},
    {OPEN & ~BIT(GATED), HO_EVENT_GATED, HO_STATE_GATED},
    {BIT(GATED), HO_EVENT_APPROVED, HO_STATE_NONE},
    {BIT(GATED), HO_EVENT_GATE_REJECTED, HO_STATE_REJECTED},
    {BIT(READY) | BIT(CLAIMED), HO_EVENT_EXHAUSTED, HO_STATE_GATED},
    {BIT(READY) | BIT(CLAIMED), HO_EVENT_EXPIRED, HO_STATE_EXPIRED},
    {OPEN, HO_EVENT_SUPERSEDED, HO_STATE_SUPERSEDED},
    {ENDED, HO_EVENT_ARCHIVED, HO_STATE_ARCHIVED},
};

const char *ho_state_name(ho_state state)
{
  return states[state].name;
}

const char *ho_state_shown(ho_state state)
{
  return states[state].shown;
}

bool ho_state_open(ho_state state)
{
  return state != HO_STATE_NONE && states[state].stands;
}

const char *ho_state_command(ho_state state)
{
  return states[state].command;
}

bool ho_state_named(ho_str name, ho_state *out)
{
  for (size_t i = 1; i < HO_COUNT(states); i++)
    if (ho_str_is(name, states[i].name)) {
      *out = (ho_state)i;
      return true;
    }
  return false;
}

bool ho_state_shown_named(ho_str shown, ho_state *out)
{
  for (size_t i = 1; i < HO_COUNT(states); i++)
    if (ho_str_is(shown, states[i].shown)) {
      *out = (ho_state)i;
      return true;
    }
  return false;
}

const char *ho_event_kind_name(ho_event_kind event)
{
  return events[event].name;
}

ho_event_sense ho_event_sense_of(ho_str kind)
{
  for (size_t i = 0; i < HO_COUNT(events); i++)
    if (ho_str_is(kind, events[i].name))
      return events[i].sense;
  return HO_SENSE_MOVES;
}

ho_state ho_lifecycle_next(ho_state from, ho_event_kind event, ho_state before)
{
  for (size_t i = 0; i < HO_COUNT(moves); i++)
    if (moves[i].event == event && (moves[i].from & (1u << from)))
      return event == HO_EVENT_APPROVED ? before : moves[i].to;
  return HO_STATE_NONE;
}

ho_code ho_lifecycle_apply(ho_str id, ho_state from, ho_event_kind event, ho_state before, ho_state *to, ho_error *err)
{
  *to = ho_lifecycle_next(from, event, before);
  if (*to != HO_STATE_NONE)
    return HO_OK;
  if (!states[from].stands)
    return ho_fail(err, HO_CONFLICT, "%.*s is already %s", HO_ARG(id), ho_state_name(from));
  if (event == HO_EVENT_ARCHIVED)
    return ho_fail(err, HO_CONFLICT, "%.*s is %s; only a handoff that has ended can be archived", HO_ARG(id),
                   ho_state_name(from));
  return ho_fail(err, HO_CONFLICT, "%.*s %s", HO_ARG(id), states[from].stands);
}
