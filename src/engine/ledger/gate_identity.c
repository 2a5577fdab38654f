/* Who is at the keyboard: a person, as far as that can be determined. */
#include <sys/stat.h>
#include <unistd.h>

#include "base/digest.h"
#include "engine/ledger/gate_identity.h"
#include "engine/project/identity.h"
#include "engine/project/project.h"

static ho_code refuse_agents(ho_error *err)
{
  const char *sign = ho_identity_agent_sign();
  if (!sign)
    return HO_OK;
  /* HANDOFF_AGENT is also set by people who try things out; a harness's variable never is. */
  bool ours = strcmp(sign, "HANDOFF_AGENT") == 0;
  return ho_fail(err, HO_GATED, "a person must decide, but %s is set, so an agent is running this%s", sign,
                 ours ? "; if you are a person, run: unset HANDOFF_AGENT" : "");
}

/* The file with the key, or "": $HANDOFF_DECISION_KEY, else ~/.config/handoff/decision.key. */
static ho_str key_path(ho_arena *arena)
{
  const char *named = getenv("HANDOFF_DECISION_KEY"), *config = getenv("XDG_CONFIG_HOME"), *home = getenv("HOME");
  if (named && *named)
    return ho_arena_copy(arena, ho_str_of(named));
  ho_str path = config && *config ? ho_arena_printf(arena, "%s/handoff/decision.key", config)
                : home && *home   ? ho_arena_printf(arena, "%s/.config/handoff/decision.key", home)
                                  : HO_EMPTY;
  return path.n && ho_fs_is_file(path.p) ? path : HO_EMPTY;
}

static ho_code read_key(const ho_project *project, ho_arena *arena, ho_str path, ho_str *digest, ho_error *err)
{
  struct stat st;
  ho_str key;
  char hash[HO_DIGEST_SIZE];
  if (ho_fs_inside(ho_arena_z(arena, project->root), path.p) || ho_fs_inside(ho_arena_z(arena, project->home), path.p))
    return ho_fail_file(err, HO_GATED, path, "a decision key must be kept outside the project");
  ho_code code = ho_fs_read(arena, path.p, 4096, &key, err);
  if (code)
    return code;
  if (stat(path.p, &st) || (st.st_mode & 077))
    return ho_fail_file(err, HO_GATED, path, "a decision key must be readable only by its owner; run chmod 600");
  key = ho_str_trim(key);
  if (key.n < 16)
    return ho_fail_file(err, HO_GATED, path, "a decision key must have at least 16 characters");
  ho_digest_text(key, hash);
  *digest = ho_arena_copy(arena, ho_str_of(hash));
  return HO_OK;
}

ho_code ho_gate_identity_find(ho_project *project, ho_arena *arena, ho_gate_identity *out, ho_error *err)
{
  ho_str known = HO_EMPTY;
  *out = (ho_gate_identity){.name = ho_project_actor(project), .proof = HO_PROOF_STATED};
  ho_code code = refuse_agents(err);
  if (code)
    return code;
  ho_str path = key_path(arena);
  if (!path.n) {
    if (isatty(STDIN_FILENO) && (isatty(STDERR_FILENO) || isatty(STDOUT_FILENO)))
      return HO_OK;
    return ho_fail(
        err, HO_GATED,
        "a person must decide, at a terminal or with a decision key kept outside the project (HANDOFF_DECISION_KEY)");
  }
  code = read_key(project, arena, path, &out->key_digest, err);
  if (!code)
    code = ho_store_meta_get(project->store, HO_GATE_KEY, arena, &known, err);
  if (code || !known.n)
    return code; /* the first key used is remembered */
  if (!ho_digest_eq(known, out->key_digest))
    return ho_fail_file(err, HO_GATED, path, "is not the decision key known to this project");
  out->proof = HO_PROOF_SIGNED;
  return HO_OK;
}
