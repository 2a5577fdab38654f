#include "engine/project/identity.h"

#include "base/time.h"
#include "base/utf8.h"
#include "engine/project/access.h"
#include "model/harness/harness.h"
#include "model/syntax.h"

ho_str ho_identity_name(ho_str agent)
{
  size_t slash = ho_str_find_char(agent, '/');
  return slash == HO_NONE ? agent : ho_str_sub(agent, 0, slash);
}

ho_str ho_identity_session(void)
{
  ho_str session = ho_access_variable("HANDOFF_SESSION");
  for (const ho_harness *const *each = ho_harnesses; *each && !session.n; each++)
    for (const char *const *name = (*each)->session; *name && !session.n; name++)
      session = ho_access_variable(*name);
  return session;
}

bool ho_identity_reserved(ho_str name)
{
  static const char *const names[] = {"handoff", "deadline", "human"};
  for (size_t i = 0; i < HO_COUNT(names); i++)
    if (ho_str_is_nocase(ho_str_trim(name), names[i]))
      return true;
  return false;
}

ho_code ho_identity_check_agent(ho_str agent, ho_error *err)
{
  bool fits = ho_syntax_NAME.matches(agent) || (ho_utf8_bad(agent) == HO_NONE && ho_syntax_NAME.understood(agent));
  if (!agent.n || (fits && ho_str_find_char(agent, ':') == HO_NONE && !ho_identity_reserved(ho_identity_name(agent))))
    return HO_OK;
  return ho_fail(err, HO_USAGE,
                 "'%.*s' cannot be an agent's name (--as or HANDOFF_AGENT): use at most 64 letters, digits and the "
                 "characters . _ / @ -; " HO_IDENTITY_RESERVED,
                 HO_ARG(ho_str_sub(agent, 0, 80)));
}

ho_str ho_identity_safe(ho_arena *arena, ho_str text)
{
  char *safe = ho_arena_alloc(arena, text.n + 1);
  for (size_t i = 0; safe && i < text.n; i++)
    safe[i] = isalnum((unsigned char)text.p[i]) || (text.p[i] && strchr("_.@-", text.p[i])) ? text.p[i] : '-';
  if (safe)
    safe[text.n] = '\0';
  return safe ? (ho_str){safe, text.n} : HO_EMPTY;
}

static bool is_set(const char *variable)
{
  return ho_access_variable(variable).n > 0;
}

/* The first variable of a harness that is set, and whose it is; NULL if none is. */
static const char *harness_variable(const ho_harness **whose)
{
  for (const ho_harness *const *each = ho_harnesses; *each; each++)
    for (const char *const *name = (*each)->inside; *name; name++)
      if (is_set(*name)) {
        *whose = *each;
        return *name;
      }
  return NULL;
}

ho_str ho_identity_harness(void)
{
  const ho_harness *whose = NULL;
  return harness_variable(&whose) ? ho_str_of(whose->name) : HO_EMPTY;
}

const char *ho_identity_agent_sign(void)
{
  static const char *const general[] = {"HANDOFF_AGENT", "AI_AGENT"};
  const ho_harness *whose = NULL;
  for (size_t i = 0; i < HO_COUNT(general); i++)
    if (is_set(general[i]))
      return general[i];
  return harness_variable(&whose);
}

#define DAY "local-"

bool ho_identity_is_day(ho_str session)
{
  size_t digits = 0;
  ho_str day = ho_str_starts(session, DAY) ? ho_str_sub(session, strlen(DAY), session.n) : HO_EMPTY;
  while (digits < day.n && isdigit((unsigned char)day.p[digits]))
    digits++;
  return day.n == strlen("20260309") && digits == day.n; /* a harness may call its sessions local-… */
}

ho_str ho_identity_session_name(ho_arena *arena, ho_str session, int64_t now_ms)
{
  char stamp[HO_TIME_SIZE];
  if (!session.n) {
    ho_time_stamp(now_ms, stamp);
    return ho_arena_printf(arena, DAY "%.8s", stamp);
  }
  char *safe = ho_arena_alloc(arena, session.n + 1);
  if (!safe)
    return HO_EMPTY;
  for (size_t i = 0; i < session.n; i++)
    safe[i] = isalnum((unsigned char)session.p[i]) || (i && strchr("._-", session.p[i])) ? session.p[i] : '-';
  return (ho_str){safe, session.n > 100 ? 100 : session.n};
}

bool ho_id_fits(ho_str id)
{
  if (id.n == 0 || id.n > 64 || id.p[0] == '.' || id.p[0] == '-')
    return false;
  for (size_t i = 0; i < id.n; i++)
    if (!isalnum((unsigned char)id.p[i]) && !strchr("._-", id.p[i]))
      return false;
  return true;
}

ho_str ho_id_plain(ho_str id)
{
  uint64_t value;
  id = ho_str_trim(id);
  while (id.n > 1 && id.p[0] == '0' && ho_str_to_u64(id, &value))
    id = ho_str_sub(id, 1, id.n);
  return id;
}

/* Skips a number that a sign other than '-' may follow, or the end. */
static bool skip_number(ho_str *rest)
{
  size_t digits = 0;
  while (digits < rest->n && isdigit((unsigned char)rest->p[digits]))
    digits++;
  *rest = ho_str_sub(*rest, digits, rest->n);
  return digits && !ho_str_is_word(*rest, 0);
}

bool ho_id_of_ledger(ho_str id)
{
  id = ho_str_trim(id);
  bool handoff = ho_str_starts_nocase(id, "HO-"), gate = ho_str_starts_nocase(id, "G-");
  ho_str rest = ho_str_sub(id, handoff ? 3 : gate ? 2 : id.n, id.n);
  if (!skip_number(&rest))
    return false;
  if (ho_str_starts(rest, "-")) {
    rest = ho_str_sub(rest, 1, rest.n);
    return skip_number(&rest) && !ho_str_starts(rest, "-");
  }
  return handoff; /* of this year */
}

bool ho_id_of_gate(ho_str id)
{
  return ho_id_of_ledger(id) && ho_str_starts_nocase(ho_str_trim(id), "G-");
}

/* What follows "task" and the signs behind it, or the id. */
static ho_str behind_task(ho_str id)
{
  size_t at = ho_str_starts_nocase(id, "task") ? 4 : 0;
  while (at < id.n && strchr("-_# ", id.p[at]))
    at++;
  return ho_str_sub(id, at, id.n);
}

ho_str ho_id_number(ho_str id)
{
  uint64_t value;
  ho_str digits = behind_task(ho_str_trim(id));
  return ho_str_to_u64(digits, &value) ? ho_id_plain(digits) : HO_EMPTY;
}

size_t ho_id_spellings(ho_arena *arena, ho_str id, ho_str out[HO_ID_SPELLINGS])
{
  ho_str number = ho_id_number(id);
  size_t count = 0;
  bool with_word = number.n && ho_str_starts_nocase(ho_str_trim(id), "task");
  out[count++] = with_word  ? ho_arena_printf(arena, "task-%.*s", HO_ARG(behind_task(ho_str_trim(id))))
                 : number.n ? number
                            : ho_id_plain(id);
  for (size_t width = number.n; number.n && width < number.n + 4; width++)
    for (size_t word = 0; word < 2; word++)
      out[count++] =
          ho_arena_printf(arena, "%s%.*s%.*s", word ? "task-" : "", (int)(width - number.n), "000", HO_ARG(number));
  return count;
}
