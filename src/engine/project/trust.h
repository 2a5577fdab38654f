/* What of a project is used only after a person has trusted it (`handoff trust`): settings that start programs or turn
 * redaction off, and a ledger that came with the repository. The key of the first decider is used without it, but not
 * taken for that of a person whom somebody knows (engine/ledger/deciders.h).
 *
 * Trust is given to values, by their digest, so that it ends when they change. It is kept outside the project, in the
 * user's data folder, in a file named after the digest of the main worktree's path, one line "ITEM DIGEST" each. */
#ifndef HO_ENGINE_PROJECT_TRUST_H
#define HO_ENGINE_PROJECT_TRUST_H

#include "base/digest.h"
#include "doc/tree.h"

/* name; which values of the setting of that name need trust (NULL: all; "": it is not a setting); for messages: what it
 * is, and the verb and pronoun that agree with it */
#define HO_TRUST_ITEMS(X)                                                                                              \
  X(AGENTS, "agents", NULL, "the agents in .handoff/config.yaml", "are", "them")                                       \
  X(NOTIFY, "notify", NULL, "the command 'notify' in .handoff/config.yaml", "is", "it")                                \
  X(SECRETS, "secrets", "allow", "'secrets: allow' in .handoff/config.yaml", "is", "it")                               \
  X(LEDGER, "ledger", "", "the ledger, which git tracks,", "is", "it")                                                 \
  X(DECIDERS, "deciders", "", "the key of the first decider", "is", "it")
typedef enum ho_trust_item {
#define X(name, ...) HO_TRUST_##name,
  HO_TRUST_ITEMS(X)
#undef X
      HO_TRUST_COUNT,
} ho_trust_item;
const char *ho_trust_item_name(ho_trust_item item);
/* Does a setting with this value need a person's trust: does it start programs, or turn redaction off? */
bool ho_trust_needs(const ho_node *setting);

typedef enum ho_trust_state {
  HO_TRUST_ABSENT, /* the project has no such thing */
  HO_TRUST_NOT,
  HO_TRUST_CHANGED, /* another value was trusted */
  HO_TRUST_GIVEN,
} ho_trust_state;
const char *ho_trust_state_name(ho_trust_state state); /* "absent", "not trusted", "changed", "trusted" */

typedef struct ho_trust {
  /* Given. */
  ho_arena *arena;
  ho_str home, root;                     /* the main worktree, and the one worked in */
  const ho_node *values[HO_TRUST_COUNT]; /* what the project has of each; NULL: nothing */
  /* Filled by ho_trust_use. */
  bool missed[HO_TRUST_COUNT]; /* it was to be used, and is not trusted */
  /* Filled when the file is read, on the first question. */
  bool read;
  ho_error unread; /* why it cannot be relied on, if code is set */
  char known[HO_TRUST_COUNT][HO_DIGEST_SIZE];
} ho_trust;

ho_trust_state ho_trust_of(ho_trust *trust, ho_trust_item item);
/* May it be used? False also if there is none; what is not trusted is noted. */
bool ho_trust_use(ho_trust *trust, ho_trust_item item);
/* One sentence about an item that is not trusted: why it is not used, and what to do. */
ho_str ho_trust_sentence(ho_trust *trust, ho_trust_item item);
/* Trusts every value that is given, and nothing else of this project. */
ho_code ho_trust_give(ho_trust *trust, ho_error *err) HO_NODISCARD;
/* Ends all trust in the project; *had: there was some. */
ho_code ho_trust_end(ho_trust *trust, bool *had, ho_error *err) HO_NODISCARD;
#endif
