#include "base/term.h"
#include "base/time.h"
#include "command/commands.h"
#include "command/keys/token_shown.h"
#include "engine/project/access_check.h"
#include "engine/project/identity.h"
#include "model/syntax.h"

#define DAYS "90d"

/* "never", a time, or how long from now. */
static ho_code read_expiry(const ho_call *call, int64_t now, int64_t *out, ho_error *err)
{
  ho_str given = ho_str_trim(ho_arg_str(call, "expires"));
  int64_t span;
  if (ho_str_is(given, "never"))
    return *out = 0, HO_OK;
  if (ho_ledger_call_span(given, &span))
    return *out = now + span, HO_OK;
  if (ho_stamp_time(given, out) && *out > now)
    return HO_OK;
  return ho_fail(err, HO_USAGE, "--expires '%.*s' is not a time to come; use 12h, 30d, 2027-02-12 or never",
                 HO_ARG(ho_str_sub(given, 0, 80)));
}

static bool is_secret(const ho_call *call, ho_str name)
{
  return !ho_str_eq(ho_project_clean(&call->project, call->arena, name), name);
}

static ho_code run(ho_call *call, ho_error *err)
{
  ho_personal place;
  char secret[HO_ACCESS_TOKEN_SIZE];
  int64_t now = ho_project_now(&call->project);
  ho_access_token token = {.name = ho_arg_str(call, "name"), .made = now};
  if (!ho_id_fits(token.name))
    return ho_fail(err, HO_USAGE, "'%.*s' cannot be a token's name; use at most 64 letters, digits and . _ -",
                   HO_ARG(ho_str_sub(token.name, 0, 80)));
  ho_code code = ho_access_parse(ho_arg_str(call, "role"), &token.role, &token.who, err);
  if (!code && (is_secret(call, token.name) || is_secret(call, token.who)))
    code = ho_fail(err, HO_USAGE, "a name is kept as it is, but this one looks like a credential; use another");
  if (!code)
    code = read_expiry(call, now, &token.expires, err);
  if (!code)
    code = ho_token_shown_place(call, &place, err);
  if (!code)
    code = ho_access_token_make(&place, &token, secret, err);
  if (code)
    return code;
  HO_EACH (field, ho_token_shown(call, &token))
    ho_map_addz(call->result, ho_arena_z(call->arena, field->key), ho_node_copy(call->arena, field));
  ho_map_put(call->arena, call->result, "token", ho_arena_copy(call->arena, ho_str_of(secret)));
  ho_call_note(call,
               "it is shown this once; whoever has it %s in this project. To end that, run: handoff token revoke %.*s",
               ho_access_role_what(token.role), HO_ARG(token.name));
  return HO_OK;
}

static void render(const ho_call *call, ho_buf *out, bool colour)
{
  (void)colour;
  ho_term_put(out, ho_map_str(call->result, "token"), HO_TERM_LINE);
  ho_buf_putc(out, '\n');
}

static const ho_field params[] = {
    {.name = "name",
     .label = "NAME",
     .doc = "What the log calls it: token:NAME. A name is used once.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED | HO_POSITIONAL},
    {.name = "role",
     .label = "ROLE",
     .doc = "read looks at everything; agent:NAME acts as that agent; decide:PERSON looks, and decides gates for that "
            "person.",
     .type = HO_T_TEXT,
     .flags = HO_REQUIRED},
    {.name = "expires",
     .label = "TIME",
     .doc = "How long it can be used: 12h, 30d, a date, or never.",
     .type = HO_T_TEXT,
     .fallback = DAYS},
    HO_FIELDS_END};
static const ho_record params_record = {.name = "token new", .fields = params};
static const ho_field result[] = {HO_TOKEN_SHOWN_FIELDS, HO_TEXT_FIELD("token", "The token, shown this once."),
                                  HO_NOTES_FIELD, HO_FIELDS_END};
static const ho_record result_record = {.name = "token new result", .fields = result};

const ho_command ho_command_token_new = {
    .name = "token new",
    .group = "keys",
    .summary = "Make a token with which a client of the server shows who it is",
    .doc =
        "A client sends it as 'Authorization: Bearer TOKEN'. It is for this project and one role: an agent's acts as "
        "that agent and no other and decides no gate; one that reads changes nothing; one that decides does that for a "
        "person, unsigned, and where only signed decisions count, it decides nothing by itself. The digest of the "
        "token "
        "is kept in ~/.local/share/handoff/tokens (or below XDG_DATA_HOME), so no clone brings one.",
    .examples = "handoff token new phone --role decide:alice --expires 30d",
    .person = true,
    .local = true,
    .effect = HO_EFFECT_WRITE,
    .params = &params_record,
    .result = &result_record,
    .run = run,
    .render = render,
};
