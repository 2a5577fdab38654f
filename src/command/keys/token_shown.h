/* What the commands about tokens share. */
#ifndef HO_COMMAND_KEYS_TOKEN_SHOWN_H
#define HO_COMMAND_KEYS_TOKEN_SHOWN_H

#include "command/ledger_call.h"
#include "engine/project/access_token.h"

extern const ho_record ho_token_shown_record; /* a token without its secret */
ho_node *ho_token_shown(const ho_call *call, const ho_access_token *token);
/* Where the project's tokens are; begins the project. */
ho_code ho_token_shown_place(ho_call *call, ho_personal *out, ho_error *err) HO_NODISCARD;

#define HO_TOKEN_SHOWN_FIELDS                                                                                          \
  HO_TEXT_FIELD("name", "Its name."), HO_TEXT_FIELD("role", "read, agent:NAME or decide:PERSON."),                     \
      HO_TEXT_FIELD("state", "active, expired or revoked."), HO_TEXT_FIELD("made", "When it was made."),               \
      HO_TEXT_FIELD("expires", "Until when it can be used; null: until it is revoked."),                               \
      HO_TEXT_FIELD("revoked", "When it was revoked."),                                                                \
      HO_TEXT_FIELD("used", "When it was used last, to the minute; null: never.")
#endif
