#include "engine/ledger/seal_sign.h"

ho_str ho_seal_sign_statement(ho_arena *arena, ho_str project, const ho_seal_row *seal)
{
  return ho_arena_printf(
      arena,
      "handoff seal 1\n{\"at\":%lld,\"hash\":\"%.*s\",\"n\":%lld,\"prev\":\"%.*s\",\"project\":\"%.*s\","
      "\"upto\":%lld}",
      (long long)seal->at, HO_ARG(seal->hash), (long long)seal->n, HO_ARG(seal->prev), HO_ARG(project),
      (long long)seal->upto);
}

ho_code ho_seal_sign(ho_project *project, ho_arena *arena, ho_str id, const ho_keypair *pair, ho_str signer,
                     ho_error *err)
{
  ho_seal_list list;
  char signature[HO_SIGNATURE_SIZE];
  ho_code code = ho_seals_add(project->store, ho_project_now(project), err);
  if (!code)
    code = ho_seals_select(project->store, true, arena, &list, err);
  if (code || !list.count)
    return code;
  ho_str statement = ho_seal_sign_statement(arena, id, &list.rows[0]);
  code = ho_arena_code(arena, err);
  if (code)
    return code;
  ho_keypair_sign(pair, statement, signature);
  list.rows[0].signature = ho_str_of(signature);
  list.rows[0].signer = signer;
  return ho_seals_sign(project->store, &list.rows[0], err);
}
