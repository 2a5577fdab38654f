#include "engine/project/access_token.h"

#include "base/digest.h"
#include "base/grow.h"
#include "base/private.h"
#include "engine/project/access_check.h"

enum { USED_EVERY_MS = 60000 };

static const char kind[] = "tokens";

ho_str ho_access_token_folder(ho_arena *arena)
{
  ho_str data = ho_private_data(arena);
  return data.n ? ho_private_folder(arena, data, kind) : HO_EMPTY;
}

ho_personal ho_access_token_place(ho_arena *arena, ho_str home, ho_str root)
{
  return (ho_personal){.arena = arena, .home = home, .root = root, .kind = kind};
}

static ho_personal place_of_uses(const ho_personal *place)
{
  ho_personal uses = *place;
  uses.kind = "tokens-used";
  return uses;
}

static bool take_number(ho_str *rest, int64_t *out)
{
  ho_str part;
  uint64_t value = 0;
  bool there = ho_str_next(rest, ' ', &part) && ho_str_to_u64(part, &value);
  *out = (int64_t)value;
  return there;
}

/* A line of the file: name, digest, three times in milliseconds, and the role. One that is not whole is no token. */
static bool take_line(ho_str line, ho_access_token *out)
{
  ho_error none;
  *out = (ho_access_token){0};
  return ho_str_next(&line, ' ', &out->name) && ho_str_next(&line, ' ', &out->digest) && ho_digest_valid(out->digest) &&
         take_number(&line, &out->made) && take_number(&line, &out->expires) && take_number(&line, &out->revoked) &&
         !ho_access_parse(line, &out->role, &out->who, &none);
}

static void put_line(ho_arena *arena, ho_buf *out, const ho_access_token *token)
{
  ho_buf_printf(out, "%.*s %.*s %lld %lld %lld %.*s\n", HO_ARG(token->name), HO_ARG(token->digest),
                (long long)token->made, (long long)token->expires, (long long)token->revoked,
                HO_ARG(ho_access_role_text(arena, token->role, token->who)));
}

static void take_lines(ho_arena *arena, ho_str text, ho_access_token_list *out)
{
  ho_str line;
  ho_access_token token;
  *out = (ho_access_token_list){0};
  while (ho_str_next_line(&text, &line)) {
    ho_access_token *slot = take_line(line, &token) ? HO_PUSH(arena, out->rows, out->count) : NULL;
    if (slot)
      *slot = token;
  }
}

static ho_access_token *named(const ho_access_token_list *list, ho_str name)
{
  for (size_t i = 0; i < list->count; i++)
    if (ho_str_eq(list->rows[i].name, name))
      return &list->rows[i];
  return NULL;
}

/* Sets when each was used last, as far as that is known. */
static void take_uses(ho_str text, const ho_access_token_list *list)
{
  ho_str line, name;
  while (ho_str_next_line(&text, &line)) {
    ho_access_token *token = ho_str_next(&line, ' ', &name) ? named(list, name) : NULL;
    if (token)
      (void)take_number(&line, &token->used);
  }
}

ho_code ho_access_tokens_read(const ho_personal *place, ho_access_token_list *out, ho_error *err)
{
  ho_str text = HO_EMPTY, uses = HO_EMPTY;
  ho_error why = {0}, none = {0};
  ho_personal used = place_of_uses(place);
  ho_code code = ho_personal_read(place, &text, &why);
  if (code && code != HO_NOT_FOUND)
    return *err = why, code;
  take_lines(place->arena, text, out);
  if (ho_personal_read(&used, &uses, &none) == HO_OK)
    take_uses(uses, out);
  return ho_arena_code(place->arena, err);
}

ho_access_token_state ho_access_token_state_of(const ho_access_token *token, int64_t now)
{
  if (token->revoked)
    return HO_TOKEN_REVOKED;
  return token->expires && token->expires <= now ? HO_TOKEN_EXPIRED : HO_TOKEN_ACTIVE;
}

/* ---- Changes */

typedef struct change {
  const ho_personal *place;
  ho_access_token *token;
  ho_str revoke; /* the name of one that is to be */
  int64_t now;
} change;

static ho_code put_lines(const change *c, const ho_access_token_list *list, ho_buf *out, ho_error *err)
{
  for (size_t i = 0; i < list->count; i++)
    put_line(c->place->arena, out, &list->rows[i]);
  return ho_arena_code(c->place->arena, err);
}

