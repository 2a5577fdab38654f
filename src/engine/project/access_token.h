/* Tokens: how a client shows a server who it is.
 *
 * A person makes each for one project and one role. It is shown once; what is kept is its digest, among the user's own
 * files (engine/project/personal): a clone cannot bring a token, nor can whoever writes to the ledger make one. A token is 256
 * random bits, so its digest needs no salt and no slow hash. Every name is used once, so that what a token is recorded
 * as has one meaning for good. */
#ifndef HO_ENGINE_PROJECT_ACCESS_TOKEN_H
#define HO_ENGINE_PROJECT_ACCESS_TOKEN_H

#include "engine/project/access.h"
#include "engine/project/personal.h"

/* What every token begins with, so that it is recognised where it should not be. */
#define HO_ACCESS_TOKEN_PREFIX "hoat_"
enum { HO_ACCESS_TOKEN_SIZE = 70, HO_ACCESS_TOKENS_MOST = 200 }; /* of a project, those that are revoked included */

typedef struct ho_access_token {
  ho_str name, who, digest;
  ho_access_role role;
  int64_t made, expires, revoked, used; /* 0: never */
} ho_access_token;

typedef struct ho_access_token_list {
  ho_access_token *rows;
  size_t count;
} ho_access_token_list;

typedef enum ho_access_token_state { HO_TOKEN_ACTIVE, HO_TOKEN_EXPIRED, HO_TOKEN_REVOKED } ho_access_token_state;
ho_access_token_state ho_access_token_state_of(const ho_access_token *token, int64_t now);

/* The project's tokens, oldest first. */
ho_code ho_access_tokens_read(const ho_personal *place, ho_access_token_list *out, ho_error *err) HO_NODISCARD;
/* Given name, role, who, made and expires. HO_CONFLICT if the name was used before. */
ho_code ho_access_token_make(const ho_personal *place, ho_access_token *token, char secret[HO_ACCESS_TOKEN_SIZE],
                             ho_error *err) HO_NODISCARD;
/* HO_NOT_FOUND if there is none of that name; *out is as it was before if it was revoked already. */
ho_code ho_access_token_revoke(const ho_personal *place, ho_str name, int64_t now, ho_access_token *out,
                               ho_error *err) HO_NODISCARD;
/* Who has this token; HO_GATED with the rule HO_RULE_TOKEN if nobody has, or no longer. How long that takes says nothing about
 * tokens that others have. Notes when it was used, to the minute. */
#define HO_RULE_TOKEN "token"
ho_code ho_access_token_find(const ho_personal *place, ho_str secret, int64_t now, ho_access *out,
                             ho_error *err) HO_NODISCARD;
/* The folder in which the tokens of all projects are kept; "" if the environment names none. */
ho_str ho_access_token_folder(ho_arena *arena);
/* Where a project's tokens are kept. */
ho_personal ho_access_token_place(ho_arena *arena, ho_str home, ho_str root);
#endif
