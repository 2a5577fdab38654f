#include "engine/ledger/rights.h"

#include "engine/project/identity.h"
#include "store/handoffs/events.h"

/* Are these the same agent, in whichever instance? No name that somebody states makes a person of them. */
static bool same(ho_str a, ho_str b)
{
  return a.n && !ho_str_starts(a, HO_PROJECT_PERSON) && ho_str_eq(ho_identity_name(a), ho_identity_name(b));
}

bool ho_rights_person(const ho_turn *turn)
{
  ho_identity_signs signs = {0};
  if (!ho_str_starts(turn->actor, HO_PROJECT_PERSON))
    return false;
  ho_identity_read_signs(turn->arena, &signs);
  return !signs.count;
}

/* What the log calls whoever sent it. */
static ho_code logged_sender(ho_turn *turn, ho_str *out, ho_error *err)
{
  ho_event_list events;
  ho_code code = ho_events_whole(turn->project->store, turn->row.id, turn->arena, &events, err);
  *out = !code && events.count ? events.rows[0].actor : HO_EMPTY;
  return code;
}

static ho_code is_senders(ho_turn *turn, ho_str name, bool *out, ho_error *err)
{
  ho_str logged;
  bool nameless = ho_str_starts(turn->actor, HO_PROJECT_PERSON);
  *out = same(turn->row.sender, name) || (nameless ? ho_rights_person(turn) : same(turn->row.sender, turn->actor));
  if (*out || nameless)
    return ho_arena_code(turn->arena, err);
  ho_code code = logged_sender(turn, &logged, err);
  *out = !code && ho_str_eq(logged, turn->actor);
  return code;
}

/* "only its sender, alice, whoever holds it, or a person can supersede HO-2026-001". also: who else may, or "". */
static ho_code refuse(ho_turn *turn, ho_str also, const char *what, ho_str hint, ho_error *err)
{
  ho_str sender = turn->row.sender;
  ho_code code = sender.n ? HO_OK : logged_sender(turn, &sender, err);
  if (code)
    return code;
  if (!sender.n || (!turn->row.sender.n && ho_str_starts(sender, HO_PROJECT_PERSON)))
    return ho_fail(err, HO_CONFLICT, "only %.*s%sa person can %s %.*s, which no agent sent%.*s", HO_ARG(also),
                   also.n ? " or " : "", what, HO_ARG(turn->row.id), HO_ARG(hint));
  return ho_fail(err, HO_CONFLICT, "only its sender, %.*s, %.*s%sor a person can %s %.*s%.*s", HO_ARG(sender),
                 HO_ARG(also), also.n ? ", " : "", what, HO_ARG(turn->row.id), HO_ARG(hint));
}

ho_code ho_rights_withdraw(ho_turn *turn, ho_error *err)
{
  bool may = false;
  ho_code code = is_senders(turn, HO_EMPTY, &may, err);
  if (code || may)
    return code;
  ho_str hint =
      ho_arena_printf(turn->arena, "; to refuse it, run: handoff reject %.*s --note TEXT", HO_ARG(turn->row.id));
  return refuse(turn, HO_EMPTY, "withdraw", hint, err);
}

ho_code ho_rights_supersede(ho_turn *turn, ho_str name, ho_str token, ho_error *err)
{
  bool may = false;
  ho_error none = {0};
  if (token.n)
    return ho_turn_claimer(turn, token, false, err);
  ho_code code = is_senders(turn, name, &may, err);
  if (code || may || (turn->row.token.n && !ho_turn_claimer(turn, token, true, &none)))
    return code;
  return refuse(turn, HO_STR("whoever holds it"), "supersede", HO_EMPTY, err);
}

ho_code ho_rights_answer(ho_turn *turn, ho_error *err)
{
  bool may = false;
  ho_str sender = turn->row.sender, hint = HO_EMPTY;
  ho_code code = is_senders(turn, HO_EMPTY, &may, err);
  if (code || may)
    return code;
  if (sender.n)
    hint = ho_arena_printf(turn->arena, "; to act for %.*s, use --as %.*s", HO_ARG(sender), HO_ARG(sender));
  return refuse(turn, HO_EMPTY, "answer", hint, err);
}

ho_code ho_rights_answer_gate(ho_turn *turn, ho_str raised_by, ho_error *err)
{
  bool may = false;
  ho_code code = is_senders(turn, HO_EMPTY, &may, err);
  if (code || may || same(raised_by, turn->actor) || same(turn->row.claimed_by, turn->actor))
    return code;
  ho_str also = HO_STR("whoever holds it");
  if (raised_by.n && !same(raised_by, turn->row.sender))
    also = ho_arena_printf(turn->arena, "whoever holds it, %.*s, who raised the gate", HO_ARG(raised_by));
  return refuse(turn, also, "answer what a person asked about", HO_EMPTY, err);
}

bool ho_rights_limited(const ho_handoff *row, ho_str name)
{
  return same(row->sender, name) || same(row->claimed_by, name) || same(row->receiver, name);
}

ho_code ho_rights_limit(ho_turn *turn, ho_str name, ho_error *err)
{
  bool may = ho_rights_limited(&turn->row, name);
  ho_code code = may ? HO_OK : is_senders(turn, name, &may, err);
  if (code || may)
    return code;
  return refuse(turn, HO_STR("its receiver, whoever holds it"), "set a deadline for the gate of",
                HO_STR(": if nobody decides in time, it is rejected; leave out the deadline"), err);
}