static ho_code add(void *data, ho_str old, ho_buf *out, ho_error *err)
{
  const change *c = data;
  ho_access_token_list list;
  take_lines(c->place->arena, old, &list);
  const ho_access_token *before = named(&list, c->token->name);
  if (before)
    return ho_fail(err, HO_CONFLICT, "there %s a token %.*s already; every name is used once: choose another one",
                   before->revoked ? "was" : "is", HO_ARG(before->name));
  if (list.count >= HO_ACCESS_TOKENS_MOST)
    return ho_fail(err, HO_LIMIT, "this project has had %d tokens, and more are not kept", HO_ACCESS_TOKENS_MOST);
  ho_access_token *slot = HO_PUSH(c->place->arena, list.rows, list.count);
  if (slot)
    *slot = *c->token;
  return put_lines(c, &list, out, err);
}

ho_code ho_access_token_make(const ho_personal *place, ho_access_token *token, char secret[HO_ACCESS_TOKEN_SIZE],
                             ho_error *err)
{
  char digest[HO_DIGEST_SIZE];
  change c = {.place = place, .token = token};
  memcpy(secret, HO_ACCESS_TOKEN_PREFIX, sizeof HO_ACCESS_TOKEN_PREFIX);
  ho_code code = ho_random_hex(secret + strlen(secret), HO_DIGEST_BYTES, err);
  if (code)
    return code;
  ho_digest_text(ho_str_of(secret), digest);
  token->digest = ho_arena_copy(place->arena, ho_str_of(digest));
  return ho_personal_update(place, add, &c, err);
}

static ho_code revoke(void *data, ho_str old, ho_buf *out, ho_error *err)
{
  change *c = data;
  ho_access_token_list list;
  take_lines(c->place->arena, old, &list);
  ho_access_token *token = named(&list, c->revoke);
  if (!token)
    return ho_fail(err, HO_NOT_FOUND, "there is no token %.*s; run: handoff token list", HO_ARG(c->revoke));
  if (!token->revoked)
    token->revoked = c->now;
  *c->token = *token;
  return put_lines(c, &list, out, err);
}

ho_code ho_access_token_revoke(const ho_personal *place, ho_str name, int64_t now, ho_access_token *out, ho_error *err)
{
  change c = {.place = place, .token = out, .revoke = name, .now = now};
  return ho_personal_update(place, revoke, &c, err);
}

/* ---- Use */

static ho_code note_use(void *data, ho_str old, ho_buf *out, ho_error *err)
{
  const change *c = data;
  ho_str line, name;
  (void)err;
  while (ho_str_next_line(&old, &line)) {
    ho_str rest = line;
    if (ho_str_next(&rest, ' ', &name) && !ho_str_eq(name, c->token->name))
      ho_buf_printf(out, "%.*s\n", HO_ARG(line));
  }
  ho_buf_printf(out, "%.*s %lld\n", HO_ARG(c->token->name), (long long)c->now);
  return HO_OK;
}

/* Nobody who may ask is refused because this cannot be written. */
static void used(const ho_personal *place, ho_access_token *token, int64_t now)
{
  ho_error none = {0};
  ho_personal uses = place_of_uses(place);
  change c = {.place = &uses, .token = token, .now = now};
  if (token->used > now || now - token->used >= USED_EVERY_MS)
    (void)!ho_personal_update(&uses, note_use, &c, &none);
}

static ho_code refuse(ho_str name, const char *why, ho_error *err)
{
  ho_code code = ho_fail(err, HO_GATED, "%s%.*s%s", name.n ? "the token " : "", HO_ARG(name), why);
  err->rule = HO_RULE_TOKEN;
  return code;
}

ho_code ho_access_token_find(const ho_personal *place, ho_str secret, int64_t now, ho_access *out, ho_error *err)
{
  char digest[HO_DIGEST_SIZE];
  ho_access_token_list list;
  ho_access_token *found = NULL;
  ho_digest_text(secret, digest);
  ho_code code = ho_access_tokens_read(place, &list, err);
  for (size_t i = 0; !code && i < list.count; i++)
    if (ho_digest_eq(list.rows[i].digest, ho_str_of(digest)))
      found = &list.rows[i];
  if (code)
    return code;
  if (!found)
    return refuse(HO_EMPTY, "nobody has this token; a person makes one: handoff token new", err);
  if (found->revoked)
    return refuse(found->name, " was revoked", err);
  if (ho_access_token_state_of(found, now) == HO_TOKEN_EXPIRED)
    return refuse(found->name, " has expired; a person makes a new one: handoff token new", err);
  used(place, found, now);
  *out = (ho_access){.role = found->role, .how = HO_ACCESS_TOKEN, .name = found->name, .who = found->who};
  return HO_OK;
}
